//! Money: how stakes are split, what a withdrawal gives back, insurance and the differential.

use std::collections::{BTreeMap, BTreeSet};

use croupier_rules::baccarat::{Outcome, Side};
use croupier_rules::niu_niu::BoxOutcome;
use croupier_rules::settle::{End, Settled, SettledReserve};
use croupier_rules::{Amount, Family, Payoff, Ratio, Remedy};
use croupier_table::event::Mark;
use croupier_table::{Event, Fact, Place, PlayerId, Table};

use super::super::rules::{self, Decided};
use super::super::tally::Tally;
use super::super::watch::{is_decided, is_order_in_doubt};
use super::minor;
use super::result::{ranks, seen};

/// Invariant 3: stake = collected + returned stake, and winnings only with the stake returned.
pub(super) fn a_stake_is_collected_or_returned(stake: Amount, settled: &Settled, tally: &mut Tally) {
    let Settled { end, in_action, collected, returned, winnings, .. } = settled;
    assert_eq!(stake, *collected + *returned, "a stake in parts");
    assert!(collected.minor() >= 0 && returned.minor() >= 0 && winnings.minor() >= 0, "{settled:?}");
    assert!(winnings.minor() == 0 || *returned == stake, "winnings without the stake: {settled:?}");
    assert!(*in_action <= stake && in_action.minor() >= 0, "{settled:?}");
    match end {
        End::Win => assert_eq!(*returned, stake, "{settled:?}"),
        End::Lose => assert_eq!(collected, in_action, "{settled:?}"),
        End::StandOff | End::Returned => {
            assert_eq!((collected.minor(), winnings.minor()), (0, 0), "{settled:?}");
        }
    }
    tally.held("a stake is collected or returned", true);
}

/// Invariant 3, in chips: what a settlement says is what changes hands, Reserve included.
pub(super) fn what_ended_was_paid(
    (chips, float): (i128, i128),
    owed: bool,
    settled: &Settled,
    reserve: Option<&SettledReserve>,
    tally: &mut Tally,
) {
    let owed = if owed { minor(settled.commission) } else { 0 };
    let (kept, lost) = reserve.map_or((0, 0), |reserve| (minor(reserve.returned), minor(reserve.lost)));
    if let Some(reserve) = reserve {
        assert_eq!(reserve.laid, reserve.lost + reserve.returned, "a Reserve in parts");
    }
    let comes = minor(settled.returned) + minor(settled.winnings) + kept + owed;
    assert_eq!(chips, comes, "the player's chips: {settled:?}");
    assert_eq!(
        float,
        minor(settled.collected) - minor(settled.winnings) + lost - owed,
        "the float: {settled:?}"
    );
    tally.held("what ended was paid", true);
}

/// What must become of the wagers once the choice to withdraw is over.
#[derive(Clone, Debug)]
pub(super) struct Withdrawal {
    round: u64,
    /// Go back: still open, and their players withdrew.
    open: Vec<usize>,
    /// Stay: decided by the cards in view, though their players withdrew.
    decided: Vec<usize>,
    /// Stay: their players did.
    others: Vec<usize>,
    /// Insurances go back with their players.
    insurances: Vec<usize>,
    /// The chips of each player who withdrew, and what comes to them.
    comes: BTreeMap<PlayerId, (i128, i128)>,
}

