//! Second factors: what somebody shows beside the password.
//!
//! | module | what it holds |
//! |---|---|
//! | `totp` | codes of an authenticator app |
//! | `passkey`, `passkeys` | keys that a device holds, and enrolling them |
//! | `recovery` | codes for when the app is gone |
//! | `half` | sign-ins of which the password is done and the factor is not |
//! | `enrol` | getting a factor, new recovery codes, giving it up, and taking it from somebody |
//! | `policy` | who must have one |
//!
//! A factor is kept in a register of its own, sealed with the key of the data folder: whoever gets hold of the database
//! alone has no codes. One that cannot be opened stays one, which nothing fits, until an administrator resets it.

mod enrol;
mod half;
mod passkey;
mod passkeys;
mod policy;
mod recovery;
mod totp;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use croupier_journal::keys::KeyError;
use croupier_journal::{Change, Keys};
use serde::{Deserialize, Serialize};

use super::guard::{What, locked};
use super::{People, Person, Secret};
use crate::clock;
use crate::limits::Who;
use crate::problem::Problem;

use passkey::{Challenge, Passkey};
use recovery::Recovery;
use totp::Totp;

pub use enrol::Enrolling;
pub use half::{Came, Half};
pub use passkey::{NewPasskey, PasskeyProof};
pub use passkeys::PasskeyToMake;
pub use policy::SecondFactor;

pub(super) use enrol::Pending;
pub(super) use half::Halves;
pub(super) use policy::enrol_first;

/// The register of second factors.
pub(super) const REGISTER: &str = "factor";

/// What somebody shows beside the password.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum FactorProof {
    /// The six digits that the authenticator app shows.
    Code(Secret),
    /// One of the recovery codes; it is used up.
    Recovery(Secret),
    /// A passkey.
    Passkey(PasskeyProof),
}

/// The second factor of a person.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Factor {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    totp: Option<Totp>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    passkeys: Vec<Passkey>,
    #[serde(default)]
    recovery: Recovery,
}

/// What is told of a factor to whoever has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct FactorShown {
    /// An authenticator app is enrolled.
    pub app: bool,
    /// The passkeys.
    pub passkeys: Vec<PasskeyShown>,
    /// Recovery codes that are left.
    pub recovery_left: usize,
}

/// A passkey, as it is told to whoever has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct PasskeyShown {
    /// Its number among yours.
    pub number: u32,
    /// What you call it.
    pub label: String,
    /// When it was enrolled, in milliseconds since 1970.
    pub made: u64,
}

/// What a browser is asked to sign with a passkey.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct PasskeyAsk {
    /// What is signed, in base64url.
    pub challenge: String,
    /// The host that the passkeys are for.
    pub host: String,
    /// Their ids, in base64url.
    pub ids: Vec<String>,
}

impl Factor {
    fn shown(&self) -> FactorShown {
        let shown = |passkey: &Passkey| PasskeyShown {
            number: passkey.number,
            label: passkey.label.clone(),
            made: passkey.made,
        };
        FactorShown {
            app: self.totp.is_some(),
            passkeys: self.passkeys.iter().map(shown).collect(),
            recovery_left: self.recovery.left(),
        }
    }

    /// What a browser is asked, if there are passkeys: those for the host of the newest.
    fn ask(&self, challenge: Challenge) -> Option<PasskeyAsk> {
        let host = self.passkeys.last()?.host.clone();
        let of_host = self.passkeys.iter().filter(|passkey| passkey.host == host);
        let ids = of_host.map(|passkey| passkey.id.clone()).collect();
        Some(PasskeyAsk { challenge: challenge.text(), host, ids })
    }

    /// The factor after this was shown, and what is put on record of it, if anything; none if it does not fit.
    fn after(
        &self,
        proof: &FactorProof,
        asked: Option<Challenge>,
        now: u64,
    ) -> Option<(Self, Option<String>)> {
        match proof {
            FactorProof::Code(code) => {
                let totp = self.totp.as_ref()?.shown(code.expose(), now)?;
                Some((Self { totp: Some(totp), ..self.clone() }, None))
            }
            FactorProof::Recovery(code) => {
                let recovery = self.recovery.spent(code.expose())?;
                let what = format!("recovery code used, {} left", recovery.left());
                Some((Self { recovery, ..self.clone() }, Some(what)))
            }
            FactorProof::Passkey(proof) => {
                let at = self.passkeys.iter().position(|passkey| passkey.id == proof.id)?;
                let mut after = self.clone();
                let passkey = after.passkeys.get_mut(at)?;
                *passkey = passkey.shown(proof, asked?).ok()?;
                Some((after, None))
            }
        }
    }

