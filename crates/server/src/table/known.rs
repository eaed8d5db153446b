//! The ids of the last commands that a table has carried out, so that most retries are seen without asking the store.
//!
//! Only so many are kept, whatever the age of the table, and only their hashes. What is in here may be a retry, and
//! the store knows; what is not is new only if nothing was forgotten, and otherwise the unique index of the store
//! knows that too. Ids that the software made itself are not kept: nobody can send one.

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};

use croupier_journal::CommandId;

/// Hashes of ids.
#[derive(Debug, Default)]
pub(crate) struct Known {
    hashes: HashSet<u64>,
    /// The same, the oldest first.
    order: VecDeque<u64>,
    hasher: RandomState,
    /// There are ids that are not in here.
    has_forgotten: bool,
}

impl Known {
    /// The most ids that are kept: more than can be on their way to the disk, which the store does not know yet.
    pub(super) const MOST: usize = 2 * super::actor::IN_FLIGHT;

    /// Of a table whose earlier ids only the store has.
    pub(crate) fn from_here_on() -> Self {
        Self { has_forgotten: true, ..Self::default() }
    }

    pub(crate) fn add(&mut self, id: &CommandId) {
        if id.is_own() {
            return;
        }
        let hash = self.hasher.hash_one(id.as_str());
        if !self.hashes.insert(hash) {
            return;
        }
        self.order.push_back(hash);
        if self.order.len() > Self::MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.hashes.remove(&oldest);
            self.has_forgotten = true;
        }
    }

    /// Whether it was perhaps used lately.
    pub(super) fn may_have(&self, id: &CommandId) -> bool {
        self.hashes.contains(&self.hasher.hash_one(id.as_str()))
    }

    /// Whether only the store can say if it was used.
    pub(super) fn cannot_say(&self, id: &CommandId) -> bool {
        self.has_forgotten && !self.may_have(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use croupier_journal::Stream;

    fn id(number: usize) -> CommandId {
        CommandId::new(&format!("id-{number}")).unwrap()
    }

    #[test]
    fn what_is_kept_has_a_bound_and_what_was_forgotten_is_asked_for() {
        let mut known = Known::default();
        (0..Known::MOST).for_each(|number| known.add(&id(number)));
        assert!(known.may_have(&id(0)) && !known.cannot_say(&id(Known::MOST)));
        known.add(&id(Known::MOST));
        assert!(!known.may_have(&id(0)) && known.cannot_say(&id(0)));
        assert!(known.may_have(&id(1)) && !known.cannot_say(&id(1)));
        // Known already: it takes no second place.
        known.add(&id(1));
        (0..10 * Known::MOST).for_each(|number| known.add(&id(number)));
        assert_eq!((known.hashes.len(), known.order.len()), (Known::MOST, Known::MOST));
    }

    #[test]
    fn ids_of_our_own_making_are_not_kept() {
        let mut known = Known::default();
        known.add(&CommandId::own(Stream::House, 3));
        assert!(known.order.is_empty());
        assert!(Known::from_here_on().cannot_say(&id(1)));
    }
}