impl Withdrawal {
    /// When the choice ends.
    pub(super) fn of(table: &Table, known: &mut Decided) -> Self {
        let hold = table.hold.as_ref().unwrap();
        let answers = || hold.answers.iter();
        let withdrew = |player: PlayerId| answers().any(|answer| *answer == (player, Some(true)));
        // Cards that are discarded, or said to lie in the wrong order, decide nothing.
        let resets = hold.ruling.as_ref().is_some_and(|made| made.remedy == Remedy::Reset);
        let undecided = resets || is_order_in_doubt(table);
        let (mut open, mut decided, mut others) = (Vec::new(), Vec::new(), Vec::new());
        let chips = |player: PlayerId| table.player(player).map_or(0, |player| minor(player.chips));
        let withdrawn = answers().filter(|(_, answer)| *answer == Some(true));
        let mut comes: BTreeMap<PlayerId, (i128, i128)> =
            withdrawn.map(|(player, _)| (*player, (chips(*player), 0))).collect();
        for (at, laid) in table.round.wagers.iter().enumerate().filter(|(_, laid)| laid.ended.is_none()) {
            if !withdrew(laid.player) {
                others.push(at);
            } else if !undecided && is_settled_by_the_cards(table, laid.bet, known) {
                decided.push(at);
            } else {
                open.push(at);
                comes.entry(laid.player).or_default().1 += minor(laid.stake) + minor(laid.reserve);
            }
        }
        let mut insurances = Vec::new();
        for (at, laid) in table.round.insurances.iter().enumerate() {
            if laid.ended.is_none() && withdrew(laid.player) {
                insurances.push(at);
                comes.entry(laid.player).or_default().1 += minor(laid.stake);
            }
        }
        Self { round: table.round.number, open, decided, others, insurances, comes }
    }

    /// Invariant 2: who withdrew has money effect 0 on every wager that was still open; wagers already
    /// decided are settled (HDT-Q11), and nobody else's are touched.
    pub(super) fn gives_back_what_is_open(&self, table: &Table, events: &[Event], tally: &mut Tally) {
        assert_eq!(table.round.number, self.round);
        let whole = |stake: Amount, settled: Option<&Settled>| {
            settled.is_some_and(|settled| settled.end == End::Returned && settled.returned == stake)
        };
        for at in &self.open {
            let laid = &table.round.wagers[*at];
            let (settled, reserve) = laid.ended.as_ref().unwrap_or_else(|| panic!("{laid:?} was withdrawn"));
            assert!(whole(laid.stake, Some(settled)), "{laid:?}");
            let kept = reserve.as_ref().map_or(0, |reserve| minor(reserve.lost));
            assert_eq!(kept, 0, "a withdrawn wager lost its Reserve");
        }
        for at in &self.insurances {
            let laid = &table.round.insurances[*at];
            assert!(whole(laid.stake, laid.ended.as_ref()), "{laid:?}");
        }
        tally.held("a withdrawal gives back what is open", !self.open.is_empty());
        // Unless the ruling then sends everything back.
        let all_back = events
            .iter()
            .any(|event| matches!(event.fact, Fact::TurnedFree | Fact::RoundClosed { mark: Mark::Void, .. }));
        if all_back {
            return;
        }
        for at in self.decided.iter().chain(&self.others) {
            let laid = &table.round.wagers[*at];
            assert!(laid.ended.is_none(), "{laid:?} was not to be withdrawn");
        }
        for (player, (had, comes)) in &self.comes {
            let chips = table.player(*player).map_or(0, |player| minor(player.chips));
            assert_eq!(chips, had + comes, "what player {} withdrew", player.0);
        }
        tally.held("a withdrawal leaves what is decided", !self.decided.is_empty());
    }
}

/// However the other cards fall, the bet's column ends it alike.
fn is_settled_by_the_cards(table: &Table, bet: usize, known: &mut Decided) -> bool {
    let Some(seen) = seen(table) else { return false };
    let pays = &table.game().bets[bet].pays;
    let mut ends = known.ends(&seen).iter().map(|hands| {
        let outcome = hands.outcome();
        pays.line(outcome).map(|line| line.payoff)
    });
    let first = ends.next();
    ends.all(|end| Some(end) == first)
}

