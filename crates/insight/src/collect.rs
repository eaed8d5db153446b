//! What of a round counts: the cards it was dealt from, who dealt it, and how each wager ended.

use croupier_cards::Composition;
use croupier_ledger::{PlayerId, TableId};
use croupier_rules::baccarat::insurance::Stage;
use croupier_rules::settle::Settled;
use croupier_table::event::Mark;
use croupier_table::{Actor, Fact, PersonId, Table};

use crate::price::{Chances, chances};

/// A round that was played to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Where.
    pub table: TableId,
    /// Its number at the table.
    pub round: u64,
    /// When it ended, in milliseconds since 1970.
    pub at: u64,
    /// Who closed the betting: the Dealer, at a table that staff deal.
    pub dealer: Option<PersonId>,
    /// The cards nobody had read when betting closed. Of games in which each round has a deck of its own it says nothing.
    pub before: Composition,
    /// The wagers that were in action.
    pub wagers: Vec<Ended>,
    /// The insurances that were.
    pub insurances: Vec<InsuranceEnded>,
}

/// A wager as it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Whose.
    pub player: PlayerId,
    /// The bet.
    pub bet: usize,
    /// What was at risk, in minor units.
    pub in_action: i64,
    /// What the player won, less commission, the loss of the Reserve included; below zero if lost.
    pub result: i64,
}

/// An insurance as it ended.
#[derive(Clone, PartialEq, Debug)]
pub struct InsuranceEnded {
    /// Whose.
    pub player: PlayerId,
    /// The place of its line.
    pub line: usize,
    /// What was at risk, in minor units.
    pub in_action: i64,
    /// What the player won; below zero if lost.
    pub result: i64,
    /// How it could end when it was taken.
    pub chances: Option<Chances>,
}

/// Follows the events of one table, each before it is applied.
#[derive(Clone, Debug, Default)]
pub struct Collector {
    before: Option<Composition>,
    dealer: Option<PersonId>,
    wagers: Vec<Ended>,
    insurances: Vec<InsuranceEnded>,
    /// The chances of the insurances of this round, in the order they were taken.
    insured: Vec<Option<Chances>>,
}

impl Collector {
    /// Follows an event that is about to be applied to the table; the round that is over with it.
    pub fn follow(&mut self, table: &Table, fact: &Fact, by: Actor, at: u64) -> Option<Played> {
        match fact {
            Fact::BetsOpened { .. } | Fact::FreeHandBegan { .. } => *self = Self::default(),
            Fact::BetsClosed { .. } => {
                self.before = Some(unseen(table));
                if let Actor::Staff(staff) = by {
                    self.dealer = Some(staff.person);
                }
            }
            Fact::Insured { line, .. } => self.insured.push(insured(table, *line)),
            Fact::WagerEnded { wager, settled, reserve } => {
                let lost = reserve.as_ref().map_or(0, |reserve| reserve.lost.minor());
                if let Some(laid) = table.round.wagers.get(*wager).filter(|_| is_in_action(settled)) {
                    self.wagers.push(Ended {
                        player: laid.player,
                        bet: laid.bet,
                        in_action: settled.in_action.minor(),
                        result: settled.net().minor() - lost,
                    });
                }
            }
            Fact::InsuranceEnded { insurance, settled } => {
                if let Some(laid) = table.round.insurances.get(*insurance).filter(|_| is_in_action(settled)) {
                    self.insurances.push(InsuranceEnded {
                        player: laid.player,
                        line: laid.line,
                        in_action: settled.in_action.minor(),
                        result: settled.net().minor(),
                        chances: self.insured.get(*insurance).cloned().flatten(),
                    });
                }
            }
            Fact::RoundClosed { mark: Mark::Result(_) | Mark::Played, .. } => {
                let round = core::mem::take(self);
                return Some(Played {
                    table: table.id,
                    round: table.round.number,
                    at,
                    dealer: round.dealer,
                    before: round.before.unwrap_or(Composition::EMPTY),
                    wagers: round.wagers,
                    insurances: round.insurances,
                });
            }
            // Nothing of a round that is void was at risk in the end.
            Fact::RoundClosed { mark: Mark::Void | Mark::Free(_), .. } => *self = Self::default(),
            _ => {}
        }
        None
    }
}

fn is_in_action(settled: &Settled) -> bool {
    settled.in_action.is_positive()
}

/// The cards of the shoe whose faces nobody has read, with those that were left over from the round before and lie
/// face down: all that the first card of the round can be.
fn unseen(table: &Table) -> Composition {
    let mut unseen = table.shoe.unread;
    for card in table.next.carried.iter().filter(|stray| !stray.exposed).filter_map(|stray| stray.card) {
        // It came out of this shoe, so there is room for it.
        let _ = unseen.add(card);
    }
    unseen
}

/// How an insurance that is taken now can end.
fn insured(table: &Table, line: usize) -> Option<Chances> {
    let deal = &table.round.deal;
    let line = table.game().insurance.as_ref()?.lines.get(line)?;
    let stage = Stage::of(deal).filter(|stage| *stage == line.stage)?;
    let [player, banker] = [croupier_rules::baccarat::Side::Player, croupier_rules::baccarat::Side::Banker]
        .map(|side| deal.points(side));
    chances(line, stage, player, banker, &table.shoe.unread)
}
