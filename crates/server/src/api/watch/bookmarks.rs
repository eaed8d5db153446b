//! Bookmarks: places that surveillance wants to come back to, with a note, for themselves or for a dispute.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use axum::http::StatusCode;
use croupier_journal::deed::RegisterChange;
use croupier_journal::store::Order;
use croupier_journal::{Change, Deed, StoreError};
use croupier_ledger::CaseId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::names;
use crate::api::body::{Json, Path, Query};
use crate::api::refusals::{Guarded, WithBody};
use crate::api::{created, tables};
use crate::app::App;
use crate::clock;
use crate::people::{Caller, Right};
use crate::problem::Problem;

/// The register of bookmarks: keys in order are bookmarks in the order of time.
const REGISTER: &str = "bookmark";
/// The longest note.
const LONGEST: usize = 1_000;
/// The most bookmarks of one answer.
const MOST: usize = 500;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(remove))
}

/// A place to come back to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Bookmark {
    /// Its name.
    pub(crate) id: String,
    /// When it was made, in milliseconds since 1970.
    pub(crate) at: u64,
    /// Who made it.
    pub(crate) by: u32,
    /// The table.
    pub(crate) table: u32,
    /// The round.
    pub(crate) round: u64,
    /// The line of the table's stream.
    #[serde(default)]
    pub(crate) sequence: Option<u64>,
    /// The dispute it belongs to.
    #[serde(default)]
    pub(crate) case: Option<u32>,
    /// A note.
    pub(crate) note: String,
}

/// What is marked.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewBookmark {
    /// The table.
    pub(crate) table: u32,
    /// The round.
    pub(crate) round: u64,
    /// The line of the table's stream.
    #[serde(default)]
    pub(crate) sequence: Option<u64>,
    /// The dispute it belongs to.
    #[serde(default)]
    pub(crate) case: Option<u32>,
    /// A note, of 1000 characters at most.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub(crate) note: String,
}

/// Bookmarks, the newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BookmarkList {
    /// The bookmarks.
    pub(crate) bookmarks: Vec<Bookmark>,
    /// The names of those who made them, by their ids.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: BTreeMap<u32, String>,
}

/// Which bookmarks.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichBookmarks {
    /// Only those of this table.
    pub(crate) table: Option<u32>,
    /// Only those of this round.
    pub(crate) round: Option<u64>,
    /// Only those that belong to this dispute.
    pub(crate) case: Option<u32>,
}

/// The newest bookmarks.
#[utoipa::path(
    get, path = "/api/watch/bookmarks", tag = "watch", params(WhichBookmarks),
    responses((status = 200, body = BookmarkList), Guarded, (status = 400, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(which): Query<WhichBookmarks>,
) -> Result<Answer<BookmarkList>, Problem> {
    caller.may_any(&app, &[Right::Watch, Right::Audit], "GET /api/watch/bookmarks").await?;
    let read =
        app.floor.shared.readers.read(|store| store.range(REGISTER, ""..":", Order::Falling, MOST)).await?;
    let parse = |(key, value): (String, Vec<u8>)| {
        serde_json::from_slice(&value)
            .map_err(|error| StoreError::Database(format!("bookmark {key}: {error}")))
    };
    let all = read.into_iter().map(parse).collect::<Result<Vec<Bookmark>, _>>()?;
    let fits = |mark: &Bookmark| {
        which.table.is_none_or(|table| mark.table == table)
            && which.round.is_none_or(|round| mark.round == round)
            && which.case.is_none_or(|case| mark.case == Some(case))
    };
    let bookmarks: Vec<Bookmark> = all.into_iter().filter(fits).collect();
    let people: BTreeSet<u32> = bookmarks.iter().map(|mark| mark.by).collect();
    Ok(Answer(BookmarkList { names: names(&app, people), bookmarks }))
}

/// Marks a place. The note is kept beside the journal and can be forgotten; that there is one is on record.
#[utoipa::path(
    post, path = "/api/watch/bookmarks", tag = "watch", request_body = NewBookmark,
    responses((status = 201, body = Bookmark), Guarded, WithBody, (status = 404, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn add(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<NewBookmark>,
) -> Result<(StatusCode, Answer<Bookmark>), Problem> {
    caller.may(&app, Right::Watch, "POST /api/watch/bookmarks").await?;
    tables::find(&app, asked.table)?;
    if asked.note.chars().count() > LONGEST {
        return Err(Problem::bad_request("too-long", format!("a note has {LONGEST} characters at most")));
    }
    if let Some(case) = asked.case
        && app.cases.case(CaseId(case)).is_none()
    {
        return Err(Problem::not_found(format!("there is no case {case}")));
    }
    let at = clock::now();
    let mark = Bookmark {
        id: format!("{at:015}-{:010}", caller.person.id),
        at,
        by: caller.person.id,
        table: asked.table,
        round: asked.round,
        sequence: asked.sequence,
        case: asked.case,
        note: asked.note,
    };
    let value = serde_json::to_vec(&mark).map_err(|error| Problem::internal(&error))?;
    let put = Change::Put { register: REGISTER, key: mark.id.clone(), value };
    record(&app, &caller, &mark.id, "added", put).await?;
    Ok(created(mark))
}

/// Removes a bookmark.
#[utoipa::path(
    delete, path = "/api/watch/bookmarks/{bookmark}", tag = "watch", params(("bookmark" = String, Path)),
    responses((status = 204), Guarded, (status = 404, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn remove(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    caller.may(&app, Right::Watch, "DELETE /api/watch/bookmarks/{bookmark}").await?;
    let key = id.clone();
    let found = app.floor.shared.readers.read(move |store| store.entry(REGISTER, &key)).await?;
    found.ok_or_else(|| Problem::not_found("there is no such bookmark".to_string()))?;
    record(&app, &caller, &id, "removed", Change::Delete { register: REGISTER, key: id.clone() }).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn record(app: &App, caller: &Caller, entry: &str, what: &str, change: Change) -> Result<(), Problem> {
    let line = RegisterChange {
        register: REGISTER.to_string(),
        entry: entry.to_string(),
        what: what.to_string(),
        sealed: Vec::new(),
    };
    app.floor.record(caller.author(app), Deed::Register(line), vec![change]).await?;
    Ok(())
}
