//! Niu Niu: packets, arranging, the Dealer's hand, settlement box by box. The count is in `count`.

use croupier_cards::Card;
use croupier_rules::irregularity::Irregularity;
use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Category, Hand, hand::card_value};
use croupier_rules::setting::Setting;
use croupier_rules::settle::{End, SettleError, SettledBoxWager, Wager, settle_box};
use croupier_rules::{Amount, Basis, Game, Power, Rule};

use super::count;
use super::draft::{Against, Checked};
use super::irregular::{first_foreign, not_foreign_after_all, raise};
use super::next::not_now;
use super::settle::{check_float, close_round, warn_if_small};
use super::wagers::{self, check_shoe};
use super::{Draft, present, second};
use crate::actor::{Actor, PlayerId};
use crate::command::{Because, Holder};
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

/// Whether the next packet is dealt now.
pub(super) fn check_next(draft: &Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    match table.stage {
        Stage::Betting { .. } => check_shoe(draft),
        Stage::Playing if !table.round.boxes.counted => Ok(()),
        Stage::Playing => Err(Why::HandThere.into()),
        Stage::Shoe | Stage::Ready | Stage::ShoeOption | Stage::ShoeEnd | Stage::Closed => {
            Err(not_now(table).into())
        }
    }
}

/// What is known once cards have left the device: whether they came in a round, what was to be done before, and the
/// first of them that cannot be there.
struct CameOut {
    in_round: bool,
    unready: Result<(), Refusal>,
    foreign: Option<Card>,
}

/// Cards leave the device; the first of them closes betting.
fn come_out(draft: &mut Draft<'_>, cards: &[Card]) -> Result<CameOut, Refusal> {
    let table = draft.base();
    if table.shoe.number == 0 {
        return Err(Why::ShoeNotReady { missing: "load it" }.into());
    }
    let betting = matches!(table.stage, Stage::Betting { .. });
    let in_round = betting || table.stage == Stage::Playing;
    let unready = if betting { check_shoe(draft) } else { Ok(()) };
    if draft.is_asked() {
        unready.clone()?;
        if !in_round || table.round.boxes.counted {
            return Err(if in_round { Why::HandThere } else { not_now(table) }.into());
        }
    }
    if betting {
        wagers::close_with(draft, CloseReason::FirstCard, &[Rule::BeforeTheFirstCard, Rule::LateWager])?;
    }
    Ok(CameOut { in_round, unready, foreign: first_foreign(table, cards) })
}

fn about(to: Holder) -> About {
    let box_number = match to {
        Holder::Box(number) => Some(number),
        Holder::Dealer => None,
    };
    About { box_number, ..About::default() }
}

/// Cards go to a hand. On a layout they lie there whoever tells of it, the device that read them or the Dealer who
/// dealt them from it; what software deals comes from the device alone.
pub(super) fn deal(draft: &mut Draft<'_>, to: Holder, cards: &[Card]) -> Result<(), Refusal> {
    let table = draft.base();
    if matches!(draft.actor, Actor::Staff(_)) && draft.is_asked() {
        return draft.refuse(Why::DeviceOnly, &[Rule::DealingDevice]);
    }
    if let Holder::Box(number) = to
        && !(1..=table.setup.seats).contains(&number)
    {
        return Err(Why::NoSuchSeat { seats: table.setup.seats, places: "boxes" }.into());
    }
    if cards.is_empty() {
        return Err(Why::RulingIncomplete { what: "the cards" }.into());
    }
    let CameOut { in_round, unready, foreign } = come_out(draft, cards)?;
    // With no round open they belong to nobody, nor on a box without a wager once the Dealer's hand is open. A hand
    // of the round has then too many, until its wagers are settled.
    let played = match to {
        Holder::Box(number) => in_play(table).contains(&number),
        Holder::Dealer => true,
    };
    if !in_round || table.round.boxes.dealer_open && !played {
        return stray(draft, (Some(to), cards, foreign), about(to), NO_HAND);
    }
    let mut rules = match to {
        Holder::Box(_) => vec![Rule::BoxCards, Rule::DealingDevice],
        Holder::Dealer => vec![Rule::DealerCards, Rule::DealingDevice],
    };
    rules.extend(foreign.map(|_| Rule::OneDeck));
    count::note_turn(draft, to)?;
    draft.emit_by(Fact::PacketDealt { to, cards: cards.to_vec() }, &rules);
    // Cards that come after the count make it wrong.
    draft.follows = table.round.boxes.counted;
    // The cards lie there all the same.
    if let Some(card) = foreign {
        return raise(draft, Irregularity::ForeignCard, About::default(), card.to_string());
    }
    match unready {
        Err(Refusal { why: Why::ShoeNotReady { .. }, .. }) => {
            raise(draft, Irregularity::UnshuffledCards, About::default(), String::new())
        }
        Err(Refusal { why: Why::ShoeLocked, .. }) => {
            let (irregularity, told) = super::deal::from_replaced(table);
            raise(draft, irregularity, About::default(), told.to_string())
        }
        // The settlement waits for chips.
        Ok(()) | Err(_) => Ok(()),
    }
}

