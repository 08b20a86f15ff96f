//! Compares the laws of random automata with their behavior on all inputs.

use rebut::prelude::*;
use rebut_choice::{Choice, ChoiceKind, Domain, Role, Tape, Token};
use rebut_concolic::{
    Budget, DecisionKind, Failure, Input, Leaf, Observation, ObservedValue, Outcome, Step,
};
use rebut_smt::{Pool, Sort, Term};

use super::evaluator::Plain::{self, Number};
use super::evaluator::is_true;
use super::*;

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
    let number = |term: Term| ("u8", Some(ObservedValue::Number { term, is_signed: false }));
    let call = ("()", (!panics).then(|| ObservedValue::Tuple(Vec::new())));
    let mut observed = match automaton.is_open {
        true => vec![number(argument), number(x), number(y), call, number(later), number(y)],
        false => vec![number(argument), number(x), call, number(later)],
    };
    if panics {
        let call = observed.iter().position(|(_, value)| value.is_none()).expect("the call");
        observed.truncate(call + 1);
    }
    let inputs: Vec<(Term, i128)> = variables.iter().copied().zip(numbers).collect();
    leaf_with(&inputs, observed, panics.then_some("too much"))
}

/// Returns the end of a run: its inputs, the observed values with their types, and the message of
/// the panic, if there is one.
pub(super) fn leaf_with(
    inputs: &[(Term, i128)],
    observed: Vec<(&str, Option<ObservedValue>)>,
    panic: Option<&str>,
) -> Leaf {
    let domain =
        Domain { min: 0, max: 15, origin: 0, kind: ChoiceKind::Integer, role: Role::Value };
    let choice = |(_, number): &(Term, i128)| Token::Choice(Choice { number: *number, domain });
    let input = |(variable, number): &(Term, i128)| Input {
        variable: *variable,
        is_signed: false,
        number: *number,
    };
    let failure = |message: &str| Failure {
        message: message.to_owned(),
        file: "x.rs".into(),
        line: 1,
        column: 1,
    };
    let observations = (0..).zip(observed).map(|(slot, (type_name, value))| Observation {
        slot,
        type_name: type_name.to_owned(),
        value,
    });
    Leaf {
        tape: Tape::new(inputs.iter().map(choice).collect()),
        outcome: panic.map_or(Outcome::Passed, |message| Outcome::Failed(failure(message))),
        covered: Vec::new(),
        observations: observations.collect(),
        inputs: inputs.iter().map(input).collect(),
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
