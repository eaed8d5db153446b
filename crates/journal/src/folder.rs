//! A journal in plain files, as an export has it: `journal.jsonl` with a line for each row in order, so that the
//! number of a line is its position, and `checkpoints.jsonl` beside it. It can be read and not be added to.

use core::ops::Range;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use crate::checkpoint;
use crate::envelope::Row;
use crate::store::{Change, Flow, Location, Order, Select, Store, StoreError};
use crate::stream::{CommandId, Stream};

/// The file of an export that has all rows.
pub const JOURNAL: &str = "journal.jsonl";

/// The database in a folder of data.
pub const DATABASE: &str = "croupier.sqlite";

/// The lines of a file as a store that nobody appends to.
#[derive(Debug)]
pub struct LinesStore {
    path: PathBuf,
}

/// A journal to be read, with its checkpoints.
pub struct Source {
    /// The rows.
    pub store: Box<dyn Store>,
    /// The text of the checkpoints, if there are any: those that lie beside it, else those in the database itself.
    pub checkpoints: Option<String>,
}

impl Source {
    /// Opens what a path or URL names: a database of PostgreSQL, a file of SQLite, a folder of data, an export, or
    /// a file of lines. Nothing is changed.
    ///
    /// # Errors
    /// When it is none of these, or cannot be read.
    pub fn open(name: &str) -> Result<Self, StoreError> {
        let mut source = Self::beside(name)?;
        if source.checkpoints.is_none() {
            source.checkpoints = checkpoint::registered(&mut *source.store)?;
        }
        Ok(source)
    }

    /// With the checkpoints that lie beside it.
    fn beside(name: &str) -> Result<Self, StoreError> {
        let path = match name.parse()? {
            Location::Sqlite(path) => path,
            location @ (Location::Postgres(_) | Location::Memory(_)) => {
                return Ok(Self { store: location.open_to_read()?, checkpoints: None });
            }
        };
        let fault = |what: &str| Err(StoreError::Database(format!("{}: {what}", path.display())));
        if path.is_dir() {
            let (lines, database) = (path.join(JOURNAL), path.join(DATABASE));
            let checkpoints = beside(&path)?;
            return match (lines.is_file(), database.is_file()) {
                (true, false) => Ok(Self { store: Box::new(LinesStore::open(&lines)?), checkpoints }),
                (false, true) => Ok(Self { store: Location::Sqlite(database).open_to_read()?, checkpoints }),
                (true, true) => fault("has both a database and an export; name the file itself"),
                (false, false) => fault(&format!(
                    "has neither {DATABASE} nor {JOURNAL}; name a folder or file with a journal"
                )),
            };
        }
        if !path.is_file() {
            return fault("there is no such file or folder");
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let checkpoints = beside(folder)?;
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            return Ok(Self { store: Box::new(LinesStore::open(&path)?), checkpoints });
        }
        Ok(Self { store: Location::Sqlite(path).open_to_read()?, checkpoints })
    }
}

/// The checkpoints in a folder. A last line that a crash left unfinished is no checkpoint yet.
fn beside(folder: &Path) -> Result<Option<String>, StoreError> {
    let path = folder.join(checkpoint::FILE);
    match std::fs::read_to_string(&path) {
        Ok(mut text) => {
            text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
            Ok(Some(text).filter(|text| !text.is_empty()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(&path, &error)),
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Database(format!("{}: {error}", path.display()))
}

fn read_only<T>() -> Result<T, StoreError> {
    Err(StoreError::Database("an export can only be read".to_string()))
}

impl LinesStore {
    /// Opens a file of lines.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        File::open(path).map_err(|error| unreadable(path, &error))?;
        Ok(Self { path: path.to_path_buf() })
    }

    fn lines(
        &self,
        each: &mut dyn FnMut(u64, Vec<u8>) -> Result<Flow, StoreError>,
    ) -> Result<(), StoreError> {
        let fault = |error: std::io::Error| unreadable(&self.path, &error);
        let mut file = BufReader::with_capacity(1 << 20, File::open(&self.path).map_err(fault)?);
        for position in 1.. {
            let mut line = Vec::with_capacity(640);
            if file.read_until(b'\n', &mut line).map_err(fault)? == 0 {
                break;
            }
            if line.pop() != Some(b'\n') {
                return Err(StoreError::Damaged { position, what: "the last line is not whole".to_string() });
            }
            if each(position, line)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl Store for LinesStore {
    fn lock(&mut self) -> Result<(), StoreError> {
        read_only()
    }

    fn commit(&mut self, _: u64, _: &[Row], _: &[Change]) -> Result<(), StoreError> {
        read_only()
    }

    fn rows(&mut self, select: Select, each: &mut dyn FnMut(u64, Row) -> Flow) -> Result<(), StoreError> {
        self.lines(&mut |position, line| {
            if matches!(select, Select::After(after) if position <= after) {
                return Ok(Flow::Continue(()));
            }
            let row = Row::from_line(line).map_err(|error| StoreError::Damaged {
                position,
                what: format!("is no line of a journal: {error}"),
            })?;
            match select {
                Select::Stream(stream, from) if row.stream != stream || row.sequence < from => {
                    Ok(Flow::Continue(()))
                }
                Select::Stream(..) | Select::After(_) => Ok(each(position, row)),
            }
        })
    }

    fn find(&mut self, stream: Stream, id: &CommandId) -> Result<Option<Row>, StoreError> {
        let mut found = None;
        self.rows(Select::Stream(stream, 1), &mut |_, row| {
            if row.id != *id {
                return Flow::Continue(());
            }
            found = Some(row);
            Flow::Break(())
        })?;
        Ok(found)
    }

    fn end(&mut self) -> Result<u64, StoreError> {
        let mut end = 0;
        self.lines(&mut |position, _| {
            end = position;
            Ok(Flow::Continue(()))
        })?;
        Ok(end)
    }

    fn entry(&mut self, _: &str, _: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(None)
    }

    fn has_registers(&self) -> bool {
        false
    }

    fn entries(&mut self, _: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        Ok(Vec::new())
    }

    fn dump(&mut self, each: crate::store::TakePart<'_>) -> Result<(), StoreError> {
        let mut taken = Ok(());
        self.rows(Select::After(0), &mut |position, row| {
            taken = each(crate::store::Part::Row(position, row));
            if taken.is_ok() { Flow::Continue(()) } else { Flow::Break(()) }
        })?;
        taken
    }

    fn range(
        &mut self,
        _: &str,
        _: Range<&str>,
        _: Order,
        _: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        Ok(Vec::new())
    }
}
