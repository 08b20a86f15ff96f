//! Tests of single passes: the input that needs the pass, and properties of every pass.

use std::fmt::Debug;

use rebut_choice::{AnyDriver, Label, Random, Source, Tape, mix};
use rebut_gen::{Generator as _, any, from_fn, integers, options, vecs};

use super::*;
use crate::Check;
use crate::outcome::FailureKind;

/// Runs a property on the choices of a tape. Returns `None` if it rejects the input.
type Property<'a> = dyn Fn(&mut Source) -> Option<bool> + 'a;

fn execute(property: &Property<'_>, tape: &Tape) -> (Outcome, Tape) {
    let mut source = Source::replay(tape);
    let outcome = match property(&mut source) {
        Some(true) => Outcome::Passed,
        Some(false) => Outcome::Failed(failure()),
        None => Outcome::Rejected("".into()),
    };
    (outcome, source.into_tape())
}

fn failure() -> Failure {
    let message = "returned false".to_owned();
    Failure { kind: FailureKind::WrongResult, message, location: None }
}

/// Shrinks a failing tape with some passes.
fn reduce(property: &Property<'_>, start: &Tape, passes: &[Pass]) -> Shrunk {
    let (outcome, start) = execute(property, start);
    assert!(matches!(outcome, Outcome::Failed(_)), "{} does not fail", start.to_text());
    let mut run = |tape: &Tape| execute(property, tape);
    Shrinker::new(&mut run, start, failure(), 20_000).shrink_with(passes)
}

/// Returns the number of a pass in the list of all passes.
fn index_of(pass: Pass) -> usize {
    let is_same = |other: &Pass| std::ptr::fn_addr_eq(*other, pass);
    PASSES.iter().position(is_same).expect("a pass of the list")
}

fn others(pass: Pass) -> Vec<Pass> {
    let mut others = PASSES.to_vec();
    others.remove(index_of(pass));
    others
}

/// Checks that `pass` alone turns the value of `before`, the numbers of a tape, into `after`, and
/// that the other passes cannot make it as simple.
#[track_caller]
fn check<T: Debug>(
    pass: Pass,
    draw: impl Fn(&mut Source) -> T,
    fails: impl Fn(&T) -> bool,
    before: &[i128],
    after: &str,
) {
    let property = |source: &mut Source| Some(!fails(&draw(source)));
    check_with_rejections(pass, &draw, &property, before, after);
}

#[track_caller]
fn check_with_rejections<T: Debug>(
    pass: Pass,
    draw: &dyn Fn(&mut Source) -> T,
    property: &Property<'_>,
    before: &[i128],
    after: &str,
) {
    let words: Vec<String> = before.iter().map(|number| format!("i{number}")).collect();
    let start = Tape::from_text(&words.join(" ")).expect("a valid tape");
    let value = |tape: &Tape| format!("{:?}", draw(&mut Source::replay(tape)));
    let alone = reduce(property, &start, &[pass]);
    assert_eq!(value(&alone.tape), after, "from {}", value(&start));
    let complete = reduce(property, &start, &PASSES);
    let without = reduce(property, &start, &others(pass));
    assert!(
        complete.tape.compare(&without.tape).is_lt(),
        "{} without the pass, {} with it",
        value(&without.tape),
        value(&complete.tape)
    );
}

fn list_of<T>(source: &mut Source, element: impl Fn(&mut Source) -> T) -> Vec<T> {
    source.span(Label::SEQUENCE, |source| {
        (0..source.length(0, 20)).map(|_| element(source)).collect()
    })
}

fn byte(source: &mut Source) -> i128 {
    source.integer(0, 255)
}

fn signed(source: &mut Source) -> i128 {
    source.integer(-1000, 1000)
}

fn bytes(source: &mut Source) -> Vec<i128> {
    list_of(source, byte)
}

