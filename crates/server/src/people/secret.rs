//! Passwords and PINs: as they are typed, and as they are kept.
//!
//! Neither is ever printed. Hashing costs memory and time on purpose, so it happens on threads made for blocking, a
//! few at a time, and an unknown name costs as much as a known one.

use core::fmt;
use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use croupier_journal::keys;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::PeopleError;
use crate::problem::Problem;

/// A password, PIN or one-time token as it came in.
#[derive(Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, format = Password, max_length = 256)]
pub struct Secret(String);

impl Secret {
    /// The most bytes that are looked at.
    pub const LONGEST: usize = 256;

    /// A secret.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// What it says.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A password or PIN as it is kept: an argon2id hash with its salt and parameters.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kept(String);

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept(…)")
    }
}

/// What a guess costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
    /// Hashes that are made at the same time.
    pub at_once: u32,
}

impl Default for Cost {
    fn default() -> Self {
        Self { memory_kib: 19 * 1024, passes: 2, at_once: 4 }
    }
}

/// Makes and checks hashes.
pub(super) struct Hasher {
    argon: Argon2<'static>,
    /// The hash of nobody's password, to spend the same time on names that do not exist.
    nobody: Kept,
    gate: Arc<Semaphore>,
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher").finish_non_exhaustive()
    }
}

impl Hasher {
    pub(super) fn new(cost: Cost) -> Result<Self, PeopleError> {
        let params = Params::new(cost.memory_kib, cost.passes, 1, None);
        let params = params.map_err(|error| PeopleError::Cost(error.to_string()))?;
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let secret: [u8; 32] = keys::random()?;
        let nobody = hash(&argon, &secret).map_err(PeopleError::Cost)?;
        let at_once = usize::try_from(cost.at_once.max(1)).unwrap_or(1);
        Ok(Self { argon, nobody, gate: Arc::new(Semaphore::new(at_once)) })
    }

    /// Makes a hash to keep.
    pub(super) async fn keep(&self, secret: &Secret) -> Result<Kept, Problem> {
        let secret = secret.clone();
        let made = self.blocking(move |argon| hash(argon, secret.expose().as_bytes())).await?;
        made.map_err(|error| Problem::internal(&error))
    }

    /// Whether this is the secret; with nothing kept it is not, and takes as long.
    pub(super) async fn is(&self, secret: &Secret, kept: Option<&Kept>) -> Result<bool, Problem> {
        if secret.expose().len() > Secret::LONGEST {
            return Ok(false);
        }
        let there = kept.is_some();
        let kept = kept.unwrap_or(&self.nobody).clone();
        let secret = secret.clone();
        let fits = move |argon: &Argon2<'static>| match PasswordHash::new(&kept.0) {
            Ok(parsed) => argon.verify_password(secret.expose().as_bytes(), &parsed).is_ok(),
            Err(_) => false,
        };
        Ok(self.blocking(fits).await? && there)
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Argon2<'static>) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = Arc::clone(&self.gate).acquire_owned().await;
        let permit = permit.map_err(|error| Problem::internal(&error))?;
        let argon = self.argon.clone();
        let task = tokio::task::spawn_blocking(move || {
            let done = work(&argon);
            // The place is free only now, even if nobody waits for the answer any more.
            drop(permit);
            done
        });
        task.await.map_err(|error| Problem::internal(&error))
    }
}

fn hash(argon: &Argon2<'_>, secret: &[u8]) -> Result<Kept, String> {
    let salt: [u8; 16] = keys::random().map_err(|error| error.to_string())?;
    let made = argon.hash_password_with_salt(secret, &salt).map_err(|error| error.to_string())?;
    Ok(Kept(made.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: Cost = Cost { memory_kib: 8, passes: 1, at_once: 2 };

    #[tokio::test]
    async fn a_secret_fits_what_was_kept_of_it_and_nothing_else() {
        let hasher = Hasher::new(CHEAP).unwrap();
        let (right, wrong) = (Secret::new("eight of spades"), Secret::new("eight of hearts"));
        let kept = hasher.keep(&right).await.unwrap();
        assert!(kept.0.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{}", kept.0);
        assert!(hasher.is(&right, Some(&kept)).await.unwrap());
        assert!(!hasher.is(&wrong, Some(&kept)).await.unwrap());
        assert!(!hasher.is(&right, None).await.unwrap());
        assert_ne!(kept, hasher.keep(&right).await.unwrap(), "each has a salt of its own");
        let long = Secret::new("x".repeat(Secret::LONGEST + 1));
        let kept = hasher.keep(&long).await.unwrap();
        assert!(!hasher.is(&long, Some(&kept)).await.unwrap());
    }

    #[test]
    fn nothing_of_a_secret_is_printed() {
        let text = format!("{:?} {:?}", Secret::new("natural nine"), Kept("$argon2id$abc".to_string()));
        assert_eq!(text, "Secret(…) Kept(…)");
    }

    #[test]
    fn the_default_costs_what_it_should() {
        assert_eq!(Cost::default(), Cost { memory_kib: 19_456, passes: 2, at_once: 4 });
    }
}
