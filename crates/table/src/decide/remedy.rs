//! How each remedy is carried out.

use croupier_cards::{Card, Composition, Decks};
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::{Choosers, Irregularity, Ruling, ShoeFate};
use croupier_rules::rulebook::RoundBegins;
use croupier_rules::{Basis, Power, Remedy, Rule, Rulebook};

use super::deal::after_cards_if_new;
use super::draft::{Against, Checked};
use super::{Draft, count, hands, house, wagers};
use crate::actor::PersonId;
use crate::command::RulingMade;
use crate::event::{About, After, Fact, Mark, Source};
use crate::refusal::{Refusal, Why};
use crate::table::{Hold, Stage, Table, place};

/// Whether a ruling says all that its remedy needs.
pub(super) fn check(draft: &Draft<'_>, ruling: &Ruling, made: &RulingMade) -> Result<(), Refusal> {
    let table = draft.base();
    if let Some(withdrawal) = &ruling.withdrawal
        && withdrawal.choosers == Choosers::Everybody
        && !made.only.is_empty()
    {
        let cites: Vec<Basis> = ruling.cites.iter().chain(&withdrawal.cites).copied().collect();
        return Err(Refusal::new(Why::ChoiceOfAll, &cites));
    }
    // Everybody is treated alike, unless the ruling says why not.
    if !made.only.is_empty() && (ruling.withdrawal.is_none() || made.reason.is_empty()) {
        let cites = ruling.withdrawal.as_ref().map_or(&ruling.cites, |withdrawal| &withdrawal.cites);
        let why = Why::RulingIncomplete { what: "why only these players may withdraw" };
        return Err(Refusal::new(why, cites));
    }
    match ruling.remedy {
        Remedy::FixOrder => {
            let mut asked = made.order.clone();
            let mut drawn = table.round.together.clone();
            asked.sort_unstable();
            drawn.sort_unstable();
            if asked == drawn {
                Ok(())
            } else {
                Err(Refusal::new(
                    Why::RulingIncomplete { what: "the order of exactly the cards drawn together" },
                    &ruling.cites,
                ))
            }
        }
        Remedy::NameSqueezer => {
            let side = table.hold.as_ref().and_then(|hold| hold.about.side);
            let known = side.map(|side| super::squeeze::order(table, side)).unwrap_or_default();
            if made.player.is_some_and(|player| known.contains(&player)) {
                Ok(())
            } else {
                let why = Why::RulingIncomplete { what: "a player with a wager on that hand" };
                Err(Refusal::new(why, &ruling.cites))
            }
        }
        Remedy::PlayOn
        | Remedy::Void
        | Remedy::Rebuild
        | Remedy::NextHandFree
        | Remedy::OpenNextRound
        | Remedy::Discard
        | Remedy::FreeHand
        | Remedy::TakeBackAndBurn
        | Remedy::OfferNewShoe
        | Remedy::Reset
        | Remedy::Substitute
        | Remedy::DealerOpens
        | Remedy::StopHandling
        | Remedy::VoidBox
        | Remedy::DeadCards
        | Remedy::Redeal
        | Remedy::ResetHand => Ok(()),
    }
}

