//! Code that is compiled for one of two targets only: the explored one or that of the user.
//!
//! A crate can ask the compiler for its target (`#[cfg(unix)]`, `cfg!(target_arch = "x86_64")`,
//! `cfg_if!`), and then exploration looks at other code than the user ships. This matters to a
//! test if the code that its runs executed is of that kind. [`ConditionalCode::differences`] gets
//! the executed lines and reads the sources of the packages that they are in:
//!
//! 1. A function differs if it contains such a condition, or is below one, or reads a constant such
//!    as `std::env::consts::OS`.
//! 2. A function differs too if it names an item that exists under such a condition and leaves no
//!    code of its own: a constant, a type, an import, a module, a macro.
//!
//! A function is executed if one of its lines is. The compiler may also have evaluated a call and
//! left no line of the function at all: `if cfg!(unix) { .. }` is nothing in the explored build. So
//! a function or constant without any line in the module counts if a function that counts names it.
//!
//! A condition is such a one only if it has different results for the two targets, so
//! `#[cfg(not(windows))]` is none. The compiler is asked for the values (`rustc --print cfg`).
//! Features and `test` have unknown values, the same for both targets. Options and variables that a
//! build script sets may differ if the script asks for the target.
//!
//! Reading tokens instead of a syntax tree is less exact, but it sees the arguments of macros too,
//! and code that a newer compiler accepts. The price: names are not resolved, so an item of the
//! same name in the same package counts. Two things are not seen: files that a build script writes,
//! and an implementation of `Drop` that exists for one target only.
//!
//! The standard library and Rebut itself are left out. Both differ on purpose; what a test can
//! notice of that is known by name.

mod cfg;
mod source;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cfg::Targets;
use source::{Condition, Function, SourceFile};

use crate::Toolchain;
use crate::platform::Platform;

/// A difference between the code for two targets, which executed code depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum TargetDifference {
    /// A condition of the compiler, as it is written, and the file and line.
    Condition(String),
    /// Constants that describe the target, such as `std::env::consts::OS`.
    Constants(String),
}

/// The executed lines of source files.
pub type ExecutedLines = BTreeMap<PathBuf, BTreeSet<u32>>;

/// Finds conditional code. Reads each package once.
#[derive(Debug)]
pub struct ConditionalCode {
    rustc: PathBuf,
    platform: Platform,
    targets: Option<Targets>,
    packages: HashMap<PathBuf, PackageSource>,
}

/// The sources of a package.
#[derive(Debug, Default)]
struct PackageSource {
    /// Its files that mention conditions or constants of the target.
    conditional: BTreeMap<PathBuf, SourceFile>,
    /// Its other files, and what they contain once that is needed.
    others: BTreeMap<PathBuf, SourceFile>,
    unread: Vec<PathBuf>,
    /// The options and variables that its build script sets, perhaps for one target only.
    of_build_script: BTreeSet<String>,
}

/// The packages of Rebut that a test contains, and those that the standard library consists of. The
/// hash table of the latter has another order of iteration on x86-64, which no test may rely on.
const OWN: &[&str] = &[
    "alloc",
    "cfg-if",
    "compiler_builtins",
    "core",
    "dlmalloc",
    "hashbrown",
    "rebut",
    "rebut-choice",
    "rebut-contract",
    "rebut-gen",
    "rebut-macros",
    "rebut-protocol",
    "rebut-run",
    "rebut-search",
    "std",
];

impl ConditionalCode {
    /// Prepares to compare the explored target with that of the machine.
    #[must_use]
    pub fn new(toolchain: &Toolchain) -> ConditionalCode {
        ConditionalCode {
            rustc: toolchain.rustc_path().to_owned(),
            platform: toolchain.platform(),
            targets: None,
            packages: HashMap::new(),
        }
    }

    /// Returns what the code at these lines depends on and has another value for the other target.
    /// `compiled` returns all lines with code in the module.
    pub fn differences(
        &mut self,
        executed: &ExecutedLines,
        compiled: &dyn Fn() -> ExecutedLines,
    ) -> BTreeSet<TargetDifference> {
        let files = executed.keys().filter(|file| !is_of_std(file));
        let packages: BTreeSet<PathBuf> = files.filter_map(|file| package_of(file)).collect();
        let mut all = None;
        let mut differences = BTreeSet::new();
        for package in packages {
            let source = self.packages.entry(package).or_insert_with_key(|package| {
                if is_own(package) {
                    PackageSource::default()
                } else {
                    PackageSource::read(package)
                }
            });
            if source.conditional.is_empty() {
                continue;
            }
            let targets = self.targets.get_or_insert_with(|| targets(&self.rustc, self.platform));
            if source.is_different(targets) {
                let compiled = all.get_or_insert_with(compiled);
                source.read_others();
                differences.extend(source.differences(targets, executed, compiled));
            }
        }
        differences
    }
}

impl PackageSource {
    /// Whether anything in the package has another value for the other target.
    fn is_different(&self, targets: &Targets) -> bool {
        self.conditional.values().any(|file| {
            file.conditions.iter().any(|one| targets.differ(&one.predicate, &self.of_build_script))
                || file.functions.iter().any(|function| !function.constants.is_empty())
        })
    }

