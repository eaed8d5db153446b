//! The players' choice before a ruling is carried out: who has it, what they answer, and what follows from that.

use croupier_rules::irregularity::{AllWithdraw, Irregularity, Ruling};
use croupier_rules::{Basis, Remedy, Rule};

use super::irregular::{on_hold, rulings};
use super::{Draft, present, remedy, squeeze, wagers};
use crate::actor::PlayerId;
use crate::command::RulingMade;
use crate::event::Fact;
use crate::possible::Possible;
use crate::refusal::{Refusal, Why};
use crate::table::{Hold, Laid, Stage, Table};

/// The players with a wager that the cards people see do not decide.
pub(super) fn concerned(table: &Table) -> Vec<PlayerId> {
    let mut players: Vec<PlayerId> = undecided(table).into_iter().map(|(_, laid)| laid.player).collect();
    players.sort_unstable();
    players.dedup();
    players
}

/// Wagers that are still open. Cards that a ruling discards decide nothing.
pub(crate) fn undecided(table: &Table) -> Vec<(usize, Laid)> {
    let open = table.round.open().map(|(at, laid)| (at, laid.clone()));
    let ruling = table.hold.as_ref().and_then(|hold| hold.ruling.as_ref());
    let resets = ruling.is_some_and(|made| made.remedy == Remedy::Reset);
    if table.round.draws.is_empty() || resets || is_order_in_doubt(table) {
        return open.collect();
    }
    let possible = Possible::of(&table.round);
    let bets = &table.game().bets;
    open.filter(|(_, laid)| bets.get(laid.bet).is_some_and(|bet| !possible.decides(bet))).collect()
}

/// Whether it was told that cards lie in the wrong order, and not which: none of them then counts as dealt as it should be.
fn is_order_in_doubt(table: &Table) -> bool {
    let told = |hold: &Hold| hold.irregularity == Irregularity::WrongOrder && !hold.found;
    table.hold.iter().flat_map(Hold::all).any(told)
}

pub(super) fn answer(draft: &mut Draft<'_>, player: PlayerId, withdraw: bool) -> Result<(), Refusal> {
    let table = draft.base();
    present(table, player)?;
    let Some(hold) = &table.hold else { return Err(Why::NothingOnHold.into()) };
    if is_suspended(hold) {
        return Err(on_hold(hold).into());
    }
    if !is_asked(hold, player) {
        return Err(no_choice(draft, hold, player));
    }
    let withdrawal = waiting(table).and_then(|(ruling, _)| ruling.withdrawal);
    let cites = withdrawal.map(|withdrawal| withdrawal.answer(withdraw)).unwrap_or_default();
    draft.emit(Fact::Answered { player, withdraw }, &cites);
    let now = draft.now();
    let open = now.hold.iter().flat_map(|hold| &hold.answers).any(|(_, answer)| answer.is_none());
    if open { Ok(()) } else { end_window(draft) }
}

/// Whether a player is to answer, and has not.
pub(crate) fn is_asked(hold: &Hold, player: PlayerId) -> bool {
    hold.answers.iter().any(|(known, answer)| *known == player && answer.is_none())
}

/// Whether players are asked about a ruling.
pub(crate) fn has_window(hold: &Hold) -> bool {
    hold.ruling.is_some() && !hold.answers.is_empty()
}

/// Whether players were asked, and something else was found since that is decided first.
fn is_suspended(hold: &Hold) -> bool {
    let asks = |hold: &Hold| hold.answers.iter().any(|(_, answer)| answer.is_none());
    hold.ruling.is_none() && hold.all().skip(1).any(asks)
}

/// What it rests on that a wager is settled although its player was given a choice: who stayed goes on by the clause that
/// says so, and what the cards had decided was not to be withdrawn.
pub(super) fn settled_cites(draft: &Draft<'_>, laid: &Laid) -> Vec<Basis> {
    let table = draft.base();
    let mut cites = Vec::new();
    for choice in &table.round.choices {
        let answer = choice.answers.iter().find(|(player, _)| *player == laid.player);
        match answer {
            Some((_, true)) => cites.extend(draft.cites(&[Rule::DecidedStay])),
            // Nobody else was left out.
            None if choice.ruling.only.is_empty() => cites.extend(draft.cites(&[Rule::DecidedStay])),
            None => {}
            Some((_, false)) => {
                let ruling = ruled(table, choice.irregularity, &choice.ruling);
                let withdrawal = ruling.and_then(|ruling| ruling.withdrawal);
                cites.extend(withdrawal.map(|withdrawal| withdrawal.stay).unwrap_or_default());
            }
        }
    }
    cites
}

