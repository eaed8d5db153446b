//! Starting and stopping as an operator meets it: what is wrong is found before the floor opens, keys are changed only
//! while nobody signs with them, and the log says what happened.

#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use common::croupier;
use croupier_testkit::client::Client;
use croupier_testkit::floor::House;
use croupier_testkit::process::Process;
use data_encoding::BASE32_NOPAD;
use ring::hmac;
use serde_json::json;

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");
const PATIENCE: Duration = Duration::from_secs(60);

/// What `serve` says when it does not start, with more in its configuration.
fn refused(folder: &Path, more: &str) -> String {
    let config = folder.join("wrong.toml");
    std::fs::write(&config, more).unwrap();
    let data = folder.join("data");
    let ran = Command::new(BINARY)
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(&data)
        .arg("--config")
        .arg(&config)
        .current_dir(folder)
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2), "{more}");
    String::from_utf8_lossy(&ran.stderr).into_owned()
}

#[test]
fn a_wrong_setting_is_found_before_the_floor_opens() {
    let folder = croupier_testkit::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut house = House::start(Path::new(BINARY), &data, &[]).unwrap();
    house.stop().unwrap();
    std::fs::write(folder.path().join("empty.toml"), "").unwrap();
    for (more, says) in [
        (
            "[tls]\ncertificate = \"no/floor.pem\"\nkey = \"no/floor.key\"\n",
            "tls: no/floor.pem: No such file",
        ),
        ("[tls]\ncertificate = \"empty.toml\"\nkey = \"empty.toml\"\n", "tls: empty.toml: "),
        ("rulebooks = [\"no/house.toml\"]\n", "no/house.toml: No such file"),
        ("rulebooks = [\"empty.toml\"]\n", "1:1: the rulebook needs `id`"),
        ("[people.cost]\nmemory_kib = 0\n", "people.cost: "),
        (
            "[people]\nsecond_factor = [\"boss\"]\n",
            "people.second_factor: `boss` is neither a grant nor a rank",
        ),
        ("[metrics]\nlisten = \"192.0.2.1:9\"\n", "192.0.2.1:9: "),
    ] {
        let said = refused(folder.path(), more);
        assert!(said.contains(says), "{more}{said}");
    }
    // The stop before all of them was a clean one, and still is.
    house.start_again().unwrap();
    let printed = house.output().unwrap();
    assert!(!printed.contains("cut off"), "{printed}");
}

#[test]
fn another_kind_of_database_is_refused_and_makes_no_file() {
    let folder = croupier_testkit::tempdir().unwrap();
    let said = refused(folder.path(), "database = \"mysql://root:secret@db/floor\"\n");
    assert!(said.contains("`mysql://` is not a database that Croupier can use"), "{said}");
    assert!(!said.contains("secret"), "{said}");
    let ran = croupier(&["verify", "mysql://db/floor"], "");
    assert!(ran.code == Some(2) && ran.err.contains("mysql"), "{:?} {}", ran.code, ran.err);
    let made: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(made.iter().all(|name| name == "wrong.toml" || name == "data"), "{made:?}");
}

#[test]
fn keys_are_changed_only_while_nobody_signs_with_them_and_any_of_them_verifies() {
    let folder = croupier_testkit::tempdir().unwrap();
    let mut house = House::start(Path::new(BINARY), folder.path(), &[]).unwrap();
    let data = folder.path().to_str().unwrap();
    let keys = || -> Vec<String> {
        let shown = croupier(&["keys", "show", "--data", data], "");
        assert_eq!(shown.code, Some(0), "{}", shown.err);
        shown.out.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_string).collect()
    };
    let rotate = || croupier(&["keys", "rotate", "--data", data], "");
    let before = keys();
    let ran = rotate();
    assert!(ran.code == Some(2) && ran.err.contains("in use by a running server"), "{} {}", ran.out, ran.err);
    assert_eq!(keys(), before, "nothing was changed");

    house.stop().unwrap();
    assert_eq!(rotate().code, Some(0));
    house.start_again().unwrap();
    house.stop().unwrap();
    let after = keys();
    assert_eq!((after.len(), &after[1..]), (2, &before[..]));
    for key in &after {
        let ran = croupier(&["verify", data, "--key", key], "");
        assert_eq!(ran.code, Some(0), "{key}: {}{}", ran.out, ran.err);
    }
    let ran = croupier(&["verify", data, "--key", &"7".repeat(64)], "");
    assert!(ran.code == Some(1) && ran.err.contains("which is trusted"), "{}", ran.err);
}

/// A server with a configuration of its own, and the line that it prints for `wait`.
fn serve(folder: &Path, config: &str, listen: &str, wait: &str) -> (Process, String) {
    let path = folder.join("croupier.toml");
    std::fs::write(&path, config).unwrap();
    let mut command = Command::new(BINARY);
    command.args(["serve", "--listen", listen, "--data"]).arg(folder.join("data")).arg("--config").arg(path);
    let mut process = Process::spawn(command, &folder.join("log")).unwrap();
    let line = process.wait_for(wait, PATIENCE).unwrap();
    (process, line)
}

