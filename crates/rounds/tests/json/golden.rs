//! One example of each kind of command and event in `tests/data`: what was written once is still read, and is
//! still written the same way. A journal outlives the program, so a line is added here and never changed.

use std::collections::BTreeSet;
use std::fmt::Debug;

use croupier_table::case::{CaseChange, CaseCommand, CaseEvent, CaseOrder};
use croupier_table::{Action, Command, Event, Fact};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads and writes every line of a file; all variants of `V` must occur in `field`.
fn check<T, V>(file: &str, field: &str)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
    V: DeserializeOwned + Debug,
{
    let mut seen = BTreeSet::new();
    for line in file.lines() {
        let value: T = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(super::check(&value), line);
        seen.insert(super::variant(&serde_json::from_str::<Value>(line).unwrap()[field]));
    }
    let missing: Vec<String> = super::variants::<V>().difference(&seen).cloned().collect();
    assert_eq!(missing, [""; 0], "add an example of each");
}

#[test]
fn every_action_has_an_example() {
    check::<Command, Action>(include_str!("../data/commands.jsonl"), "action");
}

#[test]
fn every_fact_has_an_example() {
    check::<Event, Fact>(include_str!("../data/events.jsonl"), "fact");
}

#[test]
fn every_order_to_a_case_has_an_example() {
    check::<CaseCommand, CaseOrder>(include_str!("../data/case-commands.jsonl"), "order");
}

#[test]
fn every_change_of_a_case_has_an_example() {
    check::<CaseEvent, CaseChange>(include_str!("../data/case-events.jsonl"), "change");
}
