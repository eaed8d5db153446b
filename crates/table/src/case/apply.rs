//! Taking events over. Nothing is judged here: what an event says has happened.

use super::command::{CaseChange, CaseEvent};
use super::{Case, CaseState, Decision, End, Statement, Subject, Told, Written};
use crate::actor::{Actor, PersonId};

/// The case that events describe, if the first of them opens one.
#[must_use]
pub fn replay(events: &[CaseEvent]) -> Option<Case> {
    let (first, rest) = events.split_first()?;
    let CaseChange::Opened { about } = &first.change else { return None };
    let mut case = opened(first, about);
    for event in rest {
        apply(&mut case, event);
    }
    Some(case)
}

/// Takes an event over.
pub fn apply(case: &mut Case, event: &CaseEvent) {
    let written = |words: &String| Written { words: words.clone(), by: event.by, at: event.at };
    let told = Told { by: event.by, at: event.at };
    match &event.change {
        CaseChange::Opened { about } => *case = opened(event, about),
        CaseChange::Assigned { to } => {
            case.first_line.push(to.person);
            case.state = CaseState::FirstLine;
        }
        CaseChange::Settled { words } => {
            join_first_line(case, event.by);
            close(case, End::Settled { words: words.clone() });
        }
        CaseChange::Escalated { .. } => {
            join_first_line(case, event.by);
            case.state = CaseState::Escalated;
        }
        CaseChange::TakenOver => {
            case.owner = person(event.by);
            case.state = CaseState::Gathering;
        }
        CaseChange::FactGathered { words } => case.facts.push(written(words)),
        CaseChange::EvidenceAttached { evidence } => case.evidence.push(evidence.clone()),
        CaseChange::PlayerHeard { words } => case.player_statement.0.push(written(words)),
        CaseChange::StaffHeard { words } => case.staff_statement.0.push(written(words)),
        CaseChange::PlayerNotHeard { words } => case.player_not_heard = Some(written(words)),
        CaseChange::StaffNotHeard { words } => case.staff_not_heard = Some(written(words)),
        CaseChange::SurveillanceInformed => case.surveillance = Some(told),
        CaseChange::DueTold { due } => case.due = Some(due.clone()),
        CaseChange::GatheringCompleted => case.state = CaseState::UnderReview,
        CaseChange::MoreEvidenceAsked { .. } => case.state = CaseState::Gathering,
        CaseChange::Decided { grounds, reasoning, corrections } => {
            case.decision = Some(Decision {
                by: event.by,
                at: event.at,
                grounds: grounds.clone(),
                reasoning: reasoning.clone(),
                corrections: corrections.clone(),
            });
            case.state = CaseState::Decided;
        }
        CaseChange::Agreed => case.state = CaseState::Accepted,
        CaseChange::Disagreed => case.state = CaseState::RightsInformed,
        CaseChange::CorrectionsPosted { .. } => close(case, End::Agreed),
        CaseChange::RightTold => case.right_told = Some(told),
        CaseChange::ComplaintWished => case.state = CaseState::Assisting,
        CaseChange::ComplaintDeclined => close(case, End::NoComplaint),
        CaseChange::HelperNamed { helper } => case.helper = Some(*helper),
        CaseChange::ComplaintFiled { reference } => {
            case.complaint = Some(written(reference));
            case.state = CaseState::ComplaintFiled;
        }
        CaseChange::ComplaintAnswered { words, .. } => close(case, End::Answered { words: words.clone() }),
    }
}

fn opened(event: &CaseEvent, about: &Subject) -> Case {
    Case {
        id: event.case,
        about: about.clone(),
        raised_by: event.by,
        opened_at: event.at,
        state: CaseState::Opened,
        first_line: Vec::new(),
        owner: None,
        evidence: Vec::new(),
        player_statement: Statement::default(),
        staff_statement: Statement::default(),
        player_not_heard: None,
        staff_not_heard: None,
        facts: Vec::new(),
        surveillance: None,
        due: None,
        decision: None,
        right_told: None,
        helper: None,
        complaint: None,
        end: None,
    }
}

fn close(case: &mut Case, end: End) {
    case.end = Some(end);
    case.state = CaseState::Closed;
}

/// Whoever reports how the first attempt went has taken part in it.
fn join_first_line(case: &mut Case, by: Actor) {
    if let Some(person) = person(by).filter(|person| !case.first_line.contains(person)) {
        case.first_line.push(person);
    }
}

/// The member of the staff, if it is one.
pub(super) const fn person(actor: Actor) -> Option<PersonId> {
    match actor {
        Actor::Staff(staff) => Some(staff.person),
        Actor::Player(_) | Actor::Device | Actor::System | Actor::Surveillance | Actor::Display => None,
    }
}
