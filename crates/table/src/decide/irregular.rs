//! Irregularities: reported or found, and ruled on.

use croupier_cards::Card;
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::{Choosers, Irregularity, Ruling};
use croupier_rules::{Basis, Family, Remedy, Rule};

use super::choice::{concerned, undecided};
use super::surplus::{self, needs_place};
use super::there::check_there;
use super::{Draft, remedy, second, squeeze, wagers};
use crate::actor::{Actor, PlayerId};
use crate::command::{Holder, Report, RulingMade};
use crate::event::{About, Fact};
use crate::refusal::{Refusal, Why};
use crate::setup::{Method, WhenAbsent};
use crate::table::{Hold, Laid, Stage, Table, place};

/// What a rulebook allows here, with what describes the irregularity.
pub(super) fn rulings(table: &Table, irregularity: Irregularity) -> (Vec<Basis>, Vec<&Ruling>) {
    // An unseen card of the Banker may be for the highest authority to judge.
    let referred = irregularity == Irregularity::SurplusOnBankerUnseen && table.setup.refers_unseen_surplus;
    let irregularity = if referred { Irregularity::Other } else { irregularity };
    match table.rulebook().irregularity(irregularity) {
        None => (Vec::new(), Vec::new()),
        Some(rule) => {
            // From a shoe that is over no hand is dealt.
            let is_over = |remedy: Remedy| remedy == Remedy::FreeHand && table.stage == Stage::ShoeEnd;
            let here = |ruling: &&Ruling| {
                (!ruling.high_limit_only || table.setup.high_limit_area) && !is_over(ruling.remedy)
            };
            (rule.cites.clone(), rule.rulings.iter().filter(here).collect())
        }
    }
}

/// The rulings that may be made on what is on hold.
#[must_use]
pub fn allowed(table: &Table) -> Vec<&Ruling> {
    match &table.hold {
        Some(hold) if hold.ruling.is_none() && hold.pending.is_none() && !needs_place(table) => {
            rulings(table, hold.irregularity).1
        }
        Some(_) | None => Vec::new(),
    }
}

/// What follows from the rules alone once a second person has confirmed what was found.
pub(crate) fn follows(table: &Table) -> Option<&Ruling> {
    let hold = table.hold.as_ref().filter(|hold| hold.pending.is_some())?;
    match rulings(table, hold.irregularity).1.as_slice() {
        [only] if only.needs.is_none() => Some(*only),
        _ => None,
    }
}

/// Something went wrong. What follows from the rules alone is done at once; else play is on hold.
pub(super) fn raise(
    draft: &mut Draft<'_>,
    irregularity: Irregularity,
    about: About,
    told: String,
) -> Result<(), Refusal> {
    raise_with(draft, irregularity, None, about, told)
}

/// The same, where something else went wrong that is put right with it.
pub(super) fn raise_with(
    draft: &mut Draft<'_>,
    irregularity: Irregularity,
    beside: Option<Irregularity>,
    about: About,
    told: String,
) -> Result<(), Refusal> {
    let unplaced = needs_place(draft.now());
    // What an unplaced card amounts to, and under which clause, follows from its place.
    let is_open = unplaced && irregularity == Irregularity::SurplusOnPlayer;
    let (mut cites, found) =
        if is_open { (Vec::new(), Vec::new()) } else { rulings(draft.base(), irregularity) };
    let automatic = match found.as_slice() {
        [only] if only.needs.is_none() => Some((*only).clone()),
        _ => None,
    };
    cites.extend(beside.map(|other| rulings(draft.base(), other).0).unwrap_or_default());
    let resets = matches!(irregularity, Irregularity::DeviceReset | Irregularity::DeviceResetOther);
    if resets && !draft.base().setup.device_reads {
        cites.extend(draft.cites(&[Rule::PlainDevice]));
    }
    let found = draft.found;
    draft.emit(Fact::Irregular { irregularity, about, told, found }, &cites);
    if unplaced && !is_seen_too_early(draft, irregularity) {
        return Ok(());
    }
    match automatic {
        Some(ruling) if second::waits(draft, &ruling) => {
            let by = draft.actor;
            draft.emit(Fact::FindingPending { by }, &[]);
            Ok(())
        }
        Some(ruling) => follow_at_once(draft, &ruling),
        None => Ok(()),
    }
}

