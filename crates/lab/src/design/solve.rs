//! Solving one line's pay for a wanted edge.

use croupier_rules::{Bet, Payoff, Ratio, When};
use num_bigint::BigInt;
use num_integer::Integer;

use super::Wanted;
use crate::fraction::Fraction;

/// The pay of one line that gives a wanted edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// The place of the line, from 0.
    pub line: usize,
    /// Which outcomes.
    pub when: When,
    /// The edge wanted.
    pub wanted: Fraction,
    /// What the line must pay to one, before anything is taken off the winnings.
    pub pays: Fraction,
    /// The nearest whole odds below and above; just one where the pay is whole.
    pub whole: Vec<WholeOdds>,
}

/// Whole odds to one and the edge they give.
#[derive(Clone, PartialEq, Debug)]
pub struct WholeOdds {
    /// To one.
    pub odds: BigInt,
    /// The edge.
    pub edge: Fraction,
}

/// Why no pay gives the edge.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// The bet has fewer lines.
    #[error("there is no line {line}; the bet has {lines}, and `otherwise` counts as the last")]
    NoLine {
        /// The line asked for, from 1.
        line: usize,
        /// How many there are.
        lines: usize,
    },
    /// A push or a loss pays nothing.
    #[error("line {line} (`{when}`) pays nothing; name a line with odds")]
    NoPay {
        /// The line, from 1.
        line: usize,
        /// Its outcomes.
        when: When,
    },
    /// No cards of the stock lead to the line.
    #[error("line {line} (`{when}`) never applies with these cards, so its pay changes nothing")]
    Never {
        /// The line, from 1.
        line: usize,
        /// Its outcomes.
        when: When,
    },
    /// Even paying nothing, the line leaves the house less than wanted.
    #[error("no pay of line {line} (`{when}`) gives that edge: paying nothing, it would be {most}")]
    TooMuch {
        /// The line, from 1.
        line: usize,
        /// Its outcomes.
        when: When,
        /// The edge with a pay of nothing, as a percentage.
        most: String,
    },
}

/// `line_ways` are the ways of its lines, and `edge` is what the bet has now, with its own pays.
pub(super) fn solve(
    bet: &Bet,
    line_ways: &[u64],
    total: u64,
    edge: &Fraction,
    wanted: &Wanted,
) -> Result<Solution, SolveError> {
    let lines = bet.pays.lines();
    let wins = |payoff: Payoff| matches!(payoff, Payoff::Win { .. });
    // A sheet is read only if every bet can win.
    let first = || lines.iter().position(|line| wins(line.payoff)).unwrap_or_default();
    let at = wanted.line.unwrap_or_else(first);
    let place = at + 1;
    let line = lines.get(at).ok_or(SolveError::NoLine { line: place, lines: lines.len() })?;
    let when = line.when.clone();
    let Payoff::Win { less, .. } = line.payoff else { return Err(SolveError::NoPay { line: place, when }) };
    let ways = line_ways.get(at).copied().unwrap_or_default();
    if ways == 0 {
        return Err(SolveError::Never { line: place, when });
    }
    // The mean is linear in the line's net, and the net in its odds.
    let kept = Fraction::from(Ratio::ONE - less);
    let weight = kept.times(&Fraction::new(ways, total));
    let now = Fraction::from(line.payoff.net()).times(&inverse(&kept));
    let edge_at = |pays: &Fraction| edge.plus(&now.minus(pays).times(&weight));
    let pays = now.plus(&edge.minus(&wanted.edge).times(&inverse(&weight)));
    if pays <= Fraction::new(0, 1) {
        let most = crate::report::percent(&edge_at(&Fraction::new(0, 1)), 4);
        return Err(SolveError::TooMuch { line: place, when, most });
    }
    let below = pays.numerator().div_floor(pays.denominator());
    let above = Integer::div_ceil(pays.numerator(), pays.denominator());
    let mut candidates = vec![below, above];
    candidates.dedup();
    let whole = candidates
        .into_iter()
        .filter(|odds| *odds > BigInt::ZERO)
        .map(|odds| WholeOdds { edge: edge_at(&Fraction::new(odds.clone(), 1)), odds })
        .collect();
    Ok(Solution { line: at, when, wanted: wanted.edge.clone(), pays, whole })
}

fn inverse(value: &Fraction) -> Fraction {
    Fraction::new(value.denominator().clone(), value.numerator().clone())
}

/// An edge as people write it: `5%`, `5`, `2.5%`, `-1%`; nothing if it is none.
#[must_use]
pub fn parse_percent(text: &str) -> Option<Fraction> {
    let number = text.trim().strip_suffix('%').unwrap_or(text.trim()).trim_end();
    let (negative, number) = number.strip_prefix('-').map_or((false, number), |number| (true, number));
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let shown = whole.len() + decimals.len();
    if whole.is_empty() || number.ends_with('.') || shown > 30 || !digits(whole) || !digits(decimals) {
        return None;
    }
    let scale = BigInt::from(10).pow(u32::try_from(decimals.len()).ok()? + 2);
    let value = Fraction::new(format!("{whole}{decimals}").parse::<BigInt>().ok()?, scale);
    Some(if negative { value.negated() } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages() {
        assert_eq!(parse_percent("5%"), Some(Fraction::new(1, 20)));
        assert_eq!(parse_percent("2.5"), Some(Fraction::new(1, 40)));
        assert_eq!(parse_percent("-0.1 %"), Some(Fraction::new(-1, 1000)));
        for text in ["", "%", "x", "5.", ".5", "--5", "1e3", "5%%"] {
            assert_eq!(parse_percent(text), None, "{text}");
        }
    }
}
