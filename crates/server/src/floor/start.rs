//! A floor from its journal: the books, the rulebooks and every table as they were after the last durable line.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, RwLock};

use croupier_journal::bank::SNAPSHOTS;
use croupier_journal::checkpoint::{CheckpointError, Log};
use croupier_journal::envelope::Record;
use croupier_journal::keys::KeyError;
use croupier_journal::replay::TableSnapshot;
use croupier_journal::store::Flow;
use croupier_journal::{
    BadRow, Bank, By, Change, Deed, Hash, Keys, Replayed, Row, SecretShoe, Select, Shelf, Store, StoreError,
    Stream, Writer, checkpoint, shoe,
};
use croupier_ledger::TableId;
use croupier_table::Views;

use super::watch::{CHECKPOINTS, checkpoint_change};
use super::{Floor, Place, RULEBOOKS, RUNNING, plain, rulebook_change};
use crate::readers::Readers;
use crate::rounds::RoundKept;
use crate::shared::Shared;
use crate::table::Receipt;
use crate::table::actor::{self, Start};
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
        let (keys, mut log) = secrets(place)?;
        let writer = Writer::start(&place.database)?;
        let readers = Readers::new(place.database.clone());
        let mut store = place.database.open()?;
        let store = store.as_mut();

        let bank = bank(store)?;
        let dropped = go_on(store, place, &keys, &mut log)?;
        check_heads(&bank, &log)?;
        let signed_over = sign_over(place, &keys, &mut log)?;
        let (mut shelf, kept_anew) = rulebooks(store)?;
        let was_killed = store.entry(RUNNING, "server")?.is_some();
        let is_new = bank.position == 0;
        let tables: Vec<TableId> = bank
            .heads
            .keys()
            .filter_map(|stream| match stream {
                Stream::Table(id) => Some(*id),
                Stream::House | Stream::Cage | Stream::Player(_) | Stream::Case(_) => None,
            })
            .collect();
        let starts: Vec<Start> = tables
            .into_iter()
            .map(|id| restore(store, &shelf, &keys, id, place, was_killed))
            .collect::<Result<_, _>>()?;

        let shared = Arc::new(Shared::new(Till::new(bank, writer), readers, keys));
        let (deeds, mut changes) = say_started(&shared, &mut shelf)?;
        changes.extend(kept_anew.into_iter().chain(dropped));
        changes.extend(signed_over.map(|(number, line)| checkpoint_change(number, line)));
        let (sender, durable) = std::sync::mpsc::channel();
        {
            let mut till = shared.till.hold();
            let rows: Vec<Row> = deeds.iter().map(|deed| till_line(&mut till, deed)).collect();
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
        }
        if let Ok(Err(error)) = durable.recv() {
            return Err(StartError::Store(StoreError::Database(error.to_string())));
        }

        let mut tables = BTreeMap::new();
        for start in starts {
            let handle = actor::start(&shared, start);
            tables.insert(handle.id, handle);
        }
        let floor = Arc::new(Self {
            shared,
            shelf: RwLock::new(shelf),
            tables: RwLock::new(tables),
            checkpoints: Mutex::new(log),
            pace: place.pace,
            counter: tokio::sync::Mutex::default(),
            adding: tokio::sync::Mutex::default(),
        });
        tokio::spawn(Self::keep_watch(Arc::downgrade(&floor)));
        Ok(Started { floor, was_killed, is_new })
    }
}

fn till_line(till: &mut crate::till::Inside, deed: &Deed) -> Row {
    let envelope = plain(till, Stream::House, By::System, deed);
    till.line(Stream::House, &envelope)
}

/// The keys and the log of checkpoints, as they are in the folder.
fn secrets(place: &Place) -> Result<(Keys, Log), StartError> {
    let Some(folder) = &place.folder else { return Ok((Keys::fresh()?, Log::nowhere())) };
    std::fs::create_dir_all(folder).map_err(|error| KeyError::File { path: folder.clone(), error })?;
    Ok((Keys::open(&folder.join("keys"))?, Log::open(folder)?))
}

