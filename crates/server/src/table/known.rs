//! The ids of the commands that a table has carried out, so that a retry is seen without asking the store.
//!
//! Only hashes are kept. What is not in here is new; what is in here may be a retry, and the store knows.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use croupier_journal::CommandId;

/// Hashes of ids.
#[derive(Debug, Default)]
pub(super) struct Known {
    hashes: HashSet<u64>,
    hasher: RandomState,
}

impl Known {
    pub(super) fn add(&mut self, id: &str) {
        self.hashes.insert(self.hasher.hash_one(id));
    }

    pub(super) fn may_have(&self, id: &CommandId) -> bool {
        self.hashes.contains(&self.hasher.hash_one(id.as_str()))
    }
}
