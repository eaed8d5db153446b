//! A class that forgets: what the schedule does to its retention.
//!
//! Everybody has a memory of their own, as strong or weak as the seed says, which the schedule does not know; it sees
//! right and wrong answers only. No answer is asked of anybody: what a drill asks does not matter here.

use std::collections::BTreeMap;

use croupier_rules::Rulebook;

use super::{Fsrs, Memory, Progress, Rating, forgetting, is_costly};
use crate::chance::Chance;
use crate::topic::Topic;

/// Every so many days retention is measured.
pub const STEP: u16 = 15;
/// Of a hundred things somebody knows so many before any briefing.
const KNOWN: usize = 35;

/// A class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// How many people.
    pub students: u32,
    /// For how many days.
    pub days: u16,
    /// How many drills each has a day; on five days of seven.
    pub drills_a_day: u32,
    /// Who they are.
    pub seed: u64,
}

/// What came of it. Shares are of one, measured every [`STEP`] days.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Retention {
    /// The mean chance that a topic that somebody has met is remembered.
    pub retention: Vec<f64>,
    /// Of the costly ones.
    pub costly: Vec<f64>,
    /// Of the others.
    pub others: Vec<f64>,
    /// The share of the topics that were met.
    pub met: Vec<f64>,
    /// Drills in all.
    pub drills: u64,
    /// By topic.
    pub topics: Vec<OfTopic>,
}

/// What is known of one topic.
#[derive(Clone, PartialEq, Debug)]
pub struct OfTopic {
    /// Which.
    pub topic: Topic,
    /// Its clauses.
    pub clauses: Vec<String>,
    /// The share of first looks that were right.
    pub first: f64,
    /// Drills a person.
    pub drills: f64,
    /// As above, over those who have met it.
    pub retention: Vec<f64>,
}

/// Somebody of the class.
struct Student {
    progress: Progress,
    /// How much longer than the average they remember.
    strength: f64,
    /// What they really remember.
    truth: BTreeMap<Topic, Memory>,
    asked: BTreeMap<Topic, u32>,
    first: BTreeMap<Topic, bool>,
    chance: Chance,
}

impl Student {
    fn new(seed: u64, number: u32) -> Self {
        let mut chance = Chance::new(seed).fork(u64::from(number) + 1);
        let strength = 0.6 + share(chance.below(101)) * 0.9;
        let (truth, asked, first) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { progress: Progress::default(), strength, truth, asked, first, chance }
    }

    fn remembers(&self, topic: Topic, day: u16) -> Option<f64> {
        let memory = self.truth.get(&topic)?;
        Some(forgetting(f64::from(day) - day_of(memory), memory.stability * self.strength))
    }

    fn answer(&mut self, rulebook: &Rulebook, topic: Topic, clauses: &[String], day: u16) {
        let knows = self.remembers(topic, day).unwrap_or(share(KNOWN));
        let right = share(self.chance.below(100)) < knows;
        let rating = if right { Rating::Good } else { Rating::Again };
        self.first.entry(topic).or_insert(right);
        *self.asked.entry(topic).or_default() += 1;
        let truth = Fsrs::default().answered(self.truth.get(&topic), rating, i64::from(day));
        self.truth.insert(topic, truth);
        self.progress.note_topic(rulebook, topic, clauses, rating, i64::from(day));
    }
}

fn share(of_a_hundred: usize) -> f64 {
    u32::try_from(of_a_hundred).map_or(0.0, f64::from) / 100.0
}

