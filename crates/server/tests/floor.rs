//! The floor without HTTP: durability, retries, restarts, wallets, shoes.

#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

mod support;

use std::time::Duration;

use croupier_journal::deed::Dealing;
use croupier_journal::store::Flow;
use croupier_journal::{Deed, Kind, Location, Select, Stream};
use croupier_ledger::PlayerId;
use croupier_server::table::Refused;
use croupier_server::table::dealer::Pace;
use croupier_table::{Action, Actor, Phase};
use support::{NO_PAUSE, balanced, bet, come, deposit, id, open, staff, start};

#[tokio::test(flavor = "multi_thread")]
async fn the_same_id_answers_the_same_and_another_command_under_it_is_refused() {
    let floor = start(Location::memory(), None, NO_PAUSE).floor;
    let table = open(&floor, Dealing::Staff, 30).await;
    come(&floor, &table, 7, 1, 1_000).await;
    prepare(&table).await;
    let first = bet(&table, "one", 7, 0, 10).await.unwrap();
    assert_eq!(bet(&table, "one", 7, 0, 10).await.unwrap(), first);
    let other = bet(&table, "one", 7, 0, 11).await;
    assert!(matches!(other, Err(Refused::OtherCommand { sequence }) if sequence == first.sequence));
    let wagers = table.current().await.views.public().felt.wagers.clone();
    assert_eq!(wagers.len(), 1, "{wagers:?}");
    // A refused command may be tried again under its id.
    assert!(bet(&table, "two", 7, 0, 1_000_000).await.is_err());
    bet(&table, "two", 7, 0, 5).await.unwrap();
    balanced(&floor);
}

/// Brings a shoe and opens betting.
async fn prepare(table: &croupier_server::table::TableHandle) {
    let dealer = staff(901, 0);
    for action in [
        Action::LoadShoe { set: None, commitment: None },
        Action::RecordShuffle,
        Action::CutCards { above: Some(100) },
        Action::Burn { count: 1, cards: Vec::new() },
        Action::OpenBets,
    ] {
        table.command(None, dealer, action).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_is_short_buys_nothing() {
    let floor = start(Location::memory(), None, NO_PAUSE).floor;
    let table = open(&floor, Dealing::Staff, 30).await;
    deposit(&floor, 7, 100, "d").await;
    let who = Actor::Player(PlayerId(7));
    table.command(None, who, Action::Sit { player: PlayerId(7), seat: 1 }).await.unwrap();
    let buy = |units: i64| Action::BuyIn {
        player: PlayerId(7),
        amount: croupier_rules::Amount::new(units * 100).unwrap(),
        cash: false,
    };
    let short = table.command(id("a"), who, buy(101)).await;
    assert!(matches!(short, Err(Refused::WalletShort { holds: 10_000, .. })), "{short:?}");
    assert_eq!(floor.wallet(PlayerId(7)), 10_000);
    table.command(id("a"), who, buy(100)).await.unwrap();
    assert_eq!(floor.wallet(PlayerId(7)), 0);
    balanced(&floor);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_in_the_middle_of_a_round_comes_back_to_the_same_state() {
    let folder = croupier_testkit::tempdir().unwrap();
    let database = || Location::Sqlite(folder.path().join("floor.sqlite"));
    let slow = Pace { step_milliseconds: 3_600_000, ..NO_PAUSE };
    let (before, sequence) = {
        let floor = start(database(), Some(folder.path()), slow).floor;
        let table = open(&floor, Dealing::Staff, 30).await;
        come(&floor, &table, 7, 1, 1_000).await;
        come(&floor, &table, 8, 2, 1_000).await;
        prepare(&table).await;
        bet(&table, "x", 7, 0, 10).await.unwrap();
        let dealer = staff(901, 0);
        table.command(None, dealer, Action::CloseBets).await.unwrap();
        let draw = Action::Draw { card: None, laid: None, exposed: false };
        table.command(None, dealer, draw.clone()).await.unwrap();
        let last = table.command(None, dealer, draw).await.unwrap();
        floor.stop().await.unwrap();
        (table.shown().view(croupier_server::table::Audience::Surveillance), last.sequence)
    };
    let started = start(database(), Some(folder.path()), slow);
    assert!(!started.was_killed);
    let table = started.floor.table(croupier_ledger::TableId(1)).unwrap();
    assert_eq!(table.shown().view(croupier_server::table::Audience::Surveillance), before);
    assert_eq!(table.shown().sequence, sequence);
    // The shoe goes on where it was, and ids are still known.
    let dealer = staff(901, 0);
    let draw = Action::Draw { card: None, laid: None, exposed: false };
    table.command(None, dealer, draw).await.unwrap();
    assert!(bet(&table, "x", 7, 0, 10).await.is_ok());
    assert!(matches!(bet(&table, "x", 7, 1, 10).await, Err(Refused::OtherCommand { .. })));
    balanced(&started.floor);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_automatic_table_plays_whole_shoes_and_shows_them() {
    let location = Location::memory();
    let floor = start(location.clone(), None, NO_PAUSE).floor;
    let table = open(&floor, Dealing::Automatic, 5).await;
    come(&floor, &table, 7, 1, 100_000).await;
    let mut shown = table.watch();
    tokio::time::timeout(Duration::from_secs(60), async {
        let mut tries = 0_u32;
        while table.shown().views.public().felt.shoe.number < 3 {
            shown.changed().await.unwrap();
            tries += 1;
            if table.shown().views.public().felt.phase == Phase::BetsOpen {
                let _ = bet(&table, &format!("b{tries}"), 7, 0, 1).await;
            }
        }
    })
    .await
    .unwrap();
    floor.stop().await.unwrap();
    let mut reveals = Vec::new();
    let mut store = location.open_to_read().unwrap();
    store
        .rows(Select::Stream(Stream::Table(table.id), 1), &mut |_, row| {
            if row.kind == Kind::RevealShoe
                && let Deed::RevealShoe(reveal) = row.record().unwrap().deed
            {
                reveals.push((reveal.shoe, reveal.cards.len()));
            }
            Flow::Continue(())
        })
        .unwrap();
    assert_eq!(reveals.first(), Some(&(1, 416)));
    assert!(reveals.len() >= 2, "{reveals:?}");
    balanced(&floor);
}
