//! The floor of the demonstration: robots that play every game at automatic tables, and tables that are there again
//! after a restart.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers fail a test by panicking")]

mod common;

use std::time::Duration;

use common::{float, floor, open, plays, replayed, stop_and_balance};
use croupier_demo::bots::{self, Bot, Habits, PitBot};
use croupier_demo::furnish::{self, TABLES};
use croupier_demo::simulator::OnTheTable;
use croupier_journal::deed::CardSource;
use croupier_journal::{By, Location};
use croupier_rules::setting::Setting;
use croupier_server::device::Devices;
use croupier_server::floor::{Floor, Place};
use croupier_server::table::dealer::Pace;
use croupier_table::Phase;

/// Tables that wait as little as they can.
const SOON: &[(Setting, &str)] = &[
    (Setting::Squeeze, "on"),
    (Setting::BettingSeconds, "1"),
    (Setting::OptionSeconds, "1"),
    (Setting::InsuranceSeconds, "1"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn robots_play_every_game_at_automatic_tables() {
    /// A round takes a second, so several tables of each game play side by side.
    const TABLES_OF_A_GAME: usize = 10;
    const ROUNDS: u64 = 12;
    let floor = floor();
    // The rulebooks want players to have some seconds; robots need one.
    for text in croupier_rules::library::standard_texts() {
        let hasty = text.replace("range = \"5-600\"", "range = \"1-600\"");
        floor.add_rulebook(By::System, &hasty).await.unwrap();
    }
    let mut played = Vec::new();
    let games = TABLES.iter().filter(|table| table.cards == CardSource::Software);
    for demo in games.flat_map(|demo| [demo; TABLES_OF_A_GAME]) {
        let table = open(&floor, demo.game, CardSource::Software, SOON).await;
        let staff = bots::staff(&table.setup.rulebook);
        let pit = PitBot::new(&table, staff, float(&table), Duration::ZERO, OnTheTable::default());
        pit.take_up().await;
        tokio::spawn(pit.run());
        let mut deeds = Vec::new();
        for number in 0..3 {
            let habits = Habits::per_second(demo.money.bankroll, 0);
            let seed = u64::from(table.id.0 * 10 + number);
            let bot = Bot::new(&floor, &table, bots::player(table.id, number), seed, habits);
            deeds.push(bot.deeds());
            tokio::spawn(bot.run());
        }
        played.push((table, deeds));
    }
    for (table, _) in &played {
        plays(table, ROUNDS).await;
    }
    stop_and_balance(&floor).await;
    for (table, deeds) in &played {
        let name = &table.opened.opening.game;
        let round = replayed(&floor, table).table.round.number;
        assert!(round >= ROUNDS, "{name}: {round}");
        let done = deeds.iter().map(bots::Deeds::done).sum::<u64>();
        assert!(done >= ROUNDS, "{name}: {done} done");
        // Robots without a pause race each other for boxes and against the clock, on views that are a moment old.
        // If they are refused more often than that, views offer what is refused.
        let refused = deeds.iter().map(bots::Deeds::refused).sum::<u64>();
        assert!(refused <= done / 2, "{name}: {refused} refused, {done} done");
    }
}

#[test]
fn the_tables_of_the_demonstration_are_there_again_after_a_restart() {
    let folder = std::env::temp_dir().join(format!("croupier-demo-{}", std::process::id()));
    let place = Place {
        keys: folder.join("keys"),
        database: Location::Sqlite(folder.join("croupier.sqlite")),
        folder: Some(folder.clone()),
        pace: Pace::default(),
        accept_registers: false,
    };
    for _ in 0..2 {
        // With the runtime all tasks of the first server end.
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(furnished(&place));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

async fn furnished(place: &Place) {
    let floor = Floor::start(place).unwrap().floor;
    let devices = Devices::load(&floor).unwrap();
    furnish::furnish_floor(&floor, &devices).await.unwrap();
    let tables = floor.tables();
    assert_eq!(tables.len(), TABLES.len());
    for (table, demo) in tables.iter().zip(&TABLES) {
        assert_eq!((table.opened.name.as_str(), table.opened.opening.game.as_str()), (demo.name, demo.game));
        let mut watch = table.watch();
        let ready = watch.wait_for(|shown| {
            let pit = shown.views.pit();
            pit.desk.staff.len() == 2 && pit.desk.float.minor() > demo.money.float / 2
        });
        tokio::time::timeout(Duration::from_secs(20), ready).await.unwrap().unwrap();
        // Players come, and betting opens.
        let open = watch.wait_for(|shown| shown.views.public().felt.phase == Phase::BetsOpen);
        let open = tokio::time::timeout(Duration::from_secs(60), open).await;
        assert!(open.is_ok_and(|open| open.is_ok()), "{}", demo.name);
    }
    stop_and_balance(&floor).await;
}
