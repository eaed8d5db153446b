//! The books: every account's balance, and batches that are applied whole or not at all.
//!
//! The cost of a batch depends on what it touches. What is kept for answering repeated entries is let go
//! by [`Ledger::close_round`] and [`Ledger::forget_through`]; accounts that hold nothing are not kept.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::account::{Account, Balance};
use crate::amount::Amount;
use crate::draft::{self, Changes, Paid};
use crate::id::{PlayerId, RoundId, TableId, TransferId, WagerId};
use crate::memo::{Memo, Tally};
use crate::refusal::{NotClosed, Refused, RoundHolds};
use crate::transfer::{Entry, Note, Transfer};

/// The state of the books.
///
/// ```
/// use croupier_ledger::{Account, Amount, Entry, Kind, Ledger, Outcome, PlayerId, Transfer, TransferId};
///
/// let mut ledger = Ledger::default();
/// let deposit = Entry::Direct(Transfer {
///     id: TransferId(1),
///     from: Account::Cage,
///     to: Account::Wallet(PlayerId(7)),
///     amount: Amount::new(500).unwrap(),
///     kind: Kind::Deposit,
/// });
/// assert_eq!(ledger.apply(&[deposit])?.outcomes, [Outcome::Moved]);
/// assert_eq!(ledger.apply(&[deposit])?.outcomes, [Outcome::AlreadyApplied]);
/// assert_eq!(ledger.available(Account::Wallet(PlayerId(7))), 500);
/// assert_eq!(ledger.available(Account::Cage), -500);
/// # Ok::<(), croupier_ledger::Refused>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ledger {
    pub(crate) balances: BTreeMap<Account, Balance>,
    pub(crate) tallies: BTreeMap<Memo, Tally>,
    pub(crate) records: BTreeMap<TransferId, Record>,
    /// The records of each round that is not closed.
    pub(crate) rounds: BTreeSet<(TableId, RoundId, TransferId)>,
    /// The wagers of rounds that are not closed that were paid, and by which transfer.
    pub(crate) paid: BTreeMap<Paid, TransferId>,
    pub(crate) closed: BTreeMap<TableId, RoundId>,
    pub(crate) forgotten: Option<TransferId>,
}

impl Ledger {
    /// Applies all entries of a batch, in order, or none.
    ///
    /// An entry that was applied before, with the same content, changes nothing and is answered as
    /// [`Outcome::AlreadyApplied`].
    ///
    /// # Errors
    /// [`Refused`] for the first entry against which there is a rule; nothing is changed then.
    pub fn apply(&mut self, batch: &[Entry]) -> Result<Receipt, Refused> {
        let (changes, receipt) = draft::decide(self, batch)?;
        self.commit(changes);
        Ok(receipt)
    }

    /// Applies a batch and closes a round with it: both, or neither.
    ///
    /// # Errors
    /// [`NotClosed`]: an entry is refused, or money would still be pending in the round; nothing is changed then.
    pub fn apply_and_close(
        &mut self,
        batch: &[Entry],
        table: TableId,
        round: RoundId,
    ) -> Result<Receipt, NotClosed> {
        let (changes, receipt) = draft::decide(self, batch)?;
        let range = (table, RoundId(0), TransferId(0))..=(table, round, TransferId(u64::MAX));
        let known = self.rounds.range(range).map(|(_, _, id)| *id);
        let of_round =
            |record: &Record| record.round().is_some_and(|(at, number)| at == table && number <= round);
        let new = changes.records.iter().filter(|(_, record)| of_round(record)).map(|(id, _)| *id);
        let record = |id: &TransferId| changes.records.get(id).or_else(|| self.records.get(id));
        let ids: BTreeSet<TransferId> = known.chain(new).collect();
        let open = ids.iter().filter_map(|id| record(id).and_then(Record::open_pending));
        let (pending, amounts): (Vec<_>, Vec<_>) = open.map(|open| (open.id, open.amount)).unzip();
        if !pending.is_empty() {
            let held = amounts.into_iter().map(i128::from).sum();
            return Err(NotClosed::Holds(RoundHolds { table, round, held, pending }));
        }
        self.commit(changes);
        self.close_round(table, round).map_err(NotClosed::Holds)?;
        Ok(receipt)
    }

    /// What [`Ledger::apply`] would answer.
    ///
    /// # Errors
    /// [`Refused`] as for [`Ledger::apply`].
    pub fn check(&self, batch: &[Entry]) -> Result<Receipt, Refused> {
        draft::decide(self, batch).map(|(_, receipt)| receipt)
    }

