//! `Invariant:` lines of ARCHITECTURE.md that tokens or manifests can confirm.
//!
//! Each rule quotes the line that it checks, so the document and the rules cannot drift apart: a
//! rule whose line is gone fails. A check of tokens is not a proof. It finds the ordinary way to
//! break a rule, such as `Command::new` in a crate that starts no process.

use super::document::{ARCHITECTURE, Invariant, code_spans, invariants};
use super::lock::{Features, build_of};
use super::{CodeFile, House};
use crate::sources::lexer::tokens;

/// A rule about the code of one crate.
struct Rule {
    /// The crate, below `crates/`.
    package: &'static str,
    /// A part of an invariant of this crate.
    quote: &'static str,
    evidence: Evidence,
}

enum Evidence {
    /// These tokens occur nowhere in the crate, or only in some of its files.
    Tokens { refused: &'static [&'static str], only_in: OnlyIn },
    /// These tokens do not occur in these files, or in those below these directories.
    TokensWithin { refused: &'static [&'static str], files: &'static [&'static str] },
    /// All dependencies outside of tests pass: name, whether optional, whether for some systems.
    Dependencies(fn(&Dependency<'_>) -> bool),
    /// No test of a user compiles the crate.
    NotBuiltByUsers,
    /// `house/builds.rs` checks it.
    Builds,
}

/// The files that may have refused tokens.
enum OnlyIn {
    Nothing,
    /// Each must be named in an invariant of the crate. A directory ends with `/`.
    Files(&'static [&'static str]),
}

/// A dependency that is not only for tests.
struct Dependency<'a> {
    name: &'a str,
    is_member: bool,
    is_optional: bool,
    is_for_some_systems: bool,
}

const UNSAFE: &[&str] = &["unsafe"];
const PROCESSES: &[&str] = &["Command::new"];
const FILES: &[&str] = &["std::fs", "File::open", "File::create", "OpenOptions", "fs::"];
const CLOCK: &[&str] = &["Instant", "SystemTime"];
const INPUT_AND_OUTPUT: &[&str] = &[
    "std::fs",
    "std::io",
    "std::net",
    "std::env",
    "Command::new",
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
    "Instant",
    "SystemTime",
];

