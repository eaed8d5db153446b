//! Priced bets for people.

use core::fmt::Write as _;

use super::{Priced, Solution, SolveError};
use crate::report::{bet_text, percent};

/// One block for each bet and deck count.
#[must_use]
pub fn text(priced: &[Priced]) -> String {
    let mut text = String::new();
    for (at, priced) in priced.iter().enumerate() {
        let number = priced.decks.number();
        let decks = if number == 1 { "1 deck".to_string() } else { format!("{number} decks") };
        let gap = if at == 0 { "" } else { "\n" };
        let _ = write!(text, "{gap}{decks}: {}", bet_text(&priced.figures, priced.total));
        let par = &priced.figures.par;
        let hits = percent(&par.hit_frequency, 4);
        let _ = writeln!(text, "hit frequency {hits}, standard deviation {}", par.variance.sqrt_decimal(5));
        if let Some(edge) = priced.figures.edge_per_unit_risked() {
            let units = priced.figures.units_risked.unwrap_or(1);
            let _ = writeln!(text, "units risked {units}, edge per unit risked {}", percent(&edge, 4));
        }
        if let Some(solved) = &priced.solved {
            solution(&mut text, solved);
        }
    }
    text
}

fn solution(text: &mut String, solved: &Result<Solution, SolveError>) {
    let solution = match solved {
        Err(error) => {
            let _ = writeln!(text, "{error}");
            return;
        }
        Ok(solution) => solution,
    };
    let wanted = percent(&solution.wanted, 4);
    let (line, when) = (solution.line + 1, &solution.when);
    let pays = &solution.pays;
    let _ =
        writeln!(text, "for an edge of {wanted}, line {line} (`{when}`) pays {}:1 = {pays}", pays.decimal(6));
    for whole in &solution.whole {
        let _ =
            writeln!(text, "  at {}:1 the edge is {} = {}", whole.odds, percent(&whole.edge, 4), whole.edge);
    }
}
