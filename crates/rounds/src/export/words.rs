//! What somebody did, in the words of a round file: the reverse of `deed`.

use croupier_cards::{Card, Composition, Decks, Root};
use croupier_rules::baccarat::Side;
use croupier_table::command::{Bar, DeckSet, Holder as TableHolder, Place};
use croupier_table::setup::Method;
use croupier_table::{
    Action as Deed, Actor, Because, Command, PersonId, PlayerId, Report, RulingMade, Staff, Table, may_deal,
};

use super::people::{People, plain_text};
use crate::file::{Action, Bet, Holder};
use crate::run::member;

impl People<'_> {
    /// The line of a command, given at this table.
    pub(super) fn say(&mut self, table: &Table, command: &Command) -> Action {
        let who = self.actor(table.rulebook(), command.actor);
        let mut teller = Teller { people: self, table, actor: command.actor };
        match &command.action {
            Deed::Place(place) => Action::Bet(teller.bet(place)),
            Deed::Insure { player, side, amount } if command.actor == Actor::Player(*player) => {
                Action::Insure { player: who, side: *side, amount: *amount }
            }
            Deed::Draw { card: Some(card), laid: None, exposed: false }
                if teller.draws_as_told(&who) && may_deal(teller.table, Some(*card)).is_ok() =>
            {
                Action::Cards(vec![*card])
            }
            Deed::ShoeEmpty if command.actor == Actor::Device => Action::ShoeEmpty,
            Deed::Call(winner) if who == "dealer" => Action::Call(*winner),
            Deed::DealPacket { to, cards }
                if command.actor == Actor::Device
                    && !cards.is_empty()
                    && may_deal(teller.table, None).is_ok() =>
            {
                Action::Hand { holder: holder(*to), cards: cards.clone() }
            }
            action => {
                let said = teller.words(action);
                Action::Deed { who, words: said.split_whitespace().map(String::from).collect() }
            }
        }
    }
}

/// Tells one command.
struct Teller<'p, 'n, 't> {
    people: &'p mut People<'n>,
    table: &'t Table,
    actor: Actor,
}

