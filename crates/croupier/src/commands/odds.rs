//! `croupier odds`: the exact odds of a game for any cards. Reading what is asked is here; the figures and
//! their forms are in `croupier_lab`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use croupier_cards::{Composition, Decks, parse_cards};
use croupier_lab::report::{self, OddsSheet, Stock};
use croupier_lab::{RankCounts, decks};
use croupier_rules::setting::Setting;
use croupier_rules::{Family, Game, Rulebook};

use super::{Rulebooks, find_game};

/// Exact odds of every bet of a game: edge, hit frequency, deviation, ways of each pay line
///
/// Counted over all cards that can come, without replacement, for any number of decks or any cards left in
/// the shoe. Whatever favours the player is marked.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier odds hoiana-baccarat/commission                   as dealt, from eight decks
  croupier odds mbs-dragon-tiger --decks 6 --bet big-tiger
  croupier odds horseshoe-dragon-bonus --all-decks           edges with 1 to 10 decks
  croupier odds mbs-dragon-tiger --without '8S 8D KC'        after these cards have been seen
  croupier odds mbs-dragon-tiger --shoe 8,8,8,8,8,8,8,8,8,8,8,8,8
  croupier odds hoiana-niu-niu --format json
  croupier odds hoiana-baccarat/commission --format html > par.html

`croupier rules list` prints the games. The figures and formats are described in docs/lab.md.")]
pub(crate) struct OddsArgs {
    /// The game, such as `hoiana-baccarat/commission`
    game: String,

    /// How many decks, 1 to 10; left out, as many as the rulebook's default
    #[arg(long, value_name = "N", conflicts_with = "shoe")]
    decks: Option<u8>,

    /// The cards left of each rank: 13 counts, from ace to king
    #[arg(long, value_name = "COUNTS")]
    shoe: Option<String>,

    /// Cards that are out of the decks or the shoe, such as '8S KD'
    #[arg(long, value_name = "CARDS")]
    without: Option<String>,

    /// Only this bet, `banker-insurance` or `player-insurance`
    #[arg(long, value_name = "ID")]
    bet: Option<String>,

    /// For 1 to 10 decks each: a table of edges, a JSON list, or all rows in one CSV file
    #[arg(long, conflicts_with_all = ["decks", "shoe", "without"])]
    all_decks: bool,

