//! Where lines are kept. A store appends rows and keeps the registers beside them; it knows no game.
//!
//! The same suite runs on all of them. A store refuses a second row with the same sequence or the same command id
//! in a stream: that decides races between writers and makes retries harmless.

mod memory;
mod postgres;
mod sqlite;

use core::fmt;
use core::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;

use croupier_ledger::TableId;

use crate::deed::Kind;
use crate::envelope::Row;
use crate::nodes::{Lead, Mark};
use crate::stream::{CommandId, Stream};
pub use memory::Memory;
pub(crate) use postgres::Connection;
pub use postgres::Postgres;
pub use sqlite::Sqlite;

/// A connection to a store. Each thread has its own.
pub trait Store: Send {
    /// Takes the right to append; nobody else has it until this connection ends.
    ///
    /// # Errors
    /// [`StoreError::InUse`] while somebody else has it.
    fn lock(&mut self) -> Result<(), StoreError>;

    /// Connects anew and takes the right to append again, after [`StoreError::Lost`]. What became of the commit that
    /// was on its way is settled then: it is there, or never will be.
    ///
    /// # Errors
    /// [`StoreError::Lost`] while it cannot be done yet; [`StoreError::InUse`] if somebody else appends by now.
    fn regain(&mut self) -> Result<(), StoreError> {
        Err(StoreError::Database("there is no connection to make anew".to_string()))
    }

    /// The last commit, as other nodes are told of it; nothing where there are none.
    fn mark(&self) -> Option<Mark> {
        None
    }

    /// Whether it still answers. For a connection that was not used for a while.
    fn is_live(&mut self) -> bool {
        true
    }

    /// Whether it has registers beside the rows; an export has none.
    fn has_registers(&self) -> bool {
        true
    }

    /// Whether somebody else has the right to append now.
    ///
    /// # Errors
    /// What the database says.
    fn is_taken(&mut self) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// Whether a commit waits for a second server; nothing where there is no such thing.
    ///
    /// # Errors
    /// What the database says.
    fn has_standby(&mut self) -> Result<Option<bool>, StoreError> {
        Ok(None)
    }

    /// What an operator should know of how it is set, in words.
    ///
    /// # Errors
    /// What the database says.
    fn cautions(&mut self) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// Appends rows, the first at `position`, and changes registers: all of it or nothing. When it returns, it is
    /// durable.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if a position, sequence or command id is not free; [`StoreError::Lost`] if the connection
    /// broke, before the commit or after it; what the database says otherwise.
    fn commit(&mut self, position: u64, rows: &[Row], changes: &[Change]) -> Result<(), StoreError>;

    /// Gives the selected rows in order of their positions, until `each` says to stop.
    ///
    /// # Errors
    /// What the database says; [`StoreError::Damaged`] if a row is none.
    fn rows(&mut self, select: Select, each: &mut dyn FnMut(u64, Row) -> Flow) -> Result<(), StoreError>;

