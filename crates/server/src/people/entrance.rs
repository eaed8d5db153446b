//! The ways in: signing in with a password, a PIN on the spot, the first administrator, and API tokens.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError};

use axum::http::StatusCode;
use croupier_journal::{Author, By, Change, Hash, keys};
use croupier_table::{Actor, PersonId, Staff};

use super::guard::{What, locked};
use super::secret::Stands;
use super::session::{Beginning, ProviderSession, SessionShown, SignedOut};
use super::token::{self, Presented, Token, TokenFor};
use super::{As, Came, Edit, Grant, New, People, PeopleError, Person, Secret, Seen, choice, register};
use crate::clock;
use crate::limits::Who;
use crate::problem::Problem;
use crate::table::TableHandle;

/// How long a sign-in at the identity provider stands for a password that an account does not have, in milliseconds.
const JUST_NOW: u64 = 5 * 60_000;

/// Somebody who has just signed in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// Who.
    pub person: Arc<Person>,
    /// What the cookie holds.
    pub(super) secret: Secret,
    /// When the session ends at the latest, in milliseconds since 1970.
    pub expires: u64,
    /// The sign-in before this one.
    pub before: Option<Seen>,
    /// The identity provider has seen a second factor.
    pub factor_seen: bool,
}

impl People {
    /// Signs somebody in; where there is a second factor, that is shown next.
    ///
    /// # Errors
    /// 401 `wrong-password`, 403 `disabled`, 429 `locked`.
    pub async fn sign_in(&self, name: &str, password: &Secret, from: IpAddr) -> Result<Came, Problem> {
        let (inner, address) = (&self.inner, from);
        let from = Some(Who::at(from));
        let person = self.named(name);
        // Not the name that was typed, which may be a password in the wrong place.
        let id = person.as_ref().map(|person| person.id);
        if let Err(seconds) = inner.watch.begin(What::Password, name, from, clock::now()) {
            tracing::info!(%address, person = id, seconds, "sign-in refused: too many failures");
            return Err(locked(seconds));
        }
        let kept = person.as_ref().and_then(|person| person.password.as_ref());
        let fits = inner.hasher.is(Stands::AtTheDoor, password, kept).await?;
        let Some(person) = person.filter(|_| fits) else {
            metrics::counter!("croupier_sign_ins_total", "result" => "wrong").increment(1);
            tracing::info!(%address, person = id, "sign-in failed");
            return Err(wrong_password());
        };
        inner.watch.succeeded(What::Password, name, from);
        if person.disabled {
            let problem = choice::disabled();
            self.record_denial(By::Person(PersonId(person.id)), "POST /api/sign-in", None, &problem.code)
                .await;
            return Err(problem);
        }
        let came = self.come_in(person, address, None).await?;
        if let Came::In(SignedIn { person, .. }) = &came {
            metrics::counter!("croupier_sign_ins_total", "result" => "right").increment(1);
            tracing::info!(%address, person = person.id, "signed in");
        }
        Ok(came)
    }

    /// Checks the password of somebody who is signed in already.
    ///
    /// # Errors
    /// 403 `wrong-password`, 409 `no-password`, 429 `locked`.
    pub async fn check_password(&self, person: &Person, password: &Secret) -> Result<(), Problem> {
        let inner = &self.inner;
        let Some(kept) = &person.password else {
            let detail = "this account has no password; an administrator can give it one";
            return Err(Problem::conflict("no-password", detail));
        };
        // By the person: guesses at the door cannot lock out who is in, nor the other way round.
        let from = Some(Who::Person(person.id));
        inner.watch.begin(What::Password, &person.name, from, clock::now()).map_err(locked)?;
        if !inner.hasher.is(Stands::Inside, password, Some(kept)).await? {
            return Err(Problem::forbidden("wrong-password", "that is not your password"));
        }
        inner.watch.succeeded(What::Password, &person.name, from);
        Ok(())
    }

    /// Whether a session began at the identity provider just now: so somebody shows once more who they are whose account
    /// has no password.
    ///
    /// # Errors
    /// 403 `sign-in-again`.
    pub fn came_just_now(&self, session: Hash) -> Result<(), Problem> {
        let now = clock::now();
        let session = self.inner.sessions.find(session, now);
        let is_fresh = |made: u64| now < made.saturating_add(JUST_NOW);
        if session.is_some_and(|session| session.provider.is_some() && is_fresh(session.made)) {
            return Ok(());
        }
        let detail = "this account has no password: sign out, sign in by the identity provider, and do it within five \
                      minutes";
        Err(Problem::forbidden("sign-in-again", detail))
    }

