//! What happened to a dispute, in words.

use croupier_rules::Amount;
use croupier_table::PlayerId;
use croupier_table::case::{CaseChange, Correction, Due, Evidence};

use crate::amount::Decimals;

pub(super) fn tell(change: &CaseChange, names: &[String], decimals: Decimals) -> String {
    match change {
        CaseChange::Opened { .. } => "a dispute is opened",
        CaseChange::Assigned { .. } => "the first line has the case",
        CaseChange::Settled { .. } => "settled at the first line",
        CaseChange::Escalated { .. } => "not settled; it goes up",
        CaseChange::TakenOver => "taken over",
        CaseChange::FactGathered { .. } => "a fact is put down",
        CaseChange::EvidenceAttached { evidence } => match evidence {
            Evidence::RoundFile { .. } => "the round is attached",
            Evidence::Journal { .. } => "its journal is attached",
            Evidence::ShoeFeed { .. } => "the record of the shoe is attached",
            Evidence::Surveillance { .. } => "Surveillance's record is attached",
            Evidence::Published { .. } | Evidence::Document { .. } => "the document is attached",
        },
        CaseChange::PlayerHeard { .. } => "the player is heard",
        CaseChange::StaffHeard { .. } => "the staff is heard",
        CaseChange::PlayerNotHeard { .. } => "why the player cannot be heard is put down",
        CaseChange::StaffNotHeard { .. } => "why the staff cannot be heard is put down",
        CaseChange::SurveillanceInformed => "Surveillance is informed",
        CaseChange::DueTold { due: Due::By(_) } => "the player knows by when a settlement is tried",
        CaseChange::DueTold { due: Due::NotTold { .. } } => "why no time can be told is put down",
        CaseChange::GatheringCompleted => "everything is gathered",
        CaseChange::MoreEvidenceAsked { .. } => "more evidence is asked for",
        CaseChange::Decided { corrections, .. } => return decided(corrections, names, decimals),
        CaseChange::Agreed => "the player agrees",
        CaseChange::Disagreed => "the player disagrees",
        CaseChange::CorrectionsPosted { .. } => "the corrections are posted",
        CaseChange::RightTold => "the player knows of the right to complain",
        CaseChange::ComplaintWished => "the player wishes to complain",
        CaseChange::ComplaintDeclined => "the player wishes no complaint",
        CaseChange::HelperNamed { .. } => "somebody helps the player",
        CaseChange::ComplaintFiled { .. } => "the complaint is handed in",
        CaseChange::ComplaintAnswered { .. } => "the complaint is answered",
    }
    .to_string()
}

fn decided(corrections: &[Correction], names: &[String], decimals: Decimals) -> String {
    let name = |player: PlayerId| {
        let at = usize::try_from(player.0).ok();
        at.and_then(|at| names.get(at)).map_or("nobody", String::as_str)
    };
    let told: Vec<String> = corrections
        .iter()
        .map(|correction| match correction.amount {
            amount if amount < Amount::ZERO => {
                format!("{} pays {} back", name(correction.player), decimals.show(-amount))
            }
            amount => format!("{} is paid {}", name(correction.player), decimals.show(amount)),
        })
        .collect();
    if told.is_empty() {
        "decided; no money moves".to_string()
    } else {
        format!("decided: {}", told.join(", "))
    }
}
