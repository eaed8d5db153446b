//! What is told before a command is what then happens: for every report of every book, for what follows once a second
//! person has confirmed a finding, and for every ruling that may be made. The effects are read from the events; here they
//! are held against the table itself, before and after: chips, wagers, holds, the shoe.
#![expect(clippy::unwrap_used, clippy::panic, reason = "what is not there is a failed test")]

#[path = "invariants/mod.rs"]
#[expect(dead_code, reason = "the books and the counts are for the random tables")]
mod room;

use std::collections::BTreeMap;
use std::sync::Arc;

use croupier_rules::Family;
use croupier_rules::baccarat::Side;
use croupier_table::event::Mark;
use croupier_table::preview::{Confirmed, RoundFate};
use croupier_table::setup::Controls;
use croupier_table::view::{ReportKind, Who};
use croupier_table::{
    Action, Actor, Command, Effects, PersonId, Phase, PlayerId, Rank, Report, RulingMade, Staff, Table,
    Views, apply, decide, preview,
};
use room::floor::Floor;
use room::opening::{every_game, open, open_controlled};
use room::random::Random;

const DEALER: Actor = Actor::Staff(Staff { person: PersonId(100), rank: Rank(0), acting: None });

/// All reports of a kind that are worth making at a table.
fn reports(table: &Table, kind: ReportKind) -> Vec<Report> {
    let players = || table.players.iter().map(|player| player.id);
    match kind {
        ReportKind::ForeignCard => vec![Report::ForeignCard],
        ReportKind::Unshuffled => vec![Report::Unshuffled],
        ReportKind::CannotRebuild => vec![Report::CannotRebuild],
        ReportKind::OrderLost => vec![Report::OrderLost],
        ReportKind::CarriedOff if table.setup.family() == Family::NiuNiu => {
            (1..=table.setup.seats).map(|box_number| Report::BoxCarriedOff { box_number }).collect()
        }
        ReportKind::CarriedOff => {
            vec![Report::CarriedOff { side: Side::Player }, Report::CarriedOff { side: Side::Banker }]
        }
        ReportKind::Jam => vec![Report::Jam],
        ReportKind::DeviceReset => {
            vec![Report::DeviceReset { dealer_error: true }, Report::DeviceReset { dealer_error: false }]
        }
        ReportKind::FaceUp => vec![Report::FaceUp],
        ReportKind::Exposed => vec![Report::Exposed { draw: None }],
        ReportKind::ExposedMoving => vec![Report::ExposedMoving],
        ReportKind::WrongOrder => vec![Report::WrongOrder],
        ReportKind::NoBurn => vec![Report::NoBurn],
        ReportKind::WrongDelivery => vec![Report::WrongDelivery],
        ReportKind::NotDelivered => vec![Report::NotDelivered],
        ReportKind::Absent => players().map(|player| Report::Absent { player }).collect(),
        ReportKind::Damaged => players().map(|player| Report::Damaged { player }).collect(),
        ReportKind::PowerFailure => vec![Report::PowerFailure],
        ReportKind::ForceMajeure => vec![Report::ForceMajeure],
        ReportKind::WagerRemoved => {
            let laid = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
            laid.map(|laid| Report::WagerRemoved { player: laid.player, bet: laid.bet }).collect()
        }
        ReportKind::SurplusOn => [Side::Player, Side::Banker]
            .into_iter()
            .flat_map(|side| [true, false].map(|exposed| Report::SurplusOn { side, exposed }))
            .collect(),
        ReportKind::Other => vec![Report::Other("something else".to_string())],
    }
}

fn given(table: &Table, command: &Command) -> Option<Table> {
    let mut after = table.clone();
    for event in decide(table, command).ok()? {
        apply(&mut after, &event);
    }
    Some(after)
}

