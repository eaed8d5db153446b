//! The catalogue of irregularities is played through: every row that a rulebook knows has a scenario, every
//! ruling that needs a rank is refused to a lower one somewhere, and the page for staff names them all.

use std::collections::BTreeSet;

use croupier_rounds::scenarios::{STANDARD, Scenario};
use croupier_rounds::{Action, Expectation, Fact, Refused, Report, RoundFile, run};
use croupier_rules::authority::Needs;
use croupier_rules::irregularity::Ruling;
use croupier_rules::{Irregularity, Library, Rulebook};
use croupier_table::{Fact as TableFact, Why};

/// The page for staff.
const PAGE: &str = include_str!("../../../docs/irregularities.md");

/// How many rows the catalogue has.
const ROWS: u8 = 62;

/// Which rulebooks a row applies to, by their abbreviations.
///
/// The sheet of Dragon Bonus rules on nothing, so that every row of baccarat comes down to the last one; named
/// here are those that must be played through all the same.
const APPLIES: &[(u8, &str)] = &[
    (1, "HB HDT MBS NN DB"),
    (2, "HB HDT MBS NN DB"),
    (3, "HB HDT MBS NN DB"),
    (4, "HB HDT MBS NN DB"),
    (5, "HB HDT MBS NN"),
    (6, "HB HDT MBS NN"),
    (7, "HB HDT MBS"),
    (8, "HB HDT MBS NN"),
    (9, "HB HDT MBS"),
    (10, "HB HDT MBS"),
    (11, "HB HDT MBS NN"),
    (12, "MBS"),
    (13, "HB HDT MBS"),
    (14, "HB HDT MBS"),
    (15, "HB HDT MBS"),
    (16, "HB HDT MBS"),
    (17, "HB HDT MBS"),
    (18, "HB HDT MBS DB"),
    (19, "HB HDT MBS DB"),
    (20, "HB HDT MBS DB"),
    (21, "HB HDT MBS"),
    (22, "HB HDT MBS"),
    (23, "HB HDT MBS"),
    (24, "HB HDT MBS"),
    (25, "HB HDT MBS"),
    (26, "HB HDT MBS"),
    (27, "HB HDT MBS"),
    (28, "HB HDT MBS"),
    (29, "HB HDT MBS"),
    (30, "MBS"),
    (31, "NN"),
    (32, "HB HDT MBS NN DB"),
    (33, "HB HDT MBS NN DB"),
    (34, "HB HDT MBS NN"),
    (35, "MBS NN DB"),
    (36, "MBS"),
    (37, "HB HDT MBS NN"),
    (38, "HB HDT MBS NN"),
    (39, "HB HDT MBS NN DB"),
    (40, "HB HDT MBS DB"),
    (41, "HB HDT MBS"),
    (42, "HB HDT MBS"),
    (43, "HB HDT"),
    (44, "NN"),
    (45, "NN"),
    (46, "HB"),
    (47, "HB"),
    (48, "HB"),
    (49, "HB"),
    (50, "HB HDT MBS DB"),
    (51, "HB HDT MBS DB"),
    (52, "HB HDT MBS NN DB"),
    (53, "HB HDT MBS NN DB"),
    (54, "HB HDT MBS NN DB"),
    (55, "NN"),
    (56, "NN"),
    (57, "NN"),
    (58, "NN"),
    (59, "NN"),
    (60, "NN"),
    (61, "HB HDT MBS NN DB"),
    (62, "NN"),
];

fn of<'s>(
    rulebook: &Rulebook,
    scenarios: &'s [Scenario<'static>],
) -> impl Iterator<Item = &'s Scenario<'static>> {
    let folder = format!("{}/", rulebook.id);
    scenarios.iter().filter(move |scenario| scenario.path.starts_with(&folder))
}

