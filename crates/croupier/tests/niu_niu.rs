//! Bulk settlement and round files agree on Niu Niu, and both with a model written from the clauses: random rounds with
//! wrong counts, boxes passed over and cards on boxes without a bet.
//!
//! The three share no code that decides them. The bulk runs in the binary, from JSON; the round file is played line by
//! line at a table, by its own count and remedies; the model below knows cards as numbers and no crate of ours. With
//! `CROUPIER_LONG` there are 100,000 rounds.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use croupier_rounds::{Fact, RoundFile, run};
use croupier_rules::Library;
use croupier_table::Fact as TableFact;

/// Rounds of one round file.
const IN_ONE_FILE: usize = 20;

/// A sequence of numbers that is the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % u64::try_from(bound).unwrap()).unwrap()
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }

    fn stake(&mut self, most: i64) -> i64 {
        1 + i64::try_from(self.below(usize::try_from(most).unwrap())).unwrap()
    }
}

/// A card: its rank from 0 for the ace to 12 for the king, its suit from 0 for diamonds to 3 for spades.
type Card = (usize, usize);

fn text(card: &Card) -> String {
    let ranks: Vec<char> = "A23456789TJQK".chars().collect();
    let suits: Vec<char> = "DCHS".chars().collect();
    format!("{}{}", ranks[card.0], suits[card.1])
}

/// A round: the bets and the cards of each box, by its number, and those of the Dealer.
#[derive(Default)]
struct Round {
    bets: BTreeMap<usize, Vec<(&'static str, i64)>>,
    cards: BTreeMap<usize, Vec<Card>>,
    dealer: Vec<Card>,
}

fn any_round(random: &mut Random) -> Round {
    let mut deck: Vec<Card> = (0..13).flat_map(|rank| (0..4).map(move |suit| (rank, suit))).collect();
    random.shuffle(&mut deck);
    let mut take = |count: usize| deck.split_off(deck.len() - count);
    let mut numbers: Vec<usize> = (1..=9).collect();
    random.shuffle(&mut numbers);
    let (playing, empty) = (1 + random.below(5), random.below(40) / 12 % 3);
    let mut round = Round::default();
    for (at, number) in numbers.into_iter().take(playing + empty).enumerate() {
        if at < playing {
            let even = random.stake(200);
            let mut bets = vec![("even", even)];
            for bet in ["double", "super-niu"] {
                if random.below(2) == 0 {
                    bets.push((bet, random.stake(even)));
                }
            }
            round.bets.insert(number, bets);
        }
        let count = match random.below(40) {
            0..3 if at < playing => 0,
            3 => 4,
            4 => 6,
            5 => 1 + random.below(6),
            _ => 5,
        };
        round.cards.insert(number, take(count));
    }
    // Nothing lies on the layout ahead of the Dealer's cards: then nobody can say that it cannot be put in order.
    if round.cards.values().all(Vec::is_empty) {
        *round.cards.first_entry().unwrap().get_mut() = take(5);
    }
    let count = match random.below(40) {
        0 => 0,
        1 => 4,
        2 => 6,
        _ => 5,
    };
    round.dealer = take(count);
    round
}

/// What each bet and each Reserve comes to, in hundredths, by box and name.
type Nets = BTreeMap<(usize, String), i64>;

mod model {
    //! Written from the text of the clauses.

    use super::{Card, Nets, Round};

    /// 6.2.1 to 6.2.13, from 0 for No Hand over 1 to 9 and 10 for Niu Niu to 11 and 12 for the two above it.
    fn rank(hand: &[Card]) -> usize {
        let same = |card: &Card| hand.iter().filter(|other| other.0 == card.0).count();
        if hand.iter().any(|card| same(card) == 4) {
            return 12;
        }
        if hand.iter().all(|card| card.0 >= 10) {
            return 11;
        }
        // 6.2.18
        let values: Vec<usize> = hand.iter().map(|card| (card.0 + 1).min(10)).collect();
        let all: usize = values.iter().sum();
        for first in 0..5 {
            for second in 0..first {
                let two = values[first] + values[second];
                if (all - two).is_multiple_of(10) {
                    return if two.is_multiple_of(10) { 10 } else { two % 10 };
                }
            }
        }
        0
    }

