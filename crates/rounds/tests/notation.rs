//! The notation: what is understood, what is refused and how, and that printing and parsing agree.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use croupier_rounds::{RoundFile, run};
use croupier_rules::Library;
use proptest::prelude::*;

/// Every form of a line and of an expectation, each as it is printed.
const FORMS: &str = include_str!("data/forms.txt");

fn faults(text: &str) -> Vec<String> {
    RoundFile::parse(text).unwrap_err().iter().map(ToString::to_string).collect()
}

/// The errors and failures of a run, as `line: text`.
fn outcome(text: &str) -> Vec<String> {
    let report = run(&Library::standard(), &RoundFile::parse(text).unwrap());
    let errors = report.errors.iter().map(|(line, error)| format!("{line}: {error}"));
    let failures = report.failures().map(|check| {
        format!(
            "{}: expected {}, got {}",
            check.line,
            check.expected,
            check.got.as_deref().unwrap_or_default()
        )
    });
    errors.chain(failures).collect()
}

#[test]
fn every_faulty_line_is_reported_with_its_column() {
    let text = "game hoiana-baccarat/commission\n\
                round one\n\
                ann bets banker -5\n\
                ann bets banker 0\n\
                ann bets banker 1.005\n\
                ann bets banker 99999999999999\n\
                ann bets banker\n\
                Ann bets banker 5\n\
                dealer bets banker 5\n\
                cards 9C 1S\n\
                cards\n\
                ann insures tie 5\n\
                sing a song\n\
                ann bets banker 5 => much\n\
                => +5\n\
                ann bets even 5 on dealer\n\
                hand box0 KS\n";
    let found = faults(text);
    let places: Vec<&str> = found.iter().map(|fault| fault.split(": ").next().unwrap()).collect();
    assert_eq!(
        places,
        [
            "2:1", "3:17", "4:17", "5:17", "6:17", "7:1", "8:1", "9:1", "10:10", "11:1", "12:13", "13:1",
            "14:22", "15:1", "16:20", "17:6"
        ]
    );
    assert_eq!(found[1], "3:17: `-5` must be above zero");
    assert_eq!(found[3], "5:17: `1.005` has more decimals than its currency; write at most two decimals");
    assert!(found[4].contains("larger than the largest amount"), "{}", found[4]);
    assert!(found[8].contains("`1S`: unknown rank"), "{}", found[8]);
}

