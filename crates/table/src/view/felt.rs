//! What lies on the layout for everybody to see: seats, wagers, cards with their backs where they are closed,
//! counts, the result, the board. Nothing here is known to fewer people than the whole room.

use croupier_cards::Card;
use croupier_rules::baccarat::insurance::Stage as Window;
use croupier_rules::baccarat::{Outcome, Side, card_value};
use croupier_rules::clause::Basis;
use croupier_rules::irregularity::Irregularity;
use croupier_rules::niu_niu::Category;
use croupier_rules::settle::{End, Settled, SettledReserve};
use croupier_rules::{Amount, Odds};

use crate::actor::PlayerId;
use crate::command::{DeckSet, Holder};
use crate::event::Mark;
use crate::niu_niu::HandDealt;
use crate::phase::Phase;
use crate::setup::Method;
use crate::table::{Board, Correction, InsuranceLaid, Laid, Stage, Table, place};

/// A card as it lies: its face, or its back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Face {
    /// Open.
    Up(Card),
    /// Closed.
    Down,
}

impl Face {
    /// The card, if it is open.
    #[must_use]
    pub const fn card(self) -> Option<Card> {
        match self {
            Self::Up(card) => Some(card),
            Self::Down => None,
        }
    }

    pub(super) const fn of(card: Option<Card>, open: bool) -> Self {
        match card {
            Some(card) if open => Self::Up(card),
            Some(_) | None => Self::Down,
        }
    }
}

/// The layout.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Felt {
    /// Where play stands.
    pub phase: Phase,
    /// The round in progress, or the last one.
    pub round: u64,
    /// Played without wagers.
    pub free: bool,
    /// The last of the shoe.
    pub last: bool,
    /// How the last round ended, until the next begins.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::outcome::written::mark"))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<super::MarkShown>))]
    pub closed: Option<Mark>,
    /// The dealing method of the round, where there are several.
    pub method: Option<Method>,
    /// The one chosen for the round to come.
    pub next_method: Option<Method>,
    /// Who is at the table.
    pub seats: Vec<SeatShown>,
    /// The wagers, in the order they were laid.
    pub wagers: Vec<WagerShown>,
    /// The insurances.
    pub insurances: Vec<InsuranceShown>,
    /// What lies on Player and Banker as main wagers.
    #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 2))]
    pub totals: [Amount; 2],
    /// Insurance that is due or on offer.
    pub window: Option<WindowShown>,
    /// The cards of the round, in draw order.
    pub draws: Vec<CardShown>,
    /// Cards that no hand may take.
    pub surplus: Vec<SurplusShown>,
    /// Cards drawn together that have no places yet.
    pub together: Vec<Face>,
    /// Cards set aside for third cards.
    pub held: usize,
    /// What the next hand starts with.
    pub carried: Vec<Face>,
    /// The next hand is free.
    pub next_free: bool,
    /// The counts of Player and Banker, where all their cards are open.
    #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 2))]
    pub points: [Option<u8>; 2],
    /// What the cards say.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::outcome::written::outcome"))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<super::OutcomeShown>))]
    pub outcome: Option<Outcome>,
    /// Who opens the Player's and the Banker's hand, if not the Dealer.
    #[cfg_attr(feature = "openapi", schema(min_items = 2, max_items = 2))]
    pub squeezers: [Option<PlayerId>; 2],
    /// Who has the dealing device.
    pub device: Option<PlayerId>,
    /// The hands of Niu Niu.
    pub hands: Vec<HandShown>,
    /// Cards of Niu Niu that are out of play.
    pub dead: usize,
    /// Cards that were seen as others and put right in this round.
    pub corrections: Vec<CorrectionShown>,
    /// What is on hold.
    pub on_hold: Option<Irregularity>,
    /// The shoe.
    pub shoe: ShoeShown,
    /// Whether insurance is offered at this table now.
    pub insurance_on: bool,
    /// Most wagers in one area.
    pub area_limit: Option<u8>,
    /// The rounds of this shoe with their roads, shared with the table.
    pub board: Board,
}

/// Somebody at the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatShown {
    /// Who.
    pub player: PlayerId,
    /// The seat.
    pub seat: Option<u8>,
    /// The seat they stand behind.
    pub behind: Option<u8>,
}

