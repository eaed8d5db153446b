//! What a pit manager is told when a file goes wrong: each message whole, in the order in which it is shown.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use croupier_rounds::{Action, RoundFile, run};
use croupier_rules::Library;

/// Everything that is told about a file, one `LINE: MESSAGE` a line; `LINE:COLUMN: MESSAGE` where it cannot be read.
fn told(text: &str) -> String {
    let library = Library::standard();
    let lines: Vec<String> = match RoundFile::parse_under(text, &library) {
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
        Ok(file) => {
            let problems = run(&library, &file).problems();
            problems.iter().map(|problem| format!("{}: {}", problem.line, problem.message)).collect()
        }
    };
    lines.join("\n")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(told(text), expected, "\n{text}");
}

/// What each line of a file prints, as `LINE: WHAT`.
fn printed(text: &str) -> String {
    let file = RoundFile::parse(text).unwrap();
    let report = run(&Library::standard(), &file);
    let problems: Vec<String> = report.problems().iter().map(|problem| problem.message.clone()).collect();
    assert!(report.passed(), "{problems:?}\n{text}");
    let mut lines = Vec::new();
    for (at, (statement, events)) in file.statements.iter().zip(&report.events).enumerate() {
        let said = events.iter().filter_map(|event| report.tell(event, statement.action.as_ref()));
        lines.extend(said.map(|said| format!("{}: {said}", at + 1)));
    }
    lines.join("\n")
}

const HOIANA: &str = "game hoiana-baccarat/commission\n";
const MBS: &str = "game mbs-dragon-tiger\n";

#[test]
fn an_unfinished_file_shows_what_failed_and_the_first_line_that_went_wrong_first() {
    check(
        &format!(
            "{HOIANA}round\nann bets banker 1,000 => +950\nann bets tie 10 => refused\ncards KC 3S 2D 2H => phase result\n"
        ),
        "4: expected refused, got no refusal: it was accepted\n\
         5: expected phase result, got phase insurance-one\n\
         5: the last round is not finished: the player's third card is due; add the cards, or say `shoe is empty`\n\
         3: expected +950, got no wager of this line was settled",
    );
}

#[test]
fn what_a_refused_line_expected_is_not_told_as_well() {
    check(
        &format!("{HOIANA}round\nann bets lucky6 100 => +100, by 5.1.2\ncards KC 3S 6D 4H => tie 7-7\n"),
        "3: `lucky6` is not on the menu of hoiana-baccarat/commission; did you mean `lucky-6`?\n\
         4: expected tie 7-7, got banker wins 7-6",
    );
}

#[test]
fn what_shows_at_settlement_comes_after_what_went_wrong_before() {
    // The wager of line 3 is paid on line 5; line 4 went wrong before that.
    check(
        &format!(
            "{HOIANA}round\nann bets banker 1,000 => +1,000\nann bets tie 10 => refused\ncards KC 3S 6D 4H\n"
        ),
        "4: expected refused, got no refusal: it was accepted\n3: expected +1,000, got +950",
    );
}

