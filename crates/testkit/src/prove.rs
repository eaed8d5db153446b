//! Suites that try to break a floor as its users run it, and hold what they were told against what is there after:
//! `cargo xtask prove`, and in short among the tests.
//!
//! Each first plants a fault that it must find. One that does not find it has shown nothing, and says so.

pub mod crash;
pub mod disk;
pub mod doors;
pub mod failover;
pub mod load;
pub mod record;
pub mod shim;

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

/// What a suite has measured, a line for each figure.
#[derive(Clone, Debug, Default)]
pub struct Report {
    lines: Vec<(String, String)>,
    /// Promises that were not kept.
    broken: Vec<String>,
}

impl Report {
    /// Adds a figure.
    pub fn add(&mut self, what: impl Into<String>, figure: impl fmt::Display) {
        self.lines.push((what.into(), figure.to_string()));
    }

    /// Notes a promise that was not kept.
    pub fn break_promise(&mut self, what: impl Into<String>) {
        self.broken.push(what.into());
    }

    /// Whether everything was as promised.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.broken.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.lines.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
        for (what, figure) in &self.lines {
            writeln!(f, "{what:<width$}  {figure}")?;
        }
        for what in &self.broken {
            writeln!(f, "NOT KEPT: {what}")?;
        }
        Ok(())
    }
}

/// That something is not as it was promised.
pub(crate) fn wrong(what: impl Into<String>) -> io::Error {
    io::Error::other(what.into())
}

/// Copies a folder with all it holds, without logs.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to.join(&name))?;
        } else if !name.to_string_lossy().starts_with("log-") {
            fs::copy(entry.path(), to.join(&name))?;
        }
    }
    Ok(())
}

/// Whether `croupier verify` finds all well; what it says if it does not.
pub(crate) fn verify(binary: &Path, database: &str) -> io::Result<()> {
    let verified = std::process::Command::new(binary).args(["verify", database]).output()?;
    if verified.status.success() {
        return Ok(());
    }
    let said = [verified.stdout, verified.stderr].concat();
    Err(wrong(format!("`croupier verify` ends with {}: {}", verified.status, String::from_utf8_lossy(&said))))
}
