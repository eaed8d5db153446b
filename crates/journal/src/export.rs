//! A journal, or a part of it, as files: the lines exactly as they are stored, so that `sha256sum` of a line is what
//! the next one of its stream names, and each round that is over as a round file that runs.
//!
//! ```text
//! journal.jsonl                               all rows, in order; `table-3.jsonl` for one table
//! checkpoints.jsonl                           if there are any, from the file beside the database or from within it
//! rulebooks/hoiana-baccarat-5e8f….toml        the texts that tables were opened under, by their hashes
//! rounds/table-3/shoe-1/round-000041.round
//! ```
//!
//! Registers never go out: people, sessions, sealed shoes. An undealt card is in no line before its shoe is shown.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use croupier_ledger::TableId;
use croupier_rounds::amount::Decimals;
use croupier_rounds::export::{Extract, export as round_file};
use croupier_table::{Command, Event, Fact, PlayerId, Table};
use serde::Serialize;

use crate::checkpoint;
use crate::deed::{Deed, Kind};
use crate::envelope::Row;
use crate::folder::JOURNAL;
use crate::replay::Replayed;
use crate::shelf::{Shelf, Volume};
use crate::store::{Flow, Select, Store, StoreError};
use crate::stream::Stream;

/// The folder of an export that has the rulebooks.
pub const RULEBOOKS: &str = "rulebooks";

/// What is to be exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// This table only.
    pub table: Option<TableId>,
    /// This shoe of it only.
    pub shoe: Option<u32>,
    /// This round of it only.
    pub round: Option<u64>,
}

/// What was exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Exported {
    /// Lines.
    pub rows: u64,
    /// Round files.
    pub rounds: u64,
    /// Rulebooks.
    pub rulebooks: u64,
    /// Checkpoints.
    pub checkpoints: u64,
}

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The journal cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A row is not what it should be.
    #[error("{0}; run `croupier verify` to see what is wrong with the journal")]
    Row(String),
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// There is something in the way.
    #[error("{} has an export in it; name another folder, or remove it first", .0.display())]
    Taken(PathBuf),
    /// The selection selects nothing.
    #[error("there is no {0} in the journal, or it is not over yet")]
    Nothing(String),
}

impl Selection {
    /// In words.
    fn words(self) -> String {
        let round = self.round.map(|round| format!("round {round}"));
        let shoe = self.shoe.map(|shoe| format!("shoe {shoe}"));
        let table = self.table.map(|table| format!("table {table}"));
        let words: Vec<String> = [round, shoe, table].into_iter().flatten().collect();
        if words.is_empty() { "row".to_string() } else { words.join(" of ") }
    }

    fn has_round(self, round: &Played) -> bool {
        self.shoe.is_none_or(|shoe| shoe == round.shoe)
            && self.round.is_none_or(|number| number == round.number)
    }
}

/// Writes a selection into a folder, with the checkpoints if it is everything.
///
/// # Errors
/// [`ExportError`]; what was written until then stays.
pub fn export(
    store: &mut dyn Store,
    checkpoints: Option<&str>,
    selection: Selection,
    folder: &Path,
) -> Result<Exported, ExportError> {
    let whole = selection == Selection::default();
    let name = selection.table.map_or_else(|| JOURNAL.to_string(), |table| format!("table-{table}.jsonl"));
    let path = folder.join(name);
    if path.exists() || folder.join("rounds").exists() {
        return Err(ExportError::Taken(folder.to_path_buf()));
    }
    let file = |path: &Path, error: std::io::Error| ExportError::File { path: path.to_path_buf(), error };
    fs::create_dir_all(folder).map_err(|error| file(folder, error))?;
    let mut lines = BufWriter::new(File::create(&path).map_err(|error| file(&path, error))?);
    let mut exported = Exported::default();
    walk(store, selection, &mut |step| match step {
        Step::Line(row) => {
            exported.rows += 1;
            let written = lines.write_all(&row.line).and_then(|()| lines.write_all(b"\n"));
            written.map_err(|error| file(&path, error))
        }
        Step::Round(round) => {
            exported.rounds += 1;
            let folder = folder.join(format!("rounds/table-{}/shoe-{}", round.table, round.shoe));
            let path = folder.join(format!("round-{:06}.round", round.number));
            let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, &round.text));
            written.map_err(|error| file(&path, error))
        }
        Step::Rulebook(volume) => {
            exported.rulebooks += 1;
            let folder = folder.join(RULEBOOKS);
            let path = folder.join(format!("{}-{}.toml", volume.rulebook.id, volume.hash));
            let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, &*volume.text));
            written.map_err(|error| file(&path, error))
        }
    })?;
    lines.flush().map_err(|error| file(&path, error))?;
    if let Some(text) = checkpoints.filter(|_| whole) {
        let path = folder.join(checkpoint::FILE);
        fs::write(&path, text).map_err(|error| file(&path, error))?;
        exported.checkpoints = u64::try_from(text.lines().count()).unwrap_or(u64::MAX);
    }
    if exported.rows == 0 || (selection.round.is_some() && exported.rounds == 0) {
        return Err(ExportError::Nothing(selection.words()));
    }
    Ok(exported)
}

