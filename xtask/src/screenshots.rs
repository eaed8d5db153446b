//! `cargo xtask screenshots`: the pictures of the README, taken from the running product.

use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::args::Args;
use crate::invocation::Invocation;
use crate::setup::{self, Need};

pub(crate) const HELP: &str = "\
Start a demo floor, let it play, take the pictures that the README shows into docs/images, and record a round of each game
there.

Usage: cargo xtask screenshots
";

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    args.finish()?;
    setup::ensure(&[Need::Test, Need::Screenshots])?;
    let steps = ["cargo build --locked --release --package croupier", "npm --prefix web run pictures"];
    for step in steps {
        ensure!(Invocation::new(step).run()?, "`{step}` failed");
    }
    Ok(ExitCode::SUCCESS)
}
