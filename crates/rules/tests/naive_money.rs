//! The money of random rounds, worked out a second time by a model that knows nothing of columns, conditions
//! or fractions: it follows the text of the rules clause by clause, in plain integers.
#![expect(clippy::unwrap_used, reason = "what cannot be read or settled is a failed test")]

mod common;

use common::cases;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use croupier_cards::{Card, Rank, Suit};
use croupier_rules::baccarat::insurance::Stage;
use croupier_rules::baccarat::{Deal, Side};
use croupier_rules::money::Rounding;
use croupier_rules::niu_niu::{BoxOutcome, Hand};
use croupier_rules::settle::{
    Covered, End, Insured, Limit, Payable, Settled, Terms, Wager, settle_box, settle_insurance, settle_round,
};
use croupier_rules::{Amount, Game, Library};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(Library::standard)
}

fn minor(minor: i64) -> Amount {
    Amount::new(minor).unwrap()
}

// Tables and wagers, made of small numbers so that limits, ties and remainders are met often.

/// The money terms of a table, in minor units. Bets are named.
#[derive(Clone, Debug)]
struct Money {
    chip: i64,
    limits: BTreeMap<String, (Option<i64>, Option<i64>)>,
    differential: Option<i64>,
    payable: Option<(i64, Rounding)>,
    makes_room: bool,
    /// The house's limits for insurance, by twice the odds: 3 to 2 is 3.
    house: BTreeMap<i64, i64>,
}

/// A wager: who, where, on what, how much, and whether the player was warned of the minimum before.
#[derive(Clone, Debug)]
struct Laid {
    player: u32,
    seat: u8,
    bet: String,
    stake: i64,
    warned: bool,
}

fn money(bets: Vec<String>) -> impl Strategy<Value = Money> {
    let chip = prop::sample::select(vec![20_i64, 40, 100, 500]);
    let limit = (prop::option::of(1..40_i64), prop::option::of(40..70_i64));
    let limits = prop::collection::vec(limit, bets.len());
    let rounding = prop::sample::select(vec![Rounding::Down, Rounding::Nearest, Rounding::Up]);
    let payable = prop::option::weighted(0.3, (prop::sample::select(vec![1_i64, 7, 20, 50, 1000]), rounding));
    let odds = prop::sample::select(vec![3_i64, 4, 6, 8, 12, 14, 18]);
    let house = prop::collection::btree_map(odds, 1..40_i64, 0..4);
    let differential = prop::option::weighted(0.8, prop_oneof![0..20_i64, 20..150_i64]);
    (chip, limits, differential, payable, any::<bool>(), house).prop_map(
        move |(chip, limits, differential, payable, makes_room, house)| Money {
            chip,
            limits: bets
                .iter()
                .cloned()
                .zip(limits)
                .map(|(bet, (minimum, maximum))| {
                    (bet, (minimum.map(|chips| chips * chip), maximum.map(|chips| chips * chip)))
                })
                .collect(),
            differential: differential.map(|chips| chips * chip),
            payable,
            makes_room,
            house: house.into_iter().map(|(odds, chips)| (odds, chips * chip)).collect(),
        },
    )
}

impl Money {
    fn terms(&self, game: &Game) -> Terms {
        let limit = |bet: &str| {
            let (minimum, maximum) = self.limits[bet];
            Limit { minimum: minimum.map(minor), maximum: maximum.map(minor), ..Limit::default() }
        };
        let terms = Terms {
            chip: minor(self.chip),
            limits: game.bets.iter().map(|bet| limit(&bet.id)).collect(),
            differential: self.differential.map(minor),
            payable: self.payable.map(|(unit, rounding)| Payable { unit: minor(unit), rounding }),
            small_wager_makes_room: self.makes_room,
            insurance_limits: self
                .house
                .iter()
                .map(|(odds, limit)| (format!("{odds}:2").parse().unwrap(), minor(*limit)))
                .collect(),
            ..Terms::open(game.bets.len())
        };
        assert_eq!(terms.check(), []);
        terms
    }

    /// HB-Q28: exact, or in the payable unit the way the house rounds.
    fn paid(&self, exact: i64) -> i64 {
        match self.payable {
            None => exact,
            Some((unit, Rounding::Down)) => exact / unit * unit,
            Some((unit, Rounding::Nearest)) => (2 * exact + unit) / (2 * unit) * unit,
            Some((unit, Rounding::Up)) => (exact + unit - 1) / unit * unit,
        }
    }

