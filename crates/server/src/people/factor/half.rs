//! Sign-ins in two steps: the password is right, and the second factor is still to be shown.
//!
//! Between the two there is no session yet but a random number in the hands of whoever typed the password. It is kept in
//! memory, opens nothing but the second step, and is over after five minutes.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use croupier_journal::{Author, By, Hash, keys};
use croupier_table::PersonId;

use super::passkey::Challenge;
use super::{Factor, FactorProof, FactorShown, PasskeyAsk, REGISTER};
use crate::clock;
use crate::limits::Who;
use crate::people::guard::{What, locked};
use crate::people::{Inner, People, Person, ProviderSession, Secret, SignedIn, SignedOut, choice, register};
use crate::problem::Problem;

/// How long the second step may take, in milliseconds.
const PATIENCE: u64 = 5 * 60_000;
/// Those that are remembered at the same time; the oldest make room.
const KEPT: usize = 10_000;

/// How far somebody came with the password.
#[derive(Clone, Debug)]
pub enum Came {
    /// They are in.
    In(SignedIn),
    /// The second factor is next.
    Half(Half),
}

/// A sign-in of which the second step is still to come.
#[derive(Clone, Debug)]
pub struct Half {
    /// Who.
    pub person: Arc<Person>,
    /// What is sent with the second step.
    pub secret: Secret,
    /// How long it may take, in seconds.
    pub seconds: u64,
    /// What may be shown.
    pub shown: FactorShown,
    /// What a browser is asked, if there are passkeys.
    pub ask: Option<PasskeyAsk>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Begun {
    person: u32,
    provider: Option<ProviderSession>,
    challenge: Challenge,
    until: u64,
}

/// All sign-ins that are half done.
#[derive(Debug, Default)]
pub(in crate::people) struct Halves {
    begun: Mutex<HashMap<Hash, Begun>>,
}

impl Halves {
    fn begin(&self, hash: Hash, one: Begun, now: u64) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if begun.len() >= KEPT {
            begun.retain(|_, one| now < one.until);
        }
        if begun.len() >= KEPT
            && let Some(oldest) = begun.iter().min_by_key(|(_, one)| one.until).map(|(hash, _)| *hash)
        {
            begun.remove(&oldest);
        }
        begun.insert(hash, one);
    }

    fn find(&self, hash: Hash, now: u64) -> Option<Begun> {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.get(&hash).filter(|one| now < one.until).copied()
    }

    /// Ends those that began at the identity provider and are over there.
    pub(in crate::people) fn end_by_provider(&self, out: SignedOut) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.retain(|_, one| !one.provider.is_some_and(|by| out.is_meant(by)));
    }

    fn end(&self, hash: Hash) -> bool {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner).remove(&hash).is_some()
    }

    /// Ends those of a person: the password they were begun with counts no more.
    pub(in crate::people) fn end_all(&self, person: u32) {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, one| one.person != person);
    }
}

impl People {
    /// Goes on after the password or the identity provider: to a session, or to the second step.
    pub(in crate::people) async fn come_in(
        &self,
        person: Arc<Person>,
        address: IpAddr,
        provider: Option<ProviderSession>,
    ) -> Result<Came, Problem> {
        let Some(factor) = self.inner.factors.get(person.id) else {
            let begun = self.begin_session_with(person.id, Some(address), provider, false);
            return begun.await.map(Came::In);
        };
        let secret: [u8; 32] = keys::random().map_err(|error| Problem::internal(&error))?;
        let secret = Secret::new(Hash(secret).to_string());
        let hash = Hash::of(secret.expose().as_bytes());
        let challenge = Challenge(keys::random().map_err(|error| Problem::internal(&error))?);
        let now = clock::now();
        let begun = Begun { person: person.id, provider, challenge, until: now.saturating_add(PATIENCE) };
        self.inner.halves.begin(hash, begun, now);
        let (shown, ask) = (factor.shown(), factor.ask(challenge));
        Ok(Came::Half(Half { person, secret, seconds: PATIENCE / 1_000, shown, ask }))
    }

    /// The second step of a sign-in.
    ///
    /// # Errors
    /// 401 `sign-in-over` or `wrong-code`, 403 `disabled`, 429 `locked`.
    pub async fn second_step(
        &self,
        half: &Secret,
        proof: &FactorProof,
        address: IpAddr,
    ) -> Result<SignedIn, Problem> {
        let inner = &self.inner;
        let hash = Hash::of(half.expose().as_bytes());
        let Begun { person, provider, challenge, .. } =
            inner.halves.find(hash, clock::now()).ok_or_else(over)?;
        let person = self.get(person).ok_or_else(over)?;
        if person.disabled {
            return Err(choice::disabled());
        }
        let from = Some(Who::at(address));
        if let Err(seconds) = inner.watch.begin(What::Code, &person.name, from, clock::now()) {
            tracing::info!(%address, person = person.id, seconds, "second step refused: too many failures");
            return Err(locked(seconds));
        }
        if !self.spend(person.id, proof.clone(), Some(challenge)).await? {
            metrics::counter!("croupier_sign_ins_total", "result" => "wrong-code").increment(1);
            tracing::info!(%address, person = person.id, "second step failed");
            return Err(wrong_code());
        }
        inner.watch.succeeded(What::Code, &person.name, from);
        // Whoever is first has it; nobody comes in twice by one password.
        if !inner.halves.end(hash) {
            return Err(over());
        }
        metrics::counter!("croupier_sign_ins_total", "result" => "right").increment(1);
        tracing::info!(%address, person = person.id, "signed in with a second factor");
        self.begin_session_with(person.id, Some(address), provider, false).await
    }

