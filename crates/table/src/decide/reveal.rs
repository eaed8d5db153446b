//! Hands are opened: by who has the right to them, or by the Dealer.

use croupier_cards::Card;
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::Irregularity;
use croupier_rules::{Power, Rule};

use super::Draft;
use super::deal::{after_cards, after_cards_if_new};
use super::insurance;
use super::irregular::{first_foreign, raise, wrong_delivery};
use crate::actor::{Actor, PlayerId};
use crate::event::{About, Fact};
use crate::refusal::{Refusal, Why};
use crate::setup::Method;
use crate::table::{Stage, Table, place};

pub(super) fn reveal(draft: &mut Draft<'_>, side: Side, told: &[Card]) -> Result<(), Refusal> {
    let table = draft.base();
    // For the count it is enough that the hand is closed, and whoever opens it does.
    let counts = opens_for_count(table, side);
    if !counts {
        check_open(table, side)?;
    }
    let squeezer = table.round.squeezers[place(side)];
    let mut rules = Vec::new();
    let forgotten = match (draft.actor, squeezer) {
        (Actor::Player(_), _) => {
            // Under Method C the cards go to whoever the Dealer passes them to.
            if table.round.method != Some(Method::C) {
                rules.push(Rule::SqueezeRight);
            }
            None
        }
        (_, None) => None,
        (_, Some(_)) if counts => None,
        // The Dealer forgot to hand the cards over.
        (Actor::Staff(_), Some(player)) => Some((Irregularity::NotDelivered, player)),
        // Nobody acted in time.
        (Actor::System | Actor::Device | Actor::Surveillance | Actor::Display, Some(player)) => {
            Some((Irregularity::SqueezerAbsent, player))
        }
    };
    let unknown = table.round.draws.iter().filter(|dealt| dealt.side == side && dealt.card.is_none()).count();
    if draft.actor.player().is_some() && is_for_the_house(table, unknown) {
        return Err(Why::HouseReads.into());
    }
    check_told(told, unknown)?;
    let foreign = first_foreign(table, told);
    if let Some((irregularity, player)) = forgotten {
        let about = About { player: Some(player), side: Some(side), box_number: None };
        raise(draft, irregularity, about, String::new())?;
    }
    if counts {
        rules.push(Rule::MissingCards);
    } else if draft.now().hold.is_some() {
        return Ok(());
    }
    let third = draft.base().round.draws.len() > 4;
    match draft.base().round.method {
        Some(Method::A) if third => rules.push(Rule::ThirdCards),
        Some(Method::C) => rules.push(if third { Rule::ThirdLaidOut } else { Rule::InitialLaidOut }),
        Some(Method::A | Method::B) | None => {}
    }
    // A late insurance ends before the card it is about is seen.
    insurance::next_card(draft);
    let by = draft.actor;
    draft.emit_by(Fact::Revealed { side, by, told: told.to_vec() }, &rules);
    if let Some(card) = foreign {
        raise(draft, Irregularity::ForeignCard, About::default(), card.to_string())?;
        return after_cards_if_new(draft);
    }
    if counts { Ok(()) } else { after_cards(draft) }
}

/// Whether cards of a hand that nobody has read are the staff's to name.
pub(crate) fn is_for_the_house(table: &Table, unread: usize) -> bool {
    table.setup.controls.house_reads && unread > 0
}

/// Whoever opens a hand names the cards that were not read; one that was read wrongly is corrected.
fn check_told(told: &[Card], unknown: usize) -> Result<(), Refusal> {
    let what = match unknown {
        _ if told.len() == unknown => return Ok(()),
        0 => "no cards, for all of this hand were read; `corrects draw 3 to 8D` puts one right",
        _ => "the cards that were not read, and no others",
    };
    Err(Why::RulingIncomplete { what }.into())
}

/// Staff tell that a hand was opened, by whomever and whenever: the cards are seen. In the wrong hands, or too early,
/// it is an irregularity as well.
pub(super) fn opened(
    draft: &mut Draft<'_>,
    player: Option<PlayerId>,
    side: Side,
    told: &[Card],
) -> Result<(), Refusal> {
    let table = draft.base();
    if let Some(player) = player.filter(|player| table.player(*player).is_none()) {
        return Err(Why::NoSuchPlayer { player }.into());
    }
    let own = || table.round.draws.iter().filter(|dealt| table.stage == Stage::Playing && dealt.side == side);
    if own().next().is_none() {
        return Err(Why::NoSuchDraw.into());
    }
    if own().all(|dealt| dealt.exposed) {
        return Err(Why::Already.into());
    }
    let told = &unread_of(draft, side, told)?;
    let squeezer = table.round.squeezers[place(side)];
    let early = table.round.draws.len() < 4 || check_open(table, side).is_err();
    let foreign = first_foreign(table, told);
    insurance::next_card(draft);
    let by = player.map_or(draft.actor, Actor::Player);
    draft.emit(Fact::Revealed { side, by, told: told.to_vec() }, &[]);
    draft.follows = true;
    let about = About { player: player.or(squeezer), side: Some(side), box_number: None };
    let face_down = draft.base().deals_face_down();
    let irregularity = match (player, squeezer) {
        (Some(player), Some(squeezer)) if player == squeezer && !early => None,
        (Some(player), squeezer) if Some(player) != squeezer && face_down => {
            Some(wrong_delivery(draft.now()))
        }
        (Some(player), squeezer) if Some(player) != squeezer => Some(Irregularity::Other),
        (None, Some(_)) => Some(Irregularity::NotDelivered),
        (Some(_) | None, _) if early => Some(Irregularity::ExposedByMistake),
        (Some(_) | None, _) => None,
    };
    if let Some(irregularity) = irregularity {
        raise(draft, irregularity, about, String::new())?;
    }
    if let Some(card) = foreign {
        raise(draft, Irregularity::ForeignCard, About::default(), card.to_string())?;
    }
    after_cards_if_new(draft)
}

