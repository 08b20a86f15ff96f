//! Compares every function, on generated floats, with the result of the machine.

use rebut::any;
use rebut::prelude::*;

use crate::{Bits, Model, Pool, Sort, Term, Value};

type Unary = (fn(&mut Pool, Term) -> Term, fn(f32) -> f32, fn(f64) -> f64);
type Binary = (fn(&mut Pool, Term, Term) -> Term, fn(f32, f32) -> f32, fn(f64, f64) -> f64);
type Relation = (fn(&mut Pool, Term, Term) -> Term, fn(f64, f64) -> bool);

const UNARY: [Unary; 7] = [
    (Pool::float_sqrt, f32::sqrt, f64::sqrt),
    (Pool::float_ceil, f32::ceil, f64::ceil),
    (Pool::float_floor, f32::floor, f64::floor),
    (Pool::float_trunc, f32::trunc, f64::trunc),
    (Pool::float_nearest, f32::round_ties_even, f64::round_ties_even),
    (Pool::float_abs, f32::abs, f64::abs),
    (Pool::float_neg, |a| -a, |a| -a),
];

const BINARY: [Binary; 7] = [
    (Pool::float_add, |a, b| a + b, |a, b| a + b),
    (Pool::float_sub, |a, b| a - b, |a, b| a - b),
    (Pool::float_mul, |a, b| a * b, |a, b| a * b),
    (Pool::float_div, |a, b| a / b, |a, b| a / b),
    (Pool::float_min, |a, b| min(a.into(), b.into()) as f32, min),
    (Pool::float_max, |a, b| -min((-a).into(), (-b).into()) as f32, |a, b| -min(-a, -b)),
    (Pool::float_copysign, f32::copysign, f64::copysign),
];

const RELATIONS: [Relation; 4] = [
    (Pool::float_eq, |a, b| a == b),
    (Pool::float_lt, |a, b| a < b),
    (Pool::float_le, |a, b| a <= b),
    (|pool, a, _| pool.float_is_nan(a), |a, _| a.is_nan()),
];

/// The minimum of WebAssembly: NaN if either is, and -0 is less than 0.
fn min(a: f64, b: f64) -> f64 {
    match a.partial_cmp(&b) {
        None => f64::NAN,
        Some(std::cmp::Ordering::Equal) if a.is_sign_negative() => a,
        Some(std::cmp::Ordering::Less) => a,
        Some(_) => b,
    }
}

/// Generates the bits of floats, many of them next to a limit: few or all bits of the fraction
/// set, exponents at both ends or near those of small integers.
fn bits_of_floats(exponent: u32, fraction: u32) -> impl Generator<Value = u64> {
    let limit = (1u64 << exponent) - 1;
    let bias = limit / 2;
    let exponents = one_of![
        integers::<u64>().in_range(0..=limit),
        integers::<u64>().in_range(bias - 4..=bias + 4),
        integers::<u64>().in_range(bias..=bias + 70),
        integers::<u64>().in_range(0..=2),
        integers::<u64>().in_range(limit - 2..=limit)
    ];
    let ones = (1u64 << fraction) - 1;
    let fractions = one_of![
        integers::<u64>().in_range(0..=ones),
        just(0u64),
        just(ones),
        integers::<u32>().in_range(0..=fraction - 1).map(|bit| 1u64 << bit),
        integers::<u32>().in_range(0..=fraction).map(|bit| (1u64 << bit) - 1),
        integers::<u32>().in_range(0..=fraction).map(move |bit| ones >> bit << bit)
    ];
    (any::<bool>(), exponents, fractions).map(move |(sign, stored, rest)| {
        u64::from(sign) << (exponent + fraction) | stored << fraction | rest
    })
}

fn singles() -> impl Generator<Value = f32> {
    one_of![floats::<f32>(), 3 => bits_of_floats(8, 23).map(|bits| f32::from_bits(bits as u32))]
}

fn doubles() -> impl Generator<Value = f64> {
    one_of![floats::<f64>(), 3 => bits_of_floats(11, 52).map(f64::from_bits)]
}

/// Generates a float, and another that is often so near that their difference cancels or ties.
fn pairs_of_singles() -> impl Generator<Value = (f32, f32)> {
    (singles(), one_of![2 => singles().map(Err), integers::<i32>().in_range(-4..=4).map(Ok)]).map(
        |(a, other)| match other {
            Ok(steps) => (a, -f32::from_bits(a.to_bits().wrapping_add_signed(steps))),
            Err(b) => (a, b),
        },
    )
}

