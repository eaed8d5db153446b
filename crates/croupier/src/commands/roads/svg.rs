//! The roads as one printable SVG: Banker red, Player blue, Tie green, on white.
//!
//! A shoe is a block of fixed height: bead plate with the counts beside it, big road, big eye boy and small
//! road at half size, cockroach pig with the forecast beside it. Blocks are stacked.

use super::{big_road_title, heading};
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::roads::{BigRoadEntry, Colour, DerivedRoad, ROWS, Roads};
use std::fmt::Write as _;
use std::io::{self, Write};

const CELL: usize = 22;
/// Derived roads are drawn at half size, so that two fit below the big road.
const SMALL: usize = CELL / 2;
const MARGIN: usize = 20;
const TITLE: usize = 20;
const GAP: usize = 16;
const HEADING: usize = 26;
const BLOCK: usize = HEADING + 2 * (TITLE + ROWS * CELL + GAP) + 2 * (TITLE + ROWS * SMALL + GAP);
/// The space between two shoes, with a rule in the middle.
const BETWEEN: usize = 32;

/// Columns of the big road that a picture has at least, so that a young shoe gets a board too.
const COLUMNS_MIN: usize = 24;
/// Columns kept free beside the bead plate for the counts.
const COUNTS_COLUMNS: usize = 6;

const RED: &str = "#c8102e";
const BLUE: &str = "#1a4fa8";
const GREEN: &str = "#15803d";
const INK: &str = "#1f2933";
const LINES: &str = "#d5dae1";

/// The shoes to draw. They are kept until the end, because the widest sets the width of all.
#[derive(Default)]
pub(super) struct Picture {
    shoes: Vec<DrawnShoe>,
}

struct DrawnShoe {
    line: Option<usize>,
    roads: Roads,
}

impl Picture {
    pub(super) fn shoe(&mut self, line: Option<usize>, roads: Roads) {
        self.shoes.push(DrawnShoe { line, roads });
    }

    pub(super) fn finish(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.shoes.iter().map(DrawnShoe::columns).max().unwrap_or(COLUMNS_MIN);
        let width = 2 * MARGIN + columns * CELL;
        // There is at least one: without results there is no picture.
        let height = 2 * MARGIN + self.shoes.len() * (BLOCK + BETWEEN) - BETWEEN - GAP;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" \
             font-size=\"12\" fill=\"{INK}\" role=\"img\">"
        )?;
        writeln!(out, "<title>Baccarat roads</title>")?;
        writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>")?;
        let mut svg = String::new();
        let mut top = MARGIN;
        for (index, shoe) in self.shoes.iter().enumerate() {
            if index > 0 {
                let (y, right) = (top - (BETWEEN + GAP) / 2, width - MARGIN);
                let _ = writeln!(svg, "<path d=\"M{MARGIN} {y}H{right}\" stroke=\"{INK}\"/>");
            }
            shoe.draw(&mut svg, top, columns);
            out.write_all(svg.as_bytes())?;
            svg.clear();
            top += BLOCK + BETWEEN;
        }
        out.write_all(svg.as_bytes())?;
        writeln!(out, "</svg>")
    }
}

impl DrawnShoe {
    /// How many columns of the big road the shoe needs in width.
    fn columns(&self) -> usize {
        let derived = DerivedRoad::ALL.map(|road| self.roads.derived(road).width() + 1);
        let beads = self.roads.bead().len().div_ceil(ROWS) + COUNTS_COLUMNS;
        derived.into_iter().fold(COLUMNS_MIN.max(self.roads.big_road_cells().width()).max(beads), usize::max)
    }

    fn draw(&self, svg: &mut String, top: usize, columns: usize) {
        let roads = &self.roads;
        text(svg, MARGIN, top + 14, "font-size=\"16\" font-weight=\"bold\"", &heading(self.line, roads));

        let mut y = top + HEADING;
        let bead_columns = columns - COUNTS_COLUMNS;
        bead_plate(svg, MARGIN, y, bead_columns, roads);
        counts(svg, MARGIN + (bead_columns + 1) * CELL, y + TITLE, roads);

        y += TITLE + ROWS * CELL + GAP;
        board(svg, MARGIN, y, &big_road_title(roads), columns, CELL);
        for cell in roads.big_road_cells().cells() {
            big_road_entry(svg, MARGIN + cell.column * CELL, y + TITLE + cell.row * CELL, cell.value);
        }

        // Two small boards and the gap between them are as wide as the big road.
        y += TITLE + ROWS * CELL + GAP;
        let right = MARGIN + (columns + 1) * SMALL;
        derived_road(svg, MARGIN, y, columns - 1, roads, DerivedRoad::BigEyeBoy);
        derived_road(svg, right, y, columns - 1, roads, DerivedRoad::SmallRoad);

        y += TITLE + ROWS * SMALL + GAP;
        derived_road(svg, MARGIN, y, columns - 1, roads, DerivedRoad::CockroachPig);
        next(svg, right, y, roads);
    }
}

/// A title and the empty grid below it.
fn board(svg: &mut String, x: usize, y: usize, title: &str, columns: usize, cell: usize) {
    text(svg, x, y + 13, "font-weight=\"bold\"", title);
    let top = y + TITLE;
    let (width, height) = (columns * cell, ROWS * cell);
    let mut path = String::new();
    for row in 0..=ROWS {
        let _ = write!(path, "M{x} {}h{width}", top + row * cell);
    }
    for column in 0..=columns {
        let _ = write!(path, "M{} {top}v{height}", x + column * cell);
    }
    let _ = writeln!(svg, "<path d=\"{path}\" stroke=\"{LINES}\" stroke-width=\"0.75\"/>");
}

