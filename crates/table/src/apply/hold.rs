//! What is on hold: how it begins, comes to its end, and what it leaves behind.

use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::{Irregularity, ShoeFate};

use crate::actor::PlayerId;
use crate::event::About;
use crate::table::{Hold, Table, place};

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
        // Of several cards too many the first is one.
        if irregularity == Irregularity::SeveralSurplus {
            self.end_hold_on(Irregularity::SurplusOnPlayer);
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
            pending: None,
            sorting: false,
            earlier,
        });
    }

    /// What was on hold is decided; what waited behind it is next.
    pub(super) fn end_hold(&mut self) {
        self.hold = self.hold.take().and_then(|hold| hold.earlier).map(|earlier| *earlier);
    }

    /// What was on hold for this is decided; whatever was found after it still waits.
    pub(super) fn end_hold_on(&mut self, irregularity: Irregularity) {
        fn without(hold: Hold, irregularity: Irregularity) -> Option<Hold> {
            if hold.irregularity == irregularity && hold.ruling.is_none() {
                return hold.earlier.map(|earlier| *earlier);
            }
            let earlier = hold.earlier.and_then(|earlier| without(*earlier, irregularity)).map(Box::new);
            Some(Hold { earlier, ..hold })
        }
        self.hold = self.hold.take().and_then(|hold| without(hold, irregularity));
    }

    /// The cards that something else was about are gone.
    pub(super) fn drop_earlier_holds(&mut self) {
        if let Some(hold) = &mut self.hold {
            hold.earlier = None;
        }
    }

    /// Somebody else, or nobody, has the right to a hand. Who lost it by being away may be back in time.
    pub(super) fn name_squeezer(&mut self, player: Option<PlayerId>, side: Side) {
        let away = self.hold.as_ref().is_some_and(|hold| hold.irregularity == Irregularity::SqueezerAbsent);
        let squeezer = &mut self.round.squeezers[place(side)];
        self.round.away[place(side)] = squeezer.filter(|_| away && player.is_none());
        *squeezer = player;
    }

    /// Cards that have to go are unfit for any round if what is on hold is about the cards themselves.
    pub(super) fn note_unfit(&mut self) {
        if self.shoe.fate != ShoeFate::Replace || self.shoe.unfit.is_some() {
            return;
        }
        let found = self.hold.as_ref().map(|hold| hold.irregularity);
        // With a card that somebody left with, one is missing.
        let carried_off = found == Some(Irregularity::CardsCarriedOff);
        let of_cards = [Irregularity::ForeignCard, Irregularity::UnshuffledCards];
        self.shoe.unfit = if carried_off {
            Some(Irregularity::ForeignCard)
        } else {
            found.filter(|found| of_cards.contains(found))
        };
    }
}
