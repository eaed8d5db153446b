//! Signing in, oneself, other people and API tokens.

mod factors;
mod provider;
mod sessions;
mod tokens;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::{ConnectInfo, FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::{Json, Path, Query};
use crate::api::refusals::{Guarded, WithBody};
use crate::app::App;
use crate::demonstration::DemoRole;
use crate::floor::Currency;
use crate::limits::{Kind, Who};
use crate::people::{
    self, Caller, Came, Edit, FactorShown, Grant, MaybeCaller, New, Person, Right, Secret, Seen, SignedIn,
    Via, deny,
};
use crate::problem::Problem;

use factors::SecondStep;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(sign_in))
        .routes(routes!(sign_out))
        .routes(routes!(first_run))
        .routes(routes!(demo_sign_in))
        .routes(routes!(session))
        .routes(routes!(me))
        .routes(routes!(own_password))
        .routes(routes!(own_pin))
        .routes(routes!(unlock))
        .routes(routes!(own_duty))
        .routes(routes!(list, create))
        .routes(routes!(about, change))
        .merge(factors::routes())
        .merge(provider::routes())
        .merge(sessions::routes())
        .merge(tokens::routes())
}

/// The caller as the server knows them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    /// The id, which is also that of the player or of the member of the staff.
    id: u32,
    /// The name to sign in with.
    name: String,
    /// The name that is shown at tables.
    nickname: String,
    /// What you may be.
    grants: Vec<Grant>,
    /// What you may do away from the tables.
    rights: Vec<Right>,
    /// You are on duty.
    on_duty: bool,
    /// You may not play.
    excluded: bool,
    /// You have a password.
    has_password: bool,
    /// You have a PIN for rulings on the spot.
    has_pin: bool,
    /// Your second factor, if you have one.
    factor: Option<FactorShown>,
    /// You must enrol a second factor before you do anything else.
    must_enrol: bool,
    /// When you signed in the time before this one, and from where; none with an API token.
    last_sign_in: Option<Seen>,
    /// When the session ends at the latest, in milliseconds since 1970; none with an API token.
    session_expires: Option<u64>,
}

impl Me {
    fn of(
        app: &App,
        person: &Person,
        must_enrol: bool,
        last_sign_in: Option<Seen>,
        session_expires: Option<u64>,
    ) -> Self {
        Self {
            id: person.id,
            name: person.name.clone(),
            nickname: person.nickname.clone(),
            grants: person.grants.clone(),
            rights: Right::ALL.into_iter().filter(|right| person.has(*right)).collect(),
            on_duty: person.on_duty,
            excluded: person.excluded,
            has_password: person.password.is_some(),
            has_pin: person.pin.is_some(),
            factor: app.people.factor(person.id),
            must_enrol,
            last_sign_in,
            session_expires,
        }
    }
}

type Entered = (AppendHeaders<[(header::HeaderName, header::HeaderValue); 1]>, Answer<Me>);

fn entered(app: &App, signed_in: &SignedIn) -> Result<Entered, Problem> {
    let cookie = people::cookie(signed_in, app.config.is_secure())?;
    let must_enrol = app.people.must_enrol(&signed_in.person) && !signed_in.factor_seen;
    let me = Me::of(app, &signed_in.person, must_enrol, signed_in.before, Some(signed_in.expires));
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), Answer(me)))
}

/// From where somebody comes who is not signed in yet; checked that no page of another site sent them.
pub(crate) struct Newcomer {
    address: std::net::IpAddr,
}

impl FromRequestParts<Arc<App>> for Newcomer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let authority = parts.uri.authority().map(|authority| authority.as_str());
        let host = people::host_of(&parts.headers, authority, app);
        people::not_cross_site(&parts.headers, &host)?;
        let connected = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|connected| connected.0);
        let headers: &HeaderMap = &parts.headers;
        Ok(Self { address: people::address(headers, connected, app.config.people.behind_proxy) })
    }
}

/// A name and a password.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignIn {
    /// The name; capital letters do not matter.
    #[schema(max_length = 60)]
    name: String,
    /// The password.
    password: Secret,
}

