//! `croupier verify`: checks a whole journal and names the first row that is not as it must be.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use croupier_journal::checkpoint::witnessed;
use croupier_journal::verify::{Against, Finding, Summary, Trouble, verify};
use croupier_journal::{ENGINE, Hash, Source};
use serde::Serialize;

use super::rules::Format;
use super::simulate::progress::Progress;
use super::{print_table, table};

/// Check a journal: chain, checkpoints, ledger, shoe commitments, every payout derived again
///
/// Two things are said: whether the journal is whole, and whether this engine derives the same results. Exit code 0 if
/// both are so; 1 if the journal is not whole, with the first row that is not as it must be; 2 if it cannot be read;
/// 3 if it is whole, and lines that another version of the engine wrote come out otherwise, such as after a rule was
/// mended. Nothing is changed, and a floor may go on meanwhile.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier verify data                                     a folder with croupier.sqlite and checkpoints.jsonl
  croupier verify data/croupier.sqlite --key 3f0c…         with the key that must have signed the checkpoints
  croupier verify data --witness witness.jsonl             with what a witness outside has of the checkpoints
  croupier verify export                                   what `croupier export` wrote
  croupier verify postgresql://localhost/floor --checkpoints checkpoints.jsonl

Without checkpoints it cannot be seen whether the end of the journal was cut off.")]
pub(crate) struct VerifyArgs {
    /// A file of SQLite, a folder of data, an export or its journal.jsonl, or the URL of a PostgreSQL database
    #[arg(value_name = "PATH|URL")]
    journal: String,

    /// The file of checkpoints; the one beside the journal if left out
    #[arg(long, value_name = "FILE")]
    checkpoints: Option<PathBuf>,

    /// What a witness has of the checkpoints: each of its lines must be among them
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,

    /// A public key that must have signed checkpoints, as 64 hexadecimal digits: any of those `keys show` prints
    #[arg(long, value_name = "HEX")]
    key: Option<Hash>,

    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The exit code where the journal is whole and this engine derives something else.
const DERIVED_OTHERWISE: u8 = 3;

/// What programs are told.
#[derive(Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
enum VerifyJson<'a> {
    Clean(&'a Summary),
    DerivedOtherwise(&'a Summary),
    Found(&'a Finding),
}

/// Runs the command.
///
/// # Errors
/// A journal that cannot be read, or a failure to write.
pub(crate) fn run(args: &VerifyArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut source = Source::open(&args.journal)?;
    let checkpoints = match &args.checkpoints {
        Some(path) => {
            Some(std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?)
        }
        None => source.checkpoints.take(),
    };
    if let Some(path) = &args.witness {
        let told =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        if let Err(error) = witnessed(checkpoints.as_deref().unwrap_or(""), &told) {
            let what = error.to_string();
            let finding = Finding { position: None, stream: None, sequence: None, what, clauses: Vec::new() };
            return found(&finding, args.format, out);
        }
    }
    let progress = Progress::new(Some(source.store.end()?), "rows");
    let against = Against { checkpoints: checkpoints.as_deref(), trusted: args.key };
    let verified = verify(&mut *source.store, against, &mut |done| progress.set(done));
    progress.clear();
    match verified {
        Ok(summary) => {
            match args.format {
                Format::Text => print(&summary, out)?,
                Format::Json => {
                    let report = match summary.differing {
                        0 => VerifyJson::Clean(&summary),
                        _ => VerifyJson::DerivedOtherwise(&summary),
                    };
                    writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
                }
            }
            Ok(if summary.differing == 0 { ExitCode::SUCCESS } else { ExitCode::from(DERIVED_OTHERWISE) })
        }
        Err(Trouble::Found(finding)) => found(&finding, args.format, out),
        Err(Trouble::Store(error)) => Err(error.into()),
    }
}

/// Tells what is not as it must be.
fn found(finding: &Finding, format: Format, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if format == Format::Json {
        writeln!(out, "{}", serde_json::to_string_pretty(&VerifyJson::Found(finding))?)?;
    }
    out.flush()?;
    let mut errors = std::io::stderr();
    writeln!(errors, "croupier: {finding}")?;
    writeln!(
        errors,
        "Nothing after this can be relied on. Keep the journal as it is, and compare it with a copy from before or with \
         an earlier export."
    )?;
    Ok(ExitCode::FAILURE)
}

fn print(summary: &Summary, out: &mut dyn Write) -> anyhow::Result<()> {
    let rows = counted(summary.rows, "row");
    match summary.differing {
        0 => {
            writeln!(out, "{rows}: all is well: the journal is whole, and engine {ENGINE} derives the same")?;
        }
        lines => {
            let lines = counted(lines, "line");
            writeln!(out, "{rows}: the journal is whole, and engine {ENGINE} derives {lines} otherwise")?;
            for difference in &summary.differences {
                writeln!(out, "  {difference}")?;
            }
        }
    }
    let mut counts = table(["what", "how many"]);
    for (what, number) in [
        ("streams", summary.streams),
        ("events, each derived again", summary.events),
        ("rounds", summary.rounds),
        ("wagers settled, each derived again", summary.wagers),
        ("shoes as committed to", summary.shoes),
        ("disputes", summary.cases),
        ("checkpoints", summary.checkpoints),
        ("rows that they cover", summary.covered),
    ] {
        counts.add_row([what.to_string(), number.to_string()]);
    }
    print_table(out, &counts)?;
    if !summary.tables.is_empty() {
        writeln!(out)?;
        let mut tables = table(["table", "name", "game", "lines", "rounds", "wagers", "fingerprint"]);
        for one in &summary.tables {
            tables.add_row([
                one.table.to_string(),
                one.name.clone(),
                one.game.clone(),
                one.sequence.to_string(),
                one.rounds.to_string(),
                one.wagers.to_string(),
                format!("{:016x}", one.fingerprint),
            ]);
        }
        print_table(out, &tables)?;
    }
    for (at, warning) in summary.warnings.iter().enumerate() {
        writeln!(out, "{}note: {warning}", if at == 0 { "\n" } else { "" })?;
    }
    Ok(())
}

fn counted(number: u64, what: &str) -> String {
    super::count(usize::try_from(number).unwrap_or(usize::MAX), what)
}
