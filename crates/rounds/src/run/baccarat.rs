//! The rounds of a baccarat file: wagers, cards, insurance, the result and its settlement.

use std::collections::BTreeMap;

use croupier_cards::Card;
use croupier_rules::baccarat::insurance::{Line, Stage};
use croupier_rules::baccarat::{Deal, Side, Winner, card_value};
use croupier_rules::clause::Basis;
use croupier_rules::entry::{check_chips, check_together, find_bet};
use croupier_rules::setting::Setting;
use croupier_rules::settle::{Insured, Settled, Wager, settle_insurance, settle_round};
use croupier_rules::{Amount, Game, Rule};

use super::table::Table;
use super::{Done, Log, Playing};
use crate::event::{Fact, Refusal};
use crate::file::Action;

/// The round in progress, and the cards that left the shoe.
#[derive(Default)]
pub(super) struct Rounds<'g> {
    round: Option<Round<'g>>,
    seen: BTreeMap<Card, u8>,
}

#[derive(Default)]
struct Round<'g> {
    wagers: Vec<Placed>,
    insurances: Vec<Laid<'g>>,
    deal: Deal,
    over: bool,
}

/// A wager and the lines that made it.
struct Placed {
    lines: Vec<usize>,
    wager: Wager,
}

/// An insurance and the line that laid it.
struct Laid<'g> {
    at: usize,
    player: u32,
    side: Side,
    line: &'g Line,
    stake: Amount,
}

impl<'g> Playing<'g> for Rounds<'g> {
    fn act(&mut self, table: &mut Table<'g>, log: &mut Log<'_>, action: &Action) -> Done {
        match action {
            Action::Bet { player, bet, amount, on, reserve } => {
                if on.is_some() || reserve.is_some() {
                    return Err((Refusal::OtherGame("baccarat has neither boxes nor Reserves"), Vec::new()));
                }
                self.bet(table, log, player, bet, *amount)
            }
            Action::Insure { player, side, amount } => self.insure(table, log, player, *side, *amount),
            Action::Cards(cards) => self.cards(table, log, cards),
            Action::ShoeEmpty => self.shoe_empty(table, log),
            Action::NewShoe => {
                if let Some(unfinished) = self.unfinished() {
                    return Err(unfinished);
                }
                self.seen.clear();
                Ok(())
            }
            Action::Call(call) => self.call(table, log, *call),
            Action::Hand { .. } => Err((
                Refusal::OtherGame("baccarat hands follow from the draw order; write `cards …`"),
                Vec::new(),
            )),
            Action::Round
            | Action::Title(_)
            | Action::Game(_)
            | Action::Proves(_)
            | Action::Layout(_)
            | Action::Setting { .. }
            | Action::Player { .. } => Ok(()),
        }
    }

    fn open_round(&mut self) {
        self.round = Some(Round::default());
    }

    fn unfinished(&self) -> Option<(Refusal, Vec<Basis>)> {
        let round = self.round.as_ref().filter(|round| !round.over)?;
        let due = match (round.deal.draws().len(), round.deal.due()) {
            (0..4, _) => "it has fewer than four cards".to_string(),
            (_, Some(side)) => format!("the {}'s third card is due", side.key()),
            (_, None) => return None,
        };
        Some((Refusal::Unfinished(format!("{due}; add the cards, or say `shoe is empty`")), Vec::new()))
    }
}

