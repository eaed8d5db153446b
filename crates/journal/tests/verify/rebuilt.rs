//! Tables rebuilt from a store on several threads come out as they were played.

use croupier_journal::deed::Kind;
use croupier_journal::store::Location;
use croupier_journal::{CommandId, Row, Stream, replay};
use croupier_ledger::TableId;

use crate::played;

const TABLES: [TableId; 2] = [TableId(1), TableId(2)];

fn check(location: &Location) {
    let floor = played();
    location.open().unwrap().commit(1, &floor.rows, &[]).unwrap();
    for threads in [0, 1, 2, 3, 8] {
        let tables = replay::tables(location, &floor.shelf, threads).unwrap();
        let found: Vec<_> = tables.iter().map(|(id, table)| (*id, table.table.fingerprint())).collect();
        assert_eq!(found, TABLES.map(|id| (id, floor.table(id).fingerprint())), "{threads} threads");
    }
}

#[test]
fn memory_rebuilds_what_was_played() {
    check(&Location::memory());
}

#[test]
fn sqlite_rebuilds_what_was_played() {
    let folder = croupier_testkit::tempdir().unwrap();
    check(&Location::Sqlite(folder.path().join("journal.sqlite")));
}

#[test]
fn postgresql_rebuilds_what_was_played() {
    let database = croupier_testkit::postgres::database().unwrap();
    check(&Location::Postgres(database.url()));
}

/// What is said of rows that are no journal; nobody waits for a thread that has stopped.
fn fault(rows: &[Row], threads: usize) -> String {
    let location = Location::memory();
    location.open().unwrap().commit(1, rows, &[]).unwrap();
    replay::tables(&location, &played().shelf, threads).unwrap_err().to_string()
}

#[test]
fn what_is_no_journal_is_named() {
    let rows = &played().rows;
    let opening = |row: &Row| row.stream == Stream::Table(TableId(1)) && row.kind == Kind::OpenTable;
    let is_event = |row: &Row| row.stream == Stream::Table(TableId(2)) && row.kind == Kind::Table;
    for threads in [1, 2, 3] {
        let unopened: Vec<Row> = rows.iter().filter(|row| !opening(row)).cloned().collect();
        assert_eq!(fault(&unopened, threads), "table/1: begins without being opened");

        let mut twice = rows.clone();
        let mut again = rows.iter().find(|row| opening(row)).unwrap().clone();
        again.sequence = u64::from(u32::MAX);
        again.id = CommandId::new("opened-once-more").unwrap();
        twice.push(again);
        assert_eq!(fault(&twice, threads), "table/1: is opened twice");

        let mut cut = rows.clone();
        let last = cut.iter_mut().rfind(|row| is_event(row)).unwrap();
        last.line.truncate(last.line.len() - 5);
        assert!(fault(&cut, threads).starts_with("table/2: "), "{}", fault(&cut, threads));
    }
}
