//! What one person does not decide alone: a finding that ends a round or moves money, and a card put right after the
//! result. Which rank the second person has is the house's to set.

use croupier_cards::Card;
use croupier_rules::Remedy;
use croupier_rules::irregularity::Ruling;

use super::{Draft, irregular, remedy};
use crate::actor::{Actor, Rank, Staff};
use crate::command::{Because, RulingMade};
use crate::event::{Fact, Justified};
use crate::refusal::{Refusal, Why};
use crate::table::Table;

/// The rank of a second person at this table; none where software deals: there nobody finds anything.
pub(crate) fn asked_for(table: &Table) -> Option<Rank> {
    table.setup.controls.second_person.filter(|_| table.shoe.commitment.is_none())
}

/// Whether somebody is of the rank, and not the one who found it or acts.
fn is_second(table: &Table, staff: Staff, needs: Rank, first: Actor) -> bool {
    let same = matches!(first, Actor::Staff(other) if other.person == staff.person);
    !same && table.setup.authority().reaches(staff, needs)
}

/// Whether what follows from the rules alone waits until a second person has confirmed what was found.
pub(super) fn waits(draft: &mut Draft<'_>, ruling: &Ruling) -> bool {
    if draft.confirmed {
        return false;
    }
    let table = draft.now();
    asked_for(table).is_some() && ends_or_moves(table, ruling)
}

/// Whether a ruling ends the round or moves money.
fn ends_or_moves(table: &Table, ruling: &Ruling) -> bool {
    match ruling.remedy {
        Remedy::Void => remedy::is_round_void(table, ruling),
        Remedy::NextHandFree => table.round.open().next().is_some() && remedy::is_before_first_card(table),
        Remedy::FreeHand | Remedy::Reset | Remedy::VoidBox | Remedy::TakeBackAndBurn => true,
        // Where players may withdraw, money moves by their own choice.
        Remedy::PlayOn
        | Remedy::Rebuild
        | Remedy::FixOrder
        | Remedy::OpenNextRound
        | Remedy::Discard
        | Remedy::OfferNewShoe
        | Remedy::Substitute
        | Remedy::DealerOpens
        | Remedy::NameSqueezer
        | Remedy::StopHandling
        | Remedy::DeadCards
        | Remedy::Redeal
        | Remedy::ResetHand => false,
    }
}

/// Who found it, and the rank that confirms it.
pub(crate) fn pending(table: &Table) -> Option<(Actor, Rank)> {
    let by = table.hold.as_ref()?.pending?;
    Some((by, table.setup.controls.second_person?))
}

/// What was found is so: what follows from it is carried out.
pub(super) fn confirm(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    let Some((found_by, needs)) = pending(table) else { return Err(Why::NothingPending.into()) };
    let by = draft.actor;
    if !matches!(by, Actor::Staff(staff) if is_second(table, staff, needs, found_by)) {
        return Err(Why::SecondNeeded { needs }.into());
    }
    let follows = irregular::follows(table).cloned();
    draft.emit(Fact::FindingConfirmed { by }, &[]);
    draft.confirmed = true;
    match follows {
        Some(ruling) => irregular::follow_at_once(draft, &ruling),
        // What was open has changed meanwhile: somebody rules.
        None => Ok(()),
    }
}

/// Whether a card may be put right, and what is recorded of why: one that people had seen as another for a reason, and
/// after the result before a second person.
pub(super) fn justified(
    draft: &mut Draft<'_>,
    seen: Option<Card>,
    because: Option<&Because>,
) -> Result<Option<Box<Justified>>, Refusal> {
    let table = draft.base();
    let after_result = table.has_result();
    let by = draft.actor;
    if let Some(needs) = asked_for(table).filter(|_| seen.is_some()) {
        if because.is_none_or(|because| because.reason.trim().is_empty()) {
            return Err(Why::ReasonNeeded.into());
        }
        let witness = because.and_then(|because| because.witness);
        if after_result && !witness.is_some_and(|witness| is_second(table, witness, needs, by)) {
            return Err(Why::SecondNeeded { needs }.into());
        }
    }
    Ok(because.map(|Because { reason, witness }| {
        Box::new(Justified { by, was: seen, reason: reason.clone(), witness: *witness, after_result })
    }))
}

/// The ruling that follows at once from the rules alone.
pub(super) fn plain(ruling: &Ruling) -> RulingMade {
    RulingMade::plain(ruling.remedy, ruling.withdrawal.is_some())
}
