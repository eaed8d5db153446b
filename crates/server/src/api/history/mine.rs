//! The rounds in which somebody had wagers.

use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use croupier_journal::store::Order;
use croupier_journal::{Store, StoreError};
use croupier_ledger::TableId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::find::kept;
use super::limit;
use crate::api::body::Query;
use crate::api::refusals::Guarded;
use crate::api::shapes::LaidShown;
use crate::app::App;
use crate::people::Caller;
use crate::problem::Problem;
use crate::rounds::{OF_PLAYERS, PlayedIn, RoundKept, laid, player_of};

/// The most rounds of one answer.
const MOST: u32 = 100;

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
    /// What to send as `cursor` to look further back; nothing if there is nothing before.
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
    let before = page.cursor.as_deref().map(parse).transpose()?;
    let player = caller.person.id;
    let found = app.floor.shared.readers.read(move |store| look(store, before, player, limit)).await?;
    Ok(Answer(found))
}

fn parse(cursor: &str) -> Result<PlayedIn, Problem> {
    let fault = || Problem::bad_request("bad-query", "`cursor` is the `next` of an earlier answer");
    let mut parts = cursor.splitn(4, '.');
    let mut next = || parts.next()?.parse::<u64>().ok();
    let found = (next(), next().and_then(|table| u32::try_from(table).ok()), next());
    match (found, parts.next()) {
        ((Some(at), Some(table), Some(round)), None) => Ok(PlayedIn { at, table: TableId(table), round }),
        (_, _) => Err(fault()),
    }
}

fn write(PlayedIn { at, table, round }: PlayedIn) -> String {
    format!("{at}.{table}.{round}")
}

/// The rounds of a player, the newest first.
fn look(
    store: &mut dyn Store,
    before: Option<PlayedIn>,
    player: u32,
    limit: usize,
) -> Result<MyRounds, StoreError> {
    let keys = PlayedIn::keys(player, before);
    let keys = keys.start.as_str()..keys.end.as_str();
    let found = store.range(OF_PLAYERS, keys, Order::Falling, limit + 1)?;
    let played: Vec<PlayedIn> = found.iter().filter_map(|(key, _)| PlayedIn::parse(key)).collect();
    let next = (played.len() > limit).then(|| played.get(limit - 1).copied().map(write)).flatten();
    let mut rounds = Vec::new();
    for PlayedIn { table, round, .. } in played.into_iter().take(limit) {
        rounds.extend(kept(store, table, round)?.and_then(|kept| own(table, kept, player)));
    }
    Ok(MyRounds { next, rounds })
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
        let place = PlayedIn { at: 1_763_218_800_123, table: TableId(3), round: 120 };
        let text = write(place);
        assert_eq!(text, "1763218800123.3.120");
        assert_eq!(parse(&text).ok(), Some(place));
        for text in ["", "3", "3.x.1", "x.3.1", "3.1_", "3.-1.2", "1.2.3.4", "1.4294967296.3", "3.120_9.2"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn keys_of_a_player_are_in_the_order_of_time_and_of_nobody_else() {
        let played = |at, table, round| PlayedIn { at, table: TableId(table), round };
        let all = PlayedIn::keys(7, None);
        let keys = [played(9, 10, 1), played(10, 2, 1), played(10, 2, 3), played(10, 11, 2)];
        let keys = keys.map(|played| played.key(7));
        assert!(keys.is_sorted());
        assert!(keys.iter().all(|key| all.contains(key)));
        assert!(!all.contains(&played(9, 10, 1).key(6)) && !all.contains(&played(9, 10, 1).key(8)));
        assert_eq!(PlayedIn::parse(&keys[3]), Some(played(10, 11, 2)));
        let before = PlayedIn::keys(7, Some(played(10, 2, 3)));
        assert_eq!(keys.each_ref().map(|key| before.contains(key)), [true, true, false, false]);
    }
}