#[test]
fn delete_removes_elements_that_do_not_matter() {
    let fails = |list: &Vec<i128>| list.contains(&7);
    check(elements::delete, bytes, fails, &[5, 1, 2, 7, 3, 4], "[7]");
}

#[test]
fn renumber_keeps_indices_into_the_list() {
    let property = |source: &mut Source| {
        let list = bytes(source);
        let is_inside = list.iter().all(|&index| (index as usize) < list.len());
        let is_pair = |(i, &j): (usize, &i128)| j as usize != i && list[j as usize] as usize == i;
        is_inside.then(|| !list.iter().enumerate().any(is_pair))
    };
    check_with_rejections(elements::renumber, &bytes, &property, &[3, 0, 2, 1], "[1, 0]");
}

#[test]
fn merge_joins_adjacent_lists() {
    let lists = |source: &mut Source| list_of(source, bytes);
    let fails = |lists: &Vec<Vec<i128>>| lists.iter().flatten().count() >= 3;
    check(elements::merge, lists, fails, &[2, 2, 0, 0, 1, 0], "[[0, 0, 0]]");
}

#[test]
fn delete_dependent_lowers_the_number_that_fixes_the_length() {
    let lists = |source: &mut Source| {
        let size = source.integer(1, 9);
        source.span(Label::SEQUENCE, |source| {
            (0..source.length(size as usize, size as usize)).map(|_| byte(source)).collect()
        })
    };
    let fails = |list: &Vec<i128>| list.contains(&200);
    check(elements::delete_dependent, lists, fails, &[3, 3, 0, 0, 200], "[200]");
}

#[test]
fn delete_answers_lowers_the_number_of_calls() {
    let calls = |source: &mut Source| {
        let count = source.span(Label::ARGUMENT, byte);
        let mut answer = |_| source.span(Label::group("answer"), byte);
        (count, (0..count).map(&mut answer).collect::<Vec<i128>>())
    };
    let fails = |(count, answers): &(i128, Vec<i128>)| *count >= 4 && answers.contains(&200);
    let before = [9, 0, 0, 0, 0, 0, 0, 0, 0, 200];
    check(elements::delete_answers, calls, fails, &before, "(4, [0, 0, 0, 200])");
}

#[derive(Clone, Debug)]
enum Command {
    Add(i128),
    Undo,
}

fn commands(source: &mut Source) -> Vec<Command> {
    let command = |source: &mut Source| match source.alternative(2, &[], 1) {
        0 => Command::Add(byte(source)),
        _ => Command::Undo,
    };
    list_of(source, |source| source.span(Label::ELEMENT, command))
}

#[test]
fn trade_deletes_two_commands_that_cancel_each_other() {
    let fails = |commands: &Vec<Command>| {
        let mut kept = Vec::new();
        for command in commands {
            match command {
                Command::Add(number) => kept.push(*number),
                Command::Undo => drop(kept.pop()),
            }
        }
        kept.len() == 2
    };
    let before = [4, 0, 0, 0, 0, 0, 0, 1];
    check(elements::trade, commands, fails, &before, "[Add(0), Add(0)]");
}

#[derive(Clone, Debug)]
enum Statement {
    Call,
    Block(Vec<Statement>),
}

fn block(source: &mut Source) -> Vec<Statement> {
    source.span(Label::SEQUENCE, |source| {
        let statement = |source: &mut Source| match source.alternative(2, &[], 1) {
            0 => Statement::Call,
            _ => Statement::Block(block(source)),
        };
        let length = source.length(0, 9);
        let statements = (0..length).map(|_| source.span(Label::recursive("statement"), statement));
        statements.collect()
    })
}

fn calls(block: &[Statement]) -> usize {
    let in_statement = |statement: &Statement| match statement {
        Statement::Call => 1,
        Statement::Block(block) => calls(block),
    };
    block.iter().map(in_statement).sum()
}

