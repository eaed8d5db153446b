//! The table: a pure state machine that runs a game from opening to closing under any rulebook, and the
//! dispute case, which outlives it.

#![warn(clippy::as_conversions, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

pub mod actor;
pub mod apply;
pub mod authority;
pub mod automatic;
pub mod books;
pub mod case;
pub mod command;
mod cover;
pub mod decide;
pub mod event;
mod fingerprint;
pub mod niu_niu;
pub mod phase;
mod possible;
pub mod refusal;
#[cfg(feature = "serde")]
mod serial;
pub mod setup;
pub mod table;
pub mod view;

pub use actor::{Actor, PersonId, PlayerId, Rank, Staff};
pub use apply::apply;
pub use command::{Action, Command, Place, Report, RulingMade};
pub use decide::decide;
pub use event::{Event, Fact};
pub use phase::Phase;
pub use refusal::{Refusal, Why};
pub use setup::{Chosen, Opening, Setup, SetupFault, Value};
pub use table::Table;
pub use view::Views;
