//! What a command does to a case, or why it is refused.
//!
//! In this order: the rulebook, who may, the right to complain, the state with what a decision needs, who
//! is too close to the matter, and last what the command says.

use croupier_ledger::TransferId;
use croupier_rules::{Basis, Power, Rule};

use super::act::{CaseAct, merge};
use super::apply::person;
use super::command::{CaseChange, CaseCommand, CaseEvent, CaseOrder};
use super::evidence::{Evidence, Ground};
use super::legal::{may, title};
use super::money::{Correction, Posted, Through};
use super::open::same_rulebook;
use super::refusal::CaseRefusal;
use super::{Case, CaseState, Due, Matter};
use crate::actor::{Actor, PersonId, Staff};
use crate::authority::Authority;

/// What a command does. The rulebook is the one of the case's table, in the version of the case.
///
/// # Errors
/// The first [`CaseRefusal`] that applies.
pub fn decide(
    authority: Authority<'_>,
    case: &Case,
    command: &CaseCommand,
) -> Result<Vec<CaseEvent>, CaseRefusal> {
    let act = command.order.act();
    same_rulebook(authority, &case.about.rulebook)?;
    let cites = may(authority, case, command.by, act)?;
    has_its_place(authority, case, act)?;
    is_impartial(case, command.by, act)?;

    let mut judge = Judge { authority, case, command, cites };
    let change = judge.change()?;
    Ok(vec![CaseEvent { case: case.id, at: command.at, by: command.by, change, cites: judge.cites }])
}

fn has_its_place(authority: Authority<'_>, case: &Case, act: CaseAct) -> Result<(), CaseRefusal> {
    let cites = |rule| authority.game.cites(rule).to_vec();
    if case.state == CaseState::RightsInformed && case.right_told.is_none() && act != CaseAct::TellRight {
        return Err(CaseRefusal::RightNotTold { cites: cites(Rule::RightToComplain) });
    }
    // Who decides too early is told what is missing rather than where the case stands.
    let needs_facts = (act == CaseAct::CompleteGathering && case.state == CaseState::Gathering)
        || (act == CaseAct::Decide && matches!(case.state, CaseState::Gathering | CaseState::UnderReview));
    if needs_facts && case.facts.is_empty() {
        return Err(CaseRefusal::FactsMissing { cites: cites(Rule::DisputeFacts) });
    }
    if needs_facts && case.surveillance.is_none() {
        return Err(CaseRefusal::SurveillanceNotInformed { cites: cites(Rule::DisputeFacts) });
    }
    if needs_facts && case.due.is_none() {
        return Err(CaseRefusal::DueTimeMissing { cites: cites(Rule::DisputeDueTime) });
    }
    if act.states().contains(&case.state) {
        return Ok(());
    }
    let accepted = CaseAct::of(case.state).collect();
    Err(CaseRefusal::WrongState { act, state: case.state, accepted, cites: act.cites(authority) })
}

/// Nobody judges in a matter of his own. No rulebook says so: it is the operator's procedure.
fn is_impartial(case: &Case, by: Actor, act: CaseAct) -> Result<(), CaseRefusal> {
    let settles = act == CaseAct::Settle;
    let judges = matches!(act, CaseAct::TakeOver | CaseAct::Decide | CaseAct::AnswerComplaint);
    let Some(person) = person(by).filter(|_| settles || judges) else { return Ok(()) };
    let cites = Vec::new();
    if has_ruled(case, person) {
        return Err(CaseRefusal::OwnRuling { person, cites });
    }
    // Whoever could not settle it hands it on.
    if judges && case.first_line.contains(&person) {
        return Err(CaseRefusal::OwnFirstLine { person, cites });
    }
    if act == CaseAct::AnswerComplaint && decided(case) == Some(person) {
        return Err(CaseRefusal::OwnDecision { person, cites });
    }
    Ok(())
}

/// Whether the case is about a ruling of this person, or one of theirs was made in its round.
fn has_ruled(case: &Case, by: PersonId) -> bool {
    let disputed = match case.about.matter {
        Matter::Ruling { by } => person(by),
        Matter::Round | Matter::Wager => None,
    };
    disputed == Some(by) || case.about.ruled_by.contains(&by)
}

fn decided(case: &Case) -> Option<PersonId> {
    case.decision.as_ref().and_then(|decision| person(decision.by))
}

/// A command whose giver and time are right; what it says is not judged yet.
struct Judge<'a> {
    authority: Authority<'a>,
    case: &'a Case,
    command: &'a CaseCommand,
    /// What the event will rest on.
    cites: Vec<Basis>,
}

