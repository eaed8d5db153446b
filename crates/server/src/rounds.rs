//! Finished rounds, kept for those who look back: a projection that can be made again from the journal.

use croupier_journal::Change;
use croupier_ledger::TableId;
use croupier_table::event::Mark;
use croupier_table::view::MarkShown;
use croupier_table::{Table, Views};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::api::shapes::{KeptFelt, NOT_KEPT};
use crate::table::Receipt;

/// The register of finished rounds.
pub const REGISTER: &str = "round";

/// A finished round as everybody could see it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundKept {
    /// Its number at the table.
    pub round: u64,
    /// The shoe it was dealt from.
    pub shoe: u32,
    /// The line of the table's stream in which it began.
    pub from: u64,
    /// The line in which it ended.
    pub to: u64,
    /// When it ended, in milliseconds since 1970.
    pub at: u64,
    /// How it is on the board.
    #[schema(value_type = Option<MarkShown>)]
    pub mark: Option<Value>,
    /// The layout as it lay at the end, without the board.
    #[schema(value_type = KeptFelt)]
    pub felt: Value,
}

impl RoundKept {
    pub(crate) fn new(table: &Table, views: &Views, from: u64, ended: Receipt) -> Self {
        let mut felt = serde_json::to_value(views.public().felt).unwrap_or(Value::Null);
        if let Value::Object(fields) = &mut felt {
            fields.retain(|name, _| !NOT_KEPT.contains(&name.as_str()));
        }
        let mark: Option<Mark> = table.round.closed;
        Self {
            round: table.round.number,
            shoe: table.shoe.number,
            from,
            to: ended.sequence,
            at: ended.at,
            mark: mark.and_then(|mark| serde_json::to_value(MarkShown::from(mark)).ok()),
            felt,
        }
    }

    pub(crate) fn change(&self, table: TableId) -> Option<Change> {
        let value = serde_json::to_vec(self).ok()?;
        Some(Change::Put { register: REGISTER, key: key(table, self.round), value })
    }
}

/// The key of a round in the register: keys in order are rounds in order.
#[must_use]
pub fn key(table: TableId, round: u64) -> String {
    format!("{:010}/{round:015}", table.0)
}
