//! How a round ended, as views tell it: with its winner, so that whoever shows it need not compare hands.

use croupier_rules::baccarat::{Outcome, Side, Winner};

use crate::event::Mark;

/// The features of an outcome, with its winner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OutcomeShown {
    /// The hand that won, or a tie.
    pub winner: Winner,
    /// The Player's count.
    #[cfg_attr(feature = "openapi", schema(maximum = 9))]
    pub player_points: u8,
    /// The Banker's count.
    #[cfg_attr(feature = "openapi", schema(maximum = 9))]
    pub banker_points: u8,
    /// How many cards the Player has.
    #[cfg_attr(feature = "openapi", schema(minimum = 2, maximum = 3))]
    pub player_cards: u8,
    /// How many cards the Banker has.
    #[cfg_attr(feature = "openapi", schema(minimum = 2, maximum = 3))]
    pub banker_cards: u8,
    /// The Player's first two cards are a pair.
    pub player_pair: bool,
    /// The Banker's first two cards are a pair.
    pub banker_pair: bool,
}

impl From<Outcome> for OutcomeShown {
    fn from(outcome: Outcome) -> Self {
        Self {
            winner: outcome.winner(),
            player_points: outcome.points(Side::Player),
            banker_points: outcome.points(Side::Banker),
            player_cards: outcome.cards(Side::Player),
            banker_cards: outcome.cards(Side::Banker),
            player_pair: outcome.is_pair(Side::Player),
            banker_pair: outcome.is_pair(Side::Banker),
        }
    }
}

/// How a round is shown on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum MarkShown {
    /// It had a result.
    Result(OutcomeShown),
    /// A Free Hand with its result.
    Free(OutcomeShown),
    /// Void.
    Void,
    /// A round of Niu Niu, which has no result of its own.
    Played,
}

impl From<Mark> for MarkShown {
    fn from(mark: Mark) -> Self {
        match mark {
            Mark::Result(outcome) => Self::Result(outcome.into()),
            Mark::Free(outcome) => Self::Free(outcome.into()),
            Mark::Void => Self::Void,
            Mark::Played => Self::Played,
        }
    }
}

#[cfg(feature = "serde")]
pub(crate) mod written {
    //! The core's own types, written as they are shown.

    use croupier_rules::baccarat::Outcome;
    use serde::{Serialize, Serializer};

    use super::{MarkShown, OutcomeShown};
    use crate::event::Mark;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
    pub(crate) fn outcome<S: Serializer>(
        outcome: &Option<Outcome>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        outcome.map(OutcomeShown::from).serialize(serializer)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
    pub(crate) fn mark<S: Serializer>(mark: &Option<Mark>, serializer: S) -> Result<S::Ok, S::Error> {
        mark.map(MarkShown::from).serialize(serializer)
    }

    pub(crate) fn marks<S: Serializer>(marks: &[Mark], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(marks.iter().map(|mark| MarkShown::from(*mark)))
    }
}
