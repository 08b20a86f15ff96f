//! Finds the directory that cargo builds into, from inside a test binary.
//!
//! Cargo does not pass it to tests, so Rebut looks for files that cargo leaves there. One file is
//! not enough: cargo writes `CACHEDIR.TAG` only if it creates the directory itself, and
//! `.rustc_info.json` can be switched off. With `build.build-dir` the binary is in the build
//! directory, and Rebut finds that one; `cargo rebut` reads both.

use std::io;
use std::path::{Path, PathBuf};

use rebut_protocol::settings;

/// Returns the target directory of the build that this binary comes from.
pub(crate) fn target() -> Option<PathBuf> {
    let directory = |variable: &str| {
        let path = PathBuf::from(std::env::var_os(variable)?);
        path.is_absolute().then_some(path)
    };
    if let Some(given) = directory(settings::TARGET_DIR.variable) {
        return Some(given);
    }
    let binary = std::env::current_exe().ok();
    if let Some(found) = binary.and_then(|binary| target_above(&binary)) {
        return Some(found);
    }
    // A documentation test is built in a temporary directory. Cargo still sets the variables of
    // its package, as it does for a binary that a runner has moved.
    for variable in ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"] {
        if let Some(given) = directory(variable)
            && given.is_dir()
        {
            return Some(given);
        }
    }
    target_beside(&directory("CARGO_MANIFEST_DIR")?)
}

/// Returns the warning for a missing target directory. The run then writes no files there.
pub(crate) fn no_target() -> String {
    no_target_for(std::env::current_exe())
}

fn no_target_for(binary: io::Result<PathBuf>) -> String {
    let why = match binary {
        Ok(binary) => format!(" from {}", super::shown(&binary)),
        Err(why) => format!(", because the system does not say where the test binary is ({why})"),
    };
    format!(
        "cannot find cargo's target directory{why}: events and regression tests are not written; \
         set {} to its absolute path",
        settings::TARGET_DIR.variable
    )
}

/// Returns the target directory that a test binary is in.
#[inline(never)]
fn target_above(binary: &Path) -> Option<PathBuf> {
    for directory in binary.ancestors().skip(1).take(DEPTH_MAX) {
        if is_marked(directory) {
            return Some(above_triple(directory).unwrap_or(directory).to_owned());
        }
    }
    // Extracted archives lack these files, but have the layout
    // `<target>/[<triple>/]<profile>/deps/<name>-<hash>`.
    let deps = binary.parent()?;
    let profile = deps.parent()?;
    if deps.file_name()? != "deps" {
        return None;
    }
    let directory = profile.parent()?;
    match directory.parent() {
        Some(above) if is_triple(directory) => Some(above.to_owned()),
        _ => Some(directory.to_owned()),
    }
}

/// Returns the target directory if this is its directory for one triple. Cargo marks that
/// directory too.
fn above_triple(directory: &Path) -> Option<&Path> {
    directory.parent().filter(|above| is_triple(directory) && is_marked(above))
}

/// Returns whether a directory is that of a profile: `<target>/[<triple>/]<profile>`.
pub(crate) fn is_profile(directory: &Path) -> bool {
    directory.ancestors().skip(1).take(2).any(is_marked)
}

/// Returns the triple in the path of a directory `<target>/[<triple>/]<profile>`, if there is one.
/// The name of a target in a JSON file is not one.
pub(crate) fn triple_of(profile_directory: &Path) -> Option<&str> {
    let directory = profile_directory.parent()?;
    above_triple(directory)?;
    directory.file_name()?.to_str()
}

/// The maximum depth of a binary below the target directory. Today it is at most four (triple,
/// profile, `deps`); a layout that cargo is preparing has a directory for each unit of a build.
const DEPTH_MAX: usize = 8;

/// Returns the target directory of a package at its default location: next to the manifest of the
/// workspace.
#[inline(never)]
fn target_beside(manifest_dir: &Path) -> Option<PathBuf> {
    for directory in manifest_dir.ancestors() {
        let target = directory.join("target");
        if is_marked(&target) {
            return Some(target);
        }
    }
    None
}

/// Returns whether cargo has marked this directory as one that it builds into.
fn is_marked(directory: &Path) -> bool {
    if directory.join(".rustc_info.json").is_file() {
        return true;
    }
    // Other programs write such tags too, for caches that are not target directories.
    let tag = super::read(&directory.join("CACHEDIR.TAG"), TAG_MAX);
    tag.is_ok_and(|tag| crate::strings::find(&tag, "created by cargo").is_some())
}

