//! Runs the selected tests natively: before an exploration, for each failure of it, and after it.
//!
//! An exploration runs a module that was built for WebAssembly, and users ship another program. So
//! the native program has the first and the last word:
//!
//! - **Before**: it runs each test as `cargo test` does, and all inputs if there are few. A failure
//!   or a proof of this run is the verdict, and nothing has to be explored.
//! - **During**: it runs each failing input, which it shrinks, stores and reports.
//! - **After**: it runs the input of every path. A path that ends differently there contradicts the
//!   exploration ([`agreement`](crate::agreement)).
//!
//! Each package is built once, with the features of the command line, and the programs are started
//! by their paths.

use crate::words;
use rebut_build::Module;
use rebut_cli::arguments::Explore;
use rebut_cli::exit::{self, Exit};
use rebut_native::{
    BuiltProgram, PropertyRun, RunOptions, TestName, TestProgram, TestResult, build_in,
};
use rebut_protocol::settings;
use rebut_protocol::variables::INPUTS_MAX;
use rebut_report::ReplayedInput;
use std::collections::BTreeMap;
use std::io;

/// A test is proved natively if it has at most this many inputs.
///
/// A product decision: all values of two bytes take about a tenth of a second.
const INPUTS: u64 = 1 << 16;

/// The native test programs of all packages.
#[derive(Debug, Default)]
pub(crate) struct NativePrograms {
    programs: Vec<BuiltProgram>,
}

impl NativePrograms {
    /// Builds the programs of these modules, one package after another. Tests that do not build have
    /// none.
    ///
    /// # Errors
    /// If cargo cannot be started.
    pub(crate) fn build<'m>(
        arguments: &Explore,
        modules: impl Iterator<Item = &'m Module>,
    ) -> Result<NativePrograms, exit::Failure> {
        let mut packages: BTreeMap<&str, Vec<&Module>> = BTreeMap::new();
        for module in modules {
            let of_package = packages.entry(&module.package).or_default();
            if of_package.iter().all(|known| known.target != module.target) {
                of_package.push(module);
            }
        }
        let mut programs = Vec::new();
        for (package, modules) in packages {
            let mut selection = vec!["-p".to_owned(), package.to_owned()];
            for module in &modules {
                selection.extend(module.target.arguments().into_iter().map(str::to_owned));
            }
            selection.extend(crate::features(&arguments.features).arguments());
            let Some(module) = modules.first() else { continue };
            let (built, why) = build_in(&module.root, &selection)?;
            programs.extend(built);
            if let Some(why) = why {
                words::say(&words::not_native(&why));
            }
        }
        Ok(NativePrograms { programs })
    }

    /// Returns the program with the tests of a module; `None` if cargo did not report one.
    pub(crate) fn of(&self, module: &Module) -> Option<&TestProgram> {
        let mut selection = vec!["-p", &module.package];
        selection.extend(module.target.arguments());
        let built = self.programs.iter().find(|built| built.selection == selection);
        built.map(|built| &built.program)
    }
}

/// Runs tests as `cargo test` does, but tries all inputs of more of them.
pub(crate) fn run_before(
    program: &TestProgram,
    tests: &[TestName],
) -> io::Result<BTreeMap<TestName, PropertyRun>> {
    let mut options = options().variable(INPUTS_MAX, INPUTS.to_string());
    if std::env::var_os(settings::SEED.variable).is_none() {
        // The same tests have the same verdicts each time; `cargo test` tries other cases.
        options = options.variable(settings::SEED.variable, "1");
    }
    program.run_exactly(tests, &options)
}

/// Runs an input that fails in WebAssembly. The result has its report, which is that of a failure
/// that `cargo test` found.
pub(crate) fn run_failing(
    program: &TestProgram,
    test: &TestName,
    replay: &str,
) -> io::Result<TestResult> {
    let options = options()
        .variable(settings::REPLAY.variable, replay)
        .variable(settings::FOUND_BY.variable, "exploration");
    program.run(test, &options)
}

/// Runs the inputs of paths.
pub(crate) fn run_paths(
    program: &TestProgram,
    test: &TestName,
    replays: &[String],
) -> io::Result<Vec<Option<ReplayedInput>>> {
    program.replay(test, replays, &options())
}

/// A replay that the user has in the environment is not meant for these runs.
fn options() -> RunOptions {
    RunOptions::default().including_ignored().without_variable(settings::REPLAY.variable)
}

/// Converts an error of a native run to the failure of the command.
pub(crate) fn not_run(error: &io::Error) -> exit::Failure {
    exit::Failure::new(Exit::MissingTool, words::cargo_not_started(error))
}
