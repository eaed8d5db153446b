//! The one thread that appends. Whatever has come in while the last commit went to the disk goes into the next one,
//! so that the cost of a durable commit is shared by all tables.
//!
//! A commit may fail in two ways. A disk that reports an error leaves nothing to rely on: the writer then answers
//! everything with the error and takes no more; the server stops, and starts again from what is there. A database that
//! is away ([`StoreError::Lost`]) can be asked when it is there again: the writer connects anew, takes the right to
//! append, compares the end of the journal with what it believes, and either finds its lines or writes them. Whoever
//! waits is answered then, with the truth. If anybody else has written, or acknowledged lines are gone, it stops.

mod promise;

use core::time::Duration;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::envelope::{Head, Row};
use crate::nodes::Mark;
use crate::store::{Change, Flow, Location, Select, Store, StoreError};
use crate::stream::Stream;
pub use promise::Promise;
use promise::{Found, Slot};

/// What is to be appended together.
pub struct Job {
    /// The rows, of one stream or of several.
    pub rows: Vec<Row>,
    /// Changes to registers that go with them.
    pub changes: Vec<Change>,
    /// Called on the writer's thread once all of it is durable, or cannot be; it must not take long.
    pub done: Box<dyn FnOnce(Result<Committed, Arc<StoreError>>) + Send>,
}

/// Is told the last line of a commit and its position.
pub type Noting = Box<dyn FnMut(u64, &Row) + Send>;

/// Is told that the database is away, and why, each time that it was looked for in vain; and nothing once it is back.
pub type Missing = Box<dyn FnMut(Option<&str>) + Send>;

/// A commit that is durable.
#[derive(Debug)]
pub struct Written {
    /// The position of its first row; that of the next one to come if it had none.
    pub first: u64,
    /// Its rows.
    pub rows: Vec<Row>,
    /// How long the store took.
    pub took: Duration,
    /// What other nodes were told of it by, where there are any.
    pub mark: Option<Mark>,
}

/// Is given every commit.
pub type Following = Box<dyn FnMut(Written) + Send>;

/// Is asked for changes that are to go with the next commit, whatever that is.
pub type Alongside = Box<dyn FnMut() -> Option<Change> + Send>;

/// Who is told what the writer does, on its thread.
#[derive(Default)]
pub struct Observers {
    /// The last line of every commit and its position, once it is durable and before anybody is answered.
    pub note: Option<Noting>,
    /// The same commit whole, after the note and still before anybody is answered.
    pub follow: Option<Following>,
    /// What else is to be written with a commit.
    pub alongside: Option<Alongside>,
    /// Whether the database is away.
    pub missing: Option<Missing>,
}

/// That a job is durable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Committed {
    /// The position of its first row; that of the next one to come if it had none.
    pub position: u64,
}

/// What the writer waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// How long the commit in hand has taken.
    pub time: Duration,
    /// Why the database is not there, if it is not.
    pub away: Option<String>,
}

/// What others see of the writer.
#[derive(Default, Debug)]
struct State {
    failure: OnceLock<Arc<StoreError>>,
    /// Jobs and promises that the writer has not taken yet.
    queued: AtomicUsize,
    inside: Mutex<Inside>,
    /// Wakes the writer while it waits for the database.
    wake: Condvar,
}

#[derive(Default, Debug)]
struct Inside {
    /// When the commit in hand began.
    since: Option<Instant>,
    away: Option<String>,
    /// Nobody waits for the database any more.
    gives_up: bool,
}

impl State {
    fn hold(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is in the queue.
enum Queued {
    Job(Job),
    Promised(Arc<Slot>),
}

/// The writer of a journal.
///
/// Jobs are appended in the order they were given. Dropping the writer waits until all of them are, unless it was told
/// to give up.
#[derive(Debug)]
pub struct Writer {
    sender: Option<Sender<Queued>>,
    thread: Option<JoinHandle<()>>,
    state: Arc<State>,
    began: Began,
}

/// Where a writer begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Began {
    /// The last position there was: nothing of anybody else can come after it.
    pub position: u64,
    /// Under which epoch, where there are several nodes.
    pub mark: Option<Mark>,
}

impl Writer {
    /// The most rows of one commit.
    const ROWS: usize = 8_192;

