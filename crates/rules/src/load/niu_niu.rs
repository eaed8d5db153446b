//! What only a Niu Niu rulebook has: its conditions, Reserves and the clauses that rank hands.

use alloc::format;
use alloc::vec::Vec;

use super::conditions::Outcomes;
use super::family::FamilyKeys;
use super::reader::{Faulty, Table, Value};
use crate::baccarat::Side;
use crate::baccarat::insurance::InsuranceTable;
use crate::bet::When;
use crate::clause::{Basis, ClauseIndex};
use crate::niu_niu::outcome::CategorySet;
use crate::niu_niu::{BoxWinner, Category, Condition};
use crate::rulebook::Family;

/// The keys of Niu Niu.
pub(super) struct NiuNiu;

impl FamilyKeys for NiuNiu {
    fn family(&self) -> Family {
        Family::NiuNiu
    }

    fn anything(&self) -> When {
        When::NiuNiu(Condition::ANY)
    }

    fn outcomes(&self) -> Outcomes {
        Outcomes::of_boxes()
    }

    fn when(&self, faulty: &mut Faulty<'_>, table: Table<'_>) -> When {
        When::NiuNiu(condition(faulty, table))
    }

    fn main(&self, _: &mut Faulty<'_>, _: &mut Table<'_>) -> Option<Side> {
        None
    }

    fn reserve<'t>(&self, bet: &mut Table<'t>) -> Option<Value<'t>> {
        bet.take("reserve")
    }

    fn insurance(
        &self,
        faulty: &mut Faulty<'_>,
        rulebook: &mut Table<'_>,
        _: &ClauseIndex,
    ) -> Option<InsuranceTable> {
        let value = rulebook.take("insurance")?;
        faulty.at(value.span(), format!("a {} rulebook has no insurance", self.family()));
        None
    }

    fn hands(
        &self,
        faulty: &mut Faulty<'_>,
        rulebook: &mut Table<'_>,
        index: &ClauseIndex,
    ) -> Vec<Vec<Basis>> {
        let section = rulebook.require(faulty, "hands").and_then(|value| value.table(faulty, "[hands]"));
        let Some(mut section) = section else { return Vec::new() };
        let mut rank = |category: Category| {
            section
                .require(faulty, category.key())
                .map(|value| value.cites(faulty, index))
                .unwrap_or_default()
        };
        let hands = Category::ALL.map(&mut rank).to_vec();
        section.finish(faulty);
        hands
    }

    fn pro_rata<'t>(&self, _: &mut Table<'t>) -> Option<Value<'t>> {
        None
    }
}

fn condition(faulty: &mut Faulty<'_>, mut table: Table<'_>) -> Condition {
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
    let condition = Condition { winner, hand: categories("hand"), dealer: categories("dealer") };
    table.finish(faulty);
    condition
}
