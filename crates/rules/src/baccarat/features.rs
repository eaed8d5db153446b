//! What conditions ask of the cards beyond the outcome class, and one round of every kind they tell apart.
//!
//! Two cards that every test of a bet treats alike are of one kind, and two hands that every test treats alike
//! are in one state. Whatever follows from a bet's conditions can then be worked out over kinds and states:
//! which lines can apply at all, which are still open at a table, and in how many ways each comes about.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use croupier_cards::Card;

use super::card_set::CardSet;
use super::condition::{CardTest, ClassTest, Condition};
use super::final_hands::{CardPlace, FinalHands};
use super::{Side, card_value, points};

/// What tells a card, or a hand, from others.
pub type Label = Vec<u8>;

/// What some conditions ask of the cards.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Features {
    tests: Vec<CardTest>,
    /// Whose pair matters.
    pairs: Vec<Side>,
    /// Whether the drawing rules matter: final counts, numbers of cards, third cards.
    draws: bool,
    /// Whether the values, ranks and suits of the first four cards matter one by one.
    values: bool,
    ranks: bool,
    suits: bool,
    /// The kinds of cards asked for among the first four cards, and among third cards.
    first_sets: Vec<CardSet>,
    third_sets: Vec<CardSet>,
}

/// The cards of a round that are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// The Player's first two cards.
    pub player: [Option<Card>; 2],
    /// The Banker's first two cards.
    pub banker: [Option<Card>; 2],
    /// The Player's and the Banker's third card.
    pub thirds: [Option<Card>; 2],
}

