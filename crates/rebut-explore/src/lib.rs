//! Explores every path through the properties of a workspace: `cargo rebut explore`.
//!
//! The tests are built for WebAssembly (`rebut-build`) and explored there (`rebut-concolic`), one
//! on each processor. An exploration is a function of its test and its budget, so the order of the
//! work does not change the results. The native program has the first and the last word: it runs
//! each test before the exploration, each failure of it, and the input of each path after it. A
//! failure is printed as the report of its native run, with the shrunk input.
//!
//! - `selection` finds the tests, and `module_state` holds what the tests of one module share.
//! - `explore` explores one test; `pool` runs many at once.
//! - `native` builds and runs the native program, `failures` collects its failures, and `agreement`
//!   compares it with the explored paths.
//! - `verdict` computes the verdict, and `reason` lists what keeps it from being a proof.
//! - `conditional` finds executed code that is compiled for one target only.
//! - `view` translates an exploration to conditions, lines and inputs of the source.
//! - `output` prints and writes all that: text, JSON, graphs, events, emitted tests.
//!
//! The crate never reports a failure that no native run confirms.
//!
//! ```
//! // Results come in the order of the items, whichever is ready first.
//! assert_eq!(rebut_explore::pool::map([3, 1, 2], |n| n * 10), [30, 10, 20]);
//! ```

mod agreement;
pub mod conditional;
mod explore;
mod failures;
mod module_state;
mod native;
mod output;
pub mod pool;
mod reason;
mod seeds;
mod selection;
mod verdict;
mod view;
mod waiting;
mod words;

use crate::words::say;
use explore::{ExploreResult, Explored, NotExplored};
use native::NativePrograms;
use output::events::EventLog;
use rebut_build::{ConditionalCode, Module, Problem, Request, Toolchain};
use rebut_cli::arguments::{Explore, ExploreFormat};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::{open, to_stdout, write_to};
use rebut_cli::runs::{self, Workspace};
use rebut_concolic::{Description, Exploration, Proof};
use selection::SelectedTest;
use std::ops::ControlFlow;
use std::time::Duration;
use verdict::{NativeRuns, Verdict, undecided};
use view::{ExplorationView, ModuleCache};
use waiting::Waiting;

/// Explores the tests that the arguments select, prints the results, and returns the exit code.
///
/// # Errors
/// If nothing can be explored, or a result cannot be written.
pub fn run(arguments: &Explore) -> Result<Exit, Failure> {
    // Reports run the paths again on this thread, so it needs the large stack too.
    pool::run_command(|| explore_and_report(arguments))
}