fn bead_plate(svg: &mut String, x: usize, y: usize, columns: usize, roads: &Roads) {
    board(svg, x, y, "Bead plate", columns, CELL);
    for (index, bead) in roads.bead().iter().enumerate() {
        let (column, row) = (index / ROWS, index % ROWS);
        draw_bead(svg, x + column * CELL, y + TITLE + row * CELL, bead.mark);
    }
}

fn draw_bead(svg: &mut String, x: usize, y: usize, mark: Winner) {
    let fill = match mark {
        Winner::Player => BLUE,
        Winner::Banker => RED,
        Winner::Tie => GREEN,
    };
    let (x, y) = (x + CELL / 2, y + CELL / 2);
    let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"{fill}\"/>");
    let style = "fill=\"#ffffff\" font-size=\"11\" font-weight=\"bold\" text-anchor=\"middle\"";
    text(svg, x, y + 4, style, mark.letter().encode_utf8(&mut [0; 4]));
}

fn counts(svg: &mut String, x: usize, y: usize, roads: &Roads) {
    let counts = roads.counts();
    let lines = [
        (Winner::Banker, "Banker", counts.banker),
        (Winner::Player, "Player", counts.player),
        (Winner::Tie, "Tie", counts.tie),
    ];
    for (index, (mark, name, count)) in lines.into_iter().enumerate() {
        let y = y + index * (CELL + 8);
        draw_bead(svg, x, y, mark);
        text(svg, x + CELL + 6, y + 15, "", name);
        text(svg, x + 5 * CELL, y + 15, "font-weight=\"bold\" text-anchor=\"end\"", &count.to_string());
    }
}

/// A ring for the winner; in green, a slash for one tie and the number for more.
fn big_road_entry(svg: &mut String, x: usize, y: usize, entry: BigRoadEntry) {
    let stroke = match entry.side {
        Side::Player => BLUE,
        Side::Banker => RED,
    };
    let (cx, cy) = (x + CELL / 2, y + CELL / 2);
    let _ = writeln!(
        svg,
        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"8\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"2.5\"/>"
    );
    match entry.ties {
        0 => {}
        1 => {
            let (x, y) = (x + 4, y + CELL - 4);
            let _ = writeln!(
                svg,
                "<path d=\"M{x} {y}l14 -14\" stroke=\"{GREEN}\" stroke-width=\"2\" stroke-linecap=\"round\"/>"
            );
        }
        ties => {
            let size = if ties < 10 { 11 } else { 9 };
            let style =
                format!("fill=\"{GREEN}\" font-size=\"{size}\" font-weight=\"bold\" text-anchor=\"middle\"");
            text(svg, cx, cy + 4, &style, &ties.to_string());
        }
    }
}

fn derived_road(svg: &mut String, x: usize, y: usize, columns: usize, roads: &Roads, road: DerivedRoad) {
    board(svg, x, y, road.name(), columns, SMALL);
    for cell in roads.derived(road).cells() {
        derived_entry(svg, x + cell.column * SMALL, y + TITLE + cell.row * SMALL, road, cell.value);
    }
}

/// A ring, a dot or a slash, by the road.
fn derived_entry(svg: &mut String, x: usize, y: usize, road: DerivedRoad, colour: Colour) {
    let ink = match colour {
        Colour::Red => RED,
        Colour::Blue => BLUE,
    };
    // Centres fall on half pixels: a small cell is 11 wide.
    let _ = match road {
        DerivedRoad::BigEyeBoy => writeln!(
            svg,
            "<circle cx=\"{x}.5\" cy=\"{y}.5\" r=\"3.6\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.6\"/>",
            x = x + SMALL / 2,
            y = y + SMALL / 2,
        ),
        DerivedRoad::SmallRoad => writeln!(
            svg,
            "<circle cx=\"{x}.5\" cy=\"{y}.5\" r=\"4.2\" fill=\"{ink}\"/>",
            x = x + SMALL / 2,
            y = y + SMALL / 2,
        ),
        DerivedRoad::CockroachPig => writeln!(
            svg,
            "<path d=\"M{x} {y}l7 -7\" stroke=\"{ink}\" stroke-width=\"2\" stroke-linecap=\"round\"/>",
            x = x + 2,
            y = y + SMALL - 2,
        ),
    };
}

/// What the next hand would put on the derived roads.
fn next(svg: &mut String, x: usize, y: usize, roads: &Roads) {
    text(svg, x, y + 13, "font-weight=\"bold\"", "If the next hand is");
    for (index, mark) in [Winner::Player, Winner::Banker].into_iter().enumerate() {
        let y = y + TITLE + 4 + index * (CELL + 8);
        draw_bead(svg, x, y, mark);
        for (place, (road, colour)) in DerivedRoad::ALL.into_iter().zip(roads.what_if(mark)).enumerate() {
            let x = x + CELL + 14 + place * CELL;
            if let Some(colour) = colour {
                derived_entry(svg, x, y + SMALL / 2, road, colour);
            } else {
                text(svg, x + SMALL / 2, y + 15, "text-anchor=\"middle\"", "–");
            }
        }
    }
}

fn text(svg: &mut String, x: usize, y: usize, style: &str, content: &str) {
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" {style}>{}</text>", escape(content));
}

fn escape(content: &str) -> String {
    content.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
