//! Why something cannot have gone wrong here, and what would be right to report.

use croupier_rules::{Irregularity, Rulebook};

/// As `jam cannot be reported here: …`.
pub(super) fn cannot_be(irregularity: Irregularity, rulebook: &Rulebook) -> String {
    if irregularity == Irregularity::CannotRebuild && rulebook.family.in_packets() {
        return format!("{irregularity} cannot be reported here: no packet of this round is out");
    }
    if !irregularity.belongs_to(rulebook.family) {
        return format!("{irregularity} cannot be reported here: it does not happen in {}", rulebook.family);
    }
    format!("{irregularity} cannot be reported here: {}", because(irregularity))
}

const fn because(irregularity: Irregularity) -> &'static str {
    match irregularity {
        Irregularity::CannotRebuild => {
            "the cards lie as they were drawn, or none are out; it follows a misdeal that nobody can undo"
        }
        Irregularity::WrongOrder => {
            "no card of this round is out; the order is wrong once cards lie on the hands"
        }
        Irregularity::DealtOutOfTurn => "no packet of this round is out",
        Irregularity::WrongDelivery | Irregularity::WrongDeliveryEstablished | Irregularity::NotDelivered => {
            "no closed cards are out for a player to open; an open card on the wrong hand is `wrong-order`"
        }
        Irregularity::FaceUpInShoe => {
            "no card is due in this round; before it, `exposed` tells of the next card"
        }
        Irregularity::NextCardSeen => "no shoe is in play; load and prepare one first",
        Irregularity::KnownCardsCarriedOff | Irregularity::CardsCarriedOff => {
            "no cards of an undecided round are out"
        }
        Irregularity::ExposedByMistake => "no card is out; a card seen in the shoe is `face-up`",
        Irregularity::ExposedMoving | Irregularity::OrderLostMoving => {
            "no player moves the device; that is method C. Otherwise report `exposed` or `order-lost`"
        }
        Irregularity::SqueezerAbsent => "the player has no hand to open now; name the one who has",
        Irregularity::CardsDamaged => "nobody of that name is at the table",
        Irregularity::NoBurnUnseen | Irregularity::NoBurnSeen | Irregularity::NoBurnLater => {
            "this shoe was burned, or none is to be burned, or no card has left it"
        }
        Irregularity::DeviceReset | Irregularity::DeviceResetOther => {
            "no round is being dealt; between rounds the device is reset without a ruling"
        }
        Irregularity::OrderLost | Irregularity::ForeignCard | Irregularity::UnshuffledCards => {
            "no cards are in the device; load them first"
        }
        Irregularity::SurplusOnPlayer
        | Irregularity::SurplusOnBankerExposed
        | Irregularity::SurplusOnBankerUnseen => {
            "no card waits for its place; a card too many is told as it is drawn, as `dealer draws 2C onto player`"
        }
        Irregularity::NotEnoughCards => "say `shoe is empty` when a card is due and there is none",
        Irregularity::CutCardFirst => "say `device shows the cut card` when it comes out",
        Irregularity::TogetherOrderKnown
        | Irregularity::TogetherInitialDeal
        | Irregularity::TogetherLater => "say what was drawn, as `dealer draws 3H KS together`",
        Irregularity::Jam
        | Irregularity::PowerFailure
        | Irregularity::PowerFailureEstablished
        | Irregularity::ForceMajeure
        | Irregularity::Other => "the table is closed",
        _ => "the table finds it itself, from wagers, cards and counts",
    }
}
