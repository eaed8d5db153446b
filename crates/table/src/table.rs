//! The state of a table. It changes only by [`apply`](crate::apply::apply).

mod shoe;

use std::sync::Arc;

use croupier_cards::Card;
use croupier_ledger::TableId;
use croupier_rules::baccarat::insurance::Stage as Window;
use croupier_rules::baccarat::{Deal, FinalHands, Outcome, Side, Winner, card_value, tableau};
use croupier_rules::irregularity::{Irregularity, ShoeFate};
use croupier_rules::roads::Roads;
use croupier_rules::settle::{Settled, SettledReserve, Wager};
use croupier_rules::{Amount, Ending, Game, Ratio, Rule, Rulebook};

use crate::actor::{Actor, PlayerId, Staff};
use crate::certain::certain;
use crate::command::{Holder, RulingMade};
use crate::cover::Liability;
use crate::event::{About, Justified, Mark};
use crate::niu_niu::Boxes;
use crate::phase::Phase;
use crate::setup::{Method, Setup};
pub use shoe::Shoe;

/// A table with everything on it.
#[derive(Clone, Debug)]
pub struct Table {
    /// Which.
    pub id: TableId,
    /// What it was opened with.
    pub setup: Arc<Setup>,
    pub(crate) stage: Stage,
    /// The players, in the order they came.
    pub players: Vec<Player>,
    /// The staff on duty.
    pub staff: Vec<Staff>,
    /// The house's chips.
    pub float: Amount,
    /// Cash in the drop box.
    pub drop: Amount,
    /// Tips.
    pub tips: Amount,
    /// The cards.
    pub shoe: Shoe,
    /// The method of the rounds to come.
    pub method: Option<Method>,
    /// Most wagers in one area.
    pub area_limit: Option<u8>,
    /// Whether insurance is offered.
    pub insurance_on: bool,
    /// Who has the dealing device.
    pub device: Option<PlayerId>,
    /// Who may draw without a wager.
    pub may_draw: Option<PlayerId>,
    /// The round in progress, or the last one.
    pub round: Round,
    /// What is on hold.
    pub hold: Option<Hold>,
    /// What the next hand starts with.
    pub next: NextHand,
    /// The rounds of this shoe; shared, so that copying a table is cheap.
    pub board: Arc<Board>,
}

/// Where the table stands between commands; the finer [`Phase`] follows from it and the cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
pub(crate) enum Stage {
    /// The shoe is being prepared.
    Shoe,
    /// Between rounds.
    Ready,
    /// Betting is open; a second time after a reset.
    Betting {
        /// After a reset.
        again: bool,
    },
    /// Betting is closed; cards are out, or about to be.
    Playing,
    /// The players choose the shoe.
    ShoeOption,
    /// The shoe is finished.
    ShoeEnd,
    /// The table is closed.
    Closed,
}

/// A player at the table.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Player {
    /// Who.
    pub id: PlayerId,
    /// The seat; nothing for who stands.
    pub seat: Option<u8>,
    /// The seat they stand behind.
    pub behind: Option<u8>,
    /// Chips not on the layout.
    pub chips: Amount,
    /// A wager below the minimum was settled once.
    pub warned: bool,
    /// Has accepted that there is no insurance.
    pub accepted_notice: bool,
    /// From this round on one box only.
    pub one_box_from: Option<u64>,
    /// May not handle cards.
    pub barred: bool,
    /// Commission owed until the shoe ends.
    pub owes: Amount,
}

impl Player {
    /// Whether the player may have one box only in a round.
    #[must_use]
    pub fn has_one_box(&self, round: u64) -> bool {
        self.one_box_from.is_some_and(|from| from <= round)
    }

    /// The area the player bets in.
    #[must_use]
    pub fn area(&self) -> Option<u8> {
        self.seat.or(self.behind)
    }
}

