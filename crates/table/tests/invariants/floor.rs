//! A table with people around it who mostly know what they do. Cards lie in a real shoe; what is told of
//! them to the table is another matter.

use croupier_cards::{Card, Composition, Decks};
use croupier_rules::baccarat::Side;
use croupier_rules::{Family, Irregularity, Power};
use croupier_table::event::Source;
use croupier_table::setup::Method;
use croupier_table::{
    Action, Actor, Because, Command, Event, Fact, PersonId, Phase, PlayerId, Refusal, Staff, Table, Why,
};

use super::any::{KINDS, PLAYERS, SIDES, any_action, any_card, anybody, manager, member};
use super::opening::minor;
use super::random::Random;
use super::{betting, boxes, troubles};

/// A table, and what really happens there.
pub(crate) struct Floor {
    pub(crate) random: Random,
    pub(crate) table: Table,
    /// The cards in the device, the next one last.
    pub(crate) shoe: Vec<Card>,
    /// The cards of this round in draw order, whatever was told of them.
    pub(crate) dealt: Vec<Card>,
    /// Those that wait for their place.
    waiting: Vec<Card>,
    /// Those that no hand may take.
    surplus: Vec<Card>,
    /// Those that the next round begins with.
    carried: Vec<Card>,
    /// In this round the device does not read the cards.
    pub(crate) unread: bool,
    /// What stood in the way last.
    learned: Option<Why>,
    clock: u64,
}

impl Floor {
    pub(crate) fn new(table: Table, random: Random) -> Self {
        Self {
            random,
            table,
            shoe: Vec::new(),
            dealt: Vec::new(),
            waiting: Vec::new(),
            surplus: Vec::new(),
            carried: Vec::new(),
            unread: false,
            learned: None,
            clock: 0,
        }
    }

    /// What somebody asks next.
    pub(crate) fn next(&mut self) -> Command {
        self.clock += 1;
        let (actor, action) = match self.random.below(100) {
            0..8 => {
                let kind = self.random.below(KINDS);
                // A closed table is soon closed for good.
                let kind = if kind == 6 && self.random.chance(90) { 0 } else { kind };
                (anybody(&mut self.random, &self.table), any_action(&mut self.random, &self.table, kind))
            }
            8..12 => troubles::trouble(self),
            12..15 => self.on_the_side(),
            _ => self.sensible(),
        };
        Command { actor, at: self.clock, action }
    }

    /// People hear why something was refused.
    pub(crate) fn learn(&mut self, refusal: &Refusal) {
        self.learned = Some(refusal.why.clone());
    }

    pub(crate) fn staff(&mut self) -> Actor {
        if self.random.chance(10) { Actor::System } else { Actor::Staff(member(0)) }
    }

    /// Somebody with a power; now and then somebody without.
    pub(crate) fn with_power(&mut self, power: Power) -> Actor {
        let ranks = u8::try_from(self.table.rulebook().ranks.len()).unwrap();
        let lowest = self.table.rulebook().power(power);
        let lowest = lowest.and_then(|rule| self.table.rulebook().needed_rank(rule.needs, None)).unwrap_or(0);
        if self.random.chance(85) {
            Actor::Staff(member(self.random.small(lowest, ranks - 1)))
        } else {
            anybody(&mut self.random, &self.table)
        }
    }

    /// Somebody on duty, if anybody is.
    fn witness(&mut self) -> PersonId {
        match self.table.staff.len() {
            0 => member(0).person,
            count => self.table.staff[self.random.below(count)].person,
        }
    }

    pub(crate) fn somebody(&mut self) -> PlayerId {
        match self.table.players.len() {
            0 => PLAYERS[0],
            count => self.table.players[self.random.below(count)].id,
        }
    }

    /// The next cards of the shoe; others where it has no more.
    pub(crate) fn top(&mut self, count: usize) -> Vec<Card> {
        let mut cards: Vec<Card> = self.shoe.iter().rev().take(count).copied().collect();
        while cards.len() < count {
            cards.push(any_card(&mut self.random));
        }
        cards
    }

