//! A robot of the highest rank: it rules on what is on hold, fills the float, and replaces condemned cards.

use std::sync::Arc;
use std::time::{Duration, Instant};

use croupier_rules::irregularity::Irregularity;
use croupier_rules::{Amount, Power, Remedy};
use croupier_table::view::{Act, Desk, Felt, PitView, RulingOffer, Who};
use croupier_table::{Action, Actor, Moment, Phase, RulingMade, Staff};

use super::{A_MOMENT, Deeds, Step, after, give};
use crate::simulator::OnTheTable;
use croupier_server::table::TableHandle;

/// A robot of the pit.
#[derive(Debug)]
pub struct PitBot {
    table: TableHandle,
    staff: Staff,
    witness: Staff,
    /// What the float is filled up to, in minor units.
    float: i64,
    /// How long people have to do it themselves.
    thinks: Duration,
    on_the_table: OnTheTable,
    deeds: Deeds,
    clock: Option<((u64, Phase, &'static str), Instant)>,
}

impl PitBot {
    /// A robot for the pit of a table; `witness` is on duty with it.
    #[must_use]
    pub fn new(
        table: &TableHandle,
        (witness, staff): (Staff, Staff),
        float: i64,
        thinks: Duration,
        on_the_table: OnTheTable,
    ) -> Self {
        Self {
            table: table.clone(),
            staff,
            witness,
            float,
            thinks,
            on_the_table,
            deeds: Deeds::default(),
            clock: None,
        }
    }

    /// What it has done.
    #[must_use]
    pub fn deeds(&self) -> Deeds {
        self.deeds.clone()
    }

    /// Comes on duty with its witness and brings the float, where that is still to be done.
    pub async fn take_up(&self) {
        let shown = self.table.shown();
        let on_duty = &shown.views.pit().desk.staff;
        for staff in [self.witness, self.staff] {
            if !on_duty.contains(&staff) {
                give(&self.table, &self.deeds, shown.moment, Actor::System, Action::SignOn(staff)).await;
            }
        }
        if let Some(fill) = self.fill(shown.views.pit().desk) {
            give(&self.table, &self.deeds, shown.moment, Actor::Staff(self.staff), fill).await;
        }
    }

    /// Watches over the table until the server stops.
    pub async fn run(mut self) {
        let mut watch = self.table.watch();
        loop {
            let shown = Arc::clone(&watch.borrow_and_update());
            let step = self.act(shown.moment, shown.views.pit()).await;
            drop(shown);
            if !after(step, &mut watch).await {
                return;
            }
        }
    }

    async fn act(&mut self, moment: Moment, view: PitView<'_>) -> Step {
        let (what, wait, action) = match self.next(view) {
            // What it needs for a ruling may come to lie on the table a moment after the view.
            None if view.desk.hold.is_some() => return Step::NotBefore(A_MOMENT),
            None => return Step::Nothing,
            Some(next) => next,
        };
        let key = (view.felt.round, view.felt.phase, what);
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
        self.clock = None;
        give(&self.table, &self.deeds, moment, Actor::Staff(self.staff), action).await
    }

    /// What to do, and how long to leave it to people.
    fn next(&self, view: PitView<'_>) -> Option<(&'static str, Duration, Action)> {
        let PitView { felt, desk, pit, .. } = view;
        if felt.phase == Phase::TableClosed {
            return None;
        }
        if let Some(fill) = self.fill(desk) {
            return Some(("fill", Duration::ZERO, fill));
        }
        let open = |power: Power| pit.powers.iter().any(|offer| offer.power == power && offer.open);
        if let Some(hold) = &desk.hold {
            if hold.ruled.is_some() || felt.phase == Phase::Sorting {
                return None;
            }
            if hold.pending.is_some() {
                return Some(("confirming", self.thinks, Action::Confirm));
            }
            // What nobody can put together is over; anything else goes by the first ruling that is allowed.
            let lost = hold.irregularity == Irregularity::CannotRebuild;
            let fits = |offer: &&RulingOffer| !lost || offer.remedy == Remedy::Void;
            let ruling = hold.rulings.iter().filter(fits).find_map(|offer| self.ruling(felt, offer));
            if let Some(made) = ruling {
                return Some(("ruling", self.thinks, Action::Rule(made)));
            }
            return open(Power::RetractReport).then_some(("retracting", self.thinks, Action::Retract));
        }
        if open(Power::RemoveWager)
            && let Some(action) = self.heaviest(felt, desk)
        {
            return Some(("removing", self.thinks, action));
        }
        let condemned = open(Power::ReplaceShoe) && self.is_stuck(felt, desk);
        condemned.then_some(("replacing", self.thinks, Action::ReplaceShoe { commitment: None }))
    }

    fn fill(&self, desk: &Desk) -> Option<Action> {
        let short = self.float - desk.float.minor();
        let amount = Amount::new(short).filter(|_| short > self.float / 4)?;
        Some(Action::Fill { amount, witness: self.witness.person })
    }

    /// A ruling with all that it must say, if this robot can say it.
    fn ruling(&self, felt: &Felt, offer: &RulingOffer) -> Option<RulingMade> {
        if offer.who == Who::Nobody {
            return None;
        }
        let mut made = RulingMade::plain(offer.remedy, offer.withdrawal.is_some());
        made.player = offer.one_of.first().copied();
        if offer.order_of > 0 {
            let open: Option<Vec<_>> = felt.together.iter().map(|face| face.card()).collect();
            made.order = open.unwrap_or_else(|| self.on_the_table.together());
            if made.order.len() != offer.order_of {
                return None;
            }
        }
        Some(made)
    }

    /// The newest wager on the hand that is too heavy.
    fn heaviest(&self, felt: &Felt, desk: &Desk) -> Option<Action> {
        let (side, _) = desk.over_differential?;
        let bets = &self.table.setup.game().bets;
        let heavy = felt.wagers.iter().rev().find(|laid| {
            laid.ended.is_none() && bets.get(laid.bet).is_some_and(|bet| bet.main == Some(side))
        })?;
        Some(Action::RemoveWager { player: heavy.player, bet: heavy.bet })
    }

    /// Play cannot go on before new cards are there.
    fn is_stuck(&self, felt: &Felt, desk: &Desk) -> bool {
        let may = |act: Act| desk.acts.contains(act);
        let cuts = may(Act::CutCards) && self.table.setup.cut_card.is_some();
        let prepares = may(Act::LoadShoe) || may(Act::RecordShuffle) || cuts || may(Act::Burn);
        let covered = desk.liability <= i128::from(desk.float.minor());
        match felt.phase {
            Phase::ShoeLoaded | Phase::Ready | Phase::FreeHand | Phase::ShoeDecision | Phase::ShoeEnd => {
                felt.shoe.number > 0 && !prepares && !may(Act::OpenBets) && !may(Act::DealFreeHand)
            }
            Phase::BetsOpen | Phase::Reopened => {
                !prepares && covered && desk.over_differential.is_none() && !may(Act::CloseBets)
            }
            Phase::BetsClosed => {
                !self.table.setup.in_packets() && !prepares && covered && desk.draw.is_none()
            }
            Phase::DifferentialHold
            | Phase::InitialDeal
            | Phase::InitialReveal
            | Phase::InsuranceOne
            | Phase::PlayerThird
            | Phase::PlayerThirdReveal
            | Phase::BankerShownFirst
            | Phase::InsuranceTwo
            | Phase::BankerThird
            | Phase::Result
            | Phase::ShoeOption
            | Phase::Dealing
            | Phase::CountCheck
            | Phase::Arranging
            | Phase::Verify
            | Phase::OnHold
            | Phase::OptionWindow
            | Phase::Sorting
            | Phase::TableClosed => false,
        }
    }
}
