//! Checks that printed scripts are read back, and that any behavior of a solver is handled.

use std::time::Duration;

use rebut::any;
use rebut::prelude::*;

use super::{Process, Status, print_script, print_term, print_value, read_script};
use crate::testing::{Recipe, assignments};
use crate::{Answer, Model, Pool, Rational, Solver, Sort, Term, Value};

#[rebut::test(cases = 1_000)]
fn printed_scripts_are_read_as_the_same_terms(
    #[from(vecs(any::<u8>()).max_size(80))] bytes: Vec<u8>,
    #[from(integers().min_value(1).max_value(9))] width: u32,
) {
    let mut pool = Pool::new();
    let mut recipe = Recipe::new(&bytes, width, true).without_tables();
    let assertions = [recipe.boolean(&mut pool, 5), recipe.boolean(&mut pool, 5)];
    let script = print_script(&pool, &assertions);
    let read = read_script(&mut pool, &script).expect(&script);
    // Printed divisions are guarded, so their terms differ, but not their values.
    let same = |(wanted, found): (&Term, &Term)| {
        let model = Model::default();
        wanted == found || model.evaluate(&pool, *wanted) == model.evaluate(&pool, *found)
    };
    assert!(assertions.iter().zip(&read.queries[0].assertions).all(same), "{script}");
    if !script.contains("(ite (= ") {
        assert_eq!(read.queries[0].assertions, assertions, "{script}");
    }
}

/// A lookup is printed as `ite`s, so its terms differ, but not their values.
#[rebut::test(cases = 300)]
fn printed_lookups_have_the_values_of_the_table(
    #[from(vecs(any::<u8>()).max_size(40))] bytes: Vec<u8>,
    #[from(integers().min_value(1).max_value(3))] width: u32,
) {
    let mut pool = Pool::new();
    let assertion = Recipe::new(&bytes, width, false).boolean(&mut pool, 4);
    let script = print_script(&pool, &[assertion]);
    let read = read_script(&mut pool, &script).expect(&script);
    let found = read.queries[0].assertions[0];
    for model in assignments(&pool, &[assertion], 0..=0) {
        assert_eq!(model.evaluate(&pool, assertion), model.evaluate(&pool, found), "{script}");
    }
}

#[rebut::test]
fn reading_any_text_never_panics(text: &str) {
    let _ = read_script(&mut Pool::new(), text);
}

/// Combines pieces of the language in any order.
#[rebut::test(cases = 2_000)]
fn reading_any_script_never_panics(
    #[from(vecs(integers::<usize>().max_value(WORDS.len() - 1)).max_size(40))] words: Vec<usize>,
) {
    let text: String = words.iter().map(|word| format!("{} ", WORDS[*word])).collect();
    let _ = read_script(&mut Pool::new(), &text);
}

const WORDS: [&str; 32] = [
    "(",
    ")",
    "(",
    ")",
    "(",
    ")",
    "assert",
    "(assert (",
    "))",
    "declare-const",
    "x",
    "Int",
    "(declare-const x (_ BitVec 4))",
    "(declare-const s String)",
    "define-fun",
    "let",
    "_",
    "extract",
    "0",
    "200",
    "bvadd",
    "(_ bv3 4)",
    "#x1",
    "\"a\"",
    "|",
    "re.loop",
    "str.len",
    "(check-sat)",
    "(pop 1)",
    "-",
    "/",
    "concat",
];

#[track_caller]
fn fails(script: &str, wanted: &str) {
    let error = read_script(&mut Pool::new(), script).expect_err("an error");
    assert_eq!(error.to_string(), wanted);
}

#[test]
fn errors_in_scripts_have_a_position() {
    fails("(assert x)", "1:9: `x` is not declared");
    fails("\n (assert (not 1))", "2:10: `not` takes one Bool, not Int");
    fails(
        "(assert (bvadd #x1 #x12))",
        "1:9: `bvadd` takes two bit-vectors of one width, not (_ BitVec 4), (_ BitVec 8)",
    );
    fails("(assert true", "1:1: this `(` is never closed");
    fails("(declare-fun f (Int) Int)", "1:16: only functions without parameters can be declared");
    fails("(pop 1)", "1:1: this `pop` has no `push`");
    fails("(declare-const x (_ BitVec 200))", "1:18: bit-vectors have 1 to 128 bits here");
    fails(&format!("(assert {}", "(not ".repeat(100_000)), "1:1284: this nests too deep");
}

