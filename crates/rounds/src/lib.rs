//! Rounds as text: a notation that a pit manager can read and write, and that runs.
//!
//! A round file names the game, the table's settings and then one action a line, with expectations beside
//! them. Scenarios, bug reports, dispute evidence and drills are such files; `docs/round-files.md` describes
//! the notation.
//!
//! ```
//! use croupier_rounds::{RoundFile, run};
//! use croupier_rules::Library;
//!
//! let file = RoundFile::parse(
//!     "game hoiana-baccarat/commission\n\
//!      round\n\
//!      ann bets banker 1,000   => +950, by 5.1.2\n\
//!      cards KC 3S 6D 4H       => banker wins 7-6\n",
//! ).unwrap();
//! assert!(run(&Library::standard(), &file).passed());
//! ```

pub mod amount;
mod case_deed;
pub mod coverage;
mod deed;
mod earlier;
pub mod event;
pub mod export;
pub mod file;
mod parse;
mod print;
pub mod proofs;
mod run;
pub mod scenarios;
mod tell;
pub mod telling;
mod words;

pub use event::{Event, Fact, Refused};
pub use file::{Action, Bet, Expectation, Holder, Place, RoundFile, Statement};
pub use parse::ParseFault;
pub use run::{Check, Problem, Report, Step, run};