const RULES: &[Rule] = &[
    Rule {
        package: "rebut-protocol",
        quote: "no dependencies",
        evidence: Evidence::Dependencies(|_| false),
    },
    Rule {
        package: "rebut-protocol",
        quote: "It reads nothing and runs nothing",
        evidence: Evidence::Tokens { refused: INPUT_AND_OUTPUT, only_in: OnlyIn::Nothing },
    },
    Rule {
        package: "rebut-choice",
        quote: "no I/O, no clock, no thread, no global state",
        evidence: Evidence::Tokens { refused: INPUT_AND_OUTPUT, only_in: OnlyIn::Nothing },
    },
    Rule {
        package: "rebut-choice",
        quote: "no I/O, no clock, no thread, no global state",
        evidence: Evidence::Tokens {
            refused: &["std::thread", "thread_local!", "static", "OnceLock", "LazyLock"],
            only_in: OnlyIn::Nothing,
        },
    },
    Rule {
        package: "rebut-choice",
        quote: "no dependencies, except on `rebut-protocol` for WebAssembly",
        evidence: Evidence::Dependencies(|one| {
            one.name == "rebut-protocol" && one.is_for_some_systems
        }),
    },
    Rule {
        package: "rebut-choice",
        quote: "Only `host.rs` has unsafe code",
        evidence: Evidence::Tokens { refused: UNSAFE, only_in: OnlyIn::Files(&["host.rs"]) },
    },
    Rule {
        package: "rebut-gen",
        quote: "types of other crates are behind features",
        evidence: Evidence::Dependencies(|one| one.is_member || one.is_optional),
    },
    Rule {
        package: "rebut-macros",
        quote: "`lib.rs` only forwards",
        evidence: Evidence::TokensWithin {
            refused: &["quote!", "format_ident!", "match", "for", "while", "if", "let"],
            files: &["lib.rs"],
        },
    },
    Rule {
        package: "rebut-gen",
        quote: "a generator has no randomness and no mutable state",
        evidence: Evidence::Tokens {
            refused: &["Instant::now", "SystemTime::now", "RandomState", "static mut", "std::env"],
            only_in: OnlyIn::Nothing,
        },
    },
    Rule {
        package: "rebut-macros",
        quote: "generated code names only `::rebut::__private`",
        evidence: Evidence::Tokens {
            refused: &["rebut_choice", "rebut_gen", "rebut_run", "rebut_contract", "rebut_search"],
            only_in: OnlyIn::Nothing,
        },
    },
    Rule {
        package: "rebut-macros",
        quote: "generated code has no `#[allow(..)]`",
        evidence: Evidence::Tokens { refused: &["#[allow("], only_in: OnlyIn::Nothing },
    },
    Rule {
        package: "rebut-macros",
        quote: "it reads files and writes none",
        evidence: Evidence::Tokens {
            refused: &[
                "fs::write",
                "fs::create_dir",
                "fs::create_dir_all",
                "fs::remove_file",
                "fs::rename",
                "File::create",
                "OpenOptions",
            ],
            only_in: OnlyIn::Nothing,
        },
    },
    Rule {
        package: "rebut-search",
        quote: "it runs nothing",
        evidence: Evidence::Dependencies(|one| one.name == "rebut-choice"),
    },
    Rule {
        package: "rebut-run",
        quote: "only `isolate/child.rs` starts a process, and it never forks",
        evidence: Evidence::Tokens {
            refused: &["Command::new", "fork"],
            only_in: OnlyIn::Files(&["isolate/child.rs"]),
        },
    },
    Rule {
        package: "rebut-run",
        quote: "only `isolate/signals`, `isolate/page.rs` and `isolate/restart/exec.rs` have unsafe code; `isolate/sys.rs` declares",
        evidence: Evidence::Tokens {
            refused: UNSAFE,
            only_in: OnlyIn::Files(&[
                "isolate/signals/",
                "isolate/page.rs",
                "isolate/restart/exec.rs",
                "isolate/sys.rs",
            ]),
        },
    },
    Rule {
        package: "rebut-run",
        quote: "only `print.rs` writes to the standard error",
        evidence: Evidence::Tokens {
            refused: &[
                "eprintln!",
                "eprint!",
                "stderr().write",
                "stderr().lock",
                "std::io::stderr(),",
            ],
            only_in: OnlyIn::Files(&["print.rs"]),
        },
    },
    Rule {
        package: "rebut-run",
        quote: "Nothing writes to the standard output, except a child to its parent",
        evidence: Evidence::Tokens {
            refused: &["println!", "print!", "stdout().write", "stdout().lock"],
            only_in: OnlyIn::Nothing,
        },
    },
    Rule {
        package: "rebut-run",
        quote: "the only dependency outside this workspace is `libc`, and only on those unix",
        evidence: Evidence::Dependencies(|one| {
            one.is_member || one.name == "libc" && one.is_for_some_systems
        }),
    },
    Rule {
        package: "rebut-text",
        quote: "no I/O, no clock, no randomness",
        evidence: Evidence::Tokens { refused: INPUT_AND_OUTPUT, only_in: OnlyIn::Nothing },
    },
    Rule {
        package: "rebut-text",
        quote: "users' tests do not build it",
        evidence: Evidence::NotBuiltByUsers,
    },
    Rule {
        package: "rebut-smt",
        quote: "the evaluator shares no code with rewrites, ranges and the bit-blaster",
        evidence: Evidence::TokensWithin {
            refused: &["crate::rewrite", "crate::range", "crate::blast", "crate::solver"],
            files: &["evaluate.rs", "evaluate/"],
        },
    },
    Rule {
        package: "rebut-smt",
        quote: "Only an external solver has a time budget",
        evidence: Evidence::TokensWithin {
            refused: CLOCK,
            files: &["solver.rs", "solver/", "blast.rs", "blast/", "rewrite.rs", "rewrite/"],
        },
    },
    Rule {
        package: "rebut-smt",
        quote: "only `smtlib/process/pipe.rs` starts a process",
        evidence: Evidence::Tokens {
            refused: PROCESSES,
            only_in: OnlyIn::Files(&["smtlib/process/pipe.rs"]),
        },
    },
    Rule {
        package: "rebut-spec",
        quote: "`eval` does not know how models are found",
        evidence: Evidence::TokensWithin {
            refused: &["crate::engine", "rebut_smt"],
            files: &["eval.rs", "eval/"],
        },
    },
    Rule {
        package: "rebut-spec",
        quote: "it reads no file",
        evidence: Evidence::Tokens { refused: FILES, only_in: OnlyIn::Nothing },
    },
    Rule {
        package: "rebut-build",
        quote: "users' tests do not build it",
        evidence: Evidence::NotBuiltByUsers,
    },
    Rule {
        package: "rebut-concolic",
        quote: "budgets are counted in runs, loop rounds and conflicts, never in time",
        // The cache deletes the files that were not used for the longest time.
        evidence: Evidence::Tokens {
            refused: CLOCK,
            only_in: OnlyIn::Files(&["machine/code_cache.rs"]),
        },
    },
    Rule {
        package: "rebut-concolic",
        quote: "only `machine` knows wasmtime",
        evidence: Evidence::Tokens {
            refused: &["wasmtime"],
            only_in: OnlyIn::Files(&["machine.rs", "machine/"]),
        },
    },
    Rule {
        package: "rebut-concolic",
        quote: "Users' tests do not build this crate",
        evidence: Evidence::NotBuiltByUsers,
    },
    Rule {
        package: "cargo-rebut",
        quote: "`cargo tree -p cargo-rebut` has no wasmtime",
        evidence: Evidence::Builds,
    },
    Rule {
        package: "rebut-cli",
        quote: "it starts no engine and depends on none",
        evidence: Evidence::Dependencies(|one| {
            !one.is_member || ["rebut-protocol", "rebut-report"].contains(&one.name)
        }),
    },
    Rule {
        package: "rebut-concolic",
        quote: "only `machine/code_cache.rs` has unsafe code",
        evidence: Evidence::Tokens {
            refused: UNSAFE,
            only_in: OnlyIn::Files(&["machine/code_cache.rs"]),
        },
    },
    Rule {
        package: "rebut-report",
        quote: "no I/O, no clock",
        evidence: Evidence::Tokens { refused: INPUT_AND_OUTPUT, only_in: OnlyIn::Nothing },
    },
    Rule {
        package: "rebut-report",
        quote: "users' tests do not build it",
        evidence: Evidence::NotBuiltByUsers,
    },
];

