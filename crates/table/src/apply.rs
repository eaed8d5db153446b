//! Carries events out. Nothing is decided here: what an event says, happens.

mod cards;
mod choice;
mod hold;

use std::sync::Arc;

use croupier_cards::Card;
use croupier_rules::Amount;
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::{Irregularity, ShoeFate};
use croupier_rules::settle::{Settled, SettledReserve};

use crate::actor::PlayerId;
use crate::certain::certain;
use crate::command::Bar;
use crate::event::{After, Event, Fact, Mark, Source};
use crate::niu_niu::HandDealt;
use crate::setup::{Method, WarnedFor};
use crate::table::{
    Board, Dealt, InsuranceLaid, InsuranceWindow, Laid, NextHand, Player, Round, Shoe, Stage, Stray, Table,
    place,
};

/// Whether a table keeps what an event rests on. A replay need not read it of the others.
#[must_use]
pub const fn keeps_cites(fact: &Fact) -> bool {
    matches!(fact, Fact::ShoeJudged(_) | Fact::ShoeChoiceMade { .. })
}

/// Applies one event.
pub fn apply(table: &mut Table, event: &Event) {
    match &event.fact {
        Fact::SignedOn(staff) => {
            table.staff.retain(|known| known.person != staff.person);
            table.staff.push(*staff);
        }
        Fact::SignedOff(person) => table.staff.retain(|known| known.person != *person),
        Fact::Filled { amount, .. } => table.float += *amount,
        Fact::Credited { amount, .. } => table.float = table.float - *amount,
        Fact::DropCounted { amount } => table.drop = table.drop - *amount,
        Fact::TipsPaid { amount } => table.tips = table.tips - *amount,
        Fact::TableClosed { .. } => table.stage = Stage::Closed,

        Fact::Seated { player, seat } => {
            let player = table.enter(*player);
            player.seat = Some(*seat);
            player.behind = None;
        }
        Fact::Stood { player, behind } => {
            let player = table.enter(*player);
            player.seat = None;
            player.behind = *behind;
        }
        Fact::NoticeGiven { .. } => {}
        Fact::NoticeAccepted { player } => table.change(*player, |player| player.accepted_notice = true),
        Fact::BoughtIn { player, amount, cash } => {
            table.change(*player, |player| player.chips += *amount);
            if *cash {
                table.float = table.float - *amount;
                table.drop += *amount;
            }
        }
        Fact::Left { player, .. } => {
            table.players.retain(|known| known.id != *player);
            table.device = table.device.filter(|holder| holder != player);
            table.may_draw = table.may_draw.filter(|holder| holder != player);
        }
        Fact::CorrectionPosted { player, amount, .. } => {
            table.settle_with(*player, |player| player.chips += *amount);
            table.float = table.float - *amount;
        }
        Fact::Tipped { player, amount } => {
            table.change(*player, |player| player.chips = player.chips - *amount);
            table.tips += *amount;
        }

        Fact::ShoeLoaded { number, set, commitment } => {
            table.shoe = Shoe::loaded(*number, table.setup.decks, *set, *commitment);
            table.next = NextHand::default();
            table.board = Arc::new(Board::default());
            if table.setup.warned_for == WarnedFor::Shoe {
                table.players.iter_mut().for_each(|player| player.warned = false);
            }
            // Wagers that lie for a round without cards stay.
            if !matches!(table.stage, Stage::Betting { .. } | Stage::Playing) {
                table.stage = Stage::Shoe;
            }
            table.ready_if_prepared();
        }
        Fact::Shuffled { .. } => {
            table.shoe.is_shuffled = true;
            table.ready_if_prepared();
        }
        Fact::Cut { .. } => {
            table.shoe.is_cut = true;
            table.ready_if_prepared();
        }
        Fact::Burned { count, cards } => {
            cards.iter().for_each(|card| table.shoe.read(*card));
            table.shoe.left = table.shoe.left.saturating_sub(u16::from(*count));
            table.shoe.burned += u16::from(*count);
            table.shoe.is_burned = true;
            table.ready_if_prepared();
        }
        Fact::CutCardOut { rounds_left } => {
            table.shoe.cut_card_out = true;
            table.shoe.rounds_left = Some(*rounds_left);
        }
        Fact::LastHand { next } => {
            table.round.last |= !*next;
            table.shoe.rounds_left = Some(u8::from(*next));
        }
        Fact::ShoeCounted { .. } => {}
        Fact::ShoeJudged(fate) => {
            table.shoe.judge(*fate, &event.cites);
            table.note_unfit();
        }
        Fact::ShoePlayedOut => table.shoe.played_out = true,
        Fact::ShoeFoundEmpty => table.shoe.found_empty = true,
        Fact::ShoeEnded => table.stage = Stage::ShoeEnd,

        Fact::BetsOpened { round } => {
            table.begin_round(*round, false);
            table.stage = Stage::Betting { again: false };
        }
        Fact::BetsClosed { squeezers, .. } => {
            table.stage = Stage::Playing;
            table.round.squeezers = *squeezers;
            table.round.asked_to_reduce = false;
        }
        Fact::Placed { player, bet, amount, area, reserve, untimed, .. } => {
            table.place(*player, *bet, *area, *amount, *reserve, *untimed);
        }
        Fact::TakenBack { player, bet, area, amount, reserve } => {
            table.place(*player, *bet, *area, -*amount, -*reserve, false);
        }
        Fact::AskedToReduce { .. } => table.round.asked_to_reduce = true,
        Fact::LiftedLate { .. } => {}
        Fact::AreasLimited(most) => table.area_limit = Some(*most),

        Fact::FreeHandBegan { round } => {
            table.begin_round(*round, true);
            table.next.free = false;
            table.stage = Stage::Playing;
        }
        Fact::Drawn { card, side, misplaced, exposed, source } => {
            table.round.begun = true;
            table.take_from(*source, *card);
            let dealt =
                Dealt { card: *card, side: *side, misplaced: *misplaced, exposed: *exposed, stand_in: false };
            table.round.draws.push(dealt);
            table.round.read_hands();
        }
        Fact::SurplusDrawn { card, on, exposed } => {
            table.take_from(Source::Shoe, *card);
            table.round.surplus.push(Stray { card: *card, on: *on, exposed: *exposed });
        }
        Fact::StrayDrawn { card, on, exposed } => {
            table.take_from(Source::Shoe, *card);
            let stray = Stray { card: *card, on: *on, exposed: *exposed };
            if matches!(table.stage, Stage::Betting { .. } | Stage::Playing) {
                table.round.begun = true;
                table.round.waiting.push(stray);
            } else {
                table.next.carried.push(stray);
            }
        }
        Fact::WaitingSurplus => {
            let waiting = core::mem::take(&mut table.round.waiting);
            table.round.surplus.extend(waiting);
        }
        Fact::TogetherWait { cards } => {
            let exposed = !table.deals_face_down();
            for card in cards {
                table.take_from(Source::Together, Some(*card));
                table.round.waiting.push(Stray { card: Some(*card), on: None, exposed });
            }
        }
        Fact::CarriedWait => {
            let carried = core::mem::take(&mut table.next.carried);
            table.round.waiting.extend(carried);
        }
        Fact::TakenUp { from } => table.take_up(*from),
        Fact::SurplusPlaced { on, exposed } => {
            // What was seen as it was drawn is left over for the next hand already.
            let placed = table.round.surplus.iter().any(|surplus| surplus.on.is_none());
            let carried = table.next.carried.iter_mut().filter(|_| !placed);
            for stray in carried.filter(|stray| stray.on.is_none()) {
                stray.on = Some(*on);
            }
            for surplus in table.round.surplus.iter_mut().filter(|surplus| surplus.on.is_none()) {
                surplus.on = Some(*on);
                surplus.exposed = *exposed;
            }
            // What follows from the place is told next.
            table.end_hold_on(Irregularity::SurplusOnPlayer);
        }
        Fact::ForeignDrawn { .. } => {
            table.round.begun = true;
            table.shoe.foreign += 1;
            table.shoe.discarded += 1;
        }
        Fact::DrawnTogether { cards, .. } => {
            table.round.begun = true;
            cards.iter().for_each(|card| table.take_from(Source::Shoe, Some(*card)));
            table.round.together.extend(cards);
        }
        Fact::Corrected { draw, card, because } => {
            let at = usize::from(*draw).saturating_sub(1);
            let seen = table.card_out(at).filter(|(_, exposed)| *exposed).and_then(|(was, _)| was);
            table.note_correction((Some(*draw), None), seen, *card, because.as_deref());
            if let Some(wrong) = table.put_right(at, *card) {
                table.shoe.unreckon(wrong);
                table.shoe.reckon(*card);
            }
            if table.stage == Stage::Playing && at < table.round.draws.len() {
                table.round.outcome = None;
                table.round.window = None;
                table.round.read_hands();
            }
        }
        Fact::OpensFirst(side) => table.round.opens_first = Some(*side),
        Fact::Revealed { side, told, .. } => table.reveal(|dealt| dealt.side == *side, told),
        Fact::CardShown { draw } => table.show(usize::from(*draw).saturating_sub(1)),
        Fact::Totals { .. } => {}
        Fact::Decided(outcome) => table.round.outcome = Some(*outcome),
        // The cards decide, whatever is called or shown.
        Fact::Called { call, .. } => table.round.called = Some(*call),
        Fact::Displayed { shown, .. } => table.round.displayed = Some(*shown),

        Fact::WagerEnded { wager, settled, reserve } => table.end_wager(*wager, settled, reserve.as_ref()),
        Fact::InsuranceEnded { insurance, settled } => {
            if let Some(laid) = table.round.insurances.get_mut(*insurance) {
                laid.ended = Some(settled.clone());
                let player = laid.player;
                table.pay(player, settled);
            }
        }
        Fact::Warned { player } => table.change(*player, |player| player.warned = true),
        Fact::CommissionCollected { player, amount } => {
            table.settle_with(*player, |player| {
                player.chips = player.chips - *amount;
                player.owes = player.owes - *amount;
            });
            table.float += *amount;
        }
        Fact::RoundClosed { mark, after } => table.close_round(*mark, *after),

        Fact::MethodChosen(method) => {
            table.method = Some(*method);
            if *method != Method::C {
                table.device = None;
                table.may_draw = None;
            }
        }
        Fact::SqueezeAsked { player } => table.round.asked.push(*player),
        Fact::SqueezeRefused { player, side, next } => {
            table.round.refused.push((*player, *side));
            table.round.squeezers[place(*side)] = *next;
        }
        Fact::SqueezeForbidden { player } => {
            table.round.forbidden.push(*player);
            for squeezer in &mut table.round.squeezers {
                *squeezer = squeezer.filter(|squeezer| squeezer != player);
            }
        }
        Fact::SqueezerNamed { player, side } => table.name_squeezer(*player, *side),
        Fact::DeviceTaken { player } => {
            table.device = Some(*player);
            table.round.absent.retain(|absent| absent != player);
        }
        Fact::DrawingPermitted { player } => table.may_draw = Some(*player),
        Fact::DeviceFree { .. } => {
            table.device = None;
            table.may_draw = None;
        }
        Fact::HandPassed { side, to, .. } => table.round.squeezers[place(*side)] = *to,

        Fact::InsuranceDue { stage, line } => {
            table.round.window = Some(InsuranceWindow { stage: *stage, line: *line, offered: false });
        }
        Fact::InsuranceOffered { stage, line, .. } => {
            table.round.window = Some(InsuranceWindow { stage: *stage, line: *line, offered: true });
            table.round.missed = false;
        }
        Fact::Insured { player, line, side, amount } => {
            table.settle_with(*player, |player| player.chips = player.chips - *amount);
            table.round.insurances.push(InsuranceLaid {
                player: *player,
                line: *line,
                side: *side,
                stake: *amount,
                ended: None,
            });
        }
        Fact::InsuranceClosed { forgone } => {
            table.round.lapsed.extend(forgone);
            table.round.end_window();
        }
        Fact::InsuranceMissed { .. } => {
            table.round.missed = true;
            table.round.end_window();
        }
        Fact::InsuranceSwitched { on, .. } => {
            table.insurance_on = *on;
            table.players.iter_mut().for_each(|player| player.accepted_notice = !*on);
        }
        Fact::BankerShownFirst { .. } => table.round.banker_first = true,

        Fact::Irregular { irregularity, about, told, found } => {
            table.hold_for(*irregularity, *about, told, *found);
        }
        // Nothing is on hold for a card that was seen in the shoe: what would have followed does not.
        Fact::Retracted if table.hold.is_none() => {
            table.round.next_seen = false;
            table.next.free &= !table.next.carried.is_empty();
        }
        Fact::FindingPending { by } => table.hold.iter_mut().for_each(|hold| hold.pending = Some(*by)),
        Fact::FindingConfirmed { .. } => table.hold.iter_mut().for_each(|hold| hold.pending = None),
        Fact::Retracted | Fact::Resumed => table.end_hold(),
        Fact::Ruled { remedy, with_withdrawal, order, player, only, reason, .. } => {
            if let Some(hold) = &mut table.hold {
                hold.ruling = Some(crate::command::RulingMade {
                    remedy: *remedy,
                    with_withdrawal: *with_withdrawal,
                    order: order.clone(),
                    player: *player,
                    only: only.clone(),
                    reason: reason.clone(),
                });
                hold.sorting = *remedy == croupier_rules::Remedy::Substitute;
            }
        }
        Fact::OptionOpened { players } => {
            if let Some(hold) = &mut table.hold {
                hold.answers = players.iter().map(|player| (*player, None)).collect();
            }
        }
        Fact::Answered { player, withdraw } => {
            let answers = table.hold.iter_mut().flat_map(|hold| &mut hold.answers);
            for (_, answer) in answers.filter(|(known, _)| known == player) {
                *answer = Some(*withdraw);
            }
        }
        Fact::OptionClosed => table.keep_choice(),
        Fact::Rebuilt => {
            table.round.draws.iter_mut().for_each(|dealt| dealt.misplaced = None);
        }
        Fact::TurnedFree => table.round.free = true,
        Fact::NextIsFree => table.next.free = true,
        Fact::BettingAbandoned => {
            // The Free Hand takes its place in the shoe.
            if let Some(left) = &mut table.shoe.rounds_left {
                *left = left.saturating_add(1);
            }
            table.round.closed = Some(Mark::Void);
            table.stage = Stage::Ready;
            // What is out already begins it.
            let waiting = core::mem::take(&mut table.round.waiting);
            table.next.carried.extend(waiting);
            table.drop_earlier_holds();
        }
        Fact::TogetherSurplus { card, exposed } => {
            table.take_from(Source::Together, Some(*card));
            table.round.surplus.push(Stray { card: Some(*card), on: Some(Side::Player), exposed: *exposed });
        }
        Fact::CardsCarried { free } => {
            table.next.free |= *free;
            let cards = core::mem::take(&mut table.round.surplus);
            table.next.carried.extend(cards);
        }
        Fact::SurplusDiscarded => {
            table.shoe.discard(table.round.surplus.len() + table.next.carried.len());
            table.round.surplus.clear();
            table.next.carried.clear();
        }
        Fact::CardsReturned => {
            table.put_back();
            table.drop_earlier_holds();
        }
        Fact::DealDiscarded => {
            table.discard_cards();
            table.round.draws.clear();
            table.round.read_hands();
            table.round.outcome = None;
            table.round.windows_over = [false; 2];
            table.round.opens_first = None;
            table.round.refused.clear();
            table.round.away = [None; 2];
            table.round.choices.clear();
            table.stage = Stage::Betting { again: true };
            table.drop_earlier_holds();
        }
        Fact::ShoeChoiceDue => {
            table.round.shoe_choice = true;
            table.shoe.unburned_known = true;
        }
        Fact::ShoeChosen { player, replace } => {
            table.round.shoe_choices.retain(|(known, _)| known != player);
            table.round.shoe_choices.push((*player, *replace));
        }
        Fact::ShoeChoiceMade { replace } => {
            if *replace {
                table.shoe.judge(ShoeFate::Replace, &event.cites);
            }
            table.stage = Stage::Ready;
        }
        Fact::TwoHeld(cards) => {
            cards.iter().for_each(|card| table.take_from(Source::Shoe, Some(*card)));
            table.round.held = cards.to_vec();
        }
        Fact::MissingFound { .. } => {}
        Fact::StoodIn { cards } => {
            let mut cards = cards.iter();
            for dealt in table.round.draws.iter_mut().filter(|dealt| dealt.card.is_none()) {
                dealt.card = cards.next().copied();
                dealt.exposed = true;
                dealt.stand_in = true;
                if let Some(card) = dealt.card {
                    table.shoe.read(card);
                }
            }
            table.round.read_hands();
        }

        Fact::PacketStray { cards, .. } => {
            cards.iter().for_each(|card| table.come_out(*card));
            if matches!(table.stage, Stage::Betting { .. } | Stage::Playing) {
                table.round.boxes.dead.extend(cards);
            } else {
                table.shoe.discard(cards.len());
            }
        }
        Fact::HandCorrected { holder, from, to, because } => {
            let seen = table.round.boxes.dealer_open.then_some(*from);
            table.note_correction((None, Some(*holder)), seen, *to, because.as_deref());
            table.round.boxes.correct(*holder, *from, *to);
            table.shoe.unreckon(Some(*from));
            table.shoe.reckon(*to);
        }
        Fact::PacketDealt { to, cards } => {
            let early = crate::decide::count::due_before(table, *to).is_some();
            if early && !table.round.boxes.early.contains(to) {
                table.round.boxes.early.push(*to);
            }
            table.round.begun = true;
            table.round.boxes.came_late |= table.round.boxes.counted;
            table.round.boxes.counted = false;
            cards.iter().for_each(|card| table.come_out(*card));
            match table.round.boxes.hands.iter_mut().find(|dealt| dealt.holder == *to) {
                Some(dealt) => dealt.cards.extend(cards),
                None => table.round.boxes.hands.push(HandDealt {
                    holder: *to,
                    cards: cards.clone(),
                    set_as: None,
                }),
            }
        }
        Fact::CountRight => {
            table.round.boxes.counted = true;
            table.round.boxes.came_late = false;
        }
        Fact::Redealt { hands, dead } => {
            let hand = |(holder, cards): &(_, Vec<Card>)| HandDealt {
                holder: *holder,
                cards: cards.clone(),
                set_as: None,
            };
            table.round.boxes.hands = hands.iter().map(hand).collect();
            table.round.boxes.early.clear();
            table.round.boxes.dead.extend(dead);
        }
        Fact::CardsDead { box_number } => {
            let boxes = &mut table.round.boxes;
            let holder = crate::command::Holder::Box(*box_number);
            for dealt in boxes.hands.iter().filter(|dealt| dealt.holder == holder) {
                boxes.dead.extend(&dealt.cards);
            }
            boxes.hands.retain(|dealt| dealt.holder != holder);
            boxes.early.retain(|early| *early != holder);
        }
        Fact::BoxVoided { box_number } => {
            let boxes = &mut table.round.boxes;
            boxes.voided.push(*box_number);
            let holder = crate::command::Holder::Box(*box_number);
            for dealt in boxes.hands.iter().filter(|dealt| dealt.holder == holder) {
                boxes.dead.extend(&dealt.cards);
            }
            boxes.hands.retain(|dealt| dealt.holder != holder);
            boxes.early.retain(|early| *early != holder);
        }
        Fact::Handled { .. } => table.round.boxes.handled = true,
        Fact::OrderLostOnLayout => table.round.boxes.cannot_rebuild = true,
        Fact::HandSet { holder, set_as } => {
            for dealt in table.round.boxes.hands.iter_mut().filter(|dealt| dealt.holder == *holder) {
                dealt.set_as = Some(*set_as);
            }
        }
        Fact::HandRanked { .. } | Fact::Compared { .. } => {}
        Fact::DealerOpened => table.round.boxes.dealer_open = true,
        Fact::BoxesRestricted { player } => {
            // What lies already stays; it holds for every box laid from now on.
            let now = table.round.number;
            table.change(*player, |player| player.one_box_from = Some(now));
        }
        Fact::HandlingStopped { player } => table.change(*player, |player| player.barred = true),
        Fact::Lifted { player, bar: Bar::Squeezing } => table.round.forbidden.retain(|other| other != player),
        Fact::Lifted { player, bar: Bar::SeveralBoxes } => {
            table.change(*player, |player| player.one_box_from = None);
        }
        Fact::Lifted { player, bar: Bar::Handling } => table.change(*player, |player| player.barred = false),
        Fact::Incident { what, player } if what == Fact::ABSENT => table.round.absent.extend(*player),
        Fact::Incident { .. } => {}
    }
}