    /// What goes on beside the game.
    fn on_the_side(&mut self) -> (Actor, Action) {
        let player = self.somebody();
        let chip = self.table.setup.terms.chip.minor();
        let amount = minor(chip * self.random.between(1, 400));
        let witness = self.witness();
        match self.random.below(17) {
            0 | 1 => self.comes(),
            2 => (Actor::Player(player), Action::BuyIn { player, amount, cash: false }),
            3 => (Actor::Staff(member(0)), Action::BuyIn { player, amount, cash: true }),
            4 => (Actor::Player(player), Action::Tip { player, amount: minor(chip) }),
            5 => (self.with_power(Power::Treasury), Action::PayTips),
            6 => (self.with_power(Power::Treasury), Action::CountDrop { witness }),
            7 => (self.with_power(Power::Treasury), Action::Credit { amount, witness }),
            8 => (self.with_power(Power::Treasury), Action::Fill { amount, witness }),
            9 => (Actor::Player(player), Action::Leave { player }),
            10 => (self.with_power(Power::RestrictBoxes), Action::RestrictBoxes { player }),
            11 => {
                let on = self.random.chance(70);
                (self.with_power(Power::StopInsurance), Action::SwitchInsurance { on, asked_by: player })
            }
            12 => (Actor::Player(player), Action::AcceptNotice { player }),
            13 => {
                let method = self.random.pick(&Method::ALL);
                (self.with_power(Power::ChooseMethodC), Action::ChooseMethod(method))
            }
            14 => (self.with_power(Power::ForbidSqueeze), Action::ForbidSqueeze { player }),
            15 => {
                let ranks = u8::try_from(self.table.rulebook().ranks.len()).unwrap();
                let who = member(self.random.small(1, ranks - 1));
                let on_duty = self.table.staff.iter().any(|known| known.person == who.person);
                let action = if on_duty { Action::SignOff(who.person) } else { Action::SignOn(who) };
                (Actor::Staff(member(0)), action)
            }
            _ => {
                let side = self.random.pick(&SIDES);
                (self.with_power(Power::AllowSqueeze), Action::AllowSqueeze { player, side })
            }
        }
    }

    /// A player comes, or moves.
    fn comes(&mut self) -> (Actor, Action) {
        let player = self.random.pick(&PLAYERS[..6]);
        let seat = self.random.small(1, self.table.setup.seats);
        if self.random.chance(75) {
            (Actor::Player(player), Action::Sit { player, seat })
        } else {
            (Actor::Player(player), Action::Stand { player, behind: Some(seat) })
        }
    }

