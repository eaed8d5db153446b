//! One situation: the table up to it, what is asked about it, and what comes of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use croupier_explore::play::{World, rulings};
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::ShoeFate;
use croupier_rules::settle::{Settled, SettledReserve};
use croupier_rules::{Amount, Game, Remedy, Rulebook};
use croupier_table::{Action, Actor, Event, Fact, Phase, PlayerId, Rank, RulingMade, Staff, Table, Views};

use crate::chance::Chance;
use crate::generate::Generator;
use crate::question::{self, Part};
use crate::topic::Topic;
use crate::walk::{Step, Walk};

/// What the next hand is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Next {
    /// A round as any other.
    Regular,
    /// A Free Hand.
    Free,
    /// The players choose between this shoe and a new one.
    ShoeChoice,
    /// The shoe may be replaced first.
    MayReplace,
    /// No round before the shoe is replaced.
    Replace,
    /// The shoe is over.
    ShoeEnd,
}

impl Next {
    /// All of it.
    pub const ALL: [Self; 6] =
        [Self::Regular, Self::Free, Self::ShoeChoice, Self::MayReplace, Self::Replace, Self::ShoeEnd];

    pub(crate) fn of(table: &Table) -> Self {
        match (table.phase(), table.shoe.fate) {
            (Phase::ShoeOption, _) => Self::ShoeChoice,
            (_, ShoeFate::Replace) => Self::Replace,
            (Phase::ShoeEnd, _) => Self::ShoeEnd,
            (_, ShoeFate::MayReplace) => Self::MayReplace,
            _ if table.next.free || table.phase() == Phase::FreeHand => Self::Free,
            _ => Self::Regular,
        }
    }
}

/// A wager that a situation is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Concerned {
    /// Its place among the wagers of the round, or among the insurances.
    pub at: usize,
    /// It is an insurance.
    pub insurance: bool,
    /// Whose.
    pub player: PlayerId,
    /// The bet; of an insurance its line.
    pub bet: usize,
    /// The area or box.
    pub area: Option<u8>,
    /// How much lies there.
    pub stake: Amount,
}

/// What became of a situation.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was done and what happened, up to the next round.
    pub steps: Vec<Step>,
    /// How many of these steps lie in the round itself.
    pub within: usize,
    /// What each wager concerned won or lost.
    pub nets: Vec<Option<Amount>>,
    /// How each ended.
    pub ends: Vec<Option<(Settled, Option<SettledReserve>)>>,
    /// The next hand.
    pub next: Next,
    /// The table came to its next round.
    pub complete: bool,
}

/// What another ruling would have led to.
#[derive(Clone, Debug)]
pub enum Would {
    /// The table refuses it; in words, and on what that rests.
    Refused(String, Vec<Basis>),
    /// It may be ruled too, and comes to this.
    Led(Box<Outcome>),
}

/// A situation, its questions and its answer key.
#[derive(Clone, Debug)]
pub struct Situation {
    /// What it was made from.
    pub seed: u64,
    /// What it is about.
    pub topic: Topic,
    /// The rulebook.
    pub rulebook: Arc<Rulebook>,
    /// Which of its games.
    pub game: Game,
    /// What the table was opened with, and who is there.
    pub world: World,
    /// Who is asked.
    pub asked: Staff,
    /// Everything that was done.
    pub steps: Vec<Step>,
    /// How much of that is shown as it lies; what comes after is told.
    pub shown: usize,
    /// The table now.
    pub table: Table,
    /// The ruling that the questions after it are about.
    pub ruled: Option<RulingMade>,
    /// The wagers concerned.
    pub wagers: Vec<Concerned>,
    /// What came of it.
    pub outcome: Outcome,
    /// The questions with their answers.
    pub parts: Vec<Part>,
    chance: Chance,
}

