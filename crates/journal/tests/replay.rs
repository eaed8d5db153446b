//! What a replay is given is what the lines say, on every store, whole or in spans.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers fail a test by panicking")]

use std::collections::BTreeMap;

use croupier_journal::envelope::{Envelope, Happened};
use croupier_journal::store::{Flow, Lines};
use croupier_journal::{By, CommandId, Deed, Head, Location, Row, Stream};
use croupier_ledger::TableId;
use croupier_table::{Action, Event, Fact};

fn lines() -> Vec<Row> {
    let streams = [
        Stream::House,
        Stream::Table(TableId(1)),
        Stream::Table(TableId(2)),
        Stream::Cage,
        Stream::Table(TableId(31)),
    ];
    let mut heads = streams.map(|stream| (stream, Head::START));
    let mut rows = Vec::new();
    for round in 0..1_200_u64 {
        for (stream, head) in &mut heads {
            let is_table = matches!(stream, Stream::Table(_));
            let deed = if is_table { Deed::Table(Action::OpenBets) } else { Deed::Stop };
            let events = [Event { fact: Fact::BetsOpened { round }, cites: Vec::new() }];
            let envelope = Envelope {
                id: CommandId::own(*stream, head.sequence + 1),
                at: round,
                by: By::System,
                via: None,
                deed: &deed,
                postings: &[],
                closes: None,
                events: if is_table { Happened::Table(&events) } else { Happened::Nothing },
            };
            rows.push(head.append(*stream, &envelope));
        }
    }
    rows
}

fn check(location: &Location) {
    let rows = lines();
    let mut store = location.open().unwrap();
    store.commit(1, &rows, &[]).unwrap();
    let end = u64::try_from(rows.len()).unwrap() + 1;
    for span in [0..end, 1..end, 0..u64::from(u32::MAX), 2..3, 2..4, 1_999..4_000, 5..5, end..end + 9] {
        let mut expected: BTreeMap<TableId, Vec<Event>> = BTreeMap::new();
        for (position, row) in (1..).zip(&rows) {
            match row.stream {
                Stream::Table(table) if span.contains(&position) => {
                    expected.entry(table).or_default().extend(row.table_events().unwrap());
                }
                _ => {}
            }
        }
        let mut found: BTreeMap<TableId, Vec<Event>> = BTreeMap::new();
        store
            .replay(span.clone(), &mut |row| {
                let Lines::Events(events) = row.lines else { panic!("nothing was opened") };
                let events: Vec<Event> = serde_json::from_slice(events).unwrap();
                found.entry(row.table).or_default().extend(events);
                Flow::Continue(())
            })
            .unwrap();
        assert_eq!(found, expected, "{span:?}");
    }
    let mut first = 0;
    store
        .replay(0..end, &mut |_| {
            first += 1;
            Flow::Break(())
        })
        .unwrap();
    assert_eq!(first, 1, "whoever stops is given no more");
}

#[test]
fn memory_gives_a_replay_what_the_lines_say() {
    check(&Location::memory());
}

#[test]
fn sqlite_gives_a_replay_what_the_lines_say() {
    let folder = croupier_testkit::tempdir().unwrap();
    check(&Location::Sqlite(folder.path().join("journal.sqlite")));
}

#[test]
fn postgresql_gives_a_replay_what_the_lines_say() {
    let database = croupier_testkit::postgres::database().unwrap();
    check(&Location::Postgres(database.url()));
}
