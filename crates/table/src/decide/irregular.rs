//! Irregularities: reported or found, ruled on, and the players' choice before the ruling is carried out.

use croupier_rules::irregularity::{AllWithdraw, Irregularity, Ruling};
use croupier_rules::{Basis, Power, Remedy, Rule};

use super::{Draft, own, remedy, staff, wagers};
use crate::actor::{Actor, PlayerId};
use crate::command::{Report, RulingMade};
use crate::event::{About, Fact};
use crate::possible::Possible;
use crate::refusal::{Refusal, Why};
use crate::setup::{Method, WhenAbsent};
use crate::table::{Hold, Laid, Stage, Table, place};

/// What a rulebook allows here, with what describes the irregularity.
fn rulings(table: &Table, irregularity: Irregularity) -> (Vec<Basis>, Vec<&Ruling>) {
    // An unseen card of the Banker may be for the highest authority to judge.
    let referred = irregularity == Irregularity::SurplusOnBankerUnseen && table.setup.refers_unseen_surplus;
    let irregularity = if referred { Irregularity::Other } else { irregularity };
    match table.rulebook().irregularity(irregularity) {
        None => (Vec::new(), Vec::new()),
        Some(rule) => {
            let here = |ruling: &&Ruling| !ruling.high_limit_only || table.setup.high_limit_area;
            (rule.cites.clone(), rule.rulings.iter().filter(here).collect())
        }
    }
}

/// The rulings that may be made on what is on hold, for views.
pub(crate) fn allowed(table: &Table) -> Vec<&Ruling> {
    match &table.hold {
        Some(hold) if hold.ruling.is_none() && !needs_place(table) => rulings(table, hold.irregularity).1,
        Some(_) | None => Vec::new(),
    }
}

/// A surplus card lies somewhere, and nobody has said where.
pub(crate) fn needs_place(table: &Table) -> bool {
    table.round.surplus.iter().any(|surplus| surplus.on.is_none())
}

/// Something went wrong. What follows from the rules alone is done at once; else play is on hold.
pub(super) fn raise(
    draft: &mut Draft<'_>,
    irregularity: Irregularity,
    about: About,
    told: String,
) -> Result<(), Refusal> {
    let (cites, found) = rulings(draft.base(), irregularity);
    let automatic = match found.as_slice() {
        [only] if only.needs.is_none() => Some((*only).clone()),
        _ => None,
    };
    draft.emit(Fact::Irregular { irregularity, about, told }, &cites);
    if needs_place(draft.now()) {
        return Ok(());
    }
    match automatic {
        Some(ruling) => {
            let made = RulingMade::plain(ruling.remedy, ruling.withdrawal.is_some());
            make(draft, &ruling, &made, Actor::System, &ruling.cites)
        }
        None => Ok(()),
    }
}

pub(super) fn report(draft: &mut Draft<'_>, report: &Report) -> Result<(), Refusal> {
    if let Actor::Player(_) = draft.actor {
        return Err(Why::NotYours { who: "the staff; tell the Dealer" }.into());
    }
    let table = draft.base();
    // Three reports are no irregularity of their own.
    if let Report::WagerRemoved { player, bet } = report {
        return lifted(draft, *player, *bet);
    }
    if let Report::EarlierRound { limits } = report {
        let rule = if *limits { Rule::PastBreaches } else { Rule::EarlierRoundsStand };
        return draft.refuse(Why::EarlierRound, &[rule]);
    }
    if let Report::SurplusOn { side, exposed } = report {
        if !needs_place(table) {
            return Err(Why::CannotBe { irregularity: Irregularity::SurplusOnPlayer }.into());
        }
        draft.emit(Fact::SurplusPlaced { on: *side, exposed: *exposed }, &[]);
        return super::deal::raise_surplus(draft, *side, *exposed);
    }
    let (irregularity, about) = identify(table, report);
    if !irregularity.belongs_to(table.setup.family()) || !can_be(table, irregularity, about) {
        return Err(Why::CannotBe { irregularity }.into());
    }
    check_second(table, irregularity)?;
    if let (Report::Exposed { draw: Some(draw) }, Stage::Playing) = (report, table.stage)
        && table.round.draws.get(usize::from(*draw).wrapping_sub(1)).is_some_and(|dealt| !dealt.exposed)
    {
        draft.emit(Fact::CardShown { draw: *draw }, &[]);
    }
    if let Report::Damaged { player } = report {
        super::hands::note_touch(draft, *player);
    }
    let told = if let Report::Other(told) = report { told.clone() } else { String::new() };
    let rests_on = matches!(
        irregularity,
        Irregularity::PowerFailure
            | Irregularity::PowerFailureEstablished
            | Irregularity::WrongDelivery
            | Irregularity::WrongDeliveryEstablished
    );
    raise(draft, irregularity, about, told)?;
    if rests_on && draft.now().hold.is_none() && draft.base().stage == Stage::Playing {
        return super::deal::after_cards_if_new(draft);
    }
    Ok(())
}

