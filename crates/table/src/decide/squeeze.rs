//! Who may squeeze: on request the highest at the table, or by right the highest on each hand.

use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::Irregularity;
use croupier_rules::{Power, Rule};

use super::draft::{Against, Checked};
use super::irregular::raise;
use super::next::not_now;
use super::{Draft, present};
use crate::actor::PlayerId;
use crate::event::{About, Fact};
use crate::refusal::{Refusal, Why};
use crate::setup::{Allocation, Method};
use crate::table::{Laid, Stage, Table, place};

const SIDES: [Side; 2] = [Side::Player, Side::Banker];

/// Who has the right when betting closes; nobody yet where it cannot be told.
pub(super) fn on_close(table: &Table) -> [Option<PlayerId>; 2] {
    match table.round.method {
        Some(Method::A) => {
            SIDES.map(|side| order(table, side).first().copied().filter(|_| !is_unclear(table, side)))
        }
        Some(Method::B) => [None, None],
        Some(Method::C) => [table.device, table.device],
        None => SIDES.map(|side| on_request(table, side)),
    }
}

/// The next hand whose squeezer cannot be told is put on hold, the Player's before the Banker's.
pub(super) fn raise_unclear(draft: &mut Draft<'_>, ruled: Option<Side>) -> Result<(), Refusal> {
    let table = draft.now();
    let left: &[Side] = match ruled {
        None => &SIDES,
        Some(Side::Player) => &[Side::Banker],
        Some(Side::Banker) => &[],
    };
    let method_a = table.round.method == Some(Method::A);
    match left.iter().copied().find(|side| method_a && is_unclear(table, *side)) {
        Some(side) => {
            let about = About { side: Some(side), ..About::default() };
            raise(draft, Irregularity::SqueezeOrderUnknown, about, String::new())
        }
        None => Ok(()),
    }
}

fn on_side(table: &Table, side: Side) -> impl Iterator<Item = &Laid> {
    table.round.lying().filter(move |laid| table.main_side(laid.bet) == Some(side))
}

/// Who has laid on a hand, and has neither refused its cards nor is forbidden to have them.
fn candidates(table: &Table, side: Side) -> impl Iterator<Item = &Laid> {
    on_side(table, side).filter(move |laid| {
        !table.round.refused.contains(&(laid.player, side)) && !table.round.forbidden.contains(&laid.player)
    })
}

/// The highest wagers on a hand.
fn equals(table: &Table, side: Side) -> Vec<&Laid> {
    let highest = candidates(table, side).map(|laid| laid.stake).max();
    candidates(table, side).filter(|laid| Some(laid.stake) == highest).collect()
}

/// Whether several have the highest wager on a hand, so that the first of them is asked.
pub(super) fn has_equals(table: &Table) -> bool {
    SIDES.iter().any(|side| equals(table, *side).len() > 1)
}

/// The first of equally high wagers cannot be told.
fn is_unclear(table: &Table, side: Side) -> bool {
    let equals = equals(table, side);
    equals.len() > 1 && equals.iter().any(|laid| laid.untimed)
}

/// Who was to be named for a hand: with the others gone, or forbidden to squeeze, it can be told, and nobody need rule.
pub(super) fn settle_unclear(draft: &mut Draft<'_>) -> Result<bool, Refusal> {
    let table = draft.now();
    let unclear = table
        .hold
        .as_ref()
        .filter(|hold| hold.irregularity == Irregularity::SqueezeOrderUnknown && hold.ruling.is_none());
    let Some(side) = unclear.and_then(|hold| hold.about.side) else { return Ok(false) };
    if table.stage == Stage::Playing && is_unclear(table, side) {
        return Ok(false);
    }
    let player = order(table, side).first().copied();
    let cites = draft.cites(&[Rule::SqueezeLost]);
    draft.emit(Fact::SqueezerNamed { player, side }, &cites);
    draft.emit(Fact::Resumed, &cites);
    raise_unclear(draft, Some(side))?;
    Ok(true)
}

/// Those who may have the cards of a hand, in their order: by amount; among equals who first had that much there, then
/// the others counter-clockwise from that seat. Who refused or is forbidden is left out.
pub(crate) fn order(table: &Table, side: Side) -> Vec<PlayerId> {
    let mut wagers: Vec<&Laid> = candidates(table, side).collect();
    wagers.sort_by(|a, b| b.stake.cmp(&a.stake).then(a.since.cmp(&b.since)));
    let mut order = Vec::new();
    while let Some(first) = wagers.first().copied() {
        let equal = wagers.iter().take_while(|laid| laid.stake == first.stake).count();
        let mut equals: Vec<&Laid> = wagers.drain(..equal).collect();
        let from = seat(table, first);
        equals.sort_by_key(|laid| (counter_clockwise(table, from, seat(table, laid)), laid.since));
        order.extend(equals.into_iter().map(|laid| laid.player));
    }
    order
}

