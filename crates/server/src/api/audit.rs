//! For auditors: the journal as it is stored, denials, checkpoints, an export and a check of everything.

mod checking;
mod forms;
mod search;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json as Answer;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use croupier_journal::store::Flow;
use croupier_journal::{By, Deed, Hash, Head, Row, Select, Store, StoreError, Stream};
use croupier_rules::Basis;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::Query;
use crate::api::history::limit;
use crate::api::refusals::Guarded;
use crate::app::App;
use crate::floor::{CHECKPOINTS, Floor, FloorError};
use crate::people::{Caller, Right};
use crate::problem::Problem;
pub(crate) use forms::ByForm;
use forms::SignedCheckpoint;

/// The most lines of one answer.
const MOST: u32 = 500;
/// The most lines that are looked at for one answer.
const LOOKED_AT: u64 = 20_000;
/// Lines that are read at a time.
const AT_ONCE: usize = 1_000;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(streams))
        .routes(routes!(journal))
        .routes(routes!(denials))
        .routes(routes!(checkpoints))
        .routes(routes!(export))
        .merge(checking::routes())
        .merge(search::routes())
}

/// The end of a stream.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StreamEnd {
    /// Its name.
    pub(crate) stream: String,
    /// The number of its last line.
    pub(crate) sequence: u64,
    /// The SHA-256 of its last line.
    pub(crate) hash: String,
}

/// All streams of the journal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StreamList {
    /// The position of the last line of all.
    pub(crate) position: u64,
    /// The public key that signs checkpoints now.
    pub(crate) key: String,
    /// The streams.
    pub(crate) streams: Vec<StreamEnd>,
}

/// The streams of the journal and where they end.
#[utoipa::path(
    get, path = "/api/audit/streams", tag = "audit",
    responses((status = 200, body = StreamList), Guarded),
    security(("session" = []), ("token" = []))
)]
async fn streams(State(app): State<Arc<App>>, caller: Caller) -> Result<Answer<StreamList>, Problem> {
    caller.may(&app, Right::Audit, "GET /api/audit/streams").await?;
    let ends = app.floor.shared.books.ask(|bank| {
        let end = |(stream, head): (&Stream, &Head)| StreamEnd {
            stream: stream.to_string(),
            sequence: head.sequence,
            hash: head.hash.to_string(),
        };
        (bank.position, bank.heads.iter().map(end).collect())
    });
    let (position, streams) = ends.await.map_err(FloorError::from)?;
    Ok(Answer(StreamList { position, key: app.floor.shared.keys.public().to_string(), streams }))
}

/// Which lines.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichLines {
    /// The stream, such as `table/3`; lines of all streams in the order of their positions if not said.
    pub(crate) stream: Option<String>,
    /// The first line: its number in the stream, or its position if no stream is named.
    #[param(minimum = 1, default = 1)]
    pub(crate) from: Option<u64>,
    /// How many, 1 to 500.
    #[param(minimum = 1, maximum = 500, default = 50)]
    pub(crate) limit: Option<u32>,
}

/// A line as it is stored.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StoredLine {
    /// Its position among all lines.
    pub(crate) position: u64,
    /// Its stream.
    pub(crate) stream: String,
    /// Its number there.
    pub(crate) sequence: u64,
    /// The SHA-256 of the line, which the next one of its stream names.
    pub(crate) hash: String,
    /// The line, to the byte.
    pub(crate) line: String,
}

/// Lines of the journal.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StoredLines {
    /// The lines.
    pub(crate) lines: Vec<StoredLine>,
    /// What to send as `from` for those that follow; nothing if there are none yet.
    pub(crate) next: Option<u64>,
    /// Whether the line at `next` tells cards of a round in progress, which are handed out when it is over: ask
    /// again then.
    pub(crate) withheld: bool,
}

/// Whether a line that was just read tells cards of a round in progress, or follows one that does.
fn is_withheld(floor: &Floor, row: &Row) -> bool {
    let Stream::Table(id) = row.stream else { return false };
    match floor.table(id) {
        Some(table) => row.sequence >= table.open_from(),
        // Another node has opened it, and this one has not followed so far.
        None => floor.shared.till.follows(),
    }
}

