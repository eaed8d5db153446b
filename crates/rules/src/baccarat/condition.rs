//! The `when` of a baccarat pay line: one typed expression, from the file to whoever shows or prices it.
//!
//! Most lines ask only for the class of the outcome; their bets settle by a column. Some ask for the cards
//! themselves, and their bets settle by looking at them. How it is said in words is in `words`.

mod words;

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::card_set::CardSet;
use super::final_hands::{CardPlace, FinalHands};
pub use super::number_set::NumberSet;
use super::{Outcome, Side, Winner};

/// What must hold for a pay line to apply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Every one of them; none at all holds always.
    All(Vec<Self>),
    /// At least one of them.
    Any(Vec<Self>),
    /// Not this.
    Not(Box<Self>),
    /// Something the class of the outcome tells.
    Class(ClassTest),
    /// Something only the cards tell.
    Cards(CardTest),
}

/// What the class of the outcome tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassTest {
    /// Who wins.
    Winner(Winner),
    /// An initial hand was a natural.
    Natural,
    /// The final count of a hand.
    Points(Side, NumberSet),
    /// The number of cards in a hand.
    Cards(Side, NumberSet),
    /// The number of cards in both hands.
    TotalCards(NumberSet),
    /// The difference of the final counts.
    Margin(NumberSet),
    /// The sum of the final counts.
    PointsSum(NumberSet),
    /// A hand's first two cards have the same rank.
    Pair(Side),
}

/// What only the cards tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardTest {
    /// The count of a hand's first two cards.
    InitialPoints(Side, NumberSet),
    /// A card by its place; one that was not drawn is none of them.
    Card(Side, CardPlace, CardSet),
    /// A hand's first two cards have the same rank and suit.
    PerfectPair(Side),
    /// A hand's first two cards have the same suit.
    Suited(Side),
    /// Both hands pair, and both pairs have the same rank.
    EqualPairs,
    /// How many of the cards dealt are of a kind.
    Count(Whose, CardSet, NumberSet),
    /// Every card dealt is of a kind.
    Every(Whose, CardSet),
}

/// Whose cards are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// Those of both hands.
    Both,
    /// Those of one hand.
    One(Side),
}

impl Whose {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Both, Self::One(Side::Player), Self::One(Side::Banker)];

    /// The name used in texts.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::One(side) => side.key(),
        }
    }

    /// Whether a hand is counted.
    #[must_use]
    pub fn includes(self, side: Side) -> bool {
        match self {
            Self::Both => true,
            Self::One(one) => one == side,
        }
    }
}

impl Condition {
    /// Holds for every outcome.
    pub const ANY: Self = Self::All(Vec::new());

    /// Whether the class of the outcome always tells whether it holds.
    #[must_use]
    pub fn is_of_class(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_of_class),
            Self::Not(part) => part.is_of_class(),
            Self::Class(_) => true,
            Self::Cards(_) => false,
        }
    }

    /// Whether a finished round is one of those the line speaks of.
    #[must_use]
    pub fn holds(&self, hands: &FinalHands) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(hands)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(hands)),
            Self::Not(part) => !part.holds(hands),
            Self::Class(test) => test.holds(hands.outcome()),
            Self::Cards(test) => test.holds(hands),
        }
    }

    /// Whether it holds in every round of a class, or in none; nothing where the class does not tell. An answer
    /// is right for every round of the class; that there is none need not mean that both happen.
    #[must_use]
    pub fn of_class(&self, outcome: Outcome) -> Option<bool> {
        // Certain if one part is; open if one is open.
        let fold = |parts: &[Self], decisive: bool| {
            let mut open = false;
            for part in parts {
                match part.of_class(outcome) {
                    Some(holds) if holds == decisive => return Some(decisive),
                    Some(_) => {}
                    None => open = true,
                }
            }
            (!open).then_some(!decisive)
        };
        match self {
            Self::All(parts) => fold(parts, false),
            Self::Any(parts) => fold(parts, true),
            Self::Not(part) => part.of_class(outcome).map(|holds| !holds),
            Self::Class(test) => Some(test.holds(outcome)),
            Self::Cards(test) => test.of_class(outcome),
        }
    }

    /// Shows every test in it.
    pub fn visit(&self, class: &mut dyn FnMut(ClassTest), cards: &mut dyn FnMut(CardTest)) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.visit(class, cards)),
            Self::Not(part) => part.visit(class, cards),
            Self::Class(test) => class(*test),
            Self::Cards(test) => cards(*test),
        }
    }
}

