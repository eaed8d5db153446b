//! How long the till is held, and waited for, while tables bet, shoes are replaced and the books are stored.
//!
//! Everything that happens on a floor goes through the till, so that whatever is done under it is done for all. The limit
//! is for the time it is held, which is ours; on a machine with other work to do somebody who holds it may lose the
//! processor, and the figure then tells of that machine. `--slack=N` multiplies the limit.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::expect_used, reason = "without its floor there is nothing to measure")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use croupier_journal::deed::{CageMove, CardSource, Dealing, OpenTable};
use croupier_journal::{By, CommandId, Hash, Location};
use croupier_ledger::{Amount as Chips, PlayerId};
use croupier_rules::Amount;
use croupier_rules::setting::Setting;
use croupier_server::floor::{AtCage, Floor, Place as Where};
use croupier_server::table::TableHandle;
use croupier_server::table::dealer::Pace;
use croupier_table::{Action, Actor, Chosen, Opening, PersonId, Place, Rank, Staff, Value};
use metrics::{Counter, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, SharedString, Unit};

/// Tables whose players bet, and one more whose shoe is replaced all the time.
const TABLES: u32 = 4;
const PLAYERS: u32 = 7;
/// Wallets in the books, so that storing them is work.
const WALLETS: u32 = 5_000;
const TIME: Duration = Duration::from_secs(6);
/// What the till may be held at p99.
const LIMIT: Duration = Duration::from_micros(200);
const DEALER: Staff = Staff { person: PersonId(900_001), rank: Rank(0), acting: None };

/// Keeps what was measured under each name.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<BTreeMap<String, Arc<Samples>>>>);

#[derive(Default)]
struct Samples(Mutex<Vec<f64>>);

impl HistogramFn for Samples {
    fn record(&self, value: f64) {
        self.0.lock().expect("nobody panics with it").push(value);
    }
}

impl Kept {
    fn of(&self, name: &str) -> Arc<Samples> {
        let mut kept = self.0.lock().expect("nobody panics with it");
        Arc::clone(kept.entry(name.to_string()).or_default())
    }
}

impl metrics::Recorder for Kept {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        Counter::noop()
    }
    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }
    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.of(key.name()))
    }
}

fn main() {
    let kept = Kept::default();
    metrics::set_global_recorder(kept.clone()).expect("nobody else gathers figures");
    let slack = std::env::args().find_map(|argument| argument.strip_prefix("--slack=")?.parse().ok());
    let limit = LIMIT * slack.unwrap_or(1);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-till");
    // What an interrupted run may have left.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let database = Location::Sqlite(folder.join("journal.db"));
    let done = runtime.block_on(run(
        Where {
            database,
            folder: Some(folder.clone()),
            keys: folder.clone(),
            pace: Pace::default(),
            accept_registers: false,
        },
        &kept,
    ));
    let _ = std::fs::remove_dir_all(&folder);
    println!("bets {}, shoes replaced {}, books stored {}", done[0], done[1], done[2]);
    report(&kept, "croupier_till_wait_seconds", "waited for");
    let held = report(&kept, "croupier_till_hold_seconds", "held");
    assert!(held <= limit, "the till is held for {held:?} at p99, and {limit:?} is the limit");
}

/// Says how long something took; what it took at p99.
fn report(kept: &Kept, name: &str, says: &str) -> Duration {
    let samples = kept.of(name);
    let mut times = std::mem::take(&mut *samples.0.lock().expect("nobody panics with it"));
    times.sort_unstable_by(f64::total_cmp);
    let at = |per_mille: usize| {
        let place = (times.len() * per_mille / 1_000).min(times.len().saturating_sub(1));
        Duration::from_secs_f64(times.get(place).copied().unwrap_or_default())
    };
    println!(
        "till {says:10} {:>8} times   {:?} in the middle, {:?} at p99, {:?} at p99.9, {:?} at most",
        times.len(),
        at(500),
        at(990),
        at(999),
        at(1_000),
    );
    at(990)
}

