//! What facts are made of: where a card came from, why betting closed, how a round ended, what an irregularity is
//! about.

use croupier_cards::Card;
use croupier_rules::baccarat::{Outcome, Side};

use crate::actor::{Actor, PlayerId, Staff};

/// Where a card of a round came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CardSource))]
pub enum Source {
    /// Out of the shoe.
    Shoe,
    /// Left over from the round before.
    Carried,
    /// One of the two held back while cards were counted.
    Held,
    /// One of those drawn together, now in its place.
    Together,
    /// One that was out before it could be told whose it is.
    Waiting,
}

/// Why betting closed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum CloseReason {
    /// The closing call.
    Call,
    /// The first card.
    FirstCard,
}

/// How a round is shown on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = RoundMark))]
pub enum Mark {
    /// It had a result.
    Result(Outcome),
    /// A Free Hand with its result.
    Free(Outcome),
    /// Void.
    Void,
    /// A round of Niu Niu, which has no result of its own.
    Played,
}

/// What comes after a round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = AfterRound))]
pub enum After {
    /// The next round.
    Ready,
    /// The players choose the shoe.
    ShoeOption,
    /// The shoe is finished.
    ShoeEnd,
}

/// What an irregularity is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct About {
    /// The player concerned.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub player: Option<PlayerId>,
    /// The hand concerned.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub side: Option<Side>,
    /// The box concerned.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub box_number: Option<u8>,
}

/// Why a card was put right, and who answers for it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Justified {
    /// Who put it right.
    pub by: Actor,
    /// What it was taken for.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub was: Option<Card>,
    /// What was said.
    pub reason: String,
    /// The second person who saw it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub witness: Option<Staff>,
    /// The result was known already.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    pub after_result: bool,
}
