//! Snapshots: after every step of every scenario the table and its books are stored as JSON and read again.
//! What comes back is the same and goes on in the same way.
#![expect(clippy::unwrap_used, reason = "helpers fail a test by panicking")]

use std::sync::Arc;

use croupier_ledger::{TableId, TransferId};
use croupier_rounds::scenarios::STANDARD;
use croupier_rounds::{Step, run};
use croupier_rules::Library;
use croupier_table::books::Books;
use croupier_table::snapshot::{Snapshot, SnapshotFault};
use croupier_table::{Event, Setup, Table, Views, apply};
use serde_json::{Value, json};

const ID: TableId = TableId(7);

/// The table that a scenario opens and the events of its commands; nothing where no table is opened.
fn journal(library: &Library, path: &str) -> Option<(Arc<Setup>, Vec<Vec<Event>>)> {
    let scenario = STANDARD.iter().find(|scenario| scenario.path == path).unwrap();
    let (mut setup, mut steps) = (None, Vec::new());
    for step in run(library, &scenario.file().unwrap()).steps {
        match step {
            Step::Opened(opening) => {
                let (rulebook, _) = library.find(&opening.game).unwrap();
                setup = Some(Arc::new(Setup::new(rulebook, &opening).unwrap()));
            }
            Step::Table(_, events) => steps.push(events),
            Step::Disputed(..) | Step::Case(..) => {}
        }
    }
    Some((setup?, steps))
}

/// Stored as text, read, restored.
fn again(table: &Table) -> Table {
    let snapshot = table.snapshot();
    let text = serde_json::to_string(&snapshot).unwrap();
    let read: Snapshot = serde_json::from_str(&text).unwrap();
    assert_eq!(read, snapshot, "{text}");
    // By way of a value too, as a store with columns of JSON does it.
    assert_eq!(serde_json::from_value::<Snapshot>(serde_json::to_value(&read).unwrap()).unwrap(), snapshot);
    Table::restore(table.id, table.setup.clone(), read).unwrap()
}

fn books_again(books: &Books) -> Books {
    serde_json::from_str(&serde_json::to_string(books).unwrap()).unwrap()
}

/// A table, its books, and the id of the next transfer.
#[derive(Clone)]
struct Desk(Table, Books, TransferId);

impl Desk {
    fn follow(&mut self, events: &[Event]) -> String {
        let Self(table, books, next_id) = self;
        events.iter().for_each(|event| apply(table, event));
        format!("{:x} {:?}", table.fingerprint(), books.batch(events, next_id))
    }

    fn again(&self) -> Self {
        Self(again(&self.0), books_again(&self.1), self.2)
    }
}

fn check(library: &Library, path: &str) -> usize {
    let Some((setup, steps)) = journal(library, path) else { return 0 };
    let mut desk = Desk(Table::new(ID, setup.clone()), Books::new(ID, &setup), TransferId(1));
    let mut states = vec![desk.clone()];
    let mut told = Vec::new();
    for events in &steps {
        told.push(desk.follow(events));
        states.push(desk.clone());
    }
    for (at, state) in states.iter().enumerate() {
        let mut restored = state.again();
        assert_eq!(restored.0.fingerprint(), state.0.fingerprint(), "{path}, after step {at}");
        assert_eq!(restored.1, state.1, "{path}, after step {at}");
        assert!(Views::new(&restored.0) == Views::new(&state.0), "{path}, after step {at}");
        for (events, told) in steps.iter().zip(&told).skip(at) {
            assert_eq!(&restored.follow(events), told, "{path}, restored after step {at}");
        }
    }
    states.len()
}

#[test]
fn a_restored_table_is_the_same_and_goes_on_in_the_same_way() {
    let library = Library::standard();
    let states: usize = STANDARD.iter().map(|scenario| check(&library, scenario.path)).sum();
    assert!(states > 5_000, "{states}");
}

/// A table in the middle of a round, with wagers, cards and rounds before it.
fn table() -> Table {
    let library = Library::standard();
    let (setup, steps) = journal(&library, "hoiana-baccarat/pro-rata.round").unwrap();
    let mut table = Table::new(ID, setup);
    let mut events = steps.iter().flatten();
    while table.round.deal.draws().is_empty() || table.board.marks.is_empty() {
        apply(&mut table, events.next().unwrap());
    }
    table
}

/// What comes of the snapshot after `damage`.
fn damaged(damage: impl FnOnce(&mut Value)) -> Result<u64, SnapshotFault> {
    let table = table();
    let mut value = serde_json::to_value(table.snapshot()).unwrap();
    damage(&mut value);
    let snapshot = serde_json::from_value(value).unwrap();
    Table::restore(ID, table.setup.clone(), snapshot).map(|table| table.fingerprint())
}

#[test]
fn what_is_not_exactly_the_table_is_refused() {
    assert_eq!(damaged(|_| {}), Ok(table().fingerprint()));
    assert_eq!(damaged(|value| value["form"] = json!(2)), Err(SnapshotFault::Form { form: 2 }));
    assert_eq!(damaged(|value| value["rules"] = json!(2)), Err(SnapshotFault::OtherRules));
    assert_eq!(damaged(|value| value["fingerprint"] = json!(2)), Err(SnapshotFault::Differs));
    assert_eq!(damaged(|value| value["float"] = json!(1)), Err(SnapshotFault::Differs));
    assert_eq!(damaged(|value| value["marks"] = json!([])), Err(SnapshotFault::Differs));
    assert_eq!(damaged(|value| value["round"]["draws"] = json!([])), Err(SnapshotFault::Differs));
    assert_eq!(damaged(|value| value["round"]["liability"][0] = json!("1")), Err(SnapshotFault::Differs));
    // Another table's.
    let table = table();
    let restored = Table::restore(TableId(8), table.setup.clone(), table.snapshot());
    assert_eq!(restored.map(|_| ()), Err(SnapshotFault::Differs));
    // Opened under another game, with other places of bets.
    let library = Library::standard();
    let (setup, _) = journal(&library, "mbs-dragon-tiger/irr-02-unshuffled.round").unwrap();
    let restored = Table::restore(ID, setup, table.snapshot());
    assert_eq!(restored.map(|_| ()), Err(SnapshotFault::OtherRules));
}

#[test]
fn what_cannot_be_read_strictly_is_no_snapshot() {
    let whole = serde_json::to_value(table().snapshot()).unwrap();
    let unreadable = |damage: fn(&mut Value)| {
        let mut value = whole.clone();
        damage(&mut value);
        serde_json::from_value::<Snapshot>(value).unwrap_err().to_string()
    };
    assert!(unreadable(|value| value["luck"] = json!(7)).contains("unknown field `luck`"));
    assert!(unreadable(|value| value["round"]["deal"] = json!([])).contains("unknown field `deal`"));
    for sum in ["+1", "01", "1.0", "", "-0"] {
        let mut value = whole.clone();
        value["round"]["liability"][0] = json!(sum);
        let error = serde_json::from_value::<Snapshot>(value).unwrap_err().to_string();
        assert!(error.contains("is no whole number"), "{sum}: {error}");
    }
}
