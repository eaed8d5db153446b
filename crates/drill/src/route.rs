//! How to come to what hardly comes up by chance: at which tables, and by what that goes wrong before it.

use croupier_explore::play::{World, due, rulings};
use croupier_rules::{Irregularity, Remedy};
use croupier_table::command::Holder;
use croupier_table::setup::Method;
use croupier_table::{Action, Actor, Phase, Report};

use crate::chance::Chance;
use crate::topic::Topic;
use crate::walk::Walk;

/// Whether an irregularity can come up at a table.
pub(crate) fn fits(irregularity: Irregularity, world: &World) -> bool {
    match irregularity {
        Irregularity::SqueezeOrderUnknown => world.wagers.iter().any(|place| place.untimed),
        Irregularity::SqueezerAbsent | Irregularity::NotDelivered | Irregularity::WrongDelivery => {
            world.setup.squeeze || world.setup.method.is_some()
        }
        Irregularity::OrderLostMoving | Irregularity::ExposedMoving => world.setup.method == Some(Method::C),
        Irregularity::LimitsFound
        | Irregularity::DifferentialFound
        | Irregularity::ShortReserve
        | Irregularity::AboveOtherBet => world.outside,
        Irregularity::BoxSkipped
        | Irregularity::BoxSkippedHandled
        | Irregularity::BoxSkippedCannotRebuild => world.players.len() > 1 && !world.setup.one_by_one,
        _ => true,
    }
}

/// Whether it takes the very wagers of the table.
pub(crate) fn as_laid(topic: Topic) -> bool {
    let Topic::Irregularity(irregularity) = topic else { return false };
    matches!(
        irregularity,
        Irregularity::SqueezeOrderUnknown
            | Irregularity::DifferentialFound
            | Irregularity::ShortReserve
            | Irregularity::AboveOtherBet
    )
}

/// A step towards it, where chance alone would take too long; whether one was made.
pub(crate) fn lead(topic: Topic, world: &World, walk: &mut Walk, chance: &mut Chance) -> bool {
    let Topic::Irregularity(irregularity) = topic else { return false };
    match irregularity {
        Irregularity::NoBurnUnseen | Irregularity::NoBurnSeen | Irregularity::NoBurnLater => {
            unburned(world, walk) || irregularity == Irregularity::NoBurnLater && rule_on(world, walk, None)
        }
        Irregularity::BoxSkipped
        | Irregularity::BoxSkippedHandled
        | Irregularity::BoxSkippedCannotRebuild => {
            rule_on(world, walk, Some(Remedy::PlayOn)) || pass_over(irregularity, walk, chance)
        }
        _ => false,
    }
}

/// Betting is opened although the burn is due.
fn unburned(world: &World, walk: &mut Walk) -> bool {
    let burns = || due(world, &walk.table).iter().any(|(_, action)| matches!(action, Action::Burn { .. }));
    walk.table.phase() == Phase::ShoeLoaded && burns() && walk.give(world.dealer(), Action::OpenBets).is_ok()
}

/// What is on hold on the way is ruled.
fn rule_on(world: &World, walk: &mut Walk, remedy: Option<Remedy>) -> bool {
    if walk.table.phase() != Phase::OnHold {
        return false;
    }
    let mut all = rulings(&walk.table);
    all.retain(|(ruling, _)| remedy.is_none_or(|remedy| ruling.remedy == remedy));
    all.into_iter().any(|(_, made)| walk.rule(world, &made).is_ok())
}

/// A box gets no cards, and the next ones do.
fn pass_over(irregularity: Irregularity, walk: &mut Walk, chance: &mut Chance) -> bool {
    if !matches!(walk.table.phase(), Phase::BetsClosed | Phase::Dealing) {
        return false;
    }
    let mut boxes: Vec<u8> = walk.table.round.wagers.iter().filter_map(|laid| laid.area).collect();
    boxes.sort_unstable();
    boxes.dedup();
    if walk.table.setup.from_dealer_right {
        boxes.reverse();
    }
    if boxes.len() < 2 {
        return false;
    }
    let has = |walk: &Walk, holder: Holder| walk.table.round.boxes.hand(holder).is_some();
    let out = walk.table.round.boxes.hands.len();
    let skipped = if out == 0 { boxes.remove(chance.below(boxes.len())) } else { 0 };
    // Once cards are out, the box that is passed over is the one behind which others have theirs.
    let order: Vec<Holder> = boxes.iter().copied().map(Holder::Box).chain([Holder::Dealer]).collect();
    let last = order.iter().rposition(|holder| has(walk, *holder)).map_or(0, |at| at + 1);
    let next = order.iter().skip(last).copied().find(|holder| *holder != Holder::Box(skipped));
    if let Some(to) = next {
        let unread: Vec<croupier_cards::Card> = walk.table.shoe.unread.cards().collect();
        let mut cards = unread;
        chance.shuffle(&mut cards);
        cards.truncate(5);
        return walk.give(Actor::Device, Action::DealPacket { to, cards }).is_ok();
    }
    match irregularity {
        Irregularity::BoxSkippedHandled if !walk.table.round.boxes.handled => {
            let laid = walk
                .table
                .round
                .wagers
                .iter()
                .find(|laid| laid.area.is_some_and(|area| has(walk, Holder::Box(area))));
            let Some((player, box_number)) = laid.and_then(|laid| Some((laid.player, laid.area?))) else {
                return false;
            };
            walk.give(Actor::Player(player), Action::HandleCards { player, box_number }).is_ok()
        }
        Irregularity::BoxSkippedCannotRebuild => {
            let dealer = walk.table.staff.first().copied().map_or(Actor::System, Actor::Staff);
            walk.give(dealer, Action::Report(Report::CannotRebuild)).is_ok()
        }
        _ => false,
    }
}
