//! Rulebooks in the form that browsers of rules and forms for new tables need.

use std::collections::BTreeMap;

use croupier_journal::shelf::Volume;
use croupier_rules::baccarat::Side;
use croupier_rules::baccarat::insurance::Stage;
use croupier_rules::bet::{Bet, Names};
use croupier_rules::setting::{Setting, SettingSpec, Values};
use croupier_rules::{Basis, Game, Odds, Rulebook};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::tables::PayInfo;

/// A name in each language, by `en`, `vi` and `zh`.
type ByLanguage = BTreeMap<&'static str, String>;

fn by_language(names: &Names) -> ByLanguage {
    [("en", &names.en), ("vi", &names.vi), ("zh", &names.zh)]
        .into_iter()
        .map(|(language, name)| (language, name.clone()))
        .collect()
}

fn ids(rulebook: &Rulebook, cites: &[Basis]) -> Vec<String> {
    cites.iter().map(|basis| rulebook.index.id(*basis).to_string()).collect()
}

/// A rulebook on the shelf.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RulebookSummary {
    /// Its id.
    pub(crate) id: String,
    /// Its name in each language.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: ByLanguage,
    /// The house whose rules they are.
    pub(crate) operator: String,
    /// The operator's version.
    pub(crate) version: String,
    /// Since when, as `YYYY-MM-DD`, where the text says.
    pub(crate) effective: Option<String>,
    /// `baccarat` or `niu-niu`.
    pub(crate) family: &'static str,
    /// The SHA-256 of its text.
    pub(crate) hash: String,
    /// The ids of its games.
    pub(crate) games: Vec<String>,
}

impl RulebookSummary {
    pub(super) fn of(volume: &Volume) -> Self {
        let rulebook = &volume.rulebook;
        Self {
            id: rulebook.id.clone(),
            names: by_language(&rulebook.names),
            operator: rulebook.operator.clone(),
            version: rulebook.version.clone(),
            effective: rulebook.effective.clone(),
            family: rulebook.family.key(),
            hash: volume.hash.to_string(),
            games: rulebook.games.iter().map(|game| game.id.clone()).collect(),
        }
    }
}

/// A whole rulebook.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RulebookForm {
    /// As on the shelf.
    pub(crate) summary: RulebookSummary,
    /// How its clauses are prefixed across rulebooks.
    pub(crate) abbreviation: String,
    /// Its clauses, in its order.
    pub(crate) clauses: Vec<ClauseForm>,
    /// How its unclear places are read.
    pub(crate) readings: Vec<ReadingForm>,
    /// Its staff, lowest rank first.
    pub(crate) ranks: Vec<RankForm>,
    /// The layouts that a table may be opened with.
    pub(crate) layouts: Vec<LayoutForm>,
    /// What an operator sets.
    pub(crate) settings: Vec<SettingForm>,
    /// Its games.
    pub(crate) games: Vec<GameForm>,
}

/// A clause, or a reading where one is looked up like a clause.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ClauseForm {
    /// Its id in the rulebook.
    pub(crate) id: String,
    /// Its place among the clauses, or among the readings, from 0: as views cite it.
    pub(crate) place: u16,
    /// Its id across rulebooks.
    pub(crate) full_id: String,
    /// What kind of clause it is: `engine`, `authority`, …, or `reading`.
    pub(crate) kind: &'static str,
    /// Further kinds.
    pub(crate) also: Vec<&'static str>,
    /// What it rules, in one line.
    pub(crate) says: String,
}

/// How an unclear place is read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ReadingForm {
    /// Its id.
    pub(crate) id: String,
    /// Its place among the readings, from 0: as views cite it.
    pub(crate) place: usize,
    /// The clauses concerned.
    pub(crate) clauses: Vec<String>,
    /// What is unclear.
    pub(crate) question: String,
    /// How it is read.
    pub(crate) reading: String,
    /// The reason.
    pub(crate) why: String,
    /// The setting that switches it, where one does.
    pub(crate) option: Option<String>,
}

/// A rank of the staff.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RankForm {
    /// Its id, by which people are given it.
    pub(crate) id: String,
    /// Its level; a higher one may do what a lower one may.
    pub(crate) level: u8,
    /// Its title in each language.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: ByLanguage,
}

/// A layout.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LayoutForm {
    /// Its id.
    pub(crate) id: String,
    /// The variant of the game that is printed on it.
    pub(crate) variant: Option<String>,
    /// Fewest seats.
    pub(crate) seats_min: u8,
    /// Most seats.
    pub(crate) seats_max: u8,
    /// Whether it has areas for insurance.
    pub(crate) insurance: bool,
    /// The clauses it rests on.
    pub(crate) clauses: Vec<String>,
}

/// Something an operator sets.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SettingForm {
    /// Its name.
    pub(crate) setting: Setting,
    /// What it is for.
    pub(crate) says: &'static str,
    /// What it takes: `count`, `money`, `money-per-bet`, `money-per-odds`, `one-of` or `name`.
    pub(crate) takes: &'static str,
    /// The words to choose from.
    pub(crate) words: Vec<String>,
    /// The lowest count.
    pub(crate) lowest: Option<u32>,
    /// The highest count.
    pub(crate) highest: Option<u32>,
    /// The value if nothing is said; without one the operator must say it.
    pub(crate) default: Option<String>,
    /// The clauses that leave it to the operator.
    pub(crate) clauses: Vec<String>,
}

/// A game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameForm {
    /// Its id, by which tables are opened.
    pub(crate) id: String,
    /// The name of the variant in each language; the rulebook's where there is one game.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: ByLanguage,
    /// Its bets, in the order of the menu.
    pub(crate) bets: Vec<BetForm>,
    /// The lines of its insurance table.
    pub(crate) insurance: Vec<InsuranceForm>,
}

