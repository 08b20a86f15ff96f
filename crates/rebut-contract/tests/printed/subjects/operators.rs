//! Numbers of all kinds.

use crate::fault::tick;

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, rebut::Generate)]
pub struct Point {
    pub x: i8,
    pub y: f32,
}

#[rebut::contract]
impl Point {
    #[requires(x != i8::MIN && x.abs() < 100)]
    pub fn new(x: i8, y: f32) -> Self {
        tick("new");
        Point { x, y }
    }

    #[requires(-by < 50)]
    pub fn moved(self, by: i8) -> Point {
        tick("moved");
        Point { x: self.x.wrapping_add(by), y: self.y }
    }

    #[ensures(result < 60)]
    pub fn x(&self) -> i64 {
        tick("x");
        i64::from(self.x)
    }

    pub fn char(&self, c: char, word: &str, range: std::ops::Range<u8>) -> char {
        tick("char");
        if range.contains(&self.x.unsigned_abs()) && word.is_empty() { c } else { 'a' }
    }

    pub fn wide(&self, n: u128, m: isize, unit: ()) -> i128 {
        tick("wide");
        let () = unit;
        i128::try_from(n % 1000).unwrap() * i128::try_from(m).unwrap()
    }

    pub fn order(&self, other: &Point) -> Option<std::cmp::Ordering> {
        tick("order");
        self.partial_cmp(other)
    }
}

impl std::ops::Neg for Point {
    type Output = Point;

    fn neg(self) -> Point {
        Point { x: self.x.wrapping_neg(), y: -self.y }
    }
}
