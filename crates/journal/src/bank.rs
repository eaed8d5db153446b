//! The books of the whole floor and the ends of all streams, followed row by row.

use std::collections::BTreeMap;

use croupier_ledger::{Entry, Ledger, Receipt, RoundId, TableId, TransferId};
use serde::{Deserialize, Serialize};

use crate::envelope::{Head, Money, Record, Row};
use crate::hash::Hash;
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
        self.chain(position, row, record.previous)?;
        self.post(row, &record.postings, record.closes)?;
        Ok(record)
    }

    /// The same for a row that this engine has just written, of which only the chain and the money are read: what the
    /// books answered, if it moves any.
    ///
    /// # Errors
    /// As [`Bank::follow`].
    pub fn follow_written(&mut self, position: u64, row: &Row) -> Result<Option<Receipt>, BadRow> {
        let not_a_line = || BadRow::new(row, "is no line of a journal");
        let Money { postings, closes } = row.money().map_err(|_| not_a_line())?;
        let previous = row.previous().ok_or_else(not_a_line)?;
        self.chain(position, row, previous)?;
        self.post(row, &postings, closes)
    }

    fn chain(&mut self, position: u64, row: &Row, previous: Hash) -> Result<(), BadRow> {
        let head = self.heads.entry(row.stream).or_insert(Head::START);
        if row.sequence != head.sequence + 1 {
            return Err(BadRow::new(row, format!("follows {} in its stream", head.sequence)));
        }
        if previous != head.hash {
            return Err(BadRow::new(row, "does not name the hash of the line before it"));
        }
        *head = row.head();
        self.position = position;
        Ok(())
    }

    fn post(
        &mut self,
        row: &Row,
        postings: &[Entry],
        closes: Option<RoundId>,
    ) -> Result<Option<Receipt>, BadRow> {
        let refused = |why| BadRow::new(row, format!("the books refuse its postings: {why}"));
        let receipt = match postings {
            [] => None,
            postings => Some(self.ledger.apply(postings).map_err(refused)?),
        };
        for entry in postings {
            self.next_transfer = self.next_transfer.max(TransferId(id(entry).0 + 1));
        }
        if let (Some(round), Stream::Table(table)) = (closes, row.stream) {
            self.close(row, table, round)?;
        }
        Ok(receipt)
    }

    fn close(&mut self, row: &Row, table: TableId, round: RoundId) -> Result<(), BadRow> {
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
