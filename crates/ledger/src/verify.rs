//! The full check of the invariants, over everything the ledger holds.
//!
//! No batch can break them; this is for books that come out of a store, and for finding our own mistakes.
//! It takes nothing from how batches are applied: pending money is counted again from the records.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::account::{Account, Balance};
use crate::draft;
use crate::id::{RoundId, TableId, TransferId};
use crate::ledger::{Ledger, Record};
use crate::memo::{Memo, Tally};

/// An invariant that does not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Imbalance {
    /// Money appeared or vanished.
    #[error("all balances add up to {total}, not to zero")]
    NotZero {
        /// The sum.
        total: i128,
    },
    /// More is posted out, or pending out, than there is.
    #[error("{account} has {posted} posted and {pending_out} pending out; at least {floor} must be left")]
    BelowFloor {
        /// The account.
        account: Account,
        /// What is posted.
        posted: i128,
        /// What is pending out.
        pending_out: i128,
        /// The lowest that the account may fall.
        floor: i128,
    },
    /// A bet or a Reserve holds money that is not pending.
    #[error("{account} has {posted} posted; it may hold pending money only")]
    PostedStake {
        /// The account.
        account: Account,
        /// What is posted.
        posted: i128,
    },
    /// An account's pending sums are not those of the open transfers.
    #[error(
        "{account} has {kept_in} pending in and {kept_out} out; its open transfers say {counted_in} and {counted_out}"
    )]
    PendingDiffers {
        /// The account.
        account: Account,
        /// What the balance says.
        kept_in: i128,
        /// What the balance says.
        kept_out: i128,
        /// What the open transfers say.
        counted_in: i128,
        /// What the open transfers say.
        counted_out: i128,
    },
    /// A float is not what was supplied and won.
    #[error("the float of table {table} is {float}; supply {supply} and win {win} do not make that")]
    FloatDiffers {
        /// The table.
        table: TableId,
        /// What is posted.
        float: i128,
        /// The net supply.
        supply: i128,
        /// The net win.
        win: i128,
    },
    /// A counter of a memo is below zero.
    #[error("{memo} counts {} taken and {} given; neither may be below zero", tally.taken, tally.given)]
    NegativeTally {
        /// The memo.
        memo: Memo,
        /// Its counters.
        tally: Tally,
    },
    /// A closed round still has an entry.
    #[error("entry {id} belongs to round {round} of table {table}, which is closed")]
    ClosedRoundHolds {
        /// The table.
        table: TableId,
        /// The round.
        round: RoundId,
        /// The entry.
        id: TransferId,
    },
    /// An entry is missing in the index of rounds or of paid wagers, or wrongly there.
    #[error("entry {id} is not indexed as what it is")]
    IndexDiffers {
        /// The entry.
        id: TransferId,
    },
    /// An account is kept although it holds nothing.
    #[error("{account} is kept although it is empty")]
    EmptyKept {
        /// The account.
        account: Account,
    },
}

