//! Where the exact odds come from.

use croupier_cards::Composition;
use croupier_rules::{Game, Ratio};

use crate::counts::{RankCounts, ShoeCards};
use crate::exact::{self, Pricer, plain};

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
    /// Writes the gain of each bet, in menu order, for the cards left and their number by rank. There are at least
    /// six.
    fn gains(&mut self, left: &RankCounts, cards: &Composition, gains: &mut [Gain]);
}

impl EdgeSource for Pricer {
    fn gains(&mut self, left: &RankCounts, cards: &Composition, gains: &mut [Gain]) {
        let edges = self.edges_of_cards(left, cards);
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
    fn gains(&mut self, left: &RankCounts, cards: &Composition, gains: &mut [Gain]) {
        let histogram = plain::histogram(left);
        let total = Ratio::new(i128::from(histogram.total()), 1);
        let shoe = ShoeCards::of_cards(*cards);
        for (bet, gain) in self.game.bets.iter().zip(gains) {
            let ways = exact::line_ways(bet, histogram.all(), &shoe).unwrap_or_default();
            let sum = bet.pays.lines().iter().zip(ways).fold(Ratio::ZERO, |sum, (line, ways)| {
                sum + line.payoff.net() * Ratio::new(i128::from(ways), 1)
            });
            let mean = sum * total.recip();
            *gain = Gain { numerator: mean.numerator(), denominator: mean.denominator() };
        }
    }
}
