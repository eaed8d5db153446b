//! Staff on duty, the money of the table, and players who come and go.

use croupier_rules::{Amount, Basis, Power, Rule};

use super::draft::{Against, Checked};
use super::{Draft, present, shoe, squeeze};
use crate::actor::{Actor, PersonId, PlayerId, Staff};
use crate::event::Fact;
use crate::refusal::{Refusal, Why};
use crate::table::{Player, Stage, Table};

/// Whoever comes on duty says so; the rank comes from those who run the floor.
pub(super) fn sign_on(draft: &mut Draft<'_>, who: Staff) -> Result<(), Refusal> {
    let ranks = draft.base().rulebook().ranks.len();
    let known = |rank: crate::actor::Rank| usize::from(rank.0) < ranks;
    if !known(who.rank) || !who.acting.is_none_or(known) {
        return Err(Why::NotAuthorised { needs: None }.into());
    }
    let cites = match who.acting {
        Some(_) => draft.base().setup.authority().on_acting().collect(),
        None => Vec::new(),
    };
    draft.emit(Fact::SignedOn(who), &cites);
    Ok(())
}

pub(super) fn sign_off(draft: &mut Draft<'_>, person: PersonId) -> Result<(), Refusal> {
    if !draft.base().staff.iter().any(|known| known.person == person) {
        return Err(Why::Already.into());
    }
    draft.emit(Fact::SignedOff(person), &[]);
    Ok(())
}

/// A second person on duty saw it.
fn witnessed(draft: &Draft<'_>, witness: PersonId) -> Result<(), Refusal> {
    if is_second(draft, witness) { Ok(()) } else { Err(Why::WitnessNeeded.into()) }
}

/// Whether a witness is on duty, and somebody else than who acts.
pub(super) fn is_second(draft: &Draft<'_>, witness: PersonId) -> bool {
    let is_other = match draft.actor {
        Actor::Staff(staff) => staff.person != witness,
        Actor::Player(_) | Actor::Device | Actor::System | Actor::Surveillance | Actor::Display => true,
    };
    is_other && draft.base().staff.iter().any(|known| known.person == witness)
}

fn positive(amount: Amount) -> Result<(), Refusal> {
    if amount.is_positive() { Ok(()) } else { Err(Why::NotPositive.into()) }
}

/// What may still come to the table: all its money together is an amount, so that no payment can be too large for one.
/// No wager and no result changes it.
pub(crate) fn addable(table: &Table) -> i128 {
    let chips = table.players.iter().map(|player| player.chips);
    let wagers = table.round.open().flat_map(|(_, laid)| [laid.stake, laid.reserve]);
    let insurances = table.round.insurances.iter().filter(|laid| laid.ended.is_none()).map(|laid| laid.stake);
    let house = [table.float, table.drop, table.tips];
    let total = chips.chain(wagers).chain(insurances).chain(house).map(|amount| i128::from(amount.minor()));
    i128::from(Amount::MAX.minor()) - total.sum::<i128>()
}

fn check_total(draft: &Draft<'_>, added: Amount) -> Result<(), Refusal> {
    if i128::from(added.minor()) > addable(draft.base()) { Err(Why::TooLarge.into()) } else { Ok(()) }
}

/// What the float has beyond what the wagers may cost, which is at most so much.
pub(crate) fn spare(table: &Table, liability: i128) -> i128 {
    i128::from(table.float.minor()) - liability.max(0)
}

/// Whether so much can go out of the float.
fn check_spare(draft: &Draft<'_>, amount: Amount) -> Result<(), Refusal> {
    let table = draft.base();
    let liability = table.setup.cover.most(&table.round.liability);
    let amount = i128::from(amount.minor());
    if amount > spare(table, liability) {
        return Err(Why::FloatShort { float: table.float, needs: liability.max(0) + amount }.into());
    }
    Ok(())
}

pub(super) fn fill(draft: &mut Draft<'_>, amount: Amount, witness: PersonId) -> Result<(), Refusal> {
    witnessed(draft, witness)?;
    positive(amount)?;
    check_total(draft, amount)?;
    draft.emit(Fact::Filled { amount, witness }, &[]);
    Ok(())
}

