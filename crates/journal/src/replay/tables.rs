//! All tables of a journal at once, on several threads.
//!
//! The journal is cut into spans. Each thread reads every so many of them, and hands what it read to the threads to
//! which the tables belong; these apply it in the order of the spans. So every line is read once, whatever the number
//! of threads, and a table with many lines keeps nobody from reading.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};

use croupier_ledger::TableId;
use croupier_table::{Event, Fact, keeps_cites};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Replayed;
use crate::envelope::Row;
use crate::shelf::Shelf;
use crate::store::{Flow, Lines, Location, StoreError};

/// The positions of a span: enough that few queries are made, few enough that what was read is still in the cache.
const SPAN: u64 = 1_024;

/// All tables of a journal as they are after its last line, read on this many threads.
///
/// # Errors
/// When the store cannot be read, or a line is none.
pub fn tables(
    location: &Location,
    shelf: &Shelf,
    threads: usize,
) -> Result<BTreeMap<TableId, Replayed>, StoreError> {
    let threads = threads.max(1);
    let end = location.open_to_read()?.end()? + 1;
    // From each thread to each: a span has one reader and many appliers.
    let (mut senders, mut receivers) = (Vec::new(), Vec::new());
    senders.resize_with(threads, Vec::new);
    receivers.resize_with(threads, Vec::new);
    for to_others in &mut senders {
        for from_others in &mut receivers {
            let (sender, receiver) = channel();
            to_others.push(sender);
            from_others.push(receiver);
        }
    }
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0_u64..)
            .zip(senders.into_iter().zip(receivers))
            .map(|(first, (to, from))| {
                scope.spawn(move || Worker { first, end, location, shelf, to, from }.work())
            })
            .collect();
        let mut all = Ok(BTreeMap::new());
        for worker in workers {
            match (worker.join(), &mut all) {
                (Ok(Ok(tables)), Ok(all)) => all.extend(tables),
                // The one that says why, rather than those that stopped because of it.
                (Ok(Err(Stop::Fault(fault))), _) => all = Err(fault),
                (Ok(Err(Stop::Alone)) | Err(_), Ok(_)) => {
                    all = Err(StoreError::Database("a reader ended".to_string()));
                }
                (Ok(_) | Err(_), Err(_)) => {}
            }
        }
        all
    })
}

/// Why a worker stopped early.
enum Stop {
    /// What it read is no journal.
    Fault(StoreError),
    /// Another one stopped.
    Alone,
}

/// What was read of a table.
enum Read {
    /// The line that opens it.
    Opening(Vec<u8>),
    /// What happened at it.
    Event(Event),
}

/// What a span has for one worker, in order.
type Part = Vec<(TableId, Read)>;

struct Worker<'a> {
    /// The first span it reads; it then reads every span that is as many on as there are workers.
    first: u64,
    /// The position after the last.
    end: u64,
    location: &'a Location,
    shelf: &'a Shelf,
    to: Vec<Sender<Part>>,
    from: Vec<Receiver<Part>>,
}

