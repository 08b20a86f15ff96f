//! Tests with a child of this test binary, and of the crashes that Rebut survives.

use std::io::Write as _;
use std::time::Duration;

use rebut_choice::Tape;

use super::*;
use crate::execute::{Execution, Executor, Input};
use crate::outcome::{FailureKind, Outcome};
use crate::{CargoTarget, Case, Example, Settings, Test, case_log};

const PATH: &str = "rebut_run::isolate::tests::served";

static SERVED: Test = Test {
    claim: crate::Claim::ForAll,
    path: PATH,
    file: "",
    line: 0,
    column: 0,
    target: CargoTarget::new(None, None, None, None),
    body: "",
    attributes: "",
    has_prelude: || true,
    edition: 2024,
    return_type: "",
    constants: "",
    configure: |_: &mut Settings| (),
    run: misbehave,
    parameters: 1,
    inputs: None,
    claims: None,
    examples: &[Example { written: "4", line: 0, run: |_| Some("an example".into()) }],
};

/// Not a test: children serve here.
#[test]
fn served() {
    if role_for(PATH) == ProcessRole::Serve {
        serve_test(&SERVED);
    }
}

/// The first choice decides what to do.
fn misbehave(case: &mut Case) -> Option<String> {
    let what = case.begin_argument().integer(0, 20);
    if case.end_argument() {
        case.code().push(&what.to_string());
        case.show_argument("what", "u8");
    }
    case_log::note(format_args!("noted\n{what}"));
    case_log::label(format_args!("labeled"));
    let _ = std::io::stdout().write_all(b"some noise that is not a reply\n");
    match what {
        1 => panic!("a panic\twith a tab"),
        2 => std::process::abort(),
        3 => drop(deeper(0)),
        4 => std::process::exit(3),
        5 => loop {
            std::thread::park();
        },
        6 => drop(std::hint::black_box(vec![1u8; 1 << 40])),
        7 => return Some("an answer".to_owned()),
        8 => case.reject("not this one"),
        9 => panic_in_drop(),
        10 => {
            let _ = std::io::stdout().lock().write_all(&[b'x'; 1 << 20]);
        }
        11 => {
            let even = case.attempt("even", |s| Some(s.integer(0, 1000)).filter(|n| n % 2 == 0));
            assert!(even % 2 == 1, "it is even");
        }
        _ => {}
    }
    None
}

#[expect(unconditional_recursion, reason = "to overflow the stack")]
fn deeper(n: u64) -> u64 {
    let frame = std::hint::black_box([n; 64]);
    deeper(n + 1) + frame[7]
}

fn panic_in_drop() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("the second");
        }
    }
    let _bomb = Bomb;
    panic!("the first");
}

fn executor(deadline: Duration) -> ChildExecutor {
    ChildExecutor::new(Target::test(PATH), Limits { deadline, memory_max: 1 << 30 })
}

fn patient() -> ChildExecutor {
    executor(Duration::from_secs(60))
}

fn tape(text: &str) -> Input {
    Input::Tape(Tape::from_text(text).expect("a valid tape"))
}

fn failure_of(execution: &Execution) -> (FailureKind, &str) {
    match &execution.outcome {
        Outcome::Failed(failure) => (failure.kind, failure.message.as_str()),
        other => panic!("no failure: {other:?}"),
    }
}

#[test]
fn children_serve_many_requests() {
    let mut executor = patient();
    assert_eq!(executor.execute(&tape("i0"), false).outcome, Outcome::Passed);
    let panicked = executor.execute(&tape("i1"), false);
    assert_eq!(failure_of(&panicked), (FailureKind::Panic, "a panic\twith a tab"));
    let wrong = executor.execute(&tape("i7"), false);
    assert_eq!(failure_of(&wrong), (FailureKind::WrongResult, "an answer"));
    let rejected = executor.execute(&tape("i8"), false).outcome;
    assert_eq!(rejected, Outcome::Rejected("not this one".into()));
    assert_eq!(executor.execute(&tape("i10"), false).outcome, Outcome::Passed);
    assert_eq!(executor.started(), 1);
}