/// One wrong line each: the column, and a part of what would be accepted.
#[test]
fn a_wrong_form_says_where_and_what_would_be_accepted() {
    for (line, column, says) in [
        ("title", 1, "`title TEXT`"),
        ("game", 1, "`game ID`"),
        ("game a b", 1, "`game ID`"),
        ("proves", 1, "`proves CLAUSE, CLAUSE, …`"),
        ("proves \"App K", 8, "the quote is not closed"),
        ("layout", 1, "`layout ID`"),
        ("setting burn", 1, "`setting KEY VALUE`"),
        ("version", 1, "`version TEXT`"),
        ("date", 1, "`date YYYY-MM-DD`"),
        ("date 1 2", 1, "`date YYYY-MM-DD`"),
        ("player ann", 1, "`player NAME seat NUMBER`, `player NAME behind NUMBER` or `player NAME standing`"),
        ("player ann seat 0", 17, "`0` is not a seat; write a number from 1 to 255"),
        ("player ann behind x", 19, "`x` is not a seat"),
        ("player dealer standing", 8, "`dealer` is a word of the notation"),
        ("player nobody standing", 8, "`nobody` is a word of the notation"),
        ("round by foot", 1, "`round` or `round by hand`"),
        ("shoe is old", 1, "`shoe is empty`, `shoe is new` or `shoe by hand`"),
        ("hand box1", 1, "`hand box1 KS 4H …`"),
        ("hand banker 9C", 6, "write `dealer` or `box1`, `box2`, …"),
        ("dealer calls north", 14, "accepted: `player`, `banker` or `tie`"),
        ("ann insures banker", 1, "`NAME insures banker|player AMOUNT`"),
        ("ann bets banker 5 of", 19, "accepted: `for NAME`, `on boxN`, `at seat N`"),
        ("ann bets even 5 on seat", 20, "write `box1`, `box2`, …"),
        ("ann bets banker 5 at seat x", 27, "`x` is not a seat"),
        ("ann bets even 5 with reserve x", 30, "`x`"),
        ("dealer bets banker 5 for Ann", 26, "use lower-case letters"),
        ("Ann opens betting", 1, "`Ann` is not somebody who acts"),
        ("dealer", 1, "a line is one of `game ID`"),
        ("ann whistles", 1, "with one of these verbs: accepts, agrees, allows"),
        ("ann sings", 5, "`sings` is not understood; did you mean `signs`?"),
        ("dealer opens", 8, "accepted with `opens`: `opens betting`, `opens player|banker [as CARDS]`"),
        ("dealer opens tie", 14, "accepted: `player` or `banker`"),
        ("dealer opens banker as 1S", 24, "`1S`: unknown rank"),
        ("dealer closes", 8, "`closes the table with AMOUNT`, `closes betting`, `closes insurance`"),
        ("dealer loads the green deck", 8, "`loads the red deck`, `loads the blue deck`"),
        ("dealer burns", 8, "`burns NUMBER`, `burns CARDS`"),
        ("dealer burns some", 14, "`some`"),
        (
            "dealer counts few cards left",
            15,
            "`few` is not a number that fits here; write a small whole number",
        ),
        ("dealer draws", 1, "expected `draws CARD`"),
        ("dealer draws 9C onto tie", 22, "accepted: `player` or `banker`"),
        ("dealer draws 9C twice", 1, "`draws CARD [onto player|banker] [exposed]`"),
        ("dealer draws 9C 8C together at last", 1, "`draws CARDS together [in order]`"),
        ("dealer corrects draw x to 9C", 22, "`x` is not a number"),
        ("display shows north", 15, "accepted: `player`, `banker` or `tie`"),
        ("ann takes back", 5, "`takes back BET [AMOUNT] [on boxN]`, `takes the device`"),
        ("ann takes back banker 0", 23, "must be above zero"),
        ("ann takes back even on seat", 24, "write `dealer` or `box1`"),
        ("ann takes back even on dealer", 1, "name a box"),
        ("ann takes back even on box1 now", 1, "`takes back BET [AMOUNT] [on boxN]`"),
        ("pit-manager chooses method D", 28, "accepted: A, B or C"),
        ("ann refuses tie", 13, "accepted: `player` or `banker`"),
        ("ann buys 5", 5, "`buys in AMOUNT`"),
        ("ann buys in 5.001", 13, "more decimals than its currency; write at most two decimals"),
        ("ann sits at x", 13, "`x` is not a number"),
        ("dealer reports", 1, "expected a report: foreign-card, unshuffled"),
        ("dealer reports rain", 16, "`rain` is not a report; accepted: foreign-card, unshuffled"),
        ("dealer reports carried-off tie", 28, "accepted: `player` or `banker`"),
        ("dealer reports exposed x", 24, "`x` is not a number"),
        (
            "pit-manager rules",
            13,
            "`rules REMEDY [with withdrawal] [for NAME] [order CARDS] [naming NAME] [because TEXT]`",
        ),
        ("pit-manager rules mercy", 19, "accepted: play-on, void, rebuild"),
        (
            "pit-manager rules void gently",
            1,
            "`rules REMEDY [with withdrawal] [for NAME] [order CARDS] [naming NAME] [because TEXT]`",
        ),
        ("pit-manager rules fix-order order 1S", 35, "`1S`: unknown rank"),
        ("dealer holds 2C", 1, "two cards are held: `holds 2C 3D`"),
        ("device deals seat1 KS", 14, "write `dealer` or `box1`"),
        ("ann handles dealer", 1, "name a box"),
        ("ann sets box1 as niu-10", 18, "accepted: "),
        ("pit-manager decides on rules", 1, "a decision rests on `rules CLAUSE`"),
        ("pit-manager decides on luck 7", 24, "`luck` is not a ground; accepted: `rules CLAUSE`"),
        ("pit-manager decides paying x to ann", 28, "`x`"),
        ("pit-manager tells the due time soon", 32, "`soon` is not a time in seconds"),
        (
            "pit-manager tells",
            13,
            "`tells the due time SECONDS`, `tells no due time TEXT`, `tells the right`",
        ),
        ("round =>", 9, "nothing is expected; write a gain or loss"),
        ("round => much", 10, "`much` is not an expectation"),
        ("round => void, much", 16, "`much` is not an expectation"),
        ("round => banker wins 6-7", 10, "the winner's count comes first"),
        ("round => banker wins 7-10", 10, "expected `banker wins 7-6`"),
        ("round => tie 7-6", 10, "in a tie both counts are the same"),
        ("round => phase", 10, "`phase PHASE`"),
        ("round => phase sleeping", 16, "`sleeping` is not a phase; accepted: shoe-loaded, ready"),
        ("round => irregular rain", 20, "`rain` is not an irregularity; accepted: foreign-card"),
        ("round => ruled mercy", 16, "`mercy` is not a remedy; accepted: play-on, void"),
        ("round => refused rain", 18, "`rain` is not a code; accepted: not-on-menu"),
        ("round => case lost", 15, "`lost` is not a state of a case; accepted: opened, first-line"),
        ("round => ann has much", 10, "`NAME has AMOUNT`"),
        ("round => ann squeezes tie", 10, "`NAME|nobody squeezes HAND`"),
        ("round => missing", 10, "`missing CARDS`"),
        ("round => missing 1S", 10, "`missing CARDS`"),
        ("round => board P X", 10, "`board P B V`"),
    ] {
        let found = RoundFile::parse(line).expect_err(line);
        assert_eq!(found.len(), 1, "{line}");
        let fault = &found[0];
        assert_eq!(fault.column, column, "{line}: {fault}");
        assert!(fault.message.contains(says), "{line}: {fault}");
    }
}