    fn differences(
        &self,
        targets: &Targets,
        executed: &ExecutedLines,
        compiled: &ExecutedLines,
    ) -> BTreeSet<TargetDifference> {
        let reached = self.reached(executed, compiled);
        let mut differences = BTreeSet::new();
        let mut items: BTreeMap<&str, String> = BTreeMap::new();
        for (file, text) in &self.conditional {
            let own: Vec<&Function> =
                reached.iter().filter(|(path, _)| path == file).map(|(_, one)| *one).collect();
            let differs = |one: &&Condition| targets.differ(&one.predicate, &self.of_build_script);
            for condition in text.conditions.iter().filter(differs) {
                let description =
                    format!("{} ({})", condition.text, location(file, condition.line));
                let is_reached = own.iter().any(|function| condition.concerns(function))
                    || condition.modules.iter().any(|module| has_module(executed, file, module));
                if is_reached {
                    differences.insert(TargetDifference::Condition(description.clone()));
                }
                for item in &condition.items {
                    items.entry(item).or_insert_with(|| description.clone());
                }
            }
        }
        for (_, function) in reached {
            let named = function.names.iter().filter_map(|name| items.get(name.as_str()));
            differences.extend(named.cloned().map(TargetDifference::Condition));
            let constants = function.constants.iter().cloned();
            differences.extend(constants.map(TargetDifference::Constants));
        }
        differences
    }

    /// Returns the functions that were executed, and those without code that they lead to.
    fn reached(
        &self,
        executed: &ExecutedLines,
        compiled: &ExecutedLines,
    ) -> Vec<(&Path, &Function)> {
        let files = self.conditional.iter().chain(&self.others);
        let (mut reached, mut without_code) = (Vec::new(), Vec::new());
        for (file, text) in files {
            for function in &text.functions {
                let is_in = |lines: &ExecutedLines| {
                    lines.get(file).is_some_and(|lines| function.has_line(lines))
                };
                if is_in(executed) {
                    reached.push((file.as_path(), function));
                } else if !is_in(compiled) {
                    without_code.push((file.as_path(), function));
                }
            }
        }
        let mut next = 0;
        while let Some((_, function)) = reached.get(next).copied() {
            let is_named = |(_, other): &(&Path, &Function)| function.names.contains(&other.name);
            let (named, rest) = without_code.into_iter().partition(is_named);
            reached.extend::<Vec<(&Path, &Function)>>(named);
            without_code = rest;
            next += 1;
        }
        reached
    }
}

/// Asks the compiler for the conditions that it sets for both targets. Without an answer, a
/// condition counts as different if it could be.
fn targets(rustc: &Path, platform: Platform) -> Targets {
    let ask = |arguments: &[&str]| {
        let output = Command::new(rustc).args(["--print", "cfg"]).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let explored = [&["--target", platform.triple(), "-Cpanic=abort"], platform.flags()].concat();
    let explored = ask(&explored);
    match (explored, ask(&[])) {
        (Some(explored), Some(native)) => Targets::new(&explored, &native),
        _ => Targets::default(),
    }
}

/// Whether this is a file of the standard library.
fn is_of_std(file: &Path) -> bool {
    file.starts_with("/rustc") || file.to_string_lossy().contains("/lib/rustlib/src/rust/")
}

/// The directory of the package that a file belongs to.
fn package_of(file: &Path) -> Option<PathBuf> {
    let mut folders = file.ancestors().skip(1);
    folders.find(|folder| folder.join("Cargo.toml").is_file()).map(Path::to_owned)
}

/// Whether this package differs on purpose.
fn is_own(package: &Path) -> bool {
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
    let name = manifest.lines().find_map(|line| {
        let value = line.strip_prefix("name")?.trim_start().strip_prefix('=')?;
        Some(value.trim().trim_matches('"').to_owned())
    });
    name.is_some_and(|name| OWN.contains(&name.as_str()))
}

/// The largest number of files of a package that are read. Arbitrary; more than any published crate
/// has that is not generated.
const FILES_MAX: usize = 5_000;

impl PackageSource {
    /// Reads the files of a package that mention conditions.
    fn read(package: &Path) -> PackageSource {
        let mut source = PackageSource::default();
        let script = fs::read_to_string(package.join("build.rs")).unwrap_or_default();
        source.of_build_script = source::set_by(&script);
        for path in files_of(package) {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            if !["cfg", "consts", "env!"].iter().any(|word| text.contains(word)) {
                source.unread.push(path);
            } else if let Some(file) = SourceFile::parse(&text) {
                source.conditional.insert(path, file);
            }
        }
        source
    }

    /// Reads the other files.
    fn read_others(&mut self) {
        for path in std::mem::take(&mut self.unread) {
            let text = fs::read_to_string(&path).ok();
            if let Some(file) = text.and_then(|text| SourceFile::parse(&text)) {
                self.others.insert(path, file);
            }
        }
    }
}

/// Returns the files of a package, without those of packages below it.
fn files_of(package: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![package.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                let is_other =
                    name == "target" || name.starts_with('.') || path.join("Cargo.toml").is_file();
                if !is_other {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") && files.len() < FILES_MAX {
                files.push(path);
            }
        }
    }
    files
}

/// Whether any executed file belongs to a module that is declared in `file`.
fn has_module(executed: &ExecutedLines, file: &Path, module: &str) -> bool {
    let (Some(folder), Some(stem)) = (file.parent(), file.file_stem()) else { return false };
    let is_root = ["lib", "main", "mod"].iter().any(|root| stem == *root)
        || folder.file_name().is_some_and(|name| name == "tests");
    let folder = if is_root { folder.to_owned() } else { folder.join(stem) };
    let (own, below) = (folder.join(format!("{module}.rs")), folder.join(module));
    executed.keys().any(|path| *path == own || path.starts_with(&below))
}

fn location(file: &Path, line: u32) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    format!("{name}:{line}")
}
