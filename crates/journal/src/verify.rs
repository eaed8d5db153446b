//! Checks a whole journal: one pass over all rows in the order of their positions, with the state of each table
//! and not the rows in memory. The first row that is not as it must be is named.
//!
//! Two things are said. That the journal is whole: the first row that is not as it must be is a [`Finding`]. And that
//! this engine derives the same: where it does not, and another version of it wrote the line, that is a [`Difference`],
//! such as a rule that was mended leaves behind; what was recorded is then followed, and the check goes on.
//!
//! What is checked: that nothing was changed, left out, moved or cut off (`line`, `auditor`, `signed`), that the
//! books take every posting and balance (`money`), that every event and every payout follows from the command, the
//! cards and the rulebook that the journal itself holds (`tables`, `cases`), and that cards dealt by software came
//! in the order that was committed to (`shoes`); and that the registers which carry authority are as the lines say.
//!
//! Lines are read and hashed on threads of their own; what depends on the lines before is done on one, in order.

mod auditor;
mod cases;
mod line;
mod money;
mod shoes;
mod signed;
mod tables;
mod trays;

use core::fmt;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use croupier_ledger::TableId;
use serde::Serialize;

use crate::checkpoint;
use crate::envelope::Row;
use crate::hash::Hash;
use crate::store::{Flow, Select, Store, StoreError};
use crate::stream::Stream;
use auditor::Auditor;
use line::Line;
use signed::Signed;

/// What to check a journal against, beside itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Against<'a> {
    /// The text of the file of checkpoints.
    pub checkpoints: Option<&'a str>,
    /// A public key that one of the checkpoints must be signed with, the first or a later one of the chain; none is
    /// asked for if none is given.
    pub trusted: Option<Hash>,
}

/// What a clean journal holds.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Summary {
    /// Rows, which is also the position of the last one.
    pub rows: u64,
    /// Streams.
    pub streams: u64,
    /// Events at tables and in disputes, each derived again.
    pub events: u64,
    /// Rounds that are over.
    pub rounds: u64,
    /// Wagers and insurances settled, each derived again.
    pub wagers: u64,
    /// Shoes compared with what had been committed to.
    pub shoes: u64,
    /// Disputes.
    pub cases: u64,
    /// Checkpoints.
    pub checkpoints: u64,
    /// The position of the last row that a checkpoint covers.
    pub covered: u64,
    /// The tables, in the order of their ids.
    pub tables: Vec<TableSummary>,
    /// What is no fault and should be known.
    pub warnings: Vec<String>,
    /// Lines of other versions of the engine that this one derives otherwise.
    #[serde(skip_serializing_if = "is_zero")]
    pub differing: u64,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A line that this engine derives otherwise than the one that wrote it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// Which line, and what is different.
    #[serde(flatten)]
    pub at: Finding,
    /// The version of the engine that wrote it; nothing where lines did not say so yet.
    pub engine: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = self.engine.as_deref().unwrap_or("of before versions were noted");
        write!(f, "{}; written by engine {engine}", self.at)
    }
}

/// The differences so far.
#[derive(Default)]
struct Differences {
    number: u64,
    first: Vec<Difference>,
}

impl Differences {
    /// The most that are told one by one.
    const MOST: usize = 100;

    /// What does not follow from this engine. It is a finding if this very engine wrote the line.
    fn note(&mut self, line: &Line, finding: Finding) -> Result<(), Finding> {
        let engine = line.record.engine.as_deref();
        if engine == Some(crate::ENGINE) {
            return Err(finding);
        }
        self.number += 1;
        if self.first.len() < Self::MOST {
            self.first.push(Difference { at: finding, engine: engine.map(str::to_string) });
        }
        Ok(())
    }
}

/// A table at the end of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TableSummary {
    /// Which.
    pub table: TableId,
    /// Its name on the floor.
    pub name: String,
    /// The game.
    pub game: String,
    /// The last line of its stream.
    pub sequence: u64,
    /// Rounds that are over.
    pub rounds: u64,
    /// Wagers and insurances settled.
    pub wagers: u64,
    /// The fingerprint of its state.
    #[serde(serialize_with = "hexadecimal")]
    pub fingerprint: u64,
}

fn hexadecimal<S: serde::Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{number:016x}"))
}

/// The first thing that is not as it must be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
pub struct Finding {
    /// The position of the row; nothing if it is about the checkpoints themselves.
    pub position: Option<u64>,
    /// Its stream, if that is known.
    pub stream: Option<Stream>,
    /// Its number there.
    pub sequence: Option<u64>,
    /// What is wrong.
    pub what: String,
    /// The clauses of the table's rulebook that say so, if they do.
    pub clauses: Vec<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(stream), Some(sequence)) = (self.stream, self.sequence) {
            write!(f, "{stream} {sequence}: ")?;
        }
        f.write_str(&self.what)?;
        if !self.clauses.is_empty() {
            write!(f, " [{}]", self.clauses.join(", "))?;
        }
        match self.position {
            Some(position) => write!(f, " (position {position})"),
            None => Ok(()),
        }
    }
}

