//! Examinations: a fixed set of drills at a fixed standard, and what a certificate is still worth under a later version
//! of its rulebook.

use std::collections::BTreeSet;

use croupier_rules::Rulebook;
use croupier_rules::difference::{Change, Part, between, items};
use croupier_table::Rank;
use sha2::{Digest as _, Sha256};

use crate::generate::{Generator, Wanted};
use crate::question::Answer;
use crate::situation::Situation;
use crate::topic::Topic;

/// Of a hundred parts so many must be right.
pub const STANDARD: usize = 85;
/// A certificate is good for so many days.
pub const VALID_DAYS: i64 = 365;

/// An examination: the drills of a seed for a rank.
#[derive(Clone, Debug)]
pub struct Examination {
    /// What it was made from.
    pub seed: u64,
    /// Who is examined.
    pub rank: Rank,
    /// The drills, in their order.
    pub drills: Vec<Situation>,
}

/// The answers to an examination, part by part; nothing where none was given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sheet {
    /// For each drill its parts.
    pub answers: Vec<Vec<Option<Answer>>>,
}

/// What an examination came to.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marked {
    /// Parts that are right.
    pub right: usize,
    /// Of how many.
    pub parts: usize,
    /// Enough were.
    pub passed: bool,
    /// The clauses of the drills in which everything was right.
    pub clauses: Vec<String>,
    /// Those of the others.
    pub missed: Vec<String>,
}

impl Examination {
    /// The examination of a seed: each topic of the game once, in an order by chance.
    #[must_use]
    pub fn new(generator: &Generator, rank: Rank, seed: u64) -> Self {
        let mut topics: Vec<Topic> = generator.topics();
        crate::chance::Chance::new(seed).shuffle(&mut topics);
        let deal = |(at, topic): (u64, Topic)| {
            let own = seed.wrapping_mul(1_000).wrapping_add(at);
            generator.situation(own, &Wanted { topic: Some(topic), rank: Some(rank) })
        };
        Self { seed, rank, drills: (0..).zip(topics).filter_map(deal).collect() }
    }

    /// Marks a sheet. A part without an answer is wrong.
    #[must_use]
    pub fn mark(&self, sheet: &Sheet) -> Marked {
        let (mut right, mut parts) = (0, 0);
        let (mut known, mut missed) = (BTreeSet::new(), BTreeSet::new());
        for (at, drill) in self.drills.iter().enumerate() {
            let answers = sheet.answers.get(at).map(Vec::as_slice).unwrap_or_default();
            let of = drill.marked(answers);
            right += of.iter().filter(|right| **right).count();
            parts += of.len();
            let list = if of.iter().all(|right| *right) { &mut known } else { &mut missed };
            list.extend(drill.drilled().into_iter().map(|basis| drill.rulebook.full_id(basis)));
        }
        // What was missed once is not known.
        known.retain(|clause| !missed.contains(clause));
        let passed = parts > 0 && right * 100 >= parts * STANDARD;
        Marked {
            right,
            parts,
            passed,
            clauses: known.into_iter().collect(),
            missed: missed.into_iter().collect(),
        }
    }
}

impl Situation {
    /// Which parts are right.
    #[must_use]
    pub fn marked(&self, answers: &[Option<Answer>]) -> Vec<bool> {
        let given = |at: usize| answers.get(at).and_then(Option::as_ref);
        self.parts
            .iter()
            .enumerate()
            .map(|(at, part)| given(at).is_some_and(|answer| part.marks(answer)))
            .collect()
    }
}

