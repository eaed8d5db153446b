//! Betting: the calls, wagers laid and taken back, limits, areas, boxes and the differential.

use croupier_rules::baccarat::Side;
use croupier_rules::entry::{EntryRefusal, check_chips, check_limits, check_step, check_together};
use croupier_rules::irregularity::ShoeFate;
use croupier_rules::setting::Setting;
use croupier_rules::settle::Settled;
use croupier_rules::{Amount, Family, Power, Ratio, Rule};

use super::draft::{Against, Checked};
use super::next::not_now;
use super::squeeze;
use super::{Draft, present};
use crate::actor::{Actor, PlayerId};
use crate::certain::certain;
use crate::command::Place;
use crate::event::{CloseReason, Fact};
use crate::refusal::{Refusal, Why};
use crate::setup::{Method, WhenBlocked};
use crate::table::{Laid, Player, Stage, Table};

/// The cards have to be replaced first: by what was ruled, and by who may have it done.
pub(super) fn locked(draft: &Draft<'_>) -> Refusal {
    let table = draft.base();
    let mut cites = table.shoe.fate_cites.clone();
    let power = table.rulebook().power(Power::ReplaceShoe);
    let more = power.iter().flat_map(|rule| &rule.cites).copied().chain(draft.cites(&[Rule::ReplacedAfter]));
    for basis in more {
        if !cites.contains(&basis) {
            cites.push(basis);
        }
    }
    Refusal::new(Why::ShoeLocked, &cites)
}

/// Whether a round can begin.
pub(crate) fn check_ready(table: &Table) -> Checked {
    if table.shoe.fate == ShoeFate::Replace {
        return Err(Why::ShoeLocked.into());
    }
    match table.stage {
        Stage::Ready => Ok(()),
        Stage::ShoeOption => Err(Against::Why(Why::ShoeChoice, &[Rule::ShoeChoice])),
        Stage::ShoeEnd => Err(Against::Why(Why::ShoeEnded, &[Rule::LastHand])),
        Stage::Shoe => check_cards(table),
        Stage::Betting { .. } | Stage::Playing | Stage::Closed => Err(Against::NotNow("finish the round")),
    }
}

/// Whether a round with wagers can begin.
pub(crate) fn check_open(table: &Table) -> Checked {
    check_ready(table)?;
    if table.next.free { Err(Against::Why(Why::FreeHand, &[Rule::FreeHand])) } else { Ok(()) }
}

/// Whether the cards are ready to be dealt from. A forgotten burn shows when the first card is drawn.
pub(crate) fn check_cards(table: &Table) -> Checked {
    if table.shoe.fate == ShoeFate::Replace {
        return Err(Why::ShoeLocked.into());
    }
    match table.shoe.missing(0, table.setup.cut_card.is_some()) {
        None => Ok(()),
        Some(missing) => Err(Why::ShoeNotReady { missing }.into()),
    }
}

/// Whether the house can pay whatever the cards decide, which costs it at most so much.
pub(crate) fn check_cover(table: &Table, needs: i128) -> Checked {
    if needs > i128::from(table.float.minor()) {
        return Err(Why::FloatShort { float: table.float, needs }.into());
    }
    Ok(())
}

/// Whether cards may come out of the shoe.
pub(crate) fn check_deal(table: &Table) -> Checked {
    check_cover(table, table.setup.cover.most(&table.round.liability))?;
    check_cards(table)
}

/// Wagers with too small a Reserve, or above the one that bounds them.
pub(crate) fn uncovered(table: &Table) -> impl Iterator<Item = &Laid> {
    // Only a table that takes wagers as they lie can have any.
    let lying = table.round.lying().filter(|_| table.setup.accepts_outside_limits);
    lying.filter(|laid| table.covered(laid) < laid.stake)
}

/// The hand before the last is followed by the last.
pub(super) fn announce_if_last(draft: &mut Draft<'_>) {
    if draft.base().shoe.rounds_left == Some(1) {
        // A Free Hand does not make the shoe longer.
        let rule = if draft.base().next.free { Rule::NoHandAfterLast } else { Rule::LastHand };
        draft.emit_by(Fact::LastHand { next: false }, &[rule]);
    }
}

