//! Compares the whole solver with trying all values.

use rebut::any;
use rebut::prelude::*;

use super::{Options, Solver};
use crate::testing::{Recipe, assignments};
use crate::{Answer, Pool, Rational, Sort, Term, Value};

/// Builds random assertions.
fn assertions(pool: &mut Pool, bytes: &[u8], width: u32, has_ints: bool) -> Vec<Term> {
    let mut recipe = Recipe::new(bytes, width, has_ints);
    let mut assertions = vec![recipe.boolean(pool, 4)];
    while !recipe.is_used_up() && assertions.len() < 6 {
        assertions.push(recipe.boolean(pool, 4));
    }
    assertions
}

fn is_satisfiable(pool: &Pool, assertions: &[Term]) -> bool {
    assignments(pool, assertions, -3..=3).any(|model| model.satisfies(pool, assertions))
}

#[rebut::test(cases = 2_000)]
fn bit_vector_answers_match_enumeration(
    #[from(vecs(any::<u8>()).max_size(80))] bytes: Vec<u8>,
    #[from(integers().min_value(1).max_value(3))] width: u32,
    seed: Option<u64>,
) {
    let mut pool = Pool::new();
    let assertions = assertions(&mut pool, &bytes, width, false);
    let mut solver = Solver::with_options(Options { seed, ..Options::default() });
    let answer = solver.check_assuming(&mut pool, &assertions);
    match answer {
        Answer::Sat(model) => assert!(model.satisfies(&pool, &assertions)),
        Answer::Unsat => assert!(!is_satisfiable(&pool, &assertions)),
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

/// With bounds, everything is decided. Without, answers are at least not wrong.
#[rebut::test(cases = 600)]
fn integer_answers_match_enumeration(
    #[from(vecs(any::<u8>()).max_size(60))] bytes: Vec<u8>,
    is_bounded: bool,
) {
    let mut pool = Pool::new();
    let mut assertions = assertions(&mut pool, &bytes, 2, true);
    if is_bounded {
        let (low, high) = (pool.int(-3), pool.int(3));
        for name in ["m", "n"] {
            let variable = pool.var(name, Sort::Int);
            assertions.extend([pool.le(low, variable), pool.le(variable, high)]);
        }
    }
    let conflicts_max = if is_bounded { u64::MAX } else { 200 };
    let mut solver = Solver::with_options(Options { conflicts_max, seed: None });
    match solver.check_assuming(&mut pool, &assertions) {
        Answer::Sat(model) => assert!(model.satisfies(&pool, &assertions)),
        Answer::Unsat => assert!(!is_satisfiable(&pool, &assertions)),
        Answer::Unknown(reason) => assert!(!is_bounded, "{reason}"),
    }
}

/// A solver with a filled cache decides like a fresh one.
#[rebut::test(cases = 300)]
fn earlier_queries_change_no_answer(
    #[from(vecs(vecs(any::<u8>()).max_size(30)).min_size(1).max_size(12))] recipes: Vec<Vec<u8>>,
) {
    let mut pool = Pool::new();
    let parts: Vec<Vec<Term>> =
        recipes.iter().map(|bytes| assertions(&mut pool, bytes, 3, false)).collect();
    let mut solver = Solver::new();
    for window in parts.windows(2) {
        let query = window.concat();
        let wanted = Solver::new().check_assuming(&mut pool, &query).model().is_some();
        let answer = solver.check_assuming(&mut pool, &query);
        assert_eq!(answer.model().is_some(), wanted);
        if let Answer::Sat(model) = answer {
            assert!(model.satisfies(&pool, &query));
        }
    }
}

#[test]
fn pop_removes_assertions_since_push() {
    let mut pool = Pool::new();
    let p = pool.var("p", Sort::Bool);
    let not_p = pool.not(p);
    let mut solver = Solver::new();
    solver.assert(p);
    solver.push();
    solver.assert(not_p);
    assert_eq!(solver.check(&mut pool), Answer::Unsat);
    solver.pop();
    assert!(solver.check(&mut pool).model().is_some());
}

#[test]
fn unbounded_integers_are_found_or_refuted() {
    let mut pool = Pool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.var(name, Sort::Int));
    let cycle = [pool.lt(x, y), pool.lt(y, z), pool.lt(z, x)];
    assert_eq!(Solver::new().check_assuming(&mut pool, &cycle), Answer::Unsat);

    let million = pool.int(1_000_000);
    let chain = [pool.lt(x, y), pool.lt(million, x)];
    assert!(Solver::new().check_assuming(&mut pool, &chain).model().is_some());

    // x * x = 2 has no solution, and no layer can prove that.
    let (square, two) = (pool.mul(x, x), pool.int(2));
    let root = pool.eq(square, two);
    let Answer::Unknown(reason) = Solver::new().check_assuming(&mut pool, &[root]) else {
        panic!("no proof is known")
    };
    assert!(reason.needs_external());
}

#[test]
fn used_up_budget_is_the_reason() {
    let mut pool = Pool::new();
    let (x, y) = (pool.var("x", Sort::BitVec(64)), pool.var("y", Sort::BitVec(64)));
    let (one, limit) = (pool.bits(64, 1), pool.bits(64, 1 << 32));
    let product = pool.bv_mul(x, y);
    // A product of two primes of 31 bits.
    let wanted = pool.bits(64, 2_147_483_647 * 2_147_483_629);
    let assertions =
        [pool.eq(product, wanted), pool.bv_ult(one, x), pool.bv_ult(x, y), pool.bv_ult(y, limit)];
    let mut solver = Solver::with_options(Options { conflicts_max: 50, ..Options::default() });
    let Answer::Unknown(reason) = solver.check_assuming(&mut pool, &assertions) else {
        panic!("fifty conflicts do not factor this")
    };
    assert!(reason.is_budget());
    assert_eq!(solver.statistics().blasted, 1);
}

#[test]
fn remainder_is_proved_less_than_the_divisor() {
    let mut pool = Pool::new();
    let (x, y) = (pool.var("x", Sort::BitVec(64)), pool.var("y", Sort::BitVec(64)));
    let (zero, rest) = (pool.bits(64, 0), pool.bv_urem(x, y));
    let assertions = [pool.ne(y, zero), pool.bv_ule(y, rest)];
    let mut solver = Solver::with_options(Options { conflicts_max: 100, ..Options::default() });
    assert_eq!(solver.check_assuming(&mut pool, &assertions), Answer::Unsat);
}

#[test]
fn non_boolean_assertion_is_the_reason() {
    let mut pool = Pool::new();
    let number = pool.int(1);
    let Answer::Unknown(reason) = Solver::new().check_assuming(&mut pool, &[number]) else {
        panic!("not a Bool")
    };
    assert_eq!(reason.to_string(), "expected an assertion of sort Bool, found Int");
}

/// Exploration keeps its old value of a variable that the model does not name.
#[test]
fn models_name_every_variable_that_matters() {
    let mut pool = Pool::new();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| pool.var(name, Sort::BitVec(8)));
    let (both, zero) = (pool.bv_and(c, d), pool.bits(8, 0));
    let claims = [pool.ne(a, b), pool.ne(b, c), pool.ne(a, c), pool.eq(both, zero)];
    let mut solver = Solver::new();
    let answer = solver.check_assuming(&mut pool, &claims);
    assert_eq!(solver.statistics().ordered, 1, "{answer:?}");
    assert!(answer.model().is_some_and(|model| model.get(d).is_some()), "{answer:?}");
}

