//! Well-known side bets and the example rulebooks, as users of the command line meet them.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use common::croupier;
use serde_json::Value;

const EDGES: &str = include_str!("../../lab/tests/data/side-bets.edges");
const SHEET: &str = "crates/lab/tests/data/side-bets.toml";
const EZ: &str = "rulebooks/examples/jade-ez-baccarat.toml";
const PUNTO: &str = "rulebooks/examples/jade-punto-banco.toml";

/// The edges for eight decks, in units of 10⁻¹².
fn edges() -> Vec<(&'static str, u64)> {
    let lines = EDGES.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (bet, edge) = line.split_once(' ').unwrap();
            (bet, edge.trim().strip_prefix("0.").unwrap().parse().unwrap())
        })
        .collect()
}

/// A decimal of at least 13 places, rounded to 12.
fn twelve(edge: &Value) -> u64 {
    let digits = edge.as_str().and_then(|edge| edge.strip_prefix("0.")).expect("a decimal below one");
    (digits[..13].parse::<u64>().unwrap() + 5) / 10
}

#[track_caller]
fn ran(args: &[&str], input: &str) -> String {
    let ran = croupier(args, input);
    assert_eq!(ran.code, Some(0), "{args:?}\n{}{}", ran.out, ran.err);
    ran.out
}

#[test]
fn design_prices_every_known_side_bet_as_json_and_as_text() {
    let json: Value =
        serde_json::from_str(&ran(&["design", SHEET, "--decks", "8", "--format", "json"], "")).unwrap();
    let found: Vec<(&str, u64)> = json
        .as_array()
        .unwrap()
        .iter()
        .map(|bet| (bet["bet"].as_str().unwrap(), twelve(&bet["edge"])))
        .collect();
    assert_eq!(found, edges());

    let text = ran(&["design", SHEET, "--decks", "8"], "");
    for (bet, edge) in edges() {
        let percent = (edge + 500_000) / 1_000_000;
        let line = format!("8 decks: {bet} ({bet}), edge {}.{:04}% = ", percent / 10_000, percent % 10_000);
        assert!(text.lines().any(|found| found.starts_with(&line)), "{line}");
    }
}

/// The pay of a line that asks for cards is solved like any other.
#[test]
fn design_solves_a_bet_that_asks_for_cards() {
    let json = ran(&["design", SHEET, "--decks", "8", "--edge", "5%", "--line", "1", "--format", "json"], "");
    let json: Value = serde_json::from_str(&json).unwrap();
    let bet = json.as_array().unwrap().iter().find(|bet| bet["bet"] == "player-perfect-pair").unwrap();
    // 7 of 415 pair perfectly: 0.95 × 415 / 7 - 1
    assert_eq!(bet["solved"]["pays_exact"], "1549/28");
}

#[test]
fn the_example_rulebooks_are_sound_and_their_rounds_run() {
    for book in [EZ, PUNTO] {
        ran(&["rules", "check", book], "");
        ran(&["--rulebook", book, "settle", &book.replace(".toml", ".round")], "");
    }
}

#[test]
fn the_example_rulebooks_are_priced_by_the_cards() {
    let edge = |book: &str, game: &str, bet: &str| {
        let out = ran(&["--rulebook", book, "odds", game, "--bet", bet, "--format", "json"], "");
        twelve(&serde_json::from_str::<Value>(&out).unwrap()["bets"][0]["edge"])
    };
    let wanted = |id: &str| edges().into_iter().find(|(bet, _)| *bet == id).unwrap().1;
    let (ez, punto) = ("jade-ez-baccarat", "jade-punto-banco");
    assert_eq!(edge(EZ, ez, "banker"), wanted("ez-banker"));
    for bet in ["dragon-7", "panda-8"] {
        assert_eq!(edge(EZ, ez, bet), wanted(bet), "{bet}");
    }
    for bet in ["perfect-pair", "either-pair", "all-red"] {
        assert_eq!(edge(PUNTO, punto, bet), wanted(bet), "{bet}");
    }
    assert_eq!(edge(PUNTO, punto, "three-eight"), wanted("3-giving-8"));
    // A shoe given by its ranks tells no suits, and the sheet says so.
    let shoe = "32,32,32,32,32,32,32,32,32,32,32,32,32";
    let out = ran(&["--rulebook", PUNTO, "odds", punto, "--shoe", shoe], "");
    assert!(out.contains("perfect-pair is not priced: it asks for suits"), "{out}");
    assert!(out.contains("three-eight"), "{out}");
}

#[test]
fn bulk_settlement_and_the_lab_know_bets_that_ask_for_cards() {
    let line = r#"{"game":"jade-punto-banco","cards":["4C","KS","4C","7H"],"bets":{"perfect-pair":1000,"all-red":1000}}"#;
    let out = ran(&["--rulebook", PUNTO, "settle", "--jsonl"], line);
    let answer: Value = serde_json::from_str(out.trim()).unwrap();
    assert_eq!(answer["net"]["perfect-pair"], "25000/1", "{out}");
    assert_eq!(answer["net"]["all-red"], "-1000/1", "{out}");

    let out =
        ran(&["--rulebook", PUNTO, "simulate", "jade-punto-banco", "--rounds", "300k", "--seed", "3"], "");
    for bet in ["perfect-pair", "all-red", "three-eight"] {
        assert!(out.lines().any(|line| line.contains(bet) && line.contains("300,000")), "{bet}\n{out}");
    }
    let sessions = ["--sessions", "50", "--stake", "perfect-pair=1", "--session-rounds", "20"];
    ran(&[&["--rulebook", PUNTO, "simulate", "jade-punto-banco"][..], &sessions].concat(), "");
    let out = ran(&["--rulebook", PUNTO, "exposure", "jade-punto-banco", "--shoes", "2"], "");
    assert!(out.contains("perfect-pair"), "{out}");
}
