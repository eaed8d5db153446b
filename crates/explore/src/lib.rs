//! A proof of completeness in a small scope: every situation that a table can come to with a few players, the bets
//! and cards that differ in effect, everybody on duty, and a bounded number of things going wrong; and a list of
//! those for which the rulebook has no answer.
//!
//! The real table is explored, [`decide`](croupier_table::decide()) and [`apply`](croupier_table::apply()), not a
//! model of it. Situations are told apart by a hash of their canonical form. What is due by the rules is always
//! possible; everything that can physically happen besides, and every report, counts as one deviation. A situation
//! has a way out if what is due leads on to the next round without a further one.
//!
//! | module | what it holds |
//! |---|---|
//! | `world` | the tables of the scope: settings, bets, cards, staff |
//! | `due`, `facts` | what comes next by the rules, and what can happen besides |
//! | `form` | when two situations are the same |
//! | `search` | the exploration, and what is looked at in each situation |
//! | `invariants`, `lines` | what must hold at every step, and in every result |
//! | [`play`] | the same tables for whoever plays them: drills |
//! | [`finding`] | what was found, by kind |
//!
//! ```
//! use croupier_explore::finding::Kind;
//! use croupier_explore::{Scope, explore};
//! use croupier_rules::Library;
//!
//! let library = Library::standard();
//! let (rulebook, game) = library.find("horseshoe-dragon-bonus").unwrap();
//! let scope = Scope { depth: 0, ..Scope::default() };
//! let report = explore(rulebook, game, &scope, &|_| ()).unwrap();
//! // What only the last clause rules is no fault.
//! assert!(report.states > 100 && report.findings.iter().all(|found| found.kind == Kind::Residual));
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::as_conversions, clippy::float_arithmetic)]

mod due;
mod facts;
pub mod finding;
mod form;
mod invariants;
mod lines;
pub mod play;
mod search;
mod world;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use croupier_rules::{Game, Irregularity, Rulebook};

use finding::Findings;
pub use finding::{Finding, Kind};
use search::Search;
use world::World;

/// How far to look.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope {
    /// How many players sit at the table.
    pub players: u8,
    /// How many things go another way than the regular one, on top of each other.
    pub depth: u8,
    /// The most situations to look at; each table of the scope has an equal share.
    pub limit: u64,
    /// Ranks of which nobody is on duty.
    pub off_duty: Vec<String>,
    /// How many tables are explored side by side.
    pub threads: usize,
}

impl Default for Scope {
    fn default() -> Self {
        Self { players: 2, depth: 2, limit: 20_000_000, off_duty: Vec::new(), threads: 1 }
    }
}

impl Scope {
    /// The most players a scope may have: with more nothing new can happen.
    pub const MOST_PLAYERS: u8 = 4;
    /// The most deviations on top of each other.
    pub const MOST_DEPTH: u8 = 3;

    fn check(&self) -> Result<(), ScopeFault> {
        if !(1..=Self::MOST_PLAYERS).contains(&self.players) {
            return Err(ScopeFault::Players { players: self.players });
        }
        if self.depth > Self::MOST_DEPTH {
            return Err(ScopeFault::Depth { depth: self.depth });
        }
        Ok(())
    }
}

/// Why a scope cannot be explored.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScopeFault {
    /// Nobody, or more than a scope may have.
    #[error("{players} players cannot be explored; accepted: 1 to {}", Scope::MOST_PLAYERS)]
    Players {
        /// How many were asked for.
        players: u8,
    },
    /// Deeper than can be explored.
    #[error("a depth of {depth} cannot be explored; accepted: 0 to {}", Scope::MOST_DEPTH)]
    Depth {
        /// What was asked for.
        depth: u8,
    },
    /// The rulebook has no such rank.
    #[error("the rulebook has no rank `{rank}`; its ranks are {known}")]
    NoSuchRank {
        /// What was asked for.
        rank: String,
        /// What there is.
        known: String,
    },
    /// Fewer than two people are left to run the table.
    #[error("at least two ranks must be on duty: some things need a witness")]
    NobodyLeft,
    /// The table cannot be opened with the usual settings.
    #[error("no table can be opened under this rulebook: {faults}")]
    Opening {
        /// Why not.
        faults: String,
    },
}

/// How far an exploration is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Tables of the scope that are done.
    pub tables: usize,
    /// Of how many.
    pub of: usize,
    /// Situations looked at so far.
    pub states: u64,
}

/// What an exploration came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The tables that were explored: settings, bets and cards.
    pub tables: usize,
    /// Of them those whose share of the limit did not suffice.
    pub cut: usize,
    /// Different situations.
    pub states: u64,
    /// Commands that were given.
    pub commands: u64,
    /// The irregularities that came up.
    pub met: BTreeSet<Irregularity>,
    /// Those that the rulebook lists and that did not come up.
    pub unmet: BTreeSet<Irregularity>,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Whether every situation has a ruling that somebody can make and a way out; some may rest on the clause for
    /// everything else.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.findings.iter().all(|finding| finding.kind == Kind::Residual)
    }
}

/// Explores the tables of a game.
///
/// # Errors
/// [`ScopeFault`] if the scope makes no table.
pub fn explore(
    rulebook: &Arc<Rulebook>,
    game: &Game,
    scope: &Scope,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Report, ScopeFault> {
    scope.check()?;
    let worlds = World::all(rulebook, game, scope)?;
    let share = scope.limit / u64::try_from(worlds.len()).unwrap_or(1).max(1);
    let (next, done, states) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0));
    let all: Mutex<Vec<(usize, search::Outcome)>> = Mutex::new(Vec::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(world) = worlds.get(at) else { return };
            let tell = |looked_at: u64| {
                let states = states.fetch_add(looked_at, Ordering::Relaxed) + looked_at;
                progress(Progress { tables: done.load(Ordering::Relaxed), of: worlds.len(), states });
            };
            let outcome = Search::new(world, share, &tell).run(scope.depth);
            done.fetch_add(1, Ordering::Relaxed);
            tell(0);
            all.lock().unwrap_or_else(PoisonError::into_inner).push((at, outcome));
        }
    };
    std::thread::scope(|threads| {
        for _ in 0..scope.threads.max(1) {
            threads.spawn(work);
        }
    });
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.sort_by_key(|(at, _)| *at);
    Ok(together(rulebook, game, &worlds, all.into_iter().map(|(_, outcome)| outcome)))
}

/// What the tables of a scope came to, as one.
fn together(
    rulebook: &Rulebook,
    game: &Game,
    worlds: &[World],
    outcomes: impl Iterator<Item = search::Outcome>,
) -> Report {
    let mut findings = Findings::default();
    if let Some(world) = worlds.first() {
        for found in lines::check(rulebook, game) {
            findings.add(found, "any table", &world.opening, 0, Vec::new);
        }
    }
    let (mut cut, mut states, mut commands, mut met) = (0, 0, 0, BTreeSet::new());
    for outcome in outcomes {
        cut += usize::from(outcome.is_cut);
        states += outcome.states;
        commands += outcome.commands;
        met.extend(outcome.met);
        findings.merge(outcome.findings);
    }
    let listed = rulebook.irregularities.iter().map(|rule| rule.irregularity);
    let unmet = listed.filter(|listed| !met.contains(listed)).collect();
    Report { tables: worlds.len(), cut, states, commands, met, unmet, findings: findings.into_list() }
}
