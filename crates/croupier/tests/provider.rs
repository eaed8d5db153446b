//! Signing in by an identity provider, against a real one that runs beside: what works, and what is refused with which
//! words. `cargo xtask setup` installs it.

#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use croupier_testkit::client::{Answer, Client};
use croupier_testkit::process::Process;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(90);
const PASSWORD: &str = "seven quiet violins";

fn tools() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools/oidc-provider"))
}

/// A floor and its provider.
struct Both {
    folder: croupier_testkit::TempDir,
    provider: Process,
    issuer: Client,
    floor: Process,
    client: Client,
    boss: Client,
}

impl Both {
    /// Both of them, with more in the section `[oidc]`.
    fn start(more: &str, people: &str) -> Self {
        let folder = croupier_testkit::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let base = format!("http://127.0.0.1:{port}");
        let mut command = Command::new("node");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/provider/provider.mjs");
        command.arg(script).arg(std::fs::canonicalize(tools()).unwrap()).arg(&base);
        let mut provider = Process::spawn(command, &folder.path().join("provider.log")).unwrap();
        let line = provider.wait_for("provider at ", PATIENCE).unwrap();
        let issuer = line.split("provider at ").nth(1).unwrap().trim().to_string();
        std::fs::write(folder.path().join("secret"), "a secret between two\n").unwrap();
        let client_id = if more.contains("client_id") { "" } else { "client_id = \"floor\"\n" };
        let config = format!(
            "[people]\n{people}\n[people.cost]\nmemory_kib = 64\npasses = 1\nat_once = 4\n[limits]\n\
             sign_ins = {{ per_minute = 0, burst = 1 }}\n[oidc]\nissuer = \"{issuer}\"\n{client_id}\
             secret_file = \"{}\"\nname = \"House account\"\n{more}\n",
            folder.path().join("secret").display()
        );
        std::fs::write(folder.path().join("croupier.toml"), config).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        command.args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data"]);
        command.arg(folder.path().join("data")).arg("--config").arg(folder.path().join("croupier.toml"));
        let mut floor = Process::spawn(command, &folder.path().join("floor.log")).unwrap();
        let link = floor.wait_for("/first-run#", PATIENCE).unwrap();
        let token = link.split_once("/first-run#").unwrap().1.trim().to_string();
        floor.wait_for("listening", PATIENCE).unwrap();
        let client = Client::new(&base);
        let made = json!({"token": token, "name": "boss", "password": PASSWORD});
        let boss = client.post("/api/first-run", &made).unwrap();
        let boss = client.with_cookie(&boss.cookie.unwrap());
        Self { folder, provider, issuer: Client::new(&issuer), floor, client, boss }
    }

    /// Somebody new, tied to what the provider calls them.
    fn tied(&self, name: &str, grants: Value, subject: &str) -> u64 {
        let new = json!({"name": name, "password": PASSWORD, "grants": grants});
        let id = self.boss.post("/api/people", &new).unwrap().good().unwrap()["id"].as_u64().unwrap();
        self.tie(id, json!(subject)).good().unwrap();
        id
    }

    fn tie(&self, id: u64, subject: Value) -> Answer {
        let path = format!("/api/people/{id}/provider");
        let body = json!({"subject": subject}).to_string();
        self.boss.send("PUT", &path, body.as_bytes(), "application/json").unwrap()
    }

    /// Who signs in next, and what is wrong with it.
    fn next(&self, what: Value) {
        assert_eq!(self.issuer.post("/next", &what).unwrap().status, 200);
    }

    /// Begins, and goes to the provider as a browser does: what it comes back with, and the cookie it holds.
    fn go(&self, change: impl Fn(&str) -> String) -> (Value, String) {
        let begun = self.client.post("/api/sign-in/provider", &json!({})).unwrap();
        let cookie = begun.cookie.clone().unwrap();
        let address = begun.good().unwrap()["address"].as_str().unwrap().to_string();
        let jar = self.folder.path().join("jar");
        let _ = std::fs::remove_file(&jar);
        let ran = Command::new("curl")
            .args(["-sS", "-L", "--max-redirs", "10", "-o", "/dev/null", "-w", "%{url_effective}", "-c"])
            .arg(&jar)
            .arg("-b")
            .arg(&jar)
            .arg(change(&address))
            .output()
            .unwrap();
        let back = String::from_utf8(ran.stdout).unwrap();
        assert!(back.contains("/sign-in/provider?"), "{back} {}", String::from_utf8_lossy(&ran.stderr));
        let field = |name: &str| {
            let query = back.split_once('?').unwrap().1;
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            let value = pairs.find(|(key, _)| *key == name).map(|(_, value)| value.replace("%3A", ":"));
            value.map(|value| value.replace("%2F", "/"))
        };
        (json!({"code": field("code"), "state": field("state"), "issuer": field("iss")}), cookie)
    }

