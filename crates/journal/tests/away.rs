//! A database that goes away and comes back, that is reached over a network, or that is set to lose what it was given.

#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use std::sync::mpsc;
use std::time::{Duration, Instant};

use croupier_journal::store::Flow;
use croupier_journal::{CommandId, Job, Kind, Location, Row, Select, Store, StoreError, Stream, Writer};
use croupier_testkit::certificates::Authority;
use croupier_testkit::postgres::{Cluster, Database, Durability};

/// A row of the house.
fn row(sequence: u64) -> Row {
    Row {
        stream: Stream::House,
        sequence,
        id: CommandId::own(Stream::House, sequence),
        kind: Kind::Table,
        events_at: 0,
        line: format!("line {sequence}").into_bytes(),
    }
}

fn sequences(store: &mut dyn Store) -> Vec<u64> {
    let mut found = Vec::new();
    store
        .rows(Select::After(0), &mut |_, row| {
            found.push(row.sequence);
            Flow::Continue(())
        })
        .unwrap();
    found
}

fn at(url: &str) -> Location {
    url.parse().unwrap()
}

fn error(url: &str) -> StoreError {
    at(url).open().err().unwrap_or_else(|| StoreError::Database(format!("{url} was opened")))
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what} takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn certificates_are_checked_as_far_as_is_asked() {
    let folder = croupier_testkit::tempdir().unwrap();
    let (ours, theirs) = (Authority::new("ours").unwrap(), Authority::new("theirs").unwrap());
    let right = ours.write(folder.path(), "ours.pem").unwrap();
    let wrong = theirs.write(folder.path(), "theirs.pem").unwrap();
    let certificate = ours.sign(&["127.0.0.1", "db.example"]).unwrap();
    let cluster = Cluster::listen(Durability::Memory, Some(&certificate)).unwrap();
    let database = cluster.database().unwrap();
    let url = |host: &str, mode: &str, root: Option<&std::path::Path>| {
        let root = root.map_or_else(String::new, |root| format!("&sslrootcert={}", root.display()));
        database.url_at(host, &format!("{mode}{root}"))
    };
    // 0.0.0.0 leads to this machine, is no address of loopback, and is not in the certificate.
    for (host, mode, root) in [
        ("127.0.0.1", "sslmode=verify-full", Some(right.as_path())),
        ("0.0.0.0", "sslmode=verify-ca", Some(right.as_path())),
        ("0.0.0.0", "sslmode=require", None),
        ("0.0.0.0", "", None),
    ] {
        let mut store = at(&url(host, mode, root)).open().unwrap();
        assert_eq!(
            database.query("SELECT count(*) FROM pg_stat_ssl WHERE ssl").unwrap(),
            "1",
            "{host} {mode}"
        );
        let is_unchecked = store.cautions().unwrap().iter().any(|caution| caution.contains("verify-full"));
        assert_eq!(is_unchecked, root.is_none(), "{host} {mode}");
    }
    for (host, mode, root) in [
        ("127.0.0.1", "sslmode=verify-full", &wrong),
        ("0.0.0.0", "sslmode=verify-full", &right),
        ("0.0.0.0", "sslmode=verify-ca", &wrong),
        ("0.0.0.0", "sslmode=require", &wrong),
    ] {
        match error(&url(host, mode, Some(root))) {
            StoreError::Address { what, .. } => assert!(what.contains("is not accepted: "), "{what}"),
            other => panic!("{host} {mode}: {other}"),
        }
    }
    // Of several hosts the one that answers.
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let several = format!(
        "postgresql://postgres@127.0.0.1:{nobody},127.0.0.1:{}/{}?target_session_attrs=read-write&sslmode=verify-full&\
         sslrootcert={}",
        cluster.port(),
        database.name(),
        right.display()
    );
    at(&several).open().unwrap().lock().unwrap();
}

#[test]
fn nothing_leaves_this_machine_in_plain_unless_that_is_said() {
    let cluster = Cluster::listen(Durability::Memory, None).unwrap();
    let database = cluster.database().unwrap();
    for mode in ["", "sslmode=prefer", "sslmode=require"] {
        match error(&database.url_at("0.0.0.0", mode)) {
            StoreError::Address { what, .. } => assert!(what.contains("write sslmode=disable"), "{what}"),
            other => panic!("{mode}: {other}"),
        }
    }
    at(&database.url_at("0.0.0.0", "sslmode=disable")).open().unwrap();
    at(&database.url_at("127.0.0.1", "")).open().unwrap();
    // A standby takes no lines.
    database
        .query(&format!("ALTER DATABASE {} SET default_transaction_read_only = on", database.name()))
        .unwrap();
    assert!(matches!(error(&database.url()), StoreError::Lost(_)));
}

