//! Inputs to begin with: those that failed before.

use rebut_build::Module;
use rebut_choice::Tape;
use rebut_concolic::Description;
use rebut_run::{Database, FileDatabase};
use std::path::{Path, PathBuf};

/// The stored failures of a test. Whatever cannot be read is left to `cargo test` to complain of.
pub(crate) fn of(module: &Module, description: &Description) -> Vec<Tape> {
    let Some(folder) = package_of(&module.root.join(&description.file)) else { return Vec::new() };
    let cases = FileDatabase::new(&folder.to_string_lossy()).load(&description.path);
    cases.into_iter().map(|case| case.tape).collect()
}

/// The folder of the package that a file belongs to.
fn package_of(file: &Path) -> Option<PathBuf> {
    let has_manifest = |folder: &&Path| folder.join("Cargo.toml").is_file();
    file.ancestors().skip(1).find(has_manifest).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_of_a_file_is_the_nearest_with_a_manifest() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(package_of(&here.join("src/explore/seeds.rs")), Some(here.to_owned()));
        assert_eq!(package_of(Path::new("/nowhere/at/all.rs")), None);
    }
}
