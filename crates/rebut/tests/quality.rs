//! How well failures shrink: to the normal form from every seed, within so many executions.
//!
//! The problems are six of the public shrinking challenge (jlink/shrinking-challenge); the
//! benchmarks have all of them, beside other libraries.

use std::collections::{BTreeMap, BTreeSet};

use rebut::Check;
use rebut::any;
use rebut::prelude::*;
use rebut::report::{FoundBy, Verdict};

const SEEDS: u64 = 20;

/// Inputs for which `holds` is false shrink to the one that is shown as `normal_form`, in at
/// most `executions_max` executions on average. Inputs about
/// which it says nothing are given up.
#[track_caller]
fn check<G: Generator>(
    generator: &G,
    holds: impl Fn(&G::Value) -> Option<bool>,
    normal_form: &str,
    executions_max: u64,
) where
    G::Value: std::fmt::Debug,
{
    let mut executions = 0;
    for seed in 0..SEEDS {
        let check = Check::new("problem").cases(20_000).seed(seed).configure(|settings| {
            settings.failures_max = 1;
            settings.explain = false;
            settings.rejections_max = 1_000;
        });
        let report = check.run(|case| {
            let value = case.draw(generator);
            holds(&value).unwrap_or_else(|| case.reject("unknown"))
        });
        let Verdict::Failed(found) = &report.verdict else { panic!("seed {seed}: {report}") };
        let told = &found[0];
        assert!(matches!(told.found_by, FoundBy::Random(1..)), "seed {seed}: {report}");
        assert!(!told.shrink_gave_up, "seed {seed}: {report}");
        assert_eq!(told.values[0].code, normal_form, "seed {seed}");
        executions += told.shrink_executions;
        let again = Check::new("problem").replay(&told.tape.to_replay_string());
        let again = again.configure(|settings| settings.explain = false).run(|case| {
            let value = case.draw(generator);
            holds(&value).unwrap_or_else(|| case.reject("unknown"))
        });
        let again = &again.verdict.counterexamples()[0].values[0].code;
        assert_eq!(again, normal_form, "seed {seed}, when it is replayed");
    }
    let mean = executions / SEEDS;
    assert!(mean <= executions_max, "{mean} executions are more than {executions_max}");
}

#[test]
fn reverse() {
    let lists = any::<Vec<i64>>();
    check(&lists, |list| Some(list.iter().eq(list.iter().rev())), "[0, 1]", 16);
}

/// What is in a range shrinks toward zero and stays in the range.
#[test]
fn ranges() {
    check(&(100..=100_000,), |(n,)| Some(*n < 300), "(300,)", 40);
    check(&(-100_000..-100,), |(n,)| Some(*n > -300), "(-300,)", 30);
    check(&(-100_000i64..,), |(n,)| Some(*n < 7), "(7,)", 30);
    check(&(..=-12i32,), |(n,)| Some(*n > -100), "(-100,)", 30);
    check(&(2.5..1e9,), |(x,)| Some(*x < 9.5), "(10.0,)", 30);
    check(&('A'..,), |(c,)| Some(*c < 'α'), "('α',)", 30);
    check(&vecs(5..50u8), |list| Some(list.len() < 3), "[5, 5, 5]", 30);
}

#[derive(Clone, Debug, Generate)]
enum Command {
    Add(u8),
    Undo,
}

/// Commands of which one undoes another go together.
#[test]
fn undone() {
    let holds = |commands: &Vec<Command>| {
        let mut kept = Vec::new();
        for command in commands {
            match command {
                Command::Add(n) => kept.push(*n),
                Command::Undo => drop(kept.pop()),
            }
        }
        Some(kept.len() != 2 || commands.len() < 2)
    };
    check(&any::<Vec<Command>>(), holds, "[Add(0), Add(0)]", 24);
}

/// The number of calls of a function becomes small, whichever call has the answer that matters.
#[test]
fn calls() {
    let mut executions = 0;
    for seed in 0..SEEDS {
        let check = Check::new("calls").cases(20_000).seed(seed);
        let report = check.configure(|settings| settings.explain = false).run(|case| {
            let n = case.draw_as("n", any::<u8>());
            let f = case.draw_as("f", any::<rebut::Function<u8, bool>>());
            (0..n).filter(|i| f.call(*i)).count() == 0 || n < 4
        });
        let Verdict::Failed(found) = &report.verdict else { panic!("seed {seed}: {report}") };
        let values: Vec<&str> = found[0].values.iter().map(|value| value.code.as_str()).collect();
        let f = "rebut::Function::new(|x| match x { 3 => true, _ => false })";
        assert_eq!(values, ["4", f], "seed {seed}");
        executions += found[0].shrink_executions;
    }
    assert!(executions / SEEDS <= 60, "{} executions", executions / SEEDS);
}

