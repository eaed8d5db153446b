//! What the Dealer may do now: calls, cards, reports, rulings. Whoever stands above the Dealer may do it too.

use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::{AllWithdraw, Irregularity, Ruling, ShoeFate};
use croupier_rules::{Amount, Power, Remedy};

use super::asked::OfDealer;
use super::notice::{Misannounced, OutOfTurn, PacketsDue, ShoeVerdict};
use super::pit;
use super::service::ForPlayer;
use super::set::{Set, listed};
use crate::actor::{Actor, PlayerId, Rank, Staff};
use crate::command::{Holder, Report};
use crate::decide::{choice, deal, device, hands, irregular, remedy, reveal, second, shoe, squeeze, wagers};
use crate::event::About;
use crate::phase::Phase;
use crate::setup::Method;
use crate::table::{Stage, Table, place};

const SIDES: [Side; 2] = [Side::Player, Side::Banker];

/// Who may do something.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Who {
    /// Any of the staff.
    Anybody,
    /// This rank, and every one above.
    Rank(Rank),
    /// Nobody: the rulebook leaves it to a rank that the table has not named.
    Nobody,
}

listed! {
    /// Something that any of the staff may do, without more to say than its own numbers.
    pub enum Act;

    /// The opening call.
    OpenBets,
    /// The closing call.
    CloseBets,
    /// Asking bettors on the heavier hand to reduce.
    AskToReduce,
    /// Putting cards into the device.
    LoadShoe,
    /// Recording the shuffle.
    RecordShuffle,
    /// Cutting the cards.
    CutCards,
    /// Burning cards, as many as the desk says.
    Burn,
    /// The cut card comes out.
    CutCardOut,
    /// Announcing the last hand.
    AnnounceLast,
    /// Counting the cards left.
    CountShoe,
    /// Nothing more comes out of the shoe.
    ShoeEmpty,
    /// Closing the players' choice of the shoe.
    CloseShoeChoice,
    /// Dealing the Free Hand.
    DealFreeHand,
    /// Calling the result.
    Call,
    /// Settling.
    Settle,
    /// Making the offer of insurance.
    OfferInsurance,
    /// Closing the insurance.
    CloseInsurance,
    /// Closing the players' choice to withdraw.
    CloseWindow,
    /// Drawing two cards to hold back.
    HoldTwo,
    /// Entering the count of the cards.
    Sorted,
    /// Spreading and counting the hands.
    CheckCount,
    /// Opening the Dealer's hand.
    OpenDealer,
    /// Handing the Player's cards to a player.
    HandOverPlayer,
    /// Handing the Banker's cards to a player.
    HandOverBanker,
}

listed! {
    /// Something that can be reported now.
    pub enum ReportKind;

    /// A foreign card, one too many or one missing.
    ForeignCard,
    /// The cards were not shuffled.
    Unshuffled,
    /// The hands cannot be put together again.
    CannotRebuild,
    /// The order in the device is lost.
    OrderLost,
    /// A player left with the cards of a hand.
    CarriedOff,
    /// The device is jammed.
    Jam,
    /// The device must be reset.
    DeviceReset,
    /// A card lies face up in the shoe, or was seen there.
    FaceUp,
    /// A card was exposed by mistake.
    Exposed,
    /// Cards were exposed while a player moved the device.
    ExposedMoving,
    /// Cards lie in the wrong order.
    WrongOrder,
    /// Nothing was burned.
    NoBurn,
    /// Cards went to the wrong player, or the wrong hand did.
    WrongDelivery,
    /// The Dealer opened what was to be handed over.
    NotDelivered,
    /// The player who is to open the cards is absent.
    Absent,
    /// A player bends or damages cards.
    Damaged,
    /// The power fails.
    PowerFailure,
    /// Something beyond the house's control.
    ForceMajeure,
    /// A wager was taken off after betting closed.
    WagerRemoved,
    /// What the rules do not cover.
    Other,
    /// Where a surplus card lies.
    SurplusOn,
}

