//! A whole store copied into an empty one, of the same kind or of another: what a backup is, and what restores it.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::envelope::Row;
use crate::store::{Change, Part, Store, StoreError};

/// Rows or entries that are written together.
const AT_ONCE: usize = 4_096;

/// What was copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Copied {
    /// Rows.
    pub rows: u64,
    /// Entries of registers.
    pub entries: u64,
}

/// Copies all of a store as of one moment, while others may write to it, into one that has nothing. `progress` is told
/// how many rows were copied.
///
/// # Errors
/// What either of them says; [`StoreError::Taken`] if the other has rows.
pub fn copy(
    from: &mut dyn Store,
    to: &mut dyn Store,
    progress: &mut dyn FnMut(u64),
) -> Result<Copied, StoreError> {
    to.lock()?;
    let end = to.end()?;
    if end > 0 {
        return Err(StoreError::Taken(format!("there are {end} rows where nothing should be")));
    }
    let mut copying =
        Copying { to, rows: Vec::new(), first: 1, changes: Vec::new(), copied: Copied::default() };
    from.dump(&mut |part| {
        copying.take(part)?;
        progress(copying.copied.rows);
        Ok(())
    })?;
    copying.write()?;
    Ok(copying.copied)
}

struct Copying<'a> {
    to: &'a mut dyn Store,
    rows: Vec<Row>,
    /// The position of the first of them.
    first: u64,
    changes: Vec<Change>,
    copied: Copied,
}

impl Copying<'_> {
    fn take(&mut self, part: Part) -> Result<(), StoreError> {
        match part {
            Part::Row(position, row) => {
                let due = self.copied.rows + 1;
                if position != due {
                    let what = format!("the next row is at {position}; `croupier verify` says more");
                    return Err(StoreError::Damaged { position: due, what });
                }
                self.copied.rows = due;
                self.rows.push(row);
            }
            Part::Entry { register, key, value } => {
                self.copied.entries += 1;
                self.changes.push(Change::Put { register: known_as(&register), key, value });
            }
        }
        if self.rows.len() + self.changes.len() >= AT_ONCE { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), StoreError> {
        self.to.commit(self.first, &self.rows, &self.changes)?;
        self.first = self.copied.rows + 1;
        self.rows.clear();
        self.changes.clear();
        Ok(())
    }
}

/// The name of a register for as long as the program runs. There are a dozen.
fn known_as(register: &str) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = known.get(register) {
        return name;
    }
    let name: &'static str = Box::leak(register.to_string().into_boxed_str());
    known.insert(name);
    name
}
