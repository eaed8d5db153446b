//! What must hold after every command: the cards and the money are all there, and what belongs together is
//! together.

use std::collections::BTreeMap;

use croupier_cards::{Card, Composition, Decks};
use croupier_table::{Event, Fact, Phase, Table};

use super::tally::Tally;

/// Books of its own, kept from the events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    /// Money that came to the table less what left it.
    brought: i128,
    /// Cards of this shoe whose faces were read.
    read: BTreeMap<Card, i32>,
    /// Cards that left with a player.
    gone: u16,
    /// Cards that cannot have been loaded.
    foreign: u16,
    /// Those of them that lie in hands.
    too_many: BTreeMap<Card, i32>,
    /// How many of each card were loaded.
    decks: i32,
    /// Cards left over that the next hand must begin with.
    carried: Vec<Option<Card>>,
}

fn minor(amount: croupier_rules::Amount) -> i128 {
    amount.minor().into()
}

impl Watch {
    /// Follows one event; the table is as it was before it.
    pub(crate) fn follow(&mut self, before: &Table, event: &Event) {
        match &event.fact {
            Fact::Filled { amount, .. } | Fact::BoughtIn { amount, .. } => self.brought += minor(*amount),
            Fact::Credited { amount, .. } => self.brought -= minor(*amount),
            Fact::DropCounted { amount } => {
                assert_eq!(*amount, before.drop);
                self.brought -= minor(*amount);
            }
            Fact::TipsPaid { amount } => {
                assert_eq!(*amount, before.tips);
                self.brought -= minor(*amount);
            }
            Fact::Left { player, chips } => {
                assert_eq!(before.player(*player).map(|player| player.chips), Some(*chips));
                self.brought -= minor(*chips);
            }
            Fact::ShoeLoaded { .. } => {
                self.read.clear();
                self.too_many.clear();
                self.decks = before.setup.decks.into();
                (self.gone, self.foreign) = (0, 0);
                self.carried.clear();
            }
            Fact::Burned { count, cards } => {
                // What was taken back is burned first, as far as nobody tells otherwise.
                let front = before.shoe.front.iter().take(usize::from(*count)).flatten().copied();
                let mut told = cards.clone();
                let known = front.filter(|card| {
                    let at = told.iter().position(|other| other == card);
                    at.map(|at| told.remove(at)).is_none()
                });
                let known: Vec<Card> = known.collect();
                let untold = usize::from(*count) - cards.len();
                self.see(cards.iter().chain(known.iter().take(untold)));
            }
            Fact::Drawn { card, source: croupier_table::event::Source::Shoe, .. } => self.see(card),
            Fact::Drawn { card, source: croupier_table::event::Source::Carried, .. } => {
                assert_eq!(*card, self.carried.remove(0), "the next hand begins with another card");
            }
            Fact::CardsCarried { .. } => {
                self.carried.extend(before.round.surplus.iter().map(|stray| stray.card));
            }
            Fact::SurplusDiscarded => self.carried.clear(),
            Fact::BetsOpened { .. } => assert!(!before.next.free, "betting opens for a Free Hand"),
            Fact::SurplusDrawn { card, .. } => self.see(card),
            Fact::StrayDrawn { card, .. } => {
                self.see(card);
                // Between two rounds it is one of the next.
                let between = before.round.closed.is_some() || before.round.number == 0;
                if between {
                    self.carried.push(*card);
                }
            }
            // A hand takes them after all, or they wait for it.
            Fact::CarriedWait | Fact::TakenUp { .. } => self.carried.clear(),
            Fact::BettingAbandoned => {
                self.carried.extend(before.round.waiting.iter().map(|stray| stray.card));
            }
            Fact::PacketStray { cards, .. } => self.see(cards),
            Fact::HandCorrected { from, to, .. } => {
                self.unsee([*from]);
                self.see([to]);
            }
            Fact::DrawnTogether { cards, .. } | Fact::PacketDealt { cards, .. } => self.see(cards),
            Fact::TwoHeld(cards) => self.see(cards),
            Fact::Revealed { told, .. } => self.see(told),
            Fact::StoodIn { cards } => {
                self.see(cards);
                self.gone += u16::try_from(cards.len()).unwrap();
            }
            Fact::Corrected { draw, card, .. } => {
                let round = &before.round;
                let draws = round.draws.iter().filter(|_| round.closed.is_none()).map(|dealt| dealt.card);
                let together = round.together.iter().map(|card| Some(*card));
                let waiting = round.waiting.iter().map(|stray| stray.card);
                let surplus = round.surplus.iter().map(|stray| stray.card);
                let strays = waiting.chain(together).chain(surplus);
                let (place, apart) = (usize::from(*draw) - 1, draws.clone().count() + strays.clone().count());
                let carried = before.next.carried.iter().map(|stray| stray.card);
                let wrong = draws.chain(strays).chain(carried).nth(place).unwrap();
                if place >= apart {
                    self.carried[place - apart] = Some(*card);
                }
                self.unsee(wrong);
                self.see([card]);
            }
            Fact::CardsReturned => {
                let strays = before.round.waiting.iter().filter_map(|stray| stray.card);
                let draws = before.round.draws.iter().filter_map(|dealt| dealt.card);
                let together = before.round.together.iter().copied();
                let cards: Vec<Card> = draws.chain(together).chain(strays).collect();
                self.unsee(cards);
            }
            Fact::ForeignDrawn { .. } => self.foreign += 1,
            Fact::WagerEnded { wager, reserve, .. } => {
                let laid = &before.round.wagers[*wager];
                let reserve = reserve.as_ref().map_or(0, |reserve| {
                    assert!(reserve.lost.minor() >= 0 && reserve.returned.minor() >= 0);
                    reserve.laid.minor()
                });
                assert_eq!(reserve, laid.reserve.minor());
            }
            _ => {}
        }
    }

