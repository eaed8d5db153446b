//! Disputes: every event is derived again, and posts what it must.

use croupier_ledger::{CaseId, Entry};
use croupier_table::case::{self, Case, CaseCommand, CaseEvent, CaseRefusal};

use super::line::Line;
use super::tables::TableAudit;
use super::{Differences, Finding};
use crate::deed::Deed;
use crate::stream::Stream;

/// Follows a line of a dispute: the case as it is now.
pub(super) fn follow(
    line: &Line,
    table: &TableAudit,
    known: Option<Case>,
    differences: &mut Differences,
) -> Result<(Case, Vec<Entry>, usize), Finding> {
    let Stream::Case(id) = line.record.stream else {
        return Err(Finding::at(line, "is of no dispute"));
    };
    let derived = derive(line, id, table, known.as_ref());
    let written: Vec<CaseEvent> = serde_json::from_slice(line.events())
        .map_err(|error| Finding::at(line, format!("has events that are none: {error}")))?;
    let derived = derived.and_then(|events| {
        if written == events {
            return Ok(());
        }
        let cites = events.first().map_or(&[][..], |event| event.cites.as_slice());
        let what = "records other events than the rules of disputes give";
        Err(Finding::at(line, what).by(table.clauses(cites)))
    });
    // What was recorded is what is followed.
    derived.or_else(|finding| differences.note(line, finding))?;
    let events = written;
    let entries: Vec<Entry> = events.iter().flat_map(case::entries).collect();
    if entries != line.record.postings || line.record.closes.is_some() {
        return Err(Finding::at(line, "posts other corrections than its events"));
    }
    let case = match known {
        None => case::replay(&events),
        Some(mut case) => {
            events.iter().for_each(|event| case::apply(&mut case, event));
            Some(case)
        }
    };
    let case = case.ok_or_else(|| Finding::at(line, "begins a dispute without opening it"))?;
    Ok((case, entries, events.len()))
}

fn derive(
    line: &Line,
    id: CaseId,
    table: &TableAudit,
    known: Option<&Case>,
) -> Result<Vec<CaseEvent>, Finding> {
    let authority = table.replayed.table.setup.authority();
    let by = line.record.by.actor();
    let refused = |refusal: CaseRefusal| {
        let clauses = table.clauses(refusal.cites());
        Finding::at(line, format!("is a command that the rules of disputes refuse: {refusal}")).by(clauses)
    };
    match (&line.record.deed, known) {
        (Deed::OpenCase(opening), None) => {
            if (opening.case, Some(opening.by), opening.at) != (id, by, line.seconds()) {
                return Err(Finding::at(line, "opens another dispute than its stream, or at another time"));
            }
            case::open(authority, opening).map_err(refused)
        }
        (Deed::Case(order), Some(case)) => {
            let by = by.ok_or_else(|| Finding::at(line, "is by nobody who acts in a dispute"))?;
            let command = CaseCommand { at: line.seconds(), by, order: (**order).clone() };
            case::decide(authority, case, &command).map_err(refused)
        }
        (_, None) => Err(Finding::at(line, "begins a dispute without opening it")),
        (_, Some(_)) => Err(Finding::at(line, "opens a dispute that is open")),
    }
}