/// Invariant 9: at most one side is insurable in a window, and a window implies a card is due.
pub(super) fn a_window_has_one_hand_and_a_card_to_come(table: &Table, tally: &mut Tally) {
    let (round, Some(insurance)) = (&table.round, &table.game().insurance) else {
        assert!(table.round.window.is_none(), "a window without a table of insurance");
        return;
    };
    let Some(window) = round.window else { return };
    assert!(round.outcome.is_none() && round.closed.is_none(), "a window after the result");
    assert!(window.stage.draws() == 4 || !round.banker_first, "the second insurance was waived");
    let open = round.draws.iter().take_while(|dealt| dealt.exposed).count();
    let cards = window.stage.draws();
    assert_eq!(open, usize::from(cards), "a window for {cards} cards");
    let ranks = &ranks(table)[..open];
    assert!(!is_decided(ranks), "a window and no card due: {ranks:?}");
    let value = |at: usize| ranks.get(at).map_or(0, |rank| rules::value(*rank));
    let player = (value(0) + value(2) + value(4)) % 10;
    let banker = (value(1) + value(3)) % 10;
    let lines: Vec<_> =
        insurance.lines.iter().filter(|line| line.matches(window.stage, player, banker)).collect();
    assert_eq!(lines.len(), 1, "lines for {player} and {banker}");
    assert_eq!(insurance.lines.get(window.line), lines.first().copied(), "another line is open");
    for laid in round.insurances.iter().filter(|laid| laid.line == window.line) {
        assert_eq!(Some(laid.side), lines.first().map(|line| line.side), "the other hand is insured");
    }
    tally.held("a window has one hand and a card to come", true);
}

/// Invariant 9: insurance winnings per hand and player never exceed the insured wager.
pub(super) fn insurance_wins_no_more_than_it_insures(table: &Table, tally: &mut Tally) {
    let mut won: BTreeMap<(PlayerId, Side), i128> = BTreeMap::new();
    for laid in &table.round.insurances {
        let winnings = laid.ended.as_ref().map_or(0, |settled| minor(settled.winnings));
        *won.entry((laid.player, laid.side)).or_default() += winnings;
    }
    for ((player, side), won) in won {
        let main = table.round.wagers.iter();
        let main = main.filter(|laid| laid.player == player && table.main_side(laid.bet) == Some(side));
        let insured: i128 = main.map(|laid| minor(laid.stake)).sum();
        assert!(won <= insured, "player {} won {won} for {insured}", player.0);
        tally.held("insurance wins no more than it insures", won > 0);
    }
}

/// Invariant 10: after 7.17 to 7.19, unless the round is a tie, the two sides' money in action differs by at
/// most the differential; but small wagers that alone exceed the room stay whole, and where they make no room
/// they come on top. Where nothing is scaled, somebody has ruled on the gap.
pub(super) fn the_hands_differ_by_no_more_than_the_differential(table: &Table, tally: &mut Tally) {
    let Some(limit) = table.setup.terms.differential.map(minor) else { return };
    let round = &table.round;
    let ranks = ranks(table);
    let points = |side: Side| -> u8 {
        let own = round.draws.iter().zip(&ranks).filter(|(dealt, _)| dealt.side == side);
        own.map(|(_, rank)| rank.min(&10) % 10).sum::<u8>() % 10
    };
    if table.setup.family() == Family::NiuNiu || points(Side::Player) == points(Side::Banker) {
        return;
    }
    let (mut action, mut laid_down, mut small) = ([0; 2], [0; 2], [0; 2]);
    for laid in round.wagers.iter() {
        let (Some(side), Some((settled, _))) = (table.main_side(laid.bet), &laid.ended) else { continue };
        let at = usize::from(side == Side::Banker);
        if settled.end == End::Returned {
            continue;
        }
        let minimum = table.setup.terms.limit(laid.bet).minimum.map_or(0, minor);
        action[at] += minor(settled.in_action);
        laid_down[at] += minor(laid.stake);
        small[at] += if minor(laid.stake) < minimum { minor(settled.in_action) } else { 0 };
    }
    let heavy = usize::from(action[1] > action[0]);
    let light = action[1 - heavy];
    if table.game().limits.pro_rata.is_some() {
        let room = light + limit;
        let most = if table.setup.terms.small_wager_makes_room {
            room.max(small[heavy])
        } else {
            room + small[heavy]
        };
        assert!(action[heavy] <= most, "{action:?} in action with a differential of {limit}");
    } else {
        let [player, banker] = round.totals.map(minor);
        let kept = (player - banker).abs() <= limit;
        assert!(kept || round.differential_ruled, "{player} and {banker} with a differential of {limit}");
    }
    let scaled = (laid_down[0] - laid_down[1]).abs() > limit;
    tally.held("the hands differ by no more than the differential", scaled);
}

