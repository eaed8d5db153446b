//! That the glossary names places that are there: each path in its last column ends in a word of that crate's code.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;

/// The file that is looked at.
pub(super) const PATH: &str = "docs/glossary.md";

/// The words of every crate's source, by the crate's folder.
#[derive(Default)]
pub(super) struct Words(BTreeMap<String, BTreeSet<String>>);

impl Words {
    /// Takes in a file of a crate, its own name included; other files are passed over.
    pub(super) fn read(&mut self, path: &str, text: &str) {
        let Some((name, inside)) = path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"))
        else {
            return;
        };
        let words = self.0.entry(name.to_owned()).or_default();
        let separate = |letter: char| !letter.is_alphanumeric() && letter != '_';
        for word in inside.split(separate).chain(text.split(separate)) {
            if !words.contains(word) {
                words.insert(word.to_owned());
            }
        }
    }

    /// What keeps a path such as `rules::bet::Column` from being found.
    fn missing(&self, path: &str) -> Option<String> {
        let mut parts = path.split("::");
        let name = parts.next().unwrap_or_default();
        let Some(words) = self.0.get(name) else { return Some(format!("there is no crate `{name}`")) };
        parts.find(|part| !words.contains(*part)).map(|part| format!("crate `{name}` has no `{part}`"))
    }
}

/// The paths of the last column that lead nowhere.
pub(super) fn check(text: &str, words: &Words) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(place) = line.strip_suffix('|').and_then(|line| line.rsplit('|').next()) else { continue };
        for path in place.split('`').skip(1).step_by(2).filter(|path| !path.ends_with('/')) {
            findings.extend(words.missing(path).map(|message| Finding {
                path: PATH.to_owned(),
                line: Some(number),
                message: format!("`{path}`: {message}"),
            }));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_moved_is_found() {
        let mut words = Words::default();
        words.read("crates/rules/src/bet.rs", "pub struct Column {}");
        words.read("docs/bet.md", "Wager");
        let faults = |place: &str| -> Vec<String> {
            check(&format!("| term | meaning | {place} |"), &words)
                .iter()
                .map(|finding| finding.message.clone())
                .collect()
        };
        assert!(faults("`rules::bet::Column`, `rules`, `scenarios/`").is_empty());
        assert_eq!(faults("`rules::bet::Wager`"), ["`rules::bet::Wager`: crate `rules` has no `Wager`"]);
        assert_eq!(faults("`rule::Bet`"), ["`rule::Bet`: there is no crate `rule`"]);
    }
}
