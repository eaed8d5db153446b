//! Tables of every game, with settings chosen at random.

use std::sync::{Arc, OnceLock};

use croupier_ledger::TableId;
use croupier_rules::setting::Setting;
use croupier_rules::{Amount, Library, Odds};
use croupier_table::{Chosen, Opening, Setup, Table, Value};

use super::random::Random;

/// Every game there is.
pub(crate) const GAMES: [&str; 7] = [
    "hoiana-baccarat/commission",
    "hoiana-baccarat/non-commission",
    "hoiana-dragon-tiger/commission",
    "hoiana-dragon-tiger/non-commission",
    "mbs-dragon-tiger",
    "horseshoe-dragon-bonus",
    "hoiana-niu-niu",
];

pub(crate) fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(Library::standard)
}

pub(crate) fn minor(minor: i64) -> Amount {
    Amount::new(minor).unwrap()
}

/// What the operator says, as it is collected.
struct Sheet(Vec<Chosen>);

impl Sheet {
    fn set(&mut self, setting: Setting, value: Value) {
        self.0.push(Chosen { setting, bet: None, odds: None, value });
    }

    fn word(&mut self, setting: Setting, word: &str) {
        self.set(setting, Value::Word(word.to_string()));
    }

    fn count(&mut self, setting: Setting, count: usize) {
        self.set(setting, Value::Count(u32::try_from(count).unwrap()));
    }

    fn money(&mut self, setting: Setting, amount: i64) {
        self.set(setting, Value::Money(minor(amount)));
    }
}

/// A table of a game that has just been opened.
pub(crate) fn open(game: &str, random: &mut Random) -> Table {
    open_with(game, settings(game, random))
}

/// The same where no maximum and no differential is smaller than the largest amount.
pub(crate) fn open_without_bounds(game: &str, random: &mut Random) -> Table {
    let mut settings = settings(game, random);
    let chip = settings.iter().find_map(|chosen| match chosen.value {
        Value::Money(chip) if chosen.setting == Setting::Chip => Some(chip.minor()),
        _ => None,
    });
    // People lay a little more than the maximum too, and that must still be an amount.
    let largest = minor((Amount::MAX.minor() / chip.unwrap() - 100) * chip.unwrap());
    for chosen in &mut settings {
        if matches!(chosen.setting, Setting::Maximum | Setting::Differential | Setting::InsuranceLimit) {
            chosen.value = Value::Money(largest);
        }
    }
    open_with(game, settings)
}

/// The same with settings of the test's own.
pub(crate) fn open_changed(game: &str, random: &mut Random, changes: &[(Setting, Value)]) -> Table {
    let mut sheet = Sheet(settings(game, random));
    sheet.0.retain(|chosen| changes.iter().all(|(setting, _)| *setting != chosen.setting));
    changes.iter().for_each(|(setting, value)| sheet.set(*setting, value.clone()));
    open_with(game, sheet.0)
}

fn open_with(game: &str, settings: Vec<Chosen>) -> Table {
    let (rulebook, _) = library().find(game).unwrap();
    let opening = Opening { game: game.to_string(), settings, ..Opening::default() };
    match Setup::new(rulebook, &opening) {
        Ok(setup) => Table::new(TableId(1), Arc::new(setup)),
        Err(faults) => panic!("{game}: {faults:?}"),
    }
}

