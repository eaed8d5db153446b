//! When something is to be drilled again: spaced repetition by FSRS 5, per person and per clause.
//!
//! The scheduler is the published one with its default parameters and whole days (`rs-fsrs` 1.2 calls it long-term); a
//! test holds it to the vectors published with it. What is costly is asked for at a higher retention, so that it comes
//! more often. Times are arguments, in days since any day that the caller keeps to.

pub mod simulate;

use std::collections::BTreeMap;

use croupier_rules::Rulebook;
use croupier_rules::irregularity::{IrregularityRule, Remedy};

use crate::chance::Chance;
use crate::situation::Situation;
use crate::topic::Topic;

/// The published default parameters of FSRS 5.
pub const PARAMETERS: [f64; 19] = [
    0.4072, 1.1829, 3.1262, 15.4722, 7.2102, 0.5316, 1.0651, 0.0234, 1.616, 0.1544, 1.0824, 1.9813, 0.0953,
    0.2975, 2.2042, 0.2407, 2.9466, 0.5034, 0.6567,
];
const DECAY: f64 = -0.5;
const FACTOR: f64 = 19.0 / 81.0;
/// What is to be remembered of what costs little and of what costs much.
const RETENTION: (f64, f64) = (0.90, 0.95);
/// The longest interval: nobody goes a year without.
const LONGEST: f64 = 365.0;

/// How an answer went.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rating {
    /// Most of it was wrong.
    Again,
    /// Some of it was.
    Hard,
    /// All was right.
    Good,
    /// All was right, and quickly.
    Easy,
}

impl Rating {
    /// All ratings.
    pub const ALL: [Self; 4] = [Self::Again, Self::Hard, Self::Good, Self::Easy];

    /// The rating of so many right parts.
    #[must_use]
    pub const fn of(right: usize, parts: usize, quick: bool) -> Self {
        if right == parts {
            return if quick { Self::Easy } else { Self::Good };
        }
        if right * 3 >= parts * 2 { Self::Hard } else { Self::Again }
    }

    const fn number(self) -> f64 {
        match self {
            Self::Again => 1.0,
            Self::Hard => 2.0,
            Self::Good => 3.0,
            Self::Easy => 4.0,
        }
    }
}

/// The scheduler.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fsrs {
    /// The parameters.
    pub parameters: [f64; 19],
    /// The share that is to be remembered when something comes again.
    pub retention: f64,
    /// The longest interval, in days.
    pub longest: f64,
}

/// What is known of somebody's memory of one thing.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// In so many days nine in ten remember it.
    pub stability: f64,
    /// From 1, easy, to 10.
    pub difficulty: f64,
    /// The day of the last answer.
    pub day: i64,
    /// The day it is due again.
    pub due: i64,
    /// How often it was answered.
    pub answers: u32,
    /// How often it had been forgotten.
    pub lapses: u32,
    /// Whether the first look, before any briefing, was right.
    pub first: bool,
}

impl Memory {
    /// How likely it is remembered on a day.
    #[must_use]
    pub fn retrievability(&self, day: i64) -> f64 {
        forgetting(days(day - self.day), self.stability)
    }
}

#[expect(clippy::cast_precision_loss, reason = "days of a life are far below 2^52")]
fn days(days: i64) -> f64 {
    days.max(0) as f64
}

#[expect(clippy::cast_possible_truncation, reason = "an interval is bounded by the longest")]
fn whole(days: f64) -> i64 {
    days as i64
}

fn forgetting(elapsed: f64, stability: f64) -> f64 {
    (1.0 + FACTOR * elapsed / stability).powf(DECAY)
}

impl Default for Fsrs {
    fn default() -> Self {
        Self { parameters: PARAMETERS, retention: RETENTION.0, longest: LONGEST }
    }
}

impl Fsrs {
    /// For what is costly.
    #[must_use]
    pub fn costly() -> Self {
        Self { retention: RETENTION.1, ..Self::default() }
    }

    fn first_difficulty(&self, rating: Rating) -> f64 {
        let w = &self.parameters;
        (w[4] - (w[5] * (rating.number() - 1.0)).exp() + 1.0).clamp(1.0, 10.0)
    }

    fn next_difficulty(&self, difficulty: f64, rating: Rating) -> f64 {
        let w = &self.parameters;
        let moved = w[6].mul_add(-(rating.number() - 3.0), difficulty);
        w[7].mul_add(self.first_difficulty(Rating::Easy), (1.0 - w[7]) * moved).clamp(1.0, 10.0)
    }

    fn first_stability(&self, rating: Rating) -> f64 {
        let [again, hard, good, easy, ..] = self.parameters;
        match rating {
            Rating::Again => again,
            Rating::Hard => hard,
            Rating::Good => good,
            Rating::Easy => easy,
        }
        .max(0.1)
    }

