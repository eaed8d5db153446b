//! The cards that a table is dealt from.

use croupier_cards::{Card, Composition, Decks};
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::{Irregularity, ShoeFate};

use crate::command::DeckSet;

/// The cards in the device, burned and discarded.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Shoe {
    /// Which shoe of the table; 0 before the first.
    pub number: u32,
    /// Which deck, where two take turns.
    pub set: Option<DeckSet>,
    /// The commitment to the order.
    #[cfg_attr(feature = "serde", serde(with = "croupier_cards::serial::optional_hex"))]
    pub commitment: Option<[u8; 32]>,
    /// Cards whose faces nobody has read: in the shoe, burned unread or face down unread.
    pub unread: Composition,
    /// Cards in the device.
    pub left: u16,
    /// Cards burned.
    pub burned: u16,
    /// Cards in the discard holder.
    pub discarded: u16,
    /// Cards that cannot have been loaded.
    pub foreign: u16,
    /// Those of them that lie in hands: more of the kind came out than were loaded.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub foreign_dealt: Vec<Card>,
    /// Cards that were taken back and lie at the front, in their order, as far as anybody or the reader knows them.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub front: Vec<Option<Card>>,
    /// The shuffle is recorded.
    pub is_shuffled: bool,
    /// The cards were cut.
    pub is_cut: bool,
    /// The cards were burned, or need not be.
    pub is_burned: bool,
    /// It is known that they were not burned, and the shoe goes on.
    pub unburned_known: bool,
    /// The cut card is out.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    pub cut_card_out: bool,
    /// It was ruled that it is played to its end.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    pub played_out: bool,
    /// Nothing more came out of it, and people cannot tell yet whether the round lacks a card.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    pub found_empty: bool,
    /// Rounds to come before the shoe ends; nothing until the cut card is out.
    pub rounds_left: Option<u8>,
    /// What a ruling says of it.
    pub fate: ShoeFate,
    /// What that rests on.
    #[cfg_attr(feature = "serde", serde(default))]
    pub fate_cites: Vec<Basis>,
    /// Rounds dealt from it.
    pub rounds: u32,
    /// What was found of the cards for which they have to go, where no round may be played with them.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub unfit: Option<Irregularity>,
}

impl Shoe {
    pub(crate) fn none() -> Self {
        Self {
            number: 0,
            set: None,
            commitment: None,
            unread: Composition::EMPTY,
            left: 0,
            burned: 0,
            discarded: 0,
            foreign: 0,
            foreign_dealt: Vec::new(),
            front: Vec::new(),
            is_shuffled: false,
            is_cut: false,
            is_burned: false,
            unburned_known: false,
            cut_card_out: false,
            played_out: false,
            found_empty: false,
            rounds_left: None,
            fate: ShoeFate::Keep,
            fate_cites: Vec::new(),
            rounds: 0,
            unfit: None,
        }
    }

    pub(crate) fn loaded(number: u32, decks: u8, set: Option<DeckSet>, commitment: Option<[u8; 32]>) -> Self {
        let unread = Decks::new(decks).map_or_else(|_| Composition::EMPTY, Composition::of_decks);
        Self { number, set, commitment, left: unread.len(), unread, ..Self::none() }
    }

    /// A ruling is worse for the shoe than those before, or changes nothing.
    pub(crate) fn judge(&mut self, fate: ShoeFate, cites: &[Basis]) {
        if fate > self.fate {
            self.fate = fate;
            self.fate_cites = cites.to_vec();
        }
    }

    /// What must be done before a round, if anything must.
    pub(crate) fn missing(&self, burn: u8, has_cut_card: bool) -> Option<&'static str> {
        if self.number == 0 {
            Some("load it")
        } else if self.rounds > 0 {
            // Cards that were played from unprepared were ruled on; they are not prepared again.
            None
        } else if !self.is_shuffled {
            Some("record the shuffle")
        } else if has_cut_card && !self.is_cut {
            Some("cut it")
        } else if burn > 0 && !self.is_burned {
            Some("burn it")
        } else {
            None
        }
    }
}
