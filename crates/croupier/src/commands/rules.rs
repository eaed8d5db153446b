//! `croupier rules`: the rulebooks, their clauses, and what proves them.

mod check;
mod coverage;
mod diff;
mod gaps;
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
    /// What two rulebooks differ in: clauses, readings, bets and pays, ranks, rulings, settings; edges before and after
    ///
    /// Exit code 0 if they say the same, 1 if they differ.
    #[command(after_help = "\
Examples:
  croupier rules diff hoiana-baccarat my-baccarat.toml
  croupier rules diff version-1.toml version-2.toml --format json
  croupier rules diff hoiana-baccarat my-baccarat.toml --replay /var/lib/croupier")]
    Diff {
        /// The rulebook before the change: its id, such as `hoiana-baccarat`, or a file
        before: String,
        /// The rulebook after it
        after: String,
        /// Say what the rounds of this journal would have paid and how they would have been ruled: a folder of data, a
        /// file of SQLite, an export, or the URL of a PostgreSQL database
        #[arg(long, value_name = "JOURNAL")]
        replay: Option<String>,
        /// How to print
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Explore the table and list every situation that a rulebook leaves open
    ///
    /// The table is explored exhaustively in a small scope: a few players, the bets and cards that differ in effect,
    /// one person of each rank, and everything that can go wrong, a few times on top of each other. Listed is each
    /// situation that has no ruling, two that contradict each other, none that anybody on duty may make, a wager that
    /// neither settles nor returns, or no way out; with its clause and the shortest way to it as a round file. What
    /// only the clause for everything else rules is listed too.
    ///
    /// Exit code 0 if every situation has a ruling, somebody to make it, and a way out; 1 if one has not.
    #[command(after_help = "\
Examples:
  croupier rules gaps horseshoe-dragon-bonus
  croupier rules gaps hoiana-baccarat/commission --depth 1 --format json
  croupier rules gaps mbs-dragon-tiger --off-duty gaming-shift-manager --depth 1
  croupier --rulebook house.toml rules gaps house-baccarat --write gaps/")]
    Gaps(gaps::Gaps),
    /// Run every scenario and say which clauses are proved and which are not
    ///
    /// Exit code 0 only if every executable clause is proved.
    #[command(after_help = "\
Examples:
  croupier rules coverage
  croupier --rulebook house.toml rules coverage --scenarios house-scenarios")]
    Coverage {
        /// Run the round files of this folder too, such as those that prove a rulebook of your own
        #[arg(long, value_name = "DIR")]
        scenarios: Option<PathBuf>,
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
        RulesCommand::Diff { before, after, replay, format } => {
            diff::run(&library, &before, &after, replay.as_deref(), format, out)
        }
        RulesCommand::Gaps(asked) => gaps::run(&library, &asked, out),
        RulesCommand::Coverage { scenarios, format } => {
            coverage::run(&library, scenarios.as_deref(), format, out)
        }
        RulesCommand::Check { .. } => Ok(ExitCode::SUCCESS),
    }
}
