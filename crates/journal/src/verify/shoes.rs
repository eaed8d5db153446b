//! Shoes shuffled by software: every card that came out must be the one at its place in the order committed to.
//!
//! The order is known only when a shoe is shown, so until then the cards are noted with their places.

use std::collections::BTreeMap;

use croupier_cards::{Card, Commitment, Composition, Decks, Root};
use croupier_table::event::Source;
use croupier_table::{Fact, Table};

use crate::deed::{RevealShoe, ShownCard};

/// The shoes of a table that were committed to and not shown yet.
#[derive(Default)]
pub(super) struct Shoes {
    open: BTreeMap<u32, Noted>,
    /// Where in the shoe the draws of the round were, as far as they came from it.
    draws: Vec<Option<usize>>,
    /// Shoes shown and found right.
    pub(super) checked: u64,
}

/// A shoe and what came out of it.
struct Noted {
    root: Root,
    cards: usize,
    above: usize,
    seen: Vec<Seen>,
    is_shown: bool,
}

/// A card that lay at one of `among` places from `place` on; nearly always at one.
struct Seen {
    place: usize,
    among: usize,
    card: Card,
    sequence: u64,
    position: u64,
}

/// What is wrong with a shoe.
pub(super) enum Wrong {
    /// The line that shows it.
    Reveal(String),
    /// An earlier line, by its sequence and position.
    Earlier(u64, u64, String),
}

impl Shoes {
    /// Notes the cards of an event that is about to be applied.
    pub(super) fn before(
        &mut self,
        table: &Table,
        fact: &Fact,
        (sequence, position): (u64, u64),
    ) -> Result<(), String> {
        let Some(shoe) = self.open.get_mut(&table.shoe.number) else { return Ok(()) };
        let out = shoe.cards.saturating_sub(usize::from(table.shoe.left));
        let mut note = |place: usize, among: usize, card: Card| {
            shoe.seen.push(Seen { place, among, card, sequence, position });
        };
        let place = |out: usize| (shoe.above + out) % shoe.cards.max(1);
        let mut taken = true;
        match fact {
            Fact::Burned { count, cards } => {
                let whole = cards.len() == usize::from(*count);
                for (at, card) in cards.iter().enumerate() {
                    if whole {
                        note(place(out + at), 1, *card);
                    } else {
                        note(place(out), usize::from(*count), *card);
                    }
                }
            }
            Fact::Drawn { card, source, .. } => {
                taken = *source == Source::Shoe;
                self.draws.push(taken.then(|| place(out)));
                if let Some(card) = card.filter(|_| taken) {
                    note(place(out), 1, card);
                }
            }
            Fact::SurplusDrawn { card, .. } | Fact::StrayDrawn { card, .. } | Fact::ForeignDrawn { card } => {
                card.iter().for_each(|card| note(place(out), 1, *card));
            }
            Fact::DrawnTogether { cards, order_known } => {
                for (at, card) in cards.iter().enumerate() {
                    if *order_known {
                        note(place(out + at), 1, *card);
                    } else {
                        note(place(out), cards.len(), *card);
                    }
                }
            }
            Fact::PacketDealt { cards, .. } | Fact::PacketStray { cards, .. } => {
                cards.iter().enumerate().for_each(|(at, card)| note(place(out + at), 1, *card));
            }
            Fact::TwoHeld(cards) => {
                cards.iter().enumerate().for_each(|(at, card)| note(place(out + at), 1, *card));
            }
            Fact::Revealed { side, told, .. } => {
                taken = false;
                let unread = table.round.draws.iter().zip(&self.draws);
                let unread = unread.filter(|(dealt, _)| dealt.side == *side && dealt.card.is_none());
                for ((_, place), card) in unread.zip(told) {
                    if let Some(place) = place {
                        note(*place, 1, *card);
                    }
                }
            }
            Fact::Corrected { draw, card, .. } => {
                taken = false;
                let draw = usize::from(*draw).saturating_sub(1);
                if let Some(place) = self.draws.get(draw).copied().flatten() {
                    // What was keyed in before was a mistake.
                    shoe.seen.retain(|seen| seen.among != 1 || seen.place != place);
                    shoe.seen.push(Seen { place, among: 1, card: *card, sequence, position });
                }
            }
            Fact::Cut { above, .. } => {
                taken = false;
                shoe.above = usize::from(above.unwrap_or(0));
            }
            _ => taken = false,
        }
        if taken && shoe.is_shown {
            return Err(format!("a card came out of shoe {} after all of it was shown", table.shoe.number));
        }
        Ok(())
    }

