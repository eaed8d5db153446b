//! Whose act an action is: what a player does, by themselves or by staff on their behalf.

use crate::actor::PlayerId;
use crate::command::Action;

impl Action {
    /// The player whose act it is, whoever gives the command; nothing for what is the house's to do, also where it
    /// is about a player.
    #[must_use]
    pub const fn acts_for(&self) -> Option<PlayerId> {
        match self {
            Self::Sit { player, .. }
            | Self::Stand { player, .. }
            | Self::BuyIn { player, .. }
            | Self::Leave { player }
            | Self::Tip { player, .. }
            | Self::AcceptNotice { player }
            | Self::TakeBack { player, .. }
            | Self::AskSqueeze { player }
            | Self::RefuseSqueeze { player, .. }
            | Self::TakeDevice { player }
            | Self::Insure { player, .. }
            | Self::Answer { player, .. }
            | Self::ChooseShoe { player, .. }
            | Self::HandleCards { player, .. } => Some(*player),
            Self::Place(place) => Some(place.player),

            Self::SignOn(_)
            | Self::SignOff(_)
            | Self::Fill { .. }
            | Self::Credit { .. }
            | Self::CountDrop { .. }
            | Self::PayTips
            | Self::PostCorrection { .. }
            | Self::CloseTable { .. }
            | Self::LoadShoe { .. }
            | Self::RecordShuffle
            | Self::CutCards { .. }
            | Self::Burn { .. }
            | Self::CutCardOut
            | Self::AnnounceLast
            | Self::CountShoe { .. }
            | Self::ReplaceShoe { .. }
            | Self::ShoeEmpty
            | Self::OpenBets
            | Self::CloseBets
            | Self::AskToReduce
            | Self::RemoveWager { .. }
            | Self::LimitAreas(_)
            | Self::Draw { .. }
            | Self::DrawTogether { .. }
            | Self::Correct { .. }
            | Self::CorrectHand { .. }
            | Self::Reveal { .. }
            | Self::OpenFirst(_)
            | Self::DealFreeHand
            | Self::Call(_)
            | Self::Display(_)
            | Self::Settle
            | Self::ChooseMethod(_)
            | Self::ForbidSqueeze { .. }
            | Self::AllowSqueeze { .. }
            | Self::PermitDrawing { .. }
            | Self::GiveUpDevice
            | Self::PassHand { .. }
            | Self::HandOver { .. }
            | Self::OfferInsurance
            | Self::CloseInsurance
            | Self::PermitInsurance
            | Self::SwitchInsurance { .. }
            | Self::ShowBankerFirst { .. }
            | Self::Report(_)
            | Self::Rule(_)
            | Self::Confirm
            | Self::Retract
            | Self::CloseWindow
            | Self::CloseShoeChoice
            | Self::HoldTwo(_)
            | Self::Sorted { .. }
            | Self::DealPacket { .. }
            | Self::CheckCount
            | Self::SetHand { .. }
            | Self::OpenDealer
            | Self::RestrictBoxes { .. }
            | Self::Lift { .. }
            | Self::ReportHandling { .. } => None,
        }
    }

    /// The player whose money it spends without a wager: chips out of the wallet, and tips. Nobody else may.
    #[must_use]
    #[expect(clippy::wildcard_enum_match_arm, reason = "the list is what is meant")]
    pub const fn spends(&self) -> Option<PlayerId> {
        match self {
            Self::BuyIn { player, cash: false, .. } | Self::Tip { player, .. } => Some(*player),
            _ => None,
        }
    }

    /// The player who plays on by it, or comes to play: what somebody excluded may not, whoever does it for them.
    /// Ending what was begun is always possible: taking wagers back, answering, opening hands, leaving.
    #[must_use]
    #[expect(clippy::wildcard_enum_match_arm, reason = "the list is what is meant")]
    pub const fn plays(&self) -> Option<PlayerId> {
        match self {
            Self::Sit { player, .. }
            | Self::Stand { player, .. }
            | Self::BuyIn { player, .. }
            | Self::Tip { player, .. }
            | Self::AcceptNotice { player }
            | Self::AskSqueeze { player }
            | Self::TakeDevice { player }
            | Self::Insure { player, .. } => Some(*player),
            Self::Place(place) => Some(place.player),
            _ => None,
        }
    }
}
