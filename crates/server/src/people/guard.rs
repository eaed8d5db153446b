//! Against guessing: who fails too often has to wait.
//!
//! A name is locked for whoever fails some times at it, whether it exists or not: nobody else is locked out with them.
//! For everybody it is locked only after many more failures, which takes many who guess; but never for those who sign in
//! from where they have signed in before, or on the machine itself: nobody can lock an administrator out for good. Whoever guesses may fail at
//! more names than one, since many people share an address; then each further failure doubles the wait. An attempt
//! counts as a failure until it has succeeded, so that many at the same time find no gap.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;
use serde::Deserialize;

use crate::limits::Who;
use crate::problem::Problem;

/// How many failures are too many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Guard {
    /// Failures after which a name is locked for the address, or the person, they come from.
    pub failures: u32,
    /// Failures after which a name is locked for everybody.
    pub name_failures: u32,
    /// For how long; failures before that are forgotten too.
    pub lock_seconds: u64,
    /// Failures after which an address, or a person, has to wait: a second first, then twice as long each time.
    pub address_failures: u32,
}

impl Default for Guard {
    fn default() -> Self {
        Self { failures: 5, name_failures: 50, lock_seconds: 15 * 60, address_failures: 20 }
    }
}

/// What is guessed at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum What {
    /// A password.
    Password,
    /// A PIN.
    Pin,
    /// A code of a second factor.
    Code,
}

/// Failures that are remembered before the forgettable ones are swept out.
const KEPT: usize = 50_000;
/// Addresses of a name that are remembered as its own.
const HOMES: usize = 8;

#[derive(Clone, Copy, Debug, Default)]
struct Failures {
    count: u32,
    /// When the last one was, in milliseconds.
    at: u64,
}

/// The failures at a name.
#[derive(Debug, Default)]
struct OfName {
    all: Failures,
    /// By where they come from; there are never more of these than failures lock the name for everybody.
    by: HashMap<Option<Who>, Failures>,
}

#[derive(Debug, Default)]
struct Book {
    names: HashMap<(What, String), OfName>,
    sources: HashMap<Who, Failures>,
    /// Where a name has signed in from, the last first.
    homes: HashMap<String, Vec<Who>>,
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
    pub(super) fn begin(&self, what: What, name: &str, from: Option<Who>, now: u64) -> Result<(), u64> {
        let mut book = self.book();
        let Book { names, sources, homes } = &mut *book;
        if names.len() >= KEPT {
            names.retain(|_, of_name| !self.is_over(of_name.all, now));
        }
        if sources.len() >= KEPT {
            sources.retain(|_, failures| !self.is_over(*failures, now));
        }
        let key = (what, name.to_lowercase());
        let lock = self.guard.lock_seconds.saturating_mul(1_000);
        let known = names.get(&key);
        let all = self.current(known.map(|of_name| of_name.all), now);
        let own = self.current(known.and_then(|of_name| of_name.by.get(&from).copied()), now);
        if own.count >= self.guard.failures {
            return Err(wait(own.at, lock, now));
        }
        let is_welcome = what == What::Password && from.is_some_and(|from| is_at_home(from, &key.1, homes));
        if all.count >= self.guard.name_failures && !is_welcome {
            return Err(wait(all.at, lock, now));
        }
        let of_source = self.current(from.and_then(|from| sources.get(&from).copied()), now);
        if let Some(over) = of_source.count.checked_sub(self.guard.address_failures) {
            let pause = 1_000_u64.checked_shl(over.min(40)).unwrap_or(lock).min(lock);
            if now < of_source.at.saturating_add(pause) {
                return Err(wait(of_source.at, pause, now));
            }
        }
        let of_name = names.entry(key).or_default();
        of_name.all = Failures { count: all.count + 1, at: now };
        of_name.by.retain(|_, failures| !self.is_over(*failures, now));
        of_name.by.insert(from, Failures { count: own.count + 1, at: now });
        if let Some(from) = from {
            sources.insert(from, Failures { count: of_source.count + 1, at: now });
        }
        Ok(())
    }

    /// The attempt that began last succeeded: the name has a clean slate but for others who are locked out of it, and
    /// whoever it came from has this one back.
    pub(super) fn succeeded(&self, what: What, name: &str, from: Option<Who>) {
        let mut book = self.book();
        let key = (what, name.to_lowercase());
        if let Some(of_name) = book.names.get_mut(&key) {
            of_name.all.count = 0;
            of_name.by.remove(&from);
            if of_name.by.is_empty() {
                book.names.remove(&key);
            }
        }
        if let Some(from) = from.filter(|_| what == What::Password) {
            if book.homes.len() >= KEPT {
                book.homes.clear();
            }
            let homes = book.homes.entry(name.to_lowercase()).or_default();
            homes.retain(|home| *home != from);
            homes.insert(0, from);
            homes.truncate(HOMES);
        }
        if let Some(failures) = from.and_then(|from| book.sources.get_mut(&from)) {
            // Whoever has one account must not buy guesses at others with it.
            failures.count = failures.count.saturating_sub(1);
        }
    }

