//! The money terms of a table, as settlement needs them.

use alloc::vec::Vec;

use super::{SettleError, amount};
use crate::money::{Amount, Rounding};
use crate::odds::Odds;
use crate::ratio::Ratio;

/// The limits of a bet; nothing where none is posted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limit {
    /// Smallest wager.
    pub minimum: Option<Amount>,
    /// Largest wager.
    pub maximum: Option<Amount>,
    /// Wagers are whole multiples of this.
    pub step: Option<Amount>,
}

/// Where a house pays only in coarser units than the ledger keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Payable {
    /// The smallest amount paid out.
    pub unit: Amount,
    /// Which way winnings are rounded to it.
    pub rounding: Rounding,
}

/// The money terms of a table. [`Terms::check`] says whether they fit together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The smallest chip.
    pub chip: Amount,
    /// The limits of each bet, by its place in the game.
    pub limits: Vec<Limit>,
    /// The differential limit.
    pub differential: Option<Amount>,
    /// Rounding, where the house has one.
    pub payable: Option<Payable>,
    /// Whether wagers exempt from pro rata reduce what the others share.
    pub small_wager_makes_room: bool,
    /// The house's limit for an insurance at given odds.
    pub insurance_limits: Vec<(Odds, Amount)>,
    /// The smallest insurance.
    pub insurance_minimum: Option<Amount>,
    /// Whether a bonus needs a main wager beside it.
    pub bonus_requires_main: bool,
}

/// Why terms do not fit together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TermsFault {
    /// Commission and half pay would not come out even.
    #[error(
        "the smallest chip must be a whole multiple of {} minor units, so that commission and half pay are exact; it is {chip}",
        Terms::CHIP_PARTS
    )]
    Chip {
        /// The chip.
        chip: Amount,
    },
    /// A limit that no stack of chips can meet exactly.
    #[error("{amount} is no whole number of the smallest chip, {chip}")]
    NotInChips {
        /// The limit.
        amount: Amount,
        /// The chip.
        chip: Amount,
    },
    /// Nothing can be paid in it.
    #[error("the payable unit must be above zero; it is {unit}")]
    PayableUnit {
        /// The unit.
        unit: Amount,
    },
    /// Nothing can be wagered.
    #[error("the minimum {minimum} is above the maximum {maximum}")]
    Crossed {
        /// The minimum.
        minimum: Amount,
        /// The maximum.
        maximum: Amount,
    },
}

impl Terms {
    /// A chip has a whole multiple of this many minor units.
    pub const CHIP_PARTS: i64 = 20;

    /// No limits, no rounding, chips of [`Terms::CHIP_PARTS`] minor units.
    #[must_use]
    pub fn open(bets: usize) -> Self {
        Self {
            chip: Amount::new(Self::CHIP_PARTS).unwrap_or(Amount::MAX),
            limits: alloc::vec![Limit::default(); bets],
            differential: None,
            payable: None,
            small_wager_makes_room: true,
            insurance_limits: Vec::new(),
            insurance_minimum: None,
            bonus_requires_main: false,
        }
    }

    /// Everything that does not fit together.
    #[must_use]
    pub fn check(&self) -> Vec<TermsFault> {
        let chip = self.chip;
        let mut faults = Vec::new();
        if !chip.is_positive() || chip.minor() % Self::CHIP_PARTS != 0 {
            faults.push(TermsFault::Chip { chip });
        }
        let limits = self.limits.iter().flat_map(|limit| [limit.minimum, limit.maximum, limit.step]);
        let insurance = self.insurance_limits.iter().map(|(_, limit)| Some(*limit));
        for amount in limits.chain([self.differential, self.insurance_minimum]).chain(insurance).flatten() {
            if amount < Amount::ZERO || !amount.is_multiple_of(chip) {
                faults.push(TermsFault::NotInChips { amount, chip });
            }
        }
        if let Some(Payable { unit, .. }) = self.payable
            && !unit.is_positive()
        {
            faults.push(TermsFault::PayableUnit { unit });
        }
        for limit in &self.limits {
            if let (Some(minimum), Some(maximum)) = (limit.minimum, limit.maximum)
                && minimum > maximum
            {
                faults.push(TermsFault::Crossed { minimum, maximum });
            }
        }
        faults
    }

    /// The limits of a bet.
    #[must_use]
    pub fn limit(&self, bet: usize) -> Limit {
        self.limits.get(bet).copied().unwrap_or_default()
    }

    /// Exact winnings as the house pays them, and what rounding added.
    pub(super) fn pay(&self, exact: Ratio) -> Result<(Amount, Amount), SettleError> {
        let Some(payable) = self.payable else {
            return Ok((amount(exact)?, Amount::ZERO));
        };
        let paid =
            payable.rounding.apply(exact, payable.unit).ok_or(SettleError::TooLarge { value: exact })?;
        Ok((paid, paid - self.nearest_minor(exact)))
    }

    /// [`Terms::pay`], but never above `most`: rounded down where rounding would lift it over.
    pub(super) fn pay_within(&self, exact: Ratio, most: Amount) -> Result<(Amount, Amount), SettleError> {
        match (self.pay(exact)?, self.payable) {
            ((paid, _), Some(payable)) if paid > most => {
                let paid = Amount::floor_to(most.ratio(), payable.unit).unwrap_or(Amount::ZERO);
                Ok((paid, paid - self.nearest_minor(exact)))
            }
            (paid, _) => Ok(paid),
        }
    }

    /// A side amount in minor units; exact wherever chips are whole multiples of [`Terms::CHIP_PARTS`].
    pub(super) fn nearest_minor(&self, exact: Ratio) -> Amount {
        Amount::new(1).and_then(|unit| Rounding::Nearest.apply(exact, unit)).unwrap_or(Amount::MAX)
    }
}
