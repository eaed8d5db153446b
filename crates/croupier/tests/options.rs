//! Options appear only where they mean something, and one that would have no effect is an error that says so; numbers have one
//! form in all JSON that is printed.

mod common;

use common::croupier;
use serde_json::Value;

#[test]
fn an_option_without_effect_is_an_error_that_says_so() {
    let book = "rulebooks/mbs-dragon-tiger.toml";
    for (args, says) in [
        (&["rules", "check", book, "--rulebook", book][..], "`croupier rules check` takes no --rulebook"),
        (&["--rulebook", book, "rules", "check", book], "`croupier rules check` takes no --rulebook"),
        (&["people", "recover", "boss", "--rulebook", book], "`croupier people` takes no --rulebook"),
        (&["roads", "BBP", "--format", "json", "--color", "always"], "--color is for --format text"),
        (&["roads", "BBP", "--format", "svg", "--color", "never"], "--color is for --format text"),
        (&["simulate", "mbs-dragon-tiger", "--rounds", "9", "--bankroll", "100"], "'--bankroll <AMOUNT>'"),
        (&["simulate", "mbs-dragon-tiger", "--rounds", "9", "--stake", "tie=5"], "'--stake <BET=AMOUNT>'"),
        (
            &["simulate", "mbs-dragon-tiger", "--shoes", "1", "--session-rounds", "5"],
            "'--session-rounds <N>'",
        ),
        (&["simulate", "mbs-dragon-tiger", "--rounds", "9", "--cut-card", "14"], "need whole shoes"),
        (&["odds", "mbs-dragon-tiger", "--all-decks", "--decks", "6"], "'--all-decks'"),
        (&["settle", "--jsonl", "--quiet"], "'--jsonl' cannot be used with '--quiet'"),
        (&["demo", "--memory", "--data", "here"], "'--memory' cannot be used with '--data <DIR>'"),
    ] {
        let ran = croupier(args, "");
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.out);
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
    }
    for (args, has) in [(&["rules", "list"][..], true), (&["rules", "check"], false), (&["people"], false)] {
        let help = croupier(&[args, &["--help"]].concat(), "");
        assert_eq!(help.out.contains("--rulebook"), has, "{args:?}: {}", help.out);
    }
}

/// Every number that is no whole one, every text that is a number as people write it.
fn odd(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(number) if !number.is_i64() && !number.is_u64() => {
            found.push(format!("{at}: {number}"));
        }
        Value::String(text) => {
            let figure = text.chars().all(|c| c.is_ascii_digit() || "+-.,%".contains(c));
            let is_people = text.starts_with('+') || text.contains(',') || text.contains('%');
            if figure && is_people && text.chars().any(|c| c.is_ascii_digit()) && !at.ends_with("shoe") {
                found.push(format!("{at}: {text}"));
            }
        }
        Value::Array(all) => all.iter().for_each(|one| odd(one, at, found)),
        Value::Object(all) => all.iter().for_each(|(key, one)| odd(one, &format!("{at}.{key}"), found)),
        Value::Number(_) | Value::Bool(_) | Value::Null => {}
    }
}

#[test]
fn numbers_have_one_form_in_all_json() {
    let round = "game hoiana-baccarat/commission\nround\nann bets banker 10,000\ncards 2C KS 3D 7H KH\n";
    let other = std::fs::read_to_string("../../rulebooks/mbs-dragon-tiger.toml").unwrap();
    let folder = croupier_testkit::tempdir().unwrap();
    let changed = folder.path().join("changed.toml");
    std::fs::write(&changed, other.replacen("\"8:1\"", "\"9:1\"", 1)).unwrap();
    let changed = changed.to_str().unwrap();
    for (args, input) in [
        (&["settle", "-", "--format", "json"][..], round),
        (&["roads", "BBPTB", "--format", "json"], ""),
        (&["rules", "diff", "mbs-dragon-tiger", changed, "--format", "json"], ""),
        (&["rules", "show", "mbs-dragon-tiger", "--format", "json"], ""),
        (&["odds", "mbs-dragon-tiger", "--bet", "tie", "--format", "json"], ""),
        (&["simulate", "mbs-dragon-tiger", "--rounds", "100", "--format", "json"], ""),
    ] {
        let ran = croupier(args, input);
        let value: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{args:?}: {}{}", ran.out, ran.err));
        let mut found = Vec::new();
        odd(&value, args[0], &mut found);
        assert!(found.is_empty(), "{args:?}: {found:?}");
    }
}
