//! Electronic shoes: every signal at a table, the rules of the numbers, and a simulated shoe that makes mistakes.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers fail a test by panicking")]

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{float, floor, open, plays, replayed, stop_and_balance};
use croupier_cards::{Card, parse_cards};
use croupier_demo::bots::{self, Bot, DealerBot, Habits, PitBot, Timing};
use croupier_demo::simulator::{Mistakes, OnTheTable, SimulatedShoe, Tally};
use croupier_journal::deed::CardSource;
use croupier_journal::store::Flow;
use croupier_journal::{CommandId, Select, Stream};
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::Irregularity;
use croupier_rules::setting::Setting;
use croupier_server::device::{Devices, NotTaken, Report, Signal, Taken};
use croupier_server::floor::Floor;
use croupier_server::table::{Refused, TableHandle};
use croupier_table::command::Holder;
use croupier_table::{Action, Actor, Fact, Phase};

/// A table that is fed, with its staff.
struct Fed {
    floor: Arc<Floor>,
    devices: Devices,
    table: TableHandle,
}

impl Fed {
    /// A table whose betting is closed and whose first card is due.
    async fn ready(game: &'static str, settings: &'static [(Setting, &'static str)]) -> Self {
        let floor = floor();
        let table = open(&floor, game, CardSource::Feed, settings).await;
        let devices = Devices::load(&floor).unwrap();
        let staff = bots::staff(&table.setup.rulebook);
        PitBot::new(&table, staff, float(&table), Duration::ZERO, OnTheTable::default()).take_up().await;
        let fed = Self { floor, devices, table };
        fed.give(Action::LoadShoe { set: None, commitment: None }).await;
        fed.give(Action::RecordShuffle).await;
        if fed.table.setup.cut_card.is_some() {
            fed.give(Action::CutCards { above: None }).await;
        }
        if fed.table.setup.burn > 0 {
            fed.give(Action::Burn { count: fed.table.setup.burn, cards: Vec::new() }).await;
        }
        fed.give(Action::OpenBets).await;
        fed.give(Action::CloseBets).await;
        fed
    }

    /// Something that the Dealer does.
    async fn give(&self, action: Action) {
        let (dealer, _) = bots::staff(&self.table.setup.rulebook);
        self.table.command(None, Actor::Staff(dealer), action).await.unwrap();
    }

    async fn report(&self, sequence: u64, signal: Signal) -> Result<Taken, NotTaken> {
        self.devices.report(&self.floor, self.table.id, &Report { sequence, signal }).await
    }

    /// The next report, in order.
    async fn say(&self, signal: Signal) -> Result<Taken, NotTaken> {
        let next = self.devices.expected(self.table.id).await;
        self.report(next, signal).await
    }

    fn phase(&self) -> Phase {
        replayed(&self.floor, &self.table).table.phase()
    }

    /// What the last command at the table turned out to be.
    fn irregular(&self) -> Option<Irregularity> {
        let mut last = Vec::new();
        let read = self.floor.shared.readers.read_here(|store| {
            store.rows(Select::Stream(Stream::Table(self.table.id), 2), &mut |_, row| {
                last = row.table_events().unwrap();
                Flow::Continue(())
            })
        });
        read.unwrap();
        last.iter().find_map(|event| match event.fact {
            Fact::Irregular { irregularity, .. } => Some(irregularity),
            _ => None,
        })
    }
}

fn card(text: &str) -> Card {
    parse_cards(text).unwrap()[0]
}

fn read(text: &str) -> Signal {
    Signal::CardRead { card: card(text), laid: None, exposed: false }
}

/// The code of an answer, as a client of the interface sees it.
fn code(fed: &Fed, answer: &Result<Taken, NotTaken>) -> String {
    match answer {
        Ok(_) => "taken".to_string(),
        Err(not_taken) => {
            let problem = not_taken.problem(Some(&fed.table.setup.rulebook));
            format!("{} {}", problem.status, problem.code)
        }
    }
}

const OPEN: &str = "mbs-dragon-tiger";

/// After some cards, one signal: what is answered, and what it turns out to be.
async fn check(after: &[&str], signal: Signal, answer: &str, irregular: Option<Irregularity>) -> Phase {
    let fed = Fed::ready(OPEN, &[]).await;
    for text in after {
        fed.say(read(text)).await.unwrap();
    }
    let said = fed.say(signal.clone()).await;
    assert_eq!(code(&fed, &said), answer, "{signal:?} after {after:?}");
    assert_eq!(fed.irregular(), irregular, "{signal:?} after {after:?}");
    stop_and_balance(&fed.floor).await;
    fed.phase()
}

/// Hands that take no more cards.
const COMPLETE: [&str; 4] = ["4S", "9S", "4H", "KS"];

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_was_read_is_drawn() {
    assert_eq!(check(&[], read("4S"), "taken", None).await, Phase::InitialDeal);
    assert_eq!(check(&COMPLETE[..3], read("KS"), "taken", None).await, Phase::Result);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_on_the_wrong_hand_is_an_irregularity() {
    let on = |side| Signal::CardRead { card: card("4S"), laid: Some(side), exposed: false };
    check(&[], on(Side::Player), "taken", None).await;
    check(&[], on(Side::Banker), "taken", Some(Irregularity::WrongOrder)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_that_come_together_are_an_irregularity() {
    let together = |order_known| Signal::DoubleRead { cards: vec![card("4S"), card("5S")], order_known };
    check(&[], together(true), "taken", Some(Irregularity::TogetherOrderKnown)).await;
    check(&["9C"], together(false), "taken", Some(Irregularity::TogetherInitialDeal)).await;
    let cards = |count| Signal::DoubleRead { cards: vec![card("4S"); count], order_known: true };
    check(&[], cards(1), "422 ruling-incomplete", None).await;
    check(&[], cards(5), "taken", Some(Irregularity::TogetherOrderKnown)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_cannot_be_read_waits_for_the_dealer() {
    let unreadable = Signal::Unreadable { laid: None };
    let phase = check(&COMPLETE[..3], unreadable.clone(), "taken", None).await;
    assert_eq!(phase, Phase::InitialReveal);
    // One too many lies there as well, whether or not anybody has seen it.
    check(&COMPLETE, unreadable, "taken", Some(Irregularity::SurplusOnPlayer)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_too_many_is_an_irregularity() {
    let phase = check(&COMPLETE, read("2C"), "taken", Some(Irregularity::SurplusOnPlayer)).await;
    assert_eq!(phase, Phase::OnHold);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_with_the_device_is_reported() {
    check(&["4S"], Signal::Jam, "taken", Some(Irregularity::Jam)).await;
    let reset = |dealer_error| Signal::Reset { dealer_error };
    check(&["4S"], reset(true), "taken", Some(Irregularity::DeviceReset)).await;
    check(&["4S"], reset(false), "taken", Some(Irregularity::DeviceResetOther)).await;
    check(&["4S"], Signal::PowerLost, "taken", Some(Irregularity::PowerFailure)).await;
    // Once the cards decide, no clause speaks of it: the highest authority rules.
    check(&COMPLETE, reset(true), "taken", Some(Irregularity::Other)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_are_compared() {
    // Eight decks, one burned, one drawn.
    check(&["4S"], Signal::CountMismatch { left: 414 }, "taken", None).await;
    for left in [413, 415] {
        let wrong = Signal::CountMismatch { left };
        check(&["4S"], wrong, "taken", Some(Irregularity::ForeignCard)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cut_card_comes_out_once() {
    let fed = Fed::ready(OPEN, &[]).await;
    fed.say(read("4S")).await.unwrap();
    assert_eq!(code(&fed, &fed.say(Signal::CutCard).await), "taken");
    assert_eq!(code(&fed, &fed.say(Signal::CutCard).await), "422 already");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_shoe_ends_the_round() {
    let fed = Fed::ready(OPEN, &[]).await;
    fed.say(read("4S")).await.unwrap();
    assert_eq!(code(&fed, &fed.say(Signal::Empty).await), "taken");
    assert_eq!(fed.irregular(), Some(Irregularity::NotEnoughCards));
}

#[tokio::test(flavor = "multi_thread")]
async fn packets_are_for_niu_niu() {
    let packet = |text: &str| Signal::PacketRead { to: Holder::Dealer, cards: parse_cards(text).unwrap() };
    check(&[], packet("2C 3C 4C 5C 6C"), "422 other-game", None).await;
    // A card that is dealt to nobody is out all the same, and no clause covers it.
    let fed = Fed::ready("hoiana-niu-niu", &[]).await;
    assert_eq!(code(&fed, &fed.say(read("4S")).await), "taken");
    assert_eq!(fed.irregular(), Some(Irregularity::Other));
    let fed = Fed::ready("hoiana-niu-niu", &[]).await;
    assert_eq!(code(&fed, &fed.say(packet("2C 3C 4C 5C 6C")).await), "taken");
    assert_eq!(fed.phase(), Phase::CountCheck);
    // A card that is out already.
    let again = Signal::PacketRead { to: Holder::Box(1), cards: parse_cards("2C 7D 8D 9D TD").unwrap() };
    assert_eq!(code(&fed, &fed.say(again).await), "taken");
    assert_eq!(fed.irregular(), Some(Irregularity::ForeignCard));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_does_not_use_its_number_up() {
    let fed = Fed::ready(OPEN, &[]).await;
    fed.report(1, read("4S")).await.unwrap();
    fed.report(2, Signal::Jam).await.unwrap();
    // One card does not come together.
    let refused = fed.report(3, Signal::DoubleRead { cards: vec![card("5S")], order_known: true }).await;
    assert_eq!(code(&fed, &refused), "422 ruling-incomplete");
    let problem = refused.unwrap_err().problem(Some(&fed.table.setup.rulebook));
    assert_eq!(problem.parameters.get("expected"), Some(&3.into()));
    let (_, pit) = bots::staff(&fed.table.setup.rulebook);
    fed.table.command(None, Actor::Staff(pit), Action::Retract).await.unwrap();
    assert_eq!(fed.report(3, read("5S")).await.unwrap().next, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_come_in_order_and_once() {
    let fed = Fed::ready(OPEN, &[]).await;
    assert_eq!(code(&fed, &fed.report(0, read("4S")).await), "400 bad-sequence");
    assert_eq!(code(&fed, &fed.report(2, read("4S")).await), "409 sequence-gap");
    let first = fed.report(1, read("4S")).await.unwrap();
    let second = fed.report(2, read("5S")).await.unwrap();
    assert_eq!((first.next, second.next), (2, 3));
    assert!(second.line > first.line);

    // n − 1, and the one before it: as they were answered, with the number that is next now.
    assert_eq!(fed.report(2, read("5S")).await.unwrap(), second);
    assert_eq!(fed.report(1, read("4S")).await.unwrap(), Taken { next: 3, ..first });
    // The same numbers with something else.
    for (sequence, other) in [(1, read("5S")), (2, read("4S")), (2, Signal::Jam)] {
        let refused = fed.report(sequence, other).await;
        assert_eq!(code(&fed, &refused), "409 sequence-used");
        let problem = refused.unwrap_err().problem(None);
        assert_eq!(problem.parameters.get("expected"), Some(&3.into()));
    }
    // n + 1, and far beyond.
    for sequence in [4, 5, u64::MAX] {
        match fed.report(sequence, read("6S")).await {
            Err(NotTaken::Gap { expected: 3, .. }) => {}
            other => panic!("{sequence}: {other:?}"),
        }
    }
    // Nothing of that touched the table.
    assert_eq!(replayed(&fed.floor, &fed.table).table.round.draws.len(), 2);
    // n
    assert_eq!(fed.report(3, read("6S")).await.unwrap().next, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_go_on_after_a_restart() {
    let fed = Fed::ready(OPEN, &[]).await;
    fed.report(1, read("4S")).await.unwrap();
    let second = fed.report(2, read("5S")).await.unwrap();
    let again = Devices::load(&fed.floor).unwrap();
    assert_eq!(again.expected(fed.table.id).await, 3);
    let repeated = Report { sequence: 2, signal: read("5S") };
    assert_eq!(again.report(&fed.floor, fed.table.id, &repeated).await.unwrap(), second);
    let next = Report { sequence: 3, signal: read("6S") };
    assert_eq!(again.report(&fed.floor, fed.table.id, &next).await.unwrap().next, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_reports_at_once_are_one_after_the_other() {
    let fed = Fed::ready(OPEN, &[]).await;
    let (one, other) = tokio::join!(fed.report(1, read("4S")), fed.report(1, read("5S")));
    let taken = [&one, &other].iter().filter(|answer| answer.is_ok()).count();
    assert_eq!(taken, 1, "{one:?} {other:?}");
    let (one, other) = tokio::join!(fed.report(2, read("6S")), fed.report(2, read("6S")));
    assert_eq!(one.unwrap(), other.unwrap());
    assert_eq!(replayed(&fed.floor, &fed.table).table.round.draws.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_somebody_took_is_told() {
    let fed = Fed::ready(OPEN, &[]).await;
    let (dealer, _) = bots::staff(&fed.table.setup.rulebook);
    let draw = Action::Draw { card: Some(card("4S")), laid: None, exposed: false };
    let id = CommandId::new("device-1").unwrap();
    assert!(croupier_server::device::is_reserved(&id));
    fed.table.command(Some(id), Actor::Staff(dealer), draw).await.unwrap();
    assert_eq!(code(&fed, &fed.report(1, read("4S")).await), "409 sequence-used");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_tables_that_are_fed_have_devices() {
    let floor = floor();
    let table = open(&floor, OPEN, CardSource::Software, &[]).await;
    let devices = Devices::load(&floor).unwrap();
    let report = Report { sequence: 1, signal: Signal::Jam };
    let refused = devices.report(&floor, table.id, &report).await.unwrap_err();
    assert_eq!(refused.problem(None).code, "not-fed");
    let nowhere = croupier_ledger::TableId(99);
    assert_eq!(devices.report(&floor, nowhere, &report).await.unwrap_err().problem(None).status, 404);
    floor.stop().await.unwrap();
    // A server that stops says so, and not that the report was wrong.
    let fed = Fed::ready(OPEN, &[]).await;
    fed.floor.stop().await.unwrap();
    match fed.report(1, read("4S")).await {
        Err(NotTaken::Refused { refused: Refused::Stopping, expected: 1 }) => {}
        other => panic!("{other:?}"),
    }
}

const FAST: Timing = Timing {
    step: Duration::ZERO,
    betting: Duration::from_millis(80),
    insurance: Duration::from_millis(30),
    option: Duration::from_millis(60),
    result: Duration::ZERO,
};

/// Plays rounds at a fed table with robots only; what the shoe did.
async fn play(
    floor: &Arc<Floor>,
    game: &'static str,
    settings: &'static [(Setting, &'static str)],
    seed: u64,
    rounds: u64,
) -> Tally {
    let table = open(floor, game, CardSource::Feed, settings).await;
    let devices = Devices::load(floor).unwrap();
    let staff = bots::staff(&table.setup.rulebook);
    let shoe = SimulatedShoe::new(&devices, &table, seed, Mistakes::OFTEN).await;
    let pit = PitBot::new(&table, staff, float(&table), Duration::from_millis(5), shoe.on_the_table());
    pit.take_up().await;
    tokio::spawn(pit.run());
    let dealer = DealerBot::new(floor, &devices, &table, staff.0, shoe, FAST);
    for number in 0..4 {
        let bankroll = float(&table) / 500;
        let player = bots::player(table.id, number);
        let bot = Bot::new(floor, &table, player, seed + u64::from(number), Habits::per_second(bankroll, 0));
        tokio::spawn(bot.run());
    }
    let dealt = tokio::spawn(dealer.run(Some(rounds)));
    plays(&table, rounds).await;
    tokio::time::timeout(Duration::from_secs(20), dealt).await.unwrap().unwrap().tally()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shoe_that_makes_mistakes_does_not_stall_a_table() {
    let floor = floor();
    let squeeze: &[(Setting, &str)] = &[(Setting::Squeeze, "on")];
    let tallies = tokio::join!(
        play(&floor, "hoiana-baccarat/commission", squeeze, 1, 70),
        play(&floor, "hoiana-baccarat/commission", &[], 2, 70),
        play(&floor, "hoiana-dragon-tiger/non-commission", &[], 3, 60),
        play(&floor, OPEN, &[(Setting::Method, "A")], 4, 60),
        play(&floor, "hoiana-niu-niu", &[], 5, 40),
    );
    let (a, b, c, d, e) = tallies;
    let all = [a, b, c, d, e];
    let sum = |of: fn(&Tally) -> u64| all.iter().map(of).sum::<u64>();
    for (what, count) in [
        ("wrong hand", sum(|tally| tally.wrong_hand)),
        ("together in order", sum(|tally| tally.together_in_order)),
        ("together", sum(|tally| tally.together)),
        ("unreadable", sum(|tally| tally.unreadable)),
        ("jam", sum(|tally| tally.jam)),
        ("miscount", sum(|tally| tally.miscount)),
        ("surplus", sum(|tally| tally.surplus)),
        ("reset", sum(|tally| tally.reset)),
        ("power", sum(|tally| tally.power)),
        ("repeated", sum(|tally| tally.repeated)),
        ("out of order", sum(|tally| tally.out_of_order)),
    ] {
        assert!(count > 0, "no mistake of the kind: {what}; {all:?}");
    }
    assert_eq!(sum(|tally| tally.wrong_answers), 0, "{all:?}");
    stop_and_balance(&floor).await;
}