/// Whether a report can come while something else is on hold: what is wrong with the cards, the device or the
/// house is found at any time, how cards were laid and handed out is not in question then.
pub(crate) const fn comes_second(report: &Report) -> bool {
    matches!(
        report,
        Report::ForeignCard
            | Report::Unshuffled
            | Report::CannotRebuild
            | Report::OrderLost
            | Report::CarriedOff { .. }
            | Report::Jam
            | Report::DeviceReset { .. }
            | Report::PowerFailure
            | Report::ForceMajeure
            | Report::Other(_)
    )
}

/// One irregularity is on hold once, and where a surplus card lies is said before anything else is reported.
pub(crate) fn check_second(table: &Table, irregularity: Irregularity) -> Result<(), Refusal> {
    let alike =
        |one: Irregularity| TOLD_ALIKE.iter().any(|pair| pair.contains(&one) && pair.contains(&irregularity));
    let same = |hold: &Hold| hold.irregularity == irregularity || alike(hold.irregularity);
    match &table.hold {
        Some(hold) if hold.all().any(same) => Err(Why::Already.into()),
        Some(hold) if needs_place(table) => Err(on_hold(hold).into()),
        Some(_) | None => Ok(()),
    }
}

/// What people tell as one thing, and the table tells apart.
const TOLD_ALIKE: [[Irregularity; 2]; 4] = [
    [Irregularity::OrderLost, Irregularity::OrderLostMoving],
    [Irregularity::CardsCarriedOff, Irregularity::KnownCardsCarriedOff],
    [Irregularity::DeviceReset, Irregularity::DeviceResetOther],
    [Irregularity::PowerFailure, Irregularity::PowerFailureEstablished],
];

