//! A server that is one of several on the same floor: one leads, the others follow it, show everything, and pass on what
//! changes something.
//!
//! | module | what it holds |
//! |---|---|
//! | `mind` | the thread that hears of commits, minds the lease and takes over |
//! | `pass` | requests that are passed to the node that leads, and answers that wait until this one has caught up |
//!
//! Without `[node]` in the settings there is none of this: no lease, no notices, no other thread.

mod mind;
mod pass;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use croupier_journal::nodes::{Holder, Mark};
use croupier_journal::{Hash, Location};
use ring::hmac;
use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, oneshot, watch};

use crate::app::App;
use crate::fetch::{self, FetchError};
use crate::floor::Standby;

pub(crate) use pass::{Passed, serve, shown_by};

/// What an operator sets about a server that is one of several.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Its name, which no other node has.
    pub name: String,
    /// Where the other nodes reach it.
    pub address: String,
    /// The file of the secret that all nodes share.
    pub secret: PathBuf,
    /// The folder of the keys that all nodes share; `keys` in the data folder if not said.
    #[serde(default)]
    pub keys: Option<PathBuf>,
    /// The authorities that the certificates of nodes are signed by; those of the machine if not said.
    #[serde(default)]
    pub authorities: Option<PathBuf>,
    /// How long a leader may be silent before another takes over.
    #[serde(default = "five")]
    pub lease_seconds: u32,
    /// The network between the nodes is nobody else's: `http://` addresses beyond this machine are accepted.
    #[serde(default)]
    pub private_network: bool,
}

const fn five() -> u32 {
    5
}

/// The shortest secret.
const SHORTEST: usize = 32;

/// Why a server cannot be one of several.
#[derive(Debug, thiserror::Error)]
#[error("node.{0}")]
pub struct NodeError(String);

/// What a node does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = NodeRole)]
pub enum Role {
    /// It follows another.
    Follower,
    /// It leads.
    Leader,
    /// It stops, and passes everything on.
    Leaving,
}

impl Role {
    /// As headers and the database have it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Follower => "follower",
            Self::Leader => "leader",
            Self::Leaving => "leaving",
        }
    }
}

/// How a node stands to the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// What it does.
    pub role: Role,
    /// Who leads, as far as this node knows.
    pub leader: Option<Holder>,
    /// The term of that.
    pub term: u64,
    /// It hears of commits; for a leader, it renews its lease.
    pub connected: bool,
}

/// This server among the others.
pub struct Node {
    /// What the operator set.
    pub settings: Settings,
    secret: hmac::Key,
    standing: watch::Sender<Standing>,
    orders: Mutex<Option<mpsc::Sender<Order>>>,
    agent: ureq::Agent,
    /// Requests that are passed on at the same time; each has a thread.
    places: Arc<Semaphore>,
}

impl core::fmt::Debug for Node {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Node").field("name", &self.settings.name).finish_non_exhaustive()
    }
}

/// What the thread of a node is told to do.
enum Order {
    /// Let the lease go, if there is one, and end.
    Leave(oneshot::Sender<()>),
}

/// How many requests are passed on at the same time.
const AT_ONCE: usize = 256;

