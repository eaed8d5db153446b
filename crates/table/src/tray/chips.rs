//! Chips by denomination.

use std::collections::BTreeMap;

use croupier_rules::Amount;

/// The most denominations of one count.
pub const MOST_KINDS: usize = 32;

/// How many there are of each denomination, the highest first; none of which there is none.
///
/// ```
/// use croupier_rules::Amount;
/// use croupier_table::tray::Chips;
///
/// let value = |minor| Amount::new(minor).expect("an amount");
/// let chips = Chips::new(vec![(value(5), 2), (value(100), 3), (value(20), 0)]).expect("chips");
/// assert_eq!(chips.total(), value(310));
/// assert_eq!(chips.kinds(), [(value(100), 3), (value(5), 2)]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<(Amount, u32)>", into = "Vec<(Amount, u32)>"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = Vec<(Amount, u32)>))]
pub struct Chips(Vec<(Amount, u32)>);

/// Why something is no count of chips.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoChips {
    /// A chip is worth nothing.
    #[error("a chip is worth more than nothing")]
    Worthless,
    /// One denomination is named twice.
    #[error("a denomination is named twice")]
    Twice,
    /// Too many denominations.
    #[error("there are at most {MOST_KINDS} denominations")]
    TooMany,
    /// More than an amount can be.
    #[error("that is more than there can be")]
    TooMuch,
}

impl Chips {
    /// So many of each.
    ///
    /// # Errors
    /// When a value is not above zero or is named twice, or all of it is no amount.
    pub fn new(kinds: Vec<(Amount, u32)>) -> Result<Self, NoChips> {
        if kinds.len() > MOST_KINDS {
            return Err(NoChips::TooMany);
        }
        let mut sorted: BTreeMap<Amount, u32> = BTreeMap::new();
        let mut total: i128 = 0;
        for (value, pieces) in kinds {
            if !value.is_positive() {
                return Err(NoChips::Worthless);
            }
            if sorted.insert(value, pieces).is_some() {
                return Err(NoChips::Twice);
            }
            total += i128::from(value.minor()) * i128::from(pieces);
        }
        if total > i128::from(Amount::MAX.minor()) {
            return Err(NoChips::TooMuch);
        }
        Ok(Self(sorted.into_iter().rev().filter(|(_, pieces)| *pieces > 0).collect()))
    }

    /// Each denomination with its pieces, the highest first.
    #[must_use]
    pub fn kinds(&self) -> &[(Amount, u32)] {
        &self.0
    }

    /// How many there are of one.
    #[must_use]
    pub fn pieces(&self, of: Amount) -> u32 {
        self.0.iter().find(|(value, _)| *value == of).map_or(0, |(_, pieces)| *pieces)
    }

    /// What they are worth.
    #[must_use]
    pub fn total(&self) -> Amount {
        let minor = self.0.iter().map(|(value, pieces)| value.minor() * i64::from(*pieces)).sum();
        crate::certain::certain(Amount::new(minor), "chips are worth more than there can be")
    }

    /// Whether all of them are of a table with such a smallest chip.
    #[must_use]
    pub fn are_multiples_of(&self, smallest: Amount) -> bool {
        self.0.iter().all(|(value, _)| value.is_multiple_of(smallest))
    }

    /// The values of which two counts do not have as many.
    pub(super) fn differing(&self, other: &Self) -> Vec<Amount> {
        let values = self.0.iter().chain(&other.0).map(|(value, _)| *value);
        let differ = values.filter(|value| self.pieces(*value) != other.pieces(*value));
        let sorted: std::collections::BTreeSet<Amount> = differ.collect();
        sorted.into_iter().rev().collect()
    }

    /// These without some values, and those of another count of just these.
    pub(super) fn replaced(&self, values: &[Amount], by: &Self) -> Vec<(Amount, u32)> {
        let kept = self.0.iter().filter(|(value, _)| !values.contains(value));
        kept.chain(&by.0).copied().collect()
    }
}

impl TryFrom<Vec<(Amount, u32)>> for Chips {
    type Error = NoChips;

    fn try_from(kinds: Vec<(Amount, u32)>) -> Result<Self, NoChips> {
        Self::new(kinds)
    }
}

impl From<Chips> for Vec<(Amount, u32)> {
    fn from(chips: Chips) -> Self {
        chips.0
    }
}