    fn is_small(&self, laid: &Laid) -> bool {
        self.limits[&laid.bet].0.is_some_and(|minimum| laid.stake < minimum)
    }
}

/// Up to eight players, each with some of the bets.
fn wagers(bets: Vec<String>) -> impl Strategy<Value = Vec<(Laid, i64)>> {
    let stakes = prop::collection::vec(prop::option::weighted(0.4, 1..80_i64), bets.len());
    // Most money is on the hands, so that one side outweighs the other.
    let player = (1..=9_u8, any::<bool>(), stakes, prop::option::of((0..2_usize, 1..80_i64)));
    let order = any::<u64>();
    (prop::collection::vec(player, 0..=8), order).prop_map(move |(players, order)| {
        let mut wagers = Vec::new();
        for (player, (seat, warned, stakes, main)) in (1..).zip(players) {
            for (at, (bet, chips)) in bets.iter().zip(stakes).enumerate() {
                let chips = main.filter(|(place, _)| *place == at).map(|(_, chips)| chips).or(chips);
                if let Some(chips) = chips {
                    wagers.push((Laid { player, seat, bet: bet.clone(), stake: 0, warned }, chips));
                }
            }
        }
        let middle = usize::try_from(order % 64).unwrap() % wagers.len().max(1);
        wagers.rotate_left(middle);
        wagers
    })
}

fn in_chips(wagers: Vec<(Laid, i64)>, chip: i64) -> Vec<Laid> {
    wagers.into_iter().map(|(laid, chips)| Laid { stake: chips * chip, ..laid }).collect()
}

fn as_wagers(game: &Game, laid: &[Laid]) -> Vec<Wager> {
    laid.iter()
        .map(|laid| Wager {
            player: laid.player,
            seat: laid.seat,
            bet: game.bet_index(&laid.bet).unwrap(),
            stake: minor(laid.stake),
            warned: laid.warned,
        })
        .collect()
}

/// A card of the deck: rank from ace (0) to king (12), suit from spades (0) to diamonds (3).
type Plain = (usize, usize);

fn card((rank, suit): Plain) -> Card {
    Card::new(Rank::from_index(rank).unwrap(), Suit::from_index(suit).unwrap())
}

// Baccarat, as the rulebooks tell it.

/// A finished round: both hands in the order of their cards.
#[derive(Clone, Debug)]
struct Round {
    player: Vec<Plain>,
    banker: Vec<Plain>,
}

/// HB 4.12, 4.13: aces one, pips, tens and pictures nothing; the last digit counts.
fn count(hand: &[Plain]) -> usize {
    hand.iter().map(|(rank, _)| if *rank < 9 { rank + 1 } else { 0 }).sum::<usize>() % 10
}

/// HB 4.9 to 4.17.
fn play(cards: &[Plain; 6]) -> Round {
    let (mut player, mut banker) = (vec![cards[0], cards[2]], vec![cards[1], cards[3]]);
    let mut next = cards[4..].iter().copied();
    let (two, bank) = (count(&player), count(&banker));
    if two < 8 && bank < 8 {
        let banker_draws = if two <= 5 {
            let third = next.next().unwrap();
            player.push(third);
            let third = count(&[third]);
            match bank {
                0..=2 => true,
                3 => third != 8,
                4 => (2..=7).contains(&third),
                5 => (4..=7).contains(&third),
                6 => third == 6 || third == 7,
                _ => false,
            }
        } else {
            bank <= 5
        };
        if banker_draws {
            banker.extend(next.next());
        }
    }
    Round { player, banker }
}

impl Round {
    fn draws(&self) -> Vec<Plain> {
        let mut draws = vec![self.player[0], self.banker[0], self.player[1], self.banker[1]];
        draws.extend(&self.player[2..]);
        draws.extend(&self.banker[2..]);
        draws
    }

    fn deal(&self) -> Deal {
        let deal = Deal::from_draws(&self.draws().into_iter().map(card).collect::<Vec<_>>()).unwrap();
        assert!(deal.is_complete(), "{self:?}");
        deal
    }

    /// Positive if the Player won, negative if the Banker did.
    fn lead(&self) -> i64 {
        i64::try_from(count(&self.player)).unwrap() - i64::try_from(count(&self.banker)).unwrap()
    }