/// Does what a ruling says.
pub(super) fn carry_out(draft: &mut Draft<'_>, ruling: &Ruling, made: &RulingMade) -> Result<(), Refusal> {
    let cites = &ruling.cites;
    let about = draft.now().hold.as_ref().map(|hold| hold.about).unwrap_or_default();
    let irregularity = draft.now().hold.as_ref().map(|hold| hold.irregularity);
    let (fate, because, rests_on) = shoe_fate(draft.now(), ruling);
    judge_shoe(draft, fate, because, &rests_on);
    // Where the cards go is decided with what was found first, if that still waits.
    let waits = draft.now().hold.as_ref().is_some_and(|hold| hold.earlier.is_some());
    // A hand to come has none of them.
    let round = &draft.now().round;
    let is_over = round.outcome.is_some() && round.surplus.is_empty();
    let is_of_next = ruling.remedy == Remedy::NextHandFree && is_over;
    if waits && places_cards(ruling.remedy) && !is_of_next {
        // What is decided here is their order, unless cards lie before them whose own is still to be decided.
        let fixes = ruling.remedy == Remedy::FixOrder;
        if irregularity.is_some_and(is_together) && (fixes || !waits_for_order(draft.now())) {
            let cards = in_order(draft.now(), named_order(ruling, made));
            draft.emit(Fact::TogetherWait { cards }, cites);
        }
        resume(draft, cites);
        return Ok(());
    }
    match ruling.remedy {
        Remedy::Void => void(draft, ruling),
        Remedy::PlayOn => {
            // Cards drawn together lie as they came; a surplus card has no place.
            if irregularity == Some(Irregularity::NoBurnLater)
                && is_named(draft.base().rulebook(), Irregularity::NoBurnLater)
            {
                draft.emit(Fact::ShoePlayedOut, cites);
            }
            resume(draft, cites);
            if !draft.now().round.surplus.is_empty() {
                draft.emit(Fact::SurplusDiscarded, cites);
            }
            put_in_order(draft, &[])
        }
        Remedy::Rebuild | Remedy::FixOrder => {
            draft.emit(Fact::Rebuilt, cites);
            draft.rebuilt = true;
            resume(draft, cites);
            put_in_order(draft, named_order(ruling, made))
        }
        Remedy::NextHandFree => next_hand_free(draft, cites),
        Remedy::OpenNextRound => {
            resume(draft, cites);
            carry(draft, false, cites);
            Ok(())
        }
        Remedy::Discard => {
            draft.emit(Fact::SurplusDiscarded, cites);
            resume(draft, cites);
            Ok(())
        }
        Remedy::FreeHand => {
            let in_round = matches!(draft.now().stage, Stage::Betting { .. } | Stage::Playing);
            if !in_round {
                // Between rounds there is no hand to free, unless a card of the next one is out.
                if !draft.now().next.carried.is_empty() {
                    let mut cites = cites.clone();
                    cites.extend(draft.cites(&[Rule::FreeHand]));
                    draft.emit(Fact::NextIsFree, &cites);
                }
                resume(draft, cites);
                return Ok(());
            }
            wagers::return_all(draft, cites);
            let mut cites = cites.clone();
            cites.extend(draft.cites(&[Rule::FreeHand]));
            draft.emit(Fact::TurnedFree, &cites);
            resume(draft, &cites);
            if waits { Ok(()) } else { put_in_order(draft, &[]) }
        }
        Remedy::TakeBackAndBurn => {
            draft.emit(Fact::CardsReturned, cites);
            resume(draft, cites);
            Ok(())
        }
        Remedy::OfferNewShoe => {
            draft.emit(Fact::ShoeChoiceDue, cites);
            resume(draft, cites);
            after_cards_if_new(draft)
        }
        Remedy::Reset => {
            draft.emit(Fact::DealDiscarded, cites);
            resume(draft, cites);
            Ok(())
        }
        // Play stays on hold until the cards are counted.
        Remedy::Substitute => Ok(()),
        Remedy::DealerOpens => {
            // Who is absent is absent for both hands.
            let squeezers = draft.now().round.squeezers;
            let absent = |side: Side| about.player.is_some() && squeezers[place(side)] == about.player;
            for side in [Side::Player, Side::Banker] {
                if about.side == Some(side) || absent(side) {
                    draft.emit(Fact::SqueezerNamed { player: None, side }, cites);
                }
            }
            resume(draft, cites);
            Ok(())
        }
        Remedy::NameSqueezer => {
            if let Some(side) = about.side {
                draft.emit(Fact::SqueezerNamed { player: made.player, side }, cites);
            }
            resume(draft, cites);
            super::squeeze::raise_unclear(draft, about.side)
        }
        Remedy::StopHandling => {
            if let Some(player) = about.player {
                draft.emit(Fact::HandlingStopped { player }, cites);
            }
            resume(draft, cites);
            Ok(())
        }
        Remedy::VoidBox => count::void_box(draft, about, cites),
        Remedy::DeadCards => count::dead_cards(draft, about, cites),
        Remedy::Redeal => count::redeal(draft, cites),
        Remedy::ResetHand => hands::reset_hand(draft, cites),
    }
}

