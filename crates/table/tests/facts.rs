//! What has happened at a table is never refused. From every state that random rounds of all games come to,
//! mistakes included, each thing that can physically happen is reported: it becomes events, and by rulings that the
//! rulebook allows the table comes to a settlement or a void round.
//!
//! With `CROUPIER_LONG` twenty times as many tables are looked at.
#![expect(clippy::unwrap_used, reason = "what is not there is a failed test")]

#[path = "facts/finish.rs"]
mod finish;
#[path = "facts/happen.rs"]
mod happen;
#[path = "invariants/mod.rs"]
#[expect(dead_code, reason = "the books and the counts are for the random tables")]
mod room;

use std::collections::BTreeMap;

use croupier_rules::baccarat::Side;
use croupier_table::command::Holder;
use croupier_table::{Action, Actor, Command, Phase, PlayerId, Report, apply, decide};
use finish::finish;
use happen::everything;
use room::any::member;
use room::floor::Floor;
use room::opening::{GAMES, OTHERS, every_game, open};
use room::random::Random;

/// Commands at one table.
const COMMANDS: usize = 400;

/// What was seen of a game.
#[derive(Default)]
struct Seen {
    reports: u64,
    finished: u64,
    phases: BTreeMap<Phase, u64>,
    refused: BTreeMap<String, u64>,
    stuck: BTreeMap<String, u64>,
}

/// Plays a table, and at some of its states asks of everything that can happen what comes of it.
fn look(game: &str, seed: u64, seen: &mut Seen) {
    let mut random = Random::seeded(seed);
    let table = open(game, &mut random);
    let mut floor = Floor::new(table, random);
    for step in 0..COMMANDS {
        if floor.table.phase() == Phase::TableClosed {
            return;
        }
        let often = !matches!(floor.table.phase(), Phase::BetsOpen | Phase::Ready | Phase::ShoeLoaded);
        if step % 29 == 0 || often && step % 7 == 0 {
            reports(game, &mut floor, seen);
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

fn reports(game: &str, floor: &mut Floor, seen: &mut Seen) {
    let table = floor.table.clone();
    *seen.phases.entry(table.phase()).or_default() += 1;
    for (kind, actor, action) in everything(&table, &mut floor.random) {
        seen.reports += 1;
        let command = Command { actor, at: 1, action };
        match decide(&table, &command) {
            Err(refusal) if refusal.code() == "already" => {}
            Err(refusal) => {
                *seen
                    .refused
                    .entry(format!("{kind} in {}: {}", table.phase(), refusal.code()))
                    .or_default() += 1;
            }
            Ok(events) => {
                assert!(!events.is_empty(), "{game}: {command:?} leaves no trace");
                let mut after = table.clone();
                events.iter().for_each(|event| apply(&mut after, event));
                let how = floor.random.below(3);
                match finish(after, &mut floor.random, how) {
                    Ok(()) => seen.finished += 1,
                    Err(why) => {
                        let text = format!("{kind} in {}: {why}", table.phase());
                        *seen.stuck.entry(text).or_default() += 1;
                    }
                }
            }
        }
    }
}

#[track_caller]
fn check(game: &str) {
    let tables = if std::env::var_os("CROUPIER_LONG").is_some() { 240 } else { 12 };
    let place = every_game().position(|known| known == game).unwrap();
    let mut seen = Seen::default();
    for seed in 0..tables {
        look(game, u64::try_from(place).unwrap() * 10_000 + seed, &mut seen);
    }
    let told = |found: &BTreeMap<String, u64>| {
        found.iter().map(|(what, count)| format!("{count:6} {what}\n")).collect::<String>()
    };
    assert!(
        seen.refused.is_empty() && seen.stuck.is_empty(),
        "{game}: of {} reports {} were refused, in {} kinds:\n{}{} came to no end:\n{}",
        seen.reports,
        seen.refused.values().sum::<u64>(),
        seen.refused.len(),
        told(&seen.refused),
        seen.stuck.values().sum::<u64>(),
        told(&seen.stuck),
    );
    assert!(seen.finished > 1_000 && seen.phases.len() > 8, "{game}: {} in {:?}", seen.finished, seen.phases);
}

#[test]
fn hoiana_baccarat_with_commission() {
    check("hoiana-baccarat/commission");
}

#[test]
fn hoiana_baccarat_without_commission() {
    check("hoiana-baccarat/non-commission");
}

#[test]
fn hoiana_dragon_tiger_with_commission() {
    check("hoiana-dragon-tiger/commission");
}

#[test]
fn hoiana_dragon_tiger_without_commission() {
    check("hoiana-dragon-tiger/non-commission");
}

#[test]
fn mbs_dragon_tiger() {
    check("mbs-dragon-tiger");
}

#[test]
fn horseshoe_dragon_bonus() {
    check("horseshoe-dragon-bonus");
}

#[test]
fn hoiana_niu_niu() {
    check("hoiana-niu-niu");
}

#[test]
fn games_of_other_rulebooks() {
    OTHERS.into_iter().for_each(check);
}

/// Cards that the software deals are out when it says so, and no other way.
#[test]
fn what_software_deals_lies_on_no_layout() {
    let (player, side) = (PlayerId(1), Side::Banker);
    let card = "8S".parse().unwrap();
    let drawn = Report::DrawnBy { player, card: Some(card), laid: None, exposed: false };
    let opened = Report::OpenedBy { player: Some(player), side, told: vec![card] };
    let correct =
        Action::CorrectHand { holder: Holder::Box(1), from: card, to: "9S".parse().unwrap(), because: None };
    let told = [
        drawn,
        Report::HandedTo { player, side },
        opened,
        Report::ForeignCard,
        Report::Unshuffled,
        Report::CannotRebuild,
        Report::OrderLost,
        Report::CarriedOff { side },
        Report::Jam,
        Report::DeviceReset { dealer_error: true },
        Report::FaceUp,
        Report::Exposed { draw: None },
        Report::ExposedMoving,
        Report::WrongOrder,
        Report::NoBurn,
        Report::WrongDelivery,
        Report::NotDelivered,
        Report::Damaged { player },
    ];
    let mut actions = told.map(Action::Report).to_vec();
    actions.push(Action::Correct { draw: 1, card, because: None });
    actions.push(Action::CountShoe { left: 400 });
    actions.push(Action::DrawTogether { cards: vec![card, card], order_known: true });
    actions.push(Action::Draw { card: Some(card), laid: Some(side), exposed: false });
    let niu_niu = vec![correct, Action::ReportHandling { player }];
    for (game, actions) in [(GAMES[0], actions), ("hoiana-niu-niu", niu_niu)] {
        let mut table = open(game, &mut Random::seeded(1));
        let dealer = Actor::Staff(member(0));
        let load = Action::LoadShoe { set: None, commitment: Some([7; 32]) };
        for action in [Action::SignOn(member(0)), load] {
            let events = decide(&table, &Command { actor: dealer, at: 1, action }).unwrap();
            events.iter().for_each(|event| apply(&mut table, event));
        }
        for action in actions {
            let refusal = decide(&table, &Command { actor: dealer, at: 2, action }).unwrap_err();
            assert_eq!(refusal.to_string(), "these cards are dealt by software and lie on no layout");
        }
    }
}
