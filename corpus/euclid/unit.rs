//! Inside of the crate, which has no standard library.

use crate::default::*;

// expect: passed
#[rebut::test]
fn tuples_round_trip(tuple: (i64, u8), number: Option<f64>) {
    let point: Point2D<i64> = (tuple.0, tuple.1.into()).into();
    assert_eq!(point.to_tuple(), (tuple.0, i64::from(tuple.1)));
    if let Some(number) = number {
        let vector = Vector2D::new(number, number);
        assert!(vector.x == vector.y || number.is_nan());
    }
}

// Infinity times zero is not a number.
// expect: failed
#[rebut::test]
fn ends_of_a_line_are_exact(start: (f32, f32), end: (f32, f32), is_end: bool) {
    let (start, end): (Point2D<f32>, Point2D<f32>) = (start.into(), end.into());
    let at = if is_end { 1.0 } else { 0.0 };
    assert_eq!(start.lerp(end, at), if is_end { end } else { start });
}

// expect: failed: attempt to multiply with overflow
#[rebut::test]
fn areas_are_products(w: u8, h: u8) {
    assert_eq!(Size2D::new(w, h).area(), w * h);
}
