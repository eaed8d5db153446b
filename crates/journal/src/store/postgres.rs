//! PostgreSQL, for a floor that one machine cannot hold or that has a database team.
//!
//! A commit is one round trip for all its rows. The right to append is an advisory lock of the session, so it ends
//! with the connection, and an epoch that whoever takes the lock counts up: every commit names the epoch it was taken
//! with, in its own transaction, so that a writer who lost the right without knowing writes nothing.
//!
//! A connection that breaks is made anew ([`Store::regain`]). Taking the lock then waits until the session before has
//! ended, and counting the epoch up until its last transaction has: after that nothing of it can come any more.

mod address;
mod lease;
mod tls;

use core::ops::Range;
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use postgres::binary_copy::BinaryCopyOutIter;
use postgres::error::SqlState;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::Type;
use postgres::{Client, Statement};

use super::{Change, Flow, Lines, Order, Part, Replay, Select, Store, StoreError};
use crate::deed::Kind;
use crate::envelope::Row;
use crate::nodes::{Lead, Mark, Notice};
use crate::stream::{CommandId, Stream};
use address::Address;
pub(crate) use lease::Connection;

/// The layouts, one step each; a database is brought to the latest when it is opened.
const MIGRATIONS: &[&str] =
    &[include_str!("postgres.sql"), IN_ORDER, EPOCH, include_str!("postgres/nodes.sql")];

/// Keys in the order of their bytes, whatever the language of the database: parts of registers are read by it.
const IN_ORDER: &str = "CREATE INDEX register_in_order ON register (register, key COLLATE \"C\")";

/// How often the right to append was taken: one row.
const EPOCH: &str =
    "CREATE TABLE croupier_writer (epoch BIGINT NOT NULL); INSERT INTO croupier_writer VALUES (0)";

/// `croupier` in ASCII, cut to eight bytes: the key of our advisory locks.
const LOCK: i64 = i64::from_be_bytes(*b"croupier");

/// How many rows are asked for at once.
const AT_ONCE: i32 = 4_096;

/// A whole commit in one statement: all of it or nothing, in one round trip. It holds on to the epoch until it is done,
/// and writes nothing under another.
const APPEND: &str = "\
WITH held AS MATERIALIZED (
    SELECT epoch FROM croupier_writer WHERE $13::bigint IS NULL OR epoch = $13 FOR SHARE
), appended AS (
    INSERT INTO journal (position, stream, sequence, command, kind, events_at, line)
    SELECT * FROM UNNEST($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::smallint[], $6::integer[], $7::bytea[])
    WHERE EXISTS (SELECT FROM held)
), removed AS (
    DELETE FROM register USING UNNEST($8::text[], $9::text[]) AS gone (register, key)
    WHERE register.register = gone.register AND register.key = gone.key AND EXISTS (SELECT FROM held)
), put AS (
    INSERT INTO register (register, key, value)
    SELECT * FROM UNNEST($10::text[], $11::text[], $12::bytea[])
    WHERE EXISTS (SELECT FROM held)
    ON CONFLICT (register, key) DO UPDATE SET value = EXCLUDED.value
)
SELECT count(*) FROM held";

/// The end of [`APPEND`] where other nodes follow: they are told with the commit, and of nothing that is not durable.
const TELLING: &str =
    "SELECT count(told) FROM (SELECT pg_notify('croupier', $14)::text AS told FROM held) AS held";

/// The rows of commands by their ids.
const FIND_ALL: &str = "\
SELECT position, stream, sequence, command, kind, events_at, line FROM journal
WHERE stream = $1 AND command = ANY($2)";

/// Who holds the right to append, as a session.
const HOLDER: &str = "\
SELECT activity.pid, activity.backend_start::text
FROM pg_locks AS held JOIN pg_stat_activity AS activity USING (pid)
WHERE held.locktype = 'advisory' AND held.granted
AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND (held.classid::bigint << 32) | held.objid::bigint = $1 AND held.objsubid = 1";

/// How long whoever had the right to append before may take to be gone, once its session was ended.
const ENDS: Duration = Duration::from_secs(10);

/// How many sessions of ours are remembered: those that a server has not noticed to be gone are among the last.
const SESSIONS: usize = 64;

/// How long a connection that was idle may take to say that it is there.
const ANSWERS: Duration = Duration::from_secs(5);

