//! Runs a round file: each action is done in turn at a real table, then every expectation is compared with
//! what happened.

mod check;
mod dispute;
mod hold;
mod opening;
mod playing;
mod ranks;
mod runner;

use croupier_rules::baccarat::Side;
use croupier_rules::clause::{Basis, ClauseIndex};
use croupier_rules::names::hint;
use croupier_rules::{Amount, Library, Rulebook};
use croupier_table::case::{self, CaseCommand, CaseEvent};
use croupier_table::{Command, Opening};

use crate::amount::Decimals;
use crate::event::{Event, Fact, Refused};
use crate::file::{Action, RoundFile, Statement};
pub(crate) use ranks::{member, misnamed_rank, of_others, ranked};
use runner::Runner;

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
    /// How many decimals the amounts of the file have.
    pub decimals: Decimals,
    /// Commission is owed until the shoe ends.
    pub owes_commission: bool,
    /// Every expectation, and every demand the file makes by itself (`proves`, a round finished).
    pub checks: Vec<Check>,
    /// What is wrong with the file itself: no such game, an unexpected refusal, a round left unfinished.
    pub errors: Vec<(usize, String)>,
    /// The only thing wrong with the file itself is that its last round is not finished.
    pub is_unfinished: bool,
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
    /// The line on which it showed, from 1: a wager's gain shows when it is settled. Behind the last line for what
    /// never came.
    pub shown: usize,
    /// It is a demand on the whole file (`proves`).
    pub whole_file: bool,
}

/// Something that is wrong with a file, or did not come as it expects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// What.
    pub message: String,
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
    /// The card that cannot be there, if one came on this line.
    foreign: Option<String>,
}

impl Report {
    /// Whether all expectations held and nothing was wrong.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.errors.is_empty() && self.failures().next().is_none()
    }

    /// What happened, in words for people, on the line that does `action`. Nothing for what only matters to programs,
    /// and nothing for what the table does beside the line by itself: the shoe that is made ready when the first
    /// round begins, the chips that are there as needed.
    #[must_use]
    pub fn tell(&self, event: &Event, action: Option<&Action>) -> Option<String> {
        event.fact.tell(action, &self.names, self.decimals, self.owes_commission)
    }

    /// The expectations that did not hold.
    pub fn failures(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.got.is_some())
    }

    /// Everything that is wrong, in the order in which it showed: what comes later may follow from what came first.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        // On one line a refusal comes first; an unfinished round is known after everything else.
        let rank = if self.is_unfinished { 2 } else { 0 };
        let errors = self
            .errors
            .iter()
            .map(|(line, message)| ((*line, rank), Problem { line: *line, message: message.clone() }));
        // What a refused line expected cannot have come, and a clause may be missing because of it.
        let refused =
            |line: usize| !self.is_unfinished && self.errors.iter().any(|(known, _)| *known == line);
        let counts = |check: &&Check| !refused(check.line) && (self.errors.is_empty() || !check.whole_file);
        let failures = self.failures().filter(counts).map(|check| {
            let got = check.got.as_deref().unwrap_or_default();
            let message = format!("expected {}, got {got}", check.expected);
            ((check.shown, 1), Problem { line: check.line, message })
        });
        let mut problems: Vec<((usize, u8), Problem)> = errors.chain(failures).collect();
        problems.sort_by_key(|(shown, _)| *shown);
        problems.into_iter().map(|(_, problem)| problem).collect()
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
        decimals: file.decimals(),
        owes_commission: false,
        checks: Vec::new(),
        errors: Vec::new(),
        is_unfinished: false,
    };
    let Some(id) = file.game() else {
        report.errors.push((1, "the file names no game; begin with `game ID`".to_string()));
        return report;
    };
    let Some((rulebook, game)) = library.find(id) else {
        let line =
            file.statements.iter().position(|statement| matches!(statement.action, Some(Action::Game(_))));
        let hint = hint(id, library.games().map(|game| game.id.as_str()));
        report.errors.push((line.unwrap_or(0) + 1, format!("there is no game `{id}`; {hint}")));
        return report;
    };
    report.errors.extend(misnamed(file, rulebook));
    let mut runner = Runner::new(library, rulebook, game, file);
    let mut standings = Vec::new();
    let mut unopened = false;
    for (at, statement) in file.statements.iter().enumerate() {
        let Some(action) = &statement.action else {
            standings.push(Standing::default());
            continue;
        };
        let done = runner.line(at, action, &mut report.events);
        let mut standing = runner.standing();
        standing.foreign = runner
            .cause
            .as_ref()
            .filter(|cause| cause.line == at + 1)
            .and_then(|cause| runner.foreign(cause));
        if let Err((refused, cites)) = done {
            // A table that cannot open is told once; every line that sets something answers for itself.
            let opens = runner.table.is_none() && refused_opening(&refused) && !sets(action);
            let told_before = opens && unopened;
            unopened |= opens;
            if !statement.expects_refusal() && !told_before {
                report.errors.push((at + 1, refused.to_string()));
            }
            standing.needs = runner.needs(&refused);
            if let Some(events) = report.events.get_mut(at) {
                events.push(Event { fact: Fact::Refused(refused), cites: once(cites), line: at + 1 });
            }
        }
        standings.push(standing);
    }
    // A file without a round must fit as well.
    if runner.table.is_none()
        && !unopened
        && let Err((refused, _)) = runner.ready(file.statements.len())
    {
        report.errors.push((file.statements.len(), refused.to_string()));
    }
    for (at, (refused, cites)) in core::mem::take(&mut runner.misfits) {
        if !file.statements.get(at).is_some_and(Statement::expects_refusal) {
            report.errors.push((at + 1, refused.to_string()));
        }
        if let Some(events) = report.events.get_mut(at) {
            *events = vec![Event { fact: Fact::Refused(refused), cites: once(cites), line: at + 1 }];
        }
    }
    report.errors.sort_by_key(|(line, _)| *line);
    // After another error the round may be unfinished because of it.
    if report.errors.is_empty()
        && let Some(Refused::Unfinished(words)) = runner.unfinished()
    {
        report.errors.push((file.statements.len(), format!("the last round is not finished: {words}")));
        report.is_unfinished = true;
    }
    report.names.clone_from(&runner.names);
    report.owes_commission = runner.table.as_ref().is_some_and(|table| table.setup.commission_at_shoe_end);
    report.steps = runner.steps;
    report.earlier = runner.earlier;
    report.checks = check::checks(&rulebook.index, file, &report.events, &standings);
    report
}

/// Whether the table itself could not open.
const fn sets(action: &Action) -> bool {
    matches!(
        action,
        Action::Setting { .. }
            | Action::Layout(_)
            | Action::Version(_)
            | Action::Date(_)
            | Action::Player { .. }
            | Action::TableByHand
    )
}

fn refused_opening(refused: &Refused) -> bool {
    matches!(refused, Refused::Setting(_))
}

/// Lines that cannot be meant: a second game or currency, a player named like a rank of the staff.
fn misnamed(file: &RoundFile, rulebook: &Rulebook) -> Vec<(usize, String)> {
    let mut games = 0;
    let mut currencies = 0;
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
            Some(Action::Currency { .. }) => {
                currencies += 1;
                if currencies > 1 {
                    errors.push((at + 1, "the amounts of a file are in one currency".to_string()));
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
