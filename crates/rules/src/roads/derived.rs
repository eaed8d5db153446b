//! The three derived roads and the rule that colours their entries.

/// The colour of an entry of a derived road. It says whether the shoe repeats itself, not who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = RoadColour))]
pub enum Colour {
    /// `R`: the big road follows its pattern.
    Red,
    /// `B`: the big road breaks its pattern.
    Blue,
}

impl Colour {
    /// `R` or `B`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Red => 'R',
            Self::Blue => 'B',
        }
    }
}

/// One of the roads derived from the big road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DerivedRoad {
    /// Compares with the column before.
    BigEyeBoy,
    /// Compares with the second column before.
    SmallRoad,
    /// Compares with the third column before.
    CockroachPig,
}

impl DerivedRoad {
    /// All three, in the order in which they are displayed.
    pub const ALL: [Self; 3] = [Self::BigEyeBoy, Self::SmallRoad, Self::CockroachPig];

    /// How many columns back the road looks: 1, 2 or 3.
    #[must_use]
    pub const fn columns_back(self) -> usize {
        match self {
            Self::BigEyeBoy => 1,
            Self::SmallRoad => 2,
            Self::CockroachPig => 3,
        }
    }

    /// The road's name in English.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BigEyeBoy => "Big eye boy",
            Self::SmallRoad => "Small road",
            Self::CockroachPig => "Cockroach pig",
        }
    }
}

/// The colour of the entry that stands at `row` of logical column `column` of the big road, both counted
/// from 1, on the road that looks `columns_back`; none where a compared column does not exist.
///
/// `depths` are those of the logical columns: ties left out, no tail.
pub(super) fn colour(depths: &[usize], column: usize, row: usize, columns_back: usize) -> Option<Colour> {
    let depth = |back: usize| depths.get(column.checked_sub(back + 1)?).copied();
    let breaks_pattern = if row == 1 {
        depth(1)? != depth(columns_back + 1)?
    } else {
        // Level with the compared column, or more than one below its foot, the pattern holds.
        row == depth(columns_back)? + 1
    };
    Some(if breaks_pattern { Colour::Blue } else { Colour::Red })
}
