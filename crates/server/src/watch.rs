//! What surveillance follows: ratings, alarms and exceptions, made from the lines of the journal.
//!
//! A projection that nobody waits for at a table: it reads what is durable on threads for reading, a little every second
//! and whatever is missing when somebody asks. It goes back to where the last gaming day was closed; what came before
//! is told by `croupier ratings` and `croupier alarms`. It can be made again at any time, and nothing rests on it.

mod story;
mod walk;

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

pub use croupier_insight::Settings;
use croupier_journal::StoreError;

use crate::floor::Floor;
pub(crate) use story::{Lines, Step, story};
pub use walk::{Found, Walk};

/// Between two looks at what is new.
const EVERY: Duration = Duration::from_secs(1);
/// The most lines that are read in one hold.
pub(crate) const AT_ONCE: usize = 4_000;

/// What surveillance follows.
#[derive(Debug)]
pub struct Watch {
    walk: Mutex<Option<Walk>>,
    settings: Settings,
}

impl Watch {
    /// Nothing read yet.
    #[must_use]
    pub const fn new(settings: Settings) -> Self {
        Self { walk: Mutex::new(None), settings }
    }

    /// Follows by itself for as long as the floor runs.
    pub fn begin(self: &Arc<Self>, floor: &Arc<Floor>) {
        let (watch, floor) = (Arc::downgrade(self), Arc::downgrade(floor));
        tokio::spawn(async move {
            let mut every = tokio::time::interval(EVERY);
            every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                every.tick().await;
                let both = Weak::upgrade(&watch).zip(Weak::upgrade(&floor));
                let Some((watch, floor)) = both else { return };
                if let Err(error) = watch.catch_up(&floor).await {
                    tracing::debug!(%error, "the feed of surveillance waits");
                }
            }
        });
    }

    /// Reads what is new.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub async fn catch_up(self: &Arc<Self>, floor: &Arc<Floor>) -> Result<(), StoreError> {
        loop {
            let (watch, shelf) = (Arc::clone(self), floor.shelf());
            let read = floor.shared.readers.read_slow(move |store| {
                let mut held = watch.walk.lock().unwrap_or_else(PoisonError::into_inner);
                let walk = match &mut *held {
                    Some(walk) => walk,
                    empty => empty.insert(Walk::since_the_last_day(store, &shelf, watch.settings)?),
                };
                walk.read(store, &shelf, AT_ONCE)
            });
            if read.await? < AT_ONCE {
                return Ok(());
            }
        }
    }

    /// Looks at what was read; nothing before the first line was.
    pub fn look<T>(&self, look: impl FnOnce(&Walk) -> T) -> Option<T> {
        self.walk.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(look)
    }
}
