//! A floor to look at: tables for every game, a table that a simulated shoe deals at, and robots that play.

use std::sync::Arc;
use std::time::Duration;

use croupier_journal::deed::{CardSource, Dealing, OpenTable};
use croupier_journal::keys::{self, KeyError};
use croupier_journal::{By, Change, Hash, StoreError};
use croupier_rules::rulebook::Layout;
use croupier_rules::setting::{Setting, Values};
use croupier_rules::{Amount, Game, Rulebook};
use croupier_table::{Chosen, ChosenControls, Opening, Value};

use croupier_server::App;
use croupier_server::device::Devices;
use croupier_server::floor::{Floor, FloorError};
use croupier_server::table::TableHandle;

use crate::bots::{self, Bot, DealerBot, Habits, PitBot, Timing};
use crate::simulator::{Mistakes, OnTheTable, SimulatedShoe};

/// The pit that the tables of the demonstration belong to.
pub const PIT: &str = "Demo";
/// The register of what fixes the cards of simulated shoes, so that they survive a restart.
const SHOES: &str = "simulated-shoe";

/// Why a floor could not be furnished.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// A table could not be opened.
    #[error(transparent)]
    Floor(#[from] FloorError),
    /// A register could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system gives no randomness.
    #[error(transparent)]
    Keys(#[from] KeyError),
}

/// A table of the demonstration. Amounts are in minor units.
#[derive(Clone, Copy, Debug)]
pub struct DemoTable {
    /// Its name.
    pub name: &'static str,
    /// The game.
    pub game: &'static str,
    /// What it is played for.
    pub money: Money,
    /// Where the cards come from: then staff deals.
    pub cards: CardSource,
    /// Settings beside the limits and the times.
    pub settings: &'static [(Setting, &'static str)],
}

/// What a table is played for, in minor units.
#[derive(Clone, Copy, Debug)]
pub struct Money {
    /// The currency.
    pub currency: &'static str,
    /// Digits after the point.
    pub decimals: u8,
    /// The smallest chip.
    pub chip: i64,
    /// The smallest wager.
    pub minimum: i64,
    /// The largest wager.
    pub maximum: i64,
    /// The differential.
    pub differential: i64,
    /// The float.
    pub float: i64,
    /// What a robot takes to the table.
    pub bankroll: i64,
}

/// Dong, which has no smaller unit.
const DONG: Money = Money {
    currency: "VND",
    decimals: 0,
    chip: 100_000,
    minimum: 500_000,
    maximum: 200_000_000,
    differential: 600_000_000,
    float: 40_000_000_000,
    bankroll: 60_000_000,
};

/// The tables: all games with an automatic Dealer, and one that a simulated shoe deals at.
pub const TABLES: [DemoTable; 8] = [
    DemoTable {
        name: "Baccarat",
        game: "hoiana-baccarat/commission",
        money: DONG,
        cards: CardSource::Software,
        settings: &[(Setting::Squeeze, "on"), (Setting::Insurance, "on")],
    },
    DemoTable {
        name: "Baccarat without commission",
        game: "hoiana-baccarat/non-commission",
        money: DONG,
        cards: CardSource::Software,
        settings: &[],
    },
    DemoTable {
        name: "Dragon Tiger",
        game: "hoiana-dragon-tiger/commission",
        money: DONG,
        cards: CardSource::Software,
        settings: &[],
    },
    DemoTable {
        name: "Dragon Tiger without commission",
        game: "hoiana-dragon-tiger/non-commission",
        money: DONG,
        cards: CardSource::Software,
        settings: &[],
    },
    DemoTable {
        name: "Dragon Tiger by the bay",
        game: "mbs-dragon-tiger",
        money: DONG,
        cards: CardSource::Software,
        settings: &[(Setting::Method, "A")],
    },
    DemoTable {
        name: "Dragon Bonus",
        game: "horseshoe-dragon-bonus",
        money: DONG,
        cards: CardSource::Software,
        settings: &[],
    },
    DemoTable {
        name: "Niu Niu",
        game: "hoiana-niu-niu",
        money: DONG,
        cards: CardSource::Software,
        settings: &[],
    },
    DemoTable {
        name: "Baccarat from an electronic shoe",
        game: "hoiana-baccarat/commission",
        money: DONG,
        cards: CardSource::Feed,
        settings: &[(Setting::Squeeze, "on"), (Setting::Insurance, "on")],
    },
];

/// How fast the robot Dealer goes.
const TIMING: Timing = Timing {
    step: Duration::from_millis(900),
    betting: Duration::from_secs(12),
    insurance: Duration::from_secs(8),
    option: Duration::from_secs(10),
    result: Duration::from_secs(4),
};
/// How long people have to rule before a robot does.
const PIT_THINKS: Duration = Duration::from_secs(8);

/// Opens the tables that are not there yet and lets the robots play. It returns when the tables are ready.
///
/// # Errors
/// When a table cannot be opened, or the journal fails.
pub async fn furnish(app: &Arc<App>) -> Result<(), DemoError> {
    furnish_floor(&app.floor, &app.devices).await
}

/// The same for a floor without people.
///
/// # Errors
/// As [`furnish`].
pub async fn furnish_floor(floor: &Arc<Floor>, devices: &Devices) -> Result<(), DemoError> {
    for table in &TABLES {
        let there = floor
            .tables()
            .into_iter()
            .find(|known| known.opened.pit == PIT && known.opened.name == table.name);
        let handle = match there {
            Some(handle) => handle,
            None => open(floor, table).await?,
        };
        start(floor, devices, table, &handle).await?;
    }
    Ok(())
}

