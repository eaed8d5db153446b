//! A batch being decided: what it would change, kept beside the ledger until every entry has passed.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::account::{Account, Balance};
use crate::amount::Amount;
use crate::id::{PlayerId, RoundId, TableId, TransferId, WagerId};
use crate::ledger::{Ledger, Outcome, Receipt, Record};
use crate::memo::{Memo, Side, Tally};
use crate::refusal::{Refusal, Refused};
use crate::transfer::{Entry, Kind, Note, Phase, Transfer};

/// Which wager was paid.
pub(crate) type Paid = (TableId, RoundId, PlayerId, WagerId);

/// The new values of everything that a batch touches.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) balances: BTreeMap<Account, Balance>,
    pub(crate) tallies: BTreeMap<Memo, Tally>,
    pub(crate) records: BTreeMap<TransferId, Record>,
    pub(crate) paid: BTreeMap<Paid, TransferId>,
}

/// Decides a batch without applying it.
pub(crate) fn decide(ledger: &Ledger, batch: &[Entry]) -> Result<(Changes, Receipt), Refused> {
    let mut draft = Draft { ledger, changes: Changes::default() };
    let mut outcomes = Vec::with_capacity(batch.len());
    for (entry, line) in batch.iter().enumerate() {
        outcomes.push(draft.enter(line).map_err(|why| Refused { entry, why })?);
    }
    let balances = draft.changes.balances.iter().map(|(account, balance)| (*account, *balance)).collect();
    Ok((draft.changes, Receipt { outcomes, balances }))
}

struct Draft<'a> {
    ledger: &'a Ledger,
    changes: Changes,
}

