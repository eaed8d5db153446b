//! Exposure as one self-contained page: no scripts, nothing loaded, fit to print.

use std::io::{self, Write};

use croupier_lab::exposure::{BetExposure, Exposure};
use croupier_rules::Game;

use super::{bet_figures, dealing, part_figures};

mod plot;

const STYLE: &str = "\
body{font:15px/1.45 Helvetica,Arial,'DejaVu Sans',sans-serif;color:#1f2933;background:#fff;max-width:780px;\
margin:2em auto;padding:0 1em}
h1{font-size:1.5em;margin:0 0 .2em}
h2{font-size:1.15em;margin:0 0 .3em}
p{margin:.3em 0}
.note{color:#52606d;font-size:.9em}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:.8em 0;font-size:.9em;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:.25em .5em;border-bottom:1px solid #d5dae1;white-space:nowrap}
th{border-bottom:1.5px solid #1f2933;white-space:normal;vertical-align:bottom}
th:first-child,td:first-child{text-align:left}
section{margin-top:2.2em;break-inside:avoid}
svg{width:100%;height:auto}
@page{margin:15mm}
@media print{body{font-size:11px;max-width:none;margin:0;padding:0}section{margin-top:1.4em}.wide{overflow:visible}}";

pub(super) fn show(exposure: &Exposure, game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let title = format!("Counting exposure of {}", escape(&exposure.game));
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>"
    )?;
    writeln!(out, "<p>{}</p>", escape(&dealing(exposure)))?;
    writeln!(
        out,
        "<p class=\"note\">Before every round each bet is priced exactly for the cards left; an observer who \
         knows them bets one unit on whatever then favours the player. Edges are the player’s. ± is one \
         standard error from the shoes sampled.</p>"
    )?;
    overall(exposure, game, out)?;
    for bet in &exposure.bets {
        section(bet, game, out)?;
    }
    writeln!(out, "</body>\n</html>")
}

fn overall(exposure: &Exposure, game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let header = [
        "Bet",
        "Edge, fresh shoe",
        "Rounds with an edge",
        "Average edge then",
        "Largest edge",
        "Units per 100 rounds",
        "Units per shoe",
    ];
    let rows =
        exposure.bets.iter().map(|bet| std::iter::once(name(bet, game)).chain(bet_figures(bet)).collect());
    table(out, &header, rows)
}

fn section(bet: &BetExposure, game: &Game, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>{}</h2>", escape(&name(bet, game)))?;
    if bet.max_edge <= 0.0 {
        return writeln!(out, "<p>Never in the player’s favour in these shoes.</p>\n</section>");
    }
    out.write_all(plot::svg(bet).as_bytes())?;
    let header = [
        "Shoe dealt",
        "Rounds",
        "Rounds with an edge",
        "Average edge then",
        "Largest edge",
        "Units per 100 rounds",
        "Units per shoe",
    ];
    let rows = bet.by_penetration.iter().map(|part| {
        let range = format!("{} – {}", plot::share(part.from), plot::share(part.to));
        std::iter::once(range).chain(part_figures(part)).collect()
    });
    table(out, &header, rows)?;
    writeln!(out, "</section>")
}

fn table(out: &mut dyn Write, header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> io::Result<()> {
    writeln!(out, "<div class=\"wide\"><table>\n<thead><tr>")?;
    for title in header {
        write!(out, "<th scope=\"col\">{title}</th>")?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in rows {
        write!(out, "<tr>")?;
        for cell in row {
            write!(out, "<td>{}</td>", escape(&cell))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table></div>")
}

/// The bet as the layout names it.
fn name(bet: &BetExposure, game: &Game) -> String {
    game.bet(&bet.bet).map_or(&bet.bet, |known| &known.names.en).clone()
}

/// A rulebook of one's own may have any text in it.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
