//! PostgreSQL, for a floor that one machine cannot hold or that has a database team.
//!
//! A commit is one round trip for all its rows. The right to append is an advisory lock of the session, so it ends
//! with the connection; a writer that lost it without knowing is stopped by the unique sequences.

use core::ops::Range;
use std::collections::BTreeMap;

use postgres::binary_copy::BinaryCopyOutIter;
use postgres::error::SqlState;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::Type;
use postgres::{Client, NoTls, Statement};

use super::{Change, Flow, Lines, Order, Part, Replay, Select, Store, StoreError};
use crate::deed::Kind;
use crate::envelope::Row;
use crate::stream::{CommandId, Stream};

/// The layouts, one step each; a database is brought to the latest when it is opened.
const MIGRATIONS: &[&str] = &[include_str!("postgres.sql"), IN_ORDER];

/// Keys in the order of their bytes, whatever the language of the database: parts of registers are read by it.
const IN_ORDER: &str = "CREATE INDEX register_in_order ON register (register, key COLLATE \"C\")";

/// `croupier` in ASCII, cut to eight bytes: the key of our advisory locks.
const LOCK: i64 = i64::from_be_bytes(*b"croupier");

/// How many rows are asked for at once.
const AT_ONCE: i32 = 4_096;

/// A whole commit in one statement: all of it or nothing, in one round trip.
const APPEND: &str = "\
WITH appended AS (
    INSERT INTO journal (position, stream, sequence, command, kind, events_at, line)
    SELECT * FROM UNNEST($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::smallint[], $6::integer[], $7::bytea[])
), removed AS (
    DELETE FROM register USING UNNEST($8::text[], $9::text[]) AS gone (register, key)
    WHERE register.register = gone.register AND register.key = gone.key
)
INSERT INTO register (register, key, value)
SELECT * FROM UNNEST($10::text[], $11::text[], $12::bytea[])
ON CONFLICT (register, key) DO UPDATE SET value = EXCLUDED.value";

/// The rows of commands by their ids.
const FIND_ALL: &str = "\
SELECT position, stream, sequence, command, kind, events_at, line FROM journal
WHERE stream = $1 AND command = ANY($2)";

/// A connection to a database of PostgreSQL.
pub struct Postgres {
    client: Client,
    /// [`APPEND`], from the first commit on.
    append: Option<Statement>,
    /// [`FIND_ALL`], from the first time on.
    find_all: Option<Statement>,
    name: String,
}

fn database(error: &postgres::Error) -> StoreError {
    match error.code() {
        Some(&SqlState::UNIQUE_VIOLATION) => StoreError::Taken(StoreError::database(error).to_string()),
        Some(_) | None => StoreError::database(error),
    }
}

