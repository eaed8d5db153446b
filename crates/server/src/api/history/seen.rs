//! Which cards of a shoe in play people have seen, by their places in the order committed to.
//!
//! A card is counted as seen only where it lies open on the layout. What is burned, closed, held back, carried over
//! or back in the shoe stays out: it is shown when the shoe is over.

use std::collections::BTreeSet;

use croupier_cards::Card;
use croupier_journal::{BadRow, Kind, Replayed, Row};
use croupier_table::event::Source;
use croupier_table::{Fact, Table};

/// A table followed through its stream, with the places of the cards of its shoe.
#[derive(Debug)]
pub(super) struct Seen {
    replayed: Replayed,
    shoe: Shoe,
}

/// The shoe in play, and where its cards went.
#[derive(Debug, Default)]
struct Shoe {
    cards: usize,
    above: usize,
    /// The places of the draws of the round, as far as they came from the shoe.
    draws: Vec<Option<usize>>,
    /// The places of the cards of the packets of the round.
    packets: Vec<(Card, usize)>,
    seen: BTreeSet<usize>,
    /// It was loaded while it was watched, so that nothing is missing.
    is_whole: bool,
}

impl Seen {
    /// From the state of a table on.
    pub(super) fn new(replayed: Replayed) -> Self {
        let table = &replayed.table;
        let left = usize::from(table.shoe.left);
        // One that was just loaded: nothing of it is missing.
        let is_whole = table.shoe.number > 0 && left == usize::from(table.setup.decks) * 52;
        let shoe = match is_whole {
            true => Shoe { cards: left, above: usize::from(replayed.above), is_whole, ..Shoe::default() },
            false => Shoe::default(),
        };
        Self { replayed, shoe }
    }

    /// The line that it has followed.
    pub(super) const fn sequence(&self) -> u64 {
        self.replayed.head.sequence
    }

    /// The shoe in play and its number of cards.
    pub(super) const fn shoe(&self) -> (u32, usize) {
        (self.replayed.table.shoe.number, self.shoe.cards)
    }

    /// The cards above the cut.
    pub(super) const fn above(&self) -> usize {
        self.shoe.above
    }

    /// The commitment to the shoe in play.
    pub(super) const fn commitment(&self) -> Option<[u8; 32]> {
        self.replayed.table.shoe.commitment
    }

    /// The places seen, in the order of the places; nothing where the shoe was not followed from its loading on.
    pub(super) fn places(&self) -> Option<Vec<usize>> {
        self.shoe.is_whole.then(|| self.shoe.seen.iter().copied().collect())
    }

    /// Follows the next line of the stream.
    pub(super) fn follow(&mut self, row: &Row) -> Result<(), BadRow> {
        self.replayed.head = row.head();
        if row.kind != Kind::Table {
            return Ok(());
        }
        let events = row.table_events().map_err(|error| BadRow::new(row, error.to_string()))?;
        for event in &events {
            self.shoe.before(&self.replayed.table, &event.fact);
            self.replayed.apply(core::slice::from_ref(event));
            self.shoe.after(&self.replayed.table, &event.fact);
        }
        Ok(())
    }
}

impl Shoe {
    /// Notes the places of the cards that an event brings.
    fn before(&mut self, table: &Table, fact: &Fact) {
        let out = self.cards.saturating_sub(usize::from(table.shoe.left));
        let (above, cards) = (self.above, self.cards.max(1));
        let place = |out: usize| (above + out) % cards;
        match fact {
            Fact::Cut { above, .. } => self.above = usize::from(above.unwrap_or(0)),
            Fact::Drawn { source, .. } => self.draws.push((*source == Source::Shoe).then(|| place(out))),
            Fact::SurplusDrawn { exposed: true, .. } | Fact::StrayDrawn { exposed: true, .. } => {
                self.seen.insert(place(out));
            }
            Fact::PacketDealt { cards, .. } => {
                self.packets.extend(cards.iter().enumerate().map(|(at, card)| (*card, place(out + at))));
            }
            _ => {}
        }
    }

    /// Looks at what lies open after an event.
    fn after(&mut self, table: &Table, fact: &Fact) {
        if matches!(fact, Fact::ShoeLoaded { .. }) {
            *self = Self { cards: usize::from(table.shoe.left), is_whole: true, ..Self::default() };
        }
        let round = &table.round;
        self.draws.truncate(round.draws.len());
        for (dealt, place) in round.draws.iter().zip(&self.draws) {
            if dealt.exposed && !dealt.stand_in {
                self.seen.extend(*place);
            }
        }
        if round.boxes.hands.is_empty() {
            self.packets.clear();
        } else if round.boxes.dealer_open {
            // One deck: a card is only one card.
            let open = round.boxes.hands.iter().flat_map(|hand| &hand.cards);
            for card in open {
                self.seen
                    .extend(self.packets.iter().filter(|(known, _)| known == card).map(|(_, place)| *place));
            }
        }
    }
}
