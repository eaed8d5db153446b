//! A set of small numbers, such as counts.

use core::fmt;

/// A set of small numbers, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NumberSet(u32);

impl NumberSet {
    /// All numbers from 0 to 31.
    pub const ALL: Self = Self(u32::MAX);
    /// No number.
    pub const NONE: Self = Self(0);

    /// The set with `number` (below 32) added.
    #[must_use]
    pub const fn with(self, number: u8) -> Self {
        Self(self.0 | 1 << number)
    }

    /// Whether `number` is in the set.
    #[must_use]
    pub const fn contains(self, number: u8) -> bool {
        number < 32 && self.0 >> number & 1 == 1
    }

    /// The numbers in the set, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..32).filter(move |number| self.contains(*number))
    }
}

impl FromIterator<u8> for NumberSet {
    fn from_iter<I: IntoIterator<Item = u8>>(numbers: I) -> Self {
        numbers.into_iter().fold(Self::NONE, Self::with)
    }
}

/// `6` or `0–5` or `2, 4, 6`.
impl fmt::Display for NumberSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(first), Some(last)) = (self.iter().next(), self.iter().last()) else {
            return f.write_str("none");
        };
        if first == last {
            return write!(f, "{first}");
        }
        if self.iter().count() == usize::from(last - first) + 1 {
            return write!(f, "{first}–{last}");
        }
        for (at, number) in self.iter().enumerate() {
            write!(f, "{}{number}", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
