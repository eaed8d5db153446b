//! The designer: a solved pay gives the wanted edge exactly.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use croupier_cards::Decks;
use croupier_lab::Fraction;
use croupier_lab::design::{Priced, SolveError, Wanted, price};
use croupier_rules::{BetSheet, Library};

fn priced(text: &str, line: Option<usize>, edge: Fraction) -> Priced {
    let sheet = BetSheet::parse(text, &Library::standard()).unwrap();
    let wanted = Wanted { edge, line };
    price(&sheet, &[Decks::new(8).unwrap()], Some(&wanted)).unwrap().remove(0)
}

fn lucky(small: &str) -> String {
    format!(
        "[[bet]]\nid = \"lucky-6\"\npays = [\n\
         {{ when = {{ winner = \"banker\", banker-points = 6, banker-cards = 2 }}, odds = \"{small}\" }},\n\
         {{ when = {{ winner = \"banker\", banker-points = 6 }}, odds = \"20:1\", less = \"5%\" }},\n]\n\
         otherwise = \"lose\"\n"
    )
}

/// Whole odds from the solution, written into the bet, price as the solution says.
#[test]
fn the_edges_beside_the_solution_are_those_of_the_bets() {
    let found = priced(&lucky("12:1"), None, Fraction::new(1, 10)).solved.unwrap().unwrap();
    assert_eq!(found.whole.len(), 2);
    assert!(found.whole[0].edge > found.wanted && found.wanted > found.whole[1].edge);
    for whole in &found.whole {
        let again = priced(&lucky(&format!("{}:1", whole.odds)), None, Fraction::new(1, 10));
        assert_eq!(again.figures.par.edge, whole.edge);
    }
}

/// Asked for the edge that it has, a line pays what it pays, before its commission.
#[test]
fn the_edge_at_hand_gives_the_pay_at_hand() {
    let edge = priced(&lucky("12:1"), None, Fraction::new(0, 1)).figures.par.edge;
    for (line, pays) in [(0, 12), (1, 20)] {
        let solution = priced(&lucky("12:1"), Some(line), edge.clone()).solved.unwrap().unwrap();
        assert_eq!(solution.pays, Fraction::new(pays, 1));
        assert_eq!(solution.whole.len(), 1, "whole already");
        assert_eq!(solution.whole[0].edge, edge);
    }
}

#[test]
fn what_cannot_be_solved_says_why() {
    let error = |line, edge| priced(&lucky("12:1"), Some(line), edge).solved.unwrap().unwrap_err();
    assert!(matches!(error(2, Fraction::new(1, 10)), SolveError::NoPay { line: 3, .. }));
    assert!(matches!(error(3, Fraction::new(1, 10)), SolveError::NoLine { line: 4, lines: 3 }));
    assert!(matches!(error(0, Fraction::new(9, 10)), SolveError::TooMuch { line: 1, .. }));
}
