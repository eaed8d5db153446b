//! The report of a gaming day as a page to print. It needs no style sheet and no network.

use super::{DayReport, DayTotal, TableReport};

/// The page.
pub(super) fn html(report: &DayReport) -> String {
    let rows: String = report.tables.iter().map(row).collect();
    let totals: String = report.totals.iter().map(total).collect();
    let day = escaped(&report.day);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Gaming day {day}</title></head>\n\
         <body>\n<h1>Gaming day {day}</h1>\n\
         <table border=\"1\" cellpadding=\"6\" cellspacing=\"0\" width=\"100%\">\n\
         <thead><tr><th align=\"left\">Table</th><th align=\"left\">Game</th><th>Rounds</th><th>Drop</th>\
         <th>Wagered</th><th>Win</th><th>Commission</th><th>Hold</th><th>Theoretical win</th><th>Edge</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n<tfoot>\n{totals}</tfoot>\n</table>\n\
         <p>Hold is the win as a share of the drop. The theoretical win is every stake times the exact edge of its \
         bet, rounded once.</p>\n</body>\n</html>\n"
    )
}

fn row(table: &TableReport) -> String {
    let money = |minor: i64| cell(&amount_in(minor, table.decimals));
    format!(
        "<tr><td>{} {} ({})</td><td>{}</td>{}{}{}{}{}{}{}{}</tr>\n",
        table.table,
        escaped(&table.name),
        escaped(&table.currency),
        escaped(&table.game),
        cell(&table.rounds.to_string()),
        money(table.drop),
        money(table.handle),
        money(table.win),
        money(table.commission),
        cell(&share(table.hold.as_deref())),
        money(table.theory),
        cell(&share(table.theory_edge.as_deref())),
    )
}

fn total(total: &DayTotal) -> String {
    let money = |minor: i64| cell(&amount_in(minor, total.decimals));
    format!(
        "<tr><th align=\"left\" colspan=\"2\">All tables in {}</th>{}{}{}{}{}{}{}{}</tr>\n",
        escaped(&total.currency),
        cell(&total.rounds.to_string()),
        money(total.drop),
        money(total.handle),
        money(total.win),
        money(total.commission),
        cell(&share(total.hold.as_deref())),
        money(total.theory),
        cell(""),
    )
}

fn cell(text: &str) -> String {
    format!("<td align=\"right\">{text}</td>")
}

fn share(percent: Option<&str>) -> String {
    percent.map_or_else(String::new, |percent| format!("{percent} %"))
}

/// An amount with its point and its thousands: `-1,234.50`.
pub(in crate::api) fn amount_in(minor: i64, decimals: u8) -> String {
    let digits = format!("{:0>width$}", minor.unsigned_abs(), width = usize::from(decimals) + 1);
    let (whole, part) = digits.split_at(digits.len() - usize::from(decimals));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let sign = if minor < 0 { "-" } else { "" };
    if part.is_empty() { format!("{sign}{grouped}") } else { format!("{sign}{grouped}.{part}") }
}

fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_with_point_and_thousands() {
        for (minor, decimals, text) in [
            (0, 0, "0"),
            (0, 2, "0.00"),
            (-5, 2, "-0.05"),
            (123_450, 2, "1,234.50"),
            (-1_000_000, 0, "-1,000,000"),
            (999, 0, "999"),
            (99_999, 2, "999.99"),
        ] {
            assert_eq!(amount_in(minor, decimals), text);
        }
    }

    #[test]
    fn a_name_is_only_text() {
        assert_eq!(escaped("<b a='1'>&\""), "&lt;b a=&#39;1&#39;&gt;&amp;&quot;");
    }
}
