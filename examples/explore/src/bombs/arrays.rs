//! Indices and sizes that depend on the input.

/// Where each field of a board sends a piece.
const BOARD: [u8; 16] = [3, 7, 12, 1, 9, 0, 15, 4, 2, 8, 5, 14, 11, 6, 13, 10];

/// An array jump: the answer of one look-up is the index of the next.
#[must_use]
pub fn two_jumps(field: u8) -> bool {
    let next = BOARD[usize::from(field % 16)];
    BOARD[usize::from(next)] == 6
}

/// Jumps as often as it is told, from field to field.
#[must_use]
pub fn jumps_home(start: u8, jumps: u8) -> bool {
    let mut field = start % 16;
    for _ in 0..jumps % 8 {
        field = BOARD[usize::from(field)];
    }
    jumps % 8 >= 5 && start % 16 == 2 && field == 15
}

/// Writes to two cells of eight; what was written first is read back.
#[must_use]
pub fn first_of_two_writes(first: u8, second: u8) -> u8 {
    let mut cells = [0; 8];
    cells[usize::from(first % 8)] = 1;
    cells[usize::from(second % 8)] = 2;
    cells[usize::from(first % 8)]
}

/// Fills a list whose size is an input and touches a cell near its end.
///
/// The mistake: for sizes that leave the remainder 5 it reads behind the last cell.
#[must_use]
pub fn touch(size: usize) -> u8 {
    let mut cells = vec![0_u8; size];
    if let Some(last) = cells.last_mut() {
        *last = 1;
    }
    let place = if size % 7 == 5 { size } else { size / 2 };
    if cells.is_empty() { 0 } else { cells[place] }
}

/// A grid, row by row.
#[derive(Clone, Debug)]
pub struct Grid {
    width: usize,
    cells: Vec<u8>,
}

impl Grid {
    /// A grid of zeros.
    #[must_use]
    pub fn new(width: usize, height: usize) -> Grid {
        Grid { width, cells: vec![0; width * height] }
    }

    /// One cell, for a column below the width and a row below the height.
    #[must_use]
    pub fn get(&self, column: usize, row: usize) -> u8 {
        self.cells[row * self.width + column]
    }

    /// As [`get`](Grid::get).
    ///
    /// The mistake: column and row have changed places.
    #[must_use]
    pub fn get_swapped(&self, column: usize, row: usize) -> u8 {
        self.cells[column * self.width + row]
    }
}

/// Turns a list by some places to the left, element by element.
#[must_use]
pub fn rotated(list: &[u8], places: usize) -> Vec<u8> {
    (0..list.len()).map(|index| list[(index + places) % list.len()]).collect()
}
