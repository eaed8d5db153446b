//! What one player sees and may do beyond what lies on the layout: the own chips, the cards held closed, the
//! choices that are open. Nothing about anybody else.

use croupier_cards::Card;
use croupier_rules::baccarat::Side;
use croupier_rules::baccarat::insurance::Stage as Window;
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::AllWithdraw;
use croupier_rules::niu_niu::Category;
use croupier_rules::{Amount, Odds, Rule};

use super::bets::{Bounds, PlaceOffer, TakeBackOffer};
use super::desk::{DrawOffer, RevealOffer, draw_due, reveal_due};
use crate::actor::{Actor, PlayerId};
use crate::command::{Action, Bar, Holder};
use crate::decide::{bars, choice, device, hands, house, insurance, reveal, shoe, squeeze};
use crate::permit;
use crate::setup::Method;
use crate::table::{Dealt, Player, Stage, Table, place};

const SIDES: [Side; 2] = [Side::Player, Side::Banker];

/// What the table knows of a player: for the player and for those who run the pit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = PlayerAccount))]
pub struct Account {
    /// Who.
    pub player: PlayerId,
    /// Chips not on the layout.
    pub chips: Amount,
    /// Commission owed until the shoe ends.
    pub owes: Amount,
    /// A wager below the minimum was settled once.
    pub warned: bool,
    /// One box only.
    pub one_box: bool,
    /// May not handle cards.
    pub barred: bool,
    /// May not squeeze in this round.
    pub no_squeeze: bool,
}

impl Account {
    pub(super) fn of(table: &Table, player: &Player) -> Self {
        Self {
            player: player.id,
            chips: player.chips,
            owes: player.owes,
            warned: player.warned,
            one_box: player.one_box_from.is_some(),
            barred: player.barred,
            no_squeeze: bars::is_under(table, player.id, Bar::Squeezing),
        }
    }
}

/// What a player alone sees, and may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Own {
    /// Bets that may be laid or raised.
    pub place: Vec<PlaceOffer>,
    /// Wagers that may be taken back.
    pub take_back: Vec<TakeBackOffer>,
    /// The rest of what may be done.
    pub may: May,
    /// The closed cards of hands that are the player's to open, as far as they were read.
    pub closed: Vec<ClosedCard>,
    /// The hands of the player's own boxes that the player may look at, once they are counted.
    pub boxes: Vec<OwnBox>,
    /// An insurance on offer.
    pub insure: Option<InsureOffer>,
    /// A choice to withdraw.
    pub withdraw: Option<WithdrawOffer>,
    /// What the notice rests on that there is no insurance, while it is to be accepted.
    pub notice_cites: Vec<Basis>,
    /// What the choice of the shoe rests on, while it is open.
    pub shoe_cites: Vec<Basis>,
}

/// What may be done that takes no more than yes or no, or a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct May {
    /// Leave with all chips.
    pub leave: bool,
    /// Take another seat that is free, or stand.
    pub change_place: bool,
    /// Buy chips from the wallet.
    pub buy_in: Option<Bounds>,
    /// Give a tip.
    pub tip: Option<Bounds>,
    /// Accept that there is no insurance.
    pub accept_notice: bool,
    /// Cut the cards.
    pub cut: bool,
    /// Ask to squeeze.
    pub ask_squeeze: bool,
    /// Open the Player's or the Banker's hand.
    #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 2))]
    pub reveal: [Option<RevealOffer>; 2],
    /// Refuse the Player's or the Banker's hand.
    #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 2))]
    pub refuse_squeeze: [bool; 2],
    /// Take the dealing device.
    pub take_device: bool,
    /// Give it up.
    pub give_up_device: bool,
    /// Draw a card from it.
    pub draw: Option<DrawOffer>,
    /// Pass the Player's or the Banker's hand on.
    #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 2))]
    pub pass_hand: [bool; 2],
    /// Say whether the shoe is to be replaced.
    pub choose_shoe: bool,
    /// What was said already.
    pub shoe_chosen: Option<bool>,
    /// Handle the cards of this box.
    pub handle: Option<u8>,
    /// Set the hand of this box.
    pub set_hand: Option<u8>,
}

/// A closed card that lies before the player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClosedCard {
    /// Its number among the draws of the round, from 1.
    pub draw: usize,
    /// The hand.
    pub side: Side,
    /// The card.
    pub card: Card,
}

/// The hand of an own box.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnBox {
    /// Which.
    pub number: u8,
    /// The cards.
    pub cards: Vec<Card>,
    /// What the cards are: the best that it can be set as.
    pub best: Option<Category>,
    /// The three cards that make 10, 20 or 30, by their places among the cards; none without a Niu.
    pub three: Option<[usize; 3]>,
    /// What it is set as.
    pub set_as: Option<Category>,
}

