//! What a floor finds when it starts: a journal that was cut or changed behind its snapshot, books that somebody wrote
//! into the database, lines from the future.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod support;

use std::path::Path;

use croupier_journal::deed::Dealing;
use croupier_journal::envelope::{Envelope, Happened};
use croupier_journal::store::Flow;
use croupier_journal::{By, CommandId, Deed, Head, Location, Select, Stream};
use croupier_ledger::PlayerId;
use croupier_server::floor::{Floor, Place, StartError};
use support::{NO_PAUSE, balanced, bet, come, deposit, open, start};

/// A floor in a folder that has played, stopped as it should.
async fn played(folder: &Path) -> u64 {
    let floor = start(database(folder), Some(folder), NO_PAUSE).floor;
    let table = open(&floor, Dealing::Automatic, 30).await;
    come(&floor, &table, 7, 1, 1_000).await;
    for attempt in 0..200 {
        if bet(&table, &format!("b-{attempt}"), 7, 0, 10).await.is_ok() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    floor.stop().await.unwrap();
    balanced(&floor);
    floor.shared.readers.read_here(|store| store.end()).unwrap()
}

fn database(folder: &Path) -> Location {
    Location::Sqlite(folder.join("croupier.sqlite"))
}

/// Does something to the database that no server does.
fn tamper(folder: &Path, what: &str) {
    let database = rusqlite::Connection::open(folder.join("croupier.sqlite")).unwrap();
    let mut triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").unwrap();
    let names: Vec<String> = triggers.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    for name in names {
        database.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    database.execute_batch(what).unwrap();
}

fn start_error(folder: &Path) -> Option<StartError> {
    let place = Place {
        keys: folder.join("keys"),
        database: database(folder),
        folder: Some(folder.to_path_buf()),
        pace: NO_PAUSE,
        accept_registers: false,
    };
    Floor::start(&place).err()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_cut_behind_its_snapshot_is_refused() {
    let folder = croupier_testkit::tempdir().unwrap();
    let folder = folder.path();
    let end = played(folder).await;
    // Without the checkpoints, which would say it too: the snapshot alone has to.
    for file in ["checkpoints.jsonl", "tail.json"] {
        std::fs::remove_file(folder.join(file)).unwrap();
    }
    tamper(folder, "DELETE FROM register WHERE register = 'checkpoint'");
    tamper(folder, &format!("DELETE FROM journal WHERE position > {}", end - 3));
    match start_error(folder) {
        Some(StartError::OtherJournal(what)) => assert!(what.contains("snapshot"), "{what}"),
        other => panic!("{other:?}"),
    }
    // It says what it is also to whoever reads the message.
    let text = start_error(folder).unwrap().to_string();
    assert!(text.contains(&format!("ends at position {}", end - 3)) && text.contains("missing"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_changed_behind_its_snapshot_is_refused() {
    let folder = croupier_testkit::tempdir().unwrap();
    let folder = folder.path();
    let end = played(folder).await;
    tamper(
        folder,
        &format!(
            "UPDATE journal SET line = CAST(replace(CAST(line AS TEXT), '\"at\":1', '\"at\":2') AS BLOB) WHERE position = {end}"
        ),
    );
    assert!(matches!(start_error(folder), Some(StartError::OtherJournal(_))), "{:?}", start_error(folder));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_checkpoint_was_signed_over_is_the_line_that_is_there() {
    let folder = croupier_testkit::tempdir().unwrap();
    let folder = folder.path();
    played(folder).await;
    // A line of the cage before the end, and no snapshot that would show it.
    tamper(folder, "DELETE FROM register WHERE register = 'snapshot'");
    tamper(
        folder,
        "UPDATE journal SET line = CAST(replace(CAST(line AS TEXT), '\"at\":1', '\"at\":2') AS BLOB) \
         WHERE stream = 'cage' AND sequence = (SELECT max(sequence) FROM journal WHERE stream = 'cage')",
    );
    assert!(matches!(start_error(folder), Some(StartError::OtherJournal(_))), "{:?}", start_error(folder));
}

/// Between two checkpoints, without a stop, a snapshot or a signature over it: the last commit was noted.
#[tokio::test(flavor = "multi_thread")]
async fn lines_cut_off_between_two_checkpoints_are_missed() {
    let folder = croupier_testkit::tempdir().unwrap();
    let folder = folder.path();
    let floor = start(database(folder), Some(folder), NO_PAUSE).floor;
    // A floor signs once as it starts, at a moment of its own.
    while !std::fs::read_to_string(folder.join("checkpoints.jsonl")).is_ok_and(|text| text.ends_with('\n')) {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    deposit(&floor, 7, 100, "first").await;
    deposit(&floor, 7, 100, "second").await;
    drop(floor);
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    tamper(folder, "DELETE FROM journal WHERE position > (SELECT max(position) - 2 FROM journal)");
    match start_error(folder) {
        Some(StartError::OtherJournal(what)) => assert!(what.contains("noted"), "{what}"),
        other => panic!("{other:?}"),
    }
    // A file that somebody else wrote says nothing, and that is no leave to start.
    let other = croupier_testkit::tempdir().unwrap();
    let floor = start(database(other.path()), Some(other.path()), NO_PAUSE).floor;
    drop(floor);
    std::fs::copy(other.path().join("tail.json"), folder.join("tail.json")).unwrap();
    assert!(matches!(start_error(folder), Some(StartError::OtherJournal(_))));
}

/// Whoever can write to the database writes themselves rich in the snapshot: it is not used, and the lines are.
#[tokio::test(flavor = "multi_thread")]
async fn books_that_nobody_sealed_are_not_believed() {
    let folder = croupier_testkit::tempdir().unwrap();
    let folder = folder.path();
    played(folder).await;
    let floor = start(database(folder), Some(folder), NO_PAUSE).floor;
    let honest = floor.wallet(PlayerId(7));
    deposit(&floor, 8, 50, "honest").await;
    let forged = {
        let bank = floor.shared.books.ask(Clone::clone).await.unwrap();
        let text = serde_json::to_string(&bank).unwrap();
        text.replace("\"posted\":5000", "\"posted\":900000000")
    };
    floor.stop().await.unwrap();
    drop(floor);
    let connection = rusqlite::Connection::open(folder.join("croupier.sqlite")).unwrap();
    // As it was once: the books as plain text.
    let changed = connection
        .execute(
            "UPDATE register SET value = ?1 WHERE register = 'snapshot' AND key LIKE 'bank%'",
            [forged.as_bytes()],
        )
        .unwrap();
    assert!(changed >= 1);
    drop(connection);
    let floor = start(database(folder), Some(folder), NO_PAUSE).floor;
    assert_eq!((floor.wallet(PlayerId(7)), floor.wallet(PlayerId(8))), (honest, 5_000));
    balanced(&floor);
}

/// The times of all lines, in the order of the journal.
fn times(location: &Location) -> Vec<(Stream, u64)> {
    let mut times = Vec::new();
    location
        .open_to_read()
        .unwrap()
        .rows(Select::After(0), &mut |_, row| {
            times.push((row.stream, row.record().unwrap().at));
            Flow::Continue(())
        })
        .unwrap();
    times
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_do_not_go_back_in_time_over_a_restart() {
    let location = Location::memory();
    let floor = start(location.clone(), None, NO_PAUSE).floor;
    deposit(&floor, 7, 100, "now").await;
    floor.stop().await.unwrap();
    drop(floor);
    // The clock was an hour ahead when the last line was written, and is right again.
    let mut store = location.open().unwrap();
    let mut last: Option<(Head, u64)> = None;
    store
        .rows(Select::Stream(Stream::House, 1), &mut |_, row| {
            last = Some((row.head(), row.record().unwrap().at));
            Flow::Continue(())
        })
        .unwrap();
    let (mut head, at) = last.unwrap();
    let future = at + 3_600_000;
    let deed = Deed::Stop;
    let envelope = Envelope {
        id: CommandId::own(Stream::House, head.sequence + 1),
        at: future,
        by: By::System,
        via: None,
        deed: &deed,
        postings: &[],
        closes: None,
        events: Happened::Nothing,
    };
    let row = head.append(Stream::House, &envelope);
    let end = store.end().unwrap();
    store.commit(end + 1, &[row], &[]).unwrap();

    let floor = start(location.clone(), None, NO_PAUSE).floor;
    let table = open(&floor, Dealing::Automatic, 30).await;
    come(&floor, &table, 8, 1, 1_000).await;
    tokio::time::sleep(std::time::Duration::from_millis(30)).await;
    deposit(&floor, 7, 100, "later").await;
    floor.stop().await.unwrap();
    let times = times(&location);
    assert!(times.is_sorted_by_key(|(_, at)| *at), "{times:?}");
    let after: Vec<u64> = times.iter().map(|(_, at)| *at).filter(|at| *at >= future).collect();
    assert!(
        after.len() > 5 && after.last() > after.first(),
        "later lines are not all at one time: {after:?}"
    );
}