/// A card that may be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DrawOffer {
    /// The hand it belongs to; nothing where cards left over come first.
    pub side: Option<Side>,
    /// It is one of the two held back.
    pub from_held: bool,
    /// It goes face down.
    pub face_down: bool,
}

/// A hand that may be opened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RevealOffer {
    /// How many of its cards must be named, because nobody has read them.
    pub unread: usize,
}

/// A ruling that may be made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulingOffer {
    /// What is done.
    pub remedy: Remedy,
    /// The players may withdraw; then what happens if all do.
    pub withdrawal: Option<AllWithdraw>,
    /// Who may make it.
    pub who: Who,
    /// What becomes of the shoe.
    pub shoe: ShoeFate,
    /// The ruling must give the order of this many cards.
    pub order_of: usize,
    /// The ruling must name one of these players.
    pub one_of: Vec<PlayerId>,
    /// What it rests on.
    pub cites: Vec<Basis>,
}

/// What is on hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HoldShown {
    /// What.
    pub irregularity: Irregularity,
    /// About whom or what.
    pub about: About,
    /// What may be ruled.
    pub rulings: Vec<RulingOffer>,
    /// The ruling that was made and is not carried out yet.
    pub ruled: Option<Remedy>,
    /// What the players answered who may withdraw.
    pub answers: Vec<(PlayerId, Option<bool>)>,
    /// What was found waits for a second person.
    pub pending: Option<Pending>,
    /// Whoever may can take it back: nothing has come of it yet.
    pub retractable: bool,
}

/// What was found has consequences that follow at once, after a second person has confirmed the finding.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = PendingFinding))]
pub struct Pending {
    /// Who found it, and does not confirm it.
    pub found_by: Actor,
    /// The lowest rank that does.
    pub needs: Rank,
    /// What follows then.
    pub follows: Option<RulingOffer>,
}

/// The Dealer's side of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Desk {
    /// The staff on duty.
    pub staff: Vec<Staff>,
    /// The house's chips.
    pub float: Amount,
    /// The most the house can lose as the wagers lie.
    pub liability: i128,
    /// The heavier hand, and by how much it is over the differential.
    pub over_differential: Option<(Side, Amount)>,
    /// What may be done.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Act>))]
    pub acts: Set<Act>,
    /// Cards to burn.
    pub burn: u8,
    /// The card that may be drawn.
    pub draw: Option<DrawOffer>,
    /// Packets that the dealing device has to deal.
    pub packets: Option<PacketsDue>,
    /// Hands of Niu Niu that were dealt out of turn.
    pub out_of_turn: Option<OutOfTurn>,
    /// The shoe may or must be replaced.
    pub shoe: Option<ShoeVerdict>,
    /// No card may come before whoever may has brought another shoe, or has decided against it.
    pub needs_shoe: bool,
    /// Hands of Niu Niu that may be set.
    pub set_hands: Vec<Holder>,
    /// What may be done for each player.
    pub players: Vec<ForPlayer>,
    /// The result as it was called in this round.
    pub called: Option<Winner>,
    /// Results made known in this round that are not what the cards say.
    pub misannounced: Vec<Misannounced>,
    /// The Player's or the Banker's hand may be opened.
    #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 2))]
    pub reveal: [Option<RevealOffer>; 2],
    /// A hand that a player opens; the Dealer may key it as the player does.
    #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 2))]
    pub squeezed: [Option<RevealOffer>; 2],
    /// The lowest rank of a second person, where the house asks for one. A card that was seen is then put right with a
    /// reason, and after the result before that person.
    pub second_person: Option<Rank>,
    /// What can be reported.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<ReportKind>))]
    pub reports: Set<ReportKind>,
    /// Who may take the insurance that is due or on offer.
    pub insurable: Vec<PlayerId>,
    /// What is on hold.
    pub hold: Option<HoldShown>,
    /// What the Dealer may do at all.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) of_dealer: OfDealer,
}