/// Whether cards came out together.
const fn is_together(irregularity: Irregularity) -> bool {
    matches!(
        irregularity,
        Irregularity::TogetherOrderKnown | Irregularity::TogetherInitialDeal | Irregularity::TogetherLater
    )
}

/// Whether something that was found before is about the order of cards drawn together.
fn waits_for_order(table: &Table) -> bool {
    table.hold.iter().flat_map(Hold::all).skip(1).any(|hold| is_together(hold.irregularity))
}

/// Only a ruling that fixes the order has one of its own.
fn named_order<'r>(ruling: &Ruling, made: &'r RulingMade) -> &'r [Card] {
    if ruling.remedy == Remedy::FixOrder { &made.order } else { &[] }
}

/// The cards drawn together that have no place yet: those that a ruling names in its order, then the others as they
/// came. Of some the order may have been decided since, and others may have come.
fn in_order(table: &Table, named: &[Card]) -> Vec<Card> {
    let mut rest = table.round.together.clone();
    let mut order = named.to_vec();
    order.retain(|card| rest.iter().position(|known| known == card).map(|at| rest.remove(at)).is_some());
    order.extend(rest);
    order
}

/// Whether the rulebook itself speaks of it.
pub(super) fn is_named(rulebook: &Rulebook, irregularity: Irregularity) -> bool {
    rulebook.irregularities.iter().any(|rule| rule.irregularity == irregularity)
}

/// Whether a remedy says where cards that lie out of place or in nobody's hand go.
const fn places_cards(remedy: Remedy) -> bool {
    match remedy {
        Remedy::PlayOn
        | Remedy::Rebuild
        | Remedy::FixOrder
        | Remedy::NextHandFree
        | Remedy::OpenNextRound
        | Remedy::Discard => true,
        Remedy::Void
        | Remedy::FreeHand
        | Remedy::TakeBackAndBurn
        | Remedy::OfferNewShoe
        | Remedy::Reset
        | Remedy::Substitute
        | Remedy::DealerOpens
        | Remedy::NameSqueezer
        | Remedy::StopHandling
        | Remedy::VoidBox
        | Remedy::DeadCards
        | Remedy::Redeal
        | Remedy::ResetHand => false,
    }
}

fn resume(draft: &mut Draft<'_>, cites: &[Basis]) {
    draft.emit(Fact::Resumed, cites);
}

/// What becomes of the shoe with a ruling, for which irregularity and by which clauses. A ruling that ends all that is on
/// hold ends what was found before as well: what that asks of the cards still holds, where it is stricter.
fn shoe_fate(table: &Table, ruling: &Ruling) -> (ShoeFate, Option<Irregularity>, Vec<Basis>) {
    let own = table.hold.as_ref().map(|hold| hold.irregularity);
    let mut strictest = (ruling.shoe, own, ruling.cites.clone());
    let voids = ruling.remedy == Remedy::Void && is_round_void(table, ruling);
    let ends_all = voids || ruling.remedy == Remedy::Reset;
    for hold in table.hold.iter().flat_map(Hold::all).skip(1).filter(|_| ends_all) {
        let (_, found) = super::irregular::rulings(table, hold.irregularity);
        // What a void would have asked, or what is done instead where there is none.
        let voids = found.iter().any(|other| other.remedy == Remedy::Void);
        let asked = found.iter().filter(|other| !voids || other.remedy == Remedy::Void);
        if let Some(other) = asked.max_by_key(|other| other.shoe)
            && other.shoe > strictest.0
        {
            strictest = (other.shoe, Some(hold.irregularity), other.cites.clone());
        }
    }
    strictest
}

