//! API tokens: for devices, and for programs that act for a person.

use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::{Json, Path};
use crate::api::refusals::{Guarded, WithBody};
use crate::app::App;
use crate::clock;
use crate::people::{Caller, Person, Right, Secret, Token, TokenFor, deny};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list_tokens, make_token)).routes(routes!(revoke_token))
}

/// An API token, without its secret.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct TokenShown {
    /// Its id.
    id: u32,
    /// What it is for, in its maker's words.
    label: String,
    /// For whom.
    #[serde(rename = "for")]
    whom: TokenFor,
    /// Who made it.
    made_by: u32,
    /// When, in milliseconds since 1970.
    made: u64,
    /// When it ends.
    expires: u64,
    /// It was taken back.
    revoked: bool,
}

impl TokenShown {
    fn of(token: &Token) -> Self {
        Self {
            id: token.id,
            label: token.label.clone(),
            whom: token.whom,
            made_by: token.made_by,
            made: token.made,
            expires: token.expires,
            revoked: token.revoked,
        }
    }
}

/// Whether a token is somebody's business: administrators see all, floor managers those of devices, everybody
/// their own.
fn concerns(person: &Person, whom: TokenFor) -> bool {
    person.has(Right::Administer)
        || match whom {
            TokenFor::Device { .. } => person.has(Right::OpenTables),
            TokenFor::Person { id } => id == person.id,
        }
}

/// The API tokens that are your business.
#[utoipa::path(
    get, path = "/api/tokens", tag = "people",
    responses(
        (status = 200, body = Vec<TokenShown>), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 429, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn list_tokens(State(app): State<Arc<App>>, caller: Caller) -> Answer<Vec<TokenShown>> {
    let all = app.people.tokens();
    let own = all.iter().filter(|token| concerns(&caller.person, token.whom));
    Answer(own.map(|token| TokenShown::of(token)).collect())
}

/// A new API token.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewToken {
    /// What it is for.
    #[schema(min_length = 1, max_length = 60)]
    label: String,
    /// For whom.
    #[serde(rename = "for")]
    whom: TokenFor,
    /// Your password: a token outlives the session that made it.
    #[serde(default)]
    password: Option<Secret>,
    /// After how many days it ends.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 3650, default = 365)]
    days: Option<u16>,
}

/// An API token with its text, which is not shown again.
#[derive(Clone, Serialize, ToSchema)]
pub(super) struct TokenMade {
    /// The token.
    #[serde(flatten)]
    shown: TokenShown,
    /// Its text, to be sent as `Authorization: Bearer …`.
    token: String,
}

/// Makes an API token: for yourself, for a device (floor managers), or for anybody (administrators).
#[utoipa::path(
    post, path = "/api/tokens", tag = "people", request_body = NewToken,
    responses((status = 201, body = TokenMade), Guarded, WithBody, (status = 422, body = Problem)),
    security(("session" = []))
)]
async fn make_token(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<NewToken>,
) -> Result<(StatusCode, Answer<TokenMade>), Problem> {
    const WHAT: &str = "POST /api/tokens";
    /// Tokens that count, for one person or device.
    const MOST: usize = 20;
    caller.in_session(&app, WHAT).await?;
    if !concerns(&caller.person, asked.whom) {
        let detail = "make tokens for yourself; floor managers make those of devices, administrators all";
        return Err(deny(&app, &caller, WHAT, Problem::forbidden("not-allowed", detail)).await);
    }
    prove(&app, &caller, asked.password.as_ref(), WHAT).await?;
    let label = asked.label.trim().to_string();
    if label.is_empty() || label.chars().count() > 60 || label.chars().any(char::is_control) {
        return Err(Problem::refused("bad-label", "a label has 1 to 60 characters"));
    }
    let days = asked.days.unwrap_or(365);
    if !(1..=3_650).contains(&days) {
        return Err(Problem::refused("bad-days", "a token lasts 1 to 3650 days"));
    }
    match asked.whom {
        TokenFor::Device { table } if app.floor.table(table).is_none() => {
            return Err(Problem::refused("no-table", format!("there is no table {table}")));
        }
        TokenFor::Person { id } if app.people.get(id).is_none_or(|person| person.disabled) => {
            return Err(Problem::refused("no-person", format!("there is no person {id} who may sign in")));
        }
        TokenFor::Device { .. } | TokenFor::Person { .. } => {}
    }
    let now = clock::now();
    let alive =
        app.people.tokens().iter().filter(|token| token.whom == asked.whom && token.is_alive(now)).count();
    if alive >= MOST {
        return Err(Problem::refused(
            "too-many-tokens",
            "there are 20 tokens for this already; revoke one first",
        ));
    }
    let expires = now + u64::from(days) * 24 * 3_600 * 1_000;
    let (token, text) = {
        let by = caller.author(&app);
        app.people.make_token_by(by, caller.person.id, asked.whom, label, expires).await?
    };
    Ok((StatusCode::CREATED, Answer(TokenMade { shown: TokenShown::of(&token), token: text })))
}

/// That it is really them. Who has no password and came to a demo by one click could make any token by another.
async fn prove(app: &App, caller: &Caller, password: Option<&Secret>, what: &str) -> Result<(), Problem> {
    if app.demo.is_some() && caller.person.password.is_none() {
        return Ok(());
    }
    super::prove(app, caller, password, what).await
}

/// Takes an API token back, at once.
#[utoipa::path(
    delete, path = "/api/tokens/{token}", tag = "people", params(("token" = u32, Path)),
    responses(
        (status = 204, description = "Revoked"), Guarded, (status = 400, body = Problem),
        (status = 404, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn revoke_token(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
) -> Result<StatusCode, Problem> {
    let token = app.people.token(id).filter(|token| concerns(&caller.person, token.whom));
    let Some(token) = token else { return Err(Problem::not_found(format!("you have no token {id}"))) };
    app.people.revoke_token(caller.author(&app), token.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
