//! Wagers and insurance as players lay them, mostly within the limits.

use croupier_rules::baccarat::Side;
use croupier_rules::{Family, Power};
use croupier_table::setup::Method;
use croupier_table::{Action, Actor, Phase, Place, PlayerId};

use super::any::{PLAYERS, member};
use super::boxes;
use super::floor::Floor;
use super::opening::minor;

/// Betting is open.
pub(crate) fn bet(floor: &mut Floor) -> (Actor, Action) {
    let laid = floor.table.round.wagers.len();
    let over = floor.table.over_differential();
    if let Some((side, gap)) = over
        && floor.random.chance(35)
    {
        return close_the_gap(floor, side, gap.minor());
    }
    let player = floor.somebody();
    match floor.random.below(100) {
        0..6 => take_back(floor),
        6..11 => {
            let player = highest(floor).unwrap_or(player);
            (Actor::Player(player), Action::AskSqueeze { player })
        }
        11 => {
            let most = floor.random.small(1, 3);
            (floor.with_power(Power::LowerAreaLimit), Action::LimitAreas(most))
        }
        12..15 if floor.table.method == Some(Method::C) => {
            (Actor::Player(player), Action::TakeDevice { player })
        }
        15 => (floor.staff(), Action::AskToReduce),
        16 if floor.table.device.is_some() => (floor.staff(), Action::GiveUpDevice),
        17..60 if laid < 9 => place(floor),
        17..80 if laid < 3 => place(floor),
        _ if floor.random.chance(80) => (floor.staff(), Action::CloseBets),
        _ if floor.table.setup.family() == Family::NiuNiu => boxes::deal(floor),
        _ => floor.draw(),
    }
}

/// The seated player with the highest wager on a hand.
fn highest(floor: &Floor) -> Option<PlayerId> {
    let seated = |player: PlayerId| floor.table.player(player).is_some_and(|player| player.seat.is_some());
    let wagers = floor.table.round.wagers.iter().rev();
    let main = wagers.filter(|laid| floor.table.main_side(laid.bet).is_some() && seated(laid.player));
    main.max_by_key(|laid| laid.stake).map(|laid| laid.player)
}

/// The hands are too far apart.
fn close_the_gap(floor: &mut Floor, heavy: Side, over: i64) -> (Actor, Action) {
    let player = floor.somebody();
    let light = |bet: &croupier_rules::Bet| bet.main.is_some_and(|side| side != heavy);
    let bet = floor.table.game().bets.iter().position(light).unwrap_or(0);
    match floor.random.below(6) {
        0 => (floor.staff(), Action::AskToReduce),
        1 | 2 => {
            let heavy_bet = floor.table.game().bets.iter().position(|bet| bet.main == Some(heavy));
            let heavy_bet = heavy_bet.unwrap_or(0);
            let laid = floor.table.round.wagers.iter().find(|laid| laid.bet == heavy_bet);
            let player = laid.map_or(player, |laid| laid.player);
            (floor.with_power(Power::RemoveWager), Action::RemoveWager { player, bet: heavy_bet })
        }
        3 => (Actor::System, Action::CloseBets),
        4 => floor.draw(),
        _ => {
            let amount = minor(over);
            let place =
                Place { player, bet, amount, area: None, reserve: None, in_chips: true, untimed: false };
            (Actor::Player(player), Action::Place(place))
        }
    }
}

fn place(floor: &mut Floor) -> (Actor, Action) {
    let player = floor.somebody();
    let bets = floor.table.game().bets.len();
    let chip = floor.table.setup.terms.chip.minor();
    let boxes = floor.table.setup.family() == Family::NiuNiu;
    let seat = floor.table.player(player).and_then(|player| player.area());
    let mut area = None;
    let bet = if boxes {
        area =
            if floor.random.chance(70) { seat } else { Some(floor.random.small(1, floor.table.setup.seats)) };
        let own = floor.table.round.wagers.iter().filter(|laid| laid.player == player && laid.area == area);
        match own.count() {
            0 => 0,
            _ => floor.random.below(3),
        }
    } else if floor.random.chance(55) {
        let main: Vec<usize> = (0..bets).filter(|at| floor.table.main_side(*at).is_some()).collect();
        floor.random.pick(&main)
    } else {
        floor.random.below(bets)
    };
    let limit = floor.table.setup.terms.limit(bet);
    let (low, high) = (
        limit.minimum.map_or(1, |minimum| minimum.minor() / chip),
        limit.maximum.map_or(50, |maximum| maximum.minor() / chip),
    );
    let chips = match floor.random.below(20) {
        0 => floor.random.between(1, low),
        1 => high + floor.random.between(1, 20),
        // The same amount twice, so that it matters who was first.
        2..6 => low + 3,
        _ => floor.random.between(low, high),
    };
    // Now and then too small a Reserve lies beside a wager.
    let reserved = floor.table.game().bets.get(bet).is_some_and(|bet| bet.reserve.is_some());
    let reserve = (reserved && floor.random.chance(10)).then(|| minor(chip * floor.random.between(0, chips)));
    let place = Place {
        player,
        bet,
        amount: minor(chip * chips),
        area,
        reserve,
        in_chips: floor.random.chance(99),
        untimed: floor.random.chance(20),
    };
    let actor = match floor.random.below(10) {
        0 | 1 => Actor::Staff(member(0)),
        _ => Actor::Player(player),
    };
    (actor, Action::Place(place))
}

fn take_back(floor: &mut Floor) -> (Actor, Action) {
    let wagers = &floor.table.round.wagers;
    let count = wagers.len();
    if count == 0 {
        return place(floor);
    }
    let laid = wagers[floor.random.below(count)].clone();
    let chip = floor.table.setup.terms.chip.minor();
    let amount = if floor.random.chance(50) { None } else { Some(minor(chip * floor.random.between(1, 10))) };
    let box_number = laid.area.filter(|_| floor.table.setup.family() == Family::NiuNiu);
    let action = Action::TakeBack { player: laid.player, bet: laid.bet, box_number, amount };
    (Actor::Player(laid.player), action)
}

/// An insurance is due, or offered.
pub(crate) fn insure(floor: &mut Floor) -> (Actor, Action) {
    let Some(window) = floor.table.round.window else { return floor.draw() };
    let chip = floor.table.setup.terms.chip.minor();
    if !window.offered {
        return match floor.random.below(10) {
            // Forgotten.
            0 | 1 => floor.draw(),
            _ => (floor.staff(), Action::OfferInsurance),
        };
    }
    let lines = floor.table.game().insurance.as_ref().map(|insurance| &insurance.lines);
    let side = lines.and_then(|lines| lines.get(window.line)).map_or(Side::Banker, |line| line.side);
    let wagers = floor.table.round.wagers.iter();
    let bettors: Vec<PlayerId> =
        wagers.filter(|laid| floor.table.main_side(laid.bet) == Some(side)).map(|laid| laid.player).collect();
    match floor.random.below(10) {
        0..5 => {
            let player = if bettors.is_empty() { PLAYERS[0] } else { floor.random.pick(&bettors) };
            let amount = minor(chip * floor.random.between(1, 40));
            (Actor::Player(player), Action::Insure { player, side, amount })
        }
        5..8 => (floor.staff(), Action::CloseInsurance),
        8 if floor.table.phase() == Phase::InsuranceOne => {
            let asked_by = floor.somebody();
            (floor.with_power(Power::BankerFirst), Action::ShowBankerFirst { asked_by })
        }
        _ => floor.draw(),
    }
}
