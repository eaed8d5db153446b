//! The address that an electronic shoe reports to.

use std::sync::Arc;

use axum::extract::State;
use croupier_journal::Via;
use croupier_ledger::TableId;
use croupier_table::PersonId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Report, Taken};
use crate::api::body::{Json, Path};
use crate::app::App;
use crate::people::DeviceCaller;
use crate::problem::Problem;

/// What devices may ask for.
pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(report))
}

/// Takes a report of an electronic shoe.
///
/// Reports are numbered from 1; the number of the next one is in every answer. Send one at a time and wait for the
/// answer. A report that was taken may be sent again and is answered as before. What the table refuses does not use
/// its number up.
#[utoipa::path(
    post,
    path = "/api/tables/{id}/device",
    tag = "devices",
    params(("id" = u32, Path, description = "The table")),
    request_body = Report,
    responses(
        (status = 200, description = "Taken, and durable", body = Taken),
        (status = 400, description = "The request is not what it should be", body = Problem, content_type = "application/problem+json"),
        (status = 401, description = "No token of a device", body = Problem, content_type = "application/problem+json"),
        (status = 403, description = "The token is for another table", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such table", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "Reports are missing, or the number was used for another one", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "The body is too large", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "The body is not JSON", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The table refuses it", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too much was asked for", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Not now", body = Problem, content_type = "application/problem+json"),
    ),
    security(("token" = []))
)]
async fn report(
    State(app): State<Arc<App>>,
    device: DeviceCaller,
    Path(id): Path<u32>,
    Json(report): Json<Report>,
) -> Result<Json<Taken>, Problem> {
    let id = TableId(id);
    if device.table != id {
        let detail = format!("this token is for the device of table {}", device.table);
        return Err(Problem::forbidden("other-table", detail));
    }
    let made_by = app.people.token(device.token).map_or(0, |token| token.made_by);
    let via = Via::Token { id: device.token, person: None, made_by: PersonId(made_by) };
    let taken = app.devices.report_by(&app.floor, id, &report, Some(via)).await;
    taken.map(Json).map_err(|not_taken| {
        let table = app.floor.table(id);
        not_taken.problem(table.as_ref().map(|table| &*table.setup.rulebook))
    })
}