/// Chips on a bet.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WagerShown {
    /// Whose.
    pub player: PlayerId,
    /// The place of the bet on the menu.
    pub bet: usize,
    /// The area or box.
    pub area: Option<u8>,
    /// How much.
    pub stake: Amount,
    /// The Reserve beside it.
    pub reserve: Amount,
    /// How it ended.
    pub ended: Option<Ended>,
    /// What the end rests on.
    pub cites: Vec<Basis>,
}

/// How a wager ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ended {
    /// Won, lost, stood off or returned.
    pub end: End,
    /// The part that was at risk.
    pub in_action: Amount,
    /// What went back, the Reserve included.
    pub returned: Amount,
    /// What the house took, out of the Reserve included.
    pub collected: Amount,
    /// What was paid.
    pub winnings: Amount,
    /// What the house kept of it as commission.
    pub commission: Amount,
}

impl Ended {
    fn of(settled: &Settled, reserve: Option<&SettledReserve>) -> Self {
        Self {
            end: settled.end,
            in_action: settled.in_action,
            returned: settled.returned + reserve.map_or(Amount::ZERO, |reserve| reserve.returned),
            collected: settled.collected + reserve.map_or(Amount::ZERO, |reserve| reserve.lost),
            winnings: settled.winnings,
            commission: settled.commission,
        }
    }
}

/// Chips on an insurance.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InsuranceShown {
    /// Whose.
    pub player: PlayerId,
    /// The insured hand.
    pub side: Side,
    /// The place of its line in the insurance table.
    pub line: usize,
    /// How much.
    pub stake: Amount,
    /// How it ended.
    pub ended: Option<Ended>,
    /// What the end rests on.
    pub cites: Vec<Basis>,
}

/// An insurance that is due or on offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WindowShown {
    /// Which window.
    pub stage: Window,
    /// The place of the line.
    pub line: usize,
    /// The hand.
    pub side: Side,
    /// What it pays.
    pub odds: Odds,
    /// The Dealer has made the offer.
    pub offered: bool,
}

/// A card of the round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CardShown {
    /// The hand it belongs to.
    pub side: Side,
    /// Its face or its back.
    pub face: Face,
    /// The hand it lies on, if another.
    pub misplaced: Option<Side>,
    /// A card of another deck stands in for it.
    pub stand_in: bool,
}

/// A card that no hand may take.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SurplusShown {
    /// The hand it lies on, if that is known.
    pub on: Option<Side>,
    /// Its face or its back.
    pub face: Face,
}

/// A card that was seen as another and put right.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CorrectionShown {
    /// Its number among the cards of the round, from 1; none in Niu Niu.
    pub draw: Option<u8>,
    /// The hand of Niu Niu it lies in.
    pub holder: Option<Holder>,
    /// What it was taken for.
    pub was: Card,
    /// What it is.
    pub card: Card,
    /// The result was known already.
    pub after_result: bool,
    /// Why, if that was said.
    pub reason: Option<String>,
    /// A second person saw it.
    pub witnessed: bool,
}

impl CorrectionShown {
    fn of(correction: &Correction) -> Self {
        let because = correction.because.as_deref();
        Self {
            draw: correction.draw,
            holder: correction.holder,
            was: correction.was,
            card: correction.card,
            after_result: correction.after_result,
            reason: because.map(|because| because.reason.clone()),
            witnessed: because.is_some_and(|because| because.witness.is_some()),
        }
    }
}

/// A hand of Niu Niu.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HandShown {
    /// Whose.
    pub holder: Holder,
    /// The cards: backs until the Dealer's hand is opened.
    pub cards: Vec<Face>,
    /// It is set.
    pub is_set: bool,
    /// What it is, once the hands are open: as it was set, and else as its cards are.
    pub set_as: Option<Category>,
    /// The three cards that make 10, 20 or 30, by their places, once the hands are open; none without a Niu.
    pub three: Option<[usize; 3]>,
}

/// The shoe from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ShoeShown {
    /// Which shoe of the table.
    pub number: u32,
    /// Which deck, where two take turns.
    pub set: Option<DeckSet>,
    /// The commitment to the order.
    #[cfg_attr(feature = "serde", serde(serialize_with = "croupier_cards::serial::optional_hex::serialize"))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, pattern = "^[0-9A-Fa-f]{64}$"))]
    pub commitment: Option<[u8; 32]>,
    /// Cards in the device.
    pub left: u16,
    /// Cards burned.
    pub burned: u16,
    /// Cards in the discard holder.
    pub discarded: u16,
    /// Rounds to come before it ends, once the cut card is out.
    pub rounds_left: Option<u8>,
}