#[test]
fn definitions_lets_and_levels_are_read() {
    let mut pool = Pool::new();
    let script = read_script(
        &mut pool,
        "(declare-fun x () Int)
         (define-fun twice ((n Int)) Int (+ n n))
         (assert (let ((x 1) (y x)) (< (twice y) (- 5))))
         (push 1)
         (assert (> x 0)) ; cannot be
         (set-info :status unsat)
         (check-sat)
         (pop 1)
         (set-info :status sat)
         (check-sat)",
    );
    let script = script.expect("a script");
    for query in script.queries {
        let answer = Solver::new().check_assuming(&mut pool, &query.assertions);
        match query.status {
            Some(Status::Sat) => assert!(matches!(answer, Answer::Sat(_)), "{answer:?}"),
            _ => assert_eq!(answer, Answer::Unsat),
        }
    }
}

#[test]
fn doubling_definitions_are_rejected() {
    let mut script = String::from("(define-fun f0 ((n Int)) Int (+ n 1))\n");
    for n in 1..64 {
        script += &format!("(define-fun f{n} ((n Int)) Int (+ (f{} n) (f{} n)))\n", n - 1, n - 1);
    }
    script += "(assert (= 0 (f63 1)))";
    let error = read_script(&mut Pool::new(), &script).expect_err("too much");
    assert!(error.to_string().ends_with("definitions are used too often"), "{error}");
}

#[test]
fn names_are_quoted_if_necessary() {
    let mut pool = Pool::new();
    let names = ["x", "a b", "let", "bvadd", "", "1st", "a|b", "a_b", "größe"];
    let variables = names.map(|name| pool.var(name, Sort::Bool));
    let other = pool.var("x", Sort::Int);
    let one = pool.int(1);
    let mut assertions = variables.to_vec();
    assertions.push(pool.lt(one, other));
    let script = print_script(&pool, &assertions);
    let declared: Vec<&str> =
        script.lines().filter(|line| line.starts_with("(declare-const")).collect();
    assert_eq!(
        declared,
        [
            "(declare-const x Bool)",
            "(declare-const |a b| Bool)",
            "(declare-const |let!| Bool)",
            "(declare-const |bvadd!| Bool)",
            "(declare-const |!| Bool)",
            "(declare-const |1st| Bool)",
            "(declare-const a_b Bool)",
            "(declare-const a_b!2 Bool)",
            "(declare-const gr__e Bool)",
            "(declare-const x!2 Int)",
        ]
    );
    assert!(read_script(&mut Pool::new(), &script).is_ok());
}

#[test]
fn values_round_trip() {
    let third = Rational::new(-1, 3).expect("a fraction");
    for (value, written) in [
        (Value::Int(-5), "(- 5)"),
        (Value::Int(i128::MIN + 1), "(- 170141183460469231731687303715884105727)"),
        (Value::Real(third), "(- (/ 1.0 3.0))"),
        (Value::Bits(crate::Bits::new(8, 10)), "#x0a"),
        (Value::Bits(crate::Bits::new(3, 2)), "#b010"),
        (Value::from("a\"\\u{41}ß\n"), "\"a\"\"\\u{5c}u{41}\\u{df}\\u{a}\""),
    ] {
        assert_eq!(print_value(&value), written);
        let sexpr = super::sexpr::parse(written).expect("an expression").remove(0);
        assert_eq!(super::value::read_value(&sexpr, value.sort()), Some(value));
    }
    for (written, number) in [("(_ bv5 8)", 5), ("#xff", 255), ("#b00000001", 1)] {
        let sexpr = super::sexpr::parse(written).expect("an expression").remove(0);
        let bits = super::value::read_bits(&sexpr).expect("bits");
        assert_eq!((bits.width(), bits.unsigned()), (8, number));
    }
}

/// Queries a solver that a shell script simulates.
#[cfg(unix)]
fn simulate(script: &str, time_max: Duration) -> Answer {
    let mut pool = Pool::new();
    let (x, ten) = (pool.var("x", Sort::Int), pool.int(10));
    let claim = pool.lt(ten, x);
    let args = vec!["-c".to_owned(), script.to_owned()];
    let mut process = Process::with_args("sh", args).time_max(time_max);
    process.check(&pool, &[claim])
}

