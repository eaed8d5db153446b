//! Cards that change their place: out of the shoe, into hands and out of them again.

use croupier_cards::Card;
use croupier_rules::baccarat::Deal;

use crate::certain::certain;
use crate::command::Holder;
use crate::event::{Justified, Source};
use crate::table::{Correction, Dealt, Round, Shoe, Stage, Stray, Table};

impl Table {
    /// The cards from this draw on belong to no hand for now; each lies where it lay.
    pub(super) fn take_up(&mut self, from: u8) {
        let round = &mut self.round;
        let at = usize::from(from).saturating_sub(1).min(round.draws.len());
        let up = round.draws.split_off(at);
        let lies = |dealt: &Dealt| dealt.misplaced.unwrap_or(dealt.side);
        let stray = |dealt: &Dealt| Stray { card: dealt.card, on: Some(lies(dealt)), exposed: dealt.exposed };
        round.waiting.splice(0..0, up.iter().map(stray));
        // What was left over for the next hand is not, if this one takes it. It came before what is left over now.
        if !self.next.carried.is_empty() {
            round.waiting.append(&mut self.next.carried);
            self.next.free = false;
        }
        round.waiting.append(&mut round.surplus);
        round.outcome = None;
        round.read_hands();
    }

    /// A card by its number from 0, with whether people see it: the draws of the round, then those that wait for their
    /// place, those drawn together, and those that belong to no hand.
    pub(crate) fn card_out(&self, at: usize) -> Option<(Option<Card>, bool)> {
        // The cards of a round that is settled stand as they were settled.
        let playing = self.stage == Stage::Playing;
        let draws = self.round.draws.iter().filter(|_| playing).map(|dealt| (dealt.card, dealt.exposed));
        let apart = |strays: &[Stray]| -> Vec<(Option<Card>, bool)> {
            strays.iter().map(|stray| (stray.card, stray.exposed)).collect()
        };
        let open = !self.deals_face_down();
        let together = self.round.together.iter().map(|card| (Some(*card), open));
        draws
            .chain(apart(&self.round.waiting))
            .chain(together)
            .chain(apart(&self.round.surplus))
            .chain(apart(&self.next.carried))
            .nth(at)
    }

    /// A card that is out, by its number from 0 ([`Table::card_out`]), is this one; the answer is what it was taken for.
    pub(super) fn put_right(&mut self, at: usize, card: Card) -> Option<Option<Card>> {
        let draws = if self.stage == Stage::Playing { self.round.draws.len() } else { 0 };
        if let Some(dealt) = self.round.draws.get_mut(at).filter(|_| at < draws) {
            return Some(dealt.card.replace(card));
        }
        let (waiting, together) = (self.round.waiting.len(), self.round.together.len());
        let at = at - draws;
        if let Some(known) = at.checked_sub(waiting).and_then(|at| self.round.together.get_mut(at)) {
            let wrong = core::mem::replace(known, card);
            self.put_right_in_rulings(wrong, card);
            return Some(Some(wrong));
        }
        let at = if at < waiting { at } else { at - together };
        let round = &mut self.round;
        let mut strays = round.waiting.iter_mut().chain(&mut round.surplus).chain(&mut self.next.carried);
        strays.nth(at).map(|stray| stray.card.replace(card))
    }

    /// People see a card that is out, by its number from 0 ([`Table::card_out`]).
    pub(super) fn show(&mut self, at: usize) {
        let round = &mut self.round;
        let draws = if self.stage == Stage::Playing { round.draws.len() } else { 0 };
        let Some(at) = at.checked_sub(draws) else {
            if let Some(dealt) = round.draws.get_mut(at) {
                dealt.exposed |= dealt.card.is_some();
            }
            return;
        };
        // Those drawn together lie between the ones that wait and the ones left over.
        let (waiting, together) = (round.waiting.len(), round.together.len());
        let at = if at < waiting { Some(at) } else { at.checked_sub(together).filter(|at| *at >= waiting) };
        let mut strays = round.waiting.iter_mut().chain(&mut round.surplus).chain(&mut self.next.carried);
        if let Some(stray) = at.and_then(|at| strays.nth(at)) {
            stray.exposed |= stray.card.is_some();
        }
    }

    /// A card that people had seen as another is put right: the round bears the mark.
    pub(super) fn note_correction(
        &mut self,
        (draw, holder): (Option<u8>, Option<Holder>),
        was: Option<Card>,
        card: Card,
        because: Option<&Justified>,
    ) {
        let Some(was) = was.filter(|was| *was != card) else { return };
        let after_result = self.has_result();
        let because = because.cloned().map(Box::new);
        self.round.corrections.push(Correction { draw, holder, was, card, after_result, because });
    }

