//! A playing card: its rank and its suit.
//!
//! How cards are written is in [`notation`](crate::notation). Points, the order of hands and everything
//! else that a rulebook decides does not belong here.

/// One of the 52 playing cards.
///
/// Two cards are equal when they look the same; the eight `8S` of an eight-deck shoe cannot be told apart.
/// The order is that of [`Card::index`]: by rank, then by suit, and has no meaning in any game.
///
/// ```
/// use croupier_cards::{Card, Rank, Suit};
///
/// let card = Card::new(Rank::Eight, Suit::Spades);
/// assert_eq!(card.to_string(), "8S");
/// assert_eq!("8S".parse(), Ok(card));
/// assert_eq!(Card::from_index(card.index()), Some(card));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// How many different cards there are.
    pub const COUNT: usize = 52;

    /// The card of this rank and suit.
    #[must_use]
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Self(rank.number() * 4 + suit.number())
    }

    /// The rank of the card.
    #[must_use]
    pub const fn rank(self) -> Rank {
        match self.0 / 4 {
            0 => Rank::Ace,
            1 => Rank::Two,
            2 => Rank::Three,
            3 => Rank::Four,
            4 => Rank::Five,
            5 => Rank::Six,
            6 => Rank::Seven,
            7 => Rank::Eight,
            8 => Rank::Nine,
            9 => Rank::Ten,
            10 => Rank::Jack,
            11 => Rank::Queen,
            _ => Rank::King,
        }
    }

    /// The suit of the card.
    #[must_use]
    pub const fn suit(self) -> Suit {
        match self.0 % 4 {
            0 => Suit::Spades,
            1 => Suit::Hearts,
            2 => Suit::Clubs,
            _ => Suit::Diamonds,
        }
    }

    /// The place of the card among the 52: four times the index of its rank plus the index of its suit,
    /// so `AS` is 0, `AH` 1, `2S` 4 and `KD` 51.
    #[must_use]
    pub const fn index(self) -> usize {
        widen(self.0)
    }

    /// The card with this index, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(narrow(index))) } else { None }
    }

    /// The index as one byte, as it is written to a store or hashed.
    #[must_use]
    pub const fn to_byte(self) -> u8 {
        self.0
    }

    /// The card that [`Card::to_byte`] wrote, if it could have written this byte.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        Self::from_index(widen(byte))
    }

    /// The cards of one deck, in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..52_u8).map(Self)
    }
}

/// The rank of a card, the Ace first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// `A`
    Ace,
    /// `2`
    Two,
    /// `3`
    Three,
    /// `4`
    Four,
    /// `5`
    Five,
    /// `6`
    Six,
    /// `7`
    Seven,
    /// `8`
    Eight,
    /// `9`
    Nine,
    /// `T`, also read as `10`
    Ten,
    /// `J`
    Jack,
    /// `Q`
    Queen,
    /// `K`
    King,
}

impl Rank {
    /// How many ranks there are.
    pub const COUNT: usize = 13;

    /// Every rank, from Ace to King.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Ace,
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
    ];

    /// The place of the rank in [`Rank::ALL`]: 0 for the Ace, 12 for the King.
    #[must_use]
    pub const fn index(self) -> usize {
        widen(self.number())
    }

    /// The rank with this index, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Card(narrow(index) * 4).rank()) } else { None }
    }

    const fn number(self) -> u8 {
        match self {
            Self::Ace => 0,
            Self::Two => 1,
            Self::Three => 2,
            Self::Four => 3,
            Self::Five => 4,
            Self::Six => 5,
            Self::Seven => 6,
            Self::Eight => 7,
            Self::Nine => 8,
            Self::Ten => 9,
            Self::Jack => 10,
            Self::Queen => 11,
            Self::King => 12,
        }
    }
}

/// The suit of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// `S`, also read as `♠`
    Spades,
    /// `H`, also read as `♥`
    Hearts,
    /// `C`, also read as `♣`
    Clubs,
    /// `D`, also read as `♦`
    Diamonds,
}

impl Suit {
    /// How many suits there are.
    pub const COUNT: usize = 4;

    /// Every suit: spades, hearts, clubs, diamonds.
    pub const ALL: [Self; Self::COUNT] = [Self::Spades, Self::Hearts, Self::Clubs, Self::Diamonds];

    /// The place of the suit in [`Suit::ALL`]: 0 for spades, 3 for diamonds.
    #[must_use]
    pub const fn index(self) -> usize {
        widen(self.number())
    }

    /// The suit with this index, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Card(narrow(index)).suit()) } else { None }
    }

    const fn number(self) -> u8 {
        match self {
            Self::Spades => 0,
            Self::Hearts => 1,
            Self::Clubs => 2,
            Self::Diamonds => 3,
        }
    }
}

#[expect(clippy::as_conversions, reason = "`usize::from` is not const, and a byte always fits")]
const fn widen(byte: u8) -> usize {
    byte as usize
}

/// The callers have checked that the index is below 52.
#[expect(clippy::as_conversions, reason = "`u8::try_from` is not const")]
const fn narrow(index: usize) -> u8 {
    index as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn a_card_is_one_byte() {
        assert_eq!(size_of::<Card>(), 1);
    }

    #[test]
    fn every_rank_and_suit_make_one_card_and_come_back() {
        let mut seen = [0_u8; Card::COUNT];
        for rank in Rank::ALL {
            for suit in Suit::ALL {
                let card = Card::new(rank, suit);
                assert_eq!((card.rank(), card.suit()), (rank, suit));
                assert_eq!(card.index(), rank.index() * 4 + suit.index());
                seen[card.index()] += 1;
            }
        }
        assert_eq!(seen, [1; Card::COUNT]);
    }

    #[test]
    fn indices_follow_the_listed_order() {
        for (index, rank) in Rank::ALL.into_iter().enumerate() {
            assert_eq!((rank.index(), Rank::from_index(index)), (index, Some(rank)));
        }
        for (index, suit) in Suit::ALL.into_iter().enumerate() {
            assert_eq!((suit.index(), Suit::from_index(index)), (index, Some(suit)));
        }
        for (index, card) in Card::all().enumerate() {
            assert_eq!((card.index(), Card::from_index(index)), (index, Some(card)));
        }
        let mut sorted: Vec<_> = Card::all().collect();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(Card::all()));
    }

    #[test]
    fn indices_end_where_the_cards_end() {
        assert_eq!(Rank::from_index(12), Some(Rank::King));
        assert_eq!(Suit::from_index(3), Some(Suit::Diamonds));
        assert_eq!(Card::from_index(51), Some(Card::new(Rank::King, Suit::Diamonds)));
        // 256 and more would wrap around if the index were narrowed before it is checked.
        for beyond in [52, 53, 255, 256, 257, usize::MAX] {
            assert_eq!(Rank::from_index(beyond), None);
            assert_eq!(Suit::from_index(beyond), None);
            assert_eq!(Card::from_index(beyond), None);
        }
        assert_eq!((Rank::from_index(13), Suit::from_index(4)), (None, None));
    }

    #[test]
    fn bytes_are_indices() {
        for byte in 0..=u8::MAX {
            assert_eq!(Card::from_byte(byte).map(Card::to_byte), (byte < 52).then_some(byte));
            assert_eq!(Card::from_byte(byte), Card::from_index(usize::from(byte)));
        }
    }
}
