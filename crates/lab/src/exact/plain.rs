//! The plain way: every sequence of six ranks, played by the rules. Slow and beyond doubt; what is fast is
//! checked against it.

use croupier_cards::{Card, Rank, Suit};
use croupier_rules::baccarat::{Deal, Outcome};

use super::Histogram;
use crate::counts::RankCounts;

/// The histogram of a composition by full enumeration.
#[must_use]
pub fn histogram(counts: &RankCounts) -> Histogram {
    let mut ways = Box::new([0_u64; Outcome::COUNT]);
    let mut left = counts.counts().map(u64::from);
    descend(&mut left, &mut ways, Deal::default(), 1);
    Histogram::new(ways)
}

/// `weight` sequences have led here.
fn descend(left: &mut [u64; 13], ways: &mut [u64; Outcome::COUNT], deal: Deal, weight: u64) {
    if let Some(outcome) = deal.outcome() {
        // Whatever follows is never seen: any order of the remaining cards.
        let cards: u64 = left.iter().sum();
        let rest = match deal.draws().len() {
            4 => cards * cards.saturating_sub(1),
            5 => cards,
            _ => 1,
        };
        ways[outcome.index()] += weight * rest;
        return;
    }
    for rank in Rank::ALL {
        let count = left[rank.index()];
        if count == 0 {
            continue;
        }
        let mut next = deal;
        if next.draw(Card::new(rank, Suit::Spades)).is_ok() {
            left[rank.index()] -= 1;
            descend(left, ways, next, weight * count);
            left[rank.index()] += 1;
        }
    }
}
