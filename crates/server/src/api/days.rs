//! Gaming days: closing one, and the report of each table.

mod csv;
mod page;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{Html, IntoResponse as _, Response};
use axum::{Extension, Json as Answer};
use croupier_journal::deed::{DayChips, DayClosed, TableDay};
use croupier_lab::Fraction;
use croupier_ledger::TableId;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::{Json, Path};
use crate::api::refusals::{Guarded, WithBody};
use crate::app::App;
use crate::days::{self, DayError};
use crate::people::{Caller, Right};
use crate::problem::Problem;
pub(super) use page::amount_in;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(close))
        .routes(routes!(list))
        .routes(routes!(report))
        .layer(Extension(Arc::new(Gate::default())))
}

/// One close at a time.
#[derive(Default)]
struct Gate(Arc<Mutex<()>>);

/// Which day.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CloseRequest {
    /// The day, as `YYYY-MM-DD`.
    #[schema(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    pub(crate) day: String,
}

/// A gaming day with the report of each table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DayReport {
    /// The day.
    pub(crate) day: String,
    /// The tables, in the order of their ids.
    pub(crate) tables: Vec<TableReport>,
    /// What the tables of each currency come to.
    pub(crate) totals: Vec<DayTotal>,
    /// The same for the month up to this day.
    pub(crate) month: Vec<DayTotal>,
    /// The same for the year up to this day.
    pub(crate) year: Vec<DayTotal>,
}

/// A table in a gaming day; amounts in minor units.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TableReport {
    /// Which.
    pub(crate) table: u32,
    /// Its name.
    pub(crate) name: String,
    /// The game.
    pub(crate) game: String,
    /// The currency of its amounts.
    pub(crate) currency: String,
    /// Digits after the point.
    pub(crate) decimals: u8,
    /// Rounds settled.
    pub(crate) rounds: u64,
    /// The last of them.
    pub(crate) last_round: Option<u64>,
    /// Chips that players took to the table: for cash and from wallets.
    pub(crate) drop: i64,
    /// What was wagered.
    pub(crate) handle: i64,
    /// What the house won; below zero if it lost.
    pub(crate) win: i64,
    /// Commission in it.
    pub(crate) commission: i64,
    /// The win as a share of the drop, in percent with two decimals.
    pub(crate) hold: Option<String>,
    /// What the exact odds of every wager say the house should have won.
    pub(crate) theory: i64,
    /// That as a share of what was wagered, in percent with two decimals.
    pub(crate) theory_edge: Option<String>,
    /// What its chips say; nothing for days that were closed before there were counts.
    pub(crate) chips: Option<ChipsReport>,
    /// The last line of the table's stream that the day covers.
    pub(crate) through: u64,
}

/// The chips of a table over a gaming day; amounts in minor units.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ChipsReport {
    /// The float at the beginning, as the day before ended with it.
    pub(crate) opening: i64,
    /// Chips that were brought.
    pub(crate) fills: i64,
    /// Chips that were taken.
    pub(crate) credits: i64,
    /// Cash that went into the drop box.
    pub(crate) cash: i64,
    /// The float at the end, with what the last count found beyond the books.
    pub(crate) closing: i64,
    /// That; below zero if the tray was short.
    pub(crate) difference: i64,
    /// The win by chips: closing + credits + cash − opening − fills.
    pub(crate) win: i64,
}

impl From<DayChips> for ChipsReport {
    fn from(chips: DayChips) -> Self {
        let DayChips { opening, fills, credits, cash, closing, difference } = chips;
        Self { opening, fills, credits, cash, closing, difference, win: chips.win() }
    }
}

