//! Geometries of the crate `geo-types`.
//!
//! Coordinates are finite. Shapes can be degenerate: without points, with equal points, with edges
//! that cross.

use geo_types::{
    Coord, CoordNum, Geometry, GeometryCollection, Line, LineString, MultiLineString, MultiPoint,
    MultiPolygon, Point, Polygon, Rect, Triangle,
};
use rebut_choice::{Label, Source};

use crate::{Code, Generate, Generator, ToCode, floats};

macro_rules! coordinate {
    ($($type:ident, $draw:expr;)*) => {$(
        impl Generate for Coord<$type> {
            #[inline]
            fn generate(source: &mut Source) -> Coord<$type> {
                source.span(Label::group("Coord"), |source| {
                    let draw: fn(&mut Source) -> $type = $draw;
                    Coord { x: draw(source), y: draw(source) }
                })
            }
        }
    )*};
}
coordinate! {
    f32, |source| floats::<f32>().allow_nan(false).allow_infinity(false).draw(source);
    f64, |source| floats::<f64>().allow_nan(false).allow_infinity(false).draw(source);
    i8, i8::generate;
    i16, i16::generate;
    i32, i32::generate;
    i64, i64::generate;
    i128, i128::generate;
    isize, isize::generate;
    u8, u8::generate;
    u16, u16::generate;
    u32, u32::generate;
    u64, u64::generate;
    usize, usize::generate;
}

impl<T: CoordNum + ToCode> ToCode for Coord<T> {
    fn to_code(&self, code: &mut Code) {
        code.push("geo_types::Coord { x: ");
        self.x.to_code(code);
        code.push(", y: ");
        self.y.to_code(code);
        code.push(" }");
    }
}

impl<T: CoordNum> Generate for Point<T>
where
    Coord<T>: Generate,
{
    fn generate(source: &mut Source) -> Point<T> {
        Point(Coord::generate(source))
    }
}

impl<T: CoordNum + ToCode> ToCode for Point<T> {
    fn to_code(&self, code: &mut Code) {
        code.call("geo_types::Point::new", &[&self.0.x, &self.0.y]);
    }
}

impl<T: CoordNum> Generate for Line<T>
where
    Coord<T>: Generate,
{
    fn generate(source: &mut Source) -> Line<T> {
        source.span(Label::group("Line"), |source| {
            Line::new(Coord::generate(source), Coord::generate(source))
        })
    }
}

impl<T: CoordNum + ToCode> ToCode for Line<T> {
    fn to_code(&self, code: &mut Code) {
        code.call("geo_types::Line::new", &[&self.start, &self.end]);
    }
}

/// Generates two opposite corners.
impl<T: CoordNum> Generate for Rect<T>
where
    Coord<T>: Generate,
{
    fn generate(source: &mut Source) -> Rect<T> {
        source.span(Label::group("Rect"), |source| {
            Rect::new(Coord::generate(source), Coord::generate(source))
        })
    }
}

impl<T: CoordNum + ToCode> ToCode for Rect<T> {
    fn to_code(&self, code: &mut Code) {
        code.call("geo_types::Rect::new", &[&self.min(), &self.max()]);
    }
}

/// Generates the corners in counterclockwise order, as `Triangle::new` does.
impl<T: CoordNum> Generate for Triangle<T>
where
    Coord<T>: Generate,
{
    fn generate(source: &mut Source) -> Triangle<T> {
        source.span(Label::group("Triangle"), |source| {
            let (a, b, c): (Coord<T>, Coord<T>, Coord<T>) =
                (Coord::generate(source), Coord::generate(source), Coord::generate(source));
            if is_clockwise(a, b, c) {
                Triangle::unchecked_winding(c, b, a)
            } else {
                Triangle::unchecked_winding(a, b, c)
            }
        })
    }
}

/// Calculates with floats, because `Triangle::new` overflows with large integers.
fn is_clockwise<T: CoordNum>(a: Coord<T>, b: Coord<T>, c: Coord<T>) -> bool {
    let float = |number: T| number.to_f64().unwrap_or_default();
    let [a, b, c] = [a, b, c].map(|coord| (float(coord.x), float(coord.y)));
    (b.0 - a.0) * (c.1 - b.1) - (b.1 - a.1) * (c.0 - b.0) < 0.0
}