impl Desk {
    pub(super) fn new(table: &Table) -> Self {
        let mut desk = Self {
            of_dealer: OfDealer::at(table),
            staff: Vec::new(),
            float: table.float,
            liability: 0,
            over_differential: None,
            acts: Set::none(),
            burn: table.setup.burn,
            draw: None,
            packets: None,
            out_of_turn: None,
            shoe: None,
            needs_shoe: false,
            set_hands: Vec::new(),
            players: Vec::new(),
            called: None,
            misannounced: Vec::new(),
            reveal: [None; 2],
            squeezed: [None; 2],
            second_person: None,
            reports: Set::none(),
            insurable: Vec::new(),
            hold: None,
        };
        desk.refresh(table);
        desk
    }

    /// Everything.
    pub(super) fn refresh(&mut self, table: &Table) {
        self.refresh_money(table);
        let free = table.hold.is_none();
        let playing_method = if table.stage == Stage::Playing { table.round.method } else { table.method };
        // While nobody has the device the Dealer draws.
        let dealer_draws = playing_method != Some(Method::C) || table.device.is_none();
        self.draw = draw_due(table).filter(|_| free && dealer_draws);
        self.staff.clear();
        self.staff.extend_from_slice(&table.staff);
        self.packets = PacketsDue::of(table);
        self.out_of_turn = OutOfTurn::of(table);
        self.shoe = ShoeVerdict::of(table);
        self.needs_shoe = needs_shoe(table);
        self.set_hands.clear();
        let dealt_to_boxes = !table.round.boxes.hands.is_empty();
        if hands::are_set_now(table.phase(), true) && dealt_to_boxes {
            self.set_hands.extend(table.round.boxes.hands.iter().map(|dealt| dealt.holder));
        }
        self.called = table.round.called;
        self.misannounced.clear();
        self.misannounced.extend(Misannounced::all(table));
        let dealer_opens = |side: Side| table.round.squeezers[place(side)].is_none();
        self.reveal = SIDES.map(|side| {
            let opens = free && dealer_opens(side) || reveal::opens_for_count(table, side);
            reveal_due(table, side).filter(|_| opens)
        });
        self.squeezed = SIDES.map(|side| reveal_due(table, side).filter(|_| free && !dealer_opens(side)));
        self.second_person = second::asked_for(table);
        self.reports = reports(table);
        self.insurable.clear();
        let line = table.round.window.and_then(|window| crate::decide::insurance::line(table, window.line));
        if let Some(line) = line {
            self.insurable.extend(crate::decide::insurance::eligible(table, line.side));
        }
        self.hold = hold(table);
    }

    /// The float covers whatever the cards decide.
    pub(super) fn is_covered(&self) -> bool {
        self.liability <= i128::from(self.float.minor())
    }

    /// What the wagers change.
    pub(super) fn refresh_money(&mut self, table: &Table) {
        self.float = table.float;
        self.liability = table.setup.cover.most(&table.round.liability);
        self.over_differential = table.over_differential();
        self.acts = acts(table, self.liability, self.over_differential.is_some()).and(self.of_dealer.acts);
        self.needs_shoe = needs_shoe(table);
        self.reports.set(ReportKind::WagerRemoved, can_report(table, ReportKind::WagerRemoved));
    }
}

