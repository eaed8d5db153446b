//! `cargo xtask types`: the document of the interface, and from it the types of the browser UI.
//!
//! Both are kept in the repository, so that the UI builds without a server; a test holds them to the code.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};

use crate::args::Args;
use crate::invocation::Invocation;
use crate::setup::{self, Need};

pub(crate) const HELP: &str = "\
Write web/openapi.json from the server's own types, and web/src/api/schema.d.ts from that.

Usage: cargo xtask types
";

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    args.finish()?;
    setup::ensure(&[Need::Test])?;
    let document = Invocation::new("cargo run --quiet --locked --package croupier-server --example openapi");
    fs::write("web/openapi.json", document.read()?).context("web/openapi.json cannot be written")?;
    ensure!(Invocation::new("npm --prefix web run types").run()?, "the types could not be made");
    Ok(ExitCode::SUCCESS)
}
