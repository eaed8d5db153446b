//! A simulated electronic shoe that makes the mistakes that real ones and their Dealers make. It reports through the
//! same function as a device on the network.

use std::sync::{Arc, Mutex, PoisonError};

use croupier_cards::{Card, Composition, Decks};
use croupier_ledger::TableId;
use croupier_rules::baccarat::Side;
use croupier_rules::niu_niu::{Category, Hand};
use croupier_table::command::Holder;
use croupier_table::view::{DealerView, DrawOffer, Felt, ReportKind};

use croupier_server::clock;
use croupier_server::device::{Devices, NotTaken, Report, Signal, Taken};
use croupier_server::floor::Floor;
use croupier_server::table::TableHandle;

use crate::dice::Dice;

/// How often each mistake is made, in a thousand cards; for a surplus card, in a thousand rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mistakes {
    /// A card is laid on the wrong hand.
    pub wrong_hand: u16,
    /// Two cards come out together, and their order is known.
    pub together_in_order: u16,
    /// Two cards come out together, and their order is not known.
    pub together: u16,
    /// A card cannot be read.
    pub unreadable: u16,
    /// The device is jammed.
    pub jam: u16,
    /// The count of the cards left is wrong.
    pub miscount: u16,
    /// A card is drawn although the hands are complete.
    pub surplus: u16,
    /// The device must be reset.
    pub reset: u16,
    /// The power fails.
    pub power: u16,
    /// The answer is lost, and the report is sent again.
    pub repeated: u16,
    /// A report overtakes the one before it.
    pub out_of_order: u16,
}

impl Mistakes {
    /// None at all.
    pub const NONE: Self = Self {
        wrong_hand: 0,
        together_in_order: 0,
        together: 0,
        unreadable: 0,
        jam: 0,
        miscount: 0,
        surplus: 0,
        reset: 0,
        power: 0,
        repeated: 0,
        out_of_order: 0,
    };

    /// Now and then, for a demonstration: something every few minutes.
    pub const SOMETIMES: Self = Self {
        wrong_hand: 8,
        together_in_order: 4,
        together: 4,
        unreadable: 10,
        jam: 2,
        miscount: 1,
        surplus: 20,
        reset: 2,
        power: 1,
        repeated: 20,
        out_of_order: 10,
    };

    /// All the time, for a test.
    pub const OFTEN: Self = Self {
        wrong_hand: 30,
        together_in_order: 20,
        together: 20,
        unreadable: 40,
        jam: 12,
        miscount: 8,
        surplus: 80,
        reset: 12,
        power: 8,
        repeated: 100,
        out_of_order: 100,
    };
}

/// What a simulated shoe has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Reports that were taken.
    pub taken: u64,
    /// Reports that the table refused.
    pub refused: u64,
    /// Cards laid on the wrong hand.
    pub wrong_hand: u64,
    /// Cards drawn together, in a known order.
    pub together_in_order: u64,
    /// Cards drawn together, in no known order.
    pub together: u64,
    /// Cards that could not be read.
    pub unreadable: u64,
    /// Jams.
    pub jam: u64,
    /// Wrong counts.
    pub miscount: u64,
    /// Cards drawn when the hands were complete.
    pub surplus: u64,
    /// Resets.
    pub reset: u64,
    /// Power failures.
    pub power: u64,
    /// Reports sent again and answered as before.
    pub repeated: u64,
    /// Reports sent too early and refused for that.
    pub out_of_order: u64,
    /// Answers that a device could not work with: there should be none.
    pub wrong_answers: u64,
}

/// What whoever stands at the table can look at, and the views do not show: cards that lie face down.
#[derive(Clone, Debug, Default)]
pub struct OnTheTable {
    together: Arc<Mutex<Vec<Card>>>,
}

