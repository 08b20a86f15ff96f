//! Selects what to build: the packages and targets of a workspace, and the directory to build in.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, MetadataCommand, Package};
use rebut_protocol::terminal::path_on_one_line;

use crate::cargo::last_lines;
use crate::overlay::Overlay;
use crate::package::{Target, names_of_rebut, target_of, targets_with_tests};
use crate::{Problem, Toolchain};

/// Selects what to build, and with which features and contents.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The manifest of the package or workspace; by default that of the current directory.
    pub manifest: Option<PathBuf>,
    /// The packages. If empty: the packages that use Rebut, among those that cargo selects.
    pub packages: Vec<String>,
    /// The features, as in any build.
    pub features: Features,
    /// The directory for artifacts. By default `rebut/explore` in the target directory, and
    /// `rebut/native` for [native builds](crate::NativePackage).
    pub target_folder: Option<PathBuf>,
    /// The targets. If empty: the targets that have tests of Rebut or, with an overlay, those that
    /// its files belong to.
    pub targets: Vec<Target>,
    /// Files of the package that are built with other contents than the user's.
    pub overlay: Overlay,
}

/// Which features of the packages are enabled.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// Enable all features.
    pub all: bool,
    /// Disable the default features.
    pub no_default: bool,
    /// Further features to enable.
    pub names: Vec<String>,
}

impl Features {
    /// Returns the arguments of cargo that select these features.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        if self.all {
            arguments.push("--all-features".to_owned());
        }
        if self.no_default {
            arguments.push("--no-default-features".to_owned());
        }
        if !self.names.is_empty() {
            arguments.extend(["--features".to_owned(), self.names.join(",")]);
        }
        arguments
    }
}

/// The directory to build in: the one of the request, or the directory `name` below `rebut/` in the
/// target directory.
pub(crate) fn target_folder(
    metadata: &Metadata,
    request: &Request,
    name: &str,
) -> Result<PathBuf, Problem> {
    if let Some(folder) = &request.target_folder {
        return Ok(folder.clone());
    }
    let target = metadata.target_directory.as_std_path();
    create_target(target).map_err(|error| Problem::file("create", target, &error))?;
    Ok(target.join("rebut").join(name))
}

/// Creates the target directory as cargo does, if it does not exist yet.
///
/// Cargo marks the directory as a cache only if cargo itself creates it. Backup programs look for
/// that mark.
fn create_target(target: &Path) -> io::Result<()> {
    if target.exists() {
        return Ok(());
    }
    fs::create_dir_all(target)?;
    fs::write(target.join("CACHEDIR.TAG"), TAG)
}

/// The tag that cargo writes (`exclude_from_backups_and_indexing` of `cargo-util`), except for the
/// name of the program.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by cargo rebut.
# For information about cache directory tags see https://bford.info/cachedir/
";

/// The targets of a package that the request selects.
pub(crate) fn targets(package: &Package, request: &Request) -> Vec<Target> {
    if !request.targets.is_empty() {
        let own: Vec<Target> = package.targets.iter().filter_map(Target::from_metadata).collect();
        return request.targets.iter().filter(|target| own.contains(target)).cloned().collect();
    }
    if request.overlay.files.is_empty() {
        return targets_with_tests(package);
    }
    let files = request.overlay.files.keys();
    let found: BTreeSet<Target> = files.filter_map(|file| target_of(package, file)).collect();
    found.into_iter().collect()
}

