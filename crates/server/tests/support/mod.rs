//! A floor for tests: one table that is ready to play, people with ids and no sign-in.

use std::path::Path;
use std::sync::Arc;

use croupier_journal::deed::{CageMove, CardSource, Dealing, OpenTable};
use croupier_journal::{By, CommandId, Hash, Location};
use croupier_ledger::{Amount as Chips, PlayerId};
use croupier_rules::Amount;
use croupier_rules::setting::Setting;
use croupier_server::floor::{AtCage, Floor, Place, Started};
use croupier_server::table::dealer::Pace;
use croupier_server::table::{Receipt, Refused, TableHandle};
use croupier_table::command::Place as Wager;
use croupier_table::{Action, Actor, Chosen, Opening, PersonId, Rank, Staff, Value};

pub(crate) const NO_PAUSE: Pace = Pace { step_milliseconds: 0, result_milliseconds: 0, windows_percent: 1 };

pub(crate) fn start(database: Location, folder: Option<&Path>, pace: Pace) -> Started {
    let keys = folder.unwrap_or(Path::new("")).join("keys");
    let folder = folder.map(Path::to_path_buf);
    Floor::start(&Place { database, folder, keys, pace, accept_registers: false }).unwrap()
}

pub(crate) fn staff(person: u32, rank: u8) -> Actor {
    Actor::Staff(Staff { person: PersonId(person), rank: Rank(rank), acting: None })
}

pub(crate) fn opening(seconds: u32) -> Opening {
    let chosen = |setting, value| Chosen { setting, bet: None, odds: None, value };
    let money = |units: i64| Value::Money(Amount::new(units * 100).unwrap());
    Opening {
        game: "mbs-dragon-tiger".to_string(),
        settings: vec![
            chosen(Setting::Layout, Value::Word("A".to_string())),
            chosen(Setting::Burn, Value::Count(1)),
            chosen(Setting::CutCard, Value::Count(14)),
            chosen(Setting::Chip, money(1)),
            chosen(Setting::Minimum, money(1)),
            chosen(Setting::Maximum, money(1_000_000)),
            chosen(Setting::Differential, money(100_000_000)),
            chosen(Setting::BettingSeconds, Value::Count(seconds)),
            chosen(Setting::RankAbsent, Value::Word("void".to_string())),
        ],
        ..Opening::default()
    }
}

pub(crate) fn opened(dealer: Dealing, seconds: u32) -> OpenTable {
    OpenTable {
        name: "One".to_string(),
        pit: "A".to_string(),
        currency: "SGD".to_string(),
        decimals: 2,
        cards: CardSource::Software,
        dealer,
        rulebook: Hash::ZERO,
        opening: opening(seconds),
    }
}

pub(crate) async fn open(floor: &Floor, dealer: Dealing, seconds: u32) -> TableHandle {
    let table = floor.open_table(By::System, opened(dealer, seconds)).await.unwrap();
    let top = u8::try_from(table.setup.rulebook.ranks.len() - 1).unwrap();
    for (person, rank) in [(900, top), (901, 0)] {
        let Actor::Staff(who) = staff(person, rank) else { unreachable!() };
        table.command(None, staff(900, top), Action::SignOn(who)).await.unwrap();
    }
    let amount = Amount::new(10_000_000_000).unwrap();
    let fill = Action::Fill { amount, witness: PersonId(901) };
    table.command(None, staff(900, top), fill).await.unwrap();
    table
}

pub(crate) fn id(text: &str) -> Option<CommandId> {
    Some(CommandId::new(text).unwrap())
}

pub(crate) async fn deposit(floor: &Floor, player: u32, units: i64, name: &str) {
    let amount = Chips::new(units * 100).unwrap();
    let moved = CageMove { player: PlayerId(player), amount, witness: None, note: String::new() };
    let by = By::Person(PersonId(950)).into();
    let asked = AtCage { id: CommandId::new(name).unwrap(), by, moved, comes_in: true };
    floor.at_cage(asked).await.unwrap();
}

pub(crate) async fn come(floor: &Floor, table: &TableHandle, player: u32, seat: u8, units: i64) {
    deposit(floor, player, units, &format!("deposit-{player}-{}", table.id)).await;
    let who = Actor::Player(PlayerId(player));
    table.command(None, who, Action::Sit { player: PlayerId(player), seat }).await.unwrap();
    let amount = Amount::new(units * 100).unwrap();
    let buy = Action::BuyIn { player: PlayerId(player), amount, cash: false };
    table.command(None, who, buy).await.unwrap();
}

pub(crate) fn wager(player: u32, bet: usize, units: i64) -> Action {
    Action::Place(Wager {
        player: PlayerId(player),
        bet,
        amount: Amount::new(units * 100).unwrap(),
        area: None,
        reserve: None,
        in_chips: true,
        untimed: false,
    })
}

pub(crate) async fn bet(
    table: &TableHandle,
    name: &str,
    player: u32,
    bet: usize,
    units: i64,
) -> Result<Receipt, Refused> {
    table.command(id(name), Actor::Player(PlayerId(player)), wager(player, bet, units)).await
}

/// The books agree with themselves and with every table.
pub(crate) fn balanced(floor: &Arc<Floor>) {
    floor.shared.till.hold(|till| {
        till.ledger.verify().unwrap();
        assert_eq!(till.ledger.total(), 0);
    });
}
