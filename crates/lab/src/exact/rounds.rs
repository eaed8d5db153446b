//! All rounds of a composition by value and by pairs.
//!
//! Values are all that the drawing rules ask for. A pair of a value other than 0 is a pair of a rank; two
//! tens or pictures may pair or not, and what follows in the round is the same: see [`Tens`].

use super::draws::{Draws, Values};
use super::hands::{GROUPS, Group, HANDS, Hand, LANES, LIMIT_AFTER, LIMIT_AFTER_STAND, SHARED};
use super::pairs;

/// In how many ways tens and pictures come to the first two cards of a hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tens {
    /// To one hand, as two ranks.
    pub(super) apart: u32,
    /// To one hand, as a pair.
    pub(super) pair: u32,
    /// To both hands, the Player's as two ranks and the Banker's as a pair.
    pub(super) apart_and_pair: u64,
    /// To both hands, as pairs.
    pub(super) pairs: u64,
}

/// The ways by number of cards, the Player's and the Banker's final count.
pub(super) type Ends = [[[u64; 10]; 10]; 4];

/// Two cards each.
pub(super) const FOUR: usize = 0;
/// A third card to the Banker alone.
pub(super) const BANKER_THIRD: usize = 1;
/// A third card to the Player alone.
pub(super) const PLAYER_THIRD: usize = 2;
/// A third card to both.
pub(super) const SIX: usize = 3;

/// The ways of all rounds.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    /// By whether the Player's first two cards pair, whatever the Banker's.
    pub(super) all: [Ends; 2],
    /// Those of them where the Banker's first two cards pair.
    pub(super) banker_pair: [Ends; 2],
}

impl Rounds {
    pub(super) fn new(counts: [u32; 10], tens: Tens) -> Self {
        let none = [[[[0; 10]; 10]; 4]; 2];
        let mut rounds = Self { all: none, banker_pair: none };
        let cards = u64::from(counts.iter().sum::<u32>());
        let one = cards.saturating_sub(5);
        let two = cards.saturating_sub(4) * one;
        let left = Left { values: Values::new(counts), tens, unseen_two: two, unseen_one: one };
        left.naturals(&mut rounds.all);
        left.played(&mut rounds.all);
        pairs::add(&left, &mut rounds.banker_pair);
        rounds
    }
}

/// The cards to deal from.
#[derive(Clone, Copy)]
pub(super) struct Left {
    pub(super) values: Values,
    pub(super) tens: Tens,
    /// In how many ways two cards that no hand takes follow a round of four.
    pub(super) unseen_two: u64,
    /// In how many ways one follows a round of five.
    pub(super) unseen_one: u64,
}

impl Left {
    /// The ways to be dealt a hand, in either order.
    #[inline]
    pub(super) fn ways(&self, hand: &Hand) -> u32 {
        if hand.is_tens() {
            return if hand.pair { self.tens.pair } else { self.tens.apart };
        }
        let (low, high) = (self.values.counts[hand.low], self.values.counts[hand.high]);
        if hand.pair { low * high.saturating_sub(1) } else { 2 * low * high }
    }

    /// The rounds in which a hand has 8 or 9 at once.
    fn naturals(&self, ends: &mut [Ends; 2]) {
        for hand in &HANDS {
            let ways = u64::from(self.ways(hand)) * self.unseen_two;
            if ways > 0 {
                let twos: [u32; 10] = twos_beside(&self.values, hand);
                let first = if hand.points >= 8 { 0 } else { 8 };
                let row = &mut ends[usize::from(hand.pair)][FOUR][hand.points];
                for (ends, twos) in row.iter_mut().zip(twos).skip(first) {
                    *ends += ways * u64::from(twos);
                }
            }
        }
    }

    /// The rounds without a natural.
    fn played(&self, ends: &mut [Ends; 2]) {
        let by_limit = Draws::by_limit(&self.values);
        let limit = LIMIT_AFTER_STAND;
        let stands = Played { values: &self.values, draws: &by_limit[limit - 2], limit };
        for group in GROUPS.iter().filter(|group| (6..8).contains(&group.points)) {
            let (drawn, stood) = stands.group(group, |hand| self.ways(hand));
            let ends = &mut ends[usize::from(group.pair)];
            add(&mut ends[BANKER_THIRD][group.points], &drawn, self.unseen_one);
            add(&mut ends[FOUR][group.points][limit + 1..], &stood[limit + 1..], self.unseen_two);
        }
        for (third, limit) in LIMIT_AFTER.into_iter().enumerate() {
            let count = self.values.counts[third];
            if count == 0 {
                continue;
            }
            let left = Self { values: self.values.without(third), ..*self };
            // The ways of two tens are those of the whole shoe, so a third comes after them.
            let of_tens = if third == 0 { count.saturating_sub(2) } else { count };
            let draws = by_limit[limit - 2].without(&self.values, limit, third);
            let played = Played { values: &left.values, draws: &draws, limit };
            for group in GROUPS.iter().take_while(|group| group.points < 6) {
                let (drawn, stood) = played
                    .group(group, |hand| left.ways(hand) * if hand.is_tens() { of_tens } else { count });
                let ends = &mut ends[usize::from(group.pair)];
                let player = (group.points + third) % 10;
                add(&mut ends[SIX][player], &drawn, 1);
                add(&mut ends[PLAYER_THIRD][player][limit + 1..], &stood[limit + 1..], self.unseen_one);
            }
        }
    }
}

fn add(ends: &mut [u64], ways: &[u64], unseen: u64) {
    for (ends, ways) in ends.iter_mut().zip(ways) {
        *ends += ways * unseen;
    }
}

/// The Banker's two-card hands of each count beside a Player's hand.
#[inline]
fn twos_beside<const COUNTS: usize>(values: &Values, hand: &Hand) -> [u32; COUNTS] {
    let (low, high) = (values.turned(hand.low), values.turned(hand.high));
    let mut twos = [0; COUNTS];
    for lane in 0..COUNTS {
        let holding = (2 * low[lane].wrapping_add(high[lane])).wrapping_sub(hand.twice[lane]);
        twos[lane] = values.twos[lane].wrapping_sub(u32::from(holding));
    }
    twos
}

/// What the Banker does after the Player: the composition without the Player's third card, and the draws
/// from it.
struct Played<'a> {
    values: &'a Values,
    draws: &'a Draws,
    limit: usize,
}

impl Played<'_> {
    /// The ways to the Banker's final counts over the Player's hands of a group, with and without a third
    /// card to the Banker; the latter as if the Banker stood on every count.
    #[inline]
    fn group(&self, group: &Group, ways: impl Fn(&Hand) -> u32) -> ([u64; LANES], [u64; 8]) {
        let (mut drawn, mut stood) = ([0_u64; LANES], [0; 8]);
        for hand in group.hands() {
            let ways = u64::from(ways(hand));
            if ways == 0 {
                continue;
            }
            let shared = self.values.shared(&SHARED[self.limit - 2][hand.low][hand.high], hand.points);
            let (low, high) = (&self.draws.holding[hand.low], &self.draws.holding[hand.high]);
            for lane in 0..LANES {
                let holding = low[lane].wrapping_add(high[lane]).wrapping_sub(shared[lane]);
                let row = self.draws.total[lane].wrapping_sub(holding);
                drawn[lane] = drawn[lane].wrapping_add(ways.wrapping_mul(u64::from(row)));
            }
            let row: [u32; 8] = twos_beside(self.values, hand);
            for lane in 0..8 {
                stood[lane] += ways * u64::from(row[lane]);
            }
        }
        (drawn, stood)
    }
}
