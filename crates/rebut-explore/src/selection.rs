//! Selects the tests to explore.

use crate::module_state::ModuleState;
use crate::words;
use rebut_build::Module;
use rebut_cli::arguments::Explore;
use rebut_cli::exit::{Exit, Failure};
use rebut_concolic::Description;
use rebut_protocol::wasm;
use std::fs;
use std::sync::Arc;

/// A test that may be explored.
#[derive(Debug)]
pub(crate) struct SelectedTest<'m> {
    pub(crate) module: &'m Module,
    pub(crate) state: Arc<ModuleState>,
    /// The name of its export.
    pub(crate) entry: String,
}

impl SelectedTest<'_> {
    /// Returns the name of its function.
    pub(crate) fn function(&self) -> &str {
        wasm::test_of_export(&self.entry).unwrap_or(&self.entry)
    }
}

/// Returns the tests that the arguments may select, by the names of their exports. These contain
/// only the function; a filter may also name the crate or a module in between. The description of
/// a test, which is known once the module runs, decides ([`is_selected`]).
pub(crate) fn select<'m>(
    arguments: &Explore,
    modules: &'m [Module],
) -> Result<Vec<SelectedTest<'m>>, Failure> {
    let mut selected = Vec::new();
    let mut others = Vec::new();
    for module in modules {
        let wasm = fs::read(&module.path).map_err(|error| {
            Failure::new(Exit::File, words::file_failed(&module.path, "read", error))
        })?;
        let state = Arc::new(ModuleState::new(wasm.into()));
        let targets = format!("{} {}", module.package, module.target).replace('-', "_");
        for entry in &module.entries {
            let may_match = |filter: &String| {
                let last = filter.rsplit("::").next().unwrap_or_default();
                entry.contains(last) || targets.contains(filter.trim_end_matches("::"))
            };
            let is_wanted = arguments.tests.is_empty() || arguments.tests.iter().any(may_match);
            let test = SelectedTest { module, state: Arc::clone(&state), entry: entry.clone() };
            if is_wanted { selected.push(test) } else { others.push(test) }
        }
    }
    // A filter that matches no export may name a module.
    Ok(if selected.is_empty() { others } else { selected })
}

/// Returns whether the arguments select a test. A test with `#[ignore]` must be named.
pub(crate) fn is_selected(arguments: &Explore, description: &Description) -> bool {
    let is_named = arguments.tests.iter().any(|filter| description.path.contains(filter));
    is_named || (arguments.tests.is_empty() && !description.is_ignored)
}

/// Returns whether an exploration would answer what `cargo test` does.
pub(crate) fn can_be_explored(description: &Description) -> bool {
    !description.should_panic && !description.has_specification
}
