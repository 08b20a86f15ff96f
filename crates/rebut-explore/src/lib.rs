//! Explores every path through the properties of a workspace: `cargo rebut explore`.
//!
//! The tests are built for WebAssembly (`rebut-build`) and explored there (`rebut-concolic`), one
//! on each processor. An exploration is a function of its test and its budget, so the order of the
//! work does not change the results. Failures are confirmed natively (`rebut-native`): the printed
//! report is that of the native run, with its shrunk input, and the database stores the input like
//! any other failure.
//!
//! - `selection` finds the tests, and `module_state` holds what the tests of one module share.
//! - `explore` explores one test; `pool` runs many at once.
//! - `confirm` runs failing inputs natively. `assumptions` lists what a proof depends on.
//! - `view` translates an exploration to conditions, lines and inputs of the source.
//! - `output` prints and writes all that: text, JSON, graphs, events, emitted tests.
//!
//! The crate never reports a failure that no native run confirms.
//!
//! ```
//! // Results come in the order of the items, whichever is ready first.
//! assert_eq!(rebut_explore::pool::map([3, 1, 2], |n| n * 10), [30, 10, 20]);
//! ```

mod assumptions;
mod confirm;
mod explore;
mod module_state;
mod output;
pub mod pool;
mod seeds;
mod selection;
mod view;
mod words;

use crate::words::say;
use assumptions::Assumption;
use confirm::Confirmation;
use output::events::EventLog;
use rebut_build::{Module, Problem, Request, Toolchain};
use rebut_cli::arguments::{Explore, ExploreFormat};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::{open, to_stdout, write_to};
use rebut_cli::runs::{self, Workspace};
use rebut_concolic::{Description, Exploration, Verdict};
use selection::SelectedTest;
use std::ops::ControlFlow;
use std::time::Duration;
use view::{ExplorationView, ModuleCache};

/// Explores the tests that the arguments select, prints the results, and returns the exit code.
///
/// # Errors
/// If nothing can be explored, or a result cannot be written.
pub fn run(arguments: &Explore) -> Result<Exit, Failure> {
    // Reports run the paths again on this thread, so it needs the large stack too.
    pool::run_command(|| explore_and_report(arguments))
}

