//! The chips of a table by denomination: what two people count of them, and what comes and goes by slips.
//!
//! A table's state has its float as one amount; what lies in the tray, chip by chip, only people can tell. A [`Tray`] is
//! the record of what they told: *counts*, which two people make one after the other and neither sees the other's, and
//! *slips*, by which a fill or a credit is asked for, approved and handed over. It moves no money: the fill, the credit,
//! the close that follow are commands to the table, and the paper names the line of the one that was carried out.
//!
//! As with a table, [`decide`] says whether an order stands and changes nothing, and [`apply`] carries it out.

mod apply;
mod chips;
mod decide;
mod order;
mod refusal;

use std::collections::BTreeMap;

use croupier_ledger::TableId;
use croupier_rules::Amount;

use crate::actor::PersonId;

pub use apply::apply;
pub use chips::{Chips, MOST_KINDS};
pub use decide::decide;
pub use order::{CountOf, SlipKind, TrayCommand, TrayOrder};
pub use refusal::TrayRefusal;

/// What is on record of a table's chips.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Tray {
    /// Of which table.
    pub table: TableId,
    /// The number of the last paper.
    pub last: u32,
    /// The papers that are not finished, by their numbers.
    pub open: BTreeMap<u32, Paper>,
    /// What the last count of the float found beyond what the books say; below zero if the tray was short. It is carried
    /// until the next count.
    pub difference: i64,
}

/// A paper about the chips of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
pub enum Paper {
    /// A fill or a credit.
    Slip(Slip),
    /// A count by two people.
    Count(Count),
}

/// Who did something, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Signed {
    /// Who.
    pub person: PersonId,
    /// When, in seconds since 1970.
    pub at: u64,
}

/// A fill or a credit, from the request to the delivery.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Slip {
    /// Its number at the table.
    pub number: u32,
    /// Which way.
    pub kind: SlipKind,
    /// What is to be brought or taken.
    pub chips: Chips,
    /// Who asked for it.
    pub asked: Signed,
    /// Who approved it.
    pub approved: Option<Signed>,
    /// How it ended.
    pub ended: Option<SlipEnd>,
}

/// How a slip ended.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SlipEnd {
    /// The chips were handed over.
    Delivered {
        /// By whom.
        by: Signed,
        /// The second person, who received them.
        witness: PersonId,
        /// The line of the table's stream that moved them.
        line: u64,
    },
    /// Nothing came of it.
    Dropped {
        /// Who said so.
        by: Signed,
        /// Why.
        why: String,
    },
}

/// A count by two people, blind.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Count {
    /// Its number at the table.
    pub number: u32,
    /// What is counted.
    pub of: CountOf,
    /// What the books say is there, from the first count on.
    pub books: Amount,
    /// Each count as it was sealed, two and two: where two differ, they are followed by two more of those chips.
    pub seals: Vec<Seal>,
    /// What both counted alike.
    pub agreed: Chips,
    /// The chips on which they differ, by value; both count these again.
    pub again: Vec<Amount>,
    /// Why there is more or less than the books say.
    pub explained: Option<Explained>,
    /// How it ended.
    pub ended: Option<CountEnd>,
}

/// What one person counted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seal {
    /// Who, and when.
    pub by: Signed,
    /// What.
    pub chips: Chips,
}

/// Why a count differs from the books.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Explained {
    /// Who says so.
    pub by: Signed,
    /// Why.
    pub words: String,
}

/// How a count ended.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum CountEnd {
    /// It was signed and stands.
    Signed {
        /// By whom.
        by: Signed,
        /// The line of the table's stream that followed from it, if one did.
        line: Option<u64>,
    },
    /// It does not count.
    Dropped {
        /// Who said so.
        by: Signed,
        /// Why.
        why: String,
    },
}

impl Tray {
    /// That of a table that was just opened.
    #[must_use]
    pub const fn new(table: TableId) -> Self {
        Self { table, last: 0, open: BTreeMap::new(), difference: 0 }
    }

    /// The slip of a number, while it is open.
    #[must_use]
    pub fn slip(&self, number: u32) -> Option<&Slip> {
        match self.open.get(&number) {
            Some(Paper::Slip(slip)) => Some(slip),
            Some(Paper::Count(_)) | None => None,
        }
    }

    /// The count of a number, while it is open.
    #[must_use]
    pub fn count(&self, number: u32) -> Option<&Count> {
        match self.open.get(&number) {
            Some(Paper::Count(count)) => Some(count),
            Some(Paper::Slip(_)) | None => None,
        }
    }
}

impl Paper {
    /// Its number at the table.
    #[must_use]
    pub const fn number(&self) -> u32 {
        match self {
            Self::Slip(slip) => slip.number,
            Self::Count(count) => count.number,
        }
    }

    /// Whether nothing more can be done with it.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        match self {
            Self::Slip(slip) => slip.ended.is_some(),
            Self::Count(count) => count.ended.is_some(),
        }
    }
}

impl Count {
    /// Whoever counts next is the second, who must see nothing of the first.
    #[must_use]
    pub const fn awaits_second(&self) -> bool {
        !self.seals.len().is_multiple_of(2)
    }

    /// Whether both have counted all of it alike.
    #[must_use]
    pub fn is_agreed(&self) -> bool {
        !self.seals.is_empty() && !self.awaits_second() && self.again.is_empty()
    }

    /// What there is more than the books say, once both agree; below zero if it is short.
    #[must_use]
    pub fn difference(&self) -> Option<i64> {
        self.is_agreed().then(|| self.agreed.total().minor() - self.books.minor())
    }

    /// The two who counted last.
    #[must_use]
    pub fn counters(&self) -> Option<[PersonId; 2]> {
        match self.seals.as_slice() {
            [.., first, second] if !self.awaits_second() => Some([first.by.person, second.by.person]),
            _ => None,
        }
    }
}
