//! What is told of a case: all of it to the house, and to the player a list of its own of what is for the player.

use std::collections::BTreeMap;

use croupier_rules::Basis;
use croupier_table::case::{
    Case, CaseAct, CaseChange, CaseState, Due, End, Ground, Matter, Possible, Written, legal,
};
use croupier_table::{Actor, PlayerId, Staff};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::history::{CitedClause, RoundTold};
use crate::app::App;
use crate::cases::CaseStep;
use crate::table::TableHandle;

/// A case in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CaseListed {
    /// Its id.
    pub(crate) id: u32,
    /// At which table.
    pub(crate) table: u32,
    /// In which round, if in one.
    pub(crate) round: Option<u64>,
    /// Whose dispute it is.
    pub(crate) player: u32,
    /// How far it has come.
    pub(crate) state: CaseState,
    /// When it was raised, in seconds since 1970.
    pub(crate) opened_at: u64,
    /// The dispute in words.
    pub(crate) words: String,
}

impl CaseListed {
    pub(super) fn of(case: &Case) -> Self {
        Self {
            id: case.id.0,
            table: case.about.table.0,
            round: case.about.round.map(|round| round.id.0),
            player: case.about.player.0,
            state: case.state,
            opened_at: case.opened_at,
            words: case.about.words.clone(),
        }
    }
}

/// A case as it is told: to the player, or to the house.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CaseTold {
    /// To the player whose case it is.
    Player(Box<CaseForPlayer>),
    /// To staff, surveillance and auditors.
    Staff(Box<CaseForStaff>),
}

/// All of a case.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CaseForStaff {
    /// The case.
    pub(crate) case: Case,
    /// What was done, in order.
    pub(crate) timeline: Vec<CaseStep>,
    /// What may be done now by whoever asks.
    pub(crate) legal: Vec<Possible>,
    /// The clauses that are cited.
    pub(crate) clauses: Vec<CitedClause>,
    /// The round that it is about.
    pub(crate) round: Option<RoundTold>,
}

impl CaseForStaff {
    pub(super) fn of(
        table: &TableHandle,
        case: &Case,
        timeline: Vec<CaseStep>,
        round: Option<RoundTold>,
        staff: Option<Staff>,
    ) -> Self {
        let authority = table.setup.authority();
        let may = |possible: &Possible| match (staff, possible.needs) {
            (Some(staff), Some(needs)) => authority.reaches(staff, needs),
            (_, _) => false,
        };
        let legal: Vec<Possible> = legal(authority, case).into_iter().filter(may).collect();
        let events = timeline.iter().flat_map(|step| &step.events).flat_map(|event| &event.cites);
        let clauses = cited(table, events.chain(legal.iter().flat_map(|possible| &possible.cites)));
        Self { case: case.clone(), timeline, legal, clauses, round }
    }
}

fn cited<'a>(table: &TableHandle, cites: impl Iterator<Item = &'a Basis>) -> Vec<CitedClause> {
    let mut clauses: Vec<CitedClause> = Vec::new();
    for basis in cites {
        if clauses.iter().all(|known| known.basis != *basis) {
            clauses.push(CitedClause::of(&table.setup.rulebook, *basis));
        }
    }
    clauses
}

/// What a player is told of his case. Facts, evidence and accounts of the staff stay with the house.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CaseForPlayer {
    /// Its id.
    pub(crate) id: u32,
    /// At which table.
    pub(crate) table: u32,
    /// What is disputed: `round`, `wager` or `ruling`.
    pub(crate) matter: &'static str,
    /// The dispute in words.
    pub(crate) words: String,
    /// When it was raised, in seconds since 1970.
    pub(crate) opened_at: u64,
    /// How far it has come.
    pub(crate) state: CaseState,
    /// By when an answer may be expected, in seconds since 1970, if that was told.
    pub(crate) due: Option<u64>,
    /// The player's own account, as it was put down.
    pub(crate) heard: Vec<String>,
    /// The decision.
    pub(crate) decision: Option<DecisionForPlayer>,
    /// Whether the player was told of the right to complain.
    pub(crate) right_told: bool,
    /// Who helps to complain, by the name shown.
    pub(crate) helper: Option<String>,
    /// The reference of the complaint.
    pub(crate) complaint: Option<String>,
    /// How it ended.
    pub(crate) end: Option<End>,
    /// What happened, in order.
    pub(crate) timeline: Vec<StepForPlayer>,
    /// What the player may do now.
    pub(crate) legal: Vec<CaseAct>,
    /// The clauses that these steps rest on.
    pub(crate) clauses: Vec<CitedClause>,
    /// The round that it is about, as everybody could see it.
    pub(crate) round: Option<RoundTold>,
}

/// A decision, for the player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DecisionForPlayer {
    /// When, in seconds since 1970.
    pub(crate) at: u64,
    /// The clauses that it rests on.
    pub(crate) clauses: Vec<String>,
    /// The reasoning.
    pub(crate) reasoning: String,
    /// What the player gets, in minor units; below zero it is given back.
    pub(crate) correction: i64,
}

