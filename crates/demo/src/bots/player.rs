//! A robot that plays: it buys in, bets, insures, squeezes, answers, tips, and comes back when it is broke.

use std::sync::Arc;
use std::time::Duration;

use croupier_cards::Card;
use croupier_journal::deed::CageMove;
use croupier_journal::{By, CommandId};
use croupier_rules::Amount;
use croupier_rules::baccarat::Side;
use croupier_rules::niu_niu::Hand;
use croupier_table::command::Holder;
use croupier_table::view::{Bounds, Felt, InsureOffer, Own, PlaceOffer, PlayerView};
use croupier_table::{Action, Actor, Moment, Phase, Place, PlayerId};

use super::{Deeds, Step, after, give};
use crate::dice::Dice;
use croupier_server::clock;
use croupier_server::floor::{AtCage, Floor};
use croupier_server::table::TableHandle;

/// How a robot plays.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// What it takes to the table, in minor units: a whole number of chips.
    pub bankroll: i64,
    /// The time before each wager or answer.
    pub thinks: Duration,
    /// How long it stays away before it comes back.
    pub rests: Duration,
}

impl Habits {
    /// As many wagers in a second; as fast as views come for 0.
    #[must_use]
    pub fn per_second(bankroll: i64, wagers: u32) -> Self {
        let thinks = Duration::from_secs(1).checked_div(wagers).unwrap_or_default();
        Self { bankroll, thinks, rests: thinks * 4 }
    }
}

/// A robot player.
#[derive(Debug)]
pub struct Bot {
    floor: Arc<Floor>,
    table: TableHandle,
    player: PlayerId,
    habits: Habits,
    dice: Dice,
    deeds: Deeds,
    plan: Plan,
}

/// What it means to do in a round.
#[derive(Clone, Copy, Debug, Default)]
struct Plan {
    round: u64,
    wagers: u64,
    insures: bool,
    squeezes: bool,
    tips: bool,
    leaves: bool,
}

impl Bot {
    /// A robot at a table.
    #[must_use]
    pub fn new(floor: &Arc<Floor>, table: &TableHandle, player: PlayerId, seed: u64, habits: Habits) -> Self {
        Self {
            floor: Arc::clone(floor),
            table: table.clone(),
            player,
            habits,
            dice: Dice::seeded(seed),
            deeds: Deeds::default(),
            plan: Plan::default(),
        }
    }

    /// What it has done.
    #[must_use]
    pub fn deeds(&self) -> Deeds {
        self.deeds.clone()
    }

    /// Plays until the server stops.
    pub async fn run(mut self) {
        let mut watch = self.table.watch();
        loop {
            if !self.habits.thinks.is_zero() {
                // Not all robots think equally fast.
                let most = u64::try_from(self.habits.thinks.as_millis()).unwrap_or(u64::MAX);
                let thinks = most / 2 + self.dice.below(most + 1);
                tokio::time::sleep(Duration::from_millis(thinks)).await;
            }
            let shown = Arc::clone(&watch.borrow_and_update());
            let step = match shown.views.player(self.player) {
                None => self.come(shown.moment, shown.views.public().felt).await,
                Some(view) => match self.choose(view) {
                    Some(action) => self.act(shown.moment, action).await,
                    None => Step::Nothing,
                },
            };
            drop(shown);
            if !after(step, &mut watch).await {
                return;
            }
        }
    }

    async fn act(&mut self, moment: Moment, action: Action) -> Step {
        let leaves = matches!(action, Action::Leave { .. });
        let step = give(&self.table, &self.deeds, moment, Actor::Player(self.player), action).await;
        match step {
            Step::Shows(_) if leaves => Step::Rest(self.habits.rests),
            step => step,
        }
    }

    /// Takes a seat and chips, with money from the cage if the wallet is empty.
    async fn come(&mut self, moment: Moment, felt: &Felt) -> Step {
        if felt.phase == Phase::TableClosed {
            return Step::Nothing;
        }
        let player = self.player;
        let taken = |seat: &u8| felt.seats.iter().any(|shown| shown.seat == Some(*seat));
        let free: Vec<u8> = (1..=self.table.setup.seats).filter(|seat| !taken(seat)).collect();
        let arrives = match self.dice.choose(&free) {
            Some(seat) => Action::Sit { player, seat: *seat },
            None => Action::Stand { player, behind: None },
        };
        if !self.fetch_money().await {
            return Step::Rest(self.habits.rests);
        }
        let Some(amount) = Amount::new(self.habits.bankroll) else { return Step::Over };
        match self.act(moment, arrives).await {
            Step::Shows(_) => self.act(moment, Action::BuyIn { player, amount, cash: false }).await,
            step => step,
        }
    }

    async fn fetch_money(&mut self) -> bool {
        let wants = self.habits.bankroll;
        if self.floor.wallet(self.player) >= i128::from(wants) {
            return true;
        }
        let id = CommandId::new(&format!("bot-{}-{}-{:x}", self.player, clock::now(), self.dice.next()));
        let (Ok(id), Some(amount)) = (id, croupier_ledger::Amount::new(wants)) else { return false };
        let moved = CageMove { player: self.player, amount, witness: None, note: String::new() };
        let moved = self.floor.at_cage(AtCage { id, by: By::System.into(), moved, comes_in: true }).await;
        moved.is_ok()
    }

