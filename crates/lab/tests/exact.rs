//! The fast histogram against the plain enumeration, and both against figures from elsewhere.
#![expect(clippy::unwrap_used, reason = "what cannot be had is a failed test")]

use croupier_cards::{Decks, Rank};
use croupier_lab::exact::{self, Pricer, plain};
use croupier_lab::{ParSheet, RankCounts, ShoeCards};
use croupier_rules::{Family, Game, Library};
use proptest::prelude::*;

const ODDS: &str = include_str!("../../rules/tests/data/odds-8-decks.txt");

fn decks(number: u8) -> RankCounts {
    RankCounts::of_decks(Decks::new(number).unwrap())
}

fn baccarat_games() -> Vec<Game> {
    let library = Library::standard();
    let rulebooks = library.rulebooks().iter();
    let baccarat = rulebooks.filter(|rulebook| rulebook.family == Family::Baccarat);
    baccarat.flat_map(|rulebook| rulebook.games.clone()).collect()
}

/// The fast histogram is the plain one, class by class, and counts every sequence once.
#[track_caller]
fn check(counts: &RankCounts) {
    let (fast, plain) = (exact::histogram(counts), plain::histogram(counts));
    let differ = || fast.all().iter().zip(plain.all()).position(|(fast, plain)| fast != plain);
    assert_eq!(fast, plain, "{counts}, from class {:?}", differ());
    let all: u64 = (0..6).map(|drawn| u64::from(counts.cards()) - drawn).product();
    assert_eq!(fast.total(), all, "{counts}");
}

#[test]
fn one_to_ten_decks() {
    for number in 1..=10 {
        check(&decks(number));
    }
}

#[test]
fn odd_shoes() {
    for text in [
        "0,0,0,0,0,0,0,0,0,0,0,0,6",
        "0,0,0,0,0,0,0,0,0,40,40,40,40",
        "0,0,0,0,0,0,0,0,0,2,2,1,1",
        "0,0,0,0,0,0,0,0,0,1,1,1,40",
        "6,0,0,0,0,0,0,0,0,0,0,0,0",
        "0,0,0,0,40,0,0,0,0,0,0,0,0",
        "1,1,1,1,1,1,0,0,0,0,0,0,0",
        "0,0,0,1,1,1,1,1,1,0,0,0,0",
        "1,0,1,0,1,0,1,0,1,0,1,0,0",
        "2,2,2,2,2,2,2,2,2,2,0,0,0",
        "0,0,0,0,0,3,3,0,0,0,0,0,1",
        "40,39,38,37,36,35,34,33,32,31,30,29,28",
        "40,40,40,40,40,40,40,40,40,40,40,40,40",
        "40,40,40,40,40,40,40,40,40,0,0,0,0",
        "40,40,40,40,40,40,40,40,40,1,0,1,0",
        "0,40,0,40,0,40,0,40,0,0,0,3,0",
    ] {
        check(&text.parse().unwrap());
    }
}

/// Counts of all kinds: full shoes, shoes near their end, and shoes that lack most ranks.
fn compositions() -> impl Strategy<Value = RankCounts> {
    let rank = prop_oneof![2 => Just(0_u16), 1 => Just(1), 1 => Just(2), 2 => 0..=5_u16, 2 => 0..=40_u16];
    let sparse = prop::array::uniform13(rank);
    let full = prop::array::uniform13(0..=40_u16);
    prop_oneof![5 => sparse, 1 => full]
        .prop_map(|counts| RankCounts::new(counts).unwrap())
        .prop_filter("a round needs six cards", |counts| counts.check_round().is_ok())
}

/// Exactly six cards, or hardly more.
fn last_cards() -> impl Strategy<Value = RankCounts> {
    prop::collection::vec(0..Rank::COUNT, 6..=9).prop_map(|ranks| {
        let mut counts = [0; Rank::COUNT];
        ranks.into_iter().for_each(|rank| counts[rank] += 1);
        RankCounts::new(counts).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn any_composition(counts in compositions()) {
        check(&counts);
    }

    #[test]
    fn the_last_cards(counts in last_cards()) {
        check(&counts);
    }
}

/// The `edge` lines of the file, as `game bet fraction`.
#[test]
fn eight_decks_as_published() {
    let eight = decks(8);
    let total = exact::histogram(&eight).total();
    assert!(ODDS.lines().any(|line| line == format!("total {total}")));
    let mut found = Vec::new();
    for game in baccarat_games() {
        let mut pricer = Pricer::new(&game);
        let edges = pricer.edges(&eight);
        assert_eq!(edges.total(), total);
        for (at, bet) in game.bets.iter().enumerate() {
            found.push(format!("edge {} {} {}", game.id, bet.id, edges.edge(at)));
        }
    }
    let mut expected: Vec<&str> = ODDS.lines().filter(|line| line.starts_with("edge ")).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
}

/// The `ways` lines of the file: how often each bet gains each amount.
#[test]
fn eight_decks_ways_as_published() {
    let histogram = exact::histogram(&decks(8));
    let mut found = std::collections::BTreeMap::<String, u64>::new();
    for game in baccarat_games() {
        for bet in ParSheet::of_baccarat(&game, &histogram, &ShoeCards::of_ranks(&decks(8))).bets {
            for line in bet.lines {
                let key = format!("ways {} {} {}", game.id, bet.bet, line.net);
                *found.entry(key).or_default() += line.ways;
            }
        }
    }
    let mut expected: Vec<&str> = ODDS.lines().filter(|line| line.starts_with("ways ")).collect();
    expected.sort_unstable();
    let mut found: Vec<String> = found.into_iter().map(|(key, ways)| format!("{key} {ways}")).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
}

/// One pricer for shoe after shoe says what the sheets say.
#[test]
fn pricers_agree_with_the_sheets() {
    let shoes = ["0,0,0,0,0,0,0,0,0,0,0,0,6", "3,1,4,1,5,9,2,6,5,3,5,8,9", "1,1,1,1,1,1,1,1,1,1,1,1,1"];
    let shoes = shoes.map(|text| text.parse().unwrap()).into_iter().chain((1..=10).map(decks));
    let mut pricers: Vec<(Game, Pricer)> =
        baccarat_games().into_iter().map(|game| (game.clone(), Pricer::new(&game))).collect();
    assert_eq!(pricers.len(), 6);
    for counts in shoes {
        let histogram = exact::histogram(&counts);
        for (game, pricer) in &mut pricers {
            let edges = pricer.edges(&counts);
            let sheet = ParSheet::of_baccarat(game, &histogram, &ShoeCards::of_ranks(&counts));
            for (at, bet) in sheet.bets.iter().enumerate() {
                assert_eq!(edges.edge(at), bet.edge, "{} {} {counts}", game.id, bet.bet);
                assert!((edges.approximate(at) - bet.edge.approximate()).abs() < 1e-12);
            }
        }
    }
}
