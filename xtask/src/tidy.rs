//! `cargo xtask tidy`: the rules of the house that no other tool checks.
//!
//! Each check is a pure function from text to findings, so that its tests can plant a violation. This
//! module only gathers the files and prints what was found.

mod arrows;
mod families;
mod glossary;
mod manifests;
mod sources;

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::args::Args;
use crate::invocation::Invocation;
use crate::metadata;

pub(crate) const HELP: &str = "\
Check what no other tool checks: which crate may depend on which, that every crate is under the workspace's
lints, that every Rust file says what it is for, that the glossary names places that exist, that no line compares the
family of a game, and that there are no unfinished places, silenced lints, switched-off tests, outgrown files or paths
of somebody's machine.

Usage: cargo xtask tidy
";

/// Something to be put right, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    path: String,
    /// Counted from 1; none when it is about the file as a whole.
    line: Option<usize>,
    message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.message),
            None => write!(f, "{}: {}", self.path, self.message),
        }
    }
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    args.finish()?;
    Ok(if check()? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints all findings; true if there are none.
pub(crate) fn check() -> Result<bool> {
    let mut findings = arrows::check(&metadata::packages()?);
    let mut words = glossary::Words::default();
    let mut terms = String::new();
    for path in project_files()? {
        // A listed file may be deleted but not yet committed as such, and a picture has no text.
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        findings.extend(manifests::check(&path, &text));
        findings.extend(sources::check(&path, &text));
        findings.extend(families::check(&path, &text));
        words.read(&path, &text);
        if path == glossary::PATH {
            terms = text;
        }
    }
    findings.extend(glossary::check(&terms, &words));
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => println!("tidy: nothing found"),
        count => println!("tidy: {count} to be put right"),
    }
    Ok(findings.is_empty())
}

/// What is in the repository or, unless ignored, will be with the next commit.
fn project_files() -> Result<Vec<String>> {
    let listed = Invocation::new("git ls-files -z --cached --others --exclude-standard")
        .read()
        .context("tidy looks at the files git knows")?;
    // The built UI is nobody's handwriting.
    let is_ours = |path: &&str| !path.is_empty() && !path.starts_with("crates/web/site/");
    let is_file = |path: &&str| is_ours(path) && Path::new(path).is_file();
    Ok(listed.split('\0').filter(is_file).map(str::to_owned).collect())
}
