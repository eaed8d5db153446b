//! How many of each card there are, whatever their order: a number of decks, or what is left of them.
//!
//! The order of the cards is the [`Shoe`](crate::Shoe)'s; what a composition is worth to a bet is the lab's.

use core::fmt;

use crate::card::{Card, Rank};

/// A number of each of the 52 cards.
///
/// It holds at most 255 of a card, so that the count of a rank, and of all cards, fits in a `u16`.
///
/// ```
/// use croupier_cards::{Composition, Decks, Rank, parse_cards};
///
/// let mut shoe = Composition::of_decks(Decks::new(8)?);
/// for card in parse_cards("8S 8S TH")? {
///     shoe.remove(card)?;
/// }
/// assert_eq!(shoe.len(), 413);
/// assert_eq!(shoe.count("8S".parse()?), 6);
/// assert_eq!(shoe.count_rank(Rank::Ten), 31);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Composition([u8; Card::COUNT]);

impl Composition {
    /// No cards.
    pub const EMPTY: Self = Self([0; Card::COUNT]);

    /// Every card once per deck.
    #[must_use]
    pub const fn of_decks(decks: Decks) -> Self {
        Self([decks.number(); Card::COUNT])
    }

    /// The cards given, counted.
    ///
    /// # Errors
    ///
    /// When a card comes more than 255 times.
    pub fn of_cards(cards: impl IntoIterator<Item = Card>) -> Result<Self, CompositionError> {
        let mut composition = Self::EMPTY;
        for card in cards {
            composition.add(card)?;
        }
        Ok(composition)
    }

    /// Puts one such card in.
    ///
    /// # Errors
    ///
    /// When there are 255 already; nothing is changed then.
    pub fn add(&mut self, card: Card) -> Result<(), CompositionError> {
        let count = self.slot(card).and_then(|slot| {
            *slot = slot.checked_add(1)?;
            Some(())
        });
        count.ok_or(CompositionError::Full { card })
    }

    /// Takes one such card out.
    ///
    /// # Errors
    ///
    /// When there is none left; nothing is changed then.
    pub fn remove(&mut self, card: Card) -> Result<(), CompositionError> {
        let count = self.slot(card).and_then(|slot| {
            *slot = slot.checked_sub(1)?;
            Some(())
        });
        count.ok_or(CompositionError::NoneLeft { card })
    }

    /// How many there are of this card.
    #[must_use]
    pub fn count(&self, card: Card) -> u8 {
        self.0.get(card.index()).copied().unwrap_or_default()
    }

    /// How many cards there are of this rank, of all suits.
    #[must_use]
    pub fn count_rank(&self, rank: Rank) -> u16 {
        self.rank_counts().get(rank.index()).copied().unwrap_or_default()
    }

    /// How many cards there are of each rank, from Ace to King.
    #[must_use]
    pub fn rank_counts(&self) -> [u16; Rank::COUNT] {
        let mut counts = [0; Rank::COUNT];
        let (of_ranks, _) = self.0.as_chunks::<4>();
        for (count, suits) in counts.iter_mut().zip(of_ranks) {
            *count = suits.iter().copied().map(u16::from).sum();
        }
        counts
    }

    /// How many cards there are.
    #[must_use]
    pub fn len(&self) -> u16 {
        self.0.iter().copied().map(u16::from).sum()
    }

    /// Whether there are no cards.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Every one of the 52 cards with its count, none left included, in the order of [`Card::index`].
    pub fn counts(&self) -> impl DoubleEndedIterator<Item = (Card, u8)> + ExactSizeIterator + Clone {
        Card::all().zip(self.0)
    }

    /// Every card as often as it is there, in the order of [`Card::index`].
    pub fn cards(&self) -> impl Iterator<Item = Card> + Clone {
        self.counts().flat_map(|(card, count)| core::iter::repeat_n(card, usize::from(count)))
    }

    fn slot(&mut self, card: Card) -> Option<&mut u8> {
        self.0.get_mut(card.index())
    }
}

/// As a list of counts, without the cards that are not there: `{AS: 8, KD: 7}`.
impl fmt::Debug for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.counts().filter(|(_, count)| *count > 0)).finish()
    }
}

/// Why a card cannot be put in or taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompositionError {
    /// A card was to be taken out that is not there.
    #[error("there is no {card} left")]
    NoneLeft {
        /// The card asked for.
        card: Card,
    },
    /// A card was to be put in that is there 255 times already.
    #[error("there are 255 of {card} already, the most that can be counted")]
    Full {
        /// The card to put in.
        card: Card,
    },
}

/// A number of decks, from 1 to 10.
///
/// ```
/// use croupier_cards::Decks;
///
/// assert_eq!(Decks::new(8)?.cards(), 416);
/// assert!(Decks::new(11).is_err());
/// # Ok::<(), croupier_cards::DecksError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decks(u8);

