//! Insurance: when it is due, offered, taken, passed up, missed, switched off.

use croupier_rules::baccarat::Side;
use croupier_rules::baccarat::insurance::{InsuranceEnd, Line, Stage as Window};
use croupier_rules::entry::check_chips;
use croupier_rules::setting::Setting;
use croupier_rules::settle::{Cap, most_in_action, whole_units};
use croupier_rules::{Amount, Power, Rule};

use super::draft::{Against, Checked};
use super::{Draft, present};
use crate::actor::PlayerId;
use crate::certain::certain;
use crate::event::Fact;
use crate::refusal::{Refusal, Why};
use crate::setup::Lapse;
use crate::table::{InsuranceWindow, Laid, Stage, Table};

/// The line that matches the cards people see, if the window for it is still to come.
pub(crate) fn matching(table: &Table) -> Option<(Window, usize, &Line)> {
    let insurance = table.game().insurance.as_ref().filter(|_| table.insurance_on)?;
    insurance.offer(&table.round.seen())
}

const fn place(window: Window) -> usize {
    match window {
        Window::FourCards => 0,
        Window::PlayerThird => 1,
    }
}

/// Who may take an insurance: a wager on the hand, and not passed up.
pub(crate) fn eligible(table: &Table, side: Side) -> impl Iterator<Item = PlayerId> {
    let main = move |laid: &&Laid| table.main_side(laid.bet) == Some(side) && laid.ended.is_none();
    table
        .round
        .wagers
        .iter()
        .filter(main)
        .map(|laid| laid.player)
        .filter(|player| !table.round.lapsed.contains(player))
}

/// After the cards: an insurance falls due.
pub(super) fn due(draft: &mut Draft<'_>) {
    let table = draft.now();
    let round = &table.round;
    if round.free || round.window.is_some() {
        return;
    }
    let Some((stage, line, found)) = matching(table) else { return };
    let waived = stage == Window::PlayerThird && round.banker_first;
    if waived || round.windows_over[place(stage)] || eligible(table, found.side).next().is_none() {
        return;
    }
    let cites = found.cites.clone();
    draft.emit(Fact::InsuranceDue { stage, line }, &cites);
}

/// The next card ends the window: offered or not.
pub(super) fn next_card(draft: &mut Draft<'_>) {
    let Some(window) = draft.now().round.window else { return };
    if window.offered {
        close_window(draft, window);
    } else {
        draft.emit_by(Fact::InsuranceMissed { stage: window.stage }, &[Rule::InsuranceOffer]);
    }
}

fn close_window(draft: &mut Draft<'_>, window: InsuranceWindow) {
    let table = draft.now();
    let side = line(table, window.line).map_or(Side::Banker, |line| line.side);
    let took = |player: PlayerId| {
        let mut laid = table.round.insurances.iter();
        laid.any(|laid| laid.player == player && laid.line == window.line)
    };
    // Who could not have taken any has not passed it up.
    let could = |player: PlayerId| {
        line(table, window.line).is_some_and(|line| Room::of(table, line, player).full.is_none())
    };
    let passed = |player: &PlayerId| !took(*player) && could(*player);
    let mut forgone: Vec<PlayerId> = eligible(table, side).filter(passed).collect();
    forgone.dedup();
    if table.setup.lapse == Lapse::Window {
        forgone.clear();
    }
    let rules: &[Rule] = if forgone.is_empty() { &[] } else { &[Rule::InsuranceForgone] };
    draft.emit_by(Fact::InsuranceClosed { forgone }, rules);
}

pub(crate) fn line(table: &Table, at: usize) -> Option<&Line> {
    table.game().insurance.as_ref().and_then(|insurance| insurance.lines.get(at))
}

/// The window that is open, with its line.
pub(crate) fn offered_line(table: &Table) -> Option<(InsuranceWindow, &Line)> {
    let window = table.round.window.filter(|window| window.offered && table.stage == Stage::Playing)?;
    Some((window, line(table, window.line)?))
}

