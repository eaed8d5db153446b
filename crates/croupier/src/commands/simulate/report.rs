//! The results of a simulation, for people and for programs.

use std::io::Write;

use comfy_table::CellAlignment;
use croupier_lab::report::grouped;
use croupier_lab::simulate::sessions::{Plan, Sessions};
use croupier_lab::simulate::{Dealing, Estimate, Simulated};
use croupier_lab::{Fraction, ParBet};
use serde_json::{Value, json};

use super::{Format, Task};
use crate::commands::{print_table, table};

/// Digits of an exact figure.
const PLACES: u32 = 18;

/// An estimate and the exact mean, where it is known.
struct BetLine {
    estimate: Estimate,
    exact: Option<Fraction>,
}

impl BetLine {
    fn inside(&self) -> Option<bool> {
        self.exact.as_ref().map(|exact| self.estimate.covers(exact.approximate()))
    }
}

/// What every bet made of the rounds.
pub(super) fn rounds(
    task: &Task<'_>,
    simulated: &Simulated,
    exact: Option<&[ParBet]>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let lines: Vec<BetLine> = simulated
        .estimates(task.game)
        .into_iter()
        .enumerate()
        .filter(|(at, _)| task.bet.is_none_or(|bet| bet == *at))
        .map(|(at, estimate)| {
            let exact = exact.and_then(|bets| bets.get(at)).map(|bet| bet.edge.negated());
            BetLine { estimate, exact }
        })
        .collect();
    match task.args.format {
        Format::Text => rounds_text(task, simulated, &lines, out),
        Format::Json => rounds_json(task, simulated, &lines, out),
    }
}

fn rounds_text(
    task: &Task<'_>,
    simulated: &Simulated,
    lines: &[BetLine],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(out, "{}", heading(task))?;
    let dealt = match task.dealing {
        Dealing::Shoes(..) if simulated.shoes > 0 => format!(
            "{} rounds in {} shoes, {:.2} a shoe",
            grouped(simulated.rounds),
            grouped(simulated.shoes),
            simulated.rounds as f64 / simulated.shoes as f64
        ),
        Dealing::Rounds(_) | Dealing::NiuNiu | Dealing::Shoes(..) => {
            format!("{} rounds", grouped(simulated.rounds))
        }
    };
    writeln!(out, "{dealt}{}\n", early(simulated.stopped_early))?;
    if simulated.rounds < 2 {
        writeln!(out, "Too few rounds to say anything.")?;
        return Ok(());
    }
    let mut table =
        table(["bet", "rounds", "mean", "standard error", "95 % interval", "exact", "exact inside"]);
    for line in lines {
        let (low, high) = line.estimate.interval();
        table.add_row([
            line.estimate.bet.clone(),
            grouped(line.estimate.rounds),
            percent(line.estimate.mean),
            format!("{:.4} %", line.estimate.standard_error * 100.0),
            format!("{} to {}", percent(low), percent(high)),
            line.exact.as_ref().map_or_else(|| "–".into(), |exact| percent(exact.approximate())),
            line.inside().map_or("–", |inside| if inside { "yes" } else { "no" }).into(),
        ]);
    }
    for column in 1..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    print_table(out, &table)?;
    writeln!(out, "\nMeans are a player's result per unit staked: below zero the house is favoured.")?;
    let known = lines.iter().filter_map(BetLine::inside).count();
    if known > 0 {
        let fresh = if matches!(task.dealing, Dealing::Shoes(..)) { " of a full shoe" } else { "" };
        let inside = lines.iter().filter(|line| line.inside() == Some(true)).count();
        writeln!(
            out,
            "The exact figure{fresh} lies inside {inside} of {known} intervals; chance leaves out one in twenty."
        )?;
    }
    Ok(())
}

fn rounds_json(
    task: &Task<'_>,
    simulated: &Simulated,
    lines: &[BetLine],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let bets: Vec<Value> = lines
        .iter()
        .map(|line| {
            let (low, high) = line.estimate.interval();
            json!({
                "bet": line.estimate.bet,
                "rounds": line.estimate.rounds,
                "mean": text(line.estimate.mean),
                "standard_deviation": text(line.estimate.standard_deviation),
                "standard_error": text(line.estimate.standard_error),
                "interval": [text(low), text(high)],
                "exact_mean": line.exact.as_ref().map(|exact| exact.decimal(PLACES)),
                "exact_edge": line.exact.as_ref().map(|exact| exact.negated().decimal(PLACES)),
                "inside": line.inside(),
            })
        })
        .collect();
    let mut report = frame(task, simulated.rounds, simulated.stopped_early);
    if let Dealing::Shoes(..) = task.dealing {
        report["shoes"] = json!(simulated.shoes);
    }
    report["bets"] = json!(bets);
    writeln!(out, "{report:#}")?;
    Ok(())
}

/// How the sessions ended.
pub(super) fn sessions(
    task: &Task<'_>,
    plan: &Plan,
    ended: &Sessions,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    match task.args.format {
        Format::Text => sessions_text(task, plan, ended, out),
        Format::Json => sessions_json(task, plan, ended, out),
    }
}

