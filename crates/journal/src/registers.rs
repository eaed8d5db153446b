//! What the chain says of the registers that carry authority: who may be what, passwords, exclusions, tokens, policies.
//!
//! The entries themselves are outside the chain, because they hold personal data and must be forgotten one day. A line
//! that changes some has a digest of each as it is from then on, over a salt that lies beside the entry in the database:
//! who has the chain alone learns nothing of an entry, not even by guessing, and who has the database alone cannot change
//! one without its digest telling.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::deed::{RegisterChange, SealedEntry};
use crate::hash::Hash;
use crate::keys::{self, KeyError};
use crate::store::{Change, Store, StoreError};

/// The register of salts, by the register and the key of what they are for.
pub const SALTS: &str = "salt";
/// The register that lines name which are about all registers.
pub const ALL: &str = "registers";
/// What the first such line says: from then on nothing is in a guarded register that no line has sealed.
pub const BEGUN: &str = "sealed from here on";
/// What a line says by which entries are accepted as they were found.
pub const ACCEPTED: &str = "accepted as found";

/// How much of an entry is sealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Guard {
    /// All of it.
    Content,
    /// That it is there: what it holds changes at every use, and is sealed by a key of its own.
    Presence,
}

/// The registers that carry authority.
const GUARDED: [(&str, Guard); 4] = [
    ("factor", Guard::Presence),
    ("person", Guard::Content),
    ("policy", Guard::Content),
    ("token", Guard::Content),
];

fn guard(register: &str) -> Option<Guard> {
    GUARDED.iter().find(|(name, _)| *name == register).map(|(_, guard)| *guard)
}

/// Whether a change needs a line that seals it.
#[must_use]
pub fn needs_line(change: &Change) -> bool {
    let (Change::Put { register, .. } | Change::Delete { register, .. }) = change;
    match (guard(register), change) {
        (Some(Guard::Content), _) | (Some(Guard::Presence), Change::Delete { .. }) => true,
        (Some(Guard::Presence), Change::Put { .. }) | (None, _) => false,
    }
}

/// Seals what a line changes: the line has the digests, and the salts go beside the entries.
///
/// # Errors
/// When the system gives no randomness.
pub fn seal(line: &mut RegisterChange, changes: &mut Vec<Change>) -> Result<(), KeyError> {
    let mut salts = Vec::new();
    for change in &*changes {
        let (register, key, value) = match change {
            Change::Put { register, key, value } => (*register, key, Some(value.as_slice())),
            Change::Delete { register, key } => (*register, key, None),
        };
        if guard(register).is_none() {
            continue;
        }
        let name = format!("{register}/{key}");
        let digest = match value {
            Some(value) => {
                let salt: [u8; 32] = keys::random()?;
                salts.push(Change::Put { register: SALTS, key: name.clone(), value: salt.to_vec() });
                Some(digest(&salt, register, key, value))
            }
            None => {
                salts.push(Change::Delete { register: SALTS, key: name.clone() });
                None
            }
        };
        line.sealed.push(SealedEntry { entry: name, digest });
    }
    changes.extend(salts);
    Ok(())
}

fn digest(salt: &[u8], register: &str, key: &str, value: &[u8]) -> Hash {
    let value = match guard(register) {
        Some(Guard::Presence) => &[],
        Some(Guard::Content) | None => value,
    };
    Hash::of(&[salt, register.as_bytes(), b"\0", key.as_bytes(), b"\0", value].concat())
}

/// The guarded registers, as lines say they are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Registers {
    /// Whether a line has said that everything is sealed.
    begun: bool,
    /// The digest of each entry, and the line of the house that has it.
    entries: BTreeMap<String, (Hash, u64)>,
}

/// How an entry is not as the lines say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The register and the key.
    pub entry: String,
    /// What is the matter.
    pub what: String,
}

impl core::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (register, key) = self.entry.split_once('/').unwrap_or(("", &self.entry));
        let key = key.trim_start_matches('0');
        write!(f, "{register} {key} {}", self.what)
    }
}

