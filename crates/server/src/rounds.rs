//! Finished rounds, kept for those who look back: a projection that can be made again from the journal.

use croupier_journal::store::Order;
use croupier_journal::{Change, Store, StoreError};
use croupier_ledger::TableId;
use croupier_table::event::Mark;
use croupier_table::view::MarkShown;
use croupier_table::{Table, Views};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::api::shapes::{KeptFelt, NOT_KEPT};
use crate::progress::Progress;
use crate::table::Receipt;

/// The register of finished rounds.
pub const REGISTER: &str = "round";
/// The register that has for each player the rounds in which they had wagers, the keys in the order of time.
pub const OF_PLAYERS: &str = "player-round";
/// The register that says which registers are whole; one that was added later is made from the others once.
pub const WHOLE: &str = "whole";
/// How many rounds are read and written at once where many are.
const AT_ONCE: usize = 256;

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

    /// What keeps it: the round, and that its players had wagers in it.
    pub(crate) fn changes(&self, table: TableId) -> Vec<Change> {
        let Ok(value) = serde_json::to_vec(self) else { return Vec::new() };
        let mut changes = self.of_players(table);
        changes.push(Change::Put { register: REGISTER, key: key(table, self.round), value });
        changes
    }

    fn of_players(&self, table: TableId) -> Vec<Change> {
        let mut players: Vec<u32> = laid(&self.felt).filter_map(player_of).collect();
        players.sort_unstable();
        players.dedup();
        let key = |player| PlayedIn { at: self.at, table, round: self.round }.key(player);
        let put = |player| Change::Put { register: OF_PLAYERS, key: key(player), value: Vec::new() };
        players.into_iter().map(put).collect()
    }
}

/// The wagers and insurances on a layout.
pub(crate) fn laid(felt: &Value) -> impl Iterator<Item = &Value> {
    let list = |name: &str| felt.get(name).and_then(Value::as_array).into_iter().flatten();
    list("wagers").chain(list("insurances"))
}

/// Whose wager it is.
pub(crate) fn player_of(wager: &Value) -> Option<u32> {
    wager.get("player")?.as_u64().and_then(|player| u32::try_from(player).ok())
}

/// A round in which a player had wagers, in the order of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlayedIn {
    pub(crate) at: u64,
    pub(crate) table: TableId,
    pub(crate) round: u64,
}

impl PlayedIn {
    /// Its key: keys in order are rounds in the order of time.
    pub(crate) fn key(self, player: u32) -> String {
        format!("{player:010}/{:015}/{:010}/{:015}", self.at, self.table.0, self.round)
    }

    /// The keys of all rounds of a player, before one or to the last.
    pub(crate) fn keys(player: u32, before: Option<Self>) -> core::ops::Range<String> {
        // `0` comes after `/`.
        let below = before.map_or_else(|| format!("{player:010}0"), |before| before.key(player));
        format!("{player:010}/")..below
    }

    /// What a key says, without the player.
    pub(crate) fn parse(key: &str) -> Option<Self> {
        let mut parts = key.split('/').skip(1);
        let mut next = || parts.next()?.parse::<u64>().ok();
        let (at, table, round) = (next()?, next()?, next()?);
        Some(Self { at, table: TableId(u32::try_from(table).ok()?), round })
    }
}

/// Makes the register of players' rounds from the rounds, where it is not whole: those kept by an earlier version.
/// It goes on where it was cut off, and `keep` makes durable what it is given.
pub(crate) fn complete(
    store: &mut dyn Store,
    keep: &mut dyn FnMut(Vec<Change>) -> Result<(), StoreError>,
    progress: &Progress,
) -> Result<(), StoreError> {
    if store.entry(WHOLE, OF_PLAYERS)?.is_some() {
        return Ok(());
    }
    let mut from = String::new();
    loop {
        let rounds = store.range(REGISTER, from.as_str().."~", Order::Rising, AT_ONCE)?;
        let Some((last, _)) = rounds.last() else { break };
        // The smallest key that comes after it.
        from = format!("{last} ");
        let mut changes = Vec::new();
        for (key, value) in &rounds {
            let table = key.split('/').next().and_then(|table| table.parse().ok()).map(TableId);
            let kept: Option<RoundKept> = serde_json::from_slice(value).ok();
            if let (Some(table), Some(kept)) = (table, kept) {
                changes.extend(kept.of_players(table));
            }
        }
        keep(changes)?;
        progress.add(rounds.len());
    }
    keep(vec![Change::Put { register: WHOLE, key: OF_PLAYERS.to_string(), value: Vec::new() }])
}

/// The key of a round in the register: keys in order are rounds in order.
#[must_use]
pub fn key(table: TableId, round: u64) -> String {
    format!("{:010}/{round:015}", table.0)
}
