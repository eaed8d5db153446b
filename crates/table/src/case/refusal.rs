//! Why a case does not take a command. Of several reasons the first in the order of [`CaseRefusal`] is given;
//! grounds and corrections are judged one after the other, in the order they are named.

use croupier_ledger::TransferId;
use croupier_rules::Basis;

use super::act::CaseAct;
use super::evidence::Evidence;
use super::{CaseState, RulebookVersion, Told};
use crate::actor::{PersonId, PlayerId, Rank};

macro_rules! refusals {
    ($($(#[doc = $doc:literal])+ #[error($($says:tt)+)] $variant:ident = $code:literal {
        $($(#[doc = $field_doc:literal])+ $field:ident: $kind:ty,)*
    })+) => {
        /// The rules, in order of precedence. `cites` is what each rests on; nothing where it is the
        /// operator's procedure.
        #[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
        pub enum CaseRefusal {
            $($(#[doc = $doc])+ #[error($($says)+)] $variant {
                $($(#[doc = $field_doc])+ $field: $kind,)*
                /// What it rests on.
                cites: Vec<Basis>,
            },)+
        }

        /// The parameters of a refusal by name.
        #[cfg(feature = "serde")]
        pub(crate) struct Parameters<'a>(&'a CaseRefusal);

        #[cfg(feature = "serde")]
        impl serde::Serialize for Parameters<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut parameters = serializer.serialize_map(None)?;
                match self.0 {
                    $(CaseRefusal::$variant { $($field,)* cites: _ } => {
                        $(parameters.serialize_entry(stringify!($field), $field)?;)*
                    })+
                }
                parameters.end()
            }
        }

        #[cfg(feature = "serde")]
        impl CaseRefusal {
            pub(crate) fn parameters(&self) -> Parameters<'_> {
                Parameters(self)
            }
        }

        impl CaseRefusal {
            /// All codes, in order of precedence.
            pub const CODES: &'static [&'static str] = &[$($code,)+];

            /// A name that stays the same.
            #[must_use]
            pub const fn code(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $code,)+ }
            }

            /// What it rests on; nothing where it is the operator's procedure.
            #[must_use]
            pub fn cites(&self) -> &[Basis] {
                match self { $(Self::$variant { cites, .. } => cites,)+ }
            }
        }
    };
}

