//! `cargo xtask house`: whether the code keeps to the structure that ARCHITECTURE.md describes.
//!
//! Each check is a function from the workspace to complaints. A complaint names the file, and what
//! to change if the violation is wanted. The checks read manifests, tokens and Markdown; nothing
//! is compiled, so all of them together take a few seconds.

mod arrows;
mod builds;
mod constants;
mod document;
mod invariants;
mod length;
mod lock;
mod messages;
mod names;
mod paths;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use crate::sources::attributes::test_ranges;
use crate::sources::lexer::{Token, TokenKind, tokens};
use crate::sources::{self, SourceFile};
use crate::workspace::{Package, packages};

/// A test of the structure.
struct Check {
    name: &'static str,
    complaints: fn(&House<'_>) -> Vec<String>,
}

const CHECKS: &[Check] = &[
    Check { name: "arrows", complaints: arrows::complaints },
    Check { name: "builds", complaints: builds::complaints },
    Check { name: "length", complaints: length::complaints },
    Check { name: "invariants", complaints: invariants::complaints },
    Check { name: "paths", complaints: paths::complaints },
    Check { name: "names", complaints: names::complaints },
    Check { name: "constants", complaints: constants::complaints },
    Check { name: "messages", complaints: messages::complaints },
];

/// `cargo xtask house [CHECK..]`, or `--unchecked` for the invariants that no check covers.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let inputs = Inputs::read(&crate::root())?;
    let house = inputs.house();
    if arguments == ["--unchecked"] {
        for line in invariants::unchecked(&house) {
            println!("{line}");
        }
        return Ok(());
    }
    let is_known = |name: &&&str| CHECKS.iter().any(|check| check.name == **name);
    if let Some(other) = arguments.iter().find(|name| !is_known(name)) {
        let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
        return Err(format!(
            "`house` takes `--unchecked` or names of checks, not `{other}`: {}",
            names.join(", ")
        ));
    }
    let mut failures = 0;
    for check in CHECKS {
        let is_named = arguments.contains(&check.name);
        if is_named || arguments.is_empty() {
            let complaints = (check.complaints)(&house);
            complaints.iter().for_each(|complaint| println!("{complaint}"));
            eprintln!("{:>12} {}", check.name, summary(complaints.len()));
            failures += complaints.len();
        }
    }
    let (checked, all) = invariants::coverage(&house);
    eprintln!(
        "{:>12} {checked} of {all} invariants of ARCHITECTURE.md are checked here; \
         `cargo xtask house --unchecked` lists the others",
        ""
    );
    match failures {
        0 => Ok(()),
        1 => Err("1 violation of the structure".to_owned()),
        count => Err(format!("{count} violations of the structure")),
    }
}

fn summary(count: usize) -> String {
    if count == 0 { "ok".to_owned() } else { format!("{count} to fix") }
}

/// Everything that the checks read.
#[derive(Clone, Debug)]
struct Inputs {
    packages: Vec<Package>,
    sources: Vec<SourceFile>,
}

impl Inputs {
    fn read(root: &Path) -> Result<Inputs, String> {
        Ok(Inputs { packages: packages()?, sources: sources::read(root)? })
    }

    fn house(&self) -> House<'_> {
        let tests = sources::test_files(&self.sources);
        let is_ours = |file: &&SourceFile| {
            let directories = ["crates/", "xtask/", "examples/"];
            file.is_rust() && directories.iter().any(|start| file.path.starts_with(start))
        };
        let code = self.sources.iter().filter(is_ours);
        let code = code.map(|file| CodeFile::new(file, &tests)).collect();
        House { packages: &self.packages, sources: &self.sources, code }
    }
}

/// The workspace, as the checks see it.
#[derive(Debug)]
struct House<'a> {
    packages: &'a [Package],
    /// All text files of the repository.
    sources: &'a [SourceFile],
    /// The Rust files of the workspace.
    code: Vec<CodeFile<'a>>,
}

impl House<'_> {
    /// The text of a file; empty if there is none.
    fn text(&self, path: &str) -> &str {
        self.sources.iter().find(|file| file.path == path).map_or("", |file| &file.text)
    }

    fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name() == name)
    }

    fn is_member(&self, name: &str) -> bool {
        self.package(name).is_some()
    }

    /// Whether a file or directory is in the repository.
    fn has_path(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.sources.iter().any(|file| is_at_or_below(&file.path, path))
    }
}

/// Whether a file is this one, or in this directory.
fn is_at_or_below(file: &str, path: &str) -> bool {
    file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A Rust file as tokens.
#[derive(Debug)]
struct CodeFile<'a> {
    path: &'a str,
    tokens: Vec<Token<'a>>,
    /// Tokens that only `cargo test` compiles.
    tests: Vec<Range<usize>>,
}

