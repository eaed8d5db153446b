//! Cards that no hand may take: what they are, and what is told of them later.

use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::Irregularity;

use super::Draft;
use super::irregular::{frees_next_hand, raise};
use crate::event::{About, Fact};
use crate::refusal::{Refusal, Why};
use crate::table::{Hold, Stage, Stray, Table};

/// A surplus card lies somewhere, and nobody has said where. Of several it does not matter.
pub(crate) fn needs_place(table: &Table) -> bool {
    !are_several(table) && table.round.surplus.iter().any(|surplus| surplus.on.is_none())
}

/// Whether more than one card is left over.
fn are_several(table: &Table) -> bool {
    table.round.surplus.len() + table.next.carried.len() > 1
}

/// Whether a card that comes now, although none is due, is left over beside one of which nobody has said where it lies.
pub(super) fn is_one_more(table: &Table) -> bool {
    let open = |hold: &Hold| {
        hold.irregularity == Irregularity::SurplusOnPlayer && hold.ruling.is_none() && hold.earlier.is_none()
    };
    needs_place(table) && table.hold.as_ref().is_some_and(open) && table.round.waiting.is_empty()
}

/// Whether a card is left over of which nobody has said where it lies: it may be one of several, or one that was seen as it
/// was drawn and opens the next hand.
pub(crate) fn may_tell_place(table: &Table) -> bool {
    let carried = table.next.carried.iter().filter(|_| table.stage == Stage::Playing);
    table.round.surplus.iter().chain(carried).any(|stray| stray.on.is_none())
}

/// What these cards amount to follows from where they lie, which somebody may have to say.
pub(super) fn raise_strays(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.now();
    let surplus = &table.round.surplus;
    let unplaced = surplus.iter().find(|stray| stray.on.is_none());
    let last = surplus.last().copied();
    match (unplaced, last) {
        (Some(_), _) if are_several(table) => {
            raise(draft, Irregularity::SeveralSurplus, About::default(), String::new())
        }
        (Some(stray), _) => {
            let told = stray.card.filter(|_| stray.exposed).map(|card| card.to_string()).unwrap_or_default();
            raise(draft, Irregularity::SurplusOnPlayer, About::default(), told)
        }
        (None, Some(Stray { on: Some(side), exposed, .. })) => raise_surplus(draft, side, exposed),
        (None, _) => Ok(()),
    }
}

/// Which irregularity a surplus card is.
pub(super) fn raise_surplus(draft: &mut Draft<'_>, side: Side, exposed: bool) -> Result<(), Refusal> {
    let table = draft.now();
    let irregularity = if are_several(table) { Irregularity::SeveralSurplus } else { of_one(side, exposed) };
    let about = About { side: Some(side), ..About::default() };
    raise(draft, irregularity, about, String::new())
}

const fn of_one(side: Side, exposed: bool) -> Irregularity {
    match (side, exposed) {
        (Side::Player, _) => Irregularity::SurplusOnPlayer,
        (Side::Banker, true) => Irregularity::SurplusOnBankerExposed,
        (Side::Banker, false) => Irregularity::SurplusOnBankerUnseen,
    }
}

/// It is told where a card too many lies. One that lies open there is seen, whether that is told or not.
pub(super) fn placed(draft: &mut Draft<'_>, side: Side, exposed: bool) -> Result<(), Refusal> {
    let table = draft.base();
    let open = table.round.surplus.iter().any(|stray| stray.on.is_none() && stray.exposed);
    let exposed = exposed || open;
    if !needs_place(table) {
        // What follows does not depend on it, or is decided; where it lies is for the record.
        if may_tell_place(table) {
            draft.emit(Fact::SurplusPlaced { on: side, exposed }, &[]);
            return Ok(());
        }
        // Where it lies is known; that people saw it is told late.
        let there = |(_, stray): &(u8, &Stray)| stray.on == Some(side);
        let unseen = left_over(table).filter(there).find(|(_, stray)| !stray.exposed).map(|(draw, _)| draw);
        return match unseen.filter(|_| exposed) {
            Some(draw) => turned_over(draft, draw),
            None if left_over(table).any(|known| there(&known)) => Err(Why::Already.into()),
            None => Err(Why::CannotBe { irregularity: of_one(side, exposed) }.into()),
        };
    }
    draft.emit(Fact::SurplusPlaced { on: side, exposed }, &[]);
    raise_surplus(draft, side, exposed)
}

/// The cards that no hand takes, by the number under which each is told of.
fn left_over(table: &Table) -> impl Iterator<Item = (u8, &Stray)> {
    let round = &table.round;
    let draws = if table.stage == Stage::Playing { round.draws.len() } else { 0 };
    let before = draws + round.waiting.len() + round.together.len();
    let cards = round.surplus.iter().chain(&table.next.carried).enumerate();
    cards.filter_map(move |(at, stray)| Some((u8::try_from(before + at + 1).ok()?, stray)))
}

/// Whether a card, by its number, is one that no hand takes.
pub(super) fn is_left_over(table: &Table, draw: u8) -> bool {
    left_over(table).any(|(number, _)| number == draw)
}

/// A card that no hand takes was turned over after it was laid: it is seen from now on.
pub(super) fn turned_over(draft: &mut Draft<'_>, draw: u8) -> Result<(), Refusal> {
    let table = draft.base();
    let found = left_over(table).find(|(number, _)| *number == draw).map(|(_, stray)| *stray);
    let stray = found.ok_or(Why::NoSuchDraw)?;
    if stray.exposed {
        return Err(Why::Already.into());
    }
    let is_carried = table.round.surplus.is_empty();
    let about = About { side: stray.on, ..About::default() };
    let on_banker = stray.on == Some(Side::Banker);
    let judged_unseen = |hold: &Hold| {
        hold.irregularity == Irregularity::SurplusOnBankerUnseen && hold.ruling.is_none() && on_banker
    };
    draft.emit(Fact::CardShown { draw }, &[]);
    if !is_carried {
        // What was to be ruled on is another case now.
        if table.hold.as_ref().is_some_and(judged_unseen) {
            draft.emit(Fact::Retracted, &[]);
            return raise(draft, Irregularity::SurplusOnBankerExposed, about, String::new());
        }
        return Ok(());
    }
    if table.next.free {
        return Ok(());
    }
    let irregularity = if !frees_next_hand(table) {
        Irregularity::ExposedByMistake
    } else if on_banker && table.stage == Stage::Playing {
        Irregularity::SurplusOnBankerExposed
    } else {
        Irregularity::NextCardSeen
    };
    raise(draft, irregularity, about, String::new())
}
