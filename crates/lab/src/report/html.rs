//! The sheet as one page: no scripts, nothing from the network, and fit to be printed.

use core::fmt::Write as _;

use super::numbers::{grouped, net, pays, percent, rounded, share};
use super::space::SampleSpace;
use super::svg::{Series, Tone, bars, escape, lines};
use super::{BetFigures, OddsSheet};
use crate::fraction::Fraction;

/// How the pages look, on a screen and printed.
pub const STYLE: &str = include_str!("page.css");

/// The page of a sheet; `by_decks` are the sheets of the same game with whole decks, for the plots over deck
/// counts, and may be empty.
#[must_use]
pub fn html(sheet: &OddsSheet, by_decks: &[OddsSheet]) -> String {
    let title = escape(&sheet.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>PAR sheet: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>PAR sheet</h1>\n<p>{title} · <code>{}</code></p>\n</header>\n",
        escape(&sheet.game),
        escape(&sheet.game)
    );
    page.push_str(&body(sheet, by_decks));
    let counted = SampleSpace::of(sheet.family).all;
    let _ = write!(
        page,
        "<footer>Exact figures, counted over {counted}. The edge is the mean loss of one unit wagered, stand-offs \
         counted; below zero it favours the player. Percentages are rounded.</footer>\n</body>\n</html>\n"
    );
    page
}

/// What stands on the page of a sheet, for a page that has more on it.
#[must_use]
pub fn body(sheet: &OddsSheet, by_decks: &[OddsSheet]) -> String {
    let mut page = String::new();
    verdict(&mut page, sheet);
    composition(&mut page, sheet);
    if !sheet.bets.is_empty() {
        summary(&mut page, sheet);
    }
    let comparable = by_decks.len() > 1 && !sheet.bets.is_empty();
    if comparable {
        deck_plot(&mut page, sheet, by_decks);
    }
    if !sheet.bets.is_empty() {
        page.push_str("<h2>Bets, line by line</h2>\n");
    }
    for bet in &sheet.bets {
        bet_section(&mut page, bet, sheet.total, if comparable { by_decks } else { &[] });
    }
    categories(&mut page, sheet);
    insurance(&mut page, sheet);
    page
}

fn verdict(page: &mut String, sheet: &OddsSheet) {
    let found = sheet.player_favours();
    let class = if found.is_empty() { "verdict" } else { "verdict warn" };
    let _ = write!(page, "<div class=\"{class}\"><strong>{}</strong>", escape(&sheet.verdict()));
    if !found.is_empty() {
        page.push_str("<ul>");
        for text in found {
            let _ = write!(page, "<li>{}</li>", escape(&text));
        }
        page.push_str("</ul>");
    }
    page.push_str("</div>\n");
    for note in &sheet.notes {
        let _ = writeln!(page, "<p class=\"verdict warn\">Note: {}.</p>", escape(note));
    }
}

fn composition(page: &mut String, sheet: &OddsSheet) {
    let what = SampleSpace::of(sheet.family).short;
    let (stock, total) = (escape(&sheet.stock_text()), grouped(sheet.total));
    let _ = write!(page, "<h2>Cards</h2>\n<p>{stock}; {total} {what}.</p>\n<table><thead><tr><th>rank</th>");
    for rank in croupier_cards::Rank::ALL {
        let _ = write!(page, "<th>{}</th>", rank.letter());
    }
    page.push_str("</tr></thead><tbody><tr><td>cards left</td>");
    for count in sheet.stock.counts.counts() {
        let _ = write!(page, "<td>{count}</td>");
    }
    page.push_str("</tr></tbody></table>\n");
}

fn favours(yes: bool) -> &'static str {
    if yes { " class=\"favours\"" } else { "" }
}

