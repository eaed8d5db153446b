//! Lines and their chain: the bytes as they are stored, hashes, and reading them back.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use croupier_journal::deed::{CageMove, Denied};
use croupier_journal::envelope::Happened;
use croupier_journal::{Bank, By, CommandId, Deed, Envelope, Hash, Head, Kind, Row, Stream};
use croupier_ledger::{Amount, PlayerId, RoundId, TableId};
use croupier_table::{Action, Event, Fact, PersonId};
use sha2::{Digest as _, Sha256};

fn stream(name: &str) -> Stream {
    name.parse().unwrap()
}

fn append(head: &mut Head, name: &str, id: &str, by: By, deed: &Deed, events: Happened<'_>) -> Row {
    let id = CommandId::new(id).unwrap();
    let at = 1_763_218_800_123;
    head.append(stream(name), &Envelope { id, at, by, via: None, deed, postings: &[], closes: None, events })
}

fn noted(note: &str) -> Deed {
    let amount = Amount::new(250_000).unwrap();
    Deed::Deposit(CageMove { player: PlayerId(7), amount, witness: None, note: note.to_string() })
}

/// The digits of SHA-256, without our own code.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn lines_are_these_bytes() {
    let mut head = Head::START;
    let cashier = By::Person(PersonId(4));
    let (id, deed) = (CommandId::new("0f9c").unwrap(), noted("receipt 12"));
    let envelope = Envelope::plain(id, 1_763_218_800_123, cashier.into(), &deed);
    let first = head.append_by("0.1.0", stream("cage"), &envelope);
    let expect = format!(
        "{{\"stream\":\"cage\",\"sequence\":1,\"previous\":\"{ZEROS}\",\"id\":\"0f9c\",\"at\":1763218800123,\
         \"engine\":\"0.1.0\",\"by\":{{\"person\":4}},\"deed\":{{\"deposit\":{{\"player\":7,\"amount\":250000,\"note\":\"receipt 12\"}}}},\
         \"events\":[]}}"
    );
    assert_eq!(core::str::from_utf8(&first.line).unwrap(), expect);
    // Computed with `sha256sum`.
    assert_eq!(head.hash.to_string(), "a0229aaf8a31ee094cc474b8313ecbb5788794a655937178a7dc3030578c4bb4");
    assert_eq!(head, Head { sequence: 1, hash: Hash::of(&first.line) });
    assert_eq!(head, first.head());
    let after = &first.line[usize::try_from(first.events_at).unwrap()..];
    assert_eq!(after, b"[]}");
}

#[test]
fn a_line_names_the_hash_of_the_one_before_it() {
    let mut head = Head::START;
    let mut previous = ZEROS.to_string();
    for at in 1..=5_u64 {
        let row = append(&mut head, "house", &format!("c{at}"), By::System, &Deed::Stop, Happened::Nothing);
        let record = row.record().unwrap();
        assert_eq!((record.sequence, record.previous.to_string()), (at, previous));
        previous = sha256(&row.line);
        assert_eq!(head.hash.to_string(), previous);
    }
}

#[test]
fn a_row_comes_back_from_its_line() {
    let events = [
        Event { fact: Fact::Seated { player: PlayerId(7), seat: 3 }, cites: Vec::new() },
        Event { fact: Fact::BetsOpened { round: 9 }, cites: Vec::new() },
    ];
    let deed = Deed::Table(Action::Sit { player: PlayerId(7), seat: 3 });
    let mut head = Head { sequence: 811, hash: Hash::of(b"line 811") };
    let id = CommandId::own(stream("table/3"), 812);
    let envelope = Envelope {
        id: id.clone(),
        at: 5,
        by: By::Player(PlayerId(7)),
        via: None,
        deed: &deed,
        postings: &[],
        closes: Some(RoundId(8)),
        events: Happened::Table(&events),
    };
    let row = head.append(Stream::Table(TableId(3)), &envelope);
    assert_eq!((row.sequence, row.kind, &row.id), (812, Kind::Table, &id));
    assert_eq!(Row::from_line(row.line.clone()).unwrap(), row);
    assert_eq!(row.table_events().unwrap(), events);
    let record = row.record().unwrap();
    assert_eq!((record.stream, record.sequence, &record.id), (Stream::Table(TableId(3)), 812, &id));
    assert_eq!((record.previous, record.at), (Hash::of(b"line 811"), 5));
    assert_eq!((record.by, &record.deed, record.closes), (By::Player(PlayerId(7)), &deed, Some(RoundId(8))));
    assert_eq!(record.postings, []);
}

#[test]
fn what_people_write_does_not_confuse_the_line() {
    let long = "\"},".repeat(2_000);
    for note in [
        ",\"events\":[1,2]",
        "\\\",\\\"events\\\":[]",
        "\"},\"events\":[{\"fact\":\"shoe-ended\"}]}",
        "Đặt cược “8♠” \u{0}\u{1f}\u{7f}\u{2028} 莊家 🂡\r\n\t",
        "\\",
        "\\u0022",
        "",
        &long,
    ] {
        let deeds = [
            noted(note),
            Deed::Denied(Denied {
                more: 0,
                what: note.to_string(),
                stream: Some(Stream::Cage),
                code: ",\"events\":".to_string(),
                cites: Vec::new(),
            }),
            Deed::Rulebook { hash: Hash::of(note.as_bytes()), text: note.to_string() },
        ];
        for deed in deeds {
            let mut head = Head::START;
            let row = append(&mut head, "house", "a", By::System, &deed, Happened::Nothing);
            assert_eq!(row.record().unwrap().deed, deed);
            assert_eq!(Row::from_line(row.line.clone()).unwrap(), row, "{note}");
            assert_eq!(row.table_events().unwrap(), []);
            assert!(
                !row.line.contains(&b'\n') && !row.line.contains(&b'\r'),
                "an export has a line for a line"
            );
        }
    }
}

