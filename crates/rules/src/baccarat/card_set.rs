//! A set of cards, as a pay line names one: some ranks of some suits.

use core::fmt;

use croupier_cards::{Card, Rank, Suit};

/// The cards of some ranks and some suits, as bits.
///
/// ```
/// use croupier_cards::{Rank, Suit};
/// use croupier_rules::baccarat::CardSet;
/// let red_kings = CardSet::of_ranks([Rank::King]).and(CardSet::of_suits(CardSet::RED));
/// assert!(red_kings.contains("KH".parse().unwrap()));
/// assert!(!red_kings.contains("KS".parse().unwrap()));
/// assert_eq!(red_kings.to_string(), "red K");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CardSet {
    ranks: u16,
    suits: u8,
}

impl CardSet {
    /// Every card.
    pub const ALL: Self = Self { ranks: (1 << 13) - 1, suits: (1 << 4) - 1 };
    /// Hearts and diamonds.
    pub const RED: [Suit; 2] = [Suit::Hearts, Suit::Diamonds];
    /// Spades and clubs.
    pub const BLACK: [Suit; 2] = [Suit::Spades, Suit::Clubs];

    /// All cards of these ranks.
    #[must_use]
    pub fn of_ranks(ranks: impl IntoIterator<Item = Rank>) -> Self {
        Self { ranks: ranks.into_iter().fold(0, |bits, rank| bits | 1 << rank.index()), ..Self::ALL }
    }

    /// All cards of these suits.
    #[must_use]
    pub fn of_suits(suits: impl IntoIterator<Item = Suit>) -> Self {
        Self { suits: suits.into_iter().fold(0, |bits, suit| bits | 1 << suit.index()), ..Self::ALL }
    }

    /// The cards that are in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { ranks: self.ranks & other.ranks, suits: self.suits & other.suits }
    }

    /// Whether a card is in the set.
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.has_rank(card.rank()) && self.has_suit(card.suit())
    }

    /// Whether no card is in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.ranks == 0 || self.suits == 0
    }

    /// Whether suits make a difference to it.
    #[must_use]
    pub const fn asks_suits(self) -> bool {
        self.suits != Self::ALL.suits
    }

    /// Whether ranks make a difference to it.
    #[must_use]
    pub const fn asks_ranks(self) -> bool {
        self.ranks != Self::ALL.ranks
    }

    /// The ranks whose cards are in it, from ace to king.
    pub fn ranks(self) -> impl Iterator<Item = Rank> {
        Rank::ALL.into_iter().filter(move |rank| self.has_rank(*rank))
    }

    /// The suits whose cards are in it.
    pub fn suits(self) -> impl Iterator<Item = Suit> {
        Suit::ALL.into_iter().filter(move |suit| self.has_suit(*suit))
    }

    const fn has_rank(self, rank: Rank) -> bool {
        self.ranks >> rank.index() & 1 == 1
    }

    const fn has_suit(self, suit: Suit) -> bool {
        self.suits >> suit.index() & 1 == 1
    }
}

/// `8`, `K or Q`, `red`, `spades`, `red K`, `any`.
impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str("any");
        }
        let mut between = "";
        let mut word = |f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>, next: &'static str| {
            write!(f, "{between}{text}")?;
            between = next;
            Ok(())
        };
        if self.suits == Self::of_suits(Self::RED).suits {
            word(f, format_args!("red"), " ")?;
        } else if self.suits == Self::of_suits(Self::BLACK).suits {
            word(f, format_args!("black"), " ")?;
        } else if self.asks_suits() {
            for suit in self.suits() {
                word(f, format_args!("{}", suit_key(suit)), " or ")?;
            }
        }
        if self.asks_ranks() {
            let mut between = if self.asks_suits() { " " } else { "" };
            for rank in self.ranks() {
                write!(f, "{between}{}", rank_key(rank))?;
                between = " or ";
            }
        }
        Ok(())
    }
}

/// How a rank is written in a rulebook.
#[must_use]
pub const fn rank_key(rank: Rank) -> &'static str {
    match rank {
        Rank::Ace => "A",
        Rank::Two => "2",
        Rank::Three => "3",
        Rank::Four => "4",
        Rank::Five => "5",
        Rank::Six => "6",
        Rank::Seven => "7",
        Rank::Eight => "8",
        Rank::Nine => "9",
        Rank::Ten => "10",
        Rank::Jack => "J",
        Rank::Queen => "Q",
        Rank::King => "K",
    }
}

/// How a suit is written in a rulebook.
#[must_use]
pub const fn suit_key(suit: Suit) -> &'static str {
    match suit {
        Suit::Spades => "spades",
        Suit::Hearts => "hearts",
        Suit::Clubs => "clubs",
        Suit::Diamonds => "diamonds",
    }
}
