//! Every order in which six cards can leave an eight-deck shoe, played through the rules and compared with
//! figures that were computed without them: `data/odds-8-decks.txt`.
//!
//! Each check writes what it counted in the words of that file; the two must be the same lines. So a figure
//! that is missing on either side fails as surely as one that differs.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use croupier_cards::{Card, Rank, Suit};
use croupier_rules::baccarat::insurance::{InsuranceEnd, InsuranceTable, Stage};
use croupier_rules::baccarat::{Deal, Outcome, Side};
use croupier_rules::{Bet, Family, Game, Library, Ratio};

/// Cards of each rank in eight decks.
const OF_A_RANK: u64 = 32;

/// The sequences of six ranks, 13 to the sixth.
const RANK_SEQUENCES: usize = 4_826_809;

/// How many ordered sequences of six cards end in each class, and how each insurance line ends on them.
struct Tally {
    classes: Vec<u64>,
    /// For each line of the table: won, given back, lost.
    insurance: Vec<[u64; 3]>,
}

impl Tally {
    fn total(&self) -> u64 {
        self.classes.iter().sum()
    }
}

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(Library::standard)
}

fn baccarat_games() -> impl Iterator<Item = &'static Game> {
    let rulebooks = library().rulebooks().iter();
    rulebooks.filter(|rulebook| rulebook.family == Family::Baccarat).flat_map(|rulebook| &rulebook.games)
}

#[expect(clippy::unwrap_used, reason = "a rulebook without its insurance table is a failed test")]
fn insurance_table() -> &'static InsuranceTable {
    library().game("hoiana-baccarat/commission").unwrap().insurance.as_ref().unwrap()
}

/// Plays all sequences once; the tests share the count.
fn tally() -> &'static Tally {
    static TALLY: OnceLock<Tally> = OnceLock::new();
    TALLY.get_or_init(|| {
        let table = insurance_table();
        let mut tally =
            Tally { classes: vec![0; Outcome::COUNT], insurance: vec![[0; 3]; table.lines.len()] };
        for number in 0..RANK_SEQUENCES {
            let ranks = rank_sequence(number);
            count(&mut tally, table, &play(ranks), weight(ranks));
        }
        tally
    })
}

/// The places of six ranks: the digits of a number to base 13, so that every sequence comes up once.
fn rank_sequence(mut number: usize) -> [usize; 6] {
    [0; 6].map(|_| {
        let rank = number % Rank::COUNT;
        number /= Rank::COUNT;
        rank
    })
}

/// In how many ways cards of these ranks are drawn in this order, without replacement.
fn weight(ranks: [usize; 6]) -> u64 {
    let mut left = [OF_A_RANK; Rank::COUNT];
    let mut ways = 1;
    for rank in ranks {
        ways *= left[rank];
        left[rank] -= 1;
    }
    ways
}

/// Draws until the rules call for no card.
fn play(ranks: [usize; 6]) -> Deal {
    let mut deal = Deal::default();
    for (at, rank) in ranks.into_iter().enumerate() {
        if deal.draw(Card::new(Rank::ALL[rank], Suit::ALL[at % Suit::COUNT])).is_err() {
            break;
        }
    }
    deal
}

#[expect(
    clippy::unwrap_used,
    reason = "six cards always finish a round, and an offer is a line of the table"
)]
fn count(tally: &mut Tally, table: &InsuranceTable, deal: &Deal, weight: u64) {
    let outcome = deal.outcome().unwrap();
    tally.classes[outcome.index()] += weight;
    for stage in Stage::ALL {
        if let Some(offered) = table.offer_at(deal, stage) {
            let line = table.lines.iter().position(|line| std::ptr::eq(line, offered)).unwrap();
            let end = match offered.end(outcome) {
                InsuranceEnd::Win => 0,
                InsuranceEnd::Push => 1,
                InsuranceEnd::Lose => 2,
            };
            tally.insurance[line][end] += weight;
        }
    }
}

