//! What the Dealer and the pit are told beside what may be done: a result that was made known wrongly, a shoe that is
//! to go, packets that only the device may deal, and those that went out of turn.

use croupier_rules::Rule;
use croupier_rules::baccarat::Winner;
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::{Irregularity, ShoeFate};

use crate::command::Holder;
use crate::decide::hands;
use crate::table::{Stage, Table};

/// How a result was made known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Announced {
    /// The Dealer called it.
    Call,
    /// A display showed it.
    Display,
}

/// A result was made known that the cards do not say; the cards decide.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Misannounced {
    /// How.
    pub how: Announced,
    /// What was said or shown.
    pub said: Winner,
    /// What the cards say.
    pub cards: Winner,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

/// What a ruling, or the players' choice, says of the shoe.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ShoeVerdict {
    /// Whether it may or must be replaced.
    pub fate: ShoeFate,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

/// Packets of Niu Niu that only the dealing device may deal: nobody keys them in.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PacketsDue {
    /// Who still has none, in the order of the deal.
    pub to: Vec<Holder>,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

/// Hands of Niu Niu that were dealt before one whose turn it was.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OutOfTurn {
    /// Whose, in the order they were dealt.
    pub hands: Vec<Holder>,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

impl OutOfTurn {
    /// What lies there out of turn, until the hands are put right or the round is over.
    pub(super) fn of(table: &Table) -> Option<Self> {
        let rule = table.rulebook().irregularity(Irregularity::DealtOutOfTurn)?;
        if table.stage != Stage::Playing || rule.irregularity != Irregularity::DealtOutOfTurn {
            return None;
        }
        let hands = table.round.boxes.early.clone();
        (!hands.is_empty()).then(|| Self { hands, cites: rule.cites.clone() })
    }
}

impl Misannounced {
    /// What was called or shown last, where the cards say something else.
    pub(super) fn all(table: &Table) -> impl Iterator<Item = Self> {
        let round = &table.round;
        let cards = round.outcome.map(|outcome| outcome.winner());
        let announced = [(Announced::Call, round.called), (Announced::Display, round.displayed)];
        announced.into_iter().filter_map(move |(how, said)| {
            let (said, cards) = (said?, cards?);
            let cites = table.game().cites(Rule::WrongCall).to_vec();
            (said != cards).then_some(Self { how, said, cards, cites })
        })
    }
}

impl ShoeVerdict {
    pub(super) fn of(table: &Table) -> Option<Self> {
        let shoe = &table.shoe;
        (shoe.fate != ShoeFate::Keep).then(|| Self { fate: shoe.fate, cites: shoe.fate_cites.clone() })
    }
}

impl PacketsDue {
    /// The packets that are due, once betting is closed.
    pub(super) fn of(table: &Table) -> Option<Self> {
        let boxes = &table.round.boxes;
        let dealing = table.stage == Stage::Playing && !boxes.counted && table.hold.is_none();
        let dealing = dealing && table.shoe.left > 0;
        if !table.setup.in_packets() || !dealing {
            return None;
        }
        let all = hands::in_play(table).into_iter().map(Holder::Box).chain([Holder::Dealer]);
        let to: Vec<Holder> = all.filter(|holder| boxes.hand(*holder).is_none()).collect();
        let cites = table.game().cites(Rule::DealingDevice).to_vec();
        (!to.is_empty()).then_some(Self { to, cites })
    }
}