#[test]
fn the_first_link_names_the_host_that_browsers_know() {
    let folder = croupier_testkit::tempdir().unwrap();
    let config = "public_host = \"floor.example\"\n";
    let (mut process, line) = serve(folder.path(), config, "127.0.0.1:0", "/first-run#");
    assert!(line.contains("https://floor.example/first-run#"), "{line}");
    process.wait_for("listening", PATIENCE).unwrap();
    let said = process.output().unwrap();
    assert!(!said.contains("plain HTTP"), "{said}");
}

#[test]
fn a_breached_password_is_refused() {
    let folder = croupier_testkit::tempdir().unwrap();
    let wrong = folder.path().join("wrong.txt");
    std::fs::write(&wrong, "hello\n").unwrap();
    let said = refused(folder.path(), &format!("[people]\nbreached = \"{}\"\n", wrong.display()));
    assert!(said.contains("people.breached: ") && said.contains("SHA1:COUNT"), "{said}");

    let hash =
        |password: &str| ring::digest::digest(&ring::digest::SHA1_FOR_LEGACY_USE_ONLY, password.as_bytes());
    let line = |password: &str| format!("{}:7\r\n", data_encoding::HEXUPPER.encode(hash(password).as_ref()));
    let mut lines = ["seven quiet violins", "something else", "a third of them"].map(line);
    lines.sort();
    let list = folder.path().join("breached.txt");
    std::fs::write(&list, lines.concat()).unwrap();
    let config = format!(
        "[people]\nbreached = \"{}\"\n[people.cost]\nmemory_kib = 64\npasses = 1\nat_once = 4\n",
        list.display()
    );
    let (mut process, link) = serve(folder.path(), &config, "127.0.0.1:0", "/first-run#");
    process.wait_for("listening", PATIENCE).unwrap();
    let (base, token) = link.split_once(": ").unwrap().1.split_once("/first-run#").unwrap();
    let made = |password: &str| {
        let body = json!({"token": token, "name": "boss", "password": password});
        Client::new(base).post("/api/first-run", &body).unwrap()
    };
    let answer = made("seven quiet violins");
    assert_eq!((answer.status, answer.body["code"].as_str()), (422, Some("bad-password")), "{}", answer.body);
    assert!(answer.body["detail"].as_str().unwrap().contains("known from a breach"), "{}", answer.body);
    assert_eq!(made("eight quiet violins").status, 200);
}

#[test]
fn plain_http_for_others_is_warned_of() {
    let folder = croupier_testkit::tempdir().unwrap();
    let (_process, line) = serve(folder.path(), "", "0.0.0.0:0", "plain HTTP");
    assert!(line.contains("WARN"), "{line}");
}

#[test]
fn the_log_tells_what_happens_without_colours_and_by_request() {
    let folder = croupier_testkit::tempdir().unwrap();
    let config = "[people.cost]\nmemory_kib = 64\npasses = 1\nat_once = 4\n[metrics]\ntoken = \"a figure of speech\"\n";
    let (mut process, link) = serve(folder.path(), config, "127.0.0.1:0", "/first-run#");
    process.wait_for("listening", PATIENCE).unwrap();
    let (base, token) = link.split_once(": ").unwrap().1.split_once("/first-run#").unwrap();
    let client = Client::new(base);
    let password = "seven quiet violins";
    let made = json!({"token": token, "name": "boss", "password": password});
    client.post("/api/first-run", &made).unwrap().good().unwrap();
    let sign_in =
        |password: &str| client.post("/api/sign-in", &json!({"name": "boss", "password": password}));
    let wrong = sign_in("eight quiet violins").unwrap();
    assert_eq!(wrong.status, 401);
    let boss = client.with_cookie(&sign_in(password).unwrap().cookie.unwrap());
    let denied = boss.get("/api/audit/streams").unwrap();
    assert_eq!((denied.status, denied.body["code"].as_str()), (403, Some("not-allowed")));
    let id =
        denied.body["instance"].as_str().unwrap().strip_prefix("urn:croupier:request:").unwrap().to_string();

    // The metrics are for who shows their token.
    assert_eq!(client.get("/metrics").unwrap().status, 401);
    assert_eq!(client.with_token("a figure").get("/metrics").unwrap().status, 401);
    let metrics = client.with_token("a figure of speech").get("/metrics").unwrap().good().unwrap();
    assert!(metrics.as_str().unwrap().contains("croupier_sign_ins_total"), "{metrics}");

    assert!(process.terminate(PATIENCE).unwrap().success());
    let log = process.output().unwrap();
    for says in [
        "the floor is open",
        "listening",
        "sign-in failed",
        "signed in",
        "refused for want of authority",
        "checkpoint",
        "stopping",
        "stopped",
    ] {
        assert!(log.contains(says), "{says} in {log}");
    }
    let denial = log.lines().find(|line| line.contains("refused for want of authority")).unwrap();
    assert!(denial.contains(&id), "{id} in {denial}");
    let sign_in = log.lines().find(|line| line.contains("sign-in failed")).unwrap();
    assert!(sign_in.contains("address=127.0.0.1"), "{sign_in}");
    assert!(!log.contains('\u{1b}'), "colours in {log}");
    assert!(!log.contains("violins"), "{log}");
}