    /// Gives what a replay needs of the lines of tables at these positions, in their order and without copying them.
    ///
    /// # Errors
    /// As [`Store::rows`].
    fn replay(
        &mut self,
        positions: Range<u64>,
        each: &mut dyn FnMut(Replay<'_>) -> Flow,
    ) -> Result<(), StoreError> {
        self.rows(Select::After(positions.start.saturating_sub(1)), &mut |position, row| {
            if position >= positions.end {
                return Flow::Break(());
            }
            let Stream::Table(table) = row.stream else { return Flow::Continue(()) };
            let from = usize::try_from(row.events_at).unwrap_or(usize::MAX);
            Lines::of(row.kind, &row.line, from)
                .map_or(Flow::Continue(()), |lines| each(Replay { table, lines }))
        })
    }

    /// The row of a command.
    ///
    /// # Errors
    /// As [`Store::rows`].
    fn find(&mut self, stream: Stream, id: &CommandId) -> Result<Option<Row>, StoreError>;

    /// The rows of those commands that are there, in any order.
    ///
    /// # Errors
    /// As [`Store::rows`].
    fn find_all(&mut self, stream: Stream, ids: &[CommandId]) -> Result<Vec<Row>, StoreError> {
        let mut found = Vec::new();
        for id in ids {
            found.extend(self.find(stream, id)?);
        }
        Ok(found)
    }

    /// The position of the last row; 0 if there is none.
    ///
    /// # Errors
    /// What the database says.
    fn end(&mut self) -> Result<u64, StoreError>;

    /// An entry of a register.
    ///
    /// # Errors
    /// What the database says.
    fn entry(&mut self, register: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// All entries of a register, in order of their keys.
    ///
    /// # Errors
    /// What the database says.
    fn entries(&mut self, register: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError>;

    /// The entries of a register whose keys lie in a range, from its beginning or its end, and no more than so many:
    /// its cost is that of what it gives, whatever else the register holds.
    ///
    /// # Errors
    /// What the database says.
    fn range(
        &mut self,
        register: &str,
        keys: Range<&str>,
        order: Order,
        most: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError>;

    /// Gives all that is in it as of one moment, while others may write: the rows in the order of their positions, then
    /// the entries of all registers.
    ///
    /// # Errors
    /// What the database says, or whoever takes it.
    fn dump(&mut self, each: TakePart<'_>) -> Result<(), StoreError>;
}

/// A part of a store, as [`Store::dump`] gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// A row with its position.
    Row(u64, Row),
    /// An entry of a register.
    Entry {
        /// The register.
        register: String,
        /// The entry.
        key: String,
        /// Its value.
        value: Vec<u8>,
    },
}

/// Takes the parts of a store one by one.
pub type TakePart<'a> = &'a mut dyn FnMut(Part) -> Result<(), StoreError>;

/// In which order entries are given: that of the bytes of their keys, or against it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The first key first.
    Rising,
    /// The last key first.
    Falling,
}

impl Order {
    /// As both databases spell it.
    pub(crate) const fn sql(self) -> &'static str {
        match self {
            Self::Rising => "ASC",
            Self::Falling => "DESC",
        }
    }
}

/// What a replay reads of a table next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replay<'a> {
    /// The table.
    pub table: TableId,
    /// The lines.
    pub lines: Lines<'a>,
}

/// What a replay needs of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lines<'a> {
    /// The line that opens the table.
    Opening(&'a [u8]),
    /// The events of a command, as an array of JSON.
    Events(&'a [u8]),
}

impl<'a> Lines<'a> {
    /// What a replay needs of a line, if it changes a table.
    fn of(kind: Kind, line: &'a [u8], events_at: usize) -> Option<Self> {
        match kind {
            Kind::OpenTable => Some(Self::Opening(line)),
            Kind::Table => {
                let events = line.get(events_at..line.len().saturating_sub(1));
                Some(Self::Events(events.unwrap_or(&[])))
            }
            _ => None,
        }
    }
}

/// The number of the table that a stream is of.
fn table_of(stream: &str) -> Option<TableId> {
    stream.strip_prefix("table/").and_then(|number| number.parse().ok()).map(TableId)
}

/// Whether to go on.
pub type Flow = core::ops::ControlFlow<()>;

/// Which rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Select {
    /// All after this position.
    After(u64),
    /// Those of a stream, from this sequence on.
    Stream(Stream, u64),
}

/// A change to a register: what is not in the chain, such as people, sessions, sealed shoes and snapshots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Sets an entry.
    Put {
        /// The register.
        register: &'static str,
        /// The entry.
        key: String,
        /// Its value.
        value: Vec<u8>,
    },
    /// Removes an entry.
    Delete {
        /// The register.
        register: &'static str,
        /// The entry.
        key: String,
    },
}

