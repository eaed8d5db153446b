//! The `when` of pay lines, and the outcomes they are compiled over.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::card_conditions;
use super::reader::{Faulty, Table, Value};
use crate::baccarat::condition::{ClassTest, NumberSet};
use crate::baccarat::{Condition, Features, FinalHands, Known, Outcome, Side, Winner};
use crate::bet::When;
use crate::niu_niu::outcome::CategorySet;
use crate::niu_niu::{self, BoxOutcome, BoxWinner, Category};
use crate::rulebook::Family;

impl When {
    /// A condition that holds for every outcome.
    pub(super) const fn anything(family: Family) -> Self {
        match family {
            Family::Baccarat => Self::Baccarat(Condition::ANY),
            Family::NiuNiu => Self::NiuNiu(niu_niu::Condition::ANY),
        }
    }

    /// The condition, if it asks for cards.
    pub(super) fn of_cards(&self) -> Option<&Condition> {
        match self {
            Self::Baccarat(condition) if !condition.is_of_class() => Some(condition),
            Self::Baccarat(_) | Self::NiuNiu(_) | Self::Otherwise => None,
        }
    }

    fn baccarat(&self) -> Option<&Condition> {
        match self {
            Self::Baccarat(condition) => Some(condition),
            Self::NiuNiu(_) | Self::Otherwise => None,
        }
    }
}

/// The outcomes that lines are compiled over: how many numbers, which can happen, and what they are called.
pub(super) struct Outcomes {
    pub(super) count: usize,
    pub(super) reachable: Vec<usize>,
    told: Told,
}

/// The most kinds of rounds that one bet may tell apart: what is checked and priced must end soon.
pub(super) const BREADTH_MAX: usize = 2_000_000;

/// What an outcome's number stands for.
enum Told {
    Classes,
    Boxes(Vec<BoxOutcome>),
    /// One finished round of each kind that the lines of a bet tell apart.
    Rounds(Vec<FinalHands>),
}

impl Outcomes {
    pub(super) fn of(family: Family) -> Self {
        match family {
            Family::Baccarat => Self {
                count: Outcome::COUNT,
                reachable: Outcome::reachable().map(Outcome::index).collect(),
                told: Told::Classes,
            },
            Family::NiuNiu => {
                let boxes: Vec<BoxOutcome> = BoxOutcome::reachable().collect();
                let reachable = boxes.iter().map(|outcome| outcome.index()).collect();
                Self { count: BoxOutcome::COUNT, reachable, told: Told::Boxes(boxes) }
            }
        }
    }

    /// The rounds that lines tell apart of which some ask for cards.
    ///
    /// # Errors
    /// How many there would be, if more than [`BREADTH_MAX`].
    pub(super) fn of_cards<'w>(lines: impl Iterator<Item = &'w When>) -> Result<Self, usize> {
        let features = Features::of(lines.filter_map(When::baccarat));
        let breadth = features.breadth();
        if breadth > BREADTH_MAX {
            return Err(breadth);
        }
        let mut rounds = Vec::new();
        features.rounds(&Known::default(), &mut |hands| {
            rounds.push(*hands);
            ControlFlow::Continue(())
        });
        let reachable = (0..rounds.len()).collect();
        Ok(Self { count: rounds.len(), reachable, told: Told::Rounds(rounds) })
    }

    pub(super) fn holds(&self, when: &When, index: usize) -> bool {
        match (when, &self.told) {
            (When::Otherwise, _) => true,
            (When::Baccarat(condition), Told::Classes) => {
                // The caller has asked for rounds where a class does not tell.
                Outcome::from_index(index).and_then(|outcome| condition.of_class(outcome)) == Some(true)
            }
            (When::Baccarat(condition), Told::Rounds(rounds)) => {
                rounds.get(index).is_some_and(|hands| condition.holds(hands))
            }
            (When::NiuNiu(condition), Told::Boxes(boxes)) => {
                in_box(boxes, index).is_some_and(|outcome| condition.holds(outcome))
            }
            (When::Baccarat(_), Told::Boxes(_)) | (When::NiuNiu(_), Told::Classes | Told::Rounds(_)) => false,
        }
    }

    pub(super) fn describe(&self, index: usize) -> String {
        let known = match &self.told {
            Told::Classes => Outcome::from_index(index).map(|outcome| outcome.to_string()),
            Told::Boxes(boxes) => in_box(boxes, index).map(|outcome| outcome.to_string()),
            Told::Rounds(rounds) => rounds.get(index).map(|hands| {
                let cards =
                    |side| hands.cards(side).map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
                format!("Player {}, Banker {}", cards(Side::Player), cards(Side::Banker))
            }),
        };
        known.unwrap_or_else(|| "an unknown outcome".to_string())
    }
}

