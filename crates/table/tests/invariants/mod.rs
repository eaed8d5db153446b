//! A floor of tables at which anything may happen, and what must hold whatever does.
#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers fail a test by panicking")]

pub(crate) mod any;
mod betting;
mod boxes;
pub(crate) mod floor;
pub(crate) mod holds;
mod law;
mod model;
pub(crate) mod opening;
pub(crate) mod random;
mod rules;
pub(crate) mod run;
pub(crate) mod tally;
mod troubles;
pub(crate) mod watch;
