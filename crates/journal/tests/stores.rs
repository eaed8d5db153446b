//! One suite for all stores: in memory, SQLite in a temporary folder, and a real PostgreSQL.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers fail a test by panicking")]

#[path = "stores/model.rs"]
mod model;
#[path = "stores/place.rs"]
mod place;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use croupier_journal::store::{Flow, Order};
use croupier_journal::{Change, CommandId, Kind, Location, Row, Select, StoreError, Stream, copy};
use model::does_what_the_model_does;
use place::{Place, lines, row, rows, stream};

/// A module for each store, with every test in it.
macro_rules! on {
    ($stores:tt, $($name:ident),+ $(,)?) => { $( on!(@ $stores, $name); )+ };
    (@ all, $name:ident) => { on!(@@ $name, memory, sqlite, postgres); };
    (@ databases, $name:ident) => { on!(@@ $name, sqlite, postgres); };
    (@@ $name:ident, $($store:ident),+) => {
        mod $name { $( #[test] fn $store() { super::super::$name(&super::super::Place::$store()); } )+ }
    };
}

mod the_store {
    on!(
        all,
        gives_back_in_order,
        keeps_every_column,
        finds_commands,
        is_copied_whole,
        reads_parts_of_registers,
        keeps_registers,
        applies_changes_in_their_order,
        appends_all_or_nothing,
        keeps_odd_values,
        has_one_writer,
        stops_when_told,
        reads_more_than_it_fetches_at_once,
        shows_readers_a_whole_prefix,
        can_be_opened_by_many_at_once,
        does_what_the_model_does,
    );
    on!(
        databases,
        is_not_made_by_a_reader,
        is_not_changed_by_a_reader,
        refuses_a_later_layout,
        is_append_only,
        names_damaged_rows,
        is_there_after_a_restart,
    );
}

fn put(register: &'static str, key: &str, value: &[u8]) -> Change {
    Change::Put { register, key: key.to_string(), value: value.to_vec() }
}

fn delete(register: &'static str, key: &str) -> Change {
    Change::Delete { register, key: key.to_string() }
}

fn gives_back_in_order(place: &Place) {
    let mut store = place.open();
    assert_eq!(store.end().unwrap(), 0);
    assert_eq!(rows(store.as_mut(), Select::After(0)), []);
    store.commit(1, &[row("house", 1, "a", "A"), row("table/3", 1, "b", "B")], &[]).unwrap();
    assert_eq!(store.end().unwrap(), 2);
    store.commit(3, &[row("table/3", 2, "c", "C")], &[]).unwrap();
    store.commit(4, &[row("table/30", 1, "d", "D"), row("table/3", 3, "e", "E")], &[]).unwrap();
    assert_eq!(store.end().unwrap(), 5);

    let mut other = place.location.open_to_read().unwrap();
    let all = rows(other.as_mut(), Select::After(0));
    assert_eq!(all.iter().map(|(position, _)| *position).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert_eq!(all[3], (4, row("table/30", 1, "d", "D")));
    for (select, expect) in [
        (Select::After(0), "A B C D E"),
        (Select::After(1), "B C D E"),
        (Select::After(4), "E"),
        (Select::After(5), ""),
        (Select::After(6), ""),
        (Select::Stream(stream("table/3"), 0), "B C E"),
        (Select::Stream(stream("table/3"), 1), "B C E"),
        (Select::Stream(stream("table/3"), 2), "C E"),
        (Select::Stream(stream("table/3"), 4), ""),
        (Select::Stream(stream("table/30"), 1), "D"),
        (Select::Stream(Stream::House, 1), "A"),
        (Select::Stream(Stream::Cage, 1), ""),
    ] {
        assert_eq!(lines(other.as_mut(), select).join(" "), expect, "{select:?}");
    }
    assert_eq!(
        rows(other.as_mut(), Select::Stream(stream("table/3"), 3)),
        [(5, row("table/3", 3, "e", "E"))]
    );
}

fn keeps_every_column(place: &Place) {
    let streams = ["house", "cage", "table/0", "table/4294967295", "player/7", "case/12", "table/1"];
    let kept: Vec<Row> = Kind::ALL
        .into_iter()
        .zip(streams)
        .zip([0_u32, 1, 2, 255, 65_536, 2_147_483_646, 2_147_483_647])
        .map(|((kind, name), events_at)| Row {
            stream: stream(name),
            sequence: u64::from(events_at) * 1_000_000_000 + 1,
            id: CommandId::own(stream(name), u64::from(events_at)),
            kind,
            events_at,
            line: vec![u8::try_from(events_at % 256).unwrap(); 3],
        })
        .collect();
    let mut store = place.open();
    store.commit(1, &kept, &[]).unwrap();
    let found: Vec<Row> = rows(store.as_mut(), Select::After(0)).into_iter().map(|(_, row)| row).collect();
    assert_eq!(found, kept);
}

fn finds_commands(place: &Place) {
    let mut store = place.open();
    let own = CommandId::own(stream("table/1"), 2);
    let mut by_itself = row("table/1", 2, "x", "by itself");
    by_itself.id = own.clone();
    // The same id in another stream is another command.
    let given = [row("table/1", 1, "a", "one"), by_itself, row("table/2", 1, "a", "two")];
    store.commit(1, &given, &[]).unwrap();
    let mut find = |name: &str, id: &CommandId| store.find(stream(name), id).unwrap();
    let id = |text: &str| CommandId::new(text).unwrap();
    assert_eq!(find("table/1", &id("a")), Some(given[0].clone()));
    assert_eq!(find("table/1", &own), Some(given[1].clone()));
    assert_eq!(find("table/2", &id("a")), Some(given[2].clone()));
    for (name, other) in [("table/1", "A"), ("table/1", "b"), ("table/3", "a"), ("house", "a")] {
        assert_eq!(find(name, &id(other)), None, "{name} {other}");
    }
    let mut all = |name: &str, ids: &[CommandId]| {
        let found = store.find_all(stream(name), ids).unwrap();
        found.iter().map(|row| row.id.to_string()).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(all("table/1", &[own, id("b"), id("a")]), ["a", "table/1:2"]);
    assert_eq!(all("table/2", &[id("b"), id("a")]), ["a"]);
    assert_eq!(all("cage", &[id("a")]), [""; 0]);
    assert_eq!(all("table/1", &[]), [""; 0]);
}

/// A part of a register is read from either end, in the order of bytes.
fn reads_parts_of_registers(place: &Place) {
    let mut store = place.open();
    let put = |register, key: &str| Change::Put { register, key: key.to_string(), value: key.into() };
    let keys = ["1/1", "1/2", "1/3", "10/1", "B", "a", "\u{e4}"];
    let mut changes: Vec<Change> = keys.iter().map(|key| put("round", key)).collect();
    changes.push(put("other", "1/2"));
    store.commit(1, &[], &changes).unwrap();
    let mut read = |from: &str, below: &str, order, most| {
        let found = store.range("round", from..below, order, most).unwrap();
        assert!(found.iter().all(|(key, value)| key.as_bytes() == value));
        found.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
    };
    assert_eq!(read("1/", "1/~", Order::Rising, 10), ["1/1", "1/2", "1/3"]);
    assert_eq!(read("1/", "1/~", Order::Falling, 2), ["1/3", "1/2"]);
    assert_eq!(read("1/2", "1/3", Order::Rising, 10), ["1/2"]);
    assert_eq!(read("1/2", "1/2", Order::Rising, 10), [""; 0]);
    assert_eq!(read("1/3", "1/2", Order::Falling, 10), [""; 0]);
    assert_eq!(read("", "\u{10ffff}", Order::Falling, 4), ["\u{e4}", "a", "B", "10/1"]);
    assert_eq!(read("", "\u{10ffff}", Order::Rising, 0), [""; 0]);
}

/// All of it comes over into an empty store, and into no other.
fn is_copied_whole(place: &Place) {
    let mut store = place.open();
    let put = |register, key: &str| Change::Put { register, key: key.to_string(), value: key.into() };
    let rows: Vec<Row> = (1..=5_000).map(|at| row("house", at, &format!("c{at}"), "line")).collect();
    let changes: Vec<Change> = (0..5_000).map(|at| put("round", &format!("{at:05}"))).collect();
    store.commit(1, &rows, &changes).unwrap();
    store.commit(5_001, &[], &[put("person", "1")]).unwrap();
    let location = Location::memory();
    let mut copy = location.open().unwrap();
    let copied = copy::copy(store.as_mut(), copy.as_mut(), &mut |_| {}).unwrap();
    assert_eq!((copied.rows, copied.entries), (5_000, 5_001));
    drop(copy);
    let mut copy = location.open().unwrap();
    assert_eq!(crate::rows(copy.as_mut(), Select::After(0)), crate::rows(store.as_mut(), Select::After(0)));
    for register in ["round", "person"] {
        assert_eq!(copy.entries(register).unwrap(), store.entries(register).unwrap());
    }
    let again = copy::copy(store.as_mut(), copy.as_mut(), &mut |_| {});
    assert!(matches!(again, Err(StoreError::Taken(_))), "{again:?}");
    // And into a store of this kind, out of another.
    let mut empty = Location::memory().open().unwrap();
    let into = copy::copy(empty.as_mut(), store.as_mut(), &mut |_| {});
    assert!(matches!(into, Err(StoreError::Taken(_))), "{into:?}");
}

fn keeps_registers(place: &Place) {
    let mut store = place.open();
    assert_eq!(store.entries("person").unwrap(), []);
    assert_eq!(store.entry("person", "1").unwrap(), None);
    // Byte order is not the order of a dictionary: B before a, ä after z.
    let keys = ["a", "ä", "B", "10", "9", "", "z", "a b", "日"];
    let changes: Vec<Change> = keys.iter().map(|key| put("person", key, key.as_bytes())).collect();
    store.commit(1, &[], &changes).unwrap();
    store.commit(1, &[], &[put("token", "a", b"other")]).unwrap();
    let mut sorted = keys;
    sorted.sort_unstable();
    let mut other = place.open();
    let entries = other.entries("person").unwrap();
    assert_eq!(entries.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), sorted);
    assert!(entries.iter().all(|(key, value)| key.as_bytes() == value));

    store
        .commit(1, &[], &[put("person", "a", b""), delete("person", "9"), delete("person", "none")])
        .unwrap();
    assert_eq!(other.entry("person", "a").unwrap(), Some(Vec::new()));
    assert_eq!(other.entry("person", "9").unwrap(), None);
    assert_eq!(other.entries("person").unwrap().len(), keys.len() - 1);
    assert_eq!(other.entries("token").unwrap(), [("a".to_string(), b"other".to_vec())]);
    assert_eq!(other.entries("nobody").unwrap(), []);
    assert_eq!(store.end().unwrap(), 0);
}

fn applies_changes_in_their_order(place: &Place) {
    let mut store = place.open();
    store.commit(1, &[], &[put("r", "kept", b"1"), put("r", "gone", b"1")]).unwrap();
    let changes = [
        put("r", "twice", b"1"),
        put("r", "twice", b"2"),
        delete("r", "kept"),
        put("r", "kept", b"2"),
        put("r", "gone", b"2"),
        delete("r", "gone"),
        put("r", "never", b"1"),
        delete("r", "never"),
        put("s", "gone", b"3"),
    ];
    store.commit(1, &[], &changes).unwrap();
    let of = |key: &str, value: &[u8]| (key.to_string(), value.to_vec());
    assert_eq!(store.entries("r").unwrap(), [of("kept", b"2"), of("twice", b"2")]);
    assert_eq!(store.entries("s").unwrap(), [of("gone", b"3")]);
}

fn appends_all_or_nothing(place: &Place) {
    let mut store = place.open();
    let before = [row("table/1", 1, "a", "A"), row("table/1", 2, "b", "B")];
    store.commit(1, &before, &[put("r", "kept", b"1"), put("r", "other", b"1")]).unwrap();
    let (first, second) = (row("table/2", 1, "c", "C"), row("table/1", 3, "d", "D"));
    for (what, position, third) in [
        ("sequence", 3, row("table/1", 2, "e", "E")),
        ("command id", 3, row("table/1", 4, "a", "E")),
        ("position", 2, row("table/1", 4, "e", "E")),
        ("position before all", 1, row("table/1", 4, "e", "E")),
        ("sequence within", 3, row("table/1", 3, "e", "E")),
        ("command id within", 3, row("table/2", 2, "c", "E")),
    ] {
        let given = [first.clone(), second.clone(), third];
        let changes = [put("r", "kept", b"2"), delete("r", "other"), put("r", "new", b"2")];
        match store.commit(position, &given, &changes) {
            Err(StoreError::Taken(_)) => {}
            other => panic!("{what}: {other:?}"),
        }
        for mut seen in [place.open(), place.location.open_to_read().unwrap()] {
            assert_eq!(lines(seen.as_mut(), Select::After(0)), ["A", "B"], "{what}");
            assert_eq!(seen.end().unwrap(), 2, "{what}");
            assert_eq!(seen.find(stream("table/2"), &first.id).unwrap(), None, "{what}");
            let entries = seen.entries("r").unwrap();
            assert_eq!(entries.len(), 2, "{what}");
            assert!(entries.iter().all(|(_, value)| value == b"1"), "{what}: {entries:?}");
        }
    }
    // It is still of use.
    store.commit(3, &[first, second], &[put("r", "kept", b"2")]).unwrap();
    assert_eq!(lines(store.as_mut(), Select::After(0)), ["A", "B", "C", "D"]);
    assert_eq!(store.entry("r", "kept").unwrap(), Some(b"2".to_vec()));
}

fn keeps_odd_values(place: &Place) {
    let mut store = place.open();
    // Nothing at all is a commit.
    store.commit(1, &[], &[]).unwrap();
    assert_eq!(store.end().unwrap(), 0);
    let big = "ă".repeat(524_288);
    assert_eq!(big.len(), 1_048_576);
    let text = "Đặt cược “8♠” 莊家 🂡 \"\\\u{0}\n'; DROP TABLE journal; --";
    let given = [row("house", 1, "a", ""), row("house", 2, "b", text), row("house", 3, "c", &big)];
    let bytes: Vec<u8> = (0..=255).cycle().take(1_048_577).collect();
    let mut raw = row("house", 4, "d", "");
    raw.line.clone_from(&bytes);
    store
        .commit(1, &given, &[put("snapshot", text.trim_matches('\0').replace('\0', "").as_str(), &bytes)])
        .unwrap();
    store.commit(4, core::slice::from_ref(&raw), &[put("snapshot", "", b"")]).unwrap();
    let mut other = place.open();
    let found: Vec<Row> = rows(other.as_mut(), Select::After(0)).into_iter().map(|(_, row)| row).collect();
    assert_eq!(found, [given.as_slice(), &[raw]].concat());
    let entries = other.entries("snapshot").unwrap();
    assert_eq!(entries, [(String::new(), Vec::new()), (text.replace('\0', ""), bytes)]);
}

fn has_one_writer(place: &Place) {
    let mut first = place.open();
    first.lock().unwrap();
    let mut second = place.open();
    for _ in 0..2 {
        match second.lock() {
            Err(StoreError::InUse(name)) => assert!(!name.is_empty()),
            other => panic!("{other:?}"),
        }
    }
    // Reading needs no right.
    first.commit(1, &[row("house", 1, "a", "A")], &[]).unwrap();
    assert_eq!(second.end().unwrap(), 1);
    // One that asked in vain and went away takes nothing with it.
    drop(second);
    let mut third = place.open();
    assert!(matches!(third.lock(), Err(StoreError::InUse(_))));
    drop(first);
    // PostgreSQL ends a session a moment after its connection.
    for _ in 0..500 {
        if third.lock().is_ok() {
            third.commit(2, &[row("house", 2, "b", "B")], &[]).unwrap();
            return;
        }
        std::thread::sleep(core::time::Duration::from_millis(10));
    }
    panic!("still in use");
}

fn stops_when_told(place: &Place) {
    let mut store = place.open();
    let given: Vec<Row> = (1..=20_000).map(|at| row("table/1", at, &format!("c{at}"), "line")).collect();
    store.commit(1, &given, &[]).unwrap();
    for select in [Select::After(0), Select::Stream(stream("table/1"), 1)] {
        let mut seen = 0;
        store
            .rows(select, &mut |position, _| {
                seen += 1;
                if position == 3 { Flow::Break(()) } else { Flow::Continue(()) }
            })
            .unwrap();
        assert_eq!(seen, 3);
        // It is still of use.
        assert_eq!(store.end().unwrap(), 20_000);
    }
    store.commit(20_001, &[row("table/1", 20_001, "last", "line")], &[]).unwrap();
    assert_eq!(store.end().unwrap(), 20_001);
}

fn reads_more_than_it_fetches_at_once(place: &Place) {
    let mut store = place.open();
    // Around the sizes of the parts that stores fetch.
    for (end, step) in
        [(1_023, 1_023_u64), (1_024, 1), (1_025, 1), (4_095, 3_070), (4_096, 1), (4_097, 1), (8_192, 4_095)]
    {
        let given: Vec<Row> = (end - step + 1..=end)
            .map(|at| {
                row(if at % 2 == 0 { "table/1" } else { "table/2" }, at, &format!("c{at}"), &at.to_string())
            })
            .collect();
        store.commit(end - step + 1, &given, &[]).unwrap();
        let all: Vec<u64> =
            rows(store.as_mut(), Select::After(0)).iter().map(|(position, _)| *position).collect();
        assert!(all.iter().copied().eq(1..=end), "{end}");
        let even: Vec<u64> = rows(store.as_mut(), Select::Stream(stream("table/1"), 1))
            .iter()
            .map(|(_, row)| row.sequence)
            .collect();
        assert!(even.iter().copied().eq((2..=end).step_by(2)), "{end}");
    }
}

fn shows_readers_a_whole_prefix(place: &Place) {
    const COMMITS: u64 = 150;
    const ROWS: u64 = 7;
    drop(place.open());
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for select in [Select::After(0), Select::Stream(stream("table/1"), 1)] {
            let (mut reader, is_over) = (place.location.open_to_read().unwrap(), &is_over);
            scope.spawn(move || {
                let mut before = 0;
                loop {
                    let last = is_over.load(Ordering::SeqCst);
                    // What a register says was committed before the rows are read.
                    let known = reader
                        .entry("r", "end")
                        .unwrap()
                        .map_or(0, |end| String::from_utf8(end).unwrap().parse().unwrap());
                    let found = rows(reader.as_mut(), select);
                    let count = u64::try_from(found.len()).unwrap();
                    assert!(found.iter().map(|(position, _)| *position).eq(1..=count));
                    assert!(found.iter().map(|(_, row)| row.sequence).eq(1..=count));
                    assert_eq!(count % ROWS, 0, "part of a commit is seen");
                    assert!(count >= known && count >= before);
                    before = count;
                    if last {
                        assert_eq!(count, COMMITS * ROWS);
                        return;
                    }
                }
            });
        }
        let mut writer = place.open();
        for commit in 0..COMMITS {
            let given: Vec<Row> = (1..=ROWS)
                .map(|at| commit * ROWS + at)
                .map(|at| row("table/1", at, &format!("c{at}"), &"x".repeat(700)))
                .collect();
            let end = (commit + 1) * ROWS;
            writer.commit(commit * ROWS + 1, &given, &[put("r", "end", end.to_string().as_bytes())]).unwrap();
        }
        is_over.store(true, Ordering::SeqCst);
    });
}

fn can_be_opened_by_many_at_once(place: &Place) {
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut store = place.location.open().unwrap();
                assert_eq!(store.end().unwrap(), 0);
            });
        }
    });
    place.open().commit(1, &[row("house", 1, "a", "A")], &[]).unwrap();
}