pub(super) fn credit(draft: &mut Draft<'_>, amount: Amount, witness: PersonId) -> Result<(), Refusal> {
    witnessed(draft, witness)?;
    positive(amount)?;
    check_spare(draft, amount)?;
    draft.emit(Fact::Credited { amount, witness }, &[]);
    Ok(())
}

pub(super) fn count_drop(draft: &mut Draft<'_>, witness: PersonId) -> Result<(), Refusal> {
    witnessed(draft, witness)?;
    let amount = draft.base().drop;
    draft.emit(Fact::DropCounted { amount }, &[]);
    Ok(())
}

pub(super) fn pay_tips(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let amount = draft.base().tips;
    positive(amount)?;
    draft.emit(Fact::TipsPaid { amount }, &[]);
    Ok(())
}

/// Whether the table can close.
pub(crate) fn check_close_table(table: &Table) -> Checked {
    let between = matches!(table.stage, Stage::Shoe | Stage::Ready | Stage::ShoeOption | Stage::ShoeEnd);
    if !between || table.hold.is_some() {
        return Err(Against::NotNow("finish the round"));
    }
    if table.players.is_empty() {
        Ok(())
    } else {
        Err(Against::NotNow("the players must leave with their chips"))
    }
}

pub(super) fn close_table(draft: &mut Draft<'_>, counted: Amount, witness: PersonId) -> Result<(), Refusal> {
    witnessed(draft, witness)?;
    let table = draft.base();
    draft.pass(check_close_table(table))?;
    draft.emit(Fact::TableClosed { expected: table.float, counted }, &[]);
    Ok(())
}

/// What the notice rests on that there is no insurance, each clause once.
pub(crate) fn notice_cites(table: &Table) -> Vec<Basis> {
    let power = table.rulebook().power(Power::StopInsurance);
    let mut cites = power.map(|rule| rule.cites.clone()).unwrap_or_default();
    for basis in table.game().cites(Rule::InsuranceSign) {
        if !cites.contains(basis) {
            cites.push(*basis);
        }
    }
    cites
}

/// Whoever comes to a table without insurance is told so.
fn arrive(draft: &mut Draft<'_>, player: PlayerId) {
    let table = draft.base();
    if table.setup.insurance && !table.insurance_on && table.player(player).is_none() {
        let cites = notice_cites(table);
        draft.emit(Fact::NoticeGiven { player }, &cites);
    }
}

fn check_seat(draft: &Draft<'_>, seat: u8) -> Result<(), Refusal> {
    let seats = draft.base().setup.seats;
    if (1..=seats).contains(&seat) {
        return Ok(());
    }
    let cites = draft.base().setup.layout().map(|layout| layout.cites.clone()).unwrap_or_default();
    Err(Refusal::new(Why::NoSuchSeat { seats, places: "seats" }, &cites))
}

/// Whether a player has a wager in a round that is not over.
pub(crate) fn has_wager(table: &Table, player: PlayerId) -> bool {
    table.round.closed.is_none() && table.round.open().any(|(_, laid)| laid.player == player)
}

/// Whether nothing keeps a player in place.
pub(crate) fn check_no_wagers(table: &Table, player: PlayerId) -> Checked {
    let mut insurances = table.round.insurances.iter();
    let insured = insurances.any(|laid| laid.player == player && laid.ended.is_none());
    if has_wager(table, player) || insured { Err(Why::HasWagers.into()) } else { Ok(()) }
}

/// Whether a player may leave with the chips.
pub(crate) fn check_leave(table: &Table, player: &Player) -> Checked {
    check_no_wagers(table, player.id)?;
    if player.owes > player.chips { Err(Why::OwesCommission { owes: player.owes }.into()) } else { Ok(()) }
}

