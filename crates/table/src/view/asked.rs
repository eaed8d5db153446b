//! What the lowest rank of the staff may ask for at all: the table of permissions, asked once when the views are
//! made. It depends on the rulebook and the settings, never on how the table stands.

use croupier_cards::{Card, Composition};
use croupier_rules::baccarat::{Side, Winner};

use super::desk::Act;
use super::service::Service;
use super::set::Set;
use crate::actor::{Actor, PersonId, PlayerId, Rank, Staff};
use crate::command::Action;
use crate::permit;
use crate::table::Table;

/// Somebody of the lowest rank.
const DEALER: Actor = Actor::Staff(Staff { person: PersonId(0), rank: Rank(0), acting: None });

/// Whoever a command is about, where it makes no difference.
const SOMEBODY: PlayerId = PlayerId(0);

/// What the Dealer may do, and do for players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OfDealer {
    /// Calls and cards.
    pub(super) acts: Set<Act>,
    /// What is done for a player.
    pub(super) services: Set<Service>,
}

impl OfDealer {
    pub(super) fn at(table: &Table) -> Self {
        let (mut acts, mut services) = (Set::none(), Set::none());
        for act in Act::ALL.iter().copied() {
            acts.set(act, permit::allows(table, DEALER, &act.action()));
        }
        for service in Service::ALL.iter().copied() {
            // Whoever has the rank for it sees at the desk what may be laid.
            let is_for_dealer = permit::allows(table, DEALER, &service.action());
            services.set(service, service == Service::Place || is_for_dealer);
        }
        Self { acts, services }
    }
}

impl Act {
    /// The command; what it carries makes no difference to who may give it.
    fn action(self) -> Action {
        match self {
            Self::OpenBets => Action::OpenBets,
            Self::CloseBets => Action::CloseBets,
            Self::AskToReduce => Action::AskToReduce,
            Self::LoadShoe => Action::LoadShoe { set: None, commitment: None },
            Self::RecordShuffle => Action::RecordShuffle,
            Self::CutCards => Action::CutCards { above: None },
            Self::Burn => Action::Burn { count: 0, cards: Vec::new() },
            Self::CutCardOut => Action::CutCardOut,
            Self::AnnounceLast => Action::AnnounceLast,
            Self::CountShoe => Action::CountShoe { left: 0 },
            Self::ShoeEmpty => Action::ShoeEmpty,
            Self::CloseShoeChoice => Action::CloseShoeChoice,
            Self::DealFreeHand => Action::DealFreeHand,
            Self::Call => Action::Call(Winner::Tie),
            Self::Settle => Action::Settle,
            Self::OfferInsurance => Action::OfferInsurance,
            Self::CloseInsurance => Action::CloseInsurance,
            Self::CloseWindow => Action::CloseWindow,
            Self::HoldTwo => {
                let card = Card::new(croupier_cards::Rank::Ace, croupier_cards::Suit::Spades);
                Action::HoldTwo([card; 2])
            }
            Self::Sorted => Action::Sorted { found: Box::new(Composition::EMPTY), witness: PersonId(0) },
            Self::CheckCount => Action::CheckCount,
            Self::OpenDealer => Action::OpenDealer,
            Self::HandOverPlayer => Action::HandOver { side: Side::Player, to: SOMEBODY },
            Self::HandOverBanker => Action::HandOver { side: Side::Banker, to: SOMEBODY },
        }
    }
}

impl Service {
    /// The command; whom it is for makes no difference to which staff may give it.
    fn action(self) -> Action {
        let player = SOMEBODY;
        match self {
            Self::Place => Action::Place(crate::command::Place {
                player,
                bet: 0,
                amount: croupier_rules::Amount::ZERO,
                area: None,
                reserve: None,
                in_chips: true,
                untimed: false,
            }),
            Self::BuyIn => Action::BuyIn { player, amount: croupier_rules::Amount::ZERO, cash: true },
            Self::Tip => Action::Tip { player, amount: croupier_rules::Amount::ZERO },
            Self::Leave => Action::Leave { player },
            Self::ChangePlace => Action::Stand { player, behind: None },
            Self::AcceptNotice => Action::AcceptNotice { player },
            Self::AskSqueeze => Action::AskSqueeze { player },
            Self::RefusePlayer => Action::RefuseSqueeze { player, side: Side::Player },
            Self::RefuseBanker => Action::RefuseSqueeze { player, side: Side::Banker },
            Self::TakeDevice => Action::TakeDevice { player },
            Self::GiveUpDevice => Action::GiveUpDevice,
            Self::ChooseShoe => Action::ChooseShoe { player, replace: false },
            Self::ReportHandling => Action::ReportHandling { player },
        }
    }
}