/// What follows from the rules alone is carried out.
pub(super) fn follow_at_once(draft: &mut Draft<'_>, ruling: &Ruling) -> Result<(), Refusal> {
    // Where no round has begun there is none to void: it is about the cards alone.
    if ruling.remedy == Remedy::Void && !remedy::is_round_void(draft.now(), ruling) {
        return remedy::void(draft, ruling);
    }
    make(draft, ruling, &second::plain(ruling), Actor::System, &ruling.cites)
}

/// A card that no hand takes was seen as it was drawn: it would have been the first of the next hand, wherever it lies.
fn is_seen_too_early(draft: &mut Draft<'_>, irregularity: Irregularity) -> bool {
    let unplaced = |stray: &crate::table::Stray| stray.on.is_none();
    irregularity == Irregularity::NextCardSeen
        && draft.now().round.surplus.iter().filter(|stray| unplaced(stray)).all(|stray| stray.exposed)
}

/// The first of these cards that cannot be there: all of its kind are out.
pub(super) fn first_foreign(table: &Table, cards: &[Card]) -> Option<Card> {
    let foreign = cards.iter().enumerate().find(|(at, card)| {
        let before = cards.iter().take(*at).filter(|other| other == card).count();
        usize::from(table.shoe.unread.count(**card)) <= before
    });
    foreign.map(|(_, card)| *card)
}

/// A card that was one too many turns out to be another, or to have been taken for one that is there: nothing is left
/// to rule on.
pub(super) fn not_foreign_after_all(draft: &mut Draft<'_>, wrong: Card) {
    let told = wrong.to_string();
    let about_it = |hold: &Hold| {
        hold.irregularity == Irregularity::ForeignCard && hold.told == told && hold.ruling.is_none()
    };
    let was = draft.base().shoe.foreign_dealt.contains(&wrong);
    let table = draft.now();
    let is = table.shoe.foreign_dealt.contains(&wrong);
    if was && !is && table.hold.as_ref().is_some_and(about_it) {
        draft.emit(Fact::Retracted, &[]);
    }
}

/// Whether a card that was seen before its round makes the next hand free.
pub(super) fn frees_next_hand(table: &Table) -> bool {
    let (_, found) = rulings(table, Irregularity::NextCardSeen);
    matches!(found.as_slice(), [only] if only.remedy == Remedy::NextHandFree && only.needs.is_none())
}

