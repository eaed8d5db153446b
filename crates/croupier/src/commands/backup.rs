//! `croupier backup` and `croupier restore`: a floor copied while it runs, checked, and put back.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use croupier_journal::copy::copy;
use croupier_journal::folder::DATABASE;
use croupier_journal::verify::{Against, Summary, Trouble, verify};
use croupier_journal::{Location, Source, checkpoint};

use super::simulate::progress::Progress;

/// The folder of keys.
const KEYS: &str = "keys";

/// Copy a floor while it runs, and check the copy
///
/// The copy is a data folder: the database as an SQLite file, whatever the floor itself uses, the checkpoints and the
/// keys. It holds secrets; keep it as you keep the floor. Exit code 1 if the copy is not whole: then the floor is not.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier backup --data /var/lib/croupier --out /backup/monday
  croupier backup --data /var/lib/croupier --database postgresql:///floor --out /backup/monday")]
pub(crate) struct BackupArgs {
    /// The data folder of the floor
    #[arg(long, value_name = "DIR", default_value = "croupier-data")]
    data: PathBuf,

    /// The database, where it is not in the data folder
    #[arg(long, value_name = "PATH|URL")]
    database: Option<String>,

    /// The folder to write to, which must be new or empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Put a backup back: into a new data folder, and into an empty database of either kind
///
/// The backup is checked first. Rounds that were in play are reported as a power failure at the next start.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier restore /backup/monday --data /var/lib/croupier
  croupier restore /backup/monday --data /var/lib/croupier --database postgresql:///floor")]
pub(crate) struct RestoreArgs {
    /// The folder that `croupier backup` wrote
    backup: PathBuf,

    /// The data folder to make, which must be new or empty
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// The database to fill, if it is not to be in the data folder; it must be empty
    #[arg(long, value_name = "PATH|URL")]
    database: Option<String>,
}

/// Runs `backup`.
pub(crate) fn backup(args: &BackupArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    ensure!(
        args.data.join(KEYS).is_dir(),
        "there are no keys in {}; --data names the data folder of the floor",
        args.data.display()
    );
    make_folder(&args.out)?;
    // The files first: whatever they name is then in the database.
    files(&args.data, &args.out)?;
    fill(&location(args.database.as_deref(), &args.data)?, &location(None, &args.out)?)?;
    let Some(summary) = whole(&args.out)? else { return Ok(ExitCode::FAILURE) };
    writeln!(out, "{} in {}, checked", super::count(number(summary.rows), "row"), args.out.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `restore`.
pub(crate) fn restore(args: &RestoreArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Some(summary) = whole(&args.backup)? else { return Ok(ExitCode::FAILURE) };
    make_folder(&args.data)?;
    files(&args.backup, &args.data)?;
    fill(&location(None, &args.backup)?, &location(args.database.as_deref(), &args.data)?)?;
    writeln!(out, "{} in {}", super::count(number(summary.rows), "row"), args.data.display())?;
    Ok(ExitCode::SUCCESS)
}

fn number(rows: u64) -> usize {
    usize::try_from(rows).unwrap_or(usize::MAX)
}

fn location(named: Option<&str>, folder: &Path) -> anyhow::Result<Location> {
    match named {
        Some(named) => Ok(named.parse()?),
        None => Ok(Location::Sqlite(folder.join(DATABASE))),
    }
}

/// Makes a folder that only its owner may enter; one that is there must be empty.
fn make_folder(folder: &Path) -> anyhow::Result<()> {
    let name = || format!("{} cannot be made", folder.display());
    fs::create_dir_all(folder).with_context(name)?;
    if fs::read_dir(folder).with_context(name)?.next().is_some() {
        bail!("{} is not empty; name a folder that is, or a new one", folder.display());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).with_context(name)?;
    }
    Ok(())
}

/// Copies the keys and the checkpoints, of which a last line that is not whole is left out. The note of the last commit
/// stays: it is of the floor that runs.
fn files(from: &Path, to: &Path) -> anyhow::Result<()> {
    let path = from.join(checkpoint::FILE);
    if path.exists() {
        let mut text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        let path = to.join(checkpoint::FILE);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let (from, to) = (from.join(KEYS), to.join(KEYS));
    fs::create_dir_all(&to).with_context(|| format!("{} cannot be made", to.display()))?;
    for entry in fs::read_dir(&from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        // Who may read them comes along.
        fs::copy(entry.path(), to.join(entry.file_name()))
            .with_context(|| format!("cannot copy {}", entry.path().display()))?;
    }
    Ok(())
}

fn fill(from: &Location, to: &Location) -> anyhow::Result<()> {
    let mut from = from.open_to_read()?;
    let progress = Progress::new(Some(from.end()?), "rows");
    let copied = copy(from.as_mut(), to.open()?.as_mut(), &mut |done| progress.set(done));
    progress.clear();
    copied.map(drop).with_context(|| format!("{to} cannot be filled"))
}

/// Checks a folder; what it holds, if it is whole.
fn whole(folder: &Path) -> anyhow::Result<Option<Summary>> {
    let name = folder.to_str().with_context(|| format!("{} is no name in UTF-8", folder.display()))?;
    let mut source = Source::open(name)?;
    let progress = Progress::new(Some(source.store.end()?), "rows checked");
    let checkpoints = source.checkpoints.take();
    let against = Against { checkpoints: checkpoints.as_deref(), trusted: None };
    let verified = verify(&mut *source.store, against, &mut |done| progress.set(done));
    progress.clear();
    match verified {
        Ok(summary) => Ok(Some(summary)),
        Err(Trouble::Found(finding)) => {
            writeln!(std::io::stderr(), "croupier: {} is not whole: {finding}", folder.display())?;
            Ok(None)
        }
        Err(Trouble::Store(error)) => Err(error.into()),
    }
}
