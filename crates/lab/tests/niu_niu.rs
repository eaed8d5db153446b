//! The exact odds of Niu Niu: against figures computed elsewhere, against the plain way, and against comparing
//! every two hands of smaller decks.
#![expect(clippy::unwrap_used, reason = "a figure or a deck that cannot be read is a mistake in the test")]

use croupier_cards::{Card, Rank, parse_cards};
use croupier_lab::niu_niu::plain;
use croupier_lab::{Fraction, NiuNiuDeck, NiuNiuDeckError, NiuNiuHistogram, NiuNiuSheet, RankCounts};
use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Category, Hand};
use croupier_rules::{Library, Ratio, Rulebook};
use proptest::prelude::*;

const FIGURES: &str = include_str!("data/niu-niu.txt");

/// The fields after a word, line by line.
fn figures(word: &str) -> impl Iterator<Item = Vec<&'static str>> {
    FIGURES.lines().filter_map(move |line| Some(line.strip_prefix(word)?.split_whitespace().collect()))
}

fn standard_sheet() -> NiuNiuSheet {
    let histogram = NiuNiuHistogram::of(&NiuNiuDeck::FULL);
    NiuNiuSheet::new(Library::standard().game("hoiana-niu-niu").unwrap(), &histogram).unwrap()
}

fn choose_five(cards: u64) -> u64 {
    (0..5).fold(1, |ways, taken| ways * (cards - taken) / (taken + 1))
}

/// NN 6.2.1 to 6.2.13, 4.1.
#[test]
fn hands_and_deals_of_the_full_deck() {
    let histogram = NiuNiuHistogram::of(&NiuNiuDeck::FULL);
    let mut lines = vec![format!("all {}", histogram.hands())];
    lines.extend(histogram.categories().map(|(category, hands)| format!("{category} {hands}")));
    let expected: Vec<String> = figures("hands ").map(|fields| fields.join(" ")).collect();
    assert_eq!(lines, expected);
    let deals: Vec<String> = figures("deals all ").map(|fields| fields.concat()).collect();
    assert_eq!(deals, [histogram.total().to_string()]);
}

/// NN 5.1 to 5.4, 6.3, 6.4: every result of every bet, and its edge to the last digit.
#[test]
fn bets_of_the_full_deck() {
    let sheet = standard_sheet();
    let ways = sheet.bets.iter().flat_map(|bet| {
        bet.results.iter().map(|result| format!("{} {} {}", bet.par.bet, result.net, result.ways))
    });
    let expected: Vec<String> = figures("ways ").map(|fields| fields.join(" ")).collect();
    assert_eq!(ways.collect::<Vec<_>>(), expected);
    assert_eq!(figures("edge ").count(), sheet.bets.len());
    for fields in figures("edge ") {
        let [bet, decimal, exact] = fields.try_into().unwrap();
        let edge = &sheet.bet(bet).unwrap().par.edge;
        assert_eq!(edge.to_string(), exact, "{bet}");
        let half_a_digit = Fraction::new(5, 10_i64.pow(13));
        assert_eq!(edge.plus(&half_a_digit).decimal(12), decimal, "{bet}");
    }
}

/// Variance and hit frequency worked out from the figures in small fractions.
#[test]
fn spread_of_the_full_deck() {
    let sheet = standard_sheet();
    for (id, units) in [("even", 1), ("double", 3), ("super-niu", 12)] {
        let (mut mean, mut square, mut hits) = (Ratio::ZERO, Ratio::ZERO, Ratio::ZERO);
        for fields in figures("ways ").filter(|fields| fields[0] == id) {
            let (above, below) = fields[1].split_once('/').unwrap();
            let net = Ratio::new(above.parse().unwrap(), below.parse().unwrap());
            let chance = Ratio::new(fields[2].parse().unwrap(), i128::from(sheet.total));
            mean = mean + net * chance;
            square = square + net * net * chance;
            hits = if net.is_negative() { hits } else { hits + chance };
        }
        let bet = sheet.bet(id).unwrap();
        let mean = Fraction::from(mean);
        let variance = Fraction::from(square).minus(&mean.times(&mean));
        assert_eq!(bet.par.edge, mean.negated(), "{id}");
        assert_eq!(bet.par.variance, variance, "{id}");
        assert_eq!(bet.par.hit_frequency, hits.into(), "{id}");
        assert_eq!(bet.units_risked, units, "{id}");
        let times = Fraction::new(units, 1);
        assert_eq!(bet.edge_per_unit_risked.times(&times), bet.par.edge, "{id}");
        assert_eq!(bet.variance_per_unit_risked.times(&times).times(&times), variance, "{id}");
    }
}

