//! Baccarat dealt fast: the shoe as ranks, six draws from one random word, the drawing rules as tables.
//!
//! Six cards are always drawn and as many used as the rules call for. A card drawn and not used goes on
//! lying where it is, which leaves the order of the shoe as random as it was; so does starting a round from
//! the order in which the round before left the full shoe. Nothing is ever put back into order.

use croupier_cards::{Decks, Rank};
use croupier_rules::baccarat::Outcome;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::cards::{CardCounts, RANK, codes};
use super::random::{SixDraws, generator};
use super::tables::{CELLS, Landing, Tables};
use super::{CutCard, Tally};

/// Places of a shoe in memory: a draw is below 1,024 and at most five places further on.
const PLACES: usize = 1024 + 8;
/// Shoes dealt side by side, so that the processor works on one while another waits for its cards.
const LANES: usize = 4;

type Stack = [u8; PLACES];

/// Deals rounds, each from a full shoe.
pub(crate) struct Rounds {
    tables: Tables,
    stack: Box<Stack>,
    six: SixDraws,
}

impl Rounds {
    pub(crate) fn new(decks: Decks) -> Self {
        Self { tables: Tables::new(), stack: Box::new(stack(decks)), six: SixDraws::new(decks.cards()) }
    }

    /// The same with cards in the place of ranks.
    pub(crate) fn of_cards(decks: Decks) -> Self {
        Self { stack: Box::new(filled(codes(decks))), ..Self::new(decks) }
    }

    /// One chunk of rounds.
    pub(crate) fn chunk(&self, seed: u64, chunk: u64, rounds: u64) -> Tally {
        let mut generator = generator(seed, chunk);
        let mut stack = *self.stack;
        let mut cells = Box::new([0_u32; CELLS]);
        for _ in 0..rounds {
            let ranks = take_six(&mut stack, 0, self.six.draw(&mut generator));
            cells[self.tables.landing(ranks).cell] += 1;
        }
        tally(&self.tables, &cells, 0)
    }

    /// One chunk of rounds of [`Rounds::of_cards`].
    pub(crate) fn chunk_of_cards(
        &self,
        seed: u64,
        chunk: u64,
        rounds: u64,
        counts: &CardCounts<'_>,
    ) -> Tally {
        let mut generator = generator(seed, chunk);
        let mut stack = *self.stack;
        let mut tally = Tally::new(counts.size());
        for _ in 0..rounds {
            let codes = take_six(&mut stack, 0, self.six.draw(&mut generator));
            let landing = self.tables.landing(codes.map(|code| code & RANK));
            if let Some(outcome) = self.tables.class(landing.cell) {
                counts.count(codes, outcome, &mut tally.histogram);
            }
        }
        Tally { rounds, ..tally }
    }
}

/// Deals whole shoes to the cut card.
pub(crate) struct Shoes {
    tables: Tables,
    stack: Box<Stack>,
    /// The draws that shuffle the shoe as far as it can be played, six places at a time.
    shuffle: Vec<(usize, SixDraws)>,
    /// How many cards are burned, by the rank of the first.
    burn: [usize; 13],
    /// How many cards lie before the cut card.
    before: usize,
    rounds_after: u32,
}

/// A shoe in play.
#[derive(Clone)]
pub(crate) struct Lane {
    stack: Stack,
    next: usize,
    rounds_left: u32,
    empty: bool,
}

impl Shoes {
    /// `cut` must have been checked against the decks.
    pub(crate) fn new(decks: Decks, cut: CutCard) -> Self {
        let cards = decks.cards();
        let played = (cut.before(decks) + cut.needed()).min(cards);
        // The last six places are shuffled again where the number of places is no multiple of six.
        let shuffle = (0..played)
            .step_by(6)
            .map(|place| place.min(cards - 6))
            .map(|place| (place, SixDraws::new(cards - place)))
            .collect();
        Self {
            tables: Tables::new(),
            stack: Box::new(stack(decks)),
            shuffle,
            burn: Rank::ALL.map(|first| usize::try_from(cut.burn.cards(first)).unwrap_or(usize::MAX)),
            before: cut.before(decks),
            rounds_after: cut.rounds_after,
        }
    }

    /// The same with cards in the place of ranks.
    pub(crate) fn of_cards(decks: Decks, cut: CutCard) -> Self {
        Self { stack: Box::new(filled(codes(decks))), ..Self::new(decks, cut) }
    }

    /// One chunk of shoes of [`Shoes::of_cards`].
    pub(crate) fn chunk_of_cards(&self, seed: u64, chunk: u64, shoes: u64, counts: &CardCounts<'_>) -> Tally {
        let mut generator = generator(seed, chunk);
        let mut lane = self.empty_lane();
        let mut tally = Tally::new(counts.size());
        for _ in 0..shoes {
            lane.empty = true;
            while {
                if let Some((codes, outcome)) = self.next_cards(&mut lane, &mut generator) {
                    counts.count(codes, outcome, &mut tally.histogram);
                    tally.rounds += 1;
                }
                !lane.empty
            } {}
        }
        Tally { shoes, ..tally }
    }

