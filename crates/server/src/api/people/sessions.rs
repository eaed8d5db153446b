//! One's own sessions: which there are, and ending them.

use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::prove;
use crate::api::body::Json;
use crate::api::refusals::{Guarded, WithBody};
use crate::app::App;
use crate::people::{Caller, Secret, SessionShown};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(own_sessions)).routes(routes!(end_own_sessions))
}

/// Where you are signed in.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct OwnSessions {
    /// The sessions, the newest first.
    sessions: Vec<SessionShown>,
}

/// Where you are signed in.
#[utoipa::path(
    get, path = "/api/me/sessions", tag = "people",
    responses((status = 200, body = OwnSessions), Guarded),
    security(("session" = []))
)]
async fn own_sessions(State(app): State<Arc<App>>, caller: Caller) -> Result<Answer<OwnSessions>, Problem> {
    let session = caller.in_session(&app, "GET /api/me/sessions").await?;
    Ok(Answer(OwnSessions { sessions: app.people.sessions_of(caller.person.id, Some(session)) }))
}

/// Which sessions end.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EndSessions {
    /// Your password; an account without one needs none.
    #[serde(default)]
    password: Option<Secret>,
    /// The session; all of them but this one if not said.
    #[serde(default)]
    #[schema(max_length = 16)]
    session: Option<String>,
}

/// Ends one of your sessions, or all of them but the one that asks. What is left is answered.
#[utoipa::path(
    post, path = "/api/me/sessions/end", tag = "people", request_body = EndSessions,
    responses((status = 200, body = OwnSessions), Guarded, WithBody, (status = 404, body = Problem)),
    security(("session" = []))
)]
async fn end_own_sessions(
    State(app): State<Arc<App>>,
    caller: Caller,
    Json(asked): Json<EndSessions>,
) -> Result<Answer<OwnSessions>, Problem> {
    const WHAT: &str = "POST /api/me/sessions/end";
    let (session, person) = (caller.in_session(&app, WHAT).await?, caller.person.id);
    if caller.person.password.is_some() {
        let password = asked.password.unwrap_or_else(|| Secret::new(""));
        prove(&app, &caller, Some(&password), WHAT).await?;
    }
    app.people.end_other_sessions(person, session, asked.session.as_deref()).await?;
    Ok(Answer(OwnSessions { sessions: app.people.sessions_of(person, Some(session)) }))
}
