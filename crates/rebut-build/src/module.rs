//! One built test target, with its exports and imports.

use std::fs;
use std::path::{Path, PathBuf};

use rebut_protocol::terminal::path_on_one_line;
use rebut_protocol::wasm;
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
    /// The bits of a `usize` in it: 64, or 32.
    pub pointer_width: u32,
    /// The exported functions, one for each test.
    pub entries: Vec<String>,
    /// The functions that it imports, except those of Rebut: code that is not Rust.
    pub foreign: Vec<ForeignFunction>,
    /// The directory that the files in panics and descriptions are relative to.
    pub root: PathBuf,
    /// That directory as the compiler saw it: the root of the shadow if the module was built from
    /// one.
    pub built_in: PathBuf,
    /// The directories of the packages whose code is under test, relative to both: the members of
    /// the workspace, except the crates of Rebut.
    pub packages: Vec<PathBuf>,
    /// The directories of all other packages inside `root`, relative to it.
    pub libraries: Vec<PathBuf>,
    /// Dependencies of the tests that were omitted because they cannot be built.
    pub without: Vec<String>,
}

/// A function of another module, such as one of a C library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForeignFunction {
    /// The module it is imported from; `env` for a symbol that the linker did not find.
    pub module: String,
    /// Its name.
    pub name: String,
}

/// Reads the test entries and the foreign functions of a module.
pub(crate) fn interface(path: &Path) -> Result<(Vec<String>, Vec<ForeignFunction>), Problem> {
    let bytes = fs::read(path).map_err(|error| Problem::file("read", path, &error))?;
    let (mut entries, mut foreign) = (Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(&bytes) {
        let payload = payload.map_err(|error| {
            let path = path_on_one_line(path);
            Problem::cargo(format!("{path} is not a WebAssembly module: {error}"))
        })?;
        match payload {
            Payload::ImportSection(section) => {
                for import in section.into_imports().flatten() {
                    if import.module != wasm::IMPORT_MODULE {
                        let (module, name) = (import.module.to_owned(), import.name.to_owned());
                        foreign.push(ForeignFunction { module, name });
                    }
                }
            }
            Payload::ExportSection(section) => {
                let names = section.into_iter().flatten().map(|export| export.name);
                entries.extend(
                    names.filter(|name| name.starts_with(wasm::TEST_PREFIX)).map(str::to_owned),
                );
            }
            _ => {}
        }
    }
    Ok((entries, foreign))
}
