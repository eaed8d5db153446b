//! Second factors: the second step of a sign-in, enrolling, recovery codes, and taking a factor away.

use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::AppendHeaders;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Entered, Me, Newcomer, entered, me_now, prove};
use crate::api::body::{Json, Path};
use crate::api::refusals::{Guarded, WithBody};
use crate::app::App;
use crate::limits::{Kind, Who};
use crate::people::{
    self, Caller, FactorProof, Half, NewPasskey, PasskeyAsk, PasskeyToMake, Right, Secret, deny,
};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(second_step))
        .routes(routes!(begin_app, confirm_app))
        .routes(routes!(begin_passkey))
        .routes(routes!(add_passkey))
        .routes(routes!(challenge))
        .routes(routes!(renew_recovery))
        .routes(routes!(remove))
        .routes(routes!(reset))
}

/// The password is right, and a second factor is still to be shown.
#[derive(Clone, Serialize, ToSchema)]
pub(super) struct SecondStep {
    /// What is sent with the second step. It opens nothing else.
    half: String,
    /// How long the second step may take.
    seconds: u64,
    /// An authenticator app is enrolled; a recovery code is taken in any case.
    app: bool,
    /// What a browser is asked to sign, if there are passkeys.
    passkey: Option<PasskeyAsk>,
}

impl SecondStep {
    pub(super) fn of(half: &Half) -> Self {
        let Half { secret, seconds, shown, ask, .. } = half;
        let half = secret.expose().to_string();
        Self { half, seconds: *seconds, app: shown.app, passkey: ask.clone() }
    }
}

/// The second step of a sign-in.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Second {
    /// What the first step was answered with.
    half: Secret,
    /// The second factor.
    proof: FactorProof,
}

/// The second step of a sign-in; the answer sets a session cookie.
#[utoipa::path(
    post, path = "/api/sign-in/second", tag = "people", request_body = Second,
    responses((status = 200, body = Me), Guarded, WithBody),
    security(())
)]
async fn second_step(
    State(app): State<Arc<App>>,
    from: Newcomer,
    Json(asked): Json<Second>,
) -> Result<Entered, Problem> {
    app.buckets.take(Kind::SignIn, Who::at(from.address))?;
    let signed_in = app.people.second_step(&asked.half, &asked.proof, from.address).await?;
    entered(&app, &signed_in)
}

/// The password, asked again.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PasswordAgain {
    /// Your password. Without one, leave it out, and do it within five minutes of signing in by the identity provider.
    #[serde(default)]
    password: Option<Secret>,
}

/// What an authenticator app is told. It is not shown again.
#[derive(Clone, Serialize, ToSchema)]
pub(super) struct AppSecret {
    /// The secret in base 32, to be typed into the app.
    secret: String,
    /// The same as an address that apps open: `otpauth://totp/…`.
    uri: String,
    /// The width of a QR code of that address, in modules.
    picture_width: usize,
    /// The path of an SVG that draws its dark modules, each one unit wide.
    picture_path: String,
}

/// Begins to enrol an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). A code of it is then sent with PUT.
#[utoipa::path(
    post, path = "/api/me/factor/app", tag = "people", request_body = PasswordAgain,
    responses((status = 200, body = AppSecret), Guarded, WithBody, (status = 409, body = Problem)),
    security(("session" = []))
)]
async fn begin_app(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<PasswordAgain>,
) -> Result<Answer<AppSecret>, Problem> {
    const WHAT: &str = "POST /api/me/factor/app";
    caller.in_session(&app, WHAT).await?;
    prove(&app, &caller, asked.password.as_ref(), WHAT).await?;
    let issuer = match &app.config.public_host {
        Some(host) => format!("Croupier {host}"),
        None => "Croupier".to_string(),
    };
    let people::Enrolling { secret, uri, picture_width, picture_path } =
        app.people.begin_enrolling(&caller.person, &issuer)?;
    Ok(Answer(AppSecret { secret, uri, picture_width, picture_path }))
}

/// A code of the app that is being enrolled.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AppCode {
    /// The six digits that it shows.
    code: Secret,
}

/// Recovery codes, which are not shown again.
#[derive(Clone, Serialize, ToSchema)]
pub(super) struct RecoveryCodes {
    /// Ten codes, each of which stands for the second factor once; none if there are codes from before.
    recovery: Vec<String>,
    /// You.
    me: Me,
}

