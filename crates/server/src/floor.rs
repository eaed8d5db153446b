//! The floor: everything that one server runs, started from the journal and stopped in order.

mod follow;
mod registers;
mod restore;
mod start;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use croupier_journal::checkpoint::Log;
use croupier_journal::deed::{CageMove, OpenTable, WalletChange};
use croupier_journal::envelope::Envelope;
use croupier_journal::shelf::Volume;
use croupier_journal::writer::Committed;
use croupier_journal::{
    Author, By, Change, CommandId, Deed, Hash, Head, Location, Replayed, Row, Shelf, StoreError, Stream,
};
use croupier_ledger::{Account, Amount, Entry, Kind, PlayerId, TableId, Transfer, TransferId};
use croupier_table::SetupFault;

use crate::figures::live::Counted;
use crate::shared::Shared;
use crate::table::TableHandle;
use crate::table::actor::{self, Start};
use crate::table::dealer::Pace;
use crate::table::known::Known;
use crate::till::{Inside, NotPosted};

pub(crate) use follow::Standby;
pub use start::{StartError, Started};
pub(crate) use watch::CHECKPOINTS;

/// The register of rulebooks, each under the number of its line in the stream of the house: keys in order are
/// rulebooks in the order they were added.
pub(crate) const RULEBOOKS: &str = "rulebook";
/// The register that says whether a server runs, or was stopped before it could say so.
pub(crate) const RUNNING: &str = "running";

/// Where a floor keeps what it keeps.
#[derive(Clone, Debug)]
pub struct Place {
    /// The database.
    pub database: Location,
    /// The folder for checkpoints; nothing is kept without one.
    pub folder: Option<PathBuf>,
    /// The folder for keys, where there is one for the rest.
    pub keys: PathBuf,
    /// How fast automatic tables deal.
    pub pace: Pace,
    /// Registers that are not as the journal says are taken as they are, on record.
    pub accept_registers: bool,
}

/// A floor that runs.
#[derive(Debug)]
pub struct Floor {
    /// What all parts share.
    pub shared: Arc<Shared>,
    shelf: RwLock<Shelf>,
    tables: RwLock<BTreeMap<TableId, TableHandle>>,
    checkpoints: Mutex<Log>,
    /// When all that was durable was last known to be signed.
    signed: Mutex<Instant>,
    pace: Pace,
    /// One at a time at the counter: whether an id is new is asked before the line is written.
    counter: tokio::sync::Mutex<()>,
    /// One rulebook or table at a time: what may be added depends on what is there.
    adding: tokio::sync::Mutex<()>,
}

/// Why something was not done on the floor.
#[derive(Debug, thiserror::Error)]
pub enum FloorError {
    /// No rulebook has this game.
    #[error("there is no game `{0}`")]
    NoGame(String),
    /// The settings of a table do not fit.
    #[error("{}", words(.0))]
    Settings(Vec<SetupFault>),
    /// A floor has one currency, or its wallets would hold nobody knows what.
    #[error("this floor has its money in {floor}, and a table in {asked} cannot be opened on it")]
    OtherCurrency {
        /// That of its tables.
        floor: Currency,
        /// What was asked for.
        asked: Currency,
    },
    /// The wallet has less.
    #[error("the wallet holds {holds}, and {wants} are asked for")]
    WalletShort {
        /// What is in it.
        holds: i128,
        /// What was asked for.
        wants: Amount,
    },
    /// The id was used for something else.
    #[error("the id was used for something else, in line {0}")]
    OtherCommand(u64),
    /// The books do not take it.
    #[error("the books refuse it: {0}")]
    Books(NotPosted),
    /// The journal cannot be read, or nothing is written any more: nothing was done.
    #[error("{0}")]
    Journal(Arc<StoreError>),
    /// The commit failed, and may have left everything behind or nothing.
    #[error("it is not known whether this was carried out: {0}")]
    Unknown(Arc<StoreError>),
}

