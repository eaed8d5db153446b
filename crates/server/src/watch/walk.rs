//! The way through a journal: each table is replayed, and every event is looked at before it is applied.

use std::collections::{BTreeMap, VecDeque};

use croupier_insight::{Exception, ExceptionKind, Insight, Line, Noted, Settings};
use croupier_journal::deed::Denied;
use croupier_journal::replay::TableSnapshot;
use croupier_journal::store::Flow;
use croupier_journal::{BadRow, By, Deed, Kind, Replayed, Row, Select, Shelf, Store, StoreError, Stream};
use croupier_ledger::TableId;
use croupier_table::Actor;

use crate::days;

/// How many exceptions are kept.
const KEPT: usize = 10_000;
/// How far back denials are looked for at the first reading, in lines of the house.
const HOUSE: u64 = 5_000;

/// An exception with what names it.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its number: by the position of its line, and the same after every reading.
    pub id: u64,
    /// Who, where that is not somebody at a table.
    pub by: Option<By>,
    /// What was refused, of a denial.
    pub denied: Option<Denied>,
    /// What, where and when.
    pub noted: Noted,
}

/// Exceptions in one line, at most: their numbers are the position of the line times this, and on.
const PER_LINE: u64 = 256;

/// How far the journal was read, and what came of it.
#[derive(Debug)]
pub struct Walk {
    /// The position of the last line that was read.
    pub position: u64,
    /// Ratings and alarms.
    pub insight: Insight,
    /// The exceptions, in the order of their lines.
    pub feed: VecDeque<Found>,
    /// The tables as of the last line.
    pub tables: BTreeMap<TableId, Replayed>,
}