/// The lines name the pay line and, where it matters, what becomes of the Reserve (NN 6.4).
#[test]
fn lines_of_the_full_deck() {
    let sheet = standard_sheet();
    let lines = |id: &str| sheet.bet(id).unwrap().par.lines.clone();
    let counts = ["even", "double", "super-niu"].map(|id| lines(id).len());
    assert_eq!(counts, [13 + 1, 13 + 3, 13 + 12]);
    for bet in &sheet.bets {
        assert_eq!(bet.par.lines.iter().map(|line| line.ways).sum::<u64>(), sheet.total, "{}", bet.par.bet);
        let mut words: Vec<String> = bet.par.lines.iter().map(ToString::to_string).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), bet.par.lines.len(), "{}", bet.par.bet);
    }
    let half = lines("double").into_iter().find(|line| line.net == Fraction::new(-2, 1)).unwrap();
    assert_eq!(half.to_string(), "otherwise; Reserve: Dealer wins, Dealer has niu-7, niu-8, niu-9");
    assert!(
        NiuNiuSheet::new(
            Library::standard().game("mbs-dragon-tiger").unwrap(),
            &NiuNiuHistogram::of(&NiuNiuDeck::FULL)
        )
        .is_none()
    );
}

/// Another rulebook is priced by its own columns: with nothing deducted, what the Reserve loses to each hand of
/// the Dealer balances what the same hand of the box is paid, and every bet is fair.
#[test]
fn without_deductions_every_bet_is_fair() {
    let text = include_str!("../../../rulebooks/hoiana-niu-niu.toml");
    let text = text.replace(", less = \"5%\"", "").replace(", less = \"50%\"", "");
    let mut library = Library::default();
    let rulebook = library.add(&text).unwrap();
    let deck = NiuNiuDeck::without(&parse_cards("KS QD 9C").unwrap()).unwrap();
    let sheet = NiuNiuSheet::new(&rulebook.games[0], &NiuNiuHistogram::of(&deck)).unwrap();
    let edges: Vec<String> = sheet.bets.iter().map(|bet| bet.par.edge.to_string()).collect();
    assert_eq!(edges, ["0/1", "0/1", "0/1"]);
}

/// What a game is follows from its rulebook and not from what its clauses happen to say: a rulebook that cites nothing
/// for a hand of Niu Niu still is one of Niu Niu.
#[test]
fn the_family_is_told_by_the_rulebook() {
    let text = include_str!("../../../rulebooks/hoiana-niu-niu.toml");
    let line = text.lines().find(|line| line.starts_with("niu-niu = ")).unwrap();
    let rulebook = Rulebook::parse(&text.replace(line, "niu-niu = []")).unwrap();
    assert!(rulebook.games[0].hand_cites(Category::NiuNiu).is_empty());
    let histogram = NiuNiuHistogram::of(&NiuNiuDeck::FULL);
    assert_eq!(NiuNiuSheet::new(&rulebook.games[0], &histogram), Some(standard_sheet()));
}

/// NN 6.2.14 to 6.2.17: all 38 million pairs of ranks, suits counted out.
#[test]
fn the_full_deck_the_plain_way() {
    assert_eq!(NiuNiuHistogram::of(&NiuNiuDeck::FULL), plain::histogram(&NiuNiuDeck::FULL));
}

/// Every hand leaves as many hands for the Dealer, and the two sides of a deal can be exchanged.
#[track_caller]
fn check_margins(deck: &NiuNiuDeck, histogram: &NiuNiuHistogram) {
    let others = choose_five(u64::from(deck.cards()) - 5);
    for (hand, hands) in histogram.categories() {
        let row: u64 = Category::ALL.into_iter().map(|dealer| histogram.joint(hand, dealer)).sum();
        let column: u64 = Category::ALL.into_iter().map(|other| histogram.joint(other, hand)).sum();
        assert_eq!((row, column), (hands * others, hands * others), "{hand} of {deck:?}");
    }
    assert_eq!(histogram.hands(), choose_five(u64::from(deck.cards())), "{deck:?}");
    assert_eq!(histogram.won_by(BoxWinner::Player), histogram.won_by(BoxWinner::Dealer), "{deck:?}");
    for outcome in BoxOutcome::reachable() {
        let winner = match outcome.winner {
            BoxWinner::Player => BoxWinner::Dealer,
            BoxWinner::Dealer => BoxWinner::Player,
        };
        let exchanged = BoxOutcome { hand: outcome.dealer, dealer: outcome.hand, winner };
        assert_eq!(histogram.ways(outcome), histogram.ways(exchanged), "{outcome} of {deck:?}");
    }
    let reachable: u64 = BoxOutcome::reachable().map(|outcome| histogram.ways(outcome)).sum();
    assert_eq!(reachable, histogram.total(), "{deck:?}");
}

#[test]
fn margins_of_the_full_deck() {
    check_margins(&NiuNiuDeck::FULL, &NiuNiuHistogram::of(&NiuNiuDeck::FULL));
}

