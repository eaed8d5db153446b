//! `croupier settle`: runs round files, or settles rounds in bulk.

mod files;
mod jsonl;

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::Rulebooks;
use super::rules::Format;

/// Run round files and check what they expect, or settle rounds in bulk
///
/// A round file names a game, then bets and cards, one action a line, with expectations beside them. Exit
/// code 1 if an expectation fails, 2 if a file is bad.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier settle scenarios/hoiana-baccarat/*.round
  croupier settle - <<'END'
  game hoiana-baccarat/commission
  round
  ann bets banker 1,000   => +950
  cards KC 3S 6D 4H       => banker wins 7-6
  END
  croupier settle --jsonl < rounds.jsonl > results.jsonl

The notation is described in docs/round-files.md, the bulk format in docs/bulk-settlement.md.")]
pub(crate) struct SettleArgs {
    /// Round files, or - for standard input; with --jsonl, files of rounds (standard input if none)
    #[arg(value_name = "FILE", required_unless_present = "jsonl")]
    files: Vec<PathBuf>,

    /// Settle one JSON round a line, one JSON result a line
    #[arg(long)]
    jsonl: bool,

    /// Say only what failed
    #[arg(long, short, conflicts_with = "jsonl")]
    quiet: bool,

    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "jsonl")]
    format: Format,
}

/// Runs the command.
pub(crate) fn run(
    args: SettleArgs,
    rulebooks: &Rulebooks,
    out: &mut dyn Write,
    input: &mut dyn BufRead,
) -> anyhow::Result<ExitCode> {
    let library = rulebooks.library()?;
    if args.jsonl {
        jsonl::run(&library, &args.files, out, input)
    } else {
        files::run(&library, &args.files, &files::Show { quiet: args.quiet, format: args.format }, out, input)
    }
}