impl Situation {
    #[expect(clippy::too_many_arguments, reason = "what a situation is made of, before there is one")]
    pub(crate) fn at(
        seed: u64,
        generator: &Generator,
        topic: Topic,
        world: World,
        walk: Walk,
        before: Option<usize>,
        rank: Option<Rank>,
        chance: &mut Chance,
    ) -> Option<Self> {
        let shown = before.unwrap_or(walk.steps.len());
        let of_rank = |wanted: Rank| world.staff.iter().find(|staff| staff.rank == wanted).copied();
        let asked = rank.map_or_else(|| chance.pick(&world.staff).copied(), of_rank)?;
        let table = walk.table;
        let base = walk.steps.get(shown).map_or_else(|| table.clone(), |step| (*step.before).clone());
        let wagers = concerned(&base);
        let own = chance.fork(7);
        let ruled = ruling(&table, &world, chance);
        let since = walk.steps.get(shown..).unwrap_or_default().to_vec();
        let outcome = carry(
            &world,
            &table,
            base.round.number,
            base.round.closed.is_some(),
            &since,
            &wagers,
            ruled.as_ref(),
            own.clone(),
        );
        let mut situation = Self {
            seed,
            topic,
            rulebook: Arc::clone(&generator.rulebook),
            game: generator.game.clone(),
            world,
            asked,
            steps: walk.steps,
            shown,
            table,
            ruled,
            wagers,
            outcome,
            parts: Vec::new(),
            chance: own,
        };
        situation.parts = question::parts(&situation, chance);
        (!situation.parts.is_empty()).then_some(situation)
    }

    /// The table as it is shown.
    #[must_use]
    pub fn base(&self) -> &Table {
        self.steps.get(self.shown).map_or(&self.table, |step| &step.before)
    }

    /// What everybody there sees of it.
    #[must_use]
    pub fn views(&self) -> Views {
        Views::new(self.base())
    }

    /// What happened on top of what is shown.
    #[must_use]
    pub fn happened(&self) -> &[Step] {
        self.steps.get(self.shown..).unwrap_or_default()
    }

    /// What is told of how the round went on, before it is asked what became of it.
    pub fn follows(&self) -> impl Iterator<Item = &Step> {
        // The ruling was told already, and who may make it is asked.
        let told =
            self.outcome.steps.iter().take(self.outcome.within).skip(usize::from(self.ruled.is_some()));
        told.filter(|step| !matches!(step.command.action, Action::Settle))
    }

    /// Everything from what happened to the end of the round, with what it rests on.
    pub fn explanation(&self) -> impl Iterator<Item = &Event> {
        let after = self.outcome.steps.iter().take(self.outcome.within);
        self.happened().iter().chain(after).flat_map(|step| &step.events)
    }

