//! The entries of a batch, and which kind of money goes from where to where.
//!
//! Whether there is enough money, and what an id was used for before, is the
//! [`ledger`](crate::ledger)'s to say.

use crate::account::Account;
use crate::amount::Amount;
use crate::id::{CaseId, RoundId, TableId, TransferId, WagerId};

/// One line of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = LedgerEntry))]
pub enum Entry {
    /// Money that moves at once.
    Direct(Transfer),
    /// Money that is set aside until it is posted or voided.
    Pending(Transfer),
    /// Settles a pending transfer: `amount` of it moves to where it [lands](Transfer::lands_in), and the
    /// rest goes back.
    Post {
        /// The pending transfer.
        pending: TransferId,
        /// How much of it moves; all of it at most.
        amount: Amount,
    },
    /// Ends a pending transfer: all of it goes back.
    Void {
        /// The pending transfer.
        pending: TransferId,
    },
    /// Counts something about money that moves elsewhere in the batch.
    Note(Note),
}

impl Entry {
    /// Settles a wager or a Reserve of which the house collects this much: a post, or a void if nothing.
    ///
    /// ```
    /// use croupier_ledger::{Amount, Entry, TransferId};
    ///
    /// let pending = TransferId(4);
    /// assert_eq!(Entry::settle(pending, Amount::ZERO), Entry::Void { pending });
    /// ```
    #[must_use]
    pub const fn settle(pending: TransferId, collected: Amount) -> Self {
        if collected.is_zero() { Self::Void { pending } } else { Self::Post { pending, amount: collected } }
    }
}

/// Money on its way from one account to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Transfer {
    /// Its id, never used before. The same transfer sent again is answered as already applied.
    pub id: TransferId,
    /// Where it leaves.
    pub from: Account,
    /// Where it goes.
    pub to: Account,
    /// How much.
    pub amount: Amount,
    /// Why.
    pub kind: Kind,
}

impl Transfer {
    /// Where posted money ends up: what is collected from a bet or a Reserve goes to the table's float.
    #[must_use]
    pub const fn lands_in(&self) -> Account {
        match self.to {
            Account::Bet { table, .. } | Account::Reserve { table, .. } => Account::Float(table),
            Account::Cage
            | Account::Wallet(_)
            | Account::Chips { .. }
            | Account::Float(_)
            | Account::Drop(_)
            | Account::Tips(_)
            | Account::Hold(_) => self.to,
        }
    }

    /// The round that the transfer belongs to: that of a wager, a Reserve or winnings.
    #[must_use]
    pub const fn round(&self) -> Option<(TableId, RoundId)> {
        match (self.kind, self.from) {
            (Kind::Winnings { round, .. }, Account::Float(table)) => Some((table, round)),
            _ => self.to.round(),
        }
    }
}

/// Why money moves. A kind fixes between which accounts it may: its route.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = TransferKind))]
pub enum Kind {
    /// A player brings money: `cage` → `player:7:wallet`.
    Deposit,
    /// A player takes money away: `player:7:wallet` → `cage`.
    Withdrawal,
    /// A player takes chips at a table: `player:7:wallet` → `chips:3:7`.
    BuyIn,
    /// A player leaves a table with chips: `chips:3:7` → `player:7:wallet` or `cage`.
    CashOut,
    /// Cash goes into the drop box: `cage` → `table:3:drop`. [`Kind::ChipsSold`] goes with it.
    CashDrop,
    /// Chips for cash: `table:3:float` → `chips:3:7`.
    ChipsSold,
    /// The drop box is counted and emptied: `table:3:drop` → `cage`.
    DropCount,
    /// Chips are brought to the table: `cage` → `table:3:float`.
    Fill,
    /// Chips are taken from the table: `table:3:float` → `cage`.
    Credit,
    /// A stake: `chips:3:7` → `bet:3:7:41:2`. Pending only.
    Wager,
    /// A Reserve: `chips:3:7` → `reserve:3:7:41:2`. Pending only.
    Reserve,
    /// What is paid on top of a stake, once a wager: `table:3:float` → `chips:3:7`. Direct only.
    Winnings {
        /// In which round.
        round: RoundId,
        /// On which wager of the player.
        wager: WagerId,
    },
    /// Commission that was owed and is collected, as at the end of a shoe: `chips:3:7` → `table:3:float`.
    Commission,
    /// A tip: `chips:3:7` → `table:3:tips`.
    Tip,
    /// The tips leave the table: `table:3:tips` → `cage`.
    TipPayout,
    /// Disputed money is set aside: `chips:3:7`, `player:7:wallet` or `table:3:float` → `hold:9`.
    Hold {
        /// The dispute.
        case: CaseId,
    },
    /// Disputed money is handed out: `hold:9` → `chips:3:7`, `player:7:wallet` or `table:3:float`.
    Release {
        /// The dispute.
        case: CaseId,
    },
    /// A mistake is made good: between any two of `cage`, wallets, chips, floats, tips and the case's hold.
    /// Bets and Reserves are not among them, because a case never changes a round.
    Correction {
        /// The case that decided it.
        case: CaseId,
    },
}