/// An insurance that the player may take.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InsureOffer {
    /// The window.
    pub stage: Window,
    /// The hand.
    pub side: Side,
    /// What it pays.
    pub odds: Odds,
    /// What may be laid.
    pub stake: Bounds,
    /// The wager it insures, cut to its maximum: winnings never exceed it.
    pub insured: Amount,
    /// What earlier insurances of the round leave of it.
    pub uncovered: Amount,
    /// The most that counts; what is laid above it goes back at settlement.
    pub most: Amount,
    /// The house's limit for all that a player lays at these odds.
    pub house_limit: Option<Amount>,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

/// The choice to take the open wagers back before a ruling is carried out: all of them or none.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WithdrawOffer {
    /// The wagers it covers, by their place on the layout.
    pub wagers: Vec<usize>,
    /// The insurances it covers, by their place on the layout.
    pub insurances: Vec<usize>,
    /// What would go back, Reserves included.
    pub amount: Amount,
    /// What happens if every player withdraws.
    pub if_all: AllWithdraw,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

impl Own {
    /// Everything but the bets.
    pub(super) fn refresh(&mut self, table: &Table, player: &Player, chooser: Chooser, addable: i128) {
        self.may = may(table, player, chooser, addable);
        self.closed.clear();
        if table.stage == Stage::Playing {
            let squeezers = table.round.squeezers;
            let lies_before = |dealt: &Dealt| {
                let on = dealt.misplaced.unwrap_or(dealt.side);
                [dealt.side, on].iter().all(|side| squeezers[place(*side)] == Some(player.id))
            };
            let draws = table.round.draws.iter().enumerate();
            self.closed.extend(draws.filter(|(_, dealt)| !dealt.exposed && lies_before(dealt)).filter_map(
                |(at, dealt)| Some(ClosedCard { draw: at + 1, side: dealt.side, card: dealt.card? }),
            ));
        }
        self.boxes.clear();
        if table.round.boxes.counted {
            self.boxes.extend(own_boxes(table, player));
        }
        self.insure = insure(table, player);
        self.withdraw = withdraw(table, player);
        self.notice_cites.clear();
        if self.may.accept_notice && !table.insurance_on {
            self.notice_cites.extend(house::notice_cites(table));
        }
        self.shoe_cites.clear();
        if self.may.choose_shoe {
            self.shoe_cites.extend_from_slice(table.game().cites(Rule::ShoeChoice));
        }
    }
}

/// Who may ask to squeeze as the wagers lie; worked out once for all players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Chooser([Option<PlayerId>; 2]);

impl Chooser {
    pub(super) fn of(table: &Table) -> Self {
        let asks = squeeze::is_on_request(table) && squeeze::check_time(table).is_ok();
        if asks && table.hold.is_none() { Self(squeeze::askers(table)) } else { Self::default() }
    }

    pub(super) fn may_ask(self, table: &Table, player: &Player) -> bool {
        self.0.contains(&Some(player.id))
            && player.seat.is_some()
            && !table.round.forbidden.contains(&player.id)
            && !table.round.asked.contains(&player.id)
    }
}

/// Any whole number of chips up to so much.
fn whole_chips(table: &Table, most: i64) -> Option<Bounds> {
    Bounds::within(1, most, 0, table.setup.terms.chip.minor())
}

/// The chips are the player's, and so is what can be done with them.
pub(super) fn with_chips(table: &Table, player: &Player, may: &mut May) {
    let running = table.stage != Stage::Closed;
    may.leave = running && house::check_leave(table, player).is_ok();
    may.change_place = running && house::check_no_wagers(table, player.id).is_ok();
    may.tip = whole_chips(table, player.chips.minor()).filter(|_| running);
    may.take_device = running && table.hold.is_none() && device::check_take(table, player.id).is_ok();
}

fn may(table: &Table, player: &Player, chooser: Chooser, addable: i128) -> May {
    let mut may = May::default();
    with_chips(table, player, &mut may);
    if table.stage == Stage::Closed {
        return may;
    }
    may.buy_in = Bounds::up_to(addable, table.setup.terms.chip.minor());
    may.accept_notice = table.game().insurance.is_some() && !player.accepted_notice;
    let me = Actor::Player(player.id);
    may.give_up_device = table.device.is_some() && permit::allows(table, me, &Action::GiveUpDevice);
    if table.hold.is_some() {
        let opens = |side: Side| squeezes(table, player, side) && reveal::opens_for_count(table, side);
        let is_read = |offer: &RevealOffer| !reveal::is_for_the_house(table, offer.unread);
        may.reveal = SIDES.map(|side| reveal_due(table, side).filter(|_| opens(side)).filter(is_read));
        return may;
    }
    let round = &table.round;
    let playing = table.stage == Stage::Playing;
    let squeezes = SIDES.map(|side| playing && squeezes(table, player, side));
    may.cut = may_cut(table);
    may.ask_squeeze = chooser.may_ask(table, player);
    let is_read = |offer: &RevealOffer| !reveal::is_for_the_house(table, offer.unread);
    may.reveal = SIDES.map(|side| reveal_due(table, side).filter(|_| squeezes[place(side)]).filter(is_read));
    may.refuse_squeeze = squeezes;
    let method = if playing { round.method } else { table.method };
    let draws = Action::Draw { card: None, laid: None, exposed: false };
    let draws_himself = method == Some(Method::C) && permit::allows(table, me, &draws);
    may.draw = if draws_himself { draw_due(table) } else { None };
    may.pass_hand = SIDES.map(|side| {
        table.method == Some(Method::C)
            && permit::allows(table, me, &Action::PassHand { side, to: None })
            && device::check_pass(table, side).is_ok()
    });
    may.choose_shoe = shoe::may_choose(table, player.id);
    may.shoe_chosen =
        round.shoe_choices.iter().find(|(who, _)| *who == player.id).map(|(_, replace)| *replace);
    let dealt_to_boxes = playing && !round.boxes.hands.is_empty();
    let own_hand = if dealt_to_boxes { hands::may_touch(table, player) } else { None };
    may.handle = own_hand.filter(|number| hands::check_handled(table, *number).is_ok());
    let is_there = |number: &u8| round.boxes.hand(Holder::Box(*number)).is_some();
    may.set_hand = own_hand.filter(is_there).filter(|_| hands::are_set_now(table.phase(), false));
    may
}

