//! Compares inference with direct evaluation: the meaning of each template, and the laws of random
//! automata on all inputs.

use rebut::prelude::*;
use rebut_choice::{Choice, ChoiceKind, Domain, Role, Tape, Token};
use rebut_concolic::{
    Budget, DecisionKind, Failure, Input, Leaf, Observation, ObservedValue, Outcome, Step,
};
use rebut_smt::{Pool, Sort, Term, Value};

use super::claim::{Meaning, World};
use super::view::{Tags, View};
use super::*;

/// A concrete value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Plain {
    Number(i128),
    Boolean(bool),
    List(Vec<i128>),
    Maybe(Option<i128>),
    Unit,
}

use Plain::{Boolean, List, Maybe, Number};

/// Returns the value of an expression, as Rust would compute it; `None` where Rust would panic.
fn value(expr: &Expr, slots: &[Plain]) -> Option<Plain> {
    let number = |slot: u32| match slots[slot as usize] {
        Number(number) => number,
        _ => panic!("no number"),
    };
    let list = |slot: u32| match &slots[slot as usize] {
        List(list) => list.clone(),
        _ => panic!("no list"),
    };
    let item = |expr: &Expr| match value(expr, slots) {
        Some(Number(number)) => number,
        _ => panic!("no number"),
    };
    let place = |slot: u32| usize::try_from(number(slot)).ok();
    let edited = |slot: u32, edit: &dyn Fn(&mut Vec<i128>) -> Option<()>| {
        let mut list = list(slot);
        edit(&mut list).map(|()| List(list))
    };
    Some(match expr {
        Expr::Slot(slot) => slots[*slot as usize].clone(),
        Expr::Number(number) => Number(*number),
        Expr::Least(_) => Number(0),
        Expr::Greatest(_) => Number(255),
        Expr::Linear { slot, times, plus } => Number(number(*slot) * times + plus),
        Expr::Sum(a, b) => Number(number(*a) + number(*b)),
        Expr::Difference(a, b) => Number(number(*a) - number(*b)),
        Expr::Holding(_, held) => Maybe(Some(item(held))),
        Expr::Length(slot) => Number(list(*slot).len() as i128),
        Expr::Appended(slot, value) => edited(*slot, &|list| {
            list.push(item(value));
            Some(())
        })?,
        Expr::Prepended(slot, value) => edited(*slot, &|list| {
            list.insert(0, item(value));
            Some(())
        })?,
        Expr::WithoutLast(slot) => edited(*slot, &|list| list.pop().map(|_| ()))?,
        Expr::WithoutFirst(slot) => edited(*slot, &|list| {
            if list.is_empty() {
                return None;
            }
            list.remove(0);
            Some(())
        })?,
        Expr::Inserted { into, at, item: value } => edited(*into, &|list| {
            let at = place(*at).filter(|at| *at <= list.len())?;
            list.insert(at, item(value));
            Some(())
        })?,
        Expr::Removed { from, at } => edited(*from, &|list| {
            let at = place(*at).filter(|at| *at < list.len())?;
            list.remove(at);
            Some(())
        })?,
        Expr::Updated { of, at, item: value } => edited(*of, &|list| {
            *list.get_mut(place(*at)?)? = item(value);
            Some(())
        })?,
        Expr::Reversed(slot) => edited(*slot, &|list| {
            list.reverse();
            Some(())
        })?,
        Expr::Truncated(slot, to) => edited(*slot, &|list| {
            list.truncate(place(*to)?);
            Some(())
        })?,
        Expr::First(slot) => Maybe(list(*slot).first().copied()),
        Expr::Last(slot) => Maybe(list(*slot).last().copied()),
        Expr::Empty => List(Vec::new()),
    })
}

