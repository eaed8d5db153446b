//! `croupier rules`: the rulebooks, their clauses, and what proves them.

mod check;
mod coverage;
mod list;
mod show;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};

use super::Rulebooks;

/// List, show and check rulebooks; report which clauses are proved
#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// The games at hand, with their rulebooks and versions
    List {
        /// How to print
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// The rule sheet of a game: bets, pays, drawing table; or one clause and what proves it
    #[command(after_help = "\
Examples:
  croupier rules show hoiana-baccarat/commission
  croupier rules show hoiana-baccarat/commission 6.4.2
  croupier rules show mbs-dragon-tiger 'App K'
  croupier rules show hoiana-niu-niu NN-Q2")]
    Show {
        /// The game, such as `hoiana-baccarat/commission`
        game: String,
        /// A clause (`6.4.2`) or a reading (`HB-Q33`)
        clause: Option<String>,
        /// How to print
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Check rulebook files; all faults are reported with line and column
    Check {
        /// The files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Run every scenario and say which clauses are proved and which are not
    ///
    /// Exit code 0 only if every executable clause is proved.
    Coverage {
        /// How to print
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Runs the command.
pub(crate) fn run(
    command: RulesCommand,
    rulebooks: &Rulebooks,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    if let RulesCommand::Check { files } = command {
        return check::run(&files, out);
    }
    let library = rulebooks.library()?;
    match command {
        RulesCommand::List { format } => list::run(&library, format, out),
        RulesCommand::Show { game, clause: None, format } => show::sheet(&library, &game, format, out),
        RulesCommand::Show { game, clause: Some(clause), format } => {
            show::clause(&library, &game, &clause, format, out)
        }
        RulesCommand::Coverage { format } => coverage::run(&library, format, out),
        RulesCommand::Check { .. } => Ok(ExitCode::SUCCESS),
    }
}
