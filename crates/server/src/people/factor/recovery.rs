//! Recovery codes: ten that are shown once, and each of which stands for the factor once.

use core::fmt;

use croupier_journal::keys::{self, KeyError};
use data_encoding::{BASE32_NOPAD, HEXLOWER};
use ring::hmac;
use serde::{Deserialize, Serialize};

/// How many there are.
pub(in crate::people) const CODES: usize = 10;

/// The codes that are left, as keyed hashes. 80 random bits are not guessed, so no more is needed at rest.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::people) struct Recovery {
    key: String,
    left: Vec<String>,
}

impl fmt::Debug for Recovery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recovery").field("left", &self.left.len()).finish_non_exhaustive()
    }
}

impl Recovery {
    /// New codes, and their texts, which are kept nowhere.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub(in crate::people) fn new() -> Result<(Self, Vec<String>), KeyError> {
        let key = HEXLOWER.encode(&keys::random::<32>()?);
        let mut made = Self { key, left: Vec::new() };
        let mut texts = Vec::new();
        for _ in 0..CODES {
            let code = BASE32_NOPAD.encode(&keys::random::<10>()?);
            made.left.push(made.hash(&code));
            let groups: Vec<_> = code.as_bytes().chunks(4).map(String::from_utf8_lossy).collect();
            texts.push(groups.join("-").to_lowercase());
        }
        Ok((made, texts))
    }

    /// How many are left.
    pub(in crate::people) fn left(&self) -> usize {
        self.left.len()
    }

    /// What is left after one of them was typed; none if it is none of them.
    pub(in crate::people) fn spent(&self, typed: &str) -> Option<Self> {
        let code: String = typed.chars().filter(char::is_ascii_alphanumeric).collect();
        if code.len() != 16 {
            return None;
        }
        let code = code.to_uppercase();
        let key = self.key();
        let is = |kept: &String| {
            let kept = HEXLOWER.decode(kept.as_bytes()).unwrap_or_default();
            hmac::verify(&key, code.as_bytes(), &kept).is_ok()
        };
        let at = self.left.iter().position(is)?;
        let mut after = self.clone();
        after.left.remove(at);
        Some(after)
    }

    fn key(&self) -> hmac::Key {
        hmac::Key::new(hmac::HMAC_SHA256, self.key.as_bytes())
    }

    fn hash(&self, code: &str) -> String {
        HEXLOWER.encode(hmac::sign(&self.key(), code.as_bytes()).as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_counts_once() {
        let (mut recovery, texts) = Recovery::new().unwrap();
        assert_eq!((recovery.left(), texts.len()), (CODES, CODES));
        for (spent, text) in texts.iter().enumerate() {
            assert_eq!(text.len(), 19, "{text}");
            let typed = if spent % 2 == 0 { text.to_uppercase() } else { text.replace('-', " ") };
            recovery = recovery.spent(&typed).unwrap();
            assert_eq!(recovery.left(), CODES - spent - 1);
            assert_eq!(recovery.spent(text), None);
        }
        assert_eq!(recovery.spent(""), None);
    }

    #[test]
    fn the_codes_are_not_kept() {
        let (recovery, texts) = Recovery::new().unwrap();
        let kept = serde_json::to_string(&recovery).unwrap();
        assert!(texts.iter().all(|text| !kept.contains(&text.replace('-', "").to_uppercase())));
        assert_eq!(format!("{recovery:?}"), "Recovery { left: 10, .. }");
        assert!(recovery.spent(&Recovery::new().unwrap().1[0]).is_none());
    }
}
