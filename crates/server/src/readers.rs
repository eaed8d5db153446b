//! Connections for reading, shared by all requests. Reading blocks, so it happens on threads made for that: the
//! client of PostgreSQL has a runtime of its own and panics where it is used, or only dropped, on another's.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use croupier_journal::{Location, Store, StoreError};

/// Connections that are not in use, and how to make more.
#[derive(Clone)]
pub struct Readers {
    location: Location,
    idle: Arc<Idle>,
}

/// Connections that are not in use.
#[derive(Default)]
struct Idle {
    stores: Mutex<Vec<Box<dyn Store>>>,
}

impl Idle {
    fn hold(&self) -> MutexGuard<'_, Vec<Box<dyn Store>>> {
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

    /// Readers of a store.
    #[must_use]
    pub fn new(location: Location) -> Self {
        Self { location, idle: Arc::default() }
    }

    /// Reads on a thread of its own.
    ///
    /// # Errors
    /// What the store says.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let readers = self.clone();
        let task = tokio::task::spawn_blocking(move || readers.read_here(work));
        task.await.unwrap_or_else(|error| Err(StoreError::Database(error.to_string())))
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
        let kept = self.idle.hold().pop();
        let mut store = match kept {
            Some(store) => store,
            None => self.location.open()?,
        };
        let done = work(store.as_mut());
        // A connection that failed may be broken; it is not used again.
        let mut idle = self.idle.hold();
        if done.is_ok() && idle.len() < Self::KEPT {
            idle.push(store);
        }
        done
    }
}
