//! How a card is written: rank, then suit, as in `8S`, `TS` or `AH`.
//!
//! Reading is lenient where no one can be misled: lower case, `10S` for `TS`, and `♠ ♥ ♣ ♦` for the suits.
//! Writing is always in the short form. Nothing here knows more than single cards and lists of them.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::card::{Card, Rank, Suit};

/// Reads cards that are separated by white space or commas, in the order they are written.
///
/// A comma may stand only after a card, so that a card lost between two commas does not go unnoticed.
///
/// # Errors
///
/// The first piece that is no card, and where it stands.
///
/// ```
/// use croupier_cards::parse_cards;
///
/// let cards = parse_cards("8S kd, 10♥")?;
/// assert_eq!(format!("{cards:?}"), "[8S, KD, TH]");
///
/// let error = parse_cards("8S 1D").unwrap_err();
/// assert_eq!((error.offset, error.text.as_str()), (3, "1D"));
/// # Ok::<(), croupier_cards::ParseCardsError>(())
/// ```
pub fn parse_cards(text: &str) -> Result<Vec<Card>, ParseCardsError> {
    let mut cards = Vec::new();
    let mut offset = 0;
    for between_commas in text.split_inclusive(',') {
        let (listed, comma) = match between_commas.strip_suffix(',') {
            Some(listed) => (listed, true),
            None => (between_commas, false),
        };
        let before = cards.len();
        let mut word_offset = offset;
        for word in listed.split_inclusive(char::is_whitespace) {
            let piece = word.trim_end();
            if !piece.is_empty() {
                let card = piece.parse().map_err(|fault| ParseCardsError {
                    offset: word_offset,
                    text: piece.to_owned(),
                    fault,
                })?;
                cards.push(card);
            }
            word_offset += word.len();
        }
        if comma && cards.len() == before {
            return Err(ParseCardsError { offset, text: String::new(), fault: ParseCardError::Empty });
        }
        offset += between_commas.len();
    }
    Ok(cards)
}

/// Why a text is not a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCardError {
    /// There is nothing to read.
    #[error("a card is missing: write its rank and suit, such as 8S, TS or AH")]
    Empty,
    /// `1S`, `XS`
    #[error("unknown rank `{}`: write A, 2 to 9, T or 10, J, Q or K, then the suit", .found.escape_debug())]
    UnknownRank {
        /// What stands where the rank should.
        found: char,
    },
    /// `8`, `10`
    #[error("the suit is missing: write S, H, C or D after the rank")]
    MissingSuit,
    /// `8X`
    #[error("unknown suit `{}`: write S, H, C or D after the rank", .found.escape_debug())]
    UnknownSuit {
        /// What stands where the suit should.
        found: char,
    },
    /// `8SH`
    #[error("`{}` follows the suit: a card ends with its suit, such as 8S", .found.escape_debug())]
    Trailing {
        /// The first character too many.
        found: char,
    },
}

/// Why a text is not a list of cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` at byte {offset}: {fault}", .text.escape_debug())]
pub struct ParseCardsError {
    /// Where the faulty piece begins, in bytes from the start of the text.
    pub offset: usize,
    /// The faulty piece; empty when a comma has no card before it.
    pub text: String,
    /// What is wrong with it.
    pub fault: ParseCardError,
}

impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (rank, rest) = match text.strip_prefix("10") {
            Some(rest) => (Rank::Ten, rest),
            None => {
                let (found, rest) = split_first(text).ok_or(ParseCardError::Empty)?;
                (Rank::from_letter(found).ok_or(ParseCardError::UnknownRank { found })?, rest)
            }
        };
        let (found, rest) = split_first(rest).ok_or(ParseCardError::MissingSuit)?;
        let suit = Suit::from_letter(found).ok_or(ParseCardError::UnknownSuit { found })?;
        // Telephones write the symbols as pictures, with an invisible mark behind them.
        let rest = if found.is_ascii() { rest } else { rest.strip_prefix('\u{fe0f}').unwrap_or(rest) };
        match rest.chars().next() {
            Some(found) => Err(ParseCardError::Trailing { found }),
            None => Ok(Self::new(rank, suit)),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(2);
        text.push(self.rank().letter());
        text.push(self.suit().letter());
        f.pad(&text)
    }
}

/// As it is written, so that a list of cards stays readable.
impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Rank {
    /// The rank as it is written on a card: `A`, `2` to `9`, `T`, `J`, `Q`, `K`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Ace => 'A',
            Self::Two => '2',
            Self::Three => '3',
            Self::Four => '4',
            Self::Five => '5',
            Self::Six => '6',
            Self::Seven => '7',
            Self::Eight => '8',
            Self::Nine => '9',
            Self::Ten => 'T',
            Self::Jack => 'J',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }

    /// The rank that is written so, in either case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.letter() == letter.to_ascii_uppercase())
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letter().encode_utf8(&mut [0; 4]))
    }
}

