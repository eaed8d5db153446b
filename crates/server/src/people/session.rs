//! Sessions: who is signed in, and until when.
//!
//! A session is a random number that only its browser knows; the register holds its hash. When it was used last is kept in
//! memory, so that a request writes nothing, and once a minute in the register, so that a restart wakes nobody who was
//! idle.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use croupier_journal::{Change, Hash};
use serde::{Deserialize, Serialize};

use super::seen::Seen;

/// The register of sessions.
pub(super) const REGISTER: &str = "session";

/// How long sessions last, and how many somebody may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Terms {
    /// The longest, used or not.
    pub longest_seconds: u64,
    /// Without use.
    pub idle_seconds: u64,
    /// How many a person may have; the oldest makes room.
    pub per_person: usize,
}

impl Default for Terms {
    fn default() -> Self {
        Self { longest_seconds: 12 * 3_600, idle_seconds: 30 * 60, per_person: 8 }
    }
}

/// A session as it is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Session {
    pub(super) person: u32,
    /// When it began, in milliseconds since 1970.
    pub(super) made: u64,
    /// When it ends at the latest.
    pub(super) expires: u64,
    /// The sign-in before the one that it began with.
    pub(super) before: Option<Seen>,
}

/// A session in its register.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    person: u32,
    made: u64,
    expires: u64,
    /// When it was used last, within a minute; earlier versions did not keep it.
    #[serde(default)]
    used: u64,
    /// The sign-in before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<Seen>,
}

#[derive(Debug)]
struct Live {
    session: Session,
    used: AtomicU64,
    /// As the register has it.
    kept: AtomicU64,
}

impl Live {
    fn new(session: Session, used: u64) -> Self {
        Self { session, used: AtomicU64::new(used), kept: AtomicU64::new(used) }
    }

    fn change(&self, hash: Hash, used: u64) -> Change {
        let Session { person, made, expires, before } = self.session;
        let value = serde_json::to_vec(&Entry { person, made, expires, used, before }).unwrap_or_default();
        Change::Put { register: REGISTER, key: hash.to_string(), value }
    }
}

/// What is used again within this time is not kept anew, in milliseconds.
const KEPT: u64 = 60_000;

/// All sessions.
#[derive(Debug)]
pub(super) struct Sessions {
    terms: Terms,
    live: RwLock<HashMap<Hash, Arc<Live>>>,
}

impl Sessions {
    pub(super) fn load(terms: Terms, entries: Vec<(String, Vec<u8>)>, now: u64) -> Self {
        let live = entries.into_iter().filter_map(|(key, value)| {
            let Entry { person, made, expires, used, before } = serde_json::from_slice(&value).ok()?;
            let hash: Hash = key.parse().ok()?;
            let live = Live::new(Session { person, made, expires, before }, used.max(made));
            (!terms.is_over(&live, now)).then(|| (hash, Arc::new(live)))
        });
        Self { terms, live: RwLock::new(live.collect()) }
    }

    /// A new session, and what it changes in the register. It counts from now on; nobody knows its secret before
    /// the change is durable.
    pub(super) fn begin(
        &self,
        hash: Hash,
        person: u32,
        before: Option<Seen>,
        now: u64,
    ) -> (Session, Vec<Change>) {
        let expires = now.saturating_add(self.terms.longest_seconds.saturating_mul(1_000));
        let session = Session { person, made: now, expires, before };
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        let mut ended: Vec<Hash> =
            live.iter().filter(|(_, one)| self.is_over(one, now)).map(|(hash, _)| *hash).collect();
        let mut own: Vec<(u64, Hash)> = live
            .iter()
            .filter(|(hash, one)| one.session.person == person && !ended.contains(hash))
            .map(|(hash, one)| (one.session.made, *hash))
            .collect();
        own.sort_unstable();
        let room = self.terms.per_person.max(1) - 1;
        let too_many = own.len().saturating_sub(room);
        ended.extend(own.iter().take(too_many).map(|(_, hash)| *hash));
        for hash in &ended {
            live.remove(hash);
        }
        let new = Live::new(session, now);
        let mut changes: Vec<Change> = ended.iter().map(|hash| delete(*hash)).collect();
        changes.push(new.change(hash, now));
        live.insert(hash, Arc::new(new));
        (session, changes)
    }

    /// What is to be kept of sessions that were used since it was kept last.
    pub(super) fn used(&self) -> Vec<Change> {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        let change = |(hash, one): (&Hash, &Arc<Live>)| {
            let used = one.used.load(Ordering::Relaxed);
            let kept = one.kept.load(Ordering::Relaxed);
            (used >= kept.saturating_add(KEPT)).then(|| {
                one.kept.store(used, Ordering::Relaxed);
                one.change(*hash, used)
            })
        };
        live.iter().filter_map(change).collect()
    }

    /// The session, if it is alive; it counts as used.
    pub(super) fn find(&self, hash: Hash, now: u64) -> Option<Session> {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        let one = live.get(&hash).filter(|one| !self.is_over(one, now))?;
        one.used.fetch_max(now, Ordering::Relaxed);
        Some(one.session)
    }

    /// Whether a session is alive; this is no use of it.
    pub(super) fn is_alive(&self, hash: Hash, now: u64) -> bool {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        live.get(&hash).is_some_and(|one| !self.is_over(one, now))
    }

