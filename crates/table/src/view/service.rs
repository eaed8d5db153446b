//! What whoever deals may do for a player who asks for it at the table. It follows from what the player may do, so that
//! both are offered the same.

use super::seat::Own;
use super::set::{Set, listed};
use crate::actor::PlayerId;
use crate::table::{Player, Stage, Table};

listed! {
    /// Something that is done for a player.
    pub enum Service;

    /// Laying a wager, in the rank that the rulebook asks for.
    Place,
    /// Selling chips: for cash, or from the wallet for a player who proves to be there.
    BuyIn,
    /// Taking a tip, from a player who proves to be there.
    Tip,
    /// Letting the player leave with all chips.
    Leave,
    /// Showing another place: a free seat, or standing.
    ChangePlace,
    /// Noting that the player accepts that there is no insurance.
    AcceptNotice,
    /// Noting that the player asks to squeeze.
    AskSqueeze,
    /// Noting that the player will not open the Player's hand.
    RefusePlayer,
    /// Noting that the player will not open the Banker's hand.
    RefuseBanker,
    /// Giving the dealing device to the player.
    TakeDevice,
    /// Taking it back.
    GiveUpDevice,
    /// Noting whether the player wants another shoe.
    ChooseShoe,
    /// Noting that cards were off the layout or out of sight.
    ReportHandling,
}

/// What may be done for one player.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ForPlayer {
    /// Who.
    pub player: PlayerId,
    /// What.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Service>))]
    pub may: Set<Service>,
    /// Wagers that may be taken back whole, by their place on the layout.
    pub take_back: Vec<usize>,
}

impl ForPlayer {
    pub(super) fn new(player: PlayerId) -> Self {
        Self { player, may: Set::none(), take_back: Vec::new() }
    }

    /// Follows from what the player may do, as far as the Dealer may do it for players.
    pub(super) fn refresh(&mut self, table: &Table, player: &Player, own: &Own, may: Set<Service>) {
        self.player = player.id;
        self.may = services(table, own).and(may);
        self.take_back.clear();
        let mine = table.round.open().filter(|(_, laid)| laid.player == player.id);
        self.take_back.extend(mine.filter_map(|(at, laid)| {
            let area = table.setup.box_of(laid.area);
            let mut offers = own.take_back.iter().filter(|offer| offer.all.is_some());
            offers.any(|offer| offer.bet == laid.bet && offer.box_number == area).then_some(at)
        }));
    }
}

fn services(table: &Table, own: &Own) -> Set<Service> {
    let may = &own.may;
    let mut services = Set::none();
    services.set(Service::Place, !own.place.is_empty());
    services.set(Service::BuyIn, may.buy_in.is_some());
    services.set(Service::Tip, may.tip.is_some());
    services.set(Service::Leave, may.leave);
    services.set(Service::ChangePlace, may.change_place);
    services.set(Service::AcceptNotice, may.accept_notice && !table.insurance_on);
    services.set(Service::AskSqueeze, may.ask_squeeze);
    services.set(Service::RefusePlayer, may.refuse_squeeze[0]);
    services.set(Service::RefuseBanker, may.refuse_squeeze[1]);
    services.set(Service::TakeDevice, may.take_device);
    services.set(Service::GiveUpDevice, may.give_up_device);
    services.set(Service::ChooseShoe, may.choose_shoe);
    let has_hands = table.stage == Stage::Playing && !table.round.boxes.hands.is_empty();
    services.set(Service::ReportHandling, has_hands && table.shoe.commitment.is_none());
    services
}