    /// Follows an event that was applied.
    pub(super) fn after(&mut self, table: &Table, fact: &Fact) {
        if let Fact::ShoeLoaded { number, commitment, .. } = fact {
            self.draws.clear();
            self.open.retain(|_, shoe| !shoe.is_shown);
            if let Some(root) = commitment {
                let shoe = Noted {
                    root: Root::from_bytes(*root),
                    cards: usize::from(table.shoe.left),
                    above: 0,
                    seen: Vec::new(),
                    is_shown: false,
                };
                self.open.insert(*number, shoe);
            }
        }
        self.draws.truncate(table.round.draws.len());
    }

    /// A shoe is shown: it must be the one committed to, and every card that came out must lie at its place.
    pub(super) fn reveal(&mut self, decks: u8, reveal: &RevealShoe) -> Result<(), Wrong> {
        let number = reveal.shoe;
        let Some(shoe) = self.open.get_mut(&number).filter(|shoe| !shoe.is_shown) else {
            let what =
                format!("shows shoe {number}, for which there is no commitment, or which was shown before");
            return Err(Wrong::Reveal(what));
        };
        let cards: Vec<Card> = reveal.cards.iter().map(|ShownCard(card, _)| *card).collect();
        let salts = reveal.cards.iter().map(|ShownCard(_, salt)| salt.clone()).collect();
        let root = Commitment::new(cards.clone(), salts).map(|commitment| commitment.root());
        if root.ok() != Some(shoe.root) {
            let what = format!("shows a shoe {number} that is not the one committed to");
            return Err(Wrong::Reveal(what));
        }
        if !are_decks(&cards, decks) {
            let what = format!("shows a shoe {number} that is not made of whole decks");
            return Err(Wrong::Reveal(what));
        }
        shoe.check(number, &cards)?;
        shoe.is_shown = true;
        shoe.seen = Vec::new();
        self.checked += 1;
        Ok(())
    }

    /// The shoes before the one in play that were never shown.
    pub(super) fn unshown(&self, in_play: u32) -> impl Iterator<Item = u32> {
        self.open
            .iter()
            .filter(move |(number, shoe)| **number < in_play && !shoe.is_shown)
            .map(|(number, _)| *number)
    }
}

impl Noted {
    fn check(&self, number: u32, cards: &[Card]) -> Result<(), Wrong> {
        let mut used: Vec<(u64, usize)> = Vec::new();
        for seen in &self.seen {
            let places = (seen.place..seen.place + seen.among).map(|place| place % self.cards.max(1));
            let free = |place: &usize| seen.among == 1 || !used.contains(&(seen.position, *place));
            let lies = |place: &usize| cards.get(*place) == Some(&seen.card);
            match places.clone().filter(free).find(lies) {
                Some(place) => used.extend((seen.among > 1).then_some((seen.position, place))),
                None => {
                    let there = cards.get(seen.place).map(ToString::to_string).unwrap_or_default();
                    let what = format!(
                        "takes {} out of shoe {number}, and the shoe committed to has {there} in place {}",
                        seen.card,
                        seen.place + 1
                    );
                    return Err(Wrong::Earlier(seen.sequence, seen.position, what));
                }
            }
        }
        Ok(())
    }
}

fn are_decks(cards: &[Card], decks: u8) -> bool {
    let mut found = Composition::EMPTY;
    let all = cards.iter().all(|card| found.add(*card).is_ok());
    all && Decks::new(decks).is_ok_and(|decks| Composition::of_decks(decks) == found)
}
