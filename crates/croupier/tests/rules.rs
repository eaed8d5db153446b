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
        assert_eq!(book["missing_readings"], serde_json::json!([]), "{}", book["rulebook"]);
        assert_eq!(book["readings_proved"], book["readings"], "{}", book["rulebook"]);
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
    for (needle, message) in [
        ("\"22-1\"", "is not valid odds"),
        ("\"16-8\"", "is not a valid range"),
        ("\"3.14/B77\"", "there is no clause"),
    ] {
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

/// `my-house` is a rulebook of one's own, and its scenarios are in a folder of one's own.
#[test]
fn the_coverage_of_a_rulebook_of_ones_own() {
    let text = shipped("mbs-dragon-tiger").replace("id = \"mbs-dragon-tiger\"", "id = \"my-house\"");
    let book = Scratch::new("covered.toml", &text);
    let folder = std::env::temp_dir().join(format!("croupier-{}-scenarios", std::process::id()));
    let run = |more: &[&str]| {
        let args = [&["--rulebook", book.path(), "rules", "coverage", "--format", "json"], more].concat();
        let ran = croupier(&args, "");
        let coverage: Value = serde_json::from_str(&ran.out).unwrap_or_default();
        let book = coverage["rulebooks"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|book| book["rulebook"] == "my-house");
        let proved = book.and_then(|book| book["proved"].as_u64());
        (ran.code, proved, coverage["failures"].clone(), ran.err)
    };
    assert_eq!(run(&[]).1, Some(0), "nothing of one's own proves it yet");

    let inner = folder.join("in/here");
    std::fs::create_dir_all(&inner).unwrap();
    let own = folder.to_str().unwrap();
    let empty = run(&["--scenarios", own]);
    assert!(empty.0 == Some(2) && empty.3.contains("no file with the ending .round"), "{}", empty.3);
    let round = "game my-house\nproves 3.3\nround\nann bets tiger 100 => +100\ncards KC 9S\n";
    std::fs::write(inner.join("wrong.round"), round.replace("+100", "+700")).unwrap();
    let scenarios = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/mbs-dragon-tiger");
    for entry in std::fs::read_dir(scenarios).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap().replace("game mbs-dragon-tiger", "game my-house");
        std::fs::write(folder.join(path.file_name().unwrap()), text).unwrap();
    }
    let (code, proved, failures, _) = run(&["--scenarios", own]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(code == Some(1) && proved > Some(100), "{code:?} {proved:?}");
    let failed: Vec<_> =
        failures.as_array().unwrap().iter().map(|failure| failure["what"].as_str().unwrap()).collect();
    assert!(matches!(failed[..], [path] if path.ends_with("in/here/wrong.round")), "{failed:?}");
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

#[test]
fn diff_tells_what_changed_and_what_it_does_to_the_edges() {
    let folder = std::env::temp_dir().join(format!("croupier-diff-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let own = folder.join("own.toml");
    let standard = std::fs::read_to_string(
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks/hoiana-dragon-tiger.toml"),
    )
    .unwrap();
    let changed = standard.replace("odds = \"50:1\"", "odds = \"40:1\"");
    assert_ne!(standard, changed);
    std::fs::write(&own, changed).unwrap();
    let file = own.to_str().unwrap();

    let same = croupier(&["rules", "diff", "hoiana-dragon-tiger", "hoiana-dragon-tiger"], "");
    assert_eq!(same.code, Some(0));
    assert!(same.out.contains("They say the same."), "{}", same.out);

    let ran = croupier(&["rules", "diff", "hoiana-dragon-tiger", file, "--format", "json"], "");
    assert_eq!(ran.code, Some(1));
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    let parts: Vec<&str> =
        told["changes"].as_array().unwrap().iter().map(|change| change["part"].as_str().unwrap()).collect();
    assert!(parts.iter().all(|part| *part == "bet"), "{parts:?}");
    for edge in told["edges"].as_array().unwrap() {
        assert_eq!(edge["bet"], "big-tiger");
        let [before, after] = ["before", "after"].map(|of| edge[of]["edge"].as_str().unwrap().to_string());
        assert!(before < after, "{edge}");
    }
    let odds =
        croupier(&["odds", "hoiana-dragon-tiger/commission", "--bet", "big-tiger", "--format", "json"], "");
    let odds: Value = serde_json::from_str(&odds.out).unwrap();
    assert_eq!(told["edges"][0]["before"]["edge_exact"], odds["bets"][0]["edge_exact"]);

    let text = croupier(&["rules", "diff", "hoiana-dragon-tiger", file], "").out;
    for part in ["~ big-tiger [commission]", "- 50:1", "+ 40:1", "edges", "as before"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let missing = croupier(&["rules", "diff", "hoiana-dragon-tiger", "nowhere.toml"], "");
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("neither a file nor a rulebook"), "{}", missing.err);
    std::fs::write(&own, "id = 7").unwrap();
    let faulty = croupier(&["rules", "diff", "hoiana-dragon-tiger", file], "");
    assert!(faulty.err.contains("own.toml:1:"), "{}", faulty.err);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Options are shown where they mean something, and refused elsewhere.
#[test]
fn a_rulebook_of_ones_own_is_offered_where_it_is_read() {
    for command in [&["odds"][..], &["rules", "coverage"], &["settle"], &["serve"], &["simulate"]] {
        let help = croupier(&[command, &["--help"]].concat(), "");
        assert!(help.out.contains("--rulebook"), "{command:?}: {}", help.out);
    }
    let without = [&["roads"][..], &["verify"], &["export"], &["backup"], &["restore"], &["keys", "show"]];
    for command in without {
        let help = croupier(&[command, &["--help"]].concat(), "");
        assert!(help.code == Some(0) && !help.out.contains("--rulebook"), "{command:?}: {}", help.out);
    }
    for args in [["roads", "BBP", "--rulebook", "house.toml"], ["--rulebook", "house.toml", "roads", "BBP"]] {
        let ran = croupier(&args, "");
        assert!(ran.err.contains("takes no --rulebook"), "{}{}", ran.out, ran.err);
        assert_eq!(ran.code, Some(2));
    }
}
