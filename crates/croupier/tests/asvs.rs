//! docs/asvs.md has every requirement of level 2 once, with a state, and names only tests that exist.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; their numbers run from 1.
#[rustfmt::skip]
const SECTIONS: &[(&str, usize)] = &[
    ("1.1", 2), ("1.2", 9), ("1.3", 11), ("1.4", 3), ("1.5", 2), ("2.1", 3), ("2.2", 3), ("2.3", 4), ("2.4", 1),
    ("3.2", 2), ("3.3", 4), ("3.4", 6), ("3.5", 5), ("3.7", 2), ("4.1", 3), ("4.2", 1), ("4.3", 2), ("4.4", 4),
    ("5.1", 1), ("5.2", 3), ("5.3", 2), ("5.4", 3), ("6.1", 3), ("6.2", 12), ("6.3", 4), ("6.4", 4), ("6.5", 5),
    ("6.6", 3), ("6.8", 4), ("7.1", 3), ("7.2", 4), ("7.3", 2), ("7.4", 5), ("7.5", 2), ("7.6", 2), ("8.1", 2),
    ("8.2", 3), ("8.3", 1), ("8.4", 1), ("9.1", 3), ("9.2", 4), ("10.1", 2), ("10.2", 2), ("10.3", 4), ("10.4", 11),
    ("10.5", 5), ("10.6", 2), ("10.7", 3), ("11.1", 2), ("11.2", 3), ("11.3", 3), ("11.4", 4), ("11.5", 1),
    ("11.6", 1), ("12.1", 3), ("12.2", 2), ("12.3", 4), ("13.1", 1), ("13.2", 5), ("13.3", 2), ("13.4", 5),
    ("14.1", 2), ("14.2", 4), ("14.3", 3), ("15.1", 3), ("15.2", 3), ("15.3", 7), ("16.1", 1), ("16.2", 5),
    ("16.3", 4), ("16.4", 3), ("16.5", 3), ("17.1", 1), ("17.2", 4), ("17.3", 2),
];
const STATES: [&str; 4] = ["met", "house", "none", "open"];

/// Where the tests of a file are, by the name the document gives it.
fn file(name: &str) -> PathBuf {
    let path = match name {
        "start" | "serve" | "prove" | "clock" | "database" | "provider" | "components" => {
            format!("crates/croupier/tests/{name}.rs")
        }
        "records" => "crates/demo/tests/records.rs".to_string(),
        "rights" => "crates/table/tests/authority.rs".to_string(),
        "views" => "crates/table/tests/views.rs".to_string(),
        "secret" | "weak" | "session" | "origin" | "token" => format!("crates/server/src/people/{name}.rs"),
        "web" => "crates/web/src/lib.rs".to_string(),
        _ => format!("crates/server/tests/{name}.rs"),
    };
    root().join(path)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The numbers that a first column names: `1.2.3`, `1.2.3–1.2.5`, several of either.
fn numbers(column: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    for part in column.split(", ") {
        let (first, last) = part.split_once('–').unwrap_or((part, part));
        let (section, from) = first.rsplit_once('.')?;
        let (other, to) = last.rsplit_once('.')?;
        assert_eq!(section, other, "{column}");
        let (from, to): (usize, usize) = (from.parse().ok()?, to.parse().ok()?);
        all.extend((from..=to).map(|number| format!("{section}.{number}")));
    }
    Some(all)
}

#[test]
fn every_requirement_is_there_once_with_a_state() {
    let text = std::fs::read_to_string(root().join("docs/asvs.md")).unwrap();
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        let columns: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let Some(named) = numbers(columns[0]) else { continue };
        assert_eq!(columns.len(), 4, "{line}");
        assert!(STATES.contains(&columns[2]) && !columns[1].is_empty() && !columns[3].is_empty(), "{line}");
        for number in named {
            *found.entry(number).or_default() += 1;
        }
    }
    for (section, count) in SECTIONS {
        for number in 1..=*count {
            let number = format!("{section}.{number}");
            assert_eq!(found.remove(&number), Some(1), "{number}");
        }
    }
    assert!(found.is_empty(), "of another level, or of no section: {found:?}");
}

#[test]
fn every_test_that_is_named_exists() {
    let text = std::fs::read_to_string(root().join("docs/asvs.md")).unwrap();
    let mut checked = 0;
    for name in text.split('`').skip(1).step_by(2) {
        if let Some((place, test)) = name.split_once("::")
            && test.contains('_')
        {
            let path = file(place);
            let source =
                std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(source.contains(&format!("fn {test}(")), "{name} is not in {}", path.display());
            checked += 1;
        } else if name.starts_with("crates/") && !name.contains('…') {
            assert!(root().join(name).exists(), "{name}");
        }
    }
    assert!(checked > 60, "only {checked} tests are named");
}
