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

/// What the cap leaves to insure of one wager. In no outcome may its insurances together win more than the
/// wager, so what counts against a line is only what pays in the same event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cap {
    on_loss: Ratio,
    on_tie: Ratio,
}

impl Cap {
    /// Nothing of the wager is insured yet.
    #[must_use]
    pub const fn new(insured: Ratio) -> Self {
        Self { on_loss: insured, on_tie: insured }
    }

    /// What a line may still win.
    #[must_use]
    pub const fn left(&self, line: &Line) -> Ratio {
        match line.pays_on {
            PaysOn::Loss => self.on_loss,
            PaysOn::Tie => self.on_tie,
        }
    }

    /// The part of a stake on a line that counts; it is then no longer left for later ones.
    #[must_use]
    pub fn count(&mut self, line: &Line, stake: Ratio) -> Ratio {
        let odds = line.odds.ratio();
        let left = match line.pays_on {
            PaysOn::Loss => &mut self.on_loss,
            PaysOn::Tie => &mut self.on_tie,
        };
        let counted = stake.min(*left * odds.recip());
        *left = *left - counted * odds;
        counted
    }
}

/// What counts in whole minor units. Of a share that is not even one of them nothing is won either.
#[must_use]
pub fn whole_units(counted: Ratio) -> Amount {
    i64::try_from(counted.floor()).ok().and_then(Amount::new).unwrap_or(Amount::ZERO)
}

/// The wager that insurances cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Covered {
    /// As it was laid.
    pub laid: Amount,
    /// The part that is in action after the limit rules.
    pub in_action: Amount,
}

/// Settles all insurances of one player on one hand, in the order they were laid.
///
/// What counts of each is the same whether it wins or loses, to the minor unit; the rest goes back.
///
/// # Errors
/// [`SettleError`]; nothing is settled then.
pub fn settle_insurance(
    game: &Game,
    terms: &Terms,
    outcome: Outcome,
    covered: Covered,
    insurances: &[Insured<'_>],
) -> Result<Vec<Settled>, SettleError> {
    let mut cap = Cap::new(covered.in_action.ratio());
    let mut uncut = Cap::new(covered.laid.ratio());
    // What may still be paid: rounding to the payable unit must not lift the winnings over the wager.
    let mut most = covered.in_action;
    let mut laid: Vec<(Odds, Amount)> = Vec::new();
    insurances
        .iter()
        .map(|insurance| {
            let line = insurance.line;
            let mut cites = line.cites.clone();
            let end = line.end(outcome);
            let house = terms.insurance_limits.iter().find(|(odds, _)| *odds == line.odds);
            let mut stake = insurance.stake;
            if let Some((odds, limit)) = house {
                // The limit is for all that a player lays at these odds.
                let before: Amount = laid.iter().filter(|(at, _)| at == odds).map(|(_, stake)| *stake).sum();
                if stake > *limit - before {
                    stake = *limit - before;
                    cites.extend(game.cites(Rule::InsuranceHouseLimit));
                    if end == InsuranceEnd::Win {
                        cites.extend(game.cites(Rule::InsuranceHouseLimitWin));
                    }
                }
            }
            laid.push((line.odds, stake));
            let counted = cap.count(line, stake.ratio());
            if counted < stake.ratio() {
                cites.extend(game.cites(Rule::InsuranceCap));
            }
            if counted < uncut.count(line, stake.ratio()) {
                cites.extend(game.cites(Rule::InsuredAmount));
            }
            let in_action = whole_units(counted);
            if in_action.is_zero() {
                return Ok(Settled::returned(insurance.stake, cites));
            }
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
