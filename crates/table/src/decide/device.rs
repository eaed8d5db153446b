//! The dealing methods, and the device in a player's hands.

use croupier_rules::baccarat::Side;
use croupier_rules::{Power, Rule};

use super::{Draft, present, squeeze};
use crate::actor::PlayerId;
use crate::event::Fact;
use crate::refusal::{Refusal, Why};
use crate::setup::Method;
use crate::table::{Player, Stage, Table, place};

pub(super) fn choose_method(draft: &mut Draft<'_>, method: Method) -> Result<(), Refusal> {
    let table = draft.base();
    if table.method.is_none() {
        return Err(Why::OneMethod.into());
    }
    let cites = draft.granted.clone();
    if method == Method::C && !(table.setup.high_limit_area && table.setup.device_reads) {
        let mut cites = cites;
        cites.extend(draft.cites(&[Rule::PlayerDrawsCards]));
        return Err(Refusal::new(Why::MethodNotHere, &cites));
    }
    if matches!(table.stage, Stage::Betting { .. } | Stage::Playing) {
        let mut cites = cites;
        cites.extend(draft.cites(&[Rule::RoundBegins]));
        return Err(Refusal::new(Why::NotNow { phase: table.phase(), instead: "finish the round" }, &cites));
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
    present(table, player)?;
    is_method_c(draft)?;
    if table.stage == Stage::Playing && !table.round.draws.is_empty() {
        return Err(Why::NotNow { phase: table.phase(), instead: "finish the round" }.into());
    }
    if table.device.is_some() {
        return draft.refuse(Why::DeviceTaken, &[Rule::DeviceKept]);
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
    let cites = draft.granted.clone();
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
    if moves_within_the_round(table) {
        pass_on(draft, player, &[Rule::DeviceGivenUp, Rule::DevicePassedOn]);
    } else {
        draft.emit_by(Fact::DeviceFree { player }, &[Rule::DeviceGivenUp]);
    }
    Ok(())
}

/// Who walks away has given the device up, in the middle of a deal too. The hands that lie before them are not passed
/// on with it: the Dealer opens those of an absent player.
pub(super) fn left_behind(draft: &mut Draft<'_>, player: PlayerId) {
    if draft.now().device != Some(player) {
        return;
    }
    if moves_within_the_round(draft.now()) {
        pass_device(draft, player, &[Rule::DeviceGivenUp, Rule::DevicePassedOn]);
    } else {
        draft.emit_by(Fact::DeviceFree { player }, &[Rule::DeviceGivenUp]);
    }
}

/// Whether somebody must go on with the device now.
fn moves_within_the_round(table: &Table) -> bool {
    table.stage == Stage::Playing && table.round.method == Some(Method::C)
}

/// Within a round the next player with a wager goes on, else the Dealer.
fn pass_device(draft: &mut Draft<'_>, holder: PlayerId, rules: &[Rule]) -> Option<PlayerId> {
    let next = next_holder(draft.now(), holder);
    draft.emit_by(Fact::DeviceFree { player: holder }, rules);
    if let Some(player) = next {
        draft.emit_by(Fact::DeviceTaken { player }, rules);
    }
    next
}

/// The device goes to whoever goes on; so do the hands that lie before the holder.
pub(super) fn pass_on(draft: &mut Draft<'_>, holder: PlayerId, rules: &[Rule]) {
    let squeezers = draft.now().round.squeezers;
    let own = [Side::Player, Side::Banker].map(|side| squeezers[place(side)] == Some(holder));
    let next = pass_device(draft, holder, rules);
    for (side, is_own) in [Side::Player, Side::Banker].into_iter().zip(own) {
        if is_own {
            draft.emit_by(Fact::SqueezerNamed { player: next, side }, rules);
        }
    }
}

/// The next player with a wager from the holder's seat on, in the direction that the house has set.
fn next_holder(table: &Table, holder: PlayerId) -> Option<PlayerId> {
    let seat = |player: PlayerId| table.player(player).and_then(Player::area).unwrap_or(0);
    let from = seat(holder);
    let bettors = table.round.open().map(|(_, laid)| laid.player).filter(|player| *player != holder);
    bettors.min_by_key(|player| {
        let steps = squeeze::counter_clockwise(table, from, seat(*player));
        let seats = u16::from(table.setup.seats.max(1));
        if table.setup.device_clockwise { (seats - steps) % seats } else { steps }
    })
}

/// The holder passes a hand on: to the Dealer, who hands it over. Directly is a breach, and is noted.
pub(super) fn pass(draft: &mut Draft<'_>, side: Side, to: Option<PlayerId>) -> Result<(), Refusal> {
    let table = draft.base();
    is_method_c(draft)?;
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
    let table = draft.base();
    if table.method != Some(Method::C) {
        let what = "only under method C the cards go from player to player; whoever squeezes has them, and a hand in \
                    the wrong hands is reported, as `reports banker handed to ann`";
        return Err(Why::OtherGame { what }.into());
    }
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
