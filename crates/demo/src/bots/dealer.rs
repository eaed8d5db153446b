//! A robot that deals at a table with a simulated shoe: calls, cards, reveals, insurance, settlement, by what the
//! Dealer's view offers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use croupier_rules::Family;
use croupier_rules::baccarat::Side;
use croupier_table::command::Holder;
use croupier_table::view::{Act, DealerView, Desk, DrawOffer, Felt, ReportKind};
use croupier_table::{Action, Actor, Moment, Phase, Report, Staff};

use super::{Deeds, Step, after, give};
use crate::dice::Dice;
use crate::simulator::{Dealt, SimulatedShoe};
use croupier_server::device::{Devices, NotTaken};
use croupier_server::floor::Floor;
use croupier_server::table::{Refused, TableHandle};

/// How long a robot Dealer gives the players.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Between two cards or calls.
    pub step: Duration,
    /// For betting.
    pub betting: Duration,
    /// For insurance.
    pub insurance: Duration,
    /// To answer an option, or to open cards.
    pub option: Duration,
    /// To look at a result.
    pub result: Duration,
}

/// A robot Dealer.
#[derive(Debug)]
pub struct DealerBot {
    floor: Arc<Floor>,
    devices: Devices,
    table: TableHandle,
    staff: Staff,
    shoe: SimulatedShoe,
    timing: Timing,
    dice: Dice,
    deeds: Deeds,
    /// For what the players are given time, and since when.
    clock: Option<((u64, Phase, &'static str), Instant)>,
    /// The last round whose result was called.
    called: u64,
    /// The last round at whose end too many cards may have come.
    overdrawn: u64,
}

/// What a robot Dealer wants to do.
enum Next {
    Give(Action),
    /// Give it once the players have had so long.
    After(Duration, &'static str, Action),
    Draw(DrawOffer),
    /// Perhaps a card too many.
    Overdraw,
    Deal(Holder),
    Wait,
}

impl DealerBot {
    /// A Dealer at a table.
    #[must_use]
    pub fn new(
        floor: &Arc<Floor>,
        devices: &Devices,
        table: &TableHandle,
        staff: Staff,
        shoe: SimulatedShoe,
        timing: Timing,
    ) -> Self {
        Self {
            floor: Arc::clone(floor),
            devices: devices.clone(),
            table: table.clone(),
            staff,
            shoe,
            timing,
            dice: Dice::seeded(u64::from(table.id.0)),
            deeds: Deeds::default(),
            clock: None,
            called: 0,
            overdrawn: 0,
        }
    }

    /// What it has done.
    #[must_use]
    pub fn deeds(&self) -> Deeds {
        self.deeds.clone()
    }

    /// Deals until the server stops, or until `enough` rounds are over; the shoe it dealt from.
    pub async fn run(mut self, enough: Option<u64>) -> SimulatedShoe {
        let mut watch = self.table.watch();
        loop {
            let shown = Arc::clone(&watch.borrow_and_update());
            let felt = shown.views.dealer().felt;
            if enough.is_some_and(|rounds| felt.round >= rounds && felt.closed.is_some()) {
                return self.shoe;
            }
            let step = self.act(shown.moment, shown.views.dealer()).await;
            let done = matches!(step, Step::Shows(_));
            drop(shown);
            if !after(step, &mut watch).await {
                return self.shoe;
            }
            if done && !self.timing.step.is_zero() {
                tokio::time::sleep(self.timing.step).await;
            }
        }
    }

    async fn act(&mut self, moment: Moment, view: DealerView<'_>) -> Step {
        let felt = view.felt;
        let next = self.next(view);
        let action = match next {
            Next::Wait => return Step::Nothing,
            Next::Give(action) => action,
            Next::After(wait, what, action) => {
                let key = (felt.round, felt.phase, what);
                let since = match self.clock {
                    Some((running, since)) if running == key => since,
                    Some(_) | None => {
                        let now = Instant::now();
                        self.clock = Some((key, now));
                        now
                    }
                };
                let left = wait.saturating_sub(since.elapsed());
                if !left.is_zero() {
                    return Step::NotBefore(left);
                }
                action
            }
            Next::Draw(offer) => {
                return step(self.shoe.draw(&self.floor, &self.devices, view, offer).await);
            }
            Next::Deal(to) => return step(self.shoe.deal(&self.floor, &self.devices, felt, to).await),
            Next::Overdraw => {
                self.overdrawn = felt.round;
                let dealt = self.shoe.overdraw(&self.floor, &self.devices, felt).await;
                return dealt.map_or(Step::Again, step);
            }
        };
        if let Action::Call(_) = action {
            self.called = felt.round;
        }
        // Hands are arranged side by side: the clock of one is that of all.
        if !matches!(action, Action::SetHand { .. }) {
            self.clock = None;
        }
        give(&self.table, &self.deeds, moment, Actor::Staff(self.staff), action).await
    }

    fn next(&mut self, view: DealerView<'_>) -> Next {
        let DealerView { felt, desk } = view;
        let may = |act: Act| desk.acts.contains(act);
        if felt.phase == Phase::TableClosed {
            return Next::Wait;
        }
        if desk.hold.is_some() {
            return self.on_hold(felt, desk);
        }
        if let Some(action) = self.prepare(desk) {
            return Next::Give(action);
        }
        let Timing { betting, insurance, option, result, .. } = self.timing;
        if may(Act::CloseShoeChoice) {
            return Next::After(option, "choice", Action::CloseShoeChoice);
        }
        if may(Act::DealFreeHand) {
            return Next::After(result, "free hand", Action::DealFreeHand);
        }
        if may(Act::OpenBets) {
            return Next::After(result, "opening", Action::OpenBets);
        }
        if matches!(felt.phase, Phase::BetsOpen | Phase::Reopened | Phase::DifferentialHold) {
            return if may(Act::CloseBets) {
                Next::After(betting, "betting", Action::CloseBets)
            } else if may(Act::AskToReduce) && felt.phase != Phase::DifferentialHold {
                Next::After(betting, "reducing", Action::AskToReduce)
            } else {
                // The pit has to do something first.
                Next::Wait
            };
        }
        if may(Act::OfferInsurance) {
            return Next::Give(Action::OfferInsurance);
        }
        if may(Act::CloseInsurance) {
            return Next::After(insurance, "insurance", Action::CloseInsurance);
        }
        match self.table.setup.family() {
            Family::Baccarat => self.baccarat(felt, desk),
            Family::NiuNiu => self.niu_niu(felt, desk),
        }
    }

    fn on_hold(&mut self, felt: &Felt, desk: &Desk) -> Next {
        if desk.reports.contains(ReportKind::SurplusOn) {
            let side = if self.dice.once_in(2) { Side::Player } else { Side::Banker };
            let exposed = felt.surplus.iter().all(|surplus| surplus.face.card().is_some());
            return Next::Give(Action::Report(Report::SurplusOn { side, exposed }));
        }
        if desk.acts.contains(Act::CloseWindow) {
            return Next::After(self.timing.option, "window", Action::CloseWindow);
        }
        Next::Wait
    }

    /// What a new shoe still needs.
    fn prepare(&self, desk: &Desk) -> Option<Action> {
        let may = |act: Act| desk.acts.contains(act);
        if may(Act::LoadShoe) && !may(Act::OpenBets) {
            Some(Action::LoadShoe { set: None, commitment: None })
        } else if may(Act::RecordShuffle) {
            Some(Action::RecordShuffle)
        } else if may(Act::CutCards) && self.table.setup.cut_card.is_some() {
            Some(Action::CutCards { above: None })
        } else if may(Act::Burn) {
            Some(Action::Burn { count: desk.burn, cards: Vec::new() })
        } else {
            None
        }
    }

    fn baccarat(&self, felt: &Felt, desk: &Desk) -> Next {
        // Cards that were held back are for people to handle.
        if let Some(offer) = desk.draw.filter(|offer| !offer.from_held) {
            return Next::Draw(offer);
        }
        let sides = [Side::Player, Side::Banker].into_iter();
        if let Some((side, offer)) = sides.zip(desk.reveal).find_map(|(side, offer)| Some((side, offer?))) {
            let told = self.shoe.unread(side, offer.unread);
            return Next::Give(if told.len() == offer.unread {
                Action::Reveal { side, told }
            } else {
                // Nobody knows any more what the card was.
                Action::Report(Report::CannotRebuild)
            });
        }
        if desk.acts.contains(Act::Settle) {
            return self.finish(felt);
        }
        let absent = felt.squeezers.iter().flatten().next();
        match absent.filter(|_| desk.reports.contains(ReportKind::Absent)) {
            Some(player) => {
                Next::After(self.timing.option, "squeeze", Action::Report(Report::Absent { player: *player }))
            }
            None => Next::Wait,
        }
    }

    fn finish(&self, felt: &Felt) -> Next {
        if self.overdrawn != felt.round {
            return Next::Overdraw;
        }
        match felt.outcome {
            Some(outcome) if self.called != felt.round => Next::Give(Action::Call(outcome.winner())),
            Some(_) | None => Next::Give(Action::Settle),
        }
    }

    fn niu_niu(&self, felt: &Felt, desk: &Desk) -> Next {
        let may = |act: Act| desk.acts.contains(act);
        if may(Act::Settle) {
            return Next::Give(Action::Settle);
        }
        if may(Act::OpenDealer) {
            return Next::Give(Action::OpenDealer);
        }
        if matches!(felt.phase, Phase::BetsClosed | Phase::Dealing) {
            return Next::Deal(self.next_packet(felt));
        }
        if may(Act::CheckCount) {
            return Next::Give(Action::CheckCount);
        }
        let unset = felt.hands.iter().find(|hand| hand.holder != Holder::Dealer && !hand.is_set);
        let set = unset.and_then(|hand| Some((hand.holder, self.shoe.category(hand.holder)?)));
        match set {
            Some((holder, set_as)) => {
                Next::After(self.timing.option, "arranging", Action::SetHand { holder, set_as })
            }
            None => Next::Wait,
        }
    }

    /// Whose packet comes next: the boxes in their order, then the Dealer.
    fn next_packet(&self, felt: &Felt) -> Holder {
        let open = felt.wagers.iter().filter(|laid| laid.ended.is_none());
        let mut boxes: Vec<u8> = open.filter_map(|laid| laid.area).collect();
        boxes.sort_unstable();
        if self.table.setup.from_dealer_right {
            boxes.reverse();
        }
        let mut waiting = boxes.into_iter().map(Holder::Box);
        let has_hand = |holder: &Holder| felt.hands.iter().any(|hand| hand.holder == *holder);
        waiting.find(|holder| !has_hand(holder)).unwrap_or(Holder::Dealer)
    }
}

fn step(dealt: Dealt) -> Step {
    match dealt {
        Dealt::Taken(taken) => Step::Shows(taken.line),
        Dealt::Not(NotTaken::Refused { refused: Refused::Stopping | Refused::Journal(_), .. }) => Step::Over,
        Dealt::Not(not_taken) => {
            tracing::debug!(%not_taken, "a simulated shoe was refused");
            Step::Again
        }
    }
}
