//! The dealing methods, and the device in a player's hands.

use croupier_rules::baccarat::Side;
use croupier_rules::{Power, Rule};

use super::{Draft, own, staff};
use crate::actor::{Actor, PlayerId};
use crate::event::Fact;
use crate::refusal::{Refusal, Why};
use crate::setup::Method;
use crate::table::{Stage, place};

pub(super) fn choose_method(draft: &mut Draft<'_>, method: Method) -> Result<(), Refusal> {
    let table = draft.base();
    if table.method.is_none() {
        return Err(Why::OneMethod.into());
    }
    let power = match method {
        Method::A | Method::B => Power::ChooseMethod,
        Method::C => Power::ChooseMethodC,
    };
    let cites = table.setup.authority().power(draft.actor, power)?;
    if method == Method::C && !(table.setup.high_limit_area && table.setup.device_reads) {
        let mut cites = cites;
        cites.extend(draft.cites(&[Rule::PlayerDrawsCards]));
        return Err(Refusal::new(Why::MethodNotHere, &cites));
    }
    if matches!(table.stage, Stage::Betting { .. } | Stage::Playing) {
        return Err(Refusal::new(Why::NotNow { phase: table.phase(), instead: "the round is over" }, &cites));
    }
    draft.emit(Fact::MethodChosen(method), &cites);
    Ok(())
}

fn is_method_c(draft: &Draft<'_>) -> Result<(), Refusal> {
    if draft.base().method == Some(Method::C) {
        Ok(())
    } else {
        draft.refuse(Why::NotDrawer { who: "the Dealer" }, &[Rule::DealerControls])
    }
}

/// A player with a wager, or with permission, takes the device.
pub(super) fn take(draft: &mut Draft<'_>, player: PlayerId) -> Result<(), Refusal> {
    let table = draft.base();
    own(table, draft.actor, player)?;
    is_method_c(draft)?;
    if table.stage == Stage::Playing && !table.round.draws.is_empty() {
        return Err(Why::NotNow { phase: table.phase(), instead: "the round is over" }.into());
    }
    if table.device.is_some() {
        return Err(Why::DeviceTaken.into());
    }
    let bets = table.round.closed.is_none() && table.round.open().any(|(_, laid)| laid.player == player);
    if !bets && table.may_draw != Some(player) {
        let cites = table.rulebook().power(Power::DrawWithoutWager).map(|rule| rule.cites.clone());
        return Err(Refusal::new(Why::NeedsWager, &cites.unwrap_or_default()));
    }
    draft.emit_by(Fact::DeviceTaken { player }, &[Rule::PlayerDrawsCards]);
    if table.stage == Stage::Playing {
        for side in [Side::Player, Side::Banker] {
            draft.emit_by(Fact::SqueezerNamed { player: Some(player), side }, &[Rule::PlayerDrawsCards]);
        }
    }
    Ok(())
}

pub(super) fn permit(draft: &mut Draft<'_>, player: PlayerId) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = table.setup.authority().power(draft.actor, Power::DrawWithoutWager)?;
    is_method_c(draft)?;
    if table.player(player).is_none() {
        return Err(Why::NoSuchPlayer { player }.into());
    }
    draft.emit(Fact::DrawingPermitted { player }, &cites);
    Ok(())
}

pub(super) fn give_up(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    let Some(player) = table.device else { return Err(Why::Already.into()) };
    match draft.actor {
        Actor::Player(actor) if actor == player => {}
        Actor::Staff(_) | Actor::System => {}
        Actor::Player(_) | Actor::Device | Actor::Surveillance => {
            return Err(Why::NotYours { who: "the player with the device" }.into());
        }
    }
    if table.stage == Stage::Playing && !table.round.draws.is_empty() {
        return Err(Why::NotNow { phase: table.phase(), instead: "the round is over" }.into());
    }
    draft.emit_by(Fact::DeviceFree { player }, &[Rule::DeviceGivenUp]);
    Ok(())
}

/// The holder passes a hand on: to the Dealer, who hands it over. Directly is a breach, and is noted.
pub(super) fn pass(draft: &mut Draft<'_>, side: Side, to: Option<PlayerId>) -> Result<(), Refusal> {
    let table = draft.base();
    is_method_c(draft)?;
    let holder = table.device;
    match draft.actor {
        Actor::Player(actor) if Some(actor) == holder => {}
        Actor::Player(_) | Actor::Staff(_) | Actor::System | Actor::Device | Actor::Surveillance => {
            return Err(Why::NotYours { who: "the player with the device" }.into());
        }
    }
    if !has_closed_cards(draft, side) {
        return Err(Why::NothingToReveal.into());
    }
    if let Some(player) = to.filter(|player| table.player(*player).is_none()) {
        return Err(Why::NoSuchPlayer { player }.into());
    }
    draft.emit_by(Fact::HandPassed { side, to, breach: to.is_some() }, &[Rule::ThroughDealer]);
    Ok(())
}

pub(super) fn hand_over(draft: &mut Draft<'_>, side: Side, to: PlayerId) -> Result<(), Refusal> {
    staff(draft.actor)?;
    let table = draft.base();
    is_method_c(draft)?;
    if table.player(to).is_none() {
        return Err(Why::NoSuchPlayer { player: to }.into());
    }
    // The cards must have come to the Dealer first.
    if table.round.squeezers[place(side)].is_some() || !has_closed_cards(draft, side) {
        return draft.refuse(Why::NothingToReveal, &[Rule::ThroughDealer]);
    }
    draft.emit_by(Fact::HandPassed { side, to: Some(to), breach: false }, &[Rule::ThroughDealer]);
    Ok(())
}

fn has_closed_cards(draft: &Draft<'_>, side: Side) -> bool {
    let table = draft.base();
    table.stage == Stage::Playing
        && table.round.draws.iter().any(|dealt| dealt.side == side && !dealt.exposed)
}