    fn back(&self, body: &Value, cookie: &str) -> Answer {
        self.client.with_cookie(cookie).post("/api/sign-in/provider/back", body).unwrap()
    }

    /// A whole sign-in.
    fn sign_in(&self) -> Answer {
        let (body, cookie) = self.go(str::to_string);
        self.back(&body, &cookie)
    }

    fn refused(&self, what: &Value, status: u16, code: &str, says: &str) {
        let answer = self.sign_in();
        let told = &answer.body;
        assert_eq!((answer.status, told["code"].as_str()), (status, Some(code)), "{what}: {told}");
        assert!(told["detail"].as_str().unwrap().contains(says), "{what}: {told}");
    }
}

fn dealer() -> Value {
    json!([{"staff": {"rank": "dealer"}}])
}

#[test]
fn staff_sign_in_by_the_provider_that_an_administrator_tied_them_to() {
    let both = Both::start("", "");
    assert_eq!(both.client.get("/api/session").unwrap().body["provider"], "House account");
    let anna = both.tied("anna", dealer(), "anna-7");
    let other = both.tied("other", dealer(), "other-8");
    let taken = both.tie(other, json!("anna-7"));
    assert_eq!((taken.status, taken.body["code"].as_str()), (409, Some("subject-taken")));

    let answer = both.sign_in();
    let cookie = answer.cookie.clone().unwrap();
    assert_eq!(answer.good().unwrap()["id"], anna);
    let inside = both.client.with_cookie(&cookie);
    assert_eq!(inside.get("/api/me").unwrap().body["id"], anna);
    // What the chain has of it is that it happened, and not what the provider calls anybody.
    let data = both.folder.path().join("data");
    let lines = exported(&data, &both.folder.path().join("out"));
    assert!(lines.contains("provider-tied") && !lines.contains("anna-7"), "{lines}");
    assert!(lines.contains("for admin, auditor, cashier, floor-manager, staff, surveillance"), "{lines}");

    // Whoever is untied is out, and does not come in again.
    both.tie(anna, Value::Null).good().unwrap();
    assert_eq!(inside.get("/api/me").unwrap().status, 401);
    both.refused(&json!("untied"), 403, "unknown-subject", "ask an administrator");
    // Nobody ties accounts but an administrator.
    let half = both.client.with_cookie(&both.boss_by_password("other")).send(
        "PUT",
        &format!("/api/people/{anna}/provider"),
        b"{\"subject\": \"x\"}",
        "application/json",
    );
    assert_eq!(half.unwrap().status, 403);
    let log = both.floor.output().unwrap();
    assert!(log.contains("signed in by the provider"), "{log}");
}

impl Both {
    fn boss_by_password(&self, name: &str) -> String {
        let body = json!({"name": name, "password": PASSWORD});
        self.client.post("/api/sign-in", &body).unwrap().cookie.unwrap()
    }
}

/// The lines of the journal.
fn exported(data: &Path, out: &Path) -> String {
    let ran = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["export", "--database"])
        .arg(data)
        .arg("--out")
        .arg(out)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    std::fs::read_to_string(out.join("journal.jsonl")).unwrap()
}

