//! Who a request comes from.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts, MatchedPath};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use croupier_journal::{Author, By, Hash, SessionId, Stream, Via as KnownBy};
use croupier_ledger::TableId;
use croupier_table::{Actor, PersonId, Staff};

use super::choice::{As, Sees, choose_actor, choose_audience, disabled};
use super::entrance::SignedIn;
use super::factor::enrol_first;
use super::origin::same_origin;
use super::token::{Presented, TokenFor};
use super::{Person, Right};
use crate::app::App;
use crate::clock;
use crate::limits::{Kind, Who};
use crate::problem::Problem;
use crate::table::{Audience, TableHandle};

/// Somebody who asks for something.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who, as of the request.
    pub person: Arc<Person>,
    /// How they showed it.
    pub via: Via,
}

/// How somebody showed who they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Via {
    /// By the cookie of a session, by its hash.
    Session(Hash),
    /// By an API token.
    Token(u32),
}

/// Somebody, or nobody in particular.
#[derive(Clone, Debug)]
pub struct MaybeCaller(pub Option<Caller>);

/// The dealing device of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceCaller {
    /// Its table.
    pub table: TableId,
    /// Its token.
    pub token: u32,
}

impl Caller {
    /// By which session or token the caller is known, as lines say it.
    #[must_use]
    pub fn known_by(&self, app: &App) -> KnownBy {
        let person = PersonId(self.person.id);
        match self.via {
            Via::Session(hash) => KnownBy::Session { id: SessionId::of(hash), person },
            Via::Token(id) => {
                let made_by = app.people.token(id).map_or(person, |token| PersonId(token.made_by));
                KnownBy::Token { id, person: Some(person), made_by }
            }
        }
    }

    /// Who acts, away from the tables.
    #[must_use]
    pub fn author(&self, app: &App) -> Author {
        Author { by: By::Person(PersonId(self.person.id)), via: Some(self.known_by(app)) }
    }

    /// Whether it is the person who acts, and not a program that somebody else let act for them.
    #[must_use]
    pub fn is_oneself(&self, app: &App) -> bool {
        match self.via {
            Via::Session(_) => true,
            Via::Token(id) => app.people.token(id).is_some_and(|token| token.made_by == self.person.id),
        }
    }

    /// Whether the caller has a right; if not, that is recorded.
    ///
    /// # Errors
    /// 403 `not-allowed`.
    pub async fn may(&self, app: &App, right: Right, what: &str) -> Result<(), Problem> {
        self.may_any(app, &[right], what).await
    }

    /// Whether the caller has one of some rights; if not, that is recorded.
    ///
    /// # Errors
    /// 403 `not-allowed`.
    pub async fn may_any(&self, app: &App, rights: &[Right], what: &str) -> Result<(), Problem> {
        let person = self.now(app);
        if rights.iter().any(|right| person.has(*right)) {
            return Ok(());
        }
        let needs: Vec<_> = rights.iter().map(|right| right.needs().key()).collect();
        let says: Vec<_> = rights.iter().map(|right| right.says()).collect();
        let detail = format!("{} needs the grant {}", says.join(" or "), needs.join(" or "));
        let problem = Problem::forbidden("not-allowed", detail).with("needs", needs);
        Err(deny(app, self, what, problem).await)
    }

    /// That the caller signed in and did not come with a token: what changes how somebody signs in needs that.
    ///
    /// # Errors
    /// 403 `session-needed`.
    pub async fn in_session(&self, app: &App, what: &str) -> Result<Hash, Problem> {
        match self.via {
            Via::Session(session) => Ok(session),
            Via::Token(_) => {
                let detail = "an API token may not do this; sign in with the password";
                Err(deny(app, self, what, Problem::forbidden("session-needed", detail)).await)
            }
        }
    }

    /// The rank at a table, while on duty.
    #[must_use]
    pub fn staff_at(&self, app: &App, table: &TableHandle) -> Option<Staff> {
        let person = self.now(app);
        person.rank_at(table).filter(|_| person.on_duty)
    }

    /// As who the caller acts at a table; a refusal is recorded.
    ///
    /// # Errors
    /// 403 if the caller may not act so: `excluded`, `off-duty`, `not-player`, `not-staff`, `not-surveillance`.
    pub async fn actor_at(
        &self,
        app: &App,
        table: &TableHandle,
        wanted: Option<As>,
    ) -> Result<Actor, Problem> {
        match choose_actor(&self.now(app), table, wanted) {
            Ok(actor) => Ok(actor),
            Err(problem) => Err(self.deny_at(app, table, "act", problem).await),
        }
    }