fn pairs_of_doubles() -> impl Generator<Value = (f64, f64)> {
    (doubles(), one_of![2 => doubles().map(Err), integers::<i64>().in_range(-4..=4).map(Ok)]).map(
        |(a, other)| match other {
            Ok(steps) => (a, -f64::from_bits(a.to_bits().wrapping_add_signed(steps))),
            Err(b) => (a, b),
        },
    )
}

/// Generates 64-bit floats halfway between two of 32 bits, and some nearby.
fn near_ties_of_singles() -> impl Generator<Value = f64> {
    let steps = one_of![
        integers::<i64>().in_range(-40..=40).map(|steps| steps << 26),
        integers::<i64>().in_range(-2..=2).map(|steps| steps + (1 << 28))
    ];
    (singles(), steps)
        .map(|(near, steps)| f64::from_bits(f64::from(near).to_bits().wrapping_add_signed(steps)))
}

fn integers_near_powers() -> impl Generator<Value = u64> {
    let places = || integers::<u32>().in_range(0..=63);
    one_of![
        any::<u64>(),
        (any::<u64>(), places()).map(|(number, by)| number >> by),
        (places(), integers::<i64>().in_range(-2..=2))
            .map(|(power, more)| (1u64 << power).wrapping_add_signed(more)),
        (any::<u64>(), places()).map(|(number, by)| number >> 40 << by)
    ]
}

/// Generates 64-bit floats a few steps from the greatest integers, and fractions near integers.
fn near_limits_of_integers() -> impl Generator<Value = f64> {
    let powers = integers::<i32>().in_range(30..=65);
    one_of![
        (powers, integers::<i64>().in_range(-9..=9)).map(|(power, steps)| {
            f64::from_bits(2f64.powi(power).to_bits().wrapping_add_signed(steps))
        }),
        (any::<i32>(), integers::<i32>().in_range(-4..=4)).map(|(number, quarters)| f64::from(
            number
        ) + f64::from(
            quarters
        ) / 4.0)
    ]
}

/// Returns the bits, with every NaN as the canonical one.
fn canonical32(number: f32) -> Value {
    let bits = if number.is_nan() { 0x7fc0_0000 } else { number.to_bits() };
    Value::Bits(Bits::new(32, bits.into()))
}

fn canonical64(number: f64) -> Value {
    let bits = if number.is_nan() { 0x7ff8_0000_0000_0000 } else { number.to_bits() };
    Value::Bits(Bits::new(64, bits.into()))
}

fn bits(width: u32, number: impl Into<u128>) -> Value {
    Value::Bits(Bits::new(width, number.into()))
}

/// Terms over the variables `a` and `b` of one width, built once for all cases.
struct Terms {
    pool: Pool,
    variables: [Term; 2],
    built: Vec<Term>,
}

impl Terms {
    fn new(width: u32, build: impl FnOnce(&mut Pool, Term, Term) -> Vec<Term>) -> Terms {
        let mut pool = Pool::new();
        let variables = ["a", "b"].map(|name| pool.var(name, Sort::BitVec(width)));
        let built = build(&mut pool, variables[0], variables[1]);
        Terms { pool, variables, built }
    }

    fn values(&self, a: Value, b: Value) -> Vec<Value> {
        let model = Model::new(self.variables.into_iter().zip([a, b]));
        model.evaluate_all(&self.pool, &self.built).expect("values of all terms")
    }
}

/// Builds terms from constants, which the pool folds to values.
fn folded(
    build: impl FnOnce(&mut Pool, Term, Term) -> Vec<Term>,
    a: Value,
    b: Value,
) -> Vec<Value> {
    let mut pool = Pool::new();
    let (a, b) = (pool.constant(a), pool.constant(b));
    let built = build(&mut pool, a, b);
    built.into_iter().map(|term| pool.value(term).expect("a constant").clone()).collect()
}

fn build_binary(pool: &mut Pool, a: Term, b: Term) -> Vec<Term> {
    let mut built: Vec<Term> = BINARY.iter().map(|(build, ..)| build(pool, a, b)).collect();
    built.extend(RELATIONS.iter().map(|(build, _)| build(pool, a, b)));
    built
}

fn binary32(a: f32, b: f32) -> Vec<Value> {
    let mut wanted: Vec<Value> =
        BINARY.iter().map(|(_, machine, _)| canonical32(machine(a, b))).collect();
    // The sign of a NaN is all that this changes.
    wanted[6] = bits(32, a.copysign(b).to_bits());
    wanted.extend(RELATIONS.iter().map(|(_, holds)| Value::Bool(holds(a.into(), b.into()))));
    wanted
}

