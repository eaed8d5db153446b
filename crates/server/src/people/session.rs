//! Sessions: who is signed in, and until when.
//!
//! A session is a random number that only its browser knows; the register holds its hash, and what it is, sealed: whoever
//! can write to the database makes nobody a session. When it was used last is kept in memory, so that a request writes
//! nothing, and once a minute in the register, so that a restart wakes nobody who was idle.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use croupier_journal::{Change, Hash, Keys, SessionId};
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

/// By which session at the identity provider somebody came, as hashes of what the provider calls them and it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProviderSession {
    /// Whom the provider named.
    pub(crate) subject: Hash,
    /// Its own session, if it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<Hash>,
}

/// Who is to be signed out, by the word of the identity provider: all sessions of somebody, or those of one of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SignedOut {
    /// Whom the provider names, if it does.
    pub(crate) subject: Option<Hash>,
    /// Its session, if it names one.
    pub(crate) session: Option<Hash>,
}

impl SignedOut {
    /// Whether a session that began by the provider is meant. It names at least one of the two.
    pub(super) fn is_meant(self, by: ProviderSession) -> bool {
        let Self { subject, session } = self;
        (subject.is_some() || session.is_some())
            && subject.is_none_or(|subject| subject == by.subject)
            && session.is_none_or(|session| Some(session) == by.session)
    }
}

/// A session as it is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Session {
    pub(super) person: u32,
    /// When it began, in milliseconds since 1970.
    pub(super) made: u64,
    /// When it ends at the latest.
    pub(super) expires: u64,
    /// The sign-in before the one that it began with.
    pub(super) before: Option<Seen>,
    /// From where.
    pub(super) address: Option<IpAddr>,
    /// The identity provider has seen a second factor.
    pub(super) factor_seen: bool,
    /// By which session there, if it began by the identity provider.
    pub(super) provider: Option<ProviderSession>,
}

/// Whose session begins, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Beginning {
    pub(super) person: u32,
    /// The sign-in before this one.
    pub(super) before: Option<Seen>,
    pub(super) address: Option<IpAddr>,
    pub(super) factor_seen: bool,
    /// By which session there, if by the identity provider.
    pub(super) provider: Option<ProviderSession>,
}

/// A session, as it is told to whoever has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct SessionShown {
    /// Its name, as lines of the journal have it.
    pub id: String,
    /// When you signed in, in milliseconds since 1970.
    pub made: u64,
    /// When it was used last.
    pub used: u64,
    /// When it ends at the latest.
    pub expires: u64,
    /// From where you signed in, where that was kept.
    #[schema(value_type = Option<String>)]
    pub address: Option<IpAddr>,
    /// It is the one that asks.
    pub this: bool,
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
    /// From where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<IpAddr>,
    /// The identity provider has seen a second factor.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    factor_seen: bool,
    /// By which session there, if it began by the identity provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<ProviderSession>,
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

    fn change(&self, keys: &Keys, hash: Hash, used: u64) -> Change {
        let Session { person, made, expires, before, address, factor_seen, provider } = self.session;
        let entry = Entry { person, made, expires, used, before, address, factor_seen, provider };
        let key = hash.to_string();
        let open = serde_json::to_vec(&entry).unwrap_or_default();
        // Without random numbers it is not kept, and over with the next start.
        let value = keys.seal(&sealed_as(&key), &open).unwrap_or_default();
        Change::Put { register: REGISTER, key, value }
    }
}

/// What is used again within this time is not kept anew, in milliseconds.
const KEPT: u64 = 60_000;

/// All sessions.
#[derive(Debug)]
pub(super) struct Sessions {
    terms: Terms,
    keys: Arc<Keys>,
    live: RwLock<HashMap<Hash, Arc<Live>>>,
}

impl Sessions {
    /// Those of the register that this floor has sealed and that are not over. Earlier versions did not seal them: who was
    /// in by one signs in again.
    pub(super) fn load(terms: Terms, keys: &Arc<Keys>, entries: Vec<(String, Vec<u8>)>, now: u64) -> Self {
        let live = entries.into_iter().filter_map(|(key, value)| {
            let (hash, live) = read(keys, &key, &value)?;
            (!terms.is_over(&live, now)).then(|| (hash, Arc::new(live)))
        });
        Self { terms, keys: Arc::clone(keys), live: RwLock::new(live.collect()) }
    }

