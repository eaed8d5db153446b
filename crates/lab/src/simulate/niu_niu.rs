//! Niu Niu dealt: a box and the Dealer, five cards each from one deck.

use croupier_cards::{Card, Rank, Suit};
use croupier_rules::niu_niu::{BoxOutcome, Hand};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Tally;
use super::random::{SixDraws, generator};

/// A deck in whatever order the rounds before left it; drawing from it makes it random again.
pub(crate) struct Deck {
    cards: [Card; Card::COUNT],
    first: SixDraws,
    rest: SixDraws,
}

impl Deck {
    pub(crate) fn new() -> Self {
        let cards = core::array::from_fn(|place| {
            Card::new(Rank::ALL[place % Rank::COUNT], Suit::ALL[place / Rank::COUNT])
        });
        Self { cards, first: SixDraws::new(Card::COUNT), rest: SixDraws::new(Card::COUNT - 6) }
    }

    /// Ten cards, the box's first; of the last six draws two go unused.
    pub(crate) fn deal(&mut self, generator: &mut Xoshiro256PlusPlus) -> BoxOutcome {
        for (start, numbers) in [(0, self.first.draw(generator)), (6, self.rest.draw(generator))] {
            for (place, number) in (start..).zip(numbers) {
                self.cards.swap(place, place + number);
            }
        }
        let [p1, p2, p3, p4, p5, d1, d2, d3, d4, d5, ..] = self.cards;
        BoxOutcome::of(&Hand::new([p1, p2, p3, p4, p5]), &Hand::new([d1, d2, d3, d4, d5]))
    }
}

/// One chunk of rounds.
pub(crate) fn chunk(seed: u64, chunk: u64, rounds: u64) -> Tally {
    let mut generator = generator(seed, chunk);
    let mut deck = Deck::new();
    let mut tally = Tally::new(BoxOutcome::COUNT);
    for _ in 0..rounds {
        tally.histogram[deck.deal(&mut generator).index()] += 1;
    }
    tally.rounds = rounds;
    tally
}