    /// Whether somebody has a session that is alive.
    pub(super) fn is_in(&self, person: u32, now: u64) -> bool {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        live.values().any(|one| one.session.person == person && !self.is_over(one, now))
    }

    /// Ends a session.
    pub(super) fn end(&self, hash: Hash) -> Vec<Change> {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        live.remove(&hash).map(|_| delete(hash)).into_iter().collect()
    }

    /// Ends all sessions of a person.
    pub(super) fn end_all(&self, person: u32) -> Vec<Change> {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        let own: Vec<Hash> =
            live.iter().filter(|(_, one)| one.session.person == person).map(|(hash, _)| *hash).collect();
        for hash in &own {
            live.remove(hash);
        }
        own.into_iter().map(delete).collect()
    }

    fn is_over(&self, one: &Live, now: u64) -> bool {
        self.terms.is_over(one, now)
    }
}

impl Terms {
    fn is_over(&self, one: &Live, now: u64) -> bool {
        let idle = self.idle_seconds.saturating_mul(1_000);
        now >= one.session.expires || now >= one.used.load(Ordering::Relaxed).saturating_add(idle)
    }
}

fn delete(hash: Hash) -> Change {
    Change::Delete { register: REGISTER, key: hash.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;
    const HOUR: u64 = 60 * MINUTE;

    fn hash(text: &str) -> Hash {
        Hash::of(text.as_bytes())
    }

    fn none() -> Sessions {
        Sessions::load(Terms::default(), Vec::new(), 0)
    }

    #[test]
    fn thirty_idle_minutes_end_a_session() {
        let sessions = none();
        sessions.begin(hash("a"), 1, None, 0);
        assert!(sessions.find(hash("a"), 30 * MINUTE - 1).is_some());
        assert!(sessions.find(hash("a"), 60 * MINUTE - 2).is_some());
        assert!(sessions.find(hash("a"), 90 * MINUTE - 2).is_none());
        assert!(sessions.find(hash("b"), 0).is_none());
    }

    #[test]
    fn twelve_hours_end_a_session_that_is_used() {
        let sessions = none();
        sessions.begin(hash("a"), 1, None, 0);
        let mut now = 0;
        while now < 12 * HOUR - 20 * MINUTE {
            now += 20 * MINUTE;
            if now < 12 * HOUR {
                assert!(sessions.find(hash("a"), now).is_some(), "{now}");
            }
        }
        assert!(sessions.find(hash("a"), 12 * HOUR - 1).is_some());
        assert!(sessions.find(hash("a"), 12 * HOUR).is_none());
    }

    #[test]
    fn the_oldest_makes_room() {
        let sessions = Sessions::load(Terms { per_person: 2, ..Terms::default() }, Vec::new(), 0);
        sessions.begin(hash("a"), 1, None, 0);
        sessions.begin(hash("b"), 1, None, 1);
        sessions.begin(hash("other"), 2, None, 1);
        let (_, changes) = sessions.begin(hash("c"), 1, None, 2);
        assert_eq!(changes[0], delete(hash("a")));
        assert_eq!(changes.len(), 2);
        let alive = ["a", "b", "c", "other"].map(|name| sessions.find(hash(name), 3).is_some());
        assert_eq!(alive, [false, true, true, true]);
    }

    #[test]
    fn sessions_end_one_by_one_and_all_at_once() {
        let sessions = none();
        for (at, name) in ["a", "b", "c"].into_iter().enumerate() {
            sessions.begin(hash(name), 1, None, u64::try_from(at).unwrap());
        }
        assert_eq!(sessions.end(hash("b")).len(), 1);
        assert!(sessions.end(hash("b")).is_empty());
        assert!(sessions.is_in(1, 3));
        assert_eq!(sessions.end_all(1).len(), 2);
        assert!(!sessions.is_in(1, 3));
        assert!(sessions.find(hash("a"), 3).is_none());
    }

    #[test]
    fn what_is_kept_is_the_hash_and_comes_back() {
        let sessions = none();
        let (session, changes) = sessions.begin(hash("a"), 7, None, 5);
        let Change::Put { register, key, value } = &changes[0] else { panic!("{changes:?}") };
        assert_eq!((*register, key), (REGISTER, &hash("a").to_string()));
        let again = |value: &Vec<u8>, now| {
            Sessions::load(Terms::default(), vec![(key.clone(), value.clone())], now).find(hash("a"), now)
        };
        assert_eq!(again(value, 4 + 30 * MINUTE), Some(session));
        assert_eq!(again(value, 5 + 30 * MINUTE), None, "a restart is no use");
        // A use is kept once a minute, and counts then.
        assert!(sessions.find(hash("a"), 4 + MINUTE).is_some());
        assert_eq!(sessions.used(), []);
        assert!(sessions.find(hash("a"), 5 + 20 * MINUTE).is_some());
        let kept = sessions.used();
        assert_eq!(sessions.used(), []);
        let Change::Put { value, .. } = &kept[0] else { panic!("{kept:?}") };
        assert_eq!(again(value, 4 + 50 * MINUTE), Some(session));
        assert_eq!(again(value, 5 + 50 * MINUTE), None);
        // As it was kept before.
        let old = br#"{"person":7,"made":5,"expires":43200005}"#.to_vec();
        assert_eq!(again(&old, 4 + 30 * MINUTE), Some(session));
        assert_eq!(again(&old, 5 + 30 * MINUTE), None);
    }
}