    /// The entry of the register.
    fn change(&self, keys: &Keys, person: u32) -> Result<Change, KeyError> {
        let open = serde_json::to_vec(self).map_err(|_| KeyError::Sealed(name(person)))?;
        let value = keys.seal(&name(person), &open)?;
        Ok(Change::Put { register: REGISTER, key: key(person), value })
    }
}

fn key(person: u32) -> String {
    format!("{person:010}")
}

/// What it is sealed under, so that it cannot be put in another's place.
fn name(person: u32) -> String {
    format!("factor of person {person}")
}

fn read(keys: &Keys, person: u32, value: &[u8]) -> Factor {
    let open = keys.unseal(&name(person), value).map_err(|error| error.to_string());
    let factor = open.and_then(|open| serde_json::from_slice(&open).map_err(|error| error.to_string()));
    factor.unwrap_or_else(|error| {
        tracing::error!(person, error, "a second factor cannot be read; an administrator can reset it");
        Factor::default()
    })
}

/// The factors of everybody who has one.
#[derive(Debug, Default)]
pub(super) struct Factors {
    by_person: RwLock<HashMap<u32, Arc<Factor>>>,
}

impl Factors {
    pub(super) fn load(keys: &Keys, entries: Vec<(String, Vec<u8>)>) -> Self {
        let read = |(key, value): (String, Vec<u8>)| {
            let person: u32 = key.parse().ok()?;
            Some((person, Arc::new(read(keys, person, &value))))
        };
        Self { by_person: RwLock::new(entries.into_iter().filter_map(read).collect()) }
    }

    /// Takes an entry as another node has written it; nothing, if it is gone.
    pub(super) fn take(&self, keys: &Keys, key: &str, value: Option<&[u8]>) {
        if let Ok(person) = key.parse() {
            self.put(person, value.map(|value| read(keys, person, value)));
        }
    }

    /// The same for all there are.
    pub(super) fn take_all(&self, keys: &Keys, entries: Vec<(String, Vec<u8>)>) {
        let all = Self::load(keys, entries).by_person.into_inner().unwrap_or_else(PoisonError::into_inner);
        *self.by_person.write().unwrap_or_else(PoisonError::into_inner) = all;
    }

    fn get(&self, person: u32) -> Option<Arc<Factor>> {
        self.by_person.read().unwrap_or_else(PoisonError::into_inner).get(&person).cloned()
    }

    fn put(&self, person: u32, factor: Option<Factor>) {
        let mut all = self.by_person.write().unwrap_or_else(PoisonError::into_inner);
        match factor {
            Some(factor) => all.insert(person, Arc::new(factor)),
            None => all.remove(&person),
        };
    }
}

impl People {
    /// The second factor of somebody, as it is told.
    #[must_use]
    pub fn factor(&self, person: u32) -> Option<FactorShown> {
        self.inner.factors.get(person).map(|factor| factor.shown())
    }

    /// Checks the factor of somebody who is signed in; who has none needs to show none. Durable when it returns: what
    /// was shown once does not count again.
    ///
    /// # Errors
    /// 403 `wrong-code`, 429 `locked`.
    pub async fn check_factor(&self, person: &Person, proof: &FactorProof) -> Result<(), Problem> {
        if self.inner.factors.get(person.id).is_none() {
            return Ok(());
        }
        let from = Some(Who::Person(person.id));
        self.inner.watch.begin(What::Code, &person.name, from, clock::now()).map_err(locked)?;
        let asked = match proof {
            FactorProof::Passkey(_) => self.inner.pending.answered(person.id, clock::now()),
            FactorProof::Code(_) | FactorProof::Recovery(_) => None,
        };
        let asked = asked.map(|(challenge, _)| challenge);
        if !self.spend(person.id, proof.clone(), asked).await? {
            return Err(Problem::forbidden("wrong-code", "the code does not fit, or was used before"));
        }
        self.inner.watch.succeeded(What::Code, &person.name, from);
        Ok(())
    }
}

fn none_there() -> Problem {
    Problem::conflict("no-factor", "there is no second factor")
}
