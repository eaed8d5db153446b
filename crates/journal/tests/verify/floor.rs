//! A small floor that really plays: tables dealt by software, wallets, mishaps, a dispute. What it does is in the rows.

use std::collections::BTreeMap;

use croupier_cards::{Card, Composition, Decks};
use croupier_journal::checkpoint::{Log, Reach};
use croupier_journal::deed::{
    CageMove, CardSource, Dealing, OpenTable, RegisterChange, SealedEntry, WalletChange,
};
use croupier_journal::envelope::{Envelope, Happened};
use croupier_journal::{
    Bank, By, CommandId, Deed, Hash, Head, Keys, Replayed, Row, SecretShoe, SessionId, Shelf, Stream, Via,
};
use croupier_ledger::{Account, Amount as Minor, CaseId, Entry, Kind, PlayerId, RoundId, TableId, Transfer};
use croupier_rules::Amount;
use croupier_rules::setting::Setting;
use croupier_table::automatic::{Step, next_step};
use croupier_table::case::{
    self, Case, CaseCommand, CaseOrder, Correction, DisputedRound, Due, Ground, Matter, RulebookVersion,
    Subject, Through,
};
use croupier_table::{
    Action, Actor, Chosen, Command, Fact, Opening, PersonId, Place, Rank, Report, Staff, Table, Value, decide,
};

/// A small generator.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    pub(crate) fn place(&mut self, length: usize) -> usize {
        usize::try_from(self.roll(u64::try_from(length).unwrap())).unwrap()
    }
}

pub(crate) fn units(units: i64) -> Amount {
    Amount::new(units * 100).unwrap()
}

/// A table and its shoe.
struct AtTable {
    replayed: Replayed,
    shoe: Option<Shoe>,
}

struct Shoe {
    number: u32,
    secret: SecretShoe,
    committed: bool,
}

/// The floor.
pub(crate) struct Floor {
    pub(crate) rows: Vec<Row>,
    pub(crate) checkpoints: String,
    pub(crate) keys: Keys,
    pub(crate) dice: Dice,
    /// Deals another card than the one at its place, once.
    pub(crate) lie: bool,
    /// The line in which it did.
    pub(crate) lied: Option<(Stream, u64)>,
    /// Something goes wrong now and then.
    pub(crate) mishaps: bool,
    log: Log,
    bank: Bank,
    pub(crate) shelf: Shelf,
    tables: BTreeMap<TableId, AtTable>,
    now: u64,
}

const MANAGER: Staff = Staff { person: PersonId(1), rank: Rank(0), acting: None };
pub(crate) const PLAYERS: u32 = 4;

impl Floor {
    /// A floor with these games, each at a table of its own, and players with chips.
    pub(crate) fn open(games: &[&str]) -> Self {
        let mut floor = Self {
            rows: Vec::new(),
            checkpoints: String::new(),
            keys: Keys::fresh().unwrap(),
            dice: Dice(0x9e37_79b9),
            lie: false,
            lied: None,
            mishaps: true,
            log: Log::nowhere(),
            bank: Bank::default(),
            shelf: Shelf::default(),
            tables: BTreeMap::new(),
            now: 1_763_218_800_000,
        };
        let start = Deed::Start { version: croupier_journal::ENGINE.to_string(), leads: None };
        floor.line(Stream::House, By::System, &start, &[], None, Happened::Nothing);
        for player in 1..=PLAYERS {
            floor.deposit(PlayerId(player), 1_000_000_000);
        }
        for (id, game) in (1..).zip(games) {
            floor.open_table(TableId(id), game);
        }
        floor.register();
        floor
    }

    /// Somebody comes into a register, sealed.
    fn register(&mut self) {
        let sealed = |entry: &str, digest| SealedEntry { entry: entry.to_string(), digest };
        let deed = Deed::Register(RegisterChange {
            register: "person".to_string(),
            entry: "1".to_string(),
            what: "created".to_string(),
            sealed: vec![
                sealed("password/0000000001", None),
                sealed("person/0000000001", Some(Hash::of(b"salted"))),
            ],
        });
        let by = By::Person(PersonId(1));
        self.line(Stream::House, by, &deed, &[], None, Happened::Nothing);
    }

