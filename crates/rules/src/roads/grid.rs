//! Where the entries of a road are drawn: six rows, and the dragon tail.

use super::ROWS;
use alloc::vec::Vec;

/// An entry of a road with the place where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<T> {
    /// The displayed column, from 0 at the left.
    pub column: usize,
    /// The row, from 0 at the top.
    pub row: usize,
    /// What is drawn there.
    pub value: T,
}

/// A road as it is displayed.
///
/// A run of equal entries goes down its column. Where the cell below is occupied, or the bottom is reached,
/// the run turns right and stays on that row: the dragon tail. The next run starts at the top of the first
/// column whose top cell is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid<T> {
    cells: Vec<Cell<T>>,
    /// For each displayed column, a bit for each row that is taken.
    occupied: Vec<u8>,
    /// The first column that is free at the top.
    free_top: usize,
    /// Whether the current run has turned right.
    turned: bool,
}

impl<T> Default for Grid<T> {
    fn default() -> Self {
        Self { cells: Vec::new(), occupied: Vec::new(), free_top: 0, turned: false }
    }
}

impl<T: Copy> Grid<T> {
    /// The entries in the order in which they came, with their places.
    #[must_use]
    pub fn cells(&self) -> &[Cell<T>] {
        &self.cells
    }

    /// The entries in the order in which they came.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = T> + ExactSizeIterator + '_ {
        self.cells.iter().map(|cell| cell.value)
    }

    /// How many columns are displayed, tails included.
    #[must_use]
    pub fn width(&self) -> usize {
        self.occupied.len()
    }

    /// The displayed columns, from left to right, each from top to bottom.
    #[must_use]
    pub fn columns(&self) -> Vec<[Option<T>; ROWS]> {
        let mut columns = Vec::new();
        columns.resize(self.width(), [None; ROWS]);
        for cell in &self.cells {
            if let Some(place) = columns.get_mut(cell.column).and_then(|column| column.get_mut(cell.row)) {
                *place = Some(cell.value);
            }
        }
        columns
    }

    pub(super) fn reserve(&mut self, entries: usize) {
        self.cells.reserve(entries);
        self.occupied.reserve(entries);
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut T> {
        self.cells.last_mut().map(|cell| &mut cell.value)
    }

    /// Adds an entry: to the current run, or as the first of a new one.
    pub(super) fn push(&mut self, value: T, starts_run: bool) {
        let (column, row) = match self.cells.last() {
            Some(last) if !starts_run => {
                self.turned = self.turned || !self.is_free(last.column, last.row + 1);
                if self.turned { (last.column + 1, last.row) } else { (last.column, last.row + 1) }
            }
            Some(_) | None => {
                self.turned = false;
                (self.free_top, 0)
            }
        };
        if row == 0 {
            self.free_top = column + 1;
        }
        // A tail advances by one column at a time and a run starts beside a taken top cell, so at most one
        // column is missing.
        if self.occupied.len() <= column {
            self.occupied.push(0);
        }
        if let Some(rows) = self.occupied.get_mut(column) {
            *rows |= 1 << row;
        }
        self.cells.push(Cell { column, row, value });
    }

    fn is_free(&self, column: usize, row: usize) -> bool {
        row < ROWS && self.occupied.get(column).is_none_or(|rows| rows & (1 << row) == 0)
    }
}
