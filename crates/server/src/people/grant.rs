//! What people are allowed to be: grants, and the rights that follow from them away from the tables.

use croupier_journal::Shelf;
use croupier_rules::Rulebook;
use croupier_table::{PersonId, Rank, Staff};
use serde::{Deserialize, Serialize};

use crate::table::TableHandle;

/// Something that a person was given leave to be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Grant {
    /// A player.
    Player,
    /// Staff at tables: a rank, and where it holds.
    Staff {
        /// The rank, by its id in the rulebook, such as `pit-manager`.
        #[schema(max_length = 64)]
        rank: String,
        /// The rulebook under which it holds; under every one that has such a rank if not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(max_length = 64)]
        rulebook: Option<String>,
        /// The pit in which it holds; in all of them if not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(max_length = 64)]
        pit: Option<String>,
        /// The rank in which the person acts for the time being.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(max_length = 64)]
        acting: Option<String>,
    },
    /// Opens and closes tables, and closes the gaming day.
    FloorManager,
    /// Serves at the cage.
    Cashier,
    /// Watches everything.
    Surveillance,
    /// Reads the journal.
    Auditor,
    /// Manages people, tokens and rulebooks.
    Admin,
}

/// Something that can be done away from the tables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Right {
    /// Opening and closing tables.
    OpenTables,
    /// Closing the gaming day.
    CloseDay,
    /// Money over the counter.
    Cage,
    /// The view of surveillance.
    Watch,
    /// The journal.
    Audit,
    /// People, tokens and rulebooks.
    Administer,
}

impl Right {
    /// All rights.
    pub const ALL: [Self; 6] =
        [Self::OpenTables, Self::CloseDay, Self::Cage, Self::Watch, Self::Audit, Self::Administer];

    /// The grant that has it.
    #[must_use]
    pub const fn needs(self) -> Grant {
        match self {
            Self::OpenTables | Self::CloseDay => Grant::FloorManager,
            Self::Cage => Grant::Cashier,
            Self::Watch => Grant::Surveillance,
            Self::Audit => Grant::Auditor,
            Self::Administer => Grant::Admin,
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub const fn says(self) -> &'static str {
        match self {
            Self::OpenTables => "opening and closing tables",
            Self::CloseDay => "closing the gaming day",
            Self::Cage => "the cage",
            Self::Watch => "surveillance",
            Self::Audit => "the journal",
            Self::Administer => "administration",
        }
    }
}

impl Grant {
    /// Its name.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Staff { .. } => "staff",
            Self::FloorManager => "floor-manager",
            Self::Cashier => "cashier",
            Self::Surveillance => "surveillance",
            Self::Auditor => "auditor",
            Self::Admin => "admin",
        }
    }

    /// What is wrong with it, given the rulebooks of the floor.
    pub(super) fn fault(&self, shelf: &Shelf) -> Option<String> {
        let Self::Staff { rank, rulebook, pit, acting } = self else { return None };
        let mut books: Vec<&Rulebook> = shelf.current().map(|volume| &*volume.rulebook).collect();
        if let Some(id) = rulebook {
            books.retain(|rulebook| rulebook.id == *id);
            if books.is_empty() {
                let ids: Vec<_> = shelf.current().map(|volume| volume.rulebook.id.as_str()).collect();
                return Some(format!("there is no rulebook `{id}`; there are {}", ids.join(", ")));
            }
        }
        for rank in core::iter::once(rank).chain(acting) {
            if !books.iter().any(|rulebook| rulebook.rank(rank).is_some()) {
                let mut ranks: Vec<_> =
                    books.iter().flat_map(|rulebook| &rulebook.ranks).map(|rank| rank.id.as_str()).collect();
                ranks.sort_unstable();
                ranks.dedup();
                return Some(format!("there is no rank `{rank}` there; there are {}", ranks.join(", ")));
            }
        }
        match pit {
            Some(pit) if pit.is_empty() || pit.chars().count() > 64 => {
                Some("the name of a pit has 1 to 64 characters".to_string())
            }
            Some(_) | None => None,
        }
    }
}

/// The highest rank that grants give somebody at a table, whether on duty or not.
pub(super) fn staff_at(person: u32, grants: &[Grant], table: &TableHandle) -> Option<Staff> {
    let book = &table.setup.rulebook;
    let ranks = grants.iter().filter_map(|grant| match grant {
        Grant::Staff { rank, rulebook, pit, acting } => {
            let here = rulebook.as_ref().is_none_or(|id| *id == book.id)
                && pit.as_ref().is_none_or(|pit| *pit == table.opened.pit);
            let rank = book.rank(rank).filter(|_| here)?;
            let acting = acting.as_deref().and_then(|acting| book.rank(acting));
            let acting = acting.filter(|acting| *acting != rank).map(Rank);
            Some(Staff { person: PersonId(person), rank: Rank(rank), acting })
        }
        Grant::Player
        | Grant::FloorManager
        | Grant::Cashier
        | Grant::Surveillance
        | Grant::Auditor
        | Grant::Admin => None,
    });
    // A rank that somebody acts in comes first only where it counts.
    let acts = table.setup.acting_ranks;
    let counts = |staff: &Staff| if acts { staff.acts_as() } else { staff.rank };
    ranks.max_by_key(|staff| (book.level(counts(staff).0), book.level(staff.rank.0), staff.rank))
}
