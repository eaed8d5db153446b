//! Baccarat: points, the drawing rules, outcomes and insurance. The same for every rulebook of the family.

mod burn;
pub mod card_set;
pub mod condition;
pub mod deal;
pub mod features;
pub mod final_hands;
pub mod insurance;
mod number_set;
pub mod outcome;
pub mod tableau;

pub use burn::Burn;
pub use card_set::CardSet;
pub use condition::Condition;
pub use deal::{Deal, Surplus};
pub use features::{Features, Known};
pub use final_hands::{CardPlace, FinalHands};
pub use outcome::{Outcome, Winner};

use croupier_cards::{Card, Rank};

/// One of the two hands of a round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The Player's hand.
    Player,
    /// The Banker's hand.
    Banker,
}

impl Side {
    /// Both hands.
    pub const ALL: [Self; 2] = [Self::Player, Self::Banker];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Banker => "banker",
        }
    }

    /// `P` or `B`: how a shoe is noted.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Player => 'P',
            Self::Banker => 'B',
        }
    }
}

/// What a card counts: an ace one, pips as printed, ten and pictures nothing.
#[must_use]
pub const fn card_value(card: Card) -> u8 {
    rank_value(card.rank())
}

/// [`card_value`] of a rank.
#[must_use]
pub const fn rank_value(rank: Rank) -> u8 {
    match rank {
        Rank::Ace => 1,
        Rank::Two => 2,
        Rank::Three => 3,
        Rank::Four => 4,
        Rank::Five => 5,
        Rank::Six => 6,
        Rank::Seven => 7,
        Rank::Eight => 8,
        Rank::Nine => 9,
        Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => 0,
    }
}

/// The point count of a hand: the last digit of the sum.
///
/// ```
/// let hand = croupier_cards::parse_cards("9C 9D 9H").unwrap();
/// assert_eq!(croupier_rules::baccarat::points(hand), 7);
/// ```
#[must_use]
pub fn points(cards: impl IntoIterator<Item = Card>) -> u8 {
    cards.into_iter().fold(0, |sum, card| (sum + card_value(card)) % 10)
}
