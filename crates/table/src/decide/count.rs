//! Niu Niu: whether the cards went where they belong. The turn of each packet, the count of the hands, and how a
//! deal is put right.

use croupier_cards::Card;
use croupier_rules::irregularity::{Irregularity, Ruling};
use croupier_rules::{Basis, Remedy, Rule};

use super::hands::in_play;
use super::irregular::{raise, raise_with};
use super::next::not_now;
use super::{Draft, remedy, wagers};
use crate::command::Holder;
use crate::event::{About, Fact};
use crate::niu_niu::HandDealt;
use crate::refusal::{Refusal, Why};
use crate::table::{Laid, Stage, Table};

/// How many cards make a hand.
const FIVE: usize = 5;

fn cards_of(table: &Table, holder: Holder) -> usize {
    table.round.boxes.hand(holder).map_or(0, |dealt| dealt.cards.len())
}

/// Whether somebody who is dealt to still lacks cards.
pub(super) fn is_short(table: &Table) -> bool {
    !table.round.boxes.counted && holders(table).into_iter().any(|holder| cards_of(table, holder) < FIVE)
}

/// Everybody who is dealt to, in the order of the deal.
fn holders(table: &Table) -> Vec<Holder> {
    in_play(table).into_iter().map(Holder::Box).chain([Holder::Dealer]).collect()
}

/// Whose turn it was instead, when cards go to `to` as the hands lie. A box without a wager has no turn at all, and a
/// hand that has its five cards none any more: what comes to it then is for the count.
pub(crate) fn due_before(table: &Table, to: Holder) -> Option<Holder> {
    let order = holders(table);
    let place = order.iter().position(|holder| *holder == to)?;
    let had = cards_of(table, to);
    if had >= FIVE {
        return None;
    }
    let (earlier, later) = order.split_at(place);
    if !table.setup.one_by_one {
        return earlier.iter().find(|holder| cards_of(table, **holder) < FIVE).copied();
    }
    // Where one card goes out a turn, nobody has a second one before all have the first.
    let passed_over = earlier.iter().find(|holder| cards_of(table, **holder) <= had);
    let ahead = || later.iter().find(|holder| cards_of(table, **holder) < had);
    passed_over.or_else(ahead).copied()
}

/// Notes that cards go out of turn. Whether a box was passed over or only comes late shows at the count.
pub(super) fn note_turn(draft: &mut Draft<'_>, to: Holder) -> Result<(), Refusal> {
    let table = draft.now();
    let irregularity = Irregularity::DealtOutOfTurn;
    let Some(due) = due_before(table, to).filter(|_| table.rulebook().lists(irregularity)) else {
        return Ok(());
    };
    let box_number = match due {
        Holder::Box(number) => Some(number),
        Holder::Dealer => None,
    };
    let told = format!("{to} before {due}");
    raise(draft, irregularity, About { box_number, ..About::default() }, told)
}

/// The hands are spread: each must have five cards, and every box in play a hand.
pub(super) fn check_count(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    if table.stage != Stage::Playing || table.round.boxes.counted || table.round.boxes.hands.is_empty() {
        return Err(not_now(table).into());
    }
    count(draft)
}

pub(super) fn count(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    match misdealt(draft.now()) {
        Some((irregularity, box_number)) => {
            // Where the cards are dealt anew, a box that was passed over gets its own.
            let anew = irregularity == Irregularity::EmptyBoxDealt && is_skipped(draft.now());
            let beside = anew.then_some(Irregularity::BoxSkipped);
            let about = About { box_number, ..About::default() };
            raise_with(draft, irregularity, beside, about, String::new())
        }
        None => {
            draft.emit_by(Fact::CountRight, &[Rule::FiveCards]);
            Ok(())
        }
    }
}

/// Whether a box in play has no cards.
fn is_skipped(table: &Table) -> bool {
    in_play(table).into_iter().any(|number| cards_of(table, Holder::Box(number)) == 0)
}

/// What is wrong with the deal, and at which box. What voids the round comes first; then what may be put right, cards
/// on a box without a wager before a box without cards; last a wrong count that concerns one box alone.
fn misdealt(table: &Table) -> Option<(Irregularity, Option<u8>)> {
    let boxes = &table.round.boxes;
    let playing = in_play(table);
    let cards = |number: u8| cards_of(table, Holder::Box(number));
    if cards_of(table, Holder::Dealer) != FIVE {
        return Some((Irregularity::DealerCount, None));
    }
    let wrong = playing.iter().copied().find(|number| !matches!(cards(*number), 0 | FIVE));
    if wrong.is_some() && !boxes.handled {
        return Some((Irregularity::BoxCount, wrong));
    }
    let empty = boxes.hands.iter().find_map(|dealt| match dealt.holder {
        Holder::Box(number) if !playing.contains(&number) => Some(number),
        Holder::Box(_) | Holder::Dealer => None,
    });
    let skipped = playing.iter().copied().find(|number| cards(*number) == 0);
    let [rebuilds, handled, lost] = match (empty, skipped) {
        (Some(_), _) => [
            Irregularity::EmptyBoxDealt,
            Irregularity::EmptyBoxDealtHandled,
            Irregularity::EmptyBoxCannotRebuild,
        ],
        (None, Some(_)) => {
            [Irregularity::BoxSkipped, Irregularity::BoxSkippedHandled, Irregularity::BoxSkippedCannotRebuild]
        }
        (None, None) => return wrong.map(|_| (Irregularity::BoxCountHandled, wrong)),
    };
    let irregularity = if boxes.handled {
        handled
    } else if can_redeal(table) {
        rebuilds
    // A rulebook of before the two were told apart.
    } else if table.rulebook().lists(lost) {
        lost
    } else {
        handled
    };
    Some((irregularity, empty.or(skipped)))
}

