//! Cards: none is lost, none decides too early, and hands of Niu Niu are what they are worth.

use croupier_cards::Card;
use croupier_rules::baccarat::Side;
use croupier_table::{Event, Fact, Table};

/// The cards of the shoe, wherever they lie.
fn all(table: &Table) -> usize {
    let (shoe, round) = (&table.shoe, &table.round);
    let open = round.closed.is_none();
    let draws = round.draws.iter().filter(|dealt| open && !dealt.stand_in).count();
    let hands: usize = round.boxes.hands.iter().map(|dealt| dealt.cards.len()).sum();
    let boxes = if open { hands + round.boxes.dead.len() } else { 0 };
    let apart = round.surplus.len() + round.waiting.len() + round.together.len() + round.held.len();
    let counted = usize::from(shoe.left) + usize::from(shoe.burned) + usize::from(shoe.discarded);
    counted + draws + boxes + apart + table.next.carried.len()
}

/// 1: the cards in the shoe, burned, on the table, carried over and discarded are those that were loaded.
pub(super) fn are_conserved(before: &Table, events: &[Event], after: &Table) -> Option<String> {
    if events.iter().any(|event| matches!(event.fact, Fact::ShoeLoaded { .. })) {
        return None;
    }
    // Who leaves with cards takes them out of the count, and a foreign card comes into it.
    let (mut gone, mut came) = (0, 0);
    for event in events {
        match &event.fact {
            Fact::StoodIn { cards } => gone += cards.len(),
            Fact::ForeignDrawn { .. } => came += 1,
            _ => {}
        }
    }
    let (had, has) = (all(before) + came, all(after) + gone);
    if had != has {
        return Some(format!("{had} cards have become {has}"));
    }
    let unread = after.shoe.unread.len();
    (unread < after.shoe.left).then(|| "more cards in the shoe than nobody has read".to_string())
}

/// The rank from 1 to 13, and how high the suit is.
fn plain(card: &Card) -> (usize, usize) {
    (card.rank().index() + 1, 3 - card.suit().index())
}

/// Whether these ranks, from 1 to 13 in draw order, decide a round: the drawing rules once more, in plain numbers.
fn decides(ranks: &[usize]) -> bool {
    let value = |at: usize| ranks.get(at).map_or(0, |rank| rank.min(&10) % 10);
    if ranks.len() < 4 {
        return false;
    }
    let (player, banker) = ((value(0) + value(2)) % 10, (value(1) + value(3)) % 10);
    let due = if player >= 8 || banker >= 8 {
        4
    } else if player >= 6 {
        4 + usize::from(banker <= 5)
    } else if ranks.len() == 4 {
        5
    } else {
        let draws = match (banker, value(4)) {
            (0..=2, _) => true,
            (3, third) => third != 8,
            (4, third) => (2..=7).contains(&third),
            (5, third) => (4..=7).contains(&third),
            (6, third) => third == 6 || third == 7,
            _ => false,
        };
        5 + usize::from(draws)
    };
    ranks.len() == due
}

/// 11: the result is never fixed while a card is due or lies closed, and it is what the cards count.
pub(super) fn no_result_while_a_card_is_due(after: &Table) -> Option<String> {
    let round = &after.round;
    let outcome = round.outcome.filter(|_| round.closed.is_none() && !after.setup.family().in_packets())?;
    // What came together after it is no matter of this hand, but for which of them opens the next.
    let in_doubt = !round.together.is_empty() && after.hold.is_none();
    if round.draws.iter().any(|dealt| !dealt.exposed) || in_doubt {
        return Some("a result with a closed card, or one without a place".to_string());
    }
    let ranks: Vec<usize> =
        round.draws.iter().map_while(|dealt| dealt.card).map(|card| plain(&card).0).collect();
    if ranks.len() != round.draws.len() || !decides(&ranks) {
        return Some(format!("a result of {} cards that do not decide", ranks.len()));
    }
    for side in [Side::Player, Side::Banker] {
        let own = round.draws.iter().zip(&ranks).filter(|(dealt, _)| dealt.side == side);
        let points = own.map(|(_, rank)| rank.min(&10) % 10).sum::<usize>() % 10;
        if usize::from(outcome.points(side)) != points {
            return Some(format!("the {} hand counts {points}", side.key()));
        }
    }
    None
}

/// 13: what a hand of Niu Niu is worth, in plain numbers, and that no two of a deck are equal.
pub(super) fn hands_are_ranked(events: &[Event], after: &Table) -> Option<String> {
    if !events.iter().any(|event| matches!(event.fact, Fact::DealerOpened)) {
        return None;
    }
    let mut ranked = Vec::new();
    for dealt in &after.round.boxes.hands {
        let hand: Vec<(usize, usize)> = dealt.cards.iter().map(plain).collect();
        let category = dealt.hand().map(|hand| hand.category().index());
        let worth = worth(&hand);
        if category != Some(worth) {
            return Some(format!("{} is worth {worth}", dealt.holder));
        }
        ranked.push((worth, hand.into_iter().max(), dealt.hand()));
    }
    ranked.sort_by_key(|(worth, highest, _)| (*worth, *highest));
    let is_equal = ranked.windows(2).any(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
    let is_misplaced = ranked.windows(2).any(|pair| pair[0].2 >= pair[1].2);
    (is_equal || is_misplaced).then(|| "two hands of a deck are not in order".to_string())
}

/// No hand (0), Niu 1 to 9, Niu Niu (10), Ultimate (11), Hoiana (12).
fn worth(hand: &[(usize, usize)]) -> usize {
    if hand.iter().any(|(rank, _)| hand.iter().filter(|(other, _)| other == rank).count() == 4) {
        return 12;
    }
    if hand.iter().all(|(rank, _)| *rank > 10) {
        return 11;
    }
    let value = |at: usize| hand.get(at).map_or(0, |(rank, _)| *rank.min(&10));
    let sum: usize = (0..hand.len()).map(value).sum();
    let pairs = (0..hand.len()).flat_map(|one| (0..one).map(move |other| value(one) + value(other)));
    pairs.filter(|two| (sum - two).is_multiple_of(10)).map(|two| (two + 9) % 10 + 1).max().unwrap_or(0)
}