fn in_box(boxes: &[BoxOutcome], index: usize) -> Option<BoxOutcome> {
    boxes.iter().copied().find(|outcome| outcome.index() == index)
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

/// All keys of a table at once: what is said in it must hold together.
fn baccarat(faulty: &mut Faulty<'_>, mut table: Table<'_>) -> Condition {
    let mut parts = Vec::new();
    if let Some(value) = table.take("winner") {
        let winner = value.one_of(faulty, &Winner::ALL, Winner::key);
        parts.extend(winner.map(|winner| Condition::Class(ClassTest::Winner(winner))));
    }
    flag(faulty, &mut table, &mut parts, "natural", Condition::Class(ClassTest::Natural));
    let class: [(_, _, _, &dyn Fn(NumberSet) -> ClassTest); 7] = [
        ("player-points", 0, 9, &|set| ClassTest::Points(Side::Player, set)),
        ("banker-points", 0, 9, &|set| ClassTest::Points(Side::Banker, set)),
        ("player-cards", 2, 3, &|set| ClassTest::Cards(Side::Player, set)),
        ("banker-cards", 2, 3, &|set| ClassTest::Cards(Side::Banker, set)),
        ("total-cards", 4, 6, &ClassTest::TotalCards),
        ("margin", 0, 9, &ClassTest::Margin),
        ("points-sum", 0, 18, &ClassTest::PointsSum),
    ];
    for (key, low, high, test) in class {
        let set = table.take(key).and_then(|value| numbers(faulty, value, low, high));
        parts.extend(set.map(|set| Condition::Class(test(set))));
    }
    flag(faulty, &mut table, &mut parts, "player-pair", Condition::Class(ClassTest::Pair(Side::Player)));
    flag(faulty, &mut table, &mut parts, "banker-pair", Condition::Class(ClassTest::Pair(Side::Banker)));
    card_conditions::read(faulty, &mut table, &mut parts);
    if let Some(value) = table.take("all-of") {
        // What stands side by side means the same without the list.
        parts.extend(several(faulty, value));
    }
    if let Some(value) = table.take("any-of") {
        parts.push(Condition::Any(several(faulty, value)));
    }
    if let Some(value) = table.take("not") {
        let part = value.table(faulty, "`not`").map(|table| baccarat(faulty, table));
        parts.extend(part.map(|part| Condition::Not(part.into())));
    }
    table.finish(faulty);
    match <[Condition; 1]>::try_from(parts) {
        Ok([only]) => only,
        Err(parts) => Condition::All(parts),
    }
}

/// The conditions of a list.
fn several(faulty: &mut Faulty<'_>, value: Value<'_>) -> Vec<Condition> {
    let items = value.items(faulty).unwrap_or_default();
    if items.is_empty() {
        faulty.at(value.span(), "an empty list says nothing; name at least one condition");
    }
    let tables: Vec<Table<'_>> =
        items.into_iter().filter_map(|item| item.table(faulty, "a condition")).collect();
    tables.into_iter().map(|table| baccarat(faulty, table)).collect()
}

/// `key = true` for the condition, `key = false` for its contrary.
pub(super) fn flag(
    faulty: &mut Faulty<'_>,
    table: &mut Table<'_>,
    parts: &mut Vec<Condition>,
    key: &'static str,
    condition: Condition,
) {
    match table.take(key).and_then(|value| value.boolean(faulty)) {
        Some(true) => parts.push(condition),
        Some(false) => parts.push(Condition::Not(condition.into())),
        None => {}
    }
}

/// Numbers from `low` to `high`.
pub(super) fn numbers(faulty: &mut Faulty<'_>, value: Value<'_>, low: u32, high: u32) -> Option<NumberSet> {
    let numbers = value.numbers(faulty, low, high)?;
    Some(numbers.into_iter().filter_map(|number| u8::try_from(number).ok()).collect())
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
