//! Whether a wager may lie beside the others of its player: the rules that look at one player's bets alone.
//!
//! When betting is open, who owns a box and how many wagers share an area is the table's business.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::clause::Basis;
use crate::money::Amount;
use crate::names::hint;
use crate::rule::Rule;
use crate::rulebook::Game;
use crate::settle::{Limit, Terms};

/// Why a wager is refused, in order of precedence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum EntryRefusal {
    /// The bet is not offered in this game.
    #[error("`{bet}` is not on the menu of {game}; {}", hint(bet, .offered.iter().map(String::as_str)))]
    NotOnMenu {
        /// The bet asked for.
        bet: String,
        /// The game.
        game: String,
        /// What it offers.
        offered: Vec<String>,
    },
    /// Not a whole number of chips.
    #[error("a wager must be a whole number of chips of {chip} minor units")]
    NotWholeChips {
        /// The smallest chip.
        chip: Amount,
    },
    /// The compulsory bet is missing.
    #[error("`{bet}` needs `{needed}` beside it")]
    Needs {
        /// The bet asked for.
        bet: String,
        /// The bet it needs.
        needed: String,
    },
    /// The table ties the bonus to a main wager.
    #[error("`{bet}` needs another wager beside it at this table")]
    NeedsMain {
        /// The bet asked for.
        bet: String,
    },
    /// The player holds a bet that excludes this one.
    #[error("`{bet}` cannot lie beside `{other}`: one of the two a player and round")]
    Excluded {
        /// The bet asked for.
        bet: String,
        /// The bet that is there.
        other: String,
    },
    /// Above the bet that bounds it.
    #[error("`{bet}` may not exceed `{other}`")]
    AboveOther {
        /// The bet asked for.
        bet: String,
        /// The bet that bounds it.
        other: String,
    },
    /// Not a whole multiple of the step.
    #[error("`{bet}` goes in steps of {step} minor units")]
    NotInSteps {
        /// The bet asked for.
        bet: String,
        /// The step.
        step: Amount,
    },
    /// Below the minimum.
    #[error("`{bet}` is below its minimum, {minimum} minor units")]
    BelowMinimum {
        /// The bet asked for.
        bet: String,
        /// The minimum.
        minimum: Amount,
    },
    /// Above the maximum.
    #[error("`{bet}` is above its maximum, {maximum} minor units")]
    AboveMaximum {
        /// The bet asked for.
        bet: String,
        /// The maximum.
        maximum: Amount,
    },
}

impl EntryRefusal {
    /// The code that programs and files use.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotOnMenu { .. } => "not-on-menu",
            Self::NotWholeChips { .. } => "not-whole-chips",
            Self::Needs { .. } => "needs-other-bet",
            Self::NeedsMain { .. } => "needs-main-bet",
            Self::Excluded { .. } => "one-per-hand",
            Self::AboveOther { .. } => "above-other-bet",
            Self::NotInSteps { .. } => "not-in-steps",
            Self::BelowMinimum { .. } => "below-minimum",
            Self::AboveMaximum { .. } => "above-maximum",
        }
    }
}

/// A refusal and what it rests on.
pub type Refused = (EntryRefusal, Vec<Basis>);

/// The place of a bet on the menu.
///
/// # Errors
/// [`EntryRefusal::NotOnMenu`].
pub fn find_bet(game: &Game, id: &str) -> Result<usize, Refused> {
    game.bet_index(id).ok_or_else(|| {
        let refusal = EntryRefusal::NotOnMenu {
            bet: id.to_string(),
            game: game.id.clone(),
            offered: game.bets.iter().map(|bet| bet.id.clone()).collect(),
        };
        (refusal, game.cites(Rule::Menu).to_vec())
    })
}