/// A card of a round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Dealt {
    /// The card, if it was read.
    pub card: Option<Card>,
    /// The hand it belongs to.
    pub side: Side,
    /// The hand it lies on, if another.
    pub misplaced: Option<Side>,
    /// People see it.
    pub exposed: bool,
    /// A card of another deck stands in for it.
    pub stand_in: bool,
}

/// A card that is out of the shoe and in no hand: it waits for its place, or no hand may take it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Stray {
    /// The card, if it was read.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub card: Option<Card>,
    /// The hand it lies on, if that is known.
    pub on: Option<Side>,
    /// People see it.
    pub exposed: bool,
}

/// A wager of the round.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Laid {
    /// Who.
    pub player: PlayerId,
    /// The bet.
    pub bet: usize,
    /// The area, or the box.
    pub area: Option<u8>,
    /// How much.
    pub stake: Amount,
    /// The Reserve beside it.
    pub reserve: Amount,
    /// It is not known when it was laid.
    pub untimed: bool,
    /// Since which placement of the round that much has lain there.
    #[cfg_attr(feature = "serde", serde(default))]
    pub since: u32,
    /// Smaller amounts that lay there before, and since when, the smallest first.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub before: Vec<(Amount, u32)>,
    /// How it ended.
    pub ended: Option<(Settled, Option<SettledReserve>)>,
}

impl Laid {
    /// The wager becomes larger or smaller with a placement of the round.
    pub(crate) fn change(&mut self, amount: Amount, placement: u32) {
        let stake = self.stake + amount;
        if stake > self.stake {
            self.before.push((self.stake, self.since));
            self.since = placement;
        }
        // What is left has lain there for as long as at least that much has.
        while let Some((_, since)) = self.before.pop_if(|(before, _)| *before >= stake) {
            self.since = since;
        }
        self.stake = stake;
    }
}

/// An insurance of the round.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct InsuranceLaid {
    /// Who.
    pub player: PlayerId,
    /// The place of the line.
    pub line: usize,
    /// The hand.
    pub side: Side,
    /// How much.
    pub stake: Amount,
    /// How it ended.
    pub ended: Option<Settled>,
}

/// A window for insurance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct InsuranceWindow {
    /// Which.
    pub stage: Window,
    /// The place of the line.
    pub line: usize,
    /// The offer was made.
    pub offered: bool,
}