fn binary64(a: f64, b: f64) -> Vec<Value> {
    let mut wanted: Vec<Value> =
        BINARY.iter().map(|(_, _, machine)| canonical64(machine(a, b))).collect();
    wanted[6] = bits(64, a.copysign(b).to_bits());
    wanted.extend(RELATIONS.iter().map(|(_, holds)| Value::Bool(holds(a, b))));
    wanted
}

#[rebut::test(cases = 600)]
fn binary_operations_on_f32_match_the_machine(#[from(pairs_of_singles())] pair: (f32, f32)) {
    static TERMS: std::sync::LazyLock<Terms> =
        std::sync::LazyLock::new(|| Terms::new(32, build_binary));
    let (a, b) = (bits(32, pair.0.to_bits()), bits(32, pair.1.to_bits()));
    assert_eq!(TERMS.values(a.clone(), b.clone()), binary32(pair.0, pair.1));
}

#[rebut::test(cases = 600)]
fn binary_operations_on_f64_match_the_machine(#[from(pairs_of_doubles())] pair: (f64, f64)) {
    static TERMS: std::sync::LazyLock<Terms> =
        std::sync::LazyLock::new(|| Terms::new(64, build_binary));
    let (a, b) = (bits(64, pair.0.to_bits()), bits(64, pair.1.to_bits()));
    assert_eq!(TERMS.values(a, b), binary64(pair.0, pair.1));
}

#[rebut::test(cases = 50)]
fn folded_constants_match_the_machine(
    #[from(pairs_of_singles())] singles: (f32, f32),
    #[from(pairs_of_doubles())] doubles: (f64, f64),
) {
    let (a, b) = (bits(32, singles.0.to_bits()), bits(32, singles.1.to_bits()));
    assert_eq!(folded(build_binary, a, b), binary32(singles.0, singles.1));
    let (a, b) = (bits(64, doubles.0.to_bits()), bits(64, doubles.1.to_bits()));
    assert_eq!(folded(build_binary, a, b), binary64(doubles.0, doubles.1));
}

/// Division by a constant power of two builds another term.
#[rebut::test(cases = 300)]
fn constant_operands_do_not_change_results(
    #[from(singles())] a: f32,
    #[from(one_of![singles(), integers::<i32>().in_range(-149..=127).map(|n| 2f32.powi(n))])]
    b: f32,
) {
    let mut pool = Pool::new();
    let (x, constant) = (pool.var("x", Sort::BitVec(32)), pool.f32(b));
    let built = build_binary(&mut pool, x, constant);
    let model = Model::new([(x, bits(32, a.to_bits()))]);
    let values = model.evaluate_all(&pool, &built).expect("values of all terms");
    assert_eq!(values, binary32(a, b));
}

#[rebut::test(cases = 600)]
fn unary_operations_match_the_machine(
    #[from(singles())] single: f32,
    #[from(doubles())] double: f64,
) {
    static TERMS: std::sync::LazyLock<[Terms; 2]> = std::sync::LazyLock::new(|| {
        [32, 64].map(|width| {
            Terms::new(width, |pool, a, _| UNARY.iter().map(|(f, ..)| f(pool, a)).collect())
        })
    });
    let mut wanted: Vec<Value> = UNARY.iter().map(|(_, f, _)| canonical32(f(single))).collect();
    // Only the sign of a NaN changes.
    wanted[5] = bits(32, single.abs().to_bits());
    wanted[6] = bits(32, (-single).to_bits());
    let a = bits(32, single.to_bits());
    assert_eq!(TERMS[0].values(a.clone(), a), wanted);
    let mut wanted: Vec<Value> = UNARY.iter().map(|(.., f)| canonical64(f(double))).collect();
    wanted[5] = bits(64, double.abs().to_bits());
    wanted[6] = bits(64, (-double).to_bits());
    let a = bits(64, double.to_bits());
    assert_eq!(TERMS[1].values(a.clone(), a), wanted);
}

#[rebut::test(cases = 600)]
fn promote_and_demote_match_the_machine(
    #[from(singles())] single: f32,
    #[from(one_of![doubles(), near_ties_of_singles()])] double: f64,
) {
    let mut pool = Pool::new();
    let (x, y) = (pool.var("x", Sort::BitVec(32)), pool.var("y", Sort::BitVec(64)));
    let built = [pool.float_promote(x), pool.float_demote(y)];
    let model = Model::new([(x, bits(32, single.to_bits())), (y, bits(64, double.to_bits()))]);
    let values = model.evaluate_all(&pool, &built).expect("values of both");
    assert_eq!(values, [canonical64(single.into()), canonical32(double as f32)]);
}