fn settings(game: &str, random: &mut Random) -> Vec<Chosen> {
    let mut sheet = Sheet(Vec::new());
    let chip = random.pick(&[20, 100, 500]);
    sheet.money(Setting::Chip, chip);
    sheet.money(Setting::Minimum, chip * random.between(2, 8));
    sheet.money(Setting::Maximum, chip * random.between(20, 80));
    sheet.word(Setting::LimitsAtEntry, random.pick(&["refuse", "accept", "accept"]));
    sheet.word(Setting::RankAbsent, random.pick(&["wait", "first-ruling", "void"]));
    if random.chance(20) {
        sheet.money(Setting::PayableUnit, random.pick(&[7, 20, 50]));
        sheet.word(Setting::Rounding, random.pick(&["down", "nearest", "up"]));
    }
    if game == "hoiana-niu-niu" {
        sheet.word(Setting::Layout, "A");
        sheet.count(Setting::Boxes, 4 + random.below(6));
        sheet.word(Setting::BoxOrder, random.pick(&["from-dealer-left", "from-dealer-right"]));
        sheet.word(Setting::SeveralBoxes, random.pick(&["yes", "yes", "no"]));
        return sheet.0;
    }
    sheet.count(Setting::CutCard, 14 + random.below(20));
    sheet.count(Setting::RoundsAfterCutCard, random.below(3));
    if game == "mbs-dragon-tiger" {
        mbs(&mut sheet, chip, random);
    } else if game == "horseshoe-dragon-bonus" {
        sheet.count(Setting::Decks, random.pick(&[1, 2, 6]));
        sheet.count(Setting::Burn, random.below(4));
        sheet.word(Setting::ResidualAuthority, random.pick(&["floor-supervisor", "pit-manager"]));
        sheet.word(Setting::SchedulePosted, "yes");
        sheet.word(Setting::BonusRequiresMain, random.pick(&["yes", "no"]));
        sheet.word(Setting::CommissionCollection, random.pick(&["at-settlement", "end-of-shoe"]));
    } else {
        hoiana(&mut sheet, game, chip, random);
    }
    sheet.0
}

fn mbs(sheet: &mut Sheet, chip: i64, random: &mut Random) {
    sheet.word(Setting::Layout, "A");
    sheet.count(Setting::Seats, 5 + random.below(4));
    sheet.count(Setting::Decks, random.pick(&[4, 5, 8]));
    sheet.count(Setting::Burn, random.below(3));
    let area = random.pick(&["paiza-club", "ruby-room", "main-floor"]);
    sheet.word(Setting::Area, area);
    let methods: &[&str] = if area == "main-floor" { &["A", "B"] } else { &["A", "B", "C", "C"] };
    sheet.word(Setting::Method, random.pick(methods));
    sheet.money(Setting::Differential, chip * random.between(20, 80));
    sheet.word(Setting::DifferentialBlocks, random.pick(&["wait", "deal", "return-newest"]));
    sheet.count(Setting::WagersPerArea, 1 + random.below(3));
}

fn hoiana(sheet: &mut Sheet, game: &str, chip: i64, random: &mut Random) {
    let layouts: &[&str] = match game {
        "hoiana-baccarat/commission" => &["A.1", "A.2", "A.1", "A.5"],
        "hoiana-baccarat/non-commission" => &["A.3", "A.4", "A.3", "A.7"],
        "hoiana-dragon-tiger/commission" => &["A.3", "A.4"],
        _ => &["A.1", "A.2"],
    };
    sheet.word(Setting::Layout, random.pick(layouts));
    sheet.count(Setting::Decks, random.pick(&[1, 2, 8]));
    sheet.count(Setting::Burn, 1 + random.below(3));
    sheet.money(Setting::Differential, chip * random.between(20, 80));
    sheet.word(Setting::DifferentialBlocks, random.pick(&["wait", "deal", "return-newest"]));
    sheet.word(Setting::Squeeze, random.pick(&["on", "on", "off"]));
    sheet.word(Setting::SqueezeAllocation, random.pick(&["table-highest", "per-hand-highest"]));
    sheet.word(Setting::BelowMinimumScope, random.pick(&["gaming-day", "shoe"]));
    sheet.word(Setting::NoBurnChoice, random.pick(&["any-replace", "majority"]));
    sheet.word(Setting::UnexposedSurplusBankerCard, random.pick(&["carry-normal", "carry-normal", "refer"]));
    sheet.word(Setting::SmallWagerMakesRoom, random.pick(&["yes", "no"]));
    if game.starts_with("hoiana-baccarat") {
        sheet.word(Setting::InsuranceLapse, random.pick(&["round", "window"]));
        if random.chance(40) {
            for odds in ["3:2", "2:1", "3:1", "4:1"] {
                let odds: Odds = odds.parse().unwrap();
                let value = Value::Money(minor(chip * random.between(1, 12)));
                sheet.0.push(Chosen { setting: Setting::InsuranceLimit, bet: None, odds: Some(odds), value });
            }
        }
        if random.chance(30) {
            sheet.money(Setting::InsuranceMinimum, chip * 2);
        }
    }
}
