//! A floor in memory for the tests of devices and robots.

use std::sync::Arc;
use std::time::Duration;

use croupier_demo::furnish::{self, DemoTable, TABLES};
use croupier_journal::deed::CardSource;
use croupier_journal::store::Flow;
use croupier_journal::{Location, Replayed, Select, Stream};
use croupier_rules::setting::Setting;
use croupier_server::floor::{Floor, Place};
use croupier_server::table::TableHandle;
use croupier_server::table::dealer::Pace;

pub(crate) fn floor() -> Arc<Floor> {
    let pace = Pace { step_milliseconds: 0, result_milliseconds: 0, windows_percent: 10 };
    Floor::start(&Place {
        database: Location::memory(),
        folder: None,
        keys: Default::default(),
        pace,
        accept_registers: false,
    })
    .unwrap()
    .floor
}

pub(crate) async fn open(
    floor: &Floor,
    game: &'static str,
    cards: CardSource,
    settings: &'static [(Setting, &'static str)],
) -> TableHandle {
    let like = TABLES.iter().find(|table| table.game == game).unwrap();
    furnish::open(floor, &DemoTable { cards, settings, ..*like }).await.unwrap()
}

/// The float that the demonstration brings to a table of this game.
pub(crate) fn float(table: &TableHandle) -> i64 {
    let game = &table.opened.opening.game;
    TABLES.iter().find(|known| known.game == game).unwrap().money.float
}

/// The table as its stream has it.
pub(crate) fn replayed(floor: &Floor, table: &TableHandle) -> Replayed {
    let shelf = floor.shelf();
    let mut found: Option<Replayed> = None;
    let read = floor.shared.readers.read_here(|store| {
        store.rows(Select::Stream(Stream::Table(table.id), 1), &mut |_, row| {
            match &mut found {
                None => found = Some(Replayed::first(&shelf, &row).unwrap()),
                Some(replayed) => {
                    replayed.follow_whole(&row, &row.record().unwrap()).unwrap();
                }
            }
            Flow::Continue(())
        })
    });
    read.unwrap();
    found.unwrap()
}

/// Stops the floor; every table and the ledger say the same.
pub(crate) async fn stop_and_balance(floor: &Floor) {
    floor.stop().await.unwrap();
    let ledger = floor.shared.till.hold(|till| till.ledger.clone());
    ledger.verify().unwrap();
    for table in floor.tables() {
        let replayed = replayed(floor, &table);
        replayed.books.balanced(&replayed.table, &ledger).unwrap();
    }
}

/// Waits until a table has played as many rounds; fails if play stalls.
pub(crate) async fn plays(table: &TableHandle, rounds: u64) {
    let mut watch = table.watch();
    let mut last = 0;
    while last < rounds {
        let next = watch.wait_for(|shown| shown.views.public().felt.round > last);
        match tokio::time::timeout(Duration::from_secs(20), next).await {
            Ok(shown) => last = shown.unwrap().views.public().felt.round,
            Err(_) => {
                let shown = table.shown();
                let felt = shown.views.public().felt;
                let desk = shown.views.dealer().desk;
                panic!("{} stalls in round {last}, {}: {felt:?} {desk:?}", table.opened.name, felt.phase);
            }
        }
    }
}
