//! What is counted, in words.

use croupier_rules::Family;

/// How the deals that a sheet counts are spoken of.
pub(super) struct SampleSpace {
    /// `sequences`
    pub(super) short: &'static str,
    /// `sequences of six cards`
    pub(super) what: &'static str,
    /// `all sequences of six cards, without replacement`
    pub(super) all: &'static str,
}

impl SampleSpace {
    /// That of a family.
    pub(super) const fn of(family: Family) -> Self {
        match family {
            Family::Baccarat => Self {
                short: "sequences",
                what: "sequences of six cards",
                all: "all sequences of six cards, without replacement",
            },
            Family::NiuNiu => Self {
                short: "deals",
                what: "deals of a box and the Dealer",
                all: "all deals of a box and the Dealer",
            },
        }
    }
}
