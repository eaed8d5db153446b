//! The rounds of a Niu Niu file: boxes, hands, the comparison with the Dealer and its settlement.

use std::collections::BTreeMap;

use croupier_cards::Card;
use croupier_rules::clause::Basis;
use croupier_rules::entry::{check_together, find_bet};
use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Category, Hand, hand::card_value};
use croupier_rules::settle::{Settled, SettledReserve, Wager, settle_box};
use croupier_rules::{Amount, Game, Ratio, Rule};

use super::baccarat::entry;
use super::table::Table;
use super::{Done, Log, Playing};
use crate::event::{Fact, Refusal};
use crate::file::{Action, Holder};

/// The round in progress.
#[derive(Default)]
pub(super) struct Rounds {
    round: Option<Round>,
}

#[derive(Default)]
struct Round {
    boxes: BTreeMap<u8, BoxBets>,
    hands: BTreeMap<Holder, Dealt>,
    over: bool,
}

/// One player's wagers on a box.
struct BoxBets {
    player: u32,
    wagers: Vec<(usize, Wager)>,
}

/// A hand and the line that told it.
struct Dealt {
    at: usize,
    cards: Vec<Card>,
}

impl<'g> Playing<'g> for Rounds {
    fn act(&mut self, table: &mut Table<'g>, log: &mut Log<'_>, action: &Action) -> Done {
        match action {
            Action::Bet { player, bet, amount, on, reserve } => {
                self.bet(table, log, &Bet { player, bet, amount: *amount, on: *on, reserve: *reserve })
            }
            Action::Hand { holder, cards } => self.hand(table, log, *holder, cards),
            Action::Cards(_) => {
                Err((Refusal::OtherGame("Niu Niu has five cards a hand; write `hand box1 …`"), Vec::new()))
            }
            Action::Insure { .. } | Action::ShoeEmpty | Action::NewShoe | Action::Call(_) => {
                Err((Refusal::OtherGame("this belongs to baccarat"), Vec::new()))
            }
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
        let missing =
            round.missing().map_or("it has no wager".to_string(), |holder| format!("{holder} has no hand"));
        Some((Refusal::Unfinished(missing), Vec::new()))
    }
}

/// A wager as the file puts it.
struct Bet<'a> {
    player: &'a str,
    bet: &'a str,
    amount: Amount,
    on: Option<u8>,
    reserve: Option<Amount>,
}

impl Round {
    /// The first of those who play that has no hand yet.
    fn missing(&self) -> Option<Holder> {
        let players = self.boxes.keys().map(|number| Holder::Box(*number));
        players.chain([Holder::Dealer]).find(|holder| !self.hands.contains_key(holder))
    }
}

impl Rounds {
    fn open(&mut self) -> Result<&mut Round, (Refusal, Vec<Basis>)> {
        self.round.as_mut().filter(|round| !round.over).ok_or((Refusal::NoRound, Vec::new()))
    }

