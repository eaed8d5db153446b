//! Exact sums of many fractions whose denominators are few: they are brought to one denominator only when somebody reads
//! the sum. A shoe of 416 cards has that many, one for each number of cards left.

use std::collections::BTreeMap;

use croupier_lab::Fraction;
use num_bigint::BigInt;
use num_integer::Integer as _;

/// A sum that grows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    /// The numerators by their denominator.
    parts: BTreeMap<BigInt, BigInt>,
}

impl Sum {
    /// Adds a fraction, over this denominator where it is a multiple of its own.
    pub(crate) fn add(&mut self, fraction: &Fraction, over: &BigInt) {
        let (times, rest) = over.div_rem(fraction.denominator());
        if rest == BigInt::ZERO {
            *self.parts.entry(over.clone()).or_default() += times * fraction.numerator();
        } else {
            *self.parts.entry(fraction.denominator().clone()).or_default() += fraction.numerator();
        }
    }

    /// What it comes to.
    #[must_use]
    pub fn value(&self) -> Fraction {
        let zero = Fraction::new(0, 1);
        self.parts.iter().fold(zero, |sum, (over, part)| sum.plus(&Fraction::new(part.clone(), over.clone())))
    }

    /// The same as a double, for statistics.
    pub(crate) fn approximate(&self) -> f64 {
        let part = |(over, part): (&BigInt, &BigInt)| crate::price::quotient(part, over);
        self.parts.iter().map(part).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_that_of_its_fractions() {
        let (mut sum, mut plain) = (Sum::default(), Fraction::new(0, 1));
        for at in 1..60_i64 {
            let fraction = Fraction::new(at * at - 7, at % 9 + 1);
            sum.add(&fraction, &BigInt::from(if at % 2 == 0 { 2_520 } else { 7 }));
            plain = plain.plus(&fraction);
        }
        assert_eq!(sum.value(), plain);
    }
}