#[test]
fn what_is_no_line_is_refused() {
    let mut head = Head::START;
    let row = append(&mut head, "house", "a", By::System, &Deed::Stop, Happened::Nothing);
    let text = String::from_utf8(row.line).unwrap();
    let bad = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        assert!(Row::from_line(changed.clone().into_bytes()).is_err(), "{changed}");
    };
    bad("\"house\"", "\"nowhere\"");
    bad("\"house\"", "\"table/03\"");
    bad("\"sequence\":1", "\"sequence\":-1");
    bad("\"sequence\":1", "\"sequence\":1.5");
    bad("\"sequence\":1,", "");
    bad("\"sequence\":1,", "\"sequence\":1,\"sequence\":1,");
    bad(ZEROS, &ZEROS[1..]);
    bad("\"id\":\"a\"", "\"id\":\"a b\"");
    bad("\"id\":\"a\"", "\"id\":\"\"");
    bad("\"by\":\"system\"", "\"by\":\"nobody\"");
    bad("\"deed\":\"stop\"", "\"deed\":\"go\"");
    bad("\"at\":", "\"more\":1,\"at\":");
    bad(",\"events\":[]", "");
    bad("}", "");
    bad("}", "}}");
}

#[test]
fn the_bank_follows_the_chain_only() {
    let mut head = Head::START;
    let rows: Vec<Row> = ["a", "b", "c"]
        .map(|id| append(&mut head, "house", id, By::System, &Deed::Stop, Happened::Nothing))
        .to_vec();
    let follow = |rows: &[Row]| -> Result<(), String> {
        let mut bank = Bank::default();
        for (position, row) in (1..).zip(rows) {
            bank.follow(position, row).map_err(|bad| bad.to_string())?;
        }
        assert_eq!(bank.heads.get(&Stream::House), rows.last().map(Row::head).as_ref());
        Ok(())
    };
    let [one, two, three] = [0, 1, 2].map(|at| rows[at].clone());
    assert_eq!(follow(&rows), Ok(()));
    assert!(follow(&[two.clone(), three.clone()]).is_err(), "the first is missing");
    assert!(follow(&[one.clone(), three.clone()]).is_err(), "one is left out");
    assert!(follow(&[one.clone(), three.clone(), two.clone()]).is_err(), "moved");
    assert!(follow(&[one.clone(), one.clone()]).is_err(), "twice");
    // Another time in the first line, and the second no longer follows it.
    let text = String::from_utf8(one.line.clone()).unwrap().replace("1763218800123", "1763218800124");
    let changed = Row::from_line(text.into_bytes()).unwrap();
    assert!(follow(&[changed, two.clone()]).is_err(), "changed");
    let misfiled = Row { id: CommandId::new("z").unwrap(), ..one.clone() };
    assert!(follow(&[misfiled]).is_err(), "another id than the line says");
    let misfiled = Row { kind: Kind::Cage, ..one };
    assert!(follow(&[misfiled]).is_err(), "another kind than the line says");
}

#[test]
fn ids_of_commands_have_rules() {
    for (text, is_id) in [
        ("", false),
        ("a", true),
        (&"a".repeat(63), true),
        (&"a".repeat(64), true),
        (&"a".repeat(65), false),
        ("0f9c2d3e-8a1b-4c5d-9e6f-7a8b9c0d1e2f", true),
        ("A_z-09", true),
        ("a b", false),
        ("a:1", false),
        ("table/3:1", false),
        ("é", false),
        ("a\"", false),
        ("a\n", false),
    ] {
        assert_eq!(CommandId::new(text).is_ok(), is_id, "{text:?}");
    }
    // Own ids are read from journals, and only those of streams.
    let read = |text: &str| serde_json::from_value::<CommandId>(text.into());
    assert_eq!(read("table/3:12").unwrap(), CommandId::own(stream("table/3"), 12));
    assert_eq!(read("0f9c").unwrap(), CommandId::new("0f9c").unwrap());
    for text in [
        "",
        "table/3:",
        "table/3:x",
        "table/3:1:2",
        "nowhere:1",
        ":1",
        "table/3:-1",
        "table/3:18446744073709551616",
        &"a".repeat(65),
    ] {
        assert!(read(text).is_err(), "{text:?}");
    }
}

#[test]
fn streams_have_one_name_each() {
    for name in ["house", "cage", "table/0", "table/3", "table/4294967295", "player/7", "case/12"] {
        assert_eq!(stream(name).to_string(), name);
        let json = serde_json::to_string(&stream(name)).unwrap();
        assert_eq!(json, format!("\"{name}\""));
        assert_eq!(serde_json::from_str::<Stream>(&json).unwrap(), stream(name));
    }
    for name in [
        "",
        "House",
        " house",
        "house/",
        "house/1",
        "cage/0",
        "table",
        "table/",
        "table/03",
        "table/00",
        "table/+3",
        "table/-1",
        "table/4294967296",
        "table/3/",
        "table/3 ",
        "table/x",
        "tables/3",
        "player/",
        "/3",
    ] {
        assert!(name.parse::<Stream>().is_err(), "{name:?}");
    }
}