pub(super) fn open(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    draft.pass(check_open(table))?;
    // The automatic device shuffles the deck anew, or has the other one ready.
    if table.deck_due() {
        let set = super::shoe::next_set(table);
        let number = table.shoe.number + 1;
        let rule = if table.setup.alternates { Rule::TwoDecks } else { Rule::OneDeck };
        draft.emit_by(Fact::ShoeLoaded { number, set, commitment: None }, &[rule]);
        draft.emit_by(Fact::Shuffled { by: Actor::Device }, &[]);
    }
    let rules: &[Rule] =
        if table.method.is_some() { &[Rule::OpeningCall, Rule::Method] } else { &[Rule::OpeningCall] };
    draft.emit_by(Fact::BetsOpened { round: table.round.number + 1 }, rules);
    announce_if_last(draft);
    Ok(())
}

pub(super) fn close(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    if !matches!(table.stage, Stage::Betting { .. }) {
        return Err(match table.stage {
            Stage::Playing => {
                Why::NotNow { phase: table.phase(), instead: "finish the round and open betting" }
            }
            Stage::Shoe
            | Stage::Ready
            | Stage::Betting { .. }
            | Stage::ShoeOption
            | Stage::ShoeEnd
            | Stage::Closed => not_now(table),
        }
        .into());
    }
    check_shoe(draft)?;
    settle_uncovered(draft)?;
    // What was short is gone by now.
    if let Some((side, over)) = draft.now().over_differential() {
        let automatic = draft.actor == Actor::System;
        match table.setup.when_blocked {
            WhenBlocked::Deal if automatic => {}
            WhenBlocked::ReturnNewest if automatic => return_newest(draft, side, over),
            WhenBlocked::Wait | WhenBlocked::Deal | WhenBlocked::ReturnNewest => {
                return draft
                    .refuse(Why::Differential { side, over }, &[Rule::Differential, Rule::AlterWagers]);
            }
        }
    }
    close_with(draft, CloseReason::Call, &[Rule::ClosingCall])
}

/// A wager with too small a Reserve, or above the one that bounds it, keeps betting open until it is completed or taken
/// back; an automatic table gives it back.
fn settle_uncovered(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    for laid in uncovered(table) {
        let Some(bet) = table.game().bets.get(laid.bet) else { continue };
        let short = table.secured(laid) < laid.stake;
        let (why, cites) = match (&bet.reserve, &bet.at_most) {
            (Some(reserve), _) if short => {
                let due =
                    certain(times(reserve_times(bet), laid.stake), "a Reserve was due that is no amount");
                (Why::WrongReserve { due }, reserve.cites.clone())
            }
            (_, Some((other, cites))) => {
                let other = table.game().bets[*other].id.clone();
                (Why::Entry(EntryRefusal::AboveOther { bet: bet.id.clone(), other }), cites.clone())
            }
            (_, None) => continue,
        };
        if draft.actor != Actor::System {
            return Err(Refusal::new(why, &cites));
        }
        let (player, bet, area) = (laid.player, laid.bet, laid.area);
        let fact = Fact::TakenBack { player, bet, area, amount: laid.stake, reserve: laid.reserve };
        draft.emit_with(fact, cites);
    }
    Ok(())
}

/// Cards may come out of the shoe, and the house can pay whatever they decide.
pub(super) fn check_shoe(draft: &Draft<'_>) -> Result<(), Refusal> {
    draft.pass(check_deal(draft.base()))
}