/// Signs in; the answer sets a session cookie. Where the account has a second factor, the password alone is answered with
/// 202, and `POST /api/sign-in/second` is the second step.
#[utoipa::path(
    post, path = "/api/sign-in", tag = "people", request_body = SignIn,
    responses((status = 200, body = Me), (status = 202, body = SecondStep), Guarded, WithBody),
    security(())
)]
async fn sign_in(
    State(app): State<Arc<App>>,
    from: Newcomer,
    Json(asked): Json<SignIn>,
) -> Result<Response, Problem> {
    app.buckets.take(Kind::SignIn, Who::at(from.address))?;
    if asked.name.len() > 60 {
        let detail = "a name has up to 60 characters";
        return Err(Problem::bad_request("bad-name", detail));
    }
    match app.people.sign_in(&asked.name, &asked.password, from.address).await? {
        Came::In(signed_in) => Ok(entered(&app, &signed_in)?.into_response()),
        Came::Half(half) => Ok((StatusCode::ACCEPTED, Answer(SecondStep::of(&half))).into_response()),
    }
}

/// Signs out; the session is over.
#[utoipa::path(
    post, path = "/api/sign-out", tag = "people",
    responses((status = 204, description = "Signed out"), Guarded),
    security(("session" = []))
)]
async fn sign_out(State(app): State<Arc<App>>, caller: Caller) -> Result<impl IntoResponse, Problem> {
    let session = caller.in_session(&app, "POST /api/sign-out").await?;
    app.people.end_session(session).await?;
    let cookie = people::no_cookie(app.config.is_secure())?;
    // Whoever uses the browser next finds nothing of what was kept in it.
    let clear = (header::HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"storage\""));
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(header::SET_COOKIE, cookie), clear])))
}

/// The first administrator.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FirstRun {
    /// The token of the link that the server printed.
    token: Secret,
    /// The name to sign in with.
    #[schema(max_length = 60)]
    name: String,
    /// The password.
    password: Secret,
}

/// Makes the first administrator with the one-time link that the server printed, and signs them in.
#[utoipa::path(
    post, path = "/api/first-run", tag = "people", request_body = FirstRun,
    responses(
        (status = 200, body = Me), WithBody, (status = 403, body = Problem), (status = 409, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem),
    ),
    security(())
)]
async fn first_run(
    State(app): State<Arc<App>>,
    from: Newcomer,
    Json(asked): Json<FirstRun>,
) -> Result<Entered, Problem> {
    app.buckets.take(Kind::SignIn, Who::at(from.address))?;
    let signed_in = app.people.first_run(&asked.token, asked.name, asked.password, from.address).await?;
    entered(&app, &signed_in)
}

/// A role to try.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DemoSignIn {
    /// The role.
    role: DemoRole,
}

/// Signs in to a demo in some role; there is no such thing elsewhere.
#[utoipa::path(
    post, path = "/api/demo/sign-in", tag = "people", request_body = DemoSignIn,
    responses(
        (status = 200, body = Me), WithBody, (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 429, body = Problem), (status = 503, body = Problem),
    ),
    security(())
)]
async fn demo_sign_in(
    State(app): State<Arc<App>>,
    from: Newcomer,
    Json(asked): Json<DemoSignIn>,
) -> Result<Entered, Problem> {
    let Some(demo) = &app.demo else {
        return Err(Problem::not_found("this server is no demo; sign in with a name and a password"));
    };
    app.buckets.take(Kind::Anonymous, Who::at(from.address))?;
    let signed_in = demo.sign_in(&app, asked.role).await?;
    entered(&app, &signed_in)
}

/// What somebody finds who comes to the door.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Session {
    /// Who is signed in, if anybody is.
    me: Option<Me>,
    /// The roles of a demo, into which everybody may sign in.
    demo: Option<Vec<DemoRole>>,
    /// What the identity provider is called by which staff may sign in, if there is one.
    provider: Option<String>,
    /// There is no administrator yet; the server printed a link that makes one.
    first_run: bool,
    /// What the money of this floor is counted in, once it has a table.
    currency: Option<Currency>,
}

/// Who is signed in, if anybody is, and how one may sign in here.
#[utoipa::path(
    get, path = "/api/session", tag = "people",
    responses((status = 200, body = Session), (status = 403, body = Problem), (status = 429, body = Problem)),
    security((), ("session" = []), ("token" = []))
)]
async fn session(State(app): State<Arc<App>>, caller: MaybeCaller) -> Answer<Session> {
    Answer(Session {
        me: caller.0.map(|caller| me_now(&app, &caller, &caller.person)),
        demo: app.demo.is_some().then(|| DemoRole::ALL.to_vec()),
        provider: app.provider.as_ref().map(|provider| provider.settings().shown_name()),
        first_run: app.demo.is_none() && !app.people.has_admin(),
        currency: app.floor.currency(),
    })
}