/// The lines of the reference file that begin with `kind` are exactly `counted`, in any order.
#[track_caller]
fn check(kind: &str, counted: impl IntoIterator<Item = String>) {
    let lines = include_str!("data/odds-8-decks.txt").lines();
    let expected: BTreeSet<&str> =
        lines.filter(|line| line.split(' ').next().is_some_and(|first| first == kind)).collect();
    let counted: Vec<String> = counted.into_iter().collect();
    let found: BTreeSet<&str> = counted.iter().map(String::as_str).collect();
    let missing: Vec<_> = expected.difference(&found).collect();
    let wrong: Vec<_> = found.difference(&expected).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "expected {missing:#?}, counted {wrong:#?}");
    assert_eq!(counted.len(), expected.len(), "a line was counted twice");
    assert!(!expected.is_empty(), "the file has no {kind} lines");
}

#[test]
fn every_sequence_is_counted_once() {
    let all: u64 = (0..6).map(|drawn| 8 * 52 - drawn).product();
    assert_eq!(tally().total(), all);
    check("total", [format!("total {}", tally().total())]);
}

/// A class is reachable exactly if some cards of the shoe lead to it.
#[test]
fn the_reachable_classes_are_those_that_came_up() {
    let seen: Vec<usize> = (0..Outcome::COUNT).filter(|class| tally().classes[*class] > 0).collect();
    assert_eq!(Outcome::reachable().map(Outcome::index).collect::<Vec<_>>(), seen);
}

/// A class in plain numbers. Who won, by how much and whether with a natural is worked out here again.
struct Class {
    player: u8,
    banker: u8,
    player_cards: u8,
    banker_cards: u8,
    player_pair: bool,
    banker_pair: bool,
}

impl Class {
    fn of(outcome: Outcome) -> Self {
        Self {
            player: outcome.points(Side::Player),
            banker: outcome.points(Side::Banker),
            player_cards: outcome.cards(Side::Player),
            banker_cards: outcome.cards(Side::Banker),
            player_pair: outcome.is_pair(Side::Player),
            banker_pair: outcome.is_pair(Side::Banker),
        }
    }

    /// Positive if the side is ahead.
    fn lead(&self, side: Side) -> i16 {
        let ahead = i16::from(self.player) - i16::from(self.banker);
        match side {
            Side::Player => ahead,
            Side::Banker => -ahead,
        }
    }

    fn cards(&self) -> u8 {
        self.player_cards + self.banker_cards
    }

    fn is_natural(&self) -> bool {
        self.cards() == 4 && self.player.max(self.banker) >= 8
    }

    fn is_tie(&self) -> bool {
        self.player == self.banker
    }
}

