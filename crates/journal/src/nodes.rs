//! Several servers on one journal: one leads, the others follow what it commits.
//!
//! Who leads is a row in the database, taken for a while and renewed, by the database's own clock: no clock of a node
//! decides. It only says who *may* take the right to append. What keeps two from writing is the epoch that every commit
//! checks in its own transaction (see [`store`](crate::store)); a lease that is taken too early costs a moment and
//! nothing else.
//!
//! Every commit of a leader tells the others, in the same transaction, how far the journal has come and which entries of
//! registers have changed. Who misses that, because a connection broke, reads everything again.

use core::fmt;
use core::str::FromStr;
use core::time::Duration;

use crate::store::{Change, Connection, Location, StoreError};

/// The right to lead, as it was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lead {
    /// By which node.
    pub node: String,
    /// How often the lease had been taken by then.
    pub term: u64,
    /// The registers whose changes others hear of.
    pub told: &'static [&'static str],
}

impl Lead {
    /// What others are told of changes.
    pub(crate) fn changed(&self, changes: &[Change]) -> Vec<Changed> {
        let entry = |change: &Change| match change {
            Change::Put { register, key, .. } | Change::Delete { register, key } => {
                self.told.contains(register).then(|| Changed::Entry((*register).to_string(), key.clone()))
            }
        };
        changes.iter().filter_map(entry).collect()
    }
}

/// A commit of a leader: later ones are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Mark {
    /// The epoch of the leader.
    pub epoch: u64,
    /// Which commit under it.
    pub number: u64,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.epoch, self.number)
    }
}

/// No mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a mark is two numbers with a point between them, such as 3.1415")]
pub struct NotAMark;

impl FromStr for Mark {
    type Err = NotAMark;

    fn from_str(text: &str) -> Result<Self, NotAMark> {
        let (epoch, number) = text.split_once('.').ok_or(NotAMark)?;
        let read = |text: &str| text.parse().map_err(|_| NotAMark);
        Ok(Self { epoch: read(epoch)?, number: read(number)? })
    }
}

/// What of a register has changed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Changed {
    /// An entry: the register and its key.
    Entry(String, String),
    /// More entries of a register than can be named.
    Register(String),
}

/// What a leader tells of a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// Which commit.
    pub mark: Mark,
    /// The last position of the journal after it.
    pub position: u64,
    /// The entries that changed.
    pub changed: Vec<Changed>,
}

/// The most bytes that PostgreSQL carries, with some room.
const LONGEST: usize = 7_000;

/// As it goes over the wire: the mark and the position, then a line for each entry.
impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |changed: &Changed| match changed {
            Changed::Entry(register, key) => register.len() + key.len() + 2,
            Changed::Register(register) => register.len() + 1,
        };
        let fits = self.changed.iter().map(bytes).sum::<usize>() <= LONGEST;
        write!(f, "{} {}", self.mark, self.position)?;
        let mut told = Vec::new();
        for changed in &self.changed {
            match changed {
                Changed::Entry(register, key) if fits => write!(f, "\n{register}\t{key}")?,
                Changed::Entry(register, _) | Changed::Register(register) => {
                    if !told.contains(&register) {
                        write!(f, "\n{register}")?;
                        told.push(register);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Notice {
    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let (mark, position) = lines.next()?.split_once(' ')?;
        let changed = |line: &str| match line.split_once('\t') {
            Some((register, key)) => Changed::Entry(register.to_string(), key.to_string()),
            None => Changed::Register(line.to_string()),
        };
        let (mark, position) = (mark.parse().ok()?, position.parse().ok()?);
        Some(Self { mark, position, changed: lines.map(changed).collect() })
    }
}

/// What a node hears.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// Of a commit.
    Commit(Notice),
    /// That the lease was taken or let go.
    Lease,
}

impl Heard {
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text == LEASE { Some(Self::Lease) } else { Notice::read(text).map(Self::Commit) }
    }
}

/// What is told of the lease.
pub(crate) const LEASE: &str = "lease";

/// The lease, as of when it was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lease {
    /// Who has it.
    pub holder: Option<Holder>,
    /// How often it was taken.
    pub term: u64,
    /// It was let go, or has run out by the database's clock.
    pub is_free: bool,
}

/// Who has the lease.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holder {
    /// The name of the node.
    pub name: String,
    /// Where the others reach it.
    pub address: String,
}

/// What a node says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// What it does.
    pub role: String,
    /// The epoch that it knows of.
    pub epoch: u64,
    /// The last position that it has.
    pub position: u64,
}

/// What is known of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// Where the others reach it.
    pub address: String,
    /// The version that it runs.
    pub version: String,
    /// What it said last.
    pub said: Said,
    /// How long ago that was, by the database's clock.
    pub ago: Duration,
}

