//! Follows the lines in their order: the chain of each stream, and what each line does.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use croupier_ledger::{CaseId, Kind, TableId};
use croupier_table::case::Case;
use croupier_table::tray::Tray;

use super::line::Line;
use super::money::{self, Money};
use super::signed::Signed;
use super::tables::TableAudit;
use super::{Differences, Finding, Summary, Trouble, cases, trays};
use crate::deed::Deed;
use crate::envelope::{Head, Record};
use crate::hash::Hash;
use crate::registers::Registers;
use crate::shelf::Shelf;
use crate::store::{Flow, Select, Store};
use crate::stream::{CommandId, Stream};

/// How often the books let go of what is long past.
const FORGET_EVERY: u64 = 10_000;

/// Everything that follows from the lines so far.
pub(super) struct Auditor {
    position: u64,
    heads: BTreeMap<Stream, Head>,
    /// When the last line of each stream was written.
    times: BTreeMap<Stream, u64>,
    /// Hashes of the ids of commands that came from outside, each with its stream.
    ids: HashSet<u64>,
    /// The last number in each stream of which the software made an id.
    own: BTreeMap<Stream, u64>,
    /// Ids that seem to come twice.
    suspects: Vec<(u64, Stream, u64, CommandId)>,
    signed: Signed,
    /// The engine that runs, once lines say so.
    engine: Option<String>,
    differences: Differences,
    money: Money,
    shelf: Shelf,
    tables: BTreeMap<TableId, TableAudit>,
    cases: BTreeMap<CaseId, Case>,
    case_events: u64,
    /// What was told of the chips of tables.
    trays: BTreeMap<TableId, Tray>,
    /// What the lines say of registers that carry authority.
    registers: Registers,
    warnings: Vec<String>,
}

impl Auditor {
    pub(super) fn new(signed: Signed) -> Self {
        Self {
            position: 0,
            heads: BTreeMap::new(),
            times: BTreeMap::new(),
            ids: HashSet::new(),
            own: BTreeMap::new(),
            suspects: Vec::new(),
            signed,
            engine: None,
            differences: Differences::default(),
            money: Money::new(),
            shelf: Shelf::default(),
            tables: BTreeMap::new(),
            cases: BTreeMap::new(),
            case_events: 0,
            trays: BTreeMap::new(),
            registers: Registers::default(),
            warnings: Vec::new(),
        }
    }

    /// Follows the next line.
    pub(super) fn follow(&mut self, line: Result<Line, Finding>) -> Result<(), Finding> {
        self.in_place(&line)?;
        let mut line = line?;
        self.chain(&line)?;
        self.engine(&line)?;
        if !matches!(line.record.deed, Deed::Wallet(_)) {
            self.money.all_told()?;
        }
        self.happen(&mut line)?;
        self.signed.pass(&line, &self.heads)?;
        if self.position.is_multiple_of(FORGET_EVERY) {
            self.money.forget();
        }
        Ok(())
    }

    /// Positions have no gaps. A row that is no line has one too.
    fn in_place(&mut self, line: &Result<Line, Finding>) -> Result<(), Finding> {
        let (position, stream, sequence) = match line {
            Ok(line) => (Some(line.position), Some(line.record.stream), Some(line.record.sequence)),
            Err(finding) => (finding.position, finding.stream, finding.sequence),
        };
        let expected = self.position + 1;
        if position == Some(expected) {
            self.position = expected;
            return Ok(());
        }
        let next = stream.zip(sequence).map(|(stream, sequence)| format!(", which is {stream} {sequence}"));
        let what = format!(
            "there is no row at position {expected}; the next is at {}{}",
            position.unwrap_or(0),
            next.unwrap_or_default()
        );
        Err(Finding { position: Some(expected), stream: None, sequence: None, what, clauses: Vec::new() })
    }

    /// The line is the next of its stream, and its command is a new one.
    fn chain(&mut self, line: &Line) -> Result<(), Finding> {
        let record = &line.record;
        let head = self.heads.entry(record.stream).or_insert(Head::START);
        if record.sequence != head.sequence + 1 {
            return Err(Finding::at(line, format!("follows {} in its stream", head.sequence)));
        }
        if record.previous != head.hash {
            let what =
                format!("does not name the hash of {} {}, the line before it", record.stream, head.sequence);
            return Err(Finding::at(line, what));
        }
        *head = Head { sequence: record.sequence, hash: line.hash };
        if record.id.is_own() {
            // Numbers only rise, so that none comes twice.
            let last = self.own.entry(record.stream).or_insert(0);
            match record.id.number_in(record.stream).filter(|number| number > last) {
                Some(number) => *last = number,
                None => {
                    let what = format!("has the id {}, which is that of another line", record.id);
                    return Err(Finding::at(line, what));
                }
            }
        } else {
            let mut hasher = DefaultHasher::new();
            (record.stream, &record.id).hash(&mut hasher);
            if !self.ids.insert(hasher.finish()) {
                self.suspects.push((line.position, record.stream, record.sequence, record.id.clone()));
            }
        }
        let last = self.times.entry(record.stream).or_insert(record.at);
        if record.at < *last {
            let back = *last - record.at;
            self.warnings
                .push(format!("{} {}: the clock went back {back} ms", record.stream, record.sequence));
        }
        *last = record.at;
        Ok(())
    }