/// Who you are and what you may be.
#[utoipa::path(
    get, path = "/api/me", tag = "people",
    responses(
        (status = 200, body = Me), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 429, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn me(State(app): State<Arc<App>>, caller: Caller) -> Answer<Me> {
    Answer(me_now(&app, &caller, &caller.person))
}

fn me_now(app: &App, caller: &Caller, person: &Person) -> Me {
    let (before, expires) = match caller.via {
        Via::Session(session) => (app.people.signed_in_before(session), app.people.session_expires(session)),
        Via::Token(_) => (None, None),
    };
    Me::of(app, person, caller.must_enrol(app), before, expires)
}

/// A new password.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// The one in use.
    current: Secret,
    /// The new one.
    new: Secret,
}

/// Changes your password. All your sessions and API tokens end; the answer sets the cookie of a new session.
#[utoipa::path(
    put, path = "/api/me/password", tag = "people", request_body = NewPassword,
    responses(
        (status = 200, body = Me), Guarded, WithBody, (status = 409, body = Problem),
        (status = 422, body = Problem),
    ),
    security(("session" = []))
)]
async fn own_password(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<NewPassword>,
) -> Result<Entered, Problem> {
    const WHAT: &str = "PUT /api/me/password";
    let session = caller.in_session(&app, WHAT).await?;
    prove(&app, &caller, Some(&asked.current), WHAT).await?;
    let before = app.people.signed_in_before(session);
    let edit = Edit { password: Some(asked.new), ..Edit::default() };
    app.people.edit(caller.author(&app), caller.person.id, edit).await?;
    let signed_in = app.people.renew_session(caller.person.id, before).await?;
    entered(&app, &signed_in)
}

/// That it is really them, once more: by the password or, where the account has none, by having come from the identity
/// provider just now. A failure is recorded.
async fn prove(app: &App, caller: &Caller, password: Option<&Secret>, what: &str) -> Result<(), Problem> {
    let proved = match (password, caller.via) {
        (None, Via::Session(session)) if caller.person.password.is_none() => {
            app.people.came_just_now(session)
        }
        (Some(password), Via::Session(_) | Via::Token(_)) => {
            app.people.check_password(&caller.person, password).await
        }
        (None, Via::Session(_) | Via::Token(_)) => {
            let detail = "this needs your password: send it as `password`";
            Err(Problem::forbidden("password-needed", detail))
        }
    };
    match proved {
        Err(problem) if problem.status == StatusCode::FORBIDDEN.as_u16() => {
            Err(deny(app, caller, what, problem).await)
        }
        other => other,
    }
}

/// A PIN, or none.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPin {
    /// Your password. Without one, leave it out, and do it within five minutes of signing in by the identity provider.
    #[serde(default)]
    password: Option<Secret>,
    /// The PIN, 6 to 12 digits; without one you have none.
    #[serde(default)]
    pin: Option<Secret>,
}

/// Sets the PIN for rulings on the spot, or takes it away.
#[utoipa::path(
    put, path = "/api/me/pin", tag = "people", request_body = NewPin,
    responses(
        (status = 200, body = Me), Guarded, WithBody, (status = 409, body = Problem),
        (status = 422, body = Problem),
    ),
    security(("session" = []))
)]
async fn own_pin(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<NewPin>,
) -> Result<Answer<Me>, Problem> {
    const WHAT: &str = "PUT /api/me/pin";
    caller.in_session(&app, WHAT).await?;
    prove(&app, &caller, asked.password.as_ref(), WHAT).await?;
    let edit = Edit { pin: Some(asked.pin), ..Edit::default() };
    let person = app.people.edit(caller.author(&app), caller.person.id, edit).await?;
    Ok(Answer(me_now(&app, &caller, &person)))
}

/// Your PIN.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unlock {
    /// The PIN.
    pin: Secret,
}