/// Whether a claim is true.
fn is_true(claim: &Claim, slots: &[Plain], panics: bool) -> bool {
    let compared = |a: &Expr, b: &Expr, how: &dyn Fn(&Plain, &Plain) -> bool| match (
        value(a, slots),
        value(b, slots),
    ) {
        (Some(a), Some(b)) => how(&a, &b),
        _ => false,
    };
    let ordered = |a: &Expr, b: &Expr, how: &dyn Fn(i128, i128) -> bool| {
        compared(a, b, &|a, b| match (a, b) {
            (Number(a), Number(b)) => how(*a, *b),
            _ => panic!("no numbers"),
        })
    };
    let list = |slot: u32| match &slots[slot as usize] {
        List(list) => list.clone(),
        _ => panic!("no list"),
    };
    let contains = |slot: u32, item: &Expr| match value(item, slots) {
        Some(Number(item)) => list(slot).contains(&item),
        _ => panic!("no number"),
    };
    match claim {
        Claim::Panics(_) => panics,
        Claim::Boolean(slot, holds) => slots[*slot as usize] == Boolean(*holds),
        Claim::Same(a, b) => compared(a, b, &|a, b| a == b),
        Claim::Different(a, b) => compared(a, b, &|a, b| a != b),
        Claim::Less(a, b) => ordered(a, b, &|a, b| a < b),
        Claim::AtMost(a, b) => ordered(a, b, &|a, b| a <= b),
        Claim::Is(slot, name) => {
            matches!(&slots[*slot as usize], Maybe(held) if held.is_some() == (name == "Some"))
        }
        Claim::IsNot(slot, name) => {
            matches!(&slots[*slot as usize], Maybe(held) if held.is_some() != (name == "Some"))
        }
        Claim::Contains(slot, item) => contains(*slot, item),
        Claim::Lacks(slot, item) => !contains(*slot, item),
        Claim::StartsWith(whole, part) => list(*whole).starts_with(&list(*part)),
        Claim::SameElements(a, b) => {
            let (mut a, mut b) = (list(*a), list(*b));
            a.sort_unstable();
            b.sort_unstable();
            a == b
        }
        Claim::Iff(a, b) => is_true(a, slots, panics) == is_true(b, slots, panics),
    }
}

/// Returns the value as a probe observes it.
fn seen(pool: &mut Pool, plain: &Plain) -> ObservedValue {
    let number = |pool: &mut Pool, number: i128| ObservedValue::Number {
        term: pool.bits(8, number as u128),
        is_signed: false,
    };
    match plain {
        Number(n) => number(pool, *n),
        Boolean(truth) => ObservedValue::Boolean(pool.bits(8, u128::from(*truth))),
        List(list) => ObservedValue::Sequence(list.iter().map(|n| number(pool, *n)).collect()),
        Maybe(None) => ObservedValue::Variant("None".into(), Vec::new()),
        Maybe(Some(n)) => ObservedValue::Variant("Some".into(), vec![number(pool, *n)]),
        Plain::Unit => ObservedValue::Tuple(Vec::new()),
    }
}

// The slots of the world in which claims are evaluated: two lists, two numbers, an option and a
// boolean.
const LISTS: [u32; 2] = [0, 1];
const NUMBERS: [u32; 2] = [2, 3];
const OPTION: u32 = 4;
const BOOLEAN: u32 = 5;

/// Returns claims that cover each template.
fn all_claims() -> Vec<Claim> {
    let slot = Expr::Slot;
    let boxed = |slot: u32| Box::new(Expr::Slot(slot));
    let [list, other] = LISTS;
    let [number, at] = NUMBERS;
    let lists = [
        slot(other),
        Expr::Empty,
        Expr::Appended(other, boxed(number)),
        Expr::Prepended(other, boxed(number)),
        Expr::WithoutLast(other),
        Expr::WithoutFirst(other),
        Expr::Inserted { into: other, at, item: boxed(number) },
        Expr::Removed { from: other, at },
        Expr::Updated { of: other, at, item: boxed(number) },
        Expr::Reversed(other),
        Expr::Truncated(other, at),
    ];
    let numbers = [
        slot(at),
        Expr::Number(2),
        Expr::Least(at),
        Expr::Greatest(at),
        Expr::Linear { slot: at, times: 2, plus: -3 },
        Expr::Sum(number, at),
        Expr::Difference(number, at),
        Expr::Length(list),
    ];
    let options =
        [Expr::Holding("Some".into(), boxed(number)), Expr::First(list), Expr::Last(list)];
    let mut claims = vec![
        Claim::Boolean(BOOLEAN, true),
        Claim::Boolean(BOOLEAN, false),
        Claim::Is(OPTION, "Some".into()),
        Claim::IsNot(OPTION, "Some".into()),
        Claim::Contains(list, slot(number)),
        Claim::Lacks(list, slot(number)),
        Claim::StartsWith(list, other),
        Claim::SameElements(list, other),
        Claim::Iff(
            Box::new(Claim::Boolean(BOOLEAN, true)),
            Box::new(Claim::Same(slot(list), Expr::Empty)),
        ),
    ];
    claims.extend(lists.map(|expr| Claim::Same(slot(list), expr)));
    claims.extend(options.map(|expr| Claim::Same(slot(OPTION), expr)));
    for expr in numbers {
        claims.push(Claim::Same(slot(number), expr.clone()));
        claims.push(Claim::Different(slot(number), expr.clone()));
        claims.push(Claim::Less(slot(number), expr.clone()));
        claims.push(Claim::AtMost(expr, slot(number)));
    }
    claims
}

