//! A place in the queue of the writer that is taken now and filled a moment later.
//!
//! Whoever decides the order of lines must not have to write them at the same moment: it takes places, lets go, and
//! writes. The writer waits at a place until it is filled; one that never is stops it, since every line after it was
//! decided on what that line says.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::Job;

/// A place in the queue. It must be kept: dropped, it stops the writer.
#[derive(Debug)]
#[must_use = "the writer waits for it"]
pub struct Promise {
    slot: Option<Arc<Slot>>,
}

#[derive(Debug, Default)]
pub(super) struct Slot {
    state: Mutex<State>,
    filled: Condvar,
}

#[derive(Default)]
enum State {
    #[default]
    Open,
    Kept(Job),
    /// Taken by the writer, or dropped by whoever promised.
    Over,
}

impl core::fmt::Debug for State {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Open => "Open",
            Self::Kept(_) => "Kept",
            Self::Over => "Over",
        })
    }
}

/// What the writer finds at a place.
pub(super) enum Found {
    /// It is not filled yet.
    Nothing,
    /// What was promised.
    Job(Job),
    /// It never will be.
    Broken,
}

impl Promise {
    pub(super) fn new() -> (Self, Arc<Slot>) {
        let slot = Arc::new(Slot::default());
        (Self { slot: Some(Arc::clone(&slot)) }, slot)
    }

    /// A place in no queue: what fills it is never written.
    pub fn of_nobody() -> Self {
        Self { slot: None }
    }

    /// Fills the place.
    pub fn keep(mut self, job: Job) {
        if let Some(slot) = self.slot.take() {
            slot.fill(State::Kept(job));
        }
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            slot.fill(State::Over);
        }
    }
}

impl Slot {
    fn fill(&self, with: State) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = with;
        self.filled.notify_one();
    }

    /// What is there now.
    pub(super) fn look(&self) -> Found {
        Self::take(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What is there in the end.
    pub(super) fn wait(&self) -> Option<Job> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = |state: &mut State| matches!(state, State::Open);
        let waited = self.filled.wait_while(state, is_open);
        match Self::take(&mut waited.unwrap_or_else(PoisonError::into_inner)) {
            Found::Job(job) => Some(job),
            Found::Nothing | Found::Broken => None,
        }
    }

    fn take(state: &mut State) -> Found {
        match state {
            State::Open => Found::Nothing,
            State::Kept(_) | State::Over => match core::mem::replace(state, State::Over) {
                State::Kept(job) => Found::Job(job),
                State::Open | State::Over => Found::Broken,
            },
        }
    }
}
