//! Registers that carry authority, changed in the database by somebody else than the server: named, refused, and what can
//! be done then. And the way back for an administrator who has lost the password.

#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use std::path::Path;

use common::{Ran, croupier};
use croupier_journal::Hash;
use croupier_testkit::client::Client;
use croupier_testkit::floor::House;
use rusqlite::{Connection, params};
use serde_json::json;

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");
const PASSWORD: &str = "seven quiet violins";

/// Runs a command on the floor in a folder.
fn people(folder: &Path, args: &[&str]) -> Ran {
    let (data, config) = (folder.display().to_string(), folder.join("croupier.toml").display().to_string());
    let place = ["--data", &data, "--config", &config];
    croupier(&[&["people"], args, &place].concat(), "")
}

fn verify(folder: &Path) -> Ran {
    croupier(&["verify", folder.to_str().unwrap()], "")
}

fn database(folder: &Path) -> Connection {
    Connection::open(folder.join("croupier.sqlite")).unwrap()
}

/// Gives somebody a grant as one does who can write to the database.
fn promote(folder: &Path, key: &str) {
    let connection = database(folder);
    let read = "SELECT value FROM register WHERE register = 'person' AND key = ?";
    let value: Vec<u8> = connection.query_row(read, params![key], |row| row.get(0)).unwrap();
    let mut person: serde_json::Value = serde_json::from_slice(&value).unwrap();
    person["grants"] = json!(["admin", "cashier"]);
    let write = "UPDATE register SET value = ? WHERE register = 'person' AND key = ?";
    assert_eq!(connection.execute(write, params![person.to_string().into_bytes(), key]).unwrap(), 1);
}

#[test]
fn a_register_that_was_changed_behind_the_servers_back_is_named_and_refused() {
    let folder = croupier_testkit::tempdir().unwrap();
    let folder = folder.path();
    let mut house = House::start(Path::new(BINARY), folder, &[]).unwrap();
    let new = json!({"name": "anna", "password": PASSWORD, "grants": ["cashier"]});
    house.boss().post("/api/people", &new).unwrap().good().unwrap();
    house.stop().unwrap();
    assert_eq!(verify(folder).code, Some(0), "{}", verify(folder).err);
    // Nothing of who people are is in the chain.
    let lines: Vec<u8> = database(folder)
        .query_row("SELECT group_concat(line, char(10)) FROM journal", [], |row| row.get(0))
        .map(|text: String| text.into_bytes())
        .unwrap_or_default();
    assert!(!String::from_utf8_lossy(&lines).contains("anna"));

    promote(folder, "0000000002");
    let says = "person 2 was changed behind the server's back";
    let said = house.start_again().unwrap_err().to_string();
    assert!(said.contains(says) && said.contains("croupier people accept"), "{said}");
    let ran = verify(folder);
    assert!(ran.code == Some(1) && ran.err.contains(says), "{:?} {}", ran.code, ran.err);

    let ran = people(folder, &["accept"]);
    assert!(ran.code == Some(0) && ran.out.contains(says), "{}{}", ran.out, ran.err);
    let ran = people(folder, &["accept"]);
    assert!(ran.out.contains("nothing to accept"), "{}{}", ran.out, ran.err);
    assert_eq!(verify(folder).code, Some(0), "{}", verify(folder).err);
    house.start_again().unwrap();
    house.stop().unwrap();

    for (sql, says) in [
        ("DELETE FROM register WHERE register = 'person' AND key = '0000000002'", "person 2 was removed"),
        (
            "INSERT INTO register SELECT register, '0000000009', value FROM register \
             WHERE register = 'person' AND key = '0000000001'",
            "person 9 was added",
        ),
        ("UPDATE register SET value = x'00' WHERE register = 'salt'", "person 1 was changed"),
    ] {
        let kept = std::fs::read(folder.join("croupier.sqlite")).unwrap();
        assert!(database(folder).execute(sql, []).unwrap() > 0, "{sql}");
        let said = house.start_again().unwrap_err().to_string();
        assert!(said.contains(says), "{sql}: {said}");
        for file in ["croupier.sqlite-wal", "croupier.sqlite-shm"] {
            let _ = std::fs::remove_file(folder.join(file));
        }
        std::fs::write(folder.join("croupier.sqlite"), kept).unwrap();
    }
    house.start_again().unwrap();
}

/// A session is a sealed entry: one that is written into the database, or copied from another, signs nobody in.
#[test]
fn a_session_written_into_the_database_signs_nobody_in() {
    let folder = croupier_testkit::tempdir().unwrap();
    let folder = folder.path();
    let mut house = House::start(Path::new(BINARY), folder, &[]).unwrap();
    house.stop().unwrap();
    let secrets = ["ab".repeat(32), "cd".repeat(32)];
    let keys = secrets.each_ref().map(|secret| Hash::of(secret.as_bytes()).to_string());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let forged = json!({"person": 1, "made": now, "expires": now + 3_600_000, "used": now}).to_string();
    let connection = database(folder);
    let write = "INSERT INTO register (register, key, value) VALUES ('session', ?, ?)";
    connection.execute(write, params![keys[0], forged.into_bytes()]).unwrap();
    let copy = "INSERT INTO register (register, key, value) \
                SELECT register, ?, value FROM register WHERE register = 'session' AND key != ? LIMIT 1";
    assert_eq!(connection.execute(copy, params![keys[1], keys[0]]).unwrap(), 1);
    drop(connection);
    house.start_again().unwrap();
    // Who was in before still is.
    assert_eq!(house.boss().get("/api/me").unwrap().status, 200);
    for secret in secrets {
        let thief = Client::new(house.boss().base()).with_cookie(&format!("croupier_session={secret}"));
        assert_eq!(thief.get("/api/me").unwrap().status, 401);
    }
}

#[test]
fn a_lost_administrator_comes_back_on_record() {
    let folder = croupier_testkit::tempdir().unwrap();
    let folder = folder.path();
    let mut house = House::start(Path::new(BINARY), folder, &[]).unwrap();
    let ran = people(folder, &["recover", "boss"]);
    assert!(ran.code == Some(2) && ran.err.contains("in use"), "while it runs: {}{}", ran.out, ran.err);
    house.stop().unwrap();
    let ran = people(folder, &["recover", "nobody"]);
    assert!(ran.code == Some(2) && ran.err.contains("nobody signs in as `nobody`"), "{}", ran.err);
    let ran = people(folder, &["recover", "boss", "--administrator"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let password = ran.out.lines().find_map(|line| line.strip_prefix("  ")).unwrap().to_string();
    house.start_again().unwrap();
    let client = Client::new(house.base());
    let sign_in = |password: &str| {
        client.post("/api/sign-in", &json!({"name": "boss", "password": password})).unwrap().status
    };
    assert_eq!((sign_in("a long enough password"), sign_in(&password)), (401, 200));
    house.stop().unwrap();
    let ran = verify(folder);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let elsewhere = folder.join("nowhere").display().to_string();
    let ran = croupier(&["people", "recover", "boss", "--data", &elsewhere], "");
    assert!(ran.code == Some(2) && ran.err.contains("there is no floor in"), "{}", ran.err);
}