    /// The most bytes of their lines, if it is more than one job.
    const BYTES: usize = 16 << 20;

    /// Starts to write at a location, which nobody else may write to.
    ///
    /// # Errors
    /// What the store says.
    pub fn start(location: &Location) -> Result<Self, StoreError> {
        Self::over(location.open()?)
    }

    /// The same, telling others what it does. They must not take long.
    ///
    /// # Errors
    /// What the store says.
    pub fn start_observed(location: &Location, observers: Observers) -> Result<Self, StoreError> {
        Self::begin(location.open()?, observers)
    }

    /// The same over a connection.
    ///
    /// # Errors
    /// What the store says.
    pub fn over_observed(store: Box<dyn Store>, observers: Observers) -> Result<Self, StoreError> {
        Self::begin(store, observers)
    }

    /// Starts to write over a connection, which takes the right to append.
    ///
    /// # Errors
    /// What the store says.
    pub fn over(store: Box<dyn Store>) -> Result<Self, StoreError> {
        Self::begin(store, Observers::default())
    }

    fn begin(mut store: Box<dyn Store>, observers: Observers) -> Result<Self, StoreError> {
        store.lock()?;
        let end = store.end()?;
        let last = line_at(store.as_mut(), end)?;
        let (mark, first) = (store.mark(), end);
        let (sender, jobs) = mpsc::channel();
        let state = Arc::new(State::default());
        let mut writing = Writing { store, end, last, state: Arc::clone(&state), observers };
        let thread = std::thread::Builder::new()
            .name("journal".to_string())
            .spawn(move || writing.run(&jobs))
            .map_err(|error| StoreError::Database(error.to_string()))?;
        Ok(Self { sender: Some(sender), thread: Some(thread), state, began: Began { position: first, mark } })
    }

    /// Where the journal ended when this writer had the right to append.
    #[must_use]
    pub const fn began(&self) -> Began {
        self.began
    }

    /// Hands a job over. It is answered even if the writer has failed.
    pub fn give(&self, job: Job) {
        if let Err(Queued::Job(job)) = self.queue(Queued::Job(job)) {
            let why = self.failure().map_or_else(|| "it was closed".to_string(), |why| why.to_string());
            (job.done)(Err(Arc::new(StoreError::Stopped(why))));
        }
    }

    /// Takes the next place in the queue, for a job that is still to be made. Whatever is given or promised later is
    /// appended after it.
    pub fn promise(&self) -> Promise {
        let (promise, slot) = Promise::new();
        // A writer that has stopped waits for nothing.
        let _ = self.queue(Queued::Promised(slot));
        promise
    }

    fn queue(&self, queued: Queued) -> Result<(), Queued> {
        let Some(sender) = &self.sender else { return Err(queued) };
        self.state.queued.fetch_add(1, Ordering::Relaxed);
        sender.send(queued).map_err(|mpsc::SendError(queued)| queued)
    }

    /// How many jobs wait for the commit after the one in hand.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.state.queued.load(Ordering::Relaxed)
    }

    /// Appends and waits: for start-up and rare things, never on a thread that serves.
    ///
    /// # Errors
    /// What the store said.
    pub fn append(&self, rows: Vec<Row>, changes: Vec<Change>) -> Result<Committed, Arc<StoreError>> {
        let (sender, answer) = mpsc::channel();
        self.give(Job {
            rows,
            changes,
            done: Box::new(move |result| {
                // Whoever asked waits for this.
                let _ = sender.send(result);
            }),
        });
        answer.recv().unwrap_or_else(|_| Err(Arc::new(StoreError::Database("stopped".to_string()))))
    }

    /// Why it no longer writes, if it does not.
    #[must_use]
    pub fn failure(&self) -> Option<Arc<StoreError>> {
        self.state.failure.get().cloned()
    }

    /// What it waits for now, if a commit is in hand.
    #[must_use]
    pub fn waiting(&self) -> Option<Waiting> {
        let inside = self.state.hold();
        inside.since.map(|since| Waiting { time: since.elapsed(), away: inside.away.clone() })
    }

