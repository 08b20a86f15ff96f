//! The targets of a package that have tests of Rebut, and the graph of its dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::overlay::resolved;
use cargo_metadata::{DependencyKind, Metadata, Package, PackageId, TargetKind};

/// A target of a package whose tests are built.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Target {
    /// The `#[cfg(test)]` modules of the library.
    Lib,
    /// The `#[cfg(test)]` modules of a program.
    Bin(String),
    /// A file in `tests/`.
    Test(String),
}

impl Target {
    /// The arguments of cargo that select it.
    #[must_use]
    pub fn arguments(&self) -> Vec<&str> {
        match self {
            Target::Lib => vec!["--lib"],
            Target::Bin(name) => vec!["--bin", name],
            Target::Test(name) => vec!["--test", name],
        }
    }

    /// Its name in events: `lib`, `bin tool`, `test round-trip`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Target::Lib => "lib".to_owned(),
            Target::Bin(name) => format!("bin {name}"),
            Target::Test(name) => format!("test {name}"),
        }
    }

    /// `None` for examples, benchmarks and build scripts.
    pub(crate) fn from_metadata(target: &cargo_metadata::Target) -> Option<Target> {
        let is_library = |kind: &TargetKind| {
            matches!(
                kind,
                TargetKind::Lib
                    | TargetKind::RLib
                    | TargetKind::DyLib
                    | TargetKind::CDyLib
                    | TargetKind::StaticLib
            )
        };
        match target.kind.first()? {
            TargetKind::Test => Some(Target::Test(target.name.clone())),
            TargetKind::Bin => Some(Target::Bin(target.name.clone())),
            kind if is_library(kind) => Some(Target::Lib),
            _ => None,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.arguments().join(" "))
    }
}

/// The names that Rebut has in the code of a package; empty if the package does not depend on it.
pub(crate) fn names_of_rebut(package: &Package) -> Vec<String> {
    let of_rebut = package.dependencies.iter().filter(|dependency| {
        dependency.name == "rebut" && dependency.kind != DependencyKind::Build
    });
    of_rebut
        .map(|dependency| dependency.rename.as_deref().unwrap_or("rebut").replace('-', "_"))
        .collect()
}

/// The targets of a package that may have tests of Rebut: those whose sources mention its name.
pub(crate) fn targets_with_tests(package: &Package) -> Vec<Target> {
    let names = names_of_rebut(package);
    let mut found: Vec<Target> = package
        .targets
        .iter()
        .filter(|target| target.test)
        .filter(|target| {
            let sources = sources_of(target.src_path.as_std_path());
            sources.iter().any(|path| {
                fs::read_to_string(path)
                    .is_ok_and(|text| names.iter().any(|name| text.contains(name.as_str())))
            })
        })
        .filter_map(Target::from_metadata)
        .collect();
    found.sort();
    found
}

/// The target whose tests a file of the package belongs to. The path may be relative to the
/// directory of the package, and the file need not exist.
pub(crate) fn target_of(package: &Package, file: &Path) -> Option<Target> {
    let home = package.manifest_path.as_std_path().parent().unwrap_or(Path::new("."));
    let file = resolved(&home.join(file));
    let root = |target: &cargo_metadata::Target| resolved(target.src_path.as_std_path());
    let mut known: Vec<(Target, &cargo_metadata::Target)> = package
        .targets
        .iter()
        .filter_map(|target| Some((Target::from_metadata(target)?, target)))
        .collect();
    known.sort_by(|a, b| a.0.cmp(&b.0));
    if let Some((own, _)) = known.iter().find(|(_, target)| root(target) == file) {
        return Some(own.clone());
    }
    let has = |target: &cargo_metadata::Target| {
        sources_of(target.src_path.as_std_path()).iter().any(|source| resolved(source) == file)
    };
    if let Some((own, _)) = known.iter().find(|(_, target)| has(target)) {
        return Some(own.clone());
    }
    // A new file is a target of its own in `tests/`, and otherwise a module of the library.
    if file.parent() == Some(&resolved(&home.join("tests"))) {
        return Some(Target::Test(file.file_stem()?.to_string_lossy().into_owned()));
    }
    known.first().map(|(target, _)| target.clone())
}