impl Decks {
    /// One deck.
    pub const ONE: Self = Self(1);
    /// The fewest decks.
    pub const MIN: Self = Self::ONE;
    /// The most decks.
    pub const MAX: Self = Self(10);

    /// This many decks.
    ///
    /// # Errors
    ///
    /// When there are fewer than 1 or more than 10.
    pub const fn new(number: u8) -> Result<Self, DecksError> {
        if number >= Self::MIN.0 && number <= Self::MAX.0 {
            Ok(Self(number))
        } else {
            Err(DecksError { found: number })
        }
    }

    /// How many decks there are.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// How many cards they have together.
    #[must_use]
    pub fn cards(self) -> usize {
        usize::from(self.0) * Card::COUNT
    }
}

impl TryFrom<u8> for Decks {
    type Error = DecksError;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        Self::new(number)
    }
}

/// `8 decks`, `1 deck`
impl fmt::Display for Decks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} deck{}", self.0, if self.0 == 1 { "" } else { "s" })
    }
}

/// A number of decks that no shoe holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found} decks: a shoe holds 1 to 10 decks")]
pub struct DecksError {
    /// The number that was given.
    pub found: u8,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::Suit;
    use alloc::format;
    use alloc::string::ToString;

    const EIGHT_OF_SPADES: Card = Card::new(Rank::Eight, Suit::Spades);

    #[test]
    fn decks_are_one_to_ten() {
        assert_eq!(Decks::new(0), Err(DecksError { found: 0 }));
        assert_eq!(Decks::new(1), Ok(Decks::ONE));
        assert_eq!(Decks::new(9).map(Decks::number), Ok(9));
        assert_eq!(Decks::new(10), Ok(Decks::MAX));
        assert_eq!(Decks::new(11), Err(DecksError { found: 11 }));
        assert_eq!(Decks::try_from(255), Err(DecksError { found: 255 }));
        assert_eq!(DecksError { found: 11 }.to_string(), "11 decks: a shoe holds 1 to 10 decks");
        assert_eq!((Decks::ONE.to_string(), Decks::MAX.to_string()), ("1 deck".into(), "10 decks".into()));
    }

    #[test]
    fn decks_hold_every_card_alike() {
        for number in 1..=10 {
            let decks = Decks::new(number).unwrap();
            let composition = Composition::of_decks(decks);
            assert_eq!(usize::from(composition.len()), decks.cards());
            assert_eq!(composition.cards().count(), decks.cards());
            assert_eq!(composition.rank_counts(), [4 * u16::from(number); 13]);
            assert!(Card::all().all(|card| composition.count(card) == number));
            assert_eq!(Composition::of_cards(composition.cards()), Ok(composition));
        }
    }

    #[test]
    fn the_last_card_can_be_taken_and_not_one_more() {
        let mut composition = Composition::of_decks(Decks::new(2).unwrap());
        assert_eq!(composition.remove(EIGHT_OF_SPADES), Ok(()));
        assert_eq!(composition.remove(EIGHT_OF_SPADES), Ok(()));
        let before = composition;
        let refused = composition.remove(EIGHT_OF_SPADES);
        assert_eq!(refused, Err(CompositionError::NoneLeft { card: EIGHT_OF_SPADES }));
        assert_eq!(composition, before);
        assert_eq!((composition.len(), composition.count_rank(Rank::Eight)), (102, 6));
    }

    #[test]
    fn the_count_of_a_card_ends_at_255() {
        let mut composition = Composition::EMPTY;
        for count in 1..=255 {
            assert_eq!(composition.add(EIGHT_OF_SPADES), Ok(()));
            assert_eq!(composition.count(EIGHT_OF_SPADES), count);
        }
        let refused = composition.add(EIGHT_OF_SPADES);
        assert_eq!(refused, Err(CompositionError::Full { card: EIGHT_OF_SPADES }));
        assert_eq!(composition.len(), 255);
    }

    #[test]
    fn the_fullest_composition_is_counted_without_overflow() {
        let full = Composition([255; Card::COUNT]);
        assert_eq!((full.len(), full.rank_counts()), (13_260, [1_020; 13]));
    }

    #[test]
    fn ranks_are_counted_over_their_own_suits() {
        let mut composition = Composition::EMPTY;
        for card in crate::parse_cards("AS AH AC AD 2S KD KD").unwrap() {
            composition.add(card).unwrap();
        }
        assert_eq!(composition.rank_counts(), [4, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert_eq!(format!("{composition:?}"), "{AS: 1, AH: 1, AC: 1, AD: 1, 2S: 1, KD: 2}");
        assert!(!composition.is_empty());
        assert!(Composition::EMPTY.is_empty());
    }
}
