//! Any command may be the first one in a crate, and any other may follow.
//!
//! Cargo builds the crate and its dependencies once. Each case then starts like a fresh checkout,
//! without a target directory. It gets the built artifacts as hard links at the moment when cargo
//! would build them: with cargo's tag if cargo would create the directory, and without it if a
//! command has created it before.

#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const LIBRARY: &str = "\
#[cfg(test)]
mod tests {
    #[rebut::test]
    fn bytes_are_small(n: u8) {
        assert!(n < 255 || n == 255);
    }

    #[rebut::exists]
    fn zero_is_found(n: u16) -> bool {
        n == 0
    }

    #[rebut::test(cases = 50)]
    fn may_fail(n: u16) {
        assert!(n < 100 || std::env::var_os(\"DEMO_FAILS\").is_none());
    }
}
";

const PROPERTIES: [&str; 3] = ["tests::bytes_are_small", "tests::may_fail", "tests::zero_is_found"];

const SPECIFICATION: &str = "(declare hours ?Integer)\n(specify hours (between 1 12))\n\
                             (generate shifts 3 (constrain-solutions hours not-equal))\n";

/// A command in a fresh clone of a crate.
struct Step {
    name: &'static str,
    arguments: &'static [&'static str],
    /// Whether cargo builds something.
    builds: bool,
    /// Whether it leaves results for other commands.
    records: bool,
    /// Whether it needs results; without them it exits with 4.
    reads: bool,
}

const STEPS: [Step; 9] = [
    step("a directory", &[]),
    Step { builds: true, records: true, ..step("cargo test", &[]) },
    Step {
        builds: true,
        records: true,
        ..step("test", &["test", "--time", "1s", "--cases", "60"])
    },
    Step { reads: true, ..step("list", &["list"]) },
    Step { reads: true, ..step("report", &["report", "--out", "OUT/report.html"]) },
    Step { builds: true, reads: true, ..step("replay", &["replay", "1"]) },
    step("explain", &["explain", "R001"]),
    step("generate", &["generate", "shift.rebut"]),
    step("init", &["init", "--no-build"]),
];

const fn step(name: &'static str, arguments: &'static [&'static str]) -> Step {
    Step { name, arguments, builds: false, records: false, reads: false }
}

impl Step {
    fn leaves_no_trace(&self) -> bool {
        !self.builds && !self.records && self.name != "a directory"
    }
}

/// A crate, and the directories that cargo uses for it.
struct CrateDirectories {
    /// The directory in which commands run.
    home: PathBuf,
    /// The target directory of cargo.
    target: PathBuf,
    /// The directory for artifacts.
    artifacts: PathBuf,
    /// The directory for reports.
    out: PathBuf,
    variables: Vec<(&'static str, PathBuf)>,
    built: PathBuf,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("here")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    fs::write(path, text).expect("a file");
}

fn manifest(workspace: &str) -> String {
    let rebut = root().join("crates/rebut");
    format!(
        "[package]\nname = \"demo\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dev-dependencies]\nrebut = {{ path = {rebut:?} }}\n{workspace}"
    )
}

const OWN_WORKSPACE: &str = "[workspace]\n[profile.dev]\ndebug = false\n";

/// A directory for one test, empty.
fn scratch(name: &str) -> PathBuf {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("first").join(name);
    // An earlier run may have left it read-only.
    let _ = Command::new("chmod").args(["-R", "u+w"]).arg(&scratch).output();
    let _ = fs::remove_dir_all(&scratch);
    scratch
}

/// Writes a crate.
fn write_crate(home: &Path, workspace: &str) {
    write(&home.join("Cargo.toml"), &manifest(workspace));
    write(&home.join("src/lib.rs"), LIBRARY);
    write(&home.join("shift.rebut"), SPECIFICATION);
    write(&home.join("tests/properties.rs"), "");
}

fn copy_lock(home: &Path) {
    // With the versions of this workspace, cargo needs no network.
    fs::copy(root().join("Cargo.lock"), home.join("Cargo.lock")).expect("a file");
}

impl CrateDirectories {
    /// A crate outside of a workspace.
    fn new(home: PathBuf) -> CrateDirectories {
        let target = home.join("target");
        let out = home.with_extension("out");
        fs::create_dir_all(&out).expect("a directory");
        CrateDirectories {
            artifacts: target.clone(),
            built: home.with_extension("built"),
            out,
            home,
            target,
            variables: Vec::new(),
        }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        rebut_testkit::clean(&mut command);
        command.current_dir(&self.home);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    fn cargo(&self) -> Command {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        self.command(&cargo)
    }

    fn rebut(&self, arguments: &[&str]) -> Output {
        let out = self.out.display().to_string();
        let mut command = self.command(env!("CARGO_BIN_EXE_cargo-rebut"));
        command.args(arguments.iter().map(|argument| argument.replace("OUT", &out)));
        command.output().expect("the command")
    }

    /// Builds the crate in the directory in which the tests of `rebut` build the same
    /// dependencies, and keeps the artifacts to be linked.
    fn build(&self) {
        let fixture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixture");
        fs::create_dir_all(&fixture).expect("a directory");
        let turn = File::create(fixture.join("turn")).expect("a file");
        turn.lock().expect("a lock");
        let mut cargo = self.cargo();
        cargo.args(["test", "--no-run", "--quiet"]);
        let target = fixture.join("target");
        cargo.env("CARGO_TARGET_DIR", &target).env("CARGO_BUILD_BUILD_DIR", &target);
        let output = cargo.output().expect("cargo");
        assert!(output.status.success(), "{}", shown(&output));
        let _ = fs::remove_dir_all(&self.built);
        for directory in ["deps", ".fingerprint", "build"] {
            link(&target.join("debug").join(directory), &self.built.join(directory));
        }
        drop(turn);
    }

    /// Restores the state of a fresh checkout.
    fn clear(&self) {
        for directory in [&self.target, &self.artifacts] {
            let _ = fs::remove_dir_all(directory);
        }
    }

    /// Does what cargo does in its first build.
    fn provide_artifacts(&self) {
        if self.artifacts.join("debug").exists() {
            return;
        }
        if !self.artifacts.exists() {
            let tag = "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by cargo.\n";
            write(&self.artifacts.join("CACHEDIR.TAG"), tag);
        }
        link(&self.built, &self.artifacts.join("debug"));
    }

    fn run(&self, step: &Step) -> Output {
        if step.builds {
            self.provide_artifacts();
        }
        match step.name {
            // A command that writes below `target/rebut/` before the first build creates no tag.
            "a directory" => {
                fs::create_dir_all(self.target.join("rebut/explore")).expect("a directory");
                self.command("true").output().expect("a command")
            }
            "cargo test" => self.cargo().args(["test", "--quiet"]).output().expect("cargo"),
            _ => self.rebut(step.arguments),
        }
    }

    /// Runs commands one after the other in a fresh checkout, and `list` at the end.
    fn check(&self, steps: &[&Step]) {
        self.clear();
        let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
        let mut has_results = false;
        for step in steps.iter().copied().chain([&STEPS[3]]) {
            let output = self.run(step);
            let context = format!("{names:?}, at {:?}: {}", step.name, shown(&output));
            let expected = if step.reads && !has_results { 4 } else { 0 };
            assert_eq!(output.status.code(), Some(expected), "{context}");
            has_results |= step.records;
            if step.name == "list" && has_results {
                let listed = text(&output.stdout);
                assert!(PROPERTIES.iter().all(|name| listed.contains(name)), "{context}");
                assert_eq!(listed.lines().count(), 4, "three properties, one input: {context}");
            }
        }
    }
}

/// Creates hard links of all files of a directory.
fn link(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory").flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            link(&path, &to);
        } else {
            fs::hard_link(&path, &to).expect("a link");
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn shown(output: &Output) -> String {
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    format!("{:?}\n{stdout}\n{stderr}", output.status.code())
}

/// Tries every command as the first, followed by `cargo test`.
fn check_each(place: &CrateDirectories) {
    for first in &STEPS {
        place.check(&[first, &STEPS[1]]);
    }
}

#[test]
fn every_pair_of_commands_works_in_a_fresh_crate() {
    let place = CrateDirectories::new(scratch("fresh").join("demo"));
    write_crate(&place.home, OWN_WORKSPACE);
    copy_lock(&place.home);
    place.build();
    for first in &STEPS {
        if first.leaves_no_trace() {
            // The next command is then the first.
            place.check(&[first, &STEPS[1]]);
            continue;
        }
        for second in &STEPS {
            place.check(&[first, second]);
        }
    }
}

#[test]
fn every_command_may_be_the_first_in_a_member_of_a_workspace() {
    let root = scratch("member").join("workspace");
    write(
        &root.join("Cargo.toml"),
        "[workspace]\nmembers = [\"demo\"]\nresolver = \"3\"\n[profile.dev]\ndebug = false\n",
    );
    copy_lock(&root);
    let mut place = CrateDirectories::new(root.join("demo"));
    place.target = root.join("target");
    place.artifacts = place.target.clone();
    write_crate(&place.home, "");
    place.build();
    check_each(&place);
}

#[test]
fn every_command_may_be_the_first_with_a_target_directory_elsewhere() {
    let scratch = scratch("elsewhere");
    let mut place = CrateDirectories::new(scratch.join("demo"));
    write_crate(&place.home, OWN_WORKSPACE);
    copy_lock(&place.home);
    place.build();
    place.target = scratch.join("shared");
    place.artifacts = place.target.clone();
    place.variables = vec![("CARGO_TARGET_DIR", place.target.clone())];
    check_each(&place);

    // Another crate of the same name builds there too.
    let other = scratch.join("other");
    write_crate(&other, OWN_WORKSPACE);
    copy_lock(&other);
    let (home, built) = (place.home.clone(), place.built.clone());
    (place.home, place.built) = (other, scratch.join("other.built"));
    place.build();
    place.check(&[&STEPS[1]]);
    let there = place.rebut(&["list"]);
    (place.home, place.built) = (home, built);
    let here = place.rebut(&["list"]);
    assert_eq!(there.status.code(), Some(0), "{}", shown(&there));
    assert_eq!(here.status.code(), Some(4), "{}", shown(&here));

    // The same directory, set in the configuration of cargo.
    place.variables = Vec::new();
    let config = place.home.join(".cargo/config.toml");
    write(&config, &format!("[build]\ntarget-dir = {:?}\n", place.target));
    check_each(&place);

    // Binaries in a separate directory.
    let directory = scratch.join("artifacts");
    write(&config, &format!("[build]\nbuild-dir = {directory:?}\n"));
    (place.target, place.artifacts) = (place.home.join("target"), directory);
    check_each(&place);
}

#[test]
fn every_command_may_be_the_first_where_sources_cannot_be_written() {
    let scratch = scratch("read-only");
    let mut place = CrateDirectories::new(scratch.join("demo"));
    write_crate(&place.home, OWN_WORKSPACE);
    copy_lock(&place.home);
    // Permissions do not stop a superuser, but a file in the way does.
    write(&place.home.join(".rebut"), "in the way");
    place.build();
    place.target = scratch.join("target");
    place.artifacts = place.target.clone();
    place.variables = vec![("CARGO_TARGET_DIR", place.target.clone())];
    let set = |mode| {
        fs::set_permissions(&place.home, fs::Permissions::from_mode(mode)).expect("permissions");
    };
    set(0o555);
    check_each(&place);
    set(0o755);
}

#[test]
fn a_test_is_emitted_even_if_a_command_created_the_target_directory() {
    let place = CrateDirectories::new(scratch("emitted").join("demo"));
    write_crate(&place.home, OWN_WORKSPACE);
    copy_lock(&place.home);
    place.build();
    place.clear();
    place.run(&STEPS[0]);
    place.provide_artifacts();
    let mut command = place.command(env!("CARGO_BIN_EXE_cargo-rebut"));
    command.args(["test", "--time", "1s", "--cases", "60"]).env("DEMO_FAILS", "1");
    let output = command.output().expect("the command");
    assert_eq!(output.status.code(), Some(100), "{}", shown(&output));
    let said = text(&output.stderr);
    assert!(said.contains("demo__tests__may_fail.rs"), "{said}");
    assert!(!said.contains("failed that is not a property"), "{said}");
    assert!(place.target.join("rebut/tests/demo__tests__may_fail.rs").is_file());
}

/// A property that fails in the package, or the target, that a variable names.
fn named(target: &str) -> String {
    format!(
        "#[rebut::test(cases = 50)]\n#[cfg_attr(not(test), allow(unused))]\nfn small(n: u16) {{\n    let name = concat!(env!(\"CARGO_PKG_NAME\"), \" {target}\");\n    assert!(n < 100 || std::env::var(\"DEMO_FAILS\").as_deref() != Ok(name));\n}}\n"
    )
}

#[test]
fn tests_with_the_same_name_in_several_targets_never_mix() {
    let root = scratch("same-names").join("workspace");
    write(
        &root.join("Cargo.toml"),
        "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"3\"\n[profile.dev]\ndebug = false\n",
    );
    copy_lock(&root);
    for name in ["one", "two"] {
        let manifest = manifest("").replace("\"demo\"", &format!("{name:?}"));
        write(&root.join(name).join("Cargo.toml"), &manifest);
        let unit = |target: &str| format!("#[cfg(test)]\nmod tests {{\n{}}}\n", named(target));
        write(&root.join(name).join("src/lib.rs"), &unit("lib"));
        write(&root.join(name).join("src/main.rs"), &format!("{}fn main() {{}}\n", unit("bin")));
        write(&root.join(name).join("tests/it.rs"), &named("test"));
    }
    let mut place = CrateDirectories::new(root);
    place.built = place.home.with_extension("built");
    place.build();
    place.clear();
    place.provide_artifacts();
    let run = |fails: &str| {
        let mut cargo = place.cargo();
        cargo.args(["test", "--quiet", "--workspace", "--no-fail-fast"]);
        cargo.env("DEMO_FAILS", fails).output().expect("cargo")
    };
    let listed = || {
        let output = place.rebut(&["list", "--format", "json"]);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let all = json["properties"].as_array().expect("properties").clone();
        assert_eq!(all.len(), 6, "{json:#}");
        all
    };
    let key = |one: &serde_json::Value| {
        let words = ["package", "target"].map(|key| one[key].as_str().expect("text").to_owned());
        words.join(" ")
    };
    // Each of them fails in turn, and the others pass.
    for (fails, failed, stored, emitted) in [
        ("one lib", "one lib", "one/.rebut/failures/one__tests__small", "one__tests__small.rs"),
        ("two lib", "two lib", "two/.rebut/failures/two__tests__small", "two__tests__small.rs"),
        (
            "one bin",
            "one bin one",
            "one/.rebut/failures/bin-one__tests__small",
            "one-bin-one__tests__small.rs",
        ),
        ("one test", "one test it", "one/.rebut/failures/it__small", "one-test-it__small.rs"),
        ("two test", "two test it", "two/.rebut/failures/it__small", "two-test-it__small.rs"),
    ] {
        let output = run(fails);
        assert_eq!(output.status.code(), Some(101), "{}", shown(&output));
        let all = listed();
        let refuted = all.iter().filter(|one| one["success"] != true);
        assert_eq!(refuted.map(key).collect::<Vec<_>>(), [failed]);
        assert!(place.home.join(stored).is_dir(), "{stored}");
        let emitted = place.target.join("rebut/tests").join(emitted);
        let text = fs::read_to_string(&emitted).unwrap_or_else(|_| panic!("{fails}"));
        let command = all.iter().find_map(|one| one["failures"][0]["command"].as_str());
        let flags = text.lines().nth(1).and_then(|line| line.strip_prefix("// "));
        let flags = flags.expect("the flags of its target");
        assert!(command.is_some_and(|command| command.contains(flags)), "{command:?} {flags}");
        // The replay builds and runs only this test, which passes now.
        let replayed = place.rebut(&["replay", "1"]);
        assert_eq!(replayed.status.code(), Some(0), "{}", shown(&replayed));
        assert_eq!(tests_run(&replayed), 1, "{}", shown(&replayed));
    }
    let listed = place.rebut(&["list"]);
    let listed = text(&listed.stdout);
    let of = |package: &str| listed.lines().filter(|line| line.contains(package)).count();
    assert_eq!((of("  one  "), of("  two  ")), (3, 3), "{listed}");
}

/// The number of tests that ran.
fn tests_run(output: &Output) -> u64 {
    let said = text(&output.stderr);
    let counts = said.lines().filter_map(|line| line.strip_prefix("test result: "));
    let count = |line: &str| line.split_once(" passed")?.0.rsplit(' ').next()?.parse::<u64>().ok();
    counts.filter_map(count).sum()
}

#[test]
fn a_run_of_one_test_does_not_hide_the_others() {
    let place = CrateDirectories::new(scratch("merged").join("demo"));
    write_crate(&place.home, OWN_WORKSPACE);
    copy_lock(&place.home);
    place.build();
    place.check(&[&STEPS[1]]);
    let verdicts = || {
        let output = place.rebut(&["list", "--format", "json"]);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let all = json["properties"].as_array().expect("properties").clone();
        let of = |one: &serde_json::Value| {
            let words = ["property", "verdict"].map(|key| one[key].as_str().map(str::to_owned));
            words.map(Option::unwrap_or_default).join(" ")
        };
        let mut all: Vec<String> = all.iter().map(of).collect();
        all.sort();
        all
    };
    let before = verdicts();
    assert_eq!(before.len(), 3, "{before:?}");
    let one = |variable: &str| {
        let mut cargo = place.cargo();
        cargo.args(["test", "--quiet", "may_fail"]).env(variable, "1");
        cargo.output().expect("cargo")
    };
    assert_eq!(one("DEMO_FAILS").status.code(), Some(101));
    let after = verdicts();
    assert_eq!(after.len(), 3, "{after:?}");
    assert!(after.contains(&"demo::tests::may_fail R001".to_owned()), "{after:?}");
    // Repeated runs of one test do not remove the results of the others.
    for _ in 0..25 {
        assert_eq!(one("NOTHING").status.code(), Some(0));
    }
    assert_eq!(verdicts(), before);

    // A replay of the failure is no run of the property.
    let mut cargo = place.cargo();
    cargo.args(["test", "--quiet", "may_fail"]).env("REBUT_REPLAY", "r1.AA");
    assert_eq!(cargo.output().expect("cargo").status.code(), Some(0));
    assert_eq!(verdicts(), before);

    // A renamed test leaves only its failure behind.
    assert_eq!(one("DEMO_FAILS").status.code(), Some(101));
    write(&place.home.join("src/lib.rs"), &LIBRARY.replace("may_fail", "may_not_fail"));
    let listed = place.rebut(&["list"]);
    assert!(!text(&listed.stdout).contains("may_fail"), "{}", shown(&listed));
    assert!(text(&listed.stderr).contains("cargo rebut list --stale"), "{}", shown(&listed));
    let stored = place.home.join(".rebut/failures/demo__tests__may_fail");
    let stale = place.rebut(&["list", "--stale"]);
    assert!(text(&stale.stdout).starts_with("stale  demo::tests::may_fail"), "{}", shown(&stale));
    assert!(stored.is_dir(), "nothing is removed unless that is asked for");
    let removed = place.rebut(&["list", "--stale", "--remove"]);
    assert_eq!(removed.status.code(), Some(0), "{}", shown(&removed));
    assert!(!stored.exists());
    let stale = place.rebut(&["list", "--stale"]);
    assert_eq!(text(&stale.stdout), "", "{}", shown(&stale));
}
