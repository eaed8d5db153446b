//! A floor from its journal: the books, the rulebooks and every table as they were after the last durable line.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, RwLock};

use croupier_journal::bank::SNAPSHOTS;
use croupier_journal::checkpoint::{CheckpointError, Log};
use croupier_journal::keys::KeyError;
use croupier_journal::replay::TableSnapshot;
use croupier_journal::store::Flow;
use croupier_journal::{
    BadRow, Bank, By, Change, Deed, Hash, Keys, Replayed, SecretShoe, Select, Shelf, Store, StoreError,
    Stream, Writer, shoe,
};
use croupier_ledger::TableId;
use croupier_table::Views;

use super::watch::checkpoint_change;
use super::{Floor, Place, RULEBOOKS, RUNNING, plain};
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
        let Secrets { keys, log, signed_over } = secrets(place)?;
        let writer = Writer::start(&place.database)?;
        let readers = Readers::new(place.database.clone());
        let mut store = place.database.open()?;
        let store = store.as_mut();

        let bank = bank(store)?;
        check_heads(&bank, &log)?;
        let mut shelf = Shelf::default();
        for (hash, text) in store.entries(RULEBOOKS)? {
            let text = String::from_utf8_lossy(&text);
            shelf.add(&text).map_err(|faults| StartError::Rulebook(hash, faults))?;
        }
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
            .map(|id| restore(store, &shelf, &keys, id, place))
            .collect::<Result<_, _>>()?;

        let shared = Arc::new(Shared::new(Till::new(bank, writer), readers, keys));
        let mut news = say_started(&shared, &mut shelf)?;
        news.1.extend(signed_over.map(|(number, line)| checkpoint_change(number, line)));
        let (sender, durable) = std::sync::mpsc::channel();
        {
            let mut till = shared.till.hold();
            let rows = news.0.iter().map(|deed| till_line(&mut till, deed)).collect();
            till.give(
                rows,
                news.1,
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
        });
        let (all, watched) = (floor.tables(), Arc::downgrade(&floor));
        tokio::spawn(async move {
            if was_killed {
                for table in all {
                    table.power_failed().await;
                }
            }
            Self::keep_watch(watched).await;
        });
        Ok(Started { floor, was_killed, is_new })
    }
}

fn till_line(till: &mut crate::till::Inside, deed: &Deed) -> croupier_journal::Row {
    let envelope = plain(till, Stream::House, By::System, deed);
    till.line(Stream::House, &envelope)
}

/// What signs and seals.
struct Secrets {
    keys: Keys,
    log: Log,
    /// The checkpoint by which an earlier key signs over to this one, if it was changed.
    signed_over: Option<(u64, String)>,
}

/// The keys, and the log of checkpoints signed over to them if the key was changed.
fn secrets(place: &Place) -> Result<Secrets, StartError> {
    let Some(folder) = &place.folder else {
        return Ok(Secrets { keys: Keys::fresh()?, log: Log::nowhere(), signed_over: None });
    };
    std::fs::create_dir_all(folder).map_err(|error| KeyError::File { path: folder.clone(), error })?;
    let keys = Keys::open(&folder.join("keys"))?;
    let mut log = Log::open(folder)?;
    let mut signed_over = None;
    if let Some(old) = log.key().filter(|old| *old != keys.public()) {
        // The key that signed last announces the new one, as its last act.
        let earlier = Keys::earlier(&folder.join("keys"), old)?;
        let earlier = earlier.ok_or_else(|| CheckpointError::Line {
            line: 0,
            what: format!("the key {old} that signed last is not in the folder of keys"),
        })?;
        let heads = log.heads().clone();
        signed_over = log.write(&earlier, Some(keys.public()), crate::clock::now(), 0, &heads)?;
    }
    Ok(Secrets { keys, log, signed_over })
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

/// What is put down at a start: rulebooks that are new, and that the server runs.
fn say_started(shared: &Shared, shelf: &mut Shelf) -> Result<(Vec<Deed>, Vec<Change>), StartError> {
    let mut deeds = Vec::new();
    let mut changes = Vec::new();
    for text in croupier_rules::library::standard_texts() {
        let hash = Hash::of(text.as_bytes());
        if shelf.volume(hash).is_none() {
            shelf.add(text).map_err(|faults| StartError::Rulebook(hash.to_string(), faults))?;
            let value = text.as_bytes().to_vec();
            deeds.push(Deed::Rulebook { hash, text: text.to_string() });
            changes.push(Change::Put { register: RULEBOOKS, key: hash.to_string(), value });
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
    })
}
