//! Counting a table's events, and what the exact odds make of its wagers.

use std::collections::BTreeMap;

use croupier_cards::Decks;
use croupier_journal::deed::TableDay;
use croupier_journal::envelope::Row;
use croupier_journal::{BadRow, Kind, Replayed};
use croupier_lab::Fraction;
use croupier_lab::report::{OddsSheet, Stock};
use croupier_ledger::{RoundId, TableId};
use croupier_rules::settle::Settled;
use croupier_table::event::Mark;
use croupier_table::{Fact, Setup, Table};

/// What is wagered on: a bet of the menu, or a line of the insurance table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Area {
    /// A bet, by its place.
    Bet(usize),
    /// An insurance, by the place of its line.
    Insurance(usize),
}

/// What a table took, paid and was wagered on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    rounds: u64,
    last_round: Option<RoundId>,
    drop: i64,
    win: i64,
    commission: i64,
    /// What was in action, by where it lay.
    staked: BTreeMap<Area, i64>,
}

impl Figures {
    /// Follows a line of the table, and counts it if it is of the day.
    pub(super) fn follow(&mut self, replayed: &mut Replayed, row: &Row, counts: bool) -> Result<(), BadRow> {
        replayed.head = row.head();
        if row.kind != Kind::Table {
            return Ok(());
        }
        let events = row.table_events().map_err(|error| BadRow::new(row, error.to_string()))?;
        for event in &events {
            if counts {
                self.count(&replayed.table, &event.fact);
            }
            // The books are not asked here, so they are not followed.
            replayed.apply(core::slice::from_ref(event));
        }
        Ok(())
    }

    /// Counts an event that is about to be applied to the table.
    fn count(&mut self, table: &Table, fact: &Fact) {
        match fact {
            Fact::BoughtIn { amount, .. } => self.drop += amount.minor(),
            Fact::WagerEnded { wager, settled, reserve } => {
                let area = table.round.wagers.get(*wager).map(|laid| Area::Bet(laid.bet));
                self.settled(table, area, settled);
                self.win += reserve.as_ref().map_or(0, |reserve| reserve.lost.minor());
            }
            Fact::InsuranceEnded { insurance, settled } => {
                let area = table.round.insurances.get(*insurance).map(|laid| Area::Insurance(laid.line));
                self.settled(table, area, settled);
            }
            Fact::CommissionCollected { amount, .. } => {
                self.win += amount.minor();
                self.commission += amount.minor();
            }
            Fact::RoundClosed { mark: Mark::Result(_) | Mark::Played, .. } => {
                self.rounds += 1;
                self.last_round = Some(RoundId(table.round.number));
            }
            _ => {}
        }
    }

    fn settled(&mut self, table: &Table, area: Option<Area>, settled: &Settled) {
        self.win += settled.collected.minor() - settled.winnings.minor();
        if table.setup.commission_at_shoe_end {
            // What is owed was paid out, and is won when it is collected.
            self.win -= settled.commission.minor();
        } else {
            self.commission += settled.commission.minor();
        }
        if let Some(area) = area {
            *self.staked.entry(area).or_default() += settled.in_action.minor();
        }
    }

    /// What the house should have won: every stake times the exact edge of its bet, rounded once.
    pub(super) fn theory(&self, theories: &mut Theories, setup: &Setup) -> Result<i64, String> {
        if self.staked.values().all(|staked| *staked == 0) {
            return Ok(0);
        }
        let edges = theories.edges(setup)?;
        let zero = Fraction::new(0, 1);
        let sum = self.staked.iter().fold(zero, |sum, (area, staked)| match edges.get(area) {
            Some(edge) => sum.plus(&edge.times(&Fraction::new(*staked, 1))),
            None => sum,
        });
        Ok(nearest(&sum))
    }

    pub(super) fn day(self, table: TableId, through: u64, theory: i64) -> TableDay {
        TableDay {
            table,
            through,
            rounds: self.rounds,
            last_round: self.last_round,
            drop: self.drop,
            handle: self.staked.values().sum(),
            win: self.win,
            commission: self.commission,
            theory,
        }
    }
}

/// The nearest whole number; a half goes away from zero.
fn nearest(value: &Fraction) -> i64 {
    let half = Fraction::new(if value.is_negative() { -1 } else { 1 }, 2);
    value.plus(&half).decimal(0).parse().unwrap_or(0)
}

/// The edges of games as they are dealt, worked out once each.
#[derive(Debug, Default)]
pub(super) struct Theories {
    known: BTreeMap<(String, String, u8), BTreeMap<Area, Fraction>>,
}

impl Theories {
    fn edges(&mut self, setup: &Setup) -> Result<&BTreeMap<Area, Fraction>, String> {
        let (rulebook, game) = (&setup.rulebook, setup.game());
        let key = (game.id.clone(), rulebook.version.clone(), setup.decks);
        if !self.known.contains_key(&key) {
            let decks = Decks::new(setup.decks).map_err(|error| error.to_string())?;
            let sheet =
                OddsSheet::new(rulebook, game, Stock::of_decks(decks)).map_err(|error| error.to_string())?;
            let bets = sheet
                .bets
                .iter()
                .filter_map(|bet| Some((Area::Bet(game.bet_index(&bet.par.bet)?), bet.par.edge.clone())));
            let insurance = sheet
                .insurance
                .iter()
                .enumerate()
                .filter_map(|(at, line)| Some((Area::Insurance(at), line.edge()?)));
            self.known.insert(key.clone(), bets.chain(insurance).collect());
        }
        self.known.get(&key).ok_or_else(|| "no edges".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_to_the_nearest() {
        for (numerator, denominator, expected) in [
            (1, 2, 1),
            (-1, 2, -1),
            (49, 100, 0),
            (-149, 100, -1),
            (151, 100, 2),
            (7, 1, 7),
            (0, 5, 0),
            (-3, 2, -2),
        ] {
            assert_eq!(
                nearest(&Fraction::new(numerator, denominator)),
                expected,
                "{numerator}/{denominator}"
            );
        }
    }
}
