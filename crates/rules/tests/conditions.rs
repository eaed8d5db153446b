//! Conditions that ask for cards: what they mean, how they read, and what is refused.
#![expect(clippy::unwrap_used, clippy::panic, reason = "what cannot be had is a failed test")]

use croupier_cards::Card;
use croupier_rules::baccarat::{Deal, FinalHands, Outcome};
use croupier_rules::{Bet, BetSheet, Library, Payoff, When};
use proptest::prelude::*;

const SIDE_BETS: &str = include_str!("../../lab/tests/data/side-bets.toml");

fn sheet(text: &str) -> Vec<Bet> {
    BetSheet::parse(text, &Library::default()).unwrap_or_else(|faults| panic!("{faults}")).bets
}

/// A bet that wins on a condition.
fn one(when: &str) -> String {
    format!("[[bet]]\nid = \"x\"\npays = [{{ when = {{ {when} }}, odds = \"2:1\" }}]\notherwise = \"lose\"\n")
}

fn hands(cards: &str) -> FinalHands {
    let cards = croupier_cards::parse_cards(cards).unwrap();
    FinalHands::of(&Deal::from_draws(&cards).unwrap()).unwrap()
}

#[track_caller]
fn check(when: &str, words: &str, holds: &[&str], fails: &[&str]) {
    let bets = sheet(&one(when));
    let wins = |cards: &&&str| matches!(bets[0].pays.line(hands(cards)).unwrap().payoff, Payoff::Win { .. });
    assert_eq!(bets[0].pays.lines()[0].when.to_string(), words);
    assert_eq!(holds.iter().filter(wins).count(), holds.len(), "{when} holds");
    assert_eq!(fails.iter().filter(wins).count(), 0, "{when} fails");
}

/// In draw order: Player, Banker, Player, Banker, then third cards.
#[test]
fn what_conditions_mean() {
    check(
        "banker-initial-points = 3",
        "Banker on 3 with two cards",
        &["2H KD 3S 3C 8D"],
        &["2H KD 3S 4C 8D"],
    );
    check("player-card-3 = { rank = 8 }", "Player's third card 8", &["2H KD 3S 3C 8D"], &["9H KD KS 8C"]);
    check(
        "banker-card-3 = { colour = \"red\", value = 0 }",
        "Banker's third card red 10 or J or Q or K",
        &["KH 2D 6S 2C QH"],
        &["KH 2D 6S 2C QS", "KH 2D 6S 2C 9H", "2H KD 3S 3C 8D"],
    );
    check(
        "player-perfect-pair = true",
        "Player perfect pair",
        &["4C KS 4C 7H"],
        &["4C KS 4D 7H", "9C 4S KD 4S"],
    );
    check("player-perfect-pair = false", "no Player perfect pair", &["4C KS 4D 7H"], &["4C KS 4C 7H"]);
    check("banker-suited = true", "Banker's first two cards of one suit", &["9C KS KD 7S"], &["9C KS KD 7H"]);
    check("equal-pairs = true", "equal pairs", &["4C 4S 4D 4H"], &["4C 9S 4D 9H", "4C KS 4D 7H"]);
    check(
        "count = { rank = 8, times = \"2-3\" }",
        "2–3 × 8",
        &["8C 8S KD KH"],
        &["8C KS KD 7H", "8C 8S 8D 8H"],
    );
    check(
        "count = { suit = [\"spades\", \"clubs\"], times = 0, of = \"player\" }",
        "0 × black of the Player's",
        &["9H KS KD 7S"],
        &["9H KH KC 7D"],
    );
    check("every = { colour = \"red\" }", "every card red", &["9H KD KD 7H"], &["2H KD 3D 7H 4S"]);
    check("points-sum = [0, 18]", "both counts sum to 0, 18", &["9C 9S KD KH"], &["9C 8S KD KH"]);
    check(
        "any-of = [{ winner = \"tie\" }, { player-pair = true, banker-pair = true }]",
        "tie or (Player pair, Banker pair)",
        &["9C 9S KD KH", "4C 3S 4D 3H"],
        &["9C 8S KD KH"],
    );
    check(
        "winner = \"player\", not = { any-of = [{ player-points = 9 }, { player-cards = 3 }] }",
        "Player wins, not (Player on 9 or Player 3 cards)",
        &["8C 7S KD KH"],
        &["9C 7S KD KH", "2C KS KD 7H 6H"],
    );
}