    /// How to print
    #[arg(long, value_enum, default_value_t = OddsFormat::Text)]
    format: OddsFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OddsFormat {
    /// Tables for the terminal
    Text,
    /// One JSON object, or a list of them with --all-decks
    Json,
    /// One row for each pay line and insurance situation
    Csv,
    /// A page with plots that needs no network and prints well
    Html,
}

/// Runs the command.
pub(crate) fn run(args: OddsArgs, rulebooks: &Rulebooks, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let library = rulebooks.library()?;
    let (rulebook, game) = find_game(&library, &args.game)?;
    check_bet(game, args.bet.as_deref())?;
    let stocks = if args.all_decks { all_decks(rulebook) } else { vec![stock(&args, rulebook)?] };
    // The page shows one deck count in full and the edges of all of them.
    let stocks = match (args.format, args.all_decks) {
        (OddsFormat::Html, true) => vec![Stock::of_decks(decks::default_of(rulebook)?)],
        _ => stocks,
    };
    let mut sheets = Vec::new();
    for stock in stocks {
        sheets.push(sheet(rulebook, game, stock, args.bet.as_deref())?);
    }
    match args.format {
        OddsFormat::Text if args.all_decks => write!(out, "{}", report::by_decks_text(&sheets))?,
        OddsFormat::Text => sheets.iter().try_for_each(|sheet| write!(out, "{}", report::text(sheet)))?,
        OddsFormat::Json if args.all_decks => {
            let sheets: Vec<report::OddsJson> = sheets.iter().map(report::json).collect();
            serde_json::to_writer_pretty(&mut *out, &sheets)?;
            writeln!(out)?;
        }
        OddsFormat::Json => {
            for sheet in &sheets {
                serde_json::to_writer_pretty(&mut *out, &report::json(sheet))?;
                writeln!(out)?;
            }
        }
        OddsFormat::Csv => write!(out, "{}", report::csv(&sheets))?,
        OddsFormat::Html => {
            let by_decks: Vec<OddsSheet> = all_decks(rulebook)
                .into_iter()
                .map(|stock| sheet(rulebook, game, stock, args.bet.as_deref()))
                .collect::<anyhow::Result<_>>()?;
            sheets.iter().try_for_each(|sheet| write!(out, "{}", report::html(sheet, &by_decks)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The figures of a game with the rulebook's own number of decks, and with every other.
///
/// # Errors
/// A number of decks that nothing can be dealt from.
pub(crate) fn in_full(rulebook: &Rulebook, game: &Game) -> anyhow::Result<(OddsSheet, Vec<OddsSheet>)> {
    let own = sheet(rulebook, game, Stock::of_decks(decks::default_of(rulebook)?), None)?;
    let all = all_decks(rulebook).into_iter().map(|stock| sheet(rulebook, game, stock, None));
    Ok((own, all.collect::<anyhow::Result<_>>()?))
}

/// Every number of decks that can be priced.
fn all_decks(rulebook: &Rulebook) -> Vec<Stock> {
    decks::all(rulebook.family).map(Stock::of_decks).collect()
}

fn check_bet(game: &Game, bet: Option<&str>) -> anyhow::Result<()> {
    let Some(id) = bet else { return Ok(()) };
    let mut known: Vec<&str> = game.bets.iter().map(|bet| bet.id.as_str()).collect();
    for line in game.insurance.iter().flat_map(|table| &table.lines) {
        let insurance = report::insurance_id(line.side);
        if !known.contains(&insurance) {
            known.push(insurance);
        }
    }
    if known.contains(&id) {
        return Ok(());
    }
    bail!("{} has no bet `{id}`; it has {}", game.id, known.join(", "))
}

/// The cards that the arguments name.
fn stock(args: &OddsArgs, rulebook: &Rulebook) -> anyhow::Result<Stock> {
    let without = args.without.as_deref().map(parse_cards).transpose().context("--without")?;
    let without = without.unwrap_or_default();
    if let Some(shoe) = &args.shoe {
        let counts: RankCounts = shoe.parse().context("--shoe")?;
        let counts = counts.without(&without).context("--without")?;
        return Ok(Stock { decks: None, counts, without });
    }
    let decks = match args.decks {
        Some(number) => Decks::new(number).context("--decks")?,
        None => decks::default_of(rulebook)?,
    };
    decks::check(rulebook.family, decks)
        .map_err(|error| anyhow!("--decks: {error}{}; {}", cited(rulebook), accepted(rulebook.family)))?;
    // By card and not by rank: one deck has a single 8S.
    let mut left = Composition::of_decks(decks);
    for card in &without {
        left.remove(*card).map_err(|error| {
            let number = decks.number();
            let decks =
                if decks == Decks::ONE { "1 deck holds".to_string() } else { format!("{number} decks hold") };
            anyhow!("--without: {error} to take out; {decks} {number} of each card")
        })?;
    }
    let counts = RankCounts::new(left.rank_counts())?;
    Ok(Stock { decks: Some(decks), counts, without })
}

/// The numbers of decks that a family is dealt from: `accepted: 1`.
pub(super) fn accepted(family: Family) -> String {
    let numbers: Vec<String> = decks::all(family).map(|decks| decks.number().to_string()).collect();
    format!("accepted: {}", numbers.join(", "))
}

/// The clauses on the number of decks, in brackets: ` (MBS 2.1)`.
fn cited(rulebook: &Rulebook) -> String {
    let cites = rulebook.setting(Setting::Decks).map(|spec| spec.cites.as_slice()).unwrap_or_default();
    let ids: Vec<String> = cites.iter().map(|basis| rulebook.full_id(*basis)).collect();
    if ids.is_empty() { String::new() } else { format!(" ({})", ids.join(", ")) }
}

/// The figures; a note says so if the rulebook does not allow that many decks.
fn sheet(rulebook: &Rulebook, game: &Game, stock: Stock, bet: Option<&str>) -> anyhow::Result<OddsSheet> {
    let decks = stock.decks.map(|decks| u32::from(decks.number()));
    let mut sheet = OddsSheet::new(rulebook, game, stock)?;
    let range = rulebook.setting(Setting::Decks).and_then(|spec| spec.range);
    if let (Some(decks), Some((low, high))) = (decks, range)
        && !(low..=high).contains(&decks)
    {
        sheet.notes.push(format!(
            "the rulebook allows {low} to {high} decks{}; {decks} is priced all the same",
            cited(rulebook)
        ));
    }
    match bet {
        None => Ok(sheet),
        Some(bet) => sheet.only(bet).ok_or_else(|| anyhow!("{} has no bet `{bet}`", game.id)),
    }
}
