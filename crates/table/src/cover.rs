//! What the house can lose on a round: the largest sum, over the outcomes, of the columns of all wagers.
//!
//! Outcomes that pay every bet alike are one class, so that a wager adds a few dozen numbers and no more. A bet that
//! asks for cards counts in each class with the line that costs the house most among those the class leaves open:
//! whatever the cards, it costs no more, and so does the sum.

use croupier_rules::baccarat::Outcome;
use croupier_rules::niu_niu::BoxOutcome;
use croupier_rules::{Amount, Bet, Family, Game, PayLine, Ratio};

/// The columns of a game as whole numbers over a common denominator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cover {
    denominator: i64,
    classes: usize,
    /// For each bet, what the house pays a unit in each class; what it takes is below zero.
    nets: Vec<Vec<i64>>,
    /// Each box is a round of its own.
    by_box: bool,
}

impl Cover {
    /// The cover of a game; where commission is owed until the shoe ends, winnings go out whole.
    pub(crate) fn of(family: Family, game: &Game, commission_owed: bool) -> Self {
        let count = match family {
            Family::Baccarat => Outcome::COUNT,
            Family::NiuNiu => BoxOutcome::COUNT,
        };
        let net = |bet: &Bet, outcome: usize| {
            let cost = |line: &PayLine| {
                let payoff = line.payoff;
                if commission_owed { payoff.net() + payoff.deduction() } else { payoff.net() }
            };
            let net = bet.pays.possible(outcome).map(cost).max()?;
            let lost = match &bet.reserve {
                Some(reserve) => Ratio::from(i64::from(reserve.lost.line(outcome)?.times)),
                None => Ratio::ZERO,
            };
            Some(net - lost)
        };
        // One row of ratios for each outcome that can happen; equal rows are one class.
        let mut rows: Vec<Vec<Ratio>> = Vec::new();
        for outcome in 0..count {
            let row: Option<Vec<Ratio>> = game.bets.iter().map(|bet| net(bet, outcome)).collect();
            if let Some(row) = row.filter(|row| !rows.contains(row)) {
                rows.push(row);
            }
        }
        let denominator = rows
            .iter()
            .flatten()
            .fold(1, |common, ratio| lcm(common, i64::try_from(ratio.denominator()).unwrap_or(1)));
        let whole = |ratio: &Ratio| {
            let scaled = *ratio * Ratio::from(denominator);
            scaled.whole().and_then(|whole| i64::try_from(whole).ok()).unwrap_or(i64::MAX)
        };
        let nets = (0..game.bets.len())
            .map(|bet| rows.iter().map(|row| row.get(bet).map_or(0, whole)).collect())
            .collect();
        Self { denominator, classes: rows.len(), nets, by_box: family.by_box() }
    }

    /// The sums of a round without wagers.
    pub(crate) fn none(&self) -> Liability {
        Liability(vec![0; self.classes])
    }

    /// Adds a wager of `stake`, or takes it off if below zero. Boxes win and lose independently of each
    /// other, so their worst cases add up.
    pub(crate) fn add(&self, liability: &mut Liability, bet: usize, stake: Amount) {
        let stake = i128::from(stake.minor());
        let nets = self.nets.get(bet).map_or(&[][..], Vec::as_slice);
        if self.by_box {
            let worst = i128::from(worst(nets));
            liability.0.iter_mut().for_each(|sum| *sum += stake * worst);
        } else {
            for (sum, net) in liability.0.iter_mut().zip(nets) {
                *sum += stake * i128::from(*net);
            }
        }
    }

    /// The most the house can lose with `stake` more on a bet.
    pub(crate) fn most_with(&self, liability: &Liability, bet: usize, stake: Amount) -> i128 {
        let stake = i128::from(stake.minor());
        let nets = self.nets.get(bet).map_or(&[][..], Vec::as_slice);
        let most = if self.by_box {
            liability.0.iter().copied().max().unwrap_or(0) + stake * i128::from(worst(nets))
        } else {
            liability.0.iter().zip(nets).map(|(sum, net)| sum + stake * i128::from(*net)).max().unwrap_or(0)
        };
        self.in_minor_units(most)
    }

    /// The most the house can lose as the wagers lie.
    pub(crate) fn most(&self, liability: &Liability) -> i128 {
        self.in_minor_units(liability.0.iter().copied().max().unwrap_or(0))
    }

    /// What the float has beyond the largest loss as the wagers lie, over the common denominator.
    pub(crate) fn slack(&self, liability: &Liability, float: Amount) -> i128 {
        let most = liability.0.iter().copied().max().unwrap_or(0);
        i128::from(float.minor()) * i128::from(self.denominator) - most
    }

    /// The most that `stake` on a bet can cost, over the common denominator.
    pub(crate) fn worst_for(&self, bet: usize, stake: i64) -> i128 {
        i128::from(stake) * i128::from(worst(self.nets.get(bet).map_or(&[][..], Vec::as_slice)))
    }

