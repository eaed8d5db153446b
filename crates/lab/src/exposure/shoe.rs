//! One shoe dealt from its own generator: burn, rounds, cut card.

use core::num::NonZeroU64;

use croupier_cards::{Card, Composition, shuffle};
use croupier_rules::baccarat::Deal;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::Settings;
use crate::counts::RankCounts;

/// The rounds of one shoe. The order of the cards is drawn as they are dealt (Fisher–Yates from the top), so
/// a card that is never dealt costs nothing.
#[derive(Clone, Debug)]
pub struct DealtShoe {
    generator: Xoshiro256PlusPlus,
    cards: Vec<Card>,
    /// The first so many of `cards` are still in the shoe.
    left: usize,
    counts: RankCounts,
    composition: Composition,
    cut_card: usize,
    rounds_after_cut_card: u32,
    /// How many rounds are still dealt, once the cut card is out.
    to_go: Option<u32>,
}

/// A round of a dealt shoe.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DealtRound {
    /// What was left when it began.
    pub before: RankCounts,
    /// The same, card by card.
    pub cards: Composition,
    /// How many cards were out by then, burned ones included.
    pub out: u32,
    /// The round, played to its end.
    pub deal: Deal,
}

impl DealtShoe {
    /// The shoe with that number under the settings, burned and ready.
    #[must_use]
    pub fn new(settings: &Settings, number: u64) -> Self {
        let cards: Vec<Card> = Composition::of_decks(settings.decks).cards().collect();
        let mut shoe = Self {
            generator: Xoshiro256PlusPlus::seed_from_u64(mix(mix(settings.seed).wrapping_add(number))),
            left: cards.len(),
            cards,
            counts: RankCounts::of_decks(settings.decks),
            composition: Composition::of_decks(settings.decks),
            cut_card: index(settings.cut_card),
            rounds_after_cut_card: settings.rounds_after_cut_card,
            to_go: None,
        };
        let first = settings.burn.most().checked_sub(1).and_then(|_| shoe.draw());
        let mut burned: Vec<Card> = first.into_iter().collect();
        let more = 1..first.map_or(0, |first| settings.burn.cards(first.rank()));
        burned.extend(more.map_while(|_| shoe.draw()));
        shoe.remove(&burned);
        shoe
    }

    /// The cards left.
    #[must_use]
    pub fn counts(&self) -> RankCounts {
        self.counts
    }

    fn draw(&mut self) -> Option<Card> {
        let bound = NonZeroU64::new(u64::try_from(self.left).ok()?)?;
        let place = usize::try_from(shuffle::below(&mut self.generator, bound)).ok()?;
        self.left -= 1;
        self.cards.swap(place, self.left);
        self.cards.get(self.left).copied()
    }

    /// Takes drawn cards out of the counts. All came from the shoe, so they are there.
    fn remove(&mut self, cards: &[Card]) {
        if let Ok(counts) = self.counts.without(cards) {
            self.counts = counts;
        }
        for card in cards {
            let _ = self.composition.remove(*card);
        }
    }
}

impl Iterator for DealtShoe {
    type Item = DealtRound;

    /// Deals the next round; nothing once the shoe has ended or a round might lack a card.
    fn next(&mut self) -> Option<DealtRound> {
        if self.to_go == Some(0) || self.left < index(RankCounts::ROUND) {
            return None;
        }
        let (before, cards) = (self.counts, self.composition);
        let left_before = self.left;
        let mut deal = Deal::default();
        while deal.due().is_some() {
            let card = self.draw()?;
            deal.draw(card).ok()?;
        }
        self.remove(deal.draws());
        self.to_go = match self.to_go {
            Some(rounds) => Some(rounds - 1),
            // The cut card lay on top: it came ahead of the first card, and this was the last round.
            None if left_before <= self.cut_card => Some(0),
            None if self.left < self.cut_card => Some(self.rounds_after_cut_card),
            None => None,
        };
        let out = u32::try_from(self.cards.len() - left_before).unwrap_or(u32::MAX);
        Some(DealtRound { before, cards, out, deal })
    }
}