    /// The next thing that has to be done.
    fn sensible(&mut self) -> (Actor, Action) {
        let witness = self.witness();
        let table = &self.table;
        let chip = table.setup.terms.chip.minor();
        if !table.staff.iter().any(|known| known.person == member(0).person) {
            return (Actor::Staff(member(0)), Action::SignOn(member(0)));
        }
        if table.float < minor(chip * 2_000) {
            let chips = if self.random.chance(80) { 40_000 } else { self.random.between(1, 2_000) };
            return (
                Actor::Staff(manager(&self.table)),
                Action::Fill { amount: minor(chip * chips), witness },
            );
        }
        match self.learned.take() {
            Some(Why::FloatShort { .. }) => {
                let amount = minor(chip * 40_000);
                return (Actor::Staff(manager(&self.table)), Action::Fill { amount, witness });
            }
            Some(Why::ShoeLocked) => {
                return (self.with_power(Power::ReplaceShoe), Action::ReplaceShoe { commitment: None });
            }
            Some(Why::ShoeNotReady { .. }) => return self.prepare(),
            Some(Why::NeedsWager) => {
                let player = self.somebody();
                let ranks = u8::try_from(self.table.rulebook().ranks.len()).unwrap();
                return (Actor::Staff(member(ranks - 1)), Action::PermitDrawing { player });
            }
            _ => {}
        }
        match table.phase() {
            Phase::ShoeLoaded => self.prepare(),
            Phase::Ready | Phase::ShoeDecision => self.between_rounds(),
            Phase::FreeHand => {
                if self.random.chance(90) {
                    (self.staff(), Action::DealFreeHand)
                } else {
                    (self.with_power(Power::ReplaceShoe), Action::ReplaceShoe { commitment: None })
                }
            }
            Phase::BetsOpen | Phase::Reopened | Phase::DifferentialHold => betting::bet(self),
            Phase::BetsClosed if table.setup.family() == Family::NiuNiu => boxes::deal(self),
            Phase::Dealing | Phase::CountCheck => boxes::deal(self),
            Phase::Arranging | Phase::Verify => boxes::arrange(self),
            Phase::BetsClosed | Phase::InitialDeal | Phase::PlayerThird => self.draw(),
            Phase::InitialReveal
            | Phase::PlayerThirdReveal
            | Phase::BankerShownFirst
            | Phase::BankerThird => self.reveal_or_draw(),
            Phase::InsuranceOne | Phase::InsuranceTwo => betting::insure(self),
            Phase::Result => {
                let winner = self.random.pick(&croupier_rules::baccarat::Winner::ALL);
                match self.random.below(8) {
                    0 => (self.staff(), Action::Call(winner)),
                    1 => (self.staff(), Action::Display(winner)),
                    _ => (self.staff(), Action::Settle),
                }
            }
            Phase::ShoeOption => {
                let player = self.somebody();
                let replace = self.random.chance(40);
                if self.random.chance(50) {
                    (Actor::Player(player), Action::ChooseShoe { player, replace })
                } else {
                    (self.staff(), Action::CloseShoeChoice)
                }
            }
            Phase::ShoeEnd => {
                if table.shoe.fate == croupier_rules::irregularity::ShoeFate::Replace
                    || self.random.chance(10)
                {
                    (self.with_power(Power::ReplaceShoe), Action::ReplaceShoe { commitment: None })
                } else {
                    (self.staff(), Action::LoadShoe { set: None, commitment: None })
                }
            }
            Phase::OnHold => troubles::rule(self),
            Phase::OptionWindow => {
                let open: Vec<PlayerId> = table
                    .hold
                    .iter()
                    .flat_map(|hold| &hold.answers)
                    .filter(|(_, answer)| answer.is_none())
                    .map(|(player, _)| *player)
                    .collect();
                if open.is_empty() || self.random.chance(20) {
                    return (self.staff(), Action::CloseWindow);
                }
                let player = self.random.pick(&open);
                let withdraw = self.random.chance(60);
                (Actor::Player(player), Action::Answer { player, withdraw })
            }
            Phase::Sorting => self.sort(),
            Phase::TableClosed => (Actor::System, Action::PayTips),
        }
    }

    fn prepare(&mut self) -> (Actor, Action) {
        let shoe = &self.table.shoe;
        if shoe.number == 0 {
            (self.staff(), Action::LoadShoe { set: None, commitment: None })
        } else if !shoe.is_shuffled {
            (Actor::Device, Action::RecordShuffle)
        } else if self.table.setup.cut_card.is_some() && !shoe.is_cut {
            (self.staff(), Action::CutCards { above: None })
        } else if self.random.chance(25) {
            // Forgotten.
            (self.staff(), Action::OpenBets)
        } else {
            self.burn()
        }
    }

    pub(crate) fn burn(&mut self) -> (Actor, Action) {
        let count = self.table.setup.burn;
        let mut cards = self.top(count.into());
        let read = self.random.below(cards.len() + 1);
        cards.truncate(read);
        (self.staff(), Action::Burn { count, cards })
    }

