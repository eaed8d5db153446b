//! Whether the ledger says of a table what the table says of itself.

use std::collections::BTreeMap;

use croupier_ledger::{Account, Ledger};
use croupier_rules::Amount;

use super::Books;
use crate::actor::PlayerId;
use crate::table::Table;

/// A figure that the table and the ledger do not agree on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Mismatch {
    /// What lies in a place.
    #[error("{account} is {at_table} at the table and {in_ledger} in the ledger")]
    Amount {
        /// The float, the drop box, the tips, or a player's chips off the layout.
        account: Account,
        /// What the table says.
        at_table: i128,
        /// What the ledger says.
        in_ledger: i128,
    },
    /// What a player has on the layout.
    #[error("{account} has {at_table} on the layout at the table and {in_ledger} pending in the ledger")]
    Laid {
        /// The player's chips.
        account: Account,
        /// Stakes, Reserves and insurances that have not ended.
        at_table: i128,
        /// What is pending out of the chips.
        in_ledger: i128,
    },
}

impl Books {
    /// Compares the table with the ledger: float, drop box, tips, and the chips of everybody who has any at
    /// the table or in the ledger.
    ///
    /// # Errors
    /// The first figure that differs.
    pub fn balanced(&self, table: &Table, ledger: &Ledger) -> Result<(), Mismatch> {
        for (account, amount) in [
            (Account::Float(self.table), table.float),
            (Account::Drop(self.table), table.drop),
            (Account::Tips(self.table), table.tips),
        ] {
            let (at_table, in_ledger) = (i128::from(amount.minor()), ledger.available(account));
            if at_table != in_ledger {
                return Err(Mismatch::Amount { account, at_table, in_ledger });
            }
        }
        let mut chips = at_table(table);
        for (player, _) in ledger.chips_at(self.table) {
            chips.entry(player).or_default();
        }
        for (player, (off, on)) in chips {
            let account = Account::Chips { table: self.table, player };
            let balance = ledger.balance(account);
            if balance.available() != off {
                return Err(Mismatch::Amount { account, at_table: off, in_ledger: balance.available() });
            }
            if balance.pending_out != on {
                return Err(Mismatch::Laid { account, at_table: on, in_ledger: balance.pending_out });
            }
        }
        Ok(())
    }
}

/// Each player's chips off and on the layout.
fn at_table(table: &Table) -> BTreeMap<PlayerId, (i128, i128)> {
    let mut chips: BTreeMap<PlayerId, (i128, i128)> = BTreeMap::new();
    for player in &table.players {
        chips.entry(player.id).or_default().0 += i128::from(player.chips.minor());
    }
    let wagers = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
    let wagers = wagers.flat_map(|laid| [(laid.player, laid.stake), (laid.player, laid.reserve)]);
    let insurances = table.round.insurances.iter().filter(|laid| laid.ended.is_none());
    let laid: Vec<(PlayerId, Amount)> =
        wagers.chain(insurances.map(|laid| (laid.player, laid.stake))).collect();
    for (player, amount) in laid {
        chips.entry(player).or_default().1 += i128::from(amount.minor());
    }
    chips
}
