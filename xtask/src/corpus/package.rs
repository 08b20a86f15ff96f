//! Prepares a package: fetches a crate, copies it, and adds the properties of the corpus.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::description::{Description, Suite};
use crate::compat::clean_environment;
use crate::{cargo, root, setup, target};

/// How long a command may run, in seconds. A first build of a crate takes a minute.
const SECONDS_MAX: u32 = 600;

/// How long an emitted test may run that should not end, in seconds. The deadlines of such
/// properties are below a second, so this is many times as long.
const HANG_SECONDS_MAX: u32 = 10;

/// A crate that is ready to be tested.
pub(super) struct Package {
    /// The directory in which commands run: that of the package, or of its workspace.
    pub(super) work: PathBuf,
    /// The directory of the package.
    pub(super) home: PathBuf,
    /// The files with properties.
    pub(super) suites: Vec<Suite>,
}

/// The result of a command.
pub(super) struct CommandOutput {
    pub(super) code: i32,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// A message of the compiler.
#[derive(Clone, Debug)]
pub(super) struct CompilerMessage {
    pub(super) is_error: bool,
    pub(super) text: String,
    /// The file and line of its primary span.
    pub(super) place: Option<(String, usize)>,
}

/// The result of building a test target.
pub(super) struct Built {
    pub(super) executable: Option<PathBuf>,
    pub(super) messages: Vec<CompilerMessage>,
}

impl Package {
    /// Copies the package and adds the properties. Fetches the crate if it is not there.
    pub(super) fn prepare(description: &Description) -> Result<Package, String> {
        let work = home().join("work").join(description.directory());
        let home = if description.is_member { work.join("member") } else { work.clone() };
        let lock = fs::read(work.join("Cargo.lock")).ok();
        let _ = fs::remove_dir_all(&work);
        let source = source_of(description)?;
        copy(&source, &home).map_err(|error| format!("cannot copy {source:?}: {error}"))?;
        let package = Package { suites: suites(description), work, home };
        package.edit_manifest(description)?;
        package.add_suites(description)?;
        if let Some(lock) = lock {
            package.write("Cargo.lock", &String::from_utf8_lossy(&lock))?;
            if package.cargo(&["metadata", "--locked", "--format-version", "1"], &[])?.code == 0 {
                return Ok(package);
            }
            let _ = fs::remove_file(package.work.join("Cargo.lock"));
        }
        // This is the only command that uses a network. Without one, crates from the cache serve.
        let mut fetch = cargo(&["fetch", "--quiet"]);
        clean_environment(&mut fetch);
        let fetched = fetch.current_dir(&package.work).output();
        match fetched {
            Ok(output) if output.status.success() => Ok(package),
            Ok(output) => Err(format!(
                "`cargo fetch` failed: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            )),
            Err(error) => Err(format!("cannot start cargo: {error}")),
        }
    }

    /// Removes what only the tests of the crate itself need, and adds Rebut.
    fn edit_manifest(&self, description: &Description) -> Result<(), String> {
        for directory in ["tests", "benches", "examples"] {
            let _ = fs::remove_dir_all(self.home.join(directory));
        }
        let path = self.home.join("Cargo.toml");
        let text = fs::read_to_string(&path).map_err(|error| format!("{path:?}: {error}"))?;
        let has_unit = self.suites.contains(&Suite::Unit);
        let mut manifest = without_own_tests(&text, has_unit);
        let rebut = root().join("crates/rebut");
        manifest.push_str(&format!("\n[dev-dependencies.rebut]\npath = {rebut:?}\n"));
        if self.suites.contains(&Suite::Tests) {
            manifest.push_str("\n[[test]]\nname = \"corpus\"\npath = \"tests/corpus.rs\"\n");
        }
        let workspace = "\n[workspace]\n";
        if description.is_member {
            let members = "members = [\"member\"]\nresolver = \"2\"\n";
            self.write("Cargo.toml", &format!("{workspace}{members}"))?;
        } else {
            manifest.push_str(workspace);
        }
        fs::write(&path, manifest).map_err(|error| format!("{path:?}: {error}"))
    }

    fn add_suites(&self, description: &Description) -> Result<(), String> {
        let entries = fs::read_dir(&description.home);
        for path in entries.into_iter().flatten().flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_suite = Suite::ALL.iter().any(|suite| suite.source() == name);
            if !is_suite && name != "corpus.toml" && path.is_file() {
                let text = fs::read_to_string(&path).map_err(|e| format!("{path:?}: {e}"))?;
                self.write_in_package(&format!("corpus/{name}"), &text)?;
            }
        }
        for suite in &self.suites {
            let path = description.home.join(suite.source());
            let text = fs::read_to_string(&path).map_err(|error| format!("{path:?}: {error}"))?;
            self.write_in_package(suite.path(), &text)?;
        }
        if self.suites.contains(&Suite::Unit) {
            let root = self.root_module()?;
            let text = fs::read_to_string(&root).map_err(|error| format!("{root:?}: {error}"))?;
            let module = "\n#[cfg(test)]\nmod corpus;\n";
            fs::write(&root, text + module).map_err(|error| format!("{root:?}: {error}"))?;
        }
        if description.caps_lints {
            Package::cap_lints(&self.home.join("src"))?;
        }
        Ok(())
    }

    /// Makes `deny(warnings)` a warning in all files of a directory.
    fn cap_lints(directory: &Path) -> Result<(), String> {
        let entries = fs::read_dir(directory).map_err(|error| format!("{directory:?}: {error}"))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                Package::cap_lints(&path)?;
            } else if let Ok(text) = fs::read_to_string(&path)
                && text.contains("deny(warnings)")
            {
                write(&path, &text.replace("deny(warnings)", "warn(warnings)"))?;
            }
        }
        Ok(())
    }

