//! How long a start takes, how much memory the floor has then, and how long each way of looking back takes.

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use croupier_journal::store::Flow;
use croupier_journal::{Kind, Select, Stream};
use croupier_ledger::TableId;
use croupier_server::{App, Config};
use tower::ServiceExt as _;

/// A player who has played from the first round on.
pub(crate) const FIRST: &str = "player-first";
pub(crate) const PASSWORD: &str = "seven quiet violins";

/// How often each is asked.
const TIMES: usize = 30;

pub(crate) async fn measure(config: Config) {
    let start = Instant::now();
    let app = App::start(config, None).await.expect("the floor starts");
    let ready = start.elapsed();
    println!("  ready        {} after the start, with {}", shown(ready), memory());
    let router = app.router(Router::new());
    let table = app.floor.tables().first().cloned().expect("a table");
    let felt_round = table.shown().views.public().felt.round;
    let shoe = table.shown().views.public().felt.shoe.number;
    let cookie = sign_in(&router).await;
    // What was asked of the table first, sent again.
    let retried = first_command(&app).await;

    let path = |rest: &str| format!("/api/tables/{}/{rest}", table.id);
    let rounds = [1, felt_round / 2, felt_round.saturating_sub(2).max(1)];
    let shoes = [1, (shoe / 2).max(1), shoe.saturating_sub(1).max(1)];
    let mut asked: Vec<(&str, Vec<String>)> = vec![
        ("roads", vec![path("roads")]),
        ("rounds", rounds.map(|round| path(&format!("rounds?before={}", round + 1))).to_vec()),
        ("one round", rounds.map(|round| path(&format!("rounds/{round}"))).to_vec()),
        ("a shoe, over", shoes.map(|shoe| path(&format!("shoes/{shoe}"))).to_vec()),
        ("the shoe", vec![path(&format!("shoes/{shoe}"))]),
        ("me/rounds", vec!["/api/me/rounds".to_string()]),
    ];
    asked.push(("me", vec!["/api/me".to_string()]));
    for (name, paths) in asked {
        let mut times = Vec::new();
        let mut statuses = Vec::new();
        for at in 0..TIMES {
            let path = paths.get(at % paths.len()).expect("a path");
            let start = Instant::now();
            statuses.push(get(&router, path, &cookie).await);
            times.push(start.elapsed());
        }
        statuses.sort_unstable();
        statuses.dedup();
        report(name, times, &format!("{statuses:?}"));
    }
    if let Some(body) = retried {
        let mut times = Vec::new();
        let mut status = 0;
        for _ in 0..TIMES {
            let start = Instant::now();
            status = post(&router, &path("commands"), &body, &cookie).await;
            times.push(start.elapsed());
        }
        report("a retry", times, &format!("[{status}]"));
    }
    println!("  at the end   {}", memory());
    app.floor.stop().await.expect("the floor stops");
}

fn report(name: &str, mut times: Vec<Duration>, statuses: &str) {
    let first = times.first().copied().unwrap_or_default();
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    let most = times.last().copied().unwrap_or_default();
    println!(
        "  {name:12} {} in the middle, {} at most, {} the first time   {statuses}",
        shown(middle),
        shown(most),
        shown(first)
    );
}

fn shown(time: Duration) -> String {
    format!("{:8.2} ms", time.as_secs_f64() * 1_000.0)
}

/// What the process has in memory, as Linux says.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    let mebibytes = |name: &str| of(name).map_or_else(|| "?".to_string(), |kib| (kib / 1_024).to_string());
    format!("{} MiB in memory, {} at most", mebibytes("VmRSS:"), mebibytes("VmHWM:"))
}

async fn sign_in(router: &Router) -> String {
    let body = format!(r#"{{"name":"{FIRST}","password":"{PASSWORD}"}}"#);
    let request =
        Request::post("/api/sign-in").header("host", "floor").header("content-type", "application/json");
    let response = router.clone().oneshot(request.body(Body::from(body)).expect("a request")).await;
    let response = response.unwrap_or_else(|never| match never {});
    let cookie =
        response.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok()).unwrap_or_default();
    cookie.split(';').next().unwrap_or_default().to_string()
}

async fn get(router: &Router, path: &str, cookie: &str) -> u16 {
    let request = Request::get(path).header("host", "floor").header("cookie", cookie);
    send(router, request.body(Body::empty()).expect("a request")).await
}

async fn post(router: &Router, path: &str, body: &str, cookie: &str) -> u16 {
    let request = Request::post(path)
        .header("host", "floor")
        .header("sec-fetch-site", "same-origin")
        .header("content-type", "application/json")
        .header("cookie", cookie);
    send(router, request.body(Body::from(body.to_string())).expect("a request")).await
}

async fn send(router: &Router, request: Request<Body>) -> u16 {
    let response = router.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
    let status = response.status().as_u16();
    to_bytes(response.into_body(), 1 << 26).await.expect("an answer");
    status
}

/// The first command of the first player at the first table, as it was sent.
async fn first_command(app: &App) -> Option<String> {
    let read = app.floor.shared.readers.read(|store| {
        let mut found = None;
        store.rows(Select::Stream(Stream::Table(TableId(1)), 1), &mut |_, row| {
            let is_bet = row.kind == Kind::Table && !row.id.as_str().contains(':');
            let line: serde_json::Value = serde_json::from_slice(&row.line).unwrap_or_default();
            let action =
                line.pointer("/deed/table").filter(|action| is_bet && action["place"]["player"] == 1);
            match action {
                Some(action) => {
                    found = Some(serde_json::json!({"id": row.id.as_str(), "action": action}).to_string());
                    Flow::Break(())
                }
                None => Flow::Continue(()),
            }
        })?;
        Ok(found)
    });
    read.await.ok().flatten()
}
