//! The environments of programs, and the errors of broken programs.

use crate::common::{expected, files, load, testdata};
use rebut_spec::Program;
use std::fmt::Write;

fn diagnostics(program: &Program) -> String {
    let directory = format!("{}/", testdata().display());
    let lines =
        program.diagnostics.iter().map(|diagnostic| program.sources.in_one_line(diagnostic));
    lines.map(|line| line.replace(&directory, "") + "\n").collect()
}

#[test]
fn programs_of_the_paper_have_the_expected_environments() {
    for path in files("paper") {
        let program = load(&path);
        let mut shown = diagnostics(&program);
        for environment in &program.environments {
            let _ = writeln!(shown, "{}", environment.show());
        }
        assert!(!program.has_errors(), "{}: {shown}", path.display());
        expected(&path, "environment").assert_eq(&shown);
    }
}

#[test]
fn broken_programs_report_all_errors() {
    for path in files("errors") {
        let program = load(&path);
        assert!(program.has_errors() && program.environments.is_empty(), "{}", path.display());
        expected(&path, "errors").assert_eq(&diagnostics(&program));
    }
}