    fn between_rounds(&mut self) -> (Actor, Action) {
        let chip = self.table.setup.terms.chip.minor();
        if self.table.players.len() < 3 {
            return self.comes();
        }
        if let Some(poor) = self.table.players.iter().find(|player| player.chips < minor(chip * 60)) {
            let player = poor.id;
            let amount = minor(chip * self.random.between(50, 1_500));
            return (Actor::Player(player), Action::BuyIn { player, amount, cash: false });
        }
        let replace = self.table.shoe.fate == croupier_rules::irregularity::ShoeFate::Replace;
        match self.random.below(30) {
            _ if replace => (self.with_power(Power::ReplaceShoe), Action::ReplaceShoe { commitment: None }),
            0 => (self.staff(), Action::AnnounceLast),
            1 => (self.with_power(Power::ReplaceShoe), Action::ReplaceShoe { commitment: None }),
            2 if self.table.method == Some(Method::C) => {
                let player = self.somebody();
                (self.with_power(Power::DrawWithoutWager), Action::PermitDrawing { player })
            }
            3 => (Actor::Device, Action::ShoeEmpty),
            _ => {
                self.unread = self.random.chance(15);
                (self.staff(), Action::OpenBets)
            }
        }
    }

    /// Who draws: the Dealer, the device, or the player who has it.
    pub(crate) fn drawer(&mut self) -> Actor {
        match (self.table.round.method, self.table.device) {
            (Some(Method::C), Some(player)) => Actor::Player(player),
            _ if self.random.chance(50) => Actor::Device,
            _ => self.staff(),
        }
    }

    pub(crate) fn draw(&mut self) -> (Actor, Action) {
        let round = &self.table.round;
        if round.method == Some(Method::C) && self.table.device.is_none() {
            let bettor = round.wagers.iter().find(|laid| laid.ended.is_none()).map(|laid| laid.player);
            let player = self.table.may_draw.or(bettor).unwrap_or(PLAYERS[0]);
            return (Actor::Player(player), Action::TakeDevice { player });
        }
        let burnt = self.table.shoe.is_burned || self.table.setup.burn == 0 || self.table.shoe.rounds > 0;
        if round.draws.is_empty() && !burnt && self.random.chance(30) {
            return self.burn();
        }
        let cut_card = self.table.setup.cut_card.is_some_and(|at| self.shoe.len() <= usize::from(at));
        if cut_card && self.table.shoe.rounds_left.is_none() && self.random.chance(50) {
            return (Actor::Device, Action::CutCardOut);
        }
        if self.shoe.is_empty() {
            return (Actor::Device, Action::ShoeEmpty);
        }
        let held = round.held.first().copied().filter(|_| round.draws.len() >= 4);
        let card = held.unwrap_or_else(|| self.top(1)[0]);
        let hidden = self.unread && held.is_none() && self.table.deals_face_down();
        let keyed = if self.random.chance(2) { any_card(&mut self.random) } else { card };
        let action = Action::Draw { card: (!hidden).then_some(keyed), laid: None, exposed: false };
        (self.drawer(), action)
    }

    fn reveal_or_draw(&mut self) -> (Actor, Action) {
        let round = &self.table.round;
        let hidden = |side: Side| round.draws.iter().any(|dealt| dealt.side == side && !dealt.exposed);
        let initial =
            |side: Side| round.draws.iter().take(4).any(|dealt| dealt.side == side && !dealt.exposed);
        let banker_drew = round.draws.iter().skip(4).any(|dealt| dealt.side == Side::Banker);
        let player_waits = round.banker_first && !banker_drew && !initial(Side::Player);
        let first = if round.banker_first { Side::Banker } else { round.opens_first.unwrap_or(Side::Player) };
        let other = if first == Side::Player { Side::Banker } else { Side::Player };
        let side = [first, other].into_iter().find(|side| hidden(*side));
        let keyed_wrong = (0..round.draws.len()).find(|at| {
            let card = round.draws[*at].card;
            card.is_some() && card != self.dealt.get(*at).copied()
        });
        if let (Some(at), true) = (keyed_wrong, self.random.chance(50)) {
            return self.correct(at);
        }
        if self.random.chance(10) && self.table.phase() == Phase::PlayerThirdReveal {
            let asked_by = self.somebody();
            return (self.with_power(Power::BankerFirst), Action::ShowBankerFirst { asked_by });
        }
        let side = match side {
            None => return self.draw(),
            Some(Side::Player) if player_waits => return self.draw(),
            Some(side) => side,
        };
        if self.random.chance(4) {
            return (self.staff(), Action::OpenFirst(self.random.pick(&SIDES)));
        }
        let told = self.told(side);
        let at = usize::from(side == Side::Banker);
        let holder = self.table.round.squeezers[at];
        if let (Some(player), true) = (holder, self.random.chance(8)) {
            return (Actor::Player(player), Action::RefuseSqueeze { player, side });
        }
        if let (Some(player), Some(Method::C), true) =
            (holder, self.table.round.method, self.random.chance(20))
        {
            let to = if self.random.chance(30) { Some(self.somebody()) } else { None };
            return (Actor::Player(player), Action::PassHand { side, to });
        }
        if self.table.round.method == Some(Method::C) && holder.is_none() && self.random.chance(50) {
            let to = self.somebody();
            return (self.staff(), Action::HandOver { side, to });
        }
        match holder {
            Some(player) if self.random.chance(85) => (Actor::Player(player), Action::Reveal { side, told }),
            _ => (self.staff(), Action::Reveal { side, told }),
        }
    }