    /// Ends the sessions that began at the identity provider and are over there; how many there were.
    ///
    /// # Errors
    /// When the journal fails; the sessions are over nevertheless until the server starts again.
    pub(crate) async fn sign_out_by_provider(&self, out: SignedOut) -> Result<usize, Problem> {
        self.inner.halves.end_by_provider(out);
        let changes = self.inner.sessions.end_by_provider(out);
        let ended = changes.len();
        self.inner.floor.keep(changes).await?;
        Ok(ended)
    }

    /// A session for somebody who has shown who they are, and from where they come. Durable when it returns.
    ///
    /// # Errors
    /// When the journal fails.
    pub async fn begin_session(&self, person: u32, from: Option<IpAddr>) -> Result<SignedIn, Problem> {
        self.begin_session_with(person, from, None, false).await
    }

    /// The same by a session at the identity provider, if there is one; and whether a second factor was seen there.
    ///
    /// # Errors
    /// When the journal fails.
    pub(super) async fn begin_session_with(
        &self,
        person: u32,
        from: Option<IpAddr>,
        provider: Option<ProviderSession>,
        factor_seen: bool,
    ) -> Result<SignedIn, Problem> {
        let seen = from.map(|address| Seen { at: clock::now(), address });
        let (before, change) = match seen.map(|seen| self.inner.sightings.sign_in(person, seen)) {
            Some((before, change)) => (before, Some(change)),
            None => (None, None),
        };
        self.new_session(Beginning { person, before, address: from, factor_seen, provider }, change).await
    }

    /// A session in the place of one that has ended with others, for whoever was in by it.
    ///
    /// # Errors
    /// When the journal fails.
    pub(crate) async fn renew_session(&self, person: u32, before: Option<Seen>) -> Result<SignedIn, Problem> {
        let beginning = Beginning { person, before, address: None, factor_seen: false, provider: None };
        self.new_session(beginning, None).await
    }

    async fn new_session(&self, beginning: Beginning, change: Option<Change>) -> Result<SignedIn, Problem> {
        let Beginning { person, before, factor_seen, .. } = beginning;
        let person = self.get(person).ok_or_else(|| super::nobody(person))?;
        let secret: [u8; 32] = keys::random().map_err(|error| Problem::internal(&error))?;
        let secret = Secret::new(Hash(secret).to_string());
        let hash = Hash::of(secret.expose().as_bytes());
        let (session, mut changes) = self.inner.sessions.begin(hash, beginning, clock::now());
        changes.extend(change);
        self.inner.floor.keep(changes).await?;
        Ok(SignedIn { person, secret, expires: session.expires, before, factor_seen })
    }

    /// Ends a session.
    ///
    /// # Errors
    /// When the journal fails; the session is over nevertheless until the server starts again.
    pub async fn end_session(&self, session: Hash) -> Result<(), Problem> {
        let changes = self.inner.sessions.end(session);
        Ok(self.inner.floor.keep(changes).await?)
    }

    /// The sessions of somebody, the newest first; `this` is the one that asks.
    #[must_use]
    pub fn sessions_of(&self, person: u32, this: Option<Hash>) -> Vec<SessionShown> {
        self.inner.sessions.of(person, this, clock::now())
    }

    /// Ends a session of somebody by its name, or all of them but the one that asks.
    ///
    /// # Errors
    /// 404 if there is no such session; when the journal fails.
    pub async fn end_other_sessions(
        &self,
        person: u32,
        this: Hash,
        which: Option<&str>,
    ) -> Result<(), Problem> {
        let changes = self.inner.sessions.end_others(person, this, which);
        if changes.is_empty() && which.is_some() {
            return Err(Problem::not_found("you have no such session; it may be over"));
        }
        Ok(self.inner.floor.keep(changes).await?)
    }

    /// When a session ends at the latest.
    #[must_use]
    pub fn session_expires(&self, session: Hash) -> Option<u64> {
        self.inner.sessions.find(session, clock::now()).map(|session| session.expires)
    }

    /// The sign-in before the one that a session began with.
    #[must_use]
    pub fn signed_in_before(&self, session: Hash) -> Option<Seen> {
        self.inner.sessions.find(session, clock::now()).and_then(|session| session.before)
    }

