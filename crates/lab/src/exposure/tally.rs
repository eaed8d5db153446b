//! What is added up while shoes are dealt: integers only, so that the order of adding does not matter.

use super::Settings;
use super::source::Gain;

/// Gains are added in units of 10⁻¹⁵ of a stake, each cut off.
pub const UNIT: u128 = 1_000_000_000_000_000;
/// Squares of the gains of whole shoes are added in units of 10⁻⁹, so that they fit.
pub(super) const SQUARE_UNIT: u128 = 1_000_000_000;

/// One bet in one part of the shoe.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    /// Rounds in which the player had the edge.
    pub(super) rounds: u64,
    /// What he could expect to win in them.
    pub(super) gain: u128,
    /// The most in one round.
    pub(super) gain_max: u128,
}

impl Cell {
    pub(super) fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.gain += other.gain;
        self.gain_max = self.gain_max.max(other.gain_max);
    }
}

/// The sums over some shoes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tally {
    cards: u32,
    buckets: u32,
    pub(super) shoes: u64,
    /// Rounds by part of the shoe.
    pub(super) rounds: Vec<u64>,
    /// For each bet its parts, one bet after the other.
    cells: Vec<Cell>,
    /// For each bet what the shoe in progress is worth.
    shoe: Vec<u128>,
    /// For each bet the sum of the squares of what a shoe is worth.
    pub(super) squares: Vec<u128>,
}

impl Tally {
    pub(super) fn new(bets: usize, settings: &Settings) -> Self {
        let buckets = settings.buckets as usize;
        Self {
            cards: u32::from(settings.decks.number()) * 52,
            buckets: settings.buckets,
            shoes: 0,
            rounds: vec![0; buckets],
            cells: vec![Cell::default(); bets * buckets],
            shoe: vec![0; bets],
            squares: vec![0; bets],
        }
    }

    /// The parts of one bet.
    pub(super) fn cells(&self, bet: usize) -> &[Cell] {
        let buckets = self.buckets as usize;
        &self.cells[bet * buckets..(bet + 1) * buckets]
    }

    /// Enters a round that began with `out` cards out.
    pub(super) fn round(&mut self, out: u32, gains: &[Gain]) {
        let bucket = (out * self.buckets / self.cards) as usize;
        self.rounds[bucket] += 1;
        let cells = self.cells.iter_mut().skip(bucket).step_by(self.buckets as usize);
        for ((gain, cell), shoe) in gains.iter().zip(cells).zip(&mut self.shoe) {
            if gain.numerator > 0 {
                let units = gain.numerator.unsigned_abs() * UNIT / gain.denominator.unsigned_abs();
                cell.add(&Cell { rounds: 1, gain: units, gain_max: units });
                *shoe += units;
            }
        }
    }

    pub(super) fn end_shoe(&mut self) {
        self.shoes += 1;
        for (square, shoe) in self.squares.iter_mut().zip(&mut self.shoe) {
            let units = *shoe / (UNIT / SQUARE_UNIT);
            *square += units * units;
            *shoe = 0;
        }
    }

    /// Adds the sums over other shoes.
    pub(super) fn add(&mut self, other: &Self) {
        self.shoes += other.shoes;
        let pairs = self.rounds.iter_mut().zip(&other.rounds);
        pairs.for_each(|(rounds, more)| *rounds += more);
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, more)| cell.add(more));
        self.squares.iter_mut().zip(&other.squares).for_each(|(square, more)| *square += more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use croupier_cards::Decks;

    #[test]
    fn rounds_go_to_their_part_of_the_shoe() {
        let settings = Settings { buckets: 4, ..Settings::of_decks(Decks::ONE) };
        let mut tally = Tally::new(2, &settings);
        let for_house = Gain { numerator: -1, denominator: 3 };
        let even = Gain::NONE;
        let for_player = Gain { numerator: 1, denominator: 3 };
        // A quarter of a deck is 13 cards.
        for (out, gains) in [(0, [for_house, even]), (12, [for_player, even]), (13, [for_house, for_player])]
        {
            tally.round(out, &gains);
        }
        tally.round(51, &[for_player, Gain { numerator: 2, denominator: 1 }]);
        tally.end_shoe();
        assert_eq!(tally.rounds, [2, 1, 0, 1]);
        let third = 333_333_333_333_333;
        let once = Cell { rounds: 1, gain: third, gain_max: third };
        let none = Cell::default();
        assert_eq!(tally.cells(0), [once, none, none, once]);
        assert_eq!(
            tally.cells(1),
            [none, once, none, Cell { rounds: 1, gain: 2 * UNIT, gain_max: 2 * UNIT }]
        );
        assert_eq!(tally.squares, [666_666_666_u128.pow(2), 2_333_333_333_u128.pow(2)]);

        let mut twice = tally.clone();
        twice.add(&tally);
        assert_eq!((twice.shoes, twice.rounds[0]), (2, 4));
        assert_eq!(twice.cells(0)[0], Cell { rounds: 2, gain: 2 * third, gain_max: third });
    }
}