/// A connection to a database of PostgreSQL.
pub struct Postgres {
    address: Address,
    client: Client,
    /// [`APPEND`], from the first commit on.
    append: Option<Statement>,
    /// [`FIND_ALL`], from the first time on.
    find_all: Option<Statement>,
    /// What the server warned of, since somebody last looked.
    warned: Warned,
    /// The epoch under which this connection may append, once it has the right to.
    epoch: Option<i64>,
    /// The sessions that had the right to append, or may have, in the order they began.
    sessions: Vec<Session>,
    /// The lease under which this connection appends, where there are several nodes.
    lead: Option<Lead>,
    /// Commits under the epoch.
    number: u64,
}

/// What a server warned of.
type Warned = Arc<Mutex<Option<String>>>;

/// A session of the server: its process, and when that began.
type Session = (i32, String);

fn database(error: &postgres::Error) -> StoreError {
    let words = StoreError::words(error);
    match error.code() {
        Some(&SqlState::UNIQUE_VIOLATION) => StoreError::Taken(words),
        Some(code) if passes(code) => StoreError::Lost(words),
        Some(_) => StoreError::Database(words),
        None if error.is_closed() || has_io(error) => StoreError::Lost(words),
        None => StoreError::Database(words),
    }
}

fn has_io(error: &postgres::Error) -> bool {
    let causes = core::iter::successors(std::error::Error::source(error), |error| error.source());
    causes.into_iter().any(|cause| cause.is::<std::io::Error>())
}

/// Whether what the server says is about the server, and not about what it was asked: it stops, starts, has become a
/// standby, or has no room for the moment.
fn passes(code: &SqlState) -> bool {
    // Connection exceptions, rolled back for others' sake, no resources, and interventions of an operator.
    ["08", "40", "53", "57"].iter().any(|class| code.code().starts_with(class))
        || [SqlState::READ_ONLY_SQL_TRANSACTION, SqlState::LOCK_NOT_AVAILABLE].contains(code)
}