/// The card that may be drawn, as far as the open cards tell: a closed card must not show in what is due.
pub(super) fn draw_due(table: &Table) -> Option<DrawOffer> {
    if table.setup.in_packets() || table.hold.is_some() {
        return None;
    }
    let face_down = table.deals_face_down();
    let round = &table.round;
    let by_number = |drawn: usize| {
        (drawn < 4).then_some(if drawn.is_multiple_of(2) { Side::Player } else { Side::Banker })
    };
    let offer = |side| Some(DrawOffer { side, from_held: false, face_down });
    match table.stage {
        Stage::Betting { .. } if may_deal(table) && table.shoe.left > 0 => {
            offer(by_number(table.next.carried.len()))
        }
        // What is out already comes first.
        Stage::Playing if !round.waiting.is_empty() || !round.together.is_empty() => None,
        Stage::Playing if round.draws.is_empty() && !may_deal(table) => None,
        Stage::Playing if round.phase() == Phase::PlayerThirdReveal => None,
        Stage::Playing if round.draws.len() >= 4 && !round.held.is_empty() => {
            let due = seen_due(table)?;
            Some(DrawOffer { side: Some(due), from_held: true, face_down: false })
        }
        Stage::Playing if table.shoe.left == 0 => None,
        Stage::Playing if round.draws.len() < 4 => offer(by_number(round.draws.len())),
        Stage::Playing => offer(Some(seen_due(table)?)),
        Stage::Betting { .. }
        | Stage::Shoe
        | Stage::Ready
        | Stage::ShoeOption
        | Stage::ShoeEnd
        | Stage::Closed => None,
    }
}

/// The house can pay and the shoe is ready.
fn may_deal(table: &Table) -> bool {
    wagers::check_deal(table).is_ok()
}

/// Whether new cards have to come, or somebody has to say whether they do.
fn needs_shoe(table: &Table) -> bool {
    let is_undecided = table.phase() == Phase::ShoeDecision;
    let is_empty = table.stage == Stage::Playing && table.shoe.left == 0;
    pit::is_open(table, Power::ReplaceShoe)
        && (table.shoe.fate == ShoeFate::Replace || is_undecided || is_empty)
}

/// Whose third card is due, where the open cards say so.
fn seen_due(table: &Table) -> Option<Side> {
    let round = &table.round;
    let initial_open = round.draws.iter().take(4).all(|dealt| dealt.exposed && dealt.card.is_some());
    if round.all_exposed() {
        round.deal.due()
    } else if initial_open && round.banker_first && round.draws.len() == 5 {
        // The Banker draws whatever the Player's closed card is; but it must have been read.
        round.due().ok().flatten()
    } else {
        None
    }
}

/// Whether a hand can be opened by who has the right to it.
pub(super) fn reveal_due(table: &Table, side: Side) -> Option<RevealOffer> {
    if !reveal::opens_for_count(table, side) {
        if table.stage != Stage::Playing || table.round.draws.len() < 4 || table.round.all_exposed() {
            return None;
        }
        reveal::check_open(table, side).ok()?;
    }
    let unread = |dealt: &&crate::table::Dealt| dealt.side == side && dealt.card.is_none();
    Some(RevealOffer { unread: table.round.draws.iter().filter(unread).count() })
}

