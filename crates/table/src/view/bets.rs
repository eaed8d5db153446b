//! What a player may lay and take back now, with bounds: limits, steps, chips, the float, areas, boxes.

use croupier_rules::Amount;
use croupier_rules::entry::Together;

use crate::actor::PlayerId;
use crate::decide::wagers;
use crate::setup::Setup;
use crate::table::{Laid, Player, Stage, Table};

/// From the smallest to the largest, in whole steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Bounds {
    /// The smallest.
    pub from: Amount,
    /// The largest; a whole number of steps above the smallest.
    pub to: Amount,
    /// The step.
    pub step: Amount,
}

impl Bounds {
    /// Whole steps up to so much.
    pub(super) fn up_to(most: i128, step: i64) -> Option<Self> {
        Self::within(1, i64::try_from(most.min(i128::from(Amount::MAX.minor()))).ok()?, 0, step)
    }

    /// Amounts from `low` to `high` that are `offset` short of a whole multiple of `step`.
    pub(super) fn within(low: i64, high: i64, offset: i64, step: i64) -> Option<Self> {
        let step = step.max(1);
        let low = low.max(1);
        if high < low {
            return None;
        }
        let from = low
            + match over(low + offset, step) {
                0 => 0,
                over => step - over,
            };
        let to = high - over(high + offset, step);
        if from > to {
            return None;
        }
        Some(Self { from: Amount::new(from)?, to: Amount::new(to)?, step: Amount::new(step)? })
    }
}

/// What is left over after whole steps; short division where it will do, because bounds are worked out for
/// every bet with every wager.
fn over(value: i64, step: i64) -> i64 {
    match (u32::try_from(value), u32::try_from(step)) {
        (Ok(value), Ok(step)) if step > 0 => i64::from(value % step),
        _ => value.rem_euclid(step),
    }
}

/// A bet that may be laid or raised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlaceOffer {
    /// The place of the bet on the menu.
    pub bet: usize,
    /// The box, in Niu Niu.
    pub box_number: Option<u8>,
    /// What may be added.
    pub add: Bounds,
    /// The Reserve goes on top: this many times the amount.
    pub reserve_times: u32,
}

/// A wager that may be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TakeBackOffer {
    /// The place of the bet on the menu.
    pub bet: usize,
    /// The box, in Niu Niu.
    pub box_number: Option<u8>,
    /// All of it, where that is allowed.
    pub all: Option<Amount>,
    /// A part of it.
    pub part: Option<Bounds>,
}

/// What does not change while a table is open: the menu with its limits as numbers.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    bets: Vec<Line>,
    chip: i64,
    by_box: bool,
    accepts_outside_limits: bool,
    /// No bet depends on another.
    independent: bool,
    /// The float that makes every bet safe to its maximum, beyond what is laid already.
    ample: i128,
}

#[derive(Clone, Debug)]
struct Line {
    minimum: i64,
    /// Where wagers stop being in action.
    maximum: i64,
    step: i64,
    reserve_times: u32,
}

/// What the float still covers of each bet: the least and the most that may be added to what is in action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Room {
    /// Nothing is bounded by the float.
    ample: bool,
    bets: Vec<Option<(i64, i64)>>,
}

impl Room {
    /// Works it out anew; says whether anything changed.
    pub(super) fn refresh(&mut self, table: &Table, menu: &Menu) -> bool {
        let cover = &table.setup.cover;
        let slack = cover.slack(&table.round.liability, table.float);
        if slack >= menu.ample {
            let changed = !self.ample;
            self.ample = true;
            self.bets.clear();
            return changed;
        }
        let mut changed = self.ample || self.bets.len() != menu.bets.len();
        self.ample = false;
        self.bets.resize(menu.bets.len(), None);
        for (bet, known) in self.bets.iter_mut().enumerate() {
            let room = cover.room(&table.round.liability, bet, table.float);
            changed |= room != *known;
            *known = room;
        }
        changed
    }

    fn of(&self, bet: usize) -> Option<(i64, i64)> {
        if self.ample { Some((0, i64::MAX)) } else { self.bets.get(bet).copied().flatten() }
    }
}

impl Menu {
    /// The smallest chip.
    pub(super) fn chip(&self) -> i64 {
        self.chip
    }

    pub(super) fn of(setup: &Setup) -> Self {
        let game = setup.game();
        let terms = &setup.terms;
        let bets: Vec<Line> = game
            .bets
            .iter()
            .enumerate()
            .map(|(at, bet)| {
                let limit = terms.limit(at);
                Line {
                    minimum: limit.minimum.map_or(1, Amount::minor),
                    maximum: limit.maximum.unwrap_or(Amount::MAX).minor(),
                    step: limit.step.unwrap_or(terms.chip).minor(),
                    reserve_times: bet.reserve.as_ref().map_or(0, |reserve| reserve.times),
                }
            })
            .collect();
        let needs = |(at, line): (usize, &Line)| setup.cover.worst_for(at, line.maximum);
        Self {
            chip: terms.chip.minor(),
            by_box: setup.by_box(),
            accepts_outside_limits: setup.accepts_outside_limits,
            independent: setup.together().is_free(),
            ample: bets.iter().enumerate().map(needs).max().unwrap_or(0),
            bets,
        }
    }

