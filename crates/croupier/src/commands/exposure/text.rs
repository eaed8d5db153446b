//! Exposure for people: a table of all bets, then each bet by penetration.

use std::io::{self, Write};

use comfy_table::{CellAlignment, Table};
use croupier_lab::exposure::{BetExposure, Exposure};

use super::super::{print_table, table};
use super::{bet_figures, dealing, part_figures};

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
        overall.add_row(std::iter::once(bet.bet.clone()).chain(bet_figures(bet)));
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
        let range = format!("{}–{}", short_percent(part.from), short_percent(part.to));
        parts.add_row(std::iter::once(range).chain(part_figures(part)));
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