/// Why a store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else appends to it.
    #[error("{0} is in use by another croupier; stop that one first, or name another database")]
    InUse(String),
    /// The sequence or the command id is there already.
    #[error("the journal has moved on: {0}")]
    Taken(String),
    /// The URL is that of another kind of database.
    #[error(
        "`{0}://` is not a database that Croupier can use; name the path of an SQLite file or a postgresql:// URL"
    )]
    OtherDatabase(String),
    /// The database was made by a later version.
    #[error("the database has layout {found}, and this croupier knows up to {known}; use a newer croupier")]
    TooNew {
        /// The layout found.
        found: i64,
        /// The latest that is known.
        known: i64,
    },
    /// A row is not what a row looks like.
    #[error("position {position}: {what}")]
    Damaged {
        /// Where.
        position: u64,
        /// What is wrong.
        what: String,
    },
    /// The URL does not do, or what it names.
    #[error("{name}: {what}")]
    Address {
        /// The URL, without what is secret in it.
        name: String,
        /// What is wrong, and what to write.
        what: String,
    },
    /// A commit that the database has acknowledged could be lost.
    #[error("{0}")]
    Weak(String),
    /// The database is away, or the connection to it broke; later it may be there again.
    #[error("{0}")]
    Lost(String),
    /// Somebody else has written meanwhile.
    #[error("{0}; this one writes nothing any more")]
    Overtaken(String),
    /// Another node leads, and this one only follows.
    #[error("this node follows another, and writes nothing itself")]
    Follows,
    /// Nothing is written any more, since an earlier commit failed; this one was not tried.
    #[error("nothing is written any more: {0}")]
    Stopped(String),
    /// The books that follow the lines came to something else than those that decide.
    #[error(
        "the two sets of books differ at {0}; nothing more is decided on them. Run `croupier verify` and keep what it \
         says; a start goes on from what the lines say"
    )]
    Books(String),
    /// The database cannot be reached or read.
    #[error("{0}")]
    Database(String),
}

impl StoreError {
    /// Whether a commit that failed like this has certainly left nothing behind. A disk that reports an error or a
    /// connection that breaks may do so before the commit or after it.
    #[must_use]
    pub const fn left_nothing(&self) -> bool {
        match self {
            Self::InUse(_)
            | Self::Taken(_)
            | Self::OtherDatabase(_)
            | Self::TooNew { .. }
            | Self::Address { .. }
            | Self::Weak(_)
            | Self::Follows
            | Self::Stopped(_) => true,
            Self::Damaged { .. }
            | Self::Lost(_)
            | Self::Overtaken(_)
            | Self::Books(_)
            | Self::Database(_) => false,
        }
    }

    pub(crate) fn database(error: &dyn std::error::Error) -> Self {
        Self::Database(Self::words(error))
    }

    /// An error with all that led to it.
    pub(crate) fn words(error: &dyn std::error::Error) -> String {
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            text = format!("{text}: {cause}");
            source = cause.source();
        }
        text
    }
}

/// Where a store is.
#[derive(Clone)]
pub enum Location {
    /// In memory, gone with the process.
    Memory(Memory),
    /// A file of SQLite.
    Sqlite(PathBuf),
    /// A database of PostgreSQL, by its URL.
    Postgres(String),
}

impl Location {
    /// A new store in memory.
    #[must_use]
    pub fn memory() -> Self {
        Self::Memory(Memory::default())
    }

    /// A connection, after making what is missing.
    ///
    /// # Errors
    /// What the database says.
    pub fn open(&self) -> Result<Box<dyn Store>, StoreError> {
        Ok(match self {
            Self::Memory(memory) => Box::new(memory.clone()),
            Self::Sqlite(path) => Box::new(Sqlite::open(path)?),
            Self::Postgres(url) => Box::new(Postgres::open(url)?),
        })
    }

    /// A connection that appends under a lease.
    ///
    /// # Errors
    /// As [`Location::open`]; [`StoreError::Address`] for a database that only one machine can use.
    pub fn open_leading(&self, lead: Lead) -> Result<Box<dyn Store>, StoreError> {
        match self {
            Self::Postgres(url) => Ok(Box::new(Postgres::open_leading(url, lead)?)),
            Self::Memory(_) | Self::Sqlite(_) => Err(self.of_one_machine()),
        }
    }

