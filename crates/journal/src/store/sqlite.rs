//! SQLite: one file beside the server, the default.
//!
//! Write-ahead log with `synchronous=FULL`: a commit is on the disk when it returns. Pages go from the log into the
//! file on a thread of its own, so that commits do not wait for it.

use core::fmt::Write as _;
use core::ops::Range;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, params};

use super::{Change, Flow, Lines, Order, Part, Replay, Select, Store, StoreError};
use crate::deed::Kind;
use crate::envelope::Row;
use crate::stream::{CommandId, Stream};

/// The layouts, one step each; a database is brought to the latest when it is opened.
const MIGRATIONS: &[&str] = &[include_str!("sqlite.sql")];

/// How often the log is written back. Commits share the disk with it, and pages that change often are written once.
const WRITE_BACK: Duration = Duration::from_secs(1);

/// The pages of a log that is to begin anew: 256 MB. Commits wait while it does, so under load it is to be rare.
const LONG: i64 = 65_536;
/// How often it is tried to catch up with the log before commits wait.
const CATCH_UP: usize = 10;
/// Pages for which commits may wait.
const FEW: i64 = 500;

/// How much of a file a replay maps at most: more than any journal has.
const MAPPED: i64 = 1 << 40;

/// How long commits wait at most for a log that is to begin anew, while others read.
const PATIENCE: Duration = Duration::from_millis(20);

/// Rows as [`read`] takes them.
const COLUMNS: &str = "SELECT position, stream, sequence, command, kind, events_at, line FROM journal";

/// A connection to a file of SQLite.
pub struct Sqlite {
    connection: Connection,
    path: PathBuf,
    /// Held for as long as this connection may append.
    lock: Option<(File, WriteBack)>,
}

fn database(error: &rusqlite::Error) -> StoreError {
    StoreError::database(error)
}

impl Sqlite {
    /// Opens a file, making it and its folder if there is none.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| StoreError::Database(format!("{}: {error}", folder.display())))?;
        }
        let connection = Connection::open(path).map_err(|error| named(path, &error))?;
        let mut store = Self { connection, path: path.to_path_buf(), lock: None };
        store.prepare().map_err(|error| named(path, &error))?;
        store.migrate()?;
        Ok(store)
    }

    /// Opens a file that must be there, and changes nothing.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| named(path, &error))?;
        connection.busy_timeout(Duration::from_secs(10)).map_err(|error| named(path, &error))?;
        let store = Self { connection, path: path.to_path_buf(), lock: None };
        match store.layout().map_err(|error| named(path, &error))? {
            0 => Err(StoreError::Database(format!("{}: there is no journal in it", path.display()))),
            found if found > known() => Err(StoreError::TooNew { found, known: known() }),
            _ => Ok(store),
        }
    }

    fn prepare(&self) -> rusqlite::Result<()> {
        self.connection.busy_timeout(Duration::from_secs(10))?;
        self.switch_to_wal()?;
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        self.connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        self.connection.set_prepared_statement_cache_capacity(32);
        Ok(())
    }

    /// Where several open a new database at once, SQLite has none of them wait for the others here.
    fn switch_to_wal(&self) -> rusqlite::Result<()> {
        for _ in 0..2_000 {
            match self.connection.pragma_update(None, "journal_mode", "WAL") {
                Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                done => return done,
            }
        }
        self.connection.pragma_update(None, "journal_mode", "WAL")
    }

    fn layout(&self) -> rusqlite::Result<i64> {
        self.connection.pragma_query_value(None, "user_version", |row| row.get(0))
    }

    fn migrate(&mut self) -> Result<(), StoreError> {
        let path = self.path.clone();
        let fault = |error: rusqlite::Error| named(&path, &error);
        let found = self.layout().map_err(fault)?;
        if found > known() {
            return Err(StoreError::TooNew { found, known: known() });
        }
        for (at, step) in (1_i64..).zip(MIGRATIONS).skip_while(|(at, _)| *at <= found) {
            let transaction = self
                .connection
                .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
                .map_err(fault)?;
            // Another connection may have been quicker.
            let now: i64 =
                transaction.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(fault)?;
            if now < at {
                transaction.execute_batch(step).map_err(fault)?;
                transaction.pragma_update(None, "user_version", at).map_err(fault)?;
                transaction.commit().map_err(fault)?;
            }
        }
        Ok(())
    }
}

