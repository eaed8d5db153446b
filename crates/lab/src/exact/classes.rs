//! From a composition by rank to rounds by value, and from those to the outcome classes.

use croupier_cards::Rank;
use croupier_rules::baccarat::{Outcome, rank_value};

use super::rounds::{Rounds, Tens};
use crate::counts::RankCounts;

/// The ways of every class.
pub(super) fn classes(counts: &RankCounts, ways: &mut [u64; Outcome::COUNT]) {
    let mut values = [0; 10];
    for rank in Rank::ALL {
        values[usize::from(rank_value(rank))] += u32::from(counts.of(rank));
    }
    let Rounds { all, banker_pair } = Rounds::new(values, tens(counts));
    let mut classes = ways.chunks_exact_mut(4);
    for player in 0..10 {
        for banker in 0..10 {
            for (cards, class) in (0..4).zip(&mut classes) {
                let paired = [0, 1].map(|pair: usize| banker_pair[pair][cards][player][banker]);
                let ways = [0, 1].map(|pair: usize| all[pair][cards][player][banker] - paired[pair]);
                class.copy_from_slice(&[ways[0], paired[0], ways[1], paired[1]]);
            }
        }
    }
}

fn tens(counts: &RankCounts) -> Tens {
    let ranks = [Rank::Ten, Rank::Jack, Rank::Queen, Rank::King].map(|rank| u32::from(counts.of(rank)));
    let twos = |cards: u32| cards * cards.saturating_sub(1);
    let all: u32 = ranks.iter().sum();
    let pair: u32 = ranks.into_iter().map(twos).sum();
    // A pair of one rank leaves the pairs of the others, and those of what is left of its own.
    let beside = |cards: u32| pair - twos(cards) + twos(cards.saturating_sub(2));
    let pairs = ranks.into_iter().map(|cards| u64::from(twos(cards)) * u64::from(beside(cards))).sum();
    let any_and_pair = u64::from(twos(all.saturating_sub(2))) * u64::from(pair);
    Tens { apart: twos(all) - pair, pair, apart_and_pair: any_and_pair - pairs, pairs }
}
