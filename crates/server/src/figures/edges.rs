//! What the exact odds make of wagers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use croupier_cards::Decks;
use croupier_lab::Fraction;
use croupier_lab::report::{OddsSheet, Stock};
use croupier_table::Setup;

use super::count::{Area, Figures};

/// The edges of a game, by where the wagers lie.
pub type Edges = BTreeMap<Area, Fraction>;

impl Figures {
    /// What the house should have won: every stake times the exact edge of its bet with full shoes, rounded once.
    ///
    /// # Errors
    /// When the game has no odds.
    pub fn theory(&self, theories: &Theories, setup: &Setup) -> Result<i64, String> {
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
}

/// The nearest whole number; a half goes away from zero.
#[must_use]
pub fn nearest(value: &Fraction) -> i64 {
    let half = Fraction::new(if value.is_negative() { -1 } else { 1 }, 2);
    value.plus(&half).decimal(0).parse().unwrap_or(0)
}

/// The edges of games as they are dealt, worked out once each.
#[derive(Debug, Default)]
pub struct Theories {
    known: Mutex<BTreeMap<Key, Arc<Edges>>>,
}

/// The game, the version of its rulebook, and decks.
type Key = (String, String, u8);

impl Theories {
    /// The edges of the bets and insurances of a table with full shoes. Working them out takes a while, the first time.
    ///
    /// # Errors
    /// When the game has no odds.
    pub fn edges(&self, setup: &Setup) -> Result<Arc<Edges>, String> {
        let (rulebook, game) = (&setup.rulebook, setup.game());
        let key = (game.id.clone(), rulebook.version.clone(), setup.decks);
        // Whoever else asks for the same waits for it here.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains_key(&key) {
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
            known.insert(key.clone(), Arc::new(bets.chain(insurance).collect()));
        }
        known.get(&key).cloned().ok_or_else(|| "no edges".to_string())
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
