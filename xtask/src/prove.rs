//! `cargo xtask prove`: the suites that try to break a floor, at full length.
//!
//! It builds the server and calls a program of the testkit, because nothing here links a crate of ours.

use std::process::ExitCode;

use anyhow::{Result, bail, ensure};

use crate::args::Args;
use crate::invocation::Invocation;

pub(crate) const HELP: &str = "\
Try to break a floor as its users run it, and hold what it answered against what is there after. Every suite first
plants a fault that it must find. Short forms are among the tests (`cargo nextest run -p croupier --test prove`).

Usage: cargo xtask prove NAME [OPTIONS]

  crash    kill the server under load, and while it starts: nothing that was answered is lost or doubled
             --kills N          how often; 1000 if left out
             --database NAME    sqlite, postgresql (a throw-away cluster) or sqlite,postgresql; both if left out
  disk     every call fails once: EIO, ENOSPC, short writes; files that are cut, torn, or older than they were
             --calls N          up to the N-th call of each kind; 24 if left out
  doors    10,000 silent connections, 3,000 WebSockets that do not read, floods of sign-ins and denials, while a
           player bets: the 99th percentile under 25 ms, a PIN under 200 ms, memory under 400 MB. As many connections
           as the limit of open files lets come: raise it (`ulimit -n`) to 16384 or more
             --seconds N        for how long it is measured; 60 if left out
  failover three nodes on one PostgreSQL, under load at all of them: the leader is killed, stands still, all are
           restarted in turn, followers and the database die. Nothing that was answered is lost or doubled, no two
           nodes lead under one epoch; how long nobody could bet, for each fault
             --faults N         how many faults in all; 100 if left out

  --debug  without optimising, which builds sooner; its figures mean nothing
";

pub(crate) fn run(mut args: Args) -> Result<ExitCode> {
    let kills = args.option::<u32>("--kills")?;
    let database = args.option::<String>("--database")?;
    let calls = args.option::<u32>("--calls")?;
    let seconds = args.option::<u32>("--seconds")?;
    let faults = args.option::<u32>("--faults")?;
    let debug = args.flag("--debug");
    let name = args.positional();
    args.finish()?;
    let calls =
        |program: &str| suites(program, name.as_deref(), kills, database.as_deref(), calls, seconds, faults);
    // What is asked for is understood before anything is built.
    let program = if debug { "target/debug/croupier" } else { "target/release/croupier" };
    let suites = calls(program)?;
    let profile = if debug { "" } else { " --release" };
    let built = Invocation::new(&format!("cargo build --locked --package croupier{profile}")).run()?
        && Invocation::new("cargo build --locked --package croupier-testkit --bin prove").run()?;
    ensure!(built, "the server could not be built");
    for suite in suites {
        ensure!(suite.run()?, "`{suite}` failed");
    }
    Ok(ExitCode::SUCCESS)
}

/// The command lines of a suite.
fn suites(
    program: &str,
    name: Option<&str>,
    kills: Option<u32>,
    database: Option<&str>,
    calls: Option<u32>,
    seconds: Option<u32>,
    faults: Option<u32>,
) -> Result<Vec<Invocation>> {
    let suite = |name: &str, number: u32| {
        Invocation::new("target/debug/prove").arg(name).arg(program).arg(number.to_string())
    };
    let is_odd = match name {
        Some("crash") => calls.or(seconds).or(faults).is_some(),
        Some("disk") => kills.or(seconds).or(faults).is_some() || database.is_some(),
        Some("doors") => kills.or(calls).or(faults).is_some() || database.is_some(),
        Some("failover") => kills.or(calls).or(seconds).is_some() || database.is_some(),
        Some(unknown) => bail!("there is no suite `{unknown}`; there are crash, disk, doors and failover"),
        None => bail!("name a suite: crash, disk, doors or failover"),
    };
    ensure!(!is_odd, "that option is not of this suite; cargo xtask prove --help lists them");
    match name {
        Some("crash") => {
            let stores = database.unwrap_or("sqlite,postgresql").split(',');
            stores
                .map(|store| {
                    ensure!(
                        ["sqlite", "postgresql"].contains(&store),
                        "--database is sqlite, postgresql or both, and not `{store}`"
                    );
                    Ok(suite("crash", kills.unwrap_or(1_000)).arg(store))
                })
                .collect()
        }
        Some("failover") => Ok(vec![suite("failover", faults.unwrap_or(100))]),
        Some("disk") => Ok(vec![suite("disk", calls.unwrap_or(24))]),
        _ => Ok(vec![suite("doors", seconds.unwrap_or(60))]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(name: &str, kills: Option<u32>, database: Option<&str>) -> Result<Vec<String>> {
        let suites = suites("croupier", Some(name), kills, database, None, None, None)?;
        Ok(suites.iter().map(Invocation::to_string).collect())
    }

    #[test]
    fn both_stores_are_killed_a_thousand_times_unless_something_else_is_said() {
        let expected = [
            "target/debug/prove crash croupier 1000 sqlite",
            "target/debug/prove crash croupier 1000 postgresql",
        ];
        assert_eq!(lines("crash", None, None).unwrap(), expected);
        assert_eq!(
            lines("crash", Some(3), Some("sqlite")).unwrap(),
            ["target/debug/prove crash croupier 3 sqlite"]
        );
    }

    #[test]
    fn what_is_not_understood_is_refused_before_anything_is_built() {
        assert!(lines("crahs", None, None).is_err());
        assert!(lines("crash", None, Some("mysql")).is_err());
        assert!(lines("doors", Some(5), None).unwrap_err().to_string().contains("not of this suite"));
    }
}