impl Postgres {
    /// Connects, making the SQL tables if there are none.
    ///
    /// # Errors
    /// What PostgreSQL says; [`StoreError::Weak`] if it would acknowledge what can still be lost.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        Self::prepare(Address::read(url)?)
    }

    /// Connects to append under a lease, and to tell other nodes of every commit.
    ///
    /// # Errors
    /// As [`Postgres::open`].
    pub fn open_leading(url: &str, lead: Lead) -> Result<Self, StoreError> {
        Ok(Self { lead: Some(lead), ..Self::open(url)? })
    }

    fn prepare(address: Address) -> Result<Self, StoreError> {
        let mut store = Self::connect(address, true)?;
        store.must_be_durable()?;
        store.migrate()?;
        Ok(store)
    }

    /// Connects to a database that must have a journal, and changes nothing.
    ///
    /// # Errors
    /// What PostgreSQL says.
    pub fn open_to_read(url: &str) -> Result<Self, StoreError> {
        let mut store = Self::connect(Address::read(url)?, false)?;
        // Lines lie in the order of their positions: gathered page by page they would only have to be sorted again.
        store
            .client
            .batch_execute("SET default_transaction_read_only = on; SET enable_bitmapscan = off")
            .map_err(|error| database(&error))?;
        match store.layout()? {
            0 => Err(StoreError::Database(format!("{}: there is no journal in it", store.address.name))),
            found if found > known() => Err(StoreError::TooNew { found, known: known() }),
            _ => Ok(store),
        }
    }

    fn connect(address: Address, writes: bool) -> Result<Self, StoreError> {
        let warned = Warned::default();
        let noting = Arc::clone(&warned);
        let note = move |words| *noting.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
        let client = address.connect(writes, note)?;
        Ok(Self {
            address,
            client,
            append: None,
            find_all: None,
            warned,
            epoch: None,
            sessions: Vec::new(),
            lead: None,
            number: 0,
        })
    }

    /// A commit is an answer to a player: what is weaker than `on` is refused, wherever it was set, and no later change
    /// of the server's settings reaches this session.
    fn must_be_durable(&mut self) -> Result<(), StoreError> {
        let fault = |error: postgres::Error| database(&error);
        let set = "SELECT setting, source FROM pg_settings WHERE name = 'synchronous_commit'";
        let set = self.client.query_one(set, &[]).map_err(fault)?;
        let (value, source): (String, String) = (set.get(0), set.get(1));
        if !["on", "remote_apply"].contains(&value.as_str()) {
            let mend = match source.as_str() {
                "database" => "ALTER DATABASE … RESET synchronous_commit",
                "user" => "ALTER ROLE … RESET synchronous_commit",
                "database user" => "ALTER ROLE … IN DATABASE … RESET synchronous_commit",
                "client" => "take synchronous_commit out of the options of the URL",
                _ => "set synchronous_commit = on in postgresql.conf (or ALTER SYSTEM) and reload",
            };
            return Err(StoreError::Weak(format!(
                "{}: synchronous_commit is `{value}` here (set by: {source}), so that what players were told could be \
                 lost; {mend}",
                self.address.name
            )));
        }
        let pinned = "SELECT set_config('synchronous_commit', $1, false)";
        self.client.execute(pinned, &[&value]).map(drop).map_err(fault)
    }

    fn take_warning(&self) -> Option<String> {
        self.warned.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// A commit that was answered with a warning is one whose wait for the standby was cancelled: it is on this server
    /// and perhaps nowhere else.
    fn must_not_have_warned(&self) -> Result<(), StoreError> {
        match self.take_warning() {
            Some(words) => Err(StoreError::Lost(format!("a commit was answered with a warning: {words}"))),
            None => Ok(()),
        }
    }

    /// The session of this connection.
    fn session(&mut self) -> Result<Session, StoreError> {
        let own = "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()";
        let found = self.client.query_one(own, &[]).map_err(|error| database(&error))?;
        Ok((found.get(0), found.get(1)))
    }

    /// Ends the session of ours that had the right to append, if the server still has it: the connection to it is gone,
    /// and the server may not have noticed.
    fn end_earlier(&mut self) -> Result<(), StoreError> {
        let fault = |error: postgres::Error| database(&error);
        let holder = self.client.query_opt(HOLDER, &[&LOCK]).map_err(fault)?;
        let Some(holder) = holder.map(|holder| (holder.get(0), holder.get(1))) else { return Ok(()) };
        if !self.sessions.contains(&holder) {
            return Ok(());
        }
        self.client.execute("SELECT pg_terminate_backend($1)", &[&holder.0]).map_err(fault)?;
        Err(StoreError::Lost(format!("{}: the session before is being ended", self.address.name)))
    }

    /// Whether the lease is still ours: another node may have it by now.
    fn must_lead(&mut self, lead: &Lead) -> Result<(), StoreError> {
        let holds = "SELECT count(*) FROM croupier_lease WHERE holder = $1 AND term = $2";
        let held = self.client.query_one(holds, &[&lead.node, &lead.term.cast_signed()]);
        match held.map_err(|error| database(&error))?.get::<_, i64>(0) {
            0 => Err(self.overtaken()),
            _ => Ok(()),
        }
    }

    fn overtaken(&self) -> StoreError {
        let what = format!("another croupier has taken the right to write to {}", self.address.name);
        StoreError::Overtaken(what)
    }

    /// Whoever has the lease ends the session that had the right to append before: a node that stands still, or whose
    /// machine is gone, does not let go of it by itself.
    fn end_others(&mut self, lead: &Lead) -> Result<(), StoreError> {
        let fault = |error: postgres::Error| database(&error);
        let begun = std::time::Instant::now();
        loop {
            self.must_lead(lead)?;
            let holder = self.client.query_opt(HOLDER, &[&LOCK]).map_err(fault)?;
            let Some(pid) = holder.map(|holder| holder.get::<_, i32>(0)) else { return Ok(()) };
            if pid == self.session()?.0 {
                return Ok(());
            }
            if begun.elapsed() > ENDS {
                return Err(StoreError::InUse(self.address.name.clone()));
            }
            self.client.execute("SELECT pg_terminate_backend($1)", &[&pid]).map_err(fault)?;
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Takes the next epoch, and tells other nodes that a new one begins.
    fn count_epoch(&mut self) -> Result<i64, StoreError> {
        let fault = |error: postgres::Error| database(&error);
        let Some(lead) = self.lead.clone() else {
            let counted = "UPDATE croupier_writer SET epoch = epoch + 1 RETURNING epoch";
            return Ok(self.client.query_one(counted, &[]).map_err(fault)?.get(0));
        };
        let counted = "UPDATE croupier_writer SET epoch = epoch + 1 \
                       WHERE EXISTS (SELECT FROM croupier_lease WHERE holder = $1 AND term = $2) RETURNING epoch";
        let counted =
            self.client.query_opt(counted, &[&lead.node, &lead.term.cast_signed()]).map_err(fault)?;
        let epoch: i64 = counted.ok_or_else(|| self.overtaken())?.get(0);
        self.number = 0;
        let mark = Mark { epoch: epoch.cast_unsigned(), number: 0 };
        let told = Notice { mark, position: self.end()?, changed: Vec::new() }.to_string();
        self.client.execute("SELECT pg_notify('croupier', $1)", &[&told]).map_err(fault)?;
        Ok(epoch)
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
        let fault = |error: postgres::Error| database(&error);
        if self.sessions.is_empty() {
            self.sessions = vec![self.session()?];
        }
        if let Some(lead) = self.lead.clone() {
            self.end_others(&lead)?;
        }
        let taken = self.client.query_one("SELECT pg_try_advisory_lock($1)", &[&LOCK]).map_err(fault)?;
        if !taken.get::<_, bool>(0) {
            return Err(StoreError::InUse(self.address.name.clone()));
        }
        // Waits for a commit under the epoch before that may still be on its way; and, being a commit itself, until all
        // before it is as durable as it will be.
        let epoch = self.count_epoch()?;
        self.must_not_have_warned()?;
        self.epoch = Some(epoch);
        Ok(())
    }

    fn regain(&mut self) -> Result<(), StoreError> {
        // What was fine at the start may be wrong for a while, such as a password that is being changed.
        let waits = |error| match error {
            StoreError::Address { .. } | StoreError::Database(_) => StoreError::Lost(error.to_string()),
            other => other,
        };
        let mut fresh = Self::prepare(self.address.clone()).map_err(waits)?;
        // Named before it has the right: if this connection breaks too, its session is known.
        let session = fresh.session()?;
        self.sessions.push(session);
        if self.sessions.len() > SESSIONS {
            self.sessions.remove(0);
        }
        fresh.sessions.clone_from(&self.sessions);
        fresh.lead.clone_from(&self.lead);
        fresh.end_earlier()?;
        fresh.lock()?;
        *self = fresh;
        Ok(())
    }

    fn mark(&self) -> Option<Mark> {
        self.lead.as_ref()?;
        Some(Mark { epoch: self.epoch?.cast_unsigned(), number: self.number })
    }

    fn is_live(&mut self) -> bool {
        self.client.is_valid(ANSWERS).is_ok()
    }

    fn is_taken(&mut self) -> Result<bool, StoreError> {
        let holders = self.client.query(HOLDER, &[&LOCK]).map_err(|error| database(&error))?;
        Ok(!holders.is_empty())
    }

    fn has_standby(&mut self) -> Result<Option<bool>, StoreError> {
        let named = self.client.query_one("SHOW synchronous_standby_names", &[]);
        let named: String = named.map_err(|error| database(&error))?.get(0);
        Ok(Some(!named.trim().is_empty()))
    }

    fn cautions(&mut self) -> Result<Vec<String>, StoreError> {
        let mut cautions = Vec::new();
        if self.address.is_unchecked {
            cautions.push(
                "whoever answers at the database's address is believed; write sslmode=verify-full and sslrootcert into \
                 its URL"
                    .to_string(),
            );
        }
        if self.has_standby()? == Some(false) {
            cautions.push(
                "synchronous_standby_names is empty in PostgreSQL: with the disk of this one server, what players were \
                 told is lost too; name a standby, or set require_standby to refuse a start without one"
                    .to_string(),
            );
        }
        let off =
            "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'";
        for row in self.client.query(off, &[]).map_err(|error| database(&error))? {
            let name: &str = row.get(0);
            cautions.push(format!(
                "{name} is off in PostgreSQL: a power cut can take back what players were told; set it on"
            ));
        }
        Ok(cautions)
    }

    fn commit(&mut self, position: u64, rows: &[Row], changes: &[Change]) -> Result<(), StoreError> {
        let fault = |error: postgres::Error| database(&error);
        let append = match &self.append {
            Some(append) => append.clone(),
            None => {
                let text = match self.lead {
                    None => APPEND.to_string(),
                    Some(_) => APPEND.replace("SELECT count(*) FROM held", TELLING),
                };
                self.append.insert(self.client.prepare(&text).map_err(fault)?).clone()
            }
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
        let told = self.lead.as_ref().map(|lead| {
            self.number += 1;
            let epoch = self.epoch.unwrap_or(0).cast_unsigned();
            let position = position + u64::try_from(rows.len()).unwrap_or(0) - 1;
            let changed = lead.changed(changes);
            Notice { mark: Mark { epoch, number: self.number }, position, changed }.to_string()
        });
        self.take_warning();
        let mut parameters: Vec<&(dyn postgres::types::ToSql + Sync)> = vec![
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
            &self.epoch,
        ];
        if let Some(told) = &told {
            parameters.push(told);
        }
        let held = self.client.query_one(&append, &parameters).map_err(fault)?;
        if held.get::<_, i64>(0) == 0 {
            return Err(self.overtaken());
        }
        self.must_not_have_warned()
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
