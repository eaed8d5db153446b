//! A table with its books and its ledger. Every command goes through all three, and everything is checked.

#[path = "../common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use croupier_cards::parse_cards;
use croupier_ledger::{Account, Entry, Kind, Ledger, Memo, TableId, Transfer, TransferId};
use croupier_rules::baccarat::Side;
use croupier_rules::irregularity::Remedy;
use croupier_rules::setting::{Setting, Values};
use croupier_rules::settle::{End, Settled};
use croupier_rules::{Amount, Rulebook};
use croupier_table::books::{Batch, Books};
use croupier_table::{
    Action, Actor, Chosen, Command, Event, Fact, Opening, PersonId, Place, PlayerId, Rank, Refusal,
    RulingMade, Setup, Staff, Table, Value, apply, decide,
};

pub const TABLE: TableId = TableId(3);
pub const ALICE: PlayerId = PlayerId(7);
pub const BORIS: PlayerId = PlayerId(8);
pub const WITNESS: PersonId = PersonId(2);
const WALLET: i64 = 1_000_000_000;

/// What reached the ledger.
pub enum Step {
    Deposit(Entry),
    Events(Vec<Event>),
}

pub struct Pit {
    pub table: Table,
    pub books: Books,
    pub ledger: Ledger,
    pub next_id: TransferId,
    pub journal: Vec<Step>,
    /// What happened, and how often.
    pub seen: BTreeMap<&'static str, u32>,
    /// Commission kept, or collected at the end of a shoe.
    pub collected: i128,
    /// What rounding brought the house.
    rounding: i128,
    boss: Staff,
}

pub fn money(minor: i64) -> Amount {
    Amount::new(minor).unwrap()
}

pub fn ruling(remedy: Remedy, with_withdrawal: bool) -> Action {
    Action::Rule(RulingMade {
        remedy,
        with_withdrawal,
        order: Vec::new(),
        player: None,
        only: Vec::new(),
        reason: String::new(),
    })
}

/// The settings that have no default, and those named as `layout=A.1`.
fn opening(rulebook: &Rulebook, game: &str, named: &str) -> Opening {
    let chosen = |setting: Setting, value| Chosen { setting, bet: None, odds: None, value };
    let value = |setting: Setting, text: &str| match setting.values() {
        Values::Count => Value::Count(text.parse().unwrap()),
        Values::Money | Values::MoneyPerBet | Values::MoneyPerOdds => {
            Value::Money(money(text.parse().unwrap()))
        }
        Values::OneOf(_) | Values::Name => Value::Word(text.to_string()),
    };
    let usual = [
        (Setting::Burn, "1"),
        (Setting::CutCard, "40"),
        (Setting::Chip, "100"),
        (Setting::Minimum, "1000"),
        (Setting::Maximum, "20000"),
        (Setting::Differential, "30000"),
        (Setting::ResidualAuthority, rulebook.ranks.last().unwrap().id.as_str()),
        (Setting::SchedulePosted, "yes"),
    ];
    let usual = usual.into_iter().filter(|(setting, _)| rulebook.setting(*setting).is_some());
    let mut settings: Vec<Chosen> =
        usual.map(|(setting, text)| chosen(setting, value(setting, text))).collect();
    for pair in named.split_whitespace() {
        let (key, text) = pair.split_once('=').unwrap();
        let setting = *Setting::ALL.iter().find(|setting| setting.key() == key).unwrap();
        settings.push(chosen(setting, value(setting, text)));
    }
    Opening { game: game.to_string(), settings, ..Opening::default() }
}

impl Pit {
    /// A table with a float, somebody of the highest rank and a witness.
    pub fn open(game: &str, settings: &str) -> Self {
        let library = common::library();
        let rulebook = Arc::new(library.find(game).unwrap().0.clone());
        let setup = Setup::new(&rulebook, &opening(&rulebook, game, settings)).unwrap();
        let books = Books::new(TABLE, &setup);
        let rank = Rank(u8::try_from(rulebook.ranks.len() - 1).unwrap());
        let boss = Staff { person: PersonId(1), rank, acting: None };
        let mut pit = Self {
            table: Table::new(TABLE, Arc::new(setup)),
            books,
            ledger: Ledger::default(),
            next_id: TransferId(1),
            journal: Vec::new(),
            seen: BTreeMap::new(),
            collected: 0,
            rounding: 0,
            boss,
        };
        pit.must(Action::SignOn(boss));
        pit.must(Action::SignOn(Staff { person: WITNESS, ..boss }));
        pit.must(Action::Fill { amount: money(2_000_000), witness: WITNESS });
        pit
    }

