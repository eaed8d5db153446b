//! The commands, and what they share: the rulebooks at hand and tables for people.

pub(crate) mod backup;
pub(crate) mod design;
pub(crate) mod dossier;
pub(crate) mod drill;
pub(crate) mod export;
pub(crate) mod exposure;
pub(crate) mod insight;
pub(crate) mod keys;
pub(crate) mod nodes;
pub(crate) mod odds;
pub(crate) mod people;
pub(crate) mod roads;
pub(crate) mod rules;
pub(crate) mod serve;
pub(crate) mod settle;
pub(crate) mod simulate;
pub(crate) mod verify;

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use comfy_table::{ContentArrangement, Table, presets};
use croupier_rules::names::nearest;
use croupier_rules::{Game, Library, LibraryError, Rulebook};

/// Rulebook files named on the command line.
pub(crate) struct Rulebooks(pub(crate) Vec<PathBuf>);

impl Rulebooks {
    /// The rulebooks that come with Croupier and those named.
    pub(crate) fn library(&self) -> anyhow::Result<Library> {
        let mut library = Library::standard();
        for path in &self.0 {
            let name = path.display();
            let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
            match library.add(&text) {
                Ok(_) => {}
                Err(LibraryError::Faults(faults)) => {
                    let lines: Vec<String> = faults.0.iter().map(|fault| format!("{name}:{fault}")).collect();
                    return Err(anyhow!("{name} is no valid rulebook\n{}", lines.join("\n")));
                }
                Err(taken @ LibraryError::Taken(_)) => return Err(anyhow!("{name}: {taken}")),
            }
        }
        Ok(library)
    }
}

/// The game with that id; the error names those there are.
pub(crate) fn find_game<'l>(library: &'l Library, id: &str) -> anyhow::Result<(&'l Rulebook, &'l Game)> {
    library
        .find(id)
        .map(|(rulebook, game)| (&**rulebook, game))
        .ok_or_else(|| anyhow!("{}", no_game(id, library.games().map(|game| game.id.as_str()))))
}

/// The rulebook with that id or with that game.
pub(crate) fn find_rulebook<'l>(library: &'l Library, id: &str) -> anyhow::Result<&'l Rulebook> {
    let by_id = library.rulebooks().iter().find(|rulebook| rulebook.id == id).map(|rulebook| &**rulebook);
    let by_game = || library.find(id).map(|(rulebook, _)| &**rulebook);
    by_id.or_else(by_game).ok_or_else(|| {
        // A rulebook without variants has one game, of the same id.
        let own = library.rulebooks().iter().filter(|rulebook| library.game(&rulebook.id).is_none());
        let own = own.map(|rulebook| rulebook.id.as_str());
        let known: Vec<&str> = own.chain(library.games().map(|game| game.id.as_str())).collect();
        anyhow!("{}", no_game(id, known))
    })
}

/// The game that was meant, or one line for each there is.
fn no_game<'n>(id: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(id, known.iter().copied()) {
        Some(meant) => format!("there is no game `{id}`; did you mean `{meant}`?"),
        None => format!("there is no game `{id}`; there are\n  {}", known.join("\n  ")),
    }
}

/// `1 fault`, `2 faults`.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A table for people, as wide as the terminal allows.
pub(crate) fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(header.map(str::to_string));
    table
}

/// Prints a table without the blanks that fill its last column.
pub(crate) fn print_table(out: &mut dyn std::io::Write, table: &Table) -> std::io::Result<()> {
    for line in table.lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