impl Settings {
    fn check(&self) -> Result<(), NodeError> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if self.name.is_empty() || self.name.len() > 60 || !self.name.bytes().all(fits) {
            let says = "name: write up to 60 letters, digits, `-`, `_` or `.`";
            return Err(NodeError(says.to_string()));
        }
        if !(1..=300).contains(&self.lease_seconds) {
            return Err(NodeError("lease_seconds: write 1 to 300".to_string()));
        }
        let is_plain = self.private_network && self.address.starts_with("http://");
        match fetch::check(&self.address) {
            Err(FetchError::Address(address)) if !is_plain => Err(NodeError(format!(
                "address: {address}: write an https:// address; http:// is accepted on this machine, and with \
                 private_network = true where nobody else reaches the network between the nodes"
            ))),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// How long the lease lasts.
    #[must_use]
    pub fn lasts(&self) -> Duration {
        Duration::from_secs(u64::from(self.lease_seconds))
    }
}

impl Node {
    /// This server among the others.
    ///
    /// # Errors
    /// When the settings do not do.
    pub(crate) fn new(settings: Settings, database: &Location) -> Result<Self, NodeError> {
        settings.check()?;
        if !matches!(database, Location::Postgres(_)) {
            let says =
                "several nodes need a database of PostgreSQL: name a postgresql:// URL, or leave [node] out";
            return Err(NodeError(says.to_string()));
        }
        let path = settings.secret.display();
        let secret = std::fs::read_to_string(&settings.secret);
        let secret = secret.map_err(|error| NodeError(format!("secret: {path}: {error}")))?;
        let secret = secret.trim();
        if secret.len() < SHORTEST {
            let says = format!(
                "secret: {path}: write at least {SHORTEST} characters, such as `openssl rand -hex 32` makes"
            );
            return Err(NodeError(says));
        }
        let agent = fetch::agent(settings.authorities.as_deref());
        let agent = agent.map_err(|error| NodeError(format!("authorities: {error}")))?;
        let standing = Standing { role: Role::Follower, leader: None, term: 0, connected: false };
        Ok(Self {
            secret: hmac::Key::new(hmac::HMAC_SHA256, Hash::of(secret.as_bytes()).to_string().as_bytes()),
            settings,
            standing: watch::Sender::new(standing),
            orders: Mutex::new(None),
            agent: pass::agent(agent),
            places: Arc::new(Semaphore::new(AT_ONCE)),
        })
    }

    /// How this node stands to the others now.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.standing.borrow().clone()
    }

    /// Tells when that changes.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Standing> {
        self.standing.subscribe()
    }

    /// Whether this node leads, and does not stop.
    #[must_use]
    pub fn leads(&self) -> bool {
        self.standing.borrow().role == Role::Leader
    }

    /// Begins to follow and, when it is this node's turn, to lead.
    pub(crate) fn begin(self: &Arc<Self>, app: &Arc<App>, standby: Standby) -> std::io::Result<()> {
        let (sender, orders) = mpsc::channel();
        *self.orders.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        mind::start(app, self, standby, orders)
    }

    /// From now on everything is passed to another node.
    pub(crate) fn begin_to_leave(&self) {
        self.standing.send_modify(|standing| {
            standing.role = Role::Leaving;
            if standing.leader.as_ref().is_some_and(|leader| leader.name == self.settings.name) {
                standing.leader = None;
            }
        });
    }

    /// Lets the lease go, so that another node takes over at once.
    pub(crate) async fn leave(&self) {
        let (sender, left) = oneshot::channel();
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if orders.is_some_and(|orders| orders.send(Order::Leave(sender)).is_ok()) {
            // The database may be away: the lease runs out by itself then.
            let _ = tokio::time::timeout(Duration::from_secs(3), left).await;
        }
    }

    /// Who leads from what is heard.
    fn learn(&self, leader: Option<Holder>, term: u64) {
        self.standing.send_if_modified(|standing| {
            let own = |holder: &Holder| holder.name == self.settings.name;
            // A node that stops is not passed anything, least of all by itself.
            let leader = leader.filter(|holder| standing.role != Role::Leaving || !own(holder));
            let is_new = standing.leader != leader || standing.term != term;
            (standing.leader, standing.term) = (leader, term);
            is_new
        });
    }
}

/// Waits until this node has followed a commit that another has answered for; not longer than so.
const FOLLOWS_WITHIN: Duration = Duration::from_secs(2);

impl App {
    /// Waits until a commit is shown here: what somebody reads is never older than what they were answered.
    pub(crate) async fn has_followed(&self, mark: Mark) {
        let mut marks = self.floor.shared.books.marks();
        let follows = marks.wait_for(|followed| *followed >= mark);
        if tokio::time::timeout(FOLLOWS_WITHIN, follows).await.is_err() {
            tracing::warn!(%mark, "this node is behind: an answer was not waited for any longer");
        }
    }
}
