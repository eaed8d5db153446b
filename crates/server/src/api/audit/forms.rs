//! What the audit tells of the journal, in the form that programs read.

use std::collections::BTreeMap;

use croupier_journal::By;
use croupier_journal::verify::{Finding, Summary, TableSummary};
use croupier_table::{PersonId, Staff};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who did something, on the floor as a whole.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = By)]
pub(crate) enum ByForm {
    /// A player.
    Player(u32),
    /// Staff of a table, in their rank under its rulebook.
    Staff(Staff),
    /// Somebody of the house away from the tables: cage, audit, administration.
    Person(PersonId),
    /// A dealing device.
    Device,
    /// The software itself.
    System,
    /// Surveillance.
    Surveillance,
    /// A display at a table.
    Display,
}

impl From<By> for ByForm {
    fn from(by: By) -> Self {
        match by {
            By::Player(player) => Self::Player(player.0),
            By::Staff(staff) => Self::Staff(staff),
            By::Person(person) => Self::Person(person),
            By::Device => Self::Device,
            By::System => Self::System,
            By::Surveillance => Self::Surveillance,
            By::Display => Self::Display,
        }
    }
}

/// A checkpoint with its signature.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignedCheckpoint {
    /// The checkpoint.
    pub(crate) checkpoint: CheckpointForm,
    /// The signature over its text, in hexadecimal.
    pub(crate) signature: String,
}

/// How far the journal has come: with `lines`, or with `heads` as earlier versions wrote it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Checkpoint)]
pub(crate) struct CheckpointForm {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// The hash of the checkpoint line before it.
    pub(crate) previous: String,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// The position of the last row that it covers.
    pub(crate) position: u64,
    /// The rolling hash of all lines through the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) lines: Option<String>,
    /// The streams that have moved, by their names; only in checkpoints of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) heads: Option<BTreeMap<String, HeadForm>>,
    /// The public key that signs it.
    pub(crate) key: String,
    /// The public key that signs from the next one on, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) next_key: Option<String>,
}

/// The end of a stream: what the next line follows.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = StreamHead)]
pub(crate) struct HeadForm {
    /// The sequence of the last line.
    pub(crate) sequence: u64,
    /// The hash of the last line.
    pub(crate) hash: String,
}

/// What a clean journal holds.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CheckSummary)]
pub(crate) struct SummaryForm {
    /// Rows, which is also the position of the last one.
    pub(crate) rows: u64,
    /// Streams.
    pub(crate) streams: u64,
    /// Events at tables and in disputes, each derived again.
    pub(crate) events: u64,
    /// Rounds that are over.
    pub(crate) rounds: u64,
    /// Wagers and insurances settled, each derived again.
    pub(crate) wagers: u64,
    /// Shoes compared with what had been committed to.
    pub(crate) shoes: u64,
    /// Disputes.
    pub(crate) cases: u64,
    /// Checkpoints.
    pub(crate) checkpoints: u64,
    /// The position of the last row that a checkpoint covers.
    pub(crate) covered: u64,
    /// The tables, in the order of their ids.
    pub(crate) tables: Vec<TableForm>,
    /// What is no fault and should be known.
    pub(crate) warnings: Vec<String>,
}

/// A table at the end of the journal.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CheckTable)]
pub(crate) struct TableForm {
    /// Which.
    pub(crate) table: u32,
    /// Its name on the floor.
    pub(crate) name: String,
    /// The game.
    pub(crate) game: String,
    /// The last line of its stream.
    pub(crate) sequence: u64,
    /// Rounds that are over.
    pub(crate) rounds: u64,
    /// Wagers and insurances settled.
    pub(crate) wagers: u64,
    /// The fingerprint of its state, in hexadecimal.
    pub(crate) fingerprint: String,
}

impl From<Summary> for SummaryForm {
    fn from(summary: Summary) -> Self {
        let Summary {
            rows,
            streams,
            events,
            rounds,
            wagers,
            shoes,
            cases,
            checkpoints,
            covered,
            tables,
            mut warnings,
            differing,
            differences,
        } = summary;
        if differing > 0 {
            warnings
                .push(format!("the journal is whole, and this engine derives {differing} lines otherwise"));
            warnings.extend(differences.iter().map(ToString::to_string));
        }
        let tables = tables.into_iter().map(TableForm::from).collect();
        Self { rows, streams, events, rounds, wagers, shoes, cases, checkpoints, covered, tables, warnings }
    }
}

impl From<TableSummary> for TableForm {
    fn from(table: TableSummary) -> Self {
        let TableSummary { table, name, game, sequence, rounds, wagers, fingerprint } = table;
        let fingerprint = format!("{fingerprint:016x}");
        Self { table: table.0, name, game, sequence, rounds, wagers, fingerprint }
    }
}

/// The first thing that is not as it must be.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CheckFinding)]
pub(crate) struct FindingForm {
    /// The position of the row; nothing if it is about the checkpoints themselves.
    pub(crate) position: Option<u64>,
    /// Its stream, if that is known.
    pub(crate) stream: Option<String>,
    /// Its number there.
    pub(crate) sequence: Option<u64>,
    /// What is wrong.
    pub(crate) what: String,
    /// The clauses of the table's rulebook that say so, if they do.
    pub(crate) clauses: Vec<String>,
}

impl From<Finding> for FindingForm {
    fn from(finding: Finding) -> Self {
        let Finding { position, stream, sequence, what, clauses } = finding;
        Self { position, stream: stream.map(|stream| stream.to_string()), sequence, what, clauses }
    }
}
