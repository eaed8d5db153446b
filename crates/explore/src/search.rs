//! The exploration of one table: layer by layer, each with one deviation more than the one before.
//!
//! A layer is closed under what is due. Of the last one only the keys are kept, so that memory is bounded by the
//! layers before it. What a situation can come to is worked out backwards from where the next round begins.

mod look;

pub use look::prelude;

use std::collections::{BTreeSet, HashMap};

use croupier_rules::Irregularity;
use croupier_rules::irregularity::Ruling;
use croupier_table::event::Mark;
use croupier_table::{
    Action, Actor, Command, Event, Fact, Phase, Refusal, RulingMade, Staff, Table, apply, decide,
};

use crate::due::{self, Move};
use crate::facts;
use crate::finding::{Findings, Found, Kind};
use crate::form::{self, Key};
use crate::invariants;
use crate::world::World;

/// What the exploration of one table came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) states: u64,
    pub(crate) commands: u64,
    pub(crate) is_cut: bool,
    pub(crate) met: BTreeSet<Irregularity>,
    pub(crate) findings: Findings,
}

/// What may become of the first round from a situation on, and whether the next one can begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Ends(u8);

impl Ends {
    const NONE: Self = Self(0);
    const RESULT: Self = Self(1);
    const VOID: Self = Self(2);
    const FREE: Self = Self(4);
    const NEXT_ROUND: Self = Self(128);

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn goes_on(self) -> bool {
        self.0 & Self::NEXT_ROUND.0 != 0
    }

    /// How the first round may end.
    const fn marks(self) -> u8 {
        self.0 & 7
    }

    /// By an edge: where the round ends on it, what comes after is another round.
    const fn through(self, ended: Self) -> Self {
        if ended.0 == 0 { self } else { Self(self.0 & Self::NEXT_ROUND.0 | ended.0) }
    }
}

/// A situation that is kept, and how the table came to it.
struct Kept {
    table: Table,
    trail: usize,
}

/// A command, and the trail before it.
struct Trail {
    before: Option<usize>,
    command: Command,
    length: usize,
}

/// Where an edge leads.
#[derive(Clone, Copy)]
enum To {
    Known(Ends),
    New(usize),
}

/// A situation while its layer is being closed.
struct Fresh {
    table: Table,
    key: Key,
    /// The situation before it in this closure.
    before: Option<usize>,
    command: Command,
    length: usize,
    edges: Vec<(To, Ends)>,
    ends: Ends,
    /// Something was found that explains why it goes no further.
    explained: bool,
}

/// Where a closure starts: from which trail, by which command.
struct Seed {
    table: Table,
    trail: Option<usize>,
    command: Command,
}

/// The table after a command, the command, and what happened.
type Given = (Table, Command, Vec<Event>);

/// A report, what came of it, and what it amounts to.
type Told = (Action, Given, Irregularity);

/// How often progress is told.
const PULSE: u64 = 4_096;

pub(crate) struct Search<'w> {
    world: &'w World,
    limit: u64,
    tell: &'w dyn Fn(u64),
    told: u64,
    known: HashMap<Key, Ends>,
    trails: Vec<Trail>,
    outcome: Outcome,
}

impl<'w> Search<'w> {
    pub(crate) fn new(world: &'w World, limit: u64, tell: &'w dyn Fn(u64)) -> Self {
        let (known, trails) = (HashMap::new(), Vec::new());
        Self { world, limit, tell, told: 0, known, trails, outcome: Outcome::default() }
    }

    /// Explores the table with up to so many deviations.
    pub(crate) fn run(mut self, depth: u8) -> Outcome {
        let mut layer = self.start(depth > 0);
        if depth > 1 {
            self.orders(&layer);
        }
        for deviations in 1..=depth {
            let keep = deviations < depth;
            let mut next = Vec::new();
            layer.sort_by_key(|kept| self.trails.get(kept.trail).map_or(0, |trail| trail.length));
            for kept in std::mem::take(&mut layer) {
                if self.outcome.is_cut {
                    break;
                }
                next.extend(self.deviate(&kept, keep));
            }
            layer = next;
        }
        (self.tell)(self.outcome.states - self.told);
        self.outcome
    }

    /// The table is set up, and what is due from there on is the first layer.
    fn start(&mut self, keep: bool) -> Vec<Kept> {
        let mut table = self.world.table();
        let mut trail = None;
        let mut last = None;
        for (actor, action) in look::prelude(self.world) {
            if let Some(command) = last.take() {
                trail = Some(self.follow(trail, command));
            }
            if let Ok((after, command, _)) = self.give(&table, (actor, action)) {
                table = after;
                last = Some(command);
            }
        }
        let Some(command) = last else { return Vec::new() };
        self.close(Seed { table, trail, command }, keep)
    }

