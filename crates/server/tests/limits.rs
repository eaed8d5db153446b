//! How much anybody may ask for, and what is counted of it: limits and locks by address, and the figures.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use croupier_journal::By;
use croupier_server::limits::{Limits, Rate};
use croupier_server::people::{Cost, Grant, New, Secret};
use croupier_server::{App, Config};
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::{Value, json};
use tower::ServiceExt as _;

const PASSWORD: &str = "correct horse battery";
/// Routes that need no sign-in.
const PUBLIC: [&str; 7] = [
    "/api/rulebooks",
    "/api/rulebooks/mbs-dragon-tiger",
    "/api/rulebooks/mbs-dragon-tiger/clauses/1",
    "/api/tables/1/rounds",
    "/api/tables/1/rounds/1",
    "/api/tables/1/roads",
    "/api/tables/1/shoes/1",
];

/// A server behind a proxy, so that a request says from which address it comes.
fn config() -> Config {
    let mut config = Config { in_memory: true, ..Config::default() };
    config.people.cost = Cost { memory_kib: 8, passes: 1, at_once: 2 };
    config.people.behind_proxy = true;
    config.limits = Limits { sign_ins: Rate { per_minute: 0, burst: 1 }, ..Limits::default() };
    config
}

struct Site {
    app: Arc<App>,
    router: Router,
}

struct Got {
    status: u16,
    code: String,
    cookie: String,
}

impl Site {
    async fn open(config: Config) -> Self {
        let app = App::start(config, None).await.unwrap();
        let router = app.router(Router::new());
        Self { app, router }
    }

    async fn send(&self, request: Request<Body>) -> Got {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let cookie = response.headers().get(header::SET_COOKIE);
        let cookie = cookie.map(|line| line.to_str().unwrap().to_string()).unwrap_or_default();
        let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        Got { status, code: body["code"].as_str().unwrap_or_default().to_string(), cookie }
    }

    async fn get(&self, from: &str, cookie: &str, path: &str) -> Got {
        let request = Request::get(path).header("x-forwarded-for", from).header("cookie", cookie);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn sign_in(&self, from: &str, name: &str, password: &str) -> Got {
        let request = Request::post("/api/sign-in").header("x-forwarded-for", from);
        let request = request.header("content-type", "application/json");
        let body = json!({"name": name, "password": password}).to_string();
        self.send(request.body(Body::from(body)).unwrap()).await
    }

    async fn player(&self, name: &str) {
        let new = New {
            name: name.to_string(),
            password: Some(Secret::new(PASSWORD)),
            grants: vec![Grant::Player],
            ..New::default()
        };
        self.app.people.create(By::System, new).await.unwrap();
    }
}

/// The status of an answer, and some of its headers.
async fn told(site: &Site, path: &str, version: Option<&str>) -> (u16, [Option<String>; 4]) {
    let mut request = Request::get(path).header("x-forwarded-for", "10.0.0.9");
    if let Some(version) = version {
        request = request.header("api-version", version);
    }
    let response = site.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_string());
    (response.status().as_u16(), ["ratelimit", "ratelimit-policy", "retry-after", "api-version"].map(header))
}

#[tokio::test]
async fn answers_say_how_much_may_still_be_asked_for() {
    let mut config = config();
    config.limits.anonymous = Rate { per_minute: 1, burst: 2 };
    let site = Site::open(config).await;
    let text = |text: &str| Some(text.to_string());
    let policy = text("\"anonymous\";q=2;w=120");
    let version = text(croupier_server::api::version::CURRENT);
    let (status, headers) = told(&site, "/api/rulebooks", None).await;
    assert_eq!(status, 200);
    assert_eq!(headers, [text("\"anonymous\";r=1;t=60"), policy.clone(), None, version.clone()]);
    let (status, headers) = told(&site, "/api/rulebooks", None).await;
    assert_eq!(status, 200);
    assert!(
        headers[0].as_deref().is_some_and(|left| left.starts_with("\"anonymous\";r=0;t=1")),
        "{headers:?}"
    );
    let (status, headers) = told(&site, "/api/rulebooks", None).await;
    assert_eq!(status, 429);
    assert_eq!((&headers[1], &headers[3]), (&policy, &version));
    assert!(headers[2].as_deref().is_some_and(|seconds| (55..=60).contains(&seconds.parse().unwrap_or(0))));
    // Whatever takes nothing says nothing of it.
    assert_eq!(told(&site, "/healthz", None).await.1, [None, None, None, None]);
}

#[tokio::test]
async fn a_client_made_for_another_version_is_refused() {
    let site = Site::open(config()).await;
    for (asked, expected) in
        [(None, 200), (Some("1"), 200), (Some("1.7"), 200), (Some("2"), 400), (Some("x"), 400)]
    {
        assert_eq!(told(&site, "/api/rulebooks", asked).await.0, expected, "{asked:?}");
    }
}