/// How many seats further a seat is, counter-clockwise: towards lower numbers.
pub(super) fn counter_clockwise(table: &Table, from: u8, seat: u8) -> u16 {
    let seats = u16::from(table.setup.seats.max(1));
    (u16::from(from) + seats - u16::from(seat)) % seats
}

fn seat(table: &Table, laid: &Laid) -> u8 {
    table.player(laid.player).and_then(crate::table::Player::area).unwrap_or(0).min(table.setup.seats)
}

/// The seated player with the highest wager on either hand, or on this one; among equals who first had that much there.
pub(crate) fn highest(table: &Table, only: Option<Side>) -> Option<(PlayerId, Side)> {
    let seated = |laid: &&Laid| table.player(laid.player).is_some_and(|player| player.seat.is_some());
    let mut best: Option<(&Laid, Side)> = None;
    for laid in table.round.lying().filter(seated) {
        let Some(side) = table.main_side(laid.bet) else { continue };
        let counts = only.is_none_or(|only| only == side);
        let is_better =
            |known: &Laid| laid.stake > known.stake || laid.stake == known.stake && laid.since < known.since;
        if counts && best.is_none_or(|(known, _)| is_better(known)) {
            best = Some((laid, side));
        }
    }
    best.map(|(laid, side)| (laid.player, side))
}

/// What the right to squeeze on request rests on.
pub(super) const RIGHT: Rule = Rule::SqueezeRight;

/// Whether the cards of a hand are the player's to open on request.
pub(super) fn is_entitled(table: &Table, player: PlayerId, side: Side) -> bool {
    table.stage == Stage::Playing && table.method.is_none() && on_request(table, side) == Some(player)
}

/// Whether a hand is not dealt yet, or has a card face down.
pub(crate) fn has_closed_cards(table: &Table, side: Side) -> bool {
    table.round.draws.len() < 4 || table.round.draws.iter().any(|dealt| dealt.side == side && !dealt.exposed)
}

/// Who asked and still has the highest wager.
fn on_request(table: &Table, side: Side) -> Option<PlayerId> {
    let right = match table.setup.allocation {
        Allocation::TableHighest => highest(table, None),
        Allocation::PerHandHighest => highest(table, Some(side)),
    };
    right
        .filter(|(player, own)| {
            *own == side && table.round.asked.contains(player) && !table.round.forbidden.contains(player)
        })
        .map(|(player, _)| player)
}

/// Whether players may ask to squeeze at this table.
pub(crate) fn is_on_request(table: &Table) -> bool {
    table.setup.squeeze && table.method.is_none()
}

/// Whether it is the time to ask.
pub(crate) fn check_time(table: &Table) -> Checked {
    match table.stage {
        Stage::Betting { .. } => Ok(()),
        Stage::Playing if table.round.draws.is_empty() => Ok(()),
        Stage::Playing => Err(Against::Why(Why::AskedTooLate, &[Rule::SqueezeRight])),
        Stage::Shoe | Stage::Ready | Stage::ShoeOption | Stage::ShoeEnd | Stage::Closed => {
            Err(Against::Why(Why::NotOpen, &[Rule::SqueezeRight]))
        }
    }
}

/// Who may ask as the wagers lie.
pub(crate) fn askers(table: &Table) -> [Option<PlayerId>; 2] {
    let best = |only| highest(table, only).map(|(player, _)| player);
    match table.setup.allocation {
        Allocation::TableHighest => [best(None), None],
        Allocation::PerHandHighest => SIDES.map(|side| best(Some(side))),
    }
}