impl Table {
    /// The player, who comes to the table if not there yet.
    fn enter(&mut self, id: PlayerId) -> &mut Player {
        let at = match self.players.iter().position(|player| player.id == id) {
            Some(at) => at,
            None => {
                self.players.push(Player {
                    id,
                    seat: None,
                    behind: None,
                    chips: Amount::ZERO,
                    warned: false,
                    accepted_notice: self.insurance_on || !self.setup.insurance,
                    one_box_from: None,
                    barred: false,
                    owes: Amount::ZERO,
                });
                self.players.len() - 1
            }
        };
        &mut self.players[at]
    }

    fn change(&mut self, id: PlayerId, change: impl FnOnce(&mut Player)) {
        if let Some(player) = self.players.iter_mut().find(|player| player.id == id) {
            change(player);
        }
    }

    /// Money of a wager, or of what came of one: it belongs to somebody at the table, and nobody has less than none.
    fn settle_with(&mut self, id: PlayerId, change: impl FnOnce(&mut Player)) {
        let found = self.players.iter_mut().find(|player| player.id == id);
        let player = certain(found, "money of a player who is not at the table");
        change(player);
        assert!(player.chips >= Amount::ZERO, "a player has fewer chips than none");
    }

    fn ready_if_prepared(&mut self) {
        let missing = self.shoe.missing(self.setup.burn, self.setup.cut_card.is_some());
        if self.stage == Stage::Shoe && missing.is_none() {
            self.stage = Stage::Ready;
        }
    }

