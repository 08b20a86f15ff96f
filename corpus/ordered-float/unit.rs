extern crate rebut;
extern crate std;

use self::std::prelude::v1::*;
use super::*;

// expect: passed
#[rebut::test]
fn all_nans_are_equal(bits: u64) {
    let nan = f64::from_bits(bits | 0x7ff8_0000_0000_0000);
    assert_eq!(OrderedFloat(nan), OrderedFloat(core::f64::NAN));
    assert_eq!(OrderedFloat(nan).cmp(&OrderedFloat(core::f64::INFINITY)), Ordering::Greater);
}

// expect: failed
#[rebut::test]
fn bits_keep_the_sign(number: f64, other: Option<u8>) {
    assert_eq!(raw_double_bits(&number), number.to_bits(), "{:?}", other);
}

/// A sum of floats.
#[derive(Debug)]
pub struct Sum(NotNan<f64>);

#[rebut::contract]
impl Sum {
    /// Zero.
    pub fn new() -> Sum {
        Sum(NotNan(0.0))
    }

    /// Adds a number, if the callback agrees.
    #[requires(!number.is_nan())]
    #[ensures(result >= old(self.0.into_inner()) || number < 0.0, "the sum grows")]
    pub fn add(&mut self, number: f64, accept: &dyn Fn(f64) -> bool) -> f64 {
        if accept(number) && (self.0.into_inner() + number).is_finite() {
            self.0 += number;
        } else {
            self.0 = NotNan(0.0);
        }
        self.0.into_inner()
    }
}

// expect: failed: the sum grows
#[rebut::test]
fn sums_keep_their_contract(program: rebut::Program<Sum>) {
    program.run();
}