#[test]
fn a_card_that_is_there_too_often_is_named_with_its_line() {
    // Eight decks hold eight of each card; four rounds take two 9C each.
    let four = "round\ncards 9C 9C KD KH\n".repeat(4);
    check(&format!("{HOIANA}{four}"), "");
    // Where it voids the round at once, and where somebody rules.
    check(
        &format!("{HOIANA}{four}round\ncards 9C => player wins 9-0\n"),
        "11: expected player wins 9-0, got no result: 9C on line 11 is the ninth of eight",
    );
    check(
        &format!("{HOIANA}{four}round\ncards KD 9C 3S 2H\n"),
        "11: 9C on line 11 is the ninth of eight: it ends the round, and what follows it belongs to none",
    );
    // On a later line it is still the reason, and so it is for the money.
    check(
        &format!("{HOIANA}{four}round\nann bets tie 10 => +80\ncards KD 9C\ncards 3S\n"),
        "11: expected +80, got 0, returned: 9C on line 12 is the ninth of eight\n\
         13: 9C on line 12 is the ninth of eight: it ends the round, and what follows it belongs to none",
    );
    let bonus = "game horseshoe-dragon-bonus\n";
    let rulings = "it awaits a ruling: `shift-manager rules void`, `shift-manager rules play-on`, \
                   `shift-manager rules play-on with withdrawal`";
    check(
        &format!("{bonus}{four}round\ncards 9C\n"),
        &format!("11: the last round is not finished: 9C on line 11 is the ninth of eight; {rulings}"),
    );
    check(
        &format!("{bonus}{four}round\ncards KD 9C 3S 2H\n"),
        &format!("11: play is on hold: 9C on line 11 is the ninth of eight; {rulings}"),
    );
    // Six decks hold six.
    let three = "round\ncards 9C 9C KD KH\n".repeat(3);
    check(
        &format!("{MBS}setting decks 6\n{three}round\ncards 9C => player wins 9-0\n"),
        "10: expected player wins 9-0, got no result: 9C on line 10 is the seventh of six",
    );
}

#[test]
fn a_card_that_no_hand_may_take_is_named_and_its_place_asked_for() {
    let text = format!("{MBS}round\ncards KC 3S 6D 4H 2C\n");
    check(
        &text,
        "3: the last round is not finished: 2C on line 3 is one card too many: no hand may take it; say where it \
         lies: `dealer reports surplus on player` or `… on banker`, with `exposed` if it was seen",
    );
}

#[test]
fn the_end_of_a_rank_names_it() {
    check(
        &format!("{HOIANA}round\ncards 9C KS KD 6H\ndirector rules void\n"),
        "4: nobody called `director` is at the table; did you mean `assistant-director`?",
    );
}

#[test]
fn a_card_too_many_has_no_clause_before_its_place_is_known() {
    let text = format!(
        "{HOIANA}round by hand\ndealer opens betting\ncards 9C KS KD 6H\ndealer draws 2S\n\
         dealer reports surplus on banker\ndealer settles\n"
    );
    let told = printed(&text);
    assert!(told.contains("5: irregular: a card too many; where it lies decides what follows\n"), "{told}");
    assert!(!told.contains("5: irregular: surplus-on-player"), "{told}");
    check(
        &format!("{HOIANA}round\ncards 9C KS KD 6H\ndealer reports surplus on banker exposed\n"),
        "4: surplus-on-banker-exposed cannot be reported here: no card waits for its place; a card too many is told \
         as it is drawn, as `dealer draws 2C onto player`",
    );
}

#[test]
fn who_has_no_choice_is_told_why() {
    let named = format!(
        "{HOIANA}round\nann bets player 100\nbob bets banker 100\ncards 4C\ndealer draws 9D onto player\n\
         shift-manager rules rebuild with withdrawal for ann because she was pushed\n"
    );
    let end = "ann stays\ncards 3H KS\n";
    check(&format!("{named}bob withdraws\n{end}"), "8: the ruling gives the choice to others, and says why");
    check(&format!("{named}cho withdraws\n{end}"), "8: the player has no wager in the round");
}

#[test]
fn misspelt_names_are_told_beside_lines_that_cannot_be_read() {
    let text = format!(
        "{HOIANA}round\nann bets bankr 100\nann betts banker 100\npit-manger rules void\nbob insurs banker 5\n\
         ann bets lucky6 5 => refused\ndealr closes betting\nann withdraws\n"
    );
    check(
        &text,
        "3:10: `bankr` is not on the menu of hoiana-baccarat/commission; did you mean `banker`?\n\
         4:5: `betts` is not understood; did you mean `bets`?\n\
         5:1: nobody called `pit-manger` is at the table; did you mean `pit-manager`?\n\
         6:5: `insurs` is not understood; did you mean `insures`?\n\
         8:1: nobody called `dealr` is at the table; did you mean `dealer`?",
    );
    // Without a game nobody knows which names there are.
    check("round\nann bets bankr 100\nann betts 5\n", "3:5: `betts` is not understood; did you mean `bets`?");
}

