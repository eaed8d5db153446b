//! The clause index of a rulebook, and the readings of its unclear places.
//!
//! Everything the engine says rests on a [`Basis`]; the index turns that into an id people can look up.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// What a clause asks for. The first kind of a clause decides whether it is executable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ClauseKind {
    /// A deterministic rule.
    Engine,
    /// Who may decide, and between what.
    Authority,
    /// A choice offered to players.
    PlayerOption,
    /// Limits, layouts, decks, seats: set by the operator.
    OperatorConfig,
    /// Something to be recorded, shown or announced.
    Record,
    /// Equipment; nothing to execute.
    Physical,
    /// The meaning of a word.
    Definition,
}

impl ClauseKind {
    /// All kinds, in the order they are listed in reports.
    pub const ALL: [Self; 7] = [
        Self::Engine,
        Self::Authority,
        Self::PlayerOption,
        Self::OperatorConfig,
        Self::Record,
        Self::Physical,
        Self::Definition,
    ];

    /// The name used in rulebook files.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Authority => "authority",
            Self::PlayerOption => "player-option",
            Self::OperatorConfig => "operator-config",
            Self::Record => "record",
            Self::Physical => "physical",
            Self::Definition => "definition",
        }
    }

    /// Whether a clause of this kind must be proved.
    #[must_use]
    pub const fn is_executable(self) -> bool {
        !matches!(self, Self::Physical | Self::Definition)
    }
}

impl FromStr for ClauseKind {
    type Err = ();
    fn from_str(key: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|kind| kind.key() == key).ok_or(())
    }
}

impl fmt::Display for ClauseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// One clause of a rulebook, or one line of a table in it (`4.16/0-2`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// The number in the rulebook.
    pub id: String,
    /// The primary kind.
    pub kind: ClauseKind,
    /// Further kinds.
    pub also: Vec<ClauseKind>,
    /// What it rules, in one line.
    pub says: String,
}

impl Clause {
    /// Whether this is one line of a pay or drawing table rather than a numbered clause.
    #[must_use]
    pub fn is_table_line(&self) -> bool {
        self.id.contains('/')
    }

    /// Whether it must be proved.
    #[must_use]
    pub fn is_executable(&self) -> bool {
        self.kind.is_executable()
    }
}

/// How an unclear place of a rulebook is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Its id, such as `HB-Q33`.
    pub id: String,
    /// The clauses concerned.
    pub clauses: Vec<Basis>,
    /// What is unclear.
    pub question: String,
    /// How it is read.
    pub reading: String,
    /// The reason.
    pub why: String,
    /// The setting that switches it, where one does.
    pub option: Option<String>,
}

/// What an answer of the engine rests on: a clause or a reading of the rulebook in force.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Basis {
    /// A clause, by its place in the index.
    Clause(u16),
    /// A reading, by its place in the list.
    Reading(u16),
}

/// All clauses of a rulebook in their order, and its readings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClauseIndex {
    clauses: Vec<Clause>,
    readings: Vec<Reading>,
    /// Where each id is: a file has as many references as clauses.
    places: BTreeMap<String, Basis>,
}

impl ClauseIndex {
    /// An index of `clauses`, in the rulebook's order, still without readings.
    #[must_use]
    pub fn new(clauses: Vec<Clause>) -> Self {
        let mut places = BTreeMap::new();
        for (place, clause) in (0..=u16::MAX).zip(&clauses) {
            places.entry(clause.id.clone()).or_insert(Basis::Clause(place));
        }
        Self { clauses, readings: Vec::new(), places }
    }

    /// The same index with its readings, whose clauses refer to this index.
    #[must_use]
    pub fn with_readings(mut self, readings: Vec<Reading>) -> Self {
        for (place, reading) in (0..=u16::MAX).zip(&readings) {
            self.places.entry(reading.id.clone()).or_insert(Basis::Reading(place));
        }
        Self { readings, ..self }
    }

    /// The clauses in their order.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// The readings in their order.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// The clause or reading with that id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<Basis> {
        self.places.get(id).copied()
    }

    /// The clause that `basis` names, if it names one of this rulebook.
    #[must_use]
    pub fn clause(&self, basis: Basis) -> Option<&Clause> {
        match basis {
            Basis::Clause(at) => self.clauses.get(usize::from(at)),
            Basis::Reading(_) => None,
        }
    }

    /// The id people look up.
    #[must_use]
    pub fn id(&self, basis: Basis) -> &str {
        match basis {
            Basis::Clause(at) => self.clauses.get(usize::from(at)).map_or("?", |clause| &clause.id),
            Basis::Reading(at) => self.readings.get(usize::from(at)).map_or("?", |reading| &reading.id),
        }
    }

    /// What it says, in one line.
    #[must_use]
    pub fn says(&self, basis: Basis) -> &str {
        match basis {
            Basis::Clause(at) => self.clauses.get(usize::from(at)).map_or("", |clause| &clause.says),
            Basis::Reading(at) => self.readings.get(usize::from(at)).map_or("", |reading| &reading.reading),
        }
    }
}
