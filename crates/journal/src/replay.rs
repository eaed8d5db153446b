//! A table from its stream: opened, and every event applied in order.

mod tables;

use std::sync::Arc;

use croupier_ledger::{Entry, TableId, TransferId};
use croupier_table::books::{Batch, Books};
use croupier_table::snapshot::Snapshot;
use croupier_table::{Event, Fact, Moment, Setup, Table, apply};
use serde::{Deserialize, Serialize};

use crate::bank::BadRow;
use crate::deed::{Deed, Kind, OpenTable};
use crate::envelope::{Head, Record, Row};
use crate::shelf::Shelf;
pub use tables::tables;

/// A table with what follows from its stream beside its state.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What it was opened with.
    pub opened: Arc<OpenTable>,
    /// The state.
    pub table: Table,
    /// What its wagers are made of in the ledger.
    pub books: Books,
    /// The cards above the cut of the shoe in play.
    pub above: u16,
    /// The line in which the round in progress began, or the last one.
    pub round_from: u64,
    /// The moment of play, which commands answer.
    pub moment: Moment,
    /// Where its stream ends.
    pub head: Head,
}

/// What is stored of a table, so that a start need not read its whole stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableSnapshot {
    /// The line that it is the state after.
    pub head: Head,
    /// What the table was opened with.
    pub opened: OpenTable,
    /// The state.
    pub table: Snapshot,
    /// The part of the books.
    pub books: Books,
    /// The cards above the cut.
    pub above: u16,
    /// Where the round in progress began.
    #[serde(default)]
    pub round_from: u64,
    /// The moment of play; snapshots of before have none.
    #[serde(default)]
    pub moment: Option<Moment>,
    /// The fingerprint of the state.
    pub fingerprint: u64,
}

impl Replayed {
    /// The table that a deed opens.
    ///
    /// # Errors
    /// In words, when its rulebook is not on the shelf or its settings do not fit.
    pub fn open(id: TableId, shelf: &Shelf, opened: OpenTable, head: Head) -> Result<Self, String> {
        let setup = setup(shelf, &opened)?;
        let books = Books::new(id, &setup);
        let table = Table::new(id, setup);
        let moment = Moment::at(&table);
        let round_from = head.sequence;
        Ok(Self { opened: Arc::new(opened), table, books, above: 0, round_from, moment, head })
    }

    /// The table that the first line of a stream opens.
    ///
    /// # Errors
    /// [`BadRow`] if it opens none.
    pub fn first(shelf: &Shelf, row: &Row) -> Result<Self, BadRow> {
        let fault = |what: String| BadRow::new(row, what);
        let crate::stream::Stream::Table(id) = row.stream else {
            return Err(fault("is in no stream of a table".to_string()));
        };
        match row.record().map_err(|error| fault(error.to_string()))?.deed {
            Deed::OpenTable(opened) => Self::open(id, shelf, *opened, row.head()).map_err(fault),
            _ => Err(fault("begins a table without opening it".to_string())),
        }
    }

    /// The table of a snapshot.
    ///
    /// # Errors
    /// In words, when the snapshot does not fit; the stream has it all.
    pub fn restore(id: TableId, shelf: &Shelf, snapshot: TableSnapshot) -> Result<Self, String> {
        let setup = setup(shelf, &snapshot.opened)?;
        let table = Table::restore(id, setup, snapshot.table).map_err(|fault| fault.to_string())?;
        if table.fingerprint() != snapshot.fingerprint {
            return Err("the snapshot gives another state than it was taken of".to_string());
        }
        Ok(Self {
            opened: Arc::new(snapshot.opened),
            moment: snapshot.moment.unwrap_or_else(|| Moment::at(&table)),
            table,
            books: snapshot.books,
            above: snapshot.above,
            round_from: snapshot.round_from,
            head: snapshot.head,
        })
    }

    /// What is to be stored of it.
    #[must_use]
    pub fn snapshot(&self) -> TableSnapshot {
        TableSnapshot {
            head: self.head,
            opened: OpenTable::clone(&self.opened),
            table: self.table.snapshot(),
            books: self.books.clone(),
            above: self.above,
            round_from: self.round_from,
            moment: Some(self.moment),
            fingerprint: self.table.fingerprint(),
        }
    }

    /// Applies events to the state.
    pub fn apply(&mut self, events: &[Event]) {
        for event in events {
            match &event.fact {
                Fact::ShoeLoaded { .. } => self.above = 0,
                Fact::Cut { above, .. } => self.above = above.unwrap_or(0),
                _ => {}
            }
            self.moment.follow(&event.fact);
            apply(&mut self.table, event);
        }
    }

    /// Follows a line: the state only, as fast as it can be read.
    ///
    /// # Errors
    /// [`BadRow`] if its events are none.
    pub fn follow(&mut self, row: &Row) -> Result<(), BadRow> {
        if row.kind == Kind::Table {
            let events = row.table_events().map_err(|error| BadRow::new(row, error.to_string()))?;
            self.apply(&events);
        }
        Ok(())
    }

    /// Follows a line with its books and its place in the stream; what the books make of its events.
    ///
    /// # Errors
    /// [`BadRow`] if its events are none.
    pub fn follow_whole(&mut self, row: &Row, record: &Record) -> Result<Batch, BadRow> {
        self.follow_telling(row, record).map(|(batch, _)| batch)
    }

    /// The same, with the events.
    ///
    /// # Errors
    /// [`BadRow`] if its events are none.
    pub fn follow_telling(&mut self, row: &Row, record: &Record) -> Result<(Batch, Vec<Event>), BadRow> {
        self.head = row.head();
        if row.kind != Kind::Table {
            return Ok((Batch::default(), Vec::new()));
        }
        let events = row.table_events().map_err(|error| BadRow::new(row, error.to_string()))?;
        self.apply(&events);
        if begins_round(&events) {
            self.round_from = row.sequence;
        }
        let mut next = first_new(&record.postings).unwrap_or(TransferId(0));
        Ok((self.books.batch(&events, &mut next), events))
    }
}

/// Whether a round begins with these events.
#[must_use]
pub fn begins_round(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event.fact, Fact::BetsOpened { .. } | Fact::FreeHandBegan { .. }))
}

/// The first id that a batch uses for the first time.
fn first_new(postings: &[Entry]) -> Option<TransferId> {
    postings.iter().find_map(|entry| match entry {
        Entry::Direct(transfer) | Entry::Pending(transfer) => Some(transfer.id),
        Entry::Note(note) => Some(note.id),
        Entry::Post { .. } | Entry::Void { .. } => None,
    })
}

fn setup(shelf: &Shelf, opened: &OpenTable) -> Result<Arc<Setup>, String> {
    let volume = shelf
        .volume(opened.rulebook)
        .ok_or_else(|| format!("its rulebook {} is in no line of the house stream", opened.rulebook))?;
    let setup = Setup::new(&volume.rulebook, &opened.opening).map_err(|faults| {
        let words: Vec<String> = faults.iter().map(ToString::to_string).collect();
        format!("its settings do not fit: {}", words.join("; "))
    })?;
    Ok(Arc::new(setup))
}
