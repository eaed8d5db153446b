//! Casino rulebooks as data, and the pure rules that read them.
//!
//! A [`Rulebook`] holds bets, pay tables, limits, layouts, ranks and a clause index; each of its variants is
//! a [`Game`]. An outcome is a small number and a bet a column of pay lines, so settling a wager is a lookup,
//! and every answer carries the clauses it rests on.
//!
//! A rulebook also says who may decide what and which rulings it allows. What does not belong here: carrying them
//! out, betting phases, clocks, files, randomness. Cards come in.
//!
//! ```
//! use croupier_rules::{Library, baccarat::Deal};
//!
//! let library = Library::standard();
//! let game = library.game("hoiana-baccarat/commission").unwrap();
//! let deal = Deal::from_draws(&croupier_cards::parse_cards("KC 3S 6D 4H").unwrap()).unwrap();
//! let banker = game.bet("banker").unwrap();
//! let line = banker.pays.line(deal.outcome().unwrap()).unwrap();
//! assert_eq!(line.payoff.net().to_string(), "19/20");
//! ```
// The derive of the schemas writes paths of the standard library, so they alone bring it in.
#![cfg_attr(not(feature = "openapi"), no_std)]
#![warn(clippy::as_conversions, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

extern crate alloc;

pub mod authority;
pub mod baccarat;
pub mod bet;
pub mod clause;
pub mod date;
pub mod difference;
pub mod entry;
mod family;
pub mod irregularity;
#[cfg(feature = "toml")]
pub mod library;
#[cfg(feature = "toml")]
pub mod load;
pub mod money;
pub mod names;
pub mod niu_niu;
pub mod odds;
#[cfg(feature = "openapi")]
mod openapi;
pub mod ratio;
pub mod roads;
pub mod rule;
pub mod rulebook;
#[cfg(feature = "serde")]
mod serial;
pub mod setting;
pub mod settle;

pub use authority::{Needs, Power};
pub use bet::{Bet, CardLines, Column, Ending, PayLine, Payoff, Pays, Reserve, When};
pub use clause::{Basis, Clause, ClauseIndex, ClauseKind};
pub use irregularity::{Irregularity, Remedy, Ruling};
#[cfg(feature = "toml")]
pub use library::{Library, LibraryError};
#[cfg(feature = "toml")]
pub use load::{BetSheet, Fault, Faults};
pub use money::Amount;
pub use odds::Odds;
pub use ratio::Ratio;
pub use rule::Rule;
pub use rulebook::{Family, Game, Rulebook};