    fn is_tie(&self) -> bool {
        self.lead() == 0
    }
}

/// What twenty units win (or nothing, or all twenty lost), and of that the commission in twentieths.
fn twenty_win(game: &str, bet: &str, round: &Round) -> (i64, i64) {
    let (player, banker) = (count(&round.player), count(&round.banker));
    let (player_wins, banker_wins) = (round.lead() > 0, round.lead() < 0);
    let to_one = |odds: i64, wins: bool| if wins { (20 * odds, 0) } else { (-20, 0) };
    let is_pair = |hand: &[Plain]| hand[0].0 == hand[1].0;
    let seven_over_six = player == 7 && banker == 6;
    let cards = round.player.len() + round.banker.len();
    match bet {
        "player" | "banker" if round.is_tie() => (0, 0),
        "player" => to_one(1, player_wins),
        "banker" if !banker_wins => (-20, 0),
        // Without commission a winning six is paid half; nothing is called commission there.
        "banker" if game.ends_with("/non-commission") => (if banker == 6 { 10 } else { 20 }, 0),
        "banker" => (19, 1),
        "tie" => to_one(8, round.is_tie()),
        "player-pair" => to_one(11, is_pair(&round.player)),
        "banker-pair" => to_one(11, is_pair(&round.banker)),
        "lucky-6" if round.banker.len() == 2 => to_one(12, banker_wins && banker == 6),
        "lucky-6" => to_one(20, banker_wins && banker == 6),
        "small-dragon" => to_one(15, player_wins && player == 7 && round.player.len() == 2),
        "big-dragon" => to_one(30, player_wins && player == 7 && round.player.len() == 3),
        "small-tiger" => to_one(22, banker_wins && banker == 6 && round.banker.len() == 2),
        "big-tiger" => to_one(50, banker_wins && banker == 6 && round.banker.len() == 3),
        "dragon-tiger" if cards == 4 => to_one(30, seven_over_six),
        "dragon-tiger" if cards == 5 => to_one(40, seven_over_six),
        "dragon-tiger" => to_one(100, seven_over_six),
        _ => unreachable!("no rulebook has a bet {bet}"),
    }
}

/// What of each wager is in action; nothing for one that is returned. 7.17, then 7.18, then 7.19 (HB-Q24).
fn in_action(game: &str, money: &Money, laid: &[Laid], tie: bool) -> Vec<Option<i64>> {
    let mut action: Vec<Option<i64>> = laid
        .iter()
        .map(|wager| {
            // A small wager was settled for this player before: it goes back.
            if money.is_small(wager) && wager.warned {
                return None;
            }
            Some(money.limits[&wager.bet].1.map_or(wager.stake, |maximum| wager.stake.min(maximum)))
        })
        .collect();
    let Some(limit) = money.differential else { return action };
    if tie || game == "mbs-dragon-tiger" {
        return action;
    }
    let total = |bet: &str, action: &[Option<i64>]| -> i64 {
        laid.iter().zip(action).filter(|(wager, _)| wager.bet == bet).filter_map(|(_, action)| *action).sum()
    };
    let (player, banker) = (total("player", &action), total("banker", &action));
    let (heavy, high, low) =
        if player > banker { ("player", player, banker) } else { ("banker", banker, player) };
    if high - low <= limit {
        return action;
    }
    let allowed = low + limit;
    let (mut exempt, mut scaled) = (0, Vec::new());
    for (at, wager) in laid.iter().enumerate() {
        match action[at] {
            Some(amount) if wager.bet == heavy && money.is_small(wager) => exempt += amount,
            Some(_) if wager.bet == heavy => scaled.push(at),
            _ => {}
        }
    }
    // The others share (allowed - exempt) over (high - exempt), or allowed over high.
    let (above, below) =
        if money.makes_room { ((allowed - exempt).max(0), high - exempt) } else { (allowed, high) };
    if scaled.is_empty() {
        return action;
    }
    let wide = i128::from;
    let unit = wide(below) * wide(money.chip);
    let parts: i64 = scaled.iter().map(|at| action[*at].unwrap()).sum();
    let mut chips_left = wide(parts) * wide(above) / unit;
    let mut by_remainder = Vec::new();
    for at in scaled {
        let exact = wide(action[at].unwrap()) * wide(above);
        action[at] = Some(i64::try_from(exact / unit).unwrap() * money.chip);
        chips_left -= exact / unit;
        by_remainder.push((-(exact % unit), laid[at].seat, at));
    }
    by_remainder.sort_unstable();
    for (_, _, at) in by_remainder.into_iter().take(usize::try_from(chips_left).unwrap()) {
        action[at] = action[at].map(|amount| amount + money.chip);
    }
    action
}