    /// Waits no longer for a database that is away: whoever waits for a commit is told that nobody knows of it, and
    /// nothing is written any more. A commit that is on its way is let alone.
    pub fn give_up(&self) {
        self.state.hold().gives_up = true;
        self.state.wake.notify_all();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.sender.take());
        // A commit that nobody waits for any more may never end.
        let gives_up = self.state.hold().gives_up;
        if let Some(thread) = self.thread.take()
            && !gives_up
        {
            let _ = thread.join();
        }
    }
}

/// The line at a position, as far as it is compared.
fn line_at(store: &mut dyn Store, position: u64) -> Result<Option<(Stream, Head)>, StoreError> {
    let mut found = None;
    if position > 0 {
        store.rows(Select::After(position - 1), &mut |at, row| {
            found = (at == position).then(|| (row.stream, row.head()));
            Flow::Break(())
        })?;
    }
    Ok(found)
}

/// The shortest and the longest pause before the database is looked for again.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// How often the database is looked after while nobody writes.
const HEARTBEAT: Duration = Duration::from_secs(2);

/// What the thread has.
struct Writing {
    store: Box<dyn Store>,
    /// The position of the last line that is durable, and what it is.
    end: u64,
    last: Option<(Stream, Head)>,
    state: Arc<State>,
    observers: Observers,
}

impl Writing {
    fn run(&mut self, jobs: &Receiver<Queued>) {
        let mut rows: Vec<Row> = Vec::new();
        let mut changes: Vec<Change> = Vec::new();
        let mut waiting = Vec::new();
        let mut promised = None;
        while let Some(first) = self.first(jobs, promised.take()) {
            let (mut next, mut bytes) = (Some(first), 0);
            while let Some(mut job) = next.take() {
                waiting.push((job.rows.len(), job.done));
                bytes += job.rows.iter().map(|row| row.line.len()).sum::<usize>();
                rows.append(&mut job.rows);
                changes.append(&mut job.changes);
                if rows.len() < Writer::ROWS && bytes < Writer::BYTES {
                    next = self.next(jobs, &mut promised);
                }
            }
            let mut position = self.end + 1;
            let result = self.write(core::mem::take(&mut rows), core::mem::take(&mut changes));
            for (count, done) in waiting.drain(..) {
                done(result.clone().map(|()| Committed { position }));
                position += u64::try_from(count).unwrap_or(0);
            }
        }
    }

