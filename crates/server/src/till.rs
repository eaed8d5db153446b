//! Where everything that happens on the floor comes into one order: the books, the ends of the streams and the
//! writer, under one lock.
//!
//! Whoever holds the till decides, posts, writes the line and hands it over before letting go. So the order of the
//! journal is the order in which the books changed, and a snapshot taken under the lock is exactly the state after
//! the last line handed over.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use croupier_journal::envelope::Envelope;
use croupier_journal::writer::{Committed, Waiting};
use croupier_journal::{
    Author, Bank, Change, CommandId, Deed, Head, Job, Keys, Row, StoreError, Stream, Writer, snapshot,
};
use croupier_ledger::{Entry, RoundId, TableId, TransferId};
use tokio::sync::watch;

use crate::clock::Steady;

/// The till of a floor.
#[derive(Debug)]
pub struct Till {
    inside: Mutex<Inside>,
    /// Whether the database is away.
    away: watch::Receiver<bool>,
}

/// The till, held.
#[derive(Debug)]
pub struct Inside {
    /// The books and the ends of the streams, as of the last line handed over.
    pub bank: Bank,
    writer: Writer,
    /// The time of lines.
    clock: Steady,
    /// How many snapshots of the bank were taken: they go to their places by turns.
    snapshots: usize,
    /// Set once nothing can be written any more.
    failed: watch::Sender<Option<Arc<StoreError>>>,
}

/// Why the books do not take something.
pub type NotPosted = croupier_ledger::NotClosed;

/// A commit that takes longer, from the hand to the disk, is told.
const SLOW: Duration = Duration::from_millis(500);

/// Many wait for one disk: it is told once a second.
fn is_worth_a_line() -> bool {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let is_due = last.is_none_or(|last| last.elapsed() >= Duration::from_secs(1));
    if is_due {
        *last = Some(Instant::now());
    }
    is_due
}

/// What becomes of lines that were handed over.
pub type Done = Box<dyn FnOnce(Result<Committed, Arc<StoreError>>) + Send>;

impl Till {
    /// A till over a writer, with the bank as the journal has it and the time of its last line; `away` tells whether the
    /// database is.
    #[must_use]
    pub fn new(bank: Bank, writer: Writer, last: u64, away: watch::Receiver<bool>) -> Self {
        let (clock, failed) = (Steady::after(last), watch::Sender::new(None));
        Self { inside: Mutex::new(Inside { bank, writer, clock, snapshots: 0, failed }), away }
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

    /// What the lines that were handed over wait for, if they do.
    #[must_use]
    pub fn waiting(&self) -> Option<Waiting> {
        self.hold().writer.waiting()
    }

    /// Tells whether the database is away: nothing is decided meanwhile.
    #[must_use]
    pub fn away(&self) -> watch::Receiver<bool> {
        self.away.clone()
    }

    /// Waits no longer for the database: nobody knows then of what was on its way.
    pub fn give_up(&self) {
        self.hold().writer.give_up();
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

    /// Writes the next line of a stream for a deed by which nothing else happens, under an id of the software's own.
    pub fn record(&mut self, stream: Stream, at: u64, author: Author, deed: &Deed) -> Row {
        let id = CommandId::own(stream, self.next(stream));
        self.line(stream, &Envelope::plain(id, at, author, deed))
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
    ) -> Result<(), NotPosted> {
        match closes {
            // A round that would still hold something is not over: a start from such a line would be refused.
            Some((table, round)) => drop(self.bank.ledger.apply_and_close(entries, table, round)?),
            None if entries.is_empty() => {}
            None => drop(self.bank.ledger.apply(entries)?),
        }
        self.bank.next_transfer = next;
        Ok(())
    }

    /// Hands lines over, in the order they were written.
    pub fn give(&mut self, rows: Vec<Row>, changes: Vec<Change>, done: Done) {
        self.bank.position += u64::try_from(rows.len()).unwrap_or(0);
        let failed = self.failed.clone();
        let given = Instant::now();
        let done: Done = Box::new(move |result| {
            let took = given.elapsed();
            metrics::histogram!("croupier_commit_seconds").record(took.as_secs_f64());
            if took >= SLOW && is_worth_a_line() {
                tracing::warn!(milliseconds = took.as_millis(), "a commit was slow");
            }
            if let Err(why) = &result {
                fail(&failed, why);
            }
            done(result);
        });
        self.writer.give(Job { rows, changes, done });
    }

    /// The time that a line is to be written at: never before that of another line, in any stream.
    pub fn time(&mut self) -> u64 {
        self.clock.now()
    }

    /// What is to be put on record about the system's clock.
    pub fn clock_notes(&mut self) -> Vec<String> {
        self.clock.take_notes()
    }

    /// The change that stores the bank as it is now; it must be handed over before the till is let go.
    pub fn snapshot(&mut self, keys: &Keys) -> Option<Change> {
        self.bank.forget();
        // The one before stays, should this one be of no use.
        self.snapshots += 1;
        let name = snapshot::BANK.get(self.snapshots % snapshot::BANK.len())?;
        snapshot::put(keys, name, &self.bank)
    }
}
