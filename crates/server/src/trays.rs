//! The chips of tables: counts by two people, fills and credits by slips, as `croupier_table::tray` decides them.
//!
//! Each order is a line in the stream of the house. What it moves is a command to the table, carried out before that line
//! under an id that the paper's number fixes: after a crash between the two, the order is given again and the table
//! answers as it did the first time.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use croupier_journal::deed::TrayLine;
use croupier_journal::envelope::Envelope;
use croupier_journal::store::Order;
use croupier_journal::{Author, By, Change, CommandId, Deed, Store, StoreError, Stream, Via};
use croupier_ledger::TableId;
use croupier_rules::Amount;
use croupier_table::tray::{
    self, Chips, CountOf, Paper, SlipKind, Tray, TrayCommand, TrayOrder, TrayRefusal,
};
use croupier_table::{Action, Actor, PersonId};

use crate::floor::{Floor, FloorError};
use crate::table::{Refused, Said, TableHandle};
use crate::templates::Template;

/// The register of trays, by table.
pub(crate) const REGISTER: &str = "tray";
/// The register of papers, by table and number.
const PAPERS: &str = "tray-paper";
/// Ids of commands to tables that papers lead to begin so.
const PREFIX: &str = "paper-";

/// Whether only a paper may give a command this id.
#[must_use]
pub fn is_reserved(id: &CommandId) -> bool {
    id.as_str().starts_with(PREFIX)
}

/// The trays of all tables.
#[derive(Clone, Debug, Default)]
pub struct Trays {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// Held from the decision until the line is durable.
    gate: tokio::sync::Mutex<()>,
    trays: RwLock<BTreeMap<TableId, Arc<Tray>>>,
}

/// Why an order was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum TrayError {
    /// The tray refuses it.
    #[error("{0}")]
    Refused(TrayRefusal),
    /// The table refuses what follows from it.
    #[error("{0}")]
    Table(Refused),
    /// Anything that can go wrong on the floor.
    #[error(transparent)]
    Floor(#[from] FloorError),
}

/// What somebody wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// An order as it is.
    Order(TrayOrder),
    /// A first count; what the books say is added.
    Begin(CountOf, Chips),
    /// The count after it.
    Seal(u32, Chips),
    /// Chips are handed over: the table moves them.
    Deliver(u32, PersonId),
    /// A count stands: the table does what follows from it.
    Sign(u32),
}

/// An order to a tray.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its id.
    pub id: CommandId,
    /// Who gives it.
    pub by: Actor,
    /// By which session or token.
    pub via: Option<Via>,
    /// What.
    pub wanted: Wanted,
}

impl Trays {
    /// The trays as the journal has them. It blocks while it reads.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn load(floor: &Floor) -> Result<Self, StoreError> {
        let trays = floor.shared.readers.read_here(|store| {
            let read = |(key, value): (String, Vec<u8>)| {
                let tray = tray_of(&key, &value)?;
                Ok((tray.table, Arc::new(tray)))
            };
            store.entries(REGISTER)?.into_iter().map(read).collect::<Result<BTreeMap<_, _>, StoreError>>()
        })?;
        Ok(Self { inner: Arc::new(Inner { gate: tokio::sync::Mutex::default(), trays: RwLock::new(trays) }) })
    }

    /// Takes a tray as another node has written it.
    pub(crate) fn take(&self, key: &str, value: &[u8]) -> Result<(), StoreError> {
        let tray = tray_of(key, value)?;
        let mut trays = self.inner.trays.write().unwrap_or_else(PoisonError::into_inner);
        trays.insert(tray.table, Arc::new(tray));
        Ok(())
    }

    /// The tray of a table.
    #[must_use]
    pub fn tray(&self, table: TableId) -> Arc<Tray> {
        self.inner.tray(table)
    }

    /// The last papers of a table, the newest first.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub async fn papers(floor: &Floor, table: TableId, most: usize) -> Result<Vec<Paper>, StoreError> {
        let keys = format!("{:010}/", table.0)..format!("{:010}0", table.0);
        let read = floor.shared.readers.read(move |store| {
            store.range(PAPERS, keys.start.as_str()..keys.end.as_str(), Order::Falling, most)
        });
        read.await?.into_iter().map(|(key, value)| paper(&key, &value)).collect()
    }

    /// A paper of a table.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub async fn paper(floor: &Floor, table: TableId, number: u32) -> Result<Option<Paper>, StoreError> {
        let key = paper_key(table, number);
        let asked = key.clone();
        let found = floor.shared.readers.read(move |store| store.entry(PAPERS, &asked)).await?;
        found.map(|value| paper(&key, &value)).transpose()
    }

    /// Carries an order out, to its end even if nobody waits for it any more. The paper as it is then, durable.
    ///
    /// # Errors
    /// [`TrayError`].
    pub async fn order(
        &self,
        floor: &Arc<Floor>,
        table: &TableHandle,
        asked: Asked,
    ) -> Result<Paper, TrayError> {
        let (inner, floor, table) = (Arc::clone(&self.inner), Arc::clone(floor), table.clone());
        match tokio::spawn(async move { inner.order(&floor, &table, asked).await }).await {
            Ok(done) => done,
            Err(error) => Err(FloorError::from(StoreError::Database(error.to_string())).into()),
        }
    }
}

