//! What others do about the bounded stack: proptest-state-machine on the same code, and
//! Hypothesis on the same stack in Python (`hypothesis/stateful.py`).
//!
//! Each test is written twice. `Plain` has the methods as they are: numbers are drawn, and
//! observers do nothing, since a transition does not draw what a function does. `ByHand` also
//! has what someone would add who knows the bugs: a transition that calls
//! `push_n(capacity())`, and observers that pop or push.

use std::cell::Cell;
use std::path::PathBuf;
use std::process::Command;
use std::rc::Rc;

use bench_measure::own_cpu_ns;
use proptest::prelude::*;
use proptest::test_runner::{Config, FailurePersistence, RngSeed, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};
use rebut_contract_examples::stack::{BOUND, capacity, observer, reentrant};

/// Programs that are tried for each seed.
const PROGRAMS_MAX: u32 = 5000;
/// Seeds of Hypothesis, which takes seconds for each.
const SEEDS_OF_HYPOTHESIS: u64 = 5;

/// What came of one bug under some seeds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) bug: u64,
    pub(crate) by_hand: bool,
    pub(crate) found: u64,
    pub(crate) seeds: u64,
    /// Programs until the bug was found, for each seed that found it.
    pub(crate) programs: Vec<u64>,
    pub(crate) worst_cpu_s: f64,
    /// Steps of the largest program that is left.
    pub(crate) steps: u64,
}

/// A step of a test.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Push(u8),
    Pop,
    PushN(usize, u8),
    Observe(Does, u32),
    Fill(u8),
}

/// What an observer does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Does {
    Nothing,
    Pop,
    Push,
}

fn steps(by_hand: bool) -> BoxedStrategy<Step> {
    let plain = prop_oneof![
        any::<u8>().prop_map(Step::Push),
        Just(Step::Pop),
        (0..=BOUND + 1, any::<u8>()).prop_map(|(n, item)| Step::PushN(n, item)),
        (1..=4u32).prop_map(|fuel| Step::Observe(Does::Nothing, fuel)),
    ];
    if !by_hand {
        return plain.boxed();
    }
    let does = prop_oneof![Just(Does::Pop), Just(Does::Push)];
    prop_oneof![
        3 => plain,
        1 => any::<u8>().prop_map(Step::Fill),
        1 => (does, 1..=4u32).prop_map(|(does, fuel)| Step::Observe(does, fuel)),
    ]
    .boxed()
}

/// The test of one of the stacks, in both ways.
macro_rules! tested {
    ($name:ident, $by_hand:expr, $module:ident) => {
        struct $name;

        impl ReferenceStateMachine for $name {
            type State = ();
            type Transition = Step;

            fn init_state() -> BoxedStrategy<()> {
                Just(()).boxed()
            }

            fn transitions((): &()) -> BoxedStrategy<Step> {
                steps($by_hand)
            }

            fn apply((): (), _step: &Step) {}
        }

        impl StateMachineTest for $name {
            type SystemUnderTest = $module::BoundedStack;
            type Reference = Self;

            fn init_test((): &()) -> $module::BoundedStack {
                STEPS.set(1);
                $module::BoundedStack::new()
            }

            /// What is required is looked at here, since the model of the state has no result of
            /// a call to look at.
            fn apply(
                mut stack: $module::BoundedStack,
                (): &(),
                step: Step,
            ) -> $module::BoundedStack {
                struct Observer(Does, Cell<u32>);

                impl $module::Observer for Observer {
                    fn after_push(&self, stack: &mut $module::BoundedStack, _item: u8) {
                        let Some(fuel) = self.1.get().checked_sub(1) else { return };
                        self.1.set(fuel);
                        match self.0 {
                            // With a contract, an observer must leave something behind.
                            Does::Pop if OBSERVERS_MAY_EMPTY.get() && !stack.is_empty() => {
                                stack.pop();
                            }
                            Does::Push if stack.capacity() >= 1 => stack.push(0),
                            _ => {}
                        }
                    }
                }

                STEPS.set(STEPS.get() + 1);
                match step {
                    Step::Push(item) if stack.capacity() >= 1 => stack.push(item),
                    Step::Pop if !stack.is_empty() => drop(stack.pop()),
                    Step::PushN(n, item) if stack.capacity() >= n => stack.push_n(n, item),
                    Step::Fill(item) => {
                        let capacity = stack.capacity();
                        stack.push_n(capacity, item);
                    }
                    Step::Observe(does, fuel) => {
                        stack.add_observer(Rc::new(Observer(does, Cell::new(fuel))));
                    }
                    _ => {}
                }
                stack
            }
        }
    };
}

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
    static OBSERVERS_MAY_EMPTY: Cell<bool> = const { Cell::new(false) };
}