/// Opens a table of the demonstration.
///
/// # Errors
/// When its settings do not fit, or the journal fails.
pub async fn open(floor: &Floor, table: &DemoTable) -> Result<TableHandle, DemoError> {
    let volume = floor.volume(table.game).ok_or_else(|| FloorError::NoGame(table.game.to_string()))?;
    let game = volume.rulebook.game(table.game).ok_or_else(|| FloorError::NoGame(table.game.to_string()))?;
    let opened = OpenTable {
        name: table.name.to_string(),
        pit: PIT.to_string(),
        currency: table.money.currency.to_string(),
        decimals: table.money.decimals,
        cards: table.cards,
        dealer: match table.cards {
            CardSource::Software => Dealing::Automatic,
            CardSource::Feed => Dealing::Staff,
        },
        rulebook: Hash::ZERO,
        opening: opening(&volume.rulebook, game, table),
    };
    Ok(floor.open_table(By::System, opened).await?)
}

/// Everything that the rulebook leaves to the operator.
fn opening(rulebook: &Rulebook, game: &Game, table: &DemoTable) -> Opening {
    let Money { chip, minimum, maximum, differential, .. } = table.money;
    let money = |minor: i64| Value::Money(Amount::new(minor).unwrap_or(Amount::MAX));
    let word = |text: &str| Value::Word(text.to_string());
    let variant = game.variant.as_ref().map(|variant| &variant.id);
    let fits = |layout: &&Layout| layout.variant.is_none() || layout.variant.as_ref() == variant;
    let layout = rulebook.layouts.iter().filter(fits).max_by_key(|layout| (layout.insurance, layout.seats.1));
    let mut settings = vec![
        (Setting::Burn, Value::Count(1)),
        (Setting::CutCard, Value::Count(26)),
        (Setting::Chip, money(chip)),
        (Setting::Minimum, money(minimum)),
        (Setting::Maximum, money(maximum)),
        (Setting::Differential, money(differential)),
        (Setting::BettingSeconds, Value::Count(12)),
        (Setting::InsuranceSeconds, Value::Count(8)),
        (Setting::OptionSeconds, Value::Count(10)),
        (Setting::SchedulePosted, word("yes")),
        (Setting::RankAbsent, word("first-ruling")),
    ];
    settings.extend(layout.map(|layout| (Setting::Layout, word(&layout.id))));
    settings.extend(rulebook.ranks.last().map(|rank| (Setting::ResidualAuthority, word(&rank.id))));
    settings.extend(table.settings.iter().map(|(setting, value)| {
        let count = value.parse().ok().filter(|_| setting.values() == Values::Count);
        (*setting, count.map_or_else(|| word(value), Value::Count))
    }));
    let known = |(setting, _): &(Setting, Value)| rulebook.setting(*setting).is_some();
    let settings = settings.into_iter().filter(known);
    let chosen = |(setting, value)| Chosen { setting, bet: None, odds: None, value };
    // Where people deal, what one of them finds or puts right is seen by a second.
    let by_hand = table.cards == CardSource::Feed;
    let second = rulebook.ranks.get(1).filter(|_| by_hand).map(|rank| rank.id.clone());
    let controls = ChosenControls { second_person: second, house_reads: by_hand };
    Opening {
        game: table.game.to_string(),
        settings: settings.map(chosen).collect(),
        controls,
        ..Opening::default()
    }
}

/// Puts the staff on duty, fills the float and starts the robots of a table.
async fn start(
    floor: &Arc<Floor>,
    devices: &Devices,
    table: &DemoTable,
    handle: &TableHandle,
) -> Result<(), DemoError> {
    let staff = bots::staff(&handle.setup.rulebook);
    let mut on_the_table = OnTheTable::default();
    let mut dealer = None;
    if table.cards == CardSource::Feed {
        let seed = shoe_seed(floor, handle).await?;
        let shoe = SimulatedShoe::new(devices, handle, seed, Mistakes::SOMETIMES).await;
        on_the_table = shoe.on_the_table();
        dealer = Some(DealerBot::new(floor, devices, handle, staff.0, shoe, TIMING));
    }
    let pit = PitBot::new(handle, staff, table.money.float, PIT_THINKS, on_the_table);
    pit.take_up().await;
    tokio::spawn(pit.run());
    if let Some(dealer) = dealer {
        tokio::spawn(dealer.run(None));
    }
    // People find a seat too.
    let seats = u32::from(handle.setup.seats).saturating_sub(2).max(1);
    for number in 0..(3 + handle.id.0 % 3).min(seats) {
        let habits = Habits {
            bankroll: table.money.bankroll,
            thinks: Duration::from_millis(1_500),
            rests: Duration::from_secs(15),
        };
        let seed = u64::from_le_bytes(keys::random()?);
        let bot = Bot::new(floor, handle, bots::player(handle.id, number), seed, habits);
        tokio::spawn(bot.run());
    }
    Ok(())
}

/// What fixes the cards of a table's simulated shoes: made once, and the same after a restart.
async fn shoe_seed(floor: &Floor, table: &TableHandle) -> Result<u64, DemoError> {
    let key = table.id.to_string();
    let asked = key.clone();
    let kept = floor.shared.readers.read(move |store| store.entry(SHOES, &asked)).await?;
    if let Some(bytes) = kept.and_then(|kept| <[u8; 8]>::try_from(kept.as_slice()).ok()) {
        return Ok(u64::from_le_bytes(bytes));
    }
    let bytes: [u8; 8] = keys::random()?;
    floor.keep(vec![Change::Put { register: SHOES, key, value: bytes.to_vec() }]).await?;
    Ok(u64::from_le_bytes(bytes))
}