fn known() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

fn named(path: &Path, error: &rusqlite::Error) -> StoreError {
    StoreError::Database(format!("{}: {error}", path.display()))
}

impl Store for Sqlite {
    fn lock(&mut self) -> Result<(), StoreError> {
        let mut name = self.path.clone().into_os_string();
        name.push(".lock");
        let fault =
            |error: std::io::Error| StoreError::Database(format!("{}: {error}", Path::new(&name).display()));
        let file = File::options().create(true).append(true).open(&name).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => {
                self.lock = Some((file, WriteBack::start(&self.path)?));
                Ok(())
            }
            Err(std::fs::TryLockError::WouldBlock) => Err(StoreError::InUse(self.path.display().to_string())),
            Err(std::fs::TryLockError::Error(error)) => Err(fault(error)),
        }
    }

    fn commit(&mut self, position: u64, rows: &[Row], changes: &[Change]) -> Result<(), StoreError> {
        let fault = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation) => StoreError::Taken(error.to_string()),
            Some(_) | None => database(&error),
        };
        let transaction = self
            .connection
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
            .map_err(fault)?;
        {
            let mut insert = transaction
                .prepare_cached(
                    "INSERT INTO journal (position, stream, sequence, command, kind, events_at, line) \
                     VALUES (?, ?, ?, ?, ?, ?, ?)",
                )
                .map_err(fault)?;
            let mut stream = String::new();
            for (at, row) in (position..).zip(rows) {
                stream.clear();
                // Writing to a text cannot fail.
                let _ = write!(stream, "{}", row.stream);
                insert
                    .execute(params![
                        at.cast_signed(),
                        stream,
                        row.sequence.cast_signed(),
                        row.id.as_str(),
                        row.kind.number(),
                        row.events_at,
                        row.line
                    ])
                    .map_err(fault)?;
            }
            let mut put = transaction
                .prepare_cached("INSERT OR REPLACE INTO register (register, key, value) VALUES (?, ?, ?)")
                .map_err(fault)?;
            let mut delete = transaction
                .prepare_cached("DELETE FROM register WHERE register = ? AND key = ?")
                .map_err(fault)?;
            for change in changes {
                match change {
                    Change::Put { register, key, value } => put.execute(params![register, key, value]),
                    Change::Delete { register, key } => delete.execute(params![register, key]),
                }
                .map_err(fault)?;
            }
        }
        transaction.commit().map_err(fault)
    }

    fn rows(&mut self, select: Select, each: &mut dyn FnMut(u64, Row) -> Flow) -> Result<(), StoreError> {
        let (condition, number, stream) = match select {
            Select::After(position) => ("WHERE position > ?1 AND ?2 IS NULL", position, None),
            Select::Stream(stream, from) => ("WHERE stream = ?2 AND sequence >= ?1", from, Some(stream)),
        };
        let order = if stream.is_some() { "sequence" } else { "position" };
        let mut statement = self
            .connection
            .prepare_cached(&format!("{COLUMNS} {condition} ORDER BY {order}"))
            .map_err(|error| database(&error))?;
        let mut found = statement
            .query(params![number.cast_signed(), stream.map(|stream| stream.to_string())])
            .map_err(|error| database(&error))?;
        while let Some(columns) = found.next().map_err(|error| database(&error))? {
            let (position, row) = read(columns)?;
            if each(position, row).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn replay(
        &mut self,
        positions: Range<u64>,
        each: &mut dyn FnMut(Replay<'_>) -> Flow,
    ) -> Result<(), StoreError> {
        let fault = |error: rusqlite::Error| database(&error);
        // Pages are looked at where they lie: a replay reads all of them once.
        self.connection.pragma_update(None, "mmap_size", MAPPED).map_err(fault)?;
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT position, stream, kind, events_at, line FROM journal \
                 WHERE position >= ? AND position < ? ORDER BY position",
            )
            .map_err(fault)?;
        let mut found = statement
            .query(params![positions.start.cast_signed(), positions.end.cast_signed()])
            .map_err(fault)?;
        while let Some(columns) = found.next().map_err(fault)? {
            let stream = columns.get_ref(1).map_err(fault)?.as_str().unwrap_or_default();
            let Some(table) = super::table_of(stream) else { continue };
            let damaged = |what: &str| StoreError::Damaged {
                position: columns.get(0).map_or(0, i64::cast_unsigned),
                what: what.to_string(),
            };
            let kind: i64 = columns.get(2).map_err(fault)?;
            let kind = Kind::from_number(kind).ok_or_else(|| damaged("has no kind"))?;
            let events_at: u32 = columns.get(3).map_err(fault)?;
            let events_at = usize::try_from(events_at).unwrap_or(usize::MAX);
            let line = columns.get_ref(4).map_err(fault)?.as_blob().map_err(|_| damaged("has no line"))?;
            let lines = Lines::of(kind, line, events_at);
            if lines.is_some_and(|lines| each(Replay { table, lines }).is_break()) {
                break;
            }
        }
        Ok(())
    }

    fn find(&mut self, stream: Stream, id: &CommandId) -> Result<Option<Row>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT position, stream, sequence, command, kind, events_at, line FROM journal \
                 WHERE stream = ? AND command = ?",
            )
            .map_err(|error| database(&error))?;
        let mut found =
            statement.query(params![stream.to_string(), id.as_str()]).map_err(|error| database(&error))?;
        let columns = found.next().map_err(|error| database(&error))?;
        columns.map(|columns| read(columns).map(|(_, row)| row)).transpose()
    }

    fn end(&mut self) -> Result<u64, StoreError> {
        let end: Option<i64> = self
            .connection
            .query_row("SELECT max(position) FROM journal", [], |row| row.get(0))
            .map_err(|error| database(&error))?;
        Ok(end.map_or(0, i64::cast_unsigned))
    }

    fn entry(&mut self, register: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.connection
            .prepare_cached("SELECT value FROM register WHERE register = ? AND key = ?")
            .and_then(|mut statement| {
                statement.query_row(params![register, key], |row| row.get(0)).optional()
            })
            .map_err(|error| database(&error))
    }

    fn entries(&mut self, register: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.connection
            .prepare_cached("SELECT key, value FROM register WHERE register = ? ORDER BY key")
            .and_then(|mut statement| {
                let found = statement.query_map(params![register], |row| Ok((row.get(0)?, row.get(1)?)))?;
                found.collect()
            })
            .map_err(|error| database(&error))
    }

    fn range(
        &mut self,
        register: &str,
        keys: Range<&str>,
        order: Order,
        most: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let order = order.sql();
        let query = format!(
            "SELECT key, value FROM register WHERE register = ? AND key >= ? AND key < ? ORDER BY key {order} LIMIT ?"
        );
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.connection
            .prepare_cached(&query)
            .and_then(|mut statement| {
                let range = params![register, keys.start, keys.end, most];
                let found = statement.query_map(range, |row| Ok((row.get(0)?, row.get(1)?)))?;
                found.collect()
            })
            .map_err(|error| database(&error))
    }

    fn dump(&mut self, each: super::TakePart<'_>) -> Result<(), StoreError> {
        // Everything that a transaction reads is as of its first read.
        let transaction = self.connection.transaction().map_err(|error| database(&error))?;
        dump(&transaction, each)
    }
}