/// The tables of a currency together; amounts in minor units.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DayTotal {
    /// The currency.
    pub(crate) currency: String,
    /// Digits after the point.
    pub(crate) decimals: u8,
    /// Rounds settled.
    pub(crate) rounds: u64,
    /// Chips that players took to tables.
    pub(crate) drop: i64,
    /// What was wagered.
    pub(crate) handle: i64,
    /// What the house won.
    pub(crate) win: i64,
    /// Commission in it.
    pub(crate) commission: i64,
    /// The win as a share of the drop, in percent with two decimals.
    pub(crate) hold: Option<String>,
    /// What the exact odds say it should have won.
    pub(crate) theory: i64,
    /// The win by chips, of the tables and days that have it.
    pub(crate) chips_win: i64,
}

/// A share in percent, cut off after two decimals.
fn percent(part: i64, whole: i64) -> Option<String> {
    (whole > 0).then(|| Fraction::new(i128::from(part) * 100, whole).decimal(2))
}

impl DayReport {
    /// A day, with those before it: all that were closed, in order.
    fn of(app: &App, closed: &DayClosed, all: &[DayClosed]) -> Self {
        let tables: Vec<TableReport> = closed.tables.iter().map(|day| TableReport::of(app, day)).collect();
        let to_date = |same: &str| {
            let days = all.iter().filter(|day| day.day.starts_with(same) && day.day <= closed.day);
            let tables = days.flat_map(|day| &day.tables).map(|day| TableReport::of(app, day));
            totals(&tables.collect::<Vec<_>>())
        };
        let (year, month) =
            (closed.day.get(..4).unwrap_or_default(), closed.day.get(..7).unwrap_or_default());
        Self {
            day: closed.day.clone(),
            totals: totals(&tables),
            tables,
            month: to_date(month),
            year: to_date(year),
        }
    }
}

/// What tables come to, by currency.
fn totals(tables: &[TableReport]) -> Vec<DayTotal> {
    let mut totals: BTreeMap<(String, u8), DayTotal> = BTreeMap::new();
    for table in tables {
        let key = (table.currency.clone(), table.decimals);
        let total = totals.entry(key).or_insert_with(|| DayTotal {
            currency: table.currency.clone(),
            decimals: table.decimals,
            rounds: 0,
            drop: 0,
            handle: 0,
            win: 0,
            commission: 0,
            hold: None,
            theory: 0,
            chips_win: 0,
        });
        total.rounds += table.rounds;
        total.drop += table.drop;
        total.handle += table.handle;
        total.win += table.win;
        total.commission += table.commission;
        total.theory += table.theory;
        total.chips_win += table.chips.as_ref().map_or(0, |chips| chips.win);
        total.hold = percent(total.win, total.drop);
    }
    totals.into_values().collect()
}

impl TableReport {
    fn of(app: &App, day: &TableDay) -> Self {
        let table = app.floor.table(TableId(day.table.0));
        let opened = table.map(|table| Arc::clone(&table.opened));
        let text = |of: fn(&croupier_journal::deed::OpenTable) -> String| {
            opened.as_deref().map(of).unwrap_or_default()
        };
        Self {
            table: day.table.0,
            name: text(|opened| opened.name.clone()),
            game: text(|opened| opened.opening.game.clone()),
            currency: text(|opened| opened.currency.clone()),
            decimals: opened.as_deref().map_or(0, |opened| opened.decimals),
            rounds: day.rounds,
            last_round: day.last_round.map(|round| round.0),
            drop: day.drop,
            handle: day.handle,
            win: day.win,
            commission: day.commission,
            hold: percent(day.win, day.drop),
            theory: day.theory,
            theory_edge: percent(day.theory, day.handle),
            chips: day.chips.map(ChipsReport::from),
            through: day.through,
        }
    }
}

impl From<DayError> for Problem {
    fn from(error: DayError) -> Self {
        match error {
            DayError::NoDay(_) => Self::refused("bad-day", error.to_string()),
            DayError::Ahead { .. } => Self::refused("day-ahead", error.to_string()),
            DayError::Closed(_) => Self::conflict("day-closed", error.to_string()),
            DayError::Order { .. } => Self::conflict("day-order", error.to_string()),
            DayError::Floor(error) => error.into(),
        }
    }
}

