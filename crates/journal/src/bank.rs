//! The books of the whole floor and the ends of all streams, followed row by row.

use std::collections::BTreeMap;

use croupier_ledger::{Entry, Ledger, TableId, TransferId};
use serde::{Deserialize, Serialize};

use crate::envelope::{Head, Record, Row};
use crate::stream::Stream;

/// What follows from all rows together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bank {
    /// The last row that is in it.
    pub position: u64,
    /// The books.
    pub ledger: Ledger,
    /// The next transfer to be made.
    pub next_transfer: TransferId,
    /// Where each stream ends.
    #[serde(with = "pairs")]
    pub heads: BTreeMap<Stream, Head>,
}

impl Default for Bank {
    fn default() -> Self {
        Self { position: 0, ledger: Ledger::default(), next_transfer: TransferId(1), heads: BTreeMap::new() }
    }
}

/// A row that does not fit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{stream} {sequence}: {what}")]
pub struct BadRow {
    /// In which stream.
    pub stream: Stream,
    /// Which.
    pub sequence: u64,
    /// What is wrong.
    pub what: String,
}

impl BadRow {
    /// What is wrong with a row.
    pub fn new(row: &Row, what: impl Into<String>) -> Self {
        Self { stream: row.stream, sequence: row.sequence, what: what.into() }
    }
}

impl Bank {
    /// Follows a row: it must be the next of its stream, and the books must take its postings.
    ///
    /// # Errors
    /// [`BadRow`] if it does not fit; the bank is then of no more use.
    pub fn follow(&mut self, position: u64, row: &Row) -> Result<Record, BadRow> {
        let record =
            row.record().map_err(|error| BadRow::new(row, format!("is no line of a journal: {error}")))?;
        if (record.stream, record.sequence, &record.id, record.deed.kind())
            != (row.stream, row.sequence, &row.id, row.kind)
        {
            return Err(BadRow::new(row, "is filed under another name than the line says"));
        }
        let head = self.heads.entry(row.stream).or_insert(Head::START);
        if row.sequence != head.sequence + 1 {
            return Err(BadRow::new(row, format!("follows {} in its stream", head.sequence)));
        }
        if record.previous != head.hash {
            return Err(BadRow::new(row, "does not name the hash of the line before it"));
        }
        *head = row.head();
        self.position = position;
        self.post(row, &record)?;
        Ok(record)
    }

    fn post(&mut self, row: &Row, record: &Record) -> Result<(), BadRow> {
        if !record.postings.is_empty() {
            self.ledger
                .apply(&record.postings)
                .map_err(|refused| BadRow::new(row, format!("the books refuse its postings: {refused}")))?;
        }
        for entry in &record.postings {
            self.next_transfer = self.next_transfer.max(TransferId(id(entry).0 + 1));
        }
        if let (Some(round), Stream::Table(table)) = (record.closes, record.stream) {
            self.close(row, table, round)?;
        }
        Ok(())
    }

    fn close(&mut self, row: &Row, table: TableId, round: croupier_ledger::RoundId) -> Result<(), BadRow> {
        self.ledger
            .close_round(table, round)
            .map(|_| ())
            .map_err(|holds| BadRow::new(row, format!("the round is not over in the books: {holds}")))
    }

    /// Lets go of what only answers repeated transfers: nobody repeats one that a journal has.
    pub fn forget(&mut self) {
        self.ledger.forget_through(TransferId(self.next_transfer.0.saturating_sub(1)));
    }
}

const fn id(entry: &Entry) -> TransferId {
    match entry {
        Entry::Direct(transfer) | Entry::Pending(transfer) => transfer.id,
        Entry::Post { pending, .. } | Entry::Void { pending } => *pending,
        Entry::Note(note) => note.id,
    }
}

/// Maps whose keys are not text, as pairs.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use crate::envelope::Head;
    use crate::stream::Stream;

    pub(super) fn serialize<S: Serializer>(
        heads: &BTreeMap<Stream, Head>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(heads)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<Stream, Head>, D::Error> {
        Ok(Vec::<(Stream, Head)>::deserialize(deserializer)?.into_iter().collect())
    }
}
