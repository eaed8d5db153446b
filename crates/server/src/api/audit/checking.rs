//! A check of the whole journal, in the background: one at a time, with its progress and what it found.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json as Answer};
use croupier_journal::verify::{Against, Summary, Trouble, verify};
use croupier_journal::{Store, StoreError, checkpoint};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::forms::{FindingForm, SummaryForm};
use crate::api::refusals::Guarded;
use crate::app::App;
use crate::clock;
use crate::floor::CHECKPOINTS;
use crate::people::{Caller, Right};
use crate::problem::Problem;
use crate::readers::Readers;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(begin, progress)).layer(Extension(Arc::new(Checking::default())))
}

/// The last check.
#[derive(Default)]
struct Checking {
    told: Mutex<Check>,
    done: AtomicU64,
}

/// How far a check has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CheckState {
    /// Nothing was checked since the server started.
    #[default]
    Never,
    /// It is on the way.
    Running,
    /// Everything is as it must be.
    Clean,
    /// Something is not as it must be.
    Found,
    /// The journal could not be read.
    Failed,
}

/// A check of the journal.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct Check {
    /// How far it has come.
    pub(crate) state: CheckState,
    /// Lines that were checked.
    pub(crate) done: u64,
    /// Lines there were when it began.
    pub(crate) total: u64,
    /// When it began, in milliseconds since 1970.
    pub(crate) began: Option<u64>,
    /// When it ended.
    pub(crate) ended: Option<u64>,
    /// What a clean journal holds.
    pub(crate) summary: Option<SummaryForm>,
    /// The first thing that is not as it must be.
    pub(crate) finding: Option<FindingForm>,
    /// The finding in words.
    pub(crate) says: Option<String>,
}

impl Checking {
    fn now(&self) -> Check {
        let mut check = self.told.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if check.state == CheckState::Running {
            check.done = self.done.load(Ordering::Relaxed);
        }
        check
    }

    /// Begins, unless one is on the way; whether it did.
    fn begin(&self, total: u64) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.state == CheckState::Running {
            return false;
        }
        self.done.store(0, Ordering::Relaxed);
        *told = Check { state: CheckState::Running, total, began: Some(clock::now()), ..Check::default() };
        true
    }

    fn run(&self, readers: &Readers, file: Option<&Path>) {
        let checked = readers.read_here(|store| Ok(self.check(store, file)));
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.done = self.done.load(Ordering::Relaxed);
        told.ended = Some(clock::now());
        match checked.unwrap_or_else(|error| Err(error.into())) {
            Ok(summary) => {
                told.state = CheckState::Clean;
                told.summary = Some(summary.into());
            }
            Err(Trouble::Found(finding)) => {
                tracing::error!(%finding, "the journal is not as it must be");
                told.state = CheckState::Found;
                told.says = Some(finding.to_string());
                told.finding = Some((*finding).into());
            }
            Err(Trouble::Store(error)) => {
                tracing::error!(%error, "the journal could not be checked");
                told.state = CheckState::Failed;
                told.says = Some("the journal could not be read; the log has the particulars".to_string());
            }
        }
    }

    fn check(&self, store: &mut dyn Store, file: Option<&Path>) -> Result<Summary, Trouble> {
        // Only what is durable is signed: the checkpoints are read first, so that every line they name is there.
        let checkpoints = match file.map(std::fs::read_to_string) {
            Some(Ok(text)) => Some(text),
            Some(Err(_)) | None => signed(store)?,
        };
        let against = Against { checkpoints: checkpoints.as_deref(), trusted: None };
        verify(store, against, &mut |done| self.done.store(done, Ordering::Relaxed))
    }
}

/// The checkpoints of the register as the text of a file; nothing if there are none.
fn signed(store: &mut dyn Store) -> Result<Option<String>, StoreError> {
    let mut text = String::new();
    for (_, line) in store.entries(CHECKPOINTS)? {
        text.push_str(String::from_utf8_lossy(&line).trim_end());
        text.push('\n');
    }
    Ok((!text.is_empty()).then_some(text))
}

/// Begins to check the whole journal: chain, checkpoints, books, shoes, and every payout derived again.
#[utoipa::path(
    post, path = "/api/audit/verify", tag = "audit",
    responses(
        (status = 202, body = Check, description = "It has begun"), Guarded,
        (status = 409, body = Problem, description = "One is on the way"),
    ),
    security(("session" = []), ("token" = []))
)]
async fn begin(
    State(app): State<Arc<App>>,
    Extension(checking): Extension<Arc<Checking>>,
    caller: Caller,
) -> Result<(StatusCode, Answer<Check>), Problem> {
    caller.may(&app, Right::Audit, "POST /api/audit/verify").await?;
    let total = app.floor.shared.readers.read(|store| store.end()).await?;
    if !checking.begin(total) {
        return Err(Problem::conflict("running", "a check is on the way; ask for its progress"));
    }
    let (check, readers) = (Arc::clone(&checking), app.floor.shared.readers.clone());
    let file = app.config.folder().map(|folder| folder.join(checkpoint::FILE));
    tokio::task::spawn_blocking(move || check.run(&readers, file.as_deref()));
    Ok((StatusCode::ACCEPTED, Answer(checking.now())))
}

/// How far the last check has come, and what it found.
#[utoipa::path(
    get, path = "/api/audit/verify", tag = "audit",
    responses((status = 200, body = Check), Guarded),
    security(("session" = []), ("token" = []))
)]
async fn progress(
    State(app): State<Arc<App>>,
    Extension(checking): Extension<Arc<Checking>>,
    caller: Caller,
) -> Result<Answer<Check>, Problem> {
    caller.may(&app, Right::Audit, "GET /api/audit/verify").await?;
    Ok(Answer(checking.now()))
}
