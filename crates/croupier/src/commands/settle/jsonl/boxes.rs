//! One line of Niu Niu settled.
//!
//! A line is a deal as it lies: nobody has handled cards, and no device is there to put it in order. So a wrong count at
//! the Dealer or at a box with a bet voids the round, cards on a box without a bet are dead, and a box without cards has
//! its bets back alone.

use std::borrow::Cow;

use croupier_cards::Card;
use croupier_rules::entry::check_together;
use croupier_rules::irregularity::Irregularity;
use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Hand};
use croupier_rules::settle::exact_net;
use croupier_rules::{Amount, Game, Ratio, Rule, Rulebook};

use super::Bulk;
use super::input::{Entries, Entry, Stake};
use super::output::{Answer, BoxAnswer, Boxes};
use super::settle::{Key, known, not_on_menu, reason};

/// The most boxes that one deck can serve beside the Dealer.
const BOXES: u8 = 9;

const DEALER: &str = "dealer";

/// A box of the line's bets.
struct Bets<'a> {
    name: Key<'a>,
    stakes: Vec<(Key<'a>, Amount)>,
    /// It has a bet of the menu.
    in_play: bool,
}

fn is_box(name: &str) -> bool {
    name.strip_prefix("box").is_some_and(|number| {
        !number.starts_with(['0', '+'])
            && number.parse().is_ok_and(|number: u8| (1..=BOXES).contains(&number))
    })
}

pub(super) fn niu_niu<'a>(
    bulk: &Bulk<'_>,
    rulebook: &Rulebook,
    game: &Game,
    hands: Vec<(Key<'a>, Vec<Card>)>,
    bets: Entries<'a, Entry<'a>>,
) -> Result<Answer<'a>, String> {
    check_hands(rulebook, game, &hands)?;
    let boxes = read_bets(bulk, rulebook, game, bets)?;
    let cards_of =
        |holder: &str| hands.iter().find(|(name, _)| name == holder).map_or(&[][..], |(_, cards)| cards);
    let ruled = |irregularity: Irregularity| {
        rulebook.irregularity(irregularity).map(|rule| rule.cites.clone()).unwrap_or_default()
    };
    let counts =
        |holder: &str| format!("the hand of {holder} has {} cards instead of five", cards_of(holder).len());
    let Ok(dealer) = <[Card; 5]>::try_from(cards_of(DEALER)).map(Hand::new) else {
        let reason = reason(rulebook, &counts(DEALER), &ruled(Irregularity::DealerCount));
        return Ok(void(rulebook, game, reason, boxes));
    };
    let mut in_play = boxes.iter().filter(|bets| bets.in_play).map(|bets| &bets.name);
    if let Some(name) = in_play.find(|name| !matches!(cards_of(name).len(), 0 | 5)) {
        let reason = reason(rulebook, &counts(name), &ruled(Irregularity::BoxCount));
        return Ok(void(rulebook, game, reason, boxes));
    }
    let unnamed = hands.iter().map(|(name, _)| name).filter(|name| *name != DEALER);
    let unnamed = unnamed.filter(|name| boxes.iter().all(|bets| bets.name != **name));
    let unnamed: Vec<Bets<'a>> =
        unnamed.map(|name| Bets { name: name.clone(), stakes: Vec::new(), in_play: false }).collect();
    let mut answers = Boxes::default();
    for Bets { name, stakes, in_play } in boxes.into_iter().chain(unnamed) {
        let cards = cards_of(&name);
        let (end, text, irregularity) = match <[Card; 5]>::try_from(cards).map(Hand::new) {
            Ok(hand) if in_play => {
                answers.0.push((name, settled(rulebook, game, &hand, &dealer, stakes)));
                continue;
            }
            Ok(_) | Err(_) if !in_play && cards.is_empty() => {
                answers.0.push((name, back(rulebook, game, stakes)));
                continue;
            }
            Ok(_) | Err(_) if !in_play => {
                ("dead", "the box has cards and no bet", Irregularity::EmptyBoxCannotRebuild)
            }
            Ok(_) | Err(_) => ("void", "the box has no cards", Irregularity::BoxSkippedCannotRebuild),
        };
        let reason = Some(reason(rulebook, text, &ruled(irregularity)));
        answers.0.push((name, BoxAnswer { result: Some(end), reason, ..back(rulebook, game, stakes) }));
    }
    Ok(Answer::NiuNiu { dealer: dealer.category().key(), boxes: answers })
}

