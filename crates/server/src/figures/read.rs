//! Counting lines that are in the journal.

use core::ops::Range;
use std::sync::Weak;

use croupier_journal::replay::TableSnapshot;
use croupier_journal::store::Flow;
use croupier_journal::{BadRow, Kind, Replayed, Row, Select, Shelf, Store, StoreError, Stream};
use croupier_ledger::TableId;

use super::live::Counted;
use crate::days::{self, MARKS};
use crate::floor::Floor;

/// What some lines of a table come to: those after the first number, up to the second.
pub struct Read {
    /// What was counted.
    pub counted: Counted,
    /// The table after the last of them.
    pub replayed: Replayed,
}

/// Counts lines of a table. Where the last day ended there is a mark, so that no more than those is read.
///
/// # Errors
/// When the journal cannot be read.
pub fn lines(
    store: &mut dyn Store,
    shelf: &Shelf,
    id: TableId,
    lines: &Range<u64>,
) -> Result<Read, StoreError> {
    let mark: Option<TableSnapshot> =
        store.entry(MARKS, &mark_key(id))?.and_then(|stored| serde_json::from_slice(&stored).ok());
    // A mark that does not fit any more costs time and nothing else.
    let mut replayed = mark
        .filter(|mark| mark.head.sequence <= lines.start)
        .and_then(|mark| Replayed::restore(id, shelf, mark).ok());
    let from = replayed.as_ref().map_or(1, |replayed| replayed.head.sequence + 1);
    let mut counted = Counted::default();
    let mut fault = None;
    store.rows(Select::Stream(Stream::Table(id), from), &mut |_, row| {
        if row.sequence > lines.end {
            return Flow::Break(());
        }
        let counts = row.sequence > lines.start;
        let followed = match &mut replayed {
            None => Replayed::first(shelf, &row).map(|first| replayed = Some(first)),
            Some(replayed) => follow(&mut counted, replayed, &row, counts),
        };
        match followed {
            Ok(()) => Flow::Continue(()),
            Err(bad) => {
                fault = Some(bad);
                Flow::Break(())
            }
        }
    })?;
    if let Some(bad) = fault {
        return Err(StoreError::Database(bad.to_string()));
    }
    let replayed = replayed.ok_or_else(|| StoreError::Database(format!("table/{id} has no lines")))?;
    Ok(Read { counted, replayed })
}

/// The key of the mark of a table.
#[must_use]
pub fn mark_key(id: TableId) -> String {
    format!("{:010}", id.0)
}

/// Follows a line of the table, and counts it if it is asked for.
fn follow(counted: &mut Counted, replayed: &mut Replayed, row: &Row, counts: bool) -> Result<(), BadRow> {
    replayed.head = row.head();
    if row.kind != Kind::Table {
        return Ok(());
    }
    let fault = |error: serde_json::Error| BadRow::new(row, error.to_string());
    let record = row.record().map_err(fault)?;
    for event in &row.table_events().map_err(fault)? {
        if counts {
            counted.figures.count(&replayed.table, record.at, &event.fact);
        }
        // Who is there, and what is on hold, began before the day perhaps.
        counted.standing.before(record.at, record.by, &event.fact);
        // The books are not asked here, so they are not followed.
        replayed.apply(core::slice::from_ref(event));
    }
    counted.standing.after(&replayed.table);
    Ok(())
}

impl Floor {
    /// Counts what happened since the last gaming day was closed and before this start: each table up to the line that
    /// it began with. Meanwhile the figures are told to be incomplete.
    pub(crate) async fn count_so_far(floor: Weak<Self>, ends: Vec<(TableId, u64)>) {
        for (id, end) in ends {
            let Some(floor) = floor.upgrade() else { return };
            let Some(table) = floor.table(id) else { continue };
            let shelf = floor.shelf();
            let counted = floor.shared.readers.read_slow(move |store| {
                let last = days::all(store)?.into_iter().next_back();
                let through = last.iter().flat_map(|last| &last.tables).find(|day| day.table == id);
                let from = through.map_or(0, |day| day.through).min(end);
                lines(store, &shelf, id, &(from..end))
            });
            match counted.await {
                Ok(read) => table.live.complete(read.counted),
                Err(why) => {
                    tracing::warn!(table = id.0, %why, "the figures of the day so far cannot be counted")
                }
            }
        }
    }
}
