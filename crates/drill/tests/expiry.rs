//! Examinations, and what of a certificate a new version of its rulebook expires.
#![expect(clippy::unwrap_used, reason = "a test")]

use croupier_drill::Generator;
use croupier_drill::exam::{Examination, Sheet, changed, expired};
use croupier_rules::{Library, Rulebook};
use croupier_table::Rank;

const TEXT: &str = include_str!("../../../rulebooks/hoiana-baccarat.toml");

fn examination(rank: &str, seed: u64) -> Examination {
    let library = Library::standard();
    let (rulebook, game) = library.find("horseshoe-dragon-bonus").unwrap();
    let generator = Generator::new(rulebook, game).unwrap();
    Examination::new(&generator, Rank(rulebook.rank(rank).unwrap()), seed)
}

#[test]
fn an_examination_is_fixed_and_has_a_standard() {
    let library = Library::standard();
    let (rulebook, _) = library.find("horseshoe-dragon-bonus").unwrap();
    let rank = rulebook.ranks.last().unwrap().id.clone();
    let exam = examination(&rank, 5);
    let again = examination(&rank, 5);
    let texts = |exam: &Examination| -> Vec<String> {
        exam.drills.iter().map(|drill| drill.text(croupier_drill::Language::En)).collect()
    };
    assert_eq!(texts(&exam), texts(&again));
    assert_ne!(texts(&exam), texts(&examination(&rank, 6)));
    let mut answers: Vec<_> = exam
        .drills
        .iter()
        .map(|drill| drill.parts.iter().map(|part| Some(part.key())).collect::<Vec<_>>())
        .collect();
    let full = exam.mark(&Sheet { answers: answers.clone() });
    assert!(full.passed && full.right == full.parts && full.missed.is_empty() && !full.clauses.is_empty());
    assert!(!exam.mark(&Sheet::default()).passed, "nothing answered");
    // 85 of 100: the last part too many is not passed any more.
    let most = full.parts - (full.parts * 85).div_ceil(100);
    let mut taken = 0;
    for answer in answers.iter_mut().flatten() {
        if taken < most {
            *answer = None;
            taken += 1;
        }
    }
    let just = exam.mark(&Sheet { answers: answers.clone() });
    assert!(just.passed && just.right == full.right - most, "{just:?}");
    *answers.iter_mut().flatten().find(|answer| answer.is_some()).unwrap() = None;
    assert!(!exam.mark(&Sheet { answers }).passed, "one below the standard");
}

#[test]
fn a_new_version_expires_only_what_it_touches() {
    let before = Rulebook::parse(TEXT).unwrap();
    let all: Vec<String> = before
        .index
        .clauses()
        .iter()
        .filter_map(|clause| before.index.find(&clause.id))
        .map(|basis| before.full_id(basis))
        .collect();
    assert_eq!(changed(&before, &before).len(), 0);
    // Another version number touches nothing.
    let mut later = before.clone();
    later.version = "99".to_string();
    assert_eq!(expired(&all, &before, &later), Vec::<String>::new());
    // A ruling that needs another rank touches the clauses of that ruling and no other irregularity.
    let rule = later
        .irregularities
        .iter_mut()
        .find(|rule| rule.irregularity == croupier_rules::Irregularity::WrongOrder)
        .unwrap();
    let cites: Vec<String> = rule.rulings[0].cites.iter().map(|basis| before.full_id(*basis)).collect();
    rule.rulings[0].needs = Some(croupier_rules::authority::Needs::Rank(6));
    let mut gone = expired(&all, &before, &later);
    gone.sort();
    let mut wanted = cites;
    wanted.sort();
    wanted.dedup();
    assert_eq!(gone, wanted);
    // A clause that says something else touches itself.
    let mut other = before.clone();
    let mut clauses = other.index.clauses().to_vec();
    clauses[3].says.push_str(", and more");
    let id = before.full_id(before.index.find(&clauses[3].id).unwrap());
    other.index =
        croupier_rules::clause::ClauseIndex::new(clauses).with_readings(before.index.readings().to_vec());
    assert_eq!(expired(&all, &before, &other), [id]);
}