fn is_not_made_by_a_reader(place: &Place) {
    match place.location.open_to_read() {
        Err(StoreError::Database(what)) => assert!(!what.is_empty()),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("there was nothing to open"),
    }
    assert_eq!(place.things(), [""; 0]);
}

fn is_not_changed_by_a_reader(place: &Place) {
    place.open().commit(1, &[row("house", 1, "a", "A")], &[put("r", "k", b"1")]).unwrap();
    let mut reader = place.location.open_to_read().unwrap();
    assert!(reader.commit(2, &[row("house", 2, "b", "B")], &[]).is_err());
    assert!(reader.commit(2, &[], &[put("r", "k", b"2")]).is_err());
    assert_eq!(reader.entry("r", "k").unwrap(), Some(b"1".to_vec()));
    assert_eq!(lines(reader.as_mut(), Select::After(0)), ["A"]);
}

fn refuses_a_later_layout(place: &Place) {
    drop(place.open());
    let later = match place.location {
        Location::Postgres(_) => "UPDATE croupier_layout SET layout = 99",
        Location::Sqlite(_) | Location::Memory(_) => "PRAGMA user_version = 99",
    };
    place.sql(later).unwrap().unwrap();
    for opened in [place.location.open(), place.location.open_to_read()] {
        match opened {
            Err(StoreError::TooNew { found: 99, known: 1 | 4 }) => {}
            Err(other) => panic!("{other:?}"),
            Ok(_) => panic!("it was opened"),
        }
    }
}