    /// The least and the most that may be added to a bet so that the float covers it; nothing if no amount
    /// will do.
    pub(crate) fn room(&self, liability: &Liability, bet: usize, float: Amount) -> Option<(i64, i64)> {
        let nets = self.nets.get(bet).map_or(&[][..], Vec::as_slice);
        let (mut least, mut most) = (0_i128, i128::from(i64::MAX));
        let float = i128::from(float.minor()) * i128::from(self.denominator);
        if self.by_box {
            let slack = float - liability.0.iter().copied().max().unwrap_or(0);
            match i128::from(worst(nets)) {
                _ if slack < 0 => return None,
                0 => {}
                worst => most = slack / worst,
            }
        } else {
            for (sum, net) in liability.0.iter().zip(nets) {
                let (slack, net) = (float - sum, i128::from(*net));
                match net {
                    0 if slack < 0 => return None,
                    0 => {}
                    // A wager that loses there helps where the float is short.
                    ..0 => least = least.max(ceiling(-slack, -net)),
                    1.. => most = most.min(slack.div_euclid(net)),
                }
            }
        }
        let bound = |value: i128| i64::try_from(value).unwrap_or(i64::MAX);
        (least <= most && most >= 0).then(|| (bound(least), bound(most)))
    }

    /// Rounded up: the house must be able to pay it.
    fn in_minor_units(&self, sum: i128) -> i128 {
        // Nearly every sum fits, and short division is many times as fast.
        if let Ok(sum) = i64::try_from(sum) {
            let whole = sum.div_euclid(self.denominator);
            return i128::from(whole + i64::from(whole * self.denominator != sum));
        }
        ceiling(sum, i128::from(self.denominator))
    }
}

/// The summed columns of the wagers of a round, by class of outcomes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Liability(#[cfg_attr(feature = "serde", serde(with = "crate::serial::sums"))] Vec<i128>);

fn lcm(a: i64, b: i64) -> i64 {
    let mut gcd = (a, b);
    while gcd.1 != 0 {
        gcd = (gcd.1, gcd.0 % gcd.1);
    }
    a / gcd.0 * b
}

/// Divided and rounded up.
fn ceiling(value: i128, by: i128) -> i128 {
    value.div_euclid(by) + i128::from(value.rem_euclid(by) != 0)
}

/// The most that a unit can cost the house.
fn worst(nets: &[i64]) -> i64 {
    nets.iter().copied().max().unwrap_or(0).max(0)
}

#[cfg(test)]
mod tests {
    use croupier_cards::{Card, Composition, Decks};
    use croupier_rules::Library;
    use croupier_rules::baccarat::{Deal, FinalHands};

    use super::*;

    /// Every round that random cards make costs at most what the cover says, and a bet that asks for cards counts
    /// with its best line wherever the class leaves it open.
    #[test]
    fn no_cards_cost_more_than_the_cover() {
        let mut library = Library::default();
        let text = include_str!("../../../rulebooks/examples/jade-punto-banco.toml");
        let game = library.add(text).unwrap().games[0].clone();
        let cover = Cover::of(Family::Baccarat, &game, false);
        let mut state = 7_u64;
        let mut roll = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below
        };
        let shoe: Vec<Card> = Composition::of_decks(Decks::ONE).cards().collect();
        for _ in 0..3_000 {
            let stakes: Vec<i64> = game.bets.iter().map(|_| i64::try_from(roll(4) * 20).unwrap()).collect();
            let mut liability = cover.none();
            for (bet, stake) in stakes.iter().enumerate() {
                cover.add(&mut liability, bet, Amount::new(*stake).unwrap());
            }
            // Few different cards, so that pairs and colours come up.
            let pool = [(); 4].map(|()| shoe[roll(52)]);
            let mut deal = Deal::default();
            while deal.due().is_some() {
                deal.draw(pool[roll(4)]).unwrap();
            }
            let hands = FinalHands::of(&deal).unwrap();
            let cost = game.bets.iter().zip(&stakes).fold(Ratio::ZERO, |sum, (bet, stake)| {
                sum + bet.pays.line(hands).unwrap().payoff.net() * Ratio::from(*stake)
            });
            let most = Ratio::new(cover.most(&liability), 1);
            assert!(cost <= most, "{deal:?} with {stakes:?} costs {cost}, covered {most}");
        }
        let most_of = |id: &str| {
            let mut liability = cover.none();
            cover.add(&mut liability, game.bet_index(id).unwrap(), Amount::new(10).unwrap());
            cover.most(&liability)
        };
        assert_eq!(["perfect-pair", "all-red", "three-eight"].map(most_of), [2_000, 220, 2_000]);
        // A perfect pair of both hands and a tie happen together; a three-card Player and a natural do not.
        let mut liability = cover.none();
        for id in ["perfect-pair", "tie"] {
            cover.add(&mut liability, game.bet_index(id).unwrap(), Amount::new(10).unwrap());
        }
        assert_eq!(cover.most(&liability), 2_080);
    }
}