    /// Whether what was shown fits; if so it is used up, durably, before anybody is told.
    pub(super) async fn spend(
        &self,
        person: u32,
        proof: FactorProof,
        asked: Option<Challenge>,
    ) -> Result<bool, Problem> {
        let inner = Arc::clone(&self.inner);
        let task = tokio::spawn(async move {
            let _one = inner.writing.lock().await;
            let Some(before) = inner.factors.get(person) else { return Ok(false) };
            match before.after(&proof, asked, clock::now()) {
                Some((after, what)) => keep(&inner, person, after, what).await.map(|()| true),
                None => Ok(false),
            }
        });
        task.await.map_err(|error| Problem::internal(&error))?
    }
}

/// Keeps a factor as it is after it was shown.
async fn keep(inner: &Inner, person: u32, after: Factor, what: Option<String>) -> Result<(), Problem> {
    let change = after.change(&inner.floor.shared.keys, person);
    let changes = vec![change.map_err(|error| Problem::internal(&error))?];
    match what {
        Some(what) => {
            let by: Author = By::Person(PersonId(person)).into();
            inner.floor.record(by, register(REGISTER, person, what), changes).await?;
        }
        None => inner.floor.keep(changes).await?,
    }
    inner.factors.put(person, Some(after));
    Ok(())
}

fn over() -> Problem {
    let detail = "this sign-in took too long or is done; begin again with the name and the password";
    Problem::new(StatusCode::UNAUTHORIZED, "sign-in-over", detail)
}

fn wrong_code() -> Problem {
    let detail = "the code does not fit, or was used before; wait for the next one";
    Problem::new(StatusCode::UNAUTHORIZED, "wrong-code", detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: Challenge = Challenge([1; 32]);

    fn hash(text: &str) -> Hash {
        Hash::of(text.as_bytes())
    }

    fn begun(person: u32, now: u64) -> Begun {
        Begun { person, provider: None, challenge: ASKED, until: now + PATIENCE }
    }

    /// Whose a sign-in is.
    fn whose(halves: &Halves, name: &str, now: u64) -> Option<u32> {
        halves.find(hash(name), now).map(|begun| begun.person)
    }

    #[test]
    fn a_half_sign_in_lasts_five_minutes_and_ends_once() {
        let halves = Halves::default();
        halves.begin(hash("a"), begun(7, 0), 0);
        assert_eq!(halves.find(hash("a"), PATIENCE - 1), Some(begun(7, 0)));
        assert_eq!(halves.find(hash("a"), PATIENCE), None);
        assert_eq!(halves.find(hash("b"), 0), None);
        assert!(halves.end(hash("a")));
        assert!(!halves.end(hash("a")));
    }

    #[test]
    fn a_new_password_ends_those_of_the_old_one() {
        let halves = Halves::default();
        halves.begin(hash("a"), begun(7, 0), 0);
        halves.begin(hash("b"), begun(8, 0), 0);
        halves.end_all(7);
        assert_eq!((whose(&halves, "a", 0), whose(&halves, "b", 0)), (None, Some(8)));
    }

    #[test]
    fn who_signs_out_at_the_provider_does_not_come_in_by_the_second_step() {
        let halves = Halves::default();
        let provider = |name: &str| Some(ProviderSession { subject: hash(name), session: None });
        halves.begin(hash("a"), Begun { provider: provider("anna"), ..begun(7, 0) }, 0);
        halves.begin(hash("b"), Begun { provider: provider("bert"), ..begun(8, 0) }, 0);
        halves.begin(hash("c"), begun(7, 0), 0);
        halves.end_by_provider(SignedOut { subject: Some(hash("anna")), session: None });
        assert_eq!(["a", "b", "c"].map(|name| whose(&halves, name, 0)), [None, Some(8), Some(7)]);
    }

    #[test]
    fn the_oldest_makes_room() {
        let halves = Halves::default();
        for number in 0..=KEPT {
            let now = u64::try_from(number).unwrap();
            halves.begin(hash(&number.to_string()), begun(7, now), now);
        }
        assert_eq!((whose(&halves, "0", 1), whose(&halves, "1", 1)), (None, Some(7)));
    }
}
