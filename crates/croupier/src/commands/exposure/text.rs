//! Exposure for people: a table of all bets, then each bet by penetration.

use std::io::{self, Write};

use comfy_table::{CellAlignment, Table};
use croupier_lab::exposure::{BetExposure, Exposure};

use super::super::{print_table, table};
use super::{dealing, edge, grouped, percent, units};

pub(super) fn show(exposure: &Exposure, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: what a perfect observer could win", exposure.game)?;
    writeln!(out, "{}", dealing(exposure))?;
    writeln!(out, "Edges are the player's; one unit is bet whenever there is one.\n")?;

    let mut overall = table([
        "Bet",
        "Fresh shoe",
        "Rounds with edge",
        "Average edge",
        "Largest",
        "Units/100 rounds",
        "Units/shoe",
    ]);
    for bet in &exposure.bets {
        overall.add_row([
            bet.bet.clone(),
            percent(bet.fresh_edge, 3),
            percent(bet.fraction, 3),
            edge(bet.average_edge),
            edge(bet.max_edge),
            units(bet.per_100_rounds),
            format!("{} ± {}", units(bet.per_shoe), units(bet.per_shoe_error)),
        ]);
    }
    align_numbers(&mut overall);
    print_table(out, &overall)?;
    for bet in &exposure.bets {
        writeln!(out, "\n{} by penetration", bet.bet)?;
        by_penetration(bet, out)?;
    }
    Ok(())
}

fn by_penetration(bet: &BetExposure, out: &mut dyn Write) -> io::Result<()> {
    if bet.max_edge <= 0.0 {
        return writeln!(out, "  never in the player's favour");
    }
    let mut parts = table([
        "Shoe dealt",
        "Rounds",
        "Rounds with edge",
        "Average edge",
        "Largest",
        "Units/100 rounds",
        "Units/shoe",
    ]);
    for part in &bet.by_penetration {
        parts.add_row([
            format!("{}–{}", short_percent(part.from), short_percent(part.to)),
            grouped(part.rounds),
            percent(part.fraction, 3),
            edge(part.average_edge),
            edge(part.max_edge),
            units(part.per_100_rounds),
            units(part.per_shoe),
        ]);
    }
    align_numbers(&mut parts);
    print_table(out, &parts)
}

fn align_numbers(table: &mut Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// `10%`, `12.5%`.
fn short_percent(share: f64) -> String {
    format!("{}%", (share * 10_000.0).round() / 100.0)
}
