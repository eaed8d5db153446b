//! A floor from its journal: the books, the rulebooks and every table as they were after the last durable line.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, RwLock};
use std::time::Instant;

use croupier_journal::checkpoint::{CheckpointError, Log, Reach};
use croupier_journal::deed::Leads;
use croupier_journal::envelope::Record;
use croupier_journal::keys::KeyError;
use croupier_journal::registers::Mismatch;
use croupier_journal::store::Flow;
use croupier_journal::tail::{self, Tail};
use croupier_journal::writer::{Noting, Observers};
use croupier_journal::{
    BadRow, Bank, By, Change, Deed, Hash, Head, Keys, Row, Select, Shelf, Store, StoreError, Stream, Writer,
    checkpoint, snapshot,
};
use croupier_ledger::TableId;
use tokio::sync::watch;

use super::registers::Sealed;
use super::restore::Restoring;
use super::watch::{CHECKPOINTS, checkpoint_change};
use super::{Floor, Place, RULEBOOKS, RUNNING, plain, rulebook_change};
use crate::away;
use crate::progress::Progress;
use crate::readers::Readers;
use crate::rounds;
use crate::second::{Feed, SecondBooks};
use crate::shared::Shared;
use crate::table::actor;
use crate::till::Till;

/// Why a floor does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The keys.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// The checkpoints.
    #[error(transparent)]
    Checkpoints(#[from] CheckpointError),
    /// The journal does not hold together.
    #[error("the journal does not hold together at {0}; `croupier verify` says more")]
    Journal(#[from] BadRow),
    /// A rulebook that was good once is not read any more.
    #[error("rulebook {0} is not read any more: {1}")]
    Rulebook(String, croupier_rules::Faults),
    /// The journal is not the one that a snapshot or a checkpoint was made of.
    #[error("{0}; lines are missing or were changed, and `croupier verify` says more")]
    OtherJournal(String),
    /// A register that carries authority is not what the journal says.
    #[error("{}", super::registers::words(.0))]
    Registers(Vec<Mismatch>),
    /// The journal ends before a checkpoint that was signed.
    #[error("{stream} ends at {found}, and a checkpoint was signed at {signed}: lines are missing")]
    CutOff {
        /// Which stream.
        stream: Stream,
        /// Where it ends.
        found: u64,
        /// Where it was.
        signed: u64,
    },
}

/// A floor, and whether it had been stopped as it should.
#[derive(Debug)]
pub struct Started {
    /// The floor.
    pub floor: Arc<Floor>,
    /// The server before had no time to stop.
    pub was_killed: bool,
    /// This is the first start of this journal.
    pub is_new: bool,
}

impl Floor {
    /// Starts a floor from what is there, or a new one. It must be called on a runtime; it blocks while it reads.
    ///
    /// # Errors
    /// When the database, the keys or the checkpoints cannot be used, or the journal does not hold together.
    pub fn start(place: &Place) -> Result<Started, StartError> {
        Self::start_telling(place, &Progress::default())
    }

    /// The same, telling how far it has come.
    ///
    /// # Errors
    /// As [`Floor::start`].
    pub fn start_telling(place: &Place, progress: &Progress) -> Result<Started, StartError> {
        let (keys, mut log) = secrets(place)?;
        let feed = Feed::default();
        let (writer, away) = writer(place, &feed)?;
        let readers = Readers::new(place.database.clone());
        let mut store = place.database.open()?;
        let store = store.as_mut();
        for caution in store.cautions()? {
            tracing::warn!("{caution}");
        }

        let (bank, taken) = bank(store, &keys, progress)?;
        let dropped = go_on(store, place, &keys, &mut log)?;
        check_heads(store, &bank, &log)?;
        let reach = check_lines(store, &log, taken, bank.position, progress)?;
        check_tail(store, place, &keys)?;
        let last = last_time(store)?;
        let signed_over = sign_over(place, &keys, &mut log)?;
        let (mut shelf, kept_anew) = rulebooks(store)?;
        let sealed = super::registers::check(store, place, &keys)?;
        let was_killed = store.entry(RUNNING, "server")?.is_some();
        let is_new = bank.position == 0;
        let tables = tables(&bank);
        let restoring =
            Restoring { shelf: &shelf, keys: &keys, writer: Some(&writer), place, was_killed, progress };
        let starts = restoring.all(&tables)?;
        progress.begin("indexing finished rounds", 0);
        rounds::complete(store, &mut |changes| keep(&writer, changes), progress)?;

        let (keys, failed) = (Arc::new(keys), watch::Sender::new(None));
        let claims = feed.claims();
        let books = SecondBooks::start(feed, bank.clone(), reach, Arc::clone(&keys), failed.clone())?;
        let till = Till::new(bank, writer, last, away, claims, failed);
        let shared = Arc::new(Shared::new(till, books, readers, keys));
        let mut changes: Vec<Change> = kept_anew.into_iter().chain(dropped).collect();
        changes.extend(signed_over.map(|(number, line)| checkpoint_change(number, line)));
        say_started(&shared, &mut shelf, None, sealed, changes)?;

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
        tokio::spawn(Self::keep_watch(Arc::downgrade(&floor)));
        tokio::spawn(Self::count_so_far(Arc::downgrade(&floor), ends));
        Ok(Started { floor, was_killed, is_new })
    }
}

fn till_line(till: &mut crate::till::Inside, deed: &Deed) -> Row {
    let envelope = plain(till, Stream::House, By::System.into(), deed);
    till.line(Stream::House, &envelope)
}

/// The writer, and whether its database is away.
fn writer(place: &Place, feed: &Feed) -> Result<(Writer, watch::Receiver<bool>), StartError> {
    let (sender, away) = watch::channel(false);
    let observers = Observers {
        note: note(place)?,
        follow: Some(feed.follow()),
        alongside: Some(feed.alongside()),
        missing: Some(away::observer(sender)),
    };
    Ok((Writer::start_observed(&place.database, observers)?, away))
}

/// The note that is made of every commit where there is a folder.
pub(super) fn note(place: &Place) -> Result<Option<Noting>, StartError> {
    let Some(folder) = &place.folder else { return Ok(None) };
    let path = folder.join(tail::FILE);
    let keys = Keys::open(&place.keys)?;
    let mut tail = Tail::open(folder, keys).map_err(|error| KeyError::File { path, error })?;
    let note = move |position: u64, last: &Row| {
        if let Err(why) = tail.note(position, last) {
            tracing::error!(why, "the end of the journal cannot be noted");
        }
    };
    Ok(Some(Box::new(note)))
}

/// What was noted of the last commit must be there.
pub(super) fn check_tail(store: &mut dyn Store, place: &Place, keys: &Keys) -> Result<(), StartError> {
    let Some(folder) = &place.folder else { return Ok(()) };
    let is_known = |key: Hash| key == keys.public() || matches!(earlier(place, key), Ok(Some(_)));
    let Some(note) = tail::newest(folder, &is_known).map_err(StartError::OtherJournal)? else {
        return Ok(());
    };
    let mut found = None;
    store.rows(Select::After(note.position.saturating_sub(1)), &mut |position, row| {
        found = Some((position, row.stream, row.head()));
        Flow::Break(())
    })?;
    let noted = (note.position, note.stream, Head { sequence: note.sequence, hash: note.hash });
    if found == Some(noted) {
        return Ok(());
    }
    let (end, position) = (store.end()?, note.position);
    Err(StartError::OtherJournal(match end < position {
        true => format!("the journal ends at position {end}, and a commit was noted at {position}"),
        false => format!("the line at position {position} is not the one that was noted"),
    }))
}

/// The keys and the log of checkpoints, as they are in the folder.
pub(super) fn secrets(place: &Place) -> Result<(Keys, Log), StartError> {
    let Some(folder) = &place.folder else { return Ok((Keys::fresh()?, Log::nowhere())) };
    std::fs::create_dir_all(folder).map_err(|error| KeyError::File { path: folder.clone(), error })?;
    Ok((Keys::open(&place.keys)?, Log::open(folder)?))
}

/// The keys that signed before and are still there.
fn earlier(place: &Place, public: Hash) -> Result<Option<Keys>, StartError> {
    if place.folder.is_none() {
        return Ok(None);
    }
    Ok(Keys::earlier(&place.keys, public)?)
}

/// Where the file of checkpoints is empty, it goes on after those of the register; what is to be changed in that.
fn go_on(
    store: &mut dyn Store,
    place: &Place,
    keys: &Keys,
    log: &mut Log,
) -> Result<Vec<Change>, StartError> {
    let lines = if log.key().is_none() { store.entries(CHECKPOINTS)? } else { Vec::new() };
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let text: String = lines.iter().map(|(_, line)| format!("{}\n", String::from_utf8_lossy(line))).collect();
    let last = checkpoint::read(&text, None).ok().and_then(|mut found| found.pop());
    let key = last.map(|last| last.signs_next());
    let goes_on = match key {
        Some(key) => key == keys.public() || earlier(place, key)?.is_some(),
        None => false,
    };
    if goes_on {
        log.go_on_after(&text)?;
        return Ok(Vec::new());
    }
    // Two chains in one register would fit together nowhere.
    tracing::warn!("the checkpoints in the database cannot be gone on with: the first one is signed anew");
    Ok(lines.into_iter().map(|(key, _)| Change::Delete { register: CHECKPOINTS, key }).collect())
}

/// If the key was changed, the one that signed last announces the new one as its last act.
pub(super) fn sign_over(
    place: &Place,
    keys: &Keys,
    log: &mut Log,
) -> Result<Option<(u64, String)>, StartError> {
    let Some(old) = log.key().filter(|old| *old != keys.public()) else { return Ok(None) };
    let signs = earlier(place, old)?.ok_or_else(|| CheckpointError::Line {
        line: 0,
        what: format!("the key {old} that signed last is not in the folder of keys"),
    })?;
    let reach = log.reach();
    Ok(log.write(&signs, Some(keys.public()), crate::clock::now(), reach)?)
}

/// How often the books let go of what only answers repeated transfers.
const FORGET_EVERY: u64 = 10_000;

/// A snapshot that is of no use costs time and nothing else: an older one is tried, and the lines say the same.
pub(super) fn pass_over(name: &str, why: &str) {
    tracing::warn!(name, why, "a snapshot is not used; more lines are read instead");
}

/// Makes changes durable.
pub(super) fn keep(writer: &Writer, changes: Vec<Change>) -> Result<(), StoreError> {
    let kept = writer.append(Vec::new(), changes).map(drop);
    kept.map_err(|error| StoreError::Database(error.to_string()))
}

/// The books as of the last line, from the newest snapshot that is of use; and after which line that was taken.
pub(super) fn bank(
    store: &mut dyn Store,
    keys: &Keys,
    progress: &Progress,
) -> Result<(Bank, u64), StartError> {
    let mut stored: Vec<Bank> = Vec::new();
    for name in snapshot::BANK {
        let Some(value) = store.entry(snapshot::REGISTER, name)? else { continue };
        match snapshot::read(keys, name, &value) {
            Ok(bank) => stored.push(bank),
            Err(why) => pass_over(name, &why.to_string()),
        }
    }
    let mut bank = stored.into_iter().max_by_key(|bank| bank.position).unwrap_or_default();
    check_end(store, &bank)?;
    let taken = bank.position;
    let mut fault = None;
    progress.begin("reading the books", store.end()?.saturating_sub(bank.position));
    store.rows(Select::After(bank.position), &mut |position, row| match bank.follow(position, &row) {
        Ok(_) => {
            progress.add(1);
            // Nobody repeats what is in the journal.
            if position.is_multiple_of(FORGET_EVERY) {
                bank.forget();
            }
            Flow::Continue(())
        }
        Err(bad) => {
            fault = Some(bad);
            Flow::Break(())
        }
    })?;
    fault.map_or(Ok((bank, taken)), |bad| Err(bad.into()))
}

/// A journal that ends before its snapshot, or has other lines there, is not the one the snapshot was taken of.
fn check_end(store: &mut dyn Store, bank: &Bank) -> Result<(), StartError> {
    let other = |what: String| Err(StartError::OtherJournal(what));
    let (end, taken) = (store.end()?, bank.position);
    if end < taken {
        return other(format!("the journal ends at position {end}, and its snapshot was taken at {taken}"));
    }
    if taken == 0 {
        return Ok(());
    }
    let mut last = None;
    store.rows(Select::After(taken - 1), &mut |position, row| {
        last = Some((position, row));
        Flow::Break(())
    })?;
    match last {
        Some((position, row)) if position == taken && bank.heads.get(&row.stream) == Some(&row.head()) => {
            Ok(())
        }
        _ => other(format!("the line at position {taken} is not the one its snapshot was taken after")),
    }
}

/// The time of the last lines. Those of before were not in order of time over all streams.
pub(super) fn last_time(store: &mut dyn Store) -> Result<u64, StartError> {
    const LAST: u64 = 200;
    let (end, mut last) = (store.end()?, 0);
    store.rows(Select::After(end.saturating_sub(LAST)), &mut |_, row| {
        last = last.max(row.record().map_or(0, |record| record.at));
        Flow::Continue(())
    })?;
    Ok(last)
}

/// The lines that end at the last checkpoint must be those that it signed: all that were read after a snapshot, and at
/// least those since the checkpoint before. How far the lines go through that position.
pub(super) fn check_lines(
    store: &mut dyn Store,
    log: &Log,
    taken: u64,
    through: u64,
    progress: &Progress,
) -> Result<Reach, StartError> {
    let (signed, number) = (log.reach(), log.number());
    let mut reach = log.before(taken)?;
    let mut is_same = reach == signed;
    progress.begin("comparing what was signed", store.end()?.saturating_sub(reach.position));
    store.rows(Select::After(reach.position), &mut |position, row| {
        // Another node may be writing: what comes later is followed later.
        if position > through {
            return Flow::Break(());
        }
        reach.pass(position, row.head().hash);
        is_same |= reach == signed;
        progress.add(1);
        Flow::Continue(())
    })?;
    let end = reach.position;
    if end < signed.position {
        let at = signed.position;
        let what = format!("the journal ends at position {end}, and checkpoint {number} was signed at {at}");
        return Err(StartError::OtherJournal(what));
    }
    if !is_same {
        let what = format!(
            "the lines that end at position {} are not those that checkpoint {number} was signed over",
            signed.position
        );
        return Err(StartError::OtherJournal(what));
    }
    Ok(reach)
}

/// The same by a checkpoint of an earlier version, which names the ends of the streams.
pub(super) fn check_heads(store: &mut dyn Store, bank: &Bank, log: &Log) -> Result<(), StartError> {
    for (stream, signed) in log.heads() {
        let found = bank.heads.get(stream).map_or(0, |head| head.sequence);
        if found < signed.sequence {
            return Err(StartError::CutOff { stream: *stream, found, signed: signed.sequence });
        }
        let mut head = bank.heads.get(stream).copied();
        if found > signed.sequence {
            store.rows(Select::Stream(*stream, signed.sequence), &mut |_, row| {
                head = Some(row.head());
                Flow::Break(())
            })?;
        }
        if signed.sequence > 0 && head != Some(*signed) {
            let what = format!(
                "line {} of {stream} is not the one that a checkpoint was signed over",
                signed.sequence
            );
            return Err(StartError::OtherJournal(what));
        }
    }
    Ok(())
}

/// The rulebooks in the order they were added, and what is to be changed in their register. It used to have them
/// under their hashes, which says nothing of their order: then the lines of the house do.
pub(super) fn rulebooks(store: &mut dyn Store) -> Result<(Shelf, Vec<Change>), StartError> {
    let mut shelf = Shelf::default();
    let mut changes = Vec::new();
    for (key, text) in store.entries(RULEBOOKS)? {
        let text = String::from_utf8_lossy(&text);
        let hash = shelf.add(&text).map_err(|faults| StartError::Rulebook(key.clone(), faults))?;
        if key == hash.to_string() {
            changes.push(Change::Delete { register: RULEBOOKS, key });
        }
    }
    if changes.is_empty() {
        return Ok((shelf, changes));
    }
    let mut fault = None;
    store.rows(Select::Stream(Stream::House, 1), &mut |_, row| {
        let followed = match row.record() {
            Ok(Record { deed: Deed::Rulebook { hash, text }, .. }) => {
                changes.push(rulebook_change(row.sequence, &text));
                shelf.add(&text).map(drop).map_err(|faults| StartError::Rulebook(hash.to_string(), faults))
            }
            Ok(_) => Ok(()),
            Err(error) => Err(BadRow::new(&row, error.to_string()).into()),
        };
        match followed {
            Ok(()) => Flow::Continue(()),
            Err(error) => {
                fault = Some(error);
                Flow::Break(())
            }
        }
    })?;
    fault.map_or(Ok((shelf, changes)), Err)
}

/// Puts down that the server runs, with rulebooks that are new and whatever else the start has found.
pub(super) fn say_started(
    shared: &Shared,
    shelf: &mut Shelf,
    leads: Option<Leads>,
    sealed: Sealed,
    mut changes: Vec<Change>,
) -> Result<(), StartError> {
    let mut deeds = Vec::new();
    for text in croupier_rules::library::standard_texts() {
        let hash = Hash::of(text.as_bytes());
        if shelf.volume(hash).is_none() {
            shelf.add(text).map_err(|faults| StartError::Rulebook(hash.to_string(), faults))?;
            deeds.push(Deed::Rulebook { hash, text: text.to_string() });
        }
    }
    deeds.push(Deed::SigningKey { public: shared.keys.public() });
    deeds.push(Deed::Start { version: env!("CARGO_PKG_VERSION").to_string(), leads });
    changes.push(Change::Put { register: RUNNING, key: "server".to_string(), value: b"1".to_vec() });
    deeds.extend(sealed.line.map(Deed::Register));
    changes.extend(sealed.changes);
    let (sender, durable) = std::sync::mpsc::channel();
    shared.till.hold(|till| {
        let rows: Vec<Row> = deeds.iter().map(|deed| till_line(till, deed)).collect();
        changes.extend(deeds.iter().zip(&rows).filter_map(|(deed, row)| match deed {
            Deed::Rulebook { text, .. } => Some(rulebook_change(row.sequence, text)),
            _ => None,
        }));
        till.give(
            rows,
            changes,
            Box::new(move |result| {
                let _ = sender.send(result);
            }),
        );
    });
    match durable.recv() {
        Ok(Err(error)) => Err(StartError::Store(StoreError::Database(error.to_string()))),
        Ok(Ok(_)) | Err(_) => Ok(()),
    }
}

/// The tables whose streams have begun.
pub(super) fn tables(bank: &Bank) -> Vec<TableId> {
    let table = |stream: &Stream| match stream {
        Stream::Table(id) => Some(*id),
        Stream::House | Stream::Cage | Stream::Player(_) | Stream::Case(_) => None,
    };
    bank.heads.keys().filter_map(table).collect()
}
