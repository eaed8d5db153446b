//! `croupier odds` as its users run it.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use common::croupier;
use serde_json::Value;

const FIGURES: &str = include_str!("../../rules/tests/data/odds-8-decks.txt");
const GAMES: [&str; 7] = [
    "hoiana-baccarat/commission",
    "hoiana-baccarat/non-commission",
    "hoiana-dragon-tiger/commission",
    "hoiana-dragon-tiger/non-commission",
    "mbs-dragon-tiger",
    "horseshoe-dragon-bonus",
    "hoiana-niu-niu",
];

#[track_caller]
fn accepted(args: &[&str]) -> String {
    let ran = croupier(&[&["odds"], args].concat(), "");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    ran.out
}

#[track_caller]
fn json(args: &[&str]) -> Value {
    serde_json::from_str(&accepted(&[args, &["--format", "json"]].concat())).expect("JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn number(value: &Value) -> u128 {
    text(value).parse().expect("a whole number as text")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// `0.0123…`, with at least 15 digits that say something.
fn is_decimal(value: &Value) -> bool {
    let digits = text(value).trim_start_matches('-').replace('.', "");
    let said = digits.trim_start_matches('0').len();
    digits.bytes().all(|byte| byte.is_ascii_digit()) && (said >= 15 || said == 0)
}

fn is_pays(pays: &str) -> bool {
    let odds = |(win, stake): (&str, &str)| win.parse::<u32>().is_ok() && stake.parse::<u32>().is_ok();
    pays == "push" || pays == "lose" || pays.split_once(':').is_some_and(odds)
}

fn check_shape(sheet: &Value, game: &str) {
    assert_eq!(sheet["game"], game);
    let total = number(&sheet["total"]);
    assert!(!list(&sheet["bets"]).is_empty());
    for bet in list(&sheet["bets"]) {
        assert!(
            ["edge", "hit_frequency", "variance", "standard_deviation"]
                .iter()
                .all(|key| is_decimal(&bet[key]))
        );
        let (numerator, denominator) = text(&bet["edge_exact"]).split_once('/').unwrap();
        assert!(denominator.parse::<u128>().is_ok());
        assert_eq!(bet["favours_player"], numerator.starts_with('-'));
        assert!(list(&bet["lines"]).iter().all(|line| is_pays(text(&line["pays"]))));
        let ways: u128 = list(&bet["lines"]).iter().map(|line| number(&line["ways"])).sum();
        assert_eq!(ways, total, "{game} {bet}");
    }
    for situation in list(&sheet["insurance"]) {
        assert!(["banker", "player"].contains(&text(&situation["side"])));
        assert!(["four-cards", "player-third"].contains(&text(&situation["stage"])));
        assert!(situation["banker_points"].is_u64() && situation["player_points"].is_u64());
        assert!(is_pays(text(&situation["pays"])) && is_decimal(&situation["edge"]));
        let ways: u128 = ["win", "push", "lose"].iter().map(|key| number(&situation[key])).sum();
        assert!(ways > 0 && ways < total);
    }
}

#[test]
fn json_of_every_game_and_deck_count_has_the_documented_shape() {
    for game in GAMES {
        let sheets = json(&[game, "--all-decks"]);
        let baccarat = game != "hoiana-niu-niu";
        assert_eq!(list(&sheets).len(), if baccarat { 10 } else { 1 });
        for (at, sheet) in list(&sheets).iter().enumerate() {
            assert_eq!(sheet["decks"], at + 1);
            assert_eq!(sheet["cards"], (at + 1) * 52);
            check_shape(sheet, game);
            assert_eq!(list(&sheet["insurance"]).is_empty(), !game.starts_with("hoiana-baccarat"));
            assert_eq!(sheet.get("categories").is_some(), !baccarat);
        }
    }
}

/// The sum of the ways by net result, as the data file has them.
fn ways_by_net(bet: &Value, net: &str) -> u128 {
    let lines = list(&bet["lines"]).iter().filter(|line| line["net"] == net);
    lines.map(|line| number(&line["ways"])).sum()
}

#[test]
fn eight_decks_agree_with_the_data_file_to_the_last_digit() {
    let sheets: Vec<Value> = GAMES.iter().map(|game| json(&[game])).collect();
    let bet = |game: &str, id: &str| {
        let sheet = sheets.iter().find(|sheet| sheet["game"] == game).unwrap();
        list(&sheet["bets"]).iter().find(|bet| bet["bet"] == id).unwrap().clone()
    };
    let mut checked = 0;
    for line in FIGURES.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["total", total] => assert_eq!(sheets[0]["total"], *total),
            ["edge", game, id, exact] => assert_eq!(bet(game, id)["edge_exact"], *exact, "{line}"),
            ["ways", game, id, net, ways] => {
                assert_eq!(ways_by_net(&bet(game, id), net).to_string(), *ways, "{line}");
            }
            ["insurance", side, stage, banker, player, pays, win, push, lose] => {
                let value = |word: &str| word.split_once('=').unwrap().1.replace('-', "–");
                let lines = list(&sheets[0]["insurance_lines"]);
                let found = lines.iter().find(|line| {
                    line["side"] == *side
                        && line["stage"] == *stage
                        && line["banker_points"] == value(banker)
                        && line["player_points"] == value(player)
                });
                let found = found.expect(line);
                for (key, word) in [("pays", pays), ("win", win), ("push", push), ("lose", lose)] {
                    assert_eq!(found[key], value(word), "{line}");
                }
            }
            ["hands", category, hands] => {
                let categories = list(&sheets[6]["categories"]);
                let found = categories.iter().find(|entry| entry["category"] == *category).expect(line);
                assert_eq!(found["hands"], *hands);
            }
            _ => continue,
        }
        checked += 1;
    }
    assert!(checked > 150, "{checked}");
    assert_eq!(sheets[6]["total"], "3986646103440");
    // Computed independently, with what the Reserve loses.
    for (id, exact) in [
        ("even", "11234830381/498330762930"),
        ("double", "354005051/13131245400"),
        ("super-niu", "9791135591/69696610200"),
    ] {
        assert_eq!(bet("hoiana-niu-niu", id)["edge_exact"], exact);
    }
}