    fn bet(&mut self, table: &mut Table<'_>, log: &mut Log<'_>, asked: &Bet<'_>) -> Done {
        let game = table.game;
        let place = find_bet(game, asked.bet).map_err(entry)?;
        let bet = &game.bets[place];
        let most = table.boxes;
        let round = self.open()?;
        if !round.hands.is_empty() {
            return Err((Refusal::Late, game.cites(Rule::BeforeTheFirstCard).to_vec()));
        }
        let number = asked.on.filter(|number| (1..=most).contains(number)).ok_or_else(|| {
            (Refusal::Box(format!("name a box from `on box1` to `on box{most}`")), Vec::new())
        })?;
        let (player, seat) = table.player(asked.player);
        let mut cites = bet.cites.clone();
        if let Some(owner) = round.boxes.get(&number).map(|bets| bets.player).filter(|owner| *owner != player)
        {
            let owner = table.name(owner).to_string();
            return Err((Refusal::BoxTaken { number, owner }, game.cites(Rule::OneBettor).to_vec()));
        }
        if round.boxes.iter().any(|(other, bets)| *other != number && bets.player == player) {
            let several = game.cites(Rule::SeveralBoxes);
            if !table.several_boxes() {
                return Err((
                    Refusal::Box("this table allows one box a player".to_string()),
                    several.to_vec(),
                ));
            }
            cites.extend(several);
        }
        table.check_chips(place, asked.amount, asked.amount)?;
        let held = round.boxes.get(&number).map(|bets| bets.wagers.as_slice()).unwrap_or_default();
        let mut together: Vec<(usize, Amount)> =
            held.iter().map(|(_, wager)| (wager.bet, wager.stake)).collect();
        if together.iter().any(|(held, _)| *held == place) {
            return Err((Refusal::Box(format!("box{number} has `{}` already", bet.id)), bet.cites.clone()));
        }
        together.push((place, asked.amount));
        check_together(game, false, &together).map_err(entry)?;
        let flagged = match table.check_limits(place, asked.amount) {
            Err(refused) if !table.accepts_outside_limits => return Err(refused),
            outside => outside.err(),
        };
        cites.extend(flagged.iter().flat_map(|(_, cites)| cites));
        match (&bet.reserve, asked.reserve) {
            (Some(reserve), laid) => {
                let due = times(reserve.times, asked.amount).ok_or((Refusal::TooLarge, Vec::new()))?;
                if laid.is_some_and(|laid| laid != due) {
                    return Err((Refusal::WrongReserve { due }, reserve.cites.clone()));
                }
                cites.extend(&reserve.cites);
            }
            (None, Some(_)) => {
                return Err((Refusal::WrongReserve { due: Amount::ZERO }, bet.cites.clone()));
            }
            (None, None) => {}
        }
        let warned = table.warned.contains(&player);
        let wager = Wager { player, seat, bet: place, stake: asked.amount, warned };
        let bets = round.boxes.entry(number).or_insert(BoxBets { player, wagers: Vec::new() });
        bets.wagers.push((log.at, wager));
        log.note(Fact::Accepted { flagged: flagged.is_some() }, cites);
        Ok(())
    }

    fn hand(&mut self, table: &mut Table<'_>, log: &mut Log<'_>, holder: Holder, cards: &[Card]) -> Done {
        let game = table.game;
        let round = self.open()?;
        if let Holder::Box(number) = holder
            && !round.boxes.contains_key(&number)
        {
            let cites = game.cites(Rule::BoxCards).to_vec();
            return Err((Refusal::Box(format!("{holder} has no wager, so it gets no cards")), cites));
        }
        if round.hands.contains_key(&holder) {
            return Err((Refusal::HandThere(holder), Vec::new()));
        }
        for (at, card) in cards.iter().enumerate() {
            let before = round.hands.values().flat_map(|dealt| &dealt.cards).chain(&cards[..at]);
            if before.into_iter().any(|other| other == card) {
                let cites = game.cites(Rule::OneDeck).to_vec();
                return Err((Refusal::ForeignCard { card: *card, decks: 1 }, cites));
            }
        }
        round.hands.insert(holder, Dealt { at: log.at, cards: cards.to_vec() });
        if round.missing().is_none() { self.settle(table, log) } else { Ok(()) }
    }

