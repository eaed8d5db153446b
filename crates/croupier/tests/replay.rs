//! `croupier rules diff --replay` as its users run it, on the golden journal.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use std::path::PathBuf;

use common::croupier;
use serde_json::Value;

const GOLDEN: &str = "crates/journal/tests/data/golden-1";

/// An edited copy of a rulebook, in a file.
fn edited(name: &str, file: &str, edit: &[(&str, &str)]) -> String {
    let path = format!("{}/../../rulebooks/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let mut text = std::fs::read_to_string(path).unwrap();
    for (from, to) in edit {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

#[test]
fn the_same_rulebook_pays_the_same() {
    let ran = croupier(&["rules", "diff", "hoiana-baccarat", "hoiana-baccarat", "--replay", GOLDEN], "");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let told = "1 table of this rulebook, 1 of others; 4 rounds with wagers, 0 irregularities and rulings";
    assert!(ran.out.contains(told), "{}", ran.out);
    let told = "players' result in VND: -397 as played, -397 under the new rulebook";
    assert!(ran.out.contains(told), "{}", ran.out);
}

#[test]
fn another_commission_differs_in_the_rounds_that_the_banker_won() {
    let file = edited("hoiana-baccarat", "commission.toml", &[("less = \"5%\"", "less = \"4%\"")]);
    let ran = croupier(&["rules", "diff", "hoiana-baccarat", &file, "--replay", GOLDEN], "");
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("\n1 round would have paid otherwise\n"), "{}", ran.out);
    assert!(ran.out.contains("p2 banker 104.50 to 105.60, p3 banker 28.50 to 28.80"), "{}", ran.out);
    let args = ["rules", "diff", "hoiana-baccarat", &file, "--replay", GOLDEN, "--format", "json"];
    let json: Value = serde_json::from_str(&croupier(&args, "").out).unwrap();
    let replay = &json["replay"];
    assert_eq!((&replay["rounds"], &replay["paid"]["VND"]["before"]), (&4.into(), &(-39_700).into()));
    assert_eq!(replay["paid"]["VND"]["after"], -39_560);
    assert_eq!(replay["differing_rounds"][0]["round"], 4);
}

#[test]
fn a_rulebook_of_another_id_and_a_journal_that_is_not_there() {
    let edits = [("id = \"hoiana-niu-niu\"", "id = \"other-niu-niu\"")];
    let file = edited("hoiana-niu-niu", "niu-niu.toml", &edits);
    let ran = croupier(&["rules", "diff", "hoiana-niu-niu", &file, "--replay", GOLDEN], "");
    assert!(ran.out.contains("1 table of this rulebook, 1 of others"), "{}{}", ran.out, ran.err);
    let ran = croupier(&["rules", "diff", "hoiana-baccarat", "hoiana-baccarat", "--replay", "nowhere"], "");
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("nowhere"), "{}", ran.err);
}
