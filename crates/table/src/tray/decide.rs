//! Whether an order about the chips of a table stands.

use croupier_rules::{Amount, Power};

use super::order::{TrayCommand, TrayOrder};
use super::{Chips, Count, Paper, Slip, Tray, TrayRefusal};
use crate::actor::{Actor, PersonId, Staff};
use crate::authority::Authority;

/// The longest text.
const MOST_WORDS: usize = 400;

/// Whether an order stands. Authority is that of the table, and so is the smallest chip.
///
/// # Errors
/// The first [`TrayRefusal`] that applies.
pub fn decide(
    authority: Authority<'_>,
    smallest: Amount,
    tray: &Tray,
    command: &TrayCommand,
) -> Result<(), TrayRefusal> {
    let staff = staff(command.by)?;
    let treasury = || authority.power(command.by, Power::Treasury).map_err(TrayRefusal::NotAuthorised);
    match &command.order {
        TrayOrder::AskSlip { kind: _, chips } => {
            check_chips(chips, smallest)?;
            if chips.kinds().is_empty() { Err(TrayRefusal::Nothing) } else { Ok(()) }
        }
        TrayOrder::ApproveSlip { number } => {
            let slip = slip(tray, *number)?;
            treasury()?;
            if slip.approved.is_some() {
                return Err(TrayRefusal::IsApproved);
            }
            other_than(slip.asked.person, staff.person, "it was asked for by whom it is approved")
        }
        TrayOrder::DeliverSlip { number, witness, line: _ } => {
            let slip = slip(tray, *number)?;
            treasury()?;
            if slip.approved.is_none() {
                return Err(TrayRefusal::NotApproved);
            }
            other_than(*witness, staff.person, "the chips are handed from one person to another")
        }
        TrayOrder::DropSlip { number, why } => {
            let slip = slip(tray, *number)?;
            // Whoever asked may take it back.
            if slip.asked.person != staff.person {
                treasury()?;
            }
            check_words(why)
        }
        TrayOrder::BeginCount { of, books: _, chips } => {
            let going_on = tray.open.values().find_map(|paper| match paper {
                Paper::Count(count) if count.of == *of => Some(count.number),
                Paper::Count(_) | Paper::Slip(_) => None,
            });
            if let Some(number) = going_on {
                return Err(TrayRefusal::Counting { number });
            }
            check_chips(chips, smallest)
        }
        TrayOrder::SealCount { number, books, chips } => {
            check_seal(count(tray, *number)?, staff.person, *books, chips)?;
            check_chips(chips, smallest)
        }
        TrayOrder::ExplainCount { number, words } => {
            let count = count(tray, *number)?;
            treasury()?;
            match count.difference() {
                None => Err(TrayRefusal::NotAgreed),
                Some(0) => Err(TrayRefusal::NothingToExplain),
                Some(_) => check_words(words),
            }
        }
        TrayOrder::SignCount { number, line: _ } => {
            let count = count(tray, *number)?;
            treasury()?;
            match count.difference() {
                None => Err(TrayRefusal::NotAgreed),
                Some(difference) if difference != 0 && count.explained.is_none() => {
                    Err(TrayRefusal::Unexplained { difference })
                }
                Some(_) => Ok(()),
            }
        }
        TrayOrder::DropCount { number, why } => {
            let count = count(tray, *number)?;
            let has_counted = count.seals.iter().any(|seal| seal.by.person == staff.person);
            // Once both agree, what they found is not dropped by one of them.
            if !has_counted || count.is_agreed() {
                treasury()?;
            }
            check_words(why)
        }
    }
}

fn staff(by: Actor) -> Result<Staff, TrayRefusal> {
    match by {
        Actor::Staff(staff) => Ok(staff),
        Actor::Player(_) | Actor::Device | Actor::System | Actor::Surveillance | Actor::Display => {
            Err(TrayRefusal::NotStaff)
        }
    }
}

fn slip(tray: &Tray, number: u32) -> Result<&Slip, TrayRefusal> {
    tray.slip(number).ok_or(TrayRefusal::NoPaper { number })
}

fn count(tray: &Tray, number: u32) -> Result<&Count, TrayRefusal> {
    tray.count(number).ok_or(TrayRefusal::NoPaper { number })
}

fn other_than(one: PersonId, other: PersonId, what: &'static str) -> Result<(), TrayRefusal> {
    if one == other { Err(TrayRefusal::SamePerson { what }) } else { Ok(()) }
}

fn check_chips(chips: &Chips, smallest: Amount) -> Result<(), TrayRefusal> {
    if chips.are_multiples_of(smallest) { Ok(()) } else { Err(TrayRefusal::NoSuchChip { smallest }) }
}

fn check_words(words: &str) -> Result<(), TrayRefusal> {
    let is_told = !words.trim().is_empty() && words.chars().count() <= MOST_WORDS;
    if is_told { Ok(()) } else { Err(TrayRefusal::Words) }
}

fn check_seal(count: &Count, person: PersonId, books: Amount, chips: &Chips) -> Result<(), TrayRefusal> {
    if count.is_agreed() {
        return Err(TrayRefusal::IsAgreed);
    }
    if books != count.books {
        return Err(TrayRefusal::BooksMoved);
    }
    if count.awaits_second()
        && let Some(first) = count.seals.last()
    {
        other_than(first.by.person, person, "two people count, one after the other")?;
    }
    let is_asked = |value: &Amount| count.again.is_empty() || count.again.contains(value);
    if chips.kinds().iter().all(|(value, _)| is_asked(value)) {
        Ok(())
    } else {
        Err(TrayRefusal::NotAgain { again: count.again.clone() })
    }
}
