//! What each audience sees of a table and may do at it: every view is put together from parts that list what
//! they show, so that nothing is shown that nobody decided to show.
//!
//! | audience | parts |
//! |---|---|
//! | a display for everybody | [`Felt`] |
//! | a player | [`Felt`], the own [`Account`], [`Own`] |
//! | the Dealer | [`Felt`], [`Desk`] |
//! | the pit | [`Felt`], [`Desk`], [`Pit`], all [`Account`]s |
//! | surveillance | the pit's parts and [`Hidden`] |
//!
//! [`Views`] keeps the parts up to date with the events of each command, touching only what they change. What
//! may be done is worked out by the same conditions as the decisions; a test tries every possibility.

mod asked;
pub mod bets;
pub mod desk;
pub mod felt;
pub mod hidden;
pub mod notice;
pub mod outcome;
pub mod pit;
pub mod seat;
pub mod service;
pub mod set;

use croupier_cards::Card;
use croupier_rules::baccarat::Side;

pub use bets::{Bounds, PlaceOffer, TakeBackOffer};
pub use desk::{Act, Desk, DrawOffer, HoldShown, Pending, ReportKind, RevealOffer, RulingOffer, Who};
pub use felt::{
    CardShown, CorrectionShown, Ended, Face, Felt, HandShown, InsuranceShown, SeatShown, ShoeShown,
    SurplusShown, WagerShown, WindowShown,
};
pub use hidden::Hidden;
pub use notice::{Announced, Misannounced, OutOfTurn, PacketsDue, ShoeVerdict};
pub use outcome::{MarkShown, OutcomeShown};
pub use pit::{Pit, PowerOffer};
pub use seat::{Account, ClosedCard, InsureOffer, May, Own, OwnBox, WithdrawOffer};
pub use service::{ForPlayer, Service};

use crate::actor::PlayerId;
use crate::decide::{house, wagers};
use crate::event::{Event, Fact};
use crate::table::Table;
use bets::{Menu, Room};
use seat::Chooser;

/// What a display on the wall shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PublicView<'a> {
    /// The layout.
    pub felt: &'a Felt,
}

/// What a player sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayerView<'a> {
    /// The layout.
    pub felt: &'a Felt,
    /// The own chips.
    pub account: &'a Account,
    /// What the player alone sees, and may do.
    pub own: &'a Own,
}

/// What the Dealer sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DealerView<'a> {
    /// The layout.
    pub felt: &'a Felt,
    /// What may be done.
    pub desk: &'a Desk,
}

/// What the pit sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PitView<'a> {
    /// The layout.
    pub felt: &'a Felt,
    /// What the Dealer may do.
    pub desk: &'a Desk,
    /// What the pit may do.
    pub pit: &'a Pit,
    /// The players' chips.
    pub accounts: &'a [Account],
}

/// What surveillance sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SurveillanceView<'a> {
    /// The layout.
    pub felt: &'a Felt,
    /// What the Dealer may do.
    pub desk: &'a Desk,
    /// What the pit may do.
    pub pit: &'a Pit,
    /// The players' chips.
    pub accounts: &'a [Account],
    /// Every card that was read.
    pub hidden: &'a Hidden,
}

impl<'a> PublicView<'a> {
    /// Every card in the view.
    pub fn cards(self) -> impl Iterator<Item = Card> + 'a {
        self.felt.cards()
    }
}

impl<'a> PlayerView<'a> {
    /// Every card in the view.
    pub fn cards(self) -> impl Iterator<Item = Card> + 'a {
        let boxes = self.own.boxes.iter().flat_map(|own| own.cards.iter().copied());
        self.felt.cards().chain(self.own.closed.iter().map(|closed| closed.card)).chain(boxes)
    }
}

impl<'a> DealerView<'a> {
    /// Every card in the view.
    pub fn cards(self) -> impl Iterator<Item = Card> + 'a {
        self.felt.cards()
    }
}

impl<'a> PitView<'a> {
    /// Every card in the view.
    pub fn cards(self) -> impl Iterator<Item = Card> + 'a {
        self.felt.cards()
    }
}

impl<'a> SurveillanceView<'a> {
    /// Every card in the view.
    pub fn cards(self) -> impl Iterator<Item = Card> + 'a {
        self.felt.cards().chain(self.hidden.cards())
    }
}

/// All views of a table.
#[derive(Clone, Debug)]
pub struct Views {
    felt: Felt,
    accounts: Vec<Account>,
    own: Vec<Own>,
    desk: Desk,
    pit: Pit,
    hidden: Hidden,
    menu: Menu,
    room: Room,
    chooser: Chooser,
    /// The heavier hand while players are asked to close the gap.
    asked_gap: Option<Side>,
    /// Allocations kept from one command to the next.
    spare: Vec<WagerShown>,
    held: Vec<i64>,
}

