//! The same on disk: a database that somebody has changed, an export, and a journal of an earlier version.

use std::path::{Path, PathBuf};

use croupier_journal::export::{Selection, export, round};
use croupier_journal::store::Sqlite;
use croupier_journal::verify::{Against, Trouble, verify};
use croupier_journal::{Source, Store};
use croupier_ledger::TableId;
use croupier_rounds::{RoundFile, run};
use croupier_rules::Library;
use rusqlite::Connection;

use crate::floor::Floor;
use crate::{BACCARAT, NIU_NIU, check, played};

/// A folder of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("croupier-verify-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn database(folder: &Path) -> PathBuf {
    let path = folder.join("croupier.sqlite");
    let mut store = Sqlite::open(&path).unwrap();
    store.commit(1, &played().rows, &[]).unwrap();
    std::fs::write(folder.join("checkpoints.jsonl"), &played().checkpoints).unwrap();
    path
}

/// What is found in a folder of data.
fn found(folder: &Path) -> String {
    let mut source = Source::open(folder.to_str().unwrap()).unwrap();
    let checkpoints = source.checkpoints.clone().unwrap();
    let against = Against { checkpoints: Some(&checkpoints), trusted: Some(played().keys.public()) };
    match verify(&mut *source.store, against, &mut |_| {}) {
        Ok(_) => String::new(),
        Err(trouble) => trouble.to_string(),
    }
}

#[test]
fn a_database_that_somebody_changed() {
    for (what, change, position) in [
        ("nothing", "SELECT 1", None),
        (
            "a line",
            "UPDATE journal SET line = replace(line, 'receipt 7', 'receipt 8') WHERE position = 2",
            Some(4),
        ),
        ("a row left out", "DELETE FROM journal WHERE position = 100", Some(100)),
        ("the end", "DELETE FROM journal WHERE position > 200", Some(201)),
        ("a column", "UPDATE journal SET command = 'x' WHERE position = 50", Some(50)),
        ("a stream that is none", "UPDATE journal SET stream = 'x' WHERE position = 50", Some(50)),
        ("a kind that is none", "UPDATE journal SET kind = 99 WHERE position = 50", Some(50)),
        ("a place below zero", "UPDATE journal SET events_at = -1 WHERE position = 50", Some(50)),
        (
            "two rows the other way round",
            "UPDATE journal SET position = -60 WHERE position = 60;
             UPDATE journal SET position = 60 WHERE position = 61;
             UPDATE journal SET position = 61 WHERE position = -60",
            Some(60),
        ),
    ] {
        let folder = Folder::new("database");
        let path = database(&folder.0);
        let connection = Connection::open(path).unwrap();
        let guarded = connection.execute_batch(change);
        assert!(guarded.is_err() || what == "nothing", "{what}: the database lets it happen");
        let drop = "DROP TRIGGER journal_is_not_changed; DROP TRIGGER journal_is_not_deleted;";
        connection.execute_batch(drop).unwrap();
        // A blob stays a blob.
        let change = change.replace("replace(line, ", "CAST(replace(CAST(line AS TEXT), ");
        let change = change.replace("'receipt 8')", "'receipt 8') AS BLOB)");
        connection.execute_batch(&change).unwrap();
        drop_connection(connection);
        let finding = found(&folder.0);
        match position {
            None => assert_eq!(finding, "", "{what}"),
            Some(position) => {
                let near = [position, position + 1].map(|position: i64| format!("position {position}"));
                assert!(near.iter().any(|near| finding.contains(near)), "{what}: {finding}");
            }
        }
    }
}

fn drop_connection(connection: Connection) {
    connection.close().unwrap();
}

#[test]
fn an_export_is_verified_without_a_database() {
    let data = Folder::new("data");
    database(&data.0);
    let out = Folder::new("export");
    let mut source = Source::open(data.0.to_str().unwrap()).unwrap();
    let exported =
        export(&mut *source.store, source.checkpoints.as_deref(), Selection::default(), &out.0).unwrap();
    assert_eq!(usize::try_from(exported.rows).unwrap(), played().rows.len());
    assert_eq!(found(&out.0), "");
    // Line by line as it is stored.
    let text = std::fs::read(out.0.join("journal.jsonl")).unwrap();
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    assert!(lines.iter().zip(&played().rows).all(|(line, row)| *line == row.line.as_slice()));
    // Nothing is written over.
    let again = export(&mut *source.store, None, Selection::default(), &out.0);
    assert!(again.unwrap_err().to_string().contains("another folder"));
    // A line cut short, and one changed.
    std::fs::write(out.0.join("journal.jsonl"), &text[..text.len() - 5]).unwrap();
    assert!(found(&out.0).contains("not whole"));
    let changed = String::from_utf8(text).unwrap().replacen("receipt 7", "receipt 8", 1);
    std::fs::write(out.0.join("journal.jsonl"), changed).unwrap();
    assert!(found(&out.0).starts_with("cage 2: does not name the hash of cage 1"), "{}", found(&out.0));
}

