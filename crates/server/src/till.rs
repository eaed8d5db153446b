//! Where everything that happens on the floor comes into one order: the books, the ends of the streams and the
//! writer, under one lock.
//!
//! Whoever holds the till decides, posts, writes the line and hands it over before letting go. So the order of the
//! journal is the order in which the books changed, and a snapshot taken under the lock is exactly the state after
//! the last line handed over.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use croupier_journal::bank::SNAPSHOTS;
use croupier_journal::envelope::Envelope;
use croupier_journal::writer::Committed;
use croupier_journal::{Bank, Change, Head, Job, Row, StoreError, Stream, Writer};
use croupier_ledger::{Entry, RoundId, TableId, TransferId};
use tokio::sync::watch;

/// The till of a floor.
#[derive(Debug)]
pub struct Till {
    inside: Mutex<Inside>,
}

/// The till, held.
#[derive(Debug)]
pub struct Inside {
    /// The books and the ends of the streams, as of the last line handed over.
    pub bank: Bank,
    writer: Writer,
    /// Set once nothing can be written any more.
    failed: watch::Sender<Option<Arc<StoreError>>>,
}

/// What becomes of lines that were handed over.
pub type Done = Box<dyn FnOnce(Result<Committed, Arc<StoreError>>) + Send>;

impl Till {
    /// A till over a writer, with the bank as the journal has it.
    #[must_use]
    pub fn new(bank: Bank, writer: Writer) -> Self {
        Self { inside: Mutex::new(Inside { bank, writer, failed: watch::Sender::new(None) }) }
    }

    /// Takes the till; it must not be held for long, and never while waiting for something else.
    pub fn hold(&self) -> MutexGuard<'_, Inside> {
        // Every change under the lock is made after all checks, so a panic leaves it whole.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands lines over and waits until they are durable.
    ///
    /// # Errors
    /// What the store said; the floor then stops.
    pub async fn append(
        &self,
        build: impl FnOnce(&mut Inside) -> (Vec<Row>, Vec<Change>),
    ) -> Result<Committed, Arc<StoreError>> {
        let (sender, answer) = tokio::sync::oneshot::channel();
        {
            let mut inside = self.hold();
            let (rows, changes) = build(&mut inside);
            inside.give(rows, changes, answer_to(sender));
        }
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Why nothing is written any more, if that is so.
    #[must_use]
    pub fn failure(&self) -> Option<Arc<StoreError>> {
        self.hold().writer.failure()
    }

    /// Tells when that comes to be so, whoever's lines it was.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Option<Arc<StoreError>>> {
        self.hold().failed.subscribe()
    }
}

/// Nothing can be written any more: the server stops, and starts again from what is on the disk.
fn fail(failed: &watch::Sender<Option<Arc<StoreError>>>, why: &Arc<StoreError>) {
    failed.send_if_modified(|failed| {
        let is_first = failed.is_none();
        if is_first {
            tracing::error!(%why, "the journal cannot be written; the floor stops");
            *failed = Some(Arc::clone(why));
        }
        is_first
    });
}

fn answer_to(sender: tokio::sync::oneshot::Sender<Result<Committed, Arc<StoreError>>>) -> Done {
    Box::new(move |result| {
        // Whoever asked may have gone away; what was written stays.
        let _ = sender.send(result);
    })
}

fn stopped() -> Arc<StoreError> {
    Arc::new(StoreError::Database("the journal has stopped".to_string()))
}

impl Inside {
    /// Writes the next line of a stream. It must be handed over before the till is let go.
    pub fn line(&mut self, stream: Stream, envelope: &Envelope<'_>) -> Row {
        let head = self.bank.heads.entry(stream).or_insert(Head::START);
        head.append(stream, envelope)
    }

    /// The number of the next line of a stream.
    #[must_use]
    pub fn next(&self, stream: Stream) -> u64 {
        self.bank.heads.get(&stream).map_or(0, |head| head.sequence) + 1
    }

    /// Posts entries, and closes a round with them.
    ///
    /// # Errors
    /// What the books say; nothing is changed then.
    pub fn post(
        &mut self,
        entries: &[Entry],
        next: TransferId,
        closes: Option<(TableId, RoundId)>,
    ) -> Result<(), croupier_ledger::Refused> {
        if !entries.is_empty() {
            self.bank.ledger.apply(entries)?;
        }
        self.bank.next_transfer = next;
        if let Some((table, round)) = closes {
            // A round that still holds something stays open in the books, which `verify` reports.
            if let Err(holds) = self.bank.ledger.close_round(table, round) {
                tracing::error!(%table, %round, %holds, "a round is over at the table and not in the books");
            }
        }
        Ok(())
    }

    /// Hands lines over, in the order they were written.
    pub fn give(&mut self, rows: Vec<Row>, changes: Vec<Change>, done: Done) {
        self.bank.position += u64::try_from(rows.len()).unwrap_or(0);
        let failed = self.failed.clone();
        let done: Done = Box::new(move |result| {
            if let Err(why) = &result {
                fail(&failed, why);
            }
            done(result);
        });
        self.writer.give(Job { rows, changes, done });
    }

    /// The change that stores the bank as it is now; it must be handed over before the till is let go.
    pub fn snapshot(&mut self) -> Option<Change> {
        self.bank.forget();
        let value = serde_json::to_vec(&self.bank).ok()?;
        Some(Change::Put { register: SNAPSHOTS, key: "bank".to_string(), value })
    }
}
