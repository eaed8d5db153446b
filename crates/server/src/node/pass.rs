//! Requests that are passed to the node that leads.
//!
//! A follower answers what only reads. Everything else goes to the leader as it came, with the address of the client and
//! a proof that a node of this floor passes it on; the leader serves it as if it had come to it. The answer names the last
//! commit, and is given once this node has followed that far.
//!
//! What never reached a leader is passed to the next one. What did, and was not answered, nobody knows the fate of: the
//! client is told so, unless it is a command with an id, which is passed on again and carried out once.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use croupier_journal::Hash;
use croupier_journal::nodes::{Holder, Mark};
use data_encoding::HEXLOWER;
use ring::hmac;
use tokio::time::Instant;

use super::{Node, Role, Standing};
use crate::app::App;
use crate::people::{address, cookie_name, cookie_of};
use crate::problem::Problem;
use crate::table::Receipt;

/// What a node does: in every answer.
pub(crate) const ROLE: HeaderName = HeaderName::from_static("croupier-role");
/// The last commit that an answer rests on; in a request, the one that the answer must rest on.
pub(crate) const COMMIT: HeaderName = HeaderName::from_static("croupier-commit");
/// Which node passes a request on.
const NODE: HeaderName = HeaderName::from_static("croupier-node");
/// For whom.
const CLIENT: HeaderName = HeaderName::from_static("croupier-node-client");
/// That it is one.
const PROOF: HeaderName = HeaderName::from_static("croupier-node-proof");
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The most bytes of a body that is passed on.
const LONGEST: usize = 4 << 20;
/// The longest answer.
const LONGEST_ANSWER: u64 = 64 << 20;
/// How long a leader is waited for.
const PATIENCE: Duration = Duration::from_secs(15);
/// Before a leader is asked again that did not take a request.
const PAUSE: Duration = Duration::from_millis(25);
/// How long a request may take in all.
const CALL: Duration = Duration::from_secs(35);
const CONNECT: Duration = Duration::from_secs(1);
/// A server closes connections on which nothing comes for longer.
const IDLE: Duration = Duration::from_secs(5);

/// What passes requests on.
pub(super) fn agent(config: ureq::config::ConfigBuilder<ureq::typestate::AgentScope>) -> ureq::Agent {
    config
        .timeout_global(Some(CALL))
        .timeout_connect(Some(CONNECT))
        .max_idle_connections(super::AT_ONCE)
        .max_idle_connections_per_host(super::AT_ONCE)
        .max_idle_age(IDLE)
        .user_agent("")
        .accept("")
        .accept_encoding("")
        .build()
        .new_agent()
}

/// A request that is passed on.
#[derive(Clone, Debug)]
pub(crate) struct Passed {
    pub(crate) method: Method,
    /// The path, with what comes after `?`.
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// The address of the client.
    pub(crate) from: IpAddr,
    /// It may be passed on again, since it has an id and is carried out once.
    pub(crate) has_id: bool,
}

/// What the leader answered.
pub(crate) struct Answered {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answered {
    /// What became of a command.
    ///
    /// # Errors
    /// Why it was not carried out, as the leader says.
    pub(crate) fn receipt(&self) -> Result<Receipt, Problem> {
        let read = |error: serde_json::Error| Problem::internal(&error);
        match self.status.is_success() {
            true => serde_json::from_slice(&self.body).map_err(read),
            false => Err(serde_json::from_slice(&self.body).unwrap_or_else(read)),
        }
    }

