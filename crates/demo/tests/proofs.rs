//! What the proofs of a shoe in play tell: the cards that lie open, and no other.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use croupier_demo::bots::{self, PitBot};
use croupier_demo::furnish::{self, DemoTable, TABLES};
use croupier_demo::simulator::OnTheTable;
use croupier_journal::deed::CageMove;
use croupier_journal::{By, CommandId};
use croupier_rules::Amount;
use croupier_rules::setting::Setting;
use croupier_server::floor::AtCage;
use croupier_server::table::TableHandle;
use croupier_server::table::dealer::Pace;
use croupier_server::{App, Config};
use croupier_table::view::Felt;
use croupier_table::{Action, Actor, Phase, Place, PlayerId};
use serde_json::Value;
use tower::ServiceExt as _;

const PLAYER: PlayerId = PlayerId(77);

/// A table that deals by itself, at which one player has wagered and then does nothing.
async fn dealt(game: &str, bet: &str, area: Option<u8>) -> (Arc<App>, TableHandle) {
    let pace = Pace { step_milliseconds: 0, result_milliseconds: 0, windows_percent: 100 };
    let app = App::start(Config { in_memory: true, pace, ..Config::default() }, None).await.unwrap();
    let like = TABLES.iter().find(|table| table.game == game).unwrap();
    let settings: &[_] = match game {
        "hoiana-niu-niu" => &[(Setting::OptionSeconds, "600")],
        _ => &[(Setting::Squeeze, "on"), (Setting::OptionSeconds, "600")],
    };
    let table = furnish::open(&app.floor, &DemoTable { settings, ..*like }).await.unwrap();
    let staff = bots::staff(&table.setup.rulebook);
    let pit = PitBot::new(&table, staff, like.money.float, Duration::ZERO, OnTheTable::default());
    pit.take_up().await;
    tokio::spawn(pit.run());
    let me = Actor::Player(PLAYER);
    let seat = Action::Sit { player: PLAYER, seat: 1 };
    table.command(None, me, seat).await.unwrap();
    let amount = Amount::new(like.money.bankroll).unwrap();
    let amount_in = croupier_ledger::Amount::new(like.money.bankroll).unwrap();
    let moved = CageMove { player: PLAYER, amount: amount_in, witness: None, note: String::new() };
    let id = CommandId::new("in").unwrap();
    app.floor.at_cage(AtCage { id, by: By::System.into(), moved, comes_in: true }).await.unwrap();
    table.command(None, me, Action::BuyIn { player: PLAYER, amount, cash: false }).await.unwrap();
    let bet = table.setup.rulebook.game(game).unwrap().bet_index(bet).unwrap();
    let place = Place {
        player: PLAYER,
        bet,
        amount: Amount::new(like.money.minimum).unwrap(),
        area,
        reserve: None,
        in_chips: true,
        untimed: false,
    };
    reached(&table, Phase::BetsOpen).await;
    table.command(None, me, Action::Place(place)).await.unwrap();
    if settings.contains(&(Setting::Squeeze, "on")) {
        table.command(None, me, Action::AskSqueeze { player: PLAYER }).await.unwrap();
    }
    (app, table)
}

async fn reached(table: &TableHandle, phase: Phase) {
    let mut watch = table.watch();
    let there = watch.wait_for(|shown| shown.views.public().felt.phase == phase);
    if tokio::time::timeout(Duration::from_secs(60), there).await.is_err() {
        panic!("{phase} is not reached: {:?}", table.shown().views.public().felt);
    }
}

/// The cards that the proofs name, as anybody may ask for them.
async fn proved(app: &Arc<App>, table: &TableHandle) -> Vec<String> {
    let path = format!("/api/tables/{}/shoes/1", table.id);
    let request = Request::builder().uri(path).header("host", "localhost").body(Body::empty()).unwrap();
    let response = app.router(Router::new()).oneshot(request).await.unwrap();
    assert_eq!(response.status(), 200);
    let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    let told: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(told["is_over"], false);
    let openings = told["openings"].as_array().unwrap();
    openings.iter().map(|opening| opening["card"].as_str().unwrap().to_string()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_that_is_squeezed_is_not_proved_before_it_is_open() {
    let (app, table) = dealt("hoiana-baccarat/commission", "banker", None).await;
    reached(&table, Phase::InitialReveal).await;
    // The Player's hand, on which nobody wagered, is opened by the Dealer; the Banker's waits for the player.
    let mut watch = table.watch();
    let faces = |felt: &Felt| felt.draws.iter().filter_map(|card| card.face.card()).count();
    let waits = watch.wait_for(|shown| {
        let felt = &shown.views.public().felt;
        felt.squeezers[1] == Some(PLAYER) && faces(felt) == 2
    });
    tokio::time::timeout(Duration::from_secs(60), waits).await.unwrap().unwrap();
    let shown = table.shown();
    let felt = shown.views.public().felt;
    let mut open: Vec<String> =
        felt.draws.iter().filter_map(|card| card.face.card()).map(|card| card.to_string()).collect();
    let mut proved = proved(&app, &table).await;
    open.sort();
    proved.sort();
    assert_eq!((felt.draws.len(), open.len()), (4, 2));
    assert_eq!(proved, open);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_hand_of_niu_niu_is_proved_before_the_dealer_opens() {
    let (app, table) = dealt("hoiana-niu-niu", "even", Some(1)).await;
    reached(&table, Phase::Arranging).await;
    assert!(!table.shown().views.public().felt.hands.is_empty());
    assert_eq!(proved(&app, &table).await, Vec::<String>::new());
}
