//! PAR sheets of Niu Niu, the Reserve included.

use std::collections::BTreeMap;

use croupier_rules::niu_niu::{BoxOutcome, Category};
use croupier_rules::settle::exact_net;
use croupier_rules::{Bet, Family, Game, Ratio};

use super::NiuNiuHistogram;
use crate::fraction::Fraction;
use crate::par::{ParBet, ParLine};

/// The worth of every bet of a Niu Niu game for one deck.
#[derive(Clone, PartialEq, Debug)]
pub struct NiuNiuSheet {
    /// The game.
    pub game: String,
    /// All deals of a box's hand and the Dealer's.
    pub total: u64,
    /// The five-card hands by category, lowest first.
    pub categories: [(Category, u64); Category::ALL.len()],
    /// The bets, in menu order.
    pub bets: Vec<NiuNiuBet>,
}

/// The worth of one bet.
#[derive(Clone, PartialEq, Debug)]
pub struct NiuNiuBet {
    /// Per base unit: the stake is one unit, and what the Reserve loses counts in its result. A pay line that
    /// leads to several losses of the Reserve has one line for each.
    pub par: ParBet,
    /// The deals by result, best first; results that cannot happen are left out.
    pub results: Vec<NetWays>,
    /// What a player lays for one base unit: the stake and its Reserve.
    pub units_risked: u32,
    /// The mean loss of one unit laid as stake or Reserve.
    pub edge_per_unit_risked: Fraction,
    /// The variance of the result of one unit laid as stake or Reserve.
    pub variance_per_unit_risked: Fraction,
}

/// How often a base unit has this result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetWays {
    /// Gain or loss of one base unit, the Reserve included.
    pub net: Fraction,
    /// How many deals.
    pub ways: u64,
}

impl NiuNiuSheet {
    /// The sheet of a Niu Niu game; nothing for a game of another family.
    #[must_use]
    pub fn new(game: &Game, histogram: &NiuNiuHistogram) -> Option<Self> {
        match game.family {
            Family::NiuNiu => {}
            Family::Baccarat => return None,
        }
        let bets = game.bets.iter().map(|bet| NiuNiuBet::new(bet, histogram)).collect::<Option<_>>()?;
        let (total, categories) = (histogram.total(), histogram.categories());
        Some(Self { game: game.id.clone(), total, categories, bets })
    }

    /// The bet with that id.
    #[must_use]
    pub fn bet(&self, id: &str) -> Option<&NiuNiuBet> {
        self.bets.iter().find(|bet| bet.par.bet == id)
    }
}

impl NiuNiuBet {
    /// The worth of a bet; nothing if its columns are not those of Niu Niu.
    #[must_use]
    pub fn new(bet: &Bet, histogram: &NiuNiuHistogram) -> Option<Self> {
        let lines = lines(bet, histogram)?;
        let mut by_net = BTreeMap::new();
        for line in lines.iter().filter(|line| line.ways > 0) {
            *by_net.entry(line.net.clone()).or_insert(0) += line.ways;
        }
        let results = by_net.into_iter().rev().map(|(net, ways)| NetWays { net, ways }).collect();
        let par = ParBet::from_lines(bet.id.clone(), lines, histogram.total());
        let units_risked = 1 + bet.reserve.as_ref().map_or(0, |reserve| reserve.times);
        let per_unit = Fraction::new(1, units_risked);
        Some(Self {
            edge_per_unit_risked: par.edge.times(&per_unit),
            variance_per_unit_risked: par.variance.times(&per_unit).times(&per_unit),
            par,
            results,
            units_risked,
        })
    }
}

/// One line for every pay line and what it leaves of the Reserve, in the rulebook's order.
fn lines(bet: &Bet, histogram: &NiuNiuHistogram) -> Option<Vec<ParLine>> {
    let reserve_line = |class| bet.reserve.as_ref().and_then(|reserve| reserve.lost.line_number(class));
    let mut grouped: BTreeMap<(usize, Option<usize>), (Fraction, u64)> = BTreeMap::new();
    for class in BoxOutcome::reachable().map(BoxOutcome::index) {
        let (net, reserve) = exact_net(bet, class, Ratio::ONE)?;
        let net = Fraction::from(net).plus(&reserve.unwrap_or(Ratio::ZERO).into());
        let key = (bet.pays.by_class()?.line_number(class)?, reserve_line(class));
        grouped.entry(key).or_insert((net, 0)).1 += histogram.all()[class];
    }
    let several = |line: usize| grouped.keys().filter(|(other, _)| *other == line).count() > 1;
    let lost = |line: usize, lost: Option<usize>| {
        let terms = bet.reserve.as_ref().filter(|_| several(line))?;
        Some(terms.lost.lines()[lost?].when.clone())
    };
    let line = |(key, (net, ways)): (&(usize, Option<usize>), &(Fraction, u64))| ParLine {
        when: bet.pays.lines()[key.0].when.clone(),
        reserve: lost(key.0, key.1),
        net: net.clone(),
        ways: *ways,
    };
    Some(grouped.iter().map(line).collect())
}