    fn into_response(self) -> Response {
        let mut response = (self.status, Body::from(self.body)).into_response();
        *response.headers_mut() = self.headers;
        response
    }
}

/// Why there is no answer.
enum NotAnswered {
    /// It did not get there.
    NotSent,
    /// It may have.
    Unknown,
}

/// Serves a request: here, or by the node that leads.
pub(crate) async fn serve(app: &Arc<App>, request: Request, next: Next) -> Response {
    let Some(node) = &app.node else { return next.run(request).await };
    let is_passed = request.headers().contains_key(&PROOF);
    let mut response = match is_passed {
        true => serve_passed(app, node, request, next).await,
        false => serve_own(app, node, request, next).await,
    };
    let headers = response.headers_mut();
    headers.insert(ROLE, HeaderValue::from_static(node.standing.borrow().role.key()));
    if !headers.contains_key(&COMMIT)
        && let Ok(mark) = HeaderValue::try_from(app.floor.shared.books.marks().borrow().to_string())
    {
        headers.insert(COMMIT, mark);
    }
    response
}

/// What another node passes on is served here, or not at all: it is not passed on a second time.
async fn serve_passed(app: &Arc<App>, node: &Arc<Node>, request: Request, next: Next) -> Response {
    let request = match node.admit(request).await {
        Ok(request) => request,
        Err(problem) => return problem.into_response(),
    };
    match node.leads() && !app.is_stopping() {
        true => next.run(request).await,
        false => Problem::no_leader().into_response(),
    }
}

async fn serve_own(app: &Arc<App>, node: &Arc<Node>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    // The health of a node and its user interface are its own.
    if !path.starts_with("/api/") || path.starts_with("/api/docs") || path == "/api/openapi.json" {
        return next.run(request).await;
    }
    let asked = request.headers().get(&COMMIT).and_then(|mark| mark.to_str().ok()?.parse::<Mark>().ok());
    if let Some(mark) = asked {
        app.has_followed(mark).await;
    }
    if node.leads() && !app.is_stopping() {
        return next.run(request).await;
    }
    let from = sender(app, &request);
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if reads && !app.is_stopping() {
        return read(app, node, from, request, next).await;
    }
    let (parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, LONGEST).await else {
        let detail = format!("a body has at most {LONGEST} bytes here");
        return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail).into_response();
    };
    match node.pass(app, passed(&parts, body, from)).await {
        Ok(answered) => answered.into_response(),
        Err(problem) => problem.into_response(),
    }
}

/// What only reads is answered here, but for what only the leader has, and for what it puts on record.
async fn read(app: &Arc<App>, node: &Arc<Node>, from: IpAddr, request: Request, next: Next) -> Response {
    // A WebSocket stays here, and its commands are passed on one by one.
    if request.headers().contains_key(header::UPGRADE) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let session = cookie_of(&parts.headers, cookie_name(app.config.is_secure()))
        .map(|cookie| Hash::of(cookie.as_bytes()));
    let is_leaders = is_of_the_leader(parts.uri.path())
        || session.is_some_and(|session| app.people.is_use_to_be_told(session));
    let passed = passed(&parts, Bytes::new(), from);
    let has_leader = || node.standing.borrow().leader.is_some();
    if is_leaders
        && has_leader()
        && let Ok(answered) = node.pass(app, passed.clone()).await
    {
        return answered.into_response();
    }
    let response = next.run(Request::from_parts(parts, body)).await;
    // Who is refused for want of authority is refused by the leader, which puts it on record; and who is not known here
    // may have signed in a moment ago, by another node.
    let is_refused = [StatusCode::FORBIDDEN, StatusCode::UNAUTHORIZED].contains(&response.status());
    if is_refused
        && !is_leaders
        && has_leader()
        && (session.is_some() || passed.headers.contains_key(header::AUTHORIZATION))
        && let Ok(answered) = node.pass(app, passed).await
    {
        return answered.into_response();
    }
    response
}

/// Whether only the leader can answer: it has the order of a shoe in play, of which it proves the cards that are out.
fn is_of_the_leader(path: &str) -> bool {
    path.contains("/shoes/")
}

/// The address of the client of a request.
fn sender(app: &App, request: &Request) -> IpAddr {
    let connected = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|connected| connected.0);
    address(request.headers(), connected, app.config.people.behind_proxy)
}

fn passed(parts: &Parts, body: Bytes, from: IpAddr) -> Passed {
    let path = parts.uri.path_and_query().map_or_else(|| parts.uri.path().to_string(), ToString::to_string);
    let has_id = parts.method == Method::GET
        || parts.method == Method::POST
            && parts.uri.path().ends_with("/commands")
            && path.contains("/tables/");
    let mut headers = parts.headers.clone();
    // HTTP/2 has it in the address.
    if !headers.contains_key(header::HOST)
        && let Some(host) = parts.uri.authority().and_then(|host| HeaderValue::try_from(host.as_str()).ok())
    {
        headers.insert(header::HOST, host);
    }
    Passed { method: parts.method.clone(), path, headers, body, from, has_id }
}

