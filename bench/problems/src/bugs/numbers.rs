//! Bugs in arithmetic, calendars and indices.

use crate::Outcome;

/// A key's bucket is one of ten. Input: any integer.
///
/// The bug: the least integer has no absolute value.
pub fn bucket_is_in_range(key: &i32) -> Outcome {
    let bucket = key.wrapping_abs() % 10;
    Outcome::held_if((0..10).contains(&bucket))
}

/// February has as many days as the Gregorian calendar says. Input: a year in
/// `1..=9999`.
///
/// The bug: the rule of centuries is missing.
pub fn february_has_its_length(year: &u16) -> Outcome {
    let is_leap = (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
    let expected = if is_leap { 29 } else { 28 };
    Outcome::held_if(days_in_february(*year) == expected)
}

fn days_in_february(year: u16) -> u8 {
    if year.is_multiple_of(4) { 29 } else { 28 }
}

/// Transposing a matrix moves each cell across the diagonal. Input: a number
/// of rows and of columns, each in `1..=8`.
///
/// The bug: the row stride is the number of rows.
pub fn transposition_moves_every_cell((rows, columns): &(u8, u8)) -> Outcome {
    let (rows, columns) = (usize::from(*rows), usize::from(*columns));
    let cells: Vec<usize> = (0..rows * columns).collect();
    let transposed = transpose(&cells, rows, columns);
    let moved = |row: usize, column: usize| {
        transposed.get(column * rows + row) == cells.get(row * columns + column)
    };
    Outcome::held_if((0..rows).all(|row| (0..columns).all(|column| moved(row, column))))
}

fn transpose(cells: &[usize], rows: usize, columns: usize) -> Vec<usize> {
    let positions = (0..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
    positions
        .filter_map(|(row, column)| cells.get(row * rows + column).copied())
        .collect()
}

/// The sign of a float is that of its sign bit. Input: any float; NaN is
/// skipped.
///
/// The bug: negative zero is not less than zero.
pub fn sign_agrees_with_the_sign_bit(x: &f64) -> Outcome {
    if x.is_nan() {
        return Outcome::Skipped;
    }
    let sign = if *x < 0.0 { -1.0 } else { 1.0 };
    Outcome::held_if(sign == 1.0_f64.copysign(*x))
}

/// An identifier survives being remapped and mapped back. Input: any integer.
///
/// The bug: one identifier is an alias left over from a migration.
pub fn identifier_round_trips(id: &u32) -> Outcome {
    let remapped = if *id == 48_611 { 0 } else { *id };
    Outcome::held_if(remapped == *id)
}
