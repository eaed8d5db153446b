//! Runs a round file: each action is done in turn at a real table, then every expectation is compared with
//! what happened.

mod check;
mod opening;
mod playing;
mod runner;

use croupier_rules::baccarat::Side;
use croupier_rules::clause::{Basis, ClauseIndex};
use croupier_rules::{Amount, Library, Rulebook};
use croupier_table::case::{self, CaseCommand, CaseEvent};
use croupier_table::{Command, Opening};

use crate::event::{Event, Fact};
use crate::file::{Action, Expectation, RoundFile};
use runner::Runner;
pub(crate) use runner::{member, ranked};

/// What came of a file: for every line of it what happened and which expectations held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// For each statement, in order, what happened because of it.
    pub events: Vec<Vec<Event>>,
    /// What a journal of the file would hold, in order; what was refused is not in it.
    pub steps: Vec<Step>,
    /// What `earlier` lines tell: a file that begins in the middle of a shoe. Nobody gave a command for it, so
    /// it is no part of the steps.
    pub earlier: Vec<croupier_table::Event>,
    /// The names of the players, by their number.
    pub names: Vec<String>,
    /// Every expectation, and every demand the file makes by itself (`proves`, a round finished).
    pub checks: Vec<Check>,
    /// What is wrong with the file itself: no such game, an unexpected refusal, a round left unfinished.
    pub errors: Vec<(usize, String)>,
}

/// Something that was done, with what happened because of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The table was opened.
    Opened(Opening),
    /// A command to the table.
    Table(Command, Vec<croupier_table::Event>),
    /// A dispute began.
    Disputed(case::Opening, Vec<CaseEvent>),
    /// A command to the dispute.
    Case(CaseCommand, Vec<CaseEvent>),
}

/// One expectation and whether it held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The line, from 1.
    pub line: usize,
    /// What was expected.
    pub expected: String,
    /// What came, if it was not that.
    pub got: Option<String>,
}

/// How the table stood after a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Standing {
    phase: String,
    board: String,
    squeezers: [Option<String>; 2],
    chips: Vec<(String, Amount)>,
    float: Amount,
    case: Option<String>,
    needs: Option<String>,
    /// The counts of the cards that people see, and whose card is next.
    points: (u8, u8),
    due: Option<Side>,
    drawn: bool,
}

impl Report {
    /// Whether all expectations held and nothing was wrong.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.errors.is_empty() && self.failures().next().is_none()
    }

    /// The expectations that did not hold.
    pub fn failures(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.got.is_some())
    }

    /// Everything cited anywhere in the file.
    pub fn cites(&self) -> impl Iterator<Item = Basis> {
        self.events.iter().flatten().flat_map(|event| event.cites.iter().copied())
    }
}

/// Runs a file under the rulebooks of a library.
#[must_use]
pub fn run(library: &Library, file: &RoundFile) -> Report {
    let mut report = Report {
        events: vec![Vec::new(); file.statements.len()],
        steps: Vec::new(),
        earlier: Vec::new(),
        names: Vec::new(),
        checks: Vec::new(),
        errors: Vec::new(),
    };
    let Some(id) = file.game() else {
        report.errors.push((1, "the file names no game; begin with `game ID`".to_string()));
        return report;
    };
    let Some((rulebook, game)) = library.find(id) else {
        let line =
            file.statements.iter().position(|statement| matches!(statement.action, Some(Action::Game(_))));
        let known: Vec<&str> = library.games().map(|game| game.id.as_str()).collect();
        let message = format!("there is no game `{id}`; there are {}", known.join(", "));
        report.errors.push((line.unwrap_or(0) + 1, message));
        return report;
    };
    report.errors.extend(misnamed(file, rulebook));
    let mut runner = Runner::new(rulebook, game, file);
    let mut standings = Vec::new();
    for (at, statement) in file.statements.iter().enumerate() {
        let Some(action) = &statement.action else {
            standings.push(Standing::default());
            continue;
        };
        let done = runner.line(at, action, &mut report.events);
        let mut standing = runner.standing();
        if let Err((refused, cites)) = done {
            let expected = statement.expect.iter().any(|expect| matches!(expect, Expectation::Refused(_)));
            if !expected {
                report.errors.push((at + 1, refused.to_string()));
            }
            standing.needs = runner.needs(&refused);
            if let Some(events) = report.events.get_mut(at) {
                events.push(Event { fact: Fact::Refused(refused), cites: once(cites) });
            }
        }
        standings.push(standing);
    }
    // After another error the round may be unfinished because of it.
    if report.errors.is_empty()
        && let Some(unfinished) = runner.unfinished()
    {
        report.errors.push((file.statements.len(), unfinished.to_string()));
    }
    report.names.clone_from(&runner.names);
    report.steps = runner.steps;
    report.earlier = runner.earlier;
    report.checks = check::checks(&rulebook.index, file, &report.events, &standings);
    report
}

/// Lines that cannot be meant: a second game, a player named like a rank of the staff.
fn misnamed(file: &RoundFile, rulebook: &Rulebook) -> Vec<(usize, String)> {
    let mut games = 0;
    let mut errors = Vec::new();
    for (at, statement) in file.statements.iter().enumerate() {
        let name = match &statement.action {
            Some(Action::Game(_)) => {
                games += 1;
                if games > 1 {
                    errors.push((at + 1, "a file is played under one game".to_string()));
                }
                continue;
            }
            Some(Action::Player { name, .. } | Action::Insure { player: name, .. }) => name,
            Some(Action::Bet(bet)) => &bet.player,
            Some(_) | None => continue,
        };
        if ranked(rulebook, name).is_some() {
            errors.push((at + 1, format!("`{name}` is a rank of the staff; name the player otherwise")));
        }
    }
    errors
}

/// What is rested on, named once.
fn once(cites: Vec<Basis>) -> Vec<Basis> {
    let mut seen = Vec::new();
    for basis in cites {
        if !seen.contains(&basis) {
            seen.push(basis);
        }
    }
    seen
}

/// The ids of what is cited, each once, in order.
pub(crate) fn cited_ids(index: &ClauseIndex, cites: impl Iterator<Item = Basis>) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for basis in cites {
        let id = index.id(basis);
        if !ids.iter().any(|known| known == id) {
            ids.push(id.to_string());
        }
    }
    ids
}