/// Betting closes, who squeezes is known, and cards left over come first.
pub(super) fn close_with(draft: &mut Draft<'_>, reason: CloseReason, rules: &[Rule]) -> Result<(), Refusal> {
    let table = draft.now();
    let squeezers = squeeze::on_close(table);
    let has_squeezer = squeezers.iter().any(Option::is_some);
    let carried = table.next.carried.clone();
    let method = table.round.method;
    let in_view_of = match method {
        Some(Method::C) => table.staff.iter().map(|staff| staff.person).collect(),
        Some(Method::A | Method::B) | None => Vec::new(),
    };
    let mut rules = rules.to_vec();
    match method {
        Some(Method::A) if has_squeezer => {
            rules.push(Rule::SqueezeRight);
            rules.extend(squeeze::has_equals(table).then_some(Rule::SqueezeEqual));
        }
        Some(Method::C) => rules.extend([Rule::PlayerDrawsCards, Rule::InFullView]),
        None if has_squeezer => rules.push(Rule::SqueezeRight),
        Some(Method::A | Method::B) | None => {}
    }
    draft.emit_by(Fact::BetsClosed { reason, squeezers, in_view_of }, &rules);
    let free = draft.cites(&[Rule::NoWagers]);
    let table = draft.now();
    if !free.is_empty() && !table.round.free && table.round.lying().next().is_none() {
        draft.emit_with(Fact::TurnedFree, free);
    }
    let four = carried.len() >= 4;
    super::deal::draw_carried(draft, carried.into_iter());
    if four {
        super::deal::after_cards_if_new(draft)?;
    }
    squeeze::raise_unclear(draft, None)
}

/// The newest wagers of the heavier side go back until the differential is kept.
fn return_newest(draft: &mut Draft<'_>, side: Side, over: Amount) {
    let table = draft.now();
    let heavier = |laid: &&Laid| table.main_side(laid.bet) == Some(side);
    let newest: Vec<Laid> = table.round.lying().rev().filter(heavier).cloned().collect();
    let mut left = over;
    let cites = draft.cites(&[Rule::Differential, Rule::AlterWagers]);
    for laid in newest {
        if !left.is_positive() {
            break;
        }
        let amount = laid.stake.min(left);
        left = left - amount;
        let fact = Fact::TakenBack {
            player: laid.player,
            bet: laid.bet,
            area: laid.area,
            amount,
            reserve: Amount::ZERO,
        };
        draft.emit(fact, &cites);
    }
}

/// In Niu Niu the rule about wagers in play begins with the first card; before it the call alone holds them.
fn is_held_by_the_call(table: &Table) -> bool {
    match table.setup.family() {
        Family::Baccarat => false,
        Family::NiuNiu => table.round.boxes.hands.is_empty(),
    }
}

/// What keeps a wager on the layout once betting is closed.
pub(super) fn what_holds(table: &Table) -> &'static [Rule] {
    if is_held_by_the_call(table) { &[Rule::ClosingCall] } else { &[Rule::WithdrawnLate] }
}

/// Whether the rulebook has the Dealer ask the players, who then alter their wagers on these two hands alone.
fn asks_players(table: &Table) -> bool {
    !table.game().cites(Rule::AskToReduce).is_empty()
}

/// The heavier hand and by how much it is over, as long as that can be put right: while betting is open, and where
/// players are asked until the first card is drawn.
pub(crate) fn gap(table: &Table) -> Option<(Side, Amount)> {
    let in_time = match table.stage {
        Stage::Betting { .. } => true,
        Stage::Playing => !table.round.begun && asks_players(table),
        Stage::Shoe | Stage::Ready | Stage::ShoeOption | Stage::ShoeEnd | Stage::Closed => false,
    };
    table.over_differential().filter(|_| in_time)
}

/// The same, once players were asked: nothing else is altered until the gap is closed.
pub(crate) fn asked_gap(table: &Table) -> Option<(Side, Amount)> {
    gap(table).filter(|_| table.round.asked_to_reduce && asks_players(table))
}

/// Whether a bet may be laid or raised while the gap between the hands is put right: on the lighter hand.
pub(crate) fn check_raise(table: &Table, bet: usize) -> Checked {
    match asked_gap(table) {
        Some((heavier, over)) if table.main_side(bet).is_none_or(|side| side == heavier) => {
            Err(Against::Why(Why::Differential { side: heavier, over }, &[Rule::AskToReduce, Rule::MayAdd]))
        }
        Some(_) | None => Ok(()),
    }
}