    pub fn boss(&self) -> Actor {
        Actor::Staff(self.boss)
    }

    pub fn bet(&self, id: &str) -> usize {
        self.table.game().bet_index(id).unwrap()
    }

    pub fn first_main_bet(&self, side: Side) -> usize {
        let bets = &self.table.game().bets;
        bets.iter().position(|bet| bet.main == Some(side)).unwrap()
    }

    /// A player with a full wallet takes a seat and chips.
    pub fn seat(&mut self, player: PlayerId, seat: u8, chips: i64) {
        if self.ledger.available(Account::Wallet(player)) < i128::from(chips) {
            let deposit = Entry::Direct(Transfer {
                id: self.next_id,
                from: Account::Cage,
                to: Account::Wallet(player),
                amount: croupier_ledger::Amount::new(WALLET).unwrap(),
                kind: Kind::Deposit,
            });
            self.next_id.0 += 1;
            self.ledger.apply(&[deposit]).unwrap();
            self.journal.push(Step::Deposit(deposit));
        }
        self.must(Action::Sit { player, seat });
        self.must(Action::BuyIn { player, amount: money(chips), cash: false });
    }

    /// The shoe is made ready and betting opens.
    pub fn begin(&mut self) {
        let burn = self.table.setup.burn;
        let steps = [
            Action::LoadShoe { set: None, commitment: None },
            Action::RecordShuffle,
            Action::CutCards { above: None },
            Action::Burn { count: burn, cards: Vec::new() },
        ];
        for step in steps {
            let _ = self.act(Actor::System, step);
        }
        self.must(Action::OpenBets);
    }

    pub fn place(&mut self, player: PlayerId, bet: usize, minor: i64, area: Option<u8>) {
        self.must(place(player, bet, minor, area));
    }

    pub fn draw(&mut self, cards: &str) {
        for card in parse_cards(cards).unwrap() {
            let draw = Action::Draw { card: Some(card), laid: None, exposed: false };
            self.act(Actor::Device, draw).unwrap();
        }
    }

    #[track_caller]
    pub fn must(&mut self, action: Action) -> Batch {
        let text = format!("{action:?}");
        match self.act(self.boss(), action) {
            Ok(batch) => batch,
            Err(refusal) => panic!("{text}: {refusal:?} in {:?}", self.table.phase()),
        }
    }

    /// A command through the table, the books and the ledger.
    pub fn act(&mut self, actor: Actor, action: Action) -> Result<Batch, Refusal> {
        let text = format!("{action:?}");
        let events = decide(&self.table, &Command { actor, at: 0, action })?;
        for event in &events {
            self.look(&event.fact);
            apply(&mut self.table, event);
        }
        let batch = self.books.batch(&events, &mut self.next_id);
        let told = || {
            let facts = |events: &[Event]| {
                events.iter().map(|event| format!("\n    {:?}", event.fact)).collect::<String>()
            };
            let before = self.journal.iter().rev().take(12).map(|step| match step {
                Step::Deposit(_) => String::new(),
                Step::Events(events) => facts(events),
            });
            let before: Vec<String> = before.collect();
            let before: String = before.into_iter().rev().collect();
            format!("{text}{}\n{:#?}\nbefore:{before}", facts(&events), batch.entries)
        };
        self.ledger.apply(&batch.entries).unwrap_or_else(|refused| panic!("{refused}: {}", told()));
        if let Some(round) = batch.closes {
            assert_eq!(self.ledger.round_pendings(TABLE, round).count(), 0, "{}", told());
            self.ledger.close_round(TABLE, round).unwrap();
        }
        let balanced = self.books.balanced(&self.table, &self.ledger);
        balanced.unwrap_or_else(|mismatch| panic!("{mismatch}: {}", told()));
        assert_eq!(self.ledger.verify(), Ok(()), "{}", told());
        assert_eq!(self.ledger.total(), 0, "{}", told());
        let noted = |memo| self.ledger.tally(memo).net();
        assert_eq!(noted(Memo::Commission(TABLE)), self.collected, "{}", told());
        assert_eq!(noted(Memo::Rounding(TABLE)), self.rounding, "{}", told());
        self.journal.push(Step::Events(events));
        Ok(batch)
    }

