//! Niu Niu hands: every hand of one deck against an evaluator written from the clauses, the order of hands,
//! and the rulebook's own examples.

mod common;

use common::cases;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use croupier_cards::{Card, Rank, parse_cards};
use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Category, Hand};
use croupier_rules::{Game, Library, Ratio};
use proptest::prelude::*;

/// All ways to choose three of five cards; the other two follow.
const TRIPLES: [([usize; 3], [usize; 2]); 10] = [
    ([0, 1, 2], [3, 4]),
    ([0, 1, 3], [2, 4]),
    ([0, 1, 4], [2, 3]),
    ([0, 2, 3], [1, 4]),
    ([0, 2, 4], [1, 3]),
    ([0, 3, 4], [1, 2]),
    ([1, 2, 3], [0, 4]),
    ([1, 2, 4], [0, 3]),
    ([1, 3, 4], [0, 2]),
    ([2, 3, 4], [0, 1]),
];

/// What the cards count, ace to king (NN 6.2.18).
const VALUES: [usize; 13] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10];

/// The categories from the lowest to the highest (NN 6.2.13 up to 6.2.1).
const ORDER: [&str; 13] = [
    "no-hand",
    "niu-1",
    "niu-2",
    "niu-3",
    "niu-4",
    "niu-5",
    "niu-6",
    "niu-7",
    "niu-8",
    "niu-9",
    "niu-niu",
    "ultimate-niu-niu",
    "hoiana-niu-niu",
];

/// The place in [`ORDER`], found by trying all triples. NN 6.2.1 and 6.2.2 come first and need no Niu
/// (NN-Q1); then 4.9.1 and 4.9.2.
fn naive_category(cards: &[Card; 5]) -> usize {
    let mut of_rank = [0; 13];
    for card in cards {
        of_rank[card.rank().index()] += 1;
    }
    if of_rank.contains(&4) {
        return 12;
    }
    if of_rank[10] + of_rank[11] + of_rank[12] == 5 {
        return 11;
    }
    let values = cards.map(|card| VALUES[card.rank().index()]);
    let mut found = None;
    for (triple, pair) in TRIPLES {
        let sum: usize = triple.iter().map(|at| values[*at]).sum();
        if [10, 20, 30].contains(&sum) {
            let category = match (values[pair[0]] + values[pair[1]]) % 10 {
                0 => 10,
                digit => digit,
            };
            assert!(found.is_none_or(|other| other == category), "{cards:?}: the choice of a triple matters");
            found = Some(category);
        }
    }
    found.unwrap_or(0)
}

/// King high, then the suits from spades down to diamonds (NN 6.2.16, 6.2.17): the higher, the better.
fn naive_strength(card: Card) -> (usize, usize) {
    let suit = "DCHS".find(|letter| card.to_string().ends_with(letter)).map_or(0, |at| at + 1);
    (card.rank().index(), suit)
}

/// By NN 6.2 and, for equal ranks, 6.2.14 and 6.2.15: category, then rank and suit of the best card.
fn naive_key(cards: &[Card; 5]) -> (usize, (usize, usize)) {
    (naive_category(cards), cards.iter().copied().map(naive_strength).max().unwrap_or_default())
}

fn every_hand() -> impl Iterator<Item = [Card; 5]> {
    let deck: Vec<Card> = Card::all().collect();
    (0..52).flat_map(move |e| {
        let deck = deck.clone();
        (0..e).flat_map(move |d| {
            let deck = deck.clone();
            (0..d).flat_map(move |c| {
                let deck = deck.clone();
                (0..c).flat_map(move |b| {
                    let deck = deck.clone();
                    (0..b).map(move |a| [deck[a], deck[b], deck[c], deck[d], deck[e]])
                })
            })
        })
    })
}

#[expect(clippy::unwrap_used, reason = "a hand that is not five cards is a mistake in the test")]
fn hand(cards: &str) -> Hand {
    Hand::new(parse_cards(cards).unwrap().try_into().unwrap())
}

/// NN 6.2.1 to 6.2.13: the hands of one deck by category.
#[test]
fn all_hands_by_category() {
    let mut counts = [0_u64; 13];
    for cards in every_hand() {
        counts[Hand::new(cards).category().index()] += 1;
    }
    assert_eq!(counts.iter().sum::<u64>(), 2_598_960);
    let lines: Vec<String> = Category::ALL
        .iter()
        .zip(counts)
        .map(|(category, count)| format!("hands {category} {count}"))
        .collect();
    let reference = include_str!("data/odds-8-decks.txt").lines().filter(|line| line.starts_with("hands "));
    assert_eq!(lines, reference.collect::<Vec<_>>());
}