/// Whether a bet may be lowered while the gap between the hands is put right: on the heavier hand.
pub(crate) fn check_lower(table: &Table, bet: usize) -> Checked {
    match asked_gap(table) {
        Some((heavier, _)) if table.main_side(bet) != Some(heavier) => {
            Err(Against::Why(Why::LighterSide { heavier }, &[Rule::AskToReduce, Rule::MayAdd]))
        }
        Some(_) | None => Ok(()),
    }
}

/// Whether wagers are taken now.
pub(crate) fn check_betting(table: &Table) -> Checked {
    match table.stage {
        Stage::Betting { .. } | Stage::Playing if table.round.free => {
            Err(Against::Why(Why::FreeHand, &[Rule::FreeHand]))
        }
        Stage::Betting { .. } => Ok(()),
        Stage::Playing if asked_gap(table).is_some() => Ok(()),
        Stage::Playing if is_held_by_the_call(table) => Err(Against::Why(Why::Late, &[Rule::ClosingCall])),
        Stage::Playing if table.round.draws.is_empty() && table.round.boxes.hands.is_empty() => {
            Err(Against::Why(Why::Late, &[Rule::ClosingCall, Rule::LateWager]))
        }
        Stage::Playing => Err(Against::Why(Why::Late, &[Rule::BeforeTheFirstCard, Rule::LateWager])),
        Stage::Ready if table.next.free => Err(Against::Why(Why::FreeHand, &[Rule::FreeHand])),
        Stage::Ready | Stage::Shoe | Stage::ShoeOption | Stage::ShoeEnd | Stage::Closed => {
            Err(Against::Why(Why::NotOpen, &[Rule::OpeningCall]))
        }
    }
}

/// Whether a player has to accept first that the table has no insurance.
pub(crate) fn is_notice_due(table: &Table, player: &Player) -> bool {
    table.setup.insurance && !table.insurance_on && !player.accepted_notice
}

