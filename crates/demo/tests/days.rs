//! The report of a gaming day beside the books: what each table took, won and kept as commission is also what the
//! postings of the same lines come to, added up without the engine.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers fail a test by panicking")]

mod common;

use std::collections::BTreeMap;
use std::time::Duration;

use common::{float, floor, open, plays, replayed, stop_and_balance};
use croupier_demo::bots::{self, Bot, Habits, PitBot};
use croupier_demo::furnish::TABLES;
use croupier_demo::simulator::OnTheTable;
use croupier_journal::deed::{CardSource, DayClosed, TableDay};
use croupier_journal::store::Flow;
use croupier_journal::{By, Select, Stream};
use croupier_ledger::{Account, Entry, Kind, Noted, Transfer, TransferId};
use croupier_rules::Amount;
use croupier_rules::setting::Setting;
use croupier_server::days;
use croupier_server::floor::Floor;
use croupier_server::table::TableHandle;
use croupier_table::{Action, Actor};
use tokio::task::AbortHandle;

const SOON: &[(Setting, &str)] =
    &[(Setting::BettingSeconds, "1"), (Setting::OptionSeconds, "1"), (Setting::InsuranceSeconds, "1")];
const SOON_INSURED: &[(Setting, &str)] = &[
    (Setting::BettingSeconds, "1"),
    (Setting::OptionSeconds, "1"),
    (Setting::InsuranceSeconds, "1"),
    (Setting::Insurance, "on"),
];
const SOON_OWED: &[(Setting, &str)] = &[
    (Setting::BettingSeconds, "1"),
    (Setting::OptionSeconds, "1"),
    (Setting::InsuranceSeconds, "1"),
    (Setting::CommissionCollection, "end-of-shoe"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_is_what_the_books_of_its_lines_come_to() {
    let floor = floor();
    // The rulebooks want players to have some seconds; robots need one.
    for text in croupier_rules::library::standard_texts() {
        let hasty = text.replace("range = \"5-600\"", "range = \"1-600\"");
        floor.add_rulebook(By::System, &hasty).await.unwrap();
    }
    let mut tables = Vec::new();
    for (game, settings) in [
        ("hoiana-baccarat/commission", SOON_INSURED),
        ("horseshoe-dragon-bonus", SOON_OWED),
        ("mbs-dragon-tiger", SOON),
        ("hoiana-niu-niu", SOON),
    ] {
        let table = open(&floor, game, CardSource::Software, settings).await;
        let robots = robots(&floor, &table).await;
        tables.push((table, robots));
    }
    for (table, _) in &tables {
        plays(table, 4).await;
        in_and_out(table, 1).await;
    }
    let first =
        days::close(&floor, &days::Calendar::default(), By::System, "2024-11-15".to_string()).await.unwrap();
    for (table, robots) in &tables {
        // Chance decides when the Banker wins with a wager on it.
        let mut rounds = 8;
        while table.opened.opening.game != "hoiana-niu-niu" && !has_commission(&floor, table) {
            rounds += 2;
            plays(table, rounds).await;
        }
        in_and_out(table, 2).await;
        robots.iter().for_each(AbortHandle::abort);
        all_leave(table).await;
    }
    // What the pit was shown until now is what the close is going to count: nobody plays any more.
    let live: Vec<TableDay> =
        tables.iter().map(|(table, _)| table.live.now().figures.day(table.id, 0, 0)).collect();
    let second =
        days::close(&floor, &days::Calendar::default(), By::System, "2024-11-16".to_string()).await.unwrap();
    stop_and_balance(&floor).await;

    let mut seen: BTreeMap<&'static str, i64> = BTreeMap::new();
    for (table, _) in &tables {
        let of_day = |day: &DayClosed| -> TableDay {
            day.tables.iter().find(|day| day.table == table.id).unwrap().clone()
        };
        let (first, second) = (of_day(&first), of_day(&second));
        let game = &table.opened.opening.game;
        let shown = live.iter().find(|day| day.table == table.id).unwrap();
        let money = |day: &TableDay| (day.drop, day.handle, day.win, day.commission);
        assert_eq!(money(shown), money(&second), "{game}");
        assert_eq!(money(&table.live.now().figures.day(table.id, 0, 0)), (0, 0, 0, 0), "{game}");
        for (day, after) in [(&first, 0), (&second, first.through)] {
            let books = Books::of(&floor, table, after, day.through);
            let reported = (day.drop, day.win, day.commission);
            assert_eq!(reported, (books.drop, books.win(), books.commission), "{game} {books:?}");
            // Where the money is now says the same as why it moved.
            assert_eq!(books.in_tray(), books.win(), "{game} {books:?}");
            // And so do the chips at both ends of the day: nothing was over or short.
            let chips = day.chips.unwrap();
            assert_eq!((chips.win(), chips.difference), (day.win, 0), "{game} {chips:?}");
            for (kind, amount) in &books.by_kind {
                *seen.entry(kind).or_default() += amount;
            }
        }
        assert_ne!(first.drop, 0, "{game}");
        assert_eq!(second.chips.unwrap().opening, first.chips.unwrap().closing, "{game}");
    }
    for kind in ["fill", "credit", "drop-count", "tip", "tip-payout", "cash", "buy-in", "kept", "commission"]
    {
        assert!(seen.get(kind).is_some_and(|amount| *amount > 0), "no {kind}: {seen:?}");
    }
}

async fn robots(floor: &std::sync::Arc<Floor>, table: &TableHandle) -> Vec<AbortHandle> {
    let bankroll = TABLES.iter().find(|demo| demo.game == table.opened.opening.game).unwrap().money.bankroll;
    let staff = bots::staff(&table.setup.rulebook);
    let pit = PitBot::new(table, staff, float(table), Duration::ZERO, OnTheTable::default());
    pit.take_up().await;
    let mut running = vec![tokio::spawn(pit.run()).abort_handle()];
    for number in 0..3 {
        let habits = Habits::per_second(bankroll, 0);
        let player = bots::player(table.id, number);
        let bot = Bot::new(floor, table, player, u64::from(table.id.0 * 10 + number), habits);
        running.push(tokio::spawn(bot.run()).abort_handle());
    }
    running
}

/// Everything that moves money and is no wager, in an amount of its own for each time.
async fn in_and_out(table: &TableHandle, times: i64) {
    let (witness, staff) = bots::staff(&table.setup.rulebook);
    let (staff, witness) = (Actor::Staff(staff), witness.person);
    let chip = table.setup.terms.chip.minor();
    let amount = |chips: i64| Amount::new(chip * chips * times).unwrap();
    let player = bots::player(table.id, 0);
    for action in [
        Action::BuyIn { player, amount: amount(31), cash: true },
        Action::Fill { amount: amount(17), witness },
        Action::Credit { amount: amount(5), witness },
        Action::CountDrop { witness },
    ] {
        until_done(table, staff, &action).await;
    }
    until_done(table, Actor::Player(player), &Action::Tip { player, amount: amount(3) }).await;
    until_done(table, staff, &Action::PayTips).await;
}

/// Whoever leaves pays the commission that is owed. It waits for the round, and for the view of the table.
async fn all_leave(table: &TableHandle) {
    for _ in 0..1_000 {
        let Some(seat) = table.shown().views.public().felt.seats.first().copied() else { return };
        let left = table.command(None, Actor::Player(seat.player), Action::Leave { player: seat.player });
        drop(left.await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{:?} do not leave", table.shown().views.public().felt.seats);
}

/// Whether commission was kept, collected or is owed.
fn has_commission(floor: &Floor, table: &TableHandle) -> bool {
    let books = Books::of(floor, table, 0, u64::MAX);
    books.commission > 0
        || replayed(floor, table).table.players.iter().any(|player| player.owes.is_positive())
}

/// Asks until it is done: what may be done waits for the round.
async fn until_done(table: &TableHandle, actor: Actor, action: &Action) {
    let mut last = None;
    for _ in 0..1_000 {
        match table.command(None, actor, action.clone()).await {
            Ok(_) => return,
            Err(refused) => last = Some(refused.to_string()),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{action:?}: {last:?}");
}

/// The postings of some lines of a table.
#[derive(Debug, Default)]
struct Books {
    drop: i64,
    collected: i64,
    paid: i64,
    commission: i64,
    by_kind: BTreeMap<&'static str, i64>,
    /// What came to each account of the house at the table, less what left it.
    float: i64,
    drop_box: i64,
}

impl Books {
    /// Those after one line of the table's stream and up to another.
    fn of(floor: &Floor, table: &TableHandle, after: u64, through: u64) -> Self {
        let mut books = Self::default();
        let mut pending: BTreeMap<TransferId, Transfer> = BTreeMap::new();
        let read = floor.shared.readers.read_here(|store| {
            store.rows(Select::Stream(Stream::Table(table.id), 1), &mut |_, row| {
                if row.sequence > through {
                    return Flow::Break(());
                }
                for entry in row.record().unwrap().postings {
                    // A wager may have been laid the day before.
                    if let Entry::Pending(transfer) = entry {
                        pending.insert(transfer.id, transfer);
                    } else if row.sequence > after {
                        books.enter(table, entry, &pending);
                    }
                }
                Flow::Continue(())
            })
        });
        read.unwrap();
        books
    }

    fn enter(&mut self, table: &TableHandle, entry: Entry, pending: &BTreeMap<TransferId, Transfer>) {
        match entry {
            Entry::Direct(Transfer { from, to, amount, kind, .. }) => {
                self.moved(table, from, to, amount.minor());
                self.direct(kind, amount.minor());
            }
            Entry::Post { pending: id, amount } => {
                let laid = &pending[&id];
                assert!(matches!(laid.kind, Kind::Wager | Kind::Reserve));
                self.moved(table, laid.from, Account::Float(table.id), amount.minor());
                self.collected += amount.minor();
            }
            Entry::Note(note) if note.what == Noted::CommissionKept => {
                self.commission += note.amount.minor();
                *self.by_kind.entry("kept").or_default() += note.amount.minor();
            }
            Entry::Note(_) | Entry::Void { .. } | Entry::Pending(_) => {}
        }
    }

    fn moved(&mut self, table: &TableHandle, from: Account, to: Account, amount: i64) {
        for (account, amount) in [(from, -amount), (to, amount)] {
            if account == Account::Float(table.id) {
                self.float += amount;
            } else if account == Account::Drop(table.id) {
                self.drop_box += amount;
            }
        }
    }

    fn direct(&mut self, kind: Kind, amount: i64) {
        let name = match kind {
            Kind::BuyIn => "buy-in",
            Kind::ChipsSold => "cash",
            Kind::Winnings { .. } => "winnings",
            Kind::Commission => "commission",
            Kind::Fill => "fill",
            Kind::Credit => "credit",
            Kind::DropCount => "drop-count",
            Kind::CashDrop => "cash-drop",
            Kind::Tip => "tip",
            Kind::TipPayout => "tip-payout",
            Kind::CashOut => "cash-out",
            other => panic!("a table posts {other:?}"),
        };
        *self.by_kind.entry(name).or_default() += amount;
        match kind {
            Kind::BuyIn | Kind::ChipsSold => self.drop += amount,
            Kind::Winnings { .. } => self.paid += amount,
            Kind::Commission => {
                self.collected += amount;
                self.commission += amount;
            }
            _ => {}
        }
    }

    /// What the house won: what it collected less what it paid.
    fn win(&self) -> i64 {
        self.collected - self.paid
    }

    /// The same, from what is in the tray and in the drop box: they change by what was won, by fills and credits, by
    /// cash that was counted and by nothing else. Chips that were sold for cash are in the drop box as cash.
    fn in_tray(&self) -> i64 {
        let of = |kind: &str| self.by_kind.get(kind).copied().unwrap_or(0);
        self.float + self.drop_box + of("drop-count") - of("fill") + of("credit")
    }
}
