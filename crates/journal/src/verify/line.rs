//! What a line shows by itself: that it is one, and that the store files it under what it says.

use super::Finding;
use crate::deed::Deed;
use crate::envelope::{Record, Row};
use crate::hash::Hash;
use crate::stream::Stream;

/// A line read and hashed.
pub(super) struct Line {
    pub(super) position: u64,
    pub(super) row: Row,
    pub(super) record: Record,
    pub(super) hash: Hash,
}

impl Line {
    pub(super) fn read(position: u64, row: Row) -> Result<Self, Finding> {
        let fault = |what: String| Finding::of(position, &row, what);
        let record = row.record().map_err(|error| fault(format!("is no line of a journal: {error}")))?;
        if (record.stream, record.sequence, &record.id, record.deed.kind())
            != (row.stream, row.sequence, &row.id, row.kind)
        {
            let what = format!(
                "is filed under another name than the line says, which is {} {} with the id {}",
                record.stream, record.sequence, record.id
            );
            return Err(fault(what));
        }
        if !belongs(record.stream, &record.deed) {
            return Err(fault("records what has no place in its stream".to_string()));
        }
        if !events_begin_there(&row) {
            return Err(fault("is filed with another place of its events than the line has".to_string()));
        }
        let hash = Hash::of(&row.line);
        Ok(Self { position, row, record, hash })
    }

    /// The text of its events.
    pub(super) fn events(&self) -> &[u8] {
        let from = usize::try_from(self.row.events_at).unwrap_or(usize::MAX);
        self.row.line.get(from..self.row.line.len().saturating_sub(1)).unwrap_or(&[])
    }

    /// When, in the seconds that tables and disputes count in.
    pub(super) fn seconds(&self) -> u64 {
        self.record.at / 1000
    }
}

fn events_begin_there(row: &Row) -> bool {
    const NAME: &[u8] = b",\"events\":";
    let line = row.line.as_slice();
    let head = usize::try_from(row.events_at).ok().and_then(|at| line.get(..at));
    head.is_some_and(|head| head.ends_with(NAME)) && line.starts_with(b"{") && line.ends_with(b"]}")
}

fn belongs(stream: Stream, deed: &Deed) -> bool {
    match deed {
        Deed::OpenTable(_) | Deed::Table(_) | Deed::RevealShoe(_) => matches!(stream, Stream::Table(_)),
        Deed::Wallet(_) => matches!(stream, Stream::Player(_)),
        Deed::Deposit(_) | Deed::Withdraw(_) => stream == Stream::Cage,
        Deed::OpenCase(_) | Deed::Case(_) => matches!(stream, Stream::Case(_)),
        Deed::Rulebook { .. }
        | Deed::Start { .. }
        | Deed::Stop
        | Deed::Denied(_)
        | Deed::Register(_)
        | Deed::SigningKey { .. }
        | Deed::CloseDay(_)
        | Deed::Tray(_) => stream == Stream::House,
    }
}
