//! Niu Niu: packets, the count, arranging, the Dealer's hand, settlement box by box.

use croupier_cards::Card;
use croupier_rules::irregularity::Irregularity;
use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Category, Hand, hand::card_value};
use croupier_rules::settle::{End, SettleError, SettledBoxWager, Wager, settle_box};
use croupier_rules::{Amount, Basis, Game, Power, Rule};

use super::irregular::raise;
use super::settle::{check_float, close_round, warn_if_small};
use super::wagers::{self, check_shoe};
use super::{Draft, own, staff};
use crate::actor::{Actor, PlayerId};
use crate::command::Holder;
use crate::event::{About, CloseReason, Fact, Mark};
use crate::niu_niu::HandDealt;
use crate::phase::Phase;
use crate::refusal::{Refusal, Why};
use crate::table::{Laid, Player, Stage, Table};

/// Boxes with a wager, in the order they are dealt.
pub(crate) fn in_play(table: &Table) -> Vec<u8> {
    let mut boxes: Vec<u8> = table.round.open().filter_map(|(_, laid)| laid.area).collect();
    boxes.sort_unstable();
    boxes.dedup();
    if table.setup.from_dealer_right {
        boxes.reverse();
    }
    boxes
}

pub(super) fn deal(draft: &mut Draft<'_>, to: Holder, cards: &[Card]) -> Result<(), Refusal> {
    match draft.actor {
        Actor::Device | Actor::System => {}
        Actor::Staff(_) | Actor::Player(_) | Actor::Surveillance => {
            return draft.refuse(Why::DeviceOnly, &[Rule::DealingDevice]);
        }
    }
    let table = draft.base();
    match table.stage {
        Stage::Betting { .. } => {
            check_shoe(draft)?;
            wagers::close_with(draft, CloseReason::FirstCard, &[Rule::BeforeTheFirstCard, Rule::LateWager])?;
        }
        Stage::Playing if !table.round.boxes.counted => {}
        Stage::Playing => return Err(Why::HandThere.into()),
        Stage::Shoe | Stage::Ready | Stage::ShoeOption | Stage::ShoeEnd | Stage::Closed => {
            return Err(Why::NotNow { phase: table.phase(), instead: "open betting first" }.into());
        }
    }
    if let Holder::Box(number) = to
        && !(1..=table.setup.seats).contains(&number)
    {
        return Err(Why::NoSuchSeat { seats: table.setup.seats }.into());
    }
    let foreign = cards.iter().enumerate().find(|(at, card)| {
        let before = cards.iter().take(*at).any(|other| other == *card);
        before || table.shoe.unread.count(**card) == 0
    });
    if let Some((_, card)) = foreign {
        let card = *card;
        draft.emit_by(Fact::ForeignDrawn { card }, &[Rule::OneDeck]);
        return raise(draft, Irregularity::ForeignCard, About::default(), card.to_string());
    }
    let rules: &[Rule] = match to {
        Holder::Box(_) => &[Rule::BoxCards, Rule::DealingDevice],
        Holder::Dealer => &[Rule::DealerCards, Rule::DealingDevice],
    };
    draft.emit_by(Fact::PacketDealt { to, cards: cards.to_vec() }, rules);
    Ok(())
}

/// The hands are spread: each must have five cards, and every box in play a hand.
pub(super) fn check_count(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    staff(draft.actor)?;
    let table = draft.base();
    if table.stage != Stage::Playing || table.round.boxes.counted || table.round.boxes.hands.is_empty() {
        return Err(Why::NotNow { phase: table.phase(), instead: "deal the packets" }.into());
    }
    count(draft)
}