impl Felt {
    pub(super) fn new(table: &Table) -> Self {
        let mut felt = Self {
            phase: table.phase(),
            round: 0,
            free: false,
            last: false,
            closed: None,
            method: None,
            next_method: None,
            seats: Vec::new(),
            wagers: Vec::new(),
            insurances: Vec::new(),
            totals: [Amount::ZERO; 2],
            window: None,
            draws: Vec::new(),
            surplus: Vec::new(),
            together: Vec::new(),
            held: 0,
            carried: Vec::new(),
            next_free: false,
            points: [None; 2],
            outcome: None,
            squeezers: [None; 2],
            device: None,
            hands: Vec::new(),
            dead: 0,
            corrections: Vec::new(),
            on_hold: None,
            shoe: ShoeShown::of(table),
            insurance_on: false,
            area_limit: None,
            board: (*table.board).clone(),
        };
        felt.show_table(table);
        felt.show_seats(table);
        felt.show_cards(table);
        felt.show_wagers(table, &mut Vec::new());
        felt
    }

    /// What is small and changes with most events.
    pub(super) fn show_table(&mut self, table: &Table) {
        let round = &table.round;
        self.phase = table.phase();
        self.round = round.number;
        self.free = round.free;
        self.last = round.last;
        self.closed = round.closed;
        self.method = round.method;
        self.next_method = table.method;
        self.totals = round.totals;
        self.window = window(table);
        self.next_free = table.next.free;
        self.outcome = round.outcome;
        self.squeezers = if table.stage == Stage::Playing { round.squeezers } else { [None; 2] };
        self.device = table.device;
        self.on_hold = table.hold.as_ref().map(|hold| hold.irregularity);
        let shoe = ShoeShown::of(table);
        if shoe.number != self.shoe.number {
            self.board = (*table.board).clone();
        }
        // Its own copy grows with the table's: sharing it would make the table copy it with every round.
        for mark in table.board.marks.iter().skip(self.board.marks.len()) {
            self.board.push(*mark);
        }
        self.shoe = shoe;
        self.insurance_on = table.insurance_on;
        self.area_limit = table.area_limit;
    }

    pub(super) fn show_seats(&mut self, table: &Table) {
        self.seats.clear();
        let shown = |player: &crate::table::Player| SeatShown {
            player: player.id,
            seat: player.seat,
            behind: player.behind,
        };
        self.seats.extend(table.players.iter().map(shown));
    }

    /// The cards, closed ones as backs.
    pub(super) fn show_cards(&mut self, table: &Table) {
        let round = &table.round;
        self.draws.clear();
        self.draws.extend(round.draws.iter().map(|dealt| CardShown {
            side: dealt.side,
            face: Face::of(dealt.card, dealt.exposed),
            misplaced: dealt.misplaced,
            stand_in: dealt.stand_in,
        }));
        self.surplus.clear();
        self.surplus.extend(
            round
                .surplus
                .iter()
                .chain(&round.waiting)
                .map(|stray| SurplusShown { on: stray.on, face: Face::of(stray.card, stray.exposed) }),
        );
        let face_up = !table.deals_face_down();
        self.together.clear();
        self.together.extend(round.together.iter().map(|card| Face::of(Some(*card), face_up)));
        self.held = round.held.len();
        self.carried.clear();
        self.carried.extend(table.next.carried.iter().map(|card| Face::of(card.card, card.exposed)));
        self.points = points(&self.draws);
        let open = round.boxes.dealer_open;
        self.hands.clear();
        // Nobody has to say what the Dealer's hand is: it is set by being opened.
        let is = |dealt: &HandDealt| dealt.set_as.or_else(|| dealt.hand().map(|hand| hand.category()));
        self.hands.extend(round.boxes.hands.iter().map(|dealt| HandShown {
            holder: dealt.holder,
            cards: dealt.cards.iter().map(|card| Face::of(Some(*card), open)).collect(),
            is_set: open || dealt.set_as.is_some(),
            set_as: is(dealt).filter(|_| open),
            three: dealt.hand().filter(|_| open).and_then(|hand| hand.three()),
        }));
        self.dead = round.boxes.dead.len();
        self.corrections.clear();
        self.corrections.extend(round.corrections.iter().map(CorrectionShown::of));
    }