impl<T: CoordNum + ToCode> ToCode for Triangle<T> {
    fn to_code(&self, code: &mut Code) {
        let [a, b, c] = self.to_array();
        code.call("geo_types::Triangle::unchecked_winding", &[&a, &b, &c]);
    }
}

/// Generates an outer ring and holes, each a list of points. The last point of a ring is the first.
impl<T: CoordNum> Generate for Polygon<T>
where
    Coord<T>: Generate,
{
    fn generate(source: &mut Source) -> Polygon<T> {
        source.span(Label::group("Polygon"), |source| {
            Polygon::new(LineString::generate(source), Vec::generate(source))
        })
    }
}

impl<T: CoordNum + ToCode> ToCode for Polygon<T> {
    fn to_code(&self, code: &mut Code) {
        code.call("geo_types::Polygon::new", &[self.exterior(), &self.interiors().to_vec()]);
    }
}

macro_rules! list {
    ($($type:ident, $element:ident, $make:literal;)*) => {$(
        impl<T: CoordNum> Generate for $type<T>
        where
            Coord<T>: Generate,
        {
            fn generate(source: &mut Source) -> $type<T> {
                $type(Vec::<$element<T>>::generate(source))
            }
        }

        impl<T: CoordNum + ToCode> ToCode for $type<T> {
            fn to_code(&self, code: &mut Code) {
                code.call(concat!("geo_types::", $make), &[&self.0]);
            }
        }
    )*};
}
list! {
    LineString, Coord, "LineString::new";
    MultiPoint, Point, "MultiPoint::new";
    MultiLineString, LineString, "MultiLineString::new";
    MultiPolygon, Polygon, "MultiPolygon::new";
    GeometryCollection, Geometry, "GeometryCollection::new_from";
}

const GEOMETRY: Label = Label::recursive("geo_types::Geometry");
/// The first kinds of geometry do not contain other geometries.
const LEAVES: usize = 9;

