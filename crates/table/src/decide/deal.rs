//! Cards as they leave the shoe: where they belong follows from their number.

use croupier_cards::Card;
use croupier_rules::Rule;
use croupier_rules::baccarat::{Deal, Side, card_value};
use croupier_rules::irregularity::Irregularity;

use super::insurance;
use super::irregular::raise;
use super::wagers::{self, announce_if_last, check_ready, check_shoe};
use super::{Draft, staff, staff_or_device};
use crate::actor::Actor;
use crate::event::{About, CloseReason, Fact, Source};
use crate::phase::Phase;
use crate::refusal::{Refusal, Why};
use crate::setup::Method;
use crate::table::{Stage, Table};

pub(super) fn draw(
    draft: &mut Draft<'_>,
    card: Option<Card>,
    laid: Option<Side>,
    exposed: bool,
) -> Result<(), Refusal> {
    check_drawer(draft)?;
    open_play(draft)?;
    // A device may fail to read a card; it lies there unnamed until the Dealer opens the hand.
    let unreadable = card.is_none() && !exposed && draft.actor == Actor::Device;
    let table = draft.now();
    let face_up = exposed || lies_open(table) && !unreadable;
    if card.is_none() && face_up {
        return Err(Why::CardUnread.into());
    }
    // What a third card is depends on cards that people have not seen yet.
    let phase = table.round.phase();
    if matches!(phase, Phase::InitialReveal | Phase::PlayerThirdReveal) {
        return Err(Why::NotNow { phase: table.phase(), instead: "open the closed cards" }.into());
    }
    if let Some(held) = table.round.held.first().copied().filter(|_| table.round.draws.len() >= 4) {
        if card != Some(held) {
            return draft.refuse(Why::HeldCardsFirst, &[Rule::FinishedWithHeld]);
        }
        draw_from(draft, card, Source::Held, true);
        return after_cards(draft);
    }
    let (left, is_foreign) = (table.shoe.left, card.is_some_and(|card| table.shoe.unread.count(card) == 0));
    let Ok(due) = table.round.due() else { return Err(Why::CardUnknown.into()) };
    let drawn = table.round.draws.len();
    let unburned = is_unburned(table);
    if let (true, Some(card)) = (is_foreign || left == 0, card) {
        draft.emit(Fact::ForeignDrawn { card }, &[]);
        return raise(draft, Irregularity::ForeignCard, About::default(), card.to_string());
    }
    insurance::next_card(draft);
    let Some(side) = due else {
        return surplus(draft, card, laid, face_up);
    };
    let misplaced = laid.filter(|laid| *laid != side);
    drawn_fact(draft, card, side, misplaced, face_up, Source::Shoe);
    if unburned {
        let irregularity = if face_up { Irregularity::NoBurnSeen } else { Irregularity::NoBurnUnseen };
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

/// Who may draw: the Dealer, or the player with the device.
fn check_drawer(draft: &Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    let method = if table.stage == Stage::Playing { table.round.method } else { table.method };
    match (method, draft.actor) {
        (Some(Method::C), Actor::Player(player)) if table.device == Some(player) => Ok(()),
        // While nobody has the device the Dealer draws; an automatic table does not wait for its holder.
        (Some(Method::C), Actor::System) => Ok(()),
        (Some(Method::C), actor) if table.device.is_none() => staff_or_device(actor),
        (Some(Method::C), _) => {
            let third = table.round.draws.len() >= 4;
            let rule = if third { Rule::HolderDrawsThird } else { Rule::PlayerDrawsCards };
            draft.refuse(Why::NotDrawer { who: "the player with the device" }, &[rule])
        }
        (_, Actor::Player(_)) => draft.refuse(Why::NotDrawer { who: "the Dealer" }, &[Rule::DealerControls]),
        (_, actor) => staff_or_device(actor),
    }
}

/// The first card closes betting if nobody called.
fn open_play(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    match table.stage {
        Stage::Playing if table.round.draws.is_empty() => check_shoe(draft),
        Stage::Playing => Ok(()),
        Stage::Betting { .. } => {
            check_shoe(draft)?;
            wagers::close_with(draft, CloseReason::FirstCard, &[Rule::BeforeTheFirstCard])
        }
        Stage::Ready | Stage::Shoe | Stage::ShoeOption | Stage::ShoeEnd | Stage::Closed => {
            Err(Why::NotNow { phase: table.phase(), instead: "open betting, or deal the Free Hand" }.into())
        }
    }
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
    let face_up = exposed || lies_open(table);
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
    if let Some(card) = card {
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

/// A card that no hand may take.
fn surplus(
    draft: &mut Draft<'_>,
    card: Option<Card>,
    on: Option<Side>,
    exposed: bool,
) -> Result<(), Refusal> {
    let Some(card) = card else { return Err(Why::CardUnread.into()) };
    draft.emit(Fact::SurplusDrawn { card, on, exposed }, &[]);
    match on {
        Some(side) => raise_surplus(draft, side, exposed),
        // Where it lies is for somebody to say.
        None => raise(draft, Irregularity::SurplusOnPlayer, About::default(), card.to_string()),
    }
}

/// Which irregularity a surplus card is.
pub(super) fn raise_surplus(draft: &mut Draft<'_>, side: Side, exposed: bool) -> Result<(), Refusal> {
    let table = draft.now();
    let several = table.round.surplus.len() + table.next.carried.len() > 1;
    let irregularity = match (several, side, exposed) {
        (true, _, _) => Irregularity::SeveralSurplus,
        (false, Side::Player, _) => Irregularity::SurplusOnPlayer,
        (false, Side::Banker, true) => Irregularity::SurplusOnBankerExposed,
        (false, Side::Banker, false) => Irregularity::SurplusOnBankerUnseen,
    };
    let about = About { side: Some(side), ..About::default() };
    raise(draft, irregularity, about, String::new())
}

pub(super) fn draw_together(draft: &mut Draft<'_>, cards: &[Card], order_known: bool) -> Result<(), Refusal> {
    check_drawer(draft)?;
    if cards.len() < 2 || cards.len() > 4 {
        return Err(Why::RulingIncomplete { what: "two to four cards" }.into());
    }
    open_play(draft)?;
    let table = draft.now();
    if table.round.due().is_err() {
        return Err(Why::CardUnknown.into());
    }
    if table.round.phase() == Phase::Result {
        return Err(Why::NotNow { phase: table.phase(), instead: "no card is due" }.into());
    }
    let initial = table.round.draws.len() < 4;
    let foreign = cards.iter().enumerate().find(|(at, card)| {
        let before = cards.iter().take(*at).filter(|other| other == card).count();
        usize::from(table.shoe.unread.count(**card)) <= before
    });
    if let Some((_, card)) = foreign {
        let card = *card;
        draft.emit(Fact::ForeignDrawn { card }, &[]);
        return raise(draft, Irregularity::ForeignCard, About::default(), card.to_string());
    }
    if usize::from(table.shoe.left) < cards.len() {
        return raise(draft, Irregularity::NotEnoughCards, About::default(), String::new());
    }
    insurance::next_card(draft);
    draft.emit(Fact::DrawnTogether { cards: cards.to_vec(), order_known }, &[]);
    let irregularity = match (order_known, initial) {
        (true, _) => Irregularity::TogetherOrderKnown,
        (false, true) => Irregularity::TogetherInitialDeal,
        (false, false) => Irregularity::TogetherLater,
    };
    raise(draft, irregularity, About::default(), String::new())
}

/// A card keyed in wrongly is put right while its round is open: no irregularity.
pub(super) fn correct(draft: &mut Draft<'_>, draw: u8, card: Card) -> Result<(), Refusal> {
    staff(draft.actor)?;
    let table = draft.base();
    if table.stage != Stage::Playing {
        return Err(Why::NotNow { phase: table.phase(), instead: "the round is settled" }.into());
    }
    let at = usize::from(draw).checked_sub(1);
    let Some(dealt) = at.and_then(|at| table.round.draws.get(at)) else { return Err(Why::NoSuchDraw.into()) };
    if dealt.card == Some(card) {
        return Err(Why::Already.into());
    }
    if dealt.stand_in || table.shoe.unread.count(card) == 0 || !table.round.surplus.is_empty() {
        return Err(Why::CannotCorrect.into());
    }
    // The cards drawn since must still be the ones due, on the same hands.
    let mut deal = Deal::default();
    for (place, known) in table.round.draws.iter().enumerate() {
        let card = if Some(place) == at { Some(card) } else { known.card };
        let Some(card) = card else { return Err(Why::CardUnknown.into()) };
        if deal.draw(card) != Ok(known.side) {
            return Err(Why::CannotCorrect.into());
        }
    }
    // What people did about the card as it was cannot be undone.
    let acted_on = !table.round.insurances.is_empty()
        || table.round.windows_over.contains(&true)
        || table.round.banker_first;
    if acted_on {
        return Err(Why::CannotCorrect.into());
    }
    draft.emit(Fact::Corrected { draw, card }, &[]);
    after_cards(draft)
}

/// A hand without wagers, with the cards left over first.
pub(super) fn free_hand(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    staff(draft.actor)?;
    check_ready(draft)?;
    let table = draft.base();
    if !table.next.free {
        return draft.refuse(Why::NoFreeHand, &[Rule::FreeHand]);
    }
    let carried = table.next.carried.clone();
    draft.emit_by(Fact::FreeHandBegan { round: table.round.number + 1 }, &[Rule::FreeHand]);
    announce_if_last(draft);
    for surplus in carried {
        draw_from(draft, Some(surplus.card), Source::Carried, true);
    }
    after_cards(draft)
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