#[test]
fn what_the_provider_did_not_sign_for_this_sign_in_is_refused() {
    let mut both = Both::start("grants = [\"staff\"]", "");
    let anna = both.tied("anna", dealer(), "anna-7");
    both.tied("carl", json!(["cashier"]), "carl-9");
    // Each of them signed by the provider's own key where it is not the signature.
    for (claims, says) in [
        (json!({"aud": "another-floor"}), "for another program"),
        (json!({"exp": 1_000_000_000}), "expired"),
        (json!({"iat": 99_000_000_000_i64}), "from the future"),
        (json!({"iss": "https://evil.example"}), "another provider issued it"),
        (json!({"nonce": "another"}), "another sign-in"),
        (json!({"sub": ""}), "who it is about"),
    ] {
        both.next(json!({"account": "anna-7", "alg": "RS256", "claims": claims}));
        both.refused(&claims, 401, "provider-refused", says);
    }
    for (fault, says) in [("stranger", "signature does not fit"), ("unsigned", "signed by `none`")] {
        both.next(json!({"account": "anna-7", "alg": "RS256", fault: true}));
        both.refused(&json!(fault), 401, "provider-refused", says);
    }

    // The nonce and the state of the address that the browser was given, changed on the way.
    both.next(json!({"account": "anna-7", "alg": "RS256"}));
    let changed = |name: &str, value: &str| {
        let (name, value) = (format!("&{name}="), value.to_string());
        move |address: &str| {
            let (before, after) = address.split_once(&name).unwrap();
            let rest = after.split_once('&').map_or("", |(_, rest)| rest);
            format!("{before}{name}{value}&{rest}")
        }
    };
    let (body, cookie) = both.go(changed("nonce", "another"));
    let answer = both.back(&body, &cookie);
    assert!(answer.body["detail"].as_str().unwrap().contains("another sign-in"), "{}", answer.body);
    let (body, cookie) = both.go(changed("state", "another"));
    assert_eq!(both.back(&body, &cookie).body["code"], "sign-in-over");
    // A code that was begun with another secret (PKCE), in another browser, and twice.
    let (body, cookie) = both.go(changed("code_challenge", &"a".repeat(43)));
    assert!(both.back(&body, &cookie).body["detail"].as_str().unwrap().contains("`invalid_grant`"));
    let (body, cookie) = both.go(str::to_string);
    assert_eq!(both.back(&body, "croupier_provider=another").body["code"], "sign-in-over");
    let mut mixed = body.clone();
    mixed["issuer"] = json!("https://evil.example");
    assert!(
        both.back(&mixed, &cookie).body["detail"].as_str().unwrap().contains("another provider answered")
    );
    assert_eq!(both.back(&body, &cookie).body["code"], "sign-in-over");
    assert_eq!(both.sign_in().status, 200);

    // Whom nobody tied, who may not come in this way, and who is suspended.
    both.next(json!({"account": "nobody", "alg": "RS256"}));
    both.refused(&json!("nobody"), 403, "unknown-subject", "no account here is tied");
    both.next(json!({"account": "carl-9", "alg": "RS256"}));
    both.refused(&json!("carl"), 403, "not-by-provider", "sign in with the password");
    both.next(json!({"account": "anna-7", "alg": "RS256"}));
    let path = format!("/api/people/{anna}");
    both.boss.send("PATCH", &path, b"{\"disabled\": true}", "application/json").unwrap().good().unwrap();
    both.refused(&json!("suspended"), 403, "disabled", "");

    // The provider is gone: told so, and passwords go on.
    let (body, cookie) = both.go(str::to_string);
    both.provider.kill().unwrap();
    let answer = both.back(&body, &cookie);
    assert_eq!(
        (answer.status, answer.body["code"].as_str()),
        (503, Some("provider-away")),
        "{}",
        answer.body
    );
    assert!(answer.body["detail"].as_str().unwrap().contains("sign in with a password"));
    both.boss_by_password("boss");
}

#[test]
fn the_providers_second_factor_counts_where_the_house_says_so() {
    let both = Both::start(
        "client_id = \"floor-ec\"\nfactor_methods = [\"otp\"]\nfactor_classes = [\"two\"]",
        "second_factor = [\"dealer\"]",
    );
    both.tied("anna", dealer(), "anna-7");
    for (more, must_enrol) in [
        (json!({}), true),
        (json!({"amr": ["pwd"]}), true),
        (json!({"amr": ["pwd", "otp"]}), false),
        (json!({"acr": "two"}), false),
    ] {
        let mut next = json!({"account": "anna-7", "alg": "ES256", "claims": {}});
        next["claims"] = more.clone();
        both.next(next);
        let answer = both.sign_in();
        let cookie = answer.cookie.clone();
        let me = answer.good().unwrap();
        assert_eq!(me["must_enrol"], must_enrol, "{more}");
        let inside = both.client.with_cookie(&cookie.unwrap());
        let lobby = inside.send("PUT", "/api/me/duty", b"{\"on\": true}", "application/json").unwrap();
        assert_eq!(lobby.status, if must_enrol { 403 } else { 200 }, "{more}: {}", lobby.body);
    }
}

impl Both {
    fn issuer_address(&self) -> String {
        let told = self.issuer.get("/.well-known/openid-configuration").unwrap();
        told.good().unwrap()["issuer"].as_str().unwrap().to_string()
    }

    /// Sends a logout token that the provider's key signs, or another.
    fn told_to_sign_out(&self, claims: &Value, strange: bool) -> Answer {
        let minted = self.issuer.post("/mint", &json!({"claims": claims, "strange": strange})).unwrap();
        let body = format!("logout_token={}", minted.good().unwrap()["token"].as_str().unwrap());
        let kind = "application/x-www-form-urlencoded";
        self.client.send("POST", "/api/sign-in/provider/logout", body.as_bytes(), kind).unwrap()
    }
}