/// The round file of one round that is over.
///
/// # Errors
/// [`ExportError::Nothing`] if there is no such round.
pub fn round(store: &mut dyn Store, table: TableId, round: u64) -> Result<String, ExportError> {
    let selection = Selection { table: Some(table), shoe: None, round: Some(round) };
    let mut found = None;
    walk(store, selection, &mut |step| {
        if let Step::Round(round) = step {
            found = Some(round.text);
        }
        Ok(())
    })?;
    found.ok_or_else(|| ExportError::Nothing(selection.words()))
}

/// Something to be written.
enum Step<'a> {
    Line(&'a Row),
    Round(Played),
    Rulebook(&'a Volume),
}

/// A round that is over, as text.
struct Played {
    table: TableId,
    shoe: u32,
    number: u64,
    text: String,
}

type Write<'a> = &'a mut dyn FnMut(Step<'_>) -> Result<(), ExportError>;

/// Goes through the journal and gives what is selected.
fn walk(store: &mut dyn Store, selection: Selection, write: Write<'_>) -> Result<(), ExportError> {
    let mut walk = Walk { selection, shelf: Shelf::default(), tables: BTreeMap::new() };
    let mut ended = Ok(());
    store.rows(Select::After(0), &mut |_, row| {
        ended = walk.row(row, write);
        if ended.is_ok() { Flow::Continue(()) } else { Flow::Break(()) }
    })?;
    ended?;
    for table in walk.tables.values_mut() {
        table.finish(selection, write)?;
    }
    let in_use = |hash| walk.tables.values().any(|table| table.replayed.opened.rulebook == hash);
    for volume in
        walk.shelf.volumes().iter().filter(|volume| selection.table.is_none() || in_use(volume.hash))
    {
        write(Step::Rulebook(volume))?;
    }
    Ok(())
}

struct Walk {
    selection: Selection,
    shelf: Shelf,
    tables: BTreeMap<TableId, Following>,
}

impl Walk {
    fn row(&mut self, row: Row, write: Write<'_>) -> Result<(), ExportError> {
        let fault = |what: String| ExportError::Row(format!("{} {}: {what}", row.stream, row.sequence));
        let Stream::Table(id) = row.stream else {
            if row.stream == Stream::House
                && let Deed::Rulebook { text, .. } =
                    row.record().map_err(|error| fault(error.to_string()))?.deed
            {
                self.shelf.add(&text).map_err(|faults| fault(faults.to_string()))?;
            }
            return if self.selection.table.is_none() { write(Step::Line(&row)) } else { Ok(()) };
        };
        if self.selection.table.is_some_and(|table| table != id) {
            return Ok(());
        }
        match self.tables.get_mut(&id) {
            Some(table) => table.row(row, self.selection, write),
            None => {
                let replayed =
                    Replayed::first(&self.shelf, &row).map_err(|bad| ExportError::Row(bad.to_string()))?;
                self.tables.insert(id, Following { replayed, round: None, kept: Vec::new() });
                if self.selection.shoe.or(self.selection.round.map(|_| 0)).is_none() {
                    write(Step::Line(&row))?;
                }
                Ok(())
            }
        }
    }
}

/// A table on the way through its stream.
struct Following {
    replayed: Replayed,
    /// The round since its opening call.
    round: Option<Round>,
    /// The lines of the round, where only some rounds are selected.
    kept: Vec<Row>,
}

struct Round {
    before: Table,
    /// The shoe that was in play when it ended: cards may be replaced while wagers lie.
    shoe: u32,
    steps: Vec<(Command, Vec<Event>)>,
}

impl Following {
    fn row(&mut self, row: Row, selection: Selection, write: Write<'_>) -> Result<(), ExportError> {
        let fault = |what: String| ExportError::Row(format!("{} {}: {what}", row.stream, row.sequence));
        if row.kind == Kind::Table {
            let record = row.record().map_err(|error| fault(error.to_string()))?;
            let events = row.table_events().map_err(|error| fault(error.to_string()))?;
            let (Deed::Table(action), Some(actor)) = (record.deed, record.by.actor()) else {
                return Err(fault("is no command to a table".to_string()));
            };
            if events.iter().any(|event| begins(&event.fact)) {
                self.finish(selection, write)?;
                let before = self.replayed.table.clone();
                self.round = Some(Round { shoe: before.shoe.number, before, steps: Vec::new() });
            }
            self.replayed.apply(&events);
            if let Some(round) = &mut self.round {
                if events.iter().any(|event| ends(&event.fact)) {
                    round.shoe = self.replayed.table.shoe.number;
                }
                round.steps.push((Command { actor, at: record.at / 1000, action }, events));
            }
        }
        self.line(row, selection, write)
    }

    /// Lines go out as they come; those of one round only when it is known to be the one.
    fn line(&mut self, row: Row, selection: Selection, write: Write<'_>) -> Result<(), ExportError> {
        let table = &self.replayed.table;
        match (selection.shoe, selection.round) {
            (None, None) => write(Step::Line(&row)),
            (Some(shoe), None) => {
                // A shoe is shown when the next one may be there already.
                let shown = row.kind == Kind::RevealShoe
                    && row.record().is_ok_and(|record| match record.deed {
                        Deed::RevealShoe(reveal) => reveal.shoe == shoe,
                        _ => false,
                    });
                let own = table.shoe.number == shoe && row.kind != Kind::RevealShoe;
                if own || shown { write(Step::Line(&row)) } else { Ok(()) }
            }
            (_, Some(round)) => {
                if self.round.is_some() && table.round.number == round {
                    self.kept.push(row);
                }
                Ok(())
            }
        }
    }

    /// The round ends with the next one, or with the journal.
    fn finish(&mut self, selection: Selection, write: Write<'_>) -> Result<(), ExportError> {
        let kept = core::mem::take(&mut self.kept);
        let Some(round) = self.round.take() else { return Ok(()) };
        let table = &self.replayed.table;
        if table.round.closed.is_none() {
            return Ok(());
        }
        let (id, shoe, number) = (table.id, round.shoe, table.round.number);
        let mut played = Played { table: id, shoe, number, text: String::new() };
        if !selection.has_round(&played) {
            return Ok(());
        }
        kept.iter().try_for_each(|row| write(Step::Line(row)))?;
        let steps: Vec<(&Command, &[Event])> =
            round.steps.iter().map(|(command, events)| (command, events.as_slice())).collect();
        let name = &self.replayed.opened.name;
        let title = format!("Table {id} ({name}), shoe {shoe}, round {number}");
        let extract = Extract {
            title: &title,
            currency: Decimals::new(self.replayed.opened.decimals)
                .map(|decimals| (self.replayed.opened.currency.as_str(), decimals)),
            opening: &self.replayed.opened.opening,
            before: &round.before,
            names: &|player: PlayerId| format!("p{player}"),
            steps: &steps,
        };
        played.text = round_file(&extract).to_string();
        write(Step::Round(played))
    }
}

const fn begins(fact: &Fact) -> bool {
    matches!(fact, Fact::BetsOpened { .. } | Fact::FreeHandBegan { .. })
}

const fn ends(fact: &Fact) -> bool {
    matches!(fact, Fact::RoundClosed { .. } | Fact::BettingAbandoned)
}
