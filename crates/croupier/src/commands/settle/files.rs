//! Round files: run, then shown line by line with what came of each.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier_rounds::amount::{show, show_signed};
use croupier_rounds::{Action, Event, Fact, Report, RoundFile, run as run_file};
use croupier_rules::Library;
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::clause::ClauseIndex;
use croupier_rules::niu_niu::BoxWinner;
use croupier_rules::settle::End;
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
    let file = match RoundFile::parse(text) {
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
            for (line, error) in &report.errors {
                writeln!(out, "{name}:{line}: {error}")?;
            }
            // What a bad file expected is beside the point.
            for check in report.failures().filter(|_| ended == Ended::Failed) {
                let got = check.got.as_deref().unwrap_or_default();
                writeln!(out, "{name}:{}: expected {}, got {got}", check.line, check.expected)?;
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
    let shown: Vec<(String, &[Event])> = file
        .statements
        .iter()
        .zip(&report.events)
        .filter_map(|(statement, events)| match &statement.action {
            Some(Action::Title(title)) => Some((title.clone(), events.as_slice())),
            Some(Action::Proves(_) | Action::Game(_)) | None => None,
            Some(action) => Some((action.to_string(), events.as_slice())),
        })
        .collect();
    let width = shown.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(0).min(48);
    for (text, events) in shown {
        let said: Vec<String> = events.iter().filter_map(|event| describe(event, index)).collect();
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

/// An event in words with its clauses; nothing for what only matters to programs.
fn describe(event: &Event, index: &ClauseIndex) -> Option<String> {
    let what = match &event.fact {
        Fact::Opened | Fact::Set | Fact::Accepted { flagged: false } | Fact::Drawn { .. } => return None,
        Fact::Accepted { flagged: true } => "accepted outside the limits".to_string(),
        Fact::Refused(refusal) => format!("refused: {refusal}"),
        Fact::Points { player, banker, due } => {
            let due = match due {
                Some(Side::Player) => ", the Player's card is due",
                Some(Side::Banker) => ", the Banker's card is due",
                None => "",
            };
            format!("Player {player}, Banker {banker}{due}")
        }
        Fact::Offered { side, odds, .. } => format!("offers {} insurance at {odds}", side.key()),
        Fact::Result(outcome) => match outcome.winner() {
            Winner::Player => {
                format!("Player wins {}-{}", outcome.points(Side::Player), outcome.points(Side::Banker))
            }
            Winner::Banker => {
                format!("Banker wins {}-{}", outcome.points(Side::Banker), outcome.points(Side::Player))
            }
            Winner::Tie => format!("tie {0}-{0}", outcome.points(Side::Player)),
        },
        Fact::Void => "void: everything is returned".to_string(),
        Fact::Settled(settled) => {
            let end = match settled.end {
                End::Win => "wins",
                End::Lose => "loses",
                End::StandOff => "stands off",
                End::Returned => "is returned",
            };
            let back = match settled.end {
                End::Lose if settled.returned.is_positive() => format!(", {} back", show(settled.returned)),
                End::Win if settled.in_action < settled.returned => {
                    format!(" on {}", show(settled.in_action))
                }
                _ => String::new(),
            };
            match settled.end {
                End::Win | End::Lose => format!("{end} {}{back}", show_signed(settled.net())),
                End::StandOff | End::Returned => end.to_string(),
            }
        }
        Fact::Reserve(reserve) => {
            format!("Reserve {}: {} back", show_signed(-reserve.lost), show(reserve.returned))
        }
        Fact::Hand(category) => category.key().to_string(),
        Fact::Compared(BoxWinner::Player) => "beats the Dealer".to_string(),
        Fact::Compared(BoxWinner::Dealer) => "loses to the Dealer".to_string(),
        Fact::Called { call, cards } if call == cards => "the call is right".to_string(),
        Fact::Called { cards, .. } => format!("the call is wrong; the cards say {cards}"),
    };
    let ids: Vec<&str> = event.cites.iter().map(|basis| index.id(*basis)).collect();
    Some(if ids.is_empty() { what } else { format!("{what}  [{}]", ids.join(" ")) })
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
                    let net = match &event.fact {
                        Fact::Settled(settled) => Some(show_signed(settled.net())),
                        Fact::Reserve(reserve) => Some(show_signed(-reserve.lost)),
                        _ => None,
                    };
                    let says = index
                        .and_then(|index| describe(&Event { cites: Vec::new(), ..event.clone() }, index));
                    json!({ "says": says, "net": net, "clauses": clauses })
                })
                .collect();
            let action = statement.action.as_ref().map(ToString::to_string);
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