#[test]
fn the_table_of_rows_is_the_catalogue() {
    let rows: Vec<u8> = APPLIES.iter().map(|(row, _)| *row).collect();
    assert_eq!(rows, (1..=ROWS).collect::<Vec<u8>>());
    let library = Library::standard();
    let known: BTreeSet<&str> =
        library.rulebooks().iter().map(|rulebook| rulebook.abbreviation.as_str()).collect();
    let named: BTreeSet<&str> = APPLIES.iter().flat_map(|(_, books)| books.split(' ')).collect();
    assert_eq!(named, known);
    // What a rulebook's own data rules on applies to it.
    for rulebook in library.rulebooks() {
        for rule in &rulebook.irregularities {
            let row = rule.irregularity.row();
            let applies = APPLIES.iter().any(|(known, books)| {
                *known == row && books.split(' ').any(|book| book == rulebook.abbreviation)
            });
            assert!(applies, "{} rules on row {row}, {}", rulebook.abbreviation, rule.irregularity);
        }
    }
}

#[test]
fn every_row_is_played_through_under_every_rulebook_it_applies_to() {
    let library = Library::standard();
    let mut missing = Vec::new();
    let mut failing = Vec::new();
    for rulebook in library.rulebooks() {
        for (row, books) in APPLIES {
            if !books.split(' ').any(|book| book == rulebook.abbreviation) {
                continue;
            }
            let name = format!("{}/irr-{row:02}-", rulebook.id);
            let mut played =
                of(rulebook, STANDARD).filter(|scenario| scenario.path.starts_with(&name)).peekable();
            if played.peek().is_none() {
                missing.push(format!("{name}….round"));
            }
            for scenario in played {
                let passes = scenario.file().is_ok_and(|file| run(&library, &file).passed());
                if !passes {
                    failing.push(scenario.path);
                }
            }
        }
    }
    assert!(
        missing.is_empty() && failing.is_empty(),
        "scenarios missing: {}\nscenarios failing: {}",
        missing.join(", "),
        failing.join(", ")
    );
}

/// A scenario whose name carries a number that no row has, or a row that does not apply, is misnamed.
#[test]
fn no_scenario_claims_a_row_that_does_not_apply() {
    let library = Library::standard();
    for rulebook in library.rulebooks() {
        for scenario in of(rulebook, STANDARD) {
            let Some(rest) = scenario.path.rsplit('/').next().and_then(|name| name.strip_prefix("irr-"))
            else {
                continue;
            };
            let row = rest.get(..2).and_then(|row| row.parse::<u8>().ok());
            // Whatever happens in baccarat can happen under Dragon Bonus.
            let as_one_of = |book: &str| match rulebook.abbreviation.as_str() {
                "DB" => book != "NN",
                own => book == own,
            };
            let applies =
                APPLIES.iter().any(|(known, books)| Some(*known) == row && books.split(' ').any(as_one_of));
            assert!(applies, "{} names no row of {}", scenario.path, rulebook.abbreviation);
        }
    }
}

/// What a lower rank was refused, while which irregularity was on hold.
type Denied = (Irregularity, String, bool);

/// The rulings that a scenario refuses for want of rank, and says so.
fn denied(rulebook: &Rulebook, file: &RoundFile, report: &Report) -> Vec<Denied> {
    let mut on_hold = None;
    let mut found = Vec::new();
    for (statement, events) in file.statements.iter().zip(&report.events) {
        for event in events {
            if let Fact::Table(TableFact::Irregular { irregularity, .. }) = &event.fact {
                on_hold = rulebook.irregularity(*irregularity).map(|rule| rule.irregularity);
            }
        }
        let Some(Action::Deed { words, .. }) = &statement.action else { continue };
        let [verb, remedy, rest @ ..] = words.as_slice() else { continue };
        let expected = statement.expect.iter().any(|expect| matches!(expect, Expectation::Needs(_)));
        let refused = events.iter().any(|event| match &event.fact {
            Fact::Refused(Refused::Table(why, _)) => matches!(**why, Why::NotAuthorised { needs: Some(_) }),
            _ => false,
        });
        if let (Some(on_hold), "rules", true, true) = (on_hold, verb.as_str(), expected, refused) {
            found.push((on_hold, remedy.clone(), rest.iter().any(|word| word == "withdrawal")));
        }
    }
    found
}