#[test]
fn seeds_give_different_models_to_the_same_query() {
    let mut pool = Pool::new();
    let (x, y) = (pool.var("x", Sort::BitVec(32)), pool.var("y", Sort::BitVec(32)));
    let (limit, sum) = (pool.bits(32, 1 << 30), pool.bv_add(x, y));
    let wanted = pool.bits(32, 123_456_789);
    let assertions = [pool.bv_ult(x, limit), pool.eq(sum, wanted)];
    let mut solver = Solver::with_options(Options { seed: Some(7), ..Options::default() });
    let mut found = std::collections::HashSet::new();
    for _ in 0..20 {
        let answer = solver.check_assuming(&mut pool, &assertions);
        found.extend(answer.model().and_then(|model| model.get(x).cloned()));
    }
    assert!(found.len() >= 18, "{found:?}");
}

#[test]
fn caches_do_not_mix_pools() {
    let mut solver = Solver::new();
    let mut check = |limit: u128| {
        let mut pool = Pool::without_rewrites();
        let (x, limit) = (pool.var("x", Sort::BitVec(4)), pool.bits(4, limit));
        let claim = pool.bv_ult(x, limit);
        (claim, solver.check_assuming(&mut pool, &[claim]))
    };
    let (first, possible) = check(1);
    let (second, impossible) = check(0);
    assert_eq!(first, second);
    assert!(possible.model().is_some());
    assert_eq!(impossible, Answer::Unsat);
}