impl Inner {
    fn tray(&self, table: TableId) -> Arc<Tray> {
        let trays = self.trays.read().unwrap_or_else(PoisonError::into_inner);
        trays.get(&table).cloned().unwrap_or_else(|| Arc::new(Tray::new(table)))
    }

    async fn order(&self, floor: &Floor, table: &TableHandle, asked: Asked) -> Result<Paper, TrayError> {
        let _one_at_a_time = self.gate.lock().await;
        let wanted = asked.id.clone();
        let found = floor.shared.readers.read(move |store| store.find(Stream::House, &wanted)).await;
        if let Some(row) = found.map_err(FloorError::from)? {
            let number = match row.record() {
                Ok(record) if record.by == By::from(asked.by) => match record.deed {
                    Deed::Tray(told) if told.table == table.id => Some(told.number),
                    _ => None,
                },
                Ok(_) | Err(_) => None,
            };
            let other = || TrayError::from(FloorError::OtherCommand(row.sequence));
            let number = number.ok_or_else(other)?;
            let paper = Trays::paper(floor, table.id, number).await.map_err(FloorError::from)?;
            return paper.ok_or_else(other);
        }
        let Asked { id, by, via, wanted } = asked;
        let tray = self.tray(table.id);
        let order = meant(floor, table, &tray, by, via, wanted).await?;
        self.write(floor, table, &tray, id, Author { by: by.into(), via }, (by, order)).await
    }

    async fn write(
        &self,
        floor: &Floor,
        table: &TableHandle,
        tray: &Tray,
        id: CommandId,
        author: Author,
        (by, order): (Actor, TrayOrder),
    ) -> Result<Paper, TrayError> {
        let close = closed_with(table, tray, &order);
        let mut decided = Err(TrayRefusal::NotStaff);
        let appended = floor.shared.till.append(|till| {
            let at = till.time();
            let command = TrayCommand { by, at: at / 1_000, order };
            let setup = &table.setup;
            if let Err(refusal) = tray::decide(setup.authority(), setup.terms.chip, tray, &command) {
                decided = Err(refusal);
                return (Vec::new(), Vec::new());
            }
            let mut changed = tray.clone();
            let paper = tray::apply(&mut changed, &command);
            let told = TrayLine { table: table.id, number: paper.number(), order: command.order };
            let deed = Deed::Tray(Box::new(told));
            let row = till.line(Stream::House, &Envelope::plain(id, at, author, &deed));
            let mut changes = changes(&changed, &paper);
            changes.extend(close.and_then(|close| Template { at, ..close }.change()));
            decided = Ok((changed, paper));
            (vec![row], changes)
        });
        appended.await.map_err(FloorError::from)?;
        let (changed, paper) = decided.map_err(TrayError::Refused)?;
        let mut trays = self.trays.write().unwrap_or_else(PoisonError::into_inner);
        trays.insert(table.id, Arc::new(changed));
        drop(trays);
        Ok(paper)
    }
}

/// What is wanted as an order, once the table has done what belongs to it.
async fn meant(
    floor: &Floor,
    table: &TableHandle,
    tray: &Tray,
    by: Actor,
    via: Option<Via>,
    wanted: Wanted,
) -> Result<TrayOrder, TrayError> {
    let stands = |order: TrayOrder| {
        // Nothing is moved for an order that would be refused; the time makes no difference to it.
        let command = TrayCommand { by, at: 0, order };
        tray::decide(table.setup.authority(), table.setup.terms.chip, tray, &command)
            .map_err(TrayError::Refused)
    };
    match wanted {
        Wanted::Order(order) => Ok(order),
        Wanted::Begin(of, chips) => Ok(TrayOrder::BeginCount { of, books: books(table, of).await, chips }),
        Wanted::Seal(number, chips) => {
            let of = tray.count(number).map(|count| count.of);
            let of = of.ok_or(TrayError::Refused(TrayRefusal::NoPaper { number }))?;
            Ok(TrayOrder::SealCount { number, books: books(table, of).await, chips })
        }
        Wanted::Deliver(number, witness) => {
            stands(TrayOrder::DeliverSlip { number, witness, line: 0 })?;
            let Some(slip) = tray.slip(number) else {
                return Err(TrayError::Refused(TrayRefusal::NoPaper { number }));
            };
            let amount = slip.chips.total();
            let action = match slip.kind {
                SlipKind::Fill => Action::Fill { amount, witness },
                SlipKind::Credit => Action::Credit { amount, witness },
            };
            let line = carry_out(table, number, by, via, action).await?;
            Ok(TrayOrder::DeliverSlip { number, witness, line })
        }
        Wanted::Sign(number) => {
            stands(TrayOrder::SignCount { number, line: None })?;
            let Some(count) = tray.count(number) else {
                return Err(TrayError::Refused(TrayRefusal::NoPaper { number }));
            };
            // Of the two who counted, one is somebody else than who signs.
            let own = match by {
                Actor::Staff(staff) => Some(staff.person),
                Actor::Player(_) | Actor::Device | Actor::System | Actor::Surveillance | Actor::Display => {
                    None
                }
            };
            let witness = count.counters().into_iter().flatten().find(|person| Some(*person) != own);
            let witness = witness.ok_or(TrayError::Refused(TrayRefusal::NotAgreed))?;
            let action = match count.of {
                CountOf::Float => None,
                CountOf::Closing => Some(Action::CloseTable { counted: count.agreed.total(), witness }),
                CountOf::Drop => Some(Action::CountDrop { witness }),
            };
            let line = match action {
                None => None,
                Some(_)
                    if !was_carried_out(floor, table, number).await?
                        && books(table, count.of).await != count.books =>
                {
                    return Err(TrayError::Refused(TrayRefusal::BooksMoved));
                }
                Some(action) => Some(carry_out(table, number, by, via, action).await?),
            };
            Ok(TrayOrder::SignCount { number, line })
        }
    }
}