fn acts(table: &Table, liability: i128, is_over: bool) -> Set<Act> {
    let mut acts = Set::none();
    if table.stage == Stage::Closed {
        return acts;
    }
    let round = &table.round;
    // What has happened is told at any time.
    acts.set(Act::CutCardOut, shoe::check_cut_card(table).is_ok());
    acts.set(Act::CountShoe, shoe::check_loaded(table).is_ok() && table.shoe.commitment.is_none());
    acts.set(Act::ShoeEmpty, shoe::check_empty(table).is_ok());
    if let Some(hold) = &table.hold {
        acts.set(Act::CloseWindow, choice::has_window(hold));
        acts.set(Act::HoldTwo, remedy::check_hold_two(table).is_ok());
        acts.set(Act::Sorted, remedy::check_sorted(table).is_ok());
        return acts;
    }
    let betting = matches!(table.stage, Stage::Betting { .. });
    let playing = table.stage == Stage::Playing;
    acts.set(Act::OpenBets, wagers::check_open(table).is_ok());
    acts.set(Act::DealFreeHand, deal::check_free_hand(table).is_ok());
    let dealable = || wagers::check_cover(table, liability).is_ok() && wagers::check_cards(table).is_ok();
    let is_uncovered = || wagers::uncovered(table).next().is_some();
    acts.set(Act::CloseBets, betting && !is_over && dealable() && !is_uncovered());
    acts.set(Act::AskToReduce, wagers::gap(table).is_some());
    acts.set(Act::LoadShoe, shoe::check_load(table).is_ok());
    acts.set(Act::RecordShuffle, shoe::check_shuffle(table).is_ok());
    acts.set(Act::CutCards, shoe::check_cut(table).is_ok());
    acts.set(Act::Burn, shoe::check_burn(table).is_ok());
    acts.set(Act::AnnounceLast, shoe::check_last(table).is_ok());
    acts.set(Act::CloseShoeChoice, shoe::check_choice(table).is_ok());
    if playing {
        let phase = table.round_phase();
        acts.set(Act::Call, round.outcome.is_some());
        acts.set(Act::Settle, phase == Phase::Result);
        acts.set(Act::OfferInsurance, round.window.is_some_and(|window| !window.offered));
        acts.set(Act::CloseInsurance, round.window.is_some_and(|window| window.offered));
        acts.set(Act::CheckCount, !round.boxes.counted && !round.boxes.hands.is_empty());
        acts.set(Act::OpenDealer, phase == Phase::Verify);
        let to_hand_over = |side| !table.players.is_empty() && device::check_hand_over(table, side).is_ok();
        acts.set(Act::HandOverPlayer, to_hand_over(Side::Player));
        acts.set(Act::HandOverBanker, to_hand_over(Side::Banker));
    }
    acts
}

fn reports(table: &Table) -> Set<ReportKind> {
    let mut reports = Set::none();
    if table.stage == Stage::Closed {
        return reports;
    }
    for kind in ReportKind::ALL.iter().copied() {
        reports.set(kind, can_report(table, kind));
    }
    reports
}

/// Whether there is anything that a report of this kind can be about, and it is not on record already.
fn can_report(table: &Table, kind: ReportKind) -> bool {
    let can = |report: &Report| irregular::can_report(table, report);
    let any_player = || {
        let squeezer = table.round.squeezers.iter().flatten().copied();
        squeezer.chain(table.players.iter().map(|player| player.id)).find(|id| table.player(*id).is_some())
    };
    match kind {
        ReportKind::SurplusOn => crate::decide::surplus::may_tell_place(table),
        ReportKind::WagerRemoved => irregular::liftable(table).next().is_some(),
        ReportKind::Absent => any_player().is_some_and(|player| can(&Report::Absent { player })),
        ReportKind::Damaged => any_player().is_some_and(|player| can(&Report::Damaged { player })),
        ReportKind::CarriedOff if table.setup.by_box() => {
            (1..=table.setup.seats).any(|box_number| can(&Report::BoxCarriedOff { box_number }))
        }
        ReportKind::CarriedOff => SIDES.iter().any(|side| can(&Report::CarriedOff { side: *side })),
        ReportKind::DeviceReset => {
            [false, true].iter().any(|dealer_error| can(&Report::DeviceReset { dealer_error: *dealer_error }))
        }
        ReportKind::ForeignCard => can(&Report::ForeignCard),
        ReportKind::Unshuffled => can(&Report::Unshuffled),
        ReportKind::CannotRebuild => can(&Report::CannotRebuild),
        ReportKind::OrderLost => can(&Report::OrderLost),
        ReportKind::Jam => can(&Report::Jam),
        ReportKind::FaceUp => can(&Report::FaceUp),
        ReportKind::Exposed => can(&Report::Exposed { draw: None }),
        ReportKind::ExposedMoving => can(&Report::ExposedMoving),
        ReportKind::WrongOrder => can(&Report::WrongOrder),
        ReportKind::NoBurn => can(&Report::NoBurn),
        ReportKind::WrongDelivery => can(&Report::WrongDelivery),
        ReportKind::NotDelivered => can(&Report::NotDelivered),
        ReportKind::PowerFailure => can(&Report::PowerFailure),
        ReportKind::ForceMajeure => can(&Report::ForceMajeure),
        // Something else may be told every time.
        ReportKind::Other => true,
    }
}

