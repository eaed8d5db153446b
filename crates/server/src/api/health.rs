//! Whether the server is well, for whoever watches it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::body::Json;
use crate::app::App;
use crate::problem::Problem;

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
    /// The last line of the journal that was handed over.
    position: u64,
}

/// The process runs.
#[utoipa::path(get, path = "/healthz", tag = "operations", responses((status = 200, body = Health)))]
pub(crate) async fn health(State(app): State<Arc<App>>) -> Json<Health> {
    Json(Health {
        version: env!("CARGO_PKG_VERSION"),
        tables: app.floor.tables().len(),
        position: app.floor.shared.till.hold().bank.position,
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
    Ok(health(State(app)).await)
}

/// The figures, in the text form of Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "operations",
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = Problem))
)]
pub(crate) async fn figures(State(app): State<Arc<App>>) -> Result<impl IntoResponse, Problem> {
    let figures = app.metrics.as_ref().ok_or_else(|| Problem::not_found("no figures are gathered here"))?;
    metrics::gauge!("croupier_journal_position").set(precise(app.floor.shared.till.hold().bank.position));
    metrics::gauge!("croupier_tables").set(precise(app.floor.tables().len() as u64));
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], figures.render()))
}

/// A count as a figure, which is a float there.
#[expect(clippy::cast_precision_loss, reason = "figures on a dashboard are floats")]
const fn precise(count: u64) -> f64 {
    count as f64
}
