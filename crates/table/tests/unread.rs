//! A card that a device could not read: it lies there unnamed, and the Dealer names it when the hand is opened.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers fail a test by panicking")]

use std::sync::Arc;

use croupier_cards::{Card, parse_cards};
use croupier_ledger::TableId;
use croupier_rules::baccarat::Side;
use croupier_rules::setting::Setting;
use croupier_rules::{Amount, Library};
use croupier_table::view::RevealOffer;
use croupier_table::{
    Action, Actor, Chosen, Command, Opening, PersonId, Phase, Rank, Setup, Staff, Table, Value, Views, apply,
    decide,
};

const DEALER: Actor = Actor::Staff(Staff { person: PersonId(1), rank: Rank(0), acting: None });

fn opened() -> Table {
    let library = Library::standard();
    let (rulebook, _) = library.find("mbs-dragon-tiger").unwrap();
    let money = |units: i64| Value::Money(Amount::new(units * 100).unwrap());
    let chosen = |(setting, value)| Chosen { setting, bet: None, odds: None, value };
    let settings = [
        (Setting::Layout, Value::Word("A".to_string())),
        (Setting::Burn, Value::Count(0)),
        (Setting::CutCard, Value::Count(14)),
        (Setting::Chip, money(1)),
        (Setting::Minimum, money(10)),
        (Setting::Maximum, money(5_000)),
        (Setting::Differential, money(10_000)),
    ];
    let opening = Opening {
        game: "mbs-dragon-tiger".to_string(),
        settings: settings.into_iter().map(chosen).collect(),
        ..Opening::default()
    };
    let setup = Setup::new(rulebook, &opening).unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut table = Table::new(TableId(1), Arc::new(setup));
    for action in [
        Action::LoadShoe { set: None, commitment: None },
        Action::RecordShuffle,
        Action::CutCards { above: None },
        Action::OpenBets,
        Action::CloseBets,
    ] {
        give(&mut table, DEALER, action);
    }
    table
}

fn card(text: &str) -> Card {
    parse_cards(text).unwrap()[0]
}

fn ask(table: &mut Table, actor: Actor, action: Action) -> &'static str {
    match decide(table, &Command { actor, at: 0, action }) {
        Ok(events) => {
            events.iter().for_each(|event| apply(table, event));
            "done"
        }
        Err(refusal) => refusal.code(),
    }
}

fn give(table: &mut Table, actor: Actor, action: Action) {
    assert_eq!(ask(table, actor, action.clone()), "done", "{action:?}");
}

fn read(text: &str) -> Action {
    Action::Draw { card: Some(card(text)), laid: None, exposed: false }
}

const UNREAD: Action = Action::Draw { card: None, laid: None, exposed: false };

#[test]
fn a_card_that_people_see_is_named() {
    let mut table = opened();
    // Who sees the card can say what it is.
    let shown = Action::Draw { card: None, laid: None, exposed: true };
    assert_eq!(ask(&mut table, Actor::Device, shown.clone()), "card-unread");
    assert_eq!(ask(&mut table, DEALER, shown), "card-unread");
    // One that lies face down is out, whoever tells of it.
    give(&mut table, Actor::Device, UNREAD);
    give(&mut table, DEALER, UNREAD);
    assert_eq!(table.phase(), Phase::InitialDeal);
}

#[test]
fn the_dealer_names_it_when_the_hand_is_opened() {
    let mut table = opened();
    for action in [read("4S"), UNREAD, read("AH"), read("KS")] {
        give(&mut table, Actor::Device, action);
    }
    assert_eq!(table.phase(), Phase::InitialReveal);
    assert_eq!(ask(&mut table, Actor::System, read("5D")), "not-now");
    let offers = Views::new(&table).dealer().desk.reveal;
    assert_eq!(offers, [None, Some(RevealOffer { unread: 1 })]);
    let open = |told: &[&str]| Action::Reveal {
        side: Side::Banker,
        told: told.iter().map(|told| card(told)).collect(),
    };
    assert_eq!(ask(&mut table, DEALER, open(&[])), "ruling-incomplete");
    give(&mut table, DEALER, open(&["5C"]));
    assert_eq!(table.phase(), Phase::PlayerThird);
    // A third card the same.
    give(&mut table, Actor::Device, UNREAD);
    assert_eq!(table.phase(), Phase::PlayerThirdReveal);
    give(&mut table, DEALER, Action::Reveal { side: Side::Player, told: vec![card("AD")] });
    assert_eq!(table.phase(), Phase::Result);
    give(&mut table, DEALER, Action::Settle);
}
