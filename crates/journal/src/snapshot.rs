//! Snapshots: what is stored of the books and the tables, so that neither a start nor whoever looks back has to read
//! from the first line on.
//!
//! A snapshot says which form it has and which engine wrote it. One that does not fit costs time and nothing else: an
//! older one is used, or the lines, which say the same. Of a table one is kept for every shoe, and for the last stop;
//! of the books the last two.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::keys::Keys;
use crate::store::{Change, Order, Store, StoreError};
use crate::stream::Stream;

/// The register of snapshots.
pub const REGISTER: &str = "snapshot";
/// The snapshots of the books, written by turns; those of tables are named after their streams.
pub const BANK: [&str; 2] = ["bank", "bank/1"];
/// The form of what is in them. A change by which an older one would be read as something else raises it.
pub const VERSION: u32 = 1;
/// How many of a table are tried before its lines are read from the first one on.
const TRIED: usize = 4;

#[derive(Serialize)]
struct Written<'a, T> {
    version: u32,
    engine: &'a str,
    state: &'a T,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read<'a> {
    version: u32,
    engine: String,
    #[serde(borrow)]
    state: &'a RawValue,
}

/// Why a snapshot is not used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotUsed {
    /// It was changed, or another key sealed it, or it was left unsealed.
    #[error("it is not sealed by this floor")]
    NotSealed,
    /// It has a form that this version does not read.
    #[error("it has form {version}, written by engine {engine}, and this one reads up to form {VERSION}")]
    OtherVersion {
        /// Its form.
        version: u32,
        /// Who wrote it.
        engine: String,
    },
    /// Its form is not what it says.
    #[error("it cannot be read: {0}")]
    Form(String),
}

/// Puts a snapshot into its register, sealed: a start trusts it as it trusts the lines, and whoever can write to the
/// database must not be able to give anybody money there. Nothing if the system gives no randomness; then the next
/// start reads more lines.
#[must_use]
pub fn put(keys: &Keys, name: &str, state: &impl Serialize) -> Option<Change> {
    let content = serde_json::to_vec(&Written { version: VERSION, engine: crate::ENGINE, state }).ok()?;
    let value = keys.seal(&sealed_as(name), &content).ok()?;
    Some(Change::Put { register: REGISTER, key: name.to_string(), value })
}

/// What is in a snapshot of the register.
///
/// # Errors
/// Why it is not used.
pub fn read<T: DeserializeOwned>(keys: &Keys, name: &str, value: &[u8]) -> Result<T, NotUsed> {
    let content = keys.unseal(&sealed_as(name), value).map_err(|_| NotUsed::NotSealed)?;
    let form = |error: serde_json::Error| NotUsed::Form(error.to_string());
    match serde_json::from_slice::<Read<'_>>(&content) {
        Ok(Read { version: VERSION, state, .. }) => serde_json::from_str(state.get()).map_err(form),
        Ok(Read { version, engine, .. }) => Err(NotUsed::OtherVersion { version, engine }),
        // The first form said nothing of itself.
        Err(_) => serde_json::from_slice(&content).map_err(form),
    }
}

fn sealed_as(name: &str) -> String {
    format!("snapshot {name}")
}

/// The name of the one that is kept of a table after a line.
#[must_use]
pub fn kept_as(stream: Stream, sequence: u64) -> String {
    format!("{stream}@{sequence:020}")
}

/// The names of all that are kept of a table after lines below this one.
fn kept_below(stream: Stream, sequence: u64) -> Range<String> {
    format!("{stream}@")..kept_as(stream, sequence)
}

/// The newest state of a table, of those stored after lines below this one, that is still of use: what does not fit
/// is named to `passed_over`, and an older one is tried.
///
/// # Errors
/// What the database says.
pub fn newest<T: DeserializeOwned, U>(
    store: &mut dyn Store,
    keys: &Keys,
    stream: Stream,
    below: u64,
    fits: &mut dyn FnMut(T) -> Result<U, String>,
    passed_over: &mut dyn FnMut(&str, String),
) -> Result<Option<U>, StoreError> {
    let names = kept_below(stream, below);
    let range = names.start.as_str()..names.end.as_str();
    for (name, value) in store.range(REGISTER, range, Order::Falling, TRIED)? {
        let used = read(keys, &name, &value).map_err(|why| why.to_string()).and_then(&mut *fits);
        match used {
            Ok(used) => return Ok(Some(used)),
            Err(why) => passed_over(&name, why),
        }
    }
    Ok(None)
}
