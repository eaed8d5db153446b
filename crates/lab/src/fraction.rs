//! Exact fractions of big integers, and their decimals.

use core::cmp::Ordering;
use core::fmt;

use croupier_rules::Ratio;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fraction {
    numerator: BigInt,
    denominator: BigInt,
}

impl Fraction {
    /// The fraction in lowest terms. A zero denominator is a programmer's mistake.
    #[must_use]
    pub fn new(numerator: impl Into<BigInt>, denominator: impl Into<BigInt>) -> Self {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        assert!(denominator.sign() != Sign::NoSign, "a fraction needs a denominator other than zero");
        let divisor = numerator.gcd(&denominator) * if denominator.sign() == Sign::Minus { -1 } else { 1 };
        Self { numerator: numerator / &divisor, denominator: denominator / divisor }
    }

    /// The number above the line.
    #[must_use]
    pub fn numerator(&self) -> &BigInt {
        &self.numerator
    }

    /// The number below the line.
    #[must_use]
    pub fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    /// Whether the value is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.numerator.sign() == Sign::Minus
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self::new(
            &self.numerator * &other.denominator + &other.numerator * &self.denominator,
            &self.denominator * &other.denominator,
        )
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Self::new(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }

    /// The negative.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { numerator: -&self.numerator, denominator: self.denominator.clone() }
    }

    /// The value with so many decimals, cut off and not rounded: `-0.0843966817`.
    #[must_use]
    pub fn decimal(&self, places: u32) -> String {
        let scale = BigInt::from(10).pow(places);
        let scaled = self.numerator.magnitude() * scale.magnitude() / self.denominator.magnitude();
        let digits = scaled.to_string();
        let width = usize::try_from(places).unwrap_or(usize::MAX);
        let digits = format!("{digits:0>least$}", least = width + 1);
        let (whole, decimals) = digits.split_at(digits.len() - width);
        let sign = if self.is_negative() { "-" } else { "" };
        if places == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{decimals}") }
    }

    /// The square root with so many decimals, cut off; of a value that is not negative.
    #[must_use]
    pub fn sqrt_decimal(&self, places: u32) -> String {
        let scale = BigInt::from(10).pow(2 * places);
        let root = (&self.numerator * scale / &self.denominator).sqrt();
        Self::new(root, BigInt::from(10).pow(places)).decimal(places)
    }

    /// The nearest double, for plots and intervals only.
    #[must_use]
    pub fn approximate(&self) -> f64 {
        self.decimal(30).parse().unwrap_or(f64::NAN)
    }
}

impl From<Ratio> for Fraction {
    fn from(ratio: Ratio) -> Self {
        Self::new(ratio.numerator(), ratio.denominator())
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

/// `num/den`.
impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_cut_off() {
        assert_eq!(Fraction::new(-2, 3).decimal(5), "-0.66666");
        assert_eq!(Fraction::new(43, 415).decimal(12), "0.103614457831");
        assert_eq!(Fraction::new(7, 2).decimal(0), "3");
        assert_eq!(Fraction::new(2, 1).sqrt_decimal(10), "1.4142135623");
        assert_eq!(Fraction::new(6, -4).to_string(), "-3/2");
    }

    #[test]
    fn arithmetic() {
        let third = Fraction::new(1, 3);
        assert_eq!(third.plus(&third).minus(&third.times(&Fraction::new(2, 1))), Fraction::new(0, 1));
        assert!(Fraction::new(1, 3) < Fraction::new(1, 2));
    }
}