/// The files that the tests of a package may consist of.
pub(crate) fn sources_of_tests(package: &Package) -> Vec<PathBuf> {
    let targets = package.targets.iter().filter(|target| Target::from_metadata(target).is_some());
    targets.flat_map(|target| sources_of(target.src_path.as_std_path())).collect()
}

/// The file of a target, and those that may be its modules.
fn sources_of(root: &Path) -> Vec<PathBuf> {
    let name = root.file_name().unwrap_or_default();
    let folder = root.parent().unwrap_or(Path::new("."));
    let mut sources = vec![root.to_owned()];
    if name == "lib.rs" || (name == "main.rs" && !folder.join("lib.rs").is_file()) {
        collect(folder, &mut sources);
    } else if name == "main.rs" {
        // The directory also belongs to a library, so not every file in it is a module of the
        // program.
        collect_declared(root, folder, &mut sources);
    } else {
        collect(&root.with_extension(""), &mut sources);
        // Several test files can share a module.
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()).filter(|path| path.join("mod.rs").is_file()) {
            collect(&path, &mut sources);
        }
    }
    sources
}

/// Adds the modules that a file declares, and recursively theirs.
fn collect_declared(file: &Path, folder: &Path, sources: &mut Vec<PathBuf>) {
    let text = fs::read_to_string(file).unwrap_or_default();
    let declared = text.lines().filter_map(|line| {
        let line = line.trim();
        let (before, rest) = line.split_once("mod ")?;
        let is_declaration = before.is_empty() || before.starts_with("pub");
        rest.strip_suffix(';').filter(|_| is_declaration)
    });
    for name in declared {
        let inside = folder.join(name);
        for path in [inside.with_extension("rs"), inside.join("mod.rs")] {
            if path.is_file() && !sources.contains(&path) {
                sources.push(path.clone());
                collect_declared(&path, &inside, sources);
            }
        }
    }
}

fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&path, sources),
            _ if path.extension().is_some_and(|extension| extension == "rs") => sources.push(path),
            _ => {}
        }
    }
}

/// The dependencies between packages.
#[derive(Debug)]
pub(crate) struct DependencyGraph<'a> {
    metadata: &'a Metadata,
    edges: BTreeMap<&'a PackageId, Vec<&'a PackageId>>,
}

impl<'a> DependencyGraph<'a> {
    pub(crate) fn new(metadata: &'a Metadata) -> DependencyGraph<'a> {
        let mut edges = BTreeMap::new();
        for node in metadata.resolve.iter().flat_map(|resolve| &resolve.nodes) {
            let needed = node.deps.iter().filter(|dependency| {
                dependency.dep_kinds.iter().any(|kind| kind.kind != DependencyKind::Development)
            });
            edges.insert(&node.id, needed.map(|dependency| &dependency.pkg).collect());
        }
        DependencyGraph { metadata, edges }
    }

    /// A package and everything that its library depends on.
    pub(crate) fn closure(&self, package: &'a PackageId) -> BTreeSet<&'a PackageId> {
        let mut reached = BTreeSet::new();
        let mut open = vec![package];
        while let Some(package) = open.pop() {
            if reached.insert(package) {
                open.extend(self.edges.get(package).into_iter().flatten().copied());
            }
        }
        reached
    }

    /// The dependencies of a package's tests alone: the name in the manifest, and the package.
    pub(crate) fn for_tests_only(&self, package: &Package) -> Vec<(String, &'a PackageId)> {
        let nodes = self.metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
        let Some(node) = nodes.into_iter().find(|node| node.id == package.id) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for dependency in &node.deps {
            let kinds = &dependency.dep_kinds;
            if kinds.iter().all(|kind| kind.kind == DependencyKind::Development) {
                let id = &dependency.pkg;
                let package_name = &self.metadata[id].name;
                let declared = package.dependencies.iter().filter(|declared| {
                    declared.kind == DependencyKind::Development
                        && declared.name == package_name.as_str()
                });
                found.extend(declared.map(|declared| {
                    let name = declared.rename.as_ref().unwrap_or(&declared.name);
                    (name.clone(), id)
                }));
            }
        }
        found
    }

    /// The name of a package; empty if the graph does not contain it.
    pub(crate) fn name(&self, package: &PackageId) -> &'a str {
        let found = self.metadata.packages.iter().find(|known| known.id == *package);
        found.map_or("", |package| package.name.as_str())
    }
}
