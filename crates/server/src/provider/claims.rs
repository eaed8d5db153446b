//! What an id token says, and whether that holds: for this server, from its provider, now, and for the sign-in that was
//! begun (OpenID Connect Core 1.0, 3.1.3.7).

use croupier_journal::Hash;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::people::{ProviderSession, SignedOut};

/// How far the clocks of two machines may be apart, in seconds.
const LEEWAY: i64 = 60;

/// The claims of an id token.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Claims {
    iss: String,
    aud: Audience,
    exp: i64,
    iat: i64,
    #[serde(default)]
    nbf: Option<i64>,
    #[serde(default)]
    azp: Option<String>,
    #[serde(default)]
    nonce: Option<String>,
    #[serde(default)]
    amr: Vec<String>,
    #[serde(default)]
    acr: Option<String>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Some(Vec<String>),
}

/// The event that makes a token one that signs somebody out (OpenID Connect Back-Channel Logout 1.0).
const LOGOUT: &str = "http://schemas.openid.net/event/backchannel-logout";
/// How long a logout token counts that does not say it, in seconds.
const LOGOUT_COUNTS: i64 = 120;

/// The claims of a logout token.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct LogoutClaims {
    iss: String,
    aud: Audience,
    iat: i64,
    #[serde(default)]
    exp: Option<i64>,
    jti: String,
    #[serde(default)]
    sub: Option<String>,
    #[serde(default)]
    sid: Option<String>,
    events: Map<String, Value>,
    #[serde(default)]
    nonce: Option<Value>,
}

/// What claims are held against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client: &'a str,
    pub(super) nonce: &'a str,
    /// The time in seconds since 1970.
    pub(super) now: i64,
}

/// Why claims do not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum BadClaims {
    /// Another provider issued it.
    #[error("another provider issued it")]
    Issuer,
    /// It is for another program.
    #[error("it is for another program than this server")]
    Audience,
    /// Its time is over.
    #[error("it has expired; compare the clocks of this machine and the provider's if that is not so")]
    Expired,
    /// Its time is still to come.
    #[error("it is from the future; compare the clocks of this machine and the provider's")]
    Early,
    /// It answers another sign-in.
    #[error("it answers another sign-in than the one that was begun")]
    Nonce,
    /// It does not say who it is about.
    #[error("it does not say who it is about in the claim that is set")]
    Subject,
    /// It signs nobody out.
    #[error("it signs nobody out")]
    NoLogout,
    /// It has come before.
    #[error("it has come before")]
    Again,
    /// The address is nobody's yet.
    #[error("the provider has not verified the mail address that it names")]
    Unverified,
}

impl Claims {
    pub(super) fn check(&self, expected: Expected<'_>) -> Result<(), BadClaims> {
        let Expected { issuer, client, nonce, now } = expected;
        if self.iss != issuer {
            return Err(BadClaims::Issuer);
        }
        let (is_for_us, is_for_us_only) = self.aud.is_for(client);
        let is_to_us = match &self.azp {
            Some(party) => party == client,
            None => is_for_us_only,
        };
        if !is_for_us || !is_to_us {
            return Err(BadClaims::Audience);
        }
        if now >= self.exp.saturating_add(LEEWAY) {
            return Err(BadClaims::Expired);
        }
        if self.nbf.unwrap_or(self.iat).max(self.iat) > now.saturating_add(LEEWAY) {
            return Err(BadClaims::Early);
        }
        match self.nonce.as_deref() == Some(nonce) {
            true => Ok(()),
            false => Err(BadClaims::Nonce),
        }
    }

    /// Who it is about, by the claim that the operator set.
    pub(super) fn subject(&self, claim: &str) -> Result<String, BadClaims> {
        if claim == "email" && self.others.get("email_verified") != Some(&Value::Bool(true)) {
            return Err(BadClaims::Unverified);
        }
        let text = self.others.get(claim).and_then(Value::as_str);
        let fits = |text: &&str| !text.is_empty() && text.len() <= super::LONGEST_SUBJECT;
        text.filter(fits).map(str::to_string).ok_or(BadClaims::Subject)
    }

