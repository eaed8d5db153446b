//! What is left of one deck.

use croupier_cards::{Card, Rank};

use crate::counts::RankCounts;

/// The cards of each rank that are left of one deck; always enough for two hands.
///
/// Which suits are left has no effect on the odds. A category is a matter of ranks alone, and where the suits of
/// the highest cards decide, only their order matters: any three suits are ordered like any other three.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NiuNiuDeck([u8; Rank::COUNT]);

/// Why cards make no deck to deal Niu Niu from.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NiuNiuDeckError {
    /// A card taken out for the second time.
    #[error("there is only one {0} in the deck; it is taken out twice")]
    Twice(Card),
    /// More of a rank than a deck has.
    #[error("one deck has {MAX} cards of a rank; here are {count} of rank {rank}", MAX = NiuNiuDeck::RANK_MAX)]
    TooMany {
        /// The rank.
        rank: Rank,
        /// How many.
        count: u16,
    },
    /// Too few cards for a box and the Dealer.
    #[error("a box and the Dealer take {MIN} cards; only {left} are left", MIN = NiuNiuDeck::ROUND)]
    TooFew {
        /// How many there are.
        left: u32,
    },
}

impl NiuNiuDeck {
    /// All 52 cards.
    pub const FULL: Self = Self([Self::RANK_MAX; Rank::COUNT]);
    /// One deck has four cards of a rank.
    pub const RANK_MAX: u8 = 4;
    /// Five cards for the box and five for the Dealer.
    pub const ROUND: u32 = 10;

    /// The deck without these cards.
    ///
    /// # Errors
    /// [`NiuNiuDeckError::Twice`], [`NiuNiuDeckError::TooFew`].
    pub fn without(cards: &[Card]) -> Result<Self, NiuNiuDeckError> {
        let mut deck = Self::FULL;
        for (at, card) in cards.iter().enumerate() {
            if cards[..at].contains(card) {
                return Err(NiuNiuDeckError::Twice(*card));
            }
            deck.0[card.rank().index()] -= 1;
        }
        deck.checked()
    }

    /// As many cards of each rank as counted.
    ///
    /// # Errors
    /// [`NiuNiuDeckError::TooMany`], [`NiuNiuDeckError::TooFew`].
    pub fn of_counts(counts: &RankCounts) -> Result<Self, NiuNiuDeckError> {
        let mut deck = Self::FULL;
        for rank in Rank::ALL {
            let count = counts.of(rank);
            deck.0[rank.index()] = match u8::try_from(count) {
                Ok(count) if count <= Self::RANK_MAX => count,
                _ => return Err(NiuNiuDeckError::TooMany { rank, count }),
            };
        }
        deck.checked()
    }

    /// The counts, ace first.
    #[must_use]
    pub const fn counts(&self) -> &[u8; Rank::COUNT] {
        &self.0
    }

    /// All cards.
    #[must_use]
    pub fn cards(&self) -> u32 {
        self.0.iter().map(|count| u32::from(*count)).sum()
    }

    fn checked(self) -> Result<Self, NiuNiuDeckError> {
        let left = self.cards();
        if left < Self::ROUND { Err(NiuNiuDeckError::TooFew { left }) } else { Ok(self) }
    }
}