impl Postgres {
    /// Connects, making the SQL tables if there are none.
    ///
    /// # Errors
    /// What PostgreSQL says.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        let mut store = Self::connect(url)?;
        // A commit is an answer to a player: it is never left to chance, whatever the database is set to.
        let durable = "SELECT set_config('synchronous_commit', 'on', false) \
                       WHERE current_setting('synchronous_commit') = 'off'";
        store.client.batch_execute(durable).map_err(|error| database(&error))?;
        store.migrate()?;
        Ok(store)
    }

    /// Connects to a database that must have a journal, and changes nothing.
    ///
    /// # Errors
    /// What PostgreSQL says.
    pub fn open_to_read(url: &str) -> Result<Self, StoreError> {
        let mut store = Self::connect(url)?;
        // Lines lie in the order of their positions: gathered page by page they would only have to be sorted again.
        store
            .client
            .batch_execute("SET default_transaction_read_only = on; SET enable_bitmapscan = off")
            .map_err(|error| database(&error))?;
        match store.layout()? {
            0 => Err(StoreError::Database(format!("{}: there is no journal in it", store.name))),
            found if found > known() => Err(StoreError::TooNew { found, known: known() }),
            _ => Ok(store),
        }
    }

    fn connect(url: &str) -> Result<Self, StoreError> {
        let name = super::Location::Postgres(url.to_string()).to_string();
        let client = Client::connect(url, NoTls)
            .map_err(|error| StoreError::Database(format!("{name}: {}", StoreError::database(&error))))?;
        Ok(Self { client, append: None, find_all: None, name })
    }

    fn layout(&mut self) -> Result<i64, StoreError> {
        let fault = |error: postgres::Error| database(&error);
        let known: bool = self
            .client
            .query_one("SELECT to_regclass('croupier_layout') IS NOT NULL", &[])
            .map_err(fault)?
            .get(0);
        if !known {
            return Ok(0);
        }
        Ok(self.client.query_one("SELECT layout FROM croupier_layout", &[]).map_err(fault)?.get(0))
    }

    fn migrate(&mut self) -> Result<(), StoreError> {
        // Two servers may start at once; only one brings the layout up.
        let fault = |error: postgres::Error| database(&error);
        self.client.execute("SELECT pg_advisory_lock($1)", &[&(LOCK + 1)]).map_err(fault)?;
        let done = self.migrate_locked();
        self.client.execute("SELECT pg_advisory_unlock($1)", &[&(LOCK + 1)]).map_err(fault)?;
        done
    }

    fn migrate_locked(&mut self) -> Result<(), StoreError> {
        let fault = |error: postgres::Error| database(&error);
        let found = self.layout()?;
        if found > known() {
            return Err(StoreError::TooNew { found, known: known() });
        }
        for (at, step) in (1_i64..).zip(MIGRATIONS).skip_while(|(at, _)| *at <= found) {
            let mut transaction = self.client.transaction().map_err(fault)?;
            transaction.batch_execute(step).map_err(fault)?;
            if at == 1 {
                transaction
                    .batch_execute("CREATE TABLE croupier_layout (layout BIGINT NOT NULL)")
                    .map_err(fault)?;
                transaction.execute("INSERT INTO croupier_layout VALUES ($1)", &[&at]).map_err(fault)?;
            } else {
                transaction.execute("UPDATE croupier_layout SET layout = $1", &[&at]).map_err(fault)?;
            }
            transaction.commit().map_err(fault)?;
        }
        Ok(())
    }
}

fn known() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

impl Store for Postgres {
    fn lock(&mut self) -> Result<(), StoreError> {
        let taken = self.client.query_one("SELECT pg_try_advisory_lock($1)", &[&LOCK]);
        if taken.map_err(|error| database(&error))?.get(0) {
            Ok(())
        } else {
            Err(StoreError::InUse(self.name.clone()))
        }
    }

    fn commit(&mut self, position: u64, rows: &[Row], changes: &[Change]) -> Result<(), StoreError> {
        let fault = |error: postgres::Error| database(&error);
        let append = match &self.append {
            Some(append) => append.clone(),
            None => self.append.insert(self.client.prepare(APPEND).map_err(fault)?).clone(),
        };
        let positions: Vec<i64> = (position..).take(rows.len()).map(u64::cast_signed).collect();
        let streams: Vec<String> = rows.iter().map(|row| row.stream.to_string()).collect();
        let sequences: Vec<i64> = rows.iter().map(|row| row.sequence.cast_signed()).collect();
        let commands: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        let kinds: Vec<i16> = rows.iter().map(|row| i16::from(row.kind.number())).collect();
        let events_at: Vec<i32> = rows.iter().map(|row| row.events_at.cast_signed()).collect();
        let lines: Vec<&[u8]> = rows.iter().map(|row| row.line.as_slice()).collect();
        // The last change of an entry is the one that counts; a statement may touch it only once.
        let last: BTreeMap<(&str, &str), Option<&[u8]>> = changes
            .iter()
            .map(|change| match change {
                Change::Put { register, key, value } => ((*register, key.as_str()), Some(value.as_slice())),
                Change::Delete { register, key } => ((*register, key.as_str()), None),
            })
            .collect();
        let of = |is_put: bool| last.iter().filter(move |(_, value)| value.is_some() == is_put);
        let (removed, removed_keys): (Vec<&str>, Vec<&str>) = of(false).map(|(entry, _)| *entry).unzip();
        let (put, put_keys): (Vec<&str>, Vec<&str>) = of(true).map(|(entry, _)| *entry).unzip();
        let values: Vec<&[u8]> = last.values().copied().flatten().collect();
        self.client
            .execute(
                &append,
                &[
                    &positions,
                    &streams,
                    &sequences,
                    &commands,
                    &kinds,
                    &events_at,
                    &lines,
                    &removed,
                    &removed_keys,
                    &put,
                    &put_keys,
                    &values,
                ],
            )
            .map(drop)
            .map_err(fault)
    }

