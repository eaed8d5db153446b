//! The rounds in which somebody had wagers.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use croupier_journal::{Store, StoreError};
use croupier_ledger::TableId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::find::kept;
use super::{laid, limit, player_of};
use crate::api::body::Query;
use crate::api::refusals::Guarded;
use crate::api::shapes::LaidShown;
use crate::app::App;
use crate::people::Caller;
use crate::problem::Problem;
use crate::rounds::RoundKept;

/// The most rounds of one answer.
const MOST: u32 = 100;
/// The most rounds that are looked at for one answer.
const LOOKED_AT: usize = 2_000;
/// The longest cursor.
const CURSOR: usize = 4_096;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(mine))
}

/// Which rounds.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct MyPage {
    /// `next` of the answer before; the newest if not said.
    pub(crate) cursor: Option<String>,
    /// How many at most, 1 to 100.
    #[param(minimum = 1, maximum = 100, default = 50)]
    pub(crate) limit: Option<u32>,
}

/// A round with the caller's wagers.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MyRound {
    /// At which table.
    pub(crate) table: u32,
    /// Its number there.
    pub(crate) round: u64,
    /// The shoe it was dealt from.
    pub(crate) shoe: u32,
    /// When it ended, in milliseconds since 1970.
    pub(crate) at: u64,
    /// How it is on the board.
    #[schema(value_type = Option<croupier_table::view::MarkShown>)]
    pub(crate) mark: Option<Value>,
    /// The caller's wagers and insurances, as they lay on the layout.
    #[schema(value_type = Vec<LaidShown>)]
    pub(crate) wagers: Vec<Value>,
    /// What they won or lost together, in minor units.
    pub(crate) net: i64,
}

/// Rounds, the newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MyRounds {
    /// The rounds.
    pub(crate) rounds: Vec<MyRound>,
    /// What to send as `cursor` to look further back; nothing if there is nothing before. There may be more even
    /// where an answer has few rounds: only so many are looked at for one answer.
    pub(crate) next: Option<String>,
}

/// The rounds in which you had wagers, the newest first.
#[utoipa::path(
    get, path = "/api/me/rounds", tag = "history", params(MyPage),
    responses((status = 200, body = MyRounds), Guarded, (status = 400, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn mine(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(page): Query<MyPage>,
) -> Result<Answer<MyRounds>, Problem> {
    let limit = limit(page.limit, MOST)?;
    let newest = || {
        let tables = app.floor.tables().into_iter();
        tables.map(|table| (table.id, table.shown().views.public().felt.round + 1)).collect()
    };
    let places = page.cursor.as_deref().map_or_else(|| Ok(newest()), parse)?;
    let player = caller.person.id;
    let found = app.floor.shared.readers.read(move |store| look(store, places, player, limit)).await?;
    Ok(Answer(found))
}

/// For each table the round before which to look.
type Places = BTreeMap<TableId, u64>;

fn parse(cursor: &str) -> Result<Places, Problem> {
    let fault = || Problem::bad_request("bad-query", "`cursor` is the `next` of an earlier answer");
    if cursor.len() > CURSOR {
        return Err(fault());
    }
    let place = |part: &str| {
        let (table, round) = part.split_once('.')?;
        Some((TableId(table.parse().ok()?), round.parse().ok()?))
    };
    cursor.split('_').map(|part| place(part).ok_or_else(fault)).collect()
}

fn write(places: &Places) -> Option<String> {
    let parts: Vec<String> = places
        .iter()
        .filter(|(_, round)| **round > 1)
        .map(|(table, round)| format!("{table}.{round}"))
        .collect();
    (!parts.is_empty()).then(|| parts.join("_"))
}

/// Looks back at all tables together, the newest round first.
fn look(
    store: &mut dyn Store,
    mut places: Places,
    player: u32,
    limit: usize,
) -> Result<MyRounds, StoreError> {
    let mut heads: BTreeMap<TableId, RoundKept> = BTreeMap::new();
    let mut rounds = Vec::new();
    let mut looked_at = 0;
    for (table, before) in &mut places {
        heads.extend(step(store, *table, before, &mut looked_at)?.map(|kept| (*table, kept)));
    }
    while rounds.len() < limit && looked_at < LOOKED_AT {
        let newest = heads.iter().max_by_key(|(table, kept)| (kept.at, **table)).map(|(table, _)| *table);
        let Some(table) = newest else { break };
        let Some(kept) = heads.remove(&table) else { break };
        let number = kept.round;
        rounds.extend(own(table, kept, player));
        if let Some(before) = places.get_mut(&table) {
            *before = number;
            heads.extend(step(store, table, before, &mut looked_at)?.map(|kept| (table, kept)));
        }
    }
    // What was found and not told comes first the next time.
    for (table, kept) in &heads {
        places.insert(*table, kept.round + 1);
    }
    Ok(MyRounds { next: write(&places), rounds })
}

/// The newest round before a number, which moves down to where the search ended.
fn step(
    store: &mut dyn Store,
    table: TableId,
    before: &mut u64,
    looked_at: &mut usize,
) -> Result<Option<RoundKept>, StoreError> {
    while *before > 1 && *looked_at < LOOKED_AT {
        *looked_at += 1;
        *before -= 1;
        if let Some(kept) = kept(store, table, *before)? {
            return Ok(Some(kept));
        }
    }
    Ok(None)
}

/// The part of a round that is the player's.
fn own(table: TableId, kept: RoundKept, player: u32) -> Option<MyRound> {
    let wagers: Vec<Value> =
        laid(&kept.felt).filter(|wager| player_of(wager) == Some(player)).cloned().collect();
    let part = |wager: &Value, name: &str| {
        wager.get("ended").and_then(|ended| ended.get(name)).and_then(Value::as_i64).unwrap_or(0)
    };
    let net = wagers.iter().map(|wager| part(wager, "winnings") - part(wager, "collected")).sum();
    (!wagers.is_empty()).then_some(MyRound {
        table: table.0,
        round: kept.round,
        shoe: kept.shoe,
        at: kept.at,
        mark: kept.mark,
        wagers,
        net,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let places: Places = [(TableId(3), 120), (TableId(5), 1), (TableId(9), 2)].into();
        let text = write(&places);
        assert_eq!(text.as_deref(), Some("3.120_9.2"));
        let again = parse(text.as_deref().unwrap_or_default());
        assert_eq!(again.ok(), Some([(TableId(3), 120), (TableId(9), 2)].into()));
        assert_eq!(write(&[(TableId(3), 1)].into()), None);
        for text in ["", "3", "3.x", "x.3", "3.1_", "3.-1"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
