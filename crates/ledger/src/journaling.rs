//! The books rebuilt from what a journal holds of them, and compared with the books that are kept.
//!
//! How steps are stored, chained and signed is the journal's business.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::account::{Account, Balance};
use crate::id::{RoundId, TableId, TransferId};
use crate::ledger::Ledger;
use crate::refusal::{Refused, RoundHolds};
use crate::transfer::Entry;

/// Something that was done to a ledger, and accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = LedgerStep))]
pub enum Step {
    /// [`Ledger::apply`].
    Batch(Vec<Entry>),
    /// [`Ledger::close_round`].
    CloseRound {
        /// The table.
        table: TableId,
        /// The latest round to close.
        round: RoundId,
    },
    /// [`Ledger::forget_through`].
    ForgetThrough(TransferId),
}

/// The ledger that these steps lead to, from the first one on.
///
/// ```
/// use croupier_ledger::{Account, Amount, Entry, Kind, Step, TableId, Transfer, TransferId, rebuild};
///
/// let fill = Transfer {
///     id: TransferId(1),
///     from: Account::Cage,
///     to: Account::Float(TableId(3)),
///     amount: Amount::new(100_000).unwrap(),
///     kind: Kind::Fill,
/// };
/// let ledger = rebuild(&[Step::Batch(vec![Entry::Direct(fill)])])?;
/// assert_eq!(ledger.available(fill.to), 100_000);
/// # Ok::<(), croupier_ledger::RebuildError>(())
/// ```
///
/// # Errors
/// [`RebuildError`] at the first step that is refused: the journal is not one of accepted steps.
pub fn rebuild<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Result<Ledger, RebuildError> {
    let mut ledger = Ledger::default();
    for (step, done) in steps.into_iter().enumerate() {
        match done {
            Step::Batch(batch) => {
                ledger.apply(batch).map_err(|why| RebuildError::Batch { step, why })?;
            }
            Step::CloseRound { table, round } => {
                ledger.close_round(*table, *round).map_err(|why| RebuildError::CloseRound { step, why })?;
            }
            Step::ForgetThrough(through) => {
                ledger.forget_through(*through);
            }
        }
    }
    Ok(ledger)
}

/// Why steps lead to no ledger.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RebuildError {
    /// A batch is refused.
    #[error("step {step}: {why}")]
    Batch {
        /// The place of the step, counted from 0.
        step: usize,
        /// Why.
        #[source]
        why: Refused,
    },
    /// A round cannot be closed.
    #[error("step {step}: {why}")]
    CloseRound {
        /// The place of the step, counted from 0.
        step: usize,
        /// Why.
        #[source]
        why: RoundHolds,
    },
}

/// An account that two ledgers disagree on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The account.
    pub account: Account,
    /// What is in it as kept.
    pub kept: Balance,
    /// What is in it as rebuilt.
    pub rebuilt: Balance,
}

/// The accounts whose balances differ between the books as kept and as rebuilt, in order.
#[must_use]
pub fn differences(kept: &Ledger, rebuilt: &Ledger) -> Vec<Difference> {
    let accounts: BTreeSet<Account> =
        kept.accounts().chain(rebuilt.accounts()).map(|(account, _)| account).collect();
    accounts
        .into_iter()
        .map(|account| Difference { account, kept: kept.balance(account), rebuilt: rebuilt.balance(account) })
        .filter(|difference| difference.kept != difference.rebuilt)
        .collect()
}