/// Two are equal if every audience sees the same.
impl PartialEq for Views {
    fn eq(&self, other: &Self) -> bool {
        self.felt == other.felt
            && self.accounts == other.accounts
            && self.own == other.own
            && self.desk == other.desk
            && self.pit == other.pit
            && self.hidden == other.hidden
    }
}

impl Eq for Views {}

/// What the events of a command have changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Touched {
    /// Nothing that anybody sees.
    Nothing,
    /// One player's wager on one bet, while betting is open.
    Wager(PlayerId, usize, Option<u8>),
    /// Cards and what follows from them.
    Cards,
    /// Anything.
    All,
}

impl Touched {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "to take a fact for one that touches anything is never wrong"
    )]
    fn by(fact: &Fact) -> Self {
        match fact {
            Fact::Placed { player, bet, area, .. } => Self::Wager(*player, *bet, *area),
            Fact::Drawn { .. }
            | Fact::Totals { .. }
            | Fact::Decided(_)
            | Fact::Called { .. }
            | Fact::Displayed { .. } => Self::Cards,
            Fact::LiftedLate { .. }
            | Fact::ShoeCounted { .. }
            | Fact::Incident { .. }
            | Fact::NoticeGiven { .. } => Self::Nothing,
            _ => Self::All,
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, touched) | (touched, Self::Nothing) => touched,
            (one, other) if one == other => one,
            (Self::Wager(..) | Self::Cards | Self::All, _) => Self::All,
        }
    }
}

impl Views {
    /// The views of a table as it stands.
    #[must_use]
    pub fn new(table: &Table) -> Self {
        let mut views = Self {
            felt: Felt::new(table),
            accounts: Vec::new(),
            own: Vec::new(),
            desk: Desk::new(table),
            pit: Pit::new(table),
            hidden: Hidden::default(),
            menu: Menu::of(&table.setup),
            room: Room::default(),
            chooser: Chooser::default(),
            asked_gap: None,
            spare: Vec::new(),
            held: Vec::new(),
        };
        views.refresh(table);
        views
    }

    /// Follows a command: `table` as it is after `events` were applied to it.
    pub fn update(&mut self, table: &Table, events: &[Event]) {
        let touched =
            events.iter().map(|event| Touched::by(&event.fact)).fold(Touched::Nothing, Touched::and);
        match touched {
            Touched::Nothing => {}
            // Boxes that are taken change what everybody may lay.
            Touched::Wager(..) if table.setup.by_box() => self.refresh(table),
            Touched::Wager(player, bet, area) => self.wager(table, player, bet, area),
            Touched::Cards => self.cards(table),
            Touched::All => self.refresh(table),
        }
    }

