//! Generated drills: every topic and every rank comes up, every answer key is carried out to the next round, and every
//! kind of wrong answer is marked wrong.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};

use croupier_drill::{Answer, Form, Generator, Kind, Situation, Topic, Wanted};
use croupier_rules::{Amount, Library};

/// How many drills a game: 10,000 with `CROUPIER_LONG=1`.
fn count() -> u64 {
    if std::env::var_os("CROUPIER_LONG").is_some() { 10_000 } else { 100 }
}

fn generator(game: &str) -> Generator {
    let library = Library::standard();
    let (rulebook, game) = library.find(game).unwrap();
    Generator::new(rulebook, game).unwrap()
}

/// Answers to a part that are wrong, one of each kind.
fn mutations(part: &croupier_drill::Part) -> Vec<Answer> {
    match &part.form {
        Form::One { options, right } => {
            let others = (0..=options.len()).filter(|at| !right.contains(at));
            others.map(Answer::One).chain([Answer::All(right.clone())]).collect()
        }
        Form::All { options, right } => {
            let flip = |at: usize| {
                let mut all = right.clone();
                if !all.remove(&at) {
                    all.insert(at);
                }
                Answer::All(all)
            };
            (0..options.len()).map(flip).collect()
        }
        Form::Amounts { right, .. } => {
            let all: Vec<i64> = right.iter().map(|amount: &Amount| amount.minor()).collect();
            let mut wrong = Vec::new();
            for at in 0..all.len() {
                for other in [all[at] + 1, all[at] - 1, -all[at], 0] {
                    if other != all[at] {
                        let mut given = all.clone();
                        given[at] = other;
                        wrong.push(Answer::Amounts(given));
                    }
                }
            }
            wrong.push(Answer::Amounts(all[1..].to_vec()));
            wrong
        }
    }
}

fn check(drill: &Situation, kinds: &mut BTreeMap<&'static str, usize>) {
    let at = format!("{} seed {} {}", drill.game.id, drill.seed, drill.topic);
    assert!(drill.outcome.complete, "{at}: not carried out to the next round\n{}", tell(drill));
    for (wager, net) in drill.wagers.iter().zip(&drill.outcome.nets) {
        assert!(net.is_some(), "{at}: {wager:?} neither ended nor went back\n{}", tell(drill));
    }
    for part in &drill.parts {
        assert!(part.marks(&part.key()), "{at}: the key of {:?} is marked wrong", part.kind);
        for wrong in mutations(part) {
            assert!(!part.marks(&wrong), "{at}: {wrong:?} is marked right for {part:?}");
            *kinds.entry(part.kind.key()).or_default() += 1;
        }
    }
    let rulings = drill.parts.iter().find(|part| part.kind == Kind::Rulings);
    if let Some(Form::All { right, .. }) = rulings.map(|part| &part.form) {
        assert!(!right.is_empty(), "{at}: nobody may rule anything");
    }
}

fn tell(drill: &Situation) -> String {
    let language = croupier_drill::Language::En;
    let mut text = drill.text(language);
    text.push_str(&format!("ruled {:?}\n", drill.ruling(language)));
    text.push_str(&drill.told(drill.outcome.steps.iter()).join("\n"));
    text
}

fn all(game: &str) {
    let drills = generator(game);
    let (mut topics, mut asked, mut ruling): (BTreeSet<Topic>, BTreeSet<u8>, BTreeSet<u8>) =
        Default::default();
    let mut kinds = BTreeMap::new();
    for seed in 0..count() {
        let drill = drills.situation(seed, &Wanted::default()).unwrap();
        check(&drill, &mut kinds);
        topics.insert(drill.topic);
        asked.insert(drill.asked.rank.0);
        for part in drill.parts.iter().filter(|part| part.kind == Kind::ByWhom) {
            if let (Form::One { options, right }, Answer::One(_)) = (&part.form, part.key()) {
                for at in right {
                    if let croupier_drill::Choice::Rank(rank) = options[*at] {
                        ruling.insert(rank);
                    }
                }
            }
        }
    }
    let missing: Vec<&str> =
        drills.topics().iter().filter(|topic| !topics.contains(topic)).map(|topic| topic.key()).collect();
    eprintln!(
        "{game}: {} drills, {} topics, mutations {kinds:?}, ranks asked {asked:?}, ruling {ruling:?}, missing {missing:?}",
        count(),
        topics.len()
    );
    // What did not come up by itself comes up when asked for.
    let mut never = Vec::new();
    for topic in drills.topics() {
        match drills.situation(1, &Wanted { topic: Some(topic), rank: None }) {
            Some(drill) => check(&drill, &mut kinds),
            None => never.push(topic.key()),
        }
    }
    // Whoever is asked for is asked.
    for rank in (0..).map(croupier_table::Rank).take(drills.rulebook().ranks.len()) {
        let drill = drills.situation(3, &Wanted { topic: None, rank: Some(rank) }).unwrap();
        assert_eq!(drill.asked.rank, rank, "{game}");
    }
    // Still open: a burn that was forgotten is seen at the first card, and comes to light later only where cards were drawn
    // together; in Niu Niu the route passes a box over, and the table does not come to these two on it.
    let open: &[&str] = match game {
        game if game.starts_with("hoiana-baccarat") || game.starts_with("hoiana-dragon-tiger") => {
            &["no-burn-later"]
        }
        "hoiana-niu-niu" => &["box-skipped-handled", "box-skipped-cannot-rebuild"],
        _ => &[],
    };
    assert_eq!(never, open, "{game}: never come up");
    assert_eq!(asked.len(), drills.rulebook().ranks.len(), "{game}: not every rank is asked");
}

#[test]
fn hoiana_baccarat_commission() {
    all("hoiana-baccarat/commission");
}
#[test]
fn hoiana_baccarat_non_commission() {
    all("hoiana-baccarat/non-commission");
}
#[test]
fn hoiana_dragon_tiger_commission() {
    all("hoiana-dragon-tiger/commission");
}
#[test]
fn hoiana_dragon_tiger_non_commission() {
    all("hoiana-dragon-tiger/non-commission");
}
#[test]
fn mbs_dragon_tiger() {
    all("mbs-dragon-tiger");
}
#[test]
fn horseshoe_dragon_bonus() {
    all("horseshoe-dragon-bonus");
}
#[test]
fn hoiana_niu_niu() {
    all("hoiana-niu-niu");
}
