//! The record: who was heard, what a replay gives, and that a call only informs.

use croupier_rules::baccarat::Winner;
use croupier_rules::{Family, Irregularity};
use croupier_table::{Action, Actor, Command, Event, Staff, Table, apply, decide};

use super::super::any::member;
use super::super::law;
use super::super::tally::Tally;

/// Invariant 14: replaying the event log gives the same state.
pub(crate) fn the_journal_gives_the_table_back(
    fresh: Table,
    journal: &[Event],
    table: &Table,
    tally: &mut Tally,
) {
    let mut again = fresh;
    journal.iter().for_each(|event| apply(&mut again, event));
    assert_eq!(again.fingerprint(), table.fingerprint(), "the journal tells another story");
    tally.held("the journal gives the table back", !journal.is_empty());
}

/// Invariant 14: no command by a rank below the required one changes state. Whatever was accepted from
/// somebody with a power is asked again by everybody without it.
pub(super) fn no_rank_too_low_changes_anything(table: &Table, command: &Command, tally: &mut Tally) {
    let Actor::Staff(_) = command.actor else { return };
    let Some(needed) = needed(table, &command.action) else { return };
    let ranks = &table.rulebook().ranks;
    let level = |rank: usize| ranks.get(rank).map_or(0, |rank| rank.level);
    for rank in (0..ranks.len()).filter(|rank| level(*rank) < level(usize::from(needed))) {
        let rank = u8::try_from(rank).unwrap();
        // Somebody of that rank; and where acting ranks count somebody above who only acts as one, elsewhere somebody who
        // acts above it.
        let other = if table.setup.acting_ranks {
            Staff { acting: Some(member(rank).rank), ..member(needed) }
        } else {
            Staff { acting: Some(member(needed).rank), ..member(rank) }
        };
        // Whoever found what is pending may take it back.
        let pending = table.hold.as_ref().and_then(|hold| hold.pending);
        let found_it = |staff: Staff| matches!(pending, Some(Actor::Staff(by)) if by.person == staff.person);
        for staff in [member(rank), other].into_iter().filter(|staff| !found_it(*staff)) {
            let lower = Command { actor: Actor::Staff(staff), ..command.clone() };
            let answer = decide(table, &lower);
            let code = answer.as_ref().err().map(croupier_table::Refusal::code);
            assert_eq!(code, Some("not-authorised"), "{staff:?} was heard: {:?}", command.action);
            tally.held("no rank too low changes anything", true);
        }
    }
}

/// The lowest rank that may ask this, if it takes one.
fn needed(table: &Table, action: &Action) -> Option<u8> {
    let rulebook = table.rulebook();
    let residual = table.setup.residual.map(|rank| rank.0);
    let needs = match action {
        Action::Rule(made) => {
            let irregularity = table.hold.as_ref()?.irregularity;
            let unseen = irregularity == Irregularity::SurplusOnBankerUnseen;
            let referred = unseen && table.setup.refers_unseen_surplus;
            let rule = rulebook.irregularity(if referred { Irregularity::Other } else { irregularity })?;
            rule.find(made.remedy, made.with_withdrawal)?.needs?
        }
        action => rulebook.power(law::power(action)?)?.needs,
    };
    rulebook.needed_rank(needs, residual)
}

/// Invariant 15: the result never depends on the Dealer's call, lamps or displays. A settlement comes out the
/// same whatever was called and shown before it.
pub(super) fn the_result_is_not_in_the_call(
    table: &Table,
    command: &Command,
    events: &[Event],
    tally: &mut Tally,
) {
    if command.action != Action::Settle || table.setup.family() == Family::NiuNiu {
        return;
    }
    for winner in Winner::ALL {
        let mut called = table.clone();
        for action in [Action::Call(winner), Action::Display(winner)] {
            let told = Command { actor: Actor::System, at: command.at, action };
            let told = decide(&called, &told).unwrap();
            told.iter().for_each(|event| apply(&mut called, event));
        }
        assert_eq!(called.round.outcome, table.round.outcome, "a call of {winner:?} is the result");
        let settled = decide(&called, command);
        assert_eq!(settled.as_deref(), Ok(events), "a call of {winner:?} has changed the settlement");
    }
    tally.held("the result is not in the call", true);
}
