//! Insurance by line of the rulebook's table and by situation.

use croupier_rules::baccarat::Side;
use croupier_rules::baccarat::insurance::Stage;
use croupier_rules::{Game, Odds};

use crate::fraction::Fraction;
use crate::insurance::InsuranceSituation;

/// One line of the insurance table with the situations in which it is offered.
#[derive(Clone, PartialEq, Debug)]
pub struct InsuranceLine {
    /// The insured hand.
    pub side: Side,
    /// When it is offered.
    pub stage: Stage,
    /// Counts of the Banker's hand, as in `0-5`.
    pub banker_points: String,
    /// Counts of the Player's hand.
    pub player_points: String,
    /// What it pays.
    pub odds: Odds,
    /// Sequences by how the insurance ends.
    pub win: u64,
    /// Those that give it back.
    pub push: u64,
    /// Those that collect it.
    pub lose: u64,
    /// The situations, by counts.
    pub situations: Vec<InsuranceSituation>,
}

impl InsuranceLine {
    /// The mean loss of one unit over all its situations; nothing if the cards never lead to one.
    #[must_use]
    pub fn edge(&self) -> Option<Fraction> {
        let offered = self.win + self.push + self.lose;
        let gain = Fraction::from(self.odds.ratio()).times(&Fraction::new(self.win, 1));
        let loss = Fraction::new(self.lose, 1).minus(&gain);
        (offered > 0).then(|| loss.times(&Fraction::new(1, offered)))
    }
}

/// The situations under the lines that insure them.
pub(super) fn lines(game: &Game, situations: Vec<InsuranceSituation>) -> Vec<InsuranceLine> {
    let table = game.insurance.iter().flat_map(|table| &table.lines);
    table
        .map(|line| {
            let mine: Vec<InsuranceSituation> = situations
                .iter()
                .filter(|situation| {
                    let (player, banker) = (situation.player_points, situation.banker_points);
                    situation.side == line.side && line.matches(situation.stage, player, banker)
                })
                .cloned()
                .collect();
            InsuranceLine {
                side: line.side,
                stage: line.stage,
                banker_points: line.banker_points.to_string(),
                player_points: line.player_points.to_string(),
                odds: line.odds,
                win: mine.iter().map(|situation| situation.win).sum(),
                push: mine.iter().map(|situation| situation.push).sum(),
                lose: mine.iter().map(|situation| situation.lose).sum(),
                situations: mine,
            }
        })
        .collect()
}