    fn see<'c>(&mut self, cards: impl IntoIterator<Item = &'c Card>) {
        for card in cards {
            let read = self.read.entry(*card).or_default();
            if *read < self.decks {
                *read += 1;
            } else {
                *self.too_many.entry(*card).or_default() += 1;
                self.foreign += 1;
            }
        }
    }

    fn unsee(&mut self, cards: impl IntoIterator<Item = Card>) {
        for card in cards {
            match self.too_many.get_mut(&card).filter(|count| **count > 0) {
                Some(count) => {
                    *count -= 1;
                    self.foreign -= 1;
                }
                None => *self.read.entry(card).or_default() -= 1,
            }
        }
    }

    /// Everything that can be seen from the table as it stands.
    pub(crate) fn check(&self, table: &Table, tally: &mut Tally) {
        self.check_money(table);
        self.cards_are_conserved(table, tally);
        check_round(table);
    }

    fn check_money(&self, table: &Table) {
        let players: i128 = table.players.iter().map(|player| minor(player.chips)).sum();
        let open = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
        let wagers: i128 = open.map(|laid| minor(laid.stake) + minor(laid.reserve)).sum();
        let insurances = table.round.insurances.iter().filter(|laid| laid.ended.is_none());
        let insurances: i128 = insurances.map(|laid| minor(laid.stake)).sum();
        let house = minor(table.float) + minor(table.drop) + minor(table.tips);
        assert_eq!(players + wagers + insurances + house, self.brought, "money is lost or found");
        for (what, amount) in [("float", table.float), ("drop", table.drop), ("tips", table.tips)] {
            assert!(amount.minor() >= 0, "{what} is {amount}");
        }
        for player in &table.players {
            assert!(player.chips.minor() >= 0, "player {} has {}", player.id.0, player.chips);
            assert!(player.owes.minor() >= 0, "player {} owes {}", player.id.0, player.owes);
        }
        for laid in table.round.wagers.iter() {
            assert!(laid.stake.is_positive() && laid.reserve.minor() >= 0, "a wager of {}", laid.stake);
        }
    }

    /// Invariant 1: shoe + burn + table + carried + discard = loaded cards, by identity.
    fn cards_are_conserved(&self, table: &Table, tally: &mut Tally) {
        let (shoe, round) = (&table.shoe, &table.round);
        if shoe.number == 0 {
            return;
        }
        let full = Composition::of_decks(Decks::new(table.setup.decks).unwrap());
        let open = round.closed.is_none();
        let own = round.draws.iter().filter(|dealt| open && !dealt.stand_in);
        let in_boxes: usize = round.boxes.hands.iter().map(|dealt| dealt.cards.len()).sum();
        let boxes = if open { in_boxes + round.boxes.dead.len() } else { 0 };
        let lying = own.clone().count()
            + round.surplus.len()
            + round.waiting.len()
            + round.together.len()
            + round.held.len()
            + table.next.carried.len()
            + boxes;
        let lying = u16::try_from(lying).unwrap();
        let all = shoe.left + shoe.burned + shoe.discarded + lying + self.gone;
        assert_eq!(all, full.len() + self.foreign, "cards are lost or found: {shoe:?}");
        assert_eq!(shoe.foreign, self.foreign);
        let carried: Vec<Option<Card>> = table.next.carried.iter().map(|stray| stray.card).collect();
        assert_eq!(carried, self.carried, "cards left over for the next hand");
        // By identity: what was read and what nobody has read make up the decks.
        for (card, count) in full.counts() {
            let read = self.read.get(&card).copied().unwrap_or(0);
            assert_eq!(i32::from(shoe.unread.count(card)) + read, i32::from(count), "{card}");
        }
        assert!(shoe.unread.len() >= shoe.left, "more cards in the shoe than nobody has read");
        // And everything that lies open was read.
        let mut seen: BTreeMap<Card, i32> = BTreeMap::new();
        let hands = round.boxes.hands.iter().filter(|_| open).flat_map(|dealt| dealt.cards.iter().copied());
        let known = own
            .filter_map(|dealt| dealt.card)
            .chain(
                round
                    .surplus
                    .iter()
                    .chain(&round.waiting)
                    .chain(&table.next.carried)
                    .filter_map(|stray| stray.card),
            )
            .chain(round.together.iter().chain(&round.held).copied())
            .chain(hands);
        known.for_each(|card| *seen.entry(card).or_default() += 1);
        for (card, count) in seen {
            let known = |cards: &BTreeMap<Card, i32>| cards.get(&card).copied().unwrap_or(0);
            assert!(count <= known(&self.read) + known(&self.too_many), "{card} lies there unread");
        }
        tally.held("cards are conserved", true);
    }
}

