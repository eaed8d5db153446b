//! The report of a gaming day as a sheet: one row a table, amounts with their point and without thousands.

use super::{DayReport, TableReport};

const HEAD: &str = "day,table,name,game,currency,rounds,drop,wagered,win,commission,hold_percent,theoretical_win,opening,\
                    fills,credits,cash,closing,over_or_short,win_by_chips";

/// The sheet.
pub(super) fn text(report: &DayReport) -> String {
    let rows = report.tables.iter().map(|table| row(&report.day, table));
    core::iter::once(HEAD.to_string()).chain(rows).map(|line| line + "\r\n").collect()
}

fn row(day: &str, table: &TableReport) -> String {
    let money = |minor: i64| amount(minor, table.decimals);
    let mut cells = vec![
        day.to_string(),
        table.table.to_string(),
        quoted(&table.name),
        quoted(&table.game),
        table.currency.clone(),
        table.rounds.to_string(),
        money(table.drop),
        money(table.handle),
        money(table.win),
        money(table.commission),
        table.hold.clone().unwrap_or_default(),
        money(table.theory),
    ];
    cells.extend(match &table.chips {
        Some(chips) => [
            chips.opening,
            chips.fills,
            chips.credits,
            chips.cash,
            chips.closing,
            chips.difference,
            chips.win,
        ]
        .map(money),
        None => Default::default(),
    });
    cells.join(",")
}

/// An amount with its point: `-1234.50`.
fn amount(minor: i64, decimals: u8) -> String {
    super::amount_in(minor, decimals).replace(',', "")
}

/// A text that a sheet takes as one cell, and not as a formula.
fn quoted(text: &str) -> String {
    let safe = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}")
    } else {
        text.to_string()
    };
    format!("\"{}\"", safe.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_cell_and_no_formula() {
        for (text, cell) in [
            ("Baccarat 1", "\"Baccarat 1\""),
            ("a \"b\", c", "\"a \"\"b\"\", c\""),
            ("=SUM(A1)", "\"'=SUM(A1)\""),
            ("-1", "\"'-1\""),
        ] {
            assert_eq!(quoted(text), cell);
        }
        assert_eq!(amount(-123_450, 2), "-1234.50");
    }
}
