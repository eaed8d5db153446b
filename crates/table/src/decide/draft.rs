//! The events of a decision while it is made, and the table as it would be after them.

use croupier_rules::Rule;
use croupier_rules::clause::Basis;

use crate::actor::Actor;
use crate::apply::apply;
use crate::event::{Event, Fact};
use crate::refusal::{Refusal, Why};
use crate::table::Table;

/// Whether something may be done as the table stands, and if not, why and by which rules. The views ask it for what
/// they offer and `decide` before anything happens, so that one is what the other accepts.
pub(crate) type Checked = Result<(), Against>;

/// What stands against something.
pub(crate) enum Against {
    /// A reason, resting on these rules.
    Why(Why, &'static [Rule]),
    /// It is not done now; this comes first.
    NotNow(&'static str),
    /// It is not done now; what the table waits for comes first.
    Next,
}

impl From<Why> for Against {
    fn from(why: Why) -> Self {
        Self::Why(why, &[])
    }
}

/// Events that are not applied yet. A copy of the table is made only if somebody has to look ahead.
pub(crate) struct Draft<'a> {
    base: &'a Table,
    scratch: Option<Box<Table>>,
    applied: usize,
    events: Vec<Event>,
    /// Who gave the command.
    pub(crate) actor: Actor,
    /// What the power rests on that the command needs.
    pub(crate) granted: Vec<Basis>,
    /// Cards are out that may find their place once everything else has happened.
    pub(crate) follows: bool,
    /// Cards that are out are put on record: what goes wrong by them is no report.
    pub(crate) found: bool,
    /// A second person stands behind it: what follows from it needs no other.
    pub(crate) confirmed: bool,
    /// The cards were put in order: those that are out and wait lie right too.
    pub(crate) rebuilt: bool,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(base: &'a Table, actor: Actor, granted: Vec<Basis>) -> Self {
        Self {
            base,
            scratch: None,
            applied: 0,
            events: Vec::new(),
            actor,
            granted,
            follows: false,
            found: false,
            confirmed: false,
            rebuilt: false,
        }
    }

    /// The table before the command.
    pub(crate) fn base(&self) -> &'a Table {
        self.base
    }

    /// Whether a card is asked for: software that deals asks, and may be told to wait. Cards that lie on a layout are
    /// reported, and are out whatever the answer.
    pub(crate) fn is_asked(&self) -> bool {
        self.actor == Actor::System || self.base.shoe.commitment.is_some()
    }

    /// The table as it is after the events so far.
    pub(crate) fn now(&mut self) -> &Table {
        if self.events.is_empty() {
            return self.base;
        }
        let scratch = self.scratch.get_or_insert_with(|| Box::new(self.base.clone()));
        for event in self.events.iter().skip(self.applied) {
            apply(scratch, event);
        }
        self.applied = self.events.len();
        scratch
    }

    /// So many events are about to come.
    pub(crate) fn expect(&mut self, events: usize) {
        self.events.reserve(events);
    }

    /// Something happens, resting on these clauses.
    pub(crate) fn emit(&mut self, fact: Fact, cites: &[Basis]) {
        self.events.push(Event { fact, cites: cites.to_vec() });
    }

    /// The same, with clauses that nobody else needs.
    pub(crate) fn emit_with(&mut self, fact: Fact, cites: Vec<Basis>) {
        self.events.push(Event { fact, cites });
    }

    /// Something happens, resting on rules of the engine.
    pub(crate) fn emit_by(&mut self, fact: Fact, rules: &[Rule]) {
        let cites = self.cites(rules);
        self.events.push(Event { fact, cites });
    }

    /// What rules of the engine rest on, each clause once.
    pub(crate) fn cites(&self, rules: &[Rule]) -> Vec<Basis> {
        let mut cites: Vec<Basis> = Vec::new();
        for basis in rules.iter().flat_map(|rule| self.base.game().cites(*rule)) {
            if !cites.contains(basis) {
                cites.push(*basis);
            }
        }
        cites
    }

    /// Goes on, or refuses with what the rules rest on.
    pub(crate) fn pass(&self, checked: Checked) -> Result<(), Refusal> {
        let phase = || self.base.phase();
        match checked {
            Ok(()) => Ok(()),
            Err(Against::Why(Why::ShoeLocked, _)) => Err(super::wagers::locked(self)),
            Err(Against::Why(why, rules)) => self.refuse(why, rules),
            Err(Against::NotNow(instead)) => Err(Why::NotNow { phase: phase(), instead }.into()),
            Err(Against::Next) => Err(super::next::not_now(self.base).into()),
        }
    }

    /// A refusal that rests on rules of the engine.
    pub(crate) fn refuse<T>(&self, why: Why, rules: &[Rule]) -> Result<T, Refusal> {
        Err(Refusal { why, cites: self.cites(rules) })
    }

    /// The events, each with every clause once.
    pub(crate) fn into_events(mut self) -> Vec<Event> {
        for event in &mut self.events {
            let mut at = 1;
            while let Some(basis) = event.cites.get(at) {
                if event.cites.iter().take(at).any(|known| known == basis) {
                    event.cites.remove(at);
                } else {
                    at += 1;
                }
            }
        }
        self.events
    }
}