/// Unlocks a console that was left: whoever is signed in there shows by the PIN that they are back.
#[utoipa::path(
    post, path = "/api/me/unlock", tag = "people", request_body = Unlock,
    responses((status = 200, body = Me), Guarded, WithBody, (status = 429, body = Problem)),
    security(("session" = []))
)]
async fn unlock(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<Unlock>,
) -> Result<Answer<Me>, Problem> {
    const WHAT: &str = "POST /api/me/unlock";
    caller.in_session(&app, WHAT).await?;
    let id = caller.person.id;
    match app.people.person_by_pin(id, &id.to_string(), asked.pin.expose()).await {
        Ok(person) => Ok(Answer(me_now(&app, &caller, &person))),
        Err(problem) => Err(deny(&app, &caller, WHAT, problem).await),
    }
}

/// Whether you are on duty.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Duty {
    /// On duty.
    on: bool,
}

/// Goes on duty or off duty. Off duty, no rank counts.
#[utoipa::path(
    put, path = "/api/me/duty", tag = "people", request_body = Duty,
    responses((status = 200, body = Me), Guarded, WithBody),
    security(("session" = []), ("token" = []))
)]
async fn own_duty(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<Duty>,
) -> Result<Answer<Me>, Problem> {
    let edit = Edit { on_duty: Some(asked.on), ..Edit::default() };
    let person = app.people.edit(caller.author(&app), caller.person.id, edit).await?;
    Ok(Answer(me_now(&app, &caller, &person)))
}

/// Somebody with an account.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PersonShown {
    /// The id.
    id: u32,
    /// The name to sign in with.
    name: String,
    /// The name that is shown at tables.
    nickname: String,
    /// What the person may be.
    grants: Vec<Grant>,
    /// May not play.
    excluded: bool,
    /// May not sign in.
    disabled: bool,
    /// Is on duty.
    on_duty: bool,
    /// Has a password.
    has_password: bool,
    /// Has a PIN.
    has_pin: bool,
    /// What the identity provider calls the person, where they may sign in by it.
    provider: Option<String>,
    /// Has a second factor.
    has_factor: bool,
    /// Cannot sign in for the time being, after too many failures.
    locked: bool,
}

impl PersonShown {
    fn of(app: &App, person: &Person) -> Self {
        Self {
            id: person.id,
            name: person.name.clone(),
            nickname: person.nickname.clone(),
            grants: person.grants.clone(),
            excluded: person.excluded,
            disabled: person.disabled,
            on_duty: person.on_duty,
            has_password: person.password.is_some(),
            has_pin: person.pin.is_some(),
            provider: person.provider.clone(),
            has_factor: app.people.factor(person.id).is_some(),
            locked: app.people.is_locked(&person.name),
        }
    }
}

/// Who may look at accounts: administrators at all of them, the cage and floor managers at players.
const MAY_READ: [Right; 3] = [Right::Administer, Right::Cage, Right::OpenTables];

/// Which people.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichPeople {
    /// Those after this id.
    #[serde(default)]
    after: u32,
    /// At most so many.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<usize>,
    /// With this in a name.
    #[param(max_length = 60)]
    find: Option<String>,
}

/// Some of the people, in the order of their ids.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PeopleShown {
    /// They.
    people: Vec<PersonShown>,
    /// Where to go on, if there may be more.
    next: Option<u32>,
}

/// People with accounts. The cage and floor managers see players only.
#[utoipa::path(
    get, path = "/api/people", tag = "people", params(WhichPeople),
    responses(
        (status = 200, body = PeopleShown), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 429, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(which): Query<WhichPeople>,
) -> Result<Answer<PeopleShown>, Problem> {
    caller.may_any(&app, &MAY_READ, "GET /api/people").await?;
    let limit = which.limit.unwrap_or(50);
    if !(1..=200).contains(&limit) {
        return Err(Problem::bad_request("bad-query", "`limit` is 1 to 200"));
    }
    let all = caller.person.has(Right::Administer);
    let find = which.find.unwrap_or_default().to_lowercase();
    let found = app.people.after(which.after, limit, |person| {
        let named =
            person.name.to_lowercase().contains(&find) || person.nickname.to_lowercase().contains(&find);
        named && (all || is_plain_player(person))
    });
    let next = found.last().filter(|_| found.len() == limit).map(|person| person.id);
    let people = found.iter().map(|person| PersonShown::of(&app, person)).collect();
    Ok(Answer(PeopleShown { people, next }))
}

/// A player and nothing else: what the cage may know of and make.
fn is_plain_player(person: &Person) -> bool {
    person.grants == [Grant::Player]
}