impl<'a> CodeFile<'a> {
    fn new(file: &'a SourceFile, test_files: &BTreeSet<String>) -> CodeFile<'a> {
        let tokens = tokens(&file.text);
        let tests = if test_files.contains(&file.path) {
            std::iter::once(0..tokens.len()).collect()
        } else {
            test_ranges(&tokens)
        };
        CodeFile { path: &file.path, tokens, tests }
    }

    fn is_in_test(&self, index: usize) -> bool {
        self.tests.iter().any(|range| range.contains(&index))
    }

    /// The indices of the tokens outside of tests and comments.
    fn code(&self) -> impl Iterator<Item = usize> {
        let is_code = |index: &usize| {
            let kind = self.tokens[*index].kind;
            let comments = [TokenKind::Comment, TokenKind::OuterDoc, TokenKind::InnerDoc];
            !comments.contains(&kind) && !self.is_in_test(*index)
        };
        (0..self.tokens.len()).filter(is_code)
    }

    /// The path below `crates/NAME/src/`, if it is in the sources of this crate.
    fn path_in_crate(&self, name: &str) -> Option<&'a str> {
        self.path.strip_prefix("crates/")?.strip_prefix(name)?.strip_prefix("/src/")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use serde_json::{Value, json};

    use super::{CHECKS, Inputs, SourceFile};
    use crate::workspace::Package;

    /// The workspace itself, read once for all tests.
    pub(super) fn workspace() -> Inputs {
        static INPUTS: OnceLock<Inputs> = OnceLock::new();
        INPUTS.get_or_init(|| Inputs::read(&crate::root()).expect("the workspace")).clone()
    }

    /// Files with texts, without packages.
    pub(super) fn files(files: &[(&str, &str)]) -> Inputs {
        let file = |&(path, text): &(&str, &str)| SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        Inputs { packages: Vec::new(), sources: files.iter().map(file).collect() }
    }

    impl Inputs {
        /// Adds a package with normal dependencies.
        pub(super) fn with_package(mut self, name: &str, dependencies: &[&str]) -> Inputs {
            let dependency = |name: &&str| json!({ "name": name, "kind": Value::Null });
            let dependencies: Vec<Value> = dependencies.iter().map(dependency).collect();
            let described = json!({ "name": name, "dependencies": dependencies });
            self.packages.push(Package { described });
            self
        }

        /// Adds a dependency to a package that is there.
        pub(super) fn with_dependency(mut self, package: &str, dependency: Value) -> Inputs {
            let package = self.packages.iter_mut().find(|one| one.name() == package);
            let package = package.expect("a package of the workspace");
            let dependencies = package.described["dependencies"].as_array_mut();
            dependencies.expect("a list of dependencies").push(dependency);
            self
        }

        /// Only the files at or below these paths, because reading all of them takes a second.
        pub(super) fn below(mut self, paths: &[&str]) -> Inputs {
            let is_wanted = |file: &SourceFile| {
                paths.iter().any(|path| super::is_at_or_below(&file.path, path))
            };
            self.sources.retain(is_wanted);
            self
        }

        /// The same paths, but with empty Rust files.
        pub(super) fn without_code(mut self) -> Inputs {
            self.sources
                .iter_mut()
                .filter(|file| file.is_rust())
                .for_each(|file| file.text.clear());
            self
        }

        /// Adds or replaces a file.
        pub(super) fn with_file(mut self, path: &str, text: &str) -> Inputs {
            self.sources.retain(|file| file.path != path);
            self.sources.push(SourceFile { path: path.to_owned(), text: text.to_owned() });
            self
        }

        /// Replaces a part of a file.
        pub(super) fn with_edit(self, path: &str, old: &str, new: &str) -> Inputs {
            let text = self.house().text(path).to_owned();
            assert!(text.contains(old), "{path} has no `{old}`");
            self.with_file(path, &text.replacen(old, new, 1))
        }

        /// The complaints of a check.
        pub(super) fn complaints(&self, check: &str) -> Vec<String> {
            let check = CHECKS.iter().find(|one| one.name == check).expect("a check");
            (check.complaints)(&self.house())
        }
    }

    #[test]
    fn workspace_passes_every_check() {
        let inputs = workspace();
        let house = inputs.house();
        for check in CHECKS {
            let complaints = (check.complaints)(&house);
            assert!(complaints.is_empty(), "{}:\n{}", check.name, complaints.join("\n"));
        }
    }
}