impl Worker<'_> {
    fn work(self) -> Result<BTreeMap<TableId, Replayed>, Stop> {
        let mut store = self.location.open_to_read().map_err(Stop::Fault)?;
        let mut tables = BTreeMap::new();
        let workers = u64::try_from(self.to.len()).unwrap_or(u64::MAX);
        // Everybody takes part in every turn, be it with nothing, and reads a turn ahead of what is applied, so that
        // nobody waits for the slowest.
        let turns = (self.end - 1).div_ceil(SPAN).div_ceil(workers);
        for turn in 0..=turns {
            if turn < turns {
                let from = (turn * workers + self.first) * SPAN + 1;
                let mut parts = Vec::new();
                parts.resize_with(self.to.len(), || Part::with_capacity(self.room()));
                read(&mut *store, from..(from + SPAN).min(self.end), &mut parts).map_err(Stop::Fault)?;
                for (to, part) in self.to.iter().zip(parts) {
                    to.send(part).map_err(|_| Stop::Alone)?;
                }
            }
            if turn > 0 {
                for from in &self.from {
                    self.apply(&mut tables, from.recv().map_err(|_| Stop::Alone)?)?;
                }
            }
        }
        Ok(tables)
    }

    /// What a part usually takes: two events a line, divided among the workers.
    fn room(&self) -> usize {
        usize::try_from(2 * SPAN).unwrap_or_default() / self.to.len().max(1)
    }

    fn apply(&self, tables: &mut BTreeMap<TableId, Replayed>, part: Part) -> Result<(), Stop> {
        for (id, read) in part {
            let fault = |what: &str| Stop::Fault(StoreError::Database(format!("table/{id}: {what}")));
            match (tables.get_mut(&id), read) {
                (Some(table), Read::Event(event)) => table.apply(&[event]),
                (None, Read::Opening(line)) => {
                    let first = Row::from_line(line).map_err(|error| fault(&error.to_string()))?;
                    let table = Replayed::first(self.shelf, &first).map_err(|bad| fault(&bad.to_string()))?;
                    tables.insert(id, table);
                }
                (None, Read::Event(_)) => return Err(fault("begins without being opened")),
                (Some(_), Read::Opening(_)) => return Err(fault("is opened twice")),
            }
        }
        Ok(())
    }
}

/// Reads a span into the parts of those to whom its tables belong.
fn read(
    store: &mut dyn crate::store::Store,
    positions: core::ops::Range<u64>,
    parts: &mut [Part],
) -> Result<(), StoreError> {
    let of = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    let mut fault = None;
    store.replay(positions, &mut |row| {
        let table = row.table;
        let belongs_to = usize::try_from(table.0 % of).unwrap_or_default();
        let Some(part) = parts.get_mut(belongs_to) else { return Flow::Break(()) };
        match row.lines {
            Lines::Opening(line) => part.push((table, Read::Opening(line.to_vec()))),
            Lines::Events(events) => {
                if let Err(what) = follow(events, |event| part.push((table, Read::Event(event)))) {
                    fault = Some(StoreError::Database(format!("table/{table}: {what}")));
                    return Flow::Break(());
                }
            }
        }
        Flow::Continue(())
    })?;
    fault.map_or(Ok(()), Err)
}

/// Gives the events of an array, without what they rest on where no state keeps it.
fn follow(events: &[u8], each: impl FnMut(Event)) -> Result<(), String> {
    // Checked as a whole, which is quicker than word by word.
    let events = core::str::from_utf8(events).map_err(|error| error.to_string())?;
    let mut events = serde_json::Deserializer::from_str(events);
    events.deserialize_seq(Events(each)).and_then(|()| events.end()).map_err(|error| error.to_string())
}

/// An event as it is followed: what it rests on is passed over where no state keeps it.
struct Followed(Event);

impl<'de> Deserialize<'de> for Followed {
    fn deserialize<D: Deserializer<'de>>(event: D) -> Result<Self, D::Error> {
        event.deserialize_map(FollowedVisitor)
    }
}

struct FollowedVisitor;

impl<'de> Visitor<'de> for FollowedVisitor {
    type Value = Followed;

    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("an event: its fact, then what it rests on")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Followed, A::Error> {
        // Lines are as they were written: the members come in this order, and there are no others.
        let member = |name: &'static str, found: Option<&'de str>| match found {
            Some(found) if found == name => Ok(()),
            Some(_) | None => Err(A::Error::missing_field(name)),
        };
        member("fact", members.next_key()?)?;
        let fact: Fact = members.next_value()?;
        member("cites", members.next_key()?)?;
        let cites = if keeps_cites(&fact) {
            members.next_value()?
        } else {
            members.next_value::<IgnoredAny>()?;
            Vec::new()
        };
        match members.next_key::<&str>()? {
            None => Ok(Followed(Event { fact, cites })),
            Some(other) => Err(A::Error::custom(format_args!("an event has no `{other}`"))),
        }
    }
}

struct Events<F>(F);

impl<'de, F: FnMut(Event)> Visitor<'de> for Events<F> {
    type Value = ();

    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the events of a table")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut events: A) -> Result<(), A::Error> {
        while let Some(Followed(event)) = events.next_element()? {
            (self.0)(event);
        }
        Ok(())
    }
}
