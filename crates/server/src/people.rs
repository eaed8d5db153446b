//! Who may sign in and what they may be: accounts, sessions, API tokens, duty, exclusion.
//!
//! People live in registers outside the chain; the journal names them by their ids only and records that something
//! about them changed. Everything is kept in memory too, and a change counts once it is durable.
//!
//! | module | what it holds |
//! |---|---|
//! | `secret`, `weak` | passwords and PINs, their hashes, and those that are guessed first |
//! | `guard` | what keeps guessing off |
//! | `factor` | second factors: authenticator apps, passkeys, recovery codes, who must have one |
//! | `session`, `token` | how a request shows who sends it |
//! | `seen` | when somebody signed in last |
//! | `grant`, `role` | what somebody may be, and what nobody is at once |
//! | `caller`, `origin` | who a request comes from, and from which page |
//! | `provided` | signing in by an identity provider |
//! | `choice` | as who somebody comes to a table |
//! | `entrance` | signing in, the first run |
//! | `follow` | what another node has changed |
//!
//! What somebody may do at a table is the table's to decide; here is only as who they come to it.

mod caller;
mod choice;
mod entrance;
mod factor;
mod follow;
mod grant;
mod guard;
mod origin;
mod provided;
mod role;
mod secret;
mod seen;
mod session;
mod token;
mod weak;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use croupier_journal::deed::{Denied, RegisterChange};
use croupier_journal::keys::KeyError;
use croupier_journal::{Author, Change, Deed, Hash, StoreError, Stream};
use croupier_ledger::PlayerId;
use croupier_table::Staff;
use serde::{Deserialize, Serialize};

use crate::clock;
use crate::demonstration::Demonstration;
use crate::floor::Floor;
use crate::problem::Problem;
use crate::table::TableHandle;

pub use caller::{Caller, CameFrom, DeviceCaller, MaybeCaller, Via, deny};
pub use choice::As;
pub use entrance::SignedIn;
pub use factor::{
    Came, Enrolling, FactorProof, FactorShown, Half, NewPasskey, PasskeyAsk, PasskeyProof, PasskeyShown,
    PasskeyToMake, SecondFactor,
};
pub use grant::{Grant, Right};
pub use guard::Guard;
pub use origin::same_origin;
pub use role::{Role, Roles};
pub use secret::{Cost, Kept, Secret};
pub use seen::Seen;
pub use session::{SessionShown, Terms};
pub use token::{Token, TokenFor};

pub(crate) use caller::{address, cookie, cookie_line, cookie_name, cookie_of, host_of, no_cookie};
pub(crate) use follow::REGISTERS;
pub(crate) use origin::{is_loopback_name, not_cross_site};
pub(crate) use session::{ProviderSession, SignedOut};

/// The register of people.
const REGISTER: &str = "person";

/// What an operator sets about people.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// What a guess at a password costs.
    pub cost: Cost,
    /// How many failures are too many.
    pub guard: Guard,
    /// How long sessions last.
    pub sessions: Terms,
    /// The fewest characters of a password.
    pub password_shortest: usize,
    /// The fewest digits of a PIN.
    pub pin_shortest: usize,
    /// A file of breached passwords, as Have I Been Pwned has them: none of these is accepted.
    pub breached: Option<PathBuf>,
    /// A proxy stands before the server, and the last address of `X-Forwarded-For` is the client's.
    pub behind_proxy: bool,
    /// Which roles may meet in one person.
    pub roles: Roles,
    /// Who must have a second factor.
    pub second_factor: SecondFactor,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cost: Cost::default(),
            guard: Guard::default(),
            sessions: Terms::default(),
            password_shortest: 10,
            pin_shortest: 6,
            breached: None,
            behind_proxy: false,
            roles: Roles::default(),
            second_factor: SecondFactor::default(),
        }
    }
}