/// The named ends that the bets are made of: results (HB 6.1), pairs (HB 6.2.1), sevens and sixes (HDT 6.3.1
/// to 6.7.1, HB 6.3.1), naturals and margins (DB-6.1 to DB-6.8).
#[test]
fn outcomes_by_their_features() {
    let mut lines = Vec::new();
    let mut count = |name: String, holds: &dyn Fn(&Class) -> bool| {
        let ends = Outcome::reachable().filter(|outcome| holds(&Class::of(*outcome)));
        let ways: u64 = ends.map(|outcome| tally().classes[outcome.index()]).sum();
        lines.push(format!("outcome {name} {ways}"));
    };
    count("tie".into(), &Class::is_tie);
    count("natural-tie".into(), &|end| end.is_tie() && end.is_natural());
    count("player-pair".into(), &|end| end.player_pair);
    count("banker-pair".into(), &|end| end.banker_pair);
    count("both-pairs".into(), &|end| end.player_pair && end.banker_pair);
    for side in [Side::Player, Side::Banker] {
        let name = side.key();
        count(format!("{name}-wins"), &|end| end.lead(side) > 0);
        count(format!("{name}-wins-with-natural"), &|end| end.lead(side) > 0 && end.is_natural());
        for margin in 4..=9 {
            let by = |end: &Class| end.lead(side) == margin && !end.is_natural();
            count(format!("{name}-wins-without-natural-by-{margin}"), &by);
        }
        // It loses unless its hand wins with a natural or by four or more, or two naturals tie (DB-Q2).
        count(format!("{name}-bonus-loses"), &|end| match end.lead(side).cmp(&0) {
            Ordering::Less => true,
            Ordering::Equal => !end.is_natural(),
            Ordering::Greater => !end.is_natural() && end.lead(side) < 4,
        });
    }
    for cards in [2, 3] {
        count(format!("player-wins-on-7-with-{cards}-cards"), &|end| {
            end.player == 7 && end.player > end.banker && end.player_cards == cards
        });
        let six = |end: &Class| end.banker == 6 && end.banker_cards == cards;
        count(format!("banker-wins-on-6-with-{cards}-cards"), &|end| six(end) && end.player < 6);
        count(format!("banker-fails-on-6-with-{cards}-cards"), &|end| six(end) && end.player >= 6);
    }
    for cards in 4..=6 {
        count(format!("player-7-beats-banker-6-with-{cards}-cards"), &|end| {
            (end.player, end.banker, end.cards()) == (7, 6, cards)
        });
    }
    check("outcome", lines);
}

/// How many sequences give each gain or loss of one unit.
#[expect(clippy::unwrap_used, reason = "an outcome that came up and has no line is a failed test")]
fn ways(bet: &Bet) -> BTreeMap<Ratio, u64> {
    let mut ways = BTreeMap::new();
    for (class, weight) in tally().classes.iter().enumerate().filter(|(_, weight)| **weight > 0) {
        *ways.entry(bet.pays.line(class).unwrap().payoff.net()).or_insert(0) += weight;
    }
    ways
}

/// Sections 5 and 6 of HB and HDT, MBS 4.1 to 4.3, DB-6 to DB-9, DB-18 and DB-19: what every bet of every
/// game pays, and how often.
#[test]
fn what_every_bet_pays_and_how_often() {
    let lines = baccarat_games().flat_map(|game| {
        game.bets.iter().flat_map(|bet| {
            let line = |(net, ways)| format!("ways {} {} {net} {ways}", game.id, bet.id);
            ways(bet).into_iter().map(line)
        })
    });
    check("ways", lines);
}

#[test]
fn the_edge_of_every_bet_is_exact() {
    let total = i128::from(tally().total());
    let lines = baccarat_games().flat_map(|game| {
        game.bets.iter().map(|bet| {
            let lost = |sum, (net, ways)| sum - net * Ratio::new(i128::from(ways), total);
            let edge = ways(bet).into_iter().fold(Ratio::ZERO, lost);
            format!("edge {} {} {edge}", game.id, bet.id)
        })
    });
    check("edge", lines);
}

/// HB 6.4.1, 6.4.2 and the seventeen lines of 6.4.6: offered only while a card is due.
#[test]
fn insurance_by_line() {
    let lines = insurance_table().lines.iter().zip(&tally().insurance).map(|(line, [win, push, lose])| {
        let counts = format!("banker={} player={}", line.banker_points, line.player_points).replace('–', "-");
        let (side, stage, odds) = (line.side.key(), line.stage, line.odds);
        format!("insurance {side} {stage} {counts} pays={odds} win={win} push={push} lose={lose}")
    });
    check("insurance", lines);
}

/// Both versions of the game have the same insurance table (HB 6.4.6 makes no difference), no other has one.
#[test]
fn one_insurance_table() {
    for game in baccarat_games() {
        let expected = game.id.starts_with("hoiana-baccarat/").then(insurance_table);
        assert_eq!(game.insurance.as_ref(), expected, "{}", game.id);
    }
}