#[test]
fn a_hold_names_people_who_may_rule() {
    check(
        &format!("{HOIANA}round\ncards 4C\ndealer draws 9D onto player\n"),
        "4: the last round is not finished: wrong-order on line 4 holds play; it awaits a ruling: \
         `dealer rules rebuild`, `shift-manager rules rebuild with withdrawal`",
    );
}

#[test]
fn what_a_table_does_not_have_is_told_with_what_to_say_instead() {
    let squeeze = format!(
        "{HOIANA}setting squeeze on\nplayer ann seat 1\nround\nann bets banker 100\nann asks to squeeze\n\
         dealer hands banker to ann\ncards KC KS 7D 8H\n"
    );
    check(
        &squeeze,
        "7: only under method C the cards go from player to player; whoever squeezes has them, and a hand in the \
         wrong hands is reported, as `reports banker handed to ann`",
    );
    check(
        &format!("{HOIANA}round\ncards 9C KS KD 6H\ndealer reports carried-off box2\n"),
        "4: baccarat has no boxes; tell the hand, as `reports carried-off player`",
    );
}

#[test]
fn cards_condemned_before_a_round_void_none() {
    let text = format!(
        "{HOIANA}round by hand\ndealer opens betting\nann bets player 100\ndealer reports foreign-card\n\
         pit-manager replaces the shoe\ndealer shuffles\ndealer cuts\ndealer burns 1\n\
         cards 9C KS KD 2H\ndealer settles\n"
    );
    let told = printed(&text);
    assert!(told.contains("5: the cards must be replaced\n"), "{told}");
    assert!(!told.contains("void"), "{told}");
}

#[test]
fn in_niu_niu_a_card_is_there_once() {
    check(
        "game hoiana-niu-niu\nround\nann bets even 100 on box1\nhand box1 KS 4H 6C 2D 7S\nhand dealer KS TH QC 8D 9S\n",
        "5: the last round is not finished: KS on line 5 is the second of one; it awaits a ruling: \
         `pit-manager rules void`, `pit-manager rules play-on`",
    );
}

#[test]
fn limits_that_cross_are_told_once_where_they_stand() {
    let round = "round\nann bets banker 100 => +95\ncards KC 3S 6D 4H\n";
    for settings in
        ["setting minimum 1,000\nsetting maximum 500\n", "setting maximum 500\nsetting minimum 1,000\n"]
    {
        // No wager is measured by one of the two.
        for rounds in ["", round] {
            let told = told(&format!("{HOIANA}{settings}{rounds}"));
            assert_eq!(told, "3: the minimum 1,000 is above the maximum 500");
        }
    }
    // Expected, it is no error; and limits that a later line puts right were never wrong.
    check(&format!("{HOIANA}setting maximum 500\nsetting minimum 1,000 => refused setting\n{round}"), "");
    check(
        &format!("{HOIANA}setting minimum 100\nsetting maximum tie 50\nsetting minimum tie 10\n{round}"),
        "",
    );
    check(
        &format!("{HOIANA}setting chip 0.30\n{round}"),
        "2: the smallest chip must be a whole multiple of 0.20, so that commission and half pay are exact; it is 0.30",
    );
    check(&format!("{HOIANA}setting rounding up\n"), "2: `rounding` needs a `payable-unit`");
}

#[test]
fn a_wrong_version_or_date_is_told_at_its_line_with_rounds_or_without() {
    let round = "round\nann bets player 100 => +100\ncards 9C 3S KD KH\n";
    let version = "2: version 03/01.01.2023 is not in force; the rulebook is 04/01.10.2024";
    let date = "2: 04/01.10.2024 is in force from 2024-10-01, not on 2024-09-30";
    for rounds in ["", round] {
        check(&format!("{HOIANA}version 03/01.01.2023\n{rounds}"), version);
        check(&format!("{HOIANA}date 2024-09-30\n{rounds}"), date);
        check(&format!("{HOIANA}date 2024-09-30 => refused setting, by 9.1\n{rounds}"), "");
        check(&format!("{HOIANA}date 2024-10-01\n{rounds}"), "");
    }
}

