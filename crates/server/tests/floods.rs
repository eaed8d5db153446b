//! What somebody could send too much of: faults, denials, amounts that no account holds.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

#[expect(dead_code, reason = "this test uses its part of it")]
mod site;

use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::http::Request;
use croupier_server::Config;
use croupier_server::people::Grant;
use serde_json::{Value, json};
use site::Site;
use tower::ServiceExt as _;

/// Faults of a rulebook that is as long as one may be.
async fn faults(site: &Site, cookie: &str, text: String) -> (Vec<Value>, Duration) {
    assert!(text.len() > 800_000 && text.len() <= 1_048_576, "{}", text.len());
    let request = Request::builder()
        .method("POST")
        .uri("/api/rulebooks")
        .header("host", "floor:8080")
        .header("sec-fetch-site", "same-origin")
        .header("cookie", cookie)
        .header("content-type", "text/plain")
        .body(Body::from(text))
        .unwrap();
    let start = Instant::now();
    let response = site.router.clone().oneshot(request).await.unwrap();
    let took = start.elapsed();
    assert_eq!(response.status(), 422);
    let bytes = to_bytes(response.into_body(), 1 << 26).await.unwrap();
    let body: Value = serde_json::from_slice(&bytes).unwrap();
    (body["parameters"]["faults"].as_array().unwrap().clone(), took)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_faults_of_a_long_text_are_found_at_once_and_a_hundred_told() {
    let site = Site::open().await;
    let root = site.person("root", &[Grant::Admin]).await;
    let clauses: String =
        (0..13_000).map(|n| format!("\"{n}\" = {{kinds=[\"engine\"],says=\"a\"}}\n")).collect();
    let cites: String = (0..50_000).map(|n| format!("\"x{n}\",")).collect();
    for text in [
        // Keys that are not known, one in each line.
        (0..80_000).map(|n| format!("key{n} = 1\n")).collect::<String>(),
        // Clauses that are not there, looked for among many.
        format!("{}[clauses]\n{clauses}", format_args!("[rules]\nmenu = [{}]\n", &cites[..400_000])),
        // One line.
        format!("a = [{}1]\nb = 2", "1,".repeat(480_000)),
    ] {
        let (told, took) = faults(&site, &root.cookie, text).await;
        assert!(!told.is_empty() && told.len() <= 100, "{}", told.len());
        assert!(took < Duration::from_secs(10), "{took:?}: as long as the text, and not its square");
    }
    let text: String = (0..80_000).map(|n| format!("key{n} = 1\n")).collect();
    let (told, _) = faults(&site, &root.cookie, text).await;
    let last = told[99]["message"].as_str().unwrap();
    assert!(last.ends_with("more faults are not told; mend those before first"), "{last}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amount_that_no_account_holds_is_refused_and_changes_nothing() {
    let site = Site::with(Config { four_eyes_from: None, ..site::config() }).await;
    let (minh, ann) = (site.person("minh", &[Grant::Cashier]).await, site.player("ann").await);
    let deposit = async |id: &str, amount: i64| {
        let body = json!({"id": id, "player": ann.id, "amount": amount});
        site.ask(Some(&minh), "POST", "/api/cage/deposits", body).await
    };
    let most = 9_007_199_254_740_991;
    for (id, amount) in [("one", most), ("two", most), ("three", 1), ("four", most)] {
        let got = deposit(id, amount).await;
        assert!(got.status < 500, "{amount}: {}", got.body);
    }
    let before = site.wallet(ann.id);
    let got = deposit("five", most).await;
    assert_eq!(got.answer(), (422, "books"), "{}", got.body);
    assert_eq!(site.wallet(ann.id), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_denials_is_a_line_and_a_number() {
    let site = Site::open().await;
    let table = site.table(croupier_journal::deed::Dealing::Staff).await;
    let ann = site.player("ann").await;
    let before = site.lines().len();
    for _ in 0..300 {
        assert_eq!(site.ask(Some(&ann), "GET", "/api/audit/streams", Value::Null).await.status, 403);
        assert_eq!(site.command(&ann, &table, json!("settle")).await.status, 403);
    }
    site.app.floor.stop().await.unwrap();
    let lines = site.lines();
    let denied: Vec<&Value> = lines[before..].iter().filter_map(|line| line["deed"].get("denied")).collect();
    // As a person and as a player: twenty lines each, and one for the rest.
    assert_eq!(denied.len(), 42);
    let told: u64 = denied.iter().map(|denied| 1 + denied["more"].as_u64().unwrap_or(0)).sum();
    assert_eq!(told, 600, "{denied:?}");
}