/// Runs `cargo metadata`; with a toolchain, the dependencies are those of a build for WebAssembly.
pub(crate) fn metadata(
    toolchain: Option<&Toolchain>,
    request: &Request,
) -> Result<Metadata, Problem> {
    let mut command = MetadataCommand::new();
    let mut options = request.features.arguments();
    if let Some(toolchain) = toolchain {
        command.cargo_path(toolchain.cargo_path()).env("RUSTC", toolchain.rustc_path());
        options.extend(["--filter-platform", toolchain.platform().triple()].map(str::to_owned));
    }
    if let Some(manifest) = &request.manifest {
        if !manifest.exists() {
            let path = path_on_one_line(manifest);
            return Err(Problem::request(format!("manifest path `{path}` does not exist")));
        }
        command.manifest_path(manifest);
    }
    command.other_options(options);
    command.exec().map_err(|error| match error {
        cargo_metadata::Error::CargoMetadata { stderr } => Problem::cargo(last_lines(&stderr)),
        error => Problem::cargo(format!("cargo cannot describe the package: {error}")),
    })
}

/// The packages that the request names, or all selected packages that use Rebut.
pub(crate) fn packages<'a>(
    metadata: &'a Metadata,
    request: &Request,
) -> Result<Vec<&'a Package>, Problem> {
    let members = metadata.workspace_packages();
    let uses_rebut =
        |package: &Package| request.overlay.adds_rebut || !names_of_rebut(package).is_empty();
    if request.packages.is_empty() {
        let selected = default_packages(metadata, request);
        let found: Vec<_> = selected.into_iter().filter(|package| uses_rebut(package)).collect();
        return match found.as_slice() {
            [] => Err(Problem::request(
                "no package here depends on `rebut`; add it to `[dev-dependencies]`",
            )),
            _ => Ok(found),
        };
    }
    let mut found = Vec::new();
    for name in &request.packages {
        let package = members.iter().find(|package| package.name.as_str() == name);
        match package {
            Some(package) if uses_rebut(package) => found.push(*package),
            Some(_) => {
                return Err(Problem::request(format!(
                    "the package `{name}` does not depend on `rebut`; add it to its \
                     `[dev-dependencies]`"
                )));
            }
            None => {
                let names: Vec<_> = members.iter().map(|package| package.name.as_str()).collect();
                return Err(Problem::request(format!(
                    "no package named `{name}` here; available: {}",
                    names.join(", ")
                )));
            }
        }
    }
    Ok(found)
}

/// The packages that cargo selects if none is named: the package of the manifest, or the default
/// members of the workspace.
fn default_packages<'a>(metadata: &'a Metadata, request: &Request) -> Vec<&'a Package> {
    let root = metadata.workspace_root.as_std_path().join("Cargo.toml");
    let nearest = nearest_manifest(request).filter(|manifest| !is_same_file(manifest, &root));
    let own = metadata.workspace_packages().into_iter().find(|package| {
        let manifest = package.manifest_path.as_std_path();
        nearest.as_ref().is_some_and(|nearest| is_same_file(nearest, manifest))
    });
    match own {
        Some(package) => vec![package],
        None => metadata.workspace_default_packages(),
    }
}

/// The manifest of the request, or else the nearest one in the current directory and those above
/// it.
fn nearest_manifest(request: &Request) -> Option<PathBuf> {
    let here = std::env::current_dir().ok();
    let above = || here.iter().flat_map(|here| here.ancestors());
    let mut found = above().map(|folder| folder.join("Cargo.toml"));
    request.manifest.clone().or_else(|| found.find(|manifest| manifest.is_file()))
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_target_directory_is_marked_as_a_cache() {
        let home = std::env::temp_dir().join(format!("rebut-target-{}", std::process::id()));
        let _ = fs::remove_dir_all(&home);
        let target = home.join("target");
        create_target(&target).expect("a directory");
        let tag = fs::read_to_string(target.join("CACHEDIR.TAG")).expect("a tag");
        // Backup programs look for the first line, and some test suites for the second.
        assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"), "{tag}");
        assert!(tag.contains("created by cargo"), "{tag}");
        fs::remove_file(target.join("CACHEDIR.TAG")).expect("removed");
        create_target(&target).expect("a directory");
        assert!(!target.join("CACHEDIR.TAG").exists(), "an existing directory stays as it is");
        let _ = fs::remove_dir_all(home);
    }
}