/// Lines of the journal as they are stored. They end before the first card of a round in progress: cards that lie
/// face down are in the lines too, and nobody reads them before the round is over.
#[utoipa::path(
    get, path = "/api/audit/journal", tag = "audit", params(WhichLines),
    responses((status = 200, body = StoredLines), Guarded, (status = 400, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn journal(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(which): Query<WhichLines>,
) -> Result<Answer<StoredLines>, Problem> {
    caller.may(&app, Right::Audit, "GET /api/audit/journal").await?;
    let limit = limit(which.limit, MOST)?;
    let from = which.from.unwrap_or(1).clamp(1, i64::MAX.unsigned_abs());
    let select = match &which.stream {
        None => Select::After(from - 1),
        Some(name) => {
            let stream = name.parse::<Stream>();
            let stream = stream.map_err(|error| Problem::bad_request("bad-query", error.to_string()))?;
            Select::Stream(stream, from)
        }
    };
    let is_stream = which.stream.is_some();
    let floor = Arc::clone(&app.floor);
    let read = app.floor.shared.readers.read(move |store| {
        let mut lines = Vec::new();
        let (mut next, mut withheld) = (None, false);
        store.rows(select, &mut |position, row| {
            withheld = is_withheld(&floor, &row);
            if withheld || lines.len() == limit {
                next = Some(if is_stream { row.sequence } else { position });
                return Flow::Break(());
            }
            lines.push(StoredLine {
                position,
                stream: row.stream.to_string(),
                sequence: row.sequence,
                hash: Hash::of(&row.line).to_string(),
                line: String::from_utf8_lossy(&row.line).into_owned(),
            });
            Flow::Continue(())
        })?;
        Ok(StoredLines { lines, next, withheld })
    });
    Ok(Answer(read.await?))
}

/// Which denials.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichDenials {
    /// Only denials before this line of the house; the newest if not said.
    pub(crate) before: Option<u64>,
    /// How many at most, 1 to 500.
    #[param(minimum = 1, maximum = 500, default = 50)]
    pub(crate) limit: Option<u32>,
}

/// Somebody was refused for want of authority.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DenialTold {
    /// Its line in the stream of the house.
    pub(crate) sequence: u64,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// Who.
    pub(crate) by: ByForm,
    /// What was tried.
    pub(crate) what: String,
    /// In which stream, if in one.
    pub(crate) stream: Option<String>,
    /// The code of the refusal.
    pub(crate) code: String,
    /// The clauses that it rests on, where it was a table's.
    pub(crate) clauses: Vec<String>,
    /// How many more of the same person the line stands for.
    pub(crate) more: u64,
}

/// Denials, the newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DenialList {
    /// The denials.
    pub(crate) denials: Vec<DenialTold>,
    /// What to send as `before` to look further back; nothing if there is nothing before. There may be more even
    /// where an answer has few: only so many lines are looked at for one answer.
    pub(crate) next: Option<u64>,
    /// The names of those who were refused, by their ids.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: BTreeMap<u32, String>,
}

/// Who was refused for want of authority, the newest first.
#[utoipa::path(
    get, path = "/api/audit/denials", tag = "audit", params(WhichDenials),
    responses((status = 200, body = DenialList), Guarded, (status = 400, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn denials(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(which): Query<WhichDenials>,
) -> Result<Answer<DenialList>, Problem> {
    caller.may(&app, Right::Audit, "GET /api/audit/denials").await?;
    let limit = limit(which.limit, MOST)?;
    let end = app.floor.shared.till.hold(|till| till.next(Stream::House));
    let before = which.before.unwrap_or(u64::MAX).min(end);
    let read = app.floor.shared.readers.read(move |store| look_back(store, before, limit));
    let (found, next) = read.await?;
    let person = |by: &By| match by {
        By::Player(player) => Some(player.0),
        By::Staff(staff) => Some(staff.person.0),
        By::Person(person) => Some(person.0),
        By::Device | By::System | By::Surveillance | By::Display => None,
    };
    let people: Vec<u32> = found.iter().filter_map(|(_, _, by, _)| person(by)).collect();
    let names = app.people.nicknames(&people);
    let denials = found.into_iter().map(|(sequence, at, by, denied)| {
        let table = match denied.stream {
            Some(Stream::Table(id)) => app.floor.table(id),
            Some(Stream::House | Stream::Cage | Stream::Player(_) | Stream::Case(_)) | None => None,
        };
        let id = |basis: &Basis| table.as_ref().map(|table| table.setup.rulebook.full_id(*basis));
        DenialTold {
            sequence,
            at,
            by: by.into(),
            clauses: denied.cites.iter().filter_map(id).collect(),
            what: denied.what,
            stream: denied.stream.map(|stream| stream.to_string()),
            code: denied.code,
            more: denied.more,
        }
    });
    Ok(Answer(DenialList { denials: denials.collect(), next, names }))
}

type Found = (u64, u64, By, croupier_journal::deed::Denied);

/// Denials before a line of the house, the newest first, and where to go on.
fn look_back(
    store: &mut dyn Store,
    before: u64,
    limit: usize,
) -> Result<(Vec<Found>, Option<u64>), StoreError> {
    let mut found: Vec<Found> = Vec::new();
    let mut end = before;
    while end > 1 && before - end < LOOKED_AT {
        let from = end.saturating_sub(u64::try_from(AT_ONCE).unwrap_or(1)).max(1);
        let mut part = Vec::new();
        store.rows(Select::Stream(Stream::House, from), &mut |_, row| {
            if row.sequence >= end {
                return Flow::Break(());
            }
            if let Ok(record) = row.record()
                && let Deed::Denied(denied) = record.deed
            {
                part.push((row.sequence, record.at, record.by, denied));
            }
            Flow::Continue(())
        })?;
        for denial in part.into_iter().rev() {
            if found.len() == limit {
                return Ok((found, Some(end)));
            }
            end = denial.0;
            found.push(denial);
        }
        if found.len() == limit {
            return Ok((found, (end > 1).then_some(end)));
        }
        end = from;
    }
    Ok((found, (end > 1).then_some(end)))
}

/// Which checkpoints.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichCheckpoints {
    /// Only checkpoints before this number; the newest if not said.
    pub(crate) before: Option<u64>,
    /// How many, 1 to 500.
    #[param(minimum = 1, maximum = 500, default = 50)]
    pub(crate) limit: Option<u32>,
}

/// Signed checkpoints, the newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CheckpointList {
    /// How many there are.
    pub(crate) count: u64,
    /// The signed checkpoints.
    pub(crate) checkpoints: Vec<SignedCheckpoint>,
    /// What to send as `before` for those that came before; nothing if there are none.
    pub(crate) next: Option<u64>,
}