#[rebut::test(cases = 300)]
fn claims_mean_what_rust_computes(
    #[from(vecs(integers().in_range(0..=2)).max_size(3))] list: Vec<u8>,
    #[from(vecs(integers().in_range(0..=2)).max_size(3))] other: Vec<u8>,
    #[from(integers().in_range(0..=4))] number: u8,
    #[from(integers().in_range(0..=4))] at: u8,
    #[from(options(integers().in_range(0..=2)))] option: Option<u8>,
    truth: bool,
) {
    let numbers = |list: Vec<u8>| List(list.into_iter().map(i128::from).collect());
    let slots = [
        numbers(list),
        numbers(other),
        Number(number.into()),
        Number(at.into()),
        Maybe(option.map(i128::from)),
        Boolean(truth),
    ];
    let mut pool = Pool::new();
    let mut tags = Tags::default();
    let views = slots.iter().map(|plain| {
        let seen = seen(&mut pool, plain);
        View::of(&mut pool, &mut tags, &seen)
    });
    let world = World { views: views.collect(), panics: None };
    for claim in all_claims() {
        let mut meaning = Meaning { pool: &mut pool, tags: &tags, world: &world };
        let term = meaning.of(&claim).expect("it makes sense");
        let meant = pool.value(term).and_then(Value::as_bool);
        assert_eq!(meant, Some(is_true(&claim, &slots, false)), "{claim:?}");
    }
}

/// An automaton with two numbers, the second of which may be hidden: what one step does to the
/// first, on both sides of a border.
#[derive(Clone, Debug, Generate)]
struct Automaton {
    #[generate(0..=15)]
    border: u8,
    below: Change,
    above: Change,
    /// Panics if the first number is this one.
    #[generate(options(0..=15))]
    panics_at: Option<u8>,
    /// Whether the second number is observed, too.
    is_open: bool,
}

#[derive(Clone, Copy, Debug, Generate)]
enum Change {
    Stays,
    Grows,
    Doubles,
    TakesArgument,
    TakesOther,
    Is(#[generate(0..=9)] u8),
}

impl Change {
    fn plain(self, x: i128, y: i128, argument: i128) -> i128 {
        match self {
            Change::Stays => x,
            Change::Grows => x + 1,
            Change::Doubles => 2 * x,
            Change::TakesArgument => argument,
            Change::TakesOther => y,
            Change::Is(number) => number.into(),
        }
    }

