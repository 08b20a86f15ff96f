//! The state that all tests of a module share. Each part is made by the first test that needs it.

use crate::explore::budget;
use crate::native;
use crate::selection::{SelectedTest, can_be_explored, is_selected};
use crate::words::{self, say};
use rebut_cli::arguments::Explore;
use rebut_concolic::{CodeCache, Description, Doubt, Machine, Quality, Scout, Summary, Verdict};
use rebut_native::{PropertyRun, TestName, TestProgram};
use rebut_protocol::wasm;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The shared state of a module.
#[derive(Debug)]
pub(crate) struct ModuleState {
    pub(crate) wasm: Arc<[u8]>,
    scout: OnceLock<Result<Arc<Scout>, String>>,
    /// The summaries that are proved.
    summaries: OnceLock<Vec<Summary>>,
    /// The selected tests, in batches that are compiled together.
    batches: OnceLock<Vec<Batch>>,
    /// The native runs of the selected tests before they are explored; an error is its message.
    before: OnceLock<Result<BTreeMap<TestName, PropertyRun>, String>>,
}

/// The maximum number of tests that are compiled together.
///
/// Arbitrary. Tests of a module share most of their code, so a larger batch compiles less in
/// total; but no test of a batch starts before all of them were tried out, so the first result
/// comes later. The next test starts another batch.
const BATCH_MAX: usize = 16;

/// Tests that are compiled together, by the first of them that is explored.
#[derive(Debug)]
struct Batch {
    entries: Vec<String>,
    machines: OnceLock<Result<Mutex<HashMap<String, Machine>>, String>>,
}

impl Batch {
    fn new(entries: &[String]) -> Batch {
        Batch { entries: entries.to_vec(), machines: OnceLock::new() }
    }

    /// Takes the machine of a test; `None` if it was taken before.
    fn take_machine(&self, scout: &Arc<Scout>, entry: &str) -> Result<Option<Machine>, String> {
        let compile = || {
            let tests: Vec<&str> = self.entries.iter().map(String::as_str).collect();
            let machines = Machine::for_tests(scout, &tests, Quality::Fine);
            let machines = machines.map_err(|error| error.to_string())?;
            Ok(Mutex::new(self.entries.iter().cloned().zip(machines).collect()))
        };
        let machines = self.machines.get_or_init(compile).as_ref().map_err(Clone::clone)?;
        Ok(machines.lock().unwrap_or_else(PoisonError::into_inner).remove(entry))
    }
}

impl ModuleState {
    pub(crate) fn new(wasm: Arc<[u8]>) -> ModuleState {
        let (scout, summaries, batches) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        ModuleState { wasm, scout, summaries, batches, before: OnceLock::new() }
    }

    /// Returns the machine that runs a selected test.
    pub(crate) fn machine(
        &self,
        arguments: &Explore,
        test: &SelectedTest<'_>,
    ) -> Result<Machine, String> {
        let scout = self.scout()?;
        let batches = self.batches.get_or_init(|| {
            let tests = explored_tests(arguments, test, &scout);
            let entries: Vec<String> = tests.into_iter().map(|(entry, _)| entry).collect();
            entries.chunks(BATCH_MAX).map(Batch::new).collect()
        });
        let own = batches.iter().find(|batch| batch.entries.contains(&test.entry));
        match own.map(|batch| batch.take_machine(&scout, &test.entry)).transpose()?.flatten() {
            Some(machine) => Ok(machine),
            None => Machine::with_scout(scout, &test.entry).map_err(|error| error.to_string()),
        }
    }

    /// Returns how a test ended in the native run before the exploration. All selected tests of the
    /// module run at once.
    pub(crate) fn run_before(
        &self,
        arguments: &Explore,
        test: &SelectedTest<'_>,
        program: &TestProgram,
    ) -> io::Result<Option<PropertyRun>> {
        let run = || {
            let scout = self.scout()?;
            let tests = explored_tests(arguments, test, &scout).into_iter();
            let names: Vec<TestName> =
                tests.map(|(_, description)| TestName::from_path(&description.path)).collect();
            native::run_before(program, &names).map_err(|error| error.to_string())
        };
        let runs = self
            .before
            .get_or_init(run)
            .as_ref()
            .map_err(|error| io::Error::other(error.clone()))?;
        let description = self
            .scout()
            .and_then(|scout| scout.describe(&test.entry).map_err(|error| error.to_string()));
        let description = description.map_err(io::Error::other)?;
        Ok(runs.get(&TestName::from_path(&description.path)).cloned())
    }

    pub(crate) fn scout(&self) -> Result<Arc<Scout>, String> {
        let make = || {
            let (wasm, cache) = (Arc::clone(&self.wasm), code_cache());
            let scout = Scout::with_cache(wasm, rebut_build::unsupported_call, cache);
            scout.map(Arc::new).map_err(|error| error.to_string())
        };
        self.scout.get_or_init(make).clone()
    }

    /// Returns the summaries that may replace functions: those whose tests are proved without any
    /// assumption or doubt.
    pub(crate) fn summaries(&self, arguments: &Explore, entries: &[String]) -> &[Summary] {
        self.summaries.get_or_init(|| {
            let Ok(scout) = self.scout() else { return Vec::new() };
            let is_proved = |summary: &Summary| {
                let mut tests =
                    entries.iter().filter(|entry| is_test_of(summary, entry)).peekable();
                tests.peek().is_some()
                    && tests.all(|entry| {
                        let machine = Machine::with_scout(Arc::clone(&scout), entry);
                        let Ok(mut machine) = machine else { return false };
                        let explored =
                            rebut_concolic::explore(&mut machine, &budget(arguments), &[]);
                        // The width of `usize` is in doubt for the other tests too.
                        let is_sure = explored.doubts.iter().all(|doubt| *doubt == Doubt::Width);
                        explored.verdict == Verdict::Holds && !explored.assumes_hashes && is_sure
                    })
            };
            let (proved, others): (Vec<Summary>, Vec<Summary>) =
                scout.summaries().into_iter().partition(is_proved);
            for other in others {
                say(&words::summary_not_used(&other.test));
            }
            proved
        })
    }
}

/// Returns the tests of a module that are explored, with their entries.
fn explored_tests(
    arguments: &Explore,
    test: &SelectedTest<'_>,
    scout: &Scout,
) -> Vec<(String, Description)> {
    let described = |entry: &String| {
        let description = scout.describe(entry).ok()?;
        let is_explored = is_selected(arguments, &description) && can_be_explored(&description);
        is_explored.then(|| (entry.clone(), description))
    };
    test.module.entries.iter().filter_map(described).collect()
}

/// Returns the cache of compiled modules, if the user has a cache directory.
fn code_cache() -> Option<Arc<CodeCache>> {
    let folder = rebut_build::cache_folder().ok()?;
    CodeCache::open(&folder.join("code")).map(Arc::new)
}

/// Returns whether an export is the test of a summary.
pub(crate) fn is_test_of(summary: &Summary, entry: &str) -> bool {
    wasm::test_of_export(entry) == Some(&summary.test)
}
