//! The floor over HTTP and WebSocket: tables that are run by one task each, people who sign in, devices that report
//! cards, and everything they do in the journal before anybody hears of it.
//!
//! | module | what it holds |
//! |---|---|
//! | [`app`], [`config`] | the server as a whole, and what an operator sets |
//! | [`floor`] | the tables together: start from the journal, open tables, stop |
//! | [`table`] | the task of a table, its automatic Dealer, what it shows |
//! | [`till`] | the one place where everything comes into order |
//! | [`people`], [`limits`] | who may sign in, what they may do, and how much of it |
//! | [`api`], [`live`], [`problem`] | HTTP, WebSocket, and what is refused |
//! | [`cases`], [`days`], [`rounds`] | disputes, gaming days, finished rounds |
//! | [`device`] | electronic shoes, and a simulated one |
//! | [`bots`], [`demo`] | a floor to try out |

pub mod api;
pub mod app;
pub mod bots;
pub mod cases;
pub mod clock;
pub mod config;
pub mod days;
pub mod demo;
pub mod device;
pub mod floor;
pub mod limits;
pub mod live;
pub mod people;
pub mod problem;
pub mod readers;
pub mod rounds;
pub mod shared;
pub mod table;
pub mod till;

pub use app::{App, AppError};
pub use config::Config;