/// The signed checkpoints, the newest first.
#[utoipa::path(
    get, path = "/api/audit/checkpoints", tag = "audit", params(WhichCheckpoints),
    responses((status = 200, body = CheckpointList), Guarded, (status = 400, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn checkpoints(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(which): Query<WhichCheckpoints>,
) -> Result<Answer<CheckpointList>, Problem> {
    caller.may(&app, Right::Audit, "GET /api/audit/checkpoints").await?;
    let limit = limit(which.limit, MOST)?;
    let read = app.floor.shared.readers.read(move |store| {
        let count = last_checkpoint(store)?;
        let before = which.before.unwrap_or(u64::MAX).min(count + 1);
        let from = before.saturating_sub(u64::try_from(limit).unwrap_or(1)).max(1);
        let mut checkpoints = Vec::new();
        for number in (from..before).rev() {
            let line = checkpoint(store, number)?.unwrap_or_default();
            checkpoints.extend(serde_json::from_slice::<SignedCheckpoint>(&line));
        }
        Ok(CheckpointList { count, checkpoints, next: (from > 1).then_some(from) })
    });
    Ok(Answer(read.await?))
}

fn checkpoint(store: &mut dyn Store, number: u64) -> Result<Option<Vec<u8>>, StoreError> {
    store.entry(CHECKPOINTS, &format!("{number:012}"))
}

/// The number of the last checkpoint: they are numbered from 1 without gaps, so it is found by halving.
fn last_checkpoint(store: &mut dyn Store) -> Result<u64, StoreError> {
    let mut above = 1_u64;
    while checkpoint(store, above)?.is_some() {
        above *= 2;
    }
    let mut there = above / 2;
    while there + 1 < above {
        let middle = there.midpoint(above);
        if checkpoint(store, middle)?.is_some() {
            there = middle;
        } else {
            above = middle;
        }
    }
    Ok(there)
}

/// The whole journal, one line after the other, each to the byte: `croupier verify` reads it. It ends before the
/// first card of a round in progress at any table; checkpoints that were signed later name lines it does not have.
#[utoipa::path(
    get, path = "/api/audit/export", tag = "audit",
    responses((status = 200, body = String, content_type = "application/jsonl"), Guarded),
    security(("session" = []), ("token" = []))
)]
async fn export(State(app): State<Arc<App>>, caller: Caller) -> Result<Response, Problem> {
    caller.may(&app, Right::Audit, "GET /api/audit/export").await?;
    let floor = Arc::clone(&app.floor);
    // Some lines at a time, so that a slow client keeps neither a connection nor memory.
    let lines = futures_util::stream::unfold(Some(0), move |after| {
        let floor = Arc::clone(&floor);
        async move {
            let after = after?;
            let readers = floor.shared.readers.clone();
            let read = readers.read(move |store| {
                let (mut text, mut last, mut count) = (Vec::new(), Some(after), 0);
                store.rows(Select::After(after), &mut |position, row| {
                    if is_withheld(&floor, &row) {
                        last = None;
                        return Flow::Break(());
                    }
                    text.extend_from_slice(&row.line);
                    text.push(b'\n');
                    last = Some(position);
                    count += 1;
                    if count < AT_ONCE { Flow::Continue(()) } else { Flow::Break(()) }
                })?;
                Ok((text, last))
            });
            match read.await {
                Ok((text, _)) if text.is_empty() => None,
                Ok((text, last)) => Some((Ok(Bytes::from(text)), last)),
                Err(error) => {
                    tracing::error!(%error, "an export broke off");
                    Some((Err(error), None))
                }
            }
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "application/jsonl"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"journal.jsonl\""),
    ];
    Ok((headers, Body::from_stream(lines)).into_response())
}