/// A round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Round {
    /// Its number at the table.
    pub number: u64,
    /// Played without wagers.
    pub free: bool,
    /// The last of the shoe.
    pub last: bool,
    /// The method it is dealt by.
    pub method: Option<Method>,
    /// The wagers, in the order they were first laid; shared, since looking ahead over cards changes none of them.
    pub wagers: Arc<Vec<Laid>>,
    /// How often wagers were laid, raised or taken back.
    #[cfg_attr(feature = "serde", serde(default))]
    pub placements: u32,
    /// The insurances.
    pub insurances: Vec<InsuranceLaid>,
    /// What the main wagers on Player and Banker add up to.
    pub totals: [Amount; 2],
    pub(crate) liability: Liability,
    /// The Dealer has asked to reduce.
    pub asked_to_reduce: bool,
    /// Who was reported absent.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub absent: Vec<PlayerId>,
    /// A card has left the shoe for it.
    pub begun: bool,
    /// The cards, in draw order.
    pub draws: Vec<Dealt>,
    /// The hands, as far as the cards are known.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub deal: Deal,
    /// Cards that no hand may take.
    pub surplus: Vec<Stray>,
    /// Cards that came out before it could be told whose they are, in draw order.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub waiting: Vec<Stray>,
    /// Cards drawn together, not yet in their places.
    pub together: Vec<Card>,
    /// Cards held back while others were counted.
    pub held: Vec<Card>,
    /// Who asked to squeeze.
    pub asked: Vec<PlayerId>,
    /// Who may not.
    pub forbidden: Vec<PlayerId>,
    /// Who refused which hand.
    pub refused: Vec<(PlayerId, Side)>,
    /// Who has the right to the Player's and the Banker's hand.
    pub squeezers: [Option<PlayerId>; 2],
    /// Who lost the right to a hand by being away.
    #[cfg_attr(feature = "serde", serde(default))]
    pub away: [Option<PlayerId>; 2],
    /// The hand to be opened first.
    pub opens_first: Option<Side>,
    /// The window for insurance.
    pub window: Option<InsuranceWindow>,
    /// Windows that are over.
    pub windows_over: [bool; 2],
    /// A window passed without an offer.
    pub missed: bool,
    /// Who passed insurance up.
    pub lapsed: Vec<PlayerId>,
    /// The Banker's third card is shown first.
    pub banker_first: bool,
    /// The choices to withdraw that players had with cards out.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub choices: Vec<Choice>,
    /// What the cards say.
    pub outcome: Option<Outcome>,
    /// What was called last.
    #[cfg_attr(feature = "serde", serde(default))]
    pub called: Option<Winner>,
    /// What the display showed last.
    #[cfg_attr(feature = "serde", serde(default))]
    pub displayed: Option<Winner>,
    /// A card in the shoe was seen.
    pub next_seen: bool,
    /// After the hand the players choose the shoe.
    pub shoe_choice: bool,
    /// Who has chosen.
    pub shoe_choices: Vec<(PlayerId, bool)>,
    /// It was ruled how the differential is treated.
    pub differential_ruled: bool,
    /// It was ruled how wagers outside the limits are treated.
    #[cfg_attr(feature = "serde", serde(default))]
    pub limits_ruled: bool,
    /// It was ruled how wagers with too small a Reserve are treated.
    pub reserves_ruled: bool,
    /// The boxes of Niu Niu.
    pub boxes: Boxes,
    /// Cards that people had seen and that were put right.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub corrections: Vec<Correction>,
    /// It is over.
    pub closed: Option<Mark>,
}

/// A card that people had seen and that was put right.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Correction {
    /// Its number among the cards of the round, from 1, where they are numbered.
    pub draw: Option<u8>,
    /// The hand of Niu Niu that it lies in.
    pub holder: Option<Holder>,
    /// What it was taken for.
    pub was: Card,
    /// What it is.
    pub card: Card,
    /// The result was known already.
    pub after_result: bool,
    /// What was said about it, and by whom.
    pub because: Option<Box<Justified>>,
}

/// A choice to withdraw that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Choice {
    /// What it was about.
    pub irregularity: Irregularity,
    /// What was ruled.
    pub ruling: RulingMade,
    /// Who was asked, and who withdrew.
    pub answers: Vec<(PlayerId, bool)>,
}

/// What is on hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Hold {
    /// What.
    pub irregularity: Irregularity,
    /// About whom or what.
    pub about: About,
    /// What was told of it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub told: String,
    /// It follows from a card that is out, and is no report.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    pub found: bool,
    /// The ruling that awaits the players' answers or the count.
    pub ruling: Option<RulingMade>,
    /// Who may withdraw, and what they answered.
    pub answers: Vec<(PlayerId, Option<bool>)>,
    /// Who found it, until a second person has confirmed it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub pending: Option<Actor>,
    /// The cards are being counted.
    pub sorting: bool,
    /// What was on hold before; it waits until this is decided.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub earlier: Option<Box<Hold>>,
}

impl Hold {
    /// This and what waits behind it.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Self> {
        core::iter::successors(Some(self), |hold| hold.earlier.as_deref())
    }
}

/// What the next hand starts with.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct NextHand {
    /// It is free.
    pub free: bool,
    /// Its first cards.
    pub carried: Vec<Stray>,
}

/// The rounds of this shoe.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Board {
    /// How each round is shown.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::view::outcome::written::marks"))]
    pub marks: Vec<Mark>,
    /// The roads of the rounds with wagers.
    pub roads: Roads,
}

impl Board {
    /// Puts the next round up.
    pub(crate) fn push(&mut self, mark: Mark) {
        self.marks.push(mark);
        if let Mark::Result(outcome) = mark {
            self.roads.push(outcome.winner());
        }
    }
}