/// HB 6.4.6: the hand insured, twice the odds, and whether it is the line that pays on a tie. A card must be
/// due, which the caller knows.
fn insurance_line(cards: usize, player: usize, banker: usize) -> Option<(Side, i64, bool)> {
    let line = match (cards, banker, player) {
        (4, 4, 0..=3) => (Side::Banker, 3, false),
        (4, 5, 0..=4) => (Side::Banker, 4, false),
        (4, 6, 0..=5) => (Side::Banker, 6, false),
        (4, 7, 0..=5) => (Side::Banker, 8, false),
        (4, 4, 5) => (Side::Player, 4, false),
        (4, 0..=5, 6) => (Side::Player, 6, false),
        (4, 0..=5, 7) => (Side::Player, 8, false),
        (5, 1, 1) => (Side::Banker, 12, false),
        (5, 2..=6, 1) => (Side::Banker, 14, false),
        (5, 3..=6, 2) => (Side::Banker, 8, false),
        (5, 4, 3) => (Side::Banker, 3, false),
        (5, 5, 4) => (Side::Banker, 4, false),
        (5, 0..=4, 5) => (Side::Player, 4, false),
        (5, 0..=5, 6) => (Side::Player, 6, false),
        (5, 0..=6, 7) => (Side::Player, 8, false),
        (5, 0..=6, 8) => (Side::Player, 14, false),
        (5, 0..=6, 9) => (Side::Player, 18, true),
        _ => return None,
    };
    Some(line)
}

/// What was on offer with four cards out and with the Player's third, while a further card was due.
fn offers(round: &Round) -> [Option<(Side, i64, bool)>; 2] {
    let (player_third, banker_third) = (round.player.len() == 3, round.banker.len() == 3);
    let (two, bank) = (count(&round.player[..2]), count(&round.banker[..2]));
    let first = (player_third || banker_third).then(|| insurance_line(4, two, bank)).flatten();
    let second = (player_third && banker_third).then(|| insurance_line(5, count(&round.player), bank));
    [first, second.flatten()]
}

/// An insurance: in action, gain or loss, given back.
type Ended = (i64, i64, i64);

/// HB 6.4.1 to 6.4.3.1: all insurances on one hand of which `insured` is in action.
fn insure(money: &Money, round: &Round, insured: i64, laid: &[((Side, i64, bool), i64)]) -> Vec<Ended> {
    // What pays on a tie and what pays on a loss never pay together: each has the whole wager for itself.
    let mut room = BTreeMap::from([(false, insured), (true, insured)]);
    let mut house = money.house.clone();
    let mut ends = Vec::new();
    for ((side, odds, on_tie), stake) in laid {
        // The house's limit is for all that is laid at these odds.
        let stake_counted = house.get(odds).map_or(*stake, |limit| *stake.min(limit));
        house.entry(*odds).and_modify(|limit| *limit -= stake_counted);
        let left = room.get_mut(on_tie).unwrap();
        let wins = (stake_counted * odds / 2).min(*left);
        let in_action = wins * 2 / odds;
        *left -= wins;
        if in_action == 0 {
            ends.push((0, 0, *stake));
            continue;
        }
        let side_lost = if *side == Side::Player { round.lead() < 0 } else { round.lead() > 0 };
        ends.push(match (round.is_tie(), on_tie) {
            (true, false) => (in_action, 0, *stake),
            (true, true) => (in_action, wins, *stake),
            (false, false) if side_lost => (in_action, wins, *stake),
            (false, _) => (in_action, -in_action, stake - in_action),
        });
    }
    ends
}

const GAMES: [&str; 5] = [
    "hoiana-baccarat/commission",
    "hoiana-baccarat/non-commission",
    "hoiana-dragon-tiger/commission",
    "hoiana-dragon-tiger/non-commission",
    "mbs-dragon-tiger",
];

/// The bets of a game, the hands first.
fn bets(game: &str) -> Vec<String> {
    let game = library().game(game).unwrap();
    let mut bets: Vec<String> = game.bets.iter().map(|bet| bet.id.clone()).collect();
    bets.sort_by_key(|bet| bet != "player" && bet != "banker");
    bets
}

