//! Round files: run, then shown line by line with what came of each.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier_rounds::{Action, Event, Report, RoundFile, run as run_file};
use croupier_rules::Library;
use croupier_rules::clause::ClauseIndex;
use serde_json::json;

use crate::commands::count;
use crate::commands::rules::Format;

/// How much to show, and how.
pub(super) struct Show {
    pub(super) quiet: bool,
    pub(super) format: Format,
}

/// How a file ended, worst last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ended {
    Passed,
    Failed,
    Bad,
}

/// Runs each file; every file is run, whatever came of the others.
pub(super) fn run(
    library: &Library,
    files: &[PathBuf],
    how: &Show,
    out: &mut dyn Write,
    input: &mut dyn BufRead,
) -> anyhow::Result<ExitCode> {
    let mut ends = Vec::new();
    for path in files {
        let name = path.display();
        ends.push(match read(path, input) {
            Ok(text) => one(library, &name.to_string(), &text, how, out)?,
            Err(error) => {
                writeln!(out, "{name}: cannot be read: {error}")?;
                Ended::Bad
            }
        });
    }
    if files.len() > 1 && how.format == Format::Text {
        let count = |end: Ended| ends.iter().filter(|known| **known == end).count();
        let (passed, failed, bad) = (count(Ended::Passed), count(Ended::Failed), count(Ended::Bad));
        writeln!(out, "{} files: {passed} passed, {failed} failed, {bad} bad", files.len())?;
    }
    Ok(match ends.into_iter().max() {
        None | Some(Ended::Passed) => ExitCode::SUCCESS,
        Some(Ended::Failed) => ExitCode::from(1),
        Some(Ended::Bad) => ExitCode::from(2),
    })
}

fn read(path: &Path, input: &mut dyn BufRead) -> std::io::Result<String> {
    if path != Path::new("-") {
        return std::fs::read_to_string(path);
    }
    let mut text = String::new();
    input.read_to_string(&mut text)?;
    Ok(text)
}

fn one(library: &Library, name: &str, text: &str, how: &Show, out: &mut dyn Write) -> anyhow::Result<Ended> {
    let file = match RoundFile::parse_under(text, library) {
        Ok(file) => file,
        Err(faults) => {
            let lines: Vec<String> = faults.iter().map(|fault| format!("{name}:{fault}")).collect();
            match how.format {
                Format::Text => writeln!(out, "{}", lines.join("\n"))?,
                Format::Json => {
                    serde_json::to_writer(
                        &mut *out,
                        &json!({ "file": name, "status": "bad", "errors": lines }),
                    )?;
                    writeln!(out)?;
                }
            }
            return Ok(Ended::Bad);
        }
    };
    let report = run_file(library, &file);
    let ended = match (report.errors.is_empty(), report.passed()) {
        (false, _) => Ended::Bad,
        (true, false) => Ended::Failed,
        (true, true) => Ended::Passed,
    };
    let index = file.game().and_then(|id| library.find(id)).map(|(rulebook, _)| &rulebook.index);
    match how.format {
        Format::Json => {
            serde_json::to_writer(&mut *out, &report_json(name, &file, &report, index, ended))?;
            writeln!(out)?;
        }
        Format::Text => {
            // A bad file settles nothing: its money is not shown.
            if let Some(index) = index.filter(|_| !how.quiet && ended != Ended::Bad) {
                lines(&file, &report, index, out)?;
            }
            for problem in report.problems() {
                writeln!(out, "{name}:{}: {}", problem.line, problem.message)?;
            }
            if ended == Ended::Passed && !how.quiet {
                writeln!(out, "{name}: passed, {} held", count(report.checks.len(), "expectation"))?;
            }
        }
    }
    Ok(ended)
}

/// Every line that did something, with what came of it and the clauses.
fn lines(file: &RoundFile, report: &Report, index: &ClauseIndex, out: &mut dyn Write) -> anyhow::Result<()> {
    let shown: Vec<(String, Option<&Action>, &[Event])> = file
        .statements
        .iter()
        .zip(&report.events)
        .filter_map(|(statement, events)| match &statement.action {
            Some(Action::Title(title)) => Some((title.clone(), None, events.as_slice())),
            Some(Action::Proves(_) | Action::Game(_)) | None => None,
            Some(action) => Some((action.text(report.decimals), Some(action), events.as_slice())),
        })
        .collect();
    let width = shown.iter().map(|(text, ..)| text.chars().count()).max().unwrap_or(0).min(48);
    for (text, action, events) in shown {
        let tell = |event: &Event| report.tell(event, action);
        let said: Vec<String> =
            events.iter().filter_map(|event| Some(with_clauses(tell(event)?, event, index))).collect();
        match said.split_first() {
            None => writeln!(out, "{text}")?,
            Some((first, rest)) => {
                writeln!(out, "{text:width$}  {first}")?;
                for more in rest {
                    writeln!(out, "{:width$}  {more}", "")?;
                }
            }
        }
    }
    Ok(())
}

/// What happened, with its clauses.
fn with_clauses(what: String, event: &Event, index: &ClauseIndex) -> String {
    let ids: Vec<&str> = event.cites.iter().map(|basis| index.id(*basis)).collect();
    if ids.is_empty() { what } else { format!("{what}  [{}]", ids.join(" ")) }
}

fn report_json(
    name: &str,
    file: &RoundFile,
    report: &Report,
    index: Option<&ClauseIndex>,
    ended: Ended,
) -> serde_json::Value {
    let status = match ended {
        Ended::Passed => "passed",
        Ended::Failed => "failed",
        Ended::Bad => "bad",
    };
    let lines: Vec<_> = file
        .statements
        .iter()
        .zip(&report.events)
        .enumerate()
        .filter(|(_, (statement, _))| statement.action.is_some() && ended != Ended::Bad)
        .map(|(at, (statement, events))| {
            let events: Vec<_> = events
                .iter()
                .map(|event| {
                    let clauses: Vec<&str> =
                        event.cites.iter().filter_map(|basis| index.map(|index| index.id(*basis))).collect();
                    // Decimal text as in all JSON: what people read has a plus and commas.
                    let plain = |text: String| text.trim_start_matches('+').replace(',', "");
                    let net =
                        event.fact.settled().map(|settled| plain(report.decimals.show_signed(settled.net())));
                    let says = report.tell(event, statement.action.as_ref());
                    json!({ "says": says, "net": net, "clauses": clauses })
                })
                .collect();
            let action = statement.action.as_ref().map(|action| action.text(report.decimals));
            json!({ "line": at + 1, "action": action, "events": events })
        })
        .collect();
    let failures: Vec<_> = report
        .failures()
        .map(|check| json!({ "line": check.line, "expected": check.expected, "got": check.got }))
        .collect();
    let errors: Vec<_> =
        report.errors.iter().map(|(line, error)| json!({ "line": line, "message": error })).collect();
    json!({
        "file": name, "status": status, "expectations": report.checks.len(),
        "failures": failures, "errors": errors, "lines": lines,
    })
}
