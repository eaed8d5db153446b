//! Amounts of money in whole minor units, and how a house rounds what it cannot pay exactly.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Neg, Sub};

use crate::ratio::Ratio;

/// An amount in minor units; negative where it is a loss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Amount(i64);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest amount: 2^53 − 1, which every client can hold.
    pub const MAX: Self = Self((1 << 53) - 1);

    /// `minor` units, if no larger than [`Amount::MAX`] either way.
    #[must_use]
    pub const fn new(minor: i64) -> Option<Self> {
        if minor <= Self::MAX.0 && minor >= -Self::MAX.0 { Some(Self(minor)) } else { None }
    }

    /// The number of minor units.
    #[must_use]
    pub const fn minor(self) -> i64 {
        self.0
    }

    /// The sum, if no larger than [`Amount::MAX`].
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        Self::new(self.0 + other.0)
    }

    /// The exact value, for multiplying by odds.
    #[must_use]
    pub fn ratio(self) -> Ratio {
        Ratio::from(self.0)
    }

    /// Whether the amount is nothing.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.0 == 0
    }

    /// Whether the amount is above zero.
    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// Whether the amount is a whole number of `unit`s.
    #[must_use]
    pub const fn is_multiple_of(self, unit: Self) -> bool {
        unit.0 != 0 && self.0 % unit.0 == 0
    }

    /// The largest whole number of `unit`s that is not above `value`.
    #[must_use]
    pub fn floor_to(value: Ratio, unit: Self) -> Option<Self> {
        let units = (value * unit.ratio().recip()).floor();
        Self::new(i64::try_from(units.checked_mul(unit.0.into())?).ok()?)
    }
}

impl Add for Amount {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Amount {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Amount {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which way a house rounds winnings that it cannot pay in its smallest payable unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// Towards zero.
    Down,
    /// To the nearest unit; a half goes up.
    Nearest,
    /// Away from zero.
    Up,
}

impl Rounding {
    /// `value` (not negative) in whole `unit`s. Nothing if it does not fit an amount.
    #[must_use]
    pub fn apply(self, value: Ratio, unit: Amount) -> Option<Amount> {
        let units = value * unit.ratio().recip();
        let whole = match self {
            Self::Down => units.floor(),
            Self::Nearest => (units + Ratio::new(1, 2)).floor(),
            Self::Up => -(-units).floor(),
        };
        Amount::new(i64::try_from(whole.checked_mul(unit.minor().into())?).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_end_at_two_to_the_53() {
        assert!(Amount::new((1 << 53) - 1).is_some());
        assert!(Amount::new(1 << 53).is_none());
        assert!(Amount::new(-(1 << 53)).is_none());
    }

    #[test]
    fn rounding_names_its_direction() {
        let unit = Amount::new(100).unwrap();
        for (minor, down, nearest, up) in
            [(149, 100, 100, 200), (150, 100, 200, 200), (151, 100, 200, 200), (200, 200, 200, 200)]
        {
            let value = Ratio::from(minor);
            assert_eq!(Rounding::Down.apply(value, unit), Amount::new(down));
            assert_eq!(Rounding::Nearest.apply(value, unit), Amount::new(nearest));
            assert_eq!(Rounding::Up.apply(value, unit), Amount::new(up));
        }
    }
}
