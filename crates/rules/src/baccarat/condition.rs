//! The `when` of a baccarat pay line: which outcomes it speaks of.

use core::fmt;

use super::{Outcome, Side, Winner};

/// A set of small numbers, such as counts, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NumberSet(u16);

impl NumberSet {
    /// All numbers from 0 to 15.
    pub const ALL: Self = Self(u16::MAX);
    /// No number.
    pub const NONE: Self = Self(0);

    /// The set with `number` (below 16) added.
    #[must_use]
    pub const fn with(self, number: u8) -> Self {
        Self(self.0 | 1 << number)
    }

    /// Whether `number` is in the set.
    #[must_use]
    pub const fn contains(self, number: u8) -> bool {
        self.0 >> number & 1 == 1
    }

    /// The numbers in the set, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..16).filter(move |number| self.contains(*number))
    }
}

impl FromIterator<u8> for NumberSet {
    fn from_iter<I: IntoIterator<Item = u8>>(numbers: I) -> Self {
        numbers.into_iter().fold(Self::NONE, Self::with)
    }
}

/// `6` or `0–5` or `2, 4, 6`.
impl fmt::Display for NumberSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(first), Some(last)) = (self.iter().next(), self.iter().last()) else {
            return f.write_str("none");
        };
        if first == last {
            return write!(f, "{first}");
        }
        if self.iter().count() == usize::from(last - first) + 1 {
            return write!(f, "{first}–{last}");
        }
        for (at, number) in self.iter().enumerate() {
            write!(f, "{}{number}", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// What must hold for a pay line to apply; what is not named may be anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Who wins.
    pub winner: Option<Winner>,
    /// Whether an initial hand was a natural.
    pub natural: Option<bool>,
    /// Final count of the Player's hand.
    pub player_points: NumberSet,
    /// Final count of the Banker's hand.
    pub banker_points: NumberSet,
    /// Number of cards in the Player's hand.
    pub player_cards: NumberSet,
    /// Number of cards in the Banker's hand.
    pub banker_cards: NumberSet,
    /// Number of cards in both hands.
    pub total_cards: NumberSet,
    /// Difference of the counts.
    pub margin: NumberSet,
    /// Whether the Player's first two cards pair.
    pub player_pair: Option<bool>,
    /// Whether the Banker's first two cards pair.
    pub banker_pair: Option<bool>,
}

impl Condition {
    /// Holds for every outcome.
    pub const ANY: Self = Self {
        winner: None,
        natural: None,
        player_points: NumberSet::ALL,
        banker_points: NumberSet::ALL,
        player_cards: NumberSet::ALL,
        banker_cards: NumberSet::ALL,
        total_cards: NumberSet::ALL,
        margin: NumberSet::ALL,
        player_pair: None,
        banker_pair: None,
    };

    /// Whether the outcome is one of those the line speaks of.
    #[must_use]
    pub fn holds(&self, outcome: Outcome) -> bool {
        self.winner.is_none_or(|winner| winner == outcome.winner())
            && self.natural.is_none_or(|natural| natural == outcome.is_natural())
            && self.player_points.contains(outcome.points(Side::Player))
            && self.banker_points.contains(outcome.points(Side::Banker))
            && self.player_cards.contains(outcome.cards(Side::Player))
            && self.banker_cards.contains(outcome.cards(Side::Banker))
            && self.total_cards.contains(outcome.total_cards())
            && self.margin.contains(outcome.margin())
            && self.player_pair.is_none_or(|pair| pair == outcome.is_pair(Side::Player))
            && self.banker_pair.is_none_or(|pair| pair == outcome.is_pair(Side::Banker))
    }
}

/// In words: `Banker wins, Banker 6 points, Banker 3 cards`.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut part = |f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>| {
            write!(f, "{separator}{text}")?;
            separator = ", ";
            Ok(())
        };
        match self.winner {
            Some(Winner::Player) => part(f, format_args!("Player wins"))?,
            Some(Winner::Banker) => part(f, format_args!("Banker wins"))?,
            Some(Winner::Tie) => part(f, format_args!("tie"))?,
            None => {}
        }
        match self.natural {
            Some(true) => part(f, format_args!("natural"))?,
            Some(false) => part(f, format_args!("no natural"))?,
            None => {}
        }
        for (set, what) in [(self.player_points, "Player on"), (self.banker_points, "Banker on")] {
            if set != NumberSet::ALL {
                part(f, format_args!("{what} {set}"))?;
            }
        }
        for (set, whose) in
            [(self.player_cards, "Player "), (self.banker_cards, "Banker "), (self.total_cards, "")]
        {
            if set != NumberSet::ALL {
                part(f, format_args!("{whose}{set} cards"))?;
            }
        }
        if self.margin != NumberSet::ALL {
            part(f, format_args!("by {}", self.margin))?;
        }
        for (pair, whose) in [(self.player_pair, "Player"), (self.banker_pair, "Banker")] {
            match pair {
                Some(true) => part(f, format_args!("{whose} pair"))?,
                Some(false) => part(f, format_args!("no {whose} pair"))?,
                None => {}
            }
        }
        if separator.is_empty() { f.write_str("always") } else { Ok(()) }
    }
}
