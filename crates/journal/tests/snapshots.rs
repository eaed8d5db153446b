//! Snapshots: sealed, with their form, and the newest that is of use.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what went wrong by failing")]

use croupier_journal::snapshot::{self, NotUsed};
use croupier_journal::{Change, Keys, Location, Stream};
use croupier_ledger::TableId;

const STREAM: Stream = Stream::Table(TableId(3));

fn value(change: Option<Change>) -> Vec<u8> {
    match change {
        Some(Change::Put { value, .. }) => value,
        other => panic!("{other:?}"),
    }
}

/// A snapshot as another version would have written it.
fn sealed(keys: &Keys, name: &str, content: &str) -> Vec<u8> {
    keys.seal(&format!("snapshot {name}"), content.as_bytes()).unwrap()
}

#[test]
fn one_is_read_as_it_was_written_and_only_by_its_name_and_key() {
    let (keys, others) = (Keys::fresh().unwrap(), Keys::fresh().unwrap());
    let stored = value(snapshot::put(&keys, "bank", &vec![1_u64, 2]));
    assert_eq!(snapshot::read(&keys, "bank", &stored), Ok(vec![1_u64, 2]));
    assert_eq!(snapshot::read::<Vec<u64>>(&keys, "bank/1", &stored), Err(NotUsed::NotSealed));
    assert_eq!(snapshot::read::<Vec<u64>>(&others, "bank", &stored), Err(NotUsed::NotSealed));
    assert!(matches!(snapshot::read::<String>(&keys, "bank", &stored), Err(NotUsed::Form(_))));
}

#[test]
fn the_first_form_is_read_and_a_later_one_is_named() {
    let keys = Keys::fresh().unwrap();
    let read = |content: &str| snapshot::read::<Vec<u64>>(&keys, "bank", &sealed(&keys, "bank", content));
    assert_eq!(read("[7]"), Ok(vec![7]));
    assert_eq!(read(r#"{"version":1,"engine":"0.1.0","state":[7]}"#), Ok(vec![7]));
    let other = |version| Err(NotUsed::OtherVersion { version, engine: "9.0.0".to_string() });
    for version in [0, 2] {
        let content = format!(r#"{{"version":{version},"engine":"9.0.0","state":[7]}}"#);
        assert_eq!(read(&content), other(version));
    }
}

#[test]
fn the_newest_that_is_of_use_is_taken_and_the_others_are_named() {
    let keys = Keys::fresh().unwrap();
    let mut store = Location::memory().open().unwrap();
    let put = |sequence: u64, content: Option<&str>| {
        let name = snapshot::kept_as(STREAM, sequence);
        let whole = snapshot::put(&keys, &name, &sequence);
        let value = content.map_or_else(|| value(whole), |content| sealed(&keys, &name, content));
        Change::Put { register: snapshot::REGISTER, key: name, value }
    };
    // Of another table, though its name begins alike.
    let name = snapshot::kept_as(Stream::Table(TableId(30)), 95);
    let other = snapshot::put(&keys, &name, &95_u64).unwrap();
    let later = r#"{"version":2,"engine":"9.0.0","state":90}"#;
    let changes =
        [put(9, None), put(10, None), put(70, None), put(80, Some("\"x\"")), put(90, Some(later)), other];
    store.commit(1, &[], &changes).unwrap();
    let mut newest = |below: u64| {
        let mut passed_over = Vec::new();
        let mut fits = |state: u64| if state == 70 { Err("is of no use".to_string()) } else { Ok(state) };
        let found = snapshot::newest(store.as_mut(), &keys, STREAM, below, &mut fits, &mut |name, _| {
            passed_over.push(name.split('@').nth(1).unwrap().parse::<u64>().unwrap());
        });
        (found.unwrap(), passed_over)
    };
    assert_eq!(newest(u64::MAX), (Some(10), vec![90, 80, 70]));
    assert_eq!(newest(80), (Some(10), vec![70]));
    assert_eq!(newest(11), (Some(10), vec![]));
    assert_eq!(newest(10), (Some(9), vec![]));
    assert_eq!(newest(9), (None, vec![]));
}