    /// The root module of the library.
    fn root_module(&self) -> Result<PathBuf, String> {
        let usual = self.home.join("src/lib.rs");
        if usual.is_file() { Ok(usual) } else { Err(format!("{usual:?} does not exist")) }
    }

    fn write(&self, path: &str, text: &str) -> Result<(), String> {
        write(&self.work.join(path), text)
    }

    /// Writes a file of the package.
    pub(super) fn write_in_package(&self, path: &str, text: &str) -> Result<(), String> {
        write(&self.home.join(path), text)
    }

    /// The path of a file of the package as the compiler prints it.
    pub(super) fn printed_path(&self, path: &str) -> String {
        match self.home.strip_prefix(&self.work) {
            Ok(member) if member.as_os_str().is_empty() => path.to_owned(),
            Ok(member) => format!("{}/{path}", member.display()),
            Err(_) => path.to_owned(),
        }
    }

    /// Removes all saved failures.
    pub(super) fn forget_failures(&self) {
        let _ = fs::remove_dir_all(self.home.join(".rebut/failures"));
    }

    /// Runs cargo in the directory of the package or its workspace.
    pub(super) fn cargo(
        &self,
        arguments: &[&str],
        features: &[String],
    ) -> Result<CommandOutput, String> {
        let mut words: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        if !features.is_empty() {
            let at = words.iter().position(|word| word == "--").unwrap_or(words.len());
            words.insert(at, format!("--features={}", features.join(",")));
        }
        let mut command = limited("cargo");
        command.args(words);
        self.run(command, &self.work)
    }