/// Each line prints as it stands.
#[test]
fn every_form_prints_as_it_is_written() {
    let mut forms = 0;
    for line in FORMS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match RoundFile::parse(line) {
            Ok(file) => assert_eq!(file.to_string().trim_end(), line),
            Err(faults) => panic!("{line}: {}", faults[0]),
        }
        forms += 1;
    }
    assert!(forms > 150, "{forms}");
}

#[test]
fn a_failed_expectation_shows_line_expected_and_got() {
    let text = "game hoiana-baccarat/commission\nround\nann bets banker 100 => +100, by 5.1.1\n\
                bob bets lucky-9 5 => accepted\ncards KC 3S 6D 4H => player wins 7-6, natural\n";
    assert_eq!(
        outcome(text),
        [
            "4: `lucky-9` is not on the menu of hoiana-baccarat/commission; accepted: banker, player, tie, banker-pair, \
             player-pair, lucky-6",
            "3: expected +100, got +95",
            "3: expected by 5.1.1, got by 2.1.2.1 4.5 6.1.2 6.1.2.1 5.1 5.1.2",
            "4: expected accepted, got refused not-on-menu",
            "5: expected player wins 7-6, got banker wins 7-6",
            "5: expected natural, got no natural",
        ]
    );
}

#[test]
fn what_cannot_be_meant_is_an_error() {
    for (text, error) in [
        ("round\n", "1: the file names no game; begin with `game ID`"),
        (
            "game chess\n",
            "1: there is no game `chess`; accepted: hoiana-baccarat/commission, hoiana-baccarat/non-commission, \
             hoiana-dragon-tiger/commission, hoiana-dragon-tiger/non-commission, mbs-dragon-tiger, \
             horseshoe-dragon-bonus, hoiana-niu-niu",
        ),
        ("game mbs-dragon-tiger\ngame mbs-dragon-tiger\n", "2: a file is played under one game"),
        (
            "game mbs-dragon-tiger\nann bets tie 5\n",
            "2: betting is not open; `round` opens it, or the opening call in a round by hand",
        ),
        (
            "game mbs-dragon-tiger\nround\npit-manager bets tie 5\ncards 9C KS KD 2H\n",
            "3: `pit-manager` is a rank of the staff; name the player otherwise",
        ),
        (
            "game mbs-dragon-tiger\nround\ncards 2C KS 3D 6H\n",
            "3: the last round is not finished: the player's third card is due; add the cards, or say \
             `shoe is empty`",
        ),
        (
            "game mbs-dragon-tiger\nround\ncards 9C KS KD\n",
            "3: the last round is not finished: it has fewer than four cards; add the cards, or say \
             `shoe is empty`",
        ),
        (
            "game mbs-dragon-tiger\nround\ncards 9C KS KD 2H 5C\n",
            "3: the last round is not finished: 5C on line 3 is one card too many: no hand may take it; say where it \
             lies: `dealer reports surplus on player` or `… on banker`, with `exposed` if it was seen",
        ),
        (
            "game mbs-dragon-tiger\nsetting chip 0.10\nround\ncards 9C KS KD 2H\n",
            "2: the smallest chip must be a whole multiple of 0.20, so that commission and half pay are exact; it is \
             0.10",
        ),
        (
            "game mbs-dragon-tiger\nsetting rounding up\nround\ncards 9C KS KD 2H\n",
            "2: `rounding` needs a `payable-unit`",
        ),
        (
            "game mbs-dragon-tiger\nround\nann bets tie 1.50\ncards 9C KS KD 2H\n",
            "3: a wager must be a whole number of chips of 1",
        ),
        (
            "game hoiana-niu-niu\nround\nann bets even 5 on box1\nhand box1 KS KS 2C 3C 4C\nhand dealer AC AD AH AS 2C\n",
            "5: play is on hold: KS on line 4 is the second of one; it awaits a ruling: `pit-manager rules void`, \
             `pit-manager rules play-on`",
        ),
    ] {
        let found = outcome(text);
        assert_eq!(found.first().map(String::as_str), Some(error), "{text}\n{found:?}");
    }
}

