//! How many cards a new shoe burns.

use core::fmt;

use croupier_cards::Rank;

/// How many cards a new shoe burns.
///
/// ```
/// use croupier_cards::Rank;
/// use croupier_rules::baccarat::Burn;
/// assert_eq!(Burn::Cards(3).cards(Rank::King), 3);
/// assert_eq!(Burn::FirstCard.cards(Rank::King), 11);
/// assert_eq!(Burn::FirstCard.cards(Rank::Ace), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Burn {
    /// So many.
    Cards(u32),
    /// The first card, and after it as many as that is worth: an ace one, pips as printed, tens and pictures ten.
    FirstCard,
}

impl Burn {
    /// The name of the burn by the first card, in files and arguments.
    pub const FIRST_CARD: &'static str = "first-card";

    /// How many are burned if the first of them has this rank; it is one of them.
    #[must_use]
    pub const fn cards(self, first: Rank) -> u32 {
        match self {
            Self::Cards(cards) => cards,
            Self::FirstCard => 1 + worth(first),
        }
    }

    /// The most that can be burned.
    #[must_use]
    pub const fn most(self) -> u32 {
        match self {
            Self::Cards(cards) => cards,
            Self::FirstCard => 11,
        }
    }
}

/// `1 card burned`, `3 cards burned`, `burned by the first card's value`.
impl fmt::Display for Burn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cards(1) => f.write_str("1 card burned"),
            Self::Cards(cards) => write!(f, "{cards} cards burned"),
            Self::FirstCard => f.write_str("burned by the first card's value"),
        }
    }
}

const fn worth(first: Rank) -> u32 {
    match first {
        Rank::Ace => 1,
        Rank::Two => 2,
        Rank::Three => 3,
        Rank::Four => 4,
        Rank::Five => 5,
        Rank::Six => 6,
        Rank::Seven => 7,
        Rank::Eight => 8,
        Rank::Nine => 9,
        Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => 10,
    }
}