    /// What to do, by the own view alone.
    fn choose(&mut self, view: PlayerView<'_>) -> Option<Action> {
        let PlayerView { felt, account, own } = view;
        let player = self.player;
        if felt.round != self.plan.round {
            self.plan = self.make_plan(felt.round);
        }
        if own.withdraw.is_some() {
            return Some(Action::Answer { player, withdraw: self.dice.once_in(3) });
        }
        if own.may.choose_shoe && own.may.shoe_chosen.is_none() {
            return Some(Action::ChooseShoe { player, replace: self.dice.once_in(2) });
        }
        if let Some(action) = self.open_hand(own) {
            return Some(action);
        }
        if let Some(offer) = own.insure.as_ref().filter(|_| self.plan.insures) {
            self.plan.insures = false;
            return self.insure(offer);
        }
        if let Some(action) = self.set_hand(own) {
            return Some(action);
        }
        if own.may.ask_squeeze && self.plan.squeezes {
            self.plan.squeezes = false;
            return Some(Action::AskSqueeze { player });
        }
        let has_wagers = felt.wagers.iter().any(|laid| laid.player == player && laid.ended.is_none());
        if matches!(felt.phase, Phase::BetsOpen | Phase::Reopened) {
            return self.bet(felt, own, account.chips, has_wagers);
        }
        if self.plan.leaves && own.may.leave {
            return Some(Action::Leave { player });
        }
        let tip = own.may.tip.filter(|_| self.plan.tips)?;
        self.plan.tips = false;
        let amount = own.may.buy_in.map_or(tip.from, |chips| chips.step).min(tip.to);
        Some(Action::Tip { player, amount })
    }

    fn make_plan(&mut self, round: u64) -> Plan {
        Plan {
            round,
            wagers: 1 + self.dice.below(3),
            insures: self.dice.once_in(3),
            squeezes: self.dice.once_in(2),
            tips: self.dice.once_in(40),
            leaves: self.dice.once_in(80),
        }
    }

    /// Opens the own hand; where a card was not read, the Dealer does it.
    fn open_hand(&self, own: &Own) -> Option<Action> {
        let player = self.player;
        let sides = [Side::Player, Side::Banker].into_iter().zip(own.may.reveal);
        let (side, offer) = sides.filter_map(|(side, offer)| Some((side, offer?))).next()?;
        Some(if offer.unread == 0 {
            Action::Reveal { side, told: Vec::new() }
        } else {
            Action::RefuseSqueeze { player, side }
        })
    }

    /// Sets the hand of the own box as what it is.
    fn set_hand(&self, own: &Own) -> Option<Action> {
        let number = own.may.set_hand?;
        let mine = own.boxes.iter().find(|known| known.number == number && known.set_as.is_none())?;
        let cards = <[Card; 5]>::try_from(mine.cards.as_slice()).ok()?;
        Some(Action::SetHand { holder: Holder::Box(number), set_as: Hand::new(cards).category() })
    }

    fn insure(&mut self, offer: &InsureOffer) -> Option<Action> {
        let fits = |amount: &Amount| *amount <= offer.most;
        let amount = [self.within(offer.stake), offer.stake.from].into_iter().find(fits)?;
        Some(Action::Insure { player: self.player, side: offer.side, amount })
    }

    fn bet(&mut self, felt: &Felt, own: &Own, chips: Amount, has_wagers: bool) -> Option<Action> {
        let player = self.player;
        if own.may.accept_notice && own.place.is_empty() && !felt.insurance_on {
            return Some(Action::AcceptNotice { player });
        }
        if own.place.is_empty() && !has_wagers && own.may.leave {
            // Broke, or a table that cannot pay more.
            tracing::debug!(%player, %chips, "a robot finds nothing to bet on");
            return Some(Action::Leave { player });
        }
        if self.plan.wagers == 0 {
            return None;
        }
        let offer: PlaceOffer = *self.dice.choose(&own.place)?;
        self.plan.wagers -= 1;
        Some(Action::Place(Place {
            player,
            bet: offer.bet,
            amount: self.within(offer.add),
            area: offer.box_number,
            reserve: None,
            in_chips: true,
            untimed: false,
        }))
    }

    /// An amount within bounds, more often a small one.
    fn within(&mut self, bounds: Bounds) -> Amount {
        let step = bounds.step.minor().max(1);
        let steps = u64::try_from((bounds.to.minor() - bounds.from.minor()) / step).unwrap_or(0).min(20);
        let chosen = self.dice.below(steps + 1).min(self.dice.below(steps + 1));
        let more = i64::try_from(chosen).unwrap_or(0) * step;
        Amount::new(bounds.from.minor() + more).unwrap_or(bounds.from)
    }
}
