//! The clock of the machine is set under a running server, and between two runs: lines never go back in time, a jump ahead
//! that is put right leaves none of them in the future, and both are on record.

#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use croupier_testkit::floor::House;
use croupier_testkit::prove::shim::Shim;
use serde_json::{Value, json};

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");
const HOUR: i64 = 3_600;

fn deposit(house: &House, player: &Value, id: &str) {
    let body = json!({"id": id, "player": player, "amount": 100});
    house.boss().post("/api/cage/deposits", &body).unwrap().good().unwrap();
}

/// Lines of the journal, whole.
fn lines(folder: &Path) -> Vec<Value> {
    let out = croupier_testkit::tempdir().unwrap();
    let to = out.path().join("export");
    let mut export = std::process::Command::new(BINARY);
    let exported = export.args(["export", "--database"]).arg(folder).arg("--out").arg(&to).output().unwrap();
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    let text = std::fs::read_to_string(to.join("journal.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn at(line: &Value) -> u64 {
    line["at"].as_u64().unwrap()
}

#[test]
fn a_clock_that_is_set_moves_no_line_back_and_leaves_none_in_the_future() {
    let folder = croupier_testkit::tempdir().unwrap();
    let shim = Shim::build().unwrap();
    let mut first = House::start(Path::new(BINARY), folder.path(), &[]).unwrap();
    // Whoever is to have a wallet, and somebody who may fill it.
    let seat = first.furnish(1, 1).unwrap().remove(0);
    let player = json!(seat.player);
    first.stop().unwrap();

    // Ahead and put right within the minute; by less than ends a session that is not used.
    let mut house = first.start_on(folder.path(), &shim.environment()).unwrap();
    deposit(&house, &player, "right");
    shim.move_clock(HOUR / 3).unwrap();
    deposit(&house, &player, "ahead");
    shim.move_clock(0).unwrap();
    deposit(&house, &player, "right-again");
    // An hour back, while it runs and over a restart.
    shim.move_clock(-HOUR).unwrap();
    deposit(&house, &player, "an-hour-back");
    house.kill().unwrap();
    house.start_again().unwrap();
    deposit(&house, &player, "an-hour-back-and-restarted");
    shim.move_clock(0).unwrap();
    deposit(&house, &player, "right-in-the-end");
    house.stop().unwrap();

    let lines = lines(folder.path());
    assert!(lines.is_sorted_by_key(at), "lines go back in time");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let last = at(lines.last().unwrap());
    assert!(u128::from(last) <= now + 5_000, "lines are {} ms in the future", u128::from(last) - now);
    for id in ["right", "ahead", "an-hour-back", "an-hour-back-and-restarted", "right-in-the-end"] {
        let found = lines.iter().filter(|line| line["stream"] == "cage" && line["id"] == id).count();
        assert_eq!(found, 1, "{id}");
    }
    let notes: Vec<String> =
        lines.iter().map(|line| line["deed"].to_string()).filter(|deed| deed.contains("clock")).collect();
    assert!(notes.len() >= 3, "a jump ahead, its end and one back are on record: {notes:?}");
    let verified = std::process::Command::new(BINARY).arg("verify").arg(folder.path()).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
}
