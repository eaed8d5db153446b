//! Tables of every game at which people bet, deal, err and quarrel at random, stored as JSON and read again:
//! what comes back is the same table. The scenarios are stored after every step in the tests of the rounds.
#![cfg(feature = "serde")]
#![expect(clippy::unwrap_used, reason = "what is not there is a failed test")]

#[path = "invariants/mod.rs"]
#[expect(dead_code, reason = "only the people at the tables are needed here")]
mod room;

use std::collections::BTreeSet;

use croupier_ledger::TransferId;
use croupier_table::books::Books;
use croupier_table::snapshot::Snapshot;
use croupier_table::{Table, Views, apply, decide};
use room::floor::Floor;
use room::opening::{every_game, library, open};
use room::random::Random;
use room::tally::reachable;

fn again(table: &Table) -> Table {
    let text = serde_json::to_string(&table.snapshot()).unwrap();
    let snapshot: Snapshot = serde_json::from_str(&text).unwrap();
    Table::restore(table.id, table.setup.clone(), snapshot).unwrap()
}

/// Plays on with what was read, so that every later command meets a restored table and restored books.
#[test]
fn a_table_may_be_stored_and_restored_at_any_time() {
    for game in every_game() {
        let (rulebook, _) = library().find(game).unwrap();
        let mut phases = BTreeSet::new();
        for seed in 0..60 + 400 {
            // Some phases are rare: the walk goes on until it has met them all.
            let is_met =
                |phase: &&croupier_table::Phase| !reachable(**phase, rulebook) || phases.contains(*phase);
            if seed >= 60 && croupier_table::Phase::ALL.iter().all(|phase| is_met(&phase)) {
                break;
            }
            let mut random = Random::seeded(seed);
            let table = open(game, &mut random);
            let mut books = Books::new(table.id, &table.setup);
            let mut books_restored = books.clone();
            let (mut id, mut id_restored) = (TransferId(1), TransferId(1));
            let mut restored = table.clone();
            let mut floor = Floor::new(table, random);
            for step in 0..400 {
                let command = floor.next();
                let answer = decide(&floor.table, &command);
                assert_eq!(decide(&restored, &command), answer, "{game}, seed {seed}, {command:?}");
                match answer {
                    Ok(events) => {
                        events.iter().for_each(|event| apply(&mut floor.table, event));
                        events.iter().for_each(|event| apply(&mut restored, event));
                        let batch = books.batch(&events, &mut id);
                        assert_eq!(books_restored.batch(&events, &mut id_restored), batch);
                        floor.follow(&events);
                    }
                    Err(refusal) => floor.learn(&refusal),
                }
                phases.insert(floor.table.phase());
                restored = again(&restored);
                assert_eq!(restored.fingerprint(), floor.table.fingerprint(), "{game}, seed {seed}");
                let text = serde_json::to_string(&books_restored).unwrap();
                books_restored = serde_json::from_str(&text).unwrap();
                assert_eq!(books_restored, books, "{game}, seed {seed}");
                if step % 16 == 0 {
                    assert!(Views::new(&restored) == Views::new(&floor.table), "{game}, seed {seed}");
                }
            }
        }
        let unseen: Vec<_> = croupier_table::Phase::ALL
            .iter()
            .filter(|phase| reachable(**phase, rulebook) && !phases.contains(*phase))
            .collect();
        assert_eq!(unseen, Vec::<&croupier_table::Phase>::new(), "{game}");
    }
}
