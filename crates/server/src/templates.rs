//! Tables as they are opened again and again: what they are, who is on duty there, what is in the float. One is saved by
//! hand, or is what a table was closed with.

use croupier_journal::deed::OpenTable;
use croupier_journal::{Change, StoreError};
use croupier_ledger::TableId;
use croupier_rules::Amount;
use serde::{Deserialize, Serialize};

use crate::floor::{Floor, FloorError};

/// The register of templates.
const REGISTER: &str = "table-template";

/// A table that can be opened again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// The table that was closed so, where it is a close.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<TableId>,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What the table is.
    pub opened: OpenTable,
    /// Who is on duty there.
    pub staff: Vec<u32>,
    /// What is brought to the float.
    pub float: Option<Amount>,
}

impl Template {
    /// Its id: what a table was closed with has one place for each table.
    #[must_use]
    pub fn id(&self) -> String {
        match self.closed {
            Some(table) => format!("closed-{:010}", table.0),
            None => format!("saved-{:015}", self.at),
        }
    }

    /// What keeps it.
    pub(crate) fn change(&self) -> Option<Change> {
        let value = serde_json::to_vec(self).ok()?;
        Some(Change::Put { register: REGISTER, key: self.id(), value })
    }
}

fn read(key: &str, value: &[u8]) -> Result<Template, StoreError> {
    serde_json::from_slice(value)
        .map_err(|error| StoreError::Database(format!("the register of templates, {key}: {error}")))
}

/// All of them, the newest first.
///
/// # Errors
/// When the journal cannot be read.
pub async fn all(floor: &Floor) -> Result<Vec<Template>, StoreError> {
    let entries = floor.shared.readers.read(|store| store.entries(REGISTER)).await?;
    let mut all: Vec<Template> =
        entries.into_iter().map(|(key, value)| read(&key, &value)).collect::<Result<_, _>>()?;
    all.sort_by_key(|template| core::cmp::Reverse(template.at));
    Ok(all)
}

/// One of them.
///
/// # Errors
/// When the journal cannot be read.
pub async fn one(floor: &Floor, id: &str) -> Result<Option<Template>, StoreError> {
    let key = id.to_string();
    let found = floor.shared.readers.read(move |store| store.entry(REGISTER, &key)).await?;
    found.map(|value| read(id, &value)).transpose()
}

/// Keeps one.
///
/// # Errors
/// When the journal fails.
pub async fn keep(floor: &Floor, template: &Template) -> Result<(), FloorError> {
    floor.keep(template.change().into_iter().collect()).await
}

/// Lets one go.
///
/// # Errors
/// When the journal fails.
pub async fn forget(floor: &Floor, id: String) -> Result<(), FloorError> {
    floor.keep(vec![Change::Delete { register: REGISTER, key: id }]).await
}
