use euclid::default::{Box2D, Point2D, Rect, Rotation2D, Size2D, Transform2D, Vector2D};
use euclid::{Angle, Scale, UnknownUnit};
use rebut::prelude::*;

#[derive(Debug, Clone, Copy, Generate)]
struct Pair<N>(N, N);

impl<N: Copy> Pair<N> {
    fn point(self) -> Point2D<N> {
        Point2D::new(self.0, self.1)
    }

    fn vector(self) -> Vector2D<N> {
        Vector2D::new(self.0, self.1)
    }
}

#[derive(Debug, Clone, Copy, Generate)]
struct Area {
    at: Pair<i32>,
    #[generate(0..)]
    width: i32,
    #[generate(0..)]
    height: i32,
}

impl Area {
    fn rect(self) -> Rect<i32> {
        Rect::new(self.at.point(), Size2D::new(self.width, self.height))
    }
}

// expect: failed: attempt to add with overflow
#[rebut::test]
fn adding_is_undone_by_subtracting(at: Pair<i32>, by: Pair<i32>) {
    assert_eq!(at.point() + by.vector() - by.vector(), at.point());
}

// A large number absorbs a small one.
// expect: failed
#[rebut::test]
fn adding_floats_loses_at_most_one(at: Pair<f32>, by: Pair<f32>) {
    assume!(at.0.is_finite() && at.1.is_finite() && by.0.is_finite() && by.1.is_finite());
    let back = at.point() + by.vector() - by.vector();
    assert!((back.x - at.0).abs() <= 1.0, "{back:?}");
}

// expect: passed
#[rebut::test]
fn rotation_keeps_the_length(#[from(-1e6..1e6)] x: f64, #[from(-1e6..1e6)] y: f64, turn: f32) {
    assume!(turn.is_finite());
    let vector = Vector2D::new(x, y);
    let rotated = Rotation2D::<f64>::new(Angle::radians(turn.into())).transform_vector(vector);
    assert!((rotated.length() - vector.length()).abs() < 1e-6);
}

// expect: failed: overflow
#[rebut::test]
fn intersections_are_inside(one: Area, other: Area) {
    if let Some(both) = one.rect().intersection(&other.rect()) {
        assert!(one.rect().contains_rect(&both) && other.rect().contains_rect(&both));
    }
}

// expect: passed
#[rebut::test]
fn unions_contain_both(one: (i8, i8, u8, u8), other: (i8, i8, u8, u8)) {
    let rect = |(x, y, width, height): (i8, i8, u8, u8)| {
        Rect::new(Point2D::new(i32::from(x), y.into()), Size2D::new(width.into(), height.into()))
    };
    let (one, other) = (rect(one), rect(other));
    let union = one.union(&other);
    assert!(union.contains_rect(&one), "{union:?}");
    assert!(union.contains_rect(&other));
}

// The end of a box is outside of it.
// expect: failed: has no
#[rebut::test]
fn boxes_contain_their_points(points: Vec<Pair<i16>>) {
    let around = Box2D::from_points(points.iter().map(|pair| pair.point()));
    for pair in &points {
        assert!(around.contains(pair.point()), "{around:?} has no {pair:?}");
    }
}

// expect: failed: returned false
#[rebut::test]
fn inverse_undoes_a_transform(numbers: [f32; 6], at: Pair<f32>) -> bool {
    let transform = Transform2D::from_array(numbers);
    match transform.inverse() {
        Some(inverse) => {
            let back = inverse.transform_point(transform.transform_point(at.point()));
            (back.x - at.0).abs() < 0.01
        }
        None => transform.determinant() == 0.0,
    }
}

// expect: failed
#[rebut::test]
fn angles_are_in_a_turn(radians: f32, signed: bool) {
    let angle = Angle::radians(radians);
    let angle = if signed { angle.signed() } else { angle.positive() };
    let pi = std::f32::consts::PI;
    assert!(angle.radians >= -pi && angle.radians <= 2.0 * pi);
}

// expect: passed
#[rebut::test]
fn scales_are_undone(number: i8, factor: i8) {
    assume!(factor != 0);
    let scale = Scale::<i32, UnknownUnit, UnknownUnit>::new(factor.into());
    let point = Point2D::new(i32::from(number), 1);
    assert_eq!(point * scale / scale, point);
}

// The end can be before the start.
// expect: failed
#[rebut::test]
fn clamped_vectors_are_in_the_range(at: Pair<u8>, start: Pair<u8>, end: Pair<u8>) {
    let clamped = at.vector().clamp(start.vector(), end.vector());
    assert!(clamped.x >= start.0 && clamped.x <= end.0, "{clamped:?}");
}

// expect: failed: attempt to subtract with overflow
#[rebut::test]
fn widths_are_differences(left: u16, right: u16) {
    let width = right - left;
    assert_eq!(Box2D::new(Point2D::new(left, 0), Point2D::new(right, 0)).size().width, width);
}
