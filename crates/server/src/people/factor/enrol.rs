//! Getting a second factor and giving it up: one's own with password and code, another's by an administrator.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use croupier_journal::{Author, Change, keys};

use super::passkey::Challenge;
use super::recovery::Recovery;
use super::totp::{self, Shared, Totp};
use super::{Factor, REGISTER, key, none_there};
use crate::clock;
use crate::limits::Who;
use crate::people::guard::{What, locked};
use crate::people::{People, Person, Secret, register};
use crate::problem::Problem;

/// How long enrolling may take, in milliseconds.
const PATIENCE: u64 = 15 * 60_000;

/// What is being enrolled or asked for: apps of which nobody has shown a code yet, and challenges to passkeys.
#[derive(Debug, Default)]
pub(in crate::people) struct Pending {
    begun: Mutex<HashMap<u32, (Shared, u64)>>,
    asked: Mutex<HashMap<u32, (Challenge, String, u64)>>,
}

impl Pending {
    fn begin(&self, person: u32, shared: Shared, now: u64) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.retain(|_, (_, until)| now < *until);
        begun.insert(person, (shared, now.saturating_add(PATIENCE)));
    }

    /// Asks for a passkey, for a host if it is to be made.
    pub(super) fn ask(&self, person: u32, challenge: Challenge, host: String, now: u64) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.retain(|_, (_, _, until)| now < *until);
        asked.insert(person, (challenge, host, now.saturating_add(PATIENCE)));
    }

    /// What was asked, which is answered once.
    pub(super) fn answered(&self, person: u32, now: u64) -> Option<(Challenge, String)> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner).remove(&person);
        asked.filter(|(_, _, until)| now < *until).map(|(challenge, host, _)| (challenge, host))
    }

    fn get(&self, person: u32, now: u64) -> Option<Shared> {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.get(&person).filter(|(_, until)| now < *until).map(|(shared, _)| shared.clone())
    }

    fn end(&self, person: u32) {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner).remove(&person);
    }
}

/// What an authenticator app is told.
#[derive(Clone)]
pub struct Enrolling {
    /// The secret in base 32, to be typed.
    pub secret: String,
    /// The address that the picture holds.
    pub uri: String,
    /// The width of the picture in modules.
    pub picture_width: usize,
    /// The path of an SVG that draws its dark modules, each one unit wide.
    pub picture_path: String,
}

impl core::fmt::Debug for Enrolling {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Enrolling").finish_non_exhaustive()
    }
}

/// A factor as it is to be.
pub(super) struct Edit {
    pub(super) after: Option<Factor>,
    pub(super) what: &'static str,
    /// All sessions end: they were begun without it, or somebody else may have got hold of one.
    pub(super) ends_sessions: bool,
    /// New recovery codes, to be shown once.
    pub(super) codes: Vec<String>,
}

impl People {
    /// Begins to enrol an authenticator app. Nothing is kept before a code of it was shown.
    ///
    /// # Errors
    /// 409 `factor-there` if there is one.
    pub fn begin_enrolling(&self, person: &Person, issuer: &str) -> Result<Enrolling, Problem> {
        if self.inner.factors.get(person.id).is_some_and(|factor| factor.totp.is_some()) {
            return Err(there_already());
        }
        let shared = Shared::new(keys::random().map_err(|error| Problem::internal(&error))?);
        let uri = totp::uri(issuer, &person.name, &shared);
        let picture = totp::picture(&uri);
        let (picture_width, picture_path) =
            picture.ok_or_else(|| Problem::internal(&"an address of an app does not fit into a QR code"))?;
        let secret = shared.text();
        self.inner.pending.begin(person.id, shared, clock::now());
        Ok(Enrolling { secret, uri, picture_width, picture_path })
    }

