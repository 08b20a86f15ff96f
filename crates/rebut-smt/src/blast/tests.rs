//! Compares the bit-blaster with the evaluator on all small values.

use rebut::any;
use rebut::prelude::*;

use crate::blast::{Blast, BlastResult};
use crate::op::Op;
use crate::pool::TermMap;
use crate::range::Interval;
use crate::{Bits, Pool, Sort, Term, Value};

/// Solves assertions, with `Int`s between -20 and 20.
fn solve(pool: &Pool, assertions: &[Term], seed: Option<u64>) -> Option<crate::Model> {
    let variables = pool.variables(assertions);
    let bounds: TermMap<Interval> =
        variables.iter().map(|term| (*term, Interval { min: -20, max: 20 })).collect();
    let blast = Blast {
        pool,
        conflicts_max: u64::MAX,
        seed,
        bounds: &bounds,
        denominator: 1,
        length_max: 4,
    };
    match blast.solve(assertions).0 {
        BlastResult::Sat(model) => Some(model),
        BlastResult::Unsat => None,
        BlastResult::Unknown(reason) => panic!("{reason}"),
    }
}

/// Applies an operator to values: returns the results of the blaster and of the evaluator.
fn apply(op: Op, args: &[Value], seed: u64) -> (Value, Value) {
    let mut pool = Pool::without_rewrites();
    let mut assertions = Vec::new();
    let mut variables = Vec::new();
    for (n, value) in args.iter().enumerate() {
        let variable = pool.var(&format!("x{n}"), value.sort());
        let constant = pool.constant(value.clone());
        assertions.push(pool.eq(variable, constant));
        variables.push(variable);
    }
    let term = pool.apply(op, &variables).expect("sorts that fit");
    let sort = pool.sort(term);
    let result = pool.var("result", sort);
    assertions.push(pool.eq(result, term));
    let bounds: TermMap<Interval> = pool
        .variables(&assertions)
        .into_iter()
        .map(|variable| (variable, Interval { min: -200, max: 200 }))
        .collect();
    let blast = Blast {
        pool: &pool,
        conflicts_max: u64::MAX,
        seed: Some(seed),
        bounds: &bounds,
        denominator: 1,
        length_max: 4,
    };
    let BlastResult::Sat(model) = blast.solve(&assertions).0 else { panic!("{op} {args:?}") };
    let wanted = model.evaluate(&pool, term).expect("a value");
    (model.get(result).expect("a value").clone(), wanted)
}

#[track_caller]
fn check(op: Op, args: &[Value]) {
    let (found, wanted) = apply(op, args, 1);
    assert_eq!(found, wanted, "{op} {args:?}");
}

fn bits(width: u32, number: u128) -> Value {
    Value::Bits(Bits::new(width, number))
}

#[test]
fn unary_operators_agree_on_all_words_of_up_to_four_bits() {
    for width in 1..=4 {
        for number in 0..1 << width {
            let word = [bits(width, number)];
            check(Op::BvNot, &word);
            check(Op::BvNeg, &word);
            check(Op::BvToInt, &word);
            check(Op::SignExtend(3), &word);
            for (high, low) in (0..width).flat_map(|high| (0..=high).map(move |low| (high, low))) {
                check(Op::Extract { high, low }, &word);
            }
        }
    }
}

#[test]
fn binary_operators_agree_on_all_pairs_of_words() {
    let operators = [
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvAdd,
        Op::BvSub,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
        Op::BvSmod,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvUlt,
        Op::BvSlt,
        Op::Eq,
        Op::Concat,
    ];
    for width in [1, 3, 4] {
        for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
            for op in operators {
                check(op, &[bits(width, a), bits(width, b)]);
            }
        }
    }
}

#[test]
fn squares_agree_on_all_words_of_up_to_six_bits() {
    for width in 1..=6 {
        let mut pool = Pool::without_rewrites();
        let x = pool.var("x", Sort::BitVec(width));
        let square = pool.bv_mul(x, x);
        let result = pool.var("result", Sort::BitVec(width));
        for number in 0..1 << width {
            let constant = pool.bits(width, number);
            let assertions = [pool.eq(x, constant), pool.eq(result, square)];
            let model = solve(&pool, &assertions, None).expect("a square");
            assert_eq!(model.get(result), Some(&bits(width, number * number)));
        }
    }
}

/// The divisor is known to be nonzero and to have few bits, so the circuit is smaller.
#[test]
fn division_by_a_partly_known_divisor_agrees() {
    let mut pool = Pool::without_rewrites();
    let (x, y) = (pool.var("x", Sort::BitVec(5)), pool.var("y", Sort::BitVec(2)));
    let top = pool.bits(3, 1);
    let divisor = pool.concat(top, y);
    let (quotient, rest) = (pool.bv_udiv(x, divisor), pool.bv_urem(x, divisor));
    let results = ["q", "r"].map(|name| pool.var(name, Sort::BitVec(5)));
    for (a, b) in (0..32).flat_map(|a| (0..4).map(move |b| (a, b))) {
        let (dividend, low) = (pool.bits(5, a), pool.bits(2, b));
        let assertions = [
            pool.eq(x, dividend),
            pool.eq(y, low),
            pool.eq(results[0], quotient),
            pool.eq(results[1], rest),
        ];
        let model = solve(&pool, &assertions, None).expect("a quotient");
        let found = results.map(|result| model.get(result).cloned());
        assert_eq!(found, [a / (4 + b), a % (4 + b)].map(|number| Some(bits(5, number))));
    }
}