#[test]
fn every_round_file_of_an_export_runs() {
    let data = Folder::new("rounds-data");
    database(&data.0);
    let out = Folder::new("rounds");
    let mut source = Source::open(data.0.to_str().unwrap()).unwrap();
    let exported = export(&mut *source.store, None, Selection::default(), &out.0).unwrap();
    let library = Library::standard();
    let mut files = 0;
    let mut folders = vec![out.0.join("rounds")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let file =
                RoundFile::parse(&text).unwrap_or_else(|faults| panic!("{}: {faults:?}", path.display()));
            let report = run(&library, &file);
            let failures: Vec<_> = report.failures().collect();
            assert!(report.passed(), "{}: {:?} {failures:?}\n{text}", path.display(), report.errors);
            files += 1;
        }
    }
    assert_eq!(files, exported.rounds);
    assert!(files > 40, "{files}");
    // One round by itself.
    let one = round(&mut *source.store, TableId(1), 3).unwrap();
    let path = out.0.join("rounds/table-1/shoe-1/round-000003.round");
    assert_eq!(one, std::fs::read_to_string(path).unwrap());
    assert!(round(&mut *source.store, TableId(1), 9999).unwrap_err().to_string().contains("round 9999"));
}

#[test]
fn a_part_of_the_journal() {
    let data = Folder::new("part-data");
    database(&data.0);
    let mut source = Source::open(data.0.to_str().unwrap()).unwrap();
    for (name, selection, least) in [
        ("table", Selection { table: Some(TableId(1)), ..Selection::default() }, 300),
        ("shoe", Selection { table: Some(TableId(1)), shoe: Some(1), round: None }, 50),
        ("round", Selection { table: Some(TableId(1)), shoe: None, round: Some(2) }, 5),
    ] {
        let out = Folder::new(name);
        let exported = export(&mut *source.store, source.checkpoints.as_deref(), selection, &out.0).unwrap();
        assert!(exported.rows >= least && exported.rounds >= 1, "{name}: {exported:?}");
        let text = std::fs::read_to_string(out.0.join("table-1.jsonl")).unwrap();
        assert_eq!(u64::try_from(text.lines().count()).unwrap(), exported.rows);
        assert!(text.lines().all(|line| line.starts_with("{\"stream\":\"table/1\"")));
        assert!(!out.0.join("checkpoints.jsonl").exists());
        assert_eq!(name == "shoe", text.matches("reveal-shoe").count() == 1 && name != "table", "{name}");
    }
}

fn golden(number: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/golden-{number}"))
}

/// A journal of the first form. Every later version must read it, derive every payout again and come to the same state;
/// only where a table has come to remember more are the fingerprints others.
#[test]
fn golden_journal_1() {
    is_read_as_ever(1);
}

/// A journal of the second form: lines name their engine and by what session or token people acted, registers are sealed,
/// and checkpoints have a rolling hash.
#[test]
fn golden_journal_2() {
    is_read_as_ever(2);
    let text = |name: &str| std::fs::read_to_string(golden(2).join(name)).unwrap();
    let journal = text("journal.jsonl");
    for member in ["\"engine\":", "\"via\":{\"session\":", "\"via\":{\"token\":", "\"sealed\":"] {
        assert!(journal.contains(member), "{member}");
    }
    let checkpoints = text("checkpoints.jsonl");
    assert!(checkpoints.lines().all(|line| line.contains("\"lines\":") && !line.contains("\"heads\":")));
}

/// A golden journal of each form that was written: none is without a test that reads it.
#[test]
fn every_golden_journal_is_read() {
    assert_eq!((1..).find(|number| !golden(*number).exists()), Some(3));
}

fn is_read_as_ever(number: u32) {
    let mut source = Source::open(golden(number).to_str().unwrap()).unwrap();
    let checkpoints = source.checkpoints.clone();
    let against = Against { checkpoints: checkpoints.as_deref(), trusted: None };
    let summary = match verify(&mut *source.store, against, &mut |_| {}) {
        Ok(summary) => summary,
        Err(Trouble::Found(finding)) => panic!("{finding}"),
        Err(Trouble::Store(error)) => panic!("{error}"),
    };
    let expected = std::fs::read_to_string(golden(number).join("summary.json")).unwrap();
    let found: serde_json::Value = serde_json::to_value(&summary).unwrap();
    assert_eq!(found, serde_json::from_str::<serde_json::Value>(&expected).unwrap());
}

/// Makes a new golden journal when asked by `CROUPIER_GOLDEN=1`; the earlier ones are kept.
#[test]
fn a_golden_journal_is_made_when_asked_for() {
    if std::env::var_os("CROUPIER_GOLDEN").is_none() {
        return;
    }
    let number = (1..).find(|number| !golden(*number).exists()).unwrap();
    let mut floor = Floor::open(&[BACCARAT, NIU_NIU]);
    floor.play(TableId(1), 4);
    floor.checkpoint();
    floor.play(TableId(2), 2);
    floor.dispute(1, TableId(1), croupier_table::case::Through::Cage);
    floor.checkpoint();
    let summary = check(&mut crate::raw::Raw::of(floor.rows.clone()), &floor, true).unwrap();
    let folder = golden(number);
    let mut raw = crate::raw::Raw::of(floor.rows.clone());
    export(&mut raw, Some(&floor.checkpoints), Selection::default(), &folder).unwrap();
    let mut summary = summary;
    summary
        .warnings
        .push("no key was given to trust: the first checkpoint was checked with the key it names".into());
    summary.warnings.rotate_right(1);
    std::fs::write(folder.join("summary.json"), serde_json::to_string_pretty(&summary).unwrap() + "\n")
        .unwrap();
}

#[test]
fn what_is_no_journal_is_said_so() {
    let folder = Folder::new("nothing");
    let said = |name: &str| Source::open(name).err().unwrap().to_string();
    assert!(said(folder.0.to_str().unwrap()).contains("neither croupier.sqlite nor journal.jsonl"));
    assert!(said("/no/such/path").contains("no such file or folder"));
}