#[test]
fn tapes_of_children_have_their_domains() {
    let mut executor = patient();
    let in_process = |input: &Input| {
        let Input::Tape(tape) = input else { panic!("a tape") };
        let replay = rebut_choice::Replay::new(tape, rebut_choice::Fallback::Simplest);
        let drive = rebut_choice::AnyDriver::Replay(Box::new(replay));
        crate::execute::execute_once(&misbehave, drive, false, None)
    };
    for input in [tape("i1"), tape("i11 i4"), tape("i20")] {
        let (there, here) = (executor.execute(&input, false), in_process(&input));
        assert_eq!(there.tape, here.tape);
        assert_eq!(there.outcome, here.outcome);
    }
    let crashed = executor.execute(&tape("i2"), false);
    assert_eq!(crashed.tape.choices().next().map(|choice| choice.domain.max), Some(20));
}

#[test]
fn values_and_notes_survive_a_crash() {
    let execution = patient().execute(&tape("i2"), true);
    let log = execution.log.expect("it log something");
    assert_eq!(log.values[0].code, "2");
    assert_eq!(log.notes, ["noted\n2"]);
    let execution = patient().execute(&tape("i0"), true);
    let log = execution.log.expect("it log something");
    assert_eq!((log.labels, log.values.len()), (vec!["labeled".to_owned()], 1));
}

#[cfg(unix)]
#[test]
fn kinds_of_deaths_are_distinguished() {
    let mut executor = patient();
    let mut kind_of = |text: &str| {
        let execution = executor.execute(&tape(text), false);
        failure_of(&execution).0
    };
    assert_eq!(kind_of("i2"), FailureKind::Abort);
    assert_eq!(kind_of("i3"), FailureKind::StackOverflow);
    assert_eq!(kind_of("i4"), FailureKind::Exit);
    assert_eq!(kind_of("i6"), FailureKind::OutOfMemory);
    assert_eq!(kind_of("i9"), FailureKind::Abort);
}

#[cfg(unix)]
#[test]
fn aborts_after_a_panic_report_the_panic() {
    let execution = patient().execute(&tape("i9"), false);
    let Outcome::Failed(failure) = &execution.outcome else { panic!("{execution:?}") };
    assert!(failure.message.contains("the second"), "{failure:?}");
    assert!(failure.location.is_some(), "{failure:?}");
}

#[test]
fn hangs_end_at_the_deadline_and_the_next_case_runs() {
    let mut executor = executor(Duration::from_millis(500));
    assert_eq!(executor.execute(&tape("i0"), false).outcome, Outcome::Passed);
    let hung = executor.execute(&tape("i5"), false);
    assert_eq!(failure_of(&hung).0, FailureKind::Hang);
    assert_eq!(hung.tape.to_text().split(' ').nth(1), Some("i5"));
    assert_eq!(executor.execute(&tape("i0"), false).outcome, Outcome::Passed);
}

#[test]
fn short_deadlines_end_hangs_early() {
    let mut executor = patient();
    assert_eq!(executor.execute(&tape("i0"), false).outcome, Outcome::Passed);
    executor.use_short_deadline(true);
    let hung = executor.execute(&tape("i5"), false);
    assert_eq!(failure_of(&hung).0, FailureKind::Hang);
}

#[test]
fn running_until_failure_finds_the_case_that_kills() {
    let mut executor = patient();
    let (case, execution) =
        executor.run_until_failure(3, 0..10_000).expect("one case in ten fails");
    assert!(case > 0, "the first case is the simplest, which passes");
    assert!(matches!(execution.outcome, Outcome::Failed(_)), "{execution:?}");
    let again = executor.execute(&Input::Case { seed: 3, case }, false);
    assert_eq!(again.tape, execution.tape);
    assert!(executor.run_until_failure(3, 0..case).is_none());
}

#[test]
fn enumeration_returns_the_tape_of_the_case_that_fails() {
    let execution = patient().enumerate_until_failure(100).expect("the second case fails");
    assert_eq!(failure_of(&execution).0, FailureKind::Panic);
    assert_eq!(execution.tape.choices().next().map(|choice| choice.number), Some(1));
    assert!(patient().enumerate_until_failure(1).is_none());
}

#[test]
fn children_run_examples() {
    let execution = patient().execute_example(0, false);
    assert_eq!(failure_of(&execution), (FailureKind::WrongResult, "an example"));
}

#[test]
fn children_that_miss_the_test_are_an_internal_error() {
    let target = Target::test("rebut_run::no::such::test");
    let limits = Limits { deadline: Duration::from_secs(60), memory_max: 1 << 30 };
    let execution = ChildExecutor::new(target, limits).execute(&tape("i0"), false);
    assert!(matches!(execution.outcome, Outcome::Internal(_)), "{execution:?}");
}

