//! Drills: situations that are dealt through the real table, asked about, and marked by what the table itself does.
//!
//! Nothing here is written by hand but the questions. A [`Generator`] deals a table of a rulebook with wagers, cards and
//! people by chance, plays it to the moment that is asked about and on to the next round; the events of that are the
//! answer key, with the clauses they cite. The same seed makes the same drill.
//!
//! There is no clock, no file and no source of chance here: times and seeds are arguments.
//!
//! | module | what it holds |
//! |---|---|
//! | [`topic`] | what can be drilled: irregularities and regular work |
//! | [`generate`], [`walk`] | how a situation is dealt and carried out |
//! | [`situation`], [`question`] | a situation, its parts, its answer key |
//! | [`schedule`] | when it comes again: FSRS, per person and clause |
//! | [`exam`] | examinations: a fixed set at a fixed standard, and what a certificate is worth later |
//! | [`words`], [`show`] | all of it as text, in three languages |
//!
//! ```
//! use croupier_drill::{Generator, Wanted};
//! use croupier_rules::Library;
//!
//! let library = Library::standard();
//! let (rulebook, game) = library.find("mbs-dragon-tiger").unwrap();
//! let drills = Generator::new(rulebook, game).unwrap();
//! let drill = drills.situation(7, &Wanted::default()).unwrap();
//! assert!(drill.outcome.complete);
//! for part in &drill.parts {
//!     assert!(part.marks(&part.key()));
//! }
//! ```

#![forbid(unsafe_code)]

mod chance;
pub mod exam;
pub mod generate;
pub mod question;
mod route;
pub mod schedule;
pub mod show;
pub mod situation;
pub mod topic;
pub mod walk;
pub mod words;

pub use exam::{Examination, Sheet};
pub use generate::{Generator, Wanted};
pub use question::{Answer, Choice, Form, Kind, Part};
pub use situation::{Next, Outcome, Situation, Would};
pub use topic::{Topic, Work};
pub use words::Language;
