//! What may be done with a case now, and by whom: for user interfaces, which know no rule themselves.

use croupier_rules::{Basis, Power};

use super::act::{CaseAct, merge};
use super::refusal::CaseRefusal;
use super::{Case, CaseState};
use crate::actor::{Actor, Rank};
use crate::authority::Authority;

/// Something that may be done.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CasePossible))]
pub struct Possible {
    /// What.
    pub act: CaseAct,
    /// Whether the player of the case may, for himself.
    pub player: bool,
    /// The lowest rank of the staff that may; nothing if the rulebook gives it to none.
    pub needs: Option<Rank>,
    /// What it rests on; nothing where it is the operator's procedure.
    pub cites: Vec<Basis>,
}

/// What may be done now, in the order a case usually takes.
///
/// Only what the case itself is waiting for is left out: a step is not listed before what has to come first.
/// Whether a certain person may (nobody judges a ruling of his own) is said by [`decide`](super::decide).
#[must_use]
pub fn legal(authority: Authority<'_>, case: &Case) -> Vec<Possible> {
    CaseAct::of(case.state)
        .filter(|&act| is_due(case, act))
        .map(|act| {
            let who = act.who();
            let (needs, cites) = lowest(authority, who.power);
            let mut all = act.cites(authority);
            merge(&mut all, &cites);
            Possible { act, player: who.player, needs, cites: all }
        })
        .filter(|possible| possible.player || possible.needs.is_some())
        .collect()
}

/// Whether nothing that the case lacks stands against it.
fn is_due(case: &Case, act: CaseAct) -> bool {
    match (case.state, act) {
        (CaseState::Gathering, CaseAct::CompleteGathering) => {
            !case.facts.is_empty() && case.surveillance.is_some() && case.due.is_some()
        }
        (CaseState::Gathering, CaseAct::InformSurveillance) => case.surveillance.is_none(),
        (CaseState::RightsInformed, act) => (act == CaseAct::TellRight) == case.right_told.is_none(),
        (CaseState::Assisting, CaseAct::FileComplaint) => case.helper.is_some(),
        (_, _) => true,
    }
}

/// Whether somebody may give a command; then what that rests on.
pub(super) fn may(
    authority: Authority<'_>,
    case: &Case,
    by: Actor,
    act: CaseAct,
) -> Result<Vec<Basis>, CaseRefusal> {
    let who = act.who();
    let mut cites = act.cites(authority);
    match by {
        Actor::Player(player) if who.player && player == case.about.player => return Ok(cites),
        Actor::Player(_) if who.player => {
            return Err(CaseRefusal::AnotherPlayer { player: case.about.player, cites });
        }
        Actor::Player(_)
        | Actor::Staff(_)
        | Actor::Device
        | Actor::System
        | Actor::Surveillance
        | Actor::Display => {}
    }
    let answer = match who.power {
        Some(power) => authority.power(by, power),
        None => authority.rank(by, None, &[]),
    };
    match answer {
        Ok(more) => {
            merge(&mut cites, &more);
            Ok(cites)
        }
        Err(denied) => {
            merge(&mut cites, &denied.cites);
            Err(CaseRefusal::RankTooLow {
                act,
                needs: denied.needs,
                title: title(authority, denied.needs),
                cites,
            })
        }
    }
}

/// The English title of a rank.
pub(super) fn title(authority: Authority<'_>, rank: Option<Rank>) -> Option<String> {
    rank.and_then(|rank| authority.rulebook.ranks.get(usize::from(rank.0))).map(|rank| rank.names.en.clone())
}

fn lowest(authority: Authority<'_>, power: Option<Power>) -> (Option<Rank>, Vec<Basis>) {
    let Some(power) = power else { return (Some(Rank(0)), Vec::new()) };
    let Some(rule) = authority.rulebook.power(power) else { return (None, Vec::new()) };
    let residual = authority.residual.map(|rank| rank.0);
    (authority.rulebook.needed_rank(rule.needs, residual).map(Rank), rule.cites.clone())
}
