//! A table as it is played: from its opening to the situation, and on to the next round.

use std::sync::Arc;

use croupier_explore::play::{World, due, prelude, rulings};
use croupier_table::{Action, Actor, Command, Event, Phase, Refusal, RulingMade, Table, apply, decide};

use crate::chance::Chance;

/// A command and what came of it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The table before it.
    pub before: Arc<Table>,
    /// Who did what.
    pub command: Command,
    /// What happened.
    pub events: Vec<Event>,
}

/// A table with everything that was done at it.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub(crate) table: Table,
    pub(crate) steps: Vec<Step>,
}

impl Walk {
    /// The table with everybody at it.
    pub(crate) fn start(world: &World) -> Self {
        let mut walk = Self { table: world.table(), steps: Vec::new() };
        for (actor, action) in prelude(world) {
            // Seats that the layout lacks stay empty.
            let _ = walk.give(actor, action);
        }
        walk
    }

    /// From a table on.
    pub(crate) fn at(table: Table) -> Self {
        Self { table, steps: Vec::new() }
    }

    pub(crate) fn give(&mut self, actor: Actor, action: Action) -> Result<&[Event], Refusal> {
        let command = Command { actor, at: 0, action };
        let events = decide(&self.table, &command)?;
        let before = Arc::new(self.table.clone());
        events.iter().for_each(|event| apply(&mut self.table, event));
        self.steps.push(Step { before, command, events });
        Ok(self.steps.last().map_or(&[], |step| step.events.as_slice()))
    }

    /// One of the things that are due; whether there was one.
    pub(crate) fn go_on(&mut self, world: &World, chance: &mut Chance) -> bool {
        let mut moves = due(world, &self.table);
        chance.shuffle(&mut moves);
        moves.into_iter().any(|(actor, action)| self.give(actor, action).is_ok())
    }

    /// A ruling by the lowest on duty who may make it.
    pub(crate) fn rule(&mut self, world: &World, made: &RulingMade) -> Result<(), Refusal> {
        let mut last = None;
        for staff in &world.staff {
            match self.give(Actor::Staff(*staff), Action::Rule(made.clone())) {
                Ok(_) => return Ok(()),
                Err(refusal) => last = Some(refusal),
            }
        }
        Err(last.unwrap_or_else(|| croupier_table::Why::CardUnread.into()))
    }

    /// On to the next round, whatever else comes up on the way; whether it got there.
    pub(crate) fn finish(&mut self, world: &World, round: u64, chance: &mut Chance) -> bool {
        const MOST: usize = 400;
        for _ in 0..MOST {
            let table = &self.table;
            let over = table.round.number > round && table.hold.is_none();
            if table.phase() == Phase::TableClosed || over && table.phase() == Phase::BetsOpen {
                return true;
            }
            if self.go_on_plainly(world, chance) {
                continue;
            }
            let made: Vec<RulingMade> = rulings(&self.table).into_iter().map(|(_, made)| made).collect();
            if table_waits(&self.table) && made.iter().any(|made| self.rule(world, made).is_ok()) {
                continue;
            }
            return false;
        }
        false
    }

    /// What is due, the plain way: no insurance is taken, and a window is not closed before all have answered.
    fn go_on_plainly(&mut self, world: &World, chance: &mut Chance) -> bool {
        let mut moves = due(world, &self.table);
        chance.shuffle(&mut moves);
        let late = |action: &Action| match self.table.phase() {
            Phase::OptionWindow => matches!(action, Action::CloseWindow),
            Phase::ShoeOption => matches!(action, Action::CloseShoeChoice),
            _ => matches!(action, Action::Insure { .. } | Action::AskSqueeze { .. }),
        };
        moves.sort_by_key(|(_, action)| late(action));
        moves.into_iter().any(|(actor, action)| self.give(actor, action).is_ok())
    }
}

fn table_waits(table: &Table) -> bool {
    table.phase() == Phase::OnHold
}
