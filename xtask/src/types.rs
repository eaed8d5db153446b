//! `cargo xtask types`: the document of the interface, from it the types of the browser UI, and the conditions that the
//! UI is tested with.
//!
//! All are kept in the repository, so that the UI builds without a server; tests hold them to the code.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};

use crate::args::Args;
use crate::invocation::Invocation;
use crate::setup::{self, Need};

pub(crate) const HELP: &str = "\
Write web/openapi.json from the server's own types, web/src/api/schema.d.ts from that, and
web/src/lib/conditions.examples.json from the rulebooks.

Usage: cargo xtask types
";

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    args.finish()?;
    setup::ensure(&[Need::Test])?;
    let document = Invocation::new("cargo run --quiet --locked --package croupier-server --example openapi");
    fs::write("web/openapi.json", document.read()?).context("web/openapi.json cannot be written")?;
    let conditions = Invocation::new(
        "cargo run --quiet --locked --package croupier-rules --features serde --example conditions",
    );
    fs::write("web/src/lib/conditions.examples.json", conditions.read()?)
        .context("web/src/lib/conditions.examples.json cannot be written")?;
    ensure!(Invocation::new("npm --prefix web run types").run()?, "the types could not be made");
    Ok(ExitCode::SUCCESS)
}
