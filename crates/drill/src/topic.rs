//! What a drill is about.

use core::fmt;
use core::str::FromStr;

use croupier_rules::Irregularity;

/// Regular work at a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Work {
    /// The counts, and whose card is due.
    ThirdCards,
    /// What each wager wins or loses, commission included.
    Payouts,
    /// What insurance pays and how much may be laid.
    Insurance,
    /// What is in action when the differential is exceeded, and wagers outside the limits.
    ProRata,
    /// Who squeezes.
    Squeeze,
    /// What the hands of Niu Niu are, and who wins.
    Ranking,
}

impl Work {
    /// All of it.
    pub const ALL: [Self; 6] =
        [Self::ThirdCards, Self::Payouts, Self::Insurance, Self::ProRata, Self::Squeeze, Self::Ranking];

    /// The name used in commands and files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::ThirdCards => "third-cards",
            Self::Payouts => "payouts",
            Self::Insurance => "insurance",
            Self::ProRata => "pro-rata",
            Self::Squeeze => "squeeze",
            Self::Ranking => "ranking",
        }
    }
}

/// What a drill is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// Regular work.
    Work(Work),
    /// Something that goes wrong.
    Irregularity(Irregularity),
}

impl Topic {
    /// The name used in commands and files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Work(work) => work.key(),
            Self::Irregularity(irregularity) => irregularity.key(),
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

impl FromStr for Topic {
    type Err = ();
    fn from_str(key: &str) -> Result<Self, ()> {
        let work = Work::ALL.into_iter().find(|work| work.key() == key).map(Self::Work);
        work.map_or_else(|| key.parse().map(Self::Irregularity), Ok)
    }
}
