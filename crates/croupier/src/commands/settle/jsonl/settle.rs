//! One line settled.

use std::borrow::Cow;

use croupier_cards::Card;
use croupier_rules::baccarat::insurance::{InsuranceEnd, Stage, bet_id};
use croupier_rules::baccarat::{Deal, FinalHands, Side};
use croupier_rules::entry::{check_together, find_bet};
use croupier_rules::names::hint;
use croupier_rules::settle::{Cap, exact_net};
use croupier_rules::{Amount, Family, Game, Ratio, Rule, Rulebook};

use super::Bulk;
use super::boxes::niu_niu;
use super::input::{Entry, RoundLine};
use super::output::{Answer, Nets, Texts};

pub(super) type Key<'a> = Cow<'a, str>;

/// The answer to a line; a line that is no legal round is answered by what is wrong with it.
pub(super) fn settle<'a>(bulk: &Bulk<'_>, number: usize, line: &'a [u8]) -> Answer<'a> {
    read(bulk, line).unwrap_or_else(|message| Answer::Error { line: number, message })
}

fn read<'a>(bulk: &Bulk<'_>, line: &'a [u8]) -> Result<Answer<'a>, String> {
    // A list would be read too, field by field in the order they happen to stand in our code.
    if !line.trim_ascii_start().starts_with(b"{") {
        return Err("a line is an object with `game`, `cards` or `hands`, and `bets`".to_string());
    }
    let line: RoundLine<'a> = serde_json::from_slice(line).map_err(|error| shape(&error))?;
    let (rulebook, game) = bulk.library.find(&line.game).ok_or_else(|| {
        let hint = hint(&line.game, bulk.library.games().map(|game| game.id.as_str()));
        format!("there is no game `{}`; {hint}", line.game)
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
pub(super) fn known(bulk: &Bulk<'_>, game: &Game, bet: &str) -> Result<(), String> {
    if bulk.known_bets.contains(bet) {
        return Ok(());
    }
    let hint = hint(bet, game.bets.iter().map(|bet| bet.id.as_str()));
    Err(format!("there is no bet `{bet}` in {}; {hint}", game.id))
}

/// A reason with the clauses it rests on.
pub(super) fn reason(rulebook: &Rulebook, text: &str, cites: &[croupier_rules::Basis]) -> String {
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
    let Some(hands) = FinalHands::of(&deal) else {
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
    let outcome = hands.outcome();
    let mut nets = Nets(Vec::with_capacity(bets.len()));
    let mut refused = Texts::default();
    let insurance = Insurances::settle(rulebook, game, &deal, &placed, &bets);
    for (name, stake) in bets {
        let net = match game.bet(&name) {
            Some(bet) => exact_net(bet, hands, stake.ratio()).map(|(net, _)| net),
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

pub(super) fn not_on_menu(rulebook: &Rulebook, game: &Game, bet: &str) -> String {
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
    /// Windows in the order of play: what the first covers of the wager, a second that pays in the same event
    /// cannot.
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
            let mut cap = Cap::new(insured.ratio());
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
                    Some(line) if cap.left(line) == Ratio::ZERO => Err(reason(
                        rulebook,
                        &format!("the {} wager is insured in full; nothing more would count", side.key()),
                        game.cites(Rule::InsuranceCap),
                    )),
                    Some(line) => {
                        let counted = cap.count(line, stake.ratio());
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