/// Somebody with an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// The id, which is also that of the player or of the member of the staff.
    pub id: u32,
    /// The name to sign in with.
    pub name: String,
    /// The name that is shown at tables.
    pub nickname: String,
    /// The password; nobody without one signs in with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Kept>,
    /// The PIN for rulings on the spot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<Kept>,
    /// What the identity provider calls the person, where they may sign in by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// What the person may be.
    pub grants: Vec<Grant>,
    /// May not play.
    pub excluded: bool,
    /// May not sign in.
    pub disabled: bool,
    /// Is on duty.
    pub on_duty: bool,
}

impl Person {
    /// Whether the person has a grant.
    #[must_use]
    pub fn is(&self, grant: &Grant) -> bool {
        self.grants.contains(grant)
    }

    /// Whether the person has a right.
    #[must_use]
    pub fn has(&self, right: Right) -> bool {
        self.is(&right.needs())
    }

    /// Whether the person works here.
    #[must_use]
    pub fn is_staff(&self) -> bool {
        !self.disabled && self.grants.iter().any(|grant| *grant != Grant::Player)
    }

    /// The rank at a table, on duty or not.
    #[must_use]
    pub fn rank_at(&self, table: &TableHandle) -> Option<Staff> {
        grant::staff_at(self.id, &self.grants, table)
    }

    fn is_admin(&self) -> bool {
        self.is(&Grant::Admin) && !self.disabled
    }

    fn change(&self) -> Change {
        let value = serde_json::to_vec(self).unwrap_or_default();
        Change::Put { register: REGISTER, key: format!("{:010}", self.id), value }
    }
}

/// Somebody new.
#[derive(Clone, Debug, Default)]
pub struct New {
    /// The name to sign in with.
    pub name: String,
    /// The name that is shown, which is not the one to sign in with; a number if not said.
    pub nickname: Option<String>,
    /// The password.
    pub password: Option<Secret>,
    /// The PIN.
    pub pin: Option<Secret>,
    /// What the person may be.
    pub grants: Vec<Grant>,
    /// On duty at once.
    pub on_duty: bool,
}

/// What is changed about somebody; anything not set stays.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    /// The name that is shown.
    pub nickname: Option<String>,
    /// The password; all sessions and tokens end.
    pub password: Option<Secret>,
    /// The PIN, or none.
    pub pin: Option<Option<Secret>>,
    /// What the identity provider calls the person, or nothing; all sessions and tokens end.
    pub provider: Option<Option<String>>,
    /// What the person may be.
    pub grants: Option<Vec<Grant>>,
    /// Whether the person may not play.
    pub excluded: Option<bool>,
    /// Whether the person may not sign in; all sessions and tokens end.
    pub disabled: Option<bool>,
    /// Whether the person is on duty.
    pub on_duty: Option<bool>,
}

