//! `croupier rules check`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use croupier_rules::Rulebook;

use crate::commands::count;

/// Checks each file; exit code 2 if any has a fault.
pub(super) fn run(files: &[PathBuf], out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut bad = 0_usize;
    for path in files {
        let name = path.display();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                bad += 1;
                writeln!(out, "{name}: cannot be read: {error}")?;
                continue;
            }
        };
        match Rulebook::parse(&text) {
            Ok(rulebook) => {
                let games: Vec<&str> = rulebook.games.iter().map(|game| game.id.as_str()).collect();
                let clauses = rulebook.index.clauses().len();
                writeln!(out, "{name}: no fault; {clauses} clauses and table lines; {}", games.join(", "))?;
            }
            Err(faults) => {
                bad += 1;
                for fault in &faults.0 {
                    writeln!(out, "{name}:{fault}")?;
                }
                writeln!(out, "{name}: {}", count(faults.0.len(), "fault"))?;
            }
        }
    }
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) })
}
