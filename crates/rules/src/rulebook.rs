//! A validated rulebook and the games it describes. It can only be made by the loader, which reports all
//! faults at once; nothing here can be half right.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::authority::{Needs, Power, PowerRule};
use crate::baccarat::Burn;
use crate::baccarat::insurance::InsuranceTable;
use crate::bet::{Bet, Names};
use crate::clause::{Basis, ClauseIndex};
use crate::irregularity::{Irregularity, IrregularityRule};
use crate::niu_niu::Category;
use crate::rule::Rule;
use crate::setting::{Setting, SettingSpec};

/// The kind of game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Family {
    /// Two hands, Player and Banker, for the whole table. A bet sheet that names no family is meant for it.
    #[default]
    Baccarat,
    /// Five cards a box against the Dealer.
    NiuNiu,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 2] = [Self::Baccarat, Self::NiuNiu];

    /// The name used in files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Baccarat => "baccarat",
            Self::NiuNiu => "niu-niu",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// An approved rulebook.
#[derive(Clone, PartialEq, Debug)]
pub struct Rulebook {
    /// Its id, such as `hoiana-baccarat`.
    pub id: String,
    /// How clause ids are prefixed across rulebooks: `HB`.
    pub abbreviation: String,
    /// Its name.
    pub names: Names,
    /// The house whose rules they are.
    pub operator: String,
    /// The operator's version.
    pub version: String,
    /// Since when, as `YYYY-MM-DD`, where the text says.
    pub effective: Option<String>,
    /// The kind of game.
    pub family: Family,
    /// Its clauses and readings.
    pub index: ClauseIndex,
    /// Staff, lowest rank first.
    pub ranks: Vec<StaffRank>,
    /// Layouts a table may be opened with.
    pub layouts: Vec<Layout>,
    /// Areas of the house that a table may stand in, where that matters.
    pub areas: Vec<Area>,
    /// What the operator sets.
    pub settings: Vec<SettingSpec>,
    /// When a round begins, and when its outcome counts as established.
    pub play: Play,
    /// What may be done about irregularities; what is not listed is ruled like [`Irregularity::Other`].
    pub irregularities: Vec<IrregularityRule>,
    /// Who may decide what.
    pub powers: Vec<PowerRule>,
    /// One game for each variant; just one if there are none.
    pub games: Vec<Game>,
}

/// Where rulebooks differ about what a round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Play {
    /// When a round begins.
    pub round_begins: RoundBegins,
    /// When its outcome is established.
    pub established: Established,
}

/// When a round begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RoundBegins {
    /// With the first card: betting lies before it.
    #[default]
    FirstCard,
    /// With the opening call: betting is part of it.
    OpeningCall,
}

/// When the outcome of a round is established, by the cards that people can see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Established {
    /// When the result between Player and Banker is fixed.
    #[default]
    MainResult,
    /// When any bet on the menu is decided.
    AnyBet,
}

/// A rank of the staff; a higher level may do what a lower one may.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StaffRank {
    /// Its id, such as `pit-manager`.
    pub id: String,
    /// Its level; several roles may share one.
    pub level: u8,
    /// Its title.
    pub names: Names,
}

/// A layout of the rulebook's appendix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Its id in the appendix.
    pub id: String,
    /// The variant printed on it.
    pub variant: Option<String>,
    /// Fewest and most seats.
    pub seats: (u8, u8),
    /// Whether it has insurance areas.
    pub insurance: bool,
    /// The clauses it rests on.
    pub cites: Vec<Basis>,
}

/// An area of the house.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Area {
    /// Its id.
    pub id: String,
    /// Whether it is one of the high-limit areas, where more is allowed.
    pub high_limit: bool,
    /// The clauses it rests on.
    pub cites: Vec<Basis>,
}

/// What becomes of a wager below the minimum that is found after the outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BelowMinimum {
    /// Settled as it lies one time, returned ever after.
    Once,
    /// Settled as it lies every time.
    Always,
}

/// What becomes of wagers outside the limits at settlement; nothing where the rulebook is silent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LimitRules {
    /// Below the minimum.
    pub below_minimum: Option<(BelowMinimum, Vec<Basis>)>,
    /// Above the maximum: in action up to the maximum, the rest returned.
    pub above_maximum: Option<Vec<Basis>>,
    /// Over the differential: the heavier side is scaled down; then the clauses that exempt wagers below the
    /// minimum.
    pub pro_rata: Option<(Vec<Basis>, Vec<Basis>)>,
}

/// One game: a rulebook in one of its variants, its bets compiled to columns.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// `rulebook/variant`, or the rulebook's id if it has no variants.
    pub id: String,
    /// The kind of game: that of its rulebook.
    pub family: Family,
    /// The variant, with its names and the clauses that describe it.
    pub variant: Option<Variant>,
    /// The bets, in menu order.
    pub bets: Vec<Bet>,
    /// The insurance table, where there is one.
    pub insurance: Option<InsuranceTable>,
    /// What happens outside the limits.
    pub limits: LimitRules,
    /// For each category of a Niu Niu hand, by its place, the clauses that rank it.
    pub(crate) hands: Vec<Vec<Basis>>,
    /// For each rule of the engine, by its place, what it rests on.
    pub(crate) cites: Vec<Vec<Basis>>,
}

