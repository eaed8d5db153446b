//! Settlement: what each wager of a finished round wins, loses and gets back, to the minor unit.
//!
//! The order is fixed: wagers to be returned drop out, each is capped at its maximum, the heavier side is
//! scaled to the differential, and only then the outcome is read from the columns. The table decides which
//! wagers there are and when a round is over or void; here is only the money.

mod insurance;
mod limits;
mod terms;

use alloc::vec::Vec;

pub use insurance::{Cap, Covered, Insured, settle_insurance, whole_units};
pub use limits::most_in_action;
pub use terms::{Limit, Payable, Terms, TermsFault};

use crate::bet::{Bet, Ending, Payoff};
use crate::clause::Basis;
use crate::money::Amount;
use crate::niu_niu::BoxOutcome;
use crate::ratio::Ratio;
use crate::rule::Rule;
use crate::rulebook::Game;

/// What one player has on one bet in a round. Several chips on one bet are one wager.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wager {
    /// Who; any number the caller gives.
    pub player: u32,
    /// Where; pro-rata remainders go to lower seats first.
    pub seat: u8,
    /// The place of the bet in the game.
    pub bet: usize,
    /// How much.
    pub stake: Amount,
    /// The player had a wager below the minimum settled in an earlier round.
    pub warned: bool,
}

/// How a wager ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Paid.
    Win,
    /// Collected.
    Lose,
    /// Neither.
    StandOff,
    /// Out of action: void, withdrawn, invalid.
    Returned,
}

impl End {
    /// All ends.
    pub const ALL: [Self; 4] = [Self::Win, Self::Lose, Self::StandOff, Self::Returned];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Lose => "lose",
            Self::StandOff => "stand-off",
            Self::Returned => "returned",
        }
    }
}

/// One wager settled. The stake is either collected or returned: `stake = collected + returned`. What is nothing is
/// not written: most of it is, and every line is hashed, kept and read again.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Settled {
    /// How it ended.
    pub end: End,
    /// The part that was at risk after the limit rules.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Amount::is_zero"))]
    pub in_action: Amount,
    /// The part of the stake that the house takes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Amount::is_zero"))]
    pub collected: Amount,
    /// The part of the stake that goes back.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Amount::is_zero"))]
    pub returned: Amount,
    /// Paid on top.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Amount::is_zero"))]
    pub winnings: Amount,
    /// Kept by the house out of the winnings as commission.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Amount::is_zero"))]
    pub commission: Amount,
    /// What rounding to the payable unit added to the winnings, or took off.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Amount::is_zero"))]
    pub rounding: Amount,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

impl Settled {
    /// Gain or loss.
    #[must_use]
    pub fn net(&self) -> Amount {
        self.winnings - self.collected
    }

    /// The whole stake goes back.
    #[must_use]
    pub fn returned(stake: Amount, cites: Vec<Basis>) -> Self {
        Self {
            end: End::Returned,
            in_action: Amount::ZERO,
            collected: Amount::ZERO,
            returned: stake,
            winnings: Amount::ZERO,
            commission: Amount::ZERO,
            rounding: Amount::ZERO,
            cites,
        }
    }
}

/// Why a round cannot be settled to the unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum SettleError {
    /// The pay is no whole number of minor units and the table rounds nothing.
    #[error("{value} cannot be paid in whole minor units; set `payable-unit` and `rounding`")]
    Inexact {
        /// The exact winnings.
        value: Ratio,
    },
    /// The winnings exceed the largest amount.
    #[error("winnings of {value} exceed the largest amount, {}", Amount::MAX)]
    TooLarge {
        /// The exact winnings.
        value: Ratio,
    },
    /// The outcome is no outcome of this bet's game.
    #[error("the outcome does not belong to the bet's game")]
    ForeignOutcome,
    /// The bet asks for the cards, and only the outcome is known.
    #[error("the bet is settled by the cards of both hands; the outcome alone does not tell")]
    CardsUnknown,
}

impl SettleError {
    /// Why a bet has no line for an ending.
    const fn no_line(bet: &Bet, ending: &Ending) -> Self {
        match (bet.pays.by_cards(), ending.hands()) {
            (Some(_), None) => Self::CardsUnknown,
            (Some(_), Some(_)) | (None, _) => Self::ForeignOutcome,
        }
    }
}

/// Settles the wagers of a baccarat round, one a player and bet, in the order given. The outcome alone is enough
/// unless a bet asks for cards.
///
/// # Errors
/// [`SettleError`]; nothing is settled then.
pub fn settle_round(
    game: &Game,
    terms: &Terms,
    ending: impl Into<Ending>,
    wagers: &[Wager],
) -> Result<Vec<Settled>, SettleError> {
    let ending = ending.into();
    let outcome = ending.outcome().ok_or(SettleError::ForeignOutcome)?;
    let in_action = limits::in_action(game, terms, wagers, outcome.winner());
    let mut all = Vec::with_capacity(wagers.len());
    for (wager, action) in wagers.iter().zip(in_action) {
        let bet = game.bets.get(wager.bet).ok_or(SettleError::ForeignOutcome)?;
        let mut settled = settle_wager(terms, bet, ending, wager.stake, action)?;
        if settled.end == End::StandOff && !wager.warned && limits::is_small(terms, wager) {
            settled.cites.extend(game.cites(Rule::SmallStandOff));
        }
        all.push(settled);
    }
    Ok(all)
}