/// What a report amounts to as the table stands.
fn identify(table: &Table, report: &Report) -> (Irregularity, About) {
    let none = About::default();
    let playing = table.stage == Stage::Playing;
    let dealt = playing && !table.round.draws.is_empty();
    let in_round = playing || matches!(table.stage, Stage::Betting { .. });
    let method_c = table.round.method == Some(Method::C) && in_round;
    let seen = table.round.draws.iter().any(|dealt| dealt.exposed);
    match report {
        Report::ForeignCard => (Irregularity::ForeignCard, none),
        Report::Unshuffled => (Irregularity::UnshuffledCards, none),
        Report::CannotRebuild => (Irregularity::CannotRebuild, none),
        Report::OrderLost if method_c => (Irregularity::OrderLostMoving, none),
        Report::OrderLost => (Irregularity::OrderLost, none),
        Report::CarriedOff { side } => {
            let about = About { side: Some(*side), ..none };
            let unknown = table.round.draws.iter().any(|dealt| dealt.side == *side && dealt.card.is_none());
            let baccarat = table.setup.family() == croupier_rules::Family::Baccarat;
            if unknown || !baccarat {
                (Irregularity::CardsCarriedOff, about)
            } else {
                (Irregularity::KnownCardsCarriedOff, about)
            }
        }
        Report::Jam => (Irregularity::Jam, none),
        Report::DeviceReset { dealer_error: true } => (Irregularity::DeviceReset, none),
        Report::DeviceReset { dealer_error: false } => (Irregularity::DeviceResetOther, none),
        // Once the cards decide, the next one is for the next round.
        Report::FaceUp if dealt && table.round.outcome.is_none() => (Irregularity::FaceUpInShoe, none),
        Report::FaceUp => (Irregularity::NextCardSeen, none),
        Report::Exposed { .. } => (Irregularity::ExposedByMistake, none),
        Report::ExposedMoving => (Irregularity::ExposedMoving, none),
        Report::WrongOrder => (Irregularity::WrongOrder, none),
        Report::NoBurn if table.shoe.rounds > 0 || !dealt => (Irregularity::NoBurnLater, none),
        Report::NoBurn if seen => (Irregularity::NoBurnSeen, none),
        Report::NoBurn => (Irregularity::NoBurnUnseen, none),
        Report::WrongDelivery if table.is_established() => (Irregularity::WrongDeliveryEstablished, none),
        Report::WrongDelivery => (Irregularity::WrongDelivery, none),
        Report::NotDelivered => (Irregularity::NotDelivered, none),
        Report::Absent { player } => {
            let side = [croupier_rules::baccarat::Side::Player, croupier_rules::baccarat::Side::Banker]
                .into_iter()
                .find(|side| table.round.squeezers[place(*side)] == Some(*player));
            (Irregularity::SqueezerAbsent, About { player: Some(*player), side, box_number: None })
        }
        Report::Damaged { player } => (Irregularity::CardsDamaged, About { player: Some(*player), ..none }),
        Report::PowerFailure if playing && has_established_row(table) && table.is_established() => {
            (Irregularity::PowerFailureEstablished, none)
        }
        Report::PowerFailure => (Irregularity::PowerFailure, none),
        Report::ForceMajeure => (Irregularity::ForceMajeure, none),
        Report::Other(_)
        | Report::WagerRemoved { .. }
        | Report::EarlierRound { .. }
        | Report::SurplusOn { .. } => (Irregularity::Other, none),
    }
}

/// Niu Niu makes no difference by what is established.
fn has_established_row(table: &Table) -> bool {
    table.setup.family() == croupier_rules::Family::Baccarat
}

/// Whether it can happen as the table stands.
pub(crate) fn can_be(table: &Table, irregularity: Irregularity, about: About) -> bool {
    let playing = table.stage == Stage::Playing;
    let dealt = playing && !table.round.draws.is_empty();
    let cards_out = dealt || playing && !table.round.boxes.hands.is_empty();
    let loaded = table.shoe.number > 0;
    match irregularity {
        Irregularity::CannotRebuild | Irregularity::WrongOrder => dealt,
        Irregularity::WrongDelivery | Irregularity::WrongDeliveryEstablished | Irregularity::NotDelivered => {
            dealt && table.deals_face_down()
        }
        Irregularity::FaceUpInShoe => dealt && table.round.outcome.is_none(),
        Irregularity::NextCardSeen => {
            loaded && matches!(table.stage, Stage::Ready | Stage::Betting { .. } | Stage::Playing)
        }
        Irregularity::KnownCardsCarriedOff | Irregularity::CardsCarriedOff => {
            cards_out && table.round.outcome.is_none()
        }
        Irregularity::ExposedByMistake => cards_out,
        Irregularity::ExposedMoving | Irregularity::OrderLostMoving => {
            table.round.method == Some(Method::C) && loaded
        }
        Irregularity::SqueezerAbsent => about.side.is_some() && playing,
        Irregularity::CardsDamaged => about.player.is_some_and(|player| table.player(player).is_some()),
        Irregularity::NoBurnUnseen | Irregularity::NoBurnSeen => {
            dealt && !table.shoe.is_burned && table.setup.burn > 0
        }
        Irregularity::NoBurnLater => {
            loaded && !table.shoe.is_burned && table.setup.burn > 0 && table.shoe.rounds > 0
        }
        Irregularity::DeviceReset | Irregularity::DeviceResetOther => {
            playing && table.round.outcome.is_none()
        }
        Irregularity::OrderLost | Irregularity::ForeignCard | Irregularity::UnshuffledCards => loaded,
        Irregularity::Jam
        | Irregularity::PowerFailure
        | Irregularity::PowerFailureEstablished
        | Irregularity::ForceMajeure
        | Irregularity::Other => true,
        // Found by the engine, never reported.
        Irregularity::NotEnoughCards
        | Irregularity::CutCardFirst
        | Irregularity::SurplusDueToBanker
        | Irregularity::SurplusOnPlayer
        | Irregularity::SurplusOnBankerExposed
        | Irregularity::SurplusOnBankerUnseen
        | Irregularity::SeveralSurplus
        | Irregularity::TogetherOrderKnown
        | Irregularity::TogetherInitialDeal
        | Irregularity::TogetherLater
        | Irregularity::SqueezeOrderUnknown
        | Irregularity::DifferentialFound
        | Irregularity::ShortReserve
        | Irregularity::BoxCount
        | Irregularity::BoxCountHandled
        | Irregularity::DealerCount
        | Irregularity::EmptyBoxDealt
        | Irregularity::EmptyBoxDealtHandled
        | Irregularity::BoxSkipped
        | Irregularity::BoxSkippedHandled
        | Irregularity::HandSetWrongly => false,
    }
}

