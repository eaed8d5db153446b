//! What the house can lose on a round: the largest sum, over the outcomes, of the columns of all wagers.
//!
//! Outcomes that pay every bet alike are one class, so that a wager adds a few dozen numbers and no more. A bet that
//! asks for cards counts in each class with the line that costs the house most among those the class leaves open:
//! whatever the cards, it costs no more, and so does the sum.

use croupier_rules::baccarat::Outcome;
use croupier_rules::niu_niu::BoxOutcome;
use croupier_rules::{Amount, Bet, Family, Game, PayLine, Ratio};

use crate::certain::certain;

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
    ///
    /// Nothing if the pays of the rulebook have no common denominator that can be counted with.
    pub(crate) fn of(family: Family, game: &Game, commission_owed: bool) -> Option<Self> {
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
            .try_fold(1, |common, ratio| lcm(common, i64::try_from(ratio.denominator()).ok()?))?;
        let whole = |ratio: &Ratio| {
            let scaled = *ratio * Ratio::from(denominator);
            scaled.whole().and_then(|whole| i64::try_from(whole).ok())
        };
        let nets = (0..game.bets.len())
            .map(|bet| rows.iter().map(|row| row.get(bet).and_then(whole)).collect())
            .collect::<Option<_>>()?;
        Some(Self { denominator, classes: rows.len(), nets, by_box: family.by_box() })
    }

    /// The sums of a round without wagers.
    pub(crate) fn none(&self) -> Liability {
        Liability(vec![0; self.classes])
    }

    /// Adds a wager of `stake`, or takes it off if below zero. Boxes win and lose independently of each
    /// other, so their worst cases add up.
    pub(crate) fn add(&self, liability: &mut Liability, bet: usize, stake: Amount) {
        let stake = i128::from(stake.minor());
        let nets = self.nets(bet);
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
        let nets = self.nets(bet);
        let most = if self.by_box {
            liability.largest() + stake * i128::from(worst(nets))
        } else {
            let sums = liability.0.iter().zip(nets).map(|(sum, net)| sum + stake * i128::from(*net));
            certain(sums.max(), NO_CLASS)
        };
        self.in_minor_units(most)
    }

    /// The most the house can lose as the wagers lie.
    pub(crate) fn most(&self, liability: &Liability) -> i128 {
        self.in_minor_units(liability.largest())
    }

    /// What the float has beyond the largest loss as the wagers lie, over the common denominator.
    pub(crate) fn slack(&self, liability: &Liability, float: Amount) -> i128 {
        let most = liability.largest();
        i128::from(float.minor()) * i128::from(self.denominator) - most
    }

    /// The most that `stake` on a bet can cost, over the common denominator.
    pub(crate) fn worst_for(&self, bet: usize, stake: i64) -> i128 {
        i128::from(stake) * i128::from(worst(self.nets(bet)))
    }

    /// The least and the most that may be added to a bet so that the float covers it; nothing if no amount
    /// will do.
    pub(crate) fn room(&self, liability: &Liability, bet: usize, float: Amount) -> Option<(i64, i64)> {
        let nets = self.nets(bet);
        let (mut least, mut most) = (0_i128, i128::from(i64::MAX));
        let float = i128::from(float.minor()) * i128::from(self.denominator);
        if self.by_box {
            let slack = float - liability.largest();
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
        // Neither is above the largest number, if the least is not above the most.
        let bound = |value: i128| certain(i64::try_from(value).ok(), "a bound lies outside its range");
        (least <= most && most >= 0).then(|| (bound(least), bound(most)))
    }

    /// What the house pays a unit of a bet in each class.
    fn nets(&self, bet: usize) -> &[i64] {
        certain(self.nets.get(bet).map(Vec::as_slice), "a wager is on no bet of the game")
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

impl Liability {
    fn largest(&self) -> i128 {
        certain(self.0.iter().copied().max(), NO_CLASS)
    }
}

const NO_CLASS: &str = "a game has no outcome";

fn lcm(a: i64, b: i64) -> Option<i64> {
    let mut gcd = (a, b);
    while gcd.1 != 0 {
        gcd = (gcd.1, gcd.0 % gcd.1);
    }
    (a / gcd.0).checked_mul(b)
}

/// Divided and rounded up.
fn ceiling(value: i128, by: i128) -> i128 {
    value.div_euclid(by) + i128::from(value.rem_euclid(by) != 0)
}

/// The most that a unit can cost the house.
fn worst(nets: &[i64]) -> i64 {
    nets.iter().copied().fold(0, i64::max)
}

#[cfg(test)]
mod tests {
    use croupier_cards::{Card, Composition, Decks};
    use croupier_rules::Library;
    use croupier_rules::baccarat::{Deal, FinalHands};

    use super::*;

    const PUNTO_BANCO: &str = include_str!("../../../rulebooks/examples/jade-punto-banco.toml");

    /// The cover of the first game of a rulebook.
    fn cover(text: &str) -> Option<Cover> {
        let mut library = Library::default();
        let rulebook = library.add(text).unwrap();
        Cover::of(rulebook.family, &rulebook.games[0], false)
    }

    /// That a bet must lie before any other says nothing about the outcomes it is settled by.
    #[test]
    fn a_required_bet_does_not_change_what_the_house_can_lose() {
        let banker = "main = \"banker\"\n";
        assert_eq!(PUNTO_BANCO.matches(banker).count(), 1);
        let required = PUNTO_BANCO.replace(banker, &format!("{banker}required = true\n"));
        let (required, plain) = (cover(&required).unwrap(), cover(PUNTO_BANCO).unwrap());
        assert_eq!(required, plain);
        // Player and Banker do not win together, so that one pays for the other.
        let mut liability = required.none();
        for bet in [0, 1] {
            required.add(&mut liability, bet, Amount::new(100).unwrap());
        }
        assert_eq!(required.most(&liability), 0);
    }

    /// What can be laid is exactly what the check of a wager lets through, class by class.
    #[test]
    fn the_room_is_what_the_float_covers() {
        let niu_niu = include_str!("../../../rulebooks/hoiana-niu-niu.toml");
        for text in [PUNTO_BANCO, niu_niu] {
            let cover = cover(text).unwrap();
            let mut liability = cover.none();
            for step in 0..40_i64 {
                let bet = usize::try_from(step * 7 % 5).unwrap() % cover.nets.len();
                cover.add(&mut liability, bet, Amount::new(20 * (step % 3)).unwrap());
                for (bet, float) in
                    (0..cover.nets.len()).flat_map(|bet| [0, 300, 5_000].map(|float| (bet, float)))
                {
                    let float = Amount::new(float).unwrap();
                    let room = cover.room(&liability, bet, float);
                    let fits = |stake: i64| {
                        let most = cover.most_with(&liability, bet, Amount::new(stake).unwrap());
                        most <= i128::from(float.minor())
                    };
                    for stake in [0, 1, 19, 20, 137, 400, 2_000] {
                        let inside = room.is_some_and(|(least, most)| (least..=most).contains(&stake));
                        assert_eq!(inside, fits(stake), "{stake} on {bet} with {float}: {room:?}");
                    }
                }
            }
        }
    }

    /// Pays that cannot be counted together are a fault of the opening, and no wrong sum.
    #[test]
    fn pays_without_a_common_denominator_have_no_cover() {
        let mut text = PUNTO_BANCO.to_owned();
        for prime in ["999983", "999979", "999961", "999959"] {
            text = text.replacen("odds = \"push\"", &format!("odds = \"1:{prime}\""), 1);
        }
        text = text.replacen("less = \"1/20\"", "less = \"1/999953\"", 1);
        text = text.replacen("odds = \"8:1\"", "odds = \"8:999931\"", 1);
        text = text.replacen("odds = \"200:1\"", "odds = \"200:999917\"", 1);
        assert_eq!(cover(&text), None);
    }

    /// Every round that random cards make costs at most what the cover says, and a bet that asks for cards counts
    /// with its best line wherever the class leaves it open.
    #[test]
    fn no_cards_cost_more_than_the_cover() {
        let game = Library::default().add(PUNTO_BANCO).unwrap().games[0].clone();
        let cover = Cover::of(Family::Baccarat, &game, false).unwrap();
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
