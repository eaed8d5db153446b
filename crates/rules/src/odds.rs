//! Odds as the rulebooks write them: `8:1`, `19:20`.

use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use crate::ratio::Ratio;

/// What a winning wager is paid on top of its stake: `win` units for every `stake` units, in lowest terms.
///
/// ```
/// use croupier_rules::Odds;
/// let odds: Odds = "1.5:1".parse().unwrap();
/// assert_eq!(odds.to_string(), "3:2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Odds {
    win: u32,
    stake: u32,
}

/// Why a text is not valid odds.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OddsError {
    /// Not two numbers with a colon.
    #[error("`{0}` is not valid odds; write them as `8:1`, `19:20` or `1.5:1`")]
    Shape(String),
    /// A part is zero, or larger than any pay table has.
    #[error("`{0}` is not valid odds; each part must lie between 1 and {MAX_PART}", MAX_PART = Odds::MAX_PART)]
    Range(String),
}

impl Odds {
    /// The largest number on either side of the colon; it keeps every product of money and odds exact.
    pub const MAX_PART: u32 = 1_000_000;

    /// `win` to `stake`; nothing if a part is zero or above [`Odds::MAX_PART`].
    #[must_use]
    pub fn new(win: u32, stake: u32) -> Option<Self> {
        let in_range = |part: u32| (1..=Self::MAX_PART).contains(&part);
        if !in_range(win) || !in_range(stake) {
            return None;
        }
        let lowest = Ratio::new(win.into(), stake.into());
        Some(Self {
            win: u32::try_from(lowest.numerator()).ok()?,
            stake: u32::try_from(lowest.denominator()).ok()?,
        })
    }

    /// The winnings of one unit.
    #[must_use]
    pub fn ratio(self) -> Ratio {
        Ratio::new(self.win.into(), self.stake.into())
    }

    /// The odds whose winnings per unit are `ratio`, if it is positive and small enough.
    #[must_use]
    pub fn from_ratio(ratio: Ratio) -> Option<Self> {
        Self::new(u32::try_from(ratio.numerator()).ok()?, u32::try_from(ratio.denominator()).ok()?)
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.win, self.stake)
    }
}

impl FromStr for Odds {
    type Err = OddsError;

    fn from_str(text: &str) -> Result<Self, OddsError> {
        let shape = || OddsError::Shape(text.to_string());
        let range = || OddsError::Range(text.to_string());
        let (win, stake) = text.split_once(':').ok_or_else(shape)?;
        let ratio = decimal(win).ok_or_else(shape)? * {
            let stake = decimal(stake).ok_or_else(shape)?;
            if stake == Ratio::ZERO {
                return Err(range());
            }
            stake.recip()
        };
        Self::from_ratio(ratio).ok_or_else(range)
    }
}

/// A plain decimal with at most seven digits before and four after the point, without sign.
fn decimal(text: &str) -> Option<Ratio> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str, most: usize| {
        (!part.is_empty() && part.len() <= most && part.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| part.parse::<i128>().ok())
            .flatten()
    };
    let scale = 10_i128.pow(u32::try_from(fraction.len()).ok()?.min(4));
    Some(Ratio::new(digits(whole, 7)?, 1) + Ratio::new(digits(fraction, 4)?, scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_and_print() {
        for (text, printed) in
            [("8:1", "8:1"), ("19:20", "19:20"), ("0.95:1", "19:20"), ("1.5:1", "3:2"), ("2:4", "1:2")]
        {
            assert_eq!(text.parse::<Odds>().unwrap().to_string(), printed);
        }
    }

    #[test]
    fn what_is_no_odds_is_refused() {
        for text in ["", "8", "8:", ":1", "8-1", "-8:1", "8:x", "1e3:1", " 8:1", "8:1:1", "1.:1", "１:1"] {
            assert!(matches!(text.parse::<Odds>(), Err(OddsError::Shape(_))), "{text}");
        }
        for text in ["0:1", "1:0", "1000001:1", "1:1000001"] {
            assert!(matches!(text.parse::<Odds>(), Err(OddsError::Range(_))), "{text}");
        }
        assert!("1000000:1".parse::<Odds>().is_ok());
    }
}