    /// Somebody who shows by name or id and PIN that they stand at a table, as who they act there: a member of the
    /// staff on duty, or a player.
    ///
    /// # Errors
    /// 403 `wrong-pin`, `off-duty`, `not-staff` or `not-player`; 429 `locked`.
    pub async fn actor_by_pin(
        &self,
        tried_by: u32,
        who: &str,
        pin: &str,
        table: &TableHandle,
        wanted: Option<As>,
    ) -> Result<Actor, Problem> {
        let person = self.person_by_pin(tried_by, who, pin).await?;
        match choice::choose_actor(&person, table, wanted).map_err(of_another)? {
            actor @ (Actor::Staff(_) | Actor::Player(_)) => Ok(actor),
            Actor::Device | Actor::Display | Actor::System | Actor::Surveillance => {
                Err(Problem::forbidden("not-staff", "that person has no rank at this table"))
            }
        }
    }

    /// Somebody on duty who shows by name or id and PIN that they stand at a table.
    ///
    /// # Errors
    /// 403 `wrong-pin`, `off-duty` or `not-staff`; 429 `locked`.
    pub async fn by_pin(
        &self,
        tried_by: u32,
        who: &str,
        pin: &str,
        table: &TableHandle,
    ) -> Result<Staff, Problem> {
        let person = self.person_by_pin(tried_by, who, pin).await?;
        let Some(staff) = person.rank_at(table) else {
            return Err(Problem::forbidden("not-staff", "that person has no rank at this table"));
        };
        match person.on_duty {
            true => Ok(staff),
            false => Err(Problem::forbidden("off-duty", "that person is off duty")),
        }
    }

    /// Somebody who shows by name or id and PIN that they are there. Failures are counted by the person at whose
    /// console it is tried, so that nobody locks the PINs of all others.
    ///
    /// # Errors
    /// 403 `wrong-pin`, 429 `locked`.
    pub async fn person_by_pin(&self, tried_by: u32, who: &str, pin: &str) -> Result<Arc<Person>, Problem> {
        let inner = &self.inner;
        let person = match who.parse::<u32>() {
            Ok(id) => self.get(id),
            Err(_) => self.named(who),
        };
        // However somebody is named, it is the same lock.
        let name = person.as_ref().map_or(who, |person| person.name.as_str()).to_string();
        let from = Some(Who::Person(tried_by));
        inner.watch.begin(What::Pin, &name, from, clock::now()).map_err(locked)?;
        let kept = person.as_ref().and_then(|person| person.pin.as_ref());
        let fits = inner.hasher.is(Stands::Inside, &Secret::new(pin), kept).await?;
        match person.filter(|person| fits && !person.disabled) {
            Some(person) => {
                inner.watch.succeeded(What::Pin, &name, from);
                Ok(person)
            }
            None => Err(Problem::forbidden("wrong-pin", "the name or the PIN is wrong")),
        }
    }

