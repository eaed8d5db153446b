//! `croupier rules coverage`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use croupier_rounds::coverage::{Coverage, Evidence};
use croupier_rounds::scenarios::Scenario;
use croupier_rules::Library;
use serde_json::json;

use super::Format;
use crate::commands::{count, print_table, table};

/// Runs all scenarios and proofs, with those of a folder, and prints what they prove.
pub(super) fn run(
    library: &Library,
    own: Option<&Path>,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let mut files = Vec::new();
    if let Some(folder) = own {
        find(folder, &mut files).with_context(|| format!("cannot read {}", folder.display()))?;
        anyhow::ensure!(!files.is_empty(), "there is no file with the ending .round in {}", folder.display());
    }
    files.sort();
    let mut evidence = Evidence::standard(library);
    for path in files {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
        evidence.run(library, &name, &Scenario { path: &name, text: &text });
    }
    let books: Vec<Coverage> = library.rulebooks().iter().map(|book| evidence.coverage(book)).collect();
    match format {
        Format::Json => {
            let rulebooks: Vec<_> = books
                .iter()
                .map(|book| {
                    json!({
                        "rulebook": book.rulebook,
                        "clauses": book.clauses,
                        "table_lines": book.table_lines,
                        "executable": book.executable,
                        "proved": book.proved,
                        "missing": book.missing,
                        "readings": book.readings,
                        "readings_proved": book.readings - book.missing_readings.len(),
                        "missing_readings": book.missing_readings,
                    })
                })
                .collect();
            let failures: Vec<_> =
                evidence.failures.iter().map(|(what, why)| json!({ "what": what, "why": why })).collect();
            serde_json::to_writer_pretty(
                &mut *out,
                &json!({ "rulebooks": rulebooks, "failures": failures }),
            )?;
            writeln!(out)?;
        }
        Format::Text => text(out, &evidence, &books)?,
    }
    let complete = evidence.failures.is_empty() && books.iter().all(Coverage::is_complete);
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The round files of a folder and those in it.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "round") {
            files.push(path);
        }
    }
    Ok(())
}

fn text(out: &mut dyn Write, evidence: &Evidence, books: &[Coverage]) -> anyhow::Result<()> {
    let heads = [
        "rulebook",
        "clauses",
        "table lines",
        "executable",
        "proved",
        "missing",
        "readings",
        "proved",
        "missing",
    ];
    let mut list = table(heads);
    let mut row = |name: &str, [clauses, lines, executable, proved, readings, read]: [usize; 6]| {
        let numbers =
            [clauses, lines, executable, proved, executable - proved, readings, read, readings - read];
        list.add_row(std::iter::once(name.to_string()).chain(numbers.map(|number| number.to_string())));
    };
    let mut sums = [0; 6];
    for book in books {
        let read = book.readings - book.missing_readings.len();
        let numbers = [book.clauses, book.table_lines, book.executable, book.proved, book.readings, read];
        row(&book.rulebook, numbers);
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
    }
    row("all", sums);
    print_table(out, &list)?;
    for book in books.iter().filter(|book| !book.is_complete()) {
        let missing: Vec<&str> =
            book.missing.iter().chain(&book.missing_readings).map(String::as_str).collect();
        writeln!(out, "\n{} still misses: {}", book.rulebook, missing.join(", "))?;
    }
    for (what, why) in &evidence.failures {
        writeln!(out, "\nfailed, so it proves nothing: {what}: {why}")?;
    }
    writeln!(out, "\n{} ran.", count(evidence.scenarios, "scenario"))?;
    Ok(())
}