    pub(crate) fn of_one_machine(&self) -> StoreError {
        let what =
            "several nodes need a database of PostgreSQL; name a postgresql:// URL, or leave [node] out";
        StoreError::Address { name: self.to_string(), what: what.to_string() }
    }

    /// A connection that changes nothing: for audits.
    ///
    /// # Errors
    /// What the database says; also if there is none.
    pub fn open_to_read(&self) -> Result<Box<dyn Store>, StoreError> {
        Ok(match self {
            Self::Memory(memory) => Box::new(memory.clone()),
            Self::Sqlite(path) => Box::new(Sqlite::open_to_read(path)?),
            Self::Postgres(url) => Box::new(Postgres::open_to_read(url)?),
        })
    }
}

/// `postgresql://…` is a database of PostgreSQL, a text without a scheme or with `sqlite:` the path of a file.
impl FromStr for Location {
    type Err = StoreError;

    /// # Errors
    /// [`StoreError::OtherDatabase`] for the URL of anything else: it must not become the name of a new file.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let scheme = text.split_once("://").map(|(scheme, _)| scheme);
        match scheme {
            Some("postgres" | "postgresql") => Ok(Self::Postgres(text.to_string())),
            Some(other) if other != "sqlite" => Err(StoreError::OtherDatabase(other.to_string())),
            Some(_) | None => {
                let path = text.strip_prefix("sqlite:").unwrap_or(text);
                let path = path.strip_prefix("//").unwrap_or(path);
                Ok(Self::Sqlite(Path::new(path).to_path_buf()))
            }
        }
    }
}

/// As it is shown: a URL may have a password.
impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Location({self})")
    }
}

/// Without what may be a password.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(_) => f.write_str("memory"),
            Self::Sqlite(path) => path.display().fmt(f),
            Self::Postgres(url) => {
                // A password may stand before the host or among the parameters.
                let (scheme, rest) = url.split_once("://").unwrap_or(("postgresql", url));
                let (address, parameters) = rest.split_once('?').unwrap_or((rest, ""));
                // The sign of a password that was written as it is: nobody can tell where it ends.
                if parameters.contains('@') {
                    return write!(f, "{scheme}://…");
                }
                let (hidden, host) = match address.rsplit_once('@') {
                    Some((_, host)) => ("…@", host),
                    None => ("", address),
                };
                write!(f, "{scheme}://{hidden}{host}")?;
                let shown = parameters.split('&').filter(|parameter| {
                    let name = parameter.split('=').next().unwrap_or_default();
                    ["host", "hostaddr", "port", "dbname", "sslmode"].contains(&name)
                });
                let joints = core::iter::once('?').chain(core::iter::repeat('&'));
                joints.zip(shown).try_for_each(|(joint, parameter)| write!(f, "{joint}{parameter}"))
            }
        }
    }
}

/// A row from what a database has of it.
fn row(
    position: u64,
    stream: &str,
    sequence: i64,
    id: &str,
    kind: i64,
    events_at: i64,
    line: Vec<u8>,
) -> Result<Row, StoreError> {
    let damaged = |what: String| StoreError::Damaged { position, what };
    let id: Result<CommandId, serde::de::value::Error> = CommandId::deserialize(id.into_deserializer());
    Ok(Row {
        stream: stream.parse().map_err(|error| damaged(format!("{error}")))?,
        sequence: u64::try_from(sequence).map_err(|_| damaged(format!("sequence {sequence}")))?,
        id: id.map_err(|error| damaged(format!("{error}")))?,
        kind: Kind::from_number(kind).ok_or_else(|| damaged(format!("no kind {kind}")))?,
        events_at: u32::try_from(events_at).map_err(|_| damaged(format!("events at {events_at}")))?,
        line,
    })
}
