//! The open bits of floats, and the mathematical library.

use rebut::prelude::*;
use std::hint::black_box;

#[rebut::test]
fn nan_sign_of_a_quotient(a: f64, b: f64) {
    let quotient = a / b;
    assert!(!quotient.is_nan() || quotient.is_sign_positive());
}

#[rebut::test]
fn quotient_is_nan_or_a_number(a: f64, b: f64) {
    let quotient = a / b;
    assert!(quotient.is_nan() || quotient <= quotient);
}

#[rebut::test]
fn nan_bits_of_a_difference(a: f64, b: f64) {
    assert!((a - b).to_bits() != 0xFFF8_0000_0000_0000);
}

#[rebut::test]
fn bits_of_a_difference_of_small_numbers(a: i8, b: i8) {
    assert!((f64::from(a) - f64::from(b)).to_bits() != 0xFFF8_0000_0000_0000);
}

#[rebut::test]
fn nan_in_the_total_order(a: f32, b: f32, c: f32) {
    assert!((a + b).total_cmp(&c).is_le() || (a + b).total_cmp(&c).is_gt());
    assert!(!(a + b).is_nan() || (a + b).total_cmp(&f32::INFINITY).is_gt());
}

#[rebut::test]
fn drawn_numbers_in_the_total_order(a: f32, b: f32) {
    assert!(!a.is_nan() || b.is_nan() || a.total_cmp(&b).is_gt() == a.is_sign_positive());
}

#[rebut::test]
fn nan_gives_its_sign(a: f32, b: f32) {
    assert!(!(a * b).is_nan() || 1f32.copysign(a * b) > 0.0);
}

#[rebut::test]
fn drawn_number_gives_its_sign(a: f32, b: f32) {
    assert!(b.is_nan() || (1f32.copysign(b) * a.abs() <= 0.0) || b.to_bits() >> 31 == 0 || a.is_nan());
}

#[rebut::test]
fn nan_bits_in_the_memory(a: f64, b: f64) {
    let numbers = black_box([a * b, a]);
    let bytes = numbers[0].to_le_bytes();
    assert!(!numbers[0].is_nan() || black_box(bytes)[7] == 0x7F);
}

#[rebut::test]
fn numbers_that_are_moved(a: f64, b: f64) {
    let mut numbers = vec![Some(a * b), Some(a), None];
    numbers.reverse();
    numbers.swap(0, 1);
    let product = black_box(numbers)[2].unwrap_or(0.0);
    assert!(product.is_nan() || product >= f64::NEG_INFINITY);
}

#[rebut::test]
fn class_of_a_sum(a: f32, b: f32) {
    let sum = a + b;
    assert!(sum.is_normal() || sum.is_nan() || sum.is_subnormal() || sum == 0.0 || sum.is_infinite());
}

#[rebut::test]
fn signum_of_a_product(a: f32, b: f32) {
    let sign = (a * b).signum();
    assert!(sign.is_nan() || sign == 1.0 || sign == -1.0);
}

#[rebut::test]
fn zero_sign_of_a_minimum(a: f32, b: f32) {
    assume!(a == 0.0 && b == 0.0);
    assert!(1.0 / a.min(b) < 0.0 || a.is_sign_positive() || b.is_sign_positive());
    assert!(1.0 / a.min(b) == 1.0 / b);
}

#[rebut::test]
fn zero_bits_of_a_maximum(a: f32, b: f32) {
    assume!(a == 0.0 && b == 0.0);
    assert!(a.max(b).to_bits() == a.to_bits());
}

#[rebut::test]
fn minimum_is_least(a: f32, b: f32) {
    let minimum = a.min(b);
    assert!((minimum <= a || a.is_nan()) && (minimum <= b || b.is_nan()));
}

#[rebut::test]
fn magnitude_of_a_minimum(a: f32, b: f32) {
    let minimum = a.min(b).abs();
    assert!(minimum.is_nan() || minimum.is_sign_positive());
}

#[rebut::test]
fn minimum_of_other_numbers(a: f32, b: f32) {
    assume!(a > 0.0 && b > 0.0);
    assert!(1.0 / a.min(b) >= 0.0);
}

#[rebut::test]
fn sign_of_a_clamped_zero(a: f32) {
    assume!(a == 0.0);
    assert!(a.clamp(-1.0, 1.0).to_bits() == a.to_bits());
}

#[rebut::test]
fn math_sine(a: i8) {
    assert!(f64::from(a).sin() <= 1.5);
}

#[rebut::test]
fn math_power(a: u8) {
    assert!(f32::from(a).powf(black_box(1.5)) >= 0.0);
}

#[rebut::test]
fn exact_functions(a: i8) {
    let a = f64::from(a);
    assert!(a.floor() <= a && a.ceil() >= a && a.trunc() == a && a.abs().sqrt() >= 0.0);
    assert!(a.powi(2) >= 0.0);
}
