//! Rulebooks with their clauses, and what the odds lab says of games and of bets that stand in no rulebook yet.

mod forms;
mod odds;

use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::rejection::StringRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{StatusCode, header};
use croupier_journal::Hash;
use croupier_journal::shelf::Volume;
use croupier_rules::Faults;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::{Path, Query};
use crate::api::refusals::{Guarded, WithBody};
use crate::app::App;
use crate::floor::AddRulebookError;
use crate::people::{Caller, MaybeCaller, Right};
use crate::problem::{Parameters, Problem, TextFault};
pub(crate) use forms::{ClauseForm, RulebookForm, RulebookSummary};

/// The most bytes of a rulebook.
const LONGEST: usize = 1_024 * 1_024;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list, add))
        .layer(DefaultBodyLimit::max(LONGEST))
        .routes(routes!(about))
        .routes(routes!(clause))
        .merge(odds::routes())
}

/// A body of plain text.
pub(super) struct Text(pub(super) String);

impl<S: Send + Sync> FromRequest<S> for Text {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("text/plain") {
            let detail = "the body is TOML; send it as `Content-Type: text/plain`";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-text", detail));
        }
        let text = String::from_request(request, state).await.map_err(|rejection: StringRejection| {
            let code = match rejection.status() {
                StatusCode::PAYLOAD_TOO_LARGE => "too-large",
                _ => "bad-body",
            };
            Problem::new(rejection.status(), code, rejection.body_text())
        })?;
        Ok(Self(text))
    }
}

/// All faults of a text, with their places.
pub(super) fn faulty(what: &str, faults: &Faults) -> Problem {
    let list: Vec<TextFault> = faults
        .0
        .iter()
        .map(|fault| TextFault { line: fault.line, column: fault.column, message: fault.message.clone() })
        .collect();
    let detail = format!("{what} has {} fault{}", list.len(), if list.len() == 1 { "" } else { "s" });
    Problem::refused("faults", detail).with_parameters(&Parameters { faults: list, ..Parameters::default() })
}

fn newest(app: &App, id: &str) -> Result<Volume, Problem> {
    let shelf = app.floor.shelf();
    shelf.newest(id).cloned().ok_or_else(|| Problem::not_found(format!("there is no rulebook `{id}`")))
}

fn version(app: &App, id: &str, hash: Hash) -> Result<Volume, Problem> {
    let shelf = app.floor.shelf();
    let found = shelf.volume(hash).filter(|volume| volume.rulebook.id == id);
    found.cloned().ok_or_else(|| Problem::not_found(format!("`{id}` has no version with the hash {hash}")))
}

/// The rulebooks that games are opened under now.
#[utoipa::path(
    get, path = "/api/rulebooks", tag = "rulebooks",
    responses((status = 200, body = Vec<RulebookSummary>), Guarded),
    security((), ("session" = []), ("token" = []))
)]
async fn list(State(app): State<Arc<App>>, _caller: MaybeCaller) -> Answer<Vec<RulebookSummary>> {
    Answer(app.floor.shelf().current().map(RulebookSummary::of).collect())
}

/// Which version of a rulebook.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichVersion {
    /// The hash of its text, such as the `rulebook_hash` of a table; the newest version if not said.
    #[param(value_type = Option<String>)]
    pub(crate) hash: Option<Hash>,
}

/// Everything that a rulebook says: its clauses and readings, its ranks, layouts and settings, its games. What the
/// views of a table cite is in the version that the table was opened under, which need not be the newest.
#[utoipa::path(
    get, path = "/api/rulebooks/{rulebook}", tag = "rulebooks",
    params(("rulebook" = String, Path), WhichVersion),
    responses(
        (status = 200, body = RulebookForm), (status = 400, body = Problem), (status = 404, body = Problem),
        Guarded,
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn about(
    State(app): State<Arc<App>>,
    _caller: MaybeCaller,
    Path(id): Path<String>,
    Query(which): Query<WhichVersion>,
) -> Result<Answer<RulebookForm>, Problem> {
    let volume = match which.hash {
        None => newest(&app, &id)?,
        Some(hash) => version(&app, &id, hash)?,
    };
    Ok(Answer(RulebookForm::of(&volume)))
}

/// One clause or reading. A `/` in its id is written `%2F`.
#[utoipa::path(
    get, path = "/api/rulebooks/{rulebook}/clauses/{clause}", tag = "rulebooks",
    params(("rulebook" = String, Path), ("clause" = String, Path)),
    responses(
        (status = 200, body = ClauseForm), (status = 400, body = Problem), (status = 404, body = Problem),
        Guarded,
    ),
    security((), ("session" = []), ("token" = []))
)]
async fn clause(
    State(app): State<Arc<App>>,
    _caller: MaybeCaller,
    Path((id, clause)): Path<(String, String)>,
) -> Result<Answer<ClauseForm>, Problem> {
    let volume = newest(&app, &id)?;
    let rulebook = &volume.rulebook;
    let found = rulebook.index.find(&clause).and_then(|basis| ClauseForm::of(rulebook, basis));
    found.map(Answer).ok_or_else(|| Problem::not_found(format!("`{id}` has no clause `{clause}`")))
}

/// Adds a rulebook, in TOML. Its games are opened under it from now on; tables that are open keep theirs. A text
/// that was added before becomes the newest again.
#[utoipa::path(
    post, path = "/api/rulebooks", tag = "rulebooks",
    request_body(content = String, content_type = "text/plain"),
    responses(
        (status = 201, body = RulebookSummary), Guarded, WithBody,
        (status = 422, body = Problem, description = "`parameters.faults` lists all faults with line and column"),
    ),
    security(("session" = []), ("token" = []))
)]
async fn add(
    State(app): State<Arc<App>>,
    caller: Caller,
    request: Request,
) -> Result<(StatusCode, Answer<RulebookSummary>), Problem> {
    // A megabyte of text is read only from who may send it.
    caller.may(&app, Right::Administer, "POST /api/rulebooks").await?;
    let Text(text) = Text::from_request(request, &()).await?;
    let floor = Arc::clone(&app.floor);
    let by = caller.author(&app);
    // It is carried to its end even if the client goes away, so that what is written is also on the shelf.
    let added = tokio::spawn(async move { floor.add_rulebook(by, &text).await }).await;
    match added.map_err(|error| Problem::internal(&error))? {
        Ok(volume) => Ok((StatusCode::CREATED, Answer(RulebookSummary::of(&volume)))),
        Err(AddRulebookError::Faults(faults)) => Err(faulty("the rulebook", &faults)),
        Err(AddRulebookError::Floor(error)) => Err(error.into()),
    }
}
