//! The rounds in which the Banker's first two cards pair: the pair is taken out first, and the Player plays
//! from the rest.

use super::hands::{BANKER_DRAWS, GROUPS, LANES, LIMIT_AFTER_STAND, Row};
use super::rounds::{BANKER_THIRD, Ends, FOUR, Left, PLAYER_THIRD, SIX, Tens};

/// The ways of something for each count.
type WideRow = [u64; LANES];

/// Adds these rounds, by whether the Player's first two cards pair as well.
pub(super) fn add(left: &Left, ends: &mut [Ends; 2]) {
    // The rounds of six cards, by the Banker's final count first.
    let mut six = [[[0; LANES]; 10]; 2];
    for value in 0..10 {
        let count = left.values.counts[value];
        if count < 2 {
            continue;
        }
        let (dealt, tens) = match value {
            // Two tens to the Player as well come below.
            0 => (left.tens.pair, Tens { apart: 0, pair: 0, ..left.tens }),
            _ => (count * (count - 1), left.tens),
        };
        let values = left.values.without(value).without(value);
        let against =
            Against { left: Left { values, tens, ..*left }, banker: 2 * value % 10, dealt: u64::from(dealt) };
        against.add(ends, &mut six);
    }
    for (ends, six) in ends.iter_mut().zip(&six) {
        for (player, row) in ends[SIX].iter_mut().enumerate() {
            for (banker, ways) in row.iter_mut().enumerate() {
                *ways = six[banker][player];
            }
        }
    }
    add_tens(left, ends);
}

/// Two tens against a pair of tens: both hands count 0 and draw.
fn add_tens(left: &Left, ends: &mut [Ends; 2]) {
    let mut counts = left.values.counts.map(u64::from);
    if counts[0] < 4 {
        return;
    }
    counts[0] -= 4;
    for (ends, dealt) in ends.iter_mut().zip([left.tens.apart_and_pair, left.tens.pairs]) {
        for player in 0..10 {
            let ways = dealt * counts[player];
            for banker in 0..10 {
                ends[SIX][player][banker] += ways * counts[banker];
            }
            ends[SIX][player][player] -= ways;
        }
    }
}

/// A Banker's pair that is out already.
struct Against {
    left: Left,
    /// What it counts.
    banker: usize,
    /// In how many ways it was dealt.
    dealt: u64,
}

impl Against {
    fn add(&self, ends: &mut [Ends; 2], six: &mut [[WideRow; 10]; 2]) {
        let draws = GROUPS.iter().take_while(|group| self.banker < 8 && group.points < 6).count();
        for group in &GROUPS[draws..] {
            let ends = &mut ends[usize::from(group.pair)];
            let mut own = [0; 10];
            let mut all = 0;
            for hand in group.hands() {
                let ways = u64::from(self.left.ways(hand)) * self.dealt;
                all += ways;
                own[hand.low] += ways;
                own[hand.high] += ways;
            }
            if self.banker > LIMIT_AFTER_STAND || group.points >= 8 {
                ends[FOUR][group.points][self.banker] += all * self.left.unseen_two;
            } else {
                for third in 0..10 {
                    let ways = all * u64::from(self.left.values.counts[third]) - own[third];
                    ends[BANKER_THIRD][group.points][(self.banker + third) % 10] +=
                        ways * self.left.unseen_one;
                }
            }
        }
        if draws > 0 {
            self.add_player_draws(ends, six);
        }
    }

    /// The Player takes a third card.
    fn add_player_draws(&self, ends: &mut [Ends; 2], six: &mut [[WideRow; 10]; 2]) {
        let mut after = [After { drawn: [0; LANES], holding: [[0; LANES]; 10], stood: [0; LANES] }; 2];
        for group in GROUPS.iter().take_while(|group| group.points < 6) {
            let thirds = self.left.values.turned(group.points);
            let draws = &BANKER_DRAWS[self.banker][group.points];
            let after = &mut after[usize::from(group.pair)];
            let mut all = [0; LANES];
            for hand in group.hands() {
                // At most 2 × 160 × 40, and 12 × 40 × 40 for two tens apart.
                let ways = self.left.ways(hand) as i16;
                if ways == 0 {
                    continue;
                }
                let mut row = [0; LANES];
                for lane in 0..LANES {
                    let third = thirds[lane] as i16 - hand.taken[lane];
                    row[lane] = (i32::from(ways) * i32::from(third)) as u32;
                }
                plus(&mut all, &row);
                for lane in 0..LANES {
                    row[lane] &= draws[lane];
                }
                plus(&mut after.holding[hand.low], &row);
                plus(&mut after.holding[hand.high], &row);
            }
            for lane in 0..LANES {
                after.drawn[lane] += all[lane] & draws[lane];
                after.stood[lane] += all[lane] & !draws[lane];
            }
            for third in 0..10 {
                let player = (group.points + third) % 10;
                after.holding[third][player] += all[player] & draws[player];
            }
        }
        let dealt = self.dealt as u32;
        for (pair, after) in after.iter().enumerate() {
            for (card, count) in self.left.values.counts.into_iter().enumerate() {
                let row = &mut six[pair][(self.banker + card) % 10];
                let (count, dealt) = (u64::from(dealt * count), u64::from(dealt));
                let players = after.drawn.iter().zip(&after.holding[card]);
                for (ends, (drawn, holding)) in row.iter_mut().zip(players) {
                    *ends += count * u64::from(*drawn) - dealt * u64::from(*holding);
                }
            }
            for (player, row) in ends[pair][PLAYER_THIRD].iter_mut().enumerate() {
                row[self.banker] += self.dealt * self.left.unseen_one * u64::from(after.stood[player]);
            }
        }
    }
}

/// What the Banker does after the Player's third card, by the Player's final count.
#[derive(Clone, Copy)]
struct After {
    /// The ways to be followed by a third card to the Banker.
    drawn: Row,
    /// By a value: those, times the cards of it that the Player has.
    holding: [Row; 10],
    /// The ways to be followed by none.
    stood: Row,
}

#[inline]
fn plus(row: &mut Row, more: &Row) {
    for lane in 0..LANES {
        row[lane] += more[lane];
    }
}
