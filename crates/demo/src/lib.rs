//! A floor to try out: tables for every game, robots that play, a shoe that is simulated, and signing in with one click.
//!
//! All that must never be in a floor that is played on is here, and the server knows none of it: it is started with a
//! [`Demo`], or without. A build without this crate (`--no-default-features` of the command line) has no such command.
//!
//! | module | what it holds |
//! |---|---|
//! | [`guests`] | who can be tried out, and signing in as them |
//! | [`mod@furnish`] | the tables, and who plays there |
//! | [`bots`] | robots: players, a Dealer, a pit |
//! | [`simulator`] | an electronic shoe with its mistakes |

pub mod bots;
mod dice;
pub mod furnish;
pub mod guests;
pub mod simulator;

pub use furnish::{DemoError, furnish};
pub use guests::Demo;
