//! Which crate may depend on which: the arrows of the architecture, held to what cargo itself reports.
//!
//! They hold for tests too. A test that has to look up the arrows is a test of the crate above.

use super::Finding;
use crate::metadata::Package;

/// Every crate of the workspace with those of ours that it may depend on.
const ARROWS: &[(&str, &[&str])] = &[
    ("croupier-cards", &[]),
    ("croupier-testkit", &[]),
    ("croupier-rules", &["croupier-cards"]),
    ("croupier-ledger", &[]),
    ("croupier-web", &[]),
    ("croupier-table", &["croupier-cards", "croupier-rules", "croupier-ledger"]),
    ("croupier-explore", &["croupier-cards", "croupier-rules", "croupier-table"]),
    ("croupier-rounds", &["croupier-cards", "croupier-rules", "croupier-table", "croupier-ledger"]),
    (
        "croupier-drill",
        &[
            "croupier-cards",
            "croupier-rules",
            "croupier-ledger",
            "croupier-table",
            "croupier-rounds",
            "croupier-explore",
        ],
    ),
    ("croupier-lab", &["croupier-cards", "croupier-rules"]),
    (
        "croupier-journal",
        &[
            "croupier-cards",
            "croupier-testkit",
            "croupier-rules",
            "croupier-ledger",
            "croupier-table",
            "croupier-rounds",
        ],
    ),
    (
        "croupier-server",
        &[
            "croupier-cards",
            "croupier-testkit",
            "croupier-rules",
            "croupier-ledger",
            "croupier-table",
            "croupier-rounds",
            "croupier-lab",
            "croupier-journal",
        ],
    ),
    (
        "croupier-demo",
        &[
            "croupier-cards",
            "croupier-testkit",
            "croupier-rules",
            "croupier-ledger",
            "croupier-table",
            "croupier-rounds",
            "croupier-lab",
            "croupier-journal",
            "croupier-server",
        ],
    ),
    (
        "croupier",
        &[
            "croupier-cards",
            "croupier-testkit",
            "croupier-rules",
            "croupier-ledger",
            "croupier-table",
            "croupier-rounds",
            "croupier-lab",
            "croupier-explore",
            "croupier-drill",
            "croupier-journal",
            "croupier-server",
            "croupier-demo",
            "croupier-web",
        ],
    ),
    ("xtask", &[]),
];

/// Finds crates that are in no arrow, and dependencies that go against them.
pub(super) fn check(packages: &[Package]) -> Vec<Finding> {
    let is_ours = |name: &str| packages.iter().any(|package| package.name == name);
    let mut findings = Vec::new();
    for package in packages {
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == package.name) else {
            findings.push(finding(
                &package.name,
                "has no place in the arrows of xtask/src/tidy/arrows.rs".into(),
            ));
            continue;
        };
        for dependency in &package.dependencies {
            if is_ours(dependency) && !allowed.contains(&dependency.as_str()) {
                let may = if allowed.is_empty() { "none of our crates".into() } else { allowed.join(", ") };
                findings.push(finding(&package.name, format!("depends on {dependency}, and may on {may}")));
            }
        }
    }
    findings
}

fn finding(name: &str, message: String) -> Finding {
    Finding { path: format!("crate {name}"), line: None, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata;

    fn check_json(packages: &str) -> Vec<String> {
        let json = format!(r#"{{"packages":[{packages}]}}"#);
        check(&metadata::parse(&json).unwrap()).iter().map(Finding::to_string).collect()
    }

    fn package(name: &str, dependencies: &[&str]) -> String {
        let dependencies: Vec<String> =
            dependencies.iter().map(|name| format!(r#"{{"name":"{name}","kind":"dev"}}"#)).collect();
        format!(r#"{{"name":"{name}","dependencies":[{}],"targets":[]}}"#, dependencies.join(","))
    }

    #[test]
    fn arrows_that_point_the_right_way_pass() {
        let cards = package("croupier-cards", &["sha2"]);
        let rules = package("croupier-rules", &["croupier-cards", "toml"]);
        assert_eq!(check_json(&format!("{cards},{rules}")), [""; 0]);
    }

    #[test]
    fn an_arrow_against_the_stream_is_found() {
        let cards = package("croupier-cards", &["croupier-rules"]);
        let rules = package("croupier-rules", &[]);
        let expected = "crate croupier-cards: depends on croupier-rules, and may on none of our crates";
        assert_eq!(check_json(&format!("{cards},{rules}")), [expected]);
    }

    #[test]
    fn the_lab_sees_only_cards_and_rules() {
        let packages =
            [package("croupier-lab", &["croupier-table"]), package("croupier-table", &["croupier-ledger"])];
        let expected =
            "crate croupier-lab: depends on croupier-table, and may on croupier-cards, croupier-rules";
        assert_eq!(check_json(&packages.join(",")), [expected]);
    }

    #[test]
    fn an_unknown_crate_is_found() {
        let expected = "crate croupier-roulette: has no place in the arrows of xtask/src/tidy/arrows.rs";
        assert_eq!(check_json(&package("croupier-roulette", &[])), [expected]);
    }

    #[test]
    fn arrows_form_no_circle() {
        for (position, (name, allowed)) in ARROWS.iter().enumerate() {
            for below in *allowed {
                let listed = ARROWS.iter().position(|(known, _)| known == below);
                assert!(listed.is_some_and(|listed| listed < position), "{name} -> {below}");
            }
        }
    }
}
