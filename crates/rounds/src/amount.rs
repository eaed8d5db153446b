//! Amounts as people write them: whole or with cents, thousands apart if they like.

use croupier_rules::Amount;

/// How many decimals the amounts of a file have. The unit that people count in has ten minor units for each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Decimals(u8);

/// Why a text is not an amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AmountError {
    /// Not a number.
    #[error("is no amount; write `1000`, `1,000` or `47.50`")]
    Shape,
    /// More decimals than the currency has.
    #[error("has more decimals than its currency; write {}", .0.words())]
    Fraction(Decimals),
    /// Zero, or below.
    #[error("must be above zero")]
    NotPositive,
    /// Larger than any amount.
    #[error("is larger than the largest amount, {max}", max = .0.show(Amount::MAX))]
    TooLarge(Decimals),
}

impl Decimals {
    /// Two, where a file does not say.
    pub const USUAL: Self = Self(2);

    /// The most there are.
    pub const MOST: u8 = 4;

    /// So many, if a currency can have them.
    #[must_use]
    pub const fn new(decimals: u8) -> Option<Self> {
        if decimals <= Self::MOST { Some(Self(decimals)) } else { None }
    }

    /// How many.
    #[must_use]
    pub const fn count(self) -> u8 {
        self.0
    }

    /// Minor units in one unit.
    #[must_use]
    pub const fn minor(self) -> i64 {
        match self.0 {
            0 => 1,
            1 => 10,
            2 => 100,
            3 => 1_000,
            _ => 10_000,
        }
    }

    fn words(self) -> String {
        match self.0 {
            0 => "whole units".to_string(),
            1 => "at most one decimal".to_string(),
            2 => "at most two decimals".to_string(),
            count => format!("at most {count} decimals"),
        }
    }

    /// An amount above zero.
    ///
    /// # Errors
    /// [`AmountError`].
    pub fn parse_positive(self, text: &str) -> Result<Amount, AmountError> {
        let amount = self.parse_signed(text)?;
        if amount.is_positive() { Ok(amount) } else { Err(AmountError::NotPositive) }
    }

    /// An amount with or without a sign.
    ///
    /// # Errors
    /// [`AmountError`].
    pub fn parse_signed(self, text: &str) -> Result<Amount, AmountError> {
        let (sign, digits) = match text.as_bytes().first() {
            Some(b'-') => (-1, &text[1..]),
            Some(b'+') => (1, &text[1..]),
            _ => (1, text),
        };
        let (whole, part) =
            digits.split_once('.').map_or((digits, None), |(whole, part)| (whole, Some(part)));
        let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_grouped(whole) || part.is_some_and(|part| !all_digits(part)) {
            return Err(AmountError::Shape);
        }
        let part = part.unwrap_or_default();
        let width = usize::from(self.0);
        if part.len() > width {
            return Err(AmountError::Fraction(self));
        }
        let too_large = AmountError::TooLarge(self);
        let whole: i64 = whole.replace(',', "").parse().map_err(|_| too_large)?;
        let part: i64 = if width == 0 {
            0
        } else {
            format!("{part:0<width$}").parse().map_err(|_| AmountError::Shape)?
        };
        whole
            .checked_mul(self.minor())
            .and_then(|minor| minor.checked_add(part))
            .and_then(|minor| Amount::new(sign * minor))
            .ok_or(too_large)
    }

    /// The amount as people write it: `1,000`, `47.50`.
    #[must_use]
    pub fn show(self, amount: Amount) -> String {
        let minor = amount.minor();
        let unit = self.minor().unsigned_abs();
        let (whole, part) = (minor.unsigned_abs() / unit, minor.unsigned_abs() % unit);
        let digits = whole.to_string();
        let mut text = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at) % 3 == 0 {
                text.push(',');
            }
            text.push(digit);
        }
        if part > 0 {
            text.push_str(&format!(".{part:0>width$}", width = usize::from(self.0)));
        }
        if minor < 0 { format!("-{text}") } else { text }
    }

    /// The amount with its sign, `0` for nothing: how gains and losses are written.
    #[must_use]
    pub fn show_signed(self, amount: Amount) -> String {
        if amount.is_positive() { format!("+{}", self.show(amount)) } else { self.show(amount) }
    }
}

/// Digits, either without commas or with one before every three.
fn is_grouped(whole: &str) -> bool {
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    digits(first)
        && (!whole.contains(',') || first.len() <= 3)
        && groups.all(|group| group.len() == 3 && digits(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write() {
        for (text, minor, shown) in [
            ("0", 0, "0"),
            ("1000", 100_000, "1,000"),
            ("+1,000", 100_000, "1,000"),
            ("-47.5", -4_750, "-47.50"),
            ("1,234,567.89", 123_456_789, "1,234,567.89"),
            ("90071992547409.91", 9_007_199_254_740_991, "90,071,992,547,409.91"),
        ] {
            let amount = Decimals::USUAL.parse_signed(text).unwrap();
            assert_eq!((amount.minor(), Decimals::USUAL.show(amount).as_str()), (minor, shown));
            assert_eq!(Decimals::USUAL.parse_signed(&Decimals::USUAL.show_signed(amount)), Ok(amount));
        }
    }

    #[test]
    fn what_is_no_amount() {
        for (text, error) in [
            ("", AmountError::Shape),
            ("x", AmountError::Shape),
            ("1,00", AmountError::Shape),
            ("1000,000", AmountError::Shape),
            (",100", AmountError::Shape),
            ("1.", AmountError::Shape),
            (".5", AmountError::Shape),
            ("--1", AmountError::Shape),
            ("1e3", AmountError::Shape),
            ("1.005", AmountError::Fraction(Decimals::USUAL)),
            ("90071992547409.92", AmountError::TooLarge(Decimals::USUAL)),
            ("99999999999999999999", AmountError::TooLarge(Decimals::USUAL)),
        ] {
            assert_eq!(Decimals::USUAL.parse_signed(text), Err(error), "{text}");
        }
        assert_eq!(Decimals::USUAL.parse_positive("0"), Err(AmountError::NotPositive));
        assert_eq!(Decimals::USUAL.parse_positive("-5"), Err(AmountError::NotPositive));
        assert!(Decimals::USUAL.parse_positive("0.01").is_ok());
    }

    /// A currency without decimals has whole units only, and one with three has thousandths.
    #[test]
    fn other_currencies() {
        for (decimals, text, minor, shown) in [
            (0, "500,000", 500_000, "500,000"),
            (0, "9007199254740991", 9_007_199_254_740_991, "9,007,199,254,740,991"),
            (1, "0.5", 5, "0.5"),
            (3, "-1.25", -1_250, "-1.250"),
            (4, "0.0001", 1, "0.0001"),
        ] {
            let decimals = Decimals::new(decimals).unwrap();
            let amount = decimals.parse_signed(text).unwrap();
            assert_eq!((amount.minor(), decimals.show(amount).as_str()), (minor, shown));
            assert_eq!(decimals.parse_signed(&decimals.show_signed(amount)), Ok(amount));
        }
        let whole = Decimals::new(0).unwrap();
        assert_eq!(whole.parse_signed("0.5"), Err(AmountError::Fraction(whole)));
        assert_eq!(whole.parse_signed("1."), Err(AmountError::Shape));
        assert_eq!(Decimals::new(5), None);
    }
}
