//! Checks that rewriting changes no value, and that important shapes collapse.

use rebut::any;
use rebut::prelude::*;

use crate::pool::Rewrites;
use crate::testing::Recipe;
use crate::{Bits, Model, Pool, Sort, Term, Value};

/// Assigns values to the variables of recipes.
fn model(pool: &mut Pool, width: u32, seed: &[u8; 8]) -> Model {
    let mut model = Model::default();
    for (name, byte) in ["x", "y", "z"].iter().zip(seed) {
        let variable = pool.var(name, Sort::BitVec(width));
        model.set(variable, Value::Bits(Bits::new(width, u128::from(*byte))));
    }
    for (name, byte) in ["m", "n"].iter().zip(&seed[3..]) {
        let variable = pool.var(name, Sort::Int);
        model.set(variable, Value::Int(i128::from(*byte as i8)));
    }
    for (name, byte) in ["p", "q"].iter().zip(&seed[5..]) {
        let variable = pool.var(name, Sort::Bool);
        model.set(variable, Value::Bool(byte % 2 == 1));
    }
    model
}

/// Builds a recipe in a pool and computes its value for several assignments.
fn values(pool: &mut Pool, bytes: &[u8], width: u32, seeds: &[[u8; 8]]) -> Vec<Option<Value>> {
    let mut recipe = Recipe::new(bytes, width, true);
    let term: Term = recipe.boolean(pool, 5);
    let value = |seed: &[u8; 8]| {
        let model = model(pool, width, seed);
        model.evaluate(pool, term).ok()
    };
    seeds.iter().map(value).collect()
}

fn agrees(rewrites: Rewrites, bytes: &[u8], width: u32, seeds: &[[u8; 8]]) -> bool {
    let plain = values(&mut Pool::without_rewrites(), bytes, width, seeds);
    let rewritten = values(&mut Pool::with_rewrites(rewrites), bytes, width, seeds);
    // A value that is too large to compute may become computable, but not the other way round.
    plain.iter().zip(&rewritten).all(|(plain, rewritten)| plain.is_none() || plain == rewritten)
}

#[rebut::test(cases = 5_000)]
fn rewriting_preserves_values(
    #[from(vecs(any::<u8>()).max_size(60))] bytes: Vec<u8>,
    #[from(integers().min_value(1).max_value(6))] width: u32,
    #[from(vecs(any::<[u8; 8]>()).min_size(1).max_size(8))] seeds: Vec<[u8; 8]>,
) {
    assert!(agrees(Rewrites::All, &bytes, width, &seeds));
}

#[test]
fn a_wrong_rewrite_is_noticed() {
    let report = rebut::Check::new("canary").cases(20_000).seed(1).run(|case| {
        let bytes = case.draw(vecs(any::<u8>()).max_size(60));
        let seeds = case.draw(vecs(any::<[u8; 8]>()).min_size(1).max_size(8));
        agrees(Rewrites::Wrong, &bytes, 4, &seeds)
    });
    assert!(!report.verdict.is_success(), "{report}");
}

/// Checks that a term is rewritten to another.
#[track_caller]
fn becomes(build: impl FnOnce(&mut Pool) -> (Term, Term)) {
    let (built, wanted) = build(&mut Pool::new());
    assert_eq!(built, wanted);
}

#[test]
fn comparison_as_a_number_collapses_to_the_comparison() {
    becomes(|pool| {
        let (x, y) = (pool.var("x", Sort::BitVec(32)), pool.var("y", Sort::BitVec(32)));
        let less = pool.bv_slt(x, y);
        let (one, zero) = (pool.bits(32, 1), pool.bits(32, 0));
        let number = pool.ite(less, one, zero);
        (pool.ne(number, zero), less)
    });
}

#[test]
fn bytes_of_a_word_reassemble_to_the_word() {
    becomes(|pool| {
        let x = pool.var("x", Sort::BitVec(32));
        let mut word = pool.bits(32, 0);
        for byte in 0..4 {
            let part = pool.extract(byte * 8 + 7, byte * 8, x);
            let wide = pool.zero_extend(24, part);
            let places = pool.bits(32, u128::from(byte) * 8);
            let shifted = pool.bv_shl(wide, places);
            word = pool.bv_or(word, shifted);
        }
        (word, x)
    });
}

#[test]
fn mask_of_the_low_byte_compares_only_that_byte() {
    becomes(|pool| {
        let (x, mask) = (pool.var("x", Sort::BitVec(32)), pool.bits(32, 0xff));
        let masked = pool.bv_and(x, mask);
        let wanted = pool.bits(32, 65);
        let byte = pool.extract(7, 0, x);
        let letter = pool.bits(8, 65);
        (pool.eq(masked, wanted), pool.eq(byte, letter))
    });
}

#[test]
fn equation_with_an_odd_factor_is_solved() {
    becomes(|pool| {
        let (x, seven, wanted) =
            (pool.var("x", Sort::BitVec(32)), pool.bits(32, 7), pool.bits(32, 12345));
        let product = pool.bv_mul(x, seven);
        let inverse = pool.bits(32, 12345u32.wrapping_mul(3_067_833_783).into());
        (pool.eq(product, wanted), pool.eq(x, inverse))
    });
}