/// Numbers become small even if the failure depends on a remainder, a bit or a digit.
#[test]
fn irregular_numbers() {
    let check = |holds: fn(u32) -> bool, normal_form, executions_max| {
        check(&(any::<u32>(),), |&(n,)| Some(holds(n)), normal_form, executions_max);
    };
    check(|n| n < 1000 || n % 7 < 5, "(1000,)", 140);
    check(|n| n < 1000 || n % 2 == 1, "(1000,)", 140);
    check(|n| n < 1000 || n % 2 == 0, "(1001,)", 140);
    check(|n| n < 1000 || n % 10 != 7, "(1007,)", 140);
    check(|n| n & 0x10 == 0, "(16,)", 60);
    check(|n| n & 0x1000 == 0, "(4096,)", 140);
    check(|n| n & 0x30 != 0x30, "(48,)", 100);
    check(|n| !n.to_string().contains('7'), "(7,)", 80);
    check(|n| !n.to_string().contains("77"), "(77,)", 140);
    check(|n| n.count_ones() < 5, "(31,)", 140);
    check(|n| n < 100 || n % 3 != 0 || n % 5 != 0, "(105,)", 140);
}

/// Two elements that must be equal are small, though a third is as large as they were.
#[test]
fn equal_neighbors() {
    let is_wrong = |w: &[u8]| w[0] == w[1] && w[2] >= 100;
    let holds = |list: &Vec<u8>| Some(!list.windows(3).any(is_wrong));
    check(&any::<Vec<u8>>(), holds, "[0, 0, 100]", 80);
}

#[derive(Clone, Debug, PartialEq, Generate)]
enum Key {
    Id(u8),
    Name { first: String, last: Option<String> },
}

/// Values that differ are of the same alternative if that is simpler.
#[test]
fn unequal_keys() {
    check(&any::<(Key, Key)>(), |(a, b)| Some(a == b), "(Id(0), Id(1))", 60);
    let holds = |keys: &Vec<Key>| Some(keys.len() < 2 || keys[0] == keys[1]);
    check(&any::<Vec<Key>>(), holds, "[Id(0), Id(1)]", 60);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Generate)]
enum Day {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

/// Collections with more than half of all keys lose what is not needed, whatever key it has.
#[test]
fn maps_of_few_keys() {
    let hours = any::<BTreeMap<Day, u32>>();
    let normal_form = "{Mon: 24}";
    check(&hours, |hours| Some(hours.values().all(|h| *h != 24)), normal_form, 40);
    let flags = any::<BTreeMap<(bool, Option<bool>), u32>>();
    let normal_form = "{(false, None): 24}";
    check(&flags, |flags| Some(flags.values().all(|n| *n != 24)), normal_form, 60);
    // The number makes the inputs too many to enumerate.
    let sets = any::<(BTreeSet<Day>, u32)>();
    check(&sets, |(days, _)| Some(!days.contains(&Day::Sat)), "({Sat}, 0)", 20);
    let both = |days: &BTreeSet<Day>| days.contains(&Day::Sat) && days.contains(&Day::Wed);
    check(&sets, |(days, _)| Some(!both(days)), "({Wed, Sat}, 0)", 30);
    let lists = any::<BTreeMap<u8, Vec<u8>>>();
    let normal_form = format!("{{0: [{}]}}", ["0"; 30].join(", "));
    check(&lists, |lists| Some(lists.values().all(|l| l.len() < 30)), &normal_form, 120);
}

/// No two places of a list of indices into itself point at each other.
#[test]
fn coupling() {
    let holds = |list: &Vec<usize>| {
        let inside = list.iter().all(|&index| index < list.len());
        inside.then(|| !list.iter().enumerate().any(|(i, &j)| j != i && list[j] == i))
    };
    check(&vecs(integers::<usize>().max_value(10)), holds, "[1, 0]", 22);
}

/// An element that was deleted is gone.
#[test]
fn deletion() {
    let holds = |(list, index): &(Vec<i64>, usize)| {
        let element = list.get(*index)?;
        Some(list.iter().filter(|other| *other == element).count() == 1)
    };
    let inputs = (any::<Vec<i64>>(), integers::<usize>().max_value(100));
    check(&inputs, holds, "([0, 0], 0)", 14);
}

#[test]
fn difference_one() {
    let positive = || integers::<i32>().min_value(1);
    let holds = |&(a, b): &(i32, i32)| Some(a < 10 || a.abs_diff(b) != 1);
    check(&(positive(), positive()), holds, "(10, 9)", 50);
}

/// What is wrong with a sum of different weights is shown with the least of the heavier.
#[test]
fn weights() {
    let holds = |&(hours, minutes): &(u32, u32)| Some(minutes_of(hours, minutes).is_some());
    check(&any::<(u32, u32)>(), holds, "(1, 4294967236)", 130);
}

fn minutes_of(hours: u32, minutes: u32) -> Option<u32> {
    hours.checked_mul(60)?.checked_add(minutes)
}

#[derive(Debug, PartialEq, Generate)]
enum Expression {
    Number(i64),
    Sum(Box<Expression>, Box<Expression>),
    Quotient(Box<Expression>, Box<Expression>),
}

use Expression::{Number, Quotient, Sum};

impl Expression {
    fn has_literal_zero_divisor(&self) -> bool {
        match self {
            Number(_) => false,
            Quotient(_, divisor) if **divisor == Number(0) => true,
            Sum(left, right) | Quotient(left, right) => {
                left.has_literal_zero_divisor() || right.has_literal_zero_divisor()
            }
        }
    }

