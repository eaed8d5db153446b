//! The dealing methods, and the device in a player's hands.

use croupier_rules::baccarat::Side;
use croupier_rules::{Power, Rule};

use super::draft::{Against, Checked};
use super::{Draft, house, present, squeeze};
use crate::actor::PlayerId;
use crate::event::Fact;
use crate::refusal::{Refusal, Why};
use crate::setup::Method;
use crate::table::{Player, Stage, Table, place};

/// Whether a method can be chosen.
pub(crate) fn check_choose(table: &Table, method: Method) -> Checked {
    if table.method.is_none() {
        return Err(Why::OneMethod.into());
    }
    if method == Method::C && !(table.setup.high_limit_area && table.setup.device_reads) {
        return Err(Against::Why(Why::MethodNotHere, &[Rule::PlayerDrawsCards]));
    }
    if matches!(table.stage, Stage::Betting { .. } | Stage::Playing) {
        let why = Why::NotNow { phase: table.phase(), instead: "finish the round" };
        return Err(Against::Why(why, &[Rule::RoundBegins]));
    }
    Ok(())
}

pub(super) fn choose_method(draft: &mut Draft<'_>, method: Method) -> Result<(), Refusal> {
    let cites = draft.granted.clone();
    draft.pass(check_choose(draft.base(), method)).map_err(|mut refusal| {
        // What grants the power comes before what bounds it.
        if !refusal.cites.is_empty() {
            refusal.cites.splice(0..0, cites.iter().copied());
        }
        refusal
    })?;
    draft.emit(Fact::MethodChosen(method), &cites);
    Ok(())
}

fn check_method_c(table: &Table) -> Checked {
    if table.method == Some(Method::C) {
        return Ok(());
    }
    Err(Against::Why(Why::NotDrawer { who: "the Dealer" }, &[Rule::DealerControls]))
}

/// Whether a player can take the device: with a wager, or with permission.
pub(crate) fn check_take(table: &Table, player: PlayerId) -> Checked {
    check_method_c(table)?;
    if table.stage == Stage::Playing && !table.round.draws.is_empty() {
        return Err(Against::NotNow("finish the round"));
    }
    if table.device.is_some() {
        return Err(Against::Why(Why::DeviceTaken, &[Rule::DeviceKept]));
    }
    let may = house::has_wager(table, player) || table.may_draw == Some(player);
    if may { Ok(()) } else { Err(Why::NeedsWager.into()) }
}

/// A player with a wager, or with permission, takes the device.
pub(super) fn take(draft: &mut Draft<'_>, player: PlayerId) -> Result<(), Refusal> {
    let table = draft.base();
    present(table, player)?;
    draft.pass(check_take(table, player)).map_err(|refusal| {
        let power = table.rulebook().power(Power::DrawWithoutWager);
        let needs_wager = matches!(refusal.why, Why::NeedsWager);
        let cites = power.filter(|_| needs_wager).map(|rule| rule.cites.clone());
        Refusal { cites: cites.unwrap_or(refusal.cites), ..refusal }
    })?;
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
    draft.pass(check_method_c(table))?;
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
    let there = |player: &PlayerId| *player != holder && !table.round.absent.contains(player);
    let bettors = table.round.open().map(|(_, laid)| laid.player).filter(there);
    bettors.min_by_key(|player| {
        let steps = squeeze::counter_clockwise(table, from, seat(*player));
        let seats = u16::from(table.setup.seats.max(1));
        if table.setup.device_clockwise { (seats - steps) % seats } else { steps }
    })
}

/// Whether a hand can go from player to player.
pub(crate) fn check_pass(table: &Table, side: Side) -> Checked {
    check_method_c(table)?;
    if has_closed_cards(table, side) { Ok(()) } else { Err(Why::NothingToReveal.into()) }
}

/// Whether the Dealer has a hand to hand over: the cards must have come there first.
pub(crate) fn check_hand_over(table: &Table, side: Side) -> Checked {
    if table.method != Some(Method::C) {
        let what = "only under method C the cards go from player to player; whoever squeezes has them, and a hand in \
                    the wrong hands is reported, as `reports banker handed to ann`";
        return Err(Why::OtherGame { what }.into());
    }
    if table.round.squeezers[place(side)].is_some() || !has_closed_cards(table, side) {
        return Err(Against::Why(Why::NothingToReveal, &[Rule::ThroughDealer]));
    }
    Ok(())
}

/// The holder passes a hand on: to the Dealer, who hands it over. Directly is a breach, and is noted.
pub(super) fn pass(draft: &mut Draft<'_>, side: Side, to: Option<PlayerId>) -> Result<(), Refusal> {
    let table = draft.base();
    draft.pass(check_pass(table, side))?;
    if let Some(player) = to.filter(|player| table.player(*player).is_none()) {
        return Err(Why::NoSuchPlayer { player }.into());
    }
    draft.emit_by(Fact::HandPassed { side, to, breach: to.is_some() }, &[Rule::ThroughDealer]);
    Ok(())
}

pub(super) fn hand_over(draft: &mut Draft<'_>, side: Side, to: PlayerId) -> Result<(), Refusal> {
    let table = draft.base();
    let checked = check_hand_over(table, side);
    if table.method == Some(Method::C) && table.player(to).is_none() {
        return Err(Why::NoSuchPlayer { player: to }.into());
    }
    draft.pass(checked)?;
    draft.emit_by(Fact::HandPassed { side, to: Some(to), breach: false }, &[Rule::ThroughDealer]);
    Ok(())
}

fn has_closed_cards(table: &Table, side: Side) -> bool {
    table.stage == Stage::Playing
        && table.round.draws.iter().any(|dealt| dealt.side == side && !dealt.exposed)
}
