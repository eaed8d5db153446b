//! The roads against a reference file, against a second implementation written from the rule's text, and
//! against pictures drawn by hand.

mod common;

use common::cases;
use croupier_rules::baccarat::Winner;
use croupier_rules::roads::{BadLetter, Colour, DerivedRoad, Grid, ROWS, Roads, parse_marks};
use proptest::prelude::*;
use std::collections::BTreeSet;

#[expect(clippy::panic, reason = "a shoe that does not parse is a mistake in the test")]
fn roads(shoe: &str) -> Roads {
    Roads::from_marks(parse_marks(shoe).unwrap_or_else(|error| panic!("{shoe}: {error}")))
}

fn letters(road: &Grid<Colour>) -> String {
    road.values().map(Colour::letter).collect()
}

fn derived(roads: &Roads) -> [String; 3] {
    DerivedRoad::ALL.map(|road| letters(roads.derived(road)))
}

/// Draws a displayed road, a row a line, `.` for an empty cell.
fn draw<T: Copy>(grid: &Grid<T>, letter: impl Fn(T) -> char) -> String {
    let columns = grid.columns();
    let row =
        |row: usize| -> String { columns.iter().map(|column| column[row].map_or('.', &letter)).collect() };
    (0..ROWS).map(row).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check_big_road(shoe: &str, picture: [&str; ROWS]) {
    let drawn = draw(roads(shoe).big_road_cells(), |entry| entry.side.letter());
    assert_eq!(drawn, picture.join("\n"), "{shoe}\n{drawn}");
}

#[test]
fn reference_shoes() {
    let lines = include_str!("data/roads.txt").lines().filter(|line| !line.starts_with('#'));
    let mut shoes = 0;
    for line in lines {
        let fields: Vec<&str> = line.split('|').collect();
        let [shoe, expected @ ..] = fields.as_slice() else { panic!("no shoe in {line}") };
        assert_eq!(derived(&roads(shoe)).as_slice(), expected, "{shoe}");
        shoes += 1;
    }
    assert_eq!(shoes, 20);
}

/// The rule, word for word: for an entry at row m of column n, if m = 1: red when columns n−1 and n−k−1 are
/// equally deep, else blue; if m > 1, with p the depth of column n−k: red when m ≤ p, blue when m = p+1, red
/// when m > p+1. No entry where a compared column does not exist.
fn derived_by_the_text(marks: &[Winner], k: i64) -> String {
    let decided: Vec<Winner> = marks.iter().copied().filter(|mark| *mark != Winner::Tie).collect();
    let columns: Vec<&[Winner]> = decided.chunk_by(PartialEq::eq).collect();
    let depth =
        |n: i64| usize::try_from(n - 1).ok().map(|index| i64::try_from(columns[index].len()).unwrap_or(0));
    let mut road = String::new();
    for n in 1.. {
        if usize::try_from(n).is_ok_and(|n| n > columns.len()) {
            return road;
        }
        for m in 1..=depth(n).unwrap_or(0) {
            if m == 1 {
                if let (Some(one), Some(other)) = (depth(n - 1), depth(n - k - 1)) {
                    road.push(if one == other { 'R' } else { 'B' });
                }
            } else if let Some(p) = depth(n - k) {
                if m <= p {
                    road.push('R');
                } else if m == p + 1 {
                    road.push('B');
                } else if m > p + 1 {
                    road.push('R');
                }
            }
        }
    }
    road
}

/// The places of a road's entries, from what a dealer is told: down, and to the right when down is taken.
fn places_by_the_text<T: PartialEq>(values: &[T]) -> Vec<(usize, usize)> {
    let mut taken = BTreeSet::new();
    let mut places = Vec::new();
    for run in values.chunk_by(PartialEq::eq) {
        let mut column = 0;
        while taken.contains(&(column, 0)) {
            column += 1;
        }
        let (mut row, mut tail) = (0, false);
        for step in 0..run.len() {
            if step > 0 {
                tail |= row == 5 || taken.contains(&(column, row + 1));
                if tail { column += 1 } else { row += 1 }
            }
            assert!(taken.insert((column, row)), "two entries in one place");
            places.push((column, row));
        }
    }
    places
}

fn places<T: Copy>(grid: &Grid<T>) -> Vec<(usize, usize)> {
    grid.cells().iter().map(|cell| (cell.column, cell.row)).collect()
}

/// Shoes of every temper: alternating, streaky, and full of ties.
fn any_shoe() -> impl Strategy<Value = Vec<Winner>> {
    (0u32..8, 1u32..8, 1u32..8).prop_flat_map(|(ties, players, bankers)| {
        let hand = prop_oneof![
            ties => Just(Winner::Tie), players => Just(Winner::Player), bankers => Just(Winner::Banker),
        ];
        let streak = (hand, prop_oneof![3 => 1usize..3, 1 => 3usize..14]);
        prop::collection::vec(streak, 0..60)
            .prop_map(|streaks| streaks.into_iter().flat_map(|(mark, hands)| vec![mark; hands]).collect())
    })
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn the_derived_roads_follow_the_text(marks in any_shoe()) {
        let roads = Roads::from_marks(marks.iter().copied());
        prop_assert_eq!(derived(&roads), [1, 2, 3].map(|k| derived_by_the_text(&marks, k)));
    }

    #[test]
    fn the_grids_follow_the_text(marks in any_shoe()) {
        let roads = Roads::from_marks(marks.iter().copied());
        let decided: Vec<Winner> = marks.into_iter().filter(|mark| *mark != Winner::Tie).collect();
        prop_assert_eq!(places(roads.big_road_cells()), places_by_the_text(&decided));
        for road in DerivedRoad::ALL.map(|road| roads.derived(road)) {
            let colours: Vec<Colour> = road.values().collect();
            prop_assert_eq!(places(road), places_by_the_text(&colours));
            let width = places(road).iter().map(|(column, _)| column + 1).max().unwrap_or(0);
            prop_assert_eq!(road.width(), width);
        }
    }

    #[test]
    fn what_if_foretells_each_push(marks in any_shoe()) {
        let mut live = Roads::new();
        for mark in marks.iter().copied() {
            let before = derived(&live);
            let foretold = live.what_if(mark);
            live.push(mark);
            for ((after, before), colour) in derived(&live).iter().zip(before).zip(foretold) {
                prop_assert_eq!(after, &before.chars().chain(colour.map(Colour::letter)).collect::<String>());
            }
        }
        prop_assert_eq!(live, Roads::from_marks(marks));
    }

    #[test]
    fn no_hand_is_lost(marks in any_shoe()) {
        let roads = Roads::from_marks(marks.iter().copied());
        let mut replayed = vec![Winner::Tie; roads.leading_ties()];
        for column in roads.big_road() {
            for cell in column.cells {
                prop_assert_eq!(cell.value.side, column.side);
                replayed.push(Winner::from_letter(column.side.letter()).unwrap());
                replayed.extend(vec![Winner::Tie; cell.value.ties]);
            }
        }
        prop_assert_eq!(&replayed, &marks);
        prop_assert_eq!(roads.bead().iter().map(|bead| bead.mark).collect::<Vec<_>>(), marks);
        prop_assert_eq!(roads.counts().total(), roads.bead().len());
    }
}

#[test]
fn a_run_turns_right_at_the_bottom() {
    check_big_road("BBBBB", ["B", "B", "B", "B", "B", "."]);
    check_big_road("BBBBBB", ["B", "B", "B", "B", "B", "B"]);
    check_big_road("BBBBBBB", ["B.", "B.", "B.", "B.", "B.", "BB"]);
}

#[test]
fn a_run_turns_right_above_an_older_tail() {
    check_big_road("BBBBBBBB PPPPPPP B", ["BPB.", "BP..", "BP..", "BP..", "BPPP", "BBB."]);
}

#[test]
fn a_tail_stays_on_its_row_past_the_end_of_the_older_one() {
    check_big_road("BBBBBBB PPPPPPP", ["BP..", "BP..", "BP..", "BP..", "BPPP", "BB.."]);
}

#[test]
fn a_tail_on_the_top_row_moves_the_next_run_aside() {
    let shoe = "BBBBBBBBBBBBB PPPPPPPPPPPP BBBBBBBBBB PPPPPPPP BBBBBB PPPP BB";
    check_big_road(
        shoe,
        ["BPBPBPPPPB", "BPBPBBBBBB", "BPBPPPPPP.", "BPBBBBBBB.", "BPPPPPPPP.", "BBBBBBBB.."],
    );
}

#[test]
fn ties_stay_on_the_entry_where_they_fell() {
    let roads = roads("TT B T B P TTT");
    assert_eq!(roads.leading_ties(), 2);
    let ties: Vec<Vec<usize>> =
        roads.big_road().map(|column| column.cells.iter().map(|cell| cell.value.ties).collect()).collect();
    assert_eq!(ties, [vec![1, 0], vec![3]]);
    assert_eq!((roads.counts().player, roads.counts().banker, roads.counts().tie), (1, 2, 6));
}

/// The rule at n−1, n and n+1: a column as deep as the one before it, one deeper, and deeper still.
#[test]
fn the_foot_of_the_compared_column_is_the_only_blue() {
    assert_eq!(letters(roads("BBB PP").derived(DerivedRoad::BigEyeBoy)), "R");
    assert_eq!(letters(roads("BBB PPP").derived(DerivedRoad::BigEyeBoy)), "RR");
    assert_eq!(letters(roads("BBB PPPP").derived(DerivedRoad::BigEyeBoy)), "RRB");
    assert_eq!(letters(roads("BBB PPPPP").derived(DerivedRoad::BigEyeBoy)), "RRBR");
}

#[test]
fn a_derived_road_begins_where_both_columns_exist() {
    assert_eq!(derived(&roads("B P")), ["", "", ""]);
    assert_eq!(derived(&roads("B P B")), ["R", "", ""]);
    assert_eq!(derived(&roads("B PP")), ["B", "", ""]);
    assert_eq!(derived(&roads("B P BB")), ["RB", "B", ""]);
    assert_eq!(derived(&roads("B P B PP")), ["RRB", "RB", "B"]);
}

#[test]
fn an_empty_shoe_foretells_nothing() {
    let roads = Roads::new();
    assert_eq!([Winner::Player, Winner::Banker, Winner::Tie].map(|mark| roads.what_if(mark)), [[None; 3]; 3]);
    assert_eq!(roads.big_road().count(), 0);
    assert_eq!(roads.big_road_cells().width(), 0);
}

#[test]
fn letters_are_read_in_either_case_and_faults_are_placed() {
    assert_eq!(parse_marks(" bP-t\t"), Ok(vec![Winner::Banker, Winner::Player, Winner::Tie]));
    assert_eq!(parse_marks("BP é"), Err(BadLetter { column: 4, letter: 'é' }));
    assert_eq!(
        parse_marks("BX").unwrap_err().to_string(),
        "column 2: 'X' is not a result; accepted are P (Player), B (Banker) and T (Tie) in either case, and \
         spaces or dashes between them"
    );
}
