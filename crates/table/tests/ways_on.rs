//! No dead end: at every table that people deal, in every state that a long random walk comes to, the Dealer's view offers a
//! way on, or names whoever has it: a rank that rules, a second person, players who answer or open.
#![expect(clippy::panic, reason = "a dead end fails the test")]

#[path = "invariants/mod.rs"]
#[expect(dead_code, reason = "the books and the counts are for the random tables")]
mod room;

use std::collections::BTreeMap;

use croupier_table::view::{Act, Who};
use croupier_table::{Phase, Table, Views, apply, decide};
use room::floor::Floor;
use room::opening::{every_game, open, open_controlled};
use room::random::Random;

/// Those that may come at any time and lead nowhere by themselves.
const ASIDE: [Act; 4] = [Act::CutCardOut, Act::AnnounceLast, Act::CountShoe, Act::ShoeEmpty];

/// The way on that the Dealer's view shows; nothing in a dead end.
fn way_on(table: &Table) -> Option<&'static str> {
    let views = Views::new(table);
    let view = views.dealer();
    let (felt, desk) = (view.felt, view.desk);
    if table.phase() == Phase::TableClosed {
        return Some("closed");
    }
    if let Some(hold) = &desk.hold {
        let place = desk.reports.contains(croupier_table::view::ReportKind::SurplusOn);
        let ruled = hold.rulings.iter().any(|ruling| ruling.who != Who::Nobody);
        let answers = hold.answers.iter().any(|(_, answer)| answer.is_none());
        let opened = desk.reveal.iter().any(Option::is_some);
        let acts =
            [Act::CloseWindow, Act::HoldTwo, Act::Sorted].into_iter().any(|act| desk.acts.contains(act));
        return match () {
            () if hold.pending.is_some() => Some("a second person confirms"),
            () if ruled => Some("a ruling"),
            () if place => Some("where a card lies"),
            () if answers || acts || opened => Some("answers, the count"),
            () if hold.retractable => Some("taken back"),
            () => None,
        };
    }
    let acts = desk.acts.iter().any(|act| !ASIDE.contains(&act));
    match () {
        () if acts => Some("an act"),
        () if desk.draw.is_some() || desk.packets.is_some() => Some("cards"),
        () if desk.reveal.iter().any(Option::is_some) => Some("a hand is opened"),
        () if desk.squeezed.iter().any(Option::is_some) => Some("a player opens"),
        () if !desk.set_hands.is_empty() => Some("hands are set"),
        () if desk.needs_shoe => Some("new cards"),
        // Betting stands still for what the wagers or the float need: the screen names it.
        () if desk.over_differential.is_some() => Some("the differential"),
        () if desk.liability > i128::from(desk.float.minor()) => Some("a fill"),
        () if felt.device.is_some() || felt.method.is_some_and(|_| !felt.seats.is_empty()) => {
            Some("a player draws")
        }
        // What is out has to find its place, or wagers to be covered.
        () if !felt.surplus.is_empty() || !felt.together.is_empty() => Some("cards that wait"),
        () if felt.phase == Phase::BetsOpen || felt.phase == Phase::Reopened => Some("wagers"),
        () => None,
    }
}

fn walk(game: &str, controlled: bool, seed: u64, met: &mut BTreeMap<&'static str, u64>) {
    let mut random = Random::seeded(seed);
    let table = if controlled { open_controlled(game, &mut random) } else { open(game, &mut random) };
    let mut floor = Floor::new(table, random);
    for step in 0..2_000 {
        let found = way_on(&floor.table);
        let table = &floor.table;
        let told = found.unwrap_or_else(|| {
            panic!("{game}, seed {seed}, step {step}: no way on in {}: {:?}", table.phase(), table.hold)
        });
        *met.entry(told).or_default() += 1;
        if table.phase() == Phase::TableClosed {
            return;
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
}

#[test]
fn every_state_has_a_way_on_that_the_console_names() {
    let mut met = BTreeMap::new();
    for game in every_game() {
        for seed in 0..6 {
            walk(game, seed % 2 == 0, seed, &mut met);
        }
    }
    for way in ["an act", "cards", "a ruling", "a second person confirms", "a player opens", "hands are set"]
    {
        assert!(met.get(way).is_some_and(|count| *count > 20), "{way}: {met:?}");
    }
}
