//! Insurance by situation, against the figures by line and against whole enumerations of small shoes.
#![expect(clippy::unwrap_used, reason = "what cannot be had is a failed test")]

use std::collections::{BTreeMap, BTreeSet};

use croupier_cards::{Card, Decks, Rank, Suit};
use croupier_lab::insurance::{InsuranceSituation, situations};
use croupier_lab::{Fraction, RankCounts};
use croupier_rules::baccarat::insurance::{InsuranceEnd, Stage};
use croupier_rules::baccarat::{Deal, Side};
use croupier_rules::{Game, Library};

const ODDS: &str = include_str!("../../rules/tests/data/odds-8-decks.txt");

fn game() -> Game {
    Library::standard().game("hoiana-baccarat/commission").unwrap().clone()
}

fn eight_decks() -> Vec<InsuranceSituation> {
    situations(&game(), &RankCounts::of_decks(Decks::new(8).unwrap()))
}

/// HB 6.4.6: the situations of a line add up to the line.
#[test]
fn situations_add_up_to_the_lines() {
    let game = game();
    let situations = eight_decks();
    let lines = game.insurance.as_ref().unwrap().lines.iter().enumerate().map(|(at, line)| {
        let of_line = || situations.iter().filter(|situation| situation.line == at);
        let win: u64 = of_line().map(|situation| situation.win).sum();
        let push: u64 = of_line().map(|situation| situation.push).sum();
        let lose: u64 = of_line().map(|situation| situation.lose).sum();
        let counts = format!("banker={} player={}", line.banker_points, line.player_points).replace('–', "-");
        let (side, stage, odds) = (line.side.key(), line.stage, line.odds);
        format!("insurance {side} {stage} {counts} pays={odds} win={win} push={push} lose={lose}")
    });
    let expected: BTreeSet<&str> = ODDS.lines().filter(|line| line.starts_with("insurance ")).collect();
    let counted: Vec<String> = lines.collect();
    assert_eq!(counted.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected);
    assert_eq!(counted.len(), expected.len());
}

#[test]
fn three_lines_and_thirteen_situations_favour_the_player() {
    let situations = eight_decks();
    assert_eq!(situations.iter().filter(|situation| situation.favours_player()).count(), 13);
    let mut lines: BTreeMap<usize, Fraction> = BTreeMap::new();
    for situation in &situations {
        let loss = situation.edge().times(&situation.chance());
        let sum = lines.entry(situation.line).or_insert_with(|| Fraction::new(0, 1));
        *sum = sum.plus(&loss);
    }
    assert_eq!(lines.values().filter(|loss| loss.is_negative()).count(), 3);
}

#[test]
fn banker_six_against_player_five() {
    let situation = eight_decks()
        .into_iter()
        .find(|at| (at.stage, at.banker_points, at.player_points) == (Stage::FourCards, 6, 5))
        .unwrap();
    assert_eq!(situation.side, Side::Banker);
    assert_eq!(situation.edge().decimal(10), "-0.0843966817");
    assert_eq!(situation.odds.to_string(), "3:1");
    assert_eq!(situation.total, 4_998_398_275_503_360);
}

/// In the rulebook's order, then by the Banker's and the Player's points; every one once.
#[test]
fn order() {
    let keys: Vec<_> = eight_decks().iter().map(|at| (at.line, at.banker_points, at.player_points)).collect();
    assert!(keys.is_sorted());
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
    // 4 + 5 + 6 + 6, 1 + 5 + 4 + 1 + 1, 1 + 6 + 6, 5 + 6 + 7 + 7 + 7 pairs of counts in the seventeen lines.
    assert_eq!(keys.len(), 78);
}

#[test]
fn games_without_insurance_have_no_situations() {
    let library = Library::standard();
    let counts = RankCounts::of_decks(Decks::new(8).unwrap());
    assert!(situations(library.game("mbs-dragon-tiger").unwrap(), &counts).is_empty());
}

/// Line, Banker's points, Player's points, and how it ends.
type Ends = BTreeMap<(usize, u8, u8), [u64; 3]>;

/// Every sequence of six ranks, with the offers as the rules make them.
fn plain(game: &Game, left: &mut [u64; 13], deal: Deal, weight: u64, drawn: u32, ends: &mut Ends) {
    if drawn == 6 {
        let Some(outcome) = deal.outcome() else { return };
        let table = game.insurance.as_ref().unwrap();
        for stage in Stage::ALL {
            let then = deal.after(stage.draws());
            let offer = table.offer(&then).filter(|(at, ..)| *at == stage);
            if let Some((_, number, line)) = offer {
                let end = match line.end(outcome) {
                    InsuranceEnd::Win => 0,
                    InsuranceEnd::Push => 1,
                    InsuranceEnd::Lose => 2,
                };
                let key = (number, then.points(Side::Banker), then.points(Side::Player));
                ends.entry(key).or_default()[end] += weight;
            }
        }
        return;
    }
    for rank in Rank::ALL {
        let count = left[rank.index()];
        if count > 0 {
            let mut next = deal;
            // A card that no hand takes stays unseen, and still has its place in the sequence.
            let _ = next.draw(Card::new(rank, Suit::Spades));
            left[rank.index()] -= 1;
            plain(game, left, next, weight * count, drawn + 1, ends);
            left[rank.index()] += 1;
        }
    }
}

#[test]
fn small_shoes_by_whole_enumeration() {
    let game = game();
    for text in [
        "1,1,1,1,1,1,1,1,1,0,0,0,0",
        "0,0,3,0,2,4,0,1,0,5,0,2,0",
        "0,0,0,0,0,0,0,0,0,0,0,6,0",
        "2,0,0,0,0,2,0,0,0,0,1,0,1",
        "40,0,0,0,0,0,0,1,0,0,0,3,0",
    ] {
        let counts: RankCounts = text.parse().unwrap();
        let mut expected = Ends::new();
        plain(&game, &mut counts.counts().map(u64::from), Deal::default(), 1, 0, &mut expected);
        let found: Ends = situations(&game, &counts)
            .iter()
            .map(|at| ((at.line, at.banker_points, at.player_points), [at.win, at.push, at.lose]))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}
