//! What an id token says, and whether that holds: for this server, from its provider, now, and for the sign-in that was
//! begun (OpenID Connect Core 1.0, 3.1.3.7).

use serde::Deserialize;
use serde_json::{Map, Value};

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
        let (is_for_us, is_for_us_only) = match &self.aud {
            Audience::One(one) => (one == client, true),
            Audience::Some(some) => (some.iter().any(|one| one == client), some.len() == 1),
        };
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

    /// Whether the provider has seen a second factor, by the methods and classes that the operator set.
    pub(super) fn has_factor(&self, methods: &[String], classes: &[String]) -> bool {
        self.amr.iter().any(|method| methods.contains(method))
            || self.acr.as_ref().is_some_and(|class| classes.contains(class))
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
