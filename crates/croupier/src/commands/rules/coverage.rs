//! `croupier rules coverage`.

use std::io::Write;
use std::process::ExitCode;

use croupier_rounds::coverage::{Coverage, Evidence};
use croupier_rules::Library;
use serde_json::json;

use super::Format;
use crate::commands::{count, print_table, table};

/// Runs all scenarios and proofs and prints what they prove.
pub(super) fn run(library: &Library, format: Format, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let evidence = Evidence::standard(library);
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
    let complete = evidence.failures.is_empty() && books.iter().all(|book| book.missing.is_empty());
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn text(out: &mut dyn Write, evidence: &Evidence, books: &[Coverage]) -> anyhow::Result<()> {
    let mut list = table(["rulebook", "clauses", "table lines", "executable", "proved", "missing"]);
    let mut row = |name: &str, [clauses, lines, executable, proved]: [usize; 4]| {
        let numbers =
            [clauses, lines, executable, proved, executable - proved].map(|number| number.to_string());
        list.add_row(std::iter::once(name.to_string()).chain(numbers));
    };
    let mut sums = [0; 4];
    for book in books {
        let numbers = [book.clauses, book.table_lines, book.executable, book.proved];
        row(&book.rulebook, numbers);
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
    }
    row("all", sums);
    print_table(out, &list)?;
    for book in books.iter().filter(|book| !book.missing.is_empty()) {
        writeln!(out, "\n{} still misses: {}", book.rulebook, book.missing.join(", "))?;
    }
    for (what, why) in &evidence.failures {
        writeln!(out, "\nfailed, so it proves nothing: {what}: {why}")?;
    }
    writeln!(out, "\n{} ran.", count(evidence.scenarios, "scenario"))?;
    Ok(())
}
