//! What play tells of those who play and deal.
//!
//! Every wager and every card of a floor is on record, so the worth of each wager is known exactly: at the cards that
//! were left in the shoe when that very round was dealt. From this follow a player's [`Rating`]s, [`Alarms`] about
//! results that are too unlikely to be luck, and players whose bets [follow](favour) the shoe. Beside it stands the
//! feed of [exceptions](exception): whatever at a table somebody should look at.
//!
//! Everything is fed by the events of tables in their order, and comes out the same however often they are read.
//!
//! What does not belong here: clocks (lines bring their time), files, names of people, screens.

pub mod alarm;
pub mod collect;
pub mod evidence;
pub mod exception;
pub mod favour;
mod insight;
pub mod price;
pub mod rating;
mod sum;

pub use alarm::{Alarm, Alarms, Subject};
pub use collect::{Collector, Played};
pub use evidence::Evidence;
pub use exception::{Exception, ExceptionKind};
pub use insight::{Insight, Line, Noted, Settings};
pub use price::{Position, Prices, Spread};
pub use rating::{Rating, Ratings};
pub use sum::Sum;