    fn count(&mut self, what: &'static str) {
        *self.seen.entry(what).or_insert(0) += 1;
    }

    /// Keeps count of what the tests are about, before it is applied.
    fn look(&mut self, fact: &Fact) {
        let what = match fact {
            Fact::Filled { .. } => "filled",
            Fact::Credited { .. } => "credited",
            Fact::BoughtIn { cash: true, .. } => "cash",
            Fact::BoughtIn { cash: false, .. } => "bought in",
            Fact::Tipped { .. } => "tipped",
            Fact::Left { .. } => "left",
            Fact::DropCounted { amount } if amount.is_positive() => "drop counted",
            Fact::TipsPaid { .. } => "tips paid",
            Fact::RoundClosed { mark: croupier_table::event::Mark::Void, .. } => "void",
            Fact::RoundClosed { .. } => "round closed",
            Fact::BettingAbandoned => "abandoned",
            Fact::FreeHandBegan { .. } => "free hand",
            Fact::TurnedFree => "turned free",
            Fact::BoxVoided { .. } => "box voided",
            Fact::Insured { .. } => "insured",
            Fact::CommissionCollected { amount, .. } => {
                self.collected += i128::from(amount.minor());
                "commission collected"
            }
            Fact::Placed { player, bet, .. }
                if self.table.round.wagers.iter().any(|laid| laid.player == *player && laid.bet == *bet) =>
            {
                "raised"
            }
            Fact::TakenBack { player, bet, amount, .. } => {
                let mut own =
                    self.table.round.wagers.iter().filter(|laid| laid.player == *player && laid.bet == *bet);
                if own.any(|laid| laid.stake == *amount) { "taken back" } else { "taken back in part" }
            }
            Fact::WagerEnded { settled, reserve, wager } => {
                let laid = self.table.round.wagers[*wager].clone();
                let small =
                    self.table.setup.terms.limit(laid.bet).minimum.is_some_and(|least| laid.stake < least);
                let withdrawn = self
                    .table
                    .hold
                    .as_ref()
                    .is_some_and(|hold| hold.answers.iter().any(|(_, answer)| *answer == Some(true)));
                if small && settled.end == End::Returned {
                    self.count("below minimum");
                }
                if settled.in_action.is_positive() && settled.in_action < laid.stake {
                    self.count("in part");
                }
                if withdrawn {
                    self.count("withdrawn");
                }
                if reserve.as_ref().is_some_and(|reserve| reserve.lost.is_positive()) {
                    self.count("reserve lost");
                }
                if reserve.as_ref().is_some_and(|reserve| reserve.returned.is_positive()) {
                    self.count("reserve returned");
                }
                self.settled(settled, ["win", "lose", "stand-off", "returned"])
            }
            Fact::InsuranceEnded { settled, .. } => self.settled(
                settled,
                ["insurance win", "insurance lose", "insurance stand-off", "insurance returned"],
            ),
            _ => return,
        };
        self.count(what);
    }

    fn settled(&mut self, settled: &Settled, names: [&'static str; 4]) -> &'static str {
        self.rounding -= i128::from(settled.rounding.minor());
        if !self.table.setup.commission_at_shoe_end {
            self.collected += i128::from(settled.commission.minor());
        }
        if settled.rounding.is_positive() {
            self.count("rounded up");
        } else if settled.rounding != Amount::ZERO {
            self.count("rounded down");
        }
        if settled.commission.is_positive() {
            let owed = self.table.setup.commission_at_shoe_end;
            self.count(if owed { "owed" } else { "commission" });
        }
        match settled.end {
            End::Win => names[0],
            End::Lose => names[1],
            End::StandOff => names[2],
            End::Returned => names[3],
        }
    }
}

pub fn place(player: PlayerId, bet: usize, minor: i64, area: Option<u8>) -> Action {
    let amount = money(minor);
    Action::Place(Place { player, bet, amount, area, reserve: None, in_chips: true, untimed: false })
}