/// Everything that is known of the nodes of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overview {
    /// The lease.
    pub lease: Lease,
    /// The epoch under which lines are written now.
    pub epoch: u64,
    /// Where the journal ends.
    pub position: u64,
    /// The nodes, by name.
    pub nodes: Vec<Known>,
}

/// The connection of a node by which it hears of commits and minds the lease. It must be used and dropped on a thread that
/// may block.
pub struct Nodes {
    connection: Connection,
    name: String,
    address: String,
}

impl fmt::Debug for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nodes").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Nodes {
    /// Connects, and hears of every commit from now on.
    ///
    /// # Errors
    /// What the database says; [`StoreError::Address`] if it is none that several nodes can use.
    pub fn connect(location: &Location, name: &str, address: &str) -> Result<Self, StoreError> {
        let Location::Postgres(url) = location else { return Err(location.of_one_machine()) };
        let connection = Connection::open(url, true)?;
        Ok(Self { connection, name: name.to_string(), address: address.to_string() })
    }

    /// What is known of all nodes, for whoever is none.
    ///
    /// # Errors
    /// As [`Nodes::connect`].
    pub fn overview_of(location: &Location) -> Result<Overview, StoreError> {
        let Location::Postgres(url) = location else { return Err(location.of_one_machine()) };
        Connection::open(url, false)?.overview()
    }

    /// What was heard, waiting for it no longer than so.
    ///
    /// # Errors
    /// What the database says.
    pub fn hear(&mut self, wait: Duration) -> Result<Vec<Heard>, StoreError> {
        let heard = self.connection.hear(wait)?;
        Ok(heard.iter().filter_map(|text| Heard::read(text)).collect())
    }

    /// The lease.
    ///
    /// # Errors
    /// What the database says.
    pub fn lease(&mut self) -> Result<Lease, StoreError> {
        self.connection.lease()
    }

    /// Takes the lease for so long, if it is free; its term then.
    ///
    /// # Errors
    /// What the database says.
    pub fn take(&mut self, lasts: Duration) -> Result<Option<u64>, StoreError> {
        self.connection.take(&self.name, &self.address, lasts)
    }

    /// Renews the lease; whether it was still this node's.
    ///
    /// # Errors
    /// What the database says.
    pub fn renew(&mut self, term: u64) -> Result<bool, StoreError> {
        self.connection.renew(&self.name, term)
    }

    /// Lets the lease go.
    ///
    /// # Errors
    /// What the database says.
    pub fn release(&mut self, term: u64) -> Result<(), StoreError> {
        self.connection.release(&self.name, term)
    }

    /// Says how this node is.
    ///
    /// # Errors
    /// What the database says.
    pub fn say(&mut self, said: &Said) -> Result<(), StoreError> {
        self.connection.say(&self.name, &self.address, said)
    }

    /// Takes this node off the list: it has stopped.
    ///
    /// # Errors
    /// What the database says.
    pub fn leave(&mut self) -> Result<(), StoreError> {
        self.connection.leave(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: &str) -> Changed {
        Changed::Entry("person".to_string(), key.to_string())
    }

    #[test]
    fn a_notice_comes_back_and_one_that_is_too_long_names_registers() {
        let mark = Mark { epoch: 3, number: 14 };
        let short = Notice { mark, position: 15, changed: vec![entry("0000000001"), entry("2 with space")] };
        assert_eq!(Heard::read(&short.to_string()), Some(Heard::Commit(short)));
        let many = (0..700).map(|at| entry(&format!("{at:010}"))).collect();
        let long = Notice { mark, position: 15, changed: many };
        let text = long.to_string();
        assert!(text.len() < 8_000, "{}", text.len());
        let read = Notice { changed: vec![Changed::Register("person".to_string())], ..long };
        assert_eq!(Heard::read(&text), Some(Heard::Commit(read)));
        assert_eq!(Heard::read(LEASE), Some(Heard::Lease));
        assert_eq!(Heard::read("1 2"), None);
    }

    #[test]
    fn only_registers_that_are_followed_are_told() {
        let lead = Lead { node: "a".to_string(), term: 1, told: &["person"] };
        let put = |register| Change::Put { register, key: "7".to_string(), value: Vec::new() };
        let gone = Change::Delete { register: "person", key: "8".to_string() };
        assert_eq!(lead.changed(&[put("snapshot"), put("person"), gone]), [entry("7"), entry("8")]);
    }

    #[test]
    fn marks_of_a_later_epoch_are_greater() {
        let mark = |text: &str| text.parse::<Mark>().unwrap();
        assert!(mark("2.0") > mark("1.99") && mark("2.10") > mark("2.9"));
        assert_eq!(mark("2.10").to_string(), "2.10");
        assert_eq!("2".parse::<Mark>(), Err(NotAMark));
    }
}
