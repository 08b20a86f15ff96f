//! Programs and what they mean, and broken programs and what is said about them.

use expect_test::expect_file;
use rebut_spec::Program;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")
}

fn load(path: &Path) -> Program {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| error.to_string());
    match read(path) {
        Ok(text) => Program::load_with(path, &text, &read),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = std::fs::read_dir(testdata().join(folder)).map(|entries| {
        let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
        paths.filter(|path| path.extension().is_some_and(|end| end == "rebut")).collect()
    });
    let mut files: Vec<PathBuf> = folder.unwrap_or_default();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn diagnostics(program: &Program) -> String {
    let folder = format!("{}/", testdata().display());
    let lines =
        program.diagnostics.iter().map(|diagnostic| program.sources.in_one_line(diagnostic));
    lines.map(|line| line.replace(&folder, "") + "\n").collect()
}

fn expected(path: &Path, end: &str) -> Kept {
    Kept(path.with_extension(end))
}

struct Kept(PathBuf);

impl Kept {
    fn assert_eq(&self, actual: &str) {
        expect_file![&self.0].assert_eq(actual);
    }
}

#[test]
fn the_programs_of_the_paper_mean_this() {
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
fn broken_programs_get_all_of_their_errors() {
    for path in files("errors") {
        let program = load(&path);
        assert!(program.has_errors() && program.environments.is_empty(), "{}", path.display());
        expected(&path, "errors").assert_eq(&diagnostics(&program));
    }
}