/// Deals every two hands of these cards and compares them by the rules.
fn brute_force(cards: &[Card]) -> Vec<u64> {
    let n = cards.len();
    let mut hands = Vec::new();
    for set in (0_u32..1 << n).filter(|set| set.count_ones() == 5) {
        let held: Vec<Card> = (0..n).filter(|at| set >> at & 1 == 1).map(|at| cards[at]).collect();
        hands.push((set, Hand::new(held.try_into().unwrap())));
    }
    let mut ways = vec![0; BoxOutcome::COUNT];
    for (set, hand) in &hands {
        for (_, dealer) in hands.iter().filter(|(other, _)| set & other == 0) {
            ways[BoxOutcome::of(hand, dealer).index()] += 1;
        }
    }
    ways
}

#[track_caller]
fn check_brute_force(cards: &[Card]) {
    let removed: Vec<Card> = Card::all().filter(|card| !cards.contains(card)).collect();
    let deck = NiuNiuDeck::without(&removed).unwrap();
    let histogram = NiuNiuHistogram::of(&deck);
    assert_eq!(histogram.all().as_slice(), brute_force(cards), "{cards:?}");
    assert_eq!(histogram, plain::histogram(&deck), "{cards:?}");
    check_margins(&deck, &histogram);
}

/// Whole ranks, so that all hands of equal ranks and every tie-break by suit appear.
#[test]
fn every_two_hands_of_twenty_cards() {
    let ranks = [Rank::Three, Rank::Seven, Rank::Ten, Rank::Queen, Rank::King];
    check_brute_force(&Card::all().filter(|card| ranks.contains(&card.rank())).collect::<Vec<_>>());
}

/// Three ranks and some odd suits of others.
#[test]
fn every_two_hands_of_sixteen_cards() {
    let mut cards = parse_cards("AD 2S 5C 5H").unwrap();
    let ranks = [Rank::Jack, Rank::Queen, Rank::King];
    cards.extend(Card::all().filter(|card| ranks.contains(&card.rank())));
    check_brute_force(&cards);
}

fn shuffled() -> impl Strategy<Value = Vec<Card>> {
    Just(Card::all().collect::<Vec<_>>()).prop_shuffle()
}

fn cases(number: u32) -> ProptestConfig {
    let times = if std::env::var_os("CROUPIER_LONG").is_some() { 50 } else { 1 };
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(number * times) }
}

proptest! {
    #![proptest_config(cases(30))]

    #[test]
    fn every_two_hands_of_any_few_cards(cards in shuffled(), few in 10..=15_usize) {
        check_brute_force(&cards[..few]);
    }

    #[test]
    fn margins_of_any_deck(cards in shuffled(), removed in 0..=42_usize) {
        let deck = NiuNiuDeck::without(&cards[..removed]).unwrap();
        check_margins(&deck, &NiuNiuHistogram::of(&deck));
    }
}

proptest! {
    #![proptest_config(cases(3))]

    #[test]
    fn any_deck_the_plain_way(cards in shuffled(), removed in 1..=42_usize) {
        let deck = NiuNiuDeck::without(&cards[..removed]).unwrap();
        prop_assert_eq!(NiuNiuHistogram::of(&deck), plain::histogram(&deck));
    }
}

/// Ten cards are enough and nine are not; no card goes twice; one deck has four of a rank.
#[test]
fn decks_that_cannot_be() {
    let all: Vec<Card> = Card::all().collect();
    let ten = NiuNiuDeck::without(&all[..42]).unwrap();
    assert_eq!((ten.cards(), NiuNiuHistogram::of(&ten).total()), (10, 252));
    assert_eq!(NiuNiuDeck::without(&all[..43]), Err(NiuNiuDeckError::TooFew { left: 9 }));
    let twice = parse_cards("KS 2D KS").unwrap();
    assert_eq!(NiuNiuDeck::without(&twice), Err(NiuNiuDeckError::Twice(twice[0])));
    let counts = |text: &str| NiuNiuDeck::of_counts(&text.parse::<RankCounts>().unwrap());
    assert_eq!(counts("4,4,4,4,4,4,4,4,4,4,4,4,4"), Ok(NiuNiuDeck::FULL));
    let less = NiuNiuDeck::without(&parse_cards("KS 2D KD").unwrap());
    assert_eq!(counts("4,3,4,4,4,4,4,4,4,4,4,4,2"), less);
    assert_eq!(
        counts("5,4,4,4,4,4,4,4,4,4,4,4,4"),
        Err(NiuNiuDeckError::TooMany { rank: Rank::Ace, count: 5 })
    );
    assert_eq!(counts("4,4,1,0,0,0,0,0,0,0,0,0,0"), Err(NiuNiuDeckError::TooFew { left: 9 }));
    let message = |fault: NiuNiuDeckError| fault.to_string();
    assert_eq!(
        counts("4,4,4,4,4,4,4,4,4,4,4,4,40").map_err(message),
        Err("one deck has 4 cards of a rank; here are 40 of rank K".to_string())
    );
    assert_eq!(
        NiuNiuDeck::without(&all[..47]).map_err(message),
        Err("a box and the Dealer take 10 cards; only 5 are left".to_string())
    );
}
