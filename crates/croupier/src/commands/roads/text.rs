//! The roads for the terminal: in colour with the shapes of a casino display, otherwise with letters.

use super::{big_road_title, heading};
use croupier_rules::baccarat::{Side, Winner};
use croupier_rules::roads::{BigRoadEntry, Colour, DerivedRoad, ROWS, Roads};
use std::fmt::Display;
use std::io::{self, Write};

pub(super) struct Text {
    color: bool,
    shoes: usize,
}

#[derive(Clone, Copy)]
enum Ink {
    Red,
    Blue,
    Green,
    Faint,
    Bold,
}

impl Text {
    pub(super) const fn new(color: bool) -> Self {
        Self { color, shoes: 0 }
    }

    pub(super) fn shoe(&mut self, out: &mut dyn Write, line: Option<usize>, roads: &Roads) -> io::Result<()> {
        if self.shoes > 0 {
            writeln!(out)?;
        }
        self.shoes += 1;
        let counts = roads.counts();
        writeln!(
            out,
            "{} ({}, {}, {})",
            self.paint(Ink::Bold, heading(line, roads)),
            self.paint(Ink::Red, format_args!("Banker {}", counts.banker)),
            self.paint(Ink::Blue, format_args!("Player {}", counts.player)),
            self.paint(Ink::Green, format_args!("Tie {}", counts.tie)),
        )?;
        self.bead_plate(out, roads)?;
        let big_road = roads.big_road_cells().columns();
        self.road(out, &big_road_title(roads), &big_road, |entry| self.big_road_entry(entry))?;
        for road in DerivedRoad::ALL {
            let columns = roads.derived(road).columns();
            self.road(out, road.name(), &columns, |colour| self.derived_entry(road, colour))?;
        }
        self.next(out, roads)
    }

    fn bead_plate(&self, out: &mut dyn Write, roads: &Roads) -> io::Result<()> {
        let columns: Vec<[Option<Winner>; ROWS]> = roads
            .bead()
            .chunks(ROWS)
            .map(|beads| std::array::from_fn(|row| beads.get(row).map(|bead| bead.mark)))
            .collect();
        self.road(out, "Bead plate", &columns, |mark| {
            let ink = match mark {
                Winner::Player => Ink::Blue,
                Winner::Banker => Ink::Red,
                Winner::Tie => Ink::Green,
            };
            self.paint(ink, mark.letter()) + " "
        })
    }

    /// A titled grid; every cell is two characters wide.
    fn road<T: Copy>(
        &self,
        out: &mut dyn Write,
        title: &str,
        columns: &[[Option<T>; ROWS]],
        cell: impl Fn(T) -> String,
    ) -> io::Result<()> {
        writeln!(out, "\n{}", self.paint(Ink::Bold, title))?;
        if columns.is_empty() {
            return writeln!(out, "  {}", self.paint(Ink::Faint, "no entries yet"));
        }
        let empty = self.paint(Ink::Faint, '·') + " ";
        for row in 0..ROWS {
            let line: String =
                columns.iter().map(|column| column[row].map_or_else(|| empty.clone(), &cell)).collect();
            writeln!(out, "  {}", line.trim_end())?;
        }
        Ok(())
    }

    /// The winner, and a small digit for the ties that followed.
    fn big_road_entry(&self, entry: BigRoadEntry) -> String {
        let ink = match entry.side {
            Side::Player => Ink::Blue,
            Side::Banker => Ink::Red,
        };
        let winner = if self.color { '●' } else { entry.side.letter() };
        let ties = match entry.ties {
            0 => return self.paint(ink, winner) + " ",
            1 => '¹',
            2 => '²',
            3 => '³',
            4 => '⁴',
            5 => '⁵',
            6 => '⁶',
            7 => '⁷',
            8 => '⁸',
            9 => '⁹',
            10.. => '⁺',
        };
        self.paint(ink, winner) + &self.paint(Ink::Green, ties)
    }

    fn derived_entry(&self, road: DerivedRoad, colour: Colour) -> String {
        let shape = match road {
            _ if !self.color => colour.letter(),
            DerivedRoad::BigEyeBoy => '○',
            DerivedRoad::SmallRoad => '●',
            DerivedRoad::CockroachPig => '╱',
        };
        let ink = match colour {
            Colour::Red => Ink::Red,
            Colour::Blue => Ink::Blue,
        };
        self.paint(ink, shape) + " "
    }

    fn next(&self, out: &mut dyn Write, roads: &Roads) -> io::Result<()> {
        let [big_eye_boy, small_road, cockroach_pig] = DerivedRoad::ALL.map(DerivedRoad::name);
        let title = self.paint(Ink::Bold, "If the next hand is");
        writeln!(out, "\n{title}  {big_eye_boy}  {small_road}  {cockroach_pig}")?;
        for (name, mark, ink) in [("Player", Winner::Player, Ink::Blue), ("Banker", Winner::Banker, Ink::Red)]
        {
            let mut line = format!("  {}{}", self.paint(ink, name), " ".repeat(13));
            for (road, colour) in DerivedRoad::ALL.into_iter().zip(roads.what_if(mark)) {
                line += &colour.map_or_else(|| "- ".to_owned(), |colour| self.derived_entry(road, colour));
                line += &" ".repeat(road.name().len());
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn paint(&self, ink: Ink, text: impl Display) -> String {
        let code = match ink {
            _ if !self.color => return text.to_string(),
            Ink::Red => "31",
            Ink::Blue => "34",
            Ink::Green => "32",
            Ink::Faint => "2",
            Ink::Bold => "1",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
