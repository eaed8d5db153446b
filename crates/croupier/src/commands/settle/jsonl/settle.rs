//! One line settled.

use std::borrow::Cow;

use croupier_cards::Card;
use croupier_rules::baccarat::insurance::{InsuranceEnd, Stage, bet_id};
use croupier_rules::baccarat::{Deal, Side};
use croupier_rules::entry::{check_together, find_bet};
use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Hand};
use croupier_rules::settle::{exact_net, exact_stake};
use croupier_rules::{Amount, Family, Game, Ratio, Rule, Rulebook};

use super::Bulk;
use super::input::{Entries, Entry, Line, Stake};
use super::output::{Answer, BoxAnswer, Boxes, Nets, Texts};

type Key<'a> = Cow<'a, str>;

/// The answer to a line; a line that is no legal round is answered by what is wrong with it.
pub(super) fn settle<'a>(bulk: &Bulk<'_>, number: usize, line: &'a [u8]) -> Answer<'a> {
    read(bulk, line).unwrap_or_else(|message| Answer::Error { line: number, message })
}

fn read<'a>(bulk: &Bulk<'_>, line: &'a [u8]) -> Result<Answer<'a>, String> {
    // A list would be read too, field by field in the order they happen to stand in our code.
    if !line.trim_ascii_start().starts_with(b"{") {
        return Err("a line is an object with `game`, `cards` or `hands`, and `bets`".to_string());
    }
    let line: Line<'a> = serde_json::from_slice(line).map_err(|error| shape(&error))?;
    let (rulebook, game) = bulk.library.find(&line.game).ok_or_else(|| {
        let known: Vec<&str> = bulk.library.games().map(|game| game.id.as_str()).collect();
        format!("there is no game `{}`; there are {}", line.game, known.join(", "))
    })?;
    match rulebook.family {
        Family::Baccarat => {
            let cards = line.cards.ok_or("a baccarat round needs `cards`, in draw order")?;
            let mut bets = Vec::with_capacity(line.bets.0.len());
            for (bet, entry) in line.bets.0 {
                match entry {
                    Entry::Stake(stake) => bets.push((bet, stake)),
                    Entry::Bets(_) => return Err(format!("`{bet}` needs an amount; baccarat has no boxes")),
                }
            }
            baccarat(bulk, rulebook, game, &cards.0, bets)
        }
        Family::NiuNiu => {
            let hands =
                line.hands.ok_or("a Niu Niu round needs `hands`: the dealer's and those of the boxes")?;
            let hands = hands.0.into_iter().map(|(holder, cards)| (holder, cards.0)).collect();
            niu_niu(bulk, rulebook, game, hands, line.bets)
        }
    }
}

/// What is wrong with the JSON of a line, and at which column of it.
fn shape(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    format!("column {}: {}", error.column().max(1), text.strip_suffix(&place).unwrap_or(&text))
}

/// Whether a bet's name means anything at all.
fn known(bulk: &Bulk<'_>, game: &Game, bet: &str) -> Result<(), String> {
    if bulk.known_bets.contains(bet) {
        return Ok(());
    }
    let offered: Vec<&str> = game.bets.iter().map(|bet| bet.id.as_str()).collect();
    Err(format!("there is no bet `{bet}`; {} offers {}", game.id, offered.join(", ")))
}

/// A reason with the clauses it rests on.
fn reason(rulebook: &Rulebook, text: &str, cites: &[croupier_rules::Basis]) -> String {
    let ids: Vec<String> = cites.iter().map(|basis| rulebook.full_id(*basis)).collect();
    if ids.is_empty() { text.to_string() } else { format!("{text} ({})", ids.join(", ")) }
}