/// The keys that signed before and are still there.
fn earlier(place: &Place, public: Hash) -> Result<Option<Keys>, StartError> {
    let Some(folder) = &place.folder else { return Ok(None) };
    Ok(Keys::earlier(&folder.join("keys"), public)?)
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
    let key = last.map(|last| last.next_key.unwrap_or(last.key));
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
fn sign_over(place: &Place, keys: &Keys, log: &mut Log) -> Result<Option<(u64, String)>, StartError> {
    let Some(old) = log.key().filter(|old| *old != keys.public()) else { return Ok(None) };
    let signs = earlier(place, old)?.ok_or_else(|| CheckpointError::Line {
        line: 0,
        what: format!("the key {old} that signed last is not in the folder of keys"),
    })?;
    let heads = log.heads().clone();
    Ok(log.write(&signs, Some(keys.public()), crate::clock::now(), 0, &heads)?)
}

/// The books as of the last line: from the snapshot on.
fn bank(store: &mut dyn Store) -> Result<Bank, StartError> {
    let stored = store.entry(SNAPSHOTS, "bank")?;
    let mut bank: Bank = stored.and_then(|stored| serde_json::from_slice(&stored).ok()).unwrap_or_default();
    let mut fault = None;
    store.rows(Select::After(bank.position), &mut |position, row| match bank.follow(position, &row) {
        Ok(_) => Flow::Continue(()),
        Err(bad) => {
            fault = Some(bad);
            Flow::Break(())
        }
    })?;
    fault.map_or(Ok(bank), |bad| Err(bad.into()))
}

/// Nothing that was signed may be missing.
fn check_heads(bank: &Bank, log: &Log) -> Result<(), StartError> {
    for (stream, signed) in log.heads() {
        let found = bank.heads.get(stream).map_or(0, |head| head.sequence);
        if found < signed.sequence {
            return Err(StartError::CutOff { stream: *stream, found, signed: signed.sequence });
        }
    }
    Ok(())
}

/// The rulebooks in the order they were added, and what is to be changed in their register. It used to have them
/// under their hashes, which says nothing of their order: then the lines of the house do.
fn rulebooks(store: &mut dyn Store) -> Result<(Shelf, Vec<Change>), StartError> {
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

/// What is put down at a start: rulebooks that are new, and that the server runs.
fn say_started(shared: &Shared, shelf: &mut Shelf) -> Result<(Vec<Deed>, Vec<Change>), StartError> {
    let mut deeds = Vec::new();
    let mut changes = Vec::new();
    for text in croupier_rules::library::standard_texts() {
        let hash = Hash::of(text.as_bytes());
        if shelf.volume(hash).is_none() {
            shelf.add(text).map_err(|faults| StartError::Rulebook(hash.to_string(), faults))?;
            deeds.push(Deed::Rulebook { hash, text: text.to_string() });
        }
    }
    deeds.push(Deed::SigningKey { public: shared.keys.public() });
    deeds.push(Deed::Start { version: env!("CARGO_PKG_VERSION").to_string() });
    changes.push(Change::Put { register: RUNNING, key: "server".to_string(), value: b"1".to_vec() });
    Ok((deeds, changes))
}

/// A table as of the last line of its stream.
fn restore(
    store: &mut dyn Store,
    shelf: &Shelf,
    keys: &Keys,
    id: TableId,
    place: &Place,
    was_killed: bool,
) -> Result<Start, StartError> {
    let stream = Stream::Table(id);
    let stored = store.entry(SNAPSHOTS, &stream.to_string())?;
    let snapshot: Option<TableSnapshot> = stored.and_then(|stored| serde_json::from_slice(&stored).ok());
    // A snapshot that does not fit any more costs time and nothing else.
    let mut replayed = snapshot.and_then(|snapshot| match Replayed::restore(id, shelf, snapshot) {
        Ok(replayed) => Some(replayed),
        Err(why) => {
            tracing::warn!(table = %id, why, "the snapshot is not used");
            None
        }
    });
    let last_snapshot = replayed.as_ref().map_or(0, |replayed| replayed.head.sequence);
    let mut rounds = Vec::new();
    let mut fault = None;
    store.rows(Select::Stream(stream, last_snapshot + 1), &mut |_, row| {
        let followed = match &mut replayed {
            None => Replayed::first(shelf, &row).map(|first| replayed = Some(first)),
            Some(replayed) => match row.record() {
                Ok(record) => replayed.follow_whole(&row, &record).map(|posted| {
                    // Finished rounds are kept with the lines after them, which a crash may have prevented.
                    if posted.closes.is_some() && replayed.table.round.closed.is_some() {
                        let ended = Receipt { sequence: row.sequence, at: record.at };
                        let views = Views::new(&replayed.table);
                        let kept = RoundKept::new(&replayed.table, &views, replayed.round_from, ended);
                        rounds.extend(kept.change(id));
                    }
                }),
                Err(error) => Err(BadRow::new(&row, error.to_string())),
            },
        };
        match followed {
            Ok(()) => Flow::Continue(()),
            Err(bad) => {
                fault = Some(bad);
                Flow::Break(())
            }
        }
    })?;
    if let Some(bad) = fault {
        return Err(bad.into());
    }
    let table = replayed.ok_or_else(|| BadRow { stream, sequence: 1, what: "is missing".to_string() })?;
    let number = table.table.shoe.number;
    let name = shoe::name(id, number);
    let sealed = store.entry(shoe::REGISTER, &name)?;
    let in_play = sealed.map(|sealed| SecretShoe::unseal(keys, &name, &sealed)).transpose()?;
    let mut ids = Vec::new();
    store.ids(stream, &mut |id| ids.push(id.to_string()))?;
    Ok(Start {
        table,
        in_play: in_play.map(|shoe| (number, shoe)),
        ids,
        last_snapshot,
        pace: place.pace,
        rounds,
        was_killed,
    })
}
