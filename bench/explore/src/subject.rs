//! Tests, built for WebAssembly as those of users are.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bench_measure::own_cpu_ns;
use rebut_build::{Module, Request, Toolchain};
use rebut_concolic::{Budget, Description, Exploration, Machine, Scout, Side};

/// A test of a module.
#[derive(Clone)]
pub(crate) struct Subject {
    pub(crate) module: Module,
    pub(crate) wasm: Arc<[u8]>,
    /// Finds out what tests of the module call.
    pub(crate) scout: Arc<Scout>,
    /// The CPU seconds that took to make, once for all tests of the module.
    pub(crate) scout_s: f64,
    pub(crate) entry: String,
}

/// An exploration, and what it cost.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) description: Description,
    pub(crate) exploration: Exploration,
    /// All of it: trying random inputs, instrumenting, compiling and exploring.
    pub(crate) cpu_s: f64,
}

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// Builds the tests of a package.
pub(crate) fn build(manifest: &Path, package: &str) -> Result<Vec<Subject>, String> {
    let mut say = |step: &str| eprintln!("{step}");
    let toolchain = Toolchain::find(&mut say).map_err(|problem| problem.to_string())?;
    let request = Request {
        manifest: Some(manifest.to_owned()),
        packages: vec![package.to_owned()],
        ..Request::default()
    };
    let built = rebut_build::build(&toolchain, &request, &mut say);
    let built = built.map_err(|problem| problem.to_string())?;
    if let Some(skipped) = built.skipped.first() {
        return Err(skipped.to_string());
    }
    let mut subjects = Vec::new();
    for module in built.modules {
        let wasm = fs::read(&module.path);
        let wasm: Arc<[u8]> = wasm.map_err(|error| error.to_string())?.into();
        let new = || Scout::new(Arc::clone(&wasm), rebut_build::unsupported_call);
        let (scout, scout_s) = timed(new);
        let scout = Arc::new(scout.map_err(|unfit| unfit.to_string())?);
        for entry in module.entries.clone() {
            let (wasm, scout) = (Arc::clone(&wasm), Arc::clone(&scout));
            subjects.push(Subject { module: module.clone(), wasm, scout, scout_s, entry });
        }
    }
    Ok(subjects)
}

impl Subject {
    /// The module, instrumented and compiled for this test.
    pub(crate) fn machine(&self) -> Result<Machine, String> {
        Machine::with_scout(Arc::clone(&self.scout), &self.entry)
            .map_err(|unfit| format!("{}: {unfit}", self.entry))
    }

    /// Explores once, and gives back what was compiled.
    pub(crate) fn cold(&self, budget: &Budget) -> Result<(Explored, Machine), String> {
        let (result, cpu_s) = timed(|| -> Result<_, String> {
            let description = self.scout.describe(&self.entry);
            let description = description.map_err(|unfit| unfit.to_string())?;
            let mut machine = self.machine()?;
            let exploration = rebut_concolic::explore(&mut machine, budget, &[]);
            Ok((description, exploration, machine))
        });
        let (description, exploration, machine) = result?;
        Ok((Explored { description, exploration, cpu_s }, machine))
    }
}

impl Explored {
    /// CPU seconds of exploring alone: the same once more, with what was compiled before. None
    /// if it is not the same.
    pub(crate) fn again(&self, machine: &mut Machine, budget: &Budget) -> Option<f64> {
        let (again, again_s) = timed(|| rebut_concolic::explore(machine, budget, &[]));
        (again.leaves.len() == self.exploration.leaves.len()).then_some(again_s)
    }

    /// Whether each side of each branch was taken or is proved to be impossible.
    pub(crate) fn is_complete(&self) -> bool {
        let is_known =
            |side: &Side| !matches!(side, Side::Open | Side::Unknown(_) | Side::Diverged);
        let nodes = self.exploration.tree.nodes();
        nodes.iter().all(|node| is_known(node.side(true)) && is_known(node.side(false)))
    }
}

/// What a function gives, and the CPU seconds it takes.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = own_cpu_ns();
    let result = work();
    (result, (own_cpu_ns() - begun) as f64 / 1e9)
}