impl Features {
    /// What these conditions ask for together.
    #[must_use]
    pub fn of<'c>(conditions: impl IntoIterator<Item = &'c Condition>) -> Self {
        let mut features = Self::default();
        let mut class_tests = Vec::new();
        for condition in conditions {
            condition.visit(&mut |test| class_tests.push(test), &mut |test| features.add(test));
        }
        class_tests.into_iter().for_each(|test| features.add_class(test));
        features
    }

    /// Whether third cards, or whether there are any, can make a difference.
    #[must_use]
    pub const fn asks_draws(&self) -> bool {
        self.draws
    }

    /// Whether suits can make a difference.
    #[must_use]
    pub fn asks_suits(&self) -> bool {
        self.suits || self.first_sets.iter().chain(&self.third_sets).any(|set| set.asks_suits())
    }

    fn add_class(&mut self, test: ClassTest) {
        match test {
            ClassTest::Pair(side) => {
                self.ranks = true;
                insert(&mut self.pairs, side);
            }
            ClassTest::Winner(_)
            | ClassTest::Natural
            | ClassTest::Points(..)
            | ClassTest::Cards(..)
            | ClassTest::TotalCards(_)
            | ClassTest::Margin(_)
            | ClassTest::PointsSum(_) => self.draws = true,
        }
    }

    fn add(&mut self, test: CardTest) {
        match test {
            CardTest::InitialPoints(..) => self.values = true,
            CardTest::Card(_, CardPlace::First | CardPlace::Second, set) => insert(&mut self.first_sets, set),
            CardTest::Card(_, CardPlace::Third, set) => {
                self.draws = true;
                insert(&mut self.third_sets, set);
            }
            CardTest::PerfectPair(_) => {
                self.ranks = true;
                self.suits = true;
            }
            CardTest::Suited(_) => self.suits = true,
            CardTest::EqualPairs => self.ranks = true,
            CardTest::Count(_, set, _) | CardTest::Every(_, set) => {
                self.draws = true;
                insert(&mut self.first_sets, set);
                insert(&mut self.third_sets, set);
            }
        }
        insert(&mut self.tests, test);
    }

    /// How many kinds of rounds the conditions tell apart at most: what it takes to go through them.
    #[must_use]
    pub fn breadth(&self) -> usize {
        let firsts = distinct(Card::all(), |card| self.first_label(*card));
        let thirds = distinct(Card::all(), |card| self.third_label(*card)).len();
        let states = |side| {
            let hands = firsts.iter().flat_map(|one| firsts.iter().map(|other| [*one, *other]));
            distinct(hands, |hand| self.state(side, *hand)).len()
        };
        states(Side::Player) * states(Side::Banker) * thirds * thirds
    }

    /// What tells a card among the first four from others. Cards alike here are alike as third cards too.
    #[must_use]
    pub fn first_label(&self, card: Card) -> Label {
        let mut label = self.third_label(card);
        if self.values {
            label.push(card_value(card));
        }
        if self.ranks {
            label.extend(u8::try_from(card.rank().index()));
        }
        if self.suits {
            label.extend(u8::try_from(card.suit().index()));
        }
        label.extend(self.first_sets.iter().map(|set| u8::from(set.contains(card))));
        label
    }

    /// What tells a third card from others.
    #[must_use]
    pub fn third_label(&self, card: Card) -> Label {
        let mut label = Label::new();
        if self.draws {
            label.push(card_value(card));
            label.extend(self.third_sets.iter().map(|set| u8::from(set.contains(card))));
        }
        label
    }

    /// The state of a hand's first two cards: what the tests, and the drawing rules if they matter, see of it.
    #[must_use]
    pub fn state(&self, side: Side, hand: [Card; 2]) -> Label {
        let [first, second] = hand;
        let mut state = Label::new();
        if self.draws {
            state.push(points(hand));
        }
        let is_pair = first.rank() == second.rank();
        if self.pairs.contains(&side) {
            state.push(is_pair.into());
        }
        let holds = |set: CardSet| hand.map(|card| set.contains(card));
        for test in &self.tests {
            let seen = match *test {
                CardTest::InitialPoints(of, set) if of == side => set.contains(points(hand)).into(),
                CardTest::Card(of, CardPlace::First, set) if of == side => set.contains(first).into(),
                CardTest::Card(of, CardPlace::Second, set) if of == side => set.contains(second).into(),
                CardTest::PerfectPair(of) if of == side => (first == second).into(),
                CardTest::Suited(of) if of == side => (first.suit() == second.suit()).into(),
                CardTest::EqualPairs if is_pair => u8::try_from(first.rank().index() + 1).unwrap_or(0),
                CardTest::Count(whose, set, _) if whose.includes(side) => {
                    holds(set).into_iter().map(u8::from).sum()
                }
                CardTest::Every(whose, set) if whose.includes(side) => (holds(set) == [true; 2]).into(),
                CardTest::InitialPoints(..)
                | CardTest::Card(..)
                | CardTest::PerfectPair(_)
                | CardTest::Suited(_)
                | CardTest::EqualPairs
                | CardTest::Count(..)
                | CardTest::Every(..) => continue,
            };
            state.push(seen);
        }
        state
    }

    /// One round of each kind that the conditions tell apart and the known cards leave open; ends early when
    /// `visit` breaks.
    ///
    /// Of any card there are as many as it takes, and a known third card is no proof that its hand draws: what is
    /// shown is never less than what can happen.
    pub fn rounds(&self, known: &Known, visit: &mut dyn FnMut(&FinalHands) -> ControlFlow<()>) {
        let firsts = distinct(Card::all(), |card| self.first_label(*card));
        let thirds = distinct(Card::all(), |card| self.third_label(*card));
        let hands = |side, known: [Option<Card>; 2]| {
            let open = |card: Option<Card>| card.map_or_else(|| firsts.clone(), |card| alloc::vec![card]);
            let [one, other] = known.map(open);
            let all =
                one.into_iter().flat_map(|one| other.clone().into_iter().map(move |other| [one, other]));
            distinct(all, |hand| self.state(side, *hand))
        };
        let third = |card: Option<Card>| card.map_or_else(|| thirds.clone(), |card| alloc::vec![card]);
        let [player_thirds, banker_thirds] = known.thirds.map(third);
        let bankers = hands(Side::Banker, known.banker);
        for player in hands(Side::Player, known.player) {
            for banker in &bankers {
                let rounds = Rounds { player, banker: *banker, thirds: [&player_thirds, &banker_thirds] };
                if rounds.each(visit).is_break() {
                    return;
                }
            }
        }
    }
}

/// The rounds that start with two hands.
struct Rounds<'a> {
    player: [Card; 2],
    banker: [Card; 2],
    thirds: [&'a [Card]; 2],
}

impl Rounds<'_> {
    /// Thirds are tried only where the hand takes one.
    fn each(&self, visit: &mut dyn FnMut(&FinalHands) -> ControlFlow<()>) -> ControlFlow<()> {
        let [player_thirds, banker_thirds] = self.thirds;
        for player_third in player_thirds {
            let mut player_draws = false;
            for banker_third in banker_thirds {
                let thirds = [*player_third, *banker_third];
                let Some(hands) = FinalHands::played(self.player, self.banker, thirds) else { continue };
                player_draws = hands.outcome().cards(Side::Player) == 3;
                visit(&hands)?;
                if hands.outcome().cards(Side::Banker) == 2 {
                    break;
                }
            }
            if !player_draws {
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The first item with each label.
fn distinct<T>(items: impl Iterator<Item = T>, label: impl Fn(&T) -> Label) -> Vec<T> {
    let mut seen = BTreeSet::new();
    items.filter(|item| seen.insert(label(item))).collect()
}

fn insert<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
