//! `croupier simulate` as its users run it.

#![expect(clippy::expect_used, reason = "helpers fail a test by panicking")]

use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn croupier(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .arg("simulate")
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

#[track_caller]
fn accepted(args: &[&str]) -> String {
    let output = croupier(args);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "no progress bar where nobody looks");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
/// A figure that is no whole number: decimal text, wherever it stands.
fn figure(value: &Value) -> f64 {
    value.as_str().expect("decimal text").parse().expect("a decimal")
}

fn json(args: &[&str]) -> Value {
    let args: Vec<&str> = args.iter().copied().chain(["--format", "json"]).collect();
    serde_json::from_str(&accepted(&args)).expect("JSON")
}

#[track_caller]
fn refused(args: &[&str], message: &str) {
    let output = croupier(args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(message), "{said}");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

const BACCARAT: &str = "hoiana-baccarat/commission";

#[test]
fn rounds_for_people() {
    let text = accepted(&[BACCARAT, "--rounds", "200k", "--threads", "1"]);
    let first = "hoiana-baccarat/commission: 8 decks, every round from a full shoe, seed 1\n200,000 rounds\n";
    assert!(text.starts_with(first), "{text}");
    for word in ["banker", "lucky-6", "95 % interval", "-1.0579 %", "exact inside"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    assert_eq!(text, accepted(&[BACCARAT, "--rounds", "200_000", "--threads", "3"]));
    assert_ne!(text, accepted(&[BACCARAT, "--rounds", "200k", "--seed", "2"]));
}

#[test]
fn rounds_for_programs() {
    let report = json(&["mbs-dragon-tiger", "--rounds", "300k", "--decks", "6", "--bet", "big-tiger"]);
    assert_eq!(report["game"], "mbs-dragon-tiger");
    assert_eq!((report["mode"].as_str(), report["decks"].as_u64()), (Some("rounds"), Some(6)));
    assert_eq!((report["rounds"].as_u64(), report["stopped_early"].as_bool()), (Some(300_000), Some(false)));
    let bets = report["bets"].as_array().expect("bets");
    assert_eq!(bets.len(), 1);
    assert_eq!(bets[0]["bet"], "big-tiger");
    let mean = figure(&bets[0]["mean"]);
    let exact: f64 =
        bets[0]["exact_mean"].as_str().and_then(|text| text.parse().ok()).expect("an exact mean");
    let error = figure(&bets[0]["standard_error"]);
    assert!((mean - exact).abs() < 5.0 * error);
    let (low, high) = (Some(figure(&bets[0]["interval"][0])), Some(figure(&bets[0]["interval"][1])));
    assert_eq!(bets[0]["inside"].as_bool(), Some(low < Some(exact) && Some(exact) < high));
}

#[test]
fn shoes_sessions_and_niu_niu() {
    let shoes = json(&[BACCARAT, "--shoes", "2k", "--cut-card", "52"]);
    assert_eq!((shoes["shoes"].as_u64(), shoes["cut_card"]["behind"].as_u64()), (Some(2000), Some(52)));
    let rounds = shoes["rounds"].as_u64().expect("rounds");
    assert!((140_000..160_000).contains(&rounds), "{rounds}");
    let text = accepted(&[BACCARAT, "--shoes", "100"]);
    assert!(
        text.contains("8 decks, 1 card burned, 14 cards behind the cut card, 1 round after it"),
        "{text}"
    );

    let session =
        ["--sessions", "500", "--session-rounds", "50", "--bankroll", "100", "--stake", "banker=10"];
    let args: Vec<&str> = [BACCARAT].into_iter().chain(session).chain(["--stake", "tie=5"]).collect();
    let sessions = json(&args);
    assert_eq!((sessions["mode"].as_str(), sessions["sessions"].as_u64()), (Some("sessions"), Some(500)));
    assert_eq!(sessions["plan"]["stakes"]["tie"], 5);
    let results = &sessions["results"];
    assert!(figure(&results["min"]) >= -100.0 && figure(&results["min"]) <= figure(&results["median"]));
    assert!(figure(&results["ruin_rate"]) > 0.0);
    let text = accepted(&args);
    assert!(
        text.contains("10 on banker, 5 on tie every round for 50 rounds, with a bankroll of 100"),
        "{text}"
    );

    let niu_niu = json(&["hoiana-niu-niu", "--rounds", "100k"]);
    let bets = niu_niu["bets"].as_array().expect("bets");
    assert_eq!(bets.len(), 3);
    for bet in bets {
        let (mean, error) = (figure(&bet["mean"]), Some(figure(&bet["standard_error"])));
        let exact: f64 =
            bet["exact_mean"].as_str().and_then(|text| text.parse().ok()).expect("an exact mean");
        assert!((mean - exact).abs() < 5.0 * error.expect("an error"), "{bet}");
    }
}

#[test]
fn until_the_error_is_small_enough() {
    let report = json(&[BACCARAT, "--until-error", "0.002", "--bet", "banker"]);
    assert!(figure(&report["bets"][0]["standard_error"]) <= 0.002);
    assert!(report["rounds"].as_u64() < Some(1_000_000));
    let report = json(&[BACCARAT, "--until-error", "1e-9", "--rounds", "1k"]);
    assert_eq!(report["rounds"], 1000);
}

#[test]
fn bad_input() {
    refused(&["no-such-game"], "there is no game `no-such-game`");
    refused(&[BACCARAT, "--bet", "nothing"], "has no bet `nothing`; accepted: banker");
    refused(&[BACCARAT, "--rounds", "0"], "at least 1");
    refused(&[BACCARAT, "--rounds", "many"], "such as 500k");
    refused(&[BACCARAT, "--rounds", "1k", "--shoes", "1k"], "cannot be used with");
    refused(&[BACCARAT, "--shoes", "1k", "--sessions", "1k"], "cannot be used with");
    refused(&[BACCARAT, "--decks", "0"], "1 to 10 decks, not with 0");
    refused(&[BACCARAT, "--decks", "11"], "1 to 10 decks, not with 11");
    refused(&["mbs-dragon-tiger", "--decks", "3"], "4 to 10 decks, not with 3");
    refused(&["hoiana-niu-niu", "--decks", "2"], "with 1 deck, not with 2");
    refused(&["hoiana-niu-niu", "--shoes", "2"], "no shoes");
    refused(&[BACCARAT, "--shoes", "1", "--cut-card", "11"], "too few");
    refused(&[BACCARAT, "--shoes", "1", "--cut-card", "417"], "0 to 400 as `cut-card`");
    refused(&[BACCARAT, "--shoes", "1", "--burn", "0"], "1 to 30 as `burn`");
    refused(&[BACCARAT, "--burn", "2"], "whole shoes");
    refused(&[BACCARAT, "--cut-card", "20"], "whole shoes");
    refused(&[BACCARAT, "--until-error", "0"], "above zero");
    refused(&[BACCARAT, "--stake", "banker=5"], "--sessions");
    refused(&[BACCARAT, "--sessions", "5"], "--stake BET=AMOUNT");
    refused(&[BACCARAT, "--sessions", "5", "--stake", "5"], "on which bet");
    refused(&[BACCARAT, "--sessions", "5", "--stake", "banker=5", "--bankroll", "4"], "does not cover");
    refused(&["hoiana-niu-niu", "--sessions", "5", "--stake", "double=5"], "may not exceed even");
}

/// Ctrl-C shows what there is.
#[cfg(unix)]
#[test]
fn stopped_early() {
    let child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["simulate", BACCARAT, "--rounds", "1000G"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    let output = child.wait_with_output().expect("the binary ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("(stopped early)") && text.contains("banker"), "{text}");
}