fn is_append_only(place: &Place) {
    let mut store = place.open();
    store.commit(1, &[row("house", 1, "a", "A"), row("house", 2, "b", "B")], &[]).unwrap();
    let mut refused =
        vec!["UPDATE journal SET kind = 1", "DELETE FROM journal WHERE position = 2", "DELETE FROM journal"];
    if let Location::Postgres(_) = place.location {
        refused.push("TRUNCATE journal");
    }
    for text in refused {
        let said = place.sql(text).unwrap();
        assert!(said.as_ref().is_err_and(|what| what.contains("append-only")), "{text}: {said:?}");
    }
    assert_eq!(lines(store.as_mut(), Select::After(0)), ["A", "B"]);
}

fn names_damaged_rows(place: &Place) {
    let mut store = place.open();
    store.commit(1, &[row("house", 1, "a", "A")], &[]).unwrap();
    for (position, columns) in [
        (2, "'nowhere', 1, 'b', 2, 0"),
        (3, "'house', -1, 'b', 2, 0"),
        (4, "'house', 2, 'not an id', 2, 0"),
        (5, "'house', 3, 'd', 99, 0"),
        (6, "'house', 4, 'e', 2, -1"),
    ] {
        place
            .sql(
                &format!("INSERT INTO journal VALUES ({position}, {columns}, '')").replace(
                    "'')",
                    if matches!(place.location, Location::Postgres(_)) { "'')" } else { "x'')" },
                ),
            )
            .unwrap()
            .unwrap();
        match store.rows(Select::After(position - 1), &mut |_, _| Flow::Continue(())) {
            Err(StoreError::Damaged { position: at, what }) => {
                assert_eq!(at, position);
                assert!(!what.is_empty());
            }
            other => panic!("{columns}: {other:?}"),
        }
        // It is still of use.
        assert_eq!(store.end().unwrap(), position);
    }
}

fn is_there_after_a_restart(place: &Place) {
    for at in 1..=5 {
        let mut store = place.open();
        assert_eq!(store.end().unwrap(), at - 1);
        store.commit(at, &[row("house", at, &format!("c{at}"), &at.to_string())], &[]).unwrap();
    }
    assert_eq!(lines(place.open().as_mut(), Select::After(0)), ["1", "2", "3", "4", "5"]);
}

/// What is printed of an address holds no password.
#[test]
fn a_location_shows_no_password() {
    for (given, shown) in [
        ("journal.db", "journal.db"),
        ("sqlite:journal.db", "journal.db"),
        ("postgresql://pit@db/floor", "postgresql://…@db/floor"),
        ("postgres://pit:se@cret@db:5432/floor", "postgres://…@db:5432/floor"),
        ("postgresql://db/floor?user=pit&password=secret", "postgresql://db/floor"),
        (
            "postgresql:///floor?host=/run/db&password=secret&port=5433",
            "postgresql:///floor?host=/run/db&port=5433",
        ),
    ] {
        let location: Location = given.parse().unwrap();
        assert_eq!(location.to_string(), shown);
    }
}
