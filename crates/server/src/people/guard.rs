//! Against guessing: who fails too often has to wait.
//!
//! A name is locked after some failures, whether it exists or not. An address may fail more often, since many people
//! share one; then each further failure doubles the wait. An attempt counts as a failure until it has succeeded, so
//! that many at the same time find no gap.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;
use serde::Deserialize;

use crate::limits::Who;
use crate::problem::Problem;

/// How many failures are too many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Guard {
    /// Failures after which a name is locked.
    pub failures: u32,
    /// For how long; failures before that are forgotten too.
    pub lock_seconds: u64,
    /// Failures after which an address has to wait: a second first, then twice as long each time.
    pub address_failures: u32,
}

impl Default for Guard {
    fn default() -> Self {
        Self { failures: 5, lock_seconds: 15 * 60, address_failures: 20 }
    }
}

/// What is guessed at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum What {
    /// A password.
    Password,
    /// A PIN.
    Pin,
}

/// Failures that are remembered before the forgettable ones are swept out.
const KEPT: usize = 50_000;

#[derive(Clone, Copy, Debug, Default)]
struct Failures {
    count: u32,
    /// When the last one was, in milliseconds.
    at: u64,
}

#[derive(Debug, Default)]
struct Book {
    names: HashMap<(What, String), Failures>,
    addresses: HashMap<Who, Failures>,
}

/// Counts failures.
#[derive(Debug)]
pub(super) struct Watch {
    guard: Guard,
    book: Mutex<Book>,
}

impl Watch {
    pub(super) fn new(guard: Guard) -> Self {
        Self { guard, book: Mutex::default() }
    }

    /// An attempt begins; it counts as a failure from now on. The seconds to wait if there were too many.
    pub(super) fn begin(&self, what: What, name: &str, from: Option<IpAddr>, now: u64) -> Result<(), u64> {
        let mut book = self.book();
        let Book { names, addresses } = &mut *book;
        self.sweep(names, now);
        self.sweep(addresses, now);
        let key = (what, name.to_lowercase());
        let lock = self.guard.lock_seconds.saturating_mul(1_000);
        let of_name = self.current(names, &key, now);
        if of_name.count >= self.guard.failures {
            return Err(wait(of_name.at, lock, now));
        }
        let from = from.map(Who::at);
        let of_address = from.map_or_else(Failures::default, |from| self.current(addresses, &from, now));
        if let Some(over) = of_address.count.checked_sub(self.guard.address_failures) {
            let pause = 1_000_u64.checked_shl(over.min(40)).unwrap_or(lock).min(lock);
            if now < of_address.at.saturating_add(pause) {
                return Err(wait(of_address.at, pause, now));
            }
        }
        names.insert(key, Failures { count: of_name.count + 1, at: now });
        if let Some(from) = from {
            addresses.insert(from, Failures { count: of_address.count + 1, at: now });
        }
        Ok(())
    }

    /// The attempt that began last succeeded: the name has a clean slate, and the address has this one back.
    pub(super) fn succeeded(&self, what: What, name: &str, from: Option<IpAddr>) {
        let mut book = self.book();
        book.names.remove(&(what, name.to_lowercase()));
        if let Some(failures) = from.and_then(|from| book.addresses.get_mut(&Who::at(from))) {
            // Whoever has one account must not buy guesses at others with it.
            failures.count = failures.count.saturating_sub(1);
        }
    }

    /// Forgets the failures of a name.
    pub(super) fn forget(&self, name: &str) {
        let mut book = self.book();
        for what in [What::Password, What::Pin] {
            book.names.remove(&(what, name.to_lowercase()));
        }
    }

    /// Whether a name is locked.
    pub(super) fn is_locked(&self, what: What, name: &str, now: u64) -> bool {
        let book = self.book();
        self.current(&book.names, &(what, name.to_lowercase()), now).count >= self.guard.failures
    }

    fn current<K: Eq + Hash>(&self, of: &HashMap<K, Failures>, key: &K, now: u64) -> Failures {
        of.get(key).copied().filter(|failures| !self.is_over(*failures, now)).unwrap_or_default()
    }