    fn term(self, pool: &mut Pool, x: Term, y: Term, argument: Term) -> Term {
        let [one, two] = [1, 2].map(|number| pool.bits(8, number));
        match self {
            Change::Stays => x,
            Change::Grows => pool.bv_add(x, one),
            Change::Doubles => pool.bv_mul(x, two),
            Change::TakesArgument => argument,
            Change::TakesOther => y,
            Change::Is(number) => pool.bits(8, number.into()),
        }
    }
}

/// Returns whether the call panics, and the value of each slot.
fn step(automaton: &Automaton, [x, y, argument]: [i128; 3]) -> (bool, Vec<Plain>) {
    let panics = automaton.panics_at.is_some_and(|at| x == i128::from(at));
    let change = if x < i128::from(automaton.border) { automaton.below } else { automaton.above };
    let later = Number(change.plain(x, y, argument));
    let seen = match automaton.is_open {
        true => vec![Number(argument), Number(x), Number(y), Plain::Unit, later, Number(y)],
        false => vec![Number(argument), Number(x), Plain::Unit, later],
    };
    (panics, seen)
}

fn slots(automaton: &Automaton) -> Vec<Slot> {
    let slot =
        |stage: Stage, twin: Option<u32>| Slot { stage, twin, shown_by: None, is_free: false };
    match automaton.is_open {
        true => vec![
            slot(Stage::Argument, None),
            slot(Stage::Before, Some(4)),
            slot(Stage::Before, Some(5)),
            slot(Stage::Call, None),
            slot(Stage::After, Some(1)),
            slot(Stage::After, Some(2)),
        ],
        false => vec![
            slot(Stage::Argument, None),
            slot(Stage::Before, Some(3)),
            slot(Stage::Call, None),
            slot(Stage::After, Some(1)),
        ],
    }
}

/// Returns the exploration of a probe of the automaton.
fn explored(automaton: &Automaton) -> Exploration {
    let mut pool = Pool::new();
    let variables = ["d0", "d1", "d2"].map(|name| pool.var(name, Sort::BitVec(4)));
    let [x, y, argument] = variables.map(|variable| pool.zero_extend(4, variable));
    let mut runs = Vec::new();
    for numbers in (0..16).map(|x| [x, 0, 0]) {
        let (panics, _) = step(automaton, numbers);
        let border = pool.bits(8, automaton.border.into());
        let is_below = pool.bv_ult(x, border);
        let mut ways = vec![(is_below, numbers[0] < i128::from(automaton.border))];
        if let Some(at) = automaton.panics_at {
            let at = pool.bits(8, at.into());
            ways.push((pool.eq(x, at), panics));
        }
        let mut steps = Vec::new();
        for (site, (condition, holds)) in ways.into_iter().enumerate() {
            let condition = if holds { condition } else { pool.not(condition) };
            if pool.value(condition).is_none() {
                steps.push(Step {
                    site: site as u32,
                    condition,
                    kind: DecisionKind::Branch,
                    drawn: 3,
                });
            }
        }
        let change = if numbers[0] < i128::from(automaton.border) {
            automaton.below
        } else {
            automaton.above
        };
        let later = change.term(&mut pool, x, y, argument);
        runs.push((steps, leaf(automaton, &variables, numbers, [argument, x, y, later], panics)));
    }
    Exploration::from_all_runs(pool, runs)
}

fn leaf(
    automaton: &Automaton,
    variables: &[Term; 3],
    numbers: [i128; 3],
    [argument, x, y, later]: [Term; 4],
    panics: bool,
) -> Leaf {
    let number = |term: Term| Some(ObservedValue::Number { term, is_signed: false });
    let unit = (!panics).then(|| ObservedValue::Tuple(Vec::new()));
    let mut shown = match automaton.is_open {
        true => vec![number(argument), number(x), number(y), unit, number(later), number(y)],
        false => vec![number(argument), number(x), unit, number(later)],
    };
    if panics {
        let call = shown.iter().position(Option::is_none).expect("the call");
        shown.truncate(call + 1);
    }
    let observations = shown.into_iter().enumerate().map(|(slot, seen)| Observation {
        slot: slot as u32,
        type_name: if matches!(seen, Some(ObservedValue::Number { .. })) { "u8" } else { "()" }
            .to_owned(),
        value: seen,
    });
    let failure = Failure { message: "too much".into(), file: "x.rs".into(), line: 1, column: 1 };
    let domain =
        Domain { min: 0, max: 15, origin: 0, kind: ChoiceKind::Integer, role: Role::Value };
    Leaf {
        tape: Tape::new(
            numbers.iter().map(|n| Token::Choice(Choice { number: *n, domain })).collect(),
        ),
        outcome: if panics { Outcome::Failed(failure) } else { Outcome::Passed },
        covered: Vec::new(),
        observations: observations.collect(),
        inputs: variables
            .iter()
            .zip(numbers)
            .map(|(variable, number)| Input { variable: *variable, is_signed: false, number })
            .collect(),
    }
}

fn all_inputs() -> impl Iterator<Item = [i128; 3]> {
    (0..16 * 16 * 16).map(|n| [n / 256, n / 16 % 16, n % 16])
}

fn is_guarded(guard: &[Claim], slots: &[Plain]) -> bool {
    guard.iter().all(|part| is_true(part, slots, false))
}

#[rebut::test(cases = 60)]
fn laws_hold_for_all_inputs(automaton: Automaton) {
    let mut exploration = explored(&automaton);
    let all = slots(&automaton);
    let inferred = infer(&mut exploration, &all, &mut Budget::default().solver());
    for input in all_inputs() {
        let (panics, slots) = step(&automaton, input);
        for claim in &inferred.states {
            assert!(is_true(claim, &slots, panics), "{claim:?} of {input:?}");
        }
        for law in &inferred.laws {
            let is_of_panics = matches!(law.claim, Claim::Panics(_));
            if is_guarded(&law.guard, &slots) && (is_of_panics || !panics) {
                assert!(is_true(&law.claim, &slots, panics), "{law:?} of {input:?}");
            }
        }
        if let Some(cases) = &inferred.panics_if {
            let is_predicted = cases.iter().any(|guard| is_guarded(guard, &slots));
            assert_eq!(is_predicted, panics, "{cases:?} of {input:?}");
        }
    }
}

#[rebut::test(cases = 60)]
fn an_automaton_is_deterministic_if_hidden_state_does_not_show(automaton: Automaton) {
    let mut exploration = explored(&automaton);
    let all = slots(&automaton);
    let inferred = infer(&mut exploration, &all, &mut Budget::default().solver());
    let looks_before = |input: [i128; 3]| match automaton.is_open {
        true => input.to_vec(),
        false => vec![input[0], input[2]],
    };
    let mut known: std::collections::HashMap<Vec<i128>, (bool, Option<Plain>)> = Default::default();
    let is_deterministic = all_inputs().all(|input| {
        let (panics, slots) = step(&automaton, input);
        let later = (
            panics,
            (!panics).then(|| slots[all.len() - if automaton.is_open { 2 } else { 1 }].clone()),
        );
        let first = known.entry(looks_before(input)).or_insert_with(|| later.clone());
        *first == later
    });
    assert_eq!(inferred.is_deterministic, is_deterministic);
    assert_eq!(inferred.nondeterminism.is_none(), is_deterministic);
    if let Some(nondeterminism) = &inferred.nondeterminism {
        let inputs = nondeterminism.tapes.clone().map(|tape| {
            let numbers: Vec<i128> = tape.choices().map(|choice| choice.number).collect();
            [numbers[0], numbers[1], numbers[2]]
        });
        assert_eq!(looks_before(inputs[0]), looks_before(inputs[1]));
        let [first, second] = inputs.map(|input| step(&automaton, input));
        assert_ne!(first, second);
    }
}

/// A probe of a counter that grows below 10, stays from 10 on, and panics at 3. Slot 1 is the
/// number before the call, slot 3 that after it.
pub(super) fn counter() -> (Exploration, Vec<Slot>) {
    let automaton = Automaton {
        border: 10,
        below: Change::Grows,
        above: Change::Stays,
        panics_at: Some(3),
        is_open: false,
    };
    (explored(&automaton), slots(&automaton))
}

#[test]
fn laws_of_a_counter_read_naturally() {
    let (mut exploration, slots) = counter();
    let inferred = infer(&mut exploration, &slots, &mut Budget::default().solver());
    assert!(inferred.is_deterministic);
    assert_eq!(inferred.proof, Proof::All);
    let [before, after] = [1, 3].map(Expr::Slot);
    let border = || Expr::Number(10);
    let grown = Expr::Linear { slot: 1, times: 1, plus: 1 };
    let is_three = Claim::Same(before.clone(), Expr::Number(3));
    let expected = [
        (vec![is_three.clone()], Claim::Panics("too much".into())),
        (vec![Claim::Less(before.clone(), border())], Claim::Same(after.clone(), grown)),
        (vec![Claim::AtMost(border(), before.clone())], Claim::Same(after, before)),
    ];
    let laws: Vec<(Vec<Claim>, Claim)> =
        inferred.laws.into_iter().map(|law| (law.guard, law.claim)).collect();
    assert_eq!(laws, expected);
    assert_eq!(inferred.panics_if, Some(vec![vec![is_three]]));
}
