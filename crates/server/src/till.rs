//! Where everything that happens on the floor comes into one order: the books, the ends of the streams that several
//! write to, and the queue of the writer, under one lock.
//!
//! A table decides and writes its lines in its own task. While it holds the till it posts, takes a place in the queue
//! and lets go; then it writes the line into that place. So the order of the journal is the order in which the books
//! changed, though nobody waits for another's line. What is shown of the books to people, and stored of them, comes
//! from a second set that follows the lines: see [`second`](crate::second).

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use croupier_journal::envelope::Envelope;
use croupier_journal::writer::{Committed, Promise, Waiting};
use croupier_journal::{
    Author, BadRow, Bank, Change, CommandId, Deed, Head, Job, Row, StoreError, Stream, Writer,
};
use croupier_ledger::{Entry, Ledger, RoundId, TableId, TransferId};
use tokio::sync::watch;

use crate::clock::{self, Steady};
use crate::second::{Claim, Claims};

/// The till of a floor.
#[derive(Debug)]
pub struct Till {
    inside: Mutex<Inside>,
    /// Nothing is written before there is one: this node then follows another.
    writer: Arc<OnceLock<Writer>>,
    /// Set once nothing can be written any more.
    failed: Failed,
    /// Whether the database is away.
    away: watch::Receiver<bool>,
    /// How far the time of lines was from the system's clock when it was last read.
    skew: Arc<AtomicI64>,
}

/// What is under the lock.
#[derive(Debug)]
pub struct Inside {
    /// The books, as of the last posting.
    pub ledger: Ledger,
    /// The next transfer to be made.
    pub next_transfer: TransferId,
    /// The last transfer that the books have forgotten.
    forgotten: TransferId,
    /// The ends of all streams but those of tables: a table's own task knows where that ends.
    heads: BTreeMap<Stream, Head>,
    /// The last table that was opened.
    last_table: TableId,
    /// The last line that is in the books while another node leads.
    position: u64,
    writer: Arc<OnceLock<Writer>>,
    failed: Failed,
    /// The time of lines.
    clock: Steady,
    skew: Arc<AtomicI64>,
    /// What the second set of books must come to.
    claims: Claims,
}

/// Tells why nothing can be written any more.
pub type Failed = watch::Sender<Option<Arc<StoreError>>>;

/// Why the books do not take something.
pub type NotPosted = croupier_ledger::NotClosed;

/// A commit that takes longer, from the hand to the disk, is told.
const SLOW: Duration = Duration::from_millis(500);

