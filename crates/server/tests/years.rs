//! A floor that was there before: data of earlier versions, snapshots that are of no use, and looking back at any age.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what went wrong by failing")]

use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use croupier_journal::{Source, verify};
use croupier_server::table::dealer::Pace;
use croupier_server::{App, Config};
use croupier_testkit::{TempDir, tempdir};
use serde_json::Value;
use tower::ServiceExt as _;

/// A data folder that 0.1.0 wrote before lines, snapshots and checkpoints said who wrote them: an automatic table with
/// seven players, killed in the middle of a round.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/floor-0.1.0");
/// Its finished rounds at the first table.
const ROUNDS: usize = 27;

fn copied() -> TempDir {
    let folder = tempdir().unwrap();
    std::fs::create_dir(folder.path().join("keys")).unwrap();
    for name in ["croupier.sqlite", "checkpoints.jsonl", "tail.json", "keys/signing.key", "keys/sealing.key"]
    {
        std::fs::copy(Path::new(GOLDEN).join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn config(data: &Path) -> Config {
    let pace = Pace { step_milliseconds: 0, result_milliseconds: 0, windows_percent: 1 };
    Config { data: data.to_path_buf(), pace, ..Config::default() }
}

async fn get(router: &Router, path: &str) -> Value {
    let request = Request::get(path).header("host", "floor").body(Body::empty()).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = to_bytes(response.into_body(), 1 << 26).await.unwrap();
    assert!(status.is_success(), "{path}: {status} {}", String::from_utf8_lossy(&bytes));
    serde_json::from_slice(&bytes).unwrap()
}

fn verified(data: &Path) -> verify::Summary {
    let mut source = Source::open(data.to_str().unwrap()).unwrap();
    let against = verify::Against { checkpoints: source.checkpoints.as_deref(), trusted: None };
    verify::verify(source.store.as_mut(), against, &mut |_| ()).unwrap_or_else(|trouble| panic!("{trouble}"))
}

/// All numbers of the finished rounds of the first table, the newest first.
async fn rounds(router: &Router) -> Vec<u64> {
    let mut all = Vec::new();
    let mut path = "/api/tables/1/rounds?limit=10".to_string();
    loop {
        let page = get(router, &path).await;
        all.extend(page["rounds"].as_array().unwrap().iter().map(|round| round["round"].as_u64().unwrap()));
        match page["next"].as_u64() {
            Some(next) => path = format!("/api/tables/1/rounds?limit=10&before={next}"),
            None => return all,
        }
    }
}

/// Lets the table play on until it has finished more rounds.
async fn plays_on(app: &App) {
    let table = app.floor.tables()[0].clone();
    let before = table.shown().views.public().felt.round;
    let mut shown = table.watch();
    let on = shown.wait_for(|shown| shown.views.public().felt.round > before + 2);
    tokio::time::timeout(Duration::from_secs(60), on).await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_folder_of_0_1_0_opens_verifies_and_plays_on() {
    let folder = copied();
    let before = verified(folder.path());
    let rows = before.rows;
    // It did not say who it was, and some of its rules were mended since.
    assert!(before.differences.iter().all(|difference| difference.engine.is_none()));
    let app = App::start(config(folder.path()), None).await.unwrap();
    assert!(app.was_killed);
    let router = app.router(Router::new());
    assert!(rounds(&router).await.len() >= ROUNDS);
    let round = get(&router, "/api/tables/1/rounds/1").await;
    let player = round["kept"]["felt"]["wagers"][0]["player"].as_u64().unwrap();
    // Rounds of before the register of players' rounds are in it too.
    let first = u32::try_from(player).unwrap();
    let played = app.floor.shared.readers.read_here(|store| {
        let keys = (format!("{first:010}/"), format!("{first:010}0"));
        let order = croupier_journal::store::Order::Rising;
        store.range("player-round", keys.0.as_str()..keys.1.as_str(), order, 1_000)
    });
    let played = played.unwrap();
    assert!(played.len() >= 5, "{}", played.len());
    plays_on(&app).await;
    app.floor.stop().await.unwrap();
    drop((router, app));
    let after = verified(folder.path());
    assert!(after.rows > rows);
    assert_eq!(after.differing, before.differing, "what this version wrote is what it derives");
    // And once more, from what this version stored.
    let app = App::start(config(folder.path()), None).await.unwrap();
    assert!(!app.was_killed);
    app.floor.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn snapshots_of_no_use_cost_time_and_nothing_else() {
    let folder = copied();
    let app = App::start(config(folder.path()), None).await.unwrap();
    plays_on(&app).await;
    app.floor.stop().await.unwrap();
    let router = app.router(Router::new());
    let (told, state) = (rounds(&router).await, app.floor.tables()[0].shown().views.public().felt.round);
    let shoe = get(&router, "/api/tables/1/shoes/1").await;
    drop((router, app));

    // What another key sealed, and no list of rounds: all of it is made again from the lines.
    let database = rusqlite::Connection::open(folder.path().join("croupier.sqlite")).unwrap();
    let spoiled =
        database.execute("UPDATE register SET value = zeroblob(64) WHERE register = 'snapshot'", []);
    assert!(spoiled.unwrap() >= 2);
    database
        .execute("DELETE FROM register WHERE register IN ('round', 'player-round', 'whole')", [])
        .unwrap();
    drop(database);
    let quiet =
        Config { pace: Pace { step_milliseconds: 60_000, ..Pace::default() }, ..config(folder.path()) };
    let app = App::start(quiet, None).await.unwrap();
    assert!(app.floor.tables()[0].shown().views.public().felt.round >= state);
    app.floor.stop().await.unwrap();
    let router = app.router(Router::new());
    let again = rounds(&router).await;
    assert!(again.ends_with(&told), "{again:?} {told:?}");
    assert_eq!(get(&router, "/api/tables/1/shoes/1").await["commitment"], shoe["commitment"]);
}

/// Each shoe is found by its rounds, with its commitment and its cut, also the first and the last.
#[tokio::test(flavor = "multi_thread")]
async fn shoes_are_found_at_any_age() {
    let folder = copied();
    let app = App::start(config(folder.path()), None).await.unwrap();
    let table = app.floor.tables()[0].clone();
    let mut shown = table.watch();
    let on = shown.wait_for(|shown| shown.views.public().felt.shoe.number >= 4);
    tokio::time::timeout(Duration::from_secs(120), on).await.unwrap().unwrap();
    app.floor.stop().await.unwrap();
    let last = table.shown().views.public().felt.shoe.number;
    let router = app.router(Router::new());
    let mut commitments = Vec::new();
    for shoe in 1..last {
        let told = get(&router, &format!("/api/tables/1/shoes/{shoe}")).await;
        assert_eq!(told["openings"].as_array().unwrap().len(), 416, "shoe {shoe}");
        commitments.push(told["commitment"].as_str().unwrap().to_string());
    }
    commitments.dedup();
    assert_eq!(commitments.len(), usize::try_from(last).unwrap() - 1);
}

#[tokio::test]
async fn while_it_starts_the_server_says_how_far_it_has_come() {
    let progress = std::sync::Arc::new(croupier_server::progress::Progress::default());
    let router = croupier_server::starting::router(std::sync::Arc::clone(&progress));
    progress.begin("rebuilding tables", 1_000);
    progress.add(250);
    assert_eq!(get(&router, "/healthz").await["version"], env!("CARGO_PKG_VERSION"));
    for path in ["/readyz", "/api/tables"] {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()["retry-after"], "1");
        let told: Value =
            serde_json::from_slice(&to_bytes(response.into_body(), 4_096).await.unwrap()).unwrap();
        assert_eq!(told["code"], "starting");
        assert_eq!(
            (&told["doing"], &told["done"], &told["of"]),
            (&"rebuilding tables".into(), &250.into(), &1000.into())
        );
    }
}