#[test]
fn multiplication_by_a_constant_agrees() {
    let mut pool = Pool::without_rewrites();
    let x = pool.var("x", Sort::BitVec(5));
    for (factor, value) in (0..32).flat_map(|a| (0..32).map(move |b| (a, b))) {
        let (constant, wanted) = (pool.bits(5, factor), pool.bits(5, value));
        let product = pool.bv_mul(x, constant);
        let result = pool.var("result", Sort::BitVec(5));
        let assertions = [pool.eq(x, wanted), pool.eq(result, product)];
        let model = solve(&pool, &assertions, None).expect("a product");
        assert_eq!(model.get(result), Some(&bits(5, factor * value)));
    }
}

#[test]
fn integer_operators_agree_on_all_small_pairs() {
    for (a, b) in (-6..=6).flat_map(|a| (-6..=6).map(move |b| (a, b))) {
        let pair = [Value::Int(a), Value::Int(b)];
        for op in [Op::Add, Op::Mul, Op::IntDiv, Op::IntMod, Op::Lt, Op::Eq] {
            check(op, &pair);
        }
        check(Op::IntToBv(3), &pair[..1]);
        check(Op::Ite, &[Value::Bool(a < b), Value::Int(a), Value::Int(b)]);
        check(Op::Distinct, &[Value::Int(a), Value::Int(b), Value::Int(0)]);
    }
}

#[test]
fn seeds_spread_models() {
    let mut pool = Pool::new();
    let x = pool.var("x", Sort::BitVec(32));
    let limit = pool.bits(32, 4_000_000_000);
    let assertion = pool.bv_ult(x, limit);
    let found: std::collections::HashSet<Value> = (0..20)
        .filter_map(|seed| solve(&pool, &[assertion], Some(seed))?.get(x).cloned())
        .collect();
    assert!(found.len() >= 19, "{found:?}");
}

/// Generates a claim about two strings and a number.
fn string_claim(case: &mut rebut::Case, pool: &mut Pool) -> Term {
    let mut choose = |count: usize| case.draw(integers::<usize>().max_value(count - 1));
    let (s, t) = (pool.var("s", Sort::String), pool.var("t", Sort::String));
    let n = pool.var("n", Sort::Int);
    let texts = ["", "a", "b", "ba", "abc", "1", "07", "Z"].map(|text| pool.string(text));
    let numbers = [-1, 0, 1, 2, 3].map(|number| pool.int(number));
    let (a, b) = ([s, t, s][choose(3)], [s, t, texts[choose(8)]][choose(3)]);
    let number = [n, numbers[choose(5)]][choose(2)];
    let made = match choose(6) {
        0 => a,
        1 => pool.str_concat(&[b, a]),
        2 => pool.str_at(a, number),
        3 => pool.str_substr(a, number, numbers[choose(5)]),
        4 => pool.str_replace(a, b, texts[choose(8)]),
        _ => {
            let before = pool.str_lt(a, b);
            pool.ite(before, a, b)
        }
    };
    let counted = match choose(4) {
        0 => pool.str_len(made),
        1 => pool.str_index_of(made, b, number),
        2 => pool.str_to_code(made),
        _ => pool.str_to_int(made),
    };
    let letters = pool.re_range('a', 'c');
    let any = pool.re_allchar();
    let word = pool.re_literal(texts[choose(8)]);
    let repeated = pool.re_loop(choose(3) as u32, 3, letters);
    let star = pool.re_star(any);
    let regex = match choose(4) {
        0 => pool.re_concat(&[repeated, word]),
        1 => pool.re_concat(&[star, word, star]),
        2 => pool.re_comp(word),
        _ => {
            let plus = pool.re_plus(letters);
            let both = pool.re_union(&[plus, word]);
            pool.re_inter(&[both, star])
        }
    };
    match choose(7) {
        0 => pool.eq(made, b),
        1 => pool.str_prefix_of(b, made),
        2 => pool.str_suffix_of(b, made),
        3 => pool.str_contains(made, b),
        4 => pool.str_lt(made, b),
        5 => pool.in_re(made, regex),
        _ => pool.eq(counted, number),
    }
}

/// Claims that are true of hidden strings are satisfiable, and the model satisfies them.
#[test]
fn satisfiable_string_claims_have_models() {
    let report = rebut::Check::new("texts").cases(800).seed(3).run(|case| {
        let mut pool = Pool::without_rewrites();
        let letters = || vecs(integers::<u8>().min_value(b'0').max_value(b'd')).max_size(4);
        let text = |case: &mut rebut::Case| {
            Value::from(&*String::from_utf8(case.draw(letters())).expect("ASCII"))
        };
        let (s, t) = (text(case), text(case));
        let n = case.draw(integers::<i8>().min_value(-2).max_value(6));
        let hidden = crate::Model::new([
            (pool.var("s", Sort::String), s),
            (pool.var("t", Sort::String), t),
            (pool.var("n", Sort::Int), Value::Int(n.into())),
        ]);
        let count = case.draw(integers::<usize>().min_value(1).max_value(5));
        let claims: Vec<Term> = (0..count)
            .map(|_| {
                let claim = string_claim(case, &mut pool);
                let holds = hidden.satisfies(&pool, &[claim]);
                if holds { claim } else { pool.not(claim) }
            })
            .collect();
        let seed = case.draw(any::<Option<u64>>());
        solve(&pool, &claims, seed).is_some_and(|model| model.satisfies(&pool, &claims))
    });
    assert!(report.verdict.is_success(), "{report}");
}
