//! The sheet for people in a terminal.

use core::fmt::Write as _;

use super::grid::{Align, grid};
use super::numbers::{grouped, net, pays, percent, rounded, share};
use super::space::SampleSpace;
use super::{BetFigures, OddsSheet, insurance_id};
use crate::fraction::Fraction;

/// What stands beside everything that favours the player.
const MARK: &str = "◀ player";

/// The whole sheet.
#[must_use]
pub fn text(sheet: &OddsSheet) -> String {
    let mut text = format!("{} ({})\n{}; ", sheet.title, sheet.game, sheet.stock_text());
    let _ = writeln!(text, "{} {}", grouped(sheet.total), SampleSpace::of(sheet.family).what);
    for note in &sheet.notes {
        let _ = writeln!(text, "Note: {note}");
    }
    if !sheet.bets.is_empty() {
        let _ = write!(text, "\nBets\n{}", summary(&sheet.bets));
        for bet in &sheet.bets {
            let _ = write!(text, "\n{}", bet_text(bet, sheet.total));
        }
    }
    if !sheet.categories.is_empty() {
        let _ = write!(text, "\nHands of five cards\n{}", categories(sheet));
    }
    if !sheet.insurance.is_empty() {
        let _ = write!(text, "\nInsurance, offered while a card is due\n{}", insurance(sheet));
    }
    let _ = writeln!(text, "\n{}", sheet.verdict());
    text
}

fn mark(favours: bool) -> String {
    if favours { MARK.to_string() } else { String::new() }
}

fn summary(bets: &[BetFigures]) -> String {
    use Align::{Left, Right};
    let risked = bets.iter().any(|bet| bet.units_risked.is_some());
    let mut header = vec!["bet", "edge", "hit frequency", "standard deviation"];
    if risked {
        header.extend(["units risked", "edge per unit risked"]);
    }
    header.push("");
    let rows: Vec<Vec<String>> = bets
        .iter()
        .map(|bet| {
            let par = &bet.par;
            let deviation = par.variance.sqrt_decimal(5);
            let mut row =
                vec![par.bet.clone(), percent(&par.edge, 4), percent(&par.hit_frequency, 4), deviation];
            if risked {
                row.push(bet.units_risked.unwrap_or(1).to_string());
                row.push(percent(bet.edge_per_unit_risked().as_ref().unwrap_or(&par.edge), 4));
            }
            row.push(mark(bet.favours_player()));
            row
        })
        .collect();
    let mut align = vec![Right; header.len()];
    align[0] = Left;
    align[header.len() - 1] = Left;
    grid(&header, &align, &rows)
}

/// The pay lines of one bet under its figures.
#[must_use]
pub fn bet_text(bet: &BetFigures, total: u64) -> String {
    use Align::{Left, Right};
    let par = &bet.par;
    let rows: Vec<Vec<String>> = par
        .lines
        .iter()
        .map(|line| {
            let chance = share(line.ways, total);
            let part = rounded(&chance.times(&line.net), 6).decimal(6);
            let pays = if line.net < Fraction::new(-1, 1) {
                format!("lose {}", net(&line.net.negated()).trim_start_matches('+'))
            } else {
                pays(&line.net)
            };
            vec![line.to_string(), pays, grouped(line.ways), percent(&chance, 4), part]
        })
        .collect();
    let lines = grid(
        &["when", "pays", "ways", "chance", "contribution to return"],
        &[Left, Right, Right, Right, Right],
        &rows,
    );
    let mark = if bet.favours_player() { format!("  {MARK}") } else { String::new() };
    let edge = percent(&par.edge, 4);
    format!("{} ({}), edge {edge} = {}{mark}\n{lines}", bet.name, par.bet, par.edge)
}

fn categories(sheet: &OddsSheet) -> String {
    let all: u64 = sheet.categories.iter().map(|(_, hands)| hands).sum();
    let rows: Vec<Vec<String>> = sheet
        .categories
        .iter()
        .rev()
        .map(|(category, hands)| {
            vec![category.key().to_string(), grouped(*hands), percent(&share(*hands, all), 4)]
        })
        .collect();
    grid(&["category", "hands", "chance"], &[Align::Left, Align::Right, Align::Right], &rows)
}

fn insurance(sheet: &OddsSheet) -> String {
    use Align::{Left, Right};
    let mut rows: Vec<Vec<String>> = Vec::new();
    let ends = |win: u64, push: u64, lose: u64| {
        let all = win + push + lose;
        let part = |count| percent(&share(count, all), 3);
        vec![percent(&share(all, sheet.total), 4), part(win), part(push), part(lose)]
    };
    for line in &sheet.insurance {
        let mut row = vec![
            format!("{} {}", line.side.key(), line.stage),
            line.banker_points.clone(),
            line.player_points.clone(),
            line.odds.to_string(),
        ];
        row.extend(ends(line.win, line.push, line.lose));
        let edge = line.edge();
        row.push(edge.as_ref().map_or_else(|| "never".to_string(), |edge| percent(edge, 4)));
        row.push(mark(edge.is_some_and(|edge| edge.is_negative())));
        rows.push(row);
        for situation in line.situations.iter().filter(|_| line.situations.len() > 1) {
            let points = |points: u8| points.to_string();
            let mut row = vec![
                String::new(),
                points(situation.banker_points),
                points(situation.player_points),
                String::new(),
            ];
            row.extend(ends(situation.win, situation.push, situation.lose));
            row.extend([percent(&situation.edge(), 4), mark(situation.edge().is_negative())]);
            rows.push(row);
        }
    }
    let header =
        ["insures", "Banker", "Player", "pays", "chance of it", "wins", "pushes", "loses", "edge", ""];
    let align = [Left, Right, Right, Right, Right, Right, Right, Right, Right, Left];
    grid(&header, &align, &rows)
}

/// The edge of every bet by deck count, from the sheets of one game.
#[must_use]
pub fn by_decks_text(sheets: &[OddsSheet]) -> String {
    let Some(first) = sheets.first() else { return String::new() };
    let mut text = format!("{} ({})\nEdges by number of decks\n\n", first.title, first.game);
    let decks =
        |sheet: &OddsSheet| sheet.stock.decks.map_or_else(String::new, |decks| decks.number().to_string());
    let decks: Vec<String> = sheets.iter().map(decks).collect();
    let mut header = vec!["decks"];
    header.extend(decks.iter().map(String::as_str));
    let mut align = vec![Align::Right; header.len()];
    align[0] = Align::Left;
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (at, bet) in first.bets.iter().enumerate() {
        let cells = sheets.iter().map(|sheet| percent(&sheet.bets[at].par.edge, 4));
        rows.push(core::iter::once(bet.par.bet.clone()).chain(cells).collect());
    }
    for (at, line) in first.insurance.iter().enumerate() {
        let name = insurance_id(line.side);
        let (banker, player) = (&line.banker_points, &line.player_points);
        let name = format!("{name} {} {banker} v {player}", line.stage);
        let edge = |sheet: &OddsSheet| {
            sheet.insurance[at].edge().map_or_else(|| "never".to_string(), |edge| percent(&edge, 4))
        };
        rows.push(core::iter::once(name).chain(sheets.iter().map(edge)).collect());
    }
    text.push_str(&grid(&header, &align, &rows));
    if !first.insurance.is_empty() {
        text.push_str(
            "\nInsurance: the Banker's count, v the Player's. A negative edge favours the player.\n",
        );
    }
    text
}