/// NN 4.9.1, 4.9.2, 6.2.1 to 6.2.13 on every hand; the arrangement shown for 4.9.5 is a real one.
#[test]
fn all_hands_against_trying_every_triple() {
    for cards in every_hand() {
        let hand = Hand::new(cards);
        assert_eq!(hand.category().key(), ORDER[naive_category(&cards)], "{cards:?}");
        let value = |card: &Card| VALUES[card.rank().index()];
        let is_niu =
            |triple: [usize; 3]| triple.iter().map(|at| value(&cards[*at])).sum::<usize>().is_multiple_of(10);
        match hand.arrangement() {
            None => assert!(!TRIPLES.iter().any(|(triple, _)| is_niu(*triple)), "{cards:?}"),
            Some((triple, pair)) => {
                assert!(triple.iter().map(value).sum::<usize>().is_multiple_of(10), "{cards:?}");
                let mut laid = [triple[0], triple[1], triple[2], pair[0], pair[1]];
                laid.sort_unstable();
                assert_eq!(laid, cards, "{cards:?}: not the same five cards");
            }
        }
    }
}

/// NN 6.1, 6.2.14, 6.2.15: one hand for every category and best card there is, each against each. Agreeing
/// with an order of numbers on all pairs, the order of hands is antisymmetric, transitive and total.
#[test]
fn the_order_of_hands_is_total() {
    let mut examples = BTreeMap::new();
    for cards in every_hand() {
        examples.entry(naive_key(&cards)).or_insert(Hand::new(cards));
    }
    let categories: BTreeSet<usize> = examples.keys().map(|(category, _)| *category).collect();
    assert_eq!(categories.len(), 13);
    for (key, hand) in &examples {
        assert_eq!(naive_strength(hand.highest()), key.1, "{hand:?}");
        for (other_key, other) in &examples {
            assert_eq!(hand.cmp(other), key.cmp(other_key), "{hand:?} against {other:?}");
        }
    }
}

/// The order in which the cards lie has no effect; four of a rank are found wherever the odd card lies.
#[test]
fn four_of_a_rank_in_any_order() {
    for (rank, odd) in Rank::ALL.into_iter().flat_map(|rank| Card::all().map(move |odd| (rank, odd))) {
        if odd.rank() == rank {
            continue;
        }
        for place in 0..5 {
            let mut cards: Vec<Card> = Card::all().filter(|card| card.rank() == rank).collect();
            cards.insert(place, odd);
            let hand = Hand::new(cards.try_into().expect("five cards"));
            assert_eq!(hand.category(), Category::HoianaNiuNiu, "{hand:?}");
        }
    }
}

fn three_hands() -> impl Strategy<Value = [[Card; 5]; 3]> {
    Just(Card::all().collect::<Vec<_>>()).prop_shuffle().prop_map(|deck| {
        let hand = |from: usize| [deck[from], deck[from + 1], deck[from + 2], deck[from + 3], deck[from + 4]];
        [hand(0), hand(5), hand(10)]
    })
}

proptest! {
    #![proptest_config(cases(20_000))]

    /// NN 6.2.15: hands dealt from one deck are never equal, whatever the order of their cards.
    #[test]
    fn hands_of_one_deal_are_strictly_ordered(deal in three_hands()) {
        let [a, b, c] = deal.map(Hand::new);
        for (first, second) in [(a, b), (b, c), (a, c)] {
            prop_assert_eq!(first.cmp(&second), naive_key(first.cards()).cmp(&naive_key(second.cards())));
            prop_assert_ne!(first.cmp(&second), Ordering::Equal);
            prop_assert_eq!(first.cmp(&second), second.cmp(&first).reverse());
            let winner = if first > second { BoxWinner::Player } else { BoxWinner::Dealer };
            prop_assert_eq!(BoxOutcome::of(&first, &second).winner, winner);
        }
        prop_assert!(!(a > b && b > c) || a > c);
        prop_assert!(!(a < b && b < c) || a < c);
    }

    #[test]
    fn a_hand_does_not_depend_on_the_order_of_its_cards(deal in three_hands(), turn in 0..5_usize) {
        let [cards, ..] = deal;
        let mut sorted = cards;
        sorted.sort_unstable();
        let mut turned = sorted;
        turned.rotate_left(turn);
        for other in [sorted, turned] {
            prop_assert_eq!(Hand::new(cards).cmp(&Hand::new(other)), Ordering::Equal);
            prop_assert_eq!(Hand::new(cards).category(), Hand::new(other).category());
        }
    }
}