    /// One chunk of shoes.
    pub(crate) fn chunk(&self, seed: u64, chunk: u64, shoes: u64) -> Tally {
        let mut generator = generator(seed, chunk);
        let mut cells = Box::new([0_u32; CELLS]);
        let mut lanes: Box<[Lane; LANES]> = Box::new(core::array::from_fn(|_| self.empty_lane()));
        let mut to_load = shoes;
        let mut load = |lane: &mut Lane| {
            if to_load == 0 {
                lane.empty = true;
            } else {
                to_load -= 1;
                self.load(lane, &mut generator);
            }
            lane.empty
        };
        // While there is a shoe for every lane, they take turns. Where each stands is kept apart from the
        // cards, so that it stays in registers.
        let mut any_empty = lanes.iter_mut().fold(false, |any, lane| load(lane) | any);
        let mut next = lanes.each_ref().map(|lane| lane.next);
        while !any_empty {
            let mut farthest = 0;
            for (lane, next) in lanes.iter().zip(&mut next) {
                let landing = self.tables.landing(six_from(&lane.stack, *next));
                cells[landing.cell] += 1;
                *next += landing.cards;
                farthest = farthest.max(*next);
            }
            if farthest > self.before {
                for (lane, next) in lanes.iter_mut().zip(&mut next) {
                    lane.next = *next;
                    if self.is_last(lane) {
                        any_empty |= load(lane);
                        *next = lane.next;
                    }
                }
            }
        }
        for (lane, next) in lanes.iter_mut().zip(next).filter(|(lane, _)| !lane.empty) {
            lane.next = next;
            while !self.round(lane, &mut cells) {}
        }
        tally(&self.tables, &cells, shoes)
    }

    /// A lane to be loaded.
    pub(crate) fn empty_lane(&self) -> Lane {
        Lane { stack: *self.stack, next: 0, rounds_left: 0, empty: true }
    }

    /// A new shoe, shuffled.
    pub(crate) fn load(&self, lane: &mut Lane, generator: &mut Xoshiro256PlusPlus) {
        lane.stack = *self.stack;
        for (place, six) in &self.shuffle {
            take_six(&mut lane.stack, *place, six.draw(generator));
        }
        lane.next = self.burn[usize::from(lane.stack[0] & RANK) % 13];
        lane.rounds_left = self.rounds_after;
        lane.empty = false;
    }

    /// Deals and counts one round; answers whether it was the shoe's last.
    fn round(&self, lane: &mut Lane, cells: &mut [u32; CELLS]) -> bool {
        let (cell, last) = self.deal(lane);
        cells[cell] += 1;
        last
    }

    fn deal(&self, lane: &mut Lane) -> (usize, bool) {
        let landing = self.tables.landing(six_from(&lane.stack, lane.next));
        lane.next += landing.cards;
        (landing.cell, self.is_last(lane))
    }

    /// Whether the round just dealt was the shoe's last; to be asked once after each.
    fn is_last(&self, lane: &mut Lane) -> bool {
        // The cut card comes out ahead of the first card behind it.
        if lane.next <= self.before {
            return false;
        }
        let last = lane.rounds_left == 0;
        lane.rounds_left = lane.rounds_left.saturating_sub(1);
        last
    }

    /// [`Shoes::next`] from a shoe of cards: the six that were drawn, of which the last two may go unused.
    pub(crate) fn next_cards(
        &self,
        lane: &mut Lane,
        generator: &mut Xoshiro256PlusPlus,
    ) -> Option<([u8; 6], Outcome)> {
        if lane.empty {
            self.load(lane, generator);
        }
        let codes = six_from(&lane.stack, lane.next);
        let Landing { cell, cards } = self.tables.landing(codes.map(|code| code & RANK));
        lane.next += cards;
        lane.empty = self.is_last(lane);
        Some((codes, self.tables.class(cell)?))
    }

    /// Deals one round from the lane, from a new shoe where the last round has been dealt.
    pub(crate) fn next(&self, lane: &mut Lane, generator: &mut Xoshiro256PlusPlus) -> Option<Outcome> {
        if lane.empty {
            self.load(lane, generator);
        }
        let (cell, last) = self.deal(lane);
        lane.empty = last;
        self.tables.class(cell)
    }
}

/// All cards of the decks as ranks; the places behind are never drawn.
fn stack(decks: Decks) -> Stack {
    let ranks = (0..decks.number()).flat_map(|_| Rank::ALL.repeat(4));
    filled(ranks.map(|rank| u8::try_from(rank.index()).unwrap_or(u8::MAX)))
}

fn filled(cards: impl Iterator<Item = u8>) -> Stack {
    let mut stack = [0; PLACES];
    stack.iter_mut().zip(cards).for_each(|(place, card)| *place = card);
    stack
}

/// The six cards from a place on.
#[inline(always)]
fn six_from(stack: &Stack, place: usize) -> [u8; 6] {
    let place = place & 1023;
    let at = |drawn| stack[place + drawn];
    [at(0), at(1), at(2), at(3), at(4), at(5)]
}

/// Brings the cards with these numbers, counted among those not drawn yet, to the six places from `first` on.
#[inline(always)]
fn take_six(stack: &mut Stack, first: usize, numbers: [usize; 6]) -> [u8; 6] {
    let mut ranks = [0; 6];
    for drawn in 0..6 {
        let place = (first & 511) + drawn;
        let other = ((first + numbers[drawn]) & 1023) + drawn;
        ranks[drawn] = stack[other];
        stack[other] = stack[place];
        stack[place] = ranks[drawn];
    }
    ranks
}

fn tally(tables: &Tables, cells: &[u32; CELLS], shoes: u64) -> Tally {
    let mut tally = Tally::new(Outcome::COUNT);
    tables.fold(cells, &mut tally.histogram);
    tally.rounds = tally.histogram.iter().sum();
    tally.shoes = shoes;
    tally
}
