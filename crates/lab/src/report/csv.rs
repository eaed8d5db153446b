//! The sheet for spreadsheets: one row for each pay line, insurance situation and Niu Niu category.

use super::numbers::{decimal, pays, share};
use super::{OddsSheet, insurance_id};

const HEADER: &str = "game,decks,cards,total,kind,bet,line,stage,banker_points,player_points,pays,ways,chance,\
                      win,push,lose,edge,edge_exact,hit_frequency,variance,standard_deviation,favours_player";

/// The header and the rows of all sheets.
#[must_use]
pub fn csv(sheets: &[OddsSheet]) -> String {
    let mut text = format!("{HEADER}\n");
    for sheet in sheets {
        rows(sheet, &mut text);
    }
    text
}

fn rows(sheet: &OddsSheet, text: &mut String) {
    let decks = sheet.stock.decks.map_or_else(String::new, |decks| decks.number().to_string());
    let (cards, total) = (sheet.stock.counts.cards().to_string(), sheet.total.to_string());
    let mut row = |cells: [&str; 18]| {
        let start = [sheet.game.as_str(), &decks, &cards, &total];
        let cells: Vec<String> = start.into_iter().chain(cells).map(quoted).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    };
    let favours = |yes: bool| if yes { "true" } else { "false" };
    for bet in &sheet.bets {
        let par = &bet.par;
        let (edge, exact, hits) = (decimal(&par.edge), par.edge.to_string(), decimal(&par.hit_frequency));
        let (variance, deviation) = (decimal(&par.variance), par.variance.sqrt_decimal(20));
        for line in &par.lines {
            let (pays, ways) = (pays(&line.net), line.ways.to_string());
            let chance = decimal(&share(line.ways, sheet.total));
            row([
                "bet",
                &par.bet,
                &line.to_string(),
                "",
                "",
                "",
                &pays,
                &ways,
                &chance,
                "",
                "",
                "",
                &edge,
                &exact,
                &hits,
                &variance,
                &deviation,
                favours(bet.favours_player()),
            ]);
        }
    }
    for situation in sheet.situations() {
        let ways = situation.win + situation.push + situation.lose;
        let edge = situation.edge();
        row([
            "insurance",
            insurance_id(situation.side),
            "",
            situation.stage.key(),
            &situation.banker_points.to_string(),
            &situation.player_points.to_string(),
            &situation.odds.to_string(),
            &ways.to_string(),
            &decimal(&share(ways, sheet.total)),
            &situation.win.to_string(),
            &situation.push.to_string(),
            &situation.lose.to_string(),
            &decimal(&edge),
            &edge.to_string(),
            &decimal(&share(situation.win, ways)),
            "",
            "",
            favours(edge.is_negative()),
        ]);
    }
    let hands: u64 = sheet.categories.iter().map(|(_, hands)| hands).sum();
    for (category, ways) in &sheet.categories {
        let (ways, chance) = (ways.to_string(), decimal(&share(*ways, hands)));
        let blank = "";
        row([
            "category",
            blank,
            category.key(),
            blank,
            blank,
            blank,
            blank,
            &ways,
            &chance,
            blank,
            blank,
            blank,
            blank,
            blank,
            blank,
            blank,
            blank,
            blank,
        ]);
    }
}

/// A cell, in quotes where it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_string()
    }
}
