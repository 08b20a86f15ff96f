//! Builds the tests of packages, by way of shadows where that is needed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, MetadataCommand, Package, PackageId};

use crate::cargo::{self, Call, Failure, last_words};
use crate::fingerprints;
use crate::memory::Memory;
use crate::module::{Module, interface};
use crate::overlay::Overlay;
use crate::package::{
    Graph, Target, names_of_rebut, sources_of_tests, target_of, targets_with_tests,
};
use crate::shadow::{Lacks, Shadow, directory_name};
use crate::{Problem, Toolchain, WASM};

/// What is to be built.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The manifest of the package or workspace; by default that of the current folder.
    pub manifest: Option<PathBuf>,
    /// The packages; if none is named, of those that cargo takes the ones that use Rebut.
    pub packages: Vec<String>,
    /// The features, as for any build.
    pub features: Features,
    /// The folder for what is built; by default `rebut/explore` in the target folder, and
    /// `rebut/native` for what is built [natively](crate::Native).
    pub target_folder: Option<PathBuf>,
    /// The targets; if none is named, those that have tests of Rebut, or with an overlay those
    /// that its files belong to.
    pub targets: Vec<Target>,
    /// Files of the package that have other text than the user's.
    pub overlay: Overlay,
}

/// Which features of the packages are on.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// All of them.
    pub all: bool,
    /// Not those that are on by default.
    pub no_default: bool,
    /// These, too.
    pub names: Vec<String>,
}

impl Features {
    pub(crate) fn arguments(&self) -> Vec<String> {
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

/// What was built and what was not.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// The modules with tests of Rebut.
    pub modules: Vec<Module>,
    /// The targets that could not be built.
    pub left_out: Vec<LeftOut>,
}

/// A target that could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The package.
    pub package: String,
    /// Which of its targets.
    pub target: Target,
    /// The crate that cannot be built, if it is another.
    pub culprit: Option<String>,
    /// Why, in plain words.
    pub why: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} cannot be explored: {}", self.package, self.target, self.why)
    }
}

/// Builds the tests of the packages that use Rebut; what is done is told to `say`.
///
/// # Errors
/// If there is no such package, or cargo cannot begin to build. A target that does not build is
/// no error but [left out](Built::left_out).
pub fn build(
    toolchain: &Toolchain,
    request: &Request,
    say: &mut dyn FnMut(&str),
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
        let job = Job {
            toolchain,
            metadata: &metadata,
            graph: Graph::new(&metadata),
            package,
            targets,
            features,
            target_folder,
            overlay: &request.overlay,
        };
        job.run(&mut built, say)?;
    }
    Ok(built)
}

/// Where to build: where the request says, or in this folder below `rebut/` in the target
/// directory.
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

/// Creates the target directory as cargo does, if it is not there yet. Cargo marks it as a cache
/// only if it creates it, and backups, and tools that look for such marks, go by that.
fn create_target(target: &Path) -> io::Result<()> {
    if target.exists() {
        return Ok(());
    }
    fs::create_dir_all(target)?;
    fs::write(target.join("CACHEDIR.TAG"), TAG)
}

/// What cargo writes (`exclude_from_backups_and_indexing` of `cargo-util`), but for its name.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by cargo rebut.
# For information about cache directory tags see https://bford.info/cachedir/
";

/// The targets of a package that are to be built.
pub(crate) fn targets(package: &Package, request: &Request) -> Vec<Target> {
    if !request.targets.is_empty() {
        let own: Vec<Target> = package.targets.iter().filter_map(Target::of).collect();
        return request.targets.iter().filter(|target| own.contains(target)).cloned().collect();
    }
    if request.overlay.files.is_empty() {
        return targets_with_tests(package);
    }
    let files = request.overlay.files.keys();
    let found: BTreeSet<Target> = files.filter_map(|file| target_of(package, file)).collect();
    found.into_iter().collect()
}