/// Why people cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    /// The register cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An entry is not understood.
    #[error("the register `{0}` is not understood: {1}")]
    Entry(&'static str, String),
    /// The system gives no randomness.
    #[error(transparent)]
    Random(#[from] KeyError),
    /// The cost of passwords cannot be used.
    #[error("people.cost: {0}; 19456 KiB and 2 passes are usual")]
    Cost(String),
    /// The file of breached passwords cannot be used.
    #[error("people.breached: {0}")]
    Breached(String),
    /// A second factor is required of somebody whom nobody can be.
    #[error("people.second_factor: {0}")]
    SecondFactor(String),
}

#[derive(Debug, Default)]
struct Book {
    by_id: BTreeMap<u32, Arc<Person>>,
    by_name: HashMap<String, u32>,
}

impl Book {
    fn put(&mut self, person: Person) -> Arc<Person> {
        let person = Arc::new(person);
        self.by_name.insert(person.name.to_lowercase(), person.id);
        self.by_id.insert(person.id, Arc::clone(&person));
        person
    }
}

#[derive(Debug)]
struct Inner {
    floor: Arc<Floor>,
    settings: Settings,
    book: RwLock<Book>,
    /// Held while something about people is written, so that memory and register change in the same order.
    writing: tokio::sync::Mutex<()>,
    hasher: secret::Hasher,
    watch: guard::Watch,
    sessions: session::Sessions,
    tokens: token::Tokens,
    factors: factor::Factors,
    halves: factor::Halves,
    pending: factor::Pending,
    sightings: seen::Sightings,
    breached: Option<weak::Breached>,
    /// The hash of the token with which the first administrator is made.
    invitation: Mutex<Option<Hash>>,
    /// Who knows the names of robots, where there are any.
    demonstration: OnceLock<Arc<dyn Demonstration>>,
}

/// Somebody from the register.
fn read(key: &str, value: &[u8]) -> Result<Person, PeopleError> {
    let mut person: Person = serde_json::from_slice(value)
        .map_err(|error| PeopleError::Entry(REGISTER, format!("{key}: {error}")))?;
    // Who was given no nickname used to be shown by the name they sign in with.
    if person.nickname.eq_ignore_ascii_case(&person.name) {
        person.nickname = no_name(person.id, &person.grants);
    }
    Ok(person)
}

/// Everybody with an account.
#[derive(Clone, Debug)]
pub struct People {
    inner: Arc<Inner>,
}

impl People {
    /// Everybody, as the registers have them. It blocks while it reads.
    ///
    /// # Errors
    /// When a register cannot be read.
    pub fn load(floor: &Arc<Floor>, settings: Settings) -> Result<Self, PeopleError> {
        if let Some(fault) = settings.second_factor.fault(&floor.shelf()) {
            return Err(PeopleError::SecondFactor(fault));
        }
        let (people, sessions, tokens) = floor.shared.readers.read_here(|store| {
            Ok((store.entries(REGISTER)?, store.entries(session::REGISTER)?, store.entries(token::REGISTER)?))
        })?;
        let (factors, sightings) = floor
            .shared
            .readers
            .read_here(|store| Ok((store.entries(factor::REGISTER)?, store.entries(seen::REGISTER)?)))?;
        let mut book = Book::default();
        for (key, value) in people {
            book.put(read(&key, &value)?);
        }
        let breached = match &settings.breached {
            Some(path) => Some(
                weak::Breached::open(path)
                    .map_err(|error| PeopleError::Breached(format!("{}: {error}", path.display())))?,
            ),
            None => None,
        };
        let tokens = token::Tokens::load(tokens).map_err(|what| PeopleError::Entry(token::REGISTER, what))?;
        let inner = Inner {
            floor: Arc::clone(floor),
            book: RwLock::new(book),
            writing: tokio::sync::Mutex::new(()),
            hasher: secret::Hasher::new(settings.cost)?,
            watch: guard::Watch::new(settings.guard),
            sessions: session::Sessions::load(settings.sessions, &floor.shared.keys, sessions, clock::now()),
            tokens,
            factors: factor::Factors::load(&floor.shared.keys, factors),
            halves: factor::Halves::default(),
            pending: factor::Pending::default(),
            sightings: seen::Sightings::load(sightings),
            breached,
            invitation: Mutex::new(None),
            demonstration: OnceLock::new(),
            settings,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// What the operator set.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// Keeps when sessions were used last, so that a restart does not wake those that have gone idle.
    ///
    /// # Errors
    /// When the journal fails.
    pub async fn keep_sessions(&self) -> Result<(), Problem> {
        if self.inner.floor.shared.till.follows() {
            // The node that leads hears of it with the requests that are passed to it.
            return Ok(());
        }
        let changes = self.inner.sessions.used();
        if changes.is_empty() {
            return Ok(());
        }
        Ok(self.inner.floor.keep(changes).await?)
    }

    /// The same once a minute, for as long as there is anybody.
    pub(crate) fn keep_sessions_by_and_by(&self) {
        let people = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            let mut tick = tokio::time::interval(Duration::from_secs(60));
            loop {
                tick.tick().await;
                let Some(inner) = people.upgrade() else { return };
                if let Err(problem) = (Self { inner }).keep_sessions().await {
                    tracing::error!(problem.detail, "the use of sessions could not be kept");
                }
            }
        });
    }

    /// Somebody.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<Arc<Person>> {
        self.inner.book.read().unwrap_or_else(PoisonError::into_inner).by_id.get(&id).cloned()
    }

    /// Somebody by the name they sign in with.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Arc<Person>> {
        let book = self.inner.book.read().unwrap_or_else(PoisonError::into_inner);
        book.by_name.get(&name.to_lowercase()).and_then(|id| book.by_id.get(id)).cloned()
    }

    /// Everybody after an id, in the order of their ids, as far as they fit.
    #[must_use]
    pub fn after(&self, id: u32, most: usize, fits: impl Fn(&Person) -> bool) -> Vec<Arc<Person>> {
        let book = self.inner.book.read().unwrap_or_else(PoisonError::into_inner);
        let later = book.by_id.range(id.saturating_add(1)..).map(|(_, person)| person);
        later.filter(|person| fits(person)).take(most).cloned().collect()
    }

    /// Lets a demonstration name its robots.
    pub(crate) fn name_robots(&self, demonstration: Arc<dyn Demonstration>) {
        // A server has one, from its start on.
        let _ = self.inner.demonstration.set(demonstration);
    }

    /// The names that are shown for some of them.
    #[must_use]
    pub fn nicknames(&self, ids: &[u32]) -> BTreeMap<u32, String> {
        let book = self.inner.book.read().unwrap_or_else(PoisonError::into_inner);
        let robots = self.inner.demonstration.get();
        let robot = |id: u32| robots?.nickname(PlayerId(id)).map(str::to_string);
        let name = |id: &u32| match book.by_id.get(id) {
            Some(person) => Some((*id, person.nickname.clone())),
            None => robot(*id).map(|name| (*id, name)),
        };
        ids.iter().filter_map(name).collect()
    }

    /// The rank of somebody at a table, on duty or not; nobody who may not sign in has one.
    #[must_use]
    pub fn staff_of(&self, id: u32, table: &TableHandle) -> Option<Staff> {
        self.get(id).filter(|person| !person.disabled)?.rank_at(table)
    }

    /// Whether somebody may play.
    ///
    /// # Errors
    /// 403 if the player is excluded, 422 if it is none.
    pub fn check_player(&self, id: u32) -> Result<(), Problem> {
        match self.get(id) {
            Some(person) if person.is(&Grant::Player) && !person.disabled => match person.excluded {
                true => Err(excluded()),
                false => Ok(()),
            },
            Some(_) | None => {
                let player = PlayerId(id);
                Err(Problem::refused("no-player", format!("there is no player {player} who may play")))
            }
        }
    }

    /// Whether there is somebody who may administer.
    #[must_use]
    pub fn has_admin(&self) -> bool {
        let book = self.inner.book.read().unwrap_or_else(PoisonError::into_inner);
        book.by_id.values().any(|person| person.is_admin())
    }

    /// Whether sign-in under a name is locked for the time being.
    #[must_use]
    pub fn is_locked(&self, name: &str) -> bool {
        let is = |what| self.inner.watch.is_locked(what, name, clock::now());
        is(guard::What::Password) || is(guard::What::Code)
    }

    /// Forgets the failed attempts under a name.
    pub fn unlock(&self, name: &str) {
        self.inner.watch.forget(name);
    }

    /// Makes an account. Durable when it returns.
    ///
    /// # Errors
    /// 409 if the name is taken, 422 for what is not accepted.
    pub async fn create(&self, by: impl Into<Author>, new: New) -> Result<Arc<Person>, Problem> {
        let New { name, nickname, password, pin, grants, on_duty } = new;
        self.name_fits(&name)?;
        if let Some(nickname) = &nickname {
            nickname_fits(nickname, &name)?;
        }
        let grants = self.grants_fit(grants, &[])?;
        let password = self.password(password.as_ref(), &name).await?;
        let pin = self.pin(pin.as_ref()).await?;
        self.write(by.into(), move |inner| {
            let book = inner.book.read().unwrap_or_else(PoisonError::into_inner);
            if book.by_name.contains_key(&name.to_lowercase()) {
                return Err(Problem::conflict("name-taken", "somebody else has this name; choose another"));
            }
            let id = book.by_id.last_key_value().map_or(1, |(id, _)| id.saturating_add(1));
            let nickname = nickname.unwrap_or_else(|| no_name(id, &grants));
            let person = Person {
                id,
                name,
                nickname,
                password,
                pin,
                provider: None,
                grants,
                excluded: false,
                disabled: false,
                on_duty,
            };
            Ok(Write { person, what: vec!["created"], shuts_out: false })
        })
        .await
    }

    /// Changes an account. Durable when it returns.
    ///
    /// # Errors
    /// 404 if there is no such person, 409 if nobody would be left to administer, 422 for what is not accepted.
    pub async fn edit(&self, by: impl Into<Author>, id: u32, edit: Edit) -> Result<Arc<Person>, Problem> {
        let before = self.get(id).ok_or_else(|| nobody(id))?;
        if let Some(nickname) = &edit.nickname {
            nickname_fits(nickname, &before.name)?;
        }
        if let Some(Some(subject)) = &edit.provider {
            provided::subject_fits(subject)?;
        }
        let grants = edit.grants.map(|grants| self.grants_fit(grants, &before.grants)).transpose()?;
        let password = self.password(edit.password.as_ref(), &before.name).await?;
        let pin = match &edit.pin {
            Some(pin) => Some(self.pin(pin.as_ref()).await?),
            None => None,
        };
        let name = before.name.clone();
        let new_password = password.is_some();
        let written = self
            .write(by.into(), move |inner| {
                let book = inner.book.read().unwrap_or_else(PoisonError::into_inner);
                let before = book.by_id.get(&id).ok_or_else(|| nobody(id))?;
                let mut person = Person::clone(before);
                let mut what = Vec::new();
                let mut note = |changed: bool, word: &'static str| {
                    if changed {
                        what.push(word);
                    }
                };
                if let Some(nickname) = edit.nickname {
                    note(nickname != person.nickname, "nickname");
                    person.nickname = nickname;
                }
                if let Some(grants) = grants {
                    note(grants != person.grants, "grants");
                    person.grants = grants;
                }
                let mut tied_anew = false;
                if let Some(provider) = edit.provider {
                    let is_it = |other: &&Arc<Person>| other.id != id && other.provider == provider;
                    if provider.is_some() && book.by_id.values().find(is_it).is_some() {
                        return Err(provided::subject_taken());
                    }
                    tied_anew = provider != person.provider;
                    note(tied_anew, if provider.is_some() { "provider-tied" } else { "provider-untied" });
                    person.provider = provider;
                }
                if let Some(excluded) = edit.excluded {
                    note(excluded != person.excluded, if excluded { "excluded" } else { "readmitted" });
                    person.excluded = excluded;
                }
                if let Some(disabled) = edit.disabled {
                    note(disabled != person.disabled, if disabled { "disabled" } else { "enabled" });
                    person.disabled = disabled;
                }
                if let Some(on_duty) = edit.on_duty {
                    note(on_duty != person.on_duty, if on_duty { "on-duty" } else { "off-duty" });
                    person.on_duty = on_duty;
                }
                if let Some(password) = password {
                    note(true, "password");
                    person.password = Some(password);
                }
                if let Some(pin) = pin {
                    note(true, "pin");
                    person.pin = pin;
                }
                let others = || book.by_id.values().any(|other| other.id != id && other.is_admin());
                if before.is_admin() && !person.is_admin() && !others() {
                    let detail = "nobody would be left to administer; make somebody else administrator first";
                    return Err(Problem::conflict("last-admin", detail));
                }
                let shuts_out = new_password || tied_anew || person.disabled;
                Ok(Write { person, what, shuts_out })
            })
            .await?;
        if new_password {
            self.unlock(&name);
        }
        Ok(written)
    }

    /// Writes a change to somebody, to its end even if nobody waits for it any more.
    async fn write(
        &self,
        by: Author,
        edit: impl FnOnce(&Inner) -> Result<Write, Problem> + Send + 'static,
    ) -> Result<Arc<Person>, Problem> {
        let inner = Arc::clone(&self.inner);
        let task = tokio::spawn(async move {
            let _one = inner.writing.lock().await;
            let Write { person, what, shuts_out } = edit(&inner)?;
            if what.is_empty() {
                return Ok(Arc::new(person));
            }
            let mut changes = vec![person.change()];
            let mut what = what.join(", ");
            let mut revoked = Vec::new();
            if shuts_out {
                changes.extend(inner.sessions.end_all(person.id));
                inner.halves.end_all(person.id);
                revoked = inner.tokens.of_person(person.id, clock::now());
            }
            for token in &mut revoked {
                token.revoked = true;
                changes.push(token.change());
                what.push_str(&format!(", token {} revoked", token.id));
            }
            let deed = register(REGISTER, person.id, what);
            inner.floor.record(by, deed, changes).await?;
            for token in revoked {
                inner.tokens.put(token);
            }
            Ok(inner.book.write().unwrap_or_else(PoisonError::into_inner).put(person))
        });
        task.await.map_err(|error| Problem::internal(&error))?
    }

    /// Records that somebody was refused for want of authority.
    pub(crate) async fn record_denial(
        &self,
        by: impl Into<Author>,
        what: &str,
        stream: Option<Stream>,
        code: &str,
    ) {
        let (what, code) = (what.to_string(), code.to_string());
        let denied = Denied { what, stream, code, cites: Vec::new(), more: 0 };
        let by = by.into();
        // Where another node leads the request is passed to it, and refused and put on record there.
        if self.inner.floor.shared.till.follows()
            || !self.inner.floor.shared.denials.is_written(by, &denied, clock::now())
        {
            return;
        }
        let code = denied.code.clone();
        if let Err(error) = self.inner.floor.record(by, Deed::Denied(denied), Vec::new()).await {
            tracing::error!(%error, by = ?by.by, code, "a denial could not be recorded");
        }
    }

    fn name_fits(&self, name: &str) -> Result<(), Problem> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".-_@".contains(&byte);
        // A number would be taken for an id.
        let begins = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
        if name.len() <= 60 && begins && name.bytes().all(fits) {
            return Ok(());
        }
        let detail = "a name to sign in with begins with a letter and has up to 60 letters, digits, `.`, `-`, `_` \
                      or `@`, without accents; the nickname may have any letters";
        Err(Problem::refused("bad-name", detail))
    }

    /// What somebody may be who was something before.
    fn grants_fit(&self, mut grants: Vec<Grant>, before: &[Grant]) -> Result<Vec<Grant>, Problem> {
        grants.sort();
        grants.dedup();
        if grants.len() > 64 {
            return Err(Problem::refused("bad-grants", "a person has at most 64 grants"));
        }
        let shelf = self.inner.floor.shelf();
        match grants.iter().find_map(|grant| grant.fault(&shelf)) {
            Some(fault) => Err(Problem::refused("bad-grants", fault)),
            None => match self.inner.settings.roles.meeting(&grants, before) {
                Some((one, other)) => Err(separate(one, other)),
                None => Ok(grants),
            },
        }
    }

    async fn password(&self, password: Option<&Secret>, name: &str) -> Result<Option<Kept>, Problem> {
        let Some(password) = password else { return Ok(None) };
        let shortest = self.inner.settings.password_shortest;
        let text = password.expose();
        if text.chars().count() < shortest || text.len() > Secret::LONGEST {
            let detail = format!("a password has at least {shortest} characters and at most 256 bytes");
            return Err(Problem::refused("bad-password", detail).with("shortest", shortest));
        }
        if text.to_lowercase().contains(&name.to_lowercase()) && text.chars().count() < name.len() + shortest
        {
            return Err(Problem::refused("bad-password", "the password must not be made of the name"));
        }
        if let Some(why) = weak::of_password(text) {
            return Err(Problem::refused("bad-password", why));
        }
        if self.is_breached(text).await? {
            let detail =
                "this password is known from a breach elsewhere; choose another, and change it there too";
            return Err(Problem::refused("bad-password", detail));
        }
        self.inner.hasher.keep(password).await.map(Some)
    }

    /// Whether a password is known from a breach, where the house has a list of them.
    async fn is_breached(&self, password: &str) -> Result<bool, Problem> {
        let Some(breached) = self.inner.breached.clone() else { return Ok(false) };
        let password = Secret::new(password);
        let found = tokio::task::spawn_blocking(move || breached.has(password.expose())).await;
        match found.map_err(|error| Problem::internal(&error))? {
            Ok(found) => Ok(found),
            Err(error) => Err(Problem::internal(&format!("the list of breached passwords: {error}"))),
        }
    }

    async fn pin(&self, pin: Option<&Secret>) -> Result<Option<Kept>, Problem> {
        let Some(pin) = pin else { return Ok(None) };
        let shortest = self.inner.settings.pin_shortest.min(12);
        let digits = pin.expose().as_bytes();
        if digits.len() < shortest || digits.len() > 12 || !digits.iter().all(u8::is_ascii_digit) {
            let detail = format!("a PIN has {shortest} to 12 digits");
            return Err(Problem::refused("bad-pin", detail).with("shortest", shortest));
        }
        if weak::is_pin(digits) {
            let detail = "a PIN of one digit or two, of digits in a row, or that repeats itself is guessed first; \
                          choose another";
            return Err(Problem::refused("bad-pin", detail));
        }
        self.inner.hasher.keep(pin).await.map(Some)
    }
}