impl Table {
    /// Whether everybody can see what the round comes to.
    pub(crate) fn has_result(&self) -> bool {
        self.stage == Stage::Playing && (self.round.outcome.is_some() || self.round.boxes.dealer_open)
    }

    /// A table just opened: without players, chips or cards.
    #[must_use]
    pub fn new(id: TableId, setup: Arc<Setup>) -> Self {
        let round = Round { liability: setup.cover.none(), ..Round::default() };
        Self {
            id,
            stage: Stage::Shoe,
            players: Vec::new(),
            staff: Vec::new(),
            float: Amount::ZERO,
            drop: Amount::ZERO,
            tips: Amount::ZERO,
            shoe: Shoe::none(),
            method: setup.method,
            area_limit: setup.wagers_per_area,
            insurance_on: setup.insurance,
            device: None,
            may_draw: None,
            round,
            hold: None,
            next: NextHand::default(),
            board: Arc::new(Board::default()),
            setup,
        }
    }

    /// The rulebook.
    #[must_use]
    pub fn rulebook(&self) -> &Rulebook {
        &self.setup.rulebook
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        self.setup.game()
    }

    /// Whether the rulebook has Free Hands: in others a round without wagers is a round like any other.
    #[must_use]
    pub fn has_free_hands(&self) -> bool {
        !self.game().cites(Rule::FreeHand).is_empty()
    }

    /// A player at the table.
    #[must_use]
    pub fn player(&self, id: PlayerId) -> Option<&Player> {
        self.players.iter().find(|player| player.id == id)
    }

    /// Where play stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if let Some(hold) = &self.hold {
            return match hold {
                Hold { sorting: true, .. } => Phase::Sorting,
                Hold { ruling: Some(_), .. } => Phase::OptionWindow,
                Hold { .. } => Phase::OnHold,
            };
        }
        match self.stage {
            Stage::Shoe => Phase::ShoeLoaded,
            Stage::Ready if self.next.free => Phase::FreeHand,
            Stage::Ready if self.shoe.fate == ShoeFate::MayReplace => Phase::ShoeDecision,
            Stage::Ready => Phase::Ready,
            Stage::Betting { .. } if self.round.asked_to_reduce && self.over_differential().is_some() => {
                Phase::DifferentialHold
            }
            Stage::Betting { again: true } => Phase::Reopened,
            Stage::Betting { again: false } => Phase::BetsOpen,
            Stage::Playing => self.round_phase(),
            Stage::ShoeOption => Phase::ShoeOption,
            Stage::ShoeEnd => Phase::ShoeEnd,
            Stage::Closed => Phase::TableClosed,
        }
    }

    /// The heavier hand and by how much it is over the differential.
    #[must_use]
    pub fn over_differential(&self) -> Option<(Side, Amount)> {
        let limit = self.setup.terms.differential?;
        let [player, banker] = self.round.totals;
        let (side, gap) =
            if player > banker { (Side::Player, player - banker) } else { (Side::Banker, banker - player) };
        (gap > limit).then(|| (side, gap - limit))
    }

    /// Whether cards go face down to be opened later.
    #[must_use]
    pub fn deals_face_down(&self) -> bool {
        match self.round.method.or(self.method) {
            Some(Method::A | Method::C) => true,
            Some(Method::B) => false,
            None => self.setup.squeeze,
        }
    }

    /// The side that a bet backs as a main wager.
    #[must_use]
    pub fn main_side(&self, bet: usize) -> Option<Side> {
        self.game().bets.get(bet).and_then(|bet| bet.main)
    }

    /// The part of a wager that counts: what its Reserve covers, up to the bet that bounds it.
    pub(crate) fn covered(&self, laid: &Laid) -> Amount {
        let bound =
            self.game().bets.get(laid.bet).and_then(|bet| bet.at_most.as_ref()).map(|(other, _)| *other);
        let beside = |other: usize| {
            let same =
                |found: &&Laid| (found.player, found.area, found.bet) == (laid.player, laid.area, other);
            self.round.lying().find(same).map_or(Amount::ZERO, |found| found.stake)
        };
        self.secured(laid).min(bound.map_or(Amount::MAX, beside))
    }

    /// The part of a wager that its Reserve covers, in whole chips: all of it where none is needed.
    pub(crate) fn secured(&self, laid: &Laid) -> Amount {
        let times =
            self.game().bets.get(laid.bet).and_then(|bet| bet.reserve.as_ref()).map(|reserve| reserve.times);
        let Some(times) = times.filter(|times| *times > 0) else { return laid.stake };
        let covers = laid.reserve.ratio() * Ratio::new(1, i128::from(times));
        certain(Amount::floor_to(covers, self.setup.terms.chip), "a Reserve is no amount").min(laid.stake)
    }

    /// The wager as settlement sees it.
    pub(crate) fn as_wager(&self, laid: &Laid) -> Wager {
        let player = self.player(laid.player);
        Wager {
            player: laid.player.0,
            seat: player.and_then(Player::area).unwrap_or(u8::MAX),
            bet: laid.bet,
            stake: laid.stake,
            warned: player.is_some_and(|player| player.warned),
        }
    }

    /// The cards that are out and in no hand, in the order they are numbered after the draws.
    pub(crate) fn strays(&self) -> impl Iterator<Item = &Stray> {
        self.round.waiting.iter().chain(&self.round.surplus).chain(&self.next.carried)
    }

    /// A number that is the same for the same state: to compare replays.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        crate::fingerprint::of(self)
    }
}

