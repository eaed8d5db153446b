//! What one family of games has and another has not: questions that have a name of their own, so that whoever asks
//! need not know which families there are.
//!
//! Each answer is one `match` over all of them, and a new family is a list of arms that the compiler asks for. What is
//! not only answered but done differently is dispatched where it is done: see `docs/new-family.md`.

use croupier_cards::Decks;

use crate::rulebook::Family;

impl Family {
    /// Whether wagers lie on boxes, each of which is a round of its own: one player bets there, each bet is laid once,
    /// and it wins or loses whatever the other boxes do. Otherwise all wagers are on the same hands, and what a player
    /// lays on a bet is one wager, in whichever area it lies.
    #[must_use]
    pub const fn by_box(self) -> bool {
        match self {
            Self::Baccarat => false,
            Self::NiuNiu => true,
        }
    }

    /// Whether hands are dealt in packets, and counted before they are played. Otherwise cards come one by one, and to
    /// which hand each goes follows from the draw order.
    #[must_use]
    pub const fn in_packets(self) -> bool {
        match self {
            Self::Baccarat => false,
            Self::NiuNiu => true,
        }
    }

    /// Whether each round is dealt from cards that were shuffled for it. Otherwise a shoe lasts for many.
    #[must_use]
    pub const fn deck_per_round(self) -> bool {
        match self {
            Self::Baccarat => false,
            Self::NiuNiu => true,
        }
    }

    /// The most decks that it is dealt from.
    #[must_use]
    pub const fn most_decks(self) -> Decks {
        match self {
            Self::Baccarat => Decks::MAX,
            Self::NiuNiu => Decks::ONE,
        }
    }
}