const NO_HAND: &str = "cards that belong to no hand";

/// Cards lie where no hand may have them.
fn stray(
    draft: &mut Draft<'_>,
    (at, cards, foreign): (Option<Holder>, &[Card], Option<Card>),
    about: About,
    told: &str,
) -> Result<(), Refusal> {
    let mut rules = vec![Rule::DealingDevice];
    rules.extend(foreign.map(|_| Rule::OneDeck));
    draft.emit_by(Fact::PacketStray { at, cards: cards.to_vec() }, &rules);
    match foreign {
        Some(card) => raise(draft, Irregularity::ForeignCard, About::default(), card.to_string()),
        None => raise(draft, Irregularity::Other, about, told.to_string()),
    }
}

/// Cards are drawn and dealt to nobody: by the Dealer, the device, or a player who was not to draw.
pub(super) fn drawn(draft: &mut Draft<'_>, cards: &[Card], by: Option<PlayerId>) -> Result<(), Refusal> {
    if draft.is_asked() {
        return Err(super::IN_PACKETS.into());
    }
    if let Some(player) = by {
        present(draft.base(), player)?;
    }
    let (about, told) = match by {
        None => (About::default(), NO_HAND),
        Some(_) => (About { player: by, ..About::default() }, "drawn by somebody who was not to draw"),
    };
    let CameOut { foreign, .. } = come_out(draft, cards)?;
    stray(draft, (None, cards, foreign), about, told)
}

/// A card that was read wrongly is put right; a hand that is set may then be set wrongly.
pub(super) fn correct(
    draft: &mut Draft<'_>,
    holder: Holder,
    (from, to): (Card, Card),
    because: Option<&Because>,
) -> Result<(), Refusal> {
    let table = draft.base();
    let hands = if table.stage == Stage::Playing { table.round.boxes.hands.as_slice() } else { &[] };
    let dealt = hands.iter().find(|dealt| dealt.holder == holder && dealt.cards.contains(&from));
    let Some(dealt) = dealt else { return correct_dead(draft, holder, (from, to), because) };
    if from == to {
        return Err(Why::Already.into());
    }
    let set_as = dealt.set_as;
    let foreign = table.shoe.unread.count(to) == 0;
    let seen = draft.base().round.boxes.dealer_open.then_some(from);
    let because = second::justified(draft, seen, because)?;
    draft.emit(Fact::HandCorrected { holder, from, to, because }, &[]);
    not_foreign_after_all(draft, from);
    let table = draft.now();
    let open = table.round.boxes.dealer_open;
    let hand = table.round.boxes.hand(holder).and_then(HandDealt::hand);
    if let Some(hand) = hand.filter(|_| open) {
        let cites = hand_cites(draft.base().game(), holder, &hand);
        draft.emit(Fact::HandRanked { holder, category: hand.category() }, &cites);
    }
    let right = hand.map(|hand| hand.category());
    if set_as.zip(right).is_some_and(|(set_as, right)| set_as != right) {
        raise(draft, Irregularity::HandSetWrongly, about(holder), String::new())?;
    }
    if foreign { raise(draft, Irregularity::ForeignCard, About::default(), to.to_string()) } else { Ok(()) }
}

/// The cards of a box that is void play no part any more, but which they are still matters for the deck.
fn correct_dead(
    draft: &mut Draft<'_>,
    holder: Holder,
    (from, to): (Card, Card),
    because: Option<&Because>,
) -> Result<(), Refusal> {
    let table = draft.base();
    let boxes = &table.round.boxes;
    let voided = matches!(holder, Holder::Box(number) if boxes.voided.contains(&number));
    if table.stage != Stage::Playing || !voided || !boxes.dead.contains(&from) {
        return Err(Why::NoSuchDraw.into());
    }
    if from == to {
        return Err(Why::Already.into());
    }
    let foreign = table.shoe.unread.count(to) == 0;
    let seen = draft.base().round.boxes.dealer_open.then_some(from);
    let because = second::justified(draft, seen, because)?;
    draft.emit(Fact::HandCorrected { holder, from, to, because }, &[]);
    not_foreign_after_all(draft, from);
    if foreign { raise(draft, Irregularity::ForeignCard, About::default(), to.to_string()) } else { Ok(()) }
}

