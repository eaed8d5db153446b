//! Opening a case, with the evidence that the house holds anyway.

use croupier_rules::{Basis, Rule, Rulebook};

use super::act::merge;
use super::command::{CaseChange, CaseEvent, Opening};
use super::evidence::Evidence;
use super::refusal::CaseRefusal;
use super::{Matter, RulebookVersion, Subject};
use crate::actor::Actor;
use crate::authority::Authority;

impl RulebookVersion {
    /// The name and version of a rulebook.
    #[must_use]
    pub fn of(rulebook: &Rulebook) -> Self {
        Self { id: rulebook.id.clone(), version: rulebook.version.clone() }
    }
}

/// Opens a case. One on a round gets its round file and its part of the journal without being asked.
///
/// # Errors
/// The first [`CaseRefusal`] that applies.
pub fn open(authority: Authority<'_>, opening: &Opening) -> Result<Vec<CaseEvent>, CaseRefusal> {
    let Opening { case, at, by, about } = opening;
    let cites = authority.game.cites(Rule::DisputeFirstLine);
    same_rulebook(authority, &about.rulebook)?;
    if !may_raise(*by, about) {
        return Err(CaseRefusal::CannotRaise { cites: cites.to_vec() });
    }
    if about.matter == Matter::Round && about.round.is_none() {
        return Err(CaseRefusal::RoundMissing { cites: cites.to_vec() });
    }
    let of_evidence = authority.game.cites(Rule::GroundEvidence);
    if let Some(round) = about.round.filter(|round| round.from > round.to) {
        let cites = of_evidence.to_vec();
        return Err(CaseRefusal::JournalBackwards { from: round.from, to: round.to, cites });
    }
    if about.words.trim().is_empty() {
        return Err(CaseRefusal::NothingSaid { what: "what the dispute is about", cites: cites.to_vec() });
    }

    let event = |by: Actor, change: CaseChange, cites: &[Basis]| CaseEvent {
        case: *case,
        at: *at,
        by,
        change,
        cites: cites.to_vec(),
    };
    let mut events = vec![event(*by, CaseChange::Opened { about: about.clone() }, cites)];
    if let Some(round) = about.round {
        let table = about.table;
        let mut attached = authority.game.cites(Rule::DisputeFacts).to_vec();
        merge(&mut attached, of_evidence);
        for evidence in [
            Evidence::RoundFile { table, round: round.id },
            Evidence::Journal { table, from: round.from, to: round.to },
        ] {
            events.push(event(Actor::System, CaseChange::EvidenceAttached { evidence }, &attached));
        }
    }
    Ok(events)
}

/// Whether the rulebook is that of the case.
pub(super) fn same_rulebook(authority: Authority<'_>, of_case: &RulebookVersion) -> Result<(), CaseRefusal> {
    let given = RulebookVersion::of(authority.rulebook);
    if given == *of_case {
        return Ok(());
    }
    // The identity of the rulebook is what makes a clause cited here the clause that was played by.
    let cites = authority.game.cites(Rule::Identity).to_vec();
    Err(CaseRefusal::OtherRulebook { of_case: of_case.clone(), given, cites })
}

fn may_raise(by: Actor, about: &Subject) -> bool {
    match by {
        Actor::Player(player) => player == about.player,
        Actor::Staff(_) => true,
        Actor::Device | Actor::System | Actor::Surveillance | Actor::Display => false,
    }
}