#[test]
fn a_refused_line_changes_nothing() {
    // The fifth card is one too many: play is on hold, so the sixth is refused, and the fifth with it.
    let text = "game mbs-dragon-tiger\nround\nann bets tie 10 => -10\n\
                cards 9C KS KD 2H 5C 6C => refused on-hold, phase bets-open\n\
                cards 9C KS KD 2H => player wins 9-2\n";
    assert_eq!(outcome(text), [""; 0]);
}

#[test]
fn comments_blank_lines_and_byte_order_marks_are_kept_apart() {
    let text = "\u{feff}# head\n\ngame mbs-dragon-tiger   # which\nround\nann   bets tie 1000=>-1,000,  by 1.1.14# no\n";
    // A comment needs a blank before `#`.
    let text = text.replace("1.1.14# no", "1.1.14 # no");
    let file = RoundFile::parse(&text).unwrap();
    assert_eq!(
        file.to_string(),
        "# head\n\ngame mbs-dragon-tiger # which\nround\nann bets tie 1,000 => -1,000, by 1.1.14 # no\n"
    );
}

proptest! {
    #[test]
    fn parsing_never_panics(text in "\\PC{0,200}") {
        let _ = RoundFile::parse(&text);
    }

    #[test]
    fn what_parses_prints_to_the_same_file(
        lines in proptest::collection::vec(
            prop_oneof![
                Just("game hoiana-baccarat/commission".to_string()),
                Just("round".to_string()),
                Just("shoe is empty => void, by 7.2".to_string()),
                Just("proves \"App K\" 7.2, 3".to_string()),
                "[a-z]{1,5} bets [a-z-]{1,9} [0-9]{1,6}(\\.[0-9]{1,2})?( on box[1-9])?( => [+-][0-9]{1,5}, returned)?",
                "cards [2-9TJQKA][SHCD]( [2-9TJQKA][SHCD]){0,5}( => (tie 7-7|banker wins 8-2|natural|next nobody))?",
                "(#|  # ?)[a-z =>#]{0,20}",
                "setting [a-z-]{1,10} [a-z0-9:]{1,6}( [0-9]{1,4})?",
                "player [a-z]{1,4} (seat [1-9]|behind [1-9]|standing)",
                "[a-z]{1,4} bets banker [1-9]0( for [a-z]{1,4})?( on box[1-3])?( at seat [1-9])?( with reserve [1-9])?( in cash)?( untimed)?",
                proptest::sample::select(FORMS.lines().map(ToString::to_string).collect::<Vec<_>>()),
            ],
            0..12,
        )
    ) {
        if let Ok(file) = RoundFile::parse(&lines.join("\n")) {
            let printed = file.to_string();
            prop_assert_eq!(RoundFile::parse(&printed), Ok(file.clone()));
            let _ = run(&Library::standard(), &file);
        }
    }
}
