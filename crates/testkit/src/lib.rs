//! Real servers for tests and benches: throw-away PostgreSQL clusters, child processes, folders.
//!
//! Only for dev-dependencies. It knows nothing of the game and no other crate of ours, so that every crate may use
//! it. Whatever a test leaves behind, because it failed or was killed, is cleaned up without its help.

pub mod client;
pub mod floor;
pub mod postgres;
pub mod process;

/// A folder that is removed with all it holds when it is dropped.
pub use tempfile::{TempDir, tempdir};