#[test]
fn a_day_that_there_is_not_is_refused() {
    for (day, fault) in [
        ("2024-13-01", "has month 13; there are 01 to 12"),
        ("2024-02-30", "has day 30; that month ends with 29"),
        ("2023-02-29", "has day 29; that month ends with 28"),
        ("2024-1-1", "is not a date; write it as YYYY-MM-DD, such as 2024-10-01"),
    ] {
        check(&format!("{HOIANA}date {day}\n"), &format!("2:6: `{day}` {fault}"));
    }
    check(&format!("{HOIANA}date 2028-02-29\n"), "");
}

#[test]
fn an_insurance_limit_is_for_odds_that_a_line_pays() {
    check(
        &format!("{HOIANA}setting insurance-limit 99:1 500\n"),
        "2: `insurance-limit`: no insurance pays 99:1; accepted: 3:2, 2:1, 3:1, 4:1, 6:1, 7:1, 9:1",
    );
    check(&format!("{HOIANA}setting insurance-limit 3:1 500\n"), "");
}

#[test]
fn slips_of_the_hand_are_answered_with_what_was_meant() {
    for (line, answer) in [
        ("setings burn 3", "2:1: `setings` is not understood; did you mean `setting`?"),
        ("setting brun 3", "2: hoiana-baccarat has no setting `brun`; did you mean `burn`?"),
        ("setting squeeze onn", "2: `squeeze` cannot be `onn`; did you mean `on`?"),
        (
            "setting minimum bankr 5",
            "2: `bankr` is not a bet of hoiana-baccarat/commission; did you mean `banker`?",
        ),
        (
            "round\nann bets bankr 5",
            "3: `bankr` is not on the menu of hoiana-baccarat/commission; did you mean `banker`?",
        ),
        ("round\nann bests banker 5", "3:5: `bests` is not understood; did you mean `bets`?"),
        (
            "round\nann takes back tei",
            "3: `tei` is not a bet of hoiana-baccarat/commission; did you mean `tie`?",
        ),
        ("round\ndealer reprots jam", "3:8: `reprots` is not understood; did you mean `reports`?"),
        ("round\ndealer reports jamm", "3:16: `jamm` is not a report; did you mean `jam`?"),
        ("round\ndealer reports surplus", "3:1: expected `reports surplus on HAND [exposed]`"),
        ("round\npit-manager rules viod", "3:19: `viod` is not a remedy; did you mean `void`?"),
        (
            "round\npit-manger rules void",
            "3: nobody called `pit-manger` is at the table; did you mean `pit-manager`?",
        ),
        (
            "round\nacting-pit-manger rules void",
            "3: nobody called `acting-pit-manger` is at the table; did you mean `acting-pit-manager`?",
        ),
        (
            "round\npit-manager fills 100 seen by dealr",
            "3: `dealr` is not a rank of the staff; did you mean `dealer`?",
        ),
        (
            "player ann seat 1\nround\npit-manager removes anm banker",
            "4: `anm` is not at the table; did you mean `ann`?",
        ),
        ("round\ndealer opens bankr", "3:14: `bankr` is not a hand; did you mean `banker`?"),
        ("round\ncards 9C 9C KD KH => phase reult", "3:28: `reult` is not a phase; did you mean `result`?"),
        (
            "round\ncards 9C 9C KD KH => naturl",
            "3:22: `naturl` is not an expectation; did you mean `natural`?",
        ),
        ("round\nann bets tie 5 => refused lat", "3:27: `lat` is not a code; did you mean `late`?"),
        ("round\ncards 9C 9C KD KH => board", "3: expected board , got board t"),
        ("earlier ann hass 5", "2:13: `hass` is not understood after `earlier`; did you mean `has`?"),
        ("proves HB-Q99x", "2: expected clause HB-Q99x is cited, got the rulebook has no clause `HB-Q99x`"),
    ] {
        let told = told(&format!("{HOIANA}{line}\n"));
        assert_eq!(told.lines().next(), Some(answer), "{line}\n{told}");
    }
    check(
        "game hoiana-bacarat/commission\n",
        "1: there is no game `hoiana-bacarat/commission`; did you mean `hoiana-baccarat/commission`?",
    );
}

