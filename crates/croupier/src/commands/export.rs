//! `croupier export`: a journal, a table, a shoe or a round of it as plain files.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use croupier_journal::Source;
use croupier_journal::export::{Selection, export, round};
use croupier_ledger::TableId;

use super::rules::Format;

/// Write a journal, or a table, a shoe or a round of it, as plain files
///
/// Rows go out as lines of JSON, exactly as they are stored: the SHA-256 of a line is what the next line of its
/// stream names. Rounds that are over go out as round files, which `croupier settle` plays again, and rulebooks as the
/// texts that tables were opened under. A whole export has the signed checkpoints too, of a database of either kind, and
/// can be checked with `croupier verify`, or with docs/formats/check.py and nothing of Croupier's. Cards that were not dealt, and who people are, never go out.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier export --database data --out export              everything
  croupier export 3 --database data --out table-3           one table
  croupier export 3 --database data --shoe 12 --out shoe-12
  croupier export 3 --database data --round 41              the round file, on standard output")]
pub(crate) struct ExportArgs {
    /// The number of a table; everything if left out
    table: Option<u32>,

    /// A file of SQLite, a folder of data, an export, or the URL of a PostgreSQL database
    #[arg(long, value_name = "PATH|URL")]
    database: String,

    /// This shoe only
    #[arg(long, value_name = "N", requires = "table")]
    shoe: Option<u32>,

    /// This round only
    #[arg(long, value_name = "N", requires = "table")]
    round: Option<u64>,

    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// How to print what was written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
///
/// # Errors
/// A journal that cannot be read, nothing that is selected, or a failure to write.
pub(crate) fn run(args: &ExportArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut source = Source::open(&args.database)?;
    let table = args.table.map(TableId);
    let Some(folder) = &args.out else {
        let (Some(table), Some(number)) = (table, args.round) else {
            bail!("name a folder to write to with --out; only a single round (TABLE --round N) is printed");
        };
        write!(out, "{}", round(&mut *source.store, table, number)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    let selection = Selection { table, shoe: args.shoe, round: args.round };
    let exported = export(&mut *source.store, source.checkpoints.as_deref(), selection, folder)?;
    match args.format {
        Format::Text => {
            let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
            let mut written = vec![
                super::count(number(exported.rows), "row"),
                super::count(number(exported.rounds), "round file"),
                super::count(number(exported.rulebooks), "rulebook"),
            ];
            // They are about all streams, and of no use to one.
            if selection == Selection::default() {
                written.push(super::count(number(exported.checkpoints), "checkpoint"));
            }
            writeln!(out, "{} in {}", written.join(", "), folder.display())?;
        }
        Format::Json => writeln!(out, "{}", serde_json::to_string(&exported)?)?,
    }
    Ok(ExitCode::SUCCESS)
}
