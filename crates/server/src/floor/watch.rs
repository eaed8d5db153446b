//! What a floor does by itself, beside its tables: checkpoints.

use std::sync::{Arc, PoisonError, Weak};
use std::time::{Duration, Instant};

use croupier_journal::deed::RegisterChange;
use croupier_journal::{By, Change, Deed, Hash};

use super::{Floor, FloorError};
use crate::clock;
use crate::till::Inside;

/// The register of checkpoints, which also are in a file outside the database.
pub(crate) use croupier_journal::checkpoint::REGISTER as CHECKPOINTS;

/// Between two checkpoints, at the most.
const BETWEEN: Duration = Duration::from_secs(60);
/// Lines between two checkpoints, about: a start reads so many of them again.
const LINES_BETWEEN: u64 = 50_000;
/// How often is looked whether there are so many.
const LOOK: Duration = Duration::from_secs(1);

/// Puts a checkpoint into its register.
pub(super) fn checkpoint_change(number: u64, line: String) -> Change {
    Change::Put { register: CHECKPOINTS, key: format!("{number:012}"), value: line.into_bytes() }
}

impl Floor {
    /// Signs how far the lines go, if there are new ones since the last time; `next_key` announces the key that
    /// signs from then on.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn checkpoint(&self, next_key: Option<Hash>) -> Result<(), FloorError> {
        // Only what is durable is signed, and only what both sets of books agree on.
        let reach = self.shared.books.reach().await?;
        let position = reach.position;
        let written = {
            let mut log = self.checkpoints.lock().unwrap_or_else(PoisonError::into_inner);
            log.write(&self.shared.keys, next_key, clock::now(), reach)
        };
        if written.is_ok() {
            *self.signed.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        }
        match written {
            Ok(Some((number, line))) => {
                tracing::info!(number, position, "checkpoint");
                self.keep(vec![checkpoint_change(number, line)]).await
            }
            Ok(None) => Ok(()),
            Err(error) => {
                Err(FloorError::Journal(Arc::new(croupier_journal::StoreError::Database(error.to_string()))))
            }
        }
    }

    /// Puts on record that the system's clock was set, or that lines are ahead of it.
    pub(crate) async fn note_clock(&self) {
        let notes = self.shared.till.hold(Inside::clock_notes);
        for what in notes {
            tracing::warn!(what, "the clock");
            let deed = Deed::Register(RegisterChange {
                register: "clock".to_string(),
                entry: "system".to_string(),
                what,
                sealed: Vec::new(),
            });
            if let Err(error) = self.record(By::System, deed, Vec::new()).await {
                tracing::error!(%error, "what the clock did could not be recorded");
            }
        }
    }

    /// Puts on record how often those were refused who were refused too often for a line each time.
    pub(crate) async fn note_denials(&self, all: bool) {
        for (author, denied) in self.shared.denials.take(clock::now(), all) {
            if let Err(error) = self.record(author, Deed::Denied(denied), Vec::new()).await {
                tracing::error!(%error, "denials could not be recorded");
            }
        }
    }

    /// Whether it is time for a checkpoint.
    fn is_due(&self, last: Option<Instant>) -> bool {
        let signed = self.checkpoints.lock().unwrap_or_else(PoisonError::into_inner).reach().position;
        let lines = self.shared.books.position().saturating_sub(signed);
        lines >= LINES_BETWEEN || last.is_none_or(|last| last.elapsed() >= BETWEEN)
    }

    /// Writes checkpoints as time goes by, for as long as there is a floor.
    pub(crate) async fn keep_watch(floor: Weak<Self>) {
        let mut tick = tokio::time::interval(LOOK);
        let mut last = None;
        loop {
            tick.tick().await;
            let Some(floor) = floor.upgrade() else { return };
            if !floor.is_due(last) {
                continue;
            }
            last = Some(Instant::now());
            floor.note_clock().await;
            floor.note_denials(false).await;
            if let Err(error) = floor.checkpoint(None).await {
                tracing::error!(%error, "no checkpoint could be written");
            }
        }
    }
}
