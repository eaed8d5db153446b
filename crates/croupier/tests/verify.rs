//! `croupier verify` and `croupier export` as their users run them, on the golden journal.

#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod common;

use std::path::{Path, PathBuf};

use common::{Ran, croupier};

const GOLDEN: &str = "crates/journal/tests/data/golden-1";

/// A folder of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
fn accepted(args: &[&str]) -> String {
    let Ran { code, out, err } = croupier(args, "");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    out
}

#[test]
fn a_clean_journal() {
    let text = accepted(&["verify", GOLDEN]);
    assert!(text.starts_with("140 rows: all is well: the journal is whole, and engine "), "{text}");
    for words in ["wagers settled, each derived again", "hoiana-niu-niu", "note: no key was given to trust"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let json = accepted(&["verify", &format!("{GOLDEN}/journal.jsonl"), "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((json["status"].as_str(), json["rows"].as_u64()), (Some("clean"), Some(140)));
}

#[test]
fn a_changed_journal() {
    let out = Folder::new("verify-changed");
    accepted(&["export", "--database", GOLDEN, "--out", out.text()]);
    accepted(&["verify", out.text()]);
    let path = out.0.join("journal.jsonl");
    let text = std::fs::read_to_string(&path).expect("a journal");
    std::fs::write(&path, text.replacen("receipt 7", "receipt 8", 1)).expect("it can be written");
    let ran = croupier(&["verify", out.text()], "");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.starts_with("croupier: cage 2: does not name the hash of cage 1"), "{}", ran.err);
    let ran = croupier(&["verify", out.text(), "--format", "json"], "");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((json["status"].as_str(), json["stream"].as_str()), (Some("found"), Some("cage")));
}

#[test]
fn what_cannot_be_verified() {
    let key = "0".repeat(64);
    for (args, code, words) in [
        (vec!["verify", "no/such/journal"], 2, "no such file or folder"),
        (vec!["verify", "rulebooks"], 2, "neither croupier.sqlite nor journal.jsonl"),
        (vec!["verify", GOLDEN, "--key", "12"], 2, "64 hexadecimal digits"),
        (vec!["verify", GOLDEN, "--key", &key], 1, "is trusted"),
        (vec!["export", "--database", GOLDEN], 2, "--out"),
        (vec!["export", "1", "--database", GOLDEN, "--round", "77"], 2, "no round 77 of table 1"),
        (vec!["export", "--database", GOLDEN, "--round", "1"], 2, "<TABLE>"),
    ] {
        let ran = croupier(&args, "");
        assert!(ran.code == Some(code) && ran.err.contains(words), "{args:?}: {:?} {}", ran.code, ran.err);
    }
}

#[test]
fn a_round_is_printed_and_runs() {
    let text = accepted(&["export", "1", "--database", GOLDEN, "--round", "2"]);
    assert!(text.contains("Table 1 (Table 1), shoe 1, round 2"), "{text}");
    let ran = croupier(&["settle", "-"], &text);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let out = Folder::new("export-table");
    let said = accepted(&["export", "1", "--database", GOLDEN, "--out", out.text()]);
    assert!(said.starts_with("70 rows, 4 round files, 1 rulebook in "), "{said}");
    assert!(out.0.join("rounds/table-1/shoe-1/round-000004.round").is_file());
}
