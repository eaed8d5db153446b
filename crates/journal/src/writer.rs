//! The one thread that appends. Whatever has come in while the last commit went to the disk goes into the next one,
//! so that the cost of a durable commit is shared by all tables.
//!
//! After a commit that failed nothing is known about what the disk holds. The writer then answers everything with
//! the error and takes no more; the server stops, and starts again from what is there.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

use crate::envelope::Row;
use crate::store::{Change, Location, Store, StoreError};

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

/// That a job is durable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Committed {
    /// The position of its first row; that of the next one to come if it had none.
    pub position: u64,
}

/// The writer of a journal.
///
/// Jobs are appended in the order they were given. Dropping the writer waits until all of them are.
#[derive(Debug)]
pub struct Writer {
    sender: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    failure: Arc<OnceLock<Arc<StoreError>>>,
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

    /// The same, with something that is told the last line of every commit and its position, once it is durable and
    /// before anybody is answered. It must not take long.
    ///
    /// # Errors
    /// What the store says.
    pub fn start_noting(location: &Location, note: Noting) -> Result<Self, StoreError> {
        Self::begin(location.open()?, Some(note))
    }

    /// Starts to write over a connection, which takes the right to append.
    ///
    /// # Errors
    /// What the store says.
    pub fn over(store: Box<dyn Store>) -> Result<Self, StoreError> {
        Self::begin(store, None)
    }

    fn begin(mut store: Box<dyn Store>, mut note: Option<Noting>) -> Result<Self, StoreError> {
        store.lock()?;
        let end = store.end()?;
        let (sender, jobs) = mpsc::channel();
        let failure = Arc::new(OnceLock::new());
        let failed = Arc::clone(&failure);
        let thread = std::thread::Builder::new()
            .name("journal".to_string())
            .spawn(move || write(store.as_mut(), end, &jobs, &failed, note.as_mut()))
            .map_err(|error| StoreError::Database(error.to_string()))?;
        Ok(Self { sender: Some(sender), thread: Some(thread), failure })
    }

    /// Hands a job over. It is answered even if the writer has failed.
    pub fn give(&self, job: Job) {
        let given = match &self.sender {
            Some(sender) => sender.send(job).map_err(|mpsc::SendError(job)| job),
            None => Err(job),
        };
        if let Err(job) = given {
            let why = self.failure().map_or_else(|| "it was closed".to_string(), |why| why.to_string());
            (job.done)(Err(Arc::new(StoreError::Stopped(why))));
        }
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
        self.failure.get().cloned()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.sender.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn write(
    store: &mut dyn Store,
    mut end: u64,
    jobs: &Receiver<Job>,
    failed: &OnceLock<Arc<StoreError>>,
    mut note: Option<&mut Noting>,
) {
    let mut rows: Vec<Row> = Vec::new();
    let mut changes: Vec<Change> = Vec::new();
    let mut waiting = Vec::new();
    while let Ok(first) = jobs.recv() {
        let (mut next, mut bytes) = (Some(first), 0);
        while let Some(mut job) = next.take() {
            waiting.push((job.rows.len(), job.done));
            bytes += job.rows.iter().map(|row| row.line.len()).sum::<usize>();
            rows.append(&mut job.rows);
            changes.append(&mut job.changes);
            if rows.len() < Writer::ROWS && bytes < Writer::BYTES {
                next = jobs.try_recv().ok();
            }
        }
        let result = match failed.get() {
            // This one was not tried, which is more than can be said of the one that failed.
            Some(why) => Err(Arc::new(StoreError::Stopped(why.to_string()))),
            None => store.commit(end + 1, &rows, &changes).map_err(Arc::new),
        };
        if let Err(why) = &result {
            failed.get_or_init(|| Arc::clone(why));
        } else if let (Some(note), Some(last)) = (&mut note, rows.last()) {
            (**note)(end + u64::try_from(rows.len()).unwrap_or(0), last);
        }
        for (count, done) in waiting.drain(..) {
            match &result {
                Ok(()) => {
                    done(Ok(Committed { position: end + 1 }));
                    end += u64::try_from(count).unwrap_or(0);
                }
                Err(why) => done(Err(Arc::clone(why))),
            }
        }
        rows.clear();
        changes.clear();
    }
}