/// Whether the cards of a hand are the player's to open.
fn squeezes(table: &Table, player: &Player, side: Side) -> bool {
    permit::allows(table, Actor::Player(player.id), &Action::Reveal { side, told: Vec::new() })
}

/// Whether the cards are to be cut.
pub(super) fn may_cut(table: &Table) -> bool {
    table.hold.is_none() && shoe::check_cut(table).is_ok()
}

/// Who has several boxes looks at the cards of one; the others are seen when the Dealer's hand is open.
fn own_boxes(table: &Table, player: &Player) -> impl Iterator<Item = OwnBox> {
    let owner = player.id;
    let round = &table.round;
    let all = round.boxes.dealer_open;
    let looks_at = hands::own_hand(table, player);
    round.boxes.hands.iter().filter_map(move |dealt| match dealt.holder {
        Holder::Box(number) if all || looks_at == Some(number) => {
            let mine = |laid: &crate::table::Laid| laid.player == owner && laid.area == Some(number);
            round.wagers.iter().any(mine).then(|| OwnBox {
                number,
                cards: dealt.cards.clone(),
                best: dealt.hand().map(|hand| hand.category()),
                three: dealt.hand().and_then(|hand| hand.three()),
                set_as: dealt.set_as,
            })
        }
        Holder::Box(_) | Holder::Dealer => None,
    })
}

/// Whether a player may lay an insurance in the window that is open, one that would count.
pub(crate) fn somebody_may_insure(table: &Table) -> bool {
    let counts = |offer: InsureOffer| offer.most.minor() >= offer.stake.from.minor();
    table.players.iter().any(|player| insure(table, player).is_some_and(counts))
}

fn insure(table: &Table, player: &Player) -> Option<InsureOffer> {
    let (window, line) = insurance::offered_line(table).filter(|_| table.hold.is_none())?;
    if !table.insurance_on || table.round.lapsed.contains(&player.id) {
        return None;
    }
    let room = insurance::Room::of(table, line, player.id);
    if room.full.is_some() || insurance::cover_with(table, line, player.id) > i128::from(table.float.minor())
    {
        return None;
    }
    let terms = &table.setup.terms;
    let minimum = terms.insurance_minimum.map_or(1, Amount::minor);
    let mut cites = table.game().cites(Rule::InsuranceOffer).to_vec();
    cites.extend(&line.cites);
    Some(InsureOffer {
        stage: window.stage,
        side: line.side,
        odds: line.odds,
        stake: Bounds::within(minimum, player.chips.minor(), 0, terms.chip.minor())?,
        insured: room.insured,
        uncovered: room.uncovered,
        most: room.most,
        house_limit: terms
            .insurance_limits
            .iter()
            .find(|(odds, _)| *odds == line.odds)
            .map(|(_, limit)| *limit),
        cites,
    })
}

fn withdraw(table: &Table, player: &Player) -> Option<WithdrawOffer> {
    let hold = table.hold.as_ref()?;
    if !choice::is_asked(hold, player.id) {
        return None;
    }
    let withdrawal = choice::waiting(table).and_then(|(ruling, _)| ruling.withdrawal)?;
    let mut amount = Amount::ZERO;
    let mut wagers = Vec::new();
    for (at, laid) in choice::undecided(table).into_iter().filter(|(_, laid)| laid.player == player.id) {
        amount += laid.stake + laid.reserve;
        wagers.push(at);
    }
    let mut insurances = Vec::new();
    let open = |laid: &crate::table::InsuranceLaid| laid.player == player.id && laid.ended.is_none();
    for (at, laid) in table.round.insurances.iter().enumerate().filter(|(_, laid)| open(laid)) {
        amount += laid.stake;
        insurances.push(at);
    }
    Some(WithdrawOffer { wagers, insurances, amount, if_all: withdrawal.if_all, cites: withdrawal.cites })
}
