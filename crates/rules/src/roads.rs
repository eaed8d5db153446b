//! The scoreboard of a baccarat shoe: bead plate, big road and the three roads derived from it.
//!
//! A table pushes each result as it falls, and a push costs the same in the first hand as in the last.
//! What is here is the entries and their places; colours on a screen, shapes and words do not belong here.
//!
//! ```
//! use croupier_rules::roads::{DerivedRoad, Roads, parse_marks};
//!
//! let roads = Roads::from_marks(parse_marks("BB P T BPP")?);
//! let depths: Vec<usize> = roads.big_road().map(|column| column.depth()).collect();
//! assert_eq!(depths, [2, 1, 1, 2]);
//! let big_eye_boy: String = roads.derived(DerivedRoad::BigEyeBoy).values().map(|it| it.letter()).collect();
//! assert_eq!(big_eye_boy, "BRB");
//! # Ok::<(), croupier_rules::roads::BadLetter>(())
//! ```

mod derived;
mod grid;
mod mark;

pub use derived::{Colour, DerivedRoad};
pub use grid::{Cell, Grid};
pub use mark::{BadLetter, parse_marks};

use alloc::vec::Vec;

use crate::baccarat::{Side, Winner};

/// How many rows every road has on display.
pub const ROWS: usize = 6;

/// Room for the hands of an eight-deck shoe: growing the lists bit by bit doubles the cost of a shoe.
const SHOE_HANDS: usize = 96;

/// All roads of one shoe, kept up to date hand by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roads {
    beads: Vec<Bead>,
    counts: Counts,
    leading_ties: usize,
    big_road: Grid<BigRoadEntry>,
    /// The depth of each logical column of the big road.
    depths: Vec<usize>,
    /// In the order of [`DerivedRoad::ALL`].
    derived: [Grid<Colour>; 3],
}

/// A hand on the bead plate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bead {
    /// How the hand ended.
    pub mark: Winner,
}

/// A decided hand on the big road, with the ties that fell after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BigRoadEntry {
    /// The side that won.
    pub side: Side,
    /// How many ties followed before the next decision.
    pub ties: usize,
}

/// A logical column of the big road: one side's run of wins, however long, without the tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column<'a> {
    /// The side that won every hand of the run.
    pub side: Side,
    /// Its entries from the top, each with the place where it is drawn.
    pub cells: &'a [Cell<BigRoadEntry>],
}

impl Column<'_> {
    /// How many hands the side won in a row.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.cells.len()
    }
}

/// How often each result has fallen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = RoadCounts))]
pub struct Counts {
    /// Hands won by the Player.
    pub player: usize,
    /// Hands won by the Banker.
    pub banker: usize,
    /// Hands that were equal.
    pub tie: usize,
}

impl Counts {
    /// How many hands there were.
    #[must_use]
    pub const fn total(self) -> usize {
        self.player + self.banker + self.tie
    }
}

impl Roads {
    /// The roads of a shoe from which nothing has been dealt.
    #[must_use]
    pub fn new() -> Self {
        Self::with_room_for(SHOE_HANDS)
    }

    /// The roads of a shoe with these results.
    #[must_use]
    pub fn from_marks(marks: impl IntoIterator<Item = Winner>) -> Self {
        let marks = marks.into_iter();
        let (hands, _) = marks.size_hint();
        let mut roads = Self::with_room_for(hands);
        for mark in marks {
            roads.push(mark);
        }
        roads
    }

    /// Adds the result of the next hand.
    pub fn push(&mut self, mark: Winner) {
        self.beads.push(Bead { mark });
        match mark {
            Winner::Player => self.counts.player += 1,
            Winner::Banker => self.counts.banker += 1,
            Winner::Tie => self.counts.tie += 1,
        }
        match mark.side() {
            Some(side) => self.push_decision(side),
            None => match self.big_road.last_mut() {
                Some(entry) => entry.ties += 1,
                None => self.leading_ties += 1,
            },
        }
    }

    /// The bead plate: every hand in order. It fills [`ROWS`] rows column by column.
    #[must_use]
    pub fn bead(&self) -> &[Bead] {
        &self.beads
    }

    /// How often each result has fallen.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// The ties that fell before the first decision, and so stand on no entry of the big road.
    #[must_use]
    pub const fn leading_ties(&self) -> usize {
        self.leading_ties
    }

    /// The logical columns of the big road.
    pub fn big_road(&self) -> impl DoubleEndedIterator<Item = Column<'_>> {
        self.big_road.cells().chunk_by(|one, next| one.value.side == next.value.side).filter_map(|cells| {
            let first = cells.first()?;
            Some(Column { side: first.value.side, cells })
        })
    }

    /// The big road as it is displayed, with the dragon tail.
    #[must_use]
    pub const fn big_road_cells(&self) -> &Grid<BigRoadEntry> {
        &self.big_road
    }

    /// A derived road: [`Grid::values`] is the sequence of its colours, the rest is how it is displayed.
    #[must_use]
    pub const fn derived(&self, road: DerivedRoad) -> &Grid<Colour> {
        let [big_eye_boy, small_road, cockroach_pig] = &self.derived;
        match road {
            DerivedRoad::BigEyeBoy => big_eye_boy,
            DerivedRoad::SmallRoad => small_road,
            DerivedRoad::CockroachPig => cockroach_pig,
        }
    }

    /// What the derived roads, in the order of [`DerivedRoad::ALL`], would show if the next hand ended like
    /// this: none where the road has no entry for it yet, and none at all for a tie.
    #[must_use]
    pub fn what_if(&self, mark: Winner) -> [Option<Colour>; 3] {
        let Some(side) = mark.side() else { return [None; 3] };
        let (column, row) = match self.depths.last() {
            Some(depth) if self.continues(side) => (self.depths.len(), depth + 1),
            Some(_) | None => (self.depths.len() + 1, 1),
        };
        DerivedRoad::ALL.map(|road| derived::colour(&self.depths, column, row, road.columns_back()))
    }

    fn continues(&self, side: Side) -> bool {
        self.big_road.cells().last().is_some_and(|cell| cell.value.side == side)
    }

    fn push_decision(&mut self, side: Side) {
        let colours = self.what_if(match side {
            Side::Player => Winner::Player,
            Side::Banker => Winner::Banker,
        });
        for (road, colour) in self.derived.iter_mut().zip(colours) {
            if let Some(colour) = colour {
                let starts_run = road.cells().last().is_none_or(|cell| cell.value != colour);
                road.push(colour, starts_run);
            }
        }
        let starts_run = !self.continues(side);
        match self.depths.last_mut() {
            Some(depth) if !starts_run => *depth += 1,
            Some(_) | None => self.depths.push(1),
        }
        self.big_road.push(BigRoadEntry { side, ties: 0 }, starts_run);
    }

    fn with_room_for(hands: usize) -> Self {
        let mut roads = Self::default();
        roads.beads.reserve(hands);
        roads.big_road.reserve(hands);
        roads.depths.reserve(hands);
        for road in &mut roads.derived {
            road.reserve(hands);
        }
        roads
    }
}
