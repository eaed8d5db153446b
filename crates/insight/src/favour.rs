//! Whose bets follow the shoe.
//!
//! Now and then the cards left favour the player on some bet. Who cannot know that lays as much then as otherwise: of the
//! rounds in which a player raised a bet above the mean of what they had laid on it so far, as large a share falls to
//! the favourable ones as of all rounds. How often more of them do by chance is a hypergeometric tail, counted exactly;
//! it is looked at after each favourable round, and what each look may cost falls with the square of their number, so
//! that all looks together keep the stated rate. Raises that come in runs, in the last rounds of shoes for instance, can
//! be followed without counting: the figure asks for somebody to look, and proves nothing.

use std::collections::BTreeMap;

use croupier_ledger::{PlayerId, TableId};

use crate::collect::Played;
use crate::price::Position;

/// A player on one bet.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Following {
    /// Rounds since the player's first.
    pub rounds: u64,
    /// Those in which the cards left favoured the player on this bet.
    pub favourable: u64,
    /// Those in which the player laid more on it than in the mean so far.
    pub raised: u64,
    /// Those of which both is true.
    pub both: u64,
    laid: i64,
    alarmed: bool,
}

impl Following {
    /// The chance that as many or more of the raised rounds fall to favourable ones by luck.
    #[must_use]
    pub fn chance(&self) -> f64 {
        let most = self.raised.min(self.favourable);
        (self.both..=most).map(|both| self.exactly(both)).sum::<f64>().min(1.0)
    }

    fn exactly(&self, both: u64) -> f64 {
        let Some(others) = (self.rounds - self.favourable).checked_sub(self.raised - both) else {
            return 0.0;
        };
        let ways = choose(self.favourable, both) + choose(others + self.raised - both, self.raised - both);
        (ways - choose(self.rounds, self.raised)).exp()
    }
}

/// The logarithm of the number of ways to choose some of all.
#[expect(clippy::cast_precision_loss, reason = "a statistic of counts far below 2^52")]
fn choose(all: u64, some: u64) -> f64 {
    (1..=some.min(all - some)).map(|at| ((all + 1 - at) as f64 / at as f64).ln()).sum()
}

/// Somebody whose bets follow the shoe.
#[derive(Clone, PartialEq, Debug)]
pub struct Follower {
    /// Who.
    pub player: PlayerId,
    /// Where.
    pub table: TableId,
    /// On which bet.
    pub bet: usize,
    /// What was seen.
    pub seen: Following,
    /// Luck comes to it with a chance of one in so many, all looks counted.
    pub one_in: f64,
}

/// All players at all tables.
#[derive(Clone, Debug, Default)]
pub struct Favour {
    seen: BTreeMap<(TableId, PlayerId, usize), Following>,
}

impl Favour {
    /// What was seen of everybody.
    #[must_use]
    pub const fn seen(&self) -> &BTreeMap<(TableId, PlayerId, usize), Following> {
        &self.seen
    }

    /// Everybody begins anew.
    pub fn begin_anew(&mut self) {
        self.seen.clear();
    }

    /// A player left a table: rounds without them say nothing of them.
    pub fn left(&mut self, player: PlayerId, table: TableId) {
        self.seen.retain(|(at, who, _), _| (*at, *who) != (table, player));
    }

    /// Adds a round at a table with so many bets; who is found by it at one false alarm in so many.
    pub fn add(
        &mut self,
        round: &Played,
        bets: usize,
        position: &Position<'_>,
        one_in: f64,
    ) -> Vec<Follower> {
        if !position.is_known() {
            return Vec::new();
        }
        let favours: Vec<bool> =
            (0..bets).map(|bet| position.edge(bet).is_some_and(|edge| edge.is_negative())).collect();
        for wager in &round.wagers {
            for bet in 0..bets {
                self.seen.entry((round.table, wager.player, bet)).or_default();
            }
        }
        let mut found = Vec::new();
        for ((table, player, bet), seen) in &mut self.seen {
            if *table != round.table {
                continue;
            }
            let favours = favours.get(*bet).copied().unwrap_or(false);
            let laid = round.wagers.iter().filter(|wager| (wager.player, wager.bet) == (*player, *bet));
            let laid: i64 = laid.map(|wager| wager.in_action).sum();
            let so_far = i64::try_from(seen.rounds).unwrap_or(i64::MAX);
            let raised = i128::from(laid) * i128::from(so_far) > i128::from(seen.laid) && laid > 0;
            seen.rounds += 1;
            seen.laid += laid;
            seen.favourable += u64::from(favours);
            seen.raised += u64::from(raised);
            seen.both += u64::from(favours && raised);
            // A look is a favourable round; the shares of all looks add up to less than one.
            if favours && raised && !seen.alarmed {
                #[expect(clippy::cast_precision_loss, reason = "a statistic")]
                let looks = seen.favourable as f64;
                let corrected = seen.chance() * looks * looks * (core::f64::consts::PI.powi(2) / 6.0);
                if corrected * one_in <= 1.0 {
                    seen.alarmed = true;
                    let one_in = 1.0 / corrected.max(1e-80);
                    found.push(Follower { player: *player, table: *table, bet: *bet, seen: *seen, one_in });
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tail against counting every way to choose the raised rounds.
    #[test]
    fn the_tail_is_counted_exactly() {
        for (rounds, favourable, raised) in [(12_u64, 3_u64, 4_u64), (10, 5, 5), (9, 1, 8), (11, 0, 3)] {
            let all: Vec<u64> =
                (0_u64..1 << rounds).filter(|set| u64::from(set.count_ones()) == raised).collect();
            for both in 0..=favourable.min(raised) {
                let first = (1_u64 << favourable) - 1;
                let more = all.iter().filter(|set| u64::from((*set & first).count_ones()) >= both).count();
                #[expect(clippy::cast_precision_loss, reason = "small counts")]
                let share = more as f64 / all.len() as f64;
                let seen = Following { rounds, favourable, raised, both, ..Following::default() };
                assert!((seen.chance() - share).abs() < 1e-9, "{seen:?}: {} and {share}", seen.chance());
            }
        }
    }
}
