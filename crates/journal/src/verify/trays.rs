//! What was told of the chips of tables: every order is decided again.

use std::collections::BTreeMap;

use croupier_ledger::TableId;
use croupier_table::tray::{self, Tray, TrayCommand, TrayOrder};

use super::Finding;
use super::line::Line;
use super::tables::TableAudit;
use crate::deed::TrayLine;

/// Follows an order about the chips of a table.
pub(super) fn follow(
    line: &Line,
    told: &TrayLine,
    tables: &BTreeMap<TableId, TableAudit>,
    trays: &mut BTreeMap<TableId, Tray>,
) -> Result<(), Finding> {
    let Some(table) = tables.get(&told.table) else {
        return Err(Finding::at(line, "is about the chips of a table that is not there"));
    };
    let Some(by) = line.record.by.actor() else {
        return Err(Finding::at(line, "is about the chips of a table, by nobody who is at one"));
    };
    let moved = match &told.order {
        TrayOrder::DeliverSlip { line, .. } => Some(*line),
        TrayOrder::SignCount { line, .. } => *line,
        TrayOrder::AskSlip { .. }
        | TrayOrder::ApproveSlip { .. }
        | TrayOrder::DropSlip { .. }
        | TrayOrder::BeginCount { .. }
        | TrayOrder::SealCount { .. }
        | TrayOrder::ExplainCount { .. }
        | TrayOrder::DropCount { .. } => None,
    };
    if moved.is_some_and(|moved| moved > table.replayed.head.sequence) {
        return Err(Finding::at(line, "names a line of the table that it has not reached"));
    }
    let tray = trays.entry(told.table).or_insert_with(|| Tray::new(told.table));
    let setup = &table.replayed.table.setup;
    let command = TrayCommand { by, at: line.seconds(), order: told.order.clone() };
    tray::decide(setup.authority(), setup.terms.chip, tray, &command).map_err(|refusal| {
        Finding::at(line, format!("is an order about chips that is refused: {refusal}"))
            .by(table.clauses(refusal.cites()))
    })?;
    let paper = tray::apply(tray, &command);
    if paper.number() == told.number {
        Ok(())
    } else {
        Err(Finding::at(line, format!("is about paper {} and says {}", paper.number(), told.number)))
    }
}