pub(super) fn sit(draft: &mut Draft<'_>, player: PlayerId, seat: u8) -> Result<(), Refusal> {
    check_seat(draft, seat)?;
    draft.pass(check_no_wagers(draft.base(), player))?;
    if let Some(other) = draft.base().players.iter().find(|known| known.seat == Some(seat)) {
        let why = if other.id == player { Why::Already } else { Why::SeatTaken { seat } };
        return Err(why.into());
    }
    draft.emit(Fact::Seated { player, seat }, &[]);
    arrive(draft, player);
    Ok(())
}

pub(super) fn stand(draft: &mut Draft<'_>, player: PlayerId, behind: Option<u8>) -> Result<(), Refusal> {
    if let Some(seat) = behind {
        check_seat(draft, seat)?;
    }
    draft.pass(check_no_wagers(draft.base(), player))?;
    draft.emit(Fact::Stood { player, behind }, &[]);
    arrive(draft, player);
    Ok(())
}

pub(super) fn accept_notice(draft: &mut Draft<'_>, player: PlayerId) -> Result<(), Refusal> {
    let known = present(draft.base(), player)?;
    if known.accepted_notice {
        return Err(Why::Already.into());
    }
    let cites = draft.base().rulebook().power(Power::StopInsurance).map(|rule| rule.cites.clone());
    draft.emit(Fact::NoticeAccepted { player }, &cites.unwrap_or_default());
    Ok(())
}

pub(super) fn buy_in(
    draft: &mut Draft<'_>,
    player: PlayerId,
    amount: Amount,
    cash: bool,
) -> Result<(), Refusal> {
    let table = draft.base();
    present(table, player)?;
    positive(amount)?;
    check_total(draft, amount)?;
    croupier_rules::entry::check_chips(table.game(), &table.setup.terms, amount)?;
    if cash {
        check_spare(draft, amount)?;
    }
    draft.emit(Fact::BoughtIn { player, amount, cash }, &[]);
    Ok(())
}

/// With the shoe ends the time for which commission is owed.
pub(super) fn collect_commission(draft: &mut Draft<'_>) {
    let table = draft.now();
    let owing: Vec<(PlayerId, Amount)> =
        table.players.iter().map(|player| (player.id, player.owes.min(player.chips))).collect();
    for (player, amount) in owing.into_iter().filter(|(_, amount)| amount.is_positive()) {
        draft.emit(Fact::CommissionCollected { player, amount }, &[]);
    }
}

pub(super) fn leave(draft: &mut Draft<'_>, player: PlayerId) -> Result<(), Refusal> {
    let known = present(draft.base(), player)?;
    let (chips, owes) = (known.chips, known.owes);
    draft.pass(check_leave(draft.base(), known))?;
    if owes.is_positive() {
        draft.emit(Fact::CommissionCollected { player, amount: owes }, &[]);
    }
    squeeze::hand_on(draft, player);
    draft.emit(Fact::Left { player, chips: chips - owes }, &[]);
    shoe::close_if_all_chose(draft);
    Ok(())
}

/// What a dispute has decided, between the float and the chips of a player who is at the table.
pub(super) fn post_correction(
    draft: &mut Draft<'_>,
    case: croupier_ledger::CaseId,
    player: PlayerId,
    amount: Amount,
) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = draft.granted.clone();
    let chips = present(table, player)?.chips;
    if amount.is_zero() {
        return Err(Why::NotPositive.into());
    }
    if -amount > chips {
        return Err(Why::NotEnoughChips { available: chips }.into());
    }
    if amount > table.float {
        return Err(Why::FloatShort { float: table.float, needs: i128::from(amount.minor()) }.into());
    }
    draft.emit(Fact::CorrectionPosted { case, player, amount }, &cites);
    Ok(())
}

pub(super) fn tip(draft: &mut Draft<'_>, player: PlayerId, amount: Amount) -> Result<(), Refusal> {
    let table = draft.base();
    let chips = present(table, player)?.chips;
    positive(amount)?;
    croupier_rules::entry::check_chips(table.game(), &table.setup.terms, amount)?;
    if amount > chips {
        return Err(Why::NotEnoughChips { available: chips }.into());
    }
    draft.emit(Fact::Tipped { player, amount }, &[]);
    Ok(())
}