/// Whether it was told that cards lie in the wrong order, and not which: none of them decides a wager.
pub(crate) fn is_order_in_doubt(table: &Table) -> bool {
    let mut holds = core::iter::successors(table.hold.as_ref(), |hold| hold.earlier.as_deref());
    holds.any(|hold| hold.irregularity == croupier_rules::Irregularity::WrongOrder && !hold.found)
}

/// HB 4.9 to 4.17 in plain words: whether the cards decide.
pub(crate) fn is_decided(ranks: &[u8]) -> bool {
    let value = |at: usize| ranks[at].min(10) % 10;
    if ranks.len() < 4 {
        return false;
    }
    let (player, banker) = ((value(0) + value(2)) % 10, (value(1) + value(3)) % 10);
    if player >= 8 || banker >= 8 {
        return ranks.len() == 4;
    }
    if player >= 6 {
        return ranks.len() == if banker <= 5 { 5 } else { 4 };
    }
    if ranks.len() == 4 {
        return false;
    }
    let draws = match (banker, value(4)) {
        (0..=2, _) => true,
        (3, third) => third != 8,
        (4, third) => (2..=7).contains(&third),
        (5, third) => (4..=7).contains(&third),
        (6, third) => third == 6 || third == 7,
        _ => false,
    };
    ranks.len() == if draws { 6 } else { 5 }
}

/// What belongs together: phases, wagers and holds.
fn check_round(table: &Table) {
    let round = &table.round;
    let open = round.wagers.iter().any(|laid| laid.ended.is_none());
    let insured = round.insurances.iter().any(|laid| laid.ended.is_none());
    let between = matches!(
        table.phase(),
        Phase::ShoeLoaded
            | Phase::Ready
            | Phase::FreeHand
            | Phase::ShoeDecision
            | Phase::ShoeOption
            | Phase::ShoeEnd
            | Phase::TableClosed
    );
    assert!(!between || !open && !insured, "wagers are left over in phase {}", table.phase());
    assert!(!round.free || !open, "a Free Hand with wagers");
    for laid in round.wagers.iter() {
        assert!(laid.ended.is_some() || table.player(laid.player).is_some(), "a wager of somebody who left");
    }
    let totals = [0, 1].map(|at| {
        let main = round.wagers.iter().filter(|laid| laid.ended.is_none());
        let main = main.filter(|laid| table.main_side(laid.bet) == Some(super::any::SIDES[at]));
        main.map(|laid| minor(laid.stake)).sum::<i128>()
    });
    if round.closed.is_none() && round.outcome.is_none() {
        assert_eq!(totals, [minor(round.totals[0]), minor(round.totals[1])]);
    }
    let seats: Vec<u8> = table.players.iter().filter_map(|player| player.seat).collect();
    for (at, seat) in seats.iter().enumerate() {
        assert!(!seats[..at].contains(seat), "two players on seat {seat}");
    }
}
