//! Signing in, sessions, tokens, rights and denials, through the router and without a socket.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, header};
use croupier_journal::store::Flow;
use croupier_journal::{By, Deed, Select};
use croupier_ledger::TableId;
use croupier_server::limits::{Limits, Rate};
use croupier_server::people::{Cost, Edit, Grant, New, Secret, TokenFor};
use croupier_server::{App, Config};
use serde_json::{Value, json};
use tower::ServiceExt as _;

const PASSWORD: &str = "correct horse battery";

fn config() -> Config {
    let mut config = Config { in_memory: true, ..Config::default() };
    config.people.cost = Cost { memory_kib: 8, passes: 1, at_once: 2 };
    config.limits = Limits { sign_ins: Rate { per_minute: 0, burst: 1 }, ..Limits::default() };
    config
}

/// A server, as a browser or a program sees it.
struct Site {
    app: Arc<App>,
    router: Router,
}

/// What came back.
#[derive(Debug)]
struct Got {
    status: u16,
    body: Value,
    cookie: Option<String>,
    clears: Option<String>,
}

impl Got {
    fn code(&self) -> (u16, &str) {
        (self.status, self.body["code"].as_str().unwrap_or_default())
    }
}

/// How a request is signed in.
#[derive(Clone, Copy)]
enum As<'a> {
    Nobody,
    Browser(&'a str),
    Token(&'a str),
}

impl Site {
    async fn open(config: Config) -> Self {
        let app = App::start(config, None).await.unwrap();
        let router = app.router(axum::Router::new());
        Self { app, router }
    }

    async fn send(&self, request: Request<Body>) -> Got {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let cookie =
            response.headers().get(header::SET_COOKIE).map(|line| line.to_str().unwrap().to_string());
        let clears = response.headers().get("clear-site-data");
        let clears = clears.map(|line| line.to_str().unwrap().to_string());
        let kind =
            response.headers().get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap().to_string());
        let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        if status >= 400 {
            assert_eq!(kind.as_deref(), Some("application/problem+json"), "{body}");
        }
        Got { status, body, cookie, clears }
    }

    async fn ask(&self, who: As<'_>, method: &str, path: &str, body: Value) -> Got {
        let mut request = Request::builder().method(Method::from_bytes(method.as_bytes()).unwrap()).uri(path);
        // The demo answers to no other name.
        let host = "floor:8080";
        request = request.header("host", host);
        match who {
            As::Nobody => {}
            As::Browser(cookie) => {
                request = request.header("cookie", cookie).header("sec-fetch-site", "same-origin");
            }
            As::Token(token) => request = request.header("authorization", format!("Bearer {token}")),
        }
        let body = match body {
            Value::Null => Body::empty(),
            body => {
                request = request.header("content-type", "application/json");
                Body::from(body.to_string())
            }
        };
        self.send(request.body(body).unwrap()).await
    }

    async fn get(&self, who: As<'_>, path: &str) -> Got {
        self.ask(who, "GET", path, Value::Null).await
    }

    async fn sign_in(&self, name: &str, password: &str) -> Got {
        self.ask(As::Nobody, "POST", "/api/sign-in", json!({"name": name, "password": password})).await
    }

    /// Somebody with some grants, signed in: the id and the cookie.
    async fn person(&self, name: &str, grants: &[Grant]) -> (u32, String) {
        let new = New {
            name: name.to_string(),
            password: Some(Secret::new(PASSWORD)),
            grants: grants.to_vec(),
            on_duty: true,
            ..New::default()
        };
        let person = self.app.people.create(By::System, new).await.unwrap();
        (person.id, self.cookie(name).await)
    }

    async fn cookie(&self, name: &str) -> String {
        let got = self.sign_in(name, PASSWORD).await;
        assert_eq!(got.status, 200, "{got:?}");
        got.cookie.unwrap().split(';').next().unwrap().to_string()
    }

    /// What the stream of the house says, as lines.
    fn lines(&self) -> Vec<(Deed, By, String)> {
        let mut lines = Vec::new();
        let read = self.app.floor.shared.readers.read_here(|store| {
            store.rows(Select::After(0), &mut |_, row| {
                let record = row.record().unwrap();
                lines.push((record.deed, record.by, String::from_utf8(row.line.clone()).unwrap()));
                Flow::Continue(())
            })
        });
        read.unwrap();
        lines
    }

    fn denials(&self) -> Vec<(String, String, By)> {
        let denied = self.lines().into_iter().filter_map(|(deed, by, _)| match deed {
            Deed::Denied(denied) => Some((denied.what, denied.code, by)),
            _ => None,
        });
        denied.collect()
    }
}

