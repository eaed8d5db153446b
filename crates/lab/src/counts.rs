//! How many cards of each rank are left: all that the odds of a baccarat round depend on.

use core::fmt;
use core::str::FromStr;

use croupier_cards::{Card, Composition, Decks, Rank, Suit};

use crate::niu_niu::NiuNiuDeckError;

/// The number of cards of each rank, ace first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RankCounts([u16; 13]);

/// Why counts cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CountsError {
    /// Fewer or more than 13 numbers.
    #[error("a shoe is given as 13 counts, from ace to king; here are {0}")]
    Shape(usize),
    /// Not a number, or more than ten decks hold.
    #[error("`{0}` is no count of a rank; accepted: 0 to {MAX}", MAX = RankCounts::RANK_MAX)]
    Count(String),
    /// A card taken out that is not there.
    #[error("there is no {0} left to take out")]
    NotThere(Card),
    /// Too few cards to finish any round.
    #[error("a round can take {needed} cards; only {left} are left")]
    TooFew {
        /// How many a round can take.
        needed: u32,
        /// How many there are.
        left: u32,
    },
    /// No deck for Niu Niu.
    #[error(transparent)]
    Deck(#[from] NiuNiuDeckError),
}

impl RankCounts {
    /// Four of a rank in each of ten decks.
    pub const RANK_MAX: u16 = 40;
    /// A baccarat round takes at most six cards.
    pub const ROUND: u32 = 6;

    /// All cards of some decks.
    #[must_use]
    pub fn of_decks(decks: Decks) -> Self {
        Self([u16::from(decks.number()) * 4; 13])
    }

    /// Counts from ace to king.
    ///
    /// # Errors
    /// [`CountsError::Count`] if a rank has more cards than ten decks hold.
    pub fn new(counts: [u16; 13]) -> Result<Self, CountsError> {
        match counts.iter().find(|count| **count > Self::RANK_MAX) {
            Some(count) => Err(CountsError::Count(count.to_string())),
            None => Ok(Self(counts)),
        }
    }

    /// The same shoe without these cards.
    ///
    /// # Errors
    /// [`CountsError::NotThere`].
    pub fn without(mut self, cards: &[Card]) -> Result<Self, CountsError> {
        for card in cards {
            let count = &mut self.0[card.rank().index()];
            *count = count.checked_sub(1).ok_or(CountsError::NotThere(*card))?;
        }
        Ok(self)
    }

    /// The counts, ace first.
    #[must_use]
    pub const fn counts(&self) -> &[u16; 13] {
        &self.0
    }

    /// The cards of one rank.
    #[must_use]
    pub fn of(&self, rank: Rank) -> u16 {
        self.0[rank.index()]
    }

    /// All cards.
    #[must_use]
    pub fn cards(&self) -> u32 {
        self.0.iter().map(|count| u32::from(*count)).sum()
    }

    /// Whether a round can always be finished.
    ///
    /// # Errors
    /// [`CountsError::TooFew`].
    pub fn check_round(&self) -> Result<(), CountsError> {
        let left = self.cards();
        if left < Self::ROUND { Err(CountsError::TooFew { needed: Self::ROUND, left }) } else { Ok(()) }
    }
}

/// The cards of a shoe, with their suits where these are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShoeCards {
    cards: Composition,
    suits_known: bool,
}

impl ShoeCards {
    /// All cards of some decks.
    #[must_use]
    pub const fn of_decks(decks: Decks) -> Self {
        Self::of_cards(Composition::of_decks(decks))
    }

    /// These cards.
    #[must_use]
    pub const fn of_cards(cards: Composition) -> Self {
        Self { cards, suits_known: true }
    }

    /// So many cards of each rank, of suits that nobody knows.
    #[must_use]
    pub fn of_ranks(ranks: &RankCounts) -> Self {
        let mut cards = Composition::EMPTY;
        for rank in Rank::ALL {
            for suit in Suit::ALL.into_iter().cycle().take(ranks.of(rank).into()) {
                // A rank has at most 40 cards, so there is room.
                let _ = cards.add(Card::new(rank, suit));
            }
        }
        Self { cards, suits_known: false }
    }

    /// The cards for who asks for suits, or does not: nothing if the answer is not known.
    #[must_use]
    pub fn for_suits(&self, asked: bool) -> Option<&Composition> {
        (self.suits_known || !asked).then_some(&self.cards)
    }
}

/// `32,32,…`: 13 counts from ace to king.
impl FromStr for RankCounts {
    type Err = CountsError;

    fn from_str(text: &str) -> Result<Self, CountsError> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let parsed: Result<Vec<u16>, CountsError> = parts
            .iter()
            .map(|part| part.parse().map_err(|_| CountsError::Count((*part).to_string())))
            .collect();
        let counts: [u16; 13] = parsed?.try_into().map_err(|_| CountsError::Shape(parts.len()))?;
        Self::new(counts)
    }
}

impl fmt::Display for RankCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decks_removals_and_text() {
        let eight = RankCounts::of_decks(Decks::new(8).unwrap());
        assert_eq!(eight.cards(), 416);
        let less = eight.without(&croupier_cards::parse_cards("8S KD KC").unwrap()).unwrap();
        assert_eq!((less.of(Rank::Eight), less.of(Rank::King), less.cards()), (31, 30, 413));
        assert_eq!(less.to_string().parse(), Ok(less));
        assert_eq!("1,2".parse::<RankCounts>(), Err(CountsError::Shape(2)));
        assert!("41,0,0,0,0,0,0,0,0,0,0,0,0".parse::<RankCounts>().is_err());
        assert!("40,0,0,0,0,0,0,0,0,0,0,0,0".parse::<RankCounts>().is_ok());
        let none: RankCounts = "0,0,0,0,0,0,0,0,0,0,0,0,5".parse().unwrap();
        assert_eq!(none.check_round(), Err(CountsError::TooFew { needed: 6, left: 5 }));
        assert!(none.without(&["2C".parse().unwrap()]).is_err());
    }
}