impl Finding {
    /// About a line.
    fn at(line: &Line, what: impl Into<String>) -> Self {
        Self::of(line.position, &line.row, what)
    }

    /// About a row.
    fn of(position: u64, row: &Row, what: impl Into<String>) -> Self {
        Self {
            position: Some(position),
            stream: Some(row.stream),
            sequence: Some(row.sequence),
            what: what.into(),
            clauses: Vec::new(),
        }
    }

    /// With the clauses that say so.
    fn by(mut self, clauses: Vec<String>) -> Self {
        self.clauses = clauses;
        self
    }
}

/// Why a journal was not found clean.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// Something in it is not as it must be.
    #[error(transparent)]
    Found(Box<Finding>),
    /// It cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Finding> for Trouble {
    fn from(finding: Finding) -> Self {
        Self::Found(Box::new(finding))
    }
}

/// Checks a whole journal. `progress` is told how many rows were read.
///
/// # Errors
/// [`Trouble::Found`] with the first thing that is not as it must be, [`Trouble::Store`] if it cannot be read.
pub fn verify(
    store: &mut dyn Store,
    against: Against<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<Summary, Trouble> {
    let checkpoints =
        checkpoint::read(against.checkpoints.unwrap_or(""), against.trusted).map_err(|error| {
            let what = error.to_string();
            Finding { position: None, stream: None, sequence: None, what, clauses: Vec::new() }
        })?;
    let mut auditor = Auditor::new(Signed::new(checkpoints, against.trusted));
    let read = read(store, &mut auditor, progress);
    let repeated = auditor.repeated(store)?;
    // An id that comes twice is looked up only now, and may be the first fault of all.
    let first = [read.err().map(found).transpose()?, repeated].into_iter().flatten();
    match first.min_by_key(|finding| finding.position) {
        Some(finding) => Err(finding.into()),
        None => {
            auditor.registers(store)?;
            Ok(auditor.finish()?)
        }
    }
}

/// The finding, if it is one.
fn found(trouble: Trouble) -> Result<Finding, Trouble> {
    match trouble {
        Trouble::Found(finding) => Ok(*finding),
        Trouble::Store(StoreError::Damaged { position, what }) => {
            let position = Some(position);
            Ok(Finding { position, stream: None, sequence: None, what, clauses: Vec::new() })
        }
        Trouble::Store(_) => Err(trouble),
    }
}

/// Rows that go from thread to thread together.
const AT_ONCE: usize = 512;

type Rows = Vec<(u64, Row)>;
type Lines = Vec<Result<Line, Finding>>;

/// Reads the rows on this thread, their lines on some more, and follows them on one.
fn read(store: &mut dyn Store, auditor: &mut Auditor, progress: &mut dyn FnMut(u64)) -> Result<(), Trouble> {
    let readers = std::thread::available_parallelism().map_or(1, |number| number.get().clamp(1, 4));
    std::thread::scope(|scope| {
        let mut to_readers = Vec::new();
        let mut from_readers = Vec::new();
        for _ in 0..readers {
            let (give, rows) = sync_channel::<Rows>(2);
            let (lines, take) = sync_channel::<Lines>(2);
            to_readers.push(give);
            from_readers.push(take);
            scope.spawn(move || read_lines(&rows, &lines));
        }
        let auditing = scope.spawn(move || follow_lines(auditor, &from_readers));
        let handed_over = hand_over(store, &to_readers, progress);
        drop(to_readers);
        let followed = auditing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // What was found among the rows read comes before the row that cannot be read.
        followed.map_err(Trouble::from).and(handed_over.map_err(Trouble::from))
    })
}

/// Deals the rows out to the readers in turn, until there are no more or nobody wants them.
fn hand_over(
    store: &mut dyn Store,
    readers: &[SyncSender<Rows>],
    progress: &mut dyn FnMut(u64),
) -> Result<(), StoreError> {
    let mut turns = readers.iter().cycle();
    let mut rows = Vec::with_capacity(AT_ONCE);
    let mut give = |rows: Rows| match turns.next().map(|reader| reader.send(rows)) {
        Some(Ok(())) => Flow::Continue(()),
        Some(Err(_)) | None => Flow::Break(()),
    };
    let mut done = 0;
    let read = store.rows(Select::After(0), &mut |position, row| {
        rows.push((position, row));
        done += 1;
        if rows.len() < AT_ONCE {
            return Flow::Continue(());
        }
        progress(done);
        give(core::mem::replace(&mut rows, Vec::with_capacity(AT_ONCE)))
    });
    let _ = give(rows);
    progress(done);
    read
}

fn read_lines(rows: &Receiver<Rows>, lines: &SyncSender<Lines>) {
    for rows in rows {
        let read = rows.into_iter().map(|(position, row)| Line::read(position, row)).collect();
        if lines.send(read).is_err() {
            return;
        }
    }
}

fn follow_lines(auditor: &mut Auditor, readers: &[Receiver<Lines>]) -> Result<(), Finding> {
    for reader in readers.iter().cycle() {
        let Ok(lines) = reader.recv() else { break };
        for line in lines {
            auditor.follow(line)?;
        }
    }
    Ok(())
}
