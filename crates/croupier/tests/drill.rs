//! `croupier drill` as its users run it.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use common::{Ran, croupier};
use serde_json::Value;

/// `croupier drill` with arguments and some more.
fn drill(args: &[&str], more: &[&str], input: &str) -> Ran {
    let all: Vec<&str> = ["drill"].iter().chain(args).chain(more).copied().collect();
    croupier(&all, input)
}

/// The drills of a command as JSON.
fn drills(args: &[&str]) -> Vec<Value> {
    let ran = drill(args, &["--format", "json"], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

/// What somebody types who knows every answer.
fn typed(drills: &[Value]) -> String {
    let mut lines = String::new();
    for part in drills.iter().flat_map(|drill| drill["parts"].as_array().unwrap()) {
        let right: Vec<i64> =
            part["right"].as_array().unwrap().iter().map(|right| right.as_i64().unwrap()).collect();
        match part["form"].as_str().unwrap() {
            "one" => lines.push_str(&format!("{}\n", right[0] + 1)),
            "all" => {
                let places: Vec<String> = right.iter().map(|right| (right + 1).to_string()).collect();
                lines.push_str(&format!("{}\n", places.join(" ")));
            }
            _ => {
                for minor in right {
                    let sign = if minor < 0 { "-" } else { "+" };
                    lines.push_str(&format!("{sign}{}.{:02}\n", minor.abs() / 100, minor.abs() % 100));
                }
            }
        }
    }
    lines
}

#[test]
fn ten_drills_by_keyboard() {
    let args = ["hoiana-baccarat/commission", "--seed", "11", "--count", "10"];
    let all = drills(&args);
    assert_eq!(all.len(), 10);
    let keys = typed(&all);
    let parts: usize = all.iter().map(|drill| drill["parts"].as_array().unwrap().len()).sum();
    let ran = drill(&args, &["--no-progress"], &keys);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains(&format!("Result: {parts} of {parts} right")), "{}", ran.out);
    assert!(
        ran.out.contains("== Drill 10 of 10 ==") && !ran.out.contains("wrong. The right answer"),
        "{}",
        ran.out
    );
    // What is no answer is asked again; what is wrong is marked wrong, with the right answer and why.
    let seven =
        ["hoiana-baccarat/commission", "--seed", "7", "--count", "1", "--irregularity", "wrong-order"];
    let one = drills(&seven);
    let wrong =
        (1..9).find(|number| *number != one[0]["parts"][0]["right"][0].as_i64().unwrap() + 1).unwrap();
    let rest: String = typed(&one).lines().skip(1).map(|line| format!("{line}\n")).collect();
    let ran = drill(&seven, &["--no-progress"], &format!("x\n0\n{wrong}\n{rest}"));
    assert!(ran.out.contains("Not understood; accepted are: 1–"), "{}", ran.out);
    assert!(ran.out.contains("1. wrong. The right answer is: Cards in the wrong order"), "{}", ran.out);
    assert!(ran.out.contains("2. right.") && ran.out.contains("irregular: wrong-order"), "{}", ran.out);
}

#[test]
fn progress_is_kept_and_the_schedule_uses_it() {
    let file = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("drills-progress.json");
    let _ = std::fs::remove_file(&file);
    let name = file.to_str().unwrap();
    let args = ["mbs-dragon-tiger", "--seed", "3", "--count", "2"];
    let keys = typed(&drills(&args));
    let ran = drill(&args, &["--progress", name], &keys);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(kept["drills"], 2, "{kept}");
    assert!(kept["clauses"].as_object().unwrap().keys().all(|clause| clause.starts_with("MBS")), "{kept}");
    std::fs::write(&file, "not json").unwrap();
    let ran = croupier(&["drill", "mbs-dragon-tiger", "--progress", name], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("holds no progress of drills"), "{}", ran.err);
}

#[test]
fn an_examination_is_passed_or_not() {
    let args = ["horseshoe-dragon-bonus", "--exam", "--seed", "4", "--rank", "dealer"];
    let all = drills(&args);
    let ran = drill(&args, &[], &typed(&all));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("passed (85 %)") && !ran.out.contains("Why"), "{}", ran.out);
    let ran = drill(&args, &[], "");
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.out.contains("not passed (85 %)"), "{}", ran.out);
    let ran = croupier(&["drill", "horseshoe-dragon-bonus", "--exam"], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("an examination is for a rank: add --rank"), "{}", ran.err);
}

#[test]
fn sheets_are_printed_in_three_languages() {
    for (language, words) in
        [("en", "What does each wager win or lose?"), ("vi", "Mỗi cược thắng"), ("zh", "每注输赢多少")]
    {
        let args = ["hoiana-niu-niu", "--seed", "2", "--count", "3", "--irregularity", "payouts"];
        let ran = drill(&args, &["--sheet", "--key", "--language", language], "");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(
            ran.out.contains(words) && ran.out.contains(&format!("<html lang=\"{language}\">")),
            "{}",
            ran.out
        );
        assert!(!ran.out.contains("<script") && !ran.out.contains("http"), "nothing is fetched");
    }
}

#[test]
fn what_is_not_there_is_said() {
    for (args, says) in [
        (vec!["hoiana-bacarat"], "there is no game `hoiana-bacarat`"),
        (vec!["hoiana-niu-niu", "--rank", "pit-manger"], "did you mean `pit-manager`?"),
        (vec!["hoiana-niu-niu", "--irregularity", "wrong-ordr"], "is nothing to drill in this game"),
        (vec!["hoiana-niu-niu", "--count", "0"], "give --count 1 or more"),
    ] {
        let ran = drill(&args, &[], "");
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
    }
}