    fn place(&self, bet: usize, held: Held<'_>, chips: i64, room: &Room) -> Option<Bounds> {
        let line = self.bets.get(bet)?;
        let before = held.on(bet).unwrap_or(0);
        let (low, high) = held.room(bet)?;
        let (least, most) = room.of(bet)?;
        let mut from = low - before;
        let mut to = high.min(Amount::MAX.minor()) - before;
        if !self.accepts_outside_limits {
            from = from.max(line.minimum - before);
            to = to.min(line.maximum - before);
        }
        to = match line.reserve_times {
            0 => to.min(chips),
            times => to.min(chips / (1 + i64::from(times))),
        };
        // Only what is in action costs the house anything.
        let in_action = line.maximum - before.min(line.maximum);
        if most < in_action {
            to = to.min(most);
        }
        if least > in_action {
            return None;
        }
        Bounds::within(from.max(least), to, before, line.step)
    }

    fn take_back(&self, bet: usize, held: Held<'_>) -> (Option<Amount>, Option<Bounds>) {
        let Some(line) = self.bets.get(bet) else { return (None, None) };
        let stake = held.on(bet).unwrap_or(0);
        let all = if held.can_go(bet) { Amount::new(stake) } else { None };
        let part = held.room(bet).and_then(|(low, high)| {
            let (low, high) = if self.accepts_outside_limits {
                (low, high)
            } else {
                (low.max(line.minimum), high.min(line.maximum))
            };
            // What is left lies within the limits, and in steps.
            let left = Bounds::within(low, high.min(stake - 1), 0, line.step)?;
            Some(Bounds {
                from: Amount::new(stake - left.to.minor())?,
                to: Amount::new(stake - left.from.minor())?,
                step: left.step,
            })
        });
        let whole = |bounds: &Bounds| bounds.from.minor() % self.chip == 0;
        (all.filter(|all| all.minor() % self.chip == 0), part.filter(whole))
    }
}

/// What one player has on each bet, on one box or in all; and how that ties the bets to each other, where it does.
#[derive(Clone, Copy)]
struct Held<'a> {
    stakes: &'a [i64],
    ties: Option<&'a Together<'a>>,
}

impl Held<'_> {
    fn on(self, bet: usize) -> Option<i64> {
        self.stakes.get(bet).copied().filter(|stake| *stake > 0)
    }

    /// The stakes of a bet that can lie beside the others; nothing if none can.
    fn room(self, bet: usize) -> Option<(i64, i64)> {
        self.ties.map_or(Some((1, i64::MAX)), |ties| ties.room(bet, |at| self.on(at)))
    }

    /// Whether the others can lie without this bet.
    fn can_go(self, bet: usize) -> bool {
        self.ties.is_none_or(|ties| ties.lie_without(bet, |at| self.on(at)))
    }
}

/// Works out what one player may lay and take back.
pub(super) fn offers(
    table: &Table,
    player: &Player,
    menu: &Menu,
    room: &Room,
    held: &mut Vec<i64>,
    place: &mut Vec<PlaceOffer>,
    take_back: &mut Vec<TakeBackOffer>,
) {
    place.clear();
    take_back.clear();
    let altered = matches!(table.stage, Stage::Betting { .. }) || wagers::asked_gap(table).is_some();
    if table.hold.is_some() || !altered {
        return;
    }
    if menu.by_box {
        for number in 1..=table.setup.seats {
            in_area(table, player, menu, room, held, place, take_back, Some(number));
        }
    } else {
        in_area(table, player, menu, room, held, place, take_back, None);
    }
}

#[expect(clippy::too_many_arguments, reason = "the buffers are kept from one command to the next")]
fn in_area(
    table: &Table,
    player: &Player,
    menu: &Menu,
    room: &Room,
    held: &mut Vec<i64>,
    place: &mut Vec<PlaceOffer>,
    take_back: &mut Vec<TakeBackOffer>,
    box_number: Option<u8>,
) {
    held.clear();
    held.resize(menu.bets.len(), 0);
    let same = |laid: &&Laid| laid.player == player.id && (box_number.is_none() || laid.area == box_number);
    for laid in table.round.lying().filter(same) {
        if let Some(stake) = held.get_mut(laid.bet) {
            *stake = laid.stake.minor();
        }
    }
    let open = wagers::check_betting(table).is_ok()
        && !wagers::is_notice_due(table, player)
        && box_number.is_none_or(|number| wagers::check_box(table, player, number).is_ok());
    let chips = player.chips.minor();
    let ties = (!menu.independent).then(|| table.setup.together());
    let held = Held { stakes: held, ties: ties.as_ref() };
    for bet in 0..menu.bets.len() {
        let laid = held.on(bet).is_some();
        if laid && wagers::check_lower(table, bet).is_ok() {
            let (all, part) = menu.take_back(bet, held);
            if all.is_some() || part.is_some() {
                take_back.push(TakeBackOffer { bet, box_number, all, part });
            }
        }
        let raises_box = laid && box_number.is_some();
        let is_full = || !menu.by_box && wagers::full_area(table, player.id, bet, player.area()).is_some();
        if !open || wagers::check_raise(table, bet).is_err() || raises_box || !laid && is_full() {
            continue;
        }
        if let Some(add) = menu.place(bet, held, chips, room) {
            let reserve_times = menu.bets.get(bet).map_or(0, |line| line.reserve_times);
            place.push(PlaceOffer { bet, box_number, add, reserve_times });
        }
    }
}

/// Whether a wager of one player can fill the area of another.
pub(super) fn shares_area(table: &Table, player: &Player, other: PlayerId, area: Option<u8>) -> bool {
    table.area_limit.is_some() && player.id != other && area.is_some() && player.area() == area
}
