//! Why a batch is refused.
//!
//! Entries are judged in the order of the batch, each as the ones before it left the books, and the first
//! that is refused refuses the batch. Of several reasons against one entry, the first in the order of
//! [`Refusal`] is given.

use alloc::vec::Vec;

use crate::account::Account;
use crate::amount::Amount;
use crate::id::{PlayerId, RoundId, TableId, TransferId, WagerId};
use crate::transfer::{Kind, Phase};

/// A batch was refused, and changed nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("entry {entry}: {why}")]
pub struct Refused {
    /// The place of the refused entry in the batch, counted from 0.
    pub entry: usize,
    /// The rule against it.
    #[source]
    pub why: Refusal,
}

/// The rules, in order of precedence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The id was used for something else. (The same again is no fault: it is already applied.)
    #[error("id {id} was used for another entry; give each entry an id of its own")]
    DuplicateId {
        /// The id.
        id: TransferId,
    },
    /// The id is of a time that the ledger has been told to forget.
    #[error("ids up to {through} are closed; {id} is one of them")]
    IdForgotten {
        /// The id.
        id: TransferId,
        /// The highest closed id.
        through: TransferId,
    },
    /// There is no such pending transfer, or its round is closed.
    #[error("there is no transfer {pending}, or its round is closed")]
    UnknownPending {
        /// The id.
        pending: TransferId,
    },
    /// The id is that of a direct transfer or a note.
    #[error("{pending} was applied at once; only a pending transfer can be posted or voided")]
    NotPending {
        /// The id.
        pending: TransferId,
    },
    /// The transfer was posted, with another amount if this is a post.
    #[error("{pending} was posted with {posted}; a mistake is made good by a correction")]
    AlreadyPosted {
        /// The id.
        pending: TransferId,
        /// How much of it moved.
        posted: Amount,
    },
    /// The transfer was voided.
    #[error("{pending} was voided, and all of it went back")]
    AlreadyVoided {
        /// The id.
        pending: TransferId,
    },
    /// Nothing would move. A pending transfer of which nothing is collected is voided.
    #[error("the amount is zero; it must be at least 1")]
    ZeroAmount,
    /// The money would go where it is.
    #[error("{account} is on both sides")]
    SameAccount {
        /// The account.
        account: Account,
    },
    /// Money of this kind does not go this way.
    #[error("{kind} does not go from {from} to {to}, but {}", kind.route())]
    NotBetween {
        /// The kind.
        kind: Kind,
        /// Where it leaves.
        from: Account,
        /// Where it would go.
        to: Account,
    },
    /// A wager or a Reserve that would move at once, or winnings that would wait.
    #[error("{kind} cannot be {}", match phase { Phase::Direct => "direct; it must be pending", Phase::Pending => "pending; it must be direct" })]
    WrongPhase {
        /// The kind.
        kind: Kind,
        /// The phase it came in.
        phase: Phase,
    },
    /// The round is closed.
    #[error("table {table} is closed up to round {through}; {round} can only be corrected by a case")]
    RoundClosed {
        /// The table.
        table: TableId,
        /// The round of the entry.
        round: RoundId,
        /// The latest closed round.
        through: RoundId,
    },
    /// More would be posted than is pending.
    #[error("{pending} holds {held}; {amount} cannot be posted from it")]
    ExceedsPending {
        /// The id.
        pending: TransferId,
        /// What is pending.
        held: Amount,
        /// What should be posted.
        amount: Amount,
    },
    /// The wager has its winnings already.
    #[error("wager {wager} of player {player} in round {round} at table {table} was paid by {paid_by}")]
    PaidTwice {
        /// The table.
        table: TableId,
        /// The round.
        round: RoundId,
        /// The player.
        player: PlayerId,
        /// The wager.
        wager: WagerId,
        /// The transfer that paid it.
        paid_by: TransferId,
    },
    /// The account would fall below zero.
    #[error("{account} has {available} available; {amount} needs {shortfall} more")]
    WouldGoNegative {
        /// The account.
        account: Account,
        /// What it has, less what is pending out of it.
        available: i128,
        /// What should leave it.
        amount: Amount,
        /// What is missing.
        shortfall: i128,
    },
    /// More money would come in from the cage than any one account may hold.
    #[error("{inside} have come in; {amount} more would exceed the largest amount, {}", Amount::MAX)]
    TooLarge {
        /// What came in from the cage, and what is pending to.
        inside: i128,
        /// What should come in.
        amount: Amount,
    },
}

impl Refusal {
    /// The rule's name, which stays the same in every language and version.
    ///
    /// ```
    /// assert_eq!(croupier_ledger::Refusal::ZeroAmount.code(), "zero-amount");
    /// ```
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::DuplicateId { .. } => "duplicate-id",
            Self::IdForgotten { .. } => "id-forgotten",
            Self::UnknownPending { .. } => "unknown-pending",
            Self::NotPending { .. } => "not-pending",
            Self::AlreadyPosted { .. } => "already-posted",
            Self::AlreadyVoided { .. } => "already-voided",
            Self::ZeroAmount => "zero-amount",
            Self::SameAccount { .. } => "same-account",
            Self::NotBetween { .. } => "not-between",
            Self::WrongPhase { .. } => "wrong-phase",
            Self::RoundClosed { .. } => "round-closed",
            Self::ExceedsPending { .. } => "exceeds-pending",
            Self::PaidTwice { .. } => "paid-twice",
            Self::WouldGoNegative { .. } => "would-go-negative",
            Self::TooLarge { .. } => "too-large",
        }
    }
}

/// Why a batch was not applied that closes a round.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotClosed {
    /// An entry is refused.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Money would still be pending.
    #[error(transparent)]
    Holds(RoundHolds),
}

/// A round cannot be closed, because it, or an earlier one of the table, holds money.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("table {table} holds {held} in rounds up to {round}; settle or void its {} pending transfers", pending.len())]
pub struct RoundHolds {
    /// The table.
    pub table: TableId,
    /// The round that was to be closed.
    pub round: RoundId,
    /// How much is pending.
    pub held: i128,
    /// The transfers that are.
    pub pending: Vec<TransferId>,
}
