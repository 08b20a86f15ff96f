//! The first inputs of an exploration: those that failed before.

use rebut_build::Module;
use rebut_choice::Tape;
use rebut_concolic::Description;
use rebut_run::{Database, FileDatabase};
use std::path::{Path, PathBuf};

/// Returns the stored failures of a test. Files that cannot be read are skipped; `cargo test`
/// warns about them.
pub(crate) fn stored_failures(module: &Module, description: &Description) -> Vec<Tape> {
    let file = module.root.join(&description.file);
    let Some(package) = package_directory(&file) else { return Vec::new() };
    let cases = FileDatabase::new(&package.to_string_lossy()).load(&description.path);
    cases.into_iter().map(|case| case.tape).collect()
}

/// Returns the directory of the package that contains a file.
fn package_directory(file: &Path) -> Option<PathBuf> {
    let has_manifest = |directory: &&Path| directory.join("Cargo.toml").is_file();
    file.ancestors().skip(1).find(has_manifest).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_of_a_file_is_the_nearest_with_a_manifest() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(package_directory(&here.join("src/explore/seeds.rs")), Some(here.to_owned()));
        assert_eq!(package_directory(Path::new("/nowhere/at/all.rs")), None);
    }
}
