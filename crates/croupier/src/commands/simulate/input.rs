//! Numbers and stakes as they are typed.

use std::str::FromStr;

use croupier_rules::baccarat::Burn;

/// A stake on a bet, or on the one that `--bet` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stake {
    pub(super) bet: Option<String>,
    pub(super) amount: u64,
}

/// `banker=25`, or `25`.
impl FromStr for Stake {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((bet, amount)) => {
                Ok(Self { bet: Some(bet.trim().to_string()), amount: parse_count(amount)? })
            }
            None => Ok(Self { bet: None, amount: parse_count(text)? }),
        }
    }
}

/// A whole number of at least 1: `500k`, `2M`, `1G`, `10_000_000`.
pub(super) fn parse_count(text: &str) -> Result<u64, String> {
    let shape = || "write a whole number such as 500k, 2M, 1G or 10_000_000".to_string();
    let text = text.trim();
    let (digits, unit) = match text.chars().last() {
        Some('k' | 'K') => (&text[..text.len() - 1], 1_000),
        Some('M' | 'm') => (&text[..text.len() - 1], 1_000_000),
        Some('G' | 'g') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit()) || digits.ends_with('_') {
        return Err(shape());
    }
    let number: u64 = digits.replace('_', "").parse().map_err(|_| shape())?;
    match number.checked_mul(unit) {
        Some(0) => Err("it must be at least 1".into()),
        // Counts are summed up in 64 bits.
        Some(number) if number < 1 << 56 => Ok(number),
        _ => Err("it is too large".into()),
    }
}

/// A burn: a number of cards, or by the value of the first.
pub(in crate::commands) fn parse_burn(text: &str) -> Result<Burn, String> {
    match text.trim() {
        Burn::FIRST_CARD => Ok(Burn::FirstCard),
        text => {
            let number =
                text.parse().map_err(|_| format!("write a number of cards, or `{}`", Burn::FIRST_CARD));
            number.map(Burn::Cards)
        }
    }
}

/// A standard error: above zero.
pub(super) fn parse_error(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(error) if error > 0.0 && error.is_finite() => Ok(error),
        _ => Err("write a standard error above zero, such as 0.0005".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_with_suffixes() {
        let check =
            |text: &str, expected: Option<u64>| assert_eq!(parse_count(text).ok(), expected, "{text}");
        check("1", Some(1));
        check("500k", Some(500_000));
        check("2M", Some(2_000_000));
        check("1G", Some(1_000_000_000));
        check("10_000_000", Some(10_000_000));
        check("1_0k", Some(10_000));
        for bad in ["", "0", "0k", "k", "-1", "1.5M", "_1", "1_", "+5", "1T", "99999999G", "1é"] {
            check(bad, None);
        }
    }

    #[test]
    fn stakes() {
        assert_eq!("tie=5".parse(), Ok(Stake { bet: Some("tie".into()), amount: 5 }));
        assert_eq!("2k".parse(), Ok(Stake { bet: None, amount: 2000 }));
        assert!("tie=".parse::<Stake>().is_err());
        assert!(parse_error("0").is_err() && parse_error("nan").is_err() && parse_error("1e-4").is_ok());
    }
}
