//! Insurance at the end of the round: capped by the insured wager and by the house's limit.

use alloc::vec::Vec;

use super::{End, SettleError, Settled, Terms};
use crate::baccarat::Outcome;
use crate::baccarat::insurance::{InsuranceEnd, Line, PaysOn};
use crate::money::Amount;
use crate::odds::Odds;
use crate::ratio::Ratio;
use crate::rule::Rule;
use crate::rulebook::Game;

/// One insurance of a player on one hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Insured<'a> {
    /// The line it was laid on.
    pub line: &'a Line,
    /// How much.
    pub stake: Amount,
}

/// The part of an insurance stake that counts, exactly: winnings never exceed what is left to insure. Then
/// what is left for a later one.
#[must_use]
pub fn exact_stake(left: Ratio, line: &Line, stake: Ratio) -> (Ratio, Ratio) {
    let odds = line.odds.ratio();
    let counted = stake.min(left * odds.recip());
    (counted, left - counted * odds)
}

/// Settles all insurances of one player on one hand, in the order they were laid. `insured` is the part of
/// the insured wager that is in action.
///
/// A loss collects whole chips within the cap; a stake over the cap that wins is paid the cap.
///
/// # Errors
/// [`SettleError`]; nothing is settled then.
pub fn settle_insurance(
    game: &Game,
    terms: &Terms,
    outcome: Outcome,
    insured: Amount,
    insurances: &[Insured<'_>],
) -> Result<Vec<Settled>, SettleError> {
    let mut left = insured.ratio();
    // What may still be paid: rounding to the payable unit must not lift the winnings over the wager.
    let mut most = insured;
    let mut laid: Vec<(Odds, Amount)> = Vec::new();
    insurances
        .iter()
        .map(|insurance| {
            let line = insurance.line;
            let mut cites = line.cites.clone();
            let house = terms.insurance_limits.iter().find(|(odds, _)| *odds == line.odds);
            let mut stake = insurance.stake;
            if let Some((odds, limit)) = house {
                // The limit is for all that a player lays at these odds.
                let before: Amount = laid.iter().filter(|(at, _)| at == odds).map(|(_, stake)| *stake).sum();
                if stake > *limit - before {
                    stake = *limit - before;
                    cites.extend(game.cites(Rule::InsuranceHouseLimit));
                }
            }
            laid.push((line.odds, stake));
            let (counted, left_after) = exact_stake(left, line, stake.ratio());
            left = left_after;
            if counted < stake.ratio() {
                cites.extend(game.cites(Rule::InsuranceCap));
            }
            let in_action = Amount::floor_to(counted, terms.chip).unwrap_or(Amount::ZERO);
            let end = line.end(outcome);
            cites.extend(game.cites(match (outcome.winner().side(), line.pays_on) {
                (None, _) => Rule::InsuranceTie,
                (Some(_), PaysOn::Loss | PaysOn::Tie) => Rule::InsuranceEnds,
            }));
            let zero = Amount::ZERO;
            let (end, collected, (winnings, rounding)) = match end {
                InsuranceEnd::Win => (End::Win, zero, terms.pay_within(counted * line.odds.ratio(), most)?),
                InsuranceEnd::Push => (End::StandOff, zero, (zero, zero)),
                InsuranceEnd::Lose => (End::Lose, in_action, (zero, zero)),
            };
            most = most - winnings;
            Ok(Settled {
                end,
                in_action,
                collected,
                returned: insurance.stake - collected,
                winnings,
                commission: zero,
                rounding,
                cites,
            })
        })
        .collect::<Result<Vec<_>, SettleError>>()
}
