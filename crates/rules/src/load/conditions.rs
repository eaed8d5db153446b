//! The `when` of pay lines, and the outcomes they are compiled over. Which keys a condition has is the family's.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::family::FamilyKeys;
use super::reader::{Faulty, Value};
use crate::baccarat::{Condition, Features, FinalHands, Known, Outcome, Side};
use crate::bet::When;
use crate::niu_niu::BoxOutcome;

impl When {
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
    /// The classes of a baccarat round.
    pub(super) fn of_classes() -> Self {
        let reachable = Outcome::reachable().map(Outcome::index).collect();
        Self { count: Outcome::COUNT, reachable, told: Told::Classes }
    }

    /// The classes of a box.
    pub(super) fn of_boxes() -> Self {
        let boxes: Vec<BoxOutcome> = BoxOutcome::reachable().collect();
        let reachable = boxes.iter().map(|outcome| outcome.index()).collect();
        Self { count: BoxOutcome::COUNT, reachable, told: Told::Boxes(boxes) }
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

pub(super) fn when(faulty: &mut Faulty<'_>, value: Value<'_>, keys: &dyn FamilyKeys) -> Option<When> {
    let table = value.table(faulty, "`when`")?;
    let before = faulty.count();
    let when = keys.when(faulty, table);
    // Half a condition would speak of outcomes that the author did not mean.
    (faulty.count() == before).then_some(when)
}
