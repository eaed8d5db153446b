//! What a report can be about: the player, the card, the hand or the shoe that it names is there.

use croupier_rules::{Family, Irregularity, Rule};

use super::draft::{Against, Checked};
use super::shoe;
use crate::command::{Holder, Report};
use crate::refusal::Why;
use crate::table::{Stage, Table};

/// What a report is about must be there: the player, the card, the hand, the shoe. What the record itself
/// contradicts has not happened.
pub(super) fn check_there(table: &Table, report: &Report) -> Checked {
    check_hands(table, report)?;
    let round = &table.round;
    let apart = !round.waiting.is_empty() || !round.together.is_empty();
    let out =
        table.stage == Stage::Playing && (!round.draws.is_empty() || apart || !round.boxes.hands.is_empty());
    let cannot = |irregularity| Err(Against::from(Why::CannotBe { irregularity }));
    match report {
        Report::Absent { player } | Report::Damaged { player } if table.player(*player).is_none() => {
            Err(Why::NoSuchPlayer { player: *player }.into())
        }
        Report::WrongDelivery if !out => cannot(Irregularity::WrongDelivery),
        Report::NotDelivered if !out => cannot(Irregularity::NotDelivered),
        Report::NoBurn if table.shoe.is_burned || table.setup.burn == 0 => cannot(Irregularity::NoBurnLater),
        // It was told, or found, and what follows from it was ruled.
        Report::NoBurn if table.shoe.unburned_known => Err(Why::Already.into()),
        // Nothing has come out that should have been burned before.
        Report::NoBurn if table.shoe.number > 0 && is_untouched(table) => {
            let instead = "burn the cards: none has been dealt from this shoe";
            Err(Against::NotNow(instead))
        }
        Report::ForeignCard
        | Report::Unshuffled
        | Report::OrderLost
        | Report::FaceUp
        | Report::Exposed { draw: None }
        | Report::ExposedMoving
        | Report::NoBurn
            if table.shoe.number == 0 =>
        {
            Err(Why::ShoeNotReady { missing: "load it" }.into())
        }
        Report::ForeignCard
        | Report::Unshuffled
        | Report::OrderLost
        | Report::CannotRebuild
        | Report::CarriedOff { .. }
        | Report::BoxCarriedOff { .. }
        | Report::Jam
        | Report::DeviceReset { .. }
        | Report::FaceUp
        | Report::Exposed { .. }
        | Report::ExposedMoving
        | Report::WrongOrder
        | Report::NoBurn
        | Report::WrongDelivery
        | Report::HandedTo { .. }
        | Report::NotDelivered
        | Report::Absent { .. }
        | Report::Damaged { .. }
        | Report::PowerFailure
        | Report::ForceMajeure
        | Report::Other(_)
        | Report::WagerRemoved { .. }
        | Report::EarlierRound { .. }
        | Report::SurplusOn { .. }
        | Report::DrawnBy { .. }
        | Report::OpenedBy { .. } => Ok(()),
    }
}

/// The hand or the card that a report names lies on the layout, in the way that this game lays them.
fn check_hands(table: &Table, report: &Report) -> Checked {
    match table.setup.family() {
        Family::Baccarat => check_sides(table, report),
        Family::NiuNiu => check_boxes(table, report),
    }
}

/// Two hands that fill up by the draw order.
#[expect(clippy::wildcard_enum_match_arm, reason = "the list is what is meant; `check_there` has all")]
fn check_sides(table: &Table, report: &Report) -> Checked {
    let round = &table.round;
    let playing = table.stage == Stage::Playing;
    let cards = round.draws.len() + round.waiting.len() + round.together.len();
    let out = playing && cards > 0;
    // The cards of a round that is settled are gone, whoever had them.
    let settled = !playing && round.closed.is_some() && !matches!(table.stage, Stage::Betting { .. });
    match report {
        Report::HandedTo { player, .. } if table.player(*player).is_none() => {
            Err(Why::NoSuchPlayer { player: *player }.into())
        }
        Report::HandedTo { .. } if settled => {
            Err(Against::Why(Why::EarlierRound, &[Rule::EarlierRoundsStand]))
        }
        Report::HandedTo { side, .. } | Report::CarriedOff { side } => {
            let has_cards = playing && round.draws.iter().any(|dealt| dealt.side == *side);
            if has_cards { Ok(()) } else { Err(Why::NoSuchDraw.into()) }
        }
        Report::BoxCarriedOff { .. } => {
            let what = "baccarat has no boxes; tell the hand, as `reports carried-off player`";
            Err(Why::OtherGame { what }.into())
        }
        Report::Exposed { draw: Some(draw) } => {
            let at = usize::from(*draw).checked_sub(1);
            let there = at.is_some_and(|at| table.card_out(at).is_some());
            if there { Ok(()) } else { Err(Why::NoSuchDraw.into()) }
        }
        Report::CannotRebuild => {
            // A hand that is complete and read card by card is the one that was dealt.
            let complete =
                round.outcome.is_some() && round.draws.iter().all(|dealt| dealt.misplaced.is_none());
            let rebuilt = complete && round.surplus.is_empty() && table.hold.is_none();
            if out && !rebuilt {
                return Ok(());
            }
            Err(Against::CannotBe(Irregularity::CannotRebuild))
        }
        Report::WrongOrder if !out => Err(Why::CannotBe { irregularity: Irregularity::WrongOrder }.into()),
        _ => Ok(()),
    }
}

/// A packet for each box and one for the Dealer.
#[expect(clippy::wildcard_enum_match_arm, reason = "the list is what is meant; `check_there` has all")]
fn check_boxes(table: &Table, report: &Report) -> Checked {
    let boxes = &table.round.boxes;
    let out = table.stage == Stage::Playing && !boxes.hands.is_empty();
    let cannot = |irregularity| Err(Against::from(Why::CannotBe { irregularity }));
    match report {
        Report::BoxCarriedOff { box_number } if !out || boxes.hand(Holder::Box(*box_number)).is_none() => {
            cannot(Irregularity::CardsCarriedOff)
        }
        // There is no such hand: what is carried off is told by its box.
        Report::CarriedOff { .. } => cannot(Irregularity::CardsCarriedOff),
        Report::WrongOrder if !out => cannot(Irregularity::DealtOutOfTurn),
        Report::Exposed { draw: Some(draw) } => {
            let there = out && (1..=boxes.cards()).contains(&usize::from(*draw));
            if there { Ok(()) } else { Err(Why::NoSuchDraw.into()) }
        }
        _ => Ok(()),
    }
}

/// Whether no card for a hand has come out of the shoe yet.
fn is_untouched(table: &Table) -> bool {
    table.shoe.rounds == 0 && shoe::between_cards(table) && table.next.carried.is_empty()
}
