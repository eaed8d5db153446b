//! What a case refers to, and the eight kinds of grounds a decision may rest on. Only identifiers: a file, a
//! recording or a paper stays where it is.

use croupier_ledger::{RoundId, TableId};
use croupier_rules::Rule;

/// A reference to evidence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Evidence {
    /// The round as a file.
    RoundFile {
        /// At which table.
        table: TableId,
        /// Which.
        round: RoundId,
    },
    /// An extract of the table's journal, first and last event included.
    Journal {
        /// Of which table.
        table: TableId,
        /// The number of the first event.
        from: u64,
        /// The number of the last event.
        to: u64,
    },
    /// What a shoe read.
    ShoeFeed {
        /// Its identifier.
        reference: String,
    },
    /// What Surveillance recorded.
    Surveillance {
        /// The identifier of the recording or report.
        reference: String,
    },
    /// A sign, limit or pay table in force at the time.
    Published {
        /// Its identifier.
        reference: String,
    },
    /// Any other paper.
    Document {
        /// What it is.
        kind: String,
        /// Its identifier.
        reference: String,
    },
}

impl Evidence {
    /// The identifier, where it is the user's own and could be empty.
    pub(super) fn reference(&self) -> Option<&str> {
        match self {
            Self::RoundFile { .. } | Self::Journal { .. } => None,
            Self::ShoeFeed { reference }
            | Self::Surveillance { reference }
            | Self::Published { reference }
            | Self::Document { reference, .. } => Some(reference),
        }
    }

    /// The ground that a decision resting on it has.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        match self {
            Self::Surveillance { .. } => Rule::GroundSurveillance,
            Self::Published { .. } => Rule::GroundPublished,
            Self::RoundFile { .. } | Self::Journal { .. } | Self::ShoeFeed { .. } | Self::Document { .. } => {
                Rule::GroundEvidence
            }
        }
    }
}

/// What a decision rests on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Ground {
    /// The approved rules of the game.
    Rules {
        /// The clause, such as `7.16`.
        clause: String,
        /// The version of the rulebook.
        version: String,
    },
    /// Approved information the house has published.
    Published {
        /// Which sign, limit or pay table.
        reference: String,
    },
    /// Approved operating procedures.
    Procedures {
        /// Which.
        reference: String,
    },
    /// Approved internal control standards.
    Controls {
        /// Which.
        reference: String,
    },
    /// The accounts of both sides, as the case holds them.
    Statements,
    /// Evidence of Surveillance that is attached to the case.
    Surveillance {
        /// The identifier it was attached with.
        reference: String,
    },
    /// Any other evidence that is attached to the case.
    Evidence(Evidence),
    /// The law that applies.
    Law {
        /// Where it says so.
        citation: String,
    },
}

impl Ground {
    /// The rule that makes it a ground.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        match self {
            Self::Rules { .. } => Rule::GroundRules,
            Self::Published { .. } => Rule::GroundPublished,
            Self::Procedures { .. } => Rule::GroundProcedures,
            Self::Controls { .. } => Rule::GroundControls,
            Self::Statements => Rule::GroundStatements,
            Self::Surveillance { .. } => Rule::GroundSurveillance,
            Self::Evidence(_) => Rule::GroundEvidence,
            Self::Law { .. } => Rule::GroundLaw,
        }
    }
}
