//! The designer: what a new bet is worth, and what one of its lines must pay for a wanted edge.
//!
//! The bets come from a [`BetSheet`]; what they are called and where the file lies is not asked here.

mod solve;
mod text;

pub use solve::{Solution, SolveError, WholeOdds, parse_percent};
pub use text::text;

use croupier_cards::Decks;
use croupier_rules::{BetSheet, Family, When};
use serde::Serialize;

use crate::counts::{RankCounts, ShoeCards};
use crate::exact;
use crate::fraction::Fraction;
use crate::niu_niu::{NiuNiuDeck, NiuNiuDeckError, NiuNiuHistogram};
use crate::report::{self, BetFigures, BetJson};

/// The edge that a line's pay is to give.
#[derive(Clone, PartialEq, Debug)]
pub struct Wanted {
    /// The edge.
    pub edge: Fraction,
    /// The place of the line, from 0; without one it is the first that wins.
    pub line: Option<usize>,
}

/// One bet with one deck count.
#[derive(Clone, PartialEq, Debug)]
pub struct Priced {
    /// The decks.
    pub decks: Decks,
    /// All sequences, or deals.
    pub total: u64,
    /// Its figures.
    pub figures: BetFigures,
    /// The pay that gives the wanted edge, if one was asked for.
    pub solved: Option<Result<Solution, SolveError>>,
}

/// Prices every bet of a sheet for each deck count, bet by bet.
///
/// # Errors
/// [`NiuNiuDeckError::TooMany`] if a Niu Niu sheet is to be priced with more than one deck.
pub fn price(
    sheet: &BetSheet,
    decks: &[Decks],
    wanted: Option<&Wanted>,
) -> Result<Vec<Priced>, NiuNiuDeckError> {
    let mut stocks: Vec<(Decks, Vec<u64>, u64, Option<NiuNiuHistogram>)> = Vec::new();
    for decks in decks {
        let counts = RankCounts::of_decks(*decks);
        stocks.push(match sheet.family {
            Family::Baccarat => {
                let histogram = exact::histogram(&counts);
                (*decks, histogram.all().to_vec(), histogram.total(), None)
            }
            Family::NiuNiu => {
                let histogram = NiuNiuHistogram::of(&NiuNiuDeck::of_counts(&counts)?);
                (*decks, histogram.all().to_vec(), histogram.total(), Some(histogram))
            }
        });
    }
    let mut priced = Vec::new();
    for bet in &sheet.bets {
        for (decks, histogram, total, boxes) in &stocks {
            let ways = exact::line_ways(bet, histogram, &ShoeCards::of_decks(*decks));
            let Some(ways) = ways else { continue };
            let figures = match boxes {
                None => Some(BetFigures::new(bet, &ways, *total)),
                Some(histogram) => BetFigures::of_niu_niu(bet, histogram),
            };
            let Some(figures) = figures else { continue };
            let solved = wanted.map(|wanted| solve::solve(bet, &ways, *total, &figures.par.edge, wanted));
            priced.push(Priced { decks: *decks, total: *total, figures, solved });
        }
    }
    Ok(priced)
}

/// A designed bet with one deck count, priced, for programs; the shape is described in `docs/lab.md`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = DesignedBet))]
pub struct DesignJson {
    /// The decks.
    decks: u8,
    /// All sequences, or deals.
    total: String,
    #[serde(flatten)]
    bet: BetJson,
    /// The pay that gives the wanted edge, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    solved: Option<SolvedJson>,
}

/// The pay of one line that gives a wanted edge, or why there is none.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = DesignedPay))]
enum SolvedJson {
    /// It was found.
    #[cfg_attr(feature = "openapi", schema(title = "DesignedPayFound"))]
    Found {
        /// The line, from 1.
        line: usize,
        /// Which outcomes, in English words.
        when: String,
        /// Which outcomes.
        condition: When,
        /// The edge that was asked for.
        wanted_edge: String,
        /// The pay, as a fraction.
        pays_exact: String,
        /// The pay, as a decimal.
        pays: String,
        /// The nearest whole odds with their edges.
        whole: Vec<WholeJson>,
    },
    /// There is none.
    #[cfg_attr(feature = "openapi", schema(title = "DesignedPayImpossible"))]
    Impossible {
        /// Why.
        error: String,
    },
}

/// Whole odds, and the edge that they give.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = DesignedOdds))]
struct WholeJson {
    /// The odds.
    odds: String,
    /// The edge, as a decimal.
    edge: String,
    /// The edge, as a fraction.
    edge_exact: String,
}

/// One entry for each bet and deck count.
#[must_use]
pub fn json(priced: &[Priced]) -> Vec<DesignJson> {
    let solved = |solved: &Result<Solution, SolveError>| match solved {
        Err(error) => SolvedJson::Impossible { error: error.to_string() },
        Ok(solution) => SolvedJson::Found {
            line: solution.line + 1,
            when: solution.when.to_string(),
            condition: solution.when.clone(),
            wanted_edge: report::decimal(&solution.wanted),
            pays_exact: solution.pays.to_string(),
            pays: report::decimal(&solution.pays),
            whole: solution
                .whole
                .iter()
                .map(|whole| WholeJson {
                    odds: format!("{}:1", whole.odds),
                    edge: report::decimal(&whole.edge),
                    edge_exact: whole.edge.to_string(),
                })
                .collect(),
        },
    };
    priced
        .iter()
        .map(|priced| DesignJson {
            decks: priced.decks.number(),
            total: priced.total.to_string(),
            bet: report::bet_json(&priced.figures, priced.total),
            solved: priced.solved.as_ref().map(solved),
        })
        .collect()
}