/// Somebody new.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPerson {
    /// The name to sign in with.
    #[schema(min_length = 1, max_length = 60, pattern = "^[A-Za-z][A-Za-z0-9._@-]{0,59}$")]
    name: String,
    /// The name that is shown at tables, which is not the one to sign in with; a number if not said.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 60)]
    nickname: Option<String>,
    /// The password; without one the person cannot sign in yet.
    #[serde(default)]
    password: Option<Secret>,
    /// What the person may be.
    #[schema(max_items = 64)]
    grants: Vec<Grant>,
}

/// Makes an account. The cage and floor managers make players only.
#[utoipa::path(
    post, path = "/api/people", tag = "people", request_body = NewPerson,
    responses(
        (status = 201, body = PersonShown), Guarded, WithBody, (status = 409, body = Problem),
        (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(new): Json<NewPerson>,
) -> Result<(StatusCode, Answer<PersonShown>), Problem> {
    const WHAT: &str = "POST /api/people";
    caller.may_any(&app, &MAY_READ, WHAT).await?;
    if new.grants != [Grant::Player] {
        caller.may(&app, Right::Administer, WHAT).await?;
    }
    let NewPerson { name, nickname, password, grants } = new;
    let new = New { name, nickname, password, grants, ..New::default() };
    let person = app.people.create(caller.author(&app), new).await?;
    Ok((StatusCode::CREATED, Answer(PersonShown::of(&app, &person))))
}

/// Somebody with an account. The cage and floor managers see players only.
#[utoipa::path(
    get, path = "/api/people/{person}", tag = "people", params(("person" = u32, Path)),
    responses(
        (status = 200, body = PersonShown), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem), (status = 429, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn about(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
) -> Result<Answer<PersonShown>, Problem> {
    const WHAT: &str = "GET /api/people/{person}";
    caller.may_any(&app, &MAY_READ, WHAT).await?;
    let person = app.people.get(id);
    if !person.as_ref().is_some_and(|person| is_plain_player(person)) {
        // Whoever sees players only does not learn who else there is.
        caller.may(&app, Right::Administer, WHAT).await?;
    }
    let person = person.ok_or_else(|| people::nobody(id))?;
    Ok(Answer(PersonShown::of(&app, &person)))
}

/// What is changed about somebody; anything not set stays.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PersonChange {
    /// The name that is shown at tables.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 60)]
    nickname: Option<String>,
    /// A new password; all sessions and API tokens of the person end.
    #[serde(default)]
    password: Option<Secret>,
    /// A new PIN.
    #[serde(default)]
    pin: Option<Secret>,
    /// What the person may be.
    #[serde(default)]
    #[schema(max_items = 64)]
    grants: Option<Vec<Grant>>,
    /// May not play.
    #[serde(default)]
    excluded: Option<bool>,
    /// May not sign in; all sessions and API tokens of the person end.
    #[serde(default)]
    disabled: Option<bool>,
    /// Is on duty.
    #[serde(default)]
    on_duty: Option<bool>,
    /// Forget the failures to sign in.
    #[serde(default)]
    unlock: bool,
}

/// Changes an account.
#[utoipa::path(
    patch, path = "/api/people/{person}", tag = "people", params(("person" = u32, Path)),
    request_body = PersonChange,
    responses(
        (status = 200, body = PersonShown), Guarded, WithBody, (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem),
    ),
    security(("session" = []), ("token" = []))
)]
async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<u32>,
    Json(asked): Json<PersonChange>,
) -> Result<Answer<PersonShown>, Problem> {
    const WHAT: &str = "PATCH /api/people/{person}";
    caller.may(&app, Right::Administer, WHAT).await?;
    if asked.password.is_some() || asked.pin.is_some() {
        caller.in_session(&app, WHAT).await?;
    }
    let edit = Edit {
        nickname: asked.nickname,
        password: asked.password,
        pin: asked.pin.map(Some),
        grants: asked.grants,
        excluded: asked.excluded,
        disabled: asked.disabled,
        on_duty: asked.on_duty,
        ..Edit::default()
    };
    let person = app.people.edit(caller.author(&app), id, edit).await?;
    if asked.unlock {
        app.people.unlock(&person.name);
    }
    Ok(Answer(PersonShown::of(&app, &person)))
}
