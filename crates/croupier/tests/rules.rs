//! `croupier rules` as its users run it.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use std::path::PathBuf;

use common::croupier;
use serde_json::Value;

#[test]
fn list_names_the_seven_games() {
    let ran = croupier(&["rules", "list", "--format", "json"], "");
    assert_eq!(ran.code, Some(0));
    let list: Value = serde_json::from_str(&ran.out).unwrap();
    let games: Vec<&str> =
        list["games"].as_array().unwrap().iter().map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!(
        games,
        [
            "hoiana-baccarat/commission",
            "hoiana-baccarat/non-commission",
            "hoiana-dragon-tiger/commission",
            "hoiana-dragon-tiger/non-commission",
            "mbs-dragon-tiger",
            "horseshoe-dragon-bonus",
            "hoiana-niu-niu",
        ]
    );
    let text = croupier(&["rules", "list"], "").out;
    assert!(games.iter().all(|game| text.contains(game)), "{text}");
}

#[test]
fn a_sheet_has_bets_pays_and_the_drawing_table() {
    let ran = croupier(&["rules", "show", "hoiana-dragon-tiger/non-commission"], "");
    assert_eq!(ran.code, Some(0));
    for part in
        ["Big Tiger (big-tiger)", "50:1", "5.1.3/BigTiger", "1:2", "Third cards", "0 1 2 3 4 5 6 7 9", "A.2"]
    {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    assert!(!ran.out.contains("A.3"), "a layout of the other variant is not shown");
    let sheet = croupier(&["rules", "show", "hoiana-niu-niu", "--format", "json"], "").out;
    let sheet: Value = serde_json::from_str(&sheet).unwrap();
    assert_eq!(sheet["bets"][1]["lines"][0]["net"], "57/20");
}

#[test]
fn a_clause_shows_what_it_says_and_what_proves_it() {
    let ran = croupier(&["rules", "show", "hoiana-baccarat/commission", "5.1.2"], "");
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("HB 5.1.2 (engine)"), "{}", ran.out);
    assert!(ran.out.contains("scenarios/hoiana-baccarat/payout.round"), "{}", ran.out);
    let by_rulebook = croupier(&["rules", "show", "hoiana-baccarat", "5.1.2"], "");
    assert_eq!(by_rulebook.out, ran.out);
    let reading = croupier(&["rules", "show", "hoiana-baccarat", "HB-Q40"], "").out;
    assert!(reading.contains("Switched by the setting `insurance-lapse`"), "{reading}");
    let unknown = croupier(&["rules", "show", "hoiana-baccarat", "5.9"], "");
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("no clause or reading `5.9`; near it: 5.1, 5.1.1"), "{}", unknown.err);
    let unknown = croupier(&["rules", "show", "chess"], "");
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("there is no game `chess`"), "{}", unknown.err);
}

#[test]
fn every_clause_that_can_be_run_is_proved_by_a_scenario() {
    let ran = croupier(&["rules", "coverage", "--format", "json"], "");
    let coverage: Value = serde_json::from_str(&ran.out).unwrap();
    let books = coverage["rulebooks"].as_array().unwrap();
    let sum = |key: &str| books.iter().map(|book| book[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("clauses"), sum("table_lines"), sum("executable")), (633, 85, 600));
    for book in books {
        assert_eq!(book["missing"], serde_json::json!([]), "{}", book["rulebook"]);
        assert_eq!(book["proved"], book["executable"], "{}", book["rulebook"]);
    }
    assert_eq!(coverage["failures"], serde_json::json!([]));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

/// A file that goes away with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("croupier-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn shipped(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../rulebooks/{name}.toml", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn check_accepts_what_is_right_and_lists_all_that_is_wrong() {
    let ran =
        croupier(&["rules", "check", "rulebooks/hoiana-baccarat.toml", "rulebooks/hoiana-niu-niu.toml"], "");
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 2), "{}", ran.out);

    let text = shipped("mbs-dragon-tiger")
        .replace("odds = \"22:1\"", "odds = \"22-1\"")
        .replace("seats = \"8-16\"", "seats = \"16-8\"")
        .replace("banker-7 = \"3.14/B7\"", "banker-7 = \"3.14/B77\"");
    let file = Scratch::new("faulty.toml", &text);
    let ran = croupier(&["rules", "check", file.path()], "");
    assert_eq!(ran.code, Some(2));
    for (needle, message) in
        [("\"22-1\"", "is no odds"), ("\"16-8\"", "is no range here"), ("\"3.14/B77\"", "there is no clause")]
    {
        let line = text.lines().position(|line| line.contains(needle)).unwrap() + 1;
        let column = text.lines().nth(line - 1).unwrap().find(needle).unwrap() + 1;
        let place = format!(":{line}:{column}: ");
        assert!(
            ran.out.lines().any(|fault| fault.contains(&place) && fault.contains(message)),
            "{}",
            ran.out
        );
    }
    let ran = croupier(&["rules", "check", "no-such-file"], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.contains("no-such-file: cannot be read"), "{}", ran.out);
}

#[test]
fn a_casino_adds_its_own_rulebook() {
    let text = shipped("mbs-dragon-tiger")
        .replace("id = \"mbs-dragon-tiger\"", "id = \"my-house\"")
        .replace("odds = \"22:1\"", "odds = \"25:1\"");
    let file = Scratch::new("own.toml", &text);
    let round = "game my-house\nround\nann bets small-tiger 100 => +2,500\ncards 2C KS 2D 6H AH\n";
    let ran = croupier(&["--rulebook", file.path(), "settle", "-"], round);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let twice = Scratch::new("taken.toml", &shipped("mbs-dragon-tiger"));
    let ran = croupier(&["--rulebook", twice.path(), "rules", "list"], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("already a rulebook `mbs-dragon-tiger`"), "{}", ran.err);
}