type Enrolled = (AppendHeaders<[(header::HeaderName, header::HeaderValue); 1]>, Answer<RecoveryCodes>);

/// Enrols the authenticator app by a code of it. All your sessions end; the answer sets the cookie of a new one.
#[utoipa::path(
    put, path = "/api/me/factor/app", tag = "people", request_body = AppCode,
    responses((status = 200, body = RecoveryCodes), Guarded, WithBody, (status = 409, body = Problem)),
    security(("session" = []))
)]
async fn confirm_app(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<AppCode>,
) -> Result<Enrolled, Problem> {
    const WHAT: &str = "PUT /api/me/factor/app";
    let session = caller.in_session(&app, WHAT).await?;
    let before = app.people.signed_in_before(session);
    let recovery = app.people.enrol(caller.author(&app), &caller.person, &asked.code).await?;
    let signed_in = app.people.renew_session(caller.person.id, before).await?;
    let (cookie, Answer(me)) = entered(&app, &signed_in)?;
    Ok((cookie, Answer(RecoveryCodes { recovery, me })))
}

/// The host by which a page was opened.
pub(super) struct OpenedBy(String);

impl FromRequestParts<Arc<App>> for OpenedBy {
    type Rejection = core::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Self::Rejection> {
        let authority = parts.uri.authority().map(|authority| authority.as_str());
        Ok(Self(people::host_of(&parts.headers, authority, app)))
    }
}

/// What a browser is told to make a passkey.
#[derive(Clone, Serialize, ToSchema)]
pub(super) struct PasskeyAsked {
    /// What is signed, in base64url.
    challenge: String,
    /// The host that it is for.
    host: String,
    /// You, by a number, in base64url.
    user: String,
    /// Your name.
    name: String,
    /// The ids of those that there are, in base64url.
    there: Vec<String>,
}

/// Begins to enrol a passkey (WebAuthn, ES256, no attestation) for the host that the page was opened by.
#[utoipa::path(
    post, path = "/api/me/factor/passkeys/begin", tag = "people", request_body = PasswordAgain,
    responses((status = 200, body = PasskeyAsked), Guarded, WithBody, (status = 409, body = Problem)),
    security(("session" = []))
)]
async fn begin_passkey(
    State(app): State<Arc<App>>,
    caller: Caller,
    OpenedBy(host): OpenedBy,
    Json(asked): Json<PasswordAgain>,
) -> Result<Answer<PasskeyAsked>, Problem> {
    const WHAT: &str = "POST /api/me/factor/passkeys/begin";
    caller.in_session(&app, WHAT).await?;
    prove(&app, &caller, asked.password.as_ref(), WHAT).await?;
    let PasskeyToMake { challenge, host, user, there } = app.people.begin_passkey(&caller.person, &host)?;
    Ok(Answer(PasskeyAsked { challenge, host, user, name: caller.person.name.clone(), there }))
}

/// A passkey that a browser has made.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PasskeyMade {
    /// What you call it.
    #[schema(min_length = 1, max_length = 60)]
    label: String,
    /// What the browser answered.
    passkey: NewPasskey,
}

/// Enrols a passkey. All your sessions end; the answer sets the cookie of a new one.
#[utoipa::path(
    post, path = "/api/me/factor/passkeys", tag = "people", request_body = PasskeyMade,
    responses(
        (status = 200, body = RecoveryCodes), Guarded, WithBody, (status = 409, body = Problem),
        (status = 422, body = Problem),
    ),
    security(("session" = []))
)]
async fn add_passkey(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<PasskeyMade>,
) -> Result<Enrolled, Problem> {
    const WHAT: &str = "POST /api/me/factor/passkeys";
    let session = caller.in_session(&app, WHAT).await?;
    let before = app.people.signed_in_before(session);
    let PasskeyMade { label, passkey } = asked;
    let recovery = app.people.add_passkey(caller.author(&app), &caller.person, &label, &passkey).await?;
    let signed_in = app.people.renew_session(caller.person.id, before).await?;
    let (cookie, Answer(me)) = entered(&app, &signed_in)?;
    Ok((cookie, Answer(RecoveryCodes { recovery, me })))
}