fn explore_and_report(arguments: &Explore) -> Result<Exit, Failure> {
    let (modules, sees_all_calls) = build(arguments)?;
    let tests = selection::select(arguments, &modules)?;
    let nothing = || Failure::new(Exit::Nothing, words::nothing_to_explore(&arguments.tests));
    if tests.is_empty() {
        return Err(nothing());
    }
    let mut reporter = Reporter {
        arguments,
        cache: ModuleCache::new(sees_all_calls),
        log: EventLog::new(),
        exit: None,
    };
    let mut result = Ok(());
    let explore = |test| (test, explore::explore_test(arguments, test));
    pool::for_each(&tests, explore, &mut |(test, explored)| {
        result = reporter.report(test, explored);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    result?;
    let exit = reporter.exit.ok_or_else(nothing)?;
    if arguments.report {
        write_report(arguments, &reporter.log)?;
    }
    Ok(exit)
}

/// Writes the events, and an HTML report of them.
fn write_report(arguments: &Explore, log: &EventLog) -> Result<(), Failure> {
    let workspace = Workspace::find(arguments.manifest_path.as_deref())?;
    let events = log.write(&workspace)?;
    let report = runs::report(&[events.to_string_lossy().into_owned()])?;
    let page = workspace.home().join("report.html");
    write_to(&page, &report, None)?;
    if arguments.open {
        open(&page);
    }
    Ok(())
}

/// An explored test with everything that is reported about it.
#[derive(Debug)]
pub(crate) struct ExploredTest {
    pub(crate) description: Description,
    pub(crate) exploration: Exploration,
    /// The time that the exploration took.
    pub(crate) duration: Duration,
    /// One for each failure of the exploration.
    pub(crate) confirmations: Vec<Confirmation>,
    pub(crate) assumptions: Vec<Assumption>,
    /// `None` if no output needs it, or the paths cannot be run again.
    pub(crate) view: Option<ExplorationView>,
}

impl ExploredTest {
    /// Returns whether `cargo test` would fail.
    fn is_refuted(&self) -> bool {
        match &self.exploration.verdict {
            Verdict::Holds => self.description.is_exists,
            // A vacuous property fails, as under `cargo test`.
            Verdict::Vacuous => true,
            Verdict::Fails(_) | Verdict::Found(_) => {
                self.confirmations.iter().any(|one| matches!(one, Confirmation::Fails(_)))
            }
            Verdict::Unknown(_) => false,
        }
    }

    fn exit(&self, arguments: &Explore) -> Exit {
        match &self.exploration.verdict {
            _ if self.is_refuted() => Exit::Failed,
            Verdict::Holds => Exit::Success,
            Verdict::Found(_) if self.description.is_exists => Exit::Success,
            _ => undecided(arguments),
        }
    }
}

/// Returns the exit code for a test that is neither proved nor failing.
fn undecided(arguments: &Explore) -> Exit {
    if arguments.require_proof { Exit::Inconclusive } else { Exit::Success }
}

/// Reports explored tests one by one.
struct Reporter<'a, 'm> {
    arguments: &'a Explore,
    cache: ModuleCache<'m>,
    log: EventLog,
    /// The worst exit code so far; `None` before the first test.
    exit: Option<Exit>,
}

impl<'m> Reporter<'_, 'm> {
    fn report(
        &mut self,
        test: &'m SelectedTest<'m>,
        explored: explore::Explored,
    ) -> Result<(), Failure> {
        let exit = match explored {
            Ok(None) => return Ok(()),
            Ok(Some((description, exploration, duration))) => {
                let explored = self.confirm(test, description, exploration, duration)?;
                self.output(test, &explored)?;
                explored.exit(self.arguments)
            }
            Err(why) => {
                say(&why);
                undecided(self.arguments)
            }
        };
        self.exit = self.exit.max(Some(exit));
        Ok(())
    }

    fn confirm(
        &mut self,
        test: &'m SelectedTest<'m>,
        description: Description,
        mut exploration: Exploration,
        duration: Duration,
    ) -> Result<ExploredTest, Failure> {
        self.cache.locate_unsupported_calls(test, &mut exploration);
        let failures = match &exploration.verdict {
            Verdict::Fails(leaves) => leaves.clone(),
            Verdict::Found(leaf) if description.is_not_exists => vec![*leaf],
            _ => Vec::new(),
        };
        let confirmations = match failures.as_slice() {
            [] => Vec::new(),
            leaves => confirm::confirm_failures(test.module, &description, &exploration, leaves)?,
        };
        let assumptions = assumptions::list(&exploration, self.cache.sees_all_calls);
        let view = self.view(test, &exploration);
        Ok(ExploredTest { description, exploration, duration, confirmations, assumptions, view })
    }

    /// Returns the exploration in terms of the source, if an output needs it.
    fn view(
        &mut self,
        test: &'m SelectedTest<'m>,
        exploration: &Exploration,
    ) -> Option<ExplorationView> {
        let Explore { format, coverage, report, emit, .. } = self.arguments;
        if *format == ExploreFormat::Text && !coverage && !report && emit.is_none() {
            return None;
        }
        match self.cache.view(test, exploration) {
            Ok(view) => {
                if view.coverage.is_none() && *coverage {
                    say(&words::no_line_tables(&test.entry));
                }
                Some(view)
            }
            Err(why) => {
                say(&words::no_view(&test.entry, &why));
                None
            }
        }
    }

    fn output(&mut self, test: &SelectedTest<'_>, explored: &ExploredTest) -> Result<(), Failure> {
        let text = match self.arguments.format {
            ExploreFormat::Text => output::text::text(explored, self.arguments.coverage),
            ExploreFormat::Json => output::json::line(explored),
            ExploreFormat::Dot => output::dot::graph(explored),
        };
        to_stdout(&text)?;
        let Some(view) = &explored.view else { return Ok(()) };
        if self.arguments.report {
            self.log.add_test(explored, view, test, &mut self.cache);
        }
        match self.arguments.emit {
            Some(how) => output::inputs::emit(how, test.module, &explored.description, view),
            None => Ok(()),
        }
    }
}

/// Builds the modules. Returns them, and whether all calls of the standard library are seen in
/// them.
fn build(arguments: &Explore) -> Result<(Vec<Module>, bool), Failure> {
    let mut step = |step: &str| say(step);
    let toolchain = Toolchain::find(&mut step).map_err(problem)?;
    if !toolchain.sees_all_calls() {
        say(&words::calls_not_seen());
    }
    let request = Request {
        manifest: arguments.manifest_path.clone(),
        packages: arguments.package.clone(),
        features: features(&arguments.features),
        ..Request::default()
    };
    let built = rebut_build::build(&toolchain, &request, &mut step).map_err(problem)?;
    for skipped in &built.skipped {
        say(&words::skipped(skipped));
    }
    if built.modules.is_empty() && !built.skipped.is_empty() {
        return Err(Failure::new(Exit::Build, words::nothing_built()));
    }
    Ok((built.modules, toolchain.sees_all_calls()))
}

/// Converts the features of the command line for a build.
#[must_use]
pub fn features(features: &rebut_cli::arguments::Features) -> rebut_build::Features {
    rebut_build::Features {
        all: features.all_features,
        no_default: features.no_default_features,
        names: features.names.clone(),
    }
}

/// Converts a problem with a build to the failure of a command.
#[must_use]
pub fn problem(problem: Problem) -> Failure {
    let exit = if problem.is_toolchain() {
        Exit::MissingTool
    } else if problem.is_request() {
        Exit::Usage
    } else {
        Exit::Build
    };
    Failure::new(exit, words::error(problem))
}