fn summary(page: &mut String, sheet: &OddsSheet) {
    let risked = sheet.bets.iter().any(|bet| bet.units_risked.is_some());
    page.push_str(
        "<h2>Bets</h2>\n<table><thead><tr><th>bet</th><th>edge</th><th>hit frequency</th>\
         <th>standard deviation</th><th>variance</th>",
    );
    if risked {
        page.push_str("<th>units risked</th><th>edge per unit risked</th>");
    }
    page.push_str("</tr></thead><tbody>\n");
    for bet in &sheet.bets {
        let par = &bet.par;
        let _ = write!(
            page,
            "<tr{}><td>{}</td><td class=\"edge\">{}</td><td>{}</td><td>{}</td><td>{}</td>",
            favours(bet.favours_player()),
            escape(&bet.name),
            percent(&par.edge, 4),
            percent(&par.hit_frequency, 4),
            par.variance.sqrt_decimal(5),
            rounded(&par.variance, 5).decimal(5)
        );
        if risked {
            let edge = bet.edge_per_unit_risked();
            let edge = percent(edge.as_ref().unwrap_or(&par.edge), 4);
            let _ = write!(page, "<td>{}</td><td>{edge}</td>", bet.units_risked.unwrap_or(1));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table>\n");
}

/// The deck counts of the sheets, and the edges of the bet with that id.
fn edges<'s>(by_decks: &'s [OddsSheet], id: &str) -> Vec<&'s Fraction> {
    let bet = |sheet: &'s OddsSheet| sheet.bets.iter().find(|bet| bet.par.bet == id);
    by_decks.iter().filter_map(|sheet| bet(sheet).map(|bet| &bet.par.edge)).collect()
}

fn deck_labels(by_decks: &[OddsSheet]) -> Vec<String> {
    let number = |sheet: &OddsSheet| sheet.stock.decks.map(|decks| decks.number().to_string());
    by_decks.iter().map(|sheet| number(sheet).unwrap_or_default()).collect()
}

fn deck_plot(page: &mut String, sheet: &OddsSheet, by_decks: &[OddsSheet]) {
    let labels = deck_labels(by_decks);
    let series: Vec<Series<'_>> = sheet
        .bets
        .iter()
        .map(|bet| Series {
            name: &bet.name,
            values: edges(by_decks, &bet.par.bet).into_iter().map(Fraction::approximate).collect(),
        })
        .collect();
    let plot = lines("Edge of every bet by number of decks", &labels, &series, false);
    let _ = write!(page, "<h2>Edge by number of decks</h2>\n<figure>{plot}</figure>\n");
    page.push_str("<table><thead><tr><th>decks</th>");
    for label in &labels {
        let _ = write!(page, "<th>{label}</th>");
    }
    page.push_str("</tr></thead><tbody>\n");
    for bet in &sheet.bets {
        let _ = write!(page, "<tr><td>{}</td>", escape(&bet.name));
        for edge in edges(by_decks, &bet.par.bet) {
            let _ = write!(page, "<td>{}</td>", percent(edge, 3));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table>\n");
}

fn bet_section(page: &mut String, bet: &BetFigures, total: u64, by_decks: &[OddsSheet]) {
    let par = &bet.par;
    let _ = write!(
        page,
        "<section class=\"bet\"><h3>{} <small>edge {} = <code>{}</code></small></h3>\n<table><thead><tr>\
         <th>when</th><th>pays</th><th>ways</th><th>chance</th><th>contribution to return</th></tr></thead><tbody>\n",
        escape(&bet.name),
        percent(&par.edge, 4),
        par.edge
    );
    for line in &par.lines {
        let chance = share(line.ways, total);
        let pays = if line.net < Fraction::new(-1, 1) {
            format!("lose {}", net(&line.net.negated()).trim_start_matches('+'))
        } else {
            pays(&line.net)
        };
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{pays}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&line.to_string()),
            grouped(line.ways),
            percent(&chance, 4),
            rounded(&chance.times(&line.net), 6).decimal(6)
        );
    }
    page.push_str("</tbody></table>\n<div class=\"plots\">");
    let rows: Vec<(String, f64, String, Tone)> = bet
        .distribution()
        .into_iter()
        .map(|(result, chance)| {
            let tone = match result.cmp(&super::numbers::zero()) {
                core::cmp::Ordering::Greater => Tone::Gain,
                core::cmp::Ordering::Equal => Tone::Even,
                core::cmp::Ordering::Less => Tone::Loss,
            };
            (net(&result), chance.approximate(), percent(&chance, 3), tone)
        })
        .collect();
    let plot = bars(&format!("Results of one unit on {}", bet.name), &rows);
    let _ =
        write!(page, "<figure><figcaption>Result of one unit, and its chance</figcaption>{plot}</figure>");
    if !by_decks.is_empty() {
        let values = edges(by_decks, &par.bet).into_iter().map(Fraction::approximate).collect();
        let title = format!("Edge of {} by number of decks", bet.name);
        let plot = lines(&title, &deck_labels(by_decks), &[Series { name: &bet.name, values }], true);
        let _ = write!(page, "<figure><figcaption>Edge by number of decks</figcaption>{plot}</figure>");
    }
    page.push_str("</div></section>\n");
}

