//! `croupier design` as its users run it.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use common::croupier;
use serde_json::Value;

const TIE: &str = "\
[[bet]]
id = \"tie\"
pays = [{ when = { winner = \"tie\" }, odds = \"8:1\" }]
otherwise = \"lose\"
";

fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("croupier-design-{}-{name}.toml", std::process::id()));
    std::fs::write(&path, text).expect("a file in the temporary folder");
    path
}

#[track_caller]
fn design(name: &str, text: &str, args: &[&str]) -> common::Ran {
    let path = file(name, text);
    let ran = croupier(&[&["design", path.to_str().unwrap()], args].concat(), "");
    std::fs::remove_file(path).expect("the file is there");
    ran
}

#[track_caller]
fn json(name: &str, text: &str, args: &[&str]) -> Value {
    let ran = design(name, text, &[args, &["--format", "json"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    serde_json::from_str(&ran.out).expect("JSON")
}

/// 475627426473216 of 4998398275503360 sequences tie: at n to 1 the edge is 1 - (n + 1) p.
#[test]
fn the_pay_for_a_wanted_edge_is_exact() {
    let priced = json("tie", TIE, &["--decks", "8", "--edge", "5%"]);
    assert_eq!(priced.as_array().unwrap().len(), 1);
    assert_eq!(priced[0]["edge_exact"], "103841353768/723147898655");
    let solved = &priced[0]["solved"];
    // 0.95 × 4998398275503360 / 475627426473216 - 1, in lowest terms
    assert_eq!(solved["pays_exact"], "22254431954453/2477226179548");
    assert_eq!(solved["line"], 1);
    let whole = solved["whole"].as_array().unwrap();
    assert_eq!((whole[0]["odds"].as_str(), whole[1]["odds"].as_str()), (Some("8:1"), Some("9:1")));
    assert_eq!(whole[0]["edge_exact"], "103841353768/723147898655");
    assert!(whole[1]["edge"].as_str().unwrap().starts_with("0.0484403197"));
}

#[test]
fn six_and_eight_decks_unless_told() {
    let priced = json("default", TIE, &[]);
    let decks: Vec<&Value> = priced.as_array().unwrap().iter().map(|entry| &entry["decks"]).collect();
    assert_eq!(decks, [6, 8]);
    assert!(priced[0].get("solved").is_none());
    let ran = design("text", TIE, &["--decks", "1", "--decks", "8", "--edge", "5"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("1 deck: tie (tie), edge 15.7"), "{}", ran.out);
    assert!(ran.out.contains("at 8:1 the edge is 14.3596% = 103841353768/723147898655"), "{}", ran.out);
}

/// The rulebook's own words for a bet are accepted as they are, and price the same.
#[test]
fn a_bet_as_it_stands_in_a_rulebook() {
    let text = "\
game = \"hoiana-baccarat/commission\"
[[bet]]
id = \"banker\"
name = { en = \"Banker\", vi = \"Nhà cái\", zh = \"庄\" }
clause = [\"2.1.2.1\", \"4.5\"]
variant = \"commission\"
main = \"banker\"
pays = [
  { when = { winner = \"banker\" }, odds = \"1:1\", less = \"5%\", clause = [\"6.1.2\"] },
  { when = { winner = \"tie\" }, odds = \"push\", clause = [\"6.1.2\"] },
]
otherwise = { odds = \"lose\", clause = [\"6.1.2\"] }
";
    let priced = json("banker", text, &["--decks", "8", "--edge", "0"]);
    assert_eq!(priced[0]["edge_exact"], "114753351728/10847218479825");
    // Without an edge the Banker's win would pay losses over wins, before 5% are taken off.
    let fair = 2_230_518_282_592_256_f64 / 2_292_252_566_437_888_f64 / 0.95;
    let pays: f64 = priced[0]["solved"]["pays"].as_str().unwrap().parse().unwrap();
    assert!((pays - fair).abs() < 1e-12);
}

#[test]
fn niu_niu_bets_too() {
    let text = "\
family = \"niu-niu\"
[[bet]]
id = \"dealer-no-hand\"
pays = [{ when = { dealer = \"no-hand\" }, odds = \"3:2\" }]
otherwise = \"lose\"
";
    let priced = json("niu", text, &[]);
    assert_eq!((priced[0]["decks"].clone(), priced[0]["total"].clone()), (1.into(), "3986646103440".into()));
    // 871,744 of 2,598,960 hands
    assert_eq!(priced[0]["edge_exact"], "5245/32487");
}

#[test]
fn faults_have_the_lines_of_the_file() {
    let text = "\
game = \"hoiana-baccarat/commission\"

[[bet]]
id = \"odd\"
pays = [
  { when = { winner = \"banker\", banker-points = 12 }, odds = \"8:1\" },
  { when = { winer = \"tie\" }, odds = \"8-1\" },
]
otherwise = \"looses\"

[[bet]]
id = \"open\"
pays = [{ when = { winner = \"tie\" }, odds = \"8:1\" }]
";
    let ran = design("faults", text, &[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    for says in [
        "has 5 faults",
        ".toml:6:49: `12` is not in range",
        ".toml:7:14: `when` has no key `winer`",
        ".toml:7:38: `8-1` is not valid odds",
        ".toml:9:13: `looses` is not valid odds",
        ".toml:11:1: bet `open` leaves ",
    ] {
        assert!(ran.err.contains(says), "{says}: {}", ran.err);
    }
}

#[test]
fn bad_input_is_named() {
    for (text, args, says) in [
        (TIE, vec!["--decks", "11"], "--decks"),
        (TIE, vec!["--edge", "much"], "`much` is not a percentage"),
        (TIE, vec!["--line", "1"], "--edge"),
        (TIE, vec!["--edge", "5%", "--line", "0"], "counted from 1"),
        (TIE, vec!["--edge", "5%", "--line", "3"], "there is no line 3; the bet has 2"),
        (TIE, vec!["--edge", "5%", "--line", "2"], "pays nothing"),
        (TIE, vec!["--edge", "95%"], "paying nothing, it would be"),
        ("game = \"none\"\n", vec![], ":1:8: there is no game `none`"),
        ("", vec![], "needs at least one [[bet]]"),
        ("[[bet]\n", vec![], "not TOML"),
        (
            "family = \"niu-niu\"\n[[bet]]\nid = \"x\"\npays = [{ when = { hand = \"niu-9\" }, odds = \"9:1\" }]\notherwise = \"lose\"\n",
            vec!["--decks", "2"],
            "Niu Niu is dealt from one deck",
        ),
    ] {
        let ran = design("bad", text, &args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?} {text}");
        assert!(ran.err.contains(says), "{args:?} says {}", ran.err);
    }
    let ran = croupier(&["design", "no-such-file.toml"], "");
    assert!(ran.code == Some(2) && ran.err.contains("cannot read no-such-file.toml"));
}

/// Prices, shows the faults of a bad edit, and goes on with the next good one.
#[test]
fn watching_goes_on_after_a_fault() {
    let path = file("watch", TIE);
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["design", "--watch", "--decks", "8"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let until = |wanted: &str| loop {
        match lines.recv_timeout(std::time::Duration::from_secs(20)) {
            Ok(line) if line.contains(wanted) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    };
    let seen = until("edge 14.3596%") && until("watching");
    std::fs::write(&path, TIE.replace("8:1", "8-1")).unwrap();
    let faulty = until("`8-1` is not valid odds") && until("watching");
    std::fs::write(&path, TIE.replace("8:1", "9:1")).unwrap();
    let again = until("edge 4.8440%");
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!((seen, faulty, again), (true, true, true));
}