/// A wager taken off after the close is settled as if it lay there.
fn lifted(draft: &mut Draft<'_>, player: PlayerId, bet: usize) -> Result<(), Refusal> {
    let table = draft.base();
    let there = table.stage == Stage::Playing
        && table.round.open().any(|(_, laid)| laid.player == player && laid.bet == bet);
    if !there {
        return Err(Why::NoSuchWager.into());
    }
    let rules = wagers::what_holds(table);
    draft.emit_by(Fact::LiftedLate { player, bet }, rules);
    Ok(())
}

/// Why nothing else goes on: what has to come first.
pub(super) fn on_hold(hold: &Hold) -> Why {
    let awaits = match hold {
        Hold { sorting: true, .. } => "the count of the cards",
        Hold { ruling: Some(_), .. } => "the players' answers",
        Hold { .. } => "a ruling",
    };
    Why::OnHold { irregularity: hold.irregularity, awaits }
}

pub(super) fn rule(draft: &mut Draft<'_>, made: &RulingMade) -> Result<(), Refusal> {
    let table = draft.base();
    let Some(hold) = &table.hold else { return Err(Why::NothingOnHold.into()) };
    if hold.ruling.is_some() {
        return Err(on_hold(hold).into());
    }
    if needs_place(table) {
        return Err(Why::RulingIncomplete { what: "where the surplus card lies; report it first" }.into());
    }
    let (cites, found) = rulings(table, hold.irregularity);
    let fits = |ruling: &&&Ruling| {
        ruling.remedy == made.remedy && ruling.withdrawal.is_some() == made.with_withdrawal
    };
    let ruling = match found.iter().find(fits) {
        Some(ruling) => (*ruling).clone(),
        None if is_void_for_want_of_rank(table, draft.actor, made, &found) => {
            let mut ruling = found.first().map_or_else(|| void_ruling(&cites), |first| (*first).clone());
            ruling.remedy = Remedy::Void;
            ruling.withdrawal = None;
            ruling
        }
        None => {
            let allowed: Vec<String> = found.iter().map(|ruling| describe(ruling)).collect();
            return Err(Refusal::new(Why::NoSuchRuling { allowed: allowed.join(", ") }, &cites));
        }
    };
    let rests_on = match table.setup.authority().rank(draft.actor, ruling.needs, &ruling.cites) {
        Ok(rests_on) => rests_on,
        Err(_) if stands_in(table, draft.actor, &found, &ruling) => ruling.cites.clone(),
        Err(denied) => return Err(denied.into()),
    };
    remedy::check(draft, &ruling, made)?;
    let by = draft.actor;
    make(draft, &ruling, made, by, &rests_on)
}

fn describe(ruling: &Ruling) -> String {
    let option = if ruling.withdrawal.is_some() { " with withdrawal" } else { "" };
    format!("{}{option}", ruling.remedy)
}

