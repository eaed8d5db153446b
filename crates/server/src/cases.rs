//! Disputes on the floor: the cases as they stand, and the one way to change them.
//!
//! A case is a stream of its own. What is done with it is decided by `croupier_table::case`; here it is put into
//! order with everything else, posted, written, and shown once it is durable. Commands to cases are rare, so they
//! are carried out one after the other, each to its end even if whoever asked has gone away: a retry always finds
//! what became of the first try.

mod write;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use croupier_journal::store::Flow;
use croupier_journal::{By, CommandId, Deed, Select, Store, StoreError, Stream, Via};
use croupier_ledger::{CaseId, PlayerId, TableId};
use croupier_table::Actor;
use croupier_table::case::{self, Case, CaseEvent, CaseOrder, CaseRefusal, CaseState, Subject};
use serde::Serialize;

use crate::floor::{Floor, FloorError};
use crate::table::{Receipt, TableHandle};

/// The most cases of one player at one table that may be open.
pub const OPEN_AT_ONCE: usize = 5;

/// The register of cases.
pub const REGISTER: &str = "case";

/// All cases of the floor.
#[derive(Clone, Debug)]
pub struct Cases {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// Held from the decision until the line is durable.
    gate: tokio::sync::Mutex<()>,
    cases: RwLock<BTreeMap<CaseId, Arc<Case>>>,
    /// Which case a command opened.
    opened: RwLock<HashMap<CommandId, CaseId>>,
}

/// Why something was not done with a case.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// There is no such case.
    #[error("there is no case {0}")]
    NoCase(CaseId),
    /// The case refuses it.
    #[error("{0}")]
    Refused(CaseRefusal),
    /// The player has enough cases there.
    #[error(
        "player {player} has {OPEN_AT_ONCE} open cases at table {table}; one of them must be closed before another \
         is raised"
    )]
    TooMany {
        /// Whose.
        player: PlayerId,
        /// Where.
        table: TableId,
    },
    /// Corrections go over the counter of the cage.
    #[error(
        "the chips at a table are what happened there, and a case changes nothing at a table, so corrections go \
         through the cage: write `\"through\": \"cage\"`"
    )]
    ThroughTable,
    /// The books do not take the corrections.
    #[error("the corrections cannot be posted: {0}")]
    Books(crate::till::NotPosted),
    /// Anything that can go wrong on the floor.
    #[error(transparent)]
    Floor(#[from] FloorError),
}

/// A command to a case.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its id.
    pub id: CommandId,
    /// Who gives it.
    pub by: Actor,
    /// By which session or token.
    pub via: Option<Via>,
    /// What is asked.
    pub order: CaseOrder,
}

/// A new case.
#[derive(Clone, Debug)]
pub struct Raised {
    /// The id of the command.
    pub id: CommandId,
    /// Who raises it.
    pub by: Actor,
    /// By which session or token.
    pub via: Option<Via>,
    /// What it is about.
    pub about: Subject,
}

/// Something that was done with a case, for its timeline.
#[derive(Clone, PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct CaseStep {
    /// Its line in the stream of the case.
    pub sequence: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What happened.
    pub events: Vec<CaseEvent>,
}

impl Cases {
    /// The cases as the journal has them. It blocks while it reads.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn load(floor: &Floor) -> Result<Self, StoreError> {
        let inner = Inner::default();
        floor.shared.readers.read_here(|store| {
            let mut cases = BTreeMap::new();
            let mut opened = HashMap::new();
            for (key, value) in store.entries(REGISTER)? {
                let case: Case = serde_json::from_slice(&value).map_err(|error| {
                    StoreError::Database(format!("the register of cases, {key}: {error}"))
                })?;
                store.rows(Select::Stream(Stream::Case(case.id), 1), &mut |_, row| {
                    opened.insert(row.id, case.id);
                    Flow::Break(())
                })?;
                cases.insert(case.id, Arc::new(case));
            }
            *inner.cases.write().unwrap_or_else(PoisonError::into_inner) = cases;
            *inner.opened.write().unwrap_or_else(PoisonError::into_inner) = opened;
            Ok(())
        })?;
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Takes a case as another node has written it.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(crate) fn take(&self, store: &mut dyn Store, key: &str, value: &[u8]) -> Result<(), StoreError> {
        let case: Case = serde_json::from_slice(value)
            .map_err(|error| StoreError::Database(format!("the register of cases, {key}: {error}")))?;
        if self.inner.case(case.id).is_none() {
            let mut opened = self.inner.opened.write().unwrap_or_else(PoisonError::into_inner);
            store.rows(Select::Stream(Stream::Case(case.id), 1), &mut |_, row| {
                opened.insert(row.id, case.id);
                Flow::Break(())
            })?;
        }
        let mut cases = self.inner.cases.write().unwrap_or_else(PoisonError::into_inner);
        cases.insert(case.id, Arc::new(case));
        Ok(())
    }

    /// A case as it stands.
    #[must_use]
    pub fn case(&self, id: CaseId) -> Option<Arc<Case>> {
        self.inner.case(id)
    }

