//! What is counted of the tables: one place for what the pit sees while it happens, for the report of a gaming day, and
//! for whatever else follows from what people wagered.
//!
//! [`count`] adds up, [`edges`] says what the odds make of it, [`live`] follows each table as its lines become durable,
//! and [`read`] counts lines that are in the journal: those of a day, and after a start those of the day so far.

pub mod count;
pub mod edges;
pub mod live;
pub mod read;

pub use count::Figures;
pub use edges::Theories;
pub use live::Live;