impl Teller<'_, '_, '_> {
    fn name(&mut self, player: PlayerId) -> String {
        self.people.player(self.table.rulebook(), player)
    }

    fn bet_id(&self, bet: usize) -> String {
        self.table.game().bets.get(bet).map(|bet| bet.id.clone()).unwrap_or_default()
    }

    /// What a player does for himself, or somebody else for him.
    fn own(&mut self, player: PlayerId, what: &str) -> String {
        if self.actor == Actor::Player(player) {
            return what.to_string();
        }
        format!("{what} for {}", self.name(player))
    }

    /// What a second person sees, named if it is not whom a file takes for granted.
    fn seen(&mut self, witness: PersonId, what: &str) -> String {
        let first = member(0, None);
        let usual = match self.actor {
            Actor::Staff(staff) if self.people.staff(self.table.rulebook(), staff) == "dealer" => {
                member(1, None)
            }
            _ => first,
        };
        let usual = self.table.rulebook().ranks.get(usize::from(usual.rank.0)).map(|rank| rank.id.clone());
        match self.people.person(self.table, witness) {
            name if name == usual => what.to_string(),
            Some(name) => format!("{what} seen by {name}"),
            None => what.to_string(),
        }
    }

    /// Whether a `cards` line is drawn by the same hand.
    fn draws_as_told(&self, who: &str) -> bool {
        let holder = self.table.device.filter(|_| self.table.round.method == Some(Method::C));
        match holder {
            Some(holder) => self.actor == Actor::Player(holder),
            None => who == "dealer",
        }
    }

    fn bet(&mut self, place: &Place) -> Bet {
        let player = self.name(place.player);
        let by = (self.actor != Actor::Player(place.player))
            .then(|| self.people.actor(self.table.rulebook(), self.actor));
        let boxes = self.table.setup.by_box();
        Bet {
            player,
            by,
            bet: self.bet_id(place.bet),
            amount: place.amount,
            on: place.area.filter(|_| boxes),
            at: place.area.filter(|_| !boxes),
            reserve: place.reserve,
            in_cash: !place.in_chips,
            untimed: place.untimed,
        }
    }

    /// What is done, without who does it.
    fn words(&mut self, action: &Deed) -> String {
        let decimals = self.people.decimals;
        match action {
            Deed::Place(place) => {
                let said = self.bet(place).text(decimals);
                said.split_once(' ').map_or_else(String::new, |(_, said)| said.to_string())
            }
            Deed::SignOn(staff) => self.signs(*staff, "on"),
            Deed::SignOff(person) => {
                let staff = self.table.staff.iter().find(|staff| staff.person == *person).copied();
                staff.map_or_else(|| "signs off".to_string(), |staff| self.signs(staff, "off"))
            }
            Deed::Fill { amount, witness } => {
                self.seen(*witness, &format!("fills {}", decimals.show(*amount)))
            }
            Deed::Credit { amount, witness } => {
                self.seen(*witness, &format!("credits {}", decimals.show(*amount)))
            }
            Deed::CountDrop { witness } => self.seen(*witness, "counts the drop"),
            Deed::PayTips => "pays the tips".to_string(),
            Deed::CloseTable { counted, witness } => {
                self.seen(*witness, &format!("closes the table with {}", decimals.show(*counted)))
            }
            Deed::Sit { player, seat } => self.own(*player, &format!("sits at {seat}")),
            Deed::Stand { player, behind: None } => self.own(*player, "stands"),
            Deed::Stand { player, behind: Some(seat) } => self.own(*player, &format!("stands behind {seat}")),
            Deed::BuyIn { player, amount, cash: false } => {
                self.own(*player, &format!("buys in {}", decimals.show(*amount)))
            }
            Deed::BuyIn { player, amount, cash: true } => {
                format!("sells {} to {}", decimals.show(*amount), self.name(*player))
            }
            Deed::Leave { player } => self.own(*player, "leaves"),
            Deed::Tip { player, amount } => self.own(*player, &format!("tips {}", decimals.show(*amount))),
            Deed::PostCorrection { case, player, amount } if amount.is_positive() => {
                format!("pays {} to {} for case {case}", decimals.show(*amount), self.name(*player))
            }
            Deed::PostCorrection { case, player, amount } => {
                format!("takes {} from {} for case {case}", decimals.show(-*amount), self.name(*player))
            }
            Deed::AcceptNotice { player } => self.own(*player, "accepts the notice"),

            Deed::LoadShoe { set, commitment } => loads(*set, *commitment),
            Deed::RecordShuffle => "shuffles".to_string(),
            Deed::CutCards { above: None } => "cuts".to_string(),
            Deed::CutCards { above: Some(above) } => format!("cuts {above}"),
            Deed::Burn { count, cards } if cards.is_empty() => format!("burns {count}"),
            Deed::Burn { count, cards } if usize::from(*count) == cards.len() => {
                format!("burns {}", list(cards))
            }
            Deed::Burn { count, cards } => format!("burns {count} showing {}", list(cards)),
            Deed::CutCardOut => "shows the cut card".to_string(),
            Deed::AnnounceLast => "announces the last hand".to_string(),
            Deed::CountShoe { left } => format!("counts {left} cards left"),
            Deed::ReplaceShoe { .. } => "replaces the shoe".to_string(),
            Deed::ShoeEmpty => "finds the shoe empty".to_string(),

            Deed::OpenBets => "opens betting".to_string(),
            Deed::CloseBets => "closes betting".to_string(),
            Deed::TakeBack { player, bet, box_number, amount } => {
                let amount = amount.map(|amount| format!(" {}", decimals.show(amount))).unwrap_or_default();
                let on = box_number.map(|number| format!(" on box{number}")).unwrap_or_default();
                let what = format!("takes back {}{amount}{on}", self.bet_id(*bet));
                self.own(*player, &what)
            }
            Deed::AskToReduce => "asks to reduce".to_string(),
            Deed::RemoveWager { player, bet } => {
                format!("removes {} {}", self.name(*player), self.bet_id(*bet))
            }
            Deed::LimitAreas(most) => format!("limits areas to {most}"),

            Deed::Draw { card, laid, exposed } => {
                let card = card.map_or("unread".to_string(), |card| card.to_string());
                let onto = laid.map(|side| format!(" onto {}", side.key())).unwrap_or_default();
                format!("draws {card}{onto}{}", if *exposed { " exposed" } else { "" })
            }
            Deed::DrawTogether { cards, order_known } => {
                format!("draws {} together{}", list(cards), if *order_known { " in order" } else { "" })
            }
            Deed::Correct { draw, card, because } => {
                format!("corrects draw {draw} to {card}{}", self.because(because.as_ref()))
            }
            Deed::Reveal { side, told } if told.is_empty() => format!("opens {}", side.key()),
            Deed::Reveal { side, told } => format!("opens {} as {}", side.key(), list(told)),
            Deed::OpenFirst(side) => format!("opens {} first", side.key()),
            Deed::DealFreeHand => "deals the free hand".to_string(),
            Deed::Call(winner) => format!("calls {winner}"),
            Deed::Display(winner) => format!("shows {winner}"),
            Deed::Settle => "settles".to_string(),

            Deed::ChooseMethod(method) => format!("chooses method {}", method.key()),
            Deed::AskSqueeze { player } => self.own(*player, "asks to squeeze"),
            Deed::RefuseSqueeze { player, side } => self.own(*player, &format!("refuses {}", side.key())),
            Deed::ForbidSqueeze { player } => format!("forbids {} to squeeze", self.name(*player)),
            Deed::AllowSqueeze { player, side } => {
                format!("allows {} to squeeze {}", self.name(*player), side.key())
            }
            Deed::TakeDevice { player } => self.own(*player, "takes the device"),
            Deed::PermitDrawing { player } => format!("permits {} to draw", self.name(*player)),
            Deed::GiveUpDevice => "gives up the device".to_string(),
            Deed::PassHand { side, to: None } => format!("passes {}", side.key()),
            Deed::PassHand { side, to: Some(to) } => format!("passes {} to {}", side.key(), self.name(*to)),
            Deed::HandOver { side, to } => format!("hands {} to {}", side.key(), self.name(*to)),

            Deed::OfferInsurance => "offers insurance".to_string(),
            Deed::Insure { player, side, amount } => {
                self.own(*player, &format!("insures {} {}", side.key(), decimals.show(*amount)))
            }
            Deed::CloseInsurance => "closes insurance".to_string(),
            Deed::PermitInsurance => "permits insurance".to_string(),
            Deed::SwitchInsurance { on: false, asked_by } => {
                format!("stops insurance for {}", self.name(*asked_by))
            }
            Deed::SwitchInsurance { on: true, asked_by } => {
                format!("resumes insurance for {}", self.name(*asked_by))
            }
            Deed::ShowBankerFirst { asked_by } => {
                format!("shows banker first for {}", self.name(*asked_by))
            }

            Deed::Report(report) => format!("reports {}", self.report(report)),
            Deed::Rule(made) => self.ruling(made),
            Deed::Confirm => "confirms the finding".to_string(),
            Deed::Retract => "retracts the report".to_string(),
            Deed::Answer { player, withdraw: true } => self.own(*player, "withdraws"),
            Deed::Answer { player, withdraw: false } => self.own(*player, "stays"),
            Deed::CloseWindow => "closes the option".to_string(),
            Deed::ChooseShoe { player, replace: true } => self.own(*player, "wants a new shoe"),
            Deed::ChooseShoe { player, replace: false } => self.own(*player, "keeps the shoe"),
            Deed::CloseShoeChoice => "closes the choice".to_string(),
            Deed::HoldTwo(cards) => format!("holds {}", list(cards)),
            Deed::Sorted { found, witness } => {
                let missing = missing(self.table, found);
                let but = if missing.is_empty() { String::new() } else { format!(" but {}", list(&missing)) };
                self.seen(*witness, &format!("sorts all{but}"))
            }

            Deed::DealPacket { to, cards } => format!("deals {} {}", holder(*to), list(cards)),
            Deed::CorrectHand { holder: whose, from, to, because } => {
                format!("corrects {} {from} to {to}{}", holder(*whose), self.because(because.as_ref()))
            }
            Deed::CheckCount => "counts the hands".to_string(),
            Deed::HandleCards { player, box_number } => {
                self.own(*player, &format!("handles box{box_number}"))
            }
            Deed::SetHand { holder: whose, set_as } => format!("sets {} as {set_as}", holder(*whose)),
            Deed::OpenDealer => "opens the dealer hand".to_string(),
            Deed::Lift { player, bar: Bar::Squeezing } => {
                format!("lets {} squeeze again", self.name(*player))
            }
            Deed::Lift { player, bar: Bar::SeveralBoxes } => {
                format!("lets {} have several boxes again", self.name(*player))
            }
            Deed::Lift { player, bar: Bar::Handling } => {
                format!("lets {} handle cards again", self.name(*player))
            }
            Deed::RestrictBoxes { player } => format!("restricts {} to one box", self.name(*player)),
            Deed::ReportHandling { player } => format!("notes {} off the layout", self.name(*player)),
        }
    }

    fn because(&mut self, because: Option<&Because>) -> String {
        let Some(Because { reason, witness }) = because else { return String::new() };
        let reason = plain_text(reason);
        match witness {
            Some(staff) => {
                let seen_by = self.people.staff(self.table.rulebook(), *staff);
                format!(" because {reason} seen by {seen_by}")
            }
            None => format!(" because {reason}"),
        }
    }

    fn signs(&mut self, staff: Staff, way: &str) -> String {
        if self.actor == Actor::Staff(staff) {
            return format!("signs {way}");
        }
        format!("signs {} {way}", self.people.staff(self.table.rulebook(), staff))
    }

    fn report(&mut self, report: &Report) -> String {
        match report {
            Report::ForeignCard => "foreign-card".to_string(),
            Report::Unshuffled => "unshuffled".to_string(),
            Report::CannotRebuild => "cannot-rebuild".to_string(),
            Report::OrderLost => "order-lost".to_string(),
            Report::CarriedOff { side } => format!("carried-off {}", side.key()),
            Report::BoxCarriedOff { box_number } => format!("carried-off box{box_number}"),
            Report::Jam => "jam".to_string(),
            Report::DeviceReset { dealer_error: false } => "device-reset".to_string(),
            Report::DeviceReset { dealer_error: true } => "device-reset by dealer error".to_string(),
            Report::FaceUp => "face-up".to_string(),
            Report::Exposed { draw: None } => "exposed".to_string(),
            Report::Exposed { draw: Some(draw) } => format!("exposed {draw}"),
            Report::ExposedMoving => "exposed-moving".to_string(),
            Report::SurplusOn { side, exposed } => surplus(*side, *exposed),
            Report::WrongOrder => "wrong-order".to_string(),
            Report::NoBurn => "no-burn".to_string(),
            Report::WrongDelivery => "wrong-delivery".to_string(),
            Report::DrawnBy { player, card, laid, exposed } => {
                let card = card.map_or("unread".to_string(), |card| card.to_string());
                let onto = laid.map(|side| format!(" onto {}", side.key())).unwrap_or_default();
                let exposed = if *exposed { " exposed" } else { "" };
                format!("{card} drawn by {}{onto}{exposed}", self.name(*player))
            }
            Report::HandedTo { player, side } => format!("{} handed to {}", side.key(), self.name(*player)),
            Report::OpenedBy { player, side, told } => {
                let by = player.map(|player| format!(" by {}", self.name(player))).unwrap_or_default();
                let told = if told.is_empty() { String::new() } else { format!(" as {}", list(told)) };
                format!("{} opened{by}{told}", side.key())
            }
            Report::NotDelivered => "not-delivered".to_string(),
            Report::Absent { player } => format!("absent {}", self.name(*player)),
            Report::Damaged { player } => format!("damaged {}", self.name(*player)),
            Report::PowerFailure => "power-failure".to_string(),
            Report::ForceMajeure => "force-majeure".to_string(),
            Report::WagerRemoved { player, bet } => {
                format!("wager-removed {} {}", self.name(*player), self.bet_id(*bet))
            }
            Report::EarlierRound { limits: false } => "earlier-round".to_string(),
            Report::EarlierRound { limits: true } => "earlier-round limits".to_string(),
            Report::Other(what) => format!("other {}", plain_text(what)),
        }
    }

    fn ruling(&mut self, made: &RulingMade) -> String {
        let mut said = format!("rules {}", made.remedy.key());
        if made.with_withdrawal {
            said.push_str(" with withdrawal");
        }
        for player in &made.only {
            said.push_str(&format!(" for {}", self.name(*player)));
        }
        if !made.order.is_empty() {
            said.push_str(&format!(" order {}", list(&made.order)));
        }
        if let Some(player) = made.player {
            said.push_str(&format!(" naming {}", self.name(player)));
        }
        if !made.reason.is_empty() {
            said.push_str(&format!(" because {}", plain_text(&made.reason)));
        }
        said
    }
}

