//! The lines of a round, and what happens by itself in a round that is not played by hand.

use croupier_cards::Card;
use croupier_rules::baccarat::Side;
use croupier_rules::{Amount, Family, Ratio};
use croupier_table::command::{Holder as TableHolder, Place as Wager};
use croupier_table::setup::Method;
use croupier_table::{Action as Deed, Actor, Phase, Table};

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
        self.wager_lines.clear();
        self.insurance_lines.clear();
        self.hand_lines.clear();
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
        let niu_niu = self.rulebook.family == Family::NiuNiu;
        if !niu_niu && (bet.on.is_some() || bet.reserve.is_some()) {
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
        let area = if niu_niu { bet.on.or(seat) } else { None };
        self.wager_lines.push(((player, place, area), log.at));
        Ok(())
    }

    pub(super) fn cards(&mut self, log: &mut Log<'_>, cards: &[Card]) -> Done {
        self.open_table(log)?;
        for card in cards {
            let drawer = self.drawer();
            self.perform(log, drawer, Deed::Draw { card: Some(*card), laid: None, exposed: false })?;
            self.open_hands(log)?;
        }
        self.go_on(log)
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
        if self.rulebook.family == Family::NiuNiu
            && let Some(wagered) = self.table.as_ref().map(boxes_in_play)
        {
            let told = self.hand_lines.iter().any(|(known, _)| *known == holder);
            if told {
                let why = croupier_table::Why::HandThere;
                let words = format!("the hand of {holder} is there already");
                return Err((Refused::Table(Box::new(why), words), Vec::new()));
            }
            self.hand_lines.push((holder, log.at));
            if !cards.is_empty() {
                let to = match holder {
                    Holder::Box(number) => TableHolder::Box(number),
                    Holder::Dealer => TableHolder::Dealer,
                };
                self.perform(log, Actor::Device, Deed::DealPacket { to, cards: cards.to_vec() })?;
            }
            let mut due = wagered.into_iter().map(Holder::Box).chain([Holder::Dealer]);
            let all = due.all(|holder| self.hand_lines.iter().any(|(known, _)| *known == holder));
            let on_hold = self.table.as_ref().is_some_and(|table| table.hold.is_some());
            return if all && !self.by_hand && !on_hold { self.settle_hands(log) } else { Ok(()) };
        }
        let why = croupier_table::Why::OtherGame {
            what: "baccarat hands follow from the draw order; write `cards …`",
        };
        let told = why.to_string();
        Err((Refused::Table(Box::new(why), told), Vec::new()))
    }

    /// All hands are told: counted, set as they should be, the Dealer's opened, settled.
    fn settle_hands(&mut self, log: &mut Log<'_>) -> Done {
        self.perform(log, dealer(), Deed::CheckCount)?;
        self.go_on(log)
    }

    /// What happens by itself: hands are opened, insurance is offered, the round is settled.
    pub(super) fn go_on(&mut self, log: &mut Log<'_>) -> Done {
        if self.by_hand {
            return Ok(());
        }
        self.open_hands(log)?;
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
                Phase::CountCheck if self.hand_lines.iter().any(|(holder, _)| *holder == Holder::Dealer) => {
                    Deed::CheckCount
                }
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
                let what = table.hold.as_ref().map_or("?", |hold| hold.irregularity.key());
                format!("{what} awaits a ruling, or the players' answers")
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
            (Phase::BetsOpen | Phase::BetsClosed, ..) if self.rulebook.family == Family::Baccarat => {
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