/// What a package is made of; for WebAssembly if there is a toolchain.
pub(crate) fn metadata(
    toolchain: Option<&Toolchain>,
    request: &Request,
) -> Result<Metadata, Problem> {
    let mut command = MetadataCommand::new();
    let mut options = request.features.arguments();
    if let Some(toolchain) = toolchain {
        command.cargo_path(toolchain.cargo_path()).env("RUSTC", toolchain.rustc_path());
        options.extend(["--filter-platform", WASM].map(str::to_owned));
    }
    if let Some(manifest) = &request.manifest {
        command.manifest_path(manifest);
    }
    command.other_options(options);
    command.exec().map_err(|error| match error {
        cargo_metadata::Error::CargoMetadata { stderr } => Problem::cargo(last_words(&stderr)),
        error => Problem::cargo(format!("cargo cannot describe the package: {error}")),
    })
}

/// The packages that are asked for, or all that use Rebut.
pub(crate) fn packages<'a>(
    metadata: &'a Metadata,
    request: &Request,
) -> Result<Vec<&'a Package>, Problem> {
    let members = metadata.workspace_packages();
    let uses_rebut =
        |package: &Package| request.overlay.adds_rebut || !names_of_rebut(package).is_empty();
    if request.packages.is_empty() {
        let meant = meant_packages(metadata, request);
        let found: Vec<_> = meant.into_iter().filter(|package| uses_rebut(package)).collect();
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

/// The packages that cargo takes if none is named: that of the manifest, or those that the
/// workspace says.
fn meant_packages<'a>(metadata: &'a Metadata, request: &Request) -> Vec<&'a Package> {
    let root = metadata.workspace_root.as_std_path().join("Cargo.toml");
    let meant = nearest_manifest(request).filter(|manifest| !is_same(manifest, &root));
    let own = metadata.workspace_packages().into_iter().find(|package| {
        let manifest = package.manifest_path.as_std_path();
        meant.as_ref().is_some_and(|meant| is_same(meant, manifest))
    });
    match own {
        Some(package) => vec![package],
        None => metadata.workspace_default_packages(),
    }
}

/// The manifest that was named, or that of the current folder or the nearest above it.
fn nearest_manifest(request: &Request) -> Option<PathBuf> {
    let here = std::env::current_dir().ok();
    let above = || here.iter().flat_map(|here| here.ancestors());
    let mut found = above().map(|folder| folder.join("Cargo.toml"));
    request.manifest.clone().or_else(|| found.find(|manifest| manifest.is_file()))
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The build of one package.
struct Job<'a> {
    toolchain: &'a Toolchain,
    metadata: &'a Metadata,
    graph: Graph<'a>,
    package: &'a Package,
    targets: Vec<Target>,
    features: Vec<String>,
    target_folder: PathBuf,
    overlay: &'a Overlay,
}

/// A dependency of the tests that a shadow lacks, and why it cannot be built.
#[derive(Clone, Debug)]
pub(crate) struct Culprit {
    /// As in the manifest.
    pub(crate) name: String,
    /// The package that fails: itself or what it depends on.
    pub(crate) failed: String,
    pub(crate) why: String,
}

/// Each shadow lacks more than the one before; what fails is mostly known after the first.
const SHADOWS_MAX: usize = 6;

