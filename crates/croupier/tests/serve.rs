//! The server as its users meet it: a real process, real sockets, real problems.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use croupier_testkit::client::Client;
use croupier_testkit::floor::House;
use croupier_testkit::process::Process;
use serde_json::json;

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");

#[test]
fn bad_input_is_a_problem_that_says_what_is_wrong_and_changes_nothing() {
    let folder = croupier_testkit::tempdir().unwrap();
    let house = House::start(Path::new(BINARY), folder.path(), &[]).unwrap();
    let seat = house.furnish(1, 1).unwrap().remove(0);
    let player = house.client(&seat.token);
    let boss = house.boss();
    let nobody = Client::new(house.base());
    let path = format!("/api/tables/{}/commands", seat.table);
    let before = house.boss().get(&format!("/api/tables/{}/view", seat.table)).unwrap().body;
    let place = |amount: i64| json!({"place": {"player": seat.player, "bet": 0, "amount": amount, "in_chips": true, "untimed": false}});
    let command = |action: serde_json::Value| json!({"id": "x", "action": action}).to_string();

    let cases = vec![
        ("malformed JSON", &player, path.clone(), b"{\"id\":".to_vec(), 400, "bad-body"),
        ("wrong type", &player, path.clone(), br#"{"id":7,"action":"settle"}"#.to_vec(), 400, "bad-body"),
        (
            "unknown field",
            &player,
            path.clone(),
            br#"{"id":"a","action":"settle","z":1}"#.to_vec(),
            400,
            "bad-body",
        ),
        ("unknown action", &player, path.clone(), br#"{"id":"a","action":"fly"}"#.to_vec(), 400, "bad-body"),
        ("bad id", &player, path.clone(), br#"{"id":"a b","action":"settle"}"#.to_vec(), 400, "bad-id"),
        ("huge body", &player, path.clone(), vec![b' '; 66_000], 413, "too-large"),
        (
            "unknown table",
            &player,
            "/api/tables/999/commands".into(),
            command(place(100)).into_bytes(),
            404,
            "not-found",
        ),
        (
            "no number",
            &player,
            "/api/tables/one/commands".into(),
            command(place(100)).into_bytes(),
            400,
            "bad-path",
        ),
        ("nobody", &nobody, path.clone(), command(place(100)).into_bytes(), 401, "not-signed-in"),
        ("not whole chips", &player, path.clone(), command(place(150)).into_bytes(), 422, "not-whole-chips"),
        ("negative", &player, path.clone(), command(place(-100)).into_bytes(), 422, "not-whole-chips"),
        ("wrong rank", &player, path.clone(), command(json!("settle")).into_bytes(), 403, "not-yours"),
        (
            "no witness",
            &boss,
            path.clone(),
            command(json!({"fill": {"amount": 100, "witness": 1}})).into_bytes(),
            403,
            "witness-needed",
        ),
        ("no route", &player, "/api/nothing".into(), Vec::new(), 404, "not-found"),
    ];
    for (name, client, path, body, status, code) in cases {
        let answer = client.send("POST", &path, &body, "application/json").unwrap();
        assert_eq!(
            (answer.status, answer.body["code"].as_str()),
            (status, Some(code)),
            "{name}: {}",
            answer.body
        );
        assert!(answer.body["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{name}");
    }
    let kind = player.send("POST", &path, b"id=1", "text/plain").unwrap();
    assert_eq!((kind.status, kind.body["code"].as_str()), (415, Some("not-json")));
    let forged = nobody.with_token("crp_1_0000000000000000").get("/api/me").unwrap();
    assert_eq!(forged.status, 401, "{}", forged.body);
    let after = house.boss().get(&format!("/api/tables/{}/view", seat.table)).unwrap().body;
    assert_eq!(before["view"], after["view"]);

    // The id of a refused command is free; that of an accepted one is not.
    let good = json!({"id": "x", "action": place(100)});
    let first = player.post(&path, &good).unwrap().good().unwrap();
    assert_eq!(player.post(&path, &good).unwrap().good().unwrap(), first);
    let other = player.post(&path, &json!({"id": "x", "action": place(200)})).unwrap();
    assert_eq!((other.status, other.body["code"].as_str()), (409, Some("id-used")), "{}", other.body);
    // Denials are on record.
    let denials = house.boss().get("/api/audit/denials").unwrap().good().unwrap();
    assert!(denials.to_string().contains("not-yours"), "{denials}");
}

#[test]
fn the_demo_is_for_this_machine_only_and_plays_by_itself() {
    let refused = Command::new(BINARY).args(["demo", "--listen", "0.0.0.0:0"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("loopback only"));

    let folder = croupier_testkit::tempdir().unwrap();
    let mut command = Command::new(BINARY);
    command.args(["demo", "--memory", "--pace", "0", "--listen", "127.0.0.1:0"]);
    let mut demo = Process::spawn(command, &folder.path().join("log")).unwrap();
    let line = demo.wait_for(" on http://", Duration::from_secs(60)).unwrap();
    demo.wait_for("Ready.", Duration::from_secs(60)).unwrap();
    let base = line.split(" on ").nth(1).unwrap().to_string();
    let client = Client::new(&base);
    let tables = client.get("/api/tables").unwrap().good().unwrap();
    let games: std::collections::BTreeSet<&str> =
        tables.as_array().unwrap().iter().filter_map(|table| table["game"].as_str()).collect();
    assert_eq!(games.len(), 7, "{games:?}");
    for role in ["player", "dealer", "pit-manager", "cashier", "surveillance", "auditor", "admin"] {
        let signed_in = client.post("/api/demo/sign-in", &json!({"role": role})).unwrap();
        assert_eq!(signed_in.status, 200, "{role}: {}", signed_in.body);
        let cookie = signed_in.cookie.unwrap();
        client.with_cookie(&cookie).get("/api/me").unwrap().good().unwrap();
    }
    assert!(demo.terminate(Duration::from_secs(20)).unwrap().success(), "{}", demo.output().unwrap());
}

/// `serve` has no way to the demo, whatever is set: the binary that has the command for it answers as one without.
#[test]
fn serve_signs_nobody_in_with_one_click() {
    let folder = croupier_testkit::tempdir().unwrap();
    let house = House::start(Path::new(BINARY), folder.path(), &[]).unwrap();
    let client = Client::new(house.base());
    for role in ["admin", "player", "cashier"] {
        let refused = client.post("/api/demo/sign-in", &json!({"role": role})).unwrap();
        assert_eq!((refused.status, refused.cookie), (404, None), "{role}");
    }
    assert!(client.get("/api/session").unwrap().good().unwrap()["demo"].is_null());
}

#[test]
fn the_document_is_served_and_browsable_without_the_net() {
    let folder = croupier_testkit::tempdir().unwrap();
    let house = House::start(Path::new(BINARY), folder.path(), &[]).unwrap();
    let client = Client::new(house.base());
    let document = client.get("/api/openapi.json").unwrap().good().unwrap();
    assert_eq!(document["openapi"].as_str().map(|version| version.starts_with("3.1")), Some(true));
    let page = client.get("/api/docs/").unwrap().good().unwrap();
    let page = page.as_str().unwrap();
    assert!(page.contains("swagger") && !page.contains("https://"), "{page}");
}