/// A list of conditions side by side, and a nested one, mean what their parts mean.
#[test]
fn nested_lists() {
    check(
        "all-of = [{ winner = \"banker\" }, { any-of = [{ banker-points = 6 }, { not = { margin = \"0-4\" } }] }]",
        "Banker wins, (Banker on 6 or not (by 0–4))",
        &["KC KS 2D 8H", "KC KS 5D 6H KD"],
        &["KC KS 5D 7H KD", "9C KS KD 6H"],
    );
}

#[track_caller]
fn refused(text: &str, wanted: &[&str]) {
    let faults = BetSheet::parse(text, &Library::default()).unwrap_err().0;
    let found: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(found, wanted, "{text}");
}

#[test]
fn what_is_refused() {
    for (when, fault) in [
        (
            "playr-card-3 = { rank = 8 }",
            "3:20: `when` has no key `playr-card-3`; did you mean `player-card-3`?",
        ),
        ("player-card-3 = { rnak = 8 }", "3:38: a card has no key `rnak`; did you mean `rank`?"),
        ("player-card-1 = { rank = 1 }", "3:45: `1` is no rank; accepted: 2 to 10, "),
        ("player-card-1 = { suit = \"heart\" }", "3:45: `heart` is not known here; did you mean `hearts`?"),
        ("player-card-1 = { rank = \"B\" }", "3:45: `B` is no rank; accepted: "),
        (
            "every = { suit = \"spades\", colour = \"red\" }",
            "3:28: there is no such card: what is named leaves none",
        ),
        ("count = { rank = 8 }", "3:28: `count` needs `times`"),
        ("any-of = []", "3:29: an empty list says nothing; name at least one condition"),
        ("not = true", "3:26: expected a table: `not`, found boolean"),
        ("any-of = [{ winer = \"tie\" }]", "3:32: a condition has no key `winer`; did you mean `winner`?"),
        ("count = { rank = 8, times = 6 }", "3:9: bet `x`, line 1: no cards lead to `6 × 8`"),
        (
            "natural = true, player-card-3 = { value = \"0-9\" }",
            "3:9: bet `x`, line 1: no cards lead to `natural, Player's third card any`",
        ),
        ("player-perfect-pair = true, player-initial-points = 3", "3:9: bet `x`, line 1: no cards lead to "),
    ] {
        let faults = BetSheet::parse(&one(when), &Library::default()).unwrap_err().0;
        assert!(faults.iter().any(|found| found.to_string().starts_with(fault)), "{when}: {faults:?}");
    }
}

