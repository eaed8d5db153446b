//! Finding rounds in the register and in the journal.

use core::ops::Range;

use croupier_journal::replay::TableSnapshot;
use croupier_journal::store::{Flow, Order};
use croupier_journal::{
    BadRow, Deed, Keys, Kind, Replayed, Row, Select, Shelf, Store, StoreError, Stream, snapshot,
};
use croupier_ledger::TableId;
use croupier_rounds::amount::Decimals;
use croupier_rounds::export::{Extract, export};
use croupier_table::{Actor, Command, Event, Fact, PersonId, PlayerId, Table};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::rounds::{REGISTER, RoundKept, key};

/// A finished round.
pub(in crate::api) fn kept(
    store: &mut dyn Store,
    table: TableId,
    round: u64,
) -> Result<Option<RoundKept>, StoreError> {
    let Some(value) = store.entry(REGISTER, &key(table, round))? else { return Ok(None) };
    let read = serde_json::from_slice(&value);
    read.map(Some).map_err(|error| StoreError::Database(format!("round {round} of table {table}: {error}")))
}

/// Finished rounds before one, the newest first, and where to go on.
pub(super) fn before(
    store: &mut dyn Store,
    table: TableId,
    before: u64,
    limit: usize,
) -> Result<(Vec<RoundKept>, Option<u64>), StoreError> {
    let mut rounds: Vec<RoundKept> = newest(store, table, 0..before, limit + 1)?;
    let has_more = rounds.len() > limit;
    rounds.truncate(limit);
    let next = rounds.last().filter(|_| has_more).map(|last| last.round);
    Ok((rounds, next))
}

/// The newest finished rounds of those with such numbers, the last first.
fn newest<T: DeserializeOwned>(
    store: &mut dyn Store,
    table: TableId,
    rounds: Range<u64>,
    most: usize,
) -> Result<Vec<T>, StoreError> {
    let (from, below) = (key(table, rounds.start), key(table, rounds.end));
    let found = store.range(REGISTER, from.as_str()..below.as_str(), Order::Falling, most)?;
    let read = |(key, value): &(String, Vec<u8>)| {
        serde_json::from_slice(value).map_err(|error| StoreError::Database(format!("round {key}: {error}")))
    };
    found.iter().map(read).collect()
}

/// Where a finished round is in the stream of its table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Where {
    pub(super) round: u64,
    pub(super) shoe: u32,
    pub(super) from: u64,
    pub(super) to: u64,
}

/// The last finished round before a shoe and the first one from it on. Shoes follow each other as rounds do, so a few
/// steps find them among any number; `last` is the number of the newest round.
pub(super) fn around(
    store: &mut dyn Store,
    table: TableId,
    shoe: u32,
    last: u64,
) -> Result<(Option<Where>, Option<Where>), StoreError> {
    let (mut before, mut after): (Option<Where>, Option<Where>) = (None, None);
    // What is below is of an earlier shoe, and what is not below the other is not.
    let (mut low, mut high) = (0, last + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        match newest::<Where>(store, table, low..middle + 1, 1)?.first() {
            Some(found) if found.shoe >= shoe => {
                high = found.round;
                after = Some(*found);
            }
            Some(found) => {
                before = Some(*found);
                low = middle + 1;
            }
            None => low = middle + 1,
        }
    }
    Ok((before, after))
}

/// The file of a finished round; nothing if there is none with that number.
pub(super) fn file(
    store: &mut dyn Store,
    keys: &Keys,
    shelf: &Shelf,
    table: TableId,
    round: u64,
) -> Result<Option<String>, StoreError> {
    let stream = Stream::Table(table);
    let mut replayed = start(store, keys, shelf, table, round)?;
    let from = replayed.as_ref().map_or(1, |replayed| replayed.head.sequence + 1);
    let mut played: Option<Played> = None;
    let mut fault = None;
    store.rows(Select::Stream(stream, from), &mut |_, row| {
        let followed = match &mut replayed {
            None => Replayed::first(shelf, &row).map(|first| {
                replayed = Some(first);
                false
            }),
            Some(replayed) => follow(replayed, &row, round, &mut played),
        };
        match followed {
            Ok(false) => Flow::Continue(()),
            Ok(true) => Flow::Break(()),
            Err(bad) => {
                fault = Some(bad);
                Flow::Break(())
            }
        }
    })?;
    if let Some(bad) = fault {
        return Err(StoreError::Database(bad.to_string()));
    }
    let (Some(replayed), Some(played)) = (replayed, played) else { return Ok(None) };
    let is_over = replayed.table.round.number > round || replayed.table.round.closed.is_some();
    Ok(is_over.then(|| played.file(&replayed, round)))
}

/// The newest state that is stored from before the round, so that not all of the stream is read.
fn start(
    store: &mut dyn Store,
    keys: &Keys,
    shelf: &Shelf,
    table: TableId,
    round: u64,
) -> Result<Option<Replayed>, StoreError> {
    let below = newest::<Where>(store, table, round..round + 1, 1)?.first().map_or(u64::MAX, |at| at.from);
    let restored = stored(store, keys, shelf, table, below)?;
    Ok(restored.filter(|replayed| replayed.table.round.number < round))
}

