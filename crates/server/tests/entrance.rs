//! Coming in: what is guessed first, who is locked out, who waits for whom, and what others read of a name.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

#[expect(dead_code, reason = "this test uses its part of it")]
mod site;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, to_bytes};
use axum::http::Request;
use croupier_server::people::{Cost, Grant};
use serde_json::{Value, json};
use site::{PASSWORD, PIN, Site, config};
use tower::ServiceExt as _;

#[tokio::test(flavor = "multi_thread")]
async fn what_is_guessed_first_is_refused() {
    let site = Site::open().await;
    let ann = site.player("ann").await;
    for weak in ["Password123!", "welcome2casino", "1234567890", "qwertyuiop", "violinviolin", "aaaaaaaaaaaa"]
    {
        let body = json!({"current": PASSWORD, "new": weak});
        let got = site.ask(Some(&ann), "PUT", "/api/me/password", body).await;
        assert_eq!(got.answer(), (422, "bad-password"), "{weak}: {}", got.body);
    }
    for weak in ["111111", "123456", "121212", "123123"] {
        let body = json!({"password": PASSWORD, "pin": weak});
        let got = site.ask(Some(&ann), "PUT", "/api/me/pin", body).await;
        assert_eq!(got.answer(), (422, "bad-pin"), "{weak}: {}", got.body);
    }
    let body = json!({"current": PASSWORD, "new": "eleven quiet violins"});
    assert_eq!(site.ask(Some(&ann), "PUT", "/api/me/password", body).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_at_tables_does_not_sign_in() {
    let site = Site::open().await;
    let root = site.person("root", &[Grant::Admin]).await;
    let make = async |body: Value| site.ask(Some(&root), "POST", "/api/people", body).await;
    let got = make(json!({"name": "mai", "grants": ["player"]})).await;
    assert_eq!(got.status, 201, "{}", got.body);
    assert_eq!(got.body["nickname"], json!(format!("Player {}", got.body["id"])));
    let got = make(json!({"name": "linh", "nickname": " Linh", "grants": ["player"]})).await;
    assert_eq!(got.answer(), (422, "bad-nickname"), "{}", got.body);
    let mai = site.app.people.named("mai").unwrap().id;
    let body = json!({"nickname": "MAI"});
    let got = site.ask(Some(&root), "PATCH", &format!("/api/people/{mai}"), body).await;
    assert_eq!(got.answer(), (422, "bad-nickname"), "{}", got.body);
}

/// Whoever changes a PIN shows the password: that is not done at the door.
#[tokio::test(flavor = "multi_thread")]
async fn who_is_in_does_not_wait_for_those_who_sign_in() {
    const AT_THE_DOOR: usize = 100;
    let mut costly = config();
    costly.people.cost = Cost { memory_kib: 4_096, passes: 2, at_once: 1 };
    // All of them are looked at, none is told to wait.
    costly.people.guard.address_failures = u32::MAX;
    let site = Arc::new(Site::with(costly).await);
    let ann = site.player("ann").await;
    let done = Arc::new(AtomicUsize::new(0));
    let mut guesses = Vec::new();
    for number in 0..AT_THE_DOOR {
        let (site, done) = (Arc::clone(&site), Arc::clone(&done));
        guesses.push(tokio::spawn(async move {
            let body = json!({"name": format!("nobody-{number}"), "password": "a guess at nothing"});
            let got = site.ask(None, "POST", "/api/sign-in", body).await;
            done.fetch_add(1, Ordering::Relaxed);
            got.status
        }));
    }
    while done.load(Ordering::Relaxed) == 0 {
        tokio::task::yield_now().await;
    }
    let body = json!({"password": PASSWORD, "pin": PIN});
    let got = site.ask(Some(&ann), "PUT", "/api/me/pin", body).await;
    let before = done.load(Ordering::Relaxed);
    assert!(got.status < 300, "{}", got.body);
    assert!(before < AT_THE_DOOR / 2, "{before} of {AT_THE_DOOR} were looked at first");
    for guess in guesses {
        let status = guess.await.unwrap();
        assert_eq!(status, 401);
    }
}

/// A request with headers of its own.
async fn ask(site: &Site, headers: &[(&str, &str)], method: &str, path: &str, body: Value) -> (u16, Value) {
    let mut request = Request::builder().method(method).uri(path).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    let response = site.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_from_everywhere_do_not_lock_the_administrator_out() {
    let mut proxied = config();
    proxied.people.behind_proxy = true;
    let site = Site::with(proxied).await;
    site.person("root", &[Grant::Admin]).await;
    let sign_in = async |from: String, password: &str| {
        let headers = [("host", "floor"), ("x-forwarded-for", from.as_str())];
        let body = json!({"name": "root", "password": password});
        ask(&site, &headers, "POST", "/api/sign-in", body).await.0
    };
    let home = || "192.0.2.7".to_string();
    assert_eq!(sign_in(home(), PASSWORD).await, 200);
    for address in 0..12 {
        for _ in 0..5 {
            sign_in(format!("10.0.0.{address}"), "a guess at root").await;
        }
    }
    assert_eq!(sign_in("10.0.0.99".to_string(), PASSWORD).await, 429, "from elsewhere it is locked");
    assert_eq!(sign_in(home(), PASSWORD).await, 200, "from home it is not");
    assert_eq!(sign_in("127.0.0.1".to_string(), PASSWORD).await, 200, "nor on the machine itself");
}
