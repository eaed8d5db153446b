//! `croupier ratings` and `croupier alarms` as their users run them, on the golden journal.

mod common;

use common::{Ran, croupier};
use serde_json::Value;

const GOLDEN: &str = "crates/journal/tests/data/golden-1";

#[track_caller]
fn accepted(args: &[&str]) -> String {
    let Ran { code, out, err } = croupier(args, "");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    out
}

#[test]
fn ratings_say_the_same_in_every_form() {
    let json: Value =
        serde_json::from_str(&accepted(&["ratings", GOLDEN, "--format", "json"])).expect("JSON");
    let rows = json.as_array().expect("a list");
    assert!(rows.len() > 1, "{json}");
    for row in rows {
        // The exact figure and the rounded one are the same to half a unit.
        let exact = row["theory_exact"].as_str().expect("a fraction");
        let (above, below) = exact.split_once('/').expect("a fraction");
        let (above, below): (f64, f64) = (above.parse().expect("a number"), below.parse().expect("a number"));
        let theory = row["theory"].as_i64().expect("an amount");
        #[expect(clippy::cast_precision_loss, reason = "small amounts")]
        let off = (above / below - theory as f64).abs();
        assert!(off <= 0.5 + 1e-6, "{row}");
        let (rounds, handle) =
            (row["rounds"].as_i64().expect("rounds"), row["handle"].as_i64().expect("handle"));
        assert_eq!(row["average"].as_i64(), Some(handle / rounds), "{row}");
    }
    let csv = accepted(&["ratings", GOLDEN, "--format", "csv"]);
    assert_eq!(csv.lines().count(), rows.len() + 1, "{csv}");
    let text = accepted(&["ratings", GOLDEN]);
    assert!(text.starts_with(&format!("{} sessions\n", rows.len())), "{text}");
    let one = &rows[0]["player"];
    let only: Value = serde_json::from_str(&accepted(&[
        "ratings",
        GOLDEN,
        "--player",
        &one.to_string(),
        "--format",
        "json",
    ]))
    .expect("JSON");
    assert!(only.as_array().expect("a list").iter().all(|row| row["player"] == *one), "{only}");
}

#[test]
fn an_honest_journal_raises_no_alarm_and_says_its_rate() {
    let json: Value = serde_json::from_str(&accepted(&["alarms", GOLDEN, "--format", "json"])).expect("JSON");
    assert_eq!(json["one_in"].as_u64(), Some(10_000));
    assert_eq!(json["alarms"].as_array().map(Vec::len), Some(0));
    let courses = json["courses"].as_array().expect("a list");
    // The bet on the Player is a subject too: `player at table 1`.
    let is_bet = |subject: &str| subject.contains(" at table ");
    // Tables, and all of what their players won is what their bets paid.
    let sum = |of: &dyn Fn(&str) -> bool| -> i64 {
        let of = courses.iter().filter(|row| row["subject"].as_str().is_some_and(of));
        of.filter_map(|row| row["result"].as_i64()).sum()
    };
    let tables = sum(&|subject| subject.starts_with("table "));
    assert_eq!(tables, sum(&|subject| subject.starts_with("player ") && !is_bet(subject)));
    assert_eq!(tables, sum(&is_bet));
    let Ran { code, err, .. } = croupier(&["alarms", GOLDEN, "--one-in", "1"], "");
    assert_eq!(code, Some(2), "{err}");
}