const PERCENTILES: [(u64, &str); 5] =
    [(0, "worst"), (25, "lower quartile"), (50, "median"), (75, "upper quartile"), (100, "best")];

fn sessions_text(task: &Task<'_>, plan: &Plan, ended: &Sessions, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{}", heading(task))?;
    let wagers: Vec<String> = plan
        .wagers
        .iter()
        .map(|(bet, stake)| format!("{} on {}", grouped(*stake), task.game.bets[*bet].id))
        .collect();
    let rounds = match plan.rounds {
        Some(rounds) => format!("for {} rounds", grouped(rounds)),
        None => "until the bankroll is lost".into(),
    };
    let bankroll = plan
        .bankroll
        .map_or_else(String::new, |bankroll| format!(", with a bankroll of {}", grouped(bankroll)));
    writeln!(out, "{} every round {rounds}{bankroll}", wagers.join(", "))?;
    writeln!(out, "{} sessions{}\n", grouped(ended.sessions), early(ended.stopped_early))?;
    if ended.sessions == 0 {
        writeln!(out, "No session was finished.")?;
        return Ok(());
    }
    let mut table = table(["end result", "amount"]);
    for (percentile, name) in PERCENTILES {
        table.add_row([name.to_string(), format!("{:+.2}", ended.percentile(percentile))]);
    }
    table.add_row(["mean".to_string(), format!("{:+.4}", ended.mean())]);
    table.add_row(["standard deviation".to_string(), format!("{:.4}", ended.standard_deviation())]);
    table.add_row(["ends ahead".to_string(), format!("{:.3} %", ended.ahead() * 100.0)]);
    table.add_row(["ruin".to_string(), format!("{:.3} %", ended.ruin_rate() * 100.0)]);
    let mean_rounds = ended.rounds as f64 / ended.sessions as f64;
    table.add_row(["rounds a session".to_string(), format!("{mean_rounds:.2}")]);
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    print_table(out, &table)?;
    Ok(())
}

fn sessions_json(task: &Task<'_>, plan: &Plan, ended: &Sessions, out: &mut dyn Write) -> anyhow::Result<()> {
    let wagers: serde_json::Map<String, Value> =
        plan.wagers.iter().map(|(bet, stake)| (task.game.bets[*bet].id.clone(), json!(stake))).collect();
    let mut report = frame(task, ended.rounds, ended.stopped_early);
    report["plan"] = json!({"stakes": wagers, "rounds": plan.rounds, "bankroll": plan.bankroll});
    report["sessions"] = json!(ended.sessions);
    let [least, lower, median, upper, most] = PERCENTILES.map(|(percentile, _)| ended.percentile(percentile));
    report["results"] = json!({
        "min": text(least),
        "lower_quartile": text(lower),
        "median": text(median),
        "upper_quartile": text(upper),
        "max": text(most),
        "mean": text(ended.mean()),
        "standard_deviation": text(ended.standard_deviation()),
        "ahead": text(ended.ahead()),
        "ruin_rate": text(ended.ruin_rate()),
    });
    writeln!(out, "{report:#}")?;
    Ok(())
}

/// What all reports for programs have.
fn frame(task: &Task<'_>, rounds: u64, stopped_early: bool) -> Value {
    let mode = match (task.args.sessions, task.dealing) {
        (Some(_), _) => "sessions",
        (None, Dealing::Shoes(..)) => "shoes",
        (None, Dealing::Rounds(_) | Dealing::NiuNiu) => "rounds",
    };
    let mut report = json!({
        "game": task.game.id,
        "mode": mode,
        "seed": task.args.seed,
        "rounds": rounds,
        "stopped_early": stopped_early,
    });
    match task.dealing {
        Dealing::Rounds(decks) => report["decks"] = json!(decks.number()),
        Dealing::Shoes(decks, cut) => {
            report["decks"] = json!(decks.number());
            report["burn"] = json!(cut.burn);
            report["cut_card"] = json!({"behind": cut.behind, "rounds_after": cut.rounds_after});
        }
        Dealing::NiuNiu => report["decks"] = json!(1),
    }
    report
}

fn heading(task: &Task<'_>) -> String {
    let decks = |number: u8| super::super::count(number.into(), "deck");
    let dealing = match task.dealing {
        Dealing::Rounds(shoe) => format!("{}, every round from a full shoe", decks(shoe.number())),
        Dealing::Shoes(shoe, cut) => format!(
            "{}, {}, {} cards behind the cut card, {} after it",
            decks(shoe.number()),
            cut.burn,
            cut.behind,
            super::super::count(usize::try_from(cut.rounds_after).unwrap_or(usize::MAX), "round")
        ),
        Dealing::NiuNiu => "one deck, every round from a full deck".into(),
    };
    format!("{}: {dealing}, seed {}", task.game.id, task.args.seed)
}

/// A figure that is no whole number, as decimal text: the form that such figures have in all JSON of Croupier.
fn text(figure: f64) -> String {
    figure.to_string()
}

fn early(stopped: bool) -> &'static str {
    if stopped { " (stopped early)" } else { "" }
}

fn percent(share: f64) -> String {
    format!("{:+.4} %", share * 100.0)
}
