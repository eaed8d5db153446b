//! Niu Niu: the rank of five cards, the comparison of two hands, and the classes in which a box can end.

pub mod hand;
pub mod outcome;

pub use hand::{Category, Hand};
pub use outcome::{BoxOutcome, BoxWinner, Condition};
