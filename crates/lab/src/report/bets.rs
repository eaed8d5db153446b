//! The figures of one bet, with the Reserve where there is one.

use croupier_rules::Bet;

use super::numbers::{share, zero};
use crate::fraction::Fraction;
use crate::niu_niu::{NiuNiuBet, NiuNiuHistogram};
use crate::par::ParBet;

/// The worth of one bet.
#[derive(Clone, PartialEq, Debug)]
pub struct BetFigures {
    /// Its name on the layout.
    pub name: String,
    /// Per unit wagered, with what is lost out of the Reserve.
    pub par: ParBet,
    /// In Niu Niu the units laid for one unit wagered: the stake and its Reserve.
    pub units_risked: Option<u32>,
}

impl BetFigures {
    /// The worth of a bet from the ways of its lines.
    #[must_use]
    pub fn new(bet: &Bet, ways: &[u64], total: u64) -> Self {
        Self { name: bet.names.en.clone(), par: ParBet::new(bet, ways, total), units_risked: None }
    }

    /// The worth of a bet on a box; nothing if its columns are not those of Niu Niu.
    #[must_use]
    pub fn of_niu_niu(bet: &Bet, histogram: &NiuNiuHistogram) -> Option<Self> {
        let figures = NiuNiuBet::new(bet, histogram)?;
        let units_risked = Some(figures.units_risked);
        Some(Self { name: bet.names.en.clone(), par: figures.par, units_risked })
    }

    /// The edge of every unit risked, the Reserve included.
    #[must_use]
    pub fn edge_per_unit_risked(&self) -> Option<Fraction> {
        Some(self.par.edge.times(&Fraction::new(1, self.units_risked?)))
    }

    /// The chance of each result of one unit, the largest gain first.
    #[must_use]
    pub fn distribution(&self) -> Vec<(Fraction, Fraction)> {
        let total: u64 = self.par.lines.iter().map(|line| line.ways).sum();
        let mut results: Vec<(Fraction, u64)> = Vec::new();
        for line in &self.par.lines {
            match results.iter_mut().find(|(net, _)| *net == line.net) {
                Some((_, ways)) => *ways += line.ways,
                None => results.push((line.net.clone(), line.ways)),
            }
        }
        results.sort_by(|(one, _), (other, _)| other.cmp(one));
        results.into_iter().map(|(net, ways)| (net, share(ways, total))).collect()
    }

    /// Whether the player gains on average.
    #[must_use]
    pub fn favours_player(&self) -> bool {
        self.par.edge < zero()
    }
}
