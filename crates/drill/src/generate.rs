//! Situations are dealt, not written: a table of the rulebook, wagers, cards and people by chance, played through the
//! real table up to the moment that is asked about.

use std::sync::Arc;

use croupier_cards::{Card, Composition, Decks};
use croupier_explore::play::{World, deviations, due};
use croupier_explore::{Scope, ScopeFault};
use croupier_rules::setting::Setting;
use croupier_rules::settle::End;
use croupier_rules::{Amount, Family, Game, Irregularity, Rulebook};
use croupier_table::{Action, Actor, Event, Fact, Phase, Place, Rank, Table, decide};

use crate::chance::Chance;
use crate::route;
use crate::situation::Situation;
use crate::topic::{Topic, Work};
use crate::walk::Walk;

/// Deals the situations of a game.
#[derive(Clone, Debug)]
pub struct Generator {
    pub(crate) rulebook: Arc<Rulebook>,
    pub(crate) game: Game,
    worlds: Vec<World>,
}

/// What the situations are to be about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Only this.
    pub topic: Option<Topic>,
    /// Who is asked; one of those on duty if not said.
    pub rank: Option<Rank>,
}

/// The most players at a drill.
const PLAYERS: u8 = 4;
/// How often another table is dealt before a topic is given up.
const ATTEMPTS: u64 = 400;
/// The most steps of a table before it comes to what is asked about.
const STEPS: usize = 90;
/// Stakes, in the smallest chip that tables of drills have.
const STAKES: [i64; 14] = [10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 250, 500, 1_000];
/// Stakes where limits are tried.
const WILD: [i64; 8] = [5, 10, 50, 800, 1_000, 2_500, 6_000, 9_000];
const CHIP: i64 = 100;

impl Generator {
    /// The tables of a game.
    ///
    /// # Errors
    /// [`ScopeFault`] if no table can be opened under the rulebook.
    pub fn new(rulebook: &Arc<Rulebook>, game: &Game) -> Result<Self, ScopeFault> {
        let mut worlds = Vec::new();
        for players in 1..=PLAYERS {
            worlds.extend(World::all(rulebook, game, &Scope { players, ..Scope::default() })?);
        }
        Ok(Self { rulebook: Arc::clone(rulebook), game: game.clone(), worlds })
    }