/// While betting is open the float covers the worst that the wagers can cost.
pub(crate) fn the_house_can_pay_whatever_comes(table: &Table, tally: &mut Tally) {
    let needs = worst(table, None);
    assert!(needs <= table.float.ratio(), "{needs} may have to be paid out of {}", table.float);
    tally.held("the house can pay whatever comes", true);
}

/// And no wager is refused that it could pay. Boxes of Niu Niu are covered wager by wager, which is more.
pub(crate) fn the_house_could_not_have_paid(table: &Table, place: &Place, tally: &mut Tally) {
    if table.setup.family() == Family::Baccarat {
        let needs = worst(table, Some(place));
        assert!(needs > table.float.ratio(), "{needs} could be paid out of {}", table.float);
        tally.held("the house could not have paid", true);
    }
}

/// The most that the wagers can cost, with one more: outcome by outcome; boxes of Niu Niu win and lose on their
/// own.
fn worst(table: &Table, more: Option<&Place>) -> Ratio {
    let lying = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
    let mut open: Vec<(PlayerId, usize, Option<u8>, i64)> =
        lying.map(|laid| (laid.player, laid.bet, laid.area, laid.stake.minor())).collect();
    if let Some(place) = more {
        let same = open.iter_mut().find(|laid| (laid.0, laid.1) == (place.player, place.bet));
        match same {
            Some(laid) => laid.3 += place.amount.minor(),
            None => open.push((place.player, place.bet, place.area, place.amount.minor())),
        }
    }
    let owed = table.setup.commission_at_shoe_end;
    let cost = |bet: usize, stake: i64, outcome: usize| -> Ratio {
        let maximum = table.setup.terms.limit(bet).maximum.unwrap_or(Amount::MAX).minor();
        let bet = &table.game().bets[bet];
        let net = |payoff: Payoff| payoff.net() + if owed { payoff.deduction() } else { Ratio::ZERO };
        let Some(net) = bet.pays.possible(outcome).map(|line| net(line.payoff)).max() else {
            return Ratio::ZERO;
        };
        let lost = bet.reserve.as_ref().and_then(|reserve| reserve.lost.line(outcome));
        let lost = Ratio::from(lost.map_or(0, |line| i64::from(line.times)));
        (net - lost) * Ratio::from(stake.min(maximum))
    };
    let most = |of: Option<Option<u8>>, outcomes: &mut dyn Iterator<Item = usize>| {
        let own = || open.iter().filter(|laid| of.is_none_or(|number| laid.2 == number));
        let sum = |outcome| own().fold(Ratio::ZERO, |sum, laid| sum + cost(laid.1, laid.3, outcome));
        outcomes.map(sum).max().unwrap_or(Ratio::ZERO)
    };
    if table.setup.family() == Family::NiuNiu {
        let boxes: BTreeSet<Option<u8>> = open.iter().map(|laid| laid.2).collect();
        boxes.into_iter().fold(Ratio::ZERO, |sum, number| {
            let outcomes = &mut BoxOutcome::reachable().map(BoxOutcome::index);
            sum + most(Some(number), outcomes).max(Ratio::ZERO)
        })
    } else {
        most(None, &mut Outcome::reachable().map(Outcome::index))
    }
}
