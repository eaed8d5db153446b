//! A composition by point value: ten, jack, queen and king are the same card to the drawing rules.

use croupier_cards::Rank;
use croupier_rules::baccarat::rank_value;

use crate::counts::RankCounts;

/// How many cards of each value are left, from 0 to 9.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ValueCounts([u64; 10]);

impl ValueCounts {
    pub(crate) fn new(counts: &RankCounts) -> Self {
        let mut values = [0; 10];
        for rank in Rank::ALL {
            values[usize::from(rank_value(rank))] += u64::from(counts.of(rank));
        }
        Self(values)
    }

    pub(crate) fn cards(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Takes a card of that value, if there is one, for as long as `then` runs; it is told in how many ways.
    pub(crate) fn draw(&mut self, value: u8, then: &mut dyn FnMut(&mut Self, u64)) {
        let place = usize::from(value);
        let ways = self.0[place];
        if ways > 0 {
            self.0[place] -= 1;
            then(self, ways);
            self.0[place] += 1;
        }
    }

    /// [`ValueCounts::draw`] for every value in turn.
    pub(crate) fn each(&mut self, mut then: impl FnMut(&mut Self, u8, u64)) {
        for value in 0..10 {
            self.draw(value, &mut |left, ways| then(left, value, ways));
        }
    }
}

/// All orders of six out of so many cards: what every histogram sums to.
pub(crate) fn sequences(cards: u32) -> u64 {
    (0..6).map(|drawn| u64::from(cards).saturating_sub(drawn)).product()
}
