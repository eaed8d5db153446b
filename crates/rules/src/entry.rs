//! Whether a wager may lie beside the others of its player: the rules that look at one player's bets alone.
//!
//! When betting is open, who owns a box and how many wagers share an area is the table's business.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::bet::Bet;
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
    Together::new(game, bonus_requires_main).check(wagers)
}

/// How the wagers of one player depend on each other: what is offered and what is accepted both ask here.
#[derive(Clone, Copy, Debug)]
pub struct Together<'g> {
    game: &'g Game,
    /// The bet without which nothing may lie.
    required: Option<(usize, &'g Bet)>,
    bonus_requires_main: bool,
    /// A wager above the bet that bounds it is refused, not only flagged.
    bounded: bool,
}

/// Why a wager cannot lie beside the others.
#[derive(Clone, Copy, Debug)]
enum Tie<'g> {
    /// The compulsory bet is missing.
    Needs(&'g Bet),
    /// There is no wager but bonuses.
    NeedsMain,
    /// A bet that excludes it is held.
    Excluded(usize, &'g [Basis]),
    /// It lies above the bet that bounds it.
    Above(usize, &'g [Basis]),
}

impl<'g> Together<'g> {
    /// The menu of a game.
    #[must_use]
    pub fn new(game: &'g Game, bonus_requires_main: bool) -> Self {
        let required = game.bets.iter().enumerate().find(|(_, bet)| bet.required);
        Self { game, required, bonus_requires_main, bounded: true }
    }

    /// The same at a table that takes wagers as they lie: one above the bet that bounds it is taken.
    #[must_use]
    pub const fn as_they_lie(self) -> Self {
        Self { bounded: false, ..self }
    }

    /// Whether no bet depends on another.
    #[must_use]
    pub fn is_free(&self) -> bool {
        let tied = |bet: &Bet| bet.excludes.is_some() || self.bounded && bet.at_most.is_some();
        self.required.is_none() && !self.bonus_requires_main && !self.game.bets.iter().any(tied)
    }

    /// Whether wagers (places of bets with their stakes, each bet once) may lie together.
    ///
    /// # Errors
    /// The first wager that may not, the latest before the earlier ones, and why.
    pub fn check(&self, wagers: &[(usize, Amount)]) -> Result<(), Refused> {
        let held =
            |place: usize| wagers.iter().find(|(bet, _)| *bet == place).map(|(_, stake)| stake.minor());
        for (place, stake) in wagers.iter().rev() {
            let Some(bet) = self.game.bets.get(*place) else { continue };
            self.lies(bet, stake.minor(), &held).map_err(|tie| self.refusal(bet, tie))?;
        }
        Ok(())
    }

    /// The least and the most that can lie on a bet beside what is held on the others; nothing if no stake can.
    #[must_use]
    pub fn room(&self, place: usize, held: impl Fn(usize) -> Option<i64>) -> Option<(i64, i64)> {
        let bet = self.game.bets.get(place)?;
        // As much as may be: what the others ask of it shows in the least.
        let with = |at: usize| if at == place { Some(i64::MAX) } else { held(at) };
        let most = self.most(bet, &with).ok()?.map_or(i64::MAX, |(most, _)| most);
        let mut least = 1;
        for (at, other) in self.game.bets.iter().enumerate().filter(|(at, _)| *at != place) {
            let Some(stake) = held(at) else { continue };
            self.lies(other, stake, &with).ok()?;
            if self.bound(other).is_some_and(|(bound, _)| bound == place) {
                least = least.max(stake);
            }
        }
        (least <= most).then_some((least, most))
    }

    /// Whether what is held on the other bets can lie without this one.
    #[must_use]
    pub fn lie_without(&self, place: usize, held: impl Fn(usize) -> Option<i64>) -> bool {
        let left = |at: usize| if at == place { None } else { held(at) };
        let mut bets = self.game.bets.iter().enumerate();
        bets.all(|(at, bet)| left(at).is_none_or(|stake| self.lies(bet, stake, &left).is_ok()))
    }

    /// Whether a stake lies rightly beside what is held; it is held itself.
    fn lies(&self, bet: &'g Bet, stake: i64, held: &impl Fn(usize) -> Option<i64>) -> Result<(), Tie<'g>> {
        match self.most(bet, held)? {
            Some((most, (other, cites))) if stake > most => Err(Tie::Above(other, cites)),
            Some(_) | None => Ok(()),
        }
    }

    /// The most that may lie on a bet, and which bet bounds it; nothing where none does.
    #[expect(
        clippy::type_complexity,
        reason = "the bet that bounds it, with its clauses, as the rulebook has them"
    )]
    fn most(
        &self,
        bet: &'g Bet,
        held: &impl Fn(usize) -> Option<i64>,
    ) -> Result<Option<(i64, (usize, &'g [Basis]))>, Tie<'g>> {
        if let Some((_, needed)) = self.required.filter(|(at, _)| held(*at).is_none()) {
            return Err(Tie::Needs(needed));
        }
        if self.bonus_requires_main && bet.bonus {
            let mut others = self.game.bets.iter().enumerate().filter(|(_, other)| !other.bonus);
            if !others.any(|(at, _)| held(at).is_some()) {
                return Err(Tie::NeedsMain);
            }
        }
        if let Some((other, cites)) = &bet.excludes
            && held(*other).is_some()
        {
            return Err(Tie::Excluded(*other, cites));
        }
        Ok(self.bound(bet).map(|(other, cites)| (held(other).unwrap_or(0), (other, cites))))
    }

    fn bound(&self, bet: &'g Bet) -> Option<(usize, &'g [Basis])> {
        let (other, cites) = bet.at_most.as_ref().filter(|_| self.bounded)?;
        Some((*other, cites))
    }

    fn refusal(&self, bet: &Bet, tie: Tie<'_>) -> Refused {
        let name = |place: usize| self.game.bets.get(place).map(|bet| bet.id.clone()).unwrap_or_default();
        let bet = bet.id.clone();
        match tie {
            Tie::Needs(needed) => {
                (EntryRefusal::Needs { bet, needed: needed.id.clone() }, needed.cites.clone())
            }
            Tie::NeedsMain => {
                (EntryRefusal::NeedsMain { bet }, self.game.cites(Rule::BonusNeedsMain).to_vec())
            }
            Tie::Excluded(other, cites) => {
                (EntryRefusal::Excluded { bet, other: name(other) }, cites.to_vec())
            }
            Tie::Above(other, cites) => {
                (EntryRefusal::AboveOther { bet, other: name(other) }, cites.to_vec())
            }
        }
    }
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
