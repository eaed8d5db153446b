//! The notation: what is understood, what is refused and how, and that printing and parsing agree.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use croupier_rounds::{RoundFile, run};
use croupier_rules::Library;
use proptest::prelude::*;

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
    assert_eq!(found[3], "5:17: `1.005` has a fraction of a cent; write at most two decimals");
    assert!(found[4].contains("larger than the largest amount"), "{}", found[4]);
    assert!(found[8].contains("`1S`: unknown rank"), "{}", found[8]);
}

#[test]
fn a_failed_expectation_shows_line_expected_and_got() {
    let text = "game hoiana-baccarat/commission\nround\nann bets banker 100 => +100, by 5.1.1\n\
                bob bets lucky-9 5 => accepted\ncards KC 3S 6D 4H => player wins 7-6, natural\n";
    assert_eq!(
        outcome(text),
        [
            "4: `lucky-9` is not on the menu of hoiana-baccarat/commission; offered: banker, player, tie, \
             banker-pair, player-pair, lucky-6",
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
            "1: there is no game `chess`; there are hoiana-baccarat/commission, hoiana-baccarat/non-commission, \
             hoiana-dragon-tiger/commission, hoiana-dragon-tiger/non-commission, mbs-dragon-tiger, \
             horseshoe-dragon-bonus, hoiana-niu-niu",
        ),
        ("game mbs-dragon-tiger\ngame mbs-dragon-tiger\n", "2: a file is played under one game"),
        ("game mbs-dragon-tiger\nann bets tie 5\n", "2: no round is open; write `round` first"),
        (
            "game mbs-dragon-tiger\nround\npit-manager bets tie 5\ncards 9C KS KD 2H\n",
            "3: `pit-manager` is a rank of the staff; name the player otherwise",
        ),
        (
            "game mbs-dragon-tiger\nround\ncards 2C KS 3D 6H\n",
            "3: the round before is not finished: the player's third card is due; add the cards, or say \
             `shoe is empty`",
        ),
        (
            "game mbs-dragon-tiger\nround\ncards 9C KS KD 2H 5C => refused surplus-card\n",
            "3: the round before is not finished: it has fewer than four cards; add the cards, or say \
             `shoe is empty`",
        ),
        (
            "game mbs-dragon-tiger\nsetting chip 0.10\nround\ncards 9C KS KD 2H\n",
            "3: the smallest chip must be a whole multiple of 0.20, so that commission and half pay are exact; \
             it is 0.10",
        ),
        (
            "game mbs-dragon-tiger\nsetting rounding up\nround\ncards 9C KS KD 2H\n",
            "3: a rounding needs a unit: `setting payable-unit AMOUNT`",
        ),
        (
            "game mbs-dragon-tiger\nround\nann bets tie 1.50\ncards 9C KS KD 2H\n",
            "3: a wager must be a whole number of chips of 1",
        ),
        (
            "game mbs-dragon-tiger\nround\nann bets tie 90,071,992,547,409\nann bets tie 1\ncards 9C KS KD 2H\n",
            "4: this wager would be larger than the largest amount, 90,071,992,547,409.91",
        ),
        (
            "game hoiana-niu-niu\nround\nann bets even 5 on box1\nhand box1 KS KS 2C 3C 4C\nhand dealer AC AD AH AS 2C\n",
            "4: KS comes more often than one deck holds",
        ),
    ] {
        let found = outcome(text);
        assert_eq!(found.first().map(String::as_str), Some(error), "{text}\n{found:?}");
    }
}

#[test]
fn a_refused_line_changes_nothing() {
    let text = "game mbs-dragon-tiger\nround\nann bets tie 10 => -10\ncards 9C KS KD 2H 5C => refused surplus-card\n\
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