    /// Closes this round of a table and all before it, and forgets their transfers. Returns how many.
    ///
    /// New entries of those rounds are refused from then on. Closing a closed round changes nothing.
    ///
    /// # Errors
    /// [`RoundHolds`] when money is still pending there; nothing is changed then.
    pub fn close_round(&mut self, table: TableId, round: RoundId) -> Result<usize, RoundHolds> {
        let range = (table, RoundId(0), TransferId(0))..=(table, round, TransferId(u64::MAX));
        let entries: Vec<_> = self.rounds.range(range).copied().collect();
        let open = entries.iter().filter_map(|(_, _, id)| self.open_pending(*id));
        let (pending, amounts): (Vec<_>, Vec<_>) = open.map(|open| (open.id, open.amount)).unzip();
        if !pending.is_empty() {
            let held = amounts.into_iter().map(i128::from).sum();
            return Err(RoundHolds { table, round, held, pending });
        }
        for entry in &entries {
            self.rounds.remove(entry);
            if let Some(Record::Direct(transfer)) = self.records.remove(&entry.2)
                && let Some(paid) = draft::paid(&transfer)
            {
                self.paid.remove(&paid);
            }
        }
        let through = self.closed.entry(table).or_insert(round);
        *through = round.max(*through);
        Ok(entries.len())
    }

    /// Forgets what was applied with ids up to this one, as at the end of a gaming day. Returns how many.
    ///
    /// Pending transfers and those of rounds that are not closed are kept. Any other id up to this one is
    /// refused from then on, so this is for callers whose ids ascend.
    pub fn forget_through(&mut self, through: TransferId) -> usize {
        self.forget_between(TransferId(0), through)
    }

    /// The same for ids from one to another, at the cost of these alone: for callers who forget often, and after whose
    /// ids below `from` nothing is pending outside of a round.
    pub fn forget_between(&mut self, from: TransferId, through: TransferId) -> usize {
        let settled: Vec<TransferId> = self
            .records
            .range(from.min(through)..=through)
            .filter(|(_, record)| record.round().is_none() && record.open_pending().is_none())
            .map(|(id, _)| *id)
            .collect();
        for id in &settled {
            self.records.remove(id);
        }
        self.forgotten = self.forgotten.max(Some(through));
        settled.len()
    }

    /// What is in an account; nothing if it was never used.
    #[must_use]
    pub fn balance(&self, account: Account) -> Balance {
        self.balances.get(&account).copied().unwrap_or_default()
    }

    /// What a new transfer may take from an account: posted less pending out.
    #[must_use]
    pub fn available(&self, account: Account) -> i128 {
        self.balance(account).available()
    }

    /// What was counted about a table.
    #[must_use]
    pub fn tally(&self, memo: Memo) -> Tally {
        self.tallies.get(&memo).copied().unwrap_or_default()
    }

    /// The accounts that hold something, or have something pending, in order.
    pub fn accounts(&self) -> impl DoubleEndedIterator<Item = (Account, Balance)> + ExactSizeIterator {
        self.balances.iter().map(|(account, balance)| (*account, *balance))
    }

    /// The players' chips at a table, those pending out included, by player.
    pub fn chips_at(&self, table: TableId) -> impl DoubleEndedIterator<Item = (PlayerId, Balance)> {
        let chips = |player| Account::Chips { table, player: PlayerId(player) };
        self.balances.range(chips(0)..=chips(u32::MAX)).filter_map(|(account, balance)| match account {
            Account::Chips { player, .. } => Some((*player, *balance)),
            Account::Cage
            | Account::Wallet(_)
            | Account::Bet { .. }
            | Account::Reserve { .. }
            | Account::Float(_)
            | Account::Drop(_)
            | Account::Tips(_)
            | Account::Hold(_) => None,
        })
    }

    /// The memos that count something, in order.
    pub fn tallies(&self) -> impl DoubleEndedIterator<Item = (Memo, Tally)> + ExactSizeIterator {
        self.tallies.iter().map(|(memo, tally)| (*memo, *tally))
    }

    /// The sum of all posted balances, the cage's included: zero.
    #[must_use]
    pub fn total(&self) -> i128 {
        self.balances.values().map(|balance| balance.posted).sum()
    }

    /// What became of a transfer or a note, unless it is forgotten.
    #[must_use]
    pub fn record(&self, id: TransferId) -> Option<&Record> {
        self.records.get(&id)
    }

    /// The transfers that are neither posted nor voided, by id.
    pub fn open_pendings(&self) -> impl DoubleEndedIterator<Item = &Transfer> {
        self.records.values().filter_map(Record::open_pending)
    }

