//! `croupier ratings` and `croupier alarms`: what a whole journal tells of those who play and deal.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use croupier_insight::rating::nearest;
use croupier_insight::{Rating, Settings, Subject};
use croupier_journal::store::Flow;
use croupier_journal::{Deed, Select, Shelf, Source, Stream};
use croupier_rounds::amount::Decimals;
use croupier_rules::Amount;
use croupier_server::watch::Walk;
use serde::Serialize;

use super::simulate::progress::Progress;
use super::{print_table, table};

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
}

/// Rate the players of a journal: average bet, time, theoretical win at the cards left in each round, result, pace
///
/// A session lasts from a player's first wager at a table until the player leaves, or has not played for an hour. The
/// theoretical win is exact: every wager counts with the edge that it had at the cards left in the shoe when its round was
/// dealt, and insurance with its chances when it was taken. Amounts of JSON and CSV are in minor units.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier ratings data                          every session, by player
  croupier ratings data --player 7 --format json
  croupier ratings export --format csv > ratings.csv")]
pub(crate) struct RatingsArgs {
    /// A file of SQLite, a folder of data, an export or its journal.jsonl, or the URL of a PostgreSQL database
    #[arg(value_name = "PATH|URL")]
    journal: String,

    /// Only this player
    #[arg(long, value_name = "ID")]
    player: Option<u32>,

    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Say how unlikely the results of a journal are: of every table, dealer, player and bet
///
/// The figure is one in so many: honest play comes to it with at most that chance, however often one looks, by Bennett's
/// inequality over the exact mean and variance of every round and Ville's over all rounds. Each gaming day is judged by
/// itself; what is printed is the last one, and every alarm and exception of all of them. Exit code 1 if there is an alarm.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  croupier alarms data                           with the alarms, and those with the most against luck
  croupier alarms data --one-in 1000             with more false alarms
  croupier alarms export --format csv > alarms.csv")]
pub(crate) struct AlarmsArgs {
    /// A file of SQLite, a folder of data, an export or its journal.jsonl, or the URL of a PostgreSQL database
    #[arg(value_name = "PATH|URL")]
    journal: String,

    /// Raise an alarm where honest play comes to it with a chance of one in so many, for each who is watched and each day
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(2..))]
    one_in: u32,

    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Reads a whole journal.
fn walk(journal: &str, settings: Settings) -> anyhow::Result<Walk> {
    let mut source = Source::open(journal)?;
    let progress = Progress::new(Some(source.store.end()?), "lines");
    let (mut walk, mut shelf, mut ended) = (Walk::new(settings), Shelf::default(), Ok(()));
    source.store.rows(Select::After(0), &mut |position, row| {
        progress.set(position);
        let mut follow = || -> anyhow::Result<()> {
            if row.stream == Stream::House
                && let Deed::Rulebook { text, .. } = row.record()?.deed
            {
                shelf.add(&text)?;
            }
            Ok(walk.row(position, &row, &shelf)?)
        };
        ended = follow().with_context(|| format!("{} {}", row.stream, row.sequence));
        if ended.is_ok() { Flow::Continue(()) } else { Flow::Break(()) }
    })?;
    progress.clear();
    ended.context("the journal cannot be replayed; run `croupier verify` to see what is wrong with it")?;
    Ok(walk)
}

#[derive(Serialize)]
struct RatingRow {
    player: u32,
    table: u32,
    from: u64,
    to: u64,
    rounds: u64,
    pace: Option<u64>,
    handle: i64,
    average: i64,
    largest: i64,
    theory: i64,
    theory_exact: String,
    unpriced: i64,
    result: i64,
}

impl From<&Rating> for RatingRow {
    fn from(rating: &Rating) -> Self {
        Self {
            player: rating.player.0,
            table: rating.table.0,
            from: rating.from,
            to: rating.to,
            rounds: rating.rounds,
            pace: rating.pace(),
            handle: rating.handle,
            average: rating.average(),
            largest: rating.largest,
            theory: rating.theoretical(),
            theory_exact: rating.theory.value().to_string(),
            unpriced: rating.unpriced,
            result: rating.result,
        }
    }
}

