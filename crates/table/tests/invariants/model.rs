//! The money of a table kept a second time: from the commands that were accepted, the cards, and the rules
//! in plain numbers. What the engine says about money is never read.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use croupier_cards::Card;
use croupier_rules::baccarat::Side;
use croupier_rules::money::Rounding;
use croupier_rules::{Family, Remedy};
use croupier_table::command::Holder;
use croupier_table::event::{Mark, Source};
use croupier_table::setup::{WarnedFor, WhenBlocked};
use croupier_table::table::Player;
use croupier_table::{Action, Actor, Command, Event, Fact, Phase, PlayerId, Report, Table, decide};

use super::rules::{self, Decided, Hands, Plain, Seen};

#[derive(Clone, Debug)]
struct Stake {
    player: PlayerId,
    bet: String,
    box_number: Option<u8>,
    stake: i64,
    reserve: i64,
}

#[derive(Clone, Debug)]
struct Insurance {
    player: PlayerId,
    on_player: bool,
    /// Twice the odds.
    odds: i64,
    on_tie: bool,
    stake: i64,
}

/// What everybody should have.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    game: String,
    bets: Vec<String>,
    chips: BTreeMap<PlayerId, i64>,
    owes: BTreeMap<PlayerId, i64>,
    warned: BTreeSet<PlayerId>,
    float: i64,
    drop: i64,
    tips: i64,
    stakes: Vec<Stake>,
    insurances: Vec<Insurance>,
    withdrawing: Vec<BTreeSet<PlayerId>>,
    decided: Decided,
}

fn rank(card: Card) -> u8 {
    u8::try_from(card.rank().index() + 1).unwrap()
}

fn plain(card: &Card) -> Plain {
    (rank(*card), 3 - u8::try_from(card.suit().index()).unwrap())
}

impl Model {
    pub(crate) fn new(table: &Table) -> Self {
        Self {
            game: table.game().id.clone(),
            bets: table.game().bets.iter().map(|bet| bet.id.clone()).collect(),
            chips: BTreeMap::new(),
            owes: BTreeMap::new(),
            warned: BTreeSet::new(),
            float: 0,
            drop: 0,
            tips: 0,
            stakes: Vec::new(),
            insurances: Vec::new(),
            withdrawing: Vec::new(),
            decided: Decided::default(),
        }
    }

    fn give(&mut self, player: PlayerId, amount: i64) {
        *self.chips.entry(player).or_default() += amount;
    }

    fn minimum(&self, table: &Table, bet: &str) -> i64 {
        let at = self.bets.iter().position(|known| known == bet).unwrap();
        table.setup.terms.limit(at).minimum.map_or(0, |minimum| minimum.minor())
    }

    fn maximum(&self, table: &Table, bet: &str) -> i64 {
        let at = self.bets.iter().position(|known| known == bet).unwrap();
        table.setup.terms.limit(at).maximum.map_or(i64::MAX, |maximum| maximum.minor())
    }