/// Why a player has nothing to answer.
fn no_choice(draft: &Draft<'_>, hold: &Hold, player: PlayerId) -> Refusal {
    let table = draft.base();
    let own = |laid: &Laid| laid.player == player;
    let (because, rule) = if hold.answers.is_empty() {
        ("no choice is open", None)
    } else if hold.answers.iter().any(|(known, _)| *known == player) {
        ("the player has answered", None)
    } else if undecided(table).iter().any(|(_, laid)| own(laid)) {
        ("the ruling gives the choice to others, and says why", Some(Rule::NamedPlayers))
    } else if table.round.open().any(|(_, laid)| own(laid)) {
        ("the cards have decided what the player has laid", Some(Rule::DecidedStay))
    } else {
        ("the player has no wager in the round", None)
    };
    let mut cites = window_cites(table);
    cites.extend(rule.into_iter().flat_map(|rule| draft.cites(&[rule])));
    Refusal::new(Why::NoChoice { because }, &cites)
}

pub(super) fn close_window(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    match &draft.base().hold {
        Some(hold) if has_window(hold) => end_window(draft),
        Some(hold) if is_suspended(hold) => Err(on_hold(hold).into()),
        Some(_) | None => Err(Why::NothingOnHold.into()),
    }
}

/// The ruling that waits for answers.
pub(crate) fn waiting(table: &Table) -> Option<(Ruling, RulingMade)> {
    let hold = table.hold.as_ref()?;
    let made = hold.ruling.clone()?;
    let ruling = ruled(table, hold.irregularity, &made)?;
    Some((ruling, made))
}

/// The ruling of the rulebook that was made.
fn ruled(table: &Table, irregularity: Irregularity, made: &RulingMade) -> Option<Ruling> {
    let (_, found) = rulings(table, irregularity);
    let fits = |ruling: &&&Ruling| {
        ruling.remedy == made.remedy && ruling.withdrawal.is_some() == made.with_withdrawal
    };
    found.iter().find(fits).map(|ruling| (*ruling).clone())
}

fn window_cites(table: &Table) -> Vec<Basis> {
    let waiting = waiting(table).and_then(|(ruling, _)| ruling.withdrawal);
    waiting.map(|withdrawal| withdrawal.cites).unwrap_or_default()
}

/// The option window has closed: withdrawn wagers are returned, then the ruling is carried out.
fn end_window(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.now();
    let Some((ruling, made)) = waiting(table) else { return Err(Why::NothingOnHold.into()) };
    let answers = table.hold.as_ref().map(|hold| hold.answers.clone()).unwrap_or_default();
    let withdrawn: Vec<PlayerId> =
        answers.iter().filter(|(_, answer)| *answer == Some(true)).map(|(player, _)| *player).collect();
    let open = undecided(table);
    let insurances: Vec<(usize, croupier_rules::Amount)> = table
        .round
        .insurances
        .iter()
        .enumerate()
        .filter(|(_, laid)| laid.ended.is_none() && withdrawn.contains(&laid.player))
        .map(|(at, laid)| (at, laid.stake))
        .collect();
    let withdrawal = ruling.withdrawal.clone();
    let cites = withdrawal.as_ref().map(|withdrawal| withdrawal.cites.clone()).unwrap_or_default();
    let leaving = withdrawal.as_ref().map(|withdrawal| withdrawal.answer(true)).unwrap_or_default();
    // Whoever has a wager left in the round, decided or not, has not withdrawn.
    let leaves = |at: &usize, laid: &Laid| {
        withdrawn.contains(&laid.player) && open.iter().any(|(undecided, _)| undecided == at)
    };
    let all = !withdrawn.is_empty() && table.round.open().all(|(at, laid)| leaves(&at, laid));
    draft.emit(Fact::OptionClosed, &cites);
    if all && withdrawal.is_some_and(|withdrawal| withdrawal.if_all == AllWithdraw::VoidAndReplace) {
        let shoe = croupier_rules::irregularity::ShoeFate::Replace;
        return remedy::void(draft, &Ruling { shoe, ..ruling });
    }
    for (at, laid) in open.iter().filter(|(_, laid)| withdrawn.contains(&laid.player)) {
        wagers::return_wager(draft, *at, laid, &leaving);
    }
    for (insurance, stake) in insurances {
        let settled = croupier_rules::settle::Settled::returned(stake, leaving.clone());
        draft.emit(Fact::InsuranceEnded { insurance, settled }, &leaving);
    }
    for player in &withdrawn {
        let has_more = draft.now().round.open().any(|(_, laid)| laid.player == *player);
        if !has_more {
            squeeze::hand_on(draft, *player);
        }
    }
    // While betting is open, who withdrew may bet again.
    let turns_free = draft.now().stage == Stage::Playing && draft.base().has_free_hands();
    if all && turns_free && made.remedy != Remedy::Reset {
        draft.emit_by(Fact::TurnedFree, &[Rule::FreeHand, Rule::NobodyStays]);
    }
    remedy::carry_out(draft, &ruling, &made)
}
