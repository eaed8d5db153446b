//! Everything that can be asked, by everybody, in every phase of every game: an answer each time, and never
//! more than an answer where it is a refusal.
#![expect(clippy::unwrap_used, reason = "what is not there is a failed test")]

#[path = "invariants/mod.rs"]
#[expect(dead_code, reason = "the books and the counts are for the random tables")]
mod room;

use std::collections::BTreeMap;

use croupier_rules::Amount;
use croupier_table::{Action, Actor, Command, Phase, PlayerId, Table, Why, apply, decide};
use room::any::{KINDS, any_action, member};
use room::floor::Floor;
use room::opening::{GAMES, library, open};
use room::random::Random;
use room::tally::reachable;

/// How often each kind of action is asked, with other parameters each time.
const TRIES: usize = 6;

/// Everybody: each rank of the rulebook, players at the table and not, the device, the software, Surveillance.
fn everybody(table: &Table) -> Vec<Actor> {
    let ranks = u8::try_from(table.rulebook().ranks.len()).unwrap();
    let staff = (0..ranks).map(|rank| Actor::Staff(member(rank)));
    let players = [1, 2, u32::MAX].map(|player| Actor::Player(PlayerId(player)));
    staff.chain(players).chain([Actor::Device, Actor::System, Actor::Surveillance]).collect()
}

/// Tables of a game in each of its phases, a few of each, as people bring them there.
fn tables(game: &str) -> BTreeMap<Phase, Vec<Table>> {
    const ENOUGH: usize = 3;
    let (rulebook, _) = library().find(game).unwrap();
    let wanted = |phase: Phase| reachable(phase, rulebook);
    let mut found: BTreeMap<Phase, Vec<Table>> = BTreeMap::new();
    for seed in 1_000..1_400 {
        let mut random = Random::seeded(seed);
        let table = open(game, &mut random);
        let mut floor = Floor::new(table, random);
        for _ in 0..1_000 {
            // One table of a phase and a run, so that they differ.
            let there = found.entry(floor.table.phase()).or_default();
            let runs = usize::try_from(seed - 1_000).unwrap() / 2;
            if there.len() < ENOUGH.min(runs + 1) {
                there.push(floor.table.clone());
            }
            let command = floor.next();
            match decide(&floor.table, &command) {
                Ok(events) => {
                    events.iter().for_each(|event| apply(&mut floor.table, event));
                    floor.follow(&events);
                }
                Err(refusal) => floor.learn(&refusal),
            }
        }
        let complete = |phase: &Phase| found.get(phase).is_some_and(|tables| tables.len() >= ENOUGH);
        if Phase::ALL.iter().filter(|phase| wanted(**phase)).all(complete) {
            break;
        }
    }
    let missing: Vec<&Phase> =
        Phase::ALL.iter().filter(|phase| wanted(**phase) && !found.contains_key(phase)).collect();
    assert!(missing.is_empty(), "{game} never came to {missing:?}");
    found.insert(Phase::TableClosed, vec![closed(game)]);
    found
}

/// A table that opened and closed.
fn closed(game: &str) -> Table {
    let mut table = open(game, &mut Random::seeded(5));
    let witness = member(0).person;
    let actions = [Action::SignOn(member(0)), Action::CloseTable { counted: Amount::ZERO, witness }];
    for action in actions {
        let command = Command { actor: Actor::Staff(member(3)), at: 1, action };
        let events = decide(&table, &command).unwrap();
        events.iter().for_each(|event| apply(&mut table, event));
    }
    assert_eq!(table.phase(), Phase::TableClosed);
    table
}

#[track_caller]
fn check(game: &str) {
    let mut random = Random::seeded(7);
    let (mut accepted, mut refused) = (0_u64, BTreeMap::<&str, u64>::new());
    for (phase, tables) in tables(game) {
        for table in tables {
            let before = table.fingerprint();
            for actor in everybody(&table) {
                for kind in 0..KINDS {
                    for _ in 0..TRIES {
                        let action = any_action(&mut random, &table, kind);
                        let command = Command { actor, at: 1, action };
                        match decide(&table, &command) {
                            Ok(events) => {
                                accepted += 1;
                                assert_ne!(phase, Phase::TableClosed, "{command:?}");
                                let mut after = table.clone();
                                events.iter().for_each(|event| apply(&mut after, event));
                                // Whatever it is, it can be looked at.
                                assert!(Phase::ALL.contains(&after.phase()));
                            }
                            Err(refusal) => {
                                *refused.entry(refusal.code()).or_default() += 1;
                                assert!(Why::CODES.contains(&refusal.code()), "{command:?}: {refusal}");
                                assert!(!refusal.to_string().is_empty(), "{command:?}");
                            }
                        }
                    }
                }
            }
            assert_eq!(before, table.fingerprint(), "{game} in {phase}: asking has changed the table");
        }
    }
    assert!(accepted > 1_000 && refused.len() > 30, "{game}: {accepted} accepted, {refused:?}");
}

#[test]
fn every_game_answers_everything() {
    std::thread::scope(|scope| {
        let running: Vec<_> = GAMES.iter().map(|game| scope.spawn(|| check(game))).collect();
        for test in running {
            if let Err(panic) = test.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// Amounts at the edge of what an amount can be.
#[test]
fn the_largest_amounts() {
    for game in GAMES {
        let mut table = open(game, &mut Random::seeded(3));
        let chip = table.setup.terms.chip.minor();
        let largest = Amount::new(Amount::MAX.minor() / chip * chip).unwrap();
        let dealer = Actor::Staff(member(0));
        let manager = Actor::Staff(member(3));
        let witness = member(0).person;
        let mut ask = |actor: Actor, action: Action| {
            let answer = decide(&table, &Command { actor, at: 1, action });
            if let Ok(events) = &answer {
                events.iter().for_each(|event| apply(&mut table, event));
            }
            answer.map_err(|refusal| refusal.code())
        };
        ask(dealer, Action::SignOn(member(0))).unwrap();
        ask(manager, Action::Fill { amount: largest, witness }).unwrap();
        assert_eq!(ask(manager, Action::Fill { amount: largest, witness }).err(), Some("too-large"));
        for (player, seat) in [(PlayerId(1), 1), (PlayerId(2), 2)] {
            ask(Actor::Player(player), Action::Sit { player, seat }).unwrap();
            let buy_in = Action::BuyIn { player, amount: largest, cash: false };
            // All chips together are an amount too, whoever has them.
            let code = ask(Actor::Player(player), buy_in.clone()).err();
            assert!(code.is_none() || code == Some("too-large"), "{game}: {code:?}");
            assert_eq!(ask(Actor::Player(player), buy_in).err(), Some("too-large"), "{game}");
        }
    }
}