    fn rows(&mut self, select: Select, each: &mut dyn FnMut(u64, Row) -> Flow) -> Result<(), StoreError> {
        let fault = |error: postgres::Error| database(&error);
        let (condition, number, stream) = match select {
            Select::After(position) => {
                ("position > $1 AND $2::text IS NULL ORDER BY position", position, None)
            }
            Select::Stream(stream, from) => {
                ("stream = $2 AND sequence >= $1 ORDER BY sequence", from, Some(stream.to_string()))
            }
        };
        let number = number.cast_signed();
        let query = format!(
            "SELECT position, stream, sequence, command, kind, events_at, line FROM journal WHERE {condition}"
        );
        // In parts, so that whoever stops early does not wait for the rest; still as of one moment.
        let mut transaction = self.client.build_transaction().read_only(true).start().map_err(fault)?;
        let portal = transaction.bind(&query, &[&number, &stream]).map_err(fault)?;
        let mut count = AT_ONCE;
        while count == AT_ONCE {
            count = 0;
            let mut found = transaction.query_portal_raw(&portal, AT_ONCE).map_err(fault)?;
            while let Some(columns) = found.next().map_err(fault)? {
                count += 1;
                let (position, row) = read(&columns)?;
                if each(position, row).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn replay(
        &mut self,
        positions: Range<u64>,
        each: &mut dyn FnMut(Replay<'_>) -> Flow,
    ) -> Result<(), StoreError> {
        let fault = |error: postgres::Error| database(&error);
        // Copied out in binary, which costs a fraction of a query; numbers of ours, so nothing has to be quoted. Of
        // commands only the events are wanted: a third of the line.
        let (opening, events) = (Kind::OpenTable.number(), Kind::Table.number());
        let query = format!(
            "COPY (SELECT stream, kind, substr(line, CASE WHEN kind = {events} THEN events_at ELSE 0 END + 1) \
             FROM journal WHERE position >= {} AND position < {} AND kind IN ({opening}, {events}) \
             ORDER BY position) TO STDOUT (FORMAT binary)",
            positions.start, positions.end
        );
        let reader = self.client.copy_out(query.as_str()).map_err(fault)?;
        let mut rows = BinaryCopyOutIter::new(reader, &[Type::TEXT, Type::INT2, Type::BYTEA]);
        while let Some(columns) = rows.next().map_err(fault)? {
            let damaged = |what: &str| StoreError::Damaged { position: 0, what: what.to_string() };
            let Some(table) = super::table_of(columns.get(0)) else { continue };
            let kind: i16 = columns.get(1);
            let kind = Kind::from_number(i64::from(kind)).ok_or_else(|| damaged("a line has no kind"))?;
            let lines = Lines::of(kind, columns.get(2), 0);
            if lines.is_some_and(|lines| each(Replay { table, lines }).is_break()) {
                break;
            }
        }
        Ok(())
    }

    fn find(&mut self, stream: Stream, id: &CommandId) -> Result<Option<Row>, StoreError> {
        let found = self
            .client
            .query_opt(
                "SELECT position, stream, sequence, command, kind, events_at, line FROM journal \
                 WHERE stream = $1 AND command = $2",
                &[&stream.to_string(), &id.as_str()],
            )
            .map_err(|error| database(&error))?;
        found.map(|columns| read(&columns).map(|(_, row)| row)).transpose()
    }

    fn find_all(&mut self, stream: Stream, ids: &[CommandId]) -> Result<Vec<Row>, StoreError> {
        let fault = |error: postgres::Error| database(&error);
        let find = match &self.find_all {
            Some(find) => find.clone(),
            None => self.find_all.insert(self.client.prepare(FIND_ALL).map_err(fault)?).clone(),
        };
        let ids: Vec<&str> = ids.iter().map(CommandId::as_str).collect();
        let found = self.client.query(&find, &[&stream.to_string(), &ids]).map_err(fault)?;
        found.iter().map(|columns| read(columns).map(|(_, row)| row)).collect()
    }

    fn end(&mut self) -> Result<u64, StoreError> {
        let found = self.client.query_one("SELECT coalesce(max(position), 0) FROM journal", &[]);
        let end: i64 = found.map_err(|error| database(&error))?.get(0);
        Ok(end.cast_unsigned())
    }

    fn entry(&mut self, register: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self
            .client
            .query_opt("SELECT value FROM register WHERE register = $1 AND key = $2", &[&register, &key])
            .map_err(|error| database(&error))?;
        Ok(found.map(|row| row.get(0)))
    }

    fn entries(&mut self, register: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let found = self
            .client
            .query(
                "SELECT key, value FROM register WHERE register = $1 ORDER BY key COLLATE \"C\"",
                &[&register],
            )
            .map_err(|error| database(&error))?;
        Ok(found.iter().map(|row| (row.get(0), row.get(1))).collect())
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
            "SELECT key, value FROM register \
             WHERE register = $1 AND key COLLATE \"C\" >= $2 AND key COLLATE \"C\" < $3 \
             ORDER BY key COLLATE \"C\" {order} LIMIT $4"
        );
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let found = self.client.query(&query, &[&register, &keys.start, &keys.end, &most]);
        let found = found.map_err(|error| database(&error))?;
        Ok(found.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    fn dump(&mut self, each: super::TakePart<'_>) -> Result<(), StoreError> {
        // Everything is as of one moment.
        let transaction = self.client.build_transaction().read_only(true);
        let transaction = transaction.isolation_level(postgres::IsolationLevel::RepeatableRead).start();
        let mut transaction = transaction.map_err(|error| database(&error))?;
        let rows = "SELECT position, stream, sequence, command, kind, events_at, line FROM journal ORDER BY position";
        each_row(&mut transaction, rows, &mut |columns| {
            let (position, row) = read(columns)?;
            each(Part::Row(position, row))
        })?;
        let entries =
            "SELECT register, key, value FROM register ORDER BY register COLLATE \"C\", key COLLATE \"C\"";
        each_row(&mut transaction, entries, &mut |columns| {
            each(Part::Entry { register: columns.get(0), key: columns.get(1), value: columns.get(2) })
        })
    }
}

/// Gives what a query finds, in parts of it.
fn each_row(
    transaction: &mut postgres::Transaction<'_>,
    query: &str,
    each: &mut dyn FnMut(&postgres::Row) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let fault = |error: postgres::Error| database(&error);
    let portal = transaction.bind(query, &[]).map_err(fault)?;
    loop {
        let found = transaction.query_portal(&portal, AT_ONCE).map_err(fault)?;
        found.iter().try_for_each(&mut *each)?;
        if i32::try_from(found.len()).is_ok_and(|found| found < AT_ONCE) {
            return Ok(());
        }
    }
}

fn read(columns: &postgres::Row) -> Result<(u64, Row), StoreError> {
    let position: i64 = columns.get(0);
    let position = position.cast_unsigned();
    let kind: i16 = columns.get(4);
    let events_at: i32 = columns.get(5);
    let row = super::row(
        position,
        columns.get(1),
        columns.get(2),
        columns.get(3),
        i64::from(kind),
        i64::from(events_at),
        columns.get(6),
    )?;
    Ok((position, row))
}
