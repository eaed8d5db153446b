//! A floor that another node runs: read from the journal, kept up with what that node commits, and taken over when it is
//! this node's turn. Nothing is written before that.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use croupier_journal::checkpoint::{self, Log};
use croupier_journal::deed::Leads;
use croupier_journal::nodes::{Lead, Mark};
use croupier_journal::store::{Flow, Order};
use croupier_journal::writer::{Following, Observers, Written};
use croupier_journal::{
    BadRow, Deed, Head, Keys, Location, Replayed, Row, SecretShoe, Select, Store, StoreError, Stream, Writer,
    shoe,
};
use croupier_ledger::TableId;
use tokio::sync::watch;

use super::registers::{self, Sealed};
use super::restore::Restoring;
use super::start::{self, StartError};
use super::watch::{CHECKPOINTS, checkpoint_change};
use super::{Floor, Place, RUNNING};
use crate::away;
use crate::figures::live::Counted;
use crate::progress::Progress;
use crate::readers::Readers;
use crate::rounds;
use crate::second::{Feed, SecondBooks};
use crate::shared::Shared;
use crate::table::actor::{self, Start};
use crate::table::known::Known;
use crate::till::Till;

/// Lines that are followed together.
const AT_ONCE: usize = 2_048;
/// How often registers are compared before what is found is believed: another node may be changing them.
const LOOKS: usize = 5;

/// What a node has that follows and may have to lead.
pub(crate) struct Standby {
    place: Place,
    /// The last line that was followed, and what it is; nothing where that was long before.
    position: u64,
    last: Option<(Stream, Head)>,
    /// Gives lines to the second set of books.
    books: Following,
    /// What the writer is to be observed by, once there is one.
    observers: Observers,
}

impl core::fmt::Debug for Standby {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Standby").field("position", &self.position).finish_non_exhaustive()
    }
}

impl Floor {
    /// A floor as the journal has it now, while another node may be writing. It must be called on a runtime; it blocks
    /// while it reads.
    ///
    /// # Errors
    /// As [`Floor::start`].
    pub(crate) fn follow(place: &Place, progress: &Progress) -> Result<(Arc<Self>, Standby), StartError> {
        let (keys, log) = start::secrets(place)?;
        let readers = Readers::new(place.database.clone());
        let mut store = place.database.open()?;
        let store = store.as_mut();
        for caution in store.cautions()? {
            tracing::warn!("{caution}");
        }
        let (bank, taken) = start::bank(store, &keys, progress)?;
        start::check_heads(store, &bank, &log)?;
        let reach = start::check_lines(store, &log, taken, bank.position, progress)?;
        start::check_tail(store, place, &keys)?;
        let log = joined(store, place, log)?;
        let (mut shelf, _) = start::rulebooks(store)?;
        if bank.position == 0 {
            // The node that leads first puts them down; settings may name what is in them.
            for text in croupier_rules::library::standard_texts() {
                shelf.add(text).map_err(|faults| StartError::Rulebook("standard".to_string(), faults))?;
            }
        }
        check_registers(store, place, &keys)?;
        let restoring =
            Restoring { shelf: &shelf, keys: &keys, writer: None, place, was_killed: false, progress };
        let starts = restoring.all(&start::tables(&bank))?;

        let (keys, failed) = (Arc::new(keys), watch::Sender::new(None));
        let (feed, position) = (Feed::default(), bank.position);
        let (claims, books) = (feed.claims(), feed.follow());
        let (sender, away) = watch::channel(false);
        let observers = Observers {
            note: None,
            follow: Some(feed.follow()),
            alongside: Some(feed.alongside()),
            missing: Some(away::observer(sender)),
        };
        let second = SecondBooks::following(feed, bank.clone(), reach, Arc::clone(&keys), failed.clone())?;
        let till = Till::following(bank, away, claims, failed);
        let shared = Arc::new(Shared::new(till, second, readers, keys));
        let mut tables = BTreeMap::new();
        let mut ends = Vec::new();
        for start in starts {
            ends.push((start.table.table.id, start.table.head.sequence));
            let handle = actor::start(&shared, start);
            tables.insert(handle.id, handle);
        }
        let floor = Arc::new(Self {
            shared,
            shelf: RwLock::new(shelf),
            tables: RwLock::new(tables),
            checkpoints: Mutex::new(log),
            signed: Mutex::new(Instant::now()),
            pace: place.pace,
            counter: tokio::sync::Mutex::default(),
            adding: tokio::sync::Mutex::default(),
        });
        tokio::spawn(Self::count_so_far(Arc::downgrade(&floor), ends));
        Ok((floor, Standby { place: place.clone(), position, last: None, books, observers }))
    }

