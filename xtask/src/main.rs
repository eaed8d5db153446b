//! What is done to the project itself rather than by it: `cargo xtask setup`, `test`, `tidy`, `bench`, `crowd`, `fuzz`,
//! `history`, `prove`, `types`, `ui`, `screenshots`.
//!
//! One module per command. Nothing here is shipped, and no crate of ours is linked in, so that a broken
//! crate never keeps its own diagnosis from running.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is a command line tool that talks to people"
)]

mod args;
mod bench;
mod crowd;
mod fuzz;
mod history;
mod invocation;
mod metadata;
mod prove;
mod screenshots;
mod setup;
mod test;
mod tidy;
mod types;
mod ui;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

use crate::args::Args;

const HELP: &str = "\
What is done to the project itself.

Usage: cargo xtask COMMAND [OPTIONS]

  setup         install what the other commands need and this machine lacks
  test          everything a change must pass: format, lints, docs, tidy, tests, clause coverage
  tidy          what no other tool checks: crate arrows, leftovers, outgrown files, machine paths
  bench         run the benchmarks
  crowd         fill a thousand automatic tables with players on WebSockets, and measure
  fuzz          run the fuzz targets
  history       write a floor of many lines, and measure what it costs to start and to look back
  prove         try to break a floor: kill it, fail its disk, crowd its doors
  types         make the types of the browser UI again, after the interface changed
  ui            keep the browser UI as it is built, for machines without npm
  screenshots   take the pictures of the README from the running product

cargo xtask COMMAND --help says more.
";

fn main() -> ExitCode {
    match dispatch(Args::new(std::env::args().skip(1))) {
        Ok(exit) => exit,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(mut args: Args) -> Result<ExitCode> {
    let wants_help = args.flag("--help") | args.flag("-h");
    let command = args.positional();
    let (help, run): (_, fn(Args) -> Result<ExitCode>) = match command.as_deref() {
        Some("setup") => (setup::HELP, setup::run),
        Some("test") => (test::HELP, test::run),
        Some("tidy") => (tidy::HELP, tidy::run),
        Some("bench") => (bench::HELP, bench::run),
        Some("crowd") => (crowd::HELP, crowd::run),
        Some("fuzz") => (fuzz::HELP, fuzz::run),
        Some("history") => (history::HELP, history::run),
        Some("prove") => (prove::HELP, prove::run),
        Some("types") => (types::HELP, types::run),
        Some("ui") => (ui::HELP, ui::run),
        Some("screenshots") => (screenshots::HELP, screenshots::run),
        None | Some("help") => {
            print!("{HELP}");
            return Ok(if wants_help || command.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Some(unknown) => bail!("there is no command `{unknown}`; cargo xtask help lists them"),
    };
    if wants_help {
        print!("{help}");
        return Ok(ExitCode::SUCCESS);
    }
    std::env::set_current_dir(workspace_root()?).context("cannot enter the workspace")?;
    run(args)
}

/// Every command runs from here, whichever folder it was called in.
fn workspace_root() -> Result<PathBuf> {
    let manifest_dir = std::env::var_os("CARGO_MANIFEST_DIR").context("call this as `cargo xtask`")?;
    let mut root = PathBuf::from(manifest_dir);
    root.pop();
    Ok(root)
}
