//! Compares the embedded solver and the evaluator with z3 and cvc5.
#![expect(clippy::print_stderr, reason = "prints what a solver does not know")]

use std::cell::{Cell, RefCell};

use rebut::any;
use rebut::prelude::*;
use rebut_smt::smtlib::{Process, read_script};
use rebut_smt::{Answer, Model, Op, Options, Pool, Solver, Sort, Term, Value};

/// Returns the installed solvers, and reports the others as missing.
fn solvers() -> Vec<Process> {
    let mut found = Vec::new();
    for program in ["z3", "cvc5"] {
        let mut process = Process::new(program);
        let mut pool = Pool::new();
        let claim = pool.bool(true);
        match process.check(&pool, &[claim]) {
            Answer::Unknown(reason) => rebut_testkit::missing(program, &reason.to_string()),
            _ => found.push(process),
        }
    }
    found
}

/// Whether both decided, and differently.
fn contradict(a: &Answer, b: &Answer) -> bool {
    matches!((a, b), (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_)))
}

const BINARY: [Op; 14] = [
    Op::BvAdd,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvSub,
    Op::BvMul,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
];

fn bits(case: &mut rebut::Case, pool: &mut Pool, depth: u32) -> Term {
    if depth == 0 || case.draw(integers::<u8>().max_value(4)) == 0 {
        return match case.draw(integers::<u8>().max_value(4)) {
            0 => {
                let number = case.draw(any::<u8>());
                pool.bits(8, number.into())
            }
            n => pool.var(["x", "y", "z", "w"][usize::from(n - 1)], Sort::BitVec(8)),
        };
    }
    let op = BINARY[case.draw(integers::<usize>().max_value(BINARY.len() - 1))];
    let (a, b) = (bits(case, pool, depth - 1), bits(case, pool, depth - 1));
    pool.apply(op, &[a, b]).expect("sorts that fit")
}

fn ints(case: &mut rebut::Case, pool: &mut Pool, depth: u32) -> Term {
    match case.draw(integers::<u8>().max_value(if depth == 0 { 2 } else { 7 })) {
        0 => {
            let number = case.draw(integers::<i16>().min_value(-100).max_value(100));
            pool.int(number.into())
        }
        1 => pool.var("m", Sort::Int),
        2 => pool.var("n", Sort::Int),
        3 | 4 => {
            let (a, b) = (ints(case, pool, depth - 1), ints(case, pool, depth - 1));
            pool.add(a, b)
        }
        5 => {
            let factor = case.draw(integers::<i8>().min_value(-9).max_value(9));
            let (factor, a) = (pool.int(factor.into()), ints(case, pool, depth - 1));
            pool.mul(factor, a)
        }
        op => {
            let op = if op == 6 { Op::IntDiv } else { Op::IntMod };
            let (a, b) = (ints(case, pool, depth - 1), ints(case, pool, depth - 1));
            pool.apply(op, &[a, b]).expect("two numbers")
        }
    }
}

fn claim(case: &mut rebut::Case, pool: &mut Pool) -> Term {
    let kind = case.draw(integers::<u8>().max_value(6));
    let term = match kind {
        0..=3 => {
            let (a, b) = (bits(case, pool, 2), bits(case, pool, 2));
            match kind {
                0 => pool.eq(a, b),
                1 => pool.bv_ult(a, b),
                2 => pool.bv_slt(a, b),
                _ => {
                    let (c, d) = (bits(case, pool, 1), bits(case, pool, 1));
                    let (first, second) = (pool.eq(a, b), pool.bv_ult(c, d));
                    pool.or(first, second)
                }
            }
        }
        _ => {
            let (a, b) = (ints(case, pool, 2), ints(case, pool, 2));
            if kind == 4 { pool.eq(a, b) } else { pool.lt(a, b) }
        }
    };
    if case.draw(any::<bool>()) { pool.not(term) } else { term }
}

#[test]
fn random_formulas_have_the_same_answer() {
    let solvers = RefCell::new(solvers());
    if solvers.borrow().is_empty() {
        return;
    }
    let cases = std::env::var("REBUT_SMT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let report = rebut::Check::new("embedded and external agree").cases(cases).run(|case| {
        let mut pool = Pool::new();
        let count = case.draw(integers::<usize>().min_value(1).max_value(6));
        let mut claims: Vec<Term> = (0..count).map(|_| claim(case, &mut pool)).collect();
        let (low, high) = (pool.int(-200), pool.int(200));
        for name in ["m", "n"] {
            let variable = pool.var(name, Sort::Int);
            claims.extend([pool.le(low, variable), pool.le(variable, high)]);
        }
        let options = Options { conflicts_max: 5_000, ..Options::default() };
        let ours = Solver::with_options(options).check_assuming(&mut pool, &claims);
        let mut solvers = solvers.borrow_mut();
        solvers.iter_mut().all(|solver| !contradict(&ours, &solver.check(&pool, &claims)))
    });
    assert!(report.verdict.is_success(), "{report}");
}

/// Generates terms of constants without rewriting.
struct ConstantTerms<'a> {
    case: &'a mut rebut::Case,
    pool: Pool,
}