fn categories(page: &mut String, sheet: &OddsSheet) {
    if sheet.categories.is_empty() {
        return;
    }
    let all: u64 = sheet.categories.iter().map(|(_, hands)| hands).sum();
    page.push_str(
        "<h2>Hands of five cards</h2>\n<div class=\"plots\"><figure><table><thead><tr><th>category</th>\
         <th>hands</th><th>chance</th></tr></thead><tbody>\n",
    );
    let mut rows = Vec::new();
    for (category, hands) in sheet.categories.iter().rev() {
        let chance = share(*hands, all);
        let (key, hands, words) = (category.key(), grouped(*hands), percent(&chance, 4));
        let _ = writeln!(page, "<tr><td>{key}</td><td>{hands}</td><td>{words}</td></tr>");
        rows.push((key.to_string(), chance.approximate(), percent(&chance, 3), Tone::Loss));
    }
    let plot = bars("Chance of each category", &rows);
    let _ = writeln!(
        page,
        "</tbody></table></figure><figure><figcaption>Chance of each category</figcaption>{plot}</figure></div>"
    );
}

fn insurance(page: &mut String, sheet: &OddsSheet) {
    if sheet.insurance.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Insurance</h2>\n<p class=\"quiet\">Offered while a card is due. Each line of the rulebook, then the \
         situations it covers; the shaded ones favour the player.</p>\n<table><thead><tr><th>insures</th>\
         <th>Banker</th><th>Player</th><th>pays</th><th>chance of it</th><th>wins</th><th>pushes</th>\
         <th>loses</th><th>edge</th></tr></thead><tbody>\n",
    );
    let ends = |win: u64, push: u64, lose: u64| {
        let all = win + push + lose;
        let part = |count| percent(&share(count, all), 3);
        let chance = percent(&share(all, sheet.total), 4);
        format!("<td>{chance}</td><td>{}</td><td>{}</td><td>{}</td>", part(win), part(push), part(lose))
    };
    for line in &sheet.insurance {
        let edge = line.edge();
        let class = if edge.as_ref().is_some_and(Fraction::is_negative) { "line favours" } else { "line" };
        let _ = writeln!(
            page,
            "<tr class=\"{class}\"><td>{}, {}</td><td>{}</td><td>{}</td><td>{}</td>{}<td class=\"edge\">{}</td></tr>",
            line.side.key(),
            line.stage,
            escape(&line.banker_points),
            escape(&line.player_points),
            line.odds,
            ends(line.win, line.push, line.lose),
            edge.map_or_else(|| "never".to_string(), |edge| percent(&edge, 4))
        );
        for situation in line.situations.iter().filter(|_| line.situations.len() > 1) {
            let edge = situation.edge();
            let _ = writeln!(
                page,
                "<tr{}><td></td><td>{}</td><td>{}</td><td></td>{}<td class=\"edge\">{}</td></tr>",
                favours(edge.is_negative()),
                situation.banker_points,
                situation.player_points,
                ends(situation.win, situation.push, situation.lose),
                percent(&edge, 4)
            );
        }
    }
    page.push_str("</tbody></table>\n");
}
