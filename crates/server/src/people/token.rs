//! API tokens: for a device at a table, or for a program that acts for a person.
//!
//! A token is `crp_<id>_<secret>`. The register holds the hash of the secret, and a token is shown once, when it is
//! made.

use core::fmt;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use croupier_journal::{Change, Hash};
use croupier_ledger::TableId;
use serde::{Deserialize, Serialize};

/// The register of tokens.
pub(super) const REGISTER: &str = "token";

/// For whom a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TokenFor {
    /// The dealing device of a table; it reports cards there and does nothing else.
    Device {
        /// Which table.
        table: TableId,
    },
    /// Somebody, with all that the person may do.
    Person {
        /// Who.
        id: u32,
    },
}

/// As the journal says it: people and tables by their numbers only.
impl fmt::Display for TokenFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device { table } => write!(f, "the device of table {table}"),
            Self::Person { id } => write!(f, "person {id}"),
        }
    }
}

/// A token as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Its id.
    pub id: u32,
    /// The hash of its secret.
    pub(super) hash: Hash,
    /// What it is for, in its maker's words.
    pub label: String,
    /// For whom.
    #[serde(rename = "for")]
    pub whom: TokenFor,
    /// Who made it.
    pub made_by: u32,
    /// When, in milliseconds since 1970.
    pub made: u64,
    /// When it ends.
    pub expires: u64,
    /// It was taken back.
    pub revoked: bool,
}

impl Token {
    pub(super) fn change(&self) -> Change {
        let value = serde_json::to_vec(self).unwrap_or_default();
        Change::Put { register: REGISTER, key: format!("{:010}", self.id), value }
    }

    /// Whether it counts.
    #[must_use]
    pub fn is_alive(&self, now: u64) -> bool {
        !self.revoked && now < self.expires
    }
}

/// A token as its owner sends it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Presented {
    pub(super) id: u32,
    secret: String,
}

impl fmt::Debug for Presented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Presented").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Presented {
    pub(super) fn new(id: u32, secret: [u8; 32]) -> Self {
        Self { id, secret: Hash(secret).to_string() }
    }

    /// A token from its text.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (id, secret) = text.strip_prefix("crp_")?.split_once('_')?;
        let fits = secret.len() == 64 && secret.bytes().all(|byte| byte.is_ascii_hexdigit());
        let plain = !id.starts_with('+');
        let id = id.parse().ok().filter(|_| fits && plain)?;
        Some(Self { id, secret: secret.to_string() })
    }

    pub(super) fn hash(&self) -> Hash {
        Hash::of(self.secret.as_bytes())
    }

    /// Its text, to be shown once.
    pub(super) fn text(&self) -> String {
        format!("crp_{}_{}", self.id, self.secret)
    }
}

/// All tokens.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    known: RwLock<BTreeMap<u32, Arc<Token>>>,
}

impl Tokens {
    pub(super) fn load(entries: Vec<(String, Vec<u8>)>) -> Result<Self, String> {
        let mut known = BTreeMap::new();
        for (key, value) in entries {
            let token: Token = serde_json::from_slice(&value).map_err(|error| format!("{key}: {error}"))?;
            known.insert(token.id, Arc::new(token));
        }
        Ok(Self { known: RwLock::new(known) })
    }

    pub(super) fn next(&self) -> u32 {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.last_key_value().map_or(1, |(id, _)| id.saturating_add(1))
    }

    pub(super) fn put(&self, token: Token) -> Arc<Token> {
        let token = Arc::new(token);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(token.id, Arc::clone(&token));
        token
    }

    pub(super) fn get(&self, id: u32) -> Option<Arc<Token>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    /// Whether a token counts.
    pub(super) fn is_alive(&self, id: u32, now: u64) -> bool {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&id).is_some_and(|token| token.is_alive(now))
    }

    pub(super) fn all(&self) -> Vec<Arc<Token>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// The tokens that count for a person; those of devices are nobody's.
    pub(super) fn of_person(&self, person: u32, now: u64) -> Vec<Token> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let own = known.values().filter(|token| token.whom == TokenFor::Person { id: person });
        own.filter(|token| token.is_alive(now)).map(|token| Token::clone(token)).collect()
    }

    /// The token that is presented, if it counts.
    pub(super) fn find(&self, presented: &Presented, now: u64) -> Option<Arc<Token>> {
        // Hashes are compared, so the time it takes tells nothing about the secret.
        self.get(presented.id).filter(|token| token.hash == presented.hash() && token.is_alive(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(presented: &Presented) -> Token {
        Token {
            id: presented.id,
            hash: presented.hash(),
            label: "shoe of table 3".to_string(),
            whom: TokenFor::Device { table: TableId(3) },
            made_by: 1,
            made: 0,
            expires: 1_000,
            revoked: false,
        }
    }

    #[test]
    fn a_token_counts_until_it_expires_or_is_revoked() {
        let presented = Presented::new(4, [7; 32]);
        let tokens = Tokens::default();
        tokens.put(token(&presented));
        let again = Presented::parse(&presented.text()).unwrap();
        assert_eq!(again, presented);
        assert!(tokens.find(&again, 999).is_some());
        assert!(tokens.find(&again, 1_000).is_none());
        assert!(tokens.find(&Presented::new(4, [8; 32]), 0).is_none());
        assert!(tokens.find(&Presented::new(5, [7; 32]), 0).is_none());
        tokens.put(Token { revoked: true, ..token(&presented) });
        assert!(tokens.find(&again, 0).is_none());
        assert_eq!(tokens.next(), 5);
    }

    #[test]
    fn a_token_is_kept_without_its_secret_and_comes_back() {
        let presented = Presented::new(4, [0xab; 32]);
        let kept = token(&presented);
        let Change::Put { key, value, .. } = kept.change() else { panic!() };
        let text = String::from_utf8(value.clone()).unwrap();
        assert!(!text.contains("abab") && !format!("{kept:?}{presented:?}").contains("abab"), "{text}");
        let tokens = Tokens::load(vec![(key, value)]).unwrap();
        assert_eq!(*tokens.get(4).unwrap(), kept);
        assert!(Tokens::load(vec![("1".to_string(), b"{}".to_vec())]).is_err());
    }

    #[test]
    fn what_is_no_token_is_none() {
        let good = format!("crp_1_{}", "a".repeat(64));
        assert!(Presented::parse(&good).is_some());
        for bad in ["", "crp_", "crp_1", "crp_1_", "crp_1_zz", "crp__aa", &good[1..], &format!("{good}a")] {
            assert_eq!(Presented::parse(bad), None, "{bad}");
        }
        assert_eq!(Presented::parse(&good.replace("crp_1", "crp_+1")), None);
    }
}
