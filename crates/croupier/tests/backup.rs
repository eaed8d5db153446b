//! `croupier backup` and `croupier restore`, on data of an earlier version and on a floor that runs.

#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use std::path::Path;
use std::process::{Command, Output};

use croupier_server::{App, Config};
use croupier_testkit::floor::House;
use croupier_testkit::postgres::database;
use croupier_testkit::tempdir;

/// A data folder that 0.1.0 wrote.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/tests/data/floor-0.1.0");

fn croupier(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier")).args(arguments).output().unwrap()
}

/// What it prints, where it succeeds.
fn said(arguments: &[&str]) -> String {
    let output = croupier(arguments);
    let (said, why) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {said}{why}");
    said.into_owned()
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The tables of a journal with the fingerprints of their states.
fn tables(journal: &str) -> String {
    let output = croupier(&["verify", journal, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    format!("{} {}", report["rows"], report["tables"])
}

#[test]
fn a_floor_comes_back_as_it_was_in_a_database_of_either_kind() {
    let folder = tempdir().unwrap();
    let (backup, data, other) =
        (folder.path().join("backup"), folder.path().join("data"), folder.path().join("other"));
    // The original stays as it is: it is only read.
    let golden = folder.path().join("golden");
    copy_folder(Path::new(GOLDEN), &golden);
    let before = tables(name(&golden));
    assert!(said(&["backup", "--data", name(&golden), "--out", name(&backup)]).contains("checked"));
    assert_eq!(tables(name(&backup)), before);
    said(&["restore", name(&backup), "--data", name(&data)]);
    assert_eq!(tables(name(&data)), before);
    let database = database().unwrap();
    let url = database.url();
    said(&["restore", name(&backup), "--data", name(&other), "--database", &url]);
    assert_eq!(tables(&url), before);
    // And back again, out of PostgreSQL.
    let again = folder.path().join("again");
    said(&["backup", "--data", name(&other), "--database", &url, "--out", name(&again)]);
    assert_eq!(tables(name(&again)), before);
    // Nothing is written over.
    let onto = [
        &["backup", "--data", name(&golden), "--out", name(&backup)][..],
        &["restore", name(&backup), "--data", name(&data)][..],
    ];
    for arguments in onto {
        let refused = croupier(arguments);
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("not empty"));
    }
    let third = folder.path().join("third");
    let refused = croupier(&["restore", name(&backup), "--data", name(&third), "--database", &url]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("nothing should be"));
}

#[test]
fn a_backup_that_is_not_whole_is_not_restored() {
    let folder = tempdir().unwrap();
    let (backup, data) = (folder.path().join("backup"), folder.path().join("data"));
    copy_folder(Path::new(GOLDEN), &backup);
    // Signed once more than there are lines for.
    let checkpoints = backup.join("checkpoints.jsonl");
    let text = std::fs::read_to_string(&checkpoints).unwrap();
    std::fs::write(&checkpoints, text.replacen("\"position\":", "\"position\":9", 1)).unwrap();
    let refused = croupier(&["restore", name(&backup), "--data", name(&data)]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is not whole"));
    assert!(!data.exists());
}

#[test]
fn a_floor_that_runs_is_copied_and_the_copy_starts() {
    let folder = tempdir().unwrap();
    let (data, backup, restored) =
        (folder.path().join("data"), folder.path().join("backup"), folder.path().join("restored"));
    let binary = Path::new(env!("CARGO_BIN_EXE_croupier"));
    let house = House::start(binary, &data, &[]).unwrap();
    house.furnish(1, 2).unwrap();
    said(&["backup", "--data", name(&data), "--out", name(&backup)]);
    drop(house);
    said(&["restore", name(&backup), "--data", name(&restored)]);
    let config = Config { data: restored.clone(), ..Config::default() };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let app = App::start(config, None).await.unwrap();
        assert!(app.was_killed && app.floor.tables().len() == 1);
        app.floor.stop().await.unwrap();
    });
    assert!(croupier(&["verify", name(&restored)]).status.success());
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}
