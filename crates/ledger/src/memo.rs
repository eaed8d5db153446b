//! What is counted about a table's money. A memo holds no chips: it is a pair of counters that never fall.
//!
//! Why these are not accounts is told with [the scheme](crate#the-scheme).

use crate::amount::Amount;
use crate::id::TableId;
use crate::transfer::{Kind, Noted};

/// A figure about a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Memo {
    /// `table:3:supply`: what fills brought to the float, less credits and chips sold for cash. Counted.
    Supply(TableId),
    /// `table:3:win`: everything else that entered or left the float: what was collected less what was
    /// paid, corrections and holds included. Counted.
    Win(TableId),
    /// `table:3:commission`: the part of the win that is commission. Noted where it was kept out of
    /// winnings, counted where it was owed and collected.
    Commission(TableId),
    /// `table:3:rounding`: the part of the win that came from rounding to payable units. Noted.
    Rounding(TableId),
}

impl Memo {
    /// The memo that counts a movement of this kind in or out of a float.
    #[must_use]
    pub(crate) const fn of_float(kind: Kind, table: TableId) -> Self {
        match kind {
            Kind::Fill | Kind::Credit | Kind::ChipsSold => Self::Supply(table),
            Kind::Deposit
            | Kind::Withdrawal
            | Kind::BuyIn
            | Kind::CashOut
            | Kind::CashDrop
            | Kind::DropCount
            | Kind::Wager
            | Kind::Reserve
            | Kind::Winnings { .. }
            | Kind::Commission
            | Kind::Tip
            | Kind::TipPayout
            | Kind::Hold { .. }
            | Kind::Release { .. }
            | Kind::Correction { .. } => Self::Win(table),
        }
    }

    /// The memo that a note is for, and its side.
    pub(crate) const fn of_note(what: Noted, table: TableId) -> (Self, Side) {
        match what {
            Noted::CommissionKept => (Self::Commission(table), Side::Taken),
            Noted::CommissionReturned => (Self::Commission(table), Side::Given),
            Noted::RoundedDown => (Self::Rounding(table), Side::Taken),
            Noted::RoundedUp => (Self::Rounding(table), Side::Given),
        }
    }
}

/// One side of a tally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Taken,
    Given,
}

/// The two counters of a memo, as the house sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// What the house took in.
    pub taken: i128,
    /// What the house gave away.
    pub given: i128,
}

impl Tally {
    /// Taken less given; below zero where the house lost.
    ///
    /// ```
    /// use croupier_ledger::Tally;
    ///
    /// assert_eq!(Tally { taken: 1_000, given: 2_450 }.net(), -1_450);
    /// ```
    #[must_use]
    pub const fn net(self) -> i128 {
        self.taken - self.given
    }

    pub(crate) fn count(&mut self, side: Side, amount: Amount) {
        match side {
            Side::Taken => self.taken += i128::from(amount),
            Side::Given => self.given += i128::from(amount),
        }
    }
}