macro_rules! geometry {
    ($($kind:ident $index:literal)*) => {
        impl<T: CoordNum> Generate for Geometry<T>
        where
            Coord<T>: Generate,
        {
            fn generate(source: &mut Source) -> Geometry<T> {
                source.span(GEOMETRY, |source| {
                    let kind = source.alternative(LEAVES + 1, &[], LEAVES);
                    source.span(Label::ALTERNATIVE, |source| match kind {
                        $($index => Geometry::$kind($kind::generate(source)),)*
                        _ => Geometry::GeometryCollection(GeometryCollection::generate(source)),
                    })
                })
            }
        }

        impl<T: CoordNum + ToCode> ToCode for Geometry<T> {
            fn to_code(&self, code: &mut Code) {
                match self {
                    $(Geometry::$kind(shape) => {
                        code.call(concat!("geo_types::Geometry::", stringify!($kind)), &[shape]);
                    })*
                    Geometry::GeometryCollection(all) => {
                        code.call("geo_types::Geometry::GeometryCollection", &[all]);
                    }
                }
            }
        }
    };
}
geometry! {
    Point 0 Line 1 LineString 2 Polygon 3 MultiPoint 4 MultiLineString 5 MultiPolygon 6 Rect 7
    Triangle 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use rebut::find;

    fn at(x: i32, y: i32) -> Coord<i32> {
        Coord { x, y }
    }

    #[test]
    fn every_kind_of_geometry_is_drawn_with_finite_coordinates() {
        let all = drawn(&any::<Geometry>(), 2000);
        let kinds: std::collections::HashSet<_> = all.iter().map(std::mem::discriminant).collect();
        assert_eq!(kinds.len(), LEAVES + 1);
        let points = drawn(&any::<Point>(), 2000);
        assert!(points.iter().all(|point| point.x().is_finite() && point.y().is_finite()));
        assert!(points.iter().any(|point| point.x() == f64::MAX));
        replays(&any::<(Geometry, Geometry<i32>, GeometryCollection<f32>)>());
    }

    #[test]
    fn rings_are_closed_and_can_be_degenerate() {
        let all = drawn(&any::<Polygon<i32>>(), 2000);
        for polygon in &all {
            assert!(polygon.exterior().is_closed());
            assert!(polygon.interiors().iter().all(LineString::is_closed));
            let again = Polygon::new(polygon.exterior().clone(), polygon.interiors().to_vec());
            assert_eq!(again, *polygon);
        }
        assert!(all.iter().any(|polygon| polygon.exterior().0.is_empty()));
        assert!(all.iter().any(|polygon| polygon.exterior().0.len() == 1));
        assert!(all.iter().any(|polygon| !polygon.interiors().is_empty()));
    }

    #[test]
    fn rectangles_and_triangles_are_in_order() {
        for (rect, triangle) in drawn(&any::<(Rect<i64>, Triangle<i8>)>(), 2000) {
            assert!(rect.min().x <= rect.max().x && rect.min().y <= rect.max().y);
            let [a, b, c] = triangle
                .to_array()
                .map(|corner| Coord { x: i32::from(corner.x), y: i32::from(corner.y) });
            assert_eq!(Triangle::new(a, b, c).to_array(), [a, b, c]);
        }
    }

    #[test]
    fn geometries_shrink_to_the_origin() {
        assert_eq!(find(rebut::any::<Geometry>(), |_| true), {
            Some(Geometry::Point(Point::new(0.0, 0.0)))
        });
        let long = find(rebut::any(), |line: &LineString<i32>| line.0.len() > 1);
        assert_eq!(long, Some(LineString::new(vec![at(0, 0), at(0, 0)])));
        let steep = find(rebut::any(), |line: &Line<i32>| line.end.y > 2);
        assert_eq!(steep, Some(Line::new(at(0, 0), at(0, 3))));
        let corners = find(rebut::any(), |triangle: &Triangle<i32>| {
            triangle.to_array().iter().all(|corner| corner.x > 2)
        });
        assert_eq!(corners.map(|triangle| triangle.to_array()), Some([at(3, 0); 3]));
        let right = find(rebut::any(), |rect: &Rect<i32>| rect.min().x == 0 && rect.max().x > 3);
        assert_eq!(right, Some(Rect::new(at(0, 0), at(4, 0))));
        let hole = find(rebut::any(), |polygon: &Polygon<i32>| !polygon.interiors().is_empty());
        assert_eq!(
            hole,
            Some(Polygon::new(LineString::new(vec![]), vec![LineString::new(vec![])]))
        );
    }

    #[test]
    fn geometries_are_printed_with_their_constructors() {
        prints!(geo_types::Geometry::Polygon(geo_types::Polygon::new(
            geo_types::LineString::new(vec![
                geo_types::Coord { x: 0.0, y: 0.5 },
                geo_types::Coord { x: 1.0, y: 0.0 },
                geo_types::Coord { x: 0.0, y: 0.5 }
            ]),
            vec![geo_types::LineString::new(vec![])]
        )));
        prints!(geo_types::GeometryCollection::new_from(vec![
            geo_types::Geometry::Rect(geo_types::Rect::new(
                geo_types::Coord { x: 0, y: 0 },
                geo_types::Coord { x: 1, y: 2 }
            )),
            geo_types::Geometry::Line(geo_types::Line::new(
                geo_types::Coord { x: 0, y: 0 },
                geo_types::Coord { x: -1, y: -2 }
            )),
            geo_types::Geometry::MultiPoint(geo_types::MultiPoint::new(vec![
                geo_types::Point::new(1, 2)
            ]))
        ]));
        prints!(geo_types::Triangle::unchecked_winding(
            geo_types::Coord { x: 0, y: 0 },
            geo_types::Coord { x: 0, y: 1 },
            geo_types::Coord { x: 1, y: 0 }
        ));
        let lines: MultiLineString<i32> = MultiLineString::new(vec![]);
        prints!(geo_types::MultiLineString::new(vec![]), lines);
        let polygons: MultiPolygon<i32> = MultiPolygon::new(vec![]);
        prints!(geo_types::MultiPolygon::new(vec![]), polygons);
    }
}
