//! The sheet for programs; the shape is described in `docs/lab.md`.

use serde::Serialize;

use super::numbers::{decimal, pays, share};
use super::{BetFigures, OddsSheet};
use crate::fraction::Fraction;

/// A sheet as JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OddsJson {
    game: String,
    decks: Option<u8>,
    cards: u32,
    shoe: String,
    without: Vec<String>,
    total: String,
    bets: Vec<BetJson>,
    insurance: Vec<SituationJson>,
    insurance_lines: Vec<InsuranceLineJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    categories: Vec<CategoryJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    joint: Vec<JointJson>,
    notes: Vec<String>,
}

/// A bet as JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BetJson {
    bet: String,
    name: String,
    lines: Vec<LineJson>,
    edge: String,
    edge_exact: String,
    hit_frequency: String,
    variance: String,
    standard_deviation: String,
    favours_player: bool,
    #[serde(flatten)]
    risked: Option<RiskedJson>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct RiskedJson {
    units_risked: u32,
    edge_per_unit_risked: String,
    edge_per_unit_risked_exact: String,
}

/// How often a box and the Dealer hold these categories, and who wins then.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct JointJson {
    hand: &'static str,
    dealer: &'static str,
    winner: &'static str,
    ways: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct LineJson {
    line: String,
    pays: String,
    net: String,
    ways: String,
    chance: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct SituationJson {
    side: &'static str,
    stage: &'static str,
    banker_points: u8,
    player_points: u8,
    #[serde(flatten)]
    ends: EndsJson,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct InsuranceLineJson {
    side: &'static str,
    stage: &'static str,
    banker_points: String,
    player_points: String,
    #[serde(flatten)]
    ends: EndsJson,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct EndsJson {
    pays: String,
    win: String,
    push: String,
    lose: String,
    chance: String,
    edge: Option<String>,
    edge_exact: Option<String>,
    favours_player: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct CategoryJson {
    category: &'static str,
    hands: String,
}

/// The sheet in the documented shape.
#[must_use]
pub fn json(sheet: &OddsSheet) -> OddsJson {
    let ends = |pays: String, [win, push, lose]: [u64; 3], edge: Option<Fraction>| EndsJson {
        pays,
        win: win.to_string(),
        push: push.to_string(),
        lose: lose.to_string(),
        chance: decimal(&share(win + push + lose, sheet.total)),
        edge: edge.as_ref().map(decimal),
        edge_exact: edge.as_ref().map(ToString::to_string),
        favours_player: edge.is_some_and(|edge| edge.is_negative()),
    };
    let situations = sheet.situations().map(|situation| SituationJson {
        side: situation.side.key(),
        stage: situation.stage.key(),
        banker_points: situation.banker_points,
        player_points: situation.player_points,
        ends: ends(
            situation.odds.to_string(),
            [situation.win, situation.push, situation.lose],
            Some(situation.edge()),
        ),
    });
    let lines = sheet.insurance.iter().map(|line| InsuranceLineJson {
        side: line.side.key(),
        stage: line.stage.key(),
        banker_points: line.banker_points.clone(),
        player_points: line.player_points.clone(),
        ends: ends(line.odds.to_string(), [line.win, line.push, line.lose], line.edge()),
    });
    let categories = sheet.categories.iter();
    OddsJson {
        game: sheet.game.clone(),
        decks: sheet.stock.decks.map(croupier_cards::Decks::number),
        cards: sheet.stock.counts.cards(),
        shoe: sheet.stock.counts.to_string(),
        without: sheet.stock.without.iter().map(ToString::to_string).collect(),
        total: sheet.total.to_string(),
        bets: sheet.bets.iter().map(|bet| bet_json(bet, sheet.total)).collect(),
        insurance: situations.collect(),
        insurance_lines: lines.collect(),
        categories: categories
            .map(|(category, hands)| CategoryJson { category: category.key(), hands: hands.to_string() })
            .collect(),
        joint: sheet
            .joint
            .iter()
            .map(|(outcome, ways)| JointJson {
                hand: outcome.hand.key(),
                dealer: outcome.dealer.key(),
                winner: outcome.winner.key(),
                ways: ways.to_string(),
            })
            .collect(),
        notes: sheet.notes.clone(),
    }
}

/// One bet in the documented shape.
#[must_use]
pub fn bet_json(bet: &BetFigures, total: u64) -> BetJson {
    let par = &bet.par;
    let lines = par.lines.iter().map(|line| LineJson {
        line: line.line.clone(),
        pays: pays(&line.net),
        net: line.net.to_string(),
        ways: line.ways.to_string(),
        chance: decimal(&share(line.ways, total)),
    });
    BetJson {
        bet: par.bet.clone(),
        name: bet.name.clone(),
        lines: lines.collect(),
        edge: decimal(&par.edge),
        edge_exact: par.edge.to_string(),
        hit_frequency: decimal(&par.hit_frequency),
        variance: decimal(&par.variance),
        standard_deviation: par.variance.sqrt_decimal(20),
        favours_player: bet.favours_player(),
        risked: bet.units_risked.zip(bet.edge_per_unit_risked()).map(|(units_risked, edge)| RiskedJson {
            units_risked,
            edge_per_unit_risked: decimal(&edge),
            edge_per_unit_risked_exact: edge.to_string(),
        }),
    }
}
