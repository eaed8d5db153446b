//! `croupier exposure`: what a perfect observer could win, by penetration.
//!
//! Arguments, progress and interruption are here; how the figures are shown is in one module for each format.
//! What they are is decided in `croupier_lab::exposure`.

mod csv;
mod html;
mod text;

use std::io::{IsTerminal, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use croupier_cards::Decks;
use croupier_lab::decks;
use croupier_lab::exact::Pricer;
use croupier_lab::exposure::{self, BetExposure, Exposure, Penetration, Settings, Watch};
use croupier_lab::report::grouped;
use croupier_rules::baccarat::Burn;
use croupier_rules::names::hint;
use croupier_rules::setting::Setting;
use croupier_rules::{Game, Rulebook};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::simulate::{burn, parse_burn, shoe_setting};
use super::{Rulebooks, find_game};

/// Measure what a perfect observer could win by counting cards, by penetration
///
/// Deals whole shoes and, before every round, prices each bet exactly for the cards that are left. An observer
/// who knows those cards lays one unit on every bet that then favours the player. The report says how often
/// that is, how large the edge is, and what it is worth; edges are the player's. The same seed gives the same
/// figures for any number of threads.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier exposure hoiana-baccarat/commission                 every bet, 1,000 shoes of eight decks
  croupier exposure mbs-dragon-tiger --bet big-tiger --decks 6
  croupier exposure hoiana-baccarat/commission --cut-card 52   a deck behind the cut card
  croupier exposure horseshoe-dragon-bonus --shoes 100000 --format json > exposure.json
  croupier exposure hoiana-dragon-tiger/commission --format html > exposure.html

Ctrl-C ends the run after the shoes in progress, prints what there is so far; a second
one ends it at once. What the figures mean is described in docs/exposure.md.")]
pub(crate) struct ExposureArgs {
    /// The game, as in `croupier rules list`
    game: String,

    /// Report only this bet (may be given several times)
    #[arg(long = "bet", value_name = "ID")]
    bets: Vec<String>,

    /// Decks in the shoe, 1 to 10 [default: the rulebook's, usually 8]
    #[arg(long, value_name = "N")]
    decks: Option<u8>,

    /// Shoes to deal
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    shoes: u64,

    /// Cards behind the cut card; 0 deals until a round might lack a card [default: the rulebook's, else 14]
    #[arg(long, value_name = "N")]
    cut_card: Option<u32>,

    /// Cards burned from a new shoe, or `first-card` for as many as the first is worth; the observer sees them [default:
    /// the rulebook's, else 1]
    #[arg(long, value_name = "N", value_parser = parse_burn)]
    burn: Option<Burn>,

    /// Where chance starts: the same number deals the same shoes
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Threads [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Into how many equal parts of the shoe the report is divided, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 10)]
    buckets: u32,

    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
    /// For spreadsheets: a row for each bet and part of the shoe
    Csv,
    /// One page with plots, to read or to print
    Html,
}

/// Exit code of a run that was ended without a result, as shells have it: 128 and the number of the signal.
const INTERRUPTED: u8 = 130;

/// The exposure of a game as its rulebook deals it; nothing where nothing can be counted.
///
/// # Errors
/// Settings that do not fit.
pub(crate) fn usual(rulebook: &Rulebook, game: &Game, shoes: u64) -> anyhow::Result<Option<Exposure>> {
    if rulebook.family.deck_per_round() {
        return Ok(None);
    }
    let args = ExposureArgs {
        game: game.id.clone(),
        bets: Vec::new(),
        decks: None,
        shoes,
        cut_card: None,
        burn: None,
        seed: 1,
        threads: None,
        buckets: 10,
        format: Format::Text,
    };
    let settings = settings(&args, rulebook)?;
    let watch = Watch { shoe_done: &|_| (), cancel: &AtomicBool::new(false) };
    Ok(Some(exposure::measure(game, &settings, &Pricer::new(game), watch)?))
}