    /// An accepted command; the table is as it was before.
    pub(crate) fn obey(&mut self, table: &Table, command: &Command) {
        match &command.action {
            Action::Fill { amount, .. } => self.float += amount.minor(),
            Action::Credit { amount, .. } => self.float -= amount.minor(),
            Action::CountDrop { .. } => self.drop = 0,
            Action::PayTips => self.tips = 0,
            Action::BuyIn { player, amount, cash } => {
                self.give(*player, amount.minor());
                if *cash {
                    self.float -= amount.minor();
                    self.drop += amount.minor();
                }
            }
            Action::Tip { player, amount } => {
                self.give(*player, -amount.minor());
                self.tips += amount.minor();
            }
            Action::PostCorrection { player, amount, .. } => {
                self.give(*player, amount.minor());
                self.float -= amount.minor();
            }
            Action::Leave { player } => {
                let chips = self.chips.remove(player).unwrap_or(0);
                let owes = self.owes.remove(player).unwrap_or(0);
                self.float += owes.min(chips);
                self.warned.remove(player);
            }
            Action::Place(place) => self.place(table, place),
            Action::TakeBack { player, bet, box_number, amount } => {
                let seat = table.player(*player).and_then(|player| player.seat);
                let bet = self.bets[*bet].clone();
                let amount = amount.map(|amount| amount.minor());
                self.take_off(table, *player, &bet, box_number.or(seat), amount);
            }
            // While betting is open chips that are gone were taken back, where they may be.
            Action::Report(Report::WagerRemoved { player, bet }) => {
                let lying = table.round.wagers.iter().find(|laid| laid.player == *player && laid.bet == *bet);
                let box_number =
                    lying.and_then(|laid| laid.area).filter(|_| table.setup.family() == Family::NiuNiu);
                let action = Action::TakeBack { player: *player, bet: *bet, box_number, amount: None };
                let asked = Command { actor: Actor::Player(*player), action, ..command.clone() };
                let open =
                    matches!(table.phase(), Phase::BetsOpen | Phase::Reopened | Phase::DifferentialHold);
                if open && decide(table, &asked).is_ok() {
                    let bet = self.bets[*bet].clone();
                    self.take_off(table, *player, &bet, box_number, None);
                }
            }
            Action::RemoveWager { player, bet } => {
                let bet = self.bets[*bet].clone();
                self.take_off(table, *player, &bet, None, None);
            }
            Action::CloseBets => {
                let returns = table.setup.when_blocked == WhenBlocked::ReturnNewest;
                if command.actor == Actor::System && returns {
                    self.return_newest(table);
                }
                if command.actor == Actor::System {
                    self.return_short(table);
                }
            }
            Action::Insure { player, side, amount } => self.insure(table, *player, *side, amount.minor()),
            _ => {}
        }
    }

    fn place(&mut self, table: &Table, place: &croupier_table::Place) {
        let bet = self.bets[place.bet].clone();
        let by_box = table.setup.family() == Family::NiuNiu;
        let seat = table.player(place.player).and_then(|player| player.seat);
        let box_number = if by_box { place.area.or(seat) } else { None };
        let amount = place.amount.minor();
        let (times, _) = rules::reserve(&bet, 0);
        // A chip table takes a Reserve that lies short.
        let reserve = place.reserve.map_or(amount * times, |laid| laid.minor());
        self.give(place.player, -amount - reserve);
        let same = |laid: &&mut Stake| {
            laid.player == place.player && laid.bet == bet && laid.box_number == box_number
        };
        if let Some(laid) = self.stakes.iter_mut().find(same) {
            laid.stake += amount;
            laid.reserve += reserve;
        } else {
            let (player, stake) = (place.player, amount);
            self.stakes.push(Stake { player, bet, box_number, stake, reserve });
        }
    }

    fn take_off(
        &mut self,
        table: &Table,
        player: PlayerId,
        bet: &str,
        area: Option<u8>,
        amount: Option<i64>,
    ) {
        let by_box = table.setup.family() == Family::NiuNiu;
        let same =
            |laid: &Stake| laid.player == player && laid.bet == bet && (!by_box || laid.box_number == area);
        let laid = self.stakes.iter_mut().find(|laid| same(laid)).unwrap();
        let amount = amount.unwrap_or(laid.stake);
        let (times, _) = rules::reserve(bet, 0);
        laid.stake -= amount;
        let kept = laid.reserve.min(laid.stake * times);
        let back = laid.reserve - kept;
        laid.reserve = kept;
        self.give(player, amount + back);
        self.stakes.retain(|laid| laid.stake > 0);
    }

    /// The setting of an automatic table: the newest wagers of the heavier hand go back.
    fn return_newest(&mut self, table: &Table) {
        let Some(limit) = table.setup.terms.differential else { return };
        let total = |bet: &str| -> i64 {
            self.stakes.iter().filter(|laid| laid.bet == bet).map(|laid| laid.stake).sum()
        };
        let (player, banker) = (total("player"), total("banker"));
        let heavy = if player > banker { "player" } else { "banker" };
        let mut over = (player - banker).abs() - limit.minor();
        for at in (0..self.stakes.len()).rev() {
            if over > 0 && self.stakes[at].bet == heavy {
                let amount = self.stakes[at].stake.min(over);
                over -= amount;
                self.stakes[at].stake -= amount;
                self.give(self.stakes[at].player, amount);
            }
        }
        self.stakes.retain(|laid| laid.stake > 0);
    }