pub(super) fn ask(draft: &mut Draft<'_>, player: PlayerId) -> Result<(), Refusal> {
    let table = draft.base();
    let known = present(table, player)?;
    let rules = [Rule::SqueezeRight];
    let by_right = match table.method {
        Some(Method::A) => Some("no request is needed: the highest wager on a hand has its cards by right"),
        Some(Method::C) => Some("no request is needed: the cards go to the player with the device"),
        Some(Method::B) | None => None,
    };
    if let Some(what) = by_right {
        return draft.refuse(Why::OtherGame { what }, &rules);
    }
    if !is_on_request(table) {
        return draft.refuse(Why::NoSqueeze, &[Rule::SqueezeRight, Rule::NoHandling]);
    }
    if known.seat.is_none() {
        return draft.refuse(Why::Standing, &rules);
    }
    if table.round.forbidden.contains(&player) && table.stage != Stage::Ready {
        let cites = table.rulebook().power(Power::ForbidSqueeze).map(|rule| rule.cites.clone());
        return Err(Refusal::new(Why::Forbidden, &cites.unwrap_or_default()));
    }
    draft.pass(check_time(table))?;
    if !askers(table).contains(&Some(player)) {
        return draft.refuse(Why::NotHighest, &[Rule::SqueezeRight, Rule::SqueezeEqual]);
    }
    if table.round.asked.contains(&player) {
        return Err(Why::Already.into());
    }
    draft.emit_by(Fact::SqueezeAsked { player }, &rules);
    if table.stage == Stage::Playing {
        for side in SIDES {
            if let Some(squeezer) = on_request(draft.now(), side) {
                draft.emit_by(Fact::SqueezerNamed { player: Some(squeezer), side }, &rules);
            }
        }
    }
    Ok(())
}

pub(super) fn refuse(draft: &mut Draft<'_>, player: PlayerId, side: Side) -> Result<(), Refusal> {
    let table = draft.base();
    present(table, player)?;
    if table.stage != Stage::Playing || table.round.squeezers[place(side)] != Some(player) {
        let rule = match table.round.method {
            Some(Method::C) => Rule::ThroughDealer,
            Some(Method::A | Method::B) | None => Rule::SqueezeRight,
        };
        return draft.refuse(Why::NotSqueezer, &[rule]);
    }
    let own_stake = on_side(table, side).filter(|laid| laid.player == player).map(|laid| laid.stake).max();
    let next = match table.round.method {
        Some(Method::A) => order(table, side).into_iter().find(|next| *next != player),
        Some(Method::B | Method::C) | None => None,
    };
    let next_stake = next.and_then(|next| {
        on_side(table, side).filter(|laid| laid.player == next).map(|laid| laid.stake).max()
    });
    let rule =
        if next.is_some() && next_stake == own_stake { Rule::SqueezeNextEqual } else { Rule::SqueezeRefused };
    draft.emit_by(Fact::SqueezeRefused { player, side, next }, &[rule]);
    Ok(())
}

pub(super) fn forbid(draft: &mut Draft<'_>, player: PlayerId) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = draft.granted.clone();
    if table.player(player).is_none() {
        return Err(Why::NoSuchPlayer { player }.into());
    }
    if !matches!(table.stage, Stage::Betting { .. } | Stage::Playing) {
        return Err(not_now(table).into());
    }
    if table.round.forbidden.contains(&player) {
        return Err(Why::Already.into());
    }
    draft.emit(Fact::SqueezeForbidden { player }, &cites);
    Ok(())
}

/// The right to a hand goes to anybody, whatever the order says.
pub(super) fn allow(draft: &mut Draft<'_>, player: PlayerId, side: Side) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = draft.granted.clone();
    if table.player(player).is_none() {
        return Err(Why::NoSuchPlayer { player }.into());
    }
    if !table.deals_face_down() {
        let mut rests_on = draft.cites(&[Rule::NoHandling]);
        rests_on.extend(cites);
        return Err(Refusal::new(Why::NoSqueeze, &rests_on));
    }
    if table.stage != Stage::Playing || !has_closed_cards(table, side) {
        return Err(Why::NotNow { phase: table.phase(), instead: "deal the cards face down" }.into());
    }
    draft.emit(Fact::SqueezerNamed { player: Some(player), side }, &cites);
    Ok(())
}

/// Who has nothing left on the table, or has left it, has no right to the cards any more: each hand goes to the next
/// who has it, else to the Dealer, and so does the device.
pub(super) fn hand_on(draft: &mut Draft<'_>, gone: PlayerId) {
    let table = draft.now();
    if table.stage != Stage::Playing {
        return;
    }
    if table.round.method == Some(Method::C) && table.device == Some(gone) {
        return super::device::pass_on(draft, gone, &[Rule::DevicePassedOn]);
    }
    for side in SIDES {
        let table = draft.now();
        if table.round.squeezers[place(side)] != Some(gone) {
            continue;
        }
        let next = match table.round.method {
            Some(Method::A) => order(table, side).into_iter().find(|next| *next != gone),
            Some(Method::B | Method::C) => None,
            None => on_request(table, side).filter(|next| *next != gone),
        };
        draft.emit_by(Fact::SqueezerNamed { player: next, side }, &[Rule::SqueezeLost]);
    }
}
