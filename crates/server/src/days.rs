//! Gaming days: what every table took and won since the day before was closed, beside what the exact odds of its
//! wagers say it should have won.
//!
//! The figures follow from the journal. Where the day before ended is kept as a snapshot of each table, so that a
//! close reads one day and not the whole stream.

use std::collections::BTreeMap;
use std::sync::Arc;

use croupier_journal::deed::{DayClosed, TableDay};
use croupier_journal::{Author, Change, Deed, Shelf, Store, StoreError, Stream};
use croupier_ledger::TableId;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::clock;
use crate::figures::{Figures, Theories, read};
use crate::floor::{Floor, FloorError};

/// The register of gaming days.
pub const REGISTER: &str = "day";
/// The register of tables as they were when the last day was closed.
pub(crate) const MARKS: &str = "day-mark";

/// Why a day is not closed.
#[derive(Debug, thiserror::Error)]
pub enum DayError {
    /// The text is no day.
    #[error("`{0}` is no day; write it as 2026-11-15")]
    NoDay(String),
    /// It has not begun yet.
    #[error("{day} has not come yet, and {last} is the last day that can be closed")]
    Ahead {
        /// What was asked for.
        day: String,
        /// The last that may be.
        last: String,
    },
    /// It is closed.
    #[error("{0} is closed")]
    Closed(String),
    /// Days are closed in order.
    #[error("{last} is closed, so the next day comes after it")]
    Order {
        /// The last day that was closed.
        last: String,
    },
    /// Anything that can go wrong on the floor.
    #[error(transparent)]
    Floor(#[from] FloorError),
}

impl From<StoreError> for DayError {
    fn from(error: StoreError) -> Self {
        Self::Floor(error.into())
    }
}

/// All closed days, in order.
///
/// # Errors
/// When the journal cannot be read.
pub fn all(store: &mut dyn Store) -> Result<Vec<DayClosed>, StoreError> {
    let read = |(day, value): (String, Vec<u8>)| {
        serde_json::from_slice(&value)
            .map_err(|error| StoreError::Database(format!("the register of days, {day}: {error}")))
    };
    store.entries(REGISTER)?.into_iter().map(read).collect()
}

/// A closed day.
///
/// # Errors
/// When the journal cannot be read.
pub fn one(store: &mut dyn Store, day: &str) -> Result<Option<DayClosed>, StoreError> {
    let Some(value) = store.entry(REGISTER, day)? else { return Ok(None) };
    let read = serde_json::from_slice(&value);
    read.map(Some).map_err(|error| StoreError::Database(format!("the register of days, {day}: {error}")))
}

/// Whether a text is a day of the calendar, as `YYYY-MM-DD`.
#[must_use]
pub fn is_day(text: &str) -> bool {
    croupier_rules::date::check(text).is_ok()
}

/// By which calendar days begin and end.
#[derive(Clone, Debug, Default)]
pub struct Calendar {
    /// The floor's own time zone. Where none is set, nobody can say which day it is there, only that it is at most
    /// tomorrow in UTC.
    pub time_zone: Option<TimeZone>,
    /// The hour at which a gaming day begins.
    pub day_begins_hour: u8,
}

impl Calendar {
    /// The last day that has begun at a time in milliseconds since 1970, as `YYYY-MM-DD`.
    fn last_day(&self, at: u64) -> String {
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        match &self.time_zone {
            // What the clock on the wall says counts, also on the day on which it is changed.
            Some(zone) => {
                let time = Timestamp::from_millisecond(at).unwrap_or(Timestamp::MAX).to_zoned(zone.clone());
                let is_early = time.hour() < i8::try_from(self.day_begins_hour).unwrap_or(0);
                let date = time.date();
                let day = if is_early { date.yesterday().unwrap_or(date) } else { date };
                day.to_string()
            }
            None => {
                let tomorrow = Timestamp::from_millisecond(at.saturating_add(24 * 3_600_000));
                tomorrow.unwrap_or(Timestamp::MAX).to_zoned(TimeZone::UTC).date().to_string()
            }
        }
    }
}

/// Closes a day: counts what happened since the last one was closed and records it. Whoever calls this sees to it
/// that it is done once at a time.
///
/// # Errors
/// [`DayError`]; nothing was recorded then.
pub async fn close(
    floor: &Floor,
    calendar: &Calendar,
    by: impl Into<Author>,
    day: String,
) -> Result<DayClosed, DayError> {
    if !is_day(&day) {
        return Err(DayError::NoDay(day));
    }
    // A day far ahead, closed by mistake, would stop all before it.
    let last = calendar.last_day(clock::now());
    if day > last {
        return Err(DayError::Ahead { day, last });
    }
    // What is in the streams now belongs to this day, and is durable.
    let ends = floor.shared.books.ask(|bank| {
        let tables = bank.heads.iter().filter_map(|(stream, head)| match stream {
            Stream::Table(id) => Some((*id, head.sequence)),
            Stream::House | Stream::Cage | Stream::Player(_) | Stream::Case(_) => None,
        });
        tables.collect::<BTreeMap<TableId, u64>>()
    });
    let ends = ends.await.map_err(FloorError::from)?;
    let shelf = floor.shelf();
    let wanted = day.clone();
    let theories = Arc::clone(&floor.shared.theories);
    let counted =
        floor.shared.readers.read_slow(move |store| Ok(count(store, &shelf, &theories, &wanted, &ends)));
    let Counted { closed, figures, mut changes } = counted.await??;
    let value = serde_json::to_vec(&closed).map_err(|error| StoreError::Database(error.to_string()))?;
    changes.push(Change::Put { register: REGISTER, key: day, value });
    floor.record(by, Deed::CloseDay(Box::new(closed.clone())), changes).await?;
    for (id, figures) in figures {
        if let Some(table) = floor.table(id) {
            table.live.close(&figures);
        }
    }
    Ok(closed)
}

/// A day as it was counted.
struct Counted {
    closed: DayClosed,
    figures: Vec<(TableId, Figures)>,
    changes: Vec<Change>,
}

fn count(
    store: &mut dyn Store,
    shelf: &Shelf,
    theories: &Theories,
    day: &str,
    ends: &BTreeMap<TableId, u64>,
) -> Result<Counted, DayError> {
    let last = all(store)?.into_iter().next_back();
    if let Some(last) = &last {
        if last.day == day {
            return Err(DayError::Closed(last.day.clone()));
        }
        if last.day.as_str() > day {
            return Err(DayError::Order { last: last.day.clone() });
        }
    }
    let mut tables = Vec::new();
    let mut all = Vec::new();
    let mut changes = Vec::new();
    for (id, end) in ends {
        let before = last.iter().flat_map(|last| &last.tables).find(|table| table.table == *id);
        let through = before.map_or(0, |table| table.through);
        let (table, figures, mark) = table_day(store, shelf, theories, *id, through..*end)?;
        tables.push(table);
        all.push((*id, figures));
        changes.push(mark);
    }
    Ok(Counted { closed: DayClosed { day: day.to_string(), tables }, figures: all, changes })
}

/// What a table did after one line and up to another, and the mark that the next day starts from.
fn table_day(
    store: &mut dyn Store,
    shelf: &Shelf,
    theories: &Theories,
    id: TableId,
    lines: core::ops::Range<u64>,
) -> Result<(TableDay, Figures, Change), StoreError> {
    let read::Read { counted, replayed } = read::lines(store, shelf, id, &lines)?;
    let value =
        serde_json::to_vec(&replayed.snapshot()).map_err(|error| StoreError::Database(error.to_string()))?;
    let figures = counted.figures;
    let theory = figures.theory(theories, &replayed.table.setup).map_err(StoreError::Database)?;
    let mark = Change::Put { register: MARKS, key: read::mark_key(id), value };
    Ok((figures.day(id, lines.end, theory), figures, mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last day that has begun somewhere, at a time in UTC.
    fn check(zone: Option<&str>, day_begins_hour: u8, at: &str, expected: &str) {
        let time_zone = zone.map(|name| TimeZone::get(name).unwrap());
        let at: Timestamp = at.parse().unwrap();
        let at = u64::try_from(at.as_millisecond()).unwrap();
        let said = Calendar { time_zone, day_begins_hour }.last_day(at);
        assert_eq!(said, expected, "{zone:?} {day_begins_hour}");
        assert!(is_day(&said));
    }

    #[test]
    fn days_begin_where_the_floor_is() {
        let vietnam = Some("Asia/Ho_Chi_Minh");
        check(vietnam, 0, "2026-11-15T16:59:59Z", "2026-11-15");
        check(vietnam, 0, "2026-11-15T17:00:00Z", "2026-11-16");
        check(Some("Pacific/Kiritimati"), 0, "2026-12-31T10:00:00Z", "2027-01-01");
        check(Some("America/Los_Angeles"), 0, "2024-03-01T07:59:59Z", "2024-02-29");
        // Somewhere it is tomorrow already.
        check(None, 0, "2026-11-15T00:00:00Z", "2026-11-16");
        check(None, 0, "2026-11-15T23:59:59Z", "2026-11-16");
        check(None, 6, "2025-12-31T12:00:00Z", "2026-01-01");
    }

    #[test]
    fn a_gaming_day_begins_at_its_hour() {
        let vietnam = Some("Asia/Ho_Chi_Minh");
        check(vietnam, 6, "2026-11-15T22:59:59Z", "2026-11-15");
        check(vietnam, 6, "2026-11-15T23:00:00Z", "2026-11-16");
        // The hour on the wall, on the days on which the clock is changed too.
        check(Some("Europe/Berlin"), 6, "2026-03-29T03:59:59Z", "2026-03-28");
        check(Some("Europe/Berlin"), 6, "2026-03-29T04:00:00Z", "2026-03-29");
        check(Some("Europe/Berlin"), 6, "2026-10-25T04:59:59Z", "2026-10-24");
        check(Some("Europe/Berlin"), 6, "2026-10-25T05:00:00Z", "2026-10-25");
    }

    #[test]
    fn days_of_the_calendar() {
        for day in ["2026-11-15", "2024-02-29", "2000-02-29", "1999-12-31"] {
            assert!(is_day(day), "{day}");
        }
        for day in [
            "2026-2-15",
            "2023-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "2026-04-00",
            "",
            "x",
        ] {
            assert!(!is_day(day), "{day}");
        }
        assert!(!is_day("2026-11-15-01") && !is_day("+026-11-15") && !is_day("２０２６-11-15"));
    }
}
