//! Vectors of geometry.

use glam::{IVec2, UVec3, Vec2};

// true: the product of a vector with its perpendicular is zero.
#[rebut::test]
fn perpendicular_vectors_have_no_product(x: i16, y: i16) {
    let vector = IVec2::new(x.into(), y.into());
    assert_eq!(vector.dot(vector.perp()), 0);
}

// true: the smallest is below the largest in each direction.
#[rebut::test]
fn smallest_parts_are_not_larger(a: [u32; 3], b: [u32; 3]) {
    let (a, b) = (UVec3::from(a), UVec3::from(b));
    assert!(a.min(b).cmple(a.max(b)).all());
}

// false (easy): 46_341, 46_341
#[rebut::test]
fn squares_of_lengths_do_not_overflow(x: i32, y: i32) {
    assert!(IVec2::new(x, y).length_squared() >= 0);
}

// true: halves of whole numbers are exact.
#[rebut::test]
fn midpoints_of_whole_numbers_are_exact(x: i16, y: i16) {
    let middle = Vec2::ZERO.midpoint(Vec2::new(x.into(), y.into()));
    assert_eq!(middle * 2.0, Vec2::new(x.into(), y.into()));
}
