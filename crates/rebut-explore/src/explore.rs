//! Explores one test.

use crate::module_state::is_test_of;
use crate::seeds;
use crate::selection::{SelectedTest, can_be_explored, is_selected};
use crate::words;
use rebut_cli::arguments::Explore;
use rebut_concolic::{Budget, Description, Exploration, Machine, ModuleError};
use rebut_smt::smtlib::Process;
use std::time::{Duration, Instant};

/// The result for one test, and the time that it took; `None` if the test is not selected. An
/// error is the message why it cannot be explored.
pub(crate) type Explored = Result<Option<(Description, Exploration, Duration)>, String>;

/// Explores a test, unless its description shows that it is not selected.
pub(crate) fn explore_test(arguments: &Explore, test: &SelectedTest<'_>) -> Explored {
    let module_error =
        |error: ModuleError| words::cannot_explore(test.function(), &error.to_string());
    let failed = |why: String| words::cannot_explore(test.function(), &why);
    let scout = test.state.scout().map_err(failed)?;
    let description = scout.describe(&test.entry).map_err(module_error)?;
    if !is_selected(arguments, &description) {
        return Ok(None);
    }
    if !can_be_explored(&description) {
        let why = words::not_explored(description.should_panic);
        return Err(words::cannot_explore(&description.path, why));
    }
    // The test of a summary must run the function itself.
    let is_summary = scout.summaries().iter().any(|summary| is_test_of(summary, &test.entry));
    let summaries = match is_summary {
        true => &[],
        false => test.state.summaries(arguments, &test.module.entries),
    };
    let mut machine = match summaries {
        [] => test.state.machine(arguments, test).map_err(failed)?,
        _ => Machine::with_summaries(scout, &test.entry, summaries).map_err(module_error)?,
    };
    let budget = budget(arguments);
    let mut solver = budget.solver();
    if let Some(command) = &arguments.solver {
        let time_max = Duration::from_secs(arguments.solver_time);
        solver.set_external(Process::new(command).time_max(time_max));
    }
    let seeds = seeds::stored_failures(test.module, &description);
    let begun = Instant::now();
    let exploration = rebut_concolic::explore_with(&mut machine, &budget, &seeds, &mut solver);
    Ok(Some((description, exploration, begun.elapsed())))
}

/// Returns the budget that the arguments set.
pub(crate) fn budget(arguments: &Explore) -> Budget {
    Budget {
        runs: arguments.runs,
        runs_after_failure: arguments.runs_after_failure,
        length: arguments.length,
        conflicts: arguments.conflicts,
        terms: arguments.terms,
        ..Budget::default()
    }
}
