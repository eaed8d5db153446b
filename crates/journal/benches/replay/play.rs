//! Tables that are really played: what their Dealer does comes from the automatic table, cards from seeded shoes.

use std::collections::BTreeMap;

use croupier_cards::{Card, Composition, Decks};
use croupier_journal::deed::{CardSource, Dealing, OpenTable};
use croupier_journal::envelope::Happened;
use croupier_journal::{By, CommandId, Deed, Envelope, Head, Replayed, Row, Shelf, Stream};
use croupier_ledger::{Ledger, TableId, TransferId};
use croupier_rules::Amount;
use croupier_rules::setting::Setting;
use croupier_table::automatic::{Step, next_step};
use croupier_table::{
    Action, Actor, Chosen, Command, Opening, PersonId, Phase, Place, PlayerId, Rank, Staff, Value, decide,
};

const GAME: &str = "hoiana-baccarat/commission";
/// The bets of each player, by their places on the menu: a main wager and side bets.
const BETS: [[usize; 3]; 7] = [[0, 2, 3], [1, 3, 4], [0, 4, 5], [1, 2, 5], [0, 2, 4], [1, 3, 5], [0, 3, 4]];

/// Fewer cards than this, and the cut card comes out.
const CUT: usize = 20;
const DEALER: Staff = Staff { person: PersonId(2), rank: Rank(0), acting: None };

/// Tables with the ledger that they share.
pub(crate) struct Floor {
    tables: Vec<Played>,
    ledger: Ledger,
    next_transfer: TransferId,
    rows: Vec<Row>,
    at: u64,
    pub(crate) commands: usize,
    pub(crate) events: usize,
}

struct Played {
    table: Replayed,
    stream: Stream,
    dice: u64,
    shoe: Vec<Card>,
}

fn money(minor: i64) -> Amount {
    Amount::new(minor).expect("an amount")
}

fn opened(shelf: &Shelf, id: u32) -> OpenTable {
    let (volume, _) = shelf.find(GAME).expect("the game");
    let word = |text: &str| Value::Word(text.to_string());
    let settings = [
        (Setting::Burn, Value::Count(1)),
        (Setting::CutCard, Value::Count(14)),
        (Setting::Chip, Value::Money(money(100))),
        (Setting::Minimum, Value::Money(money(1_000))),
        (Setting::Maximum, Value::Money(money(100_000))),
        (Setting::Differential, Value::Money(money(1_000_000))),
        (Setting::RankAbsent, word("first-ruling")),
        (Setting::Layout, word("A.1")),
    ];
    let settings = settings.map(|(setting, value)| Chosen { setting, bet: None, odds: None, value });
    OpenTable {
        name: format!("Baccarat {id}"),
        pit: "Main".to_string(),
        currency: "VND".to_string(),
        decimals: 0,
        cards: CardSource::Software,
        dealer: Dealing::Automatic,
        rulebook: volume.hash,
        opening: Opening { game: GAME.to_string(), settings: settings.to_vec(), ..Opening::default() },
    }
}

impl Floor {
    pub(crate) fn open(shelf: &Shelf, tables: u32) -> Self {
        let mut floor = Self {
            tables: Vec::new(),
            ledger: Ledger::default(),
            next_transfer: TransferId(1),
            rows: Vec::new(),
            at: 1_763_218_800_000,
            commands: 0,
            events: 0,
        };
        for id in 1..=tables {
            let (opened, stream) = (opened(shelf, id), Stream::Table(TableId(id)));
            let mut head = Head::START;
            let deed = Deed::OpenTable(Box::new(opened.clone()));
            let envelope = Envelope {
                id: CommandId::own(stream, 1),
                at: floor.at,
                by: By::System,
                via: None,
                deed: &deed,
                postings: &[],
                closes: None,
                events: Happened::Nothing,
            };
            floor.rows.push(head.append(stream, &envelope));
            let table = Replayed::open(TableId(id), shelf, opened, head).expect("the table opens");
            floor.tables.push(Played { table, stream, dice: u64::from(id) * 0x9e37_79b9, shoe: Vec::new() });
            floor.people(floor.tables.len() - 1);
        }
        floor
    }

    fn people(&mut self, at: usize) {
        let top = self.tables.get(at).map_or(0, |played| played.table.table.rulebook().ranks.len() - 1);
        let rank = Rank(u8::try_from(top).expect("a rank"));
        let manager = Staff { person: PersonId(1), rank, acting: None };
        for who in [manager, DEALER] {
            self.give(at, Actor::Staff(who), Action::SignOn(who));
        }
        let fill = Action::Fill { amount: money(1_000_000_000_000), witness: DEALER.person };
        self.give(at, Actor::Staff(manager), fill);
        for seat in 1..=7 {
            let player = PlayerId(u32::from(seat) + 100 * u32::try_from(at).expect("a few tables"));
            self.give(at, Actor::Player(player), Action::Sit { player, seat });
            let buy_in = Action::BuyIn { player, amount: money(10_000_000_000), cash: true };
            self.give(at, Actor::Staff(DEALER), buy_in);
        }
    }

