//! How far a start has come, for the log and for whoever asks whether the server is ready.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two lines in the log.
const BETWEEN: Duration = Duration::from_secs(5);

/// How far a start has come.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    of: AtomicU64,
    what: Mutex<What>,
}

#[derive(Debug)]
struct What {
    words: &'static str,
    /// When it was last told in the log.
    told: Instant,
}

impl Default for What {
    fn default() -> Self {
        Self { words: "starting", told: Instant::now() }
    }
}

/// How far it has come, in words and numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Told {
    /// What is done.
    pub doing: &'static str,
    /// How many of it are done.
    pub done: u64,
    /// Of how many, as far as that is known.
    pub of: u64,
}

impl Progress {
    /// Something else is done from now on, with so many of it.
    pub fn begin(&self, words: &'static str, of: u64) {
        let mut what = self.what.lock().unwrap_or_else(PoisonError::into_inner);
        *what = What { words, told: Instant::now() };
        self.done.store(0, Ordering::Relaxed);
        self.of.store(of, Ordering::Relaxed);
    }

    /// So many more of it are done. Whatever takes long is told in the log.
    pub fn add(&self, more: usize) {
        let more = u64::try_from(more).unwrap_or(0);
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        // Looking at the clock costs more than counting.
        if done / 1_024 == (done - more) / 1_024 {
            return;
        }
        let mut what = self.what.lock().unwrap_or_else(PoisonError::into_inner);
        if what.told.elapsed() >= BETWEEN {
            what.told = Instant::now();
            tracing::info!(done, of = self.of.load(Ordering::Relaxed), "{}", what.words);
        }
    }

    /// How far it has come.
    #[must_use]
    pub fn told(&self) -> Told {
        let doing = self.what.lock().unwrap_or_else(PoisonError::into_inner).words;
        Told { doing, done: self.done.load(Ordering::Relaxed), of: self.of.load(Ordering::Relaxed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_tells_what_is_done_and_how_much_of_it() {
        let progress = Progress::default();
        assert_eq!(progress.told(), Told { doing: "starting", done: 0, of: 0 });
        progress.begin("reading the books", 5_000);
        progress.add(3_000);
        progress.add(1);
        assert_eq!(progress.told(), Told { doing: "reading the books", done: 3_001, of: 5_000 });
        progress.begin("rebuilding tables", 7);
        assert_eq!(progress.told(), Told { doing: "rebuilding tables", done: 0, of: 7 });
    }
}
