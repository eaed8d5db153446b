//! Connections for reading, shared by all requests. Reading blocks, so it happens on threads made for that: the
//! client of PostgreSQL has a runtime of its own and panics where it is used, or only dropped, on another's.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use croupier_journal::{Location, Store, StoreError};
use tokio::sync::Semaphore;

/// Connections that are not in use, and how to make more.
#[derive(Clone)]
pub struct Readers {
    location: Location,
    idle: Arc<Idle>,
    /// Places for requests that read a few rows.
    places: Arc<Semaphore>,
    /// Places for those that read many: however long they take, the cage and whoever asks again do not wait for them.
    slow_places: Arc<Semaphore>,
}

/// Connections that are not in use.
#[derive(Default)]
struct Idle {
    stores: Mutex<Vec<Kept>>,
}

/// A connection, and when it was last used.
type Kept = (Box<dyn Store>, Instant);

impl Idle {
    fn hold(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.stores.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The last user may be a task, and a connection must not end on its thread.
impl Drop for Idle {
    fn drop(&mut self) {
        let stores = std::mem::take(&mut *self.hold());
        if stores.is_empty() {
            return;
        }
        let closing = std::thread::Builder::new().name("readers".to_string()).spawn(|| drop(stores));
        if let Ok(closing) = closing {
            let _ = closing.join();
        }
    }
}

impl core::fmt::Debug for Readers {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Readers").field("location", &self.location).finish_non_exhaustive()
    }
}

impl Readers {
    /// The most connections that are kept for later.
    const KEPT: usize = 8;
    /// The most requests that read at the same time, each on a connection and a thread; others wait.
    const AT_ONCE: usize = 16;
    /// The same for those that read many rows.
    const SLOW_AT_ONCE: usize = 4;
    /// A connection that was not used for longer is asked whether it is still there.
    const FRESH: Duration = Duration::from_secs(1);

    /// Readers of a store.
    #[must_use]
    pub fn new(location: Location) -> Self {
        Self {
            location,
            idle: Arc::default(),
            places: Arc::new(Semaphore::new(Self::AT_ONCE)),
            slow_places: Arc::new(Semaphore::new(Self::SLOW_AT_ONCE)),
        }
    }

    /// Reads a few rows on a thread of its own, as soon as there is a place.
    ///
    /// # Errors
    /// What the store says.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_in(&self.places, work).await
    }

    /// Reads what may be many rows: such reads have places of their own, and nobody else waits for one of them.
    ///
    /// # Errors
    /// What the store says.
    pub async fn read_slow<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read_in(&self.slow_places, work).await
    }

    async fn read_in<T: Send + 'static>(
        &self,
        places: &Arc<Semaphore>,
        work: impl FnOnce(&mut dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let database = |error: &dyn core::fmt::Display| StoreError::Database(error.to_string());
        let asked = Instant::now();
        let place = Arc::clone(places).acquire_owned().await.map_err(|error| database(&error))?;
        let which = if Arc::ptr_eq(places, &self.places) { "few-rows" } else { "many-rows" };
        metrics::histogram!("croupier_reader_wait_seconds", "reads" => which)
            .record(asked.elapsed().as_secs_f64());
        let readers = self.clone();
        let task = tokio::task::spawn_blocking(move || {
            let done = readers.read_here(work);
            // The place is free only now, even if nobody waits for the answer any more.
            drop(place);
            done
        });
        task.await.unwrap_or_else(|error| Err(database(&error)))
    }

    /// The size of the write-ahead log of a database of SQLite, which grows as long as somebody reads what was before it.
    #[must_use]
    pub fn wal_bytes(&self) -> Option<u64> {
        let Location::Sqlite(path) = &self.location else { return None };
        let mut name = path.clone().into_os_string();
        name.push("-wal");
        std::fs::metadata(name).ok().map(|file| file.len())
    }

    /// Reads on this thread, which must be one that may block: a plain one, or within `spawn_blocking`. Never call
    /// it from a task; that is what [`Readers::read`] is for.
    ///
    /// # Errors
    /// What the store says.
    pub fn read_here<T>(
        &self,
        work: impl FnOnce(&mut dyn Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut store = match self.kept() {
            Some(store) => store,
            None => self.location.open()?,
        };
        let done = work(store.as_mut());
        // A connection that failed may be broken; it is not used again. Nor are the others of a database that went away.
        if matches!(done, Err(StoreError::Lost(_))) {
            let gone = core::mem::take(&mut *self.idle.hold());
            drop(gone);
        }
        let mut idle = self.idle.hold();
        if done.is_ok() && idle.len() < Self::KEPT {
            idle.push((store, Instant::now()));
        }
        done
    }

    /// A connection from before that is still there.
    fn kept(&self) -> Option<Box<dyn Store>> {
        loop {
            let kept = self.idle.hold().pop();
            let (mut store, used) = kept?;
            if used.elapsed() < Self::FRESH || store.is_live() {
                return Some(store);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[tokio::test]
    async fn a_burst_reads_on_so_many_connections_and_no_more() {
        let readers = Readers::new(Location::memory());
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let burst: Vec<_> = (0..100)
            .map(|_| {
                let (readers, now, most) = (readers.clone(), Arc::clone(&now), Arc::clone(&most));
                tokio::spawn(async move {
                    let read = readers.read(move |_| {
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::sleep(Duration::from_millis(5));
                        now.fetch_sub(1, Ordering::SeqCst);
                        Ok(())
                    });
                    read.await.unwrap();
                })
            })
            .collect();
        for one in burst {
            one.await.unwrap();
        }
        assert_eq!(most.load(Ordering::SeqCst), Readers::AT_ONCE);
    }

    #[tokio::test]
    async fn reads_that_take_long_keep_nobody_else_from_reading() {
        let readers = Readers::new(Location::memory());
        let (let_go, held) = std::sync::mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        let slow: Vec<_> = (0..2 * Readers::SLOW_AT_ONCE)
            .map(|_| {
                let (readers, held) = (readers.clone(), Arc::clone(&held));
                tokio::spawn(async move {
                    let read = readers.read_slow(move |_| {
                        let _ = held.lock().unwrap_or_else(PoisonError::into_inner).recv();
                        Ok(())
                    });
                    read.await.unwrap();
                })
            })
            .collect();
        let quick = tokio::time::timeout(Duration::from_secs(30), readers.read(|store| store.end()));
        assert_eq!(quick.await.unwrap().unwrap(), 0);
        drop(let_go);
        for one in slow {
            one.await.unwrap();
        }
    }
}