/// `box1`, `dealer`
pub(super) const fn holder(holder: TableHolder) -> Holder {
    match holder {
        TableHolder::Box(number) => Holder::Box(number),
        TableHolder::Dealer => Holder::Dealer,
    }
}

/// `loads the red deck committed to …`
pub(super) fn loads(set: Option<DeckSet>, commitment: Option<[u8; 32]>) -> String {
    let what = match set {
        None => "the shoe",
        Some(DeckSet::Red) => "the red deck",
        Some(DeckSet::Blue) => "the blue deck",
    };
    let root = commitment.map(|root| format!(" committed to {}", Root::from_bytes(root)));
    format!("loads {what}{}", root.unwrap_or_default())
}

/// `surplus on banker exposed`
fn surplus(side: Side, exposed: bool) -> String {
    format!("surplus on {}{}", side.key(), if exposed { " exposed" } else { "" })
}

/// The cards that are neither in play nor held nor found.
fn missing(table: &Table, found: &Composition) -> Vec<Card> {
    let mut left = Decks::new(table.setup.decks).map_or(Composition::EMPTY, Composition::of_decks);
    let in_play = table.round.draws.iter().filter_map(|dealt| dealt.card);
    let strays = table.round.waiting.iter().chain(&table.round.surplus).chain(&table.next.carried);
    let in_play = in_play.chain(strays.filter_map(|stray| stray.card));
    for card in in_play.chain(table.round.held.iter().copied()).chain(found.cards()) {
        let _ = left.remove(card);
    }
    left.cards().collect()
}

/// `8S KD`
pub(super) fn list(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