impl Walk {
    /// From the first line on.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { position: 0, insight: Insight::new(settings), feed: VecDeque::new(), tables: BTreeMap::new() }
    }

    /// From where the last gaming day was closed, and up to the end as it is now.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn since_the_last_day(
        store: &mut dyn Store,
        shelf: &Shelf,
        settings: Settings,
    ) -> Result<Self, StoreError> {
        let mut walk = Self::new(settings);
        let end = store.end()?;
        let mut tables = Vec::new();
        for (key, stored) in store.entries(days::MARKS)? {
            let Ok(id) = key.parse().map(TableId) else { continue };
            let mark: Option<TableSnapshot> = serde_json::from_slice(&stored).ok();
            // A mark that does not fit any more costs time and nothing else.
            if let Some(replayed) = mark.and_then(|mark| Replayed::restore(id, shelf, mark).ok()) {
                tables.push((id, replayed.head.sequence + 1));
                walk.tables.insert(id, replayed);
            }
        }
        if tables.is_empty() {
            return Ok(walk);
        }
        // Tables that were opened since have no mark, and are read from their first line.
        let mut fault = Ok(());
        let mut from = end;
        let mut first_of = |store: &mut dyn Store, id, sequence| {
            let mut is_there = false;
            store.rows(Select::Stream(Stream::Table(id), sequence), &mut |position, _| {
                is_there = true;
                from = from.min(position - 1);
                Flow::Break(())
            })?;
            Ok::<bool, StoreError>(is_there)
        };
        for (id, sequence) in &tables {
            first_of(store, *id, *sequence)?;
        }
        let mut unmarked = (1..).map(TableId).filter(|id| !walk.tables.contains_key(id));
        while let Some(id) = unmarked.next()
            && first_of(store, id, 1)?
        {}
        walk.position = from;
        let house = store_head(store, Stream::House)?;
        store.rows(
            Select::Stream(Stream::House, house.saturating_sub(HOUSE).max(1)),
            &mut |position, row| {
                if position > from {
                    return Flow::Break(());
                }
                match walk.house(position, &row) {
                    Ok(()) => Flow::Continue(()),
                    Err(bad) => {
                        fault = Err(StoreError::Database(bad.to_string()));
                        Flow::Break(())
                    }
                }
            },
        )?;
        fault.map(|()| walk)
    }

    /// Reads so many lines on; how many there were.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn read(&mut self, store: &mut dyn Store, shelf: &Shelf, most: usize) -> Result<usize, StoreError> {
        let mut fault = Ok(());
        let mut count = 0;
        store.rows(Select::After(self.position), &mut |position, row| {
            if count == most {
                return Flow::Break(());
            }
            count += 1;
            if let Err(bad) = self.row(position, &row, shelf) {
                fault = Err(StoreError::Database(bad.to_string()));
                return Flow::Break(());
            }
            self.position = position;
            Flow::Continue(())
        })?;
        fault.map(|()| count)
    }

    /// Follows a line.
    ///
    /// # Errors
    /// [`BadRow`] if it is none.
    pub fn row(&mut self, position: u64, row: &Row, shelf: &Shelf) -> Result<(), BadRow> {
        match row.stream {
            Stream::Table(id) => self.table(position, row, id, shelf),
            Stream::House => self.house(position, row),
            Stream::Cage | Stream::Player(_) | Stream::Case(_) => Ok(()),
        }
    }

    fn table(&mut self, position: u64, row: &Row, id: TableId, shelf: &Shelf) -> Result<(), BadRow> {
        let Some(replayed) = self.tables.get_mut(&id) else {
            self.tables.insert(id, Replayed::first(shelf, row)?);
            return Ok(());
        };
        // What a mark has is behind it.
        if row.sequence <= replayed.head.sequence {
            return Ok(());
        }
        replayed.head = row.head();
        if row.kind != Kind::Table {
            return Ok(());
        }
        let fault = |error: serde_json::Error| BadRow::new(row, error.to_string());
        let record = row.record().map_err(fault)?;
        let by = record.by.actor().unwrap_or(Actor::System);
        let line = Line { sequence: row.sequence, at: record.at, by };
        let mut noted = Vec::new();
        for event in row.table_events().map_err(fault)? {
            noted.extend(self.insight.follow(&replayed.table, &event, line));
            replayed.apply(core::slice::from_ref(&event));
        }
        for noted in noted {
            let by = noted.by.map(|_| record.by);
            self.note(position, by, None, noted);
        }
        Ok(())
    }

    fn house(&mut self, position: u64, row: &Row) -> Result<(), BadRow> {
        let record = row.record().map_err(|error| BadRow::new(row, error.to_string()))?;
        match record.deed {
            Deed::CloseDay(_) => self.insight.begin_day(),
            Deed::Denied(denied) => {
                let table = match denied.stream {
                    Some(Stream::Table(id)) => Some(id),
                    Some(Stream::House | Stream::Cage | Stream::Player(_) | Stream::Case(_)) | None => None,
                };
                let exception = Exception {
                    told: denied.what.clone(),
                    cites: denied.cites.clone(),
                    ..Exception::new(ExceptionKind::Denied)
                };
                let noted = Noted {
                    table,
                    round: None,
                    sequence: row.sequence,
                    at: record.at,
                    by: None,
                    person: None,
                    exception,
                };
                self.note(position, Some(record.by), Some(denied), noted);
            }
            _ => {}
        }
        Ok(())
    }

    fn note(&mut self, position: u64, by: Option<By>, denied: Option<Denied>, noted: Noted) {
        let same = self.feed.iter().rev().take_while(|found| found.id / PER_LINE == position).count();
        let place = u64::try_from(same).unwrap_or(PER_LINE).min(PER_LINE - 1);
        self.feed.push_back(Found { id: position * PER_LINE + place, by, denied, noted });
        if self.feed.len() > KEPT {
            self.feed.pop_front();
        }
    }
}

/// The number of the last line of a stream, found by halving.
fn store_head(store: &mut dyn Store, stream: Stream) -> Result<u64, StoreError> {
    let mut there = |sequence: u64| -> Result<bool, StoreError> {
        let mut found = false;
        store.rows(Select::Stream(stream, sequence), &mut |_, _| {
            found = true;
            Flow::Break(())
        })?;
        Ok(found)
    };
    let mut above = 1;
    while there(above)? {
        above *= 2;
    }
    let mut below = above / 2;
    while below + 1 < above {
        let middle = below.midpoint(above);
        if there(middle)? { below = middle } else { above = middle }
    }
    Ok(below)
}
