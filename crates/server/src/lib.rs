//! The floor over HTTP and WebSocket: tables that are run by one task each, people who sign in, devices that report
//! cards, and everything they do in the journal before anybody hears of it.
//!
//! | module | what it holds |
//! |---|---|
//! | [`app`], [`config`] | the server as a whole, and what an operator sets |
//! | [`floor`] | the tables together: start from the journal, open tables, stop |
//! | [`progress`], [`starting`] | how far a start has come, and who is told |
//! | [`away`] | a database that is away, and comes back |
//! | [`node`] | several servers on one floor: who leads, what is passed on, who takes over |
//! | [`table`] | the task of a table, its automatic Dealer, what it shows |
//! | [`till`], [`second`] | the one place where everything comes into order, and the books that follow it |
//! | [`people`], [`limits`], [`doors`] | who may sign in, what they may do, how much of it, and how many at a time |
//! | [`api`], [`live`], [`request`], [`problem`] | HTTP, WebSocket, and what is refused |
//! | [`denials`] | refusals for want of authority, on record |
//! | [`cases`], [`trays`], [`days`], [`rounds`] | disputes, counts and slips, gaming days, finished rounds |
//! | [`figures`] | what is counted of the tables, while they play and by day |
//! | [`watch`] | what surveillance follows: exceptions, ratings, alarms |
//! | [`templates`] | tables that can be opened again |
//! | [`device`] | electronic shoes |
//! | [`demonstration`] | what a floor to try out adds, of which there is none here |

pub mod api;
pub mod app;
pub mod away;
pub mod cases;
pub mod clock;
pub mod config;
pub mod days;
pub mod demonstration;
pub mod denials;
pub mod device;
pub mod doors;
pub mod fetch;
pub mod figures;
pub mod floor;
pub mod limits;
pub mod live;
pub mod node;
pub mod people;
pub mod problem;
pub mod progress;
pub mod provider;
pub mod readers;
pub mod request;
pub mod rounds;
pub mod second;
pub mod shared;
pub mod starting;
pub mod table;
pub mod templates;
pub mod till;
pub mod trays;
pub mod watch;
pub mod witness;

pub use app::{App, AppError};
pub use config::Config;