#[test]
fn a_weak_synchronous_commit_is_refused_wherever_it_was_set() {
    let cluster = Cluster::start(Durability::Memory).unwrap();
    let database = cluster.database().unwrap();
    let name = database.name();
    for (set, reset, words) in [
        (
            format!("ALTER DATABASE {name} SET synchronous_commit = off"),
            format!("ALTER DATABASE {name} RESET ALL"),
            "ALTER DATABASE",
        ),
        (
            "ALTER ROLE postgres SET synchronous_commit = local".to_string(),
            "ALTER ROLE postgres RESET ALL".to_string(),
            "ALTER ROLE",
        ),
        (
            "ALTER SYSTEM SET synchronous_commit = remote_write".to_string(),
            "ALTER SYSTEM RESET ALL".to_string(),
            "postgresql.conf",
        ),
    ] {
        for (sql, is_weak) in [(&set, true), (&reset, false)] {
            cluster.query(sql).unwrap();
            cluster.query("SELECT pg_reload_conf()").unwrap();
            wait_until("the setting", || match at(&database.url()).open() {
                Err(StoreError::Weak(what)) => is_weak && what.contains(words),
                Err(other) => panic!("{sql}: {other}"),
                Ok(_) => !is_weak,
            });
        }
    }
    let options = format!("{}&options=-c%20synchronous_commit%3Doff", database.url());
    let said = error(&options).to_string();
    assert!(said.contains("out of the options of the URL"), "{said}");
}

/// A writer that a test which fails does not wait for.
struct Careful(Writer);

impl Careful {
    fn start(location: &Location) -> Self {
        Self(Writer::start(location).unwrap())
    }
}

impl core::ops::Deref for Careful {
    type Target = Writer;

    fn deref(&self) -> &Writer {
        &self.0
    }
}

impl Drop for Careful {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.give_up();
        }
    }
}

/// A job that is given now and answered later.
fn give(writer: &Writer, sequence: u64) -> mpsc::Receiver<Result<u64, String>> {
    let (sender, answer) = mpsc::channel();
    writer.give(Job {
        rows: vec![row(sequence)],
        changes: Vec::new(),
        done: Box::new(move |result| {
            let _ = sender.send(result.map(|done| done.position).map_err(|why| why.to_string()));
        }),
    });
    answer
}

fn end_sessions(database: &Database) {
    let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    database.query(sql).unwrap();
}

#[test]
fn the_writer_goes_on_when_the_database_is_back() {
    let cluster = Cluster::start(Durability::Disk).unwrap();
    let database = cluster.database().unwrap();
    let location = at(&database.url());
    let writer = Careful::start(&location);
    writer.append(vec![row(1)], Vec::new()).unwrap();
    end_sessions(&database);
    assert_eq!(writer.append(vec![row(2)], Vec::new()).unwrap().position, 2);
    for (sequence, kills) in [(3, false), (4, true)] {
        if kills {
            cluster.kill().unwrap();
        } else {
            cluster.crash().unwrap();
        }
        let answer = give(&writer, sequence);
        wait_until("the outage", || writer.waiting().is_some_and(|waiting| waiting.away.is_some()));
        // Of a server that was killed the sessions may live a moment longer, and still commit.
        assert!(kills || answer.try_recv().is_err());
        cluster.start_again().unwrap();
        assert_eq!(answer.recv_timeout(Duration::from_secs(60)).unwrap(), Ok(sequence));
        wait_until("the return", || writer.waiting().is_none());
        assert!(writer.failure().is_none());
    }
    // Nobody else could have had it meanwhile.
    assert!(matches!(location.open().unwrap().lock(), Err(StoreError::InUse(_))));
    assert_eq!(sequences(location.open().unwrap().as_mut()), [1, 2, 3, 4]);
}

#[test]
fn nobody_waits_longer_than_is_wanted() {
    let cluster = Cluster::start(Durability::Memory).unwrap();
    let database = cluster.database().unwrap();
    let writer = Careful::start(&at(&database.url()));
    cluster.crash().unwrap();
    let (first, second) = (give(&writer, 1), give(&writer, 2));
    wait_until("the outage", || writer.waiting().is_some_and(|waiting| waiting.away.is_some()));
    writer.give_up();
    first.recv_timeout(Duration::from_secs(10)).unwrap().unwrap_err();
    second.recv_timeout(Duration::from_secs(10)).unwrap().unwrap_err();
    assert!(matches!(*writer.failure().unwrap(), StoreError::Lost(_)));
    cluster.start_again().unwrap();
}

/// Ends the session that has the right to append, and takes it before that one can come back.
fn steal(location: &Location, database: &Database) -> Box<dyn Store> {
    let mut thief = location.open().unwrap();
    let sql = "SELECT count(pg_terminate_backend(pid)) FROM pg_locks JOIN pg_database ON oid = database \
               WHERE locktype = 'advisory' AND datname = current_database()";
    assert_eq!(database.query(sql).unwrap(), "1");
    let begun = Instant::now();
    while let Err(error) = thief.lock() {
        assert!(
            matches!(error, StoreError::InUse(_)) && begun.elapsed() < Duration::from_secs(60),
            "{error}"
        );
    }
    thief
}