/// Runs `croupier ratings`.
///
/// # Errors
/// A journal that cannot be read, or a failure to write.
pub(crate) fn ratings(args: &RatingsArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let walk = walk(&args.journal, Settings::default())?;
    let wanted = |rating: &&Rating| args.player.is_none_or(|player| rating.player.0 == player);
    let mut found: Vec<&Rating> = walk.insight.ratings.all().filter(wanted).collect();
    found.sort_by_key(|rating| (rating.player, rating.from, rating.table));
    let rows = || found.iter().map(|rating| RatingRow::from(*rating));
    match args.format {
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&rows().collect::<Vec<_>>())?)?,
        Format::Csv => {
            writeln!(
                out,
                "player,table,from,to,rounds,pace,handle,average,largest,theory,theory_exact,unpriced,result"
            )?;
            for row in rows() {
                let pace = row.pace.map_or_else(String::new, |pace| pace.to_string());
                writeln!(
                    out,
                    "{},{},{},{},{},{pace},{},{},{},{},{},{},{}",
                    row.player,
                    row.table,
                    row.from,
                    row.to,
                    row.rounds,
                    row.handle,
                    row.average,
                    row.largest,
                    row.theory,
                    row.theory_exact,
                    row.unpriced,
                    row.result
                )?;
            }
        }
        Format::Text => {
            let mut list = table([
                "player",
                "table",
                "minutes",
                "rounds",
                "an hour",
                "average",
                "largest",
                "wagered",
                "theoretical win",
                "player's result",
            ]);
            for rating in &found {
                let show = |minor| shown(&walk, rating.table, minor);
                list.add_row([
                    rating.player.to_string(),
                    rating.table.to_string(),
                    ((rating.to - rating.from) / 60_000).to_string(),
                    rating.rounds.to_string(),
                    rating.pace().map_or_else(|| "-".to_string(), |pace| pace.to_string()),
                    show(rating.average()),
                    show(rating.largest),
                    show(rating.handle),
                    show(rating.theoretical()),
                    show(rating.result),
                ]);
            }
            writeln!(out, "{}", super::count(found.len(), "session"))?;
            print_table(out, &list)?;
            let unpriced = found.iter().filter(|rating| rating.unpriced > 0).count();
            if unpriced > 0 {
                let sessions = super::count(unpriced, "session");
                writeln!(
                    out,
                    "note: {sessions} with wagers that could not be priced, since the shoe might have lacked a card"
                )?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// An amount as people of a table write it.
fn shown(walk: &Walk, table: croupier_ledger::TableId, minor: i64) -> String {
    let decimals = walk.tables.get(&table).and_then(|table| Decimals::new(table.opened.decimals));
    let decimals = decimals.unwrap_or(Decimals::USUAL);
    Amount::new(minor).map_or_else(|| minor.to_string(), |amount| decimals.show(amount))
}

#[derive(Serialize)]
struct CourseRow {
    subject: String,
    rounds: u64,
    handle: i64,
    result: i64,
    mean: i64,
    deviation: String,
    is_exact: bool,
    deviations: String,
    one_in: String,
    alarmed: Option<u64>,
}

#[derive(Serialize)]
struct ExceptionRow {
    at: u64,
    kind: &'static str,
    table: Option<u32>,
    round: Option<u64>,
    told: String,
}

#[derive(Serialize)]
struct AlarmsJson {
    one_in: u32,
    false_alarms: String,
    courses: Vec<CourseRow>,
    alarms: Vec<ExceptionRow>,
    exceptions: Vec<ExceptionRow>,
}

/// Runs `croupier alarms`.
///
/// # Errors
/// A journal that cannot be read, or a failure to write.
pub(crate) fn alarms(args: &AlarmsArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let walk = walk(&args.journal, Settings { one_in: f64::from(args.one_in), ..Settings::default() })?;
    let alarms = &walk.insight.alarms;
    let mut all: Vec<_> = alarms.courses().iter().collect();
    all.sort_by(|(_, one), (_, other)| other.evidence.one_in().total_cmp(&one.evidence.one_in()));
    let courses: Vec<CourseRow> = all
        .into_iter()
        .map(|(subject, course)| CourseRow {
            subject: match subject {
                Subject::Table(table) => format!("table {table}"),
                Subject::Dealer(person) => format!("dealer {person}"),
                Subject::Player(player) => format!("player {player}"),
                Subject::Bet { table, bet } => format!("{bet} at table {table}"),
            },
            rounds: course.rounds,
            handle: course.handle,
            result: course.result,
            mean: nearest(&course.mean.value()),
            deviation: course.variance.value().sqrt_decimal(0),
            is_exact: course.is_exact,
            deviations: format!("{:.2}", course.deviations()),
            one_in: format!("{:.0}", course.evidence.one_in()),
            alarmed: course.alarmed,
        })
        .collect();
    let row = |found: &croupier_server::watch::Found| ExceptionRow {
        at: found.noted.at,
        kind: found.noted.exception.kind.key(),
        table: found.noted.table.map(|table| table.0),
        round: found.noted.round,
        told: match found.noted.exception.irregularity {
            Some(irregularity) => format!("{irregularity} {}", found.noted.exception.told).trim().to_string(),
            None => found.noted.exception.told.clone(),
        },
    };
    let (raised, others): (Vec<_>, Vec<_>) =
        walk.feed.iter().map(row).partition(|row| matches!(row.kind, "unlikely" | "follows-shoe"));
    let code = if raised.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    let false_alarms = format!("{:.4}", alarms.false_alarms());
    match args.format {
        Format::Json => {
            let report =
                AlarmsJson { one_in: args.one_in, false_alarms, courses, alarms: raised, exceptions: others };
            writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
        }
        Format::Csv => {
            writeln!(out, "subject,rounds,handle,result,mean,deviation,is_exact,deviations,one_in,alarmed")?;
            for row in courses {
                let alarmed = row.alarmed.map_or_else(String::new, |rounds| rounds.to_string());
                writeln!(
                    out,
                    "{},{},{},{},{},{},{},{},{},{alarmed}",
                    row.subject,
                    row.rounds,
                    row.handle,
                    row.result,
                    row.mean,
                    row.deviation,
                    row.is_exact,
                    row.deviations,
                    row.one_in
                )?;
            }
        }
        Format::Text => {
            let watched = courses.len();
            writeln!(
                out,
                "{}; {} watched in the last gaming day, with at most {false_alarms} false alarms in the mean",
                super::count(raised.len(), "alarm"),
                watched
            )?;
            for row in &raised {
                let table = row.table.map_or_else(String::new, |table| format!("table {table}, "));
                writeln!(out, "  {table}round {}: {}", row.round.unwrap_or(0), row.told)?;
            }
            let mut list = table([
                "whose",
                "rounds",
                "players won",
                "in the mean",
                "deviation",
                "off by",
                "by luck once in",
            ]);
            for row in courses.iter().take(40) {
                let bound = if row.is_exact { "" } else { "<= " };
                list.add_row([
                    row.subject.clone(),
                    row.rounds.to_string(),
                    row.result.to_string(),
                    row.mean.to_string(),
                    format!("{bound}{}", row.deviation),
                    row.deviations.clone(),
                    row.one_in.clone(),
                ]);
            }
            writeln!(out)?;
            print_table(out, &list)?;
            writeln!(
                out,
                "Amounts are in minor units. {} in the feed.",
                super::count(others.len(), "other exception")
            )?;
        }
    }
    Ok(code)
}