    /// Enrols the app by a code of it. All sessions of the person end. The recovery codes come back if there were none
    /// before. Durable when it returns.
    ///
    /// # Errors
    /// 403 `wrong-code`, 409 `not-enrolling` or `factor-there`, 429 `locked`.
    pub async fn enrol(&self, by: Author, person: &Person, code: &Secret) -> Result<Vec<String>, Problem> {
        let now = clock::now();
        let Some(shared) = self.inner.pending.get(person.id, now) else {
            let detail = "no app is being enrolled, or it took too long; begin again";
            return Err(Problem::conflict("not-enrolling", detail));
        };
        let from = Some(Who::Person(person.id));
        self.inner.watch.begin(What::Code, &person.name, from, now).map_err(locked)?;
        let Some(totp) = Totp::new(shared).shown(code.expose(), now) else {
            let detail =
                "the code does not fit; check that the clock of the phone is right, and send the next one";
            return Err(Problem::forbidden("wrong-code", detail));
        };
        self.inner.watch.succeeded(What::Code, &person.name, from);
        let (recovery, texts) = Recovery::new().map_err(|error| Problem::internal(&error))?;
        let codes = self.write_factor(by, person.id, move |before| {
            if before.is_some_and(|before| before.totp.is_some()) {
                return Err(there_already());
            }
            let (before, codes) = match before {
                Some(before) => (before.clone(), Vec::new()),
                None => (Factor { recovery, ..Factor::default() }, texts),
            };
            let after = Some(Factor { totp: Some(totp), ..before });
            Ok(Edit { after, what: "authenticator app enrolled", ends_sessions: true, codes })
        });
        let codes = codes.await?;
        self.inner.pending.end(person.id);
        Ok(codes)
    }

    /// New recovery codes in the place of all before. Durable when it returns.
    ///
    /// # Errors
    /// 409 `no-factor` if there is none to recover.
    pub async fn renew_recovery(&self, by: Author, person: u32) -> Result<Vec<String>, Problem> {
        let (recovery, texts) = Recovery::new().map_err(|error| Problem::internal(&error))?;
        self.write_factor(by, person, move |before| {
            let before = before.ok_or_else(none_there)?;
            let after = Some(Factor { recovery, ..before.clone() });
            Ok(Edit { after, what: "recovery codes renewed", ends_sessions: false, codes: texts })
        })
        .await
    }

    /// Takes the factor of the person who asks away. Durable when it returns.
    ///
    /// # Errors
    /// 409 `no-factor` if there is none.
    pub async fn remove_factor(&self, by: Author, person: u32) -> Result<(), Problem> {
        let edit =
            Edit { after: None, what: "second factor removed", ends_sessions: false, codes: Vec::new() };
        self.write_factor(by, person, |before| before.map(|_| edit).ok_or_else(none_there)).await?;
        Ok(())
    }

    /// Takes the factor of somebody else away, who has lost it; their sessions end. Durable when it returns.
    ///
    /// # Errors
    /// 409 `no-factor` if there is none.
    pub async fn reset_factor(&self, by: impl Into<Author>, person: u32) -> Result<(), Problem> {
        let edit = Edit { after: None, what: "second factor reset", ends_sessions: true, codes: Vec::new() };
        self.write_factor(by.into(), person, |before| before.map(|_| edit).ok_or_else(none_there)).await?;
        if let Some(person) = self.get(person) {
            self.unlock(&person.name);
        }
        Ok(())
    }

    /// Writes a factor, to its end even if nobody waits for it any more; the recovery codes that are new.
    pub(super) async fn write_factor(
        &self,
        by: Author,
        person: u32,
        edit: impl FnOnce(Option<&Factor>) -> Result<Edit, Problem> + Send + 'static,
    ) -> Result<Vec<String>, Problem> {
        let inner = Arc::clone(&self.inner);
        let task = tokio::spawn(async move {
            let _one = inner.writing.lock().await;
            let Edit { after, what, ends_sessions, codes } = edit(inner.factors.get(person).as_deref())?;
            let change = match &after {
                Some(after) => after.change(&inner.floor.shared.keys, person),
                None => Ok(Change::Delete { register: REGISTER, key: key(person) }),
            };
            let mut changes = vec![change.map_err(|error| Problem::internal(&error))?];
            if ends_sessions {
                changes.extend(inner.sessions.end_all(person));
                inner.halves.end_all(person);
            }
            inner.floor.record(by, register(REGISTER, person, what), changes).await?;
            inner.factors.put(person, after);
            Ok(codes)
        });
        task.await.map_err(|error| Problem::internal(&error))?
    }
}

fn there_already() -> Problem {
    Problem::conflict("factor-there", "an authenticator app is enrolled already; remove it first")
}