    /// Prepares the inputs of the specifications.
    pub(super) fn generate(&self) -> Result<(), String> {
        let entries = fs::read_dir(self.home.join("corpus"));
        for path in entries.into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.extension().is_none_or(|extension| extension != "rebut") {
                continue;
            }
            let mut command = limited("cargo");
            command.args(["rebut", "generate"]).arg(&path);
            let output = self.run(command, &self.home)?;
            if output.code != 0 {
                return Err(format!("{} generates nothing: {}", path.display(), output.stderr));
            }
        }
        Ok(())
    }

    /// Runs a line as a user would paste it.
    pub(super) fn bash(&self, line: &str) -> Result<CommandOutput, String> {
        let mut command = limited("bash");
        command.args(["-c", line]);
        self.run(command, &self.work)
    }

    /// Runs one test of a test binary, as cargo does.
    pub(super) fn test(
        &self,
        executable: &Path,
        test: &str,
        variables: &[(&str, &str)],
    ) -> Result<CommandOutput, String> {
        let mut command = limited(&executable.to_string_lossy());
        command.envs(variables.iter().copied());
        self.run_test(command, test)
    }

    /// Runs a test that does not end, for a short time.
    pub(super) fn test_that_hangs(
        &self,
        executable: &Path,
        test: &str,
    ) -> Result<CommandOutput, String> {
        let seconds = HANG_SECONDS_MAX;
        self.run_test(limited_to(seconds, &executable.to_string_lossy()), test)
    }

    fn run_test(&self, mut command: Command, test: &str) -> Result<CommandOutput, String> {
        command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
        command.env("CARGO_MANIFEST_DIR", &self.home);
        self.run(command, &self.home)
    }

    fn run(&self, mut command: Command, directory: &Path) -> Result<CommandOutput, String> {
        clean_environment(&mut command);
        let own = std::iter::once(target().join("debug"));
        let system = setup::path();
        let path = std::env::join_paths(own.chain(std::env::split_paths(&system)));
        command
            .current_dir(directory)
            .stdin(Stdio::null())
            .env("CARGO_TARGET_DIR", home().join("build"))
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only")
            .env("RUST_BACKTRACE", "0")
            .env("REBUT_SEED", "1")
            .env("PATH", path.unwrap_or(system));
        let output = command.output().map_err(|error| format!("cannot start: {error}"))?;
        Ok(CommandOutput {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Builds the target of a suite.
    pub(super) fn build(&self, suite: Suite, features: &[String]) -> Result<Built, String> {
        let mut arguments = vec!["test", "--no-run", "--message-format=json"];
        arguments.extend(suite.selection());
        let output = self.cargo(&arguments, features)?;
        let mut built = Built { executable: None, messages: Vec::new() };
        let home = self.home.to_string_lossy();
        for line in output.stdout.lines() {
            let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
            let manifest = value["manifest_path"].as_str().unwrap_or_default();
            if !manifest.starts_with(&*home) {
                continue;
            }
            if let Some(executable) = value["executable"].as_str() {
                built.executable = Some(PathBuf::from(executable));
            }
            if value["reason"] == "compiler-message" {
                built.messages.extend(message(&value["message"]));
            }
        }
        if built.executable.is_none() && built.messages.iter().all(|message| !message.is_error) {
            let text = output.stderr.trim().to_owned();
            built.messages.push(CompilerMessage { is_error: true, text, place: None });
        }
        Ok(built)
    }
}

fn message(value: &Value) -> Option<CompilerMessage> {
    let level = value["level"].as_str()?;
    let is_error = level.starts_with("error");
    let summary = value["message"].as_str().unwrap_or_default();
    // The compiler ends with a count of its errors and warnings.
    let is_count = summary.starts_with("aborting due to") || summary.contains(" emitted");
    if !(is_error || level == "warning") || is_count {
        return None;
    }
    let spans = value["spans"].as_array()?;
    let primary = spans.iter().find(|span| span["is_primary"] == true);
    let place = primary.and_then(|span| {
        Some((span["file_name"].as_str()?.to_owned(), span["line_start"].as_u64()? as usize))
    });
    let text = value["rendered"].as_str().unwrap_or_default().trim_end().to_owned();
    Some(CompilerMessage { is_error, text, place })
}

/// A command that ends after a while.
fn limited(program: &str) -> Command {
    limited_to(SECONDS_MAX, program)
}

fn limited_to(seconds: u32, program: &str) -> Command {
    let mut command = Command::new("timeout");
    command.arg(seconds.to_string()).arg(program);
    command
}

/// Where packages are copied to and built.
fn home() -> PathBuf {
    target().join("corpus")
}

fn suites(description: &Description) -> Vec<Suite> {
    let has_file = |suite: &Suite| description.home.join(suite.source()).is_file();
    Suite::ALL.into_iter().filter(has_file).collect()
}

/// The sources of a crate, as the registry has them.
fn source_of(description: &Description) -> Result<PathBuf, String> {
    if description.is_local {
        return Ok(description.home.join("package"));
    }
    let Description { name, version, .. } = description;
    let scratch = home().join("fetch").join(description.directory());
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [lib]\npath = \"lib.rs\"\n\n[workspace]\n\n[dependencies]\n\"{name}\" = \"={version}\"\n"
    );
    let path = scratch.join("Cargo.toml");
    if fs::read_to_string(&path).ok().as_ref() != Some(&manifest) {
        write(&path, &manifest)?;
        write(&scratch.join("lib.rs"), "")?;
    }
    let metadata = |offline: &[&str]| -> Result<PathBuf, String> {
        let mut command = cargo(&["metadata", "--format-version", "1"]);
        clean_environment(&mut command);
        command.args(offline).current_dir(&scratch);
        let output = command.output().map_err(|error| format!("cannot start cargo: {error}"))?;
        let value: Value = serde_json::from_slice(&output.stdout).map_err(|_error| {
            format!("cannot fetch: {}", String::from_utf8_lossy(&output.stderr).trim())
        })?;
        let packages = value["packages"].as_array().into_iter().flatten();
        let mut found = packages
            .filter(|package| package["name"] == **name && package["version"] == **version)
            .filter_map(|package| package["manifest_path"].as_str());
        let manifest = found.next().ok_or_else(|| format!("no package `{name}` {version}"))?;
        Ok(Path::new(manifest).parent().unwrap_or(Path::new("")).to_owned())
    };
    metadata(&["--offline"]).or_else(|_why| metadata(&[]))
}

/// Removes the sections of a manifest for the tests, examples and benchmarks of the crate itself.
/// Unit tests are built together with those of the crate, which need its dev-dependencies. A
/// feature of a removed dependency is removed as well.
fn without_own_tests(manifest: &str, has_unit: bool) -> String {
    let mut kept = String::new();
    let mut removed = Vec::new();
    let mut is_kept = true;
    let mut is_library = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            let is_own = ["[[bench]]", "[[test]]", "[[example]]", "[workspace"];
            let is_dependency = line.contains("dev-dependencies") && !has_unit;
            is_kept = !is_own.iter().any(|own| line.starts_with(own)) && !is_dependency;
            is_library = line.starts_with("[lib]");
            if is_dependency {
                removed.extend(line.trim_end_matches(']').rsplit('.').next());
            }
        }
        let hides_tests = is_library && line.replace(' ', "") == "test=false";
        if is_kept && !hides_tests {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    for name in removed {
        // It can be a dependency of the library as well.
        if kept.contains(&format!("dependencies.{name}]")) || kept.contains(&format!("\n{name} ="))
        {
            continue;
        }
        while let Some(from) = kept.find(&format!("\"{name}/")) {
            let rest = &kept[from + 1..];
            let Some(end) = rest.find('"') else { break };
            let comma = usize::from(rest[end + 1..].starts_with(','));
            kept.replace_range(from..from + 1 + end + 1 + comma, "");
        }
    }
    kept
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let written = fs::create_dir_all(directory).and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("cannot write {path:?}: {error}"))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        let name = entry.file_name();
        if path.is_dir() && name != "target" && name != ".git" {
            copy(&path, &to)?;
        } else if path.is_file() && name != "Cargo.lock" {
            fs::write(to, fs::read(&path)?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_for_tests_of_the_crate_are_removed() {
        let manifest = "[package]\nname = \"a\"\n[lib]\ntest = false\n[dev-dependencies.b]\n\
                        version = \"1\"\n[dependencies]\nc = \"1\"\n[[test]]\nname = \"t\"\n\
                        [target.'cfg(unix)'.dev-dependencies]\nd = \"1\"\n[lints.rust]\nx = \"deny\"\n";
        let expected = "[package]\nname = \"a\"\n[lib]\n[dependencies]\nc = \"1\"\n[lints.rust]\nx = \"deny\"\n";
        assert_eq!(without_own_tests(manifest, false), expected);
        let features = "[features]\nf = [\n    \"b/g\",\n    \"h\",\n]\n[dev-dependencies.b]\nversion = \"1\"\n";
        let without = "[features]\nf = [\n    \n    \"h\",\n]\n";
        assert_eq!(without_own_tests(features, false), without);
        assert!(without_own_tests(manifest, true).contains("dev-dependencies.b"));
    }
}
