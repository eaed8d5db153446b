//! Exposure as CSV: a row for each bet and part of the shoe, and one for the whole shoe, from 0 to 1.

use std::io::{self, Write};

use croupier_lab::exposure::{Exposure, Penetration};

pub(super) fn show(exposure: &Exposure, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "bet,from,to,rounds,fraction,average_edge,per_100_rounds,per_shoe,max_edge")?;
    for bet in &exposure.bets {
        let whole = Penetration {
            from: 0.0,
            to: 1.0,
            rounds: exposure.rounds,
            fraction: bet.fraction,
            average_edge: bet.average_edge,
            per_100_rounds: bet.per_100_rounds,
            per_shoe: bet.per_shoe,
            max_edge: bet.max_edge,
        };
        for part in core::iter::once(&whole).chain(&bet.by_penetration) {
            writeln!(
                out,
                "{},{},{},{},{},{},{},{},{}",
                bet.bet,
                part.from,
                part.to,
                part.rounds,
                part.fraction,
                part.average_edge,
                part.per_100_rounds,
                part.per_shoe,
                part.max_edge
            )?;
        }
    }
    Ok(())
}
