//! Disputes: raising one, following it, and what is done with it.

mod told;

use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use axum::http::StatusCode;
use croupier_journal::CommandId;
use croupier_ledger::{CaseId, RoundId, TableId};
use croupier_rules::Rulebook;
use croupier_table::case::{
    Case, CaseOrder, CaseRefusal, CaseState, DisputedRound, Matter, RulebookVersion, Subject,
};
use croupier_table::{Actor, PersonId, PlayerId, Staff};
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::{Json, Path, Query};
use crate::api::history::{kept, lines, ruled_by};
use crate::api::refusals::{Guarded, WithBody};
use crate::api::tables;
use crate::app::App;
use crate::cases::{Asked, CaseError, Cases, Raised};
use crate::floor::FloorError;
use crate::people::{As, Caller, Grant, Right};
use crate::problem::Problem;
use crate::table::{Receipt, TableHandle};
pub(crate) use told::{CaseForPlayer, CaseForStaff, CaseListed, CaseTold};

/// The longest text, in characters.
const WORDS: usize = 4_000;
/// The most cases of one answer.
const MOST: usize = 500;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list, raise)).routes(routes!(about)).routes(routes!(command))
}

/// How somebody stands to a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sees {
    /// The player whose case it is.
    Own,
    /// The staff of the table, in a rank.
    Staff(Staff),
    /// Surveillance and auditors, who only look.
    Looks,
}

fn sees(app: &App, caller: &Caller, case: &Case) -> Option<Sees> {
    let table = app.floor.table(case.about.table);
    let staff = table.and_then(|table| caller.staff_at(app, &table));
    let looks = || caller.person.has(Right::Audit) || caller.person.has(Right::Watch);
    match staff {
        // Nobody sees the house's side of a case of their own.
        _ if case.about.player == PlayerId(caller.person.id) => Some(Sees::Own),
        Some(staff) => Some(Sees::Staff(staff)),
        None => looks().then_some(Sees::Looks),
    }
}

/// The case for who may see it. That there is one is nobody else's business.
fn visible(app: &App, caller: &Caller, id: u32) -> Result<(Arc<Case>, Sees), Problem> {
    let none = || Problem::not_found(format!("there is no case {id} of yours"));
    let case = app.cases.case(CaseId(id)).ok_or_else(none)?;
    let sees = sees(app, caller, &case).ok_or_else(none)?;
    Ok((case, sees))
}

fn table_of(app: &App, case: &Case) -> Result<TableHandle, Problem> {
    tables::find(app, case.about.table.0)
}

/// Which cases.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichCases {
    /// Only cases that have come so far, such as `opened` or `closed`.
    #[param(value_type = Option<String>)]
    pub(crate) state: Option<CaseState>,
    /// Only cases at this table.
    pub(crate) table: Option<u32>,
    /// Only cases of this player.
    pub(crate) player: Option<u32>,
    /// Only cases before this one; the newest if not said. An answer has 500 at most: send the id of its last one
    /// for those that came before.
    pub(crate) before: Option<u32>,
}

/// The cases that you may see, the newest first: your own, and as staff those of your tables.
#[utoipa::path(
    get, path = "/api/cases", tag = "cases", params(WhichCases),
    responses((status = 200, body = Vec<CaseListed>), Guarded, (status = 400, body = Problem)),
    security(("session" = []), ("token" = []))
)]
async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(which): Query<WhichCases>,
) -> Result<Answer<Vec<CaseListed>>, Problem> {
    let cases = app.cases.all().into_iter().filter(|case| {
        which.state.is_none_or(|state| case.state == state)
            && which.table.is_none_or(|table| case.about.table == TableId(table))
            && which.player.is_none_or(|player| case.about.player == PlayerId(player))
            && which.before.is_none_or(|before| case.id < CaseId(before))
            && sees(&app, &caller, case).is_some()
    });
    Ok(Answer(cases.take(MOST).map(|case| CaseListed::of(&case)).collect()))
}