    fn follow(&mut self, before: Option<usize>, command: Command) -> usize {
        let length = before.and_then(|at| self.trails.get(at)).map_or(0, |trail| trail.length) + 1;
        self.trails.push(Trail { before, command, length });
        self.trails.len() - 1
    }

    /// Gives a command.
    fn give(&mut self, table: &Table, (actor, action): Move) -> Result<Given, Refusal> {
        let command = Command { actor, at: 0, action };
        self.outcome.commands += 1;
        let events = decide(table, &command)?;
        let mut after = table.clone();
        events.iter().for_each(|event| apply(&mut after, event));
        for event in &events {
            if let Fact::Irregular { irregularity, .. } = &event.fact {
                self.outcome.met.insert(*irregularity);
            }
        }
        Ok((after, command, events))
    }

    /// Everything that can go another way from a situation.
    fn deviate(&mut self, kept: &Kept, keep: bool) -> Vec<Kept> {
        let mut found = Vec::new();
        // A hand that follows the first is played by the rules.
        if kept.table.round.number > 1 && kept.table.round.closed.is_none() {
            return found;
        }
        for deviation in facts::deviations(self.world, &kept.table) {
            if self.outcome.is_cut {
                break;
            }
            match self.give(&kept.table, deviation.what.clone()) {
                Ok((table, command, events)) => {
                    let broken = invariants::check(&kept.table, &command, &events, &table);
                    for broken in broken {
                        self.add_after(kept.trail, &command, broken);
                    }
                    if !self.known.contains_key(&form::key(&table)) {
                        found.extend(self.close(Seed { table, trail: Some(kept.trail), command }, keep));
                    }
                }
                Err(refusal) if deviation.happened && refusal.code() != "already" => {
                    let (actor, action) = deviation.what;
                    let broken = look::refused(&kept.table, &action, &refusal);
                    self.add_after(kept.trail, &Command { actor, at: 0, action }, broken);
                }
                Err(_) => {}
            }
        }
        found
    }

    /// Everything that follows from a situation by what is due; what is new of it is kept, if it is to be.
    fn close(&mut self, seed: Seed, keep: bool) -> Vec<Kept> {
        let key = form::key(&seed.table);
        let length = seed.trail.and_then(|at| self.trails.get(at)).map_or(0, |trail| trail.length) + 1;
        let first = Fresh {
            table: seed.table,
            key,
            before: None,
            command: seed.command,
            length,
            edges: Vec::new(),
            ends: Ends::NONE,
            explained: false,
        };
        let mut fresh = vec![first];
        let mut places: HashMap<Key, usize> = HashMap::from([(key, 0)]);
        let mut at = 0;
        while at < fresh.len() {
            if self.outcome.states >= self.limit {
                self.outcome.is_cut = true;
                return Vec::new();
            }
            self.outcome.states += 1;
            if self.outcome.states - self.told >= PULSE {
                (self.tell)(self.outcome.states - self.told);
                self.told = self.outcome.states;
            }
            self.expand(&mut fresh, &mut places, at, seed.trail);
            at += 1;
        }
        settle_ends(&mut fresh);
        self.find_stuck(&fresh, seed.trail);
        self.known.extend(fresh.iter().map(|fresh| (fresh.key, fresh.ends)));
        if keep { self.keep(fresh, seed.trail) } else { Vec::new() }
    }

    /// What is due in a situation, and what it lacks.
    fn expand(
        &mut self,
        fresh: &mut Vec<Fresh>,
        places: &mut HashMap<Key, usize>,
        at: usize,
        trail: Option<usize>,
    ) {
        let table = fresh[at].table.clone();
        if is_next_round(&table) {
            fresh[at].ends = Ends::NEXT_ROUND;
            return;
        }
        let (steps, found) = self.steps(&table);
        fresh[at].explained = found.iter().any(|found| found.kind != Kind::Residual);
        for found in found {
            self.add(fresh, at, trail, found);
        }
        for (after, command, events) in steps {
            for broken in invariants::check(&table, &command, &events, &after) {
                self.add(fresh, at, trail, broken);
            }
            let ended = ended(&table, &events);
            let key = form::key(&after);
            let to = if let Some(ends) = self.known.get(&key) {
                To::Known(*ends)
            } else if let Some(place) = places.get(&key) {
                To::New(*place)
            } else {
                places.insert(key, fresh.len());
                let length = fresh[at].length + 1;
                let (edges, before) = (Vec::new(), Some(at));
                let ends = Ends::NONE;
                fresh.push(Fresh {
                    table: after,
                    key,
                    before,
                    command,
                    length,
                    edges,
                    ends,
                    explained: false,
                });
                To::New(fresh.len() - 1)
            };
            fresh[at].edges.push((to, ended));
        }
    }