/// The newest state of a table that was stored with a shoe, before a line.
pub(super) fn stored(
    store: &mut dyn Store,
    keys: &Keys,
    shelf: &Shelf,
    table: TableId,
    below: u64,
) -> Result<Option<Replayed>, StoreError> {
    let mut fits = |snapshot: TableSnapshot| Replayed::restore(table, shelf, snapshot);
    // A start has told of those that are of no use.
    snapshot::newest(store, keys, Stream::Table(table), below, &mut fits, &mut |_, _| ())
}

/// The same, for whoever follows a table up to some line.
pub(crate) fn stored_before(
    store: &mut dyn Store,
    keys: &Keys,
    shelf: &Shelf,
    table: TableId,
    line: u64,
) -> Result<Option<Replayed>, StoreError> {
    let found = stored(store, keys, shelf, table, line)?;
    Ok(found.filter(|replayed| replayed.head.sequence < line))
}

/// A round as it was played.
struct Played {
    before: Table,
    shoe: u32,
    steps: Vec<(Command, Vec<Event>)>,
}

/// Follows a line; whether the round is behind it.
fn follow(
    replayed: &mut Replayed,
    row: &Row,
    round: u64,
    played: &mut Option<Played>,
) -> Result<bool, BadRow> {
    if row.kind != Kind::Table {
        return Ok(false);
    }
    let events = row.table_events().map_err(|error| BadRow::new(row, error.to_string()))?;
    let begun = events.iter().find_map(|event| match event.fact {
        Fact::BetsOpened { round } | Fact::FreeHandBegan { round } => Some(round),
        _ => None,
    });
    match begun {
        Some(number) if number > round => return Ok(true),
        Some(number) if number == round => {
            let before = replayed.table.clone();
            *played = Some(Played { shoe: before.shoe.number, before, steps: Vec::new() });
        }
        Some(_) | None => {}
    }
    replayed.apply(&events);
    if let Some(played) = played {
        let record = row.record().map_err(|error| BadRow::new(row, error.to_string()))?;
        let (Deed::Table(action), Some(actor)) = (record.deed, record.by.actor()) else {
            return Err(BadRow::new(row, "is no command to a table"));
        };
        if events.iter().any(|event| matches!(event.fact, Fact::RoundClosed { .. })) {
            played.shoe = replayed.table.shoe.number;
        }
        played.steps.push((Command { actor, at: record.at / 1_000, action }, events));
    }
    Ok(false)
}

impl Played {
    fn file(&self, replayed: &Replayed, round: u64) -> String {
        let steps: Vec<(&Command, &[Event])> =
            self.steps.iter().map(|(command, events)| (command, events.as_slice())).collect();
        let (id, name, shoe) = (replayed.table.id, &replayed.opened.name, self.shoe);
        let extract = Extract {
            title: &format!("Table {id} ({name}), shoe {shoe}, round {round}"),
            currency: Decimals::new(replayed.opened.decimals)
                .map(|decimals| (replayed.opened.currency.as_str(), decimals)),
            opening: &replayed.opened.opening,
            before: &self.before,
            // No personal data: the ids are enough to find the people.
            names: &|player: PlayerId| format!("p{player}"),
            steps: &steps,
        };
        export(&extract).to_string()
    }
}

/// Whoever of the staff ruled in the lines of a round.
pub(in crate::api) fn ruled_by(
    store: &mut dyn Store,
    table: TableId,
    from: u64,
    to: u64,
) -> Result<Vec<PersonId>, StoreError> {
    let (mut people, mut damaged) = (Vec::new(), None);
    store.rows(Select::Stream(Stream::Table(table), from), &mut |position, row| {
        if row.sequence > to {
            return Flow::Break(());
        }
        if row.kind != Kind::Table {
            return Flow::Continue(());
        }
        let events = match row.table_events() {
            Ok(events) => events,
            // Who cannot be told apart from a judge must not pass for one.
            Err(error) => {
                damaged = Some(StoreError::Damaged { position, what: error.to_string() });
                return Flow::Break(());
            }
        };
        for event in events {
            if let Fact::Ruled { by: Actor::Staff(staff), .. } = event.fact
                && !people.contains(&staff.person)
            {
                people.push(staff.person);
            }
        }
        Flow::Continue(())
    })?;
    damaged.map_or(Ok(people), Err)
}

/// The lines in which a round began and ended, from the journal itself: the register has a round only once something
/// else is written.
pub(in crate::api) fn lines(
    store: &mut dyn Store,
    table: TableId,
    round: u64,
) -> Result<Option<(u64, u64)>, StoreError> {
    // From the end of the round before it.
    let from = newest::<Where>(store, table, 0..round, 1)?.first().map_or(1, |before| before.to);
    let (mut begun, mut ended) = (None, None);
    store.rows(Select::Stream(Stream::Table(table), from), &mut |_, row| {
        let Ok(events) = row.table_events() else { return Flow::Continue(()) };
        for event in &events {
            match event.fact {
                Fact::BetsOpened { round: number } | Fact::FreeHandBegan { round: number } => {
                    begun = (number == round).then_some(row.sequence);
                    if number > round {
                        return Flow::Break(());
                    }
                }
                Fact::RoundClosed { .. } if begun.is_some() => {
                    ended = begun.map(|begun| (begun, row.sequence));
                    return Flow::Break(());
                }
                _ => {}
            }
        }
        Flow::Continue(())
    })?;
    Ok(ended)
}