/// With eight decks three lines of the insurance table and thirteen situations favour the player.
#[test]
fn what_favours_the_player_is_flagged() {
    let sheet = json(&["hoiana-baccarat/commission"]);
    let flagged = |key: &str| -> Vec<Value> {
        list(&sheet[key]).iter().filter(|entry| entry["favours_player"] == true).cloned().collect()
    };
    assert_eq!((flagged("insurance_lines").len(), flagged("insurance").len()), (3, 13));
    assert!(flagged("bets").is_empty());
    let best = flagged("insurance")
        .into_iter()
        .find(|entry| entry["player_points"] == 5 && entry["banker_points"] == 6);
    assert!(text(&best.unwrap()["edge"]).starts_with("-0.0843966817"));
    let printed = accepted(&["hoiana-baccarat/commission"]);
    assert_eq!(printed.matches("◀ player").count(), 13 + 2, "one flagged line has a single situation");
    assert!(printed.ends_with("\n3 insurance lines and 13 situations favour the player.\n"));
    assert!(accepted(&["mbs-dragon-tiger"]).ends_with("\nNothing here favours the player.\n"));
}

#[test]
fn a_shoe_given_by_counts_is_the_same_as_its_decks() {
    let (mut by_decks, mut by_counts) = (
        json(&["hoiana-baccarat/commission", "--decks", "2"]),
        json(&["hoiana-baccarat/commission", "--shoe", "8,8,8,8,8,8,8,8,8,8,8,8,8"]),
    );
    assert_eq!((by_decks["decks"].take(), by_counts["decks"].take()), (Value::from(2), Value::Null));
    assert_eq!(by_decks, by_counts);
}

