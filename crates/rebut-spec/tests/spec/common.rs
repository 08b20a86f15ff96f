//! Helpers of the tests: files of `testdata`, and the expected output beside them.

use expect_test::expect_file;
use rebut_spec::Program;
use std::path::{Path, PathBuf};

pub(crate) fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")
}

pub(crate) fn load(path: &Path) -> Program {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|error| error.to_string());
    match read(path) {
        Ok(text) => Program::load_with(path, &text, &read),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

pub(crate) fn files(directory: &str) -> Vec<PathBuf> {
    let directory = std::fs::read_dir(testdata().join(directory)).map(|entries| {
        let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
        paths
            .filter(|path| {
                path.extension()
                    .is_some_and(|end| ["rebut", "json", "yaml"].iter().any(|known| end == *known))
            })
            .collect()
    });
    let mut files: Vec<PathBuf> = directory.unwrap_or_default();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The file beside a program with its expected output.
pub(crate) fn expected(path: &Path, end: &str) -> ExpectedFile {
    ExpectedFile(path.with_extension(end))
}

pub(crate) struct ExpectedFile(PathBuf);

impl ExpectedFile {
    pub(crate) fn assert_eq(&self, actual: &str) {
        expect_file![&self.0].assert_eq(actual);
    }
}
