//! Cards as they leave the shoe: where they belong follows from their number.

use croupier_cards::Card;
use croupier_rules::Rule;
use croupier_rules::baccarat::insurance::Stage as Window;
use croupier_rules::baccarat::{Deal, Side, card_value};
use croupier_rules::irregularity::Irregularity;

use super::draft::{Against, Checked};
use super::irregular::{first_foreign, frees_next_hand, not_foreign_after_all, raise};
use super::next::not_now;
use super::shoe;
use super::surplus::{is_one_more, raise_strays};
use super::wagers::{self, announce_if_last, check_ready, check_shoe};
use super::{Draft, count, insurance, second};
use crate::actor::{Actor, PlayerId};
use crate::command::Because;
use crate::event::{About, CloseReason, Fact, Source};
use crate::phase::Phase;
use crate::refusal::{Refusal, Why};
use crate::setup::Method;
use crate::table::{Hold, Round, Stage, Stray, Table};

/// A card has left the shoe. Where it belongs follows from its number; while that depends on cards that people do
/// not see, or play is on hold, it waits for its place.
pub(super) fn draw(
    draft: &mut Draft<'_>,
    card: Option<Card>,
    laid: Option<Side>,
    exposed: bool,
) -> Result<(), Refusal> {
    let drawn_by = check_drawer(draft)?;
    out(draft, card, laid, exposed)?;
    match drawn_by {
        Drawer::Right => Ok(()),
        Drawer::Wrong(told) => raise(draft, Irregularity::Other, About::default(), told.to_string()),
    }
}

/// Staff tell of a card that a player drew who was not to draw.
pub(super) fn drawn_by(
    draft: &mut Draft<'_>,
    player: PlayerId,
    (card, laid, exposed): (Option<Card>, Option<Side>, bool),
) -> Result<(), Refusal> {
    let table = draft.base();
    if table.player(player).is_none() {
        return Err(Why::NoSuchPlayer { player }.into());
    }
    let right = method(table) == Some(Method::C) && table.device == Some(player);
    out(draft, card, laid, exposed)?;
    if right {
        return Ok(());
    }
    let about = About { player: Some(player), ..About::default() };
    raise(draft, Irregularity::Other, about, "drawn by somebody who was not to draw".to_string())
}

/// A card is out, whoever drew it.
fn out(draft: &mut Draft<'_>, card: Option<Card>, laid: Option<Side>, exposed: bool) -> Result<(), Refusal> {
    let table = draft.base();
    check_out(table, card, exposed)?;
    if !is_in_round(table) {
        return between(draft, card, laid, exposed);
    }
    let unready = open_play(draft)?;
    let asked = draft.is_asked();
    let table = draft.now();
    let face_up = exposed || lies_open(table) && card.is_some();
    let held = table.round.held.first().copied().filter(|_| table.round.draws.len() >= 4);
    let fits = table.hold.is_none() && table.round.waiting.is_empty();
    let due = matches!(table.round.due_seen(), Some(Some(_)));
    if let Some(held) = held.filter(|held| fits && card.is_none_or(|card| card == *held)) {
        if !due {
            let told = "a card that was held is taken although none is due".to_string();
            return raise(draft, Irregularity::Other, About::default(), told);
        }
        draw_from(draft, Some(held), Source::Held, true);
        return after_cards(draft);
    }
    if asked && !fits_in(table) {
        return Err(Why::NotNow { phase: table.phase(), instead: "open the closed cards" }.into());
    }
    if is_foreign(table, card) {
        draft.emit(Fact::ForeignDrawn { card }, &[]);
        let told = card.map(|card| card.to_string()).unwrap_or_default();
        return raise(draft, Irregularity::ForeignCard, About::default(), told);
    }
    let (unburned, held) = (is_unburned(table), held.is_some());
    let by_mistake = exposed && !unburned && is_exposed_by_mistake(table);
    let may_fit = fits || is_one_more(table);
    let due = if may_fit && !held { table.round.due_seen() } else { None };
    match due {
        Some(Some(side)) => {
            insurance::next_card(draft);
            let stray = Stray { card, on: laid, exposed: face_up };
            place_card(draft, stray, side, Source::Shoe, unburned)?;
            // It was to lie face down.
            if by_mistake && draft.now().hold.is_none() {
                raise(draft, Irregularity::ExposedByMistake, About::default(), String::new())?;
            }
        }
        Some(None) => {
            insurance::next_card(draft);
            draft.emit(Fact::SurplusDrawn { card, on: laid, exposed: face_up }, &[]);
            // Nobody laid it on a hand, and it was seen: it is the first card of the next one.
            if laid.is_none() && exposed && frees_next_hand(draft.base()) {
                let told = card.map(|card| card.to_string()).unwrap_or_default();
                raise(draft, Irregularity::NextCardSeen, About::default(), told)?;
            } else {
                raise_strays(draft)?;
            }
        }
        None => {
            draft.emit(Fact::StrayDrawn { card, on: laid, exposed: face_up }, &[]);
            draft.follows = true;
        }
    }
    match unready {
        Some((irregularity, told)) => raise(draft, irregularity, About::default(), told.to_string()),
        None if held && fits => {
            // Third cards come from the two that were held; this is another one.
            let told = "a card beside the two that are held".to_string();
            raise(draft, Irregularity::Other, About::default(), told)
        }
        None => Ok(()),
    }
}