/// Headers of a connection, not of what goes over it.
fn is_of_the_connection(name: &HeaderName) -> bool {
    [
        header::CONNECTION,
        header::CONTENT_LENGTH,
        header::TRANSFER_ENCODING,
        header::UPGRADE,
        header::TE,
        header::TRAILER,
        header::EXPECT,
        header::DATE,
        HeaderName::from_static("keep-alive"),
        HeaderName::from_static("proxy-connection"),
        FORWARDED,
        COMMIT,
        NODE,
        CLIENT,
        PROOF,
    ]
    .contains(name)
}

impl Node {
    /// That a request is passed on by a node of this floor, over what it says.
    fn proof(&self, node: &str, method: &Method, path: &str, client: &str, body: &[u8]) -> String {
        let text = format!("{node}\n{method}\n{path}\n{client}\n{}", Hash::of(body));
        HEXLOWER.encode(hmac::sign(&self.secret, text.as_bytes()).as_ref())
    }

    /// The request of a client as another node passes it on.
    async fn admit(&self, request: Request) -> Result<Request, Problem> {
        let (mut parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, LONGEST).await;
        let body = body.map_err(|error| Problem::bad_request("bad-body", error.to_string()))?;
        let refused = || Problem::forbidden("not-a-node", "this does not come from a node of this floor");
        let said = |name: &HeaderName| {
            parts
                .headers
                .get(name)
                .and_then(|value| value.to_str().ok())
                .map(str::to_string)
                .ok_or_else(refused)
        };
        let (node, client, proof) = (said(&NODE)?, said(&CLIENT)?, said(&PROOF)?);
        let path = parts.uri.path_and_query().map_or_else(String::new, ToString::to_string);
        let text = format!("{node}\n{}\n{path}\n{client}\n{}", parts.method, Hash::of(&body));
        let shown = HEXLOWER.decode(proof.as_bytes()).map_err(|_| refused())?;
        if hmac::verify(&self.secret, text.as_bytes(), &shown).is_err() {
            tracing::warn!(
                node,
                "a request came as if from another node, and was not signed with the secret of this floor"
            );
            return Err(refused());
        }
        let from: IpAddr = client.parse().map_err(|_| refused())?;
        for name in [NODE, CLIENT, PROOF, FORWARDED] {
            parts.headers.remove(name);
        }
        if let Ok(value) = HeaderValue::try_from(from.to_string()) {
            parts.headers.insert(FORWARDED, value);
        }
        parts.extensions.insert(ConnectInfo(SocketAddr::new(from, 0)));
        Ok(Request::from_parts(parts, Body::from(body)))
    }