    /// Follows what another node has added to the house.
    fn follow_house(&self, row: &Row) -> Result<(), BadRow> {
        let bad = |what: String| BadRow::new(row, what);
        let record = row.record().map_err(|error| bad(error.to_string()))?;
        let Deed::Rulebook { text, .. } = record.deed else { return Ok(()) };
        let mut shelf = self.shelf.write().unwrap_or_else(PoisonError::into_inner);
        shelf.add(&text).map(drop).map_err(|faults| bad(faults.to_string()))
    }

    /// Follows lines of a table, which may be new.
    fn follow_table(&self, id: TableId, rows: Vec<Row>) -> Result<(), BadRow> {
        if let Some(table) = self.table(id) {
            table.follow(rows);
            return Ok(());
        }
        let Some(first) = rows.first() else { return Ok(()) };
        let table = Replayed::first(&self.shelf(), first)?;
        let start = Start {
            table,
            in_play: None,
            known: Known::default(),
            last_snapshot: 0,
            pace: self.pace,
            rounds: Vec::new(),
            was_killed: false,
            follows: true,
        };
        let handle = actor::start(&self.shared, start);
        handle.live.complete(Counted::default());
        handle.follow(rows);
        self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(id, handle);
        Ok(())
    }

    /// Follows the checkpoints that another node has signed.
    pub(crate) fn follow_checkpoints(&self, store: &mut dyn Store) -> Result<(), StoreError> {
        let mut log = self.checkpoints.lock().unwrap_or_else(PoisonError::into_inner);
        follow_checkpoints(store, &mut log)
    }
}

fn follow_checkpoints(store: &mut dyn Store, log: &mut Log) -> Result<(), StoreError> {
    let after = format!("{:012}", log.number() + 1);
    for (_, line) in store.range(CHECKPOINTS, after.as_str().."~", Order::Rising, usize::MAX)? {
        let followed = log.follow_line(&String::from_utf8_lossy(&line));
        followed.map_err(|error| StoreError::Database(error.to_string()))?;
    }
    Ok(())
}

/// The log of this folder, brought up to what all nodes have signed.
fn joined(store: &mut dyn Store, place: &Place, log: Log) -> Result<Log, StartError> {
    let Some(folder) = &place.folder else { return Ok(log) };
    let registered = checkpoint::registered(store)?.unwrap_or_default();
    drop(log);
    Ok(Log::joined(folder, &registered)?)
}

