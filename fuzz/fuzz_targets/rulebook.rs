//! A rulebook is accepted or refused with words, whatever is in the file.
#![no_main]

use croupier_rules::Rulebook;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    check(text);

    // The mistakes of an editor: a line lost, a line twice. The text itself says which.
    let lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return;
    }
    let sum: usize = text.bytes().map(usize::from).sum();
    let chosen = sum % lines.len();
    let (before, from) = lines.split_at(chosen);
    check(&[before, &from[1..]].concat().join("\n"));
    check(&[before, &from[..1], from].concat().join("\n"));
});

/// Faults are said in words, and a rulebook reads the same twice.
fn check(text: &str) {
    match (Rulebook::parse(text), Rulebook::parse(text)) {
        (Ok(_), Ok(_)) => {}
        (Err(faults), Err(again)) => {
            let said = faults.to_string();
            assert!(!said.is_empty(), "refused without a word");
            assert_eq!(said, again.to_string(), "refused in two ways");
        }
        _ => panic!("accepted and refused"),
    }
}