    fn line(
        &mut self,
        stream: Stream,
        by: By,
        deed: &Deed,
        postings: &[Entry],
        closes: Option<RoundId>,
        events: Happened<'_>,
    ) -> u64 {
        self.now += 1 + self.dice.roll(900);
        let head = self.bank.heads.entry(stream).or_insert(Head::START);
        let sequence = head.sequence + 1;
        let id = if matches!(by, By::Player(_)) {
            CommandId::new(&format!("made-outside-{sequence}")).unwrap()
        } else {
            CommandId::own(stream, sequence)
        };
        let row = head
            .append(stream, &Envelope { id, at: self.now, by, via: via(by), deed, postings, closes, events });
        self.rows.push(row);
        sequence
    }

    /// Posts, and what each wallet is to be told.
    fn post(&mut self, postings: &[Entry]) -> Vec<(PlayerId, i64)> {
        if postings.is_empty() {
            return Vec::new();
        }
        self.bank.ledger.apply(postings).unwrap();
        let mut told = Vec::new();
        for entry in postings {
            let (Entry::Direct(transfer) | Entry::Pending(transfer)) = entry else { continue };
            let amount = transfer.amount.minor();
            for (account, change) in [(transfer.from, -amount), (transfer.to, amount)] {
                if let Account::Wallet(player) = account {
                    told.push((player, change));
                }
            }
        }
        told
    }

    fn tell(&mut self, stream: Stream, sequence: u64, told: Vec<(PlayerId, i64)>) {
        for (player, change) in told {
            let deed = Deed::Wallet(WalletChange { stream, sequence, change });
            self.line(Stream::Player(player), By::System, &deed, &[], None, Happened::Nothing);
        }
    }

    fn deposit(&mut self, player: PlayerId, minor: i64) {
        let amount = Minor::new(minor).unwrap();
        let id = self.bank.next_transfer;
        self.bank.next_transfer.0 += 1;
        let (from, to) = (Account::Cage, Account::Wallet(player));
        let posting = Entry::Direct(Transfer { id, from, to, amount, kind: Kind::Deposit });
        let told = self.post(&[posting]);
        let deed = Deed::Deposit(CageMove { player, amount, witness: None, note: "receipt 7".to_string() });
        let by = By::Person(PersonId(9));
        let sequence = self.line(Stream::Cage, by, &deed, &[posting], None, Happened::Nothing);
        self.tell(Stream::Cage, sequence, told);
    }

    fn open_table(&mut self, id: TableId, game: &str) {
        let standard = Shelf::standard().unwrap();
        let (volume, found) = standard.find(game).unwrap();
        let opening = opening(game, &volume.rulebook, found);
        if self.shelf.volume(volume.hash).is_none() {
            self.shelf.add(&volume.text).unwrap();
            let deed = Deed::Rulebook { hash: volume.hash, text: volume.text.to_string() };
            self.line(Stream::House, By::System, &deed, &[], None, Happened::Nothing);
        }
        let opened = OpenTable {
            name: format!("Table {id}"),
            pit: "main".to_string(),
            currency: "VND".to_string(),
            decimals: 2,
            dealer: Dealing::Automatic,
            cards: CardSource::Software,
            rulebook: volume.hash,
            opening,
        };
        let deed = Deed::OpenTable(Box::new(opened.clone()));
        self.line(Stream::Table(id), By::Person(PersonId(9)), &deed, &[], None, Happened::Nothing);
        let replayed = Replayed::open(id, &self.shelf, opened, Head::START).unwrap();
        self.tables.insert(id, AtTable { replayed, shoe: None });
        let manager = self.manager(id);
        let witness = Staff { person: PersonId(2), ..MANAGER };
        for who in [manager, witness] {
            self.must(id, Actor::Staff(who), Action::SignOn(who));
        }
        let fill = Action::Fill { amount: units(100_000_000), witness: witness.person };
        self.must(id, Actor::Staff(manager), fill);
        for who in [manager, witness] {
            self.must(id, Actor::Staff(who), Action::SignOff(who.person));
        }
        for player in 1..=PLAYERS {
            let (player, seat) = (PlayerId(player), u8::try_from(player).unwrap());
            self.must(id, Actor::Player(player), Action::Sit { player, seat });
            let amount = units(1_000_000);
            let cash = seat == 1;
            let actor = if cash { Actor::System } else { Actor::Player(player) };
            self.must(id, actor, Action::BuyIn { player, amount, cash });
        }
    }