    /// As who the caller looks at a table; the fullest view that is theirs if nothing is asked for. A refusal is
    /// recorded.
    ///
    /// # Errors
    /// 403 if the caller may not look so, 400 if there is no such audience.
    pub async fn audience_at(
        &self,
        app: &App,
        table: &TableHandle,
        wanted: Option<&str>,
    ) -> Result<Audience, Problem> {
        let wanted = wanted.map(Sees::parse).transpose()?;
        match choose_audience(&self.now(app), table, wanted) {
            Ok(audience) => Ok(audience),
            Err(problem) => Err(self.deny_at(app, table, "view", problem).await),
        }
    }

    /// As who the caller looks at a table as of now; nothing is recorded, since nobody asks anew.
    ///
    /// # Errors
    /// 401 if the session or the token is over, 403 if the caller may not look so any more.
    pub(crate) fn still_sees(
        &self,
        app: &App,
        table: &TableHandle,
        wanted: Option<&str>,
    ) -> Result<Audience, Problem> {
        if !self.is_still_valid(app) {
            return Err(session_expired());
        }
        choose_audience(&self.now(app), table, wanted.map(Sees::parse).transpose()?)
    }

    /// Counts a command against the caller's limit, and as a use of the session.
    ///
    /// # Errors
    /// 401 if the session or the token is over, 429 if there were too many.
    pub fn spend(&self, app: &App) -> Result<(), Problem> {
        let (people, now) = (&app.people.inner, clock::now());
        match self.via {
            Via::Session(hash) if people.sessions.find(hash, now).is_none() => return Err(session_expired()),
            Via::Session(_) if self.must_enrol(app) => return Err(enrol_first()),
            Via::Token(id) if !people.tokens.is_alive(id, now) => return Err(bad_token()),
            Via::Session(_) | Via::Token(_) => {}
        }
        app.buckets.take(Kind::Request, Who::Person(self.person.id))
    }

    /// Whether the session or token still counts and the person may still sign in.
    #[must_use]
    pub fn is_still_valid(&self, app: &App) -> bool {
        let now = clock::now();
        let people = &app.people.inner;
        let counts = match self.via {
            Via::Session(hash) => people.sessions.is_alive(hash, now) && !self.must_enrol(app),
            Via::Token(id) => people.tokens.is_alive(id, now),
        };
        counts && !self.now(app).disabled
    }

    /// Whether a second factor is to be enrolled first; the identity provider may have seen one.
    #[must_use]
    pub fn must_enrol(&self, app: &App) -> bool {
        match self.via {
            Via::Session(hash) => {
                app.people.must_enrol(&self.now(app)) && !app.people.inner.sessions.is_with_factor(hash)
            }
            Via::Token(_) => false,
        }
    }

    /// The person as of now: somebody may be connected for hours.
    pub(crate) fn now(&self, app: &App) -> Arc<Person> {
        app.people.get(self.person.id).unwrap_or_else(|| Arc::clone(&self.person))
    }

    async fn deny_at(&self, app: &App, table: &TableHandle, what: &str, problem: Problem) -> Problem {
        let stream = Some(Stream::Table(table.id));
        app.people.record_denial(self.author(app), what, stream, &problem.code).await;
        problem
    }
}

impl MaybeCaller {
    /// Who a WebSocket counts for: a person, or an address; and whether it is the staff's.
    #[must_use]
    pub fn in_crowd(&self, address: IpAddr) -> (Who, bool) {
        match &self.0 {
            Some(caller) => (Who::Person(caller.person.id), caller.person.is_staff()),
            None => (Who::at(address), false),
        }
    }

    /// The views of a table for those who work there that somebody may open, by the same check as when they are
    /// opened. Nothing is recorded: nobody has asked for one yet.
    #[must_use]
    pub fn works_at(&self, app: &App, table: &TableHandle) -> Vec<Audience> {
        let Some(caller) = &self.0 else { return Vec::new() };
        let person = caller.now(app);
        let all = [Sees::Dealer, Sees::Pit, Sees::Surveillance];
        all.into_iter().filter_map(|sees| choose_audience(&person, table, Some(sees)).ok()).collect()
    }

    /// As who somebody looks at a table.
    ///
    /// # Errors
    /// As [`Caller::audience_at`]; 401 if nobody is signed in and more than the public view is asked for.
    pub async fn audience_at(
        &self,
        app: &App,
        table: &TableHandle,
        wanted: Option<&str>,
    ) -> Result<Audience, Problem> {
        match (&self.0, wanted.map(Sees::parse).transpose()?) {
            (Some(caller), _) => caller.audience_at(app, table, wanted).await,
            (None, None | Some(Sees::Public)) => Ok(Audience::Public),
            (None, Some(Sees::Player | Sees::Dealer | Sees::Pit | Sees::Surveillance)) => {
                Err(Problem::not_signed_in())
            }
        }
    }
}