#[test]
fn cards_taken_out_are_gone() {
    let without = json(&["mbs-dragon-tiger", "--decks", "4", "--without", "8S, 8D KC", "--bet", "tie"]);
    let counted =
        json(&["mbs-dragon-tiger", "--shoe", "16,16,16,16,16,16,16,14,16,16,16,16,15", "--bet", "tie"]);
    assert_eq!(without["bets"], counted["bets"]);
    assert_eq!((without["cards"].clone(), without["decks"].clone()), (205.into(), 4.into()));
    assert_eq!(without["shoe"], counted["shoe"]);
    let niu = json(&["hoiana-niu-niu", "--without", "KS", "--bet", "even"]);
    assert_eq!((niu["cards"].clone(), list(&niu["bets"]).len()), (51.into(), 1));
}

/// The only cards are nines and a round takes at most six: every hand is 8 against 8.
#[test]
fn a_shoe_of_one_rank_always_ties() {
    let sheet = json(&["mbs-dragon-tiger", "--shoe", "0,0,0,0,0,0,0,0,6,0,0,0,0", "--bet", "tie"]);
    let tie = &sheet["bets"][0];
    assert_eq!((tie["edge_exact"].clone(), tie["favours_player"].clone()), ("-8/1".into(), true.into()));
    assert_eq!(sheet["total"], "720");
    assert!(
        accepted(&["mbs-dragon-tiger", "--shoe", "0,0,0,0,0,0,0,0,6,0,0,0,0", "--bet", "tie"])
            .ends_with("\n1 bet favours the player.\n")
    );
}

#[test]
fn a_deck_count_outside_the_rulebook_is_priced_with_a_note() {
    let sheet = json(&["mbs-dragon-tiger", "--decks", "3", "--bet", "tie"]);
    assert!(text(&sheet["notes"][0]).contains("MBS 2.1"));
    assert!(list(&json(&["mbs-dragon-tiger", "--decks", "4", "--bet", "tie"])["notes"]).is_empty());
    assert!(
        accepted(&["mbs-dragon-tiger", "--decks", "3"]).contains("Note: the rulebook allows 4 to 10 decks")
    );
}

#[test]
fn one_bet_or_one_insurance() {
    let sheet = json(&["hoiana-baccarat/commission", "--bet", "banker-insurance"]);
    assert!(list(&sheet["bets"]).is_empty());
    assert!(list(&sheet["insurance"]).iter().all(|entry| entry["side"] == "banker"));
    let sheet = json(&["hoiana-baccarat/commission", "--bet", "tie"]);
    assert_eq!((list(&sheet["bets"]).len(), list(&sheet["insurance"]).len()), (1, 0));
}

#[test]
fn bad_input_is_named() {
    const MBS: &str = "mbs-dragon-tiger";
    for (args, says) in [
        (vec!["no-game"], "there is no game `no-game`"),
        (vec![MBS, "--bet", "lucky-6"], "has no bet `lucky-6`; it has player, banker"),
        (vec![MBS, "--bet", "banker-insurance"], "has no bet `banker-insurance`"),
        (vec![MBS, "--decks", "0"], "--decks"),
        (vec![MBS, "--decks", "11"], "--decks"),
        (vec![MBS, "--decks", "x"], "--decks"),
        (vec![MBS, "--decks", "1", "--without", "8S 8S"], "there is no 8S left"),
        (vec![MBS, "--without", "8X"], "unknown suit `X`"),
        (vec![MBS, "--shoe", "1,2,3"], "13 counts, from ace to king; here are 3"),
        (vec![MBS, "--shoe", "1,2,3,4,5,6,7,8,9,10,11,12,13,14"], "here are 14"),
        (vec![MBS, "--shoe", "41,0,0,0,0,0,0,0,0,0,0,0,0"], "`41` is no count"),
        (vec![MBS, "--shoe", "x,0,0,0,0,0,0,0,0,0,0,0,0"], "`x` is no count"),
        (vec![MBS, "--shoe", "0,0,0,0,0,0,0,0,5,0,0,0,0"], "a round can take 6 cards; only 5 are left"),
        (vec![MBS, "--shoe", "0,9,9,9,9,9,9,9,9,9,9,9,9", "--without", "AS"], "there is no AS left"),
        (vec![MBS, "--shoe", "4,4,4,4,4,4,4,4,4,4,4,4,4", "--decks", "1"], "cannot be used with"),
        (vec![MBS, "--all-decks", "--decks", "1"], "cannot be used with"),
        (vec!["hoiana-niu-niu", "--decks", "2"], "Niu Niu is dealt from one deck (NN 4.1)"),
        (vec!["hoiana-niu-niu", "--shoe", "5,4,4,4,4,4,4,4,4,4,4,4,4"], "here are 5 of rank"),
        (vec!["hoiana-niu-niu", "--shoe", "0,0,0,0,0,0,0,0,0,0,1,4,4"], "only 9 are left"),
    ] {
        let ran = croupier(&[&["odds"], args.as_slice()].concat(), "");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(says), "{args:?} says {:?}", ran.err);
    }
}