impl Job<'_> {
    fn run(&self, built: &mut Built, say: &mut dyn FnMut(&str)) -> Result<(), Problem> {
        let mut work = Work {
            open: self.targets.clone(),
            manifest: self.package.manifest_path.as_std_path().to_owned(),
            lacks: Lacks::default(),
            culprits: Vec::new(),
            failed: BTreeMap::new(),
        };
        let memory = self.memory();
        if let Some((lacks, culprits)) = memory.recall() {
            work.culprits = culprits;
            self.take_shadow(&mut work, lacks, say)?;
        } else if !self.overlay.is_empty() {
            self.take_shadow(&mut work, Lacks::default(), say)?;
        }
        for _ in 0..SHADOWS_MAX {
            let Some(lacks) = self.attempt(&mut work, built, say)? else { break };
            self.take_shadow(&mut work, lacks, say)?;
        }
        if work.lacks != Lacks::default() {
            memory.keep(&work.lacks, &work.culprits);
        }
        let is_built = |target: &Target| {
            built.modules.iter().any(|module| {
                module.package == self.package.name.as_str() && module.target == *target
            })
        };
        let left_out: Vec<LeftOut> = work
            .failed
            .iter()
            .filter(|(target, _)| !is_built(target))
            .map(|(target, failures)| self.left_out(target, failures, &work.culprits))
            .collect();
        built.left_out.extend(left_out);
        Ok(())
    }

    /// Goes on with a shadow of the package.
    fn take_shadow(
        &self,
        work: &mut Work,
        lacks: Lacks,
        say: &mut dyn FnMut(&str),
    ) -> Result<(), Problem> {
        work.lacks = lacks;
        if work.lacks.programs {
            let (programs, others): (Vec<Target>, Vec<Target>) =
                work.open.drain(..).partition(|target| matches!(target, Target::Bin(_)));
            work.open = others;
            for program in programs {
                let failure = self.program_failure(&program);
                work.failed.entry(program).or_insert_with(|| vec![failure]);
            }
        }
        if work.lacks != Lacks::default() {
            say(&format!("building {} without {}", self.package.name, missing(&work.lacks)));
        }
        let shadows = match self.overlay.is_empty() {
            true => self.shadows(),
            false => self.target_folder.join("overlay"),
        };
        let folder = shadows.join(directory_name(self.package));
        let shadow = Shadow::make(self.metadata, self.package, &work.lacks, self.overlay, &folder)?;
        work.manifest = shadow.manifest;
        Ok(())
    }

    fn program_failure(&self, program: &Target) -> Failure {
        Failure {
            id: None,
            name: self.package.name.to_string(),
            target: Some(program.clone()),
            why: "a program of the package uses something that WebAssembly lacks".to_owned(),
        }
    }

    fn shadows(&self) -> PathBuf {
        self.target_folder.join("shadow")
    }

    fn memory(&self) -> Memory {
        let root = self.metadata.workspace_root.as_std_path();
        let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        let texts = [
            read(self.package.manifest_path.as_std_path()),
            read(&root.join("Cargo.toml")),
            read(&root.join("Cargo.lock")),
            self.features.join(" "),
            self.toolchain.to_string(),
        ];
        Memory::new(self.shadows().join(format!("{}.found", directory_name(self.package))), &texts)
    }

    /// Builds what is not built yet; what the next attempt must lack, if that can help.
    fn attempt(
        &self,
        work: &mut Work,
        built: &mut Built,
        say: &mut dyn FnMut(&str),
    ) -> Result<Option<Lacks>, Problem> {
        let failures = self.call(work, &work.open.clone(), built, say)?;
        if work.open.is_empty() {
            return Ok(None);
        }
        let lacks = self.lacks_of(&failures, work, false);
        if lacks != work.lacks {
            return Ok(Some(lacks));
        }
        // One that fails may have kept others from being built.
        let mut all = Vec::new();
        for target in work.open.clone() {
            let failures = self.call(work, std::slice::from_ref(&target), built, say)?;
            if work.open.contains(&target) {
                if !matches!(target, Target::Bin(_)) {
                    all.extend(failures.iter().cloned());
                }
                work.failed.insert(target, failures);
            }
        }
        let lacks = self.lacks_of(&all, work, true);
        Ok((lacks != work.lacks).then_some(lacks))
    }

    /// Has cargo build targets, and books those that it has built; gives what failed.
    fn call(
        &self,
        work: &mut Work,
        targets: &[Target],
        built: &mut Built,
        say: &mut dyn FnMut(&str),
    ) -> Result<Vec<Failure>, Problem> {
        let call = Call {
            folder: self.metadata.workspace_root.as_std_path(),
            manifest: &work.manifest,
            package: self.package.name.as_str(),
            targets,
            features: &self.features,
            target_folder: &self.target_folder,
        };
        let _claim =
            fingerprints::claim(&self.target_folder, self.package.name.as_str(), &work.manifest);
        let outcome = cargo::build_tests(self.toolchain, &call, say)?;
        if outcome.built.is_empty() && outcome.failures.is_empty() && !outcome.is_success {
            return Err(Problem::cargo(last_words(&outcome.said)));
        }
        for (target, path) in &outcome.built {
            if !work.open.contains(target) {
                continue;
            }
            work.open.retain(|open| open != target);
            let (entries, foreign) = interface(path)?;
            if entries.is_empty() {
                work.failed.remove(target);
                continue;
            }
            let (packages, libraries) = self.packages();
            built.modules.push(Module {
                package: self.package.name.to_string(),
                target: target.clone(),
                path: path.clone(),
                entries,
                foreign,
                root: self.metadata.workspace_root.as_std_path().to_owned(),
                built_in: self.built_in(&work.manifest),
                packages,
                libraries,
                without: work.culprits.iter().map(|culprit| culprit.name.clone()).collect(),
            });
        }
        Ok(outcome.failures)
    }

    /// The folder of the workspace in which a manifest of the package is.
    fn built_in(&self, manifest: &Path) -> PathBuf {
        let root = self.metadata.workspace_root.as_std_path();
        let mut folder = manifest.parent().unwrap_or(root);
        for _ in self.place_of(self.package).components() {
            folder = folder.parent().unwrap_or(folder);
        }
        folder.to_owned()
    }

    /// The folder of a package, relative to that of the workspace.
    fn place_of(&self, package: &Package) -> PathBuf {
        let root = self.metadata.workspace_root.as_std_path();
        let home = package.manifest_path.as_std_path().parent().unwrap_or(root);
        home.strip_prefix(root).unwrap_or(home).to_owned()
    }

    /// The folders of the packages whose code is under test, and of the others.
    fn packages(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let all = self.metadata.packages.iter();
        let rebut = all.clone().find(|package| package.name.as_str() == "rebut");
        let own = rebut.map(|rebut| self.graph.closure(&rebut.id)).unwrap_or_default();
        let is_under_test = |package: &&Package| {
            package.id == self.package.id
                || (self.metadata.workspace_members.contains(&package.id)
                    && !own.contains(&package.id))
        };
        let (under_test, others): (Vec<&Package>, Vec<&Package>) = all.partition(is_under_test);
        let places = |all: Vec<&Package>| {
            let places = all.into_iter().map(|package| self.place_of(package));
            places.filter(|place| place.is_relative()).collect()
        };
        (places(under_test), places(others))
    }

    /// What a shadow must lack in which that which failed is not needed.
    fn lacks_of(&self, failures: &[Failure], work: &mut Work, programs_too: bool) -> Lacks {
        let mut lacks = work.lacks.clone();
        let needed = self.graph.closure(&self.package.id);
        for (name, id) in self.graph.for_tests_only(self.package) {
            let closure = self.graph.closure(id);
            let failure = failures.iter().find(|failure| {
                closure.iter().any(|id| is_of(failure, id, &self.graph))
                    && !needed.iter().any(|id| is_of(failure, id, &self.graph))
            });
            if let Some(failure) = failure
                && self.graph.name(id) != "rebut"
                && !lacks.dependencies.contains(&name)
            {
                work.culprits.push(Culprit {
                    name: name.clone(),
                    failed: failure.name.clone(),
                    why: failure.why.clone(),
                });
                lacks.dependencies.push(name);
            }
        }
        if lacks.dependencies.len() > work.lacks.dependencies.len() {
            // Cargo stops at the first that fails. What nobody names is not tried.
            for name in self.unnamed() {
                if !lacks.dependencies.contains(&name) {
                    lacks.dependencies.push(name);
                }
            }
        }
        // Programs are built for tests that may start them, which cannot be done here.
        lacks.programs |= programs_too
            && failures.iter().any(|failure| matches!(failure.target, Some(Target::Bin(_))));
        lacks
    }

    /// What only tests depend on and the sources of no target name.
    fn unnamed(&self) -> Vec<String> {
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

    fn left_out(&self, target: &Target, failures: &[Failure], culprits: &[Culprit]) -> LeftOut {
        let own = || {
            failures.iter().filter(|failure| {
                failure.name == self.package.name.as_str()
                    && failure.target.as_ref() == Some(target)
            })
        };
        // An import that is not found is why the target fails; what follows from it is not.
        let missing =
            own().find_map(|failure| culprits.iter().find(|culprit| culprit.is_in(failure)));
        let (culprit, why) = if let Some(culprit) = missing {
            (Some(culprit.failed.clone()), culprit.to_string())
        } else if let Some(failure) = own().next() {
            (None, format!("it cannot be built for WebAssembly: {}", failure.why))
        } else if let Some(failure) = failures.first() {
            let why = format!(
                "it needs `{}`, which cannot be built for WebAssembly: {}",
                failure.name, failure.why
            );
            (Some(failure.name.clone()), why)
        } else {
            (None, "cargo did not build it and gave no reason".to_owned())
        };
        LeftOut { package: self.package.name.to_string(), target: target.clone(), culprit, why }
    }
}