impl OnTheTable {
    /// The cards that were drawn together last.
    #[must_use]
    pub fn together(&self) -> Vec<Card> {
        self.together.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lay_together(&self, cards: &[Card]) {
        *self.together.lock().unwrap_or_else(PoisonError::into_inner) = cards.to_vec();
    }
}

/// A shoe with real cards in it.
#[derive(Debug)]
pub struct SimulatedShoe {
    table: TableId,
    dice: Dice,
    /// Together with its number it fixes the order of a shoe, so that a restart finds the same cards in it.
    seed: u64,
    mistakes: Mistakes,
    decks: Decks,
    /// Where the cut card lies, in cards from the end.
    cut_card: Option<u16>,
    /// All cards of the shoe in play, in the order they come out.
    cards: Vec<Card>,
    /// Which shoe of the table they are.
    number: u32,
    /// The number of the next report.
    sequence: u64,
    /// The round that the unread cards and packets belong to.
    round: u64,
    unread: Vec<(Side, Card)>,
    packets: Vec<(Holder, Vec<Card>)>,
    on_the_table: OnTheTable,
    tally: Tally,
}

/// What came of a report.
#[derive(Clone, Debug)]
pub enum Dealt {
    /// It was taken.
    Taken(Taken),
    /// The table did not take it.
    Not(NotTaken),
}

impl SimulatedShoe {
    /// The shoe of a table; its reports go on where the last one of that table ended.
    pub async fn new(devices: &Devices, table: &TableHandle, seed: u64, mistakes: Mistakes) -> Self {
        Self {
            table: table.id,
            // The mistakes need not be the same again.
            dice: Dice::seeded(seed ^ clock::now()),
            seed,
            mistakes,
            decks: Decks::new(table.setup.decks).unwrap_or(Decks::ONE),
            cut_card: table.setup.cut_card,
            cards: Vec::new(),
            number: 0,
            sequence: devices.expected(table.id).await,
            round: 0,
            unread: Vec::new(),
            packets: Vec::new(),
            on_the_table: OnTheTable::default(),
            tally: Tally::default(),
        }
    }

    /// What it has done so far.
    #[must_use]
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// What can be looked at on the table.
    #[must_use]
    pub fn on_the_table(&self) -> OnTheTable {
        self.on_the_table.clone()
    }

    /// The last cards of a hand that could not be read, in draw order, for the Dealer who opens it. Those before
    /// them were named when the hand was opened the first time.
    #[must_use]
    pub fn unread(&self, side: Side, count: usize) -> Vec<Card> {
        let unread = self.unread.iter().filter(|(on, _)| *on == side).map(|(_, card)| *card);
        let unread: Vec<Card> = unread.collect();
        unread.get(unread.len().saturating_sub(count)..).unwrap_or_default().to_vec()
    }

    /// What a hand of Niu Niu is, for the Dealer who sets it.
    #[must_use]
    pub fn category(&self, holder: Holder) -> Option<Category> {
        let (_, cards) = self.packets.iter().rev().find(|(to, _)| *to == holder)?;
        let cards = <[Card; 5]>::try_from(cards.as_slice()).ok()?;
        Some(Hand::new(cards).category())
    }

    /// Lets the next card come out.
    pub async fn draw(
        &mut self,
        floor: &Floor,
        devices: &Devices,
        view: DealerView<'_>,
        offer: DrawOffer,
    ) -> Dealt {
        self.look(view.felt);
        let signal = self.next_signal(view, offer);
        let dealt = self.send(floor, devices, signal.clone()).await;
        if let (Dealt::Taken(_), Some(side)) = (&dealt, offer.side) {
            match signal {
                Signal::Unreadable { .. } => {
                    let unread = self.at(view.felt, 0);
                    self.unread.extend(unread.map(|card| (side, card)));
                }
                Signal::DoubleRead { cards, .. } => self.on_the_table.lay_together(&cards),
                Signal::CardRead { .. }
                | Signal::PacketRead { .. }
                | Signal::CutCard
                | Signal::CountMismatch { .. }
                | Signal::Empty
                | Signal::Jam
                | Signal::Reset { .. }
                | Signal::PowerLost => {}
            }
        }
        dealt
    }

    /// A card too many, now and then, when the hands are complete.
    pub async fn overdraw(&mut self, floor: &Floor, devices: &Devices, felt: &Felt) -> Option<Dealt> {
        self.look(felt);
        if !self.happens(self.mistakes.surplus) {
            return None;
        }
        let card = self.at(felt, 0)?;
        let laid = [Some(Side::Player), Some(Side::Banker), None];
        let laid = self.dice.choose(&laid).copied().flatten();
        let exposed = self.dice.once_in(2);
        let dealt = self.send(floor, devices, Signal::CardRead { card, laid, exposed }).await;
        self.tally.surplus += u64::from(matches!(dealt, Dealt::Taken(_)));
        Some(dealt)
    }

    /// Deals a packet of Niu Niu.
    pub async fn deal(&mut self, floor: &Floor, devices: &Devices, felt: &Felt, to: Holder) -> Dealt {
        self.look(felt);
        let cards: Vec<Card> = (0..5).map_while(|at| self.at(felt, at)).collect();
        let signal = match self.trouble() {
            Some(signal) => signal,
            None => Signal::PacketRead { to, cards: cards.clone() },
        };
        let dealt = self.send(floor, devices, signal.clone()).await;
        if let (Dealt::Taken(_), Signal::PacketRead { .. }) = (&dealt, signal) {
            self.packets.push((to, cards));
        }
        dealt
    }