/// The environment variable with the scenario of a process.
const SCENARIO: &str = "SCENARIO_OF_REBUT_RUN";

/// Not a test: [`run_scenario`] starts it.
#[test]
fn scenario() {
    const LATE: Duration = Duration::from_secs(60);
    const SOON: Duration = Duration::from_millis(100);
    let state = || RunState::acquire().expect("a state");
    fn report_loss(lost: &WorkerLoss) -> ! {
        let _ = writeln!(std::io::stderr(), "lost: {lost:?}");
        end_process(42)
    }
    let Ok(name) = std::env::var(SCENARIO) else { return };
    match name.as_str() {
        "exit" => {
            let lost = supervise(state(), LATE, Box::new(|_| None), |worker| {
                worker.begin_case(5);
                std::process::exit(0)
            });
            let Supervised::<()>::Lost(lost) = lost else { return };
            report_loss(&lost)
        }
        "exit at the end" => {
            struct Exit;
            impl Drop for Exit {
                fn drop(&mut self) {
                    std::process::exit(0)
                }
            }
            thread_local!(static EXIT: Exit = const { Exit });
            let lost = supervise(state(), LATE, Box::new(|_| None), |_| EXIT.with(|_| 7));
            let Supervised::LostAtEnd(7, loss) = lost else { return };
            let _ = writeln!(std::io::stderr(), "lost: {:?}", loss.cause);
            end_process(42)
        }
        "crash here" => supervise_here(
            state(),
            LATE,
            Box::new(|_| None),
            |worker| {
                worker.begin_case(6);
                std::process::abort()
            },
            |lost| report_loss(&lost),
        ),
        "hang here" => supervise_here(
            state(),
            SOON,
            Box::new(|_| None),
            |worker| {
                worker.begin_case(7);
                loop {
                    std::thread::park();
                }
            },
            |_| (),
        ),
        "abort elsewhere" => {
            assert!(matches!(
                supervise(state(), LATE, Box::new(|_| None), |_| ()),
                Supervised::Finished(())
            ));
            std::process::abort()
        }
        "overflow elsewhere" => {
            assert!(matches!(
                supervise(state(), LATE, Box::new(|_| None), |_| ()),
                Supervised::Finished(())
            ));
            let overflowing = std::thread::spawn(|| deeper(0));
            let _ = overflowing.join();
        }
        _ => panic!("no scenario {name:?}"),
    }
}

/// Runs a scenario in a separate process. Returns its status and output.
fn run_scenario(scenario: &str) -> (std::process::ExitStatus, String) {
    let output = std::process::Command::new(std::env::current_exe().expect("a path"))
        .args(["isolate::tests::scenario", "--exact", "--nocapture", "--test-threads=1"])
        .env(SCENARIO, scenario)
        .output()
        .expect("this binary can be started");
    (output.status, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(unix)]
#[test]
fn exits_wait_until_they_are_reported() {
    let (status, text) = run_scenario("exit");
    assert_eq!(status.code(), Some(42), "{text}");
    assert!(text.contains("lost: WorkerLoss { cause: Exit, running: Random(5)"), "{text}");
}

#[cfg(unix)]
#[test]
fn exits_in_destructors_wait_until_they_are_reported() {
    let (status, text) = run_scenario("exit at the end");
    assert_eq!(status.code(), Some(42), "{text}");
    assert!(text.contains("lost: Exit"), "{text}");
}

#[cfg(unix)]
#[test]
fn crashes_of_this_thread_are_reported_by_another() {
    let (status, text) = run_scenario("crash here");
    assert_eq!(status.code(), Some(42), "{text}");
    assert!(
        text.contains("lost: WorkerLoss { cause: Crash { signal: 6 }, running: Random(6)"),
        "{text}"
    );
}

#[test]
fn hangs_of_this_thread_end_the_process() {
    let (status, text) = run_scenario("hang here");
    assert_eq!(status.code(), Some(101), "{text}");
}

#[cfg(unix)]
#[test]
fn crashes_of_other_threads_end_the_process() {
    use std::os::unix::process::ExitStatusExt as _;
    let (status, text) = run_scenario("abort elsewhere");
    assert_eq!(status.signal(), Some(libc::SIGABRT), "{text}");
    let (status, text) = run_scenario("overflow elsewhere");
    assert_eq!(status.signal(), Some(libc::SIGABRT), "{text}");
    assert!(text.contains("has overflowed its stack"), "{text}");
}
