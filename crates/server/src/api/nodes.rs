//! The nodes of a floor: who leads, and who follows how far behind.

use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use croupier_journal::nodes::{Nodes, Overview};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::refusals::Guarded;
use crate::app::App;
use crate::people::{Caller, Right};
use crate::problem::Problem;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(nodes))
}

/// The nodes of a floor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct NodeList {
    /// The node that leads; nothing while none does, or where there is one server alone.
    pub leader: Option<String>,
    /// The epoch under which lines are written; each take-over has its own.
    pub epoch: u64,
    /// The position of the last line.
    pub position: u64,
    /// The nodes, by name; none where there is one server alone.
    pub nodes: Vec<NodeTold>,
}

/// A node, as it said of itself last.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct NodeTold {
    /// Its name.
    pub name: String,
    /// Where the others reach it.
    pub address: String,
    /// `leader`, `follower` or `leaving`.
    pub role: String,
    /// The version that it runs.
    pub version: String,
    /// The last epoch that it knows of.
    pub epoch: u64,
    /// The position of the last line that it has.
    pub position: u64,
    /// Lines that it does not have yet.
    pub behind: u64,
    /// How long ago it said so, in milliseconds: more than a few seconds, and it is gone or does not reach the database.
    pub silent_milliseconds: u64,
}

impl From<Overview> for NodeList {
    fn from(overview: Overview) -> Self {
        let Overview { lease, epoch, position, nodes } = overview;
        let told = |node: croupier_journal::nodes::Known| NodeTold {
            name: node.name,
            address: node.address,
            role: node.said.role,
            version: node.version,
            epoch: node.said.epoch,
            position: node.said.position,
            behind: position.saturating_sub(node.said.position),
            silent_milliseconds: u64::try_from(node.ago.as_millis()).unwrap_or(u64::MAX),
        };
        Self {
            leader: lease.holder.filter(|_| !lease.is_free).map(|holder| holder.name),
            epoch,
            position,
            nodes: nodes.into_iter().map(told).collect(),
        }
    }
}

/// The nodes of this floor: who leads, and who follows how far behind. A server alone has none.
#[utoipa::path(
    get, path = "/api/nodes", tag = "operations", responses((status = 200, body = NodeList), Guarded),
    security(("session" = []), ("token" = []))
)]
async fn nodes(State(app): State<Arc<App>>, caller: Caller) -> Result<Answer<NodeList>, Problem> {
    caller.may(&app, Right::Administer, "GET /api/nodes").await?;
    if app.node.is_none() {
        let position = app.floor.shared.books.position();
        return Ok(Answer(NodeList { leader: None, epoch: 0, position, nodes: Vec::new() }));
    }
    let place = app.config.place()?.database;
    // The connection must be made and ended on a thread that may block.
    let overview = tokio::task::spawn_blocking(move || Nodes::overview_of(&place)).await;
    Ok(Answer(overview.map_err(|error| Problem::internal(&error))??.into()))
}
