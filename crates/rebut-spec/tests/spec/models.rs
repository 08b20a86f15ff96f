//! The programs of the paper and others: their plans and models must be as expected.

use crate::common::{expected, files, load};
use rebut_spec::{Options, explain, generate, output};
use std::fmt::Write;
use std::path::Path;

fn models(path: &Path) -> String {
    let program = load(path);
    let mut shown = String::new();
    for diagnostic in program.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
        let _ = writeln!(shown, "{}", program.sources.in_one_line(diagnostic));
    }
    for environment in &program.environments {
        shown += &explain(environment, &Options::default());
        match generate(environment, &Options::default()) {
            Ok(outcome) => {
                for model in outcome.models.iter().take(30) {
                    let _ = writeln!(shown, "{}", output::json(environment, model));
                }
                let _ = writeln!(shown, "{} models: {:?}\n", outcome.models.len(), outcome.verdict);
            }
            Err(refused) => panic!("{}: {}: {refused}", path.display(), environment.name),
        }
    }
    shown
}

#[test]
fn programs_of_the_paper_generate_the_expected_models() {
    for path in files("paper") {
        expected(&path, "models").assert_eq(&models(&path));
    }
}

#[test]
fn coupled_programs_generate_the_expected_models() {
    for path in files("coupled") {
        expected(&path, "models").assert_eq(&models(&path));
    }
}

#[test]
fn json_specifications_generate_the_expected_models() {
    for path in files("frontends") {
        expected(&path, "models").assert_eq(&models(&path));
    }
}