/// Records a refusal for want of authority, and gives it back.
pub async fn deny(app: &App, caller: &Caller, what: &str, problem: Problem) -> Problem {
    app.people.record_denial(caller.author(app), what, None, &problem.code).await;
    problem
}

fn session_expired() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "session-expired", "the session is over; sign in again")
}

/// What a request carries to show who sends it.
enum Shows {
    Nothing,
    Cookie(Hash),
    Token(Presented),
}

impl Shows {
    fn of(parts: &Parts, secure: bool) -> Result<Self, Problem> {
        if let Some(value) = parts.headers.get(header::AUTHORIZATION) {
            let text = value.to_str().ok().and_then(|value| value.split_once(' '));
            let token = text.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            let token = token.and_then(|(_, token)| Presented::parse(token.trim()));
            return token.map(Self::Token).ok_or_else(bad_token);
        }
        let found = cookie_of(&parts.headers, cookie_name(secure));
        Ok(found.map_or(Self::Nothing, |value| Self::Cookie(Hash::of(value.as_bytes()))))
    }
}

fn bad_token() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "bad-token",
        "the API token is not known, was revoked or has expired; send `Authorization: Bearer crp_…`",
    )
}

/// Who sends a request; nobody if it shows nothing or a session that is over.
async fn identify(parts: &Parts, app: &App) -> Result<Result<Caller, Problem>, Problem> {
    let now = clock::now();
    let people = &app.people.inner;
    let from = Who::at(address(&parts.headers, connected(parts), people.settings.behind_proxy));
    let (id, via) = match Shows::of(parts, app.config.is_secure())? {
        Shows::Nothing => {
            app.buckets.take(Kind::Anonymous, from)?;
            return Ok(Err(Problem::not_signed_in()));
        }
        Shows::Cookie(hash) => match people.sessions.find(hash, now) {
            Some(session) => (session.person, Via::Session(hash)),
            None => {
                app.buckets.take(Kind::Anonymous, from)?;
                return Ok(Err(session_expired()));
            }
        },
        Shows::Token(presented) => match people.tokens.find(&presented, now).map(|token| token.whom) {
            Some(TokenFor::Person { id }) => (id, Via::Token(presented.id)),
            Some(TokenFor::Device { .. }) => {
                let detail =
                    "this token is for a device, which reports cards at its table and does nothing else";
                return Err(Problem::forbidden("device-token", detail));
            }
            None => {
                app.buckets.take(Kind::Anonymous, from)?;
                return Err(bad_token());
            }
        },
    };
    let person = app.people.get(id).ok_or_else(session_expired)?;
    if person.is_staff() {
        app.doors.is_staff_at(address(&parts.headers, connected(parts), people.settings.behind_proxy));
    }
    app.buckets.take(Kind::Request, Who::Person(id))?;
    let caller = Caller { person, via };
    if caller.person.disabled {
        return Err(deny(app, &caller, &template(parts), disabled()).await);
    }
    if matches!(via, Via::Session(_)) && changes_something(parts) {
        let host = host(parts, app);
        if let Err(problem) = same_origin(&parts.headers, &host) {
            return Err(deny(app, &caller, &template(parts), problem).await);
        }
    }
    if caller.must_enrol(app) && !is_for_enrolling(parts) {
        return Ok(Err(enrol_first()));
    }
    Ok(Ok(caller))
}

/// Whether this is for those who must enrol a second factor before they do anything else.
fn is_for_enrolling(parts: &Parts) -> bool {
    let path = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let own = ["/api/session", "/api/me", "/api/me/password", "/api/sign-out"];
    own.contains(&path) || path.starts_with("/api/me/factor")
}

/// Whether a page of another site must not make a browser send this: what changes something, and what opens a
/// WebSocket, whose answers that page could read.
fn changes_something(parts: &Parts) -> bool {
    let reads = matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
    // An HTTP/2 WebSocket is a CONNECT, which is not one of those that only read.
    !reads || parts.headers.contains_key(header::UPGRADE)
}

/// The method and the path with names in the place of values.
fn template(parts: &Parts) -> String {
    let path = parts.extensions.get::<MatchedPath>().map_or("unknown path", MatchedPath::as_str);
    format!("{} {path}", parts.method)
}

/// The host as browsers know it.
fn host(parts: &Parts, app: &App) -> String {
    host_of(&parts.headers, parts.uri.authority().map(|authority| authority.as_str()), app)
}

