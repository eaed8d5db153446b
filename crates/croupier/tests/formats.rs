//! docs/formats.md is enough to check a floor: the script that is written from it finds what is right and what is not.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats/check.py");
/// Journals of each form: the first has checkpoints by streams, the second by a rolling hash.
const GOLDEN: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../journal/tests/data/golden-1"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../journal/tests/data/golden-2"),
];

/// Whether the script is content, and what it says.
fn check(arguments: &[&str]) -> (bool, String) {
    let output = Command::new("python3").arg(SCRIPT).args(arguments).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What the script says to an export that was changed.
fn changed(golden: &str, name: &str, change: impl Fn(String) -> String) -> String {
    let folder = croupier_testkit::tempdir().unwrap();
    for file in ["journal.jsonl", "checkpoints.jsonl"] {
        let text = fs::read_to_string(Path::new(golden).join(file)).unwrap();
        let text = if file == name { change(text) } else { text };
        fs::write(folder.path().join(file), text).unwrap();
    }
    let (is_good, said) = check(&["export", folder.path().to_str().unwrap()]);
    assert!(!is_good, "{said}");
    said.lines().last().unwrap().to_string()
}

#[test]
fn an_export_is_checked_by_what_the_page_says() {
    for golden in GOLDEN {
        let checkpoints = fs::read_to_string(Path::new(golden).join("checkpoints.jsonl")).unwrap();
        let first: Value = serde_json::from_str(checkpoints.lines().next().unwrap()).unwrap();
        let key = first["checkpoint"]["key"].as_str().unwrap();
        let (is_good, said) = check(&["export", golden, key]);
        assert!(is_good, "{said}");
        assert!(said.contains(" shoes are those committed to") && said.contains("2 checkpoints"), "{said}");
        assert!(!said.contains("; 0 shoes"), "{said}");
        assert!(!check(&["export", golden, &"0".repeat(64)]).0);
    }
}

#[test]
fn what_was_changed_is_found() {
    for golden in GOLDEN {
        let journal = "journal.jsonl";
        let changed = |name: &str, change: &dyn Fn(String) -> String| changed(golden, name, change);
        let other = |text: String| text.replacen("\"amount\":1000000000", "\"amount\":1000000001", 1);
        assert!(changed(journal, &other).ends_with("does not follow the line before it"));
        let cut = |text: String| text.trim_end().rsplit_once('\n').unwrap().0.to_string() + "\n";
        let said = changed(journal, &cut);
        assert!(said.contains("missing"), "{said}");
        // The last line of a stream, which no other line names.
        let last = |text: String| {
            let (before, last) = text.trim_end().rsplit_once('\n').unwrap();
            format!("{before}\n{}\n", last.replacen("\"at\":1", "\"at\":2", 1))
        };
        assert!(changed(journal, &last).ends_with("is missing or another"));
        let card = |text: String| {
            // The suit of the first card of a shoe that was shown.
            let suit = text.find("\"cards\":[[\"").unwrap() + "\"cards\":[[\"".len() + 1;
            let other = if &text[suit..=suit] == "D" { "H" } else { "D" };
            [&text[..suit], other, &text[suit + 1..]].concat()
        };
        assert!(changed(journal, &card).ends_with("is not the one committed to"));
        let later = |text: String| text.replacen("\"at\":1763218", "\"at\":1763219", 1);
        assert!(changed("checkpoints.jsonl", &later).ends_with("has a wrong signature"));
        let gap = |text: String| text.split_once('\n').unwrap().1.to_string();
        assert!(changed("checkpoints.jsonl", &gap).ends_with("does not follow the one before it"));
    }
}

/// The example of the page: three cards, whole and one by one.
#[test]
fn shoes_are_proved_by_what_the_page_says() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md")).unwrap();
    let hash = |name: &str| {
        let line = page.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().to_string()
    };
    let salt = |byte: &str| byte.repeat(32);
    let opening = |position: u32, card: &str, byte: &str, path: Vec<String>| json!({"position": position, "card": card, "salt": salt(byte), "path": path});
    let cards = [("AS", "01"), ("8H", "02"), ("KD", "03")];
    let paths =
        [vec![hash("leaf 1"), hash("leaf 2")], vec![hash("leaf 0"), hash("leaf 2")], vec![hash("node 0,1")]];
    let openings = |with_paths: bool| -> Vec<Value> {
        let all = (0_u32..).zip(cards).zip(&paths);
        all.map(|((position, (card, byte)), path)| {
            opening(position, card, byte, if with_paths { path.clone() } else { Vec::new() })
        })
        .collect()
    };
    let folder = croupier_testkit::tempdir().unwrap();
    let file = folder.path().join("shoe.json");
    let shoe = |is_over: bool, openings: &[Value]| {
        let told = json!({
            "table": 1, "shoe": 1, "commitment": hash("commitment"), "cards": 3, "above": 0, "is_over": is_over,
            "openings": openings,
        });
        fs::write(&file, told.to_string()).unwrap();
        check(&["shoe", file.to_str().unwrap()])
    };
    assert_eq!(shoe(true, &openings(false)), (true, "all 3 cards are those committed to\n".to_string()));
    assert_eq!(
        shoe(false, &openings(true)[1..]),
        (true, "2 cards are proved; the shoe is in play\n".to_string())
    );
    let mut wrong = openings(true);
    wrong[2]["card"] = json!("KS");
    assert!(!shoe(false, &wrong).0);
    assert!(!shoe(true, &wrong).0);
}
