//! `croupier drill`: situations to be judged, in the terminal and without a server.
//!
//! Arguments, the file in which progress is kept, and what to drill next are here; asking is in `session`, printing in
//! `sheet` and `json`. What is asked and what is right follows from `croupier_drill`.

mod class;
mod json;
mod session;
mod sheet;

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, ValueEnum};
use croupier_drill::exam::Examination;
use croupier_drill::schedule::Progress;
use croupier_drill::{Generator, Language, Situation, Topic, Wanted};
use croupier_rules::names::hint;
use croupier_table::Rank;

use super::{Rulebooks, find_game};

/// Practise rulings and payouts on dealt situations; the engine is the answer key
///
/// Each drill shows a table as its staff see it and says what happened. What is it, what may be ruled, by whom, under
/// which clause, who may withdraw, what becomes of each wager and of the next hand: every part is marked by itself, and
/// the explanation is what the table did, with the clauses. What comes next follows from what was forgotten.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  croupier drill hoiana-baccarat/commission                          what is due, or new
  croupier drill mbs-dragon-tiger --irregularity wrong-order --seed 7
  croupier drill hoiana-niu-niu --rank pit-manager --language vi
  croupier drill hoiana-baccarat/commission --exam --rank dealer     an examination
  croupier drill hoiana-baccarat/commission --sheet --key > sheets.html
  croupier drill hoiana-baccarat/commission --format json --count 3
  croupier drill hoiana-baccarat/commission --class 50 > class.html  what the schedule does to a class