/// Whether the packets can be put where they belong: nobody has said that they cannot, all are whole and still there,
/// and the device has enough for those that come anew.
fn can_redeal(table: &Table) -> bool {
    let boxes = &table.round.boxes;
    let due = holders(table).len();
    let anew = due.saturating_sub(boxes.hands.len()) * FIVE;
    !boxes.cannot_rebuild
        && boxes.dead.is_empty()
        && boxes.voided.is_empty()
        && boxes.hands.iter().all(|dealt| dealt.cards.len() == FIVE)
        && usize::from(table.shoe.left) >= anew
}

/// Somebody says that the cards cannot be put in order. What follows shows at the count.
pub(super) fn cannot_rebuild(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    if !may_be_out_of_order(table) {
        return Err(Why::CannotBe { irregularity: Irregularity::CannotRebuild }.into());
    }
    if table.round.boxes.cannot_rebuild {
        return Err(Why::Already.into());
    }
    let lost = [Irregularity::EmptyBoxCannotRebuild, Irregularity::BoxSkippedCannotRebuild];
    let cites: Vec<Basis> = lost
        .into_iter()
        .filter_map(|irregularity| table.rulebook().irregularity(irregularity))
        .flat_map(|rule| rule.cites.iter().copied())
        .collect();
    draft.emit(Fact::OrderLostOnLayout, &cites);
    Ok(())
}

/// Cards of a Niu Niu round lie there and have not been counted.
pub(crate) fn may_be_out_of_order(table: &Table) -> bool {
    let boxes = &table.round.boxes;
    table.stage == Stage::Playing && !boxes.hands.is_empty() && !boxes.counted
}

/// The cards go to the boxes in play in the order they were dealt, the Dealer last; what is left is dead.
pub(super) fn redeal(draft: &mut Draft<'_>, cites: &[Basis]) -> Result<(), Refusal> {
    let table = draft.now();
    let holders = holders(table);
    let dealt = &table.round.boxes.hands;
    let packets = if table.setup.one_by_one {
        in_turns(dealt, holders.len())
    } else {
        dealt.iter().map(|dealt| dealt.cards.clone()).collect()
    };
    let hands: Vec<(Holder, Vec<Card>)> = holders.iter().copied().zip(packets.iter().cloned()).collect();
    let dead: Vec<Card> = packets.iter().skip(holders.len()).flatten().copied().collect();
    let complete = hands.len() == holders.len() && hands.iter().all(|(_, cards)| cards.len() == FIVE);
    draft.emit(Fact::Redealt { hands, dead }, cites);
    draft.emit(Fact::Resumed, cites);
    // The Dealer's packet may still have to come.
    if complete { count(draft) } else { Ok(()) }
}

/// Where cards went out one a turn, the same cards dealt round after round to so many hands; what is over
/// follows as one more.
fn in_turns(dealt: &[HandDealt], hands: usize) -> Vec<Vec<Card>> {
    let turns = dealt.iter().map(|dealt| dealt.cards.len()).max().unwrap_or(0);
    let order = (0..turns).flat_map(|turn| dealt.iter().filter_map(move |dealt| dealt.cards.get(turn)));
    let mut packets = vec![Vec::new(); hands + 1];
    for (at, card) in order.enumerate() {
        let to = if at < hands * FIVE { at % hands.max(1) } else { hands };
        if let Some(packet) = packets.get_mut(to) {
            packet.push(*card);
        }
    }
    packets
}

/// The round goes on although a hand has not its five cards, where the rulebook says no more: what cannot be compared goes
/// back. Without a hand of the Dealer that is all of it.
pub(super) fn go_on(draft: &mut Draft<'_>, ruling: &Ruling, about: About) -> Result<(), Refusal> {
    let table = draft.now();
    if cards_of(table, Holder::Dealer) != FIVE {
        return remedy::void(draft, &Ruling { remedy: Remedy::Void, ..ruling.clone() });
    }
    match about.box_number {
        Some(number) if in_play(table).contains(&number) => void_box(draft, about, &ruling.cites),
        Some(_) | None => dead_cards(draft, about, &ruling.cites),
    }
}

/// Only this box goes back; the others play on.
pub(super) fn void_box(draft: &mut Draft<'_>, about: About, cites: &[Basis]) -> Result<(), Refusal> {
    let Some(number) = about.box_number else { return Ok(()) };
    let own: Vec<(usize, Laid)> = draft
        .now()
        .round
        .open()
        .filter(|(_, laid)| laid.area == Some(number))
        .map(|(at, laid)| (at, laid.clone()))
        .collect();
    for (at, laid) in own {
        wagers::return_wager(draft, at, &laid, cites);
    }
    draft.emit(Fact::BoxVoided { box_number: number }, cites);
    draft.emit(Fact::Resumed, cites);
    count_again(draft)
}

pub(super) fn dead_cards(draft: &mut Draft<'_>, about: About, cites: &[Basis]) -> Result<(), Refusal> {
    if let Some(box_number) = about.box_number {
        draft.emit(Fact::CardsDead { box_number }, cites);
    }
    draft.emit(Fact::Resumed, cites);
    count_again(draft)
}

/// After one box was put right the others are looked at.
fn count_again(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    if draft.now().round.boxes.counted { Ok(()) } else { count(draft) }
}
