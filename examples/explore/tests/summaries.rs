//! A property that is proved stands in for the function it is of: `root` has 256 paths, and what
//! is built on it has one or two.

use explore_examples::roots::{inner_square, root, square};

/// Holds for all; and says all there is to say of a root.
#[rebut::summary(root)]
fn root_is_the_largest_with_a_square_that_fits(number: u16, result: u8) -> bool {
    let square = |root: u32| root * root;
    let number = u32::from(number);
    square(u32::from(result)) <= number && number < square(u32::from(result) + 1)
}

/// Fails, and so nothing is concluded from it: a summary that is not proved is not used.
#[rebut::summary(square)]
#[ignore = "fails: 1 or 2 tiles too many"]
fn no_tiles_are_left_over(tiles: u16, result: (u8, u16)) -> bool {
    result.1 == 0 || tiles == 0
}

/// Holds for all.
#[rebut::test]
fn leftover_tiles_do_not_fill_a_row(tiles: u16) {
    let (side, left) = square(tiles);
    assert!(left <= 2 * u16::from(side));
}

/// Holds for all.
#[rebut::test]
fn border_has_at_least_four_tiles(tiles: u16) {
    if let Some(left) = inner_square(tiles) {
        assert!(left >= 4);
    }
}

/// Fails for a square of a single row, as it says.
#[rebut::test]
#[ignore = "fails: 3 tiles"]
fn single_tile_never_leaves_two_over(tiles: u16) {
    let (side, left) = square(tiles);
    assert!(left != 2 * u16::from(side) || side != 1);
}
