//! A store in memory: for demonstrations that leave nothing behind, and as the plain model of the others.

use core::ops::Range;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Change, Flow, Order, Part, Select, Store, StoreError};
use crate::envelope::Row;
use crate::stream::{CommandId, Stream};

/// A store in memory; a copy is another connection to the same one.
#[derive(Default)]
pub struct Memory {
    kept: Arc<Mutex<Kept>>,
    locked: bool,
}

#[derive(Default)]
struct Kept {
    /// By position, from 1.
    rows: Vec<Row>,
    sequences: BTreeMap<(Stream, u64), usize>,
    ids: HashMap<(Stream, CommandId), usize>,
    entries: BTreeMap<(String, String), Vec<u8>>,
    locked: bool,
}

/// Another connection, without the right to append.
impl Clone for Memory {
    fn clone(&self) -> Self {
        Self { kept: Arc::clone(&self.kept), locked: false }
    }
}

impl core::fmt::Debug for Memory {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

impl Memory {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        // A panic elsewhere leaves the maps as they were: they are changed after all checks.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Memory {
    fn lock(&mut self) -> Result<(), StoreError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.locked {
            return Err(StoreError::InUse("the store in memory".to_string()));
        }
        kept.locked = true;
        self.locked = true;
        Ok(())
    }

    fn commit(&mut self, position: u64, rows: &[Row], changes: &[Change]) -> Result<(), StoreError> {
        let mut kept = self.kept();
        let end = kept.rows.len();
        if !rows.is_empty() && u64::try_from(end).is_ok_and(|end| end + 1 != position) {
            return Err(StoreError::Taken(format!("position {position}")));
        }
        let (mut sequences, mut ids) = (HashSet::new(), HashSet::new());
        for row in rows {
            if !sequences.insert((row.stream, row.sequence))
                || !ids.insert((row.stream, &row.id))
                || kept.sequences.contains_key(&(row.stream, row.sequence))
                || kept.ids.contains_key(&(row.stream, row.id.clone()))
            {
                return Err(StoreError::Taken(format!("{} {} {}", row.stream, row.sequence, row.id)));
            }
        }
        for (at, row) in rows.iter().enumerate() {
            kept.sequences.insert((row.stream, row.sequence), end + at);
            kept.ids.insert((row.stream, row.id.clone()), end + at);
        }
        kept.rows.extend_from_slice(rows);
        for change in changes {
            match change {
                Change::Put { register, key, value } => {
                    kept.entries.insert(((*register).to_string(), key.clone()), value.clone());
                }
                Change::Delete { register, key } => {
                    kept.entries.remove(&((*register).to_string(), key.clone()));
                }
            }
        }
        Ok(())
    }

    fn rows(&mut self, select: Select, each: &mut dyn FnMut(u64, Row) -> Flow) -> Result<(), StoreError> {
        // A copy at a time, so that writers need not wait for whoever reads.
        const AT_ONCE: usize = 1_024;
        let mut next = select;
        loop {
            let kept = self.kept();
            let found: Vec<(u64, Row)> = match next {
                Select::After(position) => {
                    let from = usize::try_from(position).unwrap_or(usize::MAX);
                    let rows = (position + 1..).zip(kept.rows.iter().skip(from));
                    rows.take(AT_ONCE).map(|(at, row)| (at, row.clone())).collect()
                }
                Select::Stream(stream, from) => {
                    let range = kept.sequences.range((stream, from)..=(stream, u64::MAX));
                    let rows = range.filter_map(|(_, at)| {
                        Some((u64::try_from(*at).ok()? + 1, kept.rows.get(*at)?.clone()))
                    });
                    rows.take(AT_ONCE).collect()
                }
            };
            drop(kept);
            let Some((position, last)) = found.last() else { return Ok(()) };
            next = match select {
                Select::After(_) => Select::After(*position),
                Select::Stream(stream, _) => Select::Stream(stream, last.sequence + 1),
            };
            for (position, row) in found {
                if each(position, row).is_break() {
                    return Ok(());
                }
            }
        }
    }

    fn find(&mut self, stream: Stream, id: &CommandId) -> Result<Option<Row>, StoreError> {
        let kept = self.kept();
        let at = kept.ids.get(&(stream, id.clone()));
        Ok(at.and_then(|at| kept.rows.get(*at)).cloned())
    }

    fn end(&mut self) -> Result<u64, StoreError> {
        Ok(u64::try_from(self.kept().rows.len()).unwrap_or(u64::MAX))
    }

    fn entry(&mut self, register: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.kept().entries.get(&(register.to_string(), key.to_string())).cloned())
    }

    fn entries(&mut self, register: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let kept = self.kept();
        let of = kept.entries.iter().filter(|((of, _), _)| of == register);
        Ok(of.map(|((_, key), value)| (key.clone(), value.clone())).collect())
    }

    fn range(
        &mut self,
        register: &str,
        keys: Range<&str>,
        order: Order,
        most: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        if keys.start >= keys.end {
            return Ok(Vec::new());
        }
        let kept = self.kept();
        let key = |key: &str| (register.to_string(), key.to_string());
        let part = kept.entries.range(key(keys.start)..key(keys.end));
        let entry = |((_, key), value): (&(String, String), &Vec<u8>)| (key.clone(), value.clone());
        Ok(match order {
            Order::Rising => part.take(most).map(entry).collect(),
            Order::Falling => part.rev().take(most).map(entry).collect(),
        })
    }

    fn dump(&mut self, each: super::TakePart<'_>) -> Result<(), StoreError> {
        let (rows, entries) = {
            let kept = self.kept();
            (kept.rows.clone(), kept.entries.clone())
        };
        (1..).zip(rows).try_for_each(|(position, row)| each(Part::Row(position, row)))?;
        entries
            .into_iter()
            .try_for_each(|((register, key), value)| each(Part::Entry { register, key, value }))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.locked {
            self.kept().locked = false;
        }
    }
}
