//! Finding rounds in the register and in the journal.

use croupier_journal::bank::SNAPSHOTS;
use croupier_journal::replay::TableSnapshot;
use croupier_journal::store::Flow;
use croupier_journal::{BadRow, Deed, Kind, Replayed, Row, Select, Shelf, Store, StoreError, Stream};
use croupier_ledger::TableId;
use croupier_rounds::export::{Extract, export};
use croupier_table::{Command, Event, Fact, PlayerId, Table};

use crate::rounds::{REGISTER, RoundKept, key};

/// Numbers in a row without a finished round, after which the search ends: betting that was abandoned leaves none.
const GAP: u64 = 200;

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
    let mut rounds: Vec<RoundKept> = Vec::new();
    let mut last = before;
    for number in (1..before).rev() {
        if rounds.len() == limit {
            return Ok((rounds, Some(last)));
        }
        if let Some(kept) = kept(store, table, number)? {
            last = number;
            rounds.push(kept);
        } else if last - number > GAP {
            break;
        }
    }
    Ok((rounds, None))
}

/// The file of a finished round; nothing if there is none with that number.
pub(super) fn file(
    store: &mut dyn Store,
    shelf: &Shelf,
    table: TableId,
    round: u64,
) -> Result<Option<String>, StoreError> {
    let stream = Stream::Table(table);
    let mut replayed = start(store, shelf, table, round)?;
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
    shelf: &Shelf,
    table: TableId,
    round: u64,
) -> Result<Option<Replayed>, StoreError> {
    let stored = store.entry(SNAPSHOTS, &Stream::Table(table).to_string())?;
    let snapshot: Option<TableSnapshot> = stored.and_then(|stored| serde_json::from_slice(&stored).ok());
    let restored = snapshot.and_then(|snapshot| Replayed::restore(table, shelf, snapshot).ok());
    Ok(restored.filter(|replayed| replayed.table.round.number < round))
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
            opening: &replayed.opened.opening,
            before: &self.before,
            // No personal data: the ids are enough to find the people.
            names: &|player: PlayerId| format!("p{player}"),
            steps: &steps,
        };
        export(&extract).to_string()
    }
}

/// The lines in which a round began and ended, from the journal itself: the register has a round only once something
/// else is written.
pub(in crate::api) fn lines(
    store: &mut dyn Store,
    table: TableId,
    round: u64,
) -> Result<Option<(u64, u64)>, StoreError> {
    // From the end of a round before it, if one is near.
    let mut from = 1;
    for number in (round.saturating_sub(20)..round).rev() {
        if let Some(kept) = kept(store, table, number)? {
            from = kept.to;
            break;
        }
    }
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