impl Suit {
    /// The suit as it is written on a card: `S`, `H`, `C`, `D`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Spades => 'S',
            Self::Hearts => 'H',
            Self::Clubs => 'C',
            Self::Diamonds => 'D',
        }
    }

    /// The suit as it is printed on a card: `♠`, `♥`, `♣`, `♦`.
    #[must_use]
    pub const fn symbol(self) -> char {
        match self {
            Self::Spades => '♠',
            Self::Hearts => '♥',
            Self::Clubs => '♣',
            Self::Diamonds => '♦',
        }
    }

    /// The suit that is written so, as a letter in either case or as a symbol.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_uppercase();
        Self::ALL.into_iter().find(|suit| suit.letter() == letter || suit.symbol() == letter)
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letter().encode_utf8(&mut [0; 4]))
    }
}

fn split_first(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    let first = characters.next()?;
    Some((first, characters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    fn check(text: &str, expect: &str) {
        let got = match text.parse::<Card>() {
            Ok(card) => card.to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expect, "{text:?}");
    }

    #[test]
    fn cards_are_read_in_every_way_they_are_written() {
        check("8S", "8S");
        check("TS", "TS");
        check("10S", "TS");
        check("ah", "AH");
        check("qD", "QD");
        check("10c", "TC");
        check("2♠", "2S");
        check("K♥", "KH");
        check("10♣", "TC");
        check("j♦", "JD");
        check("A♥\u{fe0f}", "AH");
    }

    #[test]
    fn what_is_no_card_is_refused_with_a_reason() {
        check("", "a card is missing: write its rank and suit, such as 8S, TS or AH");
        check("1S", "unknown rank `1`: write A, 2 to 9, T or 10, J, Q or K, then the suit");
        check("XS", "unknown rank `X`: write A, 2 to 9, T or 10, J, Q or K, then the suit");
        check("♠8", "unknown rank `♠`: write A, 2 to 9, T or 10, J, Q or K, then the suit");
        check(" 8S", "unknown rank ` `: write A, 2 to 9, T or 10, J, Q or K, then the suit");
        check("\0", "unknown rank `\\0`: write A, 2 to 9, T or 10, J, Q or K, then the suit");
        check("8", "the suit is missing: write S, H, C or D after the rank");
        check("10", "the suit is missing: write S, H, C or D after the rank");
        check("8X", "unknown suit `X`: write S, H, C or D after the rank");
        check("8é", "unknown suit `é`: write S, H, C or D after the rank");
        check("100S", "unknown suit `0`: write S, H, C or D after the rank");
        check("8SH", "`H` follows the suit: a card ends with its suit, such as 8S");
        check("8S\u{fe0f}", "`\\u{fe0f}` follows the suit: a card ends with its suit, such as 8S");
        check("8♠♠", "`♠` follows the suit: a card ends with its suit, such as 8S");
    }

    #[test]
    fn letters_that_only_look_alike_are_not_read() {
        // Full-width eight and the long s, whose upper case is S.
        check("８S", "unknown rank `８`: write A, 2 to 9, T or 10, J, Q or K, then the suit");
        check("8ſ", "unknown suit `ſ`: write S, H, C or D after the rank");
    }

    #[test]
    fn cards_are_padded_like_any_text() {
        let card = Card::new(Rank::Ten, Suit::Hearts);
        assert_eq!(format!("[{card:>4}] [{card:<4}] [{card:?}]"), "[  TH] [TH  ] [TH]");
        assert_eq!(format!("[{:>2}] [{:>2}]", Rank::Ten, Suit::Hearts), "[ T] [ H]");
    }

    fn check_list(text: &str, expect: &str) {
        let got = match parse_cards(text) {
            Ok(cards) => format!("{cards:?}"),
            Err(error) => format!("{} {:?} {:?}", error.offset, error.text, error.fault),
        };
        assert_eq!(got, expect, "{text:?}");
    }

    #[test]
    fn lists_are_separated_by_white_space_or_commas() {
        check_list("", "[]");
        check_list(" \n", "[]");
        check_list("8S", "[8S]");
        check_list("8S KD", "[8S, KD]");
        check_list("8S,KD", "[8S, KD]");
        check_list("\t8S ,\u{3000}KD,\r\n 10♥ ", "[8S, KD, TH]");
        check_list("8S,KD,", "[8S, KD]");
    }

    #[test]
    fn the_faulty_piece_of_a_list_is_named_with_its_place() {
        check_list("8S 1D KD", "3 \"1D\" UnknownRank { found: '1' }");
        check_list("8♠,é", "5 \"é\" UnknownRank { found: 'é' }");
        check_list("8S\u{3000} 8", "6 \"8\" MissingSuit");
        check_list("8S;KD", "0 \"8S;KD\" Trailing { found: ';' }");
        check_list("8S,,KD", "3 \"\" Empty");
        check_list("8S, ,KD", "3 \"\" Empty");
        check_list(",8S", "0 \"\" Empty");
        let error = parse_cards("8S 1D").unwrap_err().to_string();
        assert!(error.starts_with("`1D` at byte 3: unknown rank `1`: write A"), "{error}");
    }
}
