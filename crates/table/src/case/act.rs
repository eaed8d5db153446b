//! The kinds of commands, as one table: in which states each has its place, who may give it, and on which
//! rules it rests.

use core::fmt;

use croupier_rules::{Basis, Power, Rule};

use super::CaseState::{self, *};
use super::command::CaseOrder;
use crate::authority::Authority;

/// Who may give a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Who {
    /// Whether the player of the case may, for himself.
    pub(super) player: bool,
    /// The power that staff need; any of the staff may if there is none.
    pub(super) power: Option<Power>,
}

const fn staff(power: Power) -> Who {
    Who { player: false, power: Some(power) }
}

const fn player_or(power: Power) -> Who {
    Who { player: true, power: Some(power) }
}

const ANY_STAFF: Who = Who { player: false, power: None };
const PLAYER_OR_ANY_STAFF: Who = Who { player: true, power: None };

macro_rules! acts {
    ($($(#[doc = $doc:literal])+ $act:ident = $key:literal, $says:literal, $states:expr, $who:expr, $rules:expr;)+) => {
        /// A kind of command to a case.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum CaseAct { $($(#[doc = $doc])+ $act,)+ }

        impl CaseAct {
            /// All kinds, in the order a case may take them.
            pub const ALL: &'static [Self] = &[$(Self::$act,)+];

            /// The name used in files.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Self::$act => $key,)+ }
            }

            /// What is done, for sentences.
            #[must_use]
            pub const fn says(self) -> &'static str {
                match self { $(Self::$act => $says,)+ }
            }

            /// The states in which it has its place.
            #[must_use]
            pub const fn states(self) -> &'static [CaseState] {
                match self { $(Self::$act => $states,)+ }
            }

            pub(super) const fn who(self) -> Who {
                match self { $(Self::$act => $who,)+ }
            }

            const fn rules(self) -> &'static [Rule] {
                match self { $(Self::$act => $rules,)+ }
            }
        }
    };
}

acts! {
    /// Giving the case to the first line.
    Assign = "assign", "giving it to the first line", &[Opened], ANY_STAFF, &[Rule::DisputeFirstLine];
    /// The first line settled it.
    Settle = "settle", "settling it at the first line",
        &[FirstLine], staff(Power::FirstLine), &[Rule::DisputeFirstLine];
    /// The first line could not settle it.
    Escalate = "escalate", "handing it up", &[FirstLine], staff(Power::FirstLine), &[Rule::DisputeFirstLine];
    /// Taking it over.
    TakeOver = "take-over", "taking it over",
        &[Escalated], staff(Power::DecideDispute), &[Rule::DisputeFirstLine];
    /// Putting a fact down.
    GatherFact = "gather-fact", "putting a fact down",
        &[Gathering], staff(Power::DecideDispute), &[Rule::DisputeFacts];
    /// Attaching a reference to evidence.
    Attach = "attach", "attaching evidence",
        &[Gathering], staff(Power::DecideDispute), &[Rule::DisputeFacts];
    /// Putting the player's account down.
    HearPlayer = "hear-player", "putting the player's account down",
        &[Gathering], player_or(Power::DecideDispute), &[Rule::GroundStatements];
    /// Putting an account of the staff down.
    HearStaff = "hear-staff", "putting an account of the staff down",
        &[Gathering], ANY_STAFF, &[Rule::GroundStatements];
    /// Putting down why the player cannot be heard.
    MissPlayer = "miss-player", "putting down why the player cannot be heard",
        &[Gathering], staff(Power::DecideDispute), &[Rule::GroundStatements];
    /// Putting down why nobody of the staff can be heard.
    MissStaff = "miss-staff", "putting down why nobody of the staff can be heard",
        &[Gathering], staff(Power::DecideDispute), &[Rule::GroundStatements];
    /// Informing Surveillance.
    InformSurveillance = "inform-surveillance", "informing Surveillance",
        &[Gathering], staff(Power::DecideDispute), &[Rule::DisputeFacts];
    /// Telling the player by when, or putting down why not.
    TellDue = "tell-due", "telling the player by when, or putting down why not",
        &[Gathering], staff(Power::DecideDispute), &[Rule::DisputeDueTime];
    /// Saying that everything is gathered.
    CompleteGathering = "complete-gathering", "saying that everything is gathered",
        &[Gathering], staff(Power::DecideDispute), &[Rule::DisputeFacts, Rule::DisputeDueTime];
    /// Asking for more evidence.
    AskMoreEvidence = "ask-more-evidence", "asking for more evidence",
        &[UnderReview], staff(Power::DecideDispute), &[Rule::DisputeFacts];
    /// Deciding it.
    Decide = "decide", "deciding it", &[UnderReview], staff(Power::DecideDispute), &[Rule::DisputeGrounds];
    /// The player agrees.
    Agree = "agree", "agreeing", &[Decided], player_or(Power::DecideDispute), &[];
    /// The player disagrees.
    Disagree = "disagree", "disagreeing",
        &[Decided], player_or(Power::DecideDispute), &[Rule::RightToComplain];
    /// Posting the corrections.
    PostCorrections = "post-corrections", "posting the corrections",
        &[Accepted], staff(Power::DecideDispute), &[];
    /// Telling the player of the right to complain.
    TellRight = "tell-right", "telling the player of the right to complain",
        &[RightsInformed], staff(Power::DecideDispute), &[Rule::RightToComplain];
    /// The player wishes to complain.
    WishComplaint = "wish-complaint", "wishing to complain",
        &[RightsInformed], player_or(Power::DecideDispute), &[Rule::RightToComplain];
    /// The player wishes no complaint.
    DeclineComplaint = "decline-complaint", "wishing no complaint",
        &[RightsInformed], player_or(Power::DecideDispute), &[Rule::RightToComplain];
    /// Naming who helps the player.
    NameHelper = "name-helper", "naming who helps the player",
        &[Assisting], ANY_STAFF, &[Rule::HelpToComplain];
    /// Handing the complaint in.
    FileComplaint = "file-complaint", "handing the complaint in",
        &[Assisting], PLAYER_OR_ANY_STAFF, &[Rule::RightToComplain, Rule::HelpToComplain];
    /// Answering the complaint.
    AnswerComplaint = "answer-complaint", "answering the complaint",
        &[ComplaintFiled], staff(Power::AnswerComplaint), &[Rule::RightToComplain];
}

