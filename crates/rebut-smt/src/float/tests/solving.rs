//! Questions about floats, through the whole solver. What it finds is checked with the machine.

use crate::{Answer, Options, Pool, Solver, Sort, Term};

/// A pool with the variables `x` and `y`, two floats of one width.
struct Asking {
    pool: Pool,
    x: Term,
    y: Term,
}

impl Asking {
    fn new(width: u32) -> Asking {
        let mut pool = Pool::new();
        let [x, y] = ["x", "y"].map(|name| pool.var(name, Sort::BitVec(width)));
        Asking { pool, x, y }
    }

    /// The values of `x` and `y`, if there are any; within a budget of conflicts, so that a
    /// circuit that got worse is noticed.
    #[track_caller]
    fn solve(&mut self, conflicts_max: u64, claims: &[Term]) -> Option<[u64; 2]> {
        let mut solver = Solver::with_options(Options { conflicts_max, seed: None });
        match solver.check_assuming(&mut self.pool, claims) {
            Answer::Sat(model) => Some([self.x, self.y].map(|variable| {
                let bits = model.get(variable).and_then(|value| value.as_bits());
                bits.map_or(0, |bits| bits.unsigned() as u64)
            })),
            Answer::Unsat => None,
            Answer::Unknown(reason) => panic!("{reason}"),
        }
    }

    #[track_caller]
    fn solve32(&mut self, conflicts_max: u64, claims: &[Term]) -> Option<[f32; 2]> {
        self.solve(conflicts_max, claims).map(|found| found.map(|bits| f32::from_bits(bits as u32)))
    }

    #[track_caller]
    fn solve64(&mut self, conflicts_max: u64, claims: &[Term]) -> Option<[f64; 2]> {
        self.solve(conflicts_max, claims).map(|found| found.map(f64::from_bits))
    }
}

#[test]
fn finds_what_makes_a_sum() {
    let mut ask = Asking::new(32);
    let (tenth, wanted) = (ask.pool.f32(0.1), ask.pool.f32(0.3));
    let sum = ask.pool.float_add(ask.x, tenth);
    let claim = ask.pool.float_eq(sum, wanted);
    let [x, _] = ask.solve32(1_000, &[claim]).expect("about 0.2");
    assert_eq!(x + 0.1, 0.3);

    let mut ask = Asking::new(64);
    let (tenth, wanted) = (ask.pool.f64(0.1), ask.pool.f64(0.3));
    let sum = ask.pool.float_add(ask.x, tenth);
    let claim = ask.pool.float_eq(sum, wanted);
    let [x, _] = ask.solve64(1_000, &[claim]).expect("about 0.2");
    assert_eq!(x + 0.1, 0.3);
}

#[test]
fn a_tenth_and_two_tenths_are_not_three_tenths() {
    let mut pool = Pool::new();
    let [a, b, c] = [0.1, 0.2, 0.3].map(|number| pool.f64(number));
    let sum = pool.float_add(a, b);
    let claim = pool.float_eq(sum, c);
    assert!(pool.is_false(claim));
}

#[test]
fn finds_the_factors_of_a_product() {
    let mut ask = Asking::new(32);
    let (one, wanted) = (ask.pool.f32(1.0), ask.pool.f32(6.0));
    let product = ask.pool.float_mul(ask.x, ask.y);
    let claims = [
        ask.pool.float_eq(product, wanted),
        ask.pool.float_lt(one, ask.x),
        ask.pool.float_lt(ask.x, ask.y),
    ];
    let [x, y] = ask.solve32(20_000, &claims).expect("many");
    assert!(x * y == 6.0 && 1.0 < x && x < y);
}

#[test]
fn finds_a_square_and_knows_that_two_is_none() {
    let mut ask = Asking::new(32);
    let (square, wanted) = (ask.pool.float_mul(ask.x, ask.x), ask.pool.f32(2.25));
    let claim = ask.pool.float_eq(square, wanted);
    let [x, _] = ask.solve32(10_000, &[claim]).expect("1.5");
    assert_eq!(x.abs(), 1.5);
    let two = ask.pool.f32(2.0);
    let claim = ask.pool.float_eq(square, two);
    assert_eq!(ask.solve32(20_000, &[claim]), None);
}