    /// The first job of the next commit, however long it takes; nothing once the writer is dropped.
    fn first(&mut self, jobs: &Receiver<Queued>, mut promised: Option<Arc<Slot>>) -> Option<Job> {
        loop {
            let queued = match promised.take() {
                Some(slot) => Ok(Queued::Promised(slot)),
                None => jobs.recv_timeout(HEARTBEAT).inspect(|_| self.taken()),
            };
            match queued {
                Ok(Queued::Job(job)) => return Some(job),
                Ok(Queued::Promised(slot)) => match slot.wait() {
                    Some(job) => return Some(job),
                    None => self.broken(),
                },
                Err(RecvTimeoutError::Timeout) => self.look_after(),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Another job for the same commit, if there is one now. A place that is still to be filled is the first of the
    /// next commit.
    fn next(&self, jobs: &Receiver<Queued>, promised: &mut Option<Arc<Slot>>) -> Option<Job> {
        loop {
            let queued = jobs.try_recv().ok()?;
            self.taken();
            match queued {
                Queued::Job(job) => return Some(job),
                Queued::Promised(slot) => match slot.look() {
                    Found::Job(job) => return Some(job),
                    Found::Broken => self.broken(),
                    Found::Nothing => {
                        *promised = Some(slot);
                        return None;
                    }
                },
            }
        }
    }

    fn taken(&self) {
        self.state.queued.fetch_sub(1, Ordering::Relaxed);
    }

    /// A line that was decided will never come: what follows it rests on nothing.
    fn broken(&self) {
        let why = "a command was decided and its line never came: the task that decided it has failed; start the server \
                   again, which goes on from what is written";
        self.state.failure.get_or_init(|| Arc::new(StoreError::Database(why.to_string())));
    }

    /// Makes rows and changes durable, unless an earlier commit failed.
    fn write(&mut self, rows: Vec<Row>, mut changes: Vec<Change>) -> Result<(), Arc<StoreError>> {
        if let Some(why) = self.state.failure.get() {
            // This one was not tried, which is more than can be said of the one that failed.
            return Err(Arc::new(StoreError::Stopped(why.to_string())));
        }
        changes.extend(self.observers.alongside.as_mut().and_then(|alongside| alongside()));
        let since = Instant::now();
        self.state.hold().since = Some(since);
        let result = self.commit(&rows, &changes);
        if result.is_ok() {
            let first = self.end + 1;
            self.end += u64::try_from(rows.len()).unwrap_or(0);
            if let Some(row) = rows.last() {
                self.last = Some((row.stream, row.head()));
                if let Some(note) = &mut self.observers.note {
                    note(self.end, row);
                }
            }
            if let Some(follow) = &mut self.observers.follow {
                let mark = self.store.mark();
                follow(Written { first, rows, took: since.elapsed(), mark });
            }
        }
        self.told(result)
    }

    /// Nothing is in hand any more; whoever waits for the database has nothing to wait for, also if it failed for good.
    fn told(&mut self, result: Result<(), StoreError>) -> Result<(), Arc<StoreError>> {
        let result = result.map_err(Arc::new);
        if let Err(why) = &result {
            self.state.failure.get_or_init(|| Arc::clone(why));
        }
        let was_away = {
            let mut inside = self.state.hold();
            inside.since = None;
            inside.away.take().is_some()
        };
        if was_away && let Some(missing) = &mut self.observers.missing {
            missing(None);
        }
        result
    }

    /// Looks whether the database is still there while nobody writes, so that it is missed before somebody does.
    fn look_after(&mut self) {
        if self.state.failure.get().is_some() || self.store.is_live() {
            return;
        }
        self.state.hold().since = Some(Instant::now());
        let found = self.reconcile("the database does not answer".to_string(), &[]);
        // Whoever writes next is told if it failed for good.
        let _ = self.told(found.map(drop));
    }

    /// Commits. While the database is away, it is waited for.
    fn commit(&mut self, rows: &[Row], changes: &[Change]) -> Result<(), StoreError> {
        loop {
            match self.store.commit(self.end + 1, rows, changes) {
                Err(StoreError::Lost(why)) => {
                    if self.reconcile(why, rows)? {
                        return Ok(());
                    }
                }
                result => return result,
            }
        }
    }

    /// Waits until the database is there again; whether it has the rows of the commit that was on its way.
    fn reconcile(&mut self, mut why: String, rows: &[Row]) -> Result<bool, StoreError> {
        let mut pause = PAUSES.0;
        loop {
            if let Some(missing) = &mut self.observers.missing {
                missing(Some(&why));
            }
            if !self.wait(&why, pause) {
                return Err(StoreError::Lost(why));
            }
            match self.store.regain().and_then(|()| self.has(rows)) {
                Err(StoreError::Lost(again)) => why = again,
                result => return result,
            }
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    /// Waits a while; whether to go on.
    fn wait(&self, why: &str, pause: Duration) -> bool {
        let mut inside = self.state.hold();
        inside.away = Some(why.to_string());
        let waited = self.state.wake.wait_timeout_while(inside, pause, |inside| !inside.gives_up);
        let (inside, _) = waited.unwrap_or_else(PoisonError::into_inner);
        !inside.gives_up
    }

    /// Whether the store has the rows after those that were acknowledged. A commit is there whole or not at all, so
    /// anything else is somebody else's doing.
    fn has(&mut self, rows: &[Row]) -> Result<bool, StoreError> {
        let end = self.store.end()?;
        if end < self.end {
            return Err(StoreError::Overtaken(format!(
                "the journal ends at position {end}, and lines up to {} were acknowledged: the database was set back, or \
                 a standby took over that did not have them",
                self.end
            )));
        }
        let other = |what: &str| Err(StoreError::Overtaken(what.to_string()));
        if line_at(self.store.as_mut(), self.end)? != self.last {
            return other("the last line that was acknowledged is not the one in the database");
        }
        let mut found = Vec::new();
        self.store.rows(Select::After(self.end), &mut |_, row| {
            found.push(row);
            if found.len() > rows.len() { Flow::Break(()) } else { Flow::Continue(()) }
        })?;
        match found.is_empty() {
            // What has changes only may be there: made again, they make no difference.
            true => Ok(false),
            false if found == rows => Ok(true),
            false => other("another croupier has written to the journal since the connection was lost"),
        }
    }
}
