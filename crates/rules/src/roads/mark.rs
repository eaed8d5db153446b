//! The result of a hand as the roads see it, and how it is written.

use alloc::vec::Vec;
use thiserror::Error;

/// How a hand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// `P`: the Player hand won.
    Player,
    /// `B`: the Banker hand won.
    Banker,
    /// `T`: the hands were equal.
    Tie,
}

impl Mark {
    /// The mark that a letter stands for, in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'P' | 'p' => Some(Self::Player),
            'B' | 'b' => Some(Self::Banker),
            'T' | 't' => Some(Self::Tie),
            _ => None,
        }
    }

    /// `P`, `B` or `T`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Player => 'P',
            Self::Banker => 'B',
            Self::Tie => 'T',
        }
    }

    /// The side that won, if one did.
    #[must_use]
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Player => Some(Side::Player),
            Self::Banker => Some(Side::Banker),
            Self::Tie => None,
        }
    }
}

/// The side that won a hand which was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// `P`
    Player,
    /// `B`
    Banker,
}

impl Side {
    /// `P` or `B`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Player => 'P',
            Self::Banker => 'B',
        }
    }
}

/// A character in a line of results that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "column {column}: {letter:?} is not a result; accepted are P (Player), B (Banker) and T (Tie) in either \
     case, and spaces or dashes between them"
)]
pub struct BadLetter {
    /// Where it stands, counted in characters from 1.
    pub column: usize,
    /// The character itself.
    pub letter: char,
}

/// Reads a shoe written as letters, such as `BBPTB` or `bb-p t b`; spaces and dashes have no meaning.
///
/// ```
/// use croupier_rules::roads::{BadLetter, Mark, parse_marks};
///
/// assert_eq!(parse_marks("b-P t"), Ok(vec![Mark::Banker, Mark::Player, Mark::Tie]));
/// assert_eq!(parse_marks("BPX"), Err(BadLetter { column: 3, letter: 'X' }));
/// ```
///
/// # Errors
/// [`BadLetter`] with the first character that is neither a result nor a separator.
pub fn parse_marks(text: &str) -> Result<Vec<Mark>, BadLetter> {
    let mut marks = Vec::with_capacity(text.len());
    for (letter, column) in text.chars().zip(1..) {
        match Mark::from_letter(letter) {
            Some(mark) => marks.push(mark),
            None if letter == '-' || letter.is_whitespace() => {}
            None => return Err(BadLetter { column, letter }),
        }
    }
    Ok(marks)
}
