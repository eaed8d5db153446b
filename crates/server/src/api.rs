//! The HTTP interface: every route, its document, and what is the same for all of them.

mod asked;
mod audit;
pub(crate) mod body;
mod cage;
mod days;
mod disputes;
mod document;
pub(crate) mod health;
pub(crate) mod history;
pub mod nodes;
pub(crate) mod people;
mod pit;
mod refusals;
mod rulebooks;
mod settings;
pub(crate) mod shapes;
pub mod tables;
mod templates;
mod trays;
pub mod version;
mod watch;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use axum::{Json, Router};
use tracing::Instrument as _;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_swagger_ui::SwaggerUi;

use crate::app::App;
use crate::limits::Taken;
use crate::problem::Problem;
use crate::request::{self, RequestId};
use crate::{device, live, node};

/// The most bytes of a body, unless a route says otherwise.
const BODY: usize = 64 * 1_024;
/// A request that takes longer is given up, and so is waiting for the answer to a command.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Croupier",
        description = "Casino table games run from their rulebooks: tables, rulings, disputes, the cage and the audit.\n\n\
            Whatever is refused is answered with a problem document (RFC 9457) that names the clauses it rests on. \
            Commands carry an id made by the client: the same id is carried out once and answered the same."
    ),
    tags(
        (name = "tables", description = "Tables: what is shown, and what is asked of them"),
        (name = "pit", description = "The pit: figures of the day, counts and slips, tables that are opened again"),
        (name = "history", description = "Finished rounds, roads and shoes"),
        (name = "rulebooks", description = "Rulebooks, odds and side bets"),
        (name = "people", description = "Signing in, staff, players and tokens"),
        (name = "cage", description = "Money that comes to the floor or leaves it"),
        (name = "cases", description = "Disputes"),
        (name = "audit", description = "The journal, checkpoints and denials"),
        (name = "days", description = "Gaming days"),
        (name = "watch", description = "Surveillance: exceptions, replay of rounds, ratings, alarms, bookmarks"),
        (name = "devices", description = "Electronic shoes"),
        (name = "operations", description = "Health and figures"),
    )
)]
struct Document;

/// All routes with their document.
fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(tables::routes())
        .merge(live::routes())
        .merge(history::routes())
        .merge(rulebooks::routes())
        .merge(people::routes())
        .merge(trays::routes())
        .merge(pit::routes())
        .merge(templates::routes())
        .merge(cage::routes())
        .merge(disputes::routes())
        .merge(audit::routes())
        .merge(days::routes())
        .merge(watch::routes())
        .merge(device::api::routes())
        .merge(health::routes())
        .merge(nodes::routes())
}

/// The document of the interface, OpenAPI 3.1, as a server with TLS has it.
#[must_use]
pub fn document() -> utoipa::openapi::OpenApi {
    document::finished(routes().into_openapi(), true)
}

pub(crate) fn router(app: Arc<App>, front: Router) -> Router {
    let (routes, document) = routes().split_for_parts();
    let document = document::finished(document, app.config.is_secure());
    Router::new()
        .merge(routes)
        .merge(SwaggerUi::new("/api/docs").url("/api/openapi.json", document))
        .route("/api/{*path}", any(no_route))
        .fallback_service(front)
        .method_not_allowed_fallback(no_method)
        .layer(DefaultBodyLimit::max(BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), observe))
        .with_state(app)
}

/// What nobody is let in for, whatever they ask.
fn refused_at_once(app: &App, request: &Request) -> Option<Problem> {
    // Of several nodes another serves it.
    if app.is_stopping() && app.node.is_none() && request.uri().path() != "/healthz" {
        return Some(Problem::unavailable("stopping", "the server is stopping; try again in a moment"));
    }
    // A page of another site can have its name point to this machine. The demo asks nobody for a password, so it
    // answers only to names that are this machine's own.
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let host = host.or_else(|| request.uri().authority().map(|authority| authority.as_str()));
    if app.demo.is_some() && !host.is_some_and(crate::people::is_loopback_name) {
        let detail = "the demo answers on this machine only: open it as localhost or 127.0.0.1";
        return Some(Problem::new(StatusCode::MISDIRECTED_REQUEST, "loopback-only", detail));
    }
    version::refused(request.headers()).filter(|_| request.uri().path().starts_with("/api/"))
}

async fn no_route(uri: Uri) -> Problem {
    Problem::not_found(format!("there is nothing at {}; /api/docs lists what there is", uri.path()))
}

async fn no_method(method: Method, uri: Uri) -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method",
        format!("{method} is not for {}; /api/docs lists what is", uri.path()),
    )
}

/// Nobody waits any longer. What only reads has done nothing; of the rest nobody knows yet.
fn gave_up(method: &Method) -> Problem {
    match *method {
        Method::GET | Method::HEAD | Method::OPTIONS => {
            Problem::unavailable("too-slow", "this took too long; try again in a moment")
        }
        _ => Problem::fate_unknown(),
    }
}

/// A method as a figure has it. Anybody can make methods up, and each would be a figure of its own for ever.
fn label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::CONNECT => "CONNECT",
        _ => "other",
    }
}

/// What every request gets: a place in the log and the figures, and headers that keep browsers careful.
async fn observe(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = RequestId::of(request.headers(), app.config.people.behind_proxy);
    let span = tracing::info_span!("request", %id);
    let mut response = id.clone().scope(answer(&app, request, next, start)).instrument(span).await;
    if let Ok(id) = HeaderValue::try_from(id.to_string()) {
        response.headers_mut().insert(request::HEADER, id);
    }
    response
}

async fn answer(app: &Arc<App>, request: Request, next: Next, start: Instant) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_string());
    // Addresses can be made up as well; routes are those of the document.
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_string();
    let (is_docs, is_api) = (path.starts_with("/api/docs"), path.starts_with("/api/"));
    let work = async {
        match refused_at_once(app, &request) {
            Some(problem) => problem.into_response(),
            None => match tokio::time::timeout(PATIENCE, node::serve(app, request, next)).await {
                Ok(response) => response,
                Err(_) => gave_up(&method).into_response(),
            },
        }
    };
    let (mut response, taken) = Taken::by(work).await;
    let status = response.status().as_u16();
    let took = start.elapsed();
    let (verb, status_label) = (label(&method), status.to_string());
    metrics::histogram!("croupier_http_seconds", "method" => verb, "route" => route.clone())
        .record(took.as_secs_f64());
    metrics::counter!("croupier_http_requests_total", "method" => verb, "route" => route, "status" => status_label)
        .increment(1);
    tracing::debug!(%method, path, status, milliseconds = took.as_millis(), "request");
    let headers = response.headers_mut();
    if is_api {
        headers.insert(version::HEADER, version::told());
        taken.put_into(headers);
    }
    let content = match is_docs {
        true => {
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; \
             base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        }
        false => {
            "default-src 'self'; connect-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
             form-action 'self'; frame-ancestors 'none'"
        }
    };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, content),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if app.config.tls.is_some() || app.config.people.behind_proxy {
        let value = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    response
}

/// An answer of JSON with its status.
pub(crate) fn created<T: serde::Serialize>(body: T) -> (StatusCode, Json<T>) {
    (StatusCode::CREATED, Json(body))
}
