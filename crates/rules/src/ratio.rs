//! An exact fraction of two integers, always in lowest terms with a positive denominator.
//!
//! Made for money and odds: amounts stay below 2^53 and denominators are small, so `i128` never overflows
//! here. Big counts belong to the odds lab, which has its own integers.

use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, Mul, Neg, Sub};

/// An exact fraction, such as 19/20.
///
/// ```
/// use croupier_rules::Ratio;
/// let pay = Ratio::new(19, 20) * Ratio::from(1000);
/// assert_eq!(pay.to_string(), "950/1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    /// Nothing.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };
    /// One whole.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// The fraction in lowest terms. A zero denominator is a programmer's mistake.
    #[must_use]
    pub const fn new(numerator: i128, denominator: i128) -> Self {
        assert!(denominator != 0, "a fraction needs a denominator other than zero");
        let sign = if denominator < 0 { -1 } else { 1 };
        match greatest_common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs()) {
            0 => Self::ZERO,
            divisor => {
                Self { numerator: sign * numerator / divisor, denominator: sign * denominator / divisor }
            }
        }
    }

    /// The number above the line.
    #[must_use]
    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// The number below the line; at least 1.
    #[must_use]
    pub const fn denominator(self) -> i128 {
        self.denominator
    }

    /// The value if it is a whole number.
    #[must_use]
    pub fn whole(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// The largest whole number that is not above the value.
    #[must_use]
    pub const fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// One divided by this. Dividing by zero is a programmer's mistake.
    #[must_use]
    pub const fn recip(self) -> Self {
        Self::new(self.denominator, self.numerator)
    }

    /// Whether the value is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.numerator < 0
    }
}

/// The result fits in `i128`: callers pass fractions whose parts do.
const fn greatest_common_divisor(mut a: u128, mut b: u128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    match a {
        0 => 0,
        a if a > i128::MAX.unsigned_abs() => 1,
        #[expect(clippy::as_conversions, reason = "just checked that it fits")]
        a => a as i128,
    }
}

impl From<i64> for Ratio {
    fn from(whole: i64) -> Self {
        Self { numerator: whole.into(), denominator: 1 }
    }
}

impl Add for Ratio {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(
            self.numerator * other.denominator + other.numerator * self.denominator,
            self.denominator * other.denominator,
        )
    }
}

impl Sub for Ratio {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Ratio {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(self.numerator * other.numerator, self.denominator * other.denominator)
    }
}

impl Neg for Ratio {
    type Output = Self;
    fn neg(self) -> Self {
        Self { numerator: -self.numerator, denominator: self.denominator }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

/// `num/den`, with the denominator even when it is 1.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

impl fmt::Debug for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Ratio;
    use alloc::string::ToString;

    #[test]
    fn lowest_terms_and_sign() {
        assert_eq!(Ratio::new(6, -4).to_string(), "-3/2");
        assert_eq!(Ratio::new(0, -4), Ratio::ZERO);
        assert_eq!(Ratio::new(-1000, 3).floor(), -334);
        assert_eq!(Ratio::new(1000, 3).floor(), 333);
        assert_eq!(Ratio::new(1000, 1).whole(), Some(1000));
        assert_eq!(Ratio::new(1000, 3).whole(), None);
    }

    #[test]
    fn arithmetic_is_exact() {
        let third = Ratio::new(1, 3);
        assert_eq!(third + third + third, Ratio::ONE);
        assert_eq!(Ratio::from(1000) - Ratio::new(1, 3), Ratio::new(2999, 3));
        assert_eq!(Ratio::new(3, 2).recip(), Ratio::new(2, 3));
        assert!(Ratio::new(19, 20) < Ratio::ONE);
        assert!(Ratio::new(-1, 2).is_negative());
    }
}
