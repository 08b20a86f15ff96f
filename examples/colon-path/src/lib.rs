//! Section 6.4 of the paper behind the input language tells of a service that takes paths
//! with colons between their segments. It handled most characters well and crashed on
//! underscores; a test found it whose inputs covered the structure of the pattern.
//!
//! This is such a service, with that bug ([`resolve`]) and with one that hides better
//! ([`resolve_later`]). The inputs are made by `paths.rebut`:
//!
//! ```console
//! $ cargo rebut generate examples/colon-path/paths.rebut covering -n 20
//! ```

use rebut_spec::{Options, Program, generate, output};

/// What the service is asked for: the segments of a path, as folders of a disk.
///
/// # Panics
/// On a path with an underscore, which is the bug: it is kept free to stand for a colon.
#[must_use]
pub fn resolve(path: &str) -> Vec<String> {
    path.split(':')
        .map(|segment| {
            assert!(!segment.contains('_'), "`{segment}` has an underscore");
            segment.to_ascii_lowercase()
        })
        .collect()
}

/// The same after a hasty repair.
///
/// # Panics
/// On a path with a segment that starts with an underscore and goes on, unless it is the
/// first: those were thought of as names of the system.
#[must_use]
pub fn resolve_later(path: &str) -> Vec<String> {
    path.split(':')
        .enumerate()
        .map(|(place, segment)| match segment.strip_prefix('_') {
            Some(name) if place > 0 && !name.is_empty() => panic!("there is no system `{name}`"),
            _ => segment.replace('_', ":"),
        })
        .collect()
}

/// The program of `paths.rebut`.
pub const PROGRAM: &str = include_str!("../paths.rebut");

/// The paths that an outline of `paths.rebut` makes under a seed.
///
/// # Errors
/// If the program has no such outline, or the paths were refused.
pub fn paths(outline: &str, seed: u64) -> Result<Vec<String>, String> {
    let program = Program::parse("paths.rebut", PROGRAM);
    if let Some(diagnostic) = program.diagnostics.first() {
        return Err(diagnostic.message.clone());
    }
    let environment =
        program.environment(outline).ok_or_else(|| format!("no outline is called `{outline}`"))?;
    let options = Options { seed, ..Options::default() };
    let outcome = generate(environment, &options).map_err(|refused| refused.to_string())?;
    let text = |model| output::json(environment, model)["path"].as_str().map(str::to_owned);
    outcome.models.iter().map(|model| text(model).ok_or("a path is a text".to_owned())).collect()
}
