//! `cargo xtask ui`: the built UI that the repository keeps for those who have no Node.js.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};

use crate::args::Args;
use crate::invocation::Invocation;
use crate::setup::{self, Need};

pub(crate) const HELP: &str = "\
Build the browser UI and keep it in crates/web/site, from where it is taken on machines without npm. A test compares
the two: call this after every change of web/.

Usage: cargo xtask ui
";

const SITE: &str = "crates/web/site";

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    args.finish()?;
    setup::ensure(&[Need::Test])?;
    if !Path::new("web/node_modules").is_dir() {
        ensure!(Invocation::new("npm --prefix web ci --no-audit --no-fund").run()?, "no packages for web/");
    }
    let build = Invocation::new(&format!("npm --prefix web run build -- --outDir ../{SITE} --emptyOutDir"));
    ensure!(build.run()?, "the UI could not be built");
    remove_compressed(Path::new(SITE))?;
    Ok(ExitCode::SUCCESS)
}

/// Their bytes depend on the Node.js that made them, so they would differ without a reason.
fn remove_compressed(folder: &Path) -> Result<()> {
    let read = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    for entry in read {
        let path = entry?.path();
        if path.is_dir() {
            remove_compressed(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "br") {
            fs::remove_file(&path).with_context(|| format!("{} cannot be removed", path.display()))?;
        }
    }
    Ok(())
}