tested!(Plain1, false, capacity);
tested!(Plain2, false, observer);
tested!(Plain3, false, reentrant);
tested!(ByHand1, true, capacity);
tested!(ByHand2, true, observer);
tested!(ByHand3, true, reentrant);

/// The rows of proptest-state-machine.
pub(crate) fn proptest(seeds: u64) -> Vec<Row> {
    vec![
        row::<Plain1>(1, false, seeds),
        row::<Plain2>(2, false, seeds),
        row::<Plain3>(3, false, seeds),
        row::<ByHand1>(1, true, seeds),
        row::<ByHand2>(2, true, seeds),
        row::<ByHand3>(3, true, seeds),
    ]
}

fn row<T>(bug: u64, by_hand: bool, seeds: u64) -> Row
where
    T: StateMachineTest<Reference = T> + ReferenceStateMachine<State = (), Transition = Step>,
{
    let mut row = Row { bug, by_hand, seeds, ..Row::default() };
    OBSERVERS_MAY_EMPTY.set(bug == 2);
    for seed in 0..seeds {
        let config = Config {
            cases: PROGRAMS_MAX,
            rng_seed: RngSeed::Fixed(seed),
            failure_persistence: None::<Box<dyn FailurePersistence>>,
            ..Config::default()
        };
        let begun = own_cpu_ns();
        let (programs, found_at) = (Cell::new(0u64), Cell::new(None));
        let strategy = T::sequential_strategy(1..=10);
        let ended = TestRunner::new(config.clone()).run(&strategy, |(state, steps, seen)| {
            programs.set(programs.get() + 1);
            let config = config.clone();
            let run =
                std::panic::AssertUnwindSafe(|| T::test_sequential(config, state, steps, seen));
            std::panic::catch_unwind(run).map_err(|_| {
                found_at.set(found_at.get().or(Some(programs.get())));
                TestCaseError::fail("broken")
            })
        });
        let cpu_s = (own_cpu_ns() - begun) as f64 / 1e9;
        row.worst_cpu_s = row.worst_cpu_s.max(cpu_s);
        if let (Err(proptest::test_runner::TestError::Fail(_, (_, steps, _))), Some(at)) =
            (ended, found_at.get())
        {
            row.found += 1;
            row.programs.push(at);
            row.steps = row.steps.max(1 + steps.len() as u64);
        }
    }
    row
}

/// The rows of Hypothesis and its version; an error if it is not there.
pub(crate) fn hypothesis() -> Result<(String, Vec<Row>), String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let python = folder.join(".venv/bin/python");
    let seeds = SEEDS_OF_HYPOTHESIS.to_string();
    let output = Command::new(&python)
        .arg(folder.join("hypothesis/stateful.py"))
        .args(["--seeds", &seeds])
        .output()
        .map_err(|error| format!("{}: {error}", python.display()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines();
    let version = lines.next().and_then(|line| field(line, "version")).unwrap_or_default();
    let mut rows: Vec<Row> = Vec::new();
    for line in lines {
        let number = |name: &str| field(line, name).and_then(|text| text.parse::<f64>().ok());
        let bug = number("bug").unwrap_or_default() as u64;
        let by_hand = field(line, "by_hand").is_some_and(|text| text == "true");
        let at = rows.iter().position(|row| row.bug == bug && row.by_hand == by_hand);
        let at = at.unwrap_or_else(|| {
            rows.push(Row { bug, by_hand, ..Row::default() });
            rows.len() - 1
        });
        let row = &mut rows[at];
        row.seeds += 1;
        row.worst_cpu_s = row.worst_cpu_s.max(number("cpu_s").unwrap_or_default());
        if let Some(programs) = number("programs") {
            row.found += 1;
            row.programs.push(programs as u64);
            row.steps = row.steps.max(number("statements").unwrap_or_default() as u64);
        }
    }
    Ok((version, rows))
}

/// A field of a line of JSON that has no objects in it.
fn field(line: &str, name: &str) -> Option<String> {
    let (_, rest) = line.split_once(&format!("\"{name}\": "))?;
    let end = rest.find([',', '}']).unwrap_or(rest.len());
    Some(rest[..end].trim_matches('"').to_owned())
}