/// A version of a game, fixed for a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    /// Its id, such as `commission`.
    pub id: String,
    /// Its name.
    pub names: Names,
    /// The clauses it rests on.
    pub cites: Vec<Basis>,
}

impl Rulebook {
    /// The game with that id.
    #[must_use]
    pub fn game(&self, id: &str) -> Option<&Game> {
        self.games.iter().find(|game| game.id == id)
    }

    /// What the rulebook says of a setting.
    #[must_use]
    pub fn setting(&self, setting: Setting) -> Option<&SettingSpec> {
        self.settings.iter().find(|spec| spec.setting == setting)
    }

    /// How many cards a new shoe burns unless the operator says otherwise, where the rulebook says.
    #[must_use]
    pub fn burn(&self) -> Option<Burn> {
        let default = |setting| self.setting(setting)?.default.as_deref();
        if default(Setting::BurnBy) == Some(Burn::FIRST_CARD) {
            return Some(Burn::FirstCard);
        }
        default(Setting::Burn)?.parse().ok().map(Burn::Cards)
    }

    /// The id of a clause or reading across rulebooks: `HB 6.4.2`, `HB-Q33`, `DB-3`.
    #[must_use]
    pub fn full_id(&self, basis: Basis) -> String {
        let id = self.index.id(basis);
        match id.strip_prefix(&self.abbreviation) {
            Some(rest) if rest.starts_with('-') => id.to_string(),
            _ => format!("{} {id}", self.abbreviation),
        }
    }

    /// What may be done about an irregularity; like any other if the rulebook does not list it.
    #[must_use]
    pub fn irregularity(&self, irregularity: Irregularity) -> Option<&IrregularityRule> {
        let rule = |of: Irregularity| self.irregularities.iter().find(|rule| rule.irregularity == of);
        rule(irregularity).or_else(|| rule(Irregularity::Other))
    }

    /// Whether it rules on an irregularity by name.
    #[must_use]
    pub fn lists(&self, irregularity: Irregularity) -> bool {
        self.irregularities.iter().any(|rule| rule.irregularity == irregularity)
    }

    /// Who has a power, if the rulebook or its operator gives it to anybody.
    #[must_use]
    pub fn power(&self, power: Power) -> Option<&PowerRule> {
        self.powers.iter().find(|rule| rule.power == power)
    }

    /// The place of the rank with that id.
    #[must_use]
    pub fn rank(&self, id: &str) -> Option<u8> {
        self.ranks.iter().position(|rank| rank.id == id).and_then(|at| u8::try_from(at).ok())
    }

    /// The level of a rank; the lowest for one that is not there.
    #[must_use]
    pub fn level(&self, rank: u8) -> u8 {
        self.ranks.get(usize::from(rank)).map_or(0, |rank| rank.level)
    }

    /// The place of the rank that is needed, given the table's residual authority.
    #[must_use]
    pub fn needed_rank(&self, needs: Needs, residual: Option<u8>) -> Option<u8> {
        match needs {
            Needs::Rank(rank) => Some(rank),
            Needs::Residual => residual,
        }
    }

    /// The layout with that id.
    #[must_use]
    pub fn layout(&self, id: &str) -> Option<&Layout> {
        self.layouts.iter().find(|layout| layout.id == id)
    }

    /// The area with that id.
    #[must_use]
    pub fn area(&self, id: &str) -> Option<&Area> {
        self.areas.iter().find(|area| area.id == id)
    }

    /// Whether an area is one of the high-limit areas. In a rulebook that names no areas, as those of before had it,
    /// every area is but the default.
    #[must_use]
    pub fn is_high_limit(&self, area: &str) -> bool {
        if self.areas.is_empty() {
            let default = self.setting(Setting::Area).and_then(|spec| spec.default.as_deref());
            return default.is_some_and(|default| default != area);
        }
        self.area(area).is_some_and(|area| area.high_limit)
    }
}

impl Game {
    /// The bet with that id.
    #[must_use]
    pub fn bet(&self, id: &str) -> Option<&Bet> {
        self.bets.iter().find(|bet| bet.id == id)
    }

    /// The place of the bet with that id.
    #[must_use]
    pub fn bet_index(&self, id: &str) -> Option<usize> {
        self.bets.iter().position(|bet| bet.id == id)
    }

    /// The clauses that rank a Niu Niu hand.
    #[must_use]
    pub fn hand_cites(&self, category: Category) -> &[Basis] {
        self.hands.get(category.index()).map_or(&[], Vec::as_slice)
    }

    /// What a rule of the engine rests on under this rulebook.
    #[must_use]
    pub fn cites(&self, rule: Rule) -> &[Basis] {
        self.cites.get(rule.place()).map_or(&[], Vec::as_slice)
    }
}
