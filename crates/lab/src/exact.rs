//! Exact counts of every baccarat outcome for any composition.
//!
//! Counts are ordered six-card sequences drawn without replacement: a round that ends on four cards counts
//! with every two cards that could have followed, so all classes share one total.

mod classes;
mod draws;
mod hands;
mod pairs;
pub mod plain;
pub mod pricer;
mod rounds;
pub(crate) mod values;

pub use pricer::{Edges, Pricer};

use croupier_rules::baccarat::Outcome;

use crate::counts::RankCounts;

/// The histogram of a composition.
#[must_use]
pub fn histogram(counts: &RankCounts) -> Histogram {
    let mut ways = Box::new([0; Outcome::COUNT]);
    classes::classes(counts, &mut ways);
    Histogram::new(ways)
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
