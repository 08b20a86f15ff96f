extern crate ordered_float;
extern crate rebut;

use ordered_float::{FloatIsNan, NotNan, OrderedFloat};
use rebut::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

fn hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

// expect: passed
#[rebut::test]
fn order_is_total(a: f64, b: f64, c: f64) {
    let (a, b, c) = (OrderedFloat(a), OrderedFloat(b), OrderedFloat(c));
    assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
    if a <= b && b <= c {
        assert!(a <= c);
    }
}

// expect: passed
#[rebut::test]
fn equal_floats_have_equal_hashes(a: f32, b: f32) -> bool {
    let (a, b) = (OrderedFloat(a), OrderedFloat(b));
    a != b || hash(&a) == hash(&b)
}

// Zero has a sign.
// expect: failed
#[rebut::test]
fn equal_floats_have_equal_bits(#[from([0.0, -0.0, 1.5, f64::NAN])] a: f64, #[from([1.5, -0.0, 0.0])] b: f64) {
    if OrderedFloat(a) == OrderedFloat(b) && !a.is_nan() {
        assert_eq!(a.to_bits(), b.to_bits());
    }
}

// expect: failed: Addition resulted in NaN
#[rebut::test]
fn addition_never_panics(#[from(floats().allow_nan(false))] a: f64, #[from(one_of!([f64::INFINITY, f64::NEG_INFINITY], -1.0..1.0))] b: f64) {
    let _ = NotNan::from(a) + NotNan::from(b);
}

// RUSTSEC-2020-0082: the check comes after the assignment.
// expect: failed
#[rebut::test]
fn not_nan_is_never_nan(#[from(floats().allow_nan(false))] mut start: f64, factors: Vec<(bool, f64)>) {
    rebut::assume!(!start.is_nan());
    let mut number = NotNan::new(start).unwrap();
    for (add, factor) in factors {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            if add { number += factor } else { number *= factor }
        }));
        drop(result);
        start = number.into_inner();
        assert!(!start.is_nan());
    }
}

// expect: failed: FloatIsNan
#[rebut::test]
fn every_float_is_a_number(number: f32, _precision: Option<u8>) -> Result<(), FloatIsNan> {
    NotNan::new(number).map(drop)
}

// expect: passed
#[rebut::test]
fn sorting_puts_nan_last(mut list: Vec<f64>) {
    list.sort_by_key(|&number| OrderedFloat(number));
    if let Some(first) = list.iter().position(|number| number.is_nan()) {
        assert!(list[first..].iter().all(|number| number.is_nan()));
    }
}

// expect: failed
#[rebut::test]
fn addition_is_associative(a: i32, b: f32, c: i32) {
    rebut::assume!(b.is_finite());
    let (a, b, c) = (NotNan::from(a as f32), NotNan::from(b), NotNan::from(c as f32));
    assert_eq!((a + b) + c, a + (b + c));
}

// expect: passed
#[rebut::test]
fn text_round_trips(number: f64) {
    let text = OrderedFloat(number).to_string();
    assert_eq!(text.parse::<OrderedFloat<f64>>().unwrap(), OrderedFloat(number));
}
