//! The 13 × 13 × 2 classes in which a box can end, and the `when` of a Niu Niu pay line.

use core::fmt;

use super::hand::{Category, Hand};

/// Who wins a box; there is never a stand-off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BoxWinner {
    /// The box's hand is higher.
    Player,
    /// The Dealer's hand is higher.
    Dealer,
}

impl BoxWinner {
    /// Both winners.
    pub const ALL: [Self; 2] = [Self::Player, Self::Dealer];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Dealer => "dealer",
        }
    }
}

/// The class of a finished box: both categories and who won.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoxOutcome {
    /// The category of the box's hand.
    pub hand: Category,
    /// The category of the Dealer's hand.
    pub dealer: Category,
    /// Who won.
    pub winner: BoxWinner,
}

impl BoxOutcome {
    /// How many classes there are, reachable or not.
    pub const COUNT: usize = 13 * 13 * 2;

    /// The class of a box whose hand is higher or lower. Hands of one deck are never equal.
    #[must_use]
    pub fn of(hand: &Hand, dealer: &Hand) -> Self {
        let winner = if hand > dealer { BoxWinner::Player } else { BoxWinner::Dealer };
        Self { hand: hand.category(), dealer: dealer.category(), winner }
    }

    /// Its number, below [`BoxOutcome::COUNT`].
    #[must_use]
    pub const fn index(self) -> usize {
        let winner = match self.winner {
            BoxWinner::Player => 0,
            BoxWinner::Dealer => 1,
        };
        (self.hand.index() * 13 + self.dealer.index()) * 2 + winner
    }

    /// Every class that some cards lead to: the higher category wins, equal ones go either way.
    pub fn reachable() -> impl Iterator<Item = Self> {
        let pairs = Category::ALL.into_iter().flat_map(|hand| Category::ALL.map(|dealer| (hand, dealer)));
        pairs.flat_map(|(hand, dealer)| {
            [BoxWinner::Player, BoxWinner::Dealer]
                .into_iter()
                .filter(move |winner| match winner {
                    BoxWinner::Player => hand >= dealer,
                    BoxWinner::Dealer => hand <= dealer,
                })
                .map(move |winner| Self { hand, dealer, winner })
        })
    }
}

impl fmt::Display for BoxOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            BoxWinner::Player => write!(f, "{} beats the Dealer's {}", self.hand, self.dealer),
            BoxWinner::Dealer => write!(f, "{} loses to the Dealer's {}", self.hand, self.dealer),
        }
    }
}

/// A set of categories, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CategorySet(u16);

impl CategorySet {
    /// All categories.
    pub const ALL: Self = Self((1 << 13) - 1);

    /// Whether `category` is in the set.
    #[must_use]
    pub const fn contains(self, category: Category) -> bool {
        self.0 >> category.index() & 1 == 1
    }

    /// The categories in the set, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Category> {
        Category::ALL.into_iter().filter(move |category| self.contains(*category))
    }
}

impl FromIterator<Category> for CategorySet {
    fn from_iter<I: IntoIterator<Item = Category>>(categories: I) -> Self {
        Self(categories.into_iter().fold(0, |bits, category| bits | 1 << category.index()))
    }
}

impl fmt::Display for CategorySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, category) in self.iter().enumerate() {
            write!(f, "{}{category}", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// What must hold for a pay line to apply; what is not named may be anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Who wins.
    pub winner: Option<BoxWinner>,
    /// The box's hand.
    pub hand: CategorySet,
    /// The Dealer's hand.
    pub dealer: CategorySet,
}

impl Condition {
    /// Holds for every outcome.
    pub const ANY: Self = Self { winner: None, hand: CategorySet::ALL, dealer: CategorySet::ALL };

    /// Whether the outcome is one of those the line speaks of.
    #[must_use]
    pub fn holds(&self, outcome: BoxOutcome) -> bool {
        self.winner.is_none_or(|winner| winner == outcome.winner)
            && self.hand.contains(outcome.hand)
            && self.dealer.contains(outcome.dealer)
    }
}

/// In words: `box wins, hand niu-6`.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(BoxWinner::Player) => f.write_str("box wins")?,
            Some(BoxWinner::Dealer) => f.write_str("Dealer wins")?,
            None => f.write_str("any winner")?,
        }
        for (set, whose) in [(self.hand, "box"), (self.dealer, "Dealer")] {
            if set != CategorySet::ALL {
                write!(f, ", {whose} has {set}")?;
            }
        }
        Ok(())
    }
}
