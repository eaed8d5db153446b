//! Exact counts of every baccarat outcome for any composition.
//!
//! Counts are ordered six-card sequences drawn without replacement: a round that ends on four cards counts
//! with every two cards that could have followed, so all classes share one total.

pub mod cards;
mod classes;
mod draws;
mod hands;
mod pairs;
pub mod plain;
pub mod pricer;
mod rounds;
pub(crate) mod values;

pub use cards::CardPricer;
pub use pricer::{Edges, Pricer};

use croupier_rules::baccarat::Outcome;
use croupier_rules::{Bet, Column, Pays};

use crate::counts::{RankCounts, ShoeCards};

/// The histogram of a composition.
#[must_use]
pub fn histogram(counts: &RankCounts) -> Histogram {
    let mut ways = Box::new([0; Outcome::COUNT]);
    classes::classes(counts, &mut ways);
    Histogram::new(ways)
}

/// How many sequences end on each line of a bet: by the histogram of the shoe where the class of the outcome is
/// enough, else by the cards. Nothing if the bet asks for suits and those of the shoe are not known.
#[must_use]
pub fn line_ways(bet: &Bet, histogram: &[u64], shoe: &ShoeCards) -> Option<Vec<u64>> {
    match &bet.pays {
        Pays::ByClass(column) => Some(column_ways(column, histogram)),
        Pays::ByCards(lines) => {
            let pricer = CardPricer::new(lines);
            shoe.for_suits(pricer.asks_suits()).map(|cards| pricer.ways(cards))
        }
    }
}

/// How many of a histogram's ways fall to each line of a column.
#[must_use]
pub fn column_ways(column: &Column, histogram: &[u64]) -> Vec<u64> {
    let mut ways = vec![0; column.lines().len()];
    for (class, count) in histogram.iter().enumerate().filter(|(_, count)| **count > 0) {
        if let Some(line) = column.line_number(class) {
            ways[line] += count;
        }
    }
    ways
}

/// How many six-card sequences end in each outcome class. Ten decks give below 2^55, so `u64` is enough.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Histogram {
    ways: Box<[u64; Outcome::COUNT]>,
}

impl Histogram {
    /// A histogram of counts, by the number of the class.
    #[must_use]
    pub fn new(ways: Box<[u64; Outcome::COUNT]>) -> Self {
        Self { ways }
    }

    /// The ways of one class.
    #[must_use]
    pub fn ways(&self, outcome: Outcome) -> u64 {
        self.ways[outcome.index()]
    }

    /// The ways of every class, by its number.
    #[must_use]
    pub fn all(&self) -> &[u64; Outcome::COUNT] {
        &self.ways
    }

    /// All sequences.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.ways.iter().sum()
    }
}