#[rebut::test(cases = 600)]
fn floats_from_integers_match_the_machine(narrow: u32, #[from(integers_near_powers())] wide: u64) {
    fn build(pool: &mut Pool, a: Term, _: Term) -> Vec<Term> {
        let signed = [32, 64].map(|width| pool.float_from_signed(width, a));
        let unsigned = [32, 64].map(|width| pool.float_from_unsigned(width, a));
        [signed, unsigned].concat()
    }
    static TERMS: std::sync::LazyLock<[Terms; 2]> =
        std::sync::LazyLock::new(|| [32, 64].map(|width| Terms::new(width, build)));
    let a = bits(32, narrow);
    let wanted = [
        canonical32(narrow as i32 as f32),
        canonical64((narrow as i32).into()),
        canonical32(narrow as f32),
        canonical64(narrow.into()),
    ];
    assert_eq!(TERMS[0].values(a.clone(), a), wanted);
    let a = bits(64, wide);
    let wanted = [
        canonical32(wide as i64 as f32),
        canonical64(wide as i64 as f64),
        canonical32(wide as f32),
        canonical64(wide as f64),
    ];
    assert_eq!(TERMS[1].values(a.clone(), a), wanted);
}

/// Builds all conversions to integers.
fn build_to_integers(pool: &mut Pool, a: Term, _: Term) -> Vec<Term> {
    let mut built = Vec::new();
    for width in [32, 64] {
        built.push(pool.float_to_signed_saturating(width, a));
        built.push(pool.float_to_unsigned_saturating(width, a));
        built.push(pool.float_to_signed_traps(width, a));
        built.push(pool.float_to_unsigned_traps(width, a));
        built.push(pool.float_to_signed(width, a));
        built.push(pool.float_to_unsigned(width, a));
    }
    built
}

/// Compares with Rust's saturating casts. 128 bits are enough to see what does not fit.
#[track_caller]
fn check_to_integers(values: &[Value], number: f64) {
    let saturated = [
        bits(32, number as i32 as u32),
        bits(32, number as u32),
        bits(64, number as i64 as u64),
        bits(64, number as u64),
    ];
    let whole = number.trunc() as i128;
    let fits = [
        i32::try_from(whole).is_ok(),
        u32::try_from(whole).is_ok(),
        i64::try_from(whole).is_ok(),
        u64::try_from(whole).is_ok(),
    ];
    for (n, (saturated, fits)) in saturated.into_iter().zip(fits).enumerate() {
        let (first, which) = (n / 2 * 6, n % 2);
        let fits = fits && !number.is_nan();
        assert_eq!(values[first + which], saturated, "{number} {n}");
        assert_eq!(values[first + 2 + which], Value::Bool(!fits), "{number} {n}");
        if fits {
            assert_eq!(values[first + 4 + which], saturated, "{number} {n}");
        }
    }
}

#[rebut::test(cases = 600)]
fn integers_from_floats_match_the_machine(
    #[from(singles())] single: f32,
    #[from(one_of![doubles(), near_limits_of_integers()])] double: f64,
    is_negative: bool,
) {
    static TERMS: std::sync::LazyLock<[Terms; 2]> =
        std::sync::LazyLock::new(|| [32, 64].map(|width| Terms::new(width, build_to_integers)));
    let a = bits(32, single.to_bits());
    check_to_integers(&TERMS[0].values(a.clone(), a), single.into());
    let double = if is_negative { -double } else { double };
    let a = bits(64, double.to_bits());
    check_to_integers(&TERMS[1].values(a.clone(), a), double);
}

/// Expected results are written out here, not computed by the machine.
#[test]
fn ties_go_to_the_even_neighbor() {
    let check = |a: f32, b: f32, sum: f32| {
        let values =
            folded(|pool, a, b| vec![pool.float_add(a, b)], canonical32(a), canonical32(b));
        assert_eq!(values, [canonical32(sum)], "{a} + {b}");
    };
    check(16_777_216.0, 1.0, 16_777_216.0);
    check(16_777_218.0, 1.0, 16_777_220.0);
    check(f32::MAX, 1.014_120_5e31, f32::INFINITY);
    check(f32::MAX, 1.014_120_4e31, f32::MAX);
    check(f32::from_bits(1), f32::from_bits(0x007f_ffff), f32::MIN_POSITIVE);
    check(1.5, -1.5, 0.0);
    check(-0.0, -0.0, -0.0);
}

#[test]
#[should_panic(expected = "a float is a bit-vector of 32 or 64 bits, not of 16")]
fn other_widths_panic() {
    let mut pool = Pool::new();
    let x = pool.var("x", Sort::BitVec(16));
    pool.float_add(x, x);
}