/// Something that happened, for the player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StepForPlayer {
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// What, by the name of the change: `opened`, `decided`, `agreed`, …
    pub(crate) what: String,
}

impl CaseForPlayer {
    pub(super) fn of(
        app: &App,
        table: &TableHandle,
        case: &Case,
        timeline: &[CaseStep],
        round: Option<RoundTold>,
    ) -> Self {
        let player = case.about.player;
        let legal: Vec<Possible> =
            legal(table.setup.authority(), case).into_iter().filter(|possible| possible.player).collect();
        let shown = timeline.iter().flat_map(|step| step.events.iter().map(move |event| (step.at, event)));
        let shown = shown.filter(|(_, event)| is_for_player(&event.change));
        let cites = shown.clone().flat_map(|(_, event)| &event.cites);
        let clauses = cited(table, cites.chain(legal.iter().flat_map(|possible| &possible.cites)));
        let nickname = |id: u32| app.people.nicknames(&[id]).into_values().next();
        let heard = case.player_statement.0.iter();
        Self {
            id: case.id.0,
            table: case.about.table.0,
            matter: match case.about.matter {
                Matter::Round => "round",
                Matter::Wager => "wager",
                Matter::Ruling { .. } => "ruling",
            },
            words: case.about.words.clone(),
            opened_at: case.opened_at,
            state: case.state,
            due: match case.due {
                Some(Due::By(at)) => Some(at),
                Some(Due::NotTold { .. }) | None => None,
            },
            heard: heard.filter(|said| is_own(said, player)).map(|said| said.words.clone()).collect(),
            decision: case.decision.as_ref().map(|decision| DecisionForPlayer {
                at: decision.at,
                clauses: decision.grounds.iter().filter_map(clause).collect(),
                reasoning: decision.reasoning.clone(),
                correction: decision
                    .corrections
                    .iter()
                    .filter(|correction| correction.player == player)
                    .map(|correction| correction.amount.minor())
                    .sum(),
            }),
            right_told: case.right_told.is_some(),
            helper: case.helper.and_then(|helper| nickname(helper.0)),
            complaint: case.complaint.as_ref().map(|complaint| complaint.words.clone()),
            end: case.end.clone(),
            timeline: shown.map(|(at, event)| StepForPlayer { at, what: name(&event.change) }).collect(),
            legal: legal.into_iter().map(|possible| possible.act).collect(),
            clauses,
            round: round.map(|round| for_player(round, player)),
        }
    }
}

/// What the player said, and not what somebody put down about it.
fn is_own(said: &Written, player: PlayerId) -> bool {
    said.by == Actor::Player(player)
}

fn clause(ground: &Ground) -> Option<String> {
    match ground {
        Ground::Rules { clause, .. } => Some(clause.clone()),
        Ground::Published { .. }
        | Ground::Procedures { .. }
        | Ground::Controls { .. }
        | Ground::Statements
        | Ground::Surveillance { .. }
        | Ground::Evidence(_)
        | Ground::Law { .. } => None,
    }
}

/// The round without the names of the others.
fn for_player(mut round: RoundTold, player: PlayerId) -> RoundTold {
    round.names = round.names.into_iter().filter(|(id, _)| *id == player.0).collect::<BTreeMap<_, _>>();
    round
}

/// What is the house's own business is not listed for the player.
const fn is_for_player(change: &CaseChange) -> bool {
    match change {
        CaseChange::Opened { .. }
        | CaseChange::Settled { .. }
        | CaseChange::PlayerHeard { .. }
        | CaseChange::DueTold { .. }
        | CaseChange::Decided { .. }
        | CaseChange::Agreed
        | CaseChange::Disagreed
        | CaseChange::CorrectionsPosted { .. }
        | CaseChange::RightTold
        | CaseChange::ComplaintWished
        | CaseChange::ComplaintDeclined
        | CaseChange::HelperNamed { .. }
        | CaseChange::ComplaintFiled { .. }
        | CaseChange::ComplaintAnswered { .. } => true,
        CaseChange::Assigned { .. }
        | CaseChange::Escalated { .. }
        | CaseChange::TakenOver
        | CaseChange::FactGathered { .. }
        | CaseChange::EvidenceAttached { .. }
        | CaseChange::StaffHeard { .. }
        | CaseChange::PlayerNotHeard { .. }
        | CaseChange::StaffNotHeard { .. }
        | CaseChange::SurveillanceInformed
        | CaseChange::GatheringCompleted
        | CaseChange::MoreEvidenceAsked { .. } => false,
    }
}

/// The name of a change, as its text form has it.
fn name(change: &CaseChange) -> String {
    match serde_json::to_value(change) {
        Ok(Value::String(name)) => name,
        Ok(Value::Object(fields)) => fields.into_iter().next().map(|(name, _)| name).unwrap_or_default(),
        Ok(_) | Err(_) => String::new(),
    }
}
