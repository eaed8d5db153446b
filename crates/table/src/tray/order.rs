//! What people ask of the record of a table's chips.

use croupier_rules::Amount;

use super::Chips;
use crate::actor::{Actor, PersonId};

/// Which way chips go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SlipKind {
    /// From the cage to the table.
    Fill,
    /// From the table to the cage.
    Credit,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum CountOf {
    /// The float of a table that goes on.
    Float,
    /// The float of a table that closes with it.
    Closing,
    /// The drop box.
    Drop,
}

/// An order: who, when, what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrayCommand {
    /// Who gives it.
    pub by: Actor,
    /// When, in seconds since 1970.
    pub at: u64,
    /// What.
    pub order: TrayOrder,
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
pub enum TrayOrder {
    /// Somebody asks for a fill or a credit.
    AskSlip {
        /// Which way.
        kind: SlipKind,
        /// What.
        chips: Chips,
    },
    /// Somebody else approves it.
    ApproveSlip {
        /// Its number.
        number: u32,
    },
    /// The chips were handed over.
    DeliverSlip {
        /// Its number.
        number: u32,
        /// The second person, who received them.
        witness: PersonId,
        /// The line of the table's stream that moved them.
        line: u64,
    },
    /// Nothing comes of it.
    DropSlip {
        /// Its number.
        number: u32,
        /// Why.
        why: String,
    },
    /// The first of two counts, sealed.
    BeginCount {
        /// What is counted.
        of: CountOf,
        /// What the books say is there.
        books: Amount,
        /// What was counted.
        chips: Chips,
    },
    /// The count after it, sealed.
    SealCount {
        /// Its number.
        number: u32,
        /// What the books say is there now.
        books: Amount,
        /// What was counted; where two counts differed, of those chips only.
        chips: Chips,
    },
    /// Why there is more or less than the books say.
    ExplainCount {
        /// Its number.
        number: u32,
        /// Why.
        words: String,
    },
    /// The count stands.
    SignCount {
        /// Its number.
        number: u32,
        /// The line of the table's stream that followed from it, if one did.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        line: Option<u64>,
    },
    /// The count does not count.
    DropCount {
        /// Its number.
        number: u32,
        /// Why.
        why: String,
    },
}