/// Runs the command.
///
/// # Errors
/// A game, bet or setting that does not exist or does not fit, with what would; or a failure to write.
pub(crate) fn run(
    args: ExposureArgs,
    rulebooks: &Rulebooks,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let library = rulebooks.library()?;
    let (rulebook, game) = find_game(&library, &args.game)?;
    if rulebook.family.deck_per_round() {
        bail!(
            "nothing can be counted in `{}`: each round is dealt from a full deck, so no card seen tells \
             anything about the next round",
            game.id
        );
    }
    check_bets(game, &args.bets)?;
    let settings = settings(&args, rulebook)?;
    settings.check()?;

    let cancel = cancel_on_interrupt()?;
    let bar = progress_bar(settings.shoes);
    let watch = Watch { shoe_done: &|_| bar.inc(1), cancel: &cancel };
    let mut exposure = exposure::measure(game, &settings, &Pricer::new(game), watch)?;
    bar.finish_and_clear();

    if exposure.shoes == 0 {
        bail!("interrupted before the first shoe was dealt");
    }
    let interrupted = exposure.shoes < settings.shoes;
    if interrupted {
        let _ = writeln!(
            std::io::stderr(),
            "croupier: interrupted: these are the first {} of {} shoes",
            exposure.shoes,
            settings.shoes
        );
    }
    exposure.bets.retain(|bet| args.bets.is_empty() || args.bets.contains(&bet.bet));
    show(args.format, &exposure, game, out).context("cannot write the exposure")?;
    Ok(ExitCode::SUCCESS)
}

fn show(format: Format, exposure: &Exposure, game: &Game, out: &mut dyn Write) -> anyhow::Result<()> {
    match format {
        Format::Text => text::show(exposure, out)?,
        Format::Json => {
            serde_json::to_writer(&mut *out, exposure)?;
            writeln!(out)?;
        }
        Format::Csv => csv::show(exposure, out)?,
        Format::Html => html::show(exposure, game, out)?,
    }
    Ok(())
}

fn check_bets(game: &Game, wanted: &[String]) -> anyhow::Result<()> {
    match wanted.iter().find(|id| game.bet(id).is_none()) {
        None => Ok(()),
        Some(id) => {
            let hint = hint(id, game.bets.iter().map(|bet| bet.id.as_str()));
            Err(anyhow!("`{}` has no bet `{id}` that is laid before the cards; {hint}", game.id))
        }
    }
}

fn settings(args: &ExposureArgs, rulebook: &Rulebook) -> anyhow::Result<Settings> {
    let decks = args.decks.map_or_else(|| decks::default_of(rulebook), Decks::new)?;
    let number = |setting, asked| shoe_setting(rulebook, setting, asked);
    let base = Settings::of_decks(decks);
    Ok(Settings {
        burn: burn(rulebook, args.burn)?.unwrap_or(base.burn),
        cut_card: number(Setting::CutCard, args.cut_card)?.unwrap_or(base.cut_card),
        rounds_after_cut_card: number(Setting::RoundsAfterCutCard, None)?
            .unwrap_or(base.rounds_after_cut_card),
        shoes: args.shoes,
        seed: args.seed,
        buckets: args.buckets,
        threads: args.threads,
        ..base
    })
}

/// The first Ctrl-C raises the flag, the second ends the process.
fn cancel_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let cancel = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&cancel);
    let handler = move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    };
    ctrlc::set_handler(handler).context("cannot listen for Ctrl-C")?;
    Ok(cancel)
}

/// Shows itself on standard error, and only in a terminal.
fn progress_bar(shoes: u64) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(shoes), target);
    let template = "{bar:30} {human_pos} of {human_len} shoes, {per_sec}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// The figures of a bet over whole shoes, as every report for people shows them.
fn bet_figures(bet: &BetExposure) -> [String; 6] {
    [
        percent(bet.fresh_edge, 3),
        percent(bet.fraction, 3),
        edge(bet.average_edge),
        edge(bet.max_edge),
        units(bet.per_100_rounds),
        format!("{} ± {}", units(bet.per_shoe), units(bet.per_shoe_error)),
    ]
}

/// The figures of a bet in one part of the shoe.
fn part_figures(part: &Penetration) -> [String; 6] {
    [
        grouped(part.rounds),
        percent(part.fraction, 3),
        edge(part.average_edge),
        edge(part.max_edge),
        units(part.per_100_rounds),
        units(part.per_shoe),
    ]
}

/// Units to four decimals; what is too small to show is not shown as nothing.
fn units(units: f64) -> String {
    if units > 0.0 && units < 0.000_05 { "<0.0001".to_string() } else { format!("{units:.4}") }
}

/// An edge of the player's; one that was never seen has no size.
fn edge(edge: f64) -> String {
    if edge > 0.0 { percent(edge, 3) } else { "–".to_string() }
}

/// `4.52%`.
fn percent(share: f64, decimals: usize) -> String {
    format!("{:.decimals$}%", 100.0 * share)
}

/// How the shoes were dealt, in a sentence.
fn dealing(exposure: &Exposure) -> String {
    let plural =
        |number: u64, what: &str| format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" });
    format!(
        "{} of {}, {}; {}, {} behind the cut card; seed {}",
        plural(exposure.shoes, "shoe"),
        plural(exposure.decks.into(), "deck"),
        plural(exposure.rounds, "round"),
        exposure.burn,
        exposure.cut_card,
        exposure.seed
    )
}
