//! Where the exact odds come from.

use croupier_rules::{Game, Ratio};

use crate::counts::RankCounts;
use crate::exact::{Pricer, plain};

/// The mean gain of one unit, exactly: below zero the house has the edge, above zero the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gain {
    /// Above the line.
    pub numerator: i128,
    /// Below the line; above zero.
    pub denominator: i128,
}

impl Gain {
    /// Neither side has an edge.
    pub const NONE: Self = Self { numerator: 0, denominator: 1 };
}

/// Prices every bet of a game for the cards that are left. Every thread has a clone of its own.
pub trait EdgeSource: Clone + Sync {
    /// Writes the gain of each bet, in menu order. At least six cards are left.
    fn gains(&mut self, left: &RankCounts, gains: &mut [Gain]);
}

impl EdgeSource for Pricer {
    fn gains(&mut self, left: &RankCounts, gains: &mut [Gain]) {
        let edges = self.edges(left);
        let total = i128::from(edges.total());
        for ((gain, loss), units) in gains.iter_mut().zip(edges.losses()).zip(edges.units()) {
            *gain = Gain { numerator: -loss, denominator: total * i128::from(*units) };
        }
    }
}

/// Prices by plain enumeration: slow, for checks.
#[derive(Clone, Debug)]
pub struct PlainSource<'a> {
    game: &'a Game,
}

impl<'a> PlainSource<'a> {
    /// The source for a baccarat game.
    #[must_use]
    pub const fn new(game: &'a Game) -> Self {
        Self { game }
    }
}

impl EdgeSource for PlainSource<'_> {
    fn gains(&mut self, left: &RankCounts, gains: &mut [Gain]) {
        let histogram = plain::histogram(left);
        let total = Ratio::new(i128::from(histogram.total()), 1);
        for (bet, gain) in self.game.bets.iter().zip(gains) {
            let mut sum = Ratio::ZERO;
            for (class, ways) in histogram.all().iter().enumerate().filter(|(_, ways)| **ways > 0) {
                if let Some(line) = bet.column.line(class) {
                    sum = sum + line.payoff.net() * Ratio::new(i128::from(*ways), 1);
                }
            }
            let mean = sum * total.recip();
            *gain = Gain { numerator: mean.numerator(), denominator: mean.denominator() };
        }
    }
}