    /// Takes over which shoe is in, and which round is played.
    fn look(&mut self, felt: &Felt) {
        if felt.shoe.number != self.number {
            self.number = felt.shoe.number;
            self.cards = Composition::of_decks(self.decks).cards().collect();
            let seed = Dice::seeded(self.seed ^ u64::from(self.number)).next();
            Dice::seeded(seed).shuffle(&mut self.cards);
        }
        if felt.round != self.round || felt.draws.is_empty() && felt.hands.is_empty() {
            self.round = felt.round;
            self.unread.clear();
            self.packets.clear();
        }
    }

    /// The card that comes out after as many others. Burned cards are out, returned cards are in again on top.
    fn at(&self, felt: &Felt, after: usize) -> Option<Card> {
        let out = self.cards.len().checked_sub(usize::from(felt.shoe.left))?;
        self.cards.get(out + after).copied()
    }

    fn happens(&mut self, in_a_thousand: u16) -> bool {
        self.dice.below(1_000) < u64::from(in_a_thousand)
    }

    /// The next thing that happens when a card is due.
    fn next_signal(&mut self, view: DealerView<'_>, offer: DrawOffer) -> Signal {
        let felt = view.felt;
        let Some(card) = self.at(felt, 0) else { return Signal::Empty };
        let cut_card = self.cut_card.is_some_and(|behind| felt.shoe.left <= behind);
        if cut_card && felt.shoe.rounds_left.is_none() {
            return Signal::CutCard;
        }
        if let Some(signal) = self.trouble() {
            return signal;
        }
        if view.desk.reports.contains(ReportKind::DeviceReset) && self.happens(self.mistakes.reset) {
            self.tally.reset += 1;
            return Signal::Reset { dealer_error: self.dice.once_in(2) };
        }
        if self.happens(self.mistakes.miscount) {
            self.tally.miscount += 1;
            return Signal::CountMismatch { left: felt.shoe.left.saturating_sub(1) };
        }
        let second = self.at(felt, 1);
        let in_order = self.happens(self.mistakes.together_in_order);
        if let (Some(second), true) = (second, in_order || self.happens(self.mistakes.together)) {
            let tally = if in_order { &mut self.tally.together_in_order } else { &mut self.tally.together };
            *tally += 1;
            return Signal::DoubleRead { cards: vec![card, second], order_known: in_order };
        }
        if self.happens(self.mistakes.unreadable) {
            self.tally.unreadable += 1;
            return Signal::Unreadable { laid: None };
        }
        let wrong = offer.side.map(|side| match side {
            Side::Player => Side::Banker,
            Side::Banker => Side::Player,
        });
        let laid = wrong.filter(|_| self.happens(self.mistakes.wrong_hand));
        self.tally.wrong_hand += u64::from(laid.is_some());
        Signal::CardRead { card, laid, exposed: false }
    }

    /// What goes wrong with any device.
    fn trouble(&mut self) -> Option<Signal> {
        if self.happens(self.mistakes.jam) {
            self.tally.jam += 1;
            return Some(Signal::Jam);
        }
        if self.happens(self.mistakes.power) {
            self.tally.power += 1;
            return Some(Signal::PowerLost);
        }
        None
    }

    /// Sends a report, over a line that is as bad as the mistakes say.
    async fn send(&mut self, floor: &Floor, devices: &Devices, signal: Signal) -> Dealt {
        if self.happens(self.mistakes.out_of_order) {
            let early = Report { sequence: self.sequence + 1, signal: signal.clone() };
            match devices.report(floor, self.table, &early).await {
                Err(NotTaken::Gap { expected, .. }) if expected == self.sequence => {
                    self.tally.out_of_order += 1;
                }
                Ok(_) | Err(_) => self.tally.wrong_answers += 1,
            }
        }
        let report = Report { sequence: self.sequence, signal };
        match devices.report(floor, self.table, &report).await {
            Ok(taken) => {
                self.tally.taken += 1;
                if self.happens(self.mistakes.repeated) {
                    match devices.report(floor, self.table, &report).await {
                        Ok(again) if again == taken => self.tally.repeated += 1,
                        Ok(_) | Err(_) => self.tally.wrong_answers += 1,
                    }
                }
                self.sequence = taken.next;
                Dealt::Taken(taken)
            }
            Err(NotTaken::Gap { expected, .. } | NotTaken::Used { expected, .. }) => {
                // Somebody else has reported for this table; the next one is right.
                self.tally.wrong_answers += 1;
                self.sequence = expected;
                Dealt::Not(NotTaken::Gap { sequence: report.sequence, expected })
            }
            Err(not_taken) => {
                self.tally.refused += 1;
                Dealt::Not(not_taken)
            }
        }
    }
}