    /// NN-Q7: an automatic table gives wagers back whose Reserve lies short, or which lie above Even.
    fn return_short(&mut self, table: &Table) {
        let chip = table.setup.terms.chip.minor();
        let evens: BTreeMap<Option<u8>, i64> = self
            .stakes
            .iter()
            .filter(|laid| laid.bet == "even")
            .map(|laid| (laid.box_number, laid.stake))
            .collect();
        self.return_if(|laid| {
            let (times, _) = rules::reserve(&laid.bet, 0);
            let above = || laid.stake > evens[&laid.box_number];
            times > 0 && (laid.reserve / times / chip * chip < laid.stake || above())
        });
    }

    fn insure(&mut self, table: &Table, player: PlayerId, side: Side, stake: i64) {
        // By the cards in view, in draw order.
        let shown = table.round.draws.iter().take_while(|dealt| dealt.exposed);
        let values: Vec<u8> = shown.map(|dealt| rules::value(rank(dealt.card.unwrap()))).collect();
        let third = values.get(4).copied().unwrap_or(0);
        let player_points = (values[0] + values[2] + third) % 10;
        let banker_points = (values[1] + values[3]) % 10;
        let line = rules::insurance_line(values.len(), player_points, banker_points);
        let (on_player, odds, on_tie) = line.unwrap_or_else(|| panic!("no insurance on {values:?}"));
        assert_eq!(on_player, side == Side::Player, "the wrong hand is insured");
        self.give(player, -stake);
        self.insurances.push(Insurance { player, on_player, odds, on_tie, stake });
    }

    /// What happened to the cards and by rulings; the table is as it was before the event.
    pub(crate) fn follow(&mut self, table: &Table, event: &Event) {
        match &event.fact {
            Fact::Answered { player, withdraw: true } => {
                self.withdrawing.last_mut().unwrap().insert(*player);
            }
            // One choice may wait behind another.
            Fact::OptionOpened { .. } => self.withdrawing.push(BTreeSet::new()),
            Fact::OptionClosed => self.withdraw(table),
            Fact::TurnedFree | Fact::BettingAbandoned => self.return_if(|_| true),
            Fact::BoxVoided { box_number } => {
                self.return_if(|laid| laid.box_number == Some(*box_number));
            }
            Fact::ShoeLoaded { .. } => {
                self.collect();
                if table.setup.warned_for == WarnedFor::Shoe {
                    self.warned.clear();
                }
            }
            Fact::RoundClosed { mark, .. } => match mark {
                Mark::Void => self.return_if(|_| true),
                Mark::Result(_) | Mark::Free(_) => self.settle(table),
                Mark::Played => self.settle_boxes(table),
            },
            _ => {}
        }
    }

    fn return_if(&mut self, goes: impl Fn(&Stake) -> bool) {
        let (back, stay): (Vec<Stake>, Vec<Stake>) = self.stakes.drain(..).partition(&goes);
        self.stakes = stay;
        back.iter().for_each(|laid| self.give(laid.player, laid.stake + laid.reserve));
        if self.stakes.is_empty() {
            for laid in core::mem::take(&mut self.insurances) {
                self.give(laid.player, laid.stake);
            }
        }
    }

    /// Who withdraws has everything back that the cards in view do not decide.
    fn withdraw(&mut self, table: &Table) {
        let who = self.withdrawing.pop().unwrap_or_default();
        let ruling = table.hold.as_ref().and_then(|hold| hold.ruling.as_ref());
        // Cards that are about to be discarded decide nothing.
        let resets = ruling.is_some_and(|made| made.remedy == Remedy::Reset);
        let seen = seen(table).filter(|_| !resets && !super::watch::is_order_in_doubt(table));
        let mut decided = core::mem::take(&mut self.decided);
        let game = self.game.clone();
        for laid in core::mem::take(&mut self.stakes) {
            let open = seen.as_ref().is_none_or(|seen| !decided.is_decided(&game, &laid.bet, seen));
            if open && who.contains(&laid.player) {
                self.give(laid.player, laid.stake + laid.reserve);
            } else {
                self.stakes.push(laid);
            }
        }
        self.decided = decided;
        for laid in core::mem::take(&mut self.insurances) {
            if who.contains(&laid.player) {
                self.give(laid.player, laid.stake);
            } else {
                self.insurances.push(laid);
            }
        }
    }

