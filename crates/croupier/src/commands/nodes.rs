//! `croupier nodes`: who leads a floor, and who follows how far behind.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use croupier_journal::nodes::Nodes;
use croupier_server::Config;
use croupier_server::api::nodes::{NodeList, NodeTold};

use super::{print_table, table};

/// Whoever says nothing for longer is gone, or does not reach the database.
const SILENT: u64 = 5_000;

/// Which nodes a floor has: who leads, who follows how far behind, and under which epoch
///
/// It asks the database, and needs no server. The exit code is 1 while no node leads.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier nodes --config croupier.toml
  croupier nodes --database postgresql://db/floor --json")]
pub(crate) struct NodesArgs {
    /// The database: a `postgresql://` URL
    #[arg(long, value_name = "URL")]
    database: Option<String>,

    /// The configuration file of a node
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Print JSON, as `/api/nodes` does
    #[arg(long)]
    json: bool,
}

/// Runs `nodes`.
pub(crate) fn run(args: &NodesArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut config = Config::read(args.config.as_deref(), |name| std::env::var(name).ok())?;
    config.database = args.database.clone().or(config.database);
    let overview = Nodes::overview_of(&config.place()?.database).context("the nodes cannot be asked for")?;
    let told = NodeList::from(overview);
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&told)?)?;
    } else {
        print(&told, out)?;
    }
    Ok(if told.leader.is_some() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn print(told: &NodeList, out: &mut dyn Write) -> anyhow::Result<()> {
    let NodeList { leader, epoch, position, nodes } = told;
    match leader {
        Some(name) => {
            writeln!(out, "{name} leads, epoch {epoch}; the journal ends at position {position}\n")?;
        }
        None => {
            writeln!(out, "No node leads; the journal ends at position {position}, epoch {epoch}\n")?;
        }
    }
    let mut rows = table(["node", "role", "behind", "heard of", "version", "address"]);
    for NodeTold { name, role, behind, silent_milliseconds, version, address, .. } in nodes {
        let heard = format!("{}.{} s ago", silent_milliseconds / 1_000, silent_milliseconds % 1_000 / 100);
        let role = if *silent_milliseconds > SILENT { "gone" } else { role };
        let behind = format!("{behind} line{}", if *behind == 1 { "" } else { "s" });
        rows.add_row([name, role, &behind, &heard, version, address]);
    }
    Ok(print_table(out, &rows)?)
}
