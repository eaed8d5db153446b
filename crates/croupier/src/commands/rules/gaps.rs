//! `croupier rules gaps`: which situations a rulebook leaves open, by exploring the table.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use croupier_explore::{Finding, Kind, Report, Scope, explore};
use croupier_ledger::TableId;
use croupier_rounds::export::{Extract, export};
use croupier_rules::{Game, Library, Rulebook};
use croupier_table::{Command, Event, PlayerId, Setup, Table, apply, decide};
use serde_json::{Value, json};

use super::Format;
use crate::commands::simulate::progress::Progress;
use crate::commands::{count, find_game};

/// How far to look, and how to tell.
#[derive(Debug, Args)]
pub(crate) struct Gaps {
    /// The game, such as `hoiana-baccarat/commission`
    game: String,
    /// How many things go wrong on top of each other, 0 to 3; each more takes about a hundred times as long
    #[arg(long, value_name = "N", default_value_t = 2)]
    depth: u8,
    /// How many players sit at the table, 1 to 4
    #[arg(long, value_name = "N", default_value_t = 2)]
    players: u8,
    /// Look at no more than so many situations; about 100 bytes of memory each
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    limit: u64,
    /// A rank of which nobody is on duty; may be given several times
    #[arg(long, value_name = "RANK")]
    off_duty: Vec<String>,
    /// How many tables are explored side by side; all cores if not said
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Write the shortest way to each finding into this folder, as round files
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Explores the tables of a game; exit code 1 if a situation has no ruling, nobody to make it, or no way out.
pub(super) fn run(library: &Library, asked: &Gaps, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (_, game) = find_game(library, &asked.game)?;
    let (rulebook, _) = library.find(&game.id).context("the game has no rulebook")?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let scope = Scope {
        players: asked.players,
        depth: asked.depth,
        limit: asked.limit,
        off_duty: asked.off_duty.clone(),
        threads: asked.threads.unwrap_or_else(cores),
    };
    let progress = Progress::new(None, "situations");
    let start = Instant::now();
    let report = explore(rulebook, game, &scope, &|now| progress.set(now.states));
    progress.clear();
    let explored = Explored { rulebook, game, scope: &scope, report: &report?, took: start.elapsed() };
    if let Some(folder) = &asked.write {
        explored.write(folder)?;
    }
    match asked.format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &explored.json())?;
            writeln!(out)?;
        }
        Format::Text => explored.text(out)?,
    }
    Ok(if explored.report.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What was explored, and what came of it.
struct Explored<'e> {
    rulebook: &'e Arc<Rulebook>,
    game: &'e Game,
    scope: &'e Scope,
    report: &'e Report,
    took: Duration,
}

