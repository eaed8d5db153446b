//! Looking back: finished rounds, their files, the roads, and the shoes with what proves them.

mod find;
mod mine;
mod seen;
mod shoes;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use axum::http::{HeaderName, header};
use croupier_ledger::TableId;
use croupier_rules::{Basis, Rulebook};
use croupier_table::table::Board;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::{Path, Query};
use crate::api::refusals::Guarded;
use crate::api::tables;
use crate::app::App;
use crate::people::{Caller, MaybeCaller, Right};
use crate::problem::Problem;
use crate::rounds::{RoundKept, laid, player_of};
pub(crate) use find::stored_before;
pub(super) use find::{kept, lines, ruled_by};

/// The most rounds of one answer.
const MOST: u32 = 200;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(rounds))
        .routes(routes!(round))
        .routes(routes!(file))
        .routes(routes!(roads))
        .merge(mine::routes())
        .merge(shoes::routes())
}

/// Which rounds.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// Only rounds before this one; the newest if not said.
    pub(crate) before: Option<u64>,
    /// How many, 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 50)]
    pub(crate) limit: Option<u32>,
}

/// How many, within bounds.
pub(super) fn limit(asked: Option<u32>, most: u32) -> Result<usize, Problem> {
    let asked = asked.unwrap_or(most.min(50));
    if !(1..=most).contains(&asked) {
        return Err(Problem::bad_request("bad-query", format!("`limit` lies between 1 and {most}")));
    }
    usize::try_from(asked).map_err(|error| Problem::internal(&error))
}

/// A round in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RoundListed {
    /// Its number at the table.
    pub(crate) round: u64,
    /// The shoe it was dealt from.
    pub(crate) shoe: u32,
    /// When it ended, in milliseconds since 1970.
    pub(crate) at: u64,
    /// How it is on the board.
    #[schema(value_type = Option<croupier_table::view::MarkShown>)]
    pub(crate) mark: Option<Value>,
}

/// Rounds, the newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RoundList {
    /// The rounds.
    pub(crate) rounds: Vec<RoundListed>,
    /// What to send as `before` for those that came before; nothing if there are none.
    pub(crate) next: Option<u64>,
}

/// The finished rounds of a table, the newest first.
#[utoipa::path(
    get, path = "/api/tables/{table}/rounds", tag = "history", params(("table" = u32, Path), Page),
    responses(
        (status = 200, body = RoundList), (status = 400, body = Problem), (status = 404, body = Problem),
        Guarded,
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn rounds(
    State(app): State<Arc<App>>,
    _caller: MaybeCaller,
    Path(id): Path<u32>,
    Query(page): Query<Page>,
) -> Result<Answer<RoundList>, Problem> {
    let table = tables::find(&app, id)?;
    let limit = limit(page.limit, MOST)?;
    let newest = table.shown().views.public().felt.round;
    let before = page.before.unwrap_or(u64::MAX).min(newest.saturating_add(1));
    let read = app.floor.shared.readers.read(move |store| find::before(store, table.id, before, limit));
    let (rounds, next) = read.await?;
    let rounds = rounds.into_iter().map(|kept| RoundListed {
        round: kept.round,
        shoe: kept.shoe,
        at: kept.at,
        mark: kept.mark,
    });
    Ok(Answer(RoundList { rounds: rounds.collect(), next }))
}

/// A clause that is cited, with what it says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct CitedClause {
    /// As it is cited.
    pub(crate) basis: Basis,
    /// Its id across rulebooks.
    pub(crate) id: String,
    /// What it says, in one line.
    pub(crate) says: String,
}

impl CitedClause {
    pub(super) fn of(rulebook: &Rulebook, basis: Basis) -> Self {
        Self { basis, id: rulebook.full_id(basis), says: rulebook.index.says(basis).to_string() }
    }
}

/// A finished round with the clauses that its wagers ended by.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RoundTold {
    /// The round.
    pub(crate) kept: RoundKept,
    /// The clauses that are cited in it.
    pub(crate) clauses: Vec<CitedClause>,
    /// The nicknames of its players, by their ids.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: BTreeMap<u32, String>,
}

/// A finished round as everybody could see it.
#[utoipa::path(
    get, path = "/api/tables/{table}/rounds/{round}", tag = "history",
    params(("table" = u32, Path), ("round" = u64, Path)),
    responses(
        (status = 200, body = RoundTold), (status = 400, body = Problem), (status = 404, body = Problem),
        Guarded,
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn round(
    State(app): State<Arc<App>>,
    _caller: MaybeCaller,
    Path((id, round)): Path<(u32, u64)>,
) -> Result<Answer<RoundTold>, Problem> {
    let table = tables::find(&app, id)?;
    let found = app.floor.shared.readers.read(move |store| kept(store, TableId(id), round)).await?;
    let kept = found.ok_or_else(|| no_round(id, round))?;
    Ok(Answer(told(&app, &table.setup.rulebook, kept)))
}

fn no_round(table: u32, round: u64) -> Problem {
    Problem::not_found(format!("table {table} has no finished round {round}"))
}

/// A round with its clauses and names.
pub(super) fn told(app: &App, rulebook: &Rulebook, kept: RoundKept) -> RoundTold {
    let mut clauses: Vec<CitedClause> = Vec::new();
    let mut players = Vec::new();
    for wager in laid(&kept.felt) {
        let cites = wager.get("cites").cloned().unwrap_or(Value::Null);
        for basis in serde_json::from_value::<Vec<Basis>>(cites).unwrap_or_default() {
            if clauses.iter().all(|known| known.basis != basis) {
                clauses.push(CitedClause::of(rulebook, basis));
            }
        }
        players.extend(player_of(wager));
    }
    players.sort_unstable();
    players.dedup();
    RoundTold { kept, clauses, names: app.people.nicknames(&players) }
}

/// A finished round as a file that plays it again. It tells more than the layout did, such as the chips that people
/// had, so it is for the staff of the table, surveillance and auditors.
#[utoipa::path(
    get, path = "/api/tables/{table}/rounds/{round}/file", tag = "history",
    params(("table" = u32, Path), ("round" = u64, Path)),
    responses(
        (status = 200, body = String, content_type = "text/plain"), Guarded, (status = 400, body = Problem),
        (status = 404, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn file(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path((id, round)): Path<(u32, u64)>,
) -> Result<([(HeaderName, &'static str); 1], String), Problem> {
    let table = tables::find(&app, id)?;
    if caller.staff_at(&app, &table).is_none() {
        let what = "GET /api/tables/{table}/rounds/{round}/file";
        caller.may_any(&app, &[Right::Audit, Right::Watch], what).await?;
    }
    let shelf = app.floor.shelf();
    let shared = Arc::clone(&app.floor.shared);
    let read = move |store: &mut dyn croupier_journal::Store| {
        find::file(store, &shared.keys, &shelf, TableId(id), round)
    };
    let text = app.floor.shared.readers.read_slow(read).await?;
    let text = text.ok_or_else(|| no_round(id, round))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text))
}

/// The rounds of the shoe in play with their roads.
#[utoipa::path(
    get, path = "/api/tables/{table}/roads", tag = "history", params(("table" = u32, Path)),
    responses(
        (status = 200, body = Board), (status = 400, body = Problem), (status = 404, body = Problem),
        Guarded,
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn roads(
    State(app): State<Arc<App>>,
    _caller: MaybeCaller,
    Path(id): Path<u32>,
) -> Result<Answer<Board>, Problem> {
    let table = tables::find(&app, id)?;
    let board = table.shown().views.public().felt.board.clone();
    Ok(Answer(board))
}
