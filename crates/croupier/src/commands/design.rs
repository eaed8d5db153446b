//! `croupier design`: prices bets that stand in no rulebook yet, once or whenever the file changes.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use croupier_cards::Decks;
use croupier_lab::decks;
use croupier_lab::design::{self, Wanted};
use croupier_rules::{BetSheet, Family, Library};

use super::odds::accepted;
use super::rules::Format;
use super::{Rulebooks, count};

/// Price bets of your own, written in TOML as in a rulebook
///
/// Prints what each bet is worth with the chosen numbers of decks, and what one of its lines would have to
/// pay for a wanted edge.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A file with one bet:
  family = \"baccarat\"

  [[bet]]
  id = \"big-tiger\"
  pays = [{ when = { winner = \"banker\", banker-points = 6, banker-cards = 3 }, odds = \"50:1\" }]
  otherwise = \"lose\"

Examples:
  croupier design my-bet.toml                      with 6 and with 8 decks
  croupier design my-bet.toml --decks 1 --decks 8
  croupier design my-bet.toml --edge 5%            what must the first line pay?
  croupier design my-bet.toml --watch              again whenever the file is saved

The conditions of `when` are described in docs/rulebooks.md, the file in docs/lab.md.")]
pub(crate) struct DesignArgs {
    /// The file with the bets
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How many decks, 1 to 10; may be given several times [default: 6 and 8; Niu Niu 1]
    #[arg(long, value_name = "N")]
    decks: Vec<u8>,

    /// Solve one line's pay for this edge, such as 5%
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    edge: Option<String>,

    /// The line to solve, from 1 [default: the first that wins]
    #[arg(long, value_name = "K", requires = "edge")]
    line: Option<usize>,

    /// Keep running and reprint whenever the file changes; Ctrl-C ends
    #[arg(long)]
    watch: bool,

    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How often a watched file is looked at.
const POLL: Duration = Duration::from_millis(300);

/// Runs the command.
pub(crate) fn run(args: DesignArgs, rulebooks: &Rulebooks, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let library = rulebooks.library()?;
    let asked = Asked::new(&args)?;
    if args.watch {
        return watch(&args.file, &library, &asked, out);
    }
    let text = read(&args.file)?;
    show(&args.file, &text, &library, &asked, out)?;
    Ok(ExitCode::SUCCESS)
}

struct Asked {
    decks: Vec<Decks>,
    wanted: Option<Wanted>,
    format: Format,
}

impl Asked {
    fn new(args: &DesignArgs) -> anyhow::Result<Self> {
        let mut decks = Vec::new();
        for number in &args.decks {
            let number = Decks::new(*number).context("--decks")?;
            if !decks.contains(&number) {
                decks.push(number);
            }
        }
        let line = match args.line {
            Some(0) => bail!("--line: lines are counted from 1"),
            line => line.map(|line| line - 1),
        };
        let wanted = args.edge.as_deref().map(|text| {
            let edge = design::parse_percent(text).ok_or_else(|| {
                anyhow!("--edge: `{text}` is not a percentage; write it as 5%, 2.5% or -1%")
            })?;
            anyhow::Ok(Wanted { edge, line })
        });
        Ok(Self { decks, wanted: wanted.transpose()?, format: args.format })
    }

    /// The decks asked for, or those usual in the family.
    fn decks(&self, family: Family) -> Vec<Decks> {
        if !self.decks.is_empty() {
            return self.decks.clone();
        }
        decks::of_design(family).to_vec()
    }
}

fn read(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

fn show(
    file: &Path,
    text: &str,
    library: &Library,
    asked: &Asked,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let name = file.display();
    let sheet = BetSheet::parse(text, library).map_err(|faults| {
        let lines: Vec<String> = faults.0.iter().map(|fault| format!("{name}:{fault}")).collect();
        anyhow!("{name} has {}\n{}", count(lines.len(), "fault"), lines.join("\n"))
    })?;
    let decks = asked.decks(sheet.family);
    decks
        .iter()
        .try_for_each(|number| decks::check(sheet.family, *number))
        .map_err(|error| anyhow!("--decks: {error}; {}", accepted(sheet.family)))?;
    let priced = design::price(&sheet, &decks, asked.wanted.as_ref())?;
    // A pay that cannot be found with any cards is a wrong question, not an answer.
    let solved = || priced.iter().filter_map(|priced| priced.solved.as_ref());
    if let Some(Err(error)) = solved().next()
        && solved().all(Result::is_err)
    {
        bail!("{error}");
    }
    match asked.format {
        Format::Text => write!(out, "{}", design::text(&priced))?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &design::json(&priced))?;
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Shows the file, and again after every change, until the process is ended.
fn watch(file: &Path, library: &Library, asked: &Asked, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let terminal = std::io::stdout().is_terminal();
    let mut shown: Option<Result<String, String>> = None;
    loop {
        // Editors write a file in steps: what cannot be read now may be there at the next look.
        let found = read(file).map_err(|error| format!("{error:#}"));
        if shown.as_ref() != Some(&found) {
            if terminal {
                write!(out, "\x1b[2J\x1b[H")?;
            } else if shown.is_some() {
                writeln!(out)?;
            }
            let ended = match &found {
                Ok(text) => show(file, text, library, asked, out).map_err(|error| format!("{error:#}")),
                Err(error) => Err(error.clone()),
            };
            if let Err(error) = ended {
                writeln!(out, "{error}")?;
            }
            if asked.format == Format::Text {
                writeln!(out, "\nwatching {}; Ctrl-C ends", file.display())?;
            }
            out.flush()?;
            shown = Some(found);
        }
        std::thread::sleep(POLL);
    }
}
