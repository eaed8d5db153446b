//! The suites at full length, as `cargo xtask prove` calls them: `prove NAME BINARY [NUMBER] [STORE]`.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use croupier_testkit::postgres::{Cluster, Durability};
use croupier_testkit::prove::failover::{self, Fault};
use croupier_testkit::prove::{Report, crash, disk, doors};

fn main() -> io::Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize| words.get(at).map(String::as_str);
    let binary = Path::new(word(1).ok_or_else(usage)?);
    let number = |usual: usize| word(2).map_or(Ok(usual), |text| text.parse().map_err(|_| usage()));
    let report = match word(0) {
        Some("crash") => {
            say("planting faults");
            crash::planted(binary)?;
            say("each was found");
            crash(binary, number(1_000)?, word(3).unwrap_or("sqlite"))?
        }
        Some("disk") => {
            say("planting a fault");
            disk::planted(binary)?;
            say("it was found");
            disk::run(binary, &disk::Options { step: 1, last: number(24)?, tells: true })?
        }
        Some("doors") => {
            say("planting faults");
            doors::planted(binary)?;
            say("each was found");
            let seconds = u64::try_from(number(60)?).unwrap_or(60);
            let crowds = doors::Options { silent: 10_000, deaf: 3_000, floods: 4, seconds, is_timed: true };
            doors::run(binary, &crowds)?
        }
        Some("failover") => {
            say("planting faults");
            let cluster = Cluster::start(Durability::Disk)?;
            failover::planted(binary, cluster.database()?.url())?;
            say("each was found");
            failover(binary, &cluster, number(100)?)?
        }
        _ => return Err(usage()),
    };
    say(&format!("\n{report}"));
    Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn crash(binary: &Path, kills: usize, store: &str) -> io::Result<Report> {
    match store {
        "sqlite" => crash::run(binary, &crash::Options { kills, database: None, tells: true }),
        "postgresql" => {
            let cluster = Cluster::start(Durability::Disk)?;
            let database = cluster.database()?;
            crash::run(binary, &crash::Options { kills, database: Some(database.url()), tells: true })
        }
        _ => Err(usage()),
    }
}

/// Everything goes wrong in turn, so many times in all.
fn failover(binary: &Path, cluster: &Cluster, faults: usize) -> io::Result<Report> {
    const ALL: [Fault; 5] = [
        Fault::LeaderKilled,
        Fault::RollingRestart,
        Fault::LeaderPaused,
        Fault::FollowerKilled,
        Fault::Database("the database crashes and starts again"),
    ];
    let database = cluster.database()?;
    let options = failover::Options {
        database: database.url(),
        faults: ALL.iter().copied().cycle().take(faults).collect(),
        lease_seconds: 3,
        strike: &|_| {
            cluster.crash()?;
            cluster.start_again()
        },
        tells: true,
    };
    failover::run(binary, &options)
}

fn usage() -> io::Error {
    io::Error::other(
        "prove crash|disk|doors|failover BINARY [NUMBER] [sqlite|postgresql]; see cargo xtask prove --help",
    )
}

#[expect(clippy::print_stdout, reason = "it is a command that talks to people")]
fn say(what: &str) {
    println!("{what}");
}
