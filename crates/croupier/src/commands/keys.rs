//! `croupier keys`: the keys of a floor.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use croupier_journal::checkpoint::{self, Checkpoint};
use croupier_journal::{Hash, Keys};

/// The keys of a floor: the one that signs checkpoints can be changed
#[derive(Debug, clap::Subcommand)]
pub(crate) enum KeysCommand {
    /// Show the public keys that have signed the floor's checkpoints, which auditors need; the one in use comes first
    ///
    /// `verify --key` takes any of them.
    Show(KeysArgs),
    /// Put a new signing key in place of the old one, which certifies it at the next start
    ///
    /// The server must be stopped: this is refused while it runs. The old key is kept beside the new one, because its last act is to sign a
    /// checkpoint that names its successor.
    Rotate(KeysArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct KeysArgs {
    /// The data folder of the floor
    #[arg(long, value_name = "DIR", default_value = "croupier-data")]
    data: PathBuf,
}

/// Runs the command.
pub(crate) fn run(command: &KeysCommand, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (KeysCommand::Show(KeysArgs { data }) | KeysCommand::Rotate(KeysArgs { data })) = command;
    let folder = data.join("keys");
    anyhow::ensure!(
        folder.join("signing.key").exists(),
        "there are no keys in {}; --data names the data folder of the floor",
        folder.display()
    );
    if let KeysCommand::Rotate(_) = command {
        Keys::rotate(&folder)?;
    }
    let public = Keys::open(&folder)?.public();
    let signed = signed(&data.join(checkpoint::FILE))?;
    let of = |key: Hash| signed.iter().find(|signed| signed.key == key);
    match of(public) {
        Some(Signed { first, last, .. }) => writeln!(out, "{public}  in use, checkpoints {first} to {last}")?,
        None => writeln!(out, "{public}  in use, no checkpoint yet")?,
    }
    for Signed { key, first, last } in signed.iter().rev().filter(|signed| signed.key != public) {
        writeln!(out, "{key}  checkpoints {first} to {last}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A key, and the checkpoints that it signed.
struct Signed {
    key: Hash,
    first: u64,
    last: u64,
}

/// The keys of a file of checkpoints, in the order in which they signed; none if there is no such file.
fn signed(path: &Path) -> anyhow::Result<Vec<Signed>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    // A server that runs may be in the middle of a line.
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut all: Vec<Signed> = Vec::new();
    for Checkpoint { number, key, .. } in checkpoint::read(whole, None)? {
        match all.last_mut().filter(|last| last.key == key) {
            Some(signed) => signed.last = number,
            None => all.push(Signed { key, first: number, last: number }),
        }
    }
    Ok(all)
}
