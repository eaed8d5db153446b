//! The money effect of a case: corrections, and the ledger entries they become. Whether the books can bear
//! them is the ledger's to say; bets and Reserves are never touched.

use croupier_ledger::{Account, CaseId, Entry, Kind, TableId, Transfer, TransferId};
use croupier_rules::Amount;

use super::command::{CaseChange, CaseEvent};
use crate::actor::PlayerId;

/// What a player gets or gives back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Correction {
    /// Who.
    pub player: PlayerId,
    /// How much: above zero from the house to the player, below zero from the player to the house.
    pub amount: Amount,
}

/// Between which accounts corrections go. A table that is closed has no float, and a player who left it no
/// chips there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Through {
    /// Between the table's float and the player's chips there.
    Table,
    /// Between the cage and the player's wallet.
    Cage,
}

/// Corrections with the ids under which they go into the books.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Posted {
    /// At which table the dispute arose.
    pub table: TableId,
    /// Between which accounts.
    pub through: Through,
    /// The corrections, each with its id.
    pub corrections: Vec<(TransferId, Correction)>,
}

/// The ledger entries of an event: one correction for each player, if the event moves money.
#[must_use]
pub fn entries(event: &CaseEvent) -> Vec<Entry> {
    match &event.change {
        CaseChange::CorrectionsPosted { posted } | CaseChange::ComplaintAnswered { posted, .. } => posted
            .corrections
            .iter()
            .filter_map(|&(id, correction)| entry(event.case, posted, id, correction))
            .collect(),
        CaseChange::Opened { .. }
        | CaseChange::Assigned { .. }
        | CaseChange::Settled { .. }
        | CaseChange::Escalated { .. }
        | CaseChange::TakenOver
        | CaseChange::FactGathered { .. }
        | CaseChange::EvidenceAttached { .. }
        | CaseChange::PlayerHeard { .. }
        | CaseChange::StaffHeard { .. }
        | CaseChange::PlayerNotHeard { .. }
        | CaseChange::StaffNotHeard { .. }
        | CaseChange::SurveillanceInformed
        | CaseChange::DueTold { .. }
        | CaseChange::GatheringCompleted
        | CaseChange::MoreEvidenceAsked { .. }
        | CaseChange::Decided { .. }
        | CaseChange::Agreed
        | CaseChange::Disagreed
        | CaseChange::RightTold
        | CaseChange::ComplaintWished
        | CaseChange::ComplaintDeclined
        | CaseChange::HelperNamed { .. }
        | CaseChange::ComplaintFiled { .. } => Vec::new(),
    }
}

/// Nothing for an amount of zero, which [`decide`](super::decide) refuses.
fn entry(case: CaseId, posted: &Posted, id: TransferId, correction: Correction) -> Option<Entry> {
    let Correction { player, amount } = correction;
    let (house, player) = match posted.through {
        Through::Table => (Account::Float(posted.table), Account::Chips { table: posted.table, player }),
        Through::Cage => (Account::Cage, Account::Wallet(player)),
    };
    let (from, to) = if amount.is_positive() { (house, player) } else { (player, house) };
    let amount = croupier_ledger::Amount::new(amount.minor().abs()).filter(|amount| !amount.is_zero())?;
    Some(Entry::Direct(Transfer { id, from, to, amount, kind: Kind::Correction { case } }))
}
