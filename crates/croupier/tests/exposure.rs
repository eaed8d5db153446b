//! `croupier exposure` as its users run it.
#![expect(clippy::expect_used, reason = "helpers fail a test by panicking")]

mod common;

use common::{Ran, croupier};
use serde_json::Value;

const GAME: &str = "hoiana-dragon-tiger/commission";

fn exposure(args: &[&str]) -> Ran {
    croupier(&[&["exposure"], args].concat(), "")
}

#[track_caller]
fn accepted(args: &[&str]) -> String {
    let ran = exposure(args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    ran.out
}

#[track_caller]
fn refused(args: &[&str], message: &str) {
    let ran = exposure(args);
    assert!(ran.err.contains(message), "{}", ran.err);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&accepted(&[args, &["--format", "json"]].concat())).expect("JSON")
}

/// Decimal text, as figures are in all JSON.
fn is_figure(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.parse::<f64>().is_ok())
}

#[test]
fn the_rulebook_says_what_may_be_burned_and_cut_off() {
    refused(&[GAME, "--shoes", "1", "--burn", "31"], "1 to 30 as `burn`");
    refused(&[GAME, "--shoes", "1", "--cut-card", "401"], "0 to 400 as `cut-card`");
    // A rulebook with figures of its own is dealt with them.
    let folder = croupier_testkit::tempdir().expect("a folder");
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks/mbs-dragon-tiger.toml");
    let own = std::fs::read_to_string(own).expect("a rulebook");
    let own = own
        .replacen("id = \"mbs-dragon-tiger\"", "id = \"own\"", 1)
        .replacen("abbreviation = \"MBS\"", "abbreviation = \"OWN\"", 1)
        .replacen("burn = { range = \"0-30\"", "burn = { range = \"0-30\", default = \"7\"", 1)
        .replacen("cut-card = { range = \"0-400\"", "cut-card = { range = \"0-400\", default = \"60\"", 1);
    let path = folder.path().join("own.toml");
    std::fs::write(&path, own).expect("a file");
    let rulebook = ["--rulebook", path.to_str().expect("UTF-8")];
    let exposure = json(&[&["own", "--shoes", "2"][..], &rulebook].concat());
    assert_eq!((&exposure["burn"], &exposure["cut_card"]), (&Value::from(7), &Value::from(60)));
    let simulated = croupier(&[&["simulate", "own", "--shoes", "2"][..], &rulebook].concat(), "");
    assert!(simulated.out.contains("7 cards burned, 60 cards behind the cut card"), "{}", simulated.out);
}

#[test]
fn json_has_the_documented_shape() {
    let exposure = json(&[GAME, "--shoes", "20", "--decks", "6", "--seed", "9", "--buckets", "4"]);
    for (key, value) in [("decks", 6), ("shoes", 20), ("seed", 9), ("cut_card", 14), ("burn", 1)] {
        assert_eq!(exposure[key], value, "{key}");
    }
    assert_eq!(exposure["game"], GAME);
    let bets = exposure["bets"].as_array().expect("bets");
    assert!(bets.iter().any(|bet| bet["bet"] == "big-tiger"));
    for bet in bets {
        for key in ["fresh_edge", "fraction", "average_edge", "per_100_rounds", "per_shoe", "max_edge"] {
            assert!(is_figure(&bet[key]), "{key}: {}", bet[key]);
        }
        let parts = bet["by_penetration"].as_array().expect("parts");
        assert_eq!(parts.len(), 4);
        assert_eq!((parts[1]["from"].as_str(), parts[1]["to"].as_str()), (Some("0.25"), Some("0.5")));
        let rounds: u64 = parts.iter().filter_map(|part| part["rounds"].as_u64()).sum();
        assert_eq!(exposure["rounds"], rounds);
        for key in ["fraction", "average_edge", "per_100_rounds"] {
            assert!(is_figure(&parts[3][key]), "{key}");
        }
    }
}

#[test]
fn threads_do_not_change_the_output() {
    for format in ["text", "json", "csv", "html"] {
        let with = |threads| accepted(&[GAME, "--shoes", "15", "--threads", threads, "--format", format]);
        let one = with("1");
        assert_eq!(one, with("2"));
        assert_eq!(one, with("5"));
    }
}

#[test]
fn text_names_every_bet_and_one_bet_alone() {
    let all = accepted(&[GAME, "--shoes", "15"]);
    for bet in ["banker", "player", "tie", "small-dragon", "big-tiger", "dragon-tiger"] {
        assert!(all.contains(&format!("\n{bet} by penetration")), "{bet}");
    }
    assert!(all.contains("15 shoes of 8 decks"), "{all}");
    let one = accepted(&[GAME, "--shoes", "15", "--bet", "big-tiger"]);
    assert!(one.contains("big-tiger") && !one.contains("banker"), "{one}");
    assert!(one.contains("90%–100%"), "{one}");
}

#[test]
fn csv_has_a_row_for_each_part_and_the_whole() {
    let csv = accepted(&[GAME, "--shoes", "5", "--format", "csv", "--buckets", "3", "--bet", "tie"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "bet,from,to,rounds,fraction,average_edge,per_100_rounds,per_shoe,max_edge");
    assert_eq!(lines.len(), 5);
    assert!(lines[1].starts_with("tie,0,1,") && lines[2].starts_with("tie,0,0.333"), "{csv}");
    assert!(lines.iter().all(|line| line.split(',').count() == 9));
}

#[test]
fn the_page_stands_alone() {
    let page = accepted(&["hoiana-baccarat/commission", "--shoes", "30", "--format", "html"]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("<svg") && page.contains("Lucky 6"));
    for outside in ["<script", "<link", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    for (open, close) in [("<section>", "</section>"), ("<svg", "</svg>"), ("<table>", "</table>")] {
        assert_eq!(page.matches(open).count(), page.matches(close).count(), "{open}");
    }
}

#[test]
fn bad_input_is_explained() {
    refused(&["no-such-game"], "there is no game `no-such-game`; there are\n");
    refused(&[GAME, "--bet", "lucky-6"], "has no bet `lucky-6`");
    refused(&[GAME, "--decks", "0"], "0");
    refused(&[GAME, "--decks", "11"], "11");
    refused(&[GAME, "--decks", "many"], "many");
    refused(&[GAME, "--decks", "1", "--cut-card", "52"], "accepted: 0 to 51");
    refused(&[GAME, "--cut-card", "1000"], "0 to 400 as `cut-card`");
    refused(&[GAME, "--burn", "411"], "1 to 30 as `burn`");
    refused(&[GAME, "--shoes", "0"], "at least one");
    refused(&[GAME, "--buckets", "0"], "accepted: 1 to 100");
    refused(&[GAME, "--buckets", "101"], "accepted: 1 to 100");
    refused(&[GAME, "--threads", "0"], "--threads");
    refused(&["hoiana-niu-niu"], "each round is dealt from a full deck");
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_there_is() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["exposure", GAME, "--shoes", "1000000000", "--threads", "2", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    if !interrupted.is_ok_and(|status| status.success()) {
        let _ = child.kill();
    }
    let output = child.wait_with_output().expect("the binary ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let exposure: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let shoes = exposure["shoes"].as_u64().expect("a number");
    assert!(stderr.contains(&format!("these are the first {shoes} of 1000000000 shoes")), "{stderr}");
    // A run of just so many shoes says the same.
    let again = json(&[GAME, "--shoes", &shoes.to_string()]);
    assert_eq!(again, exposure);
}
