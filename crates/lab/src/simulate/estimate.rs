//! What simulated rounds say a bet is worth, and how surely.

use croupier_rules::settle::exact_net;
use croupier_rules::{Bet, Game, Pays, Ratio};

/// The gain or loss of one unit on a bet in every outcome class, in whole parts of a unit; for a bet that asks for
/// cards, on each of its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nets {
    parts: i128,
    /// The first number of a histogram that is this bet's.
    first: usize,
    of_class: Vec<i128>,
    /// How much a unit must have beside it as a Reserve.
    reserve: u64,
}

/// The classes of either family have numbers below this.
const CLASSES: usize = croupier_rules::baccarat::Outcome::COUNT;

impl Nets {
    /// The nets of the bets of a game: lines of bets that ask for cards are numbered behind the classes.
    #[must_use]
    pub fn of_game(game: &Game) -> Vec<Self> {
        let mut behind = CLASSES;
        let nets = |bet: &Bet| {
            let mut nets = Self::new(bet);
            if bet.pays.by_cards().is_some() {
                nets.first = behind;
                behind += nets.of_class.len();
            }
            nets
        };
        game.bets.iter().map(nets).collect()
    }

    /// The nets of a bet; what its Reserve loses counts with it.
    #[must_use]
    pub fn new(bet: &Bet) -> Self {
        let net =
            |class| exact_net(bet, class, Ratio::ONE).map(|(net, lost)| net + lost.unwrap_or(Ratio::ZERO));
        let (first, exact): (usize, Vec<Ratio>) = match &bet.pays {
            Pays::ByClass(_) => (0, (0..CLASSES).map(|class| net(class).unwrap_or(Ratio::ZERO)).collect()),
            Pays::ByCards(lines) => (CLASSES, lines.lines().iter().map(|line| line.payoff.net()).collect()),
        };
        let parts = exact.iter().fold(1, |parts, net| num_integer::lcm(parts, net.denominator()));
        let of_class = exact.iter().map(|net| net.numerator() * (parts / net.denominator())).collect();
        Self {
            parts,
            first,
            of_class,
            reserve: bet.reserve.as_ref().map_or(0, |reserve| reserve.times.into()),
        }
    }

    /// In how many parts a unit is divided.
    #[must_use]
    pub fn parts(&self) -> i128 {
        self.parts
    }

    /// The gain or loss in a class, in parts.
    #[must_use]
    pub fn net(&self, class: usize) -> i128 {
        let place = class.checked_sub(self.first);
        place.and_then(|place| self.of_class.get(place)).copied().unwrap_or(0)
    }

    /// The gain or loss on a line of a bet that asks for cards, in parts.
    #[must_use]
    pub(crate) fn net_of_line(&self, line: usize) -> i128 {
        self.of_class.get(line).copied().unwrap_or(0)
    }

    /// How many units one unit puts at risk.
    #[must_use]
    pub fn at_risk(&self) -> u64 {
        1 + self.reserve
    }
}

/// What simulated rounds say a bet is worth.
///
/// The standard error takes rounds as independent. In whole shoes they are very nearly so: their results
/// depend on each other by less than a hundredth of the error.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// The bet.
    pub bet: String,
    /// How many rounds.
    pub rounds: u64,
    /// The mean result of one unit; below zero it favours the house.
    pub mean: f64,
    /// The standard deviation of one round's result.
    pub standard_deviation: f64,
    /// The standard error of the mean.
    pub standard_error: f64,
}

impl Estimate {
    /// The half width of a 95 % interval, in standard errors.
    pub const NINETY_FIVE: f64 = 1.959_963_984_540_054;

    /// From rounds by outcome class. The sums are exact; only the final quotients are rounded.
    #[must_use]
    pub fn new(bet: &str, nets: &Nets, histogram: &[u64]) -> Self {
        let (mut rounds, mut sum, mut squares) = (0_u64, 0_i128, 0_i128);
        let own = histogram.iter().enumerate().skip(nets.first).take(nets.of_class.len());
        for (class, count) in own.filter(|(_, count)| **count > 0) {
            let net = nets.net(class);
            rounds += count;
            sum += net * i128::from(*count);
            squares += net * net * i128::from(*count);
        }
        let (number, parts) = (rounds as f64, nets.parts as f64);
        let mean = sum as f64 / number;
        // Of at least two rounds; one says nothing of the spread.
        let variance = if rounds < 2 {
            f64::INFINITY
        } else {
            ((squares as f64 - mean * sum as f64) / (number - 1.0)).max(0.0)
        };
        let standard_deviation = variance.sqrt() / parts;
        Self {
            bet: bet.to_string(),
            rounds,
            mean: mean / parts,
            standard_deviation,
            standard_error: standard_deviation / number.sqrt(),
        }
    }

    /// The 95 % interval of the mean.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let half = Self::NINETY_FIVE * self.standard_error;
        (self.mean - half, self.mean + half)
    }

    /// Whether a mean lies inside the 95 % interval.
    #[must_use]
    pub fn covers(&self, mean: f64) -> bool {
        let (low, high) = self.interval();
        (low..=high).contains(&mean)
    }

    /// How many standard errors the estimate lies above a mean; below, if negative.
    #[must_use]
    pub fn deviation(&self, mean: f64) -> f64 {
        if self.mean == mean { 0.0 } else { (self.mean - mean) / self.standard_error }
    }
}