    /// A round at every table; its rows.
    pub(crate) fn play(&mut self) -> Vec<Row> {
        for at in 0..self.tables.len() {
            let round = |floor: &Self| floor.tables.get(at).map(|played| played.table.table.round.number);
            let before = round(self);
            while round(self) == before {
                self.step(at);
            }
        }
        std::mem::take(&mut self.rows)
    }

    fn step(&mut self, at: usize) {
        let played = self.tables.get_mut(at).expect("a table");
        let is_open = played.table.table.phase() == Phase::BetsOpen;
        let is_low = played.shoe.len() < CUT && played.table.table.shoe.rounds_left.is_none();
        match next_step(&played.table.table) {
            Step::Do(Action::OpenBets) if is_low => self.give(at, Actor::Staff(DEALER), Action::CutCardOut),
            Step::Do(action) => self.give(at, Actor::System, action),
            Step::Wait { then, .. } => {
                if is_open {
                    self.bet(at);
                }
                self.give(at, Actor::System, then);
            }
            Step::Draw => match played.shoe.pop() {
                Some(card) => {
                    let draw = Action::Draw { card: Some(card), laid: None, exposed: false };
                    self.give(at, Actor::System, draw);
                }
                None => self.give(at, Actor::Device, Action::ShoeEmpty),
            },
            Step::Deal(_) | Step::Stand => panic!("stalled in {}", played.table.table.phase()),
        }
    }

    fn bet(&mut self, at: usize) {
        for (seat, bets) in (1..).zip(BETS) {
            let player = PlayerId(seat + 100 * u32::try_from(at).expect("a few tables"));
            for (which, bet) in bets.into_iter().enumerate() {
                let amount = money(if which == 0 { 10_000 } else { 2_000 });
                let place =
                    Place { player, bet, amount, area: None, reserve: None, in_chips: true, untimed: false };
                self.give(at, Actor::Player(player), Action::Place(place));
            }
        }
    }

    /// Decides, books, applies and writes the line.
    fn give(&mut self, at: usize, actor: Actor, action: Action) {
        self.at += 7;
        let played = self.tables.get_mut(at).expect("a table");
        let command = Command { actor, at: self.at, action };
        let table = &mut played.table;
        let events = decide(&table.table, &command)
            .unwrap_or_else(|refusal| panic!("{command:?} in {}: {refusal}", table.table.phase()));
        let shoe = table.table.shoe.number;
        table.apply(&events);
        let batch = table.books.batch(&events, &mut self.next_transfer);
        self.ledger.apply(&batch.entries).unwrap_or_else(|refused| panic!("{command:?}: {refused}"));
        if let (Some(round), Stream::Table(id)) = (batch.closes, played.stream) {
            self.ledger.close_round(id, round).unwrap_or_else(|holds| panic!("{holds}"));
            self.ledger.forget_through(TransferId(self.next_transfer.0 - 1));
        }
        let deed = Deed::Table(command.action);
        let envelope = Envelope {
            // As long as those that come from outside.
            id: CommandId::new(&format!("0f9c2d3e-8a1b-4c5d-9e6f-{:012x}", self.commands)).expect("an id"),
            at: self.at,
            by: actor.into(),
            via: None,
            deed: &deed,
            postings: &batch.entries,
            closes: batch.closes,
            events: Happened::Table(&events),
        };
        self.rows.push(table.head.append(played.stream, &envelope));
        self.commands += 1;
        self.events += events.len();
        if played.table.table.shoe.number != shoe {
            played.shuffle();
        }
    }

    /// What each table has come to.
    pub(crate) fn fingerprints(&self) -> BTreeMap<Stream, u64> {
        self.tables.iter().map(|played| (played.stream, played.table.table.fingerprint())).collect()
    }
}

impl Played {
    fn shuffle(&mut self) {
        let decks = Decks::new(self.table.table.setup.decks).expect("decks");
        self.shoe = Composition::of_decks(decks).cards().collect();
        for at in (1..self.shoe.len()).rev() {
            self.dice ^= self.dice << 13;
            self.dice ^= self.dice >> 7;
            self.dice ^= self.dice << 17;
            let bound = u64::try_from(at + 1).unwrap_or(1);
            self.shoe.swap(at, usize::try_from((self.dice >> 8) % bound).unwrap_or(0));
        }
        // The card that is burned.
        let _ = self.shoe.pop();
    }
}
