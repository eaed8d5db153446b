//! A table on the floor: one task that owns it, and what the rest of the server knows of it.
//!
//! The task decides commands as they come, hands the lines to the till and answers when they are durable. It has
//! the state twice: as decided, which may be ahead of the disk, and as shown, which never is. Nobody hears of
//! anything that a crash could take back.

pub mod actor;
pub mod dealer;
pub(crate) mod known;
pub mod publish;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use croupier_cards::Proof;
use croupier_journal::deed::OpenTable;
use croupier_journal::{CommandId, Kind, Row, SecretShoe, StoreError, Via};
use croupier_ledger::{Amount, PlayerId, TableId};
use croupier_table::preview::Open;
use croupier_table::{Action, Actor, Command, Consequences, Moment, Over, Refusal, Setup};
use tokio::sync::{mpsc, oneshot, watch};

pub use publish::{Audience, Published};

use crate::figures::Live;
use crate::till::NotPosted;

/// A command for a table.
pub struct Asked {
    /// Its id; the software's own commands have none.
    pub id: Option<CommandId>,
    /// Who gives it.
    pub actor: Actor,
    /// What.
    pub action: Action,
    /// What else is said with it.
    pub said: Said,
    /// Called once: when it is durable, or refused.
    pub reply: Reply,
}

/// What is said with a command beside who and what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Said {
    /// The moment that it answers.
    pub answers: Option<Moment>,
    /// The session or token by which whoever gives it is known; the software has none.
    pub via: Option<Via>,
}

/// What takes the answer to a command. It is told once, whatever happens: dropped untold, it says that nobody knows
/// what became of the command.
pub struct Reply(Option<Tell>);

/// Takes an answer; it must not wait for anything.
type Tell = Box<dyn FnOnce(Result<Receipt, Refused>) + Send>;

impl Reply {
    /// Tells somebody.
    pub fn new(tell: impl FnOnce(Result<Receipt, Refused>) + Send + 'static) -> Self {
        Self(Some(Box::new(tell)))
    }

    /// For commands whose answer nobody waits for.
    #[must_use]
    pub const fn nobody() -> Self {
        Self(None)
    }

    /// Tells the answer.
    pub fn tell(mut self, answer: Result<Receipt, Refused>) {
        if let Some(tell) = self.0.take() {
            tell(answer);
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if let Some(tell) = self.0.take() {
            tell(Err(Refused::Unknown));
        }
    }
}

impl core::fmt::Debug for Reply {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Reply")
    }
}

/// That a command was carried out and is durable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
pub struct Receipt {
    /// Its line in the stream of the table.
    pub sequence: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// Why a command was not carried out.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Refused {
    /// By the table.
    #[error("{0}")]
    Table(Refusal),
    /// What it answers is over.
    #[error("{0}; nothing was done")]
    Over(Over),
    /// The wallet has less than the chips cost.
    #[error("the wallet holds {holds}, and {wants} are asked for")]
    WalletShort {
        /// Whose.
        player: PlayerId,
        /// What is in it.
        holds: i128,
        /// What was asked for.
        wants: Amount,
    },
    /// The id was used for another command.
    #[error("the id was used for another command, in line {sequence}")]
    OtherCommand {
        /// Where that one is.
        sequence: u64,
    },
    /// The cards of this table come from its own shoe.
    #[error("{0}")]
    Cards(&'static str),
    /// Whoever acts for a player may not.
    #[error("{0}")]
    Behalf(Behalf),
    /// The books do not take it. This is a fault of ours.
    #[error("the books refuse it: {0}")]
    Books(NotPosted),
    /// Nothing is written any more, and this was not: the server is about to stop.
    #[error("the journal cannot be written: {0}")]
    Journal(Arc<StoreError>),
    /// It may have been carried out or not: the commit failed, or the server stopped, before anybody could tell.
    #[error("it is not known whether this was carried out")]
    Unknown,
    /// The server is stopping.
    #[error("the server is stopping")]
    Stopping,
    /// Another node leads.
    #[error("another node leads")]
    Follows,
}

/// Why somebody may not act for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Behalf {
    /// Staff who are not at the table.
    #[error("whoever acts for a player is signed on at this table; sign on first")]
    NotSignedOn,
    /// What only the player does.
    #[error(
        "only the player moves the wallet and gives tips: in a session of their own, or at this console with their \
         PIN (`given_by`)"
    )]
    PlayersOwn,
}

impl Behalf {
    /// The code for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotSignedOn => "not-signed-on",
            Self::PlayersOwn => "players-own",
        }
    }
}

impl Refused {
    /// That a commit failed.
    fn not_written(why: &Arc<StoreError>) -> Self {
        if why.left_nothing() { Self::Journal(Arc::clone(why)) } else { Self::Unknown }
    }
}

/// What a command would lead to, or why that is not told; nothing of either where none was asked about.
pub(crate) struct Previewed {
    pub(crate) told: Option<Result<Consequences, Refusal>>,
    pub(crate) open: Open,
}

enum Message {
    Command(Asked),
    /// A command whose id was looked up and is new.
    Checked(Asked),
    /// Finish what is in hand, store a snapshot and end.
    Stop(oneshot::Sender<()>),
    /// Lines of its stream that another node has written, in order.
    Follow(Vec<Row>),
    /// This node leads from now on.
    Lead(Leading, oneshot::Sender<()>),
    /// What a command would lead to as the table is shown, and what is open there; without one, what is open now.
    Preview(Option<Box<Command>>, oneshot::Sender<Previewed>),
    /// Proofs of cards of the shoe in play, by their places in the order committed to.
    Prove(u32, Vec<usize>, oneshot::Sender<Vec<Proof>>),
}

