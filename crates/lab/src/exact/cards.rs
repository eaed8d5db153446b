//! Bets that ask for cards, priced exactly by what they ask for.
//!
//! Cards that a bet treats alike are one kind, hands that it treats alike one state (see
//! [`Features`]). Six cards are always drawn, so every sequence counts once
//! and the total is that of the outcome classes.
//!
//! In how many ways two more cards come to something is a quadratic form of the counts of the kinds. Cards that
//! are out change it by differences (`Form::without`), so the Banker's hand is counted beside each of the
//! Player's, and the last two cards beside each pair of hands, without going through cards again.

use std::collections::BTreeMap;

use croupier_cards::{Card, Composition};
use croupier_rules::CardLines;
use croupier_rules::baccarat::features::Label;
use croupier_rules::baccarat::{Features, FinalHands, Side};

/// Prices one bet that asks for cards, for one composition after another.
#[derive(Clone, Debug)]
pub struct CardPricer {
    lines: usize,
    features: Features,
    /// The kind of each card among the first four, by its number, and how many kinds there are.
    kinds: Kinds,
    /// The same for the last two cards.
    thirds: Kinds,
    player: Hands,
    banker: Hands,
    /// For each state of the Player and each of the Banker the lines that the last two cards lead to.
    ends: Vec<End>,
}

/// Cards by kind.
#[derive(Clone, Debug)]
struct Kinds {
    of_card: [u8; Card::COUNT],
    /// One card of each kind.
    examples: Vec<Card>,
}

/// Two-card hands of one side, by group: those in the same state that take the same cards out.
#[derive(Clone, Debug)]
struct Hands {
    /// The group of a hand, by the kinds of its cards in order.
    group: Square,
    /// For each group its state and the kinds, as third cards, that it takes out.
    groups: Vec<(usize, [u8; 2])>,
    /// One hand of each state.
    states: Vec<[Card; 2]>,
}

/// A number for every two kinds, in order.
#[derive(Clone, Debug)]
struct Square {
    side: usize,
    of: Vec<u16>,
}

/// Where a round ends that starts with two hands.
#[derive(Clone, Debug)]
enum End {
    /// On the same line whatever comes.
    Line(usize),
    /// By the kinds of the fifth and sixth card.
    ByThirds(Square),
}

impl CardPricer {
    /// The pricer of a bet.
    #[must_use]
    pub fn new(pays: &CardLines) -> Self {
        let features = pays.features();
        let kinds = Kinds::new(|card| features.first_label(card));
        let thirds = Kinds::new(|card| features.third_label(card));
        let player = Hands::new(&features, Side::Player, &kinds, &thirds);
        let banker = Hands::new(&features, Side::Banker, &kinds, &thirds);
        let mut ends = Vec::with_capacity(player.states.len() * banker.states.len());
        for player in &player.states {
            ends.extend(banker.states.iter().map(|banker| End::new(pays, &thirds, *player, *banker)));
        }
        Self { lines: pays.lines().len(), features, kinds, thirds, player, banker, ends }
    }

    /// Whether suits make a difference.
    #[must_use]
    pub fn asks_suits(&self) -> bool {
        self.features.asks_suits()
    }

    /// How many six-card sequences end on each line. At least six cards must be left.
    #[must_use]
    pub fn ways(&self, cards: &Composition) -> Vec<u64> {
        let kinds = self.kinds.counts(cards);
        let thirds = self.thirds.counts(cards);
        let together = self.together(&kinds);
        let left = i64::from(cards.len());
        let unseen = (left - 4) * (left - 5);
        let mut forms: Vec<Option<Form>> = vec![None; self.ends.len()];
        let mut ways = vec![0_i64; self.lines];
        let mut row = vec![0; self.lines];
        for ((player_state, player_out), row_together) in
            self.player.groups.iter().zip(together.chunks(self.banker.groups.len()))
        {
            for ((banker_state, banker_out), hands) in self.banker.groups.iter().zip(row_together) {
                if *hands == 0 {
                    continue;
                }
                let state = player_state * self.banker.states.len() + banker_state;
                match &self.ends[state] {
                    End::Line(line) => ways[*line] += hands * unseen,
                    End::ByThirds(square) => {
                        let form = forms[state].get_or_insert_with(|| Form::new(square, self.lines, &thirds));
                        let [a, b] = *player_out;
                        let [c, d] = *banker_out;
                        form.without(square, &[a, b, c, d], &mut row);
                        ways.iter_mut().zip(&row).for_each(|(ways, row)| *ways += hands * row);
                    }
                }
            }
        }
        assert!(ways.iter().all(|ways| *ways >= 0), "sequences are counted, never owed");
        ways.into_iter().map(i64::unsigned_abs).collect()
    }

    /// The ways to each group of the Player's hands with each of the Banker's beside it.
    fn together(&self, kinds: &[i64]) -> Vec<i64> {
        let width = self.banker.groups.len();
        let form = Form::new(&self.banker.group, width, kinds);
        let mut together = vec![0; self.player.groups.len() * width];
        let mut row = vec![0; width];
        for (first, second, group) in self.player.group.entries() {
            let ways = kinds[first] * (kinds[second] - i64::from(first == second));
            if ways > 0 {
                form.without(&self.banker.group, &[narrow(first), narrow(second)], &mut row);
                let sums = &mut together[group * width..][..width];
                sums.iter_mut().zip(&row).for_each(|(sum, row)| *sum += ways * row);
            }
        }
        together
    }
}