    fn is_over(&self, failures: Failures, now: u64) -> bool {
        now >= failures.at.saturating_add(self.guard.lock_seconds.saturating_mul(1_000))
    }

    fn sweep<K: Eq + Hash>(&self, of: &mut HashMap<K, Failures>, now: u64) {
        if of.len() >= KEPT {
            of.retain(|_, failures| !self.is_over(*failures, now));
        }
    }

    fn book(&self) -> std::sync::MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wait(since: u64, pause: u64, now: u64) -> u64 {
    since.saturating_add(pause).saturating_sub(now).div_ceil(1_000).max(1)
}

/// 429: too many failures.
pub(super) fn locked(seconds: u64) -> Problem {
    let detail = format!("too many failed attempts; try again in {seconds} seconds");
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "locked", detail).with("retry_after_seconds", seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;

    fn watch() -> Watch {
        Watch::new(Guard::default())
    }

    #[test]
    fn the_fifth_failure_locks_for_fifteen_minutes() {
        let watch = watch();
        let begin = |now| watch.begin(What::Password, "mai", None, now);
        assert_eq!([begin(1), begin(2), begin(3), begin(4)], [Ok(()); 4]);
        assert!(!watch.is_locked(What::Password, "mai", 4));
        assert_eq!(begin(5), Ok(()));
        assert!(watch.is_locked(What::Password, "MAI", 5));
        assert_eq!(begin(6), Err(900));
        // A refused attempt does not lengthen the wait.
        assert_eq!(begin(4 + 15 * MINUTE), Err(1));
        assert_eq!(begin(5 + 15 * MINUTE), Ok(()));
        assert!(!watch.is_locked(What::Password, "mai", 5 + 15 * MINUTE));
    }

    #[test]
    fn names_and_kinds_are_counted_apart_and_case_does_not_matter() {
        let watch = watch();
        for name in ["mai", "Mai", "MAI", "mAi", "maI"] {
            assert_eq!(watch.begin(What::Pin, name, None, 0), Ok(()));
        }
        assert!(watch.begin(What::Pin, "mai", None, 0).is_err());
        assert!(watch.begin(What::Pin, "linh", None, 0).is_ok());
        assert!(watch.begin(What::Password, "mai", None, 0).is_ok());
        watch.forget("mai");
        assert!(watch.begin(What::Pin, "mai", None, 0).is_ok());
    }

    #[test]
    fn success_clears_the_name() {
        let watch = watch();
        for _ in 0..4 {
            assert_eq!(watch.begin(What::Password, "mai", None, 0), Ok(()));
        }
        watch.succeeded(What::Password, "mai", None);
        for _ in 0..5 {
            assert_eq!(watch.begin(What::Password, "mai", None, 0), Ok(()));
        }
        assert!(watch.begin(What::Password, "mai", None, 0).is_err());
    }

    #[test]
    fn an_address_waits_longer_each_time() {
        let watch = watch();
        let from = Some(IpAddr::from([10, 0, 0, 1]));
        let begin = |name: u32, now| watch.begin(What::Password, &name.to_string(), from, now);
        for name in 0..20 {
            assert_eq!(begin(name, 0), Ok(()));
        }
        assert_eq!(begin(20, 0), Err(1));
        assert_eq!(begin(20, 999), Err(1));
        assert_eq!(begin(20, 1_000), Ok(()));
        assert_eq!(begin(21, 1_000), Err(2));
        assert_eq!(begin(21, 3_000), Ok(()));
        assert_eq!(begin(22, 3_000), Err(4));
        // Others are not held up.
        let other = Some(IpAddr::from([10, 0, 0, 2]));
        assert_eq!(watch.begin(What::Password, "20", other, 3_000), Ok(()));
        // An account of one's own gives one attempt back, not all.
        watch.succeeded(What::Password, "21", from);
        assert_eq!(begin(22, 3_000), Err(2));
    }

    #[test]
    fn a_lock_is_a_problem_that_says_when() {
        let problem = locked(900);
        assert_eq!((problem.status, problem.code.as_str()), (429, "locked"));
        assert_eq!(problem.parameters["retry_after_seconds"], 900);
    }
}