fn count(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.now();
    let boxes = &table.round.boxes;
    let playing = in_play(table);
    let handled = boxes.handled;
    let about = |number: u8| About { box_number: Some(number), ..About::default() };
    let right = |dealt: &HandDealt| dealt.cards.len() == 5;
    let empty = boxes.hands.iter().find_map(|dealt| match dealt.holder {
        Holder::Box(number) if !playing.contains(&number) => Some(number),
        Holder::Box(_) | Holder::Dealer => None,
    });
    let skipped = playing.iter().copied().find(|number| boxes.hand(Holder::Box(*number)).is_none());
    let wrong = playing
        .iter()
        .copied()
        .find(|number| boxes.hand(Holder::Box(*number)).is_some_and(|dealt| !right(dealt)));
    let dealer = boxes.hand(Holder::Dealer);
    let dealer_wrong = !dealer.is_some_and(right);
    // A packet that went to an empty box may be the one the Dealer lacks, so that the deal is put right first.
    let dealer_wrong_now =
        if handled || empty.is_none() { dealer_wrong } else { dealer.is_some() && dealer_wrong };
    // In this order: what voids the round, then what is put right, then what concerns one box.
    let irregular = match (empty, skipped, wrong) {
        (_, _, Some(number)) if !handled => Some((Irregularity::BoxCount, about(number))),
        _ if dealer_wrong_now => Some((Irregularity::DealerCount, About::default())),
        (Some(number), _, _) if handled || !can_redeal(table) => {
            Some((Irregularity::EmptyBoxDealtHandled, about(number)))
        }
        (Some(number), _, _) => Some((Irregularity::EmptyBoxDealt, about(number))),
        (None, Some(number), _) if handled || !can_redeal(table) => {
            Some((Irregularity::BoxSkippedHandled, about(number)))
        }
        (None, Some(number), _) => Some((Irregularity::BoxSkipped, about(number))),
        (None, None, Some(number)) => Some((Irregularity::BoxCountHandled, about(number))),
        (None, None, None) => None,
    };
    match irregular {
        Some((irregularity, about)) => raise(draft, irregularity, about, String::new()),
        None => {
            draft.emit_by(Fact::CountRight, &[Rule::FiveCards]);
            Ok(())
        }
    }
}

/// Whether the packets can be put where they belong: each has five cards, and the device has enough for
/// those that come anew.
fn can_redeal(table: &Table) -> bool {
    let hands = &table.round.boxes.hands;
    let due = in_play(table).len() + 1;
    let anew = due.saturating_sub(hands.len()) * 5;
    hands.iter().all(|dealt| dealt.cards.len() == 5) && usize::from(table.shoe.left) >= anew
}

/// The cards go to the boxes in play in the order they were dealt, the Dealer last; what is left is dead.
pub(super) fn redeal(draft: &mut Draft<'_>, cites: &[Basis]) -> Result<(), Refusal> {
    let table = draft.now();
    let mut holders: Vec<Holder> = in_play(table).into_iter().map(Holder::Box).collect();
    holders.push(Holder::Dealer);
    let dealt = &table.round.boxes.hands;
    let packets = if table.setup.one_by_one {
        in_turns(dealt, holders.len())
    } else {
        dealt.iter().map(|dealt| dealt.cards.clone()).collect()
    };
    let hands: Vec<(Holder, Vec<Card>)> = holders.iter().copied().zip(packets.iter().cloned()).collect();
    let dead: Vec<Card> = packets.iter().skip(holders.len()).flatten().copied().collect();
    let complete = hands.len() == holders.len() && hands.iter().all(|(_, cards)| cards.len() == 5);
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
        let to = if at < hands * 5 { at % hands.max(1) } else { hands };
        if let Some(packet) = packets.get_mut(to) {
            packet.push(*card);
        }
    }
    packets
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

/// A player touches cards: only those before the own seat.
pub(super) fn handle(draft: &mut Draft<'_>, player: PlayerId, number: u8) -> Result<(), Refusal> {
    let table = draft.base();
    let known = own(table, draft.actor, player)?;
    if table.stage != Stage::Playing || table.round.boxes.hands.is_empty() || table.round.boxes.dealer_open {
        return Err(Why::NotNow { phase: table.phase(), instead: "the cards are dealt" }.into());
    }
    let mine = table.round.open().any(|(_, laid)| laid.player == player && laid.area == Some(number));
    check_may_touch(draft, known, number, mine)?;
    draft.emit_by(Fact::Handled { player, box_number: number }, &[Rule::Arranging]);
    Ok(())
}

/// A player touches only the cards before the own seat, and none once barred.
fn check_may_touch(draft: &Draft<'_>, player: &Player, number: u8, mine: bool) -> Result<(), Refusal> {
    if player.barred {
        let cites = draft.base().rulebook().power(Power::StopHandling).map(|rule| rule.cites.clone());
        return Err(Refusal::new(Why::MayNotHandle, &cites.unwrap_or_default()));
    }
    if !mine || player.seat != Some(number) {
        return draft.refuse(Why::MayNotHandle, &[Rule::OwnBoxOnly]);
    }
    Ok(())
}

/// Who is reported for what was done with cards has touched some.
pub(super) fn note_touch(draft: &mut Draft<'_>, player: PlayerId) {
    let table = draft.now();
    let boxes = &table.round.boxes;
    if table.stage != Stage::Playing || boxes.hands.is_empty() || boxes.handled {
        return;
    }
    let own = table.round.open().find(|(_, laid)| laid.player == player).and_then(|(_, laid)| laid.area);
    if let Some(box_number) = own {
        draft.emit_by(Fact::Handled { player, box_number }, &[Rule::Arranging]);
    }
}