pub(super) fn offer(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    match table.round.window {
        Some(window) if window.offered => Err(Why::Already.into()),
        Some(window) => {
            offered(draft, window.stage, window.line, &[]);
            Ok(())
        }
        None if !table.insurance_on => {
            draft.refuse(Why::InsuranceOff, &[Rule::InsuranceArea, Rule::InsuranceSign])
        }
        None => {
            Err(Why::NotNow { phase: table.phase(), instead: "the cards must call for insurance" }.into())
        }
    }
}

fn offered(draft: &mut Draft<'_>, stage: Window, at: usize, also: &[croupier_rules::Basis]) {
    let Some(found) = line(draft.base(), at) else { return };
    let mut cites = draft.cites(&[Rule::InsuranceOffer, Rule::InsuranceMarker]);
    cites.extend(&found.cites);
    cites.extend(also);
    let fact = Fact::InsuranceOffered { stage, line: at, side: found.side, odds: found.odds };
    draft.emit(fact, &cites);
}

pub(super) fn insure(
    draft: &mut Draft<'_>,
    player: PlayerId,
    side: Side,
    amount: Amount,
) -> Result<(), Refusal> {
    let table = draft.base();
    let chips = present(table, player)?.chips;
    if !table.insurance_on {
        return draft.refuse(Why::InsuranceOff, &[Rule::InsuranceArea, Rule::InsuranceSign]);
    }
    let has_main =
        table.round.open().any(|(_, laid)| laid.player == player && table.main_side(laid.bet) == Some(side));
    // Who has forgone it has none this round, whether the offer stands for others or not.
    if has_main && table.stage == Stage::Playing && table.round.lapsed.contains(&player) {
        return draft.refuse(Why::InsuranceForgone, &[Rule::InsuranceForgone]);
    }
    let Some((window, found)) = offered_line(table).filter(|(_, found)| found.side == side) else {
        if table.round.banker_first && table.stage == Stage::Playing {
            let cites = table.rulebook().power(Power::BankerFirst).map(|rule| rule.cites.clone());
            return Err(Refusal::new(Why::InsuranceWaived, &cites.unwrap_or_default()));
        }
        let mut rules = vec![Rule::InsuranceOffer];
        if is_decided_on_a_line(table, side) {
            rules.push(Rule::InsuranceNeedsCard);
        }
        return draft.refuse(Why::NotInsurable { side }, &rules);
    };
    if !has_main {
        return draft.refuse(Why::NothingToInsure { side }, &[Rule::InsuranceWager]);
    }
    let terms = &table.setup.terms;
    check_chips(table.game(), terms, amount)?;
    if let Some(minimum) = terms.insurance_minimum.filter(|minimum| amount < *minimum) {
        let cites = table.rulebook().setting(Setting::InsuranceMinimum).map(|spec| spec.cites.clone());
        return Err(Refusal::new(Why::InsuranceBelowMinimum { minimum }, &cites.unwrap_or_default()));
    }
    if let Some(refusal) = check_room(draft, found, player) {
        return Err(refusal);
    }
    if amount > chips {
        return Err(Why::NotEnoughChips { available: chips }.into());
    }
    let needs = cover_with(table, found, player);
    if needs > i128::from(table.float.minor()) {
        return Err(Why::FloatShort { float: table.float, needs }.into());
    }
    let fact = Fact::Insured { player, line: window.line, side, amount };
    draft.emit_by(fact, &[Rule::InsuranceOffer]);
    Ok(())
}

/// The refusal of an insurance of which nothing would count.
fn check_room(draft: &Draft<'_>, line: &Line, player: PlayerId) -> Option<Refusal> {
    let room = Room::of(draft.base(), line, player);
    let rule = room.full?;
    let returned = if room.insured.is_zero() { Some(Rule::InsuredAmount) } else { None };
    let rules: Vec<Rule> = [rule].into_iter().chain(returned).collect();
    Some(Refusal { why: Why::InsuranceFull { side: line.side }, cites: draft.cites(&rules) })
}