    /// The line was written by the engine that ran: nobody passes a change off as an earlier version's.
    fn engine(&mut self, line: &Line) -> Result<(), Finding> {
        let record = &line.record;
        match (record.engine.as_deref(), self.engine.as_deref()) {
            (None, Some(ran)) => {
                return Err(Finding::at(line, format!("does not say which engine wrote it, and {ran} ran")));
            }
            // What a start puts on record comes before the line that says which one starts.
            (Some(wrote), Some(ran)) if wrote != ran && record.stream != Stream::House => {
                return Err(Finding::at(line, format!("says that engine {wrote} wrote it, and {ran} ran")));
            }
            (_, _) => {}
        }
        if let (Deed::Start { version, .. }, Some(_)) = (&record.deed, &record.engine) {
            self.engine = Some(version.clone());
        }
        Ok(())
    }

    /// What the line does.
    fn happen(&mut self, line: &mut Line) -> Result<(), Finding> {
        match line.record.stream {
            Stream::Table(id) => return self.table(line, id),
            Stream::Case(id) => return self.case(line, id),
            Stream::House | Stream::Cage | Stream::Player(_) => {}
        }
        if line.events() != b"[]" {
            return Err(Finding::at(line, "has events, and nothing of its kind has any"));
        }
        match &line.record.deed {
            Deed::Deposit(deposit) => money::cage(line, deposit, Kind::Deposit)?,
            Deed::Withdraw(withdrawal) => money::cage(line, withdrawal, Kind::Withdrawal)?,
            _ => moves_nothing(line)?,
        }
        self.money.post(line)?;
        match &line.record.deed {
            Deed::Wallet(told) => self.money.tell(line, *told),
            Deed::Rulebook { hash, text } => self.rulebook(line, *hash, text),
            Deed::Register(change) => {
                self.registers.follow(line.record.sequence, change);
                Ok(())
            }
            Deed::Tray(told) => trays::follow(line, told, &self.tables, &mut self.trays),
            Deed::CloseDay(closed) => {
                let ahead = |table: &&crate::deed::TableDay| {
                    let head = self.heads.get(&Stream::Table(table.table));
                    head.is_none_or(|head| head.sequence < table.through)
                };
                match closed.tables.iter().find(ahead) {
                    Some(day) => {
                        let what = format!(
                            "closes table/{} through {}, which it has not reached",
                            day.table, day.through
                        );
                        Err(Finding::at(line, what))
                    }
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn rulebook(&mut self, line: &Line, hash: Hash, text: &str) -> Result<(), Finding> {
        if Hash::of(text.as_bytes()) != hash {
            return Err(Finding::at(line, "names another hash than the rulebook has"));
        }
        let added = self.shelf.add(text).map(|_| ());
        added.map_err(|faults| Finding::at(line, format!("has a rulebook that cannot be read: {faults}")))
    }

    fn table(&mut self, line: &mut Line, id: TableId) -> Result<(), Finding> {
        let fault = |line: &Line, what: &str| Err(Finding::at(line, what));
        if matches!(line.record.deed, Deed::Table(_)) {
            let Some(table) = self.tables.get_mut(&id) else {
                return fault(line, "begins a table without opening it");
            };
            table.follow(line, &mut self.differences)?;
            self.money.post(line)?;
            return if line.record.closes.is_some() { table.balanced(line, &self.money) } else { Ok(()) };
        }
        moves_nothing(line)?;
        if line.events() != b"[]" {
            return fault(line, "has events, and nothing of its kind has any");
        }
        match (&line.record.deed, self.tables.get_mut(&id)) {
            (Deed::OpenTable(opened), None) => {
                self.tables.insert(id, TableAudit::open(&self.shelf, line, opened)?);
                Ok(())
            }
            (Deed::OpenTable(_), Some(_)) => fault(line, "opens a table that is open"),
            (_, Some(table)) => table.reveal(line),
            (_, None) => fault(line, "begins a table without opening it"),
        }
    }

    fn case(&mut self, line: &Line, id: CaseId) -> Result<(), Finding> {
        let known = self.cases.remove(&id);
        let about = match (&known, &line.record.deed) {
            (Some(case), _) => Some(case.about.table),
            (None, Deed::OpenCase(opening)) => Some(opening.about.table),
            (None, _) => None,
        };
        let Some(table) = about.and_then(|table| self.tables.get_mut(&table)) else {
            return Err(Finding::at(line, "is about a table that is not there"));
        };
        let (case, entries, events) = cases::follow(line, table, known, &mut self.differences)?;
        entries.iter().for_each(|entry| table.correct(entry));
        self.money.post(line)?;
        self.cases.insert(id, case);
        self.case_events += u64::try_from(events).unwrap_or(0);
        Ok(())
    }

    /// The first id that really comes twice in its stream.
    pub(super) fn repeated(&self, store: &mut dyn Store) -> Result<Option<Finding>, Trouble> {
        for (position, stream, sequence, id) in &self.suspects {
            let mut earlier = None;
            store.rows(Select::Stream(*stream, 1), &mut |_, row| {
                if row.sequence >= *sequence {
                    return Flow::Break(());
                }
                if row.id == *id {
                    earlier = Some(row.sequence);
                    return Flow::Break(());
                }
                Flow::Continue(())
            })?;
            if let Some(earlier) = earlier {
                return Ok(Some(Finding {
                    position: Some(*position),
                    stream: Some(*stream),
                    sequence: Some(*sequence),
                    what: format!("has the id {id}, which is that of {stream} {earlier}"),
                    clauses: Vec::new(),
                }));
            }
        }
        Ok(None)
    }

    /// The registers that carry authority are as the lines say. A floor may go on meanwhile: what was written since is
    /// followed before anything is called wrong.
    pub(super) fn registers(&mut self, store: &mut dyn Store) -> Result<(), Trouble> {
        if !store.has_registers() {
            return Ok(());
        }
        let mut read = self.heads.get(&Stream::House).map_or(0, |head| head.sequence);
        loop {
            let mismatches = self.registers.compare(store)?;
            let Some(first) = mismatches.first() else { return Ok(()) };
            let before = read;
            let registers = &mut self.registers;
            store.rows(Select::Stream(Stream::House, read + 1), &mut |_, row| {
                read = row.sequence;
                if let Ok(Record { deed: Deed::Register(change), .. }) = row.record() {
                    registers.follow(row.sequence, &change);
                }
                Flow::Continue(())
            })?;
            if read == before {
                let what = match mismatches.len() {
                    1 => first.to_string(),
                    number => format!("{first}; and {} more", number - 1),
                };
                return Err(Finding {
                    position: None,
                    stream: None,
                    sequence: None,
                    what,
                    clauses: Vec::new(),
                }
                .into());
            }
        }
    }

    /// All lines were read.
    pub(super) fn finish(self) -> Result<Summary, Finding> {
        self.money.all_told()?;
        let mut summary = Summary { rows: self.position, warnings: self.warnings, ..Summary::default() };
        self.signed.finish(self.position, &self.heads, &mut summary)?;
        self.money.ledger.verify().map_err(|faults| {
            let words: Vec<String> = faults.iter().map(ToString::to_string).collect();
            let what = format!("at the end the books do not balance: {}", words.join("; "));
            Finding { position: Some(self.position), stream: None, sequence: None, what, clauses: Vec::new() }
        })?;
        summary.differing = self.differences.number;
        summary.differences = self.differences.first;
        summary.streams = u64::try_from(self.heads.len()).unwrap_or(0);
        summary.cases = u64::try_from(self.cases.len()).unwrap_or(0);
        summary.events = self.case_events;
        for (id, table) in &self.tables {
            let sequence = self.heads.get(&Stream::Table(*id)).map_or(0, |head| head.sequence);
            let own = table.summary(sequence);
            summary.events += table.events;
            summary.rounds += own.rounds;
            summary.wagers += own.wagers;
            summary.shoes += table.shoes.checked;
            summary.warnings.extend(table.warnings());
            summary.tables.push(own);
        }
        Ok(summary)
    }
}

/// The line neither posts anything nor closes a round.
fn moves_nothing(line: &Line) -> Result<(), Finding> {
    if line.record.postings.is_empty() && line.record.closes.is_none() {
        return Ok(());
    }
    Err(Finding::at(line, "moves money, and nothing of its kind does"))
}