impl Kind {
    /// Whether money of this kind goes from `from` to `to`.
    #[must_use]
    pub fn goes(self, from: Account, to: Account) -> bool {
        use Account::{Bet, Cage, Chips, Drop, Float, Hold, Reserve, Tips, Wallet};
        match self {
            Self::Deposit => matches!((from, to), (Cage, Wallet(_))),
            Self::Withdrawal => matches!((from, to), (Wallet(_), Cage)),
            Self::BuyIn => matches!((from, to), (Wallet(owner), Chips { player, .. }) if owner == player),
            Self::CashOut => {
                matches!((from, to), (Chips { .. }, Cage))
                    || matches!((from, to), (Chips { player, .. }, Wallet(owner)) if player == owner)
            }
            Self::CashDrop => matches!((from, to), (Cage, Drop(_))),
            Self::ChipsSold | Self::Winnings { .. } => {
                matches!((from, to), (Float(tray), Chips { table, .. }) if tray == table)
            }
            Self::DropCount => matches!((from, to), (Drop(_), Cage)),
            Self::Fill => matches!((from, to), (Cage, Float(_))),
            Self::Credit => matches!((from, to), (Float(_), Cage)),
            Self::Wager => {
                matches!((from, to), (Chips { table: at, player: who }, Bet { table, player, .. })
                    if at == table && who == player)
            }
            Self::Reserve => {
                matches!((from, to), (Chips { table: at, player: who }, Reserve { table, player, .. })
                    if at == table && who == player)
            }
            Self::Commission => matches!((from, to), (Chips { table: at, .. }, Float(table)) if at == table),
            Self::Tip => matches!((from, to), (Chips { table: at, .. }, Tips(table)) if at == table),
            Self::TipPayout => matches!((from, to), (Tips(_), Cage)),
            Self::Hold { case } => to == Hold(case) && matches!(from, Chips { .. } | Wallet(_) | Float(_)),
            Self::Release { case } => from == Hold(case) && matches!(to, Chips { .. } | Wallet(_) | Float(_)),
            Self::Correction { case } => [from, to].into_iter().all(|account| match account {
                Cage | Wallet(_) | Chips { .. } | Float(_) | Tips(_) => true,
                Hold(of) => of == case,
                Bet { .. } | Reserve { .. } | Drop(_) => false,
            }),
        }
    }

    /// Whether money of this kind may move in this phase.
    #[must_use]
    pub const fn may_be(self, phase: Phase) -> bool {
        match self {
            Self::Wager | Self::Reserve => matches!(phase, Phase::Pending),
            Self::Winnings { .. } => matches!(phase, Phase::Direct),
            Self::Deposit
            | Self::Withdrawal
            | Self::BuyIn
            | Self::CashOut
            | Self::CashDrop
            | Self::ChipsSold
            | Self::DropCount
            | Self::Fill
            | Self::Credit
            | Self::Commission
            | Self::Tip
            | Self::TipPayout
            | Self::Hold { .. }
            | Self::Release { .. }
            | Self::Correction { .. } => true,
        }
    }

    /// The route in words, for refusals.
    #[must_use]
    pub const fn route(self) -> &'static str {
        match self {
            Self::Deposit => "from the cage to a wallet",
            Self::Withdrawal => "from a wallet to the cage",
            Self::BuyIn => "from a wallet to the same player's chips",
            Self::CashOut => "from a player's chips to the same player's wallet or to the cage",
            Self::CashDrop => "from the cage to a drop box",
            Self::ChipsSold => "from a float to a player's chips at the same table",
            Self::DropCount => "from a drop box to the cage",
            Self::Fill => "from the cage to a float",
            Self::Credit => "from a float to the cage",
            Self::Wager => "from a player's chips to the same player's bet at the same table",
            Self::Reserve => "from a player's chips to the same player's Reserve at the same table",
            Self::Winnings { .. } => "from a float to a player's chips at the same table",
            Self::Commission => "from a player's chips to the float of the same table",
            Self::Tip => "from a player's chips to the tips of the same table",
            Self::TipPayout => "from a table's tips to the cage",
            Self::Hold { .. } => "from chips, a wallet or a float to the hold of its case",
            Self::Release { .. } => "from the hold of its case to chips, a wallet or a float",
            Self::Correction { .. } => {
                "between two of the cage, wallets, chips, floats, tips and the hold of its case"
            }
        }
    }
}

/// How a transfer begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It moves at once.
    Direct,
    /// It waits to be posted or voided.
    Pending,
}

/// Something counted that no transfer shows by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = LedgerNote))]
pub struct Note {
    /// Its id, from the same numbers as the transfers'.
    pub id: TransferId,
    /// At which table.
    pub table: TableId,
    /// On what occasion.
    pub occasion: Occasion,
    /// What.
    pub what: Noted,
    /// How much.
    pub amount: Amount,
}

impl Note {
    /// The round that the note belongs to.
    #[must_use]
    pub const fn round(&self) -> Option<(TableId, RoundId)> {
        match self.occasion {
            Occasion::Round(round) => Some((self.table, round)),
            Occasion::Case(_) => None,
        }
    }
}

/// When something was noted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Occasion {
    /// In the settlement of a round.
    Round(RoundId),
    /// With the correction that a case led to.
    Case(CaseId),
}

/// What a note counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Noted {
    /// Commission kept out of winnings.
    CommissionKept,
    /// Commission that should not have been kept, given back.
    CommissionReturned,
    /// Winnings that rounding took off.
    RoundedDown,
    /// Winnings that rounding added.
    RoundedUp,
}
