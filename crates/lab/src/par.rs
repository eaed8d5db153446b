//! PAR sheets: what each bet of a game is worth, line by line.

use core::fmt;

use croupier_rules::{Bet, Game, When};
use num_bigint::BigInt;

use crate::counts::ShoeCards;
use crate::exact::{self, Histogram};
use crate::fraction::Fraction;

/// The worth of every bet of a game for one composition.
#[derive(Clone, PartialEq, Debug)]
pub struct ParSheet {
    /// The game.
    pub game: String,
    /// All sequences, or deals.
    pub total: u64,
    /// The bets, in menu order.
    pub bets: Vec<ParBet>,
}

/// The worth of one bet.
#[derive(Clone, PartialEq, Debug)]
pub struct ParBet {
    /// The bet.
    pub bet: String,
    /// Its pay lines with their ways.
    pub lines: Vec<ParLine>,
    /// The mean loss of one unit; below zero it favours the player.
    pub edge: Fraction,
    /// How often it wins anything.
    pub hit_frequency: Fraction,
    /// The variance of the result of one unit.
    pub variance: Fraction,
}

/// One pay line.
#[derive(Clone, PartialEq, Debug)]
pub struct ParLine {
    /// Which outcomes.
    pub when: When,
    /// What of them is lost out of the Reserve, where the pay line leads to several losses.
    pub reserve: Option<When>,
    /// Gain or loss of one unit.
    pub net: Fraction,
    /// How many sequences.
    pub ways: u64,
}

/// Which outcomes, in words: `otherwise; Reserve: Dealer wins`.
impl fmt::Display for ParLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.when.fmt(f)?;
        self.reserve.as_ref().map_or(Ok(()), |reserve| write!(f, "; Reserve: {reserve}"))
    }
}

impl ParSheet {
    /// The sheet of a baccarat game, from the histogram of a shoe and its cards. Bets that ask for suits are left
    /// out where those are not known.
    #[must_use]
    pub fn of_baccarat(game: &Game, histogram: &Histogram, shoe: &ShoeCards) -> Self {
        let total = histogram.total();
        let priced = |bet| Some(ParBet::new(bet, &exact::line_ways(bet, histogram.all(), shoe)?, total));
        Self { game: game.id.clone(), total, bets: game.bets.iter().filter_map(priced).collect() }
    }
}

impl ParBet {
    /// The worth of a bet from the ways of its lines.
    #[must_use]
    pub fn new(bet: &Bet, ways: &[u64], total: u64) -> Self {
        let lines: Vec<ParLine> = bet
            .pays
            .lines()
            .iter()
            .zip(ways)
            .map(|(line, ways)| ParLine {
                when: line.when.clone(),
                reserve: None,
                net: line.payoff.net().into(),
                ways: *ways,
            })
            .collect();
        Self::from_lines(bet.id.clone(), lines, total)
    }

    /// The worth of a bet from its lines.
    #[must_use]
    pub fn from_lines(bet: String, lines: Vec<ParLine>, total: u64) -> Self {
        let chance = |ways: u64| Fraction::new(BigInt::from(ways), BigInt::from(total));
        let sum = |value: &dyn Fn(&ParLine) -> Fraction| {
            lines
                .iter()
                .fold(Fraction::new(0, 1), |sum, line| sum.plus(&value(line).times(&chance(line.ways))))
        };
        let mean = sum(&|line| line.net.clone());
        let square = sum(&|line| line.net.times(&line.net));
        let hits = lines.iter().filter(|line| line.net > Fraction::new(0, 1)).map(|line| line.ways).sum();
        Self {
            bet,
            hit_frequency: chance(hits),
            variance: square.minus(&mean.times(&mean)),
            edge: mean.negated(),
            lines,
        }
    }
}
