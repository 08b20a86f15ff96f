//! Random specifications: every engine must find as many models as brute force.
//!
//! The native engine lists and searches; the embedded solver and z3 (if it is installed) find one
//! model after the other. Brute force evaluates all combinations of small domains. If the
//! constraint compares keys, the largest set has one model per key; for numbers at a distance,
//! it is found greedily.

use rebut::any;
use rebut::prelude::*;
use rebut_spec::{Coupled, Environment, Finder, Model, Options, Program, Value, Verdict, eval};
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt::Write;
use std::sync::OnceLock;

/// The variables are `a`, `b` and `c` from 0 to 5, and the Booleans `p` and `q`.
#[derive(Clone, Debug, Generate)]
enum Number {
    A,
    B,
    C,
    Small(#[generate(0..=6)] i8),
    Sum(Box<Number>, Box<Number>),
    Difference(Box<Number>, Box<Number>),
    Twice(Box<Number>),
    Distance(Box<Number>, Box<Number>),
    If(Box<Claim>, Box<Number>, Box<Number>),
}

#[derive(Clone, Debug, Generate)]
enum Claim {
    P,
    Q,
    Less(Number, Number),
    Equal(Number, Number),
    Divides(#[generate(2..=3)] i8, Number),
    Not(Box<Claim>),
    Both(Box<Claim>, Box<Claim>),
    Either(Box<Claim>, Box<Claim>),
}

#[derive(Clone, Debug, Generate)]
enum Differ {
    A,
    B,
    P,
    Any,
    AOrB,
    AOrP,
    SumOfAAndB,
    FarA,
}

impl Number {
    fn text(&self) -> String {
        match self {
            Self::A => "a".into(),
            Self::B => "b".into(),
            Self::C => "c".into(),
            Self::Small(number) => number.to_string(),
            Self::Sum(left, right) => format!("(+ {} {})", left.text(), right.text()),
            Self::Difference(left, right) => format!("(- {} {})", left.text(), right.text()),
            Self::Twice(inner) => format!("(* 2 {})", inner.text()),
            Self::Distance(left, right) => format!("(abs (- {} {}))", left.text(), right.text()),
            Self::If(claim, then, otherwise) => {
                format!("(ite {} {} {})", claim.text(), then.text(), otherwise.text())
            }
        }
    }
}

impl Claim {
    fn text(&self) -> String {
        match self {
            Self::P => "p".into(),
            Self::Q => "q".into(),
            Self::Less(left, right) => format!("(< {} {})", left.text(), right.text()),
            Self::Equal(left, right) => format!("(= {} {})", left.text(), right.text()),
            Self::Divides(by, number) => format!("(divisible-by {} {by})", number.text()),
            Self::Not(inner) => format!("(not {})", inner.text()),
            Self::Both(left, right) => format!("(and {} {})", left.text(), right.text()),
            Self::Either(left, right) => format!("(or {} {})", left.text(), right.text()),
        }
    }
}

impl Differ {
    fn text(&self) -> &'static str {
        match self {
            Self::A => "not-equal",
            Self::B => "(relation b not-equal)",
            Self::P => "(relation p not-equal)",
            Self::Any => "never",
            Self::AOrB => "(some-of not-equal (relation b not-equal))",
            Self::AOrP => "(some-of not-equal (relation p not-equal))",
            Self::FarA => "(numeric-distance 2)",
            Self::SumOfAAndB => "(≠ (+ a b) (+ (evaluate a model) (evaluate b model)))",
        }
    }