fn hold(table: &Table) -> Option<HoldShown> {
    let hold = table.hold.as_ref()?;
    Some(HoldShown {
        irregularity: hold.irregularity,
        about: hold.about,
        rulings: irregular::allowed(table)
            .into_iter()
            .map(|ruling| offer(table, hold.about, ruling))
            .collect(),
        ruled: hold.ruling.as_ref().map(|made| made.remedy),
        answers: hold.answers.clone(),
        pending: second::pending(table).map(|(found_by, needs)| Pending {
            found_by,
            needs,
            follows: irregular::follows(table).map(|ruling| offer(table, hold.about, ruling)),
        }),
        retractable: irregular::is_retractable(table),
    })
}

pub(crate) fn offer(table: &Table, about: About, ruling: &Ruling) -> RulingOffer {
    let names = ruling.remedy == Remedy::NameSqueezer;
    RulingOffer {
        remedy: ruling.remedy,
        withdrawal: ruling.withdrawal.as_ref().map(|withdrawal| withdrawal.if_all),
        who: who(table, ruling.needs),
        shoe: ruling.shoe,
        order_of: if ruling.remedy == Remedy::FixOrder { table.round.together.len() } else { 0 },
        one_of: about.side.filter(|_| names).map(|side| squeeze::order(table, side)).unwrap_or_default(),
        cites: ruling.cites.clone(),
    }
}

/// The rank that is asked for, at this table.
pub(super) fn who(table: &Table, needs: Option<croupier_rules::authority::Needs>) -> Who {
    let Some(needs) = needs else { return Who::Anybody };
    let residual = table.setup.residual.map(|rank| rank.0);
    table.rulebook().needed_rank(needs, residual).map_or(Who::Nobody, |rank| Who::Rank(Rank(rank)))
}

impl ReportKind {
    /// The kind of a report; nothing for what is never accepted, and for what is told of a card or a hand with more
    /// to say than its kind.
    #[must_use]
    pub const fn of(report: &Report) -> Option<Self> {
        Some(match report {
            Report::ForeignCard => Self::ForeignCard,
            Report::Unshuffled => Self::Unshuffled,
            Report::CannotRebuild => Self::CannotRebuild,
            Report::OrderLost => Self::OrderLost,
            Report::CarriedOff { .. } | Report::BoxCarriedOff { .. } => Self::CarriedOff,
            Report::Jam => Self::Jam,
            Report::DeviceReset { .. } => Self::DeviceReset,
            Report::FaceUp => Self::FaceUp,
            Report::Exposed { .. } => Self::Exposed,
            Report::ExposedMoving => Self::ExposedMoving,
            Report::SurplusOn { .. } => Self::SurplusOn,
            Report::WrongOrder => Self::WrongOrder,
            Report::NoBurn => Self::NoBurn,
            Report::WrongDelivery => Self::WrongDelivery,
            Report::NotDelivered => Self::NotDelivered,
            Report::Absent { .. } => Self::Absent,
            Report::Damaged { .. } => Self::Damaged,
            Report::PowerFailure => Self::PowerFailure,
            Report::ForceMajeure => Self::ForceMajeure,
            Report::WagerRemoved { .. } => Self::WagerRemoved,
            Report::Other(_) => Self::Other,
            Report::EarlierRound { .. }
            | Report::DrawnBy { .. }
            | Report::HandedTo { .. }
            | Report::OpenedBy { .. } => return None,
        })
    }
}