/// What lies on the layout, Reserves and insurance included.
fn laid(table: &Table) -> i64 {
    let wagers = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
    let insurances = table.round.insurances.iter().filter(|laid| laid.ended.is_none());
    let wagers: i64 = wagers.map(|laid| laid.stake.minor() + laid.reserve.minor()).sum();
    wagers + insurances.map(|laid| laid.stake.minor()).sum::<i64>()
}

/// Whether what was told is what the table shows afterwards.
#[track_caller]
fn check(before: &Table, told: &Effects, after: &Table, what: &str) {
    for player in &before.players {
        let own = told.wagers.iter().filter(|fate| fate.player == player.id);
        let comes: i64 = own.map(|fate| fate.returned.minor() + fate.winnings.minor()).sum();
        let is = after.player(player.id).map_or(0, |player| player.chips.minor());
        assert_eq!(comes, is - player.chips.minor(), "{what}: what {:?} has", player.id);
    }
    let ended: i64 = told.wagers.iter().map(|fate| fate.stake.minor() + fate.reserve.minor()).sum();
    assert_eq!(ended, laid(before) - laid(after), "{what}: what lies on the layout");
    let back = told.wagers.iter().filter(|fate| fate.winnings.is_zero() && fate.collected.is_zero());
    let back: i64 = back.map(|fate| fate.returned.minor()).sum();
    if told.round != RoundFate::Settled {
        assert_eq!(back, told.given_back.minor(), "{what}: what goes back");
    }
    let voided = before.round.closed.is_none() && after.round.closed == Some(Mark::Void);
    let is_void = matches!(told.round, RoundFate::Void | RoundFate::Abandoned);
    assert_eq!(voided && before.phase() != Phase::Ready, is_void, "{what}: {:?}", told.round);
    assert_eq!(told.holds, after.hold.as_ref().map(|hold| hold.irregularity), "{what}: the hold");
    let asked: Vec<PlayerId> =
        after.hold.iter().flat_map(|hold| &hold.answers).map(|(who, _)| *who).collect();
    assert!(told.may_withdraw.is_empty() || told.may_withdraw == asked, "{what}: who may withdraw");
    assert_eq!(told.round == RoundFate::Free, !before.round.free && after.round.free, "{what}: free");
    if told.next_is_free {
        assert!(after.next.free, "{what}: the next hand");
    } else if !told.takes_back {
        assert!(!after.next.free || before.next.free, "{what}: the next hand");
    }
    assert_eq!(told.shoe, after.shoe.fate, "{what}: the shoe");
}

#[derive(Default)]
struct Met(BTreeMap<String, u64>);

impl Met {
    fn note(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }
    fn count(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }
}