/// Whether a ruling needs more than a Dealer.
fn needs_rank(rulebook: &Rulebook, ruling: &Ruling) -> bool {
    match ruling.needs {
        None => false,
        Some(Needs::Residual) => true,
        Some(Needs::Rank(rank)) => rulebook.level(rank) > rulebook.level(0),
    }
}

#[test]
fn every_ruling_that_needs_a_rank_is_refused_to_a_lower_one() {
    let library = Library::standard();
    let mut missing = Vec::new();
    for rulebook in library.rulebooks() {
        let refused: BTreeSet<Denied> = of(rulebook, STANDARD)
            .filter_map(|scenario| scenario.file().ok())
            .flat_map(|file| denied(rulebook, &file, &run(&library, &file)))
            .collect();
        for rule in &rulebook.irregularities {
            for ruling in rule.rulings.iter().filter(|ruling| needs_rank(rulebook, ruling)) {
                let option = ruling.withdrawal.is_some();
                let remedy = ruling.remedy.key().to_string();
                if !refused.contains(&(rule.irregularity, remedy, option)) {
                    let with = if option { " with withdrawal" } else { "" };
                    missing.push(format!(
                        "{}: {} rules {}{with}",
                        rulebook.abbreviation, rule.irregularity, ruling.remedy
                    ));
                }
            }
        }
    }
    assert!(missing.is_empty(), "nobody is refused for want of rank:\n{}", missing.join("\n"));
}

/// The part of the page about one row.
fn section(row: u8) -> Option<&'static str> {
    let start = PAGE.find(&format!("\n### {row}. "))?;
    let rest = PAGE.get(start + 1..)?;
    let end = rest.match_indices("\n## ").chain(rest.match_indices("\n### ")).map(|(at, _)| at).min();
    rest.get(..end.unwrap_or(rest.len()))
}

#[test]
fn the_page_names_every_row_and_every_irregularity() {
    for row in 1..=ROWS {
        assert!(section(row).is_some(), "row {row} has no section");
    }
    assert_eq!(PAGE.matches("\n### ").count(), usize::from(ROWS));
    for irregularity in Irregularity::ALL {
        let row = irregularity.row();
        let named = section(row).is_some_and(|section| section.contains(&format!("`{irregularity}`")));
        assert!(named, "row {row} does not name `{irregularity}`");
    }
}

/// What the page says of a rulebook names every clause that its data rests a ruling on.
#[test]
fn the_page_rests_on_the_clauses_of_the_data() {
    for rulebook in Library::standard().rulebooks() {
        let line = format!("| {} |", rulebook.abbreviation);
        for rule in &rulebook.irregularities {
            let key = rule.irregularity.key();
            let part =
                section(rule.irregularity.row()).unwrap().split(&format!("\n`{key}`: ")).nth(1).unwrap();
            let lines: Vec<&str> = part
                .lines()
                .take_while(|told| !told.starts_with('`'))
                .filter(|told| told.starts_with(&line))
                .collect();
            assert_eq!(lines.len(), rule.rulings.len(), "{} {key}", rulebook.abbreviation);
            for (told, ruling) in lines.iter().zip(&rule.rulings) {
                let rests_on = told.split(" | ").nth(2).unwrap();
                let option = ruling.withdrawal.iter().flat_map(|withdrawal| &withdrawal.cites);
                for basis in rule.cites.iter().chain(&ruling.cites).chain(option) {
                    let id = rulebook.index.id(*basis);
                    assert!(
                        rests_on.split(", ").any(|named| named == id),
                        "{} {key}, {}: {id} is not named",
                        rulebook.abbreviation,
                        ruling.remedy
                    );
                }
            }
        }
    }
}
