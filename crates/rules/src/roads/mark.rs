//! How the results of a shoe are written.

use alloc::vec::Vec;
use thiserror::Error;

use crate::baccarat::Winner;

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
/// use croupier_rules::{baccarat::Winner, roads::{BadLetter, parse_marks}};
///
/// assert_eq!(parse_marks("b-P t"), Ok(vec![Winner::Banker, Winner::Player, Winner::Tie]));
/// assert_eq!(parse_marks("BPX"), Err(BadLetter { column: 3, letter: 'X' }));
/// ```
///
/// # Errors
/// [`BadLetter`] with the first character that is neither a result nor a separator.
pub fn parse_marks(text: &str) -> Result<Vec<Winner>, BadLetter> {
    let mut marks = Vec::with_capacity(text.len());
    for (letter, column) in text.chars().zip(1..) {
        match Winner::from_letter(letter) {
            Some(mark) => marks.push(mark),
            None if letter == '-' || letter.is_whitespace() => {}
            None => return Err(BadLetter { column, letter }),
        }
    }
    Ok(marks)
}
