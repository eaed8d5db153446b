//! The state of the books as bytes: equal states give equal bytes, and unequal states unequal ones.
//!
//! The form is for hashing, not for reading back: a version line, then each part as a count and its items in
//! order, all numbers big-endian. Indexes that follow from the rest are left out. Tags are never reused.

use crate::account::Account;
use crate::id::{RoundId, TableId};
use crate::ledger::{Ledger, Record};
use crate::memo::Memo;
use crate::transfer::{Kind, Note, Noted, Occasion, Transfer};

/// What the bytes begin with.
pub const VERSION: &[u8] = b"croupier-ledger 1\n";

impl Ledger {
    /// Writes the state, piece by piece.
    ///
    /// ```
    /// use croupier_ledger::Ledger;
    ///
    /// let mut bytes = Vec::new();
    /// Ledger::default().write_canonical(|piece| bytes.extend_from_slice(piece));
    /// assert!(bytes.starts_with(b"croupier-ledger 1\n"));
    /// ```
    pub fn write_canonical(&self, write: impl FnMut(&[u8])) {
        let mut out = Writer(write);
        out.bytes(VERSION);
        out.count(self.balances.len());
        for (account, balance) in &self.balances {
            out.account(*account);
            out.sum(balance.posted);
            out.sum(balance.pending_in);
            out.sum(balance.pending_out);
        }
        out.count(self.tallies.len());
        for (memo, tally) in &self.tallies {
            out.memo(*memo);
            out.sum(tally.taken);
            out.sum(tally.given);
        }
        out.count(self.records.len());
        for record in self.records.values() {
            out.record(record);
        }
        out.count(self.closed.len());
        for (table, round) in &self.closed {
            out.round(*table, *round);
        }
        match self.forgotten {
            None => out.tag(0),
            Some(through) => {
                out.tag(1);
                out.long(through.0);
            }
        }
    }
}

struct Writer<F>(F);

impl<F: FnMut(&[u8])> Writer<F> {
    fn bytes(&mut self, bytes: &[u8]) {
        (self.0)(bytes);
    }

    fn tag(&mut self, tag: u8) {
        self.bytes(&[tag]);
    }

    fn short(&mut self, number: u32) {
        self.bytes(&number.to_be_bytes());
    }

    fn long(&mut self, number: u64) {
        self.bytes(&number.to_be_bytes());
    }

    fn sum(&mut self, sum: i128) {
        self.bytes(&sum.to_be_bytes());
    }

    fn count(&mut self, count: usize) {
        self.long(u64::try_from(count).unwrap_or(u64::MAX));
    }

    fn round(&mut self, table: TableId, round: RoundId) {
        self.short(table.0);
        self.long(round.0);
    }

    fn account(&mut self, account: Account) {
        match account {
            Account::Cage => self.tag(0),
            Account::Wallet(player) => {
                self.tag(1);
                self.short(player.0);
            }
            Account::Chips { table, player } => {
                self.tag(2);
                self.short(table.0);
                self.short(player.0);
            }
            Account::Bet { table, player, round, wager } => {
                self.tag(3);
                self.round(table, round);
                self.short(player.0);
                self.short(wager.0);
            }
            Account::Reserve { table, player, round, wager } => {
                self.tag(4);
                self.round(table, round);
                self.short(player.0);
                self.short(wager.0);
            }
            Account::Float(table) => self.tagged(5, table.0),
            Account::Drop(table) => self.tagged(6, table.0),
            Account::Tips(table) => self.tagged(7, table.0),
            Account::Hold(case) => self.tagged(8, case.0),
        }
    }

    fn tagged(&mut self, tag: u8, number: u32) {
        self.tag(tag);
        self.short(number);
    }

    fn memo(&mut self, memo: Memo) {
        match memo {
            Memo::Supply(table) => self.tagged(0, table.0),
            Memo::Win(table) => self.tagged(1, table.0),
            Memo::Commission(table) => self.tagged(2, table.0),
            Memo::Rounding(table) => self.tagged(3, table.0),
        }
    }

    fn record(&mut self, record: &Record) {
        match record {
            Record::Direct(transfer) => {
                self.tag(0);
                self.transfer(transfer);
            }
            Record::Pending(transfer) => {
                self.tag(1);
                self.transfer(transfer);
            }
            Record::Posted { transfer, posted } => {
                self.tag(2);
                self.transfer(transfer);
                self.sum((*posted).into());
            }
            Record::Voided(transfer) => {
                self.tag(3);
                self.transfer(transfer);
            }
            Record::Noted(note) => {
                self.tag(4);
                self.note(note);
            }
        }
    }

    fn transfer(&mut self, transfer: &Transfer) {
        self.long(transfer.id.0);
        self.account(transfer.from);
        self.account(transfer.to);
        self.sum(transfer.amount.into());
        self.kind(transfer.kind);
    }

    fn kind(&mut self, kind: Kind) {
        match kind {
            Kind::Deposit => self.tag(0),
            Kind::Withdrawal => self.tag(1),
            Kind::BuyIn => self.tag(2),
            Kind::CashOut => self.tag(3),
            Kind::CashDrop => self.tag(4),
            Kind::ChipsSold => self.tag(5),
            Kind::DropCount => self.tag(6),
            Kind::Fill => self.tag(7),
            Kind::Credit => self.tag(8),
            Kind::Wager => self.tag(9),
            Kind::Reserve => self.tag(10),
            Kind::Winnings { round, wager } => {
                self.tag(11);
                self.long(round.0);
                self.short(wager.0);
            }
            Kind::Tip => self.tag(12),
            Kind::TipPayout => self.tag(13),
            Kind::Hold { case } => self.tagged(14, case.0),
            Kind::Release { case } => self.tagged(15, case.0),
            Kind::Correction { case } => self.tagged(16, case.0),
            Kind::Commission => self.tag(17),
        }
    }

    fn note(&mut self, note: &Note) {
        self.long(note.id.0);
        self.short(note.table.0);
        match note.occasion {
            Occasion::Round(round) => {
                self.tag(0);
                self.long(round.0);
            }
            Occasion::Case(case) => self.tagged(1, case.0),
        }
        self.tag(match note.what {
            Noted::CommissionKept => 0,
            Noted::CommissionReturned => 1,
            Noted::RoundedDown => 2,
            Noted::RoundedUp => 3,
        });
        self.sum(note.amount.into());
    }
}