    /// What everybody sees.
    #[must_use]
    pub fn public(&self) -> PublicView<'_> {
        PublicView { felt: &self.felt }
    }

    /// What a player at the table sees; nothing for who is not there.
    #[must_use]
    pub fn player(&self, player: PlayerId) -> Option<PlayerView<'_>> {
        let at = self.accounts.iter().position(|account| account.player == player)?;
        Some(PlayerView { felt: &self.felt, account: self.accounts.get(at)?, own: self.own.get(at)? })
    }

    /// The views of all players, in the order they came.
    pub fn players(&self) -> impl Iterator<Item = PlayerView<'_>> {
        let both = self.accounts.iter().zip(&self.own);
        both.map(|(account, own)| PlayerView { felt: &self.felt, account, own })
    }

    /// What the Dealer sees.
    #[must_use]
    pub fn dealer(&self) -> DealerView<'_> {
        DealerView { felt: &self.felt, desk: &self.desk }
    }

    /// What the pit sees.
    #[must_use]
    pub fn pit(&self) -> PitView<'_> {
        PitView { felt: &self.felt, desk: &self.desk, pit: &self.pit, accounts: &self.accounts }
    }

    /// What surveillance sees.
    #[must_use]
    pub fn surveillance(&self) -> SurveillanceView<'_> {
        SurveillanceView {
            felt: &self.felt,
            desk: &self.desk,
            pit: &self.pit,
            accounts: &self.accounts,
            hidden: &self.hidden,
        }
    }

    /// What somebody with so much in the wallet may buy chips for, at the table or just coming to it.
    #[must_use]
    pub fn buy_in(&self, wallet: i128) -> Option<Bounds> {
        // Whatever may still come to the table may come as a fill.
        Bounds::up_to(wallet.min(i128::from(self.pit.fill?.to.minor())), self.menu.chip())
    }

    /// Everything, into the allocations that are there.
    fn refresh(&mut self, table: &Table) {
        self.felt.show_table(table);
        self.felt.show_seats(table);
        self.felt.show_cards(table);
        self.felt.show_wagers(table, &mut self.spare);
        self.hidden.refresh(table);
        self.desk.refresh(table);
        let addable = house::addable(table);
        self.pit.refresh(table, addable, self.desk.liability);
        self.room.refresh(table, &self.menu);
        self.chooser = Chooser::of(table);
        self.asked_gap = wagers::asked_gap(table).map(|(heavier, _)| heavier);
        self.accounts.clear();
        self.accounts.extend(table.players.iter().map(|player| Account::of(table, player)));
        self.own.resize_with(table.players.len(), Own::default);
        for at in 0..table.players.len() {
            self.offers(table, at);
            if let (Some(own), Some(player)) = (self.own.get_mut(at), table.players.get(at)) {
                own.refresh(table, player, self.chooser, addable);
            }
        }
        self.serve_all(table);
    }

    /// What may be done for every player.
    fn serve_all(&mut self, table: &Table) {
        self.desk.players.truncate(table.players.len());
        for at in 0..table.players.len() {
            self.serve(table, at);
        }
    }

    /// What may be done for the player at that place among the players.
    fn serve(&mut self, table: &Table, at: usize) {
        let (Some(own), Some(player)) = (self.own.get(at), table.players.get(at)) else { return };
        if self.desk.players.len() == at {
            self.desk.players.push(ForPlayer::new(player.id));
        }
        let may = self.desk.of_dealer.services;
        if let Some(served) = self.desk.players.get_mut(at) {
            served.refresh(table, player, own, may);
        }
    }

    /// Bets of the player at that place among the players.
    fn offers(&mut self, table: &Table, at: usize) {
        if let (Some(own), Some(player)) = (self.own.get_mut(at), table.players.get(at)) {
            let Own { place, take_back, .. } = own;
            bets::offers(table, player, &self.menu, &self.room, &mut self.held, place, take_back);
        }
    }

    /// A wager was laid or raised: only its player's chips and bets change, unless it fills an area, uses up
    /// the float or takes over the right to squeeze.
    fn wager(&mut self, table: &Table, who: PlayerId, bet: usize, area: Option<u8>) {
        let before = (self.desk.is_covered(), self.asked_gap);
        self.desk.refresh_money(table);
        self.asked_gap = wagers::asked_gap(table).map(|(heavier, _)| heavier);
        // Whether cards may come out changes for more than one, and so does which wagers may be altered.
        if before != (self.desk.is_covered(), self.asked_gap) {
            return self.refresh(table);
        }
        self.felt.phase = table.phase();
        self.felt.totals = table.round.totals;
        self.felt.show_placed(table, who, bet, &mut self.spare);
        self.pit.refresh_money(table, self.desk.liability);
        let everybody = self.room.refresh(table, &self.menu);
        let chooser = Chooser::of(table);
        let moved = chooser != self.chooser;
        self.chooser = chooser;
        for (at, player) in table.players.iter().enumerate() {
            if player.id == who {
                if let Some(account) = self.accounts.get_mut(at) {
                    account.chips = player.chips;
                }
                if let Some(own) = self.own.get_mut(at) {
                    seat::with_chips(table, player, &mut own.may);
                }
            }
            let is_touched = everybody || player.id == who || bets::shares_area(table, player, who, area);
            if is_touched {
                self.offers(table, at);
            }
            if moved && let Some(own) = self.own.get_mut(at) {
                own.may.ask_squeeze = chooser.may_ask(table, player);
            }
            if is_touched || moved {
                self.serve(table, at);
            }
        }
    }

    /// Cards came out: wagers, chips and seats stay as they are.
    fn cards(&mut self, table: &Table) {
        self.felt.show_table(table);
        self.felt.show_cards(table);
        self.hidden.refresh(table);
        self.desk.refresh(table);
        let addable = house::addable(table);
        self.pit.refresh(table, addable, self.desk.liability);
        if !table.cards_are_handled() {
            let may_cut = seat::may_cut(table);
            self.own.iter_mut().for_each(|own| own.may.cut = may_cut);
            return;
        }
        self.chooser = Chooser::of(table);
        for (own, player) in self.own.iter_mut().zip(&table.players) {
            own.refresh(table, player, self.chooser, addable);
        }
        self.serve_all(table);
    }
}
