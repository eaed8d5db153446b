//! How unlikely a run of results is, whenever somebody looks.
//!
//! Of each round three things are known exactly before it is dealt: the mean of what somebody wins, its variance `v`, and
//! by how much the result can exceed the mean at most, `b`. For a result `x` and any `l > 0`, Bennett's inequality says
//!
//! ```text
//! E exp(l (x - mean)) <= 1 + v/b² (exp(l b) - 1 - l b)
//! ```
//!
//! whatever the distribution is. So the product over all rounds of `exp(l (x - mean))` divided by the right-hand side is
//! in honest play a supermartingale that begins at 1, also where stakes depend on all that came before. A mean of such
//! products over several `l`, both for results that are too high and too low, is one as well, and by Ville's inequality
//! it ever reaches `1/a` with a chance of at most `a`: looking after every round costs nothing. That product is the
//! [`Evidence`]; the chance is exact mathematics and no approximation by a normal distribution.

use crate::price::Spread;

/// The values of `l`: one over the standard deviation of the first round, times 4 and 15 halves of halves of it.
const STEPS: usize = 16;

/// What speaks against luck, in favour of results that are too high or too low.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Evidence {
    /// One over the standard deviation of the first round that had one.
    scale: Option<f64>,
    /// The logarithms of the products, for results too high and too low.
    products: [[f64; STEPS]; 2],
    /// The highest that their mean has been, as a logarithm.
    highest: f64,
}

impl Evidence {
    /// A round with its result, in the units of the spread.
    #[expect(clippy::cast_precision_loss, reason = "a statistic; money is kept elsewhere")]
    pub fn add(&mut self, result: i64, spread: &Spread) {
        let [mean, variance, most, least] =
            [&spread.mean, &spread.variance, &spread.most, &spread.least].map(crate::price::approximate);
        if variance <= 0.0 {
            return;
        }
        let scale = *self.scale.get_or_insert(1.0 / variance.sqrt());
        let over = result as f64 - mean;
        for (products, (over, bound)) in
            self.products.iter_mut().zip([(over, most - mean), (-over, mean - least)])
        {
            let mut step = 4.0 * scale;
            for product in products {
                *product += step * over - bennett(step, variance, bound);
                step /= 2.0;
            }
        }
        self.highest = self.highest.max(self.now());
    }

    /// The logarithm of the evidence as it stands.
    fn now(&self) -> f64 {
        let all = || self.products.iter().flatten();
        let top = all().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = all().map(|product| (product - top).exp()).sum();
        top + (sum / (2 * STEPS) as f64).ln()
    }

    /// The most that the evidence has been: honest play comes to `n` or more with a chance of at most one in `n`,
    /// however often one looks.
    #[must_use]
    pub fn one_in(&self) -> f64 {
        // Beyond this it makes no difference, and a number that can be written is kept.
        self.highest.min(200.0).exp()
    }
}

/// The logarithm of the bound of Bennett's inequality.
fn bennett(step: f64, variance: f64, bound: f64) -> f64 {
    let reach = step * bound;
    if bound <= 0.0 {
        return 0.0;
    }
    // For small reaches the difference of nearly equal numbers would be noise.
    let excess =
        if reach < 1e-4 { reach * reach / 2.0 * (1.0 + reach / 3.0) } else { reach.exp_m1() - reach };
    (variance / (bound * bound) * excess).ln_1p()
}

#[cfg(test)]
mod tests {
    use croupier_lab::Fraction;

    use super::*;

    /// A fair coin for a stake.
    fn coin(stake: i64) -> Spread {
        let amount = |minor: i64| Fraction::new(minor, 1);
        Spread {
            mean: amount(0),
            variance: amount(stake * stake),
            is_exact: true,
            most: amount(stake),
            least: amount(-stake),
            over: 1.into(),
        }
    }

    /// Over every course of a game the mean of the evidence is at most 1: the supermartingale, counted and not drawn.
    #[test]
    fn in_honest_play_the_mean_never_grows() {
        const ROUNDS: u32 = 14;
        let mut sum = 0.0;
        for course in 0_u32..1 << ROUNDS {
            let (mut evidence, mut stake) = (Evidence::default(), 100);
            for round in 0..ROUNDS {
                let won = course >> round & 1 == 1;
                evidence.add(if won { stake } else { -stake }, &coin(stake));
                // Whoever doubles after a loss changes nothing.
                stake = if won { 100 } else { (stake * 2).min(12_800) };
            }
            sum += evidence.now().exp();
        }
        let mean = sum / f64::from(1 << ROUNDS);
        assert!(mean <= 1.0 + 1e-9 && mean > 0.5, "{mean}");
    }

    /// Nor is it reached as often as it may be: at each bound, over every course.
    #[test]
    fn a_bound_is_reached_no_more_often_than_stated() {
        const ROUNDS: u32 = 14;
        for bound in [10.0, 20.0, 100.0] {
            let reached = (0_u32..1 << ROUNDS).filter(|course| {
                let mut evidence = Evidence::default();
                for round in 0..ROUNDS {
                    evidence.add(if course >> round & 1 == 1 { 100 } else { -100 }, &coin(100));
                }
                evidence.one_in() >= bound
            });
            let share =
                f64::from(u32::try_from(reached.count()).unwrap_or(u32::MAX)) / f64::from(1 << ROUNDS);
            assert!(share <= 1.0 / bound, "{share} at {bound}");
        }
    }

    #[test]
    fn who_always_wins_is_found_and_so_is_who_always_loses() {
        for result in [100, -100] {
            let mut evidence = Evidence::default();
            let rounds = (1..).find(|_| {
                evidence.add(result, &coin(100));
                evidence.one_in() >= 10_000.0
            });
            assert!(rounds.is_some_and(|rounds| (20..=30).contains(&rounds)), "{rounds:?}");
        }
    }
}