/// Whoever signs out at the provider is out here too: what came by that session there, and nothing else.
#[test]
fn who_signs_out_at_the_provider_is_out_here_too() {
    let both = Both::start("", "");
    let anna = both.tied("anna", dealer(), "anna-7");
    let inside = both.client.with_cookie(&both.sign_in().cookie.unwrap());
    let by_password = both.client.with_cookie(&both.boss_by_password("anna"));
    assert_eq!(inside.get("/api/me").unwrap().body["id"], anna);
    // What the provider did not sign for this server, now, as a logout, ends nothing.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let events = json!({"http://schemas.openid.net/event/backchannel-logout": {}});
    let whole = json!({"iss": both.issuer_address(), "aud": "floor", "iat": now, "exp": now + 60, "jti": "one",
                       "sub": "anna-7", "events": events});
    let with = |name: &str, value: Value| {
        let mut claims = whole.clone();
        claims[name] = value;
        claims
    };
    for (claims, strange) in [
        (whole.clone(), true),
        (with("aud", json!("another")), false),
        (with("iss", json!("https://other.example")), false),
        (with("exp", json!(now - 120)), false),
        (with("events", json!({})), false),
        (with("nonce", json!("n")), false),
        (with("sub", Value::Null), false),
    ] {
        let answer = both.told_to_sign_out(&claims, strange);
        let told = (answer.status, answer.body["code"].as_str());
        assert_eq!(told, (400, Some("bad-logout-token")), "{claims}: {}", answer.body);
    }
    assert_eq!(both.told_to_sign_out(&with("sub", json!("somebody")), false).status, 200);
    assert_eq!(inside.get("/api/me").unwrap().status, 200);
    let kind = "application/json";
    let odd = both.client.send("POST", "/api/sign-in/provider/logout", b"{}", kind).unwrap();
    assert_eq!((odd.status, odd.body["code"].as_str()), (415, Some("not-a-form")));
    // All of somebody's sessions by the provider; and a token counts once.
    let all = with("jti", json!("two"));
    assert_eq!(both.told_to_sign_out(&all, false).status, 200);
    assert_eq!(inside.get("/api/me").unwrap().status, 401);
    let twice = both.told_to_sign_out(&all, false);
    assert!(twice.body["detail"].as_str().unwrap().contains("has come before"), "{}", twice.body);
    assert_eq!(by_password.get("/api/me").unwrap().status, 200);
    assert!(both.floor.output().unwrap().contains("signed out by the provider"));
}

/// An account without a password has a PIN all the same: who just came from the provider sets it.
#[test]
fn who_has_no_password_sets_a_pin_after_the_provider() {
    let both = Both::start("", "");
    let new = json!({"name": "anna", "grants": dealer()});
    let id = both.boss.post("/api/people", &new).unwrap().good().unwrap()["id"].as_u64().unwrap();
    both.tie(id, json!("anna-7")).good().unwrap();
    let inside = both.client.with_cookie(&both.sign_in().cookie.unwrap());
    let pin = |client: &Client, body: Value| {
        client.send("PUT", "/api/me/pin", body.to_string().as_bytes(), "application/json").unwrap()
    };
    let told = pin(&inside, json!({"pin": "482915"})).good().unwrap();
    assert_eq!((told["has_pin"].as_bool(), told["has_password"].as_bool()), (Some(true), Some(false)));
    assert_eq!(pin(&inside, json!({"pin": null})).good().unwrap()["has_pin"], false);
    // A password that is not there is not guessed at, and who has one shows it.
    assert_eq!(pin(&inside, json!({"pin": "482915", "password": "any"})).status, 409);
    let answer = pin(&both.boss, json!({"pin": "482915"}));
    assert_eq!((answer.status, answer.body["code"].as_str()), (403, Some("password-needed")));
}

#[test]
fn a_provider_that_cannot_be_meant_is_found_before_the_floor_opens() {
    let folder = croupier_testkit::tempdir().unwrap();
    for (section, says) in [
        ("issuer = \"http://login.example\"\nclient_id = \"a\"", "write an https:// address"),
        ("issuer = \"https://login.example\"\nclient_id = \"\"", "client_id"),
        ("issuer = \"https://login.example\"\nclient_id = \"a\"\nsecret_file = \"no\"", "secret_file: no:"),
        ("issuer = \"https://login.example\"\nclient_id = \"a\"\ngrants = [\"boss\"]", "`boss` is neither"),
        ("issuer = \"https://login.example\"\nclient_id = \"a\"\nauthorities = \"no\"", "authorities: no:"),
        ("issuer = \"https://login.example\"", "client_id"),
    ] {
        std::fs::write(folder.path().join("wrong.toml"), format!("[oidc]\n{section}\n")).unwrap();
        let ran = Command::new(env!("CARGO_BIN_EXE_croupier"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data", "data", "--config", "wrong.toml"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{section}: {said}");
        assert!(said.contains(says), "{section}: {said}");
    }
}