/// Six cards in the order of the shoe; now and then of few ranks, so that pairs and ties are not rare, or
/// low ones and tens, so that hands are insured twice.
fn shoe() -> impl Strategy<Value = [Plain; 6]> {
    let of = |ranks: Vec<usize>| prop::array::uniform6((prop::sample::select(ranks), 0..4_usize));
    let few = prop::sample::subsequence((0..13).collect::<Vec<usize>>(), 3).prop_flat_map(of);
    prop_oneof![of((0..13).collect()), few, of(vec![0, 1, 2, 3, 4, 9])]
}

type Table = (&'static str, Money, Vec<Laid>, [Plain; 6]);

fn table() -> impl Strategy<Value = Table> {
    prop::sample::select(GAMES.to_vec()).prop_flat_map(|game| {
        (money(bets(game)), wagers(bets(game)), shoe()).prop_map(move |(money, wagers, cards)| {
            let laid = in_chips(wagers, money.chip);
            (game, money, laid, cards)
        })
    })
}

/// The engine's answer for one wager is that of the model: action, gain or loss, commission, and the rest.
fn same(settled: &Settled, stake: i64, action: Option<i64>, net: i64, commission: i64) -> TestCaseResult {
    prop_assert_eq!(settled.end == End::Returned, action.is_none());
    prop_assert_eq!(settled.in_action.minor(), action.unwrap_or(0));
    prop_assert_eq!(settled.net().minor(), net);
    prop_assert_eq!(settled.commission.minor(), commission);
    prop_assert_eq!(settled.collected.minor(), (-net).max(0));
    prop_assert_eq!(settled.collected.minor() + settled.returned.minor(), stake);
    prop_assert!(settled.winnings.minor() == 0 || settled.collected.minor() == 0);
    Ok(())
}

/// Gain or loss and commission of `action` where twenty units win `twenty`, of which `kept` is commission.
fn settle(money: &Money, action: Option<i64>, (twenty, kept): (i64, i64)) -> (i64, i64) {
    let action = action.unwrap_or(0);
    let exact = action * twenty;
    assert_eq!((exact % 20, action * kept % 20), (0, 0), "chips are multiples of 20");
    (if twenty > 0 { money.paid(exact / 20) } else { exact / 20 }, action * kept / 20)
}

proptest! {
    #![proptest_config(cases(2048))]

    /// HB, HDT and MBS: every wager of a round.
    #[test]
    fn rounds((id, money, laid, cards) in table()) {
        let game = library().game(id).unwrap();
        let round = play(&cards);
        let outcome = round.deal().outcome().unwrap();
        let settled = settle_round(game, &money.terms(game), outcome, &as_wagers(game, &laid)).unwrap();
        prop_assert_eq!(settled.len(), laid.len());
        let action = in_action(id, &money, &laid, round.is_tie());
        for ((wager, action), settled) in laid.iter().zip(&action).zip(&settled) {
            let (net, commission) = settle(&money, *action, twenty_win(id, &wager.bet, &round));
            same(settled, wager.stake, *action, net, commission)?;
        }
        the_gap_is_closed(id, &money, &laid, &settled, round.is_tie())?;
    }

    /// HB 6.4: insurance on what is in action, and never more won than that.
    #[test]
    fn insurances((id, money, laid, cards) in table(), stakes in prop::collection::vec((0..60_i64, 0..60_i64), 8)) {
        let game = library().game(id).unwrap();
        let round = play(&cards);
        let deal = round.deal();
        let offers = offers(&round);
        let stages = [Stage::FourCards, Stage::PlayerThird];
        let lines = stages.map(|stage| game.insurance.as_ref().and_then(|table| table.offer_at(&deal, stage)));
        if !id.starts_with("hoiana-baccarat/") {
            prop_assert_eq!(lines, [None, None]);
            return Ok(());
        }
        // Insurance has nothing to do with the payable unit here: the model pays it exactly.
        let money = Money { payable: None, ..money };
        let terms = money.terms(game);
        let settled = settle_round(game, &terms, deal.outcome().unwrap(), &as_wagers(game, &laid)).unwrap();
        for (offer, line) in offers.iter().zip(lines) {
            let engine = line.map(|line| (line.side, line.odds.to_string()));
            let model = offer.map(|(side, odds, _)| {
                (side, if odds % 2 == 0 { format!("{}:1", odds / 2) } else { format!("{odds}:2") })
            });
            prop_assert_eq!(engine, model, "{:?}", round);
        }
        for (wager, main) in laid.iter().zip(&settled) {
            let (first, second) = stakes[usize::try_from(wager.player - 1).unwrap()];
            for side in [Side::Player, Side::Banker] {
                if side.key() != wager.bet {
                    continue;
                }
                let chosen = |at: usize, chips: i64| {
                    offers[at].filter(|(insured, ..)| chips > 0 && *insured == side).map(|offer| (offer, chips * money.chip, lines[at].unwrap()))
                };
                let taken: Vec<_> = [chosen(0, first), chosen(1, second)].into_iter().flatten().collect();
                let insured: Vec<Insured<'_>> = taken.iter().map(|(_, stake, line)| Insured { line, stake: minor(*stake) }).collect();
                let covered = Covered { laid: minor(wager.stake), in_action: main.in_action };
                let ends = settle_insurance(game, &terms, deal.outcome().unwrap(), covered, &insured).unwrap();
                let model: Vec<_> = taken.iter().map(|(offer, stake, _)| (*offer, *stake)).collect();
                let model = insure(&money, &round, main.in_action.minor(), &model);
                for ((end, model), (_, stake, _)) in ends.iter().zip(model).zip(&taken) {
                    prop_assert_eq!((end.in_action.minor(), end.net().minor(), end.returned.minor()), model);
                    prop_assert_eq!(end.collected.minor() + end.returned.minor(), *stake);
                }
                let won: Amount = ends.iter().map(|end| end.winnings).sum();
                prop_assert!(won <= main.in_action, "won {won} on {}", main.in_action);
            }
        }
    }
}

/// After 7.17 to 7.19 the hands differ by no more than the limit, and by just that if they were scaled, unless
/// small wagers are exempt or the round is a tie; the lighter hand is never touched.
fn the_gap_is_closed(
    id: &str,
    money: &Money,
    laid: &[Laid],
    settled: &[Settled],
    tie: bool,
) -> TestCaseResult {
    let Some(limit) = money.differential else { return Ok(()) };
    let on = |bet: &str| -> i64 {
        let of_bet = laid.iter().zip(settled).filter(|(wager, _)| wager.bet == bet);
        of_bet.map(|(_, settled)| settled.in_action.minor()).sum()
    };
    let before = |bet: &str| -> i64 {
        let of_bet = laid.iter().zip(settled).filter(|(wager, _)| wager.bet == bet);
        let counted = of_bet.filter(|(_, settled)| settled.end != End::Returned);
        counted.map(|(wager, _)| money.limits[bet].1.unwrap_or(i64::MAX).min(wager.stake)).sum()
    };
    let scales = !tie && id != "mbs-dragon-tiger";
    let gap_before = (before("player") - before("banker")).abs();
    let gap = (on("player") - on("banker")).abs();
    let has_small = laid
        .iter()
        .zip(settled)
        .any(|(wager, settled)| money.is_small(wager) && settled.end != End::Returned);
    if !scales || gap_before <= limit {
        prop_assert_eq!(gap, gap_before);
    } else if !has_small {
        prop_assert_eq!(gap, limit);
    }
    prop_assert_eq!(on("player").min(on("banker")), before("player").min(before("banker")));
    Ok(())
}

// Niu Niu.

/// NN 6.2: the rank of five cards, from no hand (0) over Niu 1 to 9 to Niu Niu (10), Ultimate (11), Hoiana (12).
fn niu(hand: &[Plain]) -> usize {
    if hand.iter().any(|(rank, _)| hand.iter().filter(|(other, _)| other == rank).count() == 4) {
        return 12;
    }
    if hand.iter().all(|(rank, _)| *rank >= 10) {
        return 11;
    }
    let value = |at: usize| (hand[at].0 + 1).min(10);
    let mut best = 0;
    for one in 0..5 {
        for other in one + 1..5 {
            let three: usize = (0..5).filter(|at| *at != one && *at != other).map(value).sum();
            if matches!(three, 10 | 20 | 30) {
                best = best.max(match (value(one) + value(other)) % 10 {
                    0 => 10,
                    digit => digit,
                });
            }
        }
    }
    best
}

/// NN 6.2.14 to 6.2.17: then the highest card, king to ace, then spades, hearts, clubs, diamonds.
fn box_wins(hand: &[Plain], dealer: &[Plain]) -> bool {
    let highest = |hand: &[Plain]| hand.iter().map(|(rank, suit)| (*rank, 3 - *suit)).max().unwrap();
    (niu(hand), highest(hand)) > (niu(dealer), highest(dealer))
}

/// NN 5.1: what twenty units win, and what of the odds the house keeps of them.
fn niu_pays(bet: &str, hand: usize) -> (i64, i64) {
    let odds = match (bet, hand) {
        ("double", 10..) => 3,
        ("double", 7..) => 2,
        ("super-niu", 2..) => i64::try_from(hand).unwrap(),
        _ => 1,
    };
    let kept = match (bet, hand) {
        ("even", 6) => 10,
        ("double", 7..) | ("super-niu", 2..) => odds,
        _ => 0,
    };
    (20 * odds - kept, kept)
}

/// NN 6.4: how many times the wager is lost out of its Reserve, of how many laid.
fn reserve(bet: &str, dealer: usize) -> Option<(i64, i64)> {
    match (bet, dealer) {
        ("double", 10..) => Some((2, 2)),
        ("double", 7..) => Some((1, 2)),
        ("double", _) => Some((0, 2)),
        ("super-niu", 2..) => Some((i64::try_from(dealer).unwrap() - 1, 11)),
        ("super-niu", _) => Some((0, 11)),
        _ => None,
    }
}

/// Ten different cards of one deck, often of few ranks so that the rare hands come up.
fn ten_cards() -> impl Strategy<Value = Vec<Plain>> {
    let ranks = prop_oneof![
        prop::sample::subsequence((0..13).collect::<Vec<usize>>(), 3..=13),
        prop::sample::subsequence((9..13).collect::<Vec<usize>>(), 3..=4),
    ];
    ranks.prop_flat_map(|ranks| {
        let deck: Vec<Plain> = ranks.iter().flat_map(|rank| (0..4).map(|suit| (*rank, suit))).collect();
        let count = deck.len();
        (Just(deck), Just((0..count).collect::<Vec<usize>>()).prop_shuffle())
            .prop_map(|(deck, order)| order.into_iter().take(10).map(|at| deck[at]).collect())
    })
}

proptest! {
    #![proptest_config(cases(2048))]

    /// NN: the wagers of a box, and their Reserves.
    #[test]
    fn boxes(money in money(bets("hoiana-niu-niu")), chips in prop::array::uniform3(1..80_i64), warned: bool, cards in ten_cards()) {
        let game = library().game("hoiana-niu-niu").unwrap();
        let (hand, dealer) = cards.split_at(5);
        let ranked = |cards: &[Plain]| {
            Hand::new(<[Card; 5]>::try_from(cards.iter().copied().map(card).collect::<Vec<_>>()).unwrap())
        };
        let outcome = BoxOutcome::of(&ranked(hand), &ranked(dealer));
        let laid: Vec<Laid> = ["even", "double", "super-niu"].into_iter().zip(chips)
            .map(|(bet, chips)| Laid { player: 1, seat: 1, bet: bet.into(), stake: chips * money.chip, warned })
            .collect();
        let settled = settle_box(game, &money.terms(game), outcome, &as_wagers(game, &laid)).unwrap();
        let wins = box_wins(hand, dealer);
        for (wager, settled) in laid.iter().zip(settled) {
            // NN 7.11: below the minimum as it lies, every time; above the maximum only the maximum.
            let action = money.limits[&wager.bet].1.map_or(wager.stake, |maximum| wager.stake.min(maximum));
            let twenty = if wins { niu_pays(&wager.bet, niu(hand)) } else { (-20, 0) };
            let (net, commission) = settle(&money, Some(action), twenty);
            same(&settled.wager, wager.stake, Some(action), net, commission)?;
            let reserve = reserve(&wager.bet, niu(dealer)).map(|(lost, laid)| {
                let lost = if wins { 0 } else { lost * action };
                (laid * wager.stake, lost, laid * wager.stake - lost)
            });
            let found = settled.reserve.map(|reserve| {
                (reserve.laid.minor(), reserve.lost.minor(), reserve.returned.minor())
            });
            prop_assert_eq!(found, reserve);
        }
    }
}