    /// All wagers; `spare` keeps what was allocated for earlier ones.
    pub(super) fn show_wagers(&mut self, table: &Table, spare: &mut Vec<WagerShown>) {
        let laid = &table.round.wagers;
        while self.wagers.len() > laid.len() {
            spare.extend(self.wagers.pop());
        }
        for (at, laid) in laid.iter().enumerate() {
            match self.wagers.get_mut(at) {
                Some(shown) => show_wager(shown, laid),
                None => self.push_wager(laid, spare),
            }
        }
        self.insurances.clear();
        self.insurances.extend(table.round.insurances.iter().map(show_insurance));
    }

    /// One wager that was laid or raised.
    pub(super) fn show_placed(
        &mut self,
        table: &Table,
        player: PlayerId,
        bet: usize,
        spare: &mut Vec<WagerShown>,
    ) {
        let laid = &table.round.wagers;
        match self.wagers.len() {
            shown if shown == laid.len() => {
                for (shown, laid) in self.wagers.iter_mut().zip(laid.iter()) {
                    if laid.player == player && laid.bet == bet {
                        show_wager(shown, laid);
                    }
                }
            }
            shown if shown + 1 == laid.len() => {
                if let Some(last) = laid.last() {
                    self.push_wager(last, spare);
                }
            }
            _ => self.show_wagers(table, spare),
        }
    }

    fn push_wager(&mut self, laid: &Laid, spare: &mut Vec<WagerShown>) {
        let mut shown = spare.pop().unwrap_or_else(|| WagerShown {
            player: laid.player,
            bet: laid.bet,
            area: laid.area,
            stake: laid.stake,
            reserve: laid.reserve,
            ended: None,
            cites: Vec::new(),
        });
        show_wager(&mut shown, laid);
        self.wagers.push(shown);
    }

    /// The cards that can be read off the layout.
    pub(super) fn cards(&self) -> impl Iterator<Item = Card> {
        let draws = self.draws.iter().map(|shown| shown.face);
        let surplus = self.surplus.iter().map(|shown| shown.face);
        let hands = self.hands.iter().flat_map(|hand| hand.cards.iter().copied());
        let rest = self.together.iter().chain(&self.carried).copied();
        draws.chain(surplus).chain(hands).chain(rest).filter_map(Face::card)
    }
}

fn show_wager(shown: &mut WagerShown, laid: &Laid) {
    shown.player = laid.player;
    shown.bet = laid.bet;
    shown.area = laid.area;
    shown.stake = laid.stake;
    shown.reserve = laid.reserve;
    shown.cites.clear();
    shown.ended = None;
    if let Some((settled, reserve)) = &laid.ended {
        shown.ended = Some(Ended::of(settled, reserve.as_ref()));
        shown.cites.extend_from_slice(&settled.cites);
        shown.cites.extend(reserve.iter().flat_map(|reserve| &reserve.cites));
    }
}

fn show_insurance(laid: &InsuranceLaid) -> InsuranceShown {
    InsuranceShown {
        player: laid.player,
        side: laid.side,
        line: laid.line,
        stake: laid.stake,
        ended: laid.ended.as_ref().map(|settled| Ended::of(settled, None)),
        cites: laid.ended.as_ref().map(|settled| settled.cites.clone()).unwrap_or_default(),
    }
}

fn window(table: &Table) -> Option<WindowShown> {
    let window = table.round.window?;
    let line = crate::decide::insurance::line(table, window.line)?;
    Some(WindowShown {
        stage: window.stage,
        line: window.line,
        side: line.side,
        odds: line.odds,
        offered: window.offered,
    })
}

/// The count of a hand follows from its cards, so it is told only where all of them are open.
fn points(draws: &[CardShown]) -> [Option<u8>; 2] {
    let mut points = [None; 2];
    let mut closed = [false; 2];
    for shown in draws {
        let at = place(shown.side);
        match shown.face {
            Face::Up(card) => points[at] = Some((points[at].unwrap_or(0) + card_value(card)) % 10),
            Face::Down => closed[at] = true,
        }
    }
    for (points, closed) in points.iter_mut().zip(closed) {
        *points = points.filter(|_| !closed);
    }
    points
}

impl ShoeShown {
    fn of(table: &Table) -> Self {
        let shoe = &table.shoe;
        Self {
            number: shoe.number,
            set: shoe.set,
            commitment: shoe.commitment,
            left: shoe.left,
            burned: shoe.burned,
            discarded: shoe.discarded,
            rounds_left: shoe.rounds_left,
        }
    }
}