/// Gives all rows and entries of one transaction.
fn dump(connection: &Connection, each: super::TakePart<'_>) -> Result<(), StoreError> {
    let fault = |error: rusqlite::Error| database(&error);
    let mut rows = connection.prepare(&format!("{COLUMNS} ORDER BY position")).map_err(fault)?;
    let mut found = rows.query([]).map_err(fault)?;
    while let Some(columns) = found.next().map_err(fault)? {
        let (position, row) = read(columns)?;
        each(Part::Row(position, row))?;
    }
    let entries = "SELECT register, key, value FROM register ORDER BY register, key";
    let mut entries = connection.prepare(entries).map_err(fault)?;
    let mut found = entries.query([]).map_err(fault)?;
    while let Some(columns) = found.next().map_err(fault)? {
        let part = Part::Entry {
            register: columns.get(0).map_err(fault)?,
            key: columns.get(1).map_err(fault)?,
            value: columns.get(2).map_err(fault)?,
        };
        each(part)?;
    }
    Ok(())
}

fn read(columns: &rusqlite::Row<'_>) -> Result<(u64, Row), StoreError> {
    let fault = |error: rusqlite::Error| database(&error);
    let position: i64 = columns.get(0).map_err(fault)?;
    let damaged = |error: rusqlite::types::FromSqlError| StoreError::Damaged {
        position: position.cast_unsigned(),
        what: error.to_string(),
    };
    let stream = columns.get_ref(1).map_err(fault)?.as_str().map_err(damaged)?;
    let id = columns.get_ref(3).map_err(fault)?.as_str().map_err(damaged)?;
    let line = columns.get_ref(6).map_err(fault)?.as_bytes().map_err(damaged)?.to_vec();
    let number = |at: usize| -> Result<i64, StoreError> {
        columns.get_ref(at).map_err(fault)?.as_i64().map_err(damaged)
    };
    let position = position.cast_unsigned();
    Ok((position, super::row(position, stream, number(2)?, id, number(4)?, number(5)?, line)?))
}