async fn run(place: Where, kept: &Kept) -> [u64; 3] {
    let floor = Floor::start(&place).expect("the floor starts").floor;
    for player in 1..=WALLETS {
        deposit(&floor, PlayerId(player)).await;
    }
    let mut tables = Vec::new();
    for number in 0..=TABLES {
        tables.push(furnish(&floor, number).await);
    }
    // Only what happens from now on counts.
    kept.of("croupier_till_hold_seconds").0.lock().expect("nobody panics with it").clear();
    kept.of("croupier_till_wait_seconds").0.lock().expect("nobody panics with it").clear();
    let counts: Arc<[AtomicU64; 3]> = Arc::default();
    let goes_on = Arc::new(AtomicBool::new(true));
    let mut tasks = Vec::new();
    let (replaced, bet_at) = tables.split_last().expect("tables");
    for (number, table) in (0..).zip(bet_at) {
        for seat in 0..PLAYERS {
            let player = PlayerId(number * PLAYERS + seat + 1);
            tasks.push(tokio::spawn(bet(table.clone(), player, Arc::clone(&goes_on), Arc::clone(&counts))));
        }
    }
    tasks.push(tokio::spawn(replace(replaced.clone(), Arc::clone(&goes_on), Arc::clone(&counts))));
    let start = Instant::now();
    while start.elapsed() < TIME {
        let snapshot = floor.shared.books.snapshot().await.expect("the books agree");
        floor.keep(snapshot.into_iter().collect()).await.expect("it is stored");
        counts[2].fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    goes_on.store(false, Ordering::Relaxed);
    for task in tasks {
        task.await.expect("it goes on to the end");
    }
    floor.stop().await.expect("the floor stops");
    [0, 1, 2].map(|which| counts[which].load(Ordering::Relaxed))
}

fn money(minor: i64) -> Amount {
    Amount::new(minor).expect("an amount")
}

async fn deposit(floor: &Floor, player: PlayerId) {
    let amount = Chips::new(1_000_000_000).expect("an amount");
    let moved = CageMove { player, amount, witness: None, note: String::new() };
    let id = CommandId::new(&format!("deposit-{player}")).expect("an id");
    let asked = AtCage { id, by: By::System.into(), moved, comes_in: true };
    floor.at_cage(asked).await.expect("the cage takes it");
}

/// A table whose bets are open, with seven players who have chips.
async fn furnish(floor: &Floor, number: u32) -> TableHandle {
    let settings = [
        (Setting::Chip, Value::Money(money(100))),
        (Setting::Minimum, Value::Money(money(100))),
        (Setting::Maximum, Value::Money(money(100_000_000))),
        (Setting::Differential, Value::Money(money(1_000_000_000))),
        (Setting::Burn, Value::Count(1)),
        (Setting::CutCard, Value::Count(14)),
        (Setting::RankAbsent, Value::Word("first-ruling".to_string())),
        (Setting::Layout, Value::Word("A.1".to_string())),
    ];
    let settings = settings.map(|(setting, value)| Chosen { setting, bet: None, odds: None, value });
    let game = "hoiana-baccarat/commission".to_string();
    let opened = OpenTable {
        name: format!("Baccarat {number}"),
        pit: "Main".to_string(),
        currency: "VND".to_string(),
        decimals: 0,
        cards: CardSource::Software,
        dealer: Dealing::Staff,
        rulebook: Hash::ZERO,
        opening: Opening { game, settings: settings.to_vec(), ..Opening::default() },
    };
    let table = floor.open_table(By::System, opened).await.expect("the table opens");
    let manager = manager(&table);
    let Actor::Staff(person) = manager else { return table };
    for who in [person, DEALER] {
        table.command(None, manager, Action::SignOn(who)).await.expect("staff sign on");
    }
    let fill = Action::Fill { amount: money(1_000_000_000_000), witness: DEALER.person };
    table.command(None, manager, fill).await.expect("the tray is filled");
    for seat in 1..=7_u8 {
        let player = PlayerId(number * PLAYERS + u32::from(seat));
        let actor = Actor::Player(player);
        table.command(None, actor, Action::Sit { player, seat }).await.expect("the seat is free");
        let buy_in = Action::BuyIn { player, amount: money(500_000_000), cash: false };
        table.command(None, actor, buy_in).await.expect("the wallet has it");
    }
    let ready = [
        Action::LoadShoe { set: None, commitment: None },
        Action::RecordShuffle,
        Action::CutCards { above: None },
        Action::Burn { count: 1, cards: Vec::new() },
        Action::OpenBets,
    ];
    // The shoe of the last table is replaced before anybody bets there.
    let steps = if number == TABLES { 1 } else { ready.len() };
    for action in ready.into_iter().take(steps) {
        table.command(None, Actor::Staff(DEALER), action).await.expect("the shoe is made ready");
    }
    table
}

fn manager(table: &TableHandle) -> Actor {
    let top = Rank(u8::try_from(table.setup.rulebook.ranks.len() - 1).expect("a rank"));
    Actor::Staff(Staff { person: PersonId(900_000), rank: top, acting: None })
}

/// A player who bets the least, over and over.
async fn bet(table: TableHandle, player: PlayerId, goes_on: Arc<AtomicBool>, counts: Arc<[AtomicU64; 3]>) {
    while goes_on.load(Ordering::Relaxed) {
        let amount = money(100);
        let place =
            Place { player, bet: 0, amount, area: None, reserve: None, in_chips: true, untimed: false };
        let placed = table.command(None, Actor::Player(player), Action::Place(place)).await;
        if placed.is_ok() {
            counts[0].fetch_add(1, Ordering::Relaxed);
        } else {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

/// A shoe that is replaced as fast as its table allows.
async fn replace(table: TableHandle, goes_on: Arc<AtomicBool>, counts: Arc<[AtomicU64; 3]>) {
    while goes_on.load(Ordering::Relaxed) {
        let replaced = table.command(None, manager(&table), Action::ReplaceShoe { commitment: None }).await;
        match replaced {
            Ok(_) => drop(counts[1].fetch_add(1, Ordering::Relaxed)),
            Err(refused) => {
                println!("the shoe was not replaced: {refused}");
                return;
            }
        }
    }
}