pub(super) fn place(draft: &mut Draft<'_>, asked: &Place) -> Result<(), Refusal> {
    let table = draft.base();
    let (setup, game) = (&table.setup, table.game());
    let terms = &setup.terms;
    let Some(bet) = game.bets.get(asked.bet) else {
        return draft.refuse(Why::NoSuchWager, &[Rule::Menu]);
    };
    let player = present(table, asked.player)?;
    draft.pass(check_betting(table))?;
    draft.pass(check_raise(table, asked.bet))?;
    if !asked.in_chips {
        return draft.refuse(Why::NotChips, &[Rule::Chips]);
    }
    if is_notice_due(table, player) {
        let cites = table.rulebook().power(Power::StopInsurance).map(|rule| rule.cites.clone());
        return Err(Refusal::new(Why::NoticeFirst, &cites.unwrap_or_default()));
    }
    let mut cites = bet.cites.clone();
    let by = placed_by(draft, &mut cites);
    let by_box = setup.by_box();
    let area = if by_box {
        Some(named_box(draft, player, asked, &mut cites)?)
    } else {
        if asked.reserve.is_some() {
            return Err(Why::OtherGame { what: "baccarat has no Reserves" }.into());
        }
        asked.area.or(player.area())
    };
    let same = |laid: &&Laid| laid.player == asked.player && (!by_box || laid.area == area);
    let held = table.round.lying().filter(same).find(|laid| laid.bet == asked.bet);
    if by_box && held.is_some() {
        let what = format!("box{} has `{}` already", area.unwrap_or_default(), bet.id);
        cites.extend(game.cites(Rule::OncePerBox));
        return Err(Refusal::new(Why::Box { what }, &cites));
    }
    if held.is_some() {
        cites.extend(game.cites(Rule::SameWager));
    }
    let before = held.map_or(Amount::ZERO, |laid| laid.stake);
    let stake = before.checked_add(asked.amount).ok_or(Why::TooLarge)?;
    check_chips(game, terms, asked.amount).map_err(|refused| with_setting(table, refused, Setting::Chip))?;
    check_step(game, terms, asked.bet, stake)
        .map_err(|refused| with_setting(table, refused, Setting::WagerStep))?;
    let mut together: Vec<(usize, Amount)> = Vec::with_capacity(game.bets.len());
    let own = table.round.lying().filter(same);
    together.extend(own.map(|laid| (laid.bet, if laid.bet == asked.bet { stake } else { laid.stake })));
    if held.is_none() {
        together.push((asked.bet, stake));
    }
    setup.together().check(&together)?;
    // What is taken as it lies may lie too high, and is flagged.
    let checked = if setup.accepts_outside_limits {
        check_together(game, terms.bonus_requires_main, &together)
    } else {
        Ok(())
    };
    let above = checked.err().map(|(_, above)| above);
    cites.extend(above.iter().flatten());
    let flagged = match check_limits(game, terms, asked.bet, stake) {
        Err(refused) if !setup.accepts_outside_limits => return Err(refused.into()),
        outside => outside.err(),
    };
    if let Some((_, outside)) = &flagged {
        cites.extend(outside);
    }
    if !by_box {
        check_area(draft, asked.bet, area, asked.player, held.is_none())?;
        if !together.iter().any(|(bet, _)| table.main_side(*bet).is_some()) {
            cites.extend(game.cites(Rule::Alone));
        }
    }
    let reserve = reserve_due(bet, asked, setup.accepts_outside_limits, &mut cites)?;
    let is_short = times(reserve_times(bet), asked.amount) != Some(reserve);
    let cost = asked.amount.checked_add(reserve).ok_or(Why::TooLarge)?;
    if cost > player.chips {
        return Err(Why::NotEnoughChips { available: player.chips }.into());
    }
    let maximum = terms.limit(asked.bet).maximum.unwrap_or(Amount::MAX);
    let added = stake.min(maximum) - before.min(maximum);
    let needs = setup.cover.most_with(&table.round.liability, asked.bet, added);
    draft.pass(check_cover(table, needs))?;
    // Curing the gap between the hands is a right of those on the lighter one.
    let lighter = table
        .over_differential()
        .is_some_and(|(heavier, _)| table.main_side(asked.bet).is_some_and(|side| side != heavier));
    if table.round.asked_to_reduce && lighter {
        cites.extend(game.cites(Rule::MayAdd));
    }
    let fact = Fact::Placed {
        player: asked.player,
        bet: asked.bet,
        amount: asked.amount,
        area,
        reserve,
        by,
        flagged: flagged.is_some() || is_short || above.is_some(),
        untimed: asked.untimed,
    };
    draft.emit_with(fact, cites);
    Ok(())
}

/// Who laid it for the player, and under which rule.
fn placed_by(draft: &Draft<'_>, cites: &mut Vec<croupier_rules::Basis>) -> Option<crate::actor::PersonId> {
    let Actor::Staff(staff) = draft.actor else { return None };
    cites.extend(&draft.granted);
    cites.extend(draft.cites(&[Rule::PlacedForPlayer]));
    Some(staff.person)
}

/// The box that a wager is for, if the player may lay there.
fn named_box(
    draft: &Draft<'_>,
    player: &Player,
    asked: &Place,
    cites: &mut Vec<croupier_rules::Basis>,
) -> Result<u8, Refusal> {
    let table = draft.base();
    let most = table.setup.seats;
    let number = asked.area.or(player.seat);
    let Some(number) = number.filter(|number| (1..=most).contains(number)) else {
        let cites = table.rulebook().setting(Setting::Boxes).map(|spec| spec.cites.clone());
        let what = format!("name a box from box1 to box{most}");
        return Err(Refusal::new(Why::Box { what }, &cites.unwrap_or_default()));
    };
    match check_box(table, player, number) {
        Ok(()) => {}
        Err(BoxTaken::By(owner)) => {
            return draft.refuse(Why::BoxTaken { number, owner }, &[Rule::OneBettor]);
        }
        Err(BoxTaken::PlayerHasOne) => {
            let cites = table.rulebook().power(Power::RestrictBoxes).map(|rule| rule.cites.clone());
            let what = "this player may have one box".to_string();
            return Err(Refusal::new(Why::Box { what }, &cites.unwrap_or_default()));
        }
        Err(BoxTaken::OneEach) => {
            let what = "this table allows one box a player".to_string();
            return draft.refuse(Why::Box { what }, &[Rule::SeveralBoxes]);
        }
    }
    if has_box(table, player.id, number, false) {
        cites.extend(table.game().cites(Rule::SeveralBoxes));
        if table.round.lying().any(|laid| laid.player != player.id) {
            cites.extend(table.game().cites(Rule::OthersElsewhere));
        }
    }
    Ok(number)
}

