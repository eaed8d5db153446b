//! What is no command is refused with a message that says what is wrong and where it stands.

use croupier_table::{Command, Event, Opening};
use serde::de::DeserializeOwned;

fn check<T: DeserializeOwned>(text: &str, expect: &str) {
    let message = match serde_json::from_str::<T>(text) {
        Ok(_) => panic!("{text} is taken"),
        Err(error) => error.to_string(),
    };
    assert!(
        message.contains(expect),
        "{text}
  says     {message}
  expected {expect}"
    );
    assert!(message.contains("at line 1 column "), "{text}: {message}");
}

/// A command with this action.
fn action(action: &str, expect: &str) {
    check::<Command>(&format!(r#"{{"actor":"system","at":1,"action":{action}}}"#), expect);
}

fn fact(fact: &str, expect: &str) {
    check::<Event>(&format!(r#"{{"fact":{fact},"cites":[]}}"#), expect);
}

const PLACE: &str = r#"{"place":{"player":7,"bet":0,"amount":AMOUNT,"in_chips":true,"untimed":false}}"#;

fn place(amount: &str) -> String {
    PLACE.replace("AMOUNT", amount)
}

#[test]
fn the_well_formed_is_taken() {
    for amount in ["100000", "9007199254740991", "-9007199254740991", "0"] {
        let text = format!(r#"{{"actor":{{"player":7}},"at":1,"action":{}}}"#, place(amount));
        let command: Command = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&command).unwrap(), text);
    }
}

#[test]
fn unknown_fields_are_named() {
    check::<Command>(r#"{"actor":"system","at":1,"action":"settle","id":3}"#, "unknown field `id`");
    action(
        r#"{"sit":{"player":7,"seat":3,"chair":1}}"#,
        "unknown field `chair`, expected `player` or `seat`",
    );
    action(r#"{"sign-on":{"person":1,"rank":0,"pay":9}}"#, "unknown field `pay`");
    action(&place("1").replace("bet", "wager"), "unknown field `wager`");
    action(r#"{"rule":{"remedy":"void","shoe":"keep"}}"#, "unknown field `shoe`");
    action(r#"{"report":{"carried-off":{"side":"player","by":7}}}"#, "unknown field `by`");
    action(r#"{"sit":{"player":7,"seat":3},"stand":{"player":7}}"#, "expected value");
    check::<Opening>(
        r#"{"game":"x","settings":[{"setting":"decks","value":{"count":8},"for":1}]}"#,
        "unknown field `for`",
    );
}

#[test]
fn missing_and_doubled_fields_are_named() {
    check::<Command>(r#"{"at":1,"action":"settle"}"#, "missing field `actor`");
    action(r#"{"sit":{"player":7}}"#, "missing field `seat`");
    action(r#"{"sit":{"player":7,"seat":3,"seat":4}}"#, "duplicate field `seat`");
}

#[test]
fn unknown_names_are_listed_with_what_is_accepted() {
    action(r#""sit-down""#, "unknown variant `sit-down`, expected one of `sign-on`");
    action(r#"{"open-first":"dragon"}"#, "unknown hand `dragon`, expected one of `player`, `banker`");
    action(r#"{"call":"dealer"}"#, "unknown winner `dealer`, expected one of `player`, `banker`, `tie`");
    action(r#"{"choose-method":"D"}"#, "unknown method `D`, expected one of `A`, `B`, `C`");
    action(r#"{"rule":{"remedy":"shrug"}}"#, "unknown remedy `shrug`, expected one of `play-on`, `void`");
    action(r#"{"set-hand":{"holder":"box1","set_as":"niu-0"}}"#, "unknown category `niu-0`");
    for holder in ["box", "box0", "box01", "box+1", "box256", "Box1", ""] {
        let text = format!(r#"{{"set-hand":{{"holder":"{holder}","set_as":"niu-1"}}}}"#);
        action(&text, &format!("`{holder}` holds no hand; write `dealer`, or `box1` to `box255`"));
    }
    check::<Opening>(
        r#"{"game":"x","settings":[{"setting":"deck","value":{"count":8}}]}"#,
        "unknown setting `deck`, expected one of `layout`",
    );
}

#[test]
fn amounts_and_numbers_keep_to_their_range() {
    for amount in ["9007199254740992", "-9007199254740992", "9223372036854775807"] {
        let expect =
            format!("{amount} is not an amount; it lies between -9007199254740991 and 9007199254740991");
        action(&place(amount), &expect);
    }
    action(&place("9223372036854775808"), "invalid value: integer `9223372036854775808`, expected i64");
    action(&place("1e400"), "number out of range");
    action(&place("100.5"), "invalid type: floating point `100.5`, expected i64");
    action(&place("100.0"), "invalid type: floating point `100.0`, expected i64");
    action(&place("\"100\""), "invalid type: string \"100\", expected i64");
    action(&place("null"), "invalid type: null, expected i64");
    action(r#"{"limit-areas":256}"#, "invalid value: integer `256`, expected u8");
    action(r#"{"limit-areas":-1}"#, "invalid value: integer `-1`, expected u8");
    action(r#"{"sit":{"player":4294967296,"seat":3}}"#, "invalid value: integer `4294967296`, expected u32");
}

#[test]
fn cards_are_read_with_their_own_message() {
    action(r#"{"draw":{"card":"1S","exposed":false}}"#, "unknown rank `1`: write A, 2 to 9, T or 10");
    action(r#"{"draw":{"card":"8SH","exposed":false}}"#, "`H` follows the suit");
    action(
        r#"{"draw":{"card":8,"exposed":false}}"#,
        "invalid type: integer `8`, expected the text of a card",
    );
    action(r#"{"hold-two":["8S"]}"#, "invalid length 1, expected an array of length 2");
    action(r#"{"hold-two":["8S","9S","TS"]}"#, "trailing characters");
    let sorted = |found: &str| format!(r#"{{"sorted":{{"found":{found},"witness":1}}}}"#);
    action(&sorted(r#"{"8S":256}"#), "invalid value: integer `256`, expected u8");
    action(&sorted(r#"{"8S":0}"#), "0 of 8S: leave out what is not there");
    action(&sorted(r#"{"TS":1,"10S":1}"#), "TS is counted twice");
    action(&sorted(r#"{"XS":1}"#), "unknown rank `X`");
    action(&sorted("[]"), "invalid type: sequence, expected how many there are of each card");
    let load = |hex: &str| format!(r#"{{"load-shoe":{{"commitment":"{hex}"}}}}"#);
    action(&load(&"0".repeat(63)), "63 hexadecimal digits: write 64");
    action(&load(&"0".repeat(65)), "65 hexadecimal digits: write 64");
    action(&load("zz"), "`z` at byte 0: write 64 digits");
}

/// An odd two-card count is no pair, and naturals end the round.
#[test]
fn outcomes_that_no_cards_lead_to_are_refused() {
    let outcome = |player: (u8, u8, bool), banker: (u8, u8, bool)| {
        format!(
            r#"{{"decided":{{"player_points":{},"banker_points":{},"player_cards":{},"banker_cards":{},"player_pair":{},"banker_pair":{}}}}}"#,
            player.0, banker.0, player.1, banker.1, player.2, banker.2
        )
    };
    fact(&outcome((7, 2, true), (6, 2, false)), "no cards lead to 7–6 with 2 and 2 cards, Player pair true");
    fact(&outcome((9, 3, false), (8, 2, false)), "no cards lead to 9–8 with 3 and 2 cards");
    fact(&outcome((10, 2, false), (0, 2, false)), "no cards lead to 10–0");
    fact(&outcome((5, 4, false), (0, 2, false)), "no cards lead to 5–0 with 4 and 2 cards");
    fact(r#"{"decided":17}"#, "invalid type: integer `17`, expected the features of an outcome");
}

/// Whatever is cut off or mixed up is an error and no panic.
#[test]
fn damaged_lines_are_errors() {
    let lines = [include_str!("../data/commands.jsonl"), include_str!("../data/events.jsonl")].concat();
    for line in lines.lines() {
        for end in (0..line.len()).filter(|end| line.is_char_boundary(*end)) {
            assert!(serde_json::from_str::<Command>(&line[..end]).is_err());
            assert!(serde_json::from_str::<Event>(&line[..end]).is_err());
        }
        for (from, to) in [("\"", ""), (":", ","), ("0", "-0.5"), ("1", "\"1\""), ("{", "["), ("true", "1")] {
            let _ = serde_json::from_str::<Command>(&line.replace(from, to));
            let _ = serde_json::from_str::<Event>(&line.replace(from, to));
        }
    }
}