impl Kinds {
    fn new(label: impl Fn(Card) -> Label) -> Self {
        let mut known: Vec<Label> = Vec::new();
        let (mut of_card, mut examples) = ([0; Card::COUNT], Vec::new());
        for card in Card::all() {
            let label = label(card);
            let kind = known.iter().position(|other| *other == label).unwrap_or_else(|| {
                known.push(label);
                examples.push(card);
                known.len() - 1
            });
            of_card[card.index()] = narrow(kind);
        }
        Self { of_card, examples }
    }

    fn of(&self, card: Card) -> u8 {
        self.of_card[card.index()]
    }

    fn counts(&self, cards: &Composition) -> Vec<i64> {
        let mut counts = vec![0; self.examples.len()];
        for (card, count) in cards.counts() {
            counts[usize::from(self.of(card))] += i64::from(count);
        }
        counts
    }
}

impl Hands {
    fn new(features: &Features, side: Side, kinds: &Kinds, thirds: &Kinds) -> Self {
        let mut states: BTreeMap<Label, usize> = BTreeMap::new();
        let mut known: BTreeMap<(usize, [u8; 2]), u16> = BTreeMap::new();
        let (mut examples, mut groups) = (Vec::new(), Vec::new());
        let group = Square::new(kinds.examples.len(), |first, second| {
            let hand = [kinds.examples[first], kinds.examples[second]];
            let state = *states.entry(features.state(side, hand)).or_insert_with(|| {
                examples.push(hand);
                examples.len() - 1
            });
            let mut out = hand.map(|card| thirds.of(card));
            out.sort_unstable();
            *known.entry((state, out)).or_insert_with(|| {
                groups.push((state, out));
                u16::try_from(groups.len() - 1).unwrap_or(u16::MAX)
            })
        });
        Self { group, groups, states: examples }
    }
}

impl Square {
    fn new(side: usize, mut of: impl FnMut(usize, usize) -> u16) -> Self {
        let places = (0..side).flat_map(|first| (0..side).map(move |second| (first, second)));
        Self { side, of: places.map(|(first, second)| of(first, second)).collect() }
    }

    fn at(&self, first: u8, second: u8) -> usize {
        usize::from(self.of[usize::from(first) * self.side + usize::from(second)])
    }

    /// Both kinds, and their number.
    fn entries(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let place = |(at, number): (usize, &u16)| (at / self.side, at % self.side, usize::from(*number));
        self.of.iter().enumerate().map(place)
    }
}

impl End {
    fn new(pays: &CardLines, thirds: &Kinds, player: [Card; 2], banker: [Card; 2]) -> Self {
        let played = |thirds| FinalHands::played(player, banker, thirds);
        let line = |hands: Option<FinalHands>| {
            u16::from(narrow(hands.and_then(|hands| pays.line_number(&hands)).unwrap_or_default()))
        };
        let size = thirds.examples.len();
        let mut of = Vec::with_capacity(size * size);
        for fifth in thirds.examples.iter().copied() {
            let hands = played([fifth, fifth]);
            let cards = |side| hands.map_or(2, |hands| hands.outcome().cards(side));
            match (cards(Side::Player), cards(Side::Banker)) {
                (2, 2) => return Self::Line(usize::from(line(hands))),
                // Only where both hands draw the sixth card is seen.
                (3, 3) => of.extend(thirds.examples.iter().map(|sixth| line(played([fifth, *sixth])))),
                _ => of.extend(core::iter::repeat_n(line(hands), size)),
            }
        }
        let square = Square { side: size, of };
        match square.of.first() {
            Some(first) if square.of.iter().all(|other| other == first) => Self::Line(usize::from(*first)),
            _ => Self::ByThirds(square),
        }
    }
}

/// In how many ways two cards, drawn one after the other, come to each number of a [`Square`].
#[derive(Clone, Debug)]
struct Form {
    width: usize,
    /// All ways.
    all: Vec<i64>,
    /// For each kind the ways that hold a given card of it.
    holding: Vec<i64>,
}

impl Form {
    fn new(square: &Square, width: usize, counts: &[i64]) -> Self {
        let mut form = Self { width, all: vec![0; width], holding: vec![0; width * counts.len()] };
        for (first, second, number) in square.entries() {
            let same = i64::from(first == second);
            form.all[number] += counts[first] * (counts[second] - same);
            form.holding[first * width + number] += counts[second] - same;
            form.holding[second * width + number] += counts[first];
        }
        form
    }

    /// The ways without these cards: those that hold one of them go, and those that hold two went twice.
    fn without(&self, square: &Square, out: &[u8], ways: &mut [i64]) {
        ways.copy_from_slice(&self.all);
        for kind in out {
            let holding = &self.holding[usize::from(*kind) * self.width..][..self.width];
            ways.iter_mut().zip(holding).for_each(|(ways, holding)| *ways -= holding);
        }
        for first in out {
            for second in out {
                ways[square.at(*first, *second)] += 1;
            }
        }
    }
}

/// There are at most 52 kinds and 255 lines.
fn narrow(number: usize) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}