#[test]
fn linear_comparisons_drop_shared_terms() {
    becomes(|pool| {
        let (m, n) = (pool.var("m", Sort::Int), pool.var("n", Sort::Int));
        let (two, three, four) = (pool.int(2), pool.int(3), pool.int(4));
        let left = pool.mul(two, m);
        let left = pool.sum(&[left, n, three]);
        let right = pool.sum(&[n, four, four]);
        // 2m + n + 3 < n + 8, so 2m < 5, so m < 3.
        (pool.lt(left, right), pool.lt(m, three))
    });
}

#[test]
fn equation_without_integer_solutions_is_false() {
    becomes(|pool| {
        let (m, n) = (pool.var("m", Sort::Int), pool.var("n", Sort::Int));
        let (two, four, seven) = (pool.int(2), pool.int(4), pool.int(7));
        let (a, b) = (pool.mul(two, m), pool.mul(four, n));
        let sum = pool.add(a, b);
        (pool.eq(sum, seven), pool.bool(false))
    });
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut pool = Pool::new();
    let (x, y) = (pool.var("x", Sort::BitVec(32)), pool.var("y", Sort::BitVec(32)));
    let mut term = x;
    for n in 0..100_000 {
        let constant = pool.bits(32, n * 2 + 1);
        let product = pool.bv_mul(term, y);
        term = pool.bv_xor(product, constant);
    }
    let low = pool.extract(7, 0, term);
    let zero = pool.bits(8, 0);
    let claim = pool.eq(low, zero);
    assert!(Model::default().evaluate(&pool, claim).is_ok());
}

#[test]
fn terms_just_below_the_depth_limit_do_not_overflow_the_stack() {
    let mut pool = Pool::new();
    let x = pool.var("x", Sort::BitVec(32));
    let mut term = x;
    let mut value = 0u32;
    for n in 0..400u32 {
        let (flip, add) = (pool.bits(32, (n * 7 + 1).into()), pool.bits(32, (n * 3 + 5).into()));
        term = pool.bv_xor(term, flip);
        term = pool.bv_add(term, add);
        value = (value ^ (n * 7 + 1)).wrapping_add(n * 3 + 5);
        let wanted = pool.bits(32, value.into());
        let claim = pool.eq(term, wanted);
        assert!(Model::default().satisfies(&pool, &[claim]));
    }
}

#[test]
fn small_graph_of_a_huge_tree_is_rewritten_quickly() {
    let mut pool = Pool::new();
    let (x, y) = (pool.var("x", Sort::BitVec(32)), pool.var("y", Sort::BitVec(32)));
    let mut term = x;
    for _ in 0..80 {
        let product = pool.bv_mul(term, term);
        term = pool.bv_sub(product, y);
    }
    let low = pool.extract(7, 0, term);
    let zero = pool.bits(8, 0);
    let claim = pool.eq(low, zero);
    assert!(Model::default().satisfies(&pool, &[claim]));
}

/// Covers remainders as compilers write them, and repeated divisions.
#[rebut::test]
fn compiled_divisions_are_recognized(
    x: u8,
    #[from(integers().min_value(1).max_value(255))] k: u8,
    #[from(integers().min_value(1).max_value(255))] l: u8,
) {
    let mut pool = Pool::new();
    let variable = pool.var("x", Sort::BitVec(8));
    let [divisor, minus, other] = [k, k.wrapping_neg(), l].map(|n| pool.bits(8, u128::from(n)));
    let quotient = pool.bv_udiv(variable, divisor);
    let taken = pool.bv_mul(quotient, divisor);
    let remainder = pool.bv_sub(variable, taken);
    let taken = pool.bv_mul(quotient, minus);
    let same = pool.bv_add(variable, taken);
    let twice = pool.bv_udiv(quotient, other);
    let wide = pool.zero_extend(8, variable);
    let wide_divisor = pool.bits(16, u128::from(k) * 2);
    let narrowed = pool.bv_urem(wide, wide_divisor);
    let model = Model::new([(variable, Value::Bits(Bits::new(8, u128::from(x))))]);
    let value = |term| {
        let value = model.evaluate(&pool, term);
        value.ok().and_then(|value| value.as_bits()).map(Bits::unsigned)
    };
    assert_eq!(value(remainder), Some(u128::from(x % k)));
    assert_eq!(value(same), Some(u128::from(x % k)));
    assert_eq!(value(twice), Some(u128::from(x / k / l)));
    assert_eq!(value(narrowed), Some(u128::from(u16::from(x) % (u16::from(k) * 2))));
    if k % 2 == 1 && k != 1 && k != 255 {
        assert!(matches!(pool.op(remainder), crate::Op::BvUrem));
        assert_eq!(remainder, same);
    }
}

#[test]
fn three_way_comparison_collapses_to_a_comparison() {
    let mut pool = Pool::new();
    let [x, y] = ["x", "y"].map(|name| pool.var(name, Sort::BitVec(8)));
    let (one, zero) = (pool.bits(32, 1), pool.bits(32, 0));
    let (less, more) = (pool.bv_ult(x, y), pool.bv_ult(y, x));
    let (below, above) = (pool.ite(less, one, zero), pool.ite(more, one, zero));
    let compared = pool.bv_sub(above, below);
    let minus_one = pool.bits(32, 0xFFFF_FFFF);
    assert_eq!(pool.eq(compared, one), more);
    assert_eq!(pool.eq(compared, minus_one), less);
    assert_eq!(pool.eq(compared, zero), pool.eq(x, y));
    assert_eq!(pool.bv_slt(compared, zero), less);
    let at_most = pool.bv_sle(compared, zero);
    assert_eq!(at_most, pool.not(more));
}