/// Closes a gaming day: what happened at every table since the last close belongs to it. Tomorrow is the last day
/// that can be closed, in UTC: further east it has begun.
#[utoipa::path(
    post, path = "/api/days/close", tag = "days", request_body = CloseRequest,
    responses(
        (status = 201, body = DayReport), Guarded, WithBody, (status = 409, body = Problem),
        (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn close(
    State(app): State<Arc<App>>,
    Extension(gate): Extension<Arc<Gate>>,
    caller: Caller,
    Json(request): Json<CloseRequest>,
) -> Result<Response, Problem> {
    caller.may(&app, Right::CloseDay, "POST /api/days/close").await?;
    let by = caller.author(&app);
    let (floor, turn, calendar) = (Arc::clone(&app.floor), Arc::clone(&gate.0), app.config.calendar());
    // It is carried to its end even if the client goes away.
    let done = tokio::spawn(async move {
        let _one_at_a_time = turn.lock().await;
        days::close(&floor, &calendar, by, request.day).await
    });
    let closed = done.await.map_err(|error| Problem::internal(&error))??;
    let all = app.floor.shared.readers.read(days::all).await?;
    Ok(crate::api::created(DayReport::of(&app, &closed, &all)).into_response())
}

/// Days that were closed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DayList {
    /// The days, the newest first.
    pub(crate) days: Vec<String>,
}

/// The gaming days that were closed, the newest first.
#[utoipa::path(
    get, path = "/api/days", tag = "days",
    responses((status = 200, body = DayList), Guarded),
    security(("session" = []), ("token" = []))
)]
async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Answer<DayList>, Problem> {
    caller.may_any(&app, &[Right::CloseDay, Right::Audit], "GET /api/days").await?;
    let closed = app.floor.shared.readers.read(days::all).await?;
    Ok(Answer(DayList { days: closed.into_iter().rev().map(|closed| closed.day).collect() }))
}

/// The report of a gaming day: JSON, a page to print with `Accept: text/html`, or a sheet with `Accept: text/csv`.
#[utoipa::path(
    get, path = "/api/days/{day}", tag = "days", params(("day" = String, Path)),
    responses(
        (status = 200, content((DayReport = "application/json"), (String = "text/html"), (String = "text/csv"))), Guarded,
        (status = 400, body = Problem), (status = 404, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn report(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(day): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    caller.may_any(&app, &[Right::CloseDay, Right::Audit], "GET /api/days/{day}").await?;
    let none = Problem::not_found(format!("no gaming day `{day}` was closed"));
    if !days::is_day(&day) {
        return Err(none);
    }
    let all = app.floor.shared.readers.read(days::all).await?;
    let closed = all.iter().find(|closed| closed.day == day).ok_or(none)?;
    let report = DayReport::of(&app, closed, &all);
    Ok(match wanted(&headers) {
        Wanted::Json => Answer(report).into_response(),
        Wanted::Page => Html(page::html(&report)).into_response(),
        Wanted::Csv => {
            let file = format!("attachment; filename=\"gaming-day-{}.csv\"", report.day);
            let kind = (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_string());
            ([kind, (header::CONTENT_DISPOSITION, file)], csv::text(&report)).into_response()
        }
    })
}

/// As what a report is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Json,
    Page,
    Csv,
}

/// The first kind that is asked for and can be had.
fn wanted(headers: &HeaderMap) -> Wanted {
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kinds = accepts.split(',').map(|kind| kind.split(';').next().unwrap_or_default().trim());
    let known = kinds.filter_map(|kind| match kind {
        "application/json" => Some(Wanted::Json),
        "text/html" => Some(Wanted::Page),
        "text/csv" => Some(Wanted::Csv),
        _ => None,
    });
    known.into_iter().next().unwrap_or(Wanted::Json)
}