    /// What is out of the round goes back to the front of the shoe.
    pub(super) fn put_back(&mut self) {
        let round = &mut self.round;
        let draws = core::mem::take(&mut round.draws).into_iter().map(|dealt| dealt.card);
        let together = core::mem::take(&mut round.together).into_iter().map(Some);
        let waiting = core::mem::take(&mut round.waiting).into_iter().map(|stray| stray.card);
        let back: Vec<Option<Card>> = draws.chain(together).chain(waiting).collect();
        for card in &back {
            if let Some(card) = card {
                self.shoe.unread(*card);
            }
            self.shoe.left += 1;
        }
        self.shoe.front.splice(0..0, back);
        self.shoe.is_burned = false;
        self.shoe.unburned_known = false;
        round.opened = [false; 2];
        round.read_hands();
        round.outcome = None;
    }

    /// A ruling that has fixed the order of cards drawn together names the card as it is.
    fn put_right_in_rulings(&mut self, wrong: Card, card: Card) {
        let mut hold = self.hold.as_mut();
        while let Some(known) = hold {
            let named =
                known.ruling.iter_mut().flat_map(|made| &mut made.order).find(|named| **named == wrong);
            if let Some(named) = named {
                *named = card;
            }
            hold = known.earlier.as_deref_mut();
        }
    }
}

impl Round {
    /// The hands, as far as the cards are known.
    pub(crate) fn read_hands(&mut self) {
        let mut deal = Deal::default();
        for dealt in &self.draws {
            match dealt.card {
                Some(card) if deal.draw(card).is_ok() => {}
                Some(_) | None => break,
            }
        }
        self.deal = deal;
    }

    pub(super) fn end_window(&mut self) {
        if let Some(window) = self.window.take() {
            let at = match window.stage {
                croupier_rules::baccarat::insurance::Stage::FourCards => 0,
                croupier_rules::baccarat::insurance::Stage::PlayerThird => 1,
            };
            self.windows_over[at] = true;
        }
    }
}

impl Table {
    /// A card comes out: of the shoe, or one of which none can be left in it.
    pub(super) fn come_out(&mut self, card: Card) {
        if self.shoe.unread.count(card) > 0 {
            self.take_from(Source::Shoe, Some(card));
        } else {
            self.shoe.reckon(card);
        }
    }
}

impl Shoe {
    /// A card that is out is this one: of those that were loaded, or one too many.
    pub(super) fn reckon(&mut self, card: Card) {
        if self.unread.remove(card).is_ok() {
            self.left = self.left.saturating_sub(1);
        } else {
            self.foreign += 1;
            self.foreign_dealt.push(card);
        }
    }

    /// A card that is out is another than was thought, or was not read: it is reckoned anew.
    pub(super) fn unreckon(&mut self, wrong: Option<Card>) {
        let foreign = self.foreign_dealt.iter().position(|known| Some(*known) == wrong);
        if let Some(at) = foreign {
            self.foreign_dealt.remove(at);
            self.foreign = self.foreign.saturating_sub(1);
        } else {
            self.left += 1;
            if let Some(wrong) = wrong {
                self.unread(wrong);
            }
        }
    }

    /// The cards at the front are burned first: of those that are known it is known, as far as nobody tells otherwise.
    pub(super) fn burn_front(&mut self, count: u8, told: &[Card]) {
        let mut untold = usize::from(count).saturating_sub(told.len());
        let mut told = told.to_vec();
        let at = self.front.len().min(usize::from(count));
        let gone: Vec<Card> = self.front.drain(..at).flatten().collect();
        for card in gone {
            if let Some(at) = told.iter().position(|known| *known == card) {
                told.remove(at);
            } else if untold > 0 {
                untold -= 1;
                self.read(card);
            }
        }
    }

    pub(super) fn read(&mut self, card: Card) {
        // A card that is not there was found foreign before.
        let _ = self.unread.remove(card);
    }

    pub(super) fn unread(&mut self, card: Card) {
        let _ = self.unread.add(card);
    }

    pub(super) fn discard(&mut self, cards: usize) {
        self.discarded += certain(u16::try_from(cards).ok(), "more cards than ten decks have");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// HB-Q20: what was taken back is burned first, told or not.
    #[test]
    fn what_was_taken_back_is_burned_first() {
        let [nine, two, king] = ["9C", "2D", "KH"].map(|text| text.parse().unwrap());
        let check = |count: u8, told: &[Card], gone: &[Card], left: usize| {
            let mut shoe = Shoe::loaded(1, 1, None, None);
            shoe.front = vec![Some(nine), None, Some(two)];
            shoe.burn_front(count, told);
            let read: Vec<Card> =
                [nine, two, king].into_iter().filter(|card| shoe.unread.count(*card) == 0).collect();
            assert_eq!((read.as_slice(), shoe.front.len()), (gone, left), "{count} {told:?}");
        };
        check(0, &[], &[], 3);
        check(1, &[], &[nine], 2);
        check(2, &[], &[nine], 1);
        check(3, &[], &[nine, two], 0);
        check(4, &[], &[nine, two], 0);
        // Cards that are told are read by themselves.
        check(1, &[nine], &[], 2);
        check(1, &[king], &[], 2);
        check(3, &[king], &[nine, two], 0);
        check(3, &[king, nine], &[two], 0);
    }
}
