//! The workspace of a command, from `cargo metadata`.

use crate::exit::{Exit, Failure};
use crate::metadata::Metadata;
use crate::words;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A workspace: its packages, and where cargo builds them.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The directory of its manifest.
    pub root: PathBuf,
    /// The target directory.
    pub target: PathBuf,
    /// The directory of intermediate artifacts and test binaries, if it is another one.
    build: Option<PathBuf>,
    /// Its members.
    pub packages: Vec<Package>,
}

/// A package of a workspace.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// The directory of its manifest.
    pub directory: PathBuf,
    /// Its targets: the kind (`lib`, `bin`, `test`, ..), the name, and the root of the sources.
    pub targets: Vec<(String, String, PathBuf)>,
}

impl Workspace {
    /// Finds the workspace with this manifest, or the one of the current directory.
    ///
    /// # Errors
    /// If there is none, or cargo cannot be started.
    pub fn find(manifest: Option<&Path>) -> Result<Workspace, Failure> {
        let metadata = Metadata::read(manifest, None)?;
        Workspace::from_metadata(&metadata.json)
            .ok_or_else(|| Failure::new(Exit::Metadata, words::no_workspace(&metadata.stderr)))
    }

    fn from_metadata(metadata: &Value) -> Option<Workspace> {
        let target = PathBuf::from(metadata["target_directory"].as_str()?);
        let build = metadata["build_directory"].as_str().map(PathBuf::from);
        let packages = metadata["packages"].as_array().into_iter().flatten();
        Some(Workspace {
            root: PathBuf::from(metadata["workspace_root"].as_str().unwrap_or_default()),
            build: build.filter(|build| *build != target),
            target,
            packages: packages.filter_map(Package::from_metadata).collect(),
        })
    }

    /// The same workspace with another target directory, if there is one.
    #[must_use]
    pub fn built_in(mut self, target: Option<&Path>) -> Workspace {
        if let Some(target) = target {
            self.target = std::path::absolute(target).unwrap_or_else(|_| target.to_owned());
        }
        self
    }

    /// The directory for the files of Rebut.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.target.join("rebut")
    }

    /// All directories in which tests may have written. A test finds the directory from the path of
    /// its binary, which may be among intermediate artifacts, in the directory of
    /// `cargo llvm-cov`, or in that of a target in a JSON file.
    pub(super) fn homes(&self) -> Vec<PathBuf> {
        let mut homes = Vec::new();
        for directory in [Some(&self.target), self.build.as_ref()].into_iter().flatten() {
            homes.push(directory.join("rebut"));
            let entries = fs::read_dir(directory).into_iter().flatten().flatten();
            let inside = entries.map(|entry| entry.path().join("rebut"));
            let mut inside: Vec<PathBuf> =
                inside.filter(|home| home.join("runs").is_dir()).collect();
            inside.sort();
            homes.extend(inside);
        }
        homes
    }

    /// Whether a package with its manifest in this directory belongs to the workspace. An unknown
    /// directory does.
    #[must_use]
    pub fn has(&self, manifest_dir: &str) -> bool {
        if manifest_dir.is_empty() {
            return true;
        }
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let asked = Path::new(manifest_dir);
        let packages = self.packages.iter().map(|package| &package.directory);
        let mut all = packages.chain([&self.root]);
        all.any(|directory| directory == asked || real(directory) == real(asked))
    }
}

impl Package {
    fn from_metadata(package: &Value) -> Option<Package> {
        let targets = package["targets"].as_array().into_iter().flatten();
        let target = |target: &Value| {
            let text = |value: &Value| value.as_str().map(str::to_owned);
            let kind = text(&target["kind"][0])?;
            Some((kind, text(&target["name"])?, PathBuf::from(target["src_path"].as_str()?)))
        };
        Some(Package {
            name: package["name"].as_str()?.to_owned(),
            directory: Path::new(package["manifest_path"].as_str()?).parent()?.to_owned(),
            targets: targets.filter_map(target).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn workspace(build: Option<&str>) -> Workspace {
        let mut metadata = json!({
            "workspace_root": "/w",
            "target_directory": "/w/target",
            "packages": [{
                "name": "a",
                "manifest_path": "/w/a/Cargo.toml",
                "targets": [{"kind": ["test"], "name": "it", "src_path": "/w/a/tests/it.rs"}],
            }],
        });
        if let Some(build) = build {
            metadata["build_directory"] = build.into();
        }
        Workspace::from_metadata(&metadata).expect("a workspace")
    }

    #[test]
    fn tests_may_have_written_where_their_binaries_are() {
        let homes = |build| {
            let homes = workspace(build).homes();
            homes.iter().map(|home| home.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(homes(None), ["/w/target/rebut"]);
        assert_eq!(homes(Some("/w/target")), ["/w/target/rebut"]);
        assert_eq!(homes(Some("/build")), ["/w/target/rebut", "/build/rebut"]);
        let target = std::env::temp_dir().join(format!("rebut-homes-{}", std::process::id()));
        for directory in ["llvm-cov-target/rebut/runs", "board/rebut/runs", "debug/rebut"] {
            fs::create_dir_all(target.join(directory)).expect("a directory");
        }
        let homes = workspace(None).built_in(Some(&target)).homes();
        let expected = ["rebut", "board/rebut", "llvm-cov-target/rebut"];
        assert_eq!(homes, expected.map(|home| target.join(home)));
        let _ = fs::remove_dir_all(target);
    }

    #[test]
    fn packages_of_other_workspaces_do_not_belong_to_it() {
        let workspace = workspace(None);
        assert!(workspace.has("/w/a") && workspace.has("/w") && workspace.has(""));
        assert!(!workspace.has("/elsewhere/a") && !workspace.has("/w/a/nested"));
    }
}