#[cfg(unix)]
#[track_caller]
fn is_unknown(script: &str, wanted: &str) {
    // Long, for a busy machine, unless the test expects a timeout.
    let time_max = if wanted.ends_with("100ms") { 100 } else { 60_000 };
    match simulate(script, Duration::from_millis(time_max)) {
        Answer::Unknown(reason) => assert_eq!(reason.to_string(), wanted),
        answer => panic!("{answer:?}"),
    }
}

#[cfg(unix)]
#[test]
fn misbehaving_solvers_give_unknown() {
    is_unknown("exit 3", "the solver `sh` ended without an answer");
    is_unknown(
        "echo out of memory >&2; exit 3",
        "the solver `sh` ended without an answer; its output: out of memory",
    );
    is_unknown("exec sleep 60", "the solver did not answer within 100ms");
    is_unknown("echo hello there", "the solver `sh` returned an invalid answer: hello");
    is_unknown("echo '(((('; exec sleep 60", "the solver did not answer within 100ms");
    is_unknown("printf '((((' ", "the solver `sh` returned an invalid answer: ((((");
    is_unknown("exec yes", "the solver `sh` returned an invalid answer: y");
    is_unknown(
        "printf '\\377\\376 \\000'",
        "the solver `sh` returned an invalid answer: \u{fffd}\u{fffd}",
    );
    is_unknown(
        "echo '(error \"line 1: what?\")'",
        "the solver `sh` returned an invalid answer: \"line 1: what?\"",
    );
    is_unknown(
        "echo unknown; echo '(:reason-unknown \"incomplete\")'; exec sleep 60",
        "the solver answered `unknown`: \"incomplete\"",
    );
    is_unknown(
        "echo sat; echo '((x 3))'; exec sleep 60",
        "the solver returned values that do not satisfy the assertions",
    );
    is_unknown(
        "echo sat; echo '((x true))'; exec sleep 60",
        "the solver `sh` returned an unsupported value for `x`: true",
    );
    is_unknown(
        "echo sat; echo '(x)'; exec sleep 60",
        "the solver `sh` returned an invalid answer: x",
    );
}

#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(60);

#[cfg(unix)]
#[test]
fn behaving_solvers_decide() {
    let Answer::Sat(model) = simulate("echo success; echo sat; echo '((x 11))'; cat >&2", PATIENCE)
    else {
        panic!("eleven is more than ten")
    };
    assert_eq!(model.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>(), [Value::Int(11)]);
    assert_eq!(simulate("echo unsat; cat >&2", PATIENCE), Answer::Unsat);
}

#[cfg(unix)]
#[test]
fn queries_with_a_common_start_send_only_what_is_new() {
    let mut pool = Pool::new();
    let x = pool.var("x", Sort::Int);
    let claims: Vec<Term> = (0..3)
        .map(|n| {
            let bound = pool.int(n);
            pool.ne(x, bound)
        })
        .collect();
    // Answers each query with `unsat`, and copies its input to standard error.
    let script = "while read line; do \
                  echo \"$line\" >&2; [ \"$line\" = '(check-sat)' ] && echo unsat; done";
    let file = std::env::temp_dir().join(format!("rebut-smt-{}", std::process::id()));
    let received = file.with_extension("told");
    let script = format!("({script}) 2> '{}'", received.display());
    let mut process = Process::with_args("sh", vec!["-c".to_owned(), script]);
    for question in [&claims[..1], &claims[..2], &claims[1..]] {
        assert_eq!(process.check(&pool, question), Answer::Unsat);
    }
    let text = std::fs::read_to_string(&received).expect("the received lines");
    std::fs::remove_file(&received).expect("it is there");
    let commands: Vec<&str> = text.lines().filter(|line| !line.is_empty()).skip(3).collect();
    assert_eq!(
        commands,
        [
            "(push 1)",
            "(declare-const x Int)",
            "(assert (not (= x 0)))",
            "(check-sat)",
            "(push 1)",
            "(assert (not (= x 1)))",
            "(check-sat)",
            "(pop 2)",
            "(push 1)",
            "(declare-const x Int)",
            "(assert (not (= x 1)))",
            "(assert (not (= x 2)))",
            "(check-sat)",
        ]
    );
}

#[test]
fn terms_print_in_smtlib_syntax() {
    let mut pool = Pool::new();
    let (x, seven) = (pool.var("x", Sort::BitVec(8)), pool.bits(8, 7));
    let sum = pool.bv_add(x, seven);
    assert_eq!(print_term(&pool, sum), "(bvadd x #x07)");
}
