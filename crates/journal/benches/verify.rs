//! How fast a journal is verified, in rows a second: `cargo bench -p croupier-journal --bench verify`.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    dead_code,
    reason = "a bench prints, and shares its floor with the tests"
)]

#[path = "../tests/verify/floor.rs"]
mod floor;

use std::time::Instant;

use croupier_journal::store::Memory;
use croupier_journal::verify::{Against, verify};
use croupier_journal::{Location, Store};
use croupier_ledger::TableId;
use floor::Floor;

fn main() {
    let games = ["hoiana-baccarat/commission", "mbs-dragon-tiger", "hoiana-baccarat/non-commission"];
    let mut floor = Floor::open(&games);
    while floor.rows.len() < 200_000 {
        for table in (1..).zip(games).map(|(id, _)| TableId(id)) {
            floor.play(table, 50);
        }
        floor.checkpoint();
    }
    let folder = std::env::temp_dir().join(format!("croupier-bench-{}", std::process::id()));
    let mut memory = Memory::default();
    memory.commit(1, &floor.rows, &[]).unwrap();
    let path = folder.join("croupier.sqlite");
    Location::Sqlite(path.clone()).open().unwrap().commit(1, &floor.rows, &[]).unwrap();
    let stores: [(&str, Box<dyn Store>); 2] =
        [("memory", Box::new(memory)), ("SQLite", Location::Sqlite(path).open_to_read().unwrap())];
    for (name, mut store) in stores {
        let against = Against { checkpoints: Some(&floor.checkpoints), trusted: None };
        let begun = Instant::now();
        let summary = verify(&mut *store, against, &mut |_| {}).unwrap();
        let seconds = begun.elapsed().as_secs_f64();
        let bytes: usize = floor.rows.iter().map(|row| row.line.len()).sum();
        println!(
            "{name:8} {:>9} rows, {:>6} rounds, {bytes} bytes: {:.0} rows a second",
            summary.rows,
            summary.rounds,
            floor.rows.len() as f64 / seconds
        );
    }
    let _ = std::fs::remove_dir_all(folder);
}