/// Every holder is one, and no card is there twice.
fn check_hands(rulebook: &Rulebook, game: &Game, hands: &[(Key<'_>, Vec<Card>)]) -> Result<(), String> {
    let mut seen: Vec<Card> = Vec::with_capacity(52);
    for (holder, cards) in hands {
        if holder != DEALER && !is_box(holder) {
            return Err(format!("`{holder}` holds no hand; accepted: dealer, box1 to box{BOXES}"));
        }
        for card in cards {
            if seen.contains(card) {
                let text = format!("{card} is there twice; the game is played with one deck");
                return Err(reason(rulebook, &text, game.cites(Rule::OneDeck)));
            }
            seen.push(*card);
        }
    }
    Ok(())
}

fn read_bets<'a>(
    bulk: &Bulk<'_>,
    rulebook: &Rulebook,
    game: &Game,
    bets: Entries<'a, Entry<'a>>,
) -> Result<Vec<Bets<'a>>, String> {
    let mut boxes: Vec<Bets<'a>> = Vec::with_capacity(bets.0.len());
    for (name, entry) in bets.0 {
        if !is_box(&name) {
            return Err(format!("`{name}` is no box; accepted: box1 to box{BOXES}"));
        }
        let Entry::Bets(Entries(entries)) = entry else {
            return Err(format!("`{name}` needs its bets, such as {{\"even\":100}}"));
        };
        let stakes: Vec<(Key<'a>, Amount)> =
            entries.into_iter().map(|(bet, Stake(stake))| (bet, stake)).collect();
        let mut placed = Vec::with_capacity(stakes.len());
        for (bet, stake) in &stakes {
            known(bulk, game, bet.split_once('/').map_or(bet.as_ref(), |(bet, _)| bet))?;
            placed.extend(game.bet_index(bet).map(|place| (place, *stake)));
        }
        check_together(game, false, &placed).map_err(|(refusal, cites)| {
            format!("{name}: {}", reason(rulebook, &refusal.to_string(), &cites))
        })?;
        boxes.push(Bets { name, stakes, in_play: !placed.is_empty() });
    }
    Ok(boxes)
}

/// The whole round goes back.
fn void<'a>(rulebook: &Rulebook, game: &Game, reason: String, boxes: Vec<Bets<'a>>) -> Answer<'a> {
    let each = boxes.into_iter().map(|bets| (bets.name, back(rulebook, game, bets.stakes)));
    Answer::VoidBoxes { reason, boxes: Boxes(each.collect()) }
}

/// A box whose bets go back.
fn back<'a>(rulebook: &Rulebook, game: &Game, stakes: Vec<(Key<'a>, Amount)>) -> BoxAnswer<'a> {
    let mut answer = BoxAnswer::default();
    for (bet, _) in stakes {
        add_bet(rulebook, game, &mut answer, bet, None);
    }
    answer
}

fn settled<'a>(
    rulebook: &Rulebook,
    game: &Game,
    hand: &Hand,
    dealer: &Hand,
    stakes: Vec<(Key<'a>, Amount)>,
) -> BoxAnswer<'a> {
    let outcome = BoxOutcome::of(hand, dealer);
    let mut answer = BoxAnswer {
        hand: Some(hand.category().key()),
        result: Some(match outcome.winner {
            BoxWinner::Player => "win",
            BoxWinner::Dealer => "loss",
        }),
        ..BoxAnswer::default()
    };
    for (bet, stake) in stakes {
        add_bet(rulebook, game, &mut answer, bet, Some((outcome, stake)));
    }
    answer
}

/// Adds a bet's net, and its Reserve's; nothing is won or lost without an outcome.
fn add_bet<'a>(
    rulebook: &Rulebook,
    game: &Game,
    answer: &mut BoxAnswer<'a>,
    name: Key<'a>,
    end: Option<(BoxOutcome, Amount)>,
) {
    let Some(bet) = game.bet(&name) else {
        answer.refused.0.push((name.clone(), not_on_menu(rulebook, game, &name)));
        answer.net.0.push((name, Ratio::ZERO));
        return;
    };
    let net = end.and_then(|(outcome, stake)| exact_net(bet, outcome.index(), stake.ratio()));
    let (net, lost) = net.unwrap_or((Ratio::ZERO, bet.reserve.as_ref().map(|_| Ratio::ZERO)));
    let reserve = lost.map(|lost| (Cow::Owned(format!("{name}-reserve")), lost));
    answer.net.0.push((name, net));
    answer.net.0.extend(reserve);
}