/// The output function of SplitMix64, which spreads neighbouring numbers over all words.
const fn mix(number: u64) -> u64 {
    let mut word = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

const fn index(cards: u32) -> usize {
    cards as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use croupier_cards::{Decks, Rank};
    use croupier_rules::baccarat::Burn;

    fn settings(decks: u8, burn: Burn, cut_card: u32, rounds_after_cut_card: u32) -> Settings {
        let decks = Decks::new(decks).unwrap();
        Settings { burn, cut_card, rounds_after_cut_card, ..Settings::of_decks(decks) }
    }

    #[test]
    fn cards_are_conserved() {
        let by_count = [(1, 0, 0), (1, 3, 14), (6, 10, 52), (8, 1, 14)];
        let by_count = by_count.map(|(decks, burn, cut_card)| (decks, Burn::Cards(burn), cut_card));
        for (decks, burn, cut_card) in by_count.into_iter().chain([(8, Burn::FirstCard, 14)]) {
            let settings = settings(decks, burn, cut_card, 1);
            let all = RankCounts::of_decks(settings.decks);
            for number in 0..50 {
                let mut shoe = DealtShoe::new(&settings, number);
                let mut seen: Vec<Card> = shoe.cards[shoe.left..].to_vec();
                // The cards lie from the end, in the order in which they came out.
                let first = seen.last().map_or(Rank::Ace, |card| card.rank());
                assert_eq!(seen.len(), index(burn.cards(first)));
                for round in shoe.by_ref() {
                    assert_eq!(round.before, all.without(&seen).unwrap());
                    assert_eq!(round.cards.rank_counts(), *round.before.counts());
                    assert_eq!(index(round.out), seen.len());
                    assert!(round.deal.is_complete());
                    seen.extend(round.deal.draws());
                }
                assert_eq!(shoe.counts(), all.without(&seen).unwrap());
                // Together with what was never dealt they are exactly the decks, suits included.
                seen.extend(&shoe.cards[..shoe.left]);
                assert_eq!(Composition::of_cards(seen).unwrap(), Composition::of_decks(settings.decks));
            }
        }
    }

    #[test]
    fn the_cut_card_ends_the_shoe() {
        for rounds_after in [0, 1, 2] {
            let settings = settings(8, Burn::Cards(1), 30, rounds_after);
            let (mut first, mut inside) = (0, 0);
            for number in 0..400 {
                let rounds: Vec<DealtRound> = DealtShoe::new(&settings, number).collect();
                let left: Vec<u32> = rounds.iter().map(|round| round.before.cards()).collect();
                // The round before which, or in which, the cut card came out.
                let at = (0..left.len())
                    .find(|at| {
                        left[*at] <= 30
                            || left[*at] - u32::try_from(rounds[*at].deal.draws().len()).unwrap() < 30
                    })
                    .unwrap();
                let follow = u32::try_from(left.len() - at - 1).unwrap();
                if left[at] <= 30 {
                    first += 1;
                    assert_eq!(follow, 0);
                } else {
                    inside += 1;
                    assert_eq!(follow, rounds_after);
                }
            }
            assert!(first > 0 && inside > 0, "both cases occur");
        }
    }

    #[test]
    fn without_a_cut_card_a_shoe_ends_when_a_round_might_lack_a_card() {
        let settings = settings(1, Burn::Cards(0), 0, 1);
        let mut shoe = DealtShoe::new(&settings, 7);
        assert!(shoe.by_ref().all(|round| round.before.cards() >= 6));
        assert!(shoe.left < 6);
    }

    #[test]
    fn shoes_and_seeds_differ_and_repeat() {
        let one = settings(8, Burn::Cards(1), 14, 1);
        let other = Settings { seed: 2, ..one };
        let rounds = |settings: &Settings, number| DealtShoe::new(settings, number).collect::<Vec<_>>();
        assert_eq!(rounds(&one, 5), rounds(&one, 5));
        assert_ne!(rounds(&one, 5), rounds(&one, 6));
        assert_ne!(rounds(&one, 5), rounds(&other, 5));
    }
}