#[test]
fn inline_moves_statements_out_of_a_block() {
    let fails = |block: &Vec<Statement>| calls(block) >= 2;
    check(elements::inline, block, fails, &[1, 1, 2, 0, 0], "[Call, Call]");
}

/// Generates a number by its seed. Its steps are the numbers that QuickCheck would try.
fn seeded(source: &mut Source) -> u64 {
    let mut number = source.seed();
    source.trail(&mut |step| {
        let simpler = [0, number / 2, number.saturating_sub(1)].get(step).copied();
        let is_simpler = simpler.is_some_and(|simpler| simpler < number);
        number = if is_simpler { simpler.unwrap_or(0) } else { number };
        is_simpler
    });
    number
}

#[test]
fn follow_takes_all_steps_that_fail() {
    check(trails::follow, seeded, |&n| n >= 100, &[231, 0], "100");
    let lists = |source: &mut Source| list_of(source, seeded);
    check(trails::follow, lists, |l| l.iter().sum::<u64>() > 9, &[2, 99, 0, 50, 0], "[0, 10]");
}

/// Generates a number by its seed. A step moves it down as far as possible, and then half of the
/// way up several times, as in proptest. Lower numbers are never tried again.
fn bisected(source: &mut Source) -> u64 {
    let seed = source.seed();
    let mut taken = Vec::new();
    let walk = |steps: &[usize]| {
        let (mut low, mut number) = (0, seed);
        for &turns in steps {
            let high = number;
            number = low + (high - low) / 2;
            for _ in 0..turns {
                low = number + 1;
                number = low + (high.max(low) - low) / 2;
            }
            if number >= high {
                return None;
            }
        }
        Some(number)
    };
    source.trail(&mut |turns| {
        taken.push(turns);
        let is_taken = walk(&taken).is_some();
        taken.truncate(taken.len() - usize::from(!is_taken));
        is_taken
    });
    walk(&taken).unwrap_or(seed)
}

#[test]
fn retrace_goes_back_where_another_part_became_simpler() {
    let pair = |source: &mut Source| (bisected(source), bisected(source));
    let property = |source: &mut Source| {
        let (first, second) = pair(source);
        Some(first < second || second < 10)
    };
    let start = Tape::from_text("i900 i0 i700 i0").expect("a valid tape");
    let reduced =
        |passes: &[Pass]| pair(&mut Source::replay(&reduce(&property, &start, passes).tape));
    assert_eq!(reduced(&[trails::follow]), (700, 10));
    assert_eq!(reduced(&[trails::follow, trails::retrace]), (10, 10));
    assert_eq!(reduced(&PASSES), (10, 10));
}

#[test]
fn trails_cost_one_execution_for_each_step_that_is_tried() {
    let property = |source: &mut Source| Some(seeded(source) < 1000);
    let start = Tape::from_text("i1010 i0").expect("a valid tape");
    // 10 steps of 3 tries, 4 tries at the end, of which one does not exist.
    assert_eq!(reduce(&property, &start, &[trails::follow]).executions, 34);
}

#[test]
fn lower_each_finds_the_smallest_number() {
    // Other passes subtract from larger numbers, too.
    check(numbers::lower_each, byte, |&n| n >= 10, &[15], "10");
}

#[test]
fn lower_equal_keeps_numbers_equal() {
    let pairs = |source: &mut Source| (byte(source), byte(source));
    check(numbers::lower_equal, pairs, |&(a, b)| a == b && a >= 100, &[231, 231], "(100, 100)");
}

#[test]
fn lower_equal_subsets_keeps_some_of_the_equal_numbers() {
    let triples = |source: &mut Source| (byte(source), byte(source), byte(source));
    let fails = |&(a, b, c): &(i128, i128, i128)| a == b && c >= 100;
    check(numbers::lower_equal_subsets, triples, fails, &[100, 100, 100], "(0, 0, 100)");
}

