//! What of each wager is in action: below the minimum, above the maximum, over the differential.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{Terms, Wager};
use crate::baccarat::{Side, Winner};
use crate::clause::Basis;
use crate::money::Amount;
use crate::ratio::Ratio;
use crate::rule::Rule;
use crate::rulebook::{BelowMinimum, Game};

/// The part of a wager that is at risk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct InAction {
    /// How much.
    pub(super) amount: Amount,
    /// The wager is returned whatever the result.
    pub(super) returned: bool,
    /// The limit clauses applied.
    pub(super) cites: Vec<Basis>,
}

/// All limit rules, in their order. On a tie nothing is scaled: no main wager wins or loses.
pub(super) fn in_action(game: &Game, terms: &Terms, wagers: &[Wager], winner: Winner) -> Vec<InAction> {
    let mut actions = capped(game, terms, wagers);
    if winner != Winner::Tie {
        pro_rata(game, terms, wagers, &mut actions);
    }
    for (wager, action) in wagers.iter().zip(&mut actions) {
        // A limit that was applied is cited.
        if !action.cites.is_empty() && limits_met(game, terms, wager, action) > 1 {
            action.cites.extend(game.cites(Rule::LimitOrder));
        }
    }
    actions
}

/// How many of the three limit rules have something to say about a wager.
fn limits_met(game: &Game, terms: &Terms, wager: &Wager, action: &InAction) -> u8 {
    let small = is_small(terms, wager) && game.limits.below_minimum.is_some();
    let above = game.limits.above_maximum.is_some()
        && terms.limit(wager.bet).maximum.is_some_and(|maximum| wager.stake > maximum);
    let scaled =
        game.limits.pro_rata.as_ref().is_some_and(|(cites, small)| {
            cites.iter().chain(small).any(|basis| action.cites.contains(basis))
        });
    u8::from(small) + u8::from(above) + u8::from(scaled)
}

/// The rules that look at one wager alone.
pub(super) fn capped(game: &Game, terms: &Terms, wagers: &[Wager]) -> Vec<InAction> {
    wagers
        .iter()
        .map(|wager| {
            let limit = terms.limit(wager.bet);
            let mut action = InAction { amount: wager.stake, returned: false, cites: Vec::new() };
            if is_small(terms, wager)
                && let Some((rule, cites)) = &game.limits.below_minimum
            {
                action.cites.extend(cites);
                action.returned = wager.warned && *rule == BelowMinimum::Once;
            }
            if let (Some(maximum), Some(cites)) = (limit.maximum, &game.limits.above_maximum)
                && wager.stake > maximum
            {
                action.amount = maximum;
                action.cites.extend(cites);
            }
            action
        })
        .collect()
}

/// The most of a wager that can be in action, before the two hands are compared.
#[must_use]
pub fn most_in_action(game: &Game, terms: &Terms, wager: &Wager) -> Amount {
    let action = capped(game, terms, core::slice::from_ref(wager)).pop();
    action.filter(|action| !action.returned).map_or(Amount::ZERO, |action| action.amount)
}

/// Below the posted minimum.
pub(super) fn is_small(terms: &Terms, wager: &Wager) -> bool {
    terms.limit(wager.bet).minimum.is_some_and(|minimum| wager.stake < minimum)
}

/// With H on the heavier side, L on the lighter and limit D, the heavier side's action is L + D; wagers
/// below the minimum stay whole and the others share what is left, in whole chips by largest remainder.
fn pro_rata(game: &Game, terms: &Terms, wagers: &[Wager], actions: &mut [InAction]) {
    let (Some(limit), Some((cites, small_cites))) = (terms.differential, &game.limits.pro_rata) else {
        return;
    };
    let side = |wager: &Wager| game.bets.get(wager.bet).and_then(|bet| bet.main);
    let total = |actions: &[InAction], of: Side| -> Amount {
        let on_side = wagers.iter().zip(actions).filter(|(wager, _)| side(wager) == Some(of));
        on_side.filter(|(_, action)| !action.returned).map(|(_, action)| action.amount).sum()
    };
    let (player, banker) = (total(actions, Side::Player), total(actions, Side::Banker));
    let (heavy, heavy_total, light_total) =
        if player > banker { (Side::Player, player, banker) } else { (Side::Banker, banker, player) };
    if heavy_total - light_total <= limit {
        return;
    }
    let allowed = light_total + limit;
    let on_heavy = |at: &usize| wagers.get(*at).and_then(side) == Some(heavy);
    let (exempt, scaled): (Vec<usize>, Vec<usize>) = (0..wagers.len())
        .filter(on_heavy)
        .filter(|at| !actions[*at].returned)
        .partition(|at| !small_cites.is_empty() && is_small(terms, &wagers[*at]));
    let exempt_total: Amount = exempt.iter().map(|at| actions[*at].amount).sum();
    for at in exempt {
        actions[at].cites.extend(small_cites);
    }
    let scaled_total = heavy_total - exempt_total;
    if !scaled_total.is_positive() {
        return;
    }
    let room = if terms.small_wager_makes_room {
        (allowed - exempt_total).max(Amount::ZERO).ratio()
    } else {
        allowed.ratio() * Ratio::new(scaled_total.minor().into(), heavy_total.minor().into())
    };
    let stakes: Vec<Amount> = scaled.iter().map(|at| actions[*at].amount).collect();
    let order: Vec<(u8, usize)> = scaled.iter().map(|at| (wagers[*at].seat, *at)).collect();
    for (at, share) in scaled.into_iter().zip(shares(terms.chip, room, &stakes, &order)) {
        actions[at].amount = share;
        actions[at].cites.extend(cites);
    }
}

/// `room` shared in proportion to `stakes`, in whole chips, so that the shares add up: what is left after
/// rounding down goes chip by chip to the largest remainders, equal ones in the given order.
fn shares(chip: Amount, room: Ratio, stakes: &[Amount], order: &[(u8, usize)]) -> Vec<Amount> {
    let total: Amount = stakes.iter().copied().sum();
    let factor = room * total.ratio().recip();
    let down = |value: Ratio| Amount::floor_to(value, chip).unwrap_or(Amount::ZERO);
    let mut shares: Vec<Amount> = stakes.iter().map(|stake| down(factor * stake.ratio())).collect();
    let remainder = |at: usize| factor * stakes[at].ratio() - shares[at].ratio();
    let mut by_remainder: Vec<usize> = (0..stakes.len()).collect();
    by_remainder.sort_by_key(|at| (Reverse(remainder(*at)), order[*at]));
    let mut left = down(room) - shares.iter().copied().sum();
    for at in by_remainder {
        if left < chip {
            break;
        }
        shares[at] += chip;
        left = left - chip;
    }
    shares
}
