//! Signing in to a demonstration with one click.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use croupier_demo::Demo;
use croupier_ledger::PlayerId;
use croupier_server::people::Cost;
use croupier_server::{App, Config};
use serde_json::{Value, json};
use tower::ServiceExt as _;

struct Site {
    app: Arc<App>,
    router: Router,
}

impl Site {
    async fn open() -> Self {
        let mut config = Config { in_memory: true, ..Config::default() };
        config.people.cost = Cost { memory_kib: 8, passes: 1, at_once: 2 };
        let app = App::start_demo(config, None, Arc::default(), Arc::new(Demo::default())).await.unwrap();
        let router = app.router(Router::new());
        Self { app, router }
    }

    /// Asks for something on the page of the demo: the status, the answer and the cookie that came with it.
    async fn ask(&self, host: &str, path: &str, cookie: &str, body: &Value) -> (u16, Value, String) {
        let request = Request::post(path)
            .header("host", host)
            .header("cookie", cookie)
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/json");
        let request = request.body(Body::from(body.to_string())).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let cookie = response.headers().get("set-cookie").map(|cookie| cookie.to_str().unwrap().to_string());
        let cookie =
            cookie.and_then(|cookie| Some(cookie.split(';').next()?.to_string())).unwrap_or_default();
        let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap_or_default(), cookie)
    }

    async fn enter(&self, role: &str) -> (u16, Value, String) {
        self.ask("localhost", "/api/demo/sign-in", "", &json!({"role": role})).await
    }
}

#[tokio::test]
async fn a_demo_signs_in_with_one_click() {
    let site = Site::open().await;
    let (one, two) = (site.enter("player").await, site.enter("player").await);
    assert_eq!([&one.1["name"], &two.1["name"]], ["demo-player-1", "demo-player-2"]);
    let id = u32::try_from(two.1["id"].as_u64().unwrap()).unwrap();
    assert!(site.app.floor.wallet(PlayerId(id)) > 0);
    let signed_out = site.ask("localhost", "/api/sign-out", &one.2, &Value::Null).await;
    assert_eq!(signed_out.0, 204);
    assert_eq!(site.enter("player").await.1["name"], "demo-player-1", "a free one is used again");
    let ranks = |got: &Value| -> Vec<String> {
        let grants = got["grants"].as_array().unwrap().clone();
        grants.iter().filter_map(|grant| Some(grant["staff"]["rank"].as_str()?.to_string())).collect()
    };
    let dealer = site.enter("dealer").await.1;
    assert_eq!(ranks(&dealer), ["dealer"; 5]);
    assert_eq!(dealer["on_duty"], true);
    assert!(ranks(&site.enter("pit-manager").await.1).iter().all(|rank| rank == "pit-manager"));
    assert!(ranks(&site.enter("shift-manager").await.1).contains(&"senior-management".to_string()));
    assert_eq!(site.enter("inspector").await.0, 200);
    for (role, right) in [("cashier", "cage"), ("surveillance", "watch"), ("auditor", "audit")] {
        assert_eq!(site.enter(role).await.1["rights"], json!([right]));
    }
    let rights = json!(["open-tables", "close-day", "administer"]);
    assert_eq!(site.enter("admin").await.1["rights"], rights);
    assert_eq!(site.enter("king").await.0, 400);
    for _ in 3..=50 {
        assert_eq!(site.enter("player").await.0, 200);
    }
    let again = [site.enter("player").await.1, site.enter("player").await.1];
    let names = ["demo-player-1", "demo-player-2"];
    assert_eq!([&again[0]["name"], &again[1]["name"]], names, "all are taken: each in turn");
    let body = json!({"name": "demo-admin", "password": ""});
    let refused = site.ask("localhost", "/api/sign-in", "", &body).await;
    assert_eq!((refused.0, &refused.1["code"]), (401, &json!("wrong-password")), "they have no password");
}

/// A page of another site may have its own name point to this machine.
#[tokio::test]
async fn a_demo_answers_to_no_other_name() {
    let site = Site::open().await;
    for (host, expected) in [
        ("localhost:8080", 200),
        ("127.0.0.1:8080", 200),
        ("[::1]:8080", 200),
        ("floor.evil.example:8080", 421),
        ("localhost.evil.example", 421),
    ] {
        let (status, body, _) = site.ask(host, "/api/demo/sign-in", "", &json!({"role": "cashier"})).await;
        assert_eq!(status, expected, "{host}: {body}");
    }
}