    /// The steps that are accepted in a situation, and what is found there.
    fn steps(&mut self, table: &Table) -> (Vec<Given>, Vec<Found>) {
        let mut steps = Vec::new();
        for step in due::due(self.world, table) {
            steps.extend(self.give(table, step));
        }
        let mut found = Vec::new();
        if table.phase() == Phase::OnHold && steps.is_empty() {
            let mut held = look::Held::default();
            for (ruling, made) in due::rulings(table) {
                match self.rule(table, &ruling, &made, &mut found) {
                    Ok(step) => steps.push(step),
                    Err(refusals) => held.tried(&ruling, &refusals),
                }
            }
            found.extend(held.found(table, steps.is_empty()));
        }
        (steps, found)
    }

    /// A ruling by the lowest on duty who may make it. Whoever is just below must not be heard.
    fn rule(
        &mut self,
        table: &Table,
        ruling: &Ruling,
        made: &RulingMade,
        found: &mut Vec<Found>,
    ) -> Result<Given, Vec<Refusal>> {
        let rulebook = table.rulebook();
        let residual = table.setup.residual.map(|rank| rank.0);
        let needed = ruling.needs.and_then(|needs| rulebook.needed_rank(needs, residual));
        let level = needed.map_or(0, |needed| rulebook.level(needed));
        let staff = self.world.staff.iter().copied();
        let (below, above): (Vec<Staff>, Vec<Staff>) =
            staff.partition(|staff| rulebook.level(staff.rank.0) < level);
        let order = |staff: Staff| (Actor::Staff(staff), Action::Rule(made.clone()));
        let mut refusals = Vec::new();
        if let Some(lower) = below.last() {
            match self.give(table, order(*lower)) {
                Ok(_) => found.push(look::heard(table, ruling)),
                Err(refusal) => refusals.push(refusal),
            }
        }
        for staff in above {
            match self.give(table, order(staff)) {
                Ok(step) => return Ok(step),
                Err(refusal) => refusals.push(refusal),
            }
        }
        Err(refusals)
    }