fn day_of(memory: &Memory) -> f64 {
    i32::try_from(memory.day).map_or(0.0, f64::from)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

/// The clauses of a topic: what describes it, and what its rulings rest on.
fn clauses(rulebook: &Rulebook, topic: Topic) -> Vec<String> {
    let Topic::Irregularity(irregularity) = topic else { return Vec::new() };
    let rule = rulebook.irregularity(irregularity);
    let rulings = rule.into_iter().flat_map(|rule| rule.rulings.iter().flat_map(|ruling| &ruling.cites));
    let mut all: Vec<String> = rule
        .into_iter()
        .flat_map(|rule| &rule.cites)
        .chain(rulings)
        .map(|basis| rulebook.full_id(*basis))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Half a year, or any other time, of a class.
#[must_use]
pub fn run(rulebook: &Rulebook, topics: &[Topic], class: &Class) -> Retention {
    let mut students: Vec<Student> =
        (0..class.students).map(|number| Student::new(class.seed, number)).collect();
    let of_topic = |topic: &Topic| OfTopic {
        topic: *topic,
        clauses: clauses(rulebook, *topic),
        first: 0.0,
        drills: 0.0,
        retention: Vec::new(),
    };
    let mut result = Retention { topics: topics.iter().map(of_topic).collect(), ..Retention::default() };
    for day in 0..=class.days {
        if day % STEP == 0 {
            measure(&mut result, &students, rulebook, day);
        }
        if day % 7 >= 5 {
            continue;
        }
        for student in &mut students {
            for _ in 0..class.drills_a_day {
                let seed = student.chance.next();
                let next = student.progress.next(rulebook, topics, i64::from(day), seed);
                let Some(of) = result.topics.iter().find(|of| Some(of.topic) == next) else { continue };
                student.answer(rulebook, of.topic, &of.clauses, day);
                result.drills += 1;
            }
        }
    }
    for of in &mut result.topics {
        let first = students.iter().filter_map(|student| student.first.get(&of.topic));
        of.first = mean(first.map(|right| f64::from(u8::from(*right))));
        of.drills = mean(
            students
                .iter()
                .map(|student| student.asked.get(&of.topic).map_or(0.0, |count| f64::from(*count))),
        );
    }
    result
}

fn measure(result: &mut Retention, students: &[Student], rulebook: &Rulebook, day: u16) {
    let of = |wanted: &dyn Fn(Topic) -> bool, topics: &[OfTopic]| {
        let known = students.iter().flat_map(|student| {
            topics.iter().filter(|of| wanted(of.topic)).filter_map(|of| student.remembers(of.topic, day))
        });
        mean(known.collect::<Vec<_>>().into_iter())
    };
    let costly = |topic: Topic| is_costly(rulebook, topic);
    result.retention.push(of(&|_| true, &result.topics));
    result.costly.push(of(&costly, &result.topics));
    result.others.push(of(&|topic| !costly(topic), &result.topics));
    let met = students.iter().map(|student| {
        mean(result.topics.iter().map(|of| f64::from(u8::from(student.truth.contains_key(&of.topic)))))
    });
    result.met.push(mean(met));
    for topic in &mut result.topics {
        let known = students.iter().filter_map(|student| student.remembers(topic.topic, day));
        topic.retention.push(mean(known));
    }
}

#[cfg(test)]
mod tests {
    use croupier_rules::Library;

    use super::*;
    use crate::Generator;

    #[test]
    fn a_class_of_fifty_keeps_what_it_has_met() {
        let library = Library::standard();
        let Some((rulebook, game)) = library.find("hoiana-baccarat/commission") else { unreachable!() };
        let Ok(generator) = Generator::new(rulebook, game) else { unreachable!() };
        let topics = generator.topics();
        let class = Class { students: 50, days: 180, drills_a_day: 4, seed: 1 };
        let result = run(rulebook, &topics, &class);
        assert_eq!(result, run(rulebook, &topics, &class), "the same seed, the same class");
        let last = |values: &[f64]| values.last().copied().unwrap_or(0.0);
        assert!(last(&result.met) > 0.99, "all was met: {:?}", result.met);
        assert!(last(&result.retention) > 0.85, "{:?}", result.retention);
        assert!(last(&result.costly) > last(&result.others), "{:?} {:?}", result.costly, result.others);
        // Without drills after the first month it is forgotten: the schedule does it.
        let idle = Class { drills_a_day: 0, ..class };
        assert!(run(rulebook, &topics, &idle).met.iter().all(|met| *met == 0.0));
    }
}
