//! Exact odds of Niu Niu: the five cards of a box against the Dealer's, out of one deck or what is left of it.
//!
//! [`NiuNiuHistogram`] counts the deals of every outcome class, [`NiuNiuSheet`] prices the bets of a game with
//! it. What a hand is worth is asked of the rules and what a bet pays of the rulebook; neither belongs here.
//!
//! ```
//! use croupier_lab::niu_niu::{NiuNiuDeck, NiuNiuHistogram, NiuNiuSheet};
//! use croupier_rules::Library;
//!
//! let histogram = NiuNiuHistogram::of(&NiuNiuDeck::FULL);
//! assert_eq!(histogram.total(), 3_986_646_103_440);
//! let library = Library::standard();
//! let sheet = NiuNiuSheet::new(library.game("hoiana-niu-niu").unwrap(), &histogram).unwrap();
//! assert_eq!(sheet.bet("even").unwrap().par.edge.to_string(), "11234830381/498330762930");
//! ```

mod deck;
mod exact;
mod multiset;
pub mod plain;
mod sheet;

pub use deck::{NiuNiuDeck, NiuNiuDeckError};
pub use sheet::{NetWays, NiuNiuBet, NiuNiuSheet};

use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Category};

/// How many deals of a box's hand and the Dealer's end in each class. Both hands are sets of cards, so the
/// full deck gives 2,598,960 × 1,533,939 deals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NiuNiuHistogram {
    ways: [u64; BoxOutcome::COUNT],
    hands: [u64; Category::ALL.len()],
}

impl NiuNiuHistogram {
    /// The histogram of a deck.
    ///
    /// Where both hands are of one category, the box wins exactly half of the deals: exchange the two hands, and
    /// the winner changes, because the suit of the highest card leaves no two hands of a deck equal.
    #[must_use]
    pub fn of(deck: &NiuNiuDeck) -> Self {
        exact::histogram(deck)
    }

    /// The deals of one class.
    #[must_use]
    pub fn ways(&self, outcome: BoxOutcome) -> u64 {
        self.ways[outcome.index()]
    }

    /// The deals of every class, by its number.
    #[must_use]
    pub const fn all(&self) -> &[u64; BoxOutcome::COUNT] {
        &self.ways
    }

    /// The deals in which the box has `hand` and the Dealer `dealer`, whoever wins.
    #[must_use]
    pub fn joint(&self, hand: Category, dealer: Category) -> u64 {
        [BoxWinner::Player, BoxWinner::Dealer]
            .into_iter()
            .map(|winner| self.ways(BoxOutcome { hand, dealer, winner }))
            .sum()
    }

    /// The deals that `winner` wins.
    #[must_use]
    pub fn won_by(&self, winner: BoxWinner) -> u64 {
        BoxOutcome::reachable()
            .filter(|outcome| outcome.winner == winner)
            .map(|outcome| self.ways(outcome))
            .sum()
    }

    /// All deals.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.ways.iter().sum()
    }

    /// The five-card hands of the deck by category, lowest first.
    #[must_use]
    pub fn categories(&self) -> [(Category, u64); Category::ALL.len()] {
        Category::ALL.map(|category| (category, self.hands[category.index()]))
    }

    /// All five-card hands of the deck.
    #[must_use]
    pub fn hands(&self) -> u64 {
        self.hands.iter().sum()
    }
}
