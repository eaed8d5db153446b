//! The server on PostgreSQL, as its users run it: it starts, takes bets, loses its power in the middle of a round,
//! starts again with everything that was answered, stops in order, and the journal verifies.

#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use std::path::Path;
use std::process::Command;

use croupier_testkit::client::Client;
use croupier_testkit::floor::{House, Seat};
use serde_json::{Value, json};

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");
/// The bets of each player.
const BETS: usize = 20;

#[test]
fn what_was_answered_survives_a_power_cut() {
    let database = croupier_testkit::postgres::database().unwrap();
    let url = database.url();
    let folder = croupier_testkit::tempdir().unwrap();
    let mut house = House::start(Path::new(BINARY), folder.path(), &["--database", &url]).unwrap();
    let seats = house.furnish(1, 3).unwrap();
    let players: Vec<_> = seats
        .iter()
        .map(|seat| (house.client(&seat.token), seat.clone()))
        .map(|(client, seat)| std::thread::spawn(move || bet(&client, &seat)))
        .collect();
    let answered: Vec<Vec<Value>> = players.into_iter().map(|player| player.join().unwrap()).collect();
    for action in
        [json!("close-bets"), json!({"draw": {"exposed": false}}), json!({"draw": {"exposed": false}})]
    {
        house.command(&house.boss(), seats[0].table, action).unwrap();
    }
    no_panic(&house);

    house.kill().unwrap();
    house.start_again().unwrap();
    assert!(house.output().unwrap().contains("The last run was cut off"));
    // The same id answers the same, so the command is there, and was carried out once.
    for (seat, before) in seats.iter().zip(&answered) {
        assert_eq!(bet(&house.client(&seat.token), seat), *before);
    }
    // Nobody is handed the lines of the round while it is played.
    let handed_out = house.boss().get("/api/audit/export").unwrap().good().unwrap();
    assert!(!handed_out.as_str().unwrap().contains(r#""draw""#));
    house.stop().unwrap();
    no_panic(&house);

    // Whoever only reads has a role that can do nothing else, as docs/operations.md has it.
    let reader = format!("reader_of_{}", database.name());
    let grants = format!(
        "DROP ROLE IF EXISTS {reader}; CREATE ROLE {reader} LOGIN; GRANT CONNECT ON DATABASE {} TO {reader}; \
         GRANT USAGE ON SCHEMA public TO {reader}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {reader}",
        database.name()
    );
    database.query(&grants).unwrap();
    let url = url.replace("user=postgres", &format!("user={reader}"));
    let out = folder.path().join("export");
    let exported =
        Command::new(BINARY).args(["export", "--database", &url, "--out"]).arg(&out).output().unwrap();
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    let journal = std::fs::read_to_string(out.join("journal.jsonl")).unwrap();
    assert_eq!(journal.matches(r#""irregularity":"power-failure"#).count(), 1);
    assert_eq!(journal.matches(r#""id":"bet-"#).count(), seats.len() * BETS);

    // Checkpoints and rulebooks come out of the database itself, and the export stands without it.
    let said = String::from_utf8_lossy(&exported.stdout).into_owned();
    assert!(said.contains(", 5 rulebooks, ") && !said.contains(" 0 checkpoints"), "{said}");
    let check = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats/check.py");
    let key = std::fs::read_to_string(folder.path().join("checkpoints.jsonl")).unwrap();
    let key = key.split("\"key\":\"").nth(1).unwrap().get(..64).unwrap().to_string();
    let checked = Command::new("python3").arg(check).arg("export").arg(&out).arg(key).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(checked.status.success(), "{said}{}", String::from_utf8_lossy(&checked.stderr));

    let verified = Command::new(BINARY).args(["verify", &url]).output().unwrap();
    let said = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(verified.status.success(), "{said}{}", String::from_utf8_lossy(&verified.stderr));
    assert!(said.contains("all is well"), "{said}");
}

/// Bets one after another, under the same ids each time; the answers.
fn bet(client: &Client, seat: &Seat) -> Vec<Value> {
    let path = format!("/api/tables/{}/commands", seat.table);
    let bets = (0..BETS).map(|number| {
        let place = json!({
            "player": seat.player, "bet": number % 2, "amount": 100, "in_chips": true, "untimed": false,
        });
        json!({"id": format!("bet-{}-{number}", seat.player), "action": {"place": place}})
    });
    bets.map(|body| client.post(&path, &body).unwrap().good().unwrap()).collect()
}

fn no_panic(house: &House) {
    let said = house.output().unwrap();
    assert!(!said.contains("panicked"), "{said}");
}
