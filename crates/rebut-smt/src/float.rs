//! Arithmetic of floats (IEEE 754), exact, as terms over their bits.
//!
//! A float of 32 or 64 bits is the bit-vector of its bits; what is built computes on them what
//! the instructions of WebAssembly compute: rounded to the nearest, ties to even, with
//! subnormals, infinities and both zeros. There are no operators for it, so rewrites, ranges,
//! the bit-blaster and every other solver know floats without having heard of them.
//!
//! Where WebAssembly leaves open which NaN a result is, ours is the canonical one: positive and
//! quiet, `0x7fc00000` or `0x7ff8000000000000`. Who compares with a run must have that make
//! NaN canonical too, or not look at the bits of NaN. Only [`Pool::float_abs`],
//! [`Pool::float_neg`] and [`Pool::float_copysign`] keep the bits of a NaN, as they must.
//!
//! # How
//! A number is taken apart (`format.rs`), brought to a form with the topmost bit of the
//! significand set, computed with a few bits to spare and one "sticky" bit for all that come
//! after, and rounded in one place (`round.rs`). That is how hardware does it, and for the same
//! reason: few gates. Shifts are by powers of two, one after the other; significands are
//! multiplied and divided once, and roots are found digit by digit, with one adder for each.
//!
//! # What it costs
//! Conflicts and milliseconds of the embedded solver on one core (`cargo run --release
//! --example floats`, which has more of them):
//!
//! | question | 32 bits | 64 bits |
//! |---|---|---|
//! | `x + 0.1 == 0.3` | 11, 2 ms | 35, 2 ms |
//! | `x + y == 12.5, x < y, 3 < x` | 64, 2 ms | 85, 3 ms |
//! | `x + 1 < x` (none) | 735, 28 ms | 1235, 110 ms |
//! | `x * x == 2.25` | 461, 22 ms | 1843, 246 ms |
//! | `x * x == 2` (none) | 284, 18 ms | 2346, 358 ms |
//! | `x * y == 6, x < y, 1 < x` | 3016, 159 ms | 6186, 764 ms |
//! | `x / y == 3, 2 < y` | 89, 27 ms | 34, 197 ms |
//! | `x * (1 / x) != 1, x in 1..100` | 521, 134 ms | 4468, 3.2 s |
//! | `(x - 32) * 5 / 9 == 37` | 41, 7 ms | 31, 17 ms |
//! | `sqrt(x) == 1.5` | 44, 16 ms | 66, 30 ms |
//!
//! A sum or a product of two variables is the same term in either order. That two circuits that
//! differ more compute the same is dear: for the two orders of a sum of 32 bits it took more
//! than 200,000 conflicts.

mod arithmetic;
mod compare;
mod convert;
mod format;
mod integral;
mod round;
#[cfg(test)]
mod tests;

use crate::{Pool, Term};
use format::{Format, Parts};
use integral::Toward;

/// Floats: bit-vectors of 32 or 64 bits, read as IEEE 754 reads them. A result that is NaN is
/// the canonical NaN, unless something else is said.
///
/// # Example
/// ```
/// use rebut_smt::{Answer, Pool, Solver, Sort};
///
/// let mut pool = Pool::new();
/// let x = pool.var("x", Sort::BitVec(32));
/// let (tenth, third) = (pool.f32(0.1), pool.f32(0.3));
/// let sum = pool.float_add(x, tenth);
/// let claim = pool.float_eq(sum, third);
///
/// let mut solver = Solver::new();
/// solver.assert(claim);
/// let Answer::Sat(model) = solver.check(&mut pool) else { panic!("about 0.2") };
/// let bits = model.get(x).and_then(|value| value.as_bits()).expect("a value");
/// assert_eq!(f32::from_bits(bits.unsigned() as u32) + 0.1, 0.3);
/// ```
impl Pool {
    /// The bits of a float.
    pub fn f32(&mut self, number: f32) -> Term {
        self.bits(32, u128::from(number.to_bits()))
    }

    /// The bits of a float.
    pub fn f64(&mut self, number: f64) -> Term {
        self.bits(64, u128::from(number.to_bits()))
    }

    /// The sum.
    #[track_caller]
    pub fn float_add(&mut self, a: Term, b: Term) -> Term {
        // Which of two terms comes first is all the same; so that it is the same term, the
        // older one does.
        let before = self.len();
        let term = arithmetic::add(self, a.min(b), a.max(b));
        self.count_parts_once(before, &[a, b], term)
    }

    /// The difference.
    #[track_caller]
    pub fn float_sub(&mut self, a: Term, b: Term) -> Term {
        let minus = self.float_neg(b);
        self.float_add(a, minus)
    }

    /// The product.
    #[track_caller]
    pub fn float_mul(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = arithmetic::mul(self, a.min(b), a.max(b));
        self.count_parts_once(before, &[a, b], term)
    }

    /// The quotient.
    #[track_caller]
    pub fn float_div(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = arithmetic::div(self, a, b);
        self.count_parts_once(before, &[a, b], term)
    }

    /// The square root.
    #[track_caller]
    pub fn float_sqrt(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = arithmetic::sqrt(self, a);
        self.count_parts_once(before, &[a], term)
    }

    /// The lesser of the two, of zeros the negative one; NaN if either is.
    #[track_caller]
    pub fn float_min(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::extreme(self, a.min(b), a.max(b), true);
        self.count_parts_once(before, &[a, b], term)
    }

    /// The greater of the two, of zeros the positive one; NaN if either is.
    #[track_caller]
    pub fn float_max(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::extreme(self, a.min(b), a.max(b), false);
        self.count_parts_once(before, &[a, b], term)
    }