/// What a ruling says of the shoe; earlier rounds stand.
fn judge_shoe(draft: &mut Draft<'_>, fate: ShoeFate, irregularity: Option<Irregularity>, cites: &[Basis]) {
    if fate == ShoeFate::Keep {
        return;
    }
    let mut cites = cites.to_vec();
    if let Some(rule) = draft.base().rulebook().power(Power::ReplaceShoe) {
        cites.extend(&rule.cites);
    }
    if matches!(irregularity, Some(Irregularity::ForeignCard | Irregularity::UnshuffledCards)) {
        cites.extend(draft.cites(&[Rule::EarlierRoundsStand]));
    }
    draft.emit(Fact::ShoeJudged(fate), &cites);
}

/// Cards drawn together take their places in this order; what no hand may take is surplus.
fn put_in_order(draft: &mut Draft<'_>, order: &[Card]) -> Result<(), Refusal> {
    let order = in_order(draft.now(), order);
    for (at, card) in order.iter().enumerate() {
        let due = draft.now().round.due_of_placed();
        let left = || order.iter().skip(at).copied().collect::<Vec<Card>>();
        match due {
            Some(Some(_)) => super::deal::draw_from(draft, Some(*card), Source::Together, false),
            Some(None) => return surplus_together(draft, &left()),
            None => {
                draft.emit(Fact::TogetherWait { cards: left() }, &[]);
                draft.follows = true;
                break;
            }
        }
    }
    after_cards_if_new(draft)
}

/// Too many cards came together: the round has its result, and the rest is surplus.
fn surplus_together(draft: &mut Draft<'_>, left: &[Card]) -> Result<(), Refusal> {
    let exposed = !draft.now().deals_face_down();
    for card in left {
        draft.emit(Fact::TogetherSurplus { card: *card, exposed }, &[]);
    }
    after_cards_if_new(draft)?;
    super::surplus::raise_surplus(draft, croupier_rules::baccarat::Side::Player, exposed)
}

/// The surplus cards open the next round, unless this hand was the last.
fn carry(draft: &mut Draft<'_>, free: bool, cites: &[Basis]) {
    let table = draft.now();
    if table.round.last || table.shoe.rounds_left == Some(0) {
        let mut cites = cites.to_vec();
        cites.extend(draft.cites(&[Rule::NoHandAfterLast]));
        draft.emit(Fact::SurplusDiscarded, &cites);
        return;
    }
    let mut cites = cites.to_vec();
    if free {
        cites.extend(draft.cites(&[Rule::FreeHand]));
    }
    draft.emit(Fact::CardsCarried { free }, &cites);
}

/// Whether wagers may lie and no card of the round does.
pub(super) fn is_before_first_card(table: &Table) -> bool {
    matches!(table.stage, Stage::Betting { .. })
        || table.stage == Stage::Playing && table.round.draws.is_empty()
}

fn next_hand_free(draft: &mut Draft<'_>, cites: &[Basis]) -> Result<(), Refusal> {
    let table = draft.now();
    if !table.round.surplus.is_empty() {
        resume(draft, cites);
        carry(draft, true, cites);
        return Ok(());
    }
    // The first card of the next round was seen: wagers laid for it go back.
    let betting = is_before_first_card(table);
    let mut cites = cites.to_vec();
    cites.extend(draft.cites(&[Rule::FreeHand]));
    if betting {
        wagers::return_all(draft, &cites);
        draft.emit(Fact::NextIsFree, &cites);
        draft.emit(Fact::BettingAbandoned, &cites);
    } else {
        draft.emit(Fact::NextIsFree, &cites);
    }
    resume(draft, &cites);
    Ok(())
}

/// Whether there is a round that such a ruling voids.
pub(super) fn is_round_void(table: &Table, ruling: &Ruling) -> bool {
    let irregularity = table.hold.as_ref().map(|hold| hold.irregularity);
    // What follows from the rules alone is about the cards, and without a card out no round has begun for it.
    // Whoever rules has the wagers in mind as well.
    let for_a_round = ruling.needs.is_none()
        && matches!(irregularity, Some(Irregularity::ForeignCard | Irregularity::UnshuffledCards))
        && table.rulebook().play.round_begins == RoundBegins::FirstCard;
    match table.stage {
        Stage::Playing => table.round.begun || !for_a_round,
        Stage::Betting { .. } => !for_a_round,
        Stage::Shoe | Stage::Ready | Stage::ShoeOption | Stage::ShoeEnd | Stage::Closed => false,
    }
}