fn by(id: u32) -> By {
    By::Person(croupier_table::PersonId(id))
}

#[tokio::test]
async fn the_first_administrator_comes_by_a_link_that_works_once() {
    let site = Site::open(config()).await;
    let first = site.app.people.first_run_token().unwrap().unwrap();
    let token = site.app.people.first_run_token().unwrap().unwrap();
    let ask = |token: &str, name: &str, password: &str| {
        let body = json!({"token": token, "name": name, "password": password});
        site.ask(As::Nobody, "POST", "/api/first-run", body)
    };
    assert_eq!(
        ask(&first, "root", PASSWORD).await.code(),
        (403, "bad-invitation"),
        "a new link ends the old one"
    );
    assert_eq!(ask("guess", "root", PASSWORD).await.code(), (403, "bad-invitation"));
    assert_eq!(ask(&token, "7up", PASSWORD).await.code(), (422, "bad-name"));
    assert_eq!(ask(&token, "root", "short").await.code(), (422, "bad-password"));
    assert_eq!(ask(&token, "root", "root-root-1").await.code(), (422, "bad-password"));
    let got = ask(&token, "root", PASSWORD).await;
    assert_eq!(got.status, 200, "{got:?}");
    assert_eq!(got.body["rights"], json!(["administer"]));
    assert_eq!(ask(&token, "other", PASSWORD).await.code(), (403, "bad-invitation"));
    assert_eq!(site.app.people.first_run_token().unwrap(), None);
    let cookie = got.cookie.unwrap();
    assert!(
        cookie.starts_with("croupier_session=") && cookie.contains("HttpOnly; SameSite=Strict"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(site.get(As::Browser(cookie), "/api/me").await.body["name"], "root");
    assert_eq!(site.get(As::Browser(cookie), "/api/people").await.body["people"][0]["id"], 1);
}

#[tokio::test]
async fn two_cannot_use_the_link_at_the_same_time() {
    let site = Site::open(config()).await;
    let token = site.app.people.first_run_token().unwrap().unwrap();
    let ask = |name: &str| {
        let body = json!({"token": token, "name": name, "password": PASSWORD});
        site.ask(As::Nobody, "POST", "/api/first-run", body)
    };
    let (one, two) = tokio::join!(ask("one"), ask("two"));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 403]);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_name_look_the_same_and_lock() {
    let site = Site::open(config()).await;
    let (admin, cookie) = site.person("root", &[Grant::Admin]).await;
    let (id, _) = site.person("Mai", &[Grant::Player]).await;
    for name in ["mai", "nobody"] {
        for _ in 0..5 {
            let got = site.sign_in(name, "wrong").await;
            assert_eq!(got.code(), (401, "wrong-password"));
            assert_eq!(got.body["detail"], "the name or the password is wrong");
            assert_eq!(got.cookie, None);
        }
        let got = site.sign_in(&name.to_uppercase(), PASSWORD).await;
        assert_eq!(got.code(), (429, "locked"), "{name}");
        assert_eq!(got.body["parameters"]["retry_after_seconds"], 900);
    }
    let path = format!("/api/people/{id}");
    assert_eq!(site.get(As::Browser(&cookie), &path).await.body["locked"], true);
    let got = site.ask(As::Browser(&cookie), "PATCH", &path, json!({"unlock": true})).await;
    assert_eq!((got.status, &got.body["locked"]), (200, &json!(false)));
    assert_eq!(site.sign_in("MAI", PASSWORD).await.status, 200);
    assert_ne!(admin, id);
}

#[tokio::test]
async fn a_closed_account_is_shut_out_at_once() {
    let site = Site::open(config()).await;
    let (_, root) = site.person("root", &[Grant::Admin]).await;
    let (id, mai) = site.person("mai", &[Grant::Player]).await;
    let path = format!("/api/people/{id}");
    assert_eq!(site.get(As::Browser(&mai), "/api/me").await.status, 200);
    assert_eq!(site.ask(As::Browser(&root), "PATCH", &path, json!({"disabled": true})).await.status, 200);
    assert_eq!(site.get(As::Browser(&mai), "/api/me").await.code(), (401, "session-expired"));
    assert_eq!(site.sign_in("mai", "wrong").await.code(), (401, "wrong-password"));
    assert_eq!(site.sign_in("mai", PASSWORD).await.code(), (403, "disabled"));
    assert_eq!(site.denials(), [("POST /api/sign-in".to_string(), "disabled".to_string(), by(id))]);
    assert_eq!(site.ask(As::Browser(&root), "PATCH", &path, json!({"disabled": false})).await.status, 200);
    assert_eq!(site.sign_in("mai", PASSWORD).await.status, 200);
}

#[tokio::test]
async fn another_sites_page_cannot_use_the_cookie() {
    let site = Site::open(config()).await;
    let (id, cookie) = site.person("mai", &[Grant::Player]).await;
    let send = |headers: &[(&'static str, &'static str)], method: &str, path: &str| {
        let mut request = Request::builder().method(method).uri(path).header("host", "floor:8080");
        request = request.header("cookie", &cookie).header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        site.send(request.body(Body::from(r#"{"on": true}"#)).unwrap())
    };
    let put = "PUT";
    let duty = "/api/me/duty";
    for refused in [
        &[][..],
        &[("origin", "http://evil")],
        &[("origin", "null")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site"), ("origin", "http://floor:8080")],
    ] {
        assert_eq!(send(refused, put, duty).await.code(), (403, "cross-site"), "{refused:?}");
    }
    let expected = ("PUT /api/me/duty".to_string(), "cross-site".to_string(), by(id));
    assert_eq!(site.denials(), vec![expected; 5]);
    for taken in [&[("origin", "http://floor:8080")], &[("sec-fetch-site", "same-origin")]] {
        assert_eq!(send(taken, put, duty).await.status, 200, "{taken:?}");
    }
    // What only reads is answered; the page of another site cannot see the answer. A WebSocket it could.
    assert_eq!(send(&[("sec-fetch-site", "cross-site")], "GET", "/api/me").await.status, 200);
    let upgrade = [("sec-fetch-site", "cross-site"), ("upgrade", "websocket")];
    assert_eq!(send(&upgrade, "GET", "/api/me").await.code(), (403, "cross-site"));
    // Nor can it sign a browser in as somebody else.
    let request = Request::post("/api/sign-in").header("sec-fetch-site", "cross-site");
    let request = request.header("content-type", "application/json");
    let body = json!({"name": "mai", "password": PASSWORD}).to_string();
    assert_eq!(site.send(request.body(Body::from(body)).unwrap()).await.code(), (403, "cross-site"));
}

#[tokio::test]
async fn signing_out_and_a_new_password_end_sessions() {
    let site = Site::open(config()).await;
    let (id, one) = site.person("mai", &[Grant::Player]).await;
    let two = site.cookie("mai").await;
    let me = |cookie: String| {
        let site = &site;
        async move { site.get(As::Browser(&cookie), "/api/me").await.status }
    };
    let out = site.ask(As::Browser(&one), "POST", "/api/sign-out", Value::Null).await;
    assert_eq!((out.status, out.clears.as_deref()), (204, Some("\"storage\"")));
    assert_eq!((me(one.clone()).await, me(two.clone()).await), (401, 200));
    assert_eq!(site.ask(As::Browser(&one), "POST", "/api/sign-out", Value::Null).await.code().0, 401);

    let three = site.cookie("mai").await;
    let change = |current: &str, new: &str| {
        let body = json!({"current": current, "new": new});
        site.ask(As::Browser(&three), "PUT", "/api/me/password", body)
    };
    assert_eq!(change("wrong", "another long one").await.code(), (403, "wrong-password"));
    assert_eq!(change(PASSWORD, "short").await.code(), (422, "bad-password"));
    let got = change(PASSWORD, "another long one").await;
    assert_eq!(got.status, 200);
    let new = got.cookie.unwrap().split(';').next().unwrap().to_string();
    assert_eq!((me(two).await, me(three.clone()).await, me(new).await), (401, 401, 200));
    assert_eq!(site.sign_in("mai", PASSWORD).await.code(), (401, "wrong-password"));
    assert_eq!(site.sign_in("mai", "another long one").await.status, 200);
    assert_eq!(site.denials(), [("PUT /api/me/password".to_string(), "wrong-password".to_string(), by(id))]);
}

#[tokio::test]
async fn somebody_sees_where_they_are_signed_in_and_ends_it() {
    let site = Site::open(config()).await;
    let (_, one) = site.person("mai", &[Grant::Player]).await;
    let (two, three) = (site.cookie("mai").await, site.cookie("mai").await);
    let (_, other) = site.person("lan", &[Grant::Player]).await;
    let alive = async |cookie: &str| site.get(As::Browser(cookie), "/api/me").await.status;
    let got = site.get(As::Browser(&two), "/api/me/sessions").await;
    let sessions = got.body["sessions"].as_array().unwrap().clone();
    let this: Vec<bool> = sessions.iter().map(|one| one["this"].as_bool().unwrap()).collect();
    assert_eq!((got.status, sessions.len(), this.iter().filter(|this| **this).count()), (200, 3, 1));
    assert!(!got.body.to_string().contains(two.split_once('=').unwrap().1), "no secret is told");

    let end = async |body: Value| site.ask(As::Browser(&two), "POST", "/api/me/sessions/end", body).await;
    assert_eq!(end(json!({})).await.code(), (403, "wrong-password"));
    assert_eq!(end(json!({"password": "wrong"})).await.code(), (403, "wrong-password"));
    let theirs = site.get(As::Browser(&other), "/api/me/sessions").await.body["sessions"][0]["id"].clone();
    let not_theirs = json!({"password": PASSWORD, "session": theirs});
    assert_eq!(end(not_theirs).await.status, 404);
    assert_eq!(alive(&other).await, 200);
    let first = sessions.iter().position(|one| !one["this"].as_bool().unwrap()).unwrap();
    let got = end(json!({"password": PASSWORD, "session": sessions[first]["id"]})).await;
    assert_eq!((got.status, got.body["sessions"].as_array().unwrap().len()), (200, 2));
    assert_eq!(
        [alive(&one).await, alive(&two).await, alive(&three).await].iter().filter(|is| **is == 200).count(),
        2
    );
    let got = end(json!({"password": PASSWORD})).await;
    assert_eq!((got.status, got.body["sessions"].as_array().unwrap().len()), (200, 1));
    assert_eq!((alive(&one).await, alive(&two).await, alive(&three).await), (401, 200, 401));
    // A token has no sessions of its own.
    let body =
        json!({"whom": {"person": {"id": 1}}, "label": "a", "expires_in_days": 1, "password": PASSWORD});
    let token = site.ask(As::Browser(&two), "POST", "/api/tokens", body).await;
    if let Some(token) = token.body["token"].as_str() {
        assert_eq!(site.get(As::Token(token), "/api/me/sessions").await.code(), (403, "session-needed"));
    }
}

#[tokio::test]
async fn the_cage_makes_players_and_nobody_else() {
    let site = Site::open(config()).await;
    let (root_id, root) = site.person("root", &[Grant::Admin]).await;
    let (cage_id, cage) = site.person("cage", &[Grant::Cashier]).await;
    let (player_id, player) = site.person("mai", &[Grant::Player]).await;
    let new = |name: &str, grants: Value| json!({"name": name, "nickname": "Linh Đỗ", "grants": grants});
    let post = |who: As<'_>, body: Value| {
        let cookie = match who {
            As::Browser(cookie) => cookie.to_string(),
            As::Nobody | As::Token(_) => String::new(),
        };
        let site = &site;
        async move { site.ask(As::Browser(&cookie), "POST", "/api/people", body).await }
    };
    let got = post(As::Browser(&cage), new("linh", json!(["player"]))).await;
    assert_eq!(
        (got.status, &got.body["nickname"], &got.body["has_password"]),
        (201, &json!("Linh Đỗ"), &json!(false))
    );
    assert_eq!(post(As::Browser(&cage), new("LINH", json!(["player"]))).await.code(), (409, "name-taken"));
    for grants in
        [json!(["player", "cashier"]), json!(["admin"]), json!([]), json!([{"staff": {"rank": "dealer"}}])]
    {
        assert_eq!(post(As::Browser(&cage), new("x", grants)).await.code(), (403, "not-allowed"));
    }
    assert_eq!(post(As::Browser(&player), new("x", json!(["player"]))).await.code(), (403, "not-allowed"));
    let seen = site.get(As::Browser(&cage), "/api/people").await;
    let names: Vec<_> =
        seen.body["people"].as_array().unwrap().iter().map(|person| &person["name"]).collect();
    assert_eq!(names, ["mai", "linh"]);
    assert_eq!(
        site.get(As::Browser(&cage), &format!("/api/people/{root_id}")).await.code(),
        (403, "not-allowed")
    );
    assert_eq!(site.get(As::Browser(&cage), "/api/people/999").await.code(), (403, "not-allowed"));
    assert_eq!(site.get(As::Browser(&root), "/api/people/999").await.code(), (404, "not-found"));
    assert_eq!(site.get(As::Browser(&cage), &format!("/api/people/{player_id}")).await.status, 200);
    let path = format!("/api/people/{player_id}");
    let got = site.ask(As::Browser(&cage), "PATCH", &path, json!({"excluded": true})).await;
    assert_eq!(got.code(), (403, "not-allowed"));
    assert_eq!(site.denials().iter().filter(|denied| denied.2 == by(cage_id)).count(), 7);

    let pages = site.get(As::Browser(&root), "/api/people?limit=3").await;
    assert_eq!((pages.body["people"].as_array().unwrap().len(), &pages.body["next"]), (3, &json!(3)));
    let found = site.get(As::Browser(&root), "/api/people?find=%C4%90%E1%BB%97").await;
    assert_eq!(found.body["people"][0]["name"], "linh");
    for bad in ["limit=0", "limit=201", "limit=x", "order=name"] {
        assert_eq!(
            site.get(As::Browser(&root), &format!("/api/people?{bad}")).await.code(),
            (400, "bad-query")
        );
    }
}

#[tokio::test]
async fn an_administrator_changes_accounts_but_not_away_the_last_one() {
    let site = Site::open(config()).await;
    let (root_id, root) = site.person("root", &[Grant::Admin]).await;
    let (id, mai) = site.person("mai", &[Grant::Player]).await;
    let patch = |id: u32, body: Value| {
        let (site, root) = (&site, &root);
        async move { site.ask(As::Browser(root), "PATCH", &format!("/api/people/{id}"), body).await }
    };
    assert_eq!(patch(root_id, json!({"disabled": true})).await.code(), (409, "last-admin"));
    assert_eq!(patch(root_id, json!({"grants": ["player"]})).await.code(), (409, "last-admin"));
    assert_eq!(patch(99, json!({"excluded": true})).await.code(), (404, "not-found"));
    for (grants, word) in [
        (json!([{"staff": {"rank": "king"}}]), "there is no rank `king`"),
        (json!([{"staff": {"rank": "dealer", "rulebook": "whist"}}]), "there is no rulebook `whist`"),
        (json!([{"staff": {"rank": "floor-supervisor", "rulebook": "hoiana-baccarat"}}]), "there is no rank"),
        (json!([{"staff": {"rank": "dealer", "acting": "king"}}]), "there is no rank `king`"),
    ] {
        let got = patch(id, json!({"grants": grants})).await;
        assert_eq!(got.code(), (422, "bad-grants"));
        assert!(got.body["detail"].as_str().unwrap().contains(word), "{got:?}");
    }
    for bad in [
        json!({"grants": ["king"]}),
        json!({"grants": [{"staff": {"rank": "dealer", "extra": 1}}]}),
        json!({"name": "linh"}),
        json!({"excluded": "yes"}),
    ] {
        assert_eq!(patch(id, bad).await.code(), (400, "bad-body"));
    }
    let grants =
        json!(["player", {"staff": {"rank": "pit-manager", "rulebook": "hoiana-baccarat", "pit": "north"}}]);
    let got = patch(id, json!({"grants": grants, "excluded": true, "nickname": "Chị Mai"})).await;
    assert_eq!((got.status, &got.body["grants"], &got.body["excluded"]), (200, &grants, &json!(true)));
    assert_eq!(site.get(As::Browser(&mai), "/api/me").await.body["grants"], grants, "at once");
    let what: Vec<String> = site
        .lines()
        .into_iter()
        .filter_map(|(deed, by, _)| match deed {
            Deed::Register(change) if by != By::System => {
                Some(format!("{} {} {}", change.register, change.entry, change.what))
            }
            _ => None,
        })
        .collect();
    assert_eq!(what, [format!("person {id} nickname, grants, excluded")]);
    // The same again changes nothing and records nothing.
    let before = site.lines().len();
    assert_eq!(patch(id, json!({"excluded": true})).await.status, 200);
    assert_eq!(site.lines().len(), before);
    assert_eq!(patch(id, json!({"grants": ["admin"]})).await.status, 200);
    assert_eq!(patch(root_id, json!({"disabled": true})).await.status, 200);
}

#[tokio::test]
async fn tokens_act_for_a_person_until_they_are_taken_back() {
    let site = Site::open(config()).await;
    let (id, mai) = site.person("mai", &[Grant::Player]).await;
    let (root_id, root) = site.person("root", &[Grant::Admin]).await;
    let make = |cookie: &str, whom: Value| {
        let cookie = cookie.to_string();
        let site = &site;
        let body = json!({"label": "tool", "for": whom, "password": PASSWORD});
        async move { site.ask(As::Browser(&cookie), "POST", "/api/tokens", body).await }
    };
    let got = make(&mai, json!({"person": {"id": id}})).await;
    assert_eq!(got.status, 201, "{got:?}");
    let token = got.body["token"].as_str().unwrap().to_string();
    assert!(token.starts_with("crp_1_") && token.len() == 70, "{token}");
    let whoever = site.get(As::Token(&token), "/api/me").await;
    assert_eq!((&whoever.body["id"], &whoever.body["session_expires"]), (&json!(id), &Value::Null));
    // No cookie, no page: what changes something needs no Origin.
    assert_eq!(site.ask(As::Token(&token), "PUT", "/api/me/duty", json!({"on": false})).await.status, 200);
    // A token makes no tokens and changes no passwords.
    let body = json!({"label": "more", "for": {"person": {"id": id}}});
    assert_eq!(
        site.ask(As::Token(&token), "POST", "/api/tokens", body).await.code(),
        (403, "session-needed")
    );
    let body = json!({"current": PASSWORD, "new": "another long one"});
    assert_eq!(
        site.ask(As::Token(&token), "PUT", "/api/me/password", body).await.code(),
        (403, "session-needed")
    );

    assert_eq!(make(&mai, json!({"person": {"id": root_id}})).await.code(), (403, "not-allowed"));
    assert_eq!(make(&mai, json!({"device": {"table": 1}})).await.code(), (403, "not-allowed"));
    assert_eq!(make(&root, json!({"device": {"table": 1}})).await.code(), (422, "no-table"));
    assert_eq!(make(&root, json!({"person": {"id": 99}})).await.code(), (422, "no-person"));
    assert_eq!(make(&root, json!({"king": {}})).await.code(), (400, "bad-body"));
    assert_eq!(site.get(As::Browser(&mai), "/api/tokens").await.body.as_array().unwrap().len(), 1);

    for bad in ["", "crp_1_00", "crp_9_abc", &token.replace("crp_1", "crp_2"), &token[..69], "xyz"] {
        assert_eq!(site.get(As::Token(bad), "/api/me").await.code(), (401, "bad-token"), "{bad}");
    }
    let basic =
        Request::get("/api/me").header("authorization", "Basic bWFpOg==").body(Body::empty()).unwrap();
    assert_eq!(site.send(basic).await.code(), (401, "bad-token"));

    let (_, other) = site.person("linh", &[Grant::Player]).await;
    assert_eq!(
        site.ask(As::Browser(&other), "DELETE", "/api/tokens/1", Value::Null).await.code(),
        (404, "not-found")
    );
    assert_eq!(site.ask(As::Browser(&mai), "DELETE", "/api/tokens/1", Value::Null).await.status, 204);
    assert_eq!(site.get(As::Token(&token), "/api/me").await.code(), (401, "bad-token"));
    assert_eq!(site.get(As::Browser(&mai), "/api/tokens").await.body[0]["revoked"], true);
}

#[tokio::test]
async fn a_new_password_or_a_closed_account_ends_tokens_but_not_those_of_devices() {
    let site = Site::open(config()).await;
    let (id, mai) = site.person("mai", &[Grant::Player]).await;
    let (other_id, _) = site.person("linh", &[Grant::Player]).await;
    let people = &site.app.people;
    let person = people.get(id).unwrap();
    let make = |whom| people.make_token(&person, whom, "tool".to_string(), 4_000_000_000_000);
    let device = TokenFor::Device { table: TableId(3) };
    for whom in [TokenFor::Person { id }, device, TokenFor::Person { id: other_id }] {
        make(whom).await.unwrap();
    }
    let alive =
        || people.tokens().iter().filter(|token| !token.revoked).map(|token| token.id).collect::<Vec<u32>>();
    let (all, left): (Vec<u32>, Vec<u32>) = (vec![1, 2, 3], vec![2, 3]);
    assert_eq!(all, alive());
    let nickname = Edit { nickname: Some("Chị Mai".to_string()), ..Edit::default() };
    people.edit(by(id), id, nickname).await.unwrap();
    assert_eq!(all, alive(), "a name is no secret");
    let body = json!({"current": PASSWORD, "new": "another long one"});
    assert_eq!(site.ask(As::Browser(&mai), "PUT", "/api/me/password", body).await.status, 200);
    assert_eq!(left, alive());
    let (_, text) = make(TokenFor::Person { id }).await.unwrap();
    assert_eq!(site.get(As::Token(&text), "/api/me").await.status, 200);
    people.edit(By::System, id, Edit { disabled: Some(true), ..Edit::default() }).await.unwrap();
    assert_eq!(left, alive());
    people.edit(By::System, id, Edit { disabled: Some(false), ..Edit::default() }).await.unwrap();
    assert_eq!(site.get(As::Token(&text), "/api/me").await.code(), (401, "bad-token"));
    // The journal says for whom tokens were and until when, and that they ended.
    let told: Vec<String> = site
        .lines()
        .into_iter()
        .filter_map(|(deed, _, _)| match deed {
            Deed::Register(change) if change.what.contains("for ") || change.what.contains("token") => {
                Some(format!("{} {} {}", change.register, change.entry, change.what))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        told,
        [
            format!("token 1 created for person {id} until 4000000000000"),
            "token 2 created for the device of table 3 until 4000000000000".to_string(),
            format!("token 3 created for person {other_id} until 4000000000000"),
            format!("person {id} password, token 1 revoked"),
            format!("token 4 created for person {id} until 4000000000000"),
            format!("person {id} disabled, token 4 revoked"),
        ]
    );
}

#[tokio::test]
async fn nobody_serves_their_own_wallet() {
    let site = Site::open(config()).await;
    let (id, cage) = site.person("cage", &[Grant::Cashier, Grant::Player]).await;
    let (other, _) = site.person("mai", &[Grant::Player]).await;
    let post = |path: &'static str, player: u32, name: &'static str| {
        let body = json!({"id": name, "player": player, "amount": 100});
        site.ask(As::Browser(&cage), "POST", path, body)
    };
    for path in ["/api/cage/deposits", "/api/cage/withdrawals"] {
        assert_eq!(post(path, id, "own").await.code(), (403, "own-wallet"));
    }
    assert_eq!(site.denials().len(), 2);
    assert_eq!(post("/api/cage/deposits", other, "other").await.status, 200);
}

#[tokio::test]
async fn a_pin_shows_who_is_there_and_locks() {
    let site = Site::open(config()).await;
    let (id, cookie) = site.person("mai", &[Grant::Cashier]).await;
    let set = |password: &str, pin: Value| {
        let body = json!({"password": password, "pin": pin});
        site.ask(As::Browser(&cookie), "PUT", "/api/me/pin", body)
    };
    assert_eq!(set("wrong", json!("493817")).await.code(), (403, "wrong-password"));
    for bad in ["49381", "4938174938174", "49381a", "111111", "123456", "987654"] {
        assert_eq!(set(PASSWORD, json!(bad)).await.code(), (422, "bad-pin"), "{bad}");
    }
    let people = &site.app.people;
    let code = |result: Result<_, croupier_server::problem::Problem>| {
        result.map_or_else(|p| p.code, |_: Arc<_>| String::new())
    };
    assert_eq!(code(people.person_by_pin(7, "mai", "493817").await), "wrong-pin", "there is none yet");
    assert_eq!(set(PASSWORD, json!("493817")).await.body["has_pin"], true);
    assert_eq!(people.person_by_pin(7, "MAI", "493817").await.unwrap().id, id);
    assert_eq!(people.person_by_pin(7, &id.to_string(), "493817").await.unwrap().id, id);
    for _ in 0..5 {
        assert_eq!(code(people.person_by_pin(7, "mai", "000000").await), "wrong-pin");
    }
    assert_eq!(code(people.person_by_pin(7, "mai", "493817").await), "locked");
    assert_eq!(code(people.person_by_pin(7, &id.to_string(), "493817").await), "locked");
    assert_eq!(
        people.person_by_pin(8, "mai", "493817").await.unwrap().id,
        id,
        "at another's console it is open"
    );
    assert_eq!(site.sign_in("mai", PASSWORD).await.status, 200, "the password is another matter");
    assert_eq!(set(PASSWORD, Value::Null).await.body["has_pin"], false);
}

/// There is no setting for it either: the configuration has no name for a demo, in the file or in the environment.
#[tokio::test]
async fn nobody_signs_in_with_one_click() {
    let site = Site::open(config()).await;
    for role in ["admin", "player", "cashier"] {
        let got = site.ask(As::Nobody, "POST", "/api/demo/sign-in", json!({"role": role})).await;
        assert_eq!(got.code(), (404, "not-found"));
        assert!(got.cookie.is_none());
    }
    let session = site.ask(As::Nobody, "GET", "/api/session", Value::Null).await;
    assert_eq!(session.body["demo"], Value::Null);
    let folder = croupier_testkit::tempdir().unwrap();
    let file = folder.path().join("croupier.toml");
    for text in ["demo = true", "[people]\ndemo = true", "[people]\ndemo_wallet = 5"] {
        std::fs::write(&file, text).unwrap();
        Config::read(Some(&file), |_| None).unwrap_err();
    }
    let config = Config::read(None, |name| name.contains("DEMO").then(|| "true".to_string())).unwrap();
    assert!(
        !croupier_server::App::start(Config { in_memory: true, ..config }, None).await.unwrap().is_demo()
    );
}

#[tokio::test]
async fn sign_in_is_rationed_by_address() {
    let mut config = config();
    config.limits.sign_ins = Rate { per_minute: 6, burst: 3 };
    let site = Site::open(config).await;
    for name in ["one", "two", "three"] {
        assert_eq!(site.sign_in(name, "wrong").await.status, 401);
    }
    let got = site.sign_in("four", "wrong").await;
    assert_eq!(got.code(), (429, "too-many"));
    assert_eq!(got.body["parameters"]["retry_after_seconds"], 10);
}

#[tokio::test]
async fn bad_requests_are_problems() {
    let site = Site::open(config()).await;
    let send = |kind: &str, body: &str| {
        let request = Request::post("/api/sign-in").header("content-type", kind);
        site.send(request.body(Body::from(body.to_string())).unwrap())
    };
    assert_eq!(send("application/json", "{").await.code(), (400, "bad-body"));
    assert_eq!(send("application/json", r#"{"name": 3}"#).await.code(), (400, "bad-body"));
    assert_eq!(
        send("application/json", r#"{"name":"a","password":"b","x":1}"#).await.code(),
        (400, "bad-body")
    );
    assert_eq!(send("text/plain", "{}").await.code(), (415, "not-json"));
    let long = json!({"name": "a".repeat(61), "password": "b"}).to_string();
    assert_eq!(send("application/json", &long).await.code(), (400, "bad-name"));
    assert_eq!(site.get(As::Nobody, "/api/me").await.code(), (401, "not-signed-in"));
    let stale = As::Browser("croupier_session=0000");
    assert_eq!(site.get(stale, "/api/me").await.code(), (401, "session-expired"));
    let other = As::Browser("__Host-croupier_session=0000");
    assert_eq!(site.get(other, "/api/me").await.code(), (401, "not-signed-in"), "that is the name under TLS");
}

#[tokio::test]
async fn nothing_personal_is_in_the_journal_or_printed() {
    let site = Site::open(config()).await;
    let (id, cookie) = site.person("secretname", &[Grant::Player]).await;
    let body = json!({"password": PASSWORD, "pin": "493817"});
    assert_eq!(site.ask(As::Browser(&cookie), "PUT", "/api/me/pin", body).await.status, 200);
    for (_, _, line) in site.lines() {
        for word in ["secretname", PASSWORD, "493817", "argon2", &cookie[17..]] {
            assert!(!line.contains(word), "{line}");
        }
    }
    let person = site.app.people.get(id).unwrap();
    let text = format!("{person:?} {:?}", site.app.people);
    assert!(!text.contains("argon2") && !text.contains(PASSWORD) && !text.contains(&cookie[17..]), "{text}");
}

/// Runs on a runtime that ends with everything on it, as a process does.
fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(work)
}

#[test]
fn people_sessions_and_tokens_outlive_the_server() {
    let folder = std::env::temp_dir().join(format!("croupier-people-{}", std::process::id()));
    let config = || Config { in_memory: false, data: folder.clone(), ..config() };
    let (cookie, token) = run(async {
        let site = Site::open(config()).await;
        let (id, cookie) = site.person("mai", &[Grant::Admin]).await;
        let body = json!({"label": "tool", "for": {"person": {"id": id}}, "days": 1, "password": PASSWORD});
        let got = site.ask(As::Browser(&cookie), "POST", "/api/tokens", body).await;
        site.app.floor.stop().await.unwrap();
        (cookie, got.body["token"].as_str().unwrap().to_string())
    });
    run(async {
        let site = Site::open(config()).await;
        assert_eq!(site.get(As::Browser(&cookie), "/api/me").await.body["name"], "mai");
        assert_eq!(site.get(As::Token(&token), "/api/me").await.body["name"], "mai");
        assert_eq!(site.app.people.first_run_token().unwrap(), None);
        assert_eq!(site.person("linh", &[]).await.0, 2);
        // The database holds hashes only.
        let kept = site.app.floor.shared.readers.read_here(|store| {
            Ok([store.entries("person")?, store.entries("session")?, store.entries("token")?].concat())
        });
        let kept: String = kept
            .unwrap()
            .iter()
            .map(|(key, value)| format!("{key} {}", String::from_utf8_lossy(value)))
            .collect();
        let secret = token.rsplit('_').next().unwrap();
        assert!(
            !kept.contains(PASSWORD) && !kept.contains(secret) && !kept.contains(&cookie[17..]),
            "{kept}"
        );
        site.app.floor.stop().await.unwrap();
    });
    std::fs::remove_dir_all(&folder).unwrap();
}