    /// HB-Q28: exact, or in the payable unit the way the house rounds.
    fn paid(table: &Table, exact: i64) -> i64 {
        let Some(payable) = table.setup.terms.payable else { return exact };
        let unit = payable.unit.minor();
        match payable.rounding {
            Rounding::Down => exact / unit * unit,
            Rounding::Nearest => (2 * exact + unit) / (2 * unit) * unit,
            Rounding::Up => (exact + unit - 1) / unit * unit,
        }
    }

    fn settle(&mut self, table: &Table) {
        let ranks: Vec<u8> = table.round.draws.iter().map(|dealt| rank(dealt.card.unwrap())).collect();
        let hands = Hands::of(&ranks).unwrap_or_else(|| panic!("settled on {ranks:?}"));
        let action = self.in_action(table, hands.is_tie());
        let stakes = core::mem::take(&mut self.stakes);
        let owed = table.setup.commission_at_shoe_end;
        let before = self.warned.clone();
        for (laid, action) in stakes.iter().zip(&action) {
            let (twenty, kept) = rules::twenty(&self.game, &laid.bet, hands);
            let at_risk = action.unwrap_or(0);
            assert_eq!(at_risk % 20, 0, "chips are multiples of twenty");
            let won = at_risk / 20 * twenty;
            let commission = at_risk / 20 * kept;
            let net = if won > 0 { Self::paid(table, won) } else { won };
            self.give(laid.player, laid.stake + net);
            self.float -= net;
            if owed {
                self.give(laid.player, commission);
                *self.owes.entry(laid.player).or_default() += commission;
                self.float -= commission;
            }
            // DB has no rule about limits, and so nothing to remember.
            let small = laid.stake < self.minimum(table, &laid.bet);
            // A stand-off is neither paid nor collected, and so not the one time (HB-Q53, HDT-Q41, MBS-Q29).
            let settled = twenty != 0;
            if small && settled && !before.contains(&laid.player) && self.game != "horseshoe-dragon-bonus" {
                self.warned.insert(laid.player);
            }
        }
        self.settle_insurances(table, hands, &stakes, &action);
        if table.shoe.rounds_left == Some(0) {
            self.collect();
        }
    }

    /// DB-Q9: what is owed is collected when the shoe ends, as far as the chips go.
    fn collect(&mut self) {
        for (player, owes) in &mut self.owes {
            let chips = self.chips.entry(*player).or_default();
            let due = (*owes).min(*chips);
            *chips -= due;
            *owes -= due;
            self.float += due;
        }
    }