/// Why a box is not for a player.
pub(crate) enum BoxTaken {
    /// Somebody else bets on it.
    By(PlayerId),
    /// The player has another, and may have no more than one.
    PlayerHasOne,
    /// The player has another, and nobody may have more than one.
    OneEach,
}

/// Whether a player may lay on a box: one bettor a box; several boxes where they are allowed.
pub(crate) fn check_box(table: &Table, player: &Player, number: u8) -> Result<(), BoxTaken> {
    let mut there = table.round.lying().filter(|laid| laid.area == Some(number));
    if let Some(laid) = there.find(|laid| laid.player != player.id) {
        return Err(BoxTaken::By(laid.player));
    }
    let has = |here: bool| has_box(table, player.id, number, here);
    // More on a box that is the player's already is no further box.
    if !has(false) || has(true) {
        Ok(())
    } else if player.has_one_box(table.round.number) {
        Err(BoxTaken::PlayerHasOne)
    } else if table.setup.several_boxes {
        Ok(())
    } else {
        Err(BoxTaken::OneEach)
    }
}

/// Whether a player bets on this box, or on another.
fn has_box(table: &Table, player: PlayerId, number: u8, here: bool) -> bool {
    table.round.lying().any(|laid| (laid.area == Some(number)) == here && laid.player == player)
}

/// How many wagers an area takes on a bet, if so many of other players lie there.
pub(crate) fn full_area(table: &Table, player: PlayerId, bet: usize, area: Option<u8>) -> Option<u8> {
    let (most, area) = (table.area_limit?, area?);
    let others = |laid: &&Laid| laid.bet == bet && laid.area == Some(area) && laid.player != player;
    (table.round.lying().filter(others).count() >= usize::from(most)).then_some(most)
}

fn check_area(
    draft: &Draft<'_>,
    bet: usize,
    area: Option<u8>,
    player: PlayerId,
    is_new: bool,
) -> Result<(), Refusal> {
    let table = draft.base();
    if area.is_some_and(|area| !(1..=table.setup.seats).contains(&area)) {
        return Err(Why::NoSuchSeat { seats: table.setup.seats, places: "seats" }.into());
    }
    let Some(most) = full_area(table, player, bet, area).filter(|_| is_new) else { return Ok(()) };
    let mut cites = draft.cites(&[Rule::WagersPerArea]);
    if Some(most) != table.setup.wagers_per_area {
        let power = table.rulebook().power(Power::LowerAreaLimit);
        cites.extend(power.iter().flat_map(|rule| &rule.cites));
    }
    Err(Refusal::new(Why::AreaFull { most }, &cites))
}

/// The Reserve that goes with a wager: exactly what is due.
fn reserve_due(
    bet: &croupier_rules::Bet,
    asked: &Place,
    accepts_short: bool,
    cites: &mut Vec<croupier_rules::Basis>,
) -> Result<Amount, Refusal> {
    match (&bet.reserve, asked.reserve) {
        (Some(reserve), laid) => {
            let due = times(reserve.times, asked.amount).ok_or(Why::TooLarge)?;
            cites.extend(&reserve.cites);
            match laid {
                None => Ok(due),
                Some(laid) if laid == due => Ok(due),
                // A chip table cannot keep a Reserve from lying short.
                Some(laid) if accepts_short && (Amount::ZERO..due).contains(&laid) => Ok(laid),
                Some(_) => Err(Refusal::new(Why::WrongReserve { due }, &reserve.cites)),
            }
        }
        (None, Some(_)) => Err(Refusal::new(Why::WrongReserve { due: Amount::ZERO }, &bet.cites)),
        (None, None) => Ok(Amount::ZERO),
    }
}

