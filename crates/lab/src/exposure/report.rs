//! What a run says: the sums as rates. Estimates from sampled shoes, so doubles are good enough.

use croupier_rules::Game;
use croupier_rules::baccarat::Burn;
use serde::Serialize;

use super::Settings;
use super::source::Gain;
use super::tally::{Cell, SQUARE_UNIT, Tally, UNIT};

/// A figure that is no whole number, as decimal text: the form that such figures have in all JSON of Croupier.
fn as_text<S: serde::Serializer>(figure: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(figure)
}

/// What a perfect observer could win from a game. Serialised, it is the JSON of `croupier exposure`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Exposure {
    /// The game.
    pub game: String,
    /// Decks in a shoe.
    pub decks: u8,
    /// What is burned from a new shoe: a number of cards, or `first-card`.
    pub burn: Burn,
    /// Cards behind the cut card.
    pub cut_card: u32,
    /// Shoes dealt: fewer than wanted if the run was cancelled.
    pub shoes: u64,
    /// Rounds dealt.
    pub rounds: u64,
    /// Where chance started.
    pub seed: u64,
    /// The bets, in menu order.
    pub bets: Vec<BetExposure>,
}

/// What a perfect observer could win from one bet. Edges are the player's: above zero is in his favour.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BetExposure {
    /// The bet.
    pub bet: String,
    /// The player's edge in a fresh shoe, for comparison.
    #[serde(serialize_with = "as_text")]
    pub fresh_edge: f64,
    /// The share of rounds in which the player has the edge.
    #[serde(serialize_with = "as_text")]
    pub fraction: f64,
    /// The mean edge in those rounds; zero if there are none.
    #[serde(serialize_with = "as_text")]
    pub average_edge: f64,
    /// Units won in 100 rounds dealt, at one unit whenever there is an edge.
    #[serde(serialize_with = "as_text")]
    pub per_100_rounds: f64,
    /// Units won in a shoe.
    #[serde(serialize_with = "as_text")]
    pub per_shoe: f64,
    /// The standard error of `per_shoe`: how far chance in the sampled shoes may have moved it.
    #[serde(serialize_with = "as_text")]
    pub per_shoe_error: f64,
    /// The largest edge seen.
    #[serde(serialize_with = "as_text")]
    pub max_edge: f64,
    /// The same by the share of the shoe that is out when the round begins.
    pub by_penetration: Vec<Penetration>,
}

/// One part of the shoe.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Penetration {
    /// At least so much of the shoe is out.
    #[serde(serialize_with = "as_text")]
    pub from: f64,
    /// And less than this.
    #[serde(serialize_with = "as_text")]
    pub to: f64,
    /// Rounds that began in this part.
    pub rounds: u64,
    /// The share of them in which the player has the edge.
    #[serde(serialize_with = "as_text")]
    pub fraction: f64,
    /// The mean edge in those.
    #[serde(serialize_with = "as_text")]
    pub average_edge: f64,
    /// Units won in 100 rounds of this part.
    #[serde(serialize_with = "as_text")]
    pub per_100_rounds: f64,
    /// Units won in this part of a shoe.
    #[serde(serialize_with = "as_text")]
    pub per_shoe: f64,
    /// The largest edge seen.
    #[serde(serialize_with = "as_text")]
    pub max_edge: f64,
}

impl Exposure {
    pub(super) fn new(game: &Game, settings: &Settings, tally: &Tally, fresh: &[Gain]) -> Self {
        let bet = |(at, gain): (usize, &Gain)| BetExposure::new(&game.bets[at].id, at, gain, tally);
        Self {
            game: game.id.clone(),
            decks: settings.decks.number(),
            burn: settings.burn,
            cut_card: settings.cut_card,
            shoes: tally.shoes,
            rounds: tally.rounds.iter().sum(),
            seed: settings.seed,
            bets: fresh.iter().enumerate().map(bet).collect(),
        }
    }
}

impl BetExposure {
    fn new(bet: &str, at: usize, fresh: &Gain, tally: &Tally) -> Self {
        let cells = tally.cells(at);
        let mut all = Cell::default();
        cells.iter().for_each(|cell| all.add(cell));
        let overall = Penetration::new((0.0, 1.0), tally.rounds.iter().sum(), &all, tally.shoes);
        let parts = cells.len() as f64;
        let by_penetration = cells.iter().zip(&tally.rounds).enumerate().map(|(part, (cell, rounds))| {
            let from_to = (part as f64 / parts, (part + 1) as f64 / parts);
            Penetration::new(from_to, *rounds, cell, tally.shoes)
        });
        Self {
            bet: bet.to_string(),
            fresh_edge: fresh.numerator as f64 / fresh.denominator as f64,
            fraction: overall.fraction,
            average_edge: overall.average_edge,
            per_100_rounds: overall.per_100_rounds,
            per_shoe: overall.per_shoe,
            per_shoe_error: standard_error(overall.per_shoe, tally.squares[at], tally.shoes),
            max_edge: overall.max_edge,
            by_penetration: by_penetration.collect(),
        }
    }
}

impl Penetration {
    fn new((from, to): (f64, f64), rounds: u64, cell: &Cell, shoes: u64) -> Self {
        let gain = units(cell.gain);
        Self {
            from,
            to,
            rounds,
            fraction: ratio(cell.rounds as f64, rounds),
            average_edge: ratio(gain, cell.rounds),
            per_100_rounds: ratio(100.0 * gain, rounds),
            per_shoe: ratio(gain, shoes),
            max_edge: units(cell.gain_max),
        }
    }
}

fn units(gain: u128) -> f64 {
    gain as f64 / UNIT as f64
}

/// Nothing out of nothing is nothing.
fn ratio(part: f64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part / whole as f64 }
}

/// Of the mean of so many shoes; zero where one shoe shows no spread.
fn standard_error(mean: f64, squares: u128, shoes: u64) -> f64 {
    if shoes < 2 {
        return 0.0;
    }
    let mean_square = squares as f64 / (SQUARE_UNIT as f64).powi(2) / shoes as f64;
    ((mean_square - mean * mean).max(0.0) / (shoes - 1) as f64).sqrt()
}