/// Whether one player's wagers (places of bets with their stakes, each bet once) may lie together.
///
/// # Errors
/// The first wager that may not, and why.
pub fn check_together(
    game: &Game,
    bonus_requires_main: bool,
    wagers: &[(usize, Amount)],
) -> Result<(), Refused> {
    let held = |place: usize| wagers.iter().find(|(bet, _)| *bet == place).map(|(_, stake)| *stake);
    let name = |place: usize| game.bets.get(place).map(|bet| bet.id.clone()).unwrap_or_default();
    let required = game.bets.iter().position(|bet| bet.required);
    let has_other = wagers.iter().any(|(place, _)| game.bets.get(*place).is_some_and(|bet| !bet.bonus));
    // The latest first: it is the one that is refused.
    for (place, stake) in wagers.iter().rev() {
        let Some(bet) = game.bets.get(*place) else { continue };
        if let Some(needed) = required.filter(|needed| held(*needed).is_none()) {
            let cites = game.bets.get(needed).map(|bet| bet.cites.clone()).unwrap_or_default();
            return Err((EntryRefusal::Needs { bet: bet.id.clone(), needed: name(needed) }, cites));
        }
        if bonus_requires_main && bet.bonus && !has_other {
            let cites = game.cites(Rule::BonusNeedsMain).to_vec();
            return Err((EntryRefusal::NeedsMain { bet: bet.id.clone() }, cites));
        }
        if let Some((other, cites)) = &bet.excludes
            && held(*other).is_some()
        {
            let refusal = EntryRefusal::Excluded { bet: bet.id.clone(), other: name(*other) };
            return Err((refusal, cites.clone()));
        }
        if let Some((other, cites)) = &bet.at_most
            && held(*other).is_none_or(|bound| *stake > bound)
        {
            let refusal = EntryRefusal::AboveOther { bet: bet.id.clone(), other: name(*other) };
            return Err((refusal, cites.clone()));
        }
    }
    Ok(())
}

/// Whether a stake keeps the posted limits.
///
/// # Errors
/// [`EntryRefusal::BelowMinimum`] or [`EntryRefusal::AboveMaximum`].
pub fn check_limits(game: &Game, terms: &Terms, place: usize, stake: Amount) -> Result<(), Refused> {
    let limit = terms.limit(place);
    let Some(bet) = game.bets.get(place) else { return Ok(()) };
    let id = || bet.id.clone();
    match limit {
        Limit { minimum: Some(minimum), .. } if stake < minimum => {
            // The clause that bounds an optional wager by another also demands the minimum of it.
            let own = bet.at_most.iter().flat_map(|(_, cites)| cites);
            let cites = game.cites(Rule::Minimum).iter().chain(own).copied().collect();
            Err((EntryRefusal::BelowMinimum { bet: id(), minimum }, cites))
        }
        Limit { maximum: Some(maximum), .. } if stake > maximum => {
            Err((EntryRefusal::AboveMaximum { bet: id(), maximum }, game.cites(Rule::Maximum).to_vec()))
        }
        Limit { .. } => Ok(()),
    }
}

/// Whether a stake goes in the bet's steps.
///
/// # Errors
/// [`EntryRefusal::NotInSteps`].
pub fn check_step(game: &Game, terms: &Terms, place: usize, stake: Amount) -> Result<(), Refused> {
    match (terms.limit(place).step, game.bets.get(place)) {
        (Some(step), Some(bet)) if !stake.is_multiple_of(step) => {
            Err((EntryRefusal::NotInSteps { bet: bet.id.clone(), step }, Vec::new()))
        }
        _ => Ok(()),
    }
}

/// Whether a stake is made of whole chips.
///
/// # Errors
/// [`EntryRefusal::NotWholeChips`].
pub fn check_chips(game: &Game, terms: &Terms, stake: Amount) -> Result<(), Refused> {
    if stake.is_positive() && stake.is_multiple_of(terms.chip) {
        Ok(())
    } else {
        Err((EntryRefusal::NotWholeChips { chip: terms.chip }, game.cites(Rule::Chips).to_vec()))
    }
}