#[test]
fn lower_together_keeps_differences() {
    let pairs = |source: &mut Source| (source.integer(0, 1 << 40), source.integer(0, 1 << 40));
    let fails = |&(a, b): &(i128, i128)| a >= 100 && b == a + 3;
    check(numbers::lower_together, pairs, fails, &[5_000_000, 5_000_003], "(100, 103)");
}

#[test]
fn redistribute_moves_a_sum_to_the_later_number() {
    let pairs = |source: &mut Source| (byte(source), byte(source));
    check(numbers::redistribute, pairs, |&(a, b)| a + b == 300, &[200, 100], "(45, 255)");
}

#[test]
fn outweigh_exchanges_numbers_of_different_weights() {
    let times = |source: &mut Source| (source.integer(0, 9999), source.integer(0, 9999));
    let fails = |&(hours, minutes): &(i128, i128)| 60 * hours + minutes > 20_000;
    check(numbers::outweigh, times, fails, &[400, 0], "(167, 9999)");
}

#[test]
fn sift_keeps_remainders_bits_and_digits() {
    let number = |source: &mut Source| source.integer(0, i128::from(u32::MAX));
    let fails = |&n: &i128| n >= 1000 && n % 7 == 5;
    check(numbers::sift, number, fails, &[1_282_656_653], "1006");
    check(numbers::sift, number, |n| n & 0x10 != 0, &[3_387_481_808], "16");
    check(numbers::sift, number, |n| n % 100 == 77, &[3_387_481_877], "77");
}

#[test]
fn translate_keeps_the_order_of_numbers() {
    let triples = |source: &mut Source| [signed(source), signed(source), signed(source)];
    let fails = |list: &[i128; 3]| list[0] > list[1] && list[1] > list[2];
    check(numbers::translate, triples, fails, &[30, 20, 10], "[0, -10, -20]");
}

/// The other passes reach the same value, but each irrelevant number costs them an execution.
#[test]
fn zero_runs_resets_many_numbers_at_once() {
    let property = |source: &mut Source| {
        let numbers: Vec<i128> = (0..32).map(|_| byte(source)).collect();
        Some(numbers[31] < 100)
    };
    let start = Tape::from_text(&"i77 ".repeat(31)).expect("a valid tape");
    let start =
        Tape::new([start.tokens(), Tape::from_text("i200").expect("one").tokens()].concat());
    let alone = reduce(&property, &start, &[numbers::zero_runs as Pass]);
    assert!(alone.tape.choices().take(31).all(|choice| choice.number == 0));
    assert!(alone.executions <= 16, "{} executions", alone.executions);
}

/// Sequences in sequences, trees, commands, numbers of all kinds.
fn draw_anything(source: &mut Source) {
    if source.boolean() {
        seeded(source);
    }
    let lists = || vecs(vecs(integers::<u8>()).max_size(4)).max_size(4);
    let tree = from_fn(|source| tree(source, 4));
    (lists(), any::<(i64, i64)>(), any::<f64>(), options(any::<char>()), tree).draw(source);
    commands(source);
    vecs(any::<bool>()).max_size(6).draw(source);
    block(source);
}

fn tree(source: &mut Source, depth: u32) -> i128 {
    source.span(Label::recursive("tree"), |source| {
        if depth == 0 || !source.presence(1, 1) {
            return 0;
        }
        byte(source) + tree(source, depth - 1) + tree(source, depth - 1)
    })
}

/// Fails with an unpredictable half of all tapes.
fn fails_at_random(tape: &Tape, salt: u64) -> bool {
    let numbers = tape.choices().map(|choice| choice.number as u64);
    numbers.fold(salt, |hash, number| mix(hash ^ number)) & 1 == 0
}

