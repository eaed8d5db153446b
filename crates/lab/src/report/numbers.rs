//! How figures are written.

use num_bigint::BigInt;

use crate::fraction::Fraction;

/// A decimal for programs: 20 places, cut off; 40 where the value is so small that 20 would show little.
#[must_use]
pub fn decimal(value: &Fraction) -> String {
    let small = value.numerator().magnitude() * 10_000_u32 < *value.denominator().magnitude();
    value.decimal(if small && *value != zero() { 40 } else { 20 })
}

/// The value as a rounded percentage: `15.2533%`.
#[must_use]
pub fn percent(value: &Fraction, places: u32) -> String {
    let scaled = rounded(&value.times(&Fraction::new(100, 1)), places);
    format!("{}%", scaled.decimal(places))
}

/// The value rounded to so many places, halves away from zero.
#[must_use]
pub(super) fn rounded(value: &Fraction, places: u32) -> Fraction {
    let scale = BigInt::from(10).pow(places);
    let half = Fraction::new(if value.is_negative() { -1 } else { 1 }, BigInt::from(2) * &scale);
    // Cutting off the digits after adding a half is rounding.
    let shifted = value.plus(&half);
    Fraction::new(shifted.numerator() * &scale / shifted.denominator(), scale)
}

/// A count for people: `4,998,398,275,503,360`.
#[must_use]
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What a pay line pays: the net odds of a win, `push` or `lose`.
#[must_use]
pub fn pays(net: &Fraction) -> String {
    if net.is_negative() {
        "lose".to_string()
    } else if *net == zero() {
        "push".to_string()
    } else {
        format!("{}:{}", net.numerator(), net.denominator())
    }
}

/// Gain or loss of one unit, short: `+8`, `-1`, `+0.95`.
#[must_use]
pub(super) fn net(net: &Fraction) -> String {
    let text = net.decimal(4);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if *net > zero() { format!("+{text}") } else { text.to_string() }
}

pub(super) fn zero() -> Fraction {
    Fraction::new(0, 1)
}

/// The share of a count.
pub(super) fn share(ways: u64, total: u64) -> Fraction {
    Fraction::new(ways, total.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_for_people() {
        assert_eq!(percent(&Fraction::new(2, 3), 2), "66.67%");
        assert_eq!(percent(&Fraction::new(-1, 8), 1), "-12.5%");
        assert_eq!(percent(&Fraction::new(-1, 1600), 1), "-0.1%");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(999), "999");
        assert_eq!(net(&Fraction::new(57, 20)), "+2.85");
        assert_eq!(net(&Fraction::new(-3, 1)), "-3");
        assert_eq!(net(&Fraction::new(100, 1)), "+100");
    }

    #[test]
    fn figures_for_programs() {
        assert_eq!(pays(&Fraction::new(19, 20)), "19:20");
        assert_eq!(pays(&Fraction::new(0, 1)), "push");
        assert_eq!(pays(&Fraction::new(-3, 1)), "lose");
        assert_eq!(decimal(&Fraction::new(43, 415)), "0.10361445783132530120");
        assert_eq!(decimal(&Fraction::new(1, 3_000_000)).len(), 42);
        assert_eq!(decimal(&Fraction::new(0, 1)), "0.00000000000000000000");
    }
}
