//! Builds the tests of packages for WebAssembly, from shadows where that is necessary.
//!
//! Cargo builds all dependencies of a package's tests before any test, and one that fails stops the
//! build. [`PackageBuild`] therefore repeats the build: each time something fails that only the
//! tests need, it continues with a [shadow](crate::shadow) that omits it. The
//! [cache](crate::shadow_cache) starts the next build with the final shadow.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, Package, PackageId};

use crate::cargo::{self, BuildCall, BuildFailure, last_lines};
use crate::fingerprints;
use crate::module::{Module, interface};
use crate::overlay::Overlay;
use crate::package::{DependencyGraph, Target, sources_of_tests};
use crate::shadow::{OmittedParts, Shadow, directory_name};
use crate::shadow_cache::ShadowCache;
use crate::workspace::{Request, metadata, packages, target_folder, targets};
use crate::{Problem, Toolchain};

/// The result of [`build`].
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// The modules with tests of Rebut.
    pub modules: Vec<Module>,
    /// The targets that could not be built.
    pub skipped: Vec<SkippedTarget>,
}

/// A target that could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedTarget {
    /// The package.
    pub package: String,
    /// Which of its targets.
    pub target: Target,
    /// The dependency that cannot be built; `None` if the target itself does not build.
    pub failed_dependency: Option<String>,
    /// The reason, as a sentence for the user.
    pub reason: String,
}

impl fmt::Display for SkippedTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} cannot be explored: {}", self.package, self.target, self.reason)
    }
}

/// Builds the tests of the packages that use Rebut; `progress` receives a line for each step.
///
/// # Errors
/// If there is no such package, or cargo cannot start. A target that does not build is not an
/// error: it is [skipped](Built::skipped).
pub fn build(
    toolchain: &Toolchain,
    request: &Request,
    progress: &mut dyn FnMut(&str),
) -> Result<Built, Problem> {
    let metadata = metadata(Some(toolchain), request)?;
    let mut built = Built::default();
    for package in packages(&metadata, request)? {
        let targets = targets(package, request);
        if targets.is_empty() {
            continue;
        }
        let target_folder = target_folder(&metadata, request, "explore")?;
        let features = request.features.arguments();
        let package_build = PackageBuild {
            toolchain,
            metadata: &metadata,
            graph: DependencyGraph::new(&metadata),
            package,
            targets,
            features,
            target_folder,
            overlay: &request.overlay,
        };
        package_build.run(&mut built, progress)?;
    }
    Ok(built)
}

/// The build of one package.
struct PackageBuild<'a> {
    toolchain: &'a Toolchain,
    metadata: &'a Metadata,
    graph: DependencyGraph<'a>,
    package: &'a Package,
    targets: Vec<Target>,
    features: Vec<String>,
    target_folder: PathBuf,
    overlay: &'a Overlay,
}

/// A dependency of the tests that a shadow omits, and why it cannot be built.
#[derive(Clone, Debug)]
pub(crate) struct BlockedDependency {
    /// Its name in the manifest.
    pub(crate) name: String,
    /// The package that fails: the dependency itself or one that it depends on.
    pub(crate) failed_package: String,
    /// The first error.
    pub(crate) reason: String,
}

/// The maximum number of builds of one package, each from a shadow that omits more than the last.
///
/// Arbitrary. The first shadow usually suffices, because it also omits every dependency that no
/// source file names. At the limit, the targets that still fail are skipped.
const SHADOWS_MAX: usize = 6;

