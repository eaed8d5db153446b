//! Up to five ranks in ascending order, a rank as often as there are cards of it: hands without their suits.

use croupier_cards::{Card, Rank, Suit};
use croupier_rules::niu_niu::{Category, Hand};

use super::deck::NiuNiuDeck;

/// Cards in a hand.
pub(super) const HAND: usize = 5;

/// Where the multisets of each size begin, from no rank to five; there are `C(12 + size, size)` of a size.
const FIRST: [usize; HAND + 1] = [0, 1, 14, 105, 560, 2380];

/// All multisets of up to five ranks.
pub(super) const SLOTS: usize = 2380 + 6188;

/// Calls `visit` with every multiset of `size` ranks.
pub(super) fn each(size: usize, visit: &mut impl FnMut(&[u8])) {
    fn descend(ranks: &mut [u8; HAND], at: usize, size: usize, visit: &mut impl FnMut(&[u8])) {
        if at == size {
            return visit(&ranks[..size]);
        }
        let lowest = if at == 0 { 0 } else { ranks[at - 1] };
        for rank in (lowest..).take_while(|rank| usize::from(*rank) < Rank::COUNT) {
            ranks[at] = rank;
            descend(ranks, at + 1, size, visit);
        }
    }
    descend(&mut [0; HAND], 0, size, visit);
}

/// The place of a multiset among all [`SLOTS`]. Adding its position to each rank makes the ranks differ, and a
/// set of different numbers has its place by binomials.
pub(super) fn slot(ranks: &[u8]) -> usize {
    let places = ranks.iter().enumerate().map(|(at, rank)| PLACES[at][usize::from(*rank)]);
    FIRST[ranks.len()] + places.sum::<usize>()
}

/// `C(rank + at, at + 1)`, by position and rank.
const PLACES: [[usize; Rank::COUNT]; HAND] = {
    let mut places = [[0; Rank::COUNT]; HAND];
    let mut at = 0;
    while at < HAND {
        let mut rank = 1;
        while rank < Rank::COUNT {
            let above = if at == 0 { 1 } else { places[at - 1][rank] };
            places[at][rank] = places[at][rank - 1] + above;
            rank += 1;
        }
        at += 1;
    }
    places
};

/// How many sets of cards of the deck have these ranks: a product of `C(left, wanted)` over the ranks.
pub(super) fn ways(deck: &NiuNiuDeck, ranks: &[u8]) -> u64 {
    let (mut ways, mut nth) = (1, 0);
    for (at, rank) in ranks.iter().enumerate() {
        nth = if at > 0 && ranks[at - 1] == *rank { nth + 1 } else { 1 };
        let left = u64::from(deck.counts()[usize::from(*rank)]);
        ways = ways * (left + 1).saturating_sub(nth) / nth;
    }
    ways
}

/// The category of every hand with these ranks, found on one of them.
pub(super) fn category(ranks: &[u8; HAND]) -> Category {
    let mut cards = [Card::new(Rank::Ace, Suit::Spades); HAND];
    for (at, (card, rank)) in cards.iter_mut().zip(ranks).enumerate() {
        // Five ranks are never all equal, so the first and the last card may share a suit.
        let suit = Suit::ALL[at % Suit::COUNT];
        *card = Card::new(Rank::ALL[usize::from(*rank)], suit);
    }
    Hand::new(cards).category()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_multiset_has_a_place_of_its_own() {
        let mut seen = vec![0; SLOTS];
        for (size, first) in FIRST.into_iter().enumerate() {
            each(size, &mut |ranks| {
                assert!(ranks.is_sorted() && ranks.len() == size, "{ranks:?}");
                assert!(slot(ranks) >= first, "{ranks:?}");
                seen[slot(ranks)] += 1;
            });
        }
        assert!(seen.iter().all(|times| *times == 1));
    }

    #[test]
    fn the_ways_of_a_multiset() {
        assert_eq!(ways(&NiuNiuDeck::FULL, &[]), 1);
        assert_eq!(ways(&NiuNiuDeck::FULL, &[0, 0, 3, 12, 12]), 6 * 4 * 6);
        assert_eq!(ways(&NiuNiuDeck::FULL, &[7, 7, 7, 7, 12]), 4);
        assert_eq!(ways(&NiuNiuDeck::FULL, &[7, 7, 7, 7, 7]), 0);
        let less = NiuNiuDeck::without(&croupier_cards::parse_cards("8S KD KC KH KS").unwrap()).unwrap();
        assert_eq!(ways(&less, &[6, 7, 7, 7]), 4);
        assert_eq!(ways(&less, &[7, 7, 7, 7]), 0);
        assert_eq!(ways(&less, &[12]), 0);
    }
}