fn baccarat<'a>(
    bulk: &Bulk<'_>,
    rulebook: &Rulebook,
    game: &Game,
    cards: &[Card],
    bets: Vec<(Key<'a>, Amount)>,
) -> Result<Answer<'a>, String> {
    let deal = Deal::from_draws(cards).map_err(|surplus| surplus.to_string())?;
    // Each bet is on the menu, an insurance, or refused.
    let mut placed: Vec<(usize, Amount)> = Vec::with_capacity(bets.len());
    for (name, stake) in &bets {
        let (bet, stage) =
            name.split_once('/').map_or((name.as_ref(), None), |(bet, stage)| (bet, Some(stage)));
        known(bulk, game, bet)?;
        let is_insurance = insured_side(bet).is_some();
        match stage {
            Some(stage) if !is_insurance => return Err(format!("`{bet}` has no stage `{stage}`")),
            Some(stage) if stage.parse::<Stage>().is_err() => {
                return Err(format!(
                    "`{stage}` is no stage of insurance; accepted: four-cards, player-third"
                ));
            }
            None if is_insurance => {
                return Err(format!("`{bet}` needs its stage: `{bet}/four-cards` or `{bet}/player-third`"));
            }
            _ => {}
        }
        if let Some(place) = game.bet_index(bet) {
            placed.push((place, *stake));
        }
    }
    check_together(game, false, &placed)
        .map_err(|(refusal, cites)| reason(rulebook, &refusal.to_string(), &cites))?;
    let Some(outcome) = deal.outcome() else {
        let mut nets = Nets::default();
        let mut refused = Texts::default();
        for (name, _) in bets {
            if game.bet_index(&name).is_none() && (game.insurance.is_none() || !name.contains('/')) {
                refused.0.push((name.clone(), not_on_menu(rulebook, game, &name)));
            }
            nets.0.push((name, Ratio::ZERO));
        }
        let reason = reason(rulebook, "a card is due and there is none", game.cites(Rule::NotEnoughCards));
        return Ok(Answer::Void { reason, net: nets, refused });
    };
    let mut nets = Nets(Vec::with_capacity(bets.len()));
    let mut refused = Texts::default();
    let insurance = Insurances::settle(rulebook, game, &deal, &placed, &bets);
    for (name, stake) in bets {
        let net = match game.bet(&name) {
            Some(bet) => exact_net(bet, outcome.index(), stake.ratio()).map(|(net, _)| net),
            None => match insurance.find(&name) {
                Some(Ok(net)) => Some(net),
                Some(Err(reason)) => {
                    refused.0.push((name.clone(), reason));
                    None
                }
                None => {
                    refused.0.push((name.clone(), not_on_menu(rulebook, game, &name)));
                    None
                }
            },
        };
        nets.0.push((name, net.unwrap_or(Ratio::ZERO)));
    }
    Ok(Answer::Baccarat {
        winner: outcome.winner().key(),
        player_points: outcome.points(Side::Player),
        banker_points: outcome.points(Side::Banker),
        player_cards: outcome.cards(Side::Player),
        banker_cards: outcome.cards(Side::Banker),
        natural: outcome.is_natural(),
        net: nets,
        refused,
    })
}

fn not_on_menu(rulebook: &Rulebook, game: &Game, bet: &str) -> String {
    match find_bet(game, bet) {
        Err((refusal, cites)) => reason(rulebook, &refusal.to_string(), &cites),
        Ok(_) => String::new(),
    }
}

/// The hand that a bet's name insures.
fn insured_side(bet: &str) -> Option<Side> {
    [Side::Player, Side::Banker].into_iter().find(|side| bet_id(*side) == bet)
}

/// The insurances of a line, each with its exact net or why it was not on offer.
#[derive(Default)]
struct Insurances(Vec<(Side, Stage, Result<Ratio, String>)>);

