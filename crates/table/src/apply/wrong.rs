//! What an irregularity leaves at the table.

use croupier_rules::irregularity::Irregularity;

use crate::event::About;
use crate::table::{Hold, Table};

impl Table {
    /// Something went wrong, and play is on hold for it until it is decided.
    pub(super) fn hold_for(&mut self, irregularity: Irregularity, about: About, told: &str, found: bool) {
        self.round.next_seen |= irregularity == Irregularity::FaceUpInShoe;
        self.shoe.found_empty &= irregularity != Irregularity::NotEnoughCards;
        // Whoever lets play go on has seen it.
        self.round.differential_ruled |= irregularity == Irregularity::DifferentialFound;
        self.round.limits_ruled |= irregularity == Irregularity::LimitsFound;
        self.round.reserves_ruled |=
            matches!(irregularity, Irregularity::ShortReserve | Irregularity::AboveOtherBet);
        if irregularity == Irregularity::SqueezerAbsent {
            self.round.absent.extend(about.player);
        }
        // What is found last is decided first.
        let earlier = self.hold.take().map(Box::new);
        self.hold = Some(Hold {
            irregularity,
            about,
            told: told.to_string(),
            found,
            ruling: None,
            answers: Vec::new(),
            sorting: false,
            earlier,
        });
    }
}
