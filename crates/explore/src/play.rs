//! The tables of a scope for whoever plays them on: what comes next by the rules, and what can happen besides.

pub use crate::due::{Move, due, rulings};
pub use crate::facts::{Deviation, deviations};
pub use crate::search::prelude;
pub use crate::world::World;
