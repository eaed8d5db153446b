//! `croupier rules list`.

use std::io::Write;
use std::process::ExitCode;

use croupier_rules::Library;
use serde::Serialize;

use super::Format;
use crate::commands::{print_table, table};

#[derive(Serialize)]
struct Row<'l> {
    game: &'l str,
    name: &'l str,
    rulebook: &'l str,
    operator: &'l str,
    version: &'l str,
    effective: Option<&'l str>,
    family: &'l str,
    bets: Vec<&'l str>,
    insurance: bool,
}

/// One line a game.
pub(super) fn run(library: &Library, format: Format, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let rows: Vec<Row<'_>> = library
        .rulebooks()
        .iter()
        .flat_map(|rulebook| rulebook.games.iter().map(move |game| (rulebook, game)))
        .map(|(rulebook, game)| Row {
            game: &game.id,
            name: &rulebook.names.en,
            rulebook: &rulebook.id,
            operator: &rulebook.operator,
            version: &rulebook.version,
            effective: rulebook.effective.as_deref(),
            family: rulebook.family.key(),
            bets: game.bets.iter().map(|bet| bet.id.as_str()).collect(),
            insurance: game.insurance.is_some(),
        })
        .collect();
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &serde_json::json!({ "games": rows }))?;
            writeln!(out)?;
        }
        Format::Text => {
            let mut list = table(["game", "rulebook", "version", "bets"]);
            for row in &rows {
                let insurance = if row.insurance { " + insurance" } else { "" };
                list.add_row([row.game, row.name, row.version, &format!("{}{insurance}", row.bets.len())]);
            }
            print_table(out, &list)?;
            writeln!(out, "\n`croupier rules show GAME` prints a rule sheet.")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