#[test]
fn lines_that_never_apply() {
    let bet = |lines: &str| format!("[[bet]]\nid = \"x\"\npays = [\n{lines}\n]\notherwise = \"lose\"\n");
    refused(
        &bet(
            "{ when = { player-pair = true }, odds = \"2:1\" },\n{ when = { equal-pairs = true }, odds = \"9:1\" },",
        ),
        &["5:1: bet `x`, line 2: `equal pairs` can never apply, its outcomes are taken before by `line 1`"],
    );
    refused(
        &bet("{ when = { every = { colour = \"red\" } }, odds = \"2:1\" },\n{ when = {}, odds = \"push\" },"),
        &["7:13: bet `x`: the lines answer every outcome, so `otherwise` never applies; remove it"],
    );
    // A line of the approved document that no cards lead to is told so, and checked.
    let eights = |times: u8| {
        format!("{{ when = {{ count = {{ rank = 8, times = {times} }} }}, odds = \"9:1\", never = true }},")
    };
    let one = "{ when = { count = { rank = 8, times = 1 } }, odds = \"1:1\" },\n";
    let bets = sheet(&bet(&format!("{one}{}", eights(6))));
    assert_eq!(bets[0].pays.lines().len(), 2);
    // Alone it makes no bet of the others that are settled by the class.
    let tie = "{ when = { winner = \"tie\" }, odds = \"8:1\" },\n";
    let bets = sheet(&bet(&format!("{tie}{}", eights(6))));
    assert!(matches!(bets[0].pays.line(hands("9C 9S KD KH").outcome()).unwrap().payoff, Payoff::Win { .. }));
    let faults = BetSheet::parse(&bet(&format!("{one}{}", eights(2))), &Library::default()).unwrap_err().0;
    assert!(faults[0].message.ends_with("leads to it; remove `never`"), "{}", faults[0]);
}

/// What would take too long to check and to price is refused, with what to do.
#[test]
fn a_bet_that_tells_too_much_apart() {
    let counts: Vec<String> =
        (2..=10).map(|rank| format!("{{ count = {{ rank = {rank}, times = 2 }} }}")).collect();
    let suits =
        ["spades", "hearts", "clubs"].map(|suit| format!("{{ count = {{ suit = \"{suit}\", times = 2 }} }}"));
    let faults = BetSheet::parse(
        &one(&format!("any-of = [{}, {}]", counts.join(", "), suits.join(", "))),
        &Library::default(),
    );
    let faults = faults.unwrap_err().0;
    assert!(
        faults[0].message.ends_with("2000000 at most; ask for fewer kinds of cards at once"),
        "{}",
        faults[0]
    );
}

#[test]
fn shares_of_winnings() {
    for (less, shown) in [
        ("5%", "1:1 less 5%"),
        ("2.5%", "1:1 less 2.5%"),
        ("1/40", "1:1 less 2.5%"),
        ("1/30", "1:1 less 1/30"),
    ] {
        let text = "[[bet]]\nid = \"x\"\npays = [{ when = { winner = \"tie\" }, odds = \"1:1\", less = \"L\" }]\n\
                    otherwise = \"lose\"\n";
        assert_eq!(sheet(&text.replace('L', less))[0].pays.lines()[0].payoff.to_string(), shown);
    }
}

proptest! {
    /// What a class tells of a condition holds for every round of the class, and the lines that it leaves open
    /// have the one that applies among them.
    #[test]
    fn a_class_never_tells_wrong(draws in proptest::collection::vec(0_usize..52, 6), few in 1_usize..52) {
        static BETS: std::sync::LazyLock<Vec<Bet>> = std::sync::LazyLock::new(|| sheet(SIDE_BETS));
        // From few different cards pairs and colours come up often.
        let cards: Vec<Card> = draws.iter().filter_map(|at| Card::from_index(at % few)).collect();
        let mut deal = Deal::default();
        let mut cards = cards.into_iter();
        while deal.due().is_some() {
            deal.draw(cards.next().unwrap()).unwrap();
        }
        let hands = FinalHands::of(&deal).unwrap();
        let outcome: Outcome = hands.outcome();
        prop_assert_eq!(Some(outcome), deal.outcome());
        for bet in BETS.iter() {
            for line in bet.pays.lines() {
                if let When::Baccarat(condition) = &line.when {
                    let told = condition.of_class(outcome);
                    prop_assert!(told.is_none_or(|told| told == condition.holds(&hands)), "{} on {:?}", condition, deal);
                }
            }
            let applies = bet.pays.line(hands).unwrap();
            prop_assert!(bet.pays.possible(outcome.index()).any(|line| line == applies), "{} on {:?}", bet.id, deal);
        }
    }
}