#[tokio::test]
async fn nobody_is_locked_out_by_the_failures_of_another_address() {
    let site = Site::open(config()).await;
    site.player("mai").await;
    for _ in 0..5 {
        assert_eq!(site.sign_in("10.0.0.1", "mai", "wrong").await.code, "wrong-password");
    }
    assert_eq!(site.sign_in("10.0.0.1", "mai", PASSWORD).await.code, "locked");
    assert_eq!(site.sign_in("10.0.0.2", "mai", PASSWORD).await.status, 200);
    assert_eq!(site.sign_in("10.0.0.1", "mai", PASSWORD).await.code, "locked", "still");
}

#[tokio::test]
async fn many_addresses_together_lock_a_name() {
    let mut config = config();
    config.people.guard.name_failures = 10;
    let site = Site::open(config).await;
    site.player("mai").await;
    for address in 1..=10 {
        let from = format!("10.0.0.{address}");
        assert_eq!(site.sign_in(&from, "mai", "wrong").await.code, "wrong-password");
    }
    assert_eq!(site.sign_in("10.0.1.1", "mai", PASSWORD).await.code, "locked");
}

#[tokio::test]
async fn what_everybody_may_read_is_rationed_too() {
    for path in PUBLIC {
        let mut config = config();
        config.limits.anonymous = Rate { per_minute: 1, burst: 2 };
        let site = Site::open(config).await;
        for _ in 0..2 {
            let got = site.get("10.0.0.1", "", path).await;
            assert!(matches!(got.status, 200 | 404), "{path}: {}", got.status);
        }
        let got = site.get("10.0.0.1", "", path).await;
        assert_eq!((got.status, got.code.as_str()), (429, "too-many"), "{path}");
        assert_ne!(site.get("10.0.0.2", "", path).await.status, 429, "{path}: others are not held up");
        assert_eq!(site.get("10.0.0.1", "", "/healthz").await.status, 200, "whoever watches is not counted");
    }
}

#[tokio::test]
async fn who_is_signed_in_has_a_ration_of_their_own() {
    let mut config = config();
    config.limits.anonymous = Rate { per_minute: 1, burst: 1 };
    config.limits.requests = Rate { per_minute: 1, burst: 3 };
    let site = Site::open(config).await;
    site.player("mai").await;
    let cookie = site.sign_in("10.0.0.1", "mai", PASSWORD).await.cookie;
    let cookie = cookie.split(';').next().unwrap();
    for _ in 0..3 {
        assert_eq!(site.get("10.0.0.1", cookie, "/api/rulebooks").await.status, 200);
    }
    assert_eq!(site.get("10.0.0.9", cookie, "/api/rulebooks").await.status, 429, "wherever they are");
    assert_eq!(site.get("10.0.0.1", "", "/api/rulebooks").await.status, 200, "nobody has asked from here");
}

#[tokio::test]
async fn behind_a_proxy_cookies_are_for_tls_only() {
    let site = Site::open(config()).await;
    site.player("mai").await;
    let cookie = site.sign_in("10.0.0.1", "mai", PASSWORD).await.cookie;
    assert!(cookie.starts_with("__Host-croupier_session=") && cookie.ends_with("; Secure"), "{cookie}");
}

/// A browser stays with TLS from then on, runs nothing of others, and keeps nothing: on every page and answer.
#[tokio::test]
async fn behind_a_proxy_browsers_are_told_to_stay_with_tls() {
    let site = Site::open(config()).await;
    for path in ["/", "/api/rulebooks", "/api/nothing", "/api/docs/", "/healthz"] {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = site.router.clone().oneshot(request).await.unwrap();
        let header = |name: &str| {
            response.headers().get(name).map(|value| value.to_str().unwrap().to_string()).unwrap_or_default()
        };
        assert_eq!(header("strict-transport-security"), "max-age=31536000; includeSubDomains", "{path}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("referrer-policy"), "no-referrer", "{path}");
        let policy = header("content-security-policy");
        for part in ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("script-src") && !policy.contains("unsafe-eval"), "{path}: {policy}");
    }
}

#[test]
fn methods_and_addresses_that_nobody_knows_are_one_figure() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    metrics::with_local_recorder(&recorder, || {
        runtime.block_on(async {
            let site = Site::open(config()).await;
            site.send(Request::get("/made-up/by-anybody").body(Body::empty()).unwrap()).await;
            for method in ["GET", "BREW", "WHEN", "PROPFIND"] {
                let request = Request::builder().method(method).uri("/healthz").body(Body::empty()).unwrap();
                site.send(request).await;
            }
        });
    });
    let figures = recorder.handle().render();
    assert!(figures.contains(r#"croupier_http_seconds_count{method="GET",route="/healthz"} 1"#), "{figures}");
    assert!(
        figures.contains(r#"croupier_http_seconds_count{method="other",route="/healthz"} 3"#),
        "{figures}"
    );
    assert!(!figures.contains("BREW") && !figures.contains("made-up"), "{figures}");
}