impl Registers {
    /// Whether a line has said that everything is sealed.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.begun
    }

    /// Follows a line of the house.
    pub fn follow(&mut self, sequence: u64, change: &RegisterChange) {
        self.begun |= change.register == ALL;
        for SealedEntry { entry, digest } in &change.sealed {
            match digest {
                Some(digest) => self.entries.insert(entry.clone(), (*digest, sequence)),
                None => self.entries.remove(entry),
            };
        }
    }

    /// What in a store is not as the lines say; nothing if none has said that everything is sealed.
    ///
    /// # Errors
    /// What the database says.
    pub fn compare(&self, store: &mut dyn Store) -> Result<Vec<Mismatch>, StoreError> {
        if !self.begun {
            return Ok(Vec::new());
        }
        let salts: HashMap<String, Vec<u8>> = store.entries(SALTS)?.into_iter().collect();
        let mut missing = self.entries.clone();
        let mut found = Vec::new();
        for (register, _) in GUARDED {
            for (key, value) in store.entries(register)? {
                let entry = format!("{register}/{key}");
                let salt = salts.get(&entry).map_or(&[][..], Vec::as_slice);
                let what = match missing.remove(&entry) {
                    None => "was added behind the server's back: no line of the journal has it".to_string(),
                    Some((sealed, _)) if sealed == digest(salt, register, &key, &value) => continue,
                    Some((_, line)) => {
                        format!(
                            "was changed behind the server's back: it is not what line {line} of the house has"
                        )
                    }
                };
                found.push(Mismatch { entry, what });
            }
        }
        found.extend(missing.into_iter().map(|(entry, (_, line))| {
            let what = format!("was removed behind the server's back: line {line} of the house has it");
            Mismatch { entry, what }
        }));
        Ok(found)
    }

    /// The line that takes entries as they are, and the salts for it: those that do not fit, or all of them where lines
    /// have sealed nothing yet.
    ///
    /// # Errors
    /// What the database says; when the system gives no randomness.
    pub fn accept(&self, store: &mut dyn Store) -> Result<(RegisterChange, Vec<Change>), AcceptError> {
        let (what, some) = match self.begun {
            true => (ACCEPTED, Some(self.compare(store)?)),
            false => (BEGUN, None),
        };
        let entry = String::new();
        let mut line =
            RegisterChange { register: ALL.to_string(), entry, what: what.to_string(), sealed: Vec::new() };
        let mut changes = Vec::new();
        for (register, _) in GUARDED {
            for (key, value) in store.entries(register)? {
                let name = format!("{register}/{key}");
                if some.as_ref().is_none_or(|some| some.iter().any(|one| one.entry == name)) {
                    changes.push(Change::Put { register, key, value });
                }
            }
        }
        for mismatch in some.unwrap_or_default() {
            let (register, key) = mismatch.entry.split_once('/').unwrap_or_default();
            let is_there = |change: &Change| matches!(change, Change::Put { register: of, key: it, .. } if *of == register && it == key);
            let register = GUARDED.iter().find(|(name, _)| *name == register).map(|(name, _)| *name);
            if let Some(register) = register.filter(|_| !changes.iter().any(is_there)) {
                changes.push(Change::Delete { register, key: key.to_string() });
            }
        }
        seal(&mut line, &mut changes)?;
        // The entries stay as they are.
        changes.retain(|change| {
            matches!(change, Change::Put { register: SALTS, .. } | Change::Delete { register: SALTS, .. })
        });
        Ok((line, changes))
    }
}

/// Why entries cannot be accepted.
#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no randomness.
    #[error(transparent)]
    Keys(#[from] KeyError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Location;

    fn put(register: &'static str, key: &str, value: &str) -> Change {
        Change::Put { register, key: key.to_string(), value: value.as_bytes().to_vec() }
    }

    fn line(what: &str) -> RegisterChange {
        let register = "person".to_string();
        RegisterChange { register, entry: "1".to_string(), what: what.to_string(), sealed: Vec::new() }
    }

    /// Commits a change with its line.
    fn write(store: &mut dyn Store, registers: &mut Registers, sequence: u64, mut changes: Vec<Change>) {
        let mut line = line("changed");
        seal(&mut line, &mut changes).unwrap();
        store.commit(1, &[], &changes).unwrap();
        registers.follow(sequence, &line);
    }

    fn told(registers: &Registers, store: &mut dyn Store) -> Vec<String> {
        registers.compare(store).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_entry_that_no_line_sealed_is_named() {
        let location = Location::memory();
        let mut store = location.open().unwrap();
        let (store, mut registers) = (&mut *store, Registers::default());
        // What was there before lines sealed anything is taken as it is, once.
        store.commit(1, &[], &[put("person", "0000000001", "ann"), put("session", "a", "b")]).unwrap();
        assert_eq!(told(&registers, store), [""; 0]);
        let (begun, changes) = registers.accept(store).unwrap();
        assert_eq!((begun.what.as_str(), begun.sealed.len(), changes.len()), (BEGUN, 1, 1));
        store.commit(1, &[], &changes).unwrap();
        registers.follow(3, &begun);
        assert_eq!(told(&registers, store), [""; 0]);

        let both = vec![put("person", "0000000002", "bob"), put("factor", "0000000002", "code 1")];
        write(store, &mut registers, 4, both);
        // A use changes what a factor holds, and needs no line.
        assert!(!needs_line(&put("factor", "0000000002", "code 2")) && needs_line(&put("person", "1", "")));
        store.commit(1, &[], &[put("factor", "0000000002", "code 2")]).unwrap();
        assert_eq!(told(&registers, store), [""; 0]);

        store.commit(1, &[], &[put("person", "0000000001", "ann, admin")]).unwrap();
        store.commit(1, &[], &[put("person", "0000000003", "eve")]).unwrap();
        let gone = Change::Delete { register: "factor", key: "0000000002".to_string() };
        assert!(needs_line(&gone));
        store.commit(1, &[], &[gone]).unwrap();
        assert_eq!(
            told(&registers, store),
            [
                "person 1 was changed behind the server's back: it is not what line 3 of the house has",
                "person 3 was added behind the server's back: no line of the journal has it",
                "factor 2 was removed behind the server's back: line 4 of the house has it",
            ]
        );
        // Accepted by a line, and only those.
        let (accepted, changes) = registers.accept(store).unwrap();
        assert_eq!((accepted.what.as_str(), accepted.sealed.len()), (ACCEPTED, 3));
        store.commit(1, &[], &changes).unwrap();
        registers.follow(5, &accepted);
        assert_eq!(told(&registers, store), [""; 0]);
    }

    #[test]
    fn the_same_entry_has_another_digest_each_time() {
        let digests = [0, 1].map(|_| {
            let mut line = line("created");
            seal(&mut line, &mut vec![put("person", "0000000001", "ann")]).unwrap();
            line.sealed[0].digest.unwrap()
        });
        assert_ne!(digests[0], digests[1]);
    }
}
