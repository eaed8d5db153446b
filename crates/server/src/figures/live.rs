//! What a table comes to while it plays: it follows the lines that are durable, as the views do, and nothing is scanned.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use croupier_journal::By;
use croupier_table::{Event, Fact, PersonId, Table};

use super::count::Figures;

/// What is known of a table beside its state.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// The figures since the last gaming day was closed.
    pub figures: Figures,
    /// How it stands.
    pub standing: Standing,
    /// What was counted before the server started is in the figures.
    pub is_whole: bool,
}

/// Since when people are there and play is stopped.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Who is on duty at the table, each since when in milliseconds.
    pub staff: BTreeMap<PersonId, u64>,
    /// What play is stopped by, from the last that came.
    pub held: Option<Held>,
    /// What lies on the table.
    pub stake: i64,
}

/// A stop of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// Since when, in milliseconds.
    pub since: u64,
    /// By whose report, or by whose act it was found.
    pub by: By,
}

impl Standing {
    /// Looks at an event before it is applied.
    pub fn before(&mut self, at: u64, by: By, fact: &Fact) {
        match fact {
            Fact::SignedOn(staff) => {
                self.staff.entry(staff.person).or_insert(at);
            }
            Fact::SignedOff(person) => {
                self.staff.remove(person);
            }
            Fact::Irregular { .. } => self.held = Some(Held { since: at, by }),
            _ => {}
        }
    }

    /// Looks at the table after the events of a command.
    pub fn after(&mut self, table: &Table) {
        if table.hold.is_none() {
            self.held = None;
        }
        self.staff.retain(|person, _| table.staff.iter().any(|staff| staff.person == *person));
    }
}

/// What the pit is shown of a table, beside its views.
#[derive(Debug, Default)]
pub struct Live {
    counted: Mutex<Counted>,
}

impl Live {
    /// Of a table that has just been opened: nothing was counted before.
    #[must_use]
    pub fn of_new_table() -> Self {
        Self { counted: Mutex::new(Counted { is_whole: true, ..Counted::default() }) }
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        // Every change is an addition that is whole.
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows the events of a durable command while they are applied.
    pub(crate) fn follow(
        &self,
        table: &mut Table,
        (at, by): (u64, By),
        events: &[Event],
        mut apply: impl FnMut(&mut Table, &Event),
    ) {
        let mut counted = self.counted();
        for event in events {
            counted.figures.count(table, at, &event.fact);
            counted.standing.before(at, by, &event.fact);
            apply(table, event);
        }
        counted.standing.after(table);
    }

    /// Says what lies on the table now.
    pub(crate) fn lies(&self, table: &Table) {
        let open = match table.round.closed {
            None => table.round.open().map(|(_, laid)| laid.stake.minor()).sum(),
            Some(_) => 0,
        };
        self.counted().standing.stake = open;
    }

    /// Adds what was counted of the lines before those that are followed.
    pub(crate) fn complete(&self, before: Counted) {
        let mut counted = self.counted();
        counted.figures.add(&before.figures);
        for (person, since) in before.standing.staff {
            counted.standing.staff.entry(person).or_insert(since);
        }
        if counted.standing.held.is_none() {
            counted.standing.held = before.standing.held;
        }
        counted.is_whole = true;
    }

    /// A gaming day was closed, and this belongs to it.
    pub(crate) fn close(&self, day: &Figures) {
        self.counted().figures.take_away(day);
    }

    /// What was counted up to now.
    #[must_use]
    pub fn now(&self) -> Counted {
        self.counted().clone()
    }
}
