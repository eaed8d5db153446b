//! Every scenario passes, and together they prove every clause that can be executed.

use std::collections::BTreeSet;

use croupier_rounds::coverage::Evidence;
use croupier_rounds::scenarios::STANDARD;
use croupier_rounds::{RoundFile, run};
use croupier_rules::clause::Basis;
use croupier_rules::{Game, Library, Rule, Rulebook};

#[test]
fn every_scenario_passes() {
    let library = Library::standard();
    let evidence = Evidence::standard(&library);
    assert_eq!(evidence.failures, []);
    assert_eq!(evidence.scenarios, STANDARD.len());
}

/// What lies in `scenarios/` is what comes with Croupier, and nothing is left out of it.
#[test]
fn every_file_is_a_scenario() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut files = BTreeSet::new();
    for rulebook in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        for file in std::fs::read_dir(&rulebook).unwrap().map(|entry| entry.unwrap().path()) {
            files.insert(file.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/"));
        }
    }
    let known: BTreeSet<String> = STANDARD.iter().map(|scenario| scenario.path.to_owned()).collect();
    assert_eq!(known, files);
}

#[test]
fn every_scenario_says_what_it_shows_and_proves_something() {
    let library = Library::standard();
    for scenario in STANDARD {
        let file = scenario.file().unwrap();
        assert!(file.title().is_some(), "{} has no title", scenario.path);
        assert!(file.proves().next().is_some(), "{} proves nothing", scenario.path);
        let expectations = file.statements.iter().map(|statement| statement.expect.len()).sum::<usize>();
        assert!(expectations > 0, "{} expects nothing", scenario.path);
        let (rulebook, _) = library.find(file.game().unwrap()).unwrap();
        assert!(scenario.path.starts_with(&format!("{}/", rulebook.id)), "{} lies elsewhere", scenario.path);
    }
}

#[test]
fn printing_a_scenario_loses_nothing() {
    for scenario in STANDARD {
        let file = scenario.file().unwrap();
        let printed = file.to_string();
        assert_eq!(RoundFile::parse(&printed).as_ref(), Ok(&file), "{}", scenario.path);
        assert_eq!(RoundFile::parse(&printed).unwrap().to_string(), printed, "{}", scenario.path);
    }
}

/// What the rulebook's own data lets the engine cite, it must have been made to cite.
#[test]
fn every_clause_that_the_engine_can_cite_is_proved() {
    let library = Library::standard();
    let evidence = Evidence::standard(&library);
    for rulebook in library.rulebooks() {
        let citable: BTreeSet<&str> = rulebook
            .games
            .iter()
            .flat_map(|game| citable(rulebook, game))
            .filter_map(|basis| rulebook.index.clause(basis))
            .filter(|clause| clause.is_executable())
            .map(|clause| clause.id.as_str())
            .collect();
        let unproved: Vec<&str> =
            citable.into_iter().filter(|id| evidence.of(&rulebook.id, id).is_empty()).collect();
        assert_eq!(unproved, [""; 0], "{}", rulebook.id);
    }
}

fn citable(rulebook: &Rulebook, game: &Game) -> Vec<Basis> {
    let mut all: Vec<Basis> = Vec::new();
    all.extend(Rule::ALL.iter().flat_map(|rule| game.cites(*rule)));
    all.extend(game.variant.iter().flat_map(|variant| &variant.cites));
    all.extend(rulebook.layouts.iter().flat_map(|layout| &layout.cites));
    for bet in &game.bets {
        all.extend(&bet.cites);
        all.extend(bet.pays.lines().iter().flat_map(|line| &line.cites));
        all.extend(bet.at_most.iter().chain(&bet.excludes).flat_map(|(_, cites)| cites));
        if let Some(reserve) = &bet.reserve {
            all.extend(&reserve.cites);
            all.extend(reserve.lost.lines().iter().flat_map(|line| &line.cites));
        }
    }
    all.extend(game.insurance.iter().flat_map(|table| &table.lines).flat_map(|line| &line.cites));
    all.extend(croupier_rules::niu_niu::Category::ALL.iter().flat_map(|category| game.hand_cites(*category)));
    all.extend(game.limits.below_minimum.iter().flat_map(|(_, cites)| cites));
    all.extend(game.limits.above_maximum.iter().flatten());
    all.extend(game.limits.pro_rata.iter().flat_map(|(cites, small)| cites.iter().chain(small)));
    all.extend(rulebook.powers.iter().flat_map(|rule| &rule.cites));
    for rule in &rulebook.irregularities {
        all.extend(&rule.cites);
        all.extend(rule.rulings.iter().flat_map(|ruling| &ruling.cites));
        let withdrawals = rule.rulings.iter().filter_map(|ruling| ruling.withdrawal.as_ref());
        all.extend(withdrawals.flat_map(|withdrawal| &withdrawal.cites));
    }
    all
}

#[test]
fn every_executable_clause_is_proved() {
    let library = Library::standard();
    let evidence = Evidence::standard(&library);
    for rulebook in library.rulebooks() {
        assert_eq!(evidence.coverage(rulebook).missing, [""; 0], "{}", rulebook.id);
    }
}

/// A scenario that names a clause it does not touch fails; a claim alone is no proof.
#[test]
fn a_claim_without_a_citation_fails() {
    let text =
        "title Claim\ngame mbs-dragon-tiger\nproves 5.17\nround\nann bets tie 10 => -10\ncards 9C KS KD 2H\n";
    let report = run(&Library::standard(), &RoundFile::parse(text).unwrap());
    let failures: Vec<&str> = report.failures().map(|check| check.expected.as_str()).collect();
    assert_eq!(failures, ["clause 5.17 is cited"]);
}
