//! docs/components.json says which components were compared with known advisories, when and with what (SECURITY.md,
//! "Components"). What was added or changed since is not compared, and no commit is older than what SECURITY.md promises.
#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

use croupier_journal::Hash;
use serde_json::Value;

/// The longest that SECURITY.md lets an advisory of medium severity wait.
const DAYS: i64 = 60;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

/// Name and version of every crate that is linked in or builds what is, one a line.
fn crates(lock: &str) -> Vec<String> {
    let mut found = Vec::new();
    for package in lock.split("[[package]]").skip(1) {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim_matches('"').to_string()
        };
        // What has no source is our own.
        if package.contains("\nsource = ") {
            found.push(format!("{} {}", field("name = "), field("version = ")));
        }
    }
    found
}

fn digest(mut components: Vec<String>) -> String {
    components.sort();
    Hash::of(components.join("\n").as_bytes()).to_string()
}

/// Days since 1970 of a date as `2026-11-18`, by the civil calendar.
fn day(date: &str) -> i64 {
    let parts: Vec<i64> = date.split('-').map(|part| part.parse().unwrap()).collect();
    let [year, month, day] = parts[..] else { panic!("{date}") };
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 719_469
}

/// What is wrong with a note of a comparison, for such components and a commit of such a day.
fn fault(noted: &Value, components: &[String], committed: &str) -> Option<String> {
    let (found, on) = (digest(components.to_vec()), noted["on"].as_str().unwrap());
    if noted["components"] != found.as_str() {
        return Some(format!(
            "{} components are others than were compared on {on}; they are {found}",
            components.len()
        ));
    }
    let age = day(committed) - day(on);
    (age > DAYS).then(|| format!("they were compared {age} days ago, and {DAYS} are the most"))
}

#[test]
fn every_component_was_compared_with_known_advisories() {
    let noted: Value = serde_json::from_str(&text("docs/components.json")).unwrap();
    let ran = Command::new("git").args(["log", "-1", "--format=%cs"]).current_dir(root()).output().unwrap();
    let committed = String::from_utf8(ran.stdout).unwrap();
    let crates = crates(&text("Cargo.lock"));
    assert!(crates.len() > 300, "{}", crates.len());
    let found = fault(&noted["crates"], &crates, committed.trim());
    assert_eq!(
        found, None,
        "Cargo.lock: run `cargo deny check advisories`, mend what it finds, and write date and digest into docs/components.json"
    );
}

/// The check finds what it is there to find.
#[test]
fn what_was_added_changed_or_is_too_old_is_found() {
    let lock = "[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"r\"\n";
    let all = crates(lock);
    assert_eq!(all, ["a 1.0.0"]);
    let noted = serde_json::json!({"on": "2026-01-31", "components": digest(all.clone())});
    assert_eq!(fault(&noted, &all, "2026-04-01"), None);
    assert!(fault(&noted, &all, "2026-04-02").unwrap().contains("61 days"));
    let newer = crates(&lock.replace("1.0.0", "1.0.1"));
    let more = [all.clone(), vec!["b 2.0.0".to_string()]].concat();
    for other in [newer, more, Vec::new()] {
        assert!(fault(&noted, &other, "2026-02-01").unwrap().contains("others"), "{other:?}");
    }
    assert_eq!([day("1970-01-01"), day("2000-03-01"), day("2026-11-18")], [0, 11_017, 20_775]);
}
