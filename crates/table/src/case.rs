//! Disputes: one case from the moment somebody disagrees to the answer that ends it.
//!
//! A case is an aggregate of its own. It outlives its table, names the round it is about and never changes
//! it; money moves by corrections that cite the case. [`open`] begins one, [`decide`] says what a command
//! does or why it is refused, [`apply`] takes the events over and decides nothing, and [`legal`] lists what
//! may be done now. A rulebook without a section on disputes runs the same way; then nothing is cited, for
//! it is the operator's own procedure.
//!
//! What does not belong here: the content of evidence (only identifiers are kept), the books (see
//! [`entries`]), clocks, and whether play at the table goes on.

mod act;
mod apply;
mod command;
mod decide;
mod evidence;
mod legal;
mod money;
mod open;
mod refusal;

use core::fmt;

use croupier_ledger::{CaseId, RoundId, TableId};

use crate::actor::{Actor, PersonId, PlayerId};

pub use act::CaseAct;
pub use apply::{apply, replay};
pub use command::{CaseChange, CaseCommand, CaseEvent, CaseOrder, Opening};
pub use decide::decide;
pub use evidence::{Evidence, Ground};
pub use legal::{Possible, legal};
pub use money::{Correction, Posted, Through, entries};
pub use open::open;
pub use refusal::CaseRefusal;

/// A dispute case.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Case {
    /// Its id, which corrections carry.
    pub id: CaseId,
    /// What it is about.
    pub about: Subject,
    /// Who raised it.
    pub raised_by: Actor,
    /// When, in seconds.
    pub opened_at: u64,
    /// How far it has come.
    pub state: CaseState,
    /// Whoever tried to settle it first; none of them decides it.
    pub first_line: Vec<PersonId>,
    /// Who took it over.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub owner: Option<PersonId>,
    /// References to evidence, in the order they were attached.
    pub evidence: Vec<Evidence>,
    /// The player's account.
    pub player_statement: Statement,
    /// The staff's account.
    pub staff_statement: Statement,
    /// Why the player could not be heard.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub player_not_heard: Option<Written>,
    /// Why nobody of the staff could be heard.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub staff_not_heard: Option<Written>,
    /// The facts gathered.
    pub facts: Vec<Written>,
    /// Who informed Surveillance, and when.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub surveillance: Option<Told>,
    /// By when the player may expect an answer, or why that was not said.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub due: Option<Due>,
    /// The decision.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub decision: Option<Decision>,
    /// Who told the player of the right to complain, and when.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub right_told: Option<Told>,
    /// Who helps the player to complain.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub helper: Option<PersonId>,
    /// The formal complaint, by its reference.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub complaint: Option<Written>,
    /// How it ended.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub end: Option<End>,
}

/// What a case is about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CaseSubject))]
pub struct Subject {
    /// At which table.
    pub table: TableId,
    /// Under which rulebook and version.
    pub rulebook: RulebookVersion,
    /// In which round, if in one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub round: Option<DisputedRound>,
    /// Whose dispute it is.
    pub player: PlayerId,
    /// What is disputed.
    pub matter: Matter,
    /// Whoever ruled in that round; none of them judges the case.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub ruled_by: Vec<PersonId>,
    /// The dispute in words.
    pub words: String,
}

/// A rulebook as approved at a time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulebookVersion {
    /// The rulebook's id.
    pub id: String,
    /// Its version.
    pub version: String,
}

impl fmt::Display for RulebookVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} version {}", self.id, self.version)
    }
}

/// A round with the place of its events in the table's journal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DisputedRound {
    /// Which.
    pub id: RoundId,
    /// The number of its first event.
    pub from: u64,
    /// The number of its last event.
    pub to: u64,
}

/// What is disputed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CaseMatter))]
pub enum Matter {
    /// A round as a whole.
    Round,
    /// A wager, or what was paid on it.
    Wager,
    /// A ruling, and who gave it.
    Ruling {
        /// Who.
        by: Actor,
    },
}

/// How far a case has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CaseState {
    /// Raised, and nobody has it yet.
    Opened,
    /// The first line tries to settle it.
    FirstLine,
    /// Not settled: it waits for somebody who may decide.
    Escalated,
    /// The facts are gathered.
    Gathering,
    /// Everything is there for a decision.
    UnderReview,
    /// Decided; the player's answer is due.
    Decided,
    /// The player agrees; corrections are to be posted.
    Accepted,
    /// The player disagrees, and is told of the right to complain.
    RightsInformed,
    /// The player is helped to complain.
    Assisting,
    /// The complaint was handed in.
    ComplaintFiled,
    /// At its end.
    Closed,
}

impl CaseState {
    /// All states, in the order a case may pass them.
    pub const ALL: [Self; 11] = [
        Self::Opened,
        Self::FirstLine,
        Self::Escalated,
        Self::Gathering,
        Self::UnderReview,
        Self::Decided,
        Self::Accepted,
        Self::RightsInformed,
        Self::Assisting,
        Self::ComplaintFiled,
        Self::Closed,
    ];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::FirstLine => "first-line",
            Self::Escalated => "escalated",
            Self::Gathering => "gathering",
            Self::UnderReview => "under-review",
            Self::Decided => "decided",
            Self::Accepted => "accepted",
            Self::RightsInformed => "rights-informed",
            Self::Assisting => "assisting",
            Self::ComplaintFiled => "complaint-filed",
            Self::Closed => "closed",
        }
    }
}

impl fmt::Display for CaseState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// Something said or found, by whom it was put down and when.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Written {
    /// The words.
    pub words: String,
    /// Who put it down.
    pub by: Actor,
    /// When, in seconds.
    pub at: u64,
}

/// One side's account of what happened; a side may be heard again.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Statement(pub Vec<Written>);

impl Statement {
    /// Whether the side was heard.
    #[must_use]
    pub fn is_obtained(&self) -> bool {
        !self.0.is_empty()
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("not obtained");
        }
        for (at, account) in self.0.iter().enumerate() {
            write!(f, "{}{}", if at == 0 { "" } else { "\n" }, account.words)?;
        }
        Ok(())
    }
}

/// That somebody was told, by whom and when.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Told {
    /// By whom.
    pub by: Actor,
    /// When, in seconds.
    pub at: u64,
}

/// What the player was told about the time a settlement takes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CaseDue))]
pub enum Due {
    /// By when, in seconds.
    By(u64),
    /// Nothing, and why.
    NotTold {
        /// Why.
        reason: String,
    },
}

/// A decision.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CaseDecision))]
pub struct Decision {
    /// Who decided.
    pub by: Actor,
    /// When, in seconds.
    pub at: u64,
    /// What it rests on; never empty.
    pub grounds: Vec<Ground>,
    /// The reasoning.
    pub reasoning: String,
    /// The money effect, at most one correction a player; none if everything stays.
    pub corrections: Vec<Correction>,
}

/// How a case ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CaseEnd))]
pub enum End {
    /// The first line settled it.
    Settled {
        /// How.
        words: String,
    },
    /// The player agreed, and the corrections are posted.
    Agreed,
    /// The player disagreed and wished no complaint.
    NoComplaint,
    /// The complaint was answered.
    Answered {
        /// The answer.
        words: String,
    },
}