impl ConstantTerms<'_> {
    fn choose(&mut self, count: usize) -> usize {
        self.case.draw(integers::<usize>().max_value(count - 1))
    }

    fn apply(&mut self, op: Op, args: &[Term]) -> Term {
        self.pool.apply(op, args).expect("sorts that fit")
    }

    fn text(&mut self, depth: u32) -> Term {
        if depth == 0 || self.choose(2) == 0 {
            let texts = ["", "a", "b", "ab", "aba", "0", "12", "é", "\u{1f600}", "\\", "\"", "-1"];
            let text = texts[self.choose(texts.len())];
            return self.pool.string(text);
        }
        match self.choose(7) {
            0 => {
                let parts = [(); 3].map(|()| self.text(depth - 1));
                self.apply(Op::StrConcat, &parts)
            }
            1 => {
                let args = [self.text(depth - 1), self.number(depth - 1)];
                self.apply(Op::StrAt, &args)
            }
            2 => {
                let args = [self.text(depth - 1), self.number(depth - 1), self.number(depth - 1)];
                self.apply(Op::StrSubstr, &args)
            }
            3 => {
                let args = [(); 3].map(|()| self.text(depth - 1));
                self.apply(Op::StrReplace, &args)
            }
            4 => {
                let number = self.number(depth - 1);
                self.apply(Op::StrFromInt, &[number])
            }
            5 => {
                let number = self.number(depth - 1);
                self.apply(Op::StrFromCode, &[number])
            }
            _ => {
                let (condition, a, b) = (self.boolean(depth - 1), self.text(0), self.text(0));
                self.pool.ite(condition, a, b)
            }
        }
    }

    fn number(&mut self, depth: u32) -> Term {
        if depth == 0 || self.choose(2) == 0 {
            let number = self.case.draw(integers::<i8>().min_value(-3).max_value(100));
            return self.pool.int(number.into());
        }
        match self.choose(8) {
            0 => {
                let text = self.text(depth - 1);
                self.apply(Op::StrLen, &[text])
            }
            1 => {
                let text = self.text(depth - 1);
                self.apply(Op::StrToInt, &[text])
            }
            2 => {
                let text = self.text(depth - 1);
                self.apply(Op::StrToCode, &[text])
            }
            3 => {
                let args = [self.text(depth - 1), self.text(depth - 1), self.number(depth - 1)];
                self.apply(Op::StrIndexOf, &args)
            }
            4 | 5 => {
                let op = if self.choose(2) == 0 { Op::IntDiv } else { Op::IntMod };
                let args = [self.number(depth - 1), self.number(depth - 1)];
                self.apply(op, &args)
            }
            6 => {
                let real = self.real(depth - 1);
                self.apply(Op::ToInt, &[real])
            }
            _ => {
                let args = [self.number(depth - 1), self.number(depth - 1)];
                self.apply(Op::Mul, &args)
            }
        }
    }

    fn real(&mut self, depth: u32) -> Term {
        let number = self.number(depth.saturating_sub(1));
        let real = self.apply(Op::ToReal, &[number]);
        if depth == 0 {
            return real;
        }
        let other = self.real(depth - 1);
        let op = [Op::Add, Op::Mul, Op::RealDiv][self.choose(3)];
        self.apply(op, &[real, other])
    }

    fn regex(&mut self, depth: u32) -> Term {
        if depth == 0 || self.choose(3) == 0 {
            return match self.choose(5) {
                0 => self.apply(Op::ReAllChar, &[]),
                1 => self.pool.re_range('a', 'b'),
                2 => self.apply(Op::ReAll, &[]),
                _ => {
                    let text = self.text(0);
                    self.apply(Op::ReLiteral, &[text])
                }
            };
        }
        let pair = [self.regex(depth - 1), self.regex(depth - 1)];
        match self.choose(6) {
            0 => self.apply(Op::ReConcat, &pair),
            1 => self.apply(Op::ReUnion, &pair),
            2 => self.apply(Op::ReInter, &pair),
            3 => self.apply(Op::ReComp, &pair[..1]),
            4 => self.apply(Op::ReStar, &pair[..1]),
            _ => {
                let (min, max) = (self.choose(3) as u32, self.choose(4) as u32);
                self.apply(Op::ReLoop { min, max }, &pair[..1])
            }
        }
    }

    fn boolean(&mut self, depth: u32) -> Term {
        match self.choose(6) {
            0 => {
                let op = [Op::StrPrefixOf, Op::StrSuffixOf, Op::StrContains][self.choose(3)];
                let args = [self.text(depth), self.text(depth)];
                self.apply(op, &args)
            }
            1 => {
                let args = [self.text(depth), self.text(depth)];
                self.apply(Op::StrLt, &args)
            }
            2 | 3 => {
                let args = [self.text(depth), self.regex(depth)];
                self.apply(Op::InRe, &args)
            }
            4 => {
                let args = [self.real(depth), self.real(depth)];
                self.apply(Op::Lt, &args)
            }
            _ => {
                let args = [self.number(depth), self.number(depth)];
                self.apply(Op::Eq, &args)
            }
        }
    }
}

