//! What is done about a dispute, in a file: the case goes along beside the table and never changes a round.

use croupier_ledger::{CaseId, RoundId, TransferId};
use croupier_table::case::{self, Case};
use croupier_table::{Action as Deed, Actor, Command, PersonId, PlayerId, Table, apply, decide};

use super::Step;
use super::runner::{Done, Log, Runner};
use crate::case_deed::CaseDeed;
use crate::event::{Fact, Refused};

impl Runner<'_> {
    /// Something is done about a dispute.
    pub(super) fn case_deed(&mut self, log: &mut Log<'_>, by: Actor, deed: CaseDeed) -> Done {
        let refuse = |refusal: case::CaseRefusal| {
            let cites = refusal.cites().to_vec();
            (Refused::Case(Box::new(refusal)), cites)
        };
        let Some(table) = &self.table else { return Ok(()) };
        let authority = table.setup.authority();
        let events = match (deed, &self.case) {
            (CaseDeed::Open { ruling, words }, _) => {
                let rulings = self.rulings();
                let matter = match rulings.last() {
                    None if ruling => {
                        let what = "nobody has ruled in this round; `disputes the round`".to_string();
                        return Err((Refused::Unknown(what), Vec::new()));
                    }
                    Some(by) if ruling => case::Matter::Ruling { by: *by },
                    Some(_) | None => case::Matter::Round,
                };
                let mut ruled_by: Vec<PersonId> = rulings
                    .iter()
                    .filter_map(|by| if let Actor::Staff(staff) = by { Some(staff.person) } else { None })
                    .collect();
                ruled_by.sort_unstable();
                ruled_by.dedup();
                let player = by.player().or_else(|| table.players.first().map(|player| player.id));
                let about = case::Subject {
                    table: table.id,
                    rulebook: case::RulebookVersion::of(table.rulebook()),
                    round: Some(case::DisputedRound {
                        id: RoundId(table.round.number),
                        from: 0,
                        to: self.clock,
                    }),
                    player: player.unwrap_or(PlayerId(0)),
                    matter,
                    ruled_by,
                    words,
                };
                let opening = case::Opening { case: CaseId(1), at: self.clock, by, about };
                let events = case::open(authority, &opening).map_err(refuse)?;
                self.steps.push(Step::Disputed(opening, events.clone()));
                events
            }
            (CaseDeed::Order(_), None) => {
                return Err((
                    Refused::Unknown("there is no dispute; somebody disputes first".to_string()),
                    Vec::new(),
                ));
            }
            (CaseDeed::Order(order), Some(case)) => {
                let order = with_transfers(order, case, table);
                let command = case::CaseCommand { at: self.clock, by, order };
                let events = case::decide(authority, case, &command).map_err(refuse)?;
                // The table bears all corrections, or nothing is posted.
                let mut ahead = table.clone();
                for deed in events.iter().flat_map(at_the_table) {
                    let command = Command { actor: by, at: self.clock, action: deed };
                    let moved = decide(&ahead, &command).map_err(|refusal| self.refused(refusal))?;
                    moved.iter().for_each(|event| apply(&mut ahead, event));
                }
                self.steps.push(Step::Case(command, events.clone()));
                events
            }
        };
        for event in events {
            for deed in at_the_table(&event) {
                self.perform(log, by, deed)?;
            }
            match &mut self.case {
                Some(case) if !matches!(event.change, case::CaseChange::Opened { .. }) => {
                    case::apply(case, &event);
                }
                _ => self.case = case::replay(core::slice::from_ref(&event)),
            }
            log.note(log.at, Fact::Case(event.change), event.cites);
        }
        Ok(())
    }

    /// Who has ruled in the round at the table, in order.
    fn rulings(&self) -> Vec<Actor> {
        let mut rulings = Vec::new();
        for step in &self.steps {
            let Step::Table(_, events) = step else { continue };
            for event in events {
                match &event.fact {
                    croupier_table::Fact::BetsOpened { .. } | croupier_table::Fact::FreeHandBegan { .. } => {
                        rulings.clear();
                    }
                    croupier_table::Fact::Ruled { by, .. } => rulings.push(*by),
                    _ => {}
                }
            }
        }
        rulings
    }
}

/// What an event of a case moves between the float and the chips of those at the table.
fn at_the_table(event: &case::CaseEvent) -> Vec<Deed> {
    match &event.change {
        case::CaseChange::CorrectionsPosted { posted }
        | case::CaseChange::ComplaintAnswered { posted, .. }
            if posted.through == case::Through::Table =>
        {
            let posted = posted.corrections.iter();
            posted
                .map(|(_, case::Correction { player, amount })| Deed::PostCorrection {
                    case: event.case,
                    player: *player,
                    amount: *amount,
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// An id for each correction: a file has no ledger of its own. Who has left the table has no chips there, and
/// is paid through the cage.
fn with_transfers(order: case::CaseOrder, case: &Case, table: &Table) -> case::CaseOrder {
    let there = |correction: &case::Correction| table.player(correction.player).is_some();
    let through = |corrections: &[case::Correction], asked| {
        if corrections.iter().all(there) { asked } else { case::Through::Cage }
    };
    let transfers = |count| (1..).map(TransferId).take(count).collect();
    match order {
        case::CaseOrder::PostCorrections { through: asked, .. } => {
            let corrections = case.decision.as_ref().map_or(&[][..], |decision| &decision.corrections);
            case::CaseOrder::PostCorrections {
                through: through(corrections, asked),
                transfers: transfers(corrections.len()),
            }
        }
        case::CaseOrder::AnswerComplaint { words, corrections, through: asked, .. } => {
            case::CaseOrder::AnswerComplaint {
                words,
                through: through(&corrections, asked),
                transfers: transfers(corrections.len()),
                corrections,
            }
        }
        other => other,
    }
}