/// The open counts are those of a line on that hand, and no card is due any more.
fn is_decided_on_a_line(table: &Table, side: Side) -> bool {
    let (seen, Some(insurance)) = (table.round.seen(), &table.game().insurance) else { return false };
    let stage = match seen.draws().len() {
        4 => Window::FourCards,
        5 => Window::PlayerThird,
        _ => return false,
    };
    let (player, banker) = (seen.points(Side::Player), seen.points(Side::Banker));
    let mut lines = insurance.lines.iter().filter(|line| line.side == side);
    table.stage == Stage::Playing
        && seen.due().is_none()
        && lines.any(|line| line.matches(stage, player, banker))
}

/// What a player may still insure on a line, by the same order as at settlement. There the wager is what the
/// differential leaves of it, which nobody knows before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Room {
    /// The wager on the hand, cut to its maximum; nothing if it will be returned.
    pub(crate) insured: Amount,
    /// What earlier insurances that pay in the same event leave of it.
    pub(crate) uncovered: Amount,
    /// The most that still counts, in whole chips; what is laid above it goes back at settlement.
    pub(crate) most: Amount,
    /// Whether anything at all would count, and if not, what stands against it.
    pub(crate) full: Option<Rule>,
}

impl Room {
    pub(crate) fn of(table: &Table, line: &Line, player: PlayerId) -> Self {
        let terms = &table.setup.terms;
        let wagers = table.round.open().filter(|(_, laid)| laid.player == player);
        let insured: Amount = wagers
            .filter(|(_, laid)| table.main_side(laid.bet) == Some(line.side))
            .map(|(_, laid)| most_in_action(table.game(), terms, &table.as_wager(laid)))
            .sum();
        let mut cap = Cap::new(insured.ratio());
        let mut counted: Vec<(&Line, Amount)> = Vec::new();
        let laid = table.round.insurances.iter().filter(|laid| laid.ended.is_none());
        for laid in laid.filter(|laid| (laid.player, laid.side) == (player, line.side)) {
            let Some(earlier) = self::line(table, laid.line) else { continue };
            let stake = house_room(table, earlier, &counted).map_or(laid.stake, |room| laid.stake.min(room));
            counted.push((earlier, stake));
            let _ = cap.count(earlier, stake.ratio());
        }
        let left = cap.left(line);
        let by_wager = left * line.odds.ratio().recip();
        let house = house_room(table, line, &counted);
        let counts = house.map_or(by_wager, |house| by_wager.min(house.ratio()));
        let full = if whole_units(by_wager).is_zero() {
            Some(Rule::InsuranceCap)
        } else {
            whole_units(counts).is_zero().then_some(Rule::InsuranceHouseLimit)
        };
        Self {
            insured,
            uncovered: whole_units(left),
            most: certain(Amount::floor_to(counts.min(Amount::MAX.ratio()), terms.chip), "no amount is left"),
            full,
        }
    }
}

/// What the house's limit leaves at the odds of a line: it is for all that a player lays at these odds.
fn house_room(table: &Table, line: &Line, counted: &[(&Line, Amount)]) -> Option<Amount> {
    let (_, limit) = table.setup.terms.insurance_limits.iter().find(|(odds, _)| *odds == line.odds)?;
    let before: Amount =
        counted.iter().filter(|(earlier, _)| earlier.odds == line.odds).map(|(_, stake)| *stake).sum();
    Some(*limit - before)
}

/// What the house could lose with this insurance: it pays the insured wager at most, beside whatever else
/// the same outcome costs.
pub(crate) fn cover_with(table: &Table, line: &Line, player: PlayerId) -> i128 {
    let insured = |player: PlayerId, side: Side| -> i128 {
        let open = table.round.open().filter(|(_, laid)| laid.player == player);
        open.filter(|(_, laid)| table.main_side(laid.bet) == Some(side))
            .map(|(_, laid)| i128::from(laid.stake.minor()))
            .sum()
    };
    let mut holders: Vec<(PlayerId, Side)> =
        table.round.insurances.iter().map(|laid| (laid.player, laid.side)).collect();
    holders.push((player, line.side));
    holders.sort_unstable();
    holders.dedup();
    // An insurance that pays on a loss is covered by the wager that is lost; one that pays on a tie is not.
    let pays_on_tie = |(player, side): &(PlayerId, Side)| {
        let lines = table.round.insurances.iter().filter(|laid| laid.player == *player && laid.side == *side);
        let mut lines = lines.filter_map(|laid| self::line(table, laid.line)).chain([line]);
        lines.any(|line| line.end_on_tie() == InsuranceEnd::Win)
    };
    let uncovered: i128 = holders
        .iter()
        .filter(|holder| pays_on_tie(holder))
        .map(|(player, side)| insured(*player, *side))
        .sum();
    table.setup.cover.most(&table.round.liability).max(0) + uncovered
}

