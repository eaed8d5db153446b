//! Well-known side bets: every one can be written, and its edge is exact for any shoe, suits included.
#![expect(clippy::unwrap_used, clippy::panic, reason = "what cannot be had is a failed test")]

use std::sync::LazyLock;

use croupier_cards::{Card, Composition, Decks, Rank, Suit};
use croupier_lab::exact::{self, CardPricer, Pricer};
use croupier_lab::exposure::{DealtShoe, EdgeSource, Gain, Settings};
use croupier_lab::simulate::sessions::{Plan, simulate as simulate_sessions};
use croupier_lab::simulate::{CutCard, Dealing, Run, SimulateError, Stop, simulate};
use croupier_lab::{Fraction, ParBet, ParSheet, RankCounts, ShoeCards};
use croupier_rules::baccarat::{Deal, FinalHands, Outcome};
use croupier_rules::{Bet, BetSheet, CardLines, Library};
use proptest::prelude::*;

const BETS: &str = include_str!("data/side-bets.toml");
const EDGES: &str = include_str!("data/side-bets.edges");

fn sheet(text: &str) -> Vec<Bet> {
    BetSheet::parse(text, &Library::default()).unwrap_or_else(|faults| panic!("{faults}")).bets
}

fn edges() -> Vec<(&'static str, &'static str)> {
    let lines = EDGES.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(' ').map(|(bet, edge)| (bet, edge.trim())).unwrap()).collect()
}

fn edge(bet: &Bet, shoe: &ShoeCards, counts: &RankCounts) -> Fraction {
    let histogram = exact::histogram(counts);
    let ways = exact::line_ways(bet, histogram.all(), shoe).unwrap();
    assert_eq!(ways.iter().sum::<u64>(), histogram.total(), "{}: every sequence once", bet.id);
    ParBet::new(bet, &ways, histogram.total()).edge
}

/// To twelve digits, rounded.
fn twelve(edge: &Fraction) -> String {
    let scale = Fraction::new(1_000_000_000_000_u64, 1);
    let scaled = edge.times(&scale).plus(&Fraction::new(1, 2));
    let units = scaled.numerator() / scaled.denominator();
    format!("0.{units:0>12}")
}

#[test]
fn all_edges_for_eight_decks() {
    let decks = Decks::new(8).unwrap();
    let (shoe, counts) = (ShoeCards::of_decks(decks), RankCounts::of_decks(decks));
    let bets = sheet(BETS);
    assert_eq!(bets.len(), 46);
    let found: Vec<(String, String)> =
        bets.iter().map(|bet| (bet.id.clone(), twelve(&edge(bet, &shoe, &counts)))).collect();
    let wanted: Vec<(String, String)> =
        edges().into_iter().map(|(bet, edge)| (bet.to_string(), edge.to_string())).collect();
    assert_eq!(found, wanted);
}

/// Every order of six cards, played by the rules: the twin of what is fast.
fn rounds(cards: &Composition) -> Vec<(FinalHands, u64)> {
    let mut left: Vec<(Card, u64)> =
        cards.counts().filter(|(_, count)| *count > 0).map(|(card, count)| (card, count.into())).collect();
    let mut rounds = Vec::new();
    descend(&mut left, Deal::default(), 1, &mut rounds);
    rounds
}

fn descend(left: &mut [(Card, u64)], deal: Deal, weight: u64, rounds: &mut Vec<(FinalHands, u64)>) {
    if let Some(hands) = FinalHands::of(&deal) {
        let cards: u64 = left.iter().map(|(_, count)| count).sum();
        let rest = match deal.draws().len() {
            4 => cards * cards.saturating_sub(1),
            5 => cards,
            _ => 1,
        };
        rounds.push((hands, weight * rest));
        return;
    }
    for at in 0..left.len() {
        let (card, count) = left[at];
        let mut next = deal;
        if count > 0 && next.draw(card).is_ok() {
            left[at].1 -= 1;
            descend(left, next, weight * count, rounds);
            left[at].1 += 1;
        }
    }
}

fn plain_ways(lines: &CardLines, rounds: &[(FinalHands, u64)]) -> Vec<u64> {
    let mut ways = vec![0; lines.lines().len()];
    for (hands, weight) in rounds {
        ways[lines.line_number(hands).unwrap()] += weight;
    }
    ways
}