    fn manager(&self, id: TableId) -> Staff {
        let levels = self.table(id).rulebook().ranks.len();
        Staff { rank: Rank(u8::try_from(levels - 1).unwrap()), ..MANAGER }
    }

    pub(crate) fn table(&self, id: TableId) -> &Table {
        &self.tables[&id].replayed.table
    }

    fn give(&mut self, id: TableId, actor: Actor, action: Action) -> Result<(), String> {
        let place = self.tables.get_mut(&id).unwrap();
        // The second in which the line is written.
        self.now = self.now / 1000 * 1000 + 1000;
        let command = Command { actor, at: self.now / 1000, action };
        let events = decide(&place.replayed.table, &command).map_err(|refusal| refusal.to_string())?;
        place.replayed.apply(&events);
        let mut next = self.bank.next_transfer;
        let batch = place.replayed.books.batch(&events, &mut next);
        self.bank.next_transfer = next;
        let told = self.post(&batch.entries);
        if let Some(round) = batch.closes {
            self.bank.ledger.close_round(id, round).unwrap();
        }
        let deed = Deed::Table(command.action);
        let stream = Stream::Table(id);
        let happened = Happened::Table(&events);
        let sequence = self.line(stream, By::from(actor), &deed, &batch.entries, batch.closes, happened);
        self.tell(stream, sequence, told);
        Ok(())
    }

    #[track_caller]
    fn must(&mut self, id: TableId, actor: Actor, action: Action) {
        let said = format!("{action:?}");
        self.give(id, actor, action).unwrap_or_else(|refusal| panic!("{said}: {refusal}"));
    }

    /// The next cards of the shoe.
    fn next_cards(&self, id: TableId, number: usize) -> Vec<Card> {
        let AtTable { replayed, shoe } = &self.tables[&id];
        let shoe = shoe.as_ref().unwrap();
        let above = if replayed.table.shoe.is_cut { replayed.above } else { 0 };
        let out = shoe.secret.len() - usize::from(replayed.table.shoe.left);
        (out..out + number)
            .filter_map(|out| shoe.secret.place(above, out).and_then(|place| shoe.secret.card(place)))
            .collect()
    }

    /// A shoe shuffled by the dice, so that every run plays the same.
    fn shuffled(&mut self, decks: u8) -> SecretShoe {
        let mut cards: Vec<Card> = Composition::of_decks(Decks::new(decks).unwrap()).cards().collect();
        for at in (1..cards.len()).rev() {
            cards.swap(at, self.dice.place(at + 1));
        }
        let salted = |card: Card| (card, format!("{:064x}", self.dice.roll(u64::MAX)));
        let cards: Vec<(Card, String)> = cards.into_iter().map(salted).collect();
        serde_json::from_value(serde_json::json!({ "cards": cards })).unwrap()
    }

    /// What the software does by itself.
    fn act(&mut self, id: TableId, action: Action) {
        let before = self.table(id).shoe.number;
        let fresh = self.shuffled(self.table(id).setup.decks);
        let mut committed = false;
        let action = match action {
            Action::LoadShoe { set, .. } => {
                committed = true;
                let root = fresh.commitment().unwrap().root();
                Action::LoadShoe { set, commitment: Some(*root.as_bytes()) }
            }
            Action::CutCards { .. } => {
                let above = 1 + self.dice.place(fresh.len() - 1);
                Action::CutCards { above: Some(u16::try_from(above).unwrap()) }
            }
            Action::Burn { count, .. } => {
                let cards = self.next_cards(id, usize::from(count));
                let read = self.dice.place(cards.len() + 1);
                Action::Burn { count, cards: cards[..read].to_vec() }
            }
            other => other,
        };
        self.must(id, Actor::System, action);
        let number = self.table(id).shoe.number;
        if number != before {
            let shoe = Shoe { number, secret: fresh, committed };
            let old = self.tables.get_mut(&id).unwrap().shoe.replace(shoe);
            if let Some(Shoe { number, secret, committed: true }) = old {
                let deed = Deed::RevealShoe(secret.reveal(number));
                self.line(Stream::Table(id), By::System, &deed, &[], None, Happened::Nothing);
            }
        }
    }