pub(crate) fn host_of(headers: &HeaderMap, authority: Option<&str>, app: &App) -> String {
    let named = app.config.public_host.as_deref();
    let header = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    named.or(header).or(authority).unwrap_or_default().to_string()
}

fn connected(parts: &Parts) -> Option<SocketAddr> {
    parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|connected| connected.0)
}

/// The address of the client.
pub(crate) fn address(headers: &HeaderMap, connected: Option<SocketAddr>, behind_proxy: bool) -> IpAddr {
    let forwarded = || {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        last.rsplit(',').next()?.trim().parse().ok()
    };
    let proxied = if behind_proxy { forwarded() } else { None };
    // Without a socket, as in tests, everybody comes from nowhere.
    let direct = || connected.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |connected| connected.ip());
    proxied.unwrap_or_else(direct)
}

/// What a request has under the name of a cookie.
pub(crate) fn cookie_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value)
}

/// The name of the cookie that holds a session.
pub(crate) fn cookie_name(secure: bool) -> &'static str {
    // The prefix makes browsers refuse such a cookie from another host or without TLS.
    if secure { "__Host-croupier_session" } else { "croupier_session" }
}

/// The header that gives a browser its session.
pub(crate) fn cookie(signed_in: &SignedIn, secure: bool) -> Result<HeaderValue, Problem> {
    let seconds = signed_in.expires.saturating_sub(clock::now()) / 1_000;
    cookie_line(cookie_name(secure), signed_in.secret.expose(), seconds, secure)
}

/// The header that takes it away.
pub(crate) fn no_cookie(secure: bool) -> Result<HeaderValue, Problem> {
    cookie_line(cookie_name(secure), "", 0, secure)
}

pub(crate) fn cookie_line(
    name: &str,
    value: &str,
    seconds: u64,
    secure: bool,
) -> Result<HeaderValue, Problem> {
    let tail = if secure { "; Secure" } else { "" };
    let line = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{tail}");
    let mut line = HeaderValue::try_from(line).map_err(|error| Problem::internal(&error))?;
    line.set_sensitive(true);
    Ok(line)
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        identify(parts, app).await?
    }
}

impl FromRequestParts<Arc<App>> for MaybeCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        Ok(Self(identify(parts, app).await?.ok()))
    }
}

/// The address that a request comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CameFrom(pub IpAddr);

impl FromRequestParts<Arc<App>> for CameFrom {
    type Rejection = core::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Self::Rejection> {
        Ok(Self(address(&parts.headers, connected(parts), app.config.people.behind_proxy)))
    }
}

impl FromRequestParts<Arc<App>> for DeviceCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let people = &app.people.inner;
        let found = match Shows::of(parts, app.config.is_secure())? {
            Shows::Token(presented) => people.tokens.find(&presented, clock::now()),
            Shows::Cookie(_) | Shows::Nothing => None,
        };
        let Some(token) = found else {
            let from = address(&parts.headers, connected(parts), people.settings.behind_proxy);
            app.buckets.take(Kind::Anonymous, Who::at(from))?;
            return Err(bad_token());
        };
        match token.whom {
            TokenFor::Device { table } => {
                app.buckets.take(Kind::Request, Who::Device(token.id))?;
                Ok(Self { table, token: token.id })
            }
            TokenFor::Person { id } => {
                app.buckets.take(Kind::Request, Who::Person(id))?;
                let detail = "only the token of a device reports cards here";
                let problem = Problem::forbidden("not-device", detail);
                let by = By::Person(PersonId(id));
                app.people.record_denial(by, &template(parts), None, &problem.code).await;
                Err(problem)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_for_this_host_and_for_the_server_only() {
        let line = |secure| cookie_line(cookie_name(secure), "abc", 43_200, secure).unwrap();
        assert_eq!(line(false), "croupier_session=abc; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict");
        assert_eq!(
            line(true),
            "__Host-croupier_session=abc; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"
        );
        assert!(!format!("{:?}", line(true)).contains("abc"));
    }

    #[test]
    fn a_forwarded_address_counts_only_behind_a_proxy() {
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", HeaderValue::from_static("1.1.1.1"));
        headers.append("x-forwarded-for", HeaderValue::from_static("6.6.6.6, 10.1.2.3"));
        let connected = Some(SocketAddr::from(([127, 0, 0, 1], 999)));
        assert_eq!(address(&headers, connected, false), IpAddr::from([127, 0, 0, 1]));
        assert_eq!(address(&headers, connected, true), IpAddr::from([10, 1, 2, 3]));
        assert_eq!(address(&HeaderMap::new(), connected, true), IpAddr::from([127, 0, 0, 1]));
        assert_eq!(address(&headers, None, false), IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    }
}
