//! The end of a round: the call, the settlement, and what comes next.

use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::irregularity::Irregularity;
use croupier_rules::rulebook::BelowMinimum;
use croupier_rules::setting::Setting;
use croupier_rules::settle::{
    Covered, End, Insured, SettleError, Settled, Wager, settle_insurance, settle_round,
};
use croupier_rules::{Amount, Basis, Family, Rule};

use super::irregular::raise;
use super::next::not_now;
use super::remedy::is_shoe_over;
use super::{Draft, choice, hands, house, shoe};
use crate::actor::PlayerId;
use crate::event::{About, After, Fact, Mark};
use crate::phase::Phase;
use crate::refusal::{Refusal, Why};
use crate::setup::Method;
use crate::table::{Laid, Table};

pub(super) fn call(draft: &mut Draft<'_>, call: Winner) -> Result<(), Refusal> {
    let Some(outcome) = draft.base().round.outcome else { return Err(Why::NoResult.into()) };
    let cards = outcome.winner();
    let settled = draft.base().round.closed.is_some();
    let rules: &[Rule] = match (call == cards, settled) {
        (true, _) => &[Rule::Result],
        (false, false) => &[Rule::WrongCall],
        (false, true) => &[Rule::WrongCall, Rule::PaidOnWrongCall],
    };
    draft.emit_by(Fact::Called { call, cards }, rules);
    Ok(())
}

/// A display only informs; the cards decide.
pub(super) fn display(draft: &mut Draft<'_>, shown: Winner) -> Result<(), Refusal> {
    let Some(outcome) = draft.base().round.outcome else { return Err(Why::NoResult.into()) };
    let cards = outcome.winner();
    let rule = if shown == cards { Rule::Scoreboard } else { Rule::WrongDisplay };
    draft.emit_by(Fact::Displayed { shown, cards }, &[rule]);
    Ok(())
}

pub(super) fn settle(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    if table.phase() != Phase::Result {
        return Err(not_now(table).into());
    }
    match table.setup.family() {
        Family::Baccarat => settle_by_outcome(draft),
        Family::NiuNiu => hands::settle(draft),
    }
}

/// Every wager by the one outcome of the round, once it is ruled how those outside the limits are treated.
fn settle_by_outcome(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    let nothing_scales = table.game().limits.pro_rata.is_none();
    let unruled = !table.round.differential_ruled && !table.round.free;
    if nothing_scales && unruled && table.over_differential().is_some() {
        return raise(draft, Irregularity::DifferentialFound, About::default(), String::new());
    }
    let limits = &table.game().limits;
    let nothing_cuts = limits.below_minimum.is_none() && limits.above_maximum.is_none();
    if nothing_cuts
        && !table.round.limits_ruled
        && table.round.open().any(|(_, laid)| is_outside(table, laid))
    {
        return raise(draft, Irregularity::LimitsFound, About::default(), String::new());
    }
    settle_as_it_lies(draft)
}

/// What the rulebook lets a setting rest on.
fn setting_cites(table: &Table, setting: Setting) -> &[Basis] {
    table.rulebook().setting(setting).map_or(&[], |spec| spec.cites.as_slice())
}

/// Below the posted minimum or above the maximum.
fn is_outside(table: &Table, laid: &Laid) -> bool {
    let limit = table.setup.terms.limit(laid.bet);
    limit.minimum.is_some_and(|minimum| laid.stake < minimum)
        || limit.maximum.is_some_and(|maximum| laid.stake > maximum)
}

/// The wagers by the cards, under the limits.
fn settle_as_it_lies(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    let Some(outcome) = table.round.outcome else { return Err(Why::NoResult.into()) };
    let open: Vec<(usize, &Laid)> = table.round.open().collect();
    let wagers: Vec<Wager> = open.iter().map(|(_, laid)| table.as_wager(laid)).collect();
    let inexact =
        |error: SettleError| Refusal::new(Why::Inexact { error }, setting_cites(table, Setting::Rounding));
    let game = table.game();
    let ending = table.round.ending().unwrap_or_else(|| outcome.into());
    let settled = settle_round(game, &table.setup.terms, ending, &wagers).map_err(inexact)?;
    let insured = settle_insurances(table, &open, &settled)?;
    let all = || settled.iter().chain(insured.iter().map(|(_, settled)| settled));
    check_float(table, all())?;
    // Every wager ends, insurance too, and then the round.
    draft.expect(open.len() + insured.len() + 2);
    for ((wager, laid), settled) in open.iter().zip(settled) {
        let mut cites = settled.cites.clone();
        if settled.commission.is_positive() {
            cites.extend_from_slice(setting_cites(table, Setting::CommissionCollection));
        }
        if settled.rounding != Amount::ZERO {
            cites.extend_from_slice(setting_cites(table, Setting::Rounding));
        }
        cites.extend(choice::settled_cites(draft, laid));
        let counts = settled.end != End::StandOff;
        draft.emit_with(Fact::WagerEnded { wager: *wager, settled, reserve: None }, cites);
        if counts {
            warn_if_small(draft, laid);
        }
    }
    for (insurance, settled) in insured {
        let cites = settled.cites.clone();
        draft.emit_with(Fact::InsuranceEnded { insurance, settled }, cites);
    }
    let device_kept = free_device(draft);
    let mark = if table.round.free { Mark::Free(outcome) } else { Mark::Result(outcome) };
    close_round(draft, mark, device_kept)
}