fn void_ruling(cites: &[Basis]) -> Ruling {
    Ruling {
        remedy: Remedy::Void,
        needs: None,
        withdrawal: None,
        shoe: croupier_rules::irregularity::ShoeFate::MayReplace,
        high_limit_only: false,
        cites: cites.to_vec(),
    }
}

/// Whether nobody on duty has the rank that a ruling needs.
fn nobody_may(table: &Table, ruling: &Ruling) -> bool {
    let authority = table.setup.authority();
    let mut staff = table.staff.iter();
    !staff.any(|staff| authority.rank(Actor::Staff(*staff), ruling.needs, &[]).is_ok())
}

/// An automatic table goes on by its setting when the rank is missing.
fn stands_in(table: &Table, actor: Actor, found: &[&Ruling], ruling: &Ruling) -> bool {
    actor == Actor::System
        && nobody_may(table, ruling)
        && match table.setup.when_absent {
            WhenAbsent::Wait => false,
            WhenAbsent::FirstRuling => found.first().is_some_and(|first| *first == ruling),
            WhenAbsent::Void => ruling.remedy == Remedy::Void,
        }
}

fn is_void_for_want_of_rank(table: &Table, actor: Actor, made: &RulingMade, found: &[&Ruling]) -> bool {
    actor == Actor::System
        && made.remedy == Remedy::Void
        && table.setup.when_absent == WhenAbsent::Void
        && found.iter().all(|ruling| nobody_may(table, ruling))
}

/// A ruling is made: the players choose first, or it is carried out.
fn make(
    draft: &mut Draft<'_>,
    ruling: &Ruling,
    made: &RulingMade,
    by: Actor,
    cites: &[Basis],
) -> Result<(), Refusal> {
    let fact = Fact::Ruled {
        by,
        remedy: made.remedy,
        with_withdrawal: made.with_withdrawal,
        order: made.order.clone(),
        player: made.player,
        only: made.only.clone(),
        reason: made.reason.clone(),
    };
    draft.emit(fact, cites);
    if let Some(withdrawal) = &ruling.withdrawal {
        let mut players = concerned(draft.now());
        players.retain(|player| made.only.is_empty() || made.only.contains(player));
        if !players.is_empty() {
            let cites = withdrawal.cites.clone();
            draft.emit(Fact::OptionOpened { players }, &cites);
            return Ok(());
        }
    }
    remedy::carry_out(draft, ruling, made)
}

/// The players with a wager that the cards people see do not decide.
fn concerned(table: &Table) -> Vec<PlayerId> {
    let mut players: Vec<PlayerId> = undecided(table).into_iter().map(|(_, laid)| laid.player).collect();
    players.sort_unstable();
    players.dedup();
    players
}

/// Wagers that are still open.
pub(crate) fn undecided(table: &Table) -> Vec<(usize, Laid)> {
    let open = table.round.open().map(|(at, laid)| (at, laid.clone()));
    if table.setup.family() == croupier_rules::Family::NiuNiu || table.round.draws.is_empty() {
        return open.collect();
    }
    let possible = Possible::of(&table.round);
    let bets = &table.game().bets;
    open.filter(|(_, laid)| bets.get(laid.bet).is_some_and(|bet| !possible.decides(bet))).collect()
}

/// Whether what is on hold was reported and not ruled on yet: what the engine saw for itself is no report.
pub(crate) fn is_retractable(table: &Table) -> bool {
    let Some(hold) = &table.hold else { return false };
    let seen =
        table.round.draws.iter().any(|dealt| dealt.misplaced.is_some()) || !table.round.together.is_empty();
    // What comes second was reported, whatever came first.
    let seen = seen && hold.earlier.is_none();
    hold.ruling.is_none() && !seen && can_be(table, hold.irregularity, hold.about)
}

pub(super) fn retract(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = table.setup.authority().power(draft.actor, Power::RetractReport)?;
    if table.hold.is_none() {
        return Err(Why::NothingOnHold.into());
    }
    if !is_retractable(table) {
        return Err(Why::NotNow { phase: table.phase(), instead: "only a report can be taken back" }.into());
    }
    draft.emit(Fact::Retracted, &cites);
    Ok(())
}

