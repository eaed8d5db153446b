//! One table from its opening on, with everything watched.

use std::collections::VecDeque;
use std::thread;

use croupier_table::{Command, Event, Fact, Phase, Table, Why, apply, decide};

use super::floor::Floor;
use super::holds::{self, Holds};
use super::law;
use super::model::Model;
use super::opening::open;
use super::random::Random;
use super::tally::Tally;
use super::watch::Watch;

/// Commands at one table before another is opened.
pub(crate) const COMMANDS: u64 = 2_000;

/// A table where people mostly do what comes next is not stuck for longer than this.
const PATIENCE: u64 = 700;

/// The last commands, told if the test fails.
struct Story {
    title: String,
    last: VecDeque<(Phase, Command, &'static str)>,
}

impl Drop for Story {
    fn drop(&mut self) {
        if thread::panicking() {
            let lines: Vec<String> = self
                .last
                .iter()
                .map(|(phase, command, answer)| {
                    format!("{phase}: {:?} {:?} {answer}", command.actor, command.action)
                })
                .collect();
            #[expect(clippy::print_stderr, reason = "a failed test tells how it came to that")]
            {
                eprintln!("{}\n{}", self.title, lines.join("\n"));
            }
        }
    }
}

/// Plays one table; what was met, and the fingerprint at the end.
pub(crate) fn play(game: &str, mut random: Random, commands: u64) -> (Tally, u64) {
    let table = open(game, &mut random);
    play_at(game, table, random, commands)
}

/// The same at a table that is opened already.
pub(crate) fn play_at(game: &str, table: Table, random: Random, commands: u64) -> (Tally, u64) {
    let fresh = table.clone();
    let mut story = Story { title: format!("{game}, {random:?}"), last: VecDeque::new() };
    let mut floor = Floor::new(table, random);
    let (mut watch, mut model, mut tally) = (Watch::default(), Model::new(&fresh), Tally::default());
    let mut holds = Holds::default();
    let mut journal: Vec<Event> = Vec::new();
    let mut since_a_round = 0;
    for step in 0..commands {
        if floor.table.phase() == Phase::TableClosed || floor.random.is_spent() {
            break;
        }
        let command = floor.next();
        tally.commands += 1;
        since_a_round += 1;
        // Bytes may say the same for ever; people do not.
        let patient = matches!(floor.random, Random::Bytes { .. });
        assert!(
            patient || since_a_round < PATIENCE,
            "no round has ended for long, in {}",
            floor.table.phase()
        );
        let answer = decide(&floor.table, &command);
        let code = answer.as_ref().err().map_or("accepted", croupier_table::Refusal::code);
        story.last.push_back((floor.table.phase(), command.clone(), code));
        if story.last.len() > 25 {
            story.last.pop_front();
        }
        match answer {
            Ok(events) => {
                tally.accepted(&floor.table, &command);
                law::check(&floor.table, &command);
                holds.accepted(&floor.table, &command, &events, &mut tally);
                model.obey(&floor.table, &command);
                for event in &events {
                    model.follow(&floor.table, event);
                    watch.follow(&floor.table, event);
                    tally.follow(&floor.table, event);
                    let purse = holds.follow(&floor.table, event, &mut tally);
                    apply(&mut floor.table, event);
                    holds.moved(purse, event, &floor.table, &mut tally);
                }
                watch.check(&floor.table, &mut tally);
                holds.after(&floor.table, &events, &mut tally);
                model.check(&floor.table);
                floor.follow(&events);
                if events.iter().any(|event| matches!(event.fact, Fact::RoundClosed { .. })) {
                    since_a_round = 0;
                }
                journal.extend(events);
            }
            Err(refusal) => {
                tally.refused(&refusal);
                floor.learn(&refusal);
                assert!(Why::CODES.contains(&refusal.code()), "{}", refusal.code());
                if step % 64 == 0 {
                    let before = floor.table.fingerprint();
                    assert_eq!(decide(&floor.table, &command), Err(refusal));
                    assert_eq!(before, floor.table.fingerprint(), "a refusal has changed the table");
                }
            }
        }
    }
    holds::the_journal_gives_the_table_back(fresh, &journal, &floor.table, &mut tally);
    (tally, floor.table.fingerprint())
}

/// The same table once more, unwatched.
pub(crate) fn replay(game: &str, mut random: Random, commands: u64) -> u64 {
    let table = open(game, &mut random);
    let mut floor = Floor::new(table, random);
    for _ in 0..commands {
        if floor.table.phase() == Phase::TableClosed {
            break;
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
    floor.table.fingerprint()
}