/// Transfers between two times that the books let go of what only answers repeated ones.
const BETWEEN_FORGETTING: u64 = 256;

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
    /// database is, and `claims` is told what the second set of books must come to.
    #[must_use]
    pub fn new(
        bank: Bank,
        writer: Writer,
        last: u64,
        away: watch::Receiver<bool>,
        claims: Claims,
        failed: Failed,
    ) -> Self {
        let till = Self::following(bank, away, claims, failed);
        till.lead(writer, last);
        till
    }

    /// A till of a node that follows: nothing can be handed over, and the books are those of the lines.
    #[must_use]
    pub fn following(bank: Bank, away: watch::Receiver<bool>, claims: Claims, failed: Failed) -> Self {
        let Bank { ledger, next_transfer, heads, position } = bank;
        let (writer, skew) = (Arc::<OnceLock<Writer>>::default(), Arc::new(AtomicI64::new(0)));
        let inside = Inside {
            forgotten: TransferId(0),
            ledger,
            next_transfer,
            heads,
            last_table: TableId(0),
            position,
            writer: Arc::clone(&writer),
            failed: failed.clone(),
            clock: Steady::after(0),
            skew: Arc::clone(&skew),
            claims,
        };
        Self { inside: Mutex::new(inside), writer, failed, away, skew }
    }

    /// From now on lines are handed to this writer. The books are those of the last line there is, and `last` is its
    /// time.
    pub fn lead(&self, writer: Writer, last: u64) {
        self.hold(|inside| {
            let heads = core::mem::take(&mut inside.heads);
            let (tables, heads): (BTreeMap<_, _>, BTreeMap<_, _>) =
                heads.into_iter().partition(|(stream, _)| matches!(stream, Stream::Table(_)));
            inside.heads = heads;
            inside.last_table = tables.into_keys().filter_map(table).max().unwrap_or(TableId(0));
            inside.forgotten = inside.ledger.forgotten().unwrap_or(TransferId(0));
            inside.clock = Steady::after(last);
        });
        assert!(self.writer.set(writer).is_ok(), "a till has one writer");
    }

    /// Follows lines that another node has written.
    ///
    /// # Errors
    /// [`BadRow`] for the first that does not fit.
    pub fn follow(&self, first: u64, rows: &[Row]) -> Result<(), BadRow> {
        self.hold(|inside| (first..).zip(rows).try_for_each(|(position, row)| inside.follow(position, row)))
    }

    /// Whether another node leads.
    #[must_use]
    pub fn follows(&self) -> bool {
        self.writer.get().is_none()
    }

    /// Holds the till while something is done, which must not take long and never waits for something else.
    pub fn hold<T>(&self, work: impl FnOnce(&mut Inside) -> T) -> T {
        let asked = Instant::now();
        // Every change under the lock is made after all checks, so a panic leaves it whole.
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let held = Instant::now();
        let done = work(&mut inside);
        drop(inside);
        let (waited, held) = (held.duration_since(asked), held.elapsed());
        metrics::histogram!("croupier_till_wait_seconds").record(waited.as_secs_f64());
        metrics::histogram!("croupier_till_hold_seconds").record(held.as_secs_f64());
        done
    }

    /// About the time that the next line is written at, for what is decided before the till is held. A decision holds if
    /// it is still the same second then.
    #[must_use]
    pub fn about_now(&self) -> u64 {
        clock::now().saturating_add_signed(self.skew.load(Ordering::Relaxed))
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
        self.hold(|inside| {
            let (rows, changes) = build(inside);
            inside.give(rows, changes, answer_to(sender));
        });
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Hands changes of registers over, after all that this task has handed over before; `done` is told when all of
    /// that is durable.
    pub fn give(&self, changes: Vec<Change>, done: Done) {
        hand(&self.writer, &self.failed, Vec::new(), changes, done);
    }

    /// Writes lines, and changes that go with them, into a place that was taken under the lock.
    pub fn keep(&self, promise: Promise, rows: Vec<Row>, changes: Vec<Change>, done: Done) {
        promise.keep(Job { rows, changes, done: timed(self.failed.clone(), done) });
    }

    /// Why nothing is written any more, if that is so.
    #[must_use]
    pub fn failure(&self) -> Option<Arc<StoreError>> {
        self.writer.get().and_then(Writer::failure).or_else(|| self.failed.borrow().clone())
    }

    /// What the lines that were handed over wait for, if they do.
    #[must_use]
    pub fn waiting(&self) -> Option<Waiting> {
        self.writer.get()?.waiting()
    }

    /// How many jobs wait for the commit after the one in hand.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.writer.get().map_or(0, Writer::queued)
    }

    /// Tells whether the database is away: nothing is decided meanwhile.
    #[must_use]
    pub fn away(&self) -> watch::Receiver<bool> {
        self.away.clone()
    }

    /// Waits no longer for the database: nobody knows then of what was on its way.
    pub fn give_up(&self) {
        if let Some(writer) = self.writer.get() {
            writer.give_up();
        }
    }

    /// Nothing is written any more, for a reason that is not the writer's: the node has lost the lease.
    pub fn fail(&self, why: &Arc<StoreError>) {
        fail(&self.failed, why);
    }

    /// Tells when that comes to be so, whoever's lines it was.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Option<Arc<StoreError>>> {
        self.failed.subscribe()
    }
}

const fn table(stream: Stream) -> Option<TableId> {
    match stream {
        Stream::Table(id) => Some(id),
        Stream::House | Stream::Cage | Stream::Player(_) | Stream::Case(_) => None,
    }
}

/// Nothing can be written any more: the server stops, and starts again from what is on the disk.
pub(crate) fn fail(failed: &Failed, why: &Arc<StoreError>) {
    failed.send_if_modified(|failed| {
        let is_first = failed.is_none();
        if is_first {
            tracing::error!(%why, "the journal cannot be written; the floor stops");
            *failed = Some(Arc::clone(why));
        }
        is_first
    });
}

/// Measures how long a commit takes, from the hand to the disk, and tells everybody if it fails.
fn timed(failed: Failed, done: Done) -> Done {
    let given = Instant::now();
    Box::new(move |result| {
        let took = given.elapsed();
        metrics::histogram!("croupier_commit_seconds").record(took.as_secs_f64());
        if took >= SLOW && is_worth_a_line() {
            tracing::warn!(milliseconds = took.as_millis(), "a commit was slow");
        }
        if let Err(why) = &result {
            fail(&failed, why);
        }
        done(result);
    })
}