fn explore_and_report(arguments: &Explore) -> Result<Exit, Failure> {
    let (modules, sees_all_calls, conditional_code) = build(arguments)?;
    let tests = selection::select(arguments, &modules)?;
    let nothing = || Failure::new(Exit::Nothing, words::nothing_to_explore(&arguments.tests));
    if tests.is_empty() {
        return Err(nothing());
    }
    let programs = NativePrograms::build(arguments, tests.iter().map(|test| test.module))?;
    let waiting = Waiting::start(arguments.time);
    let mut reporter = Reporter {
        arguments,
        waiting: &waiting,
        cache: ModuleCache::new(sees_all_calls, conditional_code),
        log: EventLog::new(),
        exit: None,
        in_order: pool::InOrder::default(),
    };
    let mut result = Ok(());
    let explore = |nth, test: &SelectedTest<'_>| {
        explore::explore_test(arguments, &programs, test, &waiting.watch(nth, test.function()))
    };
    pool::for_each_soon(&tests, explore, PATIENCE, &mut |nth, explored| {
        result = reporter.report(nth, &tests[nth], explored);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if let Some(exit) = waiting::interruption() {
        return Ok(exit);
    }
    result?;
    let exit = reporter.exit.ok_or_else(nothing)?;
    if arguments.report {
        write_report(arguments, &reporter.log)?;
    }
    Ok(exit)
}

/// How long a test that takes its time holds back the results of those after it. Arbitrary: tests
/// that are explored quickly are printed in their order, and a failure is shown soon.
const PATIENCE: Duration = Duration::from_secs(2);

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

/// A test with everything that is reported about it.
#[derive(Debug)]
pub(crate) struct ExploredTest {
    pub(crate) description: Description,
    pub(crate) verdict: Verdict,
    /// `None` if the native run decided the test.
    pub(crate) exploration: Option<Exploration>,
    pub(crate) native: NativeRuns,
    /// The time that the exploration took.
    pub(crate) duration: Duration,
    /// `None` if no output needs it, or the paths cannot be run again.
    pub(crate) view: Option<ExplorationView>,
}

impl ExploredTest {
    /// Returns the verdict as a sentence.
    pub(crate) fn sentence(&self) -> String {
        let paths = self.exploration.as_ref().map(|exploration| exploration.leaves.len());
        self.verdict.sentence(&self.description, paths)
    }
}

/// Reports explored tests one by one.
struct Reporter<'a, 'm> {
    arguments: &'a Explore,
    waiting: &'a Waiting,
    /// Tests whose text is printed, and that wait for those before them.
    in_order: pool::InOrder<Option<(&'m SelectedTest<'m>, ExploredTest)>>,
    cache: ModuleCache<'m>,
    log: EventLog,
    /// The worst exit code so far; `None` before the first test.
    exit: Option<Exit>,
}

impl<'m> Reporter<'_, 'm> {
    /// Reports a test. People get its text at once; all else is in the order of the tests.
    fn report(
        &mut self,
        nth: usize,
        test: &'m SelectedTest<'m>,
        explored: ExploreResult,
    ) -> Result<(), Failure> {
        let explored = match explored {
            Ok(None) => None,
            Ok(Some(explored)) => {
                let judged = self.judge(test, explored);
                if self.arguments.format == ExploreFormat::Text {
                    let text = output::text::text(&judged, self.arguments.coverage);
                    self.waiting.print(|| to_stdout(&text))?;
                }
                let exit = judged.verdict.exit(self.arguments.require_proof);
                if exit == Exit::Failed {
                    self.waiting.note_failure();
                }
                self.exit = self.exit.max(Some(exit));
                Some((test, judged))
            }
            Err(NotExplored::Skipped(why)) => {
                self.waiting.print(|| say(&why));
                self.exit = self.exit.max(Some(undecided(self.arguments.require_proof)));
                None
            }
            Err(NotExplored::Failed(failure)) => return Err(failure),
        };
        let mut ready = Vec::new();
        let _ = self.in_order.add(nth, explored, &mut |explored| {
            ready.extend(explored);
            ControlFlow::Continue(())
        });
        ready.into_iter().try_for_each(|(test, explored)| self.output(test, &explored))
    }

    fn judge(&mut self, test: &'m SelectedTest<'m>, explored: Explored) -> ExploredTest {
        let Explored { description, mut exploration, mut native, duration } = explored;
        let (mut verdict, mut view) = (Verdict::Unknown(Vec::new()), None);
        if let Some(exploration) = &mut exploration {
            self.cache.locate_unsupported_calls(test, exploration);
            self.cache.add_doubts_about_targets(test, &description, exploration);
            if let Some(divergence) = native.paths.divergences.first_mut() {
                divergence.input = self.cache.input(test, exploration, divergence.leaf);
            }
            let sees_all_calls = self.cache.sees_all_calls;
            verdict = Verdict::of(&description, exploration, &native, sees_all_calls);
            view = self.view(test, exploration, &verdict);
        } else if let Some(decided) = native.verdict(&description) {
            verdict = decided;
        }
        ExploredTest { description, verdict, exploration, native, duration, view }
    }

    /// Returns the exploration in terms of the source, if an output needs it.
    fn view(
        &mut self,
        test: &'m SelectedTest<'m>,
        exploration: &Exploration,
        verdict: &Verdict,
    ) -> Option<ExplorationView> {
        let Explore { format, coverage, report, emit, .. } = self.arguments;
        if *format == ExploreFormat::Text && !coverage && !report && emit.is_none() {
            return None;
        }
        match self.cache.view(test, exploration) {
            Ok(mut view) => {
                match &mut view.coverage {
                    // Without a proof, no line is known to be unreachable.
                    Some(lines) if !verdict.reasons().is_empty() => lines.proof = Proof::None,
                    None if *coverage => say(&words::no_line_tables(&test.entry)),
                    _ => {}
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
            ExploreFormat::Text => String::new(),
            ExploreFormat::Json => output::json::line(explored),
            ExploreFormat::Dot => output::dot::graph(explored),
        };
        self.waiting.print(|| to_stdout(&text))?;
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

/// Builds the modules. Returns them, whether all calls of the standard library are seen in them,
/// and what compares them with a native build.
fn build(arguments: &Explore) -> Result<(Vec<Module>, bool, ConditionalCode), Failure> {
    let mut step = |step: &str| say(step);
    let toolchain = Toolchain::find(&mut step).map_err(problem)?;
    if !toolchain.sees_all_calls() {
        say(&words::calls_not_seen());
    }
    if toolchain.pointer_width() != usize::BITS {
        say(&words::other_pointer_width(toolchain.pointer_width()));
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
    let conditional_code = ConditionalCode::new(&toolchain);
    Ok((built.modules, toolchain.sees_all_calls(), conditional_code))
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