    /// The rulebook of the game.
    #[must_use]
    pub fn rulebook(&self) -> &Arc<Rulebook> {
        &self.rulebook
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What there is to be drilled: the regular work of the game, and whatever its rulebook rules by name.
    #[must_use]
    pub fn topics(&self) -> Vec<Topic> {
        let has = |setting| self.rulebook.setting(setting).is_some();
        let packets = self.rulebook.family.in_packets();
        let work = Work::ALL.into_iter().filter(|work| match work {
            Work::ThirdCards => !packets,
            Work::Payouts => true,
            Work::Insurance => self.game.insurance.is_some(),
            Work::ProRata => self.game.limits.pro_rata.is_some() && has(Setting::LimitsAtEntry),
            Work::Squeeze => has(Setting::Squeeze),
            Work::Ranking => packets,
        });
        let irregularities = self.rulebook.irregularities.iter().map(|rule| rule.irregularity);
        work.map(Topic::Work).chain(irregularities.map(Topic::Irregularity)).collect()
    }

    /// The situation of a seed; nothing if what is wanted does not come up at the tables of drills.
    #[must_use]
    pub fn situation(&self, seed: u64, wanted: &Wanted) -> Option<Situation> {
        let chance = Chance::new(seed);
        let topics = self.topics();
        for attempt in 0..ATTEMPTS {
            let mut chance = chance.fork(attempt);
            // A topic that does not come up soon makes way for another, unless it is asked for.
            let topic = wanted.topic.or_else(|| chance.fork(attempt / 40).pick(&topics).copied())?;
            if let Some(found) = self.deal(seed, topic, wanted.rank, &mut chance) {
                return Some(found);
            }
        }
        None
    }

    fn deal(&self, seed: u64, topic: Topic, rank: Option<Rank>, chance: &mut Chance) -> Option<Situation> {
        let fits = |world: &&World| match topic {
            Topic::Work(Work::ProRata) => world.outside && world.players.len() > 1,
            Topic::Work(Work::Squeeze) => world.setup.squeeze && !world.wagers.is_empty(),
            Topic::Work(_) => !world.outside && !world.wagers.is_empty(),
            Topic::Irregularity(irregularity) => route::fits(irregularity, world),
        };
        let worlds: Vec<&World> = self.worlds.iter().filter(fits).collect();
        let mut world = (*chance.pick(&worlds)?).clone();
        world.orders = Arc::new(vec![order(&world, chance)?]);
        self.staff(&mut world, rank, chance);
        let given = world.wagers.clone();
        let laid = given.is_empty() || chance.one_in(4) || route::as_laid(topic);
        if !laid {
            world.wagers.clear();
        }
        let mut walk = Walk::start(&world);
        let skipped = if matches!(topic, Topic::Irregularity(_)) { chance.below(30) } else { 0 };
        let mut silent = usize::from(chance.one_in(3)) + usize::from(chance.one_in(6));
        for at in 0..STEPS {
            if walk.table.phase() == Phase::BetsOpen
                && walk.table.round.number == 1
                && world.wagers.is_empty()
                && !laid
            {
                self.wagers(&mut world, &walk.table, &given, chance);
            }
            if let Some(found) = self.stop(seed, (topic, rank), &world, &walk, at >= skipped, chance) {
                return Some(found);
            }
            if route::lead(topic, &world, &mut walk, chance) {
                continue;
            }
            let odd = matches!(topic, Topic::Irregularity(_)) && silent > 0 && chance.one_in(8);
            if odd && go_astray(&world, &mut walk, chance) {
                silent -= 1;
                continue;
            }
            if walk.table.hold.is_some() || !walk.go_on(&world, chance) {
                return None;
            }
        }
        None
    }

    /// Who is there: everybody, or some are missing; never the lowest and the highest, and not who is asked.
    fn staff(&self, world: &mut World, rank: Option<Rank>, chance: &mut Chance) {
        let last = world.staff.len().saturating_sub(1);
        let kept = world.staff.iter().enumerate().filter(|(at, staff)| {
            let stays = *at == 0 || *at == last || rank == Some(staff.rank);
            !chance.one_in(5) || stays
        });
        world.staff = kept.map(|(_, staff)| *staff).collect();
    }

    /// Wagers by chance, as far as the table takes them.
    fn wagers(&self, world: &mut World, table: &Table, given: &[Place], chance: &mut Chance) {
        let stakes: &[i64] = if world.outside { &WILD } else { &STAKES };
        let mut trial = Walk::at(table.clone());
        let mut tried: Vec<Place> = Vec::new();
        for place in given {
            let by = if self.rulebook.family.by_box() { chance.below(20) } else { 0 };
            let times = i64::try_from(by).unwrap_or(0) + 1;
            let scaled = |amount: Amount| Amount::new(amount.minor() * times).unwrap_or(amount);
            let reserve = place.reserve.map(scaled);
            let stake = match self.rulebook.family {
                Family::Baccarat => stake(stakes, chance),
                Family::NiuNiu => scaled(place.amount),
            };
            tried.push(Place { amount: stake, reserve, ..*place });
        }
        let sides: Vec<usize> = (0..self.game.bets.len())
            .filter(|at| self.game.bets.get(*at).is_some_and(|bet| bet.main.is_some()))
            .collect();
        for place in &mut tried {
            let is_main = self.game.bets.get(place.bet).is_some_and(|bet| bet.main.is_some());
            if is_main && !sides.is_empty() && !chance.one_in(3) {
                place.bet = chance.pick(&sides).copied().unwrap_or(place.bet);
            }
        }
        for player in world.players.clone() {
            let area = self.rulebook.family.by_box().then(|| u8::try_from(player.0).unwrap_or(1));
            for bet in 0..self.game.bets.len() {
                if chance.one_in(5) && !sides.contains(&bet) {
                    let amount = stake(stakes, chance);
                    let own =
                        Place { player, bet, amount, area, reserve: None, in_chips: true, untimed: false };
                    tried.push(own);
                }
            }
        }
        for place in tried {
            let known = |other: &Place| (other.player, other.bet) == (place.player, place.bet);
            if !world.wagers.iter().any(known)
                && trial.give(Actor::Player(place.player), Action::Place(place)).is_ok()
            {
                world.wagers.push(place);
            }
        }
    }

    /// The situation, if the table has come to one.
    fn stop(
        &self,
        seed: u64,
        (topic, rank): (Topic, Option<Rank>),
        world: &World,
        walk: &Walk,
        ready: bool,
        chance: &mut Chance,
    ) -> Option<Situation> {
        match topic {
            Topic::Work(work) => {
                let stops = self.comes_to(work, walk);
                stops
                    .then(|| {
                        Situation::at(seed, self, topic, world.clone(), walk.clone(), None, rank, chance)
                    })
                    .flatten()
            }
            Topic::Irregularity(wanted) => {
                let (raised, before) = raise(world, walk, wanted, ready, chance)?;
                Situation::at(seed, self, topic, world.clone(), raised, Some(before), rank, chance)
            }
        }
    }

    /// Whether the table stands where that work is done.
    fn comes_to(&self, work: Work, walk: &Walk) -> bool {
        let table = &walk.table;
        let last = || walk.steps.last().map_or(&[][..], |step| step.events.as_slice());
        let wagers = || table.round.wagers.iter().filter(|laid| laid.ended.is_none()).count();
        match work {
            Work::ThirdCards => last().iter().any(|event| matches!(event.fact, Fact::Totals { .. })),
            Work::Payouts => table.phase() == Phase::Result && wagers() > 0,
            Work::Insurance => last().iter().any(|event| matches!(event.fact, Fact::InsuranceOffered { .. })),
            Work::ProRata => table.phase() == Phase::Result && self.is_cut(walk),
            Work::Squeeze => {
                let closed = last().iter().any(|event| matches!(event.fact, Fact::BetsClosed { .. }));
                closed && table.round.squeezers.iter().any(Option::is_some)
            }
            Work::Ranking => table.phase() == Phase::Result && !table.round.boxes.hands.is_empty(),
        }
    }

    /// Whether a wager would be settled for less than lies there.
    fn is_cut(&self, walk: &Walk) -> bool {
        let mut trial = Walk::at(walk.table.clone());
        let dealer = walk.table.staff.first().copied().map_or(Actor::System, Actor::Staff);
        let Ok(events) = trial.give(dealer, Action::Settle) else { return false };
        events.iter().any(|event| match &event.fact {
            Fact::WagerEnded { settled, .. } => {
                settled.end != End::Returned && settled.returned.is_positive() && settled.end == End::Lose
                    || settled.end == End::Win && settled.in_action < settled.returned
            }
            _ => false,
        })
    }
}

fn stake(stakes: &[i64], chance: &mut Chance) -> Amount {
    let chips = chance.pick(stakes).copied().unwrap_or(10);
    Amount::new(chips * CHIP).unwrap_or(Amount::ZERO)
}

/// The cards of the round, as many as any round can take, out of a full shoe.
fn order(world: &World, chance: &mut Chance) -> Option<Vec<Card>> {
    let decks = Decks::new(world.setup.decks).ok()?;
    let mut cards: Vec<Card> = Composition::of_decks(decks).cards().collect();
    chance.shuffle(&mut cards);
    if !world.setup.family().in_packets() {
        cards.truncate(24);
    }
    Some(cards)
}

/// Something happens besides what is due, and nobody has to rule on it.
fn go_astray(world: &World, walk: &mut Walk, chance: &mut Chance) -> bool {
    let mut all = deviations(world, &walk.table);
    chance.shuffle(&mut all);
    for deviation in all.into_iter().take(12) {
        let mut next = walk.clone();
        let (actor, action) = deviation.what;
        if next.give(actor, action).is_ok()
            && next.table.hold.is_none()
            && next.table.phase() != Phase::TableClosed
        {
            *walk = next;
            return true;
        }
    }
    false
}

/// The table once what is wanted has come up on it, and how many steps led to that.
fn raise(
    world: &World,
    walk: &Walk,
    wanted: Irregularity,
    ready: bool,
    chance: &mut Chance,
) -> Option<(Walk, usize)> {
    let mut moves: Vec<(Actor, Action)> = if ready {
        deviations(world, &walk.table).into_iter().map(|deviation| deviation.what).collect()
    } else {
        Vec::new()
    };
    moves.extend(due(world, &walk.table));
    chance.shuffle(&mut moves);
    for (actor, action) in moves {
        let command = croupier_table::Command { actor, at: 0, action };
        let Ok(events) = decide(&walk.table, &command) else { continue };
        if !events.iter().any(|event| is_irregular(event, None)) && !next_is_told(&walk.table, &events) {
            continue;
        }
        let mut next = walk.clone();
        if next.give(actor, command.action).is_err() {
            continue;
        }
        // Where a surplus card lies is told before anything is ruled.
        while next.table.phase() == Phase::OnHold && next.go_on(world, chance) {}
        let told = next.steps.iter().skip(walk.steps.len()).flat_map(|step| &step.events);
        let on_hold = next.table.hold.as_ref().map(|hold| hold.irregularity);
        let raised = match on_hold {
            Some(irregularity) => irregularity == wanted,
            None => told.clone().any(|event| is_irregular(event, Some(wanted))),
        };
        if raised {
            return Some((next, walk.steps.len()));
        }
    }
    None
}

fn is_irregular(event: &Event, wanted: Option<Irregularity>) -> bool {
    matches!(&event.fact, Fact::Irregular { irregularity, .. } if wanted.is_none_or(|wanted| wanted == *irregularity))
}

/// A card that waits for its place holds play before it is known what it amounts to.
fn next_is_told(table: &Table, events: &[Event]) -> bool {
    table.hold.is_none() && events.iter().any(|event| matches!(event.fact, Fact::SurplusDrawn { .. }))
}