/// How many times a wager is laid as its Reserve.
fn reserve_times(bet: &croupier_rules::Bet) -> u32 {
    bet.reserve.as_ref().map_or(0, |reserve| reserve.times)
}

/// `times` the amount, if it is an amount.
pub(super) fn times(times: u32, amount: Amount) -> Option<Amount> {
    let value = Ratio::from(i64::from(times)) * amount.ratio();
    value.whole().and_then(|whole| i64::try_from(whole).ok()).and_then(Amount::new)
}

fn with_setting(table: &Table, refused: croupier_rules::entry::Refused, setting: Setting) -> Refusal {
    let mut refusal = Refusal::from(refused);
    refusal.cites.extend(table.rulebook().setting(setting).iter().flat_map(|spec| &spec.cites));
    refusal
}

pub(super) fn take_back(
    draft: &mut Draft<'_>,
    player: PlayerId,
    bet: usize,
    box_number: Option<u8>,
    amount: Option<Amount>,
) -> Result<(), Refusal> {
    let table = draft.base();
    present(table, player)?;
    match table.stage {
        Stage::Betting { .. } => {}
        Stage::Playing if asked_gap(table).is_some() => {}
        Stage::Playing => return draft.refuse(Why::TooLateToWithdraw, what_holds(table)),
        Stage::Shoe | Stage::Ready | Stage::ShoeOption | Stage::ShoeEnd | Stage::Closed => {
            return Err(Why::NoSuchWager.into());
        }
    }
    let by_box = table.setup.by_box();
    let seat = table.player(player).and_then(|player| player.seat);
    let area = box_number.or(seat);
    let same = |laid: &&Laid| laid.player == player && (!by_box || laid.area == area);
    let Some(laid) = table.round.lying().filter(same).find(|laid| laid.bet == bet) else {
        return Err(Why::NoSuchWager.into());
    };
    draft.pass(check_lower(table, bet))?;
    let amount = amount.unwrap_or(laid.stake);
    if !amount.is_positive() {
        return Err(Why::NotPositive.into());
    }
    if amount > laid.stake {
        return Err(Why::MoreThanLaid { laid: laid.stake }.into());
    }
    let left = laid.stake - amount;
    let (game, terms) = (table.game(), &table.setup.terms);
    check_chips(game, terms, amount)?;
    let rest: Vec<(usize, Amount)> = table
        .round
        .lying()
        .filter(same)
        .map(|laid| (laid.bet, if laid.bet == bet { left } else { laid.stake }))
        .filter(|(_, stake)| stake.is_positive())
        .collect();
    table.setup.together().check(&rest)?;
    if left.is_positive() {
        check_step(game, terms, bet, left)?;
        if !table.setup.accepts_outside_limits {
            check_limits(game, terms, bet, left)?;
        }
    }
    // What is left keeps the Reserve it needs, as far as one was laid.
    let kept = times(game.bets.get(bet).map_or(0, reserve_times), left).ok_or(Why::TooLarge)?;
    let reserve = laid.reserve - kept.min(laid.reserve);
    let area = laid.area;
    let heavier = table.over_differential().is_some_and(|(side, _)| table.main_side(bet) == Some(side));
    let rules: &[Rule] = if table.round.asked_to_reduce && heavier { &[Rule::AskToReduce] } else { &[] };
    draft.emit_by(Fact::TakenBack { player, bet, area, amount, reserve }, rules);
    hand_on_if_nothing_is_left(draft, player);
    Ok(())
}