    /// Every hand is there: the count, the ranks, the comparisons, the money.
    fn settle(&mut self, table: &mut Table<'_>, log: &mut Log<'_>) -> Done {
        let game = table.game;
        let round = self.open()?;
        round.over = true;
        let wrong = round.hands.iter().find(|(_, dealt)| dealt.cards.len() != 5).map(|(holder, _)| *holder);
        if let Some(holder) = wrong {
            let rule = if holder == Holder::Dealer { Rule::DealerWrongCount } else { Rule::WrongCount };
            let cites: Vec<Basis> =
                [rule, Rule::VoidReturns].iter().flat_map(|rule| game.cites(*rule)).copied().collect();
            return void(game, round, log, &cites);
        }
        let mut hands = BTreeMap::new();
        for (holder, dealt) in &round.hands {
            let Ok(cards) = <[Card; 5]>::try_from(dealt.cards.as_slice()) else { continue };
            let hand = Hand::new(cards);
            log.note_at(dealt.at, Fact::Hand(hand.category()), hand_cites(game, *holder, &hand));
            hands.insert(*holder, hand);
        }
        let Some(dealer) = hands.get(&Holder::Dealer).copied() else { return Ok(()) };
        for (number, bets) in round.boxes.iter().rev() {
            let holder = Holder::Box(*number);
            let Some(hand) = hands.get(&holder) else { continue };
            let outcome = BoxOutcome::of(hand, &dealer);
            let ends = match outcome.winner {
                BoxWinner::Player => Rule::BoxWins,
                BoxWinner::Dealer => Rule::BoxLoses,
            };
            let rules = [Rule::Result, Rule::BoxByBox, ends].into_iter().chain(hand.rules_against(&dealer));
            let cites = rules.flat_map(|rule| game.cites(rule)).copied().collect();
            if let Some(dealt) = round.hands.get(&holder) {
                log.note_at(dealt.at, Fact::Compared(outcome.winner), cites);
            }
            let wagers: Vec<Wager> = bets.wagers.iter().map(|(_, wager)| wager.clone()).collect();
            let settled = settle_box(game, &table.terms, outcome, &wagers)
                .map_err(|error| (error.into(), Vec::new()))?;
            for ((line, wager), settled) in bets.wagers.iter().zip(settled) {
                table.note_small(wager);
                let cites = settled.wager.cites.clone();
                log.note_at(*line, Fact::Settled(settled.wager), cites);
                if let Some(reserve) = settled.reserve {
                    let cites = reserve.cites.clone();
                    log.note_at(*line, Fact::Reserve(reserve), cites);
                }
            }
        }
        Ok(())
    }
}

/// Everything goes back, Reserves included.
fn void(game: &Game, round: &Round, log: &mut Log<'_>, cites: &[Basis]) -> Done {
    log.note(Fact::Void, cites.to_vec());
    for (line, wager) in round.boxes.values().flat_map(|bets| &bets.wagers) {
        log.note_at(*line, Fact::Settled(Settled::returned(wager.stake, cites.to_vec())), cites.to_vec());
        let reserve = game.bets.get(wager.bet).and_then(|bet| bet.reserve.as_ref());
        if let Some(laid) = reserve.and_then(|reserve| times(reserve.times, wager.stake)) {
            let back = SettledReserve { laid, lost: Amount::ZERO, returned: laid, cites: cites.to_vec() };
            log.note_at(*line, Fact::Reserve(back), cites.to_vec());
        }
    }
    Ok(())
}

fn hand_cites(game: &Game, holder: Holder, hand: &Hand) -> Vec<Basis> {
    let (dealt, high_card) = match holder {
        Holder::Box(_) => (Rule::BoxCards, Rule::PlayerHighCard),
        Holder::Dealer => (Rule::DealerCards, Rule::DealerHighCard),
    };
    let mut rules = vec![dealt, Rule::FiveCards];
    let tens = hand.cards().iter().filter(|card| card_value(**card) == 10).count();
    rules.extend((tens < 5).then_some(Rule::CardPips));
    rules.extend((tens > 0).then_some(Rule::CardTens));
    match hand.category() {
        Category::NoHand => rules.push(high_card),
        Category::UltimateNiuNiu | Category::HoianaNiuNiu => {}
        _ => rules.extend([Rule::Triple, Rule::OtherTwo]),
    }
    let mut cites: Vec<Basis> = Vec::new();
    let all = rules.into_iter().flat_map(|rule| game.cites(rule)).chain(game.hand_cites(hand.category()));
    for basis in all {
        if !cites.contains(basis) {
            cites.push(*basis);
        }
    }
    cites
}

/// `times` the amount, if it is an amount.
fn times(times: u32, amount: Amount) -> Option<Amount> {
    let value = Ratio::from(i64::from(times)) * amount.ratio();
    value.whole().and_then(|whole| i64::try_from(whole).ok()).and_then(Amount::new)
}
