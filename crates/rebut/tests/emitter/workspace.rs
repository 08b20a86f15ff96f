//! The crates of the properties, and how they are built and run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::corpus::{Home, Subject};

/// The packages: one for each edition, and one without the standard library.
const PACKAGES: [(&str, &str); 5] =
    [("2015", "2015"), ("2018", "2018"), ("2021", "2021"), ("2024", "2024"), (NO_STD, "2021")];

/// The package without the standard library, in place of an edition.
pub(crate) const NO_STD: &str = "no_std";

/// A workspace with the packages.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
}

/// A problem that the compiler reports.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) home: Home,
    /// Its lines, counted from 1.
    pub(crate) lines: Vec<usize>,
    pub(crate) text: String,
}

/// The test programs, or what the compiler reports.
#[derive(Debug, Default)]
pub(crate) struct Built {
    pub(crate) programs: BTreeMap<Home, PathBuf>,
    pub(crate) problems: Vec<Problem>,
}

/// The lints of the crates: more than a crate has that does not choose any.
const LINTS: &str = "#![warn(unused, elided_lifetimes_in_paths, trivial_casts)]\n";

impl Workspace {
    pub(crate) fn new(name: &str) -> Workspace {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitter").join(name);
        let rebut = env!("CARGO_MANIFEST_DIR");
        let members = PACKAGES.map(|(package, _)| format!("e{package}"));
        let manifest = format!(
            "[workspace]\nresolver = \"2\"\nmembers = {members:?}\n\n[profile.dev]\ndebug = false\n"
        );
        write(&root.join("Cargo.toml"), &manifest);
        for (name, edition) in PACKAGES {
            let package = root.join(format!("e{name}"));
            let manifest = format!(
                "[package]\nname = \"e{name}\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\
                 publish = false\n\n[dev-dependencies]\nrebut = {{ path = \"{rebut}\" }}\n"
            );
            write(&package.join("Cargo.toml"), &manifest);
            let _ = fs::remove_dir_all(package.join(".rebut"));
        }
        // With the versions of this workspace nothing has to be looked up.
        let locked = Path::new(rebut).join("../../Cargo.lock");
        write(&root.join("Cargo.lock"), &fs::read_to_string(locked).expect("the lock file"));
        let _ = fs::remove_dir_all(root.join("target/rebut"));
        Workspace { root }
    }

    pub(crate) fn package(&self, home: Home) -> PathBuf {
        self.root.join(format!("e{}", home.edition))
    }

    /// Writes the files with these texts of subjects. Returns, for each file, the first line and
    /// the index of each subject.
    pub(crate) fn write(
        &self,
        subjects: &[Subject],
        texts: &[String],
    ) -> BTreeMap<Home, Vec<(usize, usize)>> {
        let mut files: BTreeMap<Home, String> = BTreeMap::new();
        let mut lines: BTreeMap<Home, Vec<(usize, usize)>> = BTreeMap::new();
        for (edition, _) in PACKAGES {
            for is_integration_test in [false, true] {
                let home = Home { edition, is_integration_test };
                let rest = match (edition, is_integration_test) {
                    ("2015", _) => {
                        "#[cfg(test)]\n#[allow(unused_extern_crates)]\nextern crate rebut;\n"
                    }
                    (NO_STD, false) => {
                        "#![no_std]\n#![cfg(test)]\n#[allow(unused_extern_crates)]\nextern crate alloc;\n"
                    }
                    (_, false) => "#![cfg(test)]\n",
                    _ => "",
                };
                files.insert(home, format!("{LINTS}{rest}"));
            }
        }
        for (nth, subject) in subjects.iter().enumerate() {
            let file = files.get_mut(&subject.home).expect("a file");
            let line = file.matches('\n').count() + 1;
            lines.entry(subject.home).or_default().push((line, nth));
            let text = match (subject.home.edition, subject.home.is_integration_test) {
                ("2015", false) => format!("#[cfg(test)]\n{}", texts[nth]),
                _ => texts[nth].clone(),
            };
            let text = match subject.has_crlf {
                true => text.replace('\n', "\r\n"),
                false => text,
            };
            file.push_str(&text);
        }
        for (home, text) in files {
            let name = if home.is_integration_test { "tests/it.rs" } else { "src/lib.rs" };
            write(&self.package(home).join(name), &text);
        }
        lines
    }

    /// Builds all tests.
    pub(crate) fn build(&self) -> Built {
        let output = self
            .cargo()
            .args(["build", "--tests", "--offline", "--keep-going", "--message-format=json"])
            .output()
            .expect("cargo");
        let mut built = Built::default();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
            let target = &message["target"];
            let manifest = message["manifest_path"].as_str().unwrap_or_default();
            let mut packages = PACKAGES.iter().map(|(package, _)| *package);
            let edition = packages.find(|name| manifest.ends_with(&format!("e{name}/Cargo.toml")));
            let Some(edition) = edition else { continue };
            let home = Home { edition, is_integration_test: target["kind"][0] == "test" };
            if let Some(path) = message["executable"].as_str() {
                built.programs.insert(home, path.into());
            }
            let message = &message["message"];
            if let Some(level) = message["level"].as_str()
                && ["error", "warning"].contains(&level)
                && let Some(spans) = message["spans"].as_array()
                && !spans.is_empty()
            {
                let mut lines = Vec::new();
                for span in spans {
                    collect_lines(span, &mut lines);
                }
                let text = message["rendered"].as_str().unwrap_or_default().to_owned();
                built.problems.push(Problem { home, lines, text });
            }
        }
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() || !built.problems.is_empty(),
            "cargo failed without a problem of the crates:\n{said}"
        );
        built
    }

    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        clean(&mut cargo);
        cargo
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            .stdin(Stdio::null());
        cargo
    }

    /// Runs one test of a program and returns its output; `None` if it passed.
    pub(crate) fn run(&self, home: Home, program: &Path, test: &str) -> Option<String> {
        let mut command = Command::new("timeout");
        clean(&mut command);
        command.arg("60").arg(program).args([test, "--exact", "--test-threads=1"]);
        command.env("REBUT_SEED", "1").env("REBUT_DATABASE", "false").stdin(Stdio::null());
        let output = command.current_dir(self.package(home)).output().expect("a program");
        let text =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(!text.contains("running 0 tests"), "there is no test {test}");
        (!output.status.success()).then(|| text.into_owned())
    }
}

/// Collects the lines of a span, and of the code that the macro was called from.
fn collect_lines(span: &serde_json::Value, lines: &mut Vec<usize>) {
    if span["is_primary"] == true || span["expansion"].is_null() {
        lines.extend(span["line_start"].as_u64().map(|line| line as usize));
    }
    if !span["expansion"].is_null() {
        collect_lines(&span["expansion"]["span"], lines);
    }
}

fn clean(command: &mut Command) {
    rebut_testkit::clean(command);
    command.env("CARGO_TERM_COLOR", "never");
}

/// Writes a file unless it has this text: what did not change is not built again.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file below `target`");
}