/// Crates with rules about unsafe code. All others have none.
fn may_have_unsafe_code(package: &str) -> bool {
    RULES.iter().any(|rule| {
        let is_about_unsafe =
            matches!(&rule.evidence, Evidence::Tokens { refused, .. } if *refused == UNSAFE);
        rule.package == package && is_about_unsafe
    })
}

pub(super) fn complaints(house: &House<'_>) -> Vec<String> {
    let stated = invariants(house.text(ARCHITECTURE));
    let mut complaints = Vec::new();
    for rule in RULES {
        match rule.invariant(&stated) {
            Some(invariant) => complaints.extend(
                rule.violations(house, &stated)
                    .into_iter()
                    .map(|violation| format!("{violation} ({ARCHITECTURE}:{})", invariant.line)),
            ),
            None => complaints.push(format!(
                "{ARCHITECTURE}: `crates/{}` has no invariant with the words \"{}\"; change the \
                 rule in xtask/src/house/invariants.rs too",
                rule.package, rule.quote
            )),
        }
    }
    complaints.extend(unsafe_complaints(house));
    complaints
}

/// Unsafe code in crates about which the document says nothing.
fn unsafe_complaints(house: &House<'_>) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in &house.code {
        let package = file.path.strip_prefix("crates/").and_then(|path| path.split('/').next());
        if !package.is_some_and(may_have_unsafe_code) {
            let lines = lines_with(file, "unsafe");
            complaints.extend(lines.into_iter().map(|line| {
                format!(
                    "{}:{line}: unsafe code; {ARCHITECTURE} allows none in this crate, and \
                     xtask/src/house/invariants.rs has no rule for it",
                    file.path
                )
            }));
        }
    }
    complaints
}

/// How many invariants a rule checks, and how many there are.
pub(super) fn coverage(house: &House<'_>) -> (usize, usize) {
    let stated = invariants(house.text(ARCHITECTURE));
    let checked = stated.iter().filter(|invariant| is_checked(invariant)).count();
    (checked, stated.len())
}

/// The invariants that no rule checks, one line each.
pub(super) fn unchecked(house: &House<'_>) -> Vec<String> {
    let stated = invariants(house.text(ARCHITECTURE));
    let unchecked = stated.iter().filter(|invariant| !is_checked(invariant));
    unchecked
        .map(|Invariant { line, area, claim }| format!("{ARCHITECTURE}:{line}: {area}: {claim}"))
        .collect()
}

