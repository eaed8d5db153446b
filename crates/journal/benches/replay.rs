//! Automatic baccarat tables with seven players and three bets each, played and journaled; then rebuilt from the store
//! on two threads, against the limit of two million events a second. Every table must come out as it was.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::expect_used, clippy::panic, reason = "without its journal there is nothing to measure")]

#[path = "replay/play.rs"]
mod play;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use croupier_journal::store::Flow;
use croupier_journal::{Location, Shelf, Stream, replay};
use croupier_testkit::postgres::{Cluster, Durability};
use play::Floor;

const LIMIT: f64 = 2_000_000.0;
const COMMANDS: usize = 400_000;
const TABLES: u32 = 8;
const THREADS: usize = 2;
const RUNS: usize = 5;

fn main() {
    let shelf = Shelf::standard().expect("the rulebooks are good");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-replay");
    // What an interrupted run may have left.
    let _ = std::fs::remove_dir_all(&folder);
    let cluster = Cluster::start(Durability::Disk).expect("PostgreSQL starts");
    let database = cluster.database().expect("a database can be made");
    let stores = [
        ("SQLite", Location::Sqlite(folder.join("journal.db"))),
        ("PostgreSQL", Location::Postgres(database.url())),
    ];

    let mut floor = Floor::open(&shelf, TABLES);
    let mut connections =
        stores.each_ref().map(|(_, location)| location.open().expect("the store can be made"));
    let (mut position, mut bytes) = (1_u64, 0);
    while floor.commands < COMMANDS {
        let rows = floor.play();
        bytes += rows.iter().map(|row| row.line.len()).sum::<usize>();
        for store in &mut connections {
            store.commit(position, &rows, &[]).expect("the store takes it");
        }
        position += u64::try_from(rows.len()).expect("a few rows");
    }
    drop(connections);
    let expected = floor.fingerprints();
    println!(
        "{} commands at {TABLES} tables, {} events, {} bytes a line",
        floor.commands,
        floor.events,
        bytes / floor.commands.max(1)
    );

    // The best of some runs: others may be using the machine.
    for (name, location) in &stores {
        let (mut best, mut reading) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..RUNS {
            let start = Instant::now();
            let mut store = location.open_to_read().expect("the store can be read");
            store.replay(0..position, &mut |_| Flow::Continue(())).expect("the lines can be read");
            reading = reading.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            let tables = replay::tables(location, &shelf, THREADS).expect("the lines can be applied");
            best = best.min(start.elapsed().as_secs_f64());
            let found: BTreeMap<Stream, u64> = tables
                .iter()
                .map(|(id, replayed)| (Stream::Table(*id), replayed.table.fingerprint()))
                .collect();
            assert!(found == expected, "the tables come out otherwise than they were");
        }
        let events = floor.events as f64;
        println!(
            "{name:10} {:>9.0} events/s {:>9.0} rows/s   {:.2} of the limit   read alone {:>9.0} rows/s",
            events / best,
            floor.commands as f64 / best,
            events / best / LIMIT,
            floor.commands as f64 / reading,
        );
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}