#[track_caller]
fn check_category(clause: &str, cards: &str, category: &str) {
    assert_eq!(hand(cards).category().key(), category, "NN {clause}: {cards}");
}

/// The hands that the clauses are explained with.
#[test]
fn hands_by_clause() {
    check_category("4.9.1", "KS 4H 6C 2D 7S", "niu-9");
    check_category("4.9.2", "2S 3H 5C KD 8S", "niu-8");
    check_category("4.9.3", "AS 2H 4C 6D 8S", "no-hand");
    check_category("4.9.4", "AC 2D 4S 6H 9C", "no-hand");
    check_category("6.2.1", "7S 7H 7C 7D KS", "hoiana-niu-niu");
    check_category("6.2.1", "JS JH JC JD KS", "hoiana-niu-niu");
    check_category("6.2.2", "JS QH KC JD QS", "ultimate-niu-niu");
    check_category("6.2.2", "JS QH KC TD QS", "niu-niu");
    check_category("6.2.3", "TS 5H 5C 4D 6S", "niu-niu");
    check_category("6.2.3", "KS QD JC TH 9D", "niu-9");
    check_category("6.2.4", "KS 4H 6C 2D 7S", "niu-9");
    check_category("6.2.4", "2S 3H 5C KD 9S", "niu-9");
    check_category("6.2.5", "2S 3H 5C KD 8S", "niu-8");
    check_category("6.2.6", "AS 9H KC 3D 4S", "niu-7");
    check_category("6.2.7", "2S 8H TC 2D 4S", "niu-6");
    check_category("6.2.8", "3S 7H QC 2D 3C", "niu-5");
    check_category("6.2.9", "4S 6H JC AD 3C", "niu-4");
    check_category("6.2.10", "5S 5H TC AD 2C", "niu-3");
    check_category("6.2.11", "KS QS JS AD AH", "niu-2");
    check_category("6.2.12", "4S 6H KC AD TS", "niu-1");
    check_category("6.2.13", "AS 2H 4C 6D 8S", "no-hand");
    check_category("6.2.18", "KS 4H 6C AD TS", "niu-1");
    check_category("6.2.18", "AS 9H KC 2D 6S", "niu-8");
    // One card away from the two hands that need no Niu.
    check_category("6.2.1", "7S 7H 7C 8D KS", "no-hand");
    check_category("6.2.2", "JS QH KC JD 9S", "niu-9");
    check_category("6.2.1", "TS TH TC TD KS", "hoiana-niu-niu");
}

#[track_caller]
fn check_beats(clause: &str, higher: &str, lower: &str) {
    let (higher, lower) = (hand(higher), hand(lower));
    assert_eq!(higher.cmp(&lower), Ordering::Greater, "NN {clause}: {higher:?} over {lower:?}");
    assert_eq!(lower.cmp(&higher), Ordering::Less, "NN {clause}: {lower:?} under {higher:?}");
    assert_eq!(BoxOutcome::of(&higher, &lower).winner, BoxWinner::Player, "NN {clause}");
    assert_eq!(BoxOutcome::of(&lower, &higher).winner, BoxWinner::Dealer, "NN {clause}");
}

/// NN 4.9.4, 4.11 and 6.2.14 to 6.2.17: which of two hands wins.
#[test]
fn comparisons_by_clause() {
    check_beats("4.9.4", "AC 2D 4S 6H 9C", "AS 2H 4C 6D 8S");
    check_beats("4.11", "2S 3H 5C KD 8S", "AS 9H KC 3D 4S");
    check_beats("4.11", "AS 9H KC 3D 4S", "3S 7H QC 2D 3C");
    check_beats("6.2.14", "KS 4H 6C 2D 7S", "9C 5D 6H 2C 7D");
    // The best card wins, not the suit nor the rest of the hand.
    check_beats("6.2.14", "KD 4H 6C 2D 7S", "QS JS TS 9S TH");
    check_beats("6.2.15", "KS 4H 6C 2D 7S", "KH 4C 6D 2S 7C");
    check_beats("6.2.16", "KD 4H 6C 2D 7S", "QS AS 9S TH 9D");
    check_beats("6.2.17", "QC 4H 6C 2D 7S", "QD 4C 6D 2S 7C");
    check_beats("6.2.17", "QH 4H 6C 2D 7S", "QC 4C 6D 2S 7C");
    check_beats("6.2.17", "QS 4H 6C 2D 7S", "QH 4C 6D 2S 7C");
    // The best suit among several cards of the best rank (NN-Q3).
    check_beats("6.2.15", "QD QS JC 4H 5D", "QH QC JD 4S 5C");
    // The fifth card counts beside four of a rank (NN-Q2).
    check_beats("6.2.14", "5S 5H 5C 5D KD", "9S 9H 9C 9D QS");
    check_beats("6.2.14", "9S 9H 9C 9D AS", "5S 5H 5C 5D 8S");
    // A category outranks every card.
    check_beats("6.2.1", "2S 2H 2C 2D AD", "KS KH KC QD JS");
    check_beats("6.2.2", "JD JC QD QC JH", "TS TH KS KH QS");
    check_beats("6.2.12", "AD 2D 7C 5D 6D", "KS AS 2S 3S 4S");
}

