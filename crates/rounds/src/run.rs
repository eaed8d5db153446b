//! Runs a round file: each action is done in turn, then every expectation is compared with what happened.

mod baccarat;
mod check;
mod niu_niu;
mod table;

use std::collections::BTreeSet;

use croupier_rules::clause::{Basis, ClauseIndex};
use croupier_rules::{Family, Library, Rulebook};

use crate::event::{Event, Fact, Refusal};
use crate::file::{Action, Expectation, RoundFile};
use table::Table;

/// What came of a file: for every line of it what happened and which expectations held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// For each statement, in order, what happened because of it.
    pub events: Vec<Vec<Event>>,
    /// Every expectation, and every demand the file makes by itself (`proves`, a round finished).
    pub checks: Vec<Check>,
    /// What is wrong with the file itself: no such game, an unexpected refusal, a round left unfinished.
    pub errors: Vec<(usize, String)>,
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
    let mut report =
        Report { events: vec![Vec::new(); file.statements.len()], checks: Vec::new(), errors: Vec::new() };
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
    let mut table = Table::new(rulebook, game);
    let mut playing: Box<dyn Playing<'_> + '_> = match rulebook.family {
        Family::Baccarat => Box::new(baccarat::Rounds::default()),
        Family::NiuNiu => Box::new(niu_niu::Rounds::default()),
    };
    for (at, statement) in file.statements.iter().enumerate() {
        let Some(action) = &statement.action else { continue };
        let mut log = Log { at, events: &mut report.events };
        let done = match action {
            Action::Round => begin_round(&mut table, playing.as_mut()),
            _ => table.act(&mut log, action).unwrap_or_else(|| playing.act(&mut table, &mut log, action)),
        };
        if let Err((refusal, cites)) = done {
            let expected = statement.expect.iter().any(|expect| matches!(expect, Expectation::Refused(_)));
            if !expected {
                report.errors.push((at + 1, refusal.to_string()));
            }
            log.note(Fact::Refused(refusal), cites);
        }
    }
    // After another error the round may be unfinished because of it.
    if report.errors.is_empty()
        && let Some((refusal, _)) = playing.unfinished()
    {
        report.errors.push((file.statements.len(), refusal.to_string()));
    }
    report.checks = check::checks(&rulebook.index, file, &report.events);
    report
}

/// Lines that cannot be meant: a second game, a player named like a rank of the staff.
fn misnamed(file: &RoundFile, rulebook: &Rulebook) -> Vec<(usize, String)> {
    let mut games = 0;
    let mut errors = Vec::new();
    for (at, statement) in file.statements.iter().enumerate() {
        match &statement.action {
            Some(Action::Game(_)) => {
                games += 1;
                if games > 1 {
                    errors.push((at + 1, "a file is played under one game".to_string()));
                }
            }
            Some(
                Action::Player { name, .. }
                | Action::Bet { player: name, .. }
                | Action::Insure { player: name, .. },
            ) if rulebook.ranks.iter().any(|rank| rank.id == *name) => {
                errors.push((at + 1, format!("`{name}` is a rank of the staff; name the player otherwise")));
            }
            _ => {}
        }
    }
    errors
}

/// The result of doing an action: refused, with what that rests on.
type Done = Result<(), (Refusal, Vec<Basis>)>;

/// The rounds of one family of games.
trait Playing<'g> {
    /// Does an action of a round.
    fn act(&mut self, table: &mut Table<'g>, log: &mut Log<'_>, action: &Action) -> Done;

    /// Begins a round; the one before is over.
    fn open_round(&mut self);

    /// Why the last round is not over, if it is not.
    fn unfinished(&self) -> Option<(Refusal, Vec<Basis>)>;
}

/// A round begins when the one before is over and the table's settings stand.
fn begin_round<'g>(table: &mut Table<'g>, playing: &mut (dyn Playing<'g> + '_)) -> Done {
    match playing.unfinished() {
        Some(unfinished) => Err(unfinished),
        None => table.begin().map(|()| playing.open_round()),
    }
}

/// Where events go: to the line that acts, or to the line of a wager settled later.
struct Log<'r> {
    at: usize,
    events: &'r mut [Vec<Event>],
}

impl Log<'_> {
    fn note(&mut self, fact: Fact, cites: Vec<Basis>) {
        self.note_at(self.at, fact, cites);
    }

    /// Notes what happened; what it rests on is named once.
    fn note_at(&mut self, at: usize, fact: Fact, mut cites: Vec<Basis>) {
        let mut seen = BTreeSet::new();
        cites.retain(|basis| seen.insert(*basis));
        if let Some(events) = self.events.get_mut(at) {
            events.push(Event { fact, cites });
        }
    }
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
