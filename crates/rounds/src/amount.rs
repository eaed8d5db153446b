//! Amounts as people write them: whole or with cents, thousands apart if they like.

use croupier_rules::Amount;

/// Minor units in one unit of a round file.
pub const MINOR: i64 = 100;

/// Why a text is no amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AmountError {
    /// Not a number.
    #[error("is no amount; write `1000`, `1,000` or `47.50`")]
    Shape,
    /// More than two decimals.
    #[error("has a fraction of a cent; write at most two decimals")]
    Fraction,
    /// Zero, or below.
    #[error("must be above zero")]
    NotPositive,
    /// Larger than any amount.
    #[error("is larger than the largest amount, {max}", max = Amount::MAX.minor() / MINOR)]
    TooLarge,
}

/// An amount above zero.
///
/// # Errors
/// [`AmountError`].
pub fn parse_positive(text: &str) -> Result<Amount, AmountError> {
    let amount = parse_signed(text)?;
    if amount.is_positive() { Ok(amount) } else { Err(AmountError::NotPositive) }
}

/// An amount with or without a sign.
///
/// # Errors
/// [`AmountError`].
pub fn parse_signed(text: &str) -> Result<Amount, AmountError> {
    let (sign, digits) = match text.as_bytes().first() {
        Some(b'-') => (-1, &text[1..]),
        Some(b'+') => (1, &text[1..]),
        _ => (1, text),
    };
    let (whole, cents) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_grouped(whole) || !all_digits(cents) {
        return Err(AmountError::Shape);
    }
    if cents.len() > 2 {
        return Err(AmountError::Fraction);
    }
    let whole: i64 = whole.replace(',', "").parse().map_err(|_| AmountError::TooLarge)?;
    let cents: i64 = format!("{cents:0<2}").parse().map_err(|_| AmountError::Shape)?;
    whole
        .checked_mul(MINOR)
        .and_then(|minor| minor.checked_add(cents))
        .and_then(|minor| Amount::new(sign * minor))
        .ok_or(AmountError::TooLarge)
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

/// The amount as people write it: `1,000`, `47.50`.
#[must_use]
pub fn show(amount: Amount) -> String {
    let minor = amount.minor();
    let (whole, cents) =
        (minor.unsigned_abs() / MINOR.unsigned_abs(), minor.unsigned_abs() % MINOR.unsigned_abs());
    let digits = whole.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if cents > 0 {
        text.push_str(&format!(".{cents:02}"));
    }
    if minor < 0 { format!("-{text}") } else { text }
}

/// The amount with its sign, `0` for nothing: how gains and losses are written.
#[must_use]
pub fn show_signed(amount: Amount) -> String {
    if amount.is_positive() { format!("+{}", show(amount)) } else { show(amount) }
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
            let amount = parse_signed(text).unwrap();
            assert_eq!((amount.minor(), show(amount).as_str()), (minor, shown));
            assert_eq!(parse_signed(&show_signed(amount)), Ok(amount));
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
            ("1.005", AmountError::Fraction),
            ("90071992547409.92", AmountError::TooLarge),
            ("99999999999999999999", AmountError::TooLarge),
        ] {
            assert_eq!(parse_signed(text), Err(error), "{text}");
        }
        assert_eq!(parse_positive("0"), Err(AmountError::NotPositive));
        assert_eq!(parse_positive("-5"), Err(AmountError::NotPositive));
        assert!(parse_positive("0.01").is_ok());
    }
}