#[test]
fn a_writer_that_was_overtaken_writes_nothing() {
    let database = croupier_testkit::postgres::database().unwrap();
    let location = at(&database.url());
    // While the other still has it.
    let writer = Careful::start(&location);
    writer.append(vec![row(1)], Vec::new()).unwrap();
    let other = steal(&location, &database);
    let why = writer.append(vec![row(2)], Vec::new()).unwrap_err().to_string();
    assert!(why.contains("is in use by another croupier"), "{why}");
    drop(writer);
    drop(other);

    // After the other has written and gone.
    wait_until("the lock", || lock_is_free(&database));
    let writer = Careful::start(&location);
    let mut other = steal(&location, &database);
    other.commit(2, &[row(2)], &[]).unwrap();
    drop(other);
    wait_until("the lock", || lock_is_free(&database));
    let why = writer.append(vec![row(3)], Vec::new()).unwrap_err().to_string();
    assert!(why.contains("in use by another") || why.contains("another croupier has written"), "{why}");
    drop(writer);

    // A session that lost the right without knowing it: its epoch is over.
    wait_until("the lock", || lock_is_free(&database));
    let mut behind = location.open().unwrap();
    behind.lock().unwrap();
    database.query("UPDATE croupier_writer SET epoch = epoch + 1").unwrap();
    let why = behind.commit(3, &[row(3)], &[]).unwrap_err();
    assert!(matches!(why, StoreError::Overtaken(_)), "{why}");
    assert_eq!(sequences(location.open().unwrap().as_mut()), [1, 2]);
}

fn lock_is_free(database: &Database) -> bool {
    let sql = "SELECT count(*) FROM pg_locks JOIN pg_database ON oid = database \
               WHERE locktype = 'advisory' AND datname = current_database()";
    database.query(sql).unwrap() == "0"
}

/// It is missed before anybody writes.
#[test]
fn a_database_that_goes_while_nobody_writes_is_missed() {
    let cluster = Cluster::start(Durability::Memory).unwrap();
    let database = cluster.database().unwrap();
    let writer = Careful::start(&at(&database.url()));
    cluster.crash().unwrap();
    wait_until("the outage", || writer.waiting().is_some_and(|waiting| waiting.away.is_some()));
    cluster.start_again().unwrap();
    wait_until("the return", || writer.waiting().is_none());
    assert_eq!(writer.append(vec![row(1)], Vec::new()).unwrap().position, 1);
}

/// A database that was set back has lost what was acknowledged.
#[test]
fn a_database_that_was_set_back_stops_the_writer() {
    let database = croupier_testkit::postgres::database().unwrap();
    let writer = Careful::start(&at(&database.url()));
    writer.append(vec![row(1), row(2)], Vec::new()).unwrap();
    database
        .query("ALTER TABLE journal DISABLE TRIGGER ALL; DELETE FROM journal WHERE position = 2")
        .unwrap();
    end_sessions(&database);
    let why = writer.append(vec![row(3)], Vec::new()).unwrap_err().to_string();
    assert!(why.contains("ends at position 1, and lines up to 2 were acknowledged"), "{why}");
}

/// A commit whose wait for the standby is cancelled is answered as if all were well, with a warning: it is not.
#[test]
fn a_cancelled_wait_for_the_standby_is_no_commit() {
    let cluster = Cluster::start(Durability::Memory).unwrap();
    let database = cluster.database().unwrap();
    let writer = Careful::start(&at(&database.url()));
    writer.append(vec![row(1)], Vec::new()).unwrap();
    cluster.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'").unwrap();
    cluster.query("SELECT pg_reload_conf()").unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let answer = give(&writer, 2);
    let waits = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()";
    wait_until("the commit", || database.query(&format!("SELECT count(*) {waits}")).unwrap() == "1");
    database.query(&format!("SELECT pg_cancel_backend(pid) {waits}")).unwrap();
    wait_until("the warning", || writer.waiting().is_some_and(|waiting| waiting.away.is_some()));
    std::thread::sleep(Duration::from_millis(300));
    assert!(answer.try_recv().is_err(), "it was acknowledged, and no standby has it");
    cluster.query("ALTER SYSTEM RESET synchronous_standby_names").unwrap();
    cluster.query("SELECT pg_reload_conf()").unwrap();
    assert_eq!(answer.recv_timeout(Duration::from_secs(60)).unwrap(), Ok(2));
    assert_eq!(sequences(at(&database.url()).open().unwrap().as_mut()), [1, 2]);
}