pub(super) fn answer(draft: &mut Draft<'_>, player: PlayerId, withdraw: bool) -> Result<(), Refusal> {
    let table = draft.base();
    own(table, draft.actor, player)?;
    let Some(hold) = &table.hold else { return Err(Why::NothingOnHold.into()) };
    let cites = window_cites(table);
    if !hold.answers.iter().any(|(known, answer)| *known == player && answer.is_none()) {
        return Err(Refusal::new(Why::NoChoice, &cites));
    }
    draft.emit(Fact::Answered { player, withdraw }, &cites);
    let now = draft.now();
    let open = now.hold.iter().flat_map(|hold| &hold.answers).any(|(_, answer)| answer.is_none());
    if open { Ok(()) } else { end_window(draft) }
}

pub(super) fn close_window(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    staff(draft.actor)?;
    match &draft.base().hold {
        Some(hold) if hold.ruling.is_some() && !hold.answers.is_empty() => end_window(draft),
        Some(_) | None => Err(Why::NothingOnHold.into()),
    }
}

/// The ruling that waits for answers.
pub(crate) fn waiting(table: &Table) -> Option<(Ruling, RulingMade)> {
    let hold = table.hold.as_ref()?;
    let made = hold.ruling.clone()?;
    let (_, found) = rulings(table, hold.irregularity);
    let fits = |ruling: &&&Ruling| {
        ruling.remedy == made.remedy && ruling.withdrawal.is_some() == made.with_withdrawal
    };
    let ruling = found.iter().find(fits).map(|ruling| (*ruling).clone())?;
    Some((ruling, made))
}

fn window_cites(table: &Table) -> Vec<Basis> {
    let waiting = waiting(table).and_then(|(ruling, _)| ruling.withdrawal);
    waiting.map(|withdrawal| withdrawal.cites).unwrap_or_default()
}

/// The choice is over: who withdrew has everything open back, then the ruling is carried out.
fn end_window(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.now();
    let Some((ruling, made)) = waiting(table) else { return Err(Why::NothingOnHold.into()) };
    let answers = table.hold.as_ref().map(|hold| hold.answers.clone()).unwrap_or_default();
    let withdrawn: Vec<PlayerId> =
        answers.iter().filter(|(_, answer)| *answer == Some(true)).map(|(player, _)| *player).collect();
    let open = undecided(table);
    let insurances: Vec<(usize, croupier_rules::Amount)> = table
        .round
        .insurances
        .iter()
        .enumerate()
        .filter(|(_, laid)| laid.ended.is_none() && withdrawn.contains(&laid.player))
        .map(|(at, laid)| (at, laid.stake))
        .collect();
    let withdrawal = ruling.withdrawal.clone();
    let cites = withdrawal.as_ref().map(|withdrawal| withdrawal.cites.clone()).unwrap_or_default();
    draft.emit(Fact::OptionClosed, &cites);
    let all = withdrawn.len() == answers.len();
    if all && withdrawal.is_some_and(|withdrawal| withdrawal.if_all == AllWithdraw::VoidAndReplace) {
        let shoe = croupier_rules::irregularity::ShoeFate::Replace;
        return remedy::void(draft, &Ruling { shoe, ..ruling });
    }
    for (at, laid) in open.iter().filter(|(_, laid)| withdrawn.contains(&laid.player)) {
        wagers::return_wager(draft, *at, laid, &cites);
    }
    for (insurance, stake) in insurances {
        let settled = croupier_rules::settle::Settled::returned(stake, cites.clone());
        draft.emit(Fact::InsuranceEnded { insurance, settled }, &cites);
    }
    // While betting is open, who withdrew may bet again.
    let playing = draft.now().stage == Stage::Playing;
    if all && playing && draft.now().round.open().next().is_none() && made.remedy != Remedy::Reset {
        draft.emit_by(Fact::TurnedFree, &[Rule::FreeHand]);
    }
    remedy::carry_out(draft, &ruling, &made)
}