/// What money is counted in.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct Currency {
    /// The currency, such as `VND`.
    pub currency: String,
    /// Digits after the point when amounts are shown.
    pub decimals: u8,
}

impl core::fmt::Display for Currency {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} with {} decimals", self.currency, self.decimals)
    }
}

impl From<&OpenTable> for Currency {
    fn from(table: &OpenTable) -> Self {
        Self { currency: table.currency.clone(), decimals: table.decimals }
    }
}

fn words(faults: &[SetupFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// A commit that failed.
impl From<Arc<StoreError>> for FloorError {
    fn from(error: Arc<StoreError>) -> Self {
        if error.left_nothing() { Self::Journal(error) } else { Self::Unknown(error) }
    }
}

/// What could not be read.
impl From<StoreError> for FloorError {
    fn from(error: StoreError) -> Self {
        Self::Journal(Arc::new(error))
    }
}

/// Money over the counter of the cage.
#[derive(Clone, Debug)]
pub struct AtCage {
    /// The id of the command.
    pub id: CommandId,
    /// Who serves.
    pub by: Author,
    /// What is moved.
    pub moved: CageMove,
    /// Into the wallet, or out of it.
    pub comes_in: bool,
}

impl Floor {
    /// A table.
    #[must_use]
    pub fn table(&self, id: TableId) -> Option<TableHandle> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    /// All tables, in the order of their ids.
    #[must_use]
    pub fn tables(&self) -> Vec<TableHandle> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// The rulebooks.
    #[must_use]
    pub fn shelf(&self) -> Shelf {
        self.shelf.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The rulebook that a game is opened under now.
    #[must_use]
    pub fn volume(&self, game: &str) -> Option<Volume> {
        let shelf = self.shelf.read().unwrap_or_else(PoisonError::into_inner);
        shelf.find(game).map(|(volume, _)| volume.clone())
    }

    /// What is in a wallet.
    #[must_use]
    pub fn wallet(&self, player: PlayerId) -> i128 {
        self.shared.till.hold(|till| till.ledger.available(Account::Wallet(player)))
    }

    /// What the money of the floor is counted in: that of its first table. A floor without tables has none yet.
    pub fn currency(&self) -> Option<Currency> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.values().next().map(|table| Currency::from(&*table.opened))
    }

    /// How long ago all that was durable was last known to be signed.
    #[must_use]
    pub fn checkpoint_age(&self) -> Duration {
        self.signed.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Opens a table; its rulebook's hash is filled in here. The line is durable when this returns.
    ///
    /// # Errors
    /// When there is no such game, its settings or its currency do not fit, or the journal fails.
    pub async fn open_table(
        &self,
        by: impl Into<Author>,
        mut opened: OpenTable,
    ) -> Result<TableHandle, FloorError> {
        let by = by.into();
        let _turn = self.adding.lock().await;
        let game = opened.opening.game.clone();
        let volume = self.volume(&game).ok_or(FloorError::NoGame(game))?;
        croupier_table::Setup::new(&volume.rulebook, &opened.opening).map_err(FloorError::Settings)?;
        let asked = Currency::from(&opened);
        if let Some(floor) = self.currency().filter(|floor| *floor != asked) {
            return Err(FloorError::OtherCurrency { floor, asked });
        }
        opened.rulebook = volume.hash;
        let shelf = self.shelf();
        let deed = Deed::OpenTable(Box::new(opened.clone()));
        let mut first = None;
        let taken = self.shared.till.append(|till| {
            let id = till.next_table();
            let stream = Stream::Table(id);
            let envelope = Envelope::plain(CommandId::own(stream, 1), till.time(), by, &deed);
            let mut head = Head::START;
            let row = head.append(stream, &envelope);
            first = Some((id, head));
            (vec![row], Vec::new())
        });
        taken.await?;
        let unwritten = || StoreError::Database("the first line of the table was not written".to_owned());
        let (id, head) = first.ok_or_else(|| FloorError::Journal(Arc::new(unwritten())))?;
        let table = Replayed::open(id, &shelf, opened, head)
            .map_err(|what| FloorError::Journal(Arc::new(StoreError::Database(what))))?;
        let start = Start {
            table,
            in_play: None,
            known: Known::default(),
            last_snapshot: 0,
            pace: self.pace,
            rounds: Vec::new(),
            was_killed: false,
            follows: false,
        };
        let handle = actor::start(&self.shared, start);
        handle.live.complete(Counted::default());
        self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(id, handle.clone());
        Ok(handle)
    }

    /// Records something in the stream of the house, with changes to registers. Durable when it returns.
    ///
    /// # Errors
    /// When the journal fails.
    pub async fn record(
        &self,
        by: impl Into<Author>,
        mut deed: Deed,
        mut changes: Vec<Change>,
    ) -> Result<Committed, FloorError> {
        let by = by.into();
        registers::seal(&mut deed, &mut changes)?;
        let appended = self.shared.till.append(|till| {
            let envelope = plain(till, Stream::House, by, &deed);
            let row = till.line(Stream::House, &envelope);
            (vec![row], changes)
        });
        Ok(appended.await?)
    }

    /// Changes registers only: what is nobody's business but the server's, such as sessions.
    ///
    /// # Errors
    /// When the journal fails.
    pub async fn keep(&self, changes: Vec<Change>) -> Result<(), FloorError> {
        registers::need_no_line(&changes)?;
        self.shared.till.append(|_| (Vec::new(), changes)).await?;
        Ok(())
    }

    /// Adds a rulebook, which from now on is the one its games are opened under, also if it was there before. The
    /// software itself adds only what is new: at every start it brings the same texts again.
    ///
    /// # Errors
    /// All faults of the text; or the journal fails.
    pub async fn add_rulebook(&self, by: impl Into<Author>, text: &str) -> Result<Volume, AddRulebookError> {
        let by = by.into();
        let _turn = self.adding.lock().await;
        let mut shelf = self.shelf();
        let hash = Hash::of(text.as_bytes());
        let is_done = match by.by {
            By::System => shelf.volume(hash).is_some(),
            By::Player(_) | By::Staff(_) | By::Person(_) | By::Device | By::Surveillance | By::Display => {
                shelf.is_in_force(hash)
            }
        };
        if !is_done {
            shelf.add(text).map_err(AddRulebookError::Faults)?;
            let deed = Deed::Rulebook { hash, text: text.to_string() };
            let appended = self.shared.till.append(|till| {
                let envelope = plain(till, Stream::House, by, &deed);
                let row = till.line(Stream::House, &envelope);
                let change = rulebook_change(row.sequence, text);
                (vec![row], vec![change])
            });
            appended.await.map_err(|error| AddRulebookError::Floor(error.into()))?;
            *self.shelf.write().unwrap_or_else(PoisonError::into_inner) = shelf.clone();
        }
        let volume = shelf.volume(hash).cloned();
        volume.ok_or_else(|| AddRulebookError::Floor(FloorError::NoGame(hash.to_string())))
    }

    /// Moves money over the counter: the cage's stream and the player's, in one commit. The line of the cage.
    ///
    /// # Errors
    /// When the wallet is short, the id was used for something else, or the journal fails.
    pub async fn at_cage(&self, asked: AtCage) -> Result<u64, FloorError> {
        let AtCage { id, by, moved, comes_in } = asked;
        let deed = if comes_in { Deed::Deposit(moved.clone()) } else { Deed::Withdraw(moved.clone()) };
        let _turn = self.counter.lock().await;
        // Retries are rare here, and so is the cage: the store is asked each time.
        let asked = id.clone();
        let found = self.shared.readers.read(move |store| store.find(Stream::Cage, &asked)).await?;
        if let Some(row) = found {
            return match row.record() {
                Ok(record) if record.deed == deed && record.by == by.by => Ok(row.sequence),
                Ok(_) | Err(_) => Err(FloorError::OtherCommand(row.sequence)),
            };
        }
        let mut written = Err(FloorError::OtherCommand(0));
        let appended =
            self.shared.till.append(|till| match cage_lines(till, id, by, &deed, &moved, comes_in) {
                Ok((sequence, rows)) => {
                    written = Ok(sequence);
                    (rows, Vec::new())
                }
                Err(error) => {
                    written = Err(error);
                    (Vec::new(), Vec::new())
                }
            });
        appended.await?;
        written
    }

    /// Stops: every table finishes what is in hand, snapshots and a checkpoint are stored, and the house says so.
    ///
    /// # Errors
    /// When the journal fails.
    pub async fn stop(&self) -> Result<(), FloorError> {
        for table in self.tables() {
            table.stop().await;
        }
        if self.shared.till.follows() {
            return Ok(());
        }
        self.note_denials(true).await;
        let stopped = self.shared.till.append(|till| {
            let envelope = plain(till, Stream::House, By::System.into(), &Deed::Stop);
            let row = till.line(Stream::House, &envelope);
            (vec![row], vec![Change::Delete { register: RUNNING, key: "server".to_string() }])
        });
        stopped.await?;
        let snapshot = self.shared.books.snapshot().await?;
        self.keep(snapshot.into_iter().collect()).await?;
        self.checkpoint(None).await
    }
}

/// Why a rulebook was not added.
#[derive(Debug, thiserror::Error)]
pub enum AddRulebookError {
    /// It has faults.
    #[error(transparent)]
    Faults(croupier_rules::Faults),
    /// Something else went wrong.
    #[error(transparent)]
    Floor(FloorError),
}

/// Keeps a rulebook under the number of its line in the stream of the house.
fn rulebook_change(sequence: u64, text: &str) -> Change {
    Change::Put { register: RULEBOOKS, key: format!("{sequence:020}"), value: text.as_bytes().to_vec() }
}

/// An envelope of the software's own making.
fn plain<'a>(till: &mut Inside, stream: Stream, author: Author, deed: &'a Deed) -> Envelope<'a> {
    let id = CommandId::own(stream, till.next(stream));
    Envelope::plain(id, till.time(), author, deed)
}

fn cage_lines(
    till: &mut Inside,
    id: CommandId,
    by: Author,
    deed: &Deed,
    moved: &CageMove,
    comes_in: bool,
) -> Result<(u64, Vec<Row>), FloorError> {
    let CageMove { player, amount, .. } = *moved;
    let wallet = Account::Wallet(player);
    let holds = till.ledger.available(wallet);
    if !comes_in && holds < i128::from(amount.minor()) {
        return Err(FloorError::WalletShort { holds, wants: amount });
    }
    let (from, to, kind) = match comes_in {
        true => (Account::Cage, wallet, Kind::Deposit),
        false => (wallet, Account::Cage, Kind::Withdrawal),
    };
    let transfer = Transfer { id: till.next_transfer, from, to, amount, kind };
    let postings = [Entry::Direct(transfer)];
    let line = (Stream::Cage, till.next(Stream::Cage));
    till.post(line, &postings, TransferId(transfer.id.0 + 1), None).map_err(FloorError::Books)?;
    let envelope = Envelope { id, postings: &postings, ..plain(till, Stream::Cage, by, deed) };
    let row = till.line(Stream::Cage, &envelope);
    let change = if comes_in { amount.minor() } else { -amount.minor() };
    let seen = Deed::Wallet(WalletChange { stream: Stream::Cage, sequence: row.sequence, change });
    let stream = Stream::Player(player);
    let envelope = plain(till, stream, by, &seen);
    let mirror = till.line(stream, &envelope);
    Ok((row.sequence, vec![row, mirror]))
}