refusals! {
    /// The case belongs to another rulebook, or another version of it.
    #[error("the case is judged by {of_case}, not by {given}")]
    OtherRulebook = "other-rulebook" {
        /// The rulebook of the case.
        of_case: RulebookVersion,
        /// The one that was given.
        given: RulebookVersion,
    }
    /// Whoever raises a dispute is the player concerned, or one of the staff.
    #[error("a dispute is raised by the player concerned or by one of the staff")]
    CannotRaise = "cannot-raise" {}
    /// A dispute about a round says which.
    #[error("a dispute about a round names the round")]
    RoundMissing = "round-missing" {}
    /// An extract of the journal runs forward.
    #[error("the journal from {from} to {to} is nothing; the first event comes before the last")]
    JournalBackwards = "journal-backwards" {
        /// The first event.
        from: u64,
        /// The last event.
        to: u64,
    }
    /// The rank does not suffice.
    #[error("{} is for {}", act.says(), whoever(title.as_deref()))]
    RankTooLow = "rank-too-low" {
        /// What was asked.
        act: CaseAct,
        /// The lowest rank that may; nothing if none may.
        needs: Option<Rank>,
        /// Its title.
        title: Option<String>,
    }
    /// A player acts in his own case only.
    #[error("this is the case of player {player}; only that player or staff may act for him")]
    AnotherPlayer = "another-player" {
        /// Whose case it is.
        player: PlayerId,
    }
    /// The player disagreed, and the right to complain comes before anything else.
    #[error("the player disagrees and has to be told of the right to complain before anything else")]
    RightNotTold = "right-not-told" {}
    /// No facts were gathered.
    #[error("no fact is put down yet; gather the facts first")]
    FactsMissing = "facts-missing" {}
    /// Surveillance was not informed.
    #[error("Surveillance does not know of it yet; inform it first")]
    SurveillanceNotInformed = "surveillance-not-informed" {}
    /// The player was not told by when, and no reason was given.
    #[error("tell the player by when a settlement will be tried, or put down why that cannot be said")]
    DueTimeMissing = "due-time-missing" {}
    /// The command has no place in this state.
    #[error("{} has no place while the case is {state}; {}", act.says(), accepted_now(accepted))]
    WrongState = "wrong-state" {
        /// What was asked.
        act: CaseAct,
        /// The state.
        state: CaseState,
        /// What has its place now.
        accepted: Vec<CaseAct>,
    }
    /// Nobody judges a ruling of his own.
    #[error("whoever ruled in the round does not judge the ruling; somebody else has to")]
    OwnRuling = "own-ruling" {
        /// Who.
        person: PersonId,
    }
    /// Nobody judges what he could not settle as first line.
    #[error("whoever was the first line in this case does not judge it; somebody else has to")]
    OwnFirstLine = "own-first-line" {
        /// Who.
        person: PersonId,
    }
    /// Nobody answers a complaint about a decision of his own.
    #[error("whoever decided the case does not answer the complaint; somebody else has to")]
    OwnDecision = "own-decision" {
        /// Who.
        person: PersonId,
    }
    /// The one who is to be first line has not the rank for it.
    #[error("{person} cannot be the first line; that is for {}", whoever(title.as_deref()))]
    NotFirstLine = "not-first-line" {
        /// Who.
        person: PersonId,
        /// The lowest rank that can; nothing if none can.
        needs: Option<Rank>,
        /// Its title.
        title: Option<String>,
    }
    /// A decision without grounds.
    #[error(
        "a decision rests on at least one ground: rules, published information, procedures, controls, \
         statements, Surveillance, other evidence or law"
    )]
    NoGrounds = "no-grounds" {}
    /// There is no such clause in the rulebook.
    #[error("the rulebook has no clause {clause}; name one that it has")]
    UnknownClause = "unknown-clause" {
        /// What was named.
        clause: String,
    }
    /// The version is not the one that was played by.
    #[error("the game was played by version {in_force} of the rulebook, not by {given}")]
    OtherVersion = "other-version" {
        /// What was named.
        given: String,
        /// The version of the case.
        in_force: String,
    }
    /// Neither side was heard.
    #[error("neither side was heard, so there is no account to rest on; ask for more evidence and hear one first")]
    NobodyHeard = "nobody-heard" {}
    /// One side was heard and the other was not.
    #[error("{side} was not heard; ask for more evidence, then hear that side or put down why it cannot be heard")]
    NotBothHeard = "not-both-heard" {
        /// Who is missing.
        side: &'static str,
    }
    /// The evidence is not part of the case.
    #[error("the evidence is not attached to the case; attach it first")]
    NotAttached = "not-attached" {
        /// Which.
        evidence: Evidence,
    }
    /// The evidence is part of the case already.
    #[error("the evidence is attached already")]
    AlreadyAttached = "already-attached" {
        /// Which.
        evidence: Evidence,
    }
    /// Something that must be said is empty.
    #[error("{what} is empty; put it in words")]
    NothingSaid = "nothing-said" {
        /// What.
        what: &'static str,
    }
    /// Surveillance knows.
    #[error("Surveillance was informed at {}; once is enough", told.at)]
    AlreadyInformed = "already-informed" {
        /// By whom and when.
        told: Told,
    }
    /// The player was told.
    #[error("the player was told of the right to complain at {}; ask whether he wishes to", told.at)]
    AlreadyTold = "already-told" {
        /// By whom and when.
        told: Told,
    }
    /// A due time lies ahead.
    #[error("{due} is not after {now}; a due time lies ahead")]
    DueTimePast = "due-time-past" {
        /// The time named.
        due: u64,
        /// The time now.
        now: u64,
    }
    /// Nobody helps the player yet.
    #[error("nobody is named who helps the player; name one of the staff first")]
    NoHelper = "no-helper" {}
    /// A correction of nothing.
    #[error("the correction for player {player} is zero; leave it out")]
    ZeroCorrection = "zero-correction" {
        /// Whose.
        player: PlayerId,
    }
    /// Two corrections for one player.
    #[error("player {player} has two corrections; make them one")]
    PlayerTwice = "player-twice" {
        /// Whose.
        player: PlayerId,
    }
    /// Not one id for each correction.
    #[error("{needed} corrections need as many ids, not {given}")]
    IdsMissing = "ids-missing" {
        /// How many corrections there are.
        needed: usize,
        /// How many ids there are.
        given: usize,
    }
    /// One id for two corrections.
    #[error("id {id} is given twice; each correction has its own")]
    IdTwice = "id-twice" {
        /// Which.
        id: TransferId,
    }
}

fn whoever(title: Option<&str>) -> String {
    title.map_or_else(|| "nobody under this rulebook".to_string(), |title| format!("the {title} or above"))
}

fn accepted_now(accepted: &[CaseAct]) -> String {
    if accepted.is_empty() {
        return "nothing more can be done with it".to_string();
    }
    let says: Vec<&str> = accepted.iter().map(|act| act.says()).collect();
    format!("possible now: {}", says.join("; "))
}

impl CaseRefusal {
    /// The lowest rank that may do what was refused, if it was refused for want of rank.
    #[must_use]
    pub const fn needs(&self) -> Option<Rank> {
        if let Self::RankTooLow { needs, .. } | Self::NotFirstLine { needs, .. } = self {
            *needs
        } else {
            None
        }
    }
}