    /// The wagers and Reserves of a round that are neither posted nor voided, by id.
    pub fn round_pendings(
        &self,
        table: TableId,
        round: RoundId,
    ) -> impl DoubleEndedIterator<Item = &Transfer> {
        let range = (table, round, TransferId(0))..=(table, round, TransferId(u64::MAX));
        self.rounds.range(range).filter_map(|(_, _, id)| self.open_pending(*id))
    }

    /// The latest closed round of a table.
    #[must_use]
    pub fn closed_through(&self, table: TableId) -> Option<RoundId> {
        self.closed.get(&table).copied()
    }

    /// The highest id that [`Ledger::forget_through`] closed.
    #[must_use]
    pub fn forgotten(&self) -> Option<TransferId> {
        self.forgotten
    }

    /// The transfer that paid a wager, until its round is closed.
    #[must_use]
    pub fn winnings_of(
        &self,
        table: TableId,
        round: RoundId,
        player: PlayerId,
        wager: WagerId,
    ) -> Option<TransferId> {
        self.paid_by((table, round, player, wager))
    }

    pub(crate) fn paid_by(&self, paid: Paid) -> Option<TransferId> {
        self.paid.get(&paid).copied()
    }

    fn open_pending(&self, id: TransferId) -> Option<&Transfer> {
        self.records.get(&id).and_then(Record::open_pending)
    }

    fn commit(&mut self, changes: Changes) {
        let Changes { balances, tallies, records, paid } = changes;
        for (account, balance) in balances {
            if balance.is_empty() {
                self.balances.remove(&account);
            } else {
                self.balances.insert(account, balance);
            }
        }
        self.tallies.extend(tallies);
        for (id, record) in records {
            if self.records.insert(id, record).is_none()
                && let Some((table, round)) = record.round()
            {
                self.rounds.insert((table, round, id));
            }
        }
        self.paid.extend(paid);
    }
}

/// What became of an id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
pub enum Record {
    /// Money moved at once.
    Direct(Transfer),
    /// Money is set aside.
    Pending(Transfer),
    /// Money was set aside and moved, wholly or in part.
    Posted {
        /// The pending transfer.
        transfer: Transfer,
        /// How much of it moved; the rest went back.
        posted: Amount,
    },
    /// Money was set aside and went back.
    Voided(Transfer),
    /// Something was counted.
    Noted(Note),
}

impl Record {
    /// The id.
    #[cfg(feature = "serde")]
    pub(crate) const fn id(&self) -> TransferId {
        match self {
            Self::Direct(transfer)
            | Self::Pending(transfer)
            | Self::Posted { transfer, .. }
            | Self::Voided(transfer) => transfer.id,
            Self::Noted(note) => note.id,
        }
    }

    /// The entry that the record began with.
    #[must_use]
    pub const fn opening(&self) -> Entry {
        match *self {
            Self::Direct(transfer) => Entry::Direct(transfer),
            Self::Pending(transfer) | Self::Posted { transfer, .. } | Self::Voided(transfer) => {
                Entry::Pending(transfer)
            }
            Self::Noted(note) => Entry::Note(note),
        }
    }

    /// The round that it belongs to.
    #[must_use]
    pub const fn round(&self) -> Option<(TableId, RoundId)> {
        match self {
            Self::Direct(transfer)
            | Self::Pending(transfer)
            | Self::Posted { transfer, .. }
            | Self::Voided(transfer) => transfer.round(),
            Self::Noted(note) => note.round(),
        }
    }

    /// The transfer, if it is neither posted nor voided.
    #[must_use]
    pub const fn open_pending(&self) -> Option<&Transfer> {
        match self {
            Self::Pending(transfer) => Some(transfer),
            Self::Direct(_) | Self::Posted { .. } | Self::Voided(_) | Self::Noted(_) => None,
        }
    }
}

/// The answer to a batch that was applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// What each entry did, in the order of the batch.
    pub outcomes: Vec<Outcome>,
    /// What is in every account that the batch touched, once it is applied, in the order of accounts: two sets of books
    /// that answer the same agree on all of it.
    pub balances: Vec<(Account, Balance)>,
}

/// What an entry did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Money moved at once.
    Moved,
    /// Money was set aside.
    SetAside,
    /// Pending money moved: stake = posted + returned.
    Posted {
        /// How much moved.
        posted: Amount,
        /// How much went back.
        returned: Amount,
    },
    /// Pending money went back.
    Voided {
        /// All of it.
        returned: Amount,
    },
    /// Something was counted.
    Noted,
    /// The entry was applied before; nothing changed.
    AlreadyApplied,
}
