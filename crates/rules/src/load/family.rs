//! What rulebooks of different families are read by. This is the one place where loading asks which family it is: a
//! further one is another arm of [`keys`] and another implementation of [`FamilyKeys`].

use alloc::vec::Vec;

use super::baccarat::Baccarat;
use super::conditions::Outcomes;
use super::niu_niu::NiuNiu;
use super::reader::{Faulty, Table, Value};
use crate::baccarat::Side;
use crate::baccarat::insurance::InsuranceTable;
use crate::bet::When;
use crate::clause::{Basis, ClauseIndex};
use crate::rulebook::Family;

/// The keys that only some families have, and what they mean.
pub(super) trait FamilyKeys {
    /// Whose keys they are.
    fn family(&self) -> Family;

    /// A condition that holds for every outcome.
    fn anything(&self) -> When;

    /// The outcomes that pay lines are compiled over.
    fn outcomes(&self) -> Outcomes;

    /// The table of a `when`: what is said in it must hold together.
    fn when(&self, faulty: &mut Faulty<'_>, table: Table<'_>) -> When;

    /// `main` of a bet: the hand that it backs.
    fn main(&self, faulty: &mut Faulty<'_>, bet: &mut Table<'_>) -> Option<Side>;

    /// `reserve` of a bet.
    fn reserve<'t>(&self, bet: &mut Table<'t>) -> Option<Value<'t>>;

    /// `[[insurance]]`.
    fn insurance(
        &self,
        faulty: &mut Faulty<'_>,
        rulebook: &mut Table<'_>,
        index: &ClauseIndex,
    ) -> Option<InsuranceTable>;

    /// `[hands]`: the clauses that rank each category of hands, by its place.
    fn hands(
        &self,
        faulty: &mut Faulty<'_>,
        rulebook: &mut Table<'_>,
        index: &ClauseIndex,
    ) -> Vec<Vec<Basis>>;

    /// `pro-rata` of `[limits]`.
    fn pro_rata<'t>(&self, limits: &mut Table<'t>) -> Option<Value<'t>>;
}

/// The keys of a family.
pub(super) fn keys(family: Family) -> &'static dyn FamilyKeys {
    match family {
        Family::Baccarat => &Baccarat,
        Family::NiuNiu => &NiuNiu,
    }
}
