//! What shadows cost on work that does not depend on draws, and how many runs there are.

use rebut_concolic::{Budget, Machine, Outcome};

use crate::plain::Plain;
use crate::report::Report;
use crate::subject::{self, Subject, timed};

/// Times are the shortest of so many, plain and with shadows in turns: noise only adds.
const ROUNDS: usize = 7;
const SLOWDOWN_MAX: f64 = 3.5;
const RUNS: usize = 20_000;
const RUNS_PER_S_MIN: f64 = 20_000.0;

pub(crate) fn measure(report: &mut Report) -> Result<(), String> {
    let manifest = subject::root().join("bench/explore/Cargo.toml");
    let subjects = subject::build(&manifest, "bench-explore-guest")?;
    slowdown(report, &subjects)?;
    runs(report, &subjects)
}

fn slowdown(report: &mut Report, subjects: &[Subject]) -> Result<(), String> {
    report.line(
        "## What shadows cost\n\nCPU milliseconds of one run of the same module, built as those of \
         users are: as it is in plain wasmtime, and instrumented. Each test draws a number and keeps \
         it in the memory while the work is done, which does not depend on it. The shortest of seven \
         runs, in turns. Under exploration all keys have the same hash, so a `HashMap` is as slow as a \
         list: here it has 200 keys.\n",
    );
    report.head(&["work", "plain", "instrumented", "times"]);
    let wasm = subjects.first().map(|subject| &subject.wasm).ok_or("there are no tests")?;
    let plain = Plain::new(wasm).map_err(|error| error.to_string())?;
    let mut times = Vec::new();
    for (name, subject) in named(subjects, "work_") {
        times.push(row(report, name, subject, &plain)?);
    }
    let mean = geometric_mean(&times);
    report.row(&["geometric mean".into(), String::new(), String::new(), format!("{mean:.2}")]);
    let what = format!("shadows cost {mean:.2} times, at most {SLOWDOWN_MAX} wanted");
    report.goal(mean <= SLOWDOWN_MAX && times.len() >= 7, what);
    report.line(
        "\nNot in the mean: `live_once` is a loop over plain numbers in a function that was given a \
         drawn one before, so that its full version runs; in `live_always` every element of a list \
         depends on a drawn number, and is read, changed and written.\n",
    );
    report.head(&["work", "plain", "instrumented", "times"]);
    for (name, subject) in named(subjects, "live_") {
        row(report, name, subject, &plain)?;
    }
    report.line("");
    Ok(())
}

/// The tests whose names begin so, by their names.
fn named<'s>(
    subjects: &'s [Subject],
    prefix: &'static str,
) -> impl Iterator<Item = (&'s str, &'s Subject)> {
    let begins = move |subject: &'s Subject| {
        let name = subject.entry.strip_prefix("rebut_test_")?;
        let name = name.get(name.find(prefix)?..)?;
        let end = name.rfind('_').unwrap_or(name.len());
        Some((&name[..end], subject))
    };
    subjects.iter().filter_map(begins)
}

fn row(report: &mut Report, name: &str, subject: &Subject, plain: &Plain) -> Result<f64, String> {
    let failed = |error: wasmtime::Error| format!("{name} fails: {error:?}");
    let mut machine = subject.machine()?;
    // Until it is known which functions meet symbols.
    once(&mut machine, name)?;
    let (mut without, mut with) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        let (result, seconds) = timed(|| plain.run(&subject.entry));
        result.map_err(failed)?;
        without = without.min(seconds);
        let (result, seconds) = timed(|| once(&mut machine, name));
        result?;
        with = with.min(seconds);
    }
    let times = with / without;
    let ms = |seconds: f64| format!("{:.2}", seconds * 1e3);
    report.row(&[name.to_owned(), ms(without), ms(with), format!("{times:.2}")]);
    Ok(times)
}

/// One run with shadows.
fn once(machine: &mut Machine, name: &str) -> Result<(), String> {
    let budget = Budget { runs: 1, fuel: 1 << 40, ..Budget::default() };
    let exploration = rebut_concolic::explore(machine, &budget, &[]);
    match &exploration.leaves[..] {
        [leaf] if leaf.outcome == Outcome::Passed => Ok(()),
        leaves => Err(format!("{name} does not pass: {leaves:?}")),
    }
}

fn geometric_mean(values: &[f64]) -> f64 {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (sum / values.len() as f64).exp()
}

/// Runs one input as often as allowed; nothing is left for the solver.
fn runs(report: &mut Report, subjects: &[Subject]) -> Result<(), String> {
    let small = subjects.iter().find(|subject| subject.entry.contains("small"));
    let small = small.ok_or("the small test is missing")?;
    let mut machine = small.machine()?;
    let first = rebut_concolic::explore(&mut machine, &Budget::default(), &[]);
    let tape = first.leaves.first().map(|leaf| leaf.tape.clone()).ok_or("it does not run")?;
    let seeds = vec![tape; RUNS - 1];
    let budget = Budget { runs: RUNS, ..Budget::default() };
    let mut best = 0.0_f64;
    for _ in 0..ROUNDS {
        let (exploration, seconds) =
            timed(|| rebut_concolic::explore(&mut machine, &budget, &seeds));
        if exploration.runs != RUNS {
            return Err(format!("{} runs instead of {RUNS}", exploration.runs));
        }
        best = best.max(RUNS as f64 / seconds);
    }
    report.line(&format!(
        "Runs of a small test, each in a new instance, its path recorded: {best:.0} in a CPU second.\n"
    ));
    let what = format!("{best:.0} runs per CPU s, {RUNS_PER_S_MIN:.0} wanted");
    report.goal(best >= RUNS_PER_S_MIN, what);
    Ok(())
}