#[test]
fn free_and_void_are_known_when_the_round_ends() {
    check(
        &format!("{HOIANA}round\nann bets tie 100\ncards KC 3S 2D 2H => free\ncards 9C => void\n"),
        "4: expected free, got nothing yet: the round does not end on this line (phase player-third)\n\
         5: expected void, got a result: Banker wins 5-1",
    );
}

/// A push is what other houses call a stand-off; the canonical word is the rulebooks'.
#[test]
fn a_push_is_a_stand_off() {
    let text = format!("{HOIANA}round\nann bets banker 100 => push\ncards KC 9S 9D KH => tie 9-9\n");
    check(&text, "");
    let printed = RoundFile::parse(&text).unwrap().to_string();
    assert!(printed.contains("ann bets banker 100 => stand-off"), "{printed}");
}

#[test]
fn no_more_is_taken_back_than_was_laid() {
    let text = |line: &str| {
        format!(
            "{HOIANA}round by hand\ndealer opens betting\nann bets banker 100\n{line}\ndealer closes betting\ncards KC 3S 6D 4H\ndealer settles\n"
        )
    };
    check(&text("ann takes back banker 101 => refused more-than-laid"), "");
    check(&text("ann takes back banker 101"), "5: 100 was laid; no more than that can be taken back");
    check(&text("ann takes back banker 100 => accepted"), "");
    check(&text("ann takes back tie => refused no-such-wager"), "");
}

#[test]
fn only_wagers_of_the_heavier_hand_are_removed() {
    let text = |line: &str| {
        format!(
            "{MBS}setting differential 1,000\nround by hand\ndealer opens betting\nann bets banker 2,000\nbob bets player 500\n\
             dealer asks to reduce\n{line}\npit-manager removes ann banker => accepted\ndealer closes betting\ncards KC 3S 6D 4H\ndealer settles\n"
        )
    };
    check(&text("pit-manager removes bob player => refused lighter-side"), "");
    check(
        &text("pit-manager removes bob player"),
        "8: only wagers on the banker hand exceed the differential; this one stays",
    );
    check(&text("pit-manager removes bob banker => refused no-such-wager"), "");
}

/// A rulebook without Free Hands never speaks of one, and the others only when one is due.
#[test]
fn a_free_hand_is_named_where_one_is_due() {
    check(
        "game mbs-dragon-tiger\nround by hand\ntable draws 9C\n",
        "3: not now, in phase ready: first open betting",
    );
    let due = "round by hand\ndealer opens betting\nann bets player 100\ndealer closes betting\ncards 9C 3S KD KH\n\
               dealer reports face-up\ndealer settles\ntable draws 9C\n";
    check(&format!("{HOIANA}{due}"), "9: not now, in phase free-hand: first deal the Free Hand");
}

#[test]
fn new_cards_and_rounding_are_told() {
    let text = format!("{HOIANA}round\nann bets tie 100\ncards 9C 9C KD KH\npit-manager replaces the shoe\n");
    assert_eq!(printed(&text), "3: wins +800\n4: Player 9, Banker 9\n4: tie 9-9\n5: shoe 2 is in the device");
    let text = format!(
        "{HOIANA}setting payable-unit 10\nsetting rounding down\nround\nann bets banker 150 => +140, rounding -2.50\n\
         bob bets banker 200 => +190, rounding 0\ncards KC 3S 6D 4H\n"
    );
    let printed = printed(&text);
    assert!(printed.contains("5: wins +140, rounded by -2.50\n6: wins +190\n"), "{printed}");
}

