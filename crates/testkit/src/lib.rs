//! Real servers for tests and benches: throw-away PostgreSQL clusters, child processes, folders; and the suites that
//! try to break a floor ([`prove`]).
//!
//! Only for dev-dependencies. It knows nothing of the game and no other crate of ours, so that every crate may use
//! it. Whatever a test leaves behind, because it failed or was killed, is cleaned up without its help.

pub mod certificates;
pub mod client;
pub mod floor;
pub mod postgres;
pub mod process;
pub mod prove;
pub mod raw;
pub mod socket;

/// A folder that is removed with all it holds when it is dropped.
pub use tempfile::{TempDir, tempdir};