#[test]
fn metrics_have_a_listener_of_their_own() {
    let folder = croupier_testkit::tempdir().unwrap();
    let (mut process, line) =
        serve(folder.path(), "[metrics]\nlisten = \"127.0.0.1:0\"\n", "127.0.0.1:0", "metrics");
    let address = line.split("address=").nth(1).unwrap().trim();
    let metrics = Client::new(&format!("http://{address}")).get("/metrics").unwrap().good().unwrap();
    assert!(metrics.as_str().unwrap().contains("croupier_tables"), "{metrics}");
    assert_eq!(Client::new(&format!("http://{address}")).get("/api/tables").unwrap().status, 404);
    let main = process.wait_for(" on http://", PATIENCE).unwrap();
    let main = Client::new(main.split(" on ").nth(1).unwrap().trim());
    assert_eq!(main.get("/metrics").unwrap().status, 404);
}

#[test]
fn a_restart_wakes_nobody_who_was_idle() {
    for (idle, expected) in [(2, 401), (600, 200)] {
        let folder = croupier_testkit::tempdir().unwrap();
        let config = format!(
            "[people.cost]\nmemory_kib = 64\npasses = 1\nat_once = 4\n[people.sessions]\nidle_seconds = {idle}\n"
        );
        let (mut process, link) = serve(folder.path(), &config, "127.0.0.1:0", "/first-run#");
        process.wait_for("listening", PATIENCE).unwrap();
        let (base, token) = link.split_once(": ").unwrap().1.split_once("/first-run#").unwrap();
        let made = json!({"token": token, "name": "boss", "password": "seven quiet violins"});
        let made = Client::new(base).post("/api/first-run", &made).unwrap();
        let cookie = made.cookie.clone().unwrap();
        made.good().unwrap();
        assert!(process.terminate(PATIENCE).unwrap().success());
        drop(process);
        std::thread::sleep(Duration::from_millis(2_100));
        std::fs::remove_file(folder.path().join("log")).unwrap();
        let (_process, line) = serve(folder.path(), &config, "127.0.0.1:0", " on http://");
        let base = line.split(" on ").nth(1).unwrap().trim();
        let me = Client::new(base).with_cookie(&cookie).get("/api/me").unwrap();
        assert_eq!(me.status, expected, "idle after {idle} s: {}", me.body);
    }
}

/// The code that an authenticator app shows now for a secret in base 32.
fn code(secret: &str) -> String {
    let secret = BASE32_NOPAD.decode(secret.as_bytes()).unwrap();
    let step = croupier_server::clock::now() / 30_000;
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &secret), &step.to_be_bytes());
    let at = usize::from(tag.as_ref()[19] & 15);
    let four: [u8; 4] = tag.as_ref()[at..at + 4].try_into().unwrap();
    format!("{:06}", (u32::from_be_bytes(four) & 0x7fff_ffff) % 1_000_000)
}

#[test]
fn a_sole_administrator_without_the_second_factor_gets_in_again() {
    const PASSWORD: &str = "a long enough password";
    let folder = croupier_testkit::tempdir().unwrap();
    let mut house = House::start(Path::new(BINARY), folder.path(), &[]).unwrap();
    let began =
        house.boss().post("/api/me/factor/app", &json!({"password": PASSWORD})).unwrap().good().unwrap();
    let body = json!({"code": code(began["secret"].as_str().unwrap())}).to_string();
    let sent = house.boss().send("PUT", "/api/me/factor/app", body.as_bytes(), "application/json").unwrap();
    assert_eq!(sent.status, 200, "{}", sent.body);
    let sign_in = |base: &str| {
        Client::new(base).post("/api/sign-in", &json!({"name": "boss", "password": PASSWORD})).unwrap().status
    };
    assert_eq!(sign_in(house.base()), 202);
    house.stop().unwrap();

    let serve = |name: &str| {
        let mut command = Command::new(BINARY);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--reset-factor", name, "--data"])
            .arg(folder.path());
        command.arg("--config").arg(folder.path().join("croupier.toml"));
        command
    };
    let refused = serve("nobody").output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("nobody signs in as `nobody`"), "{said}");
    let mut server = Process::spawn(serve("boss"), &folder.path().join("reset.log")).unwrap();
    let line = server.wait_for(" on http://", PATIENCE).unwrap();
    server.wait_for("The second factor of boss is reset.", PATIENCE).unwrap();
    assert_eq!(sign_in(line.split(" on ").nth(1).unwrap()), 200);
    assert!(server.terminate(PATIENCE).unwrap().success());
}
