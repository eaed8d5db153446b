//! Every result that a round can have, and what each bet does on it: nothing that is laid may be left without a line,
//! and what the lines say must fit together. This is complete: there are few results, and all are looked at.

use croupier_rules::baccarat::{Outcome, Side, Winner};
use croupier_rules::niu_niu::BoxOutcome;
use croupier_rules::{Bet, Family, Game, Payoff, Rulebook};

use crate::finding::{Found, Kind};

/// What the lines of a game leave open, or say twice.
pub(crate) fn check(rulebook: &Rulebook, game: &Game) -> Vec<Found> {
    let mut all = Vec::new();
    let found = |kind, what, bet: Option<&Bet>| Found {
        kind,
        what,
        irregularity: None,
        cites: bet.map(|bet| bet.cites.clone()).unwrap_or_default(),
    };
    let results: Vec<usize> = match rulebook.family {
        Family::Baccarat => Outcome::reachable().map(Outcome::index).collect(),
        Family::NiuNiu => BoxOutcome::reachable().map(BoxOutcome::index).collect(),
    };
    for bet in &game.bets {
        let missing = results.iter().filter(|at| bet.pays.possible(**at).next().is_none()).count();
        if missing > 0 {
            let what = format!("{} has no line for {missing} of {} results", bet.id, results.len());
            all.push(found(Kind::OpenWager, what, Some(bet)));
        }
    }
    if !rulebook.family.by_box() {
        for outcome in Outcome::reachable() {
            let broken = Won { game, outcome }.broken();
            all.extend(broken.map(|why| found(Kind::Invariant, why, None)));
        }
        all.extend(insured_twice(game).map(|why| found(Kind::Contradiction, why, None)));
    }
    all
}

/// The bets on one result.
struct Won<'g> {
    game: &'g Game,
    outcome: Outcome,
}

impl Won<'_> {
    fn payoff(&self, bet: &str) -> Option<Payoff> {
        let column = self.game.bet(bet)?.pays.by_class()?;
        column.line(self.outcome.index()).map(|line| line.payoff)
    }

    fn wins(&self, bet: &str) -> Option<bool> {
        self.payoff(bet).map(|payoff| matches!(payoff, Payoff::Win { .. }))
    }

    /// The first invariant that does not hold on this result.
    fn broken(&self) -> Option<String> {
        let outcome = self.outcome;
        let (player, banker) = (outcome.points(Side::Player), outcome.points(Side::Banker));
        let winner = outcome.winner();
        for (bet, wins) in [
            ("player", winner == Winner::Player),
            ("banker", winner == Winner::Banker),
            ("tie", winner == Winner::Tie),
        ] {
            if self.wins(bet).is_some_and(|won| won != wins) {
                return Some(format!("4: {bet} on {player}-{banker}"));
            }
        }
        let won = |bet: &str| self.wins(bet).unwrap_or(false);
        let dragon = [won("small-dragon"), won("big-dragon")];
        let tiger = [won("small-tiger"), won("big-tiger")];
        let twice =
            dragon == [true; 2] || tiger == [true; 2] || dragon.contains(&true) && tiger.contains(&true);
        if twice || won("dragon-tiger") && self.wins("small-dragon").is_some() && !dragon.contains(&true) {
            return Some(format!("5: dragons and tigers on {player}-{banker}"));
        }
        let six = winner == Winner::Banker && banker == 6;
        let lucky = self.wins("lucky-6").is_some_and(|won| won != six);
        let tigers = self.wins("small-tiger").is_some() && self.wins("big-tiger").is_some();
        if lucky || tigers && tiger.contains(&true) != six {
            return Some(format!("6: Lucky 6 or a Tiger on {player}-{banker}"));
        }
        let named = ["small-dragon", "big-dragon", "small-tiger", "big-tiger", "dragon-tiger", "lucky-6"];
        if winner == Winner::Tie && named.iter().any(|bet| won(bet)) {
            return Some(format!("7: a dragon or tiger on a tie of {player}"));
        }
        for (bet, side) in [("player-pair", Side::Player), ("banker-pair", Side::Banker)] {
            if self.wins(bet).is_some_and(|won| won != outcome.is_pair(side)) {
                return Some(format!("8: {bet} on {player}-{banker}"));
            }
        }
        self.dragon_bonus(player, banker)
    }

    /// 12: the natural line or a margin line, and nothing on a tie that is no natural.
    fn dragon_bonus(&self, player: u8, banker: u8) -> Option<String> {
        let natural = self.outcome.is_natural();
        let sides = [("dragon-bonus-player", player, banker), ("dragon-bonus-banker", banker, player)];
        for (bet, own, other) in sides {
            let Some(payoff) = self.payoff(bet) else { continue };
            let fits = match payoff {
                Payoff::Win { .. } => own > other && (natural || own - other >= 4),
                Payoff::Push => natural && own == other,
                Payoff::Lose => own < other || !natural && own.saturating_sub(other) < 4,
            };
            if !fits {
                return Some(format!("12: {bet} on {player}-{banker}"));
            }
        }
        None
    }
}

/// 9: at most one line of the insurance table for the same counts.
fn insured_twice(game: &Game) -> Option<String> {
    use croupier_rules::baccarat::insurance::Stage;
    let lines = &game.insurance.as_ref()?.lines;
    for stage in [Stage::FourCards, Stage::PlayerThird] {
        for (player, banker) in (0..10).flat_map(|player| (0..10).map(move |banker| (player, banker))) {
            let count = lines.iter().filter(|line| line.matches(stage, player, banker)).count();
            if count > 1 {
                return Some(format!(
                    "{count} insurances for {player}-{banker} after {} cards",
                    stage.draws()
                ));
            }
        }
    }
    None
}