/// Whether the next card is dealt now.
pub(super) fn check_next(draft: &Draft<'_>, card: Option<Card>) -> Result<(), Refusal> {
    let table = draft.base();
    if !is_in_round(table) {
        return Err(not_now(table).into());
    }
    let round = &table.round;
    let first = matches!(table.stage, Stage::Betting { .. }) || round.draws.is_empty();
    if first {
        check_shoe(draft)?;
    }
    if matches!(round.phase(), Phase::InitialReveal | Phase::PlayerThirdReveal) || !round.waiting.is_empty() {
        return Err(Why::NotNow { phase: table.phase(), instead: "open the closed cards" }.into());
    }
    let held = round.held.first().copied().filter(|_| round.draws.len() >= 4);
    if held.is_some_and(|held| card != Some(held)) {
        return draft.refuse(Why::HeldCardsFirst, &[Rule::FinishedWithHeld]);
    }
    if round.due().is_err() { Err(Why::CardUnknown.into()) } else { Ok(()) }
}

/// What a report of a card must say, and that there is a shoe for it to come from.
fn check_out(table: &Table, card: Option<Card>, exposed: bool) -> Result<(), Refusal> {
    if table.shoe.number == 0 {
        return Err(Why::ShoeNotReady { missing: "load it" }.into());
    }
    if card.is_none() && exposed {
        return Err(Why::CardUnread.into());
    }
    Ok(())
}

fn is_in_round(table: &Table) -> bool {
    matches!(table.stage, Stage::Betting { .. } | Stage::Playing)
}

/// Whether software may deal the next card now.
fn fits_in(table: &Table) -> bool {
    table.hold.is_none() && table.round.waiting.is_empty() && table.round.due_seen().is_some()
}

/// A card that cannot be in the shoe.
fn is_foreign(table: &Table, card: Option<Card>) -> bool {
    table.shoe.left == 0 || card.is_some_and(|card| table.shoe.unread.count(card) == 0)
}

/// A card comes out with no round open: it would have been the first of the next one.
fn between(
    draft: &mut Draft<'_>,
    card: Option<Card>,
    laid: Option<Side>,
    exposed: bool,
) -> Result<(), Refusal> {
    let table = draft.base();
    if draft.is_asked() {
        return Err(not_now(table).into());
    }
    if is_foreign(table, card) {
        draft.emit(Fact::ForeignDrawn { card }, &[]);
        let told = card.map(|card| card.to_string()).unwrap_or_default();
        return raise(draft, Irregularity::ForeignCard, About::default(), told);
    }
    let seen = exposed || card.is_some() && !table.deals_face_down();
    draft.emit(Fact::StrayDrawn { card, on: laid, exposed: seen }, &[]);
    // No hand comes that it could open.
    let over = draft.cites(&[Rule::NoHandAfterLast]);
    if table.stage == Stage::ShoeEnd && !over.is_empty() {
        draft.emit(Fact::SurplusDiscarded, &over);
        return Ok(());
    }
    let prepared = table.shoe.missing(table.setup.burn, table.setup.cut_card.is_some()).is_none();
    let next_comes = matches!(table.stage, Stage::Ready | Stage::ShoeOption);
    // It is the next card of the Free Hand that is due.
    if table.stage == Stage::Ready && table.next.free {
        return Ok(());
    }
    let irregularity = if next_comes && seen {
        Irregularity::NextCardSeen
    } else if table.stage == Stage::Shoe && !table.shoe.is_shuffled {
        Irregularity::UnshuffledCards
    } else {
        Irregularity::Other
    };
    let told =
        if prepared { "a card drawn between two rounds" } else { "a card drawn before the shoe was ready" };
    raise(draft, irregularity, About::default(), told.to_string())
}