/// The maximum size of a tag; cargo's has 177 bytes.
const TAG_MAX: u64 = 4096;

/// Returns whether the name of a directory is the triple that this binary was built for.
fn is_triple(directory: &Path) -> bool {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    // The triples of `x86` are `i686-..` and older ones.
    let architecture = if cfg!(target_arch = "x86") { "i" } else { std::env::consts::ARCH };
    name.starts_with(architecture) && crate::strings::find(&name, "-").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::scratch::Scratch;
    use std::fs;

    const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by cargo.\n";

    /// Returns the target directory found for a binary, relative to the scratch directory, if
    /// these files exist.
    fn found(binary: &str, files: &[(&str, &str)]) -> Option<String> {
        let home = Scratch::new();
        let binary = home.path().join(binary);
        for (name, text) in files {
            let path = home.path().join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            fs::write(path, text).expect("a file");
        }
        let found = target_above(&binary)?;
        Some(found.strip_prefix(home.path()).expect("below").display().to_string())
    }

    #[cfg(unix)]
    #[test]
    fn a_missing_target_directory_has_a_reason() {
        let known = no_target_for(Ok(PathBuf::from("/a/b")));
        assert!(known.contains("directory from /a/b: events"), "{known}");
        let unknown = no_target_for(Err(io::Error::other("no /proc")));
        assert!(unknown.contains("directory, because the system does not say where"), "{unknown}");
        assert!(unknown.contains("(no /proc): events"), "{unknown}");
    }

    #[test]
    fn target_directories_are_found_in_every_layout() {
        let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let tag = |directory: &str| vec![(format!("{directory}/CACHEDIR.TAG"), TAG)];
        let info = |directory: &str| vec![(format!("{directory}/.rustc_info.json"), "{}")];
        let inner = format!("t/{triple}");
        for (binary, marks, expected) in [
            // The layout of cargo.
            ("t/debug/deps/a-1".to_owned(), tag("t"), Some("t")),
            // It marks the directory of a triple too.
            (format!("{inner}/debug/deps/a-1"), [tag("t"), tag(&inner)].concat(), Some("t")),
            (format!("{inner}/debug/deps/a-1"), tag(&inner), Some(inner.as_str())),
            // Another program created the directory: cargo writes no tag.
            ("t/debug/deps/a-1".to_owned(), info("t"), Some("t")),
            (format!("t/{triple}/release/deps/a-1"), info("t"), Some("t")),
            ("t/debug/examples/show".to_owned(), info("t"), Some("t")),
            // A target directory inside another one.
            (
                "t/llvm-cov-target/debug/deps/a-1".to_owned(),
                [tag("t"), info("t/llvm-cov-target")].concat(),
                Some("t/llvm-cov-target"),
            ),
            // A directory for each unit.
            ("b/debug/build/pkg/0f/out/a-1".to_owned(), info("b"), Some("b")),
            // An extracted archive, without any of these files.
            ("x/target/debug/deps/a-1".to_owned(), vec![], Some("x/target")),
            (format!("x/target/{triple}/debug/deps/a-1"), vec![], Some("x/target")),
            ("x/my-target-dir/debug/deps/a-1".to_owned(), vec![], Some("x/my-target-dir")),
            // Any other location.
            ("bin/a".to_owned(), vec![], None),
            (
                "cache/bazel/out/bin/a".to_owned(),
                vec![("cache/CACHEDIR.TAG".to_owned(), "# created by bazel")],
                None,
            ),
        ] {
            let files: Vec<(&str, &str)> =
                marks.iter().map(|(name, text)| (name.as_str(), *text)).collect();
            assert_eq!(found(&binary, &files).as_deref(), expected, "{binary} {marks:?}");
        }
    }

    #[test]
    fn the_target_directory_of_a_workspace_is_found_from_a_member() {
        let home = Scratch::new();
        let member = home.path().join("crates/a");
        fs::create_dir_all(member.join("target")).expect("a directory");
        fs::create_dir_all(home.path().join("target")).expect("a directory");
        assert_eq!(target_beside(&member), None);
        fs::write(home.path().join("target/.rustc_info.json"), "{}").expect("a file");
        assert_eq!(target_beside(&member), Some(home.path().join("target")));
    }

    #[test]
    fn finds_the_target_directory_of_this_binary() {
        let target = target().expect("cargo built this");
        let binary = std::env::current_exe().expect("a binary");
        assert!(binary.starts_with(&target), "{} {}", binary.display(), target.display());
    }
}