/// What a table is to go on with when this node leads.
struct Leading {
    /// The shoes that are kept of it.
    shoes: Vec<(u32, SecretShoe)>,
    /// Nobody was there for a while.
    was_killed: bool,
}

/// A table, for the rest of the server.
#[derive(Clone, Debug)]
pub struct TableHandle {
    /// Which.
    pub id: TableId,
    /// What it was opened with.
    pub opened: Arc<OpenTable>,
    /// Its settings.
    pub setup: Arc<Setup>,
    sender: mpsc::Sender<Message>,
    published: watch::Receiver<Arc<Published>>,
    durable: Arc<AtomicU64>,
    open_from: Arc<AtomicU64>,
    followed_to: Arc<AtomicU64>,
    /// What it comes to while it plays.
    pub live: Arc<Live>,
}

impl core::fmt::Debug for Message {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Command(_) => "Command",
            Self::Checked(_) => "Checked",
            Self::Stop(_) => "Stop",
            Self::Follow(_) => "Follow",
            Self::Lead(..) => "Lead",
            Self::Preview(..) => "Preview",
            Self::Prove(..) => "Prove",
        })
    }
}

impl TableHandle {
    /// Gives a command; the answer goes to its `reply`. Waits while the table has too much to do.
    pub async fn give(&self, asked: Asked) {
        if let Err(mpsc::error::SendError(Message::Command(asked))) =
            self.sender.send(Message::Command(asked)).await
        {
            asked.reply.tell(Err(Refused::Stopping));
        }
    }

    /// Gives a command that holds at any moment, and waits for the answer.
    ///
    /// # Errors
    /// Why it was refused.
    pub async fn command(
        &self,
        id: Option<CommandId>,
        actor: Actor,
        action: Action,
    ) -> Result<Receipt, Refused> {
        self.carry_out(id, actor, action, Said::default()).await
    }

    /// Gives a command with all that is said of it, and waits for the answer.
    ///
    /// # Errors
    /// Why it was refused; [`Refused::Over`] if the moment that it answers is over.
    pub async fn carry_out(
        &self,
        id: Option<CommandId>,
        actor: Actor,
        action: Action,
        said: Said,
    ) -> Result<Receipt, Refused> {
        let (sender, answer) = oneshot::channel();
        let reply = Reply::new(move |result| {
            // Whoever asked may have gone away.
            let _ = sender.send(result);
        });
        self.give(Asked { id, actor, action, said, reply }).await;
        answer.await.unwrap_or(Err(Refused::Unknown))
    }

    /// How many commands wait to be looked at.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.sender.max_capacity() - self.sender.capacity()
    }

    /// What is shown now.
    #[must_use]
    pub fn shown(&self) -> Arc<Published> {
        Arc::clone(&self.published.borrow())
    }

    /// What is shown once everything is that anybody was answered: whoever has done something sees it.
    pub async fn current(&self) -> Arc<Published> {
        let durable = self.durable.load(Ordering::Acquire);
        let mut published = self.published.clone();
        match published.wait_for(|shown| shown.sequence >= durable).await {
            Ok(shown) => Arc::clone(&shown),
            // The table has stopped; what it showed last is what there is.
            Err(_) => self.shown(),
        }
    }

    /// What is shown, now and from now on.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Arc<Published>> {
        self.published.clone()
    }

    /// Proofs of cards of a shoe in play, by their places in the order committed to. A card that is still in the
    /// shoe is never proved; nothing if the shoe is not in play.
    pub(crate) async fn prove(&self, shoe: u32, places: Vec<usize>) -> Vec<Proof> {
        let (sender, proofs) = oneshot::channel();
        if self.sender.send(Message::Prove(shoe, places, sender)).await.is_err() {
            return Vec::new();
        }
        proofs.await.unwrap_or_default()
    }

    /// What a command would lead to; without one, what is open at the table. Nothing happens.
    pub(crate) async fn preview(&self, command: Option<Command>) -> Option<Previewed> {
        let (sender, previewed) = oneshot::channel();
        self.sender.send(Message::Preview(command.map(Box::new), sender)).await.ok()?;
        previewed.await.ok()
    }

    /// The line from which on the stream of the table is nobody's to read yet: it tells cards of a round in
    /// progress. It must be asked after a line was read, and not before.
    pub(crate) fn open_from(&self) -> u64 {
        // Of lines that another node has written and this one has not followed yet, nobody here knows what they tell.
        let followed_to = self.followed_to.load(Ordering::Acquire);
        self.open_from.load(Ordering::Acquire).min(followed_to.saturating_add(1))
    }

    /// Gives lines that another node has written; it may block.
    pub(crate) fn follow(&self, rows: Vec<Row>) {
        // The task is gone only when the server stops.
        let last = rows.iter().rfind(|row| row.kind == Kind::Table).map(|row| row.sequence);
        let _ = self.sender.blocking_send(Message::Follow(rows));
        if let Some(last) = last {
            // Whoever looks from now on waits until it is shown.
            self.durable.fetch_max(last, Ordering::AcqRel);
        }
    }

    /// This node leads from now on, with the shoes that the store has of this table: all that was followed before is
    /// shown when this returns. It may block.
    pub(crate) fn lead(&self, shoes: Vec<(u32, SecretShoe)>, was_killed: bool) {
        let (sender, led) = oneshot::channel();
        if self.sender.blocking_send(Message::Lead(Leading { shoes, was_killed }, sender)).is_ok() {
            let _ = led.blocking_recv();
        }
    }

    /// Waits until everything in hand is durable and the task has ended.
    pub(crate) async fn stop(&self) {
        let (sender, ended) = oneshot::channel();
        if self.sender.send(Message::Stop(sender)).await.is_ok() {
            let _ = ended.await;
        }
    }
}