impl Insurances {
    /// Windows in the order of play: what the first insures, the second cannot.
    fn settle(
        rulebook: &Rulebook,
        game: &Game,
        deal: &Deal,
        placed: &[(usize, Amount)],
        bets: &[(Key<'_>, Amount)],
    ) -> Self {
        let (Some(table), Some(outcome)) = (&game.insurance, deal.outcome()) else {
            return Self::default();
        };
        let mut ends = Vec::new();
        for side in [Side::Player, Side::Banker] {
            let main = |place: usize| game.bets.get(place).is_some_and(|bet| bet.main == Some(side));
            let insured: Amount =
                placed.iter().filter(|(place, _)| main(*place)).map(|(_, stake)| *stake).sum();
            let mut left = insured.ratio();
            for stage in Stage::ALL {
                let asked = bets.iter().find(|(name, _)| {
                    name.split_once('/').is_some_and(|(bet, at)| bet == bet_id(side) && at == stage.key())
                });
                let Some((_, stake)) = asked else { continue };
                let line = table.offer_at(deal, stage).filter(|line| line.side == side);
                let end = match line {
                    None => Err(reason(
                        rulebook,
                        &format!("{} was not on offer at this stage", bet_id(side)),
                        game.cites(Rule::InsuranceOffer),
                    )),
                    Some(_) if !insured.is_positive() => Err(reason(
                        rulebook,
                        &format!("there is no {} wager to insure", side.key()),
                        game.cites(Rule::InsuranceWager),
                    )),
                    Some(line) => {
                        let (counted, rest) = exact_stake(left, line, stake.ratio());
                        left = rest;
                        Ok(match line.end(outcome) {
                            InsuranceEnd::Win => counted * line.odds.ratio(),
                            InsuranceEnd::Push => Ratio::ZERO,
                            InsuranceEnd::Lose => -counted,
                        })
                    }
                };
                ends.push((side, stage, end));
            }
        }
        Self(ends)
    }

    fn find(&self, name: &str) -> Option<Result<Ratio, String>> {
        let (bet, stage) = name.split_once('/')?;
        self.0
            .iter()
            .find(|(side, at, _)| bet_id(*side) == bet && at.key() == stage)
            .map(|(.., end)| end.clone())
    }
}

/// The most boxes that one deck can serve beside the Dealer.
const BOXES: u8 = 9;

fn is_box(name: &str) -> bool {
    name.strip_prefix("box").is_some_and(|number| {
        !number.starts_with(['0', '+'])
            && number.parse().is_ok_and(|number: u8| (1..=BOXES).contains(&number))
    })
}

fn niu_niu<'a>(
    bulk: &Bulk<'_>,
    rulebook: &Rulebook,
    game: &Game,
    hands: Vec<(Key<'a>, Vec<Card>)>,
    bets: Entries<'a, Entry<'a>>,
) -> Result<Answer<'a>, String> {
    let mut seen: Vec<Card> = Vec::with_capacity(52);
    for (holder, cards) in &hands {
        if holder != "dealer" && !is_box(holder) {
            return Err(format!("`{holder}` holds no hand; accepted: dealer, box1 to box{BOXES}"));
        }
        if cards.len() > 5 {
            return Err(format!("the hand of {holder} has {} cards; a hand has five", cards.len()));
        }
        for card in cards {
            if seen.contains(card) {
                return Err(reason(
                    rulebook,
                    &format!("{card} is there twice; the game is played with one deck"),
                    game.cites(Rule::OneDeck),
                ));
            }
            seen.push(*card);
        }
    }
    let mut boxes: Vec<(Key<'a>, Vec<(Key<'a>, Amount)>)> = Vec::with_capacity(bets.0.len());
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
        boxes.push((name, stakes));
    }
    let cards_of =
        |holder: &str| hands.iter().find(|(name, _)| name == holder).map_or(&[][..], |(_, cards)| cards);
    let hand_of = |holder: &str| <[Card; 5]>::try_from(cards_of(holder)).ok().map(Hand::new);
    let short = std::iter::once("dealer")
        .chain(hands.iter().map(|(name, _)| name.as_ref()))
        .chain(boxes.iter().map(|(name, _)| name.as_ref()))
        .find(|holder| cards_of(holder).len() < 5);
    if let Some(holder) = short {
        let rule = if holder == "dealer" { Rule::DealerWrongCount } else { Rule::WrongCount };
        let text = format!("the hand of {holder} has {} cards instead of five", cards_of(holder).len());
        let reason = reason(rulebook, &text, game.cites(rule));
        let void = |(name, stakes): (Key<'a>, Vec<(Key<'a>, Amount)>)| {
            let mut answer = BoxAnswer::default();
            for (bet, _) in stakes {
                add_bet(rulebook, game, &mut answer, bet, None);
            }
            (name, answer)
        };
        return Ok(Answer::VoidBoxes { reason, boxes: Boxes(boxes.into_iter().map(void).collect()) });
    }
    let dealer = hand_of("dealer").ok_or("the dealer has no hand")?;
    let mut answers = Boxes::default();
    for (name, _) in &hands {
        if name != "dealer" && !boxes.iter().any(|(known, _)| known == name) {
            boxes.push((name.clone(), Vec::new()));
        }
    }
    for (name, stakes) in boxes {
        let hand = hand_of(&name).ok_or_else(|| format!("{name} has no hand"))?;
        let outcome = BoxOutcome::of(&hand, &dealer);
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
        answers.0.push((name, answer));
    }
    Ok(Answer::NiuNiu { dealer: dealer.category().key(), boxes: answers })
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
