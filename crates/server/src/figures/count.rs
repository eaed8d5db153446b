//! What the events at a table come to: rounds, drop, win, what was in action, what came and went.
//!
//! Figures are sums, so that those of one part of a stream are those of the whole less those of the other part.

use std::collections::BTreeMap;

use croupier_journal::deed::TableDay;
use croupier_ledger::{RoundId, TableId};
use croupier_rules::settle::Settled;
use croupier_table::event::Mark;
use croupier_table::{Fact, Table};

/// What is wagered on: a bet of the menu, or a line of the insurance table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Area {
    /// A bet, by its place.
    Bet(usize),
    /// An insurance, by the place of its line.
    Insurance(usize),
}

/// How long a part of the day is of which the figures are kept apart, for what is drawn over time.
pub const PART_MILLISECONDS: u64 = 5 * 60 * 1_000;

/// A few minutes at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// Rounds settled.
    pub rounds: i64,
    /// What the house won.
    pub win: i64,
    /// Chips that players took to the table.
    pub drop: i64,
}

/// What a table took, paid and was wagered on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// Rounds settled.
    pub rounds: i64,
    /// The last of them.
    pub last_round: Option<RoundId>,
    /// Chips that players took to the table.
    pub drop: i64,
    /// What of that is cash in the drop box.
    pub cash: i64,
    /// What the house won.
    pub win: i64,
    /// Commission in it.
    pub commission: i64,
    /// What disputes gave to players out of the float, less what they took.
    pub corrected: i64,
    /// Chips that were brought to the float.
    pub fills: i64,
    /// Chips that were taken from it.
    pub credits: i64,
    /// What was in action, by where it lay.
    pub staked: BTreeMap<Area, i64>,
    /// The parts of the time, each by its number since 1970.
    pub parts: BTreeMap<u64, Part>,
}

impl Figures {
    /// Counts an event that is about to be applied to the table, at a time in milliseconds.
    pub fn count(&mut self, table: &Table, at: u64, fact: &Fact) {
        let (rounds, win, drop) = (self.rounds, self.win, self.drop);
        self.add_up(table, fact);
        let part = Part { rounds: self.rounds - rounds, win: self.win - win, drop: self.drop - drop };
        if part != Part::default() {
            self.parts.entry(at / PART_MILLISECONDS).or_default().add(part);
        }
    }

    fn add_up(&mut self, table: &Table, fact: &Fact) {
        match fact {
            Fact::BoughtIn { amount, cash, .. } => {
                self.drop += amount.minor();
                self.cash += if *cash { amount.minor() } else { 0 };
            }
            Fact::Filled { amount, .. } => self.fills += amount.minor(),
            Fact::Credited { amount, .. } => self.credits += amount.minor(),
            Fact::CorrectionPosted { amount, .. } => self.corrected += amount.minor(),
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

    /// What was wagered and in action.
    #[must_use]
    pub fn handle(&self) -> i64 {
        self.staked.values().sum()
    }

    /// What came to the float, but for what a count finds: fills less credits, the win, less what was sold for cash
    /// and what disputes gave.
    #[must_use]
    pub fn into_float(&self) -> i64 {
        self.fills - self.credits + self.win - self.cash - self.corrected
    }

    /// Adds those of another part of the stream.
    pub fn add(&mut self, other: &Self) {
        self.join(other, 1);
        self.last_round = self.last_round.max(other.last_round);
    }

    /// Takes away those of an earlier part.
    pub fn take_away(&mut self, earlier: &Self) {
        self.join(earlier, -1);
        self.last_round =
            self.last_round.filter(|last| earlier.last_round.is_none_or(|earlier| *last > earlier));
    }

    fn join(&mut self, other: &Self, sign: i64) {
        for (sum, part) in [
            (&mut self.rounds, other.rounds),
            (&mut self.drop, other.drop),
            (&mut self.cash, other.cash),
            (&mut self.win, other.win),
            (&mut self.commission, other.commission),
            (&mut self.corrected, other.corrected),
            (&mut self.fills, other.fills),
            (&mut self.credits, other.credits),
        ] {
            *sum += sign * part;
        }
        for (area, staked) in &other.staked {
            *self.staked.entry(*area).or_default() += sign * staked;
        }
        self.staked.retain(|_, staked| *staked != 0);
        for (time, Part { rounds, win, drop }) in &other.parts {
            let sum = self.parts.entry(*time).or_default();
            sum.rounds += sign * rounds;
            sum.win += sign * win;
            sum.drop += sign * drop;
        }
        self.parts.retain(|_, part| *part != Part::default());
    }

    /// The report of a day.
    #[must_use]
    pub fn day(&self, table: TableId, through: u64, theory: i64) -> TableDay {
        TableDay {
            table,
            through,
            rounds: u64::try_from(self.rounds).unwrap_or(0),
            last_round: self.last_round,
            drop: self.drop,
            handle: self.handle(),
            win: self.win,
            commission: self.commission,
            theory,
        }
    }
}

impl Part {
    fn add(&mut self, other: Self) {
        self.rounds += other.rounds;
        self.win += other.win;
        self.drop += other.drop;
    }
}
