//! What differs by the family of the game at a table, asked of its setup or of the table itself.
//!
//! Nothing else in this crate looks at the family but the dispatches: where one family does something that another does
//! differently, `decide`, `automatic` and `cover` have an arm for each.

use croupier_rules::Family;
use croupier_rules::setting::Setting;

use crate::phase::Phase;
use crate::setup::{Method, Setup};
use crate::table::Table;

impl Setup {
    /// The kind of game.
    #[must_use]
    pub fn family(&self) -> Family {
        self.rulebook.family
    }

    /// Whether each box is a round of its own: see [`Family::by_box`].
    #[must_use]
    pub fn by_box(&self) -> bool {
        self.family().by_box()
    }

    /// Whether hands are dealt in packets: see [`Family::in_packets`].
    #[must_use]
    pub fn in_packets(&self) -> bool {
        self.family().in_packets()
    }

    /// Whether each round has cards of its own: see [`Family::deck_per_round`].
    #[must_use]
    pub fn deck_per_round(&self) -> bool {
        self.family().deck_per_round()
    }

    /// The box that tells one wager of a player from another on the same bet; nothing where an area does not.
    #[must_use]
    pub fn box_of(&self, area: Option<u8>) -> Option<u8> {
        area.filter(|_| self.by_box())
    }
}

impl Table {
    /// Whether the next round needs a deck of its own that is not there yet.
    #[must_use]
    pub fn deck_due(&self) -> bool {
        self.setup.deck_per_round() && self.shoe.rounds > 0
    }

    /// Where the round stands, once betting is closed.
    pub(crate) fn round_phase(&self) -> Phase {
        match self.setup.family() {
            Family::Baccarat => self.round.phase(),
            Family::NiuNiu => self.round.boxes.phase(),
        }
    }

    /// Whether players may have cards in their hands: those that go face up leave them nothing to do.
    pub(crate) fn cards_are_handled(&self) -> bool {
        match self.setup.family() {
            Family::Baccarat => self.deals_face_down() || self.method == Some(Method::C),
            Family::NiuNiu => true,
        }
    }
}

/// What the operator sets to say how many places there are.
pub(crate) const fn places_setting(family: Family) -> Setting {
    match family {
        Family::Baccarat => Setting::Seats,
        Family::NiuNiu => Setting::Boxes,
    }
}