    /// The least whole number that is not less.
    #[track_caller]
    pub fn float_ceil(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = integral::integral(self, a, Toward::Positive);
        self.count_parts_once(before, &[a], term)
    }

    /// The greatest whole number that is not greater.
    #[track_caller]
    pub fn float_floor(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = integral::integral(self, a, Toward::Negative);
        self.count_parts_once(before, &[a], term)
    }

    /// The whole part.
    #[track_caller]
    pub fn float_trunc(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = integral::integral(self, a, Toward::Zero);
        self.count_parts_once(before, &[a], term)
    }

    /// The nearest whole number; of two, the even one.
    #[track_caller]
    pub fn float_nearest(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = integral::integral(self, a, Toward::Nearest);
        self.count_parts_once(before, &[a], term)
    }

    /// Without the sign. Only the sign of a NaN changes.
    #[track_caller]
    pub fn float_abs(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = compare::abs(self, a);
        self.count_parts_once(before, &[a], term)
    }

    /// With the other sign. Only the sign of a NaN changes.
    #[track_caller]
    pub fn float_neg(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = compare::neg(self, a);
        self.count_parts_once(before, &[a], term)
    }

    /// `a` with the sign of `b`. Only the sign of a NaN changes.
    #[track_caller]
    pub fn float_copysign(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::copysign(self, a, b);
        self.count_parts_once(before, &[a, b], term)
    }

    /// Whether it is not a number.
    #[track_caller]
    pub fn float_is_nan(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = Parts::of(self, a).is_nan(self);
        self.count_parts_once(before, &[a], term)
    }

    /// Both are the same number: zeros are, NaN is not.
    #[track_caller]
    pub fn float_eq(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::eq(self, a, b);
        self.count_parts_once(before, &[a, b], term)
    }

    /// Less than; never of NaN.
    #[track_caller]
    pub fn float_lt(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::lt(self, a, b);
        self.count_parts_once(before, &[a, b], term)
    }

    /// At most; never of NaN.
    #[track_caller]
    pub fn float_le(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::le(self, a, b);
        self.count_parts_once(before, &[a, b], term)
    }

    /// The float of `width` bits that is nearest to a signed integer.
    #[track_caller]
    pub fn float_from_signed(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::from_integer(self, Format::of_width(width), a, true);
        self.count_parts_once(before, &[a], term)
    }

    /// The float of `width` bits that is nearest to an unsigned integer.
    #[track_caller]
    pub fn float_from_unsigned(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::from_integer(self, Format::of_width(width), a, false);
        self.count_parts_once(before, &[a], term)
    }

    /// The whole part as a signed integer of 32 or 64 bits. Where
    /// [it does not fit](Pool::float_to_signed_traps), it is some number.
    #[track_caller]
    pub fn float_to_signed(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::to_integer(self, integer(width), a, true);
        self.count_parts_once(before, &[a], term)
    }

    /// The whole part as an unsigned integer of 32 or 64 bits. Where
    /// [it does not fit](Pool::float_to_unsigned_traps), it is some number.
    #[track_caller]
    pub fn float_to_unsigned(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::to_integer(self, integer(width), a, false);
        self.count_parts_once(before, &[a], term)
    }

    /// Whether the whole part is no signed integer of so many bits; NaN has none.
    #[track_caller]
    pub fn float_to_signed_traps(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::traps(self, integer(width), a, true);
        self.count_parts_once(before, &[a], term)
    }

    /// Whether the whole part is no unsigned integer of so many bits; NaN has none.
    #[track_caller]
    pub fn float_to_unsigned_traps(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::traps(self, integer(width), a, false);
        self.count_parts_once(before, &[a], term)
    }

    /// The signed integer of so many bits that is nearest to the whole part; zero for NaN.
    #[track_caller]
    pub fn float_to_signed_saturating(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::saturating(self, integer(width), a, true);
        self.count_parts_once(before, &[a], term)
    }

    /// The unsigned integer of so many bits that is nearest to the whole part; zero for NaN.
    #[track_caller]
    pub fn float_to_unsigned_saturating(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::saturating(self, integer(width), a, false);
        self.count_parts_once(before, &[a], term)
    }

    /// A float of 32 bits as one of 64.
    #[track_caller]
    pub fn float_promote(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = convert::promote(self, a);
        self.count_parts_once(before, &[a], term)
    }

    /// The nearest float of 32 bits to one of 64.
    #[track_caller]
    pub fn float_demote(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = convert::demote(self, a);
        self.count_parts_once(before, &[a], term)
    }
}

/// The width of an integer to convert to.
#[track_caller]
fn integer(width: u32) -> u32 {
    match width {
        32 | 64 => width,
        _ => panic!("floats become integers of 32 or 64 bits, not of {width}"),
    }
}

/// A truth value as a bit.
fn bit_of(pool: &mut Pool, holds: Term) -> Term {
    let (one, zero) = (pool.bits(1, 1), pool.bits(1, 0));
    pool.ite(holds, one, zero)
}

/// A bit as a truth value.
fn is_set(pool: &mut Pool, bit: Term) -> Term {
    let one = pool.bits(1, 1);
    pool.eq(bit, one)
}

fn is_zero(pool: &mut Pool, a: Term) -> Term {
    let zero = pool.bits(pool.width(a), 0);
    pool.eq(a, zero)
}

fn any_set(pool: &mut Pool, a: Term) -> Term {
    let is_zero = is_zero(pool, a);
    pool.not(is_zero)
}