Answers are numbers of options, several with spaces between them, or amounts such as +950, -1,000 and 0.")]
pub(crate) struct DrillArgs {
    /// The game, such as `hoiana-baccarat/commission`
    game: String,
    /// The rank you are on duty as, such as `pit-manager`; any if not said
    #[arg(long, value_name = "RANK")]
    rank: Option<String>,
    /// Drill only this: an irregularity such as `wrong-order`, or work such as `payouts`
    #[arg(long, visible_alias = "topic", value_name = "KEY")]
    irregularity: Option<String>,
    /// The same seed makes the same drills; by the clock if not said
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// How many drills
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: u32,
    /// An examination: every topic of the game once, and no explanations before the end
    #[arg(long)]
    exam: bool,
    /// Print the drills as sheets to be filled in by hand (HTML)
    #[arg(long, conflicts_with = "exam")]
    sheet: bool,
    /// With the answers behind the sheets
    #[arg(long, requires = "sheet")]
    key: bool,
    /// Seconds for each drill; what is answered later does not count
    #[arg(long, value_name = "SECONDS")]
    clock: Option<u64>,
    /// The language
    #[arg(long, value_enum, default_value_t = Tongue::En)]
    language: Tongue,
    /// The file in which progress is kept; in your data folder if not said
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,
    /// Keep no progress and take the drills as they are dealt
    #[arg(long, conflicts_with = "progress")]
    no_progress: bool,
    /// Simulate a class of so many over half a year instead: what the schedule does to retention (HTML)
    #[arg(long, value_name = "N", conflicts_with_all = ["exam", "sheet"])]
    class: Option<u32>,
    /// How to print; JSON prints the drills with their answers and asks nothing
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tongue {
    /// English
    En,
    /// Vietnamese
    Vi,
    /// Chinese
    Zh,
}

impl Tongue {
    const fn language(self) -> Language {
        match self {
            Self::En => Language::En,
            Self::Vi => Language::Vi,
            Self::Zh => Language::Zh,
        }
    }
}

const DAY: u64 = 86_400;

/// Runs the command; exit code 1 if an examination is not passed.
pub(crate) fn run(
    asked: &DrillArgs,
    rulebooks: &Rulebooks,
    out: &mut dyn Write,
    input: &mut dyn BufRead,
) -> anyhow::Result<ExitCode> {
    let library = rulebooks.library()?;
    let (_, game) = find_game(&library, &asked.game)?;
    let (rulebook, _) = library.find(&game.id).context("the game has no rulebook")?;
    let generator = Generator::new(rulebook, game)?;
    let wanted = wanted(&generator, asked)?;
    let language = asked.language.language();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let seed = asked.seed.unwrap_or(now);
    if let Some(students) = asked.class {
        out.write_all(class::page(&generator, students, seed).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    if asked.exam {
        let rank = wanted.rank.ok_or_else(|| {
            anyhow!("an examination is for a rank: add --rank, such as `--rank {}`", lowest(&generator))
        })?;
        let exam = Examination::new(&generator, rank, seed);
        return match asked.format {
            Format::Json => json::drills(out, &exam.drills, language).map(|()| ExitCode::SUCCESS),
            Format::Text => session::examine(&exam, language, asked.clock, out, input),
        };
    }
    let count = u64::from(asked.count);
    let deal = |at: u64| {
        generator.situation(seed.wrapping_add(at), &wanted).ok_or_else(|| {
            anyhow!(
                "this does not come up at the tables of drills; leave --irregularity out, or name another"
            )
        })
    };
    if asked.sheet || asked.format == Format::Json {
        let drills: Vec<Situation> = (0..count).map(deal).collect::<anyhow::Result<_>>()?;
        match asked.format {
            Format::Json => json::drills(out, &drills, language)?,
            Format::Text => out.write_all(sheet::page(&drills, language, asked.key).as_bytes())?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    let file =
        if asked.no_progress { None } else { Some(asked.progress.clone().unwrap_or_else(progress_file)) };
    let mut progress = file.as_deref().map(load).transpose()?.unwrap_or_default();
    let day = i64::try_from(now / DAY).unwrap_or(i64::MAX);
    let topics = generator.topics();
    let mut session = session::Session::new(language, asked.clock, out, input);
    for at in 0..count {
        let own = seed.wrapping_add(at);
        // A topic or a seed that was asked for is taken at its word.
        let due = if wanted.topic.is_some() || asked.seed.is_some() || file.is_none() {
            None
        } else {
            progress.next(rulebook, &topics, day, own)
        };
        let situation = match due {
            Some(topic) => generator
                .situation(own, &Wanted { topic: Some(topic), ..wanted })
                .map_or_else(|| deal(at), Ok)?,
            None => deal(at)?,
        };
        let Some(rating) = session.drill(&situation, at + 1, count)? else { break };
        progress.note(&situation, rating, day);
        if let Some(file) = &file {
            save(file, &progress)?;
        }
    }
    session.end()?;
    Ok(ExitCode::SUCCESS)
}

fn wanted(generator: &Generator, asked: &DrillArgs) -> anyhow::Result<Wanted> {
    let rulebook = generator.rulebook();
    let rank = match &asked.rank {
        None => None,
        Some(id) => {
            let ids = || rulebook.ranks.iter().map(|rank| rank.id.as_str());
            let at =
                rulebook.rank(id).ok_or_else(|| anyhow!("there is no rank `{id}`; {}", hint(id, ids())))?;
            Some(Rank(at))
        }
    };
    let topic =
        match &asked.irregularity {
            None => None,
            Some(key) => {
                let known = generator.topics();
                let topic = key.parse::<Topic>().ok().filter(|topic| known.contains(topic));
                let keys = || known.iter().map(|topic| topic.key());
                Some(topic.ok_or_else(|| {
                    anyhow!("`{key}` is nothing to drill in this game; {}", hint(key, keys()))
                })?)
            }
        };
    if asked.count == 0 {
        bail!("0 drills are none; give --count 1 or more");
    }
    Ok(Wanted { topic, rank })
}

fn lowest(generator: &Generator) -> String {
    let ranks = &generator.rulebook().ranks;
    ranks.first().map(|rank| rank.id.clone()).unwrap_or_default()
}

fn progress_file() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    let base = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).or_else(home);
    base.map_or_else(|| PathBuf::from("croupier-drills.json"), |base| base.join("croupier/drills.json"))
}

fn load(file: &Path) -> anyhow::Result<Progress> {
    let name = file.display();
    match std::fs::read_to_string(file) {
        Ok(text) => {
            serde_json::from_str(&text).with_context(|| format!("{name} holds no progress of drills"))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Progress::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read {name}")),
    }
}

/// Written beside and moved, so that nothing is lost in the middle.
fn save(file: &Path, progress: &Progress) -> anyhow::Result<()> {
    let name = file.display();
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let beside = file.with_extension("json.new");
    std::fs::write(&beside, serde_json::to_string_pretty(progress)?)
        .with_context(|| format!("cannot write {name}"))?;
    std::fs::rename(&beside, file).with_context(|| format!("cannot write {name}"))
}
