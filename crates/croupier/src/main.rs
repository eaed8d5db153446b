//! The command line: reads arguments, runs a command, turns its end into an exit code.
//!
//! 0 means all is well, 1 that something checked did not hold, 2 that the input is bad. What the commands do
//! is in `commands`; the rules are in the library crates.

mod commands;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Arg, ArgAction, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use commands::Rulebooks;

/// Run casino table games from their approved rulebooks
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    /// Add a rulebook of your own (may be given several times)
    #[arg(long = "rulebook", value_name = "FILE", global = true)]
    rulebooks: Vec<std::path::PathBuf>,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(subcommand)]
    Rules(commands::rules::RulesCommand),
    Settle(commands::settle::SettleArgs),
    Odds(commands::odds::OddsArgs),
    Simulate(commands::simulate::SimulateArgs),
    Exposure(commands::exposure::ExposureArgs),
    Design(commands::design::DesignArgs),
    Roads(commands::roads::RoadsArgs),
    Drill(commands::drill::DrillArgs),
    Dossier(commands::dossier::DossierArgs),
    Verify(commands::verify::VerifyArgs),
    Ratings(commands::insight::RatingsArgs),
    Alarms(commands::insight::AlarmsArgs),
    Export(commands::export::ExportArgs),
    Backup(commands::backup::BackupArgs),
    Restore(commands::backup::RestoreArgs),
    Serve(commands::serve::ServeArgs),
    #[cfg(feature = "demo")]
    Demo(commands::serve::DemoArgs),
    Nodes(commands::nodes::NodesArgs),
    #[command(subcommand)]
    Keys(commands::keys::KeysCommand),
    #[command(subcommand)]
    People(commands::people::PeopleCommand),
}

/// Commands that have no use for rulebooks of one's own: what they read names its rulebooks itself, or needs none.
const WITHOUT_RULEBOOKS: [&[&str]; 11] = [
    &["roads"],
    &["verify"],
    &["ratings"],
    &["alarms"],
    &["export"],
    &["backup"],
    &["restore"],
    &["nodes"],
    &["keys"],
    &["people"],
    &["rules", "check"],
];

/// Hides an option in a subcommand of a subcommand.
fn hide(command: clap::Command, path: &[&'static str], hidden: Arg) -> clap::Command {
    match path.split_first() {
        Some((name, rest)) => command.mut_subcommand(name, |command| hide(command, rest, hidden)),
        None => command.arg(hidden),
    }
}

/// Whether a subcommand was chosen.
fn is_chosen(matches: &clap::ArgMatches, path: &[&str]) -> bool {
    match (path.split_first(), matches.subcommand()) {
        (None, _) => true,
        (Some((wanted, rest)), Some((name, inner))) => name == *wanted && is_chosen(inner, rest),
        (Some(_), None) => false,
    }
}

impl Cli {
    /// Reads the arguments. Options are shown only where they mean something, and refused elsewhere.
    fn read() -> Self {
        let mut command = Self::command();
        for path in WITHOUT_RULEBOOKS {
            let hidden = Arg::new("rulebooks").long("rulebook").value_name("FILE");
            let hidden = hidden.action(ArgAction::Append).hide(true).global(true);
            let hidden = hidden.value_parser(clap::value_parser!(std::path::PathBuf));
            command = hide(command, path, hidden);
        }
        let matches = command.get_matches_mut();
        let cli = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        match WITHOUT_RULEBOOKS.iter().find(|path| is_chosen(&matches, path)) {
            Some(path) if !cli.rulebooks.is_empty() => {
                let name = path.join(" ");
                let message = format!("`croupier {name}` takes no --rulebook: leave it out");
                command.error(clap::error::ErrorKind::ArgumentConflict, message).exit()
            }
            _ => cli,
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::read();
    let rulebooks = Rulebooks(cli.rulebooks);
    let mut out = BufWriter::new(io::stdout().lock());
    let input = &mut io::stdin().lock();
    let ended = match cli.command {
        Command::Rules(command) => commands::rules::run(command, &rulebooks, &mut out),
        Command::Settle(args) => commands::settle::run(args, &rulebooks, &mut out, input),
        Command::Odds(args) => commands::odds::run(args, &rulebooks, &mut out),
        Command::Simulate(args) => commands::simulate::run(args, &rulebooks, &mut out),
        Command::Exposure(args) => commands::exposure::run(args, &rulebooks, &mut out),
        Command::Design(args) => commands::design::run(args, &rulebooks, &mut out),
        Command::Roads(args) => commands::roads::run(args, &mut out, input).map(|()| ExitCode::SUCCESS),
        Command::Drill(args) => commands::drill::run(&args, &rulebooks, &mut out, input),
        Command::Dossier(args) => commands::dossier::run(&args, &rulebooks, &mut out),
        Command::Verify(args) => commands::verify::run(&args, &mut out),
        Command::Ratings(args) => commands::insight::ratings(&args, &mut out),
        Command::Alarms(args) => commands::insight::alarms(&args, &mut out),
        Command::Export(args) => commands::export::run(&args, &mut out),
        Command::Backup(args) => commands::backup::backup(&args, &mut out),
        Command::Restore(args) => commands::backup::restore(&args, &mut out),
        Command::Serve(args) => commands::serve::serve(&args, &rulebooks, &mut out),
        #[cfg(feature = "demo")]
        Command::Demo(args) => commands::serve::demo(&args, &rulebooks, &mut out),
        Command::Nodes(args) => commands::nodes::run(&args, &mut out),
        Command::Keys(command) => commands::keys::run(&command, &mut out),
        Command::People(command) => commands::people::run(&command, &mut out),
    };
    let ended = ended.and_then(|code| Ok(out.flush().map(|()| code)?));
    ended.unwrap_or_else(|error| {
        // Whoever reads us may stop early, as `head` does: that is no fault.
        if is_broken_pipe(&error) {
            return ExitCode::SUCCESS;
        }
        let _ = out.flush();
        let _ = writeln!(io::stderr(), "croupier: {error:#}");
        ExitCode::from(2)
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(io::ErrorKind::BrokenPipe)
    })
}
