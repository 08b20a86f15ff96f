//! Small programs with mistakes in them, for the stories in the folders beside this one.

/// The greatest common divisor.
///
/// The mistake: there are inputs for which it never ends, or never returns.
#[must_use]
pub fn common_divisor(a: u64, b: u64) -> u64 {
    if a == b {
        a
    } else if a > b {
        common_divisor(a - b, b)
    } else {
        common_divisor(a, b - a)
    }
}

/// The inputs of an outline of a specification, which may import the other files.
///
/// # Panics
/// If the specification has errors; a story has none.
#[must_use]
pub fn inputs(text: &str, files: &[(&str, &str)], outline: &str) -> Vec<serde_json::Value> {
    let read = |path: &std::path::Path| {
        let file = files.iter().find(|(name, _)| path.ends_with(name));
        file.map(|(_, text)| (*text).to_owned()).ok_or_else(|| "it is not there".to_owned())
    };
    let program = rebut_spec::Program::load_with("story.rebut".as_ref(), text, &read);
    let environment = program.environment(outline).expect("an outline without errors");
    let outcome = rebut_spec::generate(environment, &rebut_spec::Options::default());
    let models = outcome.expect("models that the judge accepts").models;
    models.iter().map(|model| rebut_spec::output::json(environment, model)).collect()
}