/// Insurance is settled by the part of the insured wager that was in action.
fn settle_insurances(
    table: &Table,
    open: &[(usize, &Laid)],
    settled: &[Settled],
) -> Result<Vec<(usize, Settled)>, Refusal> {
    let (Some(outcome), Some(lines)) = (table.round.outcome, &table.game().insurance) else {
        return Ok(Vec::new());
    };
    let laid = || table.round.insurances.iter().enumerate().filter(|(_, laid)| laid.ended.is_none());
    let mut holders: Vec<(PlayerId, Side)> = laid().map(|(_, laid)| (laid.player, laid.side)).collect();
    holders.sort_unstable();
    holders.dedup();
    let mut ends = Vec::new();
    for (player, side) in holders {
        let main = |laid: &Laid| laid.player == player && table.main_side(laid.bet) == Some(side);
        let wagers = || open.iter().zip(settled).filter(|((_, laid), _)| main(laid));
        let covered = Covered {
            laid: wagers().map(|((_, laid), _)| laid.stake).sum(),
            in_action: wagers().map(|(_, settled)| settled.in_action).sum(),
        };
        let own: Vec<(usize, _)> =
            laid().filter(|(_, laid)| (laid.player, laid.side) == (player, side)).collect();
        let insurances: Vec<Insured<'_>> = own
            .iter()
            .filter_map(|(_, laid)| Some(Insured { line: lines.lines.get(laid.line)?, stake: laid.stake }))
            .collect();
        let settled = settle_insurance(table.game(), &table.setup.terms, outcome, covered, &insurances)
            .map_err(|error| Refusal::from(Why::Inexact { error }))?;
        ends.extend(own.into_iter().map(|(at, _)| at).zip(settled));
    }
    ends.sort_by_key(|(at, _)| *at);
    Ok(ends)
}

/// The house must be able to pay; if not, chips come first.
pub(super) fn check_float<'s>(
    table: &Table,
    settled: impl Iterator<Item = &'s Settled>,
) -> Result<(), Refusal> {
    let (mut paid, mut collected) = (0, 0);
    for settled in settled {
        paid += i128::from(settled.winnings.minor());
        if table.setup.commission_at_shoe_end {
            paid += i128::from(settled.commission.minor());
        }
        collected += i128::from(settled.collected.minor());
    }
    let needs = paid - collected;
    if needs > i128::from(table.float.minor()) {
        return Err(Why::FloatShort { float: table.float, needs }.into());
    }
    Ok(())
}

/// A wager below the minimum is settled once; the player is remembered.
pub(super) fn warn_if_small(draft: &mut Draft<'_>, laid: &Laid) {
    let table = draft.base();
    let minimum = table.setup.terms.limit(laid.bet).minimum;
    let small = minimum.is_some_and(|minimum| laid.stake < minimum);
    let once = matches!(table.game().limits.below_minimum, Some((BelowMinimum::Once, _)));
    let known = table.player(laid.player).is_some_and(|player| player.warned);
    if small && once && !known {
        let cites = table.game().limits.below_minimum.as_ref().map(|(_, cites)| cites.clone());
        draft.emit(Fact::Warned { player: laid.player }, &cites.unwrap_or_default());
    }
}

/// Who loses the wager loses the device; what it rests on if it is kept although one has lost.
fn free_device(draft: &mut Draft<'_>) -> &'static [Rule] {
    let table = draft.base();
    let (Some(Method::C), Some(player), Some(ending)) =
        (table.round.method, table.device, table.round.ending())
    else {
        return &[];
    };
    let own: Vec<&Laid> = table.round.lying().filter(|laid| laid.player == player).collect();
    let lost = |laid: &&Laid| {
        let line = table.game().bets.get(laid.bet).and_then(|bet| bet.pays.line(ending));
        line.is_some_and(|line| line.payoff == croupier_rules::Payoff::Lose)
    };
    let main: Vec<&Laid> = own.iter().copied().filter(|laid| table.main_side(laid.bet).is_some()).collect();
    let loses = if main.is_empty() { !own.is_empty() && own.iter().all(lost) } else { main.iter().all(lost) };
    if loses {
        draft.emit_by(Fact::DeviceFree { player }, &[Rule::DeviceLost]);
    } else if main.iter().any(lost) {
        return &[Rule::DeviceBothHands];
    }
    &[]
}

/// The round is on the board; then the next one, the choice of a shoe, or its end.
pub(super) fn close_round(draft: &mut Draft<'_>, mark: Mark, beside: &[Rule]) -> Result<(), Refusal> {
    // Nothing in a settlement changes the shoe or what it carries over.
    let table = draft.base();
    let over = is_shoe_over(table);
    let next_seen = table.round.next_seen;
    let after = shoe::after_round(table, over);
    let leftover = over && !table.next.carried.is_empty();
    let rules: &[Rule] = match mark {
        Mark::Free(_) => &[Rule::Scoreboard, Rule::FreeOnBoard, Rule::FreeHand],
        Mark::Result(_) | Mark::Void | Mark::Played => &[Rule::Scoreboard],
    };
    draft.emit_by(Fact::RoundClosed { mark, after }, &[rules, beside].concat());
    // With nobody to choose the choice is over at once.
    if after == After::ShoeOption {
        shoe::close_if_all_chose(draft);
    }
    if over {
        house::collect_commission(draft);
    }
    if leftover {
        draft.emit_by(Fact::SurplusDiscarded, &[Rule::NoHandAfterLast]);
    } else if next_seen && !over {
        return raise(draft, Irregularity::NextCardSeen, About::default(), String::new());
    }
    Ok(())
}