impl<'g> Rounds<'g> {
    /// The round in which something can be done.
    fn open(&mut self) -> Result<&mut Round<'g>, (Refusal, Vec<Basis>)> {
        self.round.as_mut().filter(|round| !round.over).ok_or((Refusal::NoRound, Vec::new()))
    }

    fn bet(
        &mut self,
        table: &mut Table<'g>,
        log: &mut Log<'_>,
        name: &str,
        bet: &str,
        amount: Amount,
    ) -> Done {
        let game = table.game;
        let place = find_bet(game, bet).map_err(entry)?;
        let round = self.open()?;
        if !round.deal.draws().is_empty() {
            return Err((Refusal::Late, game.cites(Rule::BeforeTheFirstCard).to_vec()));
        }
        let (player, seat) = table.player(name);
        let mine = |placed: &&Placed| placed.wager.player == player;
        let mut together: Vec<(usize, Amount)> =
            round.wagers.iter().filter(mine).map(|placed| (placed.wager.bet, placed.wager.stake)).collect();
        let stake = match together.iter_mut().find(|(held, _)| *held == place) {
            Some((_, stake)) => {
                *stake = stake.checked_add(amount).ok_or((Refusal::TooLarge, Vec::new()))?;
                *stake
            }
            None => {
                together.push((place, amount));
                amount
            }
        };
        table.check_chips(place, amount, stake)?;
        check_together(game, table.terms.bonus_requires_main, &together).map_err(entry)?;
        let flagged = match table.check_limits(place, stake) {
            Err(refused) if !table.accepts_outside_limits => return Err(refused),
            outside => outside.err(),
        };
        let mut cites = game.bets[place].cites.clone();
        let has_main = together.iter().any(|(held, _)| game.bets[*held].main.is_some());
        if !has_main {
            cites.extend(game.cites(Rule::Alone));
        }
        cites.extend(flagged.iter().flat_map(|(_, cites)| cites));
        match round
            .wagers
            .iter_mut()
            .find(|placed| placed.wager.player == player && placed.wager.bet == place)
        {
            Some(placed) => {
                placed.wager.stake = stake;
                placed.lines.push(log.at);
            }
            None => {
                let warned = table.warned.contains(&player);
                let wager = Wager { player, seat, bet: place, stake, warned };
                round.wagers.push(Placed { lines: vec![log.at], wager });
            }
        }
        log.note(Fact::Accepted { flagged: flagged.is_some() }, cites);
        Ok(())
    }

    fn insure(
        &mut self,
        table: &mut Table<'g>,
        log: &mut Log<'_>,
        name: &str,
        side: Side,
        stake: Amount,
    ) -> Done {
        let game = table.game;
        let (player, _) = table.player(name);
        let round = self.open()?;
        let insurance = game.insurance.as_ref().filter(|_| table.insures());
        let Some(insurance) = insurance else {
            return Err((Refusal::InsuranceOff, game.cites(Rule::InsuranceArea).to_vec()));
        };
        let Some((_, _, line)) = insurance.offer(&round.deal).filter(|(.., line)| line.side == side) else {
            return Err((Refusal::NotInsurable { side }, game.cites(Rule::InsuranceOffer).to_vec()));
        };
        if !round.wagers.iter().any(|placed| placed.wager.player == player && is_main(game, placed, side)) {
            return Err((Refusal::NothingToInsure { side }, game.cites(Rule::InsuranceWager).to_vec()));
        }
        check_chips(game, &table.terms, stake).map_err(entry)?;
        if let Some(minimum) = table.terms.insurance_minimum.filter(|minimum| stake < *minimum) {
            let cites = table.rulebook.setting(Setting::InsuranceMinimum).map(|spec| spec.cites.clone());
            return Err((Refusal::InsuranceBelowMinimum { minimum }, cites.unwrap_or_default()));
        }
        round.insurances.push(Laid { at: log.at, player, side, line, stake });
        log.note(Fact::Accepted { flagged: false }, game.cites(Rule::InsuranceOffer).to_vec());
        Ok(())
    }

    fn cards(&mut self, table: &mut Table<'g>, log: &mut Log<'_>, cards: &[Card]) -> Done {
        let game = table.game;
        let decks = table.decks;
        // All cards of the line, or none: a refused line leaves the round as it was.
        let mut deal = self.open()?.deal;
        let mut seen = self.seen.clone();
        let mut sides = Vec::new();
        for card in cards {
            let count = seen.entry(*card).or_default();
            *count += 1;
            if *count > decks {
                return Err((Refusal::ForeignCard { card: *card, decks }, Vec::new()));
            }
            sides.push(deal.draw(*card).map_err(|surplus| (surplus.into(), Vec::new()))?);
        }
        self.seen = seen;
        for (card, side) in cards.iter().zip(sides) {
            let worth = if card_value(*card) == 0 { Rule::CardTens } else { Rule::CardPips };
            log.note(Fact::Drawn { card: *card, side }, game.cites(worth).to_vec());
        }
        let round = self.open()?;
        round.deal = deal;
        let rules = deal.rules().into_iter().filter(|rule| *rule != Rule::Result);
        let cites = rules.flat_map(|rule| game.cites(rule)).copied().collect();
        let (player, banker) = (deal.points(Side::Player), deal.points(Side::Banker));
        log.note(Fact::Points { player, banker, due: deal.due() }, cites);
        let offer = game.insurance.as_ref().and_then(|insurance| insurance.offer(&deal));
        if let Some((stage, _, line)) = offer.filter(|_| table.insures())
            && round.wagers.iter().any(|placed| is_main(game, placed, line.side))
        {
            note_offer(game, log, stage, line);
        }
        if deal.is_complete() { self.settle(table, log) } else { Ok(()) }
    }

    fn shoe_empty(&mut self, table: &Table<'g>, log: &mut Log<'_>) -> Done {
        let cites = table.game.cites(Rule::NotEnoughCards).to_vec();
        let round = self.round.as_mut().ok_or((Refusal::NoRound, Vec::new()))?;
        // A round that got its last card stands.
        if round.over {
            return Ok(());
        }
        round.over = true;
        log.note(Fact::Void, cites.clone());
        for placed in &round.wagers {
            let settled = Settled::returned(placed.wager.stake, cites.clone());
            for line in &placed.lines {
                log.note_at(*line, Fact::Settled(settled.clone()), cites.clone());
            }
        }
        for laid in &round.insurances {
            log.note_at(laid.at, Fact::Settled(Settled::returned(laid.stake, cites.clone())), cites.clone());
        }
        Ok(())
    }

    fn call(&self, table: &Table<'g>, log: &mut Log<'_>, call: Winner) -> Done {
        let outcome = self.round.as_ref().and_then(|round| round.deal.outcome());
        let Some(cards) = outcome.map(|outcome| outcome.winner()) else {
            return Err((Refusal::Unfinished("the cards do not decide yet".to_string()), Vec::new()));
        };
        let rule = if call == cards { Rule::Result } else { Rule::WrongCall };
        log.note(Fact::Called { call, cards }, table.game.cites(rule).to_vec());
        Ok(())
    }

    /// The round is complete: its result, then the money.
    fn settle(&mut self, table: &mut Table<'g>, log: &mut Log<'_>) -> Done {
        let game = table.game;
        let round = self.open()?;
        round.over = true;
        let Some(outcome) = round.deal.outcome() else { return Ok(()) };
        log.note(Fact::Result(outcome), game.cites(Rule::Result).to_vec());
        let wagers: Vec<Wager> = round.wagers.iter().map(|placed| placed.wager.clone()).collect();
        let inexact = |error: croupier_rules::settle::SettleError| (error.into(), Vec::new());
        let settled = settle_round(game, &table.terms, outcome, &wagers).map_err(inexact)?;
        for (placed, settled) in round.wagers.iter().zip(&settled) {
            table.note_small(&placed.wager);
            for line in &placed.lines {
                log.note_at(*line, Fact::Settled(settled.clone()), settled.cites.clone());
            }
        }
        let mut holders: Vec<(u32, Side)> =
            round.insurances.iter().map(|laid| (laid.player, laid.side)).collect();
        holders.sort_unstable();
        holders.dedup();
        for (player, side) in holders {
            let insured: Amount = round
                .wagers
                .iter()
                .zip(&settled)
                .filter(|(placed, _)| placed.wager.player == player && is_main(game, placed, side))
                .map(|(_, settled)| settled.in_action)
                .sum();
            let laid: Vec<&Laid<'_>> =
                round.insurances.iter().filter(|laid| (laid.player, laid.side) == (player, side)).collect();
            let insurances: Vec<Insured<'_>> =
                laid.iter().map(|laid| Insured { line: laid.line, stake: laid.stake }).collect();
            let ends =
                settle_insurance(game, &table.terms, outcome, insured, &insurances).map_err(inexact)?;
            for (laid, end) in laid.into_iter().zip(ends) {
                let cites = end.cites.clone();
                log.note_at(laid.at, Fact::Settled(end), cites);
            }
        }
        Ok(())
    }
}

fn is_main(game: &Game, placed: &Placed, side: Side) -> bool {
    game.bets.get(placed.wager.bet).is_some_and(|bet| bet.main == Some(side))
}

fn note_offer(game: &Game, log: &mut Log<'_>, stage: Stage, line: &Line) {
    let cites = game.cites(Rule::InsuranceOffer).iter().chain(&line.cites).copied().collect();
    log.note(Fact::Offered { side: line.side, stage, odds: line.odds }, cites);
}

/// A refusal by the rules of entry.
pub(super) fn entry(refused: croupier_rules::entry::Refused) -> (Refusal, Vec<Basis>) {
    (Refusal::Entry(refused.0), refused.1)
}