/// The wagers of one Niu Niu box settled: each bet, with what its Reserve lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettledBoxWager {
    /// The bet.
    pub wager: Settled,
    /// Its Reserve, if it has one: laid, lost, and what the loss rests on.
    pub reserve: Option<SettledReserve>,
}

/// What became of a Reserve: `laid = lost + returned`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SettledReserve {
    /// What the player laid.
    pub laid: Amount,
    /// What the house takes.
    pub lost: Amount,
    /// What goes back.
    pub returned: Amount,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

/// Settles the wagers of one box. The Reserve at risk follows the part of the wager that is in action.
///
/// # Errors
/// [`SettleError`]; nothing is settled then.
pub fn settle_box(
    game: &Game,
    terms: &Terms,
    outcome: BoxOutcome,
    wagers: &[Wager],
) -> Result<Vec<SettledBoxWager>, SettleError> {
    let in_action = limits::capped(game, terms, wagers);
    wagers
        .iter()
        .zip(in_action)
        .map(|(wager, action)| {
            let bet = game.bets.get(wager.bet).ok_or(SettleError::ForeignOutcome)?;
            let mut settled = settle_wager(terms, bet, outcome.into(), wager.stake, action)?;
            settled
                .cites
                .extend(alone_or_beside(bet, &settled, wagers).iter().flat_map(|rule| game.cites(*rule)));
            let reserve = match &bet.reserve {
                Some(reserve) => {
                    let line = reserve.lost.line(outcome.index()).ok_or(SettleError::ForeignOutcome)?;
                    let mut cites = line.cites.clone();
                    if settled.in_action < wager.stake {
                        cites.extend(game.cites(Rule::ReserveSecurity));
                    }
                    let lost = amount(Ratio::from(i64::from(line.times)) * settled.in_action.ratio())?;
                    let laid = amount(Ratio::from(i64::from(reserve.times)) * wager.stake.ratio())?;
                    Some(SettledReserve { laid, lost, returned: laid - lost, cites })
                }
                None => None,
            };
            Ok(SettledBoxWager { wager: settled, reserve })
        })
        .collect()
}

/// The rule that speaks of a winning compulsory bet: by itself, or less commission beside other bets of its box.
fn alone_or_beside(bet: &Bet, settled: &Settled, wagers: &[Wager]) -> Option<Rule> {
    match (bet.required && settled.end == End::Win, wagers.len()) {
        (true, 1) => Some(Rule::OnlyBet),
        (true, _) if settled.commission.is_positive() => Some(Rule::BesideOthers),
        (true | false, _) => None,
    }
}

/// The exact gain or loss of `stake` on a bet, unrounded and without limits; then that of its Reserve.
#[must_use]
pub fn exact_net(bet: &Bet, ending: impl Into<Ending>, stake: Ratio) -> Option<(Ratio, Option<Ratio>)> {
    let ending = ending.into();
    let net = bet.pays.line(ending)?.payoff.net() * stake;
    let reserve = match &bet.reserve {
        Some(reserve) => Some(-(Ratio::from(i64::from(reserve.lost.line(ending.class())?.times)) * stake)),
        None => None,
    };
    Some((net, reserve))
}

/// One wager, of which `action` is at risk.
fn settle_wager(
    terms: &Terms,
    bet: &Bet,
    ending: Ending,
    stake: Amount,
    action: limits::InAction,
) -> Result<Settled, SettleError> {
    if action.returned {
        return Ok(Settled::returned(stake, action.cites));
    }
    let line = bet.pays.line(ending).ok_or(SettleError::no_line(bet, &ending))?;
    let at_risk = action.amount;
    let mut cites = action.cites;
    cites.extend(&line.cites);
    let settled = |end, collected, winnings, commission, rounding| Settled {
        end,
        in_action: at_risk,
        collected,
        returned: stake - collected,
        winnings,
        commission,
        rounding,
        cites,
    };
    let zero = Amount::ZERO;
    Ok(match line.payoff {
        Payoff::Win { less, .. } => {
            let (winnings, rounding) = terms.pay(line.payoff.net() * at_risk.ratio())?;
            let commission = if less == Ratio::ZERO {
                zero
            } else {
                terms.nearest_minor(line.payoff.deduction() * at_risk.ratio())
            };
            settled(End::Win, zero, winnings, commission, rounding)
        }
        Payoff::Push => settled(End::StandOff, zero, zero, zero, zero),
        Payoff::Lose => settled(End::Lose, at_risk, zero, zero, zero),
    })
}

/// A whole, representable amount.
fn amount(value: Ratio) -> Result<Amount, SettleError> {
    let whole = value.whole().ok_or(SettleError::Inexact { value })?;
    i64::try_from(whole).ok().and_then(Amount::new).ok_or(SettleError::TooLarge { value })
}
