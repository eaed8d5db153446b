//! `croupier rules gaps` as its users run it.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use std::path::PathBuf;

use common::croupier;
use croupier_rounds::{RoundFile, run};
use croupier_rules::Library;
use serde_json::Value;

/// A folder of the test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_complete_book_lists_what_only_the_last_clause_rules() {
    let ran = croupier(&["rules", "gaps", "hoiana-niu-niu", "--depth", "1"], "");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for part in [
        "Hoiana Niu Niu (hoiana-niu-niu), version ",
        "Explored: 3 tables, 2 players, every rank on duty, up to 1 deviation",
        " situations, ",
        "No clause of its own: only the one for everything else rules it (residual)",
        "Cards that were not shuffled are in use  [NN-Q18]",
        "Every situation explored has a ruling, somebody who may make it, and a way out.",
    ] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    let json = croupier(&["rules", "gaps", "hoiana-niu-niu", "--depth", "1", "--format", "json"], "").out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["complete"], &json["tables_cut"]), (&Value::Bool(true), &Value::from(0)));
    assert!(json["situations"].as_u64().unwrap() > 1_000, "{json}");
    assert_eq!(json["findings"][0]["kind"], "residual");
}

/// A gap planted in a copy of a rulebook: found, with a round file that plays up to it.
#[test]
fn a_planted_gap_comes_with_a_round_that_shows_it() {
    let folder = folder("gaps");
    let path = format!("{}/../../rulebooks/hoiana-niu-niu.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let planted = text.replacen("id = \"hoiana-niu-niu\"", "id = \"house-niu-niu\"", 1).replacen(
        "rulings = [{ do = \"play-on\", clause = \"7.3\" }]",
        "rulings = [{ do = \"play-on\", clause = \"7.3\" }, { do = \"void\", clause = \"7.3\" }]",
        1,
    );
    assert_ne!(planted, text);
    let book = folder.join("house.toml");
    std::fs::write(&book, &planted).unwrap();
    let (book, ways) = (book.to_str().unwrap(), folder.join("ways"));
    let ways_name = ways.to_str().unwrap();
    let ran = croupier(
        &["--rulebook", book, "rules", "gaps", "house-niu-niu", "--depth", "1", "--write", ways_name],
        "",
    );
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("play-on or void, and no rank to choose  [NN 7.3 NN-Q19]"), "{}", ran.out);
    assert!(ran.out.contains("    dealer reports exposed"), "{}", ran.out);
    let written = std::fs::read_to_string(ways.join("01-contradiction.round")).unwrap();
    let mut library = Library::standard();
    library.add(&planted).unwrap();
    let report = run(&library, &RoundFile::parse(&written).unwrap());
    assert!(report.is_unfinished && report.failures().next().is_none(), "{written}\n{:?}", report.problems());
}

#[test]
fn a_rank_off_duty_shows_what_it_is_needed_for() {
    let off = ["--off-duty", "pit-manager", "--off-duty", "shift-manager", "--off-duty", "senior-management"];
    let ran = croupier(&[&["rules", "gaps", "hoiana-niu-niu", "--depth", "1"], &off[..]].concat(), "");
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("needs the Pit Manager"), "{}", ran.out);
    let unknown = croupier(&["rules", "gaps", "hoiana-niu-niu", "--off-duty", "captain"], "");
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("the rulebook has no rank `captain`"), "{}", unknown.err);
}

#[test]
fn what_was_cut_is_said() {
    let ran = croupier(&["rules", "gaps", "hoiana-niu-niu", "--depth", "1", "--limit", "300"], "");
    assert!(ran.out.contains("Cut short: 3 of the tables"), "{}", ran.out);
    assert!(ran.out.contains("Raise --limit, or lower --depth."), "{}", ran.out);
}