    fn next_stability(&self, memory: &Memory, recalled: f64, rating: Rating) -> f64 {
        let w = &self.parameters;
        let Memory { stability, difficulty, .. } = *memory;
        let factor = match rating {
            Rating::Again => {
                return w[11]
                    * difficulty.powf(-w[12])
                    * ((stability + 1.0).powf(w[13]) - 1.0)
                    * ((1.0 - recalled) * w[14]).exp();
            }
            Rating::Hard => w[15],
            Rating::Good => 1.0,
            Rating::Easy => w[16],
        };
        let grown =
            w[8].exp() * (11.0 - difficulty) * stability.powf(-w[9]) * ((1.0 - recalled) * w[10]).exp_m1();
        stability * grown.mul_add(factor, 1.0)
    }

    fn interval(&self, stability: f64) -> f64 {
        (stability / FACTOR * (self.retention.powf(1.0 / DECAY) - 1.0)).round().clamp(1.0, self.longest)
    }

    /// The memory after an answer on a day.
    #[must_use]
    pub fn answered(&self, before: Option<&Memory>, rating: Rating, day: i64) -> Memory {
        let after = |rating: Rating| match before {
            None => (self.first_stability(rating), self.first_difficulty(rating)),
            Some(memory) => {
                let recalled = memory.retrievability(day);
                (
                    self.next_stability(memory, recalled, rating),
                    self.next_difficulty(memory.difficulty, rating),
                )
            }
        };
        // Each better answer leads further than the one below it.
        let [again, hard, good, easy] = Rating::ALL.map(|rating| self.interval(after(rating).0));
        let again = again.min(hard);
        let hard = hard.max(again + 1.0);
        let good = good.max(hard + 1.0);
        let easy = easy.max(good + 1.0);
        let interval = match rating {
            Rating::Again => again,
            Rating::Hard => hard,
            Rating::Good => good,
            Rating::Easy => easy,
        };
        let (stability, difficulty) = after(rating);
        let forgotten = u32::from(before.is_some() && rating == Rating::Again);
        Memory {
            stability,
            difficulty,
            day,
            due: day + whole(interval),
            answers: before.map_or(0, |memory| memory.answers) + 1,
            lapses: before.map_or(0, |memory| memory.lapses) + forgotten,
            first: before.map_or(rating >= Rating::Good, |memory| memory.first),
        }
    }
}

/// What somebody knows: their memory of each topic of a rulebook, and of each clause.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// By rulebook and topic: `hoiana-baccarat jam`.
    #[serde(default)]
    pub topics: BTreeMap<String, Memory>,
    /// By clause: `HB 7.9`.
    #[serde(default)]
    pub clauses: BTreeMap<String, Memory>,
    /// How many drills were answered.
    #[serde(default)]
    pub drills: u64,
}

/// Whether a mistake about it moves much money, or ends a round that could be saved: a ruling returns all wagers, or lets
/// the players choose.
#[must_use]
pub fn is_costly(rulebook: &Rulebook, topic: Topic) -> bool {
    let Topic::Irregularity(irregularity) = topic else { return false };
    let moves = |rule: &IrregularityRule| {
        rule.rulings.iter().any(|ruling| {
            let returns =
                [Remedy::Void, Remedy::FreeHand, Remedy::VoidBox, Remedy::TakeBackAndBurn, Remedy::Reset];
            ruling.withdrawal.is_some() || returns.contains(&ruling.remedy)
        })
    };
    rulebook.irregularity(irregularity).is_some_and(moves)
}

impl Progress {
    fn key(rulebook: &Rulebook, topic: Topic) -> String {
        format!("{} {topic}", rulebook.id)
    }

    /// What is known of a topic.
    #[must_use]
    pub fn topic(&self, rulebook: &Rulebook, topic: Topic) -> Option<&Memory> {
        self.topics.get(&Self::key(rulebook, topic))
    }

    /// Notes an answer.
    pub fn note(&mut self, situation: &Situation, rating: Rating, day: i64) {
        let rulebook = &situation.rulebook;
        let clauses: Vec<String> =
            situation.drilled().into_iter().map(|basis| rulebook.full_id(basis)).collect();
        self.note_topic(rulebook, situation.topic, &clauses, rating, day);
    }

    /// Notes an answer to a drill about a topic that rests on these clauses.
    pub fn note_topic(
        &mut self,
        rulebook: &Rulebook,
        topic: Topic,
        clauses: &[String],
        rating: Rating,
        day: i64,
    ) {
        let fsrs = if is_costly(rulebook, topic) { Fsrs::costly() } else { Fsrs::default() };
        let key = Self::key(rulebook, topic);
        let memory = fsrs.answered(self.topics.get(&key), rating, day);
        self.topics.insert(key, memory);
        for clause in clauses {
            let memory = fsrs.answered(self.clauses.get(clause), rating, day);
            self.clauses.insert(clause.clone(), memory);
        }
        self.drills += 1;
    }