/// The registers are as the lines say. Somebody may be changing both meanwhile: then they are looked at again.
fn check_registers(store: &mut dyn Store, place: &Place, keys: &Keys) -> Result<(), StartError> {
    let mut found = Ok(());
    for _ in 0..LOOKS {
        found = registers::check(store, place, keys).map(drop);
        if !matches!(found, Err(StartError::Registers(_))) {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    found
}

impl Standby {
    /// The database of the floor.
    pub(crate) const fn database(&self) -> &Location {
        &self.place.database
    }

    /// The last line that was followed.
    pub(crate) const fn position(&self) -> u64 {
        self.position
    }

    /// That the journal still has the last line that was followed: a database that was set back, or a standby that took
    /// over without it, has not.
    ///
    /// # Errors
    /// [`StoreError::Overtaken`] if not: this node has to begin anew.
    pub(crate) fn check(&self, store: &mut dyn Store) -> Result<(), StoreError> {
        let Some(last) = self.last else { return Ok(()) };
        let mut found = None;
        store.rows(Select::After(self.position - 1), &mut |position, row| {
            found = Some((position, (row.stream, row.head())));
            Flow::Break(())
        })?;
        match found == Some((self.position, last)) {
            true => Ok(()),
            false => Err(StoreError::Overtaken(format!(
                "the journal has no longer what was followed at {}",
                self.position
            ))),
        }
    }

    /// Follows what is in the journal by now.
    ///
    /// # Errors
    /// What the store says; [`StartError::Journal`] if a line does not fit, and what this node shows would be wrong.
    pub(crate) fn catch_up(&mut self, floor: &Floor, store: &mut dyn Store) -> Result<(), StartError> {
        loop {
            let (mut rows, mut next) = (Vec::new(), self.position + 1);
            let mut fault = None;
            store.rows(Select::After(self.position), &mut |position, row| {
                if position != next {
                    fault =
                        Some(BadRow::new(&row, format!("is at position {position}, and {next} is the next")));
                    return Flow::Break(());
                }
                next += 1;
                rows.push(row);
                if rows.len() < AT_ONCE { Flow::Continue(()) } else { Flow::Break(()) }
            })?;
            if let Some(bad) = fault {
                return Err(bad.into());
            }
            let is_all = rows.len() < AT_ONCE;
            self.take(floor, rows)?;
            if is_all {
                return Ok(());
            }
        }
    }

    fn take(&mut self, floor: &Floor, rows: Vec<Row>) -> Result<(), StartError> {
        if rows.is_empty() {
            return Ok(());
        }
        let first = self.position + 1;
        self.position += u64::try_from(rows.len()).unwrap_or(0);
        self.last = rows.last().map(|row| (row.stream, row.head()));
        floor.shared.till.follow(first, &rows)?;
        let mut of_tables: BTreeMap<TableId, Vec<Row>> = BTreeMap::new();
        for row in &rows {
            match row.stream {
                Stream::Table(id) => of_tables.entry(id).or_default().push(row.clone()),
                Stream::House => floor.follow_house(row)?,
                Stream::Cage | Stream::Player(_) | Stream::Case(_) => {}
            }
        }
        (self.books)(Written { first, rows, took: Duration::ZERO, mark: None });
        of_tables.into_iter().try_for_each(|(id, rows)| floor.follow_table(id, rows))?;
        Ok(())
    }

    /// Takes the floor over: from now on this node writes. `is_cold` says that it has not followed another node, and no
    /// node was there before: then rounds in play are ruled on as after a power failure, as at the start of a server alone.
    /// It blocks, and must be called on a runtime.
    ///
    /// # Errors
    /// Why it cannot lead; nothing that it has written is then relied on.
    pub(crate) fn lead(mut self, floor: &Arc<Floor>, lead: Lead, is_cold: bool) -> Result<Mark, StartError> {
        let node = lead.node.clone();
        let begun = Instant::now();
        self.observers.note = start::note(&self.place)?;
        let observers = core::mem::take(&mut self.observers);
        let writer = Writer::over_observed(self.place.database.open_leading(lead)?, observers)?;
        let began = writer.began();
        let mark = began.mark.unwrap_or_default();
        // From here on nobody else can write: what is there is all there is.
        let mut store = self.place.database.open()?;
        let store = store.as_mut();
        self.catch_up(floor, store)?;
        if self.position != began.position {
            let what = format!("the journal ends at {}, and {} was followed", began.position, self.position);
            return Err(StartError::OtherJournal(what));
        }
        let (shared, place) = (&floor.shared, &self.place);
        let mut log = floor.checkpoints.lock().unwrap_or_else(PoisonError::into_inner);
        follow_checkpoints(store, &mut log)?;
        let signed_over = start::sign_over(place, &shared.keys, &mut log)?;
        drop(log);
        let last = start::last_time(store)?;
        let (mut shelf, mut changes) = start::rulebooks(store)?;
        let sealed: Sealed = registers::check(store, place, &shared.keys)?;
        let mut in_play = shoes(store, &shared.keys)?;
        let was_killed = is_cold && store.entry(RUNNING, "server")?.is_some();
        rounds::complete(store, &mut |changes| start::keep(&writer, changes), &Progress::default())?;

        shared.till.lead(writer, last);
        shared.books.lead();
        changes.extend(signed_over.map(|(number, line)| checkpoint_change(number, line)));
        let leads = Leads { node, epoch: mark.epoch };
        start::say_started(shared, &mut shelf, Some(leads), sealed, changes)?;
        *floor.shelf.write().unwrap_or_else(PoisonError::into_inner) = shelf;
        for table in floor.tables() {
            table.lead(in_play.remove(&table.id).unwrap_or_default(), was_killed);
        }
        tokio::spawn(Floor::keep_watch(Arc::downgrade(floor)));
        let milliseconds = begun.elapsed().as_millis();
        tracing::info!(epoch = mark.epoch, position = self.position, milliseconds, "this node leads");
        if was_killed {
            tracing::warn!("no node was left: rounds that were in play are ruled on as a power failure");
        }
        Ok(mark)
    }
}

/// The sealed shoes of all tables, opened.
fn shoes(
    store: &mut dyn Store,
    keys: &Keys,
) -> Result<BTreeMap<TableId, Vec<(u32, SecretShoe)>>, StartError> {
    let mut found: BTreeMap<TableId, Vec<_>> = BTreeMap::new();
    for (name, sealed) in store.entries(shoe::REGISTER)? {
        if let Some((table, number)) = shoe::named(&name) {
            found.entry(table).or_default().push((number, SecretShoe::unseal(keys, &name, &sealed)?));
        }
    }
    Ok(found)
}
