//! Whether the server is well, for whoever watches it.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use croupier_journal::Hash;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::Json;
use crate::app::App;
use crate::away;
use crate::node::Role;
use crate::problem::Problem;
use crate::table::TableHandle;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(health)).routes(routes!(ready)).routes(routes!(figures))
}

/// How the server is.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// The version.
    version: &'static str,
    /// Tables that run.
    tables: usize,
    /// The position of the last line that is durable.
    position: u64,
    /// Checkpoints that a witness does not have yet; none if there is no witness.
    #[serde(skip_serializing_if = "Option::is_none")]
    witness_behind: Option<u64>,
    /// What this node does, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
    /// The node that leads, as far as this one knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    leader: Option<String>,
}

/// The process runs.
#[utoipa::path(get, path = "/healthz", tag = "operations", responses((status = 200, body = Health)))]
pub(crate) async fn health(State(app): State<Arc<App>>) -> Json<Health> {
    let standing = app.node.as_ref().map(|node| node.standing());
    Json(Health {
        role: standing.as_ref().map(|standing| standing.role),
        leader: standing.and_then(|standing| standing.leader).map(|leader| leader.name),
        version: env!("CARGO_PKG_VERSION"),
        tables: app.floor.tables().len(),
        position: app.floor.shared.books.position(),
        witness_behind: app.witnesses.behind(),
    })
}

/// Requests are welcome: the journal can be written.
#[utoipa::path(
    get, path = "/readyz", tag = "operations",
    responses((status = 200, body = Health), (status = 503, body = Problem))
)]
pub(crate) async fn ready(State(app): State<Arc<App>>) -> Result<Json<Health>, Problem> {
    if let Some(error) = app.floor.shared.till.failure() {
        // Whoever asks is not signed in: the particulars of the database are not theirs.
        tracing::error!(%error, "the journal cannot be written");
        return Err(Problem::unavailable("journal", "the journal cannot be written; the log says why"));
    }
    if let Some(standing) = app.node.as_ref().map(|node| node.standing()) {
        if standing.role == Role::Leaving || app.is_stopping() {
            return Err(Problem::unavailable("stopping", "this node is stopping; another serves"));
        }
        if !standing.connected {
            return Err(Problem::unavailable(
                "not-following",
                "this node does not hear of commits; the log says why",
            ));
        }
        if standing.leader.is_none() {
            return Err(Problem::no_leader());
        }
    }
    if let Some(detail) = app.floor.shared.till.waiting().as_ref().and_then(away::why_not_ready) {
        return Err(Problem::unavailable("journal-waits", detail));
    }
    Ok(health(State(app)).await)
}

/// The metrics, in the text form of Prometheus, for who shows the token that the operator set for them.
#[utoipa::path(
    get, path = "/metrics", tag = "operations",
    responses(
        (status = 200, body = String, content_type = "text/plain"),
        (status = 401, body = Problem), (status = 404, body = Problem),
    )
)]
pub(crate) async fn figures(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Problem> {
    let Some(token) = &app.config.metrics.token else {
        let detail = "there are no metrics here; set metrics.listen or metrics.token";
        return Err(Problem::not_found(detail));
    };
    let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let shown = shown.and_then(|value| value.split_once(' ')).map_or("", |(_, token)| token.trim());
    // By their hashes, so that the time it takes tells nothing of how much was right.
    if Hash::of(shown.as_bytes()) != Hash::of(token.expose().as_bytes()) {
        let detail = "the metrics need their token, as `Authorization: Bearer …`";
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "bad-token", detail));
    }
    rendered(&app)
}

/// The metrics alone, for a listener of their own.
pub(crate) fn metrics_alone(app: Arc<App>) -> Router {
    let metrics = async |State(app): State<Arc<App>>| rendered(&app);
    Router::new().route("/metrics", get(metrics)).with_state(app)
}

fn rendered(app: &App) -> Result<impl IntoResponse + use<>, Problem> {
    let figures = app.metrics.as_ref().ok_or_else(|| Problem::not_found("no figures are gathered here"))?;
    look_around(app);
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], figures.render()))
}

/// What is read when somebody asks, and not counted as it happens.
fn look_around(app: &App) {
    let (floor, shared) = (&app.floor, &app.floor.shared);
    let tables = floor.tables();
    let inboxes = || tables.iter().map(TableHandle::waiting);
    let count = |count: usize| precise(count as u64);
    metrics::gauge!("croupier_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    metrics::gauge!("croupier_journal_position").set(precise(shared.books.position()));
    metrics::gauge!("croupier_tables").set(count(tables.len()));
    metrics::gauge!("croupier_inbox_commands").set(count(inboxes().sum()));
    metrics::gauge!("croupier_inbox_commands_most").set(count(inboxes().max().unwrap_or(0)));
    metrics::gauge!("croupier_writer_queue").set(count(shared.till.queued()));
    let waits = shared.till.waiting().map_or(0.0, |waiting| waiting.time.as_secs_f64());
    metrics::gauge!("croupier_writer_waits_seconds").set(waits);
    metrics::gauge!("croupier_checkpoint_age_seconds").set(floor.checkpoint_age().as_secs_f64());
    if let Some(bytes) = shared.readers.wal_bytes() {
        metrics::gauge!("croupier_sqlite_wal_bytes").set(precise(bytes));
    }
}

/// A count as a figure, which is a float there.
#[expect(clippy::cast_precision_loss, reason = "figures on a dashboard are floats")]
const fn precise(count: u64) -> f64 {
    count as f64
}