    /// Situations that what is due does not lead out of.
    fn find_stuck(&mut self, fresh: &[Fresh], trail: Option<usize>) {
        // Whoever leads to one that is stuck itself need not be told again.
        let mut leads: Vec<bool> = fresh.iter().map(|fresh| fresh.explained).collect();
        for (at, one) in fresh.iter().enumerate() {
            if !one.ends.goes_on() && one.edges.is_empty() && !one.explained {
                leads[at] = true;
                self.add(fresh, at, trail, look::stuck(&one.table));
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (at, one) in fresh.iter().enumerate() {
                let told = |to: &To| match to {
                    To::Known(ends) => !ends.goes_on(),
                    To::New(place) => leads.get(*place).copied().unwrap_or(false),
                };
                if !leads[at] && one.edges.iter().any(|(to, _)| told(to)) {
                    leads[at] = true;
                    changed = true;
                }
            }
        }
        for (at, one) in fresh.iter().enumerate() {
            if !one.ends.goes_on() && !leads[at] {
                self.add(fresh, at, trail, look::circling(&one.table));
            }
        }
    }

    /// Which of two reports comes first must not decide what may become of the round.
    fn orders(&mut self, layer: &[Kept]) {
        let dealer = self.world.dealer();
        for kept in layer {
            let mut told = Vec::new();
            for report in facts::reports(self.world, &kept.table) {
                let report = Action::Report(report);
                let given = self.give(&kept.table, (dealer, report.clone())).ok();
                let raised = given.as_ref().and_then(|(.., events)| look::raised(events));
                told.extend(given.zip(raised).map(|(given, raised)| (report, given, raised)));
            }
            for (at, first) in told.iter().enumerate() {
                for second in told.iter().skip(at + 1) {
                    let (one, other) = (self.after(kept, first, second), self.after(kept, second, first));
                    if let (Some((last, ends)), Some((_, swapped))) = (one, other)
                        && ends.marks() != swapped.marks()
                    {
                        let found = look::disagree(&kept.table, [first.2, second.2]);
                        let trail = self.follow(Some(kept.trail), first.1.1.clone());
                        self.add_after(trail, &last, found);
                    }
                }
            }
        }
    }

    /// What may become of the round when a second thing is reported after the first; nothing if that amounts to
    /// something else by then.
    fn after(&mut self, kept: &Kept, first: &Told, second: &Told) -> Option<(Command, Ends)> {
        let (_, (table, command, events), _) = first;
        let (given, ends) = match ended(&kept.table, events) {
            Ends::NONE => {
                let step = self.give(table, (self.world.dealer(), second.0.clone())).ok()?;
                if look::raised(&step.2) != Some(second.2) {
                    return None;
                }
                let key = form::key(&step.0);
                if !self.known.contains_key(&key) {
                    let trail = Some(self.follow(Some(kept.trail), command.clone()));
                    self.close(Seed { table: step.0, trail, command: step.1.clone() }, false);
                }
                (step.1, self.known.get(&key)?.through(ended(table, &step.2)))
            }
            // What is reported of a round that is over changes nothing of it.
            over => (second.1.1.clone(), over),
        };
        Some((given, ends))
    }

    fn keep(&mut self, fresh: Vec<Fresh>, trail: Option<usize>) -> Vec<Kept> {
        let mut trails = Vec::with_capacity(fresh.len());
        let mut kept = Vec::with_capacity(fresh.len());
        for one in fresh {
            let before = one.before.and_then(|at| trails.get(at).copied()).or(trail);
            let own = self.follow(before, one.command);
            trails.push(own);
            kept.push(Kept { table: one.table, trail: own });
        }
        kept
    }

    fn add(&mut self, fresh: &[Fresh], at: usize, trail: Option<usize>, found: Found) {
        let Self { outcome, trails, world, .. } = self;
        let path = || {
            let mut commands = Vec::new();
            let mut next = Some(at);
            while let Some(one) = next.and_then(|at| fresh.get(at)) {
                commands.push(one.command.clone());
                next = one.before;
            }
            commands.extend(back(trails, trail));
            commands.reverse();
            commands
        };
        outcome.findings.add(found, &world.name, &world.opening, fresh[at].length, path);
    }

    /// Adds what shows with one more command after a trail.
    fn add_after(&mut self, trail: usize, command: &Command, found: Found) {
        let Self { outcome, trails, world, .. } = self;
        let length = trails.get(trail).map_or(0, |trail| trail.length) + 1;
        let path = || {
            let mut commands = vec![command.clone()];
            commands.extend(back(trails, Some(trail)));
            commands.reverse();
            commands
        };
        outcome.findings.add(found, &world.name, &world.opening, length, path);
    }
}

/// The commands of a trail, the last first.
fn back(trails: &[Trail], trail: Option<usize>) -> impl Iterator<Item = Command> {
    let last = trail.and_then(|at| trails.get(at));
    let before = |trail: &&Trail| trail.before.and_then(|at| trails.get(at));
    std::iter::successors(last, before).map(|trail| trail.command.clone())
}

/// The next round has begun: betting is open again.
fn is_next_round(table: &Table) -> bool {
    table.hold.is_none() && table.phase() == Phase::BetsOpen && table.round.number > 1
}

/// How the first round ended with these events, if it did.
fn ended(before: &Table, events: &[Event]) -> Ends {
    if before.round.number != 1 || before.round.closed.is_some() {
        return Ends::NONE;
    }
    let end = events.iter().find_map(|event| match &event.fact {
        Fact::RoundClosed { mark: Mark::Result(_) | Mark::Played, .. } => Some(Ends::RESULT),
        Fact::RoundClosed { mark: Mark::Free(_), .. } | Fact::BettingAbandoned => Some(Ends::FREE),
        Fact::RoundClosed { mark: Mark::Void, .. } => Some(Ends::VOID),
        _ => None,
    });
    end.unwrap_or(Ends::NONE)
}

/// What each situation can come to follows from where its edges lead.
fn settle_ends(fresh: &mut [Fresh]) {
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..fresh.len()).rev() {
            let mut ends = fresh[at].ends;
            for (to, ended) in &fresh[at].edges {
                let beyond = match to {
                    To::Known(ends) => *ends,
                    To::New(place) => fresh[*place].ends,
                };
                ends = ends.and(beyond.through(*ended));
            }
            changed |= ends != fresh[at].ends;
            fresh[at].ends = ends;
        }
    }
}
