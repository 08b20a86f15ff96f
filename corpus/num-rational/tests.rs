use num_rational::{Ratio, Rational32};
use rebut::prelude::*;
use std::cmp::Ordering;

/// A fraction of small numbers.
#[derive(Debug, Clone, Copy, PartialEq, Generate)]
struct Fraction {
    numer: i16,
    #[generate(integers().filter(|denom: &i16| *denom != 0))]
    denom: i16,
}

impl Fraction {
    fn ratio(self) -> Rational32 {
        Ratio::new(self.numer.into(), self.denom.into())
    }
}

// The smallest number cannot be negated, and zero is no denominator.
// expect: failed: denominator == 0
#[rebut::test]
fn new_never_panics(numer: i32, denom: i32) {
    let ratio = Ratio::new(numer, denom);
    assert!(*ratio.denom() > 0);
}

// expect: passed
#[rebut::test]
fn ratios_are_reduced(fraction: Fraction) {
    let ratio = fraction.ratio();
    let (numer, denom) = ratio.into_raw();
    assert!(denom > 0);
    assert_eq!(i64::from(numer) * i64::from(fraction.denom), i64::from(denom) * i64::from(fraction.numer));
}

// expect: failed: overflow
#[rebut::test]
fn addition_is_associative(a: Fraction, b: Fraction, c: Fraction) {
    let (a, b, c) = (a.ratio(), b.ratio(), c.ratio());
    assert_eq!((a + b) + c, a + (b + c));
}

// expect: passed
#[rebut::test]
fn order_is_that_of_floats(a: Fraction, b: Fraction) -> bool {
    let quotient = |fraction: Fraction| f64::from(fraction.numer) / f64::from(fraction.denom);
    a.ratio().partial_cmp(&b.ratio()) == quotient(a).partial_cmp(&quotient(b))
}

// expect: passed
#[rebut::test]
fn text_round_trips(numer: i32, #[from(1..)] denom: i32) -> Result<(), num_rational::ParseRatioError> {
    let ratio = Ratio::new(numer, denom);
    assert_eq!(ratio.to_string().parse::<Rational32>()?, ratio);
    Ok(())
}

// Halves are rounded away from zero.
// expect: failed
#[rebut::test]
fn rounding_is_floor_of_a_half_more(#[from(-1000..1000)] numer: i32, #[from(1..9)] denom: i32, _digits: Option<(u8, bool)>) {
    let ratio = Ratio::new(numer, denom);
    assert_eq!(ratio.round(), (ratio + Ratio::new(1, 2)).floor());
}

// expect: failed: attempt to add with overflow
#[rebut::test]
fn rounding_never_panics(numer: i8, #[from(1..)] denom: i8, mode: u8) {
    let ratio = Ratio::new_raw(numer, denom);
    let rounded = match mode % 4 {
        0 => ratio.floor(),
        1 => ratio.ceil(),
        2 => ratio.round(),
        _ => ratio.trunc(),
    };
    assert!(rounded.is_integer());
}

// expect: failed
#[rebut::test]
fn division_undoes_multiplication(a: Fraction, b: &Fraction) {
    assert_eq!(a.ratio() * b.ratio() / b.ratio(), a.ratio());
}

// expect: proved: 3584
#[rebut::test]
fn floor_and_ceil_are_next_to_each_other(numer: u8, #[from(1..15u8)] denom: u8) {
    let ratio = Ratio::new(u16::from(numer), u16::from(denom));
    let difference = ratio.ceil() - ratio.floor();
    assert_eq!(difference, Ratio::from_integer(u16::from(!ratio.is_integer())));
}

// expect: passed
#[rebut::test]
fn comparison_is_total(list: Vec<Fraction>) {
    let mut ratios: Vec<Rational32> = list.iter().map(|fraction| fraction.ratio()).collect();
    ratios.sort();
    for pair in ratios.windows(2) {
        assert_ne!(pair[0].cmp(&pair[1]), Ordering::Greater);
    }
}

/// A total that is kept as a fraction.
#[derive(Debug)]
pub struct Total {
    ratio: Ratio<i64>,
    count: u32,
}

#[rebut::contract]
#[invariant(*self.ratio.denom() > 0)]
impl Total {
    pub fn zero() -> Total {
        Total { ratio: Ratio::from_integer(0), count: 0 }
    }

    #[requires(denom != 0, "a denominator is not zero")]
    #[ensures(self.count == old(self.count) + 1)]
    pub fn add(&mut self, numer: i8, denom: i8) {
        self.ratio += Ratio::new(i64::from(numer), i64::from(denom));
        self.count += 1;
    }

    #[ensures(result <= 1, "a mean of fractions is small")]
    #[requires(self.count > 0)]
    pub fn mean(&self) -> i64 {
        (self.ratio / i64::from(self.count)).to_integer()
    }
}

// expect: failed: a mean of fractions is small
#[rebut::test]
fn totals_keep_their_contract(program: rebut::Program<Total>) {
    program.run();
}
