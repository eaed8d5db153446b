//! Every condition and payoff of the rulebooks that come with Croupier, of the example rulebooks and of the well-known
//! side bets: in English words and as JSON. The browser UI is tested with them: `cargo xtask types` writes them there.

use std::collections::BTreeMap;
use std::error::Error;

use croupier_rules::{Bet, BetSheet, Library, Payoff, Rulebook, When};
use serde::Serialize;

const EXAMPLES: [&str; 4] = [
    include_str!("../data/synthetic/onyx-baccarat.toml"),
    include_str!("../data/synthetic/onyx-niu-niu.toml"),
    include_str!("../../../../rulebooks/examples/jade-ez-baccarat.toml"),
    include_str!("../../../../rulebooks/examples/jade-punto-banco.toml"),
];
const SIDE_BETS: &str = include_str!("../../../lab/tests/data/side-bets.toml");
/// Conditions that none of them has.
const OTHERS: &str = include_str!("../data/conditions.toml");

/// What is said of pay lines, each text once.
#[derive(Serialize)]
pub(crate) struct Examples {
    /// When lines apply, by their words.
    pub(crate) conditions: BTreeMap<String, When>,
    /// What lines pay, by their words.
    pub(crate) payoffs: BTreeMap<String, Payoff>,
}

impl Examples {
    /// Collects them.
    ///
    /// # Errors
    /// The faults of a file.
    pub(crate) fn collect() -> Result<Self, Box<dyn Error>> {
        let mut found = Self { conditions: BTreeMap::new(), payoffs: BTreeMap::new() };
        let library = Library::standard();
        library.games().flat_map(|game| &game.bets).for_each(|bet| found.add(bet));
        for text in EXAMPLES {
            let rulebook = Rulebook::parse(text)?;
            rulebook.games.iter().flat_map(|game| &game.bets).for_each(|bet| found.add(bet));
        }
        for text in [SIDE_BETS, OTHERS] {
            BetSheet::parse(text, &library)?.bets.iter().for_each(|bet| found.add(bet));
        }
        Ok(found)
    }

    fn add(&mut self, bet: &Bet) {
        for line in bet.pays.lines() {
            self.conditions.insert(line.when.to_string(), line.when.clone());
            self.payoffs.insert(line.payoff.to_string(), line.payoff);
        }
        for line in bet.reserve.iter().flat_map(|reserve| reserve.lost.lines()) {
            self.conditions.insert(line.when.to_string(), line.when.clone());
        }
    }
}

/// The file as the browser UI has it.
///
/// # Errors
/// The faults of a file.
pub(crate) fn document() -> Result<String, Box<dyn Error>> {
    Ok(serde_json::to_string_pretty(&Examples::collect()?)? + "\n")
}