impl Explored<'_> {
    fn clauses(&self, finding: &Finding) -> Vec<String> {
        finding.cites.iter().map(|basis| self.rulebook.full_id(*basis)).collect()
    }

    /// The way to a finding as a round file; nothing where the rulebook alone shows it.
    fn round(&self, finding: &Finding) -> Option<String> {
        let setup = Arc::new(Setup::new(self.rulebook, &finding.opening).ok()?);
        let before = Table::new(TableId(1), setup);
        let mut table = before.clone();
        let mut steps: Vec<(&Command, Vec<Event>)> = Vec::new();
        for command in &finding.path {
            // The last one may be what is refused.
            let Ok(events) = decide(&table, command) else { break };
            events.iter().for_each(|event| apply(&mut table, event));
            steps.push((command, events));
        }
        let steps: Vec<(&Command, &[Event])> =
            steps.iter().map(|(command, events)| (*command, events.as_slice())).collect();
        if steps.is_empty() {
            return None;
        }
        let names = |player: PlayerId| {
            let known = ["ann", "bob", "cleo", "dan"];
            let at = usize::try_from(player.0).unwrap_or(0).wrapping_sub(1);
            known.get(at).map_or_else(|| format!("p{}", player.0), ToString::to_string)
        };
        let title = format!("{}: {}", finding.kind.key(), finding.what);
        let opening = &finding.opening;
        let extract =
            Extract { title: &title, currency: None, opening, before: &before, names: &names, steps: &steps };
        Some(export(&extract).to_string())
    }

    fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let name = folder.display();
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {name}"))?;
        for (finding, number) in self.report.findings.iter().zip(1..) {
            let Some(text) = self.round(finding) else { continue };
            let path = folder.join(format!("{number:02}-{}.round", finding.kind.key()));
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let Report { tables, cut, states, commands, met, unmet, findings } = self.report;
        let finding = |finding: &Finding| {
            json!({
                "kind": finding.kind.key(),
                "what": finding.what,
                "irregularity": finding.irregularity.map(|irregularity| irregularity.key()),
                "clauses": self.clauses(finding),
                "situations": finding.states,
                "table": finding.table,
                "commands": finding.path.len(),
                "round": self.round(finding),
            })
        };
        json!({
            "game": self.game.id,
            "version": self.rulebook.version,
            "players": self.scope.players,
            "depth": self.scope.depth,
            "off_duty": self.scope.off_duty,
            "tables": tables,
            "tables_cut": cut,
            "situations": states,
            "commands": commands,
            "seconds": self.took.as_secs(),
            "memory_bytes": most_memory(),
            "irregularities_met": met.iter().map(|met| met.key()).collect::<Vec<_>>(),
            "irregularities_unmet": unmet.iter().map(|unmet| unmet.key()).collect::<Vec<_>>(),
            "complete": self.report.is_complete(),
            "findings": findings.iter().map(finding).collect::<Vec<_>>(),
        })
    }

    fn text(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Report { tables, cut, states, commands, met, unmet, findings } = self.report;
        let Scope { players, depth, off_duty, limit, .. } = self.scope;
        writeln!(out, "{} ({}), version {}", self.rulebook.names.en, self.game.id, self.rulebook.version)?;
        let duty = if off_duty.is_empty() {
            "every rank on duty".to_string()
        } else {
            format!("nobody on duty as {}", off_duty.join(", "))
        };
        let players = count(usize::from(*players), "player");
        let deviations = count(usize::from(*depth), "deviation");
        writeln!(out, "Explored: {}, {players}, {duty}, up to {deviations}", count(*tables, "table"))?;
        let memory = most_memory().map(|bytes| format!(", {} MB of memory", bytes / 1_000_000));
        writeln!(
            out,
            "{} situations, {} commands, {} seconds{}",
            grouped(*states),
            grouped(*commands),
            self.took.as_secs(),
            memory.unwrap_or_default()
        )?;
        if *cut > 0 {
            writeln!(
                out,
                "Cut short: {cut} of the tables reached their share of the limit of {} situations. What is listed \
                 holds; what is not listed is shown for the situations explored only. Raise --limit, or lower \
                 --depth.",
                grouped(*limit)
            )?;
        }
        writeln!(out, "{} of irregularity came up.", count(met.len(), "kind"))?;
        if !unmet.is_empty() {
            let unmet: Vec<&str> = unmet.iter().map(|unmet| unmet.key()).collect();
            writeln!(out, "Listed in the rulebook, and not met in this scope: {}", unmet.join(", "))?;
        }
        for kind in Kind::ALL {
            let of_kind: Vec<&Finding> = findings.iter().filter(|finding| finding.kind == *kind).collect();
            if of_kind.is_empty() {
                continue;
            }
            writeln!(out, "\n{} ({})", kind.says().trim_end_matches('.'), kind.key())?;
            for finding in of_kind {
                self.finding(out, finding)?;
            }
        }
        if self.report.is_complete() {
            writeln!(
                out,
                "\nEvery situation explored has a ruling, somebody who may make it, and a way out."
            )?;
        }
        Ok(())
    }

    fn finding(&self, out: &mut dyn Write, finding: &Finding) -> anyhow::Result<()> {
        let clauses = self.clauses(finding).join(" ");
        writeln!(out, "  {}  [{clauses}]  in {} situations", finding.what, grouped(finding.states))?;
        // What the clause for everything else rules needs no proof that it can come up.
        if finding.kind == Kind::Residual {
            return Ok(());
        }
        for line in self.round(finding).iter().flat_map(|round| round.lines()) {
            writeln!(out, "    {line}")?;
        }
        Ok(())
    }
}

/// `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The most memory this process has had, where the system tells.
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}
