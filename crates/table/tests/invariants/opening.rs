//! Tables of every game, with settings chosen at random.

use std::sync::{Arc, OnceLock};

use croupier_ledger::TableId;
use croupier_rules::setting::Setting;
use croupier_rules::{Amount, Library, Odds};
use croupier_table::{Chosen, ChosenControls, Opening, Setup, Table, Value};

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

/// Games of other rulebooks: the examples, and those that no house plays. They have rules of their own, so that nothing
/// may rest on what the five have in common; the second model of the money knows only the five.
pub(crate) const OTHERS: [&str; 5] =
    ["jade-ez-baccarat", "jade-punto-banco", "onyx-baccarat/full", "onyx-baccarat/short", "onyx-niu-niu"];

/// All of them.
pub(crate) fn every_game() -> impl Iterator<Item = &'static str> {
    GAMES.into_iter().chain(OTHERS)
}

pub(crate) fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let mut library = Library::standard();
        for text in [
            include_str!("../../../../rulebooks/examples/jade-ez-baccarat.toml"),
            include_str!("../../../../rulebooks/examples/jade-punto-banco.toml"),
            include_str!("../../../rules/tests/data/synthetic/onyx-baccarat.toml"),
            include_str!("../../../rules/tests/data/synthetic/onyx-niu-niu.toml"),
        ] {
            assert_eq!(library.add(text).err(), None);
        }
        library
    })
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

/// A table at which the house asks for a second person, and reads the cards itself.
pub(crate) fn open_controlled(game: &str, random: &mut Random) -> Table {
    let settings = settings(game, random);
    let (rulebook, _) = library().find(game).unwrap();
    let second = random.pick(&rulebook.ranks).id;
    let controls = ChosenControls { second_person: Some(second), house_reads: random.chance(50) };
    open_by(Opening { game: game.to_string(), settings, controls, ..Opening::default() })
}

fn open_with(game: &str, settings: Vec<Chosen>) -> Table {
    open_by(Opening { game: game.to_string(), settings, ..Opening::default() })
}

fn open_by(opening: Opening) -> Table {
    let game = opening.game.as_str();
    let (rulebook, _) = library().find(game).unwrap();
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
    if OTHERS.contains(&game) {
        others(&mut sheet, game, chip, random);
        return sheet.0;
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

/// What a rulebook asks for, whatever it is.
fn others(sheet: &mut Sheet, game: &str, chip: i64, random: &mut Random) {
    let (rulebook, found) = library().find(game).unwrap();
    let variant = found.variant.as_ref().map(|variant| &variant.id);
    if let Some(layout) = rulebook.layouts.iter().find(|layout| layout.variant.as_ref() == variant) {
        sheet.word(Setting::Layout, &layout.id);
    }
    sheet.count(Setting::Burn, random.below(4));
    sheet.count(Setting::CutCard, 14 + random.below(20));
    sheet.money(Setting::Differential, chip * random.between(20, 80));
    sheet.word(Setting::DifferentialBlocks, random.pick(&["wait", "deal", "return-newest"]));
    sheet.word(Setting::ResidualAuthority, &rulebook.ranks.last().unwrap().id);
    sheet.word(Setting::BonusRequiresMain, random.pick(&["yes", "no"]));
    sheet.word(Setting::CommissionCollection, random.pick(&["at-settlement", "end-of-shoe"]));
    // Not every pay of a chip is a whole amount.
    sheet.0.retain(|chosen| !matches!(chosen.setting, Setting::PayableUnit | Setting::Rounding));
    sheet.money(Setting::PayableUnit, random.pick(&[1, 5, 20]));
    sheet.word(Setting::Rounding, random.pick(&["down", "nearest", "up"]));
    sheet.0.retain(|chosen| rulebook.setting(chosen.setting).is_some());
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