/// Hands lines over to the writer. Where another node leads nothing is written, and that is no failure.
fn hand(writer: &OnceLock<Writer>, failed: &Failed, rows: Vec<Row>, changes: Vec<Change>, done: Done) {
    match writer.get() {
        Some(writer) => writer.give(Job { rows, changes, done: timed(failed.clone(), done) }),
        None => done(Err(Arc::new(StoreError::Follows))),
    }
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
    /// Writes the next line of a stream that several write to. It must be handed over before the till is let go.
    pub fn line(&mut self, stream: Stream, envelope: &Envelope<'_>) -> Row {
        let head = self.heads.entry(stream).or_insert(Head::START);
        head.append(stream, envelope)
    }

    /// Writes the next line of a stream for a deed by which nothing else happens, under an id of the software's own.
    pub fn record(&mut self, stream: Stream, at: u64, author: Author, deed: &Deed) -> Row {
        let id = CommandId::own(stream, self.next(stream));
        self.line(stream, &Envelope::plain(id, at, author, deed))
    }

    /// The number of the next line of a stream that several write to.
    #[must_use]
    pub fn next(&self, stream: Stream) -> u64 {
        self.heads.get(&stream).map_or(0, |head| head.sequence) + 1
    }

    /// The id of a table that is opened now.
    pub fn next_table(&mut self) -> TableId {
        self.last_table = TableId(self.last_table.0 + 1);
        self.last_table
    }

    /// Posts the entries of a line, and closes a round with them.
    ///
    /// # Errors
    /// What the books say; nothing is changed then.
    pub fn post(
        &mut self,
        line: (Stream, u64),
        entries: &[Entry],
        next: TransferId,
        closes: Option<(TableId, RoundId)>,
    ) -> Result<(), NotPosted> {
        let receipt = match closes {
            // A round that would still hold something is not over: a start from such a line would be refused.
            Some((table, round)) => self.ledger.apply_and_close(entries, table, round)?,
            None if entries.is_empty() => return Ok(()),
            None => self.ledger.apply(entries)?,
        };
        self.next_transfer = next;
        if !entries.is_empty() {
            let (stream, sequence) = line;
            self.claims.make(Claim { stream, sequence, receipt });
        }
        self.forget();
        Ok(())
    }

    /// Lets go of what only answers repeated transfers, a little at a time: nobody repeats one that a journal has.
    fn forget(&mut self) {
        let last = TransferId(self.next_transfer.0.saturating_sub(1));
        if last.0.saturating_sub(self.forgotten.0) >= BETWEEN_FORGETTING {
            self.ledger.forget_between(self.forgotten, last);
            self.forgotten = last;
        }
    }

    /// Hands lines over, in the order they were written.
    pub fn give(&self, rows: Vec<Row>, changes: Vec<Change>, done: Done) {
        hand(&self.writer, &self.failed, rows, changes, done);
    }

    /// Follows a line that another node has written.
    fn follow(&mut self, position: u64, row: &Row) -> Result<(), BadRow> {
        let mut bank = Bank {
            position: self.position,
            ledger: core::mem::take(&mut self.ledger),
            next_transfer: self.next_transfer,
            heads: core::mem::take(&mut self.heads),
        };
        let followed = bank.follow_written(position, row);
        if position.is_multiple_of(BETWEEN_FORGETTING) {
            bank.forget();
        }
        let Bank { position, ledger, next_transfer, heads } = bank;
        (self.position, self.ledger, self.next_transfer, self.heads) =
            (position, ledger, next_transfer, heads);
        followed.map(drop)
    }

    /// Takes the next place in the queue, for lines that are written once the till is let go.
    pub fn promise(&self) -> Promise {
        self.writer.get().map_or_else(Promise::of_nobody, Writer::promise)
    }

    /// The time that a line is to be written at: never before that of another line, in any stream.
    pub fn time(&mut self) -> u64 {
        let at = self.clock.now();
        let skew = i64::try_from(i128::from(at) - i128::from(clock::now())).unwrap_or(0);
        self.skew.store(skew, Ordering::Relaxed);
        at
    }

    /// What is to be put on record about the system's clock.
    pub fn clock_notes(&mut self) -> Vec<String> {
        self.clock.take_notes()
    }
}
