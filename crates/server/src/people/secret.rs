//! Passwords and PINs: as they are typed, and as they are kept.
//!
//! Neither is ever printed. Hashing costs memory and time on purpose, so it happens on a few threads that do nothing else:
//! as much memory as these need is all that hashing ever takes. Whoever is in has threads of their own, so that a PIN at a
//! table does not wait for guesses at the door, and those at the door give way to everything else. An unknown name costs as much as a known one.

use core::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Block, Params, Version};
use croupier_journal::keys;
use serde::{Deserialize, Serialize};

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
    /// Hashes that are made at the same time for those who sign in; half as many more for those who are in.
    pub at_once: u32,
}

impl Default for Cost {
    fn default() -> Self {
        Self { memory_kib: 19 * 1024, passes: 2, at_once: 4 }
    }
}

/// Where somebody stands whose secret is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stands {
    /// At the door, with everybody else who wants to come in.
    AtTheDoor,
    /// Inside: at a table, or at a desk.
    Inside,
}

/// Makes and checks hashes.
pub(super) struct Hasher {
    /// The hash of nobody's password, to spend the same time on names that do not exist.
    nobody: Kept,
    door: Threads,
    inside: Threads,
}

type Job = Box<dyn FnOnce(&mut Desk) + Send>;

/// Threads that hash.
struct Threads {
    jobs: mpsc::Sender<Job>,
    waiting: Arc<AtomicUsize>,
}

impl Threads {
    /// The most that wait; more would wait longer than anybody does.
    const WAITING: usize = 256;

    fn start(name: &str, threads: u32, params: &Params, stands: Stands) -> Result<Self, PeopleError> {
        let (jobs, to_do) = mpsc::channel::<Job>();
        let to_do = Arc::new(Mutex::new(to_do));
        for _ in 0..threads.max(1) {
            let (to_do, mut desk) = (Arc::clone(&to_do), Desk::new(params.clone()));
            let work = move || {
                if stands == Stands::AtTheDoor {
                    give_way();
                }
                loop {
                    let next = to_do.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    match next {
                        Ok(job) => job(&mut desk),
                        Err(mpsc::RecvError) => return,
                    }
                }
            };
            let started = std::thread::Builder::new().name(name.to_string()).spawn(work);
            started.map_err(|error| PeopleError::Cost(error.to_string()))?;
        }
        Ok(Self { jobs, waiting: Arc::default() })
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Desk) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let place = Place::take(&self.waiting)?;
        let (sender, answer) = tokio::sync::oneshot::channel();
        let job: Job = Box::new(move |desk| {
            // Nobody waits for it any more: then it is not made.
            if !sender.is_closed() {
                let _ = sender.send(work(desk));
            }
            drop(place);
        });
        self.jobs.send(job).map_err(|_| Problem::internal(&"no thread hashes any more"))?;
        answer.await.map_err(|error| Problem::internal(&error))
    }
}

/// Lets this thread take only what time the others leave: a flood of guesses must not slow down a table. Where the
/// priority is that of the process and not of a thread, it stays as it is.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 10) {
        tracing::debug!(%error, "guesses are checked at the priority of everything else");
    }
}

/// A place among those who wait, given back however it ends.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(waiting: &Arc<AtomicUsize>) -> Result<Self, Problem> {
        let place = Self(Arc::clone(waiting));
        if waiting.fetch_add(1, Ordering::Relaxed) >= Threads::WAITING {
            let detail = "too many sign in at the same time; try again in a moment";
            return Err(Problem::unavailable("busy", detail).with("retry_after_seconds", 2));
        }
        Ok(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
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
        let secret: [u8; 32] = keys::random()?;
        let nobody = Desk::new(params.clone()).make(&secret).map_err(PeopleError::Cost)?;
        let door = Threads::start("hash-door", cost.at_once, &params, Stands::AtTheDoor)?;
        let inside = Threads::start("hash-inside", cost.at_once.div_ceil(2), &params, Stands::Inside)?;
        Ok(Self { nobody, door, inside })
    }

    /// Makes a hash to keep.
    pub(super) async fn keep(&self, secret: &Secret) -> Result<Kept, Problem> {
        let secret = secret.clone();
        let made = self.inside.run(move |desk| desk.make(secret.expose().as_bytes())).await?;
        made.map_err(|error| Problem::internal(&error))
    }

    /// Whether this is the secret; with nothing kept it is not, and takes as long.
    pub(super) async fn is(
        &self,
        stands: Stands,
        secret: &Secret,
        kept: Option<&Kept>,
    ) -> Result<bool, Problem> {
        if secret.expose().len() > Secret::LONGEST {
            return Ok(false);
        }
        let there = kept.is_some();
        let kept = kept.unwrap_or(&self.nobody).clone();
        let secret = secret.clone();
        let fits = move |desk: &mut Desk| desk.fits(secret.expose().as_bytes(), &kept).unwrap_or(false);
        let threads = match stands {
            Stands::AtTheDoor => &self.door,
            Stands::Inside => &self.inside,
        };
        Ok(threads.run(fits).await? && there)
    }
}

