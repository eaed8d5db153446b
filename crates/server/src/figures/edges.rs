//! What the exact odds make of wagers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

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
        Ok(self.theory_by(&*theories.edges(setup)?))
    }

    /// The same, if the edges are worked out.
    #[must_use]
    pub fn theory_now(&self, theories: &Theories, setup: &Arc<Setup>) -> Option<i64> {
        theories.edges_now(setup).map(|edges| self.theory_by(&edges))
    }

    fn theory_by(&self, edges: &Edges) -> i64 {
        let zero = Fraction::new(0, 1);
        let sum = self.staked.iter().fold(zero, |sum, (area, staked)| match edges.get(area) {
            Some(edge) => sum.plus(&edge.times(&Fraction::new(*staked, 1))),
            None => sum,
        });
        nearest(&sum)
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
    known: Mutex<BTreeMap<Key, Arc<Cell>>>,
}

/// The game, the version of its rulebook, and decks.
type Key = (String, String, u8);
type Cell = OnceLock<Result<Arc<Edges>, String>>;

impl Theories {
    /// The place of a game, and whether it is new.
    fn cell(&self, setup: &Setup) -> (Arc<Cell>, bool) {
        let key = (setup.game().id.clone(), setup.rulebook.version.clone(), setup.decks);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut is_new = false;
        let cell = known.entry(key).or_insert_with(|| {
            is_new = true;
            Arc::default()
        });
        (Arc::clone(cell), is_new)
    }

    /// The edges of the bets and insurances of a table with full shoes. Working them out takes a while, the first time.
    ///
    /// # Errors
    /// When the game has no odds.
    pub fn edges(&self, setup: &Setup) -> Result<Arc<Edges>, String> {
        // Whoever else asks for the same waits for it here.
        self.cell(setup).0.get_or_init(|| worked_out(setup)).clone()
    }

    /// The same, if they are worked out. If not, that begins beside everything else.
    #[must_use]
    pub fn edges_now(&self, setup: &Arc<Setup>) -> Option<Arc<Edges>> {
        let (cell, is_new) = self.cell(setup);
        if is_new {
            let (cell, setup) = (Arc::clone(&cell), Arc::clone(setup));
            tokio::task::spawn_blocking(move || {
                if let Err(why) = cell.get_or_init(|| worked_out(&setup)) {
                    tracing::warn!(game = setup.game().id, why, "the theoretical win is not known");
                }
            });
        }
        cell.get().and_then(|edges| edges.clone().ok())
    }
}

fn worked_out(setup: &Setup) -> Result<Arc<Edges>, String> {
    let (rulebook, game) = (&setup.rulebook, setup.game());
    let decks = Decks::new(setup.decks).map_err(|error| error.to_string())?;
    let sheet = OddsSheet::new(rulebook, game, Stock::of_decks(decks)).map_err(|error| error.to_string())?;
    let bets = sheet
        .bets
        .iter()
        .filter_map(|bet| Some((Area::Bet(game.bet_index(&bet.par.bet)?), bet.par.edge.clone())));
    let insurance =
        sheet.insurance.iter().enumerate().filter_map(|(at, line)| Some((Area::Insurance(at), line.edge()?)));
    Ok(Arc::new(bets.chain(insurance).collect()))
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