    /// The key that two models must not share.
    fn key(&self, values: &[i128; 5]) -> Vec<i128> {
        let [a, b, _, p, _] = *values;
        match self {
            Self::A | Self::FarA => vec![a],
            Self::B => vec![b],
            Self::P => vec![p],
            Self::Any => values.to_vec(),
            Self::AOrB => vec![a, b],
            Self::AOrP => vec![a, p],
            Self::SumOfAAndB => vec![a + b],
        }
    }
}

fn specification(claims: &[Claim], differ: &Differ, wide: bool) -> String {
    // Wide variables have the same values, but the bounds are hidden in assertions.
    let kind = if wide { "?Integer" } else { "?(Integer 0 5)" };
    let mut text = format!(
        "(declare a {kind}) (declare b {kind}) (declare c {kind}) (declare p ?Boolean) (declare q ?Boolean)\n"
    );
    if wide {
        text +=
            "(assert (between (+ a 0) 0 5) (between b 0 5) (between (abs (- c 2)) 0 3) (>= c 0))\n";
    }
    for claim in claims {
        let _ = writeln!(text, "(assert {})", claim.text());
    }
    let _ = writeln!(
        text,
        "(generate g 10000 (output a b c p q) (constrain-solutions a {}))",
        differ.text()
    );
    text
}

/// The size of the largest set of models, by brute force.
fn largest(environment: &Environment, differ: &Differ) -> usize {
    let index =
        |name: &str| environment.variables.iter().position(|variable| &*variable.name == name);
    let at: Vec<Option<usize>> = ["a", "b", "c", "p", "q"].into_iter().map(index).collect();
    let mut keys = HashSet::new();
    for number in 0..6 * 6 * 6 * 4_i128 {
        let values =
            [number % 6, number / 6 % 6, number / 36 % 6, number / 216 % 2, number / 432 % 2];
        let mut model = Model(environment.variables.iter().map(|_| Value::Int(0)).collect());
        for (value, at) in values.iter().zip(&at) {
            let Some(at) = at else { continue };
            let is_bool = environment.variables[*at].sort == rebut_spec::ir::Sort::Bool;
            model.0[*at] = if is_bool { Value::Bool(*value == 1) } else { Value::Int(*value) };
        }
        if eval::fault(environment, &model).is_none() {
            keys.insert(differ.key(&values));
        }
    }
    if !matches!(differ, Differ::FarA) {
        return keys.len();
    }
    // For numbers at a distance, taking the least one that is far enough is optimal.
    let mut numbers: Vec<i128> = keys.into_iter().flatten().collect();
    numbers.sort_unstable();
    let mut taken: Vec<i128> = Vec::new();
    for number in numbers {
        if taken.last().is_none_or(|last| number - last >= 2) {
            taken.push(number);
        }
    }
    taken.len()
}

/// Asserts that an engine finds as many models as exist, and proves it.
fn assert_agrees(
    finder: &mut Finder,
    environment: &Environment,
    asked: usize,
    expected: usize,
    text: &str,
) {
    let outcome = match finder.find(environment) {
        Ok(outcome) => outcome,
        Err(refused) => panic!("{refused}\n{text}"),
    };
    assert_eq!(outcome.notes, Vec::<String>::new(), "{text}");
    let found = outcome.models.len();
    match outcome.verdict {
        Verdict::Complete => assert_eq!(found, asked, "{text}"),
        Verdict::Largest => assert_eq!(found, expected, "{text}"),
        Verdict::Unsatisfiable(_) => assert_eq!(0, expected, "{text}"),
        verdict => panic!("{verdict:?}: {found} of {expected}\n{text}"),
    }
}

/// The number of models that a solver is queried for. Arbitrary; more models would only take
/// longer.
const SOLVED_MAX: usize = 13;

fn finder(count: Option<usize>, coupled: Coupled, solver: Option<&str>) -> RefCell<Finder> {
    let solver = solver.map(str::to_owned);
    RefCell::new(Finder::new(Options { count, coupled, solver, ..Options::default() }))
}

thread_local! {
    static NATIVE: RefCell<Finder> = finder(None, Coupled::Auto, None);
    static EMBEDDED: RefCell<Finder> = finder(Some(SOLVED_MAX), Coupled::All, None);
    /// One process for all specifications.
    static Z3: RefCell<Finder> = finder(Some(SOLVED_MAX), Coupled::All, Some("z3"));
}

/// Whether z3 is installed. Without it, the other engines are still compared.
fn has_z3() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| std::process::Command::new("z3").arg("--version").output().is_ok())
}

/// A separate test, because a property cannot report that a part of it does not run: any report
/// counts as a failing input.
#[test]
fn z3_is_among_the_engines() {
    if !has_z3() {
        rebut_testkit::missing("z3", "only the native engine and the embedded solver are compared");
    }
}

#[rebut::test(cases = 500, deadline = "2min")]
fn all_engines_find_as_many_models_as_exist(
    #[from(vecs(any::<Claim>()).max_size(3))] claims: Vec<Claim>,
    differ: Differ,
    wide: bool,
) {
    let text = specification(&claims, &differ, wide);
    let program = Program::parse("random.rebut", &text);
    assume!(!program.has_errors());
    let environment = &program.environments[0];
    let expected = largest(environment, &differ);
    let compare = |finder: &RefCell<Finder>, asked: usize| {
        assert_agrees(&mut finder.borrow_mut(), environment, asked, expected, &text);
    };
    NATIVE.with(|finder| compare(finder, environment.count));
    EMBEDDED.with(|finder| compare(finder, SOLVED_MAX));
    if has_z3() {
        Z3.with(|finder| compare(finder, SOLVED_MAX));
    }
}
