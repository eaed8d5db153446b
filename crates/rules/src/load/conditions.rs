//! The `when` of pay lines.

use alloc::vec::Vec;

use super::reader::{Faulty, Table, Value};
use crate::baccarat::condition::NumberSet;
use crate::baccarat::{Condition, Outcome, Winner};
use crate::niu_niu::outcome::CategorySet;
use crate::niu_niu::{self, BoxOutcome, BoxWinner, Category};
use crate::rulebook::Family;

/// A condition of either family, over the numbers of its outcomes.
#[derive(Clone, Copy)]
pub(super) enum When {
    Baccarat(Condition),
    NiuNiu(niu_niu::Condition),
}

impl When {
    /// A condition that holds for every outcome.
    pub(super) const fn anything(family: Family) -> Self {
        match family {
            Family::Baccarat => Self::Baccarat(Condition::ANY),
            Family::NiuNiu => Self::NiuNiu(niu_niu::Condition::ANY),
        }
    }
}

/// The outcomes of a family: how many numbers, which can happen, and what they are called.
pub(super) struct Outcomes {
    pub(super) count: usize,
    pub(super) reachable: Vec<usize>,
    boxes: Vec<BoxOutcome>,
}

impl Outcomes {
    pub(super) fn of(family: Family) -> Self {
        match family {
            Family::Baccarat => Self {
                count: Outcome::COUNT,
                reachable: Outcome::reachable().map(Outcome::index).collect(),
                boxes: Vec::new(),
            },
            Family::NiuNiu => {
                let boxes: Vec<BoxOutcome> = BoxOutcome::reachable().collect();
                let reachable = boxes.iter().map(|outcome| outcome.index()).collect();
                Self { count: BoxOutcome::COUNT, reachable, boxes }
            }
        }
    }

    fn in_box(&self, index: usize) -> Option<BoxOutcome> {
        self.boxes.iter().copied().find(|outcome| outcome.index() == index)
    }

    pub(super) fn holds(&self, when: &When, index: usize) -> bool {
        match when {
            When::Baccarat(condition) => {
                Outcome::from_index(index).is_some_and(|outcome| condition.holds(outcome))
            }
            When::NiuNiu(condition) => self.in_box(index).is_some_and(|outcome| condition.holds(outcome)),
        }
    }

    pub(super) fn describe(&self, index: usize) -> alloc::string::String {
        use alloc::string::ToString;
        match (self.in_box(index), Outcome::from_index(index)) {
            (Some(outcome), _) => outcome.to_string(),
            (None, Some(outcome)) => outcome.to_string(),
            (None, None) => "an unknown outcome".to_string(),
        }
    }
}

impl core::fmt::Display for When {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Baccarat(condition) => condition.fmt(f),
            Self::NiuNiu(condition) => condition.fmt(f),
        }
    }
}

pub(super) fn when(faulty: &mut Faulty<'_>, value: Value<'_>, family: Family) -> Option<When> {
    let table = value.table(faulty, "`when`")?;
    let before = faulty.count();
    let when = match family {
        Family::Baccarat => When::Baccarat(baccarat(faulty, table)),
        Family::NiuNiu => When::NiuNiu(niu_niu(faulty, table)),
    };
    // Half a condition would speak of outcomes that the author did not mean.
    (faulty.count() == before).then_some(when)
}

fn baccarat(faulty: &mut Faulty<'_>, mut table: Table<'_>) -> Condition {
    let winner = table.take("winner").and_then(|value| value.one_of(faulty, &Winner::ALL, Winner::key));
    let mut numbers = |key, low, high| -> NumberSet {
        let numbers = table.take(key).and_then(|value| value.numbers(faulty, low, high));
        numbers.map_or(NumberSet::ALL, |numbers| {
            numbers.into_iter().filter_map(|number| u8::try_from(number).ok()).collect()
        })
    };
    let condition = Condition {
        winner,
        natural: None,
        player_points: numbers("player-points", 0, 9),
        banker_points: numbers("banker-points", 0, 9),
        player_cards: numbers("player-cards", 2, 3),
        banker_cards: numbers("banker-cards", 2, 3),
        total_cards: numbers("total-cards", 4, 6),
        margin: numbers("margin", 0, 9),
        player_pair: None,
        banker_pair: None,
    };
    let mut flag = |key| table.take(key).and_then(|value| value.boolean(faulty));
    let condition = Condition {
        natural: flag("natural"),
        player_pair: flag("player-pair"),
        banker_pair: flag("banker-pair"),
        ..condition
    };
    table.finish(faulty);
    condition
}

fn niu_niu(faulty: &mut Faulty<'_>, mut table: Table<'_>) -> niu_niu::Condition {
    let winners = [BoxWinner::Player, BoxWinner::Dealer];
    let winner = table.take("winner").and_then(|value| value.one_of(faulty, &winners, BoxWinner::key));
    let mut categories = |key| -> CategorySet {
        let Some(value) = table.take(key) else { return CategorySet::ALL };
        let Some(items) = value.texts(faulty) else { return CategorySet::ALL };
        if items.is_empty() {
            faulty.at(value.span(), "an empty list matches nothing");
        }
        let known = items.into_iter().filter_map(|item| item.one_of(faulty, &Category::ALL, Category::key));
        let known: Vec<Category> = known.collect();
        known.into_iter().collect()
    };
    let condition = niu_niu::Condition { winner, hand: categories("hand"), dealer: categories("dealer") };
    table.finish(faulty);
    condition
}