impl ClassTest {
    /// Whether the class is one of those it speaks of.
    #[must_use]
    pub fn holds(self, outcome: Outcome) -> bool {
        let points = |side| outcome.points(side);
        match self {
            Self::Winner(winner) => winner == outcome.winner(),
            Self::Natural => outcome.is_natural(),
            Self::Points(side, set) => set.contains(points(side)),
            Self::Cards(side, set) => set.contains(outcome.cards(side)),
            Self::TotalCards(set) => set.contains(outcome.total_cards()),
            Self::Margin(set) => set.contains(outcome.margin()),
            Self::PointsSum(set) => set.contains(points(Side::Player) + points(Side::Banker)),
            Self::Pair(side) => outcome.is_pair(side),
        }
    }
}

impl CardTest {
    /// Whether the cards are such.
    #[must_use]
    pub fn holds(self, hands: &FinalHands) -> bool {
        let matching = |whose: Whose, set: CardSet| {
            let dealt = Side::ALL.into_iter().filter(move |side| whose.includes(*side));
            dealt.flat_map(|side| hands.cards(side)).filter(move |card| set.contains(*card)).count()
        };
        match self {
            Self::InitialPoints(side, set) => set.contains(hands.initial_points(side)),
            Self::Card(side, place, set) => hands.card(side, place).is_some_and(|card| set.contains(card)),
            Self::PerfectPair(side) => {
                let [first, second] = hands.first_two(side);
                first == second
            }
            Self::Suited(side) => {
                let [first, second] = hands.first_two(side);
                first.suit() == second.suit()
            }
            Self::EqualPairs => {
                let [first, _] = hands.first_two(Side::Player);
                let [other, _] = hands.first_two(Side::Banker);
                Side::ALL.into_iter().all(|side| hands.outcome().is_pair(side))
                    && first.rank() == other.rank()
            }
            Self::Count(whose, set, times) => {
                u8::try_from(matching(whose, set)).is_ok_and(|count| times.contains(count))
            }
            Self::Every(whose, set) => matching(whose, set) == usize::from(whose.cards(hands.outcome())),
        }
    }

    /// What the class tells of it, if anything.
    #[must_use]
    pub fn of_class(self, outcome: Outcome) -> Option<bool> {
        match self {
            Self::InitialPoints(side, set) => {
                if outcome.cards(side) == 2 {
                    return Some(set.contains(outcome.points(side)));
                }
                // A pair has an even count, and who draws has at most 5, the Banker at most 6.
                let most = match side {
                    Side::Player => 5,
                    Side::Banker => 6,
                };
                let step = if outcome.is_pair(side) { 2 } else { 1 };
                let mut counts = (0..=most).step_by(step).map(|points| set.contains(points));
                let first = counts.next()?;
                counts.all(|other| other == first).then_some(first)
            }
            Self::Card(side, place, set) => {
                let absent = place == CardPlace::Third && outcome.cards(side) == 2;
                match set {
                    CardSet::ALL => Some(!absent),
                    _ => (absent || set.is_empty()).then_some(false),
                }
            }
            Self::PerfectPair(side) => (!outcome.is_pair(side)).then_some(false),
            Self::Suited(_) => None,
            Self::EqualPairs => {
                let both = Side::ALL.into_iter().all(|side| outcome.is_pair(side));
                (!both).then_some(false)
            }
            Self::Count(whose, _, times) => {
                let mut counts = (0..=whose.cards(outcome)).map(|count| times.contains(count));
                let first = counts.next()?;
                counts.all(|other| other == first).then_some(first)
            }
            Self::Every(_, set) => (set == CardSet::ALL).then_some(true),
        }
    }
}

impl Whose {
    /// How many cards that is.
    fn cards(self, outcome: Outcome) -> u8 {
        match self {
            Self::Both => outcome.total_cards(),
            Self::One(side) => outcome.cards(side),
        }
    }
}