/// The bets of the list, and conditions of every kind that it does not have.
fn all_bets() -> Vec<Bet> {
    let more = r#"
[[bet]]
id = "named-cards"
pays = [
  { when = { player-card-1 = { suit = "hearts" }, banker-card-2 = { value = "0-4", colour = "black" } }, odds = "3:1" },
  { when = { banker-card-3 = { rank = ["A", 2, "K"] }, winner = "tie" }, odds = "30:1" },
  { when = { not = { player-card-2 = { colour = "red" } }, banker-card-1 = { suit = ["clubs", "hearts"] } }, odds = "push" },
]
otherwise = "lose"

[[bet]]
id = "suited-winner"
pays = [
  { when = { winner = "player", player-perfect-pair = true }, odds = "50:1" },
  { when = { winner = "banker", banker-suited = true, player-initial-points = "0-5" }, odds = "2:1" },
  { when = { equal-pairs = true, banker-pair = true, total-cards = 6 }, odds = "70:1" },
]
otherwise = "lose"

[[bet]]
id = "count-of-a-suit"
pays = [{ when = { count = { suit = "spades", times = "3-6" }, margin = "0-2" }, odds = "4:1" }]
otherwise = "lose"

[[bet]]
id = "count-and-every-of-one-hand"
pays = [
  { when = { count = { value = 0, of = "banker", times = 2 }, every = { suit = ["spades", "hearts", "clubs"], of = "player" } }, odds = "5:2" },
]
otherwise = "lose"

[[bet]]
id = "counts-of-two-ranks"
pays = [
  { when = { all-of = [{ count = { rank = 7, times = 2 } }, { count = { rank = "J", times = 0 } }] }, odds = "9:1" },
]
otherwise = "lose"
"#;
    let mut bets = sheet(BETS);
    bets.extend(sheet(more));
    bets
}

/// The bets that ask for cards, with their pricers.
fn pricers() -> &'static [(Bet, CardPricer)] {
    static PRICERS: LazyLock<Vec<(Bet, CardPricer)>> = LazyLock::new(|| {
        let priced = |bet: Bet| bet.pays.by_cards().map(CardPricer::new).map(|pricer| (bet, pricer));
        all_bets().into_iter().filter_map(priced).collect()
    });
    &PRICERS
}

#[track_caller]
fn check_twin(cards: &Composition) {
    let rounds = rounds(cards);
    for (bet, pricer) in pricers() {
        let plain = plain_ways(bet.pays.by_cards().unwrap(), &rounds);
        assert_eq!(pricer.ways(cards), plain, "{} with {cards:?}", bet.id);
    }
}

fn composition(counts: &[(&str, u8)]) -> Composition {
    let cards = counts.iter().flat_map(|(card, count)| vec![card.parse::<Card>().unwrap(); (*count).into()]);
    Composition::of_cards(cards).unwrap()
}

#[test]
fn odd_shoes_against_every_order() {
    assert_eq!(pricers().len(), 9 + 5);
    for counts in [
        &[("8S", 6)][..],
        &[("KH", 2), ("QH", 2), ("QS", 1), ("8S", 1), ("3D", 2)],
        &[("AH", 3), ("AD", 3), ("9S", 2), ("7C", 1)],
        &[("2S", 2), ("2H", 2), ("2C", 2), ("2D", 2), ("KS", 1)],
        &[("8S", 4), ("8D", 1), ("6H", 2), ("7C", 2), ("9H", 1)],
        &[("TS", 1), ("JS", 1), ("QS", 1), ("KS", 1), ("TH", 1), ("JD", 1), ("3C", 1), ("5H", 1)],
    ] {
        check_twin(&composition(counts));
    }
}