    /// 7.17, then 7.18, then 7.19 (HB-Q24): nothing for a wager that goes back.
    fn in_action(&self, table: &Table, tie: bool) -> Vec<Option<i64>> {
        let terms = &table.setup.terms;
        let rules_limits = self.game != "horseshoe-dragon-bonus";
        let small = |laid: &Stake| laid.stake < self.minimum(table, &laid.bet);
        let mut action: Vec<Option<i64>> = self
            .stakes
            .iter()
            .map(|laid| match () {
                () if !rules_limits => Some(laid.stake),
                () if small(laid) && self.warned.contains(&laid.player) => None,
                () => Some(laid.stake.min(self.maximum(table, &laid.bet))),
            })
            .collect();
        let hoiana = self.game.starts_with("hoiana-");
        let (Some(limit), false, true) = (terms.differential, tie, hoiana) else { return action };
        let total = |bet: &str| -> i64 {
            let of_bet = self.stakes.iter().zip(&action).filter(|(laid, _)| laid.bet == bet);
            of_bet.filter_map(|(_, action)| *action).sum()
        };
        let (player, banker) = (total("player"), total("banker"));
        let (heavy, high, low) =
            if player > banker { ("player", player, banker) } else { ("banker", banker, player) };
        if high - low <= limit.minor() {
            return action;
        }
        let allowed = low + limit.minor();
        let on_heavy: Vec<usize> = (0..self.stakes.len())
            .filter(|at| self.stakes[*at].bet == heavy && action[*at].is_some())
            .collect();
        let (exempt, scaled): (Vec<usize>, Vec<usize>) =
            on_heavy.into_iter().partition(|at| small(&self.stakes[*at]));
        let exempt: i64 = exempt.iter().map(|at| action[*at].unwrap()).sum();
        let (above, below) = if terms.small_wager_makes_room {
            ((allowed - exempt).max(0), high - exempt)
        } else {
            (allowed, high)
        };
        let chip = terms.chip.minor();
        let shared: i64 = scaled.iter().map(|at| action[*at].unwrap()).sum();
        if shared == 0 {
            return action;
        }
        // Whole chips by largest remainder, then the lower seat, then the earlier wager.
        let mut chips_left = shared * above / (below * chip);
        let mut remainders = Vec::new();
        for at in scaled {
            let exact = action[at].unwrap() * above;
            let chips = exact / (below * chip);
            action[at] = Some(chips * chip);
            chips_left -= chips;
            let seat = table.player(self.stakes[at].player).and_then(Player::area).unwrap_or(u8::MAX);
            remainders.push((-(exact % (below * chip)), seat, at));
        }
        remainders.sort_unstable();
        for (_, _, at) in remainders.into_iter().take(usize::try_from(chips_left).unwrap()) {
            action[at] = action[at].map(|amount| amount + chip);
        }
        action
    }

    /// HB 6.4.1 to 6.4.3.1.
    fn settle_insurances(&mut self, table: &Table, hands: Hands, stakes: &[Stake], action: &[Option<i64>]) {
        let laid = core::mem::take(&mut self.insurances);
        let holders: BTreeSet<(PlayerId, bool)> =
            laid.iter().map(|laid| (laid.player, laid.on_player)).collect();
        for (player, on_player) in holders {
            let bet = if on_player { "player" } else { "banker" };
            let own =
                stakes.iter().zip(action).filter(|(stake, _)| stake.player == player && stake.bet == bet);
            let insured: i64 = own.filter_map(|(_, action)| *action).sum();
            // What pays on a tie and what pays on a loss never pay together.
            let mut room = BTreeMap::from([(false, insured), (true, insured)]);
            let mut most = insured;
            let limits = table.setup.terms.insurance_limits.iter();
            let mut house: BTreeMap<i64, i64> = limits
                .map(|(odds, limit)| {
                    let doubled = odds.ratio() * croupier_rules::Ratio::from(2);
                    (i64::try_from(doubled.whole().unwrap()).unwrap(), limit.minor())
                })
                .collect();
            for laid in laid.iter().filter(|laid| laid.player == player && laid.on_player == on_player) {
                let counted = house.get(&laid.odds).map_or(laid.stake, |limit| laid.stake.min(*limit));
                house.entry(laid.odds).and_modify(|limit| *limit -= counted);
                let left = room.get_mut(&laid.on_tie).unwrap();
                let wins = (counted * laid.odds / 2).min(*left);
                let at_risk = wins * 2 / laid.odds;
                *left -= wins;
                let wins = if at_risk == 0 { 0 } else { wins };
                let lost = if on_player { hands.banker_wins() } else { hands.player_wins() };
                let pays = if laid.on_tie { hands.is_tie() } else { lost };
                let net = if pays {
                    let mut paid = Self::paid(table, wins);
                    if let (true, Some(payable)) = (paid > most, table.setup.terms.payable) {
                        paid = most / payable.unit.minor() * payable.unit.minor();
                    }
                    most -= paid;
                    paid
                } else if hands.is_tie() {
                    0
                } else {
                    -at_risk
                };
                self.give(player, laid.stake + net);
                self.float -= net;
            }
        }
    }