    /// By which session at the provider somebody comes.
    pub(super) fn session(&self) -> Result<ProviderSession, BadClaims> {
        let text = |name: &str| self.others.get(name).and_then(Value::as_str);
        let subject = text("sub").ok_or(BadClaims::Subject)?;
        Ok(ProviderSession { subject: hashed(subject), session: text("sid").map(hashed) })
    }

    /// Whether the provider has seen a second factor, by the methods and classes that the operator set.
    pub(super) fn has_factor(&self, methods: &[String], classes: &[String]) -> bool {
        self.amr.iter().any(|method| methods.contains(method))
            || self.acr.as_ref().is_some_and(|class| classes.contains(class))
    }
}

impl Audience {
    /// Whether it is for this server, and for nobody else.
    fn is_for(&self, client: &str) -> (bool, bool) {
        match self {
            Self::One(one) => (one == client, true),
            Self::Some(some) => (some.iter().any(|one| one == client), some.len() == 1),
        }
    }
}

fn hashed(text: &str) -> Hash {
    Hash::of(text.as_bytes())
}

impl LogoutClaims {
    /// Whether it signs somebody out here and now (2.6).
    pub(super) fn check(&self, issuer: &str, client: &str, now: i64) -> Result<(), BadClaims> {
        if self.iss != issuer {
            return Err(BadClaims::Issuer);
        }
        if !self.aud.is_for(client).0 {
            return Err(BadClaims::Audience);
        }
        if now >= self.until() {
            return Err(BadClaims::Expired);
        }
        if self.iat > now.saturating_add(LEEWAY) {
            return Err(BadClaims::Early);
        }
        // An id token is none, and one with a nonce could pass for an id token.
        let is_logout = self.events.get(LOGOUT).is_some_and(Value::is_object) && self.nonce.is_none();
        if !is_logout || self.jti.is_empty() || (self.sub.is_none() && self.sid.is_none()) {
            return Err(BadClaims::NoLogout);
        }
        Ok(())
    }

    /// Until when it counts, in seconds since 1970.
    pub(super) fn until(&self) -> i64 {
        self.exp.unwrap_or_else(|| self.iat.saturating_add(LOGOUT_COUNTS)).saturating_add(LEEWAY)
    }

    /// Its name, of which no other token has the same.
    pub(super) fn name(&self) -> Hash {
        hashed(&self.jti)
    }