impl Round {
    /// How the round ended, with the cards that it ended with.
    pub(crate) fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome?;
        let hands = FinalHands::of(&self.deal).filter(|hands| hands.outcome() == outcome);
        Some(hands.map_or_else(|| outcome.into(), Ending::from))
    }

    /// Where a baccarat round stands.
    pub(crate) fn phase(&self) -> Phase {
        let hidden = |at: usize| self.draws.get(at).is_some_and(|dealt| !dealt.exposed);
        match self.draws.len() {
            0 => Phase::BetsClosed,
            1..4 => Phase::InitialDeal,
            4 if (0..4).any(hidden) => Phase::InitialReveal,
            _ if self.outcome.is_some() => Phase::Result,
            drawn => match self.window.map(|window| window.stage) {
                Some(Window::FourCards) => Phase::InsuranceOne,
                Some(Window::PlayerThird) => Phase::InsuranceTwo,
                None if (0..4).any(hidden) => Phase::InitialReveal,
                None => {
                    let player_third = self.draws.iter().skip(4).find(|dealt| dealt.side == Side::Player);
                    match player_third {
                        Some(dealt) if !dealt.exposed && self.banker_first => Phase::BankerShownFirst,
                        Some(dealt) if !dealt.exposed => Phase::PlayerThirdReveal,
                        None if drawn == 4 && self.deal.due() == Some(Side::Player) => Phase::PlayerThird,
                        Some(_) | None => Phase::BankerThird,
                    }
                }
            },
        }
    }

    /// The hand of the next card: fixed for the first four, then by the drawing rules.
    ///
    /// The error is a card that nobody knows yet.
    pub(crate) fn due(&self) -> Result<Option<Side>, ()> {
        match self.draws.len() {
            0 | 2 => Ok(Some(Side::Player)),
            1 | 3 => Ok(Some(Side::Banker)),
            // Shown first only where the Banker draws whatever the Player's card is.
            5 if self.banker_first && self.banker_draws_anyway() => Ok(Some(Side::Banker)),
            drawn if self.deal.draws().len() == drawn => Ok(self.deal.due()),
            _ => Err(()),
        }
    }

    /// The hand of the next card as far as people can tell, `Some(None)` if there is none; nothing while it depends
    /// on cards that they do not see, or cards drawn together lie in no order.
    pub(crate) fn due_seen(&self) -> Option<Option<Side>> {
        if self.together.is_empty() { self.due_of_placed() } else { None }
    }

    /// The same for cards drawn together that are about to get their places.
    pub(crate) fn due_of_placed(&self) -> Option<Option<Side>> {
        let seen = |dealt: &Dealt| dealt.exposed && dealt.card.is_some();
        let drawn = self.draws.len();
        let tells = match drawn {
            0..=3 => true,
            // Shown first only where the Banker draws whatever the Player's card is.
            5 if self.banker_first && self.banker_draws_anyway() => self.draws.iter().take(4).all(seen),
            _ => self.draws.iter().all(seen),
        };
        if tells { self.due().ok() } else { None }
    }

    /// Whether the Player draws, and the Banker whatever the Player's third card is.
    fn banker_draws_anyway(&self) -> bool {
        let [player, banker] = [Side::Player, Side::Banker].map(|side| self.deal.initial_points(side));
        matches!(tableau::player(player, banker), Some((_, tableau::Play::Draws)))
            && (0..10).all(|third| tableau::banker(banker, Some(third)).1 == tableau::Play::Draws)
    }

    /// The result, once every card that it needs lies open where it belongs.
    pub(crate) fn result_seen(&self) -> Option<Outcome> {
        let in_place = self.together.is_empty() && self.draws.iter().all(|dealt| dealt.misplaced.is_none());
        if in_place && self.all_exposed() { self.deal.outcome() } else { None }
    }

    /// Whether every card is known and people see it.
    pub(crate) fn all_exposed(&self) -> bool {
        self.draws.iter().all(|dealt| dealt.exposed && dealt.card.is_some())
    }

    /// Wagers that lie on the layout: who withdrew before the close may bet anew.
    pub(crate) fn lying(&self) -> impl DoubleEndedIterator<Item = &Laid> {
        self.wagers.iter().filter(|laid| laid.ended.is_none())
    }

    /// The closed hand that is to be opened next, if one can be: the Player's first, unless the Dealer chose
    /// or the Banker's third card is to be shown first.
    #[must_use]
    pub fn next_to_open(&self) -> Option<Side> {
        if self.draws.len() < 4 {
            return None;
        }
        let initial = self.draws.iter().take(4).any(|dealt| !dealt.exposed);
        // With the Banker's card to be shown first the Player's waits for it.
        if !initial && self.banker_first && self.draws.len() == 5 {
            return None;
        }
        let banker_first = if initial { self.opens_first == Some(Side::Banker) } else { self.banker_first };
        let order = if banker_first { [Side::Banker, Side::Player] } else { [Side::Player, Side::Banker] };
        let of = |side: Side| self.draws.iter().filter(move |dealt| dealt.side == side);
        let can_open = |side: &Side| {
            of(*side).any(|dealt| !dealt.exposed) && of(*side).all(|dealt| dealt.card.is_some())
        };
        order.into_iter().find(can_open)
    }

    /// The hands as people see them: the cards in draw order up to the first closed one.
    #[must_use]
    pub fn seen(&self) -> Deal {
        let open = self.draws.iter().take_while(|dealt| dealt.exposed && dealt.card.is_some()).count();
        self.deal.after(u8::try_from(open).unwrap_or(u8::MAX))
    }

    /// What the open cards of a hand count, whatever lies closed beside them.
    #[must_use]
    pub fn open_points(&self, side: Side) -> u8 {
        let own = self.draws.iter().filter(|dealt| dealt.side == side && dealt.exposed);
        own.filter_map(|dealt| dealt.card).fold(0, |points, card| (points + card_value(card)) % 10)
    }

    /// Wagers that have not ended.
    pub fn open(&self) -> impl Iterator<Item = (usize, &Laid)> {
        self.wagers.iter().enumerate().filter(|(_, laid)| laid.ended.is_none())
    }
}

/// The place of a side in pairs of them.
pub(crate) const fn place(side: Side) -> usize {
    match side {
        Side::Player => 0,
        Side::Banker => 1,
    }
}