/// A person as it is to be, and what that changes.
struct Write {
    person: Person,
    what: Vec<&'static str>,
    /// Whoever is in by a session or a token is out: somebody else may have got hold of it.
    shuts_out: bool,
}

fn register(register: &str, entry: u32, what: impl Into<String>) -> Deed {
    Deed::Register(RegisterChange {
        register: register.to_string(),
        entry: entry.to_string(),
        what: what.into(),
        sealed: Vec::new(),
    })
}

fn separate(one: Role, other: Role) -> Problem {
    let detail = format!(
        "nobody is {one} and {other} at once; give it to another person, or let the two meet with `people.roles`, \
         which is put on record"
    );
    Problem::refused("roles-apart", detail).with("roles", vec![one.key(), other.key()])
}

/// The name that is shown of somebody who was given none: everybody at a table reads it, and half of what signs in is not
/// theirs to read.
fn no_name(id: u32, grants: &[Grant]) -> String {
    let what = if grants.contains(&Grant::Player) || grants.is_empty() { "Player" } else { "Staff" };
    format!("{what} {id}")
}

fn nickname_fits(nickname: &str, name: &str) -> Result<(), Problem> {
    if nickname.trim().eq_ignore_ascii_case(name) {
        let detail =
            "everybody at a table reads the nickname, so it is not the name to sign in with; choose another";
        return Err(Problem::refused("bad-nickname", detail));
    }
    // Marks that change the direction of writing can make one name look like another.
    let turns =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let length = nickname.chars().count();
    let odd = nickname.chars().any(|c| c.is_control() || turns(c));
    if nickname.trim().is_empty() || length > 60 || odd {
        return Err(Problem::refused("bad-nickname", "a nickname has 1 to 60 characters that can be seen"));
    }
    Ok(())
}

pub(crate) fn nobody(id: u32) -> Problem {
    Problem::not_found(format!("there is no person {id}"))
}

fn excluded() -> Problem {
    Problem::forbidden("excluded", "this player is excluded and may not play")
}