pub(super) fn close(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    match table.round.window {
        Some(window) if window.offered => {
            close_window(draft, window);
            Ok(())
        }
        Some(_) | None => {
            Err(Why::NotNow { phase: table.phase(), instead: "insurance must be offered" }.into())
        }
    }
}

/// The offer that was missed and can still be made, with the place of its line.
pub(crate) fn missed(table: &Table) -> Option<(Window, usize)> {
    let due = table.round.window.is_some_and(|window| !window.offered);
    let is_late = table.stage == Stage::Playing && (table.round.missed || due);
    let (stage, at, line) = matching(table).filter(|_| is_late)?;
    let may = eligible(table, line.side).next().is_some() && !table.is_established();
    may.then_some((stage, at))
}

/// A missed offer is made good while the outcome is open, at the odds of the cards as they lie.
pub(super) fn permit(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = draft.granted.clone();
    let (stage, at) = missed(table).ok_or_else(|| Refusal::new(Why::NothingMissed, &cites))?;
    offered(draft, stage, at, &cites);
    Ok(())
}

/// Whether insurance can be switched: at a table that has it, between two rounds.
pub(crate) fn check_switch(table: &Table) -> Checked {
    if !table.setup.insurance {
        return Err(Against::Why(Why::InsuranceOff, &[Rule::InsuranceArea]));
    }
    match table.stage {
        Stage::Betting { .. } | Stage::Playing => Err(Against::NotNow("finish the round")),
        Stage::Shoe | Stage::Ready | Stage::ShoeOption | Stage::ShoeEnd | Stage::Closed => Ok(()),
    }
}

pub(super) fn switch(draft: &mut Draft<'_>, on: bool, asked_by: PlayerId) -> Result<(), Refusal> {
    let table = draft.base();
    let mut cites = draft.granted.clone();
    let checked = check_switch(table);
    if table.setup.insurance && table.player(asked_by).is_none() {
        return Err(Why::NoSuchPlayer { player: asked_by }.into());
    }
    if table.setup.insurance && table.insurance_on == on {
        return Err(Why::Already.into());
    }
    draft.pass(checked).map_err(|refusal| {
        let not_now = matches!(refusal.why, Why::NotNow { .. });
        if not_now { Refusal::new(refusal.why, &cites) } else { refusal }
    })?;
    cites.extend(draft.cites(&[Rule::InsuranceSign]));
    draft.emit(Fact::InsuranceSwitched { on, asked_by }, &cites);
    Ok(())
}

/// Whether the Banker draws whatever comes, and nobody has seen a third card.
pub(crate) fn may_show_banker_first(table: &Table) -> bool {
    let round = &table.round;
    if table.stage != Stage::Playing || round.draws.len() < 4 || round.banker_first {
        return false;
    }
    let initial_open = round.draws.iter().take(4).all(|dealt| dealt.exposed && dealt.card.is_some());
    let initial = round.deal.after(4);
    let draws_anyway = initial.due() == Some(Side::Player) && initial.points(Side::Banker) <= 2;
    initial_open && draws_anyway && round.draws.iter().skip(4).all(|dealt| !dealt.exposed)
}

/// The Banker's third card is to be shown first: only where the Banker draws whatever comes.
pub(super) fn banker_first(draft: &mut Draft<'_>, asked_by: PlayerId) -> Result<(), Refusal> {
    let table = draft.base();
    let cites = draft.granted.clone();
    if table.player(asked_by).is_none() {
        return Err(Why::NoSuchPlayer { player: asked_by }.into());
    }
    if !may_show_banker_first(table) {
        return Err(Refusal::new(Why::NotBankerFirst, &cites));
    }
    draft.emit(Fact::BankerShownFirst { asked_by }, &cites);
    Ok(())
}
