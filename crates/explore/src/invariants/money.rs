//! Money: none is lost, stakes are split as settlements say, and what is void or withdrawn moves none.

use std::collections::BTreeMap;

use croupier_rules::baccarat::Side;
use croupier_rules::settle::{End, Settled};
use croupier_rules::{Amount, Payoff};
use croupier_table::event::Mark;
use croupier_table::table::Laid;
use croupier_table::{Event, Fact, PlayerId, Table};

fn minor(amount: Amount) -> i128 {
    amount.minor().into()
}

/// All the money at a table.
fn all(table: &Table) -> i128 {
    let players: i128 = table.players.iter().map(|player| minor(player.chips)).sum();
    let open = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
    let wagers: i128 = open.map(|laid| minor(laid.stake) + minor(laid.reserve)).sum();
    let insured = table.round.insurances.iter().filter(|laid| laid.ended.is_none());
    let insured: i128 = insured.map(|laid| minor(laid.stake)).sum();
    players + wagers + insured + minor(table.float) + minor(table.drop) + minor(table.tips)
}

/// 3: money comes and goes by the cage alone, and nobody has less than nothing.
pub(super) fn is_conserved(before: &Table, events: &[Event], after: &Table) -> Option<String> {
    let mut brought = 0;
    for event in events {
        match &event.fact {
            Fact::Filled { amount, .. } | Fact::BoughtIn { amount, .. } => brought += minor(*amount),
            Fact::Credited { amount, .. } | Fact::DropCounted { amount } | Fact::TipsPaid { amount } => {
                brought -= minor(*amount);
            }
            Fact::Left { chips, .. } => brought -= minor(*chips),
            _ => {}
        }
    }
    let (had, has) = (all(before) + brought, all(after));
    let below = after.players.iter().any(|player| player.chips.minor() < 0) || after.float.minor() < 0;
    if had != has {
        Some(format!("{had} at the table have become {has}"))
    } else {
        below.then(|| "somebody has less than nothing".to_string())
    }
}

/// A wager that an event ends: its stake, and how.
fn ends<'e>(before: &Table, events: &'e [Event]) -> Vec<(Amount, &'e Settled, Option<usize>)> {
    let stake = |at: &usize| before.round.wagers.get(*at).map(|laid| laid.stake);
    let insured = |at: &usize| before.round.insurances.get(*at).map(|laid| laid.stake);
    events
        .iter()
        .filter_map(|event| match &event.fact {
            Fact::WagerEnded { wager, settled, .. } => Some((stake(wager)?, settled, Some(*wager))),
            Fact::InsuranceEnded { insurance, settled } => Some((insured(insurance)?, settled, None)),
            _ => None,
        })
        .collect()
}

/// 3: stake = collected + returned, and winnings only with the stake returned; a wager ends once.
pub(super) fn a_stake_is_collected_or_returned(before: &Table, events: &[Event]) -> Option<String> {
    for (stake, settled, wager) in ends(before, events) {
        let Settled { end, in_action, collected, returned, winnings, .. } = settled;
        let whole = stake == *collected + *returned && *in_action <= stake;
        let signs = [in_action, collected, returned, winnings].iter().all(|amount| amount.minor() >= 0);
        let paid = winnings.minor() == 0 || *returned == stake;
        let as_told = match end {
            End::Win => *returned == stake,
            End::Lose => collected == in_action,
            End::StandOff | End::Returned => collected.minor() == 0 && winnings.minor() == 0,
        };
        if !(whole && signs && paid && as_told) {
            return Some(format!("a stake of {stake} ends as {end:?} in other parts"));
        }
        let again = wager.and_then(|at| before.round.wagers.get(at)).is_some_and(|laid| laid.ended.is_some());
        if again {
            return Some("a wager ends twice".to_string());
        }
    }
    None
}

/// Whether everything of a round went back whole.
fn is_all_back(after: &Table) -> bool {
    let whole = |stake: Amount, settled: Option<&Settled>| {
        settled.is_some_and(|settled| settled.end == End::Returned && settled.returned == stake)
    };
    let wager = |laid: &Laid| {
        let lost = laid
            .ended
            .as_ref()
            .and_then(|(_, reserve)| reserve.as_ref())
            .map_or(0, |reserve| minor(reserve.lost));
        whole(laid.stake, laid.ended.as_ref().map(|(settled, _)| settled)) && lost == 0
    };
    after.round.wagers.iter().all(wager)
        && after.round.insurances.iter().all(|laid| whole(laid.stake, laid.ended.as_ref()))
}

/// 2: a void round and a Free Hand move no money.
pub(super) fn a_void_round_moves_none(events: &[Event], after: &Table) -> Option<String> {
    let void = events.iter().any(|event| {
        matches!(event.fact, Fact::RoundClosed { mark: Mark::Void | Mark::Free(_), .. })
            || matches!(event.fact, Fact::BettingAbandoned)
    });
    (void && !is_all_back(after)).then(|| "a round without a result has moved money".to_string())
}