    /// The cards of a hand that were not read.
    fn told(&self, side: Side) -> Vec<Card> {
        let draws = self.table.round.draws.iter().zip(&self.dealt);
        draws.filter(|(dealt, _)| dealt.side == side && dealt.card.is_none()).map(|(_, card)| *card).collect()
    }

    pub(crate) fn correct(&mut self, at: usize) -> (Actor, Action) {
        let draw = u8::try_from(at + 1).unwrap_or(u8::MAX);
        let card = self.dealt.get(at).copied().unwrap_or_else(|| any_card(&mut self.random));
        (self.staff(), Action::Correct { draw, card, because: self.because() })
    }

    /// Why, and before whom, where the house asks for it.
    fn because(&self) -> Option<Because> {
        let second = self.table.setup.controls.second_person?;
        let witness = Some(Staff { person: PersonId(300), ..member(second.0) });
        Some(Because { reason: "misread".to_string(), witness })
    }

    /// Two cards are held, then everything that is left is sorted.
    fn sort(&mut self) -> (Actor, Action) {
        if self.table.round.held.is_empty() {
            let top = self.top(2);
            return (Actor::Staff(member(0)), Action::HoldTwo([top[0], top[1]]));
        }
        // The other hand is opened for the count.
        let gone = self.table.hold.as_ref().and_then(|hold| hold.about.side);
        let other = SIDES.into_iter().find(|side| Some(*side) != gone);
        let unread = |side: Side| {
            let round = self.table.round.draws.iter().zip(&self.dealt);
            let own = round.filter(move |(dealt, _)| dealt.side == side && dealt.card.is_none());
            own.map(|(_, card)| *card).collect::<Vec<Card>>()
        };
        if let Some(side) = other.filter(|side| !unread(*side).is_empty()) {
            return (Actor::Staff(member(0)), Action::Reveal { side, told: unread(side) });
        }
        // What lies in no hand unread is read first.
        let strays = || self.waiting.iter().chain(&self.surplus).chain(&self.carried);
        let unread =
            self.table.round.waiting.iter().chain(&self.table.round.surplus).chain(&self.table.next.carried);
        if let Some(at) = unread.clone().position(|stray| stray.card.is_none()) {
            let draw = u8::try_from(self.table.round.draws.len() + at + 1).unwrap();
            let card = strays().nth(at).copied().unwrap();
            return (self.staff(), Action::Correct { draw, card, because: None });
        }
        // What is not on the table: all decks less the cards in play, held, and gone with the player.
        let decks = Decks::new(self.table.setup.decks).unwrap();
        let mut found = Composition::of_decks(decks);
        let round = &self.table.round;
        let known = round.draws.iter().filter_map(|dealt| dealt.card);
        let gone = round.draws.iter().zip(&self.dealt).filter(|(dealt, _)| dealt.card.is_none());
        let strays = round.surplus.iter().chain(&round.waiting).chain(&self.table.next.carried);
        let surplus = strays.filter_map(|stray| stray.card);
        let out = known.chain(gone.map(|(_, card)| *card)).chain(round.held.iter().copied()).chain(surplus);
        for card in out {
            let _ = found.remove(card);
        }
        if self.random.chance(10) {
            let _ = found.remove(any_card(&mut self.random));
        }
        (Actor::Staff(member(4)), Action::Sorted { found: Box::new(found), witness: self.witness() })
    }

