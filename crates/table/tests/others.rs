//! Games of rulebooks that are not among the five: the examples, and two that no house plays, with a required bet in
//! baccarat and none in Niu Niu, other seats, other names and every key that a bet may have.

#[path = "invariants/mod.rs"]
#[expect(dead_code, reason = "the books and the second model are for the five")]
mod room;

use std::sync::Arc;

use croupier_ledger::TableId;
use croupier_rules::Rulebook;
use croupier_rules::setting::Setting;
use croupier_table::{Chosen, Fact, Opening, Phase, Setup, Table, Value, apply, decide};
use room::floor::Floor;
use room::holds::money::the_house_can_pay_whatever_comes;
use room::opening::{OTHERS, library, minor, open};
use room::random::Random;
use room::tally::Tally;

/// Whatever people do, the float covers the wagers that lie, in the outcomes of the game's own family; and rounds come to
/// their end.
#[test]
fn the_float_covers_every_round() {
    for game in OTHERS {
        let (mut tally, mut settled, mut covered) = (Tally::default(), 0, 0);
        for seed in 0..24 {
            let mut random = Random::seeded(seed);
            let table = open(game, &mut random);
            let mut again = table.clone();
            let mut floor = Floor::new(table, random);
            for _ in 0..700 {
                let command = floor.next();
                match decide(&floor.table, &command) {
                    Ok(events) => {
                        events.iter().for_each(|event| apply(&mut floor.table, event));
                        events.iter().for_each(|event| apply(&mut again, event));
                        settled += events
                            .iter()
                            .filter(|event| matches!(event.fact, Fact::WagerEnded { .. }))
                            .count();
                        floor.follow(&events);
                    }
                    Err(refusal) => floor.learn(&refusal),
                }
                if floor.table.phase() == Phase::BetsOpen && !floor.table.round.wagers.is_empty() {
                    covered += 1;
                    the_house_can_pay_whatever_comes(&floor.table, &mut tally);
                }
            }
            assert_eq!(again.fingerprint(), floor.table.fingerprint(), "{game}, seed {seed}");
        }
        assert!(settled > 100 && covered > 100, "{game}: {settled} settled, {covered} looked at");
    }
}

/// What is wrong with a table of a game with these settings beside those that must be set.
fn faults(rulebook: &Arc<Rulebook>, game: &str, settings: &[(Setting, Value)]) -> Vec<String> {
    let must = [
        (Setting::Layout, Value::Word("horseshoe".to_string())),
        (Setting::Burn, Value::Count(1)),
        (Setting::CutCard, Value::Count(14)),
        (Setting::Chip, Value::Money(minor(40))),
        (Setting::Minimum, Value::Money(minor(400))),
        (Setting::Maximum, Value::Money(minor(40_000))),
        (Setting::Differential, Value::Money(minor(40_000))),
        (Setting::ResidualAuthority, Value::Word("director".to_string())),
    ];
    let kept = must.into_iter().filter(|(setting, _)| settings.iter().all(|(other, _)| other != setting));
    let chosen = |(setting, value)| Chosen { setting, bet: None, odds: None, value };
    let settings = kept.chain(settings.iter().cloned()).map(chosen).collect();
    let opening = Opening { game: game.to_string(), settings, ..Opening::default() };
    match Setup::new(rulebook, &opening) {
        Ok(setup) => {
            assert_eq!(Table::new(TableId(1), Arc::new(setup)).phase(), Phase::ShoeLoaded);
            Vec::new()
        }
        Err(faults) => faults.into_iter().map(|fault| fault.message).collect(),
    }
}

#[test]
fn what_a_table_cannot_be_opened_with() {
    let game = "onyx-baccarat/full";
    let (rulebook, _) = library().find(game).unwrap();
    let word = |word: &str| Value::Word(word.to_string());
    let check = |settings: &[(Setting, Value)], expect: &[&str]| {
        let found = faults(rulebook, game, settings);
        assert_eq!(found.len(), expect.len(), "{found:?}");
        assert!(found.iter().zip(expect).all(|(found, expect)| found.contains(expect)), "{found:?}");
    };
    check(&[], &[]);
    // An area that the house does not have.
    check(&[(Setting::Area, word("hall"))], &[]);
    check(&[(Setting::Area, word("main-floor"))], &["accepted: hall, gallery"]);
    // Pays that a chip does not come out even with.
    let chip = |chip| (Setting::Chip, Value::Money(minor(chip)));
    check(
        &[chip(20)],
        &[
            "`west` pays 1:1 less 2.5%, and on a chip of 20 that is 39/2; choose a chip that is a multiple of 40",
        ],
    );
    check(&[chip(80)], &[]);
    let rounded = [(Setting::PayableUnit, Value::Money(minor(1))), (Setting::Rounding, word("down"))];
    check(&[vec![chip(20)], rounded.to_vec()].concat(), &[]);
}

/// A shoe that is burned by its first card is not burned by a number that nobody chose.
#[test]
fn a_burn_by_the_first_card_is_not_for_tables() {
    let text = include_str!("../../rules/tests/data/synthetic/onyx-baccarat.toml");
    let burn = "burn = { range = \"0-30\", clause = \"1.2\" }";
    let by = format!("{burn}\nburn-by = {{ default = \"first-card\", clause = \"1.2\" }}");
    let rulebook = Arc::new(Rulebook::parse(&text.replace(burn, &by)).unwrap());
    let found = faults(&rulebook, "onyx-baccarat/full", &[]);
    assert!(matches!(found.as_slice(), [one] if one.contains("choose `number`")), "{found:?}");
    let number = (Setting::BurnBy, Value::Word("number".to_string()));
    assert_eq!(faults(&rulebook, "onyx-baccarat/full", &[number]), [""; 0]);
}
