//! A table that another node runs: its lines are followed as they come, its clock runs beside the other, and nothing is
//! decided. When this node is to lead, the table goes on where it stands.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use croupier_journal::{BadRow, Change, Kind, Row, StoreError};

use super::{BETWEEN_SNAPSHOTS, IN_FLIGHT, TableTask, has_cards_out};
use crate::table::dealer::{InPlay, Wants};
use crate::table::{Leading, Receipt};

/// What is known of lines that another node writes.
#[derive(Default)]
pub(super) struct Following {
    /// Finished rounds with the lines that they ended with. The node that leads keeps them with a later line, and may end
    /// before that.
    rounds: VecDeque<(u64, Vec<Change>)>,
}

/// A round is kept by its leader after no more lines than this.
const KEPT_AFTER: u64 = 2 * IN_FLIGHT as u64;

impl Following {
    pub(super) fn keep(&mut self, sequence: u64, round: Vec<Change>) {
        self.rounds.push_back((sequence, round));
        while self.rounds.front().is_some_and(|(ended, _)| ended + KEPT_AFTER < sequence) {
            self.rounds.pop_front();
        }
    }
}

impl TableTask {
    /// Follows lines. What was in the journal when the table was read is passed over.
    pub(super) fn follow(&mut self, rows: &[Row]) {
        for row in rows.iter().filter(|row| row.sequence > self.front.head.sequence).collect::<Vec<_>>() {
            if let Err(bad) = self.follow_one(row) {
                // What this node shows would be wrong from here on.
                self.shared.till.fail(&Arc::new(StoreError::Database(bad.to_string())));
                return;
            }
            self.followed_to.store(row.sequence, Ordering::Release);
        }
    }

    fn follow_one(&mut self, row: &Row) -> Result<(), BadRow> {
        if row.sequence != self.front.head.sequence + 1 {
            return Err(BadRow::new(row, format!("follows {} at its table", self.front.head.sequence)));
        }
        let record = row.record().map_err(|error| BadRow::new(row, error.to_string()))?;
        let had_cards_out = has_cards_out(&self.front.table);
        let shoe = self.front.table.shoe.number;
        let (_, events) = self.front.follow_telling(row, &record)?;
        self.known.add(&row.id);
        if row.kind != Kind::Table {
            return Ok(());
        }
        if !had_cards_out && has_cards_out(&self.front.table) {
            self.open_from.push_back(row.sequence);
            self.tell_open_from();
        }
        // The leader stores the state with a new shoe.
        let is_loaded = self.front.table.shoe.number != shoe;
        if is_loaded && row.sequence.saturating_sub(self.last_snapshot) >= BETWEEN_SNAPSHOTS {
            self.last_snapshot = row.sequence;
        }
        self.show(record.by, Receipt { sequence: row.sequence, at: record.at }, events);
        self.durable.fetch_max(row.sequence, Ordering::AcqRel);
        Ok(())
    }

    /// Lets the clock for players run as the leader's does, so that it is shown, and goes on with the time that is left
    /// if this node must lead; when to look again.
    pub(super) fn mind_clock(&mut self) -> Option<Instant> {
        let dealer = self.dealer.as_mut()?;
        let before = dealer.deadline();
        let wants = dealer.wants(&self.front.table, self.front.head.sequence);
        self.is_dirty |= before != dealer.deadline();
        match wants {
            Wants::Look(at) => Some(at),
            // It is the leader's to give.
            Wants::Give(_) | Wants::Nothing => None,
        }
    }

    /// From now on this node decides.
    pub(super) fn lead(&mut self, Leading { shoes, was_killed }: Leading) {
        let Some(Following { rounds }) = self.following.take() else { return };
        self.followed_to.store(u64::MAX, Ordering::Release);
        self.rounds.extend(rounds.into_iter().flat_map(|(_, round)| round));
        let number = self.front.table.shoe.number;
        let in_play = shoes.into_iter().find(|(kept, _)| *kept == number);
        self.in_play = in_play.map(|(number, shoe)| InPlay::new(number, shoe));
        self.is_dirty = true;
        if was_killed {
            let report = self.power_failed();
            self.process(report.map(|asked| (asked, false)).into_iter().collect());
        }
    }
}