    fn begin_round(&mut self, number: u64, free: bool) {
        let liability = self.setup.cover.none();
        // A round has about as many wagers as the one before.
        let wagers = Arc::new(Vec::with_capacity(self.round.wagers.len()));
        self.round = Round { number, free, liability, wagers, method: self.method, ..Round::default() };
        if self.shoe.fate == ShoeFate::MayReplace {
            self.shoe.fate = ShoeFate::Keep;
            self.shoe.fate_cites.clear();
        }
        if let Some(left) = &mut self.shoe.rounds_left {
            *left = left.saturating_sub(1);
        }
    }

    /// Adds to a wager, or takes from it if below zero.
    fn place(
        &mut self,
        player: PlayerId,
        bet: usize,
        area: Option<u8>,
        amount: Amount,
        reserve: Amount,
        untimed: bool,
    ) {
        self.settle_with(player, |player| player.chips = player.chips - amount - reserve);
        let by_box = self.setup.by_box();
        let same = |laid: &Laid| {
            laid.ended.is_none() && laid.player == player && laid.bet == bet && (!by_box || laid.area == area)
        };
        self.round.placements += 1;
        let since = self.round.placements;
        let wagers = Arc::make_mut(&mut self.round.wagers);
        let (before, after) = match wagers.iter_mut().find(|laid| same(laid)) {
            Some(laid) => {
                let before = laid.stake;
                laid.change(amount, since);
                laid.reserve += reserve;
                laid.untimed |= untimed;
                (before, laid.stake)
            }
            None => {
                wagers.push(Laid {
                    player,
                    bet,
                    area,
                    stake: amount,
                    reserve,
                    untimed,
                    since,
                    before: Vec::new(),
                    ended: None,
                });
                (Amount::ZERO, amount)
            }
        };
        if after == Amount::ZERO {
            wagers.retain(|laid| !same(laid));
        }
        // Money above the maximum is not in action.
        let maximum = self.setup.terms.limit(bet).maximum.unwrap_or(Amount::MAX);
        let change = after.min(maximum) - before.min(maximum);
        self.setup.cover.add(&mut self.round.liability, bet, change);
        if let Some(side) = self.main_side(bet) {
            let total = &mut self.round.totals[place(side)];
            *total += amount;
        }
    }