/// Looks at one report, at what follows once it is confirmed, and at every ruling on it.
fn look(table: &Table, report: &Report, met: &mut Met) {
    let what = format!("{report:?} in {}", table.phase());
    let command = Command { actor: DEALER, at: 1, action: Action::Report(report.clone()) };
    let Ok(told) = preview(table, &command) else { return met.note("not looked at") };
    let Ok(at_once) = &told.at_once else {
        let refusal = decide(table, &command).unwrap_err();
        assert_eq!(Some(&refusal), told.at_once.as_ref().err(), "{what}");
        return met.note("refused");
    };
    let after = given(table, &command).unwrap();
    check(table, at_once, &after, &what);
    met.note("at once");
    if at_once.ends_or_moves() {
        met.note("ends or moves at once");
    }
    let pending = after.hold.as_ref().is_some_and(|hold| hold.pending.is_some());
    assert_eq!(pending, told.open.confirmed.is_some(), "{what}");
    if let Some(Confirmed { needs: rank, effects: confirmed }) = &told.open.confirmed {
        assert_eq!(Some(*rank), table.setup.controls.second_person, "{what}");
        let second = Actor::Staff(Staff { person: PersonId(900), rank: *rank, acting: None });
        let confirm = Command { actor: second, at: 2, action: Action::Confirm };
        check(&after, confirmed, &given(&after, &confirm).unwrap(), &format!("confirmed {what}"));
        met.note("confirmed");
        // Where nothing else is on hold it is what would have followed at once.
        if table.hold.is_none() {
            let mut free = table.clone();
            Arc::make_mut(&mut free.setup).controls = Controls::default();
            let plain = preview(&free, &command).unwrap().at_once.unwrap();
            let of = |effects: &Effects| {
                let Effects { round, wagers, shoe, holds, remedies, .. } = effects.clone();
                (round, wagers, shoe, holds, remedies)
            };
            assert_eq!(of(&plain), of(confirmed), "{what}");
            met.note("as at once");
        }
    }
    let views = Views::new(&after);
    let offered = views.dealer().desk.hold.as_ref().map(|hold| hold.rulings.clone()).unwrap_or_default();
    assert_eq!(
        told.open.rulings.iter().map(|ruling| ruling.offer.clone()).collect::<Vec<_>>(),
        offered,
        "{what}"
    );
    for ruling in &told.open.rulings {
        let rank = match ruling.offer.who {
            Who::Anybody => Rank(0),
            Who::Rank(rank) => rank,
            Who::Nobody => continue,
        };
        let actor = Actor::Staff(Staff { person: PersonId(901), rank, acting: None });
        let made = RulingMade::plain(ruling.offer.remedy, ruling.offer.withdrawal.is_some());
        let rule = Command { actor, at: 2, action: Action::Rule(made) };
        match (&ruling.effects, given(&after, &rule)) {
            (Some(effects), Some(ruled)) => {
                check(&after, effects, &ruled, &format!("{} on {what}", ruling.offer.remedy));
                met.note("ruled");
            }
            (None, None) => met.note("ruling says more first"),
            (told, given) => panic!("{what}: told {}, given {}", told.is_some(), given.is_some()),
        }
    }
}

fn play(game: &str, controlled: bool, seeds: core::ops::Range<u64>) -> Met {
    let mut met = Met::default();
    for seed in seeds {
        let mut random = Random::seeded(seed);
        let table = if controlled { open_controlled(game, &mut random) } else { open(game, &mut random) };
        let mut floor = Floor::new(table, random);
        for step in 0..500 {
            if floor.table.phase() == Phase::TableClosed {
                break;
            }
            if step % 13 == 0 {
                let views = Views::new(&floor.table);
                for kind in views.dealer().desk.reports.iter() {
                    for report in reports(&floor.table, kind) {
                        look(&floor.table, &report, &mut met);
                    }
                }
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
    met
}

#[test]
fn a_report_does_what_was_told_before() {
    for game in every_game() {
        let met = play(game, false, 0..2);
        assert!(met.count("at once") > 300 && met.count("ruled") > 30, "{game}: {:?}", met.0);
        assert_eq!(met.count("confirmed"), 0, "{game}");
    }
}

/// With a second person no report ends a round or moves money by itself, but for a wager that is the player's to take
/// back; and what follows after the confirmation is what would have followed at once.
#[test]
fn a_finding_waits_for_a_second_person() {
    let mut confirmed = 0;
    for game in every_game() {
        let met = play(game, true, 0..2);
        assert!(met.count("at once") > 300, "{game}: {:?}", met.0);
        confirmed += met.count("confirmed");
    }
    assert!(confirmed > 100, "{confirmed}");
}

/// What tells of a closed card is not looked at beforehand, and nothing but what is decided with people and money.
#[test]
fn a_card_is_not_told_by_looking_ahead() {
    let table = open("hoiana-baccarat/commission", &mut Random::seeded(1));
    let told = Report::OpenedBy { player: None, side: Side::Player, told: Vec::new() };
    for action in [Action::Report(told), Action::Report(Report::Exposed { draw: Some(1) }), Action::OpenBets]
    {
        let command = Command { actor: DEALER, at: 1, action };
        assert_eq!(preview(&table, &command).unwrap_err().code(), "not-previewed", "{:?}", command.action);
    }
}