#[test]
fn a_term_that_is_too_small_is_absorbed() {
    let mut ask = Asking::new(32);
    let (zero, one, limit) = (ask.pool.f32(0.0), ask.pool.f32(1.0), ask.pool.f32(1e30));
    let sum = ask.pool.float_add(ask.x, one);
    let claims = [
        ask.pool.float_eq(sum, ask.x),
        ask.pool.float_lt(zero, ask.x),
        ask.pool.float_lt(ask.x, limit),
    ];
    let [x, _] = ask.solve32(10_000, &claims).expect("16777216 and more");
    assert!(x + 1.0 == x && x.is_finite());
    let less = ask.pool.float_lt(sum, ask.x);
    assert_eq!(ask.solve32(20_000, &[less]), None);
}

/// Thanks to subnormals.
#[test]
fn numbers_that_differ_have_a_difference() {
    let mut ask = Asking::new(32);
    let zero = ask.pool.f32(0.0);
    let difference = ask.pool.float_sub(ask.x, ask.y);
    let same = ask.pool.float_eq(ask.x, ask.y);
    let claims = [ask.pool.float_eq(difference, zero), ask.pool.not(same)];
    assert_eq!(ask.solve32(20_000, &claims), None);
}

#[test]
fn operands_that_change_places_are_the_same_term() {
    let mut ask = Asking::new(32);
    let commutative = [Pool::float_add, Pool::float_mul, Pool::float_min, Pool::float_max];
    for build in commutative {
        assert_eq!(build(&mut ask.pool, ask.x, ask.y), build(&mut ask.pool, ask.y, ask.x));
    }
}

#[test]
fn finds_quotients_and_roots() {
    let mut ask = Asking::new(32);
    let (two, three) = (ask.pool.f32(2.0), ask.pool.f32(3.0));
    let quotient = ask.pool.float_div(ask.x, ask.y);
    let claims = [ask.pool.float_eq(quotient, three), ask.pool.float_lt(two, ask.y)];
    let [x, y] = ask.solve32(10_000, &claims).expect("many");
    assert!(x / y == 3.0 && 2.0 < y);

    let root = ask.pool.float_sqrt(ask.x);
    let claim = ask.pool.float_eq(root, three);
    let [x, _] = ask.solve32(10_000, &[claim]).expect("nine");
    assert_eq!(x.sqrt(), 3.0);
}

#[test]
fn a_product_with_a_tenth_is_no_quotient_by_ten() {
    let mut ask = Asking::new(64);
    let (tenth, ten, one) = (ask.pool.f64(0.1), ask.pool.f64(10.0), ask.pool.f64(1.0));
    let product = ask.pool.float_mul(ask.x, tenth);
    let quotient = ask.pool.float_div(ask.x, ten);
    let same = ask.pool.float_eq(product, quotient);
    let claims = [ask.pool.not(same), ask.pool.float_lt(one, ask.x), ask.pool.float_lt(ask.x, ten)];
    let [x, _] = ask.solve64(10_000, &claims).expect("three");
    assert_ne!(x * 0.1, x / 10.0);
}

#[test]
fn a_cast_drops_the_fraction() {
    let mut ask = Asking::new(32);
    let (seven, float) = (ask.pool.bits(32, 7), ask.pool.f32(7.0));
    let whole = ask.pool.float_to_signed(32, ask.x);
    let same = ask.pool.float_eq(ask.x, float);
    let traps = ask.pool.float_to_signed_traps(32, ask.x);
    let claims = [ask.pool.eq(whole, seven), ask.pool.not(same), ask.pool.not(traps)];
    let [x, _] = ask.solve32(1_000, &claims).expect("more than seven");
    assert!(x as i32 == 7 && x != 7.0);
}

#[test]
fn singles_hold_not_all_integers_and_doubles_do() {
    for (width, conflicts_max, holds_all) in [(32, 1_000, false), (64, 50_000, true)] {
        let mut ask = Asking::new(32);
        let float = ask.pool.float_from_signed(width, ask.x);
        let back = ask.pool.float_to_signed_saturating(32, float);
        let differ = ask.pool.ne(back, ask.x);
        assert_eq!(ask.solve(conflicts_max, &[differ]).is_none(), holds_all);
    }
}

#[test]
fn what_is_promoted_and_demoted_stays_what_it_is() {
    let mut ask = Asking::new(32);
    let wide = ask.pool.float_promote(ask.x);
    let back = ask.pool.float_demote(wide);
    let is_nan = ask.pool.float_is_nan(ask.x);
    let claims = [ask.pool.ne(back, ask.x), ask.pool.not(is_nan)];
    assert_eq!(ask.solve(20_000, &claims), None);
}
