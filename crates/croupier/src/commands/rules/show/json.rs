//! The rule sheet for programs.

use croupier_rules::clause::Basis;
use croupier_rules::{Bet, Game, Rulebook};
use serde_json::json;

/// The whole sheet.
pub(super) fn sheet(rulebook: &Rulebook, game: &Game) -> serde_json::Value {
    let index = &rulebook.index;
    let cites =
        |cites: &[Basis]| -> Vec<String> { cites.iter().map(|basis| index.id(*basis).to_string()).collect() };
    let bet = |bet: &Bet| {
        let lines: Vec<_> = bet
            .pays
            .lines()
            .iter()
            .map(|line| {
                json!({
                    "when": line.when.to_string(),
                    "condition": line.when,
                    "pays": line.payoff.to_string(),
                    "payoff": line.payoff,
                    "net": line.payoff.net().to_string(),
                    "clauses": cites(&line.cites),
                })
            })
            .collect();
        json!({
            "bet": bet.id,
            "name": { "en": bet.names.en, "vi": bet.names.vi, "zh": bet.names.zh },
            "clauses": cites(&bet.cites),
            "lines": lines,
            "reserve": bet.reserve.as_ref().map(|reserve| reserve.times),
        })
    };
    let insurance = game.insurance.as_ref().map(|insurance| {
        let lines: Vec<_> = insurance
            .lines
            .iter()
            .map(|line| {
                json!({
                    "side": line.side.key(),
                    "stage": line.stage.key(),
                    "banker_points": line.banker_points.iter().collect::<Vec<_>>(),
                    "player_points": line.player_points.iter().collect::<Vec<_>>(),
                    "pays": line.odds.to_string(),
                    "clauses": cites(&line.cites),
                })
            })
            .collect();
        lines
    });
    json!({
        "game": game.id,
        "rulebook": rulebook.id,
        "version": rulebook.version,
        "effective": rulebook.effective,
        "bets": game.bets.iter().map(bet).collect::<Vec<_>>(),
        "insurance": insurance,
    })
}