pub(super) fn report(draft: &mut Draft<'_>, report: &Report) -> Result<(), Refusal> {
    let table = draft.base();
    // Some reports are no irregularity of their own.
    match report {
        Report::WagerRemoved { player, bet } => return lifted(draft, *player, *bet),
        Report::EarlierRound { limits } => {
            let rule = if *limits { Rule::PastBreaches } else { Rule::EarlierRoundsStand };
            return draft.refuse(Why::EarlierRound, &[rule]);
        }
        Report::SurplusOn { side, exposed } => return surplus::placed(draft, *side, *exposed),
        Report::DrawnBy { player, card, laid, exposed } => {
            return match table.setup.family() {
                Family::Baccarat => super::deal::drawn_by(draft, *player, (*card, *laid, *exposed)),
                Family::NiuNiu => super::hands::drawn(draft, &super::read(*card)?, Some(*player)),
            };
        }
        // Packets that are out of order are found by the count.
        Report::CannotRebuild if table.setup.in_packets() => return super::count::cannot_rebuild(draft),
        Report::OpenedBy { player, side, told } => {
            return super::reveal::opened(draft, *player, *side, told);
        }
        Report::Absent { player } if !is_awaited(table, *player) => return absent(draft, *player),
        Report::ForeignCard
        | Report::Unshuffled
        | Report::CannotRebuild
        | Report::OrderLost
        | Report::CarriedOff { .. }
        | Report::BoxCarriedOff { .. }
        | Report::Jam
        | Report::DeviceReset { .. }
        | Report::FaceUp
        | Report::Exposed { .. }
        | Report::ExposedMoving
        | Report::WrongOrder
        | Report::NoBurn
        | Report::WrongDelivery
        | Report::HandedTo { .. }
        | Report::NotDelivered
        | Report::Absent { .. }
        | Report::Damaged { .. }
        | Report::PowerFailure
        | Report::ForceMajeure
        | Report::Other(_) => {}
    }
    check_there(table, report)?;
    if let Report::Exposed { draw: Some(draw) } = report
        && surplus::is_left_over(table, *draw)
    {
        return surplus::turned_over(draft, *draw);
    }
    if let Report::HandedTo { player, side } = report
        && is_rightful(table, *player, *side)
    {
        let what = format!("the {} hand was handed to whoever squeezes it", side.key());
        draft.emit_by(Fact::Incident { what, player: Some(*player) }, &[squeeze::RIGHT]);
        return Ok(());
    }
    if table.stage == Stage::ShoeEnd && identify(table, report).0 == Irregularity::NextCardSeen {
        let cites = draft.cites(&[Rule::NoHandAfterLast]);
        if !cites.is_empty() {
            let what = "a card was seen after the last hand of the shoe".to_string();
            draft.emit(Fact::Incident { what, player: None }, &cites);
            return Ok(());
        }
    }
    let (irregularity, about, told) = classify(table, report);
    check_second(table, irregularity, about, &told)?;
    if let Report::Exposed { draw: Some(draw) } = report
        && table.stage == Stage::Playing
        && is_closed(table, *draw)
    {
        draft.emit(Fact::CardShown { draw: *draw }, &[]);
        draft.follows = true;
    }
    if let Report::Damaged { player } = report {
        super::hands::note_touch(draft, *player);
    }
    if let Report::Absent { player } = report {
        super::device::left_behind(draft, *player);
    }
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

/// Whether a hand went to the player who is to open it.
fn is_rightful(table: &Table, player: PlayerId, side: Side) -> bool {
    table.round.squeezers[place(side)] == Some(player)
}

/// Whether a card of the round, by its number, lies closed and was read.
fn is_closed(table: &Table, draw: u8) -> bool {
    let at = usize::from(draw).wrapping_sub(1);
    let round = &table.round;
    match round.draws.get(at) {
        Some(dealt) => !dealt.exposed,
        None => round.waiting.get(at.wrapping_sub(round.draws.len())).is_some_and(|stray| !stray.exposed),
    }
}

/// Whether a player has a hand to open.
fn is_awaited(table: &Table, player: PlayerId) -> bool {
    table.stage == Stage::Playing && table.round.squeezers.contains(&Some(player))
}

/// Who is away and has nothing to open holds nothing up; the device goes to somebody else.
fn absent(draft: &mut Draft<'_>, player: PlayerId) -> Result<(), Refusal> {
    if draft.base().player(player).is_none() {
        return Err(Why::NoSuchPlayer { player }.into());
    }
    super::device::left_behind(draft, player);
    draft.emit(Fact::Incident { what: Fact::ABSENT.to_string(), player: Some(player) }, &[]);
    Ok(())
}

/// Whether a report would be taken: it is about something that is there, and not on record already.
pub(crate) fn can_report(table: &Table, report: &Report) -> bool {
    if table.shoe.commitment.is_some() && super::is_told_of_the_layout(report) {
        return false;
    }
    let is_new = || {
        let (irregularity, about, told) = classify(table, report);
        let holds_up = !matches!(report, Report::Absent { player } if !is_awaited(table, *player));
        !holds_up || check_second(table, irregularity, about, &told).is_ok()
    };
    if matches!(report, Report::CannotRebuild) && table.setup.in_packets() {
        return super::count::may_be_out_of_order(table) && !table.round.boxes.cannot_rebuild;
    }
    check_there(table, report).is_ok() && (table.hold.is_none() || is_new())
}

/// The same irregularity about the same thing is on hold once.
fn check_second(table: &Table, irregularity: Irregularity, about: About, told: &str) -> Result<(), Refusal> {
    let alike =
        |one: Irregularity| TOLD_ALIKE.iter().any(|pair| pair.contains(&one) && pair.contains(&irregularity));
    let same = |hold: &Hold| {
        (hold.irregularity == irregularity || alike(hold.irregularity))
            && hold.about == about
            && hold.told == told
    };
    match &table.hold {
        Some(hold) if hold.all().any(same) => Err(Why::Already.into()),
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

/// What a report amounts to as the table stands: an irregularity of the rulebook where it has one for it, or else
/// one that the rules do not cover.
fn classify(table: &Table, report: &Report) -> (Irregularity, About, String) {
    let told = if let Report::Other(told) = report { told.clone() } else { String::new() };
    let (irregularity, about) = identify(table, report);
    if irregularity.belongs_to(table.setup.family()) && can_be(table, irregularity, about) {
        return (irregularity, about, told);
    }
    (Irregularity::Other, about, irregularity.says().to_string())
}

/// What it would be, wherever it can be.
fn identify(table: &Table, report: &Report) -> (Irregularity, About) {
    let none = About::default();
    let playing = table.stage == Stage::Playing;
    let dealt = playing && !(table.round.draws.is_empty() && table.round.waiting.is_empty());
    let in_packets = table.setup.in_packets();
    let in_round = playing || matches!(table.stage, Stage::Betting { .. });
    let method_c = table.round.method == Some(Method::C) && in_round;
    let seen = table.round.draws.iter().any(|dealt| dealt.exposed);
    match report {
        Report::ForeignCard => (Irregularity::ForeignCard, none),
        Report::Unshuffled => (Irregularity::UnshuffledCards, none),
        Report::CannotRebuild => (Irregularity::CannotRebuild, none),
        Report::OrderLost if method_c => (Irregularity::OrderLostMoving, none),
        Report::OrderLost => (Irregularity::OrderLost, none),
        Report::BoxCarriedOff { box_number } => {
            (Irregularity::CardsCarriedOff, About { box_number: Some(*box_number), ..none })
        }
        Report::CarriedOff { side } => {
            let about = About { side: Some(*side), ..none };
            let unknown = table.round.draws.iter().any(|dealt| dealt.side == *side && dealt.card.is_none());
            if unknown {
                (Irregularity::CardsCarriedOff, about)
            } else {
                (Irregularity::KnownCardsCarriedOff, about)
            }
        }
        Report::Jam => (Irregularity::Jam, none),
        Report::DeviceReset { dealer_error: true } => (Irregularity::DeviceReset, none),
        Report::DeviceReset { dealer_error: false } => (Irregularity::DeviceResetOther, none),
        // Once the cards decide, the next one is for the next round.
        Report::FaceUp if face_up_in_round(table) => (Irregularity::FaceUpInShoe, none),
        Report::Exposed { draw: None } if !in_packets && face_up_in_round(table) => {
            (Irregularity::FaceUpInShoe, none)
        }
        Report::Exposed { draw: None } if !in_packets => (Irregularity::NextCardSeen, none),
        Report::FaceUp => (Irregularity::NextCardSeen, none),
        Report::Exposed { .. } => (Irregularity::ExposedByMistake, none),
        Report::ExposedMoving => (Irregularity::ExposedMoving, none),
        Report::WrongOrder if in_packets => (Irregularity::DealtOutOfTurn, none),
        Report::WrongOrder => (Irregularity::WrongOrder, none),
        Report::NoBurn if table.shoe.rounds > 0 || !dealt => (Irregularity::NoBurnLater, none),
        Report::NoBurn if seen => (Irregularity::NoBurnSeen, none),
        Report::NoBurn => (Irregularity::NoBurnUnseen, none),
        Report::WrongDelivery => (wrong_delivery(table), none),
        Report::HandedTo { player, side } => {
            (wrong_delivery(table), About { player: Some(*player), side: Some(*side), box_number: None })
        }
        Report::NotDelivered => (Irregularity::NotDelivered, none),
        Report::Absent { player } => {
            let side = [Side::Player, Side::Banker]
                .into_iter()
                .find(|side| table.round.squeezers[place(*side)] == Some(*player));
            (Irregularity::SqueezerAbsent, About { player: Some(*player), side, box_number: None })
        }
        Report::Damaged { player } => (Irregularity::CardsDamaged, About { player: Some(*player), ..none }),
        Report::PowerFailure
            if playing
                && Irregularity::PowerFailureEstablished.belongs_to(table.setup.family())
                && table.is_established() =>
        {
            (Irregularity::PowerFailureEstablished, none)
        }
        Report::PowerFailure => (Irregularity::PowerFailure, none),
        Report::ForceMajeure => (Irregularity::ForceMajeure, none),
        Report::Other(_)
        | Report::WagerRemoved { .. }
        | Report::EarlierRound { .. }
        | Report::DrawnBy { .. }
        | Report::OpenedBy { .. }
        | Report::SurplusOn { .. } => (Irregularity::Other, none),
    }
}

/// Whether a card seen in the shoe is a matter of the round that is dealt: the round may need it, or has its result and
/// is not held up by what somebody has to rule on. A card that is left for the next round is a matter of that one.
fn face_up_in_round(table: &Table) -> bool {
    let round = &table.round;
    let dealt = table.stage == Stage::Playing && !(round.draws.is_empty() && round.waiting.is_empty());
    let stands = || remedy::is_named(table.rulebook(), Irregularity::FaceUpInShoe) && !frees_next_hand(table);
    dealt && (round.outcome.is_none() || stands())
}

/// Cards in the wrong hands: what is done depends on whether the outcome is established.
pub(super) fn wrong_delivery(table: &Table) -> Irregularity {
    if table.is_established() { Irregularity::WrongDeliveryEstablished } else { Irregularity::WrongDelivery }
}

/// Whether it can happen as the table stands.
pub(crate) fn can_be(table: &Table, irregularity: Irregularity, about: About) -> bool {
    let playing = table.stage == Stage::Playing;
    let dealt = playing && !(table.round.draws.is_empty() && table.round.waiting.is_empty());
    let cards_out = dealt || playing && !table.round.boxes.hands.is_empty();
    let loaded = table.shoe.number > 0;
    match irregularity {
        Irregularity::CannotRebuild | Irregularity::WrongOrder => dealt,
        // Where nobody but the Dealer handles cards, whoever was given some is the wrong player.
        Irregularity::WrongDelivery | Irregularity::WrongDeliveryEstablished => {
            dealt && (table.deals_face_down() || table.round.method.is_some())
        }
        Irregularity::NotDelivered => dealt && table.deals_face_down(),
        Irregularity::FaceUpInShoe => face_up_in_round(table),
        Irregularity::NextCardSeen => {
            let next_comes = matches!(
                table.stage,
                Stage::Ready | Stage::Betting { .. } | Stage::Playing | Stage::ShoeOption
            );
            loaded && next_comes
        }
        Irregularity::KnownCardsCarriedOff | Irregularity::CardsCarriedOff => match table.setup.family() {
            Family::Baccarat => about.side.is_some() && dealt,
            Family::NiuNiu => about
                .box_number
                .is_some_and(|number| playing && table.round.boxes.hand(Holder::Box(number)).is_some()),
        },
        // Found late too: who has five cards keeps them.
        Irregularity::DealtOutOfTurn => playing && !table.round.boxes.hands.is_empty(),
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
        | Irregularity::LimitsFound
        | Irregularity::ShortReserve
        | Irregularity::AboveOtherBet
        | Irregularity::BoxCount
        | Irregularity::BoxCountHandled
        | Irregularity::DealerCount
        | Irregularity::EmptyBoxDealt
        | Irregularity::EmptyBoxDealtHandled
        | Irregularity::EmptyBoxCannotRebuild
        | Irregularity::BoxSkipped
        | Irregularity::BoxSkippedHandled
        | Irregularity::BoxSkippedCannotRebuild
        | Irregularity::HandSetWrongly => false,
    }
}

/// Wagers that somebody can have taken off the layout.
pub(crate) fn liftable(table: &Table) -> impl Iterator<Item = &Laid> {
    let lying = matches!(table.stage, Stage::Betting { .. } | Stage::Playing);
    table.round.open().filter(move |_| lying).map(|(_, laid)| laid)
}

/// A wager taken off after the close is settled as if it lay there.
fn lifted(draft: &mut Draft<'_>, player: PlayerId, bet: usize) -> Result<(), Refusal> {
    let table = draft.base();
    let Some(laid) = liftable(table).find(|laid| laid.player == player && laid.bet == bet) else {
        return Err(Why::NoSuchWager.into());
    };
    // While betting is open it is the player's to take back.
    if matches!(table.stage, Stage::Betting { .. }) && table.hold.is_none() {
        let area = table.setup.box_of(laid.area);
        if wagers::take_back(draft, player, bet, area, None).is_ok() {
            return Ok(());
        }
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
        Hold { pending: Some(_), .. } => "a second person to confirm what was found",
        Hold { .. } => "a ruling",
    };
    Why::OnHold { irregularity: hold.irregularity, awaits }
}

pub(super) fn rule(draft: &mut Draft<'_>, made: &RulingMade) -> Result<(), Refusal> {
    let table = draft.base();
    let Some(hold) = &table.hold else { return Err(Why::NothingOnHold.into()) };
    if hold.ruling.is_some() || hold.pending.is_some() {
        return Err(on_hold(hold).into());
    }
    if needs_place(table) {
        return Err(Why::RulingIncomplete {
            what: "where the surplus card lies: that is reported first, as on the Player or on the Banker",
        }
        .into());
    }
    let (cites, found) = rulings(table, hold.irregularity);
    let ruling = match meant(&found, made) {
        Some(ruling) => ruling.clone(),
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
    // A choice that is every player's is part of the ruling, said or not.
    let made = RulingMade { with_withdrawal: ruling.withdrawal.is_some(), ..made.clone() };
    remedy::check(draft, &ruling, &made)?;
    let by = draft.actor;
    make(draft, &ruling, &made, by, &rests_on)
}

/// The ruling that is meant: with the choice or without it, as was said, or the one that gives it by right.
fn meant<'r>(found: &[&'r Ruling], made: &RulingMade) -> Option<&'r Ruling> {
    let by_right = |ruling: &Ruling| {
        ruling.withdrawal.as_ref().is_some_and(|withdrawal| withdrawal.choosers == Choosers::Everybody)
    };
    let mut same = found.iter().filter(|ruling| ruling.remedy == made.remedy);
    let exact = same.clone().find(|ruling| ruling.withdrawal.is_some() == made.with_withdrawal);
    exact.or_else(|| same.find(|ruling| by_right(ruling))).copied()
}

/// The ruling of the rulebook that somebody asks for, if what is on hold allows it.
pub(crate) fn asked_for<'t>(table: &'t Table, made: &RulingMade) -> Option<&'t Ruling> {
    meant(&allowed(table), made)
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
            let mut cites = withdrawal.cites.clone();
            let table = draft.now();
            if undecided(table).len() < table.round.open().count() {
                cites.extend(draft.cites(&[Rule::DecidedStay]));
            }
            if !made.only.is_empty() {
                cites.extend(draft.cites(&[Rule::NamedPlayers]));
            }
            draft.emit(Fact::OptionOpened { players }, &cites);
            return Ok(());
        }
    }
    remedy::carry_out(draft, ruling, made)
}