/// The round has no result: everything goes back. Between rounds there is nothing to void.
pub(super) fn void(draft: &mut Draft<'_>, ruling: &Ruling) -> Result<(), Refusal> {
    let table = draft.now();
    let irregularity = table.hold.as_ref().map(|hold| hold.irregularity);
    let in_round = is_round_void(table, ruling);
    let begun = table.stage == Stage::Playing && table.round.begun;
    let (fate, because, rests_on) = shoe_fate(table, ruling);
    if table.shoe.fate < fate {
        judge_shoe(draft, fate, because, &rests_on);
    }
    let table = draft.now();
    // Cards that are out for a hand that is not dealt go with the ruling that voids it, unless that hand is due all the same.
    let betting = in_round && matches!(table.stage, Stage::Betting { .. });
    let is_ruled = !in_round && ruling.needs.is_some();
    if (betting || is_ruled) && !table.next.free && !table.next.carried.is_empty() {
        draft.emit(Fact::SurplusDiscarded, &ruling.cites);
    }
    if !in_round {
        resume(draft, &ruling.cites);
        return Ok(());
    }
    let mut cites = ruling.cites.clone();
    let rests_on = |rules: &[Rule], cites: &mut Vec<Basis>| {
        let more: Vec<Basis> =
            draft.cites(rules).into_iter().filter(|basis| !cites.contains(basis)).collect();
        cites.extend(more);
    };
    rests_on(&[Rule::VoidRound, Rule::VoidReturns], &mut cites);
    // Before the first card it is a round only where one begins with betting.
    if !begun {
        rests_on(&[Rule::RoundBegins], &mut cites);
    }
    let returned = cites.clone();
    rests_on(&[Rule::Scoreboard], &mut cites);
    wagers::return_all(draft, &returned);
    let table = draft.now();
    let ends = irregularity == Some(Irregularity::NotEnoughCards) || is_shoe_over(table);
    let after = super::shoe::after_round(table, ends);
    let next_comes = !ends && table.round.next_seen && keeps_its_order(table);
    if after == After::ShoeOption {
        cites.extend(draft.cites(&[Rule::ShoeChoiceAfterVoid]));
    }
    draft.emit(Fact::RoundClosed { mark: Mark::Void, after }, &cites);
    super::shoe::close_if_all_chose(draft);
    if next_comes {
        return super::irregular::raise(draft, Irregularity::NextCardSeen, About::default(), String::new());
    }
    Ok(())
}

/// Whether the card that comes next from the shoe is still the same one: the cards stay, and in their order.
fn keeps_its_order(table: &Table) -> bool {
    let lost =
        |hold: &Hold| matches!(hold.irregularity, Irregularity::OrderLost | Irregularity::OrderLostMoving);
    table.shoe.fate != ShoeFate::Replace && !table.hold.iter().flat_map(Hold::all).any(lost)
}

/// No further round comes from this shoe.
pub(super) fn is_shoe_over(table: &Table) -> bool {
    table.shoe.rounds_left == Some(0)
}

/// What has to come before cards are counted.
const COUNT_ORDERED: &str = "a ruling must order the count of the cards";

/// Whether the cards are being counted.
fn check_sorting(table: &Table) -> Checked {
    let sorting = table.hold.as_ref().is_some_and(|hold| hold.sorting);
    if sorting { Ok(()) } else { Err(Against::NotNow(COUNT_ORDERED)) }
}

/// Whether two cards can be held back before the others are counted.
pub(crate) fn check_hold_two(table: &Table) -> Checked {
    check_sorting(table)?;
    if !table.round.held.is_empty() {
        return Err(Against::NotNow("sort the cards"));
    }
    if table.shoe.left < 2 { Err(Why::CannotCorrect.into()) } else { Ok(()) }
}