/// Who is to draw, and who drew.
enum Drawer {
    /// The one who is to.
    Right,
    /// Somebody else; in what is told of it.
    Wrong(&'static str),
}

fn method(table: &Table) -> Option<Method> {
    if table.stage == Stage::Playing { table.round.method } else { table.method }
}

/// Who drew, of those who may tell of a card. One that the Dealer draws while a player has the device is out all the
/// same.
fn check_drawer(draft: &Draft<'_>) -> Result<Drawer, Refusal> {
    let table = draft.base();
    let by_dealer = matches!(draft.actor, Actor::Staff(_));
    if method(table) != Some(Method::C) || table.device.is_none() || !by_dealer {
        return Ok(Drawer::Right);
    }
    if draft.is_asked() {
        let third = table.round.draws.len() >= 4;
        let rule = if third { Rule::HolderDrawsThird } else { Rule::PlayerDrawsCards };
        return draft.refuse(Why::NotDrawer { who: "the player with the device" }, &[rule]);
    }
    Ok(Drawer::Wrong("drawn by the Dealer while a player has the device"))
}

/// The first card closes betting if nobody called. What was still to be done with the shoe is the answer.
fn open_play(draft: &mut Draft<'_>) -> Result<Option<(Irregularity, &'static str)>, Refusal> {
    let table = draft.base();
    let betting = matches!(table.stage, Stage::Betting { .. });
    let first = betting || table.round.draws.is_empty() && table.round.waiting.is_empty();
    if !first {
        return Ok(None);
    }
    let unready = match check_shoe(draft) {
        Ok(()) => None,
        Err(refusal) if draft.is_asked() => return Err(refusal),
        Err(_) if !table.shoe.is_shuffled => Some((Irregularity::UnshuffledCards, "")),
        Err(Refusal { why: Why::ShoeLocked, .. }) => Some(from_replaced(table)),
        Err(Refusal { why: Why::ShoeNotReady { .. }, .. }) => {
            Some((Irregularity::Other, "drawn from cards that were not cut"))
        }
        // The settlement waits for chips.
        Err(_) => None,
    };
    if betting {
        wagers::close_with(draft, CloseReason::FirstCard, &[Rule::BeforeTheFirstCard])?;
    }
    Ok(unready)
}

/// A round begins with cards that were to be replaced: what made them unfit is found in this round too, and without that
/// nothing is said of it.
pub(super) fn from_replaced(table: &Table) -> (Irregularity, &'static str) {
    (table.shoe.unfit.unwrap_or(Irregularity::Other), "drawn from cards that were to be replaced")
}

/// A card comes to the hand that it belongs to; if it lies elsewhere, that is the irregularity.
fn place_card(
    draft: &mut Draft<'_>,
    stray: Stray,
    side: Side,
    source: Source,
    unburned: bool,
) -> Result<(), Refusal> {
    let drawn = draft.now().round.draws.len();
    let misplaced = stray.on.filter(|laid| *laid != side);
    drawn_fact(draft, stray.card, side, misplaced, stray.exposed, source);
    if unburned {
        let irregularity = if stray.exposed { Irregularity::NoBurnSeen } else { Irregularity::NoBurnUnseen };
        return raise(draft, irregularity, About::default(), String::new());
    }
    match misplaced {
        // Where it belongs, with more to come: nothing else follows yet.
        None if drawn + 1 < 4 => Ok(()),
        None => after_cards(draft),
        // The Player stands and the Banker draws: the card is the Banker's.
        Some(Side::Player) if drawn == 4 => {
            let about = About { side: Some(side), ..About::default() };
            raise(draft, Irregularity::SurplusDueToBanker, about, String::new())?;
            after_cards_if_new(draft)
        }
        Some(_) => {
            raise(draft, Irregularity::WrongOrder, About::default(), String::new())?;
            after_cards_if_new(draft)
        }
    }
}

/// The cards that wait for their place get it as soon as people can tell whose they are.
pub(super) fn follow(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    while draft.now().stage == Stage::Playing {
        let table = draft.now();
        let round = &table.round;
        if table.hold.is_some() {
            return Ok(());
        }
        if let Some(from) = Some(round).filter(|round| round.all_exposed()).and_then(first_elsewhere) {
            draft.emit(Fact::TakenUp { from }, &[]);
            continue;
        }
        let Some(first) = round.waiting.first().copied() else {
            if table.shoe.found_empty && shoe::lacks_card(table) == Some(true) {
                return shoe::raise_short(draft);
            }
            if round.boxes.came_late {
                return count::count(draft);
            }
            let decides = round.draws.len() >= 4 && round.all_exposed() && round.together.is_empty();
            if !decides || round.outcome.is_some() || round.deal.outcome().is_none() {
                return Ok(());
            }
            after_cards(draft)?;
            continue;
        };
        // Nobody has seen it: who is offered insurance decides first.
        if round.window.is_some() && !first.exposed {
            return Ok(());
        }
        let Some(due) = round.due_seen() else { return Ok(()) };
        let unburned = is_unburned(table);
        insurance::next_card(draft);
        match due {
            Some(side) => {
                let stray = Stray { on: lies_on(draft, first, side), ..first };
                place_card(draft, stray, side, Source::Waiting, unburned)?;
            }
            None => {
                draft.emit(Fact::WaitingSurplus, &[]);
                raise_strays(draft)?;
            }
        }
    }
    Ok(())
}

/// Where a card lies that comes to a hand. When the cards have just been put in order, so have those that were out and
/// waited; only the Banker's third card on the Player's hand has a clause of its own.
fn lies_on(draft: &mut Draft<'_>, stray: Stray, due: Side) -> Option<Side> {
    let third = draft.now().round.draws.len() == 4;
    let is_bankers = third && (stray.on, due) == (Some(Side::Player), Side::Banker);
    stray.on.filter(|_| !draft.rebuilt || is_bankers)
}

/// Whether a card that is turned up as it is drawn should have gone face down: cards do here, and it was not face up in the
/// shoe. Only where that follows from the rules alone is it told; elsewhere whoever minds reports it.
fn is_exposed_by_mistake(table: &Table) -> bool {
    let (_, found) = super::irregular::rulings(table, Irregularity::ExposedByMistake);
    let follows = matches!(found.as_slice(), [only] if only.needs.is_none());
    follows && table.deals_face_down() && !lies_open(table) && !table.round.next_seen
}

/// The shoe should have been burned, and this is its first card.
fn is_unburned(table: &Table) -> bool {
    table.setup.burn > 0
        && !table.shoe.is_burned
        && !table.shoe.unburned_known
        && table.shoe.rounds == 0
        && table.round.draws.is_empty()
}

/// Whether the next card is laid face up. With the Banker's third card to be shown first, the Player's waits.
fn lies_open(table: &Table) -> bool {
    let waits = table.round.banker_first && table.round.draws.len() == 4;
    !waits && !table.deals_face_down()
}

/// A card that is due, from wherever it comes.
pub(super) fn draw_from(draft: &mut Draft<'_>, card: Option<Card>, source: Source, exposed: bool) {
    let table = draft.now();
    let face_up = (exposed || lies_open(table)) && card.is_some();
    if let Ok(Some(side)) = table.round.due() {
        drawn_fact(draft, card, side, None, face_up, source);
    }
}

fn drawn_fact(
    draft: &mut Draft<'_>,
    card: Option<Card>,
    side: Side,
    misplaced: Option<Side>,
    exposed: bool,
    source: Source,
) {
    let table = draft.now();
    let mut rules = Vec::new();
    // What a closed card counts is nobody's to hear.
    if let Some(card) = card.filter(|_| exposed) {
        rules.push(if card_value(card) == 0 { Rule::CardTens } else { Rule::CardPips });
    }
    let third = table.round.draws.len() >= 4;
    if !third {
        rules.push(match side {
            Side::Player => Rule::PlayerCards,
            Side::Banker => Rule::BankerCards,
        });
    }
    match table.round.method {
        Some(Method::A) => {
            rules.extend([Rule::DealerDraws, Rule::ThirdCards].iter().take(1 + usize::from(third)));
        }
        Some(Method::B) => rules.push(Rule::DealerOpensAll),
        Some(Method::C) => rules.push(if third { Rule::HolderDrawsThird } else { Rule::PlayerDrawsCards }),
        None => {}
    }
    if source == Source::Held {
        rules.push(Rule::FinishedWithHeld);
    }
    draft.emit_by(Fact::Drawn { card, side, misplaced, exposed, source }, &rules);
}

/// Several cards leave the shoe at once.
pub(super) fn draw_together(draft: &mut Draft<'_>, cards: &[Card], order_known: bool) -> Result<(), Refusal> {
    let drawn_by = check_drawer(draft)?;
    if cards.len() < 2 {
        return Err(Why::RulingIncomplete { what: "two cards or more" }.into());
    }
    check_out(draft.base(), cards.first().copied(), false)?;
    together(draft, cards, order_known)?;
    match drawn_by {
        Drawer::Right => Ok(()),
        Drawer::Wrong(told) => raise(draft, Irregularity::Other, About::default(), told.to_string()),
    }
}

fn together(draft: &mut Draft<'_>, cards: &[Card], order_known: bool) -> Result<(), Refusal> {
    let table = draft.base();
    if draft.is_asked() && !fits_in(table) {
        return Err(Why::NotNow { phase: table.phase(), instead: "open the closed cards" }.into());
    }
    if let Some(card) = first_foreign(table, cards) {
        return together_with_foreign(draft, cards, card, order_known);
    }
    let short = usize::from(table.shoe.left) < cards.len();
    if !is_in_round(table) && !short {
        for card in cards {
            between(draft, Some(*card), None, false)?;
        }
        return Ok(());
    }
    let unready = if is_in_round(table) { open_play(draft)? } else { None };
    if short {
        return shoe::raise_short(draft);
    }
    insurance::next_card(draft);
    let table = draft.now();
    if table.round.outcome.is_some() {
        return together_after(draft, cards);
    }
    let initial = table.round.draws.len() + table.round.waiting.len() < 4;
    draft.emit(Fact::DrawnTogether { cards: cards.to_vec(), order_known }, &[]);
    let irregularity = match (order_known, initial) {
        (true, _) => Irregularity::TogetherOrderKnown,
        (false, true) => Irregularity::TogetherInitialDeal,
        (false, false) => Irregularity::TogetherLater,
    };
    let mut on_hold = draft.base().hold.iter().flat_map(Hold::all).filter(|hold| hold.ruling.is_none());
    if !on_hold.any(|hold| hold.irregularity == irregularity) {
        raise(draft, irregularity, About::default(), String::new())?;
    }
    match unready {
        Some((irregularity, told)) => raise(draft, irregularity, About::default(), told.to_string()),
        None => Ok(()),
    }
}

/// One of the cards cannot be there. The others are out all the same; what becomes of the round is for that one to say.
fn together_with_foreign(
    draft: &mut Draft<'_>,
    cards: &[Card],
    foreign: Card,
    order_known: bool,
) -> Result<(), Refusal> {
    let at = cards.iter().rposition(|card| *card == foreign);
    let mut rest = cards.to_vec();
    at.map(|at| rest.remove(at));
    match rest.as_slice() {
        [] => {}
        [only] => out(draft, Some(*only), None, false)?,
        several => together(draft, several, order_known)?,
    }
    draft.emit(Fact::ForeignDrawn { card: Some(foreign) }, &[]);
    raise(draft, Irregularity::ForeignCard, About::default(), foreign.to_string())
}

/// Cards come out together although the round needs none: no hand may take them, in whatever order they came.
fn together_after(draft: &mut Draft<'_>, cards: &[Card]) -> Result<(), Refusal> {
    let exposed = lies_open(draft.now());
    let table = draft.now();
    let fits = table.hold.is_none() && table.round.waiting.is_empty() || is_one_more(table);
    for card in cards {
        let card = Some(*card);
        let fact = if fits {
            Fact::SurplusDrawn { card, on: None, exposed }
        } else {
            Fact::StrayDrawn { card, on: None, exposed }
        };
        draft.emit(fact, &[]);
    }
    draft.follows = true;
    if fits { raise_strays(draft) } else { Ok(()) }
}

/// A card was read wrongly, or not at all, and is put right: the hands are what the cards as they are make of them.
pub(super) fn correct(
    draft: &mut Draft<'_>,
    draw: u8,
    card: Card,
    because: Option<&Because>,
) -> Result<(), Refusal> {
    let table = draft.base();
    let round = &table.round;
    // The cards of a round that is settled stand as they were settled.
    let draws = if table.stage == Stage::Playing { round.draws.as_slice() } else { &[] };
    let at = usize::from(draw).checked_sub(1).ok_or(Why::NoSuchDraw)?;
    let Some(known) = table.card_out(at) else {
        // What was settled or void stands; money paid by a wrong card is put right beside it.
        let over = table.stage != Stage::Playing && round.closed.is_some();
        let rules = [Rule::EarlierRoundsStand];
        return if over { draft.refuse(Why::EarlierRound, &rules) } else { Err(Why::NoSuchDraw.into()) };
    };
    // A closed card is not told apart by the answer.
    if known == (Some(card), true) {
        return Err(Why::Already.into());
    }
    if draws.get(at).is_some_and(|dealt| dealt.stand_in) {
        let told = "a card that stands in for another was read wrongly".to_string();
        return raise(draft, Irregularity::Other, About::default(), told);
    }
    let foreign = known.0 != Some(card) && table.shoe.unread.count(card) == 0;
    // What people did about the card as it was cannot be undone.
    let acted_on = at < draws.len() && known.1 && is_acted_on(table, at);
    let because = second::justified(draft, known.0.filter(|_| known.1), because)?;
    draft.emit(Fact::Corrected { draw, card, because }, &[]);
    draft.follows = true;
    if let Some(wrong) = known.0 {
        not_foreign_after_all(draft, wrong);
    }
    if at < draws.len() {
        take_up_surplus(draft);
    }
    if acted_on {
        let told = "insurance was offered on a card that was read wrongly".to_string();
        raise(draft, Irregularity::Other, About::default(), told)?;
    }
    known_after_all(draft)?;
    // It lies there all the same.
    if foreign {
        raise(draft, Irregularity::ForeignCard, About::default(), card.to_string())?;
    }
    after_cards_if_new(draft)
}

/// What no hand could take may be due once a card is put right: it then waits for its place again, whether it is to be
/// ruled on, or was left over for the next hand.
fn take_up_surplus(draft: &mut Draft<'_>) {
    let table = draft.now();
    let round = &table.round;
    let (is_due, is_known) = (matches!(round.due_seen(), Some(Some(_))), round.due_seen().is_some());
    let on_surplus = |hold: &crate::table::Hold| hold.ruling.is_none() && is_of_surplus(hold.irregularity);
    let held = table.hold.as_ref().is_some_and(on_surplus);
    let left_over = is_due && !table.next.carried.is_empty();
    let may_be_due = is_due || !is_known && table.hold.is_none();
    if !may_be_due || round.surplus.is_empty() && !left_over {
        return;
    }
    let from = u8::try_from(round.draws.len() + 1).unwrap_or(u8::MAX);
    draft.emit(Fact::TakenUp { from }, &[]);
    if held {
        draft.emit(Fact::Retracted, &[]);
    }
}

/// Whether it is about a card that no hand may take.
const fn is_of_surplus(irregularity: Irregularity) -> bool {
    matches!(
        irregularity,
        Irregularity::SurplusOnPlayer
            | Irregularity::SurplusOnBankerExposed
            | Irregularity::SurplusOnBankerUnseen
            | Irregularity::SeveralSurplus
    )
}

/// Whether people have acted on a card, by its place among the draws: insurance was offered or taken on cards of which
/// it is one, or the Banker's third card is shown first because of it.
fn is_acted_on(table: &Table, at: usize) -> bool {
    let round = &table.round;
    let [four_over, third_over] = round.windows_over;
    let taken = |stage: Window| {
        let lines = round.insurances.iter().filter_map(|laid| insurance::line(table, laid.line));
        lines.into_iter().any(|line| line.stage == stage)
    };
    let on_four = four_over || round.banker_first || taken(Window::FourCards);
    let on_third = third_over || taken(Window::PlayerThird);
    at < 4 && on_four || at < 5 && on_third
}

/// Cards that somebody left with are known after all: nothing has to be sorted for them.
fn known_after_all(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.now();
    let Some(hold) = &table.hold else { return Ok(()) };
    let side = hold.about.side.filter(|_| hold.irregularity == Irregularity::CardsCarriedOff);
    let unknown =
        |side: Side| table.round.draws.iter().any(|dealt| dealt.side == side && dealt.card.is_none());
    if hold.ruling.is_some() || side.is_none_or(unknown) {
        return Ok(());
    }
    let about = hold.about;
    draft.emit(Fact::Retracted, &[]);
    raise(draft, Irregularity::KnownCardsCarriedOff, about, String::new())
}

/// With a card put right, cards drawn after it may belong elsewhere: the first of those.
fn first_elsewhere(round: &Round) -> Option<u8> {
    // The first four are fixed.
    if round.draws.len() <= 4 {
        return None;
    }
    let mut deal = Deal::default();
    let wrong = round.draws.iter().position(|dealt| {
        let due = dealt.card.map(|card| deal.draw(card));
        due != Some(Ok(dealt.side))
    });
    wrong.and_then(|at| u8::try_from(at + 1).ok())
}

/// Whether a hand without wagers can begin.
pub(crate) fn check_free_hand(table: &Table) -> Checked {
    check_ready(table)?;
    if table.next.free { Ok(()) } else { Err(Against::Why(Why::NoFreeHand, &[Rule::FreeHand])) }
}

/// A hand without wagers, with the cards left over first.
pub(super) fn free_hand(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    draft.pass(check_free_hand(table))?;
    let carried = table.next.carried.clone();
    draft.emit_by(Fact::FreeHandBegan { round: table.round.number + 1 }, &[Rule::FreeHand]);
    announce_if_last(draft);
    draw_carried(draft, carried.into_iter().map(|stray| Stray { exposed: true, ..stray }));
    after_cards(draft)
}

/// Cards left over come first; more than four of them wait for their place.
pub(super) fn draw_carried(draft: &mut Draft<'_>, carried: impl Iterator<Item = Stray>) {
    for (at, stray) in carried.enumerate() {
        if at == 4 {
            draft.emit(Fact::CarriedWait, &[]);
            draft.follows = true;
            return;
        }
        draw_from(draft, stray.card, Source::Carried, stray.exposed);
    }
}

/// What follows from the cards that people see: the counts, an insurance, the result.
pub(super) fn after_cards(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.now();
    let round = &table.round;
    if round.draws.len() < 4 || round.draws.iter().take(4).any(|dealt| !dealt.exposed || dealt.card.is_none())
    {
        return Ok(());
    }
    let (deal, all_seen) = (round.seen(), round.all_exposed());
    if let Some(from) = Some(round).filter(|_| all_seen).and_then(first_elsewhere) {
        draft.emit(Fact::TakenUp { from }, &[]);
        draft.follows = true;
        return Ok(());
    }
    let rules: Vec<Rule> = deal.rules().into_iter().filter(|rule| *rule != Rule::Result).collect();
    let (player, banker) = (deal.points(Side::Player), deal.points(Side::Banker));
    let outcome = if all_seen && round.together.is_empty() { round.deal.outcome() } else { None };
    let known = round.outcome;
    draft.emit_by(Fact::Totals { player, banker, due: deal.due() }, &rules);
    insurance::due(draft);
    if let Some(outcome) = outcome.filter(|outcome| known != Some(*outcome)) {
        draft.emit_by(Fact::Decided(outcome), &[Rule::Result]);
    }
    Ok(())
}

/// The same, unless the result stands already.
pub(super) fn after_cards_if_new(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.now();
    if table.stage != Stage::Playing || table.round.outcome.is_some() || table.hold.is_some() {
        return Ok(());
    }
    after_cards(draft)
}
