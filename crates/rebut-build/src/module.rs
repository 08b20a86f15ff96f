//! One built test target, and what it exports and imports.

use std::fs;
use std::path::{Path, PathBuf};

use wasmparser::{Parser, Payload};

use crate::Problem;
use crate::package::Target;

/// The tests of one target, as a WebAssembly module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Module {
    /// The package.
    pub package: String,
    /// Which of its targets.
    pub target: Target,
    /// The module.
    pub path: PathBuf,
    /// The exported functions, one for each test.
    pub entries: Vec<String>,
    /// What it imports from others than Rebut: code that is not Rust.
    pub foreign: Vec<Foreign>,
    /// The folder that the files in panics and descriptions are relative to.
    pub root: PathBuf,
    /// That folder as the compiler saw it: another one if some dependencies had to be left out.
    pub built_in: PathBuf,
    /// The folders of the packages whose code is under test, relative to both: those of the
    /// workspace, without what Rebut itself is made of.
    pub packages: Vec<PathBuf>,
    /// The folders of all other packages that are in that folder.
    pub libraries: Vec<PathBuf>,
    /// Dependencies of the tests that it was built without, because they cannot be built.
    pub without: Vec<String>,
}

/// A function of another module, such as one of a C library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Foreign {
    /// The module it is imported from; `env` for what the linker did not find.
    pub module: String,
    /// Its name.
    pub name: String,
}

/// What the exports of all tests begin with.
const ENTRY: &str = "rebut_test_";
/// The module of what Rebut itself imports.
const OWN: &str = "rebut";

/// The entries and foreign functions of a module.
pub(crate) fn interface(path: &Path) -> Result<(Vec<String>, Vec<Foreign>), Problem> {
    let bytes = fs::read(path).map_err(|error| Problem::file("read", path, &error))?;
    let (mut entries, mut foreign) = (Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(&bytes) {
        let payload = payload.map_err(|error| {
            Problem::cargo(format!("{} is not a WebAssembly module: {error}", path.display()))
        })?;
        match payload {
            Payload::ImportSection(section) => {
                for import in section.into_imports().flatten() {
                    if import.module != OWN {
                        let (module, name) = (import.module.to_owned(), import.name.to_owned());
                        foreign.push(Foreign { module, name });
                    }
                }
            }
            Payload::ExportSection(section) => {
                let names = section.into_iter().flatten().map(|export| export.name);
                entries.extend(names.filter(|name| name.starts_with(ENTRY)).map(str::to_owned));
            }
            _ => {}
        }
    }
    Ok((entries, foreign))
}