/// The box whose cards a player may look at and arrange: the only one, or of several the one before the own seat.
pub(crate) fn own_hand(table: &Table, player: &Player) -> Option<u8> {
    let mut boxes: Vec<u8> = table
        .round
        .open()
        .filter(|(_, laid)| laid.player == player.id)
        .filter_map(|(_, laid)| laid.area)
        .collect();
    boxes.sort_unstable();
    boxes.dedup();
    match boxes.as_slice() {
        [] => None,
        [only] => Some(*only),
        several => player.seat.filter(|seat| several.contains(seat)),
    }
}

/// The box whose cards a player may touch: nobody once barred.
pub(crate) fn may_touch(table: &Table, player: &Player) -> Option<u8> {
    if player.barred { None } else { own_hand(table, player) }
}

/// Whether the cards of a box lie there to be touched.
pub(crate) fn check_handled(table: &Table, number: u8) -> Checked {
    let boxes = &table.round.boxes;
    match table.stage {
        Stage::Playing if boxes.dealer_open => Err(Against::Next),
        Stage::Playing if boxes.hand(Holder::Box(number)).is_some() => Ok(()),
        Stage::Playing => Err(Against::NotNow("deal the cards of that box")),
        Stage::Shoe
        | Stage::Ready
        | Stage::Betting { .. }
        | Stage::ShoeOption
        | Stage::ShoeEnd
        | Stage::Closed => Err(Against::Next),
    }
}

/// Whether hands are set in this phase; the staff may tell of one until the wagers are settled.
pub(crate) fn are_set_now(phase: Phase, by_staff: bool) -> bool {
    matches!(phase, Phase::Arranging | Phase::Verify) || by_staff && phase == Phase::Result
}

/// Cards of a box are touched. A player asks, and may touch only what is his to arrange; the staff tell what happened,
/// and what should not have happened is noted beside it.
pub(super) fn handle(draft: &mut Draft<'_>, player: PlayerId, number: u8) -> Result<(), Refusal> {
    let table = draft.base();
    let known = present(table, player)?;
    draft.pass(check_handled(table, number))?;
    let breach = match (check_may_touch(draft, known, number), draft.actor) {
        (Ok(()), _) => None,
        (Err(refusal), Actor::Player(_)) => return Err(refusal),
        (Err(refusal), _) => Some(refusal.cites),
    };
    draft.emit_by(Fact::Handled { player, box_number: number }, &[Rule::Arranging]);
    if let Some(cites) = breach {
        let what = format!("cards of box{number} touched by a player who does not arrange them");
        draft.emit_with(Fact::Incident { what, player: Some(player) }, cites);
    }
    Ok(())
}

