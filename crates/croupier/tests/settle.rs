//! `croupier settle` as its users run it: round files and bulk settlement.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

mod common;

use common::croupier;
use serde_json::Value;

/// Settles lines in bulk; answers the exit code and one value a line.
#[track_caller]
fn bulk(lines: &[&str]) -> (Option<i32>, Vec<Value>) {
    let ran = croupier(&["settle", "--jsonl"], &lines.join("\n"));
    assert_eq!(ran.err, "");
    (ran.code, ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[track_caller]
fn one(line: &str) -> Value {
    let (_, answers) = bulk(&[line]);
    assert_eq!(answers.len(), 1);
    answers[0].clone()
}

#[track_caller]
fn error(line: &str, message: &str) {
    let answer = one(line);
    assert_eq!(answer["status"], "error", "{answer}");
    let got = answer["message"].as_str().unwrap();
    assert!(got.contains(message), "{got}");
}

#[test]
fn baccarat_in_its_documented_shape() {
    let line = r#"{"game":"hoiana-baccarat/commission","cards":["KC","3S","6D","4H"],"bets":{"banker":1000,"tie":7}}"#;
    let ran = croupier(&["settle", "--jsonl"], line);
    assert_eq!(
        ran.out,
        "{\"status\":\"settled\",\"winner\":\"banker\",\"player_points\":6,\"banker_points\":7,\"player_cards\":2,\
         \"banker_cards\":2,\"natural\":false,\"net\":{\"banker\":\"950/1\",\"tie\":\"-7/1\"},\"refused\":{}}\n"
    );
    assert_eq!(ran.code, Some(0));
}

#[test]
fn nets_are_exact_and_in_lowest_terms() {
    let net = |bet: u64| {
        let line = format!(
            r#"{{"game":"mbs-dragon-tiger","cards":["KC","3S","6D","4H"],"bets":{{"banker":{bet}}}}}"#
        );
        one(&line)["net"]["banker"].as_str().unwrap().to_string()
    };
    assert_eq!(net(1), "19/20");
    assert_eq!(net(20), "19/1");
    assert_eq!(net(21), "399/20");
    assert_eq!(net(9_007_199_254_740_991), "171136785840078829/20");
}

#[test]
fn insurance_counts_up_to_its_cap_over_both_windows() {
    // Banker 6 against Player 5: 3 to 1. 1000 is insured by 400 as by 1000/3.
    let lost = r#"{"game":"hoiana-baccarat/commission","cards":["2C","KS","3D","6H","TH"],"bets":{"banker":1000,"banker-insurance/four-cards":400}}"#;
    assert_eq!(one(lost)["net"]["banker-insurance/four-cards"], "-1000/3");
    let won = lost.replace("TH", "4H");
    assert_eq!(one(&won)["net"]["banker-insurance/four-cards"], "1000/1");
    // Banker 4 against Player 1 at four cards (3 to 2), then against 1 + 7 = 8: no line for the Banker.
    // Banker 6 against Player 4, then 4 + 7 = 1: 7 to 1, on the 400 that 200 at 3 to 1 leave uninsured.
    let both = r#"{"game":"hoiana-baccarat/commission","cards":["KC","KS","4D","6H","7H","9D"],"bets":{"banker":1000,"banker-insurance/four-cards":200,"banker-insurance/player-third":100}}"#;
    let answer = one(both);
    assert_eq!(answer["winner"], "banker", "{answer}");
    assert_eq!(answer["net"]["banker-insurance/four-cards"], "-200/1");
    assert_eq!(answer["net"]["banker-insurance/player-third"], "-400/7");
}

#[test]
fn what_was_not_on_offer_is_refused_and_nets_nothing() {
    let answer = one(
        r#"{"game":"hoiana-baccarat/commission","cards":["9C","3S","KD","KH"],"bets":{"banker":10,"small-tiger":5,"banker-insurance/four-cards":5,"player-insurance/player-third":5}}"#,
    );
    assert_eq!(answer["status"], "settled");
    for bet in ["small-tiger", "banker-insurance/four-cards", "player-insurance/player-third"] {
        assert_eq!(answer["net"][bet], "0/1", "{bet}");
        assert!(answer["refused"][bet].as_str().unwrap().contains("HB "), "{bet}: {answer}");
    }
    assert!(answer["refused"].get("banker").is_none());
}

/// HB 6.4.2, 6.4.3: cover on a Player 9 pays in the tie, in which earlier insurance pays nothing.
#[test]
fn insurance_of_a_nine_has_the_whole_wager() {
    let nine = r#"{"game":"hoiana-baccarat/commission","cards":["KC","KS","5D","4H","4D","5H"],"bets":{"player":1000,"player-insurance/four-cards":400,"player-insurance/player-third":100}}"#;
    let answer = one(nine);
    assert_eq!(answer["winner"], "tie");
    assert_eq!(answer["net"]["player-insurance/four-cards"], "0/1");
    assert_eq!(answer["net"]["player-insurance/player-third"], "900/1");
    let short = one(&nine.replace("5H", "TH"));
    assert_eq!(short["net"]["player-insurance/four-cards"], "-400/1");
    assert_eq!(short["net"]["player-insurance/player-third"], "-100/1");
    // 1000 / 9 count at the most.
    let more = one(&nine.replace("third\":100", "third\":112"));
    assert_eq!(more["net"]["player-insurance/player-third"], "1000/1");
    let more = one(&nine.replace("third\":100", "third\":112").replace("5H", "TH"));
    assert_eq!(more["net"]["player-insurance/player-third"], "-1000/9");
}

/// HB 6.4.3, HB-Q36: what counts is lost as it is won, and where nothing counts there is no insurance.
#[test]
fn insurance_over_the_cap_is_no_free_roll() {
    let round = |last: &str| {
        format!(
            r#"{{"game":"hoiana-baccarat/commission","cards":["2C","KS","3D","7H","{last}"],"bets":{{"banker":1,"banker-insurance/four-cards":1}}}}"#
        )
    };
    assert_eq!(one(&round("4H"))["net"]["banker-insurance/four-cards"], "1/1");
    assert_eq!(one(&round("TH"))["net"]["banker-insurance/four-cards"], "-1/4");
    // 300 at 3 to 1 insure 900 in full.
    let full = one(
        r#"{"game":"hoiana-baccarat/commission","cards":["KC","KS","4D","6H","7H","4D"],"bets":{"banker":900,"banker-insurance/four-cards":300,"banker-insurance/player-third":1}}"#,
    );
    assert_eq!(full["net"]["banker-insurance/four-cards"], "900/1");
    assert_eq!(full["net"]["banker-insurance/player-third"], "0/1");
    let refused = full["refused"]["banker-insurance/player-third"].as_str().unwrap();
    assert!(refused.contains("insured in full") && refused.contains("HB 6.4.3"), "{refused}");
}

#[test]
fn insurance_of_a_hand_without_a_wager_is_refused() {
    let answer = one(
        r#"{"game":"hoiana-baccarat/commission","cards":["2C","KS","3D","6H","TH"],"bets":{"player":10,"banker-insurance/four-cards":5}}"#,
    );
    assert_eq!(answer["net"]["banker-insurance/four-cards"], "0/1");
    assert!(answer["refused"]["banker-insurance/four-cards"].as_str().unwrap().contains("no banker wager"));
}

#[test]
fn too_few_cards_are_a_void_round() {
    for cards in [r#"[]"#, r#"["9C","3S","KD"]"#, r#"["2C","KS","3D","6H"]"#, r#"["2C","KS","3D","2H","4D"]"#]
    {
        let line = format!(
            r#"{{"game":"hoiana-baccarat/commission","cards":{cards},"bets":{{"banker":10,"tie":5}}}}"#
        );
        let answer = one(&line);
        assert_eq!(answer["status"], "void", "{cards}");
        assert_eq!(
            (answer["net"]["banker"].as_str(), answer["net"]["tie"].as_str()),
            (Some("0/1"), Some("0/1"))
        );
    }
}

#[test]
fn a_line_that_is_no_legal_round_is_an_error_and_the_stream_goes_on() {
    let good = r#"{"game":"mbs-dragon-tiger","cards":["KC","3S","6D","4H"],"bets":{"tie":1}}"#;
    let (code, answers) = bulk(&[good, "nonsense", "", good]);
    assert_eq!(code, Some(2));
    let statuses: Vec<&str> = answers.iter().map(|answer| answer["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["settled", "error", "settled"]);
    assert_eq!(answers[1]["line"], 2);
}

#[test]
fn a_line_is_bounded_and_the_next_one_is_read() {
    let good = r#"{"game":"mbs-dragon-tiger","cards":["KC","3S","6D","4H"],"bets":{"tie":1}}"#;
    let longest = format!("{good}{}", " ".repeat((1 << 20) - 1 - good.len()));
    let too_long = format!("{longest} ");
    let (code, answers) = bulk(&[&longest, &too_long, good]);
    let statuses: Vec<&str> = answers.iter().map(|answer| answer["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["settled", "error", "settled"]);
    assert_eq!(code, Some(2));
}

#[test]
fn bad_input_says_what_is_wrong() {
    let round = |cards: &str, bets: &str| {
        format!(r#"{{"game":"mbs-dragon-tiger","cards":[{cards}],"bets":{{{bets}}}}}"#)
    };
    let cards = r#""KC","3S","6D","4H""#;
    error(r#"{"game":"chess","cards":[],"bets":{}}"#, "there is no game `chess`");
    error(&round(r#""KC","3S","6D","1H""#, r#""tie":1"#), "card 4 `1H`");
    error(&round(r#""KC","3S","6D","4H","2C""#, r#""tie":1"#), "card 5 (2C) belongs to neither hand");
    error(&round(cards, r#""tei":1"#), "there is no bet `tei`");
    for stake in
        ["0", "-1", "1.5", "1e3", "9007199254740992", "18446744073709551616", "\"5\"", "null", "true", "{}"]
    {
        error(&round(cards, &format!(r#""tie":{stake}"#)), "");
    }
    assert_eq!(one(&round(cards, r#""tie":9007199254740991"#))["status"], "settled");
    error(&round(cards, r#""tie":1,"tie":2"#), "`tie` is there twice");
    error(&round(cards, r#""tie/four-cards":1"#), "no stage");
    error(
        r#"{"game":"hoiana-baccarat/commission","cards":["KC","3S","6D","4H"],"bets":{"banker-insurance":1}}"#,
        "needs its stage",
    );
    error(
        r#"{"game":"horseshoe-dragon-bonus","cards":["KC","3S","6D","4H"],"bets":{"dragon-bonus-player":1,"dragon-bonus-banker":1}}"#,
        "cannot lie beside",
    );
    error(r#"{"game":"mbs-dragon-tiger","bets":{"tie":1}}"#, "needs `cards`");
    error(r#"{"game":"mbs-dragon-tiger","cards":["KC"]}"#, "missing field `bets`");
}

#[test]
fn niu_niu_in_its_documented_shape() {
    let line = r#"{"game":"hoiana-niu-niu","hands":{"dealer":["KS","4H","6C","2D","7S"],"box1":["9C","5D","6H","AC","7D"],"box2":["TS","5H","5C","4D","6S"]},"bets":{"box1":{"even":1000,"double":500,"super-niu":100},"box2":{"even":100,"super-niu":50}}}"#;
    let ran = croupier(&["settle", "--jsonl"], line);
    assert_eq!(
        ran.out,
        "{\"status\":\"settled\",\"dealer\":\"niu-9\",\"boxes\":{\
         \"box1\":{\"hand\":\"niu-8\",\"result\":\"loss\",\"net\":{\"even\":\"-1000/1\",\"double\":\"-500/1\",\
         \"double-reserve\":\"-500/1\",\"super-niu\":\"-100/1\",\"super-niu-reserve\":\"-800/1\"}},\
         \"box2\":{\"hand\":\"niu-niu\",\"result\":\"win\",\"net\":{\"even\":\"100/1\",\"super-niu\":\"475/1\",\
         \"super-niu-reserve\":\"0/1\"}}}}\n"
    );
}

#[test]
fn niu_niu_bounds() {
    let line = |hands: &str, bets: &str| {
        format!(r#"{{"game":"hoiana-niu-niu","hands":{{{hands}}},"bets":{{"box1":{{{bets}}}}}}}"#)
    };
    let dealer = r#""dealer":["KS","4H","6C","2D","7S"]"#;
    let hands = format!(r#"{dealer},"box1":["9C","5D","6H","AC","7D"]"#);
    assert_eq!(one(&line(&hands, r#""even":100,"double":100"#))["status"], "settled");
    error(&line(&hands, r#""even":100,"double":101"#), "`double` may not exceed `even`");
    error(&line(&hands, r#""even":100,"super-niu":101"#), "`super-niu` may not exceed `even`");
    error(&line(&hands, r#""double":100"#), "`double` needs `even`");
    error(
        &line(&format!(r#"{dealer},"box1":["9C","5D","6H","KS","7D"]"#), r#""even":1"#),
        "KS is there twice",
    );
    error(&line(&format!(r#"{dealer},"box10":["9C","5D","6H","AC","7D"]"#), r#""even":1"#), "holds no hand");
}

/// NN 7.4 to 7.7 on a deal as it lies: one that nobody has handled and that cannot be put in order.
#[test]
fn niu_niu_hands_with_a_wrong_count() {
    let line = |hands: &str, bets: &str| {
        one(&format!(r#"{{"game":"hoiana-niu-niu","hands":{{{hands}}},"bets":{{{bets}}}}}"#))
    };
    let dealer = r#""dealer":["KS","4H","6C","2D","7S"]"#;
    let box1 = r#""box1":["9C","5D","6H","AC","7D"]"#;
    let bet1 = r#""box1":{"even":100,"double":100}"#;
    let both = r#""box1":{"even":100,"double":100},"box2":{"even":50}"#;

    // 7.4: four and six cards at a box with a bet void the round, five and one without do not.
    for cards in [r#""TS","5H","5C","4D""#, r#""TS","5H","5C","4D","6S","8S""#] {
        let void = line(&format!(r#"{dealer},{box1},"box2":[{cards}]"#), both);
        assert_eq!(void["status"], "void", "{cards}");
        assert!(void["reason"].as_str().unwrap().ends_with("cards instead of five (NN 7.4)"), "{void}");
        assert_eq!(void["boxes"]["box1"]["net"]["double-reserve"], "0/1");
        assert_eq!(void["boxes"]["box2"]["net"]["even"], "0/1");
        let dead = line(&format!(r#"{dealer},{box1},"box2":[{cards}]"#), bet1);
        assert_eq!(dead["boxes"]["box2"]["result"], "dead", "{cards}");
    }
    let five = line(&format!(r#"{dealer},{box1},"box2":["TS","5H","5C","4D","6S"]"#), both);
    assert_eq!(five["boxes"]["box2"]["net"]["even"], "50/1");

    // 7.5: the Dealer with none, four or six, whatever the boxes have.
    for cards in ["", r#""KS","4H","6C","2D""#, r#""KS","4H","6C","2D","7S","8S""#] {
        let void = line(&format!(r#"{box1},"dealer":[{cards}],"box3":["TS","5H","5C","4D","6S"]"#), bet1);
        assert_eq!(void["status"], "void", "{cards}");
        assert!(void["reason"].as_str().unwrap().ends_with("(NN 7.5)"), "{void}");
    }
    assert_eq!(line(box1, bet1)["status"], "void");

    // 7.6 and NN-Q14: cards on a box without a bet are dead, and the others are settled as they lie.
    let dead = line(&format!(r#"{dealer},{box1},"box2":["TS","5H","5C","4D","6S"]"#), bet1);
    assert_eq!(dead["status"], "settled");
    assert_eq!(dead["boxes"]["box1"]["net"]["even"], "-100/1");
    assert_eq!(
        dead["boxes"]["box2"].to_string(),
        r#"{"net":{},"reason":"the box has cards and no bet (NN 7.6, NN-Q14)","result":"dead"}"#
    );
    // A bet that is not on the menu makes no box a box in play.
    let refused =
        line(&format!(r#"{dealer},{box1},"box2":["TS"]"#), &format!(r#"{bet1},"box2":{{"tie":5}}"#));
    assert_eq!(refused["boxes"]["box2"]["result"], "dead");
    assert_eq!(refused["boxes"]["box2"]["net"]["tie"], "0/1");

    // 7.7.1: a box without cards alone goes back.
    for hands in [format!("{dealer},{box1}"), format!(r#"{dealer},{box1},"box2":[]"#)] {
        let skipped = line(&hands, both);
        assert_eq!(skipped["status"], "settled");
        assert_eq!(skipped["boxes"]["box1"]["net"]["even"], "-100/1");
        assert_eq!(
            skipped["boxes"]["box2"].to_string(),
            r#"{"net":{"even":"0/1"},"reason":"the box has no cards (NN 7.7.1)","result":"void"}"#
        );
    }
}

#[test]
fn a_round_file_passes_fails_or_is_bad() {
    let good =
        "game mbs-dragon-tiger\nround\nann bets banker 1,000 => +950, by 4.1/Banker\ncards KC 3S 6D 4H\n";
    let ran = croupier(&["settle", "-"], good);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("wins +950  [3.15 4.1 4.1/Banker]"), "{}", ran.out);
    assert!(ran.out.ends_with("-: passed, 2 expectations held\n"), "{}", ran.out);

    let ran = croupier(&["settle", "-"], &good.replace("+950", "+1,000"));
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("-:3: expected +1,000, got +950"), "{}", ran.out);

    let ran = croupier(&["settle", "-"], &good.replace("4H", "4H 2C"));
    assert_eq!(ran.code, Some(2));
    // No line is shown with its money: a bad file settles nothing.
    assert_eq!(
        ran.out,
        "-:4: the last round is not finished: 2C on line 4 is one card too many: no hand may take it; say where it \
         lies: `dealer reports surplus on player` or `… on banker`, with `exposed` if it was seen\n\
         -:3: expected +950, got no wager of this line was settled\n\
         -:3: expected by 4.1/Banker, got by 2.2.2 3.5\n"
    );

    let ran = croupier(&["settle", "-"], "game mbs-dragon-tiger\nround\nann bets tie x\ncards 1C\n");
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.out.lines().count(), 2, "{}", ran.out);
}

#[test]
fn every_file_runs_whatever_came_of_the_others() {
    let file = "scenarios/hoiana-baccarat/payout.round";
    let ran = croupier(&["settle", "--quiet", "no-such-file", file], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.contains("no-such-file: cannot be read"), "{}", ran.out);
    assert!(ran.out.ends_with("2 files: 1 passed, 0 failed, 1 bad\n"), "{}", ran.out);
}

#[test]
fn json_reports_name_lines_nets_and_clauses() {
    let text = "game mbs-dragon-tiger\nround\nann bets banker 1,000 => +1\ncards KC 3S 6D 4H\n";
    let ran = croupier(&["settle", "--format", "json", "-"], text);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(ran.code, Some(1));
    assert_eq!(report["status"], "failed");
    assert_eq!(report["failures"][0], serde_json::json!({ "line": 3, "expected": "+1", "got": "+950" }));
    let events = report["lines"][2]["events"].as_array().unwrap();
    let settled = events.iter().find(|event| !event["net"].is_null()).unwrap();
    assert_eq!(settled["net"], "950");
    assert_eq!(settled["says"], "wins +950");
    assert_eq!(settled["clauses"], serde_json::json!(["3.15", "4.1", "4.1/Banker"]));
}

/// Every line that does something tells what came of it, with the players' names; what the table does by
/// itself is not told.
#[test]
fn a_round_by_hand_is_told_in_plain_words() {
    let text = "game hoiana-baccarat/commission\nsetting squeeze on\nplayer ann seat 1\nshoe by hand\n\
                dealer loads the shoe\ndealer shuffles\nann cuts\ndealer burns 1\nround by hand\n\
                dealer opens betting\nann buys in 1,000\nann bets player 500\nbob bets banker 100\n\
                ann asks to squeeze\ndealer closes betting\ndealer draws KC\ncards 2S 8D 5H\nann opens player\n\
                dealer opens banker\ndealer settles\n";
    let ran = croupier(&["settle", "-"], text);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    for told in [
        "dealer loads the shoe  shoe 1 is in the device",
        "dealer shuffles        the cards are shuffled",
        "ann cuts               cut by ann",
        "dealer burns 1         1 card burned",
        "round by hand\n",
        "dealer opens betting   round 1: betting is open",
        "ann buys in 1,000      ann takes chips for 1,000",
        "ann asks to squeeze    ann squeezes, if still the highest when betting closes",
        "dealer closes betting  no more bets; ann squeezes the Player's hand",
        "dealer draws KC        KC goes to the Player's hand",
        "cards 2S 8D 5H\n",
        "ann opens player       ann opens the Player's hand",
        "dealer opens banker    the Dealer opens the Banker's hand",
        "dealer settles         the round is settled",
    ] {
        assert!(ran.out.contains(told), "{told}\n{}", ran.out);
    }
}

#[test]
fn a_line_is_an_object_and_a_mark_of_the_encoding_is_no_part_of_it() {
    for line in [
        r#"["hoiana-baccarat/commission",["9C","KS","8D","6H"],null,{"player":5}]"#,
        "[]",
        "5",
        "null",
        r#""x""#,
    ] {
        error(line, "a line is an object with `game`");
    }
    error(r#"{"game":"#, "column 8: EOF");
    let line = "\u{feff}{\"game\":\"mbs-dragon-tiger\",\"cards\":[\"KC\",\"3S\",\"6D\",\"4H\"],\"bets\":{\"tie\":1}}";
    assert_eq!(one(line)["net"]["tie"], "-1/1");
    let (code, answers) = bulk(&[&line[3..], line]);
    assert_eq!(
        (code, &answers[1]["status"]),
        (Some(2), &Value::from("error")),
        "only the text begins with it"
    );
}