/// Once betting is closed the right to the cards goes with the last wager.
fn hand_on_if_nothing_is_left(draft: &mut Draft<'_>, player: PlayerId) {
    if draft.now().round.open().all(|(_, laid)| laid.player != player) {
        squeeze::hand_on(draft, player);
    }
}

pub(super) fn ask_to_reduce(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    match gap(table) {
        Some((side, over)) => {
            let rules = [Rule::Differential, Rule::AlterWagers, Rule::AskToReduce];
            draft.emit_by(Fact::AskedToReduce { side, over }, &rules);
            Ok(())
        }
        None => {
            Err(Why::NotNow { phase: table.phase(), instead: "wagers must exceed the differential" }.into())
        }
    }
}

/// Somebody with the power takes a wager of the heavier side off, if asking the players was not enough.
pub(super) fn remove(draft: &mut Draft<'_>, player: PlayerId, bet: usize) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = draft.granted.clone();
    let Some((side, _)) = gap(table) else {
        let why = Why::NotNow { phase: table.phase(), instead: "wagers must exceed the differential" };
        return Err(Refusal::new(why, &cites));
    };
    if asked_gap(table).is_none() {
        let why = Why::NotNow { phase: table.phase(), instead: "ask the players to reduce their wagers" };
        return Err(Refusal::new(why, &[cites, draft.cites(&[Rule::AskToReduce])].concat()));
    }
    let laid = table.round.lying().find(|laid| laid.player == player && laid.bet == bet);
    let Some(laid) = laid else { return Err(Refusal::new(Why::NoSuchWager, &cites)) };
    if table.main_side(bet) != Some(side) {
        return Err(Refusal::new(Why::LighterSide { heavier: side }, &cites));
    }
    let fact = Fact::TakenBack { player, bet, area: laid.area, amount: laid.stake, reserve: Amount::ZERO };
    draft.emit(fact, &cites);
    hand_on_if_nothing_is_left(draft, player);
    Ok(())
}

pub(super) fn limit_areas(draft: &mut Draft<'_>, most: u8) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = draft.granted.clone();
    let Some(highest) = table.setup.wagers_per_area else {
        return Err(Why::NotAuthorised { needs: None }.into());
    };
    if !(1..=highest).contains(&most) {
        return draft.refuse(Why::AreaFull { most: highest }, &[Rule::WagersPerArea]);
    }
    draft.emit(Fact::AreasLimited(most), &cites);
    Ok(())
}

/// Everything that has not ended goes back.
pub(super) fn return_all(draft: &mut Draft<'_>, cites: &[croupier_rules::Basis]) {
    let table = draft.now();
    let open: Vec<(usize, Laid)> = table.round.open().map(|(at, laid)| (at, laid.clone())).collect();
    let insurances: Vec<(usize, Amount)> = table
        .round
        .insurances
        .iter()
        .enumerate()
        .filter(|(_, laid)| laid.ended.is_none())
        .map(|(at, laid)| (at, laid.stake))
        .collect();
    for (wager, laid) in open {
        return_wager(draft, wager, &laid, cites);
    }
    for (insurance, stake) in insurances {
        let settled = Settled::returned(stake, cites.to_vec());
        draft.emit(Fact::InsuranceEnded { insurance, settled }, cites);
    }
}

/// One wager goes back with its Reserve, which was only its security.
pub(super) fn return_wager(
    draft: &mut Draft<'_>,
    wager: usize,
    laid: &Laid,
    cites: &[croupier_rules::Basis],
) {
    let mut all = cites.to_vec();
    let reserve = laid.reserve.is_positive().then(|| {
        all.extend(draft.base().game().cites(Rule::ReserveSecurity));
        croupier_rules::settle::SettledReserve {
            laid: laid.reserve,
            lost: Amount::ZERO,
            returned: laid.reserve,
            cites: all.clone(),
        }
    });
    let settled = Settled::returned(laid.stake, cites.to_vec());
    draft.emit_with(Fact::WagerEnded { wager, settled, reserve }, all);
}
