//! The journal: the only truth of a floor. Everything else (tables, balances, roads, reports) follows from it.
//!
//! A journal is a set of [`Stream`]s. Each accepted command appends one envelope, which is stored as one line
//! of JSON ([`envelope`]); a line names the SHA-256 of the line before it in its stream, so that nothing can be
//! changed, left out or moved without breaking the chain, and an export can be checked with `sha256sum` alone.
//!
//! | module | what it holds |
//! |---|---|
//! | [`stream`], [`envelope`], [`deed`] | what is written, and its form |
//! | [`store`] | where it is written: SQLite, PostgreSQL, memory |
//! | [`writer`] | the one thread that commits, many commands at a time |
//! | [`nodes`] | several servers on one journal: who leads, and how the others hear of commits |
//! | [`checkpoint`], [`tail`], [`keys`] | what shows that the end was not cut off, and who signs it |
//! | [`shoe`] | undealt shoes, sealed |
//! | [`bank`], [`replay`], [`snapshot`] | what follows from the lines: the books and each table, and what is stored of them |
//! | [`shelf`] | the rulebooks that a journal was written under |
//! | [`mod@copy`] | a whole store in another one |
//! | [`mod@export`], [`folder`] | the journal as plain files, and such files read |
//! | [`mod@verify`] | all of it checked: chain, checkpoints, books, shoes, every payout derived again |
//!
//! What does not belong here: deciding (that is the table's), clocks, sockets and sessions.

mod backwards;
pub mod bank;
pub mod checkpoint;
pub mod copy;
pub mod deed;
pub mod envelope;
pub mod export;
pub mod folder;
pub mod hash;
pub mod keys;
pub mod nodes;
pub mod registers;
pub mod replay;
pub mod shelf;
pub mod shoe;
pub mod snapshot;
pub mod store;
pub mod stream;
pub mod tail;
pub mod verify;
pub mod writer;

pub use bank::{BadRow, Bank};
pub use deed::{Author, By, Deed, Kind, SessionId, Via};
pub use envelope::{Envelope, Head, Row};
pub use folder::Source;
pub use hash::Hash;
pub use keys::Keys;
pub use replay::Replayed;
pub use shelf::Shelf;
pub use shoe::SecretShoe;
pub use store::{Change, Location, Select, Store, StoreError};
pub use stream::{CommandId, Stream};
pub use verify::verify;
pub use writer::{Job, Writer};

/// The version of this engine, which every line and every snapshot names.
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");
