//! Signing in by an identity provider, and who is tied to whom it names.

use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::factors::SecondStep;
use super::{Me, Newcomer, PersonShown, entered};
use crate::api::body::{Form, Json, Path};
use crate::api::refusals::{Guarded, WithBody};
use crate::app::App;
use crate::limits::{Kind, Who};
use crate::people::{self, Caller, Came, Edit, Right, Secret};
use crate::problem::Problem;
use crate::provider::{self, FromProvider, Provider};

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(begin_at_provider))
        .routes(routes!(back_from_provider))
        .routes(routes!(signed_out_by_provider))
        .routes(routes!(tie_to_provider))
}

/// The name of the cookie by which a browser shows that it began a sign-in.
fn cookie_name(secure: bool) -> &'static str {
    if secure { "__Host-croupier_provider" } else { "croupier_provider" }
}

fn provider(app: &App) -> Result<&Provider, Problem> {
    let none =
        || Problem::not_found("nobody signs in by a provider here; sign in with a name and a password");
    app.provider.as_ref().ok_or_else(none)
}

/// Where to sign in.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct AtProvider {
    /// The address that the browser opens next.
    address: String,
}

/// Begins a sign-in by the identity provider (OpenID Connect). The browser opens the address; the provider sends it back
/// to `/sign-in/provider` with `code` and `state`, which go to `POST /api/sign-in/provider/back`.
#[utoipa::path(
    post, path = "/api/sign-in/provider", tag = "people",
    responses((status = 200, body = AtProvider), Guarded, (status = 404, body = Problem)),
    security(())
)]
async fn begin_at_provider(
    State(app): State<Arc<App>>,
    from: Newcomer,
) -> Result<impl IntoResponse, Problem> {
    let provider = provider(&app)?;
    app.buckets.take(Kind::SignIn, Who::at(from.address))?;
    let begun = provider.begin().await?;
    let secure = app.config.is_secure();
    let seconds = provider::PATIENCE / 1_000;
    let cookie = people::cookie_line(cookie_name(secure), begun.browser.expose(), seconds, secure)?;
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), Answer(AtProvider { address: begun.address })))
}

/// What the provider sent the browser back with.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Back {
    /// `state`, as it came.
    #[schema(max_length = 256)]
    state: String,
    /// `code`, as it came.
    code: Secret,
    /// `iss`, where it came.
    #[serde(default)]
    #[schema(max_length = 1024)]
    issuer: Option<String>,
}

/// Ends a sign-in by the identity provider; the answer sets a session cookie. Where the account has a second factor and
/// the provider has seen none that counts, it is 202, and `POST /api/sign-in/second` is the second step.
#[utoipa::path(
    post, path = "/api/sign-in/provider/back", tag = "people", request_body = Back,
    responses(
        (status = 200, body = Me), (status = 202, body = SecondStep), Guarded, WithBody,
        (status = 404, body = Problem),
    ),
    security(())
)]
async fn back_from_provider(
    State(app): State<Arc<App>>,
    from: Newcomer,
    headers: HeaderMap,
    Json(back): Json<Back>,
) -> Result<Response, Problem> {
    let provider = provider(&app)?;
    app.buckets.take(Kind::SignIn, Who::at(from.address))?;
    let browser = people::cookie_of(&headers, cookie_name(app.config.is_secure()));
    let back = FromProvider { state: &back.state, code: &back.code, issuer: back.issuer.as_deref(), browser };
    let named = provider.finish(back).await?;
    match app.people.sign_in_by_provider(&named, provider.settings(), from.address).await? {
        Came::In(signed_in) => Ok(entered(&app, &signed_in)?.into_response()),
        Came::Half(half) => Ok((StatusCode::ACCEPTED, Answer(SecondStep::of(&half))).into_response()),
    }
}

/// What the provider says when somebody has signed out there.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct SigningOut {
    /// The logout token, a JSON Web Token that the provider has signed.
    #[schema(min_length = 1, max_length = 16384)]
    logout_token: String,
}

/// Called by the identity provider when somebody has signed out there (OpenID Connect Back-Channel Logout 1.0): the
/// sessions here that began by that session there, or by that person, are over. Sessions by a password and API tokens stay.
#[utoipa::path(
    post, path = "/api/sign-in/provider/logout", tag = "people",
    request_body(content = SigningOut, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "Signed out"), Guarded, (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem),
    ),
    security(())
)]
async fn signed_out_by_provider(
    State(app): State<Arc<App>>,
    from: Newcomer,
    Form(asked): Form<SigningOut>,
) -> Result<StatusCode, Problem> {
    let provider = provider(&app)?;
    app.buckets.take(Kind::Anonymous, Who::at(from.address))?;
    let out = provider.sign_out(&asked.logout_token).await?;
    let ended = app.people.sign_out_by_provider(out).await?;
    metrics::counter!("croupier_provider_sign_outs_total").increment(1);
    tracing::info!(address = %from.address, ended, "signed out by the provider");
    // Providers expect 200, and some take nothing else.
    Ok(StatusCode::OK)
}

/// Whom the provider names.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tie {
    /// What the provider calls the person, in the claim that is set (`oidc.claim`); without it the person is untied.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 255)]
    subject: Option<String>,
}

/// Ties an account to whom the identity provider names, or unties it. All sessions and API tokens of the person end.
#[utoipa::path(
    put, path = "/api/people/{person}/provider", tag = "people", params(("person" = u32, Path)),
    request_body = Tie,
    responses(
        (status = 200, body = PersonShown), Guarded, WithBody, (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem),
    ),
    security(("session" = []))
)]
async fn tie_to_provider(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
    Json(asked): Json<Tie>,
) -> Result<Answer<PersonShown>, Problem> {
    const WHAT: &str = "PUT /api/people/{person}/provider";
    caller.may(&app, Right::Administer, WHAT).await?;
    caller.in_session(&app, WHAT).await?;
    let edit = Edit { provider: Some(asked.subject), ..Edit::default() };
    let person = app.people.edit(caller.author(&app), id, edit).await?;
    Ok(Answer(PersonShown::of(&app, &person)))
}
