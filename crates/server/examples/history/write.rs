//! Automatic baccarat tables with seven players each, who bet in every round until there are lines enough.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use croupier_journal::deed::{CageMove, CardSource, Dealing, OpenTable};
use croupier_journal::{By, CommandId, Hash};
use croupier_ledger::{Amount as Chips, PlayerId};
use croupier_rules::Amount;
use croupier_rules::setting::Setting;
use croupier_server::floor::AtCage;
use croupier_server::people::{Grant, New, Secret};
use croupier_server::table::TableHandle;
use croupier_server::{App, Config};
use croupier_table::{Action, Actor, Chosen, Opening, PersonId, Phase, Place, Rank, Staff, Value};

use crate::measure::{FIRST, PASSWORD};

const GAME: &str = "hoiana-baccarat/commission";
/// The bets of each seat, by their places on the menu.
const BETS: [[usize; 3]; 7] = [[0, 2, 3], [1, 3, 4], [0, 4, 5], [1, 2, 5], [0, 2, 4], [1, 3, 5], [0, 3, 4]];
const DEALER: Staff = Staff { person: PersonId(900_001), rank: Rank(0), acting: None };
const WALLET: i64 = 2_000_000_000_000;

fn money(minor: i64) -> Amount {
    Amount::new(minor).expect("an amount")
}

/// Writes a floor and stops it as a server is stopped. A floor that is there goes on.
pub(crate) async fn write(config: Config, lines: u64, tables: usize) {
    std::fs::create_dir_all(&config.data).expect("a folder");
    let app = App::start(config, None).await.expect("the floor starts");
    let start = Instant::now();
    let begun = position(&app);
    let wanted = Arc::new(AtomicBool::new(true));
    let bets = Arc::new(AtomicU64::new(begun));
    let mut players = Vec::new();
    let open = app.floor.tables();
    for number in 0..tables {
        let (table, seats) = match open.get(number) {
            Some(table) => (table.clone(), seated(table)),
            None => furnish(&app, number).await,
        };
        for (player, own) in seats.into_iter().zip(BETS) {
            let (table, wanted, bets) = (table.clone(), Arc::clone(&wanted), Arc::clone(&bets));
            players.push(tokio::spawn(play(table, player, own, wanted, bets)));
        }
    }
    while position(&app) < lines {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    wanted.store(false, Ordering::Relaxed);
    for player in players {
        player.await.expect("players do not fail");
    }
    app.floor.stop().await.expect("the floor stops");
    let (written, seconds) = (position(&app) - begun, start.elapsed().as_secs_f64());
    println!("  written      {written} lines in {seconds:.0} s");
}

fn position(app: &App) -> u64 {
    app.floor.shared.books.position()
}

fn seated(table: &TableHandle) -> Vec<PlayerId> {
    table.shown().views.public().felt.seats.iter().map(|seat| seat.player).collect()
}

/// A table with a full tray and seven players with accounts, wallets and chips.
async fn furnish(app: &App, number: usize) -> (TableHandle, Vec<PlayerId>) {
    let table = app.floor.open_table(By::System, opened(number)).await.expect("the table opens");
    let top = Rank(u8::try_from(table.setup.rulebook.ranks.len() - 1).expect("a rank"));
    let manager = Staff { person: PersonId(900_000), rank: top, acting: None };
    for who in [manager, DEALER] {
        let signed_on = table.command(None, Actor::Staff(manager), Action::SignOn(who)).await;
        signed_on.expect("staff sign on");
    }
    let fill = Action::Fill { amount: money(1_000_000_000_000), witness: DEALER.person };
    table.command(None, Actor::Staff(manager), fill).await.expect("the tray is filled");
    let mut seats = Vec::new();
    for seat in 1..=7_u8 {
        let name = match (number, seat) {
            (0, 1) => FIRST.to_string(),
            (number, seat) => format!("player-{number}-{seat}"),
        };
        let new = New {
            name,
            password: Some(Secret::new(PASSWORD)),
            grants: vec![Grant::Player],
            ..New::default()
        };
        let player = PlayerId(app.people.create(By::System, new).await.expect("a new player").id);
        let moved = CageMove {
            player,
            amount: Chips::new(WALLET).expect("an amount"),
            witness: None,
            note: String::new(),
        };
        let id = CommandId::new(&format!("deposit-{player}")).expect("an id");
        let asked = AtCage { id, by: By::System.into(), moved, comes_in: true };
        app.floor.at_cage(asked).await.expect("the cage takes it");
        let actor = Actor::Player(player);
        table.command(None, actor, Action::Sit { player, seat }).await.expect("the seat is free");
        let buy_in = Action::BuyIn { player, amount: money(WALLET / 2), cash: false };
        table.command(None, actor, buy_in).await.expect("the wallet has it");
        seats.push(player);
    }
    (table, seats)
}

fn opened(number: usize) -> OpenTable {
    let word = |text: &str| Value::Word(text.to_string());
    let settings = [
        // With the pace of this floor a twentieth of a second.
        (Setting::BettingSeconds, Value::Count(5)),
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
        name: format!("Baccarat {number}"),
        pit: "Main".to_string(),
        currency: "VND".to_string(),
        decimals: 0,
        cards: CardSource::Software,
        dealer: Dealing::Automatic,
        rulebook: Hash::ZERO,
        opening: Opening { game: GAME.to_string(), settings: settings.to_vec(), ..Opening::default() },
    }
}

/// One player: three bets whenever betting is open, each with an id of its own.
async fn play(
    table: TableHandle,
    player: PlayerId,
    own: [usize; 3],
    wanted: Arc<AtomicBool>,
    bets: Arc<AtomicU64>,
) {
    let mut shown = table.watch();
    let mut last = 0;
    while wanted.load(Ordering::Relaxed) {
        let (round, is_open) = {
            let shown = shown.borrow_and_update();
            let felt = shown.views.public().felt;
            (felt.round, felt.phase == Phase::BetsOpen)
        };
        if is_open && round != last {
            last = round;
            for (which, bet) in own.into_iter().enumerate() {
                let amount = money(if which == 0 { 10_000 } else { 2_000 });
                let place =
                    Place { player, bet, amount, area: None, reserve: None, in_chips: true, untimed: false };
                let number = bets.fetch_add(1, Ordering::Relaxed);
                let id = CommandId::new(&format!("0f9c2d3e-8a1b-4c5d-9e6f-{number:012x}")).expect("an id");
                // Betting may have closed meanwhile.
                let _ = table.command(Some(id), Actor::Player(player), Action::Place(place)).await;
            }
        } else if tokio::time::timeout(Duration::from_secs(1), shown.changed())
            .await
            .is_ok_and(|it| it.is_err())
        {
            return;
        }
    }
}
