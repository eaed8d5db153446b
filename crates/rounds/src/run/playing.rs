//! The lines of a round, and what happens by itself in a round that is not played by hand.

use croupier_cards::Card;
use croupier_rules::baccarat::Side;
use croupier_rules::{Amount, Family, Ratio};
use croupier_table::command::{Holder as TableHolder, Place as Wager};
use croupier_table::event::Mark;
use croupier_table::setup::Method;
use croupier_table::{Action as Deed, Actor, Phase, Table, Why};

use super::opening::Refusal;
use super::runner::{Done, Log, Runner, dealer};
use crate::event::Refused;
use crate::file::{Bet, Holder};

impl Runner<'_> {
    pub(super) fn round(&mut self, log: &mut Log<'_>, by_hand: bool) -> Done {
        if let Some(unfinished) = self.unfinished() {
            return Err((unfinished, Vec::new()));
        }
        self.open_table(log)?;
        self.by_hand = by_hand;
        self.begun = true;
        self.cause = None;
        self.wager_lines.clear();
        self.insurance_lines.clear();
        self.hand_lines.clear();
        self.waiting.clear();
        if by_hand {
            return Ok(());
        }
        let free = self.table.as_ref().is_some_and(|table| table.phase() == Phase::FreeHand);
        self.perform(log, dealer(), if free { Deed::DealFreeHand } else { Deed::OpenBets })?;
        self.go_on(log)
    }

    pub(super) fn bet(&mut self, log: &mut Log<'_>, bet: &Bet) -> Done {
        let place = self.bet_place(&bet.bet)?;
        let player = self.player(log, &bet.player)?;
        let by_box = self.rulebook.family.by_box();
        if !by_box && (bet.on.is_some() || bet.reserve.is_some()) {
            let why = croupier_table::Why::OtherGame { what: "baccarat has neither boxes nor Reserves" };
            let told = why.to_string();
            return Err((Refused::Table(Box::new(why), told), Vec::new()));
        }
        let times =
            self.game.bets.get(place).and_then(|bet| bet.reserve.as_ref()).map_or(0, |reserve| reserve.times);
        let cost = (Ratio::from(i64::from(times) + 1) * bet.amount.ratio()).whole();
        let cost =
            cost.and_then(|cost| i64::try_from(cost).ok()).and_then(Amount::new).unwrap_or(Amount::MAX);
        self.top_up(log, player, cost)?;
        let actor = match &bet.by {
            None => Actor::Player(player),
            Some(who) => self.actor(log, who)?,
        };
        let asked = Wager {
            player,
            bet: place,
            amount: bet.amount,
            area: bet.on.or(bet.at),
            reserve: bet.reserve,
            in_chips: !bet.in_cash,
            untimed: bet.untimed,
        };
        self.perform(log, actor, Deed::Place(asked))?;
        let seat = self.table.as_ref().and_then(|table| table.player(player)).and_then(|player| player.seat);
        let area = if by_box { bet.on.or(seat) } else { None };
        self.wager_lines.push(((player, place, area), log.at));
        Ok(())
    }

    pub(super) fn cards(&mut self, log: &mut Log<'_>, cards: &[Card]) -> Done {
        self.open_table(log)?;
        for card in cards {
            let drawer = self.drawer();
            let draw = Deed::Draw { card: Some(*card), laid: None, exposed: false };
            let drawn = self.is_dealt(Some(*card)).and_then(|()| self.perform(log, drawer, draw));
            drawn.map_err(|refusal| self.because_foreign(refusal))?;
            self.open_hands(log)?;
        }
        self.go_on(log)
    }

    /// A card that cannot be in the shoe may have ended the round: what follows it then belongs to none.
    fn because_foreign(&self, (refused, cites): Refusal) -> Refusal {
        let void = self.table.as_ref().is_some_and(|table| table.round.closed == Some(Mark::Void));
        let foreign = self.cause.as_ref().filter(|_| void).and_then(|cause| self.foreign(cause));
        match (refused, foreign) {
            (Refused::Table(why, _), Some(foreign)) if !matches!(*why, Why::OnHold { .. }) => {
                let words = format!("{foreign}: it ends the round, and what follows it belongs to none");
                (Refused::Table(why, words), cites)
            }
            (refused, _) => (refused, cites),
        }
    }

    /// Whether the cards that a file lists are dealt now: who deals by the rules waits for what comes first. A card
    /// that is out all the same is told as `draws` or `deals`.
    fn is_dealt(&self, card: Option<Card>) -> Done {
        let asked = self.table.as_ref().map_or(Ok(()), |table| croupier_table::may_deal(table, card));
        asked.map_err(|refusal| self.refused(refusal))
    }

    /// The Dealer, or the player with the device.
    fn drawer(&self) -> Actor {
        let table = self.table.as_ref();
        let holder =
            table.filter(|table| table.round.method == Some(Method::C)).and_then(|table| table.device);
        holder.map_or(dealer(), Actor::Player)
    }

    pub(super) fn hand(&mut self, log: &mut Log<'_>, holder: Holder, cards: &[Card]) -> Done {
        self.open_table(log)?;
        match self.rulebook.family {
            Family::NiuNiu => self.hand_of(log, holder, cards),
            Family::Baccarat => {
                let what = "baccarat hands follow from the draw order; write `cards …`";
                let why = croupier_table::Why::OtherGame { what };
                let told = why.to_string();
                Err((Refused::Table(Box::new(why), told), Vec::new()))
            }
        }
    }

    /// A hand is told. In a round that plays itself it is dealt when its turn comes, whatever the order of the lines.
    fn hand_of(&mut self, log: &mut Log<'_>, holder: Holder, cards: &[Card]) -> Done {
        if self.hand_lines.iter().any(|(known, _)| *known == holder) {
            let why = croupier_table::Why::HandThere;
            let words = format!("the hand of {holder} is there already");
            return Err((Refused::Table(Box::new(why), words), Vec::new()));
        }
        self.hand_lines.push((holder, log.at));
        let at_once = self.table.as_ref().is_none_or(|table| {
            let outside = matches!(holder, Holder::Box(number) if number > table.setup.seats);
            self.by_hand || outside || table.hold.is_some()
        });
        if at_once {
            return self.packet(log, holder, cards);
        }
        self.waiting.push((holder, cards.to_vec(), log.at));
        self.deal_in_turn(log)?;
        let on_hold = self.table.as_ref().is_some_and(|table| table.hold.is_some());
        if self.untold().is_none() && !on_hold { self.settle_hands(log) } else { Ok(()) }
    }

    /// Deals the hands whose turn has come: nobody who is dealt before them is still to be told.
    fn deal_in_turn(&mut self, log: &mut Log<'_>) -> Done {
        while !self.by_hand && self.table.as_ref().is_some_and(|table| table.hold.is_none()) {
            let place = |holder: Holder| self.table.as_ref().map(|table| turn(table, holder));
            let Some((at, _)) = self.waiting.iter().enumerate().min_by_key(|(_, told)| place(told.0)) else {
                return Ok(());
            };
            if self.untold().is_some_and(|due| place(due) < place(self.waiting[at].0)) {
                return Ok(());
            }
            let (holder, cards, line) = self.waiting.remove(at);
            let here = core::mem::replace(&mut log.at, line);
            let done = self.packet(log, holder, &cards);
            log.at = here;
            done?;
        }
        Ok(())
    }

    /// The first in the order of the deal whose hand is not told yet.
    fn untold(&self) -> Option<Holder> {
        let table = self.table.as_ref()?;
        let told = |holder: &Holder| self.hand_lines.iter().any(|(known, _)| known == holder);
        let due = boxes_in_play(table).into_iter().map(Holder::Box).chain([Holder::Dealer]);
        due.filter(|holder| !told(holder)).min_by_key(|holder| turn(table, *holder))
    }

    fn packet(&mut self, log: &mut Log<'_>, holder: Holder, cards: &[Card]) -> Done {
        if cards.is_empty() {
            return Ok(());
        }
        self.is_dealt(None)?;
        let to = match holder {
            Holder::Box(number) => TableHolder::Box(number),
            Holder::Dealer => TableHolder::Dealer,
        };
        self.perform(log, Actor::Device, Deed::DealPacket { to, cards: cards.to_vec() })
    }

    /// All hands are told: counted, set as they should be, the Dealer's opened, settled.
    fn settle_hands(&mut self, log: &mut Log<'_>) -> Done {
        self.perform(log, dealer(), Deed::CheckCount)?;
        // Put right, a deal may lack the Dealer's packet: it is told again.
        if self.table.as_ref().is_some_and(|table| table.phase() == Phase::Dealing) {
            self.hand_lines.retain(|(holder, _)| *holder != Holder::Dealer);
        }
        self.go_on(log)
    }

    /// What happens by itself: hands are opened, insurance is offered, the round is settled.
    pub(super) fn go_on(&mut self, log: &mut Log<'_>) -> Done {
        if self.by_hand {
            return Ok(());
        }
        self.open_hands(log)?;
        self.deal_in_turn(log)?;
        loop {
            let Some(table) = &self.table else { return Ok(()) };
            let deed = match table.phase() {
                Phase::InsuranceOne | Phase::InsuranceTwo => {
                    if table.round.window.is_none_or(|window| window.offered) {
                        return Ok(());
                    }
                    Deed::OfferInsurance
                }
                Phase::Arranging => match unset(table) {
                    Some(deed) => deed,
                    None => return Ok(()),
                },
                // A ruling may have come between the last hand and the count.
                Phase::CountCheck if self.untold().is_none() => return self.settle_hands(log),
                Phase::Verify => Deed::OpenDealer,
                Phase::Result => Deed::Settle,
                _ => return Ok(()),
            };
            self.perform(log, dealer(), deed)?;
        }
    }

    /// Closed hands are opened by who has the right to them, the Player's first.
    fn open_hands(&mut self, log: &mut Log<'_>) -> Done {
        if self.by_hand {
            return Ok(());
        }
        while let Some((actor, side)) = self.table.as_ref().and_then(next_to_open) {
            self.perform(log, actor, Deed::Reveal { side, told: Vec::new() })?;
        }
        Ok(())
    }

    /// Why the last round is not over, if it is not.
    pub(super) fn unfinished(&self) -> Option<Refused> {
        let table = self.table.as_ref()?;
        let phase = table.phase();
        let over = matches!(
            phase,
            Phase::ShoeLoaded
                | Phase::Ready
                | Phase::FreeHand
                | Phase::ShoeOption
                | Phase::ShoeDecision
                | Phase::ShoeEnd
                | Phase::TableClosed
        );
        if over {
            return None;
        }
        let words = match (phase, table.round.draws.len(), table.round.deal.due()) {
            (Phase::OnHold | Phase::OptionWindow | Phase::Sorting, ..) => {
                self.hold_words().unwrap_or_else(|| "play is on hold".to_string())
            }
            (
                Phase::PlayerThird | Phase::BankerThird | Phase::InsuranceOne | Phase::InsuranceTwo,
                _,
                Some(side),
            ) => {
                format!("the {}'s third card is due; add the cards, or say `shoe is empty`", side.key())
            }
            (Phase::InitialDeal, ..) => {
                "it has fewer than four cards; add the cards, or say `shoe is empty`".to_string()
            }
            (Phase::BetsOpen | Phase::BetsClosed, ..) if !self.rulebook.family.in_packets() => {
                "it has fewer than four cards; add the cards, or say `shoe is empty`".to_string()
            }
            _ => format!("it stands at `{phase}`"),
        };
        Some(Refused::Unfinished(words))
    }
}