    fn bets(&mut self, id: TableId) {
        for player in 1..=PLAYERS {
            let player = PlayerId(player);
            let bets = self.table(id).game().bets.len();
            let bet = if self.dice.roll(3) == 0 { self.dice.place(bets) } else { self.dice.place(2) };
            let amount = units(i64::try_from(self.dice.roll(40) * 10 + 10).unwrap());
            let place =
                Place { player, bet, amount, area: None, reserve: None, in_chips: true, untimed: false };
            // What the rules refuse leaves no line.
            let _ = self.give(id, Actor::Player(player), Action::Place(place));
            if self.dice.roll(6) == 0 {
                let back = Action::TakeBack { player, bet, box_number: None, amount: None };
                let _ = self.give(id, Actor::Player(player), back);
            }
        }
    }

    fn mishap(&mut self, id: TableId) {
        // Cards that software deals lie on no layout, of which people could tell more.
        let report = match self.dice.roll(3) {
            0 => Report::PowerFailure,
            1 => Report::ForceMajeure,
            _ => Report::Other("a dog on the table".to_string()),
        };
        let _ = self.give(id, Actor::Device, Action::Report(report));
    }

    fn step(&mut self, id: TableId) {
        if self.mishaps && self.dice.roll(60) == 0 {
            self.mishap(id);
        }
        match next_step(self.table(id)) {
            Step::Do(action) => self.act(id, action),
            Step::Wait { .. } => {
                self.bets(id);
                match next_step(self.table(id)) {
                    Step::Wait { then, .. } | Step::Do(then) => self.act(id, then),
                    Step::Draw | Step::Deal(_) | Step::Stand => {}
                }
            }
            Step::Draw => self.draw(id),
            Step::Deal(to) => {
                let cards = self.next_cards(id, 5);
                self.must(id, Actor::Device, Action::DealPacket { to, cards });
            }
            Step::Stand => panic!("stalled in {}", self.table(id).phase()),
        }
    }

    fn draw(&mut self, id: TableId) {
        let shoe = &self.table(id).shoe;
        let cut_card = self.table(id).setup.cut_card.unwrap_or(0);
        if shoe.left <= cut_card && shoe.rounds_left.is_none() {
            self.must(id, Actor::Device, Action::CutCardOut);
            return;
        }
        let mut cards = self.next_cards(id, 1);
        if core::mem::take(&mut self.lie) {
            let real = cards[0];
            let unread = &self.table(id).shoe.unread;
            cards = vec![unread.cards().find(|card| *card != real).unwrap()];
            let stream = Stream::Table(id);
            self.lied = Some((stream, self.bank.heads[&stream].sequence + 1));
        }
        match cards.first() {
            None => self.must(id, Actor::Device, Action::ShoeEmpty),
            Some(card) => {
                let draw = Action::Draw { card: Some(*card), laid: None, exposed: false };
                self.must(id, Actor::System, draw);
            }
        }
    }

    /// Plays this many rounds at a table.
    pub(crate) fn play(&mut self, id: TableId, rounds: u64) {
        let until = self.table(id).round.number + rounds;
        while self.table(id).round.number <= until {
            self.step(id);
        }
    }

    /// Plays until a shoe after this one is in play, so that this one was shown.
    pub(crate) fn play_out(&mut self, id: TableId) {
        let number = self.table(id).shoe.number;
        while self.table(id).shoe.number == number {
            self.step(id);
        }
        self.play(id, 1);
    }