impl Ledger {
    /// Checks every invariant.
    ///
    /// # Errors
    /// Everything that does not hold.
    pub fn verify(&self) -> Result<(), Vec<Imbalance>> {
        let mut faults = Vec::new();
        let total = self.total();
        if total != 0 {
            faults.push(Imbalance::NotZero { total });
        }
        faults.extend(self.balances.iter().filter_map(|(account, balance)| fault_of(*account, *balance)));
        self.verify_pending(&mut faults);
        self.verify_tallies(&mut faults);
        self.verify_rounds(&mut faults);
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    fn verify_pending(&self, faults: &mut Vec<Imbalance>) {
        let mut counted: BTreeMap<Account, (i128, i128)> = BTreeMap::new();
        for transfer in self.open_pendings() {
            counted.entry(transfer.from).or_default().1 += i128::from(transfer.amount);
            counted.entry(transfer.to).or_default().0 += i128::from(transfer.amount);
        }
        let accounts: BTreeSet<Account> = self.balances.keys().chain(counted.keys()).copied().collect();
        for account in accounts {
            let Balance { pending_in: kept_in, pending_out: kept_out, .. } = self.balance(account);
            let (counted_in, counted_out) = counted.get(&account).copied().unwrap_or_default();
            if (kept_in, kept_out) != (counted_in, counted_out) {
                faults.push(Imbalance::PendingDiffers {
                    account,
                    kept_in,
                    kept_out,
                    counted_in,
                    counted_out,
                });
            }
        }
    }

    fn verify_tallies(&self, faults: &mut Vec<Imbalance>) {
        let mut tables = BTreeSet::new();
        for (memo, tally) in self.tallies() {
            if tally.taken < 0 || tally.given < 0 {
                faults.push(Imbalance::NegativeTally { memo, tally });
            }
            match memo {
                Memo::Supply(table) | Memo::Win(table) => tables.insert(table),
                Memo::Commission(_) | Memo::Rounding(_) => false,
            };
        }
        tables.extend(self.balances.keys().filter_map(|account| match account {
            Account::Float(table) => Some(*table),
            Account::Cage
            | Account::Wallet(_)
            | Account::Chips { .. }
            | Account::Bet { .. }
            | Account::Reserve { .. }
            | Account::Drop(_)
            | Account::Tips(_)
            | Account::Hold(_) => None,
        }));
        for table in tables {
            let float = self.balance(Account::Float(table)).posted;
            let (supply, win) = (self.tally(Memo::Supply(table)).net(), self.tally(Memo::Win(table)).net());
            if float != supply + win {
                faults.push(Imbalance::FloatDiffers { table, float, supply, win });
            }
        }
    }

    fn verify_rounds(&self, faults: &mut Vec<Imbalance>) {
        let mut rounds = BTreeSet::new();
        let mut paid = BTreeMap::new();
        for (id, record) in &self.records {
            if let Some((table, round)) = record.round() {
                rounds.insert((table, round, *id));
                if self.closed_through(table).is_some_and(|through| round <= through) {
                    faults.push(Imbalance::ClosedRoundHolds { table, round, id: *id });
                }
            }
            if let Record::Direct(transfer) = record
                && let Some(wager) = draft::paid(transfer)
            {
                paid.insert(wager, *id);
            }
        }
        let misplaced = rounds.symmetric_difference(&self.rounds).map(|(_, _, id)| *id);
        let unpaid = paid.iter().filter(|(wager, id)| self.paid.get(wager) != Some(id));
        let overpaid = self.paid.iter().filter(|(wager, id)| paid.get(wager) != Some(id));
        let ids: BTreeSet<TransferId> = misplaced.chain(unpaid.chain(overpaid).map(|(_, id)| *id)).collect();
        faults.extend(ids.into_iter().map(|id| Imbalance::IndexDiffers { id }));
    }
}

/// What is wrong with one balance by itself.
fn fault_of(account: Account, balance: Balance) -> Option<Imbalance> {
    let Balance { posted, pending_out, .. } = balance;
    let floor = account.floor();
    if balance.is_empty() {
        Some(Imbalance::EmptyKept { account })
    } else if posted != 0 && account.round().is_some() {
        Some(Imbalance::PostedStake { account, posted })
    } else if posted < floor || balance.available() < floor {
        Some(Imbalance::BelowFloor { account, posted, pending_out, floor })
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::{Amount, Entry, Kind, PlayerId, Transfer, WagerId};

    const TABLE: TableId = TableId(3);
    const PLAYER: PlayerId = PlayerId(7);
    const ROUND: RoundId = RoundId(41);
    const CHIPS: Account = Account::Chips { table: TABLE, player: PLAYER };
    const FLOAT: Account = Account::Float(TABLE);
    const BET: Account = Account::Bet { table: TABLE, player: PLAYER, round: ROUND, wager: WagerId(2) };

    /// A table in the middle of a round: 4 is a wager of 30, 5 are winnings of 20.
    fn ledger() -> Ledger {
        let winnings = Kind::Winnings { round: ROUND, wager: WagerId(2) };
        let transfers = [
            (1, Account::Cage, FLOAT, 1_000, Kind::Fill),
            (2, Account::Cage, Account::Wallet(PLAYER), 100, Kind::Deposit),
            (3, Account::Wallet(PLAYER), CHIPS, 100, Kind::BuyIn),
            (4, CHIPS, BET, 30, Kind::Wager),
            (5, FLOAT, CHIPS, 20, winnings),
        ];
        let mut ledger = Ledger::default();
        for (id, from, to, minor, kind) in transfers {
            let transfer =
                Transfer { id: TransferId(id), from, to, amount: Amount::new(minor).unwrap(), kind };
            let entry = if kind == Kind::Wager { Entry::Pending(transfer) } else { Entry::Direct(transfer) };
            ledger.apply(&[entry]).unwrap();
        }
        ledger
    }

    /// The faults found after `damage`.
    fn check<R>(damage: impl FnOnce(&mut Ledger) -> R, expect: &[Imbalance]) {
        let mut ledger = ledger();
        assert_eq!(ledger.verify(), Ok(()));
        damage(&mut ledger);
        assert_eq!(ledger.verify().err().unwrap_or_default(), expect);
    }

    fn balance(ledger: &mut Ledger, account: Account) -> &mut Balance {
        ledger.balances.entry(account).or_default()
    }

    #[test]
    fn money_that_appears_is_found() {
        let wallet = Account::Wallet(PlayerId(8));
        check(|ledger| balance(ledger, wallet).posted = 1, &[Imbalance::NotZero { total: 1 }]);
    }

    #[test]
    fn an_account_below_its_floor_is_found() {
        let damage = |ledger: &mut Ledger| {
            balance(ledger, CHIPS).posted -= 91;
            balance(ledger, Account::Wallet(PLAYER)).posted += 91;
        };
        let fault = Imbalance::BelowFloor { account: CHIPS, posted: 29, pending_out: 30, floor: 0 };
        check(damage, &[fault]);
    }

    #[test]
    fn money_posted_to_a_bet_is_found() {
        let damage = |ledger: &mut Ledger| {
            balance(ledger, BET).posted += 10;
            balance(ledger, CHIPS).posted -= 10;
        };
        check(damage, &[Imbalance::PostedStake { account: BET, posted: 10 }]);
    }

    #[test]
    fn pending_sums_without_their_transfer_are_found() {
        let differs = |account, kept_in, kept_out, counted_in, counted_out| Imbalance::PendingDiffers {
            account,
            kept_in,
            kept_out,
            counted_in,
            counted_out,
        };
        check(|ledger| balance(ledger, CHIPS).pending_out = 29, &[differs(CHIPS, 0, 29, 0, 30)]);
        check(|ledger| ledger.balances.remove(&BET), &[differs(BET, 0, 0, 30, 0)]);
    }

    #[test]
    fn a_float_that_was_not_counted_is_found() {
        let damage = |ledger: &mut Ledger| {
            balance(ledger, FLOAT).posted += 5;
            balance(ledger, Account::Cage).posted -= 5;
        };
        let fault = Imbalance::FloatDiffers { table: TABLE, float: 985, supply: 1_000, win: -20 };
        check(damage, &[fault]);
    }

    #[test]
    fn a_negative_counter_is_found() {
        let memo = Memo::Rounding(TABLE);
        let tally = Tally { taken: -1, given: 0 };
        check(|ledger| ledger.tallies.insert(memo, tally), &[Imbalance::NegativeTally { memo, tally }]);
    }

    #[test]
    fn a_closed_round_that_holds_something_is_found() {
        let fault = |id| Imbalance::ClosedRoundHolds { table: TABLE, round: ROUND, id: TransferId(id) };
        check(|ledger| ledger.closed.insert(TABLE, RoundId(40)), &[]);
        check(|ledger| ledger.closed.insert(TABLE, ROUND), &[fault(4), fault(5)]);
        check(|ledger| ledger.closed.insert(TABLE, RoundId(42)), &[fault(4), fault(5)]);
    }

    #[test]
    fn a_wrong_index_is_found() {
        let fault = |id| Imbalance::IndexDiffers { id: TransferId(id) };
        check(|ledger| ledger.rounds.clear(), &[fault(4), fault(5)]);
        check(|ledger| ledger.paid.clear(), &[fault(5)]);
        let extra = (TABLE, ROUND, PLAYER, WagerId(3));
        check(|ledger| ledger.paid.insert(extra, TransferId(9)), &[fault(9)]);
    }

    #[test]
    fn an_empty_account_that_is_kept_is_found() {
        let account = Account::Tips(TABLE);
        check(|ledger| *balance(ledger, account) = Balance::default(), &[Imbalance::EmptyKept { account }]);
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let mut ledger = ledger();
        balance(&mut ledger, Account::Hold(crate::CaseId(1))).posted = -4;
        ledger.paid.clear();
        let hold = Account::Hold(crate::CaseId(1));
        let below = Imbalance::BelowFloor { account: hold, posted: -4, pending_out: 0, floor: 0 };
        let index = Imbalance::IndexDiffers { id: TransferId(5) };
        assert_eq!(ledger.verify(), Err(vec![Imbalance::NotZero { total: -4 }, below, index]));
    }
}
