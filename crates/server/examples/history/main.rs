//! A floor of as many lines as are asked for, written through the real server, and what it costs to start it and to
//! look back: `cargo xtask history`.
//!
//! A floor is measured in a process of its own, so that its memory is that of a server which has just started.
#![expect(clippy::print_stdout, reason = "it reports")]
#![expect(clippy::expect_used, clippy::panic, reason = "without its floor there is nothing to measure")]

mod measure;
mod write;

use std::path::{Path, PathBuf};
use std::process::Command;

use croupier_server::table::dealer::Pace;
use croupier_server::{Config, limits::Rate, people::Cost};
use croupier_testkit::postgres::{Cluster, Durability};

/// How long windows are open, in hundredths of what the tables are set to.
const WINDOW: u32 = 1;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next();
    match next().as_deref() {
        Some("measure") => {
            let (data, database) = (next().expect("the folder"), next());
            runtime().block_on(measure::measure(config(Path::new(&data), database)));
        }
        Some("write") => {
            let lines = next().and_then(|lines| lines.parse().ok()).expect("how many lines");
            let tables = next().and_then(|tables| tables.parse().ok()).expect("how many tables");
            let stores = next().expect("the databases");
            let kept = next().map(PathBuf::from);
            for store in stores.split(',') {
                one(store, lines, tables, kept.as_deref());
            }
        }
        Some(_) | None => panic!("call this as `cargo xtask history`"),
    }
}

/// Writes a floor into a database of this kind, and measures it.
fn one(store: &str, lines: u64, tables: usize, kept: Option<&Path>) {
    let temporary = croupier_testkit::tempdir().expect("a folder");
    let data = kept.unwrap_or_else(|| temporary.path()).join(store);
    let cluster =
        (store == "postgresql").then(|| Cluster::start(Durability::Memory).expect("PostgreSQL starts"));
    let database = cluster.as_ref().map(|cluster| cluster.database().expect("a database can be made"));
    let url = database.as_ref().map(croupier_testkit::postgres::Database::url);
    println!("{store}, {lines} lines at {tables} tables");
    runtime().block_on(write::write(config(&data, url.clone()), lines, tables));
    let mut measuring = Command::new(std::env::current_exe().expect("this program"));
    let measured = measuring.arg("measure").arg(&data).args(url).status().expect("it starts");
    assert!(measured.success(), "the floor could not be measured");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime")
}

fn config(data: &Path, database: Option<String>) -> Config {
    let mut config = Config {
        data: data.to_path_buf(),
        database,
        pace: Pace { step_milliseconds: 0, result_milliseconds: 0, windows_percent: WINDOW },
        ..Config::default()
    };
    // Nobody guesses at passwords here, and everybody asks at once.
    config.people.cost = Cost { memory_kib: 8, passes: 1, at_once: 2 };
    let no_limit = Rate { per_minute: 0, burst: 1 };
    (config.limits.requests, config.limits.anonymous, config.limits.sign_ins) =
        (no_limit, no_limit, no_limit);
    config
}