fn is_checked(invariant: &Invariant<'_>) -> bool {
    RULES.iter().any(|rule| rule.is_about(invariant))
}

impl Rule {
    fn is_about(&self, invariant: &Invariant<'_>) -> bool {
        invariant.area.strip_prefix("crates/") == Some(self.package)
            && invariant.claim.contains(self.quote)
    }

    fn invariant<'a>(&self, stated: &[Invariant<'a>]) -> Option<Invariant<'a>> {
        stated.iter().find(|invariant| self.is_about(invariant)).copied()
    }

    fn violations(&self, house: &House<'_>, stated: &[Invariant<'_>]) -> Vec<String> {
        match &self.evidence {
            Evidence::Tokens { refused, only_in: OnlyIn::Nothing } => {
                self.tokens(house, refused, |_| true)
            }
            Evidence::Tokens { refused, only_in: OnlyIn::Files(files) } => {
                let mut violations = self.unstated(files, stated);
                violations.extend(self.unused(house, refused, files));
                violations.extend(self.tokens(house, refused, |path| !is_in(path, files)));
                violations
            }
            Evidence::TokensWithin { refused, files } => {
                self.tokens(house, refused, |path| is_in(path, files))
            }
            Evidence::Dependencies(is_allowed) => self.dependencies(house, *is_allowed),
            Evidence::NotBuiltByUsers => {
                let build = build_of(house, "rebut", Features::All);
                let way = build.get(self.package);
                way.map(|way| format!("users' tests build `{}` ({way})", self.package))
                    .into_iter()
                    .collect()
            }
            Evidence::Builds => Vec::new(),
        }
    }

    /// Refused tokens in the files of the crate that are meant.
    fn tokens(
        &self,
        house: &House<'_>,
        refused: &[&str],
        is_meant: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let mut violations = Vec::new();
        for file in &house.code {
            if !file.path_in_crate(self.package).is_some_and(&is_meant) {
                continue;
            }
            for pattern in refused {
                violations.extend(lines_with(file, pattern).into_iter().map(|line| {
                    format!("{}:{line}: `{pattern}`, but \"{}\"", file.path, self.quote)
                }));
            }
        }
        violations
    }

    /// Files that the rule excepts and no invariant of the crate names.
    fn unstated(&self, files: &[&str], stated: &[Invariant<'_>]) -> Vec<String> {
        let mut violations = Vec::new();
        for file in files {
            let name = file.trim_end_matches('/').trim_end_matches(".rs");
            let is_named = stated.iter().filter(|invariant| self.is_about(invariant)).any(|one| {
                code_spans(one.claim).iter().any(|span| span.trim_end_matches(".rs") == name)
            });
            if !is_named {
                violations.push(format!("`{file}` of `{}` is in no invariant", self.package));
            }
        }
        violations
    }

    /// Files that the rule excepts without need.
    fn unused(&self, house: &House<'_>, refused: &[&str], files: &[&str]) -> Vec<String> {
        let mut violations = Vec::new();
        for excepted in files {
            let is_used = house.code.iter().any(|file| {
                let path = file.path_in_crate(self.package);
                path.is_some_and(|path| is_in(path, &[excepted]))
                    && refused.iter().any(|pattern| !lines_with(file, pattern).is_empty())
            });
            if !is_used {
                violations.push(format!(
                    "`{excepted}` of `{}` has nothing of what \"{}\" is about",
                    self.package, self.quote
                ));
            }
        }
        violations
    }

    fn dependencies(
        &self,
        house: &House<'_>,
        is_allowed: fn(&Dependency<'_>) -> bool,
    ) -> Vec<String> {
        let dependencies = house.package(self.package).map(|package| package.dependencies());
        let normal = dependencies.unwrap_or_default().iter().filter(|one| one["kind"] != "dev");
        let normal = normal.map(|one| {
            let name = one["name"].as_str().unwrap_or_default();
            Dependency {
                name,
                is_member: house.is_member(name),
                is_optional: one["optional"] == true,
                is_for_some_systems: !one["target"].is_null(),
            }
        });
        let refused = normal.filter(|dependency| !is_allowed(dependency));
        refused
            .map(|dependency| {
                format!(
                    "`{}` depends on `{}`, but \"{}\"",
                    self.package, dependency.name, self.quote
                )
            })
            .collect()
    }
}

/// Whether a path is one of these files, or below one of these directories.
fn is_in(path: &str, files: &[&str]) -> bool {
    files.iter().any(|file| path == *file || file.ends_with('/') && path.starts_with(file))
}

/// The lines of a file that have these tokens outside of tests.
fn lines_with(file: &CodeFile<'_>, pattern: &str) -> Vec<usize> {
    let wanted = tokens(pattern);
    let is_there = |index: &usize| {
        let found = file.tokens.get(*index..*index + wanted.len());
        found.is_some_and(|found| {
            found.iter().zip(&wanted).all(|(a, b)| a.kind == b.kind && a.text == b.text)
        })
    };
    file.code().filter(is_there).map(|index| file.tokens[index].line).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Inputs;
    use super::super::tests::workspace;

    /// The document, the manifests and the code of one crate.
    fn with_code_of(package: &str) -> Inputs {
        workspace().below(&["ARCHITECTURE.md", "Cargo.lock", &format!("crates/{package}/src")])
    }

    /// Complaints about one crate.
    fn complaints(inputs: &Inputs, package: &str) -> Vec<String> {
        let complaints = inputs.complaints("invariants").into_iter();
        let is_about = |complaint: &String| {
            [format!("crates/{package}/"), format!("`{package}`"), format!("crates/{package}`")]
                .iter()
                .any(|name| complaint.contains(name))
        };
        complaints.filter(is_about).collect()
    }

    /// Adds a file to a crate and expects one complaint with this text.
    fn check_canary(package: &str, text: &str, expected: &str) {
        let path = format!("crates/{package}/src/canary.rs");
        let inputs = with_code_of(package);
        assert_eq!(complaints(&inputs, package), [""; 0]);
        let complaints = complaints(&inputs.with_file(&path, text), package);
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].starts_with(&format!("{path}:1: {expected}")), "{complaints:?}");
    }

    #[test]
    fn canary_with_unsafe_code_fails() {
        check_canary("rebut-choice", "unsafe fn f() {}", "`unsafe`, but \"Only `host.rs`");
        check_canary(
            "rebut-search",
            "unsafe fn f() {}",
            "unsafe code; ARCHITECTURE.md allows none",
        );
    }

    #[test]
    fn canary_that_starts_a_process_fails() {
        let expected = "`Command::new`, but \"only `isolate/child.rs` starts a process";
        check_canary("rebut-run", "fn f() { Command::new(\"x\"); }", expected);
    }

    #[test]
    fn canary_that_writes_to_the_standard_error_fails() {
        check_canary("rebut-run", "fn f() { eprintln!(); }", "`eprintln!`, but \"only `print.rs`");
    }

    #[test]
    fn canary_in_a_test_or_comment_passes() {
        let text = "// unsafe\n#[cfg(test)]\nmod tests { fn f() { unsafe {} } }";
        let inputs = with_code_of("rebut-choice");
        let inputs = inputs.with_file("crates/rebut-choice/src/canary.rs", text);
        assert_eq!(complaints(&inputs, "rebut-choice"), [""; 0]);
    }

    #[test]
    fn canary_with_a_dependency_fails() {
        let dependency = json!({ "name": "libc", "kind": null, "target": null });
        let inputs = with_code_of("rebut-run").with_dependency("rebut-run", dependency);
        let complaints = complaints(&inputs, "rebut-run");
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].starts_with("`rebut-run` depends on `libc`"), "{complaints:?}");
    }

    #[test]
    fn canary_with_another_sentence_fails() {
        let (old, new) = ("Only `host.rs` has unsafe code", "Only `other.rs` has unsafe code");
        let inputs = with_code_of("rebut-choice").with_edit("ARCHITECTURE.md", old, new);
        let complaints = complaints(&inputs, "rebut-choice");
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].contains("has no invariant with the words"), "{complaints:?}");
    }

    #[test]
    fn canary_without_its_exception_fails() {
        let path = "crates/rebut-choice/src/host.rs";
        let inputs = with_code_of("rebut-choice").with_file(path, "fn f() {}");
        let complaints = complaints(&inputs, "rebut-choice");
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(
            complaints[0].starts_with("`host.rs` of `rebut-choice` has nothing"),
            "{complaints:?}"
        );
    }
}
