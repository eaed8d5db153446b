//! What is asked of a case, and what happened to it.

use croupier_ledger::{CaseId, TransferId};
use croupier_rules::Basis;

use super::evidence::{Evidence, Ground};
use super::money::{Correction, Posted, Through};
use super::{Due, Subject};
use crate::actor::{Actor, PersonId, Staff};

/// Somebody disagrees: what a new case needs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CaseOpening))]
pub struct Opening {
    /// The id of the new case.
    pub case: CaseId,
    /// When, in seconds.
    pub at: u64,
    /// Who raises it.
    pub by: Actor,
    /// What it is about.
    pub about: Subject,
}

/// A command to a case.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CaseCommand {
    /// When, in seconds.
    pub at: u64,
    /// Who gives it.
    pub by: Actor,
    /// What.
    pub order: CaseOrder,
}

/// What a command asks for. Its kind is a [`CaseAct`](super::CaseAct).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum CaseOrder {
    /// Give the case to the first line.
    Assign {
        /// To whom.
        to: Staff,
    },
    /// The first line settled it.
    Settle {
        /// How.
        words: String,
    },
    /// The first line could not settle it.
    Escalate {
        /// Why not.
        words: String,
    },
    /// Take the case over.
    TakeOver,
    /// Put a fact down.
    GatherFact {
        /// The fact.
        words: String,
    },
    /// Attach a reference to evidence.
    Attach {
        /// Which.
        evidence: Evidence,
    },
    /// Put the player's account down.
    HearPlayer {
        /// The account.
        words: String,
    },
    /// Put an account of the staff down.
    HearStaff {
        /// The account.
        words: String,
    },
    /// Put down why the player cannot be heard.
    MissPlayer {
        /// Why not.
        words: String,
    },
    /// Put down why nobody of the staff can be heard.
    MissStaff {
        /// Why not.
        words: String,
    },
    /// Inform Surveillance.
    InformSurveillance,
    /// Tell the player by when a settlement will be tried, or put down why not.
    TellDue {
        /// The time, or the reason.
        due: Due,
    },
    /// Everything is gathered.
    CompleteGathering,
    /// More evidence is needed.
    AskMoreEvidence {
        /// Which.
        words: String,
    },
    /// Decide.
    Decide {
        /// What it rests on.
        grounds: Vec<Ground>,
        /// The reasoning.
        reasoning: String,
        /// The money effect.
        corrections: Vec<Correction>,
    },
    /// The player agrees.
    Agree,
    /// The player disagrees.
    Disagree,
    /// Post the corrections of the decision.
    PostCorrections {
        /// Between which accounts.
        through: Through,
        /// An unused id for each, in their order.
        transfers: Vec<TransferId>,
    },
    /// Tell the player of the right to complain.
    TellRight,
    /// The player wishes to complain.
    WishComplaint,
    /// The player wishes no complaint.
    DeclineComplaint,
    /// Name who helps the player.
    NameHelper {
        /// Who.
        helper: PersonId,
    },
    /// The complaint is handed in.
    FileComplaint {
        /// Its identifier.
        reference: String,
    },
    /// Answer the complaint.
    AnswerComplaint {
        /// The answer.
        words: String,
        /// What moves in the end, in place of the decision's corrections.
        corrections: Vec<Correction>,
        /// Between which accounts.
        through: Through,
        /// An unused id for each, in their order.
        transfers: Vec<TransferId>,
    },
}

/// Something that happened to a case.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CaseEvent {
    /// To which.
    pub case: CaseId,
    /// When, in seconds.
    pub at: u64,
    /// Through whom.
    pub by: Actor,
    /// What.
    pub change: CaseChange,
    /// What it rests on; nothing where it is the operator's procedure.
    pub cites: Vec<Basis>,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum CaseChange {
    /// The case began.
    Opened {
        /// What it is about.
        about: Subject,
    },
    /// The first line has it.
    Assigned {
        /// Who.
        to: Staff,
    },
    /// The first line settled it, which ends it.
    Settled {
        /// How.
        words: String,
    },
    /// The first line could not settle it.
    Escalated {
        /// Why not.
        words: String,
    },
    /// Somebody who may decide took it over.
    TakenOver,
    /// A fact was put down.
    FactGathered {
        /// The fact.
        words: String,
    },
    /// Evidence was attached.
    EvidenceAttached {
        /// Which.
        evidence: Evidence,
    },
    /// The player was heard.
    PlayerHeard {
        /// The account.
        words: String,
    },
    /// The staff was heard.
    StaffHeard {
        /// The account.
        words: String,
    },
    /// The player could not be heard.
    PlayerNotHeard {
        /// Why not.
        words: String,
    },
    /// Nobody of the staff could be heard.
    StaffNotHeard {
        /// Why not.
        words: String,
    },
    /// Surveillance was informed.
    SurveillanceInformed,
    /// The player was told by when, or it was put down why not.
    DueTold {
        /// The time, or the reason.
        due: Due,
    },
    /// Everything was gathered.
    GatheringCompleted,
    /// More evidence was asked for.
    MoreEvidenceAsked {
        /// Which.
        words: String,
    },
    /// The case was decided.
    Decided {
        /// What it rests on.
        grounds: Vec<Ground>,
        /// The reasoning.
        reasoning: String,
        /// The money effect.
        corrections: Vec<Correction>,
    },
    /// The player agreed.
    Agreed,
    /// The player disagreed.
    Disagreed,
    /// The corrections were posted, which ends it.
    CorrectionsPosted {
        /// The corrections and their ids.
        posted: Posted,
    },
    /// The player was told of the right to complain.
    RightTold,
    /// The player wished to complain.
    ComplaintWished,
    /// The player wished no complaint, which ends it.
    ComplaintDeclined,
    /// Somebody helps the player.
    HelperNamed {
        /// Who.
        helper: PersonId,
    },
    /// The complaint was handed in.
    ComplaintFiled {
        /// Its identifier.
        reference: String,
    },
    /// The complaint was answered, which ends it.
    ComplaintAnswered {
        /// The answer.
        words: String,
        /// The corrections that moved, and their ids.
        posted: Posted,
    },
}