    /// Forgets the failures of a name.
    pub(super) fn forget(&self, name: &str) {
        let mut book = self.book();
        for what in [What::Password, What::Pin, What::Code] {
            book.names.remove(&(what, name.to_lowercase()));
        }
    }

    /// Whether a name is locked for anybody.
    pub(super) fn is_locked(&self, what: What, name: &str, now: u64) -> bool {
        let book = self.book();
        let Some(of_name) = book.names.get(&(what, name.to_lowercase())) else { return false };
        let has = |failures: Failures, most: u32| self.current(Some(failures), now).count >= most;
        has(of_name.all, self.guard.name_failures)
            || of_name.by.values().any(|failures| has(*failures, self.guard.failures))
    }

    fn current(&self, failures: Option<Failures>, now: u64) -> Failures {
        failures.filter(|failures| !self.is_over(*failures, now)).unwrap_or_default()
    }

    fn is_over(&self, failures: Failures, now: u64) -> bool {
        now >= failures.at.saturating_add(self.guard.lock_seconds.saturating_mul(1_000))
    }

    fn book(&self) -> std::sync::MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether somebody comes from where that name has signed in before, from the machine itself, or is in already.
fn is_at_home(from: Who, name: &str, homes: &HashMap<String, Vec<Who>>) -> bool {
    match from {
        Who::Person(_) => true,
        Who::Address(address) if address.is_loopback() => true,
        Who::Address(_) | Who::Device(_) => homes.get(name).is_some_and(|homes| homes.contains(&from)),
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

    fn at(last: u8) -> Option<Who> {
        Some(Who::at(std::net::IpAddr::from([10, 0, 0, last])))
    }

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
    fn who_fails_locks_out_nobody_but_themselves() {
        let watch = watch();
        for _ in 0..5 {
            assert_eq!(watch.begin(What::Password, "mai", at(1), 0), Ok(()));
        }
        assert_eq!(watch.begin(What::Password, "mai", at(1), 0), Err(900));
        assert!(watch.is_locked(What::Password, "mai", 0), "the administrator sees that somebody is");
        assert_eq!(watch.begin(What::Password, "mai", at(2), 0), Ok(()));
        watch.succeeded(What::Password, "mai", at(2));
        assert_eq!(watch.begin(What::Password, "mai", at(1), 0), Err(900), "another's success opens nothing");
        assert_eq!(watch.begin(What::Password, "mai", at(1), 15 * MINUTE), Ok(()));
    }

    #[test]
    fn the_fiftieth_failure_from_anywhere_locks_a_name_for_everybody() {
        let watch = watch();
        for source in 0..10 {
            for _ in 0..5 {
                assert_eq!(watch.begin(What::Pin, "mai", Some(Who::Person(source)), 7), Ok(()));
            }
        }
        assert_eq!(watch.begin(What::Pin, "mai", Some(Who::Person(99)), 7), Err(900));
        assert_eq!(watch.begin(What::Pin, "mai", Some(Who::Person(99)), 6 + 15 * MINUTE), Err(1));
        assert_eq!(watch.begin(What::Pin, "mai", Some(Who::Person(99)), 7 + 15 * MINUTE), Ok(()));
    }

    #[test]
    fn nobody_is_locked_out_of_their_own_house() {
        let watch = watch();
        assert_eq!(watch.begin(What::Password, "mai", at(1), 0), Ok(()));
        watch.succeeded(What::Password, "Mai", at(1));
        for source in 2..12 {
            for _ in 0..5 {
                assert_eq!(watch.begin(What::Password, "mai", at(source), 7), Ok(()));
            }
        }
        assert_eq!(watch.begin(What::Password, "mai", at(99), 7), Err(900));
        let loopback = Some(Who::at(std::net::IpAddr::from([127, 0, 0, 1])));
        for home in [at(1), loopback, Some(Who::Person(7))] {
            assert_eq!(watch.begin(What::Password, "mai", home, 7), Ok(()), "{home:?}");
        }
        // Who guesses from there is locked out like everybody else.
        for _ in 0..4 {
            assert_eq!(watch.begin(What::Password, "mai", loopback, 7), Ok(()));
        }
        assert_eq!(watch.begin(What::Password, "mai", loopback, 7), Err(900));
    }

    #[test]
    fn an_address_waits_longer_each_time() {
        let watch = watch();
        let from = at(1);
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
        assert_eq!(watch.begin(What::Password, "20", at(2), 3_000), Ok(()));
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
