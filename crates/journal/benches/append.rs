//! Durable rows through the writer, from producers that each wait for their answer: rows a second, and how long
//! an answer takes. SQLite lies in the target folder and PostgreSQL waits for its disk, as in a casino.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::expect_used, reason = "without its store there is nothing to measure")]

use std::path::Path;
use std::time::{Duration, Instant};

use croupier_journal::{CommandId, Kind, Location, Row, Stream, Writer};
use croupier_ledger::TableId;
use croupier_testkit::postgres::{Cluster, Durability};

const PRODUCERS: u32 = 64;
const LINE: usize = 600;
const TIME: Duration = Duration::from_secs(6);

fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-append");
    // What an interrupted run may have left.
    let _ = std::fs::remove_dir_all(&folder);
    measure("SQLite", &Location::Sqlite(folder.join("journal.db")));
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");

    let cluster = Cluster::start(Durability::Disk).expect("PostgreSQL starts");
    let database = cluster.database().expect("a database can be made");
    measure("PostgreSQL", &Location::Postgres(database.url()));
}

fn measure(name: &str, location: &Location) {
    let writer = Writer::start(location).expect("the store can be written to");
    let start = Instant::now();
    let give = &writer;
    let mut waits: Vec<Duration> = std::thread::scope(|scope| {
        let producers: Vec<_> =
            (1..=PRODUCERS).map(|table| scope.spawn(move || produce(give, table, start))).collect();
        producers.into_iter().flat_map(|producer| producer.join().expect("producers do not fail")).collect()
    });
    let seconds = start.elapsed().as_secs_f64();
    drop(writer);
    waits.sort_unstable();
    let rows = waits.len();
    let at =
        |percent: usize| waits.get(rows * percent / 100).copied().unwrap_or_default().as_secs_f64() * 1e3;
    println!(
        "{name:10} {PRODUCERS} producers {:>7.0} rows/s   an answer takes {:.2} ms in the middle, {:.2} ms at p99, {:.1} ms at most",
        rows as f64 / seconds,
        at(50),
        at(99),
        waits.last().copied().unwrap_or_default().as_secs_f64() * 1e3,
    );
    let end = location.open_to_read().and_then(|mut store| store.end()).expect("the store can be read");
    assert_eq!(usize::try_from(end), Ok(rows), "all rows are there");
}

/// Appends a row of a table's stream after the other; how long each took.
fn produce(writer: &Writer, table: u32, start: Instant) -> Vec<Duration> {
    let stream = Stream::Table(TableId(table));
    let mut waits = Vec::new();
    for sequence in 1.. {
        // Ids as they come from outside: in no order.
        let number = (sequence * 64 + u64::from(table)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let id = CommandId::new(&format!("{number:016x}-{sequence:016x}")).expect("an id");
        let line = vec![b'x'; LINE];
        let given = Instant::now();
        if given - start >= TIME {
            break;
        }
        let row = Row { stream, sequence, id, kind: Kind::Table, events_at: 300, line };
        writer.append(vec![row], Vec::new()).expect("the store takes it");
        waits.push(given.elapsed());
    }
    waits
}