    /// What comes next of these topics: what is due, the most forgotten first and the costly before the rest; then what
    /// was never asked; then what will be forgotten soonest.
    #[must_use]
    pub fn next(&self, rulebook: &Rulebook, topics: &[Topic], day: i64, seed: u64) -> Option<Topic> {
        let mut chance = Chance::new(seed);
        let known = |topic: &Topic| self.topic(rulebook, *topic);
        let urgency = |topic: &Topic, memory: &Memory| {
            let forgotten = 1.0 - memory.retrievability(day);
            if is_costly(rulebook, *topic) { forgotten * 2.0 } else { forgotten }
        };
        let most = |only_due: bool| {
            let all = topics.iter().filter_map(|topic| known(topic).map(|memory| (topic, memory)));
            let all = all.filter(|(_, memory)| !only_due || memory.due <= day);
            all.max_by(|one, other| urgency(one.0, one.1).total_cmp(&urgency(other.0, other.1)))
                .map(|(topic, _)| *topic)
        };
        let fresh: Vec<Topic> = topics.iter().filter(|topic| known(topic).is_none()).copied().collect();
        most(true).or_else(|| chance.pick(&fresh).copied()).or_else(|| most(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights, ratings and results of `test_long_term_scheduler` of rs-fsrs 1.2.1.
    #[test]
    fn the_published_vectors() {
        let parameters = [
            0.4197, 1.1869, 3.0412, 15.2441, 7.1434, 0.6477, 1.0007, 0.0674, 1.6597, 0.1712, 1.1178, 2.0225,
            0.0904, 0.3025, 2.1214, 0.2498, 2.9466, 0.4891, 0.6468,
        ];
        let fsrs = Fsrs { parameters, retention: 0.9, longest: 36_500.0 };
        let (good, again) = (Rating::Good, Rating::Again);
        let ratings = [good, good, good, good, good, good, again, again, good, good, good, good, good];
        let intervals = [3, 13, 48, 155, 445, 1158, 17, 3, 9, 27, 74, 190, 457];
        let stabilities = [
            3.0412, 13.0913, 48.1585, 154.9373, 445.0556, 1158.0778, 16.6306, 2.9888, 9.4633, 26.9474,
            73.9723, 189.7037, 457.4379,
        ];
        let difficulties = [
            4.4909, 4.2666, 4.0575, 3.8624, 3.6804, 3.5108, 5.219, 6.8122, 6.4314, 6.0763, 5.7452, 5.4363,
            5.1483,
        ];
        let mut memory: Option<Memory> = None;
        let mut day = 0;
        for (at, rating) in ratings.into_iter().enumerate() {
            let next = fsrs.answered(memory.as_ref(), rating, day);
            let rounded = |value: f64| (value * 10_000.0).round() / 10_000.0;
            assert_eq!(next.due - day, intervals[at], "interval {at}");
            assert_eq!(rounded(next.stability), stabilities[at], "stability {at}");
            assert_eq!(rounded(next.difficulty), difficulties[at], "difficulty {at}");
            day = next.due;
            memory = Some(next);
        }
    }

    /// The first retrievabilities of `test_get_retrievability`: at the interval of an easy first answer.
    #[test]
    fn what_is_remembered() {
        let easy = Fsrs { longest: 36_500.0, ..Fsrs::default() }.answered(None, Rating::Easy, 0);
        assert_eq!(easy.due, 15);
        assert_eq!((easy.retrievability(15) * 1e7).round() / 1e7, 0.902_620_8);
        assert_eq!(easy.retrievability(0), 1.0);
    }

    #[test]
    fn an_answer_is_rated_by_its_parts() {
        assert_eq!(Rating::of(6, 6, false), Rating::Good);
        assert_eq!(Rating::of(6, 6, true), Rating::Easy);
        assert_eq!(Rating::of(4, 6, true), Rating::Hard);
        assert_eq!(Rating::of(3, 6, false), Rating::Again);
    }

    #[test]
    fn what_is_costly_comes_sooner() {
        let (plain, costly) = (Fsrs::default(), Fsrs::costly());
        let mut memories = (None, None);
        for day in [0, 30, 60] {
            memories.0 = Some(plain.answered(memories.0.as_ref(), Rating::Good, day));
            memories.1 = Some(costly.answered(memories.1.as_ref(), Rating::Good, day));
            let (Some(plain), Some(costly)) = (&memories.0, &memories.1) else { unreachable!() };
            assert!(costly.due <= plain.due, "{day}");
        }
        let (Some(plain), Some(costly)) = (memories.0, memories.1) else { unreachable!() };
        assert!(costly.due < plain.due);
    }
}