impl Judge<'_> {
    fn change(&mut self) -> Result<CaseChange, CaseRefusal> {
        Ok(match &self.command.order {
            CaseOrder::Assign { to } => CaseChange::Assigned { to: self.first_line(*to)? },
            CaseOrder::Settle { words } => {
                CaseChange::Settled { words: self.said(words, "how it was settled")? }
            }
            CaseOrder::Escalate { words } => {
                CaseChange::Escalated { words: self.said(words, "why it could not be settled")? }
            }
            CaseOrder::TakeOver => CaseChange::TakenOver,
            CaseOrder::GatherFact { words } => {
                CaseChange::FactGathered { words: self.said(words, "the fact")? }
            }
            CaseOrder::Attach { evidence } => {
                CaseChange::EvidenceAttached { evidence: self.attachable(evidence)? }
            }
            CaseOrder::HearPlayer { words } => {
                CaseChange::PlayerHeard { words: self.said(words, "the player's account")? }
            }
            CaseOrder::HearStaff { words } => {
                CaseChange::StaffHeard { words: self.said(words, "the account of the staff")? }
            }
            CaseOrder::MissPlayer { words } => {
                CaseChange::PlayerNotHeard { words: self.said(words, "why the player cannot be heard")? }
            }
            CaseOrder::MissStaff { words } => {
                CaseChange::StaffNotHeard { words: self.said(words, "why nobody of the staff can be heard")? }
            }
            CaseOrder::InformSurveillance => match self.case.surveillance {
                Some(told) => return Err(CaseRefusal::AlreadyInformed { told, cites: self.cites.clone() }),
                None => CaseChange::SurveillanceInformed,
            },
            CaseOrder::TellDue { due } => CaseChange::DueTold { due: self.due(due)? },
            CaseOrder::CompleteGathering => CaseChange::GatheringCompleted,
            CaseOrder::AskMoreEvidence { words } => {
                CaseChange::MoreEvidenceAsked { words: self.said(words, "the evidence that is needed")? }
            }
            CaseOrder::Decide { grounds, reasoning, corrections } => {
                self.grounds(grounds)?;
                CaseChange::Decided {
                    grounds: grounds.clone(),
                    reasoning: self.said(reasoning, "the reasoning")?,
                    corrections: self.corrections(corrections)?,
                }
            }
            CaseOrder::Agree => CaseChange::Agreed,
            CaseOrder::Disagree => CaseChange::Disagreed,
            CaseOrder::PostCorrections { through, transfers } => {
                let corrections =
                    self.case.decision.as_ref().map_or(&[][..], |decision| &decision.corrections);
                CaseChange::CorrectionsPosted { posted: self.posted(corrections, *through, transfers)? }
            }
            CaseOrder::TellRight => match self.case.right_told {
                Some(told) => return Err(CaseRefusal::AlreadyTold { told, cites: self.cites.clone() }),
                None => CaseChange::RightTold,
            },
            CaseOrder::WishComplaint => CaseChange::ComplaintWished,
            CaseOrder::DeclineComplaint => CaseChange::ComplaintDeclined,
            CaseOrder::NameHelper { helper } => CaseChange::HelperNamed { helper: *helper },
            CaseOrder::FileComplaint { reference } => {
                let reference = self.said(reference, "the reference of the complaint")?;
                if self.case.helper.is_none() {
                    let cites = self.authority.game.cites(Rule::HelpToComplain).to_vec();
                    return Err(CaseRefusal::NoHelper { cites });
                }
                CaseChange::ComplaintFiled { reference }
            }
            CaseOrder::AnswerComplaint { words, corrections, through, transfers } => {
                let words = self.said(words, "the answer")?;
                let corrections = self.corrections(corrections)?;
                CaseChange::ComplaintAnswered {
                    words,
                    posted: self.posted(&corrections, *through, transfers)?,
                }
            }
        })
    }

    fn said(&self, words: &str, what: &'static str) -> Result<String, CaseRefusal> {
        if words.trim().is_empty() {
            return Err(CaseRefusal::NothingSaid { what, cites: self.cites.clone() });
        }
        Ok(words.to_string())
    }

    /// Who tries to settle it first: with the power to, and not about a ruling of their own.
    fn first_line(&mut self, to: Staff) -> Result<Staff, CaseRefusal> {
        if has_ruled(self.case, to.person) {
            return Err(CaseRefusal::OwnRuling { person: to.person, cites: Vec::new() });
        }
        match self.authority.power(Actor::Staff(to), Power::FirstLine) {
            Ok(cites) => {
                merge(&mut self.cites, &cites);
                Ok(to)
            }
            Err(denied) => {
                let mut cites = self.cites.clone();
                merge(&mut cites, &denied.cites);
                let title = title(self.authority, denied.needs);
                Err(CaseRefusal::NotFirstLine { person: to.person, needs: denied.needs, title, cites })
            }
        }
    }

    fn due(&self, due: &Due) -> Result<Due, CaseRefusal> {
        match due {
            Due::By(by) if *by <= self.command.at => {
                Err(CaseRefusal::DueTimePast { due: *by, now: self.command.at, cites: self.cites.clone() })
            }
            Due::By(by) => Ok(Due::By(*by)),
            Due::NotTold { reason } => {
                Ok(Due::NotTold { reason: self.said(reason, "the reason why no time was named")? })
            }
        }
    }

    fn attachable(&mut self, evidence: &Evidence) -> Result<Evidence, CaseRefusal> {
        let cites = self.authority.game.cites(evidence.rule()).to_vec();
        if let Evidence::Journal { from, to, .. } = *evidence
            && from > to
        {
            return Err(CaseRefusal::JournalBackwards { from, to, cites });
        }
        if self.case.evidence.contains(evidence) {
            return Err(CaseRefusal::AlreadyAttached { evidence: evidence.clone(), cites });
        }
        if let Some(reference) = evidence.reference() {
            self.said(reference, "the reference of the evidence")?;
        }
        if let Evidence::Document { kind, .. } = evidence {
            self.said(kind, "the kind of the document")?;
        }
        merge(&mut self.cites, &cites);
        Ok(evidence.clone())
    }

    fn grounds(&mut self, grounds: &[Ground]) -> Result<(), CaseRefusal> {
        if grounds.is_empty() {
            let cites = self.authority.game.cites(Rule::DisputeGrounds).to_vec();
            return Err(CaseRefusal::NoGrounds { cites });
        }
        for ground in grounds {
            let rests_on = self.ground(ground)?;
            merge(&mut self.cites, &rests_on);
        }
        Ok(())
    }

    /// What a ground rests on: the clause that makes it one, and for the rules the clause it names.
    fn ground(&self, ground: &Ground) -> Result<Vec<Basis>, CaseRefusal> {
        let mut cites = self.authority.game.cites(ground.rule()).to_vec();
        let empty = |text: &str| text.trim().is_empty();
        match ground {
            Ground::Rules { clause, version } => {
                let index = &self.authority.rulebook.index;
                let Some(basis) = index.find(clause).filter(|basis| index.clause(*basis).is_some()) else {
                    return Err(CaseRefusal::UnknownClause { clause: clause.clone(), cites });
                };
                let in_force = &self.case.about.rulebook.version;
                if version != in_force {
                    let (given, in_force) = (version.clone(), in_force.clone());
                    return Err(CaseRefusal::OtherVersion { given, in_force, cites });
                }
                merge(&mut cites, &[basis]);
            }
            Ground::Published { reference }
            | Ground::Procedures { reference }
            | Ground::Controls { reference }
            | Ground::Law { citation: reference } => {
                if empty(reference) {
                    return Err(CaseRefusal::NothingSaid { what: "the reference of the ground", cites });
                }
            }
            Ground::Statements => {
                let case = self.case;
                let player = case.player_statement.is_obtained();
                let staff = case.staff_statement.is_obtained();
                if !player && !staff {
                    return Err(CaseRefusal::NobodyHeard { cites });
                }
                if !player && case.player_not_heard.is_none() {
                    return Err(CaseRefusal::NotBothHeard { side: "the player", cites });
                }
                if !staff && case.staff_not_heard.is_none() {
                    return Err(CaseRefusal::NotBothHeard { side: "the staff", cites });
                }
            }
            Ground::Surveillance { reference } => {
                let evidence = Evidence::Surveillance { reference: reference.clone() };
                if !self.case.evidence.contains(&evidence) {
                    return Err(CaseRefusal::NotAttached { evidence, cites });
                }
            }
            Ground::Evidence(evidence) => {
                if !self.case.evidence.contains(evidence) {
                    return Err(CaseRefusal::NotAttached { evidence: evidence.clone(), cites });
                }
            }
        }
        Ok(cites)
    }

    fn corrections(&self, corrections: &[Correction]) -> Result<Vec<Correction>, CaseRefusal> {
        for (at, correction) in corrections.iter().enumerate() {
            let player = correction.player;
            if correction.amount.minor() == 0 {
                return Err(CaseRefusal::ZeroCorrection { player, cites: Vec::new() });
            }
            if corrections.iter().take(at).any(|earlier| earlier.player == player) {
                return Err(CaseRefusal::PlayerTwice { player, cites: Vec::new() });
            }
        }
        Ok(corrections.to_vec())
    }

    fn posted(
        &self,
        corrections: &[Correction],
        through: Through,
        transfers: &[TransferId],
    ) -> Result<Posted, CaseRefusal> {
        let (needed, given) = (corrections.len(), transfers.len());
        if needed != given {
            return Err(CaseRefusal::IdsMissing { needed, given, cites: Vec::new() });
        }
        for (at, id) in transfers.iter().enumerate() {
            if transfers.iter().take(at).any(|earlier| earlier == id) {
                return Err(CaseRefusal::IdTwice { id: *id, cites: Vec::new() });
            }
        }
        let corrections = transfers.iter().copied().zip(corrections.iter().copied()).collect();
        Ok(Posted { table: self.case.about.table, through, corrections })
    }
}
