//! Who acts at a table.

use core::fmt;

pub use croupier_ledger::PlayerId;

/// A member of the staff.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PersonId(pub u32);

impl fmt::Display for PersonId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A rank of the table's rulebook, by its place there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = StaffRank))]
pub struct Rank(pub u8);

/// A member of the staff in a rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Staff {
    /// Who.
    pub person: PersonId,
    /// The rank held.
    pub rank: Rank,
    /// The rank in which the person acts, if it is another one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub acting: Option<Rank>,
}

impl Staff {
    /// The rank that the person goes by at the table. Whether it counts as held is for
    /// [`Authority`](crate::authority::Authority) to say.
    #[must_use]
    pub fn acts_as(self) -> Rank {
        self.acting.unwrap_or(self.rank)
    }
}

/// Who gives a command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Actor {
    /// A player, for himself.
    Player(PlayerId),
    /// A member of the staff.
    Staff(Staff),
    /// The dealing device.
    Device,
    /// The software itself: clocks that ran out, and the Dealer of an automatic table.
    System,
    /// Surveillance: informed, heard, without a rank.
    Surveillance,
    /// A display at the table: it shows, and does nothing else.
    Display,
}

impl Actor {
    /// The player, if it is one.
    #[must_use]
    pub const fn player(self) -> Option<PlayerId> {
        match self {
            Self::Player(player) => Some(player),
            Self::Staff(_) | Self::Device | Self::System | Self::Surveillance | Self::Display => None,
        }
    }
}
