//! `croupier roads` as its users run it.

#![expect(clippy::expect_used, reason = "helpers fail a test by panicking")]

use serde_json::Value;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

const REFERENCE: &str = include_str!("../../rules/tests/data/roads.txt");

fn croupier(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .arg("roads")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A run that ends before it reads everything closes the pipe; that is not this helper's concern.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the binary ends")
}

#[track_caller]
fn accepted(args: &[&str], input: &str) -> String {
    let output = croupier(args, input);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Checks the exit code and the message, and gives what was written before the fault.
#[track_caller]
fn refused(args: &[&str], input: &str, message: &str) -> String {
    let output = croupier(args, input);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains(message), "{stderr}");
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn reference() -> Vec<Vec<&'static str>> {
    REFERENCE.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('|').collect()).collect()
}

#[test]
fn json_matches_the_reference_to_the_letter() {
    let reference = reference();
    let shoes: String = reference.iter().map(|fields| format!("{}\n", fields[0])).collect();
    let output = accepted(&["--format", "json", "-"], &shoes);
    assert_eq!(output.lines().count(), 20);
    for (line, expected) in output.lines().zip(&reference) {
        let shoe: Value = serde_json::from_str(line).expect("JSON");
        let fields = ["bead", "big_eye_boy", "small_road", "cockroach_pig"];
        assert_eq!(
            fields.map(|field| shoe[field].as_str().expect("a string")).as_slice(),
            expected.as_slice()
        );
    }
}

#[test]
fn the_shape_of_the_json_is_stable() {
    assert_eq!(
        accepted(&["--format", "json", "t bbT-pB"], ""),
        "{\"bead\":\"TBBTPB\",\"big_road\":[{\"side\":\"B\",\"depth\":2,\"ties\":[0,1]},\
         {\"side\":\"P\",\"depth\":1,\"ties\":[0]},{\"side\":\"B\",\"depth\":1,\"ties\":[0]}],\
         \"big_eye_boy\":\"B\",\"small_road\":\"\",\"cockroach_pig\":\"\",\"leading_ties\":1,\
         \"counts\":{\"player\":1,\"banker\":3,\"tie\":2},\"next\":{\"player\":\"RB-\",\"banker\":\"BR-\"}}\n"
    );
}

#[test]
fn text_without_colour_is_readable_in_letters() {
    let expected = "\
Shoe: 12 hands (Banker 9, Player 2, Tie 1)

Bead plate
  B B
  B B
  B P
  T B
  B B
  B P

Big road
  B P B P
  B · B ·
  B¹· · ·
  B · · ·
  B · · ·
  B B · ·

Big eye boy
  B
  B
  B
  ·
  ·
  ·

Small road
  R B
  · ·
  · ·
  · ·
  · ·
  · ·

Cockroach pig
  no entries yet

If the next hand is  Big eye boy  Small road  Cockroach pig
  Player             R            B           R
  Banker             B            R           B
";
    assert_eq!(accepted(&["BBBTBB BBPBBP"], ""), expected);
}

#[test]
fn colour_is_used_when_asked_for_and_not_in_a_pipe() {
    assert!(!accepted(&["BBPP"], "").contains('\u{1b}'));
    assert!(!accepted(&["BBPP", "--color", "never"], "").contains('\u{1b}'));
    let coloured = accepted(&["BBTPP", "--color", "always"], "");
    assert!(coloured.contains("\u{1b}[31m●\u{1b}[0m\u{1b}[32m¹\u{1b}[0m"), "{coloured}");
}

#[test]
fn blank_lines_and_comments_are_skipped() {
    let input = "\u{feff}# two shoes\r\n\r\nBBP # the first\r\n   \npb\n";
    let output = accepted(&["--format", "json"], input);
    let beads: Vec<Value> = output
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["bead"].clone())
        .collect();
    assert_eq!(beads, ["BBP", "PB"]);
    let text = accepted(&[], input);
    assert!(text.contains("Shoe on line 3: 3 hands") && text.contains("Shoe on line 5: 2 hands"), "{text}");
}

#[test]
fn empty_input_is_refused() {
    for format in ["text", "json", "svg"] {
        for nothing in ["", "- -"] {
            assert_eq!(refused(&["--format", format, "--", nothing], "", "no results given"), "");
        }
        assert_eq!(refused(&["-", "--format", format], "", "no shoes in the input"), "");
        assert_eq!(refused(&["-", "--format", format], "\n# nothing\n", "no shoes in the input"), "");
    }
    assert_eq!(refused(&["-", "--format", "json"], "BBP\n- -\n", "line 2 has no results").lines().count(), 1);
}

#[test]
fn a_bad_letter_is_placed_and_the_shoes_before_it_are_written() {
    let accepted_are = "accepted are P (Player), B (Banker) and T (Tie) in either case";
    let written =
        refused(&["-", "--format", "json"], "BBP\n\nBP xB\nPP\n", "line 3, column 4: 'x' is not a result");
    assert_eq!(written.lines().count(), 1);
    refused(&["-"], "BPX\n", accepted_are);
    refused(&["BP7"], "", "column 3: '7' is not a result");
    refused(&["shoes.txt"], "", "to read a file, use `croupier roads - < FILE`");
    assert_eq!(refused(&["-", "--format", "svg"], "BP\nX\n", "line 2, column 1"), "");
}

#[test]
fn a_line_with_more_than_a_shoe_is_refused() {
    refused(&["-"], "BBP|RB|B|\n", "line 1, column 4: '|' is not a result");
    refused(&["-"], "BBP|RB|B|\n", "a line holds one shoe and nothing after it");
}

#[test]
fn svg_draws_every_entry_of_every_shoe() {
    let svg = accepted(&["-", "--format", "svg"], "TBBTTPTB\nPPB\n");
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n"));
    // Five beads are the legend of each shoe.
    assert_eq!(svg.matches("r=\"9\"").count(), 8 + 3 + 2 * 5);
    assert_eq!(svg.matches("r=\"8\"").count(), 4 + 3);
    assert!(svg.contains("Big road (1 tie before the first decision)"));
    assert_eq!(svg.matches("<svg").count(), 1);
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
}
