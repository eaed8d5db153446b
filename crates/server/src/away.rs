//! A database that is away: who is told, and how a start waits for it.

use std::time::{Duration, Instant};

use croupier_journal::writer::{Missing, Waiting};
use croupier_journal::{Location, StoreError};
use tokio::sync::watch;

use crate::progress::Progress;

/// Between two lines in the log about the same thing.
const BETWEEN_LINES: Duration = Duration::from_secs(30);
/// Between two looks at a start.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);
/// How long a start waits for the session of another to end.
const FOR_THE_OTHER: Duration = Duration::from_secs(10);
/// A commit that takes longer is one that hangs.
pub(crate) const HANGS: Duration = Duration::from_secs(5);

/// Tells the floor whether the database is away, and the log.
pub(crate) fn observer(away: watch::Sender<bool>) -> Missing {
    let mut since: Option<(Instant, Instant)> = None;
    Box::new(move |why| {
        let now = Instant::now();
        match (why, since) {
            (Some(why), None) => {
                tracing::warn!(why, "the database is away; what is written waits for it");
                since = Some((now, now));
            }
            (Some(why), Some((gone, told))) if now.duration_since(told) >= BETWEEN_LINES => {
                let seconds = now.duration_since(gone).as_secs();
                tracing::warn!(why, seconds, "the database is still away");
                since = Some((gone, now));
            }
            (None, Some((gone, _))) => {
                let milliseconds = now.duration_since(gone).as_millis();
                tracing::info!(milliseconds, "the database is no longer waited for");
                since = None;
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
        away.send_if_modified(|away| core::mem::replace(away, why.is_some()) != why.is_some());
    })
}

/// Why requests that write are not welcome now, for whoever asks without being signed in.
pub(crate) fn why_not_ready(waiting: &Waiting) -> Option<String> {
    let seconds = waiting.time.as_secs();
    match &waiting.away {
        Some(_) => Some(format!(
            "the database has been away for {seconds} s; what is written waits for it, and the log says more"
        )),
        None if waiting.time >= HANGS => {
            Some(format!("a commit has been on its way for {seconds} s; what is written waits for it"))
        }
        None => None,
    }
}

/// Waits until a database of PostgreSQL is there, telling what is waited for.
///
/// # Errors
/// What waiting does not mend.
pub async fn wait_for(database: &Location, progress: &Progress) -> Result<(), StoreError> {
    if !matches!(database, Location::Postgres(_)) {
        return Ok(());
    }
    let begun = Instant::now();
    let mut told: Option<Instant> = None;
    loop {
        let place = database.clone();
        // The connection must end where it was made, which is on a thread that may block.
        let tried =
            tokio::task::spawn_blocking(move || place.open().and_then(|mut store| store.is_taken())).await;
        match tried.unwrap_or_else(|error| Err(StoreError::Database(error.to_string()))) {
            // A server that was killed leaves a session behind that PostgreSQL has not noticed yet.
            Ok(true) if begun.elapsed() < FOR_THE_OTHER => {
                if told.is_none() {
                    let seconds = FOR_THE_OTHER.as_secs();
                    tracing::warn!(
                        seconds,
                        "another croupier has this database; waiting for its session to end"
                    );
                    progress.begin("waiting for another croupier's session to end", 0);
                    told = Some(Instant::now());
                }
            }
            Ok(_) => return Ok(()),
            Err(StoreError::Lost(why)) => {
                if told.is_none_or(|told| told.elapsed() >= BETWEEN_LINES) {
                    tracing::warn!(why, "waiting for the database");
                    progress.begin("waiting for the database", 0);
                    told = Some(Instant::now());
                }
            }
            Err(error) => return Err(error),
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
}