/// A hand is set: by the player at the own seat, by the Dealer anywhere.
pub(super) fn set(draft: &mut Draft<'_>, holder: Holder, set_as: Category) -> Result<(), Refusal> {
    let table = draft.base();
    if !matches!(table.phase(), Phase::Arranging | Phase::Verify) {
        return draft.refuse(
            Why::NotNow { phase: table.phase(), instead: "the hands are counted first" },
            &[Rule::Arranging],
        );
    }
    let Some(dealt) = table.round.boxes.hand(holder) else { return Err(Why::NoSuchWager.into()) };
    match (draft.actor, holder) {
        (Actor::Player(player), Holder::Box(number)) => {
            let known = own(table, draft.actor, player)?;
            let mine = table.round.open().any(|(_, laid)| laid.player == player && laid.area == Some(number));
            check_may_touch(draft, known, number, mine)?;
        }
        (Actor::Player(_), Holder::Dealer) => return Err(Why::NotYours { who: "the Dealer" }.into()),
        (actor, _) => staff(actor)?,
    }
    let right = dealt.hand().map(|hand| hand.category());
    let rules: &[Rule] = match holder {
        Holder::Box(_) => &[Rule::Arranging],
        Holder::Dealer => &[Rule::Arranging, Rule::HandsChecked],
    };
    draft.emit_by(Fact::HandSet { holder, set_as }, rules);
    if right.is_some_and(|right| right != set_as) {
        let box_number = match holder {
            Holder::Box(number) => Some(number),
            Holder::Dealer => None,
        };
        return raise(
            draft,
            Irregularity::HandSetWrongly,
            About { box_number, ..About::default() },
            String::new(),
        );
    }
    Ok(())
}

/// The hand just set is set as it should be.
pub(super) fn reset_hand(draft: &mut Draft<'_>, cites: &[Basis]) -> Result<(), Refusal> {
    let table = draft.now();
    let about = table.hold.as_ref().map(|hold| hold.about).unwrap_or_default();
    let holder = about.box_number.map_or(Holder::Dealer, Holder::Box);
    let right = table.round.boxes.hand(holder).and_then(HandDealt::hand).map(|hand| hand.category());
    let mut cites = cites.to_vec();
    cites.extend(draft.cites(&[Rule::HandsChecked]));
    if let Some(set_as) = right {
        draft.emit(Fact::HandSet { holder, set_as }, &cites);
    }
    draft.emit(Fact::Resumed, &cites);
    Ok(())
}

pub(super) fn open_dealer(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    staff(draft.actor)?;
    let table = draft.base();
    let phase = table.phase();
    if phase == Phase::Arranging {
        return draft.refuse(Why::NotAllSet, &[Rule::Arranging]);
    }
    if phase != Phase::Verify {
        return Err(Why::NotNow { phase, instead: "the hands are counted and set first" }.into());
    }
    let hands: Vec<(Holder, Hand)> =
        table.round.boxes.hands.iter().filter_map(|dealt| Some((dealt.holder, dealt.hand()?))).collect();
    draft.emit_by(Fact::DealerOpened, &[Rule::HandsChecked]);
    for (holder, hand) in hands {
        let cites = hand_cites(table.game(), holder, &hand);
        draft.emit(Fact::HandRanked { holder, category: hand.category() }, &cites);
    }
    Ok(())
}

/// What a hand rests on.
fn hand_cites(game: &Game, holder: Holder, hand: &Hand) -> Vec<Basis> {
    let (dealt, high_card) = match holder {
        Holder::Box(_) => (Rule::BoxCards, Rule::PlayerHighCard),
        Holder::Dealer => (Rule::DealerCards, Rule::DealerHighCard),
    };
    let mut rules = vec![dealt, Rule::FiveCards];
    let tens = hand.cards().iter().filter(|card| card_value(**card) == 10).count();
    rules.extend((tens < 5).then_some(Rule::CardPips));
    rules.extend((tens > 0).then_some(Rule::CardTens));
    let category = hand.category();
    if category == Category::NoHand {
        rules.push(high_card);
    } else if !matches!(category, Category::UltimateNiuNiu | Category::HoianaNiuNiu) {
        rules.extend([Rule::Triple, Rule::OtherTwo]);
    }
    let mut cites: Vec<Basis> = Vec::new();
    for basis in rules.into_iter().flat_map(|rule| game.cites(rule)).chain(game.hand_cites(hand.category())) {
        if !cites.contains(basis) {
            cites.push(*basis);
        }
    }
    cites
}

/// A box with its outcome, what that rests on, and its wagers settled.
type BoxEnd<'t> = (u8, BoxOutcome, Vec<Basis>, Vec<(usize, &'t Laid, SettledBoxWager)>);

