//! `croupier keys`: the keys of a floor.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use croupier_journal::Keys;

/// The keys of a floor: the one that signs checkpoints can be changed
#[derive(Debug, clap::Subcommand)]
pub(crate) enum KeysCommand {
    /// Show the public half of the signing key, which auditors need
    Show(KeysArgs),
    /// Put a new signing key in place of the old one; the next start signs it over
    ///
    /// The server must be stopped. The old key is kept beside the new one, because its last act is to sign a
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
    writeln!(out, "{}", Keys::open(&folder)?.public())?;
    Ok(ExitCode::SUCCESS)
}