impl PackageBuild<'_> {
    fn run(&self, built: &mut Built, progress: &mut dyn FnMut(&str)) -> Result<(), Problem> {
        let mut state = BuildState {
            open: self.targets.clone(),
            manifest: self.package.manifest_path.as_std_path().to_owned(),
            omitted: OmittedParts::default(),
            blocked: Vec::new(),
            failed: BTreeMap::new(),
        };
        let cache = self.shadow_cache();
        if let Some((omitted, blocked)) = cache.load() {
            state.blocked = blocked;
            self.switch_to_shadow(&mut state, omitted, progress)?;
        } else if !self.overlay.is_empty() {
            self.switch_to_shadow(&mut state, OmittedParts::default(), progress)?;
        }
        for _ in 0..SHADOWS_MAX {
            let Some(omitted) = self.attempt(&mut state, built, progress)? else { break };
            self.switch_to_shadow(&mut state, omitted, progress)?;
        }
        if state.omitted != OmittedParts::default() {
            cache.store(&state.omitted, &state.blocked);
        }
        let is_built = |target: &Target| {
            built.modules.iter().any(|module| {
                module.package == self.package.name.as_str() && module.target == *target
            })
        };
        let skipped: Vec<SkippedTarget> = state
            .failed
            .iter()
            .filter(|(target, _)| !is_built(target))
            .map(|(target, failures)| self.skipped(target, failures, &state.blocked))
            .collect();
        built.skipped.extend(skipped);
        Ok(())
    }

    /// Continues with a shadow of the package that omits these parts.
    fn switch_to_shadow(
        &self,
        state: &mut BuildState,
        omitted: OmittedParts,
        progress: &mut dyn FnMut(&str),
    ) -> Result<(), Problem> {
        state.omitted = omitted;
        if state.omitted.programs {
            let (programs, others): (Vec<Target>, Vec<Target>) =
                state.open.drain(..).partition(|target| matches!(target, Target::Bin(_)));
            state.open = others;
            for program in programs {
                let failure = self.program_failure(&program);
                state.failed.entry(program).or_insert_with(|| vec![failure]);
            }
        }
        if state.omitted != OmittedParts::default() {
            progress(&format!(
                "building {} without {}",
                self.package.name,
                described(&state.omitted)
            ));
        }
        let shadows = match self.overlay.is_empty() {
            true => self.shadows(),
            false => self.target_folder.join("overlay"),
        };
        let folder = shadows.join(directory_name(self.package));
        let shadow =
            Shadow::make(self.metadata, self.package, &state.omitted, self.overlay, &folder)?;
        state.manifest = shadow.manifest;
        Ok(())
    }

    fn program_failure(&self, program: &Target) -> BuildFailure {
        BuildFailure {
            id: None,
            name: self.package.name.to_string(),
            target: Some(program.clone()),
            reason: "a program of the package uses something that WebAssembly lacks".to_owned(),
        }
    }

    fn shadows(&self) -> PathBuf {
        self.target_folder.join("shadow")
    }

    fn shadow_cache(&self) -> ShadowCache {
        let root = self.metadata.workspace_root.as_std_path();
        let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        let texts = [
            read(self.package.manifest_path.as_std_path()),
            read(&root.join("Cargo.toml")),
            read(&root.join("Cargo.lock")),
            self.features.join(" "),
            self.toolchain.to_string(),
            self.toolchain.platform().to_string(),
            self.toolchain.platform().flags().join(" "),
        ];
        ShadowCache::new(
            self.shadows().join(format!("{}.found", directory_name(self.package))),
            &texts,
        )
    }

    /// Builds the open targets. Returns the parts that the next attempt must omit; `None` if
    /// another attempt cannot help.
    fn attempt(
        &self,
        state: &mut BuildState,
        built: &mut Built,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Option<OmittedParts>, Problem> {
        let failures = self.build_targets(state, &state.open.clone(), built, progress)?;
        if state.open.is_empty() {
            return Ok(None);
        }
        let omitted = self.parts_to_omit(&failures, state, false);
        if omitted != state.omitted {
            return Ok(Some(omitted));
        }
        // A target that fails may have kept cargo from building others, so build each alone.
        let mut all = Vec::new();
        for target in state.open.clone() {
            let failures =
                self.build_targets(state, std::slice::from_ref(&target), built, progress)?;
            if state.open.contains(&target) {
                if !matches!(target, Target::Bin(_)) {
                    all.extend(failures.iter().cloned());
                }
                state.failed.insert(target, failures);
            }
        }
        let omitted = self.parts_to_omit(&all, state, true);
        Ok((omitted != state.omitted).then_some(omitted))
    }

    /// Lets cargo build targets, and adds the modules to `built`. Returns the failures.
    fn build_targets(
        &self,
        state: &mut BuildState,
        targets: &[Target],
        built: &mut Built,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Vec<BuildFailure>, Problem> {
        let call = BuildCall {
            folder: self.metadata.workspace_root.as_std_path(),
            manifest: &state.manifest,
            package: self.package.name.as_str(),
            targets,
            features: &self.features,
            target_folder: &self.target_folder,
        };
        let _lock =
            fingerprints::lock(&self.target_folder, self.package.name.as_str(), &state.manifest);
        let result = cargo::build_tests(self.toolchain, &call, progress)?;
        if result.modules.is_empty() && result.failures.is_empty() && !result.is_success {
            return Err(Problem::cargo(last_lines(&result.stderr)));
        }
        for (target, path) in &result.modules {
            if !state.open.contains(target) {
                continue;
            }
            state.open.retain(|open| open != target);
            let (entries, foreign) = interface(path)?;
            if entries.is_empty() {
                state.failed.remove(target);
                continue;
            }
            let (packages, libraries) = self.package_folders();
            built.modules.push(Module {
                package: self.package.name.to_string(),
                target: target.clone(),
                path: path.clone(),
                pointer_width: self.toolchain.pointer_width(),
                entries,
                foreign,
                root: self.metadata.workspace_root.as_std_path().to_owned(),
                built_in: self.built_in(&state.manifest),
                packages,
                libraries,
                without: state.blocked.iter().map(|dependency| dependency.name.clone()).collect(),
            });
        }
        Ok(result.failures)
    }

    /// The workspace directory that a manifest of the package belongs to: the user's or a shadow.
    fn built_in(&self, manifest: &Path) -> PathBuf {
        let root = self.metadata.workspace_root.as_std_path();
        let mut folder = manifest.parent().unwrap_or(root);
        for _ in self.relative_folder(self.package).components() {
            folder = folder.parent().unwrap_or(folder);
        }
        folder.to_owned()
    }

    /// The directory of a package, relative to the workspace.
    fn relative_folder(&self, package: &Package) -> PathBuf {
        let root = self.metadata.workspace_root.as_std_path();
        let home = package.manifest_path.as_std_path().parent().unwrap_or(root);
        home.strip_prefix(root).unwrap_or(home).to_owned()
    }

    /// The directories of the packages whose code is under test, and of the others.
    fn package_folders(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let all = self.metadata.packages.iter();
        let rebut = all.clone().find(|package| package.name.as_str() == "rebut");
        let own = rebut.map(|rebut| self.graph.closure(&rebut.id)).unwrap_or_default();
        let is_under_test = |package: &&Package| {
            package.id == self.package.id
                || (self.metadata.workspace_members.contains(&package.id)
                    && !own.contains(&package.id))
        };
        let (under_test, others): (Vec<&Package>, Vec<&Package>) = all.partition(is_under_test);
        let folders = |packages: Vec<&Package>| {
            let folders = packages.into_iter().map(|package| self.relative_folder(package));
            folders.filter(|folder| folder.is_relative()).collect()
        };
        (folders(under_test), folders(others))
    }

    /// The parts that a shadow must omit so that it does not need what failed.
    fn parts_to_omit(
        &self,
        failures: &[BuildFailure],
        state: &mut BuildState,
        programs_too: bool,
    ) -> OmittedParts {
        let mut omitted = state.omitted.clone();
        let needed = self.graph.closure(&self.package.id);
        for (name, id) in self.graph.for_tests_only(self.package) {
            let closure = self.graph.closure(id);
            let failure = failures.iter().find(|failure| {
                closure.iter().any(|id| failed(failure, id, &self.graph))
                    && !needed.iter().any(|id| failed(failure, id, &self.graph))
            });
            if let Some(failure) = failure
                && self.graph.name(id) != "rebut"
                && !omitted.dependencies.contains(&name)
            {
                state.blocked.push(BlockedDependency {
                    name: name.clone(),
                    failed_package: failure.name.clone(),
                    reason: failure.reason.clone(),
                });
                omitted.dependencies.push(name);
            }
        }
        if omitted.dependencies.len() > state.omitted.dependencies.len() {
            // Cargo stops at the first dependency that fails, so each shadow reveals one more. A
            // dependency that no source file names is omitted at once.
            for name in self.unnamed_dependencies() {
                if !omitted.dependencies.contains(&name) {
                    omitted.dependencies.push(name);
                }
            }
        }
        // Cargo builds the programs of a package only because tests may start them. In WebAssembly
        // no test can start a program.
        omitted.programs |= programs_too
            && failures.iter().any(|failure| matches!(failure.target, Some(Target::Bin(_))));
        omitted
    }

    /// The dev-dependencies that no source file of a target names.
    fn unnamed_dependencies(&self) -> Vec<String> {
        let texts: Vec<String> = sources_of_tests(self.package)
            .iter()
            .filter_map(|path| fs::read_to_string(path).ok())
            .collect();
        let is_named = |name: &str| {
            let name = name.replace('-', "_");
            texts.iter().any(|text| text.contains(&name))
        };
        let dependencies = self.graph.for_tests_only(self.package).into_iter();
        dependencies.map(|(name, _)| name).filter(|name| !is_named(name)).collect()
    }

    fn skipped(
        &self,
        target: &Target,
        failures: &[BuildFailure],
        blocked: &[BlockedDependency],
    ) -> SkippedTarget {
        let own = || {
            failures.iter().filter(|failure| {
                failure.name == self.package.name.as_str()
                    && failure.target.as_ref() == Some(target)
            })
        };
        // The unresolved import of an omitted dependency is the cause; other errors follow from it.
        let missing = own().find_map(|failure| {
            blocked.iter().find(|dependency| dependency.is_missing_in(failure))
        });
        let (failed_dependency, reason) = if let Some(dependency) = missing {
            (Some(dependency.failed_package.clone()), dependency.to_string())
        } else if let Some(failure) = own().next() {
            (None, format!("it cannot be built for WebAssembly: {}", failure.reason))
        } else if let Some(failure) = failures.first() {
            let reason = format!(
                "it needs `{}`, which cannot be built for WebAssembly: {}",
                failure.name, failure.reason
            );
            (Some(failure.name.clone()), reason)
        } else {
            (None, "cargo did not build it and gave no reason".to_owned())
        };
        SkippedTarget {
            package: self.package.name.to_string(),
            target: target.clone(),
            failed_dependency,
            reason,
        }
    }
}

/// The progress of the build of a package.
struct BuildState {
    /// The targets that are not built yet.
    open: Vec<Target>,
    /// The manifest to build from: the package's own, later that of a shadow.
    manifest: PathBuf,
    omitted: OmittedParts,
    blocked: Vec<BlockedDependency>,
    /// The failures of each target that was built alone.
    failed: BTreeMap<Target, Vec<BuildFailure>>,
}

impl BlockedDependency {
    /// Whether the failure is an unresolved import of this dependency.
    fn is_missing_in(&self, failure: &BuildFailure) -> bool {
        let name = self.name.replace('-', "_");
        let names = |path: String| failure.reason.contains(&path);
        names(format!("`{name}`")) || names(format!("`{name}::"))
    }
}

impl fmt::Display for BlockedDependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it uses `{}`, which cannot be built for WebAssembly: ", self.name)?;
        if self.failed_package != self.name {
            write!(f, "it depends on `{}`: ", self.failed_package)?;
        }
        f.write_str(&self.reason)
    }
}

/// Whether this is the package that failed.
fn failed(failure: &BuildFailure, package: &PackageId, graph: &DependencyGraph<'_>) -> bool {
    match &failure.id {
        Some(id) => id == package,
        None => graph.name(package) == failure.name,
    }
}

/// Lists the omitted parts for the user.
fn described(omitted: &OmittedParts) -> String {
    let mut names: BTreeSet<String> =
        omitted.dependencies.iter().map(|name| format!("`{name}`")).collect();
    if omitted.programs {
        names.insert("its programs".to_owned());
    }
    names.into_iter().collect::<Vec<_>>().join(", ")
}