/// Where a thread hashes: with memory of its own that it keeps, since blocks of this size that come and go are not all
/// given back by an allocator.
struct Desk {
    params: Params,
    memory: Vec<Block>,
}

impl Desk {
    const fn new(params: Params) -> Self {
        Self { params, memory: Vec::new() }
    }

    /// As much memory as this takes; it stays for the next.
    fn blocks(&mut self, params: &Params) -> &mut [Block] {
        let count = params.block_count();
        if self.memory.len() < count {
            self.memory = vec![Block::default(); count];
        }
        &mut self.memory[..count]
    }

    fn make(&mut self, secret: &[u8]) -> Result<Kept, String> {
        let salt: [u8; 16] = keys::random().map_err(|error| error.to_string())?;
        let params = self.params.clone();
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
        let mut out = [0; Params::DEFAULT_OUTPUT_LEN];
        let made = argon.hash_password_into_with_memory(secret, &salt, &mut out, self.blocks(&params));
        made.map_err(|error| error.to_string())?;
        let kept = PasswordHash {
            algorithm: ARGON2ID_IDENT,
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(&params).map_err(|error| error.to_string())?,
            salt: Some(Salt::new(&salt).map_err(|error| error.to_string())?),
            hash: Some(Output::new(&out).map_err(|error| error.to_string())?),
        };
        Ok(Kept(kept.to_string()))
    }

    /// Whether a secret is the one that was kept, at the cost at which it was; nothing if what is kept is no hash.
    fn fits(&mut self, secret: &[u8], kept: &Kept) -> Option<bool> {
        let parsed = PasswordHash::new(&kept.0).ok()?;
        let (salt, expected) = (parsed.salt.as_ref()?, parsed.hash.as_ref()?);
        let params = Params::try_from(&parsed).ok()?;
        let algorithm = Algorithm::try_from(parsed.algorithm.as_str()).ok()?;
        let version = parsed.version.map_or(Ok(Version::default()), Version::try_from).ok()?;
        let argon = Argon2::new(algorithm, version, params.clone());
        let mut buffer = [0; Output::MAX_LENGTH];
        let out = buffer.get_mut(..expected.len())?;
        argon.hash_password_into_with_memory(secret, salt.as_ref(), out, self.blocks(&params)).ok()?;
        // Outputs are compared in a time that says nothing of where they differ.
        Some(Output::new(out).ok()? == *expected)
    }
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
        for stands in [Stands::AtTheDoor, Stands::Inside] {
            assert!(hasher.is(stands, &right, Some(&kept)).await.unwrap());
            assert!(!hasher.is(stands, &wrong, Some(&kept)).await.unwrap());
            assert!(!hasher.is(stands, &right, None).await.unwrap());
        }
        assert_ne!(kept, hasher.keep(&right).await.unwrap(), "each has a salt of its own");
        let long = Secret::new("x".repeat(Secret::LONGEST + 1));
        let kept = hasher.keep(&long).await.unwrap();
        assert!(!hasher.is(Stands::Inside, &long, Some(&kept)).await.unwrap());
    }

    #[tokio::test]
    async fn who_is_in_does_not_wait_for_those_at_the_door() {
        let hasher = Hasher::new(Cost { at_once: 1, ..CHEAP }).unwrap();
        let (open, closed) = mpsc::channel::<()>();
        // The door is blocked for as long as nobody opens, with as many as may wait behind.
        let door = &hasher.door;
        let blocked = door.run(move |_| closed.recv().is_ok());
        let rest = (1..Threads::WAITING).map(|_| door.run(|_| true));
        let all = futures_util::future::join(blocked, futures_util::future::join_all(rest));
        let inside = async {
            // After those at the door were given over.
            tokio::task::yield_now().await;
            let full = door.run(|_| true).await.err().map(|problem| (problem.status, problem.code));
            assert_eq!(full, Some((503, "busy".to_string())));
            assert!(hasher.inside.run(|_| true).await.unwrap());
            open.send(()).unwrap();
        };
        let ((blocked, rest), ()) = futures_util::future::join(all, inside).await;
        assert!(blocked.unwrap() && rest.into_iter().all(|done| done.unwrap()));
        assert!(door.run(|_| true).await.unwrap(), "there is room again");
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