fn boxes_in_play(table: &Table) -> Vec<u8> {
    let mut boxes: Vec<u8> = table.round.wagers.iter().filter_map(|laid| laid.area).collect();
    boxes.sort_unstable();
    boxes.dedup();
    boxes
}

/// The place of a hand in the order of the deal: the boxes from the one end or from the other, the Dealer last.
fn turn(table: &Table, holder: Holder) -> u8 {
    match holder {
        Holder::Dealer => u8::MAX,
        Holder::Box(number) if table.setup.from_dealer_right => u8::MAX - 1 - number,
        Holder::Box(number) => number,
    }
}

/// The first hand that is not set yet, set as it should be.
fn unset(table: &Table) -> Option<Deed> {
    table.round.boxes.hands.iter().find_map(|dealt| match (dealt.holder, dealt.set_as) {
        (TableHolder::Box(_), None) => {
            Some(Deed::SetHand { holder: dealt.holder, set_as: dealt.hand()?.category() })
        }
        _ => None,
    })
}

/// The next closed hand, and who opens it.
fn next_to_open(table: &Table) -> Option<(Actor, Side)> {
    let round = &table.round;
    if table.hold.is_some() || round.closed.is_some() {
        return None;
    }
    let side = round.next_to_open()?;
    let squeezer = round.squeezers[match side {
        Side::Player => 0,
        Side::Banker => 1,
    }];
    Some((squeezer.map_or(dealer(), Actor::Player), side))
}