impl Draft<'_> {
    fn enter(&mut self, entry: &Entry) -> Result<Outcome, Refusal> {
        match *entry {
            Entry::Direct(transfer) => self.open(entry, transfer, Phase::Direct),
            Entry::Pending(transfer) => self.open(entry, transfer, Phase::Pending),
            Entry::Post { pending, amount } => self.post(pending, amount),
            Entry::Void { pending } => self.void(pending),
            Entry::Note(note) => self.note(entry, note),
        }
    }

    fn open(&mut self, entry: &Entry, transfer: Transfer, phase: Phase) -> Result<Outcome, Refusal> {
        let Transfer { id, from, to, amount, kind } = transfer;
        if self.is_applied(id, entry)? {
            return Ok(Outcome::AlreadyApplied);
        }
        if amount.is_zero() {
            return Err(Refusal::ZeroAmount);
        }
        if from == to {
            return Err(Refusal::SameAccount { account: from });
        }
        if !kind.goes(from, to) {
            return Err(Refusal::NotBetween { kind, from, to });
        }
        if !kind.may_be(phase) {
            return Err(Refusal::WrongPhase { kind, phase });
        }
        self.check_round(transfer.round())?;
        let paid = paid(&transfer);
        if let Some(paid) = paid {
            self.check_unpaid(paid)?;
        }
        self.check_funds(from, amount)?;

        if let Some(paid) = paid {
            self.changes.paid.insert(paid, id);
        }
        Ok(match phase {
            Phase::Direct => {
                self.shift(&transfer, amount);
                self.changes.records.insert(id, Record::Direct(transfer));
                Outcome::Moved
            }
            Phase::Pending => {
                self.balance(from).pending_out += i128::from(amount);
                self.balance(to).pending_in += i128::from(amount);
                self.changes.records.insert(id, Record::Pending(transfer));
                Outcome::SetAside
            }
        })
    }

    fn post(&mut self, pending: TransferId, amount: Amount) -> Result<Outcome, Refusal> {
        let transfer = match self.pending(pending)? {
            Record::Pending(transfer) => transfer,
            Record::Posted { posted, .. } if posted == amount => return Ok(Outcome::AlreadyApplied),
            Record::Posted { posted, .. } => return Err(Refusal::AlreadyPosted { pending, posted }),
            Record::Voided(_) => return Err(Refusal::AlreadyVoided { pending }),
            Record::Direct(_) | Record::Noted(_) => return Err(Refusal::NotPending { pending }),
        };
        if amount.is_zero() {
            return Err(Refusal::ZeroAmount);
        }
        let Some(returned) = transfer.amount.checked_sub(amount) else {
            return Err(Refusal::ExceedsPending { pending, held: transfer.amount, amount });
        };
        self.take_back(&transfer);
        self.shift(&transfer, amount);
        self.changes.records.insert(pending, Record::Posted { transfer, posted: amount });
        Ok(Outcome::Posted { posted: amount, returned })
    }

    fn void(&mut self, pending: TransferId) -> Result<Outcome, Refusal> {
        let transfer = match self.pending(pending)? {
            Record::Pending(transfer) => transfer,
            Record::Posted { posted, .. } => return Err(Refusal::AlreadyPosted { pending, posted }),
            Record::Voided(_) => return Ok(Outcome::AlreadyApplied),
            Record::Direct(_) | Record::Noted(_) => return Err(Refusal::NotPending { pending }),
        };
        self.take_back(&transfer);
        self.changes.records.insert(pending, Record::Voided(transfer));
        Ok(Outcome::Voided { returned: transfer.amount })
    }

    fn note(&mut self, entry: &Entry, note: Note) -> Result<Outcome, Refusal> {
        if self.is_applied(note.id, entry)? {
            return Ok(Outcome::AlreadyApplied);
        }
        if note.amount.is_zero() {
            return Err(Refusal::ZeroAmount);
        }
        self.check_round(note.round())?;
        let (memo, side) = Memo::of_note(note.what, note.table);
        self.tally(memo).count(side, note.amount);
        self.changes.records.insert(note.id, Record::Noted(note));
        Ok(Outcome::Noted)
    }

    /// Whether a new entry was applied before; refused if its id was used for another or is closed.
    fn is_applied(&self, id: TransferId, entry: &Entry) -> Result<bool, Refusal> {
        match self.record(id) {
            Some(record) if record.opening() == *entry => Ok(true),
            Some(_) => Err(Refusal::DuplicateId { id }),
            None => self.check_remembered(id).map(|()| false),
        }
    }

    fn pending(&self, id: TransferId) -> Result<Record, Refusal> {
        match self.record(id) {
            Some(record) => Ok(*record),
            None => {
                self.check_remembered(id)?;
                Err(Refusal::UnknownPending { pending: id })
            }
        }
    }

    fn record(&self, id: TransferId) -> Option<&Record> {
        self.changes.records.get(&id).or_else(|| self.ledger.record(id))
    }

    fn check_remembered(&self, id: TransferId) -> Result<(), Refusal> {
        match self.ledger.forgotten() {
            Some(through) if id <= through => Err(Refusal::IdForgotten { id, through }),
            Some(_) | None => Ok(()),
        }
    }

    fn check_round(&self, round: Option<(TableId, RoundId)>) -> Result<(), Refusal> {
        let Some((table, round)) = round else { return Ok(()) };
        match self.ledger.closed_through(table) {
            Some(through) if round <= through => Err(Refusal::RoundClosed { table, round, through }),
            Some(_) | None => Ok(()),
        }
    }

    fn check_unpaid(&self, paid: Paid) -> Result<(), Refusal> {
        match self.changes.paid.get(&paid).copied().or_else(|| self.ledger.paid_by(paid)) {
            Some(paid_by) => {
                let (table, round, player, wager) = paid;
                Err(Refusal::PaidTwice { table, round, player, wager, paid_by })
            }
            None => Ok(()),
        }
    }

    fn check_funds(&mut self, from: Account, amount: Amount) -> Result<(), Refusal> {
        let available = self.balance(from).available();
        let shortfall = from.floor() - (available - i128::from(amount));
        if shortfall <= 0 {
            Ok(())
        } else if from == Account::Cage {
            Err(Refusal::TooLarge { inside: -available, amount })
        } else {
            Err(Refusal::WouldGoNegative { account: from, available, amount, shortfall })
        }
    }

    /// Moves posted money, and counts what enters and leaves a float.
    fn shift(&mut self, transfer: &Transfer, amount: Amount) {
        let (from, to) = (transfer.from, transfer.lands_in());
        self.balance(from).posted -= i128::from(amount);
        self.balance(to).posted += i128::from(amount);
        if let Account::Float(table) = from {
            self.tally(Memo::of_float(transfer.kind, table)).count(Side::Given, amount);
        }
        if let Account::Float(table) = to {
            self.tally(Memo::of_float(transfer.kind, table)).count(Side::Taken, amount);
            if transfer.kind == Kind::Commission {
                self.tally(Memo::Commission(table)).count(Side::Taken, amount);
            }
        }
    }

    /// Ends what is pending.
    fn take_back(&mut self, transfer: &Transfer) {
        self.balance(transfer.from).pending_out -= i128::from(transfer.amount);
        self.balance(transfer.to).pending_in -= i128::from(transfer.amount);
    }

    fn balance(&mut self, account: Account) -> &mut Balance {
        let ledger = self.ledger;
        self.changes.balances.entry(account).or_insert_with(|| ledger.balance(account))
    }

    fn tally(&mut self, memo: Memo) -> &mut Tally {
        let ledger = self.ledger;
        self.changes.tallies.entry(memo).or_insert_with(|| ledger.tally(memo))
    }
}

/// The wager that a transfer pays, if it is winnings.
pub(crate) const fn paid(transfer: &Transfer) -> Option<Paid> {
    match (transfer.kind, transfer.to) {
        (Kind::Winnings { round, wager }, Account::Chips { table, player }) => {
            Some((table, round, player, wager))
        }
        _ => None,
    }
}