/// Every bet of the list, those that ask only for the class too, in shoes whose suits are unequal: one suit nearly gone,
/// one colour short, ranks that are left in a single suit.
#[test]
fn every_known_bet_with_unequal_suits() {
    for counts in [
        &[("8S", 31), ("8H", 1), ("KS", 20), ("KD", 3), ("3C", 12), ("6H", 7), ("9D", 2), ("AC", 16)][..],
        &[("7S", 8), ("7H", 8), ("7C", 1), ("QS", 9), ("QH", 2), ("4D", 15), ("2C", 1), ("JD", 5)],
        &[("9H", 4), ("9S", 4), ("5H", 30), ("5C", 1), ("TD", 11), ("6S", 6), ("3D", 2)],
    ] {
        let cards = composition(counts);
        let shoe = ShoeCards::of_cards(cards);
        let histogram = exact::histogram(&RankCounts::new(cards.rank_counts()).unwrap());
        let rounds = rounds(&cards);
        for bet in &sheet(BETS) {
            let mut plain = vec![0; bet.pays.lines().len()];
            for (hands, weight) in &rounds {
                let line = bet.pays.line(*hands).unwrap();
                plain[bet.pays.lines().iter().position(|other| core::ptr::eq(other, line)).unwrap()] +=
                    weight;
            }
            assert_eq!(exact::line_ways(bet, histogram.all(), &shoe), Some(plain), "{}", bet.id);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Any few cards, suits and all.
    #[test]
    fn any_small_shoe_against_every_order(cards in proptest::collection::vec(0_usize..52, 6..9)) {
        let cards = cards.into_iter().filter_map(Card::from_index);
        check_twin(&Composition::of_cards(cards).unwrap());
    }
}

/// A bet of the class written so that cards are asked for as well is worth the same, for any shoe.
#[test]
fn the_class_and_the_cards_agree() {
    let texts = [
        "winner = \"banker\", banker-points = 7, banker-cards = 3",
        "winner = \"tie\"",
        "total-cards = 5",
        "player-pair = true, banker-points = \"0-4\"",
        "any-of = [{ margin = \"4-9\" }, { points-sum = 10 }]",
        "natural = true, winner = \"player\"",
    ];
    for text in texts {
        let bets = sheet(&format!(
            "[[bet]]\nid = \"class\"\npays = [{{ when = {{ {text} }}, odds = \"2:1\" }}]\notherwise = \"lose\"\n\
             [[bet]]\nid = \"cards\"\npays = [\n\
             {{ when = {{ all-of = [{{ {text} }}, {{ every = {{ colour = \"red\" }} }}] }}, odds = \"2:1\" }},\n\
             {{ when = {{ all-of = [{{ {text} }}] }}, odds = \"2:1\" }},\n]\notherwise = \"lose\"\n"
        ));
        assert!(bets[0].pays.by_class().is_some() && bets[1].pays.by_cards().is_some());
        for (decks, without) in [(1, "8S"), (2, "KH KH AD"), (6, "9C 8C 7C 6C"), (8, "2D"), (10, "5S 5S 5S")]
        {
            let mut cards = Composition::of_decks(Decks::new(decks).unwrap());
            for card in croupier_cards::parse_cards(without).unwrap() {
                cards.remove(card).unwrap();
            }
            let counts = RankCounts::new(cards.rank_counts()).unwrap();
            let shoe = ShoeCards::of_cards(cards);
            assert_eq!(
                edge(&bets[0], &shoe, &counts),
                edge(&bets[1], &shoe, &counts),
                "{text}, {decks} decks"
            );
        }
    }
}

/// Suits that nobody knows price no bet that asks for them, and do not matter to the others.
#[test]
fn suits_that_are_not_known() {
    let counts: RankCounts = "32,31,30,29,28,27,26,25,24,23,22,21,20".parse().unwrap();
    let histogram = exact::histogram(&counts);
    let unpriced: Vec<String> = sheet(BETS)
        .iter()
        .filter(|bet| exact::line_ways(bet, histogram.all(), &ShoeCards::of_ranks(&counts)).is_none())
        .map(|bet| bet.id.clone())
        .collect();
    assert_eq!(unpriced, ["perfect-pair", "player-perfect-pair", "royal-match-player", "all-red"]);
}

/// A perfect pair in a shoe with suits left out: from all ordered pairs.
#[test]
fn suits_make_the_difference() {
    let bets = sheet(BETS);
    let bet = bets.iter().find(|bet| bet.id == "player-perfect-pair").unwrap();
    let mut cards = Composition::EMPTY;
    for rank in Rank::ALL {
        for _ in 0..4 {
            cards.add(Card::new(rank, Suit::Spades)).unwrap();
        }
    }
    let ways = CardPricer::new(bet.pays.by_cards().unwrap()).ways(&cards);
    // Every pair of a shoe of one suit is perfect: 13 × 4 × 3 of 52 × 51, and any four after them.
    assert_eq!(ways[0], 13 * 4 * 3 * 50 * 49 * 48 * 47);
}

fn punto_banco() -> Library {
    let mut library = Library::standard();
    library.add(include_str!("../../../rulebooks/examples/jade-punto-banco.toml")).unwrap();
    library
}

/// Dealt with suits, the classes are those of the same draws without; bets that ask for cards come near what they
/// are worth.
#[test]
fn simulation_deals_the_same_rounds_with_suits() {
    let library = punto_banco();
    let (game, other) =
        (library.game("jade-punto-banco").unwrap(), library.game("horseshoe-dragon-bonus").unwrap());
    let decks = Decks::new(8).unwrap();
    let run = Run { seed: 11, ..Run::default() };
    for (dealing, stop) in [
        (Dealing::Rounds(decks), Stop::After(400_000)),
        (Dealing::Shoes(decks, CutCard::default()), Stop::After(5_000)),
    ] {
        let cards = simulate(game, dealing, stop, &run).unwrap();
        let classes = simulate(other, dealing, stop, &run).unwrap();
        assert_eq!(cards.histogram[..Outcome::COUNT], classes.histogram[..], "{dealing:?}");
        assert_eq!((cards.rounds, cards.shoes), (classes.rounds, classes.shoes));
        let histogram = exact::histogram(&RankCounts::of_decks(decks));
        let sheet = ParSheet::of_baccarat(game, &histogram, &ShoeCards::of_decks(decks));
        assert_eq!(sheet.bets.len(), game.bets.len());
        for (estimate, bet) in cards.estimates(game).iter().zip(&sheet.bets) {
            assert_eq!(estimate.rounds, cards.rounds, "{}", estimate.bet);
            let deviation = estimate.deviation(-bet.edge.approximate()).abs();
            assert!(deviation < 5.0, "{} is {deviation} standard errors away", estimate.bet);
        }
    }
    let refused = simulate(game, Dealing::NiuNiu, Stop::After(10), &run);
    assert!(matches!(refused, Err(SimulateError::Family { .. })), "{refused:?}");
}

/// A session with a wager on the cards wins and loses what its line says.
#[test]
fn sessions_count_bets_that_ask_for_cards() {
    let library = punto_banco();
    let game = library.game("jade-punto-banco").unwrap();
    let plan = Plan {
        wagers: vec![(game.bet_index("perfect-pair").unwrap(), 1), (game.bet_index("player").unwrap(), 2)],
        rounds: Some(1),
        bankroll: None,
    };
    let decks = Decks::new(8).unwrap();
    let run = Run { seed: 5, ..Run::default() };
    let sessions = simulate_sessions(game, Dealing::Rounds(decks), &plan, 60_000, &run).unwrap();
    let results: Vec<i128> = sessions.results.keys().map(|result| result / sessions.parts).collect();
    assert!(
        results.iter().all(|result| [-3, -1, 1, 23, 25, 27, 198, 200, 202].contains(result)),
        "{results:?}"
    );
    assert!(results.contains(&-3) && results.contains(&27), "{results:?}");
}

/// Exposure prices every dealt round by the cards that are left, suits and all.
#[test]
fn exposure_prices_the_cards_that_are_left() {
    let library = punto_banco();
    let game = library.game("jade-punto-banco").unwrap();
    let settings = Settings { seed: 3, ..Settings::of_decks(Decks::ONE) };
    let mut pricer = Pricer::new(game);
    let mut rounds = 0;
    for round in DealtShoe::new(&settings, 0) {
        let mut gains = vec![Gain::NONE; game.bets.len()];
        pricer.gains(&round.before, &round.cards, &mut gains);
        let histogram = exact::histogram(&round.before);
        let sheet = ParSheet::of_baccarat(game, &histogram, &ShoeCards::of_cards(round.cards));
        for (bet, gain) in sheet.bets.iter().zip(&gains) {
            assert_eq!(bet.edge, Fraction::new(-gain.numerator, gain.denominator), "{}", bet.bet);
        }
        rounds += 1;
    }
    assert!(rounds > 3);
    // In one deck no two cards are the same: the perfect pair always loses.
    let mut gains = vec![Gain::NONE; game.bets.len()];
    pricer.gains(&RankCounts::of_decks(Decks::ONE), &Composition::of_decks(Decks::ONE), &mut gains);
    let perfect = gains[game.bet_index("perfect-pair").unwrap()];
    assert_eq!(perfect.numerator, -perfect.denominator);
}