    fn end_wager(&mut self, at: usize, settled: &Settled, reserve: Option<&SettledReserve>) {
        let laid =
            certain(Arc::make_mut(&mut self.round.wagers).get_mut(at), "a wager ends that was not laid");
        laid.ended = Some((settled.clone(), reserve.cloned()));
        let (player, bet, stake) = (laid.player, laid.bet, laid.stake);
        self.pay(player, settled);
        if let Some(reserve) = reserve {
            self.settle_with(player, |player| player.chips += reserve.returned);
            self.float += reserve.lost;
        }
        // What goes back before the result no longer counts.
        if self.round.outcome.is_none() {
            let maximum = self.setup.terms.limit(bet).maximum.unwrap_or(Amount::MAX);
            self.setup.cover.add(&mut self.round.liability, bet, -stake.min(maximum));
            if let Some(side) = self.main_side(bet) {
                let total = &mut self.round.totals[place(side)];
                *total = *total - stake;
            }
        }
    }

    fn pay(&mut self, player: PlayerId, settled: &Settled) {
        let owed = self.setup.commission_at_shoe_end;
        self.settle_with(player, |player| {
            player.chips = player.chips + settled.returned + settled.winnings;
            if owed {
                player.chips += settled.commission;
                player.owes += settled.commission;
            }
        });
        self.float = self.float + settled.collected - settled.winnings;
        if owed {
            self.float = self.float - settled.commission;
        }
    }