    /// Who is signed out.
    pub(super) fn out(&self) -> SignedOut {
        SignedOut { subject: self.sub.as_deref().map(hashed), session: self.sid.as_deref().map(hashed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn claims(more: Value) -> Claims {
        let mut all = json!({"iss": "https://login.example", "aud": "floor", "exp": 1_000, "iat": 900,
                             "nonce": "n", "sub": "s-1", "amr": ["pwd", "otp"], "acr": "two"});
        for (name, value) in more.as_object().unwrap() {
            all[name] = value.clone();
        }
        serde_json::from_value(all).unwrap()
    }

    #[test]
    fn claims_hold_for_us_now_and_for_the_sign_in_that_was_begun() {
        let expected = Expected { issuer: "https://login.example", client: "floor", nonce: "n", now: 950 };
        for (more, outcome) in [
            (json!({}), Ok(())),
            (json!({"iss": "https://login.example/"}), Err(BadClaims::Issuer)),
            (json!({"aud": "other"}), Err(BadClaims::Audience)),
            (json!({"aud": ["floor"]}), Ok(())),
            (json!({"aud": ["floor", "other"]}), Err(BadClaims::Audience)),
            (json!({"aud": ["floor", "other"], "azp": "floor"}), Ok(())),
            (json!({"aud": ["floor", "other"], "azp": "other"}), Err(BadClaims::Audience)),
            (json!({"azp": "other"}), Err(BadClaims::Audience)),
            (json!({"exp": 891}), Ok(())),
            (json!({"exp": 890}), Err(BadClaims::Expired)),
            (json!({"iat": 1_010}), Ok(())),
            (json!({"iat": 1_011}), Err(BadClaims::Early)),
            (json!({"nbf": 1_011}), Err(BadClaims::Early)),
            (json!({"nonce": "m"}), Err(BadClaims::Nonce)),
            (json!({"nonce": null}), Err(BadClaims::Nonce)),
        ] {
            assert_eq!(claims(more.clone()).check(expected), outcome, "{more}");
        }
    }

    #[test]
    fn a_logout_token_is_for_us_and_now_and_signs_somebody_out() {
        let event = || json!({LOGOUT: {}});
        let whole = json!({"iss": "https://login.example", "aud": "floor", "iat": 900, "exp": 1_000, "jti": "j",
                           "sub": "s-1", "sid": "x", "events": event()});
        let check = |more: Value| {
            let mut all = whole.clone();
            for (name, value) in more.as_object().unwrap() {
                all[name] = value.clone();
            }
            let claims: LogoutClaims = serde_json::from_value(all).unwrap();
            claims.check("https://login.example", "floor", 950)
        };
        for (more, outcome) in [
            (json!({}), Ok(())),
            (json!({"sub": null}), Ok(())),
            (json!({"sid": null}), Ok(())),
            (json!({"sid": null, "sub": null}), Err(BadClaims::NoLogout)),
            (json!({"aud": ["floor", "other"]}), Ok(())),
            (json!({"aud": "other"}), Err(BadClaims::Audience)),
            (json!({"iss": "https://other.example"}), Err(BadClaims::Issuer)),
            (json!({"exp": 891}), Ok(())),
            (json!({"exp": 890}), Err(BadClaims::Expired)),
            (json!({"exp": null, "iat": 771}), Ok(())),
            (json!({"exp": null, "iat": 770}), Err(BadClaims::Expired)),
            (json!({"iat": 1_010}), Ok(())),
            (json!({"iat": 1_011}), Err(BadClaims::Early)),
            (json!({"jti": ""}), Err(BadClaims::NoLogout)),
            (json!({"nonce": "n"}), Err(BadClaims::NoLogout)),
            (json!({"events": {}}), Err(BadClaims::NoLogout)),
            (json!({"events": {LOGOUT: true}}), Err(BadClaims::NoLogout)),
        ] {
            assert_eq!(check(more.clone()), outcome, "{more}");
        }
        // An id token has no events, and is none.
        serde_json::from_value::<LogoutClaims>(json!({"iss": "i", "aud": "floor", "iat": 1, "jti": "j"}))
            .unwrap_err();
    }

    #[test]
    fn who_it_is_about_is_in_the_claim_that_is_set() {
        let about = |more: Value, claim: &str| claims(more).subject(claim);
        assert_eq!(about(json!({}), "sub"), Ok("s-1".to_string()));
        assert_eq!(about(json!({}), "staff_number"), Err(BadClaims::Subject));
        assert_eq!(about(json!({"staff_number": ""}), "staff_number"), Err(BadClaims::Subject));
        let mail = json!({"email": "a@b.example"});
        assert_eq!(about(mail, "email"), Err(BadClaims::Unverified));
        let mail = json!({"email": "a@b.example", "email_verified": true});
        assert_eq!(about(mail, "email"), Ok("a@b.example".to_string()));
    }

    #[test]
    fn a_second_factor_counts_where_the_operator_says_so() {
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let has = |methods: &[&str], classes: &[&str]| {
            claims(json!({})).has_factor(&words(methods), &words(classes))
        };
        assert_eq!([has(&[], &[]), has(&["otp"], &[]), has(&["hwk"], &["two"])], [false, true, true]);
        assert!(!has(&["hwk"], &["three"]));
    }
}
