//! The roads of a shoe as one JSON object on a line. Programs build on this shape: keep it stable.

use croupier_rules::baccarat::Winner;
use croupier_rules::roads::{Colour, DerivedRoad, Roads};
use serde::Serialize;
use std::io::{self, Write};

pub(super) fn shoe(out: &mut dyn Write, roads: &Roads) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &ShoeJson::new(roads))?;
    out.write_all(b"\n")
}

#[derive(Serialize)]
struct ShoeJson {
    /// Every hand in order: `"PBT"`.
    bead: String,
    /// The logical columns, without the tail.
    big_road: Vec<Column>,
    /// The colours in order, `R` and `B`.
    big_eye_boy: String,
    small_road: String,
    cockroach_pig: String,
    /// Ties before the first decision, which stand on no entry of the big road.
    leading_ties: usize,
    counts: Counts,
    next: Next,
}

#[derive(Serialize)]
struct Column {
    side: char,
    depth: usize,
    /// For each entry from the top, how many ties followed it.
    ties: Vec<usize>,
}

#[derive(Serialize)]
struct Counts {
    player: usize,
    banker: usize,
    tie: usize,
}

/// What the next hand would put on the three derived roads: `"RB-"`, with `-` for no entry.
#[derive(Serialize)]
struct Next {
    player: String,
    banker: String,
}

impl ShoeJson {
    fn new(roads: &Roads) -> Self {
        let colours = |road| roads.derived(road).values().map(Colour::letter).collect();
        let next =
            |mark| roads.what_if(mark).map(|colour| colour.map_or('-', Colour::letter)).iter().collect();
        let counts = roads.counts();
        Self {
            bead: roads.bead().iter().map(|bead| bead.mark.letter()).collect(),
            big_road: roads
                .big_road()
                .map(|column| Column {
                    side: column.side.letter(),
                    depth: column.depth(),
                    ties: column.cells.iter().map(|cell| cell.value.ties).collect(),
                })
                .collect(),
            big_eye_boy: colours(DerivedRoad::BigEyeBoy),
            small_road: colours(DerivedRoad::SmallRoad),
            cockroach_pig: colours(DerivedRoad::CockroachPig),
            leading_ties: roads.leading_ties(),
            counts: Counts { player: counts.player, banker: counts.banker, tie: counts.tie },
            next: Next { player: next(Winner::Player), banker: next(Winner::Banker) },
        }
    }
}