impl CaseAct {
    /// The kinds that have their place in a state.
    pub fn of(state: CaseState) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |act| act.states().contains(&state))
    }

    /// What it rests on, apart from who may do it.
    pub(super) fn cites(self, authority: Authority<'_>) -> Vec<Basis> {
        let mut cites = Vec::new();
        for &rule in self.rules() {
            merge(&mut cites, authority.game.cites(rule));
        }
        cites
    }
}

impl fmt::Display for CaseAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

impl CaseOrder {
    /// Its kind.
    #[must_use]
    pub const fn act(&self) -> CaseAct {
        match self {
            Self::Assign { .. } => CaseAct::Assign,
            Self::Settle { .. } => CaseAct::Settle,
            Self::Escalate { .. } => CaseAct::Escalate,
            Self::TakeOver => CaseAct::TakeOver,
            Self::GatherFact { .. } => CaseAct::GatherFact,
            Self::Attach { .. } => CaseAct::Attach,
            Self::HearPlayer { .. } => CaseAct::HearPlayer,
            Self::HearStaff { .. } => CaseAct::HearStaff,
            Self::MissPlayer { .. } => CaseAct::MissPlayer,
            Self::MissStaff { .. } => CaseAct::MissStaff,
            Self::InformSurveillance => CaseAct::InformSurveillance,
            Self::TellDue { .. } => CaseAct::TellDue,
            Self::CompleteGathering => CaseAct::CompleteGathering,
            Self::AskMoreEvidence { .. } => CaseAct::AskMoreEvidence,
            Self::Decide { .. } => CaseAct::Decide,
            Self::Agree => CaseAct::Agree,
            Self::Disagree => CaseAct::Disagree,
            Self::PostCorrections { .. } => CaseAct::PostCorrections,
            Self::TellRight => CaseAct::TellRight,
            Self::WishComplaint => CaseAct::WishComplaint,
            Self::DeclineComplaint => CaseAct::DeclineComplaint,
            Self::NameHelper { .. } => CaseAct::NameHelper,
            Self::FileComplaint { .. } => CaseAct::FileComplaint,
            Self::AnswerComplaint { .. } => CaseAct::AnswerComplaint,
        }
    }
}

/// Adds what is not there yet.
pub(super) fn merge(cites: &mut Vec<Basis>, more: &[Basis]) {
    for basis in more {
        if !cites.contains(basis) {
            cites.push(*basis);
        }
    }
}
