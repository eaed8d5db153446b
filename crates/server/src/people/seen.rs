//! When somebody signed in last, and from where: told at the next sign-in, so that a stranger is noticed.
//!
//! It is kept in a register, since an address is personal data.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{PoisonError, RwLock};

use croupier_journal::Change;
use serde::{Deserialize, Serialize};

/// The register of last sign-ins.
pub(super) const REGISTER: &str = "sign-in";

/// A sign-in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// From which address.
    #[schema(value_type = String)]
    pub address: IpAddr,
}

/// The last sign-in of everybody.
#[derive(Debug, Default)]
pub(super) struct Sightings {
    last: RwLock<HashMap<u32, Seen>>,
}

impl Sightings {
    pub(super) fn load(entries: Vec<(String, Vec<u8>)>) -> Self {
        let read =
            |(key, value): (String, Vec<u8>)| Some((key.parse().ok()?, serde_json::from_slice(&value).ok()?));
        Self { last: RwLock::new(entries.into_iter().filter_map(read).collect()) }
    }

    /// Takes an entry as another node has written it.
    pub(super) fn take(&self, key: &str, value: &[u8]) {
        if let (Ok(person), Ok(seen)) = (key.parse(), serde_json::from_slice(value)) {
            self.last.write().unwrap_or_else(PoisonError::into_inner).insert(person, seen);
        }
    }

    /// Somebody signs in: the time before, and what changes in the register.
    pub(super) fn sign_in(&self, person: u32, seen: Seen) -> (Option<Seen>, Change) {
        let value = serde_json::to_vec(&seen).unwrap_or_default();
        let change = Change::Put { register: REGISTER, key: format!("{person:010}"), value };
        let before = self.last.write().unwrap_or_else(PoisonError::into_inner).insert(person, seen);
        (before, change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_before_is_told_and_comes_back() {
        let seen = |at| Seen { at, address: IpAddr::from([10, 0, 0, 7]) };
        let sightings = Sightings::default();
        assert_eq!(sightings.sign_in(3, seen(5)).0, None);
        let (before, change) = sightings.sign_in(3, seen(9));
        assert_eq!(before, Some(seen(5)));
        let Change::Put { register, key, value } = change else { panic!("{change:?}") };
        assert_eq!((register, key.as_str()), (REGISTER, "0000000003"));
        let again = Sightings::load(vec![(key, value)]);
        assert_eq!(again.sign_in(3, seen(11)).0, Some(seen(9)));
        assert_eq!(again.sign_in(4, seen(11)).0, None);
    }
}
