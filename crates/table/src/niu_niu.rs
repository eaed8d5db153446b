//! The boxes of a Niu Niu round: packets, the count, who has handled cards, how hands are set.

use croupier_cards::Card;
use croupier_rules::niu_niu::{Category, Hand};

use crate::command::Holder;
use crate::phase::Phase;

/// The hands of a round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Boxes {
    /// Who has which cards, in the order they were dealt.
    pub hands: Vec<HandDealt>,
    /// Every hand was counted and holds five.
    pub counted: bool,
    /// Cards came after the count: they are counted as soon as nothing is on hold.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    pub came_late: bool,
    /// Somebody has handled cards.
    pub handled: bool,
    /// Somebody has said that the cards cannot be put in order.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    pub cannot_rebuild: bool,
    /// Hands that were dealt to before one whose turn it was, in the order they were dealt.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub early: Vec<Holder>,
    /// The Dealer's hand is open.
    pub dealer_open: bool,
    /// Boxes that are void.
    pub voided: Vec<u8>,
    /// Cards that are out of play.
    pub dead: Vec<Card>,
}

/// A hand on the layout.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct HandDealt {
    /// Whose.
    pub holder: Holder,
    /// The cards.
    pub cards: Vec<Card>,
    /// What it was set as.
    pub set_as: Option<Category>,
}

impl HandDealt {
    /// The hand, if it has five cards.
    #[must_use]
    pub fn hand(&self) -> Option<Hand> {
        <[Card; 5]>::try_from(self.cards.as_slice()).ok().map(Hand::new)
    }
}

impl Boxes {
    /// The hand of a box or of the Dealer.
    #[must_use]
    pub fn hand(&self, holder: Holder) -> Option<&HandDealt> {
        self.hands.iter().find(|dealt| dealt.holder == holder)
    }

    /// A card was read wrongly: in a hand, or among those that are out of play if the box is void.
    pub(crate) fn correct(&mut self, holder: Holder, from: Card, to: Card) {
        let in_hand = self.hands.iter_mut().filter(|dealt| dealt.holder == holder);
        let card = in_hand.flat_map(|dealt| dealt.cards.iter_mut()).find(|card| **card == from);
        if let Some(card) = card.or_else(|| self.dead.iter_mut().find(|card| **card == from)) {
            *card = to;
        }
    }

    /// How many cards lie in the hands.
    pub(crate) fn cards(&self) -> usize {
        self.hands.iter().map(|dealt| dealt.cards.len()).sum()
    }

    /// Where the round stands.
    pub(crate) fn phase(&self) -> Phase {
        let all_set = self.hands.iter().all(|dealt| dealt.set_as.is_some() || dealt.holder == Holder::Dealer);
        if self.hands.is_empty() {
            Phase::BetsClosed
        } else if !self.counted && self.hand(Holder::Dealer).is_none() {
            Phase::Dealing
        } else if !self.counted {
            Phase::CountCheck
        } else if self.dealer_open {
            Phase::Result
        } else if all_set {
            Phase::Verify
        } else {
            Phase::Arranging
        }
    }
}