/// The evaluator judges all other code here, so other solvers judge the evaluator.
#[test]
fn constant_terms_have_the_same_value() {
    let solvers = RefCell::new(solvers());
    if solvers.borrow().is_empty() {
        return;
    }
    let cases = std::env::var("REBUT_SMT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let (asked, decided) = (Cell::new(0), Cell::new(0));
    let report = rebut::Check::new("constants are evaluated alike").cases(cases).run(|case| {
        let mut generator = ConstantTerms { case, pool: Pool::without_rewrites() };
        let term = match generator.choose(4) {
            0 => generator.text(3),
            1 => generator.number(3),
            2 => generator.real(2),
            _ => generator.boolean(2),
        };
        let mut pool = generator.pool;
        let Ok(value) = Model::default().evaluate(&pool, term) else { return true };
        let constant = pool.constant(value);
        let differs = pool.ne(term, constant);
        let mut solvers = solvers.borrow_mut();
        asked.set(asked.get() + solvers.len());
        solvers.iter_mut().all(|solver| match solver.check(&pool, &[differs]) {
            Answer::Sat(_) => false,
            Answer::Unsat => {
                decided.set(decided.get() + 1);
                true
            }
            // A wrong model means that the solver sees a difference where the evaluator sees none.
            Answer::Unknown(reason) => !reason.is_wrong_model(),
        })
    });
    assert!(report.verdict.is_success(), "{report}");
    assert!(decided.get() * 10 >= asked.get() * 9, "only {} of {}", decided.get(), asked.get());
}

/// Queries that need an external solver: strings, reals and unbounded integers.
const QUESTIONS: [(&str, &str); 9] = [
    (
        "sat",
        "(declare-const s String) (assert (str.in_re s (re.+ (re.range \"a\" \"f\")))) \
             (assert (= (str.len s) 7)) (assert (str.contains s \"fade\"))",
    ),
    ("sat", "(declare-const s String) (assert (= s (str.++ \"\\u{e9}\" \"\\u{1f600}\" \"\"\"\")))"),
    ("sat", "(declare-const s String) (assert (= (str.to_int s) 42)) (assert (= (str.len s) 5))"),
    (
        "unsat",
        "(declare-const s String) (assert (str.prefixof \"ab\" s)) \
               (assert (str.in_re s (re.* (re.union (str.to_re \"b\") (str.to_re \"c\")))))",
    ),
    (
        "sat",
        "(declare-const x Real) (declare-const y Real) \
             (assert (= (* 3.0 x) 1.0)) (assert (< y (- x)))",
    ),
    ("sat", "(declare-const x Real) (assert (= (to_int x) (- 4))) (assert (not (= x (- 4.0))))"),
    ("unsat", "(declare-const x Int) (assert (= (* x x) 2))"),
    (
        "sat",
        "(declare-const x Int) (declare-const y Int) (assert (= (div x y) 5)) \
             (assert (= (mod x y) 3)) (assert (< y (- 3)))",
    ),
    (
        "sat",
        "(declare-const b (_ BitVec 9)) (declare-const n Int) \
             (assert (= n (* 3 (bv2nat b)))) (assert (= ((_ int2bv 9) n) (_ bv5 9)))",
    ),
];

#[test]
fn external_solvers_decide_what_the_embedded_one_cannot() {
    for mut solver in solvers() {
        for (wanted, script) in QUESTIONS {
            let mut pool = Pool::new();
            let script = format!("{script} (check-sat)");
            let read = read_script(&mut pool, &script).expect(&script);
            let assertions = &read.queries[0].assertions;
            let answer = solver.check(&pool, assertions);
            match (&answer, wanted) {
                (Answer::Sat(model), "sat") => assert!(model.satisfies(&pool, assertions)),
                (Answer::Unsat, "unsat") => {}
                // A solver may answer `unknown`, but not with a wrong model.
                (Answer::Unknown(reason), _) => {
                    assert!(!reason.is_wrong_model(), "{} {script}", solver.program());
                    eprintln!("{}: {reason}: {script}", solver.program());
                }
                _ => panic!("{} {script}: {answer:?}", solver.program()),
            }
        }
    }
}

#[test]
fn solver_combines_embedded_and_external_answers() {
    let Some(process) = solvers().into_iter().next() else { return };
    let mut pool = Pool::new();
    let mut solver = Solver::new();
    solver.set_external(process);
    let (s, x) = (pool.var("s", Sort::String), pool.var("x", Sort::BitVec(8)));
    let (n, three, wanted) = (pool.str_to_int(s), pool.bits(8, 3), pool.string("70"));
    let text = pool.str_from_int(n);
    let claims = [pool.str_contains(text, wanted), pool.bv_ult(x, three)];
    let Answer::Sat(model) = solver.check_assuming(&mut pool, &claims) else {
        panic!("there are such numbers")
    };
    assert!(matches!(model.get(s), Some(Value::String(text)) if text.contains("70")));
    assert_eq!(solver.statistics().external, 1);
}
