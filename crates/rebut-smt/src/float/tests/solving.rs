//! Solves queries about floats with the whole solver, and checks the values on the machine.

use crate::{Answer, Options, Pool, Solver, Sort, Term};

/// A pool with the variables `x` and `y`, two floats of one width.
struct FloatQuery {
    pool: Pool,
    x: Term,
    y: Term,
}

impl FloatQuery {
    fn new(width: u32) -> FloatQuery {
        let mut pool = Pool::new();
        let [x, y] = ["x", "y"].map(|name| pool.var(name, Sort::BitVec(width)));
        FloatQuery { pool, x, y }
    }

    /// Returns the values of `x` and `y`, if there are any. The conflict budget makes a test fail
    /// if a circuit gets worse.
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
fn solves_a_sum_for_its_operand() {
    let mut query = FloatQuery::new(32);
    let (tenth, wanted) = (query.pool.f32(0.1), query.pool.f32(0.3));
    let sum = query.pool.float_add(query.x, tenth);
    let claim = query.pool.float_eq(sum, wanted);
    let [x, _] = query.solve32(1_000, &[claim]).expect("about 0.2");
    assert_eq!(x + 0.1, 0.3);

    let mut query = FloatQuery::new(64);
    let (tenth, wanted) = (query.pool.f64(0.1), query.pool.f64(0.3));
    let sum = query.pool.float_add(query.x, tenth);
    let claim = query.pool.float_eq(sum, wanted);
    let [x, _] = query.solve64(1_000, &[claim]).expect("about 0.2");
    assert_eq!(x + 0.1, 0.3);
}

#[test]
fn sum_of_0_1_and_0_2_is_not_0_3() {
    let mut pool = Pool::new();
    let [a, b, c] = [0.1, 0.2, 0.3].map(|number| pool.f64(number));
    let sum = pool.float_add(a, b);
    let claim = pool.float_eq(sum, c);
    assert!(pool.is_false(claim));
}

#[test]
fn finds_the_factors_of_a_product() {
    let mut query = FloatQuery::new(32);
    let (one, wanted) = (query.pool.f32(1.0), query.pool.f32(6.0));
    let product = query.pool.float_mul(query.x, query.y);
    let claims = [
        query.pool.float_eq(product, wanted),
        query.pool.float_lt(one, query.x),
        query.pool.float_lt(query.x, query.y),
    ];
    let [x, y] = query.solve32(20_000, &claims).expect("many");
    assert!(x * y == 6.0 && 1.0 < x && x < y);
}

#[test]
fn finds_a_square_root_and_proves_that_two_has_none() {
    let mut query = FloatQuery::new(32);
    let (square, wanted) = (query.pool.float_mul(query.x, query.x), query.pool.f32(2.25));
    let claim = query.pool.float_eq(square, wanted);
    let [x, _] = query.solve32(10_000, &[claim]).expect("1.5");
    assert_eq!(x.abs(), 1.5);
    let two = query.pool.f32(2.0);
    let claim = query.pool.float_eq(square, two);
    assert_eq!(query.solve32(20_000, &[claim]), None);
}

#[test]
fn small_summands_are_absorbed() {
    let mut query = FloatQuery::new(32);
    let (zero, one, limit) = (query.pool.f32(0.0), query.pool.f32(1.0), query.pool.f32(1e30));
    let sum = query.pool.float_add(query.x, one);
    let claims = [
        query.pool.float_eq(sum, query.x),
        query.pool.float_lt(zero, query.x),
        query.pool.float_lt(query.x, limit),
    ];
    let [x, _] = query.solve32(10_000, &claims).expect("16777216 and more");
    assert!(x + 1.0 == x && x.is_finite());
    let less = query.pool.float_lt(sum, query.x);
    assert_eq!(query.solve32(20_000, &[less]), None);
}

/// True because of subnormals.
#[test]
fn different_numbers_have_a_nonzero_difference() {
    let mut query = FloatQuery::new(32);
    let zero = query.pool.f32(0.0);
    let difference = query.pool.float_sub(query.x, query.y);
    let same = query.pool.float_eq(query.x, query.y);
    let claims = [query.pool.float_eq(difference, zero), query.pool.not(same)];
    assert_eq!(query.solve32(20_000, &claims), None);
}

#[test]
fn swapped_operands_build_the_same_term() {
    let mut query = FloatQuery::new(32);
    let commutative = [Pool::float_add, Pool::float_mul, Pool::float_min, Pool::float_max];
    for build in commutative {
        assert_eq!(
            build(&mut query.pool, query.x, query.y),
            build(&mut query.pool, query.y, query.x)
        );
    }
}

#[test]
fn finds_quotients_and_roots() {
    let mut query = FloatQuery::new(32);
    let (two, three) = (query.pool.f32(2.0), query.pool.f32(3.0));
    let quotient = query.pool.float_div(query.x, query.y);
    let claims = [query.pool.float_eq(quotient, three), query.pool.float_lt(two, query.y)];
    let [x, y] = query.solve32(10_000, &claims).expect("many");
    assert!(x / y == 3.0 && 2.0 < y);

    let root = query.pool.float_sqrt(query.x);
    let claim = query.pool.float_eq(root, three);
    let [x, _] = query.solve32(10_000, &[claim]).expect("nine");
    assert_eq!(x.sqrt(), 3.0);
}

#[test]
fn product_with_0_1_can_differ_from_quotient_by_10() {
    let mut query = FloatQuery::new(64);
    let (tenth, ten, one) = (query.pool.f64(0.1), query.pool.f64(10.0), query.pool.f64(1.0));
    let product = query.pool.float_mul(query.x, tenth);
    let quotient = query.pool.float_div(query.x, ten);
    let same = query.pool.float_eq(product, quotient);
    let claims = [
        query.pool.not(same),
        query.pool.float_lt(one, query.x),
        query.pool.float_lt(query.x, ten),
    ];
    let [x, _] = query.solve64(10_000, &claims).expect("three");
    assert_ne!(x * 0.1, x / 10.0);
}

#[test]
fn casts_drop_the_fraction() {
    let mut query = FloatQuery::new(32);
    let (seven, float) = (query.pool.bits(32, 7), query.pool.f32(7.0));
    let whole = query.pool.float_to_signed(32, query.x);
    let same = query.pool.float_eq(query.x, float);
    let traps = query.pool.float_to_signed_traps(32, query.x);
    let claims = [query.pool.eq(whole, seven), query.pool.not(same), query.pool.not(traps)];
    let [x, _] = query.solve32(1_000, &claims).expect("more than seven");
    assert!(x as i32 == 7 && x != 7.0);
}

#[test]
fn f64_represents_all_i32_and_f32_does_not() {
    for (width, conflicts_max, holds_all) in [(32, 1_000, false), (64, 50_000, true)] {
        let mut query = FloatQuery::new(32);
        let float = query.pool.float_from_signed(width, query.x);
        let back = query.pool.float_to_signed_saturating(32, float);
        let differ = query.pool.ne(back, query.x);
        assert_eq!(query.solve(conflicts_max, &[differ]).is_none(), holds_all);
    }
}

#[test]
fn demote_undoes_promote() {
    let mut query = FloatQuery::new(32);
    let wide = query.pool.float_promote(query.x);
    let back = query.pool.float_demote(wide);
    let is_nan = query.pool.float_is_nan(query.x);
    let claims = [query.pool.ne(back, query.x), query.pool.not(is_nan)];
    assert_eq!(query.solve(20_000, &claims), None);
}