    /// Passes a request to the node that leads, as soon as there is one; the answer, once this node has followed what it
    /// rests on.
    ///
    /// # Errors
    /// 503 if there is no leader, or nobody knows whether the request was carried out.
    pub(crate) async fn pass(self: &Arc<Self>, app: &App, passed: Passed) -> Result<Answered, Problem> {
        let until = Instant::now() + PATIENCE;
        let mut standing = self.standing.subscribe();
        // It has reached a leader that did not answer.
        let mut was_sent = false;
        let nobody = |was_sent: bool| if was_sent { Problem::fate_unknown() } else { Problem::no_leader() };
        loop {
            let Some(leader) = self.leader(&mut standing, until).await else { return Err(nobody(was_sent)) };
            let is_leader = |now: &Standing| now.leader.as_ref() == Some(&leader);
            let asked = self.ask(&leader, passed.clone());
            let answered = tokio::select! {
                answered = asked => answered,
                // Whoever led may stand still for ever.
                _ = standing.wait_for(|now| !is_leader(now)) => Err(NotAnswered::Unknown),
            };
            match answered {
                Ok(answered) if !has_refused_to_lead(&answered) => {
                    // A node that stops does not follow any more, and its clients go to another.
                    if !app.is_stopping()
                        && let Some(mark) =
                            answered.headers.get(&COMMIT).and_then(|mark| mark.to_str().ok()?.parse().ok())
                    {
                        app.has_followed(mark).await;
                    }
                    return Ok(answered);
                }
                Err(NotAnswered::Unknown) if !passed.has_id => return Err(Problem::fate_unknown()),
                Err(NotAnswered::Unknown) => was_sent = true,
                Ok(_) | Err(NotAnswered::NotSent) => {}
            }
            if Instant::now() >= until {
                return Err(nobody(was_sent));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The node that leads, which may be this one by now.
    async fn leader(
        &self,
        standing: &mut tokio::sync::watch::Receiver<Standing>,
        until: Instant,
    ) -> Option<Holder> {
        let known = standing.wait_for(|now| now.leader.is_some());
        tokio::time::timeout_at(until, known).await.ok()?.ok()?.leader.clone()
    }

    async fn ask(self: &Arc<Self>, leader: &Holder, passed: Passed) -> Result<Answered, NotAnswered> {
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| NotAnswered::NotSent)?;
        let (node, address) = (Arc::clone(self), leader.address.clone());
        let asked = tokio::task::spawn_blocking(move || {
            let answered = node.ask_here(&address, &passed);
            drop(place);
            answered
        });
        asked.await.unwrap_or(Err(NotAnswered::Unknown))
    }

    fn ask_here(&self, address: &str, passed: &Passed) -> Result<Answered, NotAnswered> {
        let Passed { method, path, headers, body, from, .. } = passed;
        let url = format!("{}{path}", address.trim_end_matches('/'));
        let (name, client) = (&self.settings.name, from.to_string());
        let mut request = ureq::http::Request::builder().method(method.clone()).uri(url);
        for (header, value) in headers.iter().filter(|(header, _)| !is_of_the_connection(header)) {
            request = request.header(header, value);
        }
        request = request
            .header(NODE, name)
            .header(CLIENT, &client)
            .header(PROOF, self.proof(name, method, path, &client, body));
        let has_body = [Method::POST, Method::PUT, Method::PATCH].contains(method);
        let not_sent = |_: ureq::http::Error| NotAnswered::NotSent;
        let answered = match has_body {
            true => self.agent.run(request.body(body.to_vec()).map_err(not_sent)?),
            false => self.agent.run(request.body(()).map_err(not_sent)?),
        };
        let mut answered = answered.map_err(|error| not_answered(&error))?;
        let read = answered.body_mut().with_config().limit(LONGEST_ANSWER).read_to_vec();
        let body = read.map_err(|_| NotAnswered::Unknown)?;
        let headers =
            answered.headers().iter().filter(|(name, _)| !is_of_the_connection(name) || *name == COMMIT);
        let headers = headers.map(|(name, value)| (name.clone(), value.clone())).collect();
        Ok(Answered { status: answered.status(), headers, body: body.into() })
    }
}

/// Whether the node that was asked does not lead any more, or not yet, and has done nothing.
fn has_refused_to_lead(answered: &Answered) -> bool {
    answered.status == StatusCode::SERVICE_UNAVAILABLE
        && answered.headers.get(&ROLE).is_some_and(|role| role != Role::Leader.key())
}

fn not_answered(error: &ureq::Error) -> NotAnswered {
    match error {
        ureq::Error::ConnectionFailed
        | ureq::Error::HostNotFound
        | ureq::Error::BadUri(_)
        | ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => NotAnswered::NotSent,
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
            NotAnswered::NotSent
        }
        _ => NotAnswered::Unknown,
    }
}

/// What of a WebSocket's request shows who sends the commands that come over it.
pub(crate) fn shown_by(headers: &HeaderMap) -> HeaderMap {
    let names = [header::HOST, header::COOKIE, header::AUTHORIZATION, header::ORIGIN, header::USER_AGENT];
    let mut shown = HeaderMap::new();
    for name in names {
        for value in headers.get_all(&name) {
            shown.append(&name, value.clone());
        }
    }
    shown.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    shown
}
