//! A store for one test, and the database beneath it for tests that go around the store.

use croupier_journal::store::Flow;
use croupier_journal::{CommandId, Kind, Location, Row, Select, Store, Stream};
use croupier_testkit::postgres::{Database, database};
use croupier_testkit::{TempDir, tempdir};

/// Where a test keeps its rows.
pub(crate) struct Place {
    pub(crate) location: Location,
    under: Under,
}

enum Under {
    Nothing,
    Folder(TempDir),
    Database(Database),
}

impl Place {
    pub(crate) fn memory() -> Self {
        Self { location: Location::memory(), under: Under::Nothing }
    }

    pub(crate) fn sqlite() -> Self {
        let folder = tempdir().unwrap();
        // The store makes the folder.
        let path = folder.path().join("floor").join("journal.db");
        Self { location: Location::Sqlite(path), under: Under::Folder(folder) }
    }

    pub(crate) fn postgres() -> Self {
        let database = database().unwrap();
        Self { location: Location::Postgres(database.url()), under: Under::Database(database) }
    }

    pub(crate) fn open(&self) -> Box<dyn Store> {
        self.location.open().unwrap()
    }

    /// Runs SQL around the store; what the database says if it refuses. `None` if there is none.
    pub(crate) fn sql(&self, text: &str) -> Option<Result<(), String>> {
        match (&self.under, &self.location) {
            (Under::Folder(_), Location::Sqlite(path)) => {
                let connection = rusqlite::Connection::open(path).unwrap();
                Some(connection.execute_batch(text).map_err(|error| error.to_string()))
            }
            (Under::Database(database), _) => {
                Some(database.query(text).map(drop).map_err(|error| error.to_string()))
            }
            _ => None,
        }
    }

    /// What is there: files in the folder or tables in the database.
    pub(crate) fn things(&self) -> Vec<String> {
        match &self.under {
            Under::Nothing => Vec::new(),
            Under::Folder(folder) => std::fs::read_dir(folder.path())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect(),
            Under::Database(database) => database
                .query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
                .unwrap()
                .lines()
                .map(ToString::to_string)
                .collect(),
        }
    }
}

/// A stream by its name.
pub(crate) fn stream(name: &str) -> Stream {
    name.parse().unwrap()
}

/// A row; a store does not look into lines.
pub(crate) fn row(name: &str, sequence: u64, id: &str, line: &str) -> Row {
    let id = CommandId::new(id).unwrap();
    let (kind, line) = (Kind::Table, line.as_bytes().to_vec());
    Row { stream: stream(name), sequence, id, kind, events_at: 7, line }
}

/// All selected rows.
pub(crate) fn rows(store: &mut dyn Store, select: Select) -> Vec<(u64, Row)> {
    let mut found = Vec::new();
    store
        .rows(select, &mut |position, row| {
            found.push((position, row));
            Flow::Continue(())
        })
        .unwrap();
    found
}

/// The lines of the selected rows.
pub(crate) fn lines(store: &mut dyn Store, select: Select) -> Vec<String> {
    rows(store, select).into_iter().map(|(_, row)| String::from_utf8(row.line).unwrap()).collect()
}
