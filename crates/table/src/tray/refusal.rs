//! Why an order about the chips of a table is refused.

use croupier_rules::{Amount, Basis};

use crate::authority::Denied;

/// Why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrayRefusal {
    /// Whoever asks may not.
    #[error("this needs the money of the table: {0}")]
    NotAuthorised(Denied),
    /// Only staff of the table may.
    #[error("only the staff of the table may")]
    NotStaff,
    /// It is not there, or finished.
    #[error("no paper {number} is open at this table")]
    NoPaper {
        /// Which.
        number: u32,
    },
    /// There are no chips in it.
    #[error("no chips are named")]
    Nothing,
    /// A chip that the table does not have.
    #[error("each chip is worth a multiple of {smallest}, the smallest of the table")]
    NoSuchChip {
        /// The smallest.
        smallest: Amount,
    },
    /// Two people are needed, and this is the same.
    #[error("a second person does this: {what}")]
    SamePerson {
        /// What the first did.
        what: &'static str,
    },
    /// It was approved.
    #[error("the slip is approved already")]
    IsApproved,
    /// It was not approved.
    #[error("the slip is not approved yet")]
    NotApproved,
    /// Something like it is going on.
    #[error("count {number} of the same is not finished; finish or drop it first")]
    Counting {
        /// Which.
        number: u32,
    },
    /// What is counted has changed since the first count.
    #[error("the books have moved since the first count: drop this count and begin it again")]
    BooksMoved,
    /// Both counts are in.
    #[error("both counts are sealed and agree")]
    IsAgreed,
    /// Both counts are not in, or differ.
    #[error("two counts that agree are needed first")]
    NotAgreed,
    /// Only what differed is counted again.
    #[error("only the chips on which the counts differ are counted again")]
    NotAgain {
        /// Their values.
        again: Vec<Amount>,
    },
    /// More or less than the books say, and nobody said why.
    #[error("the count is {} the books, and nobody has said why", if *.difference > 0 { "over" } else { "under" })]
    Unexplained {
        /// By how much.
        difference: i64,
    },
    /// There is nothing to explain.
    #[error("the count is what the books say")]
    NothingToExplain,
    /// Words are missing, or there are too many.
    #[error("write 1 to 400 characters")]
    Words,
}

impl TrayRefusal {
    /// Its code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAuthorised(_) => "not-authorised",
            Self::NotStaff => "not-staff",
            Self::NoPaper { .. } => "no-paper",
            Self::Nothing => "no-chips",
            Self::NoSuchChip { .. } => "no-such-chip",
            Self::SamePerson { .. } => "same-person",
            Self::IsApproved => "slip-approved",
            Self::NotApproved => "slip-not-approved",
            Self::Counting { .. } => "count-open",
            Self::BooksMoved => "books-moved",
            Self::IsAgreed => "count-agreed",
            Self::NotAgreed => "count-not-agreed",
            Self::NotAgain { .. } => "count-only-differing",
            Self::Unexplained { .. } => "count-unexplained",
            Self::NothingToExplain => "count-is-right",
            Self::Words => "words-needed",
        }
    }

    /// Whether it is for want of authority.
    #[must_use]
    pub const fn is_denial(&self) -> bool {
        matches!(self, Self::NotAuthorised(_) | Self::NotStaff)
    }

    /// What it rests on.
    #[must_use]
    pub fn cites(&self) -> &[Basis] {
        match self {
            Self::NotAuthorised(denied) => &denied.cites,
            Self::NotStaff
            | Self::NoPaper { .. }
            | Self::Nothing
            | Self::NoSuchChip { .. }
            | Self::SamePerson { .. }
            | Self::IsApproved
            | Self::NotApproved
            | Self::Counting { .. }
            | Self::BooksMoved
            | Self::IsAgreed
            | Self::NotAgreed
            | Self::NotAgain { .. }
            | Self::Unexplained { .. }
            | Self::NothingToExplain
            | Self::Words => &[],
        }
    }
}