/// Whoever reads a file that ran sees on every line what was done.
#[test]
fn every_deed_of_the_scenarios_says_what_it_did() {
    let library = Library::standard();
    let mut silent = std::collections::BTreeSet::new();
    for scenario in croupier_rounds::scenarios::STANDARD {
        let file = scenario.file().unwrap();
        let report = run(&library, &file);
        for (at, (statement, events)) in file.statements.iter().zip(&report.events).enumerate() {
            let Some(action @ Action::Deed { .. }) = &statement.action else { continue };
            if !events.iter().any(|event| report.tell(event, Some(action)).is_some()) {
                silent.insert(format!("{}:{}: {}", scenario.path, at + 1, action.text(report.decimals)));
            }
        }
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn amounts_are_in_the_currency_of_the_file() {
    let round = "round\nann bets banker 500,000 => +475,000\ncards KC 3S 6D 4H\n";
    check(&format!("{HOIANA}currency VND decimals 0\n{round}"), "");
    check(
        &format!(
            "{HOIANA}currency VND decimals 0\nsetting minimum 100,000\nround\nann bets banker 50,000\ncards 9C 3S KD KH\n"
        ),
        "5: `banker` is below its minimum, 100,000",
    );
    check(
        &format!("{HOIANA}currency VND decimals 0\nround\nann bets banker 0.50\n"),
        "4:17: `0.50` has more decimals than its currency; write whole units",
    );
    check(
        &format!("{HOIANA}currency dong decimals 9\n"),
        "2:10: `dong` is not a currency; write three capital letters, such as VND",
    );
    check(
        &format!("{HOIANA}currency VND decimals 9\n"),
        "2:23: `9` is not a number of decimals; write 0 to 4",
    );
    check(
        &format!("{HOIANA}currency VND decimals 0\ncurrency USD decimals 2\n"),
        "3: the amounts of a file are in one currency",
    );
}

#[test]
fn what_cannot_be_reported_says_why_and_what_would_be_right() {
    let round = "round\n";
    for (lines, told) in [
        (
            "dealer reports surplus on player",
            "surplus-on-player cannot be reported here: no card waits for its place; a card too many is told as it is \
             drawn, as `dealer draws 2C onto player`",
        ),
        (
            "dealer reports no-burn",
            "no-burn-later cannot be reported here: this shoe was burned, or none is to be burned, or no card has left it",
        ),
    ] {
        let text = format!("{HOIANA}player ann seat 1\n{round}{lines}\ncards 9C 9C KD KH\n");
        check(&text, &format!("4: {told}"));
    }
    check(
        "game hoiana-niu-niu\nround\nann bets even 100 on box1\ndealer reports wrong-order\nhand box1 KS 4H 6C 2D 7S\nhand dealer JS TH QC 8D 9S\n",
        "4: dealt-out-of-turn cannot be reported here: no packet of this round is out",
    );
}

/// What is not done now is told with what the table waits for, which is so in each case.
#[test]
fn not_now_says_what_comes_first() {
    let closed = format!("{MBS}setting method A\nplayer ann seat 1\nround by hand\ndealer opens betting\n");
    check(
        &format!(
            "{closed}ann bets player 100\npit-manager chooses method B\npit-manager allows ann to squeeze player\n\
             dealer closes betting\ndealer closes betting\ndealer settles\ncards 9C 7S KD KH\ndealer settles\n\
             dealer opens betting\nann opens player\ndealer opens banker\ndealer asks to reduce\ndealer settles\n"
        ),
        "7: not now, in phase bets-open: first finish the round\n\
         8: not now, in phase bets-open: first deal the cards face down\n\
         10: not now, in phase bets-closed: first finish the round and open betting\n\
         11: not now, in phase bets-closed: first deal the first four cards\n\
         13: not now, in phase initial-reveal: first open the closed cards\n\
         14: not now, in phase initial-reveal: first finish the round\n\
         17: not now, in phase result: first wagers must exceed the differential",
    );
    check(
        "game hoiana-niu-niu\nround by hand\ndealer opens betting\nann bets even 100 on box1\ndealer closes betting\n\
         dealer counts the hands\ndevice deals box1 KS 4H 6C 2D 7S\ndevice deals dealer JS TH QC 8D 9S\n\
         dealer sets box1 as niu-9\ndealer counts the hands\ndealer settles\ndealer sets box1 as niu-9\n\
         dealer settles\ndealer opens the dealer hand\ndealer settles\n",
        "6: not now, in phase bets-closed: first deal the packets\n\
         9: not now, in phase count-check: first count the hands\n\
         11: not now, in phase arranging: first set the hands\n\
         13: not now, in phase verify: first open the Dealer's hand",
    );
}

#[test]
fn a_rank_of_another_rulebook_is_no_player() {
    check(
        &format!("{MBS}round by hand\nshift-manager opens betting\nassistant-director opens betting\n"),
        "3: MBS has no Shift Manager; did you mean `gaming-shift-manager`?\n\
         4: MBS has no Assistant Director, Table Games; its ranks are dealer, pit-supervisor, pit-manager, \
         assistant-casino-manager, gaming-shift-manager",
    );
}

#[test]
fn every_setting_that_does_not_fit_is_told() {
    check(
        &format!(
            "{MBS}setting decks 3\nsetting method Z\nsetting foo 3\nsetting burn 99\nplayer ann seat 20\nround\n"
        ),
        "2: `decks` cannot be `3`; accepted: a number from 4 to 10\n\
         3: `method` cannot be `Z`; accepted: A, B, C\n\
         4: mbs-dragon-tiger has no setting `foo`; accepted: layout, seats, area, decks, burn, cut-card, \
         rounds-after-cut-card, method, chip, minimum, maximum, wager-step, wagers-per-area, differential, \
         limits-at-entry, payable-unit, rounding, betting-seconds, option-seconds, below-minimum-scope, rank-order, \
         device-holder-order, device, differential-blocks, rank-absent\n\
         5: `burn` cannot be `99`; accepted: a number from 0 to 30\n\
         6: the table has 16 seats",
    );
}

#[test]
fn niu_niu_has_boxes_and_no_seats() {
    check(
        "game hoiana-niu-niu\nround by hand\ndealer opens betting\nann bets even 100 on box30\n\
         device deals box30 3S\n",
        "4: name a box from box1 to box7\n5: the table has 7 boxes",
    );
}

#[test]
fn a_slip_behind_a_known_verb_is_named() {
    check(
        &format!("{MBS}dealer opens beting\n"),
        "2:14: `beting` is not understood; did you mean `betting`?",
    );
    check(&format!("{MBS}dealer counts the hand\n"), "2:19: `hand` is not understood; did you mean `hands`?");
    check(
        &format!("{MBS}new shoe\n"),
        "2:1: not understood; did you mean one of `shoe is empty`, `shoe is new`, `shoe by hand`, `loads the shoe`, \
         `finds the shoe empty`, `replaces the shoe`?",
    );
}

#[test]
fn commission_that_is_owed_is_told_with_what_is_paid() {
    let text = "game horseshoe-dragon-bonus\nsetting commission-collection end-of-shoe\nround\n\
                ann bets banker 100 => +95, by DB-Q9\ncards KC 3S 6D 4H\n";
    assert!(
        printed(text).contains("wins +95: 100 is paid now, 5 of commission is owed"),
        "{}",
        printed(text)
    );
}

#[test]
fn an_earlier_line_tells_only_what_the_rulebook_has() {
    let tail = "round\nann bets player 100\ncards 9C 7S KD KH\n";
    check(&format!("{MBS}earlier free hand due\n{tail}"), "2: mbs-dragon-tiger has no Free Hand");
    check(&format!("{HOIANA}earlier board P b T\n{tail}"), "");
}
