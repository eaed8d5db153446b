//! What happened on a line when the file ran, and what it rests on.

use croupier_rules::clause::Basis;
use croupier_table::Why;
use croupier_table::case::{CaseChange, CaseRefusal};

/// Something that happened, with its clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// What.
    pub fact: Fact,
    /// The clauses and readings it rests on.
    pub cites: Vec<Basis>,
    /// The line that made it happen, from 1: a wager is laid on one line and settled on another.
    pub line: usize,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The table runs under this rulebook and version.
    Opened,
    /// A layout, a setting or a place was taken over.
    Set,
    /// Something happened at the table.
    Table(croupier_table::Fact),
    /// Something happened to the dispute.
    Case(CaseChange),
    /// Something was refused.
    Refused(Refused),
}

/// Why something was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// By the table; with its words for people.
    #[error("{1}")]
    Table(Box<Why>, String),
    /// By the rules of disputes.
    #[error("{0}")]
    Case(Box<CaseRefusal>),
    /// The round before is not finished.
    #[error("the round before is not finished: {0}")]
    Unfinished(String),
    /// No layout of that name, or one that does not fit.
    #[error("{0}")]
    Layout(String),
    /// A setting the rulebook does not have, or a value it does not take.
    #[error("{0}")]
    Setting(String),
    /// There is nothing of that kind in this file.
    #[error("{0}")]
    Unknown(String),
}

impl Refused {
    /// The codes of refusals that are the file's own.
    pub const CODES: &'static [&'static str] = &["unfinished", "layout", "setting", "unknown"];

    /// The code that files use.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Table(why, _) => why.code(),
            Self::Case(refusal) => refusal.code(),
            Self::Unfinished(_) => "unfinished",
            Self::Layout(_) => "layout",
            Self::Setting(_) => "setting",
            Self::Unknown(_) => "unknown",
        }
    }
}
