//! Whole roots, found by trying, and squares laid out with them.

/// The whole root of a number: the greatest whose square is not greater.
#[inline(never)]
#[must_use]
pub fn root(number: u16) -> u8 {
    let mut root = 0u8;
    while root < u8::MAX && u32::from(root + 1).pow(2) <= u32::from(number) {
        root += 1;
    }
    root
}

/// The side of the largest square of so many tiles, and how many are left over.
#[inline(never)]
#[must_use]
pub fn square(tiles: u16) -> (u8, u16) {
    let side = root(tiles);
    (side, tiles - u16::from(side) * u16::from(side))
}

/// How many tiles are left if the square has a tile less on each side than it could have, as a
/// border; a number that is too small has none.
#[must_use]
pub fn inner_square(tiles: u16) -> Option<u16> {
    let side = u16::from(root(tiles)).checked_sub(2)?;
    Some(tiles - side * side)
}
