//! What only a baccarat rulebook has: its conditions, main bets, insurance and the differential.

use alloc::vec::Vec;

use super::conditions::Outcomes;
use super::family::FamilyKeys;
use super::reader::{Faulty, Table, Value};
use super::{card_conditions, insurance};
use crate::baccarat::condition::{ClassTest, NumberSet};
use crate::baccarat::insurance::InsuranceTable;
use crate::baccarat::{Condition, Side, Winner};
use crate::bet::When;
use crate::clause::{Basis, ClauseIndex};
use crate::rulebook::Family;

/// The keys of baccarat.
pub(super) struct Baccarat;

impl FamilyKeys for Baccarat {
    fn family(&self) -> Family {
        Family::Baccarat
    }

    fn anything(&self) -> When {
        When::Baccarat(Condition::ANY)
    }

    fn outcomes(&self) -> Outcomes {
        Outcomes::of_classes()
    }

    fn when(&self, faulty: &mut Faulty<'_>, table: Table<'_>) -> When {
        When::Baccarat(condition(faulty, table))
    }

    fn main(&self, faulty: &mut Faulty<'_>, bet: &mut Table<'_>) -> Option<Side> {
        bet.take("main").and_then(|value| value.one_of(faulty, &[Side::Player, Side::Banker], Side::key))
    }

    fn reserve<'t>(&self, _: &mut Table<'t>) -> Option<Value<'t>> {
        // Only a box has a place for a Reserve, and only its settlement looks at one.
        None
    }

    fn insurance(
        &self,
        faulty: &mut Faulty<'_>,
        rulebook: &mut Table<'_>,
        index: &ClauseIndex,
    ) -> Option<InsuranceTable> {
        insurance::insurance(faulty, rulebook, index)
    }

    fn hands(&self, _: &mut Faulty<'_>, _: &mut Table<'_>, _: &ClauseIndex) -> Vec<Vec<Basis>> {
        Vec::new()
    }

    fn pro_rata<'t>(&self, limits: &mut Table<'t>) -> Option<Value<'t>> {
        limits.take("pro-rata")
    }
}

/// All keys of a table at once: what is said in it must hold together.
fn condition(faulty: &mut Faulty<'_>, mut table: Table<'_>) -> Condition {
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
        let part = value.table(faulty, "`not`").map(|table| condition(faulty, table));
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
    tables.into_iter().map(|table| condition(faulty, table)).collect()
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