/// Of the cards that are told of a closed hand, those that nobody had read. Told are these alone, or all closed cards as
/// they lie; what was read otherwise is put right.
fn unread_of(draft: &mut Draft<'_>, side: Side, told: &[Card]) -> Result<Vec<Card>, Refusal> {
    let draws = draft.base().round.draws.iter().zip(1_u8..);
    let closed: Vec<(u8, Option<Card>)> = draws
        .filter(|(dealt, _)| dealt.side == side && !dealt.exposed)
        .map(|(dealt, draw)| (draw, dealt.card))
        .collect();
    if told.len() == closed.iter().filter(|(_, read)| read.is_none()).count() {
        return Ok(told.to_vec());
    }
    if told.len() != closed.len() {
        let what = "the cards that were not read and no others, or all closed cards of the hand";
        return Err(Why::RulingIncomplete { what }.into());
    }
    let mut unread = Vec::new();
    for ((draw, read), card) in closed.into_iter().zip(told) {
        match read {
            None => unread.push(*card),
            Some(read) if read == *card => {}
            Some(_) => super::deal::correct(draft, draw, *card, None)?,
        }
    }
    Ok(unread)
}

/// Whether the hand has to be opened for the count: a player left with the cards of the other one, and the
/// cards in play are to be told from those that are missing.
pub(crate) fn opens_for_count(table: &Table, side: Side) -> bool {
    let Some(hold) = &table.hold else { return false };
    hold.irregularity == Irregularity::CardsCarriedOff
        && !super::remedy::is_gone(table, side)
        && table.round.draws.iter().any(|dealt| dealt.side == side && dealt.card.is_none())
}

/// Whether the hand can be opened now.
pub(crate) fn check_open(table: &Table, side: Side) -> Result<(), Refusal> {
    let round = &table.round;
    let hidden = |side: Side| round.draws.iter().any(|dealt| dealt.side == side && !dealt.exposed);
    if table.stage != Stage::Playing || round.draws.len() < 4 || !hidden(side) {
        return Err(Why::NothingToReveal.into());
    }
    let initial_hidden =
        |side: Side| round.draws.iter().take(4).any(|dealt| dealt.side == side && !dealt.exposed);
    if let Some(first) = round.opens_first.filter(|first| *first != side && initial_hidden(*first)) {
        let power = table.rulebook().power(Power::RevealOrder);
        let cites = power.map(|rule| rule.cites.clone()).unwrap_or_default();
        return Err(Refusal::new(Why::OtherHandFirst { side: first }, &cites));
    }
    let other = match side {
        Side::Player => Side::Banker,
        Side::Banker => Side::Player,
    };
    // Third cards come in turn; the Banker's first only where that was granted.
    let third = |side: Side| round.draws.iter().skip(4).find(|dealt| dealt.side == side);
    let third_hidden = |side: Side| third(side).is_some_and(|dealt| !dealt.exposed);
    if third_hidden(side) && !initial_hidden(side) {
        let banker_waits = side == Side::Banker && !round.banker_first && third_hidden(Side::Player);
        let banker_to_come = third(Side::Banker).is_none() && round.due_seen() == Some(Some(Side::Banker));
        let player_waits =
            side == Side::Player && round.banker_first && (third_hidden(Side::Banker) || banker_to_come);
        if banker_waits || player_waits {
            let power = table.rulebook().power(Power::BankerFirst).filter(|_| player_waits);
            let third = table.game().cites(Rule::ThirdCards);
            let cites = power.map_or(third, |rule| rule.cites.as_slice());
            return Err(Refusal::new(Why::OtherHandFirst { side: other }, cites));
        }
    }
    Ok(())
}

pub(super) fn open_first(draft: &mut Draft<'_>, side: Side) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = draft.granted.clone();
    let round = &table.round;
    let closed = round.draws.iter().take(4).all(|dealt| !dealt.exposed);
    if table.stage != Stage::Playing || round.draws.len() != 4 || !closed {
        return Err(Why::NotNow { phase: table.phase(), instead: "deal the four cards face down" }.into());
    }
    draft.emit(Fact::OpensFirst(side), &cites);
    Ok(())
}
