//! Niu Niu: packets to the boxes, the count, the arranging.

use croupier_cards::Card;
use croupier_rules::niu_niu::Category;
use croupier_table::command::Holder;
use croupier_table::niu_niu::HandDealt;
use croupier_table::{Action, Actor, Report};

use super::floor::Floor;

/// Packets go out, the Dealer's last; then the hands are counted.
pub(crate) fn deal(floor: &mut Floor) -> (Actor, Action) {
    let table = &floor.table;
    let mut boxes: Vec<u8> = table.round.wagers.iter().filter_map(|laid| laid.area).collect();
    boxes.sort_unstable();
    boxes.dedup();
    if table.setup.from_dealer_right {
        boxes.reverse();
    }
    let hands = &table.round.boxes;
    let next = boxes
        .iter()
        .copied()
        .find(|number| hands.hand(Holder::Box(*number)).is_none() && !hands.voided.contains(number));
    if !hands.hands.is_empty() && floor.random.chance(4) {
        return handle(floor);
    }
    if floor.shoe.len() < 5 && floor.random.chance(50) {
        return (Actor::Device, Action::ShoeEmpty);
    }
    let seats = floor.table.setup.seats;
    let has_dealer = floor.table.round.boxes.hand(Holder::Dealer).is_some();
    // Passed over, with all other hands there: it may be said that nothing can be put in order.
    if has_dealer && next.is_some() && floor.random.chance(30) {
        return (floor.staff(), Action::Report(Report::CannotRebuild));
    }
    if has_dealer && floor.random.chance(60) {
        return (floor.staff(), Action::CheckCount);
    }
    let to = match floor.random.below(40) {
        0 => Holder::Box(floor.random.small(1, seats)),
        // One is left out.
        1 => Holder::Dealer,
        _ => match next {
            Some(number) => Holder::Box(number),
            None if !has_dealer => Holder::Dealer,
            None => return (floor.staff(), Action::CheckCount),
        },
    };
    let count = match floor.random.below(40) {
        0 => 4,
        1 => 6,
        _ => 5,
    };
    let mut cards = floor.top(count);
    let out: Vec<Card> = floor.table.round.boxes.hands.iter().flat_map(|dealt| dealt.cards.clone()).collect();
    if floor.random.chance(3) && !out.is_empty() {
        // A card that cannot be there: it lies elsewhere already.
        cards.pop();
        cards.push(floor.random.pick(&out));
    }
    (Actor::Device, Action::DealPacket { to, cards })
}

fn handle(floor: &mut Floor) -> (Actor, Action) {
    let player = floor.somebody();
    let box_number = floor.table.player(player).and_then(|player| player.seat).unwrap_or(1);
    (Actor::Player(player), Action::HandleCards { player, box_number })
}

/// Hands are set, then the Dealer's is opened.
pub(crate) fn arrange(floor: &mut Floor) -> (Actor, Action) {
    if floor.random.chance(15) {
        return handle(floor);
    }
    let hands = &floor.table.round.boxes.hands;
    let open: Vec<HandDealt> = hands.iter().filter(|dealt| dealt.set_as.is_none()).cloned().collect();
    let boxes = open.iter().any(|dealt| dealt.holder != Holder::Dealer);
    if open.is_empty() || !boxes && floor.random.chance(80) {
        return (floor.staff(), Action::OpenDealer);
    }
    let dealt = floor.random.pick(&open);
    let right = dealt.hand().map_or(Category::NoHand, |hand| hand.category());
    let set_as = if floor.random.chance(92) { right } else { floor.random.pick(&Category::ALL) };
    let owner = match dealt.holder {
        Holder::Box(number) => floor.table.players.iter().find(|player| player.seat == Some(number)),
        Holder::Dealer => None,
    };
    let owner = owner.map(|player| player.id);
    let actor = match owner {
        Some(player) if floor.random.chance(50) => Actor::Player(player),
        _ => floor.staff(),
    };
    (actor, Action::SetHand { holder: dealt.holder, set_as })
}