    /// All cases, the newest first.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<Case>> {
        let cases = self.inner.cases.read().unwrap_or_else(PoisonError::into_inner);
        cases.values().rev().cloned().collect()
    }

    /// Opens a case at a table. The line is durable when this returns.
    ///
    /// # Errors
    /// [`CaseError`]; nothing was done then.
    pub async fn open(
        &self,
        floor: &Arc<Floor>,
        table: &TableHandle,
        raised: Raised,
    ) -> Result<Arc<Case>, CaseError> {
        let (inner, floor, table) = (Arc::clone(&self.inner), Arc::clone(floor), table.clone());
        to_its_end(async move { inner.open(&floor, &table, raised).await }).await
    }

    /// Carries a command to a case out. The line is durable when this returns.
    ///
    /// # Errors
    /// [`CaseError`]; nothing was done then.
    pub async fn command(
        &self,
        floor: &Arc<Floor>,
        table: &TableHandle,
        case: CaseId,
        asked: Asked,
    ) -> Result<Receipt, CaseError> {
        let (inner, floor, table) = (Arc::clone(&self.inner), Arc::clone(floor), table.clone());
        to_its_end(async move { inner.command(&floor, &table, case, asked).await }).await
    }

    /// Everything that was done with a case, in order.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub async fn timeline(floor: &Floor, id: CaseId) -> Result<Vec<CaseStep>, StoreError> {
        let read = floor.shared.readers.read(move |store| {
            let mut rows = Vec::new();
            store.rows(Select::Stream(Stream::Case(id), 1), &mut |_, row| {
                rows.push(row);
                Flow::Continue(())
            })?;
            Ok(rows)
        });
        let damaged = |error: serde_json::Error| StoreError::Database(format!("case/{id}: {error}"));
        let step = |row: croupier_journal::Row| {
            let at = row.record().map_err(damaged)?.at;
            Ok(CaseStep { sequence: row.sequence, at, events: row.case_events().map_err(damaged)? })
        };
        read.await?.into_iter().map(step).collect()
    }
}

/// Runs to the end even if nobody waits for it any more.
async fn to_its_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, CaseError>> + Send + 'static,
) -> Result<T, CaseError> {
    match tokio::spawn(work).await {
        Ok(done) => done,
        Err(error) => Err(FloorError::from(StoreError::Database(error.to_string())).into()),
    }
}

impl Inner {
    fn case(&self, id: CaseId) -> Option<Arc<Case>> {
        self.cases.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    async fn open(&self, floor: &Floor, table: &TableHandle, raised: Raised) -> Result<Arc<Case>, CaseError> {
        let _one_at_a_time = self.gate.lock().await;
        let known = self.opened.read().unwrap_or_else(PoisonError::into_inner).get(&raised.id).copied();
        if let Some(known) = known {
            return match self.case(known) {
                Some(case) if case.about == raised.about && case.raised_by == raised.by => Ok(case),
                Some(_) | None => Err(FloorError::OtherCommand(1).into()),
            };
        }
        let Subject { player, table: at, .. } = raised.about;
        let last = {
            let cases = self.cases.read().unwrap_or_else(PoisonError::into_inner);
            let is_open = |case: &&Arc<Case>| {
                case.about.player == player && case.about.table == at && case.state != CaseState::Closed
            };
            if cases.values().filter(is_open).count() >= OPEN_AT_ONCE {
                return Err(CaseError::TooMany { player, table: at });
            }
            cases.keys().next_back().map_or(0, |id| id.0)
        };
        let Raised { id, by, via, about } = raised;
        let authority = table.setup.authority();
        let opened = |at: u64| {
            let opening = case::Opening { case: CaseId(last + 1), at: at / 1_000, by, about: about.clone() };
            let events = case::open(authority, &opening).map_err(CaseError::Refused)?;
            let case = case::replay(&events).ok_or(CaseError::NoCase(opening.case))?;
            let (by, deed) = (By::from(by), Deed::OpenCase(Box::new(opening)));
            Ok(write::Opened { id: id.clone(), by, via, deed, case, events })
        };
        let case = write::append(floor, opened).await?;
        let case = Arc::new(case);
        self.cases.write().unwrap_or_else(PoisonError::into_inner).insert(case.id, Arc::clone(&case));
        self.opened.write().unwrap_or_else(PoisonError::into_inner).insert(id, case.id);
        Ok(case)
    }

    async fn command(
        &self,
        floor: &Floor,
        table: &TableHandle,
        id: CaseId,
        asked: Asked,
    ) -> Result<Receipt, CaseError> {
        let _one_at_a_time = self.gate.lock().await;
        let case = self.case(id).ok_or(CaseError::NoCase(id))?;
        let wanted = asked.id.clone();
        let found = floor.shared.readers.read(move |store| store.find(Stream::Case(id), &wanted)).await;
        if let Some(row) = found.map_err(FloorError::from)? {
            return write::repeated(&row, &asked);
        }
        let (receipt, changed) = write::carry_out(floor, table, &case, asked).await?;
        self.cases.write().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::new(changed));
        Ok(receipt)
    }
}