/// Whether what is on hold was reported and not ruled on yet: what the engine saw for itself is no report.
pub(crate) fn is_retractable(table: &Table) -> bool {
    let Some(hold) = &table.hold else { return awaits_effect(table) };
    let seen =
        table.round.draws.iter().any(|dealt| dealt.misplaced.is_some()) || !table.round.together.is_empty();
    // What comes second was reported, whatever came first.
    let seen = seen && hold.earlier.is_none();
    let undone = hold.ruling.is_none() || is_unanswered(table, hold);
    undone && !hold.found && !seen && can_be(table, hold.irregularity, hold.about)
}

/// Whether what followed from the rules alone has only asked the players yet, and nobody has answered.
fn is_unanswered(table: &Table, hold: &Hold) -> bool {
    let (_, found) = rulings(table, hold.irregularity);
    let by_the_rules = matches!(found.as_slice(), [only] if only.needs.is_none());
    by_the_rules && !hold.answers.is_empty() && hold.answers.iter().all(|(_, answer)| answer.is_none())
}

/// Whether a card in the shoe is said to have been seen, nothing is on hold for it, and nothing has come of it yet: the
/// card is not drawn, and no Free Hand has begun.
fn awaits_effect(table: &Table) -> bool {
    let next_hand = matches!(table.stage, Stage::Ready | Stage::Playing)
        && table.next.free
        && table.next.carried.is_empty();
    table.stage == Stage::Playing && table.round.next_seen || next_hand || !back(table).is_empty()
}

