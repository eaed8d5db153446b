//! `cargo xtask history`: a floor with a long history, written through the real server, and what it costs.
//!
//! It calls an example of the server, because nothing here links a crate of ours.

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::args::Args;
use crate::invocation::Invocation;

pub(crate) const HELP: &str = "\
Write a floor of many lines through the real server, then start it anew and measure: the time until it is ready,
its memory, and each way of looking back. What is bounded costs the same whatever the number of lines.

Usage: cargo xtask history [OPTIONS]

  --lines N[,N…]     how many lines, each a floor of its own; 100000 if left out
  --tables N         automatic tables with seven players each; 8 if left out
  --database NAME    sqlite, postgresql (a throw-away cluster) or sqlite,postgresql; sqlite if left out
  --out DIR          keep the data folder there; a folder that has a floor is added to
  --debug            without optimising, which builds sooner and measures slopes only
";

pub(crate) fn run(mut args: Args) -> Result<ExitCode> {
    let lines = args.option::<String>("--lines")?.unwrap_or_else(|| "100000".to_string());
    let tables = args.option::<u32>("--tables")?.unwrap_or(8);
    let database = args.option::<String>("--database")?.unwrap_or_else(|| "sqlite".to_string());
    let out = args.option::<String>("--out")?;
    let debug = args.flag("--debug");
    args.finish()?;
    for store in database.split(',') {
        ensure!(
            ["sqlite", "postgresql"].contains(&store),
            "--database is sqlite, postgresql or both, and not `{store}`"
        );
    }
    for lines in lines.split(',') {
        ensure!(lines.parse::<u64>().is_ok_and(|lines| lines > 0), "--lines cannot be `{lines}`");
        let profile = if debug { "" } else { "--release " };
        let example =
            format!("cargo run --locked {profile}--package croupier-server --example history -- write");
        let mut writing = Invocation::new(&example).arg(lines).arg(tables.to_string()).arg(&database);
        if let Some(out) = &out {
            writing = writing.arg(out);
        }
        ensure!(writing.run()?, "the floor of {lines} lines could not be written or measured");
    }
    Ok(ExitCode::SUCCESS)
}