/// A dispute that is raised.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RaiseRequest {
    /// The id of the command, made by whoever asks; a random UUID will do.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]{1,64}$")]
    pub(crate) id: String,
    /// At which table.
    pub(crate) table: u32,
    /// In which round, if in one.
    #[serde(default)]
    pub(crate) round: Option<u64>,
    /// Whose dispute it is, where staff raise it for a player.
    #[serde(default)]
    pub(crate) player: Option<u32>,
    /// What is disputed.
    pub(crate) matter: Matter,
    /// The dispute in words.
    #[schema(min_length = 1, max_length = 4000)]
    pub(crate) words: String,
    /// As who, where somebody may act as more than one.
    #[serde(rename = "as", default)]
    pub(crate) acting_as: Option<As>,
}

/// Raises a dispute: a player for himself, staff for a player. At most five of one player are open at a table.
#[utoipa::path(
    post, path = "/api/cases", tag = "cases", request_body = RaiseRequest,
    responses(
        (status = 201, body = CaseListed), Guarded, WithBody, (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn raise(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(request): Json<RaiseRequest>,
) -> Result<(StatusCode, Answer<CaseListed>), Problem> {
    let id =
        CommandId::new(&request.id).map_err(|error| Problem::bad_request("bad-id", error.to_string()))?;
    let table = tables::find(&app, request.table)?;
    short_enough(&request.words)?;
    // Who may not play any more may still disagree about what was played.
    let own = PlayerId(caller.person.id);
    let for_himself = request.player.is_none_or(|player| PlayerId(player) == own);
    let is_player = caller.person.is(&Grant::Player);
    let by = match request.acting_as {
        None if for_himself && is_player => Actor::Player(own),
        Some(As::Player) if is_player => Actor::Player(own),
        wanted => caller.actor_at(&app, &table, wanted.or(Some(As::Staff))).await?,
    };
    let player = request.player.map_or(own, PlayerId);
    if app.people.get(player.0).is_none() {
        return Err(Problem::refused("no-player", format!("there is no player {player}")));
    }
    let (round, ruled_by) = match request.round {
        None => (None, Vec::new()),
        Some(round) => {
            let (round, ruled_by) = disputed(&app, &table, round).await?;
            (Some(round), ruled_by)
        }
    };
    let about = Subject {
        table: table.id,
        rulebook: RulebookVersion::of(&table.setup.rulebook),
        round,
        player,
        matter: request.matter,
        ruled_by,
        words: request.words,
    };
    let opened =
        app.cases.open(&app.floor, &table, Raised { id, by, via: Some(caller.known_by(&app)), about }).await;
    let case = opened.map_err(|error| problem(&table.setup.rulebook, error))?;
    Ok((StatusCode::CREATED, Answer(CaseListed::of(&case))))
}

fn short_enough(words: &str) -> Result<(), Problem> {
    match words.chars().count() {
        count if count > WORDS => Err(Problem::refused(
            "too-long",
            format!("a text has at most {WORDS} characters, this one {count}"),
        )),
        _ => Ok(()),
    }
}

/// A finished round with its place in the journal, and who ruled in it.
async fn disputed(
    app: &App,
    table: &TableHandle,
    round: u64,
) -> Result<(DisputedRound, Vec<PersonId>), Problem> {
    let (id, newest) = (table.id, table.current().await.views.public().felt.round);
    let read = app.floor.shared.readers.read(move |store| {
        let found = match kept(store, id, round)? {
            Some(kept) => Some((kept.from, kept.to)),
            None if round == newest => lines(store, id, round)?,
            None => None,
        };
        let Some((from, to)) = found else { return Ok(None) };
        Ok(Some((from, to, ruled_by(store, id, from, to)?)))
    });
    let found = read.await?;
    let (from, to, people) = found
        .ok_or_else(|| Problem::refused("no-round", format!("table {id} has no finished round {round}")))?;
    Ok((DisputedRound { id: RoundId(round), from, to }, people))
}

/// A case: what is known of it to you, and what you may do with it now.
#[utoipa::path(
    get, path = "/api/cases/{case}", tag = "cases", params(("case" = u32, Path)),
    responses(
        (status = 200, body = CaseTold), Guarded, (status = 400, body = Problem),
        (status = 404, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn about(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
) -> Result<Answer<CaseTold>, Problem> {
    let (case, sees) = visible(&app, &caller, id)?;
    let table = table_of(&app, &case)?;
    let timeline = Cases::timeline(&app.floor, case.id).await?;
    let round = match case.about.round {
        None => None,
        Some(round) => {
            let (id, number) = (table.id, round.id.0);
            app.floor.shared.readers.read(move |store| kept(store, id, number)).await?
        }
    };
    let round = round.map(|kept| crate::api::history::told(&app, &table.setup.rulebook, kept));
    Ok(Answer(match sees {
        Sees::Own => CaseTold::Player(Box::new(CaseForPlayer::of(&app, &table, &case, &timeline, round))),
        Sees::Staff(staff) => {
            CaseTold::Staff(Box::new(CaseForStaff::of(&table, &case, timeline, round, Some(staff))))
        }
        Sees::Looks => CaseTold::Staff(Box::new(CaseForStaff::of(&table, &case, timeline, round, None))),
    }))
}

/// Something that is done with a case.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseRequest {
    /// The id of the command, made by whoever asks; a random UUID will do.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]{1,64}$")]
    pub(crate) id: String,
    /// What is done. The ids of transfers are filled in by the server. Corrections go `through` the `cage`, to the
    /// player's wallet or out of it: the chips at a table are what the table's own events have made of them, and a
    /// case changes nothing at a table, which may have closed and which the player may have left.
    pub(crate) order: CaseOrder,
}

/// Does something with a case. The answer means that it is durable.
#[utoipa::path(
    post, path = "/api/cases/{case}/commands", tag = "cases", params(("case" = u32, Path)),
    request_body = CaseRequest,
    responses(
        (status = 200, body = Receipt), Guarded, WithBody, (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn command(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
    Json(request): Json<CaseRequest>,
) -> Result<Answer<Receipt>, Problem> {
    let (case, sees) = visible(&app, &caller, id)?;
    let table = table_of(&app, &case)?;
    let id =
        CommandId::new(&request.id).map_err(|error| Problem::bad_request("bad-id", error.to_string()))?;
    let by = match sees {
        Sees::Own => Actor::Player(PlayerId(caller.person.id)),
        Sees::Staff(staff) => Actor::Staff(staff),
        // Says why not, and puts it on record.
        Sees::Looks => caller.actor_at(&app, &table, Some(As::Staff)).await?,
    };
    let mut order = request.order;
    if let CaseOrder::Assign { to } = &mut order {
        let known = app.people.staff_of(to.person.0, &table);
        *to = known.ok_or_else(|| Problem::refused("no-rank", "that person has no rank at this table"))?;
    }
    let done = app
        .cases
        .command(&app.floor, &table, case.id, Asked { id, by, via: Some(caller.known_by(&app)), order })
        .await;
    match done {
        Ok(receipt) => Ok(Answer(receipt)),
        Err(error) => {
            let problem = problem(&table.setup.rulebook, error);
            if problem.status == StatusCode::FORBIDDEN.as_u16() {
                return Err(
                    crate::people::deny(&app, &caller, "POST /api/cases/{case}/commands", problem).await
                );
            }
            Err(problem)
        }
    }
}

fn problem(rulebook: &Rulebook, error: CaseError) -> Problem {
    match error {
        CaseError::NoCase(id) => Problem::not_found(format!("there is no case {id}")),
        CaseError::Refused(refusal) => refused(rulebook, &refusal),
        CaseError::TooMany { .. } => Problem::conflict("too-many-cases", error.to_string()),
        CaseError::ThroughTable => Problem::refused("through-cage", error.to_string()),
        CaseError::Books(_) => Problem::refused("books", error.to_string()),
        CaseError::Floor(FloorError::Books(refused)) => Problem::refused("books", refused.to_string()),
        CaseError::Floor(error) => error.into(),
    }
}

fn refused(rulebook: &Rulebook, refusal: &CaseRefusal) -> Problem {
    let status = match refusal.code() {
        "rank-too-low" | "another-player" | "cannot-raise" | "own-ruling" | "own-first-line"
        | "own-decision" => StatusCode::FORBIDDEN,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let mut problem = Problem::new(status, refusal.code(), refusal.to_string());
    problem.clauses = refusal.cites().iter().map(|basis| rulebook.full_id(*basis)).collect();
    if let Ok(Value::Object(mut parts)) = serde_json::to_value(refusal)
        && let Some(Value::Object(parameters)) = parts.remove("parameters")
    {
        problem.parameters = parameters;
    }
    problem
}
