//! The table: a pure state machine that runs a game from opening to closing under any rulebook, and the
//! dispute case, which outlives it.
//!
//! [`decide()`] says what a [`Command`] leads to, or why it is refused, and changes nothing; [`apply()`] carries an
//! [`Event`] out and decides nothing. Cards, times and ranks come in with the commands: there is no clock, no
//! randomness and no undealt card in here.
//!
//! | module | what it holds |
//! |---|---|
//! | [`setup`] | everything an operator sets, checked together before a table can open |
//! | [`command`], [`event`], [`refusal`] | what is asked, what happened, why not |
//! | [`mod@decide`], [`mod@apply`] | the two functions; one file for each part of the game |
//! | [`table`], [`phase`], [`niu_niu`] | the state, and where play stands |
//! | [`actor`], [`authority`] | who acts, and whether they may |
//! | [`mod@preview`] | what a command would lead to, before it is given |
//! | [`automatic`] | what comes next at a table without a Dealer |
//! | [`view`] | what each audience sees and may do |
//! | [`books`] | the ledger entries of what happened |
//! | [`case`] | disputes |
//! | `snapshot`, with the feature `serde` | the state as something that can be stored |
//!
//! ```
//! use std::sync::Arc;
//!
//! use croupier_ledger::TableId;
//! use croupier_rules::setting::Setting;
//! use croupier_rules::{Amount, Library};
//! use croupier_table::{Action, Actor, Chosen, Command, Opening, Phase, Setup, Table, Value, apply, decide};
//!
//! let library = Library::standard();
//! let (rulebook, _) = library.find("mbs-dragon-tiger").unwrap();
//! let money = |units: i64| Value::Money(Amount::new(units * 100).unwrap());
//! let chosen = |setting, value| Chosen { setting, bet: None, odds: None, value };
//! let opening = Opening {
//!     game: "mbs-dragon-tiger".to_string(),
//!     settings: vec![
//!         chosen(Setting::Layout, Value::Word("A".to_string())),
//!         chosen(Setting::Burn, Value::Count(1)),
//!         chosen(Setting::CutCard, Value::Count(14)),
//!         chosen(Setting::Chip, money(1)),
//!         chosen(Setting::Minimum, money(10)),
//!         chosen(Setting::Maximum, money(5_000)),
//!         chosen(Setting::Differential, money(10_000)),
//!     ],
//!     ..Opening::default()
//! };
//! let setup = Setup::new(rulebook, &opening).expect("every setting fits");
//! let mut table = Table::new(TableId(1), Arc::new(setup));
//!
//! let mut give = |action| {
//!     let command = Command { actor: Actor::System, at: 0, action };
//!     let events = decide(&table, &command)?;
//!     events.iter().for_each(|event| apply(&mut table, event));
//!     Ok::<Phase, croupier_table::Refusal>(table.phase())
//! };
//! give(Action::LoadShoe { set: None, commitment: None })?;
//! give(Action::RecordShuffle)?;
//! give(Action::CutCards { above: None })?;
//! assert_eq!(give(Action::Burn { count: 1, cards: vec![] })?, Phase::Ready);
//! assert_eq!(give(Action::OpenBets)?, Phase::BetsOpen);
//! assert_eq!(give(Action::Settle).unwrap_err().code(), "not-now");
//! # Ok::<(), croupier_table::Refusal>(())
//! ```

#![warn(clippy::as_conversions, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

pub mod actor;
pub mod apply;
pub mod authority;
pub mod automatic;
mod behalf;
pub mod books;
pub mod case;
mod certain;
pub mod command;
mod cover;
pub mod decide;
pub mod event;
mod family;
mod fingerprint;
pub mod moment;
pub mod niu_niu;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod permit;
pub mod phase;
mod possible;
pub mod preview;
pub mod refusal;
#[cfg(feature = "serde")]
mod serial;
pub mod setup;
#[cfg(feature = "serde")]
pub mod snapshot;
pub mod table;
pub mod view;

pub use actor::{Actor, PersonId, PlayerId, Rank, Staff};
pub use apply::{apply, keeps_cites};
pub use command::{Action, Because, Command, Place, Report, RulingMade};
pub use croupier_ledger::TableId;
pub use decide::{allowed_rulings, decide, may_deal};
pub use event::{Event, Fact};
pub use moment::{Moment, Over, Part};
pub use phase::Phase;
pub use preview::{Consequences, Effects, preview};
pub use refusal::{Refusal, Why};
pub use setup::{Chosen, ChosenControls, Concern, Opening, Setup, SetupFault, Value};
pub use table::Table;
pub use view::Views;