#[test]
fn passes_never_return_a_less_simple_tape() {
    for pass in PASSES {
        let report = Check::new("pass").seed(1).cases(20).run(|case| {
            let (seed, salt) = (case.draw(any::<u64>()), case.draw(any::<u64>()));
            let mut source = Source::new(AnyDriver::Random(Box::new(Random::new(seed))));
            draw_anything(&mut source);
            let start = source.into_tape();
            let run = |tape: &Tape| {
                let mut source = Source::replay(tape);
                draw_anything(&mut source);
                let tape = source.into_tape();
                let has_failed = tape == start || fails_at_random(&tape, salt);
                (if has_failed { Outcome::Failed(failure()) } else { Outcome::Passed }, tape)
            };
            let mut run_counted = run;
            let shrinker = Shrinker::new(&mut run_counted, start.clone(), failure(), BUDGET);
            let shrunk = shrinker.shrink_with(&[pass]);
            let (outcome, again) = run(&shrunk.tape);
            assert!(matches!(outcome, Outcome::Failed(_)), "it still fails");
            assert_eq!(again, shrunk.tape, "it is a recorded tape");
            assert!(shrunk.tape == start || shrunk.tape.compare(&start).is_lt(), "it is simpler");
            assert!(shrunk.executions <= BUDGET, "it keeps to the budget");
        });
        assert!(report.verdict.is_success(), "pass {}: {report}", index_of(pass));
    }
}

const BUDGET: u64 = 100;

#[test]
fn shrinking_ends_when_the_time_is_up() {
    let draw = |source: &mut Source| vecs(integers::<u16>()).draw(source);
    let property = |source: &mut Source| Some(draw(source).len() < 5);
    let mut source = Source::new(AnyDriver::Random(Box::new(Random::new(1))));
    while property(&mut source) == Some(true) {
        source.begin(AnyDriver::Random(Box::new(Random::new(source.len() as u64))));
    }
    let (_, start) = execute(&property, &source.into_tape());
    let ran = std::rc::Rc::new(std::cell::Cell::new(0));
    let clock = std::rc::Rc::clone(&ran);
    let mut run = |tape: &Tape| {
        ran.set(ran.get() + 1);
        execute(&property, tape)
    };
    let mut shrinker = Shrinker::new(&mut run, start, failure(), 20_000);
    shrinker.stop_when(move || clock.get() >= 7);
    let shrunk = shrinker.shrink();
    assert!(shrunk.gave_up && shrunk.timed_out);
    assert_eq!(shrunk.executions, 7);
}

/// Shrinks a list of this many empty values, whose length is fixed. Returns the work.
fn work_for(size: usize) -> u64 {
    let property = |source: &mut Source| {
        let list = source.span(Label::SEQUENCE, |source| {
            let length = source.length(size, size);
            (0..length).map(|_| source.span(Label::ELEMENT, |_| ())).collect::<Vec<()>>()
        });
        Some(list.len() < 3)
    };
    let (_, start) = execute(&property, &Tape::default());
    let mut run = |tape: &Tape| execute(&property, tape);
    let mut shrinker = Shrinker::new(&mut run, start, failure(), 20_000);
    for pass in PASSES {
        shrinker.patience = u64::MAX;
        pass(&mut shrinker);
    }
    shrinker.work.get()
}

#[test]
fn the_work_for_many_elements_that_must_stay_is_linear() {
    let (few, many) = (work_for(1000), work_for(10_000));
    assert!(many < few * 11, "{few} tokens for 1000 elements, {many} for 10,000");
}

#[test]
fn shrinking_ends_after_much_work_without_an_execution() {
    let property = |source: &mut Source| {
        let list = list_of(source, signed);
        Some(!list.contains(&7))
    };
    let start = Tape::from_text("(s1 i2 i7 i3 )").expect("a valid tape");
    let (_, start) = execute(&property, &start);
    let mut run = |tape: &Tape| execute(&property, tape);
    let shrinker = Shrinker::new(&mut run, start, failure(), 2);
    shrinker.charge(3 << 12);
    let shrunk = shrinker.shrink();
    assert_eq!((shrunk.executions, shrunk.gave_up), (0, true));
}