/// The thread that writes the log back into the file, on a connection of its own.
struct WriteBack {
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl WriteBack {
    fn start(path: &Path) -> Result<Self, StoreError> {
        let connection = Connection::open(path).map_err(|error| named(path, &error))?;
        connection.busy_timeout(PATIENCE).map_err(|error| named(path, &error))?;
        let (stop, stopped) = mpsc::channel::<()>();
        let thread = std::thread::Builder::new()
            .name("write-back".to_string())
            .spawn(move || {
                let mut failing = Failing::default();
                while stopped.recv_timeout(WRITE_BACK) == Err(mpsc::RecvTimeoutError::Timeout) {
                    // A checkpoint that fails is tried again; what was committed is in the log.
                    let log = failing.told(write_back(&connection, "PASSIVE"));
                    if log.is_some_and(|log| log.pages > LONG) {
                        // Under load there is always a page more. Once few are left, commits wait for those.
                        for _ in 0..CATCH_UP {
                            if write_back(&connection, "PASSIVE").is_ok_and(|log| log.left() < FEW) {
                                break;
                            }
                        }
                        failing.told(write_back(&connection, "RESTART"));
                    }
                }
            })
            .map_err(|error| StoreError::Database(error.to_string()))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

/// How often writing back has failed since it last went well.
#[derive(Default)]
struct Failing {
    times: u64,
}

impl Failing {
    /// Tells the log of the server when it begins to fail, now and then while it does, and when it is over.
    fn told(&mut self, tried: rusqlite::Result<Log>) -> Option<Log> {
        match tried {
            Ok(log) => {
                if self.times > 0 {
                    let times = core::mem::take(&mut self.times);
                    tracing::info!(times, "SQLite's log is written back again");
                }
                Some(log)
            }
            Err(error) => {
                self.times += 1;
                // The first time, and then ever more rarely.
                if self.times.is_power_of_two() {
                    let times = self.times;
                    tracing::error!(
                        %error, times,
                        "SQLite's log cannot be written back; commits are safe in it, and it grows until this is mended"
                    );
                }
                None
            }
        }
    }
}

/// The log, in pages.
struct Log {
    pages: i64,
    written: i64,
}

impl Log {
    const fn left(&self) -> i64 {
        self.pages - self.written
    }
}

/// Writes back, and says what the log has.
fn write_back(connection: &Connection, mode: &str) -> rusqlite::Result<Log> {
    connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |row| {
        Ok(Log { pages: row.get(1)?, written: row.get(2)? })
    })
}

impl Drop for WriteBack {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_cannot_be_written_back_is_counted_until_it_can() {
        let mut failing = Failing::default();
        for times in 1..=3 {
            assert!(failing.told(Err(rusqlite::Error::InvalidQuery)).is_none());
            assert_eq!(failing.times, times);
        }
        assert!(failing.told(Ok(Log { pages: 1, written: 1 })).is_some());
        assert_eq!(failing.times, 0);
    }
}