/// How far the build of a package is.
struct Work {
    /// What is not built.
    open: Vec<Target>,
    /// What it is built from: the package itself, later a shadow of it.
    manifest: PathBuf,
    lacks: Lacks,
    culprits: Vec<Culprit>,
    /// What failed when a target was built alone.
    failed: BTreeMap<Target, Vec<Failure>>,
}

impl Culprit {
    /// Whether a failure is that this dependency is not there.
    fn is_in(&self, failure: &Failure) -> bool {
        let name = self.name.replace('-', "_");
        failure.why.contains(&format!("`{name}`")) || failure.why.contains(&format!("`{name}::"))
    }
}

impl fmt::Display for Culprit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it uses `{}`, which cannot be built for WebAssembly: ", self.name)?;
        if self.failed != self.name {
            write!(f, "it depends on `{}`: ", self.failed)?;
        }
        f.write_str(&self.why)
    }
}

/// Whether a failure is that of a package.
fn is_of(failure: &Failure, package: &PackageId, graph: &Graph<'_>) -> bool {
    match &failure.id {
        Some(id) => id == package,
        None => graph.name(package) == failure.name,
    }
}

/// What a shadow lacks, in words.
fn missing(lacks: &Lacks) -> String {
    let mut names: BTreeSet<String> =
        lacks.dependencies.iter().map(|name| format!("`{name}`")).collect();
    if lacks.programs {
        names.insert("its programs".to_owned());
    }
    names.into_iter().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_directory_is_marked_by_whoever_creates_it() {
        let home = std::env::temp_dir().join(format!("rebut-target-{}", std::process::id()));
        let _ = fs::remove_dir_all(&home);
        let target = home.join("target");
        create_target(&target).expect("a directory");
        let tag = fs::read_to_string(target.join("CACHEDIR.TAG")).expect("a tag");
        // What backups look for, and what the tests of the user look for.
        assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"), "{tag}");
        assert!(tag.contains("created by cargo"), "{tag}");
        fs::remove_file(target.join("CACHEDIR.TAG")).expect("removed");
        create_target(&target).expect("a directory");
        assert!(
            !target.join("CACHEDIR.TAG").exists(),
            "a directory of somebody else stays as it is"
        );
        let _ = fs::remove_dir_all(home);
    }
}