    /// A dispute from beginning to end, with a correction.
    pub(crate) fn dispute(&mut self, number: u32, table: TableId, through: Through) {
        let (id, player) = (CaseId(number), PlayerId(2));
        let at = self.now / 1000 + 1;
        self.now = at * 1000;
        let round = DisputedRound { id: RoundId(self.table(table).round.number), from: 10, to: 20 };
        let about = Subject {
            table,
            rulebook: RulebookVersion::of(self.table(table).rulebook()),
            round: Some(round),
            player,
            matter: Matter::Wager,
            ruled_by: Vec::new(),
            words: "Banker was paid as a loss".to_string(),
        };
        let opening = case::Opening { case: id, at, by: Actor::Player(player), about };
        let events = case::open(self.table(table).setup.authority(), &opening).unwrap();
        let mut case = case::replay(&events).unwrap();
        let deed = Deed::OpenCase(Box::new(opening));
        self.line(Stream::Case(id), By::Player(player), &deed, &[], None, Happened::Case(&events));
        let manager = self.manager(table);
        let by = |person: u32| Actor::Staff(Staff { person: PersonId(person), ..manager });
        let words = || "as told".to_string();
        let transfer = |floor: &mut Self| {
            let id = floor.bank.next_transfer;
            floor.bank.next_transfer.0 += 1;
            id
        };
        let corrections = vec![Correction { player, amount: units(50) }];
        let first = Staff { person: PersonId(21), ..manager };
        for (who, order) in [
            (by(20), CaseOrder::Assign { to: first }),
            (by(21), CaseOrder::Escalate { words: words() }),
            (by(22), CaseOrder::TakeOver),
            (by(22), CaseOrder::GatherFact { words: words() }),
            (by(22), CaseOrder::InformSurveillance),
            (by(22), CaseOrder::TellDue { due: Due::NotTold { reason: words() } }),
            (by(22), CaseOrder::CompleteGathering),
            (
                by(22),
                CaseOrder::Decide {
                    grounds: vec![Ground::Law { citation: words() }],
                    reasoning: words(),
                    corrections,
                },
            ),
            (Actor::Player(player), CaseOrder::Agree),
            (by(22), CaseOrder::PostCorrections { through, transfers: vec![transfer(self)] }),
        ] {
            self.order(table, &mut case, who, order);
        }
    }

    fn order(&mut self, table: TableId, case: &mut Case, by: Actor, order: CaseOrder) {
        self.now = self.now / 1000 * 1000 + 1000;
        let deed = Deed::Case(Box::new(order.clone()));
        let command = CaseCommand { at: self.now / 1000, by, order };
        let events = case::decide(self.table(table).setup.authority(), case, &command).unwrap();
        events.iter().for_each(|event| case::apply(case, event));
        let postings: Vec<Entry> = events.iter().flat_map(case::entries).collect();
        let told = self.post(&postings);
        let stream = Stream::Case(case.id);
        let sequence = self.line(stream, By::from(by), &deed, &postings, None, Happened::Case(&events));
        self.tell(stream, sequence, told);
    }

    /// A checkpoint of everything so far.
    pub(crate) fn checkpoint(&mut self) {
        let mut reach = Reach::START;
        (1..).zip(&self.rows).for_each(|(position, row)| reach.pass(position, row.head().hash));
        let written = self.log.write(&self.keys, None, self.now, reach).unwrap();
        if let Some((_, line)) = written {
            self.checkpoints.push_str(&line);
            self.checkpoints.push('\n');
        }
    }
}

/// How the server knew whoever acted: players by their sessions, people of the house by a token.
fn via(by: By) -> Option<Via> {
    match by {
        By::Player(player) => {
            let id = SessionId::of(Hash::of(&player.0.to_be_bytes()));
            Some(Via::Session { id, person: PersonId(player.0) })
        }
        By::Person(person) => Some(Via::Token { id: 4, person: Some(person), made_by: PersonId(1) }),
        By::Staff(_) | By::Device | By::System | By::Surveillance | By::Display => None,
    }
}

