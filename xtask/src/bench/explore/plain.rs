//! Runs properties as plain functions: no Rebut, no test harness, one process for each.
//!
//! The program is a test target without a harness in a copy of the package, because then build
//! scripts, profiles, features and `cfg(test)` are what they are for tests.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::property::{Property, Source, Truth};
use super::set::Set;
use crate::compat::clean_environment;

/// The seconds that one process may take. On a quiet machine a million cases of most properties
/// take less than ten.
const SECONDS_MAX: u32 = 120;

/// The code with which `timeout` ends if the time is over.
pub(super) const TIMED_OUT: i32 = 124;

/// The program with the functions of a set.
pub(super) struct Plain {
    executable: PathBuf,
}

impl Plain {
    /// Writes and builds the program.
    pub(super) fn build(set: &Set, sources: &[Source]) -> Result<Plain, String> {
        let home = set.copy("plain")?;
        let _ = fs::remove_dir_all(home.join("tests"));
        let manifest = home.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).map_err(|error| error.to_string())?;
        write(&manifest, &manifest_without_rebut(&text))?;
        write(&home.join("plain/values.rs"), include_str!("values.rs.txt"))?;
        for source in sources {
            write(&home.join(format!("plain/{}.rs", source.name)), &source.plain)?;
        }
        write(&home.join("plain/main.rs"), &main(sources))?;
        let mut command = set.cargo(&home, &["test", "--no-run", "--test", "plain"]);
        command.arg("--message-format=json").args(set.features()).stderr(Stdio::piped());
        let output = command.output().map_err(|error| format!("cannot start cargo: {error}"))?;
        let lines = String::from_utf8_lossy(&output.stdout);
        let mut messages = lines.lines().filter_map(|line| serde_json::from_str(line).ok());
        let executable = messages.find_map(|message: Value| {
            let is_plain = message["target"]["name"] == "plain";
            is_plain.then(|| message["executable"].as_str().map(PathBuf::from)).flatten()
        });
        let Some(executable) = executable else {
            let errors = lines.lines().filter_map(|line| {
                let message: Value = serde_json::from_str(line).ok()?;
                let is_error = message["message"]["level"] == "error";
                is_error.then(|| message["message"]["rendered"].as_str().map(str::to_owned))?
            });
            let errors: Vec<String> = errors.collect();
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{} is not built: {}{said}", set.name, errors.concat()));
        };
        Ok(Plain { executable })
    }

    /// Returns whether the property fails for the arguments in its mark.
    pub(super) fn fails_as_marked(&self, property: &Property) -> Result<bool, String> {
        let output = self.run(property, &["cases"])?;
        match output.status.code() {
            Some(TIMED_OUT) => Err(format!("`{}` does not end", property.path())),
            _ => Ok(!output.status.success()),
        }
    }

    /// Returns the number of the first random case that fails, and the message. Cases that there was
    /// no time for do not count.
    pub(super) fn random_failure(
        &self,
        property: &Property,
        cases: u64,
    ) -> Result<Option<String>, String> {
        let output = self.run(property, &["random", &cases.to_string()])?;
        let said = String::from_utf8_lossy(&output.stderr);
        let fails = !output.status.success() && output.status.code() != Some(TIMED_OUT);
        Ok(fails.then(|| said.trim().replace('\n', " | ")))
    }

    fn run(&self, property: &Property, words: &[&str]) -> Result<std::process::Output, String> {
        let mut command = Command::new("timeout");
        clean_environment(&mut command);
        command.arg(SECONDS_MAX.to_string()).arg(&self.executable);
        command.arg(property.path()).args(words).stdin(Stdio::null());
        let output = command.output();
        output.map_err(|error| format!("cannot start {}: {error}", self.executable.display()))
    }
}

/// Removes the dependency on Rebut and the tests, and adds the program.
fn manifest_without_rebut(manifest: &str) -> String {
    let mut kept = String::new();
    let mut is_kept = true;
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_kept = !line.starts_with("[[test]]");
        }
        if is_kept && !line.starts_with("rebut ") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept + "\n[[test]]\nname = \"plain\"\npath = \"plain/main.rs\"\nharness = false\n"
}

/// The root module: runs the property and the cases that its arguments name.
fn main(sources: &[Source]) -> String {
    let mut code = "//! Runs properties as plain functions.\n\n#![allow(warnings)]\n\n".to_owned();
    let mut arms = String::new();
    for source in sources {
        let _ = writeln!(code, "mod {};", source.name);
        for property in &source.properties {
            arms.push_str(&arm(property));
        }
    }
    let _ = write!(
        code,
        "mod values;\n\nuse values::{{Outcome, Random, SIZE, Source, Value, strings}};\n\n\
         fn main() {{\n    let words: Vec<String> = std::env::args().collect();\n    \
         let cases: Option<u64> = words.get(3).and_then(|word| word.parse().ok());\n    \
         match words[1].as_str() {{\n{arms}        \
         other => panic!(\"no property {{other}}\"),\n    }}\n}}\n\n{RANDOM}"
    );
    code
}

/// Prints the number of the case that fails, so that it can be run again alone.
const RANDOM: &str = r#"
fn random(cases: u64, run: impl Fn(&mut Random)) {
    static SEED: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        eprintln!("case {}:", SEED.load(std::sync::atomic::Ordering::Relaxed));
        hook(info);
    }));
    for seed in 0..cases {
        SEED.store(seed, std::sync::atomic::Ordering::Relaxed);
        run(&mut Random(seed.wrapping_mul(0xD134_2543_DE82_EF95)));
    }
}
"#;

fn arm(property: &Property) -> String {
    let path = property.path();
    let mut arm = format!("        {path:?} => match cases {{\n");
    let names: Vec<String> = (0..property.draws.len()).map(|nth| format!("a{nth}")).collect();
    let names = names.join(", ");
    let _ = writeln!(arm, "            Some(cases) => random(cases, |random| {{");
    for (nth, draw) in property.draws.iter().enumerate() {
        let _ = writeln!(arm, "                let a{nth} = {draw};");
    }
    let _ = writeln!(arm, "                Outcome::check({path}({names}));\n            }}),");
    let _ = writeln!(arm, "            None => {{");
    if let Truth::Fails { cases, .. } = &property.truth {
        for case in cases {
            let _ = writeln!(arm, "                Outcome::check({path}({case}));");
        }
    }
    let _ = writeln!(arm, "            }}\n        }},");
    arm
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let written = fs::create_dir_all(directory).and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("cannot write {path:?}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_package_does_not_depend_on_rebut() {
        let manifest = "[package]\nname = \"a\"\n[dev-dependencies]\nrebut = { path = \"x\" }\n\
                        b = \"1\"\n[[test]]\nname = \"c\"\n[features]\nd = []\n";
        let plain = manifest_without_rebut(manifest);
        assert!(!plain.contains("rebut") && !plain.contains("\"c\""), "{plain}");
        assert!(plain.contains("b = \"1\"") && plain.contains("d = []"), "{plain}");
        assert!(plain.contains("name = \"plain\""), "{plain}");
    }
}