    /// NN 6.3, 6.4, 7.11: box by box against the Dealer.
    fn settle_boxes(&mut self, table: &Table) {
        let cards = |holder: Holder| -> Vec<Plain> {
            let hand = table.round.boxes.hand(holder).unwrap_or_else(|| panic!("{holder:?} has no hand"));
            assert_eq!(hand.cards.len(), 5, "{holder:?}");
            hand.cards.iter().map(plain).collect()
        };
        let dealer = cards(Holder::Dealer);
        let stakes = core::mem::take(&mut self.stakes);
        let even: Vec<i64> = stakes
            .iter()
            .map(|laid| {
                let same = |other: &&Stake| other.bet == "even" && other.box_number == laid.box_number;
                stakes.iter().find(same).unwrap().stake
            })
            .collect();
        for (laid, even) in stakes.into_iter().zip(even) {
            let hand = cards(Holder::Box(laid.box_number.unwrap()));
            // NN-Q7: only what Even allows and the Reserve covers, in whole chips.
            let (times, _) = rules::reserve(&laid.bet, 0);
            let chip = table.setup.terms.chip.minor();
            let covered = if times == 0 { laid.stake } else { laid.reserve / times / chip * chip };
            let at_risk = laid.stake.min(covered).min(even).min(self.maximum(table, &laid.bet));
            let net = match rules::compared(&hand, &dealer) {
                Ordering::Greater => {
                    Self::paid(table, at_risk / 20 * rules::niu_wins(&laid.bet, rules::niu(&hand)))
                }
                // NN-Q34: only with a card that is there twice.
                Ordering::Equal => 0,
                Ordering::Less => {
                    let (_, lost) = rules::reserve(&laid.bet, rules::niu(&dealer));
                    -at_risk * (1 + lost)
                }
            };
            self.give(laid.player, laid.stake + laid.reserve + net);
            self.float -= net;
        }
    }

    /// Everybody has what they should.
    pub(crate) fn check(&self, table: &Table) {
        for player in &table.players {
            let chips = self.chips.get(&player.id).copied().unwrap_or(0);
            assert_eq!(player.chips.minor(), chips, "the chips of player {}", player.id.0);
            let owes = self.owes.get(&player.id).copied().unwrap_or(0);
            assert_eq!(player.owes.minor(), owes, "what player {} owes", player.id.0);
            assert_eq!(player.warned, self.warned.contains(&player.id), "player {}", player.id.0);
        }
        let house = (table.float.minor(), table.drop.minor(), table.tips.minor());
        assert_eq!(house, (self.float, self.drop, self.tips), "float, drop and tips");
        let open: i64 = self.stakes.iter().map(|laid| laid.stake + laid.reserve).sum();
        let lying = table.round.wagers.iter().filter(|laid| laid.ended.is_none());
        let lying: i64 = lying.map(|laid| laid.stake.minor() + laid.reserve.minor()).sum();
        assert_eq!(open, lying, "what lies on the layout");
    }
}

/// The cards that people see; nothing where none is out, or in Niu Niu, where they decide nothing.
fn seen(table: &Table) -> Option<Seen> {
    let draws = &table.round.draws;
    if draws.is_empty() || table.setup.family() == Family::NiuNiu {
        return None;
    }
    let mut seen = Seen::default();
    // A card on the wrong hand decides nothing until it is put right.
    let shown = draws.iter().enumerate().filter(|(_, dealt)| dealt.exposed && dealt.misplaced.is_none());
    for (at, dealt) in shown {
        let card = dealt.card.map(rank);
        match (at, dealt.side) {
            (0..4, _) => seen.initial[at] = card,
            (_, Side::Player) => seen.player_third = card,
            (_, Side::Banker) => seen.banker_third = card,
        }
    }
    Some(seen)
}

/// Where cards of a round come from, for the count of what was met.
pub(crate) fn source_key(source: Source) -> &'static str {
    match source {
        Source::Shoe => "shoe",
        Source::Carried => "carried",
        Source::Waiting => "waiting",
        Source::Held => "held",
        Source::Together => "together",
    }
}
