//! Registers that carry authority, held against the journal: what a line changes in them is sealed in it, and a start
//! compares what it finds.

use croupier_journal::deed::RegisterChange;
use croupier_journal::envelope::Record;
use croupier_journal::registers::{self, AcceptError, Mismatch, Registers};
use croupier_journal::store::Flow;
use croupier_journal::{BadRow, Change, Deed, Head, Keys, Select, Store, StoreError, Stream, snapshot};
use serde::{Deserialize, Serialize};

use super::start::{StartError, pass_over};
use super::{FloorError, Place};

/// The snapshot of what lines say.
const SNAPSHOT: &str = "registers";
/// So many lines are read again before it is worth another.
const WORTH: u64 = 1_000;
/// The most that are told one by one.
const TOLD: usize = 10;

/// What lines up to one of the house say.
#[derive(Default, Serialize, Deserialize)]
struct UpTo {
    head: Option<Head>,
    registers: Registers,
}

/// What a start puts on record about registers.
#[derive(Default)]
pub(super) struct Sealed {
    pub(super) line: Option<RegisterChange>,
    pub(super) changes: Vec<Change>,
}

/// Seals what a line changes.
pub(super) fn seal(deed: &mut Deed, changes: &mut Vec<Change>) -> Result<(), FloorError> {
    let no_randomness = |error: &dyn core::fmt::Display| StoreError::Stopped(error.to_string());
    match deed {
        Deed::Register(line) => registers::seal(line, changes).map_err(|error| no_randomness(&error).into()),
        _ => need_no_line(changes),
    }
}

/// That nothing is changed for which there should be a line: the next start would refuse it.
pub(super) fn need_no_line(changes: &[Change]) -> Result<(), FloorError> {
    match changes.iter().find(|change| registers::needs_line(change)) {
        Some(change) => Err(StoreError::Stopped(format!("no line is written for {change:?}")).into()),
        None => Ok(()),
    }
}

/// Compares the registers with what the lines say.
pub(super) fn check(store: &mut dyn Store, place: &Place, keys: &Keys) -> Result<Sealed, StartError> {
    let (up_to, read) = read(store, keys)?;
    let failed = |error: AcceptError| match error {
        AcceptError::Store(error) => StartError::Store(error),
        AcceptError::Keys(error) => StartError::Keys(error),
    };
    let mismatches = up_to.registers.compare(store)?;
    if !mismatches.is_empty() && !place.accept_registers {
        return Err(StartError::Registers(mismatches));
    }
    for mismatch in &mismatches {
        tracing::warn!("{mismatch}; it is accepted as found");
    }
    let mut sealed = Sealed::default();
    if !up_to.registers.has_begun() || !mismatches.is_empty() {
        let (line, changes) = up_to.registers.accept(store).map_err(failed)?;
        sealed = Sealed { line: Some(line), changes };
    }
    if read >= WORTH {
        sealed.changes.extend(snapshot::put(keys, SNAPSHOT, &up_to));
    }
    Ok(sealed)
}

/// What the lines say, and how many were read for it.
fn read(store: &mut dyn Store, keys: &Keys) -> Result<(UpTo, u64), StartError> {
    let mut up_to = kept(store, keys)?;
    let (mut read, mut fault) = (0, None);
    let from = up_to.head.map_or(1, |head| head.sequence + 1);
    store.rows(Select::Stream(Stream::House, from), &mut |_, row| {
        read += 1;
        match row.record() {
            Ok(Record { deed: Deed::Register(change), .. }) => up_to.registers.follow(row.sequence, &change),
            Ok(_) => {}
            Err(error) => {
                fault = Some(BadRow::new(&row, error.to_string()));
                return Flow::Break(());
            }
        }
        up_to.head = Some(row.head());
        Flow::Continue(())
    })?;
    fault.map_or(Ok((up_to, read)), |bad| Err(bad.into()))
}

/// The snapshot, if the line that it was taken after is still there.
fn kept(store: &mut dyn Store, keys: &Keys) -> Result<UpTo, StartError> {
    let Some(value) = store.entry(snapshot::REGISTER, SNAPSHOT)? else { return Ok(UpTo::default()) };
    let found: UpTo = match snapshot::read(keys, SNAPSHOT, &value) {
        Ok(found) => found,
        Err(why) => {
            pass_over(SNAPSHOT, &why.to_string());
            return Ok(UpTo::default());
        }
    };
    let mut head = None;
    if let Some(taken) = found.head {
        store.rows(Select::Stream(Stream::House, taken.sequence), &mut |_, row| {
            head = Some(row.head());
            Flow::Break(())
        })?;
    }
    match head == found.head {
        true => Ok(found),
        false => {
            pass_over(SNAPSHOT, "the line that it was taken after is another");
            Ok(UpTo::default())
        }
    }
}

/// What is the matter, and how to go on.
pub(super) fn words(mismatches: &[Mismatch]) -> String {
    let told: Vec<String> = mismatches.iter().take(TOLD).map(ToString::to_string).collect();
    let more = mismatches.len().saturating_sub(TOLD);
    let more = if more == 0 { String::new() } else { format!("; and {more} more") };
    format!(
        "{}{more}. Somebody changed the database. Restore a backup from before that; or, if it was done on purpose and \
         whoever answers for the floor agrees, `croupier people accept` takes the registers as they are and puts that \
         on record",
        told.join("; ")
    )
}
