//! `cargo xtask crowd`: a full house of automatic tables, with everybody on a WebSocket, and what it costs.
//!
//! It calls a benchmark of the command line, because nothing here links a crate of ours.

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::args::Args;
use crate::invocation::Invocation;

pub(crate) const HELP: &str = "\
Open automatic tables, seat seven players at each, let all of them bet over WebSockets, and say how long a bet takes
until it is durable and answered, what the server has in memory, and how many files each process may have open.

Usage: cargo xtask crowd [OPTIONS]

  --tables N         automatic tables; 1000 if left out, which takes minutes to seat
  --seconds N        how long they play; 60 if left out
";

pub(crate) fn run(mut args: Args) -> Result<ExitCode> {
    let tables = args.option::<u32>("--tables")?.unwrap_or(1_000);
    let seconds = args.option::<u32>("--seconds")?.unwrap_or(60);
    args.finish()?;
    ensure!(tables > 0 && seconds > 0, "without tables or time there is nothing to measure");
    let benchmark = Invocation::new("cargo bench --locked --package croupier --bench load -- crowd")
        .arg(format!("--tables={tables}"))
        .arg(format!("--seconds={seconds}"));
    ensure!(benchmark.run()?, "the crowd could not be measured");
    Ok(ExitCode::SUCCESS)
}