    /// Every clause that the engine cited for it.
    #[must_use]
    pub fn clauses(&self) -> Vec<Basis> {
        let mut all: Vec<Basis> = self.explanation().flat_map(|event| event.cites.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What the clauses are that it drills: those of what went wrong and of its ruling, or of the work.
    #[must_use]
    pub fn drilled(&self) -> Vec<Basis> {
        let mut all: Vec<Basis> = Vec::new();
        for event in self.explanation() {
            let counts = match self.topic {
                Topic::Irregularity(_) => matches!(event.fact, Fact::Irregular { .. } | Fact::Ruled { .. }),
                Topic::Work(_) => !event.cites.is_empty(),
            };
            all.extend(event.cites.iter().filter(|_| counts));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What a ruling would have led to, made by whoever stands highest.
    #[must_use]
    pub fn would(&self, remedy: Remedy, withdrawal: bool) -> Would {
        let named = rulings(&self.table)
            .into_iter()
            .find(|(ruling, made)| made.remedy == remedy && ruling.withdrawal.is_some() == withdrawal);
        let made = named.map_or_else(|| RulingMade::plain(remedy, withdrawal), |(_, made)| made);
        let mut trial = Walk::at(self.table.clone());
        match trial.rule(&self.world, &made) {
            Err(refusal) => {
                let names = crate::words::names(self.world.players.len());
                let said = croupier_rounds::telling::refusal(&refusal.why, &self.rulebook, &names);
                Would::Refused(said, refusal.cites)
            }
            Ok(()) => {
                let base = self.base();
                let (round, over) = (base.round.number, base.round.closed.is_some());
                let outcome = carry(
                    &self.world,
                    &self.table,
                    round,
                    over,
                    self.happened(),
                    &self.wagers,
                    Some(&made),
                    self.chance.clone(),
                );
                Would::Led(Box::new(outcome))
            }
        }
    }
}

/// The wagers that lie there, and the insurances.
pub(crate) fn concerned(table: &Table) -> Vec<Concerned> {
    if table.round.closed.is_some() {
        return Vec::new();
    }
    let open = table.round.wagers.iter().enumerate().filter(|(_, laid)| laid.ended.is_none());
    let wagers = open.map(|(at, laid)| Concerned {
        at,
        insurance: false,
        player: laid.player,
        bet: laid.bet,
        area: laid.area,
        stake: laid.stake,
    });
    let open = table.round.insurances.iter().enumerate().filter(|(_, laid)| laid.ended.is_none());
    let insurances = open.map(|(at, laid)| Concerned {
        at,
        insurance: true,
        player: laid.player,
        bet: laid.line,
        area: None,
        stake: laid.stake,
    });
    wagers.chain(insurances).collect()
}

/// One of the rulings that somebody on duty may make.
fn ruling(table: &Table, world: &World, chance: &mut Chance) -> Option<RulingMade> {
    if table.phase() != Phase::OnHold {
        return None;
    }
    let mut all: Vec<RulingMade> = rulings(table).into_iter().map(|(_, made)| made).collect();
    chance.shuffle(&mut all);
    all.into_iter().find(|made| Walk::at(table.clone()).rule(world, made).is_ok())
}

/// Plays a table on to its next round.
#[expect(clippy::too_many_arguments, reason = "what a situation is made of, before there is one")]
fn carry(
    world: &World,
    table: &Table,
    round: u64,
    over: bool,
    since: &[Step],
    wagers: &[Concerned],
    ruled: Option<&RulingMade>,
    mut chance: Chance,
) -> Outcome {
    let mut walk = Walk::at(table.clone());
    if let Some(made) = ruled {
        // It was tried before.
        let _ = walk.rule(world, made);
    }
    let complete = walk.finish(world, round, &mut chance);
    let after = |at: usize| walk.steps.get(at + 1).map_or(&walk.table, |step| &*step.before);
    let is_end = |at: usize, step: &Step| {
        let closes = |event: &Event| matches!(event.fact, Fact::RoundClosed { .. } | Fact::BettingAbandoned);
        let now = after(at);
        step.events.iter().any(closes) || now.round.number > round || over && now.hold.is_none()
    };
    let closed_before = since.iter().any(|step| {
        step.events
            .iter()
            .any(|event| matches!(event.fact, Fact::RoundClosed { .. } | Fact::BettingAbandoned))
    });
    let end = if closed_before && table.hold.is_none() {
        None
    } else {
        walk.steps.iter().enumerate().position(|(at, step)| is_end(at, step))
    };
    let next = Next::of(end.map_or(table, |at| after(at)));
    let within = end.map_or(0, |at| at + 1);
    let mut ended: BTreeMap<(bool, usize), (Settled, Option<SettledReserve>)> = BTreeMap::new();
    for event in since.iter().chain(walk.steps.iter().take(within)).flat_map(|step| &step.events) {
        match &event.fact {
            Fact::WagerEnded { wager, settled, reserve } => {
                ended.insert((false, *wager), (settled.clone(), reserve.clone()));
            }
            Fact::InsuranceEnded { insurance, settled } => {
                ended.insert((true, *insurance), (settled.clone(), None));
            }
            _ => {}
        }
    }
    let ends: Vec<_> = wagers.iter().map(|wager| ended.get(&(wager.insurance, wager.at)).cloned()).collect();
    let net = |end: &Option<(Settled, Option<SettledReserve>)>| {
        end.as_ref().map(|(settled, reserve)| {
            settled.net() - reserve.as_ref().map_or(Amount::ZERO, |reserve| reserve.lost)
        })
    };
    let nets = ends.iter().map(net).collect();
    Outcome { steps: walk.steps, within, nets, ends, next, complete }
}

/// The staff member as an actor.
pub(crate) fn actor(staff: Staff) -> Actor {
    Actor::Staff(staff)
}