/// Asks for one of your passkeys, to be sent as `proof`.
#[utoipa::path(
    post, path = "/api/me/factor/challenge", tag = "people",
    responses((status = 200, body = PasskeyAsk), Guarded, (status = 409, body = Problem)),
    security(("session" = []))
)]
async fn challenge(State(app): State<Arc<App>>, caller: Caller) -> Result<Answer<PasskeyAsk>, Problem> {
    caller.in_session(&app, "POST /api/me/factor/challenge").await?;
    app.people.ask_passkey(caller.person.id).map(Answer)
}

/// Password and second factor, asked again.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BothAgain {
    /// Your password. Without one, leave it out, and do it within five minutes of signing in by the identity provider.
    #[serde(default)]
    password: Option<Secret>,
    /// Your second factor.
    proof: FactorProof,
}

/// Checks password and factor of the caller; what is wrong is recorded.
async fn prove_both(app: &App, caller: &Caller, asked: &BothAgain, what: &str) -> Result<(), Problem> {
    prove(app, caller, asked.password.as_ref(), what).await?;
    match app.people.check_factor(&caller.person, &asked.proof).await {
        Err(problem) if problem.status == StatusCode::FORBIDDEN.as_u16() => {
            Err(deny(app, caller, what, problem).await)
        }
        other => other,
    }
}

/// Makes ten new recovery codes in the place of all before.
#[utoipa::path(
    post, path = "/api/me/factor/recovery", tag = "people", request_body = BothAgain,
    responses((status = 200, body = RecoveryCodes), Guarded, WithBody, (status = 409, body = Problem)),
    security(("session" = []))
)]
async fn renew_recovery(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<BothAgain>,
) -> Result<Answer<RecoveryCodes>, Problem> {
    const WHAT: &str = "POST /api/me/factor/recovery";
    caller.in_session(&app, WHAT).await?;
    prove_both(&app, &caller, &asked, WHAT).await?;
    let recovery = app.people.renew_recovery(caller.author(&app), caller.person.id).await?;
    Ok(Answer(RecoveryCodes { recovery, me: me_now(&app, &caller, &caller.person) }))
}

/// What is given up.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GivenUp {
    /// Your password. Without one, leave it out, and do it within five minutes of signing in by the identity provider.
    #[serde(default)]
    password: Option<Secret>,
    /// Your second factor.
    proof: FactorProof,
    /// Only the passkey of this number; the whole second factor if not said.
    #[serde(default)]
    passkey: Option<u32>,
}

/// Gives your second factor up, or one passkey of it.
#[utoipa::path(
    post, path = "/api/me/factor/remove", tag = "people", request_body = GivenUp,
    responses(
        (status = 200, body = Me), Guarded, WithBody, (status = 404, body = Problem),
        (status = 409, body = Problem),
    ),
    security(("session" = []))
)]
async fn remove(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<GivenUp>,
) -> Result<Answer<Me>, Problem> {
    const WHAT: &str = "POST /api/me/factor/remove";
    caller.in_session(&app, WHAT).await?;
    let GivenUp { password, proof, passkey } = asked;
    prove_both(&app, &caller, &BothAgain { password, proof }, WHAT).await?;
    match passkey {
        Some(number) => app.people.remove_passkey(caller.author(&app), caller.person.id, number).await?,
        None => app.people.remove_factor(caller.author(&app), caller.person.id).await?,
    }
    Ok(Answer(me_now(&app, &caller, &caller.person)))
}

/// Takes the second factor of somebody away who has lost it; their sessions end. One's own is given up with
/// `POST /api/me/factor/remove`, which asks for a code.
#[utoipa::path(
    delete, path = "/api/people/{person}/factor", tag = "people", params(("person" = u32, Path)),
    responses(
        (status = 204, description = "Reset"), Guarded, (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem),
    ),
    security(("session" = []))
)]
async fn reset(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
) -> Result<StatusCode, Problem> {
    const WHAT: &str = "DELETE /api/people/{person}/factor";
    caller.may(&app, Right::Administer, WHAT).await?;
    caller.in_session(&app, WHAT).await?;
    if id == caller.person.id {
        let detail = "your own second factor is given up with a code of it: POST /api/me/factor/remove";
        return Err(deny(&app, &caller, WHAT, Problem::forbidden("own-factor", detail)).await);
    }
    app.people.get(id).ok_or_else(|| people::nobody(id))?;
    app.people.reset_factor(caller.author(&app), id).await?;
    Ok(StatusCode::NO_CONTENT)
}
