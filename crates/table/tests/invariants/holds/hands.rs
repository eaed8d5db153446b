//! Niu Niu: what hands are worth, which is higher, and what a loss costs.

use std::cmp::Ordering;

use croupier_cards::Card;
use croupier_rules::niu_niu::{BoxOutcome, BoxWinner, Category};
use croupier_rules::settle::{End, Settled, SettledReserve};
use croupier_rules::{Family, Payoff, Ratio};
use croupier_table::Table;
use croupier_table::command::Holder;
use croupier_table::table::Laid;

use super::super::rules::{Plain, niu};
use super::super::tally::Tally;
use super::minor;

/// The rank from 1 to 13, and how high the suit is.
fn plain(card: &Card) -> Plain {
    let (rank, suit) = (card.rank().index() + 1, 3 - card.suit().index());
    (u8::try_from(rank).unwrap(), u8::try_from(suit).unwrap())
}

fn dealt(table: &Table) -> impl Iterator<Item = (Vec<Plain>, &[Card], Category)> {
    table.round.boxes.hands.iter().map(|dealt| {
        let category = dealt.hand().unwrap().category();
        (dealt.cards.iter().map(plain).collect(), dealt.cards.as_slice(), category)
    })
}

/// Invariant 13: the Niu value does not depend on the chosen triple.
pub(super) fn the_value_does_not_depend_on_the_triple(table: &Table, tally: &mut Tally) {
    for (hand, cards, category) in dealt(table) {
        let worth = |at: usize| hand[at].0.min(10);
        let mut values = Vec::new();
        for first in 0..5 {
            for second in 0..first {
                let rest: u8 = (0..5).filter(|at| *at != first && *at != second).map(worth).sum();
                if rest.is_multiple_of(10) {
                    values.push((worth(first) + worth(second)) % 10);
                }
            }
        }
        assert!(values.iter().all(|value| *value == values[0]), "{cards:?} is worth {values:?}");
        assert_eq!(usize::from(niu(&hand)), category.index(), "{cards:?} is no {category:?}");
        tally.held("the value does not depend on the triple", values.len() > 1);
    }
}

/// Invariant 13: the order of hands is total within one deck.
pub(super) fn hands_of_one_deck_are_in_a_total_order(table: &Table, tally: &mut Tally) {
    if !table.shoe.foreign_dealt.is_empty() {
        return;
    }
    let mut ranked: Vec<((u8, Plain), croupier_rules::niu_niu::Hand)> = table
        .round
        .boxes
        .hands
        .iter()
        .map(|dealt| {
            let hand: Vec<Plain> = dealt.cards.iter().map(plain).collect();
            ((niu(&hand), *hand.iter().max().unwrap()), dealt.hand().unwrap())
        })
        .collect();
    ranked.sort_by_key(|(by, _)| *by);
    for (at, (by, hand)) in ranked.iter().enumerate() {
        for (lower_by, lower) in &ranked[..at] {
            assert!(by > lower_by, "two hands are equal: {by:?}");
            assert_eq!(hand.cmp(lower), Ordering::Greater, "{hand:?} and {lower:?}");
            assert_eq!(lower.cmp(hand), Ordering::Less, "{hand:?} and {lower:?}");
            tally.held("hands of one deck are in a total order", true);
        }
    }
}

/// Invariant 13: Double or Super Niu plus lost Reserve equals the pay-table multiple of the Dealer's hand.
pub(super) fn a_lost_wager_and_its_reserve_are_the_multiple(
    table: &Table,
    laid: &Laid,
    settled: &Settled,
    reserve: Option<&SettledReserve>,
    tally: &mut Tally,
) {
    let bet = &table.game().bets[laid.bet];
    if table.setup.family() != Family::NiuNiu || settled.end != End::Lose || bet.reserve.is_none() {
        return;
    }
    let dealer = table.round.boxes.hand(Holder::Dealer).and_then(|dealt| dealt.hand()).unwrap();
    let hand = dealer.category();
    // What a player with the Dealer's hand would be paid.
    let would = BoxOutcome { hand, dealer: hand, winner: BoxWinner::Player };
    let Some(Payoff::Win { odds, .. }) = bet.pays.line(would.index()).map(|line| line.payoff) else {
        panic!("{hand:?} wins nothing on {}", bet.id);
    };
    let lost = minor(settled.collected) + reserve.map_or(0, |reserve| minor(reserve.lost));
    let multiple = odds.ratio() * Ratio::from(settled.in_action.minor());
    assert_eq!(Ratio::new(lost, 1), multiple, "{} against {hand:?}", bet.id);
    tally.held("a lost wager and its reserve are the multiple", lost > minor(settled.in_action));
}
