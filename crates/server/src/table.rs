//! A table on the floor: one task that owns it, and what the rest of the server knows of it.
//!
//! The task decides commands as they come, hands the lines to the till and answers when they are durable. It has
//! the state twice: as decided, which may be ahead of the disk, and as shown, which never is. Nobody hears of
//! anything that a crash could take back.

pub mod actor;
pub mod dealer;
mod known;
pub mod publish;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use croupier_cards::Proof;
use croupier_journal::deed::OpenTable;
use croupier_journal::{CommandId, StoreError};
use croupier_ledger::{Amount, PlayerId, TableId};
use croupier_table::{Action, Actor, Refusal, Setup};
use tokio::sync::{mpsc, oneshot, watch};

pub use publish::{Audience, Published};

/// A command for a table.
pub struct Asked {
    /// Its id; the software's own commands have none.
    pub id: Option<CommandId>,
    /// Who gives it.
    pub actor: Actor,
    /// What.
    pub action: Action,
    /// Called once: when it is durable, or refused.
    pub reply: Reply,
}

/// Takes the answer to a command; it must not wait for anything.
pub type Reply = Box<dyn FnOnce(Result<Receipt, Refused>) + Send>;

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
    /// The books do not take it. This is a fault of ours.
    #[error("the books refuse it: {0}")]
    Books(croupier_ledger::Refused),
    /// Nothing can be written any more; the server is about to stop.
    #[error("the journal cannot be written: {0}")]
    Journal(Arc<StoreError>),
    /// The server is stopping.
    #[error("the server is stopping")]
    Stopping,
}

enum Message {
    Command(Asked),
    /// A command whose id was looked up and is new.
    Checked(Asked),
    /// Finish what is in hand, store a snapshot and end.
    Stop(oneshot::Sender<()>),
    /// Proofs of cards of the shoe in play, by their places in the order committed to.
    Prove(u32, Vec<usize>, oneshot::Sender<Vec<Proof>>),
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
}

impl core::fmt::Debug for Message {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Command(_) => "Command",
            Self::Checked(_) => "Checked",
            Self::Stop(_) => "Stop",
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
            (asked.reply)(Err(Refused::Stopping));
        }
    }

    /// Gives a command and waits for the answer.
    ///
    /// # Errors
    /// Why it was refused.
    pub async fn command(
        &self,
        id: Option<CommandId>,
        actor: Actor,
        action: Action,
    ) -> Result<Receipt, Refused> {
        let (sender, answer) = oneshot::channel();
        let reply: Reply = Box::new(move |result| {
            // Whoever asked may have gone away.
            let _ = sender.send(result);
        });
        self.give(Asked { id, actor, action, reply }).await;
        answer.await.unwrap_or(Err(Refused::Stopping))
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

    /// The line from which on the stream of the table is nobody's to read yet: it tells cards of a round in
    /// progress. It must be asked after a line was read, and not before.
    pub(crate) fn open_from(&self) -> u64 {
        self.open_from.load(Ordering::Acquire)
    }

    /// Waits until everything in hand is durable and the task has ended.
    pub(crate) async fn stop(&self) {
        let (sender, ended) = oneshot::channel();
        if self.sender.send(Message::Stop(sender)).await.is_ok() {
            let _ = ended.await;
        }
    }
}
