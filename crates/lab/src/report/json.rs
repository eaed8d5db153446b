//! The sheet for programs; the shape is described in `docs/lab.md`.

use croupier_rules::When;
use serde::Serialize;

use super::numbers::{decimal, pays, share};
use super::{BetFigures, OddsSheet};
use crate::fraction::Fraction;

/// The exact odds of a game, for programs. Counts and exact figures are text, for they are longer than a number can
/// hold.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ParSheet))]
pub struct OddsJson {
    /// The game.
    game: String,
    /// The decks; nothing if the cards were counted by rank.
    decks: Option<u8>,
    /// How many cards.
    cards: u32,
    /// The cards of each rank, from ace to king.
    shoe: String,
    /// The cards that were taken out.
    without: Vec<String>,
    /// All sequences of six cards; in Niu Niu, all deals of a box and the Dealer.
    total: String,
    /// The bets, in menu order.
    bets: Vec<BetJson>,
    /// Insurance in each situation.
    insurance: Vec<SituationJson>,
    /// The lines of the insurance table, over all their situations.
    insurance_lines: Vec<InsuranceLineJson>,
    /// In Niu Niu, the hands of five cards in each category, lowest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    categories: Vec<CategoryJson>,
    /// In Niu Niu, how often a box and the Dealer hold which categories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    joint: Vec<JointJson>,
    /// What a reader should know about the figures.
    notes: Vec<String>,
}

/// What a bet is worth, for programs.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ParBet))]
pub struct BetJson {
    /// Its id.
    bet: String,
    /// Its name.
    name: String,
    /// Its pay lines.
    lines: Vec<LineJson>,
    /// The mean loss of one unit, as a decimal; below zero it favours the player.
    edge: String,
    /// The same, as a fraction.
    edge_exact: String,
    /// How often it wins anything.
    hit_frequency: String,
    /// The variance of the result of one unit.
    variance: String,
    /// The standard deviation of the result of one unit.
    standard_deviation: String,
    /// Whether it favours the player.
    favours_player: bool,
    /// In Niu Niu, the units of a stake with its Reserve.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    units_risked: Option<u32>,
    /// The edge for each of those units, as a decimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    edge_per_unit_risked: Option<String>,
    /// The same, as a fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    edge_per_unit_risked_exact: Option<String>,
}

/// How often a box and the Dealer hold these categories, and who wins then.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ParJoint))]
struct JointJson {
    /// What the box holds.
    #[cfg_attr(feature = "openapi", schema(value_type = croupier_rules::niu_niu::Category))]
    hand: &'static str,
    /// What the Dealer holds.
    #[cfg_attr(feature = "openapi", schema(value_type = croupier_rules::niu_niu::Category))]
    dealer: &'static str,
    /// Who wins.
    #[cfg_attr(feature = "openapi", schema(value_type = croupier_rules::niu_niu::BoxWinner))]
    winner: &'static str,
    /// In how many deals.
    ways: String,
}

/// One pay line of a bet.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ParLine))]
struct LineJson {
    /// Which outcomes, in English words, with those of the Reserve.
    line: String,
    /// Which outcomes.
    condition: When,
    /// Which of them lose this much of the Reserve, where the line leads to several losses.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    reserve: Option<When>,
    /// The net odds of a win, such as `19:20`, or `push`, or `lose`.
    pays: String,
    /// Gain or loss of one unit, as a fraction.
    net: String,
    /// How many sequences.
    ways: String,
    /// Their share of all, as a decimal.
    chance: String,
}

/// Insurance in one situation.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ParSituation))]
struct SituationJson {
    /// Which hand is insured.
    #[cfg_attr(feature = "openapi", schema(value_type = croupier_rules::baccarat::Side))]
    side: &'static str,
    /// After which cards.
    #[cfg_attr(feature = "openapi", schema(value_type = croupier_rules::baccarat::insurance::Stage))]
    stage: &'static str,
    /// What the Banker has.
    banker_points: u8,
    /// What the Player has.
    player_points: u8,
    #[serde(flatten)]
    ends: EndsJson,
}

/// A line of the insurance table, over all its situations.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ParInsuranceLine))]
struct InsuranceLineJson {
    /// Which hand is insured.
    #[cfg_attr(feature = "openapi", schema(value_type = croupier_rules::baccarat::Side))]
    side: &'static str,
    /// After which cards.
    #[cfg_attr(feature = "openapi", schema(value_type = croupier_rules::baccarat::insurance::Stage))]
    stage: &'static str,
    /// What the Banker has, such as `1-3`.
    banker_points: String,
    /// What the Player has.
    player_points: String,
    #[serde(flatten)]
    ends: EndsJson,
}

/// How an insurance ends.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ParEnds))]
struct EndsJson {
    /// The odds it pays.
    pays: String,
    /// In how many sequences it wins.
    win: String,
    /// In how many it stands off.
    push: String,
    /// In how many it loses.
    lose: String,
    /// How often the situation comes, as a decimal.
    chance: String,
    /// The mean loss of one unit, as a decimal; nothing where the situation cannot come.
    edge: Option<String>,
    /// The same, as a fraction.
    edge_exact: Option<String>,
    /// Whether it favours the player.
    favours_player: bool,
}

/// How many hands are of a category.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ParCategory))]
struct CategoryJson {
    /// The category.
    #[cfg_attr(feature = "openapi", schema(value_type = croupier_rules::niu_niu::Category))]
    category: &'static str,
    /// The hands of five cards.
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
    let per_unit = bet.edge_per_unit_risked();
    let lines = par.lines.iter().map(|line| LineJson {
        line: line.to_string(),
        condition: line.when.clone(),
        reserve: line.reserve.clone(),
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
        units_risked: per_unit.as_ref().and(bet.units_risked),
        edge_per_unit_risked: per_unit.as_ref().map(decimal),
        edge_per_unit_risked_exact: per_unit.as_ref().map(ToString::to_string),
    }
}
