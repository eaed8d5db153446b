//! Conditions in English words, for the terminal and reports. The browser makes its words in each language from the
//! same value, as `serial` writes it.

use core::fmt;

use super::{CardTest, ClassTest, Condition, Whose};
use crate::baccarat::{Side, Winner};

/// `Banker wins, Banker on 6, Banker 3 cards`.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(parts) if parts.is_empty() => f.write_str("always"),
            Self::All(parts) => joined(f, parts, ", "),
            Self::Any(parts) => joined(f, parts, " or "),
            Self::Not(part) => match &**part {
                Self::Class(ClassTest::Natural) => f.write_str("no natural"),
                Self::Class(ClassTest::Pair(side)) => write!(f, "no {} pair", name(*side)),
                Self::Cards(CardTest::PerfectPair(side)) => write!(f, "no {} perfect pair", name(*side)),
                Self::Cards(CardTest::EqualPairs) => f.write_str("no equal pairs"),
                part @ (Self::All(_) | Self::Any(_) | Self::Not(_) | Self::Class(_) | Self::Cards(_)) => {
                    write!(f, "not ({part})")
                }
            },
            Self::Class(test) => test.fmt(f),
            Self::Cards(test) => test.fmt(f),
        }
    }
}

/// The parts with a word between them; one that has words between its own parts stands in brackets.
fn joined(f: &mut fmt::Formatter<'_>, parts: &[Condition], between: &str) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(between)?;
        }
        match part {
            Condition::All(inner) | Condition::Any(inner) if inner.len() > 1 && parts.len() > 1 => {
                write!(f, "({part})")?;
            }
            Condition::All(_)
            | Condition::Any(_)
            | Condition::Not(_)
            | Condition::Class(_)
            | Condition::Cards(_) => write!(f, "{part}")?,
        }
    }
    Ok(())
}

impl fmt::Display for ClassTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Winner(Winner::Player) => f.write_str("Player wins"),
            Self::Winner(Winner::Banker) => f.write_str("Banker wins"),
            Self::Winner(Winner::Tie) => f.write_str("tie"),
            Self::Natural => f.write_str("natural"),
            Self::Points(side, set) => write!(f, "{} on {set}", name(*side)),
            Self::Cards(side, set) => write!(f, "{} {set} cards", name(*side)),
            Self::TotalCards(set) => write!(f, "{set} cards"),
            Self::Margin(set) => write!(f, "by {set}"),
            Self::PointsSum(set) => write!(f, "both counts sum to {set}"),
            Self::Pair(side) => write!(f, "{} pair", name(*side)),
        }
    }
}

impl fmt::Display for CardTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InitialPoints(side, set) => write!(f, "{} on {set} with two cards", name(*side)),
            Self::Card(side, place, set) => {
                write!(f, "{}'s {} card {set}", name(*side), place.key())
            }
            Self::PerfectPair(side) => write!(f, "{} perfect pair", name(*side)),
            Self::Suited(side) => write!(f, "{}'s first two cards of one suit", name(*side)),
            Self::EqualPairs => f.write_str("equal pairs"),
            Self::Count(whose, set, times) => write!(f, "{times} × {set}{}", of(*whose)),
            Self::Every(whose, set) => write!(f, "every card{} {set}", of(*whose)),
        }
    }
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::Player => "Player",
        Side::Banker => "Banker",
    }
}

const fn of(whose: Whose) -> &'static str {
    match whose {
        Whose::Both => "",
        Whose::One(Side::Player) => " of the Player's",
        Whose::One(Side::Banker) => " of the Banker's",
    }
}