    /// A one-time token with which the first administrator is made, in the place of any before; none while there is
    /// an administrator. It is kept in memory only.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn first_run_token(&self) -> Result<Option<String>, PeopleError> {
        if self.has_admin() {
            return Ok(None);
        }
        let token = Hash(keys::random()?).to_string();
        let mut invitation = self.inner.invitation.lock().unwrap_or_else(PoisonError::into_inner);
        *invitation = Some(Hash::of(token.as_bytes()));
        Ok(Some(token))
    }

    /// Makes the first administrator and signs them in. Who runs the floor and the cage is theirs to say.
    ///
    /// # Errors
    /// 403 `bad-invitation` if the token is not the one; 409 and 422 as for every account.
    pub async fn first_run(
        &self,
        token: &Secret,
        name: String,
        password: Secret,
        from: IpAddr,
    ) -> Result<SignedIn, Problem> {
        let hash = Hash::of(token.expose().as_bytes());
        let taken = {
            let mut invitation = self.inner.invitation.lock().unwrap_or_else(PoisonError::into_inner);
            invitation.take_if(|kept| *kept == hash)
        };
        if taken.is_none() || self.has_admin() {
            let detail =
                "the link is not valid; the server prints one at its start while nobody administers it";
            return Err(Problem::forbidden("bad-invitation", detail));
        }
        let new = New {
            name,
            password: Some(password),
            grants: vec![Grant::Admin],
            on_duty: true,
            ..New::default()
        };
        match self.create(By::System, new).await {
            Ok(person) => self.begin_session(person.id, Some(from)).await,
            Err(problem) => {
                // A name that was not accepted does not spend the link.
                let mut invitation = self.inner.invitation.lock().unwrap_or_else(PoisonError::into_inner);
                *invitation = taken;
                Err(problem)
            }
        }
    }

    /// Whether somebody has a session now.
    #[must_use]
    pub fn is_signed_in(&self, person: u32) -> bool {
        self.inner.sessions.is_in(person, clock::now())
    }

    /// Somebody with exactly this name and these grants, made or changed where needed.
    ///
    /// # Errors
    /// What is not accepted.
    pub async fn ensure(
        &self,
        name: &str,
        nickname: &str,
        grants: Vec<Grant>,
    ) -> Result<Arc<Person>, Problem> {
        match self.named(name) {
            None => {
                let nickname = Some(nickname.to_string());
                let new = New { name: name.to_string(), nickname, grants, on_duty: true, ..New::default() };
                self.create(By::System, new).await
            }
            Some(person) => {
                let edit = Edit {
                    grants: Some(grants),
                    on_duty: Some(true),
                    excluded: Some(false),
                    disabled: Some(false),
                    ..Edit::default()
                };
                self.edit(By::System, person.id, edit).await
            }
        }
    }

    /// Makes an API token; its text is not kept anywhere. Durable when it returns.
    ///
    /// # Errors
    /// When the journal fails.
    pub async fn make_token(
        &self,
        by: &Person,
        whom: TokenFor,
        label: String,
        expires: u64,
    ) -> Result<(Arc<Token>, String), Problem> {
        let author = By::Person(PersonId(by.id)).into();
        self.make_token_by(author, by.id, whom, label, expires).await
    }

    /// The same, with the session by which its maker is known.
    ///
    /// # Errors
    /// When the journal fails.
    pub async fn make_token_by(
        &self,
        by: Author,
        made_by: u32,
        whom: TokenFor,
        label: String,
        expires: u64,
    ) -> Result<(Arc<Token>, String), Problem> {
        let secret = keys::random().map_err(|error| Problem::internal(&error))?;
        let inner = Arc::clone(&self.inner);
        let task = tokio::spawn(async move {
            let _one = inner.writing.lock().await;
            let presented = Presented::new(inner.tokens.next(), secret);
            let token = Token {
                id: presented.id,
                hash: presented.hash(),
                label,
                whom,
                made_by,
                made: clock::now(),
                expires,
                revoked: false,
            };
            // Until when, in milliseconds since 1970, as all times of the journal.
            let deed = register(token::REGISTER, token.id, format!("created for {whom} until {expires}"));
            inner.floor.record(by, deed, vec![token.change()]).await?;
            Ok((inner.tokens.put(token), presented.text()))
        });
        task.await.map_err(|error| Problem::internal(&error))?
    }

    /// Takes a token back. Durable when it returns.
    ///
    /// # Errors
    /// 404 if there is none.
    pub async fn revoke_token(&self, by: impl Into<Author>, id: u32) -> Result<(), Problem> {
        let (inner, by) = (Arc::clone(&self.inner), by.into());
        let task = tokio::spawn(async move {
            let _one = inner.writing.lock().await;
            let token = inner.tokens.get(id);
            let token = token.ok_or_else(|| Problem::not_found(format!("there is no token {id}")))?;
            if token.revoked {
                return Ok(());
            }
            let token = Token { revoked: true, ..Token::clone(&token) };
            let deed = register(token::REGISTER, id, "revoked");
            inner.floor.record(by, deed, vec![token.change()]).await?;
            inner.tokens.put(token);
            Ok(())
        });
        task.await.map_err(|error| Problem::internal(&error))?
    }

    /// A token, whether it counts or not.
    #[must_use]
    pub fn token(&self, id: u32) -> Option<Arc<Token>> {
        self.inner.tokens.get(id)
    }

    /// All tokens, in the order they were made.
    #[must_use]
    pub fn tokens(&self) -> Vec<Arc<Token>> {
        self.inner.tokens.all()
    }
}

/// What is said to oneself is about another here.
fn of_another(problem: Problem) -> Problem {
    let detail = match problem.code.as_str() {
        "off-duty" => "that person is off duty",
        "not-staff" => "that person has no rank at this table",
        "not-player" => "that person is no player here and has no rank at this table",
        _ => return problem,
    };
    Problem::forbidden(&problem.code, detail)
}

fn wrong_password() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "wrong-password", "the name or the password is wrong")
}