    /// What really happened to the cards.
    pub(crate) fn follow(&mut self, events: &[Event]) {
        for event in events {
            match &event.fact {
                Fact::ShoeLoaded { .. } => {
                    let decks = Decks::new(self.table.setup.decks).unwrap();
                    self.shoe = Composition::of_decks(decks).cards().collect();
                    self.random.shuffle(&mut self.shoe);
                    self.carried.clear();
                }
                Fact::BetsOpened { .. } | Fact::FreeHandBegan { .. } | Fact::DealDiscarded => {
                    self.dealt.clear();
                    self.waiting.clear();
                    self.surplus.clear();
                }
                Fact::CardsReturned => {
                    self.shoe.extend(self.waiting.drain(..).rev());
                    self.shoe.extend(self.dealt.drain(..).rev());
                }
                Fact::Burned { count, .. } => self.leave((*count).into()),
                Fact::Drawn { card, source: Source::Shoe, .. } => {
                    let real = self.shoe.pop().or(*card);
                    self.dealt.extend(real);
                }
                Fact::Drawn { source: Source::Waiting, .. } => self.dealt.push(self.waiting.remove(0)),
                Fact::Drawn { source: Source::Carried, .. } => self.dealt.push(self.carried.remove(0)),
                Fact::Drawn { card, .. } => self.dealt.extend(card),
                Fact::SurplusDrawn { card, .. } => {
                    let real = self.shoe.pop().or(*card);
                    self.surplus.extend(real);
                }
                Fact::StrayDrawn { card, .. } => {
                    let real = self.shoe.pop().or(*card);
                    let open = self.table.round.closed.is_none() && self.table.round.number > 0;
                    if open { self.waiting.extend(real) } else { self.carried.extend(real) }
                }
                Fact::WaitingSurplus => self.surplus.append(&mut self.waiting),
                Fact::TogetherWait { cards } => self.waiting.extend(cards),
                Fact::TogetherSurplus { card, .. } => self.surplus.push(*card),
                Fact::CarriedWait => self.waiting.append(&mut self.carried),
                Fact::CardsCarried { .. } => self.carried.append(&mut self.surplus),
                Fact::BettingAbandoned => self.carried.append(&mut self.waiting),
                Fact::SurplusDiscarded => {
                    self.surplus.clear();
                    self.carried.clear();
                }
                Fact::TakenUp { from } => {
                    let at = usize::from(*from - 1).min(self.dealt.len());
                    let up = self.dealt.split_off(at);
                    self.waiting.splice(0..0, up);
                    // What was left over for the next hand is this one's after all.
                    self.waiting.append(&mut self.carried);
                    self.waiting.append(&mut self.surplus);
                }
                Fact::ForeignDrawn { card } if self.shoe.last().copied() == *card => self.leave(1),
                Fact::DrawnTogether { cards, .. } => self.leave(cards.len()),
                // One too many was never in it.
                Fact::PacketDealt { cards, .. } | Fact::PacketStray { cards, .. } => {
                    for card in cards {
                        if let Some(at) = self.shoe.iter().rposition(|known| known == card) {
                            self.shoe.remove(at);
                        }
                    }
                }
                Fact::TwoHeld(_) => self.leave(2),
                _ => {}
            }
        }
    }

    fn leave(&mut self, count: usize) {
        self.shoe.truncate(self.shoe.len().saturating_sub(count));
    }

    /// Whether an irregularity is on hold.
    pub(crate) fn is_held_by(&self, irregularity: Irregularity) -> bool {
        self.table.hold.as_ref().is_some_and(|hold| hold.irregularity == irregularity)
    }
}
