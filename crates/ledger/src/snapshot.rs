//! The books as something that can be stored, so that a house that starts again need not apply every entry.
//!
//! What follows from the rest is left out, as in [`canonical`](crate::canonical). Sums are decimal text, for
//! they may be larger than programs in other languages hold exactly. What is read is verified: books that do
//! not balance are an error.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::account::{Account, Balance};
use crate::draft;
use crate::id::{RoundId, TableId, TransferId};
use crate::ledger::{Ledger, Record};
use crate::memo::{Memo, Tally};

/// A sum that is read lies between this and its negative, so that adding up whatever comes in cannot overflow.
/// It is the largest amount, more than 10^11 times.
const LARGEST: i128 = 1 << 90;

/// `{"balances":[["cage","-500","0","0"]],"tallies":[["table:3:win","20","0"]],"records":[…],"closed":[[3,41]],
/// "forgotten":4}`: posted, pending in and pending out; taken and given.
impl Serialize for Ledger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let balances = self.balances.iter().map(|(account, balance)| {
            (account, Sum(balance.posted), Sum(balance.pending_in), Sum(balance.pending_out))
        });
        let tallies =
            self.tallies.iter().map(|(memo, tally)| (memo.to_string(), Sum(tally.taken), Sum(tally.given)));
        let records = self.records.values();
        let mut books = serializer.serialize_struct("Ledger", 5)?;
        books.serialize_field("balances", &balances.collect::<Vec<_>>())?;
        books.serialize_field("tallies", &tallies.collect::<Vec<_>>())?;
        books.serialize_field("records", &records.collect::<Vec<_>>())?;
        books.serialize_field("closed", &self.closed.iter().collect::<Vec<_>>())?;
        books.serialize_field("forgotten", &self.forgotten)?;
        books.end()
    }
}

/// The books as they are stored.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    balances: Vec<(Account, Sum, Sum, Sum)>,
    tallies: Vec<(String, Sum, Sum)>,
    records: Vec<Record>,
    closed: Vec<(TableId, RoundId)>,
    forgotten: Option<TransferId>,
}

impl<'de> Deserialize<'de> for Ledger {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        let mut ledger = Self { forgotten: stored.forgotten, ..Self::default() };
        for (account, Sum(posted), Sum(pending_in), Sum(pending_out)) in stored.balances {
            insert(&mut ledger.balances, account, Balance { posted, pending_in, pending_out })?;
        }
        for (memo, Sum(taken), Sum(given)) in stored.tallies {
            let memo: Memo = memo.parse().map_err(D::Error::custom)?;
            insert(&mut ledger.tallies, memo, Tally { taken, given })?;
        }
        for (table, round) in stored.closed {
            insert(&mut ledger.closed, table, round)?;
        }
        for record in stored.records {
            insert(&mut ledger.records, record.id(), record)?;
            if let Some((table, round)) = record.round() {
                ledger.rounds.insert((table, round, record.id()));
            }
            if let Record::Direct(transfer) = record
                && let Some(paid) = draft::paid(&transfer)
                && let Some(before) = ledger.paid.insert(paid, transfer.id)
            {
                let id = transfer.id;
                return Err(D::Error::custom(format_args!("transfer {id} pays what {before} paid")));
            }
        }
        match ledger.verify() {
            Ok(()) => Ok(ledger),
            Err(faults) => {
                let mut told = faults.iter().map(ToString::to_string).collect::<Vec<_>>();
                told.truncate(3);
                Err(D::Error::custom(format_args!("the books do not balance: {}", told.join("; "))))
            }
        }
    }
}

fn insert<K: Ord + Copy + fmt::Display, V, E: Error>(
    map: &mut BTreeMap<K, V>,
    key: K,
    value: V,
) -> Result<(), E> {
    match map.insert(key, value) {
        None => Ok(()),
        Some(_) => Err(E::custom(format_args!("{key} is there twice"))),
    }
}

struct Sum(i128);

impl Serialize for Sum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Sum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // One sum has one text.
        let sum = text.parse().ok().filter(|sum: &i128| sum.to_string() == text);
        sum.filter(|sum| (-LARGEST..=LARGEST).contains(sum)).map(Self).ok_or_else(|| {
            let text = text.escape_debug();
            D::Error::custom(format_args!("\"{text}\" is no sum; write a whole number such as \"-500\""))
        })
    }
}