/// The hands whose cards still lie closed, with who was to open them and was said to be away.
fn back(table: &Table) -> Vec<(PlayerId, Side)> {
    let round = &table.round;
    let may = |player: PlayerId| {
        !round.forbidden.contains(&player) && round.open().any(|(_, laid)| laid.player == player)
    };
    let lost = |side: Side| {
        let player = round.away[place(side)].filter(|player| may(*player))?;
        let closed = table.stage == Stage::Playing && squeeze::has_closed_cards(table, side);
        (closed && round.squeezers[place(side)].is_none()).then_some((player, side))
    };
    [Side::Player, Side::Banker].into_iter().filter_map(lost).collect()
}

pub(super) fn retract(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = draft.granted.clone();
    if table.hold.is_none() && !awaits_effect(table) {
        if table.shoe.unfit.is_some() {
            let instead = "replace the cards: what has followed from a report is not taken back";
            return Err(Why::NotNow { phase: table.phase(), instead }.into());
        }
        return Err(Why::NothingOnHold.into());
    }
    let back = if table.hold.is_none() { back(table) } else { Vec::new() };
    if !back.is_empty() {
        for (player, side) in back {
            draft.emit(Fact::SqueezerNamed { player: Some(player), side }, &cites);
        }
        return Ok(());
    }
    if !is_retractable(table) {
        let asked = table.hold.as_ref().is_some_and(super::choice::has_window);
        let instead = if asked {
            "close the option; a report can be taken back as long as no player has answered, and a ruling cannot"
        } else {
            "somebody must rule on it; only a report can be taken back"
        };
        return Err(Why::NotNow { phase: table.phase(), instead }.into());
    }
    draft.emit(Fact::Retracted, &cites);
    Ok(())
}