/// A rulebook by what it says, so that a certificate names the very text it was made for.
#[must_use]
pub fn rulebook_hash(toml: &str) -> String {
    Sha256::digest(toml.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Of the clauses of a certificate those that a new version of the rulebook has touched; only these expire.
#[must_use]
pub fn expired(held: &[String], before: &Rulebook, after: &Rulebook) -> Vec<String> {
    let changed = changed(before, after);
    held.iter().filter(|clause| changed.contains(*clause)).cloned().collect()
}

/// The clauses and readings, by their full ids, that a new version touches: those that were added, removed or changed,
/// and those on which anything rests that says something else now.
#[must_use]
pub fn changed(before: &Rulebook, after: &Rulebook) -> BTreeSet<String> {
    let mut touched = BTreeSet::new();
    let mut ranks: Vec<String> = Vec::new();
    for change in between(before, after) {
        match change {
            Change::Added(item) | Change::Removed(item) => {
                let aspects = item.aspects.iter().map(|aspect| aspect.text.as_str());
                add(&mut touched, [before, after], item.part, &item.id, aspects);
            }
            Change::Changed { part: Part::Rank, id, .. } => ranks.push(id),
            // The version and the names say nothing of the rules; when a round begins concerns all of them.
            Change::Changed { part: Part::Rulebook, aspects, .. } => {
                if aspects.iter().any(|aspect| RULES_OF_PLAY.contains(&aspect.name.as_str())) {
                    return all(before).chain(all(after)).collect();
                }
            }
            Change::Changed { part, id, variant, aspects } => {
                let texts: Vec<String> = aspects
                    .iter()
                    .flat_map(|aspect| aspect.before.iter().chain(&aspect.after).cloned())
                    .collect();
                let known = touched.len();
                add(&mut touched, [before, after], part, &id, texts.iter().map(String::as_str));
                // What changes without a clause beside it, such as a name, concerns whatever the item rests on.
                if touched.len() == known {
                    for item in items(before).into_iter().chain(items(after)) {
                        if item.part == part && item.id == id && item.variant == variant {
                            let aspects = item.aspects.iter().map(|aspect| aspect.text.as_str());
                            add(&mut touched, [before, after], part, &id, aspects);
                        }
                    }
                }
            }
            Change::Reordered { .. } => {}
        }
    }
    // A rank that stands elsewhere concerns whatever needs it.
    for rank in ranks {
        for item in items(before).into_iter().chain(items(after)) {
            if item.aspects.iter().any(|aspect| aspect.text.contains(&rank)) && item.part != Part::Rank {
                let aspects = item.aspects.iter().map(|aspect| aspect.text.as_str());
                add(&mut touched, [before, after], item.part, &item.id, aspects);
            }
        }
    }
    touched
}

/// What of a rulebook itself is a rule.
const RULES_OF_PLAY: [&str; 3] = ["family", "a round begins with", "the outcome is established by"];

fn all(rulebook: &Rulebook) -> impl Iterator<Item = String> {
    let index = &rulebook.index;
    let clauses = index.clauses().iter().map(|clause| clause.id.as_str());
    let ids = clauses.chain(index.readings().iter().map(|reading| reading.id.as_str()));
    ids.filter_map(|id| index.find(id)).map(|basis| rulebook.full_id(basis)).collect::<Vec<_>>().into_iter()
}

/// Adds the clauses that an item is, or that stand in what is said of it.
fn add<'t>(
    touched: &mut BTreeSet<String>,
    books: [&Rulebook; 2],
    part: Part,
    id: &str,
    texts: impl Iterator<Item = &'t str>,
) {
    let mut insert = |word: &str| {
        for book in books {
            touched.extend(book.index.find(word).map(|basis| book.full_id(basis)));
        }
    };
    match part {
        Part::Clause => insert(id),
        Part::Reading => {
            insert(id);
            // What it says is prose; the clauses that it reads are listed.
            for book in books {
                let reading = book.index.readings().iter().find(|reading| reading.id == id);
                for basis in reading.iter().flat_map(|reading| &reading.clauses) {
                    insert(book.index.id(*basis));
                }
            }
        }
        Part::Rulebook
        | Part::Variant
        | Part::Bet
        | Part::Insurance
        | Part::Limits
        | Part::Hand
        | Part::Rule
        | Part::Rank
        | Part::Power
        | Part::Irregularity
        | Part::Layout
        | Part::Area
        | Part::Setting => {
            texts.flat_map(|text| text.split([' ', ',', ';'])).for_each(insert);
        }
    }
}
