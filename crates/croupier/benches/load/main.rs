//! The whole floor under load: `croupier serve` in a process of its own, this one as its clients.
//!
//! Durable bets over WebSocket on SQLite and PostgreSQL, beside two limits of the same run: the same lines appended
//! by the writer alone, and a handler that only reads the request and answers. Then spectators of one table. `crowd` is a
//! full house, and is run only if it is named.
#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::expect_used, reason = "without its server there is nothing to measure")]

mod bare;
mod bets;
mod crowd;
mod raw;
mod spectators;

use std::path::Path;

use croupier_testkit::floor::House;
use croupier_testkit::postgres::{Cluster, Durability};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--bare") {
        bare::serve();
        return;
    }
    let only = |name: &str| {
        let named: Vec<&String> =
            arguments.iter().skip(1).filter(|argument| !argument.starts_with('-')).collect();
        named.is_empty() || named.iter().any(|argument| name.contains(argument.as_str()))
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-load");
    // What an interrupted run may have left.
    let _ = std::fs::remove_dir_all(&folder);
    let binary = Path::new(env!("CARGO_BIN_EXE_croupier"));

    if arguments.iter().any(|argument| argument == "crowd") {
        let house = House::start(binary, &folder.join("crowd"), &[]).expect("the server starts");
        crowd::Crowd::asked().measure(&house);
        let _ = std::fs::remove_dir_all(&folder);
        return;
    }
    if only("bare") {
        bare::measure();
    }
    if only("sqlite") {
        raw::measure("SQLite", &croupier_journal::Location::Sqlite(folder.join("raw.sqlite")));
        let house = House::start(binary, &folder.join("sqlite"), &[]).expect("the server starts");
        bets::measure("SQLite", &house, bets::Limit { per_second: 50_000, milliseconds: Some(10) });
        verify(binary, &folder.join("sqlite"));
    }
    if only("spectators") {
        let house = House::start(binary, &folder.join("spectators"), &[]).expect("the server starts");
        spectators::measure(&house);
    }
    if only("postgresql") {
        let cluster = Cluster::start(Durability::Disk).expect("PostgreSQL starts");
        let database = cluster.database().expect("a database can be made");
        raw::measure("PostgreSQL", &croupier_journal::Location::Postgres(database.url()));
        let database = cluster.database().expect("a database can be made");
        let arguments = ["--database", &database.url()];
        let house = House::start(binary, &folder.join("postgresql"), &arguments).expect("the server starts");
        bets::measure("PostgreSQL", &house, bets::Limit { per_second: 20_000, milliseconds: None });
    }
    // Only what was measured on a disk has left something there.
    let _ = std::fs::remove_dir_all(&folder);
}

/// What was measured is worth nothing if the books do not hold.
fn verify(binary: &Path, data: &Path) {
    let mut command = std::process::Command::new(binary);
    let output = command.arg("verify").arg(data).output().expect("verify runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    println!("           `croupier verify` finds nothing wrong");
}