/// A bet with its pay table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BetForm {
    /// Its id.
    pub(crate) id: String,
    /// Its place on the menu, from 0.
    pub(crate) place: usize,
    /// Its name in each language.
    #[schema(value_type = BTreeMap<String, String>)]
    pub(crate) names: ByLanguage,
    /// The clauses that put it on the menu.
    pub(crate) clauses: Vec<String>,
    /// Its pay table, line by line.
    pub(crate) pays: Vec<PayInfo>,
    /// How many times the stake is laid beside it as a Reserve.
    pub(crate) reserve: Option<u32>,
}

/// A line of an insurance table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct InsuranceForm {
    /// The insured hand.
    pub(crate) side: Side,
    /// When it is offered.
    pub(crate) stage: Stage,
    /// Counts of the Banker's hand.
    pub(crate) banker_points: String,
    /// Counts of the Player's hand.
    pub(crate) player_points: String,
    /// What it pays.
    pub(crate) odds: Odds,
    /// The clauses it rests on.
    pub(crate) clauses: Vec<String>,
}

impl ClauseForm {
    pub(super) fn of(rulebook: &Rulebook, basis: Basis) -> Option<Self> {
        let (kind, also) = match rulebook.index.clause(basis) {
            Some(clause) => (clause.kind.key(), clause.also.iter().map(|kind| kind.key()).collect()),
            None => ("reading", Vec::new()),
        };
        let says = rulebook.index.says(basis);
        (!says.is_empty()).then(|| Self {
            id: rulebook.index.id(basis).to_string(),
            place: match basis {
                Basis::Clause(place) | Basis::Reading(place) => place,
            },
            full_id: rulebook.full_id(basis),
            kind,
            also,
            says: says.to_string(),
        })
    }
}

impl RulebookForm {
    pub(super) fn of(volume: &Volume) -> Self {
        let rulebook = &*volume.rulebook;
        let clauses = (0..rulebook.index.clauses().len()).filter_map(|at| u16::try_from(at).ok());
        Self {
            summary: RulebookSummary::of(volume),
            abbreviation: rulebook.abbreviation.clone(),
            clauses: clauses.filter_map(|at| ClauseForm::of(rulebook, Basis::Clause(at))).collect(),
            readings: rulebook
                .index
                .readings()
                .iter()
                .enumerate()
                .map(|(place, reading)| ReadingForm {
                    id: reading.id.clone(),
                    place,
                    clauses: ids(rulebook, &reading.clauses),
                    question: reading.question.clone(),
                    reading: reading.reading.clone(),
                    why: reading.why.clone(),
                    option: reading.option.clone(),
                })
                .collect(),
            ranks: rulebook
                .ranks
                .iter()
                .map(|rank| RankForm {
                    id: rank.id.clone(),
                    level: rank.level,
                    names: by_language(&rank.names),
                })
                .collect(),
            layouts: rulebook
                .layouts
                .iter()
                .map(|layout| LayoutForm {
                    id: layout.id.clone(),
                    variant: layout.variant.clone(),
                    seats_min: layout.seats.0,
                    seats_max: layout.seats.1,
                    insurance: layout.insurance,
                    clauses: ids(rulebook, &layout.cites),
                })
                .collect(),
            settings: rulebook.settings.iter().map(|spec| setting(rulebook, spec)).collect(),
            games: rulebook.games.iter().map(|found| game(rulebook, found)).collect(),
        }
    }
}

fn setting(rulebook: &Rulebook, spec: &SettingSpec) -> SettingForm {
    let (takes, words) = match spec.setting.values() {
        Values::Count => ("count", &[][..]),
        Values::Money => ("money", &[][..]),
        Values::MoneyPerBet => ("money-per-bet", &[][..]),
        Values::MoneyPerOdds => ("money-per-odds", &[][..]),
        Values::OneOf(words) => ("one-of", words),
        Values::Name if spec.setting == Setting::Area && !rulebook.areas.is_empty() => ("one-of", &[][..]),
        Values::Name => ("name", &[][..]),
    };
    let areas = rulebook.areas.iter().filter(|_| spec.setting == Setting::Area);
    let words = words.iter().map(ToString::to_string).chain(areas.map(|area| area.id.clone()));
    SettingForm {
        setting: spec.setting,
        says: spec.setting.says(),
        takes,
        words: words.collect(),
        lowest: spec.range.map(|(lowest, _)| lowest),
        highest: spec.range.map(|(_, highest)| highest),
        default: spec.default.clone(),
        clauses: ids(rulebook, &spec.cites),
    }
}

fn game(rulebook: &Rulebook, game: &Game) -> GameForm {
    let names = game.variant.as_ref().map_or(&rulebook.names, |variant| &variant.names);
    let lines = game.insurance.iter().flat_map(|table| &table.lines);
    GameForm {
        id: game.id.clone(),
        names: by_language(names),
        bets: game.bets.iter().enumerate().map(|found| bet(rulebook, found)).collect(),
        insurance: lines
            .map(|line| InsuranceForm {
                side: line.side,
                stage: line.stage,
                banker_points: line.banker_points.to_string(),
                player_points: line.player_points.to_string(),
                odds: line.odds,
                clauses: ids(rulebook, &line.cites),
            })
            .collect(),
    }
}

fn bet(rulebook: &Rulebook, (place, bet): (usize, &Bet)) -> BetForm {
    BetForm {
        id: bet.id.clone(),
        place,
        names: by_language(&bet.names),
        clauses: ids(rulebook, &bet.cites),
        pays: PayInfo::table(&rulebook.index, bet),
        reserve: bet.reserve.as_ref().map(|reserve| reserve.times),
    }
}