/// Box by box, from the other end than the deal.
pub(super) fn settle(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    let game = table.game();
    let boxes = &table.round.boxes;
    let Some(dealer) = boxes.hand(Holder::Dealer).and_then(HandDealt::hand) else {
        return Err(Why::NoResult.into());
    };
    let short = table.round.open().find(|(_, laid)| table.covered(laid) < laid.stake);
    if let Some((_, laid)) = short.filter(|_| !table.round.reserves_ruled) {
        let about = About { player: Some(laid.player), box_number: laid.area, side: None };
        return raise(draft, Irregularity::ShortReserve, about, String::new());
    }
    let mut order = in_play(table);
    order.reverse();
    let mut ends: Vec<BoxEnd<'_>> = Vec::new();
    for number in order {
        let Some(hand) = boxes.hand(Holder::Box(number)).and_then(HandDealt::hand) else { continue };
        let outcome = BoxOutcome::of(&hand, &dealer);
        let rule = match outcome.winner {
            BoxWinner::Player => Rule::BoxWins,
            BoxWinner::Dealer => Rule::BoxLoses,
        };
        let rules = [Rule::Result, Rule::BoxByBox, rule].into_iter().chain(hand.rules_against(&dealer));
        let cites: Vec<Basis> = rules.flat_map(|rule| game.cites(rule)).copied().collect();
        let own: Vec<(usize, &Laid)> =
            table.round.open().filter(|(_, laid)| laid.area == Some(number)).collect();
        // Only what its Reserve covers is in action.
        let covered = |laid: &Laid| Wager { stake: table.covered(laid), ..table.as_wager(laid) };
        let wagers: Vec<Wager> = own.iter().map(|(_, laid)| covered(laid)).collect();
        let settled = settle_box(game, &table.setup.terms, outcome, &wagers)
            .map_err(|error: SettleError| Refusal::from(Why::Inexact { error }))?;
        let own = own
            .into_iter()
            .zip(settled)
            .map(|((at, laid), settled)| (at, laid, with_the_rest(table, laid, settled)))
            .collect();
        ends.push((number, outcome, cites, own));
    }
    let wagers = || ends.iter().flat_map(|(.., own)| own);
    check_float(table, wagers().map(|(_, _, settled)| &settled.wager))?;
    for (box_number, outcome, cites, own) in ends {
        draft.emit(Fact::Compared { box_number, winner: outcome.winner }, &cites);
        for (wager, laid, settled) in own {
            let mut cites = settled.wager.cites.clone();
            cites.extend(settled.reserve.iter().flat_map(|reserve| &reserve.cites));
            draft.emit_with(
                Fact::WagerEnded { wager, settled: settled.wager, reserve: settled.reserve },
                cites,
            );
            warn_if_small(draft, laid);
        }
    }
    close_round(draft, Mark::Played)
}

/// The part that no Reserve covers goes back, whatever the cards say.
fn with_the_rest(table: &Table, laid: &Laid, mut settled: SettledBoxWager) -> SettledBoxWager {
    let rest = laid.stake - table.covered(laid);
    if rest.is_positive() {
        let ruled = table.rulebook().irregularity(Irregularity::ShortReserve);
        settled.wager.cites.extend(ruled.iter().flat_map(|rule| &rule.cites));
        settled.wager.returned += rest;
        if settled.wager.in_action == Amount::ZERO {
            settled.wager.end = End::Returned;
        }
        if let Some(reserve) = &mut settled.reserve {
            reserve.laid = laid.reserve;
            reserve.returned = laid.reserve - reserve.lost;
        }
    }
    settled
}

pub(super) fn restrict(draft: &mut Draft<'_>, player: PlayerId) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = table.setup.authority().power(draft.actor, Power::RestrictBoxes)?;
    match table.player(player) {
        None => Err(Why::NoSuchPlayer { player }.into()),
        Some(known) if known.one_box_from.is_some() => Err(Why::Already.into()),
        Some(_) => {
            draft.emit(Fact::BoxesRestricted { player }, &cites);
            Ok(())
        }
    }
}

/// Cards leave the layout, or cannot be seen: for the record.
pub(super) fn report_handling(draft: &mut Draft<'_>, player: PlayerId) -> Result<(), Refusal> {
    staff(draft.actor)?;
    if draft.base().player(player).is_none() {
        return Err(Why::NoSuchPlayer { player }.into());
    }
    note_touch(draft, player);
    let what = "cards off the layout or out of sight".to_string();
    draft.emit_by(Fact::Incident { what, player: Some(player) }, &[Rule::OnTheLayout]);
    Ok(())
}