/// Whether what a paper leads to was done before a crash.
async fn was_carried_out(floor: &Floor, table: &TableHandle, number: u32) -> Result<bool, TrayError> {
    let Ok(id) = CommandId::new(&format!("{PREFIX}{number}")) else { return Ok(false) };
    let stream = Stream::Table(table.id);
    let found = floor.shared.readers.read(move |store| store.find(stream, &id)).await;
    Ok(found.map_err(FloorError::from)?.is_some())
}

/// What a paper leads to at the table: once, whoever asks again. The line of it.
async fn carry_out(
    table: &TableHandle,
    number: u32,
    by: Actor,
    via: Option<Via>,
    action: Action,
) -> Result<u64, TrayError> {
    let id = CommandId::new(&format!("{PREFIX}{number}")).ok();
    let said = Said { answers: None, via };
    match table.carry_out(id, by, action, said).await {
        Ok(receipt) => Ok(receipt.sequence),
        // It was done under this number, by somebody else or with another witness, before a crash.
        Err(Refused::OtherCommand { sequence }) => Ok(sequence),
        Err(refused) => Err(TrayError::Table(refused)),
    }
}

/// What a table is closed with, to be opened so again.
fn closed_with(table: &TableHandle, tray: &Tray, order: &TrayOrder) -> Option<Template> {
    let TrayOrder::SignCount { number, .. } = order else { return None };
    let count = tray.count(*number).filter(|count| count.of == CountOf::Closing)?;
    let shown = table.shown();
    Some(Template {
        name: table.opened.name.clone(),
        closed: Some(table.id),
        at: 0,
        opened: (*table.opened).clone(),
        staff: shown.views.dealer().desk.staff.iter().map(|staff| staff.person.0).collect(),
        float: Some(count.agreed.total()).filter(|float| float.is_positive()),
    })
}

/// What the books say of what is counted.
async fn books(table: &TableHandle, of: CountOf) -> Amount {
    let shown = table.current().await;
    match of {
        CountOf::Float | CountOf::Closing => shown.views.dealer().desk.float,
        CountOf::Drop => shown.views.pit().pit.drop,
    }
}

/// What the last count of a table found beyond its books.
pub(crate) fn difference(store: &mut dyn Store, table: TableId) -> Result<i64, StoreError> {
    let key = format!("{:010}", table.0);
    let found = store.entry(REGISTER, &key)?;
    found.map_or(Ok(0), |value| tray_of(&key, &value).map(|tray| tray.difference))
}

fn tray_of(key: &str, value: &[u8]) -> Result<Tray, StoreError> {
    serde_json::from_slice(value)
        .map_err(|error| StoreError::Database(format!("the register of trays, {key}: {error}")))
}

fn paper_key(table: TableId, number: u32) -> String {
    format!("{:010}/{number:010}", table.0)
}

fn paper(key: &str, value: &[u8]) -> Result<Paper, StoreError> {
    serde_json::from_slice(value).map_err(|error| StoreError::Database(format!("paper {key}: {error}")))
}

/// What keeps a tray and one of its papers.
fn changes(tray: &Tray, paper: &Paper) -> Vec<Change> {
    let put = |register, key: String, value: Result<Vec<u8>, serde_json::Error>| {
        value.ok().map(|value| Change::Put { register, key, value })
    };
    let tray_key = format!("{:010}", tray.table.0);
    let paper_key = paper_key(tray.table, paper.number());
    put(REGISTER, tray_key, serde_json::to_vec(tray))
        .into_iter()
        .chain(put(PAPERS, paper_key, serde_json::to_vec(paper)))
        .collect()
}