fn opening(game: &str, rulebook: &croupier_rules::Rulebook, found: &croupier_rules::Game) -> Opening {
    let layout = rulebook.layouts.iter().find(|layout| {
        layout.variant.is_none() || layout.variant == found.variant.as_ref().map(|variant| variant.id.clone())
    });
    let word = |text: &str| Value::Word(text.to_string());
    let settings = [
        (Setting::Burn, Value::Count(3)),
        (Setting::CutCard, Value::Count(360)),
        (Setting::Chip, Value::Money(units(1))),
        (Setting::Minimum, Value::Money(units(10))),
        (Setting::Maximum, Value::Money(units(5_000))),
        (Setting::Differential, Value::Money(units(3_000))),
        (Setting::SchedulePosted, word("yes")),
        (Setting::RankAbsent, word("first-ruling")),
        (Setting::Layout, word(&layout.map(|layout| layout.id.clone()).unwrap_or_default())),
        (Setting::ResidualAuthority, word(&rulebook.ranks.last().unwrap().id)),
    ];
    let offered = |(setting, _): &(Setting, Value)| {
        rulebook.setting(*setting).is_some() && (*setting != Setting::Layout || layout.is_some())
    };
    let chosen = |(setting, value)| Chosen { setting, bet: None, odds: None, value };
    Opening {
        game: game.to_string(),
        settings: settings.into_iter().filter(offered).map(chosen).collect(),
        ..Opening::default()
    }
}

/// The rows with another line in place of one of a table, and the chain of its stream made anew from there on.
pub(crate) fn forge(
    rows: &[Row],
    at: usize,
    change: impl FnOnce(&mut Deed, &mut Vec<Entry>, &mut Vec<croupier_table::Event>),
) -> Vec<Row> {
    let row = &rows[at];
    let record = row.record().unwrap();
    let mut events = row.table_events().unwrap();
    let (mut deed, mut postings) = (record.deed, record.postings);
    change(&mut deed, &mut postings, &mut events);
    let mut head = Head { sequence: row.sequence - 1, hash: record.previous };
    let engine = record.engine.as_deref().unwrap_or_default();
    let envelope = Envelope {
        id: record.id,
        at: record.at,
        by: record.by,
        via: record.via,
        deed: &deed,
        postings: &postings,
        closes: record.closes,
        events: Happened::Table(&events),
    };
    let forged = head.append_by(engine, row.stream, &envelope);
    let mut rows = rows.to_vec();
    rows[at] = forged;
    rechain(&mut rows, at);
    rows
}

/// The rows as another version of the engine would have written them, or one that did not say which it is.
pub(crate) fn written_by(rows: &[Row], engine: Option<&str>) -> Vec<Row> {
    let said = format!(",\"engine\":\"{}\"", croupier_journal::ENGINE);
    let says = engine.map_or_else(String::new, |engine| format!(",\"engine\":\"{engine}\""));
    let start = format!("{{\"start\":{{\"version\":\"{}\"}}}}", croupier_journal::ENGINE);
    let starts = format!("{{\"start\":{{\"version\":\"{}\"}}}}", engine.unwrap_or("0.0.1"));
    let mut rows: Vec<Row> = rows
        .iter()
        .map(|row| {
            let text = String::from_utf8(row.line.clone()).unwrap();
            let text = text.replacen(&said, &says, 1).replacen(&start, &starts, 1);
            Row::from_line(text.into_bytes()).unwrap()
        })
        .collect();
    let mut seen = std::collections::BTreeSet::new();
    for at in 0..rows.len() {
        if seen.insert(rows[at].stream) {
            rechain(&mut rows, at);
        }
    }
    rows
}

/// Makes the chain of a stream anew after a row.
pub(crate) fn rechain(rows: &mut [Row], at: usize) {
    let stream = rows[at].stream;
    let mut hash = Hash::of(&rows[at].line);
    for row in rows[at + 1..].iter_mut().filter(|row| row.stream == stream) {
        let name = b"\"previous\":\"";
        let from = row.line.windows(name.len()).position(|window| window == name).unwrap() + name.len();
        row.line[from..from + 64].copy_from_slice(&hash.digits());
        hash = Hash::of(&row.line);
    }
}

/// The facts of a row of a table.
pub(crate) fn facts(row: &Row) -> Vec<Fact> {
    row.table_events()
        .map_or_else(|_| Vec::new(), |events| events.into_iter().map(|event| event.fact).collect())
}

/// The first transfer of a number in postings.
pub(crate) fn transfer_mut(postings: &mut [Entry], wanted: impl Fn(&Transfer) -> bool) -> &mut Transfer {
    let mut transfers = postings.iter_mut().filter_map(|entry| match entry {
        Entry::Direct(transfer) | Entry::Pending(transfer) => Some(transfer),
        _ => None,
    });
    transfers.find(|transfer| wanted(transfer)).unwrap()
}
