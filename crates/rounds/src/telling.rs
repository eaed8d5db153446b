//! Single commands, facts and refusals in words, for whoever shows a table as it is played.

use croupier_rules::Rulebook;
use croupier_table::{Command, Fact, PlayerId, Table, Why};

use crate::amount::Decimals;

/// What somebody does, in the words of a round file: `dealer draws 9D onto player`.
#[must_use]
pub fn command(table: &Table, command: &Command, names: &dyn Fn(PlayerId) -> String) -> String {
    crate::export::say(table, command, names).text(Decimals::USUAL)
}

/// What happened, with the names of the players by their number; nothing for what only matters to programs.
#[must_use]
pub fn fact(fact: &Fact, names: &[String]) -> Option<String> {
    crate::event::Fact::Table(fact.clone()).tell(None, names, Decimals::USUAL, false)
}

/// Why something is refused.
#[must_use]
pub fn refusal(why: &Why, rulebook: &Rulebook, names: &[String]) -> String {
    crate::tell::refusal(why, rulebook, names, Decimals::USUAL)
}