#[test]
fn reals_are_found_but_never_refuted() {
    let third = Rational::new(1, 3).expect("a fraction");
    let mut pool = Pool::new();
    let (x, y) = (pool.var("x", Sort::Real), pool.var("y", Sort::Real));
    let (seven, one) = (pool.real(Rational::whole(7)), pool.real(Rational::whole(1)));
    let third = pool.real(third);
    let (product, sum) = (pool.mul(seven, x), pool.add(x, y));
    let claims = [pool.eq(product, one), pool.lt(sum, third), pool.lt(x, y)];
    let answer = Solver::new().check_assuming(&mut pool, &claims);
    assert_eq!(
        answer.model().and_then(|model| model.get(x)),
        Some(&Value::Real(Rational::new(1, 7).expect("a fraction")))
    );

    let (half, next) = (pool.real(Rational::new(1, 2).expect("a half")), pool.to_int(x));
    let next = pool.to_real(next);
    let next = pool.add(next, half);
    let minus = pool.neg(seven);
    let claims = [pool.eq(x, next), pool.lt(x, minus)];
    assert!(Solver::new().check_assuming(&mut pool, &claims).model().is_some());

    let square = pool.mul(x, x);
    let claims = [pool.eq(square, seven)];
    let answer = Solver::with_options(Options { conflicts_max: 2_000, seed: None })
        .check_assuming(&mut pool, &claims);
    assert!(matches!(answer, Answer::Unknown(_)));
}

#[test]
fn reason_names_the_unsupported_assertion() {
    let mut pool = Pool::new();
    let (x, n) = (pool.var("x", Sort::BitVec(8)), pool.var("n", Sort::Int));
    let (three, text) = (pool.bits(8, 3), pool.str_from_int(n));
    let wanted = pool.string("12");
    let claims = [pool.bv_ult(x, three), pool.str_prefix_of(wanted, text)];
    let Answer::Unknown(reason) = Solver::new().check_assuming(&mut pool, &claims) else {
        panic!("this operator is not known here")
    };
    assert!(reason.needs_external());
    assert_eq!(reason.assertion(), Some(claims[1]));
    assert_eq!(
        reason.to_string(),
        "the embedded solver does not support this for String; an SMT-LIB solver may"
    );
}

#[test]
fn dependent_strings_are_found_and_readable() {
    let mut pool = Pool::new();
    let [user, host, mail] = ["user", "host", "mail"].map(|name| pool.var(name, Sort::String));
    let at = pool.string("@");
    let (letters, ending) = (pool.re_range('a', 'z'), pool.string(".example"));
    let (word, ending) = (pool.re_plus(letters), pool.re_literal(ending));
    let host_form = pool.re_concat(&[word, ending]);
    let joined = pool.str_concat(&[user, at, host]);
    let (length, limit) = (pool.str_len(mail), pool.int(24));
    let claims = [
        pool.in_re(user, word),
        pool.in_re(host, host_form),
        pool.eq(mail, joined),
        pool.eq(length, limit),
    ];
    let mut solver = Solver::with_options(Options { seed: Some(5), ..Options::default() });
    let Answer::Sat(model) = solver.check_assuming(&mut pool, &claims) else {
        panic!("there are such texts")
    };
    let mail = model.get(mail).and_then(Value::as_str).expect("a text");
    assert!(mail.len() == 24 && mail.ends_with(".example"), "{mail}");
}

/// The example of the module documentation.
#[test]
fn each_group_is_answered_by_its_own_layer() {
    let mut pool = Pool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.var(name, Sort::BitVec(32)));
    let [one, three, limit, wanted] = [1, 3, 100, 35].map(|number| pool.bits(32, number));
    let product = pool.bv_mul(y, z);
    let claims = [
        pool.bv_ult(x, three),
        pool.eq(product, wanted),
        pool.bv_ult(one, y),
        pool.bv_ult(y, limit),
    ];
    let mut solver = Solver::new();
    assert!(solver.check_assuming(&mut pool, &claims).model().is_some());
    let statistics = solver.statistics();
    assert_eq!((statistics.groups, statistics.ranged, statistics.blasted), (2, 1, 1));
}