    /// 6.2.14 to 6.2.17: then the highest card, its suit last.
    fn strength(hand: &[Card]) -> (usize, Card) {
        (rank(hand), hand.iter().copied().max().unwrap_or_default())
    }

    /// 5.1, in hundredths of the stake.
    fn pays(bet: &str, rank: usize) -> i64 {
        let rank = i64::try_from(rank).unwrap();
        match (bet, rank) {
            ("even", 6) => 50,
            ("even", _) | ("double", 0..=6) | ("super-niu", 0 | 1) => 100,
            ("double", 7..=9) => 190,
            ("double", _) => 285,
            ("super-niu", _) => rank * 95,
            _ => panic!("no bet {bet}"),
        }
    }

    /// 6.4, in hundredths of the stake.
    fn reserve(bet: &str, dealer: usize) -> i64 {
        let dealer = i64::try_from(dealer).unwrap();
        match (bet, dealer) {
            ("even", _) | ("double", 0..=6) | ("super-niu", 0 | 1) => 0,
            ("double", 7..=9) => 100,
            ("double", _) => 200,
            ("super-niu", _) => (dealer - 1) * 100,
            _ => panic!("no bet {bet}"),
        }
    }

    pub(super) fn settle(round: &Round) -> Nets {
        let cards = |number: &usize| round.cards.get(number).map_or(&[][..], Vec::as_slice);
        // 7.5, then 7.4; nobody has handled cards.
        let void =
            round.dealer.len() != 5 || round.bets.keys().any(|number| ![0, 5].contains(&cards(number).len()));
        let mut nets = Nets::new();
        for (number, bets) in &round.bets {
            for (bet, stake) in bets {
                // 7.7.1: a box without cards goes back. What lies on a box without a bet is dead (7.6, NN-Q14).
                let (mut net, mut lost) = (0, 0);
                if !void && !cards(number).is_empty() {
                    if strength(cards(number)) > strength(&round.dealer) {
                        net = pays(bet, rank(cards(number))) * stake;
                    } else {
                        net = -100 * stake;
                        lost = reserve(bet, rank(&round.dealer)) * stake;
                    }
                }
                nets.insert((*number, (*bet).to_string()), net);
                if *bet != "even" {
                    nets.insert((*number, format!("{bet}-reserve")), -lost);
                }
            }
        }
        nets
    }
}

fn as_json(round: &Round) -> String {
    let quoted = |cards: &[Card]| {
        let cards: Vec<String> = cards.iter().map(|card| format!("\"{}\"", text(card))).collect();
        format!("[{}]", cards.join(","))
    };
    let mut hands = vec![format!("\"dealer\":{}", quoted(&round.dealer))];
    // A box that was passed over may be named or not.
    let named = round.cards.iter().filter(|(number, cards)| !cards.is_empty() || number.is_multiple_of(2));
    hands.extend(named.map(|(number, cards)| format!("\"box{number}\":{}", quoted(cards))));
    let bets: Vec<String> = round
        .bets
        .iter()
        .map(|(number, bets)| {
            let bets: Vec<String> = bets.iter().map(|(bet, stake)| format!("\"{bet}\":{stake}")).collect();
            format!("\"box{number}\":{{{}}}", bets.join(","))
        })
        .collect();
    format!(
        "{{\"game\":\"hoiana-niu-niu\",\"hands\":{{{}}},\"bets\":{{{}}}}}\n",
        hands.join(","),
        bets.join(",")
    )
}

/// What the bulk answers.
fn from_json(answer: &str) -> Nets {
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
    let boxes = answer["boxes"].as_object().unwrap_or_else(|| panic!("{answer}"));
    let mut nets = Nets::new();
    for (name, answer) in boxes {
        let number: usize = name.strip_prefix("box").unwrap().parse().unwrap();
        for (bet, net) in answer["net"].as_object().unwrap() {
            let (above, below) = net.as_str().unwrap().split_once('/').unwrap();
            let (above, below): (i64, i64) = (above.parse().unwrap(), below.parse().unwrap());
            assert_eq!(100 * above % below, 0, "{answer}");
            nets.insert((number, bet.clone()), 100 * above / below);
        }
    }
    nets
}

/// The lines of a round, the hands in any order but the Dealer's last; with the place of each bet among them.
fn as_lines(
    random: &mut Random,
    round: &Round,
    file: &mut String,
    lines: &mut usize,
) -> Vec<(usize, usize, String)> {
    let mut bets = Vec::new();
    let mut say = |line: String| {
        let _ = writeln!(file, "{line}");
        *lines += 1;
        *lines - 1
    };
    say("round".to_string());
    for (number, laid) in &round.bets {
        for (bet, stake) in laid {
            let line = say(format!("player{number} bets {bet} {stake} on box{number}"));
            bets.push((line, *number, (*bet).to_string()));
        }
    }
    let told = |cards: &[Card]| {
        if cards.is_empty() {
            "none".to_string()
        } else {
            cards.iter().map(text).collect::<Vec<_>>().join(" ")
        }
    };
    let mut hands: Vec<(&usize, &Vec<Card>)> = round.cards.iter().collect();
    hands.retain(|(number, cards)| round.bets.contains_key(number) || !cards.is_empty());
    random.shuffle(&mut hands);
    for (number, cards) in hands {
        say(format!("hand box{number} {}", told(cards)));
    }
    say("dealer reports cannot-rebuild".to_string());
    say(format!("hand dealer {}", told(&round.dealer)));
    bets
}

/// What the table makes of a file of rounds.
fn from_file(library: &Library, text: &str, places: &[Vec<(usize, usize, String)>]) -> Vec<Nets> {
    let file = RoundFile::parse(text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
    let report = run(library, &file);
    assert!(report.passed(), "{:?}\n{text}", report.errors);
    let money = |(line, number, bet): &(usize, usize, String)| {
        let ended = report.events[*line].iter().find_map(|event| match &event.fact {
            Fact::Table(TableFact::WagerEnded { settled, reserve, .. }) => Some((settled, reserve)),
            _ => None,
        });
        let (settled, reserve) = ended.unwrap_or_else(|| panic!("line {line} of\n{text}"));
        let lost = reserve.iter().map(|reserve| ((*number, format!("{bet}-reserve")), -reserve.lost.minor()));
        [((*number, bet.clone()), settled.net().minor())].into_iter().chain(lost).collect::<Vec<_>>()
    };
    places.iter().map(|bets| bets.iter().flat_map(money).collect()).collect()
}

#[test]
fn bulk_round_files_and_the_clauses_agree() {
    let rounds = if std::env::var_os("CROUPIER_LONG").is_some() { 100_000 } else { 2_000 };
    let mut random = Random(14);
    let all: Vec<Round> = (0..rounds).map(|_| any_round(&mut random)).collect();
    let expected: Vec<Nets> = all.iter().map(model::settle).collect();

    let ran = common::croupier(&["settle", "--jsonl"], &all.iter().map(as_json).collect::<String>());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let bulk: Vec<Nets> = ran.out.lines().map(from_json).collect();
    assert_eq!(bulk.len(), rounds);

    let library = Library::standard();
    let mut files = Vec::with_capacity(rounds);
    for some in all.chunks(IN_ONE_FILE) {
        let mut text = "game hoiana-niu-niu\nsetting boxes 9\n".to_string();
        let mut lines = 2;
        let places: Vec<_> =
            some.iter().map(|round| as_lines(&mut random, round, &mut text, &mut lines)).collect();
        files.extend(from_file(&library, &text, &places));
    }

    // What is compared has every case in it, often enough.
    let (mut void, mut dead, mut skipped) = (0, 0, 0);
    for (at, round) in all.iter().enumerate() {
        assert_eq!(bulk[at], expected[at], "bulk, round {at}: {}", as_json(round));
        assert_eq!(files[at], expected[at], "round file, round {at}: {}", as_json(round));
        let none = |number: &usize| round.cards[number].is_empty();
        let played = expected[at].values().any(|net| *net != 0);
        void += usize::from(!played);
        dead += usize::from(played && round.cards.keys().any(|number| !round.bets.contains_key(number)));
        skipped += usize::from(played && round.bets.keys().any(none));
    }
    let share = rounds / 50;
    assert!(void > share && dead > share && skipped > share, "{void} void, {dead} dead, {skipped} skipped");
}