/// Whether it can be told what was found. The cards in play are no missing ones: what lies there unread has to be seen
/// first.
pub(crate) fn check_sorted(table: &Table) -> Checked {
    check_sorting(table)?;
    let incomplete = |what| Why::RulingIncomplete { what };
    if table.round.held.is_empty() {
        return Err(Against::Why(incomplete("two cards held back first"), &[Rule::TwoCardsHeld]));
    }
    if table.round.draws.iter().any(|dealt| dealt.card.is_none() && !is_gone(table, dealt.side)) {
        let why = incomplete("the cards of the other hand; open it first");
        return Err(Against::Why(why, &[Rule::MissingCards]));
    }
    if table.strays().any(|stray| stray.card.is_none()) {
        let why = incomplete("the unread cards that belong to no hand; correct them first");
        return Err(Against::Why(why, &[Rule::MissingCards]));
    }
    Ok(())
}

/// Two cards are held back for third cards, unseen.
pub(super) fn hold_two(draft: &mut Draft<'_>, cards: [Card; 2]) -> Result<(), Refusal> {
    let table = draft.base();
    draft.pass(check_hold_two(table))?;
    let [first, second] = cards;
    let twice = u8::from(first == second);
    let unread = &table.shoe.unread;
    if unread.count(first) == 0 || unread.count(second) <= twice {
        return Err(Why::CannotCorrect.into());
    }
    draft.emit_by(Fact::TwoHeld(cards), &[Rule::TwoCardsHeld]);
    Ok(())
}

/// What is missing is the difference between full decks and everything else.
pub(super) fn sorted(draft: &mut Draft<'_>, found: &Composition, witness: PersonId) -> Result<(), Refusal> {
    let table = draft.base();
    draft.pass(check_sorted(table))?;
    if !house::is_second(draft, witness) {
        return draft.refuse(Why::WitnessNeeded, &[Rule::Sorting]);
    }
    let side = table.hold.as_ref().and_then(|hold| hold.about.side);
    let missing = missing_cards(table, found);
    let expected = table.round.draws.iter().filter(|dealt| dealt.card.is_none()).count();
    let Some(missing) = missing.filter(|missing| missing.len() == expected) else {
        let found = missing_cards(table, found).map_or(0, |missing| missing.len());
        return draft.refuse(Why::CountMismatch { expected, found }, &[Rule::MissingCards]);
    };
    let fact = Fact::MissingFound { missing: missing.clone(), witness };
    draft.emit_by(fact, &[Rule::Sorting, Rule::MissingCards]);
    draft.emit_by(Fact::StoodIn { cards: missing }, &[Rule::StandIn]);
    // Who left with the cards opens nothing more.
    if let Some(side) = side {
        draft.emit_by(Fact::SqueezerNamed { player: None, side }, &[Rule::StandIn]);
    }
    let cites = draft.cites(&[Rule::FinishedWithHeld, Rule::ReplacedAfter]);
    draft.emit(Fact::ShoeJudged(ShoeFate::Replace), &cites);
    resume(draft, &cites);
    after_cards_if_new(draft)
}

/// Whether a player left with the cards of a hand, as was found before or now.
pub(super) fn is_gone(table: &Table, side: croupier_rules::baccarat::Side) -> bool {
    let mut holds = table.hold.iter().flat_map(Hold::all);
    holds.any(|hold| hold.irregularity == Irregularity::CardsCarriedOff && hold.about.side == Some(side))
}

/// Full decks less what was sorted, the cards in play and the two held; nothing if more was found.
fn missing_cards(table: &Table, found: &Composition) -> Option<Vec<Card>> {
    let decks = Decks::new(table.setup.decks).ok()?;
    let mut left = Composition::of_decks(decks);
    let in_play = table.round.draws.iter().filter_map(|dealt| dealt.card);
    let surplus = table.strays().filter_map(|stray| stray.card);
    let apart = table.round.together.iter().chain(&table.round.held).copied();
    for card in found.cards().chain(in_play).chain(surplus).chain(apart) {
        left.remove(card).ok()?;
    }
    Some(left.cards().collect())
}