/// The cells of a CSV row; quotes are doubled inside quotes.
fn cells(row: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for letter in row.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            letter => cells.last_mut().unwrap().push(letter),
        }
    }
    assert!(!quoted, "{row}");
    cells
}

#[test]
fn csv_has_a_row_for_each_line_and_situation() {
    for game in GAMES {
        let (csv, sheet) = (accepted(&[game, "--format", "csv"]), json(&[game]));
        let rows: Vec<Vec<String>> = csv.lines().map(cells).collect();
        assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{game}");
        let lines: usize = list(&sheet["bets"]).iter().map(|bet| list(&bet["lines"]).len()).sum();
        let categories = sheet.get("categories").map_or(0, |categories| list(categories).len());
        assert_eq!(rows.len(), 1 + lines + list(&sheet["insurance"]).len() + categories, "{game}");
        let place = |name: &str| rows[0].iter().position(|cell| cell == name).unwrap();
        let first = &sheet["bets"][0];
        assert_eq!(rows[1][place("edge")], text(&first["edge"]));
        assert_eq!(rows[1][place("ways")], text(&first["lines"][0]["ways"]));
    }
    assert!(accepted(&["mbs-dragon-tiger", "--all-decks", "--format", "csv"]).lines().count() > 100);
}

/// Every element is closed in order, and nothing is fetched from anywhere.
#[test]
fn html_stands_alone() {
    for game in GAMES {
        let page = accepted(&[game, "--format", "html"]);
        for foreign in ["http:", "https:", "src=", "href=", "url(", "@import", "<script", "<link"] {
            assert!(!page.contains(foreign), "{game}: {foreign}");
        }
        let body = page.split_once("</style>").unwrap().1;
        let mut open: Vec<&str> = vec!["html", "head"];
        for tag in body.split('<').skip(1) {
            let tag = tag.split_once('>').expect("a tag ends").0;
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "{game}");
            } else if !tag.ends_with('/') {
                open.push(tag.split(' ').next().unwrap());
            }
        }
        assert!(open.is_empty(), "{game}: {open:?}");
        assert!(page.contains("<svg") && page.contains("@media print"));
        assert_eq!(page.contains("Edge by number of decks"), game != "hoiana-niu-niu");
    }
}

#[test]
fn all_decks_as_a_table() {
    let printed = accepted(&["horseshoe-dragon-bonus", "--all-decks"]);
    let tie = printed.lines().find(|line| line.starts_with("tie ")).unwrap();
    assert_eq!(tie.split_whitespace().count(), 11);
    assert!(tie.contains("14.3596%"), "{tie}");
}

/// The joint distribution of both hands adds up to all deals, and its margins to the hands by category.
#[test]
fn niu_niu_has_the_joint_distribution() {
    let ran = croupier(&["odds", "hoiana-niu-niu", "--format", "json"], "");
    let sheet: Value = serde_json::from_str(&ran.out).unwrap();
    let ways = |entry: &Value| entry["ways"].as_str().unwrap().parse::<u64>().unwrap();
    let joint = sheet["joint"].as_array().unwrap();
    assert_eq!(joint.len(), 13 * 12 + 2 * 13);
    assert_eq!(joint.iter().map(ways).sum::<u64>(), 3_986_646_103_440);
    let nine: u64 = joint.iter().filter(|entry| entry["hand"] == "niu-9").map(ways).sum();
    assert_eq!(nine, 171_288 * 1_533_939, "hands of the box times those that 47 cards leave the Dealer");
}
