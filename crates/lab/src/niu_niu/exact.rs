//! The fast way. Instead of pairing 38 million times two multisets of ranks, it asks of every set of up to five
//! cards how many hands of each category hold it.
//!
//! **Two hands without a card in common.** By inclusion and exclusion over the sets `S` of cards that both
//! hands hold, the deals with categories `x` and `y` are the sum over all `S` of
//! `(−1)^|S| · n(S, x) · n(S, y)`, where `n(S, x)` is the number of hands of category `x` that hold `S`. A
//! category is a matter of ranks, so `n(S, x)` depends only on the ranks of `S`, and there are 8,568 multisets
//! of up to five ranks.
//!
//! **Equal categories.** Exchanging the two hands turns a deal that the box wins into one that the Dealer wins
//! with the same two categories, and no two hands of a deck are equal: the highest card decides, and its suit
//! if it must. So exactly half of the deals of equal categories go to the box, whatever cards are left.
//! [`plain`](super::plain) counts the suits instead, and a test compares the two.

use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Category};

use super::NiuNiuHistogram;
use super::deck::NiuNiuDeck;
use super::multiset::{self, HAND, SLOTS};

const CATEGORIES: usize = Category::ALL.len();

/// The histogram of a deck.
pub(super) fn histogram(deck: &NiuNiuDeck) -> NiuNiuHistogram {
    let holding = hands_with_a_part_marked(deck);
    let mut deals = [[0_i64; CATEGORIES]; CATEGORIES];
    for size in 0..=HAND {
        let sign = if size % 2 == 0 { 1 } else { -1 };
        multiset::each(size, &mut |ranks| {
            let sets = multiset::ways(deck, ranks).cast_signed();
            if sets > 0 {
                // All sets with these ranks are held by equally many hands.
                let each = holding[multiset::slot(ranks)].map(|marked| marked / sets);
                add_products(&mut deals, &each, sign * sets);
            }
        });
    }
    NiuNiuHistogram { ways: by_winner(&deals), hands: holding[0].map(i64::cast_unsigned) }
}

/// For every multiset of ranks, by its place, and every category: in how many ways cards with these ranks can
/// be marked in a hand of this category. The first entry, with nothing marked, counts the hands.
fn hands_with_a_part_marked(deck: &NiuNiuDeck) -> Vec<[i64; CATEGORIES]> {
    let mut marked = vec![[0; CATEGORIES]; SLOTS];
    multiset::each(HAND, &mut |ranks| {
        let ways = multiset::ways(deck, ranks).cast_signed();
        let (Ok(hand), true) = (ranks.try_into(), ways > 0) else { return };
        let category = multiset::category(hand).index();
        for marks in 0_u32..1 << HAND {
            let (mut part, mut size) = ([0; HAND], 0);
            for (at, rank) in hand.iter().enumerate() {
                if marks >> at & 1 == 1 {
                    part[size] = *rank;
                    size += 1;
                }
            }
            marked[multiset::slot(&part[..size])][category] += ways;
        }
    });
    marked
}

/// Adds `weight · hands[x] · hands[y]` for all `x` not above `y`; the rest is its mirror image. No sum of these
/// comes near 2^63: without signs they add up to at most 2^5 times the pairs of two hands, below 2^48.
fn add_products(deals: &mut [[i64; CATEGORIES]; CATEGORIES], hands: &[i64; CATEGORIES], weight: i64) {
    for (x, row) in deals.iter_mut().enumerate().filter(|(x, _)| hands[*x] != 0) {
        let factor = weight * hands[x];
        for (sum, count) in row.iter_mut().zip(hands).skip(x) {
            *sum += factor * count;
        }
    }
}

fn by_winner(deals: &[[i64; CATEGORIES]; CATEGORIES]) -> [u64; BoxOutcome::COUNT] {
    let mut ways = [0; BoxOutcome::COUNT];
    for outcome in BoxOutcome::reachable() {
        let (lower, higher) = match outcome.winner {
            BoxWinner::Player => (outcome.dealer, outcome.hand),
            BoxWinner::Dealer => (outcome.hand, outcome.dealer),
        };
        let both = deals[lower.index()][higher.index()].cast_unsigned();
        ways[outcome.index()] = if lower == higher { both / 2 } else { both };
    }
    ways
}