#[track_caller]
fn check_highest(clause: &str, cards: &str, highest: &str) {
    assert_eq!(hand(cards).highest().to_string(), highest, "NN {clause}: {cards}");
}

/// NN 6.2.14 to 6.2.17: which of the five cards decides.
#[test]
fn the_highest_card_by_clause() {
    check_highest("6.2.16", "AS AH AC AD 2D", "2D");
    check_highest("6.2.16", "AS KD QS JS TS", "KD");
    check_highest("6.2.17", "QD 2S QC 3S 4S", "QC");
    check_highest("6.2.17", "QD QC QH 3S 4S", "QH");
    check_highest("6.2.17", "QD QC QH QS 4S", "QS");
}

/// NN 6.2: one hand of each kind, sorted, gives the sequence of 6.2.13 up to 6.2.1.
#[test]
fn the_sequence_of_categories() {
    let mut hands = [
        "KS QS JS AD AH",
        "7S 7H 7C 7D KS",
        "AS 9H KC 3D 4S",
        "TS 5H 5C 4D 6S",
        "4S 6H JC AD 3C",
        "AS 2H 4C 6D 8S",
        "KS 4H 6C 2D 7S",
        "JS QH KC JD QS",
        "2S 8H TC 2D 4S",
        "4S 6H KC AD TS",
        "5S 5H TC AD 2C",
        "2S 3H 5C KD 8S",
        "3S 7H QC 2D 3C",
    ]
    .map(hand);
    hands.sort();
    assert_eq!(hands.map(|hand| hand.category().key()), ORDER);
    assert_eq!(Category::ALL.map(Category::key), ORDER);
    assert!(Category::ALL.is_sorted());
}

/// What Even, Double and Super Niu of 100 win by the box's own hand: NN 5.1/none up to 5.1/HNN, 5.2 to 5.4.2.
const PAYS: [(&str, [i64; 3]); 13] = [
    ("no-hand", [100, 100, 100]),
    ("niu-1", [100, 100, 100]),
    ("niu-2", [100, 100, 190]),
    ("niu-3", [100, 100, 285]),
    ("niu-4", [100, 100, 380]),
    ("niu-5", [100, 100, 475]),
    ("niu-6", [50, 100, 570]),
    ("niu-7", [100, 190, 665]),
    ("niu-8", [100, 190, 760]),
    ("niu-9", [100, 190, 855]),
    ("niu-niu", [100, 285, 950]),
    ("ultimate-niu-niu", [100, 285, 1_045]),
    ("hoiana-niu-niu", [100, 285, 1_140]),
];

#[test]
fn pay_follows_the_winning_hand_and_never_the_dealers() {
    let library = Library::standard();
    let game: &Game = library.game("hoiana-niu-niu").expect("a standard game");
    let mut wins = 0;
    for outcome in BoxOutcome::reachable() {
        let (category, pays) = PAYS[outcome.hand.index()];
        assert_eq!(outcome.hand.key(), category);
        for (bet, pays) in ["even", "double", "super-niu"].into_iter().zip(pays) {
            let line = game.bet(bet).and_then(|bet| bet.pays.line(outcome.index())).expect("a line");
            let expected = match outcome.winner {
                BoxWinner::Player => pays,
                // NN 6.3.2
                BoxWinner::Dealer => -100,
            };
            assert_eq!(line.payoff.net() * Ratio::from(100), Ratio::from(expected), "{bet}: {outcome}");
        }
        wins += usize::from(outcome.winner == BoxWinner::Player);
    }
    // Thirteen categories, each against itself and all below.
    assert_eq!(wins, 13 * 14 / 2);
}
