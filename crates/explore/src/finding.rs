//! What was found: the kind, the situation in words, its clauses, and the shortest way to it.

use std::collections::BTreeMap;

use croupier_rules::Irregularity;
use croupier_rules::clause::Basis;
use croupier_table::{Command, Opening};

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $variant:ident = $key:literal;)+) => {
        /// What a rulebook leaves open.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Kind { $($(#[doc = $doc])+ $variant,)+ }

        impl Kind {
            /// All kinds, in the order they are listed.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name in output for programs.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Self::$variant => $key,)+ }
            }

            /// What it means, in one line.
            #[must_use]
            pub fn says(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc,)+).trim_ascii_start(),)+ }
            }
        }
    };
}

kinds! {
    /// The rulebook has no ruling that can be made.
    NoRuling = "no-ruling";
    /// The rulebook gives two rulings, and nobody to choose between them.
    Contradiction = "contradiction";
    /// What may become of the round depends on which of two things was reported first.
    Order = "order";
    /// A ruling that nobody on duty may make.
    NobodyMay = "nobody-may";
    /// A wager that neither settles nor returns.
    OpenWager = "open-wager";
    /// Nothing that is due leads to the next round.
    NoWayOut = "no-way-out";
    /// What has happened cannot be put on record.
    Refused = "refused";
    /// Something that must hold at every table does not.
    Invariant = "invariant";
    /// No clause of its own: only the one for everything else rules it.
    Residual = "residual";
}

/// A situation that a rulebook leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What is missing.
    pub kind: Kind,
    /// The situation, in words.
    pub what: String,
    /// The irregularity, where one is on hold.
    pub irregularity: Option<Irregularity>,
    /// The clauses that come nearest.
    pub cites: Vec<Basis>,
    /// In how many of the situations explored.
    pub states: u64,
    /// The table of the shortest way: bets, cards and settings.
    pub table: String,
    /// How that table was opened.
    pub opening: Opening,
    /// The commands of the shortest way; none where the rulebook alone shows it.
    pub path: Vec<Command>,
}

/// What makes two findings the same.
type Name = (Kind, String);

/// Findings as they are collected; of each the shortest way is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings(BTreeMap<Name, Finding>);

/// A finding before it is known how the table came to it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    pub(crate) what: String,
    pub(crate) irregularity: Option<Irregularity>,
    pub(crate) cites: Vec<Basis>,
}

impl Findings {
    /// Adds one; the way is asked for only if it is shorter than the one known.
    pub(crate) fn add(
        &mut self,
        found: Found,
        table: &str,
        opening: &Opening,
        length: usize,
        path: impl FnOnce() -> Vec<Command>,
    ) {
        let name = (found.kind, found.what.clone());
        match self.0.get_mut(&name) {
            Some(known) => {
                known.states += 1;
                if length < known.path.len() {
                    known.path = path();
                    known.table = table.to_string();
                    known.opening = opening.clone();
                }
            }
            None => {
                let Found { kind, what, irregularity, cites } = found;
                let (table, opening) = (table.to_string(), opening.clone());
                let finding =
                    Finding { kind, what, irregularity, cites, states: 1, table, opening, path: path() };
                self.0.insert(name, finding);
            }
        }
    }

    /// Those of another table of the scope.
    pub(crate) fn merge(&mut self, other: Self) {
        for (name, finding) in other.0 {
            match self.0.get_mut(&name) {
                Some(known) => {
                    let states = known.states + finding.states;
                    if finding.path.len() < known.path.len() {
                        *known = finding;
                    }
                    known.states = states;
                }
                None => {
                    self.0.insert(name, finding);
                }
            }
        }
    }

    pub(crate) fn into_list(self) -> Vec<Finding> {
        self.0.into_values().collect()
    }
}