/// A player with one box arranges it, one with several the hand before the own seat, and nobody once barred.
fn check_may_touch(draft: &Draft<'_>, player: &Player, number: u8) -> Result<(), Refusal> {
    let table = draft.base();
    if may_touch(table, player) == Some(number) {
        return Ok(());
    }
    if player.barred {
        let cites = table.rulebook().power(Power::StopHandling).map(|rule| rule.cites.clone());
        return Err(Refusal::new(Why::MayNotHandle, &cites.unwrap_or_default()));
    }
    let own = own_hand(table, player);
    let boxes: Vec<u8> = in_play(table);
    let mine = |number: &&u8| {
        table.round.open().any(|(_, laid)| laid.player == player.id && laid.area == Some(**number))
    };
    let rules: &[Rule] = match (own, boxes.iter().filter(mine).count()) {
        (_, 0 | 1) => &[Rule::Arranging],
        (Some(_), _) => &[Rule::OwnBoxOnly],
        (None, _) => &[Rule::OwnBoxOnly, Rule::NoBoxAtSeat],
    };
    draft.refuse(Why::MayNotHandle, rules)
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

/// A hand is set: by the player whose it is to arrange, by the Dealer anywhere. The staff may tell of one that was set
/// wrongly until the wagers are settled.
pub(super) fn set(draft: &mut Draft<'_>, holder: Holder, set_as: Category) -> Result<(), Refusal> {
    let table = draft.base();
    let phase = table.phase();
    if !are_set_now(phase, !matches!(draft.actor, Actor::Player(_))) {
        return draft.refuse(not_now(table), &[Rule::Arranging]);
    }
    let Some(dealt) = table.round.boxes.hand(holder) else { return Err(Why::NoSuchWager.into()) };
    if let (Actor::Player(player), Holder::Box(number)) = (draft.actor, holder) {
        check_may_touch(draft, present(table, player)?, number)?;
    }
    let right = dealt.hand().map(|hand| hand.category());
    let rules: &[Rule] = match holder {
        Holder::Box(_) => &[Rule::Arranging],
        Holder::Dealer => &[Rule::Arranging, Rule::HandsChecked],
    };
    draft.emit_by(Fact::HandSet { holder, set_as }, rules);
    if right.is_some_and(|right| right != set_as) {
        return raise(draft, Irregularity::HandSetWrongly, about(holder), String::new());
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
    let table = draft.base();
    let phase = table.phase();
    if phase == Phase::Arranging {
        return draft.refuse(Why::NotAllSet, &[Rule::Arranging]);
    }
    if phase != Phase::Verify {
        return Err(not_now(table).into());
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
    let uncovered = table.round.open().find_map(|(_, laid)| Some((laid, uncovered(table, laid)?)));
    if let Some((laid, irregularity)) = uncovered.filter(|_| !table.round.reserves_ruled) {
        let about = About { player: Some(laid.player), box_number: laid.area, side: None };
        return raise(draft, irregularity, about, String::new());
    }
    let mut order = in_play(table);
    order.reverse();
    let mut ends: Vec<BoxEnd<'_>> = Vec::new();
    let mut equal: Vec<(usize, &Laid)> = Vec::new();
    for number in order {
        let Some(hand) = boxes.hand(Holder::Box(number)).and_then(HandDealt::hand) else { continue };
        let of_box = table.round.open().filter(|(_, laid)| laid.area == Some(number));
        if hand == dealer {
            equal.extend(of_box);
            continue;
        }
        let own: Vec<(usize, &Laid)> = of_box.collect();
        let outcome = BoxOutcome::of(&hand, &dealer);
        let rule = match outcome.winner {
            BoxWinner::Player => Rule::BoxWins,
            BoxWinner::Dealer => Rule::BoxLoses,
        };
        let rules = [Rule::Result, Rule::BoxByBox, rule].into_iter().chain(hand.rules_against(&dealer));
        let cites: Vec<Basis> = rules.flat_map(|rule| game.cites(rule)).copied().collect();
        // Only what its Reserve and the bet that bounds it cover is in action.
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
    let settled = || ends.iter().flat_map(|(.., own)| own);
    check_float(table, settled().map(|(_, _, settled)| &settled.wager))?;
    let neither = draft.cites(&[Rule::NeitherHigher]);
    for (at, laid) in equal {
        wagers::return_wager(draft, at, laid, &neither);
    }
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
    close_round(draft, Mark::Played, &[])
}

/// What is wrong with a wager that counts only in part.
fn uncovered(table: &Table, laid: &Laid) -> Option<Irregularity> {
    if table.covered(laid) == laid.stake {
        None
    } else if table.secured(laid) < laid.stake {
        Some(Irregularity::ShortReserve)
    } else {
        Some(Irregularity::AboveOtherBet)
    }
}

/// The part that nothing covers goes back, whatever the cards say.
fn with_the_rest(table: &Table, laid: &Laid, mut settled: SettledBoxWager) -> SettledBoxWager {
    let rest = laid.stake - table.covered(laid);
    if settled.wager.rounding != Amount::ZERO {
        let rounding = table.rulebook().setting(Setting::Rounding);
        settled.wager.cites.extend(rounding.iter().flat_map(|spec| &spec.cites));
    }
    if let Some(irregularity) = uncovered(table, laid) {
        let ruled = table.rulebook().irregularity(irregularity);
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
    let cites = draft.granted.clone();
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
    if draft.base().player(player).is_none() {
        return Err(Why::NoSuchPlayer { player }.into());
    }
    note_touch(draft, player);
    let what = "cards off the layout or out of sight".to_string();
    draft.emit_by(Fact::Incident { what, player: Some(player) }, &[Rule::OnTheLayout]);
    Ok(())
}