    /// Takes a card from where it lay.
    fn take_from(&mut self, source: Source, card: Option<Card>) {
        match source {
            Source::Shoe => {
                self.shoe.left = self.shoe.left.saturating_sub(1);
                // If the next card was seen, this is it.
                self.round.next_seen = false;
                self.shoe.found_empty = false;
                if let Some(card) = card {
                    self.shoe.read(card);
                }
            }
            Source::Carried => {
                if !self.next.carried.is_empty() {
                    self.next.carried.remove(0);
                }
            }
            Source::Waiting => {
                if !self.round.waiting.is_empty() {
                    self.round.waiting.remove(0);
                }
            }
            Source::Held => {
                if !self.round.held.is_empty() {
                    self.round.held.remove(0);
                }
            }
            // Two of them may be equal.
            Source::Together => {
                if let Some(at) = self.round.together.iter().position(|known| Some(*known) == card) {
                    self.round.together.remove(at);
                }
            }
        }
    }

    /// Opens the hidden cards of the round that `which` names.
    fn reveal(&mut self, which: impl Fn(&Dealt) -> bool, told: &[Card]) {
        let mut told = told.iter();
        let shoe = &mut self.shoe;
        for dealt in self.round.draws.iter_mut().filter(|dealt| which(dealt)) {
            if dealt.card.is_none() {
                dealt.card = told.next().copied();
                if let Some(card) = dealt.card {
                    shoe.unreckon(None);
                    shoe.reckon(card);
                }
            }
            dealt.exposed |= dealt.card.is_some();
        }
        self.round.read_hands();
    }

    /// Everything on the table goes to the discard holder.
    fn discard_cards(&mut self) {
        let round = &mut self.round;
        let boxes = &mut round.boxes;
        let own = round.draws.iter().filter(|dealt| !dealt.stand_in).count();
        let in_boxes: usize = boxes.hands.iter().map(|dealt| dealt.cards.len()).sum();
        let all =
            own + round.surplus.len() + round.together.len() + round.held.len() + in_boxes + boxes.dead.len();
        self.shoe.discard(all + round.waiting.len());
        round.surplus.clear();
        round.waiting.clear();
        round.together.clear();
        round.held.clear();
        round.window = None;
    }

    fn close_round(&mut self, mark: Mark, after: After) {
        // The cards are gone, but the last round stays to be looked at.
        self.discard_cards();
        self.round.closed = Some(mark);
        // A shoe from which no card came is still a new one.
        self.shoe.rounds += u32::from(self.round.begun);
        self.hold = None;
        Arc::make_mut(&mut self.board).push(mark);
        self.stage = match after {
            After::Ready => Stage::Ready,
            After::ShoeOption => Stage::ShoeOption,
            After::ShoeEnd => Stage::ShoeEnd,
        };
    }
}