    /// Takes an entry as another node has written it; nothing, if it is gone. A use that only this node knows of stays.
    pub(super) fn take(&self, key: &str, value: Option<&[u8]>) {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        match value.and_then(|value| read(&self.keys, key, value)) {
            Some((hash, one)) => {
                let before = live.get(&hash).map_or(0, |before| before.used.load(Ordering::Relaxed));
                one.used.fetch_max(before, Ordering::Relaxed);
                live.insert(hash, Arc::new(one));
            }
            None => {
                if let Ok(hash) = key.parse::<Hash>() {
                    live.remove(&hash);
                }
            }
        }
    }

    /// The same for all there are.
    pub(super) fn take_all(&self, entries: &[(String, Vec<u8>)]) {
        let there: HashSet<Hash> = entries.iter().filter_map(|(key, _)| key.parse().ok()).collect();
        self.live.write().unwrap_or_else(PoisonError::into_inner).retain(|hash, _| there.contains(hash));
        for (key, value) in entries {
            self.take(key, Some(value));
        }
    }

    /// Whether the leader is to hear that a session is used: it hears so once a minute.
    pub(super) fn is_to_be_told(&self, hash: Hash, now: u64) -> bool {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        let Some(one) = live.get(&hash).filter(|one| !self.is_over(one, now)) else { return false };
        let kept = one.kept.load(Ordering::Relaxed);
        let is_due = now >= kept.saturating_add(KEPT);
        is_due && one.kept.compare_exchange(kept, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// A new session, and what it changes in the register. It counts from now on; nobody knows its secret before
    /// the change is durable.
    pub(super) fn begin(&self, hash: Hash, beginning: Beginning, now: u64) -> (Session, Vec<Change>) {
        let Beginning { person, before, address, factor_seen, provider } = beginning;
        let expires = now.saturating_add(self.terms.longest_seconds.saturating_mul(1_000));
        let session = Session { person, made: now, expires, before, address, factor_seen, provider };
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
        changes.push(new.change(&self.keys, hash, now));
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
                one.change(&self.keys, *hash, used)
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

    /// Whether the identity provider has seen a second factor when a session began; this is no use of it.
    pub(super) fn is_with_factor(&self, hash: Hash) -> bool {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        live.get(&hash).is_some_and(|one| one.session.factor_seen)
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

    /// The sessions of a person, the newest first; `this` is the one that asks.
    pub(super) fn of(&self, person: u32, this: Option<Hash>, now: u64) -> Vec<SessionShown> {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner);
        let own = live.iter().filter(|(_, one)| one.session.person == person && !self.is_over(one, now));
        let shown = |(hash, one): (&Hash, &Arc<Live>)| SessionShown {
            id: SessionId::of(*hash).to_string(),
            made: one.session.made,
            used: one.used.load(Ordering::Relaxed),
            expires: one.session.expires,
            address: one.session.address,
            this: Some(*hash) == this,
        };
        let mut all: Vec<SessionShown> = own.map(shown).collect();
        all.sort_by(|a, b| (b.made, &b.id).cmp(&(a.made, &a.id)));
        all
    }

    /// Ends a session of a person by its name, or all but the one that asks; how many there were.
    pub(super) fn end_others(&self, person: u32, this: Hash, which: Option<&str>) -> Vec<Change> {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        let is_meant = |hash: &Hash| match which {
            Some(name) => SessionId::of(*hash).to_string() == name,
            None => *hash != this,
        };
        let own = live.iter().filter(|(hash, one)| one.session.person == person && is_meant(hash));
        let own: Vec<Hash> = own.map(|(hash, _)| *hash).collect();
        for hash in &own {
            live.remove(hash);
        }
        own.into_iter().map(delete).collect()
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

    /// Ends the sessions that began at the identity provider and are over there. Those that began by a password have
    /// nothing to do with it.
    pub(super) fn end_by_provider(&self, out: SignedOut) -> Vec<Change> {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        let is_meant = |one: &Live| one.session.provider.is_some_and(|by| out.is_meant(by));
        let ended: Vec<Hash> = live.iter().filter(|(_, one)| is_meant(one)).map(|(hash, _)| *hash).collect();
        for hash in &ended {
            live.remove(hash);
        }
        ended.into_iter().map(delete).collect()
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

/// What an entry is sealed as: one that is copied to another key is nobody's.
fn sealed_as(key: &str) -> String {
    format!("session {key}")
}

/// A session from its register.
fn read(keys: &Keys, key: &str, value: &[u8]) -> Option<(Hash, Live)> {
    let Ok(open) = keys.unseal(&sealed_as(key), value) else {
        tracing::warn!(key, "a session that this floor has not sealed is not believed");
        return None;
    };
    let entry: Entry = serde_json::from_slice(&open).ok()?;
    let Entry { person, made, expires, used, before, address, factor_seen, provider } = entry;
    let session = Session { person, made, expires, before, address, factor_seen, provider };
    Some((key.parse().ok()?, Live::new(session, used.max(made))))
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

    fn of(person: u32) -> Beginning {
        Beginning { person, before: None, address: None, factor_seen: false, provider: None }
    }

    /// One floor's keys for all.
    fn keys() -> &'static Arc<Keys> {
        static KEYS: std::sync::LazyLock<Arc<Keys>> =
            std::sync::LazyLock::new(|| Arc::new(Keys::fresh().unwrap()));
        &KEYS
    }

    fn load(entries: Vec<(String, Vec<u8>)>, now: u64) -> Sessions {
        Sessions::load(Terms::default(), keys(), entries, now)
    }

    fn none() -> Sessions {
        load(Vec::new(), 0)
    }

    #[test]
    fn thirty_idle_minutes_end_a_session() {
        let sessions = none();
        sessions.begin(hash("a"), of(1), 0);
        assert!(sessions.find(hash("a"), 30 * MINUTE - 1).is_some());
        assert!(sessions.find(hash("a"), 60 * MINUTE - 2).is_some());
        assert!(sessions.find(hash("a"), 90 * MINUTE - 2).is_none());
        assert!(sessions.find(hash("b"), 0).is_none());
    }

    #[test]
    fn twelve_hours_end_a_session_that_is_used() {
        let sessions = none();
        sessions.begin(hash("a"), of(1), 0);
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
        let sessions = Sessions::load(Terms { per_person: 2, ..Terms::default() }, keys(), Vec::new(), 0);
        sessions.begin(hash("a"), of(1), 0);
        sessions.begin(hash("b"), of(1), 1);
        sessions.begin(hash("other"), of(2), 1);
        let (_, changes) = sessions.begin(hash("c"), of(1), 2);
        assert_eq!(changes[0], delete(hash("a")));
        assert_eq!(changes.len(), 2);
        let alive = ["a", "b", "c", "other"].map(|name| sessions.find(hash(name), 3).is_some());
        assert_eq!(alive, [false, true, true, true]);
    }

    #[test]
    fn sessions_end_one_by_one_and_all_at_once() {
        let sessions = none();
        for (at, name) in ["a", "b", "c"].into_iter().enumerate() {
            sessions.begin(hash(name), of(1), u64::try_from(at).unwrap());
        }
        assert_eq!(sessions.end(hash("b")).len(), 1);
        assert!(sessions.end(hash("b")).is_empty());
        assert!(sessions.is_in(1, 3));
        assert_eq!(sessions.end_all(1).len(), 2);
        assert!(!sessions.is_in(1, 3));
        assert!(sessions.find(hash("a"), 3).is_none());
    }

    #[test]
    fn a_person_sees_their_own_sessions_and_ends_them() {
        let sessions = none();
        let address = Some(IpAddr::from([10, 0, 0, 7]));
        sessions.begin(hash("a"), Beginning { address, ..of(1) }, 5);
        sessions.begin(hash("b"), of(1), 6);
        sessions.begin(hash("c"), of(1), 7);
        sessions.begin(hash("other"), of(2), 7);
        let shown = sessions.of(1, Some(hash("b")), 8);
        let told: Vec<_> = shown.iter().map(|one| (one.made, one.address, one.this)).collect();
        assert_eq!(told, [(7, None, false), (6, None, true), (5, address, false)]);
        let other = sessions.of(2, None, 8)[0].id.clone();
        assert!(sessions.end_others(1, hash("b"), Some(&other)).is_empty(), "that is not theirs");
        assert_eq!(sessions.end_others(1, hash("b"), Some(&shown[0].id)), [delete(hash("c"))]);
        assert_eq!(sessions.end_others(1, hash("b"), None), [delete(hash("a"))]);
        assert_eq!(sessions.of(1, None, 8).len(), 1);
        assert!(sessions.find(hash("other"), 8).is_some());
    }

    #[test]
    fn what_another_node_writes_counts_here() {
        let (there, here) = (none(), none());
        let (_, changes) = there.begin(hash("a"), of(7), 5);
        let Change::Put { key, value, .. } = &changes[0] else { panic!("{changes:?}") };
        here.take(key, Some(value));
        // A use here is told to the leader once a minute, and an older use there does not take it back.
        assert!(here.find(hash("a"), 20 * MINUTE).is_some());
        assert!(!here.is_to_be_told(hash("a"), 4 + MINUTE));
        assert!(here.is_to_be_told(hash("a"), 5 + MINUTE));
        assert!(!here.is_to_be_told(hash("a"), 5 + MINUTE));
        here.take(key, Some(value));
        assert!(here.is_alive(hash("a"), 50 * MINUTE - 1));
        // Another one is all there is.
        let (_, changes) = there.begin(hash("b"), of(7), 6);
        let Some(Change::Put { key: other, value, .. }) = changes.last() else { panic!("{changes:?}") };
        here.take_all(&[(other.clone(), value.clone())]);
        assert!(!here.is_alive(hash("a"), 7) && here.is_alive(hash("b"), 7));
        here.take(other, None);
        assert!(!here.is_alive(hash("b"), 7));
    }

    #[test]
    fn the_provider_ends_the_sessions_that_began_there_and_no_others() {
        let by = |subject: &str, session: Option<&str>| {
            let provider = ProviderSession { subject: hash(subject), session: session.map(hash) };
            Beginning { provider: Some(provider), ..of(1) }
        };
        let all = || {
            let sessions = none();
            sessions.begin(hash("password"), of(1), 0);
            sessions.begin(hash("one"), by("anna", Some("s-1")), 0);
            sessions.begin(hash("two"), by("anna", Some("s-2")), 0);
            sessions.begin(hash("unnamed"), by("anna", None), 0);
            sessions.begin(hash("other"), by("bert", Some("s-3")), 0);
            sessions
        };
        let out = |subject: Option<&str>, session: Option<&str>| {
            let sessions = all();
            let out = SignedOut { subject: subject.map(hash), session: session.map(hash) };
            let ended = sessions.end_by_provider(out).len();
            let names = ["password", "one", "two", "unnamed", "other"];
            let left: Vec<_> =
                names.into_iter().filter(|name| sessions.find(hash(name), 1).is_some()).collect();
            assert_eq!(ended + left.len(), names.len());
            left
        };
        assert_eq!(out(Some("anna"), None), ["password", "other"]);
        assert_eq!(out(None, Some("s-1")), ["password", "two", "unnamed", "other"]);
        assert_eq!(out(Some("anna"), Some("s-2")), ["password", "one", "unnamed", "other"]);
        // A session of somebody else, nobody's, and nothing at all.
        for (subject, session) in [(Some("bert"), Some("s-1")), (Some("carl"), None), (None, None)] {
            assert_eq!(out(subject, session), ["password", "one", "two", "unnamed", "other"]);
        }
        // It comes back from the register.
        let sessions = none();
        let (session, changes) = sessions.begin(hash("a"), by("anna", Some("s-1")), 5);
        let Change::Put { key, value, .. } = &changes[0] else { panic!("{changes:?}") };
        let again = load(vec![(key.clone(), value.clone())], 6);
        assert_eq!(again.find(hash("a"), 6), Some(session));
    }

    #[test]
    fn what_is_kept_is_the_hash_and_comes_back() {
        let sessions = none();
        let (session, changes) = sessions.begin(hash("a"), of(7), 5);
        let Change::Put { register, key, value } = &changes[0] else { panic!("{changes:?}") };
        assert_eq!((*register, key), (REGISTER, &hash("a").to_string()));
        let again = |value: &Vec<u8>, now| load(vec![(key.clone(), value.clone())], now).find(hash("a"), now);
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
        // What nobody sealed, or for another session, or another floor, is nobody's.
        let open = br#"{"person":1,"made":5,"expires":43200005,"used":5}"#;
        let sealed = |keys: &Keys, key: &str| keys.seal(&sealed_as(key), open).unwrap();
        assert!(again(&sealed(keys(), key), 6).is_some());
        let other = hash("b").to_string();
        for forged in [open.to_vec(), sealed(keys(), &other), sealed(&Keys::fresh().unwrap(), key)] {
            assert_eq!(again(&forged, 6), None);
        }
    }
}