/// 2: who withdraws has open wagers back whole, and nobody else's are touched.
pub(super) fn a_withdrawal_gives_back(before: &Table, events: &[Event], after: &Table) -> Option<String> {
    let closes = events.iter().any(|event| matches!(event.fact, Fact::OptionClosed));
    let all_back = events.iter().any(|event| {
        matches!(event.fact, Fact::TurnedFree | Fact::RoundClosed { .. } | Fact::BettingAbandoned)
    });
    if !closes || all_back {
        return None;
    }
    let hold = before.hold.as_ref()?;
    let mut withdrew: Vec<PlayerId> =
        hold.answers.iter().filter(|(_, answer)| *answer == Some(true)).map(|(player, _)| *player).collect();
    for event in events {
        if let Fact::Answered { player, withdraw: true } = &event.fact {
            withdrew.push(*player);
        }
    }
    for (was, is) in before.round.wagers.iter().zip(after.round.wagers.iter()) {
        let Some((settled, _)) = is.ended.as_ref().filter(|_| was.ended.is_none()) else { continue };
        if !withdrew.contains(&is.player) {
            return Some("a wager went back whose player stayed".to_string());
        }
        if settled.end != End::Returned || settled.returned != is.stake {
            return Some("a withdrawn wager did not go back whole".to_string());
        }
    }
    None
}

/// 4 to 8, 12: a wager that the cards settle ends as the line of its bet says.
pub(super) fn wagers_end_by_their_lines(before: &Table, events: &[Event]) -> Option<String> {
    let settles =
        events.iter().any(|event| matches!(event.fact, Fact::RoundClosed { mark: Mark::Result(_), .. }));
    let outcome = before.round.outcome.filter(|_| settles)?;
    for (_, settled, wager) in ends(before, events) {
        let laid = wager.and_then(|at| before.round.wagers.get(at));
        let bet = laid.and_then(|laid| before.game().bets.get(laid.bet));
        let Some(column) = bet.and_then(|bet| bet.pays.by_class()) else { continue };
        let payoff = column.line(outcome.index()).map(|line| line.payoff);
        let agrees = match (settled.end, payoff) {
            (End::Win, Some(Payoff::Win { .. }))
            | (End::Lose, Some(Payoff::Lose))
            | (End::StandOff, Some(Payoff::Push))
            | (End::Returned, Some(_)) => true,
            (End::Win | End::Lose | End::StandOff | End::Returned, _) => false,
        };
        if !agrees {
            return Some(format!("{} ends as {:?}", bet.map_or("", |bet| bet.id.as_str()), settled.end));
        }
    }
    None
}

/// 9: a window for insurance has one hand, and a card to come.
pub(super) fn a_window_has_one_hand(after: &Table) -> Option<String> {
    let window = after.round.window?;
    let Some(insurance) = &after.game().insurance else {
        return Some("a window without a table of insurance".to_string());
    };
    if after.round.outcome.is_some() || after.round.closed.is_some() {
        return Some("a window after the result".to_string());
    }
    let seen = after.round.seen();
    let (player, banker) = (seen.points(Side::Player), seen.points(Side::Banker));
    let matching: Vec<usize> = insurance
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.matches(window.stage, player, banker))
        .map(|(at, _)| at)
        .collect();
    let due = seen.due().is_some();
    (matching != [window.line] || !due).then(|| format!("a window for {player} and {banker} on another line"))
}

/// 9: insurance wins no more than the wager it insures.
pub(super) fn insurance_wins_no_more(events: &[Event], after: &Table) -> Option<String> {
    if !events.iter().any(|event| matches!(event.fact, Fact::InsuranceEnded { .. })) {
        return None;
    }
    let mut won: BTreeMap<(PlayerId, Side), i128> = BTreeMap::new();
    for laid in &after.round.insurances {
        let winnings = laid.ended.as_ref().map_or(0, |settled| minor(settled.winnings));
        *won.entry((laid.player, laid.side)).or_default() += winnings;
    }
    let insured = |player: PlayerId, side: Side| -> i128 {
        let main = after.round.wagers.iter().filter(|laid| laid.player == player);
        main.filter(|laid| after.main_side(laid.bet) == Some(side)).map(|laid| minor(laid.stake)).sum()
    };
    let over = won.into_iter().any(|((player, side), won)| won > insured(player, side));
    over.then(|| "an insurance has won more than it insures".to_string())
}

/// 10: unless the round is a tie, what is in action on the two hands differs by no more than the differential, but for
/// small wagers; or somebody has ruled on it.
pub(super) fn the_differential_is_kept(events: &[Event], after: &Table) -> Option<String> {
    let settled = events.iter().any(|event| {
        matches!(&event.fact, Fact::RoundClosed { mark: Mark::Result(outcome), .. } if outcome.margin() > 0)
    });
    let limit = minor(after.setup.terms.differential?);
    if !settled || after.round.differential_ruled {
        return None;
    }
    let (mut action, mut small) = ([0_i128; 2], 0_i128);
    for laid in after.round.wagers.iter() {
        let (Some(side), Some((settled, _))) = (after.main_side(laid.bet), &laid.ended) else { continue };
        if settled.end == End::Returned {
            continue;
        }
        let in_action = minor(settled.in_action);
        action[usize::from(side == Side::Banker)] += in_action;
        let minimum = after.setup.terms.limit(laid.bet).minimum.map_or(0, minor);
        small += if minor(laid.stake) < minimum { in_action } else { 0 };
    }
    let gap = (action[0] - action[1]).abs();
    (gap > limit + small).then(|| format!("{gap} more in action on one hand, with a differential of {limit}"))
}
