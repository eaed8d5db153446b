//! Chips as a double-entry ledger: accounts, transfers in one or two phases, and the rules that keep the
//! books balanced after every batch.
//!
//! Everything here is pure: no input or output, no clock, and ids come in from the caller. What a wager
//! wins and who may correct a payment are decided elsewhere; here money only moves, or is refused.
//!
//! | module | what it holds |
//! |---|---|
//! | [`amount`] | whole minor units, 0 or more |
//! | [`id`] | typed ids of players, tables, rounds, wagers, cases and transfers |
//! | [`account`] | where money can be |
//! | [`memo`] | what is counted about a table: its win, commission, rounding and supply |
//! | [`notation`] | how accounts and memos are written: `player:7:wallet`, `bet:3:7:41:2` |
//! | [`transfer`] | the entries of a batch, and what kind of money goes from where to where |
//! | [`ledger`] | balances, and batches applied whole or not at all |
//! | [`refusal`] | why a batch is refused, in order of precedence |
//! | [`verify`] | the full check of the invariants |
//! | [`canonical`] | the state as bytes, for hashing |
//! | [`journaling`] | the books rebuilt from the journal, and compared |
//!
//! # The scheme
//!
//! **The cage is the outside world.** It is the only account that may go below zero: money comes in from it
//! and leaves to it, so that its balance is minus everything inside, and all balances add up to zero.
//! It may not fall below minus [`Amount::MAX`], which caps every other account as well.
//!
//! **A wager is a pending transfer** from the player's chips to the bet. While it is pending the chips are
//! still the player's but no longer [available](Ledger::available). Settlement posts the part that the
//! house collects, which lands in the float, and the rest goes back; or voids it, and all of it goes back.
//! Reserves work alike. Winnings are paid from the float in one phase.
//!
//! **The float carries the result of play.** A table that loses pays out of its float, and the float is
//! filled from the cage. What the house has won is therefore no pile of chips anywhere, and keeping it as
//! an account with a balance has no good answer: it would go below zero on the first losing round, and
//! commission or rounding moved out of the float would lower the cover for the next round although the
//! chips still lie in the tray; rounding up would take from an account that has nothing. So win, commission
//! and rounding are [memos](memo): each is a pair of counters that never fall, taken and given, about money
//! that moved. The win is counted by the ledger itself from what enters and leaves the float, together with
//! the supply (fills, credits, chips sold for cash), so that for each table *float = supply + win* can be
//! verified; commission and rounding, which are parts of the win that no movement shows, are noted with the
//! settlement. Commission that is owed and collected later moves by itself, and is counted then.
//!
//! # A round
//!
//! ```
//! use croupier_ledger::*;
//!
//! let amount = |minor| Amount::new(minor).unwrap();
//! let (table, player, round, wager) = (TableId(3), PlayerId(7), RoundId(41), WagerId(2));
//! let (wallet, chips) = (Account::Wallet(player), Account::Chips { table, player });
//! let (float, bet) = (Account::Float(table), Account::Bet { table, player, round, wager });
//! let transfer = |id, from, to, minor, kind| Transfer { id: TransferId(id), from, to, amount: amount(minor), kind };
//!
//! let mut ledger = Ledger::default();
//! ledger.apply(&[
//!     Entry::Direct(transfer(1, Account::Cage, float, 100_000, Kind::Fill)),
//!     Entry::Direct(transfer(2, Account::Cage, wallet, 5_000, Kind::Deposit)),
//!     Entry::Direct(transfer(3, wallet, chips, 5_000, Kind::BuyIn)),
//! ])?;
//!
//! ledger.apply(&[Entry::Pending(transfer(4, chips, bet, 1_000, Kind::Wager))])?;
//! assert_eq!(ledger.available(chips), 4_000);
//! assert_eq!(ledger.balance(bet).pending_in, 1_000);
//!
//! // Banker wins: the stake goes back, 950 are paid and 50 kept as commission.
//! let kept = Note {
//!     id: TransferId(6),
//!     table,
//!     occasion: Occasion::Round(round),
//!     what: Noted::CommissionKept,
//!     amount: amount(50),
//! };
//! ledger.apply(&[
//!     Entry::settle(TransferId(4), Amount::ZERO),
//!     Entry::Direct(transfer(5, float, chips, 950, Kind::Winnings { round, wager })),
//!     Entry::Note(kept),
//! ])?;
//! ledger.close_round(table, round)?;
//! assert_eq!(ledger.available(chips), 5_950);
//! assert_eq!(ledger.tally(Memo::Win(table)).net(), -950);
//! assert_eq!(ledger.total(), 0);
//! assert!(ledger.verify().is_ok());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

// The derive of the schemas writes paths of the standard library, so they alone bring it in.
#![cfg_attr(not(feature = "openapi"), no_std)]
#![warn(clippy::as_conversions, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]
#![cfg_attr(not(test), warn(clippy::indexing_slicing))]

extern crate alloc;

pub mod account;
pub mod amount;
pub mod canonical;
mod draft;
pub mod id;
pub mod journaling;
pub mod ledger;
pub mod memo;
pub mod notation;
#[cfg(feature = "openapi")]
mod openapi;
pub mod refusal;
#[cfg(feature = "serde")]
mod serial;
#[cfg(feature = "serde")]
mod snapshot;
pub mod transfer;
pub mod verify;

pub use account::{Account, Balance};
pub use amount::Amount;
pub use id::{CaseId, PlayerId, RoundId, TableId, TransferId, WagerId};
pub use journaling::{Difference, RebuildError, Step, differences, rebuild};
pub use ledger::{Ledger, Outcome, Receipt, Record};
pub use memo::{Memo, Tally};
pub use notation::ParseAccountError;
pub use refusal::{NotClosed, Refusal, Refused, RoundHolds};
pub use transfer::{Entry, Kind, Note, Noted, Occasion, Phase, Transfer};
pub use verify::Imbalance;