    fn value(&self) -> Option<i64> {
        match self {
            Number(number) => Some(*number),
            Sum(left, right) => Some(left.value()?.wrapping_add(right.value()?)),
            Quotient(left, right) => {
                let (left, right) = (left.value()?, right.value()?);
                (right != 0).then(|| left.wrapping_div(right))
            }
        }
    }
}

/// Who does not divide by a literal zero does not divide by zero.
#[test]
fn calculator() {
    let holds = |expression: &Expression| {
        (!expression.has_literal_zero_divisor()).then(|| expression.value().is_some())
    };
    let normal_form = "Quotient(Number(0), Sum(Number(0), Number(0)))";
    check(&any::<Expression>(), holds, normal_form, 45);
}

/// A node whose children have no smaller heads.
#[derive(Clone, Debug)]
struct Heap(i64, Option<Box<Heap>>, Option<Box<Heap>>);

fn heap(source: &mut Source, min_value: i64, depth: u32) -> Option<Box<Heap>> {
    if depth == 0 || !source.presence(1, 1) {
        return None;
    }
    let head = integers().min_value(min_value).draw(source);
    let child = || from_fn(move |source| heap(source, head, depth - 1));
    let (left, right) = (child(), child()).draw(source);
    Some(Box::new(Heap(head, left, right)))
}

fn merge(a: Option<&Heap>, b: Option<&Heap>) -> Option<Box<Heap>> {
    let (a, b) = match (a, b) {
        (None, other) | (other, None) => return other.map(|heap| Box::new(heap.clone())),
        (Some(a), Some(b)) => (a, b),
    };
    let (Heap(head, left, right), other) = if a.0 <= b.0 { (a, b) } else { (b, a) };
    Some(Box::new(Heap(*head, merge(right.as_deref(), Some(other)), left.clone())))
}

fn in_some_order(heap: Option<&Heap>) -> Vec<i64> {
    let mut list = Vec::new();
    let mut rest = vec![heap];
    while let Some(next) = rest.pop() {
        if let Some(Heap(head, left, right)) = next {
            list.push(*head);
            rest.extend([left.as_deref(), right.as_deref()]);
        }
    }
    list
}

/// A heap gives its elements in order, though only its first step merges.
#[test]
fn binheap() {
    let holds = |heap: &Option<Box<Heap>>| {
        let Some(heap) = heap else { return Some(true) };
        let rest = merge(heap.1.as_deref(), heap.2.as_deref());
        let mut list = vec![heap.0];
        list.extend(in_some_order(rest.as_deref()));
        Some(list.is_sorted())
    };
    let normal_form =
        "Some(Heap(0, None, Some(Heap(0, Some(Heap(0, None, None)), Some(Heap(1, None, None))))))";
    check(&from_fn(|source| heap(source, i64::MIN, 8)), holds, normal_form, 100);
}
