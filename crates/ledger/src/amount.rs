//! An amount of money that moves: whole minor units, never below zero.
//!
//! Balances and sums are `i128` and live with the accounts; odds and rounding are the rulebook's business.

use core::fmt;

/// A number of minor units, from 0 to 2^53 − 1.
///
/// ```
/// use croupier_ledger::Amount;
///
/// assert_eq!(Amount::new(250).map(Amount::minor), Some(250));
/// assert_eq!(Amount::new(-1), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Amount(i64);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest amount: 2^53 − 1, which every client can hold.
    pub const MAX: Self = Self((1 << 53) - 1);

    /// `minor` units, if not below zero nor above [`Amount::MAX`].
    #[must_use]
    pub const fn new(minor: i64) -> Option<Self> {
        if minor >= 0 && minor <= Self::MAX.0 { Some(Self(minor)) } else { None }
    }

    /// The number of minor units.
    #[must_use]
    pub const fn minor(self) -> i64 {
        self.0
    }

    /// Whether there is nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum, if no larger than [`Amount::MAX`].
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        Self::new(self.0 + other.0)
    }

    /// What is left, if `other` is no larger.
    #[must_use]
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        Self::new(self.0 - other.0)
    }
}

impl From<Amount> for i128 {
    fn from(amount: Amount) -> Self {
        amount.0.into()
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_go_from_zero_to_two_to_the_53() {
        for (minor, fits) in [
            (-1, false),
            (0, true),
            (1, true),
            ((1 << 53) - 2, true),
            ((1 << 53) - 1, true),
            (1 << 53, false),
        ] {
            assert_eq!(Amount::new(minor).is_some(), fits, "{minor}");
        }
        assert_eq!(Amount::MAX.checked_add(Amount(1)), None);
        assert_eq!(Amount::ZERO.checked_sub(Amount(1)), None);
        assert_eq!(Amount(3).checked_sub(Amount(3)), Some(Amount::ZERO));
    }
}
