//! Enrolling passkeys, asking for one, and giving one up.

use croupier_journal::{Author, keys};
use data_encoding::BASE64URL_NOPAD;

use super::enrol::Edit;
use super::passkey::{Challenge, NewPasskey, Passkey, host_for};
use super::recovery::Recovery;
use super::{Factor, PasskeyAsk, none_there};
use crate::clock;
use crate::people::{People, Person};
use crate::problem::Problem;

/// The most passkeys of a person.
const MOST: usize = 10;

/// What a browser is told to make a passkey.
#[derive(Clone, Debug)]
pub struct PasskeyToMake {
    /// What is signed, in base64url.
    pub challenge: String,
    /// The host that it is for.
    pub host: String,
    /// The person by a number that says nothing else, in base64url.
    pub user: String,
    /// The ids of those that there are, in base64url: a device makes no second one.
    pub there: Vec<String>,
}

impl People {
    /// Begins to enrol a passkey for the host that a page was opened by.
    ///
    /// # Errors
    /// 409 `no-passkeys-here` where browsers make none, or `too-many-passkeys`.
    pub fn begin_passkey(&self, person: &Person, host: &str) -> Result<PasskeyToMake, Problem> {
        let Some(host) = host_for(host) else {
            let detail = "passkeys are for host names: open the page by its name, and not by an address";
            return Err(Problem::conflict("no-passkeys-here", detail));
        };
        let factor = self.inner.factors.get(person.id).unwrap_or_default();
        has_room(&factor)?;
        let challenge = Challenge(keys::random().map_err(|error| Problem::internal(&error))?);
        self.inner.pending.ask(person.id, challenge, host.clone(), clock::now());
        let there = factor.passkeys.iter().map(|passkey| passkey.id.clone()).collect();
        let user = BASE64URL_NOPAD.encode(&person.id.to_be_bytes());
        Ok(PasskeyToMake { challenge: challenge.text(), host, user, there })
    }

    /// Enrols a passkey. All sessions of the person end. The recovery codes come back if there were none before. Durable
    /// when it returns.
    ///
    /// # Errors
    /// 409 `not-enrolling` or `too-many-passkeys`, 422 `bad-passkey` or `bad-label`.
    pub async fn add_passkey(
        &self,
        by: Author,
        person: &Person,
        label: &str,
        answer: &NewPasskey,
    ) -> Result<Vec<String>, Problem> {
        let label = label.trim().to_string();
        if label.is_empty() || label.chars().count() > 60 || label.chars().any(char::is_control) {
            return Err(Problem::refused("bad-label", "a label has 1 to 60 characters"));
        }
        let now = clock::now();
        let Some((challenge, host)) = self.inner.pending.answered(person.id, now) else {
            let detail = "no passkey is being made, or it took too long; begin again";
            return Err(Problem::conflict("not-enrolling", detail));
        };
        let made = Passkey::new(answer, challenge, &host, (0, label, now));
        let mut made = made
            .map_err(|unfit| Problem::refused("bad-passkey", format!("the passkey is not taken: {unfit}")))?;
        let (recovery, texts) = Recovery::new().map_err(|error| Problem::internal(&error))?;
        self.write_factor(by, person.id, move |before| {
            let (mut after, codes) = match before {
                Some(before) => (before.clone(), Vec::new()),
                None => (Factor { recovery, ..Factor::default() }, texts),
            };
            has_room(&after)?;
            if after.passkeys.iter().any(|passkey| passkey.id == made.id) {
                return Err(Problem::conflict("passkey-there", "this passkey is enrolled already"));
            }
            let number = after.passkeys.iter().map(|passkey| passkey.number).max().unwrap_or(0) + 1;
            made.number = number;
            after.passkeys.push(made);
            Ok(Edit { after: Some(after), what: "passkey enrolled", ends_sessions: true, codes })
        })
        .await
    }

    /// Asks somebody who is signed in for a passkey.
    ///
    /// # Errors
    /// 409 `no-factor` if there is none.
    pub fn ask_passkey(&self, person: u32) -> Result<PasskeyAsk, Problem> {
        let factor = self.inner.factors.get(person).ok_or_else(none_there)?;
        let challenge = Challenge(keys::random().map_err(|error| Problem::internal(&error))?);
        let ask = factor.ask(challenge).ok_or_else(none_there)?;
        self.inner.pending.ask(person, challenge, String::new(), clock::now());
        Ok(ask)
    }

    /// Gives one passkey up; with the last, where there is no app, the factor is gone. Durable when it returns.
    ///
    /// # Errors
    /// 404 if there is no such passkey.
    pub async fn remove_passkey(&self, by: Author, person: u32, number: u32) -> Result<(), Problem> {
        self.write_factor(by, person, move |before| {
            let mut after = before.ok_or_else(none_there)?.clone();
            let had = after.passkeys.len();
            after.passkeys.retain(|passkey| passkey.number != number);
            if after.passkeys.len() == had {
                return Err(Problem::not_found(format!("you have no passkey {number}")));
            }
            let stays = after.totp.is_some() || !after.passkeys.is_empty();
            let after = stays.then_some(after);
            Ok(Edit { after, what: "passkey removed", ends_sessions: false, codes: Vec::new() })
        })
        .await?;
        Ok(())
    }
}

fn has_room(factor: &Factor) -> Result<(), Problem> {
    if factor.passkeys.len() < MOST {
        return Ok(());
    }
    Err(Problem::conflict("too-many-passkeys", "there are ten passkeys already; remove one first"))
}
