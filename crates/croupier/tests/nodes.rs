//! Three nodes of one floor, each a process of its own: whichever is asked, they are one.
#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use croupier_testkit::client::Client;
use croupier_testkit::floor::House;
use croupier_testkit::prove::failover::Nodes;
use serde_json::{Value, json};

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");

fn balance(house: &House, player: &Value) -> Value {
    house.boss().get(&format!("/api/players/{player}/wallet")).unwrap().good().unwrap()["balance"].clone()
}

#[test]
fn whichever_node_is_asked_they_are_one_floor() {
    let database = croupier_testkit::postgres::database().unwrap();
    let folder = croupier_testkit::tempdir().unwrap();
    let nodes = Nodes::start(Path::new(BINARY), folder.path(), &database.url(), 5).unwrap();
    let leader = nodes.settle().unwrap();
    let (one, other) = (&nodes.houses[(leader + 1) % 3], &nodes.houses[(leader + 2) % 3]);
    let seats = one.furnish(1, 1).unwrap();

    // What was answered by a follower is read from it at once, every time.
    let new = json!({"name": "saver", "password": "a long enough password", "grants": ["player"]});
    let saver = one.boss().post("/api/people", &new).unwrap().good().unwrap()["id"].clone();
    for count in 1..=20 {
        let deposit = json!({"id": one.id().unwrap(), "player": saver, "amount": 100});
        one.boss().post("/api/cage/deposits", &deposit).unwrap().good().unwrap();
        assert_eq!(balance(one, &saver), json!(100 * count));
    }
    let own = one.client(&seats[0].token);
    for count in 1..=20 {
        let place = json!({"place": {"player": seats[0].player, "bet": 0, "amount": 100, "in_chips": true, "untimed": false}});
        let line = one.command(&own, seats[0].table, place).unwrap()["sequence"].as_u64().unwrap();
        let view = own.get(&format!("/api/tables/{}/view", seats[0].table)).unwrap().good().unwrap();
        assert!(view["sequence"].as_u64().unwrap() >= line, "bet {count}");
    }

    // Who is suspended at one node is out at the others within a second.
    let signed_in = json!({"name": "saver", "password": "a long enough password"});
    let cookie = Client::new(other.base()).post("/api/sign-in", &signed_in).unwrap().cookie.unwrap();
    let at = |house: &House| Client::new(house.base()).with_cookie(&cookie).get("/api/me").unwrap().status;
    assert_eq!((at(one), at(other), at(&nodes.houses[leader])), (200, 200, 200));
    let change = json!({"disabled": true}).to_string();
    let path = format!("/api/people/{saver}");
    one.boss().send("PATCH", &path, change.as_bytes(), "application/json").unwrap().good().unwrap();
    let begun = Instant::now();
    while at(other) == 200 {
        assert!(begun.elapsed() < Duration::from_secs(1), "still in after {:?}", begun.elapsed());
    }
    assert_eq!((at(one), at(&nodes.houses[leader])), (401, 401));

    // The nodes know each other, and tell programs.
    let told = one.boss().get("/api/nodes").unwrap().good().unwrap();
    assert_eq!(told["nodes"].as_array().unwrap().len(), 3, "{told}");
    assert_eq!(told["leader"], json!(["a", "b", "c"][leader]));
    let ran = Command::new(BINARY).args(["nodes", "--json", "--database", &database.url()]).output().unwrap();
    let said: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((said["leader"].clone(), said["epoch"].clone()), (told["leader"].clone(), json!(1)));
    assert!(ran.status.success());
}

/// Nobody but a node says for whom it asks.
#[test]
fn a_request_that_no_node_has_signed_is_refused() {
    let database = croupier_testkit::postgres::database().unwrap();
    let folder = croupier_testkit::tempdir().unwrap();
    let nodes = Nodes::start(Path::new(BINARY), folder.path(), &database.url(), 5).unwrap();
    let leader = nodes.settle().unwrap();
    let host = nodes.houses[leader].base().trim_start_matches("http://").to_string();
    let ask = |proof: &str| {
        let mut line = TcpStream::connect(&host).unwrap();
        let said = format!(
            "GET /api/tables HTTP/1.1\r\nHost: {host}\r\nCroupier-Node: b\r\nCroupier-Node-Client: 10.0.0.9\r\n\
             Croupier-Node-Proof: {proof}\r\nConnection: close\r\n\r\n"
        );
        line.write_all(said.as_bytes()).unwrap();
        let mut answer = String::new();
        line.read_to_string(&mut answer).unwrap();
        answer.lines().next().unwrap_or_default().to_string()
    };
    assert_eq!(ask(&"0".repeat(64)), "HTTP/1.1 403 Forbidden");
    assert_eq!(ask("no proof"), "HTTP/1.1 403 Forbidden");
}
