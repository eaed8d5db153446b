//! `croupier roads`: the five roads of a shoe, in the terminal, as JSON or as SVG.
//!
//! Reading the shoes is here; how they are shown is in one module for each format. What goes on a road is
//! decided in `croupier_rules::roads`.

mod json;
mod svg;
mod text;

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use croupier_rules::roads::{BadLetter, Roads, parse_marks};
use std::io::{BufRead, IsTerminal, Write};

/// Draw the roads of a baccarat shoe: bead plate, big road, big eye boy, small road, cockroach pig
///
/// Also counts the results and says what a Player or Banker win in the next hand would put on the three
/// derived roads.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier roads BBPTBPPPB                    one shoe, in the terminal
  croupier roads 'bb p t-b'                   spaces, dashes and small letters are fine
  croupier roads - < shoes.txt                one shoe a line, # for comments
  croupier roads --format json - < shoes.txt  one JSON object a line
  croupier roads --format svg BBPTB > b.svg   a picture to print")]
pub(crate) struct RoadsArgs {
    /// One shoe as letters P (Player), B (Banker) and T (Tie), or - to read one shoe a line from standard input
    ///
    /// May be left out when standard input is not a terminal.
    #[arg(value_name = "RESULTS")]
    results: Option<String>,

    /// How to show the roads
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// When to colour the text; auto means in a terminal where `NO_COLOR` is not set
    #[arg(long, value_enum, value_name = "WHEN")]
    color: Option<ColorWhen>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Grids for the terminal
    Text,
    /// One JSON object for each shoe, on a line of its own
    Json,
    /// One SVG picture with all shoes below each other
    Svg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ColorWhen {
    Auto,
    Always,
    Never,
}

/// Runs the command: shoes from the argument or from `input`, roads to `out`.
///
/// # Errors
/// A fault in the results, with its place and what would be accepted; or a failure to read or write. Shoes
/// before the fault have been written by then, except that an SVG is written whole or not at all.
pub(crate) fn run(args: RoadsArgs, out: &mut dyn Write, input: &mut dyn BufRead) -> anyhow::Result<()> {
    anyhow::ensure!(
        args.color.is_none() || args.format == Format::Text,
        "--color is for --format text: JSON has no colours, and a picture always has them; leave it out"
    );
    let mut view = View::new(&args);
    let shown = show(&args, &mut view, out, input);
    let flushed = out.flush();
    shown?;
    flushed.context("cannot write the roads")
}

fn show(
    args: &RoadsArgs,
    view: &mut View,
    out: &mut dyn Write,
    input: &mut dyn BufRead,
) -> anyhow::Result<()> {
    match args.results.as_deref() {
        Some(results) if results.trim() != "-" => {
            let shoe = parse_marks(results).map_err(|fault| explain(fault, results))?;
            if shoe.is_empty() {
                bail!("no results given: name a shoe, as in `croupier roads BBPTB`");
            }
            view.shoe(out, None, Roads::from_marks(shoe))?;
        }
        None if std::io::stdin().is_terminal() => {
            bail!(
                "no results given: name a shoe, as in `croupier roads BBPTB`, or pipe one shoe a line, as in \
                 `croupier roads - < FILE`"
            );
        }
        Some(_) | None => show_lines(view, out, input)?,
    }
    view.finish(out)
}

/// Shows each line as it is read, so that a shoe of a long input does not wait for the last one.
fn show_lines(view: &mut View, out: &mut dyn Write, input: &mut dyn BufRead) -> anyhow::Result<()> {
    let mut line = String::new();
    let mut shoes = 0_usize;
    for number in 1_usize.. {
        line.clear();
        if input.read_line(&mut line).with_context(|| format!("cannot read line {number}"))? == 0 {
            break;
        }
        let line = line.trim_start_matches('\u{feff}');
        let (results, _comment) = line.split_once('#').unwrap_or((line, ""));
        if results.trim().is_empty() {
            continue;
        }
        let shoe =
            parse_marks(results).map_err(|fault| anyhow!("line {number}, {}", explain(fault, results)))?;
        if shoe.is_empty() {
            bail!("line {number} has no results; write a shoe a line, as `BBPTB`");
        }
        view.shoe(out, Some(number), Roads::from_marks(shoe))?;
        shoes += 1;
    }
    if shoes == 0 {
        bail!(
            "no shoes in the input: it is empty, or only blank lines and comments; write a shoe a line, as `BBPTB`"
        );
    }
    Ok(())
}

/// The fault, and a hint where the letter shows what was meant.
fn explain(fault: BadLetter, results: &str) -> anyhow::Error {
    let looks_like_a_file = results.contains(['.', '/', '\\']);
    match fault.letter {
        '|' => anyhow!("{fault}; a line holds one shoe and nothing after it"),
        _ if looks_like_a_file => anyhow!("{fault}; to read a file, use `croupier roads - < FILE`"),
        _ => anyhow!("{fault}"),
    }
}

/// Where the shoes go, one at a time.
enum View {
    Text(text::Text),
    Json,
    Svg(svg::Picture),
}

impl View {
    fn new(args: &RoadsArgs) -> Self {
        match args.format {
            Format::Text => Self::Text(text::Text::new(use_color(args.color.unwrap_or(ColorWhen::Auto)))),
            Format::Json => Self::Json,
            Format::Svg => Self::Svg(svg::Picture::default()),
        }
    }

    fn shoe(&mut self, out: &mut dyn Write, line: Option<usize>, roads: Roads) -> anyhow::Result<()> {
        match self {
            Self::Text(text) => text.shoe(out, line, &roads),
            Self::Json => json::shoe(out, &roads),
            Self::Svg(picture) => {
                picture.shoe(line, roads);
                Ok(())
            }
        }
        .context("cannot write the roads")
    }

    fn finish(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self {
            Self::Text(_) | Self::Json => Ok(()),
            Self::Svg(picture) => picture.finish(out),
        }
        .context("cannot write the roads")
    }
}

fn use_color(when: ColorWhen) -> bool {
    match when {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        // An empty NO_COLOR counts as unset, as https://no-color.org says.
        ColorWhen::Auto => {
            std::io::stdout().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}

/// The heading of a shoe in the formats for people.
fn heading(line: Option<usize>, roads: &Roads) -> String {
    let hands = match roads.counts().total() {
        1 => "1 hand".to_owned(),
        hands => format!("{hands} hands"),
    };
    match line {
        Some(line) => format!("Shoe on line {line}: {hands}"),
        None => format!("Shoe: {hands}"),
    }
}

/// The title of the big road; ties before the first decision have no entry to stand on.
fn big_road_title(roads: &Roads) -> String {
    match roads.leading_ties() {
        0 => "Big road".to_owned(),
        1 => "Big road (1 tie before the first decision)".to_owned(),
        ties => format!("Big road ({ties} ties before the first decision)"),
    }
}
